/* sweep: prepares the runs of a sweep and makes the table of its results. */
#define _POSIX_C_SOURCE 200809L
#include "model/model.h"
#include "sweep_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The points of a block take the bytecode about this long, s; a stopped sweep loses as much. */
static const double block_seconds = 0.02;
enum { CHEAP = 16, BLOCKS = 256, ADAPTIVE_STEPS = 1000 };

/* ---- the table ------------------------------------------------------------------------------- */

/* Returns true if a setting concerns the parameter: "ball.mass" also concerns "ball[2].mass". */
static bool is_about(const char *setting, const char *name) {
    for (; *name; name++) {
        if (*setting == *name)
            setting++;
        else if (*name != '[' || !(name = strchr(name, ']')))
            return false;
    }
    return *setting == '\0';
}

static const char *axis_unit(const dry_model *plain, const char *axis) {
    const dry_system *system = dry_model_system(plain);
    char name[256];
    for (int i = 0; i < system->n_par; i++)
        if (dry_model_par_setting(plain, i, name, sizeof name) && is_about(axis, name))
            return system->params[i].unit;
    return "";
}

static dry_record *new_table(const dry_sweep__job *job, const dry_model *plain, int n) {
    const dry_sweep_options *o = job->options;
    dry_quantity *columns = calloc((size_t)n, sizeof *columns);
    if (!columns) return NULL;
    for (int i = 0; i < o->n_axes; i++)
        columns[i] = (dry_quantity){o->axes[i].name, axis_unit(plain, o->axes[i].name)};
    for (int i = 0; i < job->n_measures; i++) {
        const dry_measured m = dry_model_measure_at(plain, job->measure[i]);
        columns[o->n_axes + i] = (dry_quantity){m.name, m.unit};
    }
    if (o->watch) columns[n - 2] = (dry_quantity){"watch", ""};
    columns[n - 1] = (dry_quantity){"status", ""};
    dry_record *record = dry_record_new(columns, n);
    free(columns);
    return record;
}

static dry_record *make_table(const dry_sweep__job *job, const dry_model *plain,
                              const double *values) {
    const dry_sweep_options *o = job->options;
    const int n = o->n_axes + (int)job->shape.per_point;
    double *row = calloc((size_t)n, sizeof *row);
    dry_record *record = row ? new_table(job, plain, n) : NULL;
    bool good = record && dry_record_reserve(record, job->shape.points) == DRY_OK;
    for (size_t i = 0; good && i < job->shape.points; i++) {
        dry_sweep_point(o->axes, o->n_axes, i, row);
        memcpy(row + o->n_axes, values + i * job->shape.per_point,
               job->shape.per_point * sizeof *row);
        good = dry_record_add(record, row) == DRY_OK;
    }
    free(row);
    if (good) return record;
    dry_record_free(record);
    return NULL;
}

const char *dry_sweep_trust_text(dry_sweep_trust trust) {
    static const char *const texts[] = {"trusted", "not watched", "gives way", "sensitive",
                                        "not converged"};
    return texts[trust];
}

static void count_failed(const dry_sweep__job *job, const double *values,
                         dry_sweep_result *result) {
    for (size_t i = job->shape.points; i-- > 0;) {
        const double *end = values + (i + 1) * job->shape.per_point;
        result->untrusted += job->options->watch && end[-1] == 0.0 && end[-2] != DRY_SWEEP_TRUSTED;
        if (end[-1] == 0.0) continue;
        result->failed++;
        result->first_wrong = i;
    }
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static int find_measure(const dry_model *plain, const char *name) {
    for (int i = 0; i < dry_model_measures(plain); i++)
        if (strcmp(dry_model_measure_at(plain, i).name, name) == 0) return i;
    return -1;
}

static dry_status no_measure(const dry_model *plain, const char *name, dry_error *error) {
    char names[300] = "";
    for (int i = 0; i < dry_model_measures(plain); i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 dry_model_measure_at(plain, i).name);
    }
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the model has no measure `%.100s`; its measures are %s", name, names);
}

