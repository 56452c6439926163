/* The figure: the columns that a plot names, found and checked, with their ranges and titles. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* The record whose column `panel->x` gives the abscissa its name. */
static const dry_record *home(const dry_plot *plot, const dry_panel *panel) {
    return plot->record ? plot->record : panel->record[0];
}

static const dry_record *record_of(const dry_plot *plot, const dry_panel *panel, int curve) {
    return panel->record[curve] ? panel->record[curve] : plot->record;
}

static bool has(const dry_record *record, int column) {
    return column >= 0 && column < dry_record_columns(record);
}

/* The abscissa of a curve in the record that names it. */
static int own_x(const dry_panel *panel, int curve) {
    return panel->own_x ? panel->own_x[curve] : panel->x;
}

/* The number of a panel in messages. */
static int number(const dry_plot *plot, int p) { return (plot->number ? plot->number : 1) + p; }

static dry_status check_curve(const dry_plot *plot, int p, int c, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    const dry_record *record = record_of(plot, panel, c);
    if (!record)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: curve %d has no record; set it, or the plot's",
                             number(plot, p), c + 1);
    if (!has(record, panel->y[c]))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: curve %d is column %d of a record with columns 0 to %d",
                             number(plot, p), c + 1, panel->y[c], dry_record_columns(record) - 1);
    if (!has(home(plot, panel), own_x(panel, c)))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the abscissa is column %d of a record with columns 0 to %d",
                             number(plot, p), own_x(panel, c),
                             dry_record_columns(home(plot, panel)) - 1);
    const char *x = dry_record_quantity(home(plot, panel), own_x(panel, c)).name;
    if (dry_record_find(record, x) < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the record of curve %d has no column `%s` to draw it over; "
                             "add that column, or rename its own",
                             number(plot, p), c + 1, x);
    return DRY_OK;
}

static dry_status check_axis(const char *what, int panel, const dry_picture_axis *axis,
                             dry_error *error) {
    if (axis->low > axis->high || isnan(axis->low) || isnan(axis->high))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the range of %s is empty: %g to %g; give the lower end "
                             "first",
                             panel, what, axis->low, axis->high);
    if (axis->log && axis->low < axis->high && axis->low <= 0.0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: %s is logarithmic and cannot begin at %g; begin above 0",
                             panel, what, axis->low);
    return DRY_OK;
}

static dry_status check_shades(const dry_plot *plot, int p, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    if (panel->n_shades < 0 || panel->n_shades > DRY_PLOT_SHADES)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d shades %d conditions; give it at most %d", number(plot, p),
                             panel->n_shades, DRY_PLOT_SHADES);
    for (int i = 0; i < panel->n_shades; i++)
        if (!has(home(plot, panel), panel->shade[i]))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "panel %d: condition %d is column %d of a record with columns 0 "
                                 "to %d",
                                 number(plot, p), i + 1, panel->shade[i],
                                 dry_record_columns(home(plot, panel)) - 1);
    return DRY_OK;
}

static dry_status check_axes(const dry_plot *plot, int p, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    dry_status status = check_axis("the abscissa", number(plot, p), &panel->x_axis, error);
    if (status == DRY_OK)
        status = check_axis("the ordinate", number(plot, p), &panel->y_axis, error);
    if (status == DRY_OK)
        status = check_axis("the second ordinate", number(plot, p), &panel->beside_axis, error);
    return status;
}

static dry_status check_panel(const dry_plot *plot, int p, dry_error *error) {
    const dry_panel *panel = &plot->panels[p];
    if (panel->n_curves < 1 || panel->n_curves > DRY_PLOT_CURVES)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d has %d curves; give it 1 to %d, or spread them over panels",
                             number(plot, p), panel->n_curves, DRY_PLOT_CURVES);
    dry_status status = DRY_OK;
    for (int c = 0; c < panel->n_curves && status == DRY_OK; c++)
        status = check_curve(plot, p, c, error);
    if (status == DRY_OK) status = check_axes(plot, p, error);
    if (status == DRY_OK) status = check_shades(plot, p, error);
    if (status == DRY_OK && panel->map && !has(record_of(plot, panel, 0), panel->map))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "panel %d: the map is column %d of a record with columns 0 to %d",
                             number(plot, p), panel->map,
                             dry_record_columns(record_of(plot, panel, 0)) - 1);
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

/* The curves of one axis of a panel, or of all. */
typedef struct group {
    const dry_plot *plot;
    const dry_panel *panel;
    dry_arena *arena;
    bool all, beside; /* beside: of which ordinate, unless all */
} group;

static bool belongs(const group *g, int curve) {
    return g->all || g->panel->beside[curve] == g->beside;
}

