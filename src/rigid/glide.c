/* Steps of the prox scheme in which nothing happens: scalar sets in a steady inclusion, all going
 * on sticking, slipping, resting or flying as they do, so that their forces follow from linear
 * equations with constant coefficients; where a set changes, the general step is next.
 *
 *     slips:                      lambda = chi sgn(slide)
 *     open:                       lambda = 0
 *     holds (sticks, is closed):  lambda = -s0/(h D),  s0: slide at the end without it
 *
 * D: of all that hold together; other letters as in trial.c. An inclusion may bring a loop of
 * its own for these steps (`march` in rigid.h), with the same bits. */
#include "rigid_private.h"

static double grid_time(const dry_rigid *r, long k) {
    return r->t_start + (double)k * r->options.step;
}
/* mean over the step from the values at three mid-steps */
static double mean(double now, double one, double two) {
    return now + (now - 2.0 * one + two) * (1.0 / 24.0);
}

/* ---- what the model says ------------------------------------------------------ */

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

/* ---- one step ----------------------------------------------------------------- */

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

/* Smooth accelerations over the step. */
static void take_means(dry_rigid *r) {
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->F[j] = r->smooth[k];
        r->A[j] = mean(r->F[j], r->F1[j], r->F2[j]);
    }
}

/* The slide of a set at the end of the step with the accelerations as they are. */
static double ahead(const dry_rigid *r, int i, double h) {
    const int *state = r->inclusion->feel_state;
    double s = r->slide_constant[i];
    for (int k = r->feel_start[i]; k < r->feel_start[i + 1]; k++)
        s += r->mid.feel[k] * (r->x[state[k]] + h * r->A[state[k]]);
    return s;
}

/* Forces of those that slip; false where a level is no level. */
static bool slip(dry_rigid *r) {
    bool good = true;
    for (int i = 0; i < r->inclusion->n_sets; i++) {
        r->lambda[i] = 0.0;
        if (dry_rigid__is_dio(r, i)) continue;
        r->chi[i] = r->smooth[r->n_velocities + i];
        r->chi_mean[i] = dry_pos(mean(r->chi[i], r->chi1[i], r->chi2[i]));
        if (!dry_rigid__holds(r, i)) r->lambda[i] = dry_sgn(r->start_slide[i]) * r->chi_mean[i];
        good = good && r->chi[i] >= 0.0;
    }
    return good;
}

/* The forces of those that hold; false where one can no longer. */
static bool hold(dry_rigid *r, double h) {
    const int n = r->inclusion->n_sets;
    double *s = r->problem.slide;
    for (int i = 0; i < n; i++) s[i] = ahead(r, i, h);
    for (int i = 0; i < n; i++) {
        if (!dry_rigid__holds(r, i)) continue;
        const double *row = r->hold + (r->dense ? i * n : i);
        double lambda = row[0] * (r->dense ? s[0] : s[i]);
        for (int j = 1; j < n && r->dense; j++) lambda += row[j] * s[j];
        r->lambda[i] = lambda;
        r->new_margin[i] = dry_rigid__is_dio(r, i) ? -lambda : fabs(lambda) - r->chi_mean[i];
        if (!(r->new_margin[i] <= 0.0)) return false;
    }
    return true;
}

/* What the forces add to the accelerations: of all, or of those that hold. */
static void push(dry_rigid *r, bool all) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < inc->n_push; k++)
        if (all || dry_rigid__holds(r, inc->push_force[k]))
            r->A[inc->push_state[k]] += r->mid.push[k] * r->lambda[inc->push_force[k]];
}

/* The largest sum of magnitudes in an acceleration. */
static double bulk(const dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    double most = 0.0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->bulk[j] = fabs(mean(r->F[j], r->F1[j], r->F2[j]));
    }
    for (int k = 0; k < inc->n_push; k++)
        r->bulk[inc->push_state[k]] += fabs(r->mid.push[k] * r->lambda[inc->push_force[k]]);
    for (int k = 0; k < r->n_velocities; k++) most = dry_max(most, r->bulk[r->velocities[k]]);
    return most;
}

