/* panels: the panels of a model as JSON, with the rows that are kept of each of their curves.
 *
 * Curves over one abscissa share it, {"x":..,"curves":[..]}; others have their own,
 * {"curves":[{..,"x":..},..]}. On a logarithmic axis the numbers are decimal logarithms. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 4000, WIDTH = 900, HEIGHT = 300 }; /* pixels: panels.js */

/* A panel on its way into the page. */
typedef struct drawn {
    const dry_card *card;
    const dry_model_panel *from;
    dry_arena *arena; /* logarithms */
    dry_panel_texts texts;
    size_t first, rows; /* those that are shown */
    size_t *kept;
    bool time, own; /* all curves over the time; curves with abscissae of their own */
} drawn;

/* ---- columns ----------------------------------------------------------------------------------
 */

static const double *logs(drawn *d, const double *values, size_t rows) {
    double *logs = dry_arena_take(d->arena, (rows + 1) * sizeof *logs);
    for (size_t i = 0; logs && i < rows; i++) logs[i] = log10(values[i]);
    return logs;
}

/* As it is drawn; no values without memory. */
static dry_report__column column_of(drawn *d, int column, const dry_picture_axis *axis) {
    dry_report__column c = dry_report__column_of(d->card->record, column);
    c.values += d->first;
    c.rows = d->rows;
    if (axis->log) c.values = logs(d, c.values, c.rows);
    return c;
}

static const dry_picture_axis *ordinate_of(const drawn *d, int curve) {
    return d->from->beside[curve] ? &d->from->beside_axis : &d->from->y_axis;
}

static dry_report__column curve_of(drawn *d, int curve) {
    dry_report__column c = column_of(d, d->from->y[curve], ordinate_of(d, curve));
    if (d->from->label[curve]) c.name = d->from->label[curve];
    return c;
}

/* ---- rows --------------------------------------------------------------------------------------
 */

/* Pixels per unit. */
static double scale_of(dry_panel_range range, bool log, double pixels) {
    const double low = log ? log10(range.low) : range.low;
    const double high = log ? log10(range.high) : range.high;
    return high > low ? pixels / (high - low) : 0.0;
}

/* The curves from `first` on, n of them, over one abscissa. */
static size_t thin(const drawn *d, const dry_report__column *x, const dry_report__column *y,
                   int first, int n) {
    const double *values[DRY_PLOT_CURVES];
    for (int k = 0; k < n; k++) values[k] = y[k].values;
    if (d->time) return dry_report__thin(values, n, x->rows, MOST_ROWS, d->kept);
    const dry_panel_range up = d->from->beside[first] ? d->texts.beside_range : d->texts.y_range;
    const dry_plot_plane plane = {x->values, values, n,
                                  scale_of(d->texts.x_range, d->from->x_axis.log, WIDTH),
                                  scale_of(up, ordinate_of(d, first)->log, HEIGHT)};
    return dry_report__thin_plane(&plane, x->rows, MOST_ROWS, d->kept);
}

/* ---- texts ------------------------------------------------------------------------------------
 */

static void put_text(const char *key, const char *text, FILE *stream) {
    fprintf(stream, "\"%s\":", key);
    dry_report__json(text ? text : "", stream);
    fputc(',', stream);
}

/* The titles of the axes and the labels as the drawn pictures have them: names in mathematics. */
static void put_texts(drawn *d, FILE *stream) {
    const dry_quantity x = dry_record_quantity(d->card->record, d->from->x[0]);
    fputs("\"texts\":{", stream);
    put_text("title", d->from->title, stream);
    put_text("across", d->texts.x, stream);
    put_text("up", d->texts.y, stream);
    put_text("beside", d->texts.beside, stream);
    put_text("abscissa", dry_plot_math(d->arena, x.name), stream);
    put_text("unit", dry_plot_unit(d->arena, x.unit), stream);
    fputs("\"labels\":[", stream);
    for (int k = 0; k < d->from->n; k++) {
        if (k) fputc(',', stream);
        dry_report__json(d->texts.label[k] ? d->texts.label[k] : "", stream);
    }
    fputs("]}", stream);
}

