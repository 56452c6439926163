/* measures: the results that a run must deliver (columns, measures, expectations), and the
 * options of the run. */
#include "lang_private.h"

#include <drystone/rigid.h>
#include <drystone/stiff.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ----------------------------------------------------------------------- */

int dry_lang__add_output(dry_elab *elab, dry_output_info output) {
    dry_output_info *slot = DRY_GROW(elab->arena, &elab->results, output);
    if (!slot) return 0;
    *slot = output;
    return elab->results.n_outputs - 1;
}

static void add_columns(dry_elab *elab, const dry_symbol *symbol) {
    const dry_term *v = &symbol->value;
    int n = dry_term_size(v), cols = v->rank == 2 ? v->cols : 1;
    for (int k = 0; k < n; k++) {
        const char *name = v->rank == 0   ? symbol->name
                           : v->rank == 1 ? dry_diag_text(elab->diag, "%s[%d]", symbol->name, k + 1)
                                          : dry_diag_text(elab->diag, "%s[%d][%d]", symbol->name,
                                                          k / cols + 1, k % cols + 1);
        dry_lang__add_output(
            elab, (dry_output_info){.name = name, .dim = v->dim, .node = dry_term_at(v, k)});
    }
}

void dry_lang_outputs(dry_elab *elab) {
    for (int pass = 0; pass < 2; pass++) /* forces, then named quantities */
        for (int i = 0; i < elab->names.n_symbols; i++) {
            const dry_symbol *symbol = &elab->names.symbol[i];
            const bool recorded = symbol->kind == DRY_SYM_INPUT && symbol->table;
            const bool named = symbol->kind == DRY_SYM_QUANTITY || recorded;
            if ((pass ? named : symbol->kind == DRY_SYM_FORCE) && !symbol->value.bad)
                add_columns(elab, symbol);
        }
}

/* ---- reducers ---------------------------------------------------------------------- */

typedef struct reducer_row {
    const char *name;
    dry_reducer_kind kind;
    int n_args;
    bool condition;  /* its argument is a condition */
    bool span;       /* takes from .. to */
    double integral; /* power of time in the result's dimension */
} reducer_row;

static const reducer_row rows[] = {
    {"final", DRY_FINAL, 1, false, false, 0},      {"at", DRY_AT, 2, false, false, 0},
    {"max", DRY_MAX_OF, 1, false, true, 0},        {"min", DRY_MIN_OF, 1, false, true, 0},
    {"mean", DRY_MEAN, 1, false, true, 0},         {"rms", DRY_RMS, 1, false, true, 0},
    {"integral", DRY_INTEGRAL, 1, false, true, 1}, {"first", DRY_FIRST, 1, true, true, 0},
    {"last", DRY_LAST, 1, true, true, 0},          {"count", DRY_COUNT_OF, 1, true, true, 0},
};

/* Adds the column of a condition. For a < b it is the difference b - a, so that its zero can be
 * located. */
static int condition_column(dry_elab *elab, const char *label, dry_node node, bool *crossing) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    *crossing = v.op == DRY_OP_LT || v.op == DRY_OP_LE;
    if (*crossing) node = dry_dag_bin(elab->dag, DRY_OP_SUB, v.args[1], v.args[0]);
    return dry_lang__add_output(
        elab, (dry_output_info){
                  .name = label, .dim = dry_dim_unknown(elab->dims), .node = node, .hidden = true});
}

static dry_node time_of(dry_elab *elab, const dry_expr *expr) {
    if (!expr) return -1;
    dry_term v = dry_lang__scalar_expr(elab, expr, "a time");
    if (v.bad) return -1;
    dry_lang__same_dim(elab, expr->at, "time", v.dim, dry_dim_seconds(1.0));
    if (dry_dag_depends(elab->dag, v.one) & ~(unsigned)DRY_ON_PAR) {
        DRY_SAY(elab->diag, expr->at, TIME_VARIES, "");
        return -1;
    }
    return v.one;
}

