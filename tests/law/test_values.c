/* Values of every law worked out by hand, the impacts whose numbers are known, and the laws that
 * are special cases of each other. */
#include "unit.h"

#include "math/random.h"
#include <drystone/law.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

/* The result of one evaluation. */
typedef struct result {
    double f[4], s_dot[32];
} result;

static result at(const char *name, const double *par, int dim, double tau, const double *u,
                 const double *s) {
    result r = {{0}, {0}};
    dry_law_find(name)->eval(par, dim, tau, u, s, r.f, r.s_dot);
    return r;
}

/* ---- friction ------------------------------------------------------------------------ */

/* F = 3, K = 100, beta = 0.1: sticks with 100 (0.01 + 0.1 v), slips at 3 with a_dot = (0.03 -
 * a)/0.1. */
static void coulomb(void **state) {
    (void)state;
    const double par[] = {3, 100, 0.1}, a = 0.01;
    result r = at("coulomb", par, 1, 0.0, (double[]){0.1}, &a);
    near(r.f[0], 2.0, 1e-15);
    equal(r.s_dot[0], 0.1); /* the velocity, to the last bit */
    r = at("coulomb", par, 1, 0.0, (double[]){0.5}, &a);
    equal(r.f[0], 3.0);
    near(r.s_dot[0], 0.2, 1e-15);
    r = at("coulomb", par, 1, 0.1, (double[]){0.1}, &a); /* tau adds to beta: 100 (0.01 + 0.02) */
    near(r.f[0], 3.0, 1e-15);
    r = at("coulomb", par, 2, 0.0, (double[]){3.0, 4.0}, (double[]){0.0, 0.0});
    near(r.f[0], 1.8, 1e-15);
    near(r.f[1], 2.4, 1e-15);
    near(r.s_dot[1], 0.24, 1e-15);
}

/* The steepest fall of a Gaussian Stribeck curve is (Fs - F)/vs sqrt(2/e), at vs/sqrt(2): 257.329 N
 * s/m. A curve that rises has none. */
static void steepest_fall_of_the_level(void **state) {
    (void)state;
    const double falls[] = {1.0, 2.5, 5e-3, 2.0, 1e-9, 0.0},
                 rises[] = {2.5, 1.0, 5e-3, 2.0, 1e-9, 0.0};
    double steepest = 0.0, at_speed = 0.0, J;
    for (int k = 1; k < 4000; k++) {
        const double v = 5e-6 * k;
        dry_law_find("stribeck")->jacobian(falls, 1, 0.0, &v, NULL, &J);
        if (-J > steepest) steepest = -J, at_speed = v;
        dry_law_find("stribeck")->jacobian(rises, 1, 0.0, &v, NULL, &J);
        at_least(J, 0.0);
    }
    near(steepest, 257.329, 5e-4);
    near(at_speed, 5e-3 / sqrt(2.0), 5e-6);
}

/* stribeck_slip with F = 1, Fs = 2.5, vs = 5 mm/s and K beta = 300: a slip x needs y = 300 x +
 * g(x), g(x) = 1 + 1.5 exp(-(x/vs)^2), and gives f = g(x). */
static void stribeck_slip(void **state) {
    (void)state;
    const double par[] = {1.0, 2.5, 5e-3, 2.0, 3e5, 1e-3}, a = 2e-6;
    const double slips[] = {1e-6, 1e-3, 5e-3 / sqrt(2.0), 7e-3, 0.1, 10.0};
    for (int k = 0; k < 6; k++) {
        const double x = slips[k], ratio = x / 5e-3, g = 1.0 + 1.5 * exp(-ratio * ratio);
        const double v = (300.0 * x + g - 3e5 * a) / 300.0;
        const result r = at("stribeck_slip", par, 1, 0.0, &v, &a);
        near_share(r.f[0], g, 1e-11);
        near_share(v - r.s_dot[0], x, 1e-8); /* the slip */
        const double u[] = {-0.6 * v, 0.8 * v}, b[] = {-0.6 * a, 0.8 * a};
        const result two = at("stribeck_slip", par, 2, 0.0, u, b);
        near_share(two.f[0], -0.6 * g, 1e-11);
        near_share(two.f[1], 0.8 * g, 1e-11);
    }
    const double v = 2.4 / 300.0, still = 0.0; /* faster than vs, and it sticks at more than F */
    const result r = at("stribeck_slip", par, 1, 0.0, &v, &still);
    near(r.f[0], 2.4, 1e-14);
    equal(r.s_dot[0], v);
}

/* dwell with F = 2, Fs = 5, vs = 0.1, K = 100, B = 4, D = 0.5, tau_dw = 3. At v = vs sqrt(ln 2) it
 * is half stuck, s = 1/2, and dir is 1: a_dot = v/2 + (2 - 100 a)/8, y = (100 a + 4 v)/2 + 1. */
static void dwell(void **state) {
    (void)state;
    const double par[] = {2.0, 5.0, 0.1, 100.0, 4.0, 0.5, 3.0}, v = 0.1 * sqrt(log(2.0));
    result r = at("dwell", par, 1, 0.0, &v, (double[]){0.01, 0.2});
    near(r.f[0], 1.5 + 2.0 * v + 0.5 * v, 1e-15); /* the level is 2.6: below it */
    near(r.s_dot[0], 0.5 * v + 0.125, 1e-15);
    near(r.s_dot[1], 0.3 / 3.0, 1e-15); /* (1/2 - 0.2)/tau_dw */
    r = at("dwell", par, 1, 0.0, &v, (double[]){0.06, 0.7});
    near(r.f[0], 4.1 + 0.5 * v, 1e-15);   /* y is 4 + 2 v, above the level 2 + 3*0.7 */
    near(r.s_dot[1], -0.2 * 25.0, 1e-14); /* (1/2 - 0.7) K/B */
    r = at("dwell", par, 2, 0.0, (double[]){0.6 * v, -0.8 * v}, (double[]){0.036, -0.048, 0.7});
    near(r.f[0], 0.6 * (4.1 + 0.5 * v), 1e-14); /* the same along (0.6, -0.8) */
    near(r.f[1], -0.8 * (4.1 + 0.5 * v), 1e-14);
    near(r.s_dot[1], -0.8 * (0.5 * v - 0.5), 1e-15);
    const double half = 0.0005, s = exp(-2.5e-5); /* half of vs/100: dir is (3/2 - 1/8)/2 */
    r = at("dwell", par, 1, 0.0, &half, (double[]){0.01, 0.2});
    near(r.s_dot[0], s * half + (1.0 - s) * (2.0 * 0.6875 - 1.0) / 4.0, 1e-17);
}

/* The level at rest is 5 - 3 (1 - w(0)) exp(-t/3), and what a slide has left of w, exp(-25 t). */
static void dwell_grows_at_rest(void **state) {
    (void)state;
    const double par[] = {2.0, 5.0, 0.1, 100.0, 4.0, 0.0, 3.0}, still = 0.0, fast = 10.0;
    double s[] = {0.03, 0.6}; /* K a = 3 */
    const double h = 1e-3;    /* w' is linear, so that four terms of the series are the step */
    for (int k = 1; k <= 5000; k++) {
        const double rate = at("dwell", par, 1, 0.0, k <= 200 ? &fast : &still, s).s_dot[1];
        const double decay = (k <= 200 ? 25.0 : 1.0 / 3.0) * h;
        s[1] += h * rate * (1.0 - decay / 2.0 + decay * decay / 6.0 - decay * decay * decay / 24.0);
        if (k == 200) near_share(s[1], 0.6 * exp(-5.0), 1e-7);
    }
    const double w = 1.0 - (1.0 - 0.6 * exp(-5.0)) * exp(-4.8 / 3.0);
    near(s[1], w, 1e-9);
    s[0] = 1.0; /* more than any level */
    near(at("dwell", par, 1, 0.0, &still, s).f[0], 2.0 + 3.0 * w, 3e-9);
    s[0] = 0.03;
    equal(at("dwell", par, 1, 0.0, &still, s).s_dot[0], 0.0); /* it does not creep */
}

/* One answer if K beta > max(-g') = (Fs - F) alpha/vs r^(alpha - 1) exp(-r^alpha), r^alpha = (alpha
 * - 1)/alpha: (Fs - F)/vs sqrt(2/e) for a Gaussian, (Fs - F)/vs for alpha = 1. Below that, two
 * slips have the same y. */
