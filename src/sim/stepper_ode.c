/* The methods of the room ode under a stepper. */
#include <string.h>

#include "stepper_private.h"

static dry_sim__run as_run(const dry_stepper *s, double t_end) {
    dry_sim__run run = {.system = s->system,
                        .method = s->method,
                        .options = {.run = s->run, .par = s->par},
                        .ode_options = s->options,
                        .ode = s->ode};
    run.options.run.until = t_end;
    return run;
}

dry_status dry_sim__step_failed(const dry_stepper *s, dry_status status, double t_end,
                                dry_error *error) {
    const dry_sim__run run = as_run(s, t_end);
    return dry_sim__explain(&run, status, error);
}

static dry_status begin(dry_stepper *s, double t, const double *x0, dry_error *error) {
    const dry_status status = dry_ode_init(&s->ode, s->system, s->method, &s->options, s->par, t,
                                           x0, s->scratch, s->work);
    return status == DRY_OK ? status : dry_sim__step_failed(s, status, t, error);
}

static dry_status follow(dry_stepper *s, dry_error *error) {
    const dry_system *system = s->system;
    (void)error;
    for (int i = 0; i < system->n_inputs; i++) s->ode.x[system->inputs[i]] = s->inputs[i];
    dry_ode_changed(&s->ode);
    return DRY_OK;
}

static dry_status advance(dry_stepper *s, double t_end, dry_error *error) {
    const dry_status status = dry_ode_advance(&s->ode, t_end);
    return status == DRY_OK ? status : dry_sim__step_failed(s, status, t_end, error);
}

/* To an end that no step reaches. */
static dry_status step(dry_stepper *s, dry_error *error) {
    const double t_end = s->ode.t + 2.0 * s->options.max_step;
    const dry_status status = dry_ode_step(&s->ode, t_end);
    return status == DRY_OK ? status : dry_sim__step_failed(s, status, t_end, error);
}

/* ---- read ------------------------------------------------------------------ */

static double time_of(const dry_stepper *s) { return s->ode.t; }
static const double *states(const dry_stepper *s) { return s->ode.x; }

/* As a run records them. */
static double tau(const dry_stepper *s) { return s->method->uses_tau ? s->options.step : 0.0; }

static void output(const dry_stepper *s, double *y) {
    s->system->output(&s->ode.env, s->ode.t, tau(s), s->ode.x, y);
}

static bool phases(const dry_stepper *s, const double *y, unsigned char *phase) {
    if (!s->system->phases) return false;
    s->system->phases(&s->ode.env, s->ode.t, tau(s), s->ode.x, y, phase);
    return true;
}

/* ---- save: the integration without its addresses, its numbers, the scratch ------ */

static size_t numbers(const dry_stepper *s) {
    return dry_ode_size(s->system, s->method) * sizeof(double);
}

static size_t save_size(const dry_stepper *s) {
    return sizeof(dry_ode) + numbers(s) + s->system->work_size;
}

/* `to` with the addresses of `of`. The name of a law that was too fast is one of them: a saved
 * integration has no fault. */
static void set_addresses(dry_ode *to, const dry_ode *of) {
    to->x = of->x;
    to->system = of->system;
    to->method = of->method;
    to->env = of->env;
    to->work = of->work;
    to->kinks = of->kinks;
    to->breaks.times = of->breaks.times;
    to->breaks.clocks = of->breaks.clocks;
    to->fault = (dry_ode_fault){.state = -1};
}

static void save(const dry_stepper *s, void *bytes) {
    static const dry_ode nowhere;
    dry_ode ode = s->ode;
    char *to = bytes;
    set_addresses(&ode, &nowhere);
    memcpy(to, &ode, sizeof ode);
    memcpy(to + sizeof ode, s->work, numbers(s));
    if (s->system->work_size > 0)
        memcpy(to + sizeof ode + numbers(s), s->scratch, s->system->work_size);
}

static bool restore(dry_stepper *s, const void *bytes) {
    const char *from = bytes;
    dry_ode ode;
    memcpy(&ode, from, sizeof ode);
    set_addresses(&ode, &s->ode);
    s->ode = ode;
    memcpy(s->work, from + sizeof ode, numbers(s));
    if (s->system->work_size > 0)
        memcpy(s->scratch, from + sizeof ode + numbers(s), s->system->work_size);
    return true;
}

const dry_sim__engine dry_sim__engine_ode = {.begin = begin,
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
