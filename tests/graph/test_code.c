/* The code of a model gives, to the last bit, what direct evaluation of the graph gives. */
#include "unit.h"

#include "random_dag.h"
#include <fenv.h>
#include <stdlib.h>

enum { PLENTY = 1 << 20 };

static double values[8];

static void run_section(const dry_dag *dag, const dry_node *roots, int n_roots, double t,
                        double tau, const double *par, const double *x, bool linear) {
    const dry_section section = {"roots", roots, n_roots, false, 0};
    dry_image *image = dry_image_new(dag, (dry_image_sizes){N_PAR, N_STATES, 0}, &section, 1);
    assert_non_null(image);
    void *work = malloc(dry_image_work_size(image));
    dry_image_prepare(image, par, work);
    const dry_branch branch = linear ? DRY_ALL_STUCK : DRY_AS_IS;
    dry_image_run_branch(image, 0, branch, t, tau, x, values, work);
    free(work);
    dry_image_free(image);
}

/* ---- random graphs ------------------------------------------------------------ */

static void compare_sections(pool *p, const dry_image *image, const dry_section *sections,
                             int n_sections, dry_node tau_leaf) {
    double par[N_PAR], x[N_STATES];
    draw_numbers(p, par, N_PAR);
    void *work = malloc(dry_image_work_size(image));
    dry_image_prepare(image, par, work);
    double t = 0.0;
    for (int turn = 0; turn < 4; turn++) {
        draw_numbers(p, x, N_STATES);
        if (turn != 2) t = draw_between(p, 0.0, 3.0); /* other states at the same time */
        const double tau = turn ? draw_between(p, 0.0, 0.1) : 0.0;
        const dry_override with_tau = {tau_leaf, tau};
        for (int s = 0; s < n_sections; s++) {
            dry_image_run(image, s, t, tau, x, values, work);
            for (int i = 0; i < sections[s].n_roots; i++) {
                const dry_node root = sections[s].roots[i];
                const double direct = dry_dag_value(p->dag, root, par, t, x, &with_tau, 1);
                if (!alike(values[i], direct))
                    fail_msg("seed %llu section %d root %d: %.17g, directly %.17g",
                             (unsigned long long)p->seed, s, i, values[i], direct);
            }
        }
    }
    free(work);
}

static void check_graph(uint64_t seed) {
    pool p;
    dry_node roots[2][8];
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    fill_pool(&p, dag, seed, 20 + (int)(seed % 100), WILD_BLOCKS);
    dry_section sections[2];
    for (int s = 0; s < 2; s++) {
        sections[s] = (dry_section){"roots", roots[s], 1 + draw_below(&p, 8), s == 0, 0};
        for (int i = 0; i < sections[s].n_roots; i++)
            roots[s][i] = draw_below(&p, 4) ? any(&p) : p.nodes[draw_below(&p, p.n)];
    }
    assert_false(dry_dag_failed(dag));
    dry_image *image = dry_image_new(dag, (dry_image_sizes){N_PAR, N_STATES, 0}, sections, 2);
    assert_non_null(image);
    compare_sections(&p, image, sections, 2, dry_dag_leaf(dag, DRY_OP_TAU, 0));
    dry_image_free(image);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

static void code_equals_direct_evaluation(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++) check_graph(seed);
}

/* ---- ways ------------------------------------------------------------------------------ */

enum { N_WAYS = 5, MOST_WIDE = 8 };

/* The derivatives of the roots in all ways at once. */
static void differentiate_wide(dry_dag *dag, const dry_node *roots, int n, const double *point,
                               double *slopes) {
    dry_node state[N_STATES], par_way[N_PAR], derivative[MOST_WIDE];
    const char *lacks;
    for (int i = 0; i < N_STATES; i++) state[i] = dry_dag_leaf(dag, DRY_OP_WAY, i);
    for (int i = 0; i < N_PAR; i++) par_way[i] = dry_dag_leaf(dag, DRY_OP_UNIT, i % N_WAYS);
    const dry_direction d = {state, par_way, N_STATES, N_PAR};
    (void)dry_dag_directional(dag, roots, n, &d, derivative, &lacks);
    assert_false(dry_dag_failed(dag));
    const dry_section section = {"slopes", derivative, n, true, n};
    dry_image *image = dry_image_new(dag, (dry_image_sizes){N_PAR, N_STATES, N_WAYS}, &section, 1);
    assert_non_null(image);
    void *work = malloc(dry_image_work_size(image));
    dry_image_prepare(image, point, work);
    dry_image_run(image, 0, 0.7, 0.02, point + N_PAR, slopes, work);
    free(work);
    dry_image_free(image);
}

