/* The beginning and the end of an integration: options checked, memory taken, the start state. */
#include <math.h>
#include <string.h>

#include "stiff_private.h"

static bool fits(double value) { return value >= 0.0 && isfinite(value); }

static dry_status check(const dry_system *system, const dry_method *method,
                        const dry_ode_options *o, double t, dry_error *error) {
    if (!isfinite(t) || !fits(o->step) || !fits(o->rtol) || !fits(o->atol) || !fits(o->max_step) ||
        o->max_steps < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "steps and tolerances cannot be negative; leave them out for the "
                             "defaults");
    if (system->n_jacobian == 0 && system->n_states > DRY_STIFF_DENSE_LIMIT)
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "%s needs a Jacobian if a system has more than %d states (this one has %d), and nets "
            "of parts have none: use dopri5, dop853 or fixed steps",
            method->name, DRY_STIFF_DENSE_LIMIT, system->n_states);
    return DRY_OK;
}

static double or_default(double value, double standard) { return value > 0.0 ? value : standard; }

static bool take_memory(dry_stiff *s) {
    double **const vectors[] = {&s->x, &s->end, &s->point};
    const size_t bytes = (size_t)s->system->n_states * sizeof(double);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = dry_arena_take(s->arena, bytes))) return false;
    s->breaks.times = dry_arena_take(s->arena, (size_t)(s->system->n_breaks + 1) * sizeof(double));
    s->env.work = dry_arena_take(s->arena, s->system->work_size + 1);
    return s->breaks.times && s->env.work && dry_stiff__jacobian_begin(s);
}

static dry_status check_state(const dry_system *system, const double *x, dry_error *error) {
    for (int i = 0; i < system->n_states; i++)
        if (!isfinite(x[i]))
            return dry_error_set(error, DRY_NOT_FINITE,
                                 "%s is not a finite number at the start: give it an initial value",
                                 system->states ? system->states[i].name : "a state");
    return DRY_OK;
}

/* What depends on parameters alone. */
static void prepare(dry_stiff *s) {
    if (s->system->prepare) s->system->prepare(&s->env);
    s->par_mark = dry_par_mark(s->env.par, s->system->n_par);
    dry_breaks_read(&s->breaks, s->system, &s->env);
}

static dry_status start(dry_stiff *s, const double *par, const double *x0, dry_error *error) {
    const dry_system *system = s->system;
    s->env.model = system->model;
    s->env.par = par ? par : system->par;
    prepare(s);
    if (x0)
        memcpy(s->x, x0, (size_t)system->n_states * sizeof *x0);
    else if (system->start)
        system->start(&s->env, s->t, s->x);
    return check_state(system, s->x, error);
}

dry_status dry_stiff_restart(dry_stiff *s, const double *x, dry_error *error) {
    const dry_status status = check_state(s->system, x ? x : s->x, error);
    if (status != DRY_OK) return status;
    if (x) memmove(s->x, x, (size_t)s->system->n_states * sizeof *x);
    prepare(s);
    s->t_before = s->t; /* nothing can be interpolated */
    s->method->restart(s);
    return DRY_OK;
}

/* ---- as bytes ------------------------------------------------------------ */

/* All of it is in the arena, unless the method has more to free. */
size_t dry_stiff_save_size(const dry_stiff *s) {
    return s->method->end ? 0 : dry_arena_image_size(s->arena);
}

void dry_stiff_save(const dry_stiff *s, void *bytes) {
    if (!s->method->end) dry_arena_image_save(s->arena, bytes);
}

bool dry_stiff_restore(dry_stiff *s, const void *bytes) {
    return !s->method->end && dry_arena_image_load(s->arena, bytes);
}

dry_status dry_stiff_new(const dry_system *system, const dry_method *method,
                         const dry_ode_options *options, const double *par, double t,
                         const double *x0, dry_stiff **stiff, dry_error *error) {
    DRY_ASSERT(system && stiff && system->n_states > 0);
    const dry_ode_options standard = {0};
    if (!options) options = &standard;
    *stiff = NULL;
    if (!method || !dry_stiff__method_of(method))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "this is not an implicit method: use rodas4 or cvode");
    dry_status status = check(system, method, options, t, error);
    if (status != DRY_OK) return status;
    dry_arena *arena = dry_arena_new(0);
    dry_stiff *s = arena ? dry_arena_take(arena, sizeof *s) : NULL;
    if (s) {
        *s = (dry_stiff){.system = system, .arena = arena, .options = *options};
        s->method = dry_stiff__method_of(method);
        s->t = s->t_start = s->t_before = t;
        s->options.rtol = or_default(options->rtol, 1e-6);
        s->options.atol = or_default(options->atol, 1e-9);
    }
    status = s && take_memory(s)
                 ? start(s, par, x0, error)
                 : dry_error_set(error, DRY_NO_MEMORY, "out of memory for the implicit method");
    if (status == DRY_OK) status = s->method->begin(s, error);
    if (status == DRY_OK)
        *stiff = s;
    else
        dry_arena_free(arena);
    return status;
}

void dry_stiff_free(dry_stiff *stiff) {
    if (!stiff) return;
    if (stiff->method->end) stiff->method->end(stiff);
    dry_arena_free(stiff->arena);
}
