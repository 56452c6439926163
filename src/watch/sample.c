/* A run that takes too long to be repeated: some windows of it are run again with half the step,
 * from the states that were recorded, half of them where most kinks are, the others spread over the
 * run. What they find holds for themselves; nothing is claimed for the whole.
 *
 * All of it takes at most 5 % of the rates of the run: KINKS_SHARE to look for kinks, WINDOWS_SHARE
 * for the windows, in which half the step takes twice the rates. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

static const double KINKS_SHARE = 0.02, WINDOWS_SHARE = 0.03, TWICE = 2.0;
/* In a window of fewer rows an impact that comes a little later is all there is to see. */
enum { MOST_WINDOWS = 8, LEAST_ROWS = 4 };

/* The run as windows of equal length: window b goes from row b*rows to row (b + 1)*rows. */
typedef struct sampling {
    size_t rows, windows; /* of one window; in the whole run */
    size_t chosen[MOST_WINDOWS];
    int n_chosen;
    double *x;   /* a state of the system */
    double *off; /* how far apart the rows of a window are */
    double error;
    const char *name; /* of the state with that error */
    double from;      /* of its window */
} sampling;

/* Whether the record holds all that the run goes on from: every state, at the end of a fixed step.
 * What a latch changes after the step, and what a contact keeps to itself, is not recorded. */
static bool is_restorable(const dry_watch__job *job) {
    const double interval = job->run.record > 0.0 ? job->run.record : job->run.step;
    const double steps = interval / job->run.step;
    return job->method && !job->method->adaptive && !job->system->latch &&
           dry_system_named(job->system) == job->system->n_states && steps >= 0.5 &&
           fabs(steps - round(steps)) <= 1e-9 * steps;
}

static void restore(const dry_watch__job *job, size_t row, double *x) {
    for (int i = 0; i < job->system->n_states; i++)
        x[i] = dry_record_values(job->first->record, 1 + i)[row];
}

/* ---- which windows ------------------------------------------------------------------- */

/* Windows as long as the shares of the rates and the limit of work allow; false: too short. */
static bool divide(const dry_watch__job *job, sampling *s) {
    const size_t intervals = dry_record_rows(job->first->record) - 1;
    const double work = dry_watch__work(job, job->first);
    const double share = fmin(WINDOWS_SHARE, job->limit / work - KINKS_SHARE);
    const double rows = floor(share / TWICE * (double)intervals);
    if (!(rows >= LEAST_ROWS)) return false;
    s->rows = (size_t)rows / MOST_WINDOWS;
    if (s->rows < LEAST_ROWS) s->rows = LEAST_ROWS;
    s->n_chosen = (int)((size_t)rows / s->rows);
    if (s->n_chosen > MOST_WINDOWS) s->n_chosen = MOST_WINDOWS;
    s->windows = intervals / s->rows;
    return true;
}

/* How many switching functions have changed sides in each window, among rows so far apart that
 * looking takes no more than its share; a change is taken to be in the middle between two rows. */
static bool count_kinks(dry_watch__job *job, sampling *s, long *kinks) {
    const dry_system *system = job->system;
    const size_t rows = s->rows * s->windows, n = (size_t)system->n_kinks;
    const double most = KINKS_SHARE * (double)job->first->counts.rates;
    const size_t stride = (size_t)ceil((double)rows / fmax(most - 1.0, 1.0));
    double *g = calloc(2 * n + 1, sizeof *g), *before = g + n;
    void *work = calloc(1, system->work_size + 1);
    const dry_env env = {.model = system->model, .par = system->par, .work = work};
    if (g && work && system->prepare) system->prepare(&env);
    for (size_t row = 0; g && work && n > 0 && row < rows; row += stride) {
        restore(job, row, s->x);
        system->kinks(&env, dry_record_values(job->first->record, 0)[row], s->x, g);
        for (size_t i = 0; row > 0 && i < n; i++)
            kinks[(row - stride / 2) / s->rows] += (g[i] > 0.0) != (before[i] > 0.0);
        memcpy(before, g, n * sizeof *g);
        job->spent += system->n_states;
    }
    const bool good = g && work;
    free(g);
    free(work);
    return good;
}

static bool is_chosen(const sampling *s, int n, size_t window) {
    for (int i = 0; i < n; i++)
        if (s->chosen[i] == window) return true;
    return false;
}

/* The window with most kinks that is not chosen yet; `windows`: no other has any. */
static size_t most_kinks(const sampling *s, int n, const long *kinks) {
    size_t best = s->windows;
    for (size_t b = 0; b < s->windows; b++)
        if (kinks[b] > (best < s->windows ? kinks[best] : 0) && !is_chosen(s, n, b)) best = b;
    return best;
}

