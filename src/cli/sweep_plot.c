/* Draws the table of a sweep: maps over two parameters, curves and families of curves over one. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 24, FAMILY = 6, LABEL = 256, MARKS = 20 };

/* What is drawn over what. */
typedef struct design {
    const cli_sweep_picture *how;
    const dry_record *table;
    int x, y; /* abscissa; ordinate of a map, or family of curves; -1: none */
    bool map;
    int first[DRY_SWEEP_AXES]; /* the others: a panel for each of their combinations */
    int n_first;
    size_t combinations;
    int n_measures;
} design;

/* The pieces of the table that are curves or maps, and their labels. */
typedef struct pieces {
    dry_record **record;
    char (*label)[LABEL];
    int n;
    dry_arena *arena;
} pieces;

/* ---- which picture ------------------------------------------------------------------------ */

static const dry_sweep_axis *axis_of(const design *d, int axis) { return &d->how->axes[axis]; }

/* A family where one of the two takes few values: that one, else a map. */
static void choose_pair(design *d, int a, int b) {
    const bool first_is_less = axis_of(d, a)->n <= axis_of(d, b)->n;
    const int fewer = first_is_less ? a : b, more = first_is_less ? b : a;
    d->map = d->how->map || (!d->how->curves && axis_of(d, fewer)->n > FAMILY);
    d->x = d->map ? b : more;
    d->y = d->map ? a : fewer;
}

/* The axis of most values apart from `other`; of equal ones the last. -1: there is none. */
static int widest(const design *d, int other) {
    int at = -1;
    for (int i = 0; i < d->how->n_axes; i++)
        if (i != other && axis_of(d, i)->n > 1 && (at < 0 || axis_of(d, i)->n >= axis_of(d, at)->n))
            at = i;
    return at;
}

static dry_status plan(design *d, dry_error *error) {
    d->x = widest(d, -1);
    d->y = widest(d, d->x);
    if (d->x < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "every parameter has one value, so there is nothing to draw");
    if (d->y >= 0) choose_pair(d, d->x < d->y ? d->x : d->y, d->x < d->y ? d->y : d->x);
    if (d->map && d->how->log)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "--log is for curves, but two parameters of many values make a map; "
                             "add --curves, or leave out --log");
    d->combinations = 1;
    for (int i = 0; i < d->how->n_axes; i++) {
        if (i == d->x || i == d->y || axis_of(d, i)->n < 2) continue;
        d->first[d->n_first++] = i;
        d->combinations *= (size_t)axis_of(d, i)->n;
    }
    if (d->combinations * (size_t)d->n_measures > MOST_PANELS)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%zu panels are too many: the two parameters of most values make a "
                             "panel, the others may have %d combinations of values",
                             d->combinations * (size_t)d->n_measures, MOST_PANELS / d->n_measures);
    if (!d->map && d->y >= 0 && axis_of(d, d->y)->n > DRY_PLOT_CURVES)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%d values of %s are too many curves; %d fit, or leave out --curves",
                             axis_of(d, d->y)->n, axis_of(d, d->y)->name, DRY_PLOT_CURVES);
    return DRY_OK;
}

/* ---- pieces of the table --------------------------------------------------------------------- */

static bool same(const double *column, size_t row, double value) {
    return memcmp(&column[row], &value, sizeof value) == 0;
}

/* The values of the first axes in a combination. */
static double value_in(const design *d, size_t combination, int k) {
    for (int i = d->n_first - 1; i > k; i--) combination /= (size_t)axis_of(d, d->first[i])->n;
    const dry_sweep_axis *axis = axis_of(d, d->first[k]);
    return axis->values[combination % (size_t)axis->n];
}

static bool belongs(const design *d, size_t row, size_t combination, int member) {
    if (member >= 0 &&
        !same(dry_record_values(d->table, d->y), row, axis_of(d, d->y)->values[member]))
        return false;
    for (int k = 0; k < d->n_first; k++)
        if (!same(dry_record_values(d->table, d->first[k]), row, value_in(d, combination, k)))
            return false;
    return true;
}

