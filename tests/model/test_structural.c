/* Which parameters the compiler has decided something by, and models that are alike. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drystone/model.h>

static dry_model *compiled(const char *text, const char *name, double value) {
    const dry_setting setting = {.name = name, .value = value};
    const dry_model_options options = {.settings = &setting, .n_settings = name != NULL};
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
    if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
    return model;
}

static const char text[] =
    "param n = 2, list = [1, 2, 3]\n"                     /* n: a size */
    "param side = 1, half = side/2\n"                     /* half: a branch, and so side */
    "param T = 0.1 [s]\n"                                 /* a time at which the force jumps */
    "param end = 1 [s]\n"                                 /* how long to run */
    "param F = 1 [N]\n"                                   /* a level that must not be negative */
    "param m = 1 [kg], k = 4 [N/m], c = 0.1*k*1 [s]\n"    /* numbers */
    "param K = 1e3 [N/m], e = 2, v0 = 1 [m/s], out = 3\n" /* of a law, a power, a start, a measure
                                                           */
    "state x[n] = 0 [m], v[n] = v0\n"
    "x' = v\n"
    "push = if half > 1 then 2 [N] else 1 [N]\n"
    "f[i] in F*sgn(v[i]) with K = K, beta = 2 [ms] for i in 1..n\n"
    "m*v[i]' = -k*x[i] - c*v[i] - f[i] + (if t < T then push else 0 [N])*(1 + (t/1 [s])^e) for i "
    "in 1..n\n"
    "run until = end, step = 1 [ms], method = rk4\n"
    "measure y = out*final(x[1])\n";

static void test_which(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool free;
    } rows[] = {{"n", false},   {"list[2]", true}, {"side", false}, {"half", false}, {"T", false},
                {"end", false}, {"F", false},      {"m", true},     {"k", true},     {"c", true},
                {"K", true},    {"e", false},      {"v0", true},    {"out", true}};
    dry_model *model = compiled(text, NULL, 0.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int par = dry_model_par_find(model, rows[i].name);
        at_least(par, 0);
        if (dry_model_par_free(model, par) != rows[i].free)
            fail_msg("%s is %sfree", rows[i].name, rows[i].free ? "not " : "");
    }
    assert_int_equal(dry_model_par_find(model, "q"), -1);
    assert_int_equal(dry_model_par_find(model, "#1"), -1); /* the slot of a measure */
    dry_model_free(model);
}

/* The times at which a function of the time jumps are found by the values of its parameters; where
 * there are too many of them, or no end, none are. */
static void test_beats(void **state) {
    (void)state;
    static const struct {
        const char *run;
        int breaks;
    } rows[] = {{"run until = 1 [s], step = 1 [ms]\n", 3}, /* at 0.3, 0.6 and 0.9 s */
                {"run until = 1e4 [s], step = 1 [ms]\n", 0},
                {"run step = 1 [ms]\n", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char beat[256];
        snprintf(beat, sizeof beat,
                 "param T = 0.3 [s], a = 2\nstate x = 0 [s^2]\nx' = a*mod(t, T)\n%s", rows[i].run);
        dry_model *model = compiled(beat, NULL, 0.0);
        assert_int_equal(dry_model_system(model)->n_breaks, rows[i].breaks);
        assert_int_equal(dry_model_system(model)->n_kinks, 1);
        assert_int_equal(dry_model_par_free(model, 0), rows[i].breaks == 0);
        assert_true(dry_model_par_free(model, 1));
        dry_model_free(model);
    }
}

/* Another value of a free parameter gives the same model; `follow` computes what the compiler
 * would. */
static void test_follow(void **state) {
    (void)state;
    dry_model *model = compiled(text, NULL, 0.0), *other = compiled(text, "k", 7.0);
    const dry_system *a = dry_model_system(model), *b = dry_model_system(other);
    assert_true(dry_model_alike(model, other));
    assert_int_equal(a->n_par, b->n_par);
    double *par = malloc((size_t)a->n_par * sizeof *par);
    memcpy(par, a->par, (size_t)a->n_par * sizeof *par);
    par[dry_model_par_find(model, "k")] = 7.0;
    dry_model_par_follow(model, par);
    assert_memory_equal(par, b->par, (size_t)a->n_par * sizeof *par); /* with NaN */
    equal(par[dry_model_par_find(model, "c")], 0.1 * 7.0 * 1.0);
    assert_true(dry_model_par_follows(model, dry_model_par_find(model, "c")));
    assert_false(dry_model_par_follows(model, dry_model_par_find(model, "k")));
    free(par);
    dry_model_free(model);
    dry_model_free(other);
}

static void test_alike(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"n", 3.0}, {"side", 4.0}, {"T", 0.2}, {"end", 2.0}};
    dry_model *model = compiled(text, NULL, 0.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_model *other = compiled(text, rows[i].name, rows[i].value);
        if (dry_model_alike(model, other)) fail_msg("%s makes no difference", rows[i].name);
        dry_model_free(other);
    }
    dry_model_free(model);
}

/* A K that the compiler chooses depends on everything. */
static void test_chosen(void **state) {
    (void)state;
    static const char chosen[] = "param m = 1 [kg], F = 1 [N], push = 2 [N]\n"
                                 "state p = 0 [m], v = 0 [m/s]\n"
                                 "f in F*sgn(v)\n"
                                 "p' = v\n"
                                 "m*v' = push - f\n"
                                 "run until = 1 [s], step = 1 [ms]\n";
    dry_model *model = compiled(chosen, NULL, 0.0), *heavy = compiled(chosen, "m", 2.0);
    for (int i = 0; i < 3; i++) assert_false(dry_model_par_free(model, i));
    /* the code is the same, its chosen numbers are not */
    assert_true(dry_model_alike(model, heavy));
    above(dry_model_set(heavy, 0).K, 1.5 * dry_model_set(model, 0).K);
    dry_model_free(model);
    dry_model_free(heavy);
}

static void test_final(void **state) {
    (void)state;
    static const char measures[] = "state x = 1\nx' = -x*1 [1/s]\n"
                                   "run until = 1 [s], step = 1 [ms]\n"
                                   "measure a = 2*final(x)\n"
                                   "measure b = max(x)\n"
                                   "measure c = a + 1\n"
                                   "measure d = a + b\n"
                                   "measure e = at(x, first(x < 0.5))\n";
    static const bool final[] = {true, false, true, false, false};
    dry_model *model = compiled(measures, NULL, 0.0);
    for (int i = 0; i < 5; i++) assert_int_equal(dry_model_measure_is_final(model, i), final[i]);
    assert_string_equal(dry_model_measure_at(model, 3).name, "d");
    is_nan(dry_model_measure_at(model, 3).value);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which), cmocka_unit_test(test_beats),  cmocka_unit_test(test_follow),
        cmocka_unit_test(test_alike), cmocka_unit_test(test_chosen), cmocka_unit_test(test_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
