/* What goes wrong is told: which state, when, which condition; and the last good state is kept. */
#include "unit.h"

#include "problems.h"

/* ---- options ------------------------------------------------------------- */

static void decay_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = -x[0];
    x_dot[1] = 1.0;
}
static const dry_system decay = {.name = "decay", .n_states = 2, .rate = decay_rate};

static dry_status begin(const char *method, dry_ode_options options) {
    run r;
    const dry_status status = run_begin(&r, decay, method, options, NULL, NULL);
    run_end(&r);
    return status;
}
static void bad_options(void **state) {
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double bad_steps[] = {0.0, -1e-3, nan, inf};
    for (int i = 0; i < 4; i++)
        assert_int_equal(begin("rk4", (dry_ode_options){.step = bad_steps[i]}), DRY_BAD_ARGUMENT);
    const double bad[] = {-1e-3, nan, inf};
    for (int m = 0; m < PAIRS; m++) {
        const char *pair = pairs[m];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(begin(pair, (dry_ode_options){.step = bad[i]}), DRY_BAD_ARGUMENT);
            assert_int_equal(begin(pair, (dry_ode_options){.rtol = bad[i]}), DRY_BAD_ARGUMENT);
            assert_int_equal(begin(pair, (dry_ode_options){.atol = bad[i]}), DRY_BAD_ARGUMENT);
            assert_int_equal(begin(pair, (dry_ode_options){.max_step = bad[i]}), DRY_BAD_ARGUMENT);
        }
        assert_int_equal(begin(pair, (dry_ode_options){.max_steps = -1}), DRY_BAD_ARGUMENT);
        for (int i = 0; i < 3; i++)
            assert_int_equal(begin(pair, (dry_ode_options){.most_rate = bad[i]}), DRY_BAD_ARGUMENT);
        assert_int_equal(begin(pair, (dry_ode_options){0}), DRY_OK);
    }
}

static void bad_times(void **state) {
    (void)state;
    const char *methods[] = {"rk4", "dopri5", "dop853"};
    for (int m = 0; m < 3; m++) {
        run r;
        run_begin(&r, decay, methods[m], (dry_ode_options){.step = 0.1}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 0.5), DRY_BAD_ARGUMENT);
        assert_int_equal(dry_ode_advance(&r.ode, (double)NAN), DRY_BAD_ARGUMENT);
        assert_int_equal(dry_ode_advance(&r.ode, (double)INFINITY), DRY_BAD_ARGUMENT);
        equal(r.ode.t, 1.0);
        run_end(&r);
    }
}

static void bad_start(void **state) {
    (void)state;
    const double x0[] = {0.0, (double)NAN};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        assert_int_equal(run_begin(&r, decay, pairs[m], (dry_ode_options){0}, NULL, x0),
                         DRY_NOT_FINITE);
        assert_int_equal(r.ode.fault.state, 1);
        run_end(&r);
    }
}

/* ---- not finite ---------------------------------------------------------- */

/* x1' = 1 until t = 0.45, then nothing known */
static void cliff_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = 1.0;
    x_dot[1] = t < 0.45 ? 1.0 : (double)NAN;
}
static void not_a_number(void **state) {
    (void)state;
    const dry_system system = {.name = "cliff", .n_states = 2, .rate = cliff_rate};
    for (int m = 0; m < dry_method_count(); m++) {
        const bool adaptive = dry_method_at(m)->adaptive;
        run r;
        run_begin(&r, system, dry_method_at(m)->name, (dry_ode_options){.step = 0.1}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_NOT_FINITE);
        assert_int_equal(r.ode.fault.state, 1);
        equal(r.ode.fault.t, r.ode.t);
        below(r.ode.t, 0.55);
        above(r.ode.t, adaptive ? 0.4499 : 0.35);
        closer(r.ode.x[0], r.ode.t, 1e-12);
        closer(r.ode.x[1], r.ode.t, 1e-12);
        run_end(&r);
    }
}

/* A trial that is too long for the domain of the rate is shortened, not given up: x' = -sqrt(x),
 * x(0) = 1 has x = (1 - t/2)^2, and a long stage takes the root of a negative number. */
static void root_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = -sqrt(x[0]);
}
static void shrinking_helps(void **state) {
    (void)state;
    const dry_system system = {.name = "root", .n_states = 1, .rate = root_rate};
    const double x0 = 1.0;
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, system, pairs[m], (dry_ode_options){.step = 1.9, .max_step = 1.9}, NULL, &x0);
        assert_int_equal(dry_ode_advance(&r.ode, 1.9), DRY_OK);
        closer(r.ode.x[0], 0.0025, 1e-6);
        above(r.ode.counts.rejected, 0);
        run_end(&r);
    }
}

