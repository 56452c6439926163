/* bench: compiles what a fit runs, and finds what is free in it. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- compiling ------------------------------------------------------------------------------- */

static dry_message first_error(const dry_model *model) {
    for (int i = 0; i < dry_model_messages(model); i++)
        if (dry_model_message(model, i).kind == DRY_ERROR) return dry_model_message(model, i);
    return (dry_message){.text = "", .way_out = ""};
}

dry_model *dry_fit__compile(const dry_fit__bench *bench, const dry_fit__record *record,
                            const dry_model_options *options, dry_error *error) {
    const dry_fit_job *job = bench->job;
    dry_model_options all = options ? *options : job->options;
    if (record->data) all.data = record->data;
    dry_model *model = dry_model_compile(job->path, job->text, job->length, &all);
    if (model && dry_model_ok(model)) return model;
    if (!model || dry_model_failed(model)) {
        (void)no_memory(error);
    } else {
        const dry_message m = first_error(model);
        dry_error_set(error, DRY_BAD_ARGUMENT, "%s cannot be compiled%s%s: %.200s; %.150s",
                      job->path, record->data ? " with the record " : "",
                      record->data ? record->data : "", m.text, m.way_out);
    }
    dry_model_free(model);
    return NULL;
}

/* The last time of its outputs. */
static double last_time(const dry_model *model) {
    double last = 0.0;
    for (int i = 0; i < dry_model_againsts(model); i++) {
        const dry_against a = dry_model_against(model, i);
        if (a.n) last = fmax(last, fmin(a.t[a.n - 1], a.to));
    }
    return last;
}

/* A text without the length of its run gets that of the record. */
dry_status dry_fit__ready(const dry_fit__bench *bench, dry_fit__record *record, dry_error *error) {
    record->model = dry_fit__compile(bench, record, NULL, error);
    if (!record->model) return error->status;
    record->run = dry_model_run(record->model);
    if (!(record->run.until > 0.0) && last_time(record->model) > 0.0) {
        dry_model_options options = bench->job->options;
        options.run.until = last_time(record->model);
        dry_model_free(record->model);
        record->model = dry_fit__compile(bench, record, &options, error);
        if (!record->model) return error->status;
        record->run = dry_model_run(record->model);
    }
    return dry_model_plan(record->model, &record->run, error);
}

static dry_status compile_all(dry_fit__bench *bench, dry_error *error) {
    const dry_fit_job *job = bench->job;
    dry_status status = DRY_OK;
    bench->n_records = job->n_data > 0 ? job->n_data : 1;
    bench->records =
        dry_arena_take(bench->arena, sizeof *bench->records * (size_t)bench->n_records);
    if (!bench->records) return no_memory(error);
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++) {
        bench->records[r].data = job->n_data > 0 ? job->data[r] : NULL;
        status = dry_fit__ready(bench, &bench->records[r], error);
    }
    return status;
}

/* ---- what is free ------------------------------------------------------------------------------
 */

static const char START[] = "start ";
enum { START_LENGTH = sizeof START - 1 };

static const char *text_of(dry_fit__bench *bench, const char *before, const char *name) {
    const size_t size = strlen(before) + strlen(name) + 1;
    char *text = dry_arena_take(bench->arena, size);
    if (text) snprintf(text, size, "%s%s", before, name);
    return text ? text : "";
}

static dry_fit_free of_text(dry_fit__bench *bench, const dry_freed *freed) {
    return (dry_fit_free){.name = text_of(bench, freed->start ? START : "", freed->name),
                          .low = freed->low,
                          .high = freed->high,
                          .log = freed->log,
                          .own = freed->own};
}

