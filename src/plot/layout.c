/* layout: positions the axes, curves, titles and legends of a figure in a picture.
 *
 * All panels have the same left margin and the same drawing area w x h, so that their abscissae
 * stand one above the other. */
#include "internal.h"

#include <math.h>

#define DEFAULT_WIDTH 720
#define DEFAULT_HEIGHT 320
#define LEAST_WIDTH 200
#define LEAST_HEIGHT 120
#define MOST_SIZE 20000

#define SMALL 11.0 /* font size of tick labels */
#define FONT DRY_PLOT__FONT
#define EDGE 12.0      /* around the picture */
#define TICK 5.0       /* length of a tick */
#define TITLE_ROW 22.0 /* height of the title of a panel */
#define HEAD_ROW 34.0  /* height of the title of the picture */
#define NOTE_ROW 16.0  /* height of the note above the ordinate */
#define BETWEEN 16.0   /* between panels */
#define X_LABELS 24.0  /* tick labels of the abscissa */
#define X_TITLE 20.0   /* title of the abscissa */

typedef struct sheet {
    const dry_plot__figure *figure;
    dry_plot__scene *scene;
    dry_plot__axis *x, *y, *z; /* of each panel; z: the second ordinate, or the values of a map */
    double left, w, h;
    double top; /* where the next panel begins */
} sheet;

static dry_plot__style text_style(const dry_plot__theme *theme, const char *role, double size,
                                  dry_plot__anchor anchor) {
    return (dry_plot__style){.role = role, .ink = theme->ink, .size = size, .anchor = anchor};
}

static double small_width(const char *text) {
    return DRY_PLOT__SPARE * SMALL * dry_plot__text_width(text);
}

/* ---- axes ---------------------------------------------------------------------------------- */

static double widest_label(const dry_plot__axis *axis) {
    double widest = 0.0;
    for (int i = 0; i < axis->n; i++) widest = fmax(widest, small_width(axis->label[i]));
    return widest;
}

/* As many ticks as their labels leave room for. */
static void make_x_axis(dry_plot__axis *axis, const dry_plot__view *view, double w) {
    for (int most = DRY_PLOT__TICKS; most > 1; most--) {
        dry_plot__x_axis(axis, view, most);
        if (axis->n * (widest_label(axis) + 24.0) <= w) return;
    }
}

static double left_margin(const sheet *s) {
    double labels = 0.0, title = 0.0;
    for (int i = 0; i < s->figure->n; i++) {
        labels = fmax(labels, widest_label(&s->y[i]));
        if (*s->figure->view[i].y_title) title = FONT + 10.0;
    }
    return ceil(EDGE + title + labels + TICK + 4.0);
}

/* What stands at the right of a panel: the bar of a map, or the second ordinate. */
static double right_margin(const dry_plot__view *view, const dry_plot__axis *z) {
    if (view->map) return dry_plot__bar_width(view->map, z);
    if (!view->has_beside) return 0.0;
    return ceil(TICK + 4.0 + widest_label(z) + (*view->beside_title ? FONT + 8.0 : 0.0));
}

static void make_axes(sheet *s, double width, double height) {
    const dry_plot__view *view = s->figure->view;
    s->h = height - EDGE - NOTE_ROW - X_LABELS - X_TITLE;
    int most = (int)fmin(fmax(s->h / 34.0, 5.0), 7.0);
    double right = 0.0;
    for (int i = 0; i < s->figure->n; i++) {
        dry_plot__y_axis(&s->y[i], &view[i], most);
        if (view[i].map)
            dry_plot__axis_make(&s->z[i], view[i].map->range, 0.0, most);
        else
            dry_plot__beside_axis(&s->z[i], &view[i], most);
        right = fmax(right, right_margin(&view[i], &s->z[i]));
    }
    s->left = left_margin(s);
    s->w = width - s->left - 2.0 * EDGE - right;
    for (int i = 0; i < s->figure->n; i++) make_x_axis(&s->x[i], &view[i], s->w);
}

