/* Tables in the graph: derivatives against differences, bounds that hold and are narrow, the same
 * value from direct evaluation and from code. */
#include "unit.h"

#include "graph/graph.h"
#include "math/random.h"
#include <stdlib.h>

enum { KNOTS = 6, PLENTY = 1 << 16 };
static const double X[KNOTS] = {-1.0, -0.5, 0.0, 1.0, 1.5, 3.0};
static const double Y[KNOTS] = {2.0, 0.5, 1.0, 4.0, 4.0, -1.0};
static const double X2[2] = {0.0, 2.0};
static const double SURFACE[2 * KNOTS] = {0, 1, 2, 1, -1, 3, 0, 0, 5, 2, 1, 1};

typedef struct graph {
    dry_arena *arena;
    dry_dag *dag;
    dry_node x, y;
} graph;

static graph open_graph(void) {
    graph g = {.arena = dry_arena_new(0)};
    g.dag = dry_dag_new(g.arena, PLENTY);
    assert_non_null(g.dag);
    g.x = dry_dag_leaf(g.dag, DRY_OP_STATE, 0);
    g.y = dry_dag_leaf(g.dag, DRY_OP_STATE, 1);
    return g;
}

static void close_graph(graph *g) {
    dry_dag_free(g->dag);
    dry_arena_free(g->arena);
}

static dry_node call(const graph *g, const dry_table *table, dry_node a, dry_node b) {
    return dry_dag_pick(g->dag, dry_dag_table(g->dag, table, (dry_node[]){a, b}), 0);
}

static double at(const graph *g, dry_node node, double x, double y) {
    return dry_dag_value(g->dag, node, NULL, 0.0, (double[]){x, y}, NULL, 0);
}

/* Of each kind a table, and whether its ends are held or go on. */
static dry_table kind_of(int i, double *slope) {
    dry_table table = {.extended = i % 2, .n = KNOTS, .x = X, .y = i / 2 == 2 ? SURFACE : Y};
    if (i / 2 == 1) {
        dry_table_monotone(KNOTS, X, Y, slope);
        table.cubic = true;
        table.slope = slope;
    }
    if (i / 2 == 2) {
        table.n2 = 2;
        table.x2 = X2;
    }
    return table;
}

enum { KINDS = 6, DRAWS = 400 };

static bool beside_knot(double x) {
    for (int i = 0; i < KNOTS; i++)
        if (fabs(x - X[i]) < 1e-3) return true;
    return false;
}

/* First and second derivatives of a table of a function of the states. */
static void derivatives_are_differences(void **state) {
    (void)state;
    random_source source = {3};
    double slope[KNOTS];
    for (int i = 0; i < KINDS; i++) {
        const dry_table table = kind_of(i, slope);
        graph g = open_graph();
        const dry_node inner = dry_dag_bin(g.dag, DRY_OP_MUL, dry_dag_const(g.dag, 0.5), g.x);
        const dry_node node = call(&g, &table, inner, g.y);
        const dry_node d = dry_dag_diff(g.dag, node, g.x, NULL, 0);
        const dry_node d2 = dry_dag_diff(g.dag, d, g.x, NULL, 0);
        const dry_node dy = dry_dag_diff(g.dag, d, g.y, NULL, 0);
        for (int trial = 0; trial < DRAWS; trial++) {
            const double x = random_between(&source, -4.0, 8.0), h = 1e-5;
            const double y = random_between(&source, 0.1, 1.9);
            if (beside_knot(0.5 * x)) continue;
            near((at(&g, node, x + h, y) - at(&g, node, x - h, y)) / (2 * h), at(&g, d, x, y),
                 1e-8);
            near((at(&g, d, x + h, y) - at(&g, d, x - h, y)) / (2 * h), at(&g, d2, x, y), 1e-8);
            near((at(&g, d, x, y + h) - at(&g, d, x, y - h)) / (2 * h), at(&g, dy, x, y), 1e-8);
        }
        close_graph(&g);
    }
}

/* sat(Z, x) brings the argument into a range, over which no value and no slope is beyond the
 * bounds. */
