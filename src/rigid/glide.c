/* Steps of the prox scheme where nothing couples and nothing happens: scalar sgn sets, each on one
 * velocity of its own, in a steady inclusion, all going on sticking or slipping as they do. The
 * numbers of the general step, without its generality; where a set changes, the general step is
 * next.
 *
 * Letters as in trial.c. */
#include "rigid_private.h"

static double grid_time(const dry_rigid *r, long k) {
    return r->t_start + (double)k * r->options.step;
}
/* mean over the step from the values at three mid-steps */
static double mean(double now, double one, double two) {
    return now + (now - 2.0 * one + two) * (1.0 / 24.0);
}

/* Rates of the velocities and levels at mid-step, in r->smooth. */
static void ask_all(dry_rigid *r, double t) {
    const dry_inclusion *inc = r->inclusion;
    inc->eval(&r->env, t, r->middle, r->zero, &r->mid);
    for (int k = 0; k < r->n_velocities; k++) r->smooth[k] = r->mid.rate[r->velocities[k]];
    for (int set = 0; set < inc->n_sets; set++)
        r->smooth[r->n_velocities + set] = r->mid.level[set];
}
static inline void ask(dry_rigid *r, double t) {
    if (r->inclusion->smooth)
        r->inclusion->smooth(&r->env, t, r->middle, r->smooth);
    else
        ask_all(r, t);
}

/* ---- one velocity, one set: in registers --------------------------------- */

/* What changes from step to step. */
typedef struct past {
    double u, slide, lambda, margin;
    double F1, F2, A1, A2, chi1, chi2;
} past;

static past load(const dry_rigid *r, int j) {
    return (past){.u = r->x[j],
                  .slide = r->start_slide[0],
                  .lambda = r->problem.lambda[0],
                  .margin = r->margin[0],
                  .F1 = r->F1[j],
                  .F2 = r->F2[j],
                  .A1 = r->A1[j],
                  .A2 = r->A2[j],
                  .chi1 = r->chi1[0],
                  .chi2 = r->chi2[0]};
}
static void store(dry_rigid *r, int j, const past *p) {
    r->x[j] = p->u;
    r->start_slide[0] = p->slide;
    r->problem.lambda[0] = r->forces[0] = p->lambda;
    r->margin[0] = p->margin;
    r->F1[j] = p->F1, r->F2[j] = p->F2;
    r->A1[j] = p->A1, r->A2[j] = p->A2;
    r->chi1[0] = p->chi1, r->chi2[0] = p->chi2;
}

/* Stuck: the velocity keeps every bit, and nothing but the force is to be found. */
static long glide_stuck(dry_rigid *r, long count) {
    const int j = r->velocities[0];
    const double h = r->options.step, half = 0.5 * h, u = r->x[j];
    const double constant = r->slide_constant[0] + r->lean_feel[0] * u;
    const double per_F = -r->lean_feel[0] / r->lean_D[0], per_slide = -1.0 / (h * r->lean_D[0]);
    const double offset = constant * per_slide;
    bool moves = false; /* as a block that is stuck on a belt */
    for (int i = 0; i < r->n_others; i++) {
        const int z = r->others[i];
        r->point[z] = r->carry_constant[z] + r->carry_of[z] * u;
        r->middle[z] = r->x[z];
        moves = moves || r->point[z] != 0.0;
    }
    r->middle[j] = u;
    past p = load(r, j);
    long k = 0;
    for (; k < count; k++) {
        if (moves)
            for (int i = 0; i < r->n_others; i++) {
                const int z = r->others[i];
                r->middle[z] = r->x[z] + half * r->point[z];
            }
        ask(r, grid_time(r, r->grid + k) + half);
        const double f = r->smooth[0], chi_m = r->smooth[1];
        const double lambda = offset + per_F * mean(f, p.F1, p.F2);
        const double chi = mean(chi_m, p.chi1, p.chi2);
        if (!(fabs(lambda) <= chi) || !(chi_m >= 0.0)) break;
        if (moves)
            for (int i = 0; i < r->n_others; i++) r->x[r->others[i]] += h * r->point[r->others[i]];
        p.lambda = lambda, p.margin = fabs(lambda) - chi;
        p.F2 = p.F1, p.F1 = f;
        p.chi2 = p.chi1, p.chi1 = chi_m;
    }
    store(r, j, &p);
    return k;
}

