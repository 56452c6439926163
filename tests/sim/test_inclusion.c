/* Runs of an inclusion: the forces that are recorded, and what is said and kept where a run ends
 * before its time. */
#include "unit.h"

#include <drystone/sim.h>

#include "rigid/problems.h"

static void output(const dry_env *env, double t, const double *x, const double *lambda, double *y) {
    (void)env, (void)t, (void)x;
    y[0] = lambda[0];
}
static void recorded_problem(problem *of) {
    static const dry_quantity outputs[] = {{"f", "N"}};
    drift_problem(of);
    of->system.n_outputs = 1;
    of->system.outputs = outputs;
    of->inclusion.output = output;
}

static bool stop_at_once(void *user, double t) {
    (void)user, (void)t;
    return false;
}
static int watch(const dry_env *env, double t, const double *x) {
    (void)env, (void)x;
    return t > 0.9 ? 7 : 0;
}

static void the_force_of_a_row_is_that_of_its_time(void **state) {
    (void)state; /* sticks: f is the applied force, 0.8 t in the first 0.5 s */
    problem of;
    recorded_problem(&of);
    dry_sim_result result;
    dry_error error = {0};
    const dry_sim_options options = {.run = {.until = 0.5, .step = 1e-2}};
    is_ok(dry_sim_run_inclusion(&of.inclusion, &options, &result, &error), &error);
    const double *t = dry_record_values(result.record, 0), *f = dry_record_values(result.record, 3);
    assert_int_equal(dry_record_rows(result.record), 51);
    for (int k = 0; k <= 50; k++) closer(f[k], drift_force(t[k]), 1e-12);
    dry_record_free(result.record);
}

static void rows_are_at_the_instants_that_are_asked_for(void **state) {
    (void)state; /* between the beginning and the end, on steps and beside them */
    static const double times[] = {0.125, 0.3, 0.4375}, rows[] = {0.0, 0.125, 0.3, 0.4375, 0.5};
    problem of;
    recorded_problem(&of);
    dry_sim_result result;
    dry_error error = {0};
    const dry_sim_options options = {
        .run = {.until = 0.5, .step = 0x1p-6}, .times = times, .n_times = 3};
    is_ok(dry_sim_run_inclusion(&of.inclusion, &options, &result, &error), &error);
    const double *t = dry_record_values(result.record, 0), *f = dry_record_values(result.record, 3);
    assert_int_equal(dry_record_rows(result.record), 5);
    all_equal(5, t, rows);
    for (int k = 0; k < 5; k++) closer(f[k], drift_force(t[k]), 1e-12);
    dry_record_free(result.record);
}

static void a_run_that_is_stopped_tells_when(void **state) {
    (void)state; /* the caller is asked after 256 steps */
    problem of;
    recorded_problem(&of);
    dry_sim_result result;
    dry_error error = {0};
    const dry_sim_options options = {.run = {.until = 10.0, .step = 0x1p-10},
                                     .progress = stop_at_once};
    assert_int_equal(dry_sim_run_inclusion(&of.inclusion, &options, &result, &error),
                     DRY_RUN_FAILED);
    assert_non_null(strstr(error.text, "stopped at t = 0.25 s"));
    assert_int_equal(dry_record_rows(result.record), 257);
    dry_record_free(result.record);
    const dry_sim_options rare = {.run = {.until = 10.0, .record = 1.0, .step = 0x1p-10},
                                  .progress = stop_at_once}; /* 1024 steps between two samples */
    assert_int_equal(dry_sim_run_inclusion(&of.inclusion, &rare, &result, &error), DRY_RUN_FAILED);
    assert_non_null(strstr(error.text, "stopped at t = 1 s"));
    assert_int_equal(dry_record_rows(result.record), 2);
    dry_record_free(result.record);
}

static void a_condition_that_fails_is_handed_on_with_the_last_instant(void **state) {
    (void)state; /* samples are 1/4 s apart, or the first is all there is */
    static const double apart[] = {0.25, 2.0};
    static const size_t wanted[] = {5, 2};
    for (int i = 0; i < 2; i++) {
        problem of;
        recorded_problem(&of);
        of.system.watch = watch;
        dry_sim_result result;
        dry_error error = {0};
        const dry_sim_options options = {
            .run = {.until = 2.0, .record = apart[i], .step = 0x1p-10}};
        assert_int_equal(dry_sim_run_inclusion(&of.inclusion, &options, &result, &error),
                         DRY_RUN_FAILED);
        assert_int_equal(result.fault.watch, 7);
        above(result.fault.t, 0.9);
        at_most(result.fault.t, 0.9 + 0x1p-10);
        const size_t rows = dry_record_rows(result.record);
        assert_int_equal(rows, wanted[i]);
        equal(dry_record_values(result.record, 0)[rows - 1], result.fault.t);
        dry_record_free(result.record);
    }
}

static void a_run_needs_a_step_and_an_end_later_than_its_beginning(void **state) {
    (void)state;
    static const struct {
        double from, until, step;
    } rows[] = {
        {0.0, 0.0, 1e-2}, {1.0, 1.0, 1e-2}, {1.0, 0.5, 1e-2}, {0.0, 1.0, 0.0}, {0.0, 1.0, -1e-2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        problem of;
        recorded_problem(&of);
        dry_sim_result result;
        dry_error error = {0};
        const dry_sim_options options = {.run = {.until = rows[i].until, .step = rows[i].step},
                                         .from = rows[i].from};
        assert_int_equal(dry_sim_run_inclusion(&of.inclusion, &options, &result, &error),
                         DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "needs a step > 0 and an end later than its beginning"));
        assert_null(result.record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_force_of_a_row_is_that_of_its_time),
        cmocka_unit_test(rows_are_at_the_instants_that_are_asked_for),
        cmocka_unit_test(a_run_needs_a_step_and_an_end_later_than_its_beginning),
        cmocka_unit_test(a_run_that_is_stopped_tells_when),
        cmocka_unit_test(a_condition_that_fails_is_handed_on_with_the_last_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
