/* bounds: one-sided intervals of parameters that ended at a bound.
 *
 * Of one such parameter, with the others at bounds held, the linear model has the column a. With
 * the part of it that the free columns A have not, a_ = a - A H^-1 A'a, the parameter without its
 * bound would be the bound plus
 *
 *     -a_'e/(a_'a_),   with the variance of that sum over the noise
 *
 * x: that in deviations, inwards. A true value m deviations inwards of the bound is inside the
 * interval if the likelihood of x there, over that of the best value within the bound, is not among
 * the 5 % least (Feldman and Cousins 1998). For x <= 0, the end m of the interval solves
 *
 *     Phi(sqrt(m^2 - 2 x m)) - Phi(x - m) = 0.95
 *
 * so m = 1.96 at x = 0, where it meets the interval of a parameter just inside of its bound, and
 * the interval is never empty. One that took a one-sided limit at a bound and a two-sided one
 * inside would hold the truth less often than it says. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static const double NORMAL = 1.9599639845400542; /* 95 % of a normal variable are within */
static const double SEEN = 1e-12; /* of a'a: below, a is a combination of the free columns */

static double phi(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

/* The end m of the interval. */
static double reach_of(double x) {
    double low = 0.0, high = NORMAL;
    if (x >= 0.0) return x + NORMAL;
    for (int i = 0; i < 60; i++) {
        const double m = 0.5 * (low + high);
        if (phi(sqrt(m * m - 2.0 * x * m)) - phi(x - m) < 0.95)
            low = m;
        else
            high = m;
    }
    return high;
}

/* The column of a parameter. */
static void put_column(const dry_fit__rows *w, int p, double *a) {
    const dry_fit_result *r = w->result;
    for (int k = 0; k < w->n_spans; k++) {
        const dry_fit__span *s = &w->spans[k];
        const dry_fit_output *o = &r->outputs[s->output];
        for (size_t at = s->first; at < s->first + s->n; at++)
            a[at] =
                o->weight / o->scale * o->jacobian[w->at[at] * (size_t)r->n_parameters + (size_t)p];
    }
}

/* x'x over the rows within Huber's limit. */
static double square(const dry_fit__rows *w, const double *x) {
    double sum = 0.0;
    for (size_t at = 0; at < w->rows; at++) sum += w->beyond[at] ? 0.0 : x[at] * x[at];
    return sum;
}

/* a without what the free columns have of it. */
static void take_away(const dry_fit__rows *w, double *a, double *spare) {
    const size_t n = (size_t)w->n;
    double *along = spare, *part = spare + n;
    for (size_t j = 0; j < n; j++) along[j] = part[j] = 0.0;
    for (size_t at = 0; at < w->rows; at++)
        for (size_t j = 0; !w->beyond[at] && j < n; j++) along[j] += w->A[at * n + j] * a[at];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) part[i] += w->H[i * n + j] * along[j];
    for (size_t at = 0; at < w->rows; at++)
        for (size_t j = 0; j < n; j++) a[at] -= w->A[at * n + j] * part[j];
}

/* From the bound inwards; log: by factors. */
static void put_interval(dry_fit_parameter *p, double reach) {
    const double inwards = p->at_low ? reach : -reach;
    const double end =
        p->log && p->value > 0.0 ? p->value * exp(inwards / p->value) : p->value + inwards;
    p->interval[0] = p->at_low ? p->low : fmax(end, p->low);
    p->interval[1] = p->at_low ? fmin(end, p->high) : p->high;
}

/* Student's t takes the place of the normal distribution by its width. */
static bool bound_one(dry_fit__rows *w, dry_fit_parameter *p, double *a, double *spare) {
    const double whole = square(w, a);
    double step = 0.0, degrees = 1.0;
    take_away(w, a, spare);
    const double own = square(w, a);
    if (!(own > SEEN * whole)) {
        p->interval[0] = p->low, p->interval[1] = p->high;
        return true;
    }
    for (size_t at = 0; at < w->rows; at++) {
        a[at] /= own;
        step -= a[at] * w->e[at];
    }
    const double variance = dry_fit__variance_of(w, a, &degrees);
    const double deviation = sqrt(variance) * dry_fit__student(degrees, 0.95) / NORMAL;
    if (isnan(variance)) return false;
    if (!(deviation > 0.0)) return true;
    const double x = (p->at_low ? step : -step) / deviation;
    p->beyond = -x;
    put_interval(p, deviation * reach_of(x));
    return true;
}

bool dry_fit__bound(dry_fit__rows *w) {
    double *a = malloc(sizeof *a * (w->rows + 1));
    double *spare = malloc(sizeof *spare * (2 * (size_t)w->n + 1));
    bool room = a && spare;
    for (int i = 0; room && i < w->result->n_parameters; i++) {
        dry_fit_parameter *p = &w->result->parameters[i];
        if (p->no_effect || !(p->at_low || p->at_high)) continue;
        put_column(w, i, a);
        room = bound_one(w, p, a, spare);
    }
    free(a);
    free(spare);
    return room;
}
