/* One accepted step of an embedded pair: error per step <= atol + rtol |x|, step control, and a
 * step that crosses a kink of the rate ends at the kink.
 *
 * A trial that goes over a kink is repeated with an end a little before it, which keeps all of its
 * stages on one side; its continuous output, which is at its best near the end, is then followed to
 * the kink, and the rate is evaluated after it. Hairer, Norsett, Wanner 1993, II.4 (control and
 * starting step), II.6 (location of kinks). h: step, s; error: largest error over its tolerance;
 * theta: fraction of a trial. */
#include <float.h>

#include "ode_private.h"

static const double SAFETY = 0.8, SHRINK = 0.2, GROW = 10.0, SMALL = 1e-10;
/* The growth of the next step if the system must still hold at its end (dry_system.holds). */
static const double CAREFUL = 2.0;
/* A trial is aimed at this part of the way to a kink, and followed to this part of its length. */
static const double AIM = 0.985, FOLLOW = 1.05, BELIEVED = 0.25;
/* How closely a kink is met, in steps: ending dt after it costs J dt^2/2, J being the jump of the
 * slope of the rate, and D dt if the rate itself has a jump D. */
static const double RESOLUTION = 1e-12;
/* A change of side before this part of a step happened when the step began. */
static const double AT_ONCE = 1e-7;
enum { REDONE_AT_MOST = 12, MISSED_AT_MOST = 2 };
/* A step over a jump, in shortest steps; how far apart two of them are, in longest steps. */
static const double LEAP = 4.0, APART = 1e-6;

/* ---- step lengths -------------------------------------------------------- */

static double longest(const dry_ode *ode, double t_end) {
    return ode->options.max_step > 0.0 ? ode->options.max_step : 0.1 * (t_end - ode->t_start);
}

static double shortest(const dry_ode *ode) { return 4.0 * DBL_EPSILON * fabs(ode->t) + DBL_MIN; }

static double scaled(const dry_ode *ode, const double *x, const double *minus) {
    double largest = 0.0;
    for (int i = 0; i < ode->system->n_states; i++) {
        const double value = fabs(x[i] - (minus ? minus[i] : 0.0));
        const double size = value / dry_ode__tolerance(ode, i, ode->x[i], ode->x[i]);
        if (!(size <= largest)) largest = size;
    }
    return largest;
}

/* The error of a step is like h to the power of the order: r to that power, and the root. */
static double power(int order, double r) {
    double product = 1.0;
    for (; order > 0; order /= 2, r *= r)
        if (order % 2 == 1) product *= r;
    return product;
}
static double root(int order, double r) {
    return order == 8 ? sqrt(sqrt(sqrt(r))) : dry_pow(r, 1.0 / order);
}

/* A step with which an explicit Euler step would be small, and one of the pair accurate. */
static double guess_step(dry_ode *ode, double most) {
    const int n = ode->system->n_states;
    const double *rate = dry_ode__stage(ode, 0);
    double *y = dry_ode__point(ode), *rate_y = dry_ode__stage(ode, 1);
    const double x_size = scaled(ode, ode->x, NULL), rate_size = scaled(ode, rate, NULL);
    double h = x_size > 1e-10 && rate_size > 1e-10 ? 0.01 * x_size / rate_size : 1e-6;
    if (h > most) h = most;
    for (int i = 0; i < n; i++) y[i] = ode->x[i] + h * rate[i];
    dry_ode__rate(ode, ode->t, 0.0, y, rate_y);
    const double bend = scaled(ode, rate_y, rate) / h;
    const double size = bend > rate_size ? bend : rate_size;
    if (!isfinite(size)) return 1e-3 * h;
    const double accurate = size > 1e-15 ? root(ode->method->order, 0.01 / size) : 1e-3;
    const double wanted = 100.0 * h < accurate ? 100.0 * h : accurate;
    return wanted < most ? wanted : most;
}

static double shrunk(int order, double h, double error) {
    if (!isfinite(error)) return 0.1 * h;
    const double factor = SAFETY / root(order, error);
    return h * (factor > SHRINK ? factor : SHRINK);
}

/* The next step: what the worse of the last two errors allows, because an error may vanish for one
 * step when the motion turns. */
static double next_step(dry_ode_control *control, int order, double h, double error) {
    const double ratio = h / control->h_before;
    const double then = control->error_before * power(order, ratio < 2.0 ? ratio : 2.0);
    double worse = error > then ? error : then;
    if (!(worse > SMALL)) worse = SMALL;
    const double factor = SAFETY / root(order, worse);
    control->error_before = error;
    control->h_before = h;
    return h * (factor < SHRINK ? SHRINK : factor > GROW ? GROW : factor);
}

