/* sim: runs a system and records it.
 *
 * Floor 6: core, base, ode, stability, rigid, stiff, record. */
#ifndef DRYSTONE_SIM_H
#define DRYSTONE_SIM_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/ode.h>
#include <drystone/record.h>
#include <drystone/rigid.h>
#include <drystone/stiff.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The default of run.max_steps: every run ends. */
#define DRY_SIM_MOST_STEPS 1000000000L
/* With fixed steps on the grid a run stops at its samples, and after at most so many steps. */
enum { DRY_SIM_STEPS_AT_ONCE = 1024 };

/* Takes the rows of a run as they come. A status other than DRY_OK ends the run with it. */
typedef struct dry_sim_sink {
    dry_status (*add)(void *user, const double *row);
    void *user;
} dry_sim_sink;

/* Zero means the default. */
typedef struct dry_sim_options {
    /* How to run (ode.h); run.until > from is required. Samples are run.record apart, by default
     * run.step (adaptive: at least 1e-5 of the run, or a thousandth of it without a step). The
     * first and the last instant are always sampled. */
    dry_run_options run;
    double from; /* seconds */
    /* If not NULL: the instants of the samples, increasing from `from` to `run.until`. */
    const double *times;
    size_t n_times;
    /* If not NULL: takes every row. With sink_only the record keeps its columns and no row, so that
     * the memory of a run does not grow with its rows. */
    const dry_sim_sink *sink;
    bool sink_only;
    int saves;         /* number of whole states to keep, about evenly over the run; default none */
    const double *par; /* default the system's */
    const double *x0;  /* default the system's start */
    double *end_x;     /* if not NULL: takes all states at the end */
    /* Called every thousand fixed steps or so (every few adaptive ones) with the time reached.
     * Return false to stop the run with DRY_RUN_FAILED. */
    bool (*progress)(void *user, double t);
    void *user;
} dry_sim_options;

typedef struct dry_sim_result {
    dry_record *record; /* columns t, the states that have names of their own (not "touch.*"),
                           the outputs; owned by the caller */
    dry_ode_counts counts;
    dry_ode_fault fault; /* on an error of the integration; fault.watch 0: no watched condition.
                            With run.force, fault.law is set even without an error */
    /* Where the model says that the run ends: the number of its condition, which
     * dry_model_watch_text explains; 0: it went to run.until. */
    int stop;
    double end;      /* the time that was reached, s */
    double seconds;  /* of CPU in the integration */
    double residual; /* of a rigid run: that of dry_rigid_counts */
    /* Whole states at ends of steps, from which a run can continue (x0): n_saved rows of
     * DRY_SAVED_X numbers and all states; NULL if options.saves is 0. Free it with free(). */
    double *saved;
    int n_saved;
} dry_sim_result;

/* Columns of a row of `saved`: the time, evaluations and kinks so far, the first state. */
enum { DRY_SAVED_T, DRY_SAVED_RATES, DRY_SAVED_KINKS, DRY_SAVED_X };

/* An empty record with the columns that a run of the system gives, in their order, which is that of
 * a row of a sink. NULL without memory. */
DRY_API dry_record *dry_sim_columns(const dry_system *system);

/* Runs the system; a stop by the model is not an error, and the last row is that instant. A
 * model that would stop at the start is refused. Samples lie on steps if their interval is a whole
 * multiple of a fixed step; else dry_ode_dense or dry_stiff_dense interpolates them. Outputs are
 * computed with tau = 0, or with tau = step if the method uses tau. On an error `result->record`
 * holds the samples before it and the last good instant (or is NULL), and the error names the state
 * and the time. */
DRY_API dry_status dry_sim_run(const dry_system *system, const dry_sim_options *options,
                               dry_sim_result *result, dry_error *error);

/* The same for an inclusion that keeps its sets, by a rigid method (default: `rigid`). Samples lie
 * at the ends of steps. The counts hold steps, evaluations as rates, and impacts as kinks. */
DRY_API dry_status dry_sim_run_inclusion(const dry_inclusion *inclusion,
                                         const dry_sim_options *options, dry_sim_result *result,
                                         dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
