/* starts: brings a model to what was measured from several points within the bounds. Each start
 * depends on its number alone, so threads and processes share them, and a journal keeps the ends.
 */
#include "base/base.h"
#include "bench.h"
#include "model/model.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- where they begin ---------------------------------------------------------------------- */

/* A number from 0 to 1 (splitmix64). */
static double number_of(unsigned seed, int start, int parameter) {
    uint64_t z = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)start * 0xd1b54a32d192ed03u +
                 (uint64_t)parameter * 0x8cb92ba72f3d8dd7u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* The first start is the text's; a parameter without two bounds begins there too. */
void dry_fit__begin_at(const dry_fit__bench *bench, int start, double *values) {
    for (int j = 0; j < bench->n; j++) {
        const dry_fit_parameter *p = &bench->parameters[j];
        const double u = number_of(bench->job->seed, start, j);
        values[j] = p->value;
        if (start == 0 || !isfinite(p->low) || !isfinite(p->high)) continue;
        values[j] = p->log && p->low > 0.0 ? p->low * pow(p->high / p->low, u)
                                           : p->low + u * (p->high - p->low);
    }
}

static dry_status check_bounds(const dry_fit__bench *bench, dry_error *error) {
    bool any = false;
    for (int j = 0; j < bench->n; j++)
        any = any || (isfinite(bench->parameters[j].low) && isfinite(bench->parameters[j].high));
    if (any) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "several starts need bounds to begin within: write `free %s in 0.1..10`",
                         bench->parameters[0].name);
}

/* ---- one start ----------------------------------------------------------------------------- */

/* The numbers of a start: these, the parameters where it ended, those of its windows, the status.
 */
enum { COST, RUNS, SLOPE_RUNS, WINDOWS, LENGTH, STAGES, RMS, JUMP, VALUES };

static size_t numbers_of(int n_parameters) { return VALUES + 2 * (size_t)n_parameters + 1; }
static size_t place_of_status(int n_parameters) { return numbers_of(n_parameters) - 1; }

static void put_windows(const dry_fit_windows *w, double *numbers) {
    numbers[WINDOWS] = (double)w->n;
    numbers[LENGTH] = w->length;
    numbers[STAGES] = (double)w->stages;
    numbers[RMS] = w->rms;
    numbers[JUMP] = w->jump;
}

static bool get_windows(const dry_fit__bench *bench, const double *numbers, dry_fit_windows *to) {
    const size_t bytes = sizeof *to->values * (size_t)bench->n;
    *to = (dry_fit_windows){.n = (int)numbers[WINDOWS],
                            .length = numbers[LENGTH],
                            .stages = (int)numbers[STAGES],
                            .rms = numbers[RMS],
                            .jump = numbers[JUMP],
                            .values = dry_arena_take(bench->arena, bytes)};
    if (to->values) memcpy(to->values, numbers + VALUES + bench->n, bytes);
    return to->values != NULL;
}

/* What all threads share. */
typedef struct effort {
    const dry_fit_job *job;
    int n;                /* parameters */
    double *values;       /* of them */
    pthread_mutex_t lock; /* of the caller's progress */
    dry_fit_progress now;
    bool stopped; /* by the caller */
} effort;

/* One start among them. */
typedef struct start_of {
    effort *effort;
    long counted; /* of its runs */
} start_of;

static bool report(effort *e) {
    const dry_fit_job *job = e->job;
    e->stopped = e->stopped || (job->progress && !job->progress(job->user, &e->now));
    return !e->stopped;
}

static bool go_on(void *user, const dry_fit_progress *now) {
    start_of *s = user;
    effort *e = s->effort;
    pthread_mutex_lock(&e->lock);
    e->now.runs += now->runs - s->counted;
    e->now.step = now->step;
    e->now.misfit = now->misfit;
    s->counted = now->runs;
    const bool goes_on = report(e);
    pthread_mutex_unlock(&e->lock);
    return goes_on;
}

static bool is_stopped(effort *e) {
    pthread_mutex_lock(&e->lock);
    const bool stopped = e->stopped;
    pthread_mutex_unlock(&e->lock);
    return stopped;
}

