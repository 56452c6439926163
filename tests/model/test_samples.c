/* Samples: a run by every method is the discrete system that theory says, whatever the steps; a run
 * continues from its states alone. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/rigid.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* x' = u under a PID: between two samples x is straight, so that with the delay d
 *     x_(k+1) = x_k + d u_(k-1) + (T - d) u_k,   u_k = Kp e_k + s_k + Kd (e_k - e_(k-1))/T,
 *     s_k = s_(k-1) + Ki T e_k
 * with e_k = r - x_k rounded to the lsb of an encoder. The step is no part of T or d. */
static const char text[] =
    "param T = 10 [ms], d = 3.3 [ms], Kp = 20 [1/s], Ki = 90 [1/s^2], Kd = 0.1, r = 1 [m], lsb = 1 "
    "[mm]\n"
    "state x = 0 [m]\n"
    "sample e = r - round(x/lsb)*lsb every T from 0 [m]\n"
    "sample s = s.before + Ki*T*e every T from 0 [m/s]\n"
    "sample u = Kp*e + s + Kd*(e - e.before)/T every T from 0 [m/s] with delay = d\n"
    "x' = u\n"
    "run until = 1 [s], step = 0.7 [ms], record = 10 [ms]\n";

enum { SAMPLES = 100 };

static void by_hand(double x[SAMPLES + 1]) {
    const double T = 0.01, d = 3.3e-3, Kp = 20.0, Ki = 90.0, Kd = 0.1, lsb = 1e-3;
    double s = 0.0, before = 0.0, e_before = 0.0;
    x[0] = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        const double e = 1.0 - round(x[k] / lsb) * lsb;
        s += Ki * T * e;
        const double u = Kp * e + s + Kd * (e - e_before) / T;
        x[k + 1] = x[k] + d * before + (T - d) * u;
        before = u;
        e_before = e;
    }
}

