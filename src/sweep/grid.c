/* grid: reads axes from text, counts and numbers the points.
 *
 * Point i is the i-th combination of the values in which the last axis changes fastest. */
#include "sweep_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 10000000, MOST_POINTS = 100000000 };

/* ---- axes from text -------------------------------------------------------------------- */

static const char forms[] = "NAME=lo:hi:n, NAME=lo:hi:n:log or NAME=a,b,c";

static dry_status wrong(const char *text, const char *what, dry_error *error) {
    return dry_error_set(error, DRY_BAD_ARGUMENT, "'%.120s': %s; an axis is %s", text, what, forms);
}

/* Reads one value of the axis; `before` is one that was read before. */
static dry_status read_value(const char *text, const char **at, const dry_amount *before,
                             dry_amount *value, dry_error *error) {
    dry_error why = {0};
    if (!dry_amount_read(at, value, &why)) return wrong(text, why.text, error);
    if (dry_amounts_agree(before, value)) return DRY_OK;
    return wrong(text,
                 before->has_unit && value->has_unit
                     ? "the units of the values have different dimensions"
                     : "some of the values have a unit and others have none",
                 error);
}

static bool read_count(const char **at, double *n) {
    const char *end;
    if (!dry_number_parse(*at, &end, n)) return false;
    *at = end;
    return *n >= 1.0 && *n <= MOST_VALUES && *n == floor(*n);
}

/* Notes the unit of the axis, if the value has one. */
static dry_status note_unit(dry_sweep_axis *axis, const dry_amount *value, dry_error *error) {
    if (!value->has_unit || axis->unit) return DRY_OK;
    axis->unit = calloc(DRY_DIM_TEXT, 1);
    if (!axis->unit) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_amount_unit(value, axis->unit);
    return DRY_OK;
}

static bool take_values(dry_sweep_axis *axis, int n) {
    axis->n = n;
    axis->values = calloc((size_t)n, sizeof *axis->values);
    return axis->values != NULL;
}

/* A value that only rounding separates from 0 is 0: a level or a mass may be 0, but not below. */
static double on_line(double lo, double hi, double part) {
    const double value = lo + part * (hi - lo);
    return fabs(value) > 4.0 * DBL_EPSILON * fmax(fabs(lo), fabs(hi)) ? value : 0.0;
}

/* The ends are exactly those given. */
static void fill(dry_sweep_axis *axis, double lo, double hi) {
    const int n = axis->n;
    for (int i = 0; i < n; i++) {
        const double part = n > 1 ? (double)i / (n - 1) : 0.0;
        axis->values[i] = axis->log ? lo * dry_pow(hi / lo, part) : on_line(lo, hi, part);
    }
    axis->values[0] = lo;
    if (n > 1) axis->values[n - 1] = hi;
}

/* The ends of a range fit each other, and the number of its values. */
static dry_status check_range(const dry_sweep_axis *axis, const char *text, double lo, double hi,
                              double n, dry_error *error) {
    if (axis->log && !(lo > 0.0 && hi > 0.0))
        return wrong(text, "a logarithmic axis needs positive ends", error);
    if (n == 1.0 && lo != hi) return wrong(text, "one value cannot have two different ends", error);
    if (n > 1.0 && lo == hi) return wrong(text, "the two ends are equal", error);
    return DRY_OK;
}

static dry_status read_range(dry_sweep_axis *axis, const char *text, const char *at,
                             const dry_amount *lo, dry_error *error) {
    static const char missing[] = "after 'lo:' the upper end and the number of values are missing";
    dry_amount hi;
    double n;
    if (!strchr(at, ':')) return wrong(text, missing, error);
    dry_status status = read_value(text, &at, lo, &hi, error);
    if (status != DRY_OK) return status;
    if (*at++ != ':') return wrong(text, missing, error);
    if (!read_count(&at, &n))
        return wrong(text, "the number of values must be whole, from 1 to 10000000", error);
    axis->log = strcmp(at, ":log") == 0;
    if (*at && !axis->log) return wrong(text, "only ':log' can follow the number of values", error);
    status = check_range(axis, text, lo->value, hi.value, n, error);
    if (status == DRY_OK) status = note_unit(axis, &hi, error);
    if (status != DRY_OK) return status;
    if (!take_values(axis, (int)n)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    fill(axis, lo->value, hi.value);
    return DRY_OK;
}

static dry_status read_list(dry_sweep_axis *axis, const char *text, const char *at,
                            dry_error *error) {
    int n = 1;
    dry_amount before = {0}, value;
    for (const char *c = at; *c; c++) n += *c == ',';
    if (!take_values(axis, n)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        dry_status status = read_value(text, &at, &before, &value, error);
        if (status == DRY_OK) status = note_unit(axis, &value, error);
        if (status != DRY_OK) return status;
        if (*at++ != (i + 1 < n ? ',' : '\0'))
            return wrong(text, "a list needs numbers with commas between them", error);
        axis->values[i] = value.value;
        if (!before.has_unit && (value.has_unit || value.value != 0.0)) before = value;
    }
    return DRY_OK;
}

static dry_status read_axis(dry_sweep_axis *axis, const char *text, dry_error *error) {
    const char *equals = strchr(text, '=');
    const dry_amount none = {0};
    dry_amount first;
    if (!equals || equals == text) return wrong(text, "the name of a parameter is missing", error);
    axis->name = calloc((size_t)(equals - text) + 1, 1);
    if (!axis->name) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    memcpy(axis->name, text, (size_t)(equals - text));
    const char *at = equals + 1;
    dry_status status = read_value(text, &at, &none, &first, error);
    if (status == DRY_OK && *at == ':') status = note_unit(axis, &first, error);
    if (status != DRY_OK) return status;
    return *at == ':' ? read_range(axis, text, at + 1, &first, error)
                      : read_list(axis, text, equals + 1, error);
}

dry_status dry_sweep_axis_read(dry_sweep_axis *axis, const char *text, dry_error *error) {
    *axis = (dry_sweep_axis){0};
    const dry_status status = read_axis(axis, text, error);
    if (status != DRY_OK) dry_sweep_axis_free(axis);
    return status;
}

void dry_sweep_axis_free(dry_sweep_axis *axis) {
    free(axis->name);
    free(axis->values);
    free(axis->unit);
    *axis = (dry_sweep_axis){0};
}

/* ---- points ------------------------------------------------------------------------------ */

size_t dry_sweep__points(const dry_sweep_axis *axes, int n_axes) {
    size_t points = 1;
    for (int i = 0; i < n_axes; i++) {
        if (axes[i].n < 1 || points > MOST_POINTS / (size_t)axes[i].n) return 0;
        points *= (size_t)axes[i].n;
    }
    return points;
}

void dry_sweep_point(const dry_sweep_axis *axes, int n_axes, size_t point, double *values) {
    for (int i = n_axes - 1; i >= 0; i--) {
        values[i] = axes[i].values[point % (size_t)axes[i].n];
        point /= (size_t)axes[i].n;
    }
}
