/* leuven: the modified Leuven law, a bristle law whose bristles are N Maxwell elements (Lampaert,
 * Swevers, Al-Bender 2002); it remembers where it turned, and drifts.
 *
 *     z_dot   = v (1 - q |q|^(n-1)),   q = Fh sgn(v)/g(v),   Fh = sum kappa_i a_i
 *     a_i_dot = z_dot, but 0 while |a_i| = lambda_i W/kappa_i and z_dot bends it further
 *     f       = Fh + B z_dot + D v,    g(v) = F + (Fs - F) exp(-|v/vs|^alpha),   W = max(F, Fs)
 *
 * v: sliding velocity, m/s; f: friction force, N; z: mean deflection, m; Fh: hysteresis force, N;
 * a_i: stretch of element i, m; n: how sharply stick turns into slip; B: micro-damping, N s/m;
 * D: viscous friction, N s/m; kappa: stiffness, N/m; lambda: share, sum 1; F, Fs, vs, alpha: see
 * stribeck.h. The elements take the place of the stack of the first Leuven law: their states are
 * all that it must remember. After a step `latch` cuts what has gone beyond a limit.
 *
 * Not passive in general, as lugre.c has it with q |q|^(n-1) instead of q. Not continuous:
 * a_i_dot jumps at a limit. */
#include "catalogue.h"
#include "resolvent.h"
#include "stribeck.h"

enum { N, F, FS, VS, ALPHA, SHARP, B, D, LISTS };

static const dry_law_param params[] = {
    {"N", "", "number of elements", 10.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    DRY_LAW__STRIBECK_ROWS("F", 1.0, 2.5, 5e-6),
    {"n", "", "how sharply stick goes over into slip", 2.0, DRY_AT_LEAST_ONE, DRY_SCALAR, DRY_EACH},
    {"B", "N s/m", "micro-damping", 1e4, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"kappa", "N/m", "stiffness of each element; default 5e6/i", 5e6, DRY_POSITIVE, DRY_LIST,
     DRY_OVER_I},
    {"lambda", "", "share of each element, sum 1; default 1/N", 1.0, DRY_NONNEGATIVE, DRY_LIST,
     DRY_OVER_N},
};

static const dry_law_state states[] = {{"a", "m", "stretch of each element", DRY_PER_ELEMENT}};

static double limit(const double *par, int i) {
    const int n = (int)par[N];
    return par[LISTS + n + i] * dry_max(par[F], par[FS]) / par[LISTS + i];
}

static double hysteresis(const double *par, const double *a) {
    double sum = 0.0;
    for (int i = 0; i < (int)par[N]; i++) sum += par[LISTS + i] * a[i];
    return sum;
}

/* q, and in *slope n |q|^(n-1): the slope of q |q|^(n-1). */
static double share_of_level(const double *par, double v, const double *a, double *slope) {
    const double q = hysteresis(par, a) * dry_sgn(v) / dry_law__level(&par[F], fabs(v));
    *slope = par[SHARP] * dry_pow(fabs(q), par[SHARP] - 1.0);
    return q;
}

/* z_dot */
static double bending(const double *par, double v, const double *a) {
    double slope;
    const double q = share_of_level(par, v, a, &slope);
    return v * (1.0 - q * slope / par[SHARP]);
}

/* Whether z_dot bends element i, which it does up to the limit. */
static bool follows(const double *par, double z_dot, const double *a, int i) {
    return fabs(a[i]) < limit(par, i) || a[i] * z_dot < 0.0;
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau;
    const double z_dot = bending(par, u[0], s);
    for (int i = 0; i < (int)par[N]; i++) s_dot[i] = follows(par, z_dot, s, i) ? z_dot : 0.0;
    f[0] = hysteresis(par, s) + par[B] * z_dot + par[D] * u[0];
}

/* Columns v, a; rows f, a. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau;
    const int n = (int)par[N], width = 1 + n;
    const double speed = fabs(u[0]), level = dry_law__level(&par[F], speed);
    const double z_dot = bending(par, u[0], s);
    double slope;
    const double q = share_of_level(par, u[0], s, &slope);
    const double by_v = 1.0 - q * slope / par[SHARP] +
                        speed * slope * q * dry_law__level_slope(&par[F], speed) / level;
    for (int k = 0; k < width; k++) {
        const double stiffness = k ? par[LISTS + k - 1] : 0.0;
        const double z_dot_k = k ? -speed * slope * stiffness / level : by_v;
        J[k] = stiffness + par[B] * z_dot_k + (k ? 0.0 : par[D]);
        for (int i = 0; i < n; i++)
            J[(1 + i) * width + k] = follows(par, z_dot, s, i) ? z_dot_k : 0.0;
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    double sum = 0.0;
    for (int i = 0; i < (int)par[N]; i++) sum += dry_law__spring_energy(1, par[LISTS + i], &s[i]);
    return sum;
}

static int n_kinks(const double *par, int dim) {
    (void)dim;
    return (int)par[N] + 3;
}

/* The limits, the turn of v, that of Fh, and that of z_dot. */
static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau;
    const int n = (int)par[N];
    const double Fh = hysteresis(par, s);
    for (int i = 0; i < n; i++) g[i] = limit(par, i) - fabs(s[i]);
    g[n] = u[0];
    g[n + 1] = Fh;
    g[n + 2] = dry_law__level(&par[F], fabs(u[0])) - Fh * dry_sgn(u[0]);
}

