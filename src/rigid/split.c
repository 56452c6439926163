/* The splitting of Glowinski, Shiau, Kuo, Nasser 2004 for any inclusion: friction, then elasticity.
 *
 * What a term depends on decides which step it belongs to. With r(t, z, u, lambda) the rate of the
 * velocities u, z the other states:
 *
 *     elastic:   E(z) = r(t, z, 0, 0) - r(t, o, 0, 0)         the force of the position
 *     friction:  F(t, u, lambda) = r(t, z, u, lambda) - E(z)  the rest, with z frozen
 *
 * Friction step, P substeps tau1 (19)-(22): u+ = u + tau1 F(t + tau1, u, lambda), lambda in its set
 * of the slide at u+. Elastic step, Q substeps tau2 (24)-(26): the three-level scheme with weight
 * alpha, which in velocities is
 *
 *     z+ = z + tau2 G(z_m, u + tau2 ((1/2 - alpha) a + alpha a+)),  u+ = u + tau2 (a + a+)/2,
 *     a = E(z)
 *
 * The origin o is z = 0, or the start if the rates are not finite at 0. z_m: predicted for the
 * middle of the substep, so that bodies without friction, which belong to z, swing without growing.
 * At a time at which the forcing jumps its right limit is taken. */
#include "rigid_private.h"

enum { REPEATS = 20, NEWTONS = 10 };

/* ---- friction ------------------------------------------------------------ */

void dry_rigid__choose_origin(dry_rigid *r) {
    double zero = 0.0;
    dry_rigid__eval(r, r->clock.t, r->elastic.origin, r->zero, &r->trial.end);
    for (int j = 0; j < r->inclusion->n_states; j++) zero += 0.0 * r->trial.end.rate[j];
    for (int k = 0; k < r->layout.n_others && !(zero == 0.0); k++)
        r->elastic.origin[r->layout.others[k]] = r->now.x[r->layout.others[k]];
}

/* out = E(z) with z of the state s. */
static void elastic_at(dry_rigid *r, double t, const double *s, double *out) {
    const size_t bytes = (size_t)r->inclusion->n_states * sizeof *s;
    dry_rigid__eval(r, t, r->elastic.origin, r->zero, &r->trial.end);
    memcpy(r->elastic.origin_rate, r->trial.end.rate, bytes);
    memcpy(r->trial.point, s, bytes);
    for (int k = 0; k < r->layout.n_velocities; k++) r->trial.point[r->layout.velocities[k]] = 0.0;
    dry_rigid__eval(r, t, r->trial.point, r->zero, &r->trial.end);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        out[j] = r->trial.end.rate[j] - r->elastic.origin_rate[j];
    }
}

/* The forces of a substep tau; r->trial.F holds the accelerations without them. */
static dry_rigid__fault solve(dry_rigid *r, double tau, double last) {
    (void)last;
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    memcpy(p->s0, r->trial.mid.slide, (size_t)inc->n_forces * sizeof *p->s0);
    for (int k = 0; k < inc->n_feel; k++)
        p->s0[inc->feel_force[k]] += r->trial.mid.feel[k] * tau * r->trial.F[inc->feel_state[k]];
    dry_rigid__assemble(p, tau, r->trial.mid.feel, r->trial.mid.push);
    return dry_rigid__solve(p);
}

/* u+ in r->trial.y; r->elastic.now holds E(z). */
static dry_rigid__fault friction_substep(dry_rigid *r, double t, double tau) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    dry_rigid__eval(r, t, r->now.x, r->zero, &r->trial.mid);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.F[j] = r->trial.mid.rate[j] - r->elastic.now[j];
        r->trial.y[j] = r->now.x[j] + tau * r->trial.F[j];
    }
    memcpy(p->base, r->trial.mid.level, (size_t)inc->n_sets * sizeof *p->base);
    const dry_rigid__fault fault = dry_rigid__solve_levels(r, t, r->now.x, tau, t, solve);
    if (fault.why) return fault;
    for (int k = 0; k < inc->n_push; k++)
        r->trial.y[inc->push_state[k]] +=
            tau * r->trial.mid.push[k] * p->lambda[inc->push_force[k]];
    dry_rigid__hold_velocities(r);
    return fault;
}

/* From t over h with P substeps; `share` of the step in the mean of the forces. */
static dry_rigid__fault friction(dry_rigid *r, int P, double t, double h, double end,
                                 double share) {
    elastic_at(r, t, r->now.x, r->elastic.now);
    for (int p = 1; p <= P; p++) {
        const double time = p == P ? end : t + p * h / P;
        const dry_rigid__fault fault = friction_substep(r, time, h / P);
        if (fault.why) return fault;
        for (int k = 0; k < r->layout.n_velocities; k++)
            r->now.x[r->layout.velocities[k]] = r->trial.y[r->layout.velocities[k]];
        for (int i = 0; i < r->inclusion->n_forces; i++)
            r->now.forces[i] += share / P * r->problem.lambda[i];
    }
    return (dry_rigid__fault){0};
}

/* ---- elasticity ---------------------------------------------------------- */

/* z+ in r->trial.y and its E in `out`, with a+ given in r->elastic.next. */
static void elastic_try(dry_rigid *r, double t, double tau, double *out) {
    const double alpha = r->options.weight;
    memcpy(r->trial.point, r->now.x, (size_t)r->inclusion->n_states * sizeof *r->now.x);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.point[j] += tau * ((0.5 - alpha) * r->elastic.now[j] + alpha * r->elastic.next[j]);
    }
    if (!r->carry.known) {
        dry_rigid__move_others(r, t, 0.5 * tau, r->trial.y);
        for (int k = 0; k < r->layout.n_others; k++)
            r->trial.point[r->layout.others[k]] = r->trial.y[r->layout.others[k]];
    }
    dry_rigid__move_others(r, t, tau, r->trial.y);
    elastic_at(r, t, r->trial.y, out);
}

