/* slopes: the derivatives of a run by parameters, by the equations of the sensitivities if the
 * model has them, else by differences; both with an estimated error. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "fit_private.h"

#include <drystone/native.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- running ------------------------------------------------------------------------------- */

dry_status dry_fit__run(const dry_slopes_job *job, const dry_run_options *run,
                        const dry_model *model, const dry_system *system, const double *par,
                        dry_sim_result *result, dry_error *error) {
    const dry_sim_options options = {
        .run = *run, .par = par, .progress = job->progress, .user = job->user};
    const dry_inclusion *inclusion = system ? NULL : dry_model_inclusion(model);
    if (inclusion) return dry_sim_run_inclusion(inclusion, &options, result, error);
    return dry_sim_run(system ? system : dry_model_system(model), &options, result, error);
}

/* ---- names ---------------------------------------------------------------------------------- */

static dry_status find_all(const dry_slopes_job *job, int *par, dry_error *error) {
    for (int i = 0; i < job->n_names; i++) {
        par[i] = dry_fit__find_par(job->model, job->names[i]);
        if (par[i] < 0)
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "%s has no parameter `%.100s`, of which there could be a "
                                 "sensitivity: `drystone show %s` lists them, and a vector goes by "
                                 "its elements, such as x[2]",
                                 dry_model_path(job->model), job->names[i],
                                 dry_model_path(job->model));
        for (int k = 0; k < i; k++)
            if (par[k] == par[i])
                return dry_error_set(error, DRY_BAD_ARGUMENT,
                                     "the sensitivity to `%.100s` is asked for twice",
                                     job->names[i]);
    }
    return DRY_OK;
}

/* ---- columns -------------------------------------------------------------------------------- */

static bool find_columns(const dry_slopes_job *job, dry_fit__columns *columns) {
    const int n = dry_record_columns(job->record);
    const int first = n - dry_model_system(job->model)->n_outputs;
    *columns = (dry_fit__columns){.column = malloc(sizeof(int) * (size_t)n),
                                  .rows = dry_record_rows(job->record)};
    for (int i = 1; columns->column && i < n; i++)
        if (i < first || dry_model_output_shown(job->model, i - first))
            columns->column[columns->n++] = i;
    return columns->column != NULL;
}

const char *dry_slope_unit(const char *of, const char *by, char *text, size_t size) {
    const bool whole = strcspn(by, "*/ ") == strlen(by);
    if (!by[0] || !strcmp(of, by))
        snprintf(text, size, "%s", by[0] ? "" : of);
    else
        snprintf(text, size, whole ? "%s/%s" : "%s/(%s)", of[0] ? of : "1", by);
    return text;
}

/* All values of all columns, before they are rows: places of parameters, then columns. */
typedef struct sheet {
    dry_quantity *columns;
    double **values;
    int n;
} sheet;

static bool add_column(sheet *s, const dry_quantity *of, const dry_slopes_of *by, size_t rows) {
    char name[600], unit[200];
    snprintf(name, sizeof name, "d%.250s/d%.250s", of->name, by->name);
    (void)dry_slope_unit(of->unit, by->unit, unit, sizeof unit);
    s->columns[s->n] = (dry_quantity){strdup(name), strdup(unit)};
    s->values[s->n] = malloc(sizeof **s->values * (rows + 1));
    const bool good = s->columns[s->n].name && s->columns[s->n].unit && s->values[s->n];
    s->n++;
    return good;
}

static void free_sheet(sheet *s) {
    for (int i = 0; i < s->n; i++) {
        free((void *)(uintptr_t)s->columns[i].name);
        free((void *)(uintptr_t)s->columns[i].unit);
        free(s->values[i]);
    }
    free(s->columns);
    free(s->values);
}

static dry_status to_record(const sheet *s, size_t rows, dry_record **record) {
    double *row = malloc(sizeof *row * (size_t)(s->n + 1));
    *record = row ? dry_record_new(s->columns, s->n) : NULL;
    dry_status status = *record ? dry_record_reserve(*record, rows) : DRY_NO_MEMORY;
    for (size_t r = 0; status == DRY_OK && r < rows; r++) {
        for (int i = 0; i < s->n; i++) row[i] = s->values[i][r];
        status = dry_record_add(*record, row);
    }
    free(row);
    return status;
}

/* ---- both ways ------------------------------------------------------------------------------- */

typedef struct work {
    const dry_slopes_job *job;
    dry_slopes *to;
    dry_fit__columns columns;
    int *par;
    const char **why;
    dry_sensitivity *exact;
    dry_native *native;    /* its machine code; NULL: bytecode */
    dry_sim_result result; /* of the run with the equations of the sensitivities */
    dry_sim_result finer;  /* of its repeat */
    sheet sheet;
    int n_measures;
} work;

