/* Every message of sim (but that of missing memory) is provoked: it names the state, the time and a
 * way out, and what was recorded before the error is kept. */
#include "unit.h"

#include <drystone/sim.h>
#include <string.h>

#include "ode/problems.h"

/* Runs into an error, and holds its text against two words that it must contain. */
static dry_sim_result provoke(const dry_system *system, dry_sim_options options, dry_status status,
                              const char *word, const char *way_out) {
    dry_sim_result result;
    dry_error error;
    assert_int_equal(dry_sim_run(system, &options, &result, &error), status);
    assert_int_equal(error.status, status);
    if (!strstr(error.text, word) || !strstr(error.text, way_out))
        fail_msg("\"%s\" and \"%s\" are not both in: %s", word, way_out, error.text);
    return result;
}

static void refused_before_the_run(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const dry_method *dopri5 = dry_method_find("dopri5");
    const double nan = (double)NAN, inf = (double)INFINITY;
    const struct {
        dry_sim_options options;
        const char *word, *way_out;
    } rows[] = {
        {{.run = {.until = 1.0}}, "rk4 needs a finite step", "dopri5"},
        {{.run = {.until = 1.0, .step = -1e-3}}, "-0.001 s", "give one"},
        {{.run = {.until = 1.0, .step = nan}}, "nan", "step > 0"},
        {{.run = {.until = 1.0, .method = dopri5, .step = -1.0}}, "-1 s", "negative"},
        {{.run = {.until = 1.0, .method = dopri5, .max_step = nan}}, "longest step", "negative"},
        {{.run = {.until = 1.0, .method = dopri5, .rtol = -1e-3}}, "rtol (-0.001)", "negative"},
        {{.run = {.until = 1.0, .method = dopri5, .atol = nan}}, "atol (nan)", "negative"},
        {{.run = {.until = 1.0, .step = 1e-3, .max_steps = -5}}, "(-5)", "negative"},
        {{.run = {.step = 1e-3}}, "until = 0 s", "after it begins"},
        {{.run = {.until = inf, .step = 1e-3}}, "until = inf s", "after it begins"},
        {{.run = {.until = 1.0, .step = 1e-3}, .from = 2.0}, "begins (2 s)", "after it begins"},
        {{.run = {.until = 1.0, .record = -0.1, .step = 1e-3}}, "record = -0.1 s", "negative"},
        {{.run = {.until = 2e9, .step = 1e-9}, .from = 1e9}, "does not change the time", "longer"},
        {{.run = {.until = 1e9, .step = 1e-3}}, "6 columns", "record less often"},
        {{.run = {.until = 1.0, .record = 1e-300, .step = 1e-3}}, "2^31", "record less often"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const dry_sim_result r =
            provoke(&system, rows[i].options, DRY_BAD_ARGUMENT, rows[i].word, rows[i].way_out);
        assert_null(r.record);
    }
}

/* The last row is the last good instant, finite and before the end. */
static void keeps_what_was_good(dry_sim_result *r, double until) {
    const size_t rows = dry_record_rows(r->record);
    at_least(rows, 2);
    below(dry_record_values(r->record, 0)[rows - 1], until);
    for (int i = 0; i < dry_record_columns(r->record); i++)
        is_finite(dry_record_values(r->record, i)[rows - 1]);
    dry_record_free(r->record);
}

/* A step beyond 2.785 beta: the slipping element overflows. */
static void overflow(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    dry_sim_result r = provoke(&system, (dry_sim_options){.run = {.until = 200.0, .step = 0.01}},
                               DRY_NOT_FINITE, "became infinite", "reduce the step (now 0.01 s)");
    at_least(r.fault.state, 0);
    below(r.fault.state, 3);
    keeps_what_was_good(&r, 200.0);
}

static const dry_quantity one_state[] = {{"depth", "m"}};
static void root_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = sqrt(0.5 - t);
}
static void no_rate(void **state) {
    (void)state;
    const dry_system system = {
        .name = "root", .n_states = 1, .states = one_state, .rate = root_rate};
    const dry_sim_options options = {.run = {.method = dry_method_find("dopri5"), .until = 1.0}};
    dry_sim_result r =
        provoke(&system, options, DRY_NOT_FINITE, "the rate of depth", "root of a negative");
    keeps_what_was_good(&r, 1.0);
}

static void noise_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = t > 0.5 ? 1e12 * sin(1e18 * t) : 1.0;
}
static void collapse(void **state) {
    (void)state;
    const dry_system system = {
        .name = "noise", .n_states = 1, .states = one_state, .rate = noise_rate};
    const dry_sim_options options = {.run = {.method = dry_method_find("dopri5"), .until = 1.0}};
    dry_sim_result r =
        provoke(&system, options, DRY_STEP_COLLAPSED, "error of depth", "loosen rtol (now 1e-6)");
    keeps_what_was_good(&r, 1.0);
}