/* X13 Fig 3 with a step beyond 2.785 beta: the slipping element overflows (experiments, 3.A). */
static void overflow_is_told(void **state) {
    (void)state;
    run r;
    run_begin(&r, drift_system(&force_x13), "rk4", (dry_ode_options){.step = 0.01}, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, 200.0), DRY_NOT_FINITE);
    is_finite(r.ode.x[0]);
    is_finite(r.ode.x[1]);
    is_finite(r.ode.x[2]);
    run_end(&r);
}

/* x' = x^2 reaches infinity at t = 1: no step is short enough there. */
static void square_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = 0.0;
    x_dot[1] = x[1] * x[1];
}
static void collapse_is_told(void **state) {
    (void)state;
    const dry_system system = {.name = "square", .n_states = 2, .rate = square_rate};
    const double x0[] = {1.0, 1.0};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, system, pairs[m], (dry_ode_options){0}, NULL, x0);
        const dry_status status = dry_ode_advance(&r.ode, 2.0);
        if (status != DRY_STEP_COLLAPSED) assert_int_equal(status, DRY_NOT_FINITE);
        assert_int_equal(r.ode.fault.state, 1);
        closer(r.ode.t, 1.0, 1e-4);
        is_finite(r.ode.x[1]);
        run_end(&r);
    }
}

/* A rate that is noise has no step short enough to be accurate. */
static void noise_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = 0.0;
    x_dot[1] = t > 0.5 ? 1e12 * sin(1e18 * t) : 0.0;
}
static void noise_collapses(void **state) {
    (void)state;
    const dry_system system = {.name = "noise", .n_states = 2, .rate = noise_rate};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, system, pairs[m], (dry_ode_options){.rtol = 1e-9, .atol = 1e-9}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_STEP_COLLAPSED);
        assert_int_equal(r.ode.fault.state, 1);
        at_most(r.ode.t, 0.5 + 1e-9);
        above(r.ode.t, 0.4);
        run_end(&r);
    }
}

/* Friction written as a jump, x' = w sin(t) - sign(x): the solution stays at x = 0, and every step
 * would cross it. */
static void jump_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = 0.2 * sin(3.0 * t) - (x[1] > 0.0 ? 0.5 : -0.5);
}
static void jump_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)t;
    g[0] = x[1];
}
static void chatter_is_told(void **state) {
    (void)state;
    const dry_system system = {
        .name = "jump", .n_states = 2, .n_kinks = 1, .rate = jump_rate, .kinks = jump_kinks};
    const double x0[] = {0.0, 1.0};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, system, pairs[m], (dry_ode_options){0}, NULL, x0);
        assert_int_equal(dry_ode_advance(&r.ode, 20.0), DRY_STEP_COLLAPSED);
        between(r.ode.t, 2.0, 2.2); /* where the velocity comes to zero */
        run_end(&r);
    }
}

/* A relay away from zero: x comes to 1 after 1 s, and there error control leaves steps that are
 * long enough to get on, far too slowly. */
static void relay_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[0] < 1.0 ? 0.5 : -0.5;
}
static void relay_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)t;
    g[0] = x[0] - 1.0;
}
static void slow_chatter_is_told(void **state) {
    (void)state;
    const dry_system system = {
        .name = "relay", .n_states = 1, .n_kinks = 1, .rate = relay_rate, .kinks = relay_kinks};
    const double x0[] = {0.5};
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, system, pairs[m], (dry_ode_options){.max_steps = 2000000}, NULL, x0);
        assert_int_equal(dry_ode_advance(&r.ode, 10.0), DRY_STEP_COLLAPSED);
        at_least(r.ode.t, 1.0);
        below(r.ode.t, 1.1);
        run_end(&r);
    }
}

/* ---- rates of laws ------------------------------------------------------- */

/* x[1] = t, and a law settles at 100 t 1/s: steps that follow 30 1/s can follow it up to t = 0.3 */
static double rate_of_law(const dry_env *env, double t, double tau, const double *x,
                          const char **law) {
    (void)env, (void)tau;
    closer(x[1], t, 1e-9);
    *law = "rub";
    return 100.0 * x[1];
}
static const dry_system quick = {
    .name = "quick", .n_states = 2, .rate = decay_rate, .fastest = rate_of_law};

static void a_law_that_is_too_fast(void **state) {
    (void)state;
    const char *methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    const dry_ode_options options = {.step = 1e-3, .most_rate = 30.0};
    for (int m = 0; m < 5; m++)
        for (int rows = 1; rows <= 1000; rows *= 10) {
            dry_status status = DRY_OK;
            run r;
            run_begin(&r, quick, methods[m], options, NULL, NULL);
            for (int k = 1; k <= rows && status == DRY_OK; k++)
                status = dry_ode_advance(&r.ode, (double)k / rows);
            assert_int_equal(status, DRY_RUN_FAILED);
            assert_string_equal(r.ode.fault.law, "rub");
            equal(r.ode.fault.rate, 100.0 * r.ode.x[1]);
            equal(r.ode.fault.t, r.ode.t);
            between(r.ode.t, 0.3, 0.3051); /* asked every 4 steps by then */
            run_end(&r);
        }
}

