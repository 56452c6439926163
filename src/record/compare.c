/* Compares two tables at the times of the first: |actual - expected| <= atol + rtol |expected|. */
#include "table.h"
#include <math.h>
#include <string.h>

/* The column of the time: the one named t, else the first. */
static int time_column(const dry_record *record) {
    int t = dry_record_find(record, "t");
    return t >= 0 ? t : 0;
}

/* The difference as a multiple of what is allowed; two nan agree, and so do two equal infinities.
 */
static double ratio(double expected, double actual, double rtol, double atol) {
    if (expected == actual || (isnan(expected) && isnan(actual))) return 0;
    double r = fabs(actual - expected) / (atol + rtol * fabs(expected));
    return isnan(r) ? INFINITY : r;
}

/* The column of `actual` that belongs to a column of `expected`. */
static dry_status partner(const dry_record *expected, const dry_record *actual, int column,
                          int *found, dry_error *error) {
    dry_quantity q = expected->quantities[column];
    *found = dry_record_find(actual, q.name);
    if (*found < 0) {
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the compared table has no column %s; record it, or remove it from the expected table",
            q.name);
    }
    const char *unit = actual->quantities[*found].unit;
    if (q.unit[0] == '\0' || unit[0] == '\0' || strcmp(q.unit, unit) == 0) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "column %s is in %s, but expected in %s; use the same unit in both",
                         q.name, unit, q.unit);
}

static dry_status outside(const dry_record *actual, int t, double time, dry_error *error) {
    char at[DRY_NUMBER_SIZE], from[DRY_NUMBER_SIZE], until[DRY_NUMBER_SIZE];
    dry_number_text(time, at);
    if (actual->rows == 0) {
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the compared table has no rows; record at least the time %s", at);
    }
    dry_number_text(actual->values[t][0], from);
    dry_number_text(actual->values[t][actual->rows - 1], until);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "time %s is expected, but the compared table covers only %s to %s; run it "
                         "over the same time",
                         at, from, until);
}

/* Compares one column at all times and keeps the worst. */
static dry_status compare_column(const dry_record *expected, const dry_record *actual, int column,
                                 int found, double rtol, double atol, dry_record_difference *worst,
                                 dry_error *error) {
    int te = time_column(expected), ta = time_column(actual);
    for (size_t i = 0; i < expected->rows; i++) {
        dry_record__place place;
        double t = expected->values[te][i], e = expected->values[column][i];
        if (!dry_record__locate(actual->values[ta], actual->rows, t, &place)) {
            return outside(actual, ta, t, error);
        }
        double a = dry_record__value(actual->values[found], place), r = ratio(e, a, rtol, atol);
        if (worst->column < 0 || r > worst->ratio) {
            *worst = (dry_record_difference){r, column, t, e, a};
        }
    }
    return DRY_OK;
}

dry_status dry_record_compare(const dry_record *expected, const dry_record *actual, double rtol,
                              double atol, dry_record_difference *worst, dry_error *error) {
    *worst = (dry_record_difference){.column = -1};
    if (!(rtol >= 0 && atol >= 0)) {
        return dry_error_set(error, DRY_BAD_ARGUMENT, "a tolerance is negative or nan; give >= 0");
    }
    if (expected->rows == 0 || expected->n_columns < 2) {
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the expected table has nothing to compare; give it a time column "
                             "t, another column and at least one row");
    }
    for (int i = 0; i < expected->n_columns; i++) {
        int found;
        if (i == time_column(expected)) continue;
        dry_status status = partner(expected, actual, i, &found, error);
        if (status == DRY_OK) {
            status = compare_column(expected, actual, i, found, rtol, atol, worst, error);
        }
        if (status != DRY_OK) return status;
    }
    return DRY_OK;
}
