/* Inputs without a record: states that are held, and that a program sets between steps. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/stepper.h>
#include <string.h>

static const char text[] = "input u = 2 [m/s]\n"
                           "input w = -1 [m/s]\n"
                           "state x = 0 [m]\n"
                           "x' = u + 10*w\n"
                           "run until = 1 [s], step = 10 [ms]\n";

enum { MOST = 8 };

static int state_of(const dry_system *system, const char *name) {
    for (int i = 0; i < system->n_states; i++)
        if (strcmp(system->states[i].name, name) == 0) return i;
    fail_msg("there is no state %s", name);
    return -1;
}

/* x is the sum of u T + 10 w T over the steps, each with the values that were set before it. */
static void a_program_sets_inputs(void **state) {
    (void)state;
    static double work[100 * MOST];
    static char scratch[4000];
    dry_model *model = dry_model_compile("inputs", text, strlen(text), NULL);
    assert_true(model && dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options options = {.step = 0.01};
    dry_ode ode;
    assert_int_equal(system->n_inputs, 2);
    assert_int_equal(system->inputs[0], state_of(system, "u"));
    assert_int_equal(system->inputs[1], state_of(system, "w"));
    assert_in_range(dry_ode_size(system, rk4), 1, 100 * MOST);
    assert_in_range(system->work_size, 1, sizeof scratch);
    dry_ode_init(&ode, system, rk4, &options, NULL, 0.0, NULL, scratch, work);
    equal(ode.x[system->inputs[0]], 2.0);
    double wanted = 0.0;
    for (int k = 0; k < 100; k++) {
        const double u = k % 7, w = k % 3 - 1.0;
        ode.x[system->inputs[0]] = u;
        ode.x[system->inputs[1]] = w;
        assert_int_equal(dry_ode_advance(&ode, 0.01 * (k + 1)), DRY_OK);
        wanted += 0.01 * (u + 10.0 * w);
        near(ode.x[state_of(system, "x")], wanted, 1e-13);
    }
    dry_model_free(model);
}

/* The same through a stepper, by methods of each room, with one input by its name. */
static void follow(const char *method) {
    const dry_model_options of = {.run = {.method = dry_model_method_find(method)}};
    dry_model *model = dry_model_compile("inputs", text, strlen(text), &of);
    assert_true(model && dry_model_ok(model));
    const dry_run_options run = dry_model_run(model);
    const dry_inclusion *sets = dry_model_inclusion(model);
    dry_stepper *stepper = NULL;
    dry_error error = {0};
    is_ok(sets ? dry_stepper_new_inclusion(sets, &run, &stepper, &error)
               : dry_stepper_new(dry_model_system(model), &run, &stepper, &error),
          &error);
    const int w_input = dry_stepper_input_find(stepper, "w");
    assert_int_equal(w_input, 1);
    double wanted = 0.0;
    for (int k = 0; k < 100; k++) {
        const double u = k % 7, w = k % 3 - 1.0;
        is_ok(dry_stepper_set_input(stepper, 0, u, &error), &error);
        is_ok(dry_stepper_set_input(stepper, w_input, w, &error), &error);
        is_ok(dry_stepper_advance(stepper, 0.01 * (k + 1), &error), &error);
        wanted += 0.01 * (u + 10.0 * w);
        near_case(dry_stepper_states(stepper)[state_of(dry_model_system(model), "x")], wanted,
                  1e-12, "%s, step %d", method, k);
    }
    dry_stepper_free(stepper);
    dry_model_free(model);
}

static void a_stepper_sets_inputs(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "euler", "dopri5", "dop853", "rodas4", "rigid"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) follow(methods[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_program_sets_inputs),
                                       cmocka_unit_test(a_stepper_sets_inputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
