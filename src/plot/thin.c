/* Thinning: from all rows of a curve to the points that can be seen.
 *
 * Two sieves in a row. The first keeps, of each half pixel column of a sorted abscissa, the first,
 * lowest, highest and last point, so that no spike is lost; where the abscissa turns back it drops
 * points near the one before. The second drops what lies on a straight line: from the anchor it
 * keeps the cone of directions that pass all dropped points within a tolerance. */
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
    dry_plot__point anchor, last;
    bool anchored, waiting;
    double low, high; /* the cone: directions relative to `axis` */
    double axis;
    /* columns */
    bool open;
    double column;
    dry_plot__point start, lowest, highest, end;
    size_t at, at_lowest, at_highest; /* order within the column */
} sieve;

/* ---- second sieve: straight lines ---------------------------------------------------------- */

static double turn(double angle) { return remainder(angle, 2.0 * acos(-1.0)); }

static void keep(sieve *s, dry_plot__point p) {
    dry_plot__points_add(s->points, p.x, p.y);
    s->anchor = p;
    s->anchored = true;
    s->waiting = false;
}

/* Narrows the cone to the directions that pass p within the tolerance. */
static void narrow(sieve *s, dry_plot__point p) {
    double dx = p.x - s->anchor.x, dy = p.y - s->anchor.y, d = hypot(dx, dy);
    double open = d > STRAIGHT ? asin(STRAIGHT / d) : 1.6;
    double angle = atan2(dy, dx);
    if (!s->waiting) {
        s->axis = angle;
        s->low = -open;
        s->high = open;
    } else {
        double off = turn(angle - s->axis);
        s->low = fmax(s->low, off - open);
        s->high = fmin(s->high, off + open);
    }
    s->last = p;
    s->waiting = true;
}

/* Whether a line from the anchor to p passes the dropped points, and p is not nearer than them. */
static bool in_line(const sieve *s, dry_plot__point p) {
    double dx = p.x - s->anchor.x, dy = p.y - s->anchor.y;
    double lx = s->last.x - s->anchor.x, ly = s->last.y - s->anchor.y;
    double off = turn(atan2(dy, dx) - s->axis);
    return off >= s->low && off <= s->high && dx * lx + dy * ly >= lx * lx + ly * ly;
}

static void straight(sieve *s, dry_plot__point p) {
    if (!s->anchored) {
        keep(s, p);
        return;
    }
    if (s->waiting && !in_line(s, p)) keep(s, s->last);
    if (p.x != s->anchor.x || p.y != s->anchor.y) narrow(s, p);
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
    if (s->waiting) keep(s, s->last);
    if (s->points->n > s->first) s->run(s->user, s->first, s->points->n - s->first);
    s->first = s->points->n;
    s->anchored = s->waiting = false;
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
