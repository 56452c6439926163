/* Thinning: from all rows of a curve to the points that can be seen.
 *
 * Two sieves in a row. The first keeps, of each half pixel column of a sorted abscissa, the first,
 * lowest, highest and last point, so that no spike is lost; where the abscissa turns back it drops
 * points near the one before. The second drops what lies on a straight line (cone.c). */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

#define COLUMN 0.5    /* pixels of a column of the first sieve */
#define NEAR 0.25     /* pixels between points that are kept where the abscissa turns */
#define STRAIGHT 0.05 /* pixels beside a line that are not seen */

void dry_plot__points_add(dry_plot__points *points, double x, double y) {
    if (points->failed) return;
    if (points->n == points->room) {
        size_t room = points->room ? 2 * points->room : 256;
        dry_plot__point *at = realloc(points->at, room * sizeof *at);
        if (!at) {
            points->failed = true;
            return;
        }
        points->at = at;
        points->room = room;
    }
    points->at[points->n++] = (dry_plot__point){x, y};
}

typedef struct sieve {
    dry_plot__points *points;
    dry_plot__run run;
    void *user;
    size_t first; /* of this run */
    /* straight lines */
    dry_plot__cone cone;
    bool anchored;
    /* columns */
    bool open;
    double column;
    dry_plot__point start, lowest, highest, end;
    size_t at, at_lowest, at_highest; /* order within the column */
} sieve;

/* ---- second sieve: straight lines ---------------------------------------------------------- */

static void keep(sieve *s, dry_plot__point p) {
    dry_plot__points_add(s->points, p.x, p.y);
    dry_plot__cone_start(&s->cone, p);
    s->anchored = true;
}

static void straight(sieve *s, dry_plot__point p) {
    if (!s->anchored) keep(s, p);
    if (!dry_plot__cone_takes(&s->cone, p)) keep(s, s->cone.last);
    dry_plot__cone_narrow(&s->cone, p, STRAIGHT);
}

/* ---- first sieve: columns ------------------------------------------------------------------ */

static void close_column(sieve *s) {
    if (!s->open) return;
    bool low_first = s->at_lowest < s->at_highest;
    straight(s, s->start);
    straight(s, low_first ? s->lowest : s->highest);
    straight(s, low_first ? s->highest : s->lowest);
    straight(s, s->end);
    s->open = false;
}

static void open_column(sieve *s, dry_plot__point p, double column) {
    s->column = column;
    s->start = s->lowest = s->highest = s->end = p;
    s->at = s->at_lowest = s->at_highest = 0;
    s->open = true;
}

static void in_column(sieve *s, dry_plot__point p) {
    s->at++;
    s->end = p;
    if (p.y < s->lowest.y) {
        s->lowest = p;
        s->at_lowest = s->at;
    }
    if (p.y > s->highest.y) {
        s->highest = p;
        s->at_highest = s->at;
    }
}

static void close_run(sieve *s) {
    close_column(s);
    const dry_plot__point anchor = s->cone.anchor, last = s->cone.last;
    if (s->anchored && (last.x != anchor.x || last.y != anchor.y)) keep(s, last);
    if (s->points->n > s->first) s->run(s->user, s->first, s->points->n - s->first);
    s->first = s->points->n;
    s->anchored = false;
}

/* A gap within one column cannot be seen and does not end the run. */
static void sorted_point(sieve *s, dry_plot__point p, bool gap) {
    double column = floor(p.x / COLUMN);
    if (s->open && column == s->column) {
        in_column(s, p);
        return;
    }
    if (gap)
        close_run(s);
    else
        close_column(s);
    open_column(s, p, column);
}

static void turning_point(sieve *s, dry_plot__point p, bool gap) {
    if (gap) close_run(s);
    bool near = s->anchored && fabs(p.x - s->end.x) < NEAR && fabs(p.y - s->end.y) < NEAR;
    if (near) return;
    s->end = p;
    straight(s, p);
}

static dry_plot__point place(const dry_plot__frame *f, double x, double y) {
    return (dry_plot__point){f->x0 + f->w * dry_plot__axis_at(f->x, x),
                             f->y0 + f->h * (1.0 - dry_plot__axis_at(f->y, y))};
}

static bool has_place(const dry_plot__axis *axis, double value) {
    return dry_plot__drawable(value) && !(axis->log && value <= 0.0);
}

void dry_plot__thin(const dry_plot__curve *curve, bool sorted, const dry_plot__frame *frame,
                    dry_plot__points *points, dry_plot__run run, void *user) {
    sieve s = {.points = points, .run = run, .user = user, .first = points->n};
    bool gap = false;
    for (size_t i = 0; i < curve->n; i++) {
        if (!has_place(frame->x, curve->x[i]) || !has_place(frame->y, curve->y[i])) {
            gap = true;
            continue;
        }
        dry_plot__point p = place(frame, curve->x[i], curve->y[i]);
        (sorted ? sorted_point : turning_point)(&s, p, gap);
        gap = false;
    }
    close_run(&s);
}
