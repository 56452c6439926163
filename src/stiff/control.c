/* rodas4: accepted steps with error control.
 *
 * Step control by Gustafsson (Hairer, Wanner 1996, IV.8). h: step, s; error: the largest error over
 * its tolerance. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stiff_private.h"
#include <drystone/elementary.h>

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 6.0, EXPONENT = 0.25;

/* ---- step lengths -------------------------------------------------------- */

static double shortest(const dry_stiff *s) { return 4.0 * DBL_EPSILON * fabs(s->t) + DBL_MIN; }

static double scaled(const dry_stiff *s, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < s->system->n_states; i++)
        largest = fmax(largest, fabs(x[i]) / (s->options.atol + s->options.rtol * fabs(s->x[i])));
    return largest;
}

/* A step with which an explicit Euler step would be small. */
static double guess_step(const dry_stiff *s) {
    const double x_size = scaled(s, s->x), rate_size = scaled(s, s->rodas.rate);
    return x_size > 1e-5 && rate_size > 1e-5 ? 0.01 * x_size / rate_size : 1e-6;
}

/* The next step after an accepted one. */
static double next_step(dry_stiff__rosenbrock *rodas, double h, double error) {
    const double now = fmax(error, 1e-8), before = rodas->error_before;
    double factor = SAFETY * dry_pow(now, -EXPONENT);
    if (rodas->h_before > 0.0)
        factor =
            fmin(factor, SAFETY * h / rodas->h_before * dry_pow(before / (now * now), EXPONENT));
    factor = fmin(GROW, fmax(SHRINK, factor));
    if (rodas->was_rejected) factor = fmin(factor, 1.0);
    rodas->h_before = h;
    rodas->error_before = fmax(1e-2, now);
    return h * factor;
}

static double shrunk(double h, double error) {
    return isfinite(error) ? h * fmax(SHRINK, SAFETY * dry_pow(error, -EXPONENT)) : 0.1 * h;
}

/* ---- one accepted step --------------------------------------------------- */

/* before_limit: the largest time that a stage of a step to the limit may have. */
typedef struct attempt {
    double h, end, limit, before_limit, last, error;
    bool to_limit;
    int worst;
} attempt;

static void set_rate(dry_stiff *s, const attempt *a) {
    if (s->rodas.has_rate) return;
    s->system->rate(&s->env, s->t, 0.0, s->x, s->rodas.rate);
    s->counts.rates++;
    if (!(s->rodas.h > 0.0)) s->rodas.h = guess_step(s);
    dry_stiff__jacobian(s, &(dry_stiff__place){.t = s->t,
                                               .h = fmin(s->rodas.h, a->limit - s->t),
                                               .last = a->before_limit,
                                               .x = s->x,
                                               .rate = s->rodas.rate});
    dry_stiff__slope(&s->linear, s->rodas.slope);
    s->rodas.has_rate = true;
}

/* The end of a step that meets the limit is the limit. */
static void set_end(const dry_stiff *s, attempt *a) {
    const double room = a->limit - s->t;
    a->to_limit = 1.01 * a->h >= room;
    if (a->to_limit) a->h = room;
    a->end = a->to_limit ? a->limit : s->t + a->h;
    a->last = a->to_limit ? a->before_limit : a->end;
}

/* The same step as long as it has to be for the run to end at its end. */
static void end_at_stop(dry_stiff *s, attempt *a) {
    double low = 0.0, high = a->h, error;
    int worst;
    for (;;) {
        const double h = low + 0.5 * (high - low), end = s->t + h;
        if (!(end > s->t + low && end < s->t + high)) break;
        if (!dry_stiff__trial(s, h, end, &error, &worst)) break;
        if (dry_system_stops(s->system, &s->env, end, s->end))
            high = h;
        else
            low = h;
    }
    if (high < a->h) { /* else at its own end */
        a->h = high;
        a->end = a->last = s->t + high;
        a->to_limit = false;
    }
    (void)dry_stiff__trial(s, a->h, a->last, &a->error, &a->worst);
}

