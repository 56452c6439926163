/* warnings: what a reader of a fit must know, in sentences. */
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LONG = 600 };

static void say(dry_fit__rows *w, const char *format, ...) DRY_PRINTF(2, 3);
static void say(dry_fit__rows *w, const char *format, ...) {
    dry_fit_stats *stats = &w->result->stats;
    char text[LONG];
    va_list list;
    if (stats->n_warnings >= MOST) return;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!stats->warnings)
        stats->warnings = dry_arena_take(w->result->arena, sizeof *stats->warnings * MOST);
    char *copy = dry_arena_text(w->result->arena, text, n < LONG ? (size_t)n : (size_t)LONG - 1);
    if (stats->warnings && copy) stats->warnings[stats->n_warnings++] = copy;
}

static const char *number(double x, char text[DRY_NUMBER_SIZE]) {
    dry_number_rounded(x, 3, text);
    return text;
}

static const char *space(const char *unit) { return *unit ? " " : ""; }

/* ---- of one parameter ------------------------------------------------------------------------ */

static void warn_bound(dry_fit__rows *w, const dry_fit_parameter *p) {
    char at[DRY_NUMBER_SIZE], pull[60] = "";
    if (p->beyond > 0.0) snprintf(pull, sizeof pull, " by %.2g deviations", p->beyond);
    say(w,
        "%s ended at its %s bound, %s%s%s: the data pull it beyond%s. Its interval %s there, "
        "and the other intervals hold for this value. Widen the bound if values beyond make sense, "
        "or leave %s out of what is free",
        p->name, p->at_low ? "lower" : "upper", number(p->value, at), space(p->unit), p->unit, pull,
        p->at_low ? "begins" : "ends", p->name);
}

/* The size of a hundred percent. */
static double relative(const dry_fit_parameter *p) {
    const double size = fmax(fabs(p->value), fabs(p->start));
    const double matters = isfinite(p->scale) ? fmax(size, p->scale) : size;
    return matters > 0.0 ? matters : 1.0;
}

static void warn_parameter(dry_fit__rows *w, const dry_fit_parameter *p) {
    if (p->no_effect)
        say(w,
            "%s has no effect on any output: leave it out of what is free, or add an output "
            "that depends on it",
            p->name);
    else if (p->at_low || p->at_high)
        warn_bound(w, p);
}

/* At a bound it has its own sentence. */
static void warn_sign(dry_fit__rows *w, const dry_fit_parameter *p) {
    char at[DRY_NUMBER_SIZE], low[DRY_NUMBER_SIZE], high[DRY_NUMBER_SIZE];
    const char *what, *means;
    if (dry_fit__is_nonsense(p, &what, &means))
        say(w,
            "%s is negative, %s %s: %s that is negative is %s. Bound it (`free %s in 0..`), or add "
            "what the model lacks",
            p->name, number(p->value, at), p->unit, what, means, p->name);
    if (p->log || p->at_low || p->at_high || !isfinite(p->deviation) || !dry_fit__sign_matters(p))
        return;
    if (p->interval[0] <= 0.0 && p->interval[1] >= 0.0)
        say(w,
            "%s is not distinguishable from 0: its interval is %s .. %s%s%s. Leave out what it "
            "stands "
            "for, or add a record that shows it",
            p->name, number(p->interval[0], low), number(p->interval[1], high), space(p->unit),
            p->unit);
}

/* A parameter that ran away moves by more than a thousandfold and its interval holds nearly all. */
static void warn_runaway(dry_fit__rows *w, const dry_fit_parameter *p) {
    char from[DRY_NUMBER_SIZE], to[DRY_NUMBER_SIZE];
    if (!p->log || !(p->value > 0.0) || !(p->start > 0.0)) return;
    if (fabs(log(p->value / p->start)) < log(1e3) || p->deviation < p->value) return;
    say(w,
        "%s ran away from %s to %s%s%s, and no value beyond fits worse: give it bounds, or leave "
        "it out of what is free",
        p->name, number(p->start, from), number(p->value, to), space(p->unit), p->unit);
}

/* ---- directions ----------------------------------------------------------------------------- */

