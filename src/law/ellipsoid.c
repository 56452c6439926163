/* ellipsoid: dry friction of an area that slips and spins, with one element: the cheap form of
 * patch.
 *
 *     z = (v1, v2, arm R w)
 *     h = sat(F, K (a + (beta + tau) z)),   a_dot = (h/K - a)/(beta + tau),   f = (h1, h2, arm h3)
 *
 * Input (v1, v2, R w): slip of the middle, m/s, and speed of the rim by the spin w, R the radius;
 * force (f1, f2, M/R), M the moment, N. The forces lie in an ellipsoid with the half axes F, F, arm
 * F, and the springs follow it. arm: lever arm of the friction in pure spin over R, 2/3 for uniform
 * pressure on a disc, 3 pi/16 for Hertz. In one and two dimensions nothing spins, and it is
 * coulomb. F: level, N; a: stretch, m; K: stiffness, N/m; beta: time constant, s; tau: step of the
 * stage, s.
 *
 * Pure slip and pure spin are right; between them the force differs from that of the area by up to
 * 15 % of F. Passive: f . u = h . z (coulomb.c). */
#include "catalogue.h"
#include "resolvent.h"

enum { F, K, BETA, ARM };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the element", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant: damping/stiffness", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"arm", "", "lever arm of the spin over R; 0.667 for uniform pressure, 0.589 for Hertz",
     0.66666666666666663, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {
    {"a", "m", "elastic stretch, of the spin at its lever arm", DRY_PER_DIM}};

static void scale(const double *par, int dim, const double *x, double *z) {
    for (int i = 0; i < dim; i++) z[i] = i < 2 ? x[i] : par[ARM] * x[i];
}

static void eval_at(const double *par, double level, int dim, double tau, const double *u,
                    const double *s, double *f, double *s_dot) {
    double z[DRY_LAW__MOST_DIM];
    scale(par, dim, u, z);
    dry_friction(dim, par[K], par[BETA], tau, level, z, s, f, s_dot);
    scale(par, dim, f, f);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    eval_at(par, par[F], dim, tau, u, s, f, s_dot);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    const int width = 2 * dim;
    const double one[DRY_LAW__MOST_DIM] = {1.0, 1.0, 1.0};
    double z[DRY_LAW__MOST_DIM], by[DRY_LAW__MOST_DIM];
    scale(par, dim, u, z);
    scale(par, dim, one, by);
    const dry_law__friction_slopes slopes =
        dry_law__friction_slopes_at(dim, par[K], par[BETA], tau, par[F], z, s);
    for (int i = 0; i < dim; i++) {
        double *force = J + i * width, *rate = J + (dim + i) * width;
        dry_law__friction_rows(&slopes, i, force, force + dim, rate, rate + dim);
        for (int j = 0; j < dim; j++) {
            force[j] *= by[i] * by[j];
            force[dim + j] *= by[i];
            rate[j] *= by[j];
        }
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static double bound(const double *par, int dim) {
    return dim < 3 ? par[F] : par[F] * dry_max(1.0, par[ARM]);
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dry_law__sat_n_kinks(dim);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    double z[DRY_LAW__MOST_DIM];
    scale(par, dim, u, z);
    dry_law__friction_kinks(dim, par[K], par[BETA], tau, par[F], z, s, g);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    eval_at(par, (double)INFINITY, dim, tau, u, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)u;
    dry_law__slipping(dim, par[BETA] + tau, s, f, s_dot);
}

static bool slips(const double *par, int dim, double tau, const double *u, const double *s) {
    double z[DRY_LAW__MOST_DIM];
    scale(par, dim, u, z);
    return dry_law__slips(dim, par[K], par[BETA] + tau, par[F], z, s);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    return slips(par, dim, tau, u, s) ? 1.0 / (par[BETA] + tau) : 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    return slips(par, dim, tau, u, s) ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__ellipsoid = {
    .name = "ellipsoid",
    .title = "Coulomb friction that slips and spins, with one element",
    .equation = "u = (v1, v2, R w),  f = (f1, f2, M/R)\n"
                "h = sat(F, K (a + (beta + tau) z)),  z = (v1, v2, arm R w)\n"
                "a_dot = (h/K - a)/(beta + tau),  f = (h1, h2, arm h3)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (17) with an ellipsoid as the set",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_NO_DRIFT | DRY_CONTINUOUS | DRY_FINITE |
              DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
    .max_dim = DRY_LAW__MOST_DIM,
    .spins = true,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
