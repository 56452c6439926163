/* hunt_crossley: Hertz-like contact with damping that grows with the indentation (XD (5.2)).
 *
 *     N = K delta^lambda (1 + b delta_dot)  for delta > 0,  else 0,   delta = -psi
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; b: damping, s/m.
 *
 * Passive with V = K delta^(lambda+1)/(lambda+1): the power that is lost is K b delta^lambda
 * delta_dot^2. It pulls if it is torn open faster than 1/b. */
#include "catalogue.h"
#include "indentation.h"

enum { K, LAMBDA, B };

static const dry_law_param params[] = {
    {"K", "N/m^lambda", "stiffness of the contact", 1e4, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"lambda", "", "exponent of the indentation; 1.5 for spheres", 1.5, DRY_AT_LEAST_ONE,
     DRY_SCALAR, DRY_EACH},
    {"b", "s/m", "damping", 0.35, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau, (void)s, (void)s_dot;
    const double in = dry_pos(dry_law__indentation(par[LAMBDA], -u[0]));
    f[0] = par[K] * in * (1.0 - par[B] * u[1]);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau, (void)s;
    const bool closed = u[0] < 0.0;
    const double in = dry_law__indentation(par[LAMBDA], -u[0]);
    const double slope = dry_law__indentation_slope(par[LAMBDA], -u[0]);
    J[0] = closed ? -par[K] * slope * (1.0 - par[B] * u[1]) : 0.0;
    J[1] = closed ? -par[K] * in * par[B] : 0.0;
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)s;
    return dry_law__indentation_energy(par[K], par[LAMBDA], u[0]);
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 1;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)par, (void)dim, (void)tau, (void)s;
    g[0] = u[0];
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s, (void)s_dot;
    f[0] = 0.0;
}

/* It has no states. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)s;
    return u[0] < 0.0 ? DRY_CLOSED : DRY_OPEN;
}

const dry_law dry_law__hunt_crossley = {
    .name = "hunt_crossley",
    .title = "Hunt-Crossley contact",
    .equation = "N = K delta^lambda (1 + b delta_dot) for delta > 0, else 0,  delta = -psi",
    .source = "Hunt, Crossley 1975; Xiong 2013 (dissertation), (5.2)",
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_CONTINUOUS,
    .max_dim = 0,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = eval,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
