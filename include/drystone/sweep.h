/* sweep: many runs of one model over a grid of parameters.
 *
 * Every point of the grid equals a single run with its parameters, bit for bit, for any number of
 * threads, lanes and processes. The result has the order of the grid. A point that cannot run
 * becomes nan with its status; the other points go on.
 *
 * Floor 8: all below. Needs POSIX. */
#ifndef DRYSTONE_SWEEP_H
#define DRYSTONE_SWEEP_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/crew.h>
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
    bool log;   /* the values grow by a factor */
    char *unit; /* their SI unit, if the text gives them one; NULL: none */
} dry_sweep_axis;

enum { DRY_SWEEP_AXES = 16 };

/* Reads "NAME=lo:hi:n", "NAME=lo:hi:n:log" or "NAME=a,b,c" into an axis that the caller frees. The
 * numbers are in SI or have units: "F=100mN:500mN:5", "F=100mN,0.2N". */
DRY_API dry_status dry_sweep_axis_read(dry_sweep_axis *axis, const char *text, dry_error *error);
DRY_API void dry_sweep_axis_free(dry_sweep_axis *axis);

/* ---- running ----------------------------------------------------------------- */

/* What runs the points; the bits do not depend on it. */
typedef enum dry_sweep_code {
    DRY_SWEEP_EITHER, /* native code if the number of steps pays for it or the cache has it */
    DRY_SWEEP_BYTECODE,
    DRY_SWEEP_NATIVE /* an error if there is no native code */
} dry_sweep_code;

/* Zero means the default. */
typedef struct dry_sweep_options {
    const dry_sweep_axis *axes; /* the last one changes fastest */
    int n_axes;
    const char *const *measures; /* of the model; default all of them */
    int n_measures;
    dry_model_options model; /* settings, run options and force, for every point */
    int threads;             /* default: one for each core */
    dry_sweep_code code;
    const char *journal; /* a file of finished points; NULL: none */
    bool resume;         /* continue with an existing journal */
    /* If not NULL: compiles the model for each point, repeats its run to judge how far it can be
     * trusted (watch.h), and adds the column `watch`. Only `limit` and `most` are used. */
    const dry_watch_options *watch;
    const dry_processes *team; /* that run one sweep together; NULL: this one alone */
    /* Called now and then, by one thread at a time. Return false to stop the sweep with
     * DRY_RUN_FAILED; the journal stays. */
    bool (*progress)(void *user, size_t done, size_t points);
    void *user;
} dry_sweep_options;

/* How far a point can be trusted: the worst finding. */
typedef enum dry_sweep_trust {
    DRY_SWEEP_TRUSTED,
    DRY_SWEEP_UNWATCHED, /* repeats would take too long; the sampled windows agree */
    DRY_SWEEP_GIVES_WAY, /* an element whose K was chosen from the step yields too far */
    DRY_SWEEP_SENSITIVE,
    DRY_SWEEP_NOT_CONVERGED
} dry_sweep_trust;
DRY_API const char *dry_sweep_trust_text(dry_sweep_trust trust);

typedef struct dry_sweep_result {
    dry_record *record; /* columns: parameters, measures, with options.watch `watch` (a
                           dry_sweep_trust, nan of a point that failed), `status` (a dry_status);
                           NULL on the other processes of a team; owned by the caller */
    size_t points, failed;
    size_t untrusted;   /* points that ran, but whose `watch` is not DRY_SWEEP_TRUSTED */
    size_t found;       /* points taken from the journal */
    size_t compiled;    /* points for which this process compiled the model again */
    size_t first_wrong; /* the first point that failed */
    bool native;
    int lanes; /* points that native code ran side by side; 1: none */
} dry_sweep_result;

/* Runs the model in `text` over the grid; `file` is its name, for messages and for files that the
 * model refers to. Call dry_sweep_done after you have written the result: it removes the
 * journal. */
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
