/* The methods of the room rigid under a stepper. */
#include "stepper_private.h"

static void end(dry_stepper *s) {
    dry_rigid_free(s->rigid);
    s->rigid = NULL;
}

static dry_status begin(dry_stepper *s, double t, const double *x0, dry_error *error) {
    dry_rigid_options options = dry_run_rigid(&s->run);
    dry_rigid *rigid;
    options.x0 = x0;
    const dry_status status = dry_rigid_new(s->inclusion, &options, s->par, t, &rigid, error);
    if (status != DRY_OK) return status;
    end(s);
    s->rigid = rigid;
    return DRY_OK;
}

static dry_status follow(dry_stepper *s, dry_error *error) {
    dry_sim__with_inputs(s);
    return dry_rigid_restart(s->rigid, s->x, error);
}

static dry_status advance(dry_stepper *s, double t_end, dry_error *error) {
    return dry_rigid_advance(s->rigid, t_end, error);
}

static double time_of(const dry_stepper *s) { return dry_rigid_time(s->rigid); }
static const double *states(const dry_stepper *s) { return dry_rigid_state(s->rigid); }

static void output(const dry_stepper *s, double *y) {
    s->inclusion->output(dry_rigid_env(s->rigid), time_of(s), states(s),
                         dry_rigid_instant_forces(s->rigid), y);
}

static bool phases(const dry_stepper *s, const double *y, unsigned char *phase) {
    (void)y;
    if (!s->inclusion->phases) return false;
    s->inclusion->phases(dry_rigid_env(s->rigid), time_of(s), states(s),
                         dry_rigid_instant_forces(s->rigid), phase);
    return true;
}

static size_t save_size(const dry_stepper *s) { return dry_rigid_save_size(s->rigid); }
static void save(const dry_stepper *s, void *bytes) { dry_rigid_save(s->rigid, bytes); }
static bool restore(dry_stepper *s, const void *bytes) {
    return dry_rigid_restore(s->rigid, bytes);
}

const dry_sim__engine dry_sim__engine_rigid = {.begin = begin,
                                               .end = end,
                                               .follow = follow,
                                               .advance = advance,
                                               .time = time_of,
                                               .states = states,
                                               .output = output,
                                               .phases = phases,
                                               .save_size = save_size,
                                               .save = save,
                                               .restore = restore};