static void a_law_that_starts_too_fast(void **state) {
    (void)state;
    const double x0[] = {1.0, 5.0};
    run r;
    run_begin(&r, quick, "rk4", (dry_ode_options){.step = 1e-3, .most_rate = 30.0}, NULL, x0);
    r.ode.t = 5.0;
    assert_int_equal(dry_ode_advance(&r.ode, 6.0), DRY_RUN_FAILED);
    equal(r.ode.t, 5.0);
    equal(r.ode.fault.rate, 500.0);
    assert_int_equal(r.ode.counts.steps, 0);
    run_end(&r);
}

static void a_law_that_is_not_asked(void **state) {
    (void)state;
    const dry_ode_options options[] = {{.step = 1e-3},
                                       {.step = 1e-3, .most_rate = 101.0},
                                       {.step = 1e-3, .most_rate = 30.0, .rate_is_noted = true}};
    for (int i = 0; i < 3; i++) {
        run r;
        run_begin(&r, quick, "rk4", options[i], NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
        assert_int_equal(r.ode.fault.law != NULL, i == 2);
        if (i == 2) between(r.ode.fault.t, 0.3, 0.3051);
        run_end(&r);
    }
    for (int m = 0; m < PAIRS; m++) {
        run r;
        run_begin(&r, quick, pairs[m], (dry_ode_options){.most_rate = 30.0}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
        assert_null(r.ode.fault.law);
        run_end(&r);
    }
}

/* ---- limits, watched conditions, discrete states ------------------------- */

static void step_limit(void **state) {
    (void)state;
    const char *methods[] = {"euler", "rk4", "dopri5", "dop853"};
    for (int m = 0; m < 4; m++) {
        run r;
        run_begin(&r, drift_system(&force_x13), methods[m],
                  (dry_ode_options){.step = 1e-3, .max_steps = 10}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_TOO_MANY_STEPS);
        assert_int_equal(r.ode.counts.steps + r.ode.counts.rejected, 10);
        above(r.ode.t, 0.0);
        equal(r.ode.fault.t, r.ode.t);
        run_end(&r);
    }
}

static int below_half(const dry_env *env, double t, const double *x) {
    (void)env, (void)t;
    return x[1] < 0.55 ? 0 : 7;
}
static void watched_condition(void **state) {
    (void)state;
    dry_system system = decay;
    system.watch = below_half;
    for (int m = 0; m < dry_method_count(); m++) {
        run r;
        run_begin(&r, system, dry_method_at(m)->name,
                  (dry_ode_options){.step = 0.1, .max_step = 0.1}, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_RUN_FAILED);
        assert_int_equal(r.ode.fault.watch, 7);
        equal(r.ode.fault.t, r.ode.t);
        at_least(r.ode.x[1], 0.55);
        below(r.ode.t, 0.66);
        run_end(&r);
    }
}

/* A sawtooth: x1 falls back by 1 whenever it has reached 1; x0 counts the teeth. */
static bool saw_latch(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    if (x[1] < 1.0 - 1e-9) return false;
    x[1] -= 1.0;
    x[0] += 1.0;
    return true;
}
static void saw_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = 0.0;
    x_dot[1] = x[0] < 0.5 ? 1.0 : 2.0; /* the rate after a latch must be the new one */
}
static void latched_states(void **state) {
    (void)state;
    const dry_system system = {.name = "saw", .n_states = 2, .rate = saw_rate, .latch = saw_latch};
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_ode_options options = {.step = 0.125, .max_step = 0.125};
        double x[2];
        run r;
        run_begin(&r, system, dry_method_at(m)->name, options, NULL, NULL);
        assert_int_equal(dry_ode_advance(&r.ode, 0.875), DRY_OK);
        assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
        equal(r.ode.t, 1.0);
        equal(r.ode.x[0], 1.0);
        closer(r.ode.x[1], 0.0, 1e-12);
        dry_ode_dense(&r.ode, 0.9375, x); /* before the latch */
        closer(x[0], 0.0, 1e-12);
        closer(x[1], 0.9375, 1e-12);
        assert_int_equal(dry_ode_advance(&r.ode, 1.25), DRY_OK);
        closer(r.ode.x[1], 0.5, 1e-12);
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_times),
        cmocka_unit_test(bad_start),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(shrinking_helps),
        cmocka_unit_test(overflow_is_told),
        cmocka_unit_test(collapse_is_told),
        cmocka_unit_test(noise_collapses),
        cmocka_unit_test(chatter_is_told),
        cmocka_unit_test(slow_chatter_is_told),
        cmocka_unit_test(a_law_that_is_too_fast),
        cmocka_unit_test(a_law_that_starts_too_fast),
        cmocka_unit_test(a_law_that_is_not_asked),
        cmocka_unit_test(step_limit),
        cmocka_unit_test(watched_condition),
        cmocka_unit_test(latched_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