/* In one of them, whose changes are numbers. */
static void differentiate_way(dry_dag *dag, const dry_node *roots, int n, const double *point,
                              int way, double *slopes) {
    const double *changes = point + N_PAR + N_STATES;
    dry_node state[N_STATES], par_way[N_PAR], derivative[MOST_WIDE];
    const char *lacks;
    for (int i = 0; i < N_STATES; i++) state[i] = dry_dag_const(dag, changes[i * N_WAYS + way]);
    for (int i = 0; i < N_PAR; i++) par_way[i] = dry_dag_const(dag, i % N_WAYS == way ? 1.0 : 0.0);
    const dry_direction d = {state, par_way, N_STATES, N_PAR};
    (void)dry_dag_directional(dag, roots, n, &d, derivative, &lacks);
    assert_false(dry_dag_failed(dag));
    run_section(dag, derivative, n, 0.7, 0.02, point, point + N_PAR, false);
    for (int i = 0; i < n; i++) slopes[i] = values[i];
}

/* Numbers that are not finite may come out otherwise, where one direction is known to be 0. */
static long compare_ways(uint64_t seed) {
    pool p;
    dry_node roots[MOST_WIDE];
    double point[N_PAR + N_STATES * (1 + N_WAYS)], wide[MOST_WIDE * N_WAYS], one[MOST_WIDE];
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    long compared = 0;
    fill_pool(&p, dag, seed, 20 + (int)(seed % 60), TAME_BLOCKS);
    for (int i = 0; i < MOST_WIDE; i++) roots[i] = any(&p);
    draw_numbers(&p, point, N_PAR + N_STATES * (1 + N_WAYS));
    differentiate_wide(dag, roots, MOST_WIDE, point, wide);
    for (int way = 0; way < N_WAYS; way++) {
        differentiate_way(dag, roots, MOST_WIDE, point, way, one);
        for (int i = 0; i < MOST_WIDE; i++) {
            const double a = wide[i * N_WAYS + way], b = one[i];
            if (!isfinite(a) || !isfinite(b)) continue;
            if (fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)) + 1e-12)
                fail_msg("seed %llu, root %d, way %d: %.17g, alone %.17g", (unsigned long long)seed,
                         i, way, a, b);
            compared += a != 0.0;
        }
    }
    dry_dag_free(dag);
    dry_arena_free(arena);
    return compared;
}

static void ways_are_separate_directions(void **state) {
    (void)state;
    long compared = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) compared += compare_ways(seed);
    assert_true(compared > 10000);
}

/* What is not linear in the changes has no code. */
static void no_code_of_what_is_not_linear(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    dry_dag *dag = dry_dag_new(arena, PLENTY);
    const dry_node d = dry_dag_leaf(dag, DRY_OP_WAY, 0), x = dry_dag_leaf(dag, DRY_OP_STATE, 1);
    const dry_node wrong[] = {dry_dag_bin(dag, DRY_OP_MUL, d, dry_dag_leaf(dag, DRY_OP_WAY, 1)),
                              dry_dag_bin(dag, DRY_OP_DIV, x, d), dry_dag_un(dag, DRY_OP_SIN, d),
                              dry_dag_bin(dag, DRY_OP_MAX, d, x)};
    const dry_image_sizes sizes = {N_PAR, N_STATES, N_WAYS};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const dry_section section = {"slopes", &wrong[i], 1, false, 1};
        assert_null(dry_image_new(dag, sizes, &section, 1));
    }
    const dry_node right = dry_dag_bin(dag, DRY_OP_MUL, x, d);
    const dry_section section = {"slopes", &right, 1, false, 1};
    dry_image *image = dry_image_new(dag, sizes, &section, 1);
    assert_non_null(image);
    dry_image_free(image);
    dry_dag_free(dag);
    dry_arena_free(arena);
}

