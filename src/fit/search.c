/* search: looks for the lowest valley of a cost that has many, as that of impacts, by the global
 * algorithms of NLopt, which take no derivatives; the solver then goes on from the best point.
 *
 *     minimize C(value(u)),  0 <= u <= 1,   value = low + u (high - low), or low (high/low)^u
 *
 * One thread leads it, and only the records of a run are side by side, so the bits do not depend on
 * the number of threads. A run that fails costs infinitely much. */
#include "bench.h"

#include <math.h>
#include <string.h>

/* ---- what a search asks for --------------------------------------------------------------------
 */

#define SEARCH(name, algorithm) #name,
static const char *const names[] = {
#include "search.def"
    NULL};
#undef SEARCH

static int find(const char *name) {
    int i = 0;
    while (names[i] && strcmp(names[i], name) != 0) i++;
    return names[i] ? i : -1;
}

static dry_status refuse_name(const char *name, dry_error *error) {
    char all[100] = "";
    for (int i = 0; names[i]; i++) {
        const size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", names[i]);
    }
    return dry_error_set(error, DRY_BAD_ARGUMENT, "there is no search `%.60s`: take one of %s",
                         name, all);
}

static dry_status check_bounds(const dry_fit__bench *bench, dry_error *error) {
    for (int j = 0; j < bench->n; j++) {
        const dry_fit_parameter *p = &bench->parameters[j];
        if (!isfinite(p->low) || !isfinite(p->high))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "a search looks everywhere within bounds, and `%s` has not two: "
                                 "write `free %s in 0.1..10`",
                                 p->name, p->name);
        if (p->log && !(p->low > 0.0))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "`%s` varies by factors (log), so a search within its bounds "
                                 "needs a lower one above 0, not %.9g",
                                 p->name, p->low);
    }
    return DRY_OK;
}

dry_status dry_fit__check_search(const dry_fit__bench *bench, dry_error *error) {
    const dry_fit_job *job = bench->job;
    if (find(job->search) < 0) return refuse_name(job->search, error);
    if (job->search_runs < 1)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "a search takes a number of runs: %s:1000",
                             job->search);
    if (job->starts > 1)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a search takes the place of several starts: give one of the two");
    return check_bounds(bench, error);
}

#ifdef DRY_WITH_NLOPT
#include "base/base.h"
#include <nlopt.h>
#include <stdlib.h>

/* ---- the library -------------------------------------------------------------------------------
 */

#define CALL(name) DRY_SYMBOL_TEXT(name),
static const char *const symbols[] = {
#include "nlopt_calls.def"
    NULL};
#undef CALL

#define CALL(name) __typeof__(name) *name;
typedef struct calls {
#include "nlopt_calls.def"
} calls;
#undef CALL

#ifdef DRY_FILE_NLOPT
static calls lib;
#else
#define DRY_FILE_NLOPT NULL
#define CALL(name) .name = &name,
static calls lib = {
#include "nlopt_calls.def"
};
#undef CALL
#endif

static dry_library library = {.name = "NLopt",
                              .file = DRY_FILE_NLOPT,
                              .package = DRY_PACKAGE_NLOPT,
                              .instead = "use --starts",
                              .symbols = symbols,
                              .calls = &lib};

#define SEARCH(name, algorithm) algorithm,
static const nlopt_algorithm algorithms[] = {
#include "search.def"
};
#undef SEARCH

/* ---- the search --------------------------------------------------------------------------------
 */

typedef struct search {
    dry_fit__bench *bench;
    nlopt_opt opt;
    double *values, *best; /* of the parameters: of this run, of the best so far */
    double least;          /* its cost */
    int done;              /* points */
    dry_status status;     /* why it ends early */
    dry_error first;       /* why the first run that failed did */
} search;

static double value_of(const dry_fit_parameter *p, double u) {
    const double value =
        p->log ? p->low * pow(p->high / p->low, u) : p->low + u * (p->high - p->low);
    return fmin(fmax(value, p->low), p->high);
}

static double place_of(const dry_fit_parameter *p, double value) {
    const double u = p->log ? log(value / p->low) / log(p->high / p->low)
                            : (value - p->low) / (p->high - p->low);
    return fmin(fmax(u, 0.0), 1.0);
}

