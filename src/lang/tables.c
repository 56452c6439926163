/* tables: makes a table of the lists or columns of its statement, and calls it.
 *
 *     table mu(v) at [0, 0.01] [m/s] = [0.3, 0.2] with by = cubic, ends = extended */
#include "lang_private.h"

#include <drystone/record.h>

#include <math.h>
#include <string.h>

/* ---- checks that tables and inputs share ---------------------------------------------- */

int dry_lang__word(dry_elab *elab, const dry_key *key, const char *const *words, int n) {
    const dry_expr *value = key->value;
    if (value->kind != DRY_EX_NAME) {
        DRY_SAY(elab->diag, value->at, WORD_WANTED, key->name);
        dry_diag_way_out(elab->diag, "write %s = %s", key->name, words[0]);
        return -1;
    }
    for (int i = 0; i < n; i++)
        if (!strcmp(value->text, words[i])) return i;
    dry_diag_unknown_key(elab->diag, value->at, key->name, value->text, words, n);
    return -1;
}

bool dry_lang__keys_once(dry_elab *elab, const dry_stmt *stmt) {
    for (int i = 1; i < stmt->n_keys; i++)
        if (dry_lang__find_key(stmt->key, i, stmt->key[i].name)) {
            DRY_SAY(elab->diag, stmt->key[i].at, KEY_TWICE, stmt->key[i].name);
            return false;
        }
    return true;
}

bool dry_lang__check_knots(dry_elab *elab, dry_place at, const char *what, const char *name,
                           const double *x, int n) {
    const char *of = dry_diag_text(elab->diag, "%s of `%s`", what, name);
    if (n < 2) {
        DRY_SAY(elab->diag, at, TABLE_FEW, of);
        return false;
    }
    for (int i = 0; i < n; i++) {
        const bool rises = i == 0 || x[i] > x[i - 1];
        if (rises && isfinite(x[i])) continue;
        DRY_SAY(elab->diag, at, TABLE_RISE, of, dry_diag_text(elab->diag, "%d", i + 1),
                dry_diag_number(elab->diag, x[i]));
        return false;
    }
    return true;
}

bool dry_lang__check_values(dry_elab *elab, dry_place at, const char *name, const double *y,
                            int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(y[i])) {
            DRY_SAY(elab->diag, at, TABLE_FINITE, name, dry_diag_text(elab->diag, "%d", i + 1));
            return false;
        }
    return true;
}

/* Between two knots: whether the numbers that the table is computed with are finite. */
static bool runs(const dry_table *table, const double *x, int i) {
    const double h = x[i + 1] - x[i];
    return isfinite(h) && isfinite(1.0 / h) && (!table->cubic || isnormal(h * h));
}

static bool rises(const double *y, int stride) { return isfinite(y[stride] - y[0]); }

