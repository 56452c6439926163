/* stribeck_slip: dry friction that sticks, with a level that depends on the slip of the element
 * itself and not on the velocity of the body (X13 (17) with the level XD (4.2)).
 *
 *     f     = g(|s|) s/|s|,   s = v - a_dot   (s = 0: |f| <= g(0))
 *     f     = K (a + b a_dot),   b = beta + tau
 *     g(x)  = F + (Fs - F) exp(-(x/vs)^alpha)
 *
 * With y = K (a + b v) that is y = f + K b s: it sticks, f = y, if |y| <= g(0), else |s| is the
 * root of
 *
 *     K b |s| + g(|s|) = |y|,   f = g(|s|) y/|y|
 *
 * which is the only one for every y if K beta > max(-g') (stribeck.h).
 *
 * v: sliding velocity, m/s; f: friction force, N; a: elastic stretch, m; s: slip, m/s; K:
 * stiffness, N/m; beta: time constant, s; tau: step of the stage, s; F, Fs, vs, alpha: see
 * stribeck.h. While it sticks its level is g(0), however fast the body swings.
 *
 * Passive with V = K |a|^2/2: the power that is lost is f . s + K b |a_dot|^2. */
#include "catalogue.h"
#include "resolvent.h"
#include "stribeck.h"

enum { F, FS, VS, ALPHA, K, BETA };

static const dry_law_param params[] = {
    DRY_LAW__STRIBECK_ROWS("F", 0.5, 0.8, 0.1),
    {"K", "N/m", "stiffness of the element", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant: damping/stiffness", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "elastic stretch", DRY_PER_DIM}};

static double level_least(const double *level) {
    return level[1] == 0.0 ? level[0] : dry_min(level[0], level[1]);
}

/* |s| with B |s| + g(|s|) = Y, Y > g(0): Newton between bounds, of which each iteration moves one.
 */
static double slip_at(const double *level, double B, double Y) {
    enum { MOST = 200 };
    double low = 0.0, high = (Y - level_least(level)) / B, x = high;
    for (int k = 0; k < MOST; k++) {
        const double error = B * x + dry_law__level(level, x) - Y;
        const double newton = x - error / (B + dry_law__level_slope(level, x));
        if (fabs(newton - x) <= 4e-16 * x) return newton;
        if (error > 0.0)
            high = x;
        else
            low = x;
        x = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return x;
}

/* What it does now: y, its length Y, and the slip. */
typedef struct stand {
    double y[DRY_LAW__MOST_DIM], Y, slip;
    bool slips;
} stand;

static stand stand_at(const double *par, int dim, double tau, const double *u, const double *s) {
    stand now = {.slip = 0.0};
    const double b = par[BETA] + tau;
    for (int i = 0; i < dim; i++) now.y[i] = par[K] * (s[i] + b * u[i]);
    now.Y = dim == 1 ? fabs(now.y[0]) : dry_norm(dim, now.y);
    now.slips = now.Y > dry_law__level(&par[F], 0.0);
    if (now.slips) now.slip = slip_at(&par[F], par[K] * b, now.Y);
    return now;
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    const stand now = stand_at(par, dim, tau, u, s);
    const double g = dry_law__level(&par[F], now.slip), b = par[BETA] + tau;
    for (int i = 0; i < dim; i++) {
        f[i] = now.slips ? g * (now.y[i] / now.Y) : now.y[i];
        s_dot[i] = now.slips ? (f[i] / par[K] - s[i]) / b : u[i];
    }
}

/* d|f|/dY = g'/(K b + g') */
static double force_slope(const double *par, double tau, double slip) {
    const double slope = dry_law__level_slope(&par[F], slip);
    return slope / (par[K] * (par[BETA] + tau) + slope);
}

/* P = df/dy: along y the slope above, across y as sat has it. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    const stand now = stand_at(par, dim, tau, u, s);
    const double g = dry_law__level(&par[F], now.slip);
    const double along = now.slips ? force_slope(par, tau, now.slip) : 0.0;
    dry_law__friction_slopes slopes = {.K = par[K], .b = par[BETA] + tau, .n = dim};
    dry_law__sat_slopes(dim, now.slips ? g : now.Y, now.y, slopes.P, slopes.r);
    for (int i = 0; i < dim; i++) {
        double *force = J + i * 2 * dim, *rate = J + (dim + i) * 2 * dim;
        for (int j = 0; j < dim; j++) slopes.P[i * dim + j] += along * slopes.r[i] * slopes.r[j];
        dry_law__friction_rows(&slopes, i, force, force + dim, rate, rate + dim);
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static double bound(const double *par, int dim) {
    (void)dim;
    return dry_law__level_most(&par[F]);
}

static double fall(const double *par) { return dry_law__level_fall(&par[F]); }

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dry_law__sat_n_kinks(dim);
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    const double level = dry_law__level(&par[F], 0.0);
    dry_law__friction_kinks(dim, par[K], par[BETA], tau, level, u, s, g);
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

/* -d a_dot/d a: along the slip K/(K b + g'), which is above 1/b where the level falls; across it,
 * in several dimensions, (1 - g/Y)/b. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    const stand now = stand_at(par, dim, tau, u, s);
    if (!now.slips) return 0.0;
    const double along = 1.0 - force_slope(par, tau, now.slip);
    const double across = dim > 1 ? 1.0 - dry_law__level(&par[F], now.slip) / now.Y : 0.0;
    return dry_max(along, across) / (par[BETA] + tau);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    return stand_at(par, dim, tau, u, s).slips ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__stribeck_slip = {
    .name = "stribeck_slip",
    .title = "Stribeck friction that sticks, its level by its own slip",
    .equation =
        "K b |s| + g(|s|) = |y|,  y = K (a + b v),  b = beta + tau;  s = 0 for |y| <= g(0)\n"
        "f = g(|s|) y/|y|,  or y while it sticks;  a_dot = (f/K - a)/b\n"
        "g(x) = F + (Fs - F) exp(-(x/vs)^alpha)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (17), with the level of Xiong 2013, (4.2)",
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
    .quickens = true,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .fall = fall,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