/* a+ := out; its largest change relative to its largest entry. */
static double take_over(dry_rigid *r, const double *out) {
    double moved = 0.0, most = 0.0;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        moved = dry_max(moved, fabs(out[j] - r->elastic.next[j]));
        most = dry_max(most, fabs(out[j]));
        r->elastic.next[j] = out[j];
    }
    return moved > 0.0 ? moved / most : 0.0;
}

/* One iteration of Newton for a+ - E(z+(a+)) = 0, its slope by differences. */
static bool elastic_newton(dry_rigid *r, double t, double tau) {
    const int n = r->layout.n_velocities;
    double *residual = r->past.A1, *moved = r->past.A2, *J = r->elastic.jacobian,
           *step = r->trial.bulk;
    elastic_try(r, t, tau, residual);
    for (int c = 0; c < n; c++) {
        double *a = &r->elastic.next[r->layout.velocities[c]], kept = *a;
        const double d = 1e-3 * (1.0 + fabs(kept));
        *a = kept + d;
        elastic_try(r, t, tau, moved);
        *a = kept;
        for (int k = 0; k < n; k++) {
            const int j = r->layout.velocities[k];
            J[k * n + c] = (k == c ? 1.0 : 0.0) - (moved[j] - residual[j]) / d;
        }
    }
    for (int k = 0; k < n; k++)
        step[k] = residual[r->layout.velocities[k]] - r->elastic.next[r->layout.velocities[k]];
    if (dry_solve(n, J, step) != DRY_OK) return false;
    for (int k = 0; k < n; k++)
        residual[r->layout.velocities[k]] = r->elastic.next[r->layout.velocities[k]] + step[k];
    return true;
}

/* a+ and z+: by fixed-point iteration, or by Newton if that does not converge. */
static dry_rigid__fault elastic_solve(dry_rigid *r, double t, double tau) {
    double *out = r->past.A1;
    memcpy(r->elastic.next, r->elastic.now,
           (size_t)r->inclusion->n_states * sizeof *r->elastic.now);
    for (int k = 0; k < REPEATS; k++) {
        elastic_try(r, t, tau, out);
        if (take_over(r, out) <= 1e-15 || r->options.weight == 0.0) return (dry_rigid__fault){0};
    }
    memcpy(r->elastic.next, r->elastic.now,
           (size_t)r->inclusion->n_states * sizeof *r->elastic.now);
    for (int k = 0; k < NEWTONS && r->elastic.jacobian; k++) {
        if (!elastic_newton(r, t, tau)) break;
        const double moved = take_over(r, out);
        if (moved > 1e-12) continue;
        elastic_try(r, t, tau, out);
        return (dry_rigid__fault){0};
    }
    return (dry_rigid__fault){DRY_RIGID_ELASTIC, 0};
}

static dry_rigid__fault elasticity(dry_rigid *r, double t, double h) {
    const double tau = h / r->options.Q;
    elastic_at(r, t, r->now.x, r->elastic.now);
    for (int q = 0; q < r->options.Q; q++) {
        const dry_rigid__fault fault = elastic_solve(r, t + (q + 0.5) * tau, tau);
        if (fault.why) return fault;
        for (int k = 0; k < r->layout.n_velocities; k++) {
            const int j = r->layout.velocities[k];
            r->now.x[j] += 0.5 * tau * (r->elastic.now[j] + r->elastic.next[j]);
            r->elastic.now[j] = r->elastic.next[j];
        }
        for (int k = 0; k < r->layout.n_others; k++)
            r->now.x[r->layout.others[k]] = r->trial.y[r->layout.others[k]];
    }
    return (dry_rigid__fault){0};
}

/* ---- the two orders ------------------------------------------------------ */

static void begin(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    memset(r->now.forces, 0, (size_t)inc->n_forces * sizeof *r->now.forces);
    for (int set = 0; set < inc->n_sets; set++) r->problem.active[set] = true;
}

static dry_rigid__fault check(const dry_rigid *r) {
    for (int j = 0; j < r->inclusion->n_states; j++)
        if (!isfinite(r->now.x[j])) return (dry_rigid__fault){DRY_RIGID_LOST, j};
    return (dry_rigid__fault){0};
}

/* (9)-(12) */
dry_rigid__fault dry_rigid__step_split(dry_rigid *r, double h, double end, double last) {
    (void)last;
    begin(r);
    dry_rigid__fault fault = friction(r, r->options.P, r->clock.t, h, end, 1.0);
    if (!fault.why) fault = elasticity(r, r->clock.t, h);
    return fault.why ? fault : check(r);
}

/* (13)-(16); half of the P substeps in each half */
dry_rigid__fault dry_rigid__step_symmetric(dry_rigid *r, double h, double end, double last) {
    (void)last;
    const double half = r->clock.t + 0.5 * h;
    const int P = (r->options.P + 1) / 2;
    begin(r);
    dry_rigid__fault fault = friction(r, P, r->clock.t, 0.5 * h, half, 0.5);
    if (!fault.why) fault = elasticity(r, r->clock.t, h);
    if (!fault.why) fault = friction(r, P, half, 0.5 * h, end, 0.5);
    return fault.why ? fault : check(r);
}
