/* rates: the rate of a model's system as a plain function, for integrators of others. */
#include "bind_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dry_bind_rates {
    const dry_system *system;
    dry_env env;
    double *values; /* of the Jacobian */
};

/* What an integrator of others cannot do for the system; NULL: it can integrate it. */
static const char *obstacle(const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    if (dry_model_inclusion(model)) return "its method keeps the sets, which have no rate";
    if (system->n_clocks) return "it has samples or delays, which change states between steps";
    if (system->latch) return "states of its contacts or laws change between steps";
    return NULL;
}

dry_status dry_bind_rates_new(const dry_model *model, dry_bind_rates **rates, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    const char *why = obstacle(model);
    *rates = NULL;
    if (why)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the model cannot be integrated by its rate alone: %s. Use a run or a "
                             "stepper",
                             why);
    dry_bind_rates *r = calloc(1, sizeof *r);
    void *work = malloc(system->work_size + 1);
    double *values = malloc(((size_t)system->n_jacobian + 1) * sizeof *values);
    if (!r || !work || !values) {
        free(r), free(work), free(values);
        return dry_bind__no_memory(error);
    }
    *r = (dry_bind_rates){
        system, {.model = system->model, .par = system->par, .work = work}, values};
    if (system->prepare) system->prepare(&r->env);
    *rates = r;
    return DRY_OK;
}

void dry_bind_rates_free(dry_bind_rates *rates) {
    if (!rates) return;
    free(rates->env.work);
    free(rates->values);
    free(rates);
}

void dry_bind_rates_start(const dry_bind_rates *r, double *x) {
    memset(x, 0, (size_t)r->system->n_states * sizeof *x);
    if (r->system->start) r->system->start(&r->env, 0.0, x);
}

/* A function such as min may answer nan with a number, which an integrator would go on with. */
static bool is_point(const dry_bind_rates *r, double t, const double *x) {
    bool good = isfinite(t);
    for (int i = 0; i < r->system->n_states && good; i++) good = isfinite(x[i]);
    return good;
}

static void make_nan(size_t n, double *values) {
    for (size_t i = 0; i < n; i++) values[i] = (double)NAN;
}

void dry_bind_rates_rate(const dry_bind_rates *r, double t, const double *x, double *x_dot) {
    if (is_point(r, t, x))
        r->system->rate(&r->env, t, 0.0, x, x_dot);
    else
        make_nan((size_t)r->system->n_states, x_dot);
}

void dry_bind_rates_output(const dry_bind_rates *r, double t, const double *x, double *y) {
    if (!is_point(r, t, x))
        make_nan((size_t)r->system->n_outputs, y);
    else if (r->system->n_outputs)
        r->system->output(&r->env, t, 0.0, x, y);
}

dry_status dry_bind_rates_jacobian(dry_bind_rates *r, double t, const double *x, double *jacobian,
                                   dry_error *error) {
    const dry_system *system = r->system;
    const size_t n = (size_t)system->n_states;
    if (!system->jacobian)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the derivatives of this model are not known: a model with parts has "
                             "none; let the integrator take differences");
    if (!is_point(r, t, x)) return make_nan(n * n, jacobian), DRY_OK;
    memset(jacobian, 0, n * n * sizeof *jacobian);
    system->jacobian(&r->env, t, 0.0, x, r->values);
    for (int k = 0; k < system->n_jacobian; k++)
        if (system->jacobian_column[k] < system->n_states)
            jacobian[(size_t)system->jacobian_row[k] * n + (size_t)system->jacobian_column[k]] +=
                r->values[k];
    return DRY_OK;
}

int dry_bind_rates_n_breaks(const dry_bind_rates *r) {
    return r->system->breaks ? r->system->n_breaks : 0;
}

void dry_bind_rates_breaks(const dry_bind_rates *r, double *times) {
    if (r->system->breaks) r->system->breaks(&r->env, times);
}
