/* shape: the bounding sphere of a shape, and the number of points in which two shapes can touch.
 *
 * Lengths: m. */
#include "contact_private.h"

static double cloud_radius(const dry_shape *shape) {
    double radius = 0.0;
    for (int i = 0; i < shape->n_points; i++)
        radius = dry_max(radius, dry_norm(3, shape->points + 3 * i));
    return radius;
}

/* The points of a cloud are given in the frame of the port, and so is their bounding sphere. */
void dry_body__bound(const dry_shape *shape, double centre[3], double *radius) {
    const bool cloud = shape->kind == DRY_CLOUD;
    for (int i = 0; i < 3; i++) centre[i] = cloud ? 0.0 : shape->p[i];
    switch (shape->kind) {
    case DRY_PLANE: *radius = (double)INFINITY; break;
    case DRY_SPHERE: *radius = shape->size[0]; break;
    case DRY_BOX: *radius = dry_norm(3, shape->size); break;
    case DRY_CAPSULE: *radius = shape->size[0] + shape->size[1]; break;
    case DRY_CYLINDER: *radius = dry_hypot(shape->size[0], shape->size[1]); break;
    case DRY_CLOUD: *radius = cloud_radius(shape); break;
    }
}

/* The slots of two kinds in the order of their enumeration; a cloud takes one for each point. */
enum { EACH_POINT = -1 };
static const int slots[6][6] = {
    [DRY_PLANE] = {[DRY_SPHERE] = 1,
                   [DRY_BOX] = 8,
                   [DRY_CAPSULE] = 2,
                   [DRY_CYLINDER] = DRY_BODY__LYING,
                   [DRY_CLOUD] = EACH_POINT},
    [DRY_SPHERE] = {[DRY_SPHERE] = 1,
                    [DRY_BOX] = 1,
                    [DRY_CAPSULE] = 1,
                    [DRY_CYLINDER] = 1,
                    [DRY_CLOUD] = EACH_POINT},
    [DRY_BOX] = {[DRY_BOX] = DRY_BODY__BOX_SLOTS,
                 [DRY_CAPSULE] = 3,
                 [DRY_CYLINDER] = DRY_BODY__BOX_CYLINDER,
                 [DRY_CLOUD] = EACH_POINT},
    [DRY_CAPSULE] = {[DRY_CAPSULE] = 1, [DRY_CYLINDER] = 3, [DRY_CLOUD] = EACH_POINT},
    [DRY_CYLINDER] = {[DRY_CYLINDER] = DRY_BODY__CYLINDERS, [DRY_CLOUD] = EACH_POINT},
};

static int slots_in_order(const dry_shape *a, const dry_shape *b) {
    const int n = slots[a->kind][b->kind];
    return n == EACH_POINT ? b->n_points : n;
}

int dry_body__slots(const dry_body__solid_shape *a, const dry_body__solid_shape *b) {
    const intptr_t group = a->shape->group;
    if (a->frame == b->frame || (group != 0 && group == b->shape->group)) return 0;
    return a->kind <= b->kind ? slots_in_order(a->shape, b->shape)
                              : slots_in_order(b->shape, a->shape);
}

/* ---- how far something is from a large shape ------------------------------------------- */

static double box_distance(const dry_body__placed *box, const double x[3]) {
    const double d[3] = {x[0] - box->c[0], x[1] - box->c[1], x[2] - box->c[2]};
    double local[3], out[3];
    dry_body__turn_back(box->R, d, local);
    for (int i = 0; i < 3; i++) out[i] = dry_pos(fabs(local[i]) - box->shape->size[i]);
    return dry_norm(3, out);
}

double dry_body__distance(const dry_body__placed *large, const double x[3]) {
    const double d[3] = {x[0] - large->c[0], x[1] - large->c[1], x[2] - large->c[2]};
    const double *R = large->R;
    double centre[3], radius;
    if (large->shape->kind == DRY_PLANE) return d[0] * R[2] + d[1] * R[5] + d[2] * R[8];
    if (large->shape->kind == DRY_BOX) return box_distance(large, x);
    dry_body__bound(large->shape, centre, &radius);
    return dry_norm(3, d) - radius;
}
