/* A trial step of the prox scheme: forces at mid-step, sets at the end of the step.
 *
 *     u+ = u + h (F + P lambda),  F = f_m + (f_m - 2 f_m1 + f_m2)/24,  f_m = f(t + h/2, z_m, u_m)
 *     z+ = z + h G(t + h/2, z_m, u_mean),  u_mean = (u + u+)/2 - h (A - A1)/12
 *
 * f: rate of the velocities without set-valued forces, P = push: what the forces add, G: rate of
 * the other states, A = F + P lambda. z_m, u_m are predicted with A of the last steps; after an
 * event, where those say nothing, the step is computed twice. The terms with earlier steps (1, 2)
 * turn the midpoint rule into one of third order between events (Adams' differences for midpoints);
 * they are left out after an event. */
#include "rigid_private.h"

/* ---- predicting ---------------------------------------------------------- */

/* Mean acceleration over the first half of the step. */
static double ahead(const dry_rigid *r, int j) {
    if (r->past >= 2) return r->A1[j] + 0.75 * (r->A1[j] - r->A2[j]);
    return r->past == 1 ? r->A1[j] : r->A[j];
}

void dry_rigid__move_others(dry_rigid *r, double t, double h, double *to) {
    const double *x = r->x, *u = r->point;
    if (!r->steady) {
        dry_rigid__eval(r, t, u, r->zero, &r->end);
        for (int k = 0; k < r->n_others; k++) {
            const int z = r->others[k];
            to[z] = x[z] + h * r->end.rate[z];
        }
        return;
    }
    for (int k = 0; k < r->n_others; k++) to[r->others[k]] = r->carry_constant[r->others[k]];
    for (int k = 0; k < r->n_carry; k++)
        to[r->carry_state[k]] += r->carry[k] * u[r->carry_velocity[k]];
    for (int k = 0; k < r->n_others; k++) {
        const int z = r->others[k];
        to[z] = x[z] + h * to[z];
    }
}

/* The state at mid-step. */
static void predict(dry_rigid *r, double t, double h) {
    for (int k = 0; k < r->n_others; k++) r->point[r->others[k]] = r->x[r->others[k]];
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        const double a = ahead(r, j);
        r->point[j] = r->x[j] + 0.25 * h * a;
        r->middle[j] = r->x[j] + 0.5 * h * a;
    }
    dry_rigid__move_others(r, t, 0.5 * h, r->middle);
}

/* ---- the problem --------------------------------------------------------- */

static double mean(double now, double one, double two, bool known) {
    return known ? now + (now - 2.0 * one + two) * (1.0 / 24.0) : now;
}

/* Mean smooth accelerations and levels over the step, from those at mid-step. */
static void take_means(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    const bool known = r->past >= 2;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->F[j] = r->mid.rate[j];
        r->A[j] = mean(r->F[j], r->F1[j], r->F2[j], known);
    }
    for (int set = 0; set < inc->n_sets; set++) {
        r->chi[set] = r->mid.level[set];
        const bool smooth =
            known && inc->sets[set].set->kind == DRY_SET_OF_FORCES && inc->n_lift == 0;
        const double chi = mean(r->chi[set], r->chi1[set], r->chi2[set], smooth);
        r->problem.base[set] = r->chi[set] >= 0.0 ? dry_pos(chi) : r->chi[set];
    }
}

/* Slides at the end of the step without forces; r->A holds the smooth accelerations. The feel is
 * that of the end, so that a constraint is kept where the step leads. */
static const double *free_slides(dry_rigid *r, double h, double last) {
    const dry_inclusion *inc = r->inclusion;
    double *s0 = r->problem.s0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->point[j] = r->x[j] + h * r->A[j];
    }
    if (r->steady) {
        memcpy(s0, r->slide_constant, (size_t)inc->n_forces * sizeof *s0);
        for (int k = 0; k < inc->n_feel; k++)
            s0[inc->feel_force[k]] += r->mid.feel[k] * r->point[inc->feel_state[k]];
        return r->mid.feel;
    }
    for (int k = 0; k < r->n_others; k++) {
        const int z = r->others[k];
        r->point[z] = r->x[z] + h * r->mid.rate[z];
    }
    dry_rigid__eval(r, last, r->point, r->zero, &r->end);
    memcpy(s0, r->end.slide, (size_t)inc->n_forces * sizeof *s0);
    return r->end.feel;
}

/* A vector that slips and cannot stop in this step has the direction of its mid-step slide. */
static bool blends(const dry_rigid *r, int set) {
    const dry_inclusion_set *of = &r->inclusion->sets[set];
    if (of->dim == 1 || !r->slips[set]) return false;
    const double speed = dry_norm(of->dim, r->start_slide + of->force);
    return speed > -4.0 * dry_rigid__diagonal(&r->problem, set) * r->chi[set];
}

static void blend(dry_rigid *r, int set) {
    dry_rigid__problem *p = &r->problem;
    const int first = p->sets[set].force;
    for (int i = first; i < first + p->sets[set].dim; i++) {
        p->s0[i] = 0.5 * (p->s0[i] + r->start_slide[i]);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) p->D[k] *= 0.5;
    }
}

