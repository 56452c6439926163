/* shape_cylinders: where two cylinders touch.
 *
 * Each may lie or stand on an end of the other (shape_face.c), or their round sides meet. These
 * three, end of a, end of b and side, have their shares by how little the two overlap along the
 * normal: the axes, and for sides the shortest way s from one axis, from end to end, to the other.
 *
 * Side on side the axis of a is looked at along its length t:
 *
 *     rho(t) = ra + rb - distance from the axis of b
 *     phi    = min(rho, ha - |place on a|, hb - |place on b|)
 *
 * Two points lie where phi has fallen to half of its most on either side, with half the weight
 * each, and press by min(rho + bend, max rho, 2 max phi), as edges do (shape_bite.c): on a line if
 * they are parallel, at a point if they cross. They lose their share as s leaves the right angle to
 * one of the axes, because an end begins there. Besides, the rims of each are in the other, as
 * edges are, a quarter of a rim at a time.
 *
 * r: radius, m; h: half length, m. */
#include "contact_private.h"

enum { END_A, END_B, SIDE, WAYS, SIDES_AT = 2 * DRY_BODY__LYING, RIMS_AT = SIDES_AT + 2 };
static const double STEEP = 0.1; /* cosine of the angle to an axis at which it has no share */

/* ---- directions ------------------------------------------------------------------------------ */

typedef struct meeting {
    const dry_body__placed *a, *b;
    double u[3], w[3]; /* their axes */
    double way[3];     /* s, from a to b, of length 1 */
    double sides;      /* the share of what touches side on side */
    double shares[WAYS];
} meeting;

/* The place on an axis that is nearest to x. */
static void near_on(const dry_body__placed *s, const double z[3], const double x[3], double y[3]) {
    const double d[3] = {x[0] - s->c[0], x[1] - s->c[1], x[2] - s->c[2]};
    dry_body__along(s->c, dry_sat1(s->shape->size[1], dry_dot3(d, z)), z, y);
}

/* The shortest vector from axis to axis; if the axes intersect, the direction across both. */
static void find_way(meeting *m) {
    const dry_body__placed *a = m->a, *b = m->b;
    const double d[3] = {b->c[0] - a->c[0], b->c[1] - a->c[1], b->c[2] - a->c[2]};
    const double c = dry_dot3(m->u, m->w), sine = 1.0 - c * c;
    const double t = sine > 1e-12 ? (dry_dot3(m->u, d) - c * dry_dot3(m->w, d)) / sine : 0.0;
    double x[3], y[3];
    dry_body__along(a->c, dry_sat1(a->shape->size[1], t), m->u, x);
    near_on(b, m->w, x, y);
    near_on(a, m->u, y, x);
    for (int i = 0; i < 3; i++) m->way[i] = y[i] - x[i];
    double length = dry_norm(3, m->way);
    if (!(length > 0.0)) dry_cross3(m->u, m->w, m->way);
    if (!(length > 0.0)) length = dry_norm(3, m->way);
    for (int i = 0; i < 3; i++) m->way[i] = length > 0.0 ? m->way[i] / length : a->R[3 * i];
}

static double half_width(const dry_body__placed *s, const double z[3], const double n[3]) {
    const double c = dry_dot3(z, n);
    return s->shape->size[1] * fabs(c) + s->shape->size[0] * sqrt(dry_pos(1.0 - c * c));
}

static double overlap(const meeting *m, const double n[3]) {
    const double *c = m->a->c, *e = m->b->c;
    const double d[3] = {e[0] - c[0], e[1] - c[1], e[2] - c[2]};
    return half_width(m->a, m->u, n) + half_width(m->b, m->w, n) - fabs(dry_dot3(d, n));
}

static meeting meet(const dry_body__placed *a, const dry_body__placed *b) {
    meeting m = {.a = a, .b = b};
    dry_body__axis(a, m.u);
    dry_body__axis(b, m.w);
    find_way(&m);
    const double overlaps[WAYS] = {overlap(&m, m.u), overlap(&m, m.w), overlap(&m, m.way)};
    dry_body__share_by_overlap(WAYS, overlaps, m.shares);
    const double steep = dry_max(fabs(dry_dot3(m.way, m.u)), fabs(dry_dot3(m.way, m.w)));
    m.sides = dry_pos(1.0 - steep / STEEP);
    return m;
}

/* ---- on an end ------------------------------------------------------------------------------- */

static double inside_end(const dry_body__face *face, const double x[3]) {
    const double d[3] = {x[0] - face->o[0], x[1] - face->o[1], x[2] - face->o[2]};
    double out[3];
    dry_body__along(d, -dry_dot3(d, face->n), face->n, out);
    return face->of->shape->size[0] - dry_norm(3, out);
}

/* The end of s that faces the other cylinder. */
static bool on_end(const dry_body__placed *s, const dry_body__placed *other, const double z[3],
                   int k, dry_body__point *p) {
    const double d[3] = {other->c[0] - s->c[0], other->c[1] - s->c[1], other->c[2] - s->c[2]};
    const double sign = dry_dot3(d, z) < 0.0 ? -1.0 : 1.0;
    dry_body__face face = {.of = s, .inside = inside_end};
    for (int i = 0; i < 3; i++) face.n[i] = sign * z[i];
    dry_body__along(s->c, s->shape->size[1], face.n, face.o);
    return dry_body__lie_over(other, &face, k, p);
}

