/* Presliding loops: the promises "rate independent" and "minor loops", for every law that makes
 * them (XD section 4.4, figure 4.7). The body is led along a path at constant speed. */
#include "unit.h"

#include "law/sample.h"
#include <float.h>

enum { CELLS_PER_LENGTH = 50, MOST_CELLS = 2000 };

/* A loop of 1.2 presliding lengths: to and fro, and up again along the branch that is compared. */
static const double major[] = {0.0, 1.2, -1.2, 1.2};
/* The same with a minor loop at -0.2, and then with another one at 0.7 that has one in itself. */
static const double one_minor[] = {0.0, 1.2, -1.2, -0.2, -0.5, -0.2, 1.2};
static const double nested[] = {0.0, 1.2, -1.2, -0.2, -0.5, -0.2, 0.7, 0.2, 0.5, 0.2, 0.7, 1.2};

typedef struct loop {
    int cells;
    double f[MOST_CELLS]; /* the force at the end of each cell of the path */
} loop;

/* The stretch at which the last element slips: the length of presliding. */
static double presliding(sample *p) {
    const double *kappa = param(p, "kappa"), *lambda = param(p, "lambda");
    const double level = static_level(p);
    double most = level / value_or(p, "Kt", value_or(p, "K", 1e3));
    for (int i = 0; kappa && i < p->elements; i++) {
        const double limit = lambda[i] * level / kappa[i];
        most = i == 0 ? limit : dry_max(most, limit);
    }
    return most;
}

/* So slow that the damping is below 1 % of the level and the Stribeck curve below 1 % of its fall.
 */
static double fast_speed(sample *p) {
    const double speed = presliding(p) / (100.0 * p->slow);
    return dry_min(speed, value_or(p, "vs", (double)INFINITY) / 200.0);
}

/* Half the shortest time constant; laws without one are as fast as the path. */
static double longest_step(sample *p, double speed) {
    static const char *const clocks[] = {"beta", "betat", "tau_d", "C"};
    for (int i = 0; i < 4; i++)
        if (param(p, clocks[i])) return 0.5 * p->fast;
    return presliding(p) / (500.0 * speed);
}

static void step(const sample *p, double h, const double *u, double *s) {
    double f[4], s_dot[MOST_SIZE];
    if (p->law->latch) p->law->latch(p->par, p->dim, u, s);
    evaluate(p, 0.0, u, s, f, s_dot);
    for (int i = 0; i < p->n_states; i++) s[i] += h * s_dot[i];
}

static double force_at(const sample *p, const double *u, const double *s) {
    double f[4], s_dot[MOST_SIZE];
    evaluate(p, 0.0, u, s, f, s_dot);
    return f[f_at(p)];
}

static void lead(sample *p, const double *turns, int n_turns, double speed, loop *out) {
    double u[5] = {0}, s[MOST_SIZE] = {0};
    if (p->law->kind != DRY_FRICTION) u[0] = -gap_scale;
    rest(p, u, s);
    if (state_at(p, "e") >= 0) s[state_at(p, "e")] = gap_scale;
    const double cell = presliding(p) / CELLS_PER_LENGTH;
    const double steps = ceil(cell / (speed * longest_step(p, speed))), h = cell / (speed * steps);
    out->cells = 0;
    for (int k = 1; k < n_turns; k++) {
        const double length = turns[k] - turns[k - 1];
        const int cells = (int)lround(fabs(length) * CELLS_PER_LENGTH);
        u[v_at(p)] = copysign(speed, length);
        for (int i = 0; i < cells; i++) {
            for (int j = 0; j < (int)steps; j++) step(p, h, u, s);
            out->f[out->cells++] = force_at(p, u, s);
        }
    }
}

static double height(const loop *path) {
    double low = path->f[0], high = path->f[0];
    for (int i = 0; i < path->cells; i++) {
        low = dry_min(low, path->f[i]);
        high = dry_max(high, path->f[i]);
    }
    return high - low;
}

/* The largest difference over the last n cells. */
static double apart(const loop *a, const loop *b, int n) {
    double most = 0.0;
    for (int i = 1; i <= n; i++)
        most = dry_max(most, fabs(a->f[a->cells - i] - b->f[b->cells - i]));
    return most;
}

static loop one, other;