static dry_term reduce(dry_elab *elab, const dry_expr *call, const reducer_row *row) {
    dry_reducer reducer = {.kind = row->kind, .from = -1, .to = -1, .call = call};
    elab->scope.in_measure = false;
    dry_term v = dry_lang__scalar_expr(elab, call->arg[0], "a measured quantity");
    elab->scope.in_measure = true;
    if (v.bad) return v;
    if (row->n_args == 2) reducer.from = time_of(elab, call->arg[1]);
    if (call->from) reducer.from = time_of(elab, call->from);
    if (call->to) reducer.to = time_of(elab, call->to);
    const char *label = dry_diag_text(elab->diag, "#%d", elab->results.n_reducers + 1);
    reducer.output =
        row->condition
            ? condition_column(elab, label, v.one, &reducer.crossing)
            : dry_lang__add_output(
                  elab,
                  (dry_output_info){.name = label, .dim = v.dim, .node = v.one, .hidden = true});
    dry_dim dim = row->kind == DRY_COUNT_OF ? dry_dim_pure()
                  : row->condition          ? dry_dim_seconds(1.0)
                                            : dry_dim_combine(elab->dims, v.dim, 1.0,
                                                              dry_dim_seconds(row->integral), 1.0);
    reducer.slot = dry_lang_add_hidden(elab, label, dim, (double)NAN);
    dry_reducer *slot = DRY_GROW(elab->arena, &elab->results, reducer);
    if (!slot) return dry_lang__bad(elab);
    *slot = reducer;
    return dry_lang__scalar(elab, dry_dag_leaf(elab->dag, DRY_OP_PAR, reducer.slot), dim);
}

dry_term dry_lang__reduce(dry_elab *elab, const dry_expr *call, bool *is_reducer) {
    for (size_t i = 0; elab->scope.in_measure && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(call->text, rows[i].name) != 0 || call->n_keys) continue;
        if (call->n_args != rows[i].n_args) continue; /* max(a, b) is not a reducer */
        *is_reducer = true;
        if (call->from && !rows[i].span) {
            DRY_SAY(elab->diag, call->at, NO_SPAN, call->text);
            return dry_lang__bad(elab);
        }
        return reduce(elab, call, &rows[i]);
    }
    return dry_lang__bad(elab);
}

/* ---- times outside the run ---------------------------------------------------------------------
 */

/* Returns a time that is known before the run, or `otherwise` if there is none; NaN if only the run
 * determines the time. */
static double known_time(const dry_elab *elab, dry_node node, double otherwise) {
    double time = otherwise;
    if (node >= 0 && !dry_lang__peek(elab, node, &time)) return (double)NAN;
    return time;
}

static void say_outside(dry_elab *elab, const dry_reducer *r, double until, double from,
                        double to) {
    const char *length = dry_diag_number(elab->diag, until), *name = r->call->text;
    const char *asked = r->kind == DRY_AT
                            ? dry_diag_text(elab->diag, "t = %.6g s", from)
                            : dry_diag_text(elab->diag, "t = %.6g .. %.6g s", from, to);
    if (elab->options->run.until > 0.0)
        DRY_SAY(elab->diag, r->call->at, OUTSIDE_SET_RUN, length, name, asked);
    else
        DRY_SAY(elab->diag, r->call->at, OUTSIDE_RUN, length, name, asked);
    if (from > to) dry_diag_way_out(elab->diag, "put the earlier time first");
}

/* The length of the run; 0 if the text leaves it open. */
static double until_of(const dry_elab *elab) {
    const double set = elab->options->run.until;
    return set > 0.0 ? set : elab->run.until;
}

/* A run that the caller has cut short is still a run; it gets a warning. */
void dry_lang_check_times(dry_elab *elab) {
    const double until = until_of(elab);
    const double slack = 1e-9 * until;
    for (int i = 0; i < elab->results.n_reducers && until > 0.0; i++) {
        const dry_reducer *r = &elab->results.reducer[i];
        const double from = known_time(elab, r->from, 0.0);
        const double to = r->kind == DRY_AT ? from : known_time(elab, r->to, until);
        if (from > until + slack || to < -slack || from > to + slack)
            say_outside(elab, r, until, from, to);
    }
}