static dry_model *compile_text(const char *of, const char *method) {
    const dry_model_options options = {.run = {.method = dry_model_method_find(method)}};
    dry_model *model = dry_model_compile("samples", of, strlen(of), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static dry_model *compile(const char *method) { return compile_text(text, method); }

static dry_sim_result run(const dry_model *model) {
    const dry_sim_options options = {.run = dry_model_run(model)};
    dry_sim_result result;
    dry_error error = {0};
    is_ok(dry_model_inclusion(model)
              ? dry_sim_run_inclusion(dry_model_inclusion(model), &options, &result, &error)
              : dry_sim_run(dry_model_system(model), &options, &result, &error),
          &error);
    return result;
}

static void run_by(const char *method, const double *wanted) {
    dry_model *model = compile(method);
    const dry_sim_result result = run(model);
    assert_int_equal(dry_record_rows(result.record), SAMPLES + 1);
    for (int k = 0; k <= SAMPLES; k++)
        near_case(dry_record_values(result.record, 1)[k], wanted[k], 1e-12, "%s, sample %d", method,
                  k);
    dry_record_free(result.record);
    dry_model_free(model);
}

static const char *const methods[] = {"rk4",    "rk4-tau", "euler",         "heun", "dopri5",
                                      "dop853", "rodas4",  "semi-implicit", "rigid"};
enum { METHODS = sizeof methods / sizeof *methods };

static void every_method_gives_the_discrete_system(void **state) {
    (void)state;
    double wanted[SAMPLES + 1];
    by_hand(wanted);
    for (int i = 0; i < METHODS; i++) run_by(methods[i], wanted);
}

/* The instants 5 T + T and 6 T, and those of T and 3 T, are not the same doubles at some k.
 * Whatever is computed there sees what was held before. */
static const char counters[] = "param T = 10 [ms]\n"
                               "state x = 0\n"
                               "sample n = n.before + 1 every T from 0\n"
                               "sample late = n every T from 0 with delay = T\n"
                               "sample third = n every 0.03 [s]\n"
                               "sample tenth = n every 10*T\n"
                               "x' = 0*n/(1 [s])\n"
                               "run until = 20 [s], step = 1 [ms], record = 10 [ms]\n";

static double counted(const dry_record *record, const char *name, int k) {
    const int column = dry_record_find(record, name);
    at_least(column, 0);
    return dry_record_values(record, column)[k];
}

static void count_by(const char *method) {
    dry_model *model = compile_text(counters, method);
    const dry_sim_result result = run(model);
    for (int k = 0; k <= 2000; k++) {
        near_case(counted(result.record, "n", k), k + 1, 0.0, "%s, n(%d)", method, k);
        near_case(counted(result.record, "late", k), k, 0.0, "%s, late(%d)", method, k);
        near_case(counted(result.record, "third", k), k / 3 * 3, 0.0, "%s, third(%d)", method, k);
        near_case(counted(result.record, "tenth", k), k / 10 * 10, 0.0, "%s, tenth(%d)", method, k);
    }
    dry_record_free(result.record);
    dry_model_free(model);
}

static void instants_of_several_clocks_are_one(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) count_by(methods[i]);
}

static void clocks_tick_together_and_once(void **state) {
    (void)state;
    const dry_clock clock[] = {
        {.period = 0.01}, {.period = 0.01, .offset = 0.01}, {.period = 0.03}};
    int ticks[3] = {1, 0, 1}, ends = 0;
    for (double t = 0.0; t < 99.995; ends++) {
        double next = 1e9;
        for (int i = 0; i < 3; i++) next = fmin(next, dry_clock_after(&clock[i], t));
        t = next;
        const int before = ticks[0];
        for (int i = 0; i < 3; i++) ticks[i] += dry_clocks_tick(clock, 3, i, t);
        if (ticks[0] == before) continue;
        assert_int_equal(ticks[1], ticks[0] - 1);
        assert_int_equal(ticks[2], (ticks[0] + 2) / 3);
    }
    assert_int_equal(ticks[0], 10001);
    at_least(ends, 10001); /* some instants are two doubles */
}

/* In two pieces, with the second one begun from the states of the first, also at an instant. */
static void continue_at(double half) {
    dry_model *model = compile("rk4");
    const dry_system *system = dry_model_system(model);
    const dry_ode_options options = {.step = 0.7e-3};
    static double work[1000];
    static char scratch[10000];
    double x[16], whole[16];
    dry_ode ode;
    assert_in_range(system->n_states, 1, 16);
    assert_in_range(dry_ode_size(system, dry_method_find("rk4")), 1, 1000);
    assert_in_range(system->work_size, 1, sizeof scratch);
    dry_ode_init(&ode, system, dry_method_find("rk4"), &options, NULL, 0.0, NULL, scratch, work);
    assert_int_equal(dry_ode_advance(&ode, half), DRY_OK);
    memcpy(x, ode.x, (size_t)system->n_states * sizeof *x);
    assert_int_equal(dry_ode_advance(&ode, 1.0), DRY_OK);
    memcpy(whole, ode.x, (size_t)system->n_states * sizeof *x);
    dry_ode_init(&ode, system, dry_method_find("rk4"), &options, NULL, half, x, scratch, work);
    assert_int_equal(dry_ode_advance(&ode, 1.0), DRY_OK);
    all_near(system->n_states, ode.x, whole, 1e-12);
    dry_model_free(model);
}

static void a_run_continues_from_its_states(void **state) {
    (void)state;
    continue_at(0.5);
    continue_at(0.5033);
    continue_at(0.5047);
}

/* An end that rounding puts just before an instant does not lose the sample. */
static void no_instant_is_lost_at_an_end(void **state) {
    (void)state;
    dry_model *model = compile("rk4");
    const dry_system *system = dry_model_system(model);
    const dry_ode_options options = {.step = 1e-3};
    static double work[1000];
    static char scratch[10000];
    double wanted[SAMPLES + 1];
    dry_ode ode;
    by_hand(wanted);
    dry_ode_init(&ode, system, dry_method_find("rk4"), &options, NULL, 0.0, NULL, scratch, work);
    for (int k = 1; k <= SAMPLES; k++) {
        assert_int_equal(dry_ode_advance(&ode, nextafter(0.01 * k, 0.0)), DRY_OK);
        near(ode.x[0], wanted[k], 1e-12);
    }
    dry_model_free(model);
}

static void clocks_find_their_instants(void **state) {
    (void)state;
    const dry_clock clock = {.period = 0.1, .offset = 0.03};
    double t = -1.0;
    for (int k = 0; k < 100000; k++) {
        const double next = dry_clock_after(&clock, t);
        equal(next, 0.03 + k * 0.1);
        assert_true(dry_clock_ticks(&clock, next));
        assert_false(dry_clock_ticks(&clock, nextafter(next, 1e9)));
        assert_false(dry_clock_ticks(&clock, nextafter(next, -1e9)));
        equal(dry_clock_after(&clock, nextafter(next, -1e9)), next);
        t = next;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_discrete_system),
        cmocka_unit_test(a_run_continues_from_its_states),
        cmocka_unit_test(no_instant_is_lost_at_an_end),
        cmocka_unit_test(clocks_find_their_instants),
        cmocka_unit_test(instants_of_several_clocks_are_one),
        cmocka_unit_test(clocks_tick_together_and_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
