/* windows: multiple shooting (Bock 1983). A free run over a whole record follows its parameters
 * through many local optima if the motion has many periods, is unstable, or sticks and slips. So
 * each record is cut into windows, which are runs of their own from states s_k that the fit finds
 * too:
 *
 *     minimize  C(p, s) + mu/2 sum |(x(t_k+1; p, s_k) - s_k+1)/size|^2
 *
 * with the solver of the fit, to which a window is a record and the jumps at its end are one more
 * output of it. mu grows from stage to stage, until the jumps are below what residuals show. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* mu in the first stage, so that a jump of the size of a state counts as a hundredth of residuals
 * of the size of what was measured; by what it grows; and the most stages. */
static const double FIRST_WEIGHT = 1e-2, GROWTH = 100.0;
enum { MOST_STAGES = 7, MOST_BEGINNINGS = 4 };
/* Jumps below this part of what the residuals of a window resolve are none. */
static const double RESOLVED = 0.1;
/* Of the solver in each stage: only the last fit needs more. */
static const double TOLERANCE = 1e-3;
/* The normal equations are full. */
enum { MOST_UNKNOWNS = 1200 };

typedef struct windows {
    dry_fit__bench *whole;
    dry_fit__bench cut; /* its records are the windows */
    dry_fit_job job;
    dry_arena *arena; /* of `cut` */
    int n, n_states;
    int *of; /* record of each window */
    dry_fit__window *window;
    double *x, *end; /* states at the beginning and at the end of each */
    double *size;    /* of state i of record r, at r n_states + i; 0: it is not unknown */
} windows;

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- what a run of a window needs ------------------------------------------------------------ */

void dry_fit__window_start(const dry_fit__record *record, const double *values, double *x0) {
    const dry_fit__window *w = record->window;
    memcpy(x0, w->x, sizeof *x0 * (size_t)dry_model_system(record->model)->n_states);
    for (int k = 0; w->own && k < w->n; k++) x0[w->state[k]] = values[w->own[k]];
}

double *dry_fit__window_jumps(const dry_fit__record *record, const double *values,
                              dry_fit__window_end end, double *to) {
    const dry_fit__window *w = record->window;
    const int n = dry_model_system(record->model)->n_states;
    for (int k = 0; w && w->next && k < w->n; k++) {
        const int at = dry_sensitivity_state(n, end.n_states / n - 1, end.place, w->state[k]);
        *to++ = (end.x[at] - (end.place < 0 ? values[w->next[k]] : 0.0)) / w->scale[k];
    }
    return to;
}

void dry_fit__window_joints(dry_fit__bench *bench) {
    for (int r = 0; r < bench->n_records; r++) {
        const dry_fit__record *record = &bench->records[r];
        const dry_fit__window *w = record->window;
        if (!w || !w->next) continue;
        const dry_fit_output *jump = &bench->outputs[record->first + record->n - 1];
        for (int k = 0; k < w->n; k++)
            jump->jacobian[(size_t)k * (size_t)bench->n + (size_t)w->next[k]] = -1.0 / w->scale[k];
    }
}

/* ---- what can be cut ------------------------------------------------------------------------- */

static const char *part_that_switches(const dry_net *net) {
    for (int i = 0; net && i < dry_net_part_count(net); i++) {
        const char *name = NULL;
        if (dry_net_part_at(net, i, &name)->latch) return name;
    }
    return NULL;
}

static dry_status check_model(const dry_model *model, dry_error *error) {
    const char *part = part_that_switches(dry_model_net(model));
    if (dry_model_inclusion(model))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "windows begin at states of their own, which a method that keeps the "
                             "sets does not take: choose another one, such as --method rk4");
    if (dry_model_delays(model))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a window cannot begin where the model reads its past (delay): the "
                             "past would be unknown too. Fit without windows, with --starts, or "
                             "replace the delay by the `lag` of an output");
    if (part)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a window cannot begin at any state of `%s`: its contacts, phases or "
                             "quaternions depend on each other. Fit without windows, with "
                             "--starts, or shorten the record (from .. to ..)",
                             part);
    return DRY_OK;
}

