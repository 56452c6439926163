/* Steps of the prox scheme in which no set changes: scalar sets of a steady inclusion keep
 * sticking, slipping, resting or flying, so their forces solve linear equations with constant
 * coefficients. If a set changes, the general step (step.c) is taken instead.
 *
 *     slips:                      lambda = chi sgn(slide)
 *     open:                       lambda = 0
 *     holds (sticks, is closed):  lambda = -s0/(h D),  s0: slide at the end without it
 *
 * D: of all that hold together; other letters as in trial.c. An inclusion may have its own loop for
 * these steps (`march` in rigid.h), with the same bits. */
#include "rigid_private.h"

/* mean over the step from the values at three mid-steps */
static double mean(double now, double one, double two) {
    return now + (now - 2.0 * one + two) * (1.0 / 24.0);
}

/* ---- what the model says ------------------------------------------------------ */

/* Rates of the velocities and levels at mid-step, in r->steady.smooth. */
static void evaluate_whole(dry_rigid *r, double t) {
    const dry_inclusion *inc = r->inclusion;
    inc->eval(&r->env, t, r->trial.middle, r->zero, &r->trial.mid);
    for (int k = 0; k < r->layout.n_velocities; k++)
        r->steady.smooth[k] = r->trial.mid.rate[r->layout.velocities[k]];
    for (int set = 0; set < inc->n_sets; set++)
        r->steady.smooth[r->layout.n_velocities + set] = r->trial.mid.level[set];
}
static inline void evaluate(dry_rigid *r, double t) {
    if (r->inclusion->smooth)
        r->inclusion->smooth(&r->env, t, r->trial.middle, r->steady.smooth);
    else
        evaluate_whole(r, t);
}

/* ---- one step ----------------------------------------------------------------- */

static void predict(dry_rigid *r, double h) {
    double *m = r->trial.middle;
    const double *x = r->now.x, *A1 = r->past.A1, *A2 = r->past.A2;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        const double a = A1[j] + 0.75 * (A1[j] - A2[j]);
        r->trial.point[j] = x[j] + 0.25 * h * a;
        m[j] = x[j] + 0.5 * h * a;
    }
    dry_rigid__move_others(r, 0.0, 0.5 * h, m);
}

/* Smooth accelerations over the step. */
static void take_means(dry_rigid *r) {
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.F[j] = r->steady.smooth[k];
        r->trial.A[j] = mean(r->trial.F[j], r->past.F1[j], r->past.F2[j]);
    }
}

/* The slide of a set at the end of the step with the accelerations as they are. */
static double free_slide(const dry_rigid *r, int i, double h) {
    const int *state = r->inclusion->feel_state;
    double s = r->carry.slide[i];
    for (int k = r->steady.feel_start[i]; k < r->steady.feel_start[i + 1]; k++)
        s += r->trial.mid.feel[k] * (r->now.x[state[k]] + h * r->trial.A[state[k]]);
    return s;
}

/* Forces of those that slip; false if a level is negative. */
static bool slipping_forces(dry_rigid *r) {
    bool good = true;
    for (int i = 0; i < r->inclusion->n_sets; i++) {
        r->steady.lambda[i] = 0.0;
        if (dry_rigid__is_dio(r, i)) continue;
        r->trial.chi[i] = r->steady.smooth[r->layout.n_velocities + i];
        r->steady.chi_mean[i] = dry_pos(mean(r->trial.chi[i], r->past.chi1[i], r->past.chi2[i]));
        if (!dry_rigid__holds(r, i))
            r->steady.lambda[i] = dry_sgn(r->now.slide[i]) * r->steady.chi_mean[i];
        good = good && r->trial.chi[i] >= 0.0;
    }
    return good;
}

/* The forces of those that hold; false if one no longer holds. */
static bool holding_forces(dry_rigid *r, double h) {
    const int n = r->inclusion->n_sets;
    double *s = r->problem.slide;
    for (int i = 0; i < n; i++) s[i] = free_slide(r, i, h);
    for (int i = 0; i < n; i++) {
        if (!dry_rigid__holds(r, i)) continue;
        const double *row = r->sticking.gain + (r->sticking.dense ? i * n : i);
        double lambda = row[0] * (r->sticking.dense ? s[0] : s[i]);
        for (int j = 1; j < n && r->sticking.dense; j++) lambda += row[j] * s[j];
        r->steady.lambda[i] = lambda;
        r->steady.margin[i] =
            dry_rigid__is_dio(r, i) ? -lambda : fabs(lambda) - r->steady.chi_mean[i];
        if (!(r->steady.margin[i] <= 0.0)) return false;
    }
    return true;
}

