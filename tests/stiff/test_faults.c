/* What goes wrong, and that a step takes no memory: the same with each method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <drystone/stiff.h>
#include <string.h>

#include "ode/problems.h"

#include "counting.h"
#include "stiff/methods.h"

static const dry_method *method; /* under test */

static void no_allocation_in_a_step(void **state) {
    method = need_method(*state);
#if defined(COUNTING)
    const dry_system systems[] = {drift_system(&force_x13), conveyor_system(), bounce_system()};
    for (int k = 0; k < 3; k++) {
        double x[CONVEYOR_STATES];
        dry_stiff *s;
        const long at_first = allocations;
        assert_int_equal(dry_stiff_new(&systems[k], method, NULL, NULL, 0.0, NULL, &s, NULL),
                         DRY_OK);
        const long before = allocations;
        assert_true(before > at_first);
        const dry_status status = dry_stiff_advance(s, 0.3, NULL);
        dry_stiff_step(s, 0.4, NULL);
        dry_stiff_dense(s, 0.3, x);
        assert_int_equal(allocations, before);
        assert_int_equal(status, DRY_OK);
        dry_stiff_free(s);
    }
#else
    skip(); /* the sanitizer has its own malloc */
#endif
}

/* ---- faults -------------------------------------------------------------- */

static const dry_quantity names[] = {{"level", "m"}, {"speed", "m/s"}};

/* the root of a negative number from t = 0.5 on */
static void drained(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = 0.0;
    x_dot[1] = sqrt(0.5 - t);
}
/* x = 1/(1 - t) */
static void blown_up(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)t;
    x_dot[0] = x[0] * x[0];
    x_dot[1] = 0.0;
}
/* a rate that jumps about faster than any step */
static void noise(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = t > 0.5 && t < 0.6 ? 1e30 * sin(1e40 * t) : 0.0;
    x_dot[1] = 0.0 * x[0];
}
static void calm(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)t, (void)x;
    x_dot[0] = x_dot[1] = 1.0;
}
static const int bad_row[] = {0}, bad_column[] = {0};
static void infinite_slope(const dry_env *env, double t, double tau, const double *x, double *J) {
    (void)env, (void)tau, (void)t;
    J[0] = 1.0 / (x[0] - x[0]);
}
static int watched(const dry_env *env, double t, const double *x) {
    (void)env, (void)x;
    return t > 0.5 ? 7 : 0;
}
static void ones(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = x[1] = 1.0;
}

static dry_system system_of(dry_rate_fn *rate) {
    return (dry_system){
        .name = "fault", .n_states = 2, .states = names, .start = ones, .rate = rate};
}

static dry_status run_to_two(const dry_system *system, dry_ode_options options, dry_error *error,
                             double *t, dry_ode_fault *fault) {
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(system, method, &options, NULL, 0.0, NULL, &s, error), DRY_OK);
    const dry_status status = dry_stiff_advance(s, 2.0, error);
    *t = dry_stiff_time(s);
    *fault = dry_stiff_fault(s);
    assert_true(isfinite(dry_stiff_state(s)[0]) && isfinite(dry_stiff_state(s)[1]));
    dry_stiff_free(s);
    return status;
}

static void rates_that_are_no_numbers(void **state) {
    method = need_method(*state);
    dry_system system = system_of(drained);
    dry_error error;
    dry_ode_fault fault;
    double t;
    const dry_status status =
        run_to_two(&system, (dry_ode_options){.max_step = 0.1}, &error, &t, &fault);
    assert_true(status == DRY_NOT_FINITE || status == DRY_SINGULAR);
    assert_true(t > 0.49 && t <= 0.5);
}