static void one_answer_needs_damping(void **state) {
    (void)state;
    const dry_law *law = dry_law_find("stribeck_slip");
    double par[] = {1.0, 2.5, 5e-3, 2.0, 257.2e3, 1e-3}, damping, fall;
    assert_false(dry_law_has_one_answer(law, par, &damping, &fall));
    near(damping, 257.2, 1e-12);
    near_share(fall, 1.5 / 5e-3 * sqrt(2.0 / exp(1.0)), 1e-14);
    near(fall, 257.329, 5e-4);
    assert_non_null(dry_law_check(law, par, 1, NULL));
    par[4] = 257.5e3;
    assert_true(dry_law_has_one_answer(law, par, &damping, &fall));
    assert_null(dry_law_check(law, par, 1, NULL));
    par[3] = 1.0;
    assert_false(dry_law_has_one_answer(law, par, &damping, &fall));
    near_share(fall, 300.0, 1e-14);
    par[0] = 2.5, par[1] = 1.0, par[4] = 1.0; /* it rises */
    assert_true(dry_law_has_one_answer(law, par, &damping, &fall));
    equal(fall, 0.0);
    par[1] = 0.0; /* it is constant */
    assert_true(dry_law_has_one_answer(law, par, &damping, &fall));
    assert_true(dry_law_has_one_answer(dry_law_find("coulomb"), par, &damping, &fall));
}

/* The number is the limit: y(x) = B x + g(x) rises for B = 257.5 and has a piece that falls for
 * 257.2. */
static void the_number_is_the_limit(void **state) {
    (void)state;
    const double B[] = {257.2, 257.5};
    for (int k = 0; k < 2; k++) {
        double least = HUGE_VAL;
        for (int i = 1; i < 20000; i++) {
            const double x = 1e-6 * i, r0 = x / 5e-3, r1 = (x + 1e-6) / 5e-3;
            const double rise = B[k] * 1e-6 + 1.5 * (exp(-r1 * r1) - exp(-r0 * r0));
            least = rise < least ? rise : least;
        }
        assert_int_equal(least > 0.0, k);
    }
}

/* Where a holds the level the rate is zero and the force is g(v) + D v: lugre, dahl, elastoplastic,
 * multistate, gms; and the static curve says the same. v = vs: g = F + (Fs - F)/e. */
static void steady_sliding_with(double Fs) {
    const double F = 1.0, vs = 1e-3, K = 1e4, B = 30.0, D = 40.0;
    const double g = F + (Fs - F) * exp(-1.0), v = -vs, a = -g / K, force = -g - D * vs;
    result r = at("lugre", (double[]){F, Fs, vs, 2, K, B, D}, 1, 0.0, &v, &a);
    near(r.f[0], force, 1e-14);
    near(r.s_dot[0], 0.0, 1e-18);
    r = at("elastoplastic", (double[]){F, Fs, vs, 2, K, B, D, 0.7}, 1, 0.0, &v, &a);
    near(r.f[0], force, 1e-14);
    near(r.s_dot[0], 0.0, 1e-18);
    const double slow = F / K;
    r = at("dahl", (double[]){F, K}, 1, 0.0, &vs, &slow);
    near(r.f[0], F, 1e-15);
    near(r.s_dot[0], 0.0, 1e-18);
    r = at("stribeck", (double[]){F, Fs, vs, 2, 1e-6, D}, 1, 0.0, &v, NULL);
    near(r.f[0], force, 1e-14);
    const double elements[] = {2, F, Fs, vs, 2, 0.02, D, K, K, B, B, 0.25, 0.75};
    r = at("multistate", elements, 1, 0.0, &v, (double[]){g, 0.25 * a, 0.75 * a});
    near(r.f[0], force, 1e-14);
    for (int i = 0; i < 3; i++) near(r.s_dot[i], 0.0, 1e-13);
    const double modes[] = {2, F, Fs, vs, 2, 62, K, K, B, B, 0.25, 0.75};
    r = at("gms", modes, 1, 0.0, &v, (double[]){0.25 * a, 0.75 * a, -1, -1});
    near(r.f[0], -g, 1e-14);
    near(r.s_dot[0], 0.0, 1e-17);
}

/* The level falls to rest on some machines: Fs < F. */
static void steady_sliding_is_on_the_stribeck_curve(void **state) {
    (void)state;
    steady_sliding_with(2.5);
    steady_sliding_with(0.4);
}

/* Two velocities at right angles to each other: |v| = 5e-3. */
static void lugre_in_the_plane(void **state) {
    (void)state;
    const double par[] = {0.5, 0, 1e-3, 2, 5e3, 10, 2}, v[] = {3e-3, 4e-3}, a[] = {2e-5, -1e-5};
    const double fade = 5e3 * 5e-3 / 0.5;
    const result r = at("lugre", par, 2, 0.0, v, a);
    for (int i = 0; i < 2; i++) {
        const double a_dot = v[i] - fade * a[i];
        near(r.s_dot[i], a_dot, 1e-17);
        near(r.f[i], 5e3 * a[i] + 10 * a_dot + 2 * v[i], 1e-15);
    }
}

/* At q = (1 + ba)/2 half of the bristles slip; against the stretch and below ba none do. */
static void elastoplastic(void **state) {
    (void)state;
    const double par[] = {0.5, 0, 1e-3, 2, 5e3, 0, 0, 0.6}, ss = 0.5 / 5e3;
    const double half = 0.8 * ss, below = 0.59 * ss, v = 1e-3;
    near(at("elastoplastic", par, 1, 0.0, &v, &half).s_dot[0], v * (1 - 0.5 * 0.8), 1e-18);
    equal(at("elastoplastic", par, 1, 0.0, &v, &below).s_dot[0], v);
    const double back = -half;
    equal(at("elastoplastic", par, 1, 0.0, &v, &back).s_dot[0], v);
}

static void smoothing_and_viscous(void **state) {
    (void)state;
    const double par[] = {2.0, 0.1}, D = 3.0;
    near(at("smoothing", par, 1, 0.0, (double[]){0.05}, NULL).f[0], 1.0, 1e-15);
    equal(at("smoothing", par, 1, 0.0, (double[]){-7.0}, NULL).f[0], -2.0);
    near(at("smoothing", par, 3, 0.0, (double[]){0, 3, 4}, NULL).f[2], 1.6, 1e-15);
    equal(at("viscous", &D, 2, 0.0, (double[]){1, -2}, NULL).f[1], -6.0);
}

/* Leads a law of one deflection by the way x at unit speed, by Heun's method; returns the force. */
static double lead(const char *name, const double *par, double x, double *a) {
    const int steps = 2000;
    const double v = dry_sgn(x), h = fabs(x) / steps;
    for (int i = 0; i < steps; i++) {
        const double first = at(name, par, 1, 0.0, &v, a).s_dot[0], next = *a + h * first;
        *a += 0.5 * h * (first + at(name, par, 1, 0.0, &v, &next).s_dot[0]);
    }
    return at(name, par, 1, 0.0, &v, a).f[0];
}

/* Loading: da/dx = 1 - (a/a0)^n, that is 1 - exp(-x/a0) for n = 1 and tanh(x/a0) for n = 2.
 * Unloading with share = 1/2 is the spring K, with share = 1 da/dx = 1 + (a/a0)^n. */
static void bouc_wen(void **state) {
    (void)state;
    const double F = 0.5, K = 5e3, a0 = F / K, x = 1.3 * a0;
    double a = 0.0;
    near(lead("bouc_wen", (double[]){F, K, 1, 0.7}, x, &a), F * (1.0 - exp(-1.3)), 1e-6 * F);
    a = 0.0;
    near(lead("bouc_wen", (double[]){F, K, 2, 0.7}, x, &a), F * tanh(1.3), 1e-6 * F);
    const double bent = a;
    near(lead("bouc_wen", (double[]){F, K, 2, 0.5}, -0.4 * a0, &a), K * bent - 0.4 * F, 1e-12 * F);
    a = bent; /* arctan(q) = arctan(tanh(1.3)) - 0.4 */
    near(lead("bouc_wen", (double[]){F, K, 2, 1}, -0.4 * a0, &a), F * tan(atan(tanh(1.3)) - 0.4),
         1e-6 * F);
    const double dahl[] = {F, K}, same[] = {F, K, 1, 1}, v = -0.3;
    const result d = at("dahl", dahl, 1, 0.0, &v, &a), b = at("bouc_wen", same, 1, 0.0, &v, &a);
    near(b.s_dot[0], d.s_dot[0], 1e-15);
    equal(b.f[0], d.f[0]);
}

