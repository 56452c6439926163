/* A run and its record: which instants, which columns, which values. */
#include "unit.h"

#include <drystone/lang.h>
#include <drystone/sim.h>
#include <string.h>

#include "ode/problems.h"

static dry_sim_result simulate(const dry_system *system, dry_sim_options options) {
    dry_sim_result result;
    dry_error error;
    const dry_status status = dry_sim_run(system, &options, &result, &error);
    if (status != DRY_OK) print_error("%s\n", error.text);
    assert_int_equal(status, DRY_OK);
    return result;
}
static const double *column(const dry_record *record, const char *name) {
    const int index = dry_record_find(record, name);
    at_least(index, 0);
    return dry_record_values(record, index);
}

/* x = cos t, v = -sin t; output the energy */
static void swing_start(const dry_env *env, double t, double *x) {
    (void)env;
    x[0] = cos(t);
    x[1] = -sin(t);
}
static void swing_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = -x[0];
}
static void swing_output(const dry_env *env, double t, double tau, const double *x, double *y) {
    (void)env, (void)t;
    y[0] = x[0] * x[0] + x[1] * x[1];
    y[1] = tau;
}
static const dry_quantity swing_states[] = {{"x", "m"}, {"v", "m/s"}};
static const dry_quantity swing_outputs[] = {{"E", "J"}, {"tau", "s"}};
static const dry_system swing = {.name = "swing",
                                 .n_states = 2,
                                 .n_outputs = 2,
                                 .states = swing_states,
                                 .outputs = swing_outputs,
                                 .start = swing_start,
                                 .rate = swing_rate,
                                 .output = swing_output};

static void columns_and_units(void **state) {
    (void)state;
    const char *names[] = {"t", "x", "v", "E", "tau"}, *units[] = {"s", "m", "m/s", "J", "s"};
    dry_sim_result r = simulate(&swing, (dry_sim_options){.run = {.until = 1.0, .step = 0.1}});
    assert_int_equal(dry_record_columns(r.record), 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(dry_record_quantity(r.record, i).name, names[i]);
        assert_string_equal(dry_record_quantity(r.record, i).unit, units[i]);
    }
    assert_int_equal(dry_record_rows(r.record), 11);
    assert_int_equal(r.counts.steps, 10);
    assert_int_equal(r.counts.rates, 40);
    at_least(r.seconds, 0.0);
    dry_record_free(r.record);
}

/* The swing with a state before, between and behind that it keeps to itself: they count the time.
 */
static void shy_start(const dry_env *env, double t, double *x) {
    double own[2];
    swing_start(env, t, own);
    for (int i = 0; i < 5; i++) x[i] = i % 2 ? own[i / 2] : t;
}
static void shy_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    double own[2];
    swing_rate(env, t, tau, (double[]){x[1], x[3]}, own);
    for (int i = 0; i < 5; i++) x_dot[i] = i % 2 ? own[i / 2] : 1.0;
}
static void shy_output(const dry_env *env, double t, double tau, const double *x, double *y) {
    swing_output(env, t, tau, (double[]){x[1], x[3]}, y);
    y[1] = x[0] + x[2] + x[4];
}
static const dry_quantity shy_states[] = {
    {"a.*", ""}, {"x", "m"}, {"b.*", ""}, {"v", "m/s"}, {"b.*", ""}};
static const dry_system shy = {.name = "shy",
                               .n_states = 5,
                               .n_outputs = 2,
                               .states = shy_states,
                               .outputs = swing_outputs,
                               .start = shy_start,
                               .rate = shy_rate,
                               .output = shy_output};

/* They have no columns and no memory, by whichever method, and outputs know them. */
static void inner_states_are_not_recorded(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "dopri5", "rodas4"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        dry_sim_options options = {.run = {.method = dry_model_method_find(methods[m]),
                                           .until = 1.0,
                                           .record = 0.1,
                                           .step = 0.01}};
        dry_sim_result all = simulate(&shy, options), own = simulate(&swing, options);
        assert_int_equal(dry_record_columns(all.record), 5);
        for (int i = 0; i < 5; i++)
            assert_string_equal(dry_record_quantity(all.record, i).name,
                                dry_record_quantity(own.record, i).name);
        const double *t = column(all.record, "t"), *sum = column(all.record, "tau");
        for (size_t r = 0; r < dry_record_rows(all.record); r++) {
            /* the errors of both runs are held to rtol 1e-6 */
            closer(column(all.record, "x")[r], column(own.record, "x")[r], 1e-5);
            closer(column(all.record, "v")[r], column(own.record, "v")[r], 1e-5);
            closer(sum[r], 3.0 * t[r], 1e-9);
        }
        dry_record_free(all.record);
        dry_record_free(own.record);
    }
}

