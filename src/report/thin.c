/* thin: the rows of a long run that a picture needs. Over time it keeps every extreme; in a plane
 * the curve is drawn as finely as so many rows allow. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The extremes of one column in the rows [a, b), among what can be drawn. */
static void mark_extremes(const double *y, size_t a, size_t b, size_t *kept, size_t *n) {
    size_t low = a, high = a;
    for (size_t i = a; i < b; i++) {
        if (!isfinite(y[i])) continue;
        if (y[i] < y[low] || !isfinite(y[low])) low = i;
        if (y[i] > y[high] || !isfinite(y[high])) high = i;
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

enum { MOST_COLUMNS = 16, DENSE = 4 };

static size_t keep_all(size_t rows, size_t *kept) {
    for (size_t i = 0; i < rows; i++) kept[i] = i;
    return rows;
}

size_t dry_report__thin(const double *const *columns, int n, size_t rows, size_t most,
                        size_t *kept) {
    if (rows <= most) return keep_all(rows, kept);
    if (n > MOST_COLUMNS) n = MOST_COLUMNS;
    const size_t each = 2 + 2 * (size_t)n, parts = most / each + 1;
    size_t count = 0;
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

/* With the pen lifted, where that leaves few enough. */
static size_t lift(const dry_plot_plane *plane, size_t n, size_t most, size_t *kept) {
    if (most > n) most = n;
    size_t *some = malloc(sizeof *some * most);
    const size_t m = some ? dry_report__lift(plane, kept, n, most, some) : DRY_REPORT__NO_MEMORY;
    if (m <= most) memcpy(kept, some, m * sizeof *some);
    free(some);
    return m <= most || m == DRY_REPORT__NO_MEMORY ? m : 0;
}

/* Where a curve is in so many pieces that their ends alone are too many: stretches of neighbours at
 * equal distances, the first and the last among them, and the pen lifted in between. A stretch is
 * long enough to have a line in it even if a gap comes after every second row. */
static size_t sample(size_t n, size_t most, size_t *kept) {
    enum { STRETCH = 4, EACH = STRETCH + 1 };
    const size_t parts = (most + 1) / EACH;
    DRY_ASSERT(parts > 1 && n > most);
    for (size_t p = 0; p < parts; p++) {
        size_t *to = kept + p * EACH; /* not behind what is read */
        if (p) to[-1] = DRY_REPORT__LIFT;
        memmove(to, kept + p * (n - STRETCH) / (parts - 1), STRETCH * sizeof *kept);
    }
    return parts * EACH - 1;
}

/* Each round goes on with the rows of the one before: their tolerances add up to less than 4/3 of
 * the last. The first is finer than what is seen, for those who zoom. */
size_t dry_report__thin_plane(const dry_plot_plane *plane, size_t rows, size_t most, size_t *kept) {
    static const double finest = 0x1p-8, seen = 0x1p-2, coarsest = 0x1p6; /* pixels */
    size_t n = keep_all(rows, kept), lifted = 0;
    for (double tolerance = finest; n > most && tolerance <= coarsest; tolerance *= 4.0) {
        n = dry_plot_rows(plane, tolerance, kept, n);
        if (n > most && tolerance >= seen) lifted = lift(plane, n, DENSE * most, kept);
        if (lifted) return lifted;
    }
    return n > most ? sample(n, most, kept) : n;
}
