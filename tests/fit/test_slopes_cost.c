/* What the rates of a model with its sensitivities cost, counted in basic blocks. */
#include "unit.h"

#include "blocks.h"
#include <drystone/model.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static long long cost_of(const dry_system *system) {
    dry_env env = {.model = system->model, .par = system->par};
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    double *x_dot = calloc((size_t)system->n_states + 1, sizeof *x_dot);
    env.work = calloc(1, system->work_size + 1);
    assert_true(x && x_dot && env.work);
    system->prepare(&env);
    system->start(&env, 0.0, x);
    system->rate(&env, 0.1, 0.0, x, x_dot);
    const long long before = blocks;
    system->rate(&env, 0.2, 0.0, x, x_dot);
    const long long cost = blocks - before;
    free(x);
    free(x_dot);
    free(env.work);
    return cost;
}

static long long cost_with(const dry_model *model, const int *par, int n) {
    const char *why[MOST];
    dry_sensitivity *s;
    assert_int_equal(dry_sensitivity_new(model, par, n, why, &s, NULL), DRY_OK);
    for (int i = 0; i < n; i++) assert_null(why[i]);
    const long long cost = cost_of(dry_sensitivity_system(s));
    dry_sensitivity_free(s);
    return cost;
}

/* The cost grows with the number of parameters, not with its square, and each costs at most `most`
 * plain rates. The Jacobian, which all of them share, may cost `once` of these. */
static void compare(const char *text, double most, double once) {
    dry_model *model = dry_model_compile("x.dry", text, strlen(text), NULL);
    int par[MOST];
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    for (int i = 0; i < MOST; i++) par[i] = dry_model_par_find(model, (char[]){(char)('a' + i), 0});
    const double plain = (double)cost_of(dry_model_system(model));
    const double one = (double)cost_with(model, par, 1), four = (double)cost_with(model, par, 4),
                 eight = (double)cost_with(model, par, 8);
    below(one, plain * (1.0 + once + most));
    below(four, plain * (1.0 + once + 4.0 * most));
    below(eight, plain * (1.0 + once + 8.0 * most));
    dry_model_free(model);
}

static void coulomb(void **state) {
    (void)state;
    compare("param a = 2 [kg], b = 0.5 [N], c = 3 [N/m], d = 0.1 [N s/m], e = 2 [N], f = 5 [1/s],\n"
            "    g = 0.2 [m], h = 0.3 [m/s]\n"
            "state p = g, v = h\nr in b*sgn(v) with K = 1e4 [N/m], beta = 2 [ms]\np' = v\n"
            "a*v' = e*sin(f*t) - r - c*p - d*v\nrun until = 1 [s], step = 0.1 [ms]\n",
            1.0, 1.0);
}

static void multistate(void **state) {
    (void)state;
    compare("param a = 2 [kg], b = 0.5 [N], c = 3 [N/m], d = 0.1 [N s/m], e = 2 [N], f = 5 [1/s],\n"
            "    g = 1 [N], h = 1 [mm/s]\n"
            "state p = 0 [m], v = 0.1 [m/s]\n"
            "r = multistate(v, N = 10, Fc = b, Fs = g, vs = h)\np' = v\n"
            "a*v' = e*sin(f*t) - r - c*p - d*v\nrun until = 1 [ms], step = 1 [us]\n",
            3.0, 2.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb),
        cmocka_unit_test(multistate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