/* ---- single properties ------------------------------------------------------------ */

typedef struct graph {
    dry_arena *arena;
    dry_dag *dag;
    dry_node t, tau, par[N_PAR], x[N_STATES];
} graph;

static graph open_graph(void) {
    graph g;
    g.arena = dry_arena_new(0);
    g.dag = dry_dag_new(g.arena, PLENTY);
    g.t = dry_dag_leaf(g.dag, DRY_OP_T, 0);
    g.tau = dry_dag_leaf(g.dag, DRY_OP_TAU, 0);
    for (int i = 0; i < N_PAR; i++) g.par[i] = dry_dag_leaf(g.dag, DRY_OP_PAR, i);
    for (int i = 0; i < N_STATES; i++) g.x[i] = dry_dag_leaf(g.dag, DRY_OP_STATE, i);
    return g;
}

static void close_graph(graph *g) {
    dry_dag_free(g->dag);
    dry_arena_free(g->arena);
}

static const double par[N_PAR] = {1.5, -2.0, 0.25, 3.0};
static const double x[N_STATES] = {0.5, -1.0, 2.0, -3.0, 0.125, 7.0};

static void leaves_can_be_roots(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node roots[] = {g.x[2],
                              g.x[3],
                              g.t,
                              g.par[1],
                              g.tau,
                              dry_dag_const(g.dag, 9.0),
                              dry_dag_bin(g.dag, DRY_OP_MUL, g.par[0], g.par[3]),
                              g.x[2]};
    run_section(g.dag, roots, 8, 4.0, 0.5, par, x, false);
    const double expected[] = {2.0, -3.0, 4.0, -2.0, 0.5, 9.0, 4.5, 2.0};
    all_equal(8, values, expected);
    close_graph(&g);
}

/* 1/x where x is not 0, else 0; and the same with log and an outer branch. */
/* All patterns of six roots out of neighbours and one another: x0, x1, x2, 0. */
static void roots_may_repeat(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node leaf[] = {g.x[0], g.x[1], g.x[2], dry_dag_const(g.dag, 0.0)};
    const double of[] = {x[0], x[1], x[2], 0.0};
    for (int pattern = 0; pattern < 4096; pattern++) {
        dry_node roots[6];
        for (int i = 0; i < 6; i++) roots[i] = leaf[(pattern >> (2 * i)) & 3];
        run_section(g.dag, roots, 6, 0.0, 0.0, par, x, false);
        for (int i = 0; i < 6; i++) equal(values[i], of[(pattern >> (2 * i)) & 3]);
    }
    close_graph(&g);
}

static void branch_not_chosen_raises_nothing(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node zero = dry_dag_const(g.dag, 0.0), one = dry_dag_const(g.dag, 1.0);
    const dry_node inverse = dry_dag_bin(g.dag, DRY_OP_DIV, one, g.x[0]);
    const dry_node positive = dry_dag_bin(g.dag, DRY_OP_LT, zero, g.x[0]);
    const dry_node log_x = dry_dag_un(g.dag, DRY_OP_LOG, g.x[1]);
    const dry_node inner = dry_dag_select(g.dag, dry_dag_bin(g.dag, DRY_OP_LT, zero, g.x[1]), log_x,
                                          dry_dag_bin(g.dag, DRY_OP_ADD, g.x[2], inverse));
    const dry_node root = dry_dag_select(g.dag, positive, inner, g.x[2]);
    const double at_zero[N_STATES] = {0.0, -1.0, 3.0}, at_log[N_STATES] = {2.0, -1.0, 3.0};
    feclearexcept(FE_ALL_EXCEPT);
    run_section(g.dag, &root, 1, 0.0, 0.0, par, at_zero, false);
    equal(values[0], 3.0);
    run_section(g.dag, &root, 1, 0.0, 0.0, par, at_log, false);
    equal(values[0], 3.5);
    assert_false(fetestexcept(FE_DIVBYZERO | FE_INVALID));
    close_graph(&g);
}

