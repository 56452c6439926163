/* dry_rk4_march: the loop that a compiler sees through gives the bits of the room's own. */
#include "unit.h"

#include "ode/problems.h"

static long drift_march(const dry_env *env, const dry_method *method, dry_march *m) {
    return dry_rk4_march(drift_rate, 3, env, method, m);
}

/* Steps, single steps, breaks and ends off the grid, with and without stage steps. */
static void bits_are_the_same(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "rk4-tau", "heun"};
    for (int i = 0; i < 3; i++) {
        dry_system system = drift_system(&force_x13), marching = system;
        marching.march = drift_march;
        run a, b;
        run_begin(&a, system, methods[i], (dry_ode_options){.step = 1e-3}, NULL, NULL);
        run_begin(&b, marching, methods[i], (dry_ode_options){.step = 1e-3}, NULL, NULL);
        for (int k = 1; k <= 40; k++) {
            const double t = 0.0713 * k;
            assert_int_equal(dry_ode_advance(&a.ode, t), DRY_OK);
            assert_int_equal(dry_ode_advance(&b.ode, t), DRY_OK);
            all_same_bits(3, a.ode.x, b.ode.x);
            equal(a.ode.t, b.ode.t);
            assert_int_equal(a.ode.counts.steps, b.ode.counts.steps);
        }
        run_end(&a);
        run_end(&b);
    }
}

/* T/beta = 5: the state overflows in slip, and the last good one is kept. */
static void overflow_is_told_alike(void **state) {
    (void)state;
    dry_system system = drift_system(&force_x13), marching = system;
    marching.march = drift_march;
    run a, b;
    run_begin(&a, system, "rk4", (dry_ode_options){.step = 0.01}, NULL, NULL);
    run_begin(&b, marching, "rk4", (dry_ode_options){.step = 0.01}, NULL, NULL);
    assert_int_equal(dry_ode_advance(&a.ode, 200.0), DRY_NOT_FINITE);
    assert_int_equal(dry_ode_advance(&b.ode, 200.0), DRY_NOT_FINITE);
    equal(a.ode.t, b.ode.t);
    assert_int_equal(a.ode.fault.state, b.ode.fault.state);
    all_same_bits(3, a.ode.x, b.ode.x);
    run_end(&a);
    run_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_the_same),
                                       cmocka_unit_test(overflow_is_told_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
