/* stribeck: the static Stribeck curve with a slope instead of its jump (XD (4.2), (1.4)).
 *
 *     f = g(v) sat(eps, v)/eps + D v,   g(v) = F + (Fs - F) exp(-|v/vs|^alpha)
 *
 * v: sliding velocity, m/s; f: friction force, N; eps: width of the slope, m/s; D: viscous
 * friction, N s/m; F, Fs, vs, alpha: see stribeck.h. Passive: f v >= 0. Nothing is stored. */
#include "stribeck.h"
#include "catalogue.h"
#include "resolvent.h"

enum { F, FS, VS, ALPHA, EPS, D };

static const dry_law_param params[] = {
    DRY_LAW__STRIBECK_ROWS("F", 1.0, 2.5, 5e-6),
    {"eps", "m/s", "speed at which the level is reached", 1e-7, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    const double g = dry_law__level(&par[F], dry_norm(dim, u));
    dry_sat(dim, par[EPS], u, f);
    for (int i = 0; i < dim; i++) f[i] = g * (f[i] / par[EPS]) + par[D] * u[i];
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau, (void)s;
    const double speed = dry_norm(dim, u), g = dry_law__level(&par[F], speed);
    double r[DRY_LAW__MOST_DIM], gradient[DRY_LAW__MOST_DIM], direction[DRY_LAW__MOST_DIM];
    dry_law__level_gradient(&par[F], dim, u, speed, gradient);
    dry_law__sat_slopes(dim, par[EPS], u, J, r);
    dry_sat(dim, par[EPS], u, direction);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            J[i * dim + j] = (g * J[i * dim + j] + direction[i] * gradient[j]) / par[EPS] +
                             (i == j ? par[D] : 0.0);
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)tau, (void)s;
    enum { COLUMNS = D + 1 };
    const double speed = dry_norm(dim, u), g = dry_law__level(&par[F], speed);
    double slopes[DRY_LAW__MOST_DIM * DRY_LAW__MOST_DIM], r[DRY_LAW__MOST_DIM];
    double y[DRY_LAW__MOST_DIM], of_level[4];
    dry_law__sat_slopes(dim, par[EPS], u, slopes, r);
    dry_sat(dim, par[EPS], u, y);
    dry_law__level_by_par(&par[F], speed, of_level);
    for (int i = 0; i < dim; i++) {
        double *row = P + i * COLUMNS;
        for (int k = 0; k < 4; k++) row[k] = y[i] / par[EPS] * of_level[k];
        row[EPS] = g * (r[i] - y[i] / par[EPS]) / par[EPS];
        row[D] = u[i];
    }
}

static double bound(const double *par, int dim) {
    (void)dim;
    return dry_law__level_most(&par[F]);
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dry_law__sat_n_kinks(dim) + dim;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)tau, (void)s;
    dry_law__sat_kinks(dim, par[EPS], u, g);
    g += dry_law__sat_n_kinks(dim);
    for (int i = 0; i < dim; i++) g[i] = dry_law__level_kink(&par[F], u[i]);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    const double slope = dry_law__level(&par[F], 0.0) / par[EPS] + par[D];
    for (int i = 0; i < dim; i++) f[i] = slope * u[i];
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    for (int i = 0; i < dim; i++) f[i] = par[D] * u[i];
}

/* It has no states. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)s;
    return dry_norm(dim, u) > par[EPS] ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__stribeck = {
    .name = "stribeck",
    .title = "Static Stribeck curve, smoothed",
    .equation = "f = g(v) sat(eps, v)/eps + D v,  g(v) = F + (Fs - F) exp(-|v/vs|^alpha)",
    .paper = "Xiong 2013 (dissertation), (4.2) and (1.4)",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = DRY_LAW__MOST_DIM,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .by_par = by_par,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
