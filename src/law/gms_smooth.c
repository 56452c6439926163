/* gms_smooth: the generalised Maxwell-slip law with smooth functions instead of its switching,
 * after Boegli, De Laet, De Schutter, Swevers 2012 (XD references 36, 37). XD says of their law
 * that it adds two functions and three parameters to GMS, and no more: the two functions below, and
 * with them n, share and eps, are ours.
 *
 *     a_i_dot = (1 - S_i) v + S_i (C/kappa_i)(lambda_i w - kappa_i a_i/g(v))
 *     f       = sum kappa_i a_i + sigma_i a_i_dot
 *     w       = tanh(v/eps)
 *     S_i     = 1/(1 + exp(-2 n (w q_i - share))),   q_i = kappa_i a_i/(lambda_i g(v))
 *     g(v)    = F + (Fs - F) exp(-|v/vs|^alpha)
 *
 * w stands for sgn(v) and S_i for the mode of `gms`, 0: sticks, 1: slips. There is no mode and
 * nothing to latch; force and rate are smooth to any order but for |v| in g. share = 1, n -> inf,
 * eps -> 0 is `gms`.
 *
 * v: sliding velocity, m/s; f: force, N; a_i: stretch of element i, m; q_i: its force as a share of
 * its level; C: rate of attraction, N/s; eps: speed of reversal, m/s; n: how sharply stick turns
 * into slip; share: the q_i about which it does; kappa, sigma, lambda: see elements.h; F, Fs, vs,
 * alpha: see stribeck.h.
 *
 * S_i is never 0. At rest w = 0, so that S_i = S0 = 1/(1 + exp(2 n share)) for every element, and
 * a_i_dot = -S0 (C/g(0)) a_i: the force decays at the rate C/(g(0) (1 + exp(2 n share))). A body
 * under a steady load q g(0) with one element creeps: v = (C/kappa)(q - w) exp(-2 n (share - w q)).
 * Nor is S_i ever 1: in steady sliding q_i - 1 = v kappa_i/(C lambda_i) exp(-2 n (q_i - share)), so
 * it slides above its level. Not passive in general, as gms.c has it. */
#include "catalogue.h"
#include "elements.h"
#include "stribeck.h"

enum { N, F, FS, VS, ALPHA, C, EPS, SHARP, SHARE, LISTS };

