/* plan: what an FMU has: its kinds, and its variables with names, starts, ranges and sizes. */
#include "fmu_private.h"

#include <drystone/native.h>
#include <drystone/sim.h>
#include <drystone/stepper.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the model has
 * --------------------------------------------------------------------------- */

static bool take_arrays(dry_fmu__plan *plan) {
    const size_t states = (size_t)plan->system->n_states + 1;
    const size_t outputs = (size_t)plan->system->n_outputs + 1;
    const size_t pars = (size_t)plan->system->n_par + 1;
    plan->state = dry_arena_take(plan->arena, states);
    plan->nominal = dry_arena_take(plan->arena, states * sizeof *plan->nominal);
    plan->start = dry_arena_take(plan->arena, states * sizeof *plan->start);
    plan->output = dry_arena_take(plan->arena, outputs * sizeof *plan->output);
    plan->par = dry_arena_take(plan->arena, pars * sizeof *plan->par);
    plan->par_kind = dry_arena_take(plan->arena, pars);
    plan->variable =
        dry_arena_take(plan->arena, (2 * states + outputs + pars + 1) * sizeof *plan->variable);
    return !dry_arena_failed(plan->arena);
}

/* The parameters: those of the exported C, or those of the system. */
static dry_status choose_par(dry_fmu__plan *plan, dry_error *error) {
    const dry_model *model = plan->model;
    dry_status status = DRY_OK;
    plan->n_par = plan->system->n_par;
    if (!plan->library) status = dry_export_par(model, plan->par, &plan->n_par, error);
    for (int i = 0; status == DRY_OK && i < plan->n_par; i++) {
        if (plan->library) plan->par[i] = i;
        plan->par_kind[i] = plan->library ? dry_fmu__par_kind(model, i)
                            : model->elab.quantities.param[plan->par[i]].fixed ? DRY_FMU__FIXED
                                                                               : DRY_FMU__TUNABLE;
    }
    return status;
}

static void choose_states(dry_fmu__plan *plan) {
    for (int i = 0; i < plan->system->n_states; i++) {
        plan->state[i] = dry_fmu__state_kind(plan->model, i);
        plan->nominal[i] = 1.0;
    }
    for (int i = 0; i < plan->system->n_outputs; i++)
        if (dry_model_output_shown(plan->model, i)) plan->output[plan->n_outputs++] = i;
}

/* ---- numbers of a run
 * ----------------------------------------------------------------------------- */

static dry_status find_start(dry_fmu__plan *plan, dry_error *error) {
    const dry_inclusion *inclusion = dry_model_inclusion(plan->model);
    dry_stepper *stepper = NULL;
    const dry_status status =
        inclusion ? dry_stepper_new_inclusion(inclusion, &plan->run, &stepper, error)
                  : dry_stepper_new(plan->system, &plan->run, &stepper, error);
    if (status == DRY_OK)
        memcpy(plan->start, dry_stepper_states(stepper),
               (size_t)plan->system->n_states * sizeof *plan->start);
    dry_stepper_free(stepper);
    return status;
}

/* The power of ten next to the largest size of a column; 1 if it is 0 all the time. */
static double size_of(const dry_record *record, const char *name) {
    const int column = dry_record_find(record, name);
    const double *value = column < 0 ? NULL : dry_record_values(record, column);
    double largest = 0.0;
    for (size_t i = 0; value && i < dry_record_rows(record); i++)
        if (isfinite(value[i])) largest = fmax(largest, fabs(value[i]));
    return largest > 1e-12 ? pow(10.0, round(log10(largest))) : 1.0;
}

/* Longer runs are not made for the nominal values alone. */
static const double MOST_STEPS = 2e5;

/* The sizes that the states have in the run of the text; 1 if it cannot be run. */
static void find_nominals(dry_fmu__plan *plan) {
    const dry_inclusion *inclusion = dry_model_inclusion(plan->model);
    dry_sim_result result = {0};
    dry_sim_options how = {.run = plan->run};
    dry_error ignored = {0};
    how.run.max_steps = MOST_STEPS;
    if (!(plan->run.until > 0.0)) return;
    if (!plan->run.method->adaptive && plan->run.until / plan->run.step > MOST_STEPS) return;
    const dry_status status = inclusion ? dry_sim_run_inclusion(inclusion, &how, &result, &ignored)
                                        : dry_sim_run(plan->system, &how, &result, &ignored);
    for (int i = 0; status == DRY_OK && i < plan->system->n_states; i++)
        if (!dry_state_is_inner(&plan->system->states[i]))
            plan->nominal[i] = size_of(result.record, plan->system->states[i].name);
    dry_record_free(result.record);
}