/* ---- the step with which a pattern of sides is entered ------------------- */

enum { ENTRIES = sizeof((dry_ode_control *)0)->entries / sizeof((dry_ode_control *)0)->entries[0] };

/* The signs of all switching functions in one number, never 0. */
static unsigned pattern_of(const dry_ode *ode) {
    const double *side = dry_ode__sides(ode);
    unsigned pattern = 1;
    for (int j = 0; j < ode->system->n_kinks; j++)
        pattern = pattern * 31u + (side[j] > 0.0 ? 2u : 1u);
    return pattern | 1u << 31;
}

/* What is known of a pattern; 0: nothing. */
static double entry_step(const dry_ode_control *control, unsigned pattern) {
    const unsigned i = pattern % ENTRIES;
    return control->entries[i].pattern == pattern ? control->entries[i].h : 0.0;
}

/* A step that was cut short only shows that a longer one is possible. */
static void note_entry(dry_ode_control *control, unsigned pattern, double h, bool cut) {
    const unsigned i = pattern % ENTRIES;
    if (cut && h < entry_step(control, pattern)) return;
    control->entries[i].pattern = pattern;
    control->entries[i].h = h;
}

/* ---- what a step needs to know at its start ------------------------------ */

static void set_rate(dry_ode *ode) {
    const int n = ode->system->n_states;
    double *rate = dry_ode__stage(ode, 0);
    if (!ode->control.has_rate) {
        dry_ode__rate(ode, ode->t, 0.0, ode->x, rate);
    } else if (ode->control.rate_at_end) {
        dry_ode__copy(n, rate, dry_ode__stage(ode, ode->method->tableau->end_stage));
        for (int i = 0; ode->relaxed.count && i < n; i++)
            if (dry_ode__lambda(ode)[i] > 0.0) rate[i] = dry_ode__end_rate(ode)[i];
    }
    ode->control.has_rate = true;
    ode->control.rate_at_end = false;
}

static void set_step(dry_ode *ode, unsigned entered, double most) {
    const double known = entered ? entry_step(&ode->control, entered) : 0.0;
    if (known > 0.0) {
        ode->control.h = known;
    } else if (ode->control.restart && !(ode->counts.steps == 0 && ode->options.step > 0.0)) {
        const double guess = guess_step(ode, most);
        if (!(ode->control.h > 0.0) || guess < ode->control.h) ode->control.h = guess;
    }
    ode->control.restart = false;
    if (ode->control.h > most) ode->control.h = most;
    if (ode->control.h < shortest(ode)) ode->control.h = shortest(ode);
}

/* Returns the pattern of sides that is entered; 0: none. */
static unsigned prepare(dry_ode *ode, double most) {
    ode->t_before = ode->t;
    ode->relaxed.below = (double)INFINITY;
    dry_ode__copy(ode->system->n_states, dry_ode__before(ode), ode->x);
    set_rate(ode);
    if (ode->relaxed.count) most = dry_ode__relax_begin(ode, most);
    ode->control.has_rate = !ode->relaxed.count;
    if (!ode->control.has_sides && ode->system->kinks && !ode->options.ignore_kinks)
        dry_ode__sides_set(ode);
    ode->control.has_sides = true;
    const unsigned entered = ode->control.entered ? pattern_of(ode) : 0;
    set_step(ode, entered, most);
    return entered;
}

/* ---- one accepted step --------------------------------------------------- */

/* The trial under way. */
typedef struct attempt {
    unsigned entered; /* the pattern of sides that it enters; 0: none */
    double h, end;    /* length, end */
    double limit;     /* the next break, or t_end */
    bool is_break;    /* the limit is a break */
    bool to_limit;    /* this trial ends there */
    bool aimed;       /* its length was chosen to meet a kink */
    bool rejected;    /* a longer trial had too large an error */
    double kink;      /* the kink that it met, or its stop, in steps; 0: none */
    int redone;       /* how often a trial was cut at a kink */
    int missed;       /* how often the next one found another far before it */
    double error;
    int worst; /* the state with the largest error */
} attempt;

/* the left limit of a time */
static double before(double t) { return nextafter(t, -(double)INFINITY); }

static void try_attempt(dry_ode *ode, attempt *a) {
    const double room = a->limit - ode->t;
    a->to_limit = a->h * (a->aimed ? 1.0 : 1.01) >= room;
    if (a->to_limit) a->h = room;
    a->end = a->to_limit ? a->limit : ode->t + a->h;
    ode->control.dense_terms = 0;
    ode->relaxed.error = 0.0;
    a->error = ode->method->tableau->trial(
        ode, a->h, a->to_limit && a->is_break ? before(a->end) : a->end, &a->worst);
}