/* 1/x0 is needed on both sides of two choices that are made only where x0 is positive: it belongs
 * to the deepest branch that holds them all. */
static void shared_work_stays_in_its_branch(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node zero = dry_dag_const(g.dag, 0.0), ten = dry_dag_const(g.dag, 10.0);
    const dry_node inverse = dry_dag_bin(g.dag, DRY_OP_DIV, dry_dag_const(g.dag, 1.0), g.x[0]);
    dry_node choices[2];
    for (int i = 0; i < 2; i++)
        choices[i] = dry_dag_select(g.dag, dry_dag_bin(g.dag, DRY_OP_LT, g.x[1 + i], zero),
                                    dry_dag_un(g.dag, DRY_OP_EXP, inverse),
                                    dry_dag_bin(g.dag, DRY_OP_POW, inverse, g.x[4]));
    const dry_node sum = dry_dag_bin(g.dag, DRY_OP_ADD, choices[0], choices[1]);
    const dry_node inner =
        dry_dag_select(g.dag, dry_dag_bin(g.dag, DRY_OP_LT, zero, g.x[0]), sum, g.x[3]);
    const dry_node root = dry_dag_select(g.dag, dry_dag_bin(g.dag, DRY_OP_LT, g.t, ten), inner,
                                         dry_dag_un(g.dag, DRY_OP_SIN, g.t));
    const double at_zero[N_STATES] = {0.0, -1.0, 1.0, 3.0, 2.0};
    const double at_half[N_STATES] = {0.5, -1.0, 1.0, 3.0, 2.0};
    feclearexcept(FE_ALL_EXCEPT);
    run_section(g.dag, &root, 1, 1.0, 0.0, par, at_zero, false);
    equal(values[0], 3.0);
    assert_false(fetestexcept(FE_DIVBYZERO | FE_INVALID));
    run_section(g.dag, &root, 1, 1.0, 0.0, par, at_half, false);
    equal(values[0], exp(2.0) + 4.0);
    close_graph(&g);
}

/* 100000 branches inside one another need no recursion. */
static void deep_nesting(void **state) {
    (void)state;
    graph g = open_graph();
    dry_node root = g.x[0];
    const int depth = 100000;
    for (int i = 0; i < depth; i++) {
        const dry_node here = dry_dag_const(g.dag, 1e-3 * i);
        const dry_node below = dry_dag_bin(g.dag, DRY_OP_LT, g.t, here);
        const dry_node dear =
            dry_dag_un(g.dag, DRY_OP_SIN, dry_dag_bin(g.dag, DRY_OP_ADD, g.t, here));
        root = dry_dag_select(g.dag, below, root, dear);
    }
    run_section(g.dag, &root, 1, 0.0305, 0.0, par, x, false);
    equal(values[0], sin(0.0305 + 1e-3 * 30));
    close_graph(&g);
}

/* Temporaries are used again: a chain of n products needs few registers. */
static void registers_are_reused(void **state) {
    (void)state;
    graph g = open_graph();
    dry_node root = g.x[0];
    for (int i = 0; i < 10000; i++)
        root = dry_dag_un(g.dag, DRY_OP_SIN, dry_dag_bin(g.dag, DRY_OP_MUL, root, g.x[1 + i % 5]));
    const dry_section section = {"roots", &root, 1, false, 0};
    dry_image *image = dry_image_new(g.dag, (dry_image_sizes){N_PAR, N_STATES, 0}, &section, 1);
    below(dry_image_work_size(image), 32 * sizeof(double));
    assert_int_equal(dry_image_length(image, 0), 20000);
    dry_image_free(image);
    close_graph(&g);
}

/* What depends on parameters alone is computed once; a*b + c is one instruction. */
static void work_is_saved(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node factor = dry_dag_un(g.dag, DRY_OP_EXP, g.par[0]);
    const dry_node product = dry_dag_bin(g.dag, DRY_OP_MUL, factor, g.x[0]);
    const dry_node root = dry_dag_bin(g.dag, DRY_OP_ADD, product, g.t);
    const dry_section section = {"roots", &root, 1, false, 0};
    dry_image *image = dry_image_new(g.dag, (dry_image_sizes){N_PAR, N_STATES, 0}, &section, 1);
    assert_int_equal(dry_image_length(image, 0), 1);
    assert_int_equal(dry_image_length(image, -1), 1);
    dry_image_free(image);
    close_graph(&g);
}

