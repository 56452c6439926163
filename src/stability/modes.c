/* modes: what a step of a method multiplies a mode by, the steps that are stable for it, and
 * spectral radii.
 *
 * lambda: mode, 1/s; T: step, s; z = T lambda; R(z): what a step multiplies the mode by. */
#include <drystone/stability.h>

#include <drystone/math.h>
#include <stdint.h>
#include <string.h>

/* ---- R(z) of a method -------------------------------------------------------------- */

enum { MOST_STAGES = 16, STATES = MOST_STAGES + 1, WORK = 64 * STATES };

/* R(z) = c[0] + c[1] z + ... + c[degree] z^degree */
typedef struct polynomial {
    int degree; /* -1: not known */
    double c[STATES];
} polynomial;

/* x' = S x, S the shift: one step of length 1 from (1, 0, 0, ...) leaves c[k] in x[k]. */
static void shift(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = 0.0;
    for (int k = 1; k < STATES; k++) x_dot[k] = x[k - 1];
}

static bool has_polynomial(const dry_method *method) {
    return method->tableau && !method->adaptive && method->stages <= MOST_STAGES &&
           (method->stability == DRY_STABILITY_POLYNOMIAL ||
            method->stability == DRY_STABILITY_MATRIX);
}

static polynomial polynomial_of(const dry_method *method) {
    static const dry_quantity names[STATES];
    static const double start[STATES] = {1.0};
    const dry_system system = {.name = "shift", .n_states = STATES, .states = names, .rate = shift};
    const dry_ode_options options = {.step = 1.0};
    polynomial p = {.degree = -1};
    double work[WORK];
    dry_ode ode;
    if (!has_polynomial(method) || dry_ode_size(&system, method) > WORK) return p;
    if (dry_ode_init(&ode, &system, method, &options, NULL, 0.0, start, NULL, work) != DRY_OK ||
        dry_ode_step(&ode, 1.0) != DRY_OK)
        return p;
    memcpy(p.c, ode.x, sizeof p.c);
    for (int k = 0; k < STATES; k++)
        if (p.c[k] != 0.0) p.degree = k;
    return p;
}

/* R(z) = x + i y by Horner's rule */
static void value(const polynomial *p, double re, double im, double *x, double *y) {
    *x = p->c[p->degree];
    *y = 0.0;
    for (int k = p->degree - 1; k >= 0; k--) {
        const double real = p->c[k] + (re * *x - im * *y);
        *y = re * *y + im * *x;
        *x = real;
    }
}

static double amplification(const polynomial *p, double re, double im) {
    double x, y;
    value(p, re, im, &x, &y);
    return dry_hypot(x, y);
}

double dry_amplification(const dry_method *method, double re, double im) {
    const polynomial p = polynomial_of(method);
    return p.degree >= 0 ? amplification(&p, re, im) : (double)NAN;
}

/* ---- one mode ---------------------------------------------------------------------- */

/* The rate of growth in units of |lambda|, ln|R|/|z|, may exceed the physical one, cos(arg z), by
 * `slack`; a mode that is damped by more than that must not grow at all. */
static const double slack = 1e-3;

static bool stable_exactly(const polynomial *p, double re, double im) {
    const double z = dry_hypot(re, im);
    return !(dry_log(amplification(p, re, im)) > dry_pos(re + slack * z));
}

/* |R|^2 says the same of a mode that is damped by more than the slack, unless it is near 1. */
static bool stable(const polynomial *p, double re, double im) {
    static const double NEAR = 1e-12;
    double x, y;
    if (!(re < -2.0 * slack * (fabs(re) + fabs(im)))) return stable_exactly(p, re, im);
    value(p, re, im, &x, &y);
    const double square = x * x + y * y;
    return fabs(square - 1.0) > NEAR ? square < 1.0 : stable_exactly(p, re, im);
}

static bool is_controlled(const dry_method *method) {
    return method->stability == DRY_STABILITY_CONTROLLED;
}

bool dry_mode_stable(const dry_method *method, double re, double im, double step) {
    const polynomial p = polynomial_of(method);
    if (is_controlled(method)) return true;
    return p.degree >= 0 && stable(&p, step * re, step * im);
}