/* A velocity that one set holds alone keeps every bit; of several what is rounding is zero. */
static void stop(dry_rigid *r) {
    const double small = r->shared ? 4.0 * r->problem.residual * bulk(r) : 0.0;
    for (int i = 0; i < r->inclusion->n_sets; i++) {
        if (!dry_rigid__holds(r, i)) continue;
        const bool alone = r->feel_start[i + 1] - r->feel_start[i] == 1;
        for (int k = r->feel_start[i]; k < r->feel_start[i + 1]; k++) {
            double *A = &r->A[r->inclusion->feel_state[k]];
            if (alone || fabs(*A) <= small) *A = 0.0;
        }
    }
}

static bool solve(dry_rigid *r, double h) {
    if (!slip(r)) return false;
    push(r, true);
    if (!r->any_holds) return true;
    if (!hold(r, h)) return false;
    push(r, false);
    stop(r);
    return true;
}

/* Velocities at the end and their means over the step; false where one is no number. */
static bool move(dry_rigid *r, double h) {
    double zero = 0.0;
    for (int k = 0; k < r->n_velocities; k++) {
        const int j = r->velocities[k];
        r->point[j] = r->x[j] + 0.5 * h * r->A[j] - h / 12.0 * (r->A[j] - r->A1[j]);
        r->y[j] = r->x[j] + h * r->A[j];
        zero += 0.0 * r->y[j];
    }
    return zero == 0.0;
}

/* The slides at the end; false where one turns back. */
static bool slide(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int i = 0; i < inc->n_sets; i++) {
        double s = r->slide_constant[i];
        for (int k = r->feel_start[i]; k < r->feel_start[i + 1]; k++)
            s += r->mid.feel[k] * r->y[inc->feel_state[k]];
        r->problem.slide[i] = dry_rigid__holds(r, i) ? 0.0 : s;
        if (dry_rigid__acts(r, i) && !dry_rigid__holds(r, i) &&
            !(dry_sgn(r->start_slide[i]) * s > 0.0))
            return false;
    }
    return true;
}

/* The gaps at the end; false where one closes. */
static bool stay_open(dry_rigid *r, double t) {
    const dry_inclusion *inc = r->inclusion;
    if (r->n_dio == 0) return true;
    inc->eval(&r->env, t, r->y, r->lambda, &r->end);
    for (int i = 0; i < inc->n_sets; i++)
        if (dry_rigid__is_dio(r, i) && r->slips[i] && r->end.gap[i] < dry_min(r->gap[i], 0.0))
            return false;
    memcpy(r->gap, r->end.gap, (size_t)inc->n_sets * sizeof *r->gap);
    return true;
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
    memcpy(r->forces, r->lambda, (size_t)inc->n_forces * sizeof *r->forces);
    memcpy(r->problem.lambda, r->lambda, (size_t)inc->n_forces * sizeof *r->lambda);
    memcpy(r->start_slide, r->problem.slide, (size_t)inc->n_forces * sizeof *r->start_slide);
    memcpy(r->x, r->y, (size_t)inc->n_states * sizeof *r->x);
}

static bool step(dry_rigid *r, long k) {
    const double h = r->options.step;
    predict(r, h);
    ask(r, grid_time(r, k) + 0.5 * h);
    take_means(r);
    if (!solve(r, h)) return false;
    if (!move(r, h) || !slide(r)) return false;
    dry_rigid__move_others(r, 0.0, h, r->y);
    if (!stay_open(r, grid_time(r, k + 1))) return false;
    keep(r);
    return true;
}

/* A condition of the model after a step. */
static inline bool condition_fails(const dry_rigid *r, double t) {
    const dry_system *system = r->inclusion->system;
    return system->watch && system->watch(&r->env, t, r->x) != 0;
}

/* ---- one velocity, one sgn: in registers, the same numbers ------------------------ */

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

/* z of `to` = z of r->x + h (constant + carry u) */
static inline void carry_one(const dry_rigid *r, double h, double u, double *to) {
    for (int i = 0; i < r->n_others; i++) {
        const int z = r->others[i];
        to[z] = r->x[z] + h * (r->carry_constant[z] + r->carry_one[z] * u);
    }
}

/* No other state moves at this velocity: not so for what sticks to a belt. */
static bool stands(const dry_rigid *r, double u) {
    bool still = true;
    for (int i = 0; i < r->n_others; i++) {
        const int z = r->others[i];
        still = still && r->carry_constant[z] + r->carry_one[z] * u == 0.0;
    }
    return still;
}

