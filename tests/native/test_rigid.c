/* The inclusion in native code goes the way of the bytecode, to the last bit. */
#include "native_test.h"

#include <drystone/rigid.h>

enum { MOST = 32, PARTS = 7 };

/* All that a run shows. */
typedef struct course {
    double t[PARTS], x[PARTS][MOST], force[PARTS][MOST], output[PARTS][MOST];
    double counts[4];
    dry_error error;
} course;

/* To the end in parts that are no multiples of the step, as far as it goes. */
static void go(const dry_inclusion *inclusion, const dry_run_options *run, course *c) {
    const dry_rigid_options options = {.step = run->step};
    dry_rigid *rigid;
    *c = (course){0};
    if (dry_rigid_new(inclusion, &options, NULL, 0.0, &rigid, &c->error) != DRY_OK)
        fail_msg("%s", c->error.text);
    for (int i = 0; i < PARTS && c->error.status == DRY_OK; i++) {
        dry_rigid_advance(rigid, run->until * (i + 1) / PARTS, &c->error);
        const double *x = dry_rigid_state(rigid), *force = dry_rigid_forces(rigid);
        c->t[i] = dry_rigid_time(rigid);
        memcpy(c->x[i], x, (size_t)inclusion->n_states * sizeof *x);
        memcpy(c->force[i], force, (size_t)inclusion->n_forces * sizeof *force);
        inclusion->output(dry_rigid_env(rigid), c->t[i], x, force, c->output[i]);
    }
    const dry_rigid_counts n = dry_rigid_count(rigid);
    const double counts[] = {(double)n.steps, (double)n.evals, (double)n.iterations,
                             (double)n.impacts};
    memcpy(c->counts, counts, sizeof counts);
    dry_rigid_free(rigid);
}

/* Bytecode and native code; `has_loop`: the native code has a loop of its own. */
static course compare(const char *text, bool has_loop) {
    course way[2];
    dry_model *model = compile_text(text);
    assert_true(dry_model_ok(model));
    dry_native *native = make_native(model, NULL, NULL);
    const dry_run_options run = dry_model_run(model);
    const dry_inclusion *bytecode = dry_model_inclusion(model);
    const dry_inclusion *compiled = dry_native_inclusion(native);
    assert_non_null(bytecode);
    assert_non_null(compiled);
    assert_ptr_not_equal(compiled->smooth, bytecode->smooth);
    at_most(bytecode->n_states, MOST);
    at_most(bytecode->system->n_outputs, MOST);
    assert_int_equal(compiled->march != NULL, has_loop);
    go(bytecode, &run, &way[0]);
    go(compiled, &run, &way[1]);
    assert_same("time", way[0].t, way[1].t, PARTS);
    assert_same("state", way[0].x[0], way[1].x[0], PARTS * MOST);
    assert_same("force", way[0].force[0], way[1].force[0], PARTS * MOST);
    assert_same("output", way[0].output[0], way[1].output[0], PARTS * MOST);
    assert_same("count", way[0].counts, way[1].counts, 4);
    assert_string_equal(way[0].error.text, way[1].error.text);
    dry_native_free(native);
    dry_model_free(model);
    return way[0];
}

static void well(const char *text, bool has_loop) {
    const course c = compare(text, has_loop);
    if (c.error.status != DRY_OK) fail_msg("%s", c.error.text);
}

static void one_set_goes_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param M = 1 [kg], F = 0.5 [N]\n"
         "state p = 0 [m], v = 0 [m/s]\n"
         "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
         "f in F*sgn(v)\n"
         "p' = v\n"
         "M*v' = fe - f\n"
         "run until = 3 [s], step = 1 [ms], method = rigid\n",
         true);
}

/* Sticking to a belt the block moves on, and its level and force depend on where it is. */
static void a_belt_goes_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param m = 1 [kg], k = 20 [N/m], V = 0.1 [m/s], F = 1 [N]\n"
         "state x = 0 [m], v = 0 [m/s]\n"
         "f in F*(1 + 0.5*exp(-x^2/1[m^2]))*sgn(v - V)\n"
         "x' = v\n"
         "m*v' = -k*x - f\n"
         "run until = 7 [s], step = 1 [ms], method = rigid\n",
         true);
}

static void many_sets_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param M = 1 [kg], k = 100 [N/m], F = 0.5 [N]\n"
         "state p = 0.1 [m], q = -0.05 [m], v = 0 [m/s], w = 0 [m/s]\n"
         "f in F*sgn(v)\n"
         "g in F*(1 + exp(-abs(q)/1[m]))*sgn(w)\n"
         "p' = v\nq' = w\n"
         "M*v' = k*(q - 2*p) - f\n"
         "M*w' = k*(p - 2*q) - g\n"
         "run until = 2 [s], step = 1 [ms], method = rigid\n",
         true);
}

