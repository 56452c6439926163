/* Short slips: a friction element that is moved forth and back so that it touches its limit for
 * moments, inside of what would be one long step. No recorded sample may miss one of them.
 *
 *     f = sat(F, K (a + beta v)),  a_dot = (f/K - a)/beta                              X13 (18)
 *     v = X w (cos w t - c cos 5 w t),  w = 2 pi 1/s: the larger c, the longer the slips
 *
 * The reference is the same method with steps of 1 ms at most. */
#include "unit.h"

#include <drystone/law.h>
#include <drystone/ode.h>
#include <stdlib.h>

static const double K = 5e3, beta = 2e-3, F = 0.5, w = 6.283185307179586, X = 4e-4, END = 2.0;
enum { SAMPLES = 2000 };

static double speed(const dry_env *env, double t) {
    return X * w * (cos(w * t) - env->par[0] * cos(5.0 * w * t));
}
static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const double v = speed(env, t);
    double f;
    dry_friction(1, K, beta, tau, F, &v, x, &f, x_dot);
}
static void kinks(const dry_env *env, double t, const double *x, double *g) {
    const double trial = K * (x[0] + beta * speed(env, t));
    g[0] = trial - F;
    g[1] = trial + F;
}
static void start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 0.0;
}

static const dry_quantity names[] = {{"a", "m"}}, params[] = {{"c", ""}};
static const double standard[] = {1.5};
static const dry_system element = {.name = "element",
                                   .n_states = 1,
                                   .n_kinks = 2,
                                   .n_par = 1,
                                   .states = names,
                                   .params = params,
                                   .par = standard,
                                   .start = start,
                                   .rate = rate,
                                   .kinks = kinks};

/* a at SAMPLES times, in parts of F/K. */
static void follow(const char *name, double c, double tolerance, double max_step, double *a) {
    const dry_method *method = dry_method_find(name);
    const dry_ode_options options = {
        .rtol = tolerance, .atol = tolerance * F / K, .max_step = max_step};
    double *work = calloc(dry_ode_size(&element, method), sizeof *work);
    dry_ode ode;
    assert_non_null(work);
    assert_int_equal(dry_ode_init(&ode, &element, method, &options, &c, 0.0, NULL, NULL, work),
                     DRY_OK);
    for (int i = 1; i <= SAMPLES;) {
        assert_int_equal(dry_ode_step(&ode, END), DRY_OK);
        for (; i <= SAMPLES && END * i / SAMPLES <= ode.t; i++) {
            double x;
            dry_ode_dense(&ode, END * i / SAMPLES, &x);
            a[i - 1] = x * K / F;
        }
    }
    free(work);
}

static void no_sample_misses_a_slip(void **state) {
    (void)state;
    static const char *const pairs[] = {"dopri5", "dop853"};
    static double exact[SAMPLES], a[SAMPLES];
    for (double c = 1.0; c < 2.01; c += 0.05) {
        follow("dop853", c, 1e-13, 1e-3, exact);
        for (int m = 0; m < 2; m++)
            for (double tolerance = 1e-4; tolerance > 0.5e-9; tolerance *= 0.1) {
                double worst = 0.0;
                follow(pairs[m], c, tolerance, 0.0, a);
                for (int i = 0; i < SAMPLES; i++) worst = fmax(worst, fabs(a[i] - exact[i]));
                if (!(worst < 300.0 * tolerance))
                    fail_msg("%s, c = %g, tolerance %g: off by %g", pairs[m], c, tolerance, worst);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_sample_misses_a_slip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