/* There are far more windows than are chosen, so each finds one. */
static void choose(sampling *s, const long *kinks) {
    int n = 0;
    for (; n < (s->n_chosen + 1) / 2; n++) {
        const size_t b = most_kinks(s, n, kinks);
        if (b == s->windows) break;
        s->chosen[n] = b;
    }
    const int left = s->n_chosen - n;
    for (int i = 0; i < left; i++) {
        size_t b = left > 1 ? (size_t)i * (s->windows - 1) / (size_t)(left - 1) : s->windows / 2;
        while (is_chosen(s, n, b)) b = (b + 1) % s->windows;
        s->chosen[n++] = b;
    }
}

/* ---- what they say ------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How far apart a state is in a window: more than that in half of its rows, so that spikes where an
 * impact comes a little later do not count. */
static double apart(const sampling *s, const double *a, const double *b, size_t rows) {
    for (size_t k = 0; k < rows; k++) s->off[k] = fabs(a[k] - b[k]);
    qsort(s->off, rows, sizeof *s->off, by_size);
    return s->off[rows / 2];
}

static void judge_window(const dry_watch__job *job, const dry_watch__states *states, sampling *s,
                         size_t first, const dry_record *half) {
    const size_t there = dry_record_rows(half) - 1, rows = there < s->rows ? there : s->rows;
    for (int i = 0; i < states->n; i++) {
        const double *a = dry_record_values(job->first->record, states->column[i]) + first + 1;
        const double *b = dry_record_values(half, states->column[i]) + 1;
        const double error = TWICE * apart(s, a, b, rows) / states->size[i];
        if (error <= s->error) continue;
        s->error = error;
        s->name = dry_record_quantity(job->first->record, states->column[i]).name;
        s->from = dry_record_values(job->first->record, 0)[first];
    }
}

static void say_failed(double from, double until, const dry_error *why, dry_watch_verdict *v) {
    v->word = DRY_NOT_CONVERGED;
    v->error = (double)NAN;
    snprintf(v->text, sizeof v->text,
             "NOT CONVERGED: sampled from %.6g s to %.6g s, the run fails with half the step: "
             "%.300s",
             from, until, why->text);
}

static void say(const dry_watch__job *job, const sampling *s, dry_watch_verdict *v) {
    const double *t = dry_record_values(job->first->record, 0), length = t[s->rows] - t[0];
    v->error = s->error;
    if (s->error <= job->most) {
        snprintf(v->text, sizeof v->text,
                 "sampled: %d window%s of %.3g s agree%s to %.1g with half the step; nothing is "
                 "claimed for the whole: --watch-limit %.2g or --verify repeats it",
                 s->n_chosen, s->n_chosen > 1 ? "s" : "", length, s->n_chosen > 1 ? "" : "s",
                 s->error, 10.0 * dry_watch__work(job, job->first));
        return;
    }
    v->word = DRY_NOT_CONVERGED;
    snprintf(v->text, sizeof v->text,
             "NOT CONVERGED: sampled from %.6g s to %.6g s, with half the step %.100s changes by "
             "%.2g of its size: take a smaller step",
             s->from, s->from + length, s->name, s->error / TWICE);
}

/* Runs the chosen windows; one that fails is the word. */
static dry_status run_windows(dry_watch__job *job, const dry_watch__states *states, sampling *s,
                              dry_watch_verdict *v, dry_error *error) {
    const double *t = dry_record_values(job->first->record, 0);
    for (int i = 0; i < s->n_chosen; i++) {
        const size_t first = s->chosen[i] * s->rows, last = first + s->rows;
        dry_sim_result half = {0};
        dry_error why = {0};
        restore(job, first, s->x);
        const dry_status status =
            dry_watch__repeat_window(job, t[first], t[last], s->x, &half, &why);
        if (status == DRY_OK) judge_window(job, states, s, first, half.record);
        dry_record_free(half.record);
        if (status == DRY_OK) continue;
        if (!dry_watch__is_finding(status)) return dry_error_set(error, status, "%s", why.text);
        say_failed(t[first], t[last], &why, v);
        return DRY_OK;
    }
    say(job, s, v);
    return DRY_OK;
}

dry_status dry_watch__sample(dry_watch__job *job, const dry_watch__states *states,
                             dry_watch_verdict *v, dry_error *error) {
    sampling s = {.name = ""};
    if (!is_restorable(job) || !divide(job, &s)) return DRY_OK;
    dry_status status = DRY_NO_MEMORY;
    long *kinks = calloc(s.windows + 1, sizeof *kinks);
    s.x = calloc((size_t)job->system->n_states + 1, sizeof *s.x);
    s.off = calloc(s.rows + 1, sizeof *s.off);
    if (kinks && s.x && s.off && count_kinks(job, &s, kinks)) {
        choose(&s, kinks);
        v->sampled = true;
        status = run_windows(job, states, &s, v, error);
    } else
        dry_error_set(error, status, "no memory to watch the run");
    free(kinks);
    free(s.x);
    free(s.off);
    return status;
}
