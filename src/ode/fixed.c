/* Fixed steps on the grid t_start + k h, split at the times at which the rate jumps, and ended at
 * the time at which the model ends the run.
 *
 * t: time, s; h: step, s; x: states; k_i: rate of stage i; tau: step passed to the laws, s. Heun,
 * Euler: the tableau; RK4 with stage steps: KY08 (21); semi-implicit: KY08 (14). */
#include "ode_private.h"

/* Skip a remainder that is shorter than this part of a step. */
static const double SLACK = 1e-9;

/* ---- one step ------------------------------------------------------------ */

void dry_ode__combine(const dry_ode *ode, int terms, double h, const double *a, double *y) {
    const int n = ode->system->n_states;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < terms; j++) sum += a[j] * dry_ode__stage(ode, j)[i];
        y[i] = ode->x[i] + h * sum;
    }
}

void dry_ode__step_tableau(dry_ode *ode, double t, double h, double last) {
    const struct dry_tableau *table = ode->method->tableau;
    for (int s = 0; s < table->k.stages; s++) {
        const double time = t + table->k.c[s] * h;
        double *y = s == 0 ? ode->x : dry_ode__point(ode);
        if (s > 0) dry_ode__combine(ode, s, h, table->k.a + s * (s - 1) / 2, y);
        const double tau = table->k.tau ? table->k.tau[s] * h : 0.0;
        dry_ode__rate(ode, time < last ? time : last, tau, y, dry_ode__stage(ode, s));
    }
    dry_ode__combine(ode, table->k.stages, h, table->k.b, ode->x);
}

/* What is not a position first, with tau = h; then the positions with the rate found there. */
void dry_ode__step_semi_implicit(dry_ode *ode, double t, double h, double last) {
    const dry_system *system = ode->system;
    const bool *is_position = system->positions;
    double *rate = dry_ode__stage(ode, 0), *x = ode->x;
    dry_ode__rate(ode, t, h, x, rate);
    for (int i = 0; i < system->n_states; i++)
        if (!is_position || !is_position[i]) x[i] += h * rate[i];
    if (!is_position) return;
    dry_ode__rate(ode, last, h, x, rate);
    for (int i = 0; i < system->n_states; i++)
        if (is_position[i]) x[i] += h * rate[i];
}

DRY_INLINE void rk4(dry_ode *ode, double t, double h, double last, bool stage_tau) {
    ode->counts.rates += 4;
    dry_rk4_step(ode->system->rate, &ode->env, ode->system->n_states, t, h, last, stage_tau, ode->x,
                 dry_ode__point(ode));
}
void dry_ode__step_rk4(dry_ode *ode, double t, double h, double last) {
    rk4(ode, t, h, last, false);
}
void dry_ode__step_rk4_tau(dry_ode *ode, double t, double h, double last) {
    rk4(ode, t, h, last, true);
}

/* ---- many steps ---------------------------------------------------------- */

/* Puts the last good state back and names the state that left it. */
static dry_status not_finite(dry_ode *ode) {
    const int n = ode->system->n_states;
    int i = 0;
    while (i < n - 1 && isfinite(ode->x[i])) i++;
    ode->fault = (dry_ode_fault){.state = i, .t = ode->t};
    memcpy(ode->x, dry_ode__before(ode), (size_t)n * sizeof *ode->x);
    ode->has_dense = false;
    return DRY_NOT_FINITE;
}

/* One step of any kind to the time `end`, with all that belongs to it. */
DRY_INLINE dry_status take(dry_ode *ode, dry_ode__step_fn *step, double h, double end,
                           double last) {
    const dry_system *system = ode->system;
    dry_ode__copy(system->n_states, dry_ode__before(ode), ode->x);
    step(ode, ode->t, h, last);
    if (!dry_ode__finite(system->n_states, ode->x)) return not_finite(ode);
    ode->t_before = ode->t;
    ode->t = end;
    ode->counts.steps++;
    return system->latch || system->watch ? dry_ode__accepted(ode) : DRY_OK;
}

