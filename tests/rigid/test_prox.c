/* Vectors, many blocks, periodic motion, and what the two ways through a step have in common. */
#include "unit.h"

#include "chain.h"

/* ---- a puck in the plane ------------------------------------------------- */

static void a_puck_slides_straight_and_stops(void **state) {
    (void)state;
    const double par[] = {1.0, 0.0, 0.0}; /* 5 m/s against 1 m/s^2: 12.5 m along (3, 4)/5 */
    problem of;
    puck_problem(&of, par, 3.0, 4.0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 0.01});
    go(r, 3.0);
    const double *x = dry_rigid_state(r);
    closer(4.0 * x[2], 3.0 * x[3], 1e-12);
    closer(4.0 * x[0], 3.0 * x[1], 1e-12);
    go(r, 6.0);
    equal(x[0], 0.0);
    equal(x[1], 0.0);
    closer(x[2], 7.5, 1e-12);
    closer(x[3], 10.0, 1e-12);
    dry_rigid_free(r);
}

/* A force across bends the path. While it slips, x' and y' obey a smooth equation: RK4 in small
 * steps is the reference, to a time before the stop. */
static void puck_reference(const double par[3], double x[4], double T, int n) {
    const double h = T / n;
    for (int k = 0; k < n; k++) {
        double rate[5][4] = {{0}}, y[4];
        for (int s = 0; s < 4; s++) {
            const double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            for (int i = 0; i < 4; i++) y[i] = x[i] + part * rate[s][i];
            const double speed = sqrt(y[0] * y[0] + y[1] * y[1]);
            for (int i = 0; i < 2; i++) {
                rate[s + 1][i] = par[1 + i] - par[0] * y[i] / speed;
                rate[s + 1][2 + i] = y[i];
            }
        }
        for (int i = 0; i < 4; i++)
            x[i] += h / 6.0 * (rate[1][i] + 2.0 * rate[2][i] + 2.0 * rate[3][i] + rate[4][i]);
    }
}
static double puck_error(double h) {
    const double par[] = {1.0, 0.5, -0.2};
    double want[4] = {-1.0, 2.0, 0.0, 0.0};
    problem of;
    puck_problem(&of, par, -1.0, 2.0);
    puck_reference(par, want, 1.0, 20000);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    go(r, 1.0);
    const double *x = dry_rigid_state(r);
    const double error = hypot(x[2] - want[2], x[3] - want[3]);
    dry_rigid_free(r);
    return error;
}
static void a_bent_path_is_of_second_order(void **state) {
    (void)state;
    const double coarse = puck_error(1e-2), fine = puck_error(1e-3);
    below(coarse, 1e-4);        /* h^2 */
    below(fine, coarse / 80.0); /* 100 for order 2 */
}

/* A mass that is three times as heavy across: the direction of slip is not that of the force. */
static void heavy_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    puck_eval(env, t, x, lambda, out);
    out->rate[1] /= 3.0;
    out->push[1] /= 3.0;
}
static void an_uneven_mass_obeys_its_set(void **state) {
    (void)state;
    const double par[] = {1.0, 0.3, 0.2};
    problem of;
    puck_problem(&of, par, 1.0, 1.0);
    of.inclusion.eval = heavy_eval;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    for (int k = 1; k <= 6000; k++) {
        const double before[2] = {dry_rigid_state(r)[0], dry_rigid_state(r)[1]};
        go(r, 1e-3 * k);
        const double *x = dry_rigid_state(r), *f = dry_rigid_forces(r);
        const double v[2] = {0.5 * (before[0] + x[0]), 0.5 * (before[1] + x[1])};
        at_most(hypot(f[0], f[1]), 1.0 + 1e-12);
        if (k < 1000) { /* slips: the force is along the mid-step slide */
            closer(f[0] * v[1], f[1] * v[0], 1e-12);
            above(f[0] * v[0] + f[1] * v[1], 0.0);
        }
    }
    equal(dry_rigid_state(r)[0], 0.0);
    equal(dry_rigid_state(r)[1], 0.0);
    closer(dry_rigid_forces(r)[0], 0.3, 1e-12);
    dry_rigid_free(r);
}

/* ---- many blocks --------------------------------------------------------- */

static dry_rigid *chain_run(chain *of, int n, bool between, double force, double T) {
    dry_rigid *r = NULL;
    dry_error error = {0};
    const dry_rigid_options options = {.step = 1e-3};
    chain_begin(of, n, between, force);
    is_ok(dry_rigid_new(&of->inclusion, &options, NULL, 0.0, &r, &error), &error);
    is_ok(dry_rigid_advance(r, T, &error), &error);
    return r;
}