/* The page: a load between 0.384 F and 0.96 F moves it by atanh(0.96) - atanh(0.384) - 0.576 of
 * F/K.
 */
static void bouc_wen_drifts(void **state) {
    (void)state;
    const double par[] = {0.5, 5e3, 2, 0.5}, a0 = 1e-4, high = atanh(0.96), low = atanh(0.384);
    double a = 0.96 * a0;
    lead("bouc_wen", par, -0.576 * a0, &a);
    near(a, 0.384 * a0, 1e-12 * a0);
    lead("bouc_wen", par, (high - low) * a0, &a);
    near(a, 0.96 * a0, 1e-6 * a0); /* the load is back, the body is not */
    near(high - low - 0.576, 0.965, 5e-4);
}

/* The deflections and the force of n bristles in steady rolling, F = 1 N, k = 300 N/m^2, 0.1 m,
 * 10 m/s, from the leading edge on: while bristle j sticks it has a_(j-1) + v dz/V, and where that
 * is too much for its level F_j, (F_j/(k dz) - a_j)/beta = V (a_j - a_(j-1))/dz. */
static double steady_bristles(int n, double beta, double v, double *a) {
    const double V = 10.0, dz = 0.1 / n, K = 300.0 * dz;
    double before = 0.0, f = 0.0;
    for (int j = 1; j <= n; j++) {
        const double x = (double)j / n, most = 6.0 * x * (1.0 - x) / n, bent = before + v * dz / V;
        const bool sticks = K * (bent + beta * v) <= most;
        a[j - 1] = before =
            sticks ? bent : (most / K + beta * V / dz * before) / (1.0 + beta * V / dz);
        f += sticks ? K * (bent + beta * v) : most;
    }
    return f;
}

/* At sigma = 0.6, x = 0.3 the steady curve 3 x - 3 x^2 + x^3 is 0.657; n bristles give 0.65625,
 * 0.65697, 0.65700 where beta is short (computed by a second program). The steady state stands. */
static void brush_in_steady_rolling(void **state) {
    (void)state;
    static const double exact[] = {0.65625, 0.65697, 0.65700};
    static const int many[] = {20, 100, 1000};
    static double a[1000], a_dot[1000];
    for (int k = 0; k < 3; k++) {
        const double par[] = {many[k], 1.0, 300.0, 0.1, 10.0, 1e-9}, v = 6.0;
        double f;
        const double wanted = steady_bristles(many[k], 1e-9, v, a);
        dry_law_find("brush")->eval(par, 1, 0.0, &v, a, &f, a_dot);
        near(f, wanted, 1e-12);
        near(f, exact[k], 5.2e-6);
        for (int i = 0; i < many[k]; i++) near(a_dot[i], 0.0, 1e-6 * v);
    }
    const double par[] = {20, 1.0, 300.0, 0.1, 10.0, 1e-6}, fast = 1e6;
    dry_law_find("brush")->eval(par, 1, 0.0, &fast, a, a_dot, a_dot + 1);
    near(a_dot[0], 1.0 - 1.0 / 400.0, 1e-14); /* all slide: F (1 - 1/N^2) */
}

/* It comes to the steady state, forwards and backwards, where the last bristle is the first. */
static void brush_rolls_in(void **state) {
    (void)state;
    enum { MANY = 20 };
    double steady[MANY], a_dot[MANY], f = 0.0;
    const double v = 6.0, h = 1e-6, wanted = steady_bristles(MANY, 1e-6, v, steady);
    for (int way = -1; way <= 1; way += 2) {
        const double par[] = {MANY, 1.0, 300.0, 0.1, 10.0 * way, 1e-6};
        double a[MANY] = {0};
        for (int step = 0; step < 50000; step++) { /* 0.5 m, five lengths */
            dry_law_find("brush")->eval(par, 1, 0.0, &v, a, &f, a_dot);
            for (int i = 0; i < MANY; i++) a[i] += h * a_dot[i];
        }
        near(f, wanted, 1e-9);
        for (int i = 0; i < MANY; i++) near(a[way > 0 ? i : MANY - 1 - i], steady[i], 1e-10);
    }
}

/* One element, F = 0.5, kappa = 5e3, n = 2: loading dx = dz/(1 - q^2), unloading dx = dz/(1 + q^2).
 * A load between 0.384 F and 0.96 F moves it by atanh(0.96) - atanh(0.384) - atan(0.96) +
 * atan(0.384) of F/kappa, which the page rounds to 1.143. */
static void leuven_drifts(void **state) {
    (void)state;
    const double par[] = {1, 0.5, 0, 1, 2, 2, 0, 0, 5e3, 1}, a0 = 1e-4;
    const double out = atan(0.96) - atan(0.384), back = atanh(0.96) - atanh(0.384);
    double a = 0.96 * a0;
    lead("leuven", par, -out * a0, &a);
    near(a, 0.384 * a0, 1e-6 * a0);
    lead("leuven", par, back * a0, &a);
    near(a, 0.96 * a0, 1e-6 * a0);
    near(back - out, 1.143, 5e-4);
}

/* Two elements: kappa 100 and 50, limits 0.01 and 0.02; n = 1, g = 2, B = 3, D = 1. */
static void leuven_elements(void **state) {
    (void)state;
    const double par[] = {2, 2, 0, 1, 2, 1, 3, 1, 100, 50, 0.5, 0.5}, v = 0.1, back = -0.1;
    double s[2] = {0.01, 0.004}; /* Fh = 1.2, q = 0.6: z_dot = 0.04; the first is at its limit */
    const result r = at("leuven", par, 1, 0.0, &v, s), b = at("leuven", par, 1, 0.0, &back, s);
    near(r.f[0], 1.2 + 3 * 0.04 + 0.1, 1e-14);
    equal(r.s_dot[0], 0.0);
    near(r.s_dot[1], 0.04, 1e-16);
    near(b.s_dot[0], -0.16, 1e-15); /* q = -0.6 */
    near(b.f[0], 1.2 - 3 * 0.16 - 0.1, 1e-14);
    s[0] = 0.0103;
    assert_true(dry_law_find("leuven")->latch(par, 1, &v, s));
    equal(s[0], 0.01);
    assert_false(dry_law_find("leuven")->latch(par, 1, &v, s));
}

/* In the band the push up to Fs, whatever v; beyond it F against v. */
static void karnopp(void **state) {
    (void)state;
    const double par[] = {1, 3, 0.1, -2}, strong[] = {1, 3, 0.1, 5}, plain[] = {1, 0, 0.1, 5};
    equal(at("karnopp", par, 1, 0.0, (double[]){0.1}, NULL).f[0], -2.0);
    equal(at("karnopp", par, 1, 0.0, (double[]){-0.05}, NULL).f[0], -2.0);
    equal(at("karnopp", par, 1, 0.0, (double[]){0.2}, NULL).f[0], 1.0);
    equal(at("karnopp", par, 1, 0.0, (double[]){-0.2}, NULL).f[0], -1.0);
    equal(at("karnopp", strong, 1, 0.0, (double[]){0.0}, NULL).f[0], 3.0);
    equal(at("karnopp", plain, 1, 0.0, (double[]){0.0}, NULL).f[0], 1.0);
}

/* One element: kappa = 100, lambda g = 2, limit 0.02. It sticks, reaches the limit, slips, and
 * sticks again when v turns. */
static void gms_modes(void **state) {
    (void)state;
    const double par[] = {1, 2, 0, 1, 2, 50, 100, 3, 1}, right = 0.1, left = -0.1;
    const dry_law *gms = dry_law_find("gms");
    double s[2] = {0.0199, 0.0};
    assert_false(gms->latch(par, 1, &right, s));
    near(at("gms", par, 1, 0.0, &right, s).f[0], 1.99 + 0.3, 1e-14);
    s[0] = 0.0201;
    assert_true(gms->latch(par, 1, &right, s));
    equal(s[1], 1.0);
    near(at("gms", par, 1, 0.0, &right, s).s_dot[0], 0.5 * (1 - 2.01 / 2), 1e-15);
    assert_false(gms->latch(par, 1, &right, s));
    assert_true(gms->latch(par, 1, &left, s)); /* sticks, although |a| is beyond the limit */
    equal(s[1], 0.0);
    equal(at("gms", par, 1, 0.0, &left, s).s_dot[0], left);
    s[0] = -0.02;
    assert_true(gms->latch(par, 1, &left, s));
    equal(s[1], -1.0);
    const double rest = 0.0;
    assert_true(gms->latch(par, 1, &rest, s));
    equal(s[1], 0.0);
}

