/* repeats: the period of a curve, and what of residuals comes back with it.
 *
 * The difference function d(L) = mean (y[i + L] - y[i])^2 / (2 var y) is 0 at each period of a
 * curve without noise. The first minimum below a tenth is the period (de Cheveigne and Kawahara
 * 2002), refined by a parabola. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static const double LOW = 0.1, HIGH = 0.5;
enum { COARSE = 4000, CYCLES = 3 };

static double variance(const double *y, size_t n, size_t stride) {
    double mean = 0.0, sum = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < n; i += stride, count++) mean += y[i];
    mean /= (double)count;
    for (size_t i = 0; i < n; i += stride) sum += (y[i] - mean) * (y[i] - mean);
    return sum / (double)count;
}

static double difference(const double *y, size_t n, size_t stride, size_t lag, double var) {
    double sum = 0.0;
    size_t count = 0;
    for (size_t i = 0; i + lag < n; i += stride, count++)
        sum += (y[i + lag] - y[i]) * (y[i + lag] - y[i]);
    return count ? sum / (2.0 * var * (double)count) : 1.0;
}

/* The lag of least difference between two lags. */
static size_t least_between(const double *y, size_t n, size_t from, size_t to, double var) {
    const size_t stride = n / COARSE + 1;
    size_t best = from;
    double least = INFINITY;
    for (size_t lag = from; lag <= to; lag++) {
        const double d = difference(y, n, stride, lag, var);
        if (d < least) least = d, best = lag;
    }
    return best;
}

/* The first coarse lag at which the difference, once it has risen, is a minimum below LOW. */
static size_t first_minimum(const double *y, size_t n, size_t stride, double var) {
    double before = 0.0, now = 0.0;
    bool risen = false;
    for (size_t lag = stride; lag <= n / CYCLES + stride; lag += stride) {
        const double next = difference(y, n, stride, lag, var);
        risen = risen || next > HIGH;
        if (risen && lag > 2 * stride && now < LOW && now <= before && now < next)
            return lag - stride;
        before = now;
        now = next;
    }
    return 0;
}

/* Where the parabola through three neighbours has its minimum. */
static double vertex(double before, double at, double after) {
    const double bend = before - 2.0 * at + after;
    return bend > 0.0 ? 0.5 * (before - after) / bend : 0.0;
}

double dry_fit__period(const double *y, size_t n) {
    const size_t stride = n / COARSE + 1;
    if (n < 3 * CYCLES) return 0.0;
    const double var = variance(y, n, 1);
    if (!(var > 0.0) || !isfinite(var)) return 0.0;
    const size_t coarse = first_minimum(y, n, stride, var);
    if (!coarse) return 0.0;
    const size_t lag =
        least_between(y, n, coarse > stride ? coarse - stride : 1, coarse + stride, var);
    const double period = (double)lag + vertex(difference(y, n, stride, lag - 1, var),
                                               difference(y, n, stride, lag, var),
                                               difference(y, n, stride, lag + 1, var));
    return CYCLES * period <= (double)n ? period : 0.0;
}

static double between(const double *y, size_t i, double part) {
    return y[i] + part * (part > 0.0 ? y[i + 1] - y[i] : 0.0);
}

dry_fit__repetition dry_fit__repeat(const double *e, size_t n, double period) {
    const size_t whole = (size_t)period;
    const double part = period - (double)whole;
    double fresh = 0.0, across = 0.0, along = 0.0, ahead = 0.0;
    dry_fit__repetition r = {0};
    for (size_t i = 0; i + whole + 1 < n; i++) {
        const double later = between(e, i + whole, part);
        fresh += (later - e[i]) * (later - e[i]);
        across += e[i] * later;
        along += e[i] * e[i];
        ahead += later * later;
        r.n++;
    }
    if (!r.n) return r;
    r.fresh = 0.5 * fresh / (double)r.n;
    r.shared = along > 0.0 && ahead > 0.0 ? across / sqrt(along * ahead) : 0.0;
    return r;
}
