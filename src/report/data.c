/* data: the curves and phases of a page as JSON.
 *
 * A number of a curve is one of 2^24 - 1 steps from its least to its greatest value, in four
 * characters of base 64: small, and finer than any picture; the last code means no number. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_ROWS = 4000,
    WIDTH = 900,
    HEIGHT = 300,
    NO_NUMBER = (1 << 24) - 1
}; /* pixels: page.js */

static void widen(const double *y, size_t rows, double *low, double *high) {
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(y[i])) continue;
        *low = fmin(*low, y[i]);
        *high = fmax(*high, y[i]);
    }
}

static void range_of(const double *const *y, int n, size_t rows, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < n; k++) widen(y[k], rows, low, high);
    if (*low > *high) *low = *high = 0.0;
}

static void put_code(unsigned code, FILE *stream) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int shift = 18; shift >= 0; shift -= 6) fputc(digits[code >> shift & 63], stream);
}

static void put_exact(const char *key, double x, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(x, text);
    fprintf(stream, "\"%s\":%s,", key, text);
}

void dry_report__curve(const dry_record *record, int column, const char *label, const size_t *kept,
                       size_t n, FILE *stream) {
    const dry_quantity q = dry_record_quantity(record, column);
    const double *y = dry_record_values(record, column);
    double low, high;
    range_of(&y, 1, dry_record_rows(record), &low, &high);
    const double scale = high > low ? (NO_NUMBER - 1) / (high - low) : 0.0;
    fputs("{\"name\":", stream);
    dry_report__json(label ? label : q.name, stream);
    fputs(",\"unit\":", stream);
    dry_report__json(q.unit, stream);
    fputc(',', stream);
    put_exact("low", low, stream);
    put_exact("high", high, stream);
    fputs("\"codes\":\"", stream);
    for (size_t i = 0; i < n; i++) {
        const double value = kept[i] == DRY_REPORT__LIFT ? (double)NAN : y[kept[i]];
        put_code(isfinite(value) ? (unsigned)lround((value - low) * scale) : NO_NUMBER, stream);
    }
    fputs("\"}", stream);
}

/* Pixels per unit. */
static double scale_of(const double *const *y, int n, size_t rows, double pixels) {
    double low, high;
    range_of(y, n, rows, &low, &high);
    return high > low ? pixels / (high - low) : 0.0;
}

static size_t thin_panel(const dry_record *record, const dry_model_panel *panel, size_t *kept) {
    const double *y[DRY_PLOT_CURVES], *x = dry_record_values(record, panel->x[0]);
    const size_t rows = dry_record_rows(record);
    for (int k = 0; k < panel->n; k++) y[k] = dry_record_values(record, panel->y[k]);
    if (!panel->x[0]) return dry_report__thin(y, panel->n, rows, MOST_ROWS, kept);
    const dry_plot_plane plane = {x, y, panel->n, scale_of(&x, 1, rows, WIDTH),
                                  scale_of(y, panel->n, rows, HEIGHT)};
    return dry_report__thin_plane(&plane, rows, MOST_ROWS, kept);
}

static void put_text(const char *key, const char *text, FILE *stream) {
    fprintf(stream, "\"%s\":", key);
    dry_report__json(text ? text : "", stream);
    fputc(',', stream);
}

/* The titles of the axes and the labels as the drawn pictures have them: names in mathematics. */
static void put_texts(const dry_card *card, const dry_model_panel *from, FILE *stream) {
    dry_arena *arena = dry_arena_new(0);
    const dry_panel panel = dry_report__panel(from);
    const dry_plot plot = {.record = card->record, .panels = &panel, .n_panels = 1};
    const dry_quantity x = dry_record_quantity(card->record, from->x[0]);
    dry_panel_texts texts = {0};
    dry_error error = {0};
    if (!arena || dry_panel_texts_of(&plot, 0, arena, &texts, &error) != DRY_OK)
        dry_report__lack(card);
    fputs("\"texts\":{", stream);
    put_text("across", texts.x, stream);
    put_text("up", texts.y, stream);
    put_text("abscissa", arena ? dry_plot_math(arena, x.name) : "", stream);
    put_text("unit", arena ? dry_plot_unit(arena, x.unit) : "", stream);
    fputs("\"labels\":[", stream);
    for (int k = 0; k < from->n; k++) {
        if (k) fputc(',', stream);
        dry_report__json(texts.label[k] ? texts.label[k] : "", stream);
    }
    fputs("]},", stream);
    dry_arena_free(arena);
}

static void put_panel(const dry_card *card, const dry_model_panel *panel, size_t *kept,
                      FILE *stream) {
    const dry_record *record = card->record;
    const size_t count = thin_panel(record, panel, kept);
    if (count == DRY_REPORT__NO_MEMORY) {
        dry_report__lack(card);
        return;
    }
    fprintf(stream, "{\"time\":%s,\"rows\":%zu,\"of\":%zu,", panel->x[0] ? "false" : "true", count,
            dry_record_rows(record));
    put_texts(card, panel, stream);
    fputs("\"x\":", stream);
    dry_report__curve(record, panel->x[0], NULL, kept, count, stream);
    fputs(",\"curves\":[", stream);
    for (int k = 0; k < panel->n; k++) {
        if (k) fputc(',', stream);
        dry_report__curve(record, panel->y[k], panel->label[k], kept, count, stream);
    }
    fputs("]}", stream);
}

static void put_panels(const dry_card *card, FILE *stream) {
    size_t *kept = malloc(sizeof *kept * (dry_record_rows(card->record) + 1));
    int n = 0;
    if (!kept) dry_report__lack(card);
    for (int i = 0; kept && i < dry_model_panels(card->model); i++) {
        const dry_model_panel panel = dry_model_panel_at(card->model, i);
        if (!dry_report__is_plain(&panel)) continue;
        if (n++) fputc(',', stream);
        put_panel(card, &panel, kept, stream);
    }
    free(kept);
}

static void put_band(const dry_report__band *band, FILE *stream) {
    fputs("{\"name\":", stream);
    dry_report__json(band->name, stream);
    fprintf(stream, ",\"contact\":%s,\"begin\":[", band->contact ? "true" : "false");
    for (size_t i = 0; i < band->n; i++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_rounded(band->begin[i], 7, text);
        fprintf(stream, "%s%s", i ? "," : "", text);
    }
    fputs("],\"phase\":\"", stream);
    for (size_t i = 0; i < band->n; i++) fputc('0' + band->phase[i], stream);
    fputs("\"}", stream);
}

void dry_report__data(const dry_card *card, const dry_report__bands *bands, FILE *stream) {
    const size_t rows = dry_record_rows(card->record);
    const double *t = dry_record_values(card->record, 0);
    fputs("<script type=\"application/json\" id=\"data\">{", stream);
    put_exact("from", rows ? t[0] : 0.0, stream);
    put_exact("until", rows ? t[rows - 1] : 0.0, stream);
    fputs("\"panels\":[", stream);
    put_panels(card, stream);
    fputs("],\"bands\":[", stream);
    for (int i = 0; i < bands->n; i++) {
        if (i) fputc(',', stream);
        put_band(&bands->band[i], stream);
    }
    fputs("]", stream);
    dry_report__scene(card, stream);
    fputs("}</script>\n", stream);
}
