/* The splitting of Glowinski, Shiau, Kuo, Nasser 2004 for any inclusion: friction, then elasticity.
 *
 * Which term belongs to which step is decided by what it depends on. With r(t, z, u, lambda) the
 * rate of the velocities u, z the other states:
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
 * The origin o is z = 0, or the start where the rates are not finite at 0. z_m: predicted for the
 * middle of the substep, so that bodies without friction, which belong to z, swing without growing.
 * At a time where the forcing jumps its right limit is taken. */
#include "rigid_private.h"

enum { REPEATS = 20, NEWTONS = 10 };

/* ---- friction ------------------------------------------------------------ */

void dry_rigid__choose_origin(dry_rigid *r) {
    double zero = 0.0;
    dry_rigid__eval(r, r->t, r->origin, r->zero, &r->end);
    for (int j = 0; j < r->inclusion->n_states; j++) zero += 0.0 * r->end.rate[j];
    for (int k = 0; k < r->n_others && !(zero == 0.0); k++)
        r->origin[r->others[k]] = r->x[r->others[k]];
}

/* out = E(z) with z of the state s. */
static void elastic_at(dry_rigid *r, double t, const double *s, double *out) {
    const size_t bytes = (size_t)r->inclusion->n_states * sizeof *s;
    dry_rigid__eval(r, t, r->origin, r->zero, &r->end);
    memcpy(r->origin_rate, r->end.rate, bytes);
    memcpy(r->point, s, bytes);
    for (int k = 0; k < r->n_velocities; k++) r->point[r->velocities[k]] = 0.0;
    dry_rigid__eval(r, t, r->point, r->zero, &r->end);
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        out[j] = r->end.rate[j] - r->origin_rate[j];
    }
}

/* The forces of a substep tau; r->F holds the accelerations without them. */
static dry_rigid__fault solve(dry_rigid *r, double tau, double last) {
    (void)last;
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    memcpy(p->s0, r->mid.slide, (size_t)inc->n_forces * sizeof *p->s0);
    for (int k = 0; k < inc->n_feel; k++)
        p->s0[inc->feel_force[k]] += r->mid.feel[k] * tau * r->F[inc->feel_state[k]];
    dry_rigid__assemble(p, tau, r->mid.feel, r->mid.push);
    return dry_rigid__solve(p);
}

/* u+ in r->y; r->elastic holds E(z). */
static dry_rigid__fault friction_substep(dry_rigid *r, double t, double tau) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    dry_rigid__eval(r, t, r->x, r->zero, &r->mid);
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->F[j] = r->mid.rate[j] - r->elastic[j];
        r->y[j] = r->x[j] + tau * r->F[j];
    }
    memcpy(p->base, r->mid.level, (size_t)inc->n_sets * sizeof *p->base);
    const dry_rigid__fault fault = dry_rigid__solve_bent(r, t, r->x, tau, t, solve);
    if (fault.why) return fault;
    for (int k = 0; k < inc->n_push; k++)
        r->y[inc->push_state[k]] += tau * r->mid.push[k] * p->lambda[inc->push_force[k]];
    dry_rigid__hold(r);
    return fault;
}

/* From t over h with P substeps; `share` of the step in the mean of the forces. */
static dry_rigid__fault friction(dry_rigid *r, int P, double t, double h, double end,
                                 double share) {
    elastic_at(r, t, r->x, r->elastic);
    for (int p = 1; p <= P; p++) {
        const double time = p == P ? end : t + p * h / P;
        const dry_rigid__fault fault = friction_substep(r, time, h / P);
        if (fault.why) return fault;
        for (int k = 0; k < r->n_velocities; k++) r->x[r->velocities[k]] = r->y[r->velocities[k]];
        for (int i = 0; i < r->inclusion->n_forces; i++)
            r->forces[i] += share / P * r->problem.lambda[i];
    }
    return (dry_rigid__fault){0};
}

/* ---- elasticity ---------------------------------------------------------- */

/* z+ in r->y and its E in `out`, with a+ given in r->elastic_next. */
static void elastic_try(dry_rigid *r, double t, double tau, double *out) {
    const double alpha = r->options.weight;
    memcpy(r->point, r->x, (size_t)r->inclusion->n_states * sizeof *r->x);
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->point[j] += tau * ((0.5 - alpha) * r->elastic[j] + alpha * r->elastic_next[j]);
    }
    if (!r->steady) {
        dry_rigid__move_others(r, t, 0.5 * tau, r->y);
        for (int k = 0; k < r->n_others; k++) r->point[r->others[k]] = r->y[r->others[k]];
    }
    dry_rigid__move_others(r, t, tau, r->y);
    elastic_at(r, t, r->y, out);
}

