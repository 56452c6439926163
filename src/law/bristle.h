/* bristle: what Dahl, LuGre and the elastoplastic law share.
 *
 *     a_dot = v - (K |v|/g(v)) a,   f = K a + B a_dot + D v      (X13 (12), XD (4.1))
 *
 * v: sliding velocity, m/s; a: mean deflection of the bristles, m; K: stiffness, N/m; B:
 * micro-damping, N s/m; D: viscous friction, N s/m; g: see stribeck.h. v and a are vectors. */
#ifndef DRYSTONE_LAW_BRISTLE_H
#define DRYSTONE_LAW_BRISTLE_H

#include "resolvent.h"
#include "stribeck.h"

typedef struct dry_law__bristle {
    const double *level; /* F, Fs, vs, alpha */
    double K, B, D;
} dry_law__bristle;

static inline void dry_law__bristle_rate(const dry_law__bristle *p, int dim, const double *v,
                                         const double *a, double *a_dot) {
    const double speed = dry_norm(dim, v);
    const double fade = p->K * speed / dry_law__level(p->level, speed);
    for (int i = 0; i < dim; i++) a_dot[i] = v[i] - fade * a[i];
}

static inline void dry_law__bristle_force(const dry_law__bristle *p, int dim, const double *v,
                                          const double *a, const double *a_dot, double *f) {
    for (int i = 0; i < dim; i++) f[i] = p->K * a[i] + p->B * a_dot[i] + p->D * v[i];
}

/* The rate at which bristles that slide settle, 1/s: K |v|/g(v). */
static inline double dry_law__bristle_fade(const dry_law__bristle *p, int dim, const double *v) {
    const double speed = dry_norm(dim, v);
    return p->K * speed / dry_law__level(p->level, speed);
}

/* At rest: the bristles bend. */
static inline void dry_law__bristle_stuck(const dry_law__bristle *p, int dim, const double *v,
                                          const double *a, double *f, double *a_dot) {
    for (int i = 0; i < dim; i++) a_dot[i] = v[i];
    dry_law__bristle_force(p, dim, v, a, a_dot, f);
}

/* In steady sliding, a = g v/(K |v|), a_dot depends on v no more. */
static inline void dry_law__bristle_loose(const dry_law__bristle *p, int dim, const double *v,
                                          const double *a, double *f, double *a_dot) {
    const double fade = dry_law__bristle_fade(p, dim, v);
    for (int i = 0; i < dim; i++) a_dot[i] = -fade * a[i];
    dry_law__bristle_force(p, dim, v, a, a_dot, f);
}

/* Bristles bend and slip at once, so they count as slipping if they bend by more than half of their
 * deflection in steady sliding. */
static inline unsigned dry_law__bristle_phase(const dry_law__bristle *p, int dim, const double *v,
                                              const double *a) {
    const double steady = dry_law__level(p->level, dry_norm(dim, v)) / p->K;
    return dry_norm(dim, a) > 0.5 * steady ? DRY_SLIPS : DRY_STICKS;
}

/* The rows of a_dot, the lower half of J. */
static inline void dry_law__bristle_rate_rows(const dry_law__bristle *p, int dim, const double *v,
                                              const double *a, double *J) {
    const double speed = dry_norm(dim, v), g = dry_law__level(p->level, speed);
    double gradient[DRY_LAW__MOST_DIM];
    dry_law__level_gradient(p->level, dim, v, speed, gradient);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            const double same = i == j ? 1.0 : 0.0;
            const double direction = speed > 0.0 ? v[j] / speed : 0.0;
            const double fade_v = p->K * (direction - speed * gradient[j] / g) / g;
            double *row = J + (dim + i) * 2 * dim;
            row[j] = same - fade_v * a[i];
            row[dim + j] = -same * p->K * speed / g;
        }
}

/* The rows of f, the upper half of J, from those of a_dot. */
static inline void dry_law__bristle_force_rows(const dry_law__bristle *p, int dim, double *J) {
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            const double *rate = J + (dim + i) * 2 * dim;
            double *row = J + i * 2 * dim;
            row[j] = p->B * rate[j] + (i == j ? p->D : 0.0);
            row[dim + j] = p->B * rate[dim + j] + (i == j ? p->K : 0.0);
        }
}

/* By the four of the level, K, B and D: rows f_i, then a_dot_i. d a_dot is K |v|/g^2 a by g and
 * -|v|/g a by K. */
enum { DRY_LAW__BRISTLE_K = 4, DRY_LAW__BRISTLE_B, DRY_LAW__BRISTLE_D, DRY_LAW__BRISTLE_PARS };

static inline void dry_law__bristle_by_par(const dry_law__bristle *p, int dim, const double *v,
                                           const double *a, double (*by)[DRY_LAW__BRISTLE_PARS]) {
    const double speed = dry_norm(dim, v), g = dry_law__level(p->level, speed);
    double of_level[4], a_dot[DRY_LAW__MOST_DIM];
    dry_law__level_by_par(p->level, speed, of_level);
    dry_law__bristle_rate(p, dim, v, a, a_dot);
    for (int i = 0; i < dim; i++) {
        double *force = by[i], *rate = by[dim + i];
        for (int k = 0; k < 4; k++) rate[k] = p->K * speed / (g * g) * a[i] * of_level[k];
        rate[DRY_LAW__BRISTLE_K] = -speed / g * a[i];
        rate[DRY_LAW__BRISTLE_B] = rate[DRY_LAW__BRISTLE_D] = 0.0;
        for (int k = 0; k < DRY_LAW__BRISTLE_PARS; k++) force[k] = p->B * rate[k];
        force[DRY_LAW__BRISTLE_K] += a[i];
        force[DRY_LAW__BRISTLE_B] += a_dot[i];
        force[DRY_LAW__BRISTLE_D] += v[i];
    }
}

/* |v| has a kink at rest: a motion through v = 0 changes the sign of a component. */
static inline void dry_law__bristle_kinks(int dim, const double *v, double *g) {
    for (int i = 0; i < dim; i++) g[i] = v[i];
}

#endif