/* ---- measure and expect ------------------------------------------------------------------------
 */

/* Returns one number of the whole run, and reports if it depends on a state or on time. */
static dry_node run_number(dry_elab *elab, const dry_expr *expr, const char *what, dry_dim *dim) {
    dry_term v = dry_lang__scalar_expr(elab, expr, what);
    *dim = v.dim;
    if (v.bad) return 0;
    if (dry_dag_depends(elab->dag, v.one) & ~(unsigned)DRY_ON_PAR)
        DRY_SAY(elab->diag, expr->at, MEASURE_VARIES, what);
    return v.one;
}

static void measure(dry_elab *elab, const dry_stmt *stmt) {
    dry_symbol *symbol = dry_lang_find(elab, stmt->name);
    dry_dim dim;
    dry_node node = run_number(elab, stmt->value, "a measure", &dim);
    dry_measure_info *info = DRY_GROW(elab->arena, &elab->results, measure);
    if (!info) return;
    *info = (dry_measure_info){stmt->name, stmt->source, node, dim, stmt->at};
    if (symbol && symbol->kind == DRY_SYM_MEASURE) {
        symbol->value = dry_lang__scalar(elab, node, dim);
        symbol->progress = DRY_DONE;
    }
}

static void expect(dry_elab *elab, const dry_stmt *stmt) {
    dry_dim dim, target_dim, tolerance_dim;
    dry_expect_info info = {.source = stmt->source, .target = -1, .tolerance = -1, .at = stmt->at};
    info.value = run_number(elab, stmt->value, "an expectation", &dim);
    if (stmt->target) {
        info.target = run_number(elab, stmt->target, "an expected value", &target_dim);
        info.tolerance = run_number(elab, stmt->tolerance, "a tolerance", &tolerance_dim);
        dry_lang__same_dim(elab, stmt->target->at, "expected value", dim, target_dim);
        dry_lang__same_dim(elab, stmt->tolerance->at, "tolerance", dim, tolerance_dim);
    }
    dry_expect_info *slot = DRY_GROW(elab->arena, &elab->results, expect);
    if (slot) *slot = info;
}

/* ---- run --------------------------------------------------------------------------- */

static const char *method_text(dry_elab *elab, const dry_expr *expr) {
    if (expr->kind == DRY_EX_NAME || expr->kind == DRY_EX_TEXT) return expr->text;
    bool dashed = expr->kind == DRY_EX_BINARY && expr->text[0] == '-' &&
                  expr->arg[0]->kind == DRY_EX_NAME && expr->arg[1]->kind == DRY_EX_NAME;
    return dashed ? dry_diag_text(elab->diag, "%s-%s", expr->arg[0]->text, expr->arg[1]->text) : "";
}

static void run_method(dry_elab *elab, const dry_key *key) {
    const char *names[32];
    char all[400];
    int n = 0;
    const char *name = method_text(elab, key->value);
    const dry_method *row = dry_model_method_find(name);
    if (dry_method_found(row)) {
        elab->run.method = row;
        return;
    }
    for (; n < dry_model_method_count() && n < 32; n++) names[n] = dry_model_method_at(n)->name;
    DRY_SAY(elab->diag, key->value->at, UNKNOWN_METHOD, name,
            dry_diag_text(elab->diag, "%s", dry_model_method_names(all, sizeof all)));
    const char *nearest = dry_diag_nearest(name, names, n);
    if (nearest) dry_diag_mean(elab->diag, nearest);
}

/* Which methods use a key. */
typedef enum run_use { BY_ALL, BY_TOLERANCE, BY_SUBSTEPS } run_use;
typedef enum run_value { NUMBER, SECONDS, WHOLE } run_value;

