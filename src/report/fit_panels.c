/* fit_panels: the pictures of a fit as panels: measured and model, residuals over time, phase,
 * position and speed, loops, the autocorrelation of the residuals, the scan of the delay. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 4, BINS = 48, LAGS = 400 };

/* A panel with a record of its own: columns by number, the abscissa first. Column 0 is the time, or
 * a number of rows. */
typedef struct sketch {
    fit_sheet *sheet;
    FILE *stream;
    int count; /* panels so far */
    const dry_fit_output *o;
    const dry_fit_look *look;
    const dry_record *run; /* of its record; NULL: none */
} sketch;

static void put_panel(sketch *s, const dry_record *record, const char *title, const char *up, int x,
                      int n, bool shaded) {
    static const bool beside[MOST_CURVES] = {false};
    static const char *const label[MOST_CURVES] = {NULL};
    int abscissa[MOST_CURVES], ordinate[MOST_CURVES];
    const int shade = x + n + 1;
    char text[200];
    for (int k = 0; k < n; k++) abscissa[k] = x, ordinate[k] = x + 1 + k;
    snprintf(text, sizeof text, "%s: %s", s->o->name, title);
    if (s->sheet->result->n_records > 1)
        snprintf(text, sizeof text, "%s of record %d: %s", s->o->name, s->o->record + 1, title);
    const dry_model_panel panel = {.n = n,
                                   .y = ordinate,
                                   .x = abscissa,
                                   .label = label,
                                   .beside = beside,
                                   .shade = &shade,
                                   .n_shades = shaded,
                                   .y_axis = {.label = up},
                                   .title = text};
    s->sheet->card.record = record;
    s->count +=
        dry_report__one_panel(&s->sheet->card, &panel, s->count, s->count ? "," : "", s->stream);
    s->sheet->card.record = NULL;
}

static dry_record *new_record(sketch *s, const dry_quantity *columns, int n) {
    dry_record *record = dry_record_new(columns, n);
    if (!record) dry_report__lack(&s->sheet->card);
    return record;
}

static void add(sketch *s, dry_record *record, const double *row) {
    if (dry_record_add(record, row) != DRY_OK) dry_report__lack(&s->sheet->card);
}

/* ---- over the time ------------------------------------------------------------------------------
 */

static bool has_held(const dry_fit_output *o) {
    for (size_t i = 0; o->held && i < o->rows; i++)
        if (o->held[i]) return true;
    return false;
}

static void over_time(sketch *s) {
    const dry_fit_output *o = s->o;
    const dry_quantity both[] = {
        {"t", "s"}, {"model", o->unit}, {"measured", o->unit}, {"held out", ""}};
    const dry_quantity rest[] = {{"t", "s"}, {"residual", o->unit}, {"held out", ""}};
    dry_record *curves = new_record(s, both, 4), *residual = new_record(s, rest, 3);
    for (size_t i = 0; curves && residual && i < o->rows; i++) {
        const double held = o->held && o->held[i] ? 1.0 : 0.0;
        add(s, curves, (const double[]){o->t[i], o->model[i], o->measured[i], held});
        add(s, residual, (const double[]){o->t[i], o->residual[i], held});
    }
    if (curves && residual) {
        put_panel(s, curves, "measured and model", NULL, 0, 2, has_held(o));
        put_panel(s, residual, "residuals, model less measured", NULL, 0, 1, has_held(o));
    }
    dry_record_free(curves);
    dry_record_free(residual);
}

/* ---- over something else
 * ------------------------------------------------------------------------- */

/* Sums of the residuals whose abscissa falls into one of BINS equal parts. */
typedef struct bins {
    double low, high, sum[BINS], square[BINS], n[BINS];
} bins;

static void sort_into(bins *b, const double *x, const double *e, size_t rows) {
    *b = (bins){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(x[i]) || !isfinite(e[i])) continue;
        b->low = fmin(b->low, x[i]);
        b->high = fmax(b->high, x[i]);
    }
    for (size_t i = 0; i < rows && b->high > b->low; i++) {
        if (!isfinite(x[i]) || !isfinite(e[i])) continue;
        const int at = (int)(BINS * (x[i] - b->low) / (b->high - b->low));
        const int k = at < BINS ? at : BINS - 1;
        b->sum[k] += e[i];
        b->square[k] += e[i] * e[i];
        b->n[k] += 1.0;
    }
}