/* The same element: what ends a mode changes its sign there, at the limit on both sides and as v
 * turns. */
static void gms_modes_end_at_kinks(void **state) {
    (void)state;
    const double par[] = {1, 2, 0, 1, 2, 50, 100, 3, 1}, limit = 0.02;
    const dry_law *gms = dry_law_find("gms");
    for (int side = -1; side <= 1; side += 2) {
        double g[2];
        const double v = 0.1 * side, back = -v, before[2] = {0.9 * limit * side, 0.0};
        const double after[2] = {1.1 * limit * side, 0.0}, slips[2] = {limit * side, side};
        gms->kinks(par, 1, 0.0, &v, before, g);
        assert_true(g[0] > 0.0);
        gms->kinks(par, 1, 0.0, &v, after, g);
        assert_true(g[0] < 0.0);
        gms->kinks(par, 1, 0.0, &v, slips, g);
        assert_true(g[0] > 0.0);
        gms->kinks(par, 1, 0.0, &back, slips, g);
        assert_true(g[0] < 0.0);
    }
}

/* One element of gms_smooth: kappa = 100, lambda g = 2, C/kappa = 0.5. n = ln 3 and share = 1/2
 * make S = 1/4 at w q = 0, 3/4 at 1 and 9/10 at 3/2; v = eps ln 2 makes w = 0.6. */
static const double smooth[] = {1, 2, 0, 1, 2, 50, 0.1, 1.0986122886681098, 0.5, 100, 3, 1};

static void gms_smooth_sticks_and_slips(void **state) {
    (void)state;
    const double v = 0.1 * log(2.0), a = 1.0 / 30.0, back = -v; /* q = 5/3: w q = 1 */
    const double a_dot = 0.25 * v + 0.75 * 0.5 * (0.6 - 5.0 / 3.0);
    const result r = at("gms_smooth", smooth, 1, 0.0, &v, &a);
    near(r.s_dot[0], a_dot, 1e-15);
    near(r.f[0], 100.0 / 30.0 + 3.0 * a_dot, 1e-14);
    /* w q = -1, 2 n (w q - share) = -3 ln 3: S = 1/28 */
    const double unloads = 27.0 / 28.0 * back + 0.5 / 28.0 * (-0.6 - 5.0 / 3.0);
    near(at("gms_smooth", smooth, 1, 0.0, &back, &a).s_dot[0], unloads, 1e-15);
}

/* At rest it decays at the rate C/(g (1 + exp(2 n share))) = 50/(2 (1 + 3)) = 6.25 1/s. */
static void gms_smooth_relaxes(void **state) {
    (void)state;
    const double rest = 0.0, a = 0.016;
    const result r = at("gms_smooth", smooth, 1, 0.0, &rest, &a);
    near(r.s_dot[0], -6.25 * a, 1e-16);
    near(r.f[0], 100 * a - 3 * 6.25 * a, 1e-14);
    near(dry_law_find("gms_smooth")->fastest(smooth, 1, 0.0, &rest, &a), 6.25, 1e-14);
}

/* Steady sliding, w = 1: q - 1 = v kappa/(C lambda) exp(-2 n (q - share)); q = 3/2 at v = 2.25. */
static void gms_smooth_slides_above_its_level(void **state) {
    (void)state;
    const double v = 2.25, a = 0.03;
    const result r = at("gms_smooth", smooth, 1, 0.0, &v, &a);
    near(r.s_dot[0], 0.0, 1e-15);
    near(r.f[0], 3.0, 1e-14);
}

/* An element sticks up to w q = share, and the law sticks as long as one of them does. */
static void gms_smooth_phases(void **state) {
    (void)state;
    const double two[] = {2, 2, 0, 1, 2, 50, 0.1, 5, 0.5, 100, 100, 3, 3, 0.5, 0.5}, v = 10.0;
    const dry_law *law = dry_law_find("gms_smooth");
    const double all[] = {0.0051, 0.0051}, one[] = {0.0051, 0.0049}, other[] = {0.0049, 0.0051};
    assert_int_equal(law->phase(two, 1, 0.0, &v, all), DRY_SLIPS);
    assert_int_equal(law->phase(two, 1, 0.0, &v, one), DRY_STICKS);
    assert_int_equal(law->phase(two, 1, 0.0, &v, other), DRY_STICKS);
}

/* share = 1, n -> inf, eps -> 0: the modes of gms. */
static void gms_smooth_tends_to_gms(void **state) {
    (void)state;
    const double sharp[] = {1, 2, 0, 1, 2, 50, 1e-9, 1e6, 1, 100, 3, 1};
    const double switched[] = {1, 2, 0, 1, 2, 50, 100, 3, 1}, v = 0.1;
    const double sticks[2] = {0.0199, 0.0}, slips[2] = {0.0201, 1.0};
    equal(at("gms_smooth", sharp, 1, 0.0, &v, sticks).f[0],
          at("gms", switched, 1, 0.0, &v, sticks).f[0]);
    near(at("gms_smooth", sharp, 1, 0.0, &v, slips).f[0],
         at("gms", switched, 1, 0.0, &v, slips).f[0], 1e-14);
}

/* tau_d = 0: the level is g(v), whatever gamma says, and gamma stands still. */
static void multistate_lag(void **state) {
    (void)state;
    double par[] = {1, 1, 3, 1e-3, 2, 0, 0, 100, 10, 1};
    const double v = 1.0, s[2] = {2.2, 0.0}; /* g(v) = 1 far above vs */
    result r = at("multistate", par, 1, 0.0, &v, s);
    equal(r.f[0], 1.0);
    equal(r.s_dot[0], 0.0);
    par[5] = 0.5;
    r = at("multistate", par, 1, 0.0, &v, s);
    equal(r.f[0], 2.2);
    near(r.s_dot[0], (1.0 - 2.2) / 0.5, 1e-15);
    double start[2] = {9, 9};
    dry_law_find("multistate")->start(par, 1, (double[]){1e-3}, start);
    near(start[0], 1.0 + 2.0 * exp(-1.0), 1e-15);
    equal(start[1], 0.0);
}

/* ---- contact --------------------------------------------------------------------------- */

/* K = 1000, alpha = 0.1, beta = 0.3: a new indentation of 0.01 gives 3 K delta, an old one K delta.
 */
static void contact(void **state) {
    (void)state;
    const double par[] = {1000, 0.1, 0.3}, in[] = {-0.01, 0}, out[] = {0.5, 0};
    result r = at("contact", par, 0, 0.0, in, (double[]){0.0});
    near(r.f[0], 30.0, 1e-13);
    near(r.s_dot[0], 0.1, 1e-16);
    r = at("contact", par, 0, 0.0, in, (double[]){0.01});
    near(r.f[0], 10.0, 1e-13);
    equal(r.s_dot[0], 0.0);
    r = at("contact", par, 0, 0.0, out, (double[]){0.01});
    equal(r.f[0], 0.0);
    near(r.s_dot[0], -0.01 / 0.3, 1e-17);
}

static void spring_damper_contacts(void **state) {
    (void)state;
    const double kv[] = {1000, 20}, hc[] = {1000, 1.5, 0.5};
    const double in[] = {-0.04, -2.0}, out[] = {-0.04, 3.0}, off[] = {0.04, -2.0};
    near(at("kelvin_voigt", kv, 0, 0.0, in, NULL).f[0], 80.0, 1e-13);
    near(at("kelvin_voigt", kv, 0, 0.0, out, NULL).f[0], -20.0, 1e-13); /* it pulls */
    equal(at("kelvin_voigt_cut", kv, 0, 0.0, out, NULL).f[0], 0.0);
    near(at("kelvin_voigt_cut", kv, 0, 0.0, in, NULL).f[0], 80.0, 1e-13);
    equal(at("kelvin_voigt", kv, 0, 0.0, off, NULL).f[0], 0.0);
    near(at("hunt_crossley", hc, 0, 0.0, in, NULL).f[0], 8.0 * 2.0, 1e-13); /* 0.04^1.5 = 0.008 */
    near(at("hunt_crossley", hc, 0, 0.0, out, NULL).f[0], 8.0 * -0.5, 1e-13);
    equal(at("hunt_crossley", hc, 0, 0.0, off, NULL).f[0], 0.0);
}

