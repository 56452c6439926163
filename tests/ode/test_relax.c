/* States that relax on their own do not hold the step back, and what only looks like one of them is
 * not taken for it.
 *
 *     x0_dot = lambda (target(t) - x0),  x1_dot = x2,  x2_dot = -x1 + coupling x0
 *
 * lambda: 1/s; the oscillator beside it has period 2 pi s. */
#include "unit.h"

#include "problems.h"

enum { LAMBDA, COUPLING, RAMP, PAR };
static const dry_quantity params[PAR] = {{"lambda", "1/s"}, {"coupling", ""}, {"ramp", ""}};

/* 1, and from t = 2 on a ramp that begins softly */
static double target(const double *par, double t) {
    const double late = t > 2.0 ? t - 2.0 : 0.0;
    return 1.0 + par[RAMP] * late * late * late;
}
static void start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 0.0;
    x[1] = 1.0;
    x[2] = 0.0;
}
static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const double *par = env->par;
    (void)tau;
    x_dot[0] = par[LAMBDA] * (target(par, t) - x[0]);
    x_dot[1] = x[2];
    x_dot[2] = -x[1] + par[COUPLING] * x[0];
}
static const dry_system system_of_three = {.name = "relaxing",
                                           .n_states = 3,
                                           .n_par = PAR,
                                           .params = params,
                                           .start = start,
                                           .rate = rate};

static void begin(run *r, const char *method, double tolerance, const double *par) {
    const dry_ode_options options = {.rtol = tolerance, .atol = tolerance};
    assert_int_equal(run_begin(r, system_of_three, method, options, par, NULL), DRY_OK);
}

/* Fixed steps of lambda h = 1/4. What the fall of x0 does to x2 is exact (x2 + x0 / lambda changes
 * at a rate without x0), and the error of the oscillator is some h^4 = 2e-12. */
static void by_small_steps(const double *par, double t_end, double *x) {
    run r;
    const dry_ode_options options = {.step = 0.25 / par[LAMBDA]};
    assert_int_equal(run_begin(&r, system_of_three, "rk4", options, par, NULL), DRY_OK);
    assert_int_equal(dry_ode_advance(&r.ode, t_end), DRY_OK);
    for (int i = 0; i < 3; i++) x[i] = r.ode.x[i];
    run_end(&r);
}

/* ---- a step that is not held back ---------------------------------------- */

/* A pair that is stable up to lambda h = 6.1 would need 12 rates in each 6.1e-4 s, 2e5 of them; the
 * oscillator alone needs some hundreds. */
static void long_steps(void **state) {
    (void)state;
    const double par[PAR] = {[LAMBDA] = 1e4};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        begin(&r, pairs[m], 1e-8, par);
        assert_int_equal(dry_ode_advance(&r.ode, 10.0), DRY_OK);
        below(r.ode.counts.rates, 3000);
        closer(r.ode.x[0], 1.0, 1e-8);
        closer(r.ode.x[1], cos(10.0), 3e-7);
        closer(r.ode.x[2], -sin(10.0), 3e-7);
        run_end(&r);
    }
}

/* The continuous output falls with the state: x0 = 1 - exp(-lambda t) everywhere in every step. */
static void continuous_output(void **state) {
    (void)state;
    const double par[PAR] = {[LAMBDA] = 300.0};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        double x[3];
        begin(&r, pairs[m], 1e-9, par);
        while (r.ode.t < 1.0) {
            assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
            for (int i = 0; i <= 16; i++) {
                const double t = r.ode.t_before + i / 16.0 * (r.ode.t - r.ode.t_before);
                dry_ode_dense(&r.ode, t, x);
                closer(x[0], 1.0 - exp(-300.0 * t), 1e-7);
                closer(x[1], cos(t), 1e-6);
            }
        }
        run_end(&r);
    }
}

/* ---- what is none -------------------------------------------------------- */

/* The target stands still for two seconds, in which x0 is followed in closed form, and then moves:
 * the ramp costs lambda-sized steps again, and the error stays near the tolerance. */
static void target_begins_to_move(void **state) {
    (void)state;
    const double par[PAR] = {[LAMBDA] = 200.0, [COUPLING] = 1.0, [RAMP] = 0.3};
    double x[3];
    by_small_steps(par, 4.0, x);
    for (int m = 0; m < PAIRS; m++)
        for (double tolerance = 1e-4; tolerance > 0.5e-9; tolerance *= 0.1) {
            run r;
            begin(&r, pairs[m], tolerance, par);
            assert_int_equal(dry_ode_advance(&r.ode, 4.0), DRY_OK);
            all_closer(3, r.ode.x, x, 30.0 * tolerance);
            run_end(&r);
        }
}

