/* kinds: what the states and parameters of a model are in an FMU, and which steps are right. The
 * library inside an FMU asks the same functions, so that both agree. */
#include "fmu_private.h"

#include <math.h>
#include <stdio.h>

/* Whether the steps of a method are those of any explicit integrator. */
static bool is_plain(const dry_method *method) {
    return method->fixed && !method->uses_tau && method->fixed->form != DRY_FORM_STAGGERED;
}

bool dry_fmu__exchanges(const dry_model *model) {
    dry_run_options run;
    if (dry_model_inclusion(model)) return false;
    dry_model_plan(model, &run, NULL);
    return is_plain(run.method);
}

static bool is_input(const dry_system *system, int state) {
    for (int i = 0; i < system->n_inputs; i++)
        if (system->inputs[i] == state) return true;
    return false;
}

bool dry_fmu__is_rated(const dry_model *model, int state) {
    const dry_quantities *all = &model->elab.quantities;
    if (is_input(dry_model_system(model), state)) return false;
    return state >= all->n_states || all->state[state].rate != 0; /* node 0 is the number 0 */
}

/* Whether the start is a number that follows from nothing else. */
static bool starts_alone(const dry_model *model, int state) {
    const dry_quantities *all = &model->elab.quantities;
    if (state >= all->n_states) return false;
    const dry_node start = all->state[state].start;
    return start < 0 || !dry_dag_depends(model->elab.dag, start);
}

unsigned char dry_fmu__state_kind(const dry_model *model, int state) {
    const dry_system *system = dry_model_system(model);
    const bool inner = dry_state_is_inner(&system->states[state]);
    if (is_input(system, state)) return DRY_FMU__INPUT | DRY_FMU__STARTS;
    const bool rated = dry_fmu__is_rated(model, state);
    if (inner && !(rated && dry_fmu__exchanges(model))) return DRY_FMU__HIDDEN;
    const bool starts = rated && !inner && starts_alone(model, state);
    return (unsigned char)((rated && dry_fmu__exchanges(model) ? DRY_FMU__RATED : DRY_FMU__HELD) |
                           (starts ? DRY_FMU__STARTS : 0));
}

unsigned char dry_fmu__par_kind(const dry_model *model, int par) {
    char name[256];
    if (!dry_model_par_setting(model, par, name, sizeof name) || dry_model_par_follows(model, par))
        return DRY_FMU__NO_PAR;
    return dry_model_par_free(model, par) ? DRY_FMU__TUNABLE : DRY_FMU__FIXED;
}

double dry_fmu__step(const dry_model *model) {
    dry_run_options run;
    dry_model_plan(model, &run, NULL);
    return run.step > 0.0 ? run.step : run.record > 0.0 ? run.record : 1e-3 * run.until;
}

/* The importer chooses the integrator, so its steps must be stable by all: those of Euler's method
 * are shorter than those of Runge and Kutta. */
static double stable_by_all(const dry_model *model) {
    double least = (double)INFINITY;
    for (int i = 0; i < dry_method_count(); i++)
        if (is_plain(dry_method_at(i)))
            least = fmin(least, dry_model_largest_by(model, dry_method_at(i)));
    return least;
}

/* At the bound itself a motion rings on, step by step; below, little of it remains after some. */
static const double CALM = 0.7;

double dry_fmu__largest(const dry_model *model, bool *by_all) {
    const double step = dry_fmu__step(model), stable = CALM * stable_by_all(model);
    *by_all = isfinite(stable) && stable >= step;
    return *by_all ? stable : step;
}

void dry_fmu__say_largest(const dry_model *model, char *text, size_t size) {
    bool by_all;
    dry_run_options run;
    const double largest = dry_fmu__largest(model, &by_all);
    dry_model_plan(model, &run, NULL);
    if (by_all)
        snprintf(text, size, "explicit methods need steps of at most %.6g s", largest);
    else
        snprintf(text, size,
                 "%s needs steps of at most %.6g s, other explicit methods may need shorter ones",
                 run.method->title, largest);
}