/* What it shows of the data, or, if it is fixed, what was asked for. */
static void put_axis(const char *key, const dry_picture_axis *axis, dry_panel_range range,
                     FILE *stream) {
    const bool none = !(range.low <= range.high);
    const double low = none ? 0.0 : range.low, high = none ? 0.0 : range.high;
    const bool log = axis->log && !none;
    fprintf(stream, "\"%s\":{\"log\":%s,\"fixed\":%s,", key, axis->log ? "true" : "false",
            axis->low < axis->high ? "true" : "false");
    dry_report__exact("low", log ? log10(low) : low, stream);
    fputc(',', stream);
    dry_report__exact("high", log ? log10(high) : high, stream);
    fputc('}', stream);
}

static void put_axes(const drawn *d, FILE *stream) {
    fputs(",\"axes\":{", stream);
    put_axis("x", &d->from->x_axis, d->texts.x_range, stream);
    fputc(',', stream);
    put_axis("y", &d->from->y_axis, d->texts.y_range, stream);
    fputc(',', stream);
    put_axis("beside", &d->from->beside_axis, d->texts.beside_range, stream);
    fputs("}", stream);
}

/* ---- shaded bands ------------------------------------------------------------------------------
 */

static void put_places(const char *key, const double *x, size_t n, FILE *stream) {
    fprintf(stream, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_rounded(x[i], 7, text);
        fprintf(stream, "%s%s", i ? "," : "", text);
    }
    fputc(']', stream);
}

static void put_shades(const drawn *d, FILE *stream) {
    fputs(",\"shades\":[", stream);
    for (int i = 0; i < d->texts.n_bands; i++) {
        const dry_panel_band *band = &d->texts.band[i];
        fputs(i ? ",{\"label\":" : "{\"label\":", stream);
        dry_report__json(band->label, stream);
        put_places("from", band->from, band->n, stream);
        put_places("to", band->to, band->n, stream);
        fputc('}', stream);
    }
    fputc(']', stream);
}

/* ---- curves ------------------------------------------------------------------------------------
 */

static void put_curve(const drawn *d, const dry_report__column *y, int curve,
                      const dry_report__column *x, size_t count, FILE *stream) {
    fprintf(stream, "{\"beside\":%s,", d->from->beside[curve] ? "true" : "false");
    if (x) {
        fputs("\"x\":", stream);
        dry_report__codes(x, d->kept, count, stream);
        fputc(',', stream);
    }
    fputs("\"y\":", stream);
    dry_report__codes(y, d->kept, count, stream);
    fputc('}', stream);
}

static bool put_own(drawn *d, const dry_report__column *y, FILE *stream) {
    fputs(",\"curves\":[", stream);
    for (int k = 0; k < d->from->n; k++) {
        const dry_report__column x = column_of(d, d->from->x[k], &d->from->x_axis);
        const size_t count = x.values ? thin(d, &x, &y[k], k, 1) : DRY_REPORT__NO_MEMORY;
        if (count == DRY_REPORT__NO_MEMORY) return false;
        if (k) fputc(',', stream);
        put_curve(d, &y[k], k, &x, count, stream);
    }
    fputc(']', stream);
    return true;
}

static bool put_shared(drawn *d, const dry_report__column *y, FILE *stream) {
    const dry_report__column x = column_of(d, d->from->x[0], &d->from->x_axis);
    const size_t count = x.values ? thin(d, &x, y, 0, d->from->n) : DRY_REPORT__NO_MEMORY;
    if (count == DRY_REPORT__NO_MEMORY) return false;
    fprintf(stream, ",\"rows\":%zu,\"of\":%zu,\"x\":", count, x.rows);
    dry_report__codes(&x, d->kept, count, stream);
    fputs(",\"curves\":[", stream);
    for (int k = 0; k < d->from->n; k++) {
        if (k) fputc(',', stream);
        put_curve(d, &y[k], k, NULL, count, stream);
    }
    fputc(']', stream);
    return true;
}

static bool put_curves(drawn *d, FILE *stream) {
    dry_report__column y[DRY_PLOT_CURVES];
    for (int k = 0; k < d->from->n; k++) {
        y[k] = curve_of(d, k);
        if (!y[k].values) return false;
    }
    return d->own ? put_own(d, y, stream) : put_shared(d, y, stream);
}

/* ---- all ---------------------------------------------------------------------------------------
 */

