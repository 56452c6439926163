/* gonthier: Hunt-Crossley contact with the damping of Gonthier, McPhee, Lange, Piedboeuf 2004.
 *
 *     N = K delta^lambda (1 + c delta_dot/v0)  for delta > 0,  else 0,   delta = -psi
 *     c = (1 - e^2)/e
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; e: wanted restitution; v0: speed at touch-down, m/s, a state (rebound.h).
 *
 * c approximates the exact inverse (rebound.c) and is near it for all e but those close to 1. */
#include "catalogue.h"
#include "rebound.h"

static const dry_law_param params[] = {DRY_LAW__REBOUND_ROWS};

static const dry_law_state states[] = {DRY_LAW__REBOUND_STATES};

static double coefficient(const double *par) {
    const double e = par[DRY_LAW__REBOUND_E];
    return (1.0 - e * e) / e;
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau;
    dry_law__rebound_eval(coefficient(par), par, u, s, f, s_dot);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau;
    dry_law__rebound_jacobian(coefficient(par), par, u, s, J);
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)s;
    return dry_law__indentation_energy(par[DRY_LAW__REBOUND_K], par[DRY_LAW__REBOUND_LAMBDA], u[0]);
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau;
    dry_law__rebound_kinks(par, u, s, g);
}

static void start(const double *par, int dim, const double *u, double *s) {
    (void)dim;
    dry_law__rebound_start(par, u, s);
}

static bool latch(const double *par, int dim, const double *u, double *s) {
    (void)dim;
    return dry_law__rebound_latch(par, u, s);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    return dry_law__rebound_check(par);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    f[0] = s_dot[0] = 0.0;
}

/* v0 does not change between two latches. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)s;
    return u[0] < 0.0 ? DRY_CLOSED : DRY_OPEN;
}

const dry_law dry_law__gonthier = {
    .name = "gonthier",
    .title = "Gonthier contact",
    .equation = "N = K delta^lambda (1 + c delta_dot/v0) for delta > 0, else 0,  delta = -psi\n"
                "c = (1 - restitution^2)/restitution",
    .paper = "Gonthier, McPhee, Lange, Piedboeuf 2004",
    .known = "A coefficient near the exact one for soft bodies. The speeds after the impact in the "
             "figure should be\n"
             "0.1, 0.3, 0.5, 0.7 and 0.9 of the speed before, and are 0.101, 0.304, 0.488, 0.670 "
             "and 0.876 of it:\n"
             "close to 1 a third too much is lost. It pulls if the bodies are torn apart faster "
             "than v0/c.",
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_CONTINUOUS,
    .max_dim = 0,
    .uses_rate = true,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = eval,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
    .start = start,
    .latch = latch,
    .check = check,
};