static bool latch(const double *par, int dim, const double *u, double *s) {
    (void)dim, (void)u;
    bool changed = false;
    for (int i = 0; i < (int)par[N]; i++) {
        const double cut = dry_sat1(limit(par, i), s[i]);
        changed = changed || cut != s[i];
        s[i] = cut;
    }
    return changed;
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    static const dry_wrong wrong = {"lambda", "the shares lambda do not add up to 1",
                                    "divide each of them by their sum"};
    const int n = (int)par[N];
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += par[LISTS + n + i];
    return fabs(sum - 1.0) <= 1e-9 ? NULL : &wrong;
}

/* All elements bent at the rate z_dot. */
static void bend(const double *par, double z_dot, const double *u, const double *s, double *f,
                 double *s_dot) {
    for (int i = 0; i < (int)par[N]; i++) s_dot[i] = z_dot;
    f[0] = hysteresis(par, s) + par[B] * z_dot + par[D] * u[0];
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    bend(par, u[0], u, s, f, s_dot);
}

/* In steady sliding z_dot depends on v no more. */
static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    bend(par, bending(par, u[0], s) - u[0], u, s, f, s_dot);
}

/* All elements that follow z settle together. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    const double z_dot = bending(par, u[0], s), level = dry_law__level(&par[F], fabs(u[0]));
    double slope, stiffness = 0.0;
    (void)share_of_level(par, u[0], s, &slope);
    for (int i = 0; i < (int)par[N]; i++)
        stiffness += follows(par, z_dot, s, i) ? par[LISTS + i] : 0.0;
    return fabs(u[0]) * slope * stiffness / level;
}

/* It bends and slips at once: it counts as slipping if it is bent to more than half of the level.
 */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    const double level = dry_law__level(&par[F], fabs(u[0]));
    return fabs(hysteresis(par, s)) > 0.5 * level ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__leuven = {
    .name = "leuven",
    .title = "Modified Leuven friction",
    .equation = "z_dot = v (1 - q |q|^(n-1)),  q = Fh sgn(v)/g(v),  Fh = sum kappa_i a_i\n"
                "a_i_dot = z_dot, 0 beyond |a_i| = lambda_i max(F, Fs)/kappa_i\n"
                "f = Fh + B z_dot + D v,  g(v) = F + (Fs - F) exp(-|v/vs|^alpha)",
    .paper = "Lampaert, Swevers, Al-Bender 2002",
    .known = "Memory without a stack, and drift. Its elements remember where the motion turned, as "
             "those of `gms`\n"
             "and `multistate` do, but the bristles that carry them slip a little at every load. "
             "In the figure\n"
             "the load swings slowly between 0.384 F and 0.96 F. With one element, n = 2 and no "
             "Stribeck curve\n"
             "the body moves on by 1.143 F/kappa in every cycle. A body on the elements alone "
             "stays.",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_RATE_INDEPENDENT,
    .max_dim = 1,
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
    .n_kinks = n_kinks,
    .kinks = kinks,
    .latch = latch,
    .check = check,
};
