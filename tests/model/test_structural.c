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
    "param T = 0.1 [s], tooth = 0.3 [s]\n"                /* times at which forces jump */
    "param end = 1 [s]\n"                                 /* how long to run */
    "param F = 1 [N]\n"                                   /* a level, which is checked */
    "param m = 1 [kg], k = 4 [N/m], c = 0.1*k*1 [s]\n"    /* numbers */
    "param K = 1e3 [N/m], e = 2, v0 = 1 [m/s], out = 3\n" /* of a law, a power, a start, a measure
                                                           */
    "state x[n] = 0 [m], v[n] = v0\n"
    "x' = v\n"
    "push = if half > 1 then 2 [N] else 1 [N]\n"
    "f[i] in F*sgn(v[i]) with K = K, beta = 2 [ms] for i in 1..n\n"
    "m*v[i]' = -k*x[i] - c*v[i] - f[i] + (if t < T then push else 0 [N])*(1 + (t/1 [s])^e) + "
    "mod(t, tooth)*1 [N/s] for i in 1..n\n"
    "run until = end, step = 1 [ms], method = rk4\n"
    "measure y = out*final(x[1])\n";

static void test_which(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool free;
    } rows[] = {{"n", false}, {"list[2]", true}, {"side", false}, {"half", false},
                {"T", true},  {"tooth", false},  {"end", false},  {"F", true},
                {"m", true},  {"k", true},       {"c", true},     {"K", true},
                {"e", false}, {"v0", true},      {"out", true}};
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
    } rows[] = {{"n", 3.0}, {"side", 4.0}, {"tooth", 0.2}, {"end", 2.0}};
    dry_model *model = compiled(text, NULL, 0.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_model *other = compiled(text, rows[i].name, rows[i].value);
        if (dry_model_alike(model, other)) fail_msg("%s makes no difference", rows[i].name);
        dry_model_free(other);
    }
    dry_model_free(model);
}

#define CHOSEN                                                                                     \
    "param m = 1 [kg], F = 1 [N], push = 2 [N]\n"                                                  \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "f in F*sgn(v)\n"                                                                              \
    "p' = v\n"

/* K = kappa m/step^2 and beta are chosen anew for another mass. */
static void test_chosen(void **state) {
    (void)state;
    static const char chosen[] =
        CHOSEN "m*v' = push - f\nrun until = 1 [s], step = 1 [ms], method = rk4\n";
    dry_model *model = compiled(chosen, NULL, 0.0), *heavy = compiled(chosen, "m", 2.0);
    const dry_system *a = dry_model_system(model), *b = dry_model_system(heavy);
    double par[16];
    at_most(a->n_par, 16);
    memcpy(par, a->par, sizeof *par * (size_t)a->n_par);
    for (int i = 0; i < 3; i++) assert_true(dry_model_par_free(model, i));
    assert_true(dry_model_alike(model, heavy));
    par[dry_model_par_find(model, "m")] = 2.0;
    assert_false(dry_model_par_passes(model, par)); /* with the K of the other mass */
    dry_model_par_follow(model, par);
    assert_true(dry_model_par_passes(model, par));
    all_same_bits(a->n_par, par, b->par);
    near_share(dry_model_set(heavy, 0).K, 2.0 * dry_model_set(model, 0).K, 1e-15);
    equal(dry_model_set(heavy, 0).mass, 2.0);
    par[dry_model_par_find(model, "m")] = -1.0; /* nothing can be chosen for it */
    dry_model_par_follow(model, par);
    assert_false(dry_model_par_passes(model, par));
    dry_model_free(model);
    dry_model_free(heavy);
}

#define RUN "run until = 1 [s], step = 1 [ms], method = rk4\n"

/* Another value gives what a new compilation gives, and is taken with that alone. */
static void check_anew(const char *of, const char *name, double value) {
    dry_model *model = compiled(of, NULL, 0.0), *other = compiled(of, name, value);
    const dry_system *a = dry_model_system(model), *b = dry_model_system(other);
    double par[64], settled[64];
    at_most(a->n_par, 64);
    memcpy(par, a->par, sizeof *par * (size_t)a->n_par);
    assert_true(dry_model_par_free(model, dry_model_par_find(model, name)));
    assert_true(dry_model_alike(model, other));
    par[dry_model_par_find(model, name)] = value;
    memcpy(settled, par, sizeof par);
    const bool same = memcmp(par, b->par, sizeof *par * (size_t)a->n_par) == 0;
    assert_int_equal(dry_model_par_passes(model, par), same); /* with the K of the model */
    dry_model_par_follow(model, par);
    assert_true(dry_model_par_passes(model, par));
    all_same_bits(a->n_par, par, b->par);
    assert_true(dry_model_par_settle(model, settled));
    all_same_bits(a->n_par, settled, b->par);
    dry_model_free(model);
    dry_model_free(other);
}