/* a+ := out; its largest change beside its largest entry. */
static double take_over(dry_rigid *r, const double *out) {
    double moved = 0.0, most = 0.0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        moved = dry_max(moved, fabs(out[j] - r->elastic_next[j]));
        most = dry_max(most, fabs(out[j]));
        r->elastic_next[j] = out[j];
    }
    return moved > 0.0 ? moved / most : 0.0;
}

/* One iteration of Newton for a+ - E(z+(a+)) = 0, its slope by differences. */
static bool elastic_newton(dry_rigid *r, double t, double tau) {
    const int n = r->n_velocities;
    double *residual = r->A1, *moved = r->A2, *J = r->jacobian, *step = r->bulk;
    elastic_try(r, t, tau, residual);
    for (int c = 0; c < n; c++) {
        double *a = &r->elastic_next[r->velocities[c]], kept = *a;
        const double d = 1e-3 * (1.0 + fabs(kept));
        *a = kept + d;
        elastic_try(r, t, tau, moved);
        *a = kept;
        for (int k = 0; k < n; k++) {
            const int j = r->velocities[k];
            J[k * n + c] = (k == c ? 1.0 : 0.0) - (moved[j] - residual[j]) / d;
        }
    }
    for (int k = 0; k < n; k++)
        step[k] = residual[r->velocities[k]] - r->elastic_next[r->velocities[k]];
    if (dry_solve(n, J, step) != DRY_OK) return false;
    for (int k = 0; k < n; k++)
        residual[r->velocities[k]] = r->elastic_next[r->velocities[k]] + step[k];
    return true;
}

/* a+ and z+: by repetition, and by Newton where that does not settle. */
static dry_rigid__fault elastic_solve(dry_rigid *r, double t, double tau) {
    double *out = r->A1;
    memcpy(r->elastic_next, r->elastic, (size_t)r->inclusion->n_states * sizeof *r->elastic);
    for (int k = 0; k < REPEATS; k++) {
        elastic_try(r, t, tau, out);
        if (take_over(r, out) <= 1e-15 || r->options.weight == 0.0) return (dry_rigid__fault){0};
    }
    memcpy(r->elastic_next, r->elastic, (size_t)r->inclusion->n_states * sizeof *r->elastic);
    for (int k = 0; k < NEWTONS && r->jacobian; k++) {
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
    elastic_at(r, t, r->x, r->elastic);
    for (int q = 0; q < r->options.Q; q++) {
        const dry_rigid__fault fault = elastic_solve(r, t + (q + 0.5) * tau, tau);
        if (fault.why) return fault;
        for (int k = 0; k < r->n_velocities; k++) {
            const int j = r->velocities[k];
            r->x[j] += 0.5 * tau * (r->elastic[j] + r->elastic_next[j]);
            r->elastic[j] = r->elastic_next[j];
        }
        for (int k = 0; k < r->n_others; k++) r->x[r->others[k]] = r->y[r->others[k]];
    }
    return (dry_rigid__fault){0};
}

/* ---- the two orders ------------------------------------------------------ */

static void begin(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    memset(r->forces, 0, (size_t)inc->n_forces * sizeof *r->forces);
    for (int set = 0; set < inc->n_sets; set++) r->problem.active[set] = true;
}

static dry_rigid__fault check(const dry_rigid *r) {
    for (int j = 0; j < r->inclusion->n_states; j++)
        if (!isfinite(r->x[j])) return (dry_rigid__fault){DRY_RIGID_LOST, j};
    return (dry_rigid__fault){0};
}

/* (9)-(12) */
dry_rigid__fault dry_rigid__step_split(dry_rigid *r, double h, double end, double last) {
    (void)last;
    begin(r);
    dry_rigid__fault fault = friction(r, r->options.P, r->t, h, end, 1.0);
    if (!fault.why) fault = elasticity(r, r->t, h);
    return fault.why ? fault : check(r);
}

/* (13)-(16); half of the P substeps in each half */
dry_rigid__fault dry_rigid__step_symmetric(dry_rigid *r, double h, double end, double last) {
    (void)last;
    const double half = r->t + 0.5 * h;
    const int P = (r->options.P + 1) / 2;
    begin(r);
    dry_rigid__fault fault = friction(r, P, r->t, 0.5 * h, half, 0.5);
    if (!fault.why) fault = elasticity(r, r->t, h);
    if (!fault.why) fault = friction(r, P, half, 0.5 * h, end, 0.5);
    return fault.why ? fault : check(r);
}