/* What the caller leaves open, the text says. */
static dry_fit_free of_caller(dry_fit__bench *bench, const dry_fit_free *given) {
    dry_fit_free free = *given;
    const dry_model *model = bench->records[0].model;
    const bool open = given->low == 0.0 && given->high == 0.0;
    if (open) free.low = free.high = (double)NAN;
    free.name = text_of(bench, "", given->name);
    for (int i = 0; i < dry_model_freeds(model); i++) {
        const dry_freed freed = dry_model_freed(model, i);
        const dry_fit_free own = of_text(bench, &freed);
        if (strcmp(own.name, free.name) != 0) continue;
        if (open) free.low = own.low, free.high = own.high;
        free.log = free.log || own.log;
        free.own = free.own || own.own;
    }
    return free;
}

/* Calls `take` for what the caller frees: a vector as a whole is each of its elements. */
typedef void take_fn(dry_fit__bench *bench, const dry_fit_free *free);

static bool is_element(const char *name, const char *of) {
    const size_t n = strlen(of);
    return !strncmp(name, of, n) && name[n] == '[';
}

static void spread_free(dry_fit__bench *bench, const dry_fit_free *given, take_fn *take) {
    const dry_model *model = bench->records[0].model;
    const dry_system *system = dry_model_system(model);
    const bool start = !strncmp(given->name, START, START_LENGTH);
    const char *name = given->name + (start ? START_LENGTH : 0);
    char text[256];
    int n = 0;
    for (int i = 0; i < (start ? system->n_states : system->n_par); i++) {
        const char *other = start ? system->states[i].name : text;
        if (!start && !dry_model_par_setting(model, i, text, sizeof text)) continue;
        if (!is_element(other, name)) continue;
        dry_fit_free element = *given;
        element.name = text_of(bench, start ? START : "", other);
        take(bench, &element);
        n++;
    }
    if (!n) take(bench, given);
}

static void count_free(dry_fit__bench *bench, const dry_fit_free *free) {
    (void)free;
    bench->n_free++;
}

static void take_free(dry_fit__bench *bench, const dry_fit_free *free) {
    bench->free[bench->n_free++] = of_caller(bench, free);
}

static void spread_frees(dry_fit__bench *bench, take_fn *take) {
    bench->n_free = 0;
    for (int i = 0; i < bench->job->n_free; i++) spread_free(bench, &bench->job->free[i], take);
}

static dry_status find_free(dry_fit__bench *bench, dry_error *error) {
    const dry_fit_job *job = bench->job;
    const dry_model *model = bench->records[0].model;
    const int of_model = job->n_free > 0 ? 0 : dry_model_freeds(model);
    spread_frees(bench, count_free);
    const size_t room = (size_t)(bench->n_free + of_model) + 1;
    bench->free = dry_arena_take(bench->arena, sizeof *bench->free * room);
    bench->is_start = dry_arena_take(bench->arena, room);
    if (!bench->free || !bench->is_start) return no_memory(error);
    if (bench->n_free + of_model == 0)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "%s has nothing to fit: write `free F in 0.1..10` in the text, or give "
            "--free F",
            job->path);
    spread_frees(bench, take_free);
    for (int i = 0; i < of_model; i++) {
        const dry_freed freed = dry_model_freed(model, i);
        bench->free[bench->n_free++] = of_text(bench, &freed);
    }
    for (int i = 0; i < bench->n_free; i++)
        bench->is_start[i] = !strncmp(bench->free[i].name, START, START_LENGTH);
    return DRY_OK;
}

/* ---- where it is in a model --------------------------------------------------------------------
 */

int dry_fit__find_par(const dry_model *model, const char *name) {
    const int n = dry_model_system(model)->n_par;
    char text[256];
    for (int i = 0; i < n; i++)
        if (dry_model_par_setting(model, i, text, sizeof text) && !strcmp(text, name)) return i;
    return -1;
}

static int find_state(const dry_model *model, const char *name) {
    const dry_system *system = dry_model_system(model);
    for (int i = 0; i < system->n_states; i++)
        if (!strcmp(system->states[i].name, name)) return i;
    return -1;
}

