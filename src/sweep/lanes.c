/* Points side by side: the lanes of native code, one point in each.
 *
 * The steps, the samples and the measures of a lane are those of dry_sim_run. A lane whose state is
 * not finite, in which a watched condition fails or a law becomes too fast for the step, or whose
 * parameters the compiler might refuse, is run once more alone, which gives its status. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "lanes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 64, ASKED = 16 };

/* A part of a step that makes no difference (as in ode and sim). */
static const double SLACK = 1e-9;

/* ---- whether points can go side by side ------------------------------------------------------ */

/* Fixed steps that end on the grid, with samples on it. */
static bool make_plan(const dry_sweep__job *job, struct dry_sweep__plan *plan) {
    *plan = (struct dry_sweep__plan){.final = true};
    if (dry_model_plan(job->base, &plan->run, NULL) != DRY_OK) return false;
    const double step = plan->run.step, until = plan->run.until, record = plan->run.record;
    if (!plan->run.method->fixed) return false;
    const double steps = until / step, every = (record > 0.0 ? record : step) / step;
    if (!(steps >= 0.5 && steps < 1e9) || !(every >= 0.5 && every < 1e9)) return false;
    const dry_ode_options ode = dry_run_ode(&plan->run, dry_model_system(job->base));
    plan->most_rate = ode.rate_is_noted ? 0.0 : ode.most_rate;
    plan->steps = (long)round(steps);
    plan->every = (long)round(every);
    for (int i = 0; i < job->n_measures; i++)
        plan->final = plan->final && dry_model_measure_is_final(job->base, job->measure[i]);
    return fabs(until - (double)plan->steps * step) <= SLACK * step &&
           fabs(every - (double)plan->every) <= SLACK * every;
}

void dry_sweep__lanes_open(dry_sweep__job *job, const dry_native_options *options) {
    const dry_sweep_options *o = job->options;
    const int n = dry_model_system(job->base)->n_par;
    dry_error error = {0};
    bool *varies = calloc((size_t)n + 1, sizeof *varies);
    if (varies && make_plan(job, &job->plan)) {
        for (int i = 0; i < n; i++) varies[i] = dry_model_par_follows(job->base, i);
        for (int i = 0; i < o->n_axes; i++) varies[job->par[i]] = o->axes[i].n > 1;
        job->lanes = dry_lanes_new(job->base, varies, options, &error);
    }
    free(varies);
}

/* ---- a thread's own ---------------------------------------------------------------------- */

static double *aligned(size_t n) {
    void *memory = NULL;
    return posix_memalign(&memory, ALIGNED, (n + 1) * sizeof(double)) == 0 ? memory : NULL;
}

static dry_record *new_record(const dry_system *system, int n_columns) {
    dry_quantity *columns = calloc((size_t)n_columns, sizeof *columns);
    if (!columns) return NULL;
    columns[0] = (dry_quantity){"t", "s"};
    for (int i = 0; i < system->n_states; i++) columns[1 + i] = system->states[i];
    for (int i = 0; i < system->n_outputs; i++)
        columns[1 + system->n_states + i] = system->outputs[i];
    dry_record *record = dry_record_new(columns, n_columns);
    free(columns);
    return record;
}

/* Where the model itself is asked, for rates of laws or times of jumps: room for what it prepares.
 */
static bool take_scratch(struct dry_sweep__bench *b, const dry_system *system) {
    if (!b->asks_laws && !system->n_breaks) return true;
    b->scratch_size = (system->work_size + ALIGNED) / ALIGNED * ALIGNED;
    b->scratch = calloc(LANES, b->scratch_size);
    return b->scratch != NULL;
}

/* For jumps of all lanes and of one. */
static bool take_times(struct dry_sweep__bench *b, size_t steps) {
    const size_t n = (size_t)b->n_breaks;
    b->common = calloc(n + 1, sizeof *b->common);
    b->own = calloc(n * LANES + 1, sizeof *b->own);
    b->solo = calloc(n * LANES + 1, sizeof *b->solo);
    b->events.times = calloc(n + 1, sizeof *b->events.times);
    b->solo_work = n ? calloc(steps * LANES, sizeof *b->solo_work) : NULL;
    return b->common && b->own && b->solo && b->events.times && (n == 0 || b->solo_work);
}

