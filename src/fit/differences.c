/* differences: derivatives of a run by a parameter from runs on both sides of its value.
 *
 *     D(h) = (x(p + h) - x(p - h))/(2 h)
 *
 * A large h leaves the curvature of x in it, a small one the rounding. Each column and each measure
 * takes, of four distances, the second of the two neighbours that agree best; how far they are
 * apart is its error. */
#include "fit_private.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DISTANCES[] = {1e-3, 1e-4, 1e-5, 1e-6}; /* in parts of the parameter */
enum { N_DISTANCES = sizeof DISTANCES / sizeof *DISTANCES };

/* A model with another value of the parameter. */
typedef struct beside {
    const dry_model *model;
    dry_model *own; /* compiled for it; NULL: the model with other numbers */
    double *par;    /* NULL: those of the model */
} beside;

/* ---- another value ---------------------------------------------------------------------- */

static dry_status compile_beside(const dry_slopes_job *job, const char *name, double value,
                                 beside *b, dry_error *error) {
    dry_model_options options = job->options ? *job->options : (dry_model_options){0};
    dry_setting *settings = calloc((size_t)options.n_settings + 1, sizeof *settings);
    size_t length;
    const char *text = dry_model_text(job->model, &length);
    if (!settings) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    int n = 0;
    for (int i = 0; i < options.n_settings; i++)
        if (strcmp(options.settings[i].name, name) != 0) settings[n++] = options.settings[i];
    settings[n++] = (dry_setting){.name = name, .value = value};
    options.settings = settings;
    options.n_settings = n;
    b->own = dry_model_compile(dry_model_path(job->model), text, length, &options);
    free(settings);
    if (!b->own) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    b->model = b->own;
    if (dry_model_ok(b->own)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "%s cannot be compiled with %s = %.9g, which the difference by %s needs: "
                         "%.300s",
                         dry_model_path(job->model), name, value, name,
                         dry_model_messages(b->own) ? dry_model_message(b->own, 0).text : "");
}

/* With what follows from it, but what the compiler chose is held. */
static dry_status renumber(const dry_slopes_job *job, int par, double value, beside *b,
                           dry_error *error) {
    const dry_system *system = dry_model_system(job->model);
    b->model = job->model;
    b->par = malloc(sizeof *b->par * (size_t)(system->n_par + 1));
    if (!b->par) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    memcpy(b->par, system->par, sizeof *b->par * (size_t)system->n_par);
    b->par[par] = value;
    dry_model_follow_text(job->model, b->par, par);
    return DRY_OK;
}

static void end_beside(beside *b) {
    free(b->par);
    dry_model_free(b->own);
    *b = (beside){0};
}

/* ---- two runs ----------------------------------------------------------------------------- */

/* A run and its measures. */
typedef struct side {
    dry_record *record;
    dry_measured *measured;
} side;

static void end_side(side *s) {
    dry_record_free(s->record);
    free(s->measured);
    *s = (side){0};
}

static dry_status run_side(const dry_slopes_job *job, int par, const char *name, double value,
                           bool anew, side *s, dry_error *error) {
    beside b = {0};
    dry_sim_result result = {0};
    dry_run_options run = job->run;
    dry_status status =
        anew ? compile_beside(job, name, value, &b, error) : renumber(job, par, value, &b, error);
    s->measured = calloc((size_t)dry_model_measures(job->model) + 1, sizeof *s->measured);
    if (!s->measured) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK && anew) status = dry_model_plan(b.model, &run, error);
    if (status == DRY_OK) status = dry_fit__run(job, &run, b.model, NULL, b.par, &result, error);
    s->record = result.record;
    if (status == DRY_OK)
        status = dry_model_evaluate(b.model, b.par, s->record, s->measured, NULL, error);
    end_beside(&b);
    return status;
}

/* ---- differences --------------------------------------------------------------------------- */

typedef struct table {
    const dry_slopes_job *job;
    const dry_fit__columns *columns;
    int par, n_measures;
    double value, scale;
    char name[256];
    double *now, *before;                 /* of the columns, at this distance and the one before */
    double *measure_now, *measure_before; /* of the measures */
    bool *same;                           /* by row: it has a difference */
} table;

static bool is_same_time(const dry_slopes_job *job, double a, double b) {
    return fabs(a - b) <= 1e-12 * job->run.until;
}

static void subtract(table *t, const side *up, const side *down, double width) {
    const dry_fit__columns *c = t->columns;
    const size_t n_up = dry_record_rows(up->record), n_down = dry_record_rows(down->record);
    const double *time = dry_record_values(t->job->record, 0);
    for (size_t r = 0; r < c->rows; r++)
        t->same[r] = r < n_up && r < n_down &&
                     is_same_time(t->job, time[r], dry_record_values(up->record, 0)[r]) &&
                     is_same_time(t->job, time[r], dry_record_values(down->record, 0)[r]);
    for (int i = 0; i < c->n; i++) {
        const double *a = dry_record_values(up->record, c->column[i]);
        const double *b = dry_record_values(down->record, c->column[i]);
        double *to = t->now + (size_t)i * c->rows;
        for (size_t r = 0; r < c->rows; r++)
            to[r] = t->same[r] ? (a[r] - b[r]) / width : (double)NAN;
    }
    for (int m = 0; m < t->n_measures; m++)
        t->measure_now[m] = (up->measured[m].value - down->measured[m].value) / width;
}

