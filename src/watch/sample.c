/* A run that takes too long to be repeated: some windows of it are run again more finely, from the
 * whole states that were kept on the way, half of them where most kinks are, the others spread over
 * the run. What they find holds for themselves; nothing is claimed for the whole.
 *
 * All of it takes at most 5 % of the rates of the run: KINKS_SHARE to look for kinks, WINDOWS_SHARE
 * for the windows, in which a repeat takes twice the rates. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

static const double KINKS_SHARE = 0.02, WINDOWS_SHARE = 0.03, TWICE = 2.0;
enum { MOST_WINDOWS = 8 };

/* Window b goes from the saved state b to the next one. */
typedef struct sampling {
    int windows;
    long *kinks; /* of each */
    int chosen[MOST_WINDOWS];
    int n_chosen;
    double rates;  /* that the chosen ones take */
    double length; /* of all of them, s */
    double error;
    const char *name;   /* of the state with that error */
    double from, until; /* of its window */
} sampling;

/* Windows are so short that eight of them, which take 2/windows of the rates each, have room. */
int dry_watch_saves(const dry_system *system) {
    const double usual = 600.0, least = TWICE / WINDOWS_SHARE + 1.0, most_bytes = 64e6;
    const double size = (double)sizeof(double) * (DRY_SAVED_X + (double)system->n_states);
    const double fit = floor(fmin(usual, most_bytes / size));
    return fit >= least ? (int)fit : 0;
}

/* ---- states that were kept --------------------------------------------------------------- */

static const double *saved(const dry_watch__job *job, int b) {
    return job->first->saved + (size_t)b * (size_t)(DRY_SAVED_X + job->system->n_states);
}

static double time_of(const dry_watch__job *job, int b) { return saved(job, b)[DRY_SAVED_T]; }

/* The state at a row of the record: what is not recorded is that of the saved state before it. */
static void restore(const dry_watch__job *job, int b, size_t row, double *x) {
    const dry_system *system = job->system;
    int column = 1;
    memcpy(x, saved(job, b) + DRY_SAVED_X, (size_t)system->n_states * sizeof *x);
    for (int i = 0; i < system->n_states; i++)
        if (!dry_state_is_inner(&system->states[i]))
            x[i] = dry_record_values(job->first->record, column++)[row];
}

/* ---- which windows ----------------------------------------------------------------------- */

static double rates_of(const dry_watch__job *job, int b) {
    return TWICE * (saved(job, b + 1)[DRY_SAVED_RATES] - saved(job, b)[DRY_SAVED_RATES]);
}

/* Kinks that the method has met itself. */
static void count_met(const dry_watch__job *job, sampling *s) {
    for (int b = 0; b < s->windows; b++)
        s->kinks[b] = (long)(saved(job, b + 1)[DRY_SAVED_KINKS] - saved(job, b)[DRY_SAVED_KINKS]);
}

/* Switching functions that have changed sides, among rows so far apart that looking takes no more
 * than its share; a change counts at the later row. x: room for a state. */
static void count_changes(dry_watch__job *job, sampling *s, const dry_env *env, double *x,
                          double *g) {
    const dry_system *system = job->system;
    const size_t rows = dry_record_rows(job->first->record), n = (size_t)system->n_kinks;
    const double most = KINKS_SHARE * (double)job->first->counts.rates;
    const size_t stride = (size_t)ceil((double)rows / fmax(most - 1.0, 1.0));
    const double *t = dry_record_values(job->first->record, 0);
    double *before = g + n;
    int b = 0;
    for (size_t row = 0; row < rows; row += stride) {
        while (b + 1 < s->windows && time_of(job, b + 1) <= t[row]) b++;
        restore(job, b, row, x);
        system->kinks(env, t[row], x, g);
        for (size_t i = 0; row > 0 && i < n; i++) s->kinks[b] += (g[i] > 0.0) != (before[i] > 0.0);
        memcpy(before, g, n * sizeof *g);
        job->spent += system->n_states;
    }
}