static void a_thousand_blocks_on_the_floor_cost_what_one_costs(void **state) {
    (void)state; /* an evaluation and a sweep cost n; their number may not grow with n */
    const int sizes[] = {100, 1000};
    long evals[2];
    for (int i = 0; i < 2; i++) {
        chain of;
        dry_rigid *r = chain_run(&of, sizes[i], false, 30.0, 0.5);
        evals[i] = dry_rigid_count(r).evals - sizes[i]; /* one per velocity at the start */
        assert_int_equal(dry_rigid_count(r).newtons, 0);
        dry_rigid_free(r);
        chain_end(&of);
    }
    below(evals[0], 3 * 500);
    below(evals[1], 3 * 500);
}

static void a_thousand_blocks_stuck_together_move_as_one(void **state) {
    (void)state;
    const int n = 1000;
    chain of;
    dry_rigid *r = chain_run(&of, n, true, 0.4, 0.1);
    const double *x = dry_rigid_state(r), a = 0.4 / n;
    for (int i = 0; i < n; i++) {
        closer(x[i], 0.1 * a, 1e-9 * a); /* residual 1e-12 of 0.4 N, over a */
        if (i < n - 1) closer(dry_rigid_forces(r)[i], a * (i + 1), 1e-11);
    }
    below(dry_rigid_count(r).iterations, 10 * 100); /* Newton, not thousands of sweeps */
    dry_rigid_free(r);
    chain_end(&of);
}

static void the_last_block_slips_where_it_is_pulled_too_hard(void **state) {
    (void)state; /* 0.6 N: the last one slips, 0.5 N pull the other 99 */
    const int n = 100;
    chain of;
    dry_rigid *r = chain_run(&of, n, true, 0.6, 0.1);
    const double *x = dry_rigid_state(r);
    closer(x[n - 1], 0.1 * 0.1, 1e-12);
    closer(x[0], 0.1 * 0.5 / (n - 1), 1e-12);
    dry_rigid_free(r);
    chain_end(&of);
}

/* ---- X13 (48) ------------------------------------------------------------ */

/* Where the cubic through two points with slopes is zero, as a part of the step. */
static double hermite_zero(double p, double p_dot, double q, double q_dot, double h) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double s = 0.5 * (low + high), c = 1.0 - s;
        const double value = p * c * c * (1.0 + 2.0 * s) + q * s * s * (3.0 - 2.0 * s) +
                             h * s * c * (p_dot * c - q_dot * s);
        if (value < 0.0)
            low = s;
        else
            high = s;
    }
    return low;
}

/* The time between the last two passages of p through zero upwards within 60 s. */
static double period(double F, double h) {
    problem of;
    belt_problem(&of, &F);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    double p = of.start[1], w = 0.0, last = 0.0, found = 0.0;
    for (long k = 1; k <= lround(60.0 / h); k++) {
        go(r, (double)k * h);
        const double *x = dry_rigid_state(r);
        if (p < 0.0 && x[1] >= 0.0) {
            const double t =
                (double)(k - 1) * h + h * hermite_zero(p, 1.0 - w, x[1], 1.0 - x[0], h);
            found = t - last;
            last = t;
        }
        w = x[0], p = x[1];
    }
    dry_rigid_free(r);
    return found;
}

static void the_periodic_motion_has_its_exact_period(void **state) {
    (void)state; /* experiments.md, experiment 5, printed with 6 decimals */
    closer(period(0.2, 1e-3), 7.749716, 1e-6);
    closer(period(0.5, 1e-3), 8.030553, 1e-6);
}

/* ---- one scheme, however it is computed ---------------------------------- */

static void the_short_way_gives_the_numbers_of_the_long_one(void **state) {
    (void)state;
    const double F = 0.5;
    double end[2][2];
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        belt_problem(&of, &F);
        of.inclusion.steady = steady;
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        go(r, 20.0);
        memcpy(end[steady], dry_rigid_state(r), sizeof end[steady]);
        if (steady)
            below(dry_rigid_count(r).evals, 20200);
        else
            above(dry_rigid_count(r).evals, 60000);
        dry_rigid_free(r);
    }
    all_closer(2, end[0], end[1], 1e-9);
}

static void parallel_sets_share_the_load(void **state) {
    (void)state; /* the gear box at rest, pushed by less than both levels together */
    const double delta = 0.7;
    problem of;
    gear_problem(&of, &delta);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 0.75);
    equal(dry_rigid_state(r)[0], 0.0);
    closer(dry_rigid_forces(r)[0], -dry_rigid_forces(r)[1], 1e-12);
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puck_slides_straight_and_stops),
        cmocka_unit_test(a_bent_path_is_of_second_order),
        cmocka_unit_test(an_uneven_mass_obeys_its_set),
        cmocka_unit_test(a_thousand_blocks_on_the_floor_cost_what_one_costs),
        cmocka_unit_test(a_thousand_blocks_stuck_together_move_as_one),
        cmocka_unit_test(the_last_block_slips_where_it_is_pulled_too_hard),
        cmocka_unit_test(the_periodic_motion_has_its_exact_period),
        cmocka_unit_test(the_short_way_gives_the_numbers_of_the_long_one),
        cmocka_unit_test(parallel_sets_share_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