/* Several forces act on one body, so their K must be softer for the step; by how much depends on a
 * spring. */
static void test_softer(void **state) {
    (void)state;
    static const char text_of[] = "param m = 1 [kg], F = 1 [N], push = 2 [N], k = 1e4 [N/m]\n"
                                  "state p = 0 [m], v = 0 [m/s]\n"
                                  "f[i] in i*F*sgn(v) for i in 1..8\n"
                                  "p' = v\nm*v' = push - k*p - sum(f[i] for i in 1..8)\n" RUN;
    static const double springs[] = {1.0, 4e6, 6e6}, masses[] = {0.9, 1e-2, 30.0};
    dry_model *plain = compiled(text_of, NULL, 0.0), *stiff = compiled(text_of, "k", 6e6);
    for (int i = 0; i < dry_model_messages(plain); i++)
        assert_string_equal(dry_model_message(plain, i).word, "softened");
    at_least(dry_model_messages(plain), 1);
    at_most(dry_model_set(stiff, 0).K, 0.9 * dry_model_set(plain, 0).K);
    for (size_t i = 0; i < 3; i++) check_anew(text_of, "k", springs[i]);
    for (size_t i = 0; i < 3; i++) check_anew(text_of, "m", masses[i]);
    dry_model_free(plain);
    dry_model_free(stiff);
}

/* K follows a mass that changes with the motion: the mass at the start is another for other values.
 * If K is given, the run watches the mass, and says numbers of the compilation. */
static void test_following(void **state) {
    (void)state;
    static const char friction[] =
        "param m = 1 [kg], F = 1 [N], p0 = 0.3 [m]\nstate p = p0, v = 0 [m/s]\n"
        "f in F*sgn(v)\np' = v\nm*(1 + p*p/1 [m^2])*v' = 2 [N] - f\n" RUN;
    static const char contact[] =
        "param m = 1 [kg], p0 = 0.3 [m]\nstate p = p0, v = 0 [m/s]\n"
        "N in dio(p) with restitution = 0.5\np' = v\nm*(1 + p*p/1 [m^2])*v' = N - 9 [N]\n" RUN;
    static const char watched[] =
        "param m = 1 [kg], F = 1 [N]\nstate p = 0 [m], v = 0 [m/s]\n"
        "f in F*sgn(v) with K = 1e5 [N/m]\np' = v\nm*(1 + p*p/1 [m^2])*v' = 2 [N] - f\n" RUN;
    check_anew(friction, "m", 0.4);
    check_anew(friction, "p0", 0.7);
    check_anew(contact, "m", 0.4);
    check_anew(contact, "p0", 0.1);
    dry_model *model = compiled(watched, NULL, 0.0);
    for (int i = 0; i < 2; i++) assert_false(dry_model_par_free(model, i));
    dry_model_free(model);
}

/* Two contacts are one if the text asks the same of them: by values, if by two parameters. */
static void test_asked(void **state) {
    (void)state;
    static const char text_of[] = "param e = 0.5, e2 = 0.5, m = 1 [kg]\n"
                                  "state p = 1 [m], v = 0 [m/s]\n"
                                  "N in dio(p) with restitution = e\n"
                                  "N2 in dio(p) with restitution = %s\n"
                                  "p' = v\n"
                                  "m*v' = N + N2\n"
                                  "run until = 1 [s], step = 1 [ms], method = rk4\n";
    static const struct {
        const char *second;
        bool free;
    } rows[] = {{"e", true}, {"e2", false}, {"0.5", false}, {"0.25", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char asked[400];
        snprintf(asked, sizeof asked, text_of, rows[i].second);
        dry_model *model = compiled(asked, NULL, 0.0);
        assert_int_equal(dry_model_par_free(model, 0), rows[i].free);
        assert_int_equal(dry_model_system(model)->n_states, i < 3 ? 3 : 4);
        dry_model_free(model);
    }
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
        cmocka_unit_test(test_which),     cmocka_unit_test(test_beats),
        cmocka_unit_test(test_follow),    cmocka_unit_test(test_alike),
        cmocka_unit_test(test_chosen),    cmocka_unit_test(test_softer),
        cmocka_unit_test(test_following), cmocka_unit_test(test_asked),
        cmocka_unit_test(test_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