static dry_status find_measures(dry_sweep__job *job, const dry_model *plain, dry_error *error) {
    const dry_sweep_options *o = job->options;
    const int all = dry_model_measures(plain);
    if (all == 0)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the model has no measure to tabulate: add a line such as `measure reach = final(p)`");
    job->n_measures = o->n_measures ? o->n_measures : all;
    job->measure = calloc((size_t)job->n_measures, sizeof *job->measure);
    if (!job->measure) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < job->n_measures; i++) {
        job->measure[i] = o->n_measures ? find_measure(plain, o->measures[i]) : i;
        if (job->measure[i] < 0) return no_measure(plain, o->measures[i], error);
    }
    return DRY_OK;
}

static dry_status check_grid(const dry_sweep__job *job, dry_error *error) {
    const dry_sweep_options *o = job->options;
    if (o->n_axes < 1 || o->n_axes > DRY_SWEEP_AXES)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "a sweep has 1 to %d parameters, not %d",
                             DRY_SWEEP_AXES, o->n_axes);
    if (dry_sweep__points(o->axes, o->n_axes) == 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the grid has more than 10^8 points: use fewer values, or sweep in "
                             "pieces");
    for (int i = 0; i < o->n_axes; i++) {
        bool twice = false;
        for (int k = 0; k < i; k++) twice = twice || !strcmp(o->axes[i].name, o->axes[k].name);
        for (int k = 0; k < o->model.n_settings; k++)
            twice = twice || !strcmp(o->axes[i].name, o->model.settings[k].name);
        if (twice)
            return dry_error_set(error, DRY_BAD_ARGUMENT, "the parameter `%.100s` is given twice",
                                 o->axes[i].name);
    }
    return DRY_OK;
}

/* Whether an error is about the name, the unit or the shape of a setting. */
static bool is_of_setting(const dry_message *m) {
    static const char *const words[] = {"no-such-param", "setting-shape", "setting-dimension"};
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is = is || strcmp(m->word, words[i]) == 0;
    return is && m->kind == DRY_ERROR;
}

/* The first error of the compiler that a name or a unit of the grid causes. */
static dry_status check_names(const dry_model *first, dry_error *error) {
    for (int i = 0; i < dry_model_messages(first); i++) {
        const dry_message m = dry_model_message(first, i);
        if (!is_of_setting(&m)) continue;
        return dry_error_set(error, DRY_BAD_ARGUMENT, "%s%s%s", m.text, m.way_out[0] ? "; " : "",
                             m.way_out);
    }
    return DRY_OK;
}

/* Writes the values of a point: "F=3, K=1e4". */
static void write_point(const dry_sweep_options *o, size_t point, char *text, size_t size) {
    double values[DRY_SWEEP_AXES];
    dry_sweep_point(o->axes, o->n_axes, point, values);
    text[0] = '\0';
    for (int i = 0; i < o->n_axes; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s=%.6g", i ? ", " : "", o->axes[i].name,
                 values[i]);
    }
}

static dry_status refuse_point(const dry_sweep__job *job, const dry_model *model, size_t point,
                               int par, dry_error *error) {
    char text[200];
    double range[2];
    const dry_quantity *of = &dry_model_system(model)->params[par];
    write_point(job->options, point, text, sizeof text);
    if (!dry_model_par_range(model, par, range)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "at the point %s the parameter `%.100s` is outside its range "
                         "%.6g .. %.6g%s%s; sweep within the range",
                         text, of->name, range[0], range[1], of->unit[0] ? " " : "", of->unit);
}

static bool has_ranges(const dry_model *model) {
    double range[2];
    for (int i = 0; i < dry_model_system(model)->n_par; i++)
        if (dry_model_par_range(model, i, range)) return true;
    return false;
}

/* Refuses the first point at which a parameter is outside of its range, before anything runs. */
static dry_status check_ranges(const dry_sweep__job *job, const dry_model *model,
                               dry_error *error) {
    const dry_sweep_options *o = job->options;
    const dry_system *system = dry_model_system(model);
    double values[DRY_SWEEP_AXES];
    if (!has_ranges(model)) return DRY_OK;
    double *par = calloc((size_t)system->n_par, sizeof *par);
    if (!par) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = DRY_OK;
    for (size_t point = 0; point < job->shape.points && status == DRY_OK; point++) {
        dry_sweep_point(o->axes, o->n_axes, point, values);
        memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
        for (int i = 0; i < o->n_axes; i++) {
            const int k = dry_model_par_find(model, o->axes[i].name);
            if (k >= 0) par[k] = values[i];
        }
        dry_model_follow_text(model, par, -1);
        const int outside = dry_model_par_outside(model, par);
        if (outside >= 0) status = refuse_point(job, model, point, outside, error);
    }
    free(par);
    return status;
}