/* Whether ordinates at both sides need different scales, so that the rows of both must be thinned
 * by themselves. */
static bool has_own(const dry_model_panel *panel) {
    bool own = false;
    for (int k = 0; k < panel->n; k++)
        own = own || panel->x[k] != panel->x[0] ||
              (panel->x[0] && panel->beside[k] != panel->beside[0]);
    return own;
}

/* Of an abscissa that never falls and has a range, the rows within it and one on either side. */
static void choose_rows(drawn *d) {
    const dry_picture_axis *axis = &d->from->x_axis;
    const double *x = dry_record_values(d->card->record, d->from->x[0]);
    d->first = 0;
    d->rows = dry_record_rows(d->card->record);
    if (d->own || !(axis->low < axis->high)) return;
    for (size_t i = 1; i < d->rows; i++)
        if (!(x[i] >= x[i - 1])) return;
    while (d->rows > 2 && x[d->first + 1] < axis->low) d->first++, d->rows--;
    while (d->rows > 2 && x[d->first + d->rows - 2] > axis->high) d->rows--;
}

static void put_panel(drawn *d, FILE *stream) {
    fprintf(stream, "{\"time\":%s,\"marks\":%d,", d->time ? "true" : "false", d->from->marks);
    put_texts(d, stream);
    put_axes(d, stream);
    put_shades(d, stream);
    if (!put_curves(d, stream)) dry_report__lack(d->card);
    fputc('}', stream);
}

/* The first panel that cannot be drawn is the error of the page. */
static void note(const dry_card *card, const dry_error *error) {
    if (error->status == DRY_NO_MEMORY)
        dry_report__lack(card);
    else if (card->undrawn && !card->undrawn->status)
        *card->undrawn = *error;
}

/* Whether the panel can be drawn; then with its texts. */
static bool find_texts(drawn *d, int number, dry_error *error) {
    const dry_panel panel = dry_report__panel(d->from);
    const dry_plot plot = {
        .record = d->card->record, .panels = &panel, .n_panels = 1, .number = number};
    return dry_panel_texts_of(&plot, 0, d->arena, &d->texts, error) == DRY_OK;
}

/* With this panel, if it can be drawn; else with why not. */
static bool prepare(drawn *d, const dry_card *card, const dry_model_panel *from, int i,
                    dry_error *error) {
    const dry_picture_axis *x = &from->x_axis;
    *d = (drawn){.card = card, .from = from, .arena = dry_arena_new(0)};
    d->own = has_own(from);
    choose_rows(d);
    d->time = !d->own && !from->x[0] && !x->log && !(x->low < x->high);
    if (!d->arena) dry_error_set(error, DRY_NO_MEMORY, "out of memory for a panel");
    return d->arena && find_texts(d, i + 1, error);
}

void dry_report__undrawn(const dry_card *card, FILE *stream) {
    for (int i = 0; i < dry_model_panels(card->model); i++) {
        drawn d;
        const dry_model_panel from = dry_model_panel_at(card->model, i);
        dry_error error = {0};
        if (!prepare(&d, card, &from, i, &error)) {
            note(card, &error);
            dry_report__put(stream, "<p class=\"message\"><b>not drawn</b> %s</p>\n", error.text);
        }
        dry_arena_free(d.arena);
    }
}

bool dry_report__one_panel(const dry_card *card, const dry_model_panel *from, int number,
                           const char *before, FILE *stream) {
    size_t *kept = malloc(sizeof *kept * (dry_record_rows(card->record) + 1));
    drawn d = {0};
    dry_error error = {0};
    if (!kept) dry_report__lack(card);
    const bool done = kept && prepare(&d, card, from, number, &error);
    if (done) {
        d.kept = kept;
        fputs(before, stream);
        put_panel(&d, stream);
    } else if (kept)
        note(card, &error);
    dry_arena_free(d.arena);
    free(kept);
    return done;
}

void dry_report__panels(const dry_card *card, FILE *stream) {
    int n = 0;
    fputs(",\"panels\":[", stream);
    for (int i = 0; i < dry_model_panels(card->model); i++) {
        const dry_model_panel from = dry_model_panel_at(card->model, i);
        n += dry_report__one_panel(card, &from, i, n ? "," : "", stream);
    }
    fputc(']', stream);
}
