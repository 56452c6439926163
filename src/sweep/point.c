/* One point of the grid: the model with its parameters, run and measured. */
#include "sweep_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- how to run ---------------------------------------------------------------------------- */

bool dry_sweep__how(const dry_model *model, dry_run_options *run, const dry_method **method) {
    *run = dry_model_run(model);
    if (!run->method) run->method = "rk4";
    *method = dry_method_find(run->method);
    if (!*method) *method = dry_stiff_method_find(run->method);
    const bool adaptive = *method && (*method)->adaptive;
    if (!adaptive && isnan(run->step)) run->step = 1e-4 * run->until;
    return !isnan(run->until);
}

static double or_zero(double x) { return isnan(x) ? 0.0 : x; }

static dry_status run_rigid(const dry_model *model, const dry_run_options *run,
                            const dry_sim_options *options, dry_sim_result *result,
                            dry_error *error) {
    dry_rigid_options rigid = {.step = run->step,
                               .P = (int)or_zero(run->P),
                               .Q = (int)or_zero(run->Q),
                               .weight = run->alpha == 0.0 ? -1.0 : or_zero(run->alpha)};
    dry_rigid_scheme_find(run->method, &rigid.scheme);
    return dry_sim_run_inclusion(dry_model_inclusion(model), options, &rigid, result, error);
}

/* Runs the model, with the functions of `system` where a method of ode or stiff runs it. */
static dry_status run_model(const dry_model *model, const dry_system *system, const double *par,
                            dry_sim_result *result) {
    dry_run_options run;
    const dry_method *method;
    dry_error error = {0};
    *result = (dry_sim_result){0};
    if (!dry_sweep__how(model, &run, &method)) return DRY_BAD_MODEL;
    const dry_sim_options options = {.method = method,
                                     .until = run.until,
                                     .record = or_zero(run.record),
                                     .par = par,
                                     .ode = {.step = or_zero(run.step),
                                             .rtol = or_zero(run.rtol),
                                             .atol = or_zero(run.atol),
                                             .max_step = or_zero(run.max_step)}};
    return method ? dry_sim_run(system, &options, result, &error)
                  : run_rigid(model, &run, &options, result, &error);
}

/* ---- its model ------------------------------------------------------------------------------- */

dry_model *dry_sweep__compile(const dry_sweep__job *job, size_t point, dry_setting *settings) {
    const dry_sweep_options *o = job->options;
    double values[DRY_SWEEP_AXES];
    dry_model_options options = o->model;
    dry_sweep_point(o->axes, o->n_axes, point, values);
    for (int i = 0; i < o->model.n_settings; i++) settings[i] = o->model.settings[i];
    for (int i = 0; i < o->n_axes; i++)
        settings[options.n_settings++] = (dry_setting){o->axes[i].name, values[i]};
    options.settings = settings;
    return dry_model_compile(job->file, job->text, job->length, &options);
}

void dry_sweep__set_par(const dry_sweep__job *job, const dry_model *model, size_t point,
                        double *par) {
    const dry_system *system = dry_model_system(model);
    double values[DRY_SWEEP_AXES];
    dry_sweep_point(job->options->axes, job->options->n_axes, point, values);
    memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
    for (int i = 0; i < job->options->n_axes; i++) par[job->par[i]] = values[i];
    dry_model_par_follow(model, par);
}

/* ---- one model for all points ---------------------------------------------------------------- */

static bool same_numbers(const double *a, const double *b, int n) {
    return memcmp(a, b, sizeof *a * (size_t)n) == 0;
}

/* Compiled anew at a corner, the model passes its checks and is what the shared one would be. */
static bool corner_agrees(dry_sweep__job *job, size_t point, dry_setting *settings, double *par) {
    dry_model *model = dry_sweep__compile(job, point, settings);
    bool agrees = model && dry_model_ok(model) && dry_model_alike(model, job->base);
    if (agrees) {
        dry_sweep__set_par(job, job->base, point, par);
        agrees = same_numbers(par, dry_model_system(model)->par, dry_model_system(model)->n_par);
    }
    dry_model_free(model);
    return agrees;
}

/* Where the smallest (or largest) value of an axis is. */
static size_t extreme(const dry_sweep_axis *axis, bool largest) {
    int at = 0;
    for (int i = 1; i < axis->n; i++)
        if (largest ? axis->values[i] > axis->values[at] : axis->values[i] < axis->values[at])
            at = i;
    return (size_t)at;
}

