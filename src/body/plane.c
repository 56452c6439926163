/* plane: a plane that stands still, an admittance part without states; all below z = 0 of its frame
 * is solid.
 *
 * p: a point of it, m; q: unit quaternion, from its axes (z is its normal) to those of the world.
 */
#include "rigid.h"

typedef struct made {
    dry_part part;
    dry_port port;
    dry_shape shape;
    double frame[DRY_BODY__FRAME];
} made;

static void motion(const dry_part_env *env, const double *x, double *out) {
    (void)x;
    memcpy(out, env->data, DRY_BODY__FRAME * sizeof *out);
}

/* no force moves it */
static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    (void)env, (void)in, (void)x, (void)out, (void)x_dot;
}

/* Removes the normal component of the surface's velocity, which is the rounding error of a text;
 * reports a larger one. */
static bool lay_flat(double *frame, dry_error *error) {
    const double few_digits = 1e-3;
    double R[9], *v = frame + DRY_BODY__V;
    dry_body__matrix(frame + DRY_BODY__Q, R);
    const double n[3] = {R[2], R[5], R[8]}, along = dry_dot3(v, n);
    if (fabs(along) > few_digits * dry_norm(3, v)) {
        dry_error_set_key(error, DRY_BAD_MODEL, "v",
                          "give a v within it, as of a conveyor; a wall that comes nearer is a box "
                          "that a weld holds to a moving_frame",
                          "v has %.6g m/s along the normal [%.3g, %.3g, %.3g], and the plane stays "
                          "where it is",
                          along, n[0], n[1], n[2]);
        return false;
    }
    for (int i = 0; i < 3 && along != 0.0; i++) v[i] -= along * n[i];
    return true;
}

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    made *new = dry_arena_take(arena, sizeof *new);
    if (new == NULL) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for a %s", self->name);
        return NULL;
    }
    if (!dry_body__pose(self, values, count, new->frame + DRY_BODY__P, new->frame + DRY_BODY__Q,
                        error))
        return NULL;
    dry_value_numbers(self, values, count, "v", 3, new->frame + DRY_BODY__V);
    if (!lay_flat(new->frame, error)) return NULL;
    new->shape = (dry_shape){.kind = DRY_PLANE};
    new->port =
        (dry_port){.name = "", .unit = "", .kind = DRY_FRAME, .shapes = &new->shape, .n_shapes = 1};
    new->part = (dry_part){
        .kind = self->name,
        .side = DRY_ADMITTANCE,
        .promise = dry_norm(3, new->frame + DRY_BODY__V) > 0.0 ? DRY_FEEDS : DRY_PROMISES_NOTHING,
        .n_ports = 1,
        .ports = &new->port,
        .data = new->frame,
        .motion = motion,
        .eval = eval};
    return &new->part;
}

static const dry_kind_param params[] = {
    DRY_BODY__POSE_ROWS,
    {"v", "m/s", 3, 3, false, DRY_ANY, 0.0,
     "velocity of its surface, of a conveyor, in the axes of the world and within the plane, "
     "which stays where it is"}};

const dry_kind dry_body__plane = {
    .name = "plane",
    .title = "fixed plane",
    .meaning = "The half space below z = 0 of its frame, which stays where it is. Port: its frame.",
    .params = params,
    .n_params = (int)(sizeof params / sizeof params[0]),
    .make = make,
};
