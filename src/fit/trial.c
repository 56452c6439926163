/* trial: one run of the model of a record with other values of what is free, which gives the
 * model's side of every row. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_status no_memory(dry_fit__trial *trial) {
    return dry_error_set(&trial->error, DRY_NO_MEMORY, "out of memory");
}

/* ---- before the run -----------------------------------------------------------------------------
 */

static double value_of(const dry_fit__bench *bench, const dry_fit__trial *trial, int f) {
    return trial->values[bench->index[f * bench->n_records + trial->record]];
}

/* Sets the parameters; false: only a compilation can. One thread at a time. */
static bool renumber(const dry_fit__bench *bench, dry_fit__trial *trial) {
    const dry_fit__record *record = &bench->records[trial->record];
    const dry_system *system = dry_model_system(record->model);
    bool anew = false, any = false;
    for (int f = 0; f < bench->n_free; f++) {
        if (record->par[f] < 0) continue;
        const double value = value_of(bench, trial, f);
        const bool other = value != system->par[record->par[f]];
        trial->par[record->par[f]] = value;
        any = any || other;
        anew = anew || (other && record->anew[f]);
    }
    return !anew && (!any || (dry_model_par_settle(record->model, trial->par) &&
                              dry_model_instants_fit(record->model, trial->par)));
}

static void prepare(const dry_fit__bench *bench, dry_fit__trial *trial) {
    const dry_system *system = dry_model_system(bench->records[trial->record].model);
    const size_t bytes = sizeof *trial->par * (size_t)system->n_par;
    trial->status = DRY_OK;
    trial->par = malloc(bytes + 1);
    if (!trial->par) {
        trial->status = no_memory(trial);
        return;
    }
    if (bytes) memcpy(trial->par, system->par, bytes);
    trial->anew = !renumber(bench, trial);
}

static void compile_anew(const dry_fit__bench *bench, dry_fit__trial *trial) {
    const dry_fit__record *record = &bench->records[trial->record];
    dry_model_options options = bench->job->options;
    const int given = options.n_settings;
    dry_setting *settings = calloc((size_t)(given + bench->n_free) + 1, sizeof *settings);
    int n = 0;
    if (!settings) {
        trial->status = no_memory(trial);
        return;
    }
    for (int f = 0; f < bench->n_free; f++)
        if (record->par[f] >= 0)
            settings[n++] =
                (dry_setting){.name = bench->free[f].name, .value = value_of(bench, trial, f)};
    for (int i = 0; i < given; i++) {
        bool is_free = false;
        for (int f = 0; f < bench->n_free; f++)
            is_free = is_free || !strcmp(bench->free[f].name, options.settings[i].name);
        if (!is_free) settings[n++] = options.settings[i];
    }
    options.settings = settings;
    options.n_settings = n;
    if (!(options.run.until > 0.0)) options.run.until = dry_model_run(record->model).until;
    trial->own = dry_fit__compile(bench, record, &options, &trial->error);
    if (!trial->own) trial->status = trial->error.status;
    free(settings);
}

/* ---- starts -------------------------------------------------------------------------------------
 */

static dry_status start_inside(const dry_fit__record *record, dry_fit__trial *trial,
                               const dry_system *system) {
    trial->x0 = calloc((size_t)system->n_states + 1, sizeof *trial->x0);
    if (!trial->x0) return no_memory(trial);
    dry_fit__window_start(record, trial->values, trial->x0);
    return DRY_OK;
}

/* The start of the states, if some of them are free, in `model`, which may be that of the
 * sensitivities: there the derivatives of a start that is free are 0. */