/* 1/t + cos(t): 0 and -0 are equal times with different values, and so are equal times with other
 * parameters. */
static void time_is_followed(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node one = dry_dag_const(g.dag, 1.0);
    const dry_node sum = dry_dag_bin(g.dag, DRY_OP_ADD, dry_dag_bin(g.dag, DRY_OP_DIV, one, g.t),
                                     dry_dag_un(g.dag, DRY_OP_COS, g.t));
    const dry_node root = dry_dag_bin(g.dag, DRY_OP_MUL, sum, g.par[0]);
    const dry_section section = {"rates", &root, 1, true, 0};
    dry_image *image = dry_image_new(g.dag, (dry_image_sizes){N_PAR, N_STATES, 0}, &section, 1);
    void *work = malloc(dry_image_work_size(image));
    const double other[N_PAR] = {-3.0, 0.0, 0.0, 0.0}, times[] = {0.0, -0.0, 2.0, 2.0};
    for (int i = 0; i < 8; i++) {
        const double *p = i < 4 ? par : other, t = times[i % 4];
        if (i % 4 == 0 || i == 7) dry_image_prepare(image, p, work);
        dry_image_run(image, 0, t, 0.0, x, values, work);
        equal(values[0], (1.0 / t + cos(t)) * p[0]);
    }
    free(work);
    dry_image_free(image);
    close_graph(&g);
}

/* ---- laws with every contact closed and every friction stuck --------------------------- */

static dry_node law_of(graph *g, const char *name, const double *p, int n_par, int n_more,
                       int elements) {
    dry_node args[32];
    const dry_law *law = dry_law_find(name);
    for (int i = 0; i < n_par; i++) args[i] = dry_dag_const(g->dag, p[i]);
    for (int i = 0; i < n_more; i++) args[n_par + i] = g->x[i];
    const dry_block block = {.law = law, .dim = law->max_dim ? 1 : 0, .elements = elements};
    return dry_dag_block(g->dag, DRY_OP_LAW, block, args, n_par + n_more);
}

/* X13 (18) with K = 100, beta = 0.5, tau = 0.25: f = K (a + (beta + tau) v) = 100 (-1 + 0.375), far
 * beyond F = 1. */
static void linear_coulomb_never_slips(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node block = law_of(&g, "coulomb", (double[]){1.0, 100.0, 0.5}, 3, 2, 1);
    const dry_node roots[] = {dry_dag_pick(g.dag, block, 0), dry_dag_pick(g.dag, block, 1)};
    run_section(g.dag, roots, 2, 0.0, 0.25, par, x, true);
    equal(values[0], -62.5);
    equal(values[1], 0.5);
    run_section(g.dag, roots, 2, 0.0, 0.25, par, x, false);
    equal(values[0], -1.0);
    close_graph(&g);
}

/* X13 (24), (25) with K = 8, alpha = 0.25, beta = 0.75, tau = 0.25, gap psi = 0.5, e = x[2] = 2:
 * e_dot = -(0.5 + 2)/0.5 = -5, N = 8 (2 + 1 (-5)) = -24. Open: N = 0, e_dot = -2/1. */
static void linear_contact_pulls(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node block = law_of(&g, "contact", (double[]){8.0, 0.25, 0.75}, 3, 3, 1);
    const dry_node roots[] = {dry_dag_pick(g.dag, block, 0), dry_dag_pick(g.dag, block, 1)};
    run_section(g.dag, roots, 2, 0.0, 0.25, par, x, true);
    equal(values[0], -24.0);
    equal(values[1], -5.0);
    run_section(g.dag, roots, 2, 0.0, 0.25, par, x, false);
    equal(values[0], 0.0);
    equal(values[1], -2.0);
    close_graph(&g);
}

