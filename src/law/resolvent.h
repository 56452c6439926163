/* resolvent: the derivatives of sat and of the friction element of X13 (18), shared by the laws
 * that project.
 *
 *     f = sat(Z, y):  inside P = I, r = 0;  outside P = (Z/|y|)(I - y y^T/|y|^2), r = y/|y|
 *
 * P = df/dy (row-major), r = df/dZ. */
#ifndef DRYSTONE_LAW_RESOLVENT_H
#define DRYSTONE_LAW_RESOLVENT_H

#include <drystone/law.h>

enum { DRY_LAW__MOST_DIM = 3 };

static inline void dry_law__sat_slopes(int n, double Z, const double *y, double *P, double *r) {
    const double length = n == 1 ? fabs(y[0]) : dry_norm(n, y);
    const bool outside = length > Z;
    for (int i = 0; i < n; i++) r[i] = outside ? y[i] / length : 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double same = i == j ? 1.0 : 0.0;
            P[i * n + j] = outside ? Z / length * (same - r[i] * r[j]) : same;
        }
}

/* The derivatives of dry_friction. Of f: K b P by theta, K P by a, r by chi; of a_dot: P by theta,
 * (P - I)/b by a, r/(K b) by chi; b = beta + tau. */
typedef struct dry_law__friction_slopes {
    double P[DRY_LAW__MOST_DIM * DRY_LAW__MOST_DIM], r[DRY_LAW__MOST_DIM];
    double K, b;
    int n;
} dry_law__friction_slopes;

static inline dry_law__friction_slopes dry_law__friction_slopes_at(int n, double K, double beta,
                                                                   double tau, double chi,
                                                                   const double *theta,
                                                                   const double *a) {
    dry_law__friction_slopes slopes = {.K = K, .b = beta + tau, .n = n};
    double y[DRY_LAW__MOST_DIM] = {0.0};
    for (int i = 0; i < n; i++) y[i] = K * (a[i] + slopes.b * theta[i]);
    dry_law__sat_slopes(n, chi, y, slopes.P, slopes.r);
    return slopes;
}

/* Writes row i of f and of a_dot: entries from f_theta and from f_a on, likewise for a_dot. */
static inline void dry_law__friction_rows(const dry_law__friction_slopes *slopes, int i,
                                          double *f_theta, double *f_a, double *a_dot_theta,
                                          double *a_dot_a) {
    const int n = slopes->n;
    for (int j = 0; j < n; j++) {
        const double P = slopes->P[i * n + j];
        f_theta[j] = slopes->K * slopes->b * P;
        f_a[j] = slopes->K * P;
        a_dot_theta[j] = P;
        a_dot_a[j] = (P - (i == j ? 1.0 : 0.0)) / slopes->b;
    }
}

/* The derivatives of dry_friction by chi, K and beta: rows f_i, then a_dot_i. With y as above df is
 * r, P y/K and K P theta; from a_dot = (f/K - a)/b follow df/(K b), (df - f/K)/(K b) and
 * (df/K - a_dot)/b, which are 0 while it sticks. */
enum { DRY_LAW__BY_CHI, DRY_LAW__BY_K, DRY_LAW__BY_BETA, DRY_LAW__FRICTION_PARS };

static inline void dry_law__friction_by_par(int n, double K, double beta, double tau, double chi,
                                            const double *theta, const double *a,
                                            double (*by)[DRY_LAW__FRICTION_PARS]) {
    const dry_law__friction_slopes at = dry_law__friction_slopes_at(n, K, beta, tau, chi, theta, a);
    double f[DRY_LAW__MOST_DIM], a_dot[DRY_LAW__MOST_DIM];
    const bool slips = dry_friction(n, K, beta, tau, chi, theta, a, f, a_dot);
    for (int i = 0; i < n; i++) {
        double *force = by[i], *rate = by[n + i];
        for (int k = 0; k < DRY_LAW__FRICTION_PARS; k++) force[k] = rate[k] = 0.0;
        force[DRY_LAW__BY_CHI] = at.r[i];
        for (int j = 0; j < n; j++) {
            force[DRY_LAW__BY_K] += at.P[i * n + j] * (a[j] + at.b * theta[j]);
            force[DRY_LAW__BY_BETA] += K * at.P[i * n + j] * theta[j];
        }
        if (!slips) continue;
        rate[DRY_LAW__BY_CHI] = force[DRY_LAW__BY_CHI] / (K * at.b);
        rate[DRY_LAW__BY_K] = (force[DRY_LAW__BY_K] - f[i] / K) / (K * at.b);
        rate[DRY_LAW__BY_BETA] = (force[DRY_LAW__BY_BETA] / K - a_dot[i]) / at.b;
    }
}

/* Whether dry_friction slips; b = beta + tau. */
static inline bool dry_law__slips(int n, double K, double b, double chi, const double *theta,
                                  const double *a) {
    double y[DRY_LAW__MOST_DIM];
    for (int i = 0; i < n; i++) y[i] = K * (a[i] + b * theta[i]);
    return dry_norm(n, y) > chi;
}

/* What it is then, but for its level, which stands still: the stretch is forgotten. */
static inline void dry_law__slipping(int n, double b, const double *a, double *f, double *a_dot) {
    for (int i = 0; i < n; i++) {
        f[i] = 0.0;
        a_dot[i] = -a[i] / b;
    }
}

/* Switching functions of sat(Z, y): Z - y and Z + y for a number, Z - |y| for a vector. */
static inline int dry_law__sat_n_kinks(int n) { return n == 1 ? 2 : 1; }

static inline void dry_law__sat_kinks(int n, double Z, const double *y, double *g) {
    if (n > 1) {
        g[0] = Z - dry_norm(n, y);
        return;
    }
    g[0] = Z - y[0];
    g[1] = Z + y[0];
}

/* The same for dry_friction. */
static inline void dry_law__friction_kinks(int n, double K, double beta, double tau, double chi,
                                           const double *theta, const double *a, double *g) {
    double y[DRY_LAW__MOST_DIM];
    for (int i = 0; i < n; i++) y[i] = K * (a[i] + (beta + tau) * theta[i]);
    dry_law__sat_kinks(n, chi, y, g);
}

/* to += c d, and to = c d + e b, of rows of n numbers */
static inline void dry_law__add_times(int n, double c, const double *restrict d,
                                      double *restrict to) {
    for (int w = 0; w < n; w++) to[w] += c * d[w];
}

static inline void dry_law__set_times(int n, double c, const double *restrict d, double e,
                                      const double *restrict b, double *restrict to) {
    for (int w = 0; w < n; w++) to[w] = c * d[w] + e * b[w];
}

/* K |a|^2/2 */
static inline double dry_law__spring_energy(int n, double K, const double *a) {
    double square = 0.0;
    for (int i = 0; i < n; i++) square += a[i] * a[i];
    return 0.5 * K * square;
}

#endif
