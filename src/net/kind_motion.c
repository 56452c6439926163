/* kind_motion: an admittance part that moves as prescribed, whatever acts on it: a conveyor, a base
 * that shakes.
 *
 *     p = p0 + v0 t + a t^2/2 + A sin(w t + phase),   q turned from q0 by omega t
 *
 * p: coordinates, m (rad), or those of a frame's origin; A: amplitude, m (rad); w: its angular
 * frequency, rad/s; omega: angular velocity of a frame in the axes of the world, rad/s. */
#include "kind.h"
#include <math.h>

enum { W, PHASE, P0 }; /* then v0, a, A, and of a frame omega, q0 */

static void move(const dry_part_env *env, int dim, double *p, double *v) {
    const double *p0 = env->par + P0, *v0 = p0 + dim, *a = v0 + dim, *A = a + dim;
    const double t = env->t, w = env->par[W], angle = w * t + env->par[PHASE];
    const double sine = dry_sin(angle), cosine = dry_cos(angle);
    for (int i = 0; i < dim; i++) {
        p[i] = p0[i] + t * (v0[i] + 0.5 * t * a[i]) + A[i] * sine;
        v[i] = v0[i] + a[i] * t + A[i] * w * cosine;
    }
}

static void motion_coordinate(const dry_part_env *env, const double *x, double *motion) {
    (void)x;
    const int dim = *(const int *)env->data;
    move(env, dim, motion, motion + dim);
}

static void motion_frame(const dry_part_env *env, const double *x, double *motion) {
    (void)x;
    const double *omega = env->par + P0 + 12, *q0 = omega + 3;
    const double rate = dry_norm(3, omega), half = 0.5 * rate * env->t;
    double q[4] = {dry_cos(half), 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) q[1 + i] = rate > 0.0 ? dry_sin(half) * (omega[i] / rate) : 0.0;
    move(env, 3, motion, motion + 3);
    dry_quat_multiply(q, q0, motion + 6);
    dry_quat_normalise(motion + 6);
    memcpy(motion + 10, omega, 3 * sizeof *omega);
}

/* The names and values of the polynomial and the sine. */
static void fill(const dry_kind *self, dry_arena *arena, const dry_value *values, int count,
                 int dim, dry_net__draft *d) {
    static const struct {
        const char *key, *name, *unit;
    } rows[] = {
        {"p", "p0", "m"}, {"v", "v0", "m/s"}, {"a", "a", "m/s^2"}, {"amplitude", "amplitude", "m"}};
    const bool rotary = dry_net__is_rotary(self);
    d->params[W] = (dry_quantity){"w", "rad/s"};
    d->params[PHASE] = (dry_quantity){"phase", "rad"};
    d->par[W] = dry_value_number(self, values, count, "w");
    d->par[PHASE] = dry_value_number(self, values, count, "phase");
    for (int r = 0, at = P0; r < 4; r++, at += dim) {
        dry_net__name_list(arena, rows[r].name, dry_net__unit(rotary, rows[r].unit), dim,
                           d->params + at);
        dry_value_numbers(self, values, count, rows[r].key, dim, d->par + at);
    }
}

static const dry_part *make_frame(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                  int count, dry_error *error) {
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_ADMITTANCE,
                              .promise = DRY_FEEDS,
                              .n_par = P0 + 12 + 7,
                              .motion = motion_frame};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    *d.port = (dry_port){.name = "", .unit = "", .kind = DRY_FRAME};
    fill(self, arena, values, count, 3, &d);
    const int omega = P0 + 12, q0 = omega + 3;
    dry_net__name_list(arena, "omega0", "rad/s", 3, d.params + omega);
    dry_net__name_list(arena, "q0", "", 4, d.params + q0);
    dry_value_numbers(self, values, count, "omega", 3, d.par + omega);
    if (dry_value_numbers(self, values, count, "q", 4, d.par + q0) == 0) d.par[q0] = 1.0;
    if (!dry_quat_is_turn(d.par + q0)) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "q",
                          "for an angle about an axis of length 1 it is (cos(angle/2), "
                          "sin(angle/2)*axis)",
                          "the quaternion q has the length %.6g, and must have 1",
                          dry_norm(4, d.par + q0));
        return NULL;
    }
    dry_quat_normalise(d.par + q0);
    return d.part;
}

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    static const int dims[] = {0, 1, 2, 3};
    const int dim =
        dry_net__is_rotary(self) ? 1 : (int)dry_value_number(self, values, count, "dim");
    if (dim < 1 || dim > 3) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", NULL, "dim is 1, 2 or 3");
        return NULL;
    }
    if (!dry_net__vectors_fit(self, values, count, dim, error)) return NULL;
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_ADMITTANCE,
                              .promise = DRY_FEEDS,
                              .n_par = P0 + 4 * dim,
                              .motion = motion_coordinate,
                              .data = &dims[dim]};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    d.port->dim = dim;
    d.port->unit = dry_net__unit(dry_net__is_rotary(self), "m");
    fill(self, arena, values, count, dim, &d);
    return d.part;
}

#define MOVING(least)                                                                              \
    NUMBERS(least, "p", "m", "position at t = 0"),                                                 \
        NUMBERS(least, "v", "m/s", "velocity at t = 0"),                                           \
        NUMBERS(least, "a", "m/s^2", "acceleration"),                                              \
        NUMBERS(least, "amplitude", "m", "of the oscillation"),                                    \
        NUMBER("w", "rad/s", DRY_ANY, 0.0, "angular frequency of the oscillation"),                \
        NUMBER("phase", "rad", DRY_ANY, 0.0, "phase of the oscillation at t = 0")
static const dry_kind_param keys[] = {MOVING(1), DIM};

const dry_kind dry_net__motion = {
    .name = "motion",
    .title = "Prescribed motion",
    .meaning = "moves as prescribed: p + v t + a t^2/2 + amplitude sin(w t + phase)",
    .params = keys,
    .n_params = ROWS(keys),
    .make = make};

static const dry_kind_param frame_keys[] = {
    MOVING(3),
    NUMBERS(3, "omega", "rad/s", "angular velocity, in the axes of the world"),
    {"q", "", 4, 4, false, DRY_ANY, 0.0,
     "orientation at t = 0, a quaternion w, x, y, z of length 1"},
};

const dry_kind dry_net__moving_frame = {.name = "moving_frame",
                                        .title = "Prescribed frame",
                                        .meaning =
                                            "moves as prescribed: p + v t + a t^2/2 + amplitude "
                                            "sin(w t + phase), turned by omega t; it "
                                            "has no shape that could touch",
                                        .params = frame_keys,
                                        .n_params = ROWS(frame_keys),
                                        .make = make_frame};
#undef MOVING

/* ---- by a function of your own ----------------------------------------- */

typedef struct own {
    void (*motion)(const void *user, double t, double *motion);
    const void *user;
} own;

static void motion_own(const dry_part_env *env, const double *x, double *motion) {
    (void)x;
    const own *o = env->data;
    o->motion(o->user, env->t, motion);
}

const dry_part *dry_motion_part(dry_arena *arena, dry_port port,
                                void (*motion)(const void *user, double t, double *motion),
                                const void *user) {
    const dry_part pattern = {
        .kind = "motion", .side = DRY_ADMITTANCE, .promise = DRY_FEEDS, .motion = motion_own};
    dry_net__draft d;
    own *o = dry_arena_take(arena, sizeof *o);
    if (!o || !dry_net__draft_new(arena, &pattern, &d, NULL)) return NULL;
    *o = (own){motion, user};
    d.part->data = o;
    *d.port = port;
    return d.part;
}
