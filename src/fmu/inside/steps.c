/* steps: how an instance goes on: its states and events in model exchange, its steps in
 * co-simulation.
 */
#include "fmu.h"

/* ---- model exchange -----------------------------------------------------------------------------
 */

static int fmu_count_rated(const fmu *f) {
    int n = 0;
    for (int i = 0; i < f->facts->n_states; i++) n += fmu_kind(f, i) == FMU_RATED;
    return n;
}

static bool fmu_fits(const fmu *f, const char *function, const void *values, size_t n) {
    if (n != (size_t)fmu_count_rated(f)) {
        fmu_say(f, FMU_ERROR, "%s: there are %d continuous states, not %zu", function,
                fmu_count_rated(f), n);
        return false;
    }
    return fmu_given(f, function, values, n);
}

/* What getContinuousStates and the like give: one of three vectors of the states. */
static void fmu_gather(const fmu *f, const double *from, double *to) {
    for (int i = 0, k = 0; i < f->facts->n_states; i++)
        if (fmu_kind(f, i) == FMU_RATED) to[k++] = from[i];
}

static int fmu_set_states(fmu *f, const char *function, const double *x, size_t n) {
    if (!fmu_may(f, function, FMU_CONTINUOUS, FMU_ME) || !fmu_fits(f, function, x, n))
        return FMU_ERROR;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(x[k]))
            return fmu_say(f, FMU_DISCARD, "%s: a state is not finite at t = %.9g s", function,
                           f->now.time);
    for (int i = 0, k = 0; i < f->facts->n_states; i++)
        if (fmu_kind(f, i) == FMU_RATED) core_put_state(f->core, i, x[k++]);
    return FMU_OK;
}

static int fmu_get_states(fmu *f, const char *function, double *x, size_t n) {
    if (!fmu_may(f, function, FMU_READS, FMU_ME) || !fmu_fits(f, function, x, n)) return FMU_ERROR;
    if (f->now.mode == FMU_INITIALIZATION && f->now.stale && fmu_start(f) != FMU_OK)
        return FMU_ERROR;
    fmu_gather(f, core_states(f->core), x);
    return FMU_OK;
}

static int fmu_get_rates(fmu *f, const char *function, double *rate, size_t n) {
    if (!fmu_may(f, function, FMU_READS, FMU_ME) || !fmu_fits(f, function, rate, n))
        return FMU_ERROR;
    if (f->now.mode == FMU_INITIALIZATION && f->now.stale && fmu_start(f) != FMU_OK)
        return FMU_ERROR;
    core_rate(f->core, fmu_instant(f), fmu_rates(f));
    fmu_gather(f, fmu_rates(f), rate);
    return fmu_finite(f, function, rate, n);
}

static int fmu_get_nominals(const fmu *f, const char *function, double *nominal, size_t n) {
    if (!fmu_may(f, function, FMU_READS, FMU_ME) || !fmu_fits(f, function, nominal, n))
        return FMU_ERROR;
    fmu_gather(f, f->facts->nominal, nominal);
    return FMU_OK;
}

static int fmu_set_time(fmu *f, const char *function, double t) {
    if (!fmu_may(f, function, FMU_CONTINUOUS | FMU_EVENT, FMU_ME)) return FMU_ERROR;
    if (!isfinite(t)) return fmu_say(f, FMU_DISCARD, "%s: the time is not finite", function);
    f->now.time = t;
    return FMU_OK;
}

static int fmu_enter_event(fmu *f, const char *function) {
    if (!fmu_may(f, function, FMU_CONTINUOUS, FMU_ME)) return FMU_ERROR;
    f->now.mode = FMU_EVENT;
    f->now.settled = false;
    return FMU_OK;
}

static int fmu_enter_continuous(fmu *f, const char *function) {
    if (!fmu_may(f, function, FMU_EVENT, FMU_ME)) return FMU_ERROR;
    if (!f->now.settled)
        return fmu_say(f, FMU_ERROR, "%s: the discrete states of this event are not updated yet",
                       function);
    f->now.mode = FMU_CONTINUOUS;
    return FMU_OK;
}

