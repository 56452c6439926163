/* multistate: friction with presliding memory and lag, N elements that share one level (XD (4.13)).
 *
 *     gamma_dot = (g(v) - gamma)/tau_d,   g(v) = Fc + (Fs - Fc) exp(-|v/vs|^alpha)
 *     f_i       = sat(lambda_i gamma, kappa_i (a_i + beta_i v)),   beta_i = sigma_i/kappa_i + tau
 *     a_i_dot   = (f_i/kappa_i - a_i)/beta_i,   f = sum f_i + D v
 *
 * v: sliding velocity, m/s; f: force, N; gamma: lagged level, N; a_i: stretch of element i, m;
 * tau_d: time constant of the lag, s; D: viscous friction, N s/m; tau: step of the stage, s; kappa,
 * sigma, lambda: see elements.h. tau_d = 0: the level is g(v) itself and gamma stands still.
 *
 * Passive with V = sum kappa_i a_i^2/2, whatever the level does: each element is a coulomb law, and
 * there the level may be any function of time that is not negative. */
#include "catalogue.h"
#include "elements.h"
#include "inclusion.h"
#include "stribeck.h"

enum { N, FC, FS, VS, ALPHA, TAU_D, D, LISTS };
enum { GAMMA, A };

static const dry_law_param params[] = {
    {"N", "", "number of elements", 10.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    DRY_LAW__STRIBECK_ROWS("Fc", 1.0, 2.5, 5e-6),
    {"tau_d", "s", "time constant of the lag; 0: none", 0.02, DRY_NONNEGATIVE, DRY_SCALAR,
     DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    DRY_LAW__ELEMENTS_ROWS(2e4, DRY_POSITIVE, DRY_NONNEGATIVE),
};

static const dry_law_state states[] = {
    {"gamma", "N", "lagged friction level", DRY_ONE},
    {"a", "m", "stretch of each element", DRY_PER_ELEMENT},
};

static dry_law__elements elements_of(const double *par) {
    return dry_law__elements_of(&par[N], &par[LISTS]);
}

static double level_at(const double *par, const double *u, const double *s) {
    return par[TAU_D] > 0.0 ? s[GAMMA] : dry_law__level(&par[FC], fabs(u[0]));
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    const double level = level_at(par, u, s);
    s_dot[GAMMA] = 0.0;
    if (par[TAU_D] > 0.0)
        s_dot[GAMMA] = (dry_law__level(&par[FC], fabs(u[0])) - level) / par[TAU_D];
    const double v = u[0]; /* apart from what is written, as is the sum */
    double sum = par[D] * v;
    for (int i = 0; i < p.N; i++) {
        double fi;
        dry_friction(1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level, &v,
                     &s[A + i], &fi, &s_dot[A + i]);
        sum += fi;
    }
    f[0] = sum;
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    const dry_law__elements p = elements_of(par);
    const bool lags = par[TAU_D] > 0.0;
    const double level = level_at(par, u, s);
    double g_v;
    dry_law__level_gradient(&par[FC], dim, u, fabs(u[0]), &g_v);
    const int width = 1 + A + p.N; /* columns v, gamma, a; rows f, gamma, a */
    double *force = J, *lag = J + width;
    for (int k = 0; k < width * width; k++) J[k] = 0.0;
    lag[0] = lags ? g_v / par[TAU_D] : 0.0;
    lag[1 + GAMMA] = lags ? -1.0 / par[TAU_D] : 0.0;
    force[0] = par[D];
    for (int i = 0; i < p.N; i++) {
        double *rate = J + (1 + A + i) * width, f_v, *f_a = &force[1 + A + i];
        const dry_law__friction_slopes slopes = dry_law__friction_slopes_at(
            1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level, u, &s[A + i]);
        dry_law__friction_rows(&slopes, 0, &f_v, f_a, rate, &rate[1 + A + i]);
        const double f_level = slopes.r[0] * p.lambda[i];
        const double rate_level = f_level / (slopes.K * slopes.b);
        force[0] += f_v + (lags ? 0.0 : f_level * g_v);
        force[1 + GAMMA] += lags ? f_level : 0.0;
        rate[0] += lags ? 0.0 : rate_level * g_v;
        rate[1 + GAMMA] = lags ? rate_level : 0.0;
    }
}

/* What element i adds: by its level, and by its kappa and sigma, of which beta is made. */
static void element_by_par(const double *par, double tau, const double *u, const double *s, int i,
                           const double *of_level, double *P) {
    const dry_law__elements p = elements_of(par);
    const int columns = LISTS + 3 * p.N;
    const double level = level_at(par, u, s), kappa = p.kappa[i], sigma = p.sigma[i];
    double by[2][DRY_LAW__FRICTION_PARS];
    dry_law__friction_by_par(1, kappa, sigma / kappa, tau, p.lambda[i] * level, u, &s[A + i], by);
    for (int half = 0; half < 2; half++) {
        double *row = P + (half ? 1 + A + i : 0) * columns;
        const double *b = by[half];
        row[LISTS + i] = b[DRY_LAW__BY_K] - b[DRY_LAW__BY_BETA] * sigma / (kappa * kappa);
        row[LISTS + p.N + i] = b[DRY_LAW__BY_BETA] / kappa;
        row[LISTS + 2 * p.N + i] = b[DRY_LAW__BY_CHI] * level;
        if (par[TAU_D] > 0.0) continue; /* the level is a state */
        for (int k = 0; k < 4; k++) row[FC + k] += b[DRY_LAW__BY_CHI] * p.lambda[i] * of_level[k];
    }
}

static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    const int columns = LISTS + 3 * p.N, rows = 1 + A + p.N;
    double of_level[4], *lag_row = P + columns;
    dry_law__level_by_par(&par[FC], fabs(u[0]), of_level);
    for (int k = 0; k < rows * columns; k++) P[k] = 0.0;
    for (int i = 0; i < p.N; i++) element_by_par(par, tau, u, s, i, of_level, P);
    P[D] = u[0];
    /* without a lag the level is g itself, and jumps by nothing that is near 0 */
    if (!(par[TAU_D] > 0.0)) return;
    for (int k = 0; k < 4; k++) lag_row[FC + k] = of_level[k] / par[TAU_D];
    lag_row[TAU_D] = (s[GAMMA] - dry_law__level(&par[FC], fabs(u[0]))) / (par[TAU_D] * par[TAU_D]);
}

/* The changes of g(v). */
static void level_changes(const double *par, const double *u, const dry_tangents *ways,
                          double *level) {
    double by[4], by_v;
    bool any = false;
    for (int k = 0; k < 4; k++) any = any || ways->moves[FC + k];
    if (any) dry_law__level_by_par(&par[FC], fabs(u[0]), by);
    dry_law__level_gradient(&par[FC], 1, u, fabs(u[0]), &by_v);
    for (int w = 0; w < ways->n; w++) level[w] = by_v * ways->u[w];
    for (int k = 0; k < 4; k++)
        if (ways->moves[FC + k])
            dry_law__add_times(ways->n, by[k], ways->par + (FC + k) * ways->n, level);
}

/* The parts of one element that all its ways share. While it sticks
 *     f_i = kappa_i a_i + B v,  a_i_dot = v,   B = sigma_i + kappa_i tau
 * and while it slips f_i = +-lambda_i gamma, a_i_dot = (f_i - kappa_i a_i)/B. What v and gamma
 * change of the sum of all f_i is in by_v and by_level. */
typedef struct element {
    const dry_tangents *ways;
    int kappa, sigma, lambda, a; /* rows of ways */
    const double *level;         /* the changes of gamma */
    double *by_v, *by_level, *f, *rate;
} element;

static void sticking_changes(const element *e, double tau, double kappa, double B, double v,
                             double a) {
    const dry_tangents *ways = e->ways;
    const int n = ways->n;
    *e->by_v += B;
    dry_law__add_times(n, kappa, ways->s + e->a * n, e->f);
    if (ways->moves[e->kappa]) dry_law__add_times(n, a + tau * v, ways->par + e->kappa * n, e->f);
    if (ways->moves[e->sigma]) dry_law__add_times(n, v, ways->par + e->sigma * n, e->f);
    for (int w = 0; w < n; w++) e->rate[w] = ways->u[w];
}

static void slipping_changes(const element *e, double tau, double kappa, double B, double a,
                             double lambda, double level) {
    const dry_tangents *ways = e->ways;
    const int n = ways->n;
    const double over_B = 1.0 / B, a_dot = (lambda * fabs(level) - kappa * a) * over_B;
    *e->by_level += lambda;
    dry_law__set_times(n, lambda * over_B, e->level, -kappa * over_B, ways->s + e->a * n, e->rate);
    if (ways->moves[e->kappa])
        dry_law__add_times(n, -(a + tau * a_dot) * over_B, ways->par + e->kappa * n, e->rate);
    if (ways->moves[e->sigma])
        dry_law__add_times(n, -a_dot * over_B, ways->par + e->sigma * n, e->rate);
    if (!ways->moves[e->lambda]) return;
    dry_law__add_times(n, level, ways->par + e->lambda * n, e->f);
    dry_law__add_times(n, level * over_B, ways->par + e->lambda * n, e->rate);
}

static void tangents(const double *par, int dim, double tau, const double *u, const double *s,
                     const dry_tangents *ways, double *to) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    const int n = ways->n;
    const bool lags = par[TAU_D] > 0.0;
    const double level = level_at(par, u, s), v = u[0];
    double *lag = to + n, by_v = par[D], by_level = 0.0; /* rows f, gamma, a */
    level_changes(par, u, ways, lag);
    element e = {.ways = ways, .by_v = &by_v, .by_level = &by_level, .f = to};
    e.level = lags ? ways->s + GAMMA * n : lag;
    for (int w = 0; w < n; w++) to[w] = 0.0;
    for (int i = 0; i < p.N; i++) {
        const double kappa = p.kappa[i], B = p.sigma[i] + kappa * tau, a = s[A + i];
        const double y = kappa * a + B * v;
        e.kappa = LISTS + i;
        e.sigma = e.kappa + p.N;
        e.lambda = e.sigma + p.N;
        e.a = A + i;
        e.rate = to + (2 + i) * n;
        if (fabs(y) > p.lambda[i] * level)
            slipping_changes(&e, tau, kappa, B, a, copysign(p.lambda[i], y), copysign(level, y));
        else
            sticking_changes(&e, tau, kappa, B, v, a);
    }
    dry_law__add_times(n, by_v, ways->u, to);
    dry_law__add_times(n, by_level, e.level, to);
    if (ways->moves[D]) dry_law__add_times(n, v, ways->par + D * n, to);
    const double over = lags ? 1.0 / par[TAU_D] : 0.0;
    for (int w = 0; w < n; w++) lag[w] = lags ? (lag[w] - ways->s[GAMMA * n + w]) * over : 0.0;
    if (lags && ways->moves[TAU_D])
        dry_law__add_times(n, (level - dry_law__level(&par[FC], fabs(v))) * over * over,
                           ways->par + TAU_D * n, lag);
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_energy(&p, &s[A]);
}

