/* inclusion_run: what the rigid solvers call of a model whose sets are kept: its rates, distances
 * and levels, its outputs and its phases, from the code that inclusion.c has made. */
#include "model_private.h"

#include <string.h>

bool dry_model__is_kept(const dry_force *force) { return dry_lang_is_plain(force); }

/* ---- values ------------------------------------------------------------------------ */

static double *values_of(const dry_env *env) {
    const dry_model *model = env->model;
    return (double *)(void *)((char *)env->work + model->kept.work);
}

static void *registers(const dry_env *env) {
    const dry_model *model = env->model;
    return values_of(env) + model->kept.n_values;
}

/* Puts x and lambda into their registers; lambda = NULL means zero. Loops are fast enough for so
 * few numbers. */
static const double *extended(const dry_env *env, const double *x, const double *lambda) {
    const dry_model *model = env->model;
    const int n = model->kept.inclusion.n_states, n_forces = model->kept.inclusion.n_forces;
    double *y = dry_image_inputs(model->kept.image, registers(env));
    for (int i = 0; i < n; i++) y[i] = x[i];
    for (int i = 0; i < n_forces; i++) y[n + i] = lambda ? lambda[i] : 0.0;
    return y;
}

static void eval(const dry_env *env, double t, const double *x, const double *lambda,
                 const dry_inclusion_values *values) {
    const dry_model *model = env->model;
    const dry_inclusion *inc = &model->kept.inclusion;
    const double *y = extended(env, x, lambda);
    double *out = values_of(env);
    dry_image_run(model->kept.image, DRY_KEPT_VALUES, t, 0.0, y, out, registers(env));
    struct {
        double *to;
        int n;
    } parts[] = {{values->rate, inc->n_states}, {values->slide, inc->n_forces},
                 {values->gap, inc->n_sets},    {values->level, inc->n_sets},
                 {values->push, inc->n_push},   {values->feel, inc->n_feel},
                 {values->lift, inc->n_lift}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        memcpy(parts[i].to, out, sizeof *out * (size_t)parts[i].n);
        out += parts[i].n;
    }
}

static void smooth(const dry_env *env, double t, const double *x, double *values) {
    const dry_model *model = env->model;
    dry_image_run(model->kept.image, DRY_KEPT_SMOOTH, t, 0.0, extended(env, x, NULL), values,
                  registers(env));
}

static void output(const dry_env *env, double t, const double *x, const double *lambda, double *y) {
    const dry_model *model = env->model;
    dry_image_run(model->kept.image, DRY_KEPT_OUTPUT, t, 0.0, extended(env, x, lambda), y,
                  registers(env));
}

/* ---- phases ------------------------------------------------------------------------ */

/* Number of values that determine the phase of a force. A kept set of forces needs whether it
 * slides, and its level; a set of positions needs its force; another law needs its parameters and
 * inputs. */
int dry_model__phase_values(const dry_force *force) {
    if (!dry_model__is_kept(force)) return force->n_par + force->n_inputs;
    return dry_lang_is_friction(force) ? 2 : 1;
}

static unsigned kept_phase(const dry_force *force, const double *values) {
    if (!dry_lang_is_friction(force)) return values[0] > 0.0 ? DRY_CLOSED : DRY_OPEN;
    if (!(values[1] > 0.0)) return DRY_OPEN;
    return values[0] != 0.0 ? DRY_SLIPS : DRY_STICKS;
}

static void phases(const dry_env *env, double t, const double *x, const double *lambda,
                   unsigned char *phase) {
    const dry_model *model = env->model;
    const double *y = extended(env, x, lambda), *value = values_of(env);
    dry_image_run(model->kept.image, DRY_KEPT_PHASE, t, 0.0, y, values_of(env), registers(env));
    for (int i = 0; i < model->elab.quantities.n_forces; i++) {
        const dry_force *force = &model->elab.quantities.force[i];
        phase[i] = 0;
        if (dry_model__has_phase(model, i, y))
            phase[i] =
                (unsigned char)(dry_model__is_kept(force) ? kept_phase(force, value)
                                                          : dry_model__phase(force, 0.0, value, y));
        value += dry_model__phase_values(force);
    }
}

void dry_model__prepare_inclusion(const dry_env *env) {
    const dry_model *model = env->model;
    dry_image_prepare(model->kept.image, env->par, registers(env));
}

void dry_model__give_calls(dry_inclusion *inclusion) {
    inclusion->eval = eval;
    inclusion->smooth = smooth;
    inclusion->output = output;
    inclusion->phases = phases;
}
