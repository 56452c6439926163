/* Intervals of numbers.
 *
 * The bounds enclose what the program computes, not the exact values. + - * / sqrt are monotonic
 * even after rounding, so that the operation on the ends needs no widening and 0 stays 0. Other
 * functions of the C library are widened by a few units in the last place. Infinite ends stand for
 * finite values of any size: 0 times an infinite end is 0. */
#ifndef DRY_GRAPH_SPAN_H
#define DRY_GRAPH_SPAN_H

#include "dag.h"
#include <float.h>
#include <math.h>

typedef dry_interval span;

static const span whole = {-(double)INFINITY, (double)INFINITY};

static inline double low_of(double a, double b) { return a < b ? a : b; }
static inline double high_of(double a, double b) { return a > b ? a : b; }

/* If either end is NaN, nothing is known. */
static inline span between(double low, double high) {
    return low <= high ? (span){low, high} : whole;
}

static inline span hull(span a, span b) {
    return (span){low_of(a.low, b.low), high_of(a.high, b.high)};
}

static inline span clip(span a, double low, double high) {
    return between(high_of(a.low, low), low_of(a.high, high));
}

static inline span turned(span a) { return (span){-a.high, -a.low}; }

/* Allows for the error of a library function. Such a function keeps the sign, so that an end at 0
 * stays 0. */
static inline double margin(double end) {
    return end == 0.0 ? 0.0 : 8.0 * DBL_EPSILON * fabs(end) + DBL_MIN;
}

static inline span widen(span a) { return between(a.low - margin(a.low), a.high + margin(a.high)); }

static inline bool holds(span a, double x) { return a.low <= x && x <= a.high; }
static inline bool is_zero(span a) { return a.low == 0.0 && a.high == 0.0; }

#endif
