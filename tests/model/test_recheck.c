/* The compiler's checks asked again for other values of a parameter tell what compiling with these
 * values tells: each row has a check that one value passes and another does not. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drystone/model.h>

#include <drystone/stability.h>

#define RUN "run until = 0.1 [s], step = 1 [ms], method = rk4\nmeasure end = final(p)\n"
#define MOVES "state v = 0 [m/s]\np' = v\n"

/* The value of `a` in the text passes, `wrong` does not, for the reason `word`. */
static const struct {
    const char *word, *text;
    double wrong;
} rows[] = {
    {"param-not-finite", "param a = 1, b = 1/a\nstate p = 0 [m]\np' = b*1 [m/s]\n" RUN, 0.0},
    {"start-not-finite", "param a = 1\nstate p = sqrt(a)*1 [m]\np' = 0 [m/s]\n" RUN, -1.0},
    {"factor-zero", "param a = 1 [kg]\nstate p = 0 [m]\n" MOVES "a*v' = 1 [N]\n" RUN, 0.0},
    {"rate-not-finite", "param a = 1\nstate p = 0 [m]\np' = log(a)*1 [m/s]\n" RUN, 0.0},
    {"law-parameter",
     "param a = 0.1\nstate p = 0 [m]\n" MOVES
     "N = compliant(-p, K = 1e4, beta2 = a)\n1 [kg]*v' = -N\n" RUN,
     -1.0},
    {"key-range",
     "param a = 1e3 [N/m]\nstate p = 0 [m]\n" MOVES
     "f in 1 [N]*sgn(v) with K = a, beta = 5 [ms]\n1 [kg]*v' = -f\n" RUN,
     -1e3},
    {"gap-negative",
     "param a = 1 [m]\nstate p = a\n" MOVES
     "N in dio(p) with K = 1e4 [N/m], alpha = 1 [ms], beta = 2 [ms]\n1 [kg]*v' = N\n" RUN,
     -1.0},
    {"contact-closes",
     "param a = 1 [kg]\nstate p = 0 [m]\n" MOVES
     "N in dio(p) with K = 1e4 [N/m], alpha = 1 [ms], beta = 2 [ms]\na*v' = N\n" RUN,
     -1.0},
    {"friction-drives",
     "param a = 1 [kg]\nstate p = 0 [m]\n" MOVES
     "f in 1 [N]*sgn(v) with K = 1e3 [N/m], beta = 5 [ms]\na*v' = -f\n" RUN,
     -1.0},
    {"friction-drives",
     "param a = 1 [kg]\nstate p = [0, 0] [m], v = [0, 0] [m/s]\np' = v\n"
     "f in 1 [N]*sgn(v) with K = 1e3 [N/m], beta = 5 [ms]\n"
     "A = [[1 [kg], 0 [kg]], [0 [kg], a]]\nA*v' = -f\n"
     "run until = 0.1 [s], step = 1 [ms], method = rk4\nmeasure end = final(p[1])\n",
     -1.0},
    {"outside-run",
     "param a = 0.05 [s]\nstate p = 0 [m]\np' = 1 [m/s]\n" RUN "measure m = at(p, a)\n", 0.2},
    {"unstable-step",
     "param a = 1e4 [N/m]\nstate p = 0 [m]\n" MOVES "1 [kg]*v' = -a*p - 1 [kg/s]*v\n" RUN, 1e8},
    {"unstable-step",
     "param a = 5 [ms]\nstate p = 0 [m]\n" MOVES
     "f in 1 [N]*sgn(v) with K = 1e3 [N/m], beta = a\n1 [kg]*v' = -f\n" RUN,
     1e-4},
};
enum { ROWS = sizeof rows / sizeof *rows };

static dry_model *compile(const char *text, const dry_setting *setting) {
    const dry_model_options options = {.settings = setting, .n_settings = setting != NULL};
    dry_model *model = dry_model_compile("repeat.dry", text, strlen(text), &options);
    assert_non_null(model);
    return model;
}

static bool passes(const dry_model *model, double a) {
    const dry_system *system = dry_model_system(model);
    double par[96];
    at_most(system->n_par, 96);
    memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
    par[dry_model_par_find(model, "a")] = a;
    dry_model_par_follow(model, par);
    return dry_model_par_passes(model, par);
}

static void check_refused(const char *text, double a, const char *word) {
    const dry_setting setting = {.name = "a", .value = a};
    dry_model *model = compile(text, &setting);
    bool said = false;
    for (int i = 0; i < dry_model_messages(model); i++)
        said = said || !strcmp(dry_model_message(model, i).word, word);
    if (!said || dry_model_ok(model)) fail_msg("%s is not refused: a = %g in\n%s", word, a, text);
    dry_model_free(model);
}

static void test_refused(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        dry_model *model = compile(rows[i].text, NULL);
        const int a = dry_model_par_find(model, "a");
        if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
        assert_true(dry_model_par_free(model, a));
        assert_true(dry_model_par_matters(model, a));
        check_refused(rows[i].text, rows[i].wrong, rows[i].word);
        if (passes(model, rows[i].wrong)) fail_msg("%s passes in\n%s", rows[i].word, rows[i].text);
        if (!passes(model, dry_model_system(model)->par[a])) fail_msg("not as compiled: %d", i);
        dry_model_free(model);
    }
}

/* Chains of ten masses: with springs both ways; driven one by the next, whose modes are all equal
 * and far from orthogonal; whirling; stuck; with rates in very unlike units. */
