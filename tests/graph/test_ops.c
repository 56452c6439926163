/* The rows of ops.def: each is complete, and what it says about values, derivatives, bounds, kinks
 * and jumps is true. */
#include "unit.h"

#include "graph/ops.h"
#include "random_dag.h"
#include <drystone/base.h>
#include <drystone/native.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLENTY = 1 << 20, FIRST = DRY_OP_NEG, LAST = DRY_OP_OR };

/* ---- a row is complete ------------------------------------------------------------ */

/* What every function must say; `jumps` as a whole is below. */
static const char *missing_of_function(const dry_op_row *row) {
    if (!row->takes) return "takes";
    if (!row->gives) return "gives";
    if (!row->form) return "form";
    if (!row->meaning) return "meaning";
    if (!row->library) return "library";
    if (!row->latex) return "latex";
    if (!row->mathml) return "mathml";
    if (!row->foreign) return "foreign";
    if (!row->hint || !*row->hint != !*row->foreign) return "hint";
    const bool said = row->switches || row->beat;
    return (row->course == DRY_SMOOTH) == said ? "switches" : NULL;
}

/* The first entry that is missing, or NULL. */
static const char *missing(const dry_op_row *row) {
    if (!row->text) return "text";
    if (!row->value) return "value";
    if (row->n_args != 1 && row->n_args != 2) return "n_args";
    if (row->cost <= 0) return "cost";
    if (!row->derivative) return "derivative";
    if (!row->bounds.one) return "bounds";
    if (!row->course) return "course";
    return dry_op_is_function(row) ? missing_of_function(row) : NULL;
}

static void every_row_is_complete(void **state) {
    (void)state;
    int functions = 0;
    for (int op = FIRST; op <= LAST; op++) {
        const char *what = missing(&dry_op_rows[op]);
        if (what) fail_msg("row %s of ops.def lacks .%s", dry_op_text((dry_op)op), what);
        functions += dry_op_is_function(&dry_op_rows[op]);
    }
    at_least(functions, 26);
}

