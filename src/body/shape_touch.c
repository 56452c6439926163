/* shape_touch: where two shapes touch, for all that are round or points to each other.
 *
 * psi: gap, m; n: unit normal from the first shape to the second; x: where the force acts. The
 * normal axis of a plane, and the axis of a capsule, is the z axis of the shape. */
#include "contact_private.h"

/* ---- the pieces ------------------------------------------------------------------------ */

/* The ball of radius r at c above a plane. */
static bool plane_ball(const dry_body__placed *plane, const double c[3], double r,
                       dry_body__point *p) {
    const double d[3] = {c[0] - plane->c[0], c[1] - plane->c[1], c[2] - plane->c[2]};
    dry_body__axis(plane, p->n);
    p->psi = dry_dot3(p->n, d) - r;
    dry_body__along(c, -r, p->n, p->x);
    return true;
}

/* Two balls; the point is the middle of the gap. Where the centres are one, n is z. */
static bool ball_ball(const double c[3], double r, const double d[3], double s,
                      dry_body__point *p) {
    const double apart[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]};
    const double length = sqrt(dry_dot3(apart, apart)), inverse = length > 0.0 ? 1.0 / length : 0.0;
    for (int i = 0; i < 3; i++) p->n[i] = apart[i] * inverse;
    if (!(length > 0.0)) p->n[2] = 1.0;
    p->psi = length - (r + s);
    dry_body__along(c, r + 0.5 * p->psi, p->n, p->x);
    return true;
}

/* The outward normal n and the signed distance of a point from a box. */
static double box_depth(const dry_body__placed *box, const double c[3], double n[3]) {
    const double d[3] = {c[0] - box->c[0], c[1] - box->c[1], c[2] - box->c[2]};
    const double *h = box->shape->size;
    double local[3], out[3], side[3] = {0.0, 0.0, 0.0};
    dry_body__turn_back(box->R, d, local);
    for (int i = 0; i < 3; i++) out[i] = fabs(local[i]) - h[i];
    if (out[0] <= 0.0 && out[1] <= 0.0 && out[2] <= 0.0) { /* inside: the nearest face */
        const int near = out[0] >= out[1] ? (out[0] >= out[2] ? 0 : 2) : (out[1] >= out[2] ? 1 : 2);
        side[near] = local[near] < 0.0 ? -1.0 : 1.0;
        dry_body__turn(box->R, side, n);
        return out[near];
    }
    for (int i = 0; i < 3; i++) side[i] = copysign(dry_pos(out[i]), local[i]);
    const double length = dry_norm(3, side);
    for (int i = 0; i < 3; i++) side[i] /= length;
    dry_body__turn(box->R, side, n);
    return length;
}

/* The ball of radius r at c against a box; n from the box to the ball. */
static bool box_ball(const dry_body__placed *box, const double c[3], double r, dry_body__point *p) {
    p->psi = box_depth(box, c, p->n) - r;
    dry_body__along(c, -(r + 0.5 * p->psi), p->n, p->x);
    return true;
}

/* Point number k of a cloud in the world. */
static void cloud_point(const dry_body__placed *cloud, int k, double x[3]) {
    double arm[3];
    dry_body__turn(cloud->R, cloud->shape->points + 3 * k, arm);
    for (int i = 0; i < 3; i++) x[i] = cloud->c[i] + arm[i];
}

/* The end of a capsule's axis: k = 0 the lower, 1 the upper. */
static void capsule_end(const dry_body__placed *capsule, int k, double x[3]) {
    double z[3];
    dry_body__axis(capsule, z);
    dry_body__along(capsule->c, k ? capsule->shape->size[1] : -capsule->shape->size[1], z, x);
}

/* The place on a capsule's axis that is nearest to c. */
static void capsule_near(const dry_body__placed *capsule, const double c[3], double x[3]) {
    const double d[3] = {c[0] - capsule->c[0], c[1] - capsule->c[1], c[2] - capsule->c[2]};
    double z[3];
    dry_body__axis(capsule, z);
    dry_body__along(capsule->c, dry_sat1(capsule->shape->size[1], dry_dot3(d, z)), z, x);
}

/* ---- plane ------------------------------------------------------------------------------- */

static bool plane_sphere(const dry_body__placed *a, const dry_body__placed *b, int k,
                         dry_body__point *p) {
    (void)k;
    return plane_ball(a, b->c, b->shape->size[0], p);
}
static bool plane_box(const dry_body__placed *a, const dry_body__placed *b, int k,
                      dry_body__point *p) {
    const double *h = b->shape->size;
    const double corner[3] = {k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]};
    double arm[3], x[3];
    dry_body__turn(b->R, corner, arm);
    for (int i = 0; i < 3; i++) x[i] = b->c[i] + arm[i];
    return plane_ball(a, x, 0.0, p);
}
static bool plane_capsule(const dry_body__placed *a, const dry_body__placed *b, int k,
                          dry_body__point *p) {
    double x[3];
    capsule_end(b, k, x);
    return plane_ball(a, x, b->shape->size[0], p);
}
static bool plane_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                        dry_body__point *p) {
    double x[3];
    cloud_point(b, k, x);
    return plane_ball(a, x, 0.0, p);
}