static void draw_grid(const sheet *s, int i, double y0) {
    dry_plot__style grid = {.role = "grid", .ink = s->scene->theme->grid, .size = 1.0};
    for (int k = 0; k < s->x[i].n; k++) {
        double x = s->left + s->w * dry_plot__axis_at(&s->x[i], s->x[i].tick[k]);
        dry_plot__scene_segment(s->scene, grid, x, y0, x, y0 + s->h);
    }
    for (int k = 0; k < s->y[i].n; k++) {
        double y = y0 + s->h * (1.0 - dry_plot__axis_at(&s->y[i], s->y[i].tick[k]));
        dry_plot__scene_segment(s->scene, grid, s->left, y, s->left + s->w, y);
    }
}

static void draw_spines(const sheet *s, int i, double y0) {
    dry_plot__style axis = {.role = "axis", .ink = s->scene->theme->faint, .size = 1.0};
    double bottom = y0 + s->h;
    dry_plot__scene_segment(s->scene, axis, s->left, y0, s->left, bottom);
    dry_plot__scene_segment(s->scene, axis, s->left, bottom, s->left + s->w, bottom);
    for (int k = 0; k < s->x[i].n; k++) {
        double x = s->left + s->w * dry_plot__axis_at(&s->x[i], s->x[i].tick[k]);
        dry_plot__scene_segment(s->scene, axis, x, bottom, x, bottom + TICK);
    }
    for (int k = 0; k < s->y[i].n; k++) {
        double y = y0 + s->h * (1.0 - dry_plot__axis_at(&s->y[i], s->y[i].tick[k]));
        dry_plot__scene_segment(s->scene, axis, s->left - TICK, y, s->left, y);
    }
}

static void draw_x_labels(const sheet *s, int i, double bottom) {
    const dry_plot__axis *axis = &s->x[i];
    const dry_plot__theme *theme = s->scene->theme;
    dry_plot__style label = text_style(theme, "tick", SMALL, DRY_PLOT__MIDDLE);
    for (int k = 0; k < axis->n; k++)
        dry_plot__scene_text(s->scene, label,
                             s->left + s->w * dry_plot__axis_at(axis, axis->tick[k]),
                             bottom + TICK + SMALL + 2.0, axis->label[k]);
    double y = bottom + X_LABELS + FONT + 2.0;
    dry_plot__scene_text(s->scene, text_style(theme, "note", SMALL, DRY_PLOT__END), s->left + s->w,
                         y, axis->note);
    double room = s->w - 2.0 * small_width(axis->note) - 8.0;
    const char *title = dry_plot__elide(s->scene->arena, s->figure->view[i].x_title, room / FONT,
                                        dry_plot__text_width);
    dry_plot__scene_text(s->scene, text_style(theme, "title", FONT, DRY_PLOT__MIDDLE),
                         s->left + 0.5 * s->w, y, title ? title : "");
}

static void draw_y_labels(const sheet *s, int i, double y0) {
    const dry_plot__axis *axis = &s->y[i];
    const dry_plot__theme *theme = s->scene->theme;
    dry_plot__style label = text_style(theme, "tick", SMALL, DRY_PLOT__END);
    for (int k = 0; k < axis->n; k++)
        dry_plot__scene_text(s->scene, label, s->left - TICK - 3.0,
                             y0 + s->h * (1.0 - dry_plot__axis_at(axis, axis->tick[k])) +
                                 0.36 * SMALL,
                             axis->label[k]);
    dry_plot__scene_text(s->scene, text_style(theme, "note", SMALL, DRY_PLOT__START), s->left,
                         y0 - 5.0, axis->note);
    const char *title = dry_plot__elide(s->scene->arena, s->figure->view[i].y_title, s->h / FONT,
                                        dry_plot__text_width);
    dry_plot__scene_upward(s->scene, text_style(theme, "title", FONT, DRY_PLOT__MIDDLE),
                           EDGE + 0.8 * FONT, y0 + 0.5 * s->h, title ? title : "");
}

/* ---- the second ordinate, bands ----------------------------------------------------------------
 */

