/* Bounds hold: no value that a graph takes falls outside. */
#include "unit.h"

#include "random_dag.h"
#include <math.h>
#include <stdlib.h>

enum { PLENTY = 1 << 20 };

/* Bounds are for finite numbers: true where a node or something it needs is not finite. */
static bool is_beyond(const dry_dag *dag, dry_node node, bool *tainted, double value) {
    const dry_node_view view = dry_dag_view(dag, node);
    tainted[node] = !isfinite(value);
    for (int i = 0; i < view.n_args; i++) tainted[node] |= tainted[view.args[i]];
    return tainted[node];
}

static bool is_block(dry_op op) { return op >= DRY_OP_SOLVE && op <= DRY_OP_LAW_START; }

static void check_values(const dry_dag *dag, const dry_interval *bounds, bool *tainted,
                         const double *par, double t, const double *x) {
    for (dry_node k = 0; k < dry_dag_count(dag); k++) {
        const dry_op op = dry_dag_view(dag, k).op;
        const double value = is_block(op) ? 0.0 : dry_dag_value(dag, k, par, t, x, NULL, 0);
        if (is_beyond(dag, k, tainted, value) || is_block(op)) continue;
        if (value < bounds[k].low || value > bounds[k].high)
            fail_msg("node %d (%s): %.17g outside [%.17g, %.17g]", k, dry_op_text(op), value,
                     bounds[k].low, bounds[k].high);
    }
}

static void check_pool(pool *p, double size) {
    double par[N_PAR], x[N_STATES];
    const int count = dry_dag_count(p->dag);
    dry_interval *bounds = malloc((size_t)count * sizeof *bounds);
    bool *tainted = malloc((size_t)count * sizeof *tainted);
    draw_numbers(p, par, N_PAR);
    for (dry_node k = 0; k < count; k++) {
        bounds[k] = dry_dag_bounds(p->dag, k, par);
        at_most(bounds[k].low, bounds[k].high);
    }
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < N_STATES; i++) x[i] = draw_between(p, -size, size);
        check_values(p->dag, bounds, tainted, par, draw_between(p, 0.0, size), x);
    }
    free(bounds);
    free(tainted);
}

static void values_stay_inside(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        pool p;
        dry_arena *arena = dry_arena_new(0);
        dry_dag *dag = dry_dag_new(arena, PLENTY);
        fill_pool(&p, dag, seed, 20 + (int)(seed % 60), seed % 2 ? NO_BLOCKS : TAME_BLOCKS);
        check_pool(&p, seed % 3 ? 2.0 : 1e3);
        dry_dag_free(dag);
        dry_arena_free(arena);
    }
}

/* ---- what a check of chi >= 0 needs to know ------------------------------------ */

typedef struct graph {
    dry_arena *arena;
    dry_dag *dag;
    dry_node x, t, mu;
} graph;

static graph open_graph(void) {
    graph g = {.arena = dry_arena_new(0)};
    g.dag = dry_dag_new(g.arena, PLENTY);
    g.x = dry_dag_leaf(g.dag, DRY_OP_STATE, 0);
    g.t = dry_dag_leaf(g.dag, DRY_OP_T, 0);
    g.mu = dry_dag_leaf(g.dag, DRY_OP_PAR, 0);
    return g;
}

static void close_graph(graph *g) {
    dry_dag_free(g->dag);
    dry_arena_free(g->arena);
}

static const double par[1] = {0.3};

static void expect_bounds(const graph *g, dry_node node, double low, double high) {
    const dry_interval bounds = dry_dag_bounds(g->dag, node, par);
    equal(bounds.low, low);
    equal(bounds.high, high);
}

static void signs_are_known(void **state) {
    (void)state;
    graph g = open_graph();
    const double inf = (double)INFINITY;
    const dry_node square = dry_dag_bin(g.dag, DRY_OP_MUL, g.x, g.x);
    const dry_node fourth = dry_dag_bin(g.dag, DRY_OP_POW, g.x, dry_dag_const(g.dag, 4.0));
    const dry_node sine = dry_dag_un(g.dag, DRY_OP_SIN, g.x);
    const dry_node shifted = dry_dag_bin(g.dag, DRY_OP_ADD, dry_dag_const(g.dag, 2.0), sine);
    const dry_node decay = dry_dag_un(g.dag, DRY_OP_EXP, dry_dag_un(g.dag, DRY_OP_NEG, square));
    expect_bounds(&g, square, 0.0, inf);
    expect_bounds(&g, fourth, 0.0, inf);
    expect_bounds(&g, shifted, 1.0, 3.0);
    expect_bounds(&g, g.t, 0.0, inf);
    expect_bounds(&g, g.x, -inf, inf);
    expect_bounds(&g, dry_dag_un(g.dag, DRY_OP_ABS, g.x), 0.0, inf);
    expect_bounds(&g, dry_dag_bin(g.dag, DRY_OP_SAT, g.mu, g.x), -0.3, 0.3);
    expect_bounds(&g, dry_dag_bin(g.dag, DRY_OP_MAX, dry_dag_const(g.dag, 0.0), g.x), 0.0, inf);
    expect_bounds(&g, dry_dag_bin(g.dag, DRY_OP_MUL, g.mu, square), 0.0, inf);
    const dry_interval decayed = dry_dag_bounds(g.dag, decay, par);
    equal(decayed.low, 0.0);
    at_least(decayed.high, 1.0);
    below(decayed.high, 1.0 + 1e-14);
    close_graph(&g);
}

/* mu N of a contact is a level; |f| <= F of the coulomb law that has it. */
static void forces_of_laws(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node K = dry_dag_const(g.dag, 1e4), s = dry_dag_const(g.dag, 0.01);
    const dry_block contact = {.law = dry_law_find("contact"), .dim = 0, .elements = 1};
    const dry_node pressed[] = {K, s, s, g.x, g.t, g.x};
    const dry_node N =
        dry_dag_pick(g.dag, dry_dag_block(g.dag, DRY_OP_LAW, contact, pressed, 6), 0);
    expect_bounds(&g, dry_dag_bin(g.dag, DRY_OP_MUL, g.mu, N), 0.0, (double)INFINITY);
    const dry_block coulomb = {.law = dry_law_find("coulomb"), .dim = 1, .elements = 1};
    const dry_node rubbed[] = {g.mu, K, s, g.x, g.t};
    const dry_node block = dry_dag_block(g.dag, DRY_OP_LAW, coulomb, rubbed, 5);
    expect_bounds(&g, dry_dag_pick(g.dag, block, 0), -0.3, 0.3);
    expect_bounds(&g, dry_dag_pick(g.dag, block, 1), -(double)INFINITY, (double)INFINITY);
    close_graph(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_inside),
        cmocka_unit_test(signs_are_known),
        cmocka_unit_test(forces_of_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