static void end_early(search *s, dry_status status) {
    s->status = status;
    lib.nlopt_force_stop(s->opt);
}

static void report(search *s) {
    const dry_fit_job *job = s->bench->job;
    const dry_fit_progress now = {.runs = s->bench->runs,
                                  .starts = 1,
                                  .searched = s->done,
                                  .misfit = dry_fit__misfit(s->bench, s->least)};
    if (job->progress && !job->progress(job->user, &now)) end_early(s, DRY_RUN_FAILED);
}

/* Called by NLopt. */
static double cost_at(unsigned n, const double *u, double *gradient, void *user) {
    search *s = user;
    double cost = (double)INFINITY;
    dry_error error = {0};
    (void)gradient;
    if (s->done >= s->bench->job->search_runs) /* an algorithm may ask for a few more */
        return lib.nlopt_force_stop(s->opt), cost;
    for (unsigned j = 0; j < n; j++) s->values[j] = value_of(&s->bench->parameters[j], u[j]);
    const dry_status status = dry_fit__cost_at(s->bench, s->values, &cost, &error);
    if (status == DRY_NO_MEMORY) end_early(s, status);
    if (status != DRY_OK || !isfinite(cost)) cost = (double)INFINITY;
    if (status != DRY_OK && s->first.status == DRY_OK) s->first = error;
    s->done++;
    if (cost < s->least) {
        s->least = cost;
        memcpy(s->best, s->values, sizeof *s->best * n);
    }
    if (s->status == DRY_OK) report(s);
    return cost;
}

/* Many valleys want more points than the algorithms take by themselves, 30 for two parameters: a
 * twentieth of the runs. */
static unsigned population(const search *s) {
    const unsigned own = 10 * (unsigned)(s->bench->n + 1);
    const unsigned part = (unsigned)s->bench->job->search_runs / 20;
    return part > own ? part : own;
}

static dry_status run(search *s, double *u, dry_error *error) {
    const dry_fit_job *job = s->bench->job;
    double least;
    if (lib.nlopt_set_min_objective(s->opt, cost_at, s) < 0 ||
        lib.nlopt_set_lower_bounds1(s->opt, 0.0) < 0 ||
        lib.nlopt_set_upper_bounds1(s->opt, 1.0) < 0 ||
        lib.nlopt_set_population(s->opt, population(s)) < 0 ||
        lib.nlopt_set_maxeval(s->opt, job->search_runs) < 0)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    lib.nlopt_srand(job->seed);
    const nlopt_result how = lib.nlopt_optimize(s->opt, u, &least);
    if (s->status == DRY_NO_MEMORY || how == NLOPT_OUT_OF_MEMORY)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (s->status != DRY_OK) return dry_error_set(error, s->status, "interrupted");
    if (isfinite(s->least)) return DRY_OK;
    return dry_error_set(error, DRY_RUN_FAILED, "no run of the search came to its end: %.400s",
                         s->first.text[0] ? s->first.text : "their outputs are too large");
}

dry_status dry_fit__search(dry_fit__bench *bench, double *values, dry_error *error) {
    const size_t n = (size_t)bench->n;
    double *room = malloc(3 * sizeof *room * n);
    search s = {.bench = bench, .least = (double)INFINITY};
    dry_status status = room ? dry_library_load(&library, error)
                             : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) {
        s.opt = lib.nlopt_create(algorithms[find(bench->job->search)], (unsigned)n);
        s.values = room + n;
        s.best = room + 2 * n;
        for (size_t j = 0; j < n; j++) room[j] = place_of(&bench->parameters[j], values[j]);
        status =
            s.opt ? run(&s, room, error) : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
        lib.nlopt_destroy(s.opt);
    }
    if (status == DRY_OK) memcpy(values, s.best, sizeof *values * n);
    free(room);
    return status;
}

bool dry_fit_has_search(void) { return true; }

#else

dry_status dry_fit__search(dry_fit__bench *bench, double *values, dry_error *error) {
    (void)bench, (void)values;
    return dry_error_set(
        error, DRY_UNSUPPORTED,
        "this build has no NLopt: install libnlopt-dev and build again, or use --starts");
}

bool dry_fit_has_search(void) { return false; }

#endif