static const char *const chains[] = {
    "1 [kg]*v[i]' = a*(p[i-1] - 2*p[i] + p[i+1]) - 0.1 [kg/s]*v[i] for i in 2..9\n"
    "1 [kg]*v[1]' = a*(p[2] - 2*p[1])\n1 [kg]*v[10]' = a*(p[9] - 2*p[10])\n",
    "1 [kg]*v[i]' = a*(p[i-1] - p[i]) - 0.1 [kg/s]*v[i] for i in 2..10\n"
    "1 [kg]*v[1]' = -a*p[1]\n",
    "1 [kg]*v[i]' = -a*p[i] + 1 [kg/s]*(v[i+1] - v[i-1]) for i in 2..9\n"
    "1 [kg]*v[1]' = -a*p[1] + 1 [kg/s]*v[2]\n1 [kg]*v[10]' = -a*p[10] - 1 [kg/s]*v[9]\n",
    "f[i] in 1 [N]*sgn(v[i]) with K = a, beta = 5 [ms] for i in 1..10\n"
    "1 [kg]*v[i]' = -f[i] for i in 1..10\n",
    "1e-9 [kg]*v[i]' = -1e-9*a*p[i] + 1e3*a*(p[i-1] - p[i]) for i in 2..10\n"
    "1e-9 [kg]*v[1]' = -1e-9*a*p[1]\n",
};

/* Whatever shows that a step is safe, the answer is the compiler's, from steps that are much too
 * short to steps that are much too long. */
static void test_same_step(void **state) {
    (void)state;
    static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    int n_passed = 0, n_refused = 0;
    for (size_t i = 0; i < 5 * sizeof chains / sizeof *chains; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "param a = 1 [N/m]\nstate p[10] = 0.01 [m], v[10] = 0 [m/s]\n"
                 "p[i]' = v[i] for i in 1..10\n%s"
                 "run until = 0.1 [s], step = 1 [ms], method = %s\nmeasure end = final(p[1])\n",
                 chains[i / 5], methods[i % 5]);
        const dry_model_options options = {.force = true};
        dry_model *model = dry_model_compile("a.dry", text, strlen(text), &options);
        if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
        for (double a = 1e-3; a < 1e9; a *= 3.7) {
            const dry_setting setting = {.name = "a", .value = a};
            dry_model *other = compile(text, &setting);
            const bool pass = passes(model, a);
            if (pass != dry_model_ok(other)) fail_msg("a = %g: %d in\n%s", a, pass, text);
            *(pass ? &n_passed : &n_refused) += 1;
            dry_model_free(other);
        }
        dry_model_free(model);
    }
    above(n_passed, 100);
    above(n_refused, 100);
}

/* With parts nothing is certain, and no parameter is free. */
static void test_parts(void **state) {
    (void)state;
    dry_model *model = compile("param a = 10 [N/m]\n"
                               "part cart = point_mass(mass = 1 [kg], p = 0.1 [m])\n"
                               "cart.f += -a*cart.p\n"
                               "run until = 1 [s], step = 1 [ms], method = rk4\n",
                               NULL);
    assert_true(dry_model_ok(model));
    assert_false(dry_model_par_free(model, dry_model_par_find(model, "a")));
    assert_false(dry_model_par_passes(model, dry_model_system(model)->par));
    dry_model_free(model);
}

/* What is asked leaves the model as it was: also the masses that its sets tell. */
static void test_untouched(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        dry_model *model = compile(rows[i].text, NULL), *other = compile(rows[i].text, NULL);
        passes(model, rows[i].wrong);
        assert_int_equal(dry_model_messages(model), dry_model_messages(other));
        assert_true(dry_model_alike(model, other));
        for (int k = 0; k < dry_model_sets(model); k++) {
            const double mass = dry_model_set(model, k).mass, want = dry_model_set(other, k).mass;
            if (!isnan(mass) || !isnan(want)) equal(mass, want);
        }
        dry_model_free(model);
        dry_model_free(other);
    }
}

/* speed is where a velocity begins, on which rates depend in proportion; not so where the rate has
 * its square, or a law its value. */
static void test_matters(void **state) {
    (void)state;
    static const struct {
        const char *rate;
        bool matters;
    } cases[] = {
        {"-1 [1/s]*v", false},          {"-v/(2 [s])", false},
        {"-1 [1/m]*v*v", true},         {"-1 [1/s]*sin(v/(1 [m/s]))*1 [m/s]", true},
        {"-1 [1/m]/(1 [s])*p*v", true}, {"-1 [1/s]*a", true},
        {"-f/(1 [kg])", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "param a = 1 [m/s]\nstate p = 0 [m], v = a\np' = v\n"
                 "%sv' = %s\n" RUN,
                 strchr(cases[i].rate, 'f') ? "f = viscous(v, D = 1 [N s/m])\n" : "",
                 cases[i].rate);
        dry_model *model = compile(text, NULL);
        if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
        if (dry_model_par_matters(model, dry_model_par_find(model, "a")) != cases[i].matters)
            fail_msg("%s", cases[i].rate);
        dry_model_free(model);
    }
}

static const dry_method *row(const char *name) {
    const dry_method *method = dry_method_find(name);
    assert_true(dry_method_found(method));
    return method;
}

/* Up to the safe radius modes of all directions are stable. */
static void test_safe_radius(void **state) {
    (void)state;
    static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau"};
    for (int m = 0; m < 4; m++)
        for (int angle = 0; angle < 720; angle++)
            for (double part = 0.001; part <= 1.0; part *= 1.2) {
                const double z = part * dry_safe_radius(row(methods[m])),
                             phi = angle * acos(-1.0) / 360;
                assert_true(dry_mode_stable(row(methods[m]), z * cos(phi), z * sin(phi), 1.0));
            }
    equal(dry_safe_radius(row("dopri5")), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_same_step),
        cmocka_unit_test(test_parts),   cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_matters), cmocka_unit_test(test_safe_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