static void draw_beside(const sheet *s, int i, double y0) {
    const dry_plot__axis *axis = &s->z[i];
    const dry_plot__theme *theme = s->scene->theme;
    const double right = s->left + s->w;
    const dry_plot__style line = {.role = "axis", .ink = theme->faint, .size = 1.0};
    const dry_plot__style label = text_style(theme, "tick", SMALL, DRY_PLOT__START);
    dry_plot__scene_segment(s->scene, line, right, y0, right, y0 + s->h);
    for (int k = 0; k < axis->n; k++) {
        const double y = y0 + s->h * (1.0 - dry_plot__axis_at(axis, axis->tick[k]));
        dry_plot__scene_segment(s->scene, line, right, y, right + TICK, y);
        dry_plot__scene_text(s->scene, label, right + TICK + 3.0, y + 0.36 * SMALL, axis->label[k]);
    }
    dry_plot__scene_text(s->scene, text_style(theme, "note", SMALL, DRY_PLOT__END), right, y0 - 5.0,
                         axis->note);
    const char *title = dry_plot__elide(s->scene->arena, s->figure->view[i].beside_title,
                                        s->h / FONT, dry_plot__text_width);
    dry_plot__scene_upward(s->scene, text_style(theme, "title", FONT, DRY_PLOT__MIDDLE),
                           right + TICK + widest_label(axis) + FONT + 6.0, y0 + 0.5 * s->h,
                           title ? title : "");
}

static double within(double part) { return fmin(fmax(part, 0.0), 1.0); }

/* A band is at least a pixel wide, so that it can be seen. */
static void draw_bands(const sheet *s, int i, double y0) {
    const dry_plot__view *view = &s->figure->view[i];
    for (int b = 0; b < view->n_bands; b++) {
        const dry_panel_band *bands = &view->bands[b];
        const dry_plot__style style = {.role = "band", .ink = s->scene->theme->band[b]};
        for (size_t k = 0; k < bands->n; k++) {
            const double from = within(dry_plot__axis_at(&s->x[i], bands->from[k]));
            const double to = within(dry_plot__axis_at(&s->x[i], bands->to[k]));
            const bool outside = bands->to[k] < s->x[i].lo || bands->from[k] > s->x[i].hi;
            if (!outside)
                dry_plot__scene_box(s->scene, style, s->left + s->w * from, y0,
                                    fmax(s->w * (to - from), 1.0), s->h);
        }
    }
}

/* ---- curves -------------------------------------------------------------------------------- */

typedef struct pencil {
    dry_plot__scene *scene;
    dry_plot__style style;
    const char *label;
} pencil;

static void draw_run(void *user, size_t first, size_t n) {
    pencil *p = user;
    dry_plot__scene_line(p->scene, p->style, first, n, p->label);
}

/* Draws the curves of a panel on a scene of their own, its upper left corner at the origin. */
static void draw_curves(const sheet *s, int i, dry_plot__scene *own) {
    const dry_plot__view *view = &s->figure->view[i];
    for (int c = 0; c < view->n; c++) {
        const bool beside = view->curve[c].beside;
        const dry_plot__frame frame = {&s->x[i], beside ? &s->z[i] : &s->y[i], 0.0, 0.0, s->w,
                                       s->h};
        pencil p = {own, dry_plot__curve_style(s->scene->theme, c), view->curve[c].label};
        dry_plot__thin(&view->curve[c], view->sorted, &frame, &own->points, draw_run, &p);
        dry_plot__marks_draw(own, &view->curve[c], c, view->marks, &frame);
    }
}

/* Copies a line to its place in the picture; a run of one point becomes a dot. */
static void settle(dry_plot__scene *scene, const dry_plot__item *line,
                   const dry_plot__point *points, double x, double y) {
    dry_plot__style style = line->style;
    size_t first = scene->points.n;
    if (line->n == 1) {
        style.size *= 3.0;
        dry_plot__scene_dot(scene, style, x + points[0].x, y + points[0].y);
        return;
    }
    for (size_t k = 0; k < line->n; k++)
        dry_plot__points_add(&scene->points, x + points[k].x, y + points[k].y);
    dry_plot__scene_line(scene, style, first, line->n, line->text);
}

/* ---- panels -------------------------------------------------------------------------------- */

/* What stands above the drawing area: title, legend, note of the ordinate. */
static double headroom(const sheet *s, int i, const dry_plot__legend *legend) {
    const bool has_z = s->figure->view[i].map || s->figure->view[i].has_beside;
    double note = *s->y[i].note || (has_z && *s->z[i].note) ? NOTE_ROW : 0.0;
    double rows = legend->above ? legend->h + 6.0 : 0.0;
    return (*s->figure->view[i].title ? TITLE_ROW : 0.0) + note + rows;
}

