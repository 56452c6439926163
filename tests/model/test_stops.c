/* Stops: every method ends a run where a closed form says that it ends, to its own order; the last
 * row is that instant. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/sim.h>
#include <drystone/stepper.h>
#include <math.h>
#include <string.h>

/* y = h - g t^2/2 reaches 0 at sqrt(2 h/g), where v is -sqrt(2 g h). */
static const char fall[] = "param g = 9.81 [m/s^2], h = 1 [m]\n"
                           "state y = h, v = 0 [m/s]\n"
                           "y' = v\n"
                           "v' = -g\n"
                           "stop when y < 0 [m] as \"it hits the ground\"\n"
                           "run until = 2 [s], record = 0.1 [s]\n"
                           "measure late = at(y, 1)\n"
                           "measure early = at(y, 0.25)\n"
                           "measure apex = max(y)\n";
/* v = e^(-t) reaches 0.3 at ln(1/0.3). */
static const char decay[] = "state v = 1 [m/s]\n"
                            "v' = -v/(1 [s])\n"
                            "stop when v < 0.3 [m/s]\n"
                            "run until = 5 [s]\n";

static dry_model *compile(const char *text, const char *method, double step) {
    const dry_model_options options = {
        .run = {.method = dry_model_method_find(method), .step = step}};
    dry_model *model = dry_model_compile("stops", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static dry_status run(const dry_model *model, dry_sim_result *result, dry_error *error) {
    const dry_sim_options options = {.run = dry_model_run(model)};
    const dry_inclusion *sets = dry_model_inclusion(model);
    return sets ? dry_sim_run_inclusion(sets, &options, result, error)
                : dry_sim_run(dry_model_system(model), &options, result, error);
}

/* When it stops; every row is earlier than the next, and the last is that instant. */
static double time_of_stop(const char *text, const char *method, double step) {
    dry_model *model = compile(text, method, step);
    dry_sim_result result;
    dry_error error = {0};
    is_ok(run(model, &result, &error), &error);
    assert_int_equal(result.stop, dry_model_system(model)->first_stop);
    const size_t rows = dry_record_rows(result.record);
    const double *t = dry_record_values(result.record, 0);
    for (size_t i = 1; i < rows; i++) above(t[i], t[i - 1]);
    const double end = result.end;
    same_bits(t[rows - 1], end);
    dry_record_free(result.record);
    dry_model_free(model);
    return end;
}

static void a_stone_hits_the_ground(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double tolerance;
    } rows[] = {{"heun", 1e-14},   {"rk4", 1e-14},    {"rk4-tau", 1e-14}, {"dopri5", 1e-10},
                {"dop853", 1e-10}, {"rodas4", 1e-10}, {"euler", 5e-3},    {"semi-implicit", 5e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        near_case(time_of_stop(fall, rows[i].method, 7e-3), sqrt(2.0 / 9.81), rows[i].tolerance,
                  "%s", rows[i].method);
    if (dry_stiff_has_cvode()) near(time_of_stop(fall, "cvode", 0.0), sqrt(2.0 / 9.81), 1e-5);
}

static void the_error_falls_with_the_order(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double order;
    } rows[] = {{"euler", 1.0}, {"semi-implicit", 1.0}, {"heun", 2.0}, {"rk4", 4.0}};
    const double exact = log(1.0 / 0.3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double coarse = fabs(time_of_stop(decay, rows[i].method, 0.05) - exact);
        const double fine = fabs(time_of_stop(decay, rows[i].method, 0.025) - exact);
        near_case(log2(coarse / fine), rows[i].order, 0.15, "%s", rows[i].method);
    }
}

static void rigid_methods_stop_at_the_end_of_a_step(void **state) {
    (void)state;
    static const char *const methods[] = {"rigid", "rigid-routh", "split", "split-symmetric"};
    const double exact = sqrt(2.0 / 9.81), step = 7e-3;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const double end = time_of_stop(fall, methods[i], step);
        between(end, exact - 0.5 * step, exact + step);
        near(end, step * round(end / step), 1e-12);
    }
}

/* Which of several conditions comes first; conditions of the time are met exactly. */
static void a_time_is_a_condition(void **state) {
    (void)state;
    static const char text[] = "state x = 0\n"
                               "late = t > 0.5\n"
                               "x' = 1/(1 [s])\n"
                               "stop when x > 0.7\n"
                               "stop when late and x > 0.1\n"
                               "run until = 2 [s]\n";
    static const char *const methods[] = {"rk4", "dopri5", "dop853", "rodas4"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        dry_model *model = compile(text, methods[i], 7e-3);
        dry_sim_result result;
        dry_error error = {0};
        is_ok(run(model, &result, &error), &error);
        near_case(result.end, 0.5, 1e-15, "%s", methods[i]);
        assert_string_equal(dry_model_watch_text(model, result.stop), "late and x > 0.1");
        dry_record_free(result.record);
        dry_model_free(model);
    }
}

/* A held value may be compared with ==: it is met at its instant. */
static void a_sample_is_a_condition(void **state) {
    (void)state;
    static const char text[] = "state x = 0\n"
                               "sample k = k.before + 1 every 0.1 [s] from 0\n"
                               "x' = 1/(1 [s])\n"
                               "stop when k == 4\n"
                               "run until = 2 [s]\n";
    static const char *const methods[] = {"rk4", "dopri5", "rodas4", "rigid"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        near_case(time_of_stop(text, methods[i], 7e-3), 0.3, 1e-15, "%s", methods[i]);
}

static void measures_say_what_they_lack(void **state) {
    (void)state;
    dry_model *model = compile(fall, "rk4", 7e-3);
    dry_sim_result result;
    dry_error error = {0};
    dry_measured measured[3];
    is_ok(run(model, &result, &error), &error);
    is_ok(dry_model_evaluate(model, NULL, result.record, measured, NULL, &error), &error);
    is_nan(measured[0].value);
    near(measured[0].beyond, 1.0, 1e-15);
    for (int i = 1; i < 3; i++) equal(measured[i].beyond, 0.0);
    near(measured[2].value, 1.0, 1e-15);
    dry_record_free(result.record);
    dry_model_free(model);
}

static void what_stops_at_the_start_is_refused(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "dopri5", "rodas4", "rigid"};
    static const char text[] = "state x = 0\n"
                               "x' = 1/(1 [s])\n"
                               "stop when x < 0.7\n"
                               "run until = 2 [s], step = 1 [ms]\n";
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        dry_model *model = compile(text, methods[i], 0.0);
        dry_sim_result result;
        dry_error error = {0};
        assert_int_equal(run(model, &result, &error), DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "is true when the run begins, at t = 0 s"));
        dry_record_free(result.record);
        dry_model_free(model);
    }
}

