/* unilateral: derivatives, energy and switching of the contact element of X13 (24), (25), shared by
 * the laws that close a gap with it.
 *
 * In contact it is a Zener solid: a spring K beside a Maxwell branch of the spring
 * k1 = K (beta - alpha)/(alpha + tau) and the damper c1 = K (beta - alpha), e being the damper's
 * length. Out of contact its free surface sits at delta_s = e (beta - alpha)/(beta + tau), where
 * the forces of the two springs cancel, and e relaxes with e_dot = (delta_s - e)/(alpha + tau) =
 * -e/(beta + tau). Hence the energy is one function in both cases,
 *
 *     V       = K delta_s^2/2 + k1 (delta_s - e)^2/2
 *     delta_s = max(-psi, e (beta - alpha)/(beta + tau))
 *
 * and the power that is lost is c1 e_dot^2: passive if alpha <= beta. */
#ifndef DRYSTONE_LAW_UNILATERAL_H
#define DRYSTONE_LAW_UNILATERAL_H

#include <drystone/law.h>

/* K, alpha and beta as they stand in the packed parameters, with the step of the stage added. */
typedef struct dry_law__unilateral {
    double K, alpha, beta; /* alpha + tau, beta + tau */
} dry_law__unilateral;

typedef struct dry_law__unilateral_slopes {
    double N_psi, N_e, e_dot_psi, e_dot_e;
} dry_law__unilateral_slopes;

static inline dry_law__unilateral dry_law__unilateral_of(const double *par, double tau) {
    return (dry_law__unilateral){par[0], par[1] + tau, par[2] + tau};
}

/* N/K before it is cut at zero: positive in contact. */
static inline double dry_law__unilateral_kink(const dry_law__unilateral *p, double psi, double e) {
    return e - p->beta * (psi + e) / p->alpha;
}

static inline dry_law__unilateral_slopes dry_law__unilateral_slopes_at(const dry_law__unilateral *p,
                                                                       double psi, double e) {
    if (!(-(psi + e) / p->alpha > -e / p->beta))
        return (dry_law__unilateral_slopes){.e_dot_e = -1.0 / p->beta};
    const double ratio = p->beta / p->alpha;
    return (dry_law__unilateral_slopes){-p->K * ratio, p->K * (1.0 - ratio), -1.0 / p->alpha,
                                        -1.0 / p->alpha};
}

/* By K, alpha and beta: of N, and of e_dot. */
static inline void dry_law__unilateral_by_par(const dry_law__unilateral *p, double psi, double e,
                                              double *of_N, double *of_rate) {
    const bool closed = -(psi + e) / p->alpha > -e / p->beta;
    const double press = closed ? (psi + e) / p->alpha : 0.0; /* -e_dot while it is closed */
    of_N[0] = closed ? e - p->beta * press : 0.0;
    of_N[1] = p->K * p->beta * press / p->alpha;
    of_N[2] = -p->K * press;
    of_rate[0] = 0.0;
    of_rate[1] = press / p->alpha;
    of_rate[2] = closed ? 0.0 : e / (p->beta * p->beta);
}

static inline double dry_law__unilateral_energy(const dry_law__unilateral *p, double psi,
                                                double e) {
    const double apart = p->beta - p->alpha, k1 = p->K * apart / p->alpha;
    const double surface = dry_max(-psi, e * apart / p->beta), maxwell = surface - e;
    return 0.5 * p->K * surface * surface + 0.5 * k1 * maxwell * maxwell;
}

/* The closed branch, in which N may be negative. */
static inline double dry_law__unilateral_closed(const double *par, double tau, double psi, double e,
                                                double *e_dot) {
    *e_dot = -(psi + e) / (par[1] + tau);
    return par[0] * (e + (par[2] + tau) * *e_dot);
}

/* The rate at which e settles. */
static inline double dry_law__unilateral_fastest(const double *par, double tau, double psi,
                                                 double e) {
    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);
    return 1.0 / (dry_law__unilateral_kink(&p, psi, e) > 0.0 ? p.alpha : p.beta);
}

static inline const dry_wrong *dry_law__unilateral_check(const double *par) {
    static const dry_wrong wrong = {
        "alpha", "alpha is larger than beta, so each impact would gain energy",
        "lower alpha or raise beta (alpha = beta is perfectly elastic, alpha = beta/2 a usual "
        "choice)"};
    return par[2] >= par[1] ? NULL : &wrong;
}

#define DRY_LAW__UNILATERAL_ROWS(alpha, beta)                                                      \
    {"K", "N/m", "stiffness of the contact", 1e5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},             \
        {"alpha",    "s",     "relaxation time in contact; less than beta", alpha, DRY_POSITIVE,   \
         DRY_SCALAR, DRY_EACH},                                                                    \
    {                                                                                              \
        "beta", "s", "relaxation time out of contact", beta, DRY_POSITIVE, DRY_SCALAR, DRY_EACH    \
    }

#endif
