/* inputs: a quantity of time from a record.
 *
 *     input u from "log.csv" column "force" [N] with by = hold, delay = 2 [ms], scale = 35.15 */
#include "lang_private.h"

#include <drystone/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum way { HOLD, LINEAR, SMOOTH } way;

typedef struct keys {
    way by;
    double delay, scale;
} keys;

/* ---- keys ------------------------------------------------------------------------------ */

bool dry_lang__number_key(dry_elab *elab, const dry_key *key, dry_dim dim, double *value) {
    const dry_term v = dry_lang__scalar_expr(elab, key->value, key->name);
    if (v.bad || !dry_lang__same_dim(elab, key->at, key->name, v.dim, dim)) return false;
    dry_lang_fix(elab, v.one);
    if (dry_lang__known(elab, v.one, value) && isfinite(*value)) return true;
    DRY_SAY(elab->diag, key->at, NOT_CONSTANT, key->name);
    return false;
}

static bool delay_key(dry_elab *elab, const dry_key *key, double *delay) {
    if (!dry_lang__number_key(elab, key, dry_dim_seconds(1.0), delay)) return false;
    if (*delay >= 0.0) return true;
    DRY_SAY(elab->diag, key->at, KEY_RANGE, key->name, dry_diag_number(elab->diag, *delay),
            "0 or positive");
    return false;
}

static bool read_key(dry_elab *elab, const dry_key *key, keys *to) {
    static const char *const names[] = {"by", "delay", "scale"}, *const ways[] = {"hold", "linear",
                                                                                  "smooth"};
    if (!strcmp(key->name, "by")) {
        const int word = dry_lang__word(elab, key, ways, 3);
        to->by = (way)word;
        return word >= 0;
    }
    if (!strcmp(key->name, "delay")) return delay_key(elab, key, &to->delay);
    if (!strcmp(key->name, "scale"))
        return dry_lang__number_key(elab, key, dry_dim_pure(), &to->scale);
    dry_diag_unknown_key(elab->diag, key->at, "input", key->name, names, 3);
    return false;
}

static bool read_keys(dry_elab *elab, const dry_stmt *stmt, keys *to) {
    *to = (keys){LINEAR, 0.0, 1.0};
    if (!dry_lang__keys_once(elab, stmt)) return false;
    for (int i = 0; i < stmt->n_keys; i++)
        if (!read_key(elab, &stmt->key[i], to)) return false;
    return true;
}

/* ---- what a record lacks ------------------------------------------------------------------ */

static const char *seconds(dry_elab *elab, double t) {
    return dry_diag_text(elab->diag, "%s s", dry_diag_number(elab->diag, t));
}

/* Leaves out rows without a value; returns how many are left. */
static int leave_out(dry_elab *elab, const dry_symbol *symbol, double *t, double *y, int n) {
    double first = (double)NAN;
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(y[i]) && isnan(first)) first = t[i];
        if (isnan(y[i])) continue;
        t[kept] = t[i];
        y[kept++] = y[i];
    }
    if (kept < n)
        DRY_SAY(elab->diag, symbol->at, INPUT_MISSING, symbol->name,
                dry_diag_text(elab->diag, "%d", n - kept), seconds(elab, first));
    return kept;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_interval(dry_elab *elab, const double *t, int n) {
    double *h = dry_heap_take(elab->arena, (size_t)n, sizeof *h);
    if (!h) return (double)INFINITY;
    for (int i = 0; i + 1 < n; i++) h[i] = t[i + 1] - t[i];
    qsort(h, (size_t)(n - 1), sizeof *h, compare);
    const double median = h[(n - 1) / 2];
    free(h);
    return median;
}

static void tell_gaps(dry_elab *elab, const dry_symbol *symbol, const double *t, int n) {
    const double longest = 10.0, median = median_interval(elab, t, n);
    int gaps = 0, first = 0;
    for (int i = 0; i + 1 < n; i++)
        if (t[i + 1] - t[i] > longest * median && gaps++ == 0) first = i;
    if (gaps)
        DRY_SAY(elab->diag, symbol->at, INPUT_GAP, symbol->name,
                dry_diag_text(elab->diag, "%d", gaps), seconds(elab, t[first]),
                seconds(elab, t[first + 1]));
}