/* What the forces add to the accelerations: of all, or of those that hold. */
static void add_forces(dry_rigid *r, bool all) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < inc->n_push; k++)
        if (all || dry_rigid__holds(r, inc->push_force[k]))
            r->trial.A[inc->push_state[k]] +=
                r->trial.mid.push[k] * r->steady.lambda[inc->push_force[k]];
}

/* The largest sum of magnitudes in an acceleration. */
static double largest_bulk(const dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    double most = 0.0;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.bulk[j] = fabs(mean(r->trial.F[j], r->past.F1[j], r->past.F2[j]));
    }
    for (int k = 0; k < inc->n_push; k++)
        r->trial.bulk[inc->push_state[k]] +=
            fabs(r->trial.mid.push[k] * r->steady.lambda[inc->push_force[k]]);
    for (int k = 0; k < r->layout.n_velocities; k++)
        most = dry_max(most, r->trial.bulk[r->layout.velocities[k]]);
    return most;
}

/* A velocity that a single set holds keeps every bit. If several sets hold it, an acceleration at
 * the level of rounding becomes zero. */
static void zero_held(dry_rigid *r) {
    const double small = r->steady.shared ? 4.0 * r->problem.residual * largest_bulk(r) : 0.0;
    for (int i = 0; i < r->inclusion->n_sets; i++) {
        if (!dry_rigid__holds(r, i)) continue;
        const bool alone = r->steady.feel_start[i + 1] - r->steady.feel_start[i] == 1;
        for (int k = r->steady.feel_start[i]; k < r->steady.feel_start[i + 1]; k++) {
            double *A = &r->trial.A[r->inclusion->feel_state[k]];
            if (alone || fabs(*A) <= small) *A = 0.0;
        }
    }
}

static bool solve(dry_rigid *r, double h) {
    if (!slipping_forces(r)) return false;
    add_forces(r, true);
    if (!r->sticking.any) return true;
    if (!holding_forces(r, h)) return false;
    add_forces(r, false);
    zero_held(r);
    return true;
}

/* Velocities at the end and their means over the step; false if one is not a number. */
static bool move_velocities(dry_rigid *r, double h) {
    double zero = 0.0;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        r->trial.point[j] =
            r->now.x[j] + 0.5 * h * r->trial.A[j] - h / 12.0 * (r->trial.A[j] - r->past.A1[j]);
        r->trial.y[j] = r->now.x[j] + h * r->trial.A[j];
        zero += 0.0 * r->trial.y[j];
    }
    return zero == 0.0;
}

/* The slides at the end; false if one turns back. */
static bool end_slides(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int i = 0; i < inc->n_sets; i++) {
        double s = r->carry.slide[i];
        for (int k = r->steady.feel_start[i]; k < r->steady.feel_start[i + 1]; k++)
            s += r->trial.mid.feel[k] * r->trial.y[inc->feel_state[k]];
        r->problem.slide[i] = dry_rigid__holds(r, i) ? 0.0 : s;
        if (dry_rigid__acts(r, i) && !dry_rigid__holds(r, i) &&
            !(dry_sgn(r->now.slide[i]) * s > 0.0))
            return false;
    }
    return true;
}

/* The gaps at the end; false if one closes. */
static bool end_gaps(dry_rigid *r, double t) {
    const dry_inclusion *inc = r->inclusion;
    if (r->layout.n_dio == 0) return true;
    inc->eval(&r->env, t, r->trial.y, r->steady.lambda, &r->trial.end);
    for (int i = 0; i < inc->n_sets; i++)
        if (dry_rigid__is_dio(r, i) && r->now.slips[i] &&
            r->trial.end.gap[i] < dry_min(r->now.gap[i], 0.0))
            return false;
    memcpy(r->now.gap, r->trial.end.gap, (size_t)inc->n_sets * sizeof *r->now.gap);
    return true;
}

