/* against: what was measured, which an output of the model stands against, and what is free to
 * bring both together.
 *
 *     output f against "log.csv" column "force" [N] from 1 [s] to 9 [s] with weight = 2, lag = 1
 * [ms] free F in 0.1..10 log, start v */
#include "lang_private.h"

#include <drystone/record.h>

#include <math.h>
#include <string.h>

/* ---- which file ---------------------------------------------------------------------------- */

/* NULL: there is none. An output that names no file reads that of the others. */
static const char *path_of(dry_elab *elab, const dry_data_expr *data) {
    const char *file = data->file ? data->file : dry_lang__data_file(elab);
    const char *given = data->file ? dry_lang__given_data(elab, data) : elab->options->data;
    if (given) return dry_lang__note_file(elab, dry_diag_text(elab->diag, "%s", given));
    return file ? dry_lang__path(elab, file, data->file_at) : NULL;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static bool read_key(dry_elab *elab, const dry_key *key, dry_against_info *to) {
    static const char *const names[] = {"weight", "lag", "hold_out"};
    if (!strcmp(key->name, "lag"))
        return dry_lang__number_key(elab, key, dry_dim_seconds(1.0), &to->lag);
    double *const value = !strcmp(key->name, "weight")     ? &to->weight
                          : !strcmp(key->name, "hold_out") ? &to->hold
                                                           : NULL;
    if (!value) {
        dry_diag_unknown_key(elab->diag, key->at, "output", key->name, names, 3);
        return false;
    }
    if (!dry_lang__number_key(elab, key, dry_dim_pure(), value)) return false;
    const bool weight = value == &to->weight;
    if (weight ? *value > 0.0 : *value >= 0.0 && *value < 1.0) return true;
    DRY_SAY(elab->diag, key->at, KEY_RANGE, key->name, dry_diag_number(elab->diag, *value),
            weight ? "positive" : "from 0 to below 1, such as 40 [%]");
    return false;
}

static bool time_of(dry_elab *elab, const dry_expr *expr, double *time) {
    if (!expr) return true;
    const dry_term v = dry_lang__scalar_expr(elab, expr, "a time");
    return !v.bad && dry_lang__constant(elab, expr, "a time", time) &&
           dry_lang__same_dim(elab, expr->at, "time", v.dim, dry_dim_seconds(1.0));
}

static bool read_span(dry_elab *elab, const dry_stmt *stmt, dry_against_info *to) {
    to->from = -(double)INFINITY;
    to->to = (double)INFINITY;
    if (!time_of(elab, stmt->range.from, &to->from) || !time_of(elab, stmt->range.to, &to->to))
        return false;
    if (to->from < to->to) return true;
    DRY_SAY(elab->diag, stmt->range.from->at, OUTPUT_SPAN, to->name,
            dry_diag_number(elab->diag, to->from), dry_diag_number(elab->diag, to->to));
    return false;
}

static bool read_keys(dry_elab *elab, const dry_stmt *stmt, dry_against_info *to) {
    to->weight = 1.0;
    if (!dry_lang__keys_once(elab, stmt)) return false;
    for (int i = 0; i < stmt->n_keys; i++)
        if (!read_key(elab, &stmt->key[i], to)) return false;
    return read_span(elab, stmt, to);
}

/* ---- what was measured ----------------------------------------------------------------------- */

/* Keeps the rows with a value. */
static void keep(dry_against_info *to, dry_numbers *t, dry_numbers *y) {
    double *times = (double *)t->value, *values = (double *)y->value; /* just read, for us alone */
    for (int i = 0; i < y->count; i++) {
        if (isnan(values[i])) continue;
        times[to->n] = times[i];
        values[to->n++] = values[i];
    }
    to->missing = y->count - to->n;
    to->t = times;
    to->y = values;
}

static bool check(dry_elab *elab, const dry_stmt *stmt, const dry_term *v, const dry_numbers *t,
                  const dry_numbers *y) {
    const dry_place at = stmt->data->column[0].at;
    return dry_lang__same_dim(elab, at, "time of the record", t->dim, dry_dim_seconds(1.0)) &&
           dry_lang__same_dim(elab, at, "output and its column", v->dim, y->dim) &&
           dry_lang__check_knots(elab, stmt->data->time ? stmt->data->time->at : at, "times",
                                 dry_lang__text_of(elab, stmt->value), t->value, t->count);
}

static bool read_rows(dry_elab *elab, const dry_stmt *stmt, const dry_term *v,
                      dry_against_info *to) {
    const dry_data_expr *data = stmt->data;
    const dry_column_expr first = {.at = data->column[0].at};
    dry_record *record = dry_lang__open(elab, to->file, data->file_at);
    dry_numbers t, y;
    const bool read =
        record && dry_lang__times(elab, record, to->file, data->time ? data->time : &first, &t) &&
        dry_lang__column(elab, record, to->file, &data->column[0], &y);
    dry_record_free(record);
    if (!read || !check(elab, stmt, v, &t, &y)) return false;
    keep(to, &t, &y);
    if (!dry_lang__check_values(elab, data->column[0].at, to->name, to->y, to->n)) return false;
    if (to->missing)
        DRY_SAY(elab->diag, stmt->at, OUTPUT_MISSING, to->name,
                dry_diag_text(elab->diag, "%d", to->missing),
                dry_diag_text(elab->diag, "%d", to->n + to->missing));
    return true;
}

static void against(dry_elab *elab, const dry_stmt *stmt) {
    dry_against_info info = {.name = dry_lang__text_of(elab, stmt->value),
                             .column = stmt->data->column[0].name,
                             .file = path_of(elab, stmt->data),
                             .at = stmt->at};
    const dry_term v = dry_lang__scalar_expr(elab, stmt->value, "an output");
    if (v.bad || !read_keys(elab, stmt, &info)) return;
    if (info.file && !read_rows(elab, stmt, &v, &info)) return;
    info.dim = v.dim;
    info.output = dry_lang__add_output(
        elab, (dry_output_info){.name = info.name, .dim = v.dim, .node = v.one, .hidden = true});
    dry_against_info *slot = DRY_GROW(elab->arena, &elab->results, against);
    if (slot) *slot = info;
}

/* ---- what is free ---------------------------------------------------------------------------- */

/* "A[1,2]": as a setting is written, without blanks. */
static const char *setting_name(dry_elab *elab, const dry_expr *expr) {
    const char *text = dry_lang__text_of(elab, expr);
    char *to = dry_arena_text(elab->arena, text, strlen(text));
    int n = 0;
    for (const char *at = text; to && *at; at++)
        if (*at != ' ') to[n++] = *at;
    if (to) to[n] = '\0';
    return to ? to : "";
}

/* The name itself: x of x[2]; NULL: it has another form. */
static const char *base_name(const dry_expr *expr) {
    if (expr->kind == DRY_EX_INDEX) expr = expr->arg[0];
    return expr->kind == DRY_EX_NAME || expr->kind == DRY_EX_MEMBER ? expr->text : NULL;
}

/* What the text gives to x, or to x[2] and A[1,2] if it gives a list. */
static const dry_expr *given_value(const dry_expr *freed, const dry_symbol *symbol) {
    const dry_expr *value = symbol->stmt->value;
    for (int i = 1; freed->kind == DRY_EX_INDEX && i < freed->n_args; i++) {
        const dry_expr *index = freed->arg[i];
        if (value->kind != DRY_EX_VECTOR || index->kind != DRY_EX_NUMBER) return value;
        if (!(index->value >= 1.0 && index->value <= value->n_args)) return value;
        value = value->arg[(int)index->value - 1];
    }
    return value;
}

static bool is_bare(const dry_expr *expr) {
    if (expr->kind == DRY_EX_UNARY && expr->text[0] == '-') expr = expr->arg[0];
    return expr->kind == DRY_EX_NUMBER && !expr->unit;
}

/* An end of the range. A number without a unit is in that of the value in the text. */
static bool end_of(dry_elab *elab, const dry_expr *expr, const dry_expr *freed,
                   const dry_symbol *symbol, double *end) {
    char bad[DRY_DIM_TEXT];
    dry_dim dim;
    double factor = 1.0;
    const dry_term v = dry_lang__scalar_expr(elab, expr, "the end of a range");
    if (v.bad || !dry_lang__constant(elab, expr, "the end of a range", end)) return false;
    if (!symbol) return true;
    const dry_unit_expr unit = dry_lang__unit_of_value(given_value(freed, symbol));
    if (is_bare(expr) && unit.text && dry_unit_parse(unit.text, &factor, &dim, bad))
        return *end *= factor, true;
    return dry_lang__same_dim(elab, expr->at, "parameter and its range", symbol->value.dim, v.dim);
}

static bool read_range(dry_elab *elab, const dry_stmt *stmt, const dry_symbol *symbol,
                       dry_freed_info *to) {
    to->low = to->high = (double)NAN;
    if (!stmt->range.from) return true;
    if (!end_of(elab, stmt->range.from, stmt->value, symbol, &to->low) ||
        !end_of(elab, stmt->range.to, stmt->value, symbol, &to->high))
        return false;
    if (to->low < to->high) return true;
    DRY_SAY(elab->diag, stmt->range.from->at, RANGE_EMPTY, to->name,
            dry_diag_number(elab->diag, to->low), dry_diag_number(elab->diag, to->high));
    return false;
}

/* What the name must be: a parameter, or after `start` a state. Members are for parts and forces,
 * which the fit looks for. */
static bool check_name(dry_elab *elab, const dry_stmt *stmt, dry_symbol **symbol) {
    const char *name = base_name(stmt->value);
    const bool start = stmt->how & DRY_FREE_START;
    *symbol = name ? dry_lang_find(elab, name) : NULL;
    if (name && !*symbol && stmt->value->kind != DRY_EX_MEMBER) {
        dry_lang__unknown(elab, stmt->value->at, name);
        return false;
    }
    const bool member = stmt->value->kind == DRY_EX_MEMBER;
    const dry_symbol_kind wanted = start ? DRY_SYM_STATE : DRY_SYM_PARAM;
    if (name && (member || (*symbol)->kind == wanted)) {
        if (member) *symbol = NULL;
        return true;
    }
    DRY_SAY(elab->diag, stmt->value->at, FREE_WHAT, dry_lang__text_of(elab, stmt->value),
            start ? "a state" : "a parameter");
    return false;
}

static void free_one(dry_elab *elab, const dry_freed_info *info) {
    for (int i = 0; i < elab->results.n_freeds; i++)
        if (!strcmp(elab->results.freed[i].name, info->name) &&
            !((elab->results.freed[i].how ^ info->how) & DRY_FREE_START)) {
            DRY_SAY(elab->diag, info->at, FREE_TWICE, info->name);
            return;
        }
    dry_freed_info *slot = DRY_GROW(elab->arena, &elab->results, freed);
    if (slot) *slot = *info;
}

static const char *element_name(dry_elab *elab, const dry_freed_info *info, const dry_term *v,
                                int k) {
    const char *name = info->name;
    return v->rank == 1
               ? dry_diag_text(elab->diag, "%s[%d]", name, k + 1)
               : dry_diag_text(elab->diag, "%s[%d,%d]", name, k / v->cols + 1, k % v->cols + 1);
}

/* A vector or a matrix as a whole is free in all its elements. */
static void freed(dry_elab *elab, const dry_stmt *stmt) {
    dry_symbol *symbol;
    dry_freed_info info = {
        .name = setting_name(elab, stmt->value), .how = stmt->how, .at = stmt->value->at};
    if (!check_name(elab, stmt, &symbol) || !read_range(elab, stmt, symbol, &info)) return;
    info.base = symbol ? symbol->name : NULL;
    const bool whole = symbol && stmt->value->kind == DRY_EX_NAME && symbol->value.rank > 0;
    if (!whole) {
        free_one(elab, &info);
        return;
    }
    for (int k = 0; k < dry_term_size(&symbol->value); k++) {
        dry_freed_info element = info;
        element.name = element_name(elab, &info, &symbol->value, k);
        free_one(elab, &element);
    }
}

static void steady(dry_elab *elab, const dry_stmt *stmt) {
    const dry_steady_info info = {.name = setting_name(elab, stmt->value), .at = stmt->value->at};
    for (int i = 0; i < elab->results.n_steadys; i++)
        if (!strcmp(elab->results.steady[i].name, info.name)) {
            DRY_SAY(elab->diag, info.at, STEADY_TWICE, info.name);
            return;
        }
    dry_steady_info *slot = DRY_GROW(elab->arena, &elab->results, steady);
    if (slot) *slot = info;
}

void dry_lang_measured(dry_elab *elab) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if (stmt->kind == DRY_ST_OUTPUT) against(elab, stmt);
        if (stmt->kind == DRY_ST_FREE) freed(elab, stmt);
        if (stmt->kind == DRY_ST_STEADY) steady(elab, stmt);
    }
}
