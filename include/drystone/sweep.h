/* sweep: many runs of one model over a grid of parameters.
 *
 * Every point of the grid is what a run with these parameters gives, bit for bit, whatever the
 * number of threads, lanes and processes; the result is in the order of the grid. A point that
 * cannot be run is nan with its status, and the others go on.
 *
 * Floor 5: all below. Needs POSIX. */
#ifndef DRYSTONE_SWEEP_H
#define DRYSTONE_SWEEP_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/model.h>
#include <drystone/record.h>
#include <drystone/watch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the grid ---------------------------------------------------------------- */

/* The values that one parameter takes; SI units. */
typedef struct dry_sweep_axis {
    char *name; /* as for a setting: "K", "beta1[3]", "motor.R" */
    double *values;
    int n;
    bool log; /* the values grow by a factor */
} dry_sweep_axis;

enum { DRY_SWEEP_AXES = 16 };

/* Reads "NAME=lo:hi:n", "NAME=lo:hi:n:log" or "NAME=a,b,c" into an axis that the caller frees. */
DRY_API dry_status dry_sweep_axis_read(dry_sweep_axis *axis, const char *text, dry_error *error);
DRY_API void dry_sweep_axis_free(dry_sweep_axis *axis);

/* ---- several processes ------------------------------------------------------- */

/* Processes that run one sweep together, each with the same options. All functions return false if
 * the others cannot be reached. They are called by one thread at a time. */
typedef struct dry_sweep_team {
    int rank, size; /* this one, of how many; rank 0 keeps the journal and gets the result */
    void *user;
    bool (*share)(void *user, void *data, size_t bytes);      /* from rank 0 to all */
    bool (*send)(void *user, const double *values, size_t n); /* to rank 0 */
    bool (*receive)(void *user, double *values, size_t n);    /* on rank 0, of any */
} dry_sweep_team;

/* ---- running ----------------------------------------------------------------- */

/* What runs the points; the bits do not depend on it. */
typedef enum dry_sweep_code {
    DRY_SWEEP_EITHER, /* native code where so many steps pay for it, or where it is in the cache */
    DRY_SWEEP_BYTECODE,
    DRY_SWEEP_NATIVE /* an error if there is none */
} dry_sweep_code;

/* Zero means the default. */
typedef struct dry_sweep_options {
    const dry_sweep_axis *axes; /* the last one changes fastest */
    int n_axes;
    const char *const *measures; /* of the model; default all of them */
    int n_measures;
    dry_model_options model; /* settings, how to run, force: as for every point */
    int threads;             /* default: one for each core */
    dry_sweep_code code;
    const char *journal; /* a file that remembers what is done; NULL: none */
    bool resume;         /* goes on with the journal that is there */
    /* Runs each point again to see how far it can be trusted (watch.h), compiles the model for
     * each, and adds the column `watch`; NULL: does not. Of it `limit` and `most` are used. */
    const dry_watch_options *watch;
    const dry_sweep_team *team;
    /* Called now and then, by one thread at a time; false stops the sweep with DRY_RUN_FAILED: the
     * journal stays. */
    bool (*progress)(void *user, size_t done, size_t points);
    void *user;
} dry_sweep_options;

/* How far a point can be trusted, the worst of what was found. */
typedef enum dry_sweep_trust {
    DRY_SWEEP_TRUSTED,
    DRY_SWEEP_UNWATCHED, /* it takes too long; windows that were sampled agree */
    DRY_SWEEP_GIVES_WAY, /* what was chosen from the step gives way too far */
    DRY_SWEEP_SENSITIVE,
    DRY_SWEEP_NOT_CONVERGED
} dry_sweep_trust;
DRY_API const char *dry_sweep_trust_text(dry_sweep_trust trust);

typedef struct dry_sweep_result {
    dry_record *record; /* columns: parameters, measures, with options.watch `watch` (a
                           dry_sweep_trust, nan of a point that failed), `status` (a dry_status);
                           NULL on the other processes of a team; owned by the caller */
    size_t points, failed;
    size_t untrusted;   /* points that were run, and whose `watch` is not DRY_SWEEP_TRUSTED */
    size_t found;       /* points that the journal had */
    size_t compiled;    /* points for which the model was compiled anew, by this process */
    size_t first_wrong; /* the first point that failed */
    bool native;
    int lanes; /* points that native code ran side by side; 1: none */
} dry_sweep_result;

/* Runs the model of a text over the grid; `file` is for messages and for files that it names. The
 * journal is removed by dry_sweep_done, when its owner has written the result. */
DRY_API dry_status dry_sweep_run(const char *file, const char *text, size_t length,
                                 const dry_sweep_options *options, dry_sweep_result *result,
                                 dry_error *error);
DRY_API void dry_sweep_done(const dry_sweep_options *options);

/* The values of a point: one for each axis. */
DRY_API void dry_sweep_point(const dry_sweep_axis *axes, int n_axes, size_t point, double *values);

#ifdef __cplusplus
}
#endif
#endif