static void accept(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__shift(&r->past, &r->trial);
    dry_rigid__swap(&r->past.margin, &r->steady.margin);
    memcpy(r->now.forces, r->steady.lambda, (size_t)inc->n_forces * sizeof *r->now.forces);
    memcpy(r->problem.lambda, r->steady.lambda, (size_t)inc->n_forces * sizeof *r->steady.lambda);
    memcpy(r->now.slide, r->problem.slide, (size_t)inc->n_forces * sizeof *r->now.slide);
    memcpy(r->now.x, r->trial.y, (size_t)inc->n_states * sizeof *r->now.x);
}

static bool step(dry_rigid *r, long k) {
    const double h = r->options.step;
    predict(r, h);
    evaluate(r, dry_rigid__grid_time(r, k) + 0.5 * h);
    take_means(r);
    if (!solve(r, h)) return false;
    if (!move_velocities(r, h) || !end_slides(r)) return false;
    dry_rigid__move_others(r, 0.0, h, r->trial.y);
    if (!end_gaps(r, dry_rigid__grid_time(r, k + 1))) return false;
    accept(r);
    return true;
}

/* A condition of the model after a step. */
static inline bool condition_fails(const dry_rigid *r, double t) {
    const dry_system *system = r->inclusion->system;
    return system->watch && system->watch(&r->env, t, r->now.x) != 0;
}

/* ---- one velocity, one sgn: in registers, the same numbers ------------------------ */

/* What changes from step to step. */
typedef struct scalars {
    double u, slide, lambda, margin;
    double F1, F2, A1, A2, chi1, chi2;
} scalars;

static scalars load(const dry_rigid *r, int j) {
    return (scalars){.u = r->now.x[j],
                     .slide = r->now.slide[0],
                     .lambda = r->problem.lambda[0],
                     .margin = r->past.margin[0],
                     .F1 = r->past.F1[j],
                     .F2 = r->past.F2[j],
                     .A1 = r->past.A1[j],
                     .A2 = r->past.A2[j],
                     .chi1 = r->past.chi1[0],
                     .chi2 = r->past.chi2[0]};
}
static void store(dry_rigid *r, int j, const scalars *p) {
    r->now.x[j] = p->u;
    r->now.slide[0] = p->slide;
    r->problem.lambda[0] = r->now.forces[0] = p->lambda;
    r->past.margin[0] = p->margin;
    r->past.F1[j] = p->F1, r->past.F2[j] = p->F2;
    r->past.A1[j] = p->A1, r->past.A2[j] = p->A2;
    r->past.chi1[0] = p->chi1, r->past.chi2[0] = p->chi2;
}

/* z of `to` = z of r->now.x + h (constant + carry u) */
static inline void carry_one(const dry_rigid *r, double h, double u, double *to) {
    for (int i = 0; i < r->layout.n_others; i++) {
        const int z = r->layout.others[i];
        to[z] = r->now.x[z] + h * (r->carry.constant[z] + r->carry.one[z] * u);
    }
}

/* Whether no other state moves at this velocity; what sticks to a belt does move. */
static bool is_at_rest(const dry_rigid *r, double u) {
    bool still = true;
    for (int i = 0; i < r->layout.n_others; i++) {
        const int z = r->layout.others[i];
        still = still && r->carry.constant[z] + r->carry.one[z] * u == 0.0;
    }
    return still;
}