static bool count_kinks(dry_watch__job *job, sampling *s) {
    const dry_system *system = job->system;
    double *g = calloc(2 * (size_t)system->n_kinks + 1, sizeof *g);
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    void *work = calloc(1, system->work_size + 1);
    const dry_env env = {.model = system->model, .par = system->par, .work = work};
    const bool good = g && x && work;
    if (good) count_met(job, s);
    if (good && system->prepare) system->prepare(&env);
    if (good && system->n_kinks > 0) count_changes(job, s, &env, x, g);
    free(g);
    free(x);
    free(work);
    return good;
}

/* Whether a window may be chosen, so that all take no more than `most` rates. */
static bool is_free(const dry_watch__job *job, const sampling *s, int window, double most) {
    for (int i = 0; i < s->n_chosen; i++)
        if (s->chosen[i] == window) return false;
    return s->rates + rates_of(job, window) <= most;
}

static void choose_one(const dry_watch__job *job, sampling *s, int window) {
    s->chosen[s->n_chosen++] = window;
    s->rates += rates_of(job, window);
    s->length += time_of(job, window + 1) - time_of(job, window);
}

/* The free window with most kinks; -1: none of them has any. */
static int most_kinks(const dry_watch__job *job, const sampling *s, double most) {
    int best = -1;
    for (int b = 0; b < s->windows; b++)
        if (s->kinks[b] > (best < 0 ? 0 : s->kinks[best]) && is_free(job, s, b, most)) best = b;
    return best;
}

/* The free window at b or after it; -1: there is none. */
static int next_free(const dry_watch__job *job, const sampling *s, int b, double most) {
    for (int k = 0; k < s->windows; k++)
        if (is_free(job, s, (b + k) % s->windows, most)) return (b + k) % s->windows;
    return -1;
}

static void choose(const dry_watch__job *job, sampling *s) {
    const double most = WINDOWS_SHARE * (double)job->first->counts.rates;
    for (int b; s->n_chosen < MOST_WINDOWS / 2 && (b = most_kinks(job, s, 0.5 * most)) >= 0;)
        choose_one(job, s, b);
    const int left = MOST_WINDOWS - s->n_chosen;
    for (int i = 0; i < left; i++) {
        const int b = next_free(job, s, (int)((long)i * (s->windows - 1) / (left - 1)), most);
        if (b >= 0) choose_one(job, s, b);
    }
}

/* ---- what they say ------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of the record inside a window. */
static void find_rows(const dry_watch__job *job, int window, size_t *first, size_t *n) {
    const double *t = dry_record_values(job->first->record, 0);
    const double from = time_of(job, window), until = time_of(job, window + 1);
    const double slack = 1e-9 * (until - from);
    const size_t rows = dry_record_rows(job->first->record);
    size_t low = 0, high = rows; /* the first row after `from` is in low .. high */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (t[middle] <= from + slack)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    for (*n = 0; low + *n < rows && t[low + *n] < until - slack;) ++*n;
}

/* How far apart a state is in a window, at its rows and at its end: more than that at half of them,
 * so that spikes where an impact comes a little later do not count. off: n + 1 numbers. */
static double apart(const double *a, const double *b, size_t n, double end, double *off) {
    for (size_t k = 0; k < n; k++) off[k] = fabs(a[k] - b[k]);
    off[n] = fabs(end - b[n]);
    qsort(off, n + 1, sizeof *off, by_size);
    return off[(n + 1) / 2];
}

static void judge_window(const dry_watch__job *job, const dry_watch__states *states, sampling *s,
                         int window, const dry_record *half, double *off) {
    size_t first, n;
    find_rows(job, window, &first, &n);
    const size_t rows = dry_record_rows(half) - 1; /* fewer, if the repeat met a stop */
    if (rows < n + 1) n = rows - 1;
    for (int i = 0; i < states->n; i++) {
        const double *a = dry_record_values(job->first->record, states->column[i]) + first;
        const double *b = dry_record_values(half, states->column[i]) + 1;
        const double end = saved(job, window + 1)[DRY_SAVED_X + dry_model_own_state(job->model, i)];
        const double error = job->times * apart(a, b, n, end, off) / states->size[i];
        if (error <= s->error) continue;
        s->error = error;
        s->name = dry_record_quantity(job->first->record, states->column[i]).name;
        s->from = time_of(job, window);
        s->until = time_of(job, window + 1);
    }
}

