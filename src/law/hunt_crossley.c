/* hunt_crossley: Hertz-like contact with damping that grows with the indentation (XD (5.2)).
 *
 *     N = K delta^lambda (1 + b delta_dot)  for delta > 0,  else 0,   delta = -psi
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; b: damping, s/m.
 *
 * Passive with V = K delta^(lambda+1)/(lambda+1): the power that is lost is K b delta^lambda
 * delta_dot^2. It pulls if it is torn open faster than 1/b. The b of a wanted restitution:
 * dry_hunt_crossley_design. */
#include "catalogue.h"
#include "rebound.h"

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
    f[0] = dry_law__rebound_force(par[K], par[LAMBDA], par[B], u);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau, (void)s;
    dry_law__rebound_slopes(par[K], par[LAMBDA], par[B], u, J);
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim, (void)tau, (void)s;
    const bool closed = u[0] < 0.0;
    const double force = dry_law__rebound_force(par[K], par[LAMBDA], par[B], u);
    P[K] = force / par[K];
    P[LAMBDA] = closed ? force * dry_log(-u[0]) : 0.0;
    P[B] = -par[K] * dry_pos(dry_law__indentation(par[LAMBDA], -u[0])) * u[1];
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
    .paper = "Hunt, Crossley 1975; Xiong 2013 (dissertation), (5.2)",
    .known = "A restitution that depends on b v alone, v being the impact speed: not on the mass, "
             "K or lambda.\n"
             "b v = 9.998, 3.087, 1.433, 0.6348 and 0.1665 give 0.1, 0.3, 0.5, 0.7 and 0.9 "
             "exactly, as in the\n"
             "figure; dry_hunt_crossley_design of law.h gives the b of any restitution. Force and "
             "indentation\n"
             "end together, and it pulls if the bodies are torn apart faster than 1/b.",
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_CONTINUOUS,
    .max_dim = 0,
    .uses_rate = true,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .by_par = by_par,
    .stuck = eval,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