/* The test above can fail: an entry that is taken out is missed. */
static void what_is_left_out_is_missed(void **state) {
    (void)state;
    const dry_op_row whole = dry_op_rows[DRY_OP_MOD];
#define WITHOUT(entry)                                                                             \
    do {                                                                                           \
        dry_op_row row = whole;                                                                    \
        row.entry = 0;                                                                             \
        assert_string_equal(missing(&row), #entry);                                                \
    } while (0)
    WITHOUT(text);
    WITHOUT(value);
    WITHOUT(n_args);
    WITHOUT(cost);
    WITHOUT(derivative);
    WITHOUT(course);
    WITHOUT(takes);
    WITHOUT(gives);
    WITHOUT(form);
    WITHOUT(meaning);
    WITHOUT(library);
    WITHOUT(latex);
    WITHOUT(mathml);
    WITHOUT(foreign);
    WITHOUT(hint);
#undef WITHOUT
    dry_op_row row = whole;
    row.beat = NULL;
    assert_string_equal(missing(&row), "switches");
    row = whole;
    row.bounds.one = NULL;
    assert_string_equal(missing(&row), "bounds");
}

static void names_are_used_once(void **state) {
    (void)state;
    for (int op = FIRST; op <= LAST; op++) {
        const dry_op_row *row = &dry_op_rows[op];
        if (!dry_op_is_function(row)) continue;
        assert_ptr_equal(dry_op_find(row->text), row);
        assert_null(dry_op_foreign(row->text));
        char list[128];
        below((size_t)snprintf(list, sizeof list, "%s", row->foreign), sizeof list);
        for (char *name = strtok(list, " "); name; name = strtok(NULL, " ")) {
            assert_ptr_equal(dry_op_foreign(name), row);
            assert_null(dry_op_find(name));
        }
    }
    assert_null(dry_op_find("side"));
    assert_null(dry_op_foreign("sin"));
    assert_null(dry_op_foreign(""));
}

/* What a model may define anew is printed by its name, for it may be something else there. */
static void what_yields_is_printed_by_its_name(void **state) {
    (void)state;
    for (int op = FIRST; op <= LAST; op++) {
        const dry_op_row *row = &dry_op_rows[op];
        if (row->yields) {
            assert_non_null(strstr(row->latex, "%t"));
            assert_non_null(strstr(row->mathml, "%t"));
        }
    }
}

static bool is_in_library(const char *word, size_t length) {
    const char *name;
    int n_args;
    for (int i = 0; (name = dry_c_library(i, &n_args)); i++)
        if (strlen(name) == length && !memcmp(name, word, length)) return true;
    return false;
}

/* Native code declares what values call, and nothing else is there. */
static void values_call_what_is_declared(void **state) {
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    for (int op = FIRST; op <= LAST; op++) {
        const char *at = dry_op_rows[op].value;
        while (*at) {
            const size_t n = strspn(at, letters);
            const bool calls = n && at[n] == '(', own = n > 4 && !memcmp(at, "dry_", 4);
            if (calls && !own && !is_in_library(at, n))
                fail_msg("%s calls %.*s, which is in no .library", dry_op_text((dry_op)op), (int)n,
                         at);
            at += n ? n : 1;
        }
    }
}

/* docs/language.md lists every function in the line of functions of numbers. */
static void functions_are_documented(void **state) {
    (void)state;
    char *text, word[32];
    size_t length;
    assert_int_equal(dry_file_read(DRY_SOURCE_DIR "/docs/language.md", 0, &text, &length, NULL),
                     DRY_OK);
    char *line = strstr(text, "\n| of numbers |");
    assert_non_null(line);
    line[1 + strcspn(line + 1, "\n")] = '\0';
    for (int op = FIRST; op <= LAST; op++) {
        const dry_op_row *row = &dry_op_rows[op];
        if (!dry_op_is_function(row)) continue;
        bool found = false;
        for (const char *before = " `"; *before; before++)
            for (const char *after = " `("; *after; after++) {
                snprintf(word, sizeof word, "%c%s%c", *before, row->text, *after);
                found = found || strstr(line, word);
            }
        if (!found) fail_msg("docs/language.md does not list %s", row->text);
    }
    free(text);
}

/* ---- values ------------------------------------------------------------------------ */

static double value(dry_op op, double a, double b) {
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0), y = dry_dag_leaf(dag, DRY_OP_STATE, 1);
    const dry_node node =
        dry_op_rows[op].n_args == 1 ? dry_dag_un(dag, op, x) : dry_dag_bin(dag, op, x, y);
    const double result = dry_dag_value(dag, node, NULL, 0.0, (double[]){a, b}, NULL, 0);
    dry_dag_free(dag);
    dry_arena_free(arena);
    return result;
}