/* How far beyond an aimed trial its continuous output may be followed, in steps. */
static double reach(const dry_ode *ode, const attempt *a) {
    const double room = (before(a->limit) - ode->t) / a->h;
    return room < FOLLOW ? room : FOLLOW;
}

static dry_ode__trial inspected(const dry_ode *ode, const attempt *a) {
    const double resolved = shortest(ode) / a->h;
    return (dry_ode__trial){.h = a->h,
                            .last = a->is_break ? before(a->limit) : (double)INFINITY,
                            .reach = a->aimed && !a->to_limit ? reach(ode, a) : 1.0,
                            .resolution = resolved > RESOLUTION ? resolved : RESOLUTION,
                            .at_once = 4.0 * resolved > AT_ONCE ? 4.0 * resolved : AT_ONCE};
}

/* Aims at the kink that was found at theta, by a step that moves the time. */
static void aim(const dry_ode *ode, attempt *a, double theta) {
    a->h = fmax(AIM * theta * a->h, shortest(ode));
    a->missed += a->aimed && theta < 0.5;
    a->aimed = true;
    a->redone++;
}

/* Whether to stop looking for kinks: there were too many, or no time before one. */
static bool gives_up(const dry_ode *ode, const attempt *a) {
    return a->redone >= REDONE_AT_MOST || a->missed >= MISSED_AT_MOST || a->h <= shortest(ode);
}

/* False if the trial goes over a kink: a->h is then a length that ends before it. */
static bool meets_kinks(dry_ode *ode, attempt *a) {
    if (gives_up(ode, a)) {
        ode->control.has_sides = false;
        return true;
    }
    const dry_ode__trial trial = inspected(ode, a);
    double theta;
    if (!dry_ode__crossing(ode, &trial, &theta)) return true;
    if (theta > 1.0) {
        a->kink = theta;
        return true;
    }
    aim(ode, a, theta);
    return false;
}

/* A shorter trial after one with too large an error: to the kink that spoilt it, if one did. The
 * stages of a step that is far too long cross anything at once: such a kink is not believed. */
static void shorten(dry_ode *ode, attempt *a, bool locates) {
    const double h = shrunk(ode->method->order, a->h, a->error);
    double theta;
    if (ode->relaxed.error <= 1.0 && dry_ode__relax_find(ode, a->h, a->worst) > 0.0) return;
    if (locates && isfinite(a->error) && !gives_up(ode, a)) {
        const dry_ode__trial trial = inspected(ode, a);
        if (dry_ode__stage_crossing(ode, &trial, &theta) && AIM * theta * a->h > BELIEVED * h) {
            aim(ode, a, theta);
            return;
        }
    }
    if (!(ode->relaxed.error <= 1.0)) dry_ode__relax_drop(ode, a->h);
    a->rejected = true;
    a->aimed = false;
    a->h = h;
}

/* Whether what the system found out after the last step holds at the end of the trial. */
static bool holds(const dry_ode *ode, const attempt *a) {
    const dry_system *system = ode->system;
    return !system->holds || system->holds(&ode->env, a->end, dry_ode__end(ode));
}

static dry_status failed(dry_ode *ode, const attempt *a, dry_status status) {
    ode->fault = (dry_ode_fault){.state = a->worst, .t = ode->t};
    ode->has_dense = false;
    return status;
}

/* The length proposed for the next step; one that was cut short has not earned a shorter one. */
static double propose(dry_ode *ode, const attempt *a) {
    double wanted = next_step(&ode->control, ode->method->order, a->h, a->error);
    if (ode->system->holds && wanted > CAREFUL * a->h) wanted = CAREFUL * a->h;
    if (a->entered && !ode->relaxed.count)
        note_entry(&ode->control, a->entered, wanted, a->aimed || a->to_limit);
    if (a->rejected && wanted > a->h) return a->h;
    return (a->aimed || a->to_limit) && wanted < ode->control.h ? ode->control.h : wanted;
}

/* Looks for the first instant of the trial at which the model stops the run, if it does so at its
 * end: by halving, along the continuous output. */
static void look_for_stop(dry_ode *ode, attempt *a) {
    double low = 0.0, high = 1.0, *x = dry_ode__point(ode);
    if (a->kink > 0.0 || !dry_system_stops(ode->system, &ode->env, a->end, dry_ode__end(ode)))
        return;
    dry_ode__dense_full(ode, a->h);
    for (;;) {
        const double theta = low + 0.5 * (high - low), t = ode->t + theta * a->h;
        if (!(t > ode->t + low * a->h && t < ode->t + high * a->h)) break;
        dry_ode__dense_at(ode, a->h, theta, x);
        if (dry_system_stops(ode->system, &ode->env, t, x))
            high = theta;
        else
            low = theta;
    }
    if (high < 1.0) a->kink = high;
}