static dry_status check_models(const windows *s, dry_error *error) {
    dry_status status = DRY_OK;
    for (int r = 0; status == DRY_OK && r < s->whole->n_records; r++) {
        const dry_model *model = s->whole->records[r].model;
        status = check_model(model, error);
        if (status == DRY_OK && dry_model_system(model)->n_states != s->n_states)
            status = dry_error_set(error, DRY_BAD_ARGUMENT,
                                   "the models of two records have other states: fit each record "
                                   "alone");
    }
    return status;
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* The last time that a row of the fit needs. */
static double last_needed(const dry_fit__bench *whole, const dry_fit__record *record) {
    double last = 0.0;
    for (int i = record->first; i < record->first + record->n; i++) {
        const dry_fit_output *o = &whole->outputs[i];
        for (size_t k = 0; k < o->rows; k++)
            if (!o->held[k]) last = fmax(last, o->t[k] - o->lag);
    }
    return fmin(last, record->run.until);
}

/* The length of windows, a multiple of a fixed step, and how many of them there are. */
static int count(const windows *s, const dry_fit__record *record, double *length) {
    const dry_fit_job *job = s->whole->job;
    const double last = last_needed(s->whole, record);
    const double step = record->run.method->adaptive ? 0.0 : record->run.step;
    *length = job->windows > 0 ? last / job->windows : job->window;
    if (step > 0.0) *length = step * fmax(1.0, round(*length / step));
    const double n = ceil(last / *length - 1e-6);
    return n > MOST_UNKNOWNS ? MOST_UNKNOWNS + 1 : n < 1.0 ? 1 : (int)n;
}

/* A time that is an instant of a clock but for rounding is that instant. */
static double boundary(const dry_system *system, double length, int k) {
    const double t = k * length;
    for (int i = 0; i < system->n_clocks; i++) {
        const double instant = dry_clock_nearest(&system->clocks[i], t);
        if (fabs(instant - t) <= 1e-9 * system->clocks[i].period) return instant;
    }
    return t;
}

/* `end` is that of the run over the whole record. */
static bool is_within(const dry_fit__record *window, const dry_fit_output *o, size_t k,
                      double end) {
    const double from = window->window->from, t = fmin(fmax(o->t[k] - o->lag, 0.0), end);
    return !o->held[k] && (t > from || (from == 0.0 && t == 0.0)) && t <= window->run.until;
}

/* The rows of an output that are in the window. */
static bool cut_output(windows *s, const dry_fit__record *window, const dry_fit_output *from,
                       double end) {
    dry_fit_output *o = &s->cut.outputs[s->cut.n_outputs++];
    size_t rows = 0;
    *o = *from;
    for (size_t k = 0; k < from->rows; k++) rows += is_within(window, from, k, end);
    double **const columns[] = {&o->t, &o->measured, &o->model, &o->residual};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!(*columns[i] = dry_arena_take(s->arena, sizeof(double) * (rows + 1)))) return false;
    o->held = dry_arena_take(s->arena, rows + 1);
    o->rows = 0;
    for (size_t k = 0; k < from->rows; k++) {
        if (!is_within(window, from, k, end)) continue;
        o->t[o->rows] = from->t[k];
        o->measured[o->rows++] = from->measured[k];
    }
    return o->held != NULL;
}

/* The window after those that there are; its beginning is not yet known. */
static bool cut_window(windows *s, int r, double from, double until, bool joined) {
    const dry_fit__bench *whole = s->whole;
    const dry_fit__record *source = &whole->records[r];
    dry_fit__record *record = &s->cut.records[s->n];
    dry_fit__window *window = &s->window[s->n];
    *record = *source;
    window->from = from;
    window->x = from > 0.0 ? s->x + (size_t)s->n * (size_t)s->n_states : NULL;
    record->window = window;
    record->run.until = until;
    record->first = s->cut.n_outputs;
    record->rows = 0;
    s->of[s->n++] = r;
    for (int i = 0; i < source->n; i++) {
        if (!cut_output(s, record, &whole->outputs[source->first + i], source->run.until))
            return false;
        record->rows += s->cut.outputs[record->first + i].rows;
    }
    s->cut.n_outputs += joined; /* its jumps */
    record->times = dry_arena_take(s->arena, sizeof *record->times * (record->rows + 1));
    record->at = dry_arena_take(s->arena, sizeof *record->at * (record->rows + 1));
    return record->times && record->at &&
           dry_fit__find_times(&s->cut, record, record->model, record->times, &record->n_times,
                               record->at);
}

