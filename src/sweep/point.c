/* One point of the grid: the model with its parameters, run and measured. */
#include "sweep_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run --------------------------------------------------------------------------------- */

/* Runs the model, with the functions of `system` if a method of ode or stiff runs it. */
static dry_status run_model(const dry_model *model, const dry_system *system, const double *par,
                            bool watched, dry_run_options *run, dry_sim_result *result) {
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    dry_error error = {0};
    *result = (dry_sim_result){0};
    const dry_status planned = dry_model_plan(model, run, &error);
    if (planned != DRY_OK) return planned;
    const dry_sim_options options = {
        .run = *run, .par = par, .saves = watched ? dry_watch_saves(system) : 0};
    return inclusion ? dry_sim_run_inclusion(inclusion, &options, result, NULL)
                     : dry_sim_run(system, &options, result, NULL); /* nobody reads the words */
}

/* ---- its model ------------------------------------------------------------------------------- */

/* The options of a point, with the caller's settings and those of the axes. */
static dry_model_options options_of(const dry_sweep__job *job, size_t point,
                                    dry_setting *settings) {
    const dry_sweep_options *o = job->options;
    double values[DRY_SWEEP_AXES];
    dry_model_options options = o->model;
    dry_sweep_point(o->axes, o->n_axes, point, values);
    for (int i = 0; i < o->model.n_settings; i++) settings[i] = o->model.settings[i];
    for (int i = 0; i < o->n_axes; i++)
        settings[options.n_settings++] =
            (dry_setting){.name = o->axes[i].name, .value = values[i], .unit = o->axes[i].unit};
    options.settings = settings;
    return options;
}

dry_model *dry_sweep__compile(const dry_sweep__job *job, size_t point, dry_setting *settings) {
    const dry_model_options options = options_of(job, point, settings);
    return dry_model_compile(job->file, job->text, job->length, &options);
}

/* ---- one model for all points ---------------------------------------------------------------- */

/* What the compiler said of the values of those parameters that its checks look at. */
enum { NOT_ASKED, TAKEN, IN_DOUBT };

bool dry_sweep__can_share(dry_sweep__job *job) {
    const dry_sweep_options *o = job->options;
    size_t n = 1;
    if (dry_model_net(job->base) || dry_model_inclusion(job->base)) return false;
    for (int i = 0; i < o->n_axes; i++) {
        job->par[i] = dry_model_par_find(job->base, o->axes[i].name);
        if (job->par[i] < 0 || !dry_model_par_free(job->base, job->par[i])) return false;
        job->matters[i] = dry_model_par_matters(job->base, job->par[i]);
        if (job->matters[i]) n *= (size_t)o->axes[i].n;
    }
    job->verdict = calloc(n, sizeof *job->verdict);
    return job->verdict != NULL;
}

/* The number of a point among those that differ in what the checks look at. */
static size_t kind_of(const dry_sweep__job *job, size_t point) {
    size_t at = 0, stride = 1;
    for (int i = job->options->n_axes - 1; i >= 0; i--) {
        const size_t n = (size_t)job->options->axes[i].n;
        if (job->matters[i]) at += point % n * stride, stride *= n;
        point /= n;
    }
    return at;
}

/* Whichever thread asks first, the answer is the same. */
bool dry_sweep__set_par(const dry_sweep__worker *worker, size_t point, double *par) {
    const dry_sweep__job *job = worker->job;
    const dry_system *system = dry_model_system(worker->model);
    atomic_uchar *verdict = &job->verdict[kind_of(job, point)];
    const unsigned char known = atomic_load_explicit(verdict, memory_order_relaxed);
    double values[DRY_SWEEP_AXES];
    dry_sweep_point(job->options->axes, job->options->n_axes, point, values);
    memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
    for (int i = 0; i < job->options->n_axes; i++) par[job->par[i]] = values[i];
    if (known != NOT_ASKED) {
        dry_model_par_follow(worker->model, par);
        return known == TAKEN;
    }
    const bool taken = dry_model_par_settle(worker->model, par);
    atomic_store_explicit(verdict, taken ? TAKEN : IN_DOUBT, memory_order_relaxed);
    return taken;
}

/* ---- a thread's own ---------------------------------------------------------------------- */

bool dry_sweep__worker_begin(dry_sweep__worker *worker, const dry_sweep__job *job) {
    const dry_sweep_options *o = job->options;
    *worker = (dry_sweep__worker){.job = job};
    worker->settings =
        calloc((size_t)(o->model.n_settings + o->n_axes) + 1, sizeof *worker->settings);
    worker->measured = calloc((size_t)dry_model_measures(job->base), sizeof *worker->measured);
    if (!worker->settings || !worker->measured) return false;
    if (!job->shared) return true;
    worker->model = job->like_text ? dry_model_compile(job->file, job->text, job->length, &o->model)
                                   : dry_sweep__compile(job, 0, worker->settings);
    if (!worker->model || !dry_model_ok(worker->model)) return false;
    worker->par = calloc((size_t)dry_model_system(worker->model)->n_par + 1, sizeof *worker->par);
    return worker->par && (!job->lanes || dry_sweep__bench_begin(worker));
}

void dry_sweep__worker_end(dry_sweep__worker *worker) {
    dry_sweep__bench_end(worker);
    dry_model_free(worker->model);
    free(worker->settings);
    free(worker->measured);
    free(worker->par);
}