/* From their definitions; erf from Abramowitz and Stegun, table 7.1. */
static void values_are_known(void **state) {
    (void)state;
    const double below_half = nextafter(0.5, 0.0);
    const struct {
        dry_op op;
        double a, b, value, error;
    } rows[] = {
        {DRY_OP_SIGN, -3.0, 0.0, -1.0, 0.0},
        {DRY_OP_SIGN, 0.0, 0.0, 0.0, 0.0},
        {DRY_OP_SIGN, -0.0, 0.0, 0.0, 0.0},
        {DRY_OP_SIGN, 1e-308, 0.0, 1.0, 0.0},
        {DRY_OP_MOD, 5.5, 2.0, 1.5, 0.0},
        {DRY_OP_MOD, -1.0, 3.0, 2.0, 0.0},
        {DRY_OP_MOD, 5.0, -3.0, -1.0, 0.0},
        {DRY_OP_MOD, -5.0, -3.0, -2.0, 0.0},
        {DRY_OP_MOD, -6.0, 3.0, 0.0, 0.0},
        {DRY_OP_MOD, 6.0, -3.0, 0.0, 0.0},
        {DRY_OP_MOD, 1e300, 7.0, fmod(1e300, 7.0), 0.0},
        {DRY_OP_MOD, -1e-300, 1e-200, 1e-200, 0.0},
        {DRY_OP_CEIL, 2.0, 0.0, 2.0, 0.0},
        {DRY_OP_CEIL, 2.1, 0.0, 3.0, 0.0},
        {DRY_OP_CEIL, -2.9, 0.0, -2.0, 0.0},
        {DRY_OP_ROUND, 2.5, 0.0, 3.0, 0.0},
        {DRY_OP_ROUND, -2.5, 0.0, -3.0, 0.0},
        {DRY_OP_ROUND, below_half, 0.0, 0.0, 0.0},
        {DRY_OP_LOG10, 1e5, 0.0, 5.0, 1e-15},
        {DRY_OP_LOG10, 0.01, 0.0, -2.0, 1e-15},
        {DRY_OP_CBRT, 27.0, 0.0, 3.0, 1e-15},
        {DRY_OP_CBRT, -0.001, 0.0, -0.1, 1e-16},
        {DRY_OP_ERF, 0.0, 0.0, 0.0, 0.0},
        {DRY_OP_ERF, 0.5, 0.0, 0.5204998778, 5e-11},
        {DRY_OP_ERF, -2.0, 0.0, -0.9953222650, 5e-11},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double found = value(rows[i].op, rows[i].a, rows[i].b);
        if (!(fabs(found - rows[i].value) <= rows[i].error))
            fail_msg("%s(%g, %g) is %.17g, not %.17g", dry_op_text(rows[i].op), rows[i].a,
                     rows[i].b, found, rows[i].value);
    }
}

/* mod(a, b) = a - b n with a whole n, between 0 and b. */
static void remainders_are_between(void **state) {
    (void)state;
    pool p = {.seed = 5};
    for (int i = 0; i < 20000; i++) {
        const double b = draw_between(&p, -3.0, 3.0), a = draw_between(&p, -50.0, 50.0);
        const double r = value(DRY_OP_MOD, a, b);
        at_least(b > 0.0 ? r : -r, 0.0);
        at_most(b > 0.0 ? r : -r, fabs(b));
        const double n = (a - r) / b;
        closer(n, round(n), 1e-12 * (1.0 + fabs(n)));
    }
}

/* ---- derivatives ------------------------------------------------------------------- */

typedef struct graph {
    dry_arena *arena;
    dry_dag *dag;
    dry_node x, y, node;
} graph;

static graph open_graph(dry_op op) {
    graph g = {.arena = dry_arena_new(0)};
    g.dag = dry_dag_new(g.arena, PLENTY);
    g.x = dry_dag_leaf(g.dag, DRY_OP_STATE, 0);
    g.y = dry_dag_leaf(g.dag, DRY_OP_STATE, 1);
    g.node =
        dry_op_rows[op].n_args == 1 ? dry_dag_un(g.dag, op, g.x) : dry_dag_bin(g.dag, op, g.x, g.y);
    return g;
}

static void close_graph(graph *g) {
    dry_dag_free(g->dag);
    dry_arena_free(g->arena);
}

static double at(const graph *g, dry_node node, double x, double y) {
    return dry_dag_value(g->dag, node, NULL, 0.0, (double[]){x, y}, NULL, 0);
}

/* Along (dx, dy); the error of the last of three differences is about h^2/16 of the first. */
static bool differences_tell(const graph *g, double x, double y, double dx, double dy,
                             double *slope) {
    double told[3];
    for (int i = 0; i < 3; i++) {
        const double h = ldexp(1e-4, -i);
        told[i] =
            (at(g, g->node, x + h * dx, y + h * dy) - at(g, g->node, x - h * dx, y - h * dy)) /
            (2.0 * h);
    }
    *slope = told[2];
    const double size = 1.0 + fabs(told[2]);
    return fabs(told[0] - told[1]) < 1e-5 * size && fabs(told[1] - told[2]) < 1e-5 * size;
}

