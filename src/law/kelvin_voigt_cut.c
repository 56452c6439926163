/* kelvin_voigt_cut: the Kelvin-Voigt contact with its pull cut off (X13 (16)).
 *
 *     N = max(0, K delta + B delta_dot)  for delta >= 0,  else 0,   delta = -psi
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m; B: damping, N s/m.
 *
 * Passive with V = K max(0, delta)^2/2. It jumps at touch-down. */
#include "catalogue.h"
#include "indentation.h"

enum { K, B };

static const dry_law_param params[] = {
    {"K", "N/m", "stiffness of the contact", 1e7, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"B", "N s/m", "damping of the contact", 10.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
};

static double pressed(const double *par, const double *u) { return -par[K] * u[0] - par[B] * u[1]; }

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau, (void)s, (void)s_dot;
    f[0] = u[0] <= 0.0 ? dry_pos(pressed(par, u)) : 0.0;
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau, (void)s;
    const bool closed = u[0] <= 0.0 && pressed(par, u) > 0.0;
    J[0] = closed ? -par[K] : 0.0;
    J[1] = closed ? -par[B] : 0.0;
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)s;
    return dry_law__indentation_energy(par[K], 1.0, u[0]);
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau, (void)s;
    g[0] = u[0];
    g[1] = pressed(par, u);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau, (void)s, (void)s_dot;
    f[0] = pressed(par, u);
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

const dry_law dry_law__kelvin_voigt_cut = {
    .name = "kelvin_voigt_cut",
    .title = "Kelvin-Voigt contact without pull",
    .equation = "N = max(0, K delta + B delta_dot) for delta >= 0, else 0,  delta = -psi",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (16)",
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_NEVER_PULLS | DRY_FINITE,
    .max_dim = 0,
    .uses_rate = true,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
