/* Step limits against closed forms and the worked-out limits of the friction and contact elements,
 * and spectral radii against known spectra. */
#include "unit.h"

#include <drystone/stability.h>

#include <drystone/math.h>
#include <stdlib.h>

static const dry_method *row(const char *name) {
    const dry_method *method = dry_method_find(name);
    assert_true(dry_method_found(method));
    return method;
}

static uint64_t seed = 7;
static double uniform(double low, double high) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}
static double log_uniform(double low, double high) { return exp(uniform(log(low), log(high))); }

/* Roots of s^2 + p s + q. */
static void quadratic(double p, double q, double re[2], double im[2]) {
    const double d = 0.25 * p * p - q, root = sqrt(fabs(d));
    for (int i = 0; i < 2; i++) {
        const double side = i ? 1.0 : -1.0;
        re[i] = -0.5 * p + (d > 0.0 ? side * root : 0.0);
        im[i] = d > 0.0 ? 0.0 : side * root;
    }
}

/* ---- one mode ------------------------------------------------------------------ */

static void real_and_imaginary_axis(void **state) {
    (void)state;
    const double minus = -1.0, zero = 0.0, one = 1.0;
    /* the tolerance is the last printed digit; on the imaginary axis Euler and Heun grow by
     * |z|^2/2 and |z|^4/8 a step, which the slack of 1e-3 |z| allows to 2e-3 and 0.2 */
    near(dry_largest_step(row("rk4"), 1, &minus, &zero), 2.785, 1e-3);
    near(dry_largest_step(row("heun"), 1, &minus, &zero), 2.0, 1e-3);
    near(dry_largest_step(row("euler"), 1, &minus, &zero), 2.0, 1e-3);
    near(dry_largest_step(row("rk4"), 1, &zero, &one), sqrt(8.0), 2e-3);
    near(dry_largest_step(row("heun"), 1, &zero, &one), 0.2, 2e-3);
    near(dry_largest_step(row("euler"), 1, &zero, &one), 2e-3, 1e-5);
    is_infinite(dry_largest_step(row("rk4"), 1, &one, &zero));
    is_infinite(dry_largest_step(row("rk4"), 1, &zero, &zero));
    near(dry_largest_step(row("semi-implicit"), 1, &minus, &zero), 2.0, 1e-3); /* no position */
    is_infinite(dry_largest_step(row("dopri5"), 1, &minus, &zero));
}

static void rates_that_steps_follow(void **state) {
    (void)state;
    near(dry_fastest_rate(row("rk4"), 1e-3), 2785.0, 1.0);
    near(dry_fastest_rate(row("euler"), 1e-2), 200.0, 0.1);
    near(dry_fastest_rate(row("semi-implicit"), 1e-2), 200.0, 0.1);
    is_infinite(dry_fastest_rate(row("dopri5"), 1e-3));
    const dry_method unsaid = {.name = "unsaid"};
    equal(dry_fastest_rate(&unsaid, 1e-3), 0.0);
}

/* x'' = -w^2 x: RK4 is off by (T w)^5/120 a step, which 1e-3 at the end of `time` allows for
 * T^4 = 0.12/(w^5 time), Euler by (T w)^2/2: T = 2e-3/(w^2 time), semi-implicit steps by (T
 * w)^3/24. What is damped by a tenth is left to the bound of stability. */
