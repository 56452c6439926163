/* fit: brings a model to what was measured, and gathers what came out. */
#include "base/base.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
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

int dry_fit__threads(const dry_fit_job *job) {
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

/* On the other processes of several, nothing comes out. */
static bool is_helper(const dry_fit_job *job) { return job->processes && job->processes->rank > 0; }

/* From where windows have led, and from the text without them: the better end counts. */
static dry_status solve_both(dry_fit__bench *bench, dry_fit__solution *found, dry_fit_result *to,
                             dry_error *error) {
    dry_fit__solution other = {.values =
                                   dry_arena_take(bench->arena, sizeof(double) * (size_t)bench->n)};
    dry_fit_windows *windows = &to->windows;
    if (!other.values) return no_memory(error);
    dry_fit__begin_at(bench, 0, other.values);
    const bool ran = dry_fit__solve(bench, &other, NULL) == DRY_OK;
    dry_status status = dry_fit__solve(bench, found, error);
    windows->without = ran ? other.cost : (double)NAN;
    windows->cost = status == DRY_OK ? found->cost : (double)NAN;
    if (!ran || windows->cost <= windows->without) return status;
    memcpy(found->values, other.values, sizeof(double) * (size_t)bench->n);
    return dry_fit__solve(bench, found, error);
}

/* The last fit, over whole records: from the text, from the best of several starts, or from where
 * windows lead. */
static dry_status solve_found(dry_fit__bench *bench, dry_fit__solution *found, dry_fit_result *to,
                              dry_error *error) {
    dry_fit_windows *windows = &to->windows;
    if (!dry_fit__has_windows(bench->job)) return dry_fit__solve(bench, found, error);
    if (to->n_starts == 1) {
        windows->values = dry_arena_take(bench->arena, sizeof(double) * (size_t)bench->n);
        const dry_status status = windows->values
                                      ? dry_fit__windows(bench, found->values, windows, error)
                                      : no_memory(error);
        if (status != DRY_OK) return status;
    }
    return solve_both(bench, found, to, error);
}

static dry_status solve(dry_fit__bench *bench, dry_team *team, dry_fit_result *to,
                        dry_error *error) {
    const size_t n = (size_t)bench->n;
    dry_fit__solution found = {.values = dry_arena_take(bench->arena, sizeof(double) * n)};
    if (!found.values) return no_memory(error);
    to->n_starts = bench->job->starts > 1 ? bench->job->starts : 1;
    dry_status status = bench->job->search ? dry_fit__check_search(bench, error) : DRY_OK;
    if (status == DRY_OK) status = dry_fit__try_starts(bench, found.values, to, error);
    if (status != DRY_OK || is_helper(bench->job)) return status;
    bench->team = team;
    if (bench->job->search) status = dry_fit__search(bench, found.values, error);
    to->search_runs = bench->job->search ? bench->runs : 0;
    if (status == DRY_OK) status = solve_found(bench, &found, to, error);
    if (status == DRY_OK) status = dry_fit__run_finer(bench, found.values, to, error);
    if (status != DRY_OK) return status;
    gather(bench, &found, to);
    return to->n_starts > 1 || dry_fit__add_optimum(bench, &found, to) ? DRY_OK : no_memory(error);
}

dry_status dry_fit_run(const dry_fit_job *job, dry_fit_result *result, dry_error *error) {
    dry_fit__bench bench = {0};
    *result = (dry_fit_result){.arena = dry_arena_new(0)};
    if (!result->arena) return no_memory(error);
    if (is_helper(job) && job->starts <= 1) return DRY_OK;
    dry_team *team = dry_team_new(result->arena, dry_fit__threads(job));
    dry_status status = dry_fit__begin(&bench, job, result->arena, error);
    if (status == DRY_OK) status = solve(&bench, team, result, error);
    result->runs += bench.runs;
    result->slope_runs += bench.slope_runs;
    if (status == DRY_OK && !is_helper(job)) status = dry_fit_statistics(result, error);
    if (status == DRY_OK && dry_arena_failed(result->arena)) status = no_memory(error);
    dry_fit__end(&bench);
    dry_team_end(team);
    return status;
}

void dry_fit_done(const dry_fit_job *job) {
    if (job->journal) dry_journal_remove(job->journal);
}

void dry_fit_result_free(dry_fit_result *result) {
    dry_arena_free(result->arena);
    *result = (dry_fit_result){0};
}
