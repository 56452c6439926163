/* advice: finds a step with which elements do not yield too far, tests it by a run before it is
 * printed, and gives the K that follows from it.
 *
 * Under a lasting load an element yields by a distance proportional to 1/K, and the chosen K is
 * proportional to 1/T^2. T: step, s. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 4, MOST_LINES = 8 };

/* Two digits, not above x. */
static double round_down(double x) {
    const double unit = pow(10.0, floor(log10(x)) - 1.0);
    return unit * floor(x / unit * (1.0 + 1e-12));
}

/* The power of ten not above x. */
static double power_below(double x) { return pow(10.0, floor(log10(x) + 1e-12)); }

dry_model *dry_watch__compile(dry_watch__job *job, const dry_run_options *by) {
    dry_model_options options = {0};
    size_t length;
    const char *text = dry_model_text(job->model, &length);
    if (job->options->model) options = *job->options->model;
    options.run.step = by->step;
    if (by->rtol > 0.0) options.run.rtol = by->rtol;
    if (by->method) options.run.method = by->method;
    options.force = false;
    dry_model *model = dry_model_compile(dry_model_path(job->model), text, length, &options);
    job->starved |= !model;
    if (model && dry_model_ok(model)) return model;
    dry_model_free(model);
    return NULL;
}

/* The interval of the samples of a run; 0 if it has no second one. */
static double interval(const dry_sim_result *run) {
    const double *t = dry_record_values(run->record, 0);
    return dry_record_rows(run->record) > 2 ? t[1] - t[0] : 0.0;
}

dry_status dry_watch__run_model(dry_watch__job *job, const dry_model *model, bool halved,
                                double until, dry_sim_result *result) {
    dry_watch__job other = *job;
    dry_error unsaid = {0};
    *result = (dry_sim_result){0};
    other.model = model;
    other.system = dry_model_system(model);
    other.inclusion = dry_model_inclusion(model);
    dry_status status = dry_model_plan(model, &other.run, &unsaid);
    if (status != DRY_OK) return status;
    other.run.until = fmin(other.run.until, until);
    if (halved) {
        other.run = job->run;
        other.run.record = interval(job->first);
    } else if (!(other.run.record > 0.0) && job->inclusion) {
        other.run.record = job->run.step;
    }
    status = dry_watch__repeat(&other, halved, NULL, result, &unsaid);
    job->spent = other.spent;
    job->starved |= other.starved;
    job->ended |= other.ended;
    return status;
}

/* The largest of what elements give over what they may: `least` of all steps down to it. */
static double excess(const dry_watch__elements *list) {
    double most = 0.0;
    for (int i = 0; i < list->n; i++)
        if (list->element[i].wanted > 0.0)
            most = fmax(most, list->element[i].by / list->element[i].wanted);
    return most;
}

/* Runs the model with that step until that time; `list` becomes what gives way then, with what is
 * wanted of each. */
static bool try_step(dry_watch__job *job, const dry_watch__states *s, double step, double until,
                     const dry_watch__elements *wanted, dry_watch__elements *list) {
    dry_model *model = dry_watch__compile(job, &(dry_run_options){.step = step});
    dry_sim_result result = {0};
    const bool ran = model && dry_watch__run_model(job, model, false, until, &result) == DRY_OK;
    const bool listed = ran && dry_watch__elements_begin(list, s, model, result.record, job->most);
    const bool good = listed && list->n == wanted->n;
    job->starved |= ran && !listed;
    for (int i = 0; good && i < list->n; i++) list->element[i].wanted = wanted->element[i].wanted;
    dry_record_free(result.record);
    dry_model_free(model);
    return good;
}

/* What there is to say: a step, until when it was run (0: to the end), and the K of each element.
 */
typedef struct advice {
    double step, tried, *K;
} advice;

/* The time by which all that gives way too far has done so, and half as much again. */
static double time_of_all(const dry_watch__elements *list) {
    double latest = 0.0;
    for (int i = 0; i < list->n; i++)
        if (list->element[i].wanted > 0.0) latest = fmax(latest, list->element[i].when);
    return 1.5 * latest;
}