/* ---- side on side ---------------------------------------------------------------------------- */

/* rho, the place on b, and the normal from a to b. */
static double rho_at(const meeting *m, double t, double *on_b, double n[3]) {
    double x[3], d[3];
    dry_body__along(m->a->c, t, m->u, x);
    for (int i = 0; i < 3; i++) d[i] = x[i] - m->b->c[i];
    *on_b = dry_dot3(d, m->w);
    for (int i = 0; i < 3; i++) n[i] = *on_b * m->w[i] - d[i];
    const double length = dry_norm(3, n);
    for (int i = 0; i < 3; i++) n[i] = length > 0.0 ? n[i] / length : m->way[i];
    return m->a->shape->size[0] + m->b->shape->size[0] - length;
}

static double phi(const void *of, double t) {
    const meeting *m = of;
    double on_b, n[3];
    const double rho = rho_at(m, t, &on_b, n);
    const double on_a = t + m->a->shape->size[0] * dry_dot3(n, m->u); /* where it leaves the side */
    return dry_min(rho, dry_min(m->a->shape->size[1] - dry_max(fabs(t), fabs(on_a)),
                                m->b->shape->size[1] - fabs(on_b)));
}

static bool side_point(const meeting *m, int which, dry_body__point *p) {
    const double h = m->a->shape->size[1], peak = dry_body__peak(phi, m, h), most = phi(m, peak);
    double t[2], rho[2], on_b, n[3];
    if (!(most > 0.0)) return false;
    for (int i = 0; i < 2; i++) {
        t[i] = dry_body__reach(phi, m, peak, i ? h : -h, 0.5 * most);
        rho[i] = rho_at(m, t[i], &on_b, n);
    }
    const double middle = rho_at(m, 0.5 * (t[0] + t[1]), &on_b, n);
    const double bend = dry_pos(middle - 0.5 * (rho[0] + rho[1]));
    const double deepest = dry_max(middle, dry_max(rho[0], rho[1]));
    p->psi = -dry_min(rho_at(m, t[which], &on_b, p->n) + bend, dry_min(deepest, 2.0 * most));
    p->weight = 0.5;
    dry_body__along(m->a->c, t[which], m->u, p->x);
    dry_body__along(p->x, m->a->shape->size[0] + 0.5 * p->psi, p->n, p->x);
    return p->psi < 0.0;
}

/* ---- rims ------------------------------------------------------------------------------------ */

enum { ARCS = 4, OF_A = 2 * ARCS * 2 }; /* of a rim; points of both rims of one of them */
static const double QUARTER = 1.57079632679489661923;

/* Point number k of the rims of s in the other one: two points of each arc, four arcs of each rim,
 * which stand still on the body; n from s to the other. */
static bool rim_point(const dry_body__placed *s, const double z[3], const dry_body__placed *other,
                      int k, dry_body__point *p) {
    const double r = s->shape->size[0], angle = QUARTER * (0.5 + k / 2 % ARCS);
    dry_body__curve arc = {.in = other, .arc = true, .h = 0.5 * QUARTER};
    double x[3], n[3];
    dry_body__along(s->c, k / (2 * ARCS) ? s->shape->size[1] : -s->shape->size[1], z, arc.c);
    for (int i = 0; i < 3; i++) {
        const double u = r * s->R[3 * i], v = r * s->R[3 * i + 1];
        arc.u[i] = dry_cos(angle) * u + dry_sin(angle) * v;
        arc.v[i] = dry_cos(angle) * v - dry_sin(angle) * u;
        x[i] = arc.c[i] + arc.u[i];
    }
    const double reach =
        2.0 * r * dry_sin(0.25 * QUARTER); /* from the middle of the arc to its ends */
    if (dry_body__cylinder_depth(other, x, n) >= reach || !dry_body__bite(&arc, k % 2, p))
        return false;
    p->weight *= 0.5; /* so that a disc on a larger one stands on four points in all */
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool dry_body__cylinders(const dry_body__placed *a, const dry_body__placed *b, int k,
                         dry_body__point *p) {
    const meeting m = meet(a, b);
    if (k >= RIMS_AT + OF_A)
        return rim_point(b, m.w, a, k - RIMS_AT - OF_A, p) && dry_body__reversed(p);
    if (k >= RIMS_AT) return rim_point(a, m.u, b, k - RIMS_AT, p);
    const int way = k < DRY_BODY__LYING ? END_A : k < SIDES_AT ? END_B : SIDE;
    const double share = way == SIDE ? m.sides * m.shares[SIDE] : m.shares[way];
    if (!(share > 0.0)) return false;
    const bool found = way == END_A   ? on_end(a, b, m.u, k, p)
                       : way == END_B ? on_end(b, a, m.w, k - DRY_BODY__LYING, p)
                                      : side_point(&m, k - SIDES_AT, p);
    p->weight *= share;
    return found && (way != END_B || dry_body__reversed(p));
}
