/* nnls: least squares with x >= 0, from the normal equations G x = b (Lawson and Hanson 1974,
 * chapter 23): parameters enter a passive set one at a time, the one with the largest gradient
 * first, and leave it where a solution would make them negative. */
#include "nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-13, NO_GRADIENT = 1e-11;

/* G scaled to a diagonal of 1, who is passive, and room for a solution among them. */
typedef struct work {
    int n, n_passive;
    const double *G, *b;
    double *scale, *x, *z, *L;
    int *passive;    /* those in the set, in the order in which they came */
    bool *in, *shut; /* shut: it depends on those in the set */
} work;

static double entry(const work *w, int i, int j) {
    return w->G[i * w->n + j] * w->scale[i] * w->scale[j];
}

/* Cholesky of the passive part, and z from it. False if a column depends on those before it. */
static bool solve_passive(work *w) {
    const int m = w->n_passive;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double sum = entry(w, w->passive[i], w->passive[j]);
            for (int k = 0; k < j; k++) sum -= w->L[i * w->n + k] * w->L[j * w->n + k];
            if (i == j && !(sum > DEPENDENT)) return false;
            w->L[i * w->n + j] = i == j ? sqrt(sum) : sum / w->L[j * w->n + j];
        }
    for (int i = 0; i < m; i++) {
        double sum = w->b[w->passive[i]] * w->scale[w->passive[i]];
        for (int k = 0; k < i; k++) sum -= w->L[i * w->n + k] * w->z[k];
        w->z[i] = sum / w->L[i * w->n + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) w->z[i] -= w->L[k * w->n + i] * w->z[k];
        w->z[i] /= w->L[i * w->n + i];
    }
    return true;
}

/* The largest gradient outside of the set; -1: none is positive. */
static int best_outside(const work *w, double size) {
    int best = -1;
    double most = NO_GRADIENT * size;
    for (int j = 0; j < w->n; j++) {
        if (w->in[j] || w->shut[j] || !(w->scale[j] > 0.0)) continue;
        double gradient = w->b[j] * w->scale[j];
        for (int k = 0; k < w->n; k++)
            if (w->x[k] > 0.0) gradient -= entry(w, j, k) * w->x[k];
        if (gradient > most) most = gradient, best = j;
    }
    return best;
}

static void drop(work *w, int at) {
    w->in[w->passive[at]] = false;
    w->x[w->passive[at]] = 0.0;
    for (int i = at + 1; i < w->n_passive; i++) w->passive[i - 1] = w->passive[i];
    w->n_passive--;
}

/* Goes from x towards z until the first of the set is 0; that one leaves. False at z itself. */
static bool step_back(work *w) {
    double part = 1.0;
    int first = -1;
    for (int i = 0; i < w->n_passive; i++) {
        const double x = w->x[w->passive[i]];
        if (w->z[i] > 0.0) continue;
        const double way = x - w->z[i] > 0.0 ? x / (x - w->z[i]) : 0.0;
        if (first < 0 || way < part) part = way, first = i;
    }
    for (int i = 0; i < w->n_passive; i++) {
        double *x = &w->x[w->passive[i]];
        *x = first < 0 ? w->z[i] : *x + part * (w->z[i] - *x);
    }
    if (first >= 0) drop(w, first);
    return first >= 0;
}

static void run(work *w) {
    double size = 0.0;
    for (int j = 0; j < w->n; j++) size = fmax(size, fabs(w->b[j] * w->scale[j]));
    for (int turn = 0; turn < 10 * w->n + 10; turn++) {
        const int j = best_outside(w, size);
        if (j < 0) return;
        w->passive[w->n_passive++] = j;
        w->in[j] = true;
        if (!solve_passive(w)) {
            drop(w, w->n_passive - 1);
            w->shut[j] = true;
            continue;
        }
        while (w->n_passive && step_back(w)) {
            memset(w->shut, 0, sizeof *w->shut * (size_t)w->n);
            if (w->n_passive && !solve_passive(w)) return;
        }
    }
}

bool dry_fit__nnls(int n, const double *G, const double *b, double *x) {
    const size_t m = (size_t)n + 1;
    work w = {.n = n, .G = G, .b = b, .x = x};
    w.scale = malloc(sizeof *w.scale * m);
    w.z = malloc(sizeof *w.z * m);
    w.L = malloc(sizeof *w.L * m * m);
    w.passive = malloc(sizeof *w.passive * m);
    w.in = calloc(m, sizeof *w.in);
    w.shut = calloc(m, sizeof *w.shut);
    const bool room = w.scale && w.z && w.L && w.passive && w.in && w.shut;
    for (int j = 0; room && j < n; j++) {
        const double square = G[j * n + j];
        w.scale[j] = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        x[j] = 0.0;
    }
    if (room) run(&w);
    for (int j = 0; room && j < n; j++) x[j] *= w.scale[j];
    free(w.scale);
    free(w.z);
    free(w.L);
    free(w.passive);
    free(w.in);
    free(w.shut);
    return room;
}
