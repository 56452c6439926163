/* motion: prescribed inputs for any law, smooth and rough, and its state carried along them. */
#ifndef TESTS_LAW_MOTION_H
#define TESTS_LAW_MOTION_H

#include "law/sample.h"

enum { KNOTS = 41, STEPS_PER_KNOT = 100, MOTION_STEPS = (KNOTS - 1) * STEPS_PER_KNOT };

typedef enum motion_kind { SMOOTH, RAMPS, JUMPS, MOTION_KINDS } motion_kind;

typedef struct motion {
    motion_kind kind;
    double h;                                 /* step, s */
    double knots[KNOTS][5];                   /* RAMPS, JUMPS: values of gap and velocities */
    double omega[3], size[5][3], phase[5][3]; /* SMOOTH: sums of sines */
} motion;

static inline motion random_motion(const sample *p, motion_kind kind, random_source *source) {
    motion m = {.kind = kind, .h = p->fast / 40.0};
    const int v = v_at(p);
    for (int k = 0; k < KNOTS; k++)
        for (int i = 0; i < p->n_inputs; i++)
            m.knots[k][i] = i < v ? gap_scale * random_between(source, -1.5, 1.0)
                                  : p->v_scale * random_between(source, -3.0, 3.0);
    for (int k = 0; k < 3; k++)
        m.omega[k] = random_between(source, 1.0, 20.0) / (MOTION_STEPS * m.h) * 6.28;
    for (int i = 0; i < p->n_inputs; i++)
        for (int k = 0; k < 3; k++) {
            m.size[i][k] = (i < v ? gap_scale : 2.0 * p->v_scale) * random_unit(source);
            m.phase[i][k] = random_between(source, 0.0, 6.28);
        }
    return m;
}

static inline double sines(const motion *m, int i, double t, int derivative) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double angle = m->omega[k] * t + m->phase[i][k];
        sum += m->size[i][k] * (derivative ? m->omega[k] * cos(angle) : sin(angle));
    }
    return sum;
}

/* The input within step `step`, 0 <= fraction <= 1 of it behind; knots lie on steps. */
static inline void input_at(const sample *p, const motion *m, int step, double fraction,
                            double *u) {
    const int segment = step / STEPS_PER_KNOT;
    const double part = (step % STEPS_PER_KNOT + fraction) / STEPS_PER_KNOT;
    const double *from = m->knots[segment], *to = m->knots[segment + 1];
    const double t = (step + fraction) * m->h;
    for (int i = 0; i < p->n_inputs; i++) {
        const double ramp = from[i] + part * (to[i] - from[i]);
        const bool gap = i < v_at(p);
        u[i] = m->kind == SMOOTH ? sines(m, i, t, 0) : m->kind == RAMPS || gap ? ramp : from[i];
    }
    if (p->law->kind == DRY_FRICTION) return;
    u[1] = m->kind == SMOOTH ? sines(m, 0, t, 1) : (to[0] - from[0]) / (STEPS_PER_KNOT * m->h);
}

/* The state's rate and, behind it, the power that flows in, at a point within a step. */
static inline void rate_and_power(const sample *p, const motion *m, int step, double fraction,
                                  double tau, const double *s, double *rate) {
    double u[5], f[4];
    input_at(p, m, step, fraction, u);
    evaluate(p, tau, u, s, f, rate);
    rate[p->n_states] = power_in(p, u, f);
}

/* One Runge-Kutta step of the state and of the work behind it (tau is a constant of the law here).
 */
static inline void advance(const sample *p, const motion *m, int step, double tau, double *x) {
    static const double fractions[4] = {0.0, 0.5, 0.5, 1.0}, weights[4] = {1, 2, 2, 1};
    const int n = p->n_states + 1;
    double k[MOST_SIZE] = {0}, y[MOST_SIZE], sum[MOST_SIZE] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < n; i++) y[i] = x[i] + fractions[stage] * m->h * k[i];
        rate_and_power(p, m, step, fractions[stage], tau, y, k);
        for (int i = 0; i < n; i++) sum[i] += weights[stage] * k[i];
    }
    for (int i = 0; i < n; i++) x[i] += m->h / 6.0 * sum[i];
    double u[5];
    input_at(p, m, step, 1.0, u);
    if (p->law->latch) p->law->latch(p->par, p->dim, u, x);
}

#endif
