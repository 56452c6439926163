/* fit: brings a model to what was measured, from one start or from several, and gathers what came
 * out. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- starts -------------------------------------------------------------------------------------
 */

/* A number from 0 to 1 (splitmix64). */
static double number_of(unsigned seed, int start, int parameter) {
    uint64_t z = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)start * 0xd1b54a32d192ed03u +
                 (uint64_t)parameter * 0x8cb92ba72f3d8dd7u + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* The first start is the text's; a parameter without two bounds begins there too. */
static void begin_at(const dry_fit__bench *bench, int start, double *values) {
    for (int j = 0; j < bench->n; j++) {
        const dry_fit_parameter *p = &bench->parameters[j];
        const double u = number_of(bench->job->seed, start, j);
        values[j] = p->value;
        if (start == 0 || !isfinite(p->low) || !isfinite(p->high)) continue;
        values[j] = p->log && p->low > 0.0 ? p->low * pow(p->high / p->low, u)
                                           : p->low + u * (p->high - p->low);
    }
}

static dry_status check_starts(const dry_fit__bench *bench, dry_error *error) {
    bool any = false;
    for (int j = 0; j < bench->n; j++)
        any = any || (isfinite(bench->parameters[j].low) && isfinite(bench->parameters[j].high));
    if (bench->job->starts <= 1 || any) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "several starts need bounds to begin within: write `free %s in 0.1..10`",
                         bench->parameters[0].name);
}

/* ---- all starts ---------------------------------------------------------------------------- */

typedef struct attempt {
    dry_fit__solution found;
    dry_status status;
    dry_error error;
    long runs, slope_runs;
} attempt;

typedef struct effort {
    const dry_fit_job *job;
    attempt *attempts;
    int n; /* parameters */
} effort;

/* On a bench of its own, so that starts run side by side. */
static void try_start(const effort *e, int start) {
    attempt *a = &e->attempts[start];
    dry_fit__bench bench = {0};
    dry_arena *arena = dry_arena_new(0);
    dry_fit_job job = *e->job;
    job.progress = NULL;
    a->status = arena ? dry_fit__begin(&bench, &job, arena, &a->error) : no_memory(&a->error);
    if (a->status == DRY_OK) {
        begin_at(&bench, start, a->found.values);
        a->status = dry_fit__solve(&bench, &a->found, &a->error);
    }
    a->runs = bench.runs;
    a->slope_runs = bench.slope_runs;
    dry_fit__end(&bench);
    dry_arena_free(arena);
}

static void try_piece(const void *data, dry_team_piece piece) { try_start(data, piece.index); }

static int compare_costs(const void *a, const void *b) {
    const attempt *p = a, *q = b;
    const double x = p->status == DRY_OK ? p->found.cost : (double)INFINITY;
    const double y = q->status == DRY_OK ? q->found.cost : (double)INFINITY;
    return (x > y) - (x < y);
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

static void add_optimum(const dry_fit__bench *bench, const attempt *a, dry_fit_result *to) {
    for (int i = 0; i < to->n_optima; i++) {
        dry_fit_optimum *o = &to->optima[i];
        if (!is_same(bench, o->values, a->found.values)) continue;
        o->starts++;
        return;
    }
    dry_fit_optimum *o = &to->optima[to->n_optima++];
    *o = (dry_fit_optimum){.cost = a->found.cost, .starts = 1};
    o->values = dry_arena_take(bench->arena, sizeof *o->values * (size_t)bench->n);
    if (o->values) memcpy(o->values, a->found.values, sizeof *o->values * (size_t)bench->n);
}

/* ---- sizes --------------------------------------------------------------------------------- */

static dry_fit_size size_of(const dry_fit_output *o, bool held) {
    dry_fit_size size = {0};
    double square = 0.0, all = 0.0;
    for (size_t k = 0; k < o->rows; k++) {
        if ((o->held[k] != 0) != held) continue;
        square += o->residual[k] * o->residual[k];
        all += o->measured[k] * o->measured[k];
        size.rows++;
    }
    size.rms = size.rows ? sqrt(square / (double)size.rows) : (double)NAN;
    size.fraction = size.rows ? sqrt(square / all) : (double)NAN;
    return size;
}

/* ---- the fit ------------------------------------------------------------------------------- */

static int n_threads(const dry_fit_job *job) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return job->threads > 0 ? job->threads : cores > 0 ? (int)cores : 1;
}