/* The columns per hundred percent of each parameter, as a triangle, and its directions. */
static bool find_directions(const dry_fit__rows *w, double *s, double *V) {
    const size_t n = (size_t)w->n;
    double *copy = malloc(sizeof *copy * (w->rows * n + 1)), *R = malloc(sizeof *R * (n * n + 1));
    const bool room = copy && R;
    for (size_t i = 0; room && i < w->rows; i++)
        for (size_t j = 0; j < n; j++)
            copy[i * n + j] =
                w->A[i * n + j] * w->length[j] * relative(&w->result->parameters[w->parameter[j]]);
    if (room) {
        dry_fit__triangle(w->rows, w->n, copy, R);
        dry_fit__directions(w->n, R, s, V);
    }
    free(copy);
    free(R);
    return room;
}

/* The deviation along a direction of relative changes; INFINITY if no row feels it. */
static double deviation_along(const dry_fit__rows *w, const double *V, int k, double s) {
    const int n = w->n;
    double sum = 0.0;
    if (!(s * s > 1e-18 * w->squares)) return (double)INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double a = relative(&w->result->parameters[w->parameter[i]]) * w->length[i];
            const double b = relative(&w->result->parameters[w->parameter[j]]) * w->length[j];
            sum += V[i * n + k] * V[j * n + k] * w->C[i * n + j] / (a * b);
        }
    return sqrt(fmax(sum, 0.0));
}

/* How much parameter i moves along direction k, in parts of its value, unless that is near 0. */
static double move_of(const dry_fit__rows *w, const double *V, int k, int i) {
    const dry_fit_parameter *p = &w->result->parameters[w->parameter[i]];
    const double size = fmax(fabs(p->value), 1e-3 * relative(p));
    return V[i * w->n + k] * relative(p) / size;
}

static double largest_move(const dry_fit__rows *w, const double *V, int k) {
    double most = 0.0;
    for (int i = 0; i < w->n; i++)
        if (fabs(move_of(w, V, k, i)) > fabs(most)) most = move_of(w, V, k, i);
    return most;
}

/* "with F up by 10 % and vs down by 8 %": what moves by more than a fifth of what moves most. */
static int describe(const dry_fit__rows *w, const double *V, int k, char *names, char *moves,
                    size_t size) {
    const double most = largest_move(w, V, k);
    int count = 0, listed = 0;
    *names = *moves = 0;
    for (int i = 0; i < w->n; i++) count += fabs(move_of(w, V, k, i) / most) > 0.2;
    for (int i = 0; i < w->n; i++) {
        const double part = move_of(w, V, k, i) / most;
        const char *name = w->result->parameters[w->parameter[i]].name;
        if (!(fabs(part) > 0.2)) continue;
        const char *glue = !listed ? "" : listed == count - 1 ? " and " : ", ";
        const size_t a = strlen(names), b = strlen(moves);
        snprintf(names + a, size - a, "%s%s", glue, name);
        snprintf(moves + b, size - b, "%s%s %s by %.2g %%", glue, name, part > 0.0 ? "up" : "down",
                 10.0 * fabs(part));
        listed++;
    }
    return count;
}

/* A direction in which 50 % more or less is within the interval. */
static void warn_direction(dry_fit__rows *w, const double *V, int k, double s) {
    char names[LONG / 3], moves[LONG / 3];
    const double deviation = deviation_along(w, V, k, s);
    if (deviation < 0.25) return;
    const int n = describe(w, V, k, names, moves, sizeof names);
    const double change = 0.1 * s / fabs(largest_move(w, V, k)) / sqrt(w->squares);
    if (n > 1)
        say(w,
            "the data cannot distinguish %s: with %s, the outputs change by %.2g %% of the "
            "residuals. Hold one of them at a value that you know, or add a record that moves "
            "them apart",
            names, moves, 100.0 * change);
    else
        say(w,
            "the data hardly see %s: with %s, the outputs change by %.2g %% of the residuals. "
            "Hold it at a value that you know, or add a record that depends on it",
            names, moves, 100.0 * change);
}

static bool warn_directions(dry_fit__rows *w) {
    const size_t n = (size_t)w->n;
    double *s = malloc(sizeof *s * (n + 1)), *V = malloc(sizeof *V * (n * n + 1));
    const bool room = s && V && find_directions(w, s, V);
    for (int k = w->n - 1; room && k >= 0; k--) warn_direction(w, V, k, s[k]);
    free(s);
    free(V);
    return room;
}

