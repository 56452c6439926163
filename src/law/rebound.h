/* rebound: Hunt-Crossley contacts, and those among them that take their damping from a wanted
 * restitution.
 *
 *     N = K delta^lambda (1 + b delta_dot)  for delta > 0,  else 0,   delta = -psi,   b = c/v0
 *
 * psi: gap, m; K: stiffness, N/m^lambda; lambda: exponent; b: damping, s/m; c: a number that each
 * law gives as a function of the wanted restitution; v0: speed at touch-down, m/s, which is a
 * state: 0 while the gap is open, set after the step that closes it (`latch`), and held until the
 * gap opens again. Until it is set the present speed stands for it, which is the same number at
 * touch-down. It is never taken for less than `speed`, because b is infinite at v0 = 0.
 *
 * Passive with V = K delta^(lambda+1)/(lambda+1), because the damping force opposes the motion.
 * What restitution comes out depends on c alone (dry_hunt_crossley_restitution). */
#ifndef DRYSTONE_LAW_REBOUND_H
#define DRYSTONE_LAW_REBOUND_H

#include "indentation.h"

/* ---- the exact damping of a restitution ------------------------------------------------ */

/* u - ln(1 + u), u > -1, without cancellation: u^2 (1/2 - u/3 + u^2/4 - ...) near zero. Elsewhere
 * u/(w - 1) makes good what w = 1 + u rounds away. Native code has exp, log and tanh, no log1p. */
static inline double dry_law__rebound_excess(double u) {
    const double w = 1.0 + u;
    if (fabs(u) > 0.1) return u - dry_log(w) * (u / (w - 1.0));
    double sum = 0.0;
    for (int k = 20; k >= 2; k--) sum = 1.0 / (double)k - u * sum;
    return u * u * sum;
}

/* 1 - exp(-y) without cancellation. */
static inline double dry_law__rebound_share(double y) {
    const double half = dry_tanh(0.5 * y);
    return 2.0 * half / (1.0 + half);
}

/* The c of a restitution e, 0 < e <= 1: the root c > 0 of (1 + c)/(1 - e c) = exp(c (1 + e)), which
 * is h(v) = h(-e v) of rebound.c. In y = -ln(1 - e c), which has no upper end, with x = e c:
 *
 *     H(y) = x/e - ln(1 + x/e) - (y - x) = 0,   H' = x (1 + e) (1 - e - x)/(e (e + x))
 *
 * H has its maximum at y = -ln e, and is concave beyond it. So Newton's method from y = -2 ln e
 * (where c = (1 - e^2)/e) is beyond the root after one step, and comes down to it from there.
 * 1 - x is exp(-y) where x is near 1, because a small e would be lost beside it. */
static inline double dry_law__rebound_exact(double e) {
    double y = -2.0 * dry_log(e), x = dry_law__rebound_share(y);
    for (int i = 0; i < 60 && x > 0.0; i++) {
        const double behind = y > 0.1 ? y - x : dry_law__rebound_excess(-x);
        const double left = x < 0.5 ? 1.0 - e - x : dry_exp(-y) - e;
        const double slope = x * (1.0 + e) * left / (e * (e + x));
        const double next = y - (dry_law__rebound_excess(x / e) - behind) / slope;
        if (i > 0 && !(next < y)) break;
        y = next, x = dry_law__rebound_share(y);
    }
    return x > 0.0 ? x / e : 0.0;
}

/* ---- the force with a damping b ------------------------------------------------------- */

static inline double dry_law__rebound_force(double K, double lambda, double b, const double *u) {
    return K * dry_pos(dry_law__indentation(lambda, -u[0])) * (1.0 - b * u[1]);
}

/* Its derivatives by psi and psi_dot. */
static inline void dry_law__rebound_slopes(double K, double lambda, double b, const double *u,
                                           double *J) {
    const bool closed = u[0] < 0.0;
    const double in = dry_law__indentation(lambda, -u[0]);
    const double slope = dry_law__indentation_slope(lambda, -u[0]);
    J[0] = closed ? -K * slope * (1.0 - b * u[1]) : 0.0;
    J[1] = closed ? -K * in * b : 0.0;
}