/* The rows of both runs are the same, except at the end of a run that an adaptive method stops. */
static dry_status check_rows(const work *w, dry_error *error) {
    const dry_record *a = w->job->record, *b = w->result.record;
    bool same = dry_record_rows(a) == dry_record_rows(b);
    for (size_t r = 0; same && r < dry_record_rows(a); r++)
        same = fabs(dry_record_values(a, 0)[r] - dry_record_values(b, 0)[r]) <=
               1e-6 * w->job->run.until;
    if (same) return DRY_OK;
    return dry_error_set(error, DRY_RUN_FAILED,
                         "with its sensitivities the model stops the run at %.9g s, without them "
                         "at another time: use a fixed step, or smaller tolerances",
                         w->result.end);
}

dry_run_options dry_fit__finer(const dry_run_options *run) {
    static const double rtol = 1e-6, atol = 1e-9; /* the defaults, as ode.h has them */
    dry_run_options finer = *run;
    finer.max_steps *= 10.0; /* 0 stays 0: the usual limit */
    if (!run->method->adaptive) {
        if (!(run->record > 0.0)) finer.record = run->step;
        finer.step = 0.5 * run->step;
        return finer;
    }
    finer.rtol = 0.1 * (run->rtol > 0.0 ? run->rtol : rtol);
    finer.atol = 0.1 * (run->atol > 0.0 ? run->atol : atol);
    finer.max_step = run->max_step > 0.0 ? 0.5 * run->max_step : 0.05 * run->until;
    return finer;
}

static const dry_system *system_of(const work *w) {
    return w->native ? dry_native_system(w->native) : dry_sensitivity_system(w->exact);
}

static dry_status run_finer(work *w, dry_error *error) {
    const dry_run_options run = dry_fit__finer(&w->job->run);
    return dry_fit__run(w->job, &run, w->job->model, system_of(w), NULL, &w->finer, error);
}

static dry_status run_equations(work *w, dry_error *error) {
    if (!dry_sensitivity_system(w->exact)) return DRY_OK;
    const dry_native_options options = {.method = w->job->run.method};
    if (w->job->native) w->native = dry_native_new(dry_sensitivity_model(w->exact), &options, NULL);
    dry_status status =
        dry_fit__run(w->job, &w->job->run, w->job->model, system_of(w), NULL, &w->result, error);
    w->to->counts = w->result.counts;
    if (status == DRY_OK) status = check_rows(w, error);
    return status == DRY_OK ? run_finer(w, error) : status;
}

/* The mean size of numbers that are there: what lasts one sample, such as the force at the stop
 * of a motion, counts little. */
static double mean_size(const double *x, size_t n) {
    double sum = 0.0;
    size_t there = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) continue;
        sum += fabs(x[i]);
        there++;
    }
    return there ? sum / (double)there : 0.0;
}

/* Whether less than half of the numbers are there. */
static bool is_missing(const double *x, size_t n) {
    size_t there = 0;
    for (size_t i = 0; i < n; i++) there += isnan(x[i]) ? 0 : 1;
    return 2 * there < n;
}

static double mean_apart(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += fabs(a[i] - b[i]);
    return sum / (double)n;
}

/* Whether it is a state of the equations or of a body, and not one inside a law. */
static bool is_own_state(const dry_slopes_job *job, int column) {
    const char *name = dry_record_quantity(job->record, column).name;
    const dry_system *system = dry_model_system(job->model);
    bool own = false;
    for (int i = 0; i < dry_model_own_states(job->model); i++)
        own = own || !strcmp(system->states[dry_model_own_state(job->model, i)].name, name);
    return own;
}

/* Notes the error of column c in parts of its mean size, or of what a thousandth of the column is
 * over the parameter if that is more. */
static void note_error(const work *w, int i, int c, double error) {
    dry_slopes_of *of = &w->to->of[i];
    const size_t rows = w->columns.rows;
    const double *run = dry_record_values(w->job->record, w->columns.column[c]);
    const double *slopes = w->sheet.values[i * w->columns.n + c];
    const double slope = mean_size(slopes, rows);
    const double little = of->value != 0.0 ? 1e-3 * mean_size(run, rows) / fabs(of->value) : 0.0;
    const double size = fmax(slope, little);
    if (!is_own_state(w->job, w->columns.column[c]) || isnan(of->error)) return;
    if (!isfinite(error) || is_missing(slopes, rows))
        of->error = (double)NAN;
    else if (size > 0.0)
        of->error = fmax(of->error, error / size);
}

/* The repeat has a number for it, unless it was stopped at another sample. */
static void take_measure(work *w, int i, int place, int m) {
    dry_slope *slope = &w->to->measure[i * w->n_measures + m];
    double fine = (double)NAN;
    if (w->job->stopped || !dry_sensitivity_measure(w->exact, place, m, NULL, w->job->record,
                                                    w->result.record, &slope->value))
        return;
    slope->by_equations = true;
    if (dry_record_rows(w->finer.record) == w->columns.rows)
        (void)dry_sensitivity_measure(w->exact, place, m, NULL, w->job->record, w->finer.record,
                                      &fine);
    slope->error = fabs(slope->value - fine);
}

