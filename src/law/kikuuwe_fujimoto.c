/* kikuuwe_fujimoto: unilateral contact N in dio(psi + e) with a spring and a damper (X13 (21)).
 *
 *     N = K (e + beta e_dot)  in  dio(psi + e)
 *
 * With tau this is the implicit Euler method of Kikuuwe and Fujimoto, and (24), (25) for alpha = 0:
 *
 *     e_dot = max(-e/(beta + tau), -(psi + e)/tau),   N = K (e + (beta + tau) e_dot)
 *
 * Without tau, e_dot follows from the derivative of psi + e = 0:
 *
 *     e_dot = max(-e/beta, -psi_dot) for psi + e <= 0, else -e/beta,   N = K (e + beta e_dot)
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; e: inner indentation, m; K: stiffness,
 * N/m; beta: relaxation time out of contact, s; tau: step of the stage, s. A step that closes the
 * gap leaves psi + e a little below 0, and then -psi stands for e.
 *
 * Passive: in continuous time with V = K max(e, -psi)^2/2, the power K beta e_dot^2 being lost;
 * with tau see unilateral.h. Not continuous: at touch-down N jumps to -K beta psi_dot. */
#include "catalogue.h"
#include "inclusion.h"
#include "unilateral.h"

enum { K, BETA };

static const dry_law_param params[] = {
    {"K", "N/m", "stiffness of the contact", 1e5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "relaxation time out of contact", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {{"e", "m", "inner indentation", DRY_ONE}};

static dry_law__unilateral stepped(const double *par, double tau) {
    return (dry_law__unilateral){par[K], tau, par[BETA] + tau};
}

/* The rest is in continuous time. e is not negative along any motion; a negative one counts as 0.
 */
static double above_dent(const double *u, const double *s) { return u[0] + dry_pos(s[0]); }
static bool touches(const double *u, const double *s) { return above_dent(u, s) <= 0.0; }

/* N/K of a contact that touches, before it is cut at zero. */
static double pressed(const double *par, const double *u) { return -u[0] - par[BETA] * u[1]; }

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    if (tau > 0.0) {
        f[0] = dry_contact(par[K], 0.0, par[BETA], tau, u[0], s[0], s_dot);
        return;
    }
    const bool closed = touches(u, s) && pressed(par, u) > 0.0;
    s_dot[0] = closed ? -u[1] : (touches(u, s) ? u[0] : -s[0]) / par[BETA];
    f[0] = closed ? par[K] * pressed(par, u) : 0.0;
}

/* Columns psi, psi_dot, e; rows N, e. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim;
    for (int i = 0; i < 6; i++) J[i] = 0.0;
    if (tau > 0.0) {
        const dry_law__unilateral p = stepped(par, tau);
        const dry_law__unilateral_slopes slopes = dry_law__unilateral_slopes_at(&p, u[0], s[0]);
        J[0] = slopes.N_psi;
        J[2] = slopes.N_e;
        J[3] = slopes.e_dot_psi;
        J[5] = slopes.e_dot_e;
    } else if (!touches(u, s)) {
        J[5] = -1.0 / par[BETA];
    } else if (pressed(par, u) > 0.0) {
        J[0] = -par[K];
        J[1] = -par[K] * par[BETA];
        J[4] = -1.0;
    } else {
        J[3] = 1.0 / par[BETA];
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const dry_law__unilateral p = stepped(par, tau);
    if (tau > 0.0) return dry_law__unilateral_energy(&p, u[0], s[0]);
    const double surface = dry_max(dry_pos(s[0]), -u[0]);
    return 0.5 * par[K] * surface * surface;
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim;
    const dry_law__unilateral p = stepped(par, tau);
    g[0] = tau > 0.0 ? dry_law__unilateral_kink(&p, u[0], s[0]) : above_dent(u, s);
    g[1] = tau > 0.0 ? 1.0 : pressed(par, u);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    const double zener[] = {par[K], 0.0, par[BETA]};
    if (tau > 0.0) {
        f[0] = dry_law__unilateral_closed(zener, tau, u[0], s[0], s_dot);
        return;
    }
    s_dot[0] = -u[1];
    f[0] = -par[K] * (u[0] + par[BETA] * u[1]);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)u;
    f[0] = 0.0;
    s_dot[0] = -s[0] / (par[BETA] + tau);
}

/* In continuous time e follows the gap while it touches. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    const double zener[] = {par[K], 0.0, par[BETA]};
    if (tau > 0.0) return dry_law__unilateral_fastest(zener, tau, u[0], s[0]);
    return touches(u, s) ? 0.0 : 1.0 / par[BETA];
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    double N, e_dot;
    eval(par, dim, tau, u, s, &N, &e_dot);
    return N > 0.0 ? DRY_CLOSED : DRY_OPEN;
}

/* X13 (21) */
#define STRETCH DRY_LAW__OF(DRY_LAW__LETTER("e"))
static const dry_law_inclusion inclusion = {
    .latex = "<s><f> &= K_{<f>} \\left(e_{<f>} + \\beta_{<f>} \\dot e_{<f>}\\right) \\in "
             "\\operatorname{dio}\\left(<u> + e_{<f>}\\right)",
    .mathml = "<s><f>" DRY_LAW__IS("=") DRY_LAW__OF(DRY_LAW__LETTER("K"))
        DRY_LAW__IN(STRETCH DRY_LAW__SIGN("+") DRY_LAW__OF(DRY_LAW__LETTER("β"))
                        DRY_LAW__OF(DRY_LAW__DOTTED("e"))) DRY_LAW__SIGN("∈")
            DRY_LAW__DIO("<u>" DRY_LAW__SIGN("+") STRETCH),
};

const dry_law dry_law__kikuuwe_fujimoto = {
    .name = "kikuuwe_fujimoto",
    .title = "Kikuuwe-Fujimoto contact",
    .equation = "N = K (e + beta e_dot) in dio(psi + e):\n"
                "e_dot = max(-e/(beta + tau), -(psi + e)/tau),  N = K (e + (beta + tau) e_dot)\n"
                "tau -> 0: e_dot = max(-e/beta, -psi_dot) for psi + e <= 0, else -e/beta",
    .paper = "Kikuuwe, Fujimoto 2007; Xiong, Kikuuwe, Yamamoto 2013, (21)",
    .known = "The inclusion from which X13 starts. It never pulls and leaves a dent, as `contact` "
             "does, but it is not\n"
             "an ordinary differential equation of psi and e: in continuous time it needs psi_dot, "
             "and at\n"
             "touch-down N jumps to K beta v, in the figure to 200 N. The alpha of X13 (22) "
             "removes the jump.",
    .inclusion = &inclusion,
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_NEVER_PULLS | DRY_FINITE,
    .max_dim = 0,
    .uses_rate = true,
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
