/* Runs by implicit methods: samples between its steps, outputs, what went wrong. */
#include "unit.h"

#include <drystone/sim.h>
#include <string.h>

#include "ode/problems.h"
#include "stiff/methods.h"

static dry_sim_options implicit(const char *method, double until) {
    return (dry_sim_options){.run = {.method = dry_stiff_method_find(method),
                                     .until = until,
                                     .record = 0.01,
                                     .rtol = 1e-8,
                                     .atol = 1e-11}};
}

/* The same samples as by dop853: an impact at 1e4 m/s^2 makes 1e-5 of an error of 1e-9 s. cvode,
 * whose errors add up, is given a hundredth of the tolerance. */
static void samples_agree(void **state) {
    const dry_system system = bounce_system();
    dry_sim_options options = implicit(*state, 1.0);
    dry_sim_result a, b;
    const bool located = strcmp(options.run.method->name, "cvode") == 0;
    if (located) options.run.rtol = 1e-10, options.run.atol = 1e-13;
    assert_int_equal(dry_sim_run(&system, &options, &a, NULL), DRY_OK);
    options.run.method = dry_method_find("dop853");
    assert_int_equal(dry_sim_run(&system, &options, &b, NULL), DRY_OK);
    assert_int_equal(dry_record_rows(a.record), 101);
    assert_int_equal(dry_record_rows(b.record), 101);
    for (int c = 0; c < 5; c++) /* t, v, p, e, N */
        for (size_t i = 0; i < 101; i++) {
            const double x = dry_record_values(a.record, c)[i];
            const double y = dry_record_values(b.record, c)[i];
            closer(x, y, (c == 4 ? 1e-2 : 1e-5));
        }
    above(a.counts.steps, 10);
    above(a.counts.rates, a.counts.steps);
    assert_int_equal(a.counts.kinks > 0, located);
    at_least(a.seconds, 0.0);
    dry_record_free(a.record);
    dry_record_free(b.record);
}

static void lost_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = x_dot[1] = 1.0;
    x_dot[2] = t < 0.5 ? 0.0 : (double)NAN;
}

/* The record ends at the last good instant, and the error says where and what. */
static void a_run_that_fails(void **state) {
    dry_system system = bounce_system();
    system.rate = lost_rate;
    const dry_sim_options options = implicit(*state, 1.0);
    dry_sim_result result;
    dry_error error;
    assert_int_equal(dry_sim_run(&system, &options, &result, &error), DRY_NOT_FINITE);
    assert_non_null(strstr(error.text, "rate of"));
    const size_t rows = dry_record_rows(result.record);
    above(rows, 40);
    at_most(dry_record_values(result.record, 0)[rows - 1], 0.5);
    above(dry_record_values(result.record, 0)[rows - 1], 0.49);
    dry_record_free(result.record);
}

static bool stop(void *user, double t) {
    (void)user, (void)t;
    return false;
}

static void a_run_that_is_stopped(void **state) {
    const dry_system system = bounce_system();
    dry_sim_options options = implicit(*state, 1.0);
    dry_sim_result result;
    dry_error error;
    options.progress = stop;
    assert_int_equal(dry_sim_run(&system, &options, &result, &error), DRY_RUN_FAILED);
    assert_non_null(strstr(error.text, "stopped"));
    dry_record_free(result.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_EACH_METHOD(samples_agree),
        WITH_EACH_METHOD(a_run_that_fails),
        WITH_EACH_METHOD(a_run_that_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
