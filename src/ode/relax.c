/* States that relax on their own, followed in closed form so that they do not hold the step back.
 *
 *     x_dot_i = lambda_i (target_i - x_i)
 *
 * is what the stretch of a saturated friction element does (X13 (18)), and that of an open contact
 * (X13 (25)): soon it is at rest, but an explicit method stays stable only with steps of a few
 * 1/lambda. The stages of a step show whether a state is of this kind, in any system. From then on
 * its stages and its continuous output come from the exponential; its rates are still evaluated,
 * and the step is rejected if one differs from the line.
 *
 * lambda: 1/s, 0 for a state that is integrated; defect: x_dot - lambda (target - x). */
#include <float.h>

#include "ode_private.h"

/* A defect that lasts a step may move the state by these parts of its tolerance: in the step that
 * finds it, and in later ones. */
static const double FOUND = 0.01, KEPT = 0.1;
/* The search is for states that fall by e^-0.5 or more in a step, and by e^-8 at most while samples
 * of a switching function must see the fall. */
static const double WORTH = 0.5, SEEN = 8.0;
/* How far a stage may be from the line, in parts of its length. */
static const double STRAIGHT = 1e-5;

/* ---- finding ------------------------------------------------------------- */

/* Whether all stages of the trial are on one falling line (x_i, x_dot_i), which is noted. */
static bool on_a_line(dry_ode *ode, double h, int i) {
    const int end = ode->method->tableau->end_stage, last = end - 1; /* both at t + h */
    const double x = ode->x[i], dx = dry_ode__stage_value(ode, last)[i] - x;
    const double rate = dry_ode__stage(ode, 0)[i], change = dry_ode__stage(ode, last)[i] - rate;
    if (!(change * dx < 0.0 && fabs(change) * h > WORTH * fabs(dx))) return false;
    const double lambda = -change / dx, target = x + rate / lambda;
    const double found = FOUND * dry_ode__tolerance(ode, i, x, x) / h;
    const double straight = STRAIGHT * fabs(change), most = found < straight ? found : straight;
    for (int s = 1; s < last; s++) {
        const double line = lambda * (target - dry_ode__stage_value(ode, s)[i]);
        if (!(fabs(dry_ode__stage(ode, s)[i] - line) <= most)) return false;
    }
    dry_ode__lambda(ode)[i] = lambda;
    dry_ode__target(ode)[i] = target;
    dry_ode__end_rate(ode)[i] = dry_ode__stage(ode, end)[i];
    dry_ode__stage(ode, 0)[i] = 0.0;
    ode->control.has_rate = false;
    ode->relaxed.count++;
    return true;
}

double dry_ode__relax_find(dry_ode *ode, double h, int worst) {
    const double *lambda = dry_ode__lambda(ode);
    double largest = 0.0;
    if (!(h < ode->relaxed.below)) return 0.0;
    if (lambda[worst] == 0.0 && on_a_line(ode, h, worst)) largest = lambda[worst];
    for (int i = 0; ode->relaxed.count && i < ode->system->n_states; i++)
        if (lambda[i] == 0.0 && on_a_line(ode, h, i) && lambda[i] > largest) largest = lambda[i];
    if (largest > 0.0) ode->control.error_before = 0.0; /* it was theirs */
    return largest;
}

/* ---- following ----------------------------------------------------------- */

double dry_ode__relax_begin(dry_ode *ode, double most) {
    double *rate = dry_ode__stage(ode, 0), *lambda = dry_ode__lambda(ode);
    const double *target = dry_ode__target(ode);
    for (int i = 0; i < ode->system->n_states; i++) {
        if (lambda[i] == 0.0) continue;
        const double tolerance = dry_ode__tolerance(ode, i, ode->x[i], ode->x[i]);
        const double gap = ode->x[i] - target[i], defect = fabs(rate[i] + lambda[i] * gap);
        if (defect <= FOUND * tolerance * lambda[i]) {
            rate[i] = 0.0;
            if (fabs(gap) > tolerance && most * lambda[i] > SEEN) most = SEEN / lambda[i];
        } else {
            lambda[i] = 0.0;
            ode->relaxed.count--;
        }
    }
    return most;
}

void dry_ode__relax_drop(dry_ode *ode, double h) {
    double *rate = dry_ode__stage(ode, 0), *lambda = dry_ode__lambda(ode);
    for (int i = 0; i < ode->system->n_states; i++) {
        if (lambda[i] == 0.0) continue;
        rate[i] = lambda[i] * (dry_ode__target(ode)[i] - ode->x[i]);
        lambda[i] = 0.0;
    }
    ode->relaxed.count = 0;
    ode->relaxed.error = 0.0;
    ode->relaxed.below = h;
}

void dry_ode__relax_point(const dry_ode *ode, double dt, double *x) {
    const double *x0 = dry_ode__before(ode), *lambda = dry_ode__lambda(ode);
    const double *target = dry_ode__target(ode);
    for (int i = 0; i < ode->system->n_states; i++) {
        if (lambda[i] == 0.0) continue;
        const double gap = x0[i] - target[i];
        x[i] = target[i];
        if (fabs(gap) > DBL_EPSILON * fabs(target[i])) x[i] += gap * dry_exp(-lambda[i] * dt);
    }
}

void dry_ode__relax_check(dry_ode *ode, double h, const double *x, double *rate, double *kept) {
    const double *x0 = dry_ode__before(ode), *lambda = dry_ode__lambda(ode);
    const double *target = dry_ode__target(ode);
    for (int i = 0; i < ode->system->n_states; i++) {
        if (lambda[i] == 0.0) continue;
        const double moved = h * fabs(rate[i] + lambda[i] * (x[i] - target[i]));
        const double most = KEPT * dry_ode__tolerance(ode, i, x0[i], x0[i]);
        if (!(moved <= most)) ode->relaxed.error = moved / most;
        if (kept) kept[i] = rate[i];
        rate[i] = 0.0;
    }
}