/* On a bench of its own, so that starts run side by side. */
static dry_status try_start(effort *e, int start, double *numbers, dry_error *error) {
    dry_fit__bench bench = {0};
    start_of s = {.effort = e};
    dry_fit_job job = *e->job;
    dry_fit__solution found = {.values = numbers + VALUES};
    dry_fit_windows windows = {.values = numbers + VALUES + e->n};
    dry_arena *arena = dry_arena_new(0);
    job.progress = go_on;
    job.user = &s;
    dry_status status = arena ? dry_fit__begin(&bench, &job, arena, error) : no_memory(error);
    if (status == DRY_OK) {
        dry_fit__begin_at(&bench, start, found.values);
        if (dry_fit__has_windows(&job))
            status = dry_fit__windows(&bench, found.values, &windows, error);
    }
    if (status == DRY_OK) status = dry_fit__solve(&bench, &found, error);
    put_windows(&windows, numbers);
    numbers[COST] = found.cost;
    numbers[RUNS] = (double)bench.runs;
    numbers[SLOPE_RUNS] = (double)bench.slope_runs;
    dry_fit__end(&bench);
    dry_arena_free(arena);
    return status;
}

/* ---- all of them --------------------------------------------------------------------------- */

static void *begin_worker(void *user) { return user; }
static void end_worker(void *user, void *worker) { (void)user, (void)worker; }

/* A start that fails is done too; one that the caller stops is not. */
static dry_status run_start(void *worker, size_t block, double *numbers, dry_error *error) {
    effort *e = worker;
    numbers[place_of_status(e->n)] = (double)try_start(e, (int)block, numbers, error);
    return is_stopped(e) ? dry_error_set(error, DRY_RUN_FAILED, "interrupted") : DRY_OK;
}

static bool note_ended(void *user, size_t done, size_t points) {
    (void)points;
    effort *e = user;
    pthread_mutex_lock(&e->lock);
    e->now.ended = (int)done;
    const bool goes_on = report(e);
    pthread_mutex_unlock(&e->lock);
    return goes_on;
}

static uint64_t add_parameter(uint64_t mark, const dry_fit_parameter *p) {
    const double numbers[] = {p->value, p->low, p->high, p->log ? 1.0 : 0.0, (double)p->record};
    mark = dry_mark_bytes(mark, p->name, strlen(p->name) + 1);
    return dry_mark_bytes(mark, numbers, sizeof numbers);
}

/* Of all that the ends depend on. */
static uint64_t identity(const dry_fit__bench *bench) {
    const dry_fit_job *job = bench->job;
    const double numbers[] = {
        job->hold_last,          job->hold_from, job->huber,           (double)job->seed,
        (double)job->most_steps, job->tolerance, (double)job->windows, job->window};
    uint64_t mark = dry_mark_bytes(DRY_MARK, numbers, sizeof numbers);
    for (int r = 0; r < bench->n_records; r++) {
        const uint64_t own = dry_model_identity(bench->records[r].model, &job->options);
        mark = dry_mark_bytes(mark, &own, sizeof own);
    }
    for (int j = 0; j < bench->n; j++) mark = add_parameter(mark, &bench->parameters[j]);
    return mark;
}

static dry_status run_starts(const dry_fit__bench *bench, const dry_work *work, effort *e,
                             double *numbers, dry_fit_result *to, dry_error *error) {
    const dry_fit_job *job = bench->job;
    const dry_crew_job crew = {.work = work,
                               .processes = job->processes,
                               .threads = dry_fit__threads(job),
                               .journal = job->journal,
                               .resume = job->resume,
                               .user = e,
                               .begin = begin_worker,
                               .run = run_start,
                               .end = end_worker,
                               .progress = note_ended};
    size_t found = 0;
    const dry_status status = dry_crew_run(&crew, numbers, &found, error);
    to->found_starts = (int)found;
    return status;
}

/* ---- optima -------------------------------------------------------------------------------- */

static bool is_same(const dry_fit__bench *bench, const double *a, const double *b) {
    const double apart = 1e-2;
    for (int j = 0; j < bench->n; j++) {
        const dry_fit_parameter *p = &bench->parameters[j];
        const double size = fmax(fmax(fabs(a[j]), fabs(b[j])), 1e-6 * p->scale);
        if (!p->no_effect && fabs(a[j] - b[j]) > apart * size) return false;
    }
    return true;
}