static dry_status check_model(const dry_model *plain, dry_error *error) {
    dry_run_options run;
    if (!plain) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; !dry_model_ok(plain) && i < dry_model_messages(plain); i++) {
        const dry_message m = dry_model_message(plain, i);
        if (m.kind == DRY_ERROR)
            return dry_error_set_at(error, DRY_BAD_MODEL, m.file, m.line, m.column, "%s", m.text);
    }
    if (!dry_model_ok(plain)) return dry_error_set(error, DRY_BAD_MODEL, "the model is too large");
    return dry_model_plan(plain, &run, error);
}

/* ---- the shape of the job -------------------------------------------------------------------- */

static double steps_of(const dry_run_options *run) {
    return run->method->adaptive ? ADAPTIVE_STEPS : run->until / run->step;
}

/* By the cost of a point in bytecode, whatever will run it, so that a journal fits any number of
 * threads and any code. */
static size_t block_size(const dry_model *plain, size_t points) {
    dry_run_options run;
    dry_model_plan(plain, &run, NULL); /* has been asked by check_model */
    const double operations = dry_model_operations(plain);
    const int stages = dry_model_inclusion(plain) ? 4 : run.method->stages;
    const double seconds = steps_of(&run) * stages * (20e-9 + 1.5e-9 * operations);
    const size_t most = points / BLOCKS > CHEAP ? points / BLOCKS : CHEAP;
    const double wanted = block_seconds / seconds;
    const size_t n = wanted < (double)most ? (size_t)wanted : most;
    return n >= CHEAP ? n / CHEAP * CHEAP : n > 1 ? n : 1;
}

/* Of everything that the numbers depend on. */
static uint64_t identity(const dry_sweep__job *job, const dry_model *plain) {
    const dry_sweep_options *o = job->options;
    uint64_t mark = dry_model_identity(plain, &o->model);
    for (int i = 0; i < o->n_axes; i++) {
        const dry_sweep_axis *axis = &o->axes[i];
        mark = dry_mark_bytes(mark, axis->name, strlen(axis->name) + 1);
        mark = dry_mark_bytes(mark, axis->values, sizeof *axis->values * (size_t)axis->n);
    }
    mark = dry_mark_bytes(mark, job->measure, sizeof *job->measure * (size_t)job->n_measures);
    if (o->watch) {
        mark = dry_mark_bytes(mark, &o->watch->limit, sizeof o->watch->limit);
        mark = dry_mark_bytes(mark, &o->watch->most, sizeof o->watch->most);
    }
    return mark;
}

/* ---- native code ----------------------------------------------------------------------------- */

static dry_status choose_code(dry_sweep__job *job, dry_error *error) {
    dry_run_options run;
    const bool asked = job->options->code == DRY_SWEEP_NATIVE;
    if (job->options->code == DRY_SWEEP_BYTECODE) return DRY_OK;
    if (dry_model_plan(job->base, &run, NULL) != DRY_OK || dry_model_inclusion(job->base))
        return DRY_OK;
    const double steps = steps_of(&run) * (double)job->shape.points;
    if (!asked && steps < DRY_NATIVE_FEWEST_STEPS) return DRY_OK;
    const dry_native_options options = {
        .only_cached = !asked && !dry_native_pays(job->base, run.method, steps),
        .method = run.method};
    dry_error why = {0};
    if (job->shared) dry_sweep__lanes_open(job, &options);
    if (job->lanes) return DRY_OK;
    job->native = dry_native_new(job->base, &options, &why);
    if (job->native || !asked) return DRY_OK;
    return dry_error_set_at(error, why.status, why.file, why.line, why.column, "%s", why.text);
}

/* ---- the door -------------------------------------------------------------------------------- */