/* The mean of the residuals and a standard deviation on either side. */
static void put_bins(sketch *s, const double *x, const char *name, const char *unit,
                     const char *title) {
    const dry_quantity columns[] = {{"row", ""},
                                    {name, unit},
                                    {"mean", s->o->unit},
                                    {"mean + deviation", s->o->unit},
                                    {"mean - deviation", s->o->unit}};
    bins b;
    sort_into(&b, x, s->o->residual, s->o->rows);
    dry_record *record = b.high > b.low ? new_record(s, columns, 5) : NULL;
    for (int k = 0; record && k < BINS; k++) {
        if (b.n[k] < 2.0) continue;
        const double mean = b.sum[k] / b.n[k];
        const double deviation = sqrt(fmax(0.0, b.square[k] / b.n[k] - mean * mean));
        const double at = b.low + (b.high - b.low) * (k + 0.5) / BINS;
        add(s, record, (const double[]){k, at, mean, mean + deviation, mean - deviation});
    }
    if (record && dry_record_rows(record) > 1) put_panel(s, record, title, "residual", 1, 3, false);
    dry_record_free(record);
}

static void over_phase(sketch *s) {
    const dry_fit_output *o = s->o;
    double *phase = malloc(sizeof *phase * (o->rows + 1));
    if (!phase) dry_report__lack(&s->sheet->card);
    for (size_t i = 0; phase && i < o->rows; i++)
        phase[i] = fmod(o->t[i] - o->t[0], s->look->period) / s->look->period;
    if (phase) put_bins(s, phase, "phase", "", "residuals over the phase of a cycle");
    free(phase);
}

/* ---- position and speed
 * --------------------------------------------------------------------------- */

static bool has_unit(dry_quantity q, const char *unit, const char *turned) {
    return !strcmp(q.unit, unit) || !strcmp(q.unit, turned);
}

/* The column of the run by name; else the output itself, if it is in one of two units, or the first
 * that is, those of laws and parts last; -1. */
static int find_column(const sketch *s, const char *name, const char *unit, const char *turned) {
    int inner = -1;
    if (!s->run) return -1;
    if (name) return dry_record_find(s->run, name);
    const int own = dry_record_find(s->run, s->o->name);
    if (own > 0 && has_unit(dry_record_quantity(s->run, own), unit, turned)) return own;
    for (int k = 1; k < dry_record_columns(s->run); k++) {
        const dry_quantity q = dry_record_quantity(s->run, k);
        if (!has_unit(q, unit, turned)) continue;
        if (!strchr(q.name, '.')) return k;
        if (inner < 0) inner = k;
    }
    return inner;
}

/* The column at the times of the output, which is where the model was. */
static double *at_rows(sketch *s, int column) {
    const dry_fit_output *o = s->o;
    double *x = malloc(sizeof *x * (o->rows + 1));
    const double *t = dry_record_values(s->run, 0), *y = dry_record_values(s->run, column);
    const size_t n = dry_record_rows(s->run);
    size_t k = 0;
    if (!x) dry_report__lack(&s->sheet->card);
    for (size_t i = 0; x && i < o->rows; i++) {
        const double at = o->t[i] - o->lag;
        while (k + 2 < n && t[k + 1] < at) k++;
        const bool inside = n > 1 && at >= t[0] && at <= t[n - 1] * (1.0 + 1e-12);
        const double width = inside ? t[k + 1] - t[k] : 0.0;
        const double part = width > 0.0 ? (at - t[k]) / width : 0.0;
        x[i] = inside ? y[k] + part * (y[k + 1] - y[k]) : (double)NAN;
    }
    return x;
}

