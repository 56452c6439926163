/* A trial step of the prox scheme: forces at mid-step, sets at the end of the step.
 *
 *     u+ = u + h (F + P lambda),  F = f_m + (f_m - 2 f_m1 + f_m2)/24,  f_m = f(t + h/2, z_m, u_m)
 *     z+ = z + h G(t + h/2, z_m, u_mean),  u_mean = (u + u+)/2 - h (A - A1)/12
 *
 * f: rate of the velocities without set-valued forces, P = push: what the forces add, G: rate of
 * the other states, A = F + P lambda. z_m, u_m are predicted with A of the last steps; after an
 * event those are unknown, so the step is computed twice. The terms with earlier steps (1, 2) turn
 * the midpoint rule into one of third order between events (Adams' differences for midpoints); they
 * are left out after an event. */
#include "rigid_private.h"

static const double STILL = 1e-13; /* of a slide, in parts of the speeds that it is made of */

/* ---- predicting ---------------------------------------------------------- */

/* Mean acceleration over the first half of the step. */
static double acceleration_ahead(const dry_rigid__past *past, const dry_rigid__trial *trial,
                                 int j) {
    if (past->known >= 2) return past->A1[j] + 0.75 * (past->A1[j] - past->A2[j]);
    return past->known == 1 ? past->A1[j] : trial->A[j];
}

void dry_rigid__move_others(dry_rigid *r, double t, double h, double *to) {
    const double *x = r->now.x, *u = r->trial.point;
    if (!r->carry.known) {
        dry_rigid__eval(r, t, u, r->zero, &r->trial.end);
        for (int k = 0; k < r->layout.n_others; k++) {
            const int z = r->layout.others[k];
            to[z] = x[z] + h * r->trial.end.rate[z];
        }
        return;
    }
    for (int k = 0; k < r->layout.n_others; k++)
        to[r->layout.others[k]] = r->carry.constant[r->layout.others[k]];
    for (int k = 0; k < r->carry.n; k++)
        to[r->carry.state[k]] += r->carry.value[k] * u[r->carry.velocity[k]];
    for (int k = 0; k < r->layout.n_others; k++) {
        const int z = r->layout.others[k];
        to[z] = x[z] + h * to[z];
    }
}

/* The state at mid-step. */
static void predict(dry_rigid *r, double t, double h) {
    for (int k = 0; k < r->layout.n_others; k++)
        r->trial.point[r->layout.others[k]] = r->now.x[r->layout.others[k]];
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        const double a = acceleration_ahead(&r->past, &r->trial, j);
        r->trial.point[j] = r->now.x[j] + 0.25 * h * a;
        r->trial.middle[j] = r->now.x[j] + 0.5 * h * a;
    }
    dry_rigid__move_others(r, t, 0.5 * h, r->trial.middle);
}

/* ---- the problem --------------------------------------------------------- */

static double mean(double now, double one, double two, bool known) {
    return known ? now + (now - 2.0 * one + two) * (1.0 / 24.0) : now;
}

/* Mean smooth accelerations and levels over the step, from those at mid-step. */
static void take_means(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    const bool known = r->past.known >= 2;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.F[j] = r->trial.mid.rate[j];
        r->trial.A[j] = mean(r->trial.F[j], r->past.F1[j], r->past.F2[j], known);
    }
    for (int set = 0; set < inc->n_sets; set++) {
        r->trial.chi[set] = r->trial.mid.level[set];
        const bool smooth =
            known && inc->sets[set].set->kind == DRY_SET_OF_FORCES && inc->n_lift == 0;
        const double chi = mean(r->trial.chi[set], r->past.chi1[set], r->past.chi2[set], smooth);
        r->problem.base[set] = r->trial.chi[set] >= 0.0 ? dry_pos(chi) : r->trial.chi[set];
    }
}

/* Slides at the end of the step without forces; r->trial.A holds the smooth accelerations. The feel
 * is taken at the end of the step, so the constraint holds there. */
