/* lugre: bristle friction with micro-damping and Stribeck curve (X13 (12), XD (4.1)); it drifts.
 *
 *     a_dot = v - K |v| a/g(v),   f = K a + B a_dot + D v
 *     g(v)  = F + (Fs - F) exp(-|v/vs|^alpha)
 *
 * v: sliding velocity, m/s; f: friction force, N; a: deflection, m; K: stiffness, N/m; B:
 * micro-damping, N s/m; D: viscous friction, N s/m; F, Fs, vs, alpha: see stribeck.h.
 *
 * Not passive in general. With V = K |a|^2/2, q = K a/g and w = B |v|/g the power that is lost is
 * g |v| (q^2 + w (1 - q)) + D v^2 for v > 0. Without a Stribeck curve (Fs = 0) |q| <= 1 along every
 * motion from a = 0 and nothing is gained. With one, q > 1 right after a breakaway from Fs (after
 * slowing down from F if Fs < F), and for D = 0 the law gives energy if w > q^2/(q - 1);
 * B |v| <= 4 g(v) excludes that. */
#include "bristle.h"
#include "catalogue.h"

enum { F, FS, VS, ALPHA, K, B, D };

static const dry_law_param params[] = {
    DRY_LAW__STRIBECK_ROWS("F", 0.5, 0.0, 1e-3),
    {"K", "N/m", "stiffness of the bristles", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"B", "N s/m", "micro-damping of the bristles", 10.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "deflection of the bristles", DRY_PER_DIM}};

static dry_law__bristle bristle_of(const double *par) {
    return (dry_law__bristle){.level = &par[F], .K = par[K], .B = par[B], .D = par[D]};
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    dry_law__bristle_rate(&p, dim, u, s, s_dot);
    dry_law__bristle_force(&p, dim, u, s, s_dot, f);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    dry_law__bristle_rate_rows(&p, dim, u, s, J);
    dry_law__bristle_force_rows(&p, dim, J);
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)tau;
    double by[2 * DRY_LAW__MOST_DIM][DRY_LAW__BRISTLE_PARS]; /* in the order of the parameters */
    const dry_law__bristle p = bristle_of(par);
    dry_law__bristle_by_par(&p, dim, u, s, by);
    for (int i = 0; i < 2 * dim; i++)
        for (int j = 0; j < DRY_LAW__BRISTLE_PARS; j++) *P++ = by[i][j];
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
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
    const dry_law__bristle p = bristle_of(par);
    dry_law__bristle_stuck(&p, dim, u, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    dry_law__bristle_loose(&p, dim, u, s, f, s_dot);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)s;
    const dry_law__bristle p = bristle_of(par);
    return dry_law__bristle_fade(&p, dim, u);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    return dry_law__bristle_phase(&p, dim, u, s);
}

const dry_law dry_law__lugre = {
    .name = "lugre",
    .title = "LuGre friction",
    .equation = "a_dot = v - K |v| a/g(v),  g(v) = F + (Fs - F) exp(-|v/vs|^alpha)\n"
                "f = K a + B a_dot + D v",
    .paper = "Canudas de Wit et al. 1995; Xiong, Kikuuwe, Yamamoto 2013, (12)",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_CONTINUOUS | DRY_FINITE | DRY_RATE_INDEPENDENT,
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
    .n_kinks = n_kinks,
    .kinks = kinks,
};
