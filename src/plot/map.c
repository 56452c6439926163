/* The map: three columns as cells over the grid of the first two, and their colours.
 *
 * A cell reaches half way to its neighbours; on a logarithmic axis that is the geometric mean. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the grid ------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The drawable values of a column, each once, in order; `values` has room for n. */
static int distinct(const double *column, size_t n, bool log_axis, double *values) {
    size_t kept = 0;
    int count = 0;
    for (size_t i = 0; i < n; i++)
        if (dry_plot__drawable(column[i]) && !(log_axis && column[i] <= 0.0))
            values[kept++] = column[i];
    qsort(values, kept, sizeof *values, ascending);
    for (size_t i = 0; i < kept; i++)
        if (!count || values[i] != values[count - 1]) values[count++] = values[i];
    return count;
}

static int find(const double *values, int n, double x) {
    const double *at = bsearch(&x, values, (size_t)n, sizeof *values, ascending);
    return at ? (int)(at - values) : -1;
}

/* n + 1 borders around n values. */
static void borders(const double *values, int n, bool log_axis, double *edge) {
    if (n == 1) {
        edge[0] = log_axis ? values[0] / 1.5 : values[0] - fmax(0.5 * fabs(values[0]), 0.5);
        edge[1] = log_axis ? values[0] * 1.5 : values[0] + fmax(0.5 * fabs(values[0]), 0.5);
        return;
    }
    for (int i = 1; i < n; i++)
        edge[i] = log_axis ? sqrt(values[i - 1]) * sqrt(values[i])
                           : 0.5 * values[i - 1] + 0.5 * values[i];
    edge[0] = log_axis ? values[0] * (values[0] / edge[1]) : values[0] - (edge[1] - values[0]);
    edge[n] = log_axis ? values[n - 1] * (values[n - 1] / edge[n - 1])
                       : values[n - 1] + (values[n - 1] - edge[n - 1]);
}

static void fill(dry_plot__map *map, const double *xs, const double *ys, const double *x,
                 const double *y, const double *z, size_t n) {
    for (int i = 0; i < map->nx * map->ny; i++) map->z[i] = (double)NAN;
    for (size_t k = 0; k < n; k++) {
        const int i = find(xs, map->nx, x[k]), j = find(ys, map->ny, y[k]);
        if (i >= 0 && j >= 0) map->z[j * map->nx + i] = z[k];
    }
    map->range = dry_plot__range_of(map->z, (size_t)map->nx * (size_t)map->ny);
}

enum { MOST_CELLS = 1 << 26 };

dry_plot__map *dry_plot__map_make(dry_arena *arena, const double *x, const double *y,
                                  const double *z, size_t n, bool x_log, bool y_log) {
    dry_plot__map *map = dry_arena_take(arena, sizeof *map);
    double *xs = dry_arena_take(arena, (n + 1) * sizeof *xs);
    double *ys = dry_arena_take(arena, (n + 1) * sizeof *ys);
    if (!map || !xs || !ys) return NULL;
    map->nx = distinct(x, n, x_log, xs);
    map->ny = distinct(y, n, y_log, ys);
    if (map->nx == 0) map->nx = 1, xs[0] = 1.0; /* nothing to draw: one empty cell */
    if (map->ny == 0) map->ny = 1, ys[0] = 1.0;
    if (map->nx > MOST_CELLS / map->ny) return NULL;
    map->x = dry_arena_take(arena, (size_t)(map->nx + 1) * sizeof *map->x);
    map->y = dry_arena_take(arena, (size_t)(map->ny + 1) * sizeof *map->y);
    map->z = dry_arena_take(arena, (size_t)map->nx * (size_t)map->ny * sizeof *map->z);
    if (!map->x || !map->y || !map->z) return NULL;
    borders(xs, map->nx, x_log, map->x);
    borders(ys, map->ny, y_log, map->y);
    fill(map, xs, ys, x, y, z, n);
    return map;
}

/* ---- colours ------------------------------------------------------------------------------- */

enum { LEVELS = 64 };

/* viridis (Smith and van der Walt): as light as it is large, also for colour-blind readers and in
 * print without colour. */
static uint32_t colour_of(int level) {
    static const uint32_t shade[] = {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                     0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
    enum { LAST = sizeof shade / sizeof *shade - 1 };
    const int at = level * LAST / (LEVELS - 1), next = at < LAST ? at + 1 : at;
    const double part = (double)level * LAST / (LEVELS - 1) - at;
    uint32_t rgb = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double a = shade[at] >> shift & 255u, b = shade[next] >> shift & 255u;
        rgb |= (uint32_t)lround(a + part * (b - a)) << shift;
    }
    return rgb;
}