typedef struct run_key {
    const char *name;
    size_t slot; /* in dry_run_options */
    run_use used;
    run_value kind;
    double low, high;
    const char *range;
    double zero; /* the value that means 0 in the options, if 0 there means "not given" */
    const char *meaning;
} run_key;

#define SLOT(name) offsetof(dry_run_options, name)
static const run_key run_keys[] = {
    {"until", SLOT(until), BY_ALL, SECONDS, 0.0, (double)INFINITY, "positive and finite", 0.0,
     "how long the run is, s"},
    {"step", SLOT(step), BY_ALL, SECONDS, 0.0, (double)INFINITY, "positive and finite", 0.0,
     "the step of a method with fixed steps, s"},
    {"record", SLOT(record), BY_ALL, SECONDS, 0.0, (double)INFINITY, "positive and finite", 0.0,
     "the time between two samples, s"},
    {"max_step", SLOT(max_step), BY_TOLERANCE, SECONDS, 0.0, (double)INFINITY,
     "positive and finite", 0.0, "the largest step of a method that chooses its steps, s"},
    {"max_steps", SLOT(max_steps), BY_ALL, NUMBER, 0.999, 1e18, "from 1 to 1e18", 0.0,
     "the limit of steps, default 1e9"},
    {"rtol", SLOT(rtol), BY_TOLERANCE, NUMBER, 0.0, (double)INFINITY, "positive and finite", 0.0,
     "the relative tolerance of a method that chooses its steps"},
    {"atol", SLOT(atol), BY_TOLERANCE, NUMBER, 0.0, (double)INFINITY, "positive and finite", 0.0,
     "the absolute tolerance of a method that chooses its steps"},
    {"P", SLOT(P), BY_SUBSTEPS, WHOLE, 0.999, 1e6, "a whole number from 1 to 1e6", 0.0,
     "substeps of friction of the methods split"},
    {"Q", SLOT(Q), BY_SUBSTEPS, WHOLE, 0.999, 1e6, "a whole number from 1 to 1e6", 0.0,
     "substeps of elasticity of the methods split"},
    {"alpha", SLOT(weight), BY_SUBSTEPS, NUMBER, -1e-300, 0.5000001, "from 0 to 1/2", -1.0,
     "the weight of the methods split, from 0 to 1/2"},
    {"method", 0, BY_ALL, NUMBER, 0.0, 0.0, "", 0.0,
     "how the equations are integrated, default rk4"},
};
enum { N_RUN_KEYS = sizeof run_keys / sizeof *run_keys, METHOD_KEY = N_RUN_KEYS - 1 };

bool dry_lang_run_key(int index, dry_word *word) {
    if (index < 0 || index >= N_RUN_KEYS) return false;
    *word =
        (dry_word){.text = run_keys[index].name, .form = "", .meaning = run_keys[index].meaning};
    return true;
}

static void unknown_run_key(dry_elab *elab, const dry_key *key) {
    const char *names[N_RUN_KEYS];
    for (int k = 0; k < N_RUN_KEYS; k++) names[k] = run_keys[k].name;
    dry_diag_unknown_key(elab->diag, key->at, "run", key->name, names, N_RUN_KEYS);
}

static void run_number_key(dry_elab *elab, const dry_key *key, const run_key *row) {
    dry_term v = dry_lang__scalar_expr(elab, key->value, key->name);
    double value = (double)NAN;
    if (v.bad) return;
    if (row->kind == SECONDS)
        dry_lang__same_dim(elab, key->at, key->name, v.dim, dry_dim_seconds(1.0));
    const bool good = dry_lang__known(elab, v.one, &value) && value > row->low && value < row->high;
    if (!good || (row->kind == WHOLE && value != floor(value)))
        DRY_SAY(elab->diag, key->at, KEY_RANGE, key->name, dry_diag_number(elab->diag, value),
                row->range);
    else
        *(double *)(void *)((char *)&elab->run + row->slot) = value != 0.0 ? value : row->zero;
}

