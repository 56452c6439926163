/* start: the state at the start of a run where the caller gives some of it. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_status check(const dry_system *system, double t, const dry_model__given *given,
                        dry_error *error) {
    for (int i = 0; i < system->n_states; i++)
        if (given->is[i] && !isfinite(given->x[i]))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "%s is not a finite number in the state to begin from: give it a "
                                 "value",
                                 system->states[i].name);
    if (isfinite(t)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the time to begin at is not a finite number: give it a value");
}

static dry_status check_settled(const dry_model *model, const double *x, dry_error *error) {
    for (int i = 0; i < model->elab.results.n_settleds; i++) {
        const int state = model->elab.results.settled[i];
        if (!isfinite(x[state]))
            return dry_error_set(error, DRY_NOT_FINITE,
                                 "%s has no steady start with these values: leave it out of "
                                 "`steady`, or give it a start",
                                 dry_model_system(model)->states[state].name);
    }
    return DRY_OK;
}

dry_status dry_model_start(const dry_model *model, const double *par, double t,
                           const unsigned char *given, double *x, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    const size_t bytes = (size_t)system->n_states * sizeof *x;
    double *copy = malloc(bytes + 1);
    dry_env env = {.model = system->model,
                   .par = par ? par : system->par,
                   .work = calloc(1, system->work_size + 1)};
    const dry_model__given all = {.is = given, .x = copy};
    dry_status status =
        copy && env.work ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) memcpy(copy, x, bytes);
    if (status == DRY_OK) status = check(system, t, &all, error);
    if (status == DRY_OK) {
        if (system->prepare) system->prepare(&env);
        (model->mixed ? dry_model__start_mixed : dry_model__start_equations)(&env, t, &all, x);
        status = check_settled(model, x, error);
    }
    free(copy);
    free(env.work);
    return status;
}
