/* The forces at the present time: of second order, and no jump smeared over samples. */
#include "unit.h"

#include "problems.h"

/* ---- a mass on a vibrating table: N = m (g - A w^2 sin w t) --------------- */

static const double m = 2.0, g = 9.81, A = 5e-3, w = 30.0;

static void table_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = lambda[0] / m - g;
    out->rate[1] = x[0];
    out->gap[0] = x[1] - A * sin(w * t);
    out->slide[0] = x[0] - A * w * cos(w * t);
    out->push[0] = 1.0 / m;
    out->feel[0] = 1.0;
}
static double table_error(double h, long per_sample) {
    problem of;
    problem_begin(&of, "table", table_eval, NULL);
    add_state(&of, "v", true, A * w);
    add_state(&of, "y", false, 0.0);
    one_mass(&of, "N", dry_set_find("dio"), 0.0);
    of.inclusion.steady = false;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    double worst = fabs(dry_rigid_instant_forces(r)[0] - m * g);
    for (long k = per_sample; (double)k * h < 0.5; k += per_sample) {
        go(r, (double)k * h);
        const double N = m * (g - A * w * w * sin(w * dry_rigid_time(r)));
        worst = dry_max(worst, fabs(dry_rigid_instant_forces(r)[0] - N));
    }
    dry_rigid_free(r);
    return worst;
}
static void a_contact_force_is_of_second_order(void **state) {
    (void)state; /* at h/2 beyond a line through means: (3/8 + 1/24) h^2 N'' at most, with
                    N'' = m A w^4; h w = 0.03, so that the next term is below a tenth of it */
    for (long per_sample = 1; per_sample <= 7; per_sample += 6)
        for (double h = 1e-3; h > 1e-4; h /= 2.0)
            at_most(table_error(h, per_sample), 0.46 * h * h * m * A * pow(w, 4.0));
}

/* ---- a block on a belt, held by a spring ----------------------------------- */

static const double k_spring = 50.0, belt = 0.2, F = 3.0;

static void held_eval(const dry_env *env, double t, const double *x, const double *lambda,
                      const dry_inclusion_values *out) {
    (void)env, (void)t;
    out->rate[0] = -k_spring * x[1] - lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0] - belt;
    out->level[0] = F;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static void held_problem(problem *of, bool steady) {
    problem_begin(of, "held", held_eval, NULL);
    add_state(of, "v", true, belt);
    add_state(of, "x", false, 0.0);
    one_mass(of, "f", dry_set_find("sgn"), 0.0);
    of->inclusion.steady = steady;
}
static void a_block_that_sticks_to_a_belt_has_the_force_of_its_spring(void **state) {
    (void)
        state; /* a straight line in time: nothing but rounding, which is 1e-16 v/h of the force */
    for (int steady = 0; steady < 2; steady++)
        for (int per_sample = 1; per_sample < 9; per_sample += 3) {
            problem of;
            held_problem(&of, steady);
            dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
            for (int k = 0; k < 290; k += per_sample) {
                go(r, 1e-3 * k);
                const double *x = dry_rigid_state(r);
                closer(dry_rigid_instant_forces(r)[0], -k_spring * x[1], 1e-11);
                equal(x[0], belt);
            }
            dry_rigid_free(r);
        }
}

/* Where it breaks loose, f goes on without a jump at its limit: |f| <= F at every sample. */
static void a_force_does_not_leave_its_set(void **state) {
    (void)state;
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        held_problem(&of, steady);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 3e-3});
        long at_limit = 0;
        for (int k = 0; k < 2000; k++) {
            go(r, 3e-3 * k);
            const double f = dry_rigid_instant_forces(r)[0];
            at_most(fabs(f), F);
            at_limit += f == -F;
        }
        above(at_limit, 100);
        dry_rigid_free(r);
    }
}

/* ---- jumps ------------------------------------------------------------------ */

static void brake_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = (t < 1.3333 ? 0.0 : 0.4) - lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0];
    out->level[0] = 0.5;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static void brake_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 1.3333;
}
static void a_force_that_jumps_is_not_smeared(void **state) {
    (void)
        state; /* stops after 0.3003/0.5 s within a step, stands, and is pushed from 1.3333 s on */
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        problem_begin(&of, "brake", brake_eval, NULL);
        add_state(&of, "v", true, 0.3003);
        add_state(&of, "x", false, 0.0);
        one_mass(&of, "f", dry_set_find("sgn"), 0.0);
        of.inclusion.steady = steady;
        add_breaks(&of, 1, brake_breaks);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-2});
        for (int k = 0; k < 200; k++) {
            go(r, 1e-2 * k);
            const double t = dry_rigid_time(r), f = t < 0.6006 ? 0.5 : t < 1.3333 ? 0.0 : 0.4;
            closer(dry_rigid_instant_forces(r)[0], f, 1e-13);
        }
        dry_rigid_free(r);
    }
}

/* At the time of a jump the force is that behind it, as is the forcing in the same row. */
static void at_a_jump_it_is_the_force_behind_it(void **state) {
    (void)state;
    problem of;
    problem_begin(&of, "brake", brake_eval, NULL);
    add_state(&of, "v", true, 0.0);
    add_state(&of, "x", false, 0.0);
    one_mass(&of, "f", dry_set_find("sgn"), 0.0);
    add_breaks(&of, 1, brake_breaks);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-2});
    go(r, 1.3333);
    closer(dry_rigid_instant_forces(r)[0], 0.4, 1e-13);
    equal(dry_rigid_forces(r)[0], 0.0);
    dry_rigid_free(r);
}

/* Looking at the forces changes nothing: all bits are the same, however often it is done. */
static void samples_do_not_change_the_motion(void **state) {
    (void)state;
    problem of;
    conveyor_problem(&of);
    dry_rigid *often = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    dry_rigid *once = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    for (int k = 1; k <= 1000; k++) go(often, 1e-3 * k);
    go(once, 1.0);
    all_same_bits(8, dry_rigid_state(often), dry_rigid_state(once));
    above(dry_rigid_count(once).impacts, 0);
    dry_rigid_free(often);
    dry_rigid_free(once);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_force_is_of_second_order),
        cmocka_unit_test(a_block_that_sticks_to_a_belt_has_the_force_of_its_spring),
        cmocka_unit_test(a_force_does_not_leave_its_set),
        cmocka_unit_test(a_force_that_jumps_is_not_smeared),
        cmocka_unit_test(at_a_jump_it_is_the_force_behind_it),
        cmocka_unit_test(samples_do_not_change_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