static void steps_that_collapse(void **state) {
    method = need_method(*state);
    dry_system system = system_of(blown_up);
    dry_error error;
    dry_ode_fault fault;
    double t;
    assert_int_not_equal(run_to_two(&system, (dry_ode_options){0}, &error, &t, &fault), DRY_OK);
    assert_true(fabs(t - 1.0) < 1e-3);
    assert_int_equal(fault.state, 0);
    system = system_of(noise);
    assert_int_equal(run_to_two(&system, (dry_ode_options){.max_step = 0.02}, &error, &t, &fault),
                     DRY_STEP_COLLAPSED);
    assert_true(t > 0.47 && t < 0.51);
    assert_non_null(strstr(error.text, "level"));
}

static void matrices_that_are_singular(void **state) {
    method = need_method(*state);
    dry_system system = system_of(calm);
    dry_error error;
    dry_ode_fault fault;
    double t;
    system.n_jacobian = 1;
    system.jacobian_row = bad_row;
    system.jacobian_column = bad_column;
    system.jacobian = infinite_slope;
    assert_int_equal(run_to_two(&system, (dry_ode_options){0}, &error, &t, &fault), DRY_SINGULAR);
    assert_true(t == 0.0);
}

static void limits_and_conditions(void **state) {
    method = need_method(*state);
    dry_system system = system_of(calm);
    dry_error error;
    dry_ode_fault fault;
    double t;
    assert_int_equal(run_to_two(&system, (dry_ode_options){.max_steps = 3}, &error, &t, &fault),
                     DRY_TOO_MANY_STEPS);
    assert_true(t > 0.0 && t < 2.0);
    system.watch = watched;
    assert_int_equal(run_to_two(&system, (dry_ode_options){0}, &error, &t, &fault), DRY_RUN_FAILED);
    assert_int_equal(fault.watch, 7);
    assert_true(t > 0.5);
}

static void arguments_that_do_not_fit(void **state) {
    method = need_method(*state);
    static dry_quantity many[300];
    dry_system system = system_of(calm), large = {.n_states = 300, .states = many, .rate = calm};
    dry_stiff *s;
    dry_error error;
    const dry_ode_options negative = {.rtol = -1.0};
    assert_int_equal(dry_stiff_new(&system, method, &negative, NULL, 0.0, NULL, &s, &error),
                     DRY_BAD_ARGUMENT);
    assert_null(s);
    assert_int_equal(dry_stiff_new(&large, method, NULL, NULL, 0.0, NULL, &s, &error),
                     DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "Jacobian"));
    const double wrong[] = {0.0, (double)NAN};
    assert_int_equal(dry_stiff_new(&system, method, NULL, NULL, 0.0, wrong, &s, &error),
                     DRY_NOT_FINITE);
    assert_non_null(strstr(error.text, "speed"));
    assert_int_equal(dry_stiff_new(&system, method, NULL, NULL, 1.0, NULL, &s, &error), DRY_OK);
    assert_int_equal(dry_stiff_advance(s, 0.5, &error), DRY_BAD_ARGUMENT);
    dry_stiff_free(s);
    dry_stiff_free(NULL);
}

/* Without SUNDIALS the name is there, and says how to get it. */
static void a_missing_library(void **state) {
    (void)state;
    if (dry_stiff_has_cvode()) {
        print_message("this build has SUNDIALS\n");
        skip();
    }
    const dry_system system = system_of(calm);
    const dry_method *cvode = dry_stiff_method_find("cvode");
    dry_stiff *s;
    dry_error error;
    assert_non_null(cvode);
    assert_int_equal(dry_stiff_new(&system, cvode, NULL, NULL, 0.0, NULL, &s, &error),
                     DRY_UNSUPPORTED);
    assert_null(s);
    assert_non_null(strstr(error.text, "libsundials-dev"));
    assert_non_null(strstr(error.text, "rodas4"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_EACH_METHOD(no_allocation_in_a_step), WITH_EACH_METHOD(rates_that_are_no_numbers),
        WITH_EACH_METHOD(steps_that_collapse),     WITH_EACH_METHOD(matrices_that_are_singular),
        WITH_EACH_METHOD(limits_and_conditions),   WITH_EACH_METHOD(arguments_that_do_not_fit),
        cmocka_unit_test(a_missing_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