static dry_status accept(dry_stiff *s, const attempt *a, dry_error *error) {
    const double wanted = next_step(&s->rodas, a->h, a->error);
    bool latched;
    s->rodas.h = a->to_limit && wanted < s->rodas.h && !s->rodas.was_rejected ? s->rodas.h : wanted;
    dry_stiff__keep_dense(s);
    s->rodas.has_rate = s->rodas.was_rejected = false;
    s->rodas.worst = a->worst;
    return dry_stiff__accept(s, a->end, &latched, error);
}

/* No step was short enough. If a rate is not a number, report that: it causes the rest. */
static dry_status give_up(dry_stiff *s, const attempt *a, bool regular, dry_error *error) {
    for (int i = 0; i < s->system->n_states; i++)
        if (!isfinite(s->rodas.rate[i])) return dry_stiff__fail(s, DRY_NOT_FINITE, i, error);
    if (!regular) return dry_stiff__fail(s, DRY_SINGULAR, -1, error);
    return dry_stiff__fail(s, isfinite(a->error) ? DRY_STEP_COLLAPSED : DRY_NOT_FINITE, a->worst,
                           error);
}

static dry_status step(dry_stiff *s, double t_end, dry_error *error) {
    attempt a = {0};
    a.limit = dry_stiff__limit(s, t_end, &a.before_limit);
    set_rate(s, &a);
    if (dry_stiff__chatters(s, t_end))
        return dry_stiff__fail(s, DRY_STEP_COLLAPSED, s->rodas.worst, error);
    a.h = s->rodas.h = fmin(s->rodas.h, dry_stiff__longest(s, t_end));
    for (;; s->counts.rejected++) {
        if (dry_stiff__out_of_steps(s)) return dry_stiff__fail(s, DRY_TOO_MANY_STEPS, -1, error);
        set_end(s, &a);
        a.error = (double)INFINITY;
        const bool regular = dry_stiff__trial(s, a.h, a.last, &a.error, &a.worst);
        const bool good = a.error <= 1.0;
        if (good && dry_stiff__holds(s, a.end)) {
            if (dry_system_stops(s->system, &s->env, a.end, s->end)) end_at_stop(s, &a);
            return accept(s, &a, error);
        }
        s->rodas.was_rejected = true;
        a.h = good ? 0.5 * a.h : shrunk(a.h, a.error);
        if (a.h > shortest(s)) continue;
        return give_up(s, &a, regular, error);
    }
}

/* The next step is as long as the last one wanted; the error control shortens it. */
static void restart(dry_stiff *s) {
    s->rodas.h_before = 0.0;
    s->rodas.has_rate = s->rodas.was_rejected = false;
}

/* ---- the row ------------------------------------------------------------- */

static dry_status begin(dry_stiff *s, dry_error *error) {
    dry_stiff__rosenbrock *r = &s->rodas;
    double **const vectors[] = {&r->before,   &r->rate,     &r->rhs,      &r->slope,
                                &r->stage[0], &r->stage[1], &r->stage[2], &r->stage[3],
                                &r->stage[4], &r->stage[5], &r->dense[0], &r->dense[1]};
    const size_t bytes = (size_t)s->system->n_states * sizeof(double);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = dry_arena_take(s->arena, bytes)))
            return dry_error_set(error, DRY_NO_MEMORY, "out of memory for rodas4");
    r->h = s->options.step;
    return DRY_OK;
}

const dry_stiff__method dry_stiff__rodas4 = {.row = {.name = "rodas4",
                                                     .title = "Rosenbrock method 4(3), L-stable",
                                                     .paper = "Hairer, Wanner 1996, IV.7, IV.10",
                                                     .order = 4,
                                                     .stages = DRY_STIFF_STAGES,
                                                     DRY_STIFF__FACTS},
                                             .begin = begin,
                                             .step = step,
                                             .dense = dry_stiff__rodas4_dense,
                                             .restart = restart};
