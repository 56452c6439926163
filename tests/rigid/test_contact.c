/* Contacts: restitution, rest, slopes, stacks, a rod. */
#include "unit.h"

#include "problems.h"

static const double no_growth = 0.0;

/* Energy per mass over the floor, as a height where gravity is 9.8 (1 + growth p). */
static double height(const double *x, double growth) {
    return x[1] + 0.5 * growth * x[1] * x[1] + x[0] * x[0] / (2.0 * 9.8);
}

/* The worst error of the height after each of `bounces` against e^2 per bounce. */
static double bounce_error(double growth, double h, double e, int bounces) {
    problem of;
    ball_problem(&of, &growth, 1.0, e);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    double want = height(of.start, growth), worst = 0.0, v = 0.0;
    for (long k = 1; bounces > 0; k++) {
        go(r, (double)k * h);
        const double *x = dry_rigid_state(r);
        above(x[1], -1e-6);
        if (v < 0.0 && x[0] > 0.0) {
            want *= e * e;
            worst = dry_max(worst, fabs(height(x, growth) - want));
            bounces--;
        }
        v = x[0];
    }
    dry_rigid_free(r);
    return worst;
}

static void each_bounce_keeps_e_squared_of_the_height(void **state) {
    (void)state;
    below(bounce_error(0.0, 1e-2, 0.8, 4), 1e-12); /* free fall is a parabola: rounding */
    below(bounce_error(0.0, 1e-3, 0.5, 4), 1e-12);
    const double coarse = bounce_error(0.7, 1e-2, 0.8, 4), fine = bounce_error(0.7, 1e-3, 0.8, 4);
    below(coarse, 1e-3); /* 10 h^2 */
    above(coarse, 1e-10);
    below(fine, coarse / 50.0);
}

static void a_ball_comes_to_rest_and_rests(void **state) {
    (void)state;
    problem of;
    ball_problem(&of, &no_growth, 1.0, 0.5);
    /* t1 (1 + 2 e + 2 e^2 + ...) = t1 (1 + e)/(1 - e) */
    const double rest = sqrt(2.0 / 9.8) * 3.0;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, rest - 0.01);
    unequal(dry_rigid_state(r)[0], 0.0);
    go(r, rest + 0.01);
    double kept[2];
    memcpy(kept, dry_rigid_state(r), sizeof kept);
    equal(kept[0], 0.0);
    closer(kept[1], 0.0, 1e-6);
    go(r, 50.0);
    all_same_bits(sizeof kept / sizeof *kept, dry_rigid_state(r), kept);
    closer(dry_rigid_forces(r)[0], 9.8, 1e-12);
    dry_rigid_free(r);
}

static void a_ball_without_restitution_stays_where_it_fell(void **state) {
    (void)state;
    problem of;
    ball_problem(&of, &no_growth, 0.3, 0.0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-2});
    go(r, 0.3);
    equal(dry_rigid_state(r)[0], 0.0);
    closer(dry_rigid_state(r)[1], 0.0, 1e-15);
    assert_int_equal(dry_rigid_count(r).impacts, 1);
    dry_rigid_free(r);
}

static void the_force_of_a_step_holds_the_impulse(void **state) {
    (void)state;
    problem of;
    ball_problem(&of, &no_growth, 1.0, 0.8);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-2});
    double momentum = 0.0;
    for (int k = 1; k <= 300; k++) {
        go(r, 0.01 * k);
        momentum += 0.01 * (dry_rigid_forces(r)[0] - 9.8);
        closer(dry_rigid_state(r)[0], momentum, 1e-11);
    }
    dry_rigid_free(r);
}

static void a_contact_opens_when_it_is_pulled(void **state) {
    (void)state; /* gravity turns at p = 0 of a ball that starts closed: 9.8 (growth p + 1) < 0 */
    const double growth = -2.0;
    problem of;
    ball_problem(&of, &growth, 0.6, 0.0); /* over the point where gravity turns */
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 0.5);
    /* p - 1/2 grows as cosh(w t), w^2 = 19.6 */
    closer(dry_rigid_state(r)[1], 0.5 + 0.1 * cosh(sqrt(19.6) * 0.5), 1e-6);
    equal(dry_rigid_forces(r)[0], 0.0);
    dry_rigid_free(r);
}

/* ---- slopes -------------------------------------------------------------- */

static void a_block_sticks_below_the_angle_of_friction(void **state) {
    (void)state;
    const double par[] = {0.3, 0.4}; /* tan 0.3 = 0.309 */
    problem of;
    slope_problem(&of, par);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 10.0);
    for (int i = 0; i < 4; i++) equal(dry_rigid_state(r)[i], 0.0);
    closer(dry_rigid_forces(r)[0], 9.8 * cos(0.3), 1e-12);
    closer(dry_rigid_forces(r)[1], 9.8 * sin(0.3), 1e-12);
    dry_rigid_free(r);
}