static const double *free_slides(dry_rigid *r, double h, double last) {
    const dry_inclusion *inc = r->inclusion;
    double *s0 = r->problem.s0;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.point[j] = r->now.x[j] + h * r->trial.A[j];
    }
    if (r->carry.known) {
        memcpy(s0, r->carry.slide, (size_t)inc->n_forces * sizeof *s0);
        for (int k = 0; k < inc->n_feel; k++)
            s0[inc->feel_force[k]] += r->trial.mid.feel[k] * r->trial.point[inc->feel_state[k]];
        return r->trial.mid.feel;
    }
    for (int k = 0; k < r->layout.n_others; k++) {
        const int z = r->layout.others[k];
        r->trial.point[z] = r->now.x[z] + h * r->trial.mid.rate[z];
    }
    dry_rigid__eval(r, last, r->trial.point, r->zero, &r->trial.end);
    memcpy(s0, r->trial.end.slide, (size_t)inc->n_forces * sizeof *s0);
    return r->trial.end.feel;
}

/* Whether the force of a vector set has the direction of its mid-step slide: it slips and cannot
 * stop in this step. */
static bool blends(const dry_rigid *r, int set) {
    const dry_inclusion_set *of = &r->inclusion->sets[set];
    if (of->dim == 1 || !r->now.slips[set]) return false;
    const double speed = dry_norm(of->dim, r->now.slide + of->force);
    return speed > -4.0 * dry_rigid__diagonal(&r->problem, set) * r->trial.chi[set];
}

/* The sum of both slides has the direction of their mean; D, which keeps its symmetry, need not
 * change. */
static void blend(dry_rigid__problem *p, const double *slide, int set) {
    const int first = p->sets[set].force;
    for (int i = first; i < first + p->sets[set].dim; i++) p->s0[i] += slide[i];
}

static void unblend(dry_rigid__problem *p, const double *slide, int set) {
    const int first = p->sets[set].force;
    for (int i = first; i < first + p->sets[set].dim; i++) p->slide[i] -= slide[i];
}

void dry_rigid__note_speed(dry_rigid *r, const double *feel, const double *x) {
    const dry_inclusion *inc = r->inclusion;
    r->problem.speed = 0.0;
    for (int k = 0; k < inc->n_feel; k++)
        r->problem.speed = dry_max(r->problem.speed, fabs(feel[k] * x[inc->feel_state[k]]));
}

bool dry_rigid__is_still(const dry_rigid *r, double speed) {
    return fabs(speed) <= STILL * r->problem.speed;
}

static dry_rigid__fault solve(dry_rigid *r, double h, double last) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    const double *feel = free_slides(r, h, last);
    dry_rigid__note_speed(r, feel, r->trial.point);
    dry_rigid__assemble(p, h, feel, r->trial.mid.push);
    for (int set = 0; set < inc->n_sets; set++) {
        const bool dio = inc->sets[set].set->kind == DRY_SET_OF_POSITIONS;
        p->active[set] = !(dio && r->now.slips[set]);
        r->trial.blended[set] = !dio && blends(r, set);
        if (r->trial.blended[set]) blend(p, r->now.slide, set);
    }
    const dry_rigid__fault fault = dry_rigid__solve(p);
    for (int set = 0; set < inc->n_sets; set++)
        if (r->trial.blended[set]) unblend(p, r->now.slide, set);
    return fault;
}

/* ---- moving -------------------------------------------------------------- */

/* A += P lambda, with the sum of the magnitudes in `bulk`. */
static void add_forces(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < r->layout.n_velocities; k++)
        r->trial.bulk[r->layout.velocities[k]] = fabs(r->trial.A[r->layout.velocities[k]]);
    for (int k = 0; k < inc->n_push; k++) {
        const double a = r->trial.mid.push[k] * r->problem.lambda[inc->push_force[k]];
        r->trial.A[inc->push_state[k]] += a;
        r->trial.bulk[inc->push_state[k]] += fabs(a);
    }
}

