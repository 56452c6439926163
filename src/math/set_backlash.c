/* backlash: play between two flanks, r in N_P(q) with P = [-h, h].
 *
 *     |q| <= h,  r >= 0 at q = h,  r <= 0 at q = -h,  r = 0 between
 *
 * q: place, m, 0 in the middle; h: half of the width of P, m; r: force, N, normal to P: it presses
 * the place back and enters its motion as -r. prox: clip(y, -h, h); the radius chi of the functions
 * below is h.
 *
 * P is the intersection of the half-lines q >= -h and q <= h, and so N_P is the sum of their normal
 * cones (Rockafellar 1970, 23.8.1): with L in dio(h + q), U in dio(h - q), r = U - L. */
#include "sets.h"

static bool project(int n, double h, const double *y, double *f) {
    (void)n;
    const bool inside = fabs(y[0]) <= h;
    f[0] = dry_sat1(h, y[0]);
    return inside;
}

static bool derivative(int n, double h, const double *y, double *P, double *g) {
    (void)n;
    const bool inside = fabs(y[0]) <= h;
    P[0] = inside ? 1.0 : 0.0;
    g[0] = inside ? 0.0 : dry_sgn(y[0]);
    return inside;
}

static double excess(int n, double h, const double *y) {
    (void)n;
    return fabs(y[0]) - h;
}

static double support(int n, double h, const double *v) {
    (void)n;
    return h * fabs(v[0]);
}

const dry_set dry_set__backlash = {
    .name = "backlash",
    .title = "play between two flanks",
    .equation = "|q| <= h, r >= 0 at q = h, r <= 0 at q = -h, else r = 0",
    .paper = "X13 section 2; Rockafellar, Convex Analysis, 23.8.1",
    .argument = "q",
    .size = "h",
    .force = "r",
    .kind = DRY_SET_OF_POSITIONS,
    .shape = DRY_SHAPE_OTHER,
    .max_dim = 1,
    .normal = true,
    .yields = true,
    .ends = &dry_set__dio,
    .project = project,
    .derivative = derivative,
    .excess = excess,
    .support = support,
};
