/* ellipse: the nearest point of an ellipse or ellipsoid, for friction that depends on direction.
 *
 *     C = {f: f = D h, |h| <= 1},   D = U diag(s) U'
 *
 * In the axes U the nearest point f of C to a y outside has (Lagrange, t >= 0)
 *
 *     f_i = s_i^2 w_i,   w_i = y_i/(s_i^2 + t),   g(t) = |(s_i w_i)| = 1
 *
 * Newton's method on 1/g - 1, which is concave and rises, goes from t = 0 up to the root without
 * passing it (More, Sorensen 1983). With p_i = s_i w_i/g a step is
 *
 *     t <- t + (g - 1)/sum_i p_i^2/(s_i^2 + t)
 *
 * An axis with s_i = 0 has f_i = 0. s: half axes, N; y, f: forces, N; t: N^2. The functions compute
 * in units of the largest s. */
#include <drystone/math.h>
#include <float.h>

enum { MOST = 3, SWEEPS = 12, ROUNDS = 100 };

/* ---- the axes of D ---------------------------------------------------------------------- */

/* Turns the axes i and j so that A_ij becomes 0 (Jacobi 1846); A: D in the axes U. */
static void turn(int n, double *A, double *U, int i, int j) {
    const double apart = A[j * n + j] - A[i * n + i], b = 2.0 * A[i * n + j];
    if (b == 0.0) return;
    const double tangent = (apart < 0.0 ? -b : b) / (fabs(apart) + sqrt(apart * apart + b * b));
    const double c = 1.0 / sqrt(1.0 + tangent * tangent), s = tangent * c;
    for (int k = 0; k < n; k++) {
        const double left = A[k * n + i], right = A[k * n + j];
        A[k * n + i] = c * left - s * right;
        A[k * n + j] = s * left + c * right;
        const double u = U[k * n + i], v = U[k * n + j];
        U[k * n + i] = c * u - s * v;
        U[k * n + j] = s * u + c * v;
    }
    for (int k = 0; k < n; k++) {
        const double left = A[i * n + k], right = A[j * n + k];
        A[i * n + k] = c * left - s * right;
        A[j * n + k] = s * left + c * right;
    }
    A[i * n + j] = A[j * n + i] = 0.0;
}

static double largest_of(int n, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = dry_max(largest, fabs(x[i]));
    return largest;
}

dry_ellipse dry_ellipse_of(int n, const double *D) {
    dry_ellipse e = {.n = n};
    double A[MOST * MOST] = {0.0};
    const double unit = largest_of(n * n, D);
    for (int k = 0; k < n * n; k++) A[k] = unit > 0.0 ? D[k] / unit : 0.0;
    for (int i = 0; i < n; i++) e.U[i * n + i] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) turn(n, A, e.U, i, j);
    for (int i = 0; i < n; i++) e.s[i] = unit * fabs(A[i * n + i]);
    return e;
}

/* x in the axes of the ellipse: U' x, and back: U x. */
static void to_axes(const dry_ellipse *e, const double *x, double *z) {
    for (int i = 0; i < e->n; i++) {
        z[i] = 0.0;
        for (int k = 0; k < e->n; k++) z[i] += e->U[k * e->n + i] * x[k];
    }
}
static void from_axes(const dry_ellipse *e, const double *z, double *x) {
    for (int k = 0; k < e->n; k++) {
        x[k] = 0.0;
        for (int i = 0; i < e->n; i++) x[k] += e->U[k * e->n + i] * z[i];
    }
}

/* ---- the nearest point ------------------------------------------------------------------ */

/* A point in the axes of the ellipse, in units of its largest half axis. */
typedef struct place {
    double unit, s[MOST], y[MOST], w[MOST];
    double t; /* above 0: outside */
} place;

/* Fills w for t; returns g. */
static double level_at(int n, place *p) {
    double h[MOST];
    for (int i = 0; i < n; i++) {
        p->w[i] = p->s[i] > 0.0 ? p->y[i] / (p->s[i] * p->s[i] + p->t) : 0.0;
        h[i] = p->s[i] * p->w[i];
    }
    return dry_norm(n, h);
}