/* Until when a run with 1/finer of the step can be afforded, s: to the end, else until all has
 * given way; 0: neither. */
static double affordable(const dry_watch__job *job, const dry_watch__elements *list, double finer) {
    const double end = job->run.until, early = fmin(time_of_all(list), end);
    if (dry_watch__affords(job, finer)) return end;
    return dry_watch__affords(job, finer * early / end) ? early : 0.0;
}

/* A step with which nothing gives way further than wanted; NaN: none was found within the limit. */
static advice find_step(dry_watch__job *job, const dry_watch__states *s,
                        const dry_watch__elements *list, double *K) {
    const double T = dry_model_choose_step(job->model);
    double step = T * sqrt(1.0 / excess(list));
    advice found = {(double)NAN, 0.0, K};
    for (int i = 0; i < TRIES && isnan(found.step) && step > 0.0; i++) {
        dry_watch__elements then = {0};
        step = round_down(step);
        const double until = affordable(job, list, T / step);
        if (!(until > 0.0)) break;
        const bool ran = try_step(job, s, step, until, list, &then);
        const double left = ran ? excess(&then) : 4.0;
        if (ran && left <= 1.0) found = (advice){step, until < job->run.until ? until : 0.0, K};
        for (int k = 0; ran && k < then.n; k++) K[k] = then.element[k].K;
        step *= fmin(0.9, sqrt(1.0 / left));
        free(then.element);
    }
    return found;
}

bool dry_watch__rigid_works(dry_watch__job *job) {
    if (job->inclusion || !dry_watch__affords(job, 4.0)) return false;
    dry_model *model = dry_watch__compile(
        job, &(dry_run_options){.step = job->run.step, .method = dry_rigid_method_at(0)});
    dry_sim_result result = {0};
    const bool works =
        model && dry_watch__run_model(job, model, false, (double)INFINITY, &result) == DRY_OK;
    dry_record_free(result.record);
    dry_model_free(model);
    return works;
}

/* Marks what gives way too far; how many there are. */
static int mark(dry_watch__elements *list) {
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        dry_watch__element *e = &list->element[i];
        if (!(e->by > e->allowed) || !(e->allowed > 0.0)) continue;
        e->wanted = e->follows ? round_down(e->allowed) : power_below(e->allowed);
        n++;
    }
    return n;
}

static void fill(const dry_watch__elements *list, const advice *a, bool rigid,
                 dry_watch_verdict *v) {
    for (int i = 0; i < list->n && v->n_gives < MOST_LINES; i++) {
        const dry_watch__element *e = &list->element[i];
        if (!(e->wanted > 0.0)) continue;
        dry_watch_give *g = &v->gives[v->n_gives++];
        *g = (dry_watch_give){.name = e->name,
                              .by = e->by,
                              .wanted = e->wanted,
                              .step = a->step,
                              .K = isnan(a->step) ? (double)NAN : a->K[i],
                              .tried = a->tried,
                              .rigid = rigid};
        snprintf(g->unit, sizeof g->unit, "%s", e->unit);
        snprintf(g->K_unit, sizeof g->K_unit, "%s", e->K_unit);
    }
}

dry_status dry_watch__gives(dry_watch__job *job, const dry_watch__states *s, dry_watch_verdict *v,
                            dry_error *error) {
    dry_watch__elements list;
    dry_status status = DRY_NO_MEMORY;
    double *K = NULL;
    if (dry_watch__elements_begin(&list, s, job->model, job->first->record, job->most)) {
        const int n = mark(&list);
        v->gives = calloc((size_t)(n < MOST_LINES ? n : MOST_LINES) + 1, sizeof *v->gives);
        K = calloc((size_t)list.n + 1, sizeof *K);
        v->gives_left = n > MOST_LINES ? n - MOST_LINES : 0;
        if (v->gives && K) status = DRY_OK;
        if (status == DRY_OK && n > 0) {
            const advice found = find_step(job, s, &list, K);
            fill(&list, &found, dry_watch__rigid_works(job), v);
        }
    }
    free(list.element);
    free(K);
    if (status != DRY_OK) dry_error_set(error, status, "out of memory while the run was watched");
    return status;
}
