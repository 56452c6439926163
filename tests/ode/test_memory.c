/* No allocation in a step, proved by counting the calls of malloc, calloc, realloc; and no number
 * written outside the workspace that dry_ode_size asks for. */
#include "unit.h"

#include "problems.h"

#include "counting.h"
#include "listed.h"

static void the_counter_counts(void **state) {
    (void)state;
    const long before = allocations;
    void *volatile block = malloc(100);
    free(block);
    above(allocations, before);
}

static void no_allocation_in_a_step(void **state) {
    (void)state;
    const dry_system systems[] = {drift_system(&force_x13), conveyor_system()};
    for (int s = 0; s < 2; s++)
        for (int m = 0; m < dry_method_count(); m++) {
            double x[CONVEYOR_STATES];
            run r;
            assert_int_equal(run_begin(&r, systems[s], dry_method_at(m)->name,
                                       (dry_ode_options){.step = 1e-4}, NULL, NULL),
                             DRY_OK);
            const long before = allocations;
            const dry_status status = dry_ode_advance(&r.ode, 0.2);
            dry_ode_step(&r.ode, 0.3);
            dry_ode_dense(&r.ode, 0.5 * (r.ode.t_before + r.ode.t), x);
            assert_int_equal(allocations, before);
            assert_int_equal(status, DRY_OK);
            run_end(&r);
        }
}

static void stays_in_its_workspace(void **state) {
    (void)state;
    const dry_system systems[] = {drift_system(&force_x13), conveyor_system(), sphere_system()};
    static double work[1000];
    for (int s = 0; s < 3; s++)
        for (int m = 0; m < dry_method_count(); m++) {
            const dry_method *method = dry_method_at(m);
            const size_t size = dry_ode_size(&systems[s], method);
            const dry_ode_options options = {.step = 1e-4};
            double x[CONVEYOR_STATES];
            dry_ode ode;
            below(size, 999);
            for (int i = 0; i < 1000; i++) work[i] = 1234.5;
            assert_int_equal(
                dry_ode_init(&ode, &systems[s], method, &options, NULL, 0.0, NULL, NULL, work + 1),
                DRY_OK);
            dry_ode_advance(&ode, 0.2);
            dry_ode_step(&ode, 0.3);
            dry_ode_dense(&ode, 0.5 * (ode.t_before + ode.t), x);
            equal(work[0], 1234.5);
            for (size_t i = size + 1; i < 1000; i++) equal(work[i], 1234.5);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_IF(COUNTING, the_counter_counts),
        TEST_IF(COUNTING, no_allocation_in_a_step),
        cmocka_unit_test(stays_in_its_workspace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
