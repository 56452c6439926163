/* dahl: friction by one bristle that bends and slips at once (X13 (12) with B = D = 0); it drifts.
 *
 *     a_dot = v - K |v| a/F,   f = K a
 *
 * v: sliding velocity, m/s; f: friction force, N; a: deflection, m; F: level, N; K: stiffness, N/m.
 *
 * Passive with V = K |a|^2/2: the power that is lost is K^2 |v| |a|^2/F. The bound F holds along
 * motions that start within it, |a| <= F/K. */
#include "bristle.h"
#include "catalogue.h"

enum { F, K };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the bristles", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "deflection of the bristles", DRY_PER_DIM}};

/* `level` becomes F with no Stribeck curve. */
static dry_law__bristle bristle_of(const double *par, double level[4]) {
    level[0] = par[F];
    level[1] = 0.0;
    level[2] = level[3] = 1.0;
    return (dry_law__bristle){.level = level, .K = par[K]};
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    dry_law__bristle_rate(&p, dim, u, s, s_dot);
    dry_law__bristle_force(&p, dim, u, s, s_dot, f);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    dry_law__bristle_rate_rows(&p, dim, u, s, J);
    dry_law__bristle_force_rows(&p, dim, J);
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)tau;
    double level[4], by[2 * DRY_LAW__MOST_DIM][DRY_LAW__BRISTLE_PARS];
    const dry_law__bristle p = bristle_of(par, level);
    dry_law__bristle_by_par(&p, dim, u, s, by);
    for (int i = 0; i < 2 * dim; i++) {
        P[2 * i + F] = by[i][0];
        P[2 * i + K] = by[i][DRY_LAW__BRISTLE_K];
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static double bound(const double *par, int dim) {
    (void)dim;
    return par[F];
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dim;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)par, (void)tau, (void)s;
    dry_law__bristle_kinks(dim, u, g);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    dry_law__bristle_stuck(&p, dim, u, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    dry_law__bristle_loose(&p, dim, u, s, f, s_dot);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)s;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    return dry_law__bristle_fade(&p, dim, u);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau;
    double level[4];
    const dry_law__bristle p = bristle_of(par, level);
    return dry_law__bristle_phase(&p, dim, u, s);
}

const dry_law dry_law__dahl = {
    .name = "dahl",
    .title = "Dahl friction",
    .equation = "a_dot = v - K |v| a/F\n"
                "f = K a",
    .paper = "Dahl 1968; Xiong, Kikuuwe, Yamamoto 2013, (12) with B = D = 0",
    .kind = DRY_FRICTION,
    .traits =
        DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_CONTINUOUS | DRY_FINITE | DRY_RATE_INDEPENDENT,
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
    .quickens = true,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