static void bad_start(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const double x0[] = {0.0, (double)NAN, 0.0};
    dry_sim_result r =
        provoke(&system, (dry_sim_options){.run = {.until = 1.0, .step = 1e-3}, .x0 = x0},
                DRY_NOT_FINITE, "p is not a finite number at the start", "initial value");
    assert_int_equal(dry_record_rows(r.record), 0);
    dry_record_free(r.record);
}

static void too_many_steps(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    dry_sim_result r = provoke(
        &system, (dry_sim_options){.run = {.until = 1.0, .step = 1e-3, .max_steps = 100}},
        DRY_TOO_MANY_STEPS, "limit of 100 steps was reached at t = 0.1 s", "raise the limit");
    keeps_what_was_good(&r, 1.0);
}

/* The same, before a second sample is due: the beginning and the last good instant are kept. */
static void too_many_steps_in_an_interval(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    dry_sim_result r = provoke(
        &system,
        (dry_sim_options){.run = {.until = 1.0, .record = 1.0, .step = 1e-3, .max_steps = 100}},
        DRY_TOO_MANY_STEPS, "t = 0.1 s", "raise the limit");
    assert_int_equal(dry_record_rows(r.record), 2);
    closer(dry_record_values(r.record, 0)[1], 0.1, 1e-12);
    dry_record_free(r.record);
}

/* What no run of 10^9 steps reaches, and a step beyond the end, are known before the run. */
static void too_many_before_the_start(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const dry_method *pair = dry_method_find("dopri5");
    dry_sim_result r =
        provoke(&system, (dry_sim_options){.run = {.until = 1.0, .record = 0.1, .step = 1e-12}},
                DRY_TOO_MANY_STEPS, "1e+12 steps", "max_steps");
    assert_null(r.record);
    r = provoke(&system,
                (dry_sim_options){.run = {.method = pair, .until = 0.1, .max_step = 1e-300}},
                DRY_TOO_MANY_STEPS, "longest step of 1e-300 s", "longer steps");
    assert_null(r.record);
    r = provoke(&system, (dry_sim_options){.run = {.until = 1.0, .step = 2.0}}, DRY_BAD_ARGUMENT,
                "the step (2 s) is longer than the run (1 s)", "shorter step");
    assert_null(r.record);
}

static int above_floor(const dry_env *env, double t, const double *x) {
    (void)env, (void)t;
    return x[1] > 0.5 ? 0 : 3;
}
/* Samples end steps, so that those that are too many end no run. */
static void too_many_samples(void **state) {
    (void)state;
    static const dry_clock often[] = {{.period = 1e-3}, {.period = 1e-12}};
    dry_system system = drift_system(&force_x13);
    system.n_clocks = 2;
    system.clocks = often;
    const char *const methods[] = {"rk4", "dopri5"};
    for (int i = 0; i < 2; i++) {
        const dry_sim_options options = {.run = {.method = dry_method_find(methods[i]),
                                                 .until = 1.0,
                                                 .record = 0.1,
                                                 .step = i ? 0.0 : 1e-3}};
        const dry_sim_result r =
            provoke(&system, options, DRY_TOO_MANY_STEPS,
                    "samples at intervals of 1e-12 s a run of 1 s takes 1e+12", "raise the limit");
        assert_null(r.record);
    }
}

static void watched(void **state) {
    (void)state;
    dry_system system = bounce_system();
    system.watch = above_floor;
    dry_sim_result r = provoke(&system, (dry_sim_options){.run = {.until = 1.0, .step = 1e-2}},
                               DRY_RUN_FAILED, "condition 3", "model bounce is violated");
    assert_int_equal(r.fault.watch, 3);
    /* p = 1 - g t^2/2 falls below 0.5 at t = 0.3194, seen at the end of that step */
    closer(r.fault.t, 0.32, 1e-12);
    keeps_what_was_good(&r, 1.0);
}

/* Without an error to fill the status is all there is. */
static void no_error_wanted(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const dry_sim_options options = {.run = {.until = 1.0}};
    dry_sim_result r;
    assert_int_equal(dry_sim_run(&system, &options, &r, NULL), DRY_BAD_ARGUMENT);
    assert_null(r.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_before_the_run),
        cmocka_unit_test(overflow),
        cmocka_unit_test(no_rate),
        cmocka_unit_test(collapse),
        cmocka_unit_test(bad_start),
        cmocka_unit_test(too_many_steps),
        cmocka_unit_test(too_many_steps_in_an_interval),
        cmocka_unit_test(too_many_before_the_start),
        cmocka_unit_test(too_many_samples),
        cmocka_unit_test(watched),
        cmocka_unit_test(no_error_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