/* Slipping, in one direction. */
static long glide_slipping(dry_rigid *r, long count) {
    const int j = r->velocities[0], n_others = r->n_others, *others = r->others;
    const double h = r->options.step, half = 0.5 * h, quarter = 0.25 * h, twelfth = h / 12.0;
    const double feel = r->lean_feel[0], constant = r->slide_constant[0], D = h * r->lean_D[0];
    const double *carry = r->carry_of, *carry_constant = r->carry_constant;
    const double sign = dry_sgn(r->start_slide[0]), gain = r->mid.push[0];
    double *x = r->x, *middle = r->middle;
    past p = load(r, j);
    long k = 0;
    for (; k < count; k++) {
        const double a = p.A1 + 0.75 * (p.A1 - p.A2), ahead = p.u + quarter * a;
        middle[j] = p.u + half * a;
        for (int i = 0; i < n_others; i++) {
            const int z = others[i];
            middle[z] = x[z] + half * (carry_constant[z] + carry[z] * ahead);
        }
        ask(r, grid_time(r, r->grid + k) + half);
        const double f = r->smooth[0], chi_m = r->smooth[1];
        const double chi = dry_pos(mean(chi_m, p.chi1, p.chi2)), lambda = sign * chi;
        const double A = mean(f, p.F1, p.F2) + gain * lambda, u = p.u + h * A;
        const double slide = constant + feel * u;
        if (!(sign * slide > 0.0) || !(chi_m >= 0.0) || !(fabs(u) < (double)INFINITY)) break;
        const double u_mean = p.u + half * A - twelfth * (A - p.A1);
        for (int i = 0; i < n_others; i++) {
            const int z = others[i];
            x[z] += h * (carry_constant[z] + carry[z] * u_mean);
        }
        p = (past){u, slide, lambda, -sign * slide / D, f, p.F1, A, p.A1, chi_m, p.chi1};
    }
    store(r, j, &p);
    return k;
}

/* ---- many ---------------------------------------------------------------- */

static void predict(dry_rigid *r, double h) {
    double *m = r->middle;
    const double *x = r->x, *A1 = r->A1, *A2 = r->A2;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        const double a = A1[j] + 0.75 * (A1[j] - A2[j]);
        r->point[j] = x[j] + 0.25 * h * a;
        m[j] = x[j] + 0.5 * h * a;
    }
    dry_rigid__move_others(r, 0.0, 0.5 * h, m);
}

/* The force of one set and its slide; false where it changes between sticking and slipping. */
static bool solve(dry_rigid *r, int i, double h) {
    const double chi_m = r->smooth[r->n_velocities + i],
                 chi = dry_pos(mean(chi_m, r->chi1[i], r->chi2[i]));
    const int j = r->inclusion->feel_state[i];
    const double s = r->slide_constant[i] + r->lean_feel[i] * (r->x[j] + h * r->A[j]);
    const double D = h * r->lean_D[i], stuck = -s / D, lambda = dry_sat1(chi, stuck);
    const double slide = r->slips[i] ? s + D * lambda : 0.0;
    r->chi[i] = chi_m;
    r->problem.lambda[i] = lambda;
    r->problem.slide[i] = slide;
    r->new_margin[i] = fabs(stuck) - chi;
    if (!(chi_m >= 0.0)) return false;
    return r->slips[i] ? fabs(stuck) > chi && slide * r->start_slide[i] > 0.0 : fabs(stuck) <= chi;
}

/* The velocities; those that stick keep every bit. */
static bool push(dry_rigid *r, double h) {
    const dry_inclusion *inc = r->inclusion;
    double zero = 0.0;
    for (int k = 0; k < inc->n_push; k++)
        r->A[inc->push_state[k]] += r->mid.push[k] * r->problem.lambda[inc->push_force[k]];
    for (int i = 0; i < inc->n_forces; i++)
        if (!r->slips[i]) r->A[inc->feel_state[i]] = 0.0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->point[j] = r->x[j] + 0.5 * h * r->A[j] - h / 12.0 * (r->A[j] - r->A1[j]);
        r->y[j] = r->x[j] + h * r->A[j];
        zero += 0.0 * r->y[j];
    }
    return zero == 0.0;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

static void keep(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    swap(&r->F2, &r->F1), swap(&r->F1, &r->F);
    swap(&r->A2, &r->A1), swap(&r->A1, &r->A);
    swap(&r->chi2, &r->chi1), swap(&r->chi1, &r->chi);
    swap(&r->margin, &r->new_margin);
    memcpy(r->forces, r->problem.lambda, (size_t)inc->n_forces * sizeof *r->forces);
    memcpy(r->start_slide, r->problem.slide, (size_t)inc->n_forces * sizeof *r->start_slide);
    memcpy(r->x, r->y, (size_t)inc->n_states * sizeof *r->x);
}

static bool glide_step(dry_rigid *r, double t, double h) {
    predict(r, h);
    ask(r, t + 0.5 * h);
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->F[j] = r->smooth[k];
        r->A[j] = mean(r->F[j], r->F1[j], r->F2[j]);
    }
    for (int i = 0; i < r->inclusion->n_forces; i++)
        if (!solve(r, i, h)) return false;
    if (!push(r, h)) return false;
    dry_rigid__move_others(r, 0.0, h, r->y);
    keep(r);
    return true;
}

static long glide_many(dry_rigid *r, long count) {
    long k = 0;
    while (k < count && glide_step(r, grid_time(r, r->grid + k), r->options.step)) k++;
    return k;
}

long dry_rigid__glide(dry_rigid *r, long count) {
    if (!r->lean || r->past < 2 || r->h_past != r->options.step) return 0;
    const bool one = r->n_velocities == 1 && r->inclusion->n_forces == 1;
    const long k = !one          ? glide_many(r, count)
                   : r->slips[0] ? glide_slipping(r, count)
                                 : glide_stuck(r, count);
    r->grid += k;
    r->counts.steps += k;
    r->counts.evals += k;
    if (k > 0) r->t = grid_time(r, r->grid);
    return k;
}