static dry_status unknown(const dry_fit__bench *bench, int f, dry_error *error) {
    const char *path = bench->job->path, *name = bench->free[f].name;
    if (bench->is_start[f])
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s has no state `%.100s` whose start could be free: `drystone show "
                             "%s` lists them",
                             path, name + START_LENGTH, path);
    return dry_error_set(
        error, DRY_BAD_ARGUMENT,
        "%s has no parameter `%.100s` that could be free: `drystone show %s` lists them", path,
        name, path);
}

static dry_status locate(dry_fit__bench *bench, dry_fit__record *record, int f, dry_error *error) {
    const char *name = bench->free[f].name;
    const dry_model *model = record->model;
    record->par[f] = bench->is_start[f] ? -1 : dry_fit__find_par(model, name);
    record->state[f] = bench->is_start[f] ? find_state(model, name + START_LENGTH) : -1;
    record->place[f] = -1;
    if (record->par[f] < 0 && record->state[f] < 0) return unknown(bench, f, error);
    record->anew[f] = record->par[f] >= 0 && ((!dry_model_par_free(model, record->par[f]) &&
                                               !dry_model_par_timed(model, record->par[f])) ||
                                              dry_model_par_follows(model, record->par[f]));
    for (int k = 0; k < f; k++)
        if (record->par[k] == record->par[f] && record->state[k] == record->state[f])
            return dry_error_set(error, DRY_BAD_ARGUMENT, "`%.100s` is free twice", name);
    return DRY_OK;
}

static dry_status locate_all(dry_fit__bench *bench, dry_fit__record *record, dry_error *error) {
    const size_t n = (size_t)bench->n_free + 1;
    dry_status status = DRY_OK;
    record->par = dry_arena_take(bench->arena, sizeof *record->par * n);
    record->state = dry_arena_take(bench->arena, sizeof *record->state * n);
    record->place = dry_arena_take(bench->arena, sizeof *record->place * n);
    record->anew = dry_arena_take(bench->arena, n);
    if (!record->par || !record->state || !record->place || !record->anew) return no_memory(error);
    for (int f = 0; status == DRY_OK && f < bench->n_free; f++)
        status = locate(bench, record, f, error);
    return status;
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static dry_status find_start(const dry_fit__record *record, int f, double *value,
                             dry_error *error) {
    const dry_system *system = dry_model_system(record->model);
    const bool is_par = record->par[f] >= 0;
    *value = is_par ? system->par[record->par[f]] : (double)NAN;
    if (is_par) return DRY_OK;
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    unsigned char *given = calloc((size_t)system->n_states + 1, 1);
    dry_status status = x && given ? DRY_OK : no_memory(error);
    if (status == DRY_OK) status = dry_model_start(record->model, NULL, 0.0, given, x, error);
    if (status == DRY_OK) *value = x[record->state[f]];
    free(x);
    free(given);
    return status;
}

static const char *unit_of(const dry_fit__record *record, int f) {
    const dry_system *system = dry_model_system(record->model);
    return record->par[f] >= 0 ? system->params[record->par[f]].unit
                               : system->states[record->state[f]].unit;
}

/* Without any delay of a sample it would be another model. */
static const double LEAST_DELAY = 1e-6; /* in parts of that at the start */

static bool needs_delay(const dry_fit__record *record, int par) {
    const dry_system *system = dry_model_system(record->model);
    if (!dry_model_par_timed(record->model, par)) return false;
    double *at_zero = malloc(sizeof *at_zero * (size_t)system->n_par);
    if (!at_zero) return false;
    memcpy(at_zero, system->par, sizeof *at_zero * (size_t)system->n_par);
    at_zero[par] = 0.0;
    dry_model_par_follow(record->model, at_zero);
    const bool needs = !dry_model_instants_fit(record->model, at_zero);
    free(at_zero);
    return needs;
}

static void bound(dry_fit_parameter *p, const dry_fit__record *record, const dry_fit_free *free,
                  int f) {
    double range[2];
    p->low = -(double)INFINITY;
    p->high = (double)INFINITY;
    if (record->par[f] >= 0 && dry_model_par_range(record->model, record->par[f], range)) {
        p->low = range[0];
        p->high = range[1];
    }
    if (!isnan(free->low)) p->low = free->low;
    if (!isnan(free->high)) p->high = free->high;
    if (p->low <= 0.0 && p->value > 0.0 && needs_delay(record, record->par[f]))
        p->low = LEAST_DELAY * p->value;
}

static dry_status check(const dry_fit_parameter *p, dry_error *error) {
    if (!isfinite(p->value))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "`%s` begins at a value that is not finite: give it another one",
                             p->name);
    if (!(p->low < p->high))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the bounds of `%s`, %.9g and %.9g, leave no room: give the smaller "
                             "one first",
                             p->name, p->low, p->high);
    if (p->value < p->low || p->value > p->high)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "`%s` begins at %.9g %s, outside of its bounds %.9g .. %.9g: change its "
            "value in the text (or give -p %s=...), or the bounds",
            p->name, p->value, p->unit, p->low, p->high, p->name);
    if (p->log && !(p->value > 0.0))
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "`%s` varies by factors (log), so it must begin above 0, but begins at "
            "%.9g: remove `log`, or change its value",
            p->name, p->value);
    return DRY_OK;
}

