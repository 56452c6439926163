/* Accepted steps with error control, break times, what follows a step, and what went wrong.
 *
 * Step control by Gustafsson (Hairer, Wanner 1996, IV.8). h: step, s; error: the largest error over
 * its tolerance. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stiff_private.h"

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 6.0, EXPONENT = 0.25;

/* ---- messages ------------------------------------------------------------ */

static dry_status fail(dry_stiff *s, dry_status status, int state, dry_error *error) {
    const dry_quantity *states = s->system->states;
    const char *name = state >= 0 && states ? states[state].name : "a state";
    char time[DRY_NUMBER_SIZE];
    dry_number_text(s->t, time);
    s->fault.state = state;
    s->fault.t = s->t;
    switch (status) {
    case DRY_NOT_FINITE:
        return dry_error_set(error, status,
                             "the rate of %s is infinite or not a number at t = %s s, however "
                             "short the step: look for a division by zero or the root of a "
                             "negative number in its equation",
                             name, time);
    case DRY_STEP_COLLAPSED:
        return dry_error_set(error, status,
                             "at t = %s s no step is short enough for the error of %s: its "
                             "equation jumps or grows without bound there; loosen rtol (now %g), "
                             "or use a fixed step",
                             time, name, s->options.rtol);
    case DRY_SINGULAR:
        return dry_error_set(error, status,
                             "the matrix of the implicit step is singular or not finite at t = %s "
                             "s, however short the step: look for a slope that is infinite there, "
                             "such as that of sqrt at 0, or use dopri5",
                             time);
    case DRY_TOO_MANY_STEPS:
        return dry_error_set(error, status,
                             "the limit of %ld steps was reached at t = %s s: raise the limit, or "
                             "loosen the tolerances",
                             s->options.max_steps, time);
    default:
        return dry_error_set(error, status,
                             "condition %d that the model watches is violated at t = %s s",
                             s->fault.watch, time);
    }
}

/* ---- step lengths -------------------------------------------------------- */

static double shortest(const dry_stiff *s) { return 4.0 * DBL_EPSILON * fabs(s->t) + DBL_MIN; }

static double longest(const dry_stiff *s, double t_end) {
    return s->options.max_step > 0.0 ? s->options.max_step : 0.1 * (t_end - s->t_start);
}

static double scaled(const dry_stiff *s, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < s->system->n_states; i++)
        largest = fmax(largest, fabs(x[i]) / (s->options.atol + s->options.rtol * fabs(s->x[i])));
    return largest;
}

/* A step with which an explicit Euler step would be small. */
static double guess_step(const dry_stiff *s) {
    const double x_size = scaled(s, s->x), rate_size = scaled(s, s->rate);
    return x_size > 1e-5 && rate_size > 1e-5 ? 0.01 * x_size / rate_size : 1e-6;
}

/* The next step after an accepted one. */
static double next_step(dry_stiff *s, double h, double error) {
    const double now = fmax(error, 1e-8);
    double factor = SAFETY * pow(now, -EXPONENT);
    if (s->h_before > 0.0)
        factor =
            fmin(factor, SAFETY * h / s->h_before * pow(s->error_before / (now * now), EXPONENT));
    factor = fmin(GROW, fmax(SHRINK, factor));
    if (s->was_rejected) factor = fmin(factor, 1.0);
    s->h_before = h;
    s->error_before = fmax(1e-2, now);
    return h * factor;
}

static double shrunk(double h, double error) {
    return isfinite(error) ? h * fmax(SHRINK, SAFETY * pow(error, -EXPONENT)) : 0.1 * h;
}

/* ---- one accepted step --------------------------------------------------- */

typedef struct attempt {
    double h, end, limit, last, error;
    bool is_break, to_limit;
    int worst;
} attempt;

static double find_limit(dry_stiff *s, double t_end, bool *is_break) {
    while (s->next_break < s->n_breaks && s->breaks[s->next_break] <= s->t) s->next_break++;
    *is_break = s->next_break < s->n_breaks && s->breaks[s->next_break] <= t_end;
    return *is_break ? s->breaks[s->next_break] : t_end;
}

static void set_rate(dry_stiff *s, const attempt *a) {
    if (s->has_rate) return;
    s->system->rate(&s->env, s->t, 0.0, s->x, s->rate);
    s->counts.rates++;
    if (!(s->h > 0.0)) s->h = guess_step(s);
    const double before = nextafter(a->limit, -(double)INFINITY);
    dry_stiff__jacobian(s, fmin(s->h, a->limit - s->t), a->is_break ? before : a->limit);
    s->has_rate = true;
}