static void draw_title(const sheet *s, const char *text, double size, double y) {
    dry_plot__style style = text_style(s->scene->theme, "title", size, DRY_PLOT__MIDDLE);
    style.bold = true;
    const char *cut =
        dry_plot__elide(s->scene->arena, text, s->w / (1.2 * size), dry_plot__text_width);
    dry_plot__scene_text(s->scene, style, s->left + 0.5 * s->w, y, cut ? cut : "");
}

static void draw_frame(sheet *s, int i, const dry_plot__legend *legend, double y0) {
    const dry_plot__view *view = &s->figure->view[i];
    const dry_plot__frame frame = {&s->x[i], &s->y[i], s->left, y0, s->w, s->h};
    if (view->map) {
        dry_plot__map_draw(view->map, &frame, s->scene);
        dry_plot__bar_draw(view->map, &s->z[i], s->left + s->w, y0, s->h, s->scene);
    } else {
        draw_bands(s, i, y0);
        draw_grid(s, i, y0);
    }
    draw_spines(s, i, y0);
    if (view->has_beside) draw_beside(s, i, y0);
    draw_y_labels(s, i, y0);
    if (view->last) draw_x_labels(s, i, y0 + s->h);
    draw_title(s, view->title, FONT + 1.0, s->top + FONT + 1.0);
    double above = *s->y[i].note && legend->above ? -NOTE_ROW : 0.0;
    dry_plot__legend_draw(legend, s->scene, s->left, y0 + above);
}

/* Draws the curves first, on a scene of their own, because they determine the position of the
 * legend, and the legend determines the height of the panel. */
static void draw_panel(sheet *s, int i) {
    const dry_plot__view *view = &s->figure->view[i];
    dry_plot__scene own = {.theme = s->scene->theme};
    dry_plot__legend legend;
    draw_curves(s, i, &own);
    s->scene->failed = s->scene->failed || own.failed || own.points.failed;
    if (!s->scene->failed) {
        dry_plot__legend_place(&legend, view, own.item, own.n, own.points.at, s->w, s->h,
                               s->scene->arena);
        double y0 = s->top + headroom(s, i, &legend);
        draw_frame(s, i, &legend, y0);
        for (size_t k = 0; k < own.n; k++)
            settle(s->scene, &own.item[k], own.points.at + own.item[k].first, s->left, y0);
        s->top = y0 + s->h + (view->last ? X_LABELS + X_TITLE : TICK) + BETWEEN;
    }
    dry_plot__scene_free(&own);
}

static void draw_sheet(sheet *s, double width, double height) {
    make_axes(s, width, height);
    s->top = EDGE;
    if (*s->figure->title) {
        draw_title(s, s->figure->title, FONT + 3.0, s->top + FONT + 3.0);
        s->top += HEAD_ROW;
    }
    for (int i = 0; i < s->figure->n; i++) draw_panel(s, i);
    s->scene->width = width;
    s->scene->height = ceil(s->top - BETWEEN + EDGE);
}

static dry_status check_size(int width, int height, dry_error *error) {
    bool ok =
        width >= LEAST_WIDTH && height >= LEAST_HEIGHT && width <= MOST_SIZE && height <= MOST_SIZE;
    if (ok) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "a panel of %d x %d pixels; give it at least %d x %d and at most %d x %d",
                         width, height, LEAST_WIDTH, LEAST_HEIGHT, MOST_SIZE, MOST_SIZE);
}

dry_status dry_plot__layout(const dry_plot__figure *figure, const dry_plot *plot,
                            dry_plot__scene *scene, dry_error *error) {
    int width = plot->width ? plot->width : DEFAULT_WIDTH;
    int height = plot->height ? plot->height : DEFAULT_HEIGHT;
    *scene = (dry_plot__scene){.theme = dry_plot__theme_of(plot->dark), .arena = figure->arena};
    dry_status status = check_size(width, height, error);
    if (status != DRY_OK) return status;
    sheet s = {.figure = figure, .scene = scene};
    size_t bytes = (size_t)figure->n * sizeof *s.x;
    s.x = dry_arena_take(figure->arena, bytes);
    s.y = dry_arena_take(figure->arena, bytes);
    s.z = dry_arena_take(figure->arena, bytes);
    const bool good = s.x && s.y && s.z;
    if (good) draw_sheet(&s, width, height);
    if (good && !scene->failed && !scene->points.failed) return DRY_OK;
    dry_plot__scene_free(scene);
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory for a picture of %d x %d pixels",
                         width, height);
}