static dry_status too_many(const windows *s, double length, dry_error *error) {
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "windows of %.3g s, which begin with %d states each, make more than %d "
                         "unknowns: take fewer windows, such as --windows %d",
                         length, s->n_states, MOST_UNKNOWNS, MOST_UNKNOWNS / (2 * s->n_states) + 1);
}

static bool take_windows(windows *s, int n, int n_outputs) {
    const size_t all = (size_t)n, numbers = all * (size_t)s->n_states;
    s->cut.records = dry_arena_take(s->arena, sizeof *s->cut.records * all);
    s->cut.outputs = dry_arena_take(s->arena, sizeof *s->cut.outputs * (size_t)n_outputs);
    s->window = dry_arena_take(s->arena, sizeof *s->window * all);
    s->of = dry_arena_take(s->arena, sizeof *s->of * all);
    s->x = dry_arena_take(s->arena, sizeof *s->x * numbers);
    s->end = dry_arena_take(s->arena, sizeof *s->end * numbers);
    s->size =
        dry_arena_take(s->arena, sizeof *s->size * (size_t)(s->whole->n_records * s->n_states));
    return s->cut.records && s->cut.outputs && s->window && s->of && s->x && s->end && s->size;
}

static dry_status cut_all(windows *s, dry_fit_windows *found, dry_error *error) {
    const dry_fit__bench *whole = s->whole;
    int n = 0, n_outputs = 0;
    double length = 0.0;
    for (int r = 0; r < whole->n_records; r++) {
        const int more = count(s, &whole->records[r], &length);
        n += more;
        n_outputs += more * (whole->records[r].n + 1);
        found->length = fmax(found->length, length);
        if (more * s->n_states > MOST_UNKNOWNS || n * s->n_states > MOST_UNKNOWNS)
            return too_many(s, length, error);
    }
    if (!take_windows(s, n, n_outputs)) return no_memory(error);
    for (int r = 0; r < whole->n_records; r++) {
        const dry_fit__record *record = &whole->records[r];
        const dry_system *system = dry_model_system(record->model);
        const int more = count(s, record, &length);
        for (int k = 0; k < more; k++)
            if (!cut_window(s, r, boundary(system, length, k),
                            k + 1 < more ? boundary(system, length, k + 1)
                                         : last_needed(whole, record),
                            k + 1 < more))
                return no_memory(error);
    }
    s->cut.n_records = found->n = s->n;
    return DRY_OK;
}

/* ---- what is free ---------------------------------------------------------------------------- */

/* First what the fit frees, then every state: it is free in the windows in which it is unknown. */
static bool free_states(windows *s) {
    const dry_fit__bench *whole = s->whole;
    const dry_system *system = dry_model_system(whole->records[0].model);
    const int given = whole->n_free, n = given + s->n_states;
    s->cut.n_free = n;
    s->cut.free = dry_arena_take(s->arena, sizeof *s->cut.free * (size_t)n);
    s->cut.is_start = dry_arena_take(s->arena, (size_t)n);
    s->cut.index = dry_arena_take(s->arena, sizeof *s->cut.index * (size_t)(n * s->n));
    if (!s->cut.free || !s->cut.is_start || !s->cut.index) return false;
    memcpy(s->cut.free, whole->free, sizeof *s->cut.free * (size_t)given);
    memcpy(s->cut.is_start, whole->is_start, (size_t)given);
    for (int i = 0; i < s->n_states; i++) {
        s->cut.free[given + i] = (dry_fit_free){.name = system->states[i].name, .own = true};
        s->cut.is_start[given + i] = true;
    }
    for (int f = 0; f < given; f++)
        for (int w = 0; w < s->n; w++)
            s->cut.index[f * s->n + w] = whole->index[f * whole->n_records + s->of[w]];
    return true;
}