static void derivatives_are_those_of_differences(void **state) {
    (void)state;
    pool p = {.seed = 3};
    for (int op = FIRST; op <= LAST; op++) {
        graph g = open_graph((dry_op)op);
        const dry_node by_x = dry_dag_diff(g.dag, g.node, g.x, NULL, 0);
        const dry_node by_y = dry_dag_diff(g.dag, g.node, g.y, NULL, 0);
        int told = 0;
        for (int i = 0; i < 400; i++) {
            const double x = draw_between(&p, -3.0, 3.0), size = draw_between(&p, 0.3, 3.0);
            const double y = draw_below(&p, 2) ? size : -size; /* no jumps side by side */
            double slope;
            for (int k = 0; k < dry_op_rows[op].n_args; k++) {
                if (!differences_tell(&g, x, y, k == 0, k == 1, &slope)) continue;
                const double exact = at(&g, k == 0 ? by_x : by_y, x, y);
                if (!(fabs(exact - slope) < 1e-4 * (1.0 + fabs(slope))))
                    fail_msg("%s at %g, %g: %.12g, differences %.12g", dry_op_text((dry_op)op), x,
                             y, exact, slope);
                told++;
            }
        }
        if (told < 100) fail_msg("%s: told at %d points", dry_op_text((dry_op)op), told);
        close_graph(&g);
    }
}

/* ---- bounds ------------------------------------------------------------------------ */

static dry_interval draw_interval(pool *p) {
    static const double sizes[] = {0.5, 3.0, 40.0, 1e5};
    const double size = sizes[draw_below(p, 4)];
    double a = draw_between(p, -size, size), b = draw_between(p, -size, size);
    if (draw_below(p, 6) == 0) a = 0.0;
    if (draw_below(p, 8) == 0) b = a;
    if (draw_below(p, 8) == 0) a = floor(a), b = ceil(b);
    return a < b ? (dry_interval){a, b} : (dry_interval){b, a};
}

static double draw_inside(pool *p, dry_interval a) {
    const int dice = draw_below(p, 6);
    if (dice == 0) return a.low;
    if (dice == 1) return a.high;
    const double x = draw_between(p, a.low, a.high);
    const double whole = floor(x);
    return dice == 2 && whole >= a.low ? whole : x;
}

static void values_are_inside_bounds(void **state) {
    (void)state;
    pool p = {.seed = 11};
    for (int op = FIRST; op <= LAST; op++) {
        const dry_op_row *row = &dry_op_rows[op];
        graph g = open_graph((dry_op)op);
        int told = 0;
        for (int i = 0; i < 3000; i++) {
            const dry_interval a = draw_interval(&p), b = draw_interval(&p);
            const dry_interval bounds =
                row->n_args == 1 ? row->bounds.one(a) : row->bounds.two(a, b);
            at_most(bounds.low, bounds.high);
            for (int k = 0; k < 8; k++) {
                const double x = draw_inside(&p, a), y = draw_inside(&p, b);
                const double v = at(&g, g.node, x, y);
                if (!isfinite(v)) continue;
                told++;
                if (v < bounds.low || v > bounds.high)
                    fail_msg("%s(%.17g, %.17g) = %.17g outside [%.17g, %.17g]", row->text, x, y, v,
                             bounds.low, bounds.high);
            }
        }
        above(told, 5000);
        close_graph(&g);
    }
}