static void measure(struct dry_sweep__bench *b, const dry_sweep__worker *worker) {
    const dry_system *system = dry_model_system(worker->model);
    b->lanes = worker->job->lanes;
    b->n_fixed = dry_lanes_fixed(b->lanes);
    b->n_states = system->n_states;
    b->n_columns = 1 + system->n_states + system->n_outputs;
    b->n_breaks = system->n_breaks;
    b->asks_laws = system->fastest && worker->job->plan.most_rate > 0.0;
}

/* What the bundle needs. */
static bool take_bundle(struct dry_sweep__bench *b, const dry_system *system,
                        const dry_method *method) {
    const size_t n = (size_t)b->n_states * LANES;
    b->P = aligned((size_t)b->n_fixed * LANES);
    b->start = calloc(n, sizeof *b->start);
    b->positions = calloc(n, sizeof *b->positions);
    if (!b->P || !b->start || !b->positions) return false;
    dry_sweep__bundle_make(b, system);
    b->work = aligned(dry_ode_size(&b->bundle, method));
    return b->work && take_times(b, dry_ode_size(system, method));
}

static bool take_memory(struct dry_sweep__bench *b, const dry_sweep__worker *worker) {
    const dry_system *system = dry_model_system(worker->model);
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const size_t rows = plan->final ? 1 : (size_t)(plan->steps / plan->every) + 2;
    bool good = true;
    measure(b, worker);
    b->p = calloc((size_t)b->n_fixed * LANES + 1, sizeof *b->p);
    b->par = calloc((size_t)system->n_par * LANES + 1, sizeof *b->par);
    b->row = calloc((size_t)b->n_columns, sizeof *b->row);
    for (int l = 0; l < LANES; l++) {
        b->record[l] = new_record(system, b->n_columns);
        good = good && b->record[l] && dry_record_reserve(b->record[l], rows) == DRY_OK;
    }
    return good && take_scratch(b, system) && take_bundle(b, system, plan->run.method) && b->p &&
           b->par && b->row;
}

bool dry_sweep__bench_begin(dry_sweep__worker *worker) {
    worker->bench = calloc(1, sizeof *worker->bench);
    return worker->bench && take_memory(worker->bench, worker);
}

void dry_sweep__bench_end(dry_sweep__worker *worker) {
    struct dry_sweep__bench *b = worker->bench;
    if (!b) return;
    void *const taken[] = {b->P,         b->p,    b->par,         b->row,    b->start,
                           b->scratch,   b->work, b->positions,   b->common, b->own,
                           b->solo_work, b->solo, b->events.times};
    for (int l = 0; l < LANES; l++) dry_record_free(b->record[l]);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) free(taken[i]);
    free(b);
}

dry_env dry_sweep__lane_env(const dry_sweep__worker *worker, int lane) {
    const struct dry_sweep__bench *b = worker->bench;
    const dry_system *system = dry_model_system(worker->model);
    return (dry_env){.model = system->model,
                     .par = b->par + lane * system->n_par,
                     .work = b->scratch + (size_t)lane * b->scratch_size};
}

/* ---- rates of laws --------------------------------------------------------------------------- */

/* From half of the rate on the run alone decides, which asks at other steps. */
static void ask_laws(dry_sweep__worker *worker, double t) {
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const dry_system *system = dry_model_system(worker->model);
    struct dry_sweep__bench *b = worker->bench;
    const char *law;
    for (int l = 0; b->asks_laws && l < LANES; l++) {
        const dry_env env = dry_sweep__lane_env(worker, l);
        double *x = b->row;
        for (int i = 0; i < b->n_states; i++) x[i] = b->ode.x[i * LANES + l];
        const double rate =
            system->fastest(&env, t, plan->run.method->tau * plan->run.step, x, &law);
        b->alone[l] |= rate > 0.5 * plan->most_rate;
    }
}

