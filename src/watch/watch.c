/* The watch of a run: repeats it as far as the limit of work allows, and says how far you can trust
 * its numbers. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

/* Half the step makes an error at most half as large, of whatever order the method is. A method
 * that takes the step into the laws runs another law, with alpha + T for alpha: as far as alpha >=
 * T, and an answer goes like ln(alpha + T) or 1/(alpha + T), half the step changes it by a third of
 * the error. */
static const double TWICE = 2.0, THRICE = 3.0;

const char *dry_watch_word_text(dry_watch_word word) {
    static const char *const texts[] = {"unwatched", "trusted", "sensitive", "not converged"};
    return texts[word];
}

bool dry_watch_is_bad(const dry_watch_verdict *v) {
    return v->word == DRY_SENSITIVE || v->word == DRY_NOT_CONVERGED || v->n_gives > 0 ||
           *v->chosen_text;
}

bool dry_watch_is_good(const dry_watch_verdict *v) {
    return v->word == DRY_TRUSTED && !dry_watch_is_bad(v);
}

void dry_watch_free(dry_watch_verdict *verdict) {
    free(verdict->estimates);
    free(verdict->gives);
    *verdict = (dry_watch_verdict){0};
}

static void say_failed(const dry_watch__job *job, const dry_error *why, dry_watch_verdict *v) {
    v->word = DRY_NOT_CONVERGED;
    v->error = (double)NAN;
    snprintf(v->text, sizeof v->text, "NOT CONVERGED: with %s the run fails: %.400s",
             dry_watch__finer_text(job), why->text);
}

bool dry_watch__is_finding(dry_status status) {
    return status != DRY_NO_MEMORY && status != DRY_BAD_ARGUMENT && status != DRY_UNSUPPORTED;
}

/* Whether the step decides about some K. */
bool dry_watch__chooses(const dry_model *model) {
    bool any = dry_model_next_chosen(model, 0) >= 0;
    for (int i = 0; i < dry_model_sets(model); i++) any |= dry_model_set(model, i).from_step;
    return any;
}

/* Runs the model again more finely. Where neither tolerances nor the longest step have decided
 * about the steps, but kinks and jumps, smaller ones change nothing: then no step is longer than
 * half the mean. */
static dry_status repeat_finer(dry_watch__job *job, dry_sim_result *half, dry_error *error) {
    const double enough = 1.1, steps = (double)job->first->counts.steps;
    const dry_status status = dry_watch__repeat(job, true, NULL, half, error);
    if (status != DRY_OK || !dry_watch__is_adaptive(job) || !dry_watch__affords(job, 2.0) ||
        (double)half->counts.steps >= enough * steps)
        return status;
    dry_record_free(half->record);
    job->longest = 0.5 * job->run.until / steps;
    return dry_watch__repeat(job, true, NULL, half, error);
}

/* Where a step meets an impact is a matter of luck, and so may be that two runs agree. An error
 * that is not far below the limit is found once more, with a third of the step; the larger one
 * counts. */
static dry_status confirm(dry_watch__job *job, const dry_watch__states *states,
                          dry_watch_verdict *v, dry_error *error) {
    const double far = 0.1;
    if (dry_watch__is_adaptive(job) || v->word != DRY_TRUSTED || v->error <= far * job->most ||
        !dry_watch__affords(job, 3.0))
        return DRY_OK;
    dry_sim_result third = {0};
    dry_watch_verdict other = {0};
    const double times = job->times;
    job->thirds = true;
    job->times = 0.75 * times; /* of first order the error is 3/2 of the difference */
    dry_status status = dry_watch__repeat(job, true, NULL, &third, error);
    if (status == DRY_OK)
        status = dry_watch__judge(job, states, &third, &other, error);
    else if (dry_watch__is_finding(status))
        say_failed(job, error, &other), status = DRY_OK;
    job->thirds = false;
    job->times = times;
    dry_record_free(third.record);
    const bool worse = other.word != DRY_TRUSTED || other.error > v->error;
    dry_watch_verdict *const loser = status == DRY_OK && worse ? v : &other;
    dry_watch_free(loser);
    if (loser == v) *v = other;
    return status;
}

static dry_status watch_whole(dry_watch__job *job, const dry_watch__states *states,
                              dry_watch_verdict *v, dry_error *error) {
    dry_sim_result half = {0};
    dry_error why = {0};
    dry_status status = repeat_finer(job, &half, &why);
    if (status == DRY_OK)
        status = dry_watch__judge(job, states, &half, v, &why);
    else if (dry_watch__is_finding(status))
        say_failed(job, &why, v), status = DRY_OK;
    if (status == DRY_OK) status = confirm(job, states, v, &why);
    if (status == DRY_OK && half.record && v->word == DRY_TRUSTED &&
        (dry_watch__chooses(job->model) || dry_model_delays(job->model)))
        status = dry_watch__anew(job, states, &half, v, &why);
    dry_record_free(half.record);
    if (status != DRY_OK) dry_error_set(error, status, "%s", why.text);
    return status;
}

static void say_unwatched(const dry_watch__job *job, dry_watch_verdict *v) {
    v->word = DRY_UNWATCHED;
    v->error = (double)NAN;
    snprintf(v->text, sizeof v->text,
             "not watched: a run with %s evaluates %.2g rates times states, more than the limit of "
             "%.2g: raise the limit with --watch-limit",
             dry_watch__finer_text(job), 2.0 * dry_watch__work(job, job->first), job->limit);
}

/* Whether a force has an alpha that was given. */
static bool has_alpha(const dry_model *model) {
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        if (!set.from_step && set.alpha > 0.0) return true;
    }
    return false;
}

static dry_status watch_run(dry_watch__job *job, dry_watch_verdict *v, dry_error *error) {
    dry_watch__states states;
    dry_status status = DRY_OK;
    if (!dry_watch__states_begin(&states, job->model, job->first->record))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was watched");
    else if (dry_watch__affords(job, 2.0))
        status = watch_whole(job, &states, v, error);
    else {
        say_unwatched(job, v);
        status = dry_watch__sample(job, &states, v, error);
    }
    if (status == DRY_OK) status = dry_watch__gives(job, &states, v, error);
    dry_watch__states_end(&states);
    return status;
}

dry_status dry_watch(const dry_model *model, const dry_run_options *run,
                     const dry_sim_result *first, const dry_watch_options *options,
                     dry_watch_verdict *verdict, dry_error *error) {
    static const dry_watch_options standard = {0};
    const dry_watch_options *o = options ? options : &standard;
    dry_watch__job job = {.model = model,
                          .system = o->system ? o->system : dry_model_system(model),
                          .inclusion = o->inclusion ? o->inclusion : dry_model_inclusion(model),
                          .run = *run,
                          .first = first,
                          .options = o,
                          .limit = o->limit > 0.0 ? o->limit : DRY_WATCH_LIMIT,
                          .most = o->most > 0.0 ? o->most : DRY_WATCH_MOST};
    *verdict = (dry_watch_verdict){0};
    if (!run->method) job.run.method = dry_method_standard();
    job.times = job.run.method->uses_tau && has_alpha(model) ? THRICE : TWICE;
    dry_status status = watch_run(&job, verdict, error);
    if (status == DRY_OK && (job.starved || dry_model_failed(model)))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was watched");
    if (status == DRY_OK && job.ended)
        status = dry_error_set(error, DRY_RUN_FAILED, "the watch was ended before its verdict");
    if (status != DRY_OK) dry_watch_free(verdict);
    return status;
}
