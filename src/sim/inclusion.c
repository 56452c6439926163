/* inclusion: runs an inclusion with its sets by a rigid solver, and records it like any other
 * run. */
#include <drystone/sim.h>
#include <drystone/stability.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim_private.h"

typedef struct rigid_run {
    const dry_inclusion *inclusion;
    const dry_sim_options *options;
    dry_rigid *rigid;
    dry_sim__frame frame;
    dry_sim__store store;
    double step, interval;
    size_t samples;
    long heard; /* steps at the last call of progress */
} rigid_run;

static dry_status add_row(rigid_run *run) {
    const dry_system *system = run->inclusion->system;
    const double *x = dry_rigid_state(run->rigid), t = dry_rigid_time(run->rigid);
    double *y = dry_sim__fill_row(&run->frame, t, x);
    if (system->n_outputs > 0)
        run->inclusion->output(dry_rigid_env(run->rigid), t, x,
                               dry_rigid_instant_forces(run->rigid), y);
    return dry_sim__add_row(&run->frame);
}

static double sample_time(const rigid_run *run, size_t k) {
    const dry_sim_options *o = run->options;
    if (k + 1 >= run->samples) return o->run.until;
    if (o->times) return k == 0 ? o->from : o->times[k - 1];
    return o->from + (double)k * run->interval;
}

static dry_status stop(const rigid_run *run, dry_error *error) {
    char time[DRY_NUMBER_SIZE];
    dry_number_text(dry_rigid_time(run->rigid), time);
    return dry_error_set(error, DRY_RUN_FAILED, "the run was stopped at t = %s s", time);
}

/* The last good instant of a run that failed, or that the model has stopped. */
static dry_status add_last(rigid_run *run) {
    const bool is_last = dry_sim__is_later(&run->frame, dry_rigid_time(run->rigid));
    return is_last ? add_row(run) : DRY_OK;
}

static dry_status check_start(const rigid_run *run, dry_error *error) {
    const double t = dry_rigid_time(run->rigid);
    return dry_system_stops(run->inclusion->system, dry_rigid_env(run->rigid), t,
                            dry_rigid_state(run->rigid))
               ? dry_sim__stops_at_once(t, error)
               : DRY_OK;
}

static dry_ode_counts counts_of(const rigid_run *run) {
    const dry_rigid_counts c = dry_rigid_count(run->rigid);
    return (dry_ode_counts){.steps = c.steps, .rates = c.evals, .kinks = c.impacts};
}

static void save(rigid_run *run) {
    const dry_ode_counts counts = counts_of(run);
    dry_sim__store_add(&run->store, dry_rigid_time(run->rigid), &counts,
                       dry_rigid_state(run->rigid));
}

/* To the time `end`, with halts at ends of steps to keep states. */
static dry_status advance(rigid_run *run, double end, dry_error *error) {
    dry_status status = DRY_OK;
    while (run->store.rows && status == DRY_OK) {
        const double t = dry_sim__store_halt(&run->store, run->options->from, run->step);
        if (!(t < end) || !(t > dry_rigid_time(run->rigid))) break;
        status = dry_rigid_advance(run->rigid, t, error);
        if (status == DRY_OK) save(run);
    }
    if (status == DRY_OK) status = dry_rigid_advance(run->rigid, end, error);
    if (status == DRY_OK && run->store.rows) save(run);
    return status;
}

/* Number of steps between two calls of the caller's progress function, which the first sample after
 * them makes. */
enum { STEPS_HEARD = 256 };

/* Returns false if the caller ends the run. */
static bool goes_on(rigid_run *run, double t) {
    const long steps = dry_rigid_count(run->rigid).steps;
    if (!run->options->progress || steps - run->heard < STEPS_HEARD) return true;
    run->heard = steps;
    return run->options->progress(run->options->user, t);
}

static dry_status record_run(rigid_run *run, dry_error *error) {
    dry_status status = check_start(run, error);
    if (status == DRY_OK) status = add_row(run);
    if (run->store.rows) save(run);
    for (size_t k = 1; k < run->samples && status == DRY_OK; k++) {
        status = advance(run, sample_time(run, k), error);
        if (status == DRY_OK) status = add_row(run);
        if (status == DRY_OK && !goes_on(run, sample_time(run, k))) status = stop(run, error);
    }
    return status;
}

static dry_status take(rigid_run *run, dry_error *error) {
    const dry_sim_options *o = run->options;
    const double intervals =
        o->times ? (double)o->n_times + 1.0 : ceil((o->run.until - o->from) / run->interval - 1e-9);
    const dry_system *system = run->inclusion->system;
    dry_status status =
        dry_sim__check_size(o, intervals, dry_sim__columns(system), run->interval, error);
    if (status != DRY_OK) return status;
    run->samples = (size_t)(intervals > 1.0 ? intervals : 1.0) + 1;
    if (dry_sim__frame_open(&run->frame, system, o, run->samples + 1) &&
        dry_sim__store_open(&run->store, system, o))
        return DRY_OK;
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the run: record less often");
}

dry_status dry_sim_run_inclusion(const dry_inclusion *inclusion, const dry_sim_options *options,
                                 dry_sim_result *result, dry_error *error) {
    DRY_ASSERT(inclusion && options && result);
    dry_rigid_options rigid = dry_run_rigid(&options->run);
    rigid_run run = {.inclusion = inclusion, .options = options};
    *result = (dry_sim_result){0};
    const dry_method *method = options->run.method;
    if (method && dry_sim__check_method(method, DRY_TAKES_SETS, "an inclusion", error) != DRY_OK)
        return DRY_BAD_ARGUMENT;
    if (!(options->run.until > options->from) || !(rigid.step > 0.0))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a rigid run needs a step > 0 and an end later than its beginning");
    const long given = dry_run_ode(&options->run, NULL).max_steps;
    const long most = given > 0 ? given : DRY_SIM_MOST_STEPS;
    const double span = options->run.until - options->from;
    dry_status status = dry_sim__check_step(span, rigid.step, error);
    if (status == DRY_OK) status = dry_sim__check_count(span, rigid.step, "a step", most, error);
    if (status == DRY_OK) status = dry_sim__check_clocks(inclusion->system, span, most, error);
    if (status != DRY_OK) return status;
    rigid.x0 = options->x0;
    run.step = rigid.step;
    run.interval = options->run.record > 0.0 ? options->run.record : rigid.step;
    status = take(&run, error);
    if (status == DRY_OK)
        status = dry_rigid_new(inclusion, &rigid, options->par, options->from, &run.rigid, error);
    if (status == DRY_OK) {
        const clock_t begin = clock();
        status = record_run(&run, error);
        if (status == DRY_STOPPED) {
            result->stop = dry_rigid_fault(run.rigid).watch;
            status = add_last(&run);
        } else if (status != DRY_OK) {
            (void)add_last(&run);
            result->fault = dry_rigid_fault(run.rigid);
        }
        result->end = dry_rigid_time(run.rigid);
        if (options->end_x)
            memcpy(options->end_x, dry_rigid_state(run.rigid),
                   (size_t)inclusion->system->n_states * sizeof *options->end_x);
        result->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        result->counts = counts_of(&run);
        result->residual = dry_rigid_count(run.rigid).residual;
    }
    dry_rigid_free(run.rigid);
    result->record = dry_sim__frame_close(&run.frame);
    dry_sim__store_close(&run.store, result);
    return status;
}
