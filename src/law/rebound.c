/* rebound: the restitution of a Hunt-Crossley contact, and its inverse, both exact.
 *
 * A mass m flies into N = K delta^lambda (1 + b delta_dot) at speed v. With u = delta_dot,
 *
 *     m u du/d delta = -K delta^lambda (1 + b u),   so   h(u) + K delta^(lambda+1)/((lambda+1) m)
 *
 * is constant, h(u) = u/b - ln(1 + b u)/b^2, and delta = 0 at both ends gives h(v) = h(-e v). In
 * d = b v and x = e d:
 *
 *     d - ln(1 + d) = -x - ln(1 - x),   0 <= x < 1
 *
 * e: coefficient of restitution. Neither m, nor K, nor lambda is in it. The inverse, d from e, is
 * in rebound.h, where the law zhang_sharf takes it from. */
#include "rebound.h"

/* x from d by Newton's method. -x - ln(1 - x) is convex, and x begins above the root because
 * ln(1 - x) = -x - excess(d) > -1 - excess(d), excess(d) = d - ln(1 + d). */
static double rebound_of(double d) {
    const double wanted = dry_law__rebound_excess(d);
    double x = dry_min(d, dry_law__rebound_share(1.0 + wanted));
    for (int i = 0; i < 100 && x < 1.0; i++) {
        const double next = x - (dry_law__rebound_excess(-x) - wanted) * (1.0 - x) / x;
        if (!(next < x)) break;
        x = next;
    }
    return x;
}

double dry_hunt_crossley_restitution(double b, double speed) {
    const double d = b * speed;
    if (!(b >= 0.0 && speed >= 0.0)) return (double)NAN;
    if (d == 0.0) return 1.0;
    if (d == (double)INFINITY) return 0.0;
    return rebound_of(d) / d;
}

static const double least = 1e-6; /* of the restitutions that have a design */

dry_status dry_hunt_crossley_design(double restitution, double speed, double *b) {
    const double e = restitution;
    if (!(e >= least && e <= 1.0 && speed > 0.0 && speed < (double)INFINITY))
        return DRY_BAD_ARGUMENT;
    *b = dry_law__rebound_exact(e) / speed;
    return DRY_OK;
}
