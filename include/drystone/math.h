/* math: the sets of the subject as code (sgn, sat, dio, prox), vectors, quaternions, small solves,
 * tables.
 *
 * X13 section 2: with S a closed convex set, x - y in N_S(y) <=> y = prox_S(x).
 *   Theorem 1, S the ball of radius Z:  y in Z sgn(x - y)  <=>  y = sat(Z, x)
 *   Theorem 2, S = [0, inf):            y in dio(x + y)    <=>  y = max(0, -x)
 *
 * Floor 0. Comparisons instead of fmax/fmin: those cost 2.4x for a promise about NaN that a
 * non-finite check at the end of a step keeps more cheaply. */
#ifndef DRYSTONE_MATH_H
#define DRYSTONE_MATH_H

#include <drystone/core.h>
#include <drystone/elementary.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

DRY_INLINE double dry_max(double a, double b) { return a > b ? a : b; }
DRY_INLINE double dry_min(double a, double b) { return a < b ? a : b; }
/* prox of [0, inf) */
DRY_INLINE double dry_pos(double x) { return x > 0.0 ? x : 0.0; }
/* the selection of sgn(x) that is 0 at 0 */
DRY_INLINE double dry_sgn(double x) { return (double)((x > 0.0) - (x < 0.0)); }
/* prox of [-Z, Z], Z >= 0 */
DRY_INLINE double dry_sat1(double Z, double x) { return x > Z ? Z : (x < -Z ? -Z : x); }

/* A number in [0, 1) that looks random, from a whole number below 2^32. */
DRY_INLINE double dry_scatter(unsigned long k) {
    k = (k + 0x9e3779b9UL) & 0xffffffffUL;
    k = ((k ^ (k >> 16)) * 0x7feb352dUL) & 0xffffffffUL;
    k = ((k ^ (k >> 15)) * 0x846ca68bUL) & 0xffffffffUL;
    return (double)((k ^ (k >> 16)) >> 8) / 16777216.0;
}

/* Noise as a function of x: the sum of 32 cosines of equal size, one from each 32nd part of the
 * frequencies from 0 to 1/2 per unit of x, with scattered frequencies and phases. Its mean is 0,
 * its mean square 1. The derivative of order m has the seed + m 2^24; a seed below 0 counts as 0.
 *
 * The frequencies are multiples of 2^-30, so the noise repeats after 2^30 units of x, and the
 * remainder keeps the digits of a phase that the product f x would lose. Beyond 2^53 neighbouring
 * x are more than one unit apart: there is no such noise, and the value is NAN. */
DRY_INLINE double dry_noise(double x, double seed) {
    const double turn = 6.283185307179586, code = seed > 0.0 && seed < 1e12 ? seed : 0.0;
    const double order = floor(code / 16777216.0), size = fabs(x);
    const double at = size < 1073741824.0          ? x
                      : size <= 9007199254740992.0 ? fmod(x, 1073741824.0)
                                                   : (double)NAN;
    const unsigned long first = 64UL * (unsigned long)(code - order * 16777216.0);
    double sum = 0.0;
    for (unsigned long j = 0; j < 32; j++) {
        const double f = ((double)j + dry_scatter(first + 2 * j)) / 64.0;
        const double y = f * at + dry_scatter(first + 2 * j + 1) + 0.25 * order;
        sum += dry_cos(turn * (y - floor(y))) * dry_pow(turn * f, order);
    }
    return 0.25 * sum;
}

/* The Euclidean length of x[0..n), free of overflow and underflow. Of one number, sqrt(x x) is |x|
 * to the bit in binary arithmetic (Boldo 2015). */
DRY_INLINE double dry_norm(int n, const double *x) {
    if (n == 1) return fabs(x[0]);
    double square = 0.0;
    for (int i = 0; i < n; i++) square += x[i] * x[i];
    if (square > 1e-280 && square < 1e280) return sqrt(square);
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = dry_max(largest, fabs(x[i]));
    if (!(largest > 0.0) || !(largest < (double)INFINITY)) return largest + square;
    square = 0.0;
    for (int i = 0; i < n; i++) square += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(square);
}

/* y = sat(Z, x), the projection on the ball of radius Z >= 0 in R^n; |y| <= Z to rounding, also
 * if entries of x have overflowed. Returns true if x lies outside the ball (y may be x). */
DRY_INLINE bool dry_sat(int n, double Z, const double *x, double *y) {
    if (n == 1) {
        bool outside = x[0] > Z || x[0] < -Z;
        y[0] = dry_sat1(Z, x[0]);
        return outside;
    }
    double length = dry_norm(n, x);
    if (!(length > Z)) {
        for (int i = 0; i < n; i++) y[i] = x[i];
        return false;
    }
    if (isinf(length)) { /* only the infinite entries count */
        double infinite = 0.0;
        for (int i = 0; i < n; i++) {
            infinite += isinf(x[i]) ? 1.0 : 0.0;
            y[i] = isinf(x[i]) ? dry_sgn(x[i]) : 0.0;
        }
        length = sqrt(infinite);
        x = y;
    }
    for (int i = 0; i < n; i++) y[i] = Z * (x[i] / length);
    return true;
}