static void unblend(dry_rigid *r, int set) {
    dry_rigid__problem *p = &r->problem;
    const int first = p->sets[set].force;
    for (int i = first; i < first + p->sets[set].dim; i++) {
        p->slide[i] = 2.0 * p->slide[i] - r->start_slide[i];
        for (int k = p->start[i]; k < p->start[i + 1]; k++) p->D[k] *= 2.0;
    }
}

static dry_rigid__fault solve(dry_rigid *r, double h, double last) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    const double *feel = free_slides(r, h, last);
    dry_rigid__assemble(p, h, feel, r->mid.push);
    for (int set = 0; set < inc->n_sets; set++) {
        const bool dio = inc->sets[set].set->kind == DRY_SET_OF_PLACES;
        p->active[set] = !(dio && r->slips[set]);
        r->blended[set] = !dio && blends(r, set);
        if (r->blended[set]) blend(r, set);
    }
    const dry_rigid__fault fault = dry_rigid__solve(p);
    for (int set = 0; set < inc->n_sets; set++)
        if (r->blended[set]) unblend(r, set);
    return fault;
}

/* ---- moving -------------------------------------------------------------- */

/* A += P lambda, with the sum of the magnitudes in `bulk`. */
static void add_forces(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < r->n_velocities; k++)
        r->bulk[r->velocities[k]] = fabs(r->A[r->velocities[k]]);
    for (int k = 0; k < inc->n_push; k++) {
        const double a = r->mid.push[k] * r->problem.lambda[inc->push_force[k]];
        r->A[inc->push_state[k]] += a;
        r->bulk[inc->push_state[k]] += fabs(a);
    }
}

/* What is left of a velocity or an acceleration that sets hold at zero is rounding: it is zero. The
 * measure is the residual of the forces, which is relative to the largest one. */
static void hold(dry_rigid *r, double h) {
    const dry_inclusion *inc = r->inclusion;
    const double small = 4.0 * r->problem.residual;
    double most = 0.0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        most = dry_max(most, r->bulk[j]);
        r->y[j] = r->x[j] + h * r->A[j];
    }
    for (int k = 0; k < inc->n_feel; k++) {
        const int j = inc->feel_state[k];
        if (!r->problem.inside[r->problem.set_of[inc->feel_force[k]]]) continue;
        if (fabs(r->A[j]) <= small * most) {
            r->A[j] = 0.0;
            r->y[j] = r->x[j];
        }
        if (fabs(r->y[j]) <= small * (fabs(r->x[j]) + h * most)) {
            r->A[j] = -r->x[j] / h;
            r->y[j] = 0.0;
        }
    }
    dry_rigid__hold(r);
}

/* A set that feels one velocity alone holds it to the last bit. */
void dry_rigid__hold(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    if (!r->steady) return;
    for (int k = 0; k < inc->n_feel; k++) {
        const int i = inc->feel_force[k];
        const bool alone = (k == 0 || inc->feel_force[k - 1] != i) &&
                           (k == inc->n_feel - 1 || inc->feel_force[k + 1] != i);
        if (alone && r->problem.inside[r->problem.set_of[i]] && r->mid.feel[k] != 0.0)
            r->y[inc->feel_state[k]] = 0.0 - r->slide_constant[i] / r->mid.feel[k];
    }
}

/* z+ with the mean velocity of the step. */
static void move(dry_rigid *r, double t, double h) {
    const double factor = r->past >= 1 ? h * (1.0 / 12.0) : 0.0;
    for (int k = 0; k < r->n_others; k++) r->point[r->others[k]] = r->middle[r->others[k]];
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->point[j] = 0.5 * (r->x[j] + r->y[j]) - factor * (r->A[j] - r->A1[j]);
    }
    dry_rigid__move_others(r, t + 0.5 * h, h, r->y);
}

static dry_rigid__fault check(const dry_rigid *r) {
    for (int j = 0; j < r->inclusion->n_states; j++)
        if (!isfinite(r->y[j])) return (dry_rigid__fault){DRY_RIGID_LOST, j};
    return (dry_rigid__fault){0};
}

dry_rigid__fault dry_rigid__try(dry_rigid *r, double t, double h, double last) {
    const int n = r->inclusion->n_states;
    if (h != r->h_past) r->past = 0;
    if (r->past == 0) memset(r->A, 0, (size_t)n * sizeof *r->A);
    for (int pass = r->past == 0 ? 0 : 1; pass < 2; pass++) {
        predict(r, t, h);
        dry_rigid__eval(r, t + 0.5 * h, r->middle, r->zero, &r->mid);
        take_means(r);
        const dry_rigid__fault fault =
            dry_rigid__solve_bent(r, t + 0.5 * h, r->middle, h, last, solve);
        if (fault.why) return fault;
        add_forces(r);
        hold(r, h);
    }
    move(r, t, h);
    if (r->n_dio > 0) {
        dry_rigid__eval(r, last, r->y, r->problem.lambda, &r->end);
        memcpy(r->gap_end, r->end.gap, (size_t)r->inclusion->n_sets * sizeof *r->gap_end);
    }
    return check(r);
}
