/* stiff: implicit methods with error control, for systems whose fastest motion does not matter:
 * large K, many blocks.
 *
 * They solve linear systems with the matrix I/gamma - d rate/d x, sparse as the system's Jacobian
 * is: rodas4, a Rosenbrock method, six for each step; cvode, the BDF methods of SUNDIALS if the
 * build has it, one or two. rodas4 leaves kinks to the error control, cvode locates them and starts
 * again there.
 *
 * Floor 2: core, base, math, ode. */
#ifndef DRYSTONE_STIFF_H
#define DRYSTONE_STIFF_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The rows ("rodas4", "cvode"), adaptive and with tableau NULL: use them with dry_stiff and
 * dry_sim_run, not with dry_ode_init. find: dry_method_missing if none has that name. */
DRY_API int dry_stiff_method_count(void);
DRY_API const dry_method *dry_stiff_method_at(int index);
DRY_API const dry_method *dry_stiff_method_find(const char *name);
/* Whether SUNDIALS is in this build; without it dry_stiff_new refuses cvode with
 * DRY_UNSUPPORTED. */
DRY_API bool dry_stiff_has_cvode(void);

typedef struct dry_stiff dry_stiff;

typedef struct dry_stiff_counts {
    long steps, rejected;
    long rates;     /* including those for differences if the system has no Jacobian */
    long jacobians; /* evaluations of it */
    long factors;   /* of the matrix */
    long pivots;    /* of these, with new pivots */
    long entries;   /* of the factors */
    long kinks;     /* located */
} dry_stiff_counts;

/* Begins at time t with the system's start state, or with x0 if it is not NULL; method: one of the
 * rows above; `par` NULL: the system's defaults; options as for dry_ode. A system without a
 * Jacobian may have at most 40000 states, and takes the memory of a full matrix. Memory is taken
 * here and never in a step. */
DRY_API dry_status dry_stiff_new(const dry_system *system, const dry_method *method,
                                 const dry_ode_options *options, const double *par, double t,
                                 const double *x0, dry_stiff **stiff, dry_error *error);
DRY_API void dry_stiff_free(dry_stiff *stiff);
/* Advances to t_end exactly; steps end at break times. On an error the state is that of the last
 * good step, and the error names the state, the time and a way out. DRY_STOPPED: as for
 * dry_ode_advance. */
DRY_API dry_status dry_stiff_advance(dry_stiff *stiff, double t_end, dry_error *error);
/* One accepted step, at most to t_end. */
DRY_API dry_status dry_stiff_step(dry_stiff *stiff, double t_end, dry_error *error);
/* Goes on at the present time from x (NULL: from the present state), with the parameters as they
 * are now. Takes no memory. */
DRY_API dry_status dry_stiff_restart(dry_stiff *stiff, const double *x, dry_error *error);
/* The whole integration as bytes, which only this integration can read: `restore` returns to that
 * instant, or returns false if the bytes belong to another integration. Size 0: the method cannot,
 * because it keeps memory of its own (cvode). */
DRY_API size_t dry_stiff_save_size(const dry_stiff *stiff);
DRY_API void dry_stiff_save(const dry_stiff *stiff, void *bytes);
DRY_API bool dry_stiff_restore(dry_stiff *stiff, const void *bytes);
/* The state at a time within the last step: of order 3, with cvode of the order of the step. */
DRY_API void dry_stiff_dense(const dry_stiff *stiff, double time, double *x);
DRY_API double dry_stiff_time(const dry_stiff *stiff);
DRY_API const double *dry_stiff_state(const dry_stiff *stiff);
DRY_API dry_stiff_counts dry_stiff_count(const dry_stiff *stiff);
DRY_API dry_ode_fault dry_stiff_fault(const dry_stiff *stiff); /* of the last error */
DRY_API const dry_env *dry_stiff_env(const dry_stiff *stiff);

#ifdef __cplusplus
}
#endif
#endif