/* beta1 = beta2 = 0: N = K delta^1.5, whatever a. */
static void hertz(void **state) {
    (void)state;
    const double par[] = {1e4, 1.5, 2e3, 0, 0}, u[] = {-0.01, 0};
    for (double a = 0.0; a < 0.01; a += 1e-3)
        near(at("compliant", par, 0, 0.0, u, &a).f[0], 10.0, 1e-13);
}

/* delta = v t from rest: e = v (t - alpha (1 - exp(-t/alpha))) and
 * N = K v (t + (beta - alpha)(1 - exp(-t/alpha))), the ramp response of a Zener solid. */
static void ramp_into_a_zener_solid(void **state) {
    (void)state;
    const double K = 1e5, alpha = 0.005, beta = 0.01, v = 0.3, h = 1e-5;
    const double par[] = {K, alpha, beta};
    double e = 0.0;
    for (int step = 0; step < 2000; step++) { /* Heun's method: error (h/alpha)^2/6 = 7e-7 */
        const double first = at("contact", par, 0, 0.0, (double[]){-v * h * step, 0}, &e).s_dot[0];
        const double next = e + h * first;
        const double u[] = {-v * h * (step + 1), 0};
        e += 0.5 * h * (first + at("contact", par, 0, 0.0, u, &next).s_dot[0]);
        const double t = h * (step + 1), full = 1.0 - exp(-t / alpha);
        near(e, v * (t - alpha * full), 1e-6 * v * alpha);
        near(at("contact", par, 0, 0.0, u, &e).f[0], K * v * (t + (beta - alpha) * full),
             2e-6 * K * v * beta);
    }
}

/* ---- impacts ---------------------------------------------------------------------------- */

/* A mass of 1 kg that flies into a contact at speed v under a constant force. */
typedef struct impact {
    double deepest, residual, duration, rebound;
} impact;

static void impact_rate(const dry_law *law, const double *par, double force, const double x[3],
                        double rate[3]) {
    double N;
    rate[0] = x[1];
    rate[2] = 0.0;
    law->eval(par, 0, 0.0, x, x + 2, &N, rate + 2);
    rate[1] = force + N;
}

static impact fly_into(const char *name, const double *par, double v, double force, double h) {
    static const double fractions[4] = {0, 0.5, 0.5, 1}, weights[4] = {1, 2, 2, 1};
    const dry_law *law = dry_law_find(name);
    double x[3] = {0, -v, 0};
    impact hit = {0};
    for (int step = 0; step < 10000000; step++) {
        double sum[3] = {0}, k[3] = {0}, y[3], before = x[0];
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 3; i++) y[i] = x[i] + fractions[stage] * h * k[i];
            impact_rate(law, par, force, y, k);
            for (int i = 0; i < 3; i++) sum[i] += weights[stage] * k[i];
        }
        for (int i = 0; i < 3; i++) x[i] += h / 6 * sum[i];
        if (law->latch) law->latch(par, 0, x, x + 2);
        hit.deepest = dry_max(hit.deepest, -x[0]);
        double N, rate;
        law->eval(par, 0, 0.0, x, x + 2, &N, &rate);
        if (x[0] > before && N <= 0.0) {
            hit.residual = -x[0];
            hit.duration = (step + 1) * h;
            hit.rebound = x[1] / v;
            break;
        }
    }
    return hit;
}

/* Experiment 2, bouncing mass of X13 figure 5 at 4.42719 m/s: converged values of independent
 * origin, given to 4 or 5 digits. The step of 1e-6 s resolves the release to 1e-6 s. */
static void impact_on_the_contact_law(void **state) {
    (void)state;
    static const struct {
        double alpha, rebound, deepest, residual, duration;
    } rows[] = {{0.01, 1.0, 14.098, 0.0, 9.979},
                {0.007, 0.879917, 12.055, 1.669, 8.450},
                {0.005, 0.769418, 10.420, 2.754, 7.232},
                {0.001, 0.290264, 5.509, 4.193, 3.700}};
    for (int i = 0; i < 4; i++) {
        const double par[] = {1e5, rows[i].alpha, 0.01};
        const impact hit = fly_into("contact", par, sqrt(2 * 9.8), -9.8, 1e-6);
        near(hit.rebound, rows[i].rebound, 3e-6);
        near(hit.deepest * 1e3, rows[i].deepest, 6e-4);
        near(hit.residual * 1e3, rows[i].residual, 6e-3); /* it leaves with up to 4.4 um/us */
        near(hit.duration * 1e3, rows[i].duration, 2e-3);
    }
}

/* Experiment 9, XD figure 5.2 at 2 m/s: restitution 0.77488, Hunt-Crossley 0.67859 (which is the
 * root of h(v) = h(-eps v), h(u) = u/b - ln(1 + b u)/b^2), residual 7.5 mm. */
static void impact_on_the_nonlinear_laws(void **state) {
    (void)state;
    const double new_law[] = {1e4, 1.5, 2e3, 3e-3, 0.1}, hc[] = {1e4, 1.5, 0.35};
    const impact hit = fly_into("compliant", new_law, 2.0, 0.0, 1e-5);
    near(hit.rebound, 0.77488, 2e-5);
    near(hit.residual * 1e3, 7.5, 0.06);
    near(fly_into("hunt_crossley", hc, 2.0, 0.0, 1e-5).rebound, 0.67859, 2e-5);
}

/* An impact is Kelvin and Voigt's up to N = 0: with zeta = beta omega0/2 it leaves at
 * e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)) of its speed, and leaves a dent of 2 zeta v
 * e/omega0. */
static void impact_on_kikuuwe_and_fujimoto(void **state) {
    (void)state;
    for (double zeta = 0.1; zeta < 0.7; zeta += 0.1) {
        const double K = 1e5, omega0 = sqrt(K), v = 2.0, par[] = {K, 2.0 * zeta / omega0};
        const double e = exp(-2.0 * zeta * acos(zeta) / sqrt(1.0 - zeta * zeta));
        const impact hit = fly_into("kikuuwe_fujimoto", par, v, 0.0, 1e-7);
        near(hit.rebound, e, 1e-5);
        near(hit.residual, 2.0 * zeta * v * e / omega0, 1e-6); /* 0.2 um a step */
    }
}

/* With tau it is the contact law with alpha = 0, which is contact with alpha = tau, beta + tau, at
 * tau = 0; and its limit tau -> 0 is the law without tau. */
static void kikuuwe_fujimoto_is_contact_without_alpha(void **state) {
    (void)state;
    random_source source = {45};
    const double K = 1e5, beta = 2e-3, par[] = {K, beta};
    for (int trial = 0; trial < 3000; trial++) {
        const double tau = random_between(&source, 1e-5, 1e-3), plain[] = {K, tau, beta + tau};
        const double u[] = {random_magnitude(&source, -5, -2), random_magnitude(&source, -2, 1)};
        const double e = fabs(random_magnitude(&source, -5, -2));
        const result k = at("kikuuwe_fujimoto", par, 0, tau, u, &e);
        const result c = at("contact", plain, 0, 0.0, u, &e);
        equal(k.f[0], c.f[0]);
        equal(k.s_dot[0], c.s_dot[0]);
        /* a gap that has moved for a time tau since psi + e = 0 */
        const double in[] = {-fabs(u[0]), u[1]}, short_time = 1e-9;
        const double touching = -in[0], from = -in[0] + short_time * in[1];
        const result now = at("kikuuwe_fujimoto", par, 0, 0.0, in, &touching);
        const result soon = at("kikuuwe_fujimoto", par, 0, short_time, in, &from);
        near(soon.f[0], now.f[0], 1e-5 * K * (fabs(u[0]) + beta * fabs(u[1])));
    }
}

/* XD figure 5.2 at 2 m/s, as above, and Hertz's contact, which is elastic and lasts
 * 2.9432 (depth/v), depth = (5/4)^(2/5) v/omega0, so 3.2180/omega0. */