static bool curve_runs(const dry_table *table, int i) {
    const double slope = (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
    return runs(table, table->x, i) && isfinite(slope) &&
           (!table->cubic || (isfinite(table->slope[i]) && isfinite(table->slope[i + 1])));
}

static bool row_runs(const dry_table *table, int i) {
    bool good = runs(table, table->x, i);
    for (int j = 0; j < table->n2; j++) good &= rises(table->y + i * table->n2 + j, table->n2);
    return good;
}

static bool column_runs(const dry_table *table, int j) {
    bool good = runs(table, table->x2, j);
    for (int i = 0; i < table->n; i++) good &= rises(table->y + i * table->n2 + j, 1);
    return good;
}

static bool steep(dry_elab *elab, dry_place at, const char *name, int i) {
    DRY_SAY(elab->diag, at, TABLE_STEEP, name, dry_diag_text(elab->diag, "%d", i + 1),
            dry_diag_text(elab->diag, "%d", i + 2));
    return false;
}

bool dry_lang__check_course(dry_elab *elab, dry_place at, const char *name,
                            const dry_table *table) {
    if (table->hold) return true;
    for (int i = 0; i + 1 < table->n; i++)
        if (!(table->n2 ? row_runs(table, i) : curve_runs(table, i)))
            return steep(elab, at, name, i);
    for (int j = 0; j + 1 < table->n2; j++)
        if (!column_runs(table, j)) return steep(elab, at, name, j);
    return true;
}

bool dry_lang__give_slopes(dry_elab *elab, dry_table *table, dry_slopes_fn *slopes) {
    double *slope = dry_arena_take(elab->arena, sizeof *slope * (size_t)table->n);
    if (!slope) return false;
    slopes(table->n, table->x, table->y, slope);
    table->cubic = true;
    table->slope = slope;
    return true;
}

/* ---- from lists ----------------------------------------------------------------------- */

/* Computes the numbers of a list; *v has their shape and dimension. */
static bool constants(dry_elab *elab, const dry_expr *expr, dry_term *v, const double **numbers) {
    *v = dry_lang__expr(elab, expr);
    if (v->bad) return false;
    const int n = dry_term_size(v);
    double *known = dry_arena_take(elab->arena, sizeof *known * (size_t)(n + 1));
    *numbers = known;
    for (int k = 0; known && k < n; k++) {
        dry_lang_fix(elab, dry_term_at(v, k));
        if (!dry_lang__known(elab, dry_term_at(v, k), &known[k])) {
            DRY_SAY(elab->diag, expr->at, NOT_CONSTANT, "a table");
            return false;
        }
    }
    return known != NULL;
}

static bool axis_of(dry_elab *elab, const dry_stmt *stmt, int i, dry_table_info *info) {
    const dry_expr *expr = stmt->data->axis[i];
    dry_term v;
    const double *x;
    if (!constants(elab, expr, &v, &x)) return false;
    if (v.rank != 1) {
        DRY_SAY(elab->diag, expr->at, TABLE_VALUES, stmt->name, "knots", "a list of numbers",
                dry_lang_shape(elab, &v));
        return false;
    }
    info->argument[i] = v.dim;
    *(i ? &info->table.x2 : &info->table.x) = x;
    *(i ? &info->table.n2 : &info->table.n) = v.rows;
    return dry_lang__check_knots(elab, expr->at, "knots", stmt->name, x, v.rows);
}

/* Rows belong to the first argument. */
static bool values_of(dry_elab *elab, const dry_stmt *stmt, dry_table_info *info) {
    const dry_table *t = &info->table;
    dry_term v;
    if (!constants(elab, stmt->value, &v, &info->table.y)) return false;
    info->value = v.dim;
    const bool fits =
        t->n2 ? v.rank == 2 && v.rows == t->n && v.cols == t->n2 : v.rank == 1 && v.rows == t->n;
    if (!fits) {
        const char *wanted = t->n2 ? dry_diag_text(elab->diag, "%d rows of %d numbers", t->n, t->n2)
                                   : dry_diag_text(elab->diag, "a list of %d numbers", t->n);
        DRY_SAY(elab->diag, stmt->value->at, TABLE_VALUES, stmt->name, "values", wanted,
                dry_lang_shape(elab, &v));
        return false;
    }
    return dry_lang__check_values(elab, stmt->value->at, stmt->name, t->y, dry_term_size(&v));
}

static bool from_lists(dry_elab *elab, const dry_stmt *stmt, dry_table_info *info) {
    for (int i = 0; i < stmt->data->n_axes; i++)
        if (!axis_of(elab, stmt, i, info)) return false;
    return values_of(elab, stmt, info);
}

/* ---- from a file ---------------------------------------------------------------------- */

static bool from_file(dry_elab *elab, const dry_stmt *stmt, dry_table_info *info) {
    const dry_data_expr *data = stmt->data;
    const char *other = dry_lang__given_data(elab, data);
    const char *path = other ? dry_lang__note_file(elab, dry_diag_text(elab->diag, "%s", other))
                             : dry_lang__path(elab, data->file, data->file_at);
    dry_record *record = dry_lang__open(elab, path, data->file_at);
    dry_numbers x, y;
    const bool read = record && dry_lang__column(elab, record, path, &data->column[0], &x) &&
                      dry_lang__column(elab, record, path, &data->column[1], &y);
    dry_record_free(record);
    if (!read) return false;
    info->table.x = x.value;
    info->table.y = y.value;
    info->table.n = x.count;
    info->argument[0] = x.dim;
    info->value = y.dim;
    return dry_lang__check_knots(elab, data->column[0].at, "knots", stmt->name, x.value, x.count) &&
           dry_lang__check_values(elab, data->column[1].at, stmt->name, y.value, y.count);
}

/* ---- keys ----------------------------------------------------------------------------- */

/* An argument has a list of knots; from a file, one argument has two columns. */
static bool check_axes(dry_elab *elab, const dry_stmt *stmt) {
    const int n = stmt->data->file ? stmt->data->n_columns - 1 : stmt->data->n_axes;
    if (stmt->n_params == n && (n == 1 || !stmt->data->file)) return true;
    DRY_SAY(elab->diag, stmt->at, TABLE_AXES, stmt->name,
            dry_diag_text(elab->diag, "%d", stmt->n_params),
            dry_diag_text(elab->diag, stmt->data->file ? "%d column(s)" : "%d list(s) of knots",
                          stmt->data->file ? n + 1 : n));
    return false;
}

static bool read_key(dry_elab *elab, const dry_key *key, dry_table_info *info, bool *cubic) {
    static const char *const keys[] = {"by", "ends"}, *const ways[] = {"linear", "cubic"},
                             *const ends[] = {"held", "extended"};
    int word;
    if (!strcmp(key->name, "by")) {
        word = dry_lang__word(elab, key, ways, 2);
        *cubic = word == 1;
    } else if (!strcmp(key->name, "ends")) {
        word = dry_lang__word(elab, key, ends, 2);
        info->table.extended = word == 1;
    } else {
        dry_diag_unknown_key(elab->diag, key->at, "table", key->name, keys, 2);
        return false;
    }
    return word >= 0;
}

static bool complete(dry_elab *elab, const dry_stmt *stmt, dry_table_info *info) {
    bool cubic = false;
    if (!dry_lang__keys_once(elab, stmt)) return false;
    for (int i = 0; i < stmt->n_keys; i++)
        if (!read_key(elab, &stmt->key[i], info, &cubic)) return false;
    if (!cubic) return true;
    if (!info->table.n2) return dry_lang__give_slopes(elab, &info->table, dry_table_monotone);
    DRY_SAY(elab->diag, stmt->at, TABLE_CUBIC, stmt->name);
    return false;
}

/* ---- the doors ------------------------------------------------------------------------ */

static void make(dry_elab *elab, dry_symbol *symbol) {
    const dry_stmt *stmt = symbol->stmt;
    dry_table_info *info = dry_arena_take(elab->arena, sizeof *info);
    if (!info || !check_axes(elab, stmt)) return;
    const bool read = stmt->data->file ? from_file(elab, stmt, info) : from_lists(elab, stmt, info);
    if (read && complete(elab, stmt, info) &&
        dry_lang__check_course(elab, symbol->at, stmt->name, &info->table))
        symbol->table = info;
}

bool dry_lang__make_table(dry_elab *elab, dry_symbol *symbol) {
    const dry_place at = symbol->at;
    const char *const outside = elab->scope.only_what;
    if (symbol->progress == DRY_UNDER_WAY) {
        DRY_SAY(elab->diag, at, CYCLE, symbol->name);
        dry_diag_way_out(elab->diag, "write numbers in place of its own value");
        return false;
    }
    if (symbol->progress == DRY_DONE) return true;
    symbol->progress = DRY_UNDER_WAY;
    elab->scope.only_what = "a table";
    make(elab, symbol);
    elab->scope.only_what = outside;
    symbol->progress = DRY_DONE;
    return true;
}

void dry_lang_tables(dry_elab *elab) {
    elab->scope.only_params = true;
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_TABLE)
            (void)dry_lang__make_table(elab, &elab->names.symbol[i]);
    elab->scope.only_what = "an input";
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_INPUT)
            dry_lang__input(elab, &elab->names.symbol[i]);
    elab->scope.only_params = false;
    dry_lang__check_given_inputs(elab);
    dry_lang__check_given_data(elab);
}

dry_term dry_lang__call_table(dry_elab *elab, const dry_expr *call, const dry_table_info *table,
                              const dry_term *arg) {
    if (!table) return dry_lang__bad(elab);
    dry_node args[DRY_MOST_AXES] = {0};
    for (int i = 0; i < call->n_args; i++) {
        if (arg[i].rank) {
            DRY_SAY(elab->diag, call->at, BAD_ARGUMENT, call->text, "numbers",
                    dry_lang_shape(elab, &arg[i]));
            return dry_lang__bad(elab);
        }
        const char *what = dry_diag_text(elab->diag, "argument of %s", call->text);
        if (!dry_lang__same_dim(elab, call->at, what, arg[i].dim, table->argument[i]))
            return dry_lang__bad(elab);
        args[i] = arg[i].one;
    }
    const dry_node block = dry_dag_table(elab->dag, &table->table, args);
    return dry_lang__scalar(elab, dry_dag_pick(elab->dag, block, 0), table->value);
}