static int by_x(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of a combination, and of a member of the family, in the order of the abscissa: columns
 * x, y, measures. */
static dry_record *piece(const design *d, size_t combination, int member) {
    const int n = 2 + d->n_measures;
    dry_quantity columns[2 + 64];
    if (n > 2 + 64) return NULL;
    columns[0] = dry_record_quantity(d->table, d->x);
    columns[1] = dry_record_quantity(d->table, d->y >= 0 ? d->y : d->x);
    for (int m = 0; m < d->n_measures; m++)
        columns[2 + m] = dry_record_quantity(d->table, d->how->n_axes + m);
    dry_record *record = dry_record_new(columns, n);
    const size_t rows = dry_record_rows(d->table);
    double *values = calloc(rows * (size_t)n, sizeof *values);
    size_t kept = 0;
    for (size_t row = 0; values && row < rows; row++) {
        if (!belongs(d, row, combination, member)) continue;
        double *to = values + kept++ * (size_t)n;
        to[0] = dry_record_values(d->table, d->x)[row];
        to[1] = dry_record_values(d->table, d->y >= 0 ? d->y : d->x)[row];
        for (int m = 0; m < d->n_measures; m++)
            to[2 + m] = dry_record_values(d->table, d->how->n_axes + m)[row];
    }
    bool good = record && values;
    if (good && !d->map) qsort(values, kept, sizeof *values * (size_t)n, by_x);
    for (size_t i = 0; good && i < kept; i++)
        good = dry_record_add(record, values + i * (size_t)n) == DRY_OK;
    free(values);
    if (good) return record;
    dry_record_free(record);
    return NULL;
}

/* "β1 = 0.003 s", with the 1 lowered: names and units as axes have them. */
static bool put_value(const design *d, dry_arena *arena, int axis, double value, char text[LABEL]) {
    const dry_quantity q = dry_record_quantity(d->table, axis);
    const size_t length = strlen(text);
    const char *name = dry_plot_math(arena, q.name), *unit = dry_plot_unit(arena, q.unit);
    if (!name || !unit) return false;
    snprintf(text + length, LABEL - length, "%s%s = %.6g%s%s", length ? ", " : "", name, value,
             *unit ? " " : "", unit);
    return true;
}

static int members_of(const design *d) { return d->map || d->y < 0 ? 1 : axis_of(d, d->y)->n; }

static bool take_pieces(const design *d, pieces *p) {
    const int members = members_of(d);
    const size_t n = d->combinations * (size_t)members;
    p->record = calloc(n, sizeof *p->record);
    p->label = calloc(n + d->combinations, sizeof *p->label);
    p->arena = dry_arena_new(0);
    if (!p->record || !p->label || !p->arena) return false;
    for (size_t c = 0; c < d->combinations; c++)
        for (int m = 0; m < members; m++, p->n++) {
            const bool family = !d->map && d->y >= 0;
            if (family &&
                !put_value(d, p->arena, d->y, axis_of(d, d->y)->values[m], p->label[p->n]))
                return false;
            p->record[p->n] = piece(d, c, family ? m : -1);
            if (!p->record[p->n]) return false;
        }
    for (size_t c = 0; c < d->combinations; c++)
        for (int k = 0; k < d->n_first; k++)
            if (!put_value(d, p->arena, d->first[k], value_in(d, c, k), p->label[n + c]))
                return false;
    return true;
}

static void free_pieces(pieces *p) {
    for (int i = 0; i < p->n; i++) dry_record_free(p->record[i]);
    free(p->record);
    free(p->label);
    dry_arena_free(p->arena);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* With --log the abscissa is also logarithmic, if its values allow it. */
static bool has_log_abscissa(const design *d) {
    const dry_sweep_axis *axis = axis_of(d, d->x);
    bool positive = !d->map && d->how->log;
    for (int i = 0; i < axis->n; i++) positive = positive && axis->values[i] > 0.0;
    return axis->log || positive;
}

static dry_panel panel_of(const design *d, const pieces *p, int measure, size_t combination) {
    const int members = members_of(d);
    const char *title = p->label[d->combinations * (size_t)members + combination];
    dry_panel panel = {.title = title[0] ? title : NULL,
                       .x = 0,
                       .n_curves = members,
                       .x_axis.log = has_log_abscissa(d),
                       .map = d->map ? 2 + measure : 0,
                       .y_axis.log = d->map ? axis_of(d, d->y)->log : d->how->log,
                       .marks = d->how->log ? MARKS : 0};
    for (int m = 0; m < members; m++) {
        const size_t k = combination * (size_t)members + (size_t)m;
        panel.record[m] = p->record[k];
        panel.y[m] = d->map ? 1 : 2 + measure;
        panel.label[m] = p->label[k][0] ? p->label[k] : NULL;
    }
    return panel;
}

static dry_status draw(const design *d, const pieces *p, const char *path, FILE *stream,
                       dry_error *error) {
    dry_panel panels[MOST_PANELS];
    dry_plot plot = {.title = d->how->title, .panels = panels, .dark = d->how->dark};
    for (int m = 0; m < d->n_measures; m++)
        for (size_t c = 0; c < d->combinations; c++) panels[plot.n_panels++] = panel_of(d, p, m, c);
    return stream ? dry_plot_svg_stream(&plot, stream, error) : dry_plot_write(&plot, path, error);
}

static dry_status draw_table(const cli_sweep_picture *how, const dry_record *table,
                             const char *path, FILE *stream, dry_error *error) {
    design d = {.how = how, .table = table, .n_measures = how->n_measures};
    pieces p = {0};
    dry_status status = plan(&d, error);
    if (status != DRY_OK) return status;
    status = take_pieces(&d, &p) ? draw(&d, &p, path, stream, error)
                                 : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    free_pieces(&p);
    return status;
}

dry_status cli_draw_sweep(const cli_sweep_picture *how, const dry_record *table, const char *path,
                          dry_error *error) {
    return draw_table(how, table, path, NULL, error);
}

dry_status cli_draw_sweep_svg(const cli_sweep_picture *how, const dry_record *table, FILE *stream,
                              dry_error *error) {
    return draw_table(how, table, NULL, stream, error);
}

dry_status cli_check_sweep_picture(const cli_sweep_picture *how, dry_error *error) {
    design d = {.how = how, .n_measures = how->n_measures};
    return plan(&d, error);
}
