/* pair: what the embedded pairs share: sums over the stages with coefficients that the compiler
 * knows, so that zeros vanish and loops over the stages unroll.
 *
 * k_j: rate of stage j; w: weights of the stages; h: step, s. */
#ifndef DRYSTONE_ODE_PAIR_H
#define DRYSTONE_ODE_PAIR_H

#include "ode_private.h"

/* sum w_j k_j of one state; k points at the state's number in stage 0 */
DRY_INLINE double dry_ode__weigh(const double *k, int n, int terms, const double *w) {
    double sum = 0.0;
#if defined(__GNUC__)
#pragma GCC unroll 16
#endif
    for (int j = 0; j < terms; j++)
        if (w[j] != 0.0) sum += w[j] * k[j * n];
    return sum;
}

/* The same of two states side by side, which the compiler makes one vector of. */
DRY_INLINE void dry_ode__weigh_two(const double *k, int n, int terms, const double *w,
                                   double sum[2]) {
    double first = 0.0, second = 0.0;
#if defined(__GNUC__)
#pragma GCC unroll 16
#endif
    for (int j = 0; j < terms; j++)
        if (w[j] != 0.0) {
            first += w[j] * k[j * n];
            second += w[j] * k[j * n + 1];
        }
    sum[0] = first;
    sum[1] = second;
}

/* y = x + h sum a_j k_j over the stages before s. The rate of the last one has just been found: all
 * the rest is added up before it. */
DRY_INLINE void dry_ode__stage_point(const dry_ode *ode, int s, double h, const double *a,
                                     double *DRY_RESTRICT y) {
    const int n = ode->system->n_states, last = s - 1;
    const double *x = dry_ode__before(ode), *k = dry_ode__stage(ode, 0), *k_last = k + last * n;
    const double h_last = h * a[last];
    int i = 0;
    for (double sum[2]; n > 5 && i + 1 < n; i += 2) {
        dry_ode__weigh_two(k + i, n, last, a, sum);
        y[i] = (x[i] + h * sum[0]) + h_last * k_last[i];
        y[i + 1] = (x[i + 1] + h * sum[1]) + h_last * k_last[i + 1];
    }
    for (; i < n; i++) y[i] = (x[i] + h * dry_ode__weigh(k + i, n, last, a)) + h_last * k_last[i];
}

/* Stage s at the time t + c h. */
DRY_INLINE void dry_ode__stage_rate(dry_ode *ode, int s, double h, double last, const double *a,
                                    double c) {
    const double t = ode->t_before + c * h;
    double *y = dry_ode__stage_value(ode, s), *rate = dry_ode__stage(ode, s);
    dry_ode__stage_point(ode, s, h, a, y);
    if (ode->relaxed.count) dry_ode__relax_point(ode, c * h, y);
    dry_ode__rate(ode, t < last ? t : last, 0.0, y, rate);
    if (ode->relaxed.count) dry_ode__relax_check(ode, h, y, rate, NULL);
}
/* Stages 1 and 2 of the coefficients a and c. */
DRY_INLINE void dry_ode__two_stages(dry_ode *ode, double h, double last, const double *a,
                                    const double *c) {
    dry_ode__stage_rate(ode, 1, h, last, a, c[1]);
    dry_ode__stage_rate(ode, 2, h, last, a + 1, c[2]);
}
/* The same. If they show that a state does not relax as assumed, they are repeated with all states
 * integrated. */
DRY_INLINE void dry_ode__first_stages(dry_ode *ode, double h, double last, const double *a,
                                      const double *c) {
    dry_ode__two_stages(ode, h, last, a, c);
    if (ode->relaxed.error <= 1.0) return;
    dry_ode__relax_drop(ode, h);
    dry_ode__two_stages(ode, h, last, a, c);
}
/* The value at the end of the step, which is that of stage s. */
DRY_INLINE void dry_ode__end_point(dry_ode *ode, int s, double h, const double *a) {
    dry_ode__stage_point(ode, s, h, a, dry_ode__end(ode));
    if (ode->relaxed.count) dry_ode__relax_point(ode, h, dry_ode__end(ode));
}
/* The rate of stage s at the end, whose value is known. */
DRY_INLINE void dry_ode__end_stage_rate(dry_ode *ode, int s, double h, double last) {
    double *rate = dry_ode__stage(ode, s);
    dry_ode__rate(ode, last, 0.0, dry_ode__end(ode), rate);
    if (ode->relaxed.count)
        dry_ode__relax_check(ode, h, dry_ode__end(ode), rate, dry_ode__end_rate(ode));
}

/* The error of a trial with what was found of relaxing states; not a number if the rate at its end
 * is not finite. */
DRY_INLINE double dry_ode__with_end_rate(const dry_ode *ode, double error, const double *rate,
                                         int *worst) {
    const int n = ode->system->n_states;
    if (dry_ode__finite(n, rate)) return error >= ode->relaxed.error ? error : ode->relaxed.error;
    for (*worst = 0; isfinite(rate[*worst]);) ++*worst;
    return (double)NAN;
}

/* to = h sum w_j k_j */
DRY_INLINE void dry_ode__weigh_all(const dry_ode *ode, int terms, double h, const double *w,
                                   double *DRY_RESTRICT to) {
    const int n = ode->system->n_states;
    const double *k = dry_ode__stage(ode, 0);
    for (int i = 0; i < n; i++) to[i] = h * dry_ode__weigh(k + i, n, terms, w);
}

#endif
