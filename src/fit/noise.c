/* noise: residuals as an autoregressive process, by Burg's recursion.
 *
 *     e[i] + a[1] e[i-1] + ... + a[p] e[i-p] = w[i],  w white
 *
 * Burg (1975) finds the reflections k of each order from the sums over the spans
 *
 *     k = -2 sum f[i] b[i-1] / sum (f[i]^2 + b[i-1]^2),   f += k b,  b += k f
 *
 * of errors forth and back, so the process is always stable. The order is the one with the least
 * n ln(white variance) + p ln n (Schwarz 1978); white residuals have order 0. An autoregressive
 * process of rising order approximates any stationary noise (Berk 1974). */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Errors forth and back of the order so far, row by row. */
typedef struct errors {
    double *forth, *back;
    const dry_fit__span *spans;
    int n;
} errors;

static double reflection(const errors *e, size_t order) {
    double across = 0.0, along = 0.0;
    for (int s = 0; s < e->n; s++) {
        const double *f = e->forth + e->spans[s].first, *b = e->back + e->spans[s].first;
        for (size_t i = order; i < e->spans[s].n; i++) {
            across += f[i] * b[i - 1];
            along += f[i] * f[i] + b[i - 1] * b[i - 1];
        }
    }
    return along > 0.0 ? -2.0 * across / along : 0.0;
}

static void reflect(errors *e, size_t order, double k) {
    for (int s = 0; s < e->n; s++) {
        double *f = e->forth + e->spans[s].first, *b = e->back + e->spans[s].first;
        for (size_t i = e->spans[s].n; i-- > order;) {
            const double forth = f[i], back = b[i - 1];
            f[i] = forth + k * back;
            b[i] = back + k * forth;
        }
    }
}

/* Levinson: the coefficients of one order more. */
static void extend(double *a, int order, double k) {
    double old[DRY_FIT__ORDERS];
    memcpy(old, a, sizeof *a * (size_t)order);
    for (int i = 0; i < order; i++) a[i] = old[i] + k * old[order - 1 - i];
    a[order] = k;
}

static void keep_best(const double *a, int order, double white, double n, double *least,
                      dry_fit__noise *noise) {
    const double criterion = n * log(white) + order * log(n);
    if (!(criterion < *least)) return;
    *least = criterion;
    noise->order = order;
    noise->white = white;
    memcpy(noise->a, a, sizeof *a * (size_t)order);
}

/* Yule and Walker: rho[order] from those before. */
static double next_rho(const double *a, int order, const double *rho) {
    double sum = 0.0;
    for (int i = 1; i <= order; i++) sum -= a[i - 1] * rho[order - i];
    return sum;
}

static void sum_up(dry_fit__noise *noise) {
    double at_zero = 1.0;
    for (int k = 0; k < noise->order; k++) at_zero += noise->a[k];
    noise->sum = noise->white / (at_zero * at_zero);
}

bool dry_fit__noise_of(const double *e, const dry_fit__span *spans, int n_spans,
                       dry_fit__noise *noise) {
    size_t rows = 0, end = 0;
    for (int s = 0; s < n_spans; s++) {
        rows += spans[s].n;
        if (end < spans[s].first + spans[s].n) end = spans[s].first + spans[s].n;
    }
    errors es = {malloc(sizeof *e * (end + 1)), malloc(sizeof *e * (end + 1)), spans, n_spans};
    *noise = (dry_fit__noise){.white = 1.0, .sum = 1.0, .rho = {1.0}};
    const bool room = es.forth && es.back;
    double a[DRY_FIT__ORDERS], white = 1.0, least = 0.0;
    const double n = (double)rows;
    const double most = fmin(DRY_FIT__ORDERS - 1, fmin(n / 8.0, 2.0 + 10.0 * log10(n + 1.0)));
    if (room) {
        memcpy(es.forth, e, sizeof *e * end);
        memcpy(es.back, e, sizeof *e * end);
        for (int order = 1; order <= (int)most; order++) {
            const double k = reflection(&es, (size_t)order);
            if (!(fabs(k) < 1.0)) break;
            reflect(&es, (size_t)order, k);
            extend(a, order - 1, k);
            noise->rho[order] = next_rho(a, order, noise->rho);
            white *= 1.0 - k * k;
            keep_best(a, order, white, n, &least, noise);
        }
        sum_up(noise);
    }
    free(es.forth);
    free(es.back);
    return room;
}

/* ---- what follows from it ------------------------------------------------------------------ */

void dry_fit__noise_curve(const dry_fit__noise *noise, size_t n, double *rho) {
    for (size_t k = 0; k < n; k++) {
        if (k <= (size_t)noise->order) {
            rho[k] = noise->rho[k];
            continue;
        }
        rho[k] = 0.0;
        for (int i = 1; i <= noise->order; i++) rho[k] -= noise->a[i - 1] * rho[k - (size_t)i];
    }
}

size_t dry_fit__noise_reach(const dry_fit__noise *noise, size_t most) {
    double last[DRY_FIT__ORDERS + 1];
    const size_t order = (size_t)noise->order;
    size_t below = 0;
    if (!order) return 0;
    memcpy(last, noise->rho, sizeof *last * (order + 1)); /* rho[k] lies at k modulo order + 1 */
    for (size_t k = order + 1; k < most; k++) {
        double rho = 0.0;
        for (size_t i = 1; i <= order; i++) rho -= noise->a[i - 1] * last[(k - i) % (order + 1)];
        last[k % (order + 1)] = rho;
        below = fabs(rho) < 1e-3 ? below + 1 : 0;
        if (below > order) return k;
    }
    return most;
}

void dry_fit__noise_back(const dry_fit__noise *noise, const double *x, size_t stride, size_t n,
                         size_t reach, double *z) {
    const size_t order = (size_t)noise->order;
    for (size_t j = 0; j < n + reach; j++) {
        double sum = j < n ? x[(n - 1 - j) * stride] : 0.0;
        for (size_t k = 1; k <= order && k <= j; k++) sum -= noise->a[k - 1] * z[j - k];
        z[j] = sum;
    }
    const double scale = sqrt(noise->white);
    for (size_t j = 0; j < n + reach; j++) z[j] *= scale;
}

void dry_fit__noise_forth(const dry_fit__noise *noise, const double *z, size_t n, size_t reach,
                          double *spare, double *y) {
    const size_t order = (size_t)noise->order, all = n + reach;
    for (size_t j = 0; j < all; j++) {
        double sum = z[all - 1 - j];
        for (size_t k = 1; k <= order && k <= j; k++) sum -= noise->a[k - 1] * spare[j - k];
        spare[j] = sum;
    }
    const double scale = sqrt(noise->white);
    for (size_t i = 0; i < n; i++) y[i] = scale * spare[reach + i];
}