static dry_status add_parameter(dry_fit__bench *bench, int f, int r, dry_error *error) {
    const dry_fit_free *free = &bench->free[f];
    const dry_fit__record *record = &bench->records[r < 0 ? 0 : r];
    dry_fit_parameter *p = &bench->parameters[bench->n++];
    *p = (dry_fit_parameter){.name = free->name,
                             .unit = text_of(bench, "", unit_of(record, f)),
                             .record = r,
                             .log = free->log,
                             .deviation = (double)NAN,
                             .interval = {(double)NAN, (double)NAN}};
    const dry_status status = find_start(record, f, &p->value, error);
    if (status != DRY_OK) return status;
    p->start = p->value;
    bound(p, record, free, f);
    const double width = p->high - p->low;
    p->scale = p->value != 0.0 ? fabs(p->value) : isfinite(width) ? width : 1.0;
    for (int k = 0; k < bench->n_records; k++)
        if (r < 0 || k == r) bench->index[f * bench->n_records + k] = bench->n - 1;
    return check(p, error);
}

static dry_status add_parameters(dry_fit__bench *bench, dry_error *error) {
    const size_t n = (size_t)bench->n_free * (size_t)bench->n_records;
    dry_status status = DRY_OK;
    bench->parameters = dry_arena_take(bench->arena, sizeof *bench->parameters * n);
    bench->index = dry_arena_take(bench->arena, sizeof *bench->index * n);
    bench->distance = dry_arena_take(bench->arena, sizeof *bench->distance * n);
    if (!bench->parameters || !bench->index || !bench->distance) return no_memory(error);
    for (int f = 0; status == DRY_OK && f < bench->n_free; f++) {
        if (!bench->free[f].own) status = add_parameter(bench, f, -1, error);
        for (int r = 0; status == DRY_OK && bench->free[f].own && r < bench->n_records; r++)
            status = add_parameter(bench, f, r, error);
    }
    bench->n_given = bench->n;
    return status;
}

/* ---- derivatives -------------------------------------------------------------------------------
 */

static void note_why(dry_fit__bench *bench, int r, int f, const char *why) {
    dry_fit_parameter *p = &bench->parameters[bench->index[f * bench->n_records + r]];
    if (why && !p->why) p->why = text_of(bench, "", why);
}

/* The equations of the sensitivities by what has them. */
static dry_status find_equations(dry_fit__bench *bench, int r, dry_error *error) {
    dry_fit__record *record = &bench->records[r];
    int par[64], of[64], n = 0, place = 0;
    const char *why[64];
    for (int f = 0; f < bench->n_free; f++) {
        const bool asks = record->par[f] >= 0 && n < 64;
        if (!asks) note_why(bench, r, f, record->par[f] < 0 ? "it is a start" : "they are many");
        if (!asks) continue;
        par[n] = record->par[f];
        of[n++] = f;
    }
    if (!n) return DRY_OK;
    const dry_status status =
        dry_sensitivity_new(record->model, par, n, why, &record->exact, error);
    for (int i = 0; status == DRY_OK && i < n; i++) {
        note_why(bench, r, of[i], why[i]);
        if (!why[i]) record->place[of[i]] = place++;
    }
    if (status == DRY_OK && !dry_sensitivity_system(record->exact)) {
        dry_sensitivity_free(record->exact);
        record->exact = NULL;
    }
    return status;
}

