/* stability: whether the step of a run is short enough for its method, one algorithm for all
 * models.
 *
 * Near a state x a model in which nothing changes from sticking to slipping, or from open to
 * closed, is y' = J y, J by differences of its rate. A step T of a method makes R(T J) of it, and
 * no mode of R may grow that does not grow by itself. So it is asked of the ends of what the model
 * can be, its branches: all stuck or all sliding, all closed or all open. What the method does to a
 * mode follows from its row (ode.h, dry_stability) and from a step of its own; a row that says
 * nothing passes nothing.
 *
 * Floor 2: core, base, math, law, ode. It stands below the rooms that ask it: lang for equations
 * and for what they do to parts, net for parts. */
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

/* What the laws of a model may be together. */
typedef enum dry_branch {
    DRY_AS_IS,       /* whatever the state says */
    DRY_ALL_STUCK,   /* and all closed */
    DRY_ALL_SLIDING, /* and all closed */
    DRY_ALL_OPEN,    /* and all stuck */
    DRY_ALL_LOOSE    /* sliding and open */
} dry_branch;

/* Whether a law is loose there, else stuck; never asked of DRY_AS_IS. */
DRY_INLINE bool dry_branch_is_loose(dry_branch branch, dry_law_kind kind) {
    return branch == DRY_ALL_LOOSE ||
           (kind == DRY_FRICTION ? branch == DRY_ALL_SLIDING : branch == DRY_ALL_OPEN);
}

/* The law as it is, or the end of it that a branch asks for. */
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
/* The branches of a model with frictions, contacts or both; returns how many, the first of them
 * DRY_ALL_STUCK. */
DRY_API int dry_branches_of(bool frictions, bool contacts, dry_branch branches[4]);

/* ---- one mode --------------------------------------------------------------- */

/* |R(z)| for a mode z = T lambda = re + i im that has no positions in it. NaN where the row of the
 * method does not tell it. */
DRY_API double dry_amplification(const dry_method *method, double re, double im);

/* Whether a mode lambda = re + i im, 1/s, is integrated stably by step T: the rate ln|R|/T is at
 * most max(0, re + 1e-3 |lambda|). A damped mode must not grow, an undamped one hardly, and one
 * that grows by its physics not noticeably faster than it should. True for a method that controls
 * its steps, false for one whose row does not tell. */
DRY_API bool dry_mode_stable(const dry_method *method, double re, double im, double step);

/* How far one step takes a mode off, as a part of it: |R(z) e^-z - 1|. Of a staggered method it is
 * that of a mode that swings, |z|^3/24. NaN where the row of the method does not tell. */
DRY_API double dry_mode_error(const dry_method *method, double re, double im, double step);

/* Modes up to this |z| are stable, whatever their direction; 0 where no bound is known. */
DRY_API double dry_safe_radius(const dry_method *method);

/* The largest step for which all n modes are stable, to 3 digits and on the safe side; INFINITY
 * where there is no bound, 0 where the row of the method does not tell. */
DRY_API double dry_largest_step(const dry_method *method, int n, const double *re,
                                const double *im);

/* The fastest rate, 1/s, of a mode that settles which steps T of the method can follow: INFINITY
 * where any is, 0 where the row of the method does not tell. */
DRY_API double dry_fastest_rate(const dry_method *method, double step);

/* The options of a run (ode.h) for a method of ode or stiff. A law that becomes faster than its
 * steps can follow ends the run; with `force` it is noted. */
DRY_API dry_ode_options dry_run_ode(const dry_run_options *run);

/* y = J v */
typedef void dry_product_fn(void *user, const double *v, double *y);

/* Estimates the spectral radius of an n by n matrix through at most `max_products` >= 1 products,
 * to a few percent with about 100 of them. Deterministic. work: 3 n numbers. NaN where a product is
 * not finite. */
DRY_API double dry_spectral_radius(int n, dry_product_fn *product, void *user, int max_products,
                                   double *work);

/* How much a stuck friction element passes on of a force of frequency omega (1/s), m the mass:
 *     H = |K(1 + i beta omega)/(K - m omega^2 + i K beta omega)| */
