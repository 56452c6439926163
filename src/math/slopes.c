/* slopes: the slopes at the knots of a table whose curve is cubic between them.
 *
 * At a knot with the distances h, h1 to its neighbours and the slopes s, s1 of the chords to them:
 *
 *     parabola:  m = (h1 s + h s1)/(h + h1)
 *     monotone:  m = (w + w1)/(w/s + w1/s1),  w = 2 h1 + h,  w1 = h1 + 2 h; 0 where it turns */
#include <drystone/math.h>

/* The slope of the parabola through three points at the first of them. */
static double end_slope(double h, double h1, double s, double s1) {
    return ((2.0 * h + h1) * s - h * s1) / (h + h1);
}

/* An end must not turn back, nor overshoot if its neighbour turns. */
static double kept_slope(double h, double h1, double s, double s1) {
    const double m = end_slope(h, h1, s, s1);
    if (dry_sgn(m) != dry_sgn(s)) return 0.0;
    return dry_sgn(s) != dry_sgn(s1) && fabs(m) > 3.0 * fabs(s) ? 3.0 * s : m;
}

static double harmonic(double h, double h1, double s, double s1) {
    const double w = 2.0 * h1 + h, w1 = h1 + 2.0 * h;
    return dry_sgn(s) * dry_sgn(s1) > 0.0 ? (w + w1) / (w / s + w1 / s1) : 0.0;
}

static double parabola(double h, double h1, double s, double s1) {
    return (h1 * s + h * s1) / (h + h1);
}

typedef double slope_fn(double h, double h1, double s, double s1);

static void slopes(int n, const double *x, const double *y, double *slope, slope_fn *inner,
                   slope_fn *end) {
    double h = x[1] - x[0], s = (y[1] - y[0]) / h;
    slope[0] = slope[n - 1] = s;
    for (int i = 1; i < n - 1; i++) {
        const double h1 = x[i + 1] - x[i], s1 = (y[i + 1] - y[i]) / h1;
        if (i == 1) slope[0] = end(h, h1, s, s1);
        if (i == n - 2) slope[n - 1] = end(h1, h, s1, s);
        slope[i] = inner(h, h1, s, s1);
        h = h1;
        s = s1;
    }
}

void dry_table_monotone(int n, const double *x, const double *y, double *slope) {
    slopes(n, x, y, slope, harmonic, kept_slope);
}

void dry_table_smooth(int n, const double *x, const double *y, double *slope) {
    slopes(n, x, y, slope, parabola, end_slope);
}
