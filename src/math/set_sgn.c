/* sgn: dry friction, f in chi sgn(theta) (X13 section 2, Theorem 1).
 *
 *     |f| <= chi,  f = chi theta/|theta| where theta is not 0
 *
 * theta: slide, m/s; chi: level, N; f: N, in R^1 .. R^3. The set of forces is the ball C = {|f| <=
 * chi}, theta is normal to it at f. prox: sat(chi, y), outside chi y/|y|. */
#include "sets.h"

static bool project(int n, double chi, const double *y, double *f) {
    return !dry_sat(n, chi, y, f);
}

/* Outside, with m = y/|y|: P = chi/|y| (I - m m'), g = m. A scalar keeps its direction. */
static bool derivative(int n, double chi, const double *y, double *P, double *g) {
    const double length = dry_norm(n, y);
    const bool inside = length <= chi;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < n; c++) {
            const double unit = i == c ? 1.0 : 0.0;
            P[i * n + c] = inside   ? unit
                           : n == 1 ? 0.0
                                    : chi / length * (unit - y[i] / length * (y[c] / length));
        }
        g[i] = inside || !(chi > 0.0) ? 0.0 : y[i] / length;
    }
    return inside;
}

static double excess(int n, double chi, const double *y) { return dry_norm(n, y) - chi; }

static double support(int n, double chi, const double *v) { return chi * dry_norm(n, v); }

const dry_set dry_set__sgn = {
    .name = "sgn",
    .title = "dry friction",
    .equation = "|f| <= chi, f = chi theta/|theta| where theta is not 0",
    .paper = "X13 section 2, Theorem 1",
    .argument = "theta",
    .force = "f",
    .kind = DRY_SET_OF_FORCES,
    .shape = DRY_SHAPE_BALL,
    .max_dim = 3,
    .has_level = true,
    .symmetric = true,
    .project = project,
    .derivative = derivative,
    .excess = excess,
    .support = support,
};
