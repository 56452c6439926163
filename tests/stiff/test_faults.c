/* What goes wrong, and that a step takes no memory: the same with each method. */
#include "unit.h"

#include <drystone/stiff.h>
#include <float.h>
#include <string.h>

#include "ode/problems.h"

#include "counting.h"
#include "listed.h"
#include "stiff/methods.h"

static const dry_method *method; /* under test */

static void no_allocation_in_a_step(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system systems[] = {drift_system(&force_x13), conveyor_system(), bounce_system()};
    for (int k = 0; k < 3; k++) {
        double x[CONVEYOR_STATES];
        dry_stiff *s;
        const long at_first = allocations;
        assert_int_equal(dry_stiff_new(&systems[k], method, NULL, NULL, 0.0, NULL, &s, NULL),
                         DRY_OK);
        const long before = allocations;
        above(before, at_first);
        const dry_status status = dry_stiff_advance(s, 0.3, NULL);
        dry_stiff_step(s, 0.4, NULL);
        dry_stiff_dense(s, 0.3, x);
        assert_int_equal(allocations, before);
        assert_int_equal(status, DRY_OK);
        dry_stiff_free(s);
    }
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
static void infinite_slope(const dry_env *env, double t, double tau, const double *x, double *J) {
    (void)env, (void)tau, (void)t;
    J[0] = 1.0 / (x[0] - x[0]);
}
/* a relay: it jumps where the motion wants to stay, at level = 0 from t = 1 on */
static void relay(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)t;
    x_dot[0] = x[0] > 0.0 ? -1.0 : 1.0;
    x_dot[1] = 0.0;
}
static void relay_side(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)t;
    g[0] = x[0];
}
static int watched(const dry_env *env, double t, const double *x) {
    (void)env, (void)x;
    return t > 0.5 ? 7 : 0;
}
static void ones(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = x[1] = 1.0;
}

#define FAULTY(function) .n_states = 2, .states = names, .start = ones, .rate = function
static const int corner[] = {0};
static const dry_system
    drains = {FAULTY(drained), .name = "the root of a negative number"},
    blows_up = {FAULTY(blown_up), .name = "a pole"}, jumps = {FAULTY(noise), .name = "noise"},
    steady = {FAULTY(calm), .name = "calm"},
    chatters = {FAULTY(relay), .name = "a relay", .n_kinks = 1, .kinks = relay_side},
    blindly = {FAULTY(relay), .name = "a relay whose jump nobody says"},
    stops = {FAULTY(calm), .name = "a condition", .watch = watched},
    steep = {FAULTY(calm),           .name = "an infinite slope", .n_jacobian = 1,
             .jacobian_row = corner, .jacobian_column = corner,   .jacobian = infinite_slope};

/* What ends a run to t = 2, and what is then told. */
static const struct {
    const dry_system *system;
    dry_ode_options options;
    dry_status one_of[2]; /* DRY_OK: any but this */
    double from, to;      /* bounds of the time that is reached */
    int watch;            /* the condition that fails */
    const char *state;    /* that is named, the first; NULL: not asked */
} faults[] = {
    {&drains, {.max_step = 0.1}, {DRY_NOT_FINITE, DRY_SINGULAR}, 0.49, 0.5, 0, NULL},
    {&blows_up, {.step = 0.0}, {DRY_OK}, 1.0 - 1e-3, 1.0 + 1e-3, 0, "level"},
    {&jumps, {.max_step = 0.02}, {DRY_STEP_COLLAPSED}, 0.47, 0.51, 0, "level"},
    {&chatters, {.step = 0.0}, {DRY_STEP_COLLAPSED}, 1.0 - 1e-3, 1.0 + 1e-3, 0, "level"},
    {&blindly, {.step = 0.0}, {DRY_STEP_COLLAPSED}, 1.0 - 1e-3, 1.0 + 1e-3, 0, "level"},
    {&steep, {.step = 0.0}, {DRY_SINGULAR}, 0.0, 0.0, 0, NULL},
    {&steady, {.max_steps = 3}, {DRY_TOO_MANY_STEPS}, DBL_MIN, 2.0 - DBL_EPSILON, 0, NULL},
    {&stops, {.step = 0.0}, {DRY_RUN_FAILED}, 0.5 + DBL_EPSILON, 2.0, 7, NULL},
};