/* ---- of an output --------------------------------------------------------------------------- */

/* Outputs of one name share their noise, so one sentence is for all of them. */
static void warn_rows(dry_fit__rows *w, int k) {
    const dry_fit__group *g = &w->groups[k];
    if (!(g->rows > 0.0) || g->effective > 0.1 * g->rows) return;
    say(w,
        "the %.0f rows of %s are worth %.3g independent ones, because residuals depend on those "
        "before them: intervals are up to %.2g times as wide as for independent residuals. The "
        "model lacks something, or the rows are closer than they need be",
        g->rows, w->result->outputs[k].name, g->effective, sqrt(g->rows / g->effective));
}

static void warn_delay(dry_fit__rows *w, int k) {
    const dry_fit_output *o = &w->result->outputs[k];
    const dry_fit_look *look = &w->result->stats.look[k];
    const double now = look->n_scan ? look->scan_rms[look->n_scan / 2] : 0.0;
    char delay[DRY_NUMBER_SIZE], wide[DRY_NUMBER_SIZE];
    if (isnan(look->delay) || !(fabs(look->delay) > 3.0 * look->delay_deviation)) return;
    if (!(look->delay_rms < 0.99 * now)) return;
    say(w,
        "%s comes %s s (+- %s) %s than the model: with this lag the rms of its residuals falls "
        "from %.3g to %.3g%s%s. Give the output a lag, or the input a delay that is free",
        o->name, number(fabs(look->delay), delay), number(2.0 * look->delay_deviation, wide),
        look->delay > 0.0 ? "later" : "earlier", now, look->delay_rms, space(o->unit), o->unit);
}

static void warn_floor(dry_fit__rows *w, int k) {
    const dry_fit_look *look = &w->result->stats.look[k];
    const dry_fit_output *o = &w->result->outputs[k];
    if (!(look->cycles > 0.0) || !(look->shared > 0.5) || !(o->train.rms > 1.5 * look->unrepeated))
        return;
    say(w,
        "%.0f %% of the residuals of %s come back in each cycle of %.3g s: no noise does that. "
        "What does not come back is %.3g%s%s, the model leaves %.3g",
        100.0 * look->shared, o->name, look->period, look->unrepeated, space(o->unit), o->unit,
        o->train.rms);
}

/* ---- of the solver -------------------------------------------------------------------------- */

static const double FAR = 0.3; /* deviations: then intervals are where they were not to be */

static void warn_offset(dry_fit__rows *w) {
    const dry_fit_result *r = w->result;
    if (!(r->offset > FAR)) return;
    say(w, "the solver ended %.2g deviations of the parameters from where a full step leads%s",
        r->offset,
        r->settled ? ": the data hardly see some direction, or the outputs are rough in the "
                     "parameters. Hold a parameter, or run with a smaller --step or --method dopri5"
                   : ", after as many steps as it may take: give it more by --most-steps");
}

/* ---- of the step ---------------------------------------------------------------------------- */

/* What half the step may move: a parameter, in deviations; the rms of residuals, in parts. */
static const double MOVED = 0.5, CHANGED = 0.05;

static const dry_fit_parameter *most_moved(const dry_fit__rows *w) {
    const dry_fit_parameter *most = NULL;
    for (int j = 0; j < w->n; j++) {
        const dry_fit_parameter *p = &w->result->parameters[w->parameter[j]];
        if (fabs(p->coarse) > (most ? fabs(most->coarse) : MOVED)) most = p;
    }
    return most;
}

/* The output whose rms half the step changes most; -1: of none by more than it may. */
static int most_changed(const dry_fit_result *r) {
    double most = CHANGED;
    int output = -1;
    for (int k = 0; k < r->n_outputs; k++) {
        const double part = fabs(r->stats.look[k].finer_rms / r->outputs[k].train.rms - 1.0);
        if (part > most) most = part, output = k;
    }
    return output;
}

