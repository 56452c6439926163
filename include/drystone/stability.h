/* stability: checks whether the step of a run is stable for its method, by one algorithm for all
 * models.
 *
 * Near a state x, while no element changes between stick and slip or open and closed, a model is y'
 * = J y, with J from differences of its rate. A step T of a method multiplies y by R(T J). A mode
 * of R may grow only if it grows in y' = J y. The check examines the extremes of the model, its
 * branches: all stuck or all sliding, all closed or all open. R of a mode follows from the row of
 * the method (ode.h, dry_stability) and from one step of the method itself. A method whose row
 * lacks this passes no check.
 *
 * Floor 1: core, base, math, law, ode. */
#ifndef DRYSTONE_STABILITY_H
#define DRYSTONE_STABILITY_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- branches of a model --------------------------------------------------- */

/* Phases that all laws of a model have together. */
typedef enum dry_branch {
    DRY_AS_IS,       /* the phases that follow from the state */
    DRY_ALL_STUCK,   /* and all closed */
    DRY_ALL_SLIDING, /* and all closed */
    DRY_ALL_OPEN,    /* and all stuck */
    DRY_ALL_LOOSE    /* sliding and open */
} dry_branch;

/* Returns true if a law is loose in the branch, false if it is stuck. Do not pass DRY_AS_IS. */
DRY_INLINE bool dry_branch_is_loose(dry_branch branch, dry_law_kind kind) {
    return branch == DRY_ALL_LOOSE ||
           (kind == DRY_FRICTION ? branch == DRY_ALL_SLIDING : branch == DRY_ALL_OPEN);
}

/* Evaluates the law as it is, or its stuck or loose end if the branch requires it. */
DRY_INLINE void dry_law_eval_in(dry_branch branch, const dry_law *law, const double *par, int dim,
                                double tau, const double *u, const double *s, double *f,
                                double *s_dot) {
    if (branch == DRY_AS_IS)
        law->eval(par, dim, tau, u, s, f, s_dot);
    else if (dry_branch_is_loose(branch, law->kind))
        law->loose(par, dim, tau, u, s, f, s_dot);
    else
        law->stuck(par, dim, tau, u, s, f, s_dot);
}

/* "all stuck and all closed" */
DRY_API const char *dry_branch_text(dry_branch branch);
/* Lists the branches of a model with frictions, contacts or both, DRY_ALL_STUCK first; returns how
 * many. */
DRY_API int dry_branches_of(bool frictions, bool contacts, dry_branch branches[4]);

/* ---- one mode --------------------------------------------------------------- */

/* |R(z)| for a mode z = T lambda = re + i im without positions; NaN if the row of the method lacks
 * it. */
DRY_API double dry_amplification(const dry_method *method, double re, double im);

/* Returns true if step T integrates a mode lambda = re + i im, 1/s, stably: the rate ln|R|/T is at
 * most max(0, re + 1e-3 |lambda|). A damped mode must not grow, an undamped one hardly, and a mode
 * that grows physically must not grow noticeably faster. True for a method that controls its steps;
 * false if the row of the method lacks R. */
DRY_API bool dry_mode_stable(const dry_method *method, double re, double im, double step);

/* The relative error of a mode after one step, |R(z) e^-z - 1|. For a staggered method it is that
 * of an oscillating mode, |z|^3/24. NaN if the row of the method lacks R. */
DRY_API double dry_mode_error(const dry_method *method, double re, double im, double step);

/* Modes with |z| up to this radius are stable in every direction; 0 if no bound is known. */
DRY_API double dry_safe_radius(const dry_method *method);

/* The largest step for which all n modes are stable, rounded down to 3 digits; INFINITY if there is
 * no bound, 0 if the row of the method lacks R. */
DRY_API double dry_largest_step(const dry_method *method, int n, const double *re,
                                const double *im);

/* The fastest rate, 1/s, of a decaying mode that steps T of the method integrate stably: INFINITY
 * if there is no bound, 0 if the row of the method lacks R. */
DRY_API double dry_fastest_rate(const dry_method *method, double step);

/* The options of a run of the system (ode.h) for a method of ode or stiff; NULL: of no system. A
 * law that becomes too fast for the step ends the run; with `force` the run only notes it. */
DRY_API dry_ode_options dry_run_ode(const dry_run_options *run, const dry_system *system);

/* y = J v */
typedef void dry_product_fn(void *user, const double *v, double *y);