static void what_ends_a_run(void **state) {
    method = dry_stiff_method_find(*state);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const dry_status first = faults[i].one_of[0], second = faults[i].one_of[1];
        const char *named = faults[i].state;
        dry_stiff *s;
        dry_error error = {0};
        is_ok(dry_stiff_new(faults[i].system, method, &faults[i].options, NULL, 0.0, NULL, &s,
                            &error),
              &error);
        const dry_status status = dry_stiff_advance(s, 2.0, &error);
        const double t = dry_stiff_time(s), *x = dry_stiff_state(s);
        const dry_ode_fault fault = dry_stiff_fault(s);
        const bool good = status != DRY_OK &&
                          (first == DRY_OK || status == first || status == second) &&
                          t >= faults[i].from && t <= faults[i].to && isfinite(x[0]) &&
                          isfinite(x[1]) && fault.watch == faults[i].watch &&
                          (!named || (fault.state == 0 && strstr(error.text, named)));
        if (!good)
            fail_msg("%s: %s at t = %.17g, x = %g, %g, state %d, condition %d: %s",
                     faults[i].system->name, dry_status_text(status), t, x[0], x[1], fault.state,
                     fault.watch, error.text);
        dry_stiff_free(s);
    }
}

static void arguments_that_do_not_fit(void **state) {
    method = dry_stiff_method_find(*state);
    static dry_quantity many[300];
    const dry_system large = {.n_states = 40001, .states = many, .rate = calm};
    const dry_ode_options negative = {.rtol = -1.0};
    const double wrong[] = {0.0, (double)NAN};
    const struct {
        const dry_system *system;
        const dry_ode_options *options;
        const double *x;
        dry_status status;
        const char *text;
    } cases[] = {{&steady, &negative, NULL, DRY_BAD_ARGUMENT, ""},
                 {&large, NULL, NULL, DRY_UNSUPPORTED, "Jacobian"},
                 {&steady, NULL, wrong, DRY_NOT_FINITE, "speed"}};
    dry_stiff *s;
    dry_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dry_stiff_new(cases[i].system, method, cases[i].options, NULL, 0.0,
                                       cases[i].x, &s, &error),
                         cases[i].status);
        assert_null(s);
        assert_non_null(strstr(error.text, cases[i].text));
    }
    is_ok(dry_stiff_new(&steady, method, NULL, NULL, 1.0, NULL, &s, &error), &error);
    assert_int_equal(dry_stiff_advance(s, 0.5, &error), DRY_BAD_ARGUMENT);
    dry_stiff_free(s);
    dry_stiff_free(NULL);
}

/* Without SUNDIALS the name is there, and says how to get it. */
static void a_missing_library(void **state) {
    (void)state;
    const dry_method *cvode = dry_stiff_method_find("cvode");
    dry_stiff *s;
    dry_error error;
    assert_non_null(cvode);
    assert_int_equal(dry_stiff_new(&steady, cvode, NULL, NULL, 0.0, NULL, &s, &error),
                     DRY_UNSUPPORTED);
    assert_null(s);
    assert_non_null(strstr(error.text, "libsundials-dev"));
    assert_non_null(strstr(error.text, "rodas4"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_EACH_METHOD_IF(COUNTING, no_allocation_in_a_step),
        WITH_EACH_METHOD(what_ends_a_run),
        WITH_EACH_METHOD(arguments_that_do_not_fit),
        TEST_IF(!dry_stiff_has_cvode(), a_missing_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