static void warn_step(dry_fit__rows *w) {
    const dry_fit_result *r = w->result;
    const dry_fit_parameter *p = most_moved(w);
    const int k = most_changed(r);
    char step[DRY_NUMBER_SIZE], what[120] = "", rms[200] = "";
    if (r->no_finer)
        say(w, "nobody knows whether the step is fine enough: with %s, a run fails: %.300s",
            r->step > 0.0 ? "half of it" : "a tenth of the tolerances", r->no_finer);
    if (!p && k < 0) return;
    if (p) snprintf(what, sizeof what, "%.80s moves by %.2g deviations", p->name, fabs(p->coarse));
    if (k >= 0)
        snprintf(rms, sizeof rms, "%sthe rms of the residuals of %.80s goes from %.3g to %.3g%s%s",
                 p ? ", and " : "", r->outputs[k].name, r->outputs[k].train.rms,
                 r->stats.look[k].finer_rms, space(r->outputs[k].unit), r->outputs[k].unit);
    if (r->step > 0.0)
        say(w,
            "the step of %s s is too coarse for this fit: with half of it %s%s. Fit with a smaller "
            "--step, or with --method dopri5, which locates kinks",
            number(r->step, step), what, rms);
    else
        say(w,
            "the tolerances are too coarse for this fit: with a tenth of them %s%s. Fit with "
            "smaller --rtol and --atol",
            what, rms);
}

static void warn_giver(dry_fit__rows *w) {
    const dry_fit_giver *g = &w->result->giver;
    if (!*g->part) return;
    say(w, "%s (%s) gives energy: %.3g J, %.2g of what passes through it in record %d. %s", g->part,
        g->kind, g->energy, g->share, g->record + 1,
        g->promised ? "Its law promises to take it only, so the runs are wrong: fit with a smaller "
                      "--step"
                    : "No friction, damper or spring does that: bound its parameters to what makes "
                      "sense, or fit with a smaller --step");
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Residuals of the fit in parts of the deviation of what was measured, as those of windows. */
static double rms_of(const dry_fit_result *r) {
    double sum = 0.0, rows = 0.0;
    for (int i = 0; i < r->n_outputs; i++) {
        const dry_fit_output *o = &r->outputs[i];
        for (size_t k = 0; k < o->rows; k++) {
            if (o->held[k]) continue;
            sum += pow(o->weight / o->scale * o->residual[k], 2.0);
            rows += 1.0;
        }
    }
    return sqrt(sum / rows);
}

/* Parameters with which windows follow what one run does not, as "F = 0.5, k = 400". */
static void list_values(const dry_fit_result *r, char *text, size_t size) {
    *text = 0;
    for (int j = 0; j < r->n_parameters && j < 8; j++) {
        char value[DRY_NUMBER_SIZE];
        const size_t at = strlen(text);
        dry_number_rounded(r->windows.values[j], 5, value);
        snprintf(text + at, size - at, "%s%s = %s", j ? ", " : "", r->parameters[j].name, value);
    }
}

static void warn_windows(dry_fit__rows *w) {
    const dry_fit_result *r = w->result;
    const dry_fit_windows *windows = &r->windows;
    char values[LONG / 2];
    if (!windows->n) return;
    const double rms = rms_of(r);
    if (!(rms > 1.5 * windows->rms + windows->jump)) return;
    list_values(r, values, sizeof values);
    say(w,
        "one run over a whole record does not follow what its windows follow: it leaves %.3g %%, "
        "windows of %.3g s leave %.3g %% with %s. The motion is chaotic, or this is not the lowest "
        "optimum, so the intervals say nothing: take shorter records (from .. to ..), or other "
        "windows",
        100.0 * rms, windows->length, 100.0 * windows->rms, values);
}

bool dry_fit__warn(dry_fit__rows *w) {
    dry_fit_result *r = w->result;
    warn_offset(w);
    warn_step(w);
    warn_giver(w);
    warn_windows(w);
    for (int i = 0; i < r->n_parameters; i++) warn_parameter(w, &r->parameters[i]);
    for (int i = 0; i < r->n_parameters; i++) warn_sign(w, &r->parameters[i]);
    if (w->n && w->rows && !warn_directions(w)) return false;
    for (int j = 0; j < w->n; j++) warn_runaway(w, &r->parameters[w->parameter[j]]);
    for (int k = 0; k < r->n_outputs; k++) {
        warn_rows(w, k);
        warn_floor(w, k);
        warn_delay(w, k);
    }
    if (r->stats.independent < 5.0 * w->n)
        say(w, "%d parameters from about %.3g independent rows: the intervals are rough", w->n,
            r->stats.independent);
    return !dry_arena_failed(r->arena);
}