/* ---- a group of points ----------------------------------------------------------------------- */

static void prepare(dry_sweep__worker *worker, int lane) {
    struct dry_sweep__bench *b = worker->bench;
    const dry_env env = dry_sweep__lane_env(worker, lane);
    b->alone[lane] = false;
    b->failed[lane] = 0.0;
    dry_record_clear(b->record[lane]);
    if (b->scratch) dry_model_system(worker->model)->prepare(&env);
}

/* Lanes that are too many repeat the last point. */
static bool begin(dry_sweep__worker *worker, size_t first, int n) {
    const dry_sweep__job *job = worker->job;
    struct dry_sweep__bench *b = worker->bench;
    const int n_par = dry_model_system(worker->model)->n_par;
    for (int l = 0; l < LANES; l++) {
        double *p = b->p + l * b->n_fixed, *par = b->par + l * n_par, *x = b->row;
        b->taken[l] = dry_sweep__set_par(worker, first + (size_t)(l < n ? l : n - 1), par);
        dry_lanes_prepare(job->lanes, par, p);
        dry_lanes_start(job->lanes, p, 0.0, x);
        for (int i = 0; i < b->n_fixed; i++) b->P[i * LANES + l] = p[i];
        for (int i = 0; i < b->n_states; i++) b->start[i * LANES + l] = x[i];
        prepare(worker, l);
    }
    dry_sweep__events_begin(worker);
    return dry_sweep__bundle_begin(b, &job->plan.run, b->start);
}

/* A row for each lane. */
static bool sample(dry_sweep__worker *worker, int n, double t) {
    const dry_sweep__job *job = worker->job;
    struct dry_sweep__bench *b = worker->bench;
    const double tau = job->plan.run.method->uses_tau ? job->plan.run.step : 0.0;
    bool good = true;
    for (int l = 0; l < n && good; l++) {
        double *x = b->row + 1;
        b->row[0] = t;
        for (int i = 0; i < b->n_states; i++) x[i] = b->ode.x[i * LANES + l];
        dry_lanes_output(job->lanes, b->p + l * b->n_fixed, t, tau, x, x + b->n_states);
        good = dry_record_add(b->record[l], b->row) == DRY_OK;
    }
    return good;
}

/* From one halt to the next. */
static bool march(dry_sweep__worker *worker, int n) {
    const struct dry_sweep__plan *plan = &worker->job->plan;
    struct dry_sweep__bench *b = worker->bench;
    const long every = plan->final ? plan->steps : plan->every;
    const long often = b->asks_laws ? ASKED : plan->steps;
    bool good = plan->final || sample(worker, n, 0.0);
    dry_sweep__events_pass(worker, 0, 0.0);
    for (long at = 0; at < plan->steps && good;) {
        const long row = (at / every + 1) * every, most = row < plan->steps ? row : plan->steps;
        at = dry_sweep__events_halt(worker, at, most, often);
        const double t = at < plan->steps ? (double)at * plan->run.step : plan->run.until;
        good = dry_sweep__bundle_advance(b, t);
        if (good) dry_sweep__events_pass(worker, at, t);
        if (good) ask_laws(worker, t);
        if (good && at == most) good = sample(worker, n, t);
    }
    return good;
}

void dry_sweep__run_lanes(dry_sweep__worker *worker, size_t first, int n, double *values) {
    const dry_sweep__job *job = worker->job;
    const struct dry_sweep__bench *b = worker->bench;
    const int n_par = dry_model_system(worker->model)->n_par;
    const bool good = begin(worker, first, n) && march(worker, n);
    for (int l = 0; l < n; l++) {
        double *to = values + (size_t)l * job->shape.per_point;
        const double *par = b->par + l * n_par;
        if (good && b->taken[l] && dry_sweep__bundle_is_good(b, l) &&
            dry_sweep__measure(worker, worker->model, par, b->record[l], to) == DRY_OK)
            to[job->n_measures] = (double)DRY_OK;
        else
            dry_sweep__run_point(worker, first + (size_t)l, to);
    }
}
