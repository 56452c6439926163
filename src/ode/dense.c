/* The state between the ends of the last step.
 *
 * Adaptive: the continuous output of the pair, nested in theta and 1-theta, whose first four terms
 * are the Hermite cubic (Hairer, Norsett, Wanner 1993, II.6). Fixed: cubic Hermite.
 * r: coefficients; theta: fraction of the step. */
#include "ode_private.h"

void dry_ode__dense_cubic(dry_ode *ode, double h) {
    const int n = ode->system->n_states;
    const double *x0 = dry_ode__before(ode), *x1 = dry_ode__end(ode);
    const double *f0 = dry_ode__stage(ode, 0),
                 *f1 = dry_ode__stage(ode, ode->method->tableau->end_stage);
    double *r0 = dry_ode__dense(ode, 0), *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
    for (int i = 0; i < n; i++) {
        r0[i] = x0[i];
        r1[i] = x1[i] - x0[i];
        r2[i] = h * f0[i] - r1[i];
        r3[i] = r1[i] - h * f1[i] - r2[i];
    }
    ode->control.dense_terms = 4;
}

/* The cubic at theta = 1/2. */
void dry_ode__dense_middle(const dry_ode *ode, double h, double *x) {
    const int n = ode->system->n_states;
    const double *x0 = dry_ode__before(ode), *x1 = dry_ode__end(ode);
    const double *f0 = dry_ode__stage(ode, 0),
                 *f1 = dry_ode__stage(ode, ode->method->tableau->end_stage);
    for (int i = 0; i < n; i++) x[i] = 0.5 * (x0[i] + x1[i]) + 0.125 * h * (f0[i] - f1[i]);
    if (ode->relaxed.count) dry_ode__relax_point(ode, 0.5 * h, x);
}

void dry_ode__dense_full(dry_ode *ode, double h) {
    const struct dry_tableau *table = ode->method->tableau;
    if (ode->control.dense_terms < 4) dry_ode__dense_cubic(ode, h);
    if (ode->control.dense_terms < table->dense_terms) table->dense(ode, h);
    ode->control.dense_terms = table->dense_terms;
}

void dry_ode__dense_at(const dry_ode *ode, double h, double theta, double *x) {
    const int n = ode->system->n_states, terms = ode->control.dense_terms;
    const double *r = dry_ode__dense(ode, 0), factor[] = {theta, 1.0 - theta};
    for (int i = 0; i < n; i++) {
        double sum = r[(terms - 1) * n + i];
        for (int j = terms - 2; j >= 0; j--) sum = r[j * n + i] + factor[j & 1] * sum;
        x[i] = sum;
    }
    if (ode->relaxed.count) dry_ode__relax_point(ode, theta * h, x);
}

/* Cubic Hermite; the rate at the end is the left limit there. */
static void hermite(dry_ode *ode, double theta, double *x) {
    const int n = ode->system->n_states;
    const double h = ode->t - ode->t_before, rest = 1.0 - theta;
    const double tau = ode->method->uses_tau ? ode->options.step : 0.0;
    const double *x0 = dry_ode__before(ode), *x1 = ode->system->latch ? dry_ode__end(ode) : ode->x;
    double *f0 = dry_ode__stage(ode, 0), *f1 = dry_ode__stage(ode, 1);
    dry_ode__rate(ode, ode->t_before, tau, x0, f0);
    dry_ode__rate(ode, nextafter(ode->t, -(double)INFINITY), tau, x1, f1);
    for (int i = 0; i < n; i++) {
        const double d = x1[i] - x0[i];
        x[i] = x0[i] + theta * (d + rest * (rest * (h * f0[i] - d) - theta * (h * f1[i] - d)));
    }
}

void dry_ode_dense(dry_ode *ode, double time, double *x) {
    const double h = ode->method->adaptive ? ode->control.length : ode->t - ode->t_before;
    if (!ode->has_dense || time >= ode->t || !(h > 0.0)) {
        memcpy(x, ode->x, (size_t)ode->system->n_states * sizeof *x);
        return;
    }
    const double theta = time > ode->t_before ? (time - ode->t_before) / h : 0.0;
    if (!ode->method->adaptive) {
        hermite(ode, theta, x);
        return;
    }
    dry_ode__dense_full(ode, h);
    dry_ode__dense_at(ode, h, theta, x);
}