/* -1: no number. */
static int level_of(const dry_plot__axis *axis, double z) {
    if (!dry_plot__drawable(z)) return -1;
    const double part = dry_plot__axis_at(axis, z);
    const int level = (int)(part * LEVELS);
    return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
}

static dry_plot__style cell_style(int level) {
    return (dry_plot__style){.role = "cell", .ink = colour_of(level)};
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The cells of one row that have a level, neighbours as one box. Borders lie on whole pixels, so
 * that none shows. */
static void draw_row(const dry_plot__map *map, const dry_plot__frame *f, const int *levels, int j,
                     int level, dry_plot__scene *scene) {
    const double below = round(f->y0 + f->h * (1.0 - dry_plot__axis_at(f->y, map->y[j])));
    const double above = round(f->y0 + f->h * (1.0 - dry_plot__axis_at(f->y, map->y[j + 1])));
    if (below <= above) return; /* thinner than a pixel: a neighbour covers it */
    for (int i = 0, end; i < map->nx; i = end) {
        end = i + 1;
        if (levels[j * map->nx + i] != level) continue;
        while (end < map->nx && levels[j * map->nx + end] == level) end++;
        const double left = round(f->x0 + f->w * dry_plot__axis_at(f->x, map->x[i]));
        const double right = round(f->x0 + f->w * dry_plot__axis_at(f->x, map->x[end]));
        if (right > left)
            dry_plot__scene_box(scene, cell_style(level), left, above, right - left, below - above);
    }
}

void dry_plot__map_draw(const dry_plot__map *map, const dry_plot__frame *frame,
                        dry_plot__scene *scene) {
    const size_t cells = (size_t)map->nx * (size_t)map->ny;
    dry_plot__axis axis;
    int *levels = malloc(cells * sizeof *levels);
    if (!levels) {
        scene->failed = true;
        return;
    }
    dry_plot__axis_make(&axis, map->range, 0.0, 5);
    for (size_t k = 0; k < cells; k++) levels[k] = level_of(&axis, map->z[k]);
    for (int level = 0; level < LEVELS; level++) /* equal colours are one group */
        for (int j = 0; j < map->ny; j++) draw_row(map, frame, levels, j, level, scene);
    free(levels);
}

/* ---- the bar ------------------------------------------------------------------------------- */

#define GAP 14.0   /* between the map and the bar */
#define WIDTH 14.0 /* of the bar */
#define TICK 4.0
#define SMALL 11.0 /* font size of its labels */

static double widest(const dry_plot__axis *axis) {
    double most = 0.0;
    for (int i = 0; i < axis->n; i++) most = fmax(most, dry_plot__text_width(axis->label[i]));
    return ceil(DRY_PLOT__SPARE * SMALL * most);
}

double dry_plot__bar_width(const dry_plot__map *map, const dry_plot__axis *axis) {
    return GAP + WIDTH + TICK + 4.0 + widest(axis) + (*map->title ? DRY_PLOT__FONT + 8.0 : 0.0);
}

void dry_plot__bar_draw(const dry_plot__map *map, const dry_plot__axis *axis, double x, double y,
                        double h, dry_plot__scene *scene) {
    const dry_plot__theme *theme = scene->theme;
    const double left = round(x + GAP), right = left + WIDTH;
    const dry_plot__style line = {.role = "axis", .ink = theme->faint, .size = 1.0};
    const dry_plot__style label = {.role = "tick", .ink = theme->ink, .size = SMALL};
    const dry_plot__style title = {
        .role = "title", .ink = theme->ink, .size = DRY_PLOT__FONT, .anchor = DRY_PLOT__MIDDLE};
    for (int level = 0; level < LEVELS; level++) {
        const double top = round(y + h * (1.0 - (level + 1.0) / LEVELS));
        const double bottom = round(y + h * (1.0 - (double)level / LEVELS));
        if (bottom > top)
            dry_plot__scene_box(scene, cell_style(level), left, top, WIDTH, bottom - top);
    }
    for (int i = 0; i < axis->n; i++) {
        const double at = y + h * (1.0 - dry_plot__axis_at(axis, axis->tick[i]));
        dry_plot__scene_segment(scene, line, right, at, right + TICK, at);
        dry_plot__scene_text(scene, label, right + TICK + 3.0, at + 0.36 * SMALL, axis->label[i]);
    }
    dry_plot__scene_text(scene, label, left, y - 5.0, axis->note);
    dry_plot__scene_upward(scene, title, right + TICK + widest(axis) + DRY_PLOT__FONT + 6.0,
                           y + 0.5 * h, map->title);
}
