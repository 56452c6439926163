/* ink: finds the rows of curves that add something visible, for curves that retrace themselves.
 *
 * The sheet has cells of half a pixel, in which a pen leaves a bit for each curve. If everything
 * drawn for a while lies in cells that are marked already, the pen is lifted. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

#define CELL 0.5  /* pixels */
#define SHORT 8.0 /* cells: the pen is not lifted for less, as a line begins in its own ink */
enum { MOST_CELLS = 4000 };

typedef struct sheet {
    const dry_plot_plane *plane;
    double left, top; /* cells */
    size_t width, height;
    uint16_t *ink; /* bit k: curve k */
} sheet;

typedef struct pen {
    size_t *kept, n, most;
    bool down;
} pen;

typedef struct spot {
    double x, y; /* cells */
} spot;

static spot place(const sheet *s, int curve, size_t row) {
    const dry_plot_plane *p = s->plane;
    return (spot){p->x_scale * p->x[row] / CELL - s->left,
                  p->y_scale * p->y[curve][row] / CELL - s->top};
}

static bool is_there(spot p) { return isfinite(p.x) && isfinite(p.y); }

/* ---- the sheet ----------------------------------------------------------------------------------
 */

/* As large as the curves are, with a margin of two cells. */
static bool measure_sheet(sheet *s, const size_t *rows, size_t n) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < s->plane->n; k++) {
            const spot p = place(s, k, rows[i]);
            if (!is_there(p)) continue;
            low[0] = fmin(low[0], p.x), high[0] = fmax(high[0], p.x);
            low[1] = fmin(low[1], p.y), high[1] = fmax(high[1], p.y);
        }
    const double width = high[0] - low[0], height = high[1] - low[1];
    if (!(width >= 0.0 && width < MOST_CELLS && height < MOST_CELLS)) return false;
    s->left = low[0] - 2.0;
    s->top = low[1] - 2.0;
    s->width = (size_t)width + 5;
    s->height = (size_t)height + 5;
    return true;
}

static uint16_t *cell_at(const sheet *s, spot p) {
    return &s->ink[(size_t)p.y * s->width + (size_t)p.x];
}

/* A line is three cells wide. */
static void mark(const sheet *s, spot p, uint16_t bit) {
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) *cell_at(s, (spot){p.x + dx, p.y + dy}) |= bit;
}

/* Along the line of a curve from row a to row b: draws it, or says whether it has been. */
static bool follow(const sheet *s, int curve, size_t a, size_t b, bool draw) {
    const spot p = place(s, curve, a), q = place(s, curve, b);
    const uint16_t bit = (uint16_t)(1u << curve);
    if (!is_there(p) || !is_there(q)) return true;
    const int steps = (int)fmax(fabs(q.x - p.x), fabs(q.y - p.y)) + 1;
    const double dx = (q.x - p.x) / steps, dy = (q.y - p.y) / steps;
    spot at = p;
    for (int i = 0; i <= steps; i++, at.x += dx, at.y += dy)
        if (draw)
            mark(s, at, bit);
        else if (!(*cell_at(s, at) & bit))
            return false;
    return true;
}

static bool is_inked(const sheet *s, size_t a, size_t b) {
    bool all = true;
    for (int k = 0; k < s->plane->n && all; k++) all = follow(s, k, a, b, false);
    return all;
}

/* In cells, of the longest curve. */
static double length_of(const sheet *s, size_t a, size_t b) {
    double most = 0.0;
    for (int k = 0; k < s->plane->n; k++) {
        const spot p = place(s, k, a), q = place(s, k, b);
        if (is_there(p) && is_there(q)) most = fmax(most, hypot(q.x - p.x, q.y - p.y));
    }
    return most;
}

/* ---- the pen ------------------------------------------------------------------------------------
 */

static void keep(pen *p, size_t row) {
    if (p->n < p->most) p->kept[p->n] = row;
    p->n++;
}

static void draw(const sheet *s, pen *p, size_t a, size_t b) {
    if (!p->down && p->n) keep(p, DRY_REPORT__LIFT);
    if (!p->down) keep(p, a);
    keep(p, b);
    p->down = true;
    for (int k = 0; k < s->plane->n; k++) (void)follow(s, k, a, b, true);
}

/* What has waited, from rows[from] to rows[to]: too short to be left out, or not. */
static void settle(const sheet *s, pen *p, const size_t *rows, size_t from, size_t to,
                   double length) {
    if (from == to) return;
    if (length >= SHORT)
        p->down = false;
    else
        for (size_t i = from; i < to; i++) draw(s, p, rows[i], rows[i + 1]);
}

size_t dry_report__lift(const dry_plot_plane *plane, const size_t *rows, size_t n, size_t most,
                        size_t *kept) {
    sheet s = {.plane = plane};
    pen p = {.kept = kept, .most = most};
    size_t from = 0; /* the row from which on all is inked */
    double length = 0.0;
    if (!measure_sheet(&s, rows, n)) return most + 1;
    s.ink = calloc(s.width * s.height, sizeof *s.ink);
    if (!s.ink) return DRY_REPORT__NO_MEMORY;
    for (size_t i = 0; i + 1 < n && p.n <= most; i++) {
        if (is_inked(&s, rows[i], rows[i + 1])) {
            length += length_of(&s, rows[i], rows[i + 1]);
            continue;
        }
        settle(&s, &p, rows, from, i, length);
        draw(&s, &p, rows[i], rows[i + 1]);
        from = i + 1;
        length = 0.0;
    }
    if (n) settle(&s, &p, rows, from, n - 1, length);
    free(s.ink);
    return p.n;
}
