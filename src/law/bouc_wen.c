/* bouc_wen: hysteretic friction after Bouc and Wen, scaled so that it slides at F; it drifts.
 *
 *     a_dot = v - (share |v| a |a|^(n-1) + (1 - share) v |a|^n)/a0^n,   a0 = F/K,   f = K a
 *
 * v: sliding velocity, m/s; f: friction force, N; a: deflection, m; F: level, N; K: stiffness, N/m;
 * n: how sharply stick turns into slip; share: beta/(beta + gamma) of Wen 1976, whose A is 1.
 * share = 1, n = 1 is Dahl's law.
 *
 * With q = |a|/a0 the power that is lost is K |a v| q^n (share +- (1 - share)), + while v bends a
 * further: passive with V = K a^2/2 if share >= 1/2. With share = 1/2 it unloads like a spring.
 * The bound F holds along motions that start within it. */
#include "catalogue.h"
#include "resolvent.h"

enum { F, K, SHARP, SHARE };

static const dry_law_param params[] = {
    {"F", "N", "friction level", 0.5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"n", "", "how sharply stick turns into slip", 2.0, DRY_AT_LEAST_ONE, DRY_SCALAR, DRY_EACH},
    {"share", "", "beta/(beta + gamma), 0.5 to 1; 0.5: it unloads like a spring", 0.5, DRY_POSITIVE,
     DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "deflection", DRY_PER_DIM}};

/* share + (1 - share) while v bends a further, share - (1 - share) while it unbends it. */
static double weight(const double *par, double v, double a) {
    return par[SHARE] + (1.0 - par[SHARE]) * dry_sgn(v) * dry_sgn(a);
}

/* (|a|/a0)^(n-1)/a0 */
static double steepness(const double *par, double a) {
    const double over_a0 = par[K] / par[F];
    return dry_pow(fabs(a) * over_a0, par[SHARP] - 1.0) * over_a0;
}

/* The rate at which a deflection fades, 1/s. */
static double fade(const double *par, double v, double a) {
    return fabs(v) * weight(par, v, a) * steepness(par, a);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau;
    s_dot[0] = u[0] - fade(par, u[0], s[0]) * s[0];
    f[0] = par[K] * s[0];
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau;
    J[0] = 0.0; /* columns v, a; rows f, a */
    J[1] = par[K];
    J[2] = 1.0 - dry_sgn(u[0]) * weight(par, u[0], s[0]) * steepness(par, s[0]) * s[0];
    J[3] = -par[SHARP] * fade(par, u[0], s[0]);
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim, (void)tau;
    enum { COLUMNS = SHARE + 1 };
    double *force = P, *rate = P + COLUMNS;
    const double lost = fade(par, u[0], s[0]) * s[0], q = fabs(s[0]) * par[K] / par[F];
    for (int k = 0; k < COLUMNS; k++) force[k] = 0.0;
    force[K] = s[0];
    rate[F] = par[SHARP] * lost / par[F];
    rate[K] = -par[SHARP] * lost / par[K];
    rate[SHARP] = q > 0.0 ? -lost * dry_log(q) : 0.0;
    rate[SHARE] = -fabs(u[0]) * (1.0 - dry_sgn(u[0]) * dry_sgn(s[0])) * steepness(par, s[0]) * s[0];
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
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)par, (void)dim, (void)tau;
    g[0] = u[0];
    g[1] = s[0];
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    static const dry_wrong wrong = {
        "share", "share is not between 0.5 and 1, so unloading would gain energy, or not be smooth",
        "0.5 unloads like a spring, 1 with n = 1 is Dahl's law"};
    return par[SHARE] >= 0.5 && par[SHARE] <= 1.0 ? NULL : &wrong;
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    s_dot[0] = u[0];
    f[0] = par[K] * s[0];
}

/* In steady sliding a_dot depends on v no more. */
static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    s_dot[0] = -fade(par, u[0], s[0]) * s[0];
    f[0] = par[K] * s[0];
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    return par[SHARP] * fabs(fade(par, u[0], s[0]));
}

/* It bends and slips at once: it counts as slipping if it is bent by more than half of a0. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    return par[K] * fabs(s[0]) > 0.5 * par[F] ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__bouc_wen = {
    .name = "bouc_wen",
    .title = "Bouc-Wen hysteresis as friction",
    .equation = "a_dot = v - (share |v| a |a|^(n-1) + (1 - share) v |a|^n)/a0^n,  a0 = F/K\n"
                "f = K a",
    .paper = "Bouc 1967; Wen 1976",
    .known = "Loops of any shape from one equation, and drift. In the figure the load swings "
             "slowly between\n"
             "0.384 F and 0.96 F, so it never reaches the level. With n = 2 and share = 0.5 a body "
             "should give\n"
             "way by 0.576 F/K and come back; it moves on by 0.965 F/K in every cycle, because it "
             "is softer when\n"
             "it is loaded again than when it was unloaded. A body on Coulomb friction stays.",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_CONTINUOUS | DRY_RATE_INDEPENDENT,
    .max_dim = 1,
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
    .check = check,
};
