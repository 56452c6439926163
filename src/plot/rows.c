/* Rows of curves in a plane that are needed to draw them: what is near the row before, or on a
 * straight line with those around it in every curve, is left out. */
#include "internal.h"

#include <math.h>

typedef struct sieve {
    const dry_plot_plane *plane;
    double tolerance; /* pixels */
    dry_plot__cone cone[DRY_PLOT_CURVES];
    unsigned there; /* the curves that have a point in this stretch */
    size_t held;    /* the last row that the cones have seen */
    size_t *rows, n;
} sieve;

static dry_plot__point place(const sieve *s, int curve, size_t row) {
    const dry_plot_plane *plane = s->plane;
    return (dry_plot__point){plane->x_scale * plane->x[row], plane->y_scale * plane->y[curve][row]};
}

static unsigned find_points(const sieve *s, size_t row, dry_plot__point *p) {
    unsigned there = 0;
    for (int k = 0; k < s->plane->n; k++) {
        p[k] = place(s, k, row);
        if (isfinite(p[k].x) && isfinite(p[k].y)) there |= 1u << k;
    }
    return there;
}

static bool has_point(const sieve *s, int curve) { return s->there >> curve & 1u; }

static bool is_near(const sieve *s, const dry_plot__point *p) {
    for (int k = 0; k < s->plane->n; k++) {
        const dry_plot__point last = s->cone[k].last;
        if (has_point(s, k) &&
            !(fabs(p[k].x - last.x) < s->tolerance && fabs(p[k].y - last.y) < s->tolerance))
            return false;
    }
    return true;
}

static bool is_straight(const sieve *s, const dry_plot__point *p) {
    for (int k = 0; k < s->plane->n; k++)
        if (has_point(s, k) && !dry_plot__cone_takes(&s->cone[k], p[k])) return false;
    return true;
}

static void keep(sieve *s, size_t row) {
    if (s->n == 0 || s->rows[s->n - 1] != row) s->rows[s->n++] = row;
}

/* A curve begins or ends: nothing is straight across. */
static void begin_stretch(sieve *s, size_t row, unsigned there, const dry_plot__point *p) {
    if (s->n) keep(s, s->held);
    keep(s, row);
    s->there = there;
    s->held = row;
    for (int k = 0; k < s->plane->n; k++) dry_plot__cone_start(&s->cone[k], p[k]);
}

static void go_on(sieve *s, size_t row, const dry_plot__point *p) {
    if (is_near(s, p)) return;
    if (!is_straight(s, p)) {
        keep(s, s->held);
        for (int k = 0; k < s->plane->n; k++) dry_plot__cone_start(&s->cone[k], s->cone[k].last);
    }
    for (int k = 0; k < s->plane->n; k++)
        if (has_point(s, k)) dry_plot__cone_narrow(&s->cone[k], p[k], s->tolerance);
    s->held = row;
}

size_t dry_plot_rows(const dry_plot_plane *plane, double tolerance, size_t *rows, size_t n) {
    sieve s = {.plane = plane, .tolerance = tolerance, .rows = rows};
    for (size_t i = 0; i < n; i++) {
        const size_t row = rows[i]; /* read before it is written over: s.n <= i */
        dry_plot__point p[DRY_PLOT_CURVES];
        const unsigned there = find_points(&s, row, p);
        if (i == 0 || there != s.there)
            begin_stretch(&s, row, there, p);
        else
            go_on(&s, row, p);
        if (i + 1 == n) {
            keep(&s, s.held);
            keep(&s, row);
        }
    }
    return s.n;
}
