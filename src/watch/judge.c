/* judge: compares a run with its repeat at half the step: the error of every state and measure, and
 * the verdict. */
#include "watch_private.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The rounding error of every number: no run is better, even if its repeat is identical.
 */
static double rounding(const dry_sim_result *run) {
    return 4.0 * DBL_EPSILON * sqrt((double)run->counts.steps);
}

/* The largest error so far, and what it is of. */
typedef struct worst {
    double error;
    const char *name;
    dry_expected
        flips;      /* an expectation that is met in one of the two runs alone; source NULL: none */
    double instead; /* what the other run found */
} worst;

static void note(worst *w, double error, const char *name) {
    if (error <= w->error) return;
    w->error = error;
    w->name = name;
}

static void judge_states(const dry_watch__job *job, const dry_watch__states *s,
                         const dry_sim_result *half, dry_watch_verdict *v, worst *w) {
    const dry_record *a = job->first->record, *b = half->record;
    for (int i = 0; i < s->n; i++) {
        const dry_quantity q = dry_record_quantity(a, s->column[i]);
        const double end = dry_record_values(a, s->column[i])[dry_record_rows(a) - 1];
        const double other = dry_record_values(b, s->column[i])[dry_record_rows(b) - 1];
        v->estimates[v->n_estimates++] =
            (dry_watch_estimate){q.name, q.unit, end, job->times * fabs(end - other)};
        note(w, job->times * dry_watch__apart(s, i, a, b), q.name);
    }
    v->n_states = v->n_estimates;
}

/* When the model stops the run counts like a measure, over the length of the run. */
static void judge_end(const dry_watch__job *job, const dry_sim_result *half, worst *w) {
    const double end = job->first->end, other = half->end;
    if (job->first->stop || half->stop)
        note(w, job->times * fabs(end - other) / fmax(end, other), "the time of the stop");
}

static void judge_measures(const dry_watch__job *job, const dry_watch__states *s,
                           const dry_measured *a, const dry_measured *b, dry_watch_verdict *v,
                           worst *w) {
    for (int i = 0; i < dry_model_measures(job->model); i++) {
        const double x = a[i].value, y = b[i].value;
        const double change = isnan(x) && isnan(y) ? 0.0 : x == y ? 0.0 : fabs(x - y);
        v->estimates[v->n_estimates++] =
            (dry_watch_estimate){a[i].name, a[i].unit, x, job->times * change};
        note(w, job->times * dry_watch__measure_apart(s, job->model, job->first->record, i, x, y),
             a[i].name);
    }
}

static dry_status judge_answers(const dry_watch__job *job, const dry_watch__states *s,
                                const dry_sim_result *half, dry_watch_verdict *v, worst *w,
                                dry_error *error) {
    const size_t n = (size_t)dry_model_measures(job->model) + 1;
    const size_t m = (size_t)dry_model_expects(job->model) + 1;
    dry_measured *values = calloc(2 * n, sizeof *values);
    dry_expected *answers = calloc(2 * m, sizeof *answers);
    dry_status status =
        values && answers
            ? dry_model_evaluate(job->model, NULL, job->first->record, values, answers, error)
            : dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was judged");
    if (status == DRY_OK)
        status = dry_model_evaluate(job->model, NULL, half->record, values + n, answers + m, error);
    if (status == DRY_OK) judge_measures(job, s, values, values + n, v, w);
    for (size_t i = 0; status == DRY_OK && i + 1 < m; i++)
        if (answers[i].met != answers[m + i].met)
            w->flips = answers[i], w->instead = answers[m + i].value;
    free(values);
    free(answers);
    return status;
}

static void say_not_converged(const dry_watch__job *job, const worst *w, dry_watch_verdict *v) {
    const bool adaptive = dry_watch__is_adaptive(job);
    const char *when = dry_watch__finer_text(job);
    const char *take = adaptive ? "smaller tolerances" : "a smaller step";
    v->word = DRY_NOT_CONVERGED;
    if (w->flips.source)
        snprintf(v->text, sizeof v->text,
                 "NOT CONVERGED: `%.200s` is %.9g, but with %s %.9g: use %s", w->flips.source,
                 w->flips.value, when, w->instead, take);
    else
        snprintf(v->text, sizeof v->text,
                 "NOT CONVERGED: %.100s is off by about %.2g of its size, compared with %s: use %s",
                 w->name, w->error, when, take);
}

/* A method that passes tau to the law runs a contact with alpha + T. If a given alpha is below T it
 * is lost in both runs, so their difference does not show the error. */
static bool loses_alpha(const dry_watch__job *job, dry_watch_verdict *v) {
    if (!job->run.method->uses_tau) return false;
    for (int i = 0; i < dry_model_sets(job->model); i++) {
        const dry_set_info set = dry_model_set(job->model, i);
        if (set.from_step || !(set.alpha < job->run.step)) continue;
        v->word = DRY_NOT_CONVERGED;
        snprintf(v->text, sizeof v->text,
                 "NOT CONVERGED: %s adds the step of %.2g s to alpha = %.2g s of %.100s: use a "
                 "step of at most alpha, or rk4",
                 job->run.method->name, job->run.step, set.alpha, set.name);
        return true;
    }
    return false;
}

static dry_status say_word(dry_watch__job *job, const dry_watch__states *s,
                           const dry_sim_result *half, const worst *w, dry_watch_verdict *v,
                           dry_error *error) {
    bool sensitive = false;
    if (loses_alpha(job, v)) return DRY_OK;
    if (w->error <= job->most && !w->flips.source) {
        v->word = DRY_TRUSTED;
        snprintf(v->text, sizeof v->text, "trusted to %.1g", v->error);
        return DRY_OK;
    }
    const dry_status status = dry_watch__sensitive(job, s, half, &sensitive, &v->from, error);
    if (!sensitive) {
        say_not_converged(job, w, v);
        return status;
    }
    v->word = DRY_SENSITIVE;
    snprintf(v->text, sizeof v->text,
             "SENSITIVE from %.3g s: two starts 1e-9 apart separate at the same rate with both "
             "steps: trust only earlier times, and results that do not depend on details",
             v->from);
    return status;
}

dry_status dry_watch__judge(dry_watch__job *job, const dry_watch__states *s,
                            const dry_sim_result *half, dry_watch_verdict *v, dry_error *error) {
    worst w = {.error = 0.0, .name = ""};
    const int n = s->n + dry_model_measures(job->model);
    v->estimates = calloc((size_t)n + 1, sizeof *v->estimates);
    if (!v->estimates)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was judged");
    judge_states(job, s, half, v, &w);
    judge_end(job, half, &w);
    const dry_status status = judge_answers(job, s, half, v, &w, error);
    if (status != DRY_OK) return status;
    v->error = w.error = fmax(w.error, rounding(job->first));
    return say_word(job, s, half, &w, v, error);
}