static long loop_one(dry_rigid *r, long count) {
    const int j = r->velocities[0];
    const double h = r->options.step, half = 0.5 * h, quarter = 0.25 * h, twelfth = h / 12.0;
    const double c = r->slide_constant[0], feel = r->mid.feel[0], gain = r->mid.push[0];
    const double per_slide = r->hold[0], sign = dry_sgn(r->start_slide[0]);
    const bool slips = r->slips[0];
    past p = load(r, j);
    const bool rests = !slips && p.A1 == 0.0 && p.A2 == 0.0 && stands(r, p.u);
    long k = 0;
    memcpy(r->middle, r->x, (size_t)r->inclusion->n_states * sizeof *r->x);
    for (; k < count; k++) {
        const double a = p.A1 + 0.75 * (p.A1 - p.A2);
        r->middle[j] = p.u + half * a;
        if (!rests) carry_one(r, half, p.u + quarter * a, r->middle);
        ask(r, grid_time(r, r->grid + k) + half);
        const double f = r->smooth[0], F = mean(f, p.F1, p.F2), chi_m = r->smooth[1];
        const double chi = dry_pos(mean(chi_m, p.chi1, p.chi2));
        const double lambda = slips ? sign * chi : (c + feel * (p.u + h * F)) * per_slide;
        const double margin = fabs(lambda) - chi;
        const double A = slips ? F + gain * lambda : 0.0, u = p.u + h * A, slide = c + feel * u;
        if (!(chi_m >= 0.0) || !(margin <= 0.0) || !(0.0 * u == 0.0)) break;
        if (slips && !(sign * slide > 0.0)) break;
        if (!rests) carry_one(r, h, p.u + half * A - twelfth * (A - p.A1), r->x);
        p = (past){u, slips ? slide : 0.0, lambda, margin, f, p.F1, A, p.A1, chi_m, p.chi1};
    }
    if (k > 0) store(r, j, &p);
    return k;
}

/* ---- many --------------------------------------------------------------------- */

static long loop(dry_rigid *r, long count) {
    bool fails = false;
    long k = 0;
    while (k < count && !fails && step(r, r->grid + k))
        fails = condition_fails(r, grid_time(r, r->grid + ++k));
    return k;
}

/* By the loop of the inclusion. */
static long march(dry_rigid *r, long count) {
    dry_rigid_march m = {.t_start = r->t_start,
                         .step = r->options.step,
                         .grid = r->grid,
                         .count = count,
                         .small = 4.0 * r->problem.residual,
                         .slips = r->slips,
                         .hold = r->hold,
                         .feel = r->mid.feel,
                         .push = r->mid.push,
                         .slide_constant = r->slide_constant,
                         .carry_constant = r->carry_constant,
                         .carry = r->carry_of,
                         .x = r->x,
                         .F1 = r->F1,
                         .F2 = r->F2,
                         .A1 = r->A1,
                         .A2 = r->A2,
                         .slide = r->start_slide,
                         .lambda = r->forces,
                         .gap = r->gap,
                         .chi1 = r->chi1,
                         .chi2 = r->chi2,
                         .margin = r->margin};
    const long k = r->inclusion->march(&r->env, &m);
    if (k > 0)
        memcpy(r->problem.lambda, r->forces, (size_t)r->inclusion->n_forces * sizeof *r->forces);
    return k;
}

/* Distances of the slipping and the open from holding, as `excess` in step.c has them. */
static void set_margins(dry_rigid *r) {
    for (int i = 0; i < r->inclusion->n_sets; i++)
        if (!dry_rigid__holds(r, i)) {
            const double away = r->start_slide[i] / (r->options.step * r->lean_D[i]);
            r->margin[i] = dry_rigid__is_dio(r, i) ? away : fabs(away);
        }
}

long dry_rigid__glide(dry_rigid *r, long count) {
    if (!r->lean || r->past < 2 || r->h_past != r->options.step || !dry_rigid__set_hold(r))
        return 0;
    const long k = r->inclusion->march ? march(r, count)
                   : r->single         ? loop_one(r, count)
                                       : loop(r, count);
    if (k == 0) return 0;
    r->grid += k;
    r->t = grid_time(r, r->grid);
    r->counts.steps += k;
    r->counts.evals += r->n_dio > 0 ? 2 * k : k;
    set_margins(r);
    if (k > 1) r->line.parts = 0;
    dry_rigid__note_forces(r, r->forces, r->options.step);
    r->struck = false;
    return k;
}
