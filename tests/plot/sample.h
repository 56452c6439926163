/* Records and files that the tests of the plot room share. */
#ifndef DRY_TESTS_PLOT_SAMPLE_H
#define DRY_TESTS_PLOT_SAMPLE_H

#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <drystone/plot.h>

/* Columns t [s], a [m], b [m/s^2] with `rows` rows from functions of the row's part of the whole.
 */
static inline dry_record *sample(size_t rows, double (*a)(double), double (*b)(double)) {
    const dry_quantity columns[] = {{"t", "s"}, {"a", "m"}, {"b", "m/s^2"}};
    dry_record *record = dry_record_new(columns, 3);
    assert_non_null(record);
    assert_int_equal(dry_record_reserve(record, rows), DRY_OK);
    for (size_t i = 0; i < rows; i++) {
        double part = rows > 1 ? (double)i / (double)(rows - 1) : 0.0;
        double row[] = {2.0 * part, a(part), b(part)};
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    return record;
}

static inline double wave(double s) { return sin(12.0 * s); }
static inline double ripple(double s) { return 0.5 * cos(60.0 * s); }
static inline double constant(double s) { return 9.81 + 0.0 * s; }
static inline double gap(double s) { return s > 0.4 && s < 0.6 ? NAN : s > 0.8 ? INFINITY : s; }

static inline char *content(const char *path, size_t *length) {
    char *text = NULL;
    assert_int_equal(dry_file_read(path, 1u << 26, &text, length, NULL), DRY_OK);
    return text;
}

static inline int occurrences(const char *text, const char *word) {
    int n = 0;
    for (const char *s = strstr(text, word); s; s = strstr(s + 1, word)) n++;
    return n;
}

/* Uniform in 0..1, the same in every run. */
static inline double chance(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

#endif