static void say_failed(const dry_watch__job *job, const dry_watch__window *w, const dry_error *why,
                       dry_watch_verdict *v) {
    v->word = DRY_NOT_CONVERGED;
    v->error = (double)NAN;
    snprintf(v->text, sizeof v->text,
             "NOT CONVERGED: sampled from %.6g s to %.6g s, the run fails with %s: %.300s", w->from,
             w->until, dry_watch__finer_text(job), why->text);
}

static void write_text(const dry_watch__job *job, const sampling *s, dry_watch_verdict *v) {
    v->error = s->error;
    if (s->error <= job->most) {
        snprintf(v->text, sizeof v->text,
                 "sampled: %d window%s, %.3g s of %.6g s, agree%s to %.1g with %s; this does not "
                 "cover the whole run: repeat it with --watch-limit %.2g or --verify",
                 s->n_chosen, s->n_chosen > 1 ? "s" : "", s->length, job->run.until,
                 s->n_chosen > 1 ? "" : "s", s->error, dry_watch__finer_text(job),
                 10.0 * dry_watch__work(job, job->first));
        return;
    }
    v->word = DRY_NOT_CONVERGED;
    snprintf(v->text, sizeof v->text,
             "NOT CONVERGED: sampled from %.6g s to %.6g s, with %s %.100s changes by %.2g of its "
             "size: use %s",
             s->from, s->until, dry_watch__finer_text(job), s->name, s->error / job->times,
             dry_watch__is_adaptive(job) ? "smaller tolerances" : "a smaller step");
}

/* Runs a window again; one that fails is the word. */
static dry_status run_window(dry_watch__job *job, const dry_watch__states *states, sampling *s,
                             int window, dry_watch_verdict *v, dry_error *error) {
    dry_watch__window w = {.from = time_of(job, window),
                           .until = time_of(job, window + 1),
                           .x0 = saved(job, window) + DRY_SAVED_X};
    dry_sim_result half = {0};
    dry_error why = {0};
    size_t first;
    find_rows(job, window, &first, &w.n_times);
    w.times = dry_record_values(job->first->record, 0) + first;
    double *off = calloc(w.n_times + 1, sizeof *off);
    if (!off) return dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was watched");
    const dry_status status = dry_watch__repeat_window(job, &w, &half, &why);
    if (status == DRY_OK) judge_window(job, states, s, window, half.record, off);
    dry_record_free(half.record);
    free(off);
    if (status == DRY_OK) return DRY_OK;
    if (!dry_watch__is_finding(status)) return dry_error_set(error, status, "%s", why.text);
    say_failed(job, &w, &why, v);
    return DRY_OK;
}

static dry_status run_windows(dry_watch__job *job, const dry_watch__states *states, sampling *s,
                              dry_watch_verdict *v, dry_error *error) {
    dry_status status = DRY_OK;
    for (int i = 0; i < s->n_chosen && status == DRY_OK && v->word == DRY_UNWATCHED; i++)
        status = run_window(job, states, s, s->chosen[i], v, error);
    if (status == DRY_OK && v->word == DRY_UNWATCHED) write_text(job, s, v);
    return status;
}

dry_status dry_watch__sample(dry_watch__job *job, const dry_watch__states *states,
                             dry_watch_verdict *v, dry_error *error) {
    sampling s = {.name = "", .windows = job->first->n_saved - 1};
    if (s.windows < 1) return DRY_OK;
    s.kinks = calloc((size_t)s.windows + 1, sizeof *s.kinks);
    const bool good = s.kinks && count_kinks(job, &s);
    if (good) choose(job, &s);
    free(s.kinks);
    if (!good)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was watched");
    if (s.n_chosen == 0) return DRY_OK;
    v->sampled = true;
    return run_windows(job, states, &s, v, error);
}