static dry_status prepare(dry_sweep__job *job, const dry_model *plain, dry_error *error) {
    const dry_sweep_options *o = job->options;
    dry_status status = find_measures(job, plain, error);
    if (status != DRY_OK) return status;
    job->shape = (dry_work){.name = "sweep",
                            .depends = "model, grid, measures",
                            .points = dry_sweep__points(o->axes, o->n_axes),
                            .per_point = (size_t)job->n_measures + (o->watch ? 2 : 1)};
    job->shape.per_block = block_size(plain, job->shape.points);
    job->shape.identity = identity(job, plain);
    dry_setting *settings = calloc((size_t)(o->model.n_settings + o->n_axes) + 1, sizeof *settings);
    job->base = settings ? dry_sweep__compile(job, 0, settings) : NULL;
    free(settings);
    if (!job->base) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    status = check_names(job->base, error);
    if (status == DRY_OK)
        status = check_ranges(job, dry_model_ok(job->base) ? job->base : plain, error);
    if (status != DRY_OK) return status;
    if (!dry_model_ok(job->base)) { /* a point that cannot be run: the others are like the text */
        dry_model_free(job->base);
        job->like_text = true;
        job->base = dry_model_compile(job->file, job->text, job->length, &o->model);
        if (!job->base) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    job->shared = !o->watch && dry_model_ok(job->base) && dry_sweep__can_share(job);
    return choose_code(job, error);
}

/* ---- the crew -------------------------------------------------------------------------------- */

/* What its threads work on. */
typedef struct task {
    dry_sweep__job *job;
    dry_sweep_result *result;
} task;

static void *begin_worker(void *user) {
    const task *t = user;
    dry_sweep__worker *worker = calloc(1, sizeof *worker);
    if (worker && dry_sweep__worker_begin(worker, t->job)) return worker;
    if (worker) dry_sweep__worker_end(worker);
    free(worker);
    return NULL;
}

static dry_status run_block(void *worker, size_t block, double *values, dry_error *error) {
    (void)error; /* what is wrong with a point is its status */
    dry_sweep__run_block(worker, block, values);
    return DRY_OK;
}

static void end_worker(void *user, void *worker) {
    const task *t = user;
    dry_sweep__worker *w = worker;
    t->result->compiled += w->compiled;
    dry_sweep__worker_end(w);
    free(w);
}

static bool go_on(void *user, size_t done, size_t points) {
    const dry_sweep_options *o = ((const task *)user)->job->options;
    return !o->progress || o->progress(o->user, done, points);
}

static dry_status run_crew(dry_sweep__job *job, double *values, dry_sweep_result *result,
                           dry_error *error) {
    const dry_sweep_options *o = job->options;
    task t = {job, result};
    const dry_crew_job crew = {.work = &job->shape,
                               .processes = o->team,
                               .threads = o->threads,
                               .journal = o->journal,
                               .resume = o->resume,
                               .user = &t,
                               .begin = begin_worker,
                               .run = run_block,
                               .end = end_worker,
                               .progress = go_on};
    return dry_crew_run(&crew, values, &result->found, error);
}

void dry_sweep_done(const dry_sweep_options *options) {
    if (options->journal) dry_journal_remove(options->journal);
}

static dry_status run_all(dry_sweep__job *job, const dry_model *plain, dry_sweep_result *result,
                          dry_error *error) {
    const bool first = !job->options->team || job->options->team->rank == 0;
    double *values =
        first ? calloc(job->shape.points * job->shape.per_point, sizeof *values) : NULL;
    if (first && !values) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = run_crew(job, values, result, error);
    if (status == DRY_OK && first) {
        count_failed(job, values, result);
        result->record = make_table(job, plain, values);
        if (!result->record) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    free(values);
    return status;
}

dry_status dry_sweep_run(const char *file, const char *text, size_t length,
                         const dry_sweep_options *options, dry_sweep_result *result,
                         dry_error *error) {
    dry_sweep__job job = {.file = file, .text = text, .length = length, .options = options};
    *result = (dry_sweep_result){.lanes = 1};
    dry_status status = check_grid(&job, error);
    if (status != DRY_OK) return status;
    dry_model *plain = dry_model_compile(file, text, length, &options->model);
    status = check_model(plain, error);
    if (status == DRY_OK) status = prepare(&job, plain, error);
    result->points = job.shape.points;
    result->native = job.native || job.lanes;
    result->lanes = job.lanes ? DRY_NATIVE_LANES : 1;
    if (status == DRY_OK) status = run_all(&job, plain, result, error);
    dry_lanes_free(job.lanes);
    dry_native_free(job.native);
    dry_model_free(job.base);
    dry_model_free(plain);
    free(job.verdict);
    free(job.measure);
    return status;
}
