/* The methods of the room stiff under a stepper. */
#include "stepper_private.h"

static void end(dry_stepper *s) {
    dry_stiff_free(s->stiff);
    s->stiff = NULL;
}

static dry_status begin(dry_stepper *s, double t, const double *x0, dry_error *error) {
    dry_stiff *stiff;
    const dry_status status =
        dry_stiff_new(s->system, s->method, &s->options, s->par, t, x0, &stiff, error);
    if (status != DRY_OK) return status;
    end(s);
    s->stiff = stiff;
    return DRY_OK;
}

static dry_status follow(dry_stepper *s, dry_error *error) {
    dry_sim__with_inputs(s);
    return dry_stiff_restart(s->stiff, s->x, error);
}

static dry_status advance(dry_stepper *s, double t_end, dry_error *error) {
    return dry_stiff_advance(s->stiff, t_end, error);
}

/* To an end that no step reaches. */
static dry_status step(dry_stepper *s, dry_error *error) {
    return dry_stiff_step(s->stiff, dry_stiff_time(s->stiff) + 2.0 * s->options.max_step, error);
}

static double time_of(const dry_stepper *s) { return dry_stiff_time(s->stiff); }
static const double *states(const dry_stepper *s) { return dry_stiff_state(s->stiff); }

static void output(const dry_stepper *s, double *y) {
    s->system->output(dry_stiff_env(s->stiff), time_of(s), 0.0, states(s), y);
}

static bool phases(const dry_stepper *s, const double *y, unsigned char *phase) {
    if (!s->system->phases) return false;
    s->system->phases(dry_stiff_env(s->stiff), time_of(s), 0.0, states(s), y, phase);
    return true;
}

static size_t save_size(const dry_stepper *s) { return dry_stiff_save_size(s->stiff); }
static void save(const dry_stepper *s, void *bytes) { dry_stiff_save(s->stiff, bytes); }
static bool restore(dry_stepper *s, const void *bytes) {
    return dry_stiff_restore(s->stiff, bytes);
}

const dry_sim__engine dry_sim__engine_stiff = {.begin = begin,
                                               .end = end,
                                               .follow = follow,
                                               .advance = advance,
                                               .step = step,
                                               .time = time_of,
                                               .states = states,
                                               .output = output,
                                               .phases = phases,
                                               .save_size = save_size,
                                               .save = save,
                                               .restore = restore};