static void swing(void *user, dry_branch branch, double tau, const double *x, double *x_dot) {
    const double *k = user; /* w, damping ratio */
    (void)branch, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = -k[0] * k[0] * x[0] - 2.0 * k[1] * k[0] * x[1];
}
static double resolving(const char *method, double w, double ratio) {
    static const double x[] = {1.0, 0.0};
    static const bool positions[] = {true, false};
    double k[] = {w, ratio};
    dry_arena *arena = dry_arena_new((size_t)1 << 20);
    const dry_step_check check = {.arena = arena,
                                  .method = row(method),
                                  .n = 2,
                                  .positions = positions,
                                  .x = x,
                                  .rate = swing,
                                  .user = k,
                                  .branches = {DRY_ALL_STUCK},
                                  .n_branches = 1};
    const double T = dry_step_resolving(&check, 1e-3, 10.0, 1e-3, NULL);
    dry_arena_free(arena);
    return T;
}
static void steps_that_resolve_what_swings(void **state) {
    (void)state;
    const double w = 300.0;
    near(resolving("rk4", w, 0.0) / pow(0.12 / (pow(w, 5.0) * 10.0), 0.25), 1.0, 0.02);
    near(resolving("rk4-tau", w, 0.0) / pow(0.12 / (pow(w, 5.0) * 10.0), 0.25), 1.0, 0.02);
    near(resolving("euler", w, 0.0) / (2e-3 / (w * w * 10.0)), 1.0, 0.02);
    near(resolving("semi-implicit", w, 0.0) / sqrt(24e-3 / (w * w * w * 10.0)), 1.0, 0.02);
    equal(resolving("rk4", 10.0, 0.0), 1e-3); /* short enough as it is */
    equal(resolving("rk4", w, 0.1), 1e-3);    /* has settled */
    /* damped by 1 %, its life is 1/(0.01 w) = 0.33 s in place of 10 s */
    near(resolving("rk4", w, 0.01) / pow(0.12 / (pow(w, 5.0) / (0.01 * w)), 0.25), 1.0, 0.02);
}

static void amplification_is_the_taylor_polynomial(void **state) {
    (void)state;
    near(dry_amplification(row("euler"), -1.5, 0.0), 0.5, 1e-15);
    near(dry_amplification(row("heun"), -1.0, 0.0), 0.5, 1e-15);
    near(dry_amplification(row("rk4"), -1.0, 0.0), 0.375, 1e-15);
    near(dry_amplification(row("rk4"), 0.0, 0.1), 1.0 - 1e-6 / 144.0, 1e-9);
    near(dry_amplification(row("semi-implicit"), -1.5, 0.0), 0.5, 1e-15);
    assert_false(dry_mode_stable(row("semi-implicit"), -1e9, 0.0, 1.0));
    is_nan(dry_amplification(row("dopri5"), -1.0, 0.0));
    assert_true(dry_mode_stable(row("dopri5"), -1e9, 0.0, 1.0));
}

/* X13 Example II: M1 stuck to the wall and to M2. */
static void conveyor(void **state) {
    (void)state;
    const double re = -3965.0, im = 0.0;
    near(dry_amplification(row("rk4"), -3.965, 0.0), 4.8, 0.05);
    near(dry_largest_step(row("rk4"), 1, &re, &im), 0.70e-3, 0.005e-3);
    assert_false(dry_mode_stable(row("rk4"), re, im, 1e-3));
    assert_true(dry_mode_stable(row("rk4"), re, im, 0.7e-3));
}

static void growing_modes_pass(void **state) {
    (void)state;
    assert_true(dry_mode_stable(row("rk4"), 1.0, 0.0, 10.0));
    assert_true(dry_mode_stable(row("rk4"), 0.1, 1.0, 0.5));
    assert_true(dry_mode_stable(row("rk4"), 1e-9, 1.0, 1.0));
    assert_false(dry_mode_stable(row("rk4"), 1e-9, 1.0, 3.0)); /* undamped, but for rounding */
}

/* ---- the elements ---------------------------------------------------------------- */

/* Step limit of the stuck element with m = 1, T = 1: kappa = K, b = beta. */
static bool stuck_stable(const char *method, double kappa, double b) {
    double re[2], im[2];
    quadratic(kappa * b, kappa, re, im);
    return dry_mode_stable(row(method), re[0], im[0], 1.0) &&
           dry_mode_stable(row(method), re[1], im[1], 1.0);
}

static double largest_kappa(const char *method, double b) {
    double kappa = 0.01;
    while (stuck_stable(method, kappa * 1.001, b)) kappa *= 1.001;
    return kappa;
}

