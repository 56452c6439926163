/* anew: estimates how K, alpha and beta that were chosen from the step, and the past that delays
 * keep as often as the step says, change the result. It repeats the run of half the step with all
 * of them chosen for half the step; the error is twice the difference. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

static const double TWICE = 2.0;

static void compare_measures(const dry_watch__job *job, const dry_watch__states *s,
                             const dry_record *record, const dry_measured *a, const dry_measured *b,
                             double *error, const char **name) {
    for (int i = 0; i < dry_model_measures(job->model); i++) {
        const double off =
            TWICE * dry_watch__measure_apart(s, job->model, record, i, a[i].value, b[i].value);
        if (off > *error) *error = off, *name = a[i].name;
    }
}

static dry_status compare(const dry_watch__job *job, const dry_watch__states *s,
                          const dry_record *held, const dry_record *anew, double *error,
                          const char **name) {
    const size_t n = (size_t)dry_model_measures(job->model) + 1;
    dry_measured *values = calloc(2 * n, sizeof *values);
    dry_error unsaid = {0};
    for (int i = 0; i < s->n; i++) {
        const double off = TWICE * dry_watch__apart(s, i, held, anew);
        if (off > *error) *error = off, *name = dry_record_quantity(held, s->column[i]).name;
    }
    dry_status status = values ? DRY_OK : DRY_NO_MEMORY;
    if (values) status = dry_model_evaluate(job->model, NULL, held, values, NULL, &unsaid);
    if (status == DRY_OK)
        status = dry_model_evaluate(job->model, NULL, anew, values + n, NULL, &unsaid);
    if (status == DRY_OK) compare_measures(job, s, held, values, values + n, error, name);
    free(values);
    return status == DRY_NO_MEMORY ? status : DRY_OK;
}

static void write_text(dry_watch__job *job, double error, const char *name, dry_watch_verdict *v) {
    const size_t said = strlen(v->text);
    v->chosen_error = error;
    if (error + v->error <= job->most) { /* the answer has both errors */
        if (error > v->error)
            snprintf(v->text + said, sizeof v->text - said, ", and to %.1g with %s", error,
                     dry_watch__chooses(job->model) ? "parameters chosen from the step"
                                                    : "what delays keep of the past");
        return;
    }
    if (!dry_watch__chooses(job->model)) {
        snprintf(v->chosen_text, sizeof v->chosen_text,
                 "delays keep too little of the past: twice as much changes %.100s by %.2g of its "
                 "size: use a smaller %s",
                 name, error / TWICE, dry_watch__is_adaptive(job) ? "rtol" : "step");
        return;
    }
    snprintf(v->chosen_text, sizeof v->chosen_text,
             "what was chosen from the step gives way: chosen for half the step, it changes %.100s "
             "by %.2g of its size: use a smaller step%s, or give K",
             name, error / TWICE, dry_watch__rigid_works(job) ? ", rigid" : "");
}

/* A method that chooses its steps keeps the past twice as often for a 16th of the tolerance
 * (lang/lines.c). */
static dry_model *compile_anew(dry_watch__job *job) {
    const bool adaptive = dry_watch__is_adaptive(job) && dry_model_delays(job->model);
    const dry_run_options by = {.step = 0.5 * dry_model_choose_step(job->model),
                                .rtol = adaptive ? dry_watch__rtol(job) / 16.0 : 0.0};
    return dry_watch__compile(job, &by);
}

dry_status dry_watch__anew(dry_watch__job *job, const dry_watch__states *s,
                           const dry_sim_result *half, dry_watch_verdict *v, dry_error *error) {
    if (!dry_watch__affords(job, 2.0)) return DRY_OK;
    dry_model *model = compile_anew(job);
    dry_sim_result result = {0};
    const char *name = "";
    double off = 0.0;
    dry_status status = DRY_OK;
    if (model && dry_watch__run_model(job, model, true, (double)INFINITY, &result) == DRY_OK)
        status = compare(job, s, half->record, result.record, &off, &name);
    if (status == DRY_OK && result.record) write_text(job, off, name, v);
    if (status != DRY_OK) dry_error_set(error, status, "out of memory while the run was watched");
    dry_record_free(result.record);
    dry_model_free(model);
    return status;
}