/* A start that is free is that of the first window. */
static bool locate(windows *s, int w) {
    const dry_fit__record *from = &s->whole->records[s->of[w]];
    dry_fit__record *to = &s->cut.records[w];
    const int given = s->whole->n_free, n = s->cut.n_free;
    to->par = dry_arena_take(s->arena, sizeof *to->par * (size_t)n);
    to->state = dry_arena_take(s->arena, sizeof *to->state * (size_t)n);
    to->place = dry_arena_take(s->arena, sizeof *to->place * (size_t)n);
    to->anew = dry_arena_take(s->arena, (size_t)n);
    if (!to->par || !to->state || !to->place || !to->anew) return false;
    for (int f = 0; f < n; f++) {
        to->par[f] = f < given ? from->par[f] : -1;
        to->state[f] = f < given && !s->window[w].x ? from->state[f] : -1;
        to->place[f] = f < given ? from->place[f] : -1;
        to->anew[f] = f < given && from->anew[f];
    }
    return true;
}

static dry_status begin_cut(windows *s, dry_error *error) {
    if (!free_states(s)) return no_memory(error);
    for (int w = 0; w < s->n; w++)
        if (!locate(s, w)) return no_memory(error);
    s->cut.parameters = s->whole->parameters;
    s->cut.n = s->cut.n_given = s->whole->n;
    return DRY_OK;
}

/* ---- beginnings ------------------------------------------------------------------------------ */

static double *begin_of(const windows *s, int w) { return s->x + (size_t)(w * s->n_states); }
static double *end_of(const windows *s, int w) { return s->end + (size_t)(w * s->n_states); }

/* Whether the next window goes on where this one ends. */
static bool goes_on(const windows *s, int w) { return w + 1 < s->n && s->of[w + 1] == s->of[w]; }

/* Runs some windows for the states at their ends; false without memory. */
static bool run_windows(windows *s, const double *values, int from, int n, bool *ran) {
    dry_fit__trial *trials = calloc((size_t)n, sizeof *trials);
    bool good = trials != NULL;
    for (int i = 0; good && i < n; i++) {
        trials[i] =
            (dry_fit__trial){.record = from + i,
                             .values = values,
                             .model = malloc(sizeof(double) * (s->cut.records[from + i].rows + 1)),
                             .end_x = end_of(s, from + i)};
        good = trials[i].model != NULL;
    }
    good = good && dry_fit__try(&s->cut, trials, n, NULL) == DRY_OK;
    for (int i = 0; trials && i < n; i++) {
        ran[i] = trials[i].status == DRY_OK;
        free(trials[i].model);
    }
    free(trials);
    return good;
}

/* As the model goes on; where its run fails, all that follows begins there. */
static bool begin_at_run(windows *s, const double *values) {
    unsigned char *given = calloc((size_t)s->n_states + 1, 1);
    bool good = given != NULL;
    for (int w = 0; good && w < s->n; w++) {
        bool ran = false;
        double *x = begin_of(s, w);
        if (!s->window[w].x)
            (void)dry_model_start(s->cut.records[w].model, NULL, 0.0, given, x, NULL);
        good = run_windows(s, values, w, 1, &ran);
        if (good && goes_on(s, w))
            memcpy(begin_of(s, w + 1), ran ? end_of(s, w) : x, sizeof *x * (size_t)s->n_states);
    }
    free(given);
    return good;
}