static void gather(dry_fit__bench *bench, const dry_fit__solution *found, dry_fit_result *to) {
    to->parameters = bench->parameters;
    to->n_parameters = bench->n;
    to->outputs = bench->outputs;
    to->n_outputs = bench->n_outputs;
    to->n_records = bench->n_records;
    to->cost = found->cost;
    to->huber = bench->job->huber;
    to->steps = found->steps;
    to->settled = found->settled;
    to->offset = found->offset;
    to->ended = found->ended;
    to->step = bench->records[0].run.method->adaptive ? 0.0 : bench->records[0].run.step;
    for (int i = 0; i < to->n_outputs; i++) {
        to->outputs[i].train = size_of(&to->outputs[i], false);
        to->outputs[i].hold = size_of(&to->outputs[i], true);
    }
}

/* From several starts, which run side by side: the best end becomes the start of the last fit. */
static dry_status try_all(dry_fit__bench *bench, dry_team *team, double *values, dry_fit_result *to,
                          dry_error *error) {
    const int starts = bench->job->starts;
    const effort e = {bench->job, dry_arena_take(bench->arena, sizeof *e.attempts * (size_t)starts),
                      bench->n};
    if (!e.attempts) return no_memory(error);
    for (int i = 0; i < starts; i++) {
        e.attempts[i].found.values =
            dry_arena_take(bench->arena, sizeof *values * (size_t)bench->n);
        if (!e.attempts[i].found.values) return no_memory(error);
    }
    dry_team_run(team, starts, try_piece, &e);
    const attempt first = e.attempts[0];
    qsort(e.attempts, (size_t)starts, sizeof *e.attempts, compare_costs);
    to->optima = dry_arena_take(bench->arena, sizeof *to->optima * (size_t)starts);
    if (!to->optima) return no_memory(error);
    for (int i = 0; i < starts; i++) {
        to->runs += e.attempts[i].runs;
        to->slope_runs += e.attempts[i].slope_runs;
        if (e.attempts[i].status == DRY_OK)
            add_optimum(bench, &e.attempts[i], to);
        else
            to->failed_starts++;
    }
    if (to->failed_starts == starts) {
        if (error) *error = first.error;
        return first.status;
    }
    memcpy(values, e.attempts[0].found.values, sizeof *values * (size_t)bench->n);
    return DRY_OK;
}

static dry_status solve(dry_fit__bench *bench, dry_team *team, dry_fit_result *to,
                        dry_error *error) {
    const size_t n = (size_t)bench->n;
    dry_fit__solution found = {.values = dry_arena_take(bench->arena, sizeof(double) * n)};
    if (!found.values) return no_memory(error);
    begin_at(bench, 0, found.values);
    to->n_starts = bench->job->starts > 1 ? bench->job->starts : 1;
    dry_status status = check_starts(bench, error);
    if (status == DRY_OK && to->n_starts > 1)
        status = try_all(bench, team, found.values, to, error);
    bench->team = team;
    if (status == DRY_OK) status = dry_fit__solve(bench, &found, error);
    if (status == DRY_OK) status = dry_fit__run_finer(bench, found.values, &to->no_finer, error);
    if (status != DRY_OK) return status;
    gather(bench, &found, to);
    if (to->n_starts > 1) return DRY_OK;
    const attempt only = {.found = found};
    to->optima = dry_arena_take(bench->arena, sizeof *to->optima);
    if (!to->optima) return no_memory(error);
    add_optimum(bench, &only, to);
    return DRY_OK;
}

dry_status dry_fit_run(const dry_fit_job *job, dry_fit_result *result, dry_error *error) {
    dry_fit__bench bench = {0};
    *result = (dry_fit_result){.arena = dry_arena_new(0)};
    if (!result->arena) return no_memory(error);
    dry_team *team = dry_team_new(result->arena, n_threads(job));
    dry_status status = dry_fit__begin(&bench, job, result->arena, error);
    if (status == DRY_OK) status = solve(&bench, team, result, error);
    result->runs += bench.runs;
    result->slope_runs += bench.slope_runs;
    if (status == DRY_OK) status = dry_fit_statistics(result, error);
    if (status == DRY_OK && dry_arena_failed(result->arena)) status = no_memory(error);
    dry_fit__end(&bench);
    dry_team_end(team);
    return status;
}

void dry_fit_result_free(dry_fit_result *result) {
    dry_arena_free(result->arena);
    *result = (dry_fit_result){0};
}
