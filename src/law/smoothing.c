/* smoothing: dry friction with the jump replaced by a slope (XD (1.4), X13 (50)); it creeps.
 *
 *     f = F sat(eps, v)/eps
 *
 * v: sliding velocity, m/s; f: friction force, N; F: level, N; eps: width of the slope, m/s.
 * Passive: f v >= 0. Nothing is stored. */
#include "catalogue.h"
#include "resolvent.h"

enum { F, EPS };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"eps", "m/s", "speed at which the level is reached", 1e-5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    dry_sat(dim, par[EPS], u, f);
    for (int i = 0; i < dim; i++) f[i] = par[F] * (f[i] / par[EPS]);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau, (void)s;
    double r[DRY_LAW__MOST_DIM];
    dry_law__sat_slopes(dim, par[EPS], u, J, r);
    for (int i = 0; i < dim * dim; i++) J[i] *= par[F] / par[EPS];
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)tau, (void)s;
    double slopes[DRY_LAW__MOST_DIM * DRY_LAW__MOST_DIM], r[DRY_LAW__MOST_DIM];
    double y[DRY_LAW__MOST_DIM];
    dry_law__sat_slopes(dim, par[EPS], u, slopes, r);
    dry_sat(dim, par[EPS], u, y);
    for (int i = 0; i < dim; i++) {
        P[2 * i + F] = y[i] / par[EPS];
        P[2 * i + EPS] = par[F] * (r[i] - y[i] / par[EPS]) / par[EPS];
    }
}

static double bound(const double *par, int dim) {
    (void)dim;
    return par[F];
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dry_law__sat_n_kinks(dim);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)tau, (void)s;
    dry_law__sat_kinks(dim, par[EPS], u, g);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    for (int i = 0; i < dim; i++) f[i] = par[F] / par[EPS] * u[i];
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)par, (void)tau, (void)u, (void)s, (void)s_dot;
    for (int i = 0; i < dim; i++) f[i] = 0.0;
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

const dry_law dry_law__smoothing = {
    .name = "smoothing",
    .title = "Smoothed Coulomb friction",
    .equation = "f = F sat(eps, v)/eps",
    .paper = "Xiong 2013 (dissertation), (1.4); Xiong, Kikuuwe, Yamamoto 2013, (50)",
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