/* The instants of a run from 0.5 to `until`, sampled every `record`: all but the last at
 * 0.5 + k record, the last at the end; values from a method good to `tolerance`. */
static void check_samples(const char *method, dry_run_options how, double until, double record,
                          size_t rows, double tolerance) {
    how.method = dry_method_find(method);
    how.until = until;
    how.record = record;
    dry_sim_result r = simulate(&swing, (dry_sim_options){.run = how, .from = 0.5});
    const double *t = column(r.record, "t"), *x = column(r.record, "x"), *v = column(r.record, "v");
    assert_int_equal(dry_record_rows(r.record), rows);
    equal(t[0], 0.5);
    equal(t[rows - 1], until);
    for (size_t k = 0; k < rows; k++) {
        if (k + 1 < rows) closer(t[k], 0.5 + (double)k * record, 1e-12);
        closer(x[k], cos(t[k]), tolerance);
        closer(v[k], -sin(t[k]), tolerance);
        equal(column(r.record, "E")[k], x[k] * x[k] + v[k] * v[k]);
    }
    dry_record_free(r.record);
}
/* RK4 with h = 0.01: error h^4/120 per radian, Hermite between h^4/384, both below 1e-9. */
static void instants(void **state) {
    (void)state;
    const dry_run_options fixed = {.step = 0.01}, tight = {.rtol = 1e-10, .atol = 1e-10};
    check_samples("rk4", fixed, 2.5, 0.01, 201, 1e-9);   /* every step */
    check_samples("rk4", fixed, 2.5, 0.1, 21, 1e-9);     /* every tenth */
    check_samples("rk4", fixed, 2.5, 0.0175, 116, 1e-9); /* between */
    check_samples("rk4", fixed, 2.5, 0.0025, 801, 1e-9); /* several in a step */
    check_samples("rk4", fixed, 2.503, 0.1, 22, 1e-9);   /* an end that is no multiple */
    check_samples("rk4", fixed, 2.5, 10.0, 2, 1e-9);     /* the ends alone */
    check_samples("dopri5", tight, 2.5, 0.01, 201, 1e-8);
    check_samples("dopri5", tight, 2.503, 0.1, 22, 1e-8);
    check_samples("dopri5", tight, 2.5, 10.0, 2, 1e-8);
}

/* Instants that the caller asks for, on steps and beside them, between the two ends. */
static void instants_of_the_caller(void **state) {
    (void)state;
    static const double times[] = {0.6, 0.7234, 1.9}, rows[] = {0.5, 0.6, 0.7234, 1.9, 2.0};
    static const char *const methods[] = {"rk4", "dopri5"};
    for (int i = 0; i < 2; i++) {
        dry_sim_options options = {.run = {.method = dry_method_find(methods[i]), .until = 2.0},
                                   .from = 0.5,
                                   .times = times,
                                   .n_times = 3};
        if (i == 0) options.run.step = 0.01;
        if (i == 1) options.run.rtol = options.run.atol = 1e-10;
        dry_sim_result r = simulate(&swing, options);
        const double *t = column(r.record, "t"), *x = column(r.record, "x");
        assert_int_equal(dry_record_rows(r.record), 5);
        all_closer(5, t, rows, 1e-12);
        for (int k = 0; k < 5; k++) closer(x[k], cos(t[k]), 1e-8);
        dry_record_free(r.record);
    }
}

/* On the grid a sample is the state itself, bit for bit: recording does not change the run. */
static void recording_changes_nothing(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const double intervals[] = {1e-3, 5e-3, 0.5, 1.7e-3};
    run r;
    run_begin(&r, system, "rk4", (dry_ode_options){.step = 1e-3}, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
    for (int i = 0; i < 4; i++) {
        dry_sim_result s = simulate(
            &system,
            (dry_sim_options){.run = {.until = 3.0, .record = intervals[i], .step = 1e-3}});
        const size_t last = dry_record_rows(s.record) - 1;
        equal(column(s.record, "v")[last], r.ode.x[0]);
        equal(column(s.record, "p")[last], r.ode.x[1]);
        equal(column(s.record, "a")[last], r.ode.x[2]);
        dry_record_free(s.record);
    }
    run_end(&r);
}

static size_t rows_of_adaptive(double until, double step) {
    dry_sim_result r =
        simulate(&swing, (dry_sim_options){.run = {.method = dry_method_find("dopri5"),
                                                   .until = until,
                                                   .step = step,
                                                   .rtol = 1e-4,
                                                   .atol = 1e-4}});
    const size_t rows = dry_record_rows(r.record);
    dry_record_free(r.record);
    return rows;
}

/* Defaults: rk4, every step; adaptive: the step that is given, a thousandth of the run without one,
 * and no more than 1e5 samples. */
static void defaults(void **state) {
    (void)state;
    dry_sim_result r = simulate(&swing, (dry_sim_options){.run = {.until = 1.0, .step = 0.125}});
    assert_int_equal(dry_record_rows(r.record), 9);
    assert_int_equal(r.counts.rates, 32);
    dry_record_free(r.record);
    assert_int_equal(rows_of_adaptive(7.0, 0.0), 1001);
    assert_int_equal(rows_of_adaptive(7.0, 0.001), 7001);
    assert_int_equal(rows_of_adaptive(7.0, 1e-8), 100001);
}

static void tau_of_outputs(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        dry_sim_result r = simulate(
            &swing, (dry_sim_options){.run = {.method = method, .until = 1.0, .step = 0.125}});
        equal(column(r.record, "tau")[3], method->uses_tau ? 0.125 : 0.0);
        dry_record_free(r.record);
    }
}

