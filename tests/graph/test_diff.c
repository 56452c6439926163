/* Derivatives are exact: they agree with central differences wherever these can tell. */
#include "unit.h"

#include "random_dag.h"
#include <math.h>

enum { PLENTY = 1 << 20 };

static double value_at(const dry_dag *dag, dry_node root, dry_node variable, double at,
                       const double *par, double t, const double *x) {
    const dry_override moved = {variable, at};
    return dry_dag_value(dag, root, par, t, x, &moved, 1);
}

static double central(const dry_dag *dag, dry_node root, dry_node variable, double at, double h,
                      const double *par, double t, const double *x) {
    const double above = value_at(dag, root, variable, at + h, par, t, x);
    const double below = value_at(dag, root, variable, at - h, par, t, x);
    return (above - below) / (2.0 * h);
}

typedef struct tally {
    int tried, told, singular;
} tally;

/* Differences with steps h, h/2 and h/4 that agree to 1e-6 tell the derivative: their error falls
 * like h^2, so that the last is good to about 1e-7; a kink or noise shows as disagreement. */
static void compare(tally *seen, const dry_dag *dag, dry_node root, dry_node derivative,
                    dry_node variable, const double *par, double t, const double *x) {
    const double at = dry_dag_value(dag, variable, par, t, x, NULL, 0), h = 1e-5;
    const double one = central(dag, root, variable, at, h, par, t, x);
    const double two = central(dag, root, variable, at, h / 2, par, t, x);
    const double three = central(dag, root, variable, at, h / 4, par, t, x);
    const double size = 1.0 + fabs(three);
    seen->tried++;
    if (!(fabs(one - two) < 1e-6 * size && fabs(two - three) < 1e-6 * size)) return;
    if (!(size < 1e6)) return;
    const double exact = dry_dag_value(dag, derivative, par, t, x, NULL, 0);
    if (!isfinite(exact)) { /* at a singular point that is no kink, such as 0^0 */
        seen->singular++;
        return;
    }
    seen->told++;
    if (!(fabs(exact - three) < 1e-5 * size))
        fail_msg("%s: %.12g, differences %.12g", dry_op_text(dry_dag_view(dag, root).op), exact,
                 three);
}

static void check_pool(tally *seen, pool *p, dry_node variable) {
    double par[N_PAR], x[N_STATES];
    dry_node derivatives[MOST_NODES];
    for (int i = 0; i < p->n; i++)
        derivatives[i] = dry_dag_diff(p->dag, p->nodes[i], variable, NULL, 0);
    assert_false(dry_dag_failed(p->dag));
    draw_numbers(p, par, N_PAR);
    draw_numbers(p, x, N_STATES);
    const double t = draw_between(p, 0.1, 2.0);
    for (int i = 0; i < p->n; i++)
        compare(seen, p->dag, p->nodes[i], derivatives[i], variable, par, t, x);
}

static void random_graphs(void **state) {
    (void)state;
    tally seen = {0};
    for (uint64_t seed = 1; seed <= 1200; seed++) {
        pool p;
        dry_arena *arena = dry_arena_new(0);
        dry_dag *dag = dry_dag_new(arena, PLENTY);
        fill_pool(&p, dag, seed, 50, NO_BLOCKS);
        if (seed % 3 == 0) add_solve(&p);
        const dry_node variable = dry_dag_leaf(dag, DRY_OP_STATE, (int)(seed % N_STATES));
        check_pool(&seen, &p, seed % 5 ? variable : dry_dag_leaf(dag, DRY_OP_T, 0));
        dry_dag_free(dag);
        dry_arena_free(arena);
    }
    above(seen.told, seen.tried / 2);
    below(seen.singular, seen.tried / 1000);
}

/* ---- each operation by itself, at several points -------------------------------- */

static void every_operation(void **state) {
    (void)state;
    tally seen = {0};
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0), y = dry_dag_leaf(dag, DRY_OP_STATE, 1);
    const double points[][2] = {{0.3, 0.7}, {0.7, 0.3}, {0.9, -0.4}, {0.2, 1.9}};
    for (int k = 0; k < 4; k++)
        for (int op = DRY_OP_NEG; op <= DRY_OP_OR; op++) {
            const dry_node root = op < DRY_OP_ADD ? dry_dag_un(dag, (dry_op)op, x)
                                                  : dry_dag_bin(dag, (dry_op)op, x, y);
            const dry_node by_x = dry_dag_diff(dag, root, x, NULL, 0);
            const dry_node by_y = dry_dag_diff(dag, root, y, NULL, 0);
            compare(&seen, dag, root, by_x, x, NULL, 0.0, points[k]);
            compare(&seen, dag, root, by_y, y, NULL, 0.0, points[k]);
        }
    assert_int_equal(seen.told, seen.tried);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