/* Ten times the speed; what is left is the viscous part, at most 2 % of the loop's height. */
static bool is_rate_independent(sample *p) {
    lead(p, nested, 12, fast_speed(p), &one);
    lead(p, nested, 12, 0.1 * fast_speed(p), &other);
    return apart(&one, &other, one.cells) <= 0.02 * height(&one);
}

/* From -0.1 on with and without the minor loop at -0.2, and from 0.8 on for the nested ones. The
 * stuck elements have gone to and fro over some 1e5 steps, each with a rounding of eps/2 that
 * mostly cancels: 1e-12 of the height is generous, and a law that forgets is off by parts in a
 * hundred. */
static double opening_of_minor_loops(sample *p) {
    const double speed = 0.1 * fast_speed(p);
    lead(p, major, 4, speed, &one);
    lead(p, one_minor, 7, speed, &other);
    const double first = apart(&one, &other, (int)lround(1.3 * CELLS_PER_LENGTH));
    lead(p, nested, 12, speed, &other);
    const double second = apart(&one, &other, (int)lround(0.4 * CELLS_PER_LENGTH));
    return dry_max(first, second) / height(&one);
}

static void rate_independent(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_claim(&w, DRY_RATE_INDEPENDENT, &p))
        if (p.set <= 2 && !is_rate_independent(&p)) fail_msg("%s, dim %d", p.law->name, p.dim);
    random_source source = {3};
    sample viscous = sample_of(dry_law_find("viscous"), 1, 0, &source);
    assert_false(is_rate_independent(&viscous));
}

static void minor_loops(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_claim(&w, DRY_MINOR_LOOPS, &p)) {
        if (p.set > 1) continue; /* the defaults, and one random set */
        const double open = opening_of_minor_loops(&p);
        if (!(open <= 1e-12)) fail_msg("%s, dim %d: %g", p.law->name, p.dim, open);
    }
}

/* One bristle has no memory of where it turned. */
static void minor_loops_that_do_not_close(void **state) {
    (void)state;
    static const char *const names[] = {"dahl", "lugre", "elastoplastic", "bouc_wen"};
    random_source source = {4};
    for (int i = 0; i < 4; i++) {
        sample p = sample_of(dry_law_find(names[i]), 1, 0, &source);
        assert_false(p.law->traits & DRY_MINOR_LOOPS);
        above(opening_of_minor_loops(&p), 1e-3);
    }
}

/* XD figure 4.8, experiment 8: led slowly to and fro with amplitude A, the default law encloses
 * 4 sum W_i (A - W_i/kappa_i)^+ with W_i = lambda_i Fs = 0.25 N, W_i/kappa_i = 0.05 i um. */
static double loop_area(const sample *p, double A) {
    const int quarter = 400;
    const double v = 1e-9, h = A / (quarter * v);
    double u[1], s[MOST_SIZE] = {0}, f[1], s_dot[MOST_SIZE], area = 0.0;
    for (int i = 0; i < 9 * quarter; i++) { /* the first turn and a quarter leads into the loop */
        u[0] = (i / quarter + 1) / 2 % 2 ? -v : v;
        evaluate(p, h, u, s, f, s_dot); /* tau = h: Euler's implicit method, stable for any step */
        for (int k = 0; k < p->n_states; k++) s[k] += h * s_dot[k];
        if (i >= 5 * quarter) area += f[0] * u[0] * h;
    }
    return area;
}

static void areas_of_the_loops_of_figure_4_8(void **state) {
    (void)state;
    static const double exact[] = {0.05, 0.30, 0.75, 1.40}; /* N um, for 0.1, 0.2, 0.3, 0.4 um */
    random_source source = {5};
    sample p = sample_of(dry_law_find("multistate"), 1, 0, &source);
    *param(&p, "tau_d") = 0.0;
    for (int i = 0; i < 4; i++) /* viscous work sigma_tot v 4 A < 4e-4 N um, steps 1/400 each */
        closer(1e6 * loop_area(&p, (i + 1) * 1e-7), exact[i], 1e-3 + 0.005 * exact[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_independent),
        cmocka_unit_test(minor_loops),
        cmocka_unit_test(minor_loops_that_do_not_close),
        cmocka_unit_test(areas_of_the_loops_of_figure_4_8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