enum { MOST_WIDE = 8 }; /* axes of more than one value: 2^8 corners */

static bool corners_agree(dry_sweep__job *job, dry_setting *settings, double *par) {
    const dry_sweep_options *o = job->options;
    int wide = 0;
    for (int i = 0; i < o->n_axes; i++) wide += o->axes[i].n > 1;
    if (wide > MOST_WIDE) return false;
    for (unsigned corner = 0; corner < 1u << wide; corner++) {
        size_t point = 0;
        for (int i = 0, bit = 0; i < o->n_axes; i++) {
            const bool is_wide = o->axes[i].n > 1;
            const bool largest = is_wide && (corner >> bit & 1u);
            bit += is_wide;
            point = point * (size_t)o->axes[i].n + extreme(&o->axes[i], largest);
        }
        if (!corner_agrees(job, point, settings, par)) return false;
    }
    return true;
}

/* The compiler's checks of a parameter's range, of starts and of the step are of a kind that holds
 * for all points where it holds at the corners of the grid. */
bool dry_sweep__can_share(dry_sweep__job *job) {
    const dry_sweep_options *o = job->options;
    if (dry_model_net(job->base) || dry_model_inclusion(job->base)) return false;
    for (int i = 0; i < o->n_axes; i++) {
        job->par[i] = dry_model_par_find(job->base, o->axes[i].name);
        if (job->par[i] < 0 || !dry_model_par_free(job->base, job->par[i])) return false;
    }
    const size_t n = (size_t)(o->model.n_settings + o->n_axes) + 1;
    dry_setting *settings = calloc(n, sizeof *settings);
    double *par = calloc((size_t)dry_model_system(job->base)->n_par + 1, sizeof *par);
    const bool agree = settings && par && corners_agree(job, settings, par);
    free(settings);
    free(par);
    return agree;
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
    worker->model = dry_sweep__compile(job, 0, worker->settings);
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

static dry_status run_and_measure(dry_sweep__worker *worker, const dry_model *model,
                                  const dry_system *system, const double *par, double *values) {
    dry_sim_result result;
    dry_status status = run_model(model, system, par, &result);
    if (status == DRY_OK) status = dry_sweep__measure(worker, model, par, result.record, values);
    dry_record_free(result.record);
    return status;
}

static dry_status run_shared(dry_sweep__worker *worker, size_t point, double *values) {
    const dry_sweep__job *job = worker->job;
    const dry_system *system =
        job->native ? dry_native_system(job->native) : dry_model_system(worker->model);
    dry_sweep__set_par(job, worker->model, point, worker->par);
    return run_and_measure(worker, worker->model, system, worker->par, values);
}

static dry_status run_anew(dry_sweep__worker *worker, size_t point, double *values) {
    const dry_sweep__job *job = worker->job;
    dry_model *model = dry_sweep__compile(job, point, worker->settings);
    dry_status status = model ? DRY_BAD_MODEL : DRY_NO_MEMORY;
    worker->compiled++;
    if (model && dry_model_ok(model)) {
        const dry_system *own = dry_model_system(model);
        const bool native = job->native && dry_model_alike(model, job->base);
        status = run_and_measure(worker, model, native ? dry_native_system(job->native) : own,
                                 own->par, values);
    }
    dry_model_free(model);
    return status;
}

void dry_sweep__run_point(dry_sweep__worker *worker, size_t point, double *values) {
    const int n = worker->job->n_measures;
    for (int i = 0; i < n; i++) values[i] = (double)NAN;
    const dry_status status =
        worker->job->shared ? run_shared(worker, point, values) : run_anew(worker, point, values);
    values[n] = (double)status;
}

void dry_sweep__run_block(dry_sweep__worker *worker, size_t block, double *values) {
    const dry_sweep__shape *shape = &worker->job->shape;
    const size_t first = block * shape->per_block, n = dry_sweep__in_block(shape, block);
    const size_t width = worker->job->lanes ? DRY_NATIVE_LANES : 1;
    for (size_t i = 0; i < n; i += width) {
        const size_t some = n - i < width ? n - i : width;
        if (some > 1)
            dry_sweep__run_lanes(worker, first + i, (int)some, values + i * shape->per_point);
        else
            dry_sweep__run_point(worker, first + i, values + i * shape->per_point);
    }
}