/* ---- laws ---------------------------------------------------------------------------- */

/* Expressions slope*x + offset of the state x, as inputs and states of laws. */
static dry_node straight(dry_dag *dag, double slope, double offset) {
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0);
    return dry_dag_bin(dag, DRY_OP_ADD, dry_dag_bin(dag, DRY_OP_MUL, dry_dag_const(dag, slope), x),
                       dry_dag_const(dag, offset));
}

/* A coulomb law whose level, input and state all depend on the variable, so scaled that it slips
 * and sticks. */
static void check_level(tally *seen, int dim, uint64_t seed) {
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    pool p = {.dag = dag, .seed = seed};
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0);
    for (int i = 0; i < 4; i++) {
        const double slope = draw_between(&p, -1.0, 1.0);
        keep(&p, straight(dag, slope, draw_between(&p, -1.0, 1.0)));
    }
    const dry_node level =
        dry_dag_bin(dag, DRY_OP_MUL, dry_dag_const(dag, 4e3), dry_dag_un(dag, DRY_OP_EXP, any(&p)));
    const dry_node block = law_block(&p, DRY_OP_LAW, dry_law_find("coulomb"), dim, 1, level);
    const double at[1] = {draw_between(&p, -1.0, 1.0)};
    for (int i = 0; i < dry_dag_results(dag, block); i++) {
        const dry_node scaled =
            dry_dag_bin(dag, DRY_OP_MUL, dry_dag_const(dag, 1e-4), dry_dag_pick(dag, block, i));
        compare(seen, dag, scaled, dry_dag_diff(dag, scaled, x, NULL, 0), x, NULL, 0.0, at);
    }
    dry_dag_free(dag);
    dry_arena_free(arena);
}

static void coulomb_with_a_level(void **state) {
    (void)state;
    tally seen = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) check_level(&seen, 1 + (int)(seed % 3), seed);
    above(seen.told, seen.tried / 2);
}

/* The derivative of each result is its row of the law's Jacobian times the slopes of inputs and
 * states; both sums have a few terms of one size: rounding only. */
static void check_law(const dry_law *law, uint64_t seed) {
    double par[64], J[1024], slopes[64], offsets[64];
    dry_node args[128];
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    pool p = {.dag = dag, .seed = seed};
    const int dim = law->max_dim, elements = law->params[0].form == DRY_COUNT ? 2 : 1;
    dry_law_defaults(law, elements, par);
    const int n_par = dry_law_par_size(law, elements), inputs = dry_law_inputs(law, dim);
    const int columns = inputs + dry_law_states(law, par, dim);
    for (int i = 0; i < n_par; i++) args[i] = dry_dag_const(dag, par[i]);
    for (int k = 0; k < columns; k++) {
        slopes[k] = draw_between(&p, 0.5, 1.0);
        offsets[k] = draw_between(&p, -1e-2, 1e-2);
        args[n_par + k] = straight(dag, slopes[k], offsets[k]);
    }
    const dry_node block =
        dry_dag_block(dag, DRY_OP_LAW, (dry_block){.law = law, .dim = dim, .elements = elements},
                      args, n_par + columns);
    const double zero[1] = {0.0};
    law->jacobian(par, dim, 0.0, offsets, offsets + inputs, J);
    for (int i = 0; i < dry_dag_results(dag, block); i++) {
        double expected = 0.0, size = 0.0;
        for (int k = 0; k < columns; k++) expected += J[i * columns + k] * slopes[k];
        for (int k = 0; k < columns; k++) size += fabs(J[i * columns + k]);
        const dry_node derivative = dry_dag_diff(dag, dry_dag_pick(dag, block, i),
                                                 dry_dag_leaf(dag, DRY_OP_STATE, 0), NULL, 0);
        const double exact = dry_dag_value(dag, derivative, NULL, 0.0, zero, NULL, 0);
        if (!(fabs(exact - expected) <= 1e-14 * size))
            fail_msg("%s result %d: %.17g, not %.17g", law->name, i, exact, expected);
    }
    dry_dag_free(dag);
    dry_arena_free(arena);
}

