/* gms: the generalised Maxwell-slip law, N elements that stick or slip (XD (4.3), Al-Bender et al.
 * 2005).
 *
 *     a_i_dot = v                                              while element i sticks (m_i = 0)
 *     a_i_dot = (C/kappa_i)(m_i lambda_i - kappa_i a_i/g(v))   while it slips (m_i = sgn(v))
 *     f       = sum kappa_i a_i + sigma_i a_i_dot
 *     g(v)    = F + (Fs - F) exp(-|v/vs|^alpha)
 *
 * It sticks until a_i reaches lambda_i g(v)/kappa_i in the direction of v, and slips until v passes
 * zero; `latch` makes these changes after a step.
 *
 * v: sliding velocity, m/s; f: force, N; a_i: stretch of element i, m; m_i: its mode; C: rate of
 * attraction, N/s; kappa, sigma, lambda: see elements.h; F, Fs, vs, alpha: see stribeck.h.
 *
 * Not passive in general: where v falls during slip, g rises and a_i grows after it at the rate C,
 * with hardly any motion to pay for the energy. Not continuous: a_i_dot jumps with the mode. */
#include "catalogue.h"
#include "elements.h"
#include "stribeck.h"

enum { N, F, FS, VS, ALPHA, C, LISTS };

static const dry_law_param params[] = {
    {"N", "", "number of elements", 10.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    DRY_LAW__STRIBECK_ROWS("F", 1.0, 2.5, 5e-6),
    {"C", "N/s", "rate of attraction to the Stribeck curve in slip", 62.0, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
    DRY_LAW__ELEMENTS_ROWS(1e3, DRY_NONNEGATIVE, DRY_NONNEGATIVE),
};

static const dry_law_state states[] = {
    {"a", "m", "stretch of each element", DRY_PER_ELEMENT},
    {"m", "", "mode of each element: 0 sticks, 1 or -1 slips that way", DRY_PER_ELEMENT},
};

static dry_law__elements elements_of(const double *par) {
    return dry_law__elements_of(&par[N], &par[LISTS]);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const double g = dry_law__level(&par[F], fabs(u[0]));
    const double *a = s, *m = s + p.N;
    double *a_dot = s_dot, *m_dot = s_dot + p.N;
    f[0] = 0.0;
    for (int i = 0; i < p.N; i++) {
        const double pull = par[C] / p.kappa[i] * (m[i] * p.lambda[i] - p.kappa[i] * a[i] / g);
        a_dot[i] = m[i] == 0.0 ? u[0] : pull;
        m_dot[i] = 0.0;
        f[0] += p.kappa[i] * a[i] + p.sigma[i] * a_dot[i];
    }
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau;
    const dry_law__elements p = elements_of(par);
    const int width = 1 + 2 * p.N; /* columns v, a, m; rows f, a, m */
    const double speed = fabs(u[0]), g = dry_law__level(&par[F], speed);
    const double *a = s, *m = s + p.N;
    double g_v;
    dry_law__level_gradient(&par[F], dim, u, speed, &g_v);
    for (int k = 0; k < width * width; k++) J[k] = 0.0;
    for (int i = 0; i < p.N; i++) {
        double *rate = J + (1 + i) * width;
        const bool slips = m[i] != 0.0;
        rate[0] = slips ? par[C] * a[i] / g * (g_v / g) : 1.0;
        rate[1 + i] = slips ? -par[C] / g : 0.0;
        rate[1 + p.N + i] = slips ? par[C] * p.lambda[i] / p.kappa[i] : 0.0;
        for (int k = 0; k < width; k++) J[k] += p.sigma[i] * rate[k];
        J[1 + i] += p.kappa[i];
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_energy(&p, s);
}

static int n_kinks(const double *par, int dim) {
    (void)dim;
    return (int)par[N] + 1;
}

/* What ends the present mode of each element: its limit, or the end of the sliding. */
static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const double level = dry_law__level(&par[F], fabs(u[0]));
    const double *a = s, *m = s + p.N;
    for (int i = 0; i < p.N; i++)
        g[i] = m[i] == 0.0 ? p.lambda[i] * level / p.kappa[i] - fabs(a[i]) : m[i] * u[0];
    g[p.N] = dry_law__level_kink(&par[F], u[0]);
}

static bool latch(const double *par, int dim, const double *u, double *s) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    const double level = dry_law__level(&par[F], fabs(u[0])), way = dry_sgn(u[0]);
    const double *a = s;
    double *m = s + p.N;
    bool changed = false;
    for (int i = 0; i < p.N; i++) {
        const double before = m[i];
        if (m[i] * u[0] <= 0.0) m[i] = 0.0;
        if (m[i] == 0.0 && way * p.kappa[i] * a[i] >= p.lambda[i] * level) m[i] = way;
        changed |= m[i] != before;
    }
    return changed;
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_check(&p);
}

/* The force of all elements, with the modes left as they are. */
static void pull_of(const dry_law__elements *p, const double *s, double *f, double *s_dot) {
    f[0] = 0.0;
    for (int i = 0; i < p->N; i++) {
        f[0] += p->kappa[i] * s[i] + p->sigma[i] * s_dot[i];
        s_dot[p->N + i] = 0.0;
    }
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    for (int i = 0; i < p.N; i++) s_dot[i] = u[0];
    pull_of(&p, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)tau;
    const dry_law__elements p = elements_of(par);
    const double rate = par[C] / dry_law__level(&par[F], fabs(u[0]));
    for (int i = 0; i < p.N; i++) s_dot[i] = -rate * s[i];
    pull_of(&p, s, f, s_dot);
}

static bool slips(const double *par, const double *s) {
    const int n = (int)par[N];
    bool all = true;
    for (int i = 0; i < n; i++) all = all && s[n + i] != 0.0;
    return all;
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau;
    const int n = (int)par[N];
    bool any = false;
    for (int i = 0; i < n; i++) any = any || s[n + i] != 0.0;
    return any ? par[C] / dry_law__level(&par[F], fabs(u[0])) : 0.0;
}

/* It slips if no element sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    return slips(par, s) ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__gms = {
    .name = "gms",
    .title = "Generalised Maxwell-slip friction",
    .equation = "a_i_dot = v in stick, (C/kappa_i)(sgn(v) lambda_i - kappa_i a_i/g(v)) in slip\n"
                "f = sum kappa_i a_i + sigma_i a_i_dot\n"
                "g(v) = F + (Fs - F) exp(-|v/vs|^alpha)",
    .paper = "Xiong 2013 (dissertation), (4.3); Al-Bender, Lampaert, Swevers 2005",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_NO_DRIFT | DRY_FINITE | DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
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
