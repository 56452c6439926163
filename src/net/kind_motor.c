/* kind_motor: a force as a function of time, which may supply energy.
 *
 *     f = force + amplitude sin(w t + phase)   from `from` to `until`, else 0
 *
 * f: on end a, N (N m); w: angular frequency, rad/s; from, until: s. */
#include "kind.h"
#include <math.h>

enum { W, PHASE, FROM, UNTIL, FORCE }; /* then the amplitude */

static int dim_of(const dry_part_env *env) { return *(const int *)env->data; }

static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    (void)in, (void)x, (void)x_dot;
    const double *par = env->par;
    const int dim = dim_of(env);
    const bool on = env->t >= par[FROM] && env->t < par[UNTIL];
    const double sine = dry_sin(par[W] * env->t + par[PHASE]);
    for (int i = 0; i < dim; i++) out[i] = on ? par[FORCE + i] + par[FORCE + dim + i] * sine : 0.0;
}

static void switch_times(const dry_part_env *env, double *times) {
    times[0] = env->par[FROM];
    times[1] = env->par[UNTIL];
}

static const dry_part_breaks on_off = {2, switch_times};

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    static const dry_quantity names[] = {
        {"w", "rad/s"}, {"phase", "rad"}, {"from", "s"}, {"until", "s"}};
    const int *dim = dry_net__dim(self, values, count, error);
    if (!dim || !dry_net__vectors_fit(self, values, count, *dim, error)) return NULL;
    const char *unit = dry_net__unit(dry_net__is_rotary(self), "N");
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_IMPEDANCE,
                              .promise = DRY_FEEDS,
                              .n_par = FORCE + 2 * *dim,
                              .eval = eval,
                              .breaks = &on_off,
                              .data = dim};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    for (int i = 0; i < FORCE; i++) {
        d.params[i] = names[i];
        d.par[i] = dry_value_number(self, values, count, names[i].name);
    }
    dry_net__name_list(arena, "force", unit, *dim, d.params + FORCE);
    dry_net__name_list(arena, "amplitude", unit, *dim, d.params + FORCE + *dim);
    dry_value_numbers(self, values, count, "force", *dim, d.par + FORCE);
    dry_value_numbers(self, values, count, "amplitude", *dim, d.par + FORCE + *dim);
    if (!(d.par[FROM] < d.par[UNTIL])) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "from", "give a later until",
                          "from does not lie before until, so that it is never switched on");
        return NULL;
    }
    return dry_net__put_port(self, values, count, *dim, &d, error) ? d.part : NULL;
}

static const dry_kind_param keys[] = {
    VECTOR("force", "N", "constant part"),
    VECTOR("amplitude", "N", "amplitude of the sine"),
    NUMBER("w", "rad/s", DRY_ANY, 0.0, "angular frequency of the sine"),
    NUMBER("phase", "rad", DRY_ANY, 0.0, "phase of the sine at t = 0"),
    NUMBER("from", "s", DRY_ANY, -1e30, "when it is switched on"),
    NUMBER("until", "s", DRY_ANY, 1e30, "when it is switched off"),
    DIM,
    ON,
};

const dry_kind dry_net__motor = {
    .name = "motor",
    .title = "Motor",
    .meaning = "f = force + amplitude sin(w t + phase), while it is switched on",
    .params = keys,
    .n_params = ROWS(keys),
    .make = make};

/* ---- by a function of your own ----------------------------------------- */

typedef struct own {
    void (*force)(const void *user, double t, const double *motion, double *force);
    const void *user;
} own;

static void eval_own(const dry_part_env *env, const double *in, const double *x, double *out,
                     double *x_dot) {
    (void)x, (void)x_dot;
    const own *o = env->data;
    o->force(o->user, env->t, in, out);
}

const dry_part *dry_motor_part(dry_arena *arena, dry_port port,
                               void (*force)(const void *user, double t, const double *motion,
                                             double *force),
                               const void *user) {
    const dry_part pattern = {
        .kind = "motor", .side = DRY_IMPEDANCE, .promise = DRY_FEEDS, .eval = eval_own};
    dry_net__draft d;
    own *o = dry_arena_take(arena, sizeof *o);
    if (!o || !dry_net__draft_new(arena, &pattern, &d, NULL)) return NULL;
    *o = (own){force, user};
    d.part->data = o;
    *d.port = port;
    return d.part;
}
