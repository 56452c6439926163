/* The figure: the columns that a plot names, found and checked, with their ranges and titles. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* The record whose column `panel->x` gives the abscissa its name. */
static const dry_record *home(const dry_plot *plot, const dry_panel *panel) {
    return plot->record ? plot->record : panel->record[0];
}

static const dry_record *source(const dry_plot *plot, const dry_panel *panel, int curve) {
    return panel->record[curve] ? panel->record[curve] : plot->record;
}

static bool has(const dry_record *record, int column) {
    return column >= 0 && column < dry_record_columns(record);
}

static dry_status check_curve(const dry_plot *plot, int p, int c, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    const dry_record *record = source(plot, panel, c);
    if (!record)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: curve %d has no record; set it, or the plot's", p + 1,
                             c + 1);
    if (!has(record, panel->y[c]))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: curve %d is column %d of a record with columns 0 to %d",
                             p + 1, c + 1, panel->y[c], dry_record_columns(record) - 1);
    const char *x = dry_record_quantity(home(plot, panel), panel->x).name;
    if (dry_record_find(record, x) < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the record of curve %d has no column `%s` to draw it over; "
                             "add that column, or rename its own",
                             p + 1, c + 1, x);
    return DRY_OK;
}

static dry_status check_panel(const dry_plot *plot, int p, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    if (panel->n_curves < 1 || panel->n_curves > DRY_PLOT_CURVES)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d has %d curves; give it 1 to %d, or spread them over panels",
                             p + 1, panel->n_curves, DRY_PLOT_CURVES);
    const dry_record *record = home(plot, panel);
    if (record && !has(record, panel->x))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the abscissa is column %d of a record with columns 0 to %d",
                             p + 1, panel->x, dry_record_columns(record) - 1);
    dry_status status = DRY_OK;
    for (int c = 0; c < panel->n_curves && status == DRY_OK; c++)
        status = check_curve(plot, p, c, error);
    if (status == DRY_OK && panel->map && !has(source(plot, panel, 0), panel->map))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the map is column %d of a record with columns 0 to %d",
                             p + 1, panel->map, dry_record_columns(source(plot, panel, 0)) - 1);
    return status;
}

static dry_status check(const dry_plot *plot, dry_error *error) {
    if (plot->n_panels < 1 || !plot->panels)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "a plot needs at least one panel");
    dry_status status = DRY_OK;
    for (int p = 0; p < plot->n_panels && status == DRY_OK; p++)
        status = check_panel(plot, p, error);
    return status;
}

/* ---- titles -------------------------------------------------------------------------------- */

static const char *unit_of(const dry_plot *plot, const dry_panel *panel, int curve) {
    const char *unit = dry_record_quantity(source(plot, panel, curve), panel->y[curve]).unit;
    return unit ? unit : "";
}

static const char *name_of(const dry_plot *plot, const dry_panel *panel, int curve) {
    return dry_record_quantity(source(plot, panel, curve), panel->y[curve]).name;
}

static const char *label_of(const dry_plot *plot, const dry_panel *panel, int curve) {
    return panel->label[curve] ? panel->label[curve] : name_of(plot, panel, curve);
}

/* Whether all curves agree in what `what` says of them. */
static bool common(const dry_plot *plot, const dry_panel *panel,
                   const char *(*what)(const dry_plot *, const dry_panel *, int)) {
    for (int c = 1; c < panel->n_curves; c++)
        if (strcmp(what(plot, panel, c), what(plot, panel, 0)) != 0) return false;
    return true;
}

/* `name [unit]`, and what remains of it without one or the other. */
static const char *titled(dry_arena *arena, const char *name, const char *unit) {
    if (!*unit) return dry_plot__print(arena, "%s", name);
    const char *pretty = dry_plot__unit(arena, unit);
    if (!pretty) return NULL;
    return dry_plot__print(arena, "%s%s[%s]", name, *name ? " " : "", pretty);
}

static const char *x_title(dry_arena *arena, const dry_plot *plot, const dry_panel *panel) {
    dry_quantity x = dry_record_quantity(home(plot, panel), panel->x);
    return titled(arena, x.name, x.unit ? x.unit : "");
}

static const char *y_title(dry_arena *arena, const dry_plot *plot, const dry_panel *panel) {
    if (panel->n_curves == 1)
        return titled(arena, label_of(plot, panel, 0), unit_of(plot, panel, 0));
    if (!common(plot, panel, unit_of)) return "";
    return titled(arena, common(plot, panel, name_of) ? name_of(plot, panel, 0) : "",
                  unit_of(plot, panel, 0));
}

/* ---- curves -------------------------------------------------------------------------------- */

static bool never_falls(const double *x, size_t n) {
    double before = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (x[i] < before) return false;
        if (dry_plot__drawable(x[i])) before = x[i];
    }
    return true;
}

static dry_plot__range range_of(const double *values, size_t n, bool log_axis) {
    return (log_axis ? dry_plot__range_positive : dry_plot__range_of)(values, n);
}

