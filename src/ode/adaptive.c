/* One accepted step of an embedded pair: error per step <= atol + rtol |x|, PI step control, the
 * end of the step moved onto a kink of the rate where it crosses one.
 *
 * The rate is continuous at a kink, so that the first rate of the next step stays valid; the step
 * ends a little before the kink, which keeps all of its own stages on one side. Hairer, Norsett,
 * Wanner 1993, II.4 (control and starting step), II.6 (location of kinks). h: step, s; error:
 * largest error over its tolerance. */
#include <float.h>

#include "ode_private.h"

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10.0, PI_BETA = 0.04;
enum { REDONE_AT_MOST = 12, MISSED_AT_MOST = 2 };

/* ---- the trial step ------------------------------------------------------ */

/* Stages 1 to 6 and the state at the end, from the rate in stage 0. */
static void try_step(dry_ode *ode, double h, double last) {
    const struct dry_tableau *table = ode->method->tableau;
    const double *a = table->a;
    for (int s = 1; s < table->stages; a += s, s++) {
        double *y = s == table->stages - 1 ? dry_ode__end(ode) : dry_ode__point(ode);
        const double t = ode->t + table->c[s] * h;
        dry_ode__combine(ode, s, h, a, y);
        dry_ode__rate(ode, t < last ? t : last, 0.0, y, dry_ode__stage(ode, s));
    }
}

static double tolerance_of(const dry_ode *ode, double x, double y) {
    const double size = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return ode->options.atol + ode->options.rtol * size;
}

/* The largest error over its tolerance, and its state; not finite where anything is not. */
static double error_of(const dry_ode *ode, double h, int *worst) {
    const struct dry_tableau *table = ode->method->tableau;
    const double *y = dry_ode__end(ode);
    double largest = 0.0;
    *worst = 0;
    for (int i = 0; i < ode->system->n_states; i++) {
        double sum = 0.0;
        for (int j = 0; j < table->stages; j++) sum += table->e[j] * dry_ode__stage(ode, j)[i];
        const double error = fabs(h * sum) / tolerance_of(ode, ode->x[i], y[i]);
        if (error <= largest) continue;
        largest = error;
        *worst = i;
        if (!isfinite(error)) break;
    }
    return largest;
}

/* ---- step lengths -------------------------------------------------------- */

static double longest(const dry_ode *ode, double t_end) {
    return ode->options.max_step > 0.0 ? ode->options.max_step : 0.1 * (t_end - ode->t_start);
}

static double shortest(const dry_ode *ode) { return 4.0 * DBL_EPSILON * fabs(ode->t) + DBL_MIN; }

static double scaled(const dry_ode *ode, const double *x, const double *minus) {
    double largest = 0.0;
    for (int i = 0; i < ode->system->n_states; i++) {
        const double value = fabs(x[i] - (minus ? minus[i] : 0.0));
        const double size = value / tolerance_of(ode, ode->x[i], ode->x[i]);
        if (!(size <= largest)) largest = size;
    }
    return largest;
}

/* A step with which an explicit Euler step would be small, and a fifth-order one accurate. */
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
    const double accurate = size > 1e-15 ? pow(0.01 / size, 0.2) : 1e-3;
    const double wanted = 100.0 * h < accurate ? 100.0 * h : accurate;
    return wanted < most ? wanted : most;
}

/* What a step needs to know at its start: rate, sides, proposed length. */
static void prepare(dry_ode *ode, double most) {
    const dry_system *system = ode->system;
    if (!ode->has_rate) dry_ode__rate(ode, ode->t, 0.0, ode->x, dry_ode__stage(ode, 0));
    if (!ode->has_sides && system->kinks && !ode->options.ignore_kinks) dry_ode__sides_set(ode);
    ode->has_rate = ode->has_sides = true;
    if (ode->restart && !(ode->counts.steps == 0 && ode->options.step > 0.0)) {
        const double guess = guess_step(ode, most);
        if (!(ode->h > 0.0) || guess < ode->h) ode->h = guess;
    }
    ode->restart = false;
    if (ode->h > most) ode->h = most;
}

static double shrunk(double h, double error) {
    if (!isfinite(error)) return 0.1 * h;
    const double factor = SAFETY * pow(error, -0.2);
    return h * (factor > SHRINK ? factor : SHRINK);
}

/* The PI controller's next step. */
static double next_step(dry_ode *ode, double h, double error) {
    const double tiny = error > 1e-10 ? error : 1e-10;
    double factor = SAFETY * pow(tiny, 0.75 * PI_BETA - 0.2) * pow(ode->error_before, PI_BETA);
    factor = factor < SHRINK ? SHRINK : factor > GROW ? GROW : factor;
    ode->error_before = error > 1e-4 ? error : 1e-4;
    return h * factor;
}

/* ---- one accepted step --------------------------------------------------- */