/* Moves to the end of the trial, or to the kink in or after it. */
static void move(dry_ode *ode, const attempt *a) {
    const int n = ode->system->n_states;
    if (a->kink > 0.0) {
        dry_ode__dense_at(ode, a->h, a->kink, ode->x);
        ode->t += a->kink * a->h;
        dry_ode__rate(ode, ode->t, 0.0, ode->x, dry_ode__stage(ode, 0));
    } else {
        dry_ode__copy(n, ode->x, dry_ode__end(ode));
        ode->t = a->end;
        ode->control.rate_at_end = true;
    }
}

static dry_status accept(dry_ode *ode, attempt *a) {
    if (ode->system->n_stops > 0) look_for_stop(ode, a);
    const bool at_break = a->to_limit && a->is_break && !(a->kink > 0.0);
    ode->control.h = propose(ode, a);
    ode->control.length = a->h;
    move(ode, a);
    ode->control.has_rate = true;
    ode->counts.steps++;
    ode->counts.kinks += a->kink > 0.0;
    ode->control.entered = a->kink > 0.0;
    ode->control.restart = ode->control.entered || at_break;
    ode->has_dense = true;
    if (at_break) ode->control.has_rate = ode->control.has_sides = false;
    if (a->kink > 0.0 && a->kink < 1.0) ode->control.has_sides = false;
    dry_ode__atol_grow(ode);
    return dry_ode__accepted(ode);
}

/* A jump of the rate within the shortest step, as where two conditions change together but for
 * rounding: no step is short enough for its error, which is a jump times some units in the last
 * place of t. So one step goes over it. It does not if the last one did hardly before. */
static bool leaps(dry_ode *ode, attempt *a, double most) {
    const dry_ode_control *control = &ode->control;
    if (!isfinite(a->error) || (control->leapt && ode->t - control->leap < APART * most))
        return false;
    a->h = LEAP * shortest(ode);
    if (a->h > a->limit - ode->t) return false;
    try_attempt(ode, a);
    const dry_ode__trial trial = inspected(ode, a);
    return isfinite(a->error) && holds(ode, a) && dry_ode__crossed(ode, &trial);
}

static dry_status leap(dry_ode *ode, attempt *a) {
    const dry_status status = accept(ode, a);
    ode->control.restart = ode->control.leapt = true;
    ode->control.has_rate = ode->control.has_sides = false;
    ode->control.h = 0.0;
    ode->control.leap = ode->t;
    return status;
}

static bool chatters(dry_ode *ode, double most) {
    const dry_ode_counts *c = &ode->counts;
    return dry_chatters(&ode->control.chatter, c->steps, c->kinks + c->rejected, ode->t, most);
}

/* After each trial the step is accepted and moves the time, or the next trial is shorter by a
 * hundredth or more, or has more states in closed form, which trials of one length drop at most
 * once. So trials come to an end, in some thousands from the longest step to the shortest. */
enum { TRIED_AT_MOST = 10000 };

dry_status dry_ode__adaptive(dry_ode *ode, double t_end) {
    const bool locates = ode->system->kinks && !ode->options.ignore_kinks;
    attempt a = {.entered = prepare(ode, longest(ode, t_end))};
    a.h = ode->control.h;
    a.limit = dry_breaks_limit(&ode->breaks, ode->t, t_end, &a.is_break);
    if (chatters(ode, longest(ode, t_end))) return failed(ode, &a, DRY_STEP_COLLAPSED);
    for (int tried = 0; tried < TRIED_AT_MOST; tried++, ode->counts.rejected++) {
        if (dry_ode__out_of_steps(ode)) return DRY_TOO_MANY_STEPS;
        try_attempt(ode, &a);
        if (!(a.error <= 1.0)) {
            shorten(ode, &a, locates);
            if (a.h > shortest(ode)) continue;
            attempt over = a;
            if (locates && leaps(ode, &over, longest(ode, t_end))) return leap(ode, &over);
            return failed(ode, &a, isfinite(a.error) ? DRY_STEP_COLLAPSED : DRY_NOT_FINITE);
        }
        if (!holds(ode, &a)) {
            a.h *= 0.5;
            a.rejected = true;
            a.aimed = false;
            if (a.h > shortest(ode)) continue;
            return failed(ode, &a, DRY_STEP_COLLAPSED);
        }
        if (dry_ode__relax_find(ode, a.h, a.worst) * a.h > ode->method->tableau->stable) continue;
        if (!locates || meets_kinks(ode, &a)) return accept(ode, &a);
    }
    return failed(ode, &a, DRY_STEP_COLLAPSED);
}