static void resolve_curve(dry_plot__view *view, const dry_plot *plot, const dry_panel *panel, int c,
                          dry_arena *arena) {
    const dry_record *record = source(plot, panel, c);
    const char *x = dry_record_quantity(home(plot, panel), panel->x).name;
    int column = record == home(plot, panel) ? panel->x : dry_record_find(record, x);
    dry_plot__curve *curve = &view->curve[c];
    curve->n = dry_record_rows(record);
    curve->x = dry_record_values(record, column);
    curve->y = dry_record_values(record, panel->y[c]);
    curve->label = titled(arena, label_of(plot, panel, c),
                          common(plot, panel, unit_of) ? "" : unit_of(plot, panel, c));
    view->x = dry_plot__range_join(view->x, range_of(curve->x, curve->n, view->x_log));
    view->y = dry_plot__range_join(view->y, range_of(curve->y, curve->n, view->y_log));
    view->sorted = view->sorted && never_falls(curve->x, curve->n);
}

/* Its columns make the first curve, which is not drawn. */
static bool resolve_map(dry_plot__view *view, const dry_plot *plot, const dry_panel *panel,
                        dry_arena *arena) {
    const dry_record *record = source(plot, panel, 0);
    const dry_quantity z = dry_record_quantity(record, panel->map);
    const dry_plot__curve *grid = &view->curve[0];
    dry_plot__map *map =
        dry_plot__map_make(arena, grid->x, grid->y, dry_record_values(record, panel->map), grid->n,
                           panel->x_log, panel->y_log);
    if (!map) return false;
    map->title = titled(arena, z.name, z.unit ? z.unit : "");
    view->map = map;
    view->n = 0;
    view->x = (dry_plot__range){map->x[0], map->x[map->nx]};
    view->y = (dry_plot__range){map->y[0], map->y[map->ny]};
    return map->title != NULL;
}

static bool resolve(dry_plot__view *view, const dry_plot *plot, const dry_panel *panel,
                    dry_arena *arena) {
    *view = (dry_plot__view){.title = panel->title ? panel->title : "",
                             .x_log = panel->x_log,
                             .y_log = panel->y_log,
                             .x_title = x_title(arena, plot, panel),
                             .y_title = y_title(arena, plot, panel),
                             .n = panel->n_curves,
                             .sorted = true,
                             .last = true,
                             .x = dry_plot__range_empty(),
                             .y = dry_plot__range_empty()};
    bool ok = view->x_title && view->y_title;
    for (int c = 0; c < view->n; c++) {
        resolve_curve(view, plot, panel, c, arena);
        ok = ok && view->curve[c].label;
    }
    return ok && (!panel->map || resolve_map(view, plot, panel, arena));
}

static bool alike(const dry_plot__view *a, const dry_plot__view *b) {
    return a->sorted == b->sorted && a->x_log == b->x_log && strcmp(a->x_title, b->x_title) == 0;
}

/* Neighbours over the same abscissa get the same range of it, and labels under the last only. */
static void align(dry_plot__view *view, int n) {
    for (int i = 1; i < n; i++) {
        if (!alike(&view[i - 1], &view[i])) continue;
        view[i].x = dry_plot__range_join(view[i - 1].x, view[i].x);
        view[i - 1].last = false;
    }
    for (int i = n - 1; i > 0; i--)
        if (!view[i - 1].last) view[i - 1].x = view[i].x;
}

static const double pad = 0.05;

static void make_axis(dry_plot__axis *axis, dry_plot__range range, bool log_axis, double wider,
                      int most) {
    (log_axis ? dry_plot__axis_make_log : dry_plot__axis_make)(axis, range, wider, most);
}
void dry_plot__x_axis(dry_plot__axis *axis, const dry_plot__view *view, int most) {
    make_axis(axis, view->x, view->x_log, view->sorted || view->map ? 0.0 : pad, most);
}
void dry_plot__y_axis(dry_plot__axis *axis, const dry_plot__view *view, int most) {
    make_axis(axis, view->y, view->y_log, view->map ? 0.0 : pad, most);
}

dry_status dry_plot__figure_make(dry_plot__figure *figure, const dry_plot *plot, dry_error *error) {
    *figure = (dry_plot__figure){.title = plot->title ? plot->title : ""};
    dry_status status = check(plot, error);
    if (status != DRY_OK) return status;
    figure->arena = dry_arena_new(0);
    size_t bytes = (size_t)plot->n_panels * sizeof *figure->view;
    if (figure->arena) figure->view = dry_arena_take(figure->arena, bytes);
    bool ok = figure->view != NULL;
    for (; ok && figure->n < plot->n_panels; figure->n++)
        ok = resolve(&figure->view[figure->n], plot, &plot->panels[figure->n], figure->arena);
    if (!ok) {
        dry_plot__figure_free(figure);
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for a plot of %d panels",
                             plot->n_panels);
    }
    align(figure->view, figure->n);
    return DRY_OK;
}

void dry_plot__figure_free(dry_plot__figure *figure) {
    dry_arena_free(figure->arena);
    figure->arena = NULL;
}