/* ---- vectors in R^3 and quaternions (w, x, y, z) ------------------------ */

DRY_INLINE double dry_dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* c = a x b; c may not be a or b */
DRY_INLINE void dry_cross3(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
/* r = p q; r may not be p or q */
DRY_INLINE void dry_quat_multiply(const double p[4], const double q[4], double r[4]) {
    r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    r[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    r[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}
/* q_dot = 1/2 (0, omega) q, omega in the frame of the world (KY08 (26): Q(omega, q)) */
DRY_INLINE void dry_quat_rate(const double q[4], const double omega[3], double q_dot[4]) {
    const double half[4] = {0.0, 0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]};
    dry_quat_multiply(half, q, q_dot);
}
/* w = q v q*, for |q| = 1: body to world; w may not be v */
DRY_INLINE void dry_quat_rotate(const double q[4], const double v[3], double w[3]) {
    double c[3], d[3]; /* w = v + 2 u x (u x v + q0 v), u the vector part */
    dry_cross3(q + 1, v, c);
    for (int i = 0; i < 3; i++) c[i] += q[0] * v[i];
    dry_cross3(q + 1, c, d);
    for (int i = 0; i < 3; i++) w[i] = v[i] + 2.0 * d[i];
}
/* Returns true if q has length 1, to the precision of a text of a few digits; false for NaN. */
DRY_INLINE bool dry_quat_is_turn(const double q[4]) {
    const double near = 1e-3, square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square >= (1.0 - near) * (1.0 - near) && square <= (1.0 + near) * (1.0 + near);
}
/* q / |q|; q unchanged if its length is zero or not finite */
DRY_API void dry_quat_normalise(double q[4]);

/* ---- sets as rows ------------------------------------------------------- */

/* What lies in the set. */
typedef enum dry_set_kind {
    DRY_SET_OF_FORCES,   /* the force lies in C, the slide theta is normal to C there: friction */
    DRY_SET_OF_POSITIONS /* the place lies in P, the force is normal to P there: contact, play */
} dry_set_kind;

/* Its shape, as the set of forces, in the cases that loops over scalars and the closed solutions of
 * the rigid step write out; for all else use the functions of the row. */
typedef enum dry_set_shape {
    DRY_SHAPE_OTHER,
    DRY_SHAPE_BALL,     /* |f| <= chi */
    DRY_SHAPE_HALF_LINE /* f >= 0 */
} dry_set_shape;

/* One row for every set-valued force of the language; it holds all that other rooms need to know
 * about a set, so no room compares its name. f: a force of n components, or a place; y: anything in
 * R^n; chi >= 0: the level, or h; 1 if the set has none. X13 section 2. */
typedef struct dry_set {
    const char *name;     /* "sgn": its name in .dry files */
    const char *title;    /* "dry friction" */
    const char *equation; /* one or several lines of plain text */
    const char *paper;
    const char *argument; /* "theta", "psi": the letter in messages and formulas */
    const char *size;     /* "h": the letter of a second argument, half of the width of P, which is
                             [-h, h]; NULL: there is none */
    const char *force;    /* "f", "N": the letter of the force in examples */
    dry_set_kind kind;
    dry_set_shape shape;
    int max_dim;
    bool has_level; /* chi*sgn(theta): a level stands before it and scales it */
    bool symmetric; /* f in C: -f in C. Then a constant factor of theta matters only by its sign
                     */
    bool normal; /* of positions: the force that a text names is normal to P and presses the place
                    back, as -N does; else it is N, which opens the gap */
    bool yields; /* a model may define a function of this name: for sets that came after the first
                    models */
    /* Of a P with two ends: the set that each end is. A method that keeps sets takes the ends as
     * two sets, whose distances are the gaps. NULL: the set has one end, or is of forces. */
    const struct dry_set *ends;
    /* f = prox(y), the point of the set nearest to y; true if y lies inside. f may be y. The set is
     * C, or the P of a set with two ends. */
    bool (*project)(int n, double chi, const double *y, double *f);
    /* Its derivatives P (n by n, row-major) = df/dy and g (n) = df/dchi, in the branch of y; true
     * inside, where P is the identity. On the boundary, those of either side. */
    bool (*derivative)(int n, double chi, const double *y, double *P, double *g);
    /* The distance of y from the set, in units of force; at most 0 inside. */
    double (*excess)(int n, double chi, const double *y);
    /* The support function, the largest f . v over the set: the power that it takes from a slide v.
     * INFINITY if f . v has no bound. */
    double (*support)(int n, double chi, const double *v);
} dry_set;

DRY_API int dry_set_count(void);
DRY_API const dry_set *dry_set_at(int index);
/* NULL if there is no set of that name. */
DRY_API const dry_set *dry_set_find(const char *name);
/* The first fact that is missing in the row, such as "project"; NULL: the row is complete. */
DRY_API const char *dry_set_lacks(const dry_set *set);

/* ---- ellipses ------------------------------------------------------------- */

/* C = {D h: |h| <= 1} in R^n, n = 1 to 3: the forces f in D sgn(D v) of a friction that depends on
 * direction. D is symmetric; s: its half axes, >= 0, that is the sizes of its eigenvalues; the
 * columns of U (n by n, row-major): the directions of these axes. If you know them, fill the struct
 * yourself. */
typedef struct dry_ellipse {
    int n;
    double s[3], U[9];
} dry_ellipse;
DRY_API dry_ellipse dry_ellipse_of(int n, const double *D);
/* f = the point of C nearest to y; true if y lies inside, f is y then. f may be y. With D = 0, f =
 * 0. With D = chi I it is dry_sat. */
DRY_API bool dry_ellipse_project(const dry_ellipse *e, const double *y, double *f);
/* The derivative of f as D (with eigenvalues >= 0) changes along the symmetric dD and y along dy;
 * on the boundary that of either side. dD = 0 and dy = column k of I give column k of df/dy, and dD
 * = D/chi, dy = 0 give df/dchi if chi scales D. df may be dy. */
DRY_API void dry_ellipse_slope(const dry_ellipse *e, const double *y, const double *dD,
                               const double *dy, double *df);

/* ---- tables --------------------------------------------------------------- */

/* Values y over knots x that rise: straight between the knots; cubic with a slope at each knot, so
 * that the slope does not jump; or held from knot to knot. Beyond the ends the value is held, or
 * goes on straight if `extended`. With n2 > 0 the table has a second argument with the knots x2,
 * and y has n rows of n2 values. */
typedef struct dry_table {
    bool cubic, hold, extended;
    int n, n2;
    const double *x, *x2, *y, *slope;
} dry_table;

enum { DRY_TABLE_RESULTS = 4 };

/* How many of the knots x[0], x[stride], ... are <= at, by bisection. */
DRY_API int dry_table_below(const double *x, int n, int stride, double at);
/* Of a table with one argument: the value and its first three derivatives. */
DRY_API void dry_table_curve(const dry_table *table, double at, double *results);
/* Of a table with two arguments, bilinear: the value, its derivative by the first argument, by the
 * second, and by both. */
DRY_API void dry_table_surface(const dry_table *table, double at, double at2, double *results);
/* Switching functions of n knots: function j changes its sign at the odd multiples of 2^j among the
 * knots 1, 2, ..., n, so that between any two cells at least one of them has changed its sign.
 * There are as many as n has binary digits. The slope of each is 1 or -1 at its knots. */
DRY_API void dry_table_kinks(const double *x, int n, int stride, double at, double *g);
DRY_API int dry_table_kink_count(int n);
/* The knots at which the table has a kink, or jumps, in argument 0 or 1: all of them; of a cubic
 * only the ends beyond which its value is held, not those from which it goes on straight. */
typedef struct dry_knots {
    const double *x;
    int n, stride;
} dry_knots;
DRY_API dry_knots dry_table_knots(const dry_table *table, int argument);
/* Slopes at the knots for a cubic that rises and falls only where its values do (Fritsch and
 * Butland 1984, as scipy's PchipInterpolator), and those of the parabolas through three neighbours
 * (Catmull and Rom, for knots at any distance). */
DRY_API void dry_table_monotone(int n, const double *x, const double *y, double *slope);
DRY_API void dry_table_smooth(int n, const double *x, const double *y, double *slope);

/* ---- small dense linear algebra ----------------------------------------- */

/* Solves A x = b by elimination with partial pivoting: A is n by n, row-major, and is overwritten;
 * b is overwritten by x. DRY_SINGULAR if a pivot vanishes. */
DRY_API dry_status dry_solve(int n, double *A, double *b);

/* Eigenvalues of a real n by n matrix (row-major, overwritten): balancing, Hessenberg form, shifted
 * QR. DRY_NOT_FINITE for a non-finite entry or if the iteration does not converge. */
DRY_API dry_status dry_eigenvalues(int n, double *A, double *real, double *imaginary);

/* ln of the largest |eigenvalue| of a real n by n matrix, an upper bound to about 1e-6. It stays
 * accurate for many equal eigenvalues, for which iterations lose half of their digits. Overwrites A
 * and spare (n by n each). Returns NaN for an entry that is not finite. */
DRY_API double dry_log_radius(int n, double *A, double *spare);

#ifdef __cplusplus
}
#endif
#endif
