/* Delays: the order of every method, by closed forms of the method of steps; a run continues from
 * its states alone; what may and may not change without a new compilation. */
#include "unit.h"

#include <drystone/law.h>
#include <drystone/model.h>
#include <drystone/sim.h>
#include <drystone/stepper.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dry_model *compile(const char *text, const dry_run_options *run) {
    const dry_model_options options = {.run = *run};
    dry_model *model = dry_model_compile("delays", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

/* The column of the record at each of its rows minus what it should be; the largest. */
typedef double truth(double t);
static double error_of(const char *text, const dry_run_options *run, truth *wanted) {
    dry_model *model = compile(text, run);
    const dry_sim_options options = {.run = dry_model_run(model)};
    dry_sim_result result;
    dry_error error = {0};
    double most = 0.0;
    is_ok(dry_model_inclusion(model)
              ? dry_sim_run_inclusion(dry_model_inclusion(model), &options, &result, &error)
              : dry_sim_run(dry_model_system(model), &options, &result, &error),
          &error);
    for (size_t i = 0; i < dry_record_rows(result.record); i++)
        most = fmax(most, fabs(dry_record_values(result.record, 1)[i] -
                               wanted(dry_record_values(result.record, 0)[i])));
    dry_record_free(result.record);
    dry_model_free(model);
    return most;
}

static dry_run_options by(const char *method, double step) {
    return (dry_run_options){.method = dry_model_method_find(method), .step = step, .record = 0.5};
}

/* ---- orders ------------------------------------------------------------------------ */

/* On the boundary of stability, a T = pi/2, x' = -a x(t - T) has the answer sin(a t). */
static const char sine_text[] = "state x = 0\nparam a = (pi/2) [1/s]\n"
                                "x' = -a*delay(x, 1 [s], sin(a*t))\nrun until = 7 [s]\n";
static double sine(double t) { return sin(2.0 * atan(1.0) * t); }

/* The same as a mass on a spring that answers a quarter of a period late: v' = -b x(t - T). */
static const char mass_text[] = "state x = 0 [m], v = (pi/2) [m/s]\nparam a = (pi/2) [1/s]\n"
                                "x' = v\nv' = -a*delay(v, 1 [s], a*cos(a*t)*1 [m])\n"
                                "run until = 7 [s]\n";

static void fixed_steps_keep_their_order(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double order;
    } rows[] = {{"euler", 1}, {"semi-implicit", 1}, {"heun", 2}, {"rk4", 4}, {"rk4-tau", 4}};
    const char *const texts[] = {sine_text, mass_text};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 2; k++) {
            const dry_run_options wide = by(rows[i].method, 0.05),
                                  fine = by(rows[i].method, 0.0125);
            const double ratio = error_of(texts[k], &wide, sine) / error_of(texts[k], &fine, sine);
            above(log(ratio) / log(4.0), rows[i].order - 0.2);
        }
}

/* Steps that are no part of the delay end at its instants. */
static void any_step_fits(void **state) {
    (void)state;
    const dry_run_options wide = by("rk4", 0.07), fine = by("rk4", 0.0175);
    above(error_of(sine_text, &wide, sine) / error_of(sine_text, &fine, sine), 200.0);
}

static void errors_follow_the_tolerance(void **state) {
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "rodas4"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (double rtol = 1e-5; rtol > 1e-10; rtol /= 16.0) {
            dry_run_options run = by(methods[i], 0.0);
            run.rtol = run.atol = rtol;
            below(error_of(sine_text, &run, sine), 2.0 * rtol);
        }
}

/* ---- breaks ------------------------------------------------------------------------ */

/* x' = -x(t - T), x = 0 before and 1 at the start, T = 1: 1, 1 - (t - 1), ... + (t - 2)^2/2. Cubics
 * and jumps at known times are no error of rk4, whatever the step. */
static const char jump_text[] =
    "state x = 1\nx' = -delay(x, 1 [s], 0)/(1 [s])\nrun until = 4 [s]\n";
static double steps(double t) {
    double sum = 1.0;
    if (t > 1.0) sum -= t - 1.0;
    if (t > 2.0) sum += (t - 2.0) * (t - 2.0) / 2.0;
    if (t > 3.0) sum -= pow(t - 3.0, 3) / 6.0;
    return sum;
}

static void jumps_pass_on(void **state) {
    (void)state;
    static const double lengths[] = {0.5, 0.1, 0.07, 0.013};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const dry_run_options run = by("rk4", lengths[i]);
        below(error_of(jump_text, &run, steps), 1e-12);
    }
}

/* What a rigid method keeps is straight between the instants: x = t - T after T, from 0. */
static const char rigid_text[] = "state x = 0 [m], v = 1 [m/s]\nf in 0 [N]*sgn(v)\n"
                                 "x' = v - 0*delay(x, 0.1 [s])/(1 [s])\n1 [kg]*v' = -f\n"
                                 "y = delay(x, 0.15 [s])\nrun until = 2 [s]\n";
