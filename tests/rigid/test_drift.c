/* X13 Fig 3 with the set kept: the exact answer, the order, and that stuck means stuck to the last
 * bit. */
#include "unit.h"

#include "problems.h"

/* ---- the exact answer: piecewise closed forms ---------------------------- */

/* The mass slips from 0.8 t = 0.5 on; before t = 2 the excess over F is 0.8 (t - 0.625), then 0.02.
 */
static const double slip_at = 0.625, level_at = 0.65;

static double v_at_2(void) {
    const double ramp = level_at - slip_at;
    return 0.4 * ramp * ramp + 0.02 * (2.0 - level_at);
}
static double p_at_2(void) {
    const double ramp = level_at - slip_at, flat = 2.0 - level_at;
    return 0.4 / 3.0 * ramp * ramp * ramp + 0.4 * ramp * ramp * flat + 0.01 * flat * flat;
}
/* from t = 2: v' = 0.336 - 0.5 + 0.144 cos 100 t */
static double v_after(double t) {
    return v_at_2() - 0.164 * (t - 2.0) + 0.00144 * (sin(100.0 * t) - sin(200.0));
}
static double p_after(double t) {
    const double s = t - 2.0;
    return p_at_2() + (v_at_2() - 0.00144 * sin(200.0)) * s - 0.082 * s * s -
           0.0000144 * (cos(100.0 * t) - cos(200.0));
}
/* The first zero of v: looked for in steps of 10 us, then halved. */
static double stop_time(void) {
    double low = 2.0, high = 2.0;
    while (v_after(high) > 0.0) low = high, high += 1e-5;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (v_after(middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double p_at(double h, double t) {
    problem of;
    drift_problem(&of);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    go(r, t);
    const double p = dry_rigid_state(r)[1];
    dry_rigid_free(r);
    return p;
}

static void the_exact_answer_is_that_of_the_experiments(void **state) {
    (void)state; /* experiments.md, experiment 1, printed with 6 and 8 decimals */
    closer(stop_time(), 2.170989, 5e-7);
    closer(p_at_2(), 0.01856458, 5e-9);
    closer(p_after(stop_time()), 0.02106225, 5e-9);
}

static void a_step_of_1_ms_is_within_1e_7(void **state) {
    (void)state;
    closer(p_at(1e-3, 2.0), p_at_2(), 1e-7);
    closer(p_at(1e-3, 5.0), p_after(stop_time()), 1e-7);
}

static void the_order_is_two_with_kinks_inside_steps(void **state) {
    (void)state; /* steps that meet neither 0.625 nor 0.65 nor the stop: 64 times less for 1/8 */
    const double exact = p_after(stop_time());
    const double coarse = fabs(p_at(5.0 / 701.0, 5.0) - exact);
    const double fine = fabs(p_at(5.0 / 5608.0, 5.0) - exact);
    above(coarse, 1e-8); /* else there is nothing to compare */
    below(fine, coarse / 20.0);
}

/* ---- stuck means stuck --------------------------------------------------- */

static void a_million_steps_of_rocking_change_no_bit(void **state) {
    (void)state;
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        drift_problem(&of);
        of.inclusion.steady = steady;
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        go(r, 3.0);
        double kept[2];
        memcpy(kept, dry_rigid_state(r), sizeof kept);
        equal(kept[0], 0.0);
        above(kept[1], 0.02);
        go(r, steady ? 1003.0 : 103.0);
        all_same_bits(2, dry_rigid_state(r), kept);
        closer(dry_rigid_forces(r)[0], drift_force(dry_rigid_time(r) - 5e-4), 1e-4);
        dry_rigid_free(r);
    }
}

static void a_stuck_arm_changes_no_bit(void **state) {
    (void)state;
    const double par[] = {0.3, 40.0, 0.5}; /* below the level, at both joints */
    problem of;
    arm_problem(&of, par, 1.0, 2.0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 5.0);
    double kept[4];
    memcpy(kept, dry_rigid_state(r), sizeof kept);
    equal(kept[0], 0.0);
    equal(kept[1], 0.0);
    above(kept[2], 0.1);
    go(r, 50.0);
    all_same_bits(4, dry_rigid_state(r), kept);
    dry_rigid_free(r);
}

static void a_stuck_stack_changes_no_bit(void **state) {
    (void)state;
    const double par[] = {5.0, 50.0, 0.2, 0.3}; /* 5 N against 0.2 * 29.4 N */
    problem of;
    stack_problem(&of, par);
    of.start[0] = of.start[2] = 0.5;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 3.0);
    double kept[8];
    memcpy(kept, dry_rigid_state(r), sizeof kept);
    for (int i = 0; i < 4; i++) equal(kept[i], 0.0);
    above(kept[4], 0.03);
    go(r, 23.0);
    all_same_bits(8, dry_rigid_state(r), kept);
    dry_rigid_free(r);
}

static void a_block_stuck_on_a_belt_moves_with_the_belt(void **state) {
    (void)state;
    const double F = 5.0;
    problem of;
    belt_problem(&of, &F);
    of.start[1] = -1.0;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 2.0);
    equal(dry_rigid_state(r)[0], 0.0);
    closer(dry_rigid_state(r)[1], 1.0, 1e-12);
    /* p' = 1: the mean of the spring's force over the last step, to h^2/24 of its curvature 6 p */
    const double p = 0.9995;
    closer(dry_rigid_forces(r)[0], p * p * p - p, 1e-6);
    dry_rigid_free(r);
}

/* ---- times --------------------------------------------------------------- */

static void the_end_is_met_and_pieces_do_not_matter(void **state) {
    (void)state;
    problem of;
    drift_problem(&of);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    const double ends[] = {0.1234567, 0.7, 1.9995, 2.0, 2.00001, 5.0};
    for (int i = 0; i < 6; i++) {
        go(r, ends[i]);
        equal(dry_rigid_time(r), ends[i]);
    }
    closer(dry_rigid_state(r)[1], p_after(stop_time()), 1e-7);
    dry_error error;
    assert_int_equal(dry_rigid_advance(r, 4.0, &error), DRY_BAD_ARGUMENT);
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_answer_is_that_of_the_experiments),
        cmocka_unit_test(a_step_of_1_ms_is_within_1e_7),
        cmocka_unit_test(the_order_is_two_with_kinks_inside_steps),
        cmocka_unit_test(a_million_steps_of_rocking_change_no_bit),
        cmocka_unit_test(a_stuck_arm_changes_no_bit),
        cmocka_unit_test(a_stuck_stack_changes_no_bit),
        cmocka_unit_test(a_block_stuck_on_a_belt_moves_with_the_belt),
        cmocka_unit_test(the_end_is_met_and_pieces_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
