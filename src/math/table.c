/* table: what lies between the knots of a table.
 *
 * Between x0 and x1, with h = x1 - x0, d = at - x0, s = (y1 - y0)/h and the slopes m0, m1:
 *
 *     straight:  y = y0 + s d
 *     cubic:     y = y0 + d (m0 + d (c + d e)),  c = (3 s - 2 m0 - m1)/h,  e = (m0 + m1 - 2 s)/h^2
 */
#include <drystone/math.h>

int dry_table_below(const double *x, int n, int stride, double at) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (x[middle * stride] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- one argument -------------------------------------------------------- */

static void polynomial(double y, double m, double c, double e, double d, double *results) {
    results[0] = y + d * (m + d * (c + d * e));
    results[1] = m + d * (2.0 * c + d * (3.0 * e));
    results[2] = 2.0 * c + d * (6.0 * e);
    results[3] = 6.0 * e;
}

static double chord(const dry_table *table, int i) {
    return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}

/* Beyond knot `end`, at which cell i ends. */
static void beyond(const dry_table *table, int end, int i, double at, double *results) {
    const double slope = !table->extended ? 0.0
                         : table->cubic   ? table->slope[end]
                                          : chord(table, i);
    const double d = table->extended ? at - table->x[end] : 0.0;
    polynomial(table->y[end], slope, 0.0, 0.0, d, results);
}

static void within(const dry_table *table, int i, double at, double *results) {
    const double d = at - table->x[i], h = table->x[i + 1] - table->x[i], s = chord(table, i);
    if (!table->cubic) { /* from the nearer knot, so that no value is beyond those of the knots */
        const int near = d + d > h ? i + 1 : i;
        polynomial(table->y[near], s, 0.0, 0.0, at - table->x[near], results);
        return;
    }
    const double m0 = table->slope[i], m1 = table->slope[i + 1];
    const double c = (3.0 * s - 2.0 * m0 - m1) / h, e = (m0 + m1 - 2.0 * s) / (h * h);
    polynomial(table->y[i], m0, c, e, d, results);
}

void dry_table_curve(const dry_table *table, double at, double *results) {
    const int n = table->n, below = dry_table_below(table->x, n, 1, at);
    if (at != at)
        polynomial(at, 0.0, 0.0, 0.0, 0.0, results);
    else if (below == 0)
        beyond(table, 0, 0, at, results);
    else if (below == n)
        beyond(table, n - 1, n - 2, at, results);
    else if (table->hold)
        polynomial(table->y[below - 1], 0.0, 0.0, 0.0, 0.0, results);
    else
        within(table, below - 1, at, results);
}

/* ---- two arguments ------------------------------------------------------- */

/* Finds the cell, the fraction of it that is passed, and the slope of this fraction. */
static int cell_of(const double *x, int n, bool extended, double at, double *part, double *slope) {
    const int below = dry_table_below(x, n, 1, at);
    const int i = below == 0 ? 0 : below == n ? n - 2 : below - 1;
    const bool held = !extended && (below == 0 || below == n);
    const double h = x[i + 1] - x[i];
    *part = held && at == at ? (below == 0 ? 0.0 : 1.0) : (at - x[i]) / h;
    *slope = held ? 0.0 : 1.0 / h;
    return i;
}

void dry_table_surface(const dry_table *table, double at, double at2, double *results) {
    double u, v, du, dv;
    const int i = cell_of(table->x, table->n, table->extended, at, &u, &du);
    const int j = cell_of(table->x2, table->n2, table->extended, at2, &v, &dv);
    const double *y = table->y + i * table->n2 + j, *z = y + table->n2;
    const double rise = z[0] - y[0], rise1 = z[1] - y[1];
    const double low = (1.0 - u) * y[0] + u * z[0], high = (1.0 - u) * y[1] + u * z[1];
    results[0] = (1.0 - v) * low + v * high;
    results[1] = du * ((1.0 - v) * rise + v * rise1);
    results[2] = dv * (high - low);
    results[3] = du * dv * (rise1 - rise);
}

/* ---- where it has kinks -------------------------------------------------- */

int dry_table_kink_count(int n) {
    int count = 0;
    for (; n > 0; n /= 2) count++;
    return count;
}

/* g = +-(at - a)(b - at)/(b - a) between two knots a, b of the function, straight beyond its ends.
 */
static double wave(const double *x, int n, int stride, int apart, int passed, double at) {
    const int lower = (2 * passed - 1) * apart, upper = (2 * passed + 1) * apart;
    const double sign = passed % 2 ? -1.0 : 1.0;
    const double from = passed > 0 ? at - x[(lower - 1) * stride] : 0.0;
    const double to = upper <= n ? x[(upper - 1) * stride] - at : 0.0;
    if (upper > n) return sign * from;
    return passed > 0 ? sign * (from * (to / (from + to))) : sign * to;
}

void dry_table_kinks(const double *x, int n, int stride, double at, double *g) {
    const int below = dry_table_below(x, n, stride, at);
    for (int apart = 1; apart <= n; apart *= 2, g++)
        *g = wave(x, n, stride, apart, (below + apart) / (2 * apart), at);
}

dry_knots dry_table_knots(const dry_table *table, int argument) {
    const int n = argument ? table->n2 : table->n;
    const double *x = argument ? table->x2 : table->x;
    if (!x || (table->cubic && table->extended)) return (dry_knots){x, 0, 1};
    if (table->cubic) return (dry_knots){x, 2, n - 1};
    return table->extended ? (dry_knots){x + 1, n - 2, 1} : (dry_knots){x, n, 1};
}
