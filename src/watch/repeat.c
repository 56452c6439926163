/* repeat: repeats a run with the same model, samples and start, with half the step or a tenth of
 * the tolerances. */
#include "watch_private.h"

#include <stdlib.h>

static const double DEFAULT_RTOL = 1e-6, DEFAULT_ATOL = 1e-9; /* as ode.h has them */

double dry_watch__work(const dry_watch__job *job, const dry_sim_result *result) {
    return (double)result->counts.rates * job->system->n_states;
}

bool dry_watch__affords(const dry_watch__job *job, double times) {
    return job->spent + times * dry_watch__work(job, job->first) <= job->limit;
}

bool dry_watch__is_adaptive(const dry_watch__job *job) { return job->run.method->adaptive; }

const char *dry_watch__finer_text(const dry_watch__job *job) {
    if (dry_watch__is_adaptive(job)) return "a tenth of the tolerances";
    return job->thirds ? "a third of the step" : "half the step";
}

double dry_watch__rtol(const dry_watch__job *job) {
    return job->run.rtol > 0.0 ? job->run.rtol : DEFAULT_RTOL;
}

/* The longest step of an adaptive run, as ode.h has it. */
static double longest(const dry_run_options *run) {
    return run->max_step > 0.0 ? run->max_step : 0.1 * run->until;
}

/* If tolerances do not limit the steps, the longest step does, so it is also halved. */
static void refine(const dry_watch__job *job, dry_run_options *run) {
    run->rtol = 0.1 * dry_watch__rtol(job);
    run->atol = 0.1 * (run->atol > 0.0 ? run->atol : DEFAULT_ATOL);
    run->max_step = job->longest > 0.0 ? job->longest : 0.5 * longest(run);
}

/* Keeps the samples of the first run, for any step. No step is longer than from sample to sample.
 */
static dry_run_options finer(const dry_watch__job *job, bool halved) {
    dry_run_options run = job->run;
    const bool adaptive = dry_watch__is_adaptive(job);
    if (!(run.record > 0.0) && !adaptive) run.record = run.step;
    if (!halved) return run;
    if (adaptive)
        refine(job, &run);
    else
        run.step = fmin(run.step, run.record) / (job->thirds ? 3.0 : 2.0);
    run.max_steps *= adaptive ? 10.0 : 3.0; /* 0 stays 0: the usual limit */
    return run;
}

/* Asks the caller, and notes that he ended the watch: what ended a repeat then is not the model. */
static bool goes_on(void *user, double t) {
    dry_watch__job *job = user;
    job->ended |= !job->options->progress(job->options->user, t);
    return !job->ended;
}

static dry_status run_finer(dry_watch__job *job, const dry_run_options *run,
                            const dry_watch__window *window, dry_sim_result *result,
                            dry_error *error) {
    const dry_sim_options options = {.run = *run,
                                     .from = window->from,
                                     .times = window->times,
                                     .n_times = window->n_times,
                                     .x0 = window->x0,
                                     .progress = job->options->progress ? goes_on : NULL,
                                     .user = job};
    const dry_status status = job->inclusion
                                  ? dry_sim_run_inclusion(job->inclusion, &options, result, error)
                                  : dry_sim_run(job->system, &options, result, error);
    job->spent += dry_watch__work(job, result);
    job->starved |= status == DRY_NO_MEMORY;
    return status;
}

dry_status dry_watch__repeat(dry_watch__job *job, bool halved, const double *x0,
                             dry_sim_result *result, dry_error *error) {
    const dry_run_options run = finer(job, halved);
    return run_finer(job, &run, &(dry_watch__window){.x0 = x0}, result, error);
}

dry_status dry_watch__repeat_window(dry_watch__job *job, const dry_watch__window *window,
                                    dry_sim_result *result, dry_error *error) {
    dry_run_options run = finer(job, true);
    run.until = window->until;
    if (!dry_watch__is_adaptive(job)) run.step = fmin(run.step, window->until - window->from);
    return run_finer(job, &run, window, result, error);
}

double *dry_watch__nudged_start(const dry_watch__states *s, const dry_model *model, double nudge) {
    const dry_system *system = dry_model_system(model);
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    void *work = calloc(1, system->work_size + 1);
    dry_env env = {.model = system->model, .par = system->par, .work = work};
    if (x && work) {
        if (system->prepare) system->prepare(&env);
        if (system->start) system->start(&env, 0.0, x);
        for (int i = 0; i < s->n; i++) {
            double *own = &x[dry_model_own_state(model, i)];
            *own += nudge * fmin(fmax(fabs(*own), 1.0), s->size[i]);
        }
    }
    free(work);
    if (work) return x;
    free(x);
    return NULL;
}