static dry_status differ_at(table *t, double h, dry_fit__found *found, dry_error *error) {
    const double up = t->value + h, down = t->value - h;
    side a = {0}, b = {0};
    dry_status status = run_side(t->job, t->par, t->name, up, found->anew, &a, error);
    if (status == DRY_OK) status = run_side(t->job, t->par, t->name, down, found->anew, &b, error);
    if (status == DRY_OK) subtract(t, &a, &b, up - down);
    found->n_runs += 2;
    end_side(&a);
    end_side(&b);
    return status;
}

/* How far two columns are apart, where both have numbers; NAN if they have none in common. */
static double apart(const double *a, const double *b, size_t n) {
    double most = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        const double d = fabs(a[i] - b[i]);
        if (!isnan(d) && !(d <= most)) most = d;
    }
    return most;
}

/* Keeps what agrees better than what was kept. */
static void keep_best(const table *t, dry_fit__found *found) {
    const size_t rows = t->columns->rows;
    for (int i = 0; i < t->columns->n; i++) {
        const size_t at = (size_t)i * rows;
        const double error = apart(t->now + at, t->before + at, rows);
        if (!(error < found->error[i])) continue;
        found->error[i] = error;
        memcpy(found->column + at, t->now + at, sizeof(double) * rows);
    }
    for (int m = 0; m < t->n_measures; m++) {
        const double error = fabs(t->measure_now[m] - t->measure_before[m]);
        if (!(error < found->measure_error[m])) continue;
        found->measure_error[m] = error;
        found->measure[m] = t->measure_now[m];
    }
}

static void swap(double **a, double **b) {
    double *const c = *a;
    *a = *b;
    *b = c;
}

static dry_status differ(table *t, dry_fit__found *found, dry_error *error) {
    const size_t n = (size_t)t->columns->n * t->columns->rows;
    for (size_t i = 0; i < n; i++) found->column[i] = (double)NAN;
    for (int i = 0; i < t->columns->n; i++) found->error[i] = (double)INFINITY;
    for (int m = 0; m < t->n_measures; m++) {
        found->measure[m] = (double)NAN;
        found->measure_error[m] = (double)INFINITY;
    }
    for (int k = 0; k < N_DISTANCES; k++) {
        const dry_status status = differ_at(t, DISTANCES[k] * t->scale, found, error);
        if (status != DRY_OK) return status;
        if (k > 0) keep_best(t, found);
        swap(&t->now, &t->before);
        swap(&t->measure_now, &t->measure_before);
    }
    return DRY_OK;
}

/* The length on which the parameter varies: its value, or of 0 the range that the text gives it, or
 * 1 in its unit. */
static double scale_of(const dry_model *model, int par, double value) {
    double range[2];
    if (value != 0.0) return fabs(value);
    if (dry_model_par_range(model, par, range) && isfinite(range[1] - range[0]))
        return range[1] - range[0];
    return 1.0;
}

dry_status dry_fit__differ(const dry_slopes_job *job, const dry_fit__columns *columns, int par,
                           dry_fit__found *found, dry_error *error) {
    const size_t n = (size_t)columns->n * columns->rows + 1;
    const int n_measures = dry_model_measures(job->model);
    table t = {.job = job, .columns = columns, .par = par, .n_measures = n_measures};
    t.value = dry_model_system(job->model)->par[par];
    t.scale = scale_of(job->model, par, t.value);
    t.now = malloc(sizeof *t.now * n);
    t.before = malloc(sizeof *t.before * n);
    t.measure_now = calloc((size_t)n_measures + 1, sizeof *t.measure_now);
    t.measure_before = calloc((size_t)n_measures + 1, sizeof *t.measure_before);
    t.same = calloc(columns->rows + 1, sizeof *t.same);
    found->anew = !dry_model_par_free(job->model, par) || dry_model_par_asks(job->model, par);
    dry_status status = DRY_OK;
    if (!t.now || !t.before || !t.measure_now || !t.measure_before || !t.same)
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    else if (!dry_model_par_setting(job->model, par, t.name, sizeof t.name))
        status = dry_error_set(error, DRY_BAD_ARGUMENT, "the parameter cannot be set");
    else if (dry_model_par_not_given(job->model, par))
        status = dry_error_set(error, DRY_BAD_ARGUMENT,
                               "%s is not given, so there is nothing to change: give it a value",
                               t.name);
    else
        status = differ(&t, found, error);
    free(t.now);
    free(t.before);
    free(t.measure_now);
    free(t.measure_before);
    free(t.same);
    return status;
}
