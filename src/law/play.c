/* play: two flanks with play between them, r in backlash(q, h), relaxed by a Zener solid at each
 * flank (X13 (22), (23) with the interval P = [-h, h]).
 *
 *     y     = q - (1 - (alpha + tau)/(beta + tau)) e,   g = y - clip(y, -h, h)
 *     r     = K (beta + tau)/(alpha + tau) g
 *     e_dot = (r/K - e)/(beta + tau),   N = -r
 *
 * q: place, m, the psi of the catalogue; psi_dot: its rate, m/s (not used); N: force on the place,
 * N; e: depth of the inner point, m, beyond the upper flank or (negative) the lower one; h: half of
 * the play, m; K: stiffness, N/m; alpha, beta: relaxation times at a flank and between the flanks,
 * s; tau: step of the stage, s.
 *
 * At one flank it is the law contact with psi = h - q. The energy is that of the spring K beside a
 * Maxwell branch of the spring k1 = K (beta - alpha)/(alpha + tau) and the damper c1 = K (beta -
 * alpha), whose length is e:
 *
 *     V = K d^2/2 + k1 (d - e)^2/2,   d = q - clip(y, -h, h),   r q_dot - V_dot = c1 e_dot^2 >= 0
 *
 * Passive if alpha <= beta. */
#include "catalogue.h"
#include "unilateral.h"

enum { K, ALPHA, BETA, H };

static const dry_law_param params[] = {
    DRY_LAW__UNILATERAL_ROWS(0.005, 0.01),
    {"h", "m", "half of the play; positive", 1e-3, DRY_ANY, DRY_SCALAR, DRY_EACH}};

static const dry_law_state states[] = {{"e", "m", "inner indentation", DRY_ONE}};

/* How far the place presses beyond a flank, and how far the flank is pressed in. */
static double beyond(const double *par, double tau, double q, double e, double *pressed) {
    return dry_backlash_beyond((par[ALPHA] + tau) / (par[BETA] + tau), par[H], q, e, pressed);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    f[0] = -dry_backlash(par[K], par[ALPHA], par[BETA], tau, par[H], u[0], s[0], s_dot);
}

/* Of the branch of eval: dg/dq = 1, dg/de = -(1 - alpha/beta) at a flank. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim;
    const double in = par[ALPHA] + tau, out = par[BETA] + tau;
    double pressed;
    const double at = beyond(par, tau, u[0], s[0], &pressed) != 0.0 ? out / in : 0.0;
    J[0] = -par[K] * at; /* columns q, q_dot, e; rows N, e */
    J[1] = 0.0;
    J[2] = par[K] * at * (1.0 - in / out);
    J[3] = at / out;
    J[4] = 0.0;
    J[5] = -(at * (1.0 - in / out) + 1.0) / out;
}

/* r = K (out/in) g with dg = e/out by alpha, -in/out^2 e by beta and -+1 by h at a flank; e_dot =
 * (r/K - e)/out. */
static void by_par(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P) {
    (void)dim;
    enum { COLUMNS = H + 1 };
    const double in = par[ALPHA] + tau, out = par[BETA] + tau, e = s[0];
    double pressed, e_dot, r[COLUMNS] = {0.0};
    const double g = beyond(par, tau, u[0], e, &pressed);
    const double force = dry_backlash(par[K], par[ALPHA], par[BETA], tau, par[H], u[0], e, &e_dot);
    if (g != 0.0) {
        r[K] = force / par[K];
        r[ALPHA] = par[K] * (e - out * g / in) / in;
        r[BETA] = par[K] * (g / in - e / out);
        r[H] = par[K] * (out / in) * (g > 0.0 ? -1.0 : 1.0);
    }
    for (int k = 0; k < COLUMNS; k++) {
        P[k] = -r[k];
        P[COLUMNS + k] = k == K ? 0.0 : r[k] / (par[K] * out);
    }
    P[COLUMNS + BETA] -= e_dot / out;
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    double pressed;
    beyond(par, tau, u[0], s[0], &pressed);
    const double k1 = par[K] * (par[BETA] - par[ALPHA]) / (par[ALPHA] + tau);
    const double maxwell = pressed - s[0];
    return 0.5 * par[K] * pressed * pressed + 0.5 * k1 * maxwell * maxwell;
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim;
    double pressed;
    const double g_beyond = beyond(par, tau, u[0], s[0], &pressed), y = u[0] - pressed + g_beyond;
    g[0] = y - par[H];
    g[1] = y + par[H];
}

static const dry_wrong *check(const double *par, int dim) {
    static const dry_wrong none = {
        "h",
        "half of the play h is not positive: with 0 the flanks hold the place from both sides, "
        "which "
        "is a joint, and below 0 they overlap",
        "give h > 0, or leave the force out and let both bodies have one coordinate"};
    (void)dim;
    return par[H] > 0.0 ? dry_law__unilateral_check(par) : &none;
}

/* Pressed at a flank. */
static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    const double in = par[ALPHA] + tau, out = par[BETA] + tau;
    const double r = par[K] * (out / in) * (u[0] - (1.0 - in / out) * s[0]);
    f[0] = -r;
    s_dot[0] = (r / par[K] - s[0]) / out;
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)u;
    f[0] = 0.0;
    s_dot[0] = -s[0] / (par[BETA] + tau);
}

/* With the place held, e settles with (at (1 - alpha/beta) + 1)/beta, at = beta/alpha: 1/alpha. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    double pressed;
    const bool closed = beyond(par, tau, u[0], s[0], &pressed) != 0.0;
    return 1.0 / ((closed ? par[ALPHA] : par[BETA]) + tau);
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    double pressed;
    return beyond(par, tau, u[0], s[0], &pressed) != 0.0 ? DRY_CLOSED : DRY_OPEN;
}

const dry_law dry_law__play = {
    .name = "play",
    .part = "backlash",
    .title = "Play between two flanks that press and never pull",
    .equation = "y = psi - (1 - (alpha + tau)/(beta + tau)) e\n"
                "r = K (beta + tau)/(alpha + tau) (y - clip(y, -h, h)), N = -r\n"
                "e_dot = (r/K - e)/(beta + tau)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (22), (23), with an interval for the half-line",
    .set = "backlash",
    .resolvent = DRY_RESOLVENT_BACKLASH,
    .kind = DRY_CONTACT,
    .traits = DRY_PASSIVE | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = 0,
    .yields = true,
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
    .phase = phase,
    .energy = energy,
    .n_kinks = n_kinks,
    .kinks = kinks,
    .check = check,
};