static void put_loop(sketch *s, const double *x, dry_quantity q) {
    const dry_fit_output *o = s->o;
    const dry_quantity columns[] = {{"row", ""}, q, {"model", o->unit}, {"measured", o->unit}};
    dry_record *record = new_record(s, columns, 4);
    for (size_t i = 0; record && i < o->rows; i++)
        if (isfinite(x[i]))
            add(s, record, (const double[]){(double)i, x[i], o->model[i], o->measured[i]});
    if (record && dry_record_rows(record) > 1) put_panel(s, record, "loops", NULL, 1, 2, false);
    dry_record_free(record);
}

static void over_motion(sketch *s) {
    const int p = find_column(s, s->sheet->page->position, "m", "rad");
    const int v = find_column(s, s->sheet->page->speed, "m/s", "rad/s");
    double *x = p >= 0 ? at_rows(s, p) : NULL, *speed = v >= 0 ? at_rows(s, v) : NULL;
    if (x) {
        const dry_quantity q = dry_record_quantity(s->run, p);
        if (strcmp(q.name, s->o->name) != 0) put_loop(s, x, q);
        put_bins(s, x, q.name, q.unit, "residuals over the position");
    }
    if (speed) {
        const dry_quantity q = dry_record_quantity(s->run, v);
        put_bins(s, speed, q.name, q.unit, "residuals over the speed");
    }
    free(x);
    free(speed);
}

/* ---- statistics
 * ------------------------------------------------------------------------------------ */

static void put_autocorrelation(sketch *s) {
    const dry_fit_output *o = s->o;
    const dry_quantity columns[] = {{"row", ""},
                                    {"rows apart", ""},
                                    {"autocorrelation", ""},
                                    {"95 % of independent residuals", ""},
                                    {"minus that", ""}};
    double rho[LAGS];
    const size_t n = o->rows / 4 < LAGS ? o->rows / 4 : LAGS;
    if (n < 2) return;
    const double band = dry_fit_autocorrelation(o, n, rho);
    dry_record *record = isfinite(rho[0]) ? new_record(s, columns, 5) : NULL;
    for (size_t k = 0; record && k < n; k++)
        add(s, record, (const double[]){(double)k, (double)k, rho[k], band, -band});
    if (record)
        put_panel(s, record, "autocorrelation of the residuals", "autocorrelation", 1, 3, false);
    dry_record_free(record);
}

static void put_scan(sketch *s) {
    const dry_fit_look *look = s->look;
    const dry_quantity columns[] = {{"row", ""}, {"delay", "s"}, {"rms", s->o->unit}};
    if (!look->n_scan) return;
    dry_record *record = new_record(s, columns, 3);
    for (int k = 0; record && k < look->n_scan; k++)
        add(s, record, (const double[]){k, look->scan_lag[k], look->scan_rms[k]});
    if (record)
        put_panel(s, record, "residuals if it came later than the model", NULL, 1, 1, false);
    dry_record_free(record);
}

/* ---- all
 * -------------------------------------------------------------------------------------------- */

static void put_output(sketch *s) {
    over_time(s);
    over_motion(s);
    if (s->look->period > 0.0) over_phase(s);
    put_autocorrelation(s);
    put_scan(s);
}

void dry_report__fit_data(fit_sheet *sheet, FILE *stream) {
    const dry_fit_result *r = sheet->result;
    double from = INFINITY, until = -INFINITY;
    for (int k = 0; k < r->n_outputs; k++) {
        const dry_fit_output *o = &r->outputs[k];
        if (!o->rows) continue;
        from = fmin(from, o->t[0]);
        until = fmax(until, o->t[o->rows - 1]);
    }
    fputc('{', stream);
    dry_report__exact("from", isfinite(from) ? from : 0.0, stream);
    fputc(',', stream);
    dry_report__exact("until", isfinite(until) ? until : 0.0, stream);
    fputs(",\"panels\":[", stream);
    sketch s = {.sheet = sheet, .stream = stream};
    for (int k = 0; k < r->n_outputs && k < DRY_REPORT__FIT_OUTPUTS; k++) {
        s.o = &r->outputs[k];
        s.look = &r->stats.look[k];
        s.run = sheet->page->runs ? sheet->page->runs[s.o->record] : NULL;
        if (s.o->rows > 1) put_output(&s);
    }
    fputs("],\"bands\":[]}", stream);
}