bool dry_fit__add_optimum(const dry_fit__bench *bench, const dry_fit__solution *found,
                          dry_fit_result *to) {
    const size_t bytes = sizeof *found->values * (size_t)bench->n;
    for (int i = 0; i < to->n_optima; i++) {
        dry_fit_optimum *o = &to->optima[i];
        if (!is_same(bench, o->values, found->values)) continue;
        o->starts++;
        return true;
    }
    if (!to->optima)
        to->optima = dry_arena_take(bench->arena, sizeof *to->optima * (size_t)to->n_starts);
    double *values = dry_arena_take(bench->arena, bytes);
    if (!to->optima || !values) return false;
    memcpy(values, found->values, bytes);
    to->optima[to->n_optima++] =
        (dry_fit_optimum){.cost = found->cost, .starts = 1, .values = values};
    return true;
}

/* ---- the ends ------------------------------------------------------------------------------ */

/* Where a start ended. */
typedef struct ending {
    const double *numbers;
    double cost; /* INFINITY: it failed */
    int start;
} ending;

static int compare_costs(const void *a, const void *b) {
    const ending *p = a, *q = b;
    return p->cost != q->cost ? (p->cost > q->cost) - (p->cost < q->cost) : p->start - q->start;
}

/* Of starts that all failed, the first says why, once more. */
static dry_status all_failed(effort *e, double *numbers, dry_error *error) {
    const dry_status status = try_start(e, 0, numbers, error);
    return status != DRY_OK ? status
                            : dry_error_set(error, DRY_RUN_FAILED, "no start came to its end");
}

/* The best first; `values` become its. */
static dry_status take_ends(const dry_fit__bench *bench, effort *e, double *numbers, double *values,
                            dry_fit_result *to, dry_error *error) {
    const size_t per_start = numbers_of(e->n), status = place_of_status(e->n);
    ending *ends = dry_arena_take(bench->arena, sizeof *ends * (size_t)to->n_starts);
    if (!ends) return no_memory(error);
    for (int i = 0; i < to->n_starts; i++) {
        const double *own = numbers + (size_t)i * per_start;
        const bool failed = own[status] != (double)DRY_OK;
        ends[i] = (ending){own, failed ? (double)INFINITY : own[COST], i};
        to->runs += (long)own[RUNS];
        to->slope_runs += (long)own[SLOPE_RUNS];
        to->failed_starts += failed;
    }
    if (to->failed_starts == to->n_starts) return all_failed(e, numbers, error);
    qsort(ends, (size_t)to->n_starts, sizeof *ends, compare_costs);
    memcpy(values, ends[0].numbers + VALUES, sizeof *values * (size_t)e->n);
    if (!get_windows(bench, ends[0].numbers, &to->windows)) return no_memory(error);
    for (int i = 0; i < to->n_starts - to->failed_starts; i++) {
        memcpy(e->values, ends[i].numbers + VALUES, sizeof *values * (size_t)e->n);
        const dry_fit__solution end = {.values = e->values, .cost = ends[i].cost};
        if (!dry_fit__add_optimum(bench, &end, to)) return no_memory(error);
    }
    return DRY_OK;
}

static dry_status try_all(const dry_fit__bench *bench, effort *e, double *values,
                          dry_fit_result *to, dry_error *error) {
    const dry_work work = {.name = "fit",
                           .depends = "model, data, free parameters",
                           .points = (size_t)to->n_starts,
                           .per_point = numbers_of(bench->n),
                           .per_block = 1,
                           .identity = identity(bench)};
    double *numbers = dry_arena_take(bench->arena, sizeof *numbers * work.points * work.per_point);
    e->values = dry_arena_take(bench->arena, sizeof *e->values * (size_t)bench->n);
    if (!numbers || !e->values) return no_memory(error);
    const dry_status status = run_starts(bench, &work, e, numbers, to, error);
    const bool here = !e->job->processes || e->job->processes->rank == 0;
    return status == DRY_OK && here ? take_ends(bench, e, numbers, values, to, error) : status;
}

dry_status dry_fit__try_starts(dry_fit__bench *bench, double *values, dry_fit_result *to,
                               dry_error *error) {
    effort e = {.job = bench->job, .n = bench->n, .now.starts = to->n_starts};
    dry_fit__begin_at(bench, 0, values);
    if (to->n_starts == 1) return DRY_OK;
    dry_status status = check_bounds(bench, error);
    if (status != DRY_OK) return status;
    pthread_mutex_init(&e.lock, NULL);
    status = try_all(bench, &e, values, to, error);
    pthread_mutex_destroy(&e.lock);
    return status;
}