static void a_block_slips_above_it(void **state) {
    (void)state;
    const double par[] = {0.3, 0.2}, a = 9.8 * (sin(0.3) - 0.2 * cos(0.3));
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        slope_problem(&of, par);
        of.inclusion.steady = steady;
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        go(r, 1.0);
        closer(dry_rigid_state(r)[2], 0.5 * a, 1e-12); /* uniform: rounding only */
        closer(dry_rigid_state(r)[0], a, 1e-12);
        equal(dry_rigid_state(r)[3], 0.0);
        dry_rigid_free(r);
    }
}

static void an_impact_on_a_slope_takes_friction_along(void **state) {
    (void)state; /* off the slope at 1 m/s, along at 0.5 m/s: the impulse of friction is mu times
                    that */
    const double par[] = {0.0, 0.2};
    problem of;
    slope_problem(&of, par);
    of.start[0] = 0.5, of.start[1] = -1.0;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-4});
    go(r, 1e-4);
    equal(dry_rigid_state(r)[1], 0.0);
    closer(dry_rigid_state(r)[0], 0.5 - 0.2 - 0.2 * 9.8 * 1e-4, 1e-12);
    dry_rigid_free(r);
}

/* ---- two stacked blocks -------------------------------------------------- */

static void a_stack_sticks_moves_as_one_and_shears(void **state) {
    (void)state; /* 2 kg under 1 kg; mu 0.2 below, 0.3 between */
    const double g = 9.8, below = 0.2 * 3.0 * g, between = 0.3 * g;
    const double force[] = {5.0, 13.0, 21.0};
    const double a1[] = {0.0, (13.0 - below) / 3.0, (21.0 - below - between) / 2.0};
    const double a2[] = {0.0, (13.0 - below) / 3.0, between};
    for (int i = 0; i < 3; i++) {
        const double par[] = {force[i], 0.0, 0.2, 0.3};
        problem of;
        stack_problem(&of, par);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        go(r, 1.0);
        const double *x = dry_rigid_state(r), *lambda = dry_rigid_forces(r);
        closer(x[4], 0.5 * a1[i], 1e-10);
        closer(x[6], 0.5 * a2[i], 1e-10);
        equal(x[5], 0.0);
        equal(x[7], 0.0);
        closer(lambda[0], 3.0 * g, 1e-9);
        closer(lambda[1], g, 1e-9);
        dry_rigid_free(r);
    }
}

static void a_block_that_falls_on_another_comes_to_rest_on_it(void **state) {
    (void)state;
    const double par[] = {0.0, 0.0, 0.2, 0.3};
    problem of;
    stack_problem(&of, par);
    of.start[7] = 0.1;  /* the upper one in the air */
    of.start[2] = 0.05; /* and drifting */
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 2.0);
    const double *x = dry_rigid_state(r);
    for (int i = 0; i < 4; i++) equal(x[i], 0.0);
    closer(x[5], 0.0, 1e-12);
    closer(x[7], 0.0, 1e-12);
    closer(dry_rigid_forces(r)[0], 29.4, 1e-9);
    dry_rigid_free(r);
}

/* ---- X13 Examples I and II ---------------------------------------------- */

static void a_sphere_bounces_slips_and_rolls(void **state) {
    (void)state;
    const double e = 0.8;
    problem of;
    sphere_problem(&of, e);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    const double *x = dry_rigid_state(r);
    for (int k = 1; k <= 5000; k++) {
        go(r, 1e-3 * k);
        closer(x[0] + 0.4 * 0.5 * x[2], 5.5, 1e-12); /* whatever the bounces */
        above(x[4], 0.5 - 1e-9);
    }
    closer(x[0], 5.5 * 5.0 / 7.0, 1e-12);
    closer(x[2], 55.0 / 7.0, 1e-11);
    closer(x[0], 0.5 * x[2], 1e-14);
    dry_rigid_free(r);
}

/* At rest Ks p1y is held by f1 and f2, each at most mu N, where N = mu N3 is what the conveyor
 * pushes with, and N3 carries f2 beside the weight: N3 <= M2 g/(1 - mu^2). */
static void the_conveyor_hits_at_its_exact_time_and_comes_to_rest(void **state) {
    (void)state; /* 0.05 m at 4.9 m/s^2: exactly 1/7 s and 0.7 m/s */
    for (int steps = 1000; steps <= 10000; steps *= 10) {
        problem of;
        conveyor_problem(&of);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1.0 / steps});
        const double *x = dry_rigid_state(r);
        go(r, 1.0 / 7.0 - 1e-6);
        closer(x[2], -0.7, 1e-5);
        assert_int_equal(dry_rigid_count(r).impacts, 0);
        go(r, 1.0 / 7.0 + 1e-6);
        at_least(dry_rigid_count(r).impacts, 1);
        for (int k = 150; k <= 1000; k++) {
            go(r, 1e-3 * k);
            above(x[4], -1e-12);
            above(x[6] - x[4], -1e-12);
            above(x[7], -1e-12);
        }
        at_most(100.0 * fabs(x[5]), 2.0 * 0.25 * 9.8 / (1.0 - 0.25));
        for (int i = 0; i < 4; i++) equal(x[i], 0.0);
        dry_rigid_free(r);
    }
}