static long loop_one(dry_rigid *r, long count) {
    const int j = r->layout.velocities[0];
    const double h = r->options.step, half = 0.5 * h, quarter = 0.25 * h, twelfth = h / 12.0;
    const double c = r->carry.slide[0], feel = r->trial.mid.feel[0], gain = r->trial.mid.push[0];
    const double per_slide = r->sticking.gain[0], sign = dry_sgn(r->now.slide[0]);
    const bool slips = r->now.slips[0];
    scalars p = load(r, j);
    const bool rests = !slips && p.A1 == 0.0 && p.A2 == 0.0 && is_at_rest(r, p.u);
    long k = 0;
    memcpy(r->trial.middle, r->now.x, (size_t)r->inclusion->n_states * sizeof *r->now.x);
    for (; k < count; k++) {
        const double a = p.A1 + 0.75 * (p.A1 - p.A2);
        r->trial.middle[j] = p.u + half * a;
        if (!rests) carry_one(r, half, p.u + quarter * a, r->trial.middle);
        evaluate(r, dry_rigid__grid_time(r, r->clock.grid + k) + half);
        const double f = r->steady.smooth[0], F = mean(f, p.F1, p.F2), chi_m = r->steady.smooth[1];
        const double chi = dry_pos(mean(chi_m, p.chi1, p.chi2));
        const double lambda = slips ? sign * chi : (c + feel * (p.u + h * F)) * per_slide;
        const double margin = fabs(lambda) - chi;
        const double A = slips ? F + gain * lambda : 0.0, u = p.u + h * A, slide = c + feel * u;
        if (!(chi_m >= 0.0) || !(margin <= 0.0) || !(0.0 * u == 0.0)) break;
        if (slips && !(sign * slide > 0.0)) break;
        if (!rests) carry_one(r, h, p.u + half * A - twelfth * (A - p.A1), r->now.x);
        p = (scalars){u, slips ? slide : 0.0, lambda, margin, f, p.F1, A, p.A1, chi_m, p.chi1};
    }
    if (k > 0) store(r, j, &p);
    return k;
}

/* ---- many --------------------------------------------------------------------- */

static long loop(dry_rigid *r, long count) {
    bool fails = false;
    long k = 0;
    while (k < count && !fails && step(r, r->clock.grid + k))
        fails = condition_fails(r, dry_rigid__grid_time(r, r->clock.grid + ++k));
    return k;
}

/* Takes the steps in the loop of the inclusion. */
static long march(dry_rigid *r, long count) {
    dry_rigid_march m = {.t_start = r->clock.t_start,
                         .step = r->options.step,
                         .grid = r->clock.grid,
                         .count = count,
                         .small = 4.0 * r->problem.residual,
                         .slips = r->now.slips,
                         .hold = r->sticking.gain,
                         .feel = r->trial.mid.feel,
                         .push = r->trial.mid.push,
                         .slide_constant = r->carry.slide,
                         .carry_constant = r->carry.constant,
                         .carry = r->carry.square,
                         .x = r->now.x,
                         .F1 = r->past.F1,
                         .F2 = r->past.F2,
                         .A1 = r->past.A1,
                         .A2 = r->past.A2,
                         .slide = r->now.slide,
                         .lambda = r->now.forces,
                         .gap = r->now.gap,
                         .chi1 = r->past.chi1,
                         .chi2 = r->past.chi2,
                         .margin = r->past.margin};
    const long k = r->inclusion->march(&r->env, &m);
    if (k > 0)
        memcpy(r->problem.lambda, r->now.forces,
               (size_t)r->inclusion->n_forces * sizeof *r->now.forces);
    return k;
}

/* The margins of sets that slip or are open, computed as by `excess` in step.c. */
static void set_margins(dry_rigid *r) {
    for (int i = 0; i < r->inclusion->n_sets; i++)
        if (!dry_rigid__holds(r, i)) {
            const double away = r->now.slide[i] / (r->options.step * r->steady.own_D[i]);
            r->past.margin[i] = dry_rigid__is_dio(r, i) ? away : fabs(away);
        }
}

long dry_rigid__steady_steps(dry_rigid *r, long count) {
    if (!r->steady.possible || r->past.known < 2 || r->past.h != r->options.step ||
        !dry_rigid__set_sticking(r))
        return 0;
    const long k = r->inclusion->march ? march(r, count)
                   : r->steady.single  ? loop_one(r, count)
                                       : loop(r, count);
    if (k == 0) return 0;
    r->clock.grid += k;
    r->clock.t = dry_rigid__grid_time(r, r->clock.grid);
    r->counts.steps += k;
    r->counts.evals += r->layout.n_dio > 0 ? 2 * k : k;
    set_margins(r);
    if (k > 1) r->instant.parts = 0;
    dry_rigid__note_forces(r, r->now.forces, r->options.step);
    r->now.struck = false;
    return k;
}