/* Sets velocities and accelerations that sets hold to exactly zero if they are at the level of
 * rounding, which is the residual of the forces relative to the largest one. */
static void zero_held(dry_rigid *r, double h) {
    const dry_inclusion *inc = r->inclusion;
    const double small = 4.0 * r->problem.residual;
    double most = 0.0;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        most = dry_max(most, r->trial.bulk[j]);
        r->trial.y[j] = r->now.x[j] + h * r->trial.A[j];
    }
    for (int k = 0; k < inc->n_feel; k++) {
        const int j = inc->feel_state[k];
        if (!r->problem.inside[r->problem.pattern.set_of[inc->feel_force[k]]]) continue;
        if (fabs(r->trial.A[j]) <= small * most) {
            r->trial.A[j] = 0.0;
            r->trial.y[j] = r->now.x[j];
        }
        if (fabs(r->trial.y[j]) <= small * (fabs(r->now.x[j]) + h * most)) {
            r->trial.A[j] = -r->now.x[j] / h;
            r->trial.y[j] = 0.0;
        }
    }
    dry_rigid__hold_velocities(r);
}

/* A set that feels one velocity alone holds it to the last bit. */
void dry_rigid__hold_velocities(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    if (!r->carry.known) return;
    for (int k = 0; k < inc->n_feel; k++) {
        const int i = inc->feel_force[k];
        const bool alone = (k == 0 || inc->feel_force[k - 1] != i) &&
                           (k == inc->n_feel - 1 || inc->feel_force[k + 1] != i);
        if (alone && r->problem.inside[r->problem.pattern.set_of[i]] && r->trial.mid.feel[k] != 0.0)
            r->trial.y[inc->feel_state[k]] = 0.0 - r->carry.slide[i] / r->trial.mid.feel[k];
    }
}

/* z+ with the mean velocity of the step. */
static void move(dry_rigid *r, double t, double h) {
    const double factor = r->past.known >= 1 ? h * (1.0 / 12.0) : 0.0;
    for (int k = 0; k < r->layout.n_others; k++)
        r->trial.point[r->layout.others[k]] = r->trial.middle[r->layout.others[k]];
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.point[j] =
            0.5 * (r->now.x[j] + r->trial.y[j]) - factor * (r->trial.A[j] - r->past.A1[j]);
    }
    dry_rigid__move_others(r, t + 0.5 * h, h, r->trial.y);
}

static dry_rigid__fault check(const dry_rigid *r) {
    for (int j = 0; j < r->inclusion->n_states; j++)
        if (!isfinite(r->trial.y[j])) return (dry_rigid__fault){DRY_RIGID_LOST, j};
    return (dry_rigid__fault){0};
}

dry_rigid__fault dry_rigid__try(dry_rigid *r, double t, double h, double last) {
    const int n = r->inclusion->n_states;
    if (h != r->past.h) r->past.known = 0;
    if (r->past.known == 0) memset(r->trial.A, 0, (size_t)n * sizeof *r->trial.A);
    for (int pass = r->past.known == 0 ? 0 : 1; pass < 2; pass++) {
        predict(r, t, h);
        dry_rigid__eval(r, t + 0.5 * h, r->trial.middle, r->zero, &r->trial.mid);
        take_means(r);
        const dry_rigid__fault fault =
            dry_rigid__solve_levels(r, t + 0.5 * h, r->trial.middle, h, last, solve);
        if (fault.why) return fault;
        add_forces(r);
        zero_held(r, h);
    }
    move(r, t, h);
    if (r->layout.n_dio > 0) {
        dry_rigid__eval(r, last, r->trial.y, r->problem.lambda, &r->trial.end);
        memcpy(r->trial.gap, r->trial.end.gap, (size_t)r->inclusion->n_sets * sizeof *r->trial.gap);
    }
    return check(r);
}