static void take_equations(work *w, int i, int place) {
    const size_t rows = w->columns.rows;
    const bool same = dry_record_rows(w->finer.record) == rows;
    double **to = w->sheet.values + i * w->columns.n;
    for (int c = 0; c < w->columns.n; c++) {
        const int column = dry_sensitivity_column(w->exact, place, w->columns.column[c]);
        const double *found = dry_record_values(w->result.record, column);
        memcpy(to[c], found, sizeof **to * rows);
        note_error(w, i, c,
                   same ? mean_apart(found, dry_record_values(w->finer.record, column), rows)
                        : (double)NAN);
    }
    for (int m = 0; m < w->n_measures; m++) take_measure(w, i, place, m);
}

/* The columns too if they do not follow their equations. */
static void take_differences(work *w, int i, const dry_fit__found *found) {
    const size_t rows = w->columns.rows;
    dry_slopes_of *of = &w->to->of[i];
    double **to = w->sheet.values + i * w->columns.n;
    of->n_runs = found->n_runs;
    of->anew = found->anew;
    for (int c = 0; of->why && c < w->columns.n; c++) {
        memcpy(to[c], found->column + (size_t)c * rows, sizeof **to * rows);
        note_error(w, i, c, found->error[c]);
    }
    for (int m = 0; m < w->n_measures; m++) {
        dry_slope *slope = &w->to->measure[i * w->n_measures + m];
        if (!slope->by_equations)
            *slope = (dry_slope){.value = found->measure[m], .error = found->measure_error[m]};
    }
}

static bool needs_differences(const work *w, int i) {
    bool all = w->to->of[i].why == NULL;
    for (int m = 0; m < w->n_measures; m++)
        all = all && w->to->measure[i * w->n_measures + m].by_equations;
    return !all;
}

static dry_status run_differences(work *w, int i, dry_error *error) {
    const size_t n = (size_t)w->columns.n * w->columns.rows;
    const size_t n_measures = (size_t)w->n_measures;
    double *numbers = malloc(sizeof *numbers * (n + (size_t)w->columns.n + 2 * n_measures + 1));
    if (!numbers) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_fit__found found = {.column = numbers,
                            .error = numbers + n,
                            .measure = numbers + n + w->columns.n,
                            .measure_error = numbers + n + w->columns.n + n_measures};
    const dry_status status = dry_fit__differ(w->job, &w->columns, w->par[i], &found, error);
    if (status == DRY_OK) take_differences(w, i, &found);
    free(numbers);
    return status;
}

static dry_status run_all(work *w, dry_error *error) {
    dry_status status = run_equations(w, error);
    for (int i = 0, place = 0; status == DRY_OK && i < w->to->n; i++) {
        if (!w->to->of[i].why) take_equations(w, i, place++);
        if (needs_differences(w, i)) status = run_differences(w, i, error);
    }
    if (status == DRY_OK && to_record(&w->sheet, w->columns.rows, &w->to->record) != DRY_OK)
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    return status;
}

static dry_status describe(work *w, dry_error *error) {
    const dry_system *system = dry_model_system(w->job->model);
    const size_t n = (size_t)w->to->n * (size_t)w->columns.n + 1;
    w->sheet.columns = calloc(n, sizeof *w->sheet.columns);
    w->sheet.values = calloc(n, sizeof *w->sheet.values);
    bool good = w->sheet.columns && w->sheet.values;
    for (int i = 0; good && i < w->to->n; i++) {
        w->to->of[i] = (dry_slopes_of){.name = w->job->names[i],
                                       .unit = system->params[w->par[i]].unit,
                                       .value = system->par[w->par[i]],
                                       .why = w->why[i]};
        for (int c = 0; good && c < w->columns.n; c++) {
            const dry_quantity of = dry_record_quantity(w->job->record, w->columns.column[c]);
            good = add_column(&w->sheet, &of, &w->to->of[i], w->columns.rows);
        }
    }
    return good ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

dry_status dry_slopes_run(const dry_slopes_job *job, dry_slopes *slopes, dry_error *error) {
    const size_t n = (size_t)job->n_names;
    work w = {.job = job, .to = slopes, .n_measures = dry_model_measures(job->model)};
    *slopes =
        (dry_slopes){.n = job->n_names,
                     .of = calloc(n + 1, sizeof *slopes->of),
                     .measure = calloc(n * (size_t)w.n_measures + 1, sizeof *slopes->measure)};
    w.par = calloc(n + 1, sizeof *w.par);
    w.why = calloc(n + 1, sizeof *w.why);
    dry_status status = DRY_OK;
    if (!slopes->of || !slopes->measure || !w.par || !w.why || !find_columns(job, &w.columns))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) status = find_all(job, w.par, error);
    if (status == DRY_OK)
        status = dry_sensitivity_new(job->model, w.par, job->n_names, w.why, &w.exact, error);
    if (status == DRY_OK) status = describe(&w, error);
    if (status == DRY_OK) status = run_all(&w, error);
    dry_record_free(w.result.record);
    dry_record_free(w.finer.record);
    dry_native_free(w.native);
    dry_sensitivity_free(w.exact);
    free_sheet(&w.sheet);
    free(w.columns.column);
    free(w.par);
    free(w.why);
    return status;
}

void dry_slopes_free(dry_slopes *slopes) {
    dry_record_free(slopes->record);
    free(slopes->of);
    free(slopes->measure);
    *slopes = (dry_slopes){0};
}
