/* shape_cylinder: where a cylinder touches others. It has a round side, so it rolls, and two flat
 * ends with sharp rims.
 *
 * On a plane it touches with the lowest point of each rim: lying on both, tipped on one of them. It
 * stands on four points of a rim. While the four are all pressed in, force and moment of the
 * normal forces do not depend on where along the rim they are, as long as they are a quarter of a
 * turn apart. So the four that stand still on the body carry it, and nothing creeps; as it tips,
 * four that follow the lowest point take over, share by share, before the first is lifted:
 *
 *     share = ramp from 0 at s r = d/4 to 1 at s r = d/2
 *
 * s: sine of the angle between axis and normal; r: radius, m; d: depth of the lowest point, m.
 * psi: gap, m; n: unit normal from the first shape to the second. size: radius, half length. */
#include "contact_private.h"

static const double TURN = 6.28318530717958647692;

static void axis(const dry_body__placed *s, double z[3]) {
    z[0] = s->R[2], z[1] = s->R[5], z[2] = s->R[8];
}
static void along(const double from[3], double length, const double n[3], double x[3]) {
    for (int i = 0; i < 3; i++) x[i] = from[i] + length * n[i];
}

/* ---- a point and a cylinder ---------------------------------------------------------------- */

/* The outward normal n and the signed distance of a point from a cylinder; convex along lines. */
double dry_body__cylinder_depth(const dry_body__placed *s, const double c[3], double n[3]) {
    const double d[3] = {c[0] - s->c[0], c[1] - s->c[1], c[2] - s->c[2]};
    double z[3], out[3];
    axis(s, z);
    const double t = dry_dot3(d, z), sign = t < 0.0 ? -1.0 : 1.0;
    along(d, -t, z, out);
    const double far = dry_norm(3, out);
    if (far > 0.0)
        for (int i = 0; i < 3; i++) out[i] /= far;
    else
        out[0] = s->R[0], out[1] = s->R[3], out[2] = s->R[6];
    const double side = far - s->shape->size[0], end = fabs(t) - s->shape->size[1];
    const double p = dry_pos(side), q = dry_pos(end), length = hypot(p, q);
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
    along(c, -(r + 0.5 * p->psi), p->n, p->x);
    return true;
}
static bool reversed(dry_body__point *p) {
    for (int i = 0; i < 3; i++) p->n[i] = -p->n[i];
    return true;
}

bool dry_body__sphere_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                               dry_body__point *p) {
    (void)k;
    return cylinder_ball(b, a->c, a->shape->size[0], p) && reversed(p);
}
bool dry_body__cylinder_cloud(const dry_body__placed *a, const dry_body__placed *b, int k,
                              dry_body__point *p) {
    double arm[3], x[3];
    dry_body__turn(b->R, b->shape->points + 3 * k, arm);
    along(b->c, 1.0, arm, x);
    return cylinder_ball(a, x, 0.0, p);
}

/* The place on a line from -h to h that is deepest in the cylinder, by ternary search. */
static double deepest(const dry_body__placed *s, const double c[3], const double u[3], double h,
                      double x[3]) {
    double low = -h, high = h, n[3], y[3];
    for (int i = 0; i < 40; i++) {
        const double third = (high - low) / 3.0;
        along(c, low + third, u, x);
        along(c, high - third, u, y);
        if (dry_body__cylinder_depth(s, x, n) <= dry_body__cylinder_depth(s, y, n))
            high -= third;
        else
            low += third;
    }
    along(c, 0.5 * (low + high), u, x);
    return dry_body__cylinder_depth(s, x, n);
}

/* Both ends and, where it is deeper than they are, a place between them. */
bool dry_body__capsule_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                                dry_body__point *p) {
    const double r = a->shape->size[0], h = a->shape->size[1];
    double z[3], x[3], n[3], ends = (double)INFINITY;
    axis(a, z);
    for (int i = 0; i < 2; i++) {
        along(a->c, i ? h : -h, z, x);
        if (k == i) return cylinder_ball(b, x, r, p) && reversed(p);
        ends = dry_min(ends, dry_body__cylinder_depth(b, x, n));
    }
    if (!(deepest(b, a->c, z, h, x) < ends - 1e-6 * r)) return false;
    return cylinder_ball(b, x, r, p) && reversed(p);
}

/* ---- a plane and a cylinder ------------------------------------------------------------------ */

