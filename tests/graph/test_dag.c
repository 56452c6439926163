/* Building the graph: equal nodes are one, constants fold, identities hold, references resolve. */
#include "unit.h"

#include "random_dag.h"
#include <math.h>
#include <stdlib.h>

enum { PLENTY = 1 << 22 };

typedef struct graph {
    dry_arena *arena;
    dry_dag *dag;
    dry_node x, y;
} graph;

static graph open_graph(int limit) {
    graph g = {.arena = dry_arena_new(0)};
    g.dag = dry_dag_new(g.arena, limit);
    g.x = dry_dag_leaf(g.dag, DRY_OP_STATE, 0);
    g.y = dry_dag_leaf(g.dag, DRY_OP_STATE, 1);
    return g;
}

static void close_graph(graph *g) {
    dry_dag_free(g->dag);
    dry_arena_free(g->arena);
}

static dry_node num(graph *g, double value) { return dry_dag_const(g->dag, value); }
static dry_node bin(graph *g, dry_op op, dry_node a, dry_node b) {
    return dry_dag_bin(g->dag, op, a, b);
}
static dry_node neg(graph *g, dry_node a) { return dry_dag_un(g->dag, DRY_OP_NEG, a); }

static void equal_nodes_are_one(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    assert_int_equal(num(&g, 0.0), 0);
    const dry_node product = bin(&g, DRY_OP_MUL, g.x, g.y);
    const int count = dry_dag_count(g.dag);
    assert_int_equal(product, bin(&g, DRY_OP_MUL, g.y, g.x));
    assert_int_equal(count, dry_dag_count(g.dag));
    assert_int_not_equal(num(&g, 0.0), num(&g, -0.0));
    assert_int_not_equal(bin(&g, DRY_OP_SUB, g.x, g.y), bin(&g, DRY_OP_SUB, g.y, g.x));
    const dry_node args[] = {g.x, g.y, g.y, num(&g, 3.0), g.x, g.y};
    const dry_block two = {.dim = 2, .elements = 1};
    const dry_node block = dry_dag_block(g.dag, DRY_OP_SOLVE, two, args, 6);
    assert_int_equal(block, dry_dag_block(g.dag, DRY_OP_SOLVE, two, args, 6));
    assert_int_equal(dry_dag_results(g.dag, block), 2);
    assert_int_equal(dry_dag_pick(g.dag, block, 1), dry_dag_pick(g.dag, block, 1));
    close_graph(&g);
}

static void identities(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    const dry_node zero = num(&g, 0.0), one = num(&g, 1.0), two = num(&g, 2.0), x = g.x, y = g.y;
    const dry_node square = bin(&g, DRY_OP_MUL, x, x);
    const struct {
        dry_node found, expected;
    } rows[] = {
        {bin(&g, DRY_OP_ADD, x, zero), x},
        {bin(&g, DRY_OP_ADD, zero, x), x},
        {bin(&g, DRY_OP_SUB, x, zero), x},
        {bin(&g, DRY_OP_SUB, zero, x), neg(&g, x)},
        {bin(&g, DRY_OP_SUB, x, x), zero},
        {bin(&g, DRY_OP_MUL, x, one), x},
        {bin(&g, DRY_OP_MUL, zero, x), zero},
        {bin(&g, DRY_OP_MUL, x, two), bin(&g, DRY_OP_MUL, two, x)},
        {bin(&g, DRY_OP_DIV, x, one), x},
        {bin(&g, DRY_OP_DIV, zero, x), zero},
        {neg(&g, neg(&g, x)), x},
        {bin(&g, DRY_OP_ADD, x, neg(&g, y)), bin(&g, DRY_OP_SUB, x, y)},
        {bin(&g, DRY_OP_SUB, x, neg(&g, y)), bin(&g, DRY_OP_ADD, x, y)},
        {bin(&g, DRY_OP_MUL, neg(&g, x), neg(&g, y)), bin(&g, DRY_OP_MUL, x, y)},
        {bin(&g, DRY_OP_POW, x, one), x},
        {bin(&g, DRY_OP_POW, x, zero), one},
        {bin(&g, DRY_OP_POW, x, two), square},
        {bin(&g, DRY_OP_POW, x, num(&g, 3.0)), bin(&g, DRY_OP_MUL, square, x)},
        {bin(&g, DRY_OP_POW, x, num(&g, 0.5)), dry_dag_un(g.dag, DRY_OP_SQRT, x)},
        {bin(&g, DRY_OP_MIN, x, x), x},
        {dry_dag_select(g.dag, one, x, y), x},
        {dry_dag_select(g.dag, zero, x, y), y},
        {dry_dag_select(g.dag, y, x, x), x},
        {bin(&g, DRY_OP_AND, zero, x), zero},
        {bin(&g, DRY_OP_OR, bin(&g, DRY_OP_LT, x, y), zero), bin(&g, DRY_OP_LT, x, y)},
        {bin(&g, DRY_OP_HYPOT, num(&g, 3.0), num(&g, 4.0)), num(&g, 5.0)},
        {dry_dag_un(g.dag, DRY_OP_COS, zero), one},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].found != rows[i].expected) fail_msg("row %zu", i);
    close_graph(&g);
}