/* Estimates the spectral radius of an n by n matrix through at most `max_products` >= 1 products,
 * to a few percent with about 100 of them. Deterministic. work: 3 n numbers. Returns NaN if a
 * product is not finite. */
DRY_API double dry_spectral_radius(int n, dry_product_fn *product, void *user, int max_products,
                                   double *work);

/* The share of a force of frequency omega (1/s) that a stuck friction element transmits to the mass
 * m:
 *     H = |K(1 + i beta omega)/(K - m omega^2 + i K beta omega)| */
DRY_API double dry_transmissibility(double K, double beta, double mass, double omega);

/* ---- all modes together ----------------------------------------------------- */

/* The fastest mode. */
typedef struct dry_mode {
    double rate; /* |lambda|, 1/s */
    bool swings; /* it oscillates; false: it decays */
} dry_mode;

/* Returns true if steps T are stable for y' = J y, from the matrix of one step; `fastest` becomes
 * the fastest mode and may be NULL. Also returns true if J is not finite, or without memory; the
 * arena remembers the latter. */
DRY_API bool dry_linear_is_stable(dry_arena *arena, const dry_method *method,
                                  const dry_linear *linear, double T, dry_mode *fastest);

/* ---- one mass between springs ------------------------------------------------ */

/* The response of a part in one direction to a small motion p, v where it is stiffest, with
 * friction stuck and contacts closed; a and e are states (X13 (18), (24); tau as in KY08 (19)):
 *     f = -(K p + C v + Kf a + Ktau tau v) + N,   a_dot = v
 *     N = Kc (e + (beta + tau) e_dot),            e_dot = -(p + e)/(alpha + tau)
 * K, Kf, Ktau, Kc: N/m (N m); C: N s/m (N m s); alpha, beta: s, used if Kc is not 0. */
typedef struct dry_firmness {
    double K, C, Kf, Ktau, Kc, alpha, beta;
} dry_firmness;

/* Returns true if fixed steps T, s, of a method are stable for a motion of this firmness per mass,
 * and for similar motions down to a tenth as stiff. It uses the matrix of a step, with the tau of
 * each stage. */
DRY_API bool dry_firmness_is_stable(const dry_firmness *per_mass, const dry_method *method,
                                    double T);
/* The largest such step up to T, to three digits. */
DRY_API double dry_firmness_largest(const dry_firmness *per_mass, const dry_method *method,
                                    double T);
/* Its fastest mode. */
DRY_API dry_mode dry_firmness_mode(const dry_firmness *per_mass, double tau);

/* ---- the check of a step ----------------------------------------------------- */

enum { DRY_STEP_DENSE = 160 }; /* the check estimates larger systems */

typedef struct dry_step_check {
    dry_arena *arena; /* marked as failed without memory */
    const dry_method *method;
    const void *options; /* of the method's own room; NULL: none */
    int n;
    const bool *positions, *forced; /* as in dry_linear */
    const double *x;                /* n numbers: the state at which the model is checked */
    void (*rate)(void *user, dry_branch branch, double tau, const double *x, double *x_dot);
    void *user;
    dry_branch branches[4];
    int n_branches;
    bool doubts; /* for a larger system, report only what is certain: that the method is stable for
                    no mode of that size */
} dry_step_check;

typedef struct dry_step_answer {
    bool known;        /* false: no memory, or the model has no numbers */
    double fastest;    /* of the first branch, |lambda| in 1/s; NaN if only `step` was checked */
    double largest;    /* step that is stable in all branches; INFINITY: no bound */
    dry_branch branch; /* that requires it */
    dry_mode mode;     /* the mode that requires it; if not known, the fastest mode of that
                          branch */
} dry_step_answer;

/* Finds the largest stable step. For methods whose R depends on the step itself, the search starts
 * at `step`. */
DRY_API void dry_step_largest(const dry_step_check *check, double step, dry_step_answer *answer);
/* Returns true if the step is stable: the same answer, usually faster. */
DRY_API bool dry_step_fits(const dry_step_check *check, double step);

/* The longest step up to `step` that resolves lasting oscillations: no mode with |re| below a
 * twentieth of |lambda| has a relative error above `error` at the end of its life, the shorter of
 * `time` and 1/|re|. More damped modes have decayed by then and only need a stable step. Returns
 * `step` if the system is larger than DRY_STEP_DENSE or the row of the method lacks R. mode: the
 * one that requires the step; may be NULL. */
DRY_API double dry_step_resolving(const dry_step_check *check, double step, double time,
                                  double error, dry_mode *mode);

#ifdef __cplusplus
}
#endif
#endif