static void stuck_rk4(void **state) {
    (void)state;
    for (double b = 0.8; b < 5.0; b += 0.3) /* kappa found in steps of 0.1 % */
        near(largest_kappa("rk4", b) / (7.758 / (2.785 * b - 1.0)), 1.0, 2e-3);
    near(largest_kappa("rk4", 2.0), 1.697, 3e-3);
    assert_true(stuck_stable("rk4", 1.0, 2.0));
    assert_false(stuck_stable("rk4", 2.0, 2.0));
    double best = 0.0, best_b = 0.0;
    for (double b = 0.3; b < 1.2; b += 0.005)
        if (largest_kappa("rk4", b) > best) best = largest_kappa("rk4", best_b = b);
    near(best, 8.1, 0.05);
    near(best_b, 0.64, 0.015);
}

static void stuck_rk4_is_safe_to_2_6(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        double re[2], im[2], largest = 0.0;
        quadratic(log_uniform(1e-3, 1e3), log_uniform(1e-3, 1e3), re, im);
        for (int j = 0; j < 2; j++) largest = dry_max(largest, hypot(re[j], im[j]));
        above(dry_largest_step(row("rk4"), 2, re, im) * largest, 2.6);
    }
}

/* T <= beta and K <= 4 m/(T (2 beta - T)) */
static void stuck_euler(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        const double b = uniform(0.5, 4.0), kappa = log_uniform(0.05, 8.0);
        const bool expected = b >= 1.0 && kappa <= 4.0 / (2.0 * b - 1.0);
        const bool at_edge = fabs(b - 1.0) < 0.03 || fabs(kappa * (2.0 * b - 1.0) - 4.0) < 0.01;
        if (!at_edge) assert_int_equal(stuck_stable("euler", kappa, b), expected);
    }
}

/* alpha m s^3 + m s^2 + K beta s + K, m = 1 */
static void contact_modes(double K, double alpha, double beta, double re[3], double im[3]) {
    double A[9] = {0, 1, 0, 0, 0, 1, -K / alpha, -K * beta / alpha, -1.0 / alpha};
    assert_int_equal(dry_eigenvalues(3, A, re, im), DRY_OK);
}

static void contact_bound_is_sufficient(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const double K = log_uniform(1e-3, 1e3), beta = log_uniform(1e-2, 1e2);
        const double alpha = beta * log_uniform(1e-3, 1.0);
        double re[3], im[3];
        contact_modes(K, alpha, beta, re, im);
        const double fastest = dry_max(sqrt(K * beta / alpha), 1.0 / alpha);
        at_least(dry_largest_step(row("rk4"), 3, re, im) * fastest, 2.5);
    }
}

static void transmissibility(void **state) {
    (void)state;
    /* M = 1, K = 5e3: 100 rad/s is sqrt(2) omega_n, where H is 1 for every beta */
    near(dry_transmissibility(5e3, 2e-3, 1.0, 100.0), 1.0, 1e-12);
    near(dry_transmissibility(5e3, 7e-1, 1.0, 100.0), 1.0, 1e-12);
    near(dry_transmissibility(3.2 * 3.2, 0.0, 1.0, 1.0), 1.11, 0.005);
    near(dry_transmissibility(1e4, 2e-3, 1.0, 100.0), sqrt(1.0 + 1.0 / 0.04),
         1e-12); /* resonance */
    below(dry_transmissibility(4e3, 2e-3, 1.0, 100.0), 1.0);
    above(dry_transmissibility(7e3, 2e-3, 1.0, 100.0), 1.0);
}

/* ---- spectral radius --------------------------------------------------------------- */

typedef struct dense {
    int n;
    const double *A;
} dense;

static void dense_product(void *user, const double *v, double *y) {
    const dense *d = user;
    for (int i = 0; i < d->n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < d->n; j++) y[i] += d->A[i * d->n + j] * v[j];
    }
}

enum { N = 24 };

static double radius_of(int n, const double *A, int products) {
    double work[3 * N];
    dense d = {n, A};
    return dry_spectral_radius(n, dense_product, &d, products, work);
}