DRY_INLINE dry_status run(dry_ode *ode, long count, dry_ode__step_fn *step) {
    const double h = ode->options.step, t_start = ode->t_start;
    dry_status status = DRY_OK;
    for (long i = 0; i < count && status == DRY_OK; i++) {
        const double end = t_start + (double)(ode->grid + 1) * h;
        status = take(ode, step, h, end, end);
        if (ode->t == end) ode->grid++;
    }
    return status;
}
dry_status dry_ode__run_tableau(dry_ode *ode, long count) {
    return run(ode, count, ode->method->tableau->step);
}
dry_status dry_ode__run_rk4(dry_ode *ode, long count) { return run(ode, count, dry_ode__step_rk4); }
dry_status dry_ode__run_rk4_tau(dry_ode *ode, long count) {
    return run(ode, count, dry_ode__step_rk4_tau);
}

static double grid_time(const dry_ode *ode, long k) {
    return ode->t_start + (double)k * ode->options.step;
}

/* Takes over what the march of the system has changed. */
static dry_status after_march(dry_ode *ode, const dry_march *m, long good) {
    const bool stopped = good < m->count && m->watch == 0;
    if (good > 0) ode->t_before = good > 1 ? grid_time(ode, ode->grid + good - 1) : ode->t;
    ode->grid += good;
    ode->t = m->t;
    ode->counts.steps += good;
    ode->counts.rates += (good + stopped) * ode->method->stages;
    if (stopped) return not_finite(ode);
    if (m->watch == 0) return DRY_OK;
    ode->fault = (dry_ode_fault){.state = -1, .t = ode->t, .watch = m->watch};
    return dry_watch_status(ode->system, m->watch);
}

/* Whole steps of the grid, in the loop of the system if it has one. */
static dry_status run_whole(dry_ode *ode, long count) {
    const dry_system *system = ode->system;
    dry_march m = {.t_start = ode->t_start,
                   .step = ode->options.step,
                   .grid = ode->grid,
                   .count = count,
                   .t = ode->t,
                   .x = ode->x,
                   .before = dry_ode__before(ode),
                   .end = dry_ode__end(ode)};
    const long good = system->march ? system->march(&ode->env, ode->method, &m) : -1;
    return good < 0 ? ode->method->tableau->run(ode, count) : after_march(ode, &m, good);
}

/* How many whole steps lie before `limit`, the one that ends there not counted. */
static long whole_steps(const dry_ode *ode, double limit) {
    const double h = ode->options.step, slack = SLACK * h;
    if (fabs(ode->t - grid_time(ode, ode->grid)) > slack) return 0;
    const double most = (limit - slack - ode->t_start) / h;
    long k = most < 1e15 ? (long)most : (long)1e15;
    while (k > ode->grid && grid_time(ode, k) >= limit - slack) k--;
    return k > ode->grid ? k - ode->grid : 0;
}

/* The step that ends at the next point of the grid, or at `limit` if that comes first. */
static dry_status piece(dry_ode *ode, double limit, bool is_break) {
    const double slack = SLACK * ode->options.step, next = grid_time(ode, ode->grid + 1);
    const bool at_limit = limit <= next + slack;
    const double end = at_limit ? limit : next;
    const bool on_grid = end >= next - slack;
    const bool whole = on_grid && fabs(ode->t - grid_time(ode, ode->grid)) <= slack;
    const double last = at_limit && is_break ? nextafter(end, -(double)INFINITY) : end;
    const double before = ode->t;
    if (whole && end == next && last == end) return run_whole(ode, 1);
    const dry_status status =
        take(ode, ode->method->tableau->step, whole ? ode->options.step : end - ode->t, end, last);
    if (on_grid && ode->t != before) ode->grid++;
    return status;
}

/* ---- the time at which the model ends the run -------------------------------- */

/* One step of length h from the start of the last one; whether the run ends there. */
static bool stops_after(dry_ode *ode, double h) {
    const double t = ode->t_before, end = t + h;
    dry_ode__copy(ode->system->n_states, ode->x, dry_ode__before(ode));
    ode->method->tableau->step(ode, t, h, end);
    return dry_system_stops(ode->system, &ode->env, end, ode->x);
}