/* ---- variables
 * ------------------------------------------------------------------------------------ */

static dry_fmu__variable *add(dry_fmu__plan *plan, const char *name, const char *unit,
                              unsigned reference) {
    dry_fmu__variable *v = &plan->variable[plan->n_variables++];
    *v = (dry_fmu__variable){.name = name,
                             .unit = unit,
                             .causality = "local",
                             .variability = "continuous",
                             .reference = reference,
                             .rate_of = -1,
                             .nominal = (double)NAN,
                             .low = -(double)INFINITY,
                             .high = (double)INFINITY,
                             .n_needs = -1};
    return v;
}

/* FORMAT of a name. NULL without memory, which the arena remembers. */
static const char *format(dry_fmu__plan *plan, const char *before, const char *name,
                          const char *after) {
    const size_t size = strlen(before) + strlen(name) + strlen(after) + 1;
    char *text = dry_arena_take(plan->arena, size);
    if (text) snprintf(text, size, "%s%s%s", before, name, after);
    return text ? text : "";
}

static bool is_own(const dry_model *model, int state) {
    for (int i = 0; i < dry_model_own_states(model); i++)
        if (dry_model_own_state(model, i) == state) return true;
    return false;
}

/* A state without a name of its own, "touch.*", gets its number. */
static const char *state_name(dry_fmu__plan *plan, int state) {
    const dry_quantity *q = &plan->system->states[state];
    char number[32];
    if (!dry_state_is_inner(q)) return q->name;
    snprintf(number, sizeof number, "state[%d]", state + 1);
    const char *text = format(plan, q->name, number, "");
    char *star = strrchr(text, '*');
    if (star) memmove(star, star + 1, strlen(star));
    return text;
}

static void add_state(dry_fmu__plan *plan, int i) {
    const int kind = plan->state[i] & 3;
    const bool starts = plan->state[i] & DRY_FMU__STARTS;
    const bool rated = dry_fmu__is_rated(plan->model, i);
    if (kind == DRY_FMU__HIDDEN) return;
    dry_fmu__variable *v =
        add(plan, state_name(plan, i), plan->system->states[i].unit, (unsigned)i + 1);
    v->nominal = plan->nominal[i];
    v->has_start = starts;
    v->start = plan->start[i];
    if (kind == DRY_FMU__INPUT) {
        v->causality = "input";
        v->description = "held until it is set again";
        return;
    }
    v->output = is_own(plan->model, i);
    if (v->output) v->causality = "output";
    if (!rated) v->variability = "discrete";
    v->initial = starts ? "exact" : "calculated";
    v->unknown = !starts && (kind == DRY_FMU__RATED || v->output);
    /* What latches in equations are samples and delay lines, which are held. */
    v->begins_anew = kind == DRY_FMU__RATED && plan->library && plan->system->latch;
}

static void add_rates(dry_fmu__plan *plan) {
    const int n_states = plan->n_variables;
    for (int k = 0; k < n_states; k++) {
        const dry_fmu__variable *state = &plan->variable[k];
        const int i = (int)state->reference - 1;
        if (i < 0 || (plan->state[i] & 3) != DRY_FMU__RATED) continue;
        const char *unit = dry_fmu__rate_unit(plan, state->unit);
        dry_fmu__variable *v = add(plan, format(plan, "der(", state->name, ")"), unit,
                                   (unsigned)(plan->system->n_states + i) + 1);
        v->rate_of = k;
        v->unknown = true;
    }
}

static void add_outputs(dry_fmu__plan *plan) {
    for (int k = 0; k < plan->n_outputs; k++) {
        const dry_quantity *q = &plan->system->outputs[plan->output[k]];
        dry_fmu__variable *v =
            add(plan, q->name, q->unit, (unsigned)(2 * plan->system->n_states + k) + 1);
        v->causality = "output";
        v->initial = "calculated";
        v->unknown = v->output = true;
    }
}

