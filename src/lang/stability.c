/* stability: the amplification of a mode by one step, step limits, and spectral radii.
 *
 * lambda: mode, 1/s; T: step, s; z = T lambda; R(z): what a step multiplies the mode by. */
#include "lang/stability.h"

#include <drystone/math.h>
#include <stdint.h>
#include <string.h>

/* ---- one mode ---------------------------------------------------------------------- */

/* R(z) = sum of the first terms of exp(z): methods with as many stages as their order. ln|R|
 * differs from re z by |z|^(order + 1)/(order + 1)! and smaller terms, which the slack of 1e-3 |z|
 * in `stable` covers up to the safe radius. */
static const struct {
    const char *method;
    int order;
    double safe;
} rows[] = {{"euler", 1, 1e-3}, {"heun", 2, 0.05}, {"rk4", 4, 0.5}, {"rk4-tau", 4, 0.5}};

static int order_of(const char *method) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].method, method) == 0) return rows[i].order;
    return 0;
}

double dry_safe_radius(const char *method) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].method, method) == 0) return rows[i].safe;
    return 0.0;
}

/* |R(z)| by Horner's rule: R = 1 + z (1 + z/2 (1 + z/3 (...))) */
static double amplification(int order, double re, double im) {
    double x = 1.0, y = 0.0;
    for (int k = order; k > 0; k--) {
        const double real = 1.0 + (re * x - im * y) / k;
        y = (re * y + im * x) / k;
        x = real;
    }
    return hypot(x, y);
}

double dry_amplification(const char *method, double re, double im) {
    const int order = order_of(method);
    return order > 0 ? amplification(order, re, im) : (double)NAN;
}

/* The rate of growth in units of |lambda|, ln|R|/|z|, may exceed the physical one, cos(arg z), by
 * `slack`; a mode that is damped by more than that must not grow at all. */
static bool stable(int order, double re, double im) {
    const double slack = 1e-3, z = hypot(re, im);
    return !(log(amplification(order, re, im)) > dry_pos(re + slack * z));
}

bool dry_mode_stable(const char *method, double re, double im, double step) {
    const int order = order_of(method);
    return order == 0 || stable(order, step * re, step * im);
}

/* The first |z| in the direction of lambda = (re, im), |lambda| = 1, that is not stable: small |z|
 * are, and far out no polynomial is unless the mode itself grows. */
static double largest_z(int order, double re, double im) {
    const double first = 1e-4, last = 1e3, growth = 1.01;
    double low = first, high = first;
    while (stable(order, high * re, high * im)) {
        if (high > last) return (double)INFINITY;
        low = high;
        high *= growth;
    }
    while (high - low > 1e-6 * low) {
        const double middle = 0.5 * (low + high);
        *(stable(order, middle * re, middle * im) ? &low : &high) = middle;
    }
    return low;
}

double dry_largest_step(const char *method, int n, const double *re, const double *im) {
    const int order = order_of(method);
    double T = (double)INFINITY;
    for (int i = 0; i < n && order > 0; i++) {
        const double lambda = hypot(re[i], im[i]);
        if (lambda > 0.0) T = dry_min(T, largest_z(order, re[i] / lambda, im[i] / lambda) / lambda);
    }
    return T;
}

/* ---- many modes -------------------------------------------------------------------- */

/* A number in [-1, 1) from a linear congruential generator (Knuth, MMIX). */
static double noise(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static double dot(int n, const double *u, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

/* The larger root of s^2 = p s + q in absolute value. */
static double larger_root(double p, double q) {
    const double square = 0.25 * p * p + q;
    return square < 0.0 ? sqrt(-q) : 0.5 * fabs(p) + sqrt(square);
}

/* Two modes that outweigh the others, a complex pair or two real ones, make three iterates u, v, w
 * obey w = p v + q u. Returns the larger of the two where that holds well, else 0. */
static double radius_of_pair(int n, const double *u, const double *v, const double *w) {
    const double uu = dot(n, u, u), uv = dot(n, u, v), vv = dot(n, v, v), ww = dot(n, w, w);
    const double uw = dot(n, u, w), vw = dot(n, v, w), det = uu * vv - uv * uv;
    if (!(det > 1e-10 * uu * vv)) return 0.0;
    const double p = (vw * uu - uw * uv) / det, q = (uw * vv - vw * uv) / det;
    const double misfit = ww - p * vw - q * uw;
    return misfit * uu * vv < 1e-6 * det * ww ? larger_root(p, q) : 0.0;
}

/* Slope of the regression line through the points (k, ln|J^k v|), gathered one by one; it averages
 * the swing of the length that complex modes cause. */
typedef struct slope {
    double count, k, k_k, y, k_y;
} slope;

static void slope_add(slope *s, double k, double y) {
    s->count += 1.0, s->k += k, s->k_k += k * k, s->y += y, s->k_y += k * y;
}

static double slope_of(const slope *s) {
    return (s->count * s->k_y - s->k * s->y) / (s->count * s->k_k - s->k * s->k);
}

/* Power iteration; the regression leaves out the first third, where weaker modes still count. The
 * iterates are kept at their common scale: the newest has the length 1. */
double dry_spectral_radius(int n, dry_product_fn *product, void *user, int max_products,
                           double *work) {
    double *u = work, *v = work + n, *w = work + 2 * n;
    uint64_t seed = 1;
    slope s = {0.0, 0.0, 0.0, 0.0, 0.0};
    memset(u, 0, (size_t)n * sizeof *u);
    for (int i = 0; i < n; i++) v[i] = noise(&seed);
    double length_log = -log(dry_norm(n, v));
    double radius = 0.0;
    for (int k = 0; k < max_products; k++) {
        product(user, v, w);
        const double length = dry_norm(n, w);
        if (!(length > 0.0)) return length;
        if (k + 1 == max_products) radius = radius_of_pair(n, u, v, w);
        length_log += log(length);
        if (k >= max_products / 3) slope_add(&s, k, length_log);
        for (int i = 0; i < n; i++) {
            v[i] /= length;
            w[i] /= length;
        }
        double *oldest = u;
        u = v, v = w, w = oldest;
    }
    if (radius > 0.0) return radius;
    return s.count > 1.0 ? exp(slope_of(&s)) : exp(length_log);
}

/* ---- forced vibration -------------------------------------------------------------- */

double dry_transmissibility(double K, double beta, double mass, double omega) {
    return K * hypot(1.0, beta * omega) / hypot(K - mass * omega * omega, K * beta * omega);
}