static dry_status find_start(const dry_fit__bench *bench, dry_fit__trial *trial,
                             const dry_model *model, int own, const double *par) {
    const dry_fit__record *record = &bench->records[trial->record];
    const int n = dry_model_system(model)->n_states, places = n / own - 1;
    bool any = false;
    if (record->window && record->window->x)
        return start_inside(record, trial, dry_model_system(model));
    for (int f = 0; f < bench->n_free; f++) any = any || record->state[f] >= 0;
    if (!any) return DRY_OK;
    unsigned char *given = calloc((size_t)n + 1, 1);
    trial->x0 = calloc((size_t)n + 1, sizeof *trial->x0);
    dry_status status = DRY_NO_MEMORY;
    if (given && trial->x0) {
        for (int f = 0; f < bench->n_free; f++) {
            if (record->state[f] < 0) continue;
            trial->x0[record->state[f]] = value_of(bench, trial, f);
            for (int i = -1; i < places; i++)
                given[dry_sensitivity_state(own, places, i, record->state[f])] = 1;
        }
        status = dry_model_start(model, par, 0.0, given, trial->x0, &trial->error);
    }
    free(given);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------------
 */

/* Takes the columns of the outputs, or of their derivatives, as rows come. */
typedef struct taker {
    double *values; /* of column c at time k: values[c * n_times + k] */
    const int *column;
    int n;
    size_t n_times, rows;
} taker;

static dry_status take_row(void *user, const double *row) {
    taker *t = user;
    if (t->rows > 0 && t->rows <= t->n_times) /* the first row is the start */
        for (int c = 0; c < t->n; c++)
            t->values[(size_t)c * t->n_times + t->rows - 1] = row[t->column[c]];
    t->rows++;
    return DRY_OK;
}

static bool all_finite(const double *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += 0.0 * x[i];
    return sum == 0.0;
}

typedef struct course {
    const dry_model *model;
    double *end_x;            /* all states at the end of a window; NULL: of the whole record */
    const dry_system *system; /* NULL: the model keeps its sets */
    const double *par;
    const double *times;
    size_t n_times;
} course;

/* Notes a part that created energy. */
static dry_status find_giver(const dry_fit__trial *trial, const course *c, const dry_record *record,
                             dry_error *error) {
    dry_account account;
    if (!dry_model_net(c->model)) return DRY_OK;
    const dry_status status = dry_model_account(c->model, record, &account, error);
    if (status != DRY_OK) return status;
    const dry_account_row *liar = dry_account_liar(&account, DRY_ACCOUNT_CREATED);
    const dry_account_row *row = liar ? liar : dry_account_giver(&account, DRY_ACCOUNT_CREATED);
    if (row)
        *trial->giver = (dry_fit_giver){.record = trial->record,
                                        .promised = liar != NULL,
                                        .energy = -row->least,
                                        .share = -row->least / row->passed};
    if (row) snprintf(trial->giver->part, sizeof trial->giver->part, "%s", row->part);
    if (row) snprintf(trial->giver->kind, sizeof trial->giver->kind, "%s", row->kind);
    dry_account_free(&account);
    return DRY_OK;
}

static dry_status march(const dry_fit__bench *bench, dry_fit__trial *trial, const course *c,
                        taker *to) {
    const dry_fit__record *record = &bench->records[trial->record];
    const dry_sim_sink sink = {take_row, to};
    dry_sim_result result = {0};
    const dry_run_options finer = dry_fit__finer(&record->run);
    const dry_sim_options options = {.run = trial->finer ? finer : record->run,
                                     .from = record->window ? record->window->from : 0.0,
                                     .times = c->times,
                                     .n_times = c->n_times,
                                     .sink = &sink,
                                     .sink_only = !trial->giver,
                                     .par = c->par,
                                     .x0 = trial->x0,
                                     .end_x = c->end_x};
    dry_status status = c->system ? dry_sim_run(c->system, &options, &result, &trial->error)
                                  : dry_sim_run_inclusion(dry_model_inclusion(c->model), &options,
                                                          &result, &trial->error);
    if (status == DRY_OK && trial->giver)
        status = find_giver(trial, c, result.record, &trial->error);
    dry_record_free(result.record);
    free(result.saved);
    if (status != DRY_OK) return status;
    if (result.stop)
        return dry_error_set(&trial->error, DRY_RUN_FAILED,
                             "the model stops the run at %.9g s, before the record ends: remove "
                             "`stop when`, or end the span of the output (from .. to) earlier",
                             result.end);
    if (to->rows > to->n_times && all_finite(to->values, (size_t)to->n * to->n_times))
        return DRY_OK;
    return dry_error_set(&trial->error, DRY_RUN_FAILED, "an output is not finite");
}

/* The columns of what is wanted, in a row of the run. */
static int find_columns(const dry_fit__bench *bench, const dry_fit__trial *trial, const course *c,
                        const dry_sensitivity *exact, int *column) {
    const dry_fit__record *record = &bench->records[trial->record];
    const dry_system *system = dry_model_system(c->model);
    dry_record *row = dry_sim_columns(system);
    if (!row) return -1;
    const int first = dry_record_columns(row) - system->n_outputs;
    int n = 0, places = 0;
    for (int f = 0; f < bench->n_free; f++) places += trial->slopes && record->place[f] >= 0;
    for (int p = 0; p < (trial->slopes ? places : 1); p++)
        for (int i = 0; i < dry_fit__n_measured(record); i++) {
            const int at = first + dry_model_against(c->model, i).output;
            column[n++] = trial->slopes ? dry_sensitivity_column(exact, p, at) : at;
        }
    dry_record_free(row);
    return n;
}

/* From the times to the rows, which may have one time twice. */
static void spread(const dry_fit__bench *bench, dry_fit__trial *trial, const taker *from,
                   const size_t *at, dry_fit__window_end end) {
    const dry_fit__record *record = &bench->records[trial->record];
    const int n = dry_fit__n_measured(record);
    double *to = trial->model;
    for (int c = 0; c < from->n; c++) {
        const dry_fit_output *first = &bench->outputs[record->first];
        const int output = c % n;
        size_t row = 0;
        for (int i = 0; i < output; i++) row += first[i].rows;
        for (size_t k = 0; k < first[output].rows; k++)
            *to++ = from->values[(size_t)c * from->n_times + at[row + k]];
        end.place = trial->slopes ? c / n : -1;
        if (output == n - 1) to = dry_fit__window_jumps(record, trial->values, end, to);
    }
}

/* What a window needs of its end. */
static dry_status take_end(const dry_fit__record *record, dry_fit__trial *trial, const course *c) {
    const size_t own = (size_t)dry_model_system(record->model)->n_states;
    if (!c->end_x) return DRY_OK;
    if (trial->end_x) memcpy(trial->end_x, c->end_x, sizeof *c->end_x * own);
    if (all_finite(c->end_x, (size_t)c->system->n_states)) return DRY_OK;
    return dry_error_set(&trial->error, DRY_RUN_FAILED, "a state is not finite");
}

static dry_status run_course(const dry_fit__bench *bench, dry_fit__trial *trial, course *c,
                             const dry_sensitivity *exact, const size_t *at) {
    const dry_fit__record *record = &bench->records[trial->record];
    const size_t most = (size_t)record->n * (size_t)(bench->n_free + 1);
    int *column = malloc(sizeof *column * most);
    if (record->window) c->end_x = malloc(sizeof *c->end_x * ((size_t)c->system->n_states + 1));
    taker to = {.column = column, .n_times = c->n_times};
    to.n =
        column && (c->end_x || !record->window) ? find_columns(bench, trial, c, exact, column) : -1;
    if (to.n >= 0) to.values = malloc(sizeof *to.values * ((size_t)to.n * c->n_times + 1));
    dry_status status = dry_error_set(&trial->error, DRY_NO_MEMORY, "out of memory");
    if (to.values) {
        const dry_model *model = trial->slopes ? dry_sensitivity_model(exact) : c->model;
        const int own = dry_model_system(c->model)->n_states;
        status = c->system ? find_start(bench, trial, model, own, c->par) : DRY_OK;
        if (status == DRY_OK) status = march(bench, trial, c, &to);
        if (status == DRY_OK) status = take_end(record, trial, c);
        const dry_fit__window_end end = {.x = c->end_x,
                                         .n_states = c->system ? c->system->n_states : 0};
        if (status == DRY_OK) spread(bench, trial, &to, at, end);
    }
    free(c->end_x);
    free(column);
    free(to.values);
    return status;
}

/* A model of its own may have other lags, and has sensitivities of its own. */
static dry_status run_own(const dry_fit__bench *bench, dry_fit__trial *trial) {
    const dry_fit__record *record = &bench->records[trial->record];
    course c = {.model = trial->own};
    double *times = malloc(sizeof *times * (record->rows + 1));
    size_t *at = malloc(sizeof *at * (record->rows + 1));
    dry_sensitivity *exact = NULL;
    dry_status status = dry_error_set(&trial->error, DRY_NO_MEMORY, "out of memory");
    if (times && at && dry_fit__find_times(bench, record, trial->own, times, &c.n_times, at)) {
        c.times = times;
        c.system = dry_model_inclusion(trial->own) ? NULL : dry_model_system(trial->own);
        status = trial->slopes ? dry_fit__own_sensitivity(bench, trial, &exact) : DRY_OK;
        if (exact) c.system = dry_sensitivity_system(exact);
        if (status == DRY_OK) status = run_course(bench, trial, &c, exact, at);
    }
    dry_sensitivity_free(exact);
    free(times);
    free(at);
    return status;
}

static dry_status run_shared(const dry_fit__bench *bench, dry_fit__trial *trial) {
    const dry_fit__record *record = &bench->records[trial->record];
    course c = {.model = record->model,
                .par = trial->par,
                .times = record->times,
                .n_times = record->n_times};
    if (trial->slopes)
        c.system = record->exact_native ? dry_native_system(record->exact_native)
                                        : dry_sensitivity_system(record->exact);
    else if (!dry_model_inclusion(record->model))
        c.system =
            record->native ? dry_native_system(record->native) : dry_model_system(record->model);
    return run_course(bench, trial, &c, record->exact, record->at);
}

/* ---- many ---------------------------------------------------------------------------------- */

typedef struct batch {
    const dry_fit__bench *bench;
    dry_fit__trial *trials;
    int n;
} batch;

static void run_one(const dry_fit__bench *bench, dry_fit__trial *trial) {
    if (trial->status == DRY_OK && trial->anew) compile_anew(bench, trial);
    if (trial->status == DRY_OK) trial->status = (trial->own ? run_own : run_shared)(bench, trial);
    dry_model_free(trial->own);
    free(trial->par);
    free(trial->x0);
    trial->own = NULL;
    trial->par = trial->x0 = NULL;
}

static void run_piece(const void *data, dry_team_piece piece) {
    const batch *b = data;
    const int to = dry_piece_to(b->n, piece);
    for (int i = dry_piece_from(b->n, piece); i < to; i++) run_one(b->bench, &b->trials[i]);
}

dry_status dry_fit__try(dry_fit__bench *bench, dry_fit__trial *trials, int n, dry_error *error) {
    const batch all = {bench, trials, n};
    for (int i = 0; i < n; i++) {
        prepare(bench, &trials[i]);
        *(trials[i].slopes ? &bench->slope_runs : &bench->runs) += 1;
    }
    dry_team_run(bench->team, n, run_piece, &all);
    for (int i = 0; i < n; i++)
        if (trials[i].status == DRY_NO_MEMORY)
            return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    return DRY_OK;
}
