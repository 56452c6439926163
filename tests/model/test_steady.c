/* Steady starts: closed forms of laws that slide, what stuck elements keep, filters that hang
 * together; what a caller gives stays; what does not come to rest is told. */
#include "unit.h"

#include <drystone/fit.h>
#include <drystone/model.h>
#include <drystone/native.h>
#include <drystone/sim.h>

#include "scratch_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dry_model *compile(const char *text) {
    dry_model *model = dry_model_compile("steady.dry", text, strlen(text), NULL);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static int state_of(const dry_model *model, const char *name) {
    const dry_system *system = dry_model_system(model);
    for (int i = 0; i < system->n_states; i++)
        if (!strcmp(system->states[i].name, name)) return i;
    fail_msg("no state %s", name);
    return -1;
}

/* The start of one state of the text. */
static double start_of(const char *text, const char *name) {
    dry_model *model = compile(text);
    const int n = dry_model_system(model)->n_states;
    double *x = calloc((size_t)n, sizeof *x);
    unsigned char *given = calloc((size_t)n, 1);
    dry_error error = {0};
    is_ok(dry_model_start(model, NULL, 0.0, given, x, &error), &error);
    const double value = x[state_of(model, name)];
    free(x);
    free(given);
    dry_model_free(model);
    return value;
}

#define RUN "run until = 1 [s], step = 0.1 [ms]\n"
#define MOVES(v) "param v = " v " [m/s]\nstate p = 0 [m]\np' = v\n"

/* ---- closed forms -------------------------------------------------------------------------- */

/* 0 = v - K |v| a/g(v) */
static void lugre(void **state) {
    (void)state;
    const double level = 0.5 + 0.3 * exp(-pow(0.004 / 0.005, 2.0));
    near_share(start_of(MOVES("0.004") "f = lugre(v, F = 0.5, Fs = 0.8, vs = 0.005, K = 4000)\n"
                                       "steady f.a\n" RUN,
                        "f.a"),
               level / 4000.0, 1e-12);
    near_share(start_of(MOVES("-0.004") "f = lugre(v, F = 0.5, Fs = 0.8, vs = 0.005, K = 4000)\n"
                                        "steady f\n" RUN,
                        "f.a"),
               -level / 4000.0, 1e-12);
    /* so slowly that it takes an hour */
    near_share(start_of(MOVES("1e-8") "f = lugre(v, F = 0.5, K = 4000)\nsteady f.a\n" RUN, "f.a"),
               0.5 / 4000.0, 1e-9);
}

/* K a = F sgn v, and of multistate kappa_i a_i = lambda_i gamma, gamma = g(v). */
static void elements(void **state) {
    (void)state;
    near_share(start_of(MOVES("-0.3") "f = coulomb(v, F = 2, K = 1e5, beta = 1 [ms])\n"
                                      "steady f.a\n" RUN,
                        "f.a"),
               -2e-5, 1e-12);
    near_share(start_of(MOVES("0.3") "f = dahl(v, F = 2, K = 1e5)\nsteady f.a\n" RUN, "f.a"), 2e-5,
               1e-9);
    static const char text[] =
        MOVES("3e-6") "f = multistate(v, N = 2, Fc = 1, Fs = 3, vs = 5e-6, tau_d = 0.5, kappa = "
                      "[1e5, 4e4], lambda = [0.7, 0.3])\nsteady f\n" RUN;
    const double level = 1.0 + 2.0 * exp(-0.36);
    near_share(start_of(text, "f.gamma"), level, 1e-12);
    near_share(start_of(text, "f.a[1]"), 0.7 * level / 1e5, 1e-12);
    near_share(start_of(text, "f.a[2]"), 0.3 * level / 4e4, 1e-12);
}

/* At rest an element stays where it is, at 0. */
static void stuck(void **state) {
    (void)state;
    equal(start_of(MOVES("0") "f = lugre(v)\nsteady f.a\n" RUN, "f.a"), 0.0);
    equal(start_of(MOVES("0") "f = coulomb(v)\nsteady f.a\n" RUN, "f.a"), 0.0);
}

/* Two that feed each other, with time constants 1e7 apart: 0 = u - a + b/2, 0 = a - 3 b. A sample
 * sees what they become. */
static void together(void **state) {
    (void)state;
    static const char text[] = "state a = 5, b = -3, u = 2.5, c = 4\n"
                               "sample s = 2*b every 1 [ms]\n"
                               "a' = (u - a + b/2)/(1 [us])\nb' = (a - 3*b)/(10 [s])\n"
                               "u' = 1 [1/s]\nc' = (s - c)/(1 [s])\nsteady a, b\n"
                               "run until = 1 [ms], step = 0.1 [us]\n";
    near_share(start_of(text, "a"), 3.0, 1e-12);
    near_share(start_of(text, "b"), 1.0, 1e-12);
    near_share(start_of(text, "s"), 2.0, 1e-12);
    equal(start_of(text, "c"), 4.0);
    equal(start_of(text, "u"), 2.5);
}