static double slope_at(int n, const place *p, double g) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double share = p->s[i] * p->w[i] / g;
        if (p->s[i] > 0.0) sum += share * share / (p->s[i] * p->s[i] + p->t);
    }
    return sum;
}

/* Where entries of y have overflowed, they alone count. */
static void take_in(int n, double *y) {
    const bool overflows = isinf(largest_of(n, y));
    for (int i = 0; overflows && i < n; i++) y[i] = isinf(y[i]) ? 1e300 * dry_sgn(y[i]) : 0.0;
}

static place place_of(const dry_ellipse *e, const double *y) {
    place p = {.unit = largest_of(e->n, e->s)};
    double taken[MOST];
    for (int i = 0; i < e->n; i++) taken[i] = y[i];
    take_in(e->n, taken);
    to_axes(e, taken, p.y);
    for (int i = 0; p.unit > 0.0 && i < e->n; i++) {
        p.s[i] = e->s[i] / p.unit;
        p.y[i] /= p.unit;
    }
    take_in(e->n, p.y);
    double g = level_at(e->n, &p), before = -1.0;
    for (int round = 0; round < ROUNDS && g > 1.0 && p.t > before; round++) {
        before = p.t;
        p.t += (g - 1.0) / slope_at(e->n, &p, g);
        g = level_at(e->n, &p);
    }
    return p;
}

bool dry_ellipse_project(const dry_ellipse *e, const double *y, double *f) {
    const place p = place_of(e, y);
    double z[MOST];
    bool flat = false; /* y leaves the ellipse along an axis that it has not */
    for (int i = 0; i < e->n; i++) {
        z[i] = p.unit * p.s[i] * p.s[i] * p.w[i];
        flat = flat || (!(p.s[i] > 0.0) && p.y[i] != 0.0);
    }
    const bool inside = !(p.t > 0.0) && !flat;
    if (!inside) from_axes(e, z, f);
    for (int i = 0; inside && i < e->n; i++) f[i] = y[i];
    return inside;
}

/* ---- its derivative --------------------------------------------------------------------- */

/* V = U' dD U, in units; row-major. */
static void matrix_to_axes(const dry_ellipse *e, const double *dD, double unit, double *V) {
    const int n = e->n;
    double half[MOST * MOST]; /* rows: U' times the rows of dD, which is symmetric */
    for (int k = 0; k < n; k++) to_axes(e, dD + k * n, half + k * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            V[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                V[i * n + j] += e->U[k * n + i] * half[k * n + j] / (unit > 0.0 ? unit : 1.0);
        }
}

/* With D^2 = M the equations are (M + t) w = y, f = M w, w' M w = 1, so
 *
 *     (M + t) dw = dy - dM w - w dt,   2 w' M dw + w' dM w = 0,   df = dM w + M dw
 *
 * and in the axes of the ellipse (dM)_ij = V_ij (s_i + s_j). */
void dry_ellipse_slope(const dry_ellipse *e, const double *y, const double *dD, const double *dy,
                       double *df) {
    const int n = e->n;
    const place p = place_of(e, y);
    double V[MOST * MOST], dz[MOST], turned[MOST], out[MOST], above = 0.0, below = 0.0;
    matrix_to_axes(e, dD, p.unit, V);
    to_axes(e, dy, dz);
    for (int i = 0; i < n; i++) {
        const double s = p.s[i], weight = s > 0.0 ? s * s * p.w[i] / (s * s + p.t) : 0.0;
        turned[i] = 0.0;
        for (int j = 0; j < n; j++) turned[i] += V[i * n + j] * (s + p.s[j]) * p.w[j];
        if (p.unit > 0.0) dz[i] /= p.unit;
        above += weight * (dz[i] - turned[i]) + 0.5 * p.w[i] * turned[i];
        below += weight * p.w[i];
    }
    const double dt = p.t > 0.0 ? above / below : 0.0;
    for (int i = 0; i < n; i++) {
        const double square = p.s[i] * p.s[i], rest = dz[i] - turned[i] - p.w[i] * dt;
        out[i] = p.s[i] > 0.0 ? p.unit * (turned[i] + square * rest / (square + p.t)) : 0.0;
    }
    from_axes(e, out, df);
}