/* What a step or an event at t does to the states. */
static void fmu_latch(fmu *f, double t) {
    double *before = fmu_seeds(f);
    memcpy(before, core_states(f->core), (size_t)f->facts->n_states * sizeof *before);
    if (!core_latch(f->core, t)) return;
    const double *x = core_states(f->core);
    f->now.changed = true;
    for (int i = 0; i < f->facts->n_states; i++)
        if (fmu_kind(f, i) == FMU_RATED && x[i] != before[i]) f->now.moved = true;
}

/* A step that is too long for the stiffness of the model gives nonsense without any sign of it. */
static int fmu_judge_step(fmu *f) {
    const double h = f->now.time - f->now.last;
    f->now.last = f->now.time;
    if (!(h > f->facts->largest * (1.0 + 1e-9) + 4.0 * DBL_EPSILON * fabs(f->now.time)))
        return FMU_OK;
    if (f->now.long_said) return FMU_OK;
    f->now.long_said = true;
    return fmu_say(f, FMU_WARNING,
                   "a step of %.6g s ended at t = %.9g s: explicit methods with steps above %.6g s "
                   "may become unstable with this model",
                   h, f->now.time, f->facts->largest);
}

/* What a condition that does not hold asks for; `stops` becomes true if it ends the run. */
static int fmu_judge_condition(fmu *f, const char *function, bool *stops) {
    const int found = core_watch(f->core, fmu_instant(f));
    *stops = found != 0 && core_is_stop(f->core, found);
    if (found != 0 && !*stops)
        return fmu_say(f, FMU_ERROR, "%s: at t = %.9g s %s", function, f->now.time,
                       core_condition(f->core, found));
    return FMU_OK;
}

static int fmu_complete_step(fmu *f, const char *function, bool *event, bool *stops) {
    *event = *stops = false;
    if (!fmu_may(f, function, FMU_CONTINUOUS, FMU_ME)) return FMU_ERROR;
    int status = fmu_judge_step(f);
    if (f->now.time < f->now.event) fmu_latch(f, f->now.time);
    if (f->now.time > f->now.event) *event = true;
    *event = *event || f->now.changed;
    const int condition = fmu_judge_condition(f, function, stops);
    return condition != FMU_OK ? condition : status;
}

/* More events than these, of a time far ahead, would not end in a minute. */
enum { FMU_MOST_EVENTS = 1000000 };

/* Events at or before the present time. */
static int fmu_handle_events(fmu *f) {
    int status = FMU_OK, handled = 0;
    const double late = f->now.time - f->now.event;
    if (late > 1e-9 * f->facts->step + 4.0 * DBL_EPSILON * fabs(f->now.time) && !f->now.late_said) {
        f->now.late_said = true;
        status = fmu_say(f, FMU_WARNING,
                         "the time event at t = %.9g s is handled at t = %.9g s: end a step there "
                         "(nextEventTime)",
                         f->now.event, f->now.time);
    }
    while (f->now.event <= f->now.time) {
        if (handled++ == FMU_MOST_EVENTS)
            return fmu_say(f, FMU_ERROR,
                           "more than %d time events lie before t = %.9g s, the last one handled "
                           "before t = %.9g s: end steps at the events (nextEventTime)",
                           FMU_MOST_EVENTS, f->now.time, f->now.event);
        fmu_latch(f, f->now.event);
        f->now.event = core_event(f->core, f->now.event);
    }
    f->now.event = core_event(f->core, f->now.time); /* parameters may have moved it */
    return status;
}

typedef struct fmu_update {
    bool stops, changed, has_event;
    double event;
} fmu_update;