/* An oscillator's velocity falls with its own value for a while, but not on a line. */
static void oscillator_alone(void **state) {
    (void)state;
    const double par[PAR] = {[LAMBDA] = 1.0};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        begin(&r, pairs[m], 1e-3, par);
        while (r.ode.t < 50.0) {
            assert_int_equal(dry_ode_step(&r.ode, 50.0), DRY_OK);
            at_most(r.ode.relaxed.count, 1); /* x0 */
        }
        closer(r.ode.x[1], cos(50.0), 0.3);
        run_end(&r);
    }
}

/* ---- going on after a fault ---------------------------------------------- */

/* The limit of steps is met before every step, also while x0 falls, and then raised: nothing is
 * lost by that. */
static void goes_on_after_a_limit(void **state) {
    (void)state;
    const double par[PAR] = {[LAMBDA] = 30.0};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        begin(&r, pairs[m], 1e-8, par);
        dry_status status = DRY_TOO_MANY_STEPS;
        for (long most = 1; status == DRY_TOO_MANY_STEPS; most++) {
            r.ode.options.max_steps = most;
            status = dry_ode_advance(&r.ode, 3.0);
            closer(r.ode.x[0], 1.0 - exp(-30.0 * r.ode.t), 1e-7);
            below(most, 300);
        }
        assert_int_equal(status, DRY_OK);
        closer(r.ode.x[1], cos(3.0), 1e-6);
        run_end(&r);
    }
}

/* ---- the papers' laws ---------------------------------------------------- */

/* Saturated friction (a) and an open contact (e) relax: no tolerance from 1e-3 to 1e-12 fails. */
static void every_tolerance(void **state) {
    (void)state;
    const struct {
        dry_system system;
        double end;
    } all[] = {{drift_system(&force_x13), 3.0},
               {bounce_system(), 2.0},
               {sphere_system(), 1.0},
               {conveyor_system(), 0.2}};
    for (size_t s = 0; s < sizeof all / sizeof all[0]; s++)
        for (int m = 0; m < PAIRS; m++)
            for (double tolerance = 1e-3; tolerance > 0.5e-12; tolerance *= 0.31622776601683794) {
                const dry_ode_options options = {.rtol = tolerance, .atol = tolerance};
                run r;
                assert_int_equal(run_begin(&r, all[s].system, pairs[m], options, NULL, NULL),
                                 DRY_OK);
                assert_int_equal(dry_ode_advance(&r.ode, all[s].end), DRY_OK);
                run_end(&r);
            }
}

/* From 0.66 s to 2 s the mass slides under a constant force, v_dot = 0.02 m/s^2, and a rests at
 * F/K: ten steps of the longest length and a few to get there, where stability alone (1/beta = 500
 * 1/s, lambda h up to 6.1 or 3.3) would ask for 106 steps of dop853 and 195 of dopri5. */
static void slide_of_the_drift(void **state) {
    (void)state;
    for (int m = 0; m < PAIRS; m++) {
        const dry_ode_options options = {.rtol = 1e-9, .atol = 1e-9};
        run r;
        assert_int_equal(run_begin(&r, drift_system(&force_x13), pairs[m], options, NULL, NULL),
                         DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 0.7), DRY_OK);
        const long before = r.ode.counts.steps + r.ode.counts.rejected;
        const double v = r.ode.x[0], p = r.ode.x[1];
        assert_int_equal(dry_ode_advance(&r.ode, 1.99), DRY_OK);
        below(r.ode.counts.steps + r.ode.counts.rejected - before, 40);
        closer(r.ode.x[0], v + 0.02 * 1.29, 1e-9);
        closer(r.ode.x[1], p + v * 1.29 + 0.01 * 1.29 * 1.29, 1e-8);
        closer(r.ode.x[2], 1e-4, 1e-9);
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_steps),
        cmocka_unit_test(continuous_output),
        cmocka_unit_test(target_begins_to_move),
        cmocka_unit_test(oscillator_alone),
        cmocka_unit_test(goes_on_after_a_limit),
        cmocka_unit_test(every_tolerance),
        cmocka_unit_test(slide_of_the_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
