/* contact: unilateral contact N in dio(psi), relaxed by a Zener solid (X13 (24), (25)).
 *
 *     e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau))
 *     N     = K max(0, e - (beta + tau)(psi + e)/(alpha + tau))
 *
 * psi: gap, m; psi_dot: its rate, m/s (not used); N: contact force, N; e: inner indentation, m; K:
 * stiffness, N/m; alpha, beta: relaxation times in and out of contact, s; tau: step of the stage,
 * s.
 *
 * Passive if alpha <= beta: see unilateral.h. */
#include "catalogue.h"
#include "unilateral.h"

enum { K, ALPHA, BETA };

static const dry_law_param params[] = {DRY_LAW__UNILATERAL_ROWS(0.005, 0.01)};

static const dry_law_state states[] = {{"e", "m", "inner indentation", DRY_ONE}};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    f[0] = dry_contact(par[K], par[ALPHA], par[BETA], tau, u[0], s[0], s_dot);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim;
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    const dry_law__unilateral_slopes slopes = dry_law__unilateral_slopes_at(&p, u[0], s[0]);
    J[0] = slopes.N_psi; /* columns psi, psi_dot, e; rows N, e */
    J[1] = 0.0;
    J[2] = slopes.N_e;
    J[3] = slopes.e_dot_psi;
    J[4] = 0.0;
    J[5] = slopes.e_dot_e;
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim;
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    dry_law__unilateral_by_par(&p, u[0], s[0], P, P + 3);
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    return dry_law__unilateral_energy(&p, u[0], s[0]);
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 1;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim;
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    g[0] = dry_law__unilateral_kink(&p, u[0], s[0]);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    return dry_law__unilateral_check(par);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    f[0] = dry_law__unilateral_closed(par, tau, u[0], s[0], s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)u;
    f[0] = 0.0;
    s_dot[0] = -s[0] / (par[BETA] + tau);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    return dry_law__unilateral_fastest(par, tau, u[0], s[0]);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    return dry_law__unilateral_kink(&p, u[0], s[0]) > 0.0 ? DRY_CLOSED : DRY_OPEN;
}

const dry_law dry_law__contact = {
    .name = "contact",
    .part = "unilateral",
    .title = "Unilateral contact that never pulls",
    .equation = "e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau))\n"
                "N = K (e + (beta + tau) e_dot)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (24), (25)",
    .set = "dio",
    .resolvent = DRY_RESOLVENT_CONTACT,
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_NEVER_PULLS | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = 0,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .by_par = by_par,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
    .check = check,
};
