/* run: runs a system from one time to another and records t, the named states and the outputs.
 *
 * Sample k is due at from + k interval, or at the k-th of the instants that are listed; the start
 * and the end of the run are always samples. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim_private.h"
#include <drystone/stability.h>

/* Number of steps between two calls of the caller's progress function. */
enum { FIXED_STEPS = DRY_SIM_STEPS_AT_ONCE, ADAPTIVE_STEPS = 16 };
/* A sample nearer to the end than this part of the interval is the end; an interval nearer to a
 * whole number of steps than this part of a step is that number. */
static const double SLACK = 1e-9;

/* ---- samples ------------------------------------------------------------- */

static double sample_time(const dry_sim__run *run, size_t k) {
    if (k + 1 >= run->samples) return run->options.run.until;
    if (run->options.times) return k == 0 ? run->options.from : run->options.times[k - 1];
    if (run->multiple > 0)
        return run->options.from + (double)k * (double)run->multiple * run->ode_options.step;
    return run->options.from + (double)k * run->interval;
}

static dry_status add_row(dry_sim__run *run, double t, const double *x) {
    const dry_system *system = run->system;
    const double tau = run->method->uses_tau ? run->ode_options.step : 0.0;
    double *y = dry_sim__fill_row(&run->frame, t, x);
    if (system->n_outputs > 0) system->output(&run->ode.env, t, tau, x, y);
    return dry_sim__add_row(&run->frame);
}

/* The samples that the last step has passed. */
static dry_status add_passed(dry_sim__run *run) {
    dry_status status = DRY_OK;
    while (status == DRY_OK && run->next < run->samples) {
        const double t = sample_time(run, run->next);
        if (t > run->ode.t) break;
        if (run->stiff)
            dry_stiff_dense(run->stiff, t, run->point);
        else
            dry_ode_dense(&run->ode, t, run->point);
        status = add_row(run, t, run->point);
        run->next++;
    }
    return status;
}

/* ---- going on ------------------------------------------------------------ */

static bool report_progress(dry_sim__run *run, long *heard, long every) {
    if (!run->options.progress || run->ode.counts.steps - *heard < every) return true;
    *heard = run->ode.counts.steps;
    run->stopped = !run->options.progress(run->options.user, run->ode.t);
    return !run->stopped;
}

static void save(dry_sim__run *run) {
    if (run->store.rows) dry_sim__store_add(&run->store, run->ode.t, &run->ode.counts, run->ode.x);
}

/* The next halt of steps on the grid: the sample, or earlier to report progress or to keep a
 * state. */
static double next_halt(const dry_sim__run *run, double target) {
    const double start = run->ode.t_start, step = run->ode_options.step;
    double t =
        run->store.rows ? fmin(target, dry_sim__store_halt(&run->store, start, step)) : target;
    if (run->multiple > FIXED_STEPS)
        t = fmin(t, start + (double)(run->ode.grid + FIXED_STEPS) * step);
    return t > run->ode.t ? t : target;
}

/* From one sample on the grid to the next, some steps at a time. */
static dry_status run_on_grid(dry_sim__run *run) {
    dry_status status = DRY_OK;
    long heard = 0;
    while (status == DRY_OK && run->next < run->samples) {
        const double target = sample_time(run, run->next), t = next_halt(run, target);
        status = dry_ode_advance(&run->ode, t);
        if (status == DRY_OK) save(run);
        if (status == DRY_OK && t == target) status = add_passed(run);
        if (status == DRY_OK && !report_progress(run, &heard, FIXED_STEPS)) status = DRY_RUN_FAILED;
    }
    return status;
}

/* Step by step, with the samples in between. */
static dry_status run_between(dry_sim__run *run, dry_error *error) {
    const long every = run->method->adaptive ? ADAPTIVE_STEPS : FIXED_STEPS;
    dry_status status = DRY_OK;
    long heard = 0;
    while (status == DRY_OK && run->next < run->samples) {
        status = run->stiff ? dry_sim__stiff_step(run, error)
                            : dry_ode_step(&run->ode, run->options.run.until);
        if (status == DRY_OK) save(run);
        if (status == DRY_OK) status = add_passed(run);
        if (status == DRY_OK && !report_progress(run, &heard, every)) status = DRY_RUN_FAILED;
    }
    return status;
}

/* The last good instant of a run that failed, or that the model has stopped. */
static dry_status add_last(dry_sim__run *run) {
    return dry_sim__is_later(&run->frame, run->ode.t) ? add_row(run, run->ode.t, run->ode.x)
                                                      : DRY_OK;
}

/* The end that the model gives the run: the samples of the last step, and that instant. */
static dry_status stop(dry_sim__run *run, dry_sim_result *result) {
    dry_status status = add_passed(run);
    if (status == DRY_OK) status = add_last(run);
    result->stop = run->ode.fault.watch;
    return status;
}

static dry_status begin(dry_sim__run *run, dry_error *error) {
    const dry_sim_options *o = &run->options;
    if (run->implicit) return dry_sim__stiff_begin(run, error);
    return dry_ode_init(&run->ode, run->system, run->method, &run->ode_options, o->par, o->from,
                        o->x0, run->scratch, run->work);
}