/* A cylinder over a plane through o with the normal n: `down` leads from its axis to the lowest
 * point of a rim, `across` to the side; `end` is the lower one. */
typedef struct lying {
    const dry_body__placed *s;
    double n[3], o[3], z[3], down[3], across[3];
    double end, share;
} lying;

static void rim_point(const lying *l, double end, double angle, double x[3]) {
    const double r = l->s->shape->size[0], h = l->s->shape->size[1];
    const double u = r * cos(angle), w = r * sin(angle);
    for (int i = 0; i < 3; i++)
        x[i] = l->s->c[i] + end * h * l->z[i] + u * l->down[i] + w * l->across[i];
}
static double height(const lying *l, const double x[3]) {
    const double d[3] = {x[0] - l->o[0], x[1] - l->o[1], x[2] - l->o[2]};
    return dry_dot3(l->n, d);
}

static lying lie(const dry_body__placed *s, const double o[3], const double n[3]) {
    lying l = {.s = s};
    double x[3];
    memcpy(l.n, n, sizeof l.n);
    memcpy(l.o, o, sizeof l.o);
    axis(s, l.z);
    const double c = dry_dot3(n, l.z);
    along(n, -c, l.z, l.down);
    const double sine = dry_norm(3, l.down);
    for (int i = 0; i < 3; i++) l.down[i] = sine > 1e-15 ? -l.down[i] / sine : s->R[3 * i];
    dry_cross3(l.z, l.down, l.across);
    l.end = c > 0.0 ? -1.0 : 1.0;
    rim_point(&l, l.end, 0.0, x);
    const double depth = -height(&l, x), tip = sine * s->shape->size[0];
    l.share = tip >= 0.5 * depth ? 1.0 : tip <= 0.25 * depth ? 0.0 : 4.0 * tip / depth - 1.0;
    return l;
}

/* 0, 1: the lowest point of each rim; 2 to 4: a quarter, half and three quarters of a turn from
 * that of the lower one; 5 to 8: four of the lower rim that stand still on the body. */
static void lie_at(const lying *l, int k, double x[3], double *weight) {
    const double end = k == 0 ? -1.0 : k == 1 ? 1.0 : l->end;
    *weight = end != l->end ? 1.0 : k < 5 ? l->share : 1.0 - l->share;
    if (k < 5) {
        rim_point(l, end, k < 2 ? 0.0 : 0.25 * (k - 1) * TURN, x);
        return;
    }
    lying body = *l;
    for (int i = 0; i < 3; i++) body.down[i] = l->s->R[3 * i], body.across[i] = l->s->R[3 * i + 1];
    rim_point(&body, end, 0.25 * (k - 5) * TURN, x);
}

bool dry_body__plane_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                              dry_body__point *p) {
    axis(a, p->n);
    const lying l = lie(b, a->c, p->n);
    lie_at(&l, k, p->x, &p->weight);
    p->psi = height(&l, p->x);
    return true; /* of no weight: its strains follow */
}

/* ---- a box and a cylinder -------------------------------------------------------------------- */

/* The face of the box along whose normal the two overlap least; its middle. */
static int nearest_face(const dry_body__placed *box, const dry_body__placed *s, double n[3],
                        double o[3]) {
    const double *h = box->shape->size, r = s->shape->size[0], l = s->shape->size[1];
    double most = -(double)INFINITY, z[3];
    int best = 0;
    axis(s, z);
    for (int k = 0; k < 3; k++) {
        const double u[3] = {box->R[k], box->R[3 + k], box->R[6 + k]};
        const double d[3] = {s->c[0] - box->c[0], s->c[1] - box->c[1], s->c[2] - box->c[2]};
        const double c = dry_dot3(u, z), at = dry_dot3(u, d), sign = at < 0.0 ? -1.0 : 1.0;
        const double gap = fabs(at) - h[k] - l * fabs(c) - r * sqrt(dry_pos(1.0 - c * c));
        if (!(gap > most)) continue;
        most = gap, best = k;
        for (int i = 0; i < 3; i++) n[i] = sign * u[i];
    }
    along(box->c, h[best], n, o);
    return best;
}

static bool is_over_face(const dry_body__placed *box, int face, const double x[3]) {
    const double d[3] = {x[0] - box->c[0], x[1] - box->c[1], x[2] - box->c[2]};
    double local[3];
    dry_body__turn_back(box->R, d, local);
    for (int i = 0; i < 3; i++)
        if (i != face && fabs(local[i]) > box->shape->size[i]) return false;
    return true;
}