static const dry_law_param params[] = {
    {"N", "", "number of elements", 10.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    DRY_LAW__STRIBECK_ROWS("F", 1.0, 2.5, 5e-6),
    {"C", "N/s", "rate of attraction to the Stribeck curve in slip", 62.0, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
    {"eps", "m/s", "speed within which the force reverses", 1e-7, DRY_POSITIVE, DRY_SCALAR,
     DRY_EACH},
    {"n", "", "how sharply stick turns into slip", 20.0, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"share", "", "share of its level about which an element begins to slip", 0.8, DRY_POSITIVE,
     DRY_SCALAR, DRY_EACH},
    DRY_LAW__ELEMENTS_ROWS(1e3, DRY_NONNEGATIVE, DRY_POSITIVE),
};

static const dry_law_state states[] = {{"a", "m", "stretch of each element", DRY_PER_ELEMENT}};

static dry_law__elements elements_of(const double *par) {
    return dry_law__elements_of(&par[N], &par[LISTS]);
}

/* What all elements share: v, w and g with their derivatives by v. */
typedef struct motion {
    double v, w, w_v, g, g_v;
} motion;

static motion motion_of(const double *par, const double *u) {
    const double w = dry_tanh(u[0] / par[EPS]), speed = fabs(u[0]);
    motion m = {.v = u[0], .w = w, .w_v = (1.0 - w * w) / par[EPS]};
    m.g = dry_law__level(&par[F], speed);
    dry_law__level_gradient(&par[F], 1, u, speed, &m.g_v);
    return m;
}

/* S of an element with w q = load. */
static double slip(const double *par, double load) {
    return 1.0 / (1.0 + dry_exp(-2.0 * par[SHARP] * (load - par[SHARE])));
}

/* a_i_dot and its derivatives. */
typedef struct element {
    double rate, by_v, by_a;
} element;

static element element_at(const double *par, int i, const motion *m, double a) {
    const dry_law__elements p = elements_of(par);
    const double q_a = p.kappa[i] / (p.lambda[i] * m->g), q = q_a * a, q_v = -q * m->g_v / m->g;
    const double S = slip(par, m->w * q), C_i = par[C] * p.lambda[i] / p.kappa[i];
    const double pull = C_i * (m->w - q);
    const double change = 2.0 * par[SHARP] * S * (1.0 - S) * (pull - m->v);
    return (element){
        .rate = (1.0 - S) * m->v + S * pull,
        .by_v = 1.0 - S + S * C_i * (m->w_v - q_v) + change * (m->w_v * q + m->w * q_v),
        .by_a = change * m->w * q_a - S * C_i * q_a,
    };
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const motion m = motion_of(par, u);
    f[0] = 0.0;
    for (int i = 0; i < p.N; i++) {
        s_dot[i] = element_at(par, i, &m, s[i]).rate;
        f[0] += p.kappa[i] * s[i] + p.sigma[i] * s_dot[i];
    }
}

/* Columns v, a; rows f, a. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const motion m = motion_of(par, u);
    const int width = 1 + p.N;
    for (int k = 0; k < width * width; k++) J[k] = 0.0;
    for (int i = 0; i < p.N; i++) {
        const element e = element_at(par, i, &m, s[i]);
        J[(1 + i) * width] = e.by_v;
        J[(1 + i) * width + 1 + i] = e.by_a;
        J[0] += p.sigma[i] * e.by_v;
        J[1 + i] = p.kappa[i] + p.sigma[i] * e.by_a;
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_energy(&p, s);
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 1;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau, (void)s;
    g[0] = dry_law__level_kink(&par[F], u[0]);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_check(&p);
}

static double force_of(const dry_law__elements *p, const double *s, const double *s_dot) {
    double sum = 0.0;
    for (int i = 0; i < p->N; i++) sum += p->kappa[i] * s[i] + p->sigma[i] * s_dot[i];
    return sum;
}

/* S_i as at rest, and w = v/eps. */
static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const double S = slip(par, 0.0), g = dry_law__level(&par[F], 0.0), w = u[0] / par[EPS];
    for (int i = 0; i < p.N; i++) {
        const double pull = par[C] / p.kappa[i] * (p.lambda[i] * w - p.kappa[i] * s[i] / g);
        s_dot[i] = (1.0 - S) * u[0] + S * pull;
    }
    f[0] = force_of(&p, s, s_dot);
}

/* In steady sliding a_i_dot depends on v no more. */
static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    const dry_law__elements p = elements_of(par);
    eval(par, dim, tau, u, s, f, s_dot);
    for (int i = 0; i < p.N; i++) s_dot[i] -= u[0];
    f[0] = force_of(&p, s, s_dot);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    const motion m = motion_of(par, u);
    double most = 0.0;
    for (int i = 0; i < (int)par[N]; i++)
        most = dry_max(most, fabs(element_at(par, i, &m, s[i]).by_a));
    return most;
}

/* An element slips if S_i > 1/2. The law slips if no element sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const motion m = motion_of(par, u);
    bool all = true;
    for (int i = 0; i < p.N; i++)
        all = all && m.w * p.kappa[i] * s[i] > par[SHARE] * p.lambda[i] * m.g;
    return all ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__gms_smooth = {
    .name = "gms_smooth",
    .title = "Smoothed generalised Maxwell-slip friction",
    .equation = "a_i_dot = (1 - S_i) v + S_i (C/kappa_i)(lambda_i w - kappa_i a_i/g(v)),  w = "
                "tanh(v/eps)\n"
                "S_i = 1/(1 + exp(-2 n (w kappa_i a_i/(lambda_i g(v)) - share)))\n"
                "f = sum kappa_i a_i + sigma_i a_i_dot\n"
                "g(v) = F + (Fs - F) exp(-|v/vs|^alpha)",
    .paper = "after Boegli, De Laet, De Schutter, Swevers 2012; the two smooth functions w and "
             "S_i are ours",
    .known = "`gms` with smooth functions instead of its switches: it has no modes, and no rest. "
             "It is good for\n"
             "gradients. But S_i is never 0, so each element always slips a little: the force of "
             "a body that is\n"
             "held decays at the rate C/(g(0) (1 + exp(2 n share))), and a body under a load below "
             "the level\n"
             "creeps. In the figure, with one element, n = 5, share = 0.8 and C/F = 100 1/s, the "
             "force loses 28.5 %\n"
             "in 10 s, and a body under F/2 moves at 1.68 um/s. On `gms` force and body stay.",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_CONTINUOUS | DRY_FINITE,
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
    .check = check,
};