static void run(dry_elab *elab, const dry_stmt *stmt) {
    for (int i = 0; i < stmt->n_keys; i++) {
        const dry_key *key = &stmt->key[i];
        int k = 0;
        while (k < N_RUN_KEYS && strcmp(key->name, run_keys[k].name) != 0) k++;
        if (k == N_RUN_KEYS)
            unknown_run_key(elab, key);
        else if (elab->run_line[k])
            DRY_SAY(elab->diag, key->at, RUN_TWICE, key->name,
                    dry_diag_text(elab->diag, "%d", elab->run_line[k]));
        else if (k == METHOD_KEY)
            run_method(elab, key);
        else
            run_number_key(elab, key, &run_keys[k]);
        if (k < N_RUN_KEYS) elab->run_line[k] = key->at.line;
    }
}

static bool uses(const dry_method *method, run_use use) {
    return use == BY_ALL || (use == BY_SUBSTEPS ? method->substeps : method->adaptive);
}

/* The methods that use it, as text. */
static const char *users(const dry_elab *elab, run_use use) {
    const char *text = "";
    for (int i = 0; i < dry_model_method_count(); i++) {
        const dry_method *method = dry_model_method_at(i);
        if (uses(method, use))
            text = dry_diag_text(elab->diag, "%s%s%s", text, *text ? ", " : "", method->name);
    }
    return text;
}

static void check_run_key(const dry_elab *elab, const dry_key *key) {
    const dry_method *method = dry_lang_method_row(elab);
    for (int k = 0; k < N_RUN_KEYS; k++)
        if (!strcmp(key->name, run_keys[k].name) && !uses(method, run_keys[k].used))
            DRY_SAY(elab->diag, key->at, RUN_KEY_IDLE, key->name, method->name,
                    users(elab, run_keys[k].used));
}

/* What the caller gives, which has no place in the text. */
static void check_given(const dry_elab *elab, const dry_method *method) {
    const char *given = (const char *)&elab->options->run;
    for (int k = 0; k < METHOD_KEY; k++)
        if (!uses(method, run_keys[k].used) &&
            *(const double *)(const void *)(given + run_keys[k].slot) != 0.0)
            DRY_SAY(elab->diag, (dry_place){0}, RUN_KEY_IDLE, run_keys[k].name, method->name,
                    users(elab, run_keys[k].used));
}

void dry_lang_check_run(const dry_elab *elab) {
    const dry_method *method = dry_lang_method_row(elab);
    if (!dry_method_found(method)) return;
    check_given(elab, method);
    if (elab->options->run.method) return;
    for (int i = 0; i < elab->tree.n; i++)
        for (int k = 0; k < elab->tree.stmt[i].n_keys && elab->tree.stmt[i].kind == DRY_ST_RUN; k++)
            check_run_key(elab, &elab->tree.stmt[i].key[k]);
}

dry_place dry_lang_run_place(const dry_elab *elab) {
    dry_place at = {0};
    for (int i = 0; i < elab->tree.n; i++)
        if (elab->tree.stmt[i].kind == DRY_ST_RUN) at = elab->tree.stmt[i].at;
    return at;
}

void dry_lang_measures(dry_elab *elab) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        elab->scope.in_measure = stmt->kind == DRY_ST_MEASURE || stmt->kind == DRY_ST_EXPECT;
        if (stmt->kind == DRY_ST_MEASURE)
            measure(elab, stmt);
        else if (stmt->kind == DRY_ST_EXPECT)
            expect(elab, stmt);
        else if (stmt->kind == DRY_ST_PLOT)
            dry_lang__plot(elab, stmt);
        else if (stmt->kind == DRY_ST_STOP)
            dry_lang__stop(elab, stmt);
        else if (stmt->kind == DRY_ST_RUN)
            run(elab, stmt);
        else if (stmt->kind == DRY_ST_MODEL) {
            elab->name = stmt->name;
            elab->title = stmt->title;
        }
    }
    elab->scope.in_measure = false;
    dry_lang_check_times(elab);
    dry_lang__check_panels(elab, until_of(elab));
}
