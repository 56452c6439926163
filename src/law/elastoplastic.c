/* elastoplastic: LuGre friction whose bristles do not slip below a breakaway deflection (Dupont,
 * Hayward, Armstrong, Altpeter 2002), so that it does not drift there.
 *
 *     a_dot = v (1 - w q),   q = |a|/a_ss,   a_ss = g(v)/K,   f = K a + B a_dot + D v
 *     w = 0 for sgn(v) != sgn(a) or q <= ba,   1 for q >= 1,
 *         1/2 + 1/2 sin(pi (q - (1 + ba)/2)/(1 - ba)) between
 *     g(v) = F + (Fs - F) exp(-|v/vs|^alpha)
 *
 * v: sliding velocity, m/s; f: friction force, N; a: deflection, m; K: stiffness, N/m; B:
 * micro-damping, N s/m; D: viscous friction, N s/m; ba: breakaway as a fraction of a_ss; F, Fs, vs,
 * alpha: see stribeck.h.
 *
 * Not passive in general, for the reason given in lugre.c with w q instead of q in 1 - q;
 * passive without a Stribeck curve (Fs = 0). */
#include "bristle.h"
#include "catalogue.h"

enum { F, FS, VS, ALPHA, K, B, D, BA };

static const dry_law_param params[] = {
    DRY_LAW__STRIBECK_ROWS("F", 0.5, 0.0, 1e-3),
    {"K", "N/m", "stiffness of the bristles", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"B", "N s/m", "micro-damping of the bristles", 10.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"ba", "", "breakaway deflection as a fraction of that of steady sliding", 0.7, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "deflection of the bristles", DRY_PER_DIM}};

static dry_law__bristle bristle_of(const double *par) {
    return (dry_law__bristle){.level = &par[F], .K = par[K], .B = par[B], .D = par[D]};
}

/* w(q) and its slope dw/dq. */
static double slip_share(double ba, double q, double *slope) {
    const double pi = 3.14159265358979323846;
    *slope = 0.0;
    if (q <= ba) return 0.0;
    if (q >= 1.0) return 1.0;
    const double angle = pi * (q - 0.5 * (1.0 + ba)) / (1.0 - ba);
    *slope = 0.5 * pi / (1.0 - ba) * dry_cos(angle);
    return 0.5 + 0.5 * dry_sin(angle);
}

static bool may_slip(double v, double a) { return (v > 0.0 && a > 0.0) || (v < 0.0 && a < 0.0); }

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    s_dot[0] = u[0];
    if (may_slip(u[0], s[0])) {
        const double q = p.K * fabs(s[0]) / dry_law__level(p.level, fabs(u[0]));
        double slope;
        s_dot[0] = u[0] * (1.0 - slip_share(par[BA], q, &slope) * q);
    }
    dry_law__bristle_force(&p, dim, u, s, s_dot, f);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    double *rate = J + 2; /* columns v, a */
    rate[0] = 1.0;
    rate[1] = 0.0;
    if (may_slip(u[0], s[0])) {
        const double speed = fabs(u[0]), g = dry_law__level(p.level, speed),
                     q = p.K * fabs(s[0]) / g;
        double slope;
        const double w = slip_share(par[BA], q, &slope);
        const double loss_q = slope * q + w; /* d(w q)/dq */
        rate[0] = 1.0 - w * q + speed * loss_q * q * dry_law__level_slope(p.level, speed) / g;
        rate[1] = -speed * loss_q * p.K / g;
    }
    dry_law__bristle_force_rows(&p, dim, J);
}

/* d(w q)/dq as above; dw/dba = dw/dq (q - 1)/(1 - ba). */
static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim, (void)tau;
    enum { COLUMNS = BA + 1 };
    const dry_law__bristle p = bristle_of(par);
    double *force = P, *rate = P + COLUMNS, a_dot = u[0];
    for (int k = 0; k < COLUMNS; k++) rate[k] = 0.0;
    if (may_slip(u[0], s[0])) {
        const double speed = fabs(u[0]), g = dry_law__level(p.level, speed),
                     q = p.K * fabs(s[0]) / g;
        double slope, of_level[4];
        const double w = slip_share(par[BA], q, &slope), loss_q = slope * q + w;
        dry_law__level_by_par(p.level, speed, of_level);
        a_dot = u[0] * (1.0 - w * q);
        for (int k = 0; k < 4; k++) rate[k] = u[0] * loss_q * q / g * of_level[k];
        rate[K] = -u[0] * loss_q * q / p.K;
        rate[BA] = -u[0] * q * slope * (q - 1.0) / (1.0 - par[BA]);
    }
    for (int k = 0; k < COLUMNS; k++) force[k] = p.B * rate[k];
    force[K] += s[0];
    force[B] += a_dot;
    force[D] += u[0];
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static int n_kinks(const double *par, int dim) {
    (void)par;
    return dim + 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)tau;
    const double steady = dry_law__level(&par[F], fabs(u[0])) / par[K];
    dry_law__bristle_kinks(dim, u, g);
    g[1] = par[BA] * steady - fabs(s[0]);
    g[2] = steady - fabs(s[0]);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    static const dry_wrong wrong = {"ba", "the breakaway fraction ba must be below 1",
                                    "0.7 is usual"};
    return par[BA] < 1.0 ? NULL : &wrong;
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

/* d(w q)/dq, which is 1 in steady sliding. */
static double loss_slope(const double *par, const double *u, const double *s) {
    double slope;
    if (!may_slip(u[0], s[0])) return 0.0;
    const double q = par[K] * fabs(s[0]) / dry_law__level(&par[F], fabs(u[0]));
    const double w = slip_share(par[BA], q, &slope);
    return slope * q + w;
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau;
    const dry_law__bristle p = bristle_of(par);
    return fabs(loss_slope(par, u, s)) * dry_law__bristle_fade(&p, dim, u);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    return loss_slope(par, u, s) > 0.0 ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__elastoplastic = {
    .name = "elastoplastic",
    .title = "Elastoplastic bristle friction",
    .equation = "a_dot = v (1 - w(q) q),  q = K |a|/g(v),  f = K a + B a_dot + D v\n"
                "w = 0 for q <= ba or sgn(v) != sgn(a), 1 for q >= 1, a half sine between\n"
                "g(v) = F + (Fs - F) exp(-|v/vs|^alpha)",
    .paper = "Dupont, Hayward, Armstrong, Altpeter 2002",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_NO_DRIFT | DRY_CONTINUOUS | DRY_FINITE | DRY_RATE_INDEPENDENT,
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
    .n_kinks = n_kinks,
    .kinks = kinks,
    .check = check,
};
