/* frictional_contact: unilateral contact with dry friction under its force (X13 (29), (35), (36)).
 *
 *     e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau)),   N = K (e + (beta + tau) e_dot)
 *     f     = sat(mu N, Kt (a + (betat + tau) v)),   a_dot = (f/Kt - a)/(betat + tau)
 *
 * psi: gap, m; psi_dot: its rate, m/s (not used); v: sliding velocity, m/s; N: contact force, N; f:
 * friction force, N; e: inner indentation, m; a: tangential stretch, m; K, Kt: stiffnesses, N/m;
 * alpha, beta, betat: times, s; mu: coefficient of friction; tau: step of the stage, s.
 *
 * Passive: contact.c is, and so is coulomb.c under any level that is not negative. */
#include "catalogue.h"
#include "resolvent.h"
#include "unilateral.h"

enum { K, ALPHA, BETA, MU, KT, BETAT };
enum { PSI, PSI_DOT, V }; /* inputs */
enum { E, A };            /* states; forces N, f have the same places */

static const dry_law_param params[] = {
    DRY_LAW__UNILATERAL_ROWS(2.8e-3, 4e-3),
    {"mu", "", "coefficient of friction", 0.1, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"Kt", "N/m", "tangential stiffness", 1e5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"betat", "s", "tangential time constant: damping/stiffness", 4e-3, DRY_POSITIVE, DRY_SCALAR,
     DRY_EACH},
};

static const dry_law_state states[] = {
    {"e", "m", "inner indentation", DRY_ONE},
    {"a", "m", "tangential stretch", DRY_PER_DIM},
};

static double level_at(const double *par, double tau, const double *u, const double *s) {
    double e_dot;
    return par[MU] * dry_contact(par[K], par[ALPHA], par[BETA], tau, u[PSI], s[E], &e_dot);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    f[E] = dry_contact(par[K], par[ALPHA], par[BETA], tau, u[PSI], s[E], &s_dot[E]);
    dry_friction(dim, par[KT], par[BETAT], tau, par[MU] * f[E], &u[V], &s[A], &f[A], &s_dot[A]);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    const int width = V + dim + A + dim, e = V + dim, a = e + A; /* columns psi, psi_dot, v, e, a */
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    const dry_law__unilateral_slopes normal = dry_law__unilateral_slopes_at(&p, u[PSI], s[E]);
    const dry_law__friction_slopes slopes = dry_law__friction_slopes_at(
        dim, par[KT], par[BETAT], tau, level_at(par, tau, u, s), &u[V], &s[A]);
    double *force = J, *rate = J + (A + dim) * width; /* rows N, f, e, a */
    for (int k = 0; k < 2 * (A + dim) * width; k++) J[k] = 0.0;
    force[PSI] = normal.N_psi;
    force[e] = normal.N_e;
    rate[PSI] = normal.e_dot_psi;
    rate[e] = normal.e_dot_e;
    for (int i = 0; i < dim; i++) {
        double *f_row = force + (A + i) * width, *a_row = rate + (A + i) * width;
        dry_law__friction_rows(&slopes, i, f_row + V, f_row + a, a_row + V, a_row + a);
        const double f_N = slopes.r[i] * par[MU], a_N = f_N / (slopes.K * slopes.b);
        f_row[PSI] = f_N * normal.N_psi;
        f_row[e] = f_N * normal.N_e;
        a_row[PSI] = a_N * normal.N_psi;
        a_row[e] = a_N * normal.N_e;
    }
}

/* The level mu N brings the parameters of the contact into friction. */
static void row_by_par(const double *par, const double *of_N, double N, const double *by,
                       double *row) {
    for (int k = 0; k < MU; k++) row[k] = by[DRY_LAW__BY_CHI] * par[MU] * of_N[k];
    row[MU] = by[DRY_LAW__BY_CHI] * N;
    row[KT] = by[DRY_LAW__BY_K];
    row[BETAT] = by[DRY_LAW__BY_BETA];
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    enum { COLUMNS = BETAT + 1 };
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    double by[2 * DRY_LAW__MOST_DIM][DRY_LAW__FRICTION_PARS], e_dot;
    double *force = P, *rate = P + (A + dim) * COLUMNS;
    const double N = dry_contact(par[K], par[ALPHA], par[BETA], tau, u[PSI], s[E], &e_dot);
    for (int k = 0; k < COLUMNS; k++) force[k] = rate[k] = 0.0;
    dry_law__unilateral_by_par(&p, u[PSI], s[E], force, rate);
    dry_law__friction_by_par(dim, par[KT], par[BETAT], tau, par[MU] * N, &u[V], &s[A], by);
    for (int i = 0; i < dim; i++) {
        row_by_par(par, force, N, by[i], force + (A + i) * COLUMNS);
        row_by_par(par, force, N, by[dim + i], rate + (A + i) * COLUMNS);
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    return dry_law__unilateral_energy(&p, u[PSI], s[E]) +
           dry_law__spring_energy(dim, par[KT], &s[A]);
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return 1 + dry_law__sat_n_kinks(dim);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    g[0] = dry_law__unilateral_kink(&p, u[PSI], s[E]);
    dry_law__friction_kinks(dim, par[KT], par[BETAT], tau, level_at(par, tau, u, s), &u[V], &s[A],
                            &g[1]);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    return dry_law__unilateral_check(par);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    f[E] = dry_law__unilateral_closed(par, tau, u[PSI], s[E], &s_dot[E]);
    dry_friction(dim, par[KT], par[BETAT], tau, (double)INFINITY, &u[V], &s[A], &f[A], &s_dot[A]);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)u;
    f[E] = 0.0;
    s_dot[E] = -s[E] / (par[BETA] + tau);
    dry_law__slipping(dim, par[BETAT] + tau, &s[A], &f[A], &s_dot[A]);
}

static bool slips(const double *par, int dim, double tau, const double *u, const double *s) {
    const double level = level_at(par, tau, u, s);
    return dry_law__slips(dim, par[KT], par[BETAT] + tau, level, &u[V], &s[A]);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    const double across = slips(par, dim, tau, u, s) ? 1.0 / (par[BETAT] + tau) : 0.0;
    return dry_max(across, dry_law__unilateral_fastest(par, tau, u[PSI], s[E]));
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    if (!(dry_law__unilateral_kink(&p, u[PSI], s[E]) > 0.0)) return DRY_OPEN;
    return DRY_CLOSED | (slips(par, dim, tau, u, s) ? DRY_SLIPS : DRY_STICKS);
}

const dry_law dry_law__frictional_contact = {
    .name = "frictional_contact",
    .title = "Unilateral contact with dry friction",
    .equation =
        "e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau)),  N = K (e + (beta + tau) e_dot)\n"
        "f = sat(mu N, Kt (a + (betat + tau) v)),  a_dot = (f/Kt - a)/(betat + tau)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (29), (35), (36)",
    .kind = DRY_FRICTIONAL_CONTACT,
    .traits = DRY_ODD | DRY_PASSIVE | DRY_NO_DRIFT | DRY_NEVER_PULLS | DRY_CONTINUOUS | DRY_FINITE |
              DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
    .max_dim = DRY_LAW__MOST_DIM,
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
