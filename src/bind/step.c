/* step: steppers of a model for a binding: parameters by the rules of the model, one call per step.
 */
#include "bind_private.h"

#include <drystone/law.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

dry_native *dry_bind_native(const dry_model *model, dry_error *error) {
    const dry_native_options options = {
        .method = dry_model_inclusion(model) ? NULL : dry_bind__run_of(model).method};
    return dry_native_new(model, &options, error);
}

dry_status dry_bind_stepper_new(const dry_model *model, const dry_native *native,
                                dry_stepper **stepper, dry_error *error) {
    const dry_run_options run = dry_bind__run_of(model);
    const dry_inclusion *code = native ? dry_native_inclusion(native) : NULL,
                        *inclusion = code ? code : dry_model_inclusion(model);
    const dry_system *system = native ? dry_native_system(native) : dry_model_system(model);
    return inclusion ? dry_stepper_new_inclusion(inclusion, &run, stepper, error)
                     : dry_stepper_new(system, &run, stepper, error);
}

/* ---- parameters ---------------------------------------------------------------------------- */

static dry_status check_free(const dry_model *model, const char *name, int *par, dry_error *error) {
    *par = dry_model_par_find(model, name);
    if (*par < 0)
        return dry_error_set_key(
            error, DRY_BAD_ARGUMENT, name, "use the name of a scalar parameter of its equations",
            "the model has no parameter `%.100s` that a stepper can set", name);
    if (dry_model_par_free(model, *par)) return DRY_OK;
    return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "compile the model anew with its value",
                             "the compiler has decided something by the value of `%.100s`, so a "
                             "stepper cannot change it",
                             name);
}

static dry_status check_passes(const dry_model *model, const double *par, const char *name,
                               double value, dry_error *error) {
    char text[DRY_NUMBER_SIZE], low[DRY_NUMBER_SIZE], high[DRY_NUMBER_SIZE];
    double range[2];
    const int outside = dry_model_par_outside(model, par);
    dry_number_text(value, text);
    if (outside >= 0 && dry_model_par_range(model, outside, range)) {
        dry_number_text(range[0], low), dry_number_text(range[1], high);
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "choose a value in its range",
                                 "%.100s = %s takes `%.100s` out of its range, %s to %s", name,
                                 text, dry_model_system(model)->params[outside].name, low, high);
    }
    if (dry_model_par_passes(model, par)) return DRY_OK;
    return dry_error_set_key(
        error, DRY_BAD_ARGUMENT, name, "compile the model anew with it, and read its messages",
        "%.100s = %s does not pass the checks that the compiler makes by it", name, text);
}

dry_status dry_bind_stepper_par(dry_stepper *stepper, const dry_model *model, const char *name,
                                double value, dry_error *error) {
    const size_t n = (size_t)dry_model_system(model)->n_par;
    int index;
    if (!isfinite(value))
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "set a finite number",
                                 "the parameter `%.100s` cannot be %s", name,
                                 isnan(value) ? "nan" : "infinite");
    dry_status status = check_free(model, name, &index, error);
    if (status != DRY_OK) return status;
    double *par = malloc((n + 1) * sizeof *par);
    if (!par) return dry_bind__no_memory(error);
    memcpy(par, dry_stepper_par(stepper), n * sizeof *par);
    par[index] = value;
    dry_model_par_follow(model, par);
    status = check_passes(model, par, name, value, error);
    if (status == DRY_OK) status = dry_stepper_set_all_par(stepper, par, error);
    free(par);
    return status;
}

double dry_bind_stepper_par_now(const dry_stepper *stepper, const dry_model *model,
                                const char *name) {
    const int index = dry_model_par_find(model, name);
    return index < 0 ? (double)NAN : dry_stepper_par(stepper)[index];
}

/* ---- steps --------------------------------------------------------------------------------- */

dry_status dry_bind_step(dry_stepper *stepper, const double *inputs, double t_end, double *states,
                         double *outputs, dry_error *error) {
    const dry_system *system = dry_stepper_system(stepper);
    if (isnan(t_end))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a stepper cannot step to nan s: give a time, or -infinity for one "
                             "step");
    dry_status status = inputs ? dry_stepper_set_inputs(stepper, inputs, error) : DRY_OK;
    if (status == DRY_OK)
        status = t_end > dry_stepper_time(stepper) ? dry_stepper_advance(stepper, t_end, error)
                                                   : dry_stepper_step(stepper, error);
    if (status != DRY_OK && status != DRY_STOPPED) return status;
    if (states)
        memcpy(states, dry_stepper_states(stepper), (size_t)system->n_states * sizeof *states);
    if (outputs) {
        const dry_status read = dry_stepper_outputs(stepper, outputs, error);
        if (read != DRY_OK) return read;
    }
    return status;
}

dry_status dry_bind_rows(dry_stepper *stepper, size_t rows, double interval, const double *inputs,
                         double *outputs, double *states, size_t *done, dry_bind_progress *progress,
                         void *user, dry_error *error) {
    const dry_stepper_rows all = {.rows = rows,
                                  .interval = interval,
                                  .inputs = inputs,
                                  .outputs = outputs,
                                  .states = states,
                                  .progress = progress,
                                  .user = user};
    return dry_stepper_run(stepper, &all, done, error);
}

const char *dry_bind_phase(int bit) {
    static const struct {
        int phase;
        const char *word;
    } words[] = {
        {DRY_STICKS, "sticks"}, {DRY_SLIPS, "slips"}, {DRY_OPEN, "open"}, {DRY_CLOSED, "closed"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].phase == 1 << bit) return words[i].word;
    return NULL;
}

const char *dry_bind_stepper_stop(const dry_stepper *stepper, const dry_model *model) {
    const int stop = dry_stepper_stop(stepper);
    return stop ? dry_model_watch_text(model, stop) : "";
}