static double bound(const double *par, int dim) {
    (void)dim;
    return dry_law__level_most(&par[FC]);
}

static int n_kinks(const double *par, int dim) {
    return (int)par[N] * dry_law__sat_n_kinks(dim) + 1;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    const dry_law__elements p = elements_of(par);
    const double level = level_at(par, u, s);
    for (int i = 0; i < p.N; i++)
        dry_law__friction_kinks(dim, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level,
                                u, &s[A + i], &g[2 * i]);
    g[2 * p.N] = dry_law__level_kink(&par[FC], u[0]);
}

static void start(const double *par, int dim, const double *u, double *s) {
    (void)dim;
    s[GAMMA] = dry_law__level(&par[FC], fabs(u[0]));
    for (int i = 0; i < (int)par[N]; i++) s[A + i] = 0.0;
}

static void start_by(const double *par, int dim, const double *u, double *S) {
    const int rows = A + (int)par[N], columns = LISTS + 3 * (int)par[N] + dim;
    for (int k = 0; k < rows * columns; k++) S[k] = 0.0;
    dry_law__level_by_par(&par[FC], fabs(u[0]), &S[FC]); /* row gamma */
    dry_law__level_gradient(&par[FC], dim, u, fabs(u[0]), &S[columns - dim]);
}

static const dry_wrong *check(const double *par, int dim) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    return dry_law__elements_check(&p);
}