/* The end of a step that meets the limit is the limit. */
static void set_end(const dry_stiff *s, attempt *a) {
    const double room = a->limit - s->t;
    a->to_limit = 1.01 * a->h >= room;
    if (a->to_limit) a->h = room;
    a->end = a->to_limit ? a->limit : s->t + a->h;
    a->last = a->to_limit && a->is_break ? nextafter(a->end, -(double)INFINITY) : a->end;
}

static dry_status accept(dry_stiff *s, const attempt *a, dry_error *error) {
    const dry_system *system = s->system;
    const size_t bytes = (size_t)system->n_states * sizeof *s->x;
    const double wanted = next_step(s, a->h, a->error);
    s->h = a->to_limit && wanted < s->h && !s->was_rejected ? s->h : wanted;
    dry_stiff__dense(s);
    memcpy(s->before, s->x, bytes);
    memcpy(s->x, s->end, bytes);
    s->t_before = s->t;
    s->t = a->end;
    s->counts.steps++;
    s->has_rate = s->was_rejected = false;
    if (system->latch) system->latch(&s->env, s->t, s->x);
    const int failed = system->watch ? system->watch(&s->env, s->t, s->x) : 0;
    s->fault.watch = failed;
    return failed ? fail(s, DRY_RUN_FAILED, -1, error) : DRY_OK;
}

static bool out_of_steps(const dry_stiff *s) {
    const long most = s->options.max_steps;
    return most > 0 && s->counts.steps + s->counts.rejected >= most;
}

/* No step was short enough: a rate that is no number explains all else. */
static dry_status give_up(dry_stiff *s, const attempt *a, bool regular, dry_error *error) {
    for (int i = 0; i < s->system->n_states; i++)
        if (!isfinite(s->rate[i])) return fail(s, DRY_NOT_FINITE, i, error);
    if (!regular) return fail(s, DRY_SINGULAR, -1, error);
    return fail(s, isfinite(a->error) ? DRY_STEP_COLLAPSED : DRY_NOT_FINITE, a->worst, error);
}

static dry_status step(dry_stiff *s, double t_end, dry_error *error) {
    attempt a = {0};
    a.limit = find_limit(s, t_end, &a.is_break);
    set_rate(s, &a);
    a.h = s->h = fmin(s->h, longest(s, t_end));
    for (;; s->counts.rejected++) {
        if (out_of_steps(s)) return fail(s, DRY_TOO_MANY_STEPS, -1, error);
        set_end(s, &a);
        a.error = (double)INFINITY;
        const bool regular = dry_stiff__trial(s, a.h, a.last, &a.error, &a.worst);
        if (a.error <= 1.0) return accept(s, &a, error);
        s->was_rejected = true;
        a.h = shrunk(a.h, a.error);
        if (a.h > shortest(s)) continue;
        return give_up(s, &a, regular, error);
    }
}

static dry_status forward(dry_stiff *s, double t_end, bool once, dry_error *error) {
    if (!isfinite(t_end) || t_end < s->t)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "the end lies before the present time");
    dry_status status = DRY_OK;
    while (s->t < t_end && status == DRY_OK) {
        status = step(s, t_end, error);
        if (once) break;
    }
    return status;
}

dry_status dry_stiff_advance(dry_stiff *s, double t_end, dry_error *error) {
    return forward(s, t_end, false, error);
}
dry_status dry_stiff_step(dry_stiff *s, double t_end, dry_error *error) {
    return forward(s, t_end, true, error);
}

/* ---- looking ------------------------------------------------------------- */

double dry_stiff_time(const dry_stiff *s) { return s->t; }
const double *dry_stiff_state(const dry_stiff *s) { return s->x; }
dry_ode_fault dry_stiff_fault(const dry_stiff *s) { return s->fault; }
const dry_env *dry_stiff_env(const dry_stiff *s) { return &s->env; }
dry_stiff_counts dry_stiff_count(const dry_stiff *s) {
    dry_stiff_counts counts = s->counts;
    counts.factors = s->matrix.factors;
    counts.pivots = s->matrix.pivots;
    counts.entries =
        s->matrix.has_pivots ? s->matrix.first_L[s->matrix.n] + s->matrix.first_U[s->matrix.n] : 0;
    return counts;
}