/* What was measured at t, between the rows of the fit; false: there is nothing. */
static bool measured_at(const dry_fit_output *o, double t, double *value) {
    for (size_t k = 0; k + 1 < o->rows; k++) {
        if (o->held[k] || o->held[k + 1] || o->t[k] > t || o->t[k + 1] < t) continue;
        const double gap = o->t[k + 1] - o->t[k], part = gap > 0.0 ? (t - o->t[k]) / gap : 0.0;
        *value = o->measured[k] + part * (o->measured[k + 1] - o->measured[k]);
        return true;
    }
    return false;
}

static void begin_at_measured(windows *s) {
    for (int w = 0; w < s->n; w++) {
        const dry_fit__record *record = &s->whole->records[s->of[w]];
        const dry_system *system = dry_model_system(record->model);
        for (int i = 0; s->window[w].x && i < record->n; i++) {
            const dry_fit_output *o = &s->whole->outputs[record->first + i];
            for (int k = 0; k < s->n_states; k++)
                if (!strcmp(o->name, system->states[k].name))
                    (void)measured_at(o, s->window[w].from + o->lag, &begin_of(s, w)[k]);
        }
    }
}

/* ---- which states are unknown ---------------------------------------------------------------- */

/* Inputs, and what only the latch of a law changes: such as whether it sticks. */
static bool is_held(const dry_model *model, int state) {
    const dry_system *system = dry_model_system(model);
    for (int i = 0; i < system->n_inputs; i++)
        if (system->inputs[i] == state) return true;
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        const int next = i + 1 < dry_model_sets(model) ? dry_model_set(model, i + 1).state : -1;
        if (!set.law || !set.law->latch || set.state < 0) continue;
        if (state >= set.state && (next <= set.state || state < next)) return true;
    }
    return false;
}

/* How much each state varies: its deviation over beginnings and ends; of one that hardly varies its
 * size. */
static void find_sizes(windows *s) {
    for (int r = 0; r < s->whole->n_records; r++)
        for (int i = 0; i < s->n_states; i++) {
            double n = 0.0, sum = 0.0, square = 0.0, most = 0.0;
            for (int w = 0; w < s->n; w++)
                for (int side = 0; s->of[w] == r && side < 2; side++) {
                    const double x = side ? end_of(s, w)[i] : begin_of(s, w)[i];
                    n += 1.0, sum += x, square += x * x, most = fmax(most, fabs(x));
                }
            const double deviation = sqrt(fmax(square / n - (sum / n) * (sum / n), 0.0));
            double *size = &s->size[r * s->n_states + i];
            *size = deviation > 1e-6 * most ? deviation : most;
            if (is_held(s->whole->records[r].model, i)) *size = 0.0;
        }
}

static int n_unknown(const windows *s, int w) {
    int n = 0;
    for (int i = 0; i < s->n_states; i++) n += s->size[s->of[w] * s->n_states + i] > 0.0;
    return n;
}

/* ---- unknowns and jumps ---------------------------------------------------------------------- */

static void add_unknown(windows *s, int w, int k, int i) {
    const dry_system *system = dry_model_system(s->cut.records[w].model);
    const int f = s->whole->n_free + i;
    s->cut.parameters[s->cut.n] = (dry_fit_parameter){.name = system->states[i].name,
                                                      .unit = system->states[i].unit,
                                                      .record = s->of[w],
                                                      .value = begin_of(s, w)[i],
                                                      .low = -(double)INFINITY,
                                                      .high = (double)INFINITY,
                                                      .scale = s->window[w].scale[k]};
    s->cut.records[w].state[f] = i;
    s->cut.index[f * s->n + w] = s->cut.n;
    s->window[w].own[k] = s->cut.n++;
}

static bool add_unknowns(windows *s, int w) {
    dry_fit__window *window = &s->window[w];
    const size_t n = (size_t)n_unknown(s, w);
    int *state = dry_arena_take(s->arena, sizeof *state * (n + 1));
    double *scale = dry_arena_take(s->arena, sizeof *scale * (n + 1));
    if (window->x) window->own = dry_arena_take(s->arena, sizeof *window->own * (n + 1));
    if (!state || !scale || (window->x && !window->own)) return false;
    window->n = 0;
    window->state = state;
    window->scale = scale;
    for (int i = 0; i < s->n_states; i++) {
        const double size = s->size[s->of[w] * s->n_states + i];
        if (!(size > 0.0)) continue;
        state[window->n] = i;
        scale[window->n] = size;
        if (window->x) add_unknown(s, w, window->n, i);
        window->n++;
    }
    return true;
}

