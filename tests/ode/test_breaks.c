/* Break times are met exactly, with the left limit before and the right limit behind; the grid of a
 * fixed step is t_start + k h and its end is the end that was asked for. */
#include "unit.h"

#include "problems.h"

/* x' = level of t: 1 before 0.3, -2 from then on, 5 from 0.7 on; x is piecewise linear */
static void steps_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = t < 0.3 ? 1.0 : t < 0.7 ? -2.0 : 5.0;
}
static void steps_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 0.7;
    times[1] = (double)INFINITY;
    times[2] = 0.3;
    times[3] = (double)NAN;
    times[4] = -1.0;
}
static const dry_system steps = {
    .name = "steps", .n_states = 1, .n_breaks = 5, .rate = steps_rate, .breaks = steps_breaks};
static double steps_exact(double t) {
    return t < 0.3 ? t : t < 0.7 ? 0.3 - 2.0 * (t - 0.3) : -0.5 + 5.0 * (t - 0.7);
}

/* Every method is exact for a rate that is constant between breaks, whatever the step; so the only
 * error left is rounding, or a stage on the wrong side of a break. */
static void exact_across_breaks(void **state) {
    (void)state;
    const double lengths[] = {0.1, 0.25, 0.07, 1e-3, 2.0};
    for (int m = 0; m < dry_method_count(); m++)
        for (int i = 0; i < 5; i++) {
            run r;
            const dry_ode_options options = {.step = lengths[i]};
            assert_int_equal(run_begin(&r, steps, dry_method_at(m)->name, options, NULL, NULL),
                             DRY_OK);
            assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
            closer(r.ode.x[0], steps_exact(1.0), 1e-13);
            run_end(&r);
        }
}

/* The ends of the steps: the grid, the breaks, the end; and the grid again behind a break. */
static void steps_end_where_they_must(void **state) {
    (void)state;
    const double ends[] = {0.25, 0.3, 0.5, 0.7, 0.75, 1.0, 1.125};
    run r;
    assert_int_equal(run_begin(&r, steps, "heun", (dry_ode_options){.step = 0.25}, NULL, NULL),
                     DRY_OK);
    for (int i = 0; i < 7; i++) {
        below(r.ode.t, 1.125);
        assert_int_equal(dry_ode_step(&r.ode, 1.125), DRY_OK);
        equal(r.ode.t, ends[i]);
    }
    assert_int_equal(dry_ode_step(&r.ode, 1.125), DRY_OK);
    equal(r.ode.t, 1.125);
    assert_int_equal(r.ode.counts.steps, 7);
    run_end(&r);
}

static void dense_output_stays_on_its_side(void **state) {
    (void)state;
    const char *methods[] = {"rk4", "dopri5", "dop853"};
    for (int m = 0; m < 3; m++) {
        run r;
        double x[1];
        run_begin(&r, steps, methods[m], (dry_ode_options){.step = 0.25}, NULL, NULL);
        while (r.ode.t < 1.0) {
            assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
            for (int i = 0; i <= 8; i++) {
                const double t = r.ode.t_before + 0.125 * i * (r.ode.t - r.ode.t_before);
                dry_ode_dense(&r.ode, t, x);
                closer(x[0], steps_exact(t), 1e-13);
            }
        }
        run_end(&r);
    }
}

/* Stage times never reach the break from the left, nor leave it from the right. */
static double first_time, last_time;
static void watched_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    first_time = fmin(first_time, t);
    last_time = fmax(last_time, t);
    x_dot[0] = 1.0;
}
static void one_break(const dry_env *env, double *times) {
    (void)env;
    times[0] = 1.0;
}
static void stages_keep_their_side(void **state) {
    (void)state;
    const dry_system system = {
        .name = "watched", .n_states = 1, .n_breaks = 1, .rate = watched_rate, .breaks = one_break};
    for (int m = 0; m < dry_method_count(); m++) {
        run r;
        run_begin(&r, system, dry_method_at(m)->name, (dry_ode_options){.step = 0.3}, NULL, NULL);
        last_time = 0.0;
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
        equal(r.ode.t, 1.0);
        below(last_time, 1.0);
        first_time = 2.0;
        assert_int_equal(dry_ode_advance(&r.ode, 2.0), DRY_OK);
        equal(first_time, 1.0);
        run_end(&r);
    }
}

/* ---- grid and end -------------------------------------------------------- */

static void grid_without_accumulation(void **state) {
    (void)state;
    const dry_system system = {.name = "plain", .n_states = 1, .rate = watched_rate};
    run r;
    run_begin(&r, system, "euler", (dry_ode_options){.step = 0.1}, NULL, NULL);
    for (long k = 1; k <= 100000; k++) {
        assert_int_equal(dry_ode_step(&r.ode, 1e5), DRY_OK);
        equal(r.ode.t, 0.0 + (double)k * 0.1);
    }
    run_end(&r);
}

/* 3 * 0.1 > 0.3 by rounding: that is no fourth step, and the end is 0.3. */
static void no_crumbs(void **state) {
    (void)state;
    const dry_system system = {.name = "plain", .n_states = 1, .rate = watched_rate};
    const double ends[] = {0.3, 0.3 + 1e-12, 0.3 - 1e-12, 0.7, 1e3};
    const long counts[] = {3, 3, 3, 7, 10000};
    for (int i = 0; i < 5; i++) {
        run r;
        run_begin(&r, system, "rk4", (dry_ode_options){.step = 0.1}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, ends[i]), DRY_OK);
        equal(r.ode.t, ends[i]);
        assert_int_equal(r.ode.counts.steps, counts[i]);
        run_end(&r);
    }
}

static void ends_are_met(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        run r;
        run_begin(&r, drift_system(&force_x13), dry_method_at(m)->name,
                  (dry_ode_options){.step = 1e-3}, NULL, NULL);
        double t = 0.0;
        for (int i = 1; i < 200; i++) {
            t += 1.7e-3 / (1.0 + 0.1 * i);
            assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
            equal(r.ode.t, t);
        }
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_across_breaks),
        cmocka_unit_test(steps_end_where_they_must),
        cmocka_unit_test(dense_output_stays_on_its_side),
        cmocka_unit_test(stages_keep_their_side),
        cmocka_unit_test(grid_without_accumulation),
        cmocka_unit_test(no_crumbs),
        cmocka_unit_test(ends_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
