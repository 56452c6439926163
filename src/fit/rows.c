/* rows: what was measured, row by row: which rows a fit uses, which it holds out, and at which
 * times they need the model. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* The file that says what is wrong: of a record, else of the text. */
static const char *file_of(const dry_fit__record *record, const dry_against *a) {
    return record->data ? record->data : a->file ? a->file : "";
}

static dry_status no_rows(const dry_fit__bench *bench, const dry_fit__record *record,
                          const dry_against *a, dry_error *error) {
    if (!a->file)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s names no file for the output `%s`: give --data FILE, or write it "
                             "before `column`",
                             bench->job->path, a->name);
    if (a->n && a->t[0] > record->run.until)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the record %s of `%s` begins at %.9g s, after the end of the run "
                             "(%.9g s): subtract its first time, because a run begins at 0",
                             file_of(record, a), a->name, a->t[0], record->run.until);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the record %s of `%s` has no value within the run (0 .. %.9g s) and the "
                         "span of the output: check `from`, `to` and the column `%s`",
                         file_of(record, a), a->name, record->run.until, a->column);
}

static bool take_output(dry_fit__bench *bench, dry_fit_output *o, size_t rows) {
    dry_arena *arena = bench->arena;
    double **const columns[] = {&o->t, &o->measured, &o->model, &o->residual};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i] = dry_arena_take(arena, sizeof(double) * (rows + 1));
    o->held = dry_arena_take(arena, rows + 1);
    o->jacobian = dry_arena_take(arena, sizeof(double) * (rows * (size_t)bench->n + 1));
    return o->t && o->measured && o->model && o->residual && o->held && o->jacobian;
}

bool dry_fit__counts(const dry_against *a, size_t i, double until) {
    return a->t[i] >= 0.0 && a->t[i] <= until * (1.0 + 1e-12) && a->t[i] >= a->from &&
           a->t[i] <= a->to;
}

static void hold_out(const dry_fit_job *job, const dry_against *a, dry_fit_output *o) {
    const bool given = job->hold_last > 0.0 || job->hold_from > 0.0;
    const double last = given ? job->hold_last : a->hold;
    const size_t kept = o->rows - (size_t)(last * (double)o->rows);
    for (size_t i = 0; i < o->rows; i++)
        o->held[i] = i >= kept || (job->hold_from > 0.0 && o->t[i] >= job->hold_from);
}

/* The standard deviation of what the fit sees. */
static double deviation(const dry_fit_output *o) {
    double sum = 0.0, square = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < o->rows; i++)
        if (!o->held[i]) sum += o->measured[i], n++;
    const double mean = n ? sum / (double)n : 0.0;
    for (size_t i = 0; i < o->rows; i++)
        if (!o->held[i]) square += (o->measured[i] - mean) * (o->measured[i] - mean);
    return n ? sqrt(square / (double)n) : 0.0;
}

static dry_status check(const dry_fit__record *record, const dry_against *a,
                        const dry_fit_output *o, dry_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < o->rows; i++) n += !o->held[i];
    if (!n)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "all %zu rows of the record %s of `%s` are held out: hold out fewer",
                             o->rows, file_of(record, a), a->name);
    const double size = fmax(fabs(o->measured[0]), 1e-300);
    if (o->scale > 1e-12 * size) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the column `%s` of %s is constant (%.9g %s) in the rows of the fit: a "
                         "constant says nothing about parameters; take another column or span, or "
                         "remove the output `%s`",
                         a->column, file_of(record, a), o->measured[0], o->unit, a->name);
}

static dry_status read_output(dry_fit__bench *bench, int r, int i, dry_error *error) {
    const dry_fit__record *record = &bench->records[r];
    const dry_against a = dry_model_against(record->model, i);
    dry_fit_output *o = &bench->outputs[bench->n_outputs++];
    size_t rows = 0;
    for (size_t k = 0; k < a.n; k++) rows += dry_fit__counts(&a, k, record->run.until);
    if (!rows) return no_rows(bench, record, &a, error);
    *o = (dry_fit_output){.name = a.name,
                          .unit = a.unit,
                          .file = file_of(record, &a),
                          .column = a.column,
                          .record = r,
                          .weight = a.weight,
                          .lag = a.lag};
    const char **const texts[] = {&o->name, &o->unit, &o->file, &o->column};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) /* the model does not outlive them */
        *texts[k] = dry_arena_text(bench->arena, *texts[k], strlen(*texts[k]));
    if (!take_output(bench, o, rows)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < a.n; k++) {
        if (!dry_fit__counts(&a, k, record->run.until)) continue;
        o->t[o->rows] = a.t[k];
        o->measured[o->rows++] = a.y[k];
    }
    hold_out(bench->job, &a, o);
    o->scale = deviation(o);
    return check(record, &a, o, error);
}

