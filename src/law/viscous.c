/* viscous: a force in proportion to the speed.
 *
 *     f = D v
 *
 * v: sliding velocity, m/s; f: force, N; D: viscous friction, N s/m. Passive: f v = D |v|^2. */
#include "catalogue.h"
#include "resolvent.h"

enum { D };

static const dry_law_param params[] = {
    {"D", "N s/m", "viscous friction", 1.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau, (void)s, (void)s_dot;
    for (int i = 0; i < dim; i++) f[i] = par[D] * u[i];
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau, (void)u, (void)s;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) J[i * dim + j] = i == j ? par[D] : 0.0;
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)par, (void)tau, (void)s;
    for (int i = 0; i < dim; i++) P[i] = u[i];
}

/* It has no states. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return 0.0;
}

/* It never sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return DRY_SLIPS;
}

const dry_law dry_law__viscous = {
    .name = "viscous",
    .title = "Viscous friction",
    .equation = "f = D v",
    .paper = "Newton's law of viscosity",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_PASSIVE | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = DRY_LAW__MOST_DIM,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .by_par = by_par,
    .stuck = eval,
    .loose = eval,
    .fastest = fastest,
    .phase = phase,
};