static dry_quantity quantity_of(const group *g, int curve) {
    return dry_record_quantity(record_of(g->plot, g->panel, curve), g->panel->y[curve]);
}

static dry_quantity abscissa_of(const group *g, int curve) {
    return dry_record_quantity(home(g->plot, g->panel), own_x(g->panel, curve));
}

static const char *text_or_none(const char *text) { return text ? text : ""; }

typedef const char *(*property)(const group *, int curve);

static const char *unit_of(const group *g, int curve) {
    return text_or_none(quantity_of(g, curve).unit);
}
static const char *x_unit_of(const group *g, int curve) {
    return text_or_none(abscissa_of(g, curve).unit);
}

/* `p` for `p[2]`, which several curves may share; NULL without memory. */
static const char *without_index(dry_arena *arena, const char *name) {
    const size_t n = strcspn(name, "[");
    const char *end = name[n] ? name + n + 1 + strspn(name + n + 1, "0123456789") : "";
    const bool indexed = n > 0 && !strcmp(end, "]"); /* a[1]*b[1] is not an entry of a */
    return dry_arena_text(arena, name, indexed ? n : strlen(name));
}

static const char *name_of(const group *g, int curve) { return quantity_of(g, curve).name; }
static const char *x_name_of(const group *g, int curve) { return abscissa_of(g, curve).name; }
static const char *stem_of(const group *g, int curve) {
    return text_or_none(without_index(g->arena, name_of(g, curve)));
}
static const char *x_stem_of(const group *g, int curve) {
    return text_or_none(without_index(g->arena, x_name_of(g, curve)));
}

/* What all curves of the group have in common: `what` of the first; NULL if they differ. */
static const char *common(const group *g, property what) {
    const char *first = NULL;
    for (int c = 0; c < g->panel->n_curves; c++) {
        if (!belongs(g, c)) continue;
        if (first && strcmp(what(g, c), first) != 0) return NULL;
        if (!first) first = what(g, c);
    }
    return first;
}

static int count(const group *g) {
    int n = 0;
    for (int c = 0; c < g->panel->n_curves; c++) n += belongs(g, c);
    return n;
}

/* `name [unit]`, and what remains of it without one or the other. */
static const char *titled(dry_arena *arena, const char *name, const char *unit) {
    if (!*unit) return dry_plot__print(arena, "%s", name);
    const char *pretty = dry_plot_unit(arena, unit);
    if (!pretty) return NULL;
    return dry_plot__print(arena, "%s%s[%s]", name, *name ? " " : "", pretty);
}

/* The name of a curve in the legend: as it was given, or that of its column in mathematics. */
static const char *label_of(const group *g, int curve) {
    const char *given = g->panel->label[curve];
    return given ? given : text_or_none(dry_plot_math(g->arena, name_of(g, curve)));
}

static const char *titled_name(const group *g, const char *name, const char *unit) {
    const char *math = dry_plot_math(g->arena, text_or_none(name));
    return math ? titled(g->arena, math, unit) : NULL;
}

enum { MOST_NAMES = 4 };

/* "a, b": the names along an axis, each once; "" if they are too many or labels stand for them. */
static const char *all_names(const group *g, property name) {
    const char *known[MOST_NAMES], *text = "";
    int n = 0;
    for (int c = 0; c < g->panel->n_curves; c++) {
        bool again = !belongs(g, c);
        for (int k = 0; k < n; k++) again = again || !strcmp(known[k], name(g, c));
        if (again) continue;
        if (n == MOST_NAMES || g->panel->label[c]) return "";
        known[n++] = name(g, c);
        text =
            text_or_none(dry_plot__print(g->arena, "%s%s%s", text, n > 1 ? ", " : "", name(g, c)));
    }
    return text;
}

static const char *x_title(const group *g) {
    const char *given = g->panel->x_axis.label, *name = common(g, x_name_of);
    const char *unit = text_or_none(common(g, x_unit_of));
    if (given) return titled(g->arena, given, unit);
    if (!name) name = common(g, x_stem_of);
    return titled_name(g, name ? name : all_names(g, x_name_of), unit);
}