/* Bounds that say nothing hold, too: these must be as narrow as they can. */
static void bounds_are_narrow(void **state) {
    (void)state;
    const double inf = (double)INFINITY;
    const dry_interval all = {-inf, inf}, one = {1.0, 1.0}, three = {3.0, 3.0};
    const struct {
        dry_interval found, best;
        double room;
    } rows[] = {
        {dry_op_rows[DRY_OP_SIGN].bounds.one(all), {-1.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_SIGN].bounds.one((dry_interval){0.0, inf}), {0.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_MOD].bounds.two(all, three), {0.0, 3.0}, 0.0},
        {dry_op_rows[DRY_OP_MOD].bounds.two(all, (dry_interval){-3.0, -2.0}), {-3.0, 0.0}, 0.0},
        {dry_op_rows[DRY_OP_MOD].bounds.two(one, three), {1.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_MOD].bounds.two((dry_interval){0.0, 2.0}, one), {0.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_CEIL].bounds.one((dry_interval){0.5, 1.5}), {1.0, 2.0}, 0.0},
        {dry_op_rows[DRY_OP_ROUND].bounds.one((dry_interval){0.5, 1.4}), {1.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_LOG10].bounds.one((dry_interval){1.0, 100.0}), {0.0, 2.0}, 1e-14},
        {dry_op_rows[DRY_OP_CBRT].bounds.one((dry_interval){-8.0, 27.0}), {-2.0, 3.0}, 1e-14},
        {dry_op_rows[DRY_OP_ERF].bounds.one(all), {-1.0, 1.0}, 0.0},
        {dry_op_rows[DRY_OP_ERF].bounds.one((dry_interval){0.0, inf}), {0.0, 1.0}, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(fabs(rows[i].found.low - rows[i].best.low) <= rows[i].room &&
              fabs(rows[i].found.high - rows[i].best.high) <= rows[i].room))
            fail_msg("row %d: [%g, %g]", (int)i, rows[i].found.low, rows[i].found.high);
}

/* ---- kinks and jumps --------------------------------------------------------------- */

enum { STEPS = 4000 };

/* What a walk along a straight line has met. */
typedef struct met {
    int jumps;  /* of the value */
    int missed; /* of them, without a change of sign of a switching function */
    int idle;   /* changes of sign without a jump of the value */
} met;

static double sign(double x) { return (double)((x > 0.0) - (x < 0.0)); }

static met walk(const graph *g, const dry_op_row *row, double y) {
    dry_node on[DRY_MOST_SWITCHES];
    const int n = dry_op_find_switches(g->dag, row, (dry_node[]){g->x, g->y}, on);
    met m = {0};
    double side[DRY_MOST_SWITCHES] = {0.0}, last = 0.0;
    const double from = isfinite(at(g, g->node, -0.5, y)) ? -4.0 : 0.5; /* log, sqrt */
    for (int i = 0; i <= STEPS; i++) {
        const double x = from + 8.0 * (i + 0.37) / STEPS, v = at(g, g->node, x, y);
        bool crossed = false;
        for (int k = 0; k < n; k++) {
            const double now = sign(at(g, on[k], x, y));
            crossed = crossed || (i && now != side[k]);
            side[k] = now;
        }
        const bool jumped = i && fabs(v - last) > 0.3;
        m.jumps += jumped;
        m.missed += jumped && !crossed;
        m.idle += crossed && !jumped;
        last = v;
    }
    return m;
}

/* Where a function jumps its switching functions say so, where they say so it jumps, and one that
 * is not said to jump does not. Left out are poles, the cut of atan2, and sat(Z, x), whose Z is not
 * negative. */
static void jumps_are_where_rows_say(void **state) {
    (void)state;
    int jumping = 0;
    for (int op = FIRST; op <= LAST; op++) {
        const dry_op_row *row = &dry_op_rows[op];
        const bool out = op == DRY_OP_TAN || op == DRY_OP_ATAN2 || op == DRY_OP_SAT;
        if (!dry_op_is_function(row) || out) continue;
        for (int k = 0; k < 2; k++) {
            graph g = open_graph((dry_op)op);
            const met m = walk(&g, row, k ? 0.7 : -1.3);
            const bool says = row->course == DRY_JUMPS;
            if ((m.jumps > 0) != says || m.missed || (says && m.idle))
                fail_msg("%s: %d jumps, %d missed, %d idle", row->text, m.jumps, m.missed, m.idle);
            close_graph(&g);
        }
        jumping += row->course == DRY_JUMPS;
    }
    at_least(jumping, 5);
}

/* A wave is 0 exactly at the multiples, however many. */
static void multiples_are_met_exactly(void **state) {
    (void)state;
    graph g = open_graph(DRY_OP_FLOOR);
    dry_node wave;
    assert_int_equal(dry_op_find_switches(g.dag, &dry_op_rows[DRY_OP_FLOOR], &g.x, &wave), 1);
    for (double n = -3.0; n < 1e15; n = 7.0 * n + 30.0) {
        equal(at(&g, wave, n, 0.0), 0.0);
        const double above = at(&g, wave, nextafter(n, 1e300), 0.0),
                     below = at(&g, wave, nextafter(n, -1e300), 0.0);
        below(above * below, 0.0);
    }
    close_graph(&g);
}

/* ---- chatter ----------------------------------------------------------------------- */

/* Runs a model by an adaptive method; where it ends. */
static dry_status run_to_end(const dry_model *model, const dry_method *method, double *t) {
    const dry_system *system = dry_model_system(model);
    const dry_ode_options options = {.rtol = 1e-6, .atol = 1e-9, .step = 0.0};
    dry_ode ode;
    double *work = calloc(dry_ode_size(system, method), sizeof *work);
    void *scratch = calloc(1, system->work_size + 1);
    dry_status status =
        dry_ode_init(&ode, system, method, &options, NULL, 0.0, NULL, scratch, work);
    if (status == DRY_OK) status = dry_ode_advance(&ode, 10.0);
    *t = status == DRY_OK ? ode.t : ode.fault.t;
    free(work);
    free(scratch);
    return status;
}

/* Each function that jumps drives x back to its jump, from both sides. Where an adaptive method
 * knows the jump it ends there: the time is that of the way up to it. */
static void chatter_is_found(void **state) {
    (void)state;
    static const struct {
        dry_op op;
        const char *start, *rate;
        double t;
    } rows[] = {
        {DRY_OP_SIGN, "1", "-sign(x)", 1.0},
        {DRY_OP_FLOOR, "-0.5", "-1 - 2*floor(x)", 0.5},
        {DRY_OP_CEIL, "-0.5", "1 - 2*ceil(x)", 0.5},
        {DRY_OP_ROUND, "-0.5", "1 - 2*round(x + 0.5)", 0.5},
        {DRY_OP_MOD, "-0.25", "2*mod(x, 1) - 1", 0.34657359027997264}, /* 2 x + 1 = e^(2 t)/2 */
    };
    int jumping = 0;
    for (int op = FIRST; op <= LAST; op++)
        jumping += dry_op_rows[op].kind == DRY_FUNCTION && dry_op_rows[op].course == DRY_JUMPS;
    assert_int_equal(jumping, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        char text[128];
        const int n = snprintf(text, sizeof text, "state x = %s\nx' = (%s)/1 [s]\n",
                               rows[i / 2].start, rows[i / 2].rate);
        dry_model *model = dry_model_compile(NULL, text, (size_t)n, NULL);
        assert_non_null(model);
        assert_true(dry_model_ok(model));
        double t;
        const dry_method *method = dry_method_find(i % 2 ? "dop853" : "dopri5");
        const dry_status status = run_to_end(model, method, &t);
        if (status != DRY_STEP_COLLAPSED || !(fabs(t - rows[i / 2].t) < 1e-3))
            fail_msg("%s by %s: %s at %g", rows[i / 2].rate, method->name, dry_status_text(status),
                     t);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(what_is_left_out_is_missed),
        cmocka_unit_test(names_are_used_once),
        cmocka_unit_test(what_yields_is_printed_by_its_name),
        cmocka_unit_test(values_call_what_is_declared),
        cmocka_unit_test(functions_are_documented),
        cmocka_unit_test(values_are_known),
        cmocka_unit_test(remainders_are_between),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(values_are_inside_bounds),
        cmocka_unit_test(bounds_are_narrow),
        cmocka_unit_test(jumps_are_where_rows_say),
        cmocka_unit_test(multiples_are_met_exactly),
        cmocka_unit_test(chatter_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