/* XD (4.13), two elements, v = 0.5, gamma = -1 (x[1]; a level that would be 0 in any law), a = 2,
 * -3: f = sum kappa_i a_i + (sigma_i + kappa_i tau) v + D v, a_i_dot = v. kappa 4, 2; sigma 1, 3; D
 * = 0.5; tau = 0: 8 - 6 + (1 + 3 + 0.5)/2 = 4.25. */
static void linear_multistate_never_slips(void **state) {
    (void)state;
    graph g = open_graph();
    const double p[] = {2.0, 1.0, 2.0, 1.0, 2.0, 0.5, 0.5, 4.0, 2.0, 1.0, 3.0, 0.5, 0.5};
    const dry_node block = law_of(&g, "multistate", p, 13, 4, 2);
    const dry_node roots[] = {dry_dag_pick(g.dag, block, 0), dry_dag_pick(g.dag, block, 2),
                              dry_dag_pick(g.dag, block, 3)};
    run_section(g.dag, roots, 3, 0.0, 0.0, par, x, true);
    equal(values[0], 4.25);
    equal(values[1], 0.5);
    equal(values[2], 0.5);
    close_graph(&g);
}

/* mu N sets the level; psi = 0.5, v = x[2] = 2, e = x[3] = -3, a = x[4] = 0.125:
 * e_dot = -(0.5 - 3)/0.5 = 5, N = 8 (-3 + 1*5) = 16; f = 64 (0.125 + 0.5 * 2) = 72 > mu N. */
static void linear_frictional_contact_sticks(void **state) {
    (void)state;
    graph g = open_graph();
    const double p[] = {8.0, 0.5, 1.0, 0.1, 64.0, 0.5};
    const dry_node block = law_of(&g, "frictional_contact", p, 6, 5, 1);
    dry_node roots[4];
    for (int i = 0; i < 4; i++) roots[i] = dry_dag_pick(g.dag, block, i);
    run_section(g.dag, roots, 4, 0.0, 0.0, par, x, true);
    equal(values[0], 16.0);
    equal(values[1], 72.0);
    equal(values[2], 5.0);
    equal(values[3], 2.0);
    close_graph(&g);
}

/* ---- print --------------------------------------------------------------------------- */

static void code_is_printed(void **state) {
    (void)state;
    graph g = open_graph();
    const dry_node dear =
        dry_dag_un(g.dag, DRY_OP_COS, dry_dag_bin(g.dag, DRY_OP_MUL, g.par[0], g.t));
    const dry_node early = dry_dag_bin(g.dag, DRY_OP_LT, g.t, dry_dag_const(g.dag, 2.0));
    const dry_node root = dry_dag_select(g.dag, early, g.x[1], dear);
    const dry_section section = {"rates", &root, 1, false, 0};
    dry_image *image = dry_image_new(g.dag, (dry_image_sizes){N_PAR, N_STATES, 0}, &section, 1);
    const char *const par_names[] = {"F", "K", "M", "g"}, *const names[] = {"p", "v", "a",
                                                                            "b", "c", "d"};
    char text[1024] = "";
    FILE *stream = tmpfile();
    assert_non_null(stream);
    dry_image_print(image, 0, par_names, names, stream);
    rewind(stream);
    const size_t n = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[n] = '\0';
    assert_non_null(strstr(text, "unless t < 2"));
    assert_non_null(strstr(text, "t * F"));
    assert_non_null(strstr(text, "cos"));
    assert_non_null(strstr(text, "= v\n"));
    dry_image_free(image);
    close_graph(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_equals_direct_evaluation),
        cmocka_unit_test(leaves_can_be_roots),
        cmocka_unit_test(roots_may_repeat),
        cmocka_unit_test(branch_not_chosen_raises_nothing),
        cmocka_unit_test(shared_work_stays_in_its_branch),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(registers_are_reused),
        cmocka_unit_test(work_is_saved),
        cmocka_unit_test(time_is_followed),
        cmocka_unit_test(linear_coulomb_never_slips),
        cmocka_unit_test(linear_contact_pulls),
        cmocka_unit_test(linear_multistate_never_slips),
        cmocka_unit_test(linear_frictional_contact_sticks),
        cmocka_unit_test(ways_are_separate_directions),
        cmocka_unit_test(no_code_of_what_is_not_linear),
        cmocka_unit_test(code_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
