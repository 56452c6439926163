/* elements: N elements in parallel, as the multistate and the GMS law have them.
 *
 * kappa: stiffness, N/m; sigma: micro-damping, N s/m; lambda: share of the level, sum 1. The three
 * lists follow each other at the end of the packed parameters. */
#ifndef DRYSTONE_LAW_ELEMENTS_H
#define DRYSTONE_LAW_ELEMENTS_H

#include "resolvent.h"

typedef struct dry_law__elements {
    const double *kappa, *sigma, *lambda;
    int N;
} dry_law__elements;

#define DRY_LAW__ELEMENTS_ROWS(sigma_standard, sigma_range, lambda_range)                          \
    {"kappa",  "N/m",     "stiffness of each element; default 5e6/i", 5e6, DRY_POSITIVE,           \
     DRY_LIST, DRY_OVER_I},                                                                        \
        {"sigma",  "N s/m", "micro-damping of each element", sigma_standard, sigma_range,          \
         DRY_LIST, DRY_EACH},                                                                      \
    {                                                                                              \
        "lambda", "", "share of each element, sum 1; default 1/N", 1.0, lambda_range, DRY_LIST,    \
            DRY_OVER_N                                                                             \
    }

/* `count` points at N, `lists` at the first list. */
static inline dry_law__elements dry_law__elements_of(const double *count, const double *lists) {
    const int N = (int)*count;
    return (dry_law__elements){lists, lists + N, lists + 2 * N, N};
}

static inline double dry_law__elements_energy(const dry_law__elements *p, const double *a) {
    double sum = 0.0;
    for (int i = 0; i < p->N; i++) sum += dry_law__spring_energy(1, p->kappa[i], &a[i]);
    return sum;
}

static inline const dry_wrong *dry_law__elements_check(const dry_law__elements *p) {
    static const dry_wrong wrong = {"lambda", "the shares lambda do not add up to 1",
                                    "divide each of them by their sum"};
    double sum = 0.0;
    for (int i = 0; i < p->N; i++) sum += p->lambda[i];
    return fabs(sum - 1.0) <= 1e-9 ? NULL : &wrong;
}

#endif