double dry_mode_error(const dry_method *method, double re, double im, double step) {
    const polynomial p = polynomial_of(method);
    const double a = step * re, b = step * im, z = dry_hypot(a, b);
    double x, y;
    if (method->fixed && method->fixed->form == DRY_FORM_STAGGERED) return z * z * z / 24.0;
    if (p.degree < 0) return (double)NAN;
    value(&p, a, b, &x, &y);
    const double back = dry_exp(-a), c = back * dry_cos(b), s = back * dry_sin(b);
    return dry_hypot(x * c + y * s - 1.0, y * c - x * s);
}

/* |R(z) - e^z| <= sum |c_k - 1/k!| r^k for |z| <= r, and ln|R| differs from re z by no more than
 * e^r times that, to first order: half of the slack is left for the rest. */
double dry_safe_radius(const dry_method *method) {
    const polynomial p = polynomial_of(method);
    for (double r = 1.0; p.degree >= 0 && r > 1e-6; r *= 0.5) {
        double sum = 0.0, power = 1.0, factorial = 1.0;
        for (int k = 0; k < 24; k++, power *= r, factorial *= k)
            sum += fabs((k < STATES ? p.c[k] : 0.0) - 1.0 / factorial) * power;
        if (dry_exp(r) * sum <= 0.5 * slack * r) return r;
    }
    return 0.0;
}

/* The first |z| in the direction of lambda = (re, im), |lambda| = 1, that is not stable: small |z|
 * are, up to `safe` without a question, and far out no polynomial is unless the mode itself
 * grows. */
static double largest_z(const polynomial *p, double safe, double re, double im) {
    const double first = 1e-4, last = 1e3, growth = 1.01;
    double low = first, high = first;
    while (high < safe || stable(p, high * re, high * im)) {
        if (high > last) return (double)INFINITY;
        low = high;
        high *= growth;
    }
    while (high - low > 1e-6 * low) {
        const double middle = 0.5 * (low + high);
        *(stable(p, middle * re, middle * im) ? &low : &high) = middle;
    }
    return low;
}

/* One of a pair, or equal to the mode before. */
static bool is_again(const double *re, const double *im, int i) {
    return i > 0 && re[i] == re[i - 1] && fabs(im[i]) == fabs(im[i - 1]);
}

double dry_largest_step(const dry_method *method, int n, const double *re, const double *im) {
    const polynomial p = polynomial_of(method);
    const double safe = 0.9 * dry_safe_radius(method);
    double T = (double)INFINITY;
    if (is_controlled(method)) return T;
    for (int i = 0; i < n; i++) {
        const double lambda = dry_hypot(re[i], im[i]);
        if (p.degree < 0) return 0.0;
        if (is_again(re, im, i) || lambda * T < safe) continue;
        if (lambda > 0.0)
            T = dry_min(T, largest_z(&p, safe, re[i] / lambda, im[i] / lambda) / lambda);
    }
    return T;
}

double dry_fastest_rate(const dry_method *method, double step) {
    static const double settles = -1.0, swings = 0.0;
    return dry_largest_step(method, 1, &settles, &swings) / step;
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
    double length_log = -dry_log(dry_norm(n, v));
    double radius = 0.0;
    for (int k = 0; k < max_products; k++) {
        product(user, v, w);
        const double length = dry_norm(n, w);
        if (!(length > 0.0)) return length;
        if (k + 1 == max_products) radius = radius_of_pair(n, u, v, w);
        length_log += dry_log(length);
        if (k >= max_products / 3) slope_add(&s, k, length_log);
        for (int i = 0; i < n; i++) {
            v[i] /= length;
            w[i] /= length;
        }
        double *oldest = u;
        u = v, v = w, w = oldest;
    }
    if (radius > 0.0) return radius;
    return s.count > 1.0 ? dry_exp(slope_of(&s)) : dry_exp(length_log);
}

/* ---- forced vibration -------------------------------------------------------------- */

double dry_transmissibility(double K, double beta, double mass, double omega) {
    return K * dry_hypot(1.0, beta * omega) / dry_hypot(K - mass * omega * omega, K * beta * omega);
}