/* ---- sphere -------------------------------------------------------------------------------- */

static bool sphere_sphere(const dry_body__placed *a, const dry_body__placed *b, int k,
                          dry_body__point *p) {
    (void)k;
    return ball_ball(a->c, a->shape->size[0], b->c, b->shape->size[0], p);
}
static bool sphere_box(const dry_body__placed *a, const dry_body__placed *b, int k,
                       dry_body__point *p) {
    (void)k;
    box_ball(b, a->c, a->shape->size[0], p);
    for (int i = 0; i < 3; i++) p->n[i] = -p->n[i];
    return true;
}
static bool sphere_capsule(const dry_body__placed *a, const dry_body__placed *b, int k,
                           dry_body__point *p) {
    double x[3];
    (void)k;
    capsule_near(b, a->c, x);
    return ball_ball(a->c, a->shape->size[0], x, b->shape->size[0], p);
}
static bool sphere_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                         dry_body__point *p) {
    double x[3];
    cloud_point(b, k, x);
    return ball_ball(a->c, a->shape->size[0], x, 0.0, p);
}

/* ---- box and capsule --------------------------------------------------------------------------
 */

/* Both ends and, if it is deeper than they are, a place between them: over an edge. */
static bool box_capsule(const dry_body__placed *a, const dry_body__placed *b, int k,
                        dry_body__point *p) {
    const double r = b->shape->size[0], h = b->shape->size[1], margin = 1e-6 * r;
    double z[3], x[3], ends[2], n[3];
    if (k < 2) {
        capsule_end(b, k, x);
        return box_ball(a, x, r, p);
    }
    for (int i = 0; i < 2; i++) {
        capsule_end(b, i, x);
        ends[i] = box_depth(a, x, n);
    }
    dry_body__axis(b, z);
    const dry_body__line line = {a, box_depth, b->c, z};
    if (!(dry_body__nearest(&line, h, x) < dry_min(ends[0], ends[1]) - margin)) return false;
    return box_ball(a, x, r, p);
}
static bool box_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                      dry_body__point *p) {
    double x[3];
    cloud_point(b, k, x);
    return box_ball(a, x, 0.0, p);
}

/* The nearest places of two axes: along each in turn the best place is clipped to its length. */
static bool capsule_capsule(const dry_body__placed *a, const dry_body__placed *b, int k,
                            dry_body__point *p) {
    const double d[3] = {b->c[0] - a->c[0], b->c[1] - a->c[1], b->c[2] - a->c[2]};
    double u[3], w[3], x[3], y[3];
    (void)k;
    dry_body__axis(a, u);
    dry_body__axis(b, w);
    const double c = dry_dot3(u, w), sine = 1.0 - c * c; /* of the angle, squared */
    const double s = sine > 1e-9 ? (dry_dot3(u, d) - c * dry_dot3(w, d)) / sine : 0.0;
    dry_body__along(a->c, dry_sat1(a->shape->size[1], s), u, x);
    capsule_near(b, x, y);
    capsule_near(a, y, x);
    return ball_ball(x, a->shape->size[0], y, b->shape->size[0], p);
}
static bool capsule_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                          dry_body__point *p) {
    double x[3], y[3];
    cloud_point(b, k, x);
    capsule_near(a, x, y);
    return ball_ball(y, a->shape->size[0], x, 0.0, p);
}

static dry_body__touch_fn *const touch[6][6] = {
    [DRY_PLANE] = {[DRY_SPHERE] = plane_sphere,
                   [DRY_BOX] = plane_box,
                   [DRY_CAPSULE] = plane_capsule,
                   [DRY_CYLINDER] = dry_body__plane_cylinder,
                   [DRY_CLOUD] = plane_cloud},
    [DRY_SPHERE] = {[DRY_SPHERE] = sphere_sphere,
                    [DRY_BOX] = sphere_box,
                    [DRY_CAPSULE] = sphere_capsule,
                    [DRY_CYLINDER] = dry_body__sphere_cylinder,
                    [DRY_CLOUD] = sphere_cloud},
    [DRY_BOX] = {[DRY_CAPSULE] = box_capsule,
                 [DRY_CYLINDER] = dry_body__box_cylinder,
                 [DRY_CLOUD] = box_cloud},
    [DRY_CAPSULE] = {[DRY_CAPSULE] = capsule_capsule,
                     [DRY_CYLINDER] = dry_body__capsule_cylinder,
                     [DRY_CLOUD] = capsule_cloud},
    [DRY_CYLINDER] = {[DRY_CYLINDER] = dry_body__cylinders, [DRY_CLOUD] = dry_body__cylinder_cloud},
};

dry_body__touch_fn *dry_body__touch(dry_shape_kind a, dry_shape_kind b) { return touch[a][b]; }