/* One more output, after those of the window. */
static bool add_jumps(windows *s, int w) {
    dry_fit__record *record = &s->cut.records[w];
    const size_t n = (size_t)s->window[w].n;
    dry_fit_output *o = &s->cut.outputs[record->first + record->n++];
    double **const columns[] = {&o->t, &o->measured, &o->model, &o->residual};
    *o = (dry_fit_output){.name = "jump", .unit = "", .file = "", .scale = 1.0, .rows = n};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!(*columns[i] = dry_arena_take(s->arena, sizeof(double) * (n + 1)))) return false;
    o->held = dry_arena_take(s->arena, n + 1);
    record->rows += n;
    s->window[w].next = s->window[w + 1].own;
    return o->held != NULL;
}

static bool take_unknowns(windows *s) {
    int n = s->whole->n;
    for (int w = 0; w < s->n; w++) n += s->window[w].x ? n_unknown(s, w) : 0;
    s->cut.parameters = dry_arena_take(s->arena, sizeof *s->cut.parameters * (size_t)n);
    s->cut.distance = dry_arena_take(s->arena, sizeof *s->cut.distance * (size_t)n);
    if (!s->cut.parameters || !s->cut.distance) return false;
    memcpy(s->cut.parameters, s->whole->parameters,
           sizeof *s->cut.parameters * (size_t)s->whole->n);
    bool good = true;
    for (int w = 0; good && w < s->n; w++) good = add_unknowns(s, w);
    for (int w = 0; good && w < s->n; w++)
        if (goes_on(s, w)) good = add_jumps(s, w);
    for (int i = 0; good && i < s->cut.n_outputs; i++) {
        dry_fit_output *o = &s->cut.outputs[i];
        o->jacobian = dry_arena_take(s->arena, sizeof(double) * (o->rows * (size_t)n + 1));
        good = o->jacobian != NULL;
    }
    return good;
}

static dry_status find_unknowns(windows *s, const double *values, dry_error *error) {
    bool *ran = dry_arena_take(s->arena, sizeof *ran * (size_t)s->n);
    if (!ran || !begin_at_run(s, values)) return no_memory(error);
    begin_at_measured(s);
    if (!run_windows(s, values, 0, s->n, ran)) return no_memory(error);
    for (int w = 0; w < s->n; w++) /* its end is not known */
        if (!ran[w]) memcpy(end_of(s, w), begin_of(s, w), sizeof *s->x * (size_t)s->n_states);
    find_sizes(s);
    if (!take_unknowns(s)) return no_memory(error);
    if (s->n == s->whole->n_records || s->cut.n > s->whole->n) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "no state of the model moves in the runs of its windows: begin at other "
                         "values (-p NAME=VALUE), or fit without windows");
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* Rows of the fit, and jumps; with the rms of both. */
typedef struct sums {
    double rows, jumps;
    double rms, jump;
} sums;

static sums sum_up(const windows *s) {
    sums all = {0};
    for (int i = 0; i < s->cut.n_outputs; i++) {
        const dry_fit_output *o = &s->cut.outputs[i];
        const bool is_jump = dry_fit__is_jump(o);
        *(is_jump ? &all.jumps : &all.rows) += (double)o->rows;
        for (size_t k = 0; k < o->rows; k++) {
            const double u = o->residual[k] / o->scale * (is_jump ? 1.0 : o->weight);
            *(is_jump ? &all.jump : &all.rms) += u * u;
        }
    }
    all.rms = sqrt(all.rms / all.rows);
    all.jump = all.jumps > 0.0 ? sqrt(all.jump / all.jumps) : 0.0;
    return all;
}