/* A folded node has the value that the operation has without folding, for numbers that are neither
 * infinite nor zero. */
static void folding_keeps_values(void **state) {
    (void)state;
    const double constants[] = {0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 0.25};
    const double x[2] = {1.75, -0.625};
    graph g = open_graph(PLENTY);
    dry_node nodes[16];
    int n = 0;
    for (int i = 0; i < 7; i++) nodes[n++] = num(&g, constants[i]);
    nodes[n++] = g.x;
    nodes[n++] = g.y;
    nodes[n++] = neg(&g, g.x);
    nodes[n++] = neg(&g, g.y);
    nodes[n++] = bin(&g, DRY_OP_SUB, g.x, g.y);
    nodes[n++] = bin(&g, DRY_OP_LT, g.x, g.y);
    for (int op = DRY_OP_ADD; op <= DRY_OP_OR; op++)
        for (int i = 0; i < n * n; i++) {
            const double a = dry_dag_value(g.dag, nodes[i / n], NULL, 0.0, x, NULL, 0);
            const double b = dry_dag_value(g.dag, nodes[i % n], NULL, 0.0, x, NULL, 0);
            const dry_node both = bin(&g, (dry_op)op, nodes[i / n], nodes[i % n]);
            const double plain = dry_dag_value(g.dag, bin(&g, (dry_op)op, num(&g, a), num(&g, b)),
                                               NULL, 0.0, x, NULL, 0);
            const double folded = dry_dag_value(g.dag, both, NULL, 0.0, x, NULL, 0);
            /* x^3 is x*x*x, which pow may round otherwise: within 1e-15 */
            if (isfinite(plain) && !(fabs(folded - plain) <= 1e-15 * fabs(plain)))
                fail_msg("%s of %.17g and %.17g: %.17g, not %.17g", dry_op_text((dry_op)op), a, b,
                         folded, plain);
        }
    close_graph(&g);
}

static void dependence_is_known(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    const dry_node par = dry_dag_leaf(g.dag, DRY_OP_PAR, 0), t = dry_dag_leaf(g.dag, DRY_OP_T, 0);
    const dry_node both = bin(&g, DRY_OP_MUL, par, t);
    assert_int_equal(dry_dag_depends(g.dag, both), DRY_ON_PAR | DRY_ON_T);
    assert_int_equal(dry_dag_depends(g.dag, num(&g, 2.0)), 0);
    const dry_node args[] = {par, num(&g, 5e3), num(&g, 2e-3), g.x, g.y};
    const dry_block coulomb = {.law = dry_law_find("coulomb"), .dim = 1, .elements = 1};
    const dry_node law = dry_dag_block(g.dag, DRY_OP_LAW, coulomb, args, 5);
    assert_int_equal(dry_dag_depends(g.dag, dry_dag_pick(g.dag, law, 0)),
                     DRY_ON_PAR | DRY_ON_STATE | DRY_ON_TAU);
    unsigned char *mark = calloc((size_t)dry_dag_count(g.dag), 1);
    dry_dag_reach(g.dag, both, mark);
    assert_true(mark[both]);
    assert_true(mark[par]);
    assert_true(mark[t]);
    assert_false(mark[g.x] || mark[law]);
    free(mark);
    close_graph(&g);
}

/* ---- references ------------------------------------------------------------------ */

static void references_resolve(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    const dry_node ref0 = dry_dag_leaf(g.dag, DRY_OP_REF, 0);
    const dry_node ref1 = dry_dag_leaf(g.dag, DRY_OP_REF, 1);
    const dry_node root = bin(&g, DRY_OP_ADD, ref0, g.x);              /* (y * (x + 1)) + x */
    const dry_node meaning[] = {bin(&g, DRY_OP_MUL, ref1, g.y),        /* ref0 = ref1 * y */
                                bin(&g, DRY_OP_ADD, g.x, num(&g, 1))}; /* ref1 = x + 1 */
    dry_node renamed[64];
    assert_int_equal(dry_dag_resolve(g.dag, meaning, 2, renamed), -1);
    assert_false(dry_dag_depends(g.dag, renamed[root]) & DRY_ON_REF);
    const double x[2] = {2.0, 5.0};
    equal(dry_dag_value(g.dag, renamed[root], NULL, 0.0, x, NULL, 0), 17.0);
    is_nan(dry_dag_value(g.dag, root, NULL, 0.0, x, NULL, 0));
    assert_int_equal(renamed[g.x], g.x);
    close_graph(&g);
}

