/* Linear models with known columns as results of a fit, solved here, and noise from a generator
 * of its own. */
#ifndef DRYSTONE_TESTS_FIT_LINEAR_H
#define DRYSTONE_TESTS_FIT_LINEAR_H

#include <drystone/fit.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
typedef struct noise {
    uint64_t state;
    double phi, last; /* of AR(1) with variance 1 */
} noise;

static inline double uniform(noise *from) {
    uint64_t z = (from->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static inline double gauss(noise *from) {
    const double radius = sqrt(-2.0 * log(uniform(from)));
    return radius * cos(6.283185307179586 * uniform(from));
}

static inline double coloured(noise *from) {
    from->last = from->phi * from->last + sqrt(1.0 - from->phi * from->phi) * gauss(from);
    return from->last;
}

static inline noise noise_of(uint64_t seed, double phi) {
    noise n = {.state = seed, .phi = phi};
    n.last = gauss(&n);
    return n;
}

enum { MOST_PARS = 8 };

/* n rows, p columns of X, and the result that least squares give for y. */
typedef struct linear {
    int n, p;
    double *X, *t, *y, *model, *residual;
    unsigned char *held;
    dry_fit_parameter par[MOST_PARS];
    dry_fit_output output;
    dry_fit_result result;
} linear;

static inline linear *linear_new(int n, int p) {
    static const char *const names[MOST_PARS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    linear *l = calloc(1, sizeof *l);
    *l = (linear){.n = n, .p = p};
    l->X = calloc((size_t)(n * p), sizeof *l->X);
    l->t = calloc((size_t)n, sizeof *l->t);
    l->y = calloc((size_t)n, sizeof *l->y);
    l->model = calloc((size_t)n, sizeof *l->model);
    l->residual = calloc((size_t)n, sizeof *l->residual);
    l->held = calloc((size_t)n, sizeof *l->held);
    for (int i = 0; i < n; i++) l->t[i] = 0.01 * i;
    for (int j = 0; j < p; j++)
        l->par[j] = (dry_fit_parameter){.name = names[j],
                                        .unit = "N",
                                        .record = -1,
                                        .low = -INFINITY,
                                        .high = INFINITY,
                                        .scale = 1.0};
    l->output = (dry_fit_output){.name = "force",
                                 .unit = "N",
                                 .weight = 1.0,
                                 .scale = 1.0,
                                 .rows = (size_t)n,
                                 .t = l->t,
                                 .measured = l->y,
                                 .model = l->model,
                                 .residual = l->residual,
                                 .held = l->held,
                                 .jacobian = l->X};
    return l;
}

static inline void linear_free(linear *l) {
    dry_arena_free(l->result.arena);
    free(l->X);
    free(l->t);
    free(l->y);
    free(l->model);
    free(l->residual);
    free(l->held);
    free(l);
}

/* Residuals and statistics at these values. */
static inline void linear_judge(linear *l) {
    for (int i = 0; i < l->n; i++) {
        l->model[i] = 0.0;
        for (int j = 0; j < l->p; j++) l->model[i] += l->X[i * l->p + j] * l->par[j].value;
        l->residual[i] = l->model[i] - l->y[i];
    }
    dry_arena_free(l->result.arena);
    const double huber = l->result.huber;
    l->result = (dry_fit_result){.parameters = l->par,
                                 .n_parameters = l->p,
                                 .outputs = &l->output,
                                 .n_outputs = 1,
                                 .n_records = 1,
                                 .huber = huber,
                                 .arena = dry_arena_new(0)};
    dry_error error;
    is_ok(dry_fit_statistics(&l->result, &error), &error);
}

/* Least squares over the rows that are not held, by the normal equations, of the parameters that
 * are at no bound. */
static inline void linear_solve(linear *l) {
    double A[MOST_PARS * MOST_PARS] = {0}, b[MOST_PARS] = {0};
    const int p = l->p;
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < p && !l->held[i]; j++) {
            for (int k = 0; k < p; k++) A[j * p + k] += l->X[i * p + j] * l->X[i * p + k];
            b[j] += l->X[i * p + j] * l->y[i];
        }
    assert_int_equal(dry_solve(p, A, b), DRY_OK);
    for (int j = 0; j < p; j++) l->par[j].value = l->par[j].start = b[j];
    linear_judge(l);
}

/* The same with one parameter held at its lower bound. */
static inline void linear_hold(linear *l, int held, double at) {
    double A[MOST_PARS * MOST_PARS] = {0}, b[MOST_PARS] = {0};
    const int p = l->p;
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < p; j++) {
            if (j == held) continue;
            for (int k = 0; k < p; k++)
                if (k != held) A[j * p + k] += l->X[i * p + j] * l->X[i * p + k];
            b[j] += l->X[i * p + j] * (l->y[i] - at * l->X[i * p + held]);
        }
    A[held * p + held] = 1.0;
    b[held] = at;
    assert_int_equal(dry_solve(p, A, b), DRY_OK);
    for (int j = 0; j < p; j++) l->par[j].value = l->par[j].start = b[j];
    l->par[held].at_low = true;
    linear_judge(l);
}

static inline bool linear_says(const linear *l, const char *words) {
    for (int i = 0; i < l->result.stats.n_warnings; i++)
        if (strstr(l->result.stats.warnings[i], words)) return true;
    return false;
}

#endif