/* ---- the table of the time ----------------------------------------------------------------- */

static const dry_given_input *given_for(const dry_elab *elab, const char *name) {
    for (int i = elab->options->n_inputs - 1; i >= 0; i--)
        if (!strcmp(elab->options->inputs[i].name, name)) return &elab->options->inputs[i];
    return NULL;
}

dry_unit_expr dry_lang__unit_of_value(const dry_expr *value) {
    while (value && value->kind == DRY_EX_UNARY && value->n_args == 1) value = value->arg[0];
    if (value && value->kind == DRY_EX_VECTOR) {
        const dry_unit_expr one = dry_lang__unit_of_value(value->arg[0]);
        for (int i = 1; one.text && i < value->n_args; i++) {
            const dry_unit_expr other = dry_lang__unit_of_value(value->arg[i]);
            if (!other.text || strcmp(one.text, other.text) != 0) return (dry_unit_expr){0};
        }
        return one;
    }
    if (!value || value->kind != DRY_EX_NUMBER) return (dry_unit_expr){0};
    return (dry_unit_expr){value->unit, value->unit_at};
}

/* What is read: the file of the caller, else that of the text. */
typedef struct reading {
    const char *path;
    const dry_record *record; /* of the caller, in place of a file; NULL: none */
    dry_place at;
    dry_column_expr value, time;
} reading;

static bool reading_of(dry_elab *elab, const dry_symbol *symbol, reading *from) {
    const dry_data_expr *data = symbol->stmt->data;
    const dry_given_input *given = given_for(elab, symbol->name);
    *from = (reading){.at = symbol->at, .value.at = symbol->at, .time.at = symbol->at};
    from->value.unit = dry_lang__unit_of_value(symbol->stmt->value);
    if (data) {
        from->at = data->file_at;
        from->value = data->column[0];
        if (data->time) from->time = *data->time;
    }
    if (given && given->record) {
        from->path = "the record given";
        from->record = given->record;
        from->value.name = given->column;
        from->time = (dry_column_expr){.at = symbol->at};
        return true;
    }
    if (given) {
        from->path = dry_lang__note_file(elab, dry_diag_text(elab->diag, "%s", given->file));
        from->value.name = given->column;
        return true;
    }
    if (!data) return false;
    const char *other = dry_lang__given_data(elab, data);
    from->path = other ? dry_lang__note_file(elab, dry_diag_text(elab->diag, "%s", other))
                       : dry_lang__path(elab, data->file, data->file_at);
    return true;
}

/* Values of a caller's record without a unit are in SI units, whatever unit the text has. */
static void keep_si(const reading *from, dry_numbers *y) {
    const int column = dry_record_find(from->record, from->value.name);
    if (column < 0 || y->count == 0 || dry_record_quantity(from->record, column).unit[0]) return;
    memcpy((double *)y->value, dry_record_values(from->record, column),
           (size_t)y->count * sizeof *y->value); /* just read, for us alone */
}

static bool read_record(dry_elab *elab, const reading *from, dry_numbers *t, dry_numbers *y) {
    dry_record *file = from->record ? NULL : dry_lang__open(elab, from->path, from->at);
    const dry_record *record = from->record ? from->record : file;
    const bool read = record && dry_lang__times(elab, record, from->path, &from->time, t) &&
                      dry_lang__column(elab, record, from->path, &from->value, y);
    if (read && from->record) keep_si(from, y);
    dry_record_free(file);
    return read && dry_lang__same_dim(elab, from->time.at, "time of the record", t->dim,
                                      dry_dim_seconds(1.0));
}