/* The level follows the speed as usual. */
static void lag(const double *par, const double *u, const double *s, double *s_dot) {
    s_dot[GAMMA] = 0.0;
    if (par[TAU_D] > 0.0)
        s_dot[GAMMA] = (dry_law__level(&par[FC], fabs(u[0])) - s[GAMMA]) / par[TAU_D];
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    lag(par, u, s, s_dot);
    f[0] = par[D] * u[0];
    for (int i = 0; i < p.N; i++) {
        double fi;
        dry_friction(1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, (double)INFINITY, u, &s[A + i],
                     &fi, &s_dot[A + i]);
        f[0] += fi;
    }
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    lag(par, u, s, s_dot);
    for (int i = 0; i < p.N; i++)
        dry_law__slipping(1, p.sigma[i] / p.kappa[i] + tau, &s[A + i], f, &s_dot[A + i]);
    f[0] = par[D] * u[0];
}

static bool slips(const double *par, int i, double tau, const double *u, const double *s) {
    const dry_law__elements p = elements_of(par);
    return dry_law__slips(1, p.kappa[i], p.sigma[i] / p.kappa[i] + tau,
                          p.lambda[i] * level_at(par, u, s), u, &s[A + i]);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const dry_law__elements p = elements_of(par);
    double rate = par[TAU_D] > 0.0 ? 1.0 / par[TAU_D] : 0.0;
    for (int i = 0; i < p.N; i++)
        if (slips(par, i, tau, u, s)) rate = dry_max(rate, 1.0 / (p.sigma[i] / p.kappa[i] + tau));
    return rate;
}

