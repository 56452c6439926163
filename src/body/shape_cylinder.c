/* shape_cylinder: where a cylinder touches others. It has a round side, so it rolls, and two flat
 * ends with sharp rims.
 *
 * On a plane it touches with the lowest point of each rim: lying with both, tipped with one of
 * them. It stands on four points of a rim. While the four are all pressed in, force and moment
 * of the normal forces do not depend on where along the rim they are, as long as they are a quarter
 * of a turn apart. So the four that stand still on the body carry it, and nothing creeps; as it
 * tips, four that follow the lowest point take over, share by share, before the first is lifted:
 *
 *     share = ramp from 0 at s r = d/4 to 1 at s r = d/2
 *
 * s: sine of the angle between axis and normal; r: radius, m; d: depth of the lowest point, m.
 * psi: gap, m; n: unit normal from the first shape to the second. size: radius, half length. */
#include "contact_private.h"

static const double TURN = 6.28318530717958647692;

/* ---- a point and a cylinder ---------------------------------------------------------------- */

/* The outward normal n and the signed distance of a point from a cylinder; convex along lines. */
double dry_body__cylinder_depth(const dry_body__placed *s, const double c[3], double n[3]) {
    const double d[3] = {c[0] - s->c[0], c[1] - s->c[1], c[2] - s->c[2]};
    double z[3], out[3];
    dry_body__axis(s, z);
    const double t = dry_dot3(d, z), sign = t < 0.0 ? -1.0 : 1.0;
    dry_body__along(d, -t, z, out);
    const double far = dry_norm(3, out);
    if (far > 0.0)
        for (int i = 0; i < 3; i++) out[i] /= far;
    else
        out[0] = s->R[0], out[1] = s->R[3], out[2] = s->R[6];
    const double side = far - s->shape->size[0], end = fabs(t) - s->shape->size[1];
    const double p = dry_pos(side), q = dry_pos(end), length = dry_hypot(p, q);
    const bool inside = !(length > 0.0), through_side = side > end;
    const double cos_side = inside ? (double)through_side : p / length;
    const double cos_end = inside ? (double)!through_side : q / length;
    for (int i = 0; i < 3; i++) n[i] = cos_side * out[i] + cos_end * sign * z[i];
    return inside ? dry_max(side, end) : length;
}

/* The ball of radius r at c against a cylinder; n from the cylinder to the ball. */
static bool cylinder_ball(const dry_body__placed *s, const double c[3], double r,
                          dry_body__point *p) {
    p->psi = dry_body__cylinder_depth(s, c, p->n) - r;
    dry_body__along(c, -(r + 0.5 * p->psi), p->n, p->x);
    return true;
}
bool dry_body__reversed(dry_body__point *p) {
    for (int i = 0; i < 3; i++) p->n[i] = -p->n[i];
    return true;
}

bool dry_body__sphere_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                               dry_body__point *p) {
    (void)k;
    return cylinder_ball(b, a->c, a->shape->size[0], p) && dry_body__reversed(p);
}
bool dry_body__cylinder_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                              dry_body__point *p) {
    double arm[3], x[3];
    dry_body__turn(b->R, b->shape->points + 3 * k, arm);
    dry_body__along(b->c, 1.0, arm, x);
    return cylinder_ball(a, x, 0.0, p);
}

/* Both ends and, if it is deeper than they are, a place between them. */
bool dry_body__capsule_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                                dry_body__point *p) {
    const double r = a->shape->size[0], h = a->shape->size[1];
    double z[3], x[3], n[3], ends = (double)INFINITY;
    dry_body__axis(a, z);
    for (int i = 0; i < 2; i++) {
        dry_body__along(a->c, i ? h : -h, z, x);
        if (k == i) return cylinder_ball(b, x, r, p) && dry_body__reversed(p);
        ends = dry_min(ends, dry_body__cylinder_depth(b, x, n));
    }
    const dry_body__line line = {b, dry_body__cylinder_depth, a->c, z};
    if (!(dry_body__nearest(&line, h, x) < ends - 1e-6 * r)) return false;
    return cylinder_ball(b, x, r, p) && dry_body__reversed(p);
}

/* ---- a plane and a cylinder ------------------------------------------------------------------ */

static void rim_point(const dry_body__lying *l, double end, double angle, double x[3]) {
    const double r = l->s->shape->size[0], h = l->s->shape->size[1];
    const double u = r * dry_cos(angle), w = r * dry_sin(angle);
    for (int i = 0; i < 3; i++)
        x[i] = l->s->c[i] + end * h * l->z[i] + u * l->down[i] + w * l->across[i];
}
double dry_body__height(const dry_body__lying *l, const double x[3]) {
    const double d[3] = {x[0] - l->o[0], x[1] - l->o[1], x[2] - l->o[2]};
    return dry_dot3(l->n, d);
}

/* What is left of a vector next to z is rounding for a part: it is made square to z once more. */
static void square_up(const double z[3], double x[3]) {
    dry_body__along(x, -dry_dot3(x, z), z, x);
    const double length = dry_norm(3, x);
    for (int i = 0; i < 3; i++) x[i] /= length;
}

dry_body__lying dry_body__lie(const dry_body__placed *s, const double o[3], const double n[3]) {
    dry_body__lying l = {.s = s};
    double x[3];
    memcpy(l.n, n, sizeof l.n);
    memcpy(l.o, o, sizeof l.o);
    dry_body__axis(s, l.z);
    const double c = dry_dot3(n, l.z);
    dry_body__along(n, -c, l.z, l.down);
    const double sine = dry_norm(3, l.down);
    for (int i = 0; i < 3; i++) l.down[i] = sine > 1e-15 ? -l.down[i] / sine : s->R[3 * i];
    square_up(l.z, l.down);
    dry_cross3(l.z, l.down, l.across);
    l.end = c > 0.0 ? -1.0 : 1.0;
    rim_point(&l, l.end, 0.0, x);
    const double depth = -dry_body__height(&l, x), tip = sine * s->shape->size[0];
    l.share = tip >= 0.5 * depth ? 1.0 : tip <= 0.25 * depth ? 0.0 : 4.0 * tip / depth - 1.0;
    return l;
}

/* 0, 1: the lowest point of each rim; 2 to 4: a quarter, half and three quarters of a turn from
 * that of the lower one; 5 to 8: four of the lower rim that stand still on the body. */
void dry_body__lie_at(const dry_body__lying *l, int k, double x[3], double *weight) {
    const double end = k == 0 ? -1.0 : k == 1 ? 1.0 : l->end;
    *weight = end != l->end ? 1.0 : k < 5 ? l->share : 1.0 - l->share;
    if (k < 5) {
        rim_point(l, end, k < 2 ? 0.0 : 0.25 * (k - 1) * TURN, x);
        return;
    }
    dry_body__lying body = *l;
    for (int i = 0; i < 3; i++) body.down[i] = l->s->R[3 * i], body.across[i] = l->s->R[3 * i + 1];
    rim_point(&body, end, 0.25 * (k - 5) * TURN, x);
}

bool dry_body__plane_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                              dry_body__point *p) {
    dry_body__axis(a, p->n);
    const dry_body__lying l = dry_body__lie(b, a->c, p->n);
    dry_body__lie_at(&l, k, p->x, &p->weight);
    p->psi = dry_body__height(&l, p->x);
    return true; /* of no weight: its strains follow */
}
