/* dio: unilateral contact, N in dio(psi) (X13 section 2, Theorem 2).
 *
 *     N >= 0,  psi >= 0,  N psi = 0
 *
 * psi: gap, m; N: N. The place psi lies in P = [0, inf), and -N is normal to it there. The forces
 * are the half-line N >= 0; prox: max(0, y). */
#include "sets.h"

static bool project(int n, double chi, const double *y, double *f) {
    const bool inside = y[0] >= 0.0;
    (void)n, (void)chi;
    f[0] = dry_pos(y[0]);
    return inside;
}

static bool derivative(int n, double chi, const double *y, double *P, double *g) {
    const bool inside = y[0] > 0.0;
    (void)n, (void)chi;
    P[0] = inside ? 1.0 : 0.0;
    g[0] = 0.0;
    return inside;
}

static double excess(int n, double chi, const double *y) {
    (void)n, (void)chi;
    return -y[0];
}

static double support(int n, double chi, const double *v) {
    (void)n, (void)chi;
    return v[0] > 0.0 ? (double)INFINITY : 0.0;
}

const dry_set dry_set__dio = {
    .name = "dio",
    .title = "unilateral contact",
    .equation = "N >= 0, psi >= 0, N psi = 0",
    .paper = "X13 section 2, Theorem 2",
    .argument = "psi",
    .force = "N",
    .kind = DRY_SET_OF_POSITIONS,
    .shape = DRY_SHAPE_HALF_LINE,
    .max_dim = 1,
    .project = project,
    .derivative = derivative,
    .excess = excess,
    .support = support,
};