/* It slips if no element sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    for (int i = 0; i < (int)par[N]; i++)
        if (!slips(par, i, tau, u, s)) return DRY_STICKS;
    return DRY_SLIPS;
}

/* XD (4.12), of which (4.13) is the solution by XD theorem 1; D v is added to it. */
#define KAPPA DRY_LAW__OF_ELEMENT(DRY_LAW__LETTER("κ"))
#define SIGMA DRY_LAW__OF_ELEMENT(DRY_LAW__LETTER("σ"))
#define STRETCH DRY_LAW__OF_ELEMENT(DRY_LAW__LETTER("a"))
#define STRETCHING DRY_LAW__OF_ELEMENT(DRY_LAW__DOTTED("a"))
#define ELEMENT KAPPA STRETCH DRY_LAW__SIGN("+") SIGMA STRETCHING
#define COUNT DRY_LAW__OF(DRY_LAW__LETTER("N"))
#define LEVEL "<msub><mi>F</mi><mrow><mi>c</mi><mo>,</mo><f></mrow></msub>"
#define MOST "<msub><mi>F</mi><mrow><mi>s</mi><mo>,</mo><f></mrow></msub>"
#define LAG "<msub><mi>τ</mi><mrow><mi>d</mi><mo>,</mo><f></mrow></msub>"
#define SPEED "<msub><mi>v</mi><mrow><mi>s</mi><mo>,</mo><f></mrow></msub>"
#define STRIBECK                                                                                   \
    DRY_LAW__EXP(DRY_LAW__SIGN("−") "<msup>" DRY_LAW__SIZE(                                        \
        "<mfrac><mrow><u></mrow>" SPEED "</mfrac>") DRY_LAW__OF(DRY_LAW__LETTER("α")) "</msup>")
