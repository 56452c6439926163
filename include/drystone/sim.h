/* sim: runs a system and records it.
 *
 * Floor 3: core, base, ode, check, rigid, stiff, record. */
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

/* Every run ends: after so many steps if run.max_steps says nothing else. */
#define DRY_SIM_MOST_STEPS 1000000000L

/* Zero means the default. */
typedef struct dry_sim_options {
    /* How to run (ode.h): until > from is required; samples are run.record apart, by default
     * run.step (adaptive: no less than 1e-5 of the run; a thousandth without one); the first and
     * the last instant are always there. */
    dry_run_options run;
    double from; /* seconds */
    /* Samples at these n_times instants instead, which rise from `from` to `run.until`. */
    const double *times;
    size_t n_times;
    int saves;         /* how many whole states to keep, about evenly over the run; default none */
    const double *par; /* default the system's */
    const double *x0;  /* default the system's start */
    /* Called every thousand fixed steps or so (every few adaptive ones) with the time reached;
     * false stops the run with DRY_RUN_FAILED. */
    bool (*progress)(void *user, double t);
    void *user;
} dry_sim_options;

typedef struct dry_sim_result {
    dry_record *record; /* columns t, the states that have names of their own (not "touch.*"),
                           the outputs; owned by the caller */
    dry_ode_counts counts;
    dry_ode_fault fault; /* on an error of the integration; fault.watch 0: no watched condition.
                            With run.force fault.law is told without an error, too */
    double seconds;      /* of CPU in the integration */
    /* Whole states at ends of steps, from which a run can go on (x0): n_saved rows of DRY_SAVED_X
     * numbers and all states; NULL if options.saves is 0. To be freed. */
    double *saved;
    int n_saved;
} dry_sim_result;

/* Places in a row of `saved`: the time, evaluations and kinks so far, the first state. */
enum { DRY_SAVED_T, DRY_SAVED_RATES, DRY_SAVED_KINKS, DRY_SAVED_X };

/* Runs the system. Samples lie on the grid where the interval is a whole multiple of a fixed step,
 * else between the ends of steps, by dry_ode_dense or dry_stiff_dense. Outputs are computed with
 * tau = 0, or the step where the method uses tau. On an error `result->record` holds what was
 * recorded before it with the last good instant (or is NULL), and the error names the state and the
 * time. */
DRY_API dry_status dry_sim_run(const dry_system *system, const dry_sim_options *options,
                               dry_sim_result *result, dry_error *error);

/* The same for an inclusion whose sets are kept, by a rigid method (default: `rigid`). Samples lie
 * at the ends of steps; counts: steps, evaluations as rates, impacts as kinks. */
DRY_API dry_status dry_sim_run_inclusion(const dry_inclusion *inclusion,
                                         const dry_sim_options *options, dry_sim_result *result,
                                         dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
