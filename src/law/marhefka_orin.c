/* marhefka_orin: Hunt-Crossley contact whose restitution falls with the speed (Marhefka, Orin
 * 1999).
 *
 *     N = K delta^lambda (1 + (3/2) loss delta_dot)  for delta > 0,  else 0,   delta = -psi
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; loss: what the restitution loses per speed, e = 1 - loss v, s/m (alpha in the paper).
 *
 * Passive with V = K delta^(lambda+1)/(lambda+1): the power that is lost is (3/2) K loss
 * delta^lambda delta_dot^2. e = 1 - loss v is the first term of the exact restitution of
 * b = (3/2) loss (dry_hunt_crossley_restitution). */
#include "catalogue.h"
#include "rebound.h"

enum { K, LAMBDA, LOSS };

static const dry_law_param params[] = {
    {"K", "N/m^lambda", "stiffness of the contact", 1e4, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"lambda", "", "exponent of the indentation; 1.5 for spheres", 1.5, DRY_AT_LEAST_ONE,
     DRY_SCALAR, DRY_EACH},
    {"loss", "s/m", "what the restitution loses per impact speed", 0.2, DRY_NONNEGATIVE, DRY_SCALAR,
     DRY_EACH},
};

static double damping(const double *par) { return 1.5 * par[LOSS]; }

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau, (void)s, (void)s_dot;
    f[0] = dry_law__rebound_force(par[K], par[LAMBDA], damping(par), u);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau, (void)s;
    dry_law__rebound_slopes(par[K], par[LAMBDA], damping(par), u, J);
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

const dry_law dry_law__marhefka_orin = {
    .name = "marhefka_orin",
    .title = "Marhefka-Orin contact",
    .equation =
        "N = K delta^lambda (1 + (3/2) loss delta_dot) for delta > 0, else 0,  delta = -psi",
    .paper = "Marhefka, Orin 1999",
    .known = "A restitution that falls with the impact speed, e = 1 - loss v, as it does between "
             "real bodies.\n"
             "This holds for slow impacts. The speeds after the impact in the figure should be "
             "0.1, 0.3, 0.5, 0.7\n"
             "and 0.9 of the speed before, and are 0.516, 0.581, 0.663, 0.768 and 0.909 of it. It "
             "pulls if the\n"
             "bodies are torn apart faster than 2/(3 loss); the paper shows it.",
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_CONTINUOUS,
    .max_dim = 0,
    .uses_rate = true,
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
