/* The state between the ends of the last step.
 *
 * Adaptive: the fourth-order continuous output of Dormand-Prince (Shampine 1986; Hairer, Norsett,
 * Wanner 1993, II.6), nested in theta and 1-theta. Fixed: cubic Hermite.
 * theta: fraction of the step. */
#include "ode_private.h"

void dry_ode__dense_set(dry_ode *ode, double h) {
    const int n = ode->system->n_states;
    const struct dry_tableau *table = ode->method->tableau;
    const double *y = dry_ode__end(ode);
    double *r0 = dry_ode__dense(ode, 0), *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n, *r4 = r3 + n;
    const double *first = dry_ode__stage(ode, 0), *final = dry_ode__stage(ode, 6);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < table->stages; j++) sum += table->d[j] * dry_ode__stage(ode, j)[i];
        r0[i] = ode->x[i];
        r1[i] = y[i] - ode->x[i];
        r2[i] = h * first[i] - r1[i];
        r3[i] = r1[i] - h * final[i] - r2[i];
        r4[i] = h * sum;
    }
}

void dry_ode__dense_at(const dry_ode *ode, double theta, double *x) {
    const int n = ode->system->n_states;
    const double *r0 = dry_ode__dense(ode, 0), *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n,
                 *r4 = r3 + n;
    const double rest = 1.0 - theta;
    for (int i = 0; i < n; i++)
        x[i] = r0[i] + theta * (r1[i] + rest * (r2[i] + theta * (r3[i] + rest * r4[i])));
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
    const double h = ode->t - ode->t_before;
    if (!ode->has_dense || time >= ode->t || !(h > 0.0)) {
        memcpy(x, ode->x, (size_t)ode->system->n_states * sizeof *x);
        return;
    }
    const double theta = time > ode->t_before ? (time - ode->t_before) / h : 0.0;
    if (ode->method->adaptive)
        dry_ode__dense_at(ode, theta, x);
    else
        hermite(ode, theta, x);
}