static void exact_for_one_mode_or_a_pair(void **state) {
    (void)state;
    const double rotation[4] = {0.0, 1e6, -1.0, -200.0}; /* poorly scaled, |s| = 1000 */
    const double slow[4] = {-1.0, 1e-3, -1e-3, -1.0};
    const double diagonal[9] = {1, 0, 0, 0, -7, 0, 0, 0, 3};
    const double permutation[9] = {0, 5, 0, 0, 0, 5, 5, 0, 0};
    const double nilpotent[9] = {0, 1, 0, 0, 0, 1, 0, 0, 0};
    near(radius_of(2, rotation, 30), 1000.0, 1e-3);
    near(radius_of(2, slow, 30), hypot(1.0, 1e-3), 1e-6);
    near(radius_of(3, diagonal, 60), 7.0, 1e-6);
    near(radius_of(3, permutation, 60), 5.0, 0.05);
    near(radius_of(3, nilpotent, 60), 0.0, 0.0);
    at_least(radius_of(3, diagonal, 1), 1.0);
    at_most(radius_of(3, diagonal, 1), 7.0); /* |Jv|/|v| */
    const double broken[1] = {(double)NAN};
    is_nan(radius_of(1, broken, 10));
}

static void random_matrices_within_percents(void **state) {
    (void)state;
    double A[N * N], B[N * N], re[N], im[N];
    for (int trial = 0; trial < 200; trial++) {
        for (int i = 0; i < N * N; i++) B[i] = A[i] = uniform(-1.0, 1.0);
        assert_int_equal(dry_eigenvalues(N, B, re, im), DRY_OK);
        double radius = 0.0;
        for (int i = 0; i < N; i++) radius = dry_max(radius, hypot(re[i], im[i]));
        const double estimate = radius_of(N, A, 200);
        between(estimate, 0.96 * radius, 1.04 * radius);
        equal(estimate, radius_of(N, A, 200));
    }
}

/* A chain of masses on stuck elements, fixed at both ends: state (a_0.., v_0..), mode j has
 * Omega = 2 sqrt(K/m) sin(j pi/(2(n + 1))) and s^2 + beta Omega^2 s + Omega^2 = 0. */
typedef struct chain {
    int masses;
    double K, beta;
} chain;

static void chain_product(void *user, const double *x, double *y) {
    const chain *c = user;
    const int n = c->masses;
    for (int i = 0; i < n; i++) {
        double force = 0.0;
        for (int side = -1; side <= 1; side += 2) {
            const int j = i + side;
            const bool wall = j < 0 || j >= n;
            force += x[i] - (wall ? 0.0 : x[j]) + c->beta * (x[n + i] - (wall ? 0.0 : x[n + j]));
        }
        y[i] = x[n + i];
        y[n + i] = -c->K * force;
    }
}

static void chains_within_percents(void **state) {
    (void)state;
    enum { MASSES = 300 };
    double *work = malloc(sizeof *work * 6 * MASSES);
    const double betas[] = {0.0, 1e-5, 1e-3, 1e-2};
    for (size_t i = 0; i < sizeof betas / sizeof betas[0]; i++) {
        chain c = {MASSES, 1e6, betas[i]};
        const double Omega = 2e3 * sin(MASSES * acos(-1.0) / (2.0 * (MASSES + 1)));
        double re[2], im[2];
        quadratic(c.beta * Omega * Omega, Omega * Omega, re, im);
        const double radius = hypot(re[0], im[0]);
        const double estimate = dry_spectral_radius(2 * MASSES, chain_product, &c, 100, work);
        between(estimate, 0.96 * radius, 1.04 * radius);
    }
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_and_imaginary_axis),
        cmocka_unit_test(rates_that_steps_follow),
        cmocka_unit_test(steps_that_resolve_what_swings),
        cmocka_unit_test(amplification_is_the_taylor_polynomial),
        cmocka_unit_test(conveyor),
        cmocka_unit_test(growing_modes_pass),
        cmocka_unit_test(stuck_rk4),
        cmocka_unit_test(stuck_rk4_is_safe_to_2_6),
        cmocka_unit_test(stuck_euler),
        cmocka_unit_test(contact_bound_is_sufficient),
        cmocka_unit_test(transmissibility),
        cmocka_unit_test(exact_for_one_mode_or_a_pair),
        cmocka_unit_test(random_matrices_within_percents),
        cmocka_unit_test(chains_within_percents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