/* ---- measures ---------------------------------------------------------------------------- */

dry_status dry_sweep__measure(dry_sweep__worker *worker, const dry_model *model, const double *par,
                              const dry_record *record, double *values) {
    dry_error error = {0};
    const dry_sweep__job *job = worker->job;
    const dry_status status =
        dry_model_evaluate(model, par, record, worker->measured, NULL, &error);
    for (int i = 0; i < job->n_measures && status == DRY_OK; i++)
        values[i] = worker->measured[job->measure[i]].value;
    return status;
}

static dry_sweep_trust trust_of(const dry_watch_verdict *v) {
    if (v->word == DRY_NOT_CONVERGED) return DRY_SWEEP_NOT_CONVERGED;
    if (v->word == DRY_SENSITIVE) return DRY_SWEEP_SENSITIVE;
    if (dry_watch_is_bad(v)) return DRY_SWEEP_GIVES_WAY;
    return v->word == DRY_TRUSTED ? DRY_SWEEP_TRUSTED : DRY_SWEEP_UNWATCHED;
}

/* Watches the run of a point whose model was compiled for it, in bytecode: native code is shared
 * by all points, and so are its parameters. */
static dry_status watch(const dry_sweep__worker *worker, size_t point, const dry_model *model,
                        const dry_run_options *run, const dry_sim_result *result, double *trust) {
    const dry_sweep__job *job = worker->job;
    const dry_model_options model_options = options_of(job, point, worker->settings);
    const dry_watch_options options = {.limit = job->options->watch->limit,
                                       .most = job->options->watch->most,
                                       .model = &model_options};
    dry_watch_verdict verdict;
    dry_error error = {0};
    const dry_status status = dry_watch(model, run, result, &options, &verdict, &error);
    if (status == DRY_OK) *trust = (double)trust_of(&verdict);
    if (status == DRY_OK) dry_watch_free(&verdict);
    return status;
}

/* Whether no law that promises to take energy only has created some. */
static dry_status check_account(const dry_model *model, const dry_record *record) {
    dry_account account;
    dry_error error = {0};
    if (!dry_model_net(model)) return DRY_OK;
    const dry_status status = dry_model_account(model, record, &account, &error);
    if (status != DRY_OK) return status;
    const bool lies = dry_account_liar(&account, DRY_ACCOUNT_CREATED) != NULL;
    dry_account_free(&account);
    return lies ? DRY_RUN_FAILED : DRY_OK;
}

static dry_status run_and_measure(dry_sweep__worker *worker, size_t point, const dry_model *model,
                                  const dry_system *system, const double *par, double *values) {
    const dry_sweep__job *job = worker->job;
    dry_sim_result result;
    dry_run_options run;
    dry_status status = run_model(model, system, par, job->options->watch, &run, &result);
    if (status == DRY_OK) status = check_account(model, result.record);
    if (status == DRY_OK) status = dry_sweep__measure(worker, model, par, result.record, values);
    if (status == DRY_OK && job->options->watch)
        status = watch(worker, point, model, &run, &result, &values[job->n_measures]);
    dry_record_free(result.record);
    free(result.saved);
    return status;
}

static dry_status run_anew(dry_sweep__worker *worker, size_t point, double *values) {
    const dry_sweep__job *job = worker->job;
    dry_model *model = dry_sweep__compile(job, point, worker->settings);
    dry_status status = model ? DRY_BAD_MODEL : DRY_NO_MEMORY;
    worker->compiled++;
    if (model && dry_model_ok(model)) {
        const dry_system *own = dry_model_system(model);
        const bool native = job->native && dry_model_alike(model, job->base);
        status = run_and_measure(worker, point, model,
                                 native ? dry_native_system(job->native) : own, own->par, values);
    }
    dry_model_free(model);
    return status;
}

/* A point that the compiler might refuse is for the compiler. */
static dry_status run_shared(dry_sweep__worker *worker, size_t point, double *values) {
    const dry_sweep__job *job = worker->job;
    const dry_system *system =
        job->native ? dry_native_system(job->native) : dry_model_system(worker->model);
    return dry_sweep__set_par(worker, point, worker->par)
               ? run_and_measure(worker, point, worker->model, system, worker->par, values)
               : run_anew(worker, point, values);
}

void dry_sweep__run_point(dry_sweep__worker *worker, size_t point, double *values) {
    const size_t n = worker->job->shape.per_point - 1;
    for (size_t i = 0; i < n; i++) values[i] = (double)NAN;
    const dry_status status =
        worker->job->shared ? run_shared(worker, point, values) : run_anew(worker, point, values);
    values[n] = (double)status;
}

void dry_sweep__run_block(dry_sweep__worker *worker, size_t block, double *values) {
    const dry_work *shape = &worker->job->shape;
    const size_t first = block * shape->per_block, n = dry_work_in_block(shape, block);
    const size_t width = worker->job->lanes ? DRY_NATIVE_LANES : 1;
    for (size_t i = 0; i < n; i += width) {
        const size_t some = n - i < width ? n - i : width;
        if (some > 1)
            dry_sweep__run_lanes(worker, first + i, (int)some, values + i * shape->per_point);
        else
            dry_sweep__run_point(worker, first + i, values + i * shape->per_point);
    }
}
