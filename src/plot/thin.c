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

/* ---- from data to pixels, within the frame --------------------------------------------------- */

static bool has_place(const dry_plot__axis *axis, double value) {
    return dry_plot__drawable(value) && !(axis->log && value <= 0.0);
}

bool dry_plot__place(const dry_plot__frame *f, double x, double y, dry_plot__point *place) {
    if (!has_place(f->x, x) || !has_place(f->y, y)) return false;
    *place = (dry_plot__point){f->x0 + f->w * dry_plot__axis_at(f->x, x),
                               f->y0 + f->h * (1.0 - dry_plot__axis_at(f->y, y))};
    return true;
}

#define SLACK 1e-6 /* pixels beyond the border that still belong to it */

bool dry_plot__inside(const dry_plot__frame *f, dry_plot__point p) {
    return p.x >= f->x0 - SLACK && p.x <= f->x0 + f->w + SLACK && p.y >= f->y0 - SLACK &&
           p.y <= f->y0 + f->h + SLACK;
}

/* Narrows the part t0..t1 of a segment to that between low and high; false if none is left. */
static bool narrow(double from, double d, double low, double high, double *t0, double *t1) {
    if (d == 0.0) return from >= low && from <= high;
    const double a = (low - from) / d, b = (high - from) / d;
    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
    return *t0 <= *t1;
}

/* Cuts the segment p q to the frame; false if it lies outside. */
static bool clip(const dry_plot__frame *f, dry_plot__point *p, dry_plot__point *q) {
    const dry_plot__point from = *p, d = {q->x - p->x, q->y - p->y};
    double t0 = 0.0, t1 = 1.0;
    if (!narrow(from.x, d.x, f->x0, f->x0 + f->w, &t0, &t1)) return false;
    if (!narrow(from.y, d.y, f->y0, f->y0 + f->h, &t0, &t1)) return false;
    *p = (dry_plot__point){from.x + t0 * d.x, from.y + t0 * d.y};
    *q = (dry_plot__point){from.x + t1 * d.x, from.y + t1 * d.y};
    return true;
}

/* A curve on its way through the frame. */
typedef struct walk {
    sieve *s;
    const dry_plot__frame *frame;
    void (*take)(sieve *, dry_plot__point, bool gap);
    dry_plot__point last;
    bool begun, inside; /* there is a last point; it was inside */
} walk;

static void go_to(walk *w, dry_plot__point p) {
    const bool inside = dry_plot__inside(w->frame, p);
    dry_plot__point from = w->last, to = p;
    if (w->begun && (!inside || !w->inside) && clip(w->frame, &from, &to)) {
        if (!w->inside) w->take(w->s, from, true);
        if (!inside) w->take(w->s, to, false);
    }
    if (inside) w->take(w->s, p, !w->begun);
    w->last = p;
    w->begun = true;
    w->inside = inside;
}

void dry_plot__thin(const dry_plot__curve *curve, bool sorted, const dry_plot__frame *frame,
                    dry_plot__points *points, dry_plot__run run, void *user) {
    sieve s = {.points = points, .run = run, .user = user, .first = points->n};
    walk w = {&s, frame, sorted ? sorted_point : turning_point, {0.0, 0.0}, false, false};
    for (size_t i = 0; i < curve->n; i++) {
        dry_plot__point p;
        if (dry_plot__place(frame, curve->x[i], curve->y[i], &p))
            go_to(&w, p);
        else
            w.begun = false;
    }
    close_run(&s);
}