static void one_impact_on_the_compliant_contact(void **state) {
    (void)state;
    const dry_compliant_choice figure = {1e4, 2e3, 3e-3, 0.1}, hertz = {1e4, 2e3, 0, 0};
    const double omega0 = pow(1e4 * sqrt(2.0), 0.4);
    dry_impact hit;
    assert_int_equal(dry_compliant_impact(&figure, 1.5, 1.0, 2.0, &hit), DRY_OK);
    near(hit.restitution, 0.77488, 5e-6);
    near(hit.residual * 2.0 / omega0 * 1e3, 7.5, 0.05);
    assert_int_equal(dry_compliant_impact(&hertz, 1.5, 3.0, 2.0, &hit), DRY_OK);
    near(hit.restitution, 1.0, 1e-8);
    near(hit.residual, 0.0, 1e-8);
    near(hit.depth, pow(1.25, 0.4), 1e-6);
    near(hit.duration, 2.94327 * pow(1.25, 0.4), 1e-5);
    near(hit.force, pow(1.25, 0.6), 1e-6);
    const dry_compliant_choice stiff = {1e4, 2e3, 1e6, 0}, fast = {1e4, 1e9, 1e-3, 0};
    assert_int_equal(dry_compliant_impact(&stiff, 1.5, 1.0, 2.0, &hit), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_impact(&fast, 1.5, 1.0, 2.0, &hit), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_impact(&figure, 0.5, 1.0, 2.0, &hit), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_impact(&figure, 1.5, 0.0, 2.0, &hit), DRY_BAD_ARGUMENT);
}

/* Designs flown into by the law itself: restitution, residual indentation and contact time. */
static void compliant_contacts_from_what_they_do(void **state) {
    (void)state;
    static const double exponents[] = {1.0, 1.5, 2.0}, wanted[] = {0.2, 0.5, 0.9};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (double share = 0.1; share < 1.0; share += 0.4) {
                const double lambda = exponents[i], e = wanted[k], v = 0.7, time = 0.02;
                double least, most;
                dry_compliant_choice c;
                assert_int_equal(dry_compliant_residuals(e, lambda, &least, &most), DRY_OK);
                above(most, least);
                const double residual = (least + share * (most - least)) * v * time;
                const dry_status status =
                    dry_compliant_design(e, residual, time, v, 1.0, lambda, &c);
                assert_int_equal(status, DRY_OK);
                const double par[] = {c.K, lambda, c.gamma, c.beta1, c.beta2};
                const impact hit = fly_into("compliant", par, v, 0.0, 1e-6);
                near(hit.rebound, e, 2e-6);
                near(hit.residual, residual, 1e-6 * v); /* one step */
                near(hit.duration, time, 1.1e-6);
            }
}

static void compliant_contacts_that_there_are_not(void **state) {
    (void)state;
    dry_compliant_choice c = {1, 2, 3, 4};
    double least, most;
    assert_int_equal(dry_compliant_residuals(0.5, 1.5, &least, &most), DRY_OK);
    assert_int_equal(dry_compliant_design(0.5, 1.01 * most, 1, 1, 1, 1.5, &c), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_design(0.5, 0.9 * least, 1, 1, 1, 1.5, &c), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_design(0.05, least, 1, 1, 1, 1.5, &c), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_design(0.5, most, 0, 1, 1, 1.5, &c), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_compliant_residuals(0.5, 0.9, &least, &most), DRY_BAD_ARGUMENT);
    equal(c.K, 1.0);
    assert_int_equal(dry_compliant_design(0.5, most, 1, 1, 1, 1.5, &c), DRY_OK); /* beta1 alone */
    near(c.beta2, 0.0, 1e-4);
    assert_int_equal(dry_compliant_design(0.5, least, 1, 1, 1, 1.5, &c), DRY_OK);
    near(c.beta1, 0.0, 1e-4);
}

/* The exact inverse: b v = 4.91917, 1.43275, 0.37315, 0.07893 for e = 0.2, 0.5, 0.8, 0.95, at any
 * speed, found by a second program from h(v) = h(-e v). */
static void the_damping_of_a_restitution(void **state) {
    (void)state;
    static const double e[] = {0.2, 0.5, 0.8, 0.95}, bv[] = {4.91917, 1.43275, 0.37315, 0.07893};
    double b = -1.0;
    for (int i = 0; i < 4; i++)
        for (double v = 1e-3; v < 1e3; v *= 10.0) {
            assert_int_equal(dry_hunt_crossley_design(e[i], v, &b), DRY_OK);
            near(b * v, bv[i], 5.1e-6);
            near(dry_hunt_crossley_restitution(b, v), e[i], 1e-14);
        }
    for (double wanted = 0.1; wanted < 1.0; wanted += 0.2) { /* the page has 4 digits */
        char number[16];
        assert_int_equal(dry_hunt_crossley_design(wanted, 1.0, &b), DRY_OK);
        snprintf(number, sizeof number, "%.4g", b);
        assert_non_null(strstr(dry_law_find("hunt_crossley")->known, number));
    }
    assert_int_equal(dry_hunt_crossley_design(1.0, 1.0, &b), DRY_OK);
    equal(b, 0.0);
    equal(dry_hunt_crossley_restitution(0.0, 2.0), 1.0);
    assert_int_equal(dry_hunt_crossley_design(0.0, 1.0, &b), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_hunt_crossley_design(1.1, 1.0, &b), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_hunt_crossley_design(0.5, 0.0, &b), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_hunt_crossley_design((double)NAN, 1.0, &b), DRY_BAD_ARGUMENT);
    equal(b, 0.0);
}

/* Both ends of the range: e = 1 - (2/3) b v + O((b v)^2) for a small b, e = 1/(b v) for a large
 * one.
 */
static void restitution_at_the_ends_of_its_range(void **state) {
    (void)state;
    double b;
    for (double d = 1e-12; d < 1e-3; d *= 10.0) {
        near(dry_hunt_crossley_restitution(d, 1.0), 1.0 - 2.0 / 3.0 * d, d * d + 1e-15);
        near(dry_hunt_crossley_restitution(1.0 / d, 1.0), d, 1e-15 * d);
    }
    equal(dry_hunt_crossley_restitution((double)INFINITY, 1.0), 0.0);
    equal(dry_hunt_crossley_restitution(1e200, 1e200), 0.0);
    equal(dry_hunt_crossley_restitution(1.0, 0.0), 1.0);
    is_nan(dry_hunt_crossley_restitution(-1.0, 1.0));
    is_nan(dry_hunt_crossley_restitution(1.0, -1.0));
    is_nan(dry_hunt_crossley_restitution(-1.0, -1.0));
    is_nan(dry_hunt_crossley_restitution((double)NAN, 1.0));
    assert_int_equal(dry_hunt_crossley_design(1e-6, 1.0, &b), DRY_OK);
    near(b, 1e6, 1e-8);
    assert_int_equal(dry_hunt_crossley_design(1.0 - 1e-6, 1.0, &b), DRY_OK);
    near(b, 1.5e-6, 1e-11);
}

/* The root of h(v) = h(-e v) by bisection, d = b v: the way of the test, not that of rebound.c. */
static double rebound_at(double d) {
    double low = 0.0, high = dry_min(1.0, 1.0 / d);
    for (int i = 0; i < 100; i++) {
        const double e = 0.5 * (low + high);
        *(d - log(1.0 + d) > -e * d - log(1.0 - e * d) ? &low : &high) = e;
    }
    return low;
}

/* The published coefficients c(e) = b v give the restitution of h(v) = h(-e v), whatever the speed:
 * with v0 set as in a run, by RK4, and as the pages of the laws say it. */
