/* compliant: Hertz-like contact with residual indentation (XD (5.6)).
 *
 *     a_dot = max(-gamma a/(1 + gamma (beta1 + beta2 a)), gamma (s - a))
 *     N     = K max(0, s + gamma (beta1 + beta2 a)(s - a))
 *     s     = delta |delta|^(lambda-1),   delta = -psi
 *
 * psi: gap, m; psi_dot: its rate, m/s (not used); N: contact force, N; a: inner indentation,
 * m^lambda; K: stiffness, N/m^lambda; lambda: exponent; gamma: rate of the inner indentation, 1/s;
 * beta1, beta2: damping, s and s/m^lambda; tau: step of the stage, s, which adds to 1/gamma as it
 * adds to alpha in contact.c: with lambda = 1, beta2 = 0 the two laws are one, for every tau.
 * beta1 = beta2 = 0 is Hertz.
 *
 * With S = |delta|^(lambda+1)/(lambda+1) and its conjugate S* the elastic energy is
 * V = K S(d) + K gamma m (S(d) + S*(a) - a d), m = beta1 + beta2 a, at the surface d, which out of
 * contact is where N = 0. For beta2 = 0 the power that is lost is
 * K gamma^2 beta1 (d - a^(1/lambda))(s - a) >= 0: passive. For beta2 > 0 it is not: press quickly
 * (a = 0, m small), wait until a = s/2, go back quickly to s = a, then slowly to 0; with beta1 = 0
 * and lambda = 1 each turn gives K gamma beta2 s^3/16. */
#include "catalogue.h"
#include "inclusion.h"
#include "indentation.h"

enum { K, LAMBDA, GAMMA, BETA1, BETA2 };

static const dry_law_param params[] = {
    {"K", "N/m^lambda", "stiffness of the contact", 1e4, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"lambda", "", "exponent of the indentation; 1.5 for spheres", 1.5, DRY_AT_LEAST_ONE,
     DRY_SCALAR, DRY_EACH},
    {"gamma", "1/s", "rate of the inner indentation", 2e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta1", "s", "damping that leaves a residual indentation", 3e-3, DRY_NONNEGATIVE, DRY_SCALAR,
     DRY_EACH},
    {"beta2", "s/m^lambda", "damping that grows with the indentation", 0.1, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m^lambda", "inner indentation", DRY_ONE}};

static double rate_of(const double *par, double tau) {
    return par[GAMMA] / (1.0 + par[GAMMA] * tau);
}

/* N/K before it is cut at zero: positive in contact. */
static double pressed(const double *par, double rate, double s, double a) {
    return s + rate * (par[BETA1] + par[BETA2] * a) * (s - a);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    const double gamma = rate_of(par, tau), a = s[0];
    const double in = dry_law__indentation(par[LAMBDA], -u[0]);
    const double open = -gamma * a / (1.0 + gamma * (par[BETA1] + par[BETA2] * a));
    s_dot[0] = dry_max(open, gamma * (in - a));
    f[0] = par[K] * dry_pos(pressed(par, gamma, in, a));
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim;
    const double gamma = rate_of(par, tau), a = s[0], m = par[BETA1] + par[BETA2] * a;
    const double in = dry_law__indentation(par[LAMBDA], -u[0]);
    const double slope = dry_law__indentation_slope(par[LAMBDA], -u[0]);
    const bool closed = pressed(par, gamma, in, a) > 0.0;
    const double loose = 1.0 + gamma * m;
    J[0] = closed ? -par[K] * slope * loose : 0.0; /* columns psi, psi_dot, a; rows N, a */
    J[1] = 0.0;
    J[2] = closed ? par[K] * gamma * (par[BETA2] * (in - a) - m) : 0.0;
    J[3] = closed ? -gamma * slope : 0.0;
    J[4] = 0.0;
    J[5] = closed ? -gamma : -gamma * (1.0 + gamma * par[BETA1]) / (loose * loose);
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const double gamma = rate_of(par, tau), a = s[0], m = par[BETA1] + par[BETA2] * a;
    const double lambda = par[LAMBDA], free_surface = gamma * m * a / (1.0 + gamma * m);
    const double surface = dry_max(dry_law__indentation(lambda, -u[0]), free_surface);
    const double d = dry_law__indentation(1.0 / lambda, surface);
    const double S = dry_law__indentation_integral(lambda, d);
    const double conjugate = dry_law__indentation_integral(1.0 / lambda, a);
    return par[K] * (S + gamma * m * (S + conjugate - a * d));
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim;
    const double in = dry_law__indentation(par[LAMBDA], -u[0]);
    g[0] = pressed(par, rate_of(par, tau), in, s[0]);
    g[1] = u[0];
}

/* Closed at its present depth; zero depth if it is open. */
static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    const double gamma = rate_of(par, tau), in = dry_law__indentation(par[LAMBDA], dry_pos(-u[0]));
    s_dot[0] = gamma * (in - s[0]);
    f[0] = par[K] * pressed(par, gamma, in, s[0]);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)u;
    const double gamma = rate_of(par, tau);
    f[0] = 0.0;
    s_dot[0] = -gamma * s[0] / (1.0 + gamma * (par[BETA1] + par[BETA2] * s[0]));
}

