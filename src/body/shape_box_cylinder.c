/* shape_box_cylinder: where a box and a cylinder touch.
 *
 * The cylinder lies or stands on the faces of the box (shape_face.c), each of which has its share
 * by how little the two overlap along its normal. Besides, the edges of the box are in the cylinder
 * (shape_bite.c). All of it moves continuously with the position. */
#include "contact_private.h"

enum { FACES = 3, EDGES_AT = FACES * DRY_BODY__LYING };

/* ---- faces ---------------------------------------------------------------------------------- */

static double inside_face(const dry_body__face *face, const double x[3]) {
    const double *c = face->of->c, *h = face->of->shape->size;
    const double d[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    const int u = (face->k + 1) % 3, v = (face->k + 2) % 3;
    double local[3];
    dry_body__turn_back(face->of->R, d, local);
    return dry_min(h[u] - fabs(local[u]), h[v] - fabs(local[v]));
}

/* The face of the box across its axis k that looks at the cylinder; how far they overlap there. */
static double face_of(const dry_body__placed *box, const dry_body__placed *s, int k,
                      dry_body__face *face) {
    const double *h = box->shape->size, r = s->shape->size[0], l = s->shape->size[1];
    const double u[3] = {box->R[k], box->R[3 + k], box->R[6 + k]};
    const double d[3] = {s->c[0] - box->c[0], s->c[1] - box->c[1], s->c[2] - box->c[2]};
    double z[3];
    dry_body__axis(s, z);
    const double c = dry_dot3(u, z), at = dry_dot3(u, d), sign = at < 0.0 ? -1.0 : 1.0;
    *face = (dry_body__face){.of = box, .k = k, .inside = inside_face};
    for (int i = 0; i < 3; i++) face->n[i] = sign * u[i];
    dry_body__along(box->c, h[k], face->n, face->o);
    return h[k] + l * fabs(c) + r * sqrt(dry_pos(1.0 - c * c)) - fabs(at);
}

static bool face_point(const dry_body__placed *box, const dry_body__placed *s, int k,
                       dry_body__point *p) {
    dry_body__face faces[FACES];
    double overlaps[FACES], shares[FACES];
    const int face = k / DRY_BODY__LYING;
    for (int i = 0; i < FACES; i++) overlaps[i] = face_of(box, s, i, &faces[i]);
    dry_body__share_by_overlap(FACES, overlaps, shares);
    if (!(shares[face] > 0.0) || !dry_body__lie_over(s, &faces[face], k % DRY_BODY__LYING, p))
        return false;
    p->weight *= shares[face];
    return true;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* Edge number k of the box; false if it does not reach the sphere around the cylinder. */
static bool edge_of(const dry_body__placed *box, const dry_body__placed *s, int k,
                    dry_body__curve *e) {
    const double *h = box->shape->size, *size = s->shape->size;
    const int m = k / 4, v = (m + 1) % 3, w = (m + 2) % 3;
    double local[3], x[3], d[3];
    local[m] = 0.0;
    local[v] = k & 1 ? h[v] : -h[v];
    local[w] = k & 2 ? h[w] : -h[w];
    *e = (dry_body__curve){.in = s, .h = h[m]};
    dry_body__turn(box->R, local, e->c);
    for (int i = 0; i < 3; i++) {
        e->c[i] += box->c[i];
        e->u[i] = box->R[3 * i + m];
        d[i] = s->c[i] - e->c[i];
    }
    dry_body__along(e->c, dry_sat1(h[m], dry_dot3(d, e->u)), e->u, x);
    for (int i = 0; i < 3; i++) d[i] = s->c[i] - x[i];
    return dry_norm(3, d) < size[0] + size[1];
}

bool dry_body__box_cylinder(const dry_body__placed *a, const dry_body__placed *b, int k,
                            dry_body__point *p) {
    dry_body__curve e;
    if (k < EDGES_AT) return face_point(a, b, k, p);
    return edge_of(a, b, (k - EDGES_AT) / 2, &e) && dry_body__bite(&e, (k - EDGES_AT) % 2, p);
}