static dry_status check_start(dry_sim__run *run, dry_error *error) {
    run->stops_at_once = dry_system_stops(run->system, &run->ode.env, run->ode.t, run->ode.x);
    return run->stops_at_once ? dry_sim__stops_at_once(run->ode.t, error) : DRY_OK;
}

static dry_status integrate(dry_sim__run *run, dry_sim_result *result, dry_error *error) {
    const clock_t start = clock();
    dry_status status = begin(run, error);
    if (status == DRY_OK) save(run);
    if (status == DRY_OK) status = check_start(run, error);
    if (status == DRY_OK) status = add_passed(run);
    if (status == DRY_OK) status = run->multiple > 0 ? run_on_grid(run) : run_between(run, error);
    if (status == DRY_STOPPED)
        status = stop(run, result);
    else if (status != DRY_OK)
        (void)add_last(run);
    result->end = run->ode.t;
    if (run->options.end_x)
        memcpy(run->options.end_x, run->ode.x, (size_t)run->system->n_states * sizeof *run->ode.x);
    result->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    result->counts = run->ode.counts;
    if (status != DRY_OK || run->ode.fault.law) result->fault = run->ode.fault;
    /* The implicit method has filled the error itself. */
    const bool said =
        run->stops_at_once || (run->implicit && status != DRY_NO_MEMORY && !run->stopped);
    return said ? status : dry_sim__explain(run, status, error);
}

/* ---- setting up ---------------------------------------------------------- */

/* By default samples are a step apart, also with an adaptive method, whose own steps may be
 * shorter, but no more than MOST_SAMPLES. */
static double usual_interval(const dry_sim__run *run) {
    enum { FEW_SAMPLES = 1000, MOST_SAMPLES = 100000 };
    const double span = run->options.run.until - run->options.from, step = run->ode_options.step;
    if (!(step > 0.0)) return span / FEW_SAMPLES;
    return run->method->adaptive ? fmax(step, span / MOST_SAMPLES) : step;
}

static void choose_interval(dry_sim__run *run) {
    const double step = run->method->adaptive ? 0.0 : run->ode_options.step;
    run->interval = run->options.run.record > 0.0 ? run->options.run.record : usual_interval(run);
    if (run->options.times) return;
    const double steps = step > 0.0 ? run->interval / step : 0.0;
    if (steps >= 0.5 && steps < 1e15 && fabs(steps - round(steps)) <= SLACK * round(steps))
        run->multiple = (long)round(steps);
}

/* How many samples there will be; an error if they would be absurdly many. */
static dry_status count_samples(dry_sim__run *run, int columns, dry_error *error) {
    const double span = run->options.run.until - run->options.from;
    const double intervals = run->options.times ? (double)run->options.n_times + 1.0
                                                : ceil(span / run->interval - SLACK);
    const dry_status status =
        dry_sim__check_size(&run->options, intervals, columns, run->interval, error);
    if (status != DRY_OK) return status;
    run->samples = (size_t)(intervals > 1.0 ? intervals : 1.0) + 1;
    return DRY_OK;
}

static bool take_memory(dry_sim__run *run) {
    const bool framed =
        dry_sim__frame_open(&run->frame, run->system, &run->options, run->samples + 1);
    run->point = calloc((size_t)run->system->n_states, sizeof *run->point);
    const size_t numbers =
        run->implicit ? (size_t)run->system->n_states : dry_ode_size(run->system, run->method);
    run->work = calloc(numbers, sizeof *run->work);
    run->scratch = calloc(1, run->system->work_size + 1);
    const bool stored = dry_sim__store_open(&run->store, run->system, &run->options);
    return framed && stored && run->point && run->work && run->scratch;
}

dry_status dry_sim_run(const dry_system *system, const dry_sim_options *options,
                       dry_sim_result *result, dry_error *error) {
    DRY_ASSERT(system && options && result && system->states);
    dry_sim__run run = {
        .system = system, .options = *options, .ode_options = dry_run_ode(&options->run, system)};
    *result = (dry_sim_result){0};
    run.method = options->run.method ? options->run.method : dry_method_standard();
    run.implicit = run.method == dry_stiff_method_find(run.method->name);
    dry_status status = dry_sim__check(&run, error);
    if (status != DRY_OK) return status;
    choose_interval(&run);
    status = count_samples(&run, dry_sim__columns(system), error);
    if (status == DRY_OK) status = dry_sim__check_steps(&run, error);
    if (run.ode_options.max_steps == 0) run.ode_options.max_steps = DRY_SIM_MOST_STEPS;
    if (status != DRY_OK) return status;
    status = take_memory(&run) ? integrate(&run, result, error)
                               : dry_sim__explain(&run, DRY_NO_MEMORY, error);
    dry_stiff_free(run.stiff);
    result->record = dry_sim__frame_close(&run.frame);
    dry_sim__store_close(&run.store, result);
    free(run.point);
    free(run.work);
    free(run.scratch);
    return status;
}