/* A stepper says that the model stops, and goes on if it is told to. */
static void a_stepper_tells_of_it(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "dopri5", "rodas4", "rigid"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        dry_model *model = compile(fall, methods[i], 1e-3);
        const dry_run_options options = dry_model_run(model);
        const dry_inclusion *sets = dry_model_inclusion(model);
        dry_stepper *stepper;
        dry_error error = {0};
        is_ok(sets ? dry_stepper_new_inclusion(sets, &options, &stepper, &error)
                   : dry_stepper_new(dry_model_system(model), &options, &stepper, &error),
              &error);
        is_ok(dry_stepper_advance(stepper, 0.25, &error), &error);
        assert_int_equal(dry_stepper_stop(stepper), 0);
        assert_int_equal(dry_stepper_advance(stepper, 1.0, &error), DRY_STOPPED);
        near_case(dry_stepper_time(stepper), sqrt(2.0 / 9.81), 1e-3, "%s", methods[i]);
        assert_string_equal(dry_model_watch_text(model, dry_stepper_stop(stepper)),
                            "it hits the ground");
        const double t = dry_stepper_time(stepper);
        assert_int_equal(dry_stepper_advance(stepper, 1.0, &error), DRY_STOPPED);
        above(dry_stepper_time(stepper), t);
        dry_stepper_free(stepper);
        dry_model_free(model);
    }
}

/* Parts alone, whose net has loops of its own, and parts that equations read. */
static void parts_stop_a_run(void **state) {
    (void)state;
    static const char text[] = "part earth = gravity(g = 10 [m/s^2])\n"
                               "part ball = point_mass(mass = 1 [kg], p = [0, 0, 1] [m])\n"
                               "stop when ball.p[3] < 0.5 [m]\n"
                               "run until = 2 [s]\n";
    static const struct {
        const char *method;
        double tolerance;
    } rows[] = {{"rk4", 1e-12}, {"dopri5", 1e-9}, {"rodas4", 1e-9}, {"semi-implicit", 2e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        near_case(time_of_stop(text, rows[i].method, 1e-3), sqrt(0.1), rows[i].tolerance, "%s",
                  rows[i].method);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stone_hits_the_ground),
        cmocka_unit_test(the_error_falls_with_the_order),
        cmocka_unit_test(rigid_methods_stop_at_the_end_of_a_step),
        cmocka_unit_test(a_time_is_a_condition),
        cmocka_unit_test(a_sample_is_a_condition),
        cmocka_unit_test(measures_say_what_they_lack),
        cmocka_unit_test(what_stops_at_the_start_is_refused),
        cmocka_unit_test(a_stepper_tells_of_it),
        cmocka_unit_test(parts_stop_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