dry_status dry_fit__own_sensitivity(const dry_fit__bench *bench, dry_fit__trial *trial,
                                    dry_sensitivity **exact) {
    const dry_fit__record *record = &bench->records[trial->record];
    int par[64], n = 0;
    const char *why[64];
    for (int f = 0; f < bench->n_free; f++)
        if (record->place[f] >= 0) par[n++] = dry_fit__find_par(trial->own, bench->free[f].name);
    for (int i = 0; i < n; i++) why[i] = NULL;
    dry_status status = dry_sensitivity_new(trial->own, par, n, why, exact, &trial->error);
    for (int i = 0; status == DRY_OK && i < n; i++)
        if (why[i])
            status = dry_error_set(&trial->error, DRY_RUN_FAILED,
                                   "with these values there is no derivative by an equation");
    return status;
}

/* ---- native code --------------------------------------------------------------------------- */

enum { USUAL_RUNS = 60, USUAL_SLOPE_RUNS = 20 };
enum { MOST_ROWS_PRINTED = 10000 }; /* records of this length are tables in the text */

/* Native code if so many runs pay for it, or if the cache has it. That of sensitivities is made by
 * fits alone, so that there is no sense in looking for it where it does not pay: that costs a print
 * of the model with its tables. */
static dry_native *code_of(const dry_model *model, const dry_run_options *run, int runs,
                           bool look) {
    const double steps = run->method->adaptive ? 0.0 : run->until / run->step;
    const bool pays = dry_native_pays(model, run->method, runs * steps);
    const dry_native_options options = {.only_cached = !pays, .method = run->method};
    return (pays || look) && steps >= DRY_NATIVE_FEWEST_STEPS
               ? dry_native_new(model, &options, NULL)
               : NULL;
}

static void find_code(dry_fit__record *record) {
    if (dry_model_inclusion(record->model)) return;
    record->native =
        code_of(record->model, &record->run, USUAL_RUNS, record->rows <= MOST_ROWS_PRINTED);
    if (record->exact)
        record->exact_native =
            code_of(dry_sensitivity_model(record->exact), &record->run, USUAL_SLOPE_RUNS, false);
}

/* ---- the bench ----------------------------------------------------------------------------- */

dry_status dry_fit__begin(dry_fit__bench *bench, const dry_fit_job *job, dry_arena *arena,
                          dry_error *error) {
    *bench = (dry_fit__bench){.job = job, .arena = arena};
    dry_status status = compile_all(bench, error);
    if (status == DRY_OK && !dry_model_againsts(bench->records[0].model))
        status = dry_error_set(error, DRY_BAD_ARGUMENT,
                               "%s has no output to fit: write a line such as `output f against "
                               "\"log.csv\" column \"force\" [N]`",
                               job->path);
    if (status == DRY_OK) status = find_free(bench, error);
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++)
        status = locate_all(bench, &bench->records[r], error);
    if (status == DRY_OK) status = add_parameters(bench, error);
    if (status == DRY_OK) status = dry_fit__read_rows(bench, error);
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++)
        status = find_equations(bench, r, error);
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++) find_code(&bench->records[r]);
    if (status == DRY_OK && dry_arena_failed(arena)) status = no_memory(error);
    return status;
}

void dry_fit__end(dry_fit__bench *bench) {
    for (int r = 0; bench->records && r < bench->n_records; r++) {
        dry_native_free(bench->records[r].exact_native);
        dry_native_free(bench->records[r].native);
        dry_sensitivity_free(bench->records[r].exact);
        dry_model_free(bench->records[r].model);
    }
}