static void own_start_and_parameters(void **state) {
    (void)state;
    const double x0[] = {0.0, 2.0, 0.0}, par[] = {1.0, 1e5, 5e-3, 1e-2, 0.0};
    const dry_system system = bounce_system();
    dry_sim_result r = simulate(
        &system, (dry_sim_options){.run = {.until = 1.0, .step = 1e-2}, .par = par, .x0 = x0});
    const size_t last = dry_record_rows(r.record) - 1;
    equal(column(r.record, "p")[last], 2.0);
    equal(column(r.record, "v")[last], 0.0);
    dry_record_free(r.record);
}

/* ---- progress ------------------------------------------------------------ */

typedef struct listener {
    int calls;
    double t, stop_at;
} listener;
static bool listen(void *user, double t) {
    listener *l = user;
    above(t, l->t);
    l->calls++;
    l->t = t;
    return t < l->stop_at;
}
static void progress(void **state) {
    (void)state;
    const double intervals[] = {1e-4, 1.0, 1.7e-4};
    for (int i = 0; i < 3; i++) {
        listener l = {.stop_at = 2.0};
        dry_sim_result r = simulate(
            &swing, (dry_sim_options){.run = {.until = 1.0, .record = intervals[i], .step = 1e-4},
                                      .progress = listen,
                                      .user = &l});
        assert_in_range(l.calls, 8, 10);
        dry_record_free(r.record);
    }
}
static void stopped_by_the_caller(void **state) {
    (void)state;
    listener l = {.stop_at = 0.5};
    const dry_sim_options options = {
        .run = {.until = 1.0, .step = 1e-4}, .progress = listen, .user = &l};
    dry_sim_result r;
    dry_error error;
    assert_int_equal(dry_sim_run(&swing, &options, &r, &error), DRY_RUN_FAILED);
    assert_non_null(strstr(error.text, "stopped at t = 0.5"));
    assert_int_equal(r.fault.watch, 0);
    const size_t last = dry_record_rows(r.record) - 1;
    equal(column(r.record, "t")[last], l.t);
    dry_record_free(r.record);
}

/* All states at the end, those that no record has too: the second half begins there. */
static void the_end_is_a_start(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "dopri5"};
    for (int i = 0; i < 2; i++) {
        const dry_method *method = dry_method_find(methods[i]);
        double middle[2], end[2];
        dry_sim_options options = {
            .run = {.method = method, .until = 1.0, .step = 0.01, .rtol = 1e-10}, .end_x = middle};
        dry_record_free(simulate(&swing, options).record);
        near(middle[0], cos(1.0), 1e-8);
        near(middle[1], -sin(1.0), 1e-8);
        options.from = 1.0;
        options.run.until = 2.5;
        options.x0 = middle;
        options.end_x = end;
        dry_sim_result r = simulate(&swing, options);
        const size_t last = dry_record_rows(r.record) - 1;
        near(end[0], cos(2.5), 1e-8);
        equal(column(r.record, "x")[last], end[0]);
        equal(column(r.record, "v")[last], end[1]);
        dry_record_free(r.record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_units),
        cmocka_unit_test(inner_states_are_not_recorded),
        cmocka_unit_test(instants),
        cmocka_unit_test(instants_of_the_caller),
        cmocka_unit_test(recording_changes_nothing),
        cmocka_unit_test(defaults),
        cmocka_unit_test(tau_of_outputs),
        cmocka_unit_test(own_start_and_parameters),
        cmocka_unit_test(progress),
        cmocka_unit_test(stopped_by_the_caller),
        cmocka_unit_test(the_end_is_a_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
