/* stribeck: the level of sliding friction that changes with speed, shared by the laws that have
 * one.
 *
 *     g(x) = F + (Fs - F) exp(-(x/vs)^alpha),  x = |v|      (XD (4.2)); Fs = 0: g = F
 *
 * F: kinetic level, N; Fs: static level, N; vs: Stribeck velocity, m/s; alpha: exponent. With
 * Fs > F the level falls with speed, with 0 < Fs < F it rises, as on some measured machines; g is
 * positive either way.
 * The four stand side by side in the packed parameters; `level` points at F. */
#ifndef DRYSTONE_LAW_STRIBECK_H
#define DRYSTONE_LAW_STRIBECK_H

#include <drystone/law.h>

#define DRY_LAW__STRIBECK_ROWS(kinetic, F, Fs, vs)                                                 \
    {kinetic, "N", "kinetic friction level", F, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},               \
        {"Fs",                                                                                     \
         "N",                                                                                      \
         "static friction level; 0: the same as the kinetic one",                                  \
         Fs,                                                                                       \
         DRY_NONNEGATIVE,                                                                          \
         DRY_SCALAR,                                                                               \
         DRY_EACH},                                                                                \
        {"vs", "m/s", "Stribeck velocity", vs, DRY_POSITIVE, DRY_SCALAR, DRY_EACH}, {              \
        "alpha", "", "exponent of the Stribeck curve; below 1 its slope at rest is infinite", 2.0, \
            DRY_AT_LEAST_ONE, DRY_SCALAR, DRY_EACH                                                 \
    }

/* (x/vs)^alpha */
static inline double dry_law__level_power(const double *level, double x) {
    const double ratio = x / level[2];
    return level[3] == 2.0 ? ratio * ratio : dry_pow(ratio, level[3]);
}

static inline double dry_law__level(const double *level, double x) {
    if (level[1] == 0.0) return level[0];
    return level[0] + (level[1] - level[0]) * dry_exp(-dry_law__level_power(level, x));
}

/* dg/dx */
static inline double dry_law__level_slope(const double *level, double x) {
    if (level[1] == 0.0) return 0.0;
    const double decay = dry_exp(-dry_law__level_power(level, x));
    if (decay == 0.0) return 0.0; /* the power may have overflowed */
    const double rise = level[3] / level[2] * dry_pow(x / level[2], level[3] - 1.0);
    return -(level[1] - level[0]) * rise * decay;
}

/* dg/dv for a vector v of length x; the zero vector where the slope has no direction */
static inline void dry_law__level_gradient(const double *level, int dim, const double *v, double x,
                                           double *gradient) {
    const double slope = dry_law__level_slope(level, x);
    for (int i = 0; i < dim; i++) gradient[i] = x > 0.0 ? slope * (v[i] / x) : 0.0;
}

/* dg by F, Fs, vs and alpha. At Fs = 0 the level jumps by Fs. */
static inline void dry_law__level_by_par(const double *level, double x, double *by) {
    by[0] = 1.0;
    by[1] = level[1] == 0.0 ? (double)NAN : 0.0;
    by[2] = by[3] = 0.0;
    if (level[1] == 0.0) return;
    const double power = dry_law__level_power(level, x), decay = dry_exp(-power);
    if (decay == 0.0) return; /* the power may have overflowed */
    const double rise = (level[1] - level[0]) * decay * power;
    by[0] = 1.0 - decay;
    by[1] = decay;
    by[2] = rise * level[3] / level[2];
    by[3] = x > 0.0 ? -rise * dry_log(x / level[2]) : 0.0;
}

/* The largest level. */
static inline double dry_law__level_most(const double *level) {
    return dry_max(level[0], level[1]);
}

/* The steepest fall max(-g') for alpha >= 1, N s/m, at (x/vs)^alpha = (alpha - 1)/alpha; 0: it does
 * not fall. (Fs - F)/vs sqrt(2/e) for alpha = 2. */
static inline double dry_law__level_fall(const double *level) {
    const double x = level[2] * dry_pow((level[3] - 1.0) / level[3], 1.0 / level[3]);
    return dry_pos(-dry_law__level_slope(level, x));
}

/* The switching function of |v|^alpha at rest: none if the power is smooth. */
static inline double dry_law__level_kink(const double *level, double v) {
    const bool smooth = level[1] == 0.0 || fmod(level[3], 2.0) == 0.0;
    return smooth ? 1.0 : v;
}

#endif
