/* Tables in the graph: the bounds of their values and slopes, and whether two are the same.
 *
 * Between two knots a curve lies between the numbers of its Bezier form, and so does its slope:
 *
 *     y0, y0 + h m0/3, y1 - h m1/3, y1        m0, 3 s - m0 - m1, m1 */
#include "dag_private.h"
#include "span.h"

#include <string.h>

int dry_table__degree(const dry_table *table) { return table->hold ? 0 : table->cubic ? 3 : 1; }

/* ---- bounds --------------------------------------------------------------- */

static span with(span all, double value) {
    return (span){low_of(all.low, value), high_of(all.high, value)};
}

/* Cell i, between knots i and i + 1. */
static span values_of_cell(const dry_table *table, int i, span all) {
    const double *y = table->y + i, h = (table->x[i + 1] - table->x[i]) / 3.0;
    all = with(with(all, y[0]), y[1]);
    if (!table->cubic) return all;
    return with(with(all, y[0] + h * table->slope[i]), y[1] - h * table->slope[i + 1]);
}

static span slopes_of_cell(const dry_table *table, int i, span all) {
    const double s = (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
    if (!table->cubic) return with(all, s);
    const double m0 = table->slope[i], m1 = table->slope[i + 1];
    return with(with(with(all, m0), m1), 3.0 * s - m0 - m1);
}

/* The first and the last cell that an argument can be in; those beyond the ends belong to the cells
 * beside them. */
static void cells_of(const double *x, int n, span a, int *first, int *last) {
    const int below = dry_table_below(x, n, 1, a.low), above = dry_table_below(x, n, 1, a.high);
    *first = below < 1 ? 0 : below > n - 1 ? n - 2 : below - 1;
    *last = above < 1 ? 0 : above > n - 1 ? n - 2 : above - 1;
}

static bool is_outside(const double *x, int n, span a) {
    return !(a.low >= x[0] && a.high <= x[n - 1]);
}

/* A cubic rounds at the size of its largest number. */
static span rounded(const dry_table *table, span all) {
    const double size = high_of(fabs(all.low), fabs(all.high));
    const double more = table->cubic ? margin(size) : 0.0;
    return between(all.low - more, all.high + more);
}

static const span nothing = {(double)INFINITY, -(double)INFINITY};

static span curve_bounds(const dry_table *table, int index, span a) {
    int first, last;
    span all = nothing;
    cells_of(table->x, table->n, a, &first, &last);
    for (int i = first; i <= last; i++)
        all = index ? slopes_of_cell(table, i, all) : values_of_cell(table, i, all);
    if (index && !table->extended && is_outside(table->x, table->n, a)) all = with(all, 0.0);
    if (index || !table->extended || !is_outside(table->x, table->n, a)) return rounded(table, all);
    double results[DRY_TABLE_RESULTS];
    dry_table_curve(table, a.low, results);
    all = with(all, results[0]);
    dry_table_curve(table, a.high, results);
    all = with(all, results[0]);
    return rounded(table, all);
}

static span surface_bounds(const dry_table *table, span a, span b) {
    int first, last, first2, last2;
    span all = nothing;
    const bool outside = is_outside(table->x, table->n, a) || is_outside(table->x2, table->n2, b);
    if (outside && table->extended) return whole;
    cells_of(table->x, table->n, a, &first, &last);
    cells_of(table->x2, table->n2, b, &first2, &last2);
    for (int i = first; i <= last + 1; i++)
        for (int j = first2; j <= last2 + 1; j++) all = with(all, table->y[i * table->n2 + j]);
    return widen(all);
}

dry_interval dry_table__bounds(const dry_table *table, int index, dry_interval a, dry_interval b) {
    if (table->n2) return index ? whole : surface_bounds(table, a, b);
    if (table->hold && index) return (span){0.0, 0.0};
    return index > 1 ? whole : curve_bounds(table, index, a);
}

/* ---- two tables ----------------------------------------------------------- */

static bool same_numbers(const double *a, const double *b, int n) {
    return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

bool dry_table__same(const dry_table *a, const dry_table *b) {
    if (a == b || !a || !b) return a == b;
    return a->cubic == b->cubic && a->hold == b->hold && a->extended == b->extended &&
           a->n == b->n && a->n2 == b->n2 && same_numbers(a->x, b->x, a->n) &&
           same_numbers(a->x2, b->x2, a->n2) &&
           same_numbers(a->y, b->y, a->n2 ? a->n * a->n2 : a->n) &&
           same_numbers(a->slope, b->slope, a->cubic ? a->n : 0);
}
