/* compare: how far one run is from what was measured: at the times of its rows, as a fit has it. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the model is at these times ---------------------------------------------------------
 */

/* Rising times, and a column of numbers at each of them for each output. */
typedef struct instants {
    double *t;
    size_t n;
    double *values; /* of output i at time k: values[i * n + k] */
} instants;

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static dry_status find_times(const dry_model *model, double until, instants *to) {
    const int n = dry_model_againsts(model);
    size_t rows = 1, all = 0;
    for (int i = 0; i < n; i++) rows += dry_model_against(model, i).n;
    to->t = malloc(sizeof *to->t * rows);
    to->values = malloc(sizeof *to->values * rows * (size_t)(n + 1));
    if (!to->t || !to->values) return DRY_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        const dry_against a = dry_model_against(model, i);
        for (size_t k = 0; k < a.n; k++)
            if (dry_fit__counts(&a, k, until))
                to->t[all++] = dry_fit__time_of(a.t[k], a.lag, until);
    }
    qsort(to->t, all, sizeof *to->t, compare_times);
    for (size_t k = 0; k < all; k++)
        if (to->n == 0 || to->t[k] > to->t[to->n - 1]) to->t[to->n++] = to->t[k];
    return DRY_OK;
}

static size_t find_time(const instants *all, double t) {
    const double *found = bsearch(&t, all->t, all->n, sizeof t, compare_times);
    return (size_t)(found - all->t);
}

/* ---- from the rows of a run ---------------------------------------------------------------------
 */

static int column_of(const dry_model *model, const dry_record *record, int output) {
    return dry_record_columns(record) - dry_model_system(model)->n_outputs + output;
}

/* If each of the times is a sample of the run. */
static bool take_samples(const dry_model *model, const dry_record *record, instants *to) {
    const double *t = dry_record_values(record, 0);
    const size_t rows = dry_record_rows(record);
    size_t row = 0;
    for (size_t k = 0; k < to->n; k++) {
        const double near = 1e-12 * fmax(to->t[k], t[rows - 1]);
        while (row < rows && t[row] < to->t[k] - near) row++;
        while (row + 1 < rows && t[row + 1] <= to->t[k] + near) row++; /* the last of equal ones */
        if (row == rows || t[row] > to->t[k] + near) return false;
        for (int i = 0; i < dry_model_againsts(model); i++) {
            const int column = column_of(model, record, dry_model_against(model, i).output);
            to->values[(size_t)i * to->n + k] = dry_record_values(record, column)[row];
        }
    }
    return true;
}

/* ---- by a run of its own ------------------------------------------------------------------------
 */

typedef struct taker {
    const dry_model *model;
    instants *to;
    int first; /* column of the outputs */
    size_t rows;
} taker;

static dry_status take_row(void *user, const double *row) {
    taker *t = user;
    const size_t k = t->rows++;
    if (k == 0 || k > t->to->n) return DRY_OK; /* the first row is the start */
    for (int i = 0; i < dry_model_againsts(t->model); i++)
        t->to->values[(size_t)i * t->to->n + k - 1] =
            row[t->first + dry_model_against(t->model, i).output];
    return DRY_OK;
}

static dry_status run_again(const dry_model *model, const dry_sim_options *how, double until,
                            instants *to, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    dry_record *columns = dry_sim_columns(system);
    taker t = {.model = model, .to = to};
    const dry_sim_sink sink = {take_row, &t};
    dry_sim_options options = *how;
    dry_sim_result result = {0};
    if (!columns) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    t.first = column_of(model, columns, 0);
    dry_record_free(columns);
    options.run.until = until;
    options.times = to->t;
    options.n_times = to->n;
    options.sink = &sink;
    options.sink_only = true;
    const dry_inclusion *inclusion =
        how->run.method->takes & DRY_TAKES_SETS ? dry_model_inclusion(model) : NULL;
    const dry_status status = inclusion ? dry_sim_run_inclusion(inclusion, &options, &result, error)
                                        : dry_sim_run(system, &options, &result, error);
    dry_record_free(result.record);
    free(result.saved);
    if (status != DRY_OK || t.rows > to->n) return status;
    return dry_error_set(error, DRY_RUN_FAILED,
                         "the model stops the run at %.9g s, before what was measured ends",
                         result.end);
}

/* ---- sizes --------------------------------------------------------------------------------------
 */

static dry_fit_size size_of(const dry_against *a, double until, const instants *all,
                            const double *values) {
    dry_fit_size size = {.rms = (double)NAN, .fraction = (double)NAN};
    double square = 0.0, measured = 0.0;
    for (size_t k = 0; k < a->n; k++) {
        if (!dry_fit__counts(a, k, until)) continue;
        const double y = values[find_time(all, dry_fit__time_of(a->t[k], a->lag, until))];
        square += (y - a->y[k]) * (y - a->y[k]);
        measured += a->y[k] * a->y[k];
        size.rows++;
    }
    if (!size.rows) return size;
    size.rms = sqrt(square / (double)size.rows);
    size.fraction = sqrt(square / measured);
    return size;
}

dry_status dry_fit_compare(const dry_model *model, const dry_sim_options *how,
                           const dry_record *record, dry_fit_size *sizes, dry_error *error) {
    const size_t rows = record ? dry_record_rows(record) : 0;
    const double until = rows ? dry_record_values(record, 0)[rows - 1] : how->run.until;
    instants all = {0};
    dry_status status = find_times(model, until, &all);
    if (status != DRY_OK) (void)dry_error_set(error, status, "out of memory");
    if (status == DRY_OK && all.n && !(rows && take_samples(model, record, &all)))
        status = run_again(model, how, until, &all, error);
    for (int i = 0; status == DRY_OK && i < dry_model_againsts(model); i++) {
        const dry_against a = dry_model_against(model, i);
        sizes[i] = size_of(&a, until, &all, all.values + (size_t)i * all.n);
    }
    free(all.t);
    free(all.values);
    return status;
}
