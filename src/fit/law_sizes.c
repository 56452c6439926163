/* law_sizes: how large force, stiffness, speed and travel are in a run of the text as it is. */
#include "laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run that shows the argument of the force ------------------------------------------------
 */

static void put_span(const dry_fit_job *job, dry_text_span span, FILE *stream) {
    fwrite(job->text + span.from, 1, span.to - span.from, stream);
}

/* The text with one more column, the sliding velocity. */
static dry_status write_probe(const dry_fit__swap *swap, const char *name, char **text,
                              size_t *length, dry_error *error) {
    const dry_fit_job *job = swap->job;
    const size_t at = dry_fit__end_of_line(job, swap->old.whole.to);
    FILE *stream = dry_text_open(text, length);
    if (!stream) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    fwrite(job->text, 1, at, stream);
    fprintf(stream, "\n%s", name);
    put_span(job, swap->old.index, stream);
    fputs(" = ", stream);
    put_span(job, swap->old.argument, stream);
    fputc(' ', stream);
    put_span(job, swap->old.loop, stream);
    fwrite(job->text + at, 1, job->length - at, stream);
    if (dry_text_close(stream, text)) return DRY_OK;
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

static bool go_on(void *user, double t) {
    const dry_fit_job *job = user;
    (void)t;
    return !job->progress || job->progress(job->user, 0);
}

static dry_sim_options options_of(const dry_fit_job *job, const dry_fit__record *record) {
    return (dry_sim_options){.run = record->run, .progress = go_on, .user = (void *)job};
}

enum { MOST_ROWS = 20000 };

static dry_status run(const dry_fit_job *job, const dry_fit__record *record, dry_record **rows,
                      dry_error *error) {
    const dry_inclusion *inclusion =
        record->run.method->takes & DRY_TAKES_SETS ? dry_model_inclusion(record->model) : NULL;
    dry_sim_options how = options_of(job, record);
    dry_sim_result result = {0};
    how.run.record = fmax(record->run.step, record->run.until / MOST_ROWS);
    const dry_status status =
        inclusion ? dry_sim_run_inclusion(inclusion, &how, &result, error)
                  : dry_sim_run(dry_model_system(record->model), &how, &result, error);
    *rows = result.record;
    free(result.saved);
    return status;
}

/* ---- sizes ------------------------------------------------------------------------------------
 */

static bool is_of(const char *column, const char *name) {
    const size_t n = strlen(name);
    return !strncmp(column, name, n) && (!column[n] || column[n] == '[');
}

static double rms(const double *y, size_t n) {
    double square = 0.0;
    for (size_t i = 0; i < n; i++) square += y[i] * y[i];
    return n ? sqrt(square / (double)n) : 0.0;
}

static double peak(const double *y, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(y[i]));
    return most;
}

static double longest_way(const double *t, const double *v, size_t n) {
    double way = 0.0, longest = 0.0;
    for (size_t i = 1; i < n; i++) {
        const double step = 0.5 * (v[i] + v[i - 1]) * (t[i] - t[i - 1]);
        way = way * step < 0.0 ? step : way + step;
        longest = fmax(longest, fabs(way));
    }
    return longest;
}

static void measure(dry_fit__swap *swap, const dry_record *rows, const char *probe) {
    dry_fit__sizes *sizes = &swap->sizes;
    const size_t n = dry_record_rows(rows);
    const double *t = dry_record_values(rows, 0);
    double force = 0.0;
    for (int c = 1; c < dry_record_columns(rows); c++) {
        const char *name = dry_record_quantity(rows, c).name;
        const double *y = dry_record_values(rows, c);
        if (is_of(name, swap->old.name)) force = fmax(force, rms(y, n));
        if (!is_of(name, probe)) continue;
        sizes->speed = fmax(sizes->speed, rms(y, n));
        sizes->peak = fmax(sizes->peak, peak(y, n));
        sizes->travel = fmax(sizes->travel, longest_way(t, y, n));
    }
    sizes->force = swap->old.level > 0.0 ? swap->old.level : force;
}