/* ---- the rod ------------------------------------------------------------- */

static double rod_gap(double h) {
    const double mu = 0.3;
    problem of;
    rod_problem(&of, &mu, 2.0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    go(r, 0.2);
    const double *x = dry_rigid_state(r), gap = x[4] - sin(x[5]);
    above(dry_rigid_forces(r)[0], 0.0);
    dry_rigid_free(r);
    return fabs(gap);
}

static void a_turning_rod_keeps_its_tip_on_the_floor(void **state) {
    (void)state;
    below(rod_gap(1e-2), 1e-4); /* h^2 */
    below(rod_gap(1e-3), 1e-6);
}

/* ---- a level that bends ---------------------------------------------------- */

/* A load P = 1 + growth t presses a block on the floor: m w' = N - P; its friction grows with the
 * square of N, m v' = -f with f in mu N^2 sgn(v). */
static const double SQUARED = 0.1; /* mu, 1/N */
static void squared_eval(const dry_env *env, double t, const double *x, const double *lambda,
                         const dry_inclusion_values *out) {
    out->rate[0] = lambda[0] - (1.0 + env->par[0] * t);
    out->rate[1] = -lambda[1];
    out->rate[2] = x[0];
    out->gap[0] = x[2];
    out->slide[0] = x[0];
    out->slide[1] = x[1];
    out->level[1] = SQUARED * lambda[0] * lambda[0];
    out->push[0] = 1.0, out->push[1] = -1.0;
    out->feel[0] = out->feel[1] = 1.0;
    out->lift[0] = 2.0 * SQUARED * lambda[0];
}
static void squared_problem(problem *of, const double *growth) {
    problem_begin(of, "squared", squared_eval, growth);
    add_state(of, "w", true, 0.0);
    add_state(of, "v", true, 100.0);
    add_state(of, "y", false, 0.0);
    add_set(of, "N", dry_set_find("dio"), 1, 0.0);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    add_push(of, 0, 0), add_push(of, 1, 1);
    add_feel(of, 0, 0), add_feel(of, 1, 1);
    add_lift(of, 1, 0);
}

/* What slides has the friction of its level, to 1e-9 of the largest force. N grows by d in a step:
 * a level that was straightened once would be off by mu d^2, from 1e-3 N to 1e-7 N. */
static void a_level_that_bends_is_met_in_every_step(void **state) {
    static const double growths[] = {10.0, 1.0, 0.1}; /* N/s */
    (void)state;
    for (int i = 0; i < 3; i++) {
        problem of;
        squared_problem(&of, &growths[i]);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-2});
        for (int k = 1; k <= 100; k++) {
            go(r, 1e-2 * k);
            const double N = dry_rigid_forces(r)[0], f = dry_rigid_forces(r)[1];
            const double P = 1.0 + growths[i] * (1e-2 * k - 5e-3); /* in the middle of the step */
            closer(N, P, 1e-9 * P);
            if (!(fabs(f - SQUARED * N * N) < 1.001e-9 * dry_max(N, f)))
                fail_msg("%g N/s, step %d: %.12g, not %.12g", growths[i], k, f, SQUARED * N * N);
        }
        dry_rigid_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bounce_keeps_e_squared_of_the_height),
        cmocka_unit_test(a_ball_comes_to_rest_and_rests),
        cmocka_unit_test(a_ball_without_restitution_stays_where_it_fell),
        cmocka_unit_test(the_force_of_a_step_holds_the_impulse),
        cmocka_unit_test(a_contact_opens_when_it_is_pulled),
        cmocka_unit_test(a_block_sticks_below_the_angle_of_friction),
        cmocka_unit_test(a_block_slips_above_it),
        cmocka_unit_test(an_impact_on_a_slope_takes_friction_along),
        cmocka_unit_test(a_stack_sticks_moves_as_one_and_shears),
        cmocka_unit_test(a_block_that_falls_on_another_comes_to_rest_on_it),
        cmocka_unit_test(a_sphere_bounces_slips_and_rolls),
        cmocka_unit_test(the_conveyor_hits_at_its_exact_time_and_comes_to_rest),
        cmocka_unit_test(a_turning_rod_keeps_its_tip_on_the_floor),
        cmocka_unit_test(a_level_that_bends_is_met_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