static void cycles_are_named(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    dry_node ref[4], renamed[64];
    for (int i = 0; i < 4; i++) ref[i] = dry_dag_leaf(g.dag, DRY_OP_REF, i);
    /* 0 needs 1, 1 needs 2, 2 needs 3, 3 needs 2 */
    const dry_node meaning[] = {bin(&g, DRY_OP_ADD, ref[1], g.x), bin(&g, DRY_OP_MUL, ref[2], g.x),
                                dry_dag_un(g.dag, DRY_OP_SIN, ref[3]),
                                dry_dag_un(g.dag, DRY_OP_COS, ref[2])};
    const int cycle = dry_dag_resolve(g.dag, meaning, 4, renamed);
    at_least(cycle, 2);
    at_most(cycle, 3);
    const dry_node itself[] = {bin(&g, DRY_OP_ADD, ref[0], g.x), g.x, g.x, g.x};
    dry_node more[64];
    assert_int_equal(dry_dag_resolve(g.dag, itself, 4, more), 0);
    close_graph(&g);
}

/* Every quantity needs the next one: a path as long as the graph. */
static void long_chains_resolve(void **state) {
    (void)state;
    const int n = 100000;
    graph g = open_graph(PLENTY);
    dry_node *meaning = malloc((size_t)n * sizeof *meaning);
    for (int i = 0; i < n - 1; i++)
        meaning[i] = bin(&g, DRY_OP_ADD, dry_dag_leaf(g.dag, DRY_OP_REF, i + 1), g.x);
    meaning[n - 1] = g.y;
    const dry_node first = dry_dag_leaf(g.dag, DRY_OP_REF, 0);
    dry_node *renamed = malloc((size_t)dry_dag_count(g.dag) * sizeof *renamed);
    assert_int_equal(dry_dag_resolve(g.dag, meaning, n, renamed), -1);
    const double x[2] = {1.0, 7.0};
    equal(dry_dag_value(g.dag, renamed[first], NULL, 0.0, x, NULL, 0), 7.0 + n - 1);
    meaning[n - 1] = first;
    dry_node *again = malloc((size_t)dry_dag_count(g.dag) * sizeof *again);
    at_least(dry_dag_resolve(g.dag, meaning, n, again), 0);
    free(meaning);
    free(renamed);
    free(again);
    close_graph(&g);
}

/* ---- limits and blocks --------------------------------------------------------------- */

static void limit_is_kept(void **state) {
    (void)state;
    graph g = open_graph(10);
    for (int i = 0; i < 20; i++) num(&g, i + 0.5);
    assert_true(dry_dag_failed(g.dag));
    assert_int_equal(dry_dag_count(g.dag), 10);
    assert_int_equal(bin(&g, DRY_OP_ADD, g.x, g.y), 0);
    assert_null(dry_image_new(g.dag, (dry_image_sizes){0, 2, 0}, NULL, 0));
    close_graph(&g);
}

/* A law's block has the sizes that its law tells, for every law and number of elements. */
static void blocks_have_sizes(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    pool p = {.dag = g.dag, .seed = 1};
    keep(&p, g.x);
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        const int dim = law->max_dim, elements = law->params[0].form == DRY_COUNT ? 3 : 1;
        double par[64];
        dry_law_defaults(law, elements, par);
        const int rows = dry_law_forces(law, dim) + dry_law_states(law, par, dim);
        const int columns = dry_law_inputs(law, dim) + dry_law_states(law, par, dim);
        const dry_node eval = law_block(&p, DRY_OP_LAW, law, dim, elements, -1);
        const dry_node slopes = law_block(&p, DRY_OP_LAW_JAC, law, dim, elements, -1);
        assert_int_equal(dry_dag_results(g.dag, eval), rows);
        assert_int_equal(dry_dag_results(g.dag, slopes), rows * columns);
        assert_ptr_equal(dry_dag_view(g.dag, eval).block.law, law);
    }
    close_graph(&g);
}

static void overrides_replace_values(void **state) {
    (void)state;
    graph g = open_graph(PLENTY);
    const dry_node product = bin(&g, DRY_OP_MUL, g.x, g.y);
    const dry_node root = bin(&g, DRY_OP_ADD, product, g.x);
    const double x[2] = {2.0, 3.0};
    const dry_override given = {product, 100.0};
    equal(dry_dag_value(g.dag, root, NULL, 0.0, x, NULL, 0), 8.0);
    equal(dry_dag_value(g.dag, root, NULL, 0.0, x, &given, 1), 102.0);
    close_graph(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_nodes_are_one),  cmocka_unit_test(identities),
        cmocka_unit_test(folding_keeps_values), cmocka_unit_test(dependence_is_known),
        cmocka_unit_test(references_resolve),   cmocka_unit_test(cycles_are_named),
        cmocka_unit_test(long_chains_resolve),  cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(blocks_have_sizes),    cmocka_unit_test(overrides_replace_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
