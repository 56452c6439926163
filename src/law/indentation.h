/* indentation: the power law of Hertz, shared by the contacts that have one.
 *
 *     s = delta |delta|^(lambda - 1),   delta = -psi      (XD (5.6))
 *
 * delta: indentation, m; s: m^lambda; lambda >= 1: exponent, 1.5 for spheres. */
#ifndef DRYSTONE_LAW_INDENTATION_H
#define DRYSTONE_LAW_INDENTATION_H

#include <drystone/law.h>

/* x^lambda, x >= 0; the exponent of spheres without a call. */
static inline double dry_law__power(double x, double lambda) {
    return lambda == 1.5 ? x * sqrt(x) : dry_pow(x, lambda);
}

static inline double dry_law__indentation(double lambda, double delta) {
    return copysign(dry_law__power(fabs(delta), lambda), delta);
}

/* ds/ddelta */
static inline double dry_law__indentation_slope(double lambda, double delta) {
    return lambda * dry_pow(fabs(delta), lambda - 1.0);
}

/* The integral of s from 0 to delta. */
static inline double dry_law__indentation_integral(double lambda, double delta) {
    return dry_pow(fabs(delta), lambda + 1.0) / (lambda + 1.0);
}

/* The energy of the spring K delta^lambda that acts while the gap is closed. */
static inline double dry_law__indentation_energy(double K, double lambda, double psi) {
    return psi < 0.0 ? K * dry_law__indentation_integral(lambda, psi) : 0.0;
}

#endif