static double line(double t) { return t; }
static void rigid_methods_delay(void **state) {
    (void)state;
    const dry_run_options run = by("rigid", 0.01);
    below(error_of(rigid_text, &run, line), 1e-12);
}

/* A mass of 1 kg on a late spring of 1 N/m, as parts: 1 - t^2/2 until T, then + (t - T)^4/24. The
 * past of parts is straight between the instants: step^2. */
static const char parts_text[] = "part ball = point_mass(mass = 1 [kg])\ninit ball.p = 1 [m]\n"
                                 "ball.f += -1 [N/m]*delay(ball.p, 1 [s])\nrun until = 2 [s]\n";
static double late_spring(double t) {
    return 1.0 - t * t / 2.0 + (t > 1.0 ? pow(t - 1.0, 4) / 24.0 : 0.0);
}

static double parts_error(double step) {
    const dry_run_options run = by("rk4", step);
    dry_model *model = compile(parts_text, &run);
    const dry_sim_options options = {.run = dry_model_run(model)};
    dry_sim_result result;
    dry_error error = {0};
    is_ok(dry_sim_run(dry_model_system(model), &options, &result, &error), &error);
    const int column = dry_record_find(result.record, "ball.p");
    const size_t last = dry_record_rows(result.record) - 1;
    const double off = dry_record_values(result.record, column)[last] - late_spring(2.0);
    dry_record_free(result.record);
    dry_model_free(model);
    return fabs(off);
}

static void the_past_of_parts_is_straight(void **state) {
    (void)state;
    const double wide = parts_error(0.1), fine = parts_error(0.025);
    below(wide, 1e-3);
    above(wide / fine, 14.0);
}

/* ---- a run continues ----------------------------------------------------------------- */

/* A sample, an input and two delays; half the time is an instant of all, of some, of none. */
static const char mixed_text[] =
    "state x = 1 [m], v = 0 [m/s]\ninput r = 0.5 [m]\n"
    "sample s = x every 40 [ms]\n"
    "x' = v\n"
    "v' = 9 [1/s^2]*(delay(r, 50 [ms]) - delay(x, 70 [ms])) - 2 [1/s]*delay(v, 33 [ms]) -\n"
    "     1 [1/s^2]*delay(s, 90 [ms])\n"
    "run until = 2 [s], step = 10 [ms]\n";

static dry_stepper *stepper_of(const dry_model *model) {
    const dry_run_options run = dry_model_run(model);
    dry_stepper *stepper = NULL;
    dry_error error = {0};
    is_ok(dry_stepper_new(dry_model_system(model), &run, &stepper, &error), &error);
    return stepper;
}

static void states_are_all(const char *method, double half, double tolerance) {
    dry_run_options run = by(method, 0.0);
    run.max_step = 0.05;
    dry_model *model = compile(mixed_text, &run);
    const dry_system *system = dry_model_system(model);
    dry_stepper *whole = stepper_of(model), *rest = stepper_of(model);
    dry_error error = {0};
    is_ok(dry_stepper_set_input(whole, 0, 0.7, &error), &error);
    is_ok(dry_stepper_advance(whole, half, &error), &error);
    is_ok(dry_stepper_reset(rest, half, dry_stepper_states(whole), &error), &error);
    is_ok(dry_stepper_advance(whole, 2.0, &error), &error);
    is_ok(dry_stepper_advance(rest, 2.0, &error), &error);
    for (int i = 0; i < 2; i++)
        near_case(dry_stepper_states(rest)[i], dry_stepper_states(whole)[i], tolerance,
                  "%s from %g", method, half);
    assert_true(dry_state_is_inner(&system->states[system->n_states - 1]));
    dry_stepper_free(whole);
    dry_stepper_free(rest);
    dry_model_free(model);
}

static void a_run_continues_from_its_states(void **state) {
    (void)state;
    static const double halves[] = {1.0, 1.01, 1.003};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        states_are_all("rk4", halves[i], 1e-9);
        states_are_all("dopri5", halves[i], 1e-6);
        states_are_all("rodas4", halves[i], 1e-5);
    }
}

static void saved_bits_go_on(void **state) {
    (void)state;
    const dry_run_options run = by("rk4", 0.0);
    dry_model *model = compile(mixed_text, &run);
    dry_stepper *stepper = stepper_of(model);
    const size_t n = (size_t)dry_model_system(model)->n_states;
    const size_t size = dry_stepper_save_size(stepper);
    char *bytes = malloc(size);
    double *x = malloc(n * sizeof *x);
    dry_error error = {0};
    assert_true(bytes && x);
    is_ok(dry_stepper_advance(stepper, 0.777, &error), &error);
    is_ok(dry_stepper_save(stepper, bytes, size, &error), &error);
    is_ok(dry_stepper_advance(stepper, 2.0, &error), &error);
    memcpy(x, dry_stepper_states(stepper), n * sizeof *x);
    is_ok(dry_stepper_restore(stepper, bytes, size, &error), &error);
    is_ok(dry_stepper_advance(stepper, 2.0, &error), &error);
    all_same_bits(n, x, dry_stepper_states(stepper));
    free(x);
    free(bytes);
    dry_stepper_free(stepper);
    dry_model_free(model);
}