static const dry_law_inclusion inclusion = {
    .latex = "<s><f> &= \\sum_{<i>=1}^{N_{<f>}} \\left(\\kappa_{<f>,<i>} a_{<f>,<i>} + "
             "\\sigma_{<f>,<i>} \\dot a_{<f>,<i>}\\right) + D_{<f>} <v> \\\\\n"
             "\\kappa_{<f>,<i>} a_{<f>,<i>} + \\sigma_{<f>,<i>} \\dot a_{<f>,<i>} &\\in "
             "\\lambda_{<f>,<i>} \\gamma_{<f>} "
             "\\operatorname{sgn}\\left(<u> - \\dot a_{<f>,<i>}\\right), "
             "\\quad <i> = 1, \\dots, N_{<f>} \\\\\n"
             "\\tau_{d,<f>} \\dot\\gamma_{<f>} &= F_{c,<f>} + \\left(F_{s,<f>} - F_{c,<f>}\\right) "
             "\\exp\\left(-\\left|\\frac{<u>}{v_{s,<f>}}\\right|^{\\alpha_{<f>}}\\right) "
             "- \\gamma_{<f>}",
    .latex_level = "F_{c,<f>} &= <F>",
    .mathml = "<s><f>" DRY_LAW__IS("=") "<munderover><mo>∑</mo><mrow><i><mo>=</mo><mn>1</mn></mrow>"
                                        "<mrow>" COUNT "</mrow></munderover>" DRY_LAW__IN(ELEMENT)
                                            DRY_LAW__SIGN("+") DRY_LAW__OF(DRY_LAW__LETTER("D"))
                                                DRY_LAW__THIN
    "<v>" DRY_LAW__NEXT ELEMENT DRY_LAW__IS("∈") DRY_LAW__OF_ELEMENT(DRY_LAW__LETTER("λ"))
        DRY_LAW__OF(DRY_LAW__LETTER("γ")) DRY_LAW__SGN("<u>" DRY_LAW__SIGN("−") STRETCHING)
            DRY_LAW__SIGN(",") "<mspace width='1em'/><i>" DRY_LAW__SIGN(
                "=") "<mn>1</mn><mo>,</mo><mo>…</mo><mo>,</mo>" COUNT DRY_LAW__NEXT LAG
                DRY_LAW__OF(DRY_LAW__DOTTED("γ")) DRY_LAW__IS("=") LEVEL DRY_LAW__SIGN("+")
                    DRY_LAW__IN(MOST DRY_LAW__SIGN("−") LEVEL) STRIBECK DRY_LAW__SIGN("−")
                        DRY_LAW__OF(DRY_LAW__LETTER("γ")),
    .mathml_level = LEVEL DRY_LAW__IS("=") "<F>",
};

const dry_law dry_law__multistate = {
    .name = "multistate",
    .title = "Multistate friction with presliding memory and lag",
    .equation = "gamma_dot = (g(v) - gamma)/tau_d,  g(v) = Fc + (Fs - Fc) exp(-|v/vs|^alpha)\n"
                "f_i = sat(lambda_i gamma, kappa_i a_i + (sigma_i + kappa_i tau) v)\n"
                "a_i_dot = (f_i - kappa_i a_i)/(sigma_i + kappa_i tau),  f = sum f_i + D v",
    .paper = "Xiong 2013 (dissertation), (4.13)",
    .inclusion = &inclusion,
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_NO_DRIFT | DRY_CONTINUOUS | DRY_FINITE |
              DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
    .max_dim = 1,
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
    .start = start,
    .start_by = start_by,
    .check = check,
};