/* The method repeats the step that has passed the end of the run, with a shorter length. Bisection
 * finds it: the next shorter number does not end the run. Returns the length. */
static double length_to_stop(dry_ode *ode, double whole) {
    const double t = ode->t_before;
    double low = 0.0, high = whole;
    for (;;) {
        const double h = low + 0.5 * (high - low);
        if (!(t + h > t + low && t + h < t + high)) break;
        if (stops_after(ode, h))
            high = h;
        else
            low = h;
    }
    return high;
}

/* Ends the last step at the time at which the run ends. If that is its own end, such as an instant
 * at which a value is sampled, it stays as it was. */
static dry_status end_at_stop(dry_ode *ode) {
    const dry_system *system = ode->system;
    const int n = system->n_states;
    const double end = ode->t, whole = end - ode->t_before;
    if (!system->latch) dry_ode__copy(n, dry_ode__end(ode), ode->x);
    const double h = length_to_stop(ode, whole);
    if (h < whole) {
        (void)stops_after(ode, h);
        if (fabs(end - grid_time(ode, ode->grid)) <= SLACK * ode->options.step) ode->grid--;
        ode->t = ode->t_before + h;
        return dry_ode__accepted(ode);
    }
    dry_ode__copy(n, ode->x, dry_ode__end(ode));
    if (system->latch) (void)system->latch(&ode->env, end, ode->x);
    return DRY_STOPPED;
}

/* ---- rates of laws --------------------------------------------------------- */

/* The rates of the laws are checked at the start, after one step, then at growing intervals, but
 * more often if one is near the rate that the steps can follow. */
enum { SELDOM = 16, OFTEN = 4 };

static bool checks_laws(const dry_ode *ode) {
    return ode->system->fastest && ode->options.most_rate > 0.0 && !ode->fault.law;
}

static dry_status check_laws(dry_ode *ode) {
    const double most = ode->options.most_rate, tau = ode->method->tau * ode->options.step;
    const char *law = NULL;
    const double rate = ode->system->fastest(&ode->env, ode->t, tau, ode->x, &law);
    const long every = rate > 0.5 * most ? OFTEN : SELDOM, twice = 2 * ode->law_check.every;
    ode->law_check.every = ode->law_check.left = twice < 1 ? 1 : twice < every ? twice : every;
    if (!(rate > most)) return DRY_OK;
    ode->fault = (dry_ode_fault){.state = -1, .t = ode->t, .law = law, .rate = rate};
    return ode->options.rate_is_noted ? DRY_OK : DRY_RUN_FAILED;
}

/* ---- to an end --------------------------------------------------------------- */

static long most_steps(const dry_ode *ode, double limit) {
    long count = whole_steps(ode, limit);
    if (ode->options.max_steps > 0 && count > ode->options.max_steps - ode->counts.steps)
        count = ode->options.max_steps - ode->counts.steps;
    return checks_laws(ode) && count > ode->law_check.left ? ode->law_check.left : count;
}

dry_status dry_ode__fixed(dry_ode *ode, double t_end, bool once) {
    dry_status status = DRY_OK;
    ode->has_dense = true;
    while (ode->t < t_end && status == DRY_OK) {
        bool is_break;
        const double limit = dry_breaks_limit(&ode->breaks, ode->t, t_end, &is_break);
        if (limit - ode->t <= SLACK * ode->options.step) {
            ode->t = limit;
            if (is_break && ode->system->n_clocks) status = dry_ode__accepted(ode);
            continue;
        }
        if (dry_ode__out_of_steps(ode)) return DRY_TOO_MANY_STEPS;
        if (checks_laws(ode) && ode->law_check.left <= 0) status = check_laws(ode);
        if (status != DRY_OK) break;
        const long count = most_steps(ode, limit), before = ode->counts.steps;
        status = count > 0 ? run_whole(ode, once ? 1 : count) : piece(ode, limit, is_break);
        ode->law_check.left -= ode->counts.steps - before;
        if (status == DRY_STOPPED) status = end_at_stop(ode);
        if (once) break;
    }
    return status;
}