/* ---- times ----------------------------------------------------------------------------------- */

typedef struct moment {
    double t;
    size_t row;
} moment;

static int compare(const void *a, const void *b) {
    const moment *p = a, *q = b;
    return (p->t > q->t) - (p->t < q->t);
}

double dry_fit__time_of(double t, double lag, double until) {
    return fmin(fmax(t - lag, 0.0), until);
}

bool dry_fit__find_times(const dry_fit__bench *bench, const dry_fit__record *record,
                         const dry_model *model, double *times, size_t *n_times, size_t *at) {
    moment *all = malloc(sizeof *all * (record->rows + 1));
    size_t n = 0;
    if (!all) return false;
    const double from = record->window ? record->window->from : 0.0;
    for (int i = 0; i < dry_fit__n_measured(record); i++) {
        const dry_fit_output *o = &bench->outputs[record->first + i];
        const double lag = dry_model_against(model, i).lag;
        for (size_t k = 0; k < o->rows; k++, n++)
            all[n] = (moment){fmax(dry_fit__time_of(o->t[k], lag, record->run.until), from), n};
    }
    qsort(all, n, sizeof *all, compare);
    *n_times = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || all[k].t > times[*n_times - 1]) times[(*n_times)++] = all[k].t;
        at[all[k].row] = *n_times - 1;
    }
    free(all);
    return true;
}

/* A run goes no further than the last row needs it. */
static dry_status find_times(dry_fit__bench *bench, dry_fit__record *record, dry_error *error) {
    dry_arena *arena = bench->arena;
    double last = 0.0, lag = 0.0;
    for (int i = 0; i < record->n; i++) {
        const dry_fit_output *o = &bench->outputs[record->first + i];
        record->rows += o->rows;
        last = fmax(last, o->t[o->rows - 1]);
        lag = fmax(lag, fabs(o->lag));
    }
    record->times = dry_arena_take(arena, sizeof *record->times * record->rows);
    record->at = dry_arena_take(arena, sizeof *record->at * record->rows);
    if (last + lag < record->run.until) record->run.until = last + lag;
    if (!(record->run.until > 0.0))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the only time of the record is 0: a fit needs what came after the "
                             "start");
    if (record->times && record->at &&
        dry_fit__find_times(bench, record, record->model, record->times, &record->n_times,
                            record->at))
        return DRY_OK;
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- all ------------------------------------------------------------------------------------- */

static dry_status check_many(const dry_fit__bench *bench, dry_error *error) {
    size_t rows = 0;
    for (int i = 0; i < bench->n_outputs; i++)
        for (size_t k = 0; k < bench->outputs[i].rows; k++) rows += !bench->outputs[i].held[k];
    if (rows >= (size_t)bench->n) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "%zu value(s) cannot give %d parameters: hold out fewer rows, free fewer "
                         "parameters, or add records",
                         rows, bench->n);
}

dry_status dry_fit__read_rows(dry_fit__bench *bench, dry_error *error) {
    dry_status status = DRY_OK;
    int n = 0;
    for (int r = 0; r < bench->n_records; r++) n += dry_model_againsts(bench->records[r].model);
    bench->outputs = dry_arena_take(bench->arena, sizeof *bench->outputs * (size_t)(n + 1));
    if (!bench->outputs) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++) {
        dry_fit__record *record = &bench->records[r];
        record->first = bench->n_outputs;
        record->n = dry_model_againsts(record->model);
        for (int i = 0; status == DRY_OK && i < record->n; i++)
            status = read_output(bench, r, i, error);
        if (status == DRY_OK) status = find_times(bench, record, error);
    }
    return status == DRY_OK ? check_many(bench, error) : status;
}