/* The trial under way. */
typedef struct attempt {
    double h, end, last; /* length, end, largest time of a stage */
    double limit;        /* the next break, or the end that was asked for */
    bool is_break;       /* the limit is a break */
    bool to_limit;       /* this trial ends there */
    bool aimed;          /* its length was chosen to meet a kink */
    bool rejected;       /* a longer trial had too large an error */
    bool kink;           /* it ends at a kink */
    int redone;          /* how often a trial was cut at a kink */
    int missed;          /* how often the next one found another far before it */
    double error;
    int worst; /* the state with the largest error */
} attempt;

/* the left limit of a time */
static double before(double t) { return nextafter(t, -(double)INFINITY); }

static void try_attempt(dry_ode *ode, attempt *a) {
    const double room = a->limit - ode->t;
    a->to_limit = a->h * 1.01 >= room;
    if (a->to_limit) a->h = room;
    a->end = a->to_limit ? a->limit : ode->t + a->h;
    a->last = a->to_limit && a->is_break ? before(a->end) : a->end;
    try_step(ode, a->h, a->last);
    a->error = error_of(ode, a->h, &a->worst);
}

/* How closely a kink is met, in steps. A step that begins dt before it has a first rate that is J
 * dt behind, J the jump of the rate's slope, which costs J dt h behind the kink; there J h^2 is
 * about |x| rtol^(2/5), and the time scale h may be a thousand times shorter than before. */
static double kink_tolerance(const dry_ode *ode, double h) {
    const double wanted = 1e-4 * pow(ode->options.rtol, 0.6), resolved = shortest(ode) / h;
    return wanted > resolved ? wanted : resolved;
}

/* False where the trial goes over a kink: a->h is then the length that ends just before it. */
static bool meets_kinks(dry_ode *ode, attempt *a) {
    a->kink = false;
    if (a->redone == REDONE_AT_MOST || a->missed == MISSED_AT_MOST) {
        ode->has_sides = false;
        return true;
    }
    const double tolerance = kink_tolerance(ode, a->h);
    const dry_ode__trial trial = {a->h, a->is_break ? before(a->limit) : (double)INFINITY,
                                  a->aimed && !a->to_limit, tolerance};
    double theta = 1.0;
    a->kink = dry_ode__crossing(ode, &trial, &theta);
    if (!a->kink || fabs(theta - 1.0) <= tolerance) return true;
    a->h *= theta - 0.5 * tolerance;
    a->missed += a->aimed && theta < 0.5;
    a->aimed = true;
    a->redone++;
    return false;
}

static dry_status failed(dry_ode *ode, const attempt *a, dry_status status) {
    ode->fault = (dry_ode_fault){.state = a->worst, .t = ode->t};
    ode->has_dense = false;
    return status;
}

/* The length proposed for the next step; one that was cut short has not earned a shorter one. */
static double propose(dry_ode *ode, const attempt *a) {
    const double wanted = next_step(ode, a->h, a->error);
    if (a->rejected && wanted > a->h) return a->h;
    return (a->aimed || a->to_limit) && wanted < ode->h ? ode->h : wanted;
}

static dry_status accept(dry_ode *ode, const attempt *a) {
    const size_t bytes = (size_t)ode->system->n_states * sizeof *ode->x;
    const bool at_break = a->to_limit && a->is_break;
    ode->h = propose(ode, a);
    memcpy(ode->x, dry_ode__end(ode), bytes);
    memcpy(dry_ode__stage(ode, 0), dry_ode__stage(ode, 6), bytes);
    ode->t_before = ode->t;
    ode->t = a->end;
    ode->counts.steps++;
    ode->counts.kinks += a->kink;
    ode->restart = a->kink || at_break;
    ode->has_dense = true;
    if (at_break) ode->has_rate = ode->has_sides = false;
    return dry_ode__accepted(ode);
}

dry_status dry_ode__adaptive(dry_ode *ode, double t_end) {
    const bool locates = ode->system->kinks && !ode->options.ignore_kinks;
    prepare(ode, longest(ode, t_end));
    attempt a = {.h = ode->h};
    a.limit = dry_ode__limit(ode, t_end, &a.is_break);
    for (;; ode->counts.rejected++) {
        if (dry_ode__out_of_steps(ode)) return DRY_TOO_MANY_STEPS;
        try_attempt(ode, &a);
        if (!(a.error <= 1.0)) {
            a.rejected = true;
            a.h = shrunk(a.h, a.error);
            if (a.h > shortest(ode)) continue;
            return failed(ode, &a, isfinite(a.error) ? DRY_STEP_COLLAPSED : DRY_NOT_FINITE);
        }
        dry_ode__dense_set(ode, a.h);
        if (!locates || meets_kinks(ode, &a)) return accept(ode, &a);
    }
}