/* ---- the damping of a wanted restitution ---------------------------------------------- */

enum { DRY_LAW__REBOUND_K, DRY_LAW__REBOUND_LAMBDA, DRY_LAW__REBOUND_E, DRY_LAW__REBOUND_SPEED };

#define DRY_LAW__REBOUND_ROWS                                                                        \
    {"K", "N/m^lambda", "stiffness of the contact", 1e4, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},        \
        {"lambda",   "",      "exponent of the indentation; 1.5 for spheres", 1.5, DRY_AT_LEAST_ONE, \
         DRY_SCALAR, DRY_EACH},                                                                      \
        {"restitution", "",      "wanted coefficient of restitution, up to 1", 0.5, DRY_POSITIVE,    \
         DRY_SCALAR,    DRY_EACH},                                                                   \
    {                                                                                                \
        "speed", "m/s", "least speed at touch-down; a slower one counts as this", 1e-2,              \
            DRY_POSITIVE, DRY_SCALAR, DRY_EACH                                                       \
    }

#define DRY_LAW__REBOUND_STATES                                                                    \
    { "v0", "m/s", "speed at the last touch-down; 0 while the gap is open", DRY_ONE }

/* v0: the state, or the present speed until it is set. */
static inline double dry_law__rebound_speed(const double *par, const double *u, const double *s) {
    return dry_max(par[DRY_LAW__REBOUND_SPEED], s[0] > 0.0 ? s[0] : -u[1]);
}

static inline void dry_law__rebound_eval(double c, const double *par, const double *u,
                                         const double *s, double *f, double *s_dot) {
    const double b = c / dry_law__rebound_speed(par, u, s);
    f[0] = dry_law__rebound_force(par[DRY_LAW__REBOUND_K], par[DRY_LAW__REBOUND_LAMBDA], b, u);
    s_dot[0] = 0.0;
}

/* Columns psi, psi_dot, v0; rows N, v0. */
static inline void dry_law__rebound_jacobian(double c, const double *par, const double *u,
                                             const double *s, double *J) {
    const double v0 = dry_law__rebound_speed(par, u, s);
    const double in = dry_pos(dry_law__indentation(par[DRY_LAW__REBOUND_LAMBDA], -u[0]));
    const double by_v0 = par[DRY_LAW__REBOUND_K] * in * c * u[1] / (v0 * v0);
    const bool follows = v0 > par[DRY_LAW__REBOUND_SPEED]; /* it is not the least speed */
    dry_law__rebound_slopes(par[DRY_LAW__REBOUND_K], par[DRY_LAW__REBOUND_LAMBDA], c / v0, u, J);
    J[1] -= follows && !(s[0] > 0.0) ? by_v0 : 0.0;
    J[2] = follows && s[0] > 0.0 ? by_v0 : 0.0;
    J[3] = J[4] = J[5] = 0.0;
}

static inline void dry_law__rebound_start(const double *par, const double *u, double *s) {
    s[0] = u[0] < 0.0 ? dry_max(par[DRY_LAW__REBOUND_SPEED], -u[1]) : 0.0;
}

static inline bool dry_law__rebound_latch(const double *par, const double *u, double *s) {
    const bool closed = u[0]<0.0, was_closed = s[0]> 0.0;
    if (closed != was_closed) dry_law__rebound_start(par, u, s);
    return closed != was_closed;
}

/* The gap, and until v0 is set the least speed. */
static inline void dry_law__rebound_kinks(const double *par, const double *u, const double *s,
                                          double *g) {
    g[0] = u[0];
    g[1] = s[0] > 0.0 ? 1.0 : par[DRY_LAW__REBOUND_SPEED] + u[1];
}

static inline const dry_wrong *dry_law__rebound_check(const double *par) {
    static const dry_wrong wrong = {
        "restitution", "the wanted restitution is larger than 1, so each impact would gain energy",
        "give a number up to 1"};
    return par[DRY_LAW__REBOUND_E] <= 1.0 ? NULL : &wrong;
}

#endif