static void published_coefficients_and_what_they_give(void **state) {
    (void)state;
    static const double wanted[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    static const char *const names[] = {"lankarani_nikravesh", "gonthier", "flores",
                                        "marhefka_orin"};
    for (int i = 0; i < 5; i++) {
        const double e = wanted[i];
        const double c[] = {0.75 * (1.0 - e * e), (1.0 - e * e) / e, 1.6 * (1.0 - e) / e,
                            1.5 * (1.0 - e)};
        for (int k = 0; k < 4; k++) {
            char number[16];
            const double got = rebound_at(c[k]);
            snprintf(number, sizeof number, "%.3f", got);
            assert_non_null(strstr(dry_law_find(names[k])->known, number));
            for (double v = 0.05; v < 10.0; v *= 10.0) {
                const double par[] = {1e4, 1.5, k == 3 ? (1.0 - e) / v : e, 0.01};
                near(fly_into(names[k], par, v, 0.0, 1e-5).rebound, got, 2e-4);
            }
        }
    }
}

/* zhang_sharf has the damping of the exact inverse, by the numbers of the second program above, and
 * so the restitution that was asked for at any speed; nothing while the gap is open. */
static void the_restitution_that_was_asked_for(void **state) {
    (void)state;
    static const double wanted[] = {0.2, 0.5, 0.8, 0.95},
                        c[] = {4.91917, 1.43275, 0.37315, 0.07893};
    const dry_law *law = dry_law_find("zhang_sharf");
    const double v0 = 3.0;
    for (int i = 0; i < 4; i++) {
        const double par[] = {1e4, 1.5, wanted[i], 0.01};
        const double f = at(law->name, par, 0, 0.0, (double[]){-0.04, -v0}, &v0).f[0];
        near(f, 80.0 * (1.0 + c[i]), 80.0 * 5.1e-6); /* 0.04^1.5 = 0.008 */
        for (double v = 0.05; v < 10.0; v *= 10.0)
            near(fly_into(law->name, par, v, 0.0, 1e-5).rebound, wanted[i], 2e-4);
        equal(at(law->name, par, 0, 0.0, (double[]){0.04, -v0}, &v0).f[0], 0.0);
    }
    for (double e = 0.1; e < 1.0; e += 0.2) { /* the page has the 4 digits of (1 + c)/(1 - e c) */
        char number[16];
        double low = (1.0 - e) / e, high = 1.0 / e;
        for (int i = 0; i < 100; i++) {
            const double d = 0.5 * (low + high);
            *((1.0 + d) < (1.0 - e * d) * exp(d * (1.0 + e)) ? &low : &high) = d;
        }
        snprintf(number, sizeof number, "%.4g", low);
        assert_non_null(strstr(law->known, number));
    }
    const double elastic[] = {1e4, 1.5, 1.0, 0.01};
    near(at(law->name, elastic, 0, 0.0, (double[]){-0.04, -v0}, &v0).f[0], 80.0, 1e-12);
    near(at(law->name, elastic, 0, 0.0, (double[]){-0.04, v0}, &v0).f[0], 80.0, 1e-12);
}

/* Down to the smallest restitution zhang_sharf damps: c = (1 - (1 + c) exp(-c (1 + e)))/e, which is
 * 1/e to rounding where e is small. */
static void the_damping_of_a_small_restitution(void **state) {
    (void)state;
    const double v0 = 3.0, u[] = {-0.04, -v0};
    for (int k = 1; k <= 300; k++) {
        const double e = pow(10.0, -k), par[] = {1e4, 1.5, e, 0.01};
        const double c = at("zhang_sharf", par, 0, 0.0, u, &v0).f[0] / 80.0 - 1.0;
        near(e * c, 1.0 - (1.0 + c) * exp(-c * (1.0 + e)), 1e-13);
        if (k > 1) near(e * c, 1.0, 1e-13);
    }
}

/* v0 follows the impacts: set when the gap closes, at least `speed`, 0 when it opens. */
static void the_speed_of_the_touch_down(void **state) {
    (void)state;
    const dry_law *law = dry_law_find("gonthier");
    const double par[] = {1e4, 1.5, 0.5, 0.01};
    double s = 0.0;
    assert_false(law->latch(par, 0, (double[]){0.1, -3.0}, &s));
    equal(s, 0.0);
    assert_true(law->latch(par, 0, (double[]){-1e-4, -2.0}, &s));
    equal(s, 2.0);
    assert_false(law->latch(par, 0, (double[]){-1e-3, 1.0}, &s));
    equal(s, 2.0);
    assert_true(law->latch(par, 0, (double[]){1e-4, 1.0}, &s));
    equal(s, 0.0);
    assert_true(law->latch(par, 0, (double[]){-1e-4, 5.0}, &s));
    equal(s, 0.01);
    law->start(par, 0, (double[]){-1e-4, -3.0}, &s);
    equal(s, 3.0);
    /* 0.04^1.5 = 0.008: 1e4 * 0.008 * (1 + 1.5 * 2/3), v0 = 3; 1.5 * 1 until it is set */
    near(at("gonthier", par, 0, 0.0, (double[]){-0.04, -2.0}, &s).f[0], 160.0, 1e-12);
    s = 0.0;
    near(at("gonthier", par, 0, 0.0, (double[]){-0.04, -2.0}, &s).f[0], 200.0, 1e-12);
}

/* The head comment of compliant.c: press to s, wait until a = s/2, back to a, slowly to 0. With
 * lambda = 1, beta1 = 0 the turn gives K gamma beta2 s^3/16 (the slow part costs what its slowness
 * makes small). The quick legs keep a, and the wait costs nothing. */
static void compliant_gains_energy_by_its_beta2(void **state) {
    (void)state;
    const double K = 1e4, gamma = 2e3, beta2 = 0.5, s = 0.01, par[] = {K, 1, gamma, 0, beta2};
    const int n = 20000;
    double work = 0.0, a = 0.0;
    for (int i = 0; i < n; i++) { /* quick, a = 0 */
        const double u[] = {-s * (i + 0.5) / n, 0};
        work += at("compliant", par, 0, 0.0, u, &a).f[0] * s / n;
    }
    a = 0.5 * s;
    for (int i = 0; i < n; i++) { /* quick, a = s/2 */
        const double u[] = {-s + 0.5 * s * (i + 0.5) / n, 0};
        work -= at("compliant", par, 0, 0.0, u, &a).f[0] * 0.5 * s / n;
    }
    const double turn = 10.0, h = turn / (100.0 * n); /* slowly: gamma times the duration is 2e4 */
    for (int i = 0; i < 100 * n; i++) {
        const double u[] = {-0.5 * s * (1.0 - (i + 0.5) / (100.0 * n)), 0};
        double N, a_dot;
        dry_law_find("compliant")->eval(par, 0, 0.0, u, &a, &N, &a_dot);
        work -= N * 0.5 * s / turn * h;
        a += h * a_dot;
    }
    near(-work, K * gamma * beta2 * s * s * s / 16.0, 1e-3 * K * gamma * beta2 * s * s * s / 16.0);
}

/* ---- laws within laws ---------------------------------------------------------------------- */

static void frictional_contact_is_contact_and_coulomb(void **state) {
    (void)state;
    random_source source = {41};
    for (int trial = 0; trial < 3000; trial++) {
        const int dim = 1 + trial % 3;
        const double par[] = {1e5, 2.8e-3, 4e-3, 0.3, 2e5, 5e-3}, tau = trial % 2 ? 1e-3 : 0.0;
        double u[5], s[4];
        u[0] = random_magnitude(&source, -5, -2);
        u[1] = random_magnitude(&source, -2, 1);
        for (int i = 0; i < dim; i++) u[2 + i] = random_magnitude(&source, -3, 1);
        s[0] = random_magnitude(&source, -5, -2);
        for (int i = 0; i < dim; i++) s[1 + i] = random_magnitude(&source, -6, -3);
        const result both = at("frictional_contact", par, dim, tau, u, s);
        const result normal = at("contact", par, 0, tau, u, s);
        const double friction_par[] = {0.3 * normal.f[0], 2e5, 5e-3};
        const result friction = at("coulomb", friction_par, dim, tau, u + 2, s + 1);
        equal(both.f[0], normal.f[0]);
        equal(both.s_dot[0], normal.s_dot[0]);
        for (int i = 0; i < dim; i++) {
            equal(both.f[1 + i], friction.f[i]);
            equal(both.s_dot[1 + i], friction.s_dot[i]);
        }
    }
}

/* lambda = 1, beta2 = 0: gamma = 1/alpha, beta1 = beta - alpha, for every tau. */
static void compliant_has_contact_in_it(void **state) {
    (void)state;
    random_source source = {42};
    const double alpha = 0.005, beta = 0.012, K = 1e5;
    const double linear[] = {K, alpha, beta}, general[] = {K, 1, 1 / alpha, beta - alpha, 0};
    for (int trial = 0; trial < 3000; trial++) {
        const double u[] = {random_magnitude(&source, -5, -2), 0}, tau = trial % 3 * 1e-3;
        const double e = fabs(random_magnitude(&source, -5, -2));
        const result r = at("contact", linear, 0, tau, u, &e);
        const result g = at("compliant", general, 0, tau, u, &e);
        const double size = fabs(u[0]) + e; /* of the terms that are summed */
        near(g.f[0], r.f[0], 32 * DBL_EPSILON * K * size * beta / alpha);
        near(g.s_dot[0], r.s_dot[0], 32 * DBL_EPSILON * size / alpha);
        const double energy = dry_law_find("contact")->energy(linear, 0, tau, u, &e);
        near(dry_law_find("compliant")->energy(general, 0, tau, u, &e), energy,
             64 * DBL_EPSILON * K * size * size * beta / alpha);
    }
}

static void dahl_is_lugre_without_damping(void **state) {
    (void)state;
    random_source source = {43};
    const double dahl[] = {0.5, 5e3}, lugre[] = {0.5, 0, 1, 2, 5e3, 0, 0};
    for (int trial = 0; trial < 1000; trial++) {
        const double v = random_magnitude(&source, -4, 1), a = random_magnitude(&source, -6, -3);
        const result d = at("dahl", dahl, 1, 0.0, &v, &a), l = at("lugre", lugre, 1, 0.0, &v, &a);
        equal(d.f[0], l.f[0]);
        equal(d.s_dot[0], l.s_dot[0]);
    }
}

/* The batch forms kappa a + sigma v, the law kappa (a + (sigma/kappa) v): the same to rounding. */
static void the_batch_is_the_law_lane_by_lane(void **state) {
    (void)state;
    enum { N = 10, LANES = 37 };
    random_source source = {44};
    double par[7 + 3 * N], v[LANES], gamma[LANES], a[N * LANES], f[LANES], a_dot[N * LANES];
    dry_law_defaults(dry_law_find("multistate"), N, par);
    const double *kappa = par + 7, *sigma = par + 7 + N, *lambda = par + 7 + 2 * N;
    for (int lane = 0; lane < LANES; lane++) {
        v[lane] = random_magnitude(&source, -7, -4);
        gamma[lane] = random_between(&source, 1.0, 2.5);
        for (int i = 0; i < N; i++) a[i * LANES + lane] = random_magnitude(&source, -9, -6.5);
    }
    dry_multistate_batch(N, LANES, kappa, sigma, lambda, v, gamma, a, f, a_dot);
    for (int lane = 0; lane < LANES; lane++) {
        double s[1 + N] = {gamma[lane]};
        for (int i = 0; i < N; i++) s[1 + i] = a[i * LANES + lane];
        const result r = at("multistate", par, 1, 0.0, &v[lane], s);
        near(f[lane], r.f[0], 32 * DBL_EPSILON * gamma[lane]);
        for (int i = 0; i < N; i++) {
            const double size = fabs(v[lane]) + fabs(s[1 + i]) * kappa[i] / sigma[i];
            near(a_dot[i * LANES + lane], r.s_dot[1 + i], 8 * DBL_EPSILON * size);
        }
    }
}

/* ---- the inclusions in the rows -------------------------------------------------------- */

/* XD (4.12b,c): kappa a + sigma a_dot is in lambda gamma sgn(v - a_dot), and f is their sum. */
static void multistate_solves_its_inclusion(void **state) {
    (void)state;
    enum { N = 10 };
    random_source source = {61};
    double par[7 + 3 * N];
    dry_law_defaults(dry_law_find("multistate"), N, par);
    const double *kappa = par + 7, *sigma = par + 7 + N, *lambda = par + 7 + 2 * N;
    int stuck = 0, slipping = 0;
    for (int round = 0; round < 200; round++) {
        const double v = random_magnitude(&source, -7, -4);
        double s[1 + N] = {random_between(&source, 1.0, 2.5)}, sum = 0.0;
        for (int i = 0; i < N; i++) s[1 + i] = random_magnitude(&source, -9, -5);
        const result r = at("multistate", par, 1, 0.0, &v, s);
        for (int i = 0; i < N; i++) {
            const double a_dot = r.s_dot[1 + i], y = kappa[i] * s[1 + i] + sigma[i] * a_dot;
            const double size = 1e-12 * (fabs(v) + fabs(kappa[i] * s[1 + i] / sigma[i]));
            const double level = lambda[i] * s[0];
            sum += y;
            at_most(fabs(y), level * (1.0 + 1e-12));
            if (fabs(v - a_dot) > size) near(y, copysign(level, v - a_dot), 1e-12 * level);
            *(fabs(v - a_dot) > size ? &slipping : &stuck) += 1;
        }
        near(r.f[0], sum, 1e-11);
    }
    assert_true(stuck > 100 && slipping > 100);
}

/* XD (5.5): y = a + (1/gamma + beta1 + beta2 a) a_dot is in dio(z), z = gamma (a - s) + a_dot, and
 * N = K y. */
static void compliant_solves_its_inclusion(void **state) {
    (void)state;
    const double par[] = {1e4, 1.5, 2e3, 3e-3, 0.1};
    random_source source = {67};
    int open = 0;
    for (int round = 0; round < 500; round++) {
        const double u[2] = {random_magnitude(&source, -4, -1), 0.0};
        const double a = fabs(random_magnitude(&source, -5, -1)), p = -u[0];
        const result r = at("compliant", par, 0, 0.0, u, &a);
        const double s = p * pow(fabs(p), 0.5), size = 1e-12 * (a + fabs(s)) * par[2];
        const double y = a + (1.0 / par[2] + par[3] + par[4] * a) * r.s_dot[0];
        const double z = par[2] * (a - s) + r.s_dot[0];
        near(r.f[0], par[0] * y, par[0] * size);
        at_least(y, -size);
        at_least(z, -size);
        at_most(fmin(y, z / par[2]), size);
        open += z > size;
    }
    assert_true(open > 50 && open < 450);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multistate_solves_its_inclusion),
        cmocka_unit_test(compliant_solves_its_inclusion),
        cmocka_unit_test(coulomb),
        cmocka_unit_test(steepest_fall_of_the_level),
        cmocka_unit_test(steady_sliding_is_on_the_stribeck_curve),
        cmocka_unit_test(lugre_in_the_plane),
        cmocka_unit_test(stribeck_slip),
        cmocka_unit_test(dwell),
        cmocka_unit_test(dwell_grows_at_rest),
        cmocka_unit_test(one_answer_needs_damping),
        cmocka_unit_test(the_number_is_the_limit),
        cmocka_unit_test(elastoplastic),
        cmocka_unit_test(smoothing_and_viscous),
        cmocka_unit_test(bouc_wen),
        cmocka_unit_test(bouc_wen_drifts),
        cmocka_unit_test(brush_in_steady_rolling),
        cmocka_unit_test(brush_rolls_in),
        cmocka_unit_test(leuven_drifts),
        cmocka_unit_test(leuven_elements),
        cmocka_unit_test(karnopp),
        cmocka_unit_test(gms_modes),
        cmocka_unit_test(gms_modes_end_at_kinks),
        cmocka_unit_test(gms_smooth_sticks_and_slips),
        cmocka_unit_test(gms_smooth_relaxes),
        cmocka_unit_test(gms_smooth_slides_above_its_level),
        cmocka_unit_test(gms_smooth_phases),
        cmocka_unit_test(gms_smooth_tends_to_gms),
        cmocka_unit_test(multistate_lag),
        cmocka_unit_test(contact),
        cmocka_unit_test(spring_damper_contacts),
        cmocka_unit_test(hertz),
        cmocka_unit_test(ramp_into_a_zener_solid),
        cmocka_unit_test(impact_on_the_contact_law),
        cmocka_unit_test(impact_on_the_nonlinear_laws),
        cmocka_unit_test(impact_on_kikuuwe_and_fujimoto),
        cmocka_unit_test(kikuuwe_fujimoto_is_contact_without_alpha),
        cmocka_unit_test(one_impact_on_the_compliant_contact),
        cmocka_unit_test(compliant_contacts_from_what_they_do),
        cmocka_unit_test(compliant_contacts_that_there_are_not),
        cmocka_unit_test(the_damping_of_a_restitution),
        cmocka_unit_test(restitution_at_the_ends_of_its_range),
        cmocka_unit_test(published_coefficients_and_what_they_give),
        cmocka_unit_test(the_restitution_that_was_asked_for),
        cmocka_unit_test(the_damping_of_a_small_restitution),
        cmocka_unit_test(the_speed_of_the_touch_down),
        cmocka_unit_test(compliant_gains_energy_by_its_beta2),
        cmocka_unit_test(frictional_contact_is_contact_and_coulomb),
        cmocka_unit_test(compliant_has_contact_in_it),
        cmocka_unit_test(dahl_is_lugre_without_damping),
        cmocka_unit_test(the_batch_is_the_law_lane_by_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