static bool fill(dry_elab *elab, const dry_symbol *symbol, const reading *from, const keys *how,
                 dry_table_info *info) {
    dry_numbers times, values;
    if (!read_record(elab, from, &times, &values)) return false;
    double *t = (double *)times.value, *y = (double *)values.value; /* just read, for us alone */
    if (!dry_lang__check_knots(elab, from->time.at, "times", symbol->name, t, times.count))
        return false;
    const int n = leave_out(elab, symbol, t, y, values.count);
    for (int i = 0; i < n; i++) {
        t[i] += how->delay;
        y[i] *= how->scale;
    }
    if (!dry_lang__check_knots(elab, from->time.at, "times with a value", symbol->name, t, n) ||
        !dry_lang__check_values(elab, from->value.at, symbol->name, y, n))
        return false;
    tell_gaps(elab, symbol, t, n);
    info->table = (dry_table){.hold = how->by == HOLD, .n = n, .x = t, .y = y};
    info->argument[0] = dry_dim_seconds(1.0);
    info->delay = how->delay;
    info->value = values.dim;
    if (how->by == SMOOTH && !dry_lang__give_slopes(elab, &info->table, dry_table_smooth))
        return false;
    return dry_lang__check_course(elab, from->value.at, symbol->name, &info->table);
}

static dry_term of_time(dry_elab *elab, const dry_table_info *info, int derivative) {
    const dry_node t = dry_dag_leaf(elab->dag, DRY_OP_T, 0);
    const dry_node block = dry_dag_table(elab->dag, &info->table, &t);
    const dry_dim dim =
        dry_dim_combine(elab->dims, info->value, 1.0, dry_dim_seconds(-1.0), derivative);
    return dry_lang__scalar(elab, dry_dag_pick(elab->dag, block, derivative),
                            derivative ? dim : info->value);
}

/* input u = 0 [N]: the value if nobody gives one. */
static dry_term plain_value(dry_elab *elab, const dry_symbol *symbol) {
    return dry_lang__scalar_expr(elab, symbol->stmt->value, "an input");
}

void dry_lang__input(dry_elab *elab, dry_symbol *symbol) {
    dry_table_info *info = dry_arena_take(elab->arena, sizeof *info);
    keys how;
    reading from;
    const dry_term plain = symbol->stmt->value ? plain_value(elab, symbol) : dry_lang__bad(elab);
    symbol->progress = DRY_DONE;
    symbol->value = dry_lang__bad(elab);
    if (!info || !read_keys(elab, symbol->stmt, &how)) return;
    if (!reading_of(elab, symbol, &from)) { /* a program may set it between steps */
        if (!plain.bad) symbol->value = dry_lang__hold(elab, symbol, symbol->name, plain, &plain);
        return;
    }
    if (!fill(elab, symbol, &from, &how, info)) return;
    if (symbol->stmt->value &&
        (plain.bad ||
         !dry_lang__same_dim(elab, symbol->at, "column of an input", plain.dim, info->value)))
        return;
    symbol->table = info;
    symbol->value = of_time(elab, info, 0);
}

dry_term dry_lang__input_rate(dry_elab *elab, const dry_symbol *symbol, dry_place at) {
    if (symbol->value.bad) return dry_lang__bad(elab);
    if (symbol->table && symbol->table->table.cubic) return of_time(elab, symbol->table, 1);
    DRY_SAY(elab->diag, at, INPUT_RATE, symbol->name);
    return dry_lang__bad(elab);
}

/* ---- checks of all -------------------------------------------------------------------------- */

void dry_lang__check_given_inputs(dry_elab *elab) {
    for (int i = 0; i < elab->options->n_inputs; i++) {
        const char *name = elab->options->inputs[i].name;
        const dry_symbol *symbol = dry_lang_find(elab, name);
        if (!symbol || symbol->kind != DRY_SYM_INPUT)
            DRY_SAY(elab->diag, (dry_place){0}, NO_SUCH_INPUT, name);
    }
}

void dry_lang_check_inputs(const dry_elab *elab) {
    const double until = elab->run.until, slack = 1e-9 * until;
    for (int i = 0; i < elab->names.n_symbols && until > 0.0; i++) {
        const dry_symbol *symbol = &elab->names.symbol[i];
        if (symbol->kind != DRY_SYM_INPUT || !symbol->table) continue;
        const dry_table *table = &symbol->table->table;
        const double first = table->x[0], last = table->x[table->n - 1];
        if (first - symbol->table->delay <= slack && last >= until - slack) continue;
        DRY_SAY(elab->diag, symbol->at, INPUT_BEYOND, symbol->name,
                dry_diag_number(elab->diag, first), dry_diag_number(elab->diag, last),
                dry_diag_number(elab->diag, until));
    }
}