/* The sum over a parameter of the old law with this unit; NAN: it has none. */
static double sum_of(const dry_fit__swap *swap, const char *unit) {
    const dry_law *law = swap->old.law;
    for (int i = 0; i < law->n_params; i++) {
        const dry_law_param *row = &law->params[i];
        double sum = 0.0;
        if (strcmp(row->unit, unit) != 0 || dry_fit__is_off(row)) continue;
        const int n = row->form == DRY_LIST ? swap->old.elements : 1;
        const int at = dry_law_par_offset(law, i, swap->old.elements);
        for (int k = 0; k < n; k++) sum += swap->old.par[at + k];
        return sum;
    }
    return (double)NAN;
}

static double either(double a, double b) { return a > 0.0 && isfinite(a) ? a : b; }

/* What the law of the text has, else what lets the force come back within a hundredth of the
 * travel, and what its step resolves. */
static void find_stiffness(dry_fit__swap *swap, double step) {
    dry_fit__sizes *s = &swap->sizes;
    s->stiffness = either(sum_of(swap, "N/m"), 100.0 * s->force / s->travel);
    s->time = either(sum_of(swap, "N s/m") / s->stiffness, either(sum_of(swap, "s"), 5.0 * step));
    s->time = fmax(s->time, 2.0 * s->step);
}

static dry_status check(const dry_fit__swap *swap, dry_error *error) {
    const dry_fit__sizes *s = &swap->sizes;
    const char *what = !(s->speed > 0.0 && s->travel > 0.0) ? "nothing slides"
                       : !(s->force > 0.0)                  ? "the force is 0"
                                                            : NULL;
    if (!what) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "--laws sizes the starts of other laws by a run of %s as it is, but there "
                         "%s (`%s`): give its parameters values with which it moves as the record "
                         "does",
                         swap->job->path, what, swap->old.name);
}

/* ---- one run of a text ------------------------------------------------------------------------
 */

/* With the first record. Free the model of `record` in any case. */
static dry_status ready(const dry_fit_job *job, const char *text, size_t length,
                        dry_fit__record *record, dry_error *error) {
    dry_fit_job other = *job;
    const dry_fit__bench bench = {.job = &other};
    other.text = text;
    other.length = length;
    record->data = job->n_data > 0 ? job->data[0] : NULL;
    return dry_fit__ready(&bench, record, error);
}

dry_status dry_fit__size(dry_fit__swap *swap, dry_error *error) {
    const char *probe = dry_fit__name(swap, "argument");
    dry_fit__record record = {0};
    dry_record *rows = NULL;
    char *text = NULL;
    size_t length = 0;
    if (!probe) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = write_probe(swap, probe, &text, &length, error);
    if (status == DRY_OK) status = ready(swap->job, text, length, &record, error);
    if (status == DRY_OK) status = run(swap->job, &record, &rows, error);
    if (status == DRY_OK) {
        measure(swap, rows, probe);
        swap->sizes.step = record.run.method->adaptive ? 0.0 : record.run.step;
        find_stiffness(swap, dry_model_choose_step(record.model));
        status = check(swap, error);
    }
    dry_record_free(rows);
    dry_model_free(record.model);
    free(text);
    return status;
}

/* The sum over the outputs of the squares of their parts. */
static dry_status measure_distance(const dry_fit_job *job, const dry_fit__record *record,
                                   double *distance, dry_error *error) {
    const int n = dry_model_againsts(record->model);
    const dry_sim_options how = options_of(job, record);
    dry_fit_size *sizes = calloc((size_t)n + 1, sizeof *sizes);
    if (!sizes) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    const dry_status status = dry_fit_compare(record->model, &how, NULL, sizes, error);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        if (sizes[i].rows) sum += sizes[i].fraction * sizes[i].fraction;
    if (status == DRY_OK && isfinite(sum)) *distance = sum;
    free(sizes);
    return status;
}

dry_status dry_fit__distance(const dry_fit_job *job, const char *text, size_t length,
                             double *distance, dry_error *error) {
    dry_fit__record record = {0};
    *distance = (double)INFINITY;
    dry_status status = ready(job, text, length, &record, error);
    if (status == DRY_OK) status = measure_distance(job, &record, distance, error);
    dry_model_free(record.model);
    return status == DRY_NO_MEMORY ? status : DRY_OK;
}