static void every_law(void **state) {
    (void)state;
    for (int i = 0; i < dry_law_count(); i++)
        for (uint64_t seed = 1; seed <= 20; seed++) check_law(dry_law_at(i), seed);
}

/* ---- what counts as independent ------------------------------------------------------- */

static void picks_and_frozen_nodes(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node v = dry_dag_leaf(dag, DRY_OP_STATE, 0), a = dry_dag_leaf(dag, DRY_OP_STATE, 1);
    const dry_node five = dry_dag_const(dag, 5.0);
    const dry_node args[] = {five, five, five, v, a};
    const dry_block coulomb = {.law = dry_law_find("coulomb"), .dim = 1, .elements = 1};
    const dry_node block = dry_dag_block(dag, DRY_OP_LAW, coulomb, args, 5);
    const dry_node f = dry_dag_pick(dag, block, 0);
    const dry_node root = dry_dag_bin(dag, DRY_OP_ADD, dry_dag_bin(dag, DRY_OP_MUL, five, f),
                                      dry_dag_bin(dag, DRY_OP_MUL, v, v));
    assert_int_equal(dry_dag_diff(dag, root, f, NULL, 0), five);
    const dry_node twice = dry_dag_bin(dag, DRY_OP_ADD, v, v);
    const double x[2] = {3.0, 0.0};
    const dry_node with_f_frozen = dry_dag_diff(dag, root, v, &f, 1);
    equal(dry_dag_value(dag, with_f_frozen, NULL, 0.0, x, NULL, 0),
          dry_dag_value(dag, twice, NULL, 0.0, x, NULL, 0));
    assert_int_equal(dry_dag_diff(dag, f, dry_dag_leaf(dag, DRY_OP_T, 0), NULL, 0), 0);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

/* d/dt of x0 sin(t) x1 with x0' = x1, x1' = -x0: at t = 0, x = (2, 3): x0 x1 cos 0 = 6 and the rest
 * vanishes with sin 0. */
static void derivative_along_the_motion(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node x0 = dry_dag_leaf(dag, DRY_OP_STATE, 0), x1 = dry_dag_leaf(dag, DRY_OP_STATE, 1);
    const dry_node sine = dry_dag_un(dag, DRY_OP_SIN, dry_dag_leaf(dag, DRY_OP_T, 0));
    const dry_node rates[] = {x1, dry_dag_un(dag, DRY_OP_NEG, x0)};
    const dry_node product = dry_dag_bin(dag, DRY_OP_MUL, x0, x1);
    const dry_node root = dry_dag_bin(dag, DRY_OP_MUL, product, sine);
    const double x[2] = {2.0, 3.0};
    const dry_node along = dry_dag_time_derivative(dag, root, rates, 2);
    equal(dry_dag_value(dag, along, NULL, 0.0, x, NULL, 0), 6.0);
    const dry_node slope = dry_dag_time_derivative(dag, product, rates, 2); /* x1^2 - x0^2 */
    equal(dry_dag_value(dag, slope, NULL, 0.0, x, NULL, 0), 5.0);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

/* A chain of 100000 nodes: no recursion, and a derivative that is known: sin(sin(...x)) at 0 is 1.
 */
static void deep_chains(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0);
    dry_node root = x;
    for (int i = 0; i < 100000; i++) root = dry_dag_un(dag, DRY_OP_SIN, root);
    const double zero[1] = {0.0};
    const dry_node slope = dry_dag_diff(dag, root, x, NULL, 0);
    equal(dry_dag_value(dag, slope, NULL, 0.0, zero, NULL, 0), 1.0);
    const dry_interval bounds = dry_dag_bounds(dag, root, NULL);
    at_least(bounds.low, -1.0);
    at_most(bounds.high, 1.0);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(every_operation),
        cmocka_unit_test(coulomb_with_a_level),
        cmocka_unit_test(every_law),
        cmocka_unit_test(picks_and_frozen_nodes),
        cmocka_unit_test(derivative_along_the_motion),
        cmocka_unit_test(deep_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