/* Edge number k of the box: the place of it that is deepest in the cylinder. False if it does not
 * reach the sphere around the cylinder. */
static bool edge_point(const dry_body__placed *box, const dry_body__placed *s, int k,
                       dry_body__point *p) {
    const double *h = box->shape->size, *size = s->shape->size;
    const int m = k / 4, v = (m + 1) % 3, w = (m + 2) % 3;
    double local[3], c[3], x[3], d[3];
    local[m] = 0.0;
    local[v] = k & 1 ? h[v] : -h[v];
    local[w] = k & 2 ? h[w] : -h[w];
    const double u[3] = {box->R[m], box->R[3 + m], box->R[6 + m]};
    dry_body__turn(box->R, local, c);
    for (int i = 0; i < 3; i++) c[i] += box->c[i], d[i] = s->c[i] - c[i];
    along(c, dry_sat1(h[m], dry_dot3(d, u)), u, x);
    for (int i = 0; i < 3; i++) d[i] = s->c[i] - x[i];
    if (dry_norm(3, d) > size[0] + size[1]) return false;
    deepest(s, c, u, h[m], x);
    return cylinder_ball(s, x, 0.0, p) && reversed(p);
}

/* 0 to 8: as on a plane, where it lies over the face; then the twelve edges. */
bool dry_body__box_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                            dry_body__point *p) {
    double o[3];
    if (k >= DRY_BODY__LYING) return edge_point(a, b, k - DRY_BODY__LYING, p);
    const int face = nearest_face(a, b, p->n, o);
    const lying l = lie(b, o, p->n);
    lie_at(&l, k, p->x, &p->weight);
    if (!is_over_face(a, face, p->x)) return false;
    p->psi = height(&l, p->x);
    along(p->x, -0.5 * p->psi, p->n, p->x);
    return true;
}

/* ---- two cylinders --------------------------------------------------------------------------- */

/* The places on both axes that are nearest, if their sides face each other there. */
static bool sides(const dry_body__placed *a, const dry_body__placed *b, dry_body__point *p) {
    const double d[3] = {b->c[0] - a->c[0], b->c[1] - a->c[1], b->c[2] - a->c[2]};
    double u[3], w[3], x[3], y[3];
    axis(a, u);
    axis(b, w);
    const double c = dry_dot3(u, w), sine = 1.0 - c * c;
    if (sine < 1e-6) return false;
    const double s = (dry_dot3(u, d) - c * dry_dot3(w, d)) / sine;
    const double t = (c * dry_dot3(u, d) - dry_dot3(w, d)) / sine;
    if (fabs(s) > a->shape->size[1] || fabs(t) > b->shape->size[1]) return false;
    along(a->c, s, u, x);
    along(b->c, t, w, y);
    for (int i = 0; i < 3; i++) p->n[i] = y[i] - x[i];
    const double length = dry_norm(3, p->n);
    if (!(length > 0.0)) return false;
    for (int i = 0; i < 3; i++) p->n[i] /= length;
    p->psi = length - a->shape->size[0] - b->shape->size[0];
    along(x, a->shape->size[0] + 0.5 * p->psi, p->n, p->x);
    return true;
}

/* Eight points on each rim of one in the other; the point nearest to the axis of the other is one
 * of them. */
static void rim_toward(const dry_body__placed *s, const dry_body__placed *to, int k, double x[3]) {
    const double d[3] = {to->c[0] - s->c[0], to->c[1] - s->c[1], to->c[2] - s->c[2]};
    lying l = {.s = s};
    axis(s, l.z);
    along(d, -dry_dot3(d, l.z), l.z, l.down);
    const double length = dry_norm(3, l.down);
    for (int i = 0; i < 3; i++) l.down[i] = length > 0.0 ? l.down[i] / length : s->R[3 * i];
    dry_cross3(l.z, l.down, l.across);
    rim_point(&l, k / 8 ? 1.0 : -1.0, 0.125 * (k % 8) * TURN, x);
}

bool dry_body__cylinders(const dry_body__placed *a, const dry_body__placed *b, int k,
                         dry_body__point *p) {
    double x[3];
    if (k == 0) return sides(a, b, p);
    const bool of_a = k <= 16;
    rim_toward(of_a ? a : b, of_a ? b : a, (k - 1) % 16, x);
    cylinder_ball(of_a ? b : a, x, 0.0, p);
    return of_a ? reversed(p) : true;
}
