/* What a system found out after a step limits the next one: an adaptive method takes no step at
 * whose end it does not hold any more, and wastes few trials on that. */
#include "unit.h"

#include "problems.h"

/* A walker, x' = 1, and where it last looked around; what it saw holds for REACH. The rate is
 * constant, so that nothing but this limits a step. */
#define REACH 0.01

static void walk_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau, (void)x;
    x_dot[0] = 1.0;
    x_dot[1] = 0.0;
}
static bool look_around(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[1] = x[0];
    return true;
}
static bool still_seen(const dry_env *env, double t, const double *x) {
    (void)env, (void)t;
    return x[0] - x[1] <= REACH;
}
static bool never(const dry_env *env, double t, const double *x) {
    (void)env, (void)t, (void)x;
    return false;
}
static const dry_system walk = {
    .name = "walk", .n_states = 2, .rate = walk_rate, .latch = look_around, .holds = still_seen};

static const char *const methods[] = {"dopri5", "dop853"};

/* A step is at most twice as long as the one before it, so that one trial in two, at most, is too
 * long; 60 more find the first step, from 1 s to 1e-18 s. */
static void no_step_goes_beyond_what_holds(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        run r;
        assert_int_equal(run_begin(&r, walk, methods[m], (dry_ode_options){0}, NULL, NULL), DRY_OK);
        double longest = 0.0;
        while (r.ode.t < 1.0) {
            const double before = r.ode.t;
            assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
            longest = fmax(longest, r.ode.t - before);
        }
        at_most(longest, REACH * (1.0 + 1e-12));
        above(longest, 0.4 * REACH);
        closer(r.ode.x[0], 1.0, 1e-12);
        at_most(r.ode.counts.rejected, r.ode.counts.steps + 60);
        run_end(&r);
    }
}

static void what_never_holds_ends_the_run(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        dry_system blind = walk;
        blind.holds = never;
        run r;
        assert_int_equal(run_begin(&r, blind, methods[m], (dry_ode_options){0}, NULL, NULL),
                         DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_STEP_COLLAPSED);
        equal(r.ode.t, 0.0);
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_goes_beyond_what_holds),
        cmocka_unit_test(what_never_holds_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
