/* instants: what happens at the instants of the clocks: samples get their next values, and delay
 * lines move on.
 *
 * A smooth line needs the rates just before an instant and just after it. `before` is so far from
 * it that a jump of the forcing at the instant, which may be rounded otherwise, comes later. */
#include "model_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double before(double t) { return t - 4.0 * DBL_EPSILON * fabs(t); }

static const dry_sampling *sampling_of(const dry_env *env) {
    const dry_model *model = env->model;
    return &model->elab.quantities.sampling;
}

static bool ticks(const dry_env *env, int clock, double t) {
    return dry_clocks_tick(dry_model__clocks(env), sampling_of(env)->n_clocks, clock, t);
}

static bool any_ticks(const dry_env *env, double t) {
    for (int i = 0; i < sampling_of(env)->n_clocks; i++)
        if (ticks(env, i, t)) return true;
    return false;
}

/* The room for next values is followed by that for slopes. */
static double *room_for_slopes(const dry_env *env) {
    const dry_model *model = env->model;
    return dry_model__behind_registers(env) + dry_model_numbers(&model->code, DRY_SECTION_SAMPLE);
}

static void find_slopes(const dry_env *env, double t, const double *inputs) {
    const dry_model *model = env->model;
    if (model->code.n_roots[DRY_SECTION_SLOPE])
        dry_image_run(model->code.image, DRY_SECTION_SLOPE, t, sampling_of(env)->tau, inputs,
                      room_for_slopes(env), env->work);
}

static void take_samples(const dry_env *env, double t, const double *inputs, double *x) {
    const dry_model *model = env->model;
    const dry_sampling *all = sampling_of(env);
    double *next = dry_model__behind_registers(env);
    dry_image_run(model->code.image, DRY_SECTION_SAMPLE, t, 0.0, inputs, next, env->work);
    for (int i = 0; i < all->n_helds; i++)
        if (ticks(env, all->held[i].clock, t))
            x[all->held[i].state] = all->held[i].adds ? x[all->held[i].state] + next[i] : next[i];
}

/* The states of the equations come first among the inputs. */
static void renew(const dry_env *env, double *inputs, const double *x) {
    const dry_model *model = env->model;
    if (inputs != x) memcpy(inputs, x, sizeof *x * (size_t)model->elab.quantities.n_states);
}

/* Stores the slopes just after the instant. */
static void set_slopes_after(const dry_env *env, double t, double *inputs, double *x) {
    const dry_sampling *all = sampling_of(env);
    const double *slope = room_for_slopes(env);
    renew(env, inputs, x);
    find_slopes(env, t, inputs);
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        if (line->kind != DRY_LINE_SMOOTH) continue;
        if (ticks(env, line->clock, t)) x[line->first + (2 * line->n + 1) * line->apart] = *slope;
        slope++;
    }
}

/* Needs the slopes just before the instant, and the samples after it. */
static void move_lines(const dry_env *env, double t, const double *inputs, double *x) {
    const dry_sampling *all = sampling_of(env);
    const double *slope = room_for_slopes(env);
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        const bool smooth = line->kind == DRY_LINE_SMOOTH;
        if (ticks(env, line->clock, t))
            dry_lang_move_line(line, t, inputs[line->input], smooth ? *slope : 0.0, x);
        slope += smooth;
    }
}

bool dry_model__sample(const dry_env *env, double t, double *inputs, double *x) {
    const dry_sampling *all = sampling_of(env);
    if (!any_ticks(env, t)) return false;
    if (all->n_lines) find_slopes(env, before(t), inputs);
    take_samples(env, t, inputs, x);
    if (!all->n_lines) return true;
    renew(env, inputs, x);
    move_lines(env, t, inputs, x);
    set_slopes_after(env, t, inputs, x);
    return true;
}

void dry_model__sample_at_start(const dry_env *env, double t, double *inputs, double *x) {
    const dry_sampling *all = sampling_of(env);
    if (any_ticks(env, t)) take_samples(env, t, inputs, x);
    if (!all->n_lines) return;
    renew(env, inputs, x);
    dry_lang_fill_lines(all, t, inputs, x);
    set_slopes_after(env, t, inputs, x);
}