static void weigh_jumps(windows *s, double mu) {
    const sums all = sum_up(s);
    for (int i = 0; i < s->cut.n_outputs; i++)
        if (dry_fit__is_jump(&s->cut.outputs[i]))
            s->cut.outputs[i].weight = sqrt(mu * all.rows / all.jumps);
}

/* States that are not unknown begin where the window before has left them. */
static bool carry(windows *s, const double *values, bool *ran) {
    if (!run_windows(s, values, 0, s->n, ran)) return false;
    for (int w = 0; w + 1 < s->n; w++)
        for (int i = 0; goes_on(s, w) && i < s->n_states; i++)
            if (ran[w] && !(s->size[s->of[w] * s->n_states + i] > 0.0))
                begin_of(s, w + 1)[i] = end_of(s, w)[i];
    return true;
}

/* ---- better beginnings ----------------------------------------------------------------------- */

/* Half the sum of squares of the outputs of a window: of what `model` holds, or (NULL) they do. */
static double cost_of(const windows *s, int w, const double *model) {
    const dry_fit__record *record = &s->cut.records[w];
    double sum = 0.0;
    for (int i = record->first; i < record->first + record->n; i++) {
        const dry_fit_output *o = &s->cut.outputs[i];
        for (size_t k = 0; k < o->rows; k++) {
            const double r = model ? *model++ - o->measured[k] : o->residual[k];
            sum += 0.5 * pow(o->weight / o->scale * r, 2.0);
        }
    }
    return sum;
}

static double cost_of_jumps(const windows *s, int w) {
    const dry_fit__record *record = &s->cut.records[w];
    const dry_fit_output *o = &s->cut.outputs[record->first + record->n - 1];
    double sum = 0.0;
    for (size_t k = 0; k < o->rows; k++) sum += 0.5 * pow(o->weight * o->residual[k], 2.0);
    return sum;
}

/* What each window would cost if it began where the one before ends; false without memory. */
static bool try_ends(windows *s, const double *values, double *costs) {
    const size_t n = (size_t)s->cut.n;
    dry_fit__trial *trials = calloc((size_t)s->n, sizeof *trials);
    double *all = malloc(sizeof *all * n * (size_t)s->n);
    bool good = trials && all;
    for (int w = 0; good && w < s->n; w++) {
        const dry_fit__window *window = &s->window[w];
        double *own = all + (size_t)w * n;
        memcpy(own, values, sizeof *own * n);
        for (int k = 0; window->own && k < window->n; k++)
            own[window->own[k]] = end_of(s, w - 1)[window->state[k]];
        trials[w] =
            (dry_fit__trial){.record = w,
                             .values = own,
                             .model = malloc(sizeof(double) * (s->cut.records[w].rows + 1))};
        good = trials[w].model != NULL;
    }
    good = good && dry_fit__try(&s->cut, trials, s->n, NULL) == DRY_OK;
    for (int w = 0; good && w < s->n; w++)
        costs[w] = trials[w].status == DRY_OK ? cost_of(s, w, trials[w].model) : (double)INFINITY;
    for (int w = 0; trials && w < s->n; w++) free(trials[w].model);
    free(trials);
    free(all);
    return good;
}

/* The solver may leave a window in an optimum of its own, far from its neighbours. If it costs less
 * to begin where the window before ends, it begins there; of two neighbours only one. Returns how
 * many do; -1 without memory. */
static int begin_at_ends(windows *s, double *values) {
    double *costs = dry_arena_take(s->arena, sizeof *costs * (size_t)s->n);
    int moved = 0;
    if (!costs || !try_ends(s, values, costs)) return -1;
    for (int w = 1; w < s->n; w++) {
        const dry_fit__window *window = &s->window[w];
        if (!window->own || !(costs[w] < cost_of(s, w, NULL) + cost_of_jumps(s, w - 1))) continue;
        for (int k = 0; k < window->n; k++)
            values[window->own[k]] = end_of(s, w - 1)[window->state[k]];
        moved++;
        w++;
    }
    return moved;
}

/* ---- all stages ------------------------------------------------------------------------------ */