static bool is_closed(const double *par, double tau, const double *u, const double *s) {
    return pressed(par, rate_of(par, tau), dry_law__indentation(par[LAMBDA], -u[0]), s[0]) > 0.0;
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const double gamma = rate_of(par, tau), m = par[BETA1] + par[BETA2] * s[0];
    const double forgets =
        gamma * (1.0 + gamma * par[BETA1]) / ((1.0 + gamma * m) * (1.0 + gamma * m));
    return is_closed(par, tau, u, s) ? gamma : forgets;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    return is_closed(par, tau, u, s) ? DRY_CLOSED : DRY_OPEN;
}

/* XD (5.5), of which (5.6) is the solution by XD theorem 2, with the indentation p = -psi. */
#define INNER DRY_LAW__OF(DRY_LAW__LETTER("a"))
#define PRESSING DRY_LAW__OF(DRY_LAW__DOTTED("a"))
#define RATE DRY_LAW__OF(DRY_LAW__LETTER("γ"))
#define DAMPING(number) "<msub><mi>β</mi><mrow><mn>" number "</mn><mo>,</mo><f></mrow></msub>"
#define SOLID                                                                                      \
    INNER DRY_LAW__SIGN("+") DRY_LAW__IN("<mfrac><mn>1</mn>" RATE "</mfrac>" DRY_LAW__SIGN(        \
        "+") DAMPING("1") DRY_LAW__SIGN("+") DAMPING("2") INNER) PRESSING
#define INDENTATION DRY_LAW__OF(DRY_LAW__LETTER("s"))
#define DEPTH DRY_LAW__OF(DRY_LAW__LETTER("δ"))
static const dry_law_inclusion inclusion = {
    .latex =
        "<s><f> &= K_{<f>} \\left(a_{<f>} + \\left(\\frac{1}{\\gamma_{<f>}} + \\beta_{1,<f>} + "
        "\\beta_{2,<f>} a_{<f>}\\right) \\dot a_{<f>}\\right) \\\\\n"
        "a_{<f>} + \\left(\\frac{1}{\\gamma_{<f>}} + \\beta_{1,<f>} + "
        "\\beta_{2,<f>} a_{<f>}\\right) \\dot a_{<f>} &\\in "
        "\\operatorname{dio}\\left(\\gamma_{<f>} \\left(a_{<f>} - s_{<f>}\\right) + "
        "\\dot a_{<f>}\\right) \\\\\n"
        "s_{<f>} &= \\delta_{<f>} \\left|\\delta_{<f>}\\right|^{\\lambda_{<f>} - 1}, \\quad "
        "\\delta_{<f>} = <m>",
    .mathml = "<s><f>" DRY_LAW__IS("=") DRY_LAW__OF(DRY_LAW__LETTER("K")) DRY_LAW__IN(SOLID)
        DRY_LAW__NEXT SOLID DRY_LAW__IS("∈")
            DRY_LAW__DIO(RATE DRY_LAW__IN(INNER DRY_LAW__SIGN("−") INDENTATION) DRY_LAW__SIGN("+")
                             PRESSING) DRY_LAW__NEXT INDENTATION DRY_LAW__IS("=") DEPTH
    "<msup>" DRY_LAW__SIZE(DEPTH) "<mrow>" DRY_LAW__OF(DRY_LAW__LETTER("λ"))
        DRY_LAW__SIGN("−") "<mn>1</mn></mrow></msup>" DRY_LAW__SIGN(
            ",") "<mspace width='1em'/>" DEPTH DRY_LAW__SIGN("=") "<m>",
};

const dry_law dry_law__compliant = {
    .name = "compliant",
    .title = "Compliant contact with residual indentation",
    .equation = "a_dot = max(-gamma a/(1 + gamma (beta1 + beta2 a)), gamma (s - a))\n"
                "N = K max(0, s + gamma (beta1 + beta2 a)(s - a)),  s = delta |delta|^(lambda-1), "
                "delta = -psi",
    .paper = "Xiong 2013 (dissertation), (5.6)",
    .inclusion = &inclusion,
    .kind = DRY_CONTACT,
    .traits = DRY_NEVER_PULLS | DRY_CONTINUOUS,
    .max_dim = 0,
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
    .n_kinks = n_kinks,
    .kinks = kinks,
};