/* A set that feels two velocities, and a mass that no set feels. */
static void sets_between_bodies_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param m = 1 [kg], M = 2 [kg], k = 50 [N/m], F = 0.5 [N]\n"
         "state p = 0.1 [m], q = 0 [m], z = 0 [m], v = 0 [m/s], w = 0.3 [m/s], u = 0 [m/s]\n"
         "f in F*sgn(v - w)\n"
         "g in F*sgn(u)\n"
         "p' = v\nq' = w\nz' = u + 0.01[m/s]\n"
         "m*v' = -k*p - f\n"
         "M*w' = f\n"
         "m*u' = k*(p - z) - g\n"
         "run until = 4 [s], step = 1 [ms], method = rigid\n",
         true);
}

/* A clutch and a brake on one shaft, both of which hold in the end. */
static void sets_that_act_on_each_other_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param J = 0.2 [kg m^2], I = 0.8 [kg m^2]\n"
         "state a = 150, b = 0 [rad/s]\n"
         "f in min(400, 400*t)*sgn(a - b)\n"
         "g in 20*sgn(b)\n"
         "J*a' = (if t < 0.6 then 60 else 15) - f\n"
         "I*b' = f - g\n"
         "run until = 4 [s], step = 1 [ms], method = rigid\n",
         true);
}

static void contacts_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    well("param M = 1 [kg], g = 9.8 [m/s^2]\n"
         "state p = 1 [m], v = 0 [m/s], q = 0 [m], w = 1 [m/s]\n"
         "N in dio(p) with restitution = 0.5\n"
         "f in 0.3*N*sgn(w)\n"
         "p' = v\nq' = w\n"
         "M*v' = N - M*g\n"
         "M*w' = -f\n"
         "run until = 3 [s], step = 1 [ms], method = rigid\n",
         false);
}

/* Bounces, rests on a table that lifts off again; beside it one between two walls, with friction.
 */
static void contacts_without_friction_of_their_own_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    const course c = compare("param M = 1 [kg], g = 9.8 [m/s^2]\n"
                             "state p = 0.1 [m], v = 0 [m/s], q = 0.5 [m], w = 3 [m/s]\n"
                             "lift = if t < 2 then 0 else 12*sin(5*(t - 2))\n"
                             "N in dio(p) with restitution = 0.5\n"
                             "A in dio(q) with restitution = 0.9\n"
                             "B in dio(1[m] - q) with restitution = 0.9\n"
                             "f in 0.2*sgn(w)\n"
                             "p' = v\nq' = w\n"
                             "M*v' = N - M*g + lift\n"
                             "M*w' = A - B - f\n"
                             "run until = 3 [s], step = 1 [ms], method = rigid\n",
                             true);
    above(c.counts[3], 10.0); /* impacts there were */
}

/* ---- what goes wrong goes wrong in the same way ------------------------------ */

static void conditions_and_lost_states_are_found_at_the_same_time(void **state) {
    (void)state;
    need_compiler();
    const course lost = compare("state x = 1 [m], v = 0 [m/s]\n"
                                "f in 0.1*sgn(v)\n"
                                "x' = v\n"
                                "1[kg]*v' = 40[kg/s^2]*x + 1e3[kg/s^2/m^4]*x^5 - f\n"
                                "run until = 10 [s], step = 1 [ms], method = rigid\n",
                                true);
    assert_int_equal(lost.error.status, DRY_NOT_FINITE);
    const course level = compare("state x = 0 [m], v = 1 [m/s]\n"
                                 "f in (0.1[N] - 0.3[N/m]*x)*sgn(v)\n"
                                 "x' = v\n"
                                 "1[kg]*v' = 1[N] - f\n"
                                 "run until = 10 [s], step = 1 [ms], method = rigid\n",
                                 true);
    assert_int_equal(level.error.status, DRY_BAD_MODEL);
}

static void a_model_without_sets_has_no_inclusion(void **state) {
    (void)state;
    need_compiler();
    dry_model *model =
        compile_text("state x = 1\nx' = -x/1[s]\nrun until = 1 [s], step = 1 [ms]\n");
    dry_native *native = make_native(model, dry_method_find("rk4"), NULL);
    assert_null(dry_native_inclusion(native));
    dry_native_free(native);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_set_goes_the_same_way),
        cmocka_unit_test(a_belt_goes_the_same_way),
        cmocka_unit_test(many_sets_go_the_same_way),
        cmocka_unit_test(sets_between_bodies_go_the_same_way),
        cmocka_unit_test(sets_that_act_on_each_other_go_the_same_way),
        cmocka_unit_test(contacts_go_the_same_way),
        cmocka_unit_test(contacts_without_friction_of_their_own_go_the_same_way),
        cmocka_unit_test(conditions_and_lost_states_are_found_at_the_same_time),
        cmocka_unit_test(a_model_without_sets_has_no_inclusion),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