static void bounds_hold(void **state) {
    (void)state;
    random_source source = {5};
    double slope[KNOTS];
    for (int i = 0; i < KINDS; i++) {
        const dry_table table = kind_of(i, slope);
        for (int trial = 0; trial < 60; trial++) {
            graph g = open_graph();
            const dry_node range = dry_dag_const(g.dag, random_between(&source, 0.01, 5.0));
            const dry_node inner = dry_dag_bin(g.dag, DRY_OP_SAT, range, g.x);
            const dry_node shift = dry_dag_const(g.dag, random_between(&source, -2.0, 3.0));
            const dry_node arg = dry_dag_bin(g.dag, DRY_OP_ADD, inner, shift);
            const dry_node other = dry_dag_bin(g.dag, DRY_OP_SAT, range, g.y);
            const dry_node node = call(&g, &table, arg, other);
            const dry_node steep =
                dry_dag_pick(g.dag, dry_dag_args(g.dag, node)[0], 1); /* its slope */
            const dry_interval value = dry_dag_bounds(g.dag, node, NULL);
            const dry_interval rate = dry_dag_bounds(g.dag, steep, NULL);
            for (int k = 0; k < 40; k++) {
                const double x = random_between(&source, -6.0, 6.0);
                const double y = random_between(&source, -6.0, 6.0);
                at_least(at(&g, node, x, y), value.low);
                at_most(at(&g, node, x, y), value.high);
                at_least(at(&g, steep, x, y), rate.low);
                at_most(at(&g, steep, x, y), rate.high);
            }
            close_graph(&g);
        }
    }
}

/* A table that is held reaches from its least to its largest value, and one that is not negative
 * stays so. */
static void bounds_are_narrow(void **state) {
    (void)state;
    const double positive[KNOTS] = {1.0, 0.0, 2.0, 0.0, 0.0, 3.0};
    const dry_table table = {.n = KNOTS, .x = X, .y = Y},
                    floor = {.n = KNOTS, .x = X, .y = positive};
    graph g = open_graph();
    const dry_interval all = dry_dag_bounds(g.dag, call(&g, &table, g.x, g.y), NULL);
    equal(all.low, -1.0);
    equal(all.high, 4.0);
    const dry_interval part =
        dry_dag_bounds(g.dag, call(&g, &table, dry_dag_un(g.dag, DRY_OP_SIN, g.x), g.y), NULL);
    equal(part.low, 0.5);
    equal(part.high, 4.0);
    equal(dry_dag_bounds(g.dag, call(&g, &floor, g.x, g.y), NULL).low, 0.0);
    close_graph(&g);
}

/* The code gives the bits of direct evaluation, also for the switching functions. */
static void code_computes_it(void **state) {
    (void)state;
    double slope[KNOTS];
    random_source source = {11};
    for (int i = 0; i < KINDS; i++) {
        const dry_table table = kind_of(i, slope);
        graph g = open_graph();
        const dry_node value = call(&g, &table, g.x, g.y);
        const dry_node roots[3] = {value, dry_dag_diff(g.dag, value, g.x, NULL, 0),
                                   dry_dag_bin(g.dag, DRY_OP_ADD, value, g.y)};
        const dry_section section = {"roots", roots, 3, false, 0};
        dry_image *image = dry_image_new(g.dag, (dry_image_sizes){0, 2, 0}, &section, 1);
        assert_non_null(image);
        double *work = calloc(1, dry_image_work_size(image));
        dry_image_prepare(image, NULL, work);
        for (int trial = 0; trial < DRAWS; trial++) {
            const double x[2] = {random_between(&source, -3.0, 5.0),
                                 random_between(&source, -1.0, 3.0)};
            double out[3];
            dry_image_run(image, 0, 0.0, 0.0, x, out, work);
            for (int k = 0; k < 3; k++) same_bits(out[k], at(&g, roots[k], x[0], x[1]));
        }
        free(work);
        dry_image_free(image);
        close_graph(&g);
    }
}

/* Two graphs with tables of equal numbers are equal; one number apart they are not. */
static void equal_by_numbers(void **state) {
    (void)state;
    double copy[KNOTS];
    memcpy(copy, Y, sizeof copy);
    const dry_table a = {.n = KNOTS, .x = X, .y = Y}, b = {.n = KNOTS, .x = X, .y = copy};
    graph g = open_graph(), h = open_graph();
    call(&g, &a, g.x, g.y);
    call(&h, &b, h.x, h.y);
    assert_true(dry_dag_equal(g.dag, h.dag));
    copy[3] = nextafter(copy[3], 9.0);
    assert_false(dry_dag_equal(g.dag, h.dag));
    close_graph(&g);
    close_graph(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_differences),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(bounds_are_narrow),
        cmocka_unit_test(code_computes_it),
        cmocka_unit_test(equal_by_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