/* From 0.1, y' = y - y^3 goes to 1, from -0.1 to -1, and never to 0. */
static void the_rest_that_is_reached(void **state) {
    (void)state;
    near(start_of("state y = 0.1\ny' = (y - y^3)/(1 [s])\nsteady y\n" RUN, "y"), 1.0, 1e-12);
    near(start_of("state y = -0.1\ny' = (y - y^3)/(1 [s])\nsteady y\n" RUN, "y"), -1.0, 1e-12);
}

/* ---- doors --------------------------------------------------------------------------------- */

static const char LUGRE[] = "param v = 0.2 [m/s], F = 0.5\nstate p = 0 [m]\np' = v\n"
                            "f = lugre(v, F = F, K = 1000)\nsteady f.a\n" RUN;

static void given_stays(void **state) {
    (void)state;
    dry_model *model = compile(LUGRE);
    const int a = state_of(model, "f.a");
    unsigned char given[2] = {0};
    double x[2] = {0.0};
    given[a] = 1;
    x[a] = 3e-4;
    is_ok(dry_model_start(model, NULL, 0.0, given, x, NULL), NULL);
    equal(x[a], 3e-4);
    assert_int_equal(dry_model_steady(model, 0), a);
    assert_int_equal(dry_model_steady(model, 1), -1);
    dry_model_free(model);
}

/* The text has a steady start; another value of k has none. */
static void none_with_other_values(void **state) {
    (void)state;
    dry_model *model = compile("param k = 1 [1/s], u = 1 [1/s]\nstate y = 0\ny' = u - k*y\n"
                               "steady y\n" RUN);
    const dry_system *system = dry_model_system(model);
    double par[2], x[1] = {0.0};
    const unsigned char given[1] = {0};
    dry_error error = {0};
    memcpy(par, system->par, sizeof par);
    par[0] = 0.25;
    is_ok(dry_model_start(model, par, 0.0, given, x, &error), &error);
    near(x[0], 4.0, 1e-11);
    par[0] = 0.0;
    assert_int_equal(dry_model_start(model, par, 0.0, given, x, &error), DRY_NOT_FINITE);
    assert_non_null(strstr(error.text, "y has no steady start with these values"));
    const dry_sim_options options = {.run = dry_model_run(model), .par = par};
    dry_sim_result result = {0};
    assert_int_equal(dry_sim_run(system, &options, &result, &error), DRY_NOT_FINITE);
    dry_record_free(result.record);
    dry_model_free(model);
}

static void no_c(void **state) {
    (void)state;
    dry_model *model = compile(LUGRE);
    dry_error error = {0};
    assert_int_equal(dry_export_can(model, &error), DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "remove `steady`, and give f.a a start"));
    dry_model_free(model);
}

/* Friction that slides from before the record: f = F from the first row on. A start at 0 would give
 * F (1 - exp(-K v t/F)). */
static void fits(void **state) {
    (void)state;
    FILE *file = fopen(scratch_file("steady.csv"), "w");
    assert_non_null(file);
    fputs("t [s],f,g\n", file);
    for (int i = 0; i < 50; i++)
        fprintf(file, "%.17g,%.17g,%d\n", 2e-4 * i, 0.8 + (i % 2 ? 1e-3 : -1e-3), i % 2);
    fclose(file);
    char path[1024];
    snprintf(path, sizeof path, "%s", scratch_file("steady.csv"));
    const char *const data[] = {path};
    static const char text[] = "param v = 0.2 [m/s], F = 0.5\nstate p = 0 [m]\np' = v\n"
                               "f = lugre(v, F = F, K = 1000)\nsteady f.a\nfree F\n"
                               "output f against \"\" column \"f\"\n"
                               "run until = 10 [ms], step = 0.1 [ms]\n";
    const dry_fit_job job = {.path = "steady.dry",
                             .text = text,
                             .length = strlen(text),
                             .data = data,
                             .n_data = 1,
                             .threads = 1};
    dry_fit_result result;
    dry_error error = {0};
    is_ok(dry_fit_run(&job, &result, &error), &error);
    near(result.parameters[0].value, 0.8, 1e-9);
    same_text(result.parameters[0].why, "a start is steady");
    for (size_t i = 0; i < result.outputs[0].rows; i++)
        near(result.outputs[0].jacobian[i], 1.0, 1e-6);
    dry_fit_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lugre),
        cmocka_unit_test(elements),
        cmocka_unit_test(stuck),
        cmocka_unit_test(together),
        cmocka_unit_test(the_rest_that_is_reached),
        cmocka_unit_test(given_stays),
        cmocka_unit_test(none_with_other_values),
        cmocka_unit_test(no_c),
        cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