/* What the solver finds with these weights, if need be from better beginnings. */
static dry_status solve_stage(windows *s, dry_fit__solution *solution, dry_error *error) {
    bool *ran = dry_arena_take(s->arena, sizeof *ran * (size_t)s->n);
    if (!ran) return no_memory(error);
    for (int i = 0; i < MOST_BEGINNINGS; i++) {
        const dry_status status = dry_fit__solve(&s->cut, solution, error);
        if (status != DRY_OK) return status;
        if (!carry(s, solution->values, ran)) return no_memory(error);
        const int moved = begin_at_ends(s, solution->values);
        if (moved < 0) return no_memory(error);
        if (!moved) return DRY_OK;
    }
    return dry_fit__solve(&s->cut, solution, error);
}

static bool is_resolved(const windows *s, const sums *all) {
    return all->jump <= RESOLVED * all->rms / sqrt(fmax(1.0, all->rows / s->n));
}

/* From stage to stage; one after the first that fails leaves what the stage before has found. */
static dry_status iterate(windows *s, double *values, dry_fit_windows *found, dry_error *error) {
    const size_t bytes = sizeof *values * (size_t)s->cut.n;
    dry_fit__solution solution = {.values = dry_arena_take(s->arena, bytes)};
    double mu = FIRST_WEIGHT;
    if (!solution.values) return no_memory(error);
    for (found->stages = 0; found->stages < MOST_STAGES; mu *= GROWTH) {
        memcpy(solution.values, values, bytes);
        weigh_jumps(s, mu);
        const dry_status status = solve_stage(s, &solution, error);
        const dry_fit_progress now = {.runs = s->cut.runs + s->cut.slope_runs,
                                      .step = solution.steps,
                                      .starts = 1,
                                      .misfit = (double)NAN};
        const bool stopped = s->job.progress && !s->job.progress(s->job.user, &now);
        if (status != DRY_OK && (found->stages == 0 || stopped || status == DRY_NO_MEMORY))
            return status;
        if (status != DRY_OK) break;
        memcpy(values, solution.values, bytes);
        found->stages++;
        const sums all = sum_up(s);
        found->rms = all.rms;
        found->jump = all.jump;
        if (is_resolved(s, &all)) break;
    }
    return DRY_OK;
}

static dry_status solve(windows *s, double *given, dry_fit_windows *found, dry_error *error) {
    const size_t bytes = sizeof *given * (size_t)s->whole->n;
    double *values = dry_arena_take(s->arena, sizeof *values * (size_t)s->cut.n);
    if (!values) return no_memory(error);
    for (int j = 0; j < s->cut.n; j++) values[j] = s->cut.parameters[j].value;
    memcpy(values, given, bytes);
    const dry_status status = iterate(s, values, found, error);
    memcpy(given, values, bytes);
    memcpy(found->values, values, bytes);
    return status;
}

bool dry_fit__has_windows(const dry_fit_job *job) { return job->windows > 0 || job->window > 0.0; }

dry_status dry_fit__windows(dry_fit__bench *bench, double *values, dry_fit_windows *found,
                            dry_error *error) {
    windows s = {.whole = bench, .job = *bench->job, .arena = dry_arena_new(0)};
    if (!s.arena) return no_memory(error);
    s.n_states = dry_model_system(bench->records[0].model)->n_states;
    s.job.tolerance = fmax(s.job.tolerance, TOLERANCE);
    s.cut = (dry_fit__bench){.job = &s.job, .arena = s.arena, .team = bench->team};
    dry_status status = check_models(&s, error);
    if (status == DRY_OK) status = cut_all(&s, found, error);
    if (status == DRY_OK) status = begin_cut(&s, error);
    if (status == DRY_OK) status = find_unknowns(&s, values, error);
    if (status == DRY_OK) status = solve(&s, values, found, error);
    bench->runs += s.cut.runs;
    bench->slope_runs += s.cut.slope_runs;
    if (dry_arena_failed(s.arena)) status = no_memory(error);
    dry_arena_free(s.arena);
    return status;
}
