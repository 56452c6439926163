/* shape_bite: an edge that is in a cylinder: of a box, or the rim of another cylinder.
 *
 * It has two points, where its depth
 *
 *     phi = min(side, end)
 *
 * has fallen to half of its most on either side. side: depth below the round side, end: below an
 * end of the cylinder, m. A point presses through the side by
 *
 *     min(side + bend, max side, 2 max phi)
 *
 * bend: by how much the side is deeper half way between the two points than between the depths of
 * these, so that an edge that crosses the side presses with its largest depth, and one that lies
 * along it with the depths of its ends; and through an end in the same way. Which of the two it is
 * goes by shares, as with faces. Each point has half the weight: a corner belongs to two edges of
 * what lies on an end, and two points to an edge that crosses. */
#include "contact_private.h"

enum { SIDE, END, WAYS, TWO = 2, MIDDLE = 2, PLACES };

static void place_of(const dry_body__curve *e, double t, double x[3]) {
    const double p = e->arc ? dry_cos(t) : t, q = e->arc ? dry_sin(t) : 0.0;
    for (int i = 0; i < 3; i++) x[i] = e->c[i] + p * e->u[i] + q * e->v[i];
}

/* Depths through the side and through an end, and the normals inwards. */
static void depths(const dry_body__curve *e, double t, double depth[WAYS], double n[WAYS][3]) {
    const dry_body__placed *s = e->in;
    double x[3], z[3], d[3], out[3];
    place_of(e, t, x);
    dry_body__axis(s, z);
    for (int i = 0; i < 3; i++) d[i] = x[i] - s->c[i];
    const double at = dry_dot3(d, z);
    dry_body__along(d, -at, z, out);
    const double far = dry_norm(3, out);
    depth[SIDE] = s->shape->size[0] - far;
    depth[END] = s->shape->size[1] - fabs(at);
    for (int i = 0; i < 3; i++) {
        n[SIDE][i] = far > 0.0 ? -out[i] / far : -s->R[3 * i];
        n[END][i] = at < 0.0 ? z[i] : -z[i];
    }
}

static double phi(const void *of, double t) {
    const dry_body__curve *e = of;
    const dry_body__placed *s = e->in;
    double x[3];
    place_of(e, t, x);
    for (int i = 0; i < 3; i++) x[i] -= s->c[i];
    const double at = s->R[2] * x[0] + s->R[5] * x[1] + s->R[8] * x[2];
    const double far = sqrt(dry_pos(dry_dot3(x, x) - at * at));
    return dry_min(s->shape->size[0] - far, s->shape->size[1] - fabs(at));
}

typedef struct bite {
    double t[PLACES], most; /* of phi */
    double depth[PLACES][WAYS], n[PLACES][WAYS][3], bend[WAYS];
} bite;

static bool bite_of(const dry_body__curve *e, bite *b) {
    const double peak = dry_body__peak(phi, e, e->h);
    b->most = phi(e, peak);
    if (!(b->most > 0.0)) return false;
    for (int i = 0; i < TWO; i++)
        b->t[i] = dry_body__reach(phi, e, peak, i ? e->h : -e->h, 0.5 * b->most);
    b->t[MIDDLE] = 0.5 * (b->t[0] + b->t[1]);
    for (int i = 0; i < PLACES; i++) depths(e, b->t[i], b->depth[i], b->n[i]);
    for (int w = 0; w < WAYS; w++)
        b->bend[w] = dry_pos(b->depth[MIDDLE][w] - 0.5 * (b->depth[0][w] + b->depth[1][w]));
    return true;
}

bool dry_body__bite(const dry_body__curve *e, int which, dry_body__point *p) {
    double overlaps[WAYS], shares[WAYS], push[3] = {0.0, 0.0, 0.0};
    bite b;
    if (!bite_of(e, &b)) return false;
    for (int w = 0; w < WAYS; w++)
        overlaps[w] = dry_max(b.depth[MIDDLE][w], dry_max(b.depth[0][w], b.depth[1][w]));
    dry_body__share_by_overlap(WAYS, overlaps, shares);
    for (int w = 0; w < WAYS; w++) {
        const double most = dry_min(overlaps[w], 2.0 * b.most);
        const double depth = dry_min(b.depth[which][w] + b.bend[w], most);
        for (int i = 0; i < 3; i++) push[i] += shares[w] * depth * b.n[which][w][i];
    }
    const double size = dry_norm(3, push);
    if (!(size > 0.0)) return false;
    for (int i = 0; i < 3; i++) p->n[i] = push[i] / size;
    p->psi = -size;
    p->weight = 0.5;
    place_of(e, b.t[which], p->x);
    return true;
}
