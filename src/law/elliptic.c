/* elliptic: dry friction in an ellipse, f in F D sgn(D v), with a stiffness that is the same in all
 * directions.
 *
 *     f     = the point of C = {F D h, |h| <= 1} nearest to y = K (a + (beta + tau) v)
 *     a_dot = (f/K - a)/(beta + tau)
 *
 * v: sliding velocity, m/s; f: friction force, N; a: elastic stretch, m; F: level, N; D: symmetric,
 * its eigenvalues times F are the half axes of the ellipse; K: stiffness, N/m; beta: time constant,
 * s; tau: step of the stage, s. The slide v - a_dot is normal to C at f: the flow rule f = F D^2
 * s/|D s| of the slide s. With D = I it is `coulomb`.
 *
 * Passive with V = K |a|^2/2, as `coulomb` is: f.(y - f) >= 0 because 0 lies in C. */
#include "catalogue.h"
#include "resolvent.h"

enum { F, K, BETA, D11, D12, D13, D22, D23, D33 };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the element", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant: damping/stiffness", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"D11", "", "symmetric matrix of the ellipse", 1.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"D12", "", "in 2 and 3 dimensions", 0.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"D13", "", "in 3 dimensions", 0.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"D22", "", "in 2 and 3 dimensions", 1.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"D23", "", "in 3 dimensions", 0.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"D33", "", "in 3 dimensions", 1.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "elastic stretch", DRY_PER_DIM}};

static dry_ellipse ellipse(const double *par, int dim) {
    const double whole[9] = {par[D11], par[D12], par[D13], par[D12], par[D22],
                             par[D23], par[D13], par[D23], par[D33]};
    double D[9];
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < dim; k++) D[i * dim + k] = par[F] * whole[3 * i + k];
    return dry_ellipse_of(dim, D);
}

static void pull(const double *par, int dim, double tau, const double *u, const double *s,
                 double *y) {
    for (int i = 0; i < dim; i++) y[i] = par[K] * (s[i] + (par[BETA] + tau) * u[i]);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    double y[DRY_LAW__MOST_DIM];
    const dry_ellipse e = ellipse(par, dim);
    pull(par, dim, tau, u, s, y);
    const bool inside = dry_ellipse_project(&e, y, f);
    for (int i = 0; i < dim; i++)
        s_dot[i] = inside ? u[i] : (f[i] / par[K] - s[i]) / (par[BETA] + tau);
}

/* df/dy. In one dimension the ellipse is an interval. */
static void slopes_at(const double *par, int dim, const double *y, double *P) {
    static const double same[9] = {0.0};
    double f[DRY_LAW__MOST_DIM], ignored[DRY_LAW__MOST_DIM];
    if (dim == 1) {
        dry_law__sat_slopes(1, par[F] * fabs(par[D11]), y, P, ignored);
        return;
    }
    const dry_ellipse e = ellipse(par, dim);
    const bool inside = dry_ellipse_project(&e, y, f);
    for (int k = 0; k < dim; k++) {
        double column[DRY_LAW__MOST_DIM] = {0.0};
        column[k] = 1.0;
        if (!inside) dry_ellipse_slope(&e, y, same, column, column);
        for (int i = 0; i < dim; i++) P[i * dim + k] = column[i];
    }
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    dry_law__friction_slopes slopes = {.K = par[K], .b = par[BETA] + tau, .n = dim};
    const int width = 2 * dim;
    double y[DRY_LAW__MOST_DIM];
    pull(par, dim, tau, u, s, y);
    slopes_at(par, dim, y, slopes.P);
    for (int i = 0; i < dim; i++) {
        double *force = J + i * width, *rate = J + (dim + i) * width;
        dry_law__friction_rows(&slopes, i, force, force + dim, rate, rate + dim);
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static double bound(const double *par, int dim) {
    const dry_ellipse e = ellipse(par, dim);
    double largest = 0.0;
    for (int i = 0; i < dim; i++) largest = dry_max(largest, e.s[i]);
    return largest;
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dry_law__sat_n_kinks(dim);
}

/* 1 - |D^-1 y|/F in the axes of the ellipse, in units of force: below 0 outside. An axis of length
 * 0 counts as one of the least length that differs from 0. */
static double margin(const double *par, int dim, double tau, const double *u, const double *s) {
    double y[DRY_LAW__MOST_DIM], square = 0.0, largest = 0.0;
    const dry_ellipse e = ellipse(par, dim);
    pull(par, dim, tau, u, s, y);
    for (int i = 0; i < dim; i++) largest = dry_max(largest, e.s[i]);
    for (int i = 0; i < dim; i++) {
        double along = 0.0;
        for (int k = 0; k < dim; k++) along += e.U[k * dim + i] * y[k];
        const double share = along / dry_max(e.s[i], 1e-12 * largest);
        if (largest > 0.0) square += share * share;
    }
    return largest > 0.0 ? largest * (1.0 - sqrt(square)) : -dry_norm(dim, y);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    double y[DRY_LAW__MOST_DIM];
    if (dim > 1) {
        g[0] = margin(par, dim, tau, u, s);
        return;
    }
    pull(par, 1, tau, u, s, y);
    dry_law__sat_kinks(1, par[F] * fabs(par[D11]), y, g);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    pull(par, dim, tau, u, s, f);
    for (int i = 0; i < dim; i++) s_dot[i] = u[i];
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)u;
    dry_law__slipping(dim, par[BETA] + tau, s, f, s_dot);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    return margin(par, dim, tau, u, s) < 0.0 ? 1.0 / (par[BETA] + tau) : 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    return margin(par, dim, tau, u, s) < 0.0 ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__elliptic = {
    .name = "elliptic",
    .title = "Coulomb friction in an ellipse",
    .equation = "f = the point of {F D h, |h| <= 1} nearest to K (a + (beta + tau) v)\n"
                "a_dot = (f/K - a)/(beta + tau)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (17), with an ellipse for the ball",
    .set = "sgn",
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
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