static void find_range(const dry_fmu__plan *plan, dry_fmu__variable *v, int par) {
    double range[2];
    if (dry_model_par_range(plan->model, par, range)) v->low = range[0], v->high = range[1];
    if (par < plan->model->elab.quantities.n_params &&
        plan->model->elab.quantities.param[par].hidden)
        v->low = 0.0; /* K and the like, which the compiler chose */
}

static void add_pars(dry_fmu__plan *plan) {
    char name[256];
    for (int k = 0; k < plan->n_par; k++) {
        const int par = plan->par[k];
        const dry_quantity *q = &plan->system->params[par];
        if (plan->par_kind[k] == DRY_FMU__NO_PAR) continue;
        const bool named = dry_model_par_setting(plan->model, par, name, sizeof name);
        dry_fmu__variable *v =
            add(plan, named ? format(plan, "", name, "") : q->name, q->unit,
                (unsigned)(2 * plan->system->n_states + plan->n_outputs + k) + 1);
        v->causality = "parameter";
        v->variability = plan->par_kind[k] == DRY_FMU__TUNABLE ? "tunable" : "fixed";
        v->initial = "exact";
        v->has_start = true;
        v->start = plan->system->par[par];
        find_range(plan, v, par);
        const char *instead = dry_model_par_not_given(plan->model, par);
        if (instead)
            v->description = format(plan, "a number below 0 means not given: ", instead, "");
        if (plan->library || plan->par_kind[k] == DRY_FMU__TUNABLE) continue;
        v->low = v->high = v->start;
        v->description = "the model was compiled for this value";
    }
}

static void add_all(dry_fmu__plan *plan) {
    dry_fmu__variable *time = add(plan, "time", "s", 0);
    time->causality = "independent";
    for (int i = 0; i < plan->system->n_states; i++) add_state(plan, i);
    add_rates(plan);
    add_outputs(plan);
    add_pars(plan);
}

/* ---- the plan
 * ------------------------------------------------------------------------------------- */

/* An FMU is used on another computer. */
static dry_status check_method(const dry_fmu__plan *plan, dry_error *error) {
    if (!plan->run.method->outside) return DRY_OK;
    return dry_error_set(error, DRY_UNSUPPORTED,
                         "the method %s needs a library that an FMU cannot carry: take another "
                         "one, such as rodas4 (--method rodas4)",
                         plan->run.method->name);
}

/* Without model exchange: why. */
static dry_status choose_kinds(dry_fmu__plan *plan, dry_error *error) {
    const int able = DRY_FMU_STEPS | (dry_fmu__exchanges(plan->model) ? DRY_FMU_EXCHANGE : 0);
    plan->kinds = plan->options->kinds ? plan->options->kinds : able;
    if ((plan->kinds & able) == plan->kinds) return DRY_OK;
    return dry_error_set(error, DRY_UNSUPPORTED,
                         "model exchange leaves the steps to the importer, but the method %s needs "
                         "its own: take co-simulation (--kind cs), or a method of fixed steps such "
                         "as rk4",
                         plan->run.method->name);
}

dry_status dry_fmu__make_plan(dry_fmu__plan *plan, dry_error *error) {
    plan->system = dry_model_system(plan->model);
    plan->run = dry_model_run(plan->model);
    dry_model_plan(plan->model, &plan->run, NULL);
    dry_fmu__identify(dry_model_name(plan->model), plan->identifier);
    dry_status status = check_method(plan, error);
    if (status == DRY_OK) status = choose_kinds(plan, error);
    if (status == DRY_OK && !take_arrays(plan)) status = DRY_NO_MEMORY;
    if (status == DRY_OK) status = choose_par(plan, error);
    if (status == DRY_OK) status = find_start(plan, error);
    if (status != DRY_OK) return status;
    choose_states(plan);
    find_nominals(plan);
    add_all(plan);
    if (dry_arena_failed(plan->arena) || !dry_fmu__name_all(plan) || !dry_fmu__find_needs(plan))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    return DRY_OK;
}
