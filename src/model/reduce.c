/* reduce: one number from a column over time, as its samples come: final, at, max, min, mean, rms,
 * integral, first, last, count.
 *
 * first, last and count look at a condition within a span: at the samples in it, and at the ends of
 * the span if they lie between samples. A column of differences is linear between samples, because
 * its zero is located this way. A truth value lasts until the next sample. */
#include "model_private.h"

#include <math.h>

typedef dry_model__reduction reduction;
typedef dry_model__instant instant;

/* Returns the accuracy of a time. */
static double slack(double t) { return 1e-9 * (fabs(t) + 1e-300); }
static bool is_before(double a, double b) { return a < b - slack(b); }

void dry_model__reduce_begin(reduction *r, const dry_reducer *what, const double *from,
                             const double *to) {
    *r = (reduction){.kind = what->kind,
                     .differs = what->crossing,
                     .has_from = from != NULL,
                     .has_to = to != NULL,
                     .from = from ? *from : -(double)INFINITY,
                     .to = to ? *to : (double)INFINITY,
                     .found = (double)NAN};
    dry_record_sums_begin(&r->sums, r->from, r->to);
}

/* ---- a condition ------------------------------------------------------------------------ */

/* Returns true if a difference is positive, or if a truth value is not zero. */
static bool holds(const reduction *r, instant p) { return r->differs ? p.y > 0.0 : p.y != 0.0; }

static double change_time(const reduction *r, instant a, instant b) {
    if (!r->differs || a.y == b.y || !isfinite(a.y) || !isfinite(b.y)) return b.t;
    return a.t + (b.t - a.t) * a.y / (a.y - b.y);
}

static void take_first(reduction *r, instant p, bool now) {
    if (now && r->n_true == 0) r->found = r->n_points ? change_time(r, r->point, p) : p.t;
}

/* While the condition holds, the last time is that of the last point. */
static void take_last(reduction *r, instant p, bool now) {
    if (now)
        r->found = p.t;
    else if (r->held)
        r->found = change_time(r, r->point, p);
}

/* Counts how often the condition becomes true; true at the beginning counts once. */
static void add_point(reduction *r, instant p) {
    const bool now = holds(r, p);
    (r->kind == DRY_FIRST ? take_first : take_last)(r, p, now);
    r->n_true += now && !r->held;
    r->held = now;
    r->point = p;
    r->n_points++;
}

/* Returns the instant between two samples. A difference within the slack of zero counts as zero,
 * because the end may be the time of a zero that another measure found. */
static instant between(const reduction *r, instant a, instant b, double t) {
    const double dt = b.t - a.t, w = (t - a.t) / dt, y = (1.0 - w) * a.y + w * b.y;
    if (!r->differs) return (instant){t, a.y};
    return (instant){t, fabs(y) <= fabs(b.y - a.y) * slack(t) / dt ? 0.0 : y};
}

static void add_to_condition(reduction *r, instant p) {
    if (r->ended || is_before(p.t, r->from)) return;
    if (!r->begun && r->n > 0 && r->has_from && is_before(r->from, p.t))
        add_point(r, between(r, r->last, p, r->from));
    r->begun = true;
    r->ended = r->has_to && is_before(r->to, p.t);
    if (!r->ended)
        add_point(r, p);
    else if (r->n > 0 && is_before(r->last.t, r->to))
        add_point(r, between(r, r->last, p, r->to));
}

/* ---- a value at a time ------------------------------------------------------------------- */

/* Keeps the two samples that the time is between; the last two if it is later. */
static void add_to_pair(reduction *r, instant p) {
    if (r->ended || r->n == 0) return;
    r->pair[0] = r->last;
    r->pair[1] = p;
    r->ended = p.t > r->from;
}

/* Returns y at a time, linear between samples. */
static double value_at(const reduction *r) {
    const double time = r->from;
    if (!(time >= r->t0 - 1e-9 * fabs(r->t0)) || !(time <= r->last.t * (1.0 + 1e-12) + 1e-12))
        return (double)NAN;
    if (r->n == 1) return r->last.y;
    const instant low = r->pair[0], high = r->pair[1];
    const double span = high.t - low.t;
    if (!(span > 0.0)) return high.y;
    const double w = (time - low.t) / span;
    return w >= 1.0 ? high.y : w <= 0.0 ? low.y : (1.0 - w) * low.y + w * high.y;
}

/* ---- any of them ------------------------------------------------------------------------- */

void dry_model__reduce_add(reduction *r, double t, double y) {
    const instant p = {t, y};
    if (r->n == 0) r->t0 = t;
    switch (r->kind) {
    case DRY_FINAL: break;
    case DRY_AT: add_to_pair(r, p); break;
    case DRY_FIRST:
    case DRY_LAST:
    case DRY_COUNT_OF: add_to_condition(r, p); break;
    default: dry_record_sums_add(&r->sums, t, y);
    }
    r->last = p;
    r->n++;
}

static double statistic(reduction *r) {
    dry_record_stats stats;
    if (dry_record_sums_end(&r->sums, &stats) != DRY_OK) return (double)NAN;
    switch (r->kind) {
    case DRY_MAX_OF: return stats.max;
    case DRY_MIN_OF: return stats.min;
    case DRY_MEAN: return stats.mean;
    case DRY_RMS: return stats.rms;
    case DRY_INTEGRAL: return stats.integral;
    default: return stats.last;
    }
}

/* The span has no length, or lies outside of the run. */
static bool is_empty(const reduction *r) {
    return !((r->has_from ? r->from : r->t0) <= (r->has_to ? r->to : r->last.t));
}

double dry_model__reduce_end(reduction *r) {
    if (r->n == 0) return (double)NAN;
    const bool none = is_empty(r);
    switch (r->kind) {
    case DRY_FINAL: return r->last.y;
    case DRY_AT:
        if (!r->has_from) r->from = r->t0;
        return value_at(r);
    case DRY_FIRST:
    case DRY_LAST: return none ? (double)NAN : r->found;
    case DRY_COUNT_OF: return none ? 0.0 : (double)r->n_true;
    default: return none ? (double)NAN : statistic(r);
    }
}
