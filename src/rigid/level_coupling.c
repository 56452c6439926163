/* Levels that depend on forces, as chi = mu N or chi = mu |f| of another friction: the prox problem
 * takes linear levels only. A nonlinear level is linearized at the forces found, and the problem is
 * solved again until the level does not change.
 *
 *     chi(lambda) = base + lift lambda     lift = d chi/d lambda at the present forces
 *
 * In an impact lambda is an impulse, and forces are as large as the impact is short: the level is
 * chi(large lambda)/large. So mu |N| or max(c, mu N) counts as mu N, and a constant as nothing. */
#include "rigid_private.h"

/* The error of chi that is accepted, in parts of the largest force or level. */
static const double LEVEL_TOLERANCE = 1e-9;

/* One over the duration of an impact, in steps. */
static const double LARGE = 1e10;

/* Evaluates at the forces lambda `scale`. */
static void eval_levels(dry_rigid *r, double t, const double *x, double scale) {
    const dry_rigid__problem *p = &r->problem;
    for (int i = 0; i < p->n_forces; i++) r->trial.forces[i] = scale * p->lambda[i];
    dry_rigid__eval(r, t, x, r->trial.forces, &r->trial.end);
}

static void linearize_levels(dry_rigid *r, double t, const double *x, double scale) {
    dry_rigid__problem *p = &r->problem;
    if (r->inclusion->n_lift == 0) return;
    eval_levels(r, t, x, scale);
    memcpy(p->lift, r->trial.end.lift, (size_t)r->inclusion->n_lift * sizeof *p->lift);
    for (int set = 0; set < p->n_sets; set++) {
        if (!dry_rigid__is_lifted(&p->pattern, set)) continue;
        p->base[set] = r->trial.end.level[set] / scale;
        for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
            p->base[set] -= p->lift[k] * p->lambda[p->pattern.lift_force[k]];
    }
}

/* The difference between chi at the forces found and the chi that was used to find them, in parts
 * of the largest. */
static dry_rigid__fault level_error(dry_rigid *r, double t, const double *x, double scale,
                                    double *part) {
    const dry_rigid__problem *p = &r->problem;
    double moved = 0.0, most = 0.0;
    eval_levels(r, t, x, scale);
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, fabs(p->lambda[i]));
    for (int set = 0; set < p->n_sets; set++) {
        if (!dry_rigid__is_lifted(&p->pattern, set)) continue;
        const double level = r->trial.end.level[set] / scale;
        if (!(level >= -LEVEL_TOLERANCE * (1.0 + p->level[set])))
            return (dry_rigid__fault){DRY_RIGID_BAD_LEVEL, set};
        moved = dry_max(moved, fabs(level - p->level[set]));
        most = dry_max(most, p->level[set]);
    }
    *part = moved > 0.0 ? moved / most : 0.0;
    return (dry_rigid__fault){0};
}

dry_rigid__fault dry_rigid__solve_levels(dry_rigid *r, double t, const double *x, double h,
                                         double last, dry_rigid__solve_fn *solve) {
    for (int k = 0; k < r->problem.max_iterations; k++) {
        double part = 0.0;
        linearize_levels(r, t, x, 1.0);
        dry_rigid__fault fault = solve(r, h, last);
        if (fault.why || r->inclusion->n_lift == 0) return fault;
        fault = level_error(r, t, x, 1.0, &part);
        if (fault.why || part <= LEVEL_TOLERANCE) return fault;
        r->problem.error = part;
    }
    dry_rigid__residual(&r->problem, r->problem.blame);
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, r->inclusion->lift_force[0]};
}

dry_rigid__fault dry_rigid__solve_impulses(dry_rigid *r, double t) {
    dry_rigid__problem *p = &r->problem;
    const double scale = LARGE / r->options.step;
    for (int k = 0; k < p->max_iterations; k++) {
        double part = 0.0;
        dry_rigid__fault fault = dry_rigid__solve(p);
        if (fault.why || r->inclusion->n_lift == 0) return fault;
        fault = level_error(r, t, r->now.x, scale, &part);
        if (fault.why || part <= LEVEL_TOLERANCE) return fault;
        linearize_levels(r, t, r->now.x, scale);
        p->error = part;
    }
    dry_rigid__residual(p, p->blame);
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, r->inclusion->lift_force[0]};
}

void dry_rigid__lift_impulse(dry_rigid *r, double t, int force) {
    dry_rigid__problem *p = &r->problem;
    if (r->inclusion->n_lift == 0) return;
    memset(p->lambda, 0, (size_t)p->n_forces * sizeof *p->lambda);
    p->lambda[force] = 1.0;
    eval_levels(r, t, r->now.x, LARGE / r->options.step);
    memcpy(p->lift, r->trial.end.lift, (size_t)r->inclusion->n_lift * sizeof *p->lift);
}
