/* thin: the rows of a long run that a picture needs, no extreme lost. */
#include "report_private.h"

#include <string.h>

/* The extremes of one column in the rows [a, b). */
static void mark_extremes(const double *y, size_t a, size_t b, size_t *kept, size_t *n) {
    size_t low = a, high = a;
    for (size_t i = a; i < b; i++) {
        if (y[i] < y[low]) low = i;
        if (y[i] > y[high]) high = i;
    }
    kept[(*n)++] = low;
    kept[(*n)++] = high;
}

/* Rising, each row once; a few numbers only. */
static size_t sort(size_t *rows, size_t n) {
    size_t m = 0;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && rows[k] < rows[k - 1]; k--) {
            const size_t swap = rows[k];
            rows[k] = rows[k - 1];
            rows[k - 1] = swap;
        }
    for (size_t i = 0; i < n; i++)
        if (m == 0 || rows[i] != rows[m - 1]) rows[m++] = rows[i];
    return m;
}

enum { MOST_COLUMNS = 16 };

size_t dry_report__thin(const double *const *columns, int n, size_t rows, size_t most,
                        size_t *kept) {
    if (n > MOST_COLUMNS) n = MOST_COLUMNS;
    const size_t each = 2 + 2 * (size_t)n, parts = most / each + 1;
    size_t count = 0;
    if (rows <= most) {
        for (; count < rows; count++) kept[count] = count;
        return count;
    }
    for (size_t p = 0; p < parts; p++) {
        const size_t a = p * rows / parts, b = (p + 1) * rows / parts;
        size_t some[2 + 2 * MOST_COLUMNS], m = 0;
        if (a == b) continue;
        some[m++] = a;
        some[m++] = b - 1;
        for (int c = 0; c < n; c++) mark_extremes(columns[c], a, b, some, &m);
        m = sort(some, m);
        memcpy(kept + count, some, m * sizeof *some);
        count += m;
    }
    return count;
}
