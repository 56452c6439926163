/* data: the curves and phases of a page as JSON.
 *
 * A number of a curve is one of 2^24 - 1 steps from its least to its greatest value, in four
 * characters of base 64: small, and finer than any picture; the last code means no number. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

enum { NO_NUMBER = (1 << 24) - 1 };

static void widen(const double *y, size_t rows, double *low, double *high) {
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(y[i])) continue;
        *low = fmin(*low, y[i]);
        *high = fmax(*high, y[i]);
    }
}

void dry_report__range(const double *const *y, int n, size_t rows, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < n; k++) widen(y[k], rows, low, high);
    if (*low > *high) *low = *high = 0.0;
}

static void put_code(unsigned code, FILE *stream) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int shift = 18; shift >= 0; shift -= 6) fputc(digits[code >> shift & 63], stream);
}

void dry_report__exact(const char *key, double x, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(x, text);
    fprintf(stream, "\"%s\":%s", key, text);
}

/* Of a logarithmic axis the codes are those of the decimal logarithm. */
void dry_report__codes(const dry_report__column *column, const size_t *kept, size_t n,
                       FILE *stream) {
    const double *y = column->values;
    double low, high;
    dry_report__range(&y, 1, column->rows, &low, &high);
    const double scale = high > low ? (NO_NUMBER - 1) / (high - low) : 0.0;
    fputs("{\"name\":", stream);
    dry_report__json(column->name, stream);
    fputs(",\"unit\":", stream);
    dry_report__json(column->unit, stream);
    fputc(',', stream);
    dry_report__exact("low", low, stream);
    fputc(',', stream);
    dry_report__exact("high", high, stream);
    fputs(",\"codes\":\"", stream);
    for (size_t i = 0; i < n; i++) {
        const double value = kept[i] == DRY_REPORT__LIFT ? (double)NAN : y[kept[i]];
        put_code(isfinite(value) ? (unsigned)lround((value - low) * scale) : NO_NUMBER, stream);
    }
    fputs("\"}", stream);
}

dry_report__column dry_report__column_of(const dry_record *record, int column) {
    const dry_quantity q = dry_record_quantity(record, column);
    return (dry_report__column){q.name, q.unit, dry_record_values(record, column),
                                dry_record_rows(record)};
}

void dry_report__curve(const dry_record *record, int column, const size_t *kept, size_t n,
                       FILE *stream) {
    const dry_report__column c = dry_report__column_of(record, column);
    dry_report__codes(&c, kept, n, stream);
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

static void put_bands(const dry_report__bands *bands, FILE *stream) {
    fputs(",\"bands\":[", stream);
    for (int i = 0; i < bands->n; i++) {
        if (i) fputc(',', stream);
        put_band(&bands->band[i], stream);
    }
    fputc(']', stream);
}

static void put_span(const double *t, size_t rows, FILE *stream) {
    dry_report__exact("from", rows ? t[0] : 0.0, stream);
    fputc(',', stream);
    dry_report__exact("until", rows ? t[rows - 1] : 0.0, stream);
}

void dry_report__data(const dry_card *card, const dry_report__bands *bands, FILE *stream) {
    const size_t rows = card->record ? dry_record_rows(card->record) : 0;
    fputc('{', stream);
    put_span(rows ? dry_record_values(card->record, 0) : NULL, rows, stream);
    if (rows)
        dry_report__panels(card, stream);
    else
        fputs(",\"panels\":[]", stream);
    put_bands(bands, stream);
    if (rows) dry_report__scene(card, stream);
}
