/* coulomb: dry friction f in F sgn(v), relaxed by a viscoelastic element (X13 (18), KY08
 * (19)-(22)).
 *
 *     f     = sat(F, K (a + (beta + tau) v))
 *     a_dot = (f/K - a)/(beta + tau)
 *
 * v: sliding velocity, m/s; f: friction force, N; a: elastic stretch, m; F: level, N; K: stiffness,
 * N/m; beta: time constant, s (B = K beta is the damping); tau: step of the stage, s.
 *
 * Passive with V = K |a|^2/2: with y = K (a + (beta + tau) v) the power that is lost is
 * ((K a - f)^2 + f (y - f))/(K (beta + tau)), and f (y - f) >= 0 because f is the projection of y.
 */
#include "catalogue.h"
#include "resolvent.h"

enum { F, K, BETA };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the element", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant: damping/stiffness", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "elastic stretch", DRY_PER_DIM}};

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    dry_friction(dim, par[K], par[BETA], tau, par[F], u, s, f, s_dot);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    const int width = 2 * dim;
    const dry_law__friction_slopes slopes =
        dry_law__friction_slopes_at(dim, par[K], par[BETA], tau, par[F], u, s);
    for (int i = 0; i < dim; i++) {
        double *force = J + i * width, *rate = J + (dim + i) * width;
        dry_law__friction_rows(&slopes, i, force, force + dim, rate, rate + dim);
    }
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    double by[2 * DRY_LAW__MOST_DIM][DRY_LAW__FRICTION_PARS]; /* in the order of the parameters */
    dry_law__friction_by_par(dim, par[K], par[BETA], tau, par[F], u, s, by);
    for (int i = 0; i < 2 * dim; i++)
        for (int j = 0; j < DRY_LAW__FRICTION_PARS; j++) *P++ = by[i][j];
}

/* With P and r of resolvent.h and b = beta + tau,
 *     df = P (K da + K b dtheta + (a + b theta) dK + K theta dbeta) + r dF
 * and while it slips a_dot = (f/K - a)/b changes by (df/K - f/K^2 dK - da - a_dot dbeta)/b. */
static void tangents(const double *par, int dim, double tau, const double *u, const double *s,
                     const dry_tangents *ways, double *to) {
    const int n = ways->n;
    const double *dK = ways->par + K * n, *dbeta = ways->par + BETA * n;
    const double b = par[BETA] + tau, over_K = 1.0 / par[K], over_b = 1.0 / b;
    const dry_law__friction_slopes at =
        dry_law__friction_slopes_at(dim, par[K], par[BETA], tau, par[F], u, s);
    double f[DRY_LAW__MOST_DIM], a_dot[DRY_LAW__MOST_DIM];
    const bool slips = dry_friction(dim, par[K], par[BETA], tau, par[F], u, s, f, a_dot);
    for (int i = 0; i < dim; i++) {
        double *df = to + i * n, *rate = to + (dim + i) * n;
        for (int w = 0; w < n; w++) df[w] = 0.0;
        for (int j = 0; j < dim; j++) {
            const double P = at.P[i * dim + j];
            if (P == 0.0) continue;
            dry_law__add_times(n, par[K] * P, ways->s + j * n, df);
            dry_law__add_times(n, par[K] * b * P, ways->u + j * n, df);
            if (ways->moves[K]) dry_law__add_times(n, (s[j] + b * u[j]) * P, dK, df);
            if (ways->moves[BETA]) dry_law__add_times(n, par[K] * u[j] * P, dbeta, df);
        }
        if (ways->moves[F] && slips) dry_law__add_times(n, at.r[i], ways->par + F * n, df);
        if (!slips) {
            for (int w = 0; w < n; w++) rate[w] = ways->u[i * n + w];
            continue;
        }
        dry_law__set_times(n, over_K * over_b, df, -over_b, ways->s + i * n, rate);
        if (ways->moves[K]) dry_law__add_times(n, -f[i] * over_K * over_K * over_b, dK, rate);
        if (ways->moves[BETA]) dry_law__add_times(n, -a_dot[i] * over_b, dbeta, rate);
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
    return dry_law__sat_n_kinks(dim);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    dry_law__friction_kinks(dim, par[K], par[BETA], tau, par[F], u, s, g);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    dry_friction(dim, par[K], par[BETA], tau, (double)INFINITY, u, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)u;
    dry_law__slipping(dim, par[BETA] + tau, s, f, s_dot);
}

static bool slips(const double *par, int dim, double tau, const double *u, const double *s) {
    return dry_law__slips(dim, par[K], par[BETA] + tau, par[F], u, s);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    return slips(par, dim, tau, u, s) ? 1.0 / (par[BETA] + tau) : 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    return slips(par, dim, tau, u, s) ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__coulomb = {
    .name = "coulomb",
    .title = "Coulomb friction that sticks",
    .equation = "f = sat(F, K (a + (beta + tau) v))\n"
                "a_dot = (f/K - a)/(beta + tau)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (18); Kikuuwe, Yamamoto 2008, (19)-(22)",
    .set = "sgn",
    .resolvent = DRY_RESOLVENT_FRICTION,
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_NO_DRIFT | DRY_CONTINUOUS | DRY_FINITE |
              DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
    .max_dim = DRY_LAW__MOST_DIM,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .by_par = by_par,
    .tangents = tangents,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