DRY_API double dry_transmissibility(double K, double beta, double mass, double omega);

/* ---- all modes together ----------------------------------------------------- */

/* The fastest mode. */
typedef struct dry_mode {
    double rate; /* |lambda|, 1/s */
    bool swings; /* else it settles */
} dry_mode;

/* Whether steps T are stable for y' = J y, by the matrix that one of them is; `fastest` is told,
 * and may be NULL. Where the model has no numbers nothing is found unstable, nor without memory,
 * which the arena remembers. */
DRY_API bool dry_linear_is_stable(dry_arena *arena, const dry_method *method,
                                  const dry_linear *linear, double T, dry_mode *fastest);

/* ---- one mass between springs ------------------------------------------------ */

/* How one direction of a part answers to a small motion p, v where it is stiffest, friction stuck
 * and contacts closed, with states a and e (X13 (18), (24); tau as in KY08 (19)):
 *     f = -(K p + C v + Kf a + Ktau tau v) + N,   a_dot = v
 *     N = Kc (e + (beta + tau) e_dot),            e_dot = -(p + e)/(alpha + tau)
 * K, Kf, Ktau, Kc: N/m (N m); C: N s/m (N m s); alpha, beta: s, where Kc is not 0. */
typedef struct dry_firmness {
    double K, C, Kf, Ktau, Kc, alpha, beta;
} dry_firmness;

/* Whether steps T, s, of a method with fixed steps are stable for one motion of this firmness per
 * mass, and for those of the same kind that are down to a tenth as stiff: by the matrix of a step,
 * with the tau that each stage has. */
DRY_API bool dry_firmness_is_stable(const dry_firmness *per_mass, const dry_method *method,
                                    double T);
/* The largest such step up to T, to three digits. */
DRY_API double dry_firmness_largest(const dry_firmness *per_mass, const dry_method *method,
                                    double T);
/* Its fastest mode. */
DRY_API dry_mode dry_firmness_mode(const dry_firmness *per_mass, double tau);

/* ---- the check of a step ----------------------------------------------------- */

enum { DRY_STEP_DENSE = 160 }; /* larger systems are estimated */

typedef struct dry_step_check {
    dry_arena *arena; /* remembers that there was no memory */
    const dry_method *method;
    const void *options; /* of the method's own room; NULL: none */
    int n;
    const bool *positions, *forced; /* as in dry_linear */
    const double *x;                /* n: where the model is looked at */
    void (*rate)(void *user, dry_branch branch, double tau, const double *x, double *x_dot);
    void *user;
    dry_branch branches[4];
    int n_branches;
    bool doubts; /* of a larger system only what is certain is told: that the method is stable for
                    no mode of that size */
} dry_step_check;

typedef struct dry_step_answer {
    bool known;        /* false: no memory, or the model has no numbers */
    double fastest;    /* of the first branch, |lambda| in 1/s; NaN where only `step` was asked */
    double largest;    /* step that is stable in all branches; INFINITY: none is too long */
    dry_branch branch; /* that asks for it */
    dry_mode mode;     /* the mode that does; the fastest one there where that is not known */
} dry_step_answer;

/* The largest step of the method; of methods whose R depends on the step itself it is looked for
 * from `step` on. */
DRY_API void dry_step_largest(const dry_step_check *check, double step, dry_step_answer *answer);
/* Whether the step is stable: the same answer, mostly sooner. */
DRY_API bool dry_step_fits(const dry_step_check *check, double step);

/* The longest step up to `step` that resolves what swings for long: no mode with |re| below a
 * twentieth of |lambda| is off by more than the part `error` after its life, the shorter of `time`
 * and 1/|re|. What is damped more has settled by then, and needs a stable step alone. `step` where
 * the system is larger than DRY_STEP_DENSE, or the row of the method does not tell. mode: that
 * asks for it; may be NULL. */
DRY_API double dry_step_resolving(const dry_step_check *check, double step, double time,
                                  double error, dry_mode *mode);

#ifdef __cplusplus
}
#endif
#endif