/* ---- what the model says --------------------------------------------------------------- */

static void the_time_is_structural(void **state) {
    (void)state;
    const char text[] = "param T = 20 [ms], k = 3 [1/s]\nstate x = 1\nx' = -k*delay(x, T)\n"
                        "run until = 1 [s], step = 1 [ms]\n";
    const dry_run_options run = {0};
    dry_model *model = compile(text, &run);
    assert_false(dry_model_par_free(model, dry_model_par_find(model, "T")));
    assert_true(dry_model_par_free(model, dry_model_par_find(model, "k")));
    assert_int_equal(dry_model_delays(model), 1);
    assert_int_equal(dry_system_named(dry_model_system(model)), 1);
    dry_model_free(model);
}

/* A record has no past, so nothing is said about a friction whose level is one. */
static void unknown_phases_are_none(void **state) {
    (void)state;
    const char text[] =
        "state x = 1 [m], v = 1 [m/s]\n"
        "f in abs(delay(x, 10 [ms]))*1 [N/m]*sgn(v) with K = 1e3 [N/m], beta = 5 [ms]\n"
        "g in 1 [N]*sgn(v) with K = 1e3 [N/m], beta = 5 [ms]\n"
        "x' = v\n1 [kg]*v' = -f - g\nrun until = 1 [s], step = 1 [ms]\n";
    const dry_run_options run = {0};
    dry_model *model = compile(text, &run);
    dry_stepper *stepper = stepper_of(model);
    const dry_system *system = dry_model_system(model);
    double *x = calloc((size_t)system->n_states, sizeof *x);
    const dry_env env = {
        .model = system->model, .par = system->par, .work = calloc(1, system->work_size)};
    unsigned char phases[2] = {9, 9};
    dry_error error = {0};
    is_ok(dry_stepper_advance(stepper, 0.1, &error), &error);
    is_ok(dry_stepper_phases(stepper, phases, &error), &error);
    assert_int_equal(phases[0], DRY_SLIPS);
    memcpy(x, dry_stepper_states(stepper), sizeof *x * (size_t)system->n_states);
    for (int i = 0; i < system->n_states; i++)
        if (dry_state_is_inner(&system->states[i])) x[i] = (double)NAN;
    system->prepare(&env);
    system->phases(&env, 0.1, 0.0, x, NULL, phases);
    assert_int_equal(phases[0], 0);
    assert_int_equal(phases[1], DRY_SLIPS);
    free(x);
    free(env.work);
    dry_stepper_free(stepper);
    dry_model_free(model);
}

static void a_model_may_define_the_name(void **state) {
    (void)state;
    const char text[] = "function delay(x, y) = x*y\nparam lag = 2\nstate x = 1\n"
                        "x' = -delay(x, lag)*1 [1/s]\nrun until = 1 [s], step = 1 [ms]\n";
    const dry_run_options run = {0};
    dry_model *model = compile(text, &run);
    assert_int_equal(dry_model_delays(model), 0);
    assert_int_equal(dry_model_system(model)->n_states, 1);
    dry_model_free(model);
}

/* ---- phases ------------------------------------------------------------------------ */

/* q moves from 1 s on, and the friction feels it 0.5 s later. */
static void an_element_of_the_past_has_phases(void **state) {
    (void)state;
    static const char text[] =
        "state q = 0 [m/s]\nq' = if t < 1 then 0 [m/s^2] else 1 [m/s^2]\n"
        "f = coulomb(delay(q, 0.5 [s]), F = 1 [N], K = 1e4 [N/m], beta = 10 [ms])\n"
        "run until = 2 [s], step = 1 [ms]\n";
    const dry_run_options run = by("rk4", 1e-3);
    dry_model *model = compile(text, &run);
    dry_stepper *s = stepper_of(model);
    dry_error error = {0};
    for (int k = 1; k <= 20; k++) {
        unsigned char phase = 0;
        is_ok(dry_stepper_advance(s, 0.1 * k, &error), &error);
        is_ok(dry_stepper_phases(s, &phase, &error), &error);
        assert_int_equal(phase, k <= 15 ? DRY_STICKS : DRY_SLIPS);
    }
    dry_stepper_free(s);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_keep_their_order),
        cmocka_unit_test(any_step_fits),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(jumps_pass_on),
        cmocka_unit_test(rigid_methods_delay),
        cmocka_unit_test(the_past_of_parts_is_straight),
        cmocka_unit_test(a_run_continues_from_its_states),
        cmocka_unit_test(saved_bits_go_on),
        cmocka_unit_test(the_time_is_structural),
        cmocka_unit_test(unknown_phases_are_none),
        cmocka_unit_test(a_model_may_define_the_name),
        cmocka_unit_test(an_element_of_the_past_has_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