static int fmu_update_discrete(fmu *f, const char *function, fmu_update *update) {
    *update = (fmu_update){0};
    if (!fmu_may(f, function, FMU_EVENT, FMU_ME)) return FMU_ERROR;
    const int status = fmu_handle_events(f);
    if (status >= FMU_ERROR) return status;
    const int condition = fmu_judge_condition(f, function, &update->stops);
    update->changed = f->now.moved;
    update->has_event = f->now.event < (double)INFINITY;
    update->event = update->has_event ? f->now.event : 0.0;
    f->now.changed = f->now.moved = false;
    f->now.settled = true;
    return condition != FMU_OK ? condition : status;
}

/* ---- co-simulation
 * ------------------------------------------------------------------------------- */

typedef struct fmu_outcome {
    bool stopped, early;
    double reached;
} fmu_outcome;

/* A communication step of more steps of the model than these would not end in a day. */
static const double FMU_MOST_STEPS = 1e12;

static int fmu_check_step(const fmu *f, const char *function, double from, double h) {
    const double near = 1e-6 * f->facts->step + 8.0 * DBL_EPSILON * fabs(f->now.time);
    if (!(h > 0.0) || !isfinite(from + h))
        return fmu_say(f, FMU_ERROR, "%s: the step %g s is not positive and finite", function, h);
    if (h > FMU_MOST_STEPS * f->facts->step)
        return fmu_say(
            f, FMU_ERROR,
            "%s: the step %g s has more than %g steps of the model, %g s: take a shorter "
            "one",
            function, h, FMU_MOST_STEPS, f->facts->step);
    if (!(fabs(from - f->now.time) <= near))
        return fmu_say(f, FMU_ERROR,
                       "%s: the step begins at %.12g s, but the last one ended at %.12g s",
                       function, from, f->now.time);
    if (from + h > f->now.stop + near)
        return fmu_say(f, FMU_ERROR, "%s: the step to %.9g s goes beyond the stop time %.9g s",
                       function, from + h, f->now.stop);
    return FMU_OK;
}

/* How the model has gone on. */
static int fmu_say_outcome(fmu *f, int ended, const fmu_why *why) {
    f->now.reached = core_time(f->core);
    f->now.stopped = ended == CORE_STOPPED;
    if (ended == CORE_NOT_FINITE)
        return fmu_say(f, FMU_DISCARD, "the state would not be finite after t = %.9g s: %s",
                       f->now.reached, why->text);
    if (ended == CORE_FAULT) return fmu_say(f, FMU_ERROR, "%s", why->text);
    return FMU_OK;
}

/* Step by step, if somebody wants to know. */
static int fmu_advance(fmu *f, double end, fmu_outcome *outcome, fmu_why *why) {
    double limit = end;
    if (!f->meanwhile) return core_advance(f->core, end, why);
    for (;;) {
        const double next = core_next(f->core);
        const double to = next < limit - 1e-6 * f->facts->step ? next : limit;
        const int ended = core_advance(f->core, to, why);
        if (ended != CORE_FINE) return ended;
        f->now.time = to < limit ? core_time(f->core) : limit;
        if (f->now.time >= limit) {
            outcome->early = limit < end;
            return CORE_FINE;
        }
        double early = limit;
        if (f->meanwhile(f, f->now.time, &early)) continue;
        limit = early > f->now.time ? (early < end ? early : end) : f->now.time;
        if (limit <= f->now.time) {
            outcome->early = true;
            return CORE_FINE;
        }
    }
}

static int fmu_step(fmu *f, const char *function, double from, double h, fmu_outcome *outcome) {
    fmu_why why = {""};
    *outcome = (fmu_outcome){.reached = f->now.time};
    int status = fmu_check_step(f, function, from, h);
    if (status != FMU_OK) return status;
    const int ended = fmu_advance(f, from + h, outcome, &why);
    status = fmu_say_outcome(f, ended, &why);
    if (ended == CORE_FINE && !outcome->early) f->now.time = f->now.reached = from + h;
    if (ended != CORE_FINE || outcome->early)
        f->now.time = f->now.reached = ended == CORE_FINE ? f->now.time : core_time(f->core);
    outcome->stopped = f->now.stopped;
    outcome->reached = f->now.reached;
    return status;
}
