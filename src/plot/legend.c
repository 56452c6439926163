/* legend: the legend of a panel: a box inside it if it hides nothing there, otherwise rows above
 * it. */
#include "internal.h"

#include <math.h>

#define MARK 22.0 /* pixels of the sample of a line */
#define GAP 6.0   /* between sample and name */
#define PAD 8.0   /* around a box, and from the border of the panel */
#define CLEAR 3.0 /* kept free between a box and a curve */

typedef struct rectangle {
    double x1, y1, x2, y2;
} rectangle;

/* Whether the segment p q meets the rectangle: the part t0..t1 of it inside each slab. */
static bool meets(rectangle r, dry_plot__point p, dry_plot__point q) {
    double from[2] = {p.x, p.y}, to[2] = {q.x, q.y};
    double low[2] = {r.x1, r.y1}, high[2] = {r.x2, r.y2}, t0 = 0.0, t1 = 1.0;
    for (int i = 0; i < 2; i++) {
        double d = to[i] - from[i];
        if (d == 0.0) {
            if (from[i] < low[i] || from[i] > high[i]) return false;
            continue;
        }
        double a = (low[i] - from[i]) / d, b = (high[i] - from[i]) / d;
        t0 = fmax(t0, fmin(a, b));
        t1 = fmin(t1, fmax(a, b));
    }
    return t0 <= t1;
}

static bool free_of(rectangle r, const dry_plot__item *lines, size_t n,
                    const dry_plot__point *points) {
    for (size_t i = 0; i < n; i++) {
        const dry_plot__point *p = points + lines[i].first;
        if (lines[i].n == 1 && meets(r, p[0], p[0])) return false;
        for (size_t k = 1; k < lines[i].n; k++)
            if (meets(r, p[k - 1], p[k])) return false;
    }
    return true;
}

/* Tries corners, then the middles of the upper and lower border. */
static bool place_inside(dry_plot__legend *g, const dry_plot__item *lines, size_t n,
                         const dry_plot__point *points, double w, double h) {
    static const double spot[][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {0.5, 0}, {0.5, 1}};
    if (g->w + 2 * PAD > 0.6 * w || g->h + 2 * PAD > 0.6 * h) return false;
    for (size_t i = 0; i < sizeof spot / sizeof *spot; i++) {
        g->x = round(PAD + spot[i][0] * (w - 2 * PAD - g->w));
        g->y = round(PAD + spot[i][1] * (h - 2 * PAD - g->h));
        rectangle r = {g->x - CLEAR, g->y - CLEAR, g->x + g->w + CLEAR, g->y + g->h + CLEAR};
        if (free_of(r, lines, n, points)) return true;
    }
    return false;
}

static void place_above(dry_plot__legend *g, double w) {
    g->above = true;
    g->per_row = (int)fmax(1.0, floor((w + 2 * PAD) / (g->cell + 2 * PAD)));
    int rows = (g->n + g->per_row - 1) / g->per_row;
    g->per_row = (g->n + rows - 1) / rows;
    g->cell += 2 * PAD;
    g->x = 0.0;
    g->w = w;
    g->h = rows * DRY_PLOT__LEGEND_ROW;
    g->y = -g->h - 4.0;
}

static void add_entry(dry_plot__legend *g, const char *text, double most, dry_arena *arena) {
    const char *label = dry_plot__elide(arena, text, most, dry_plot__text_width);
    g->label[g->n++] = label ? label : "";
}

/* The curves, with the side of their ordinate if there are two, then the bands. */
static void add_entries(dry_plot__legend *g, const dry_plot__view *view, double most,
                        dry_arena *arena) {
    for (int c = 0; c < view->n; c++) {
        const dry_plot__curve *curve = &view->curve[c];
        const char *text =
            curve->beside ? dry_plot__print(arena, "%s (right)", curve->label) : curve->label;
        add_entry(g, text ? text : "", most, arena);
    }
    g->n_curves = view->n;
    for (int b = 0; b < view->n_bands; b++) add_entry(g, view->bands[b].label, most, arena);
}

void dry_plot__legend_place(dry_plot__legend *g, const dry_plot__view *view,
                            const dry_plot__item *lines, size_t n_lines,
                            const dry_plot__point *points, double w, double h, dry_arena *arena) {
    *g = (dry_plot__legend){.per_row = 1, .marked = view->marks > 0};
    if (view->n + view->n_bands < 2) return;
    double widest = 0.0;
    add_entries(g, view, 0.6 * w / DRY_PLOT__FONT, arena);
    for (int i = 0; i < g->n; i++) widest = fmax(widest, dry_plot__text_width(g->label[i]));
    g->cell = MARK + GAP + widest * DRY_PLOT__FONT * DRY_PLOT__SPARE;
    g->w = ceil(g->cell + 2 * PAD);
    g->h = g->n * DRY_PLOT__LEGEND_ROW + PAD;
    if (!place_inside(g, lines, n_lines, points, w, h)) place_above(g, w);
}

/* The sample of a curve, or of a band. */
static void draw_sample(const dry_plot__legend *g, int i, dry_plot__scene *scene, double x,
                        double y) {
    if (i >= g->n_curves) {
        const dry_plot__style band = {.role = "legend", .ink = scene->theme->band[i - g->n_curves]};
        dry_plot__scene_box(scene, band, x, y - 5.0, MARK, 10.0);
        return;
    }
    dry_plot__style line = dry_plot__curve_style(scene->theme, i);
    line.role = "legend";
    line.size = 2.0;
    dry_plot__scene_segment(scene, line, x, y, x + MARK, y);
    if (g->marked) dry_plot__mark_draw(scene, i, x + 0.5 * MARK, y);
}

static void draw_entry(const dry_plot__legend *g, int i, dry_plot__scene *scene, double x,
                       double y) {
    dry_plot__style name = {.role = "legend", .ink = scene->theme->ink, .size = DRY_PLOT__FONT};
    draw_sample(g, i, scene, x, y);
    dry_plot__scene_text(scene, name, x + MARK + GAP, y + 0.35 * DRY_PLOT__FONT, g->label[i]);
}

static void draw_border(const dry_plot__legend *g, dry_plot__scene *scene, double x, double y) {
    dry_plot__style border = {.role = "legend", .ink = scene->theme->grid};
    dry_plot__style ground = {.role = "legend", .ink = scene->theme->ground};
    dry_plot__scene_box(scene, border, x, y, g->w, g->h);
    dry_plot__scene_box(scene, ground, x + 1.0, y + 1.0, g->w - 2.0, g->h - 2.0);
}

void dry_plot__legend_draw(const dry_plot__legend *g, dry_plot__scene *scene, double x, double y) {
    double inset = g->above ? 0.0 : PAD, top = g->above ? 0.0 : 0.5 * PAD;
    if (g->n > 0 && !g->above) draw_border(g, scene, x + g->x, y + g->y);
    for (int i = 0; i < g->n; i++)
        draw_entry(g, i, scene, x + g->x + inset + (i % g->per_row) * g->cell,
                   y + g->y + top + (0.5 + i / g->per_row) * DRY_PLOT__LEGEND_ROW);
}
