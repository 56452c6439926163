/* Steps of either method to an end time: break times, and what follows a step. */
#include <math.h>
#include <string.h>

#include "stiff_private.h"

/* ---- what the methods share ---------------------------------------------- */

double dry_stiff__longest(const dry_stiff *s, double t_end) {
    return s->options.max_step > 0.0 ? s->options.max_step : 0.1 * (t_end - s->t_start);
}

double dry_stiff__limit(dry_stiff *s, double t_end, double *last) {
    bool is_break;
    const double limit = dry_breaks_limit(&s->breaks, s->t, t_end, &is_break);
    *last = is_break ? nextafter(limit, -(double)INFINITY) : limit;
    return limit;
}

bool dry_stiff__holds(const dry_stiff *s, double t) {
    return !s->system->holds || s->system->holds(&s->env, t, s->end);
}

bool dry_stiff__out_of_steps(const dry_stiff *s) {
    const long most = s->options.max_steps;
    return most > 0 && s->counts.steps + s->counts.rejected >= most;
}

bool dry_stiff__chatters(dry_stiff *s, double t_end) {
    return dry_chatters(&s->chatter, s->counts.steps, s->counts.kinks + s->counts.rejected, s->t,
                        dry_stiff__longest(s, t_end));
}

dry_status dry_stiff__accept(dry_stiff *s, double t, bool *latched, dry_error *error) {
    const dry_system *system = s->system;
    memcpy(s->x, s->end, (size_t)system->n_states * sizeof *s->x);
    s->t_before = s->t;
    s->t = t;
    s->counts.steps++;
    *latched = system->latch && system->latch(&s->env, s->t, s->x);
    const int failed = system->watch ? system->watch(&s->env, s->t, s->x) : 0;
    s->fault.watch = failed;
    return failed ? dry_stiff__fail(s, dry_watch_status(system, failed), -1, error) : DRY_OK;
}

/* ---- steps --------------------------------------------------------------- */

static dry_status forward(dry_stiff *s, double t_end, bool once, dry_error *error) {
    if (!isfinite(t_end) || t_end < s->t)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "the end is before the current time");
    if (dry_par_mark(s->env.par, s->system->n_par) != s->par_mark)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "a parameter was changed during the integration, which an implicit method does not "
            "support: start a new one from the current state (dry_stiff_new with x0)");
    dry_status status = DRY_OK;
    while (s->t < t_end && status == DRY_OK) {
        status = s->method->step(s, t_end, error);
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

void dry_stiff_dense(const dry_stiff *s, double time, double *x) {
    if (time < s->t && s->t > s->t_before)
        s->method->dense(s, time, x);
    else
        memcpy(x, s->x, (size_t)s->system->n_states * sizeof *x);
}

double dry_stiff_time(const dry_stiff *s) { return s->t; }
const double *dry_stiff_state(const dry_stiff *s) { return s->x; }
dry_ode_fault dry_stiff_fault(const dry_stiff *s) { return s->fault; }
const dry_env *dry_stiff_env(const dry_stiff *s) { return &s->env; }
dry_stiff_counts dry_stiff_count(const dry_stiff *s) {
    dry_stiff_counts counts = s->counts;
    const dry_stiff__lu *lu = &s->linear.matrix;
    counts.factors = lu->factors;
    counts.pivots = lu->pivots;
    counts.entries = lu->has_pivots ? lu->first_L[lu->n] + lu->first_U[lu->n] : 0;
    return counts;
}