static const char *y_title(const group *g, const char *given) {
    const char *unit = text_or_none(common(g, unit_of));
    if (given) return titled(g->arena, given, unit);
    for (int c = 0; c < g->panel->n_curves && count(g) == 1; c++)
        if (belongs(g, c)) return titled(g->arena, label_of(g, c), unit);
    if (!common(g, unit_of)) return ""; /* the legend has names and units */
    const char *name = common(g, name_of);
    if (!name) name = common(g, stem_of);
    return titled_name(g, name ? name : all_names(g, name_of), unit);
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

static bool is_fixed(const dry_picture_axis *axis) { return axis->low < axis->high; }

static dry_plot__range range_of(const double *values, size_t n, bool log_axis) {
    return (log_axis ? dry_plot__range_positive : dry_plot__range_of)(values, n);
}

/* Of the ordinates over the part of the abscissa that is shown. */
static dry_plot__range range_shown(const dry_plot__curve *curve, const dry_picture_axis *x,
                                   const dry_picture_axis *y) {
    dry_plot__range range = dry_plot__range_empty();
    if (!is_fixed(x)) return range_of(curve->y, curve->n, y->log);
    for (size_t i = 0; i < curve->n; i++)
        if (curve->x[i] >= x->low && curve->x[i] <= x->high)
            range = dry_plot__range_join(range, range_of(&curve->y[i], 1, y->log));
    return range;
}

/* The column of the abscissa in the record of a curve: at the same place, or of the same name. */
static int x_in(const dry_record *record, const dry_record *named, int column) {
    const char *name = dry_record_quantity(named, column).name;
    if (record == named ||
        (has(record, column) && !strcmp(dry_record_quantity(record, column).name, name)))
        return column;
    return dry_record_find(record, name);
}

static void resolve_curve(dry_plot__view *view, const group *g, int c) {
    const dry_panel *panel = g->panel;
    const dry_record *record = record_of(g->plot, panel, c);
    const group mates = {.plot = g->plot, .panel = panel, .beside = panel->beside[c]};
    dry_plot__curve *curve = &view->curve[c];
    curve->n = dry_record_rows(record);
    curve->x = dry_record_values(record, x_in(record, home(g->plot, panel), own_x(panel, c)));
    curve->y = dry_record_values(record, panel->y[c]);
    curve->beside = panel->beside[c];
    curve->label = titled(g->arena, label_of(g, c), common(&mates, unit_of) ? "" : unit_of(g, c));
    const dry_picture_axis *y_axis = curve->beside ? &view->beside_axis : &view->y_axis;
    dry_plot__range *y = curve->beside ? &view->beside : &view->y;
    view->x = dry_plot__range_join(view->x, range_of(curve->x, curve->n, view->x_axis.log));
    *y = dry_plot__range_join(*y, range_shown(curve, &view->x_axis, y_axis));
    view->sorted = view->sorted && never_falls(curve->x, curve->n);
    view->has_beside = view->has_beside || curve->beside;
}

/* A range that was asked for stands in place of that of the data. */
static void fix_ranges(dry_plot__view *view) {
    const dry_picture_axis *axes[] = {&view->x_axis, &view->y_axis, &view->beside_axis};
    dry_plot__range *ranges[] = {&view->x, &view->y, &view->beside};
    for (int i = 0; i < 3; i++)
        if (is_fixed(axes[i])) *ranges[i] = (dry_plot__range){axes[i]->low, axes[i]->high};
}

/* Its columns make the first curve, which is not drawn. */
static bool resolve_map(dry_plot__view *view, const group *g) {
    const dry_record *record = record_of(g->plot, g->panel, 0);
    const dry_quantity z = dry_record_quantity(record, g->panel->map);
    const dry_plot__curve *grid = &view->curve[0];
    dry_plot__map *map =
        dry_plot__map_make(g->arena, grid->x, grid->y, dry_record_values(record, g->panel->map),
                           grid->n, view->x_axis.log, view->y_axis.log);
    if (!map) return false;
    map->title = titled_name(g, z.name, text_or_none(z.unit));
    view->map = map;
    view->n = 0;
    view->x = (dry_plot__range){map->x[0], map->x[map->nx]};
    view->y = (dry_plot__range){map->y[0], map->y[map->ny]};
    return map->title != NULL;
}

static bool resolve_bands(dry_plot__view *view, const group *g) {
    const dry_record *record = home(g->plot, g->panel);
    const double *x = dry_record_values(record, own_x(g->panel, 0));
    for (; view->n_bands < g->panel->n_shades; view->n_bands++) {
        const int column = g->panel->shade[view->n_bands];
        dry_panel_band *bands = &view->bands[view->n_bands];
        bands->label = dry_plot_math(g->arena, dry_record_quantity(record, column).name);
        if (!bands->label || !dry_plot__bands_find(bands, x, dry_record_values(record, column),
                                                   dry_record_rows(record), g->arena))
            return false;
    }
    return true;
}

static bool resolve(dry_plot__view *view, const dry_plot *plot, const dry_panel *panel,
                    dry_arena *arena) {
    const group all = {plot, panel, arena, true, false};
    const group left = {plot, panel, arena, false, false},
                right = {plot, panel, arena, false, true};
    *view = (dry_plot__view){.title = text_or_none(panel->title),
                             .x_axis = panel->x_axis,
                             .y_axis = panel->y_axis,
                             .beside_axis = panel->beside_axis,
                             .x_title = x_title(&all),
                             .y_title = y_title(&left, panel->y_axis.label),
                             .beside_title = y_title(&right, panel->beside_axis.label),
                             .n = panel->n_curves,
                             .marks = panel->marks,
                             .sorted = true,
                             .last = true,
                             .x = dry_plot__range_empty(),
                             .y = dry_plot__range_empty(),
                             .beside = dry_plot__range_empty()};
    bool ok = view->x_title && view->y_title && view->beside_title;
    for (int c = 0; c < view->n; c++) {
        resolve_curve(view, &all, c);
        ok = ok && view->curve[c].label;
    }
    ok = ok && (!panel->map || resolve_map(view, &all)) && resolve_bands(view, &all);
    fix_ranges(view);
    return ok;
}

static bool alike(const dry_plot__view *a, const dry_plot__view *b) {
    return a->sorted == b->sorted && a->x_axis.log == b->x_axis.log &&
           a->x_axis.low == b->x_axis.low && a->x_axis.high == b->x_axis.high &&
           strcmp(a->x_title, b->x_title) == 0;
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

/* Over the range that was asked for, or over that of the data with room at its ends. */
static void make_axis(dry_plot__axis *axis, dry_plot__range range, const dry_picture_axis *asked,
                      bool tight, int most) {
    const double wider = tight || is_fixed(asked) ? 0.0 : pad;
    (asked->log ? dry_plot__axis_make_log : dry_plot__axis_make)(axis, range, wider, most);
}
void dry_plot__x_axis(dry_plot__axis *axis, const dry_plot__view *view, int most) {
    make_axis(axis, view->x, &view->x_axis, view->sorted || view->map, most);
}
void dry_plot__y_axis(dry_plot__axis *axis, const dry_plot__view *view, int most) {
    make_axis(axis, view->y, &view->y_axis, view->map != NULL, most);
}
void dry_plot__beside_axis(dry_plot__axis *axis, const dry_plot__view *view, int most) {
    make_axis(axis, view->beside, &view->beside_axis, false, most);
}

/* The name along an axis of a panel as the record has it, for a message. */
static const char *written_name(const dry_plot *plot, int p, bool x) {
    const group g = {.plot = plot, .panel = &plot->panels[p], .all = true};
    const char *label = g.panel->label[0];
    return x ? x_name_of(&g, 0) : label ? label : name_of(&g, 0);
}

/* A logarithmic axis needs a value that it can show. */
static dry_status check_logs(const dry_plot__figure *figure, const dry_plot *plot,
                             dry_error *error) {
    for (int i = 0; i < figure->n; i++) {
        const dry_plot__view *view = &figure->view[i];
        const bool x = view->x_axis.log && view->x.lo > view->x.hi;
        const bool y = view->y_axis.log && view->y.lo > view->y.hi;
        if (x || y)
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "panel %d: the %s is logarithmic, but no value of %s is above 0; "
                                 "draw it on a linear axis, or draw its size: abs(...)",
                                 number(plot, i), x ? "abscissa" : "ordinate",
                                 written_name(plot, i, x));
    }
    return DRY_OK;
}

dry_status dry_panel_texts_of(const dry_plot *plot, int panel, dry_arena *arena,
                              dry_panel_texts *texts, dry_error *error) {
    dry_plot__view view;
    dry_plot alone = *plot;
    dry_status status = check_panel(plot, panel, error);
    if (status != DRY_OK) return status;
    if (!resolve(&view, plot, &plot->panels[panel], arena))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the texts of a panel");
    alone.panels = &plot->panels[panel];
    alone.number = number(plot, panel);
    status = check_logs(&(dry_plot__figure){.view = &view, .n = 1}, &alone, error);
    if (status != DRY_OK) return status;
    *texts = (dry_panel_texts){.x = view.x_title,
                               .y = view.y_title,
                               .beside = view.beside_title,
                               .n_bands = view.n_bands,
                               .x_range = {view.x.lo, view.x.hi},
                               .y_range = {view.y.lo, view.y.hi},
                               .beside_range = {view.beside.lo, view.beside.hi}};
    for (int c = 0; c < view.n; c++) texts->label[c] = view.curve[c].label;
    for (int k = 0; k < view.n_bands; k++) texts->band[k] = view.bands[k];
    return DRY_OK;
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
    status = check_logs(figure, plot, error);
    if (status != DRY_OK) dry_plot__figure_free(figure);
    return status;
}

void dry_plot__figure_free(dry_plot__figure *figure) {
    dry_arena_free(figure->arena);
    figure->arena = NULL;
}
