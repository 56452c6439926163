/* shape_boxes: where two boxes touch.
 *
 * The direction in which they overlap least (of three face normals each and nine products of edges)
 * is the normal. Where boxes lie on each other, products of edges differ from a face's normal by
 * next to nothing, and overlap less by next to nothing: the face is meant. Across a face the points
 * are the corners of one box within the face of the other, and the places where, seen along the
 * normal, edges of both cross; across two edges it is the place where these are nearest. A point is
 * known by its corner or by its two edges, and stays what it is while the boxes move a little:
 * corners count up to a margin outside a face, and reversed corners and crossings only from that
 * margin on.
 *
 * psi: gap, m; n: unit normal from a to b; h: half widths, m. */
#include "contact_private.h"

enum { N_EDGES = 12 };
static const double MARGIN = 1e-3; /* of the smallest half width */
static const double LESS = 0.95;   /* what a later direction must overlap less, as a part */
static const double PARALLEL = 1e-6;
static const double FLAT = 0.996; /* cosine of the angle, 5 degrees, up to which a face is meant */

static void column(const dry_body__placed *s, int k, double axis[3]) {
    for (int i = 0; i < 3; i++) axis[i] = s->R[3 * i + k];
}
static double half_width(const dry_body__placed *s, const double n[3]) {
    double sum = 0.0, axis[3];
    for (int k = 0; k < 3; k++) {
        column(s, k, axis);
        sum += s->shape->size[k] * fabs(dry_dot3(axis, n));
    }
    return sum;
}
static void corner_at(const dry_body__placed *s, int k, double x[3]) {
    const double *h = s->shape->size;
    const double corner[3] = {k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]};
    double arm[3];
    dry_body__turn(s->R, corner, arm);
    for (int i = 0; i < 3; i++) x[i] = s->c[i] + arm[i];
}
/* The edge along axis k, with the signs of the two axes after it. */
static int edge_id(int k, bool second, bool third) { return 4 * k + 2 * second + third; }
static int key_of(int edge_a, int edge_b) { return 1 + edge_a * N_EDGES + edge_b; }

/* ---- the direction of least overlap ------------------------------------------------------- */

typedef struct pick {
    double gap, n[3]; /* n from a to b */
    int i, j;         /* the axes of a and of b; -1: none, it is a face of the other */
} pick;

static void consider(const dry_body__placed *a, const dry_body__placed *b, const double axis[3],
                     int i, int j, pick *best) {
    const double d[3] = {b->c[0] - a->c[0], b->c[1] - a->c[1], b->c[2] - a->c[2]};
    const double along = dry_dot3(d, axis);
    const double gap = fabs(along) - half_width(a, axis) - half_width(b, axis);
    if (!(gap > (gap < 0.0 ? LESS * best->gap : best->gap))) return;
    *best = (pick){.gap = gap, .i = i, .j = j};
    for (int k = 0; k < 3; k++) best->n[k] = along < 0.0 ? -axis[k] : axis[k];
}

static pick least_overlap(const dry_body__placed *a, const dry_body__placed *b) {
    pick best = {.gap = -(double)INFINITY};
    double u[3], w[3], axis[3];
    for (int i = 0; i < 3; i++) column(a, i, axis), consider(a, b, axis, i, -1, &best);
    for (int j = 0; j < 3; j++) column(b, j, axis), consider(a, b, axis, -1, j, &best);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            column(a, i, u);
            column(b, j, w);
            dry_cross3(u, w, axis);
            const double square = dry_dot3(axis, axis);
            if (square < PARALLEL) continue;
            for (int k = 0; k < 3; k++) axis[k] /= sqrt(square);
            consider(a, b, axis, i, j, &best);
        }
    return best;
}

/* The face that two edges mean, the one that overlaps less; the edges themselves where none is. */
static pick face_meant(const dry_body__placed *a, const dry_body__placed *b, const pick *edges) {
    pick best = {.gap = -(double)INFINITY};
    for (int k = 0; k < 6; k++) {
        double axis[3];
        column(k < 3 ? a : b, k % 3, axis);
        if (fabs(dry_dot3(axis, edges->n)) > FLAT)
            consider(a, b, axis, k < 3 ? k : -1, k < 3 ? -1 : k - 3, &best);
    }
    return isinf(best.gap) ? *edges : best;
}

/* ---- across a face --------------------------------------------------------------------------- */

/* The face of the box `base` and the box `other` above it, in coordinates u, v of the face and the
 * height over it; the face of `other` that looks at it most. */
typedef struct facing {
    const dry_body__placed *base, *other;
    bool base_is_a;
    int k, u, v;      /* axes of base: normal, and those of the face */
    bool up;          /* the face is at +h[k] */
    double out[3];    /* its normal in the world */
    int f, p, q;      /* the same axes of other */
    bool f_up;        /* its face is at +h[f] */
    double toward[3]; /* its normal */
    double margin;
    double corners[4][3]; /* of the face of other: u, v, height; in the order of p, then q */
    dry_body__point *points;
    int count;
} facing;

static void local_in_base(const facing *s, const double x[3], double at[3]) {
    const double d[3] = {x[0] - s->base->c[0], x[1] - s->base->c[1], x[2] - s->base->c[2]};
    double local[3];
    dry_body__turn_back(s->base->R, d, local);
    at[0] = local[s->u];
    at[1] = local[s->v];
    at[2] = (s->up ? local[s->k] : -local[s->k]) - s->base->shape->size[s->k];
}

/* A point on the upper box at height psi < 0 over the face; the force acts half way. */
static void add(facing *s, const double x[3], double psi, int slot) {
    if (!(psi < 0.0) || s->count == DRY_BODY__BOX_POINTS) return;
    dry_body__point *p = &s->points[s->count++];
    p->psi = psi;
    p->slot = slot;
    for (int i = 0; i < 3; i++) {
        p->n[i] = s->base_is_a ? s->out[i] : -s->out[i];
        p->x[i] = x[i] - 0.5 * psi * s->out[i];
    }
}

static void corners_of_other(facing *s) {
    const double *h = s->base->shape->size;
    for (int k = 0; k < 8; k++) {
        double x[3], at[3];
        corner_at(s->other, k, x);
        local_in_base(s, x, at);
        if ((bool)(k >> s->f & 1) == s->f_up)
            memcpy(s->corners[2 * (k >> s->p & 1) + (k >> s->q & 1)], at, sizeof at);
        if (fabs(at[0]) <= h[s->u] + s->margin && fabs(at[1]) <= h[s->v] + s->margin)
            add(s, x, at[2], s->base_is_a ? 8 + k : k);
    }
}

/* Corners of the face that lie, along its normal, within the face of the other. */
static void corners_of_base(facing *s) {
    const double *h = s->other->shape->size, slope = dry_dot3(s->toward, s->out);
    for (int k = 0; k < 8; k++) {
        double x[3], y[3], d[3], local[3];
        if ((bool)(k >> s->k & 1) != s->up) continue;
        corner_at(s->base, k, x);
        for (int i = 0; i < 3; i++) d[i] = s->other->c[i] + h[s->f] * s->toward[i] - x[i];
        const double height = dry_dot3(s->toward, d) / slope;
        for (int i = 0; i < 3; i++) y[i] = x[i] + height * s->out[i];
        for (int i = 0; i < 3; i++) d[i] = y[i] - s->other->c[i];
        dry_body__turn_back(s->other->R, d, local);
        if (fabs(local[s->p]) < h[s->p] - s->margin && fabs(local[s->q]) < h[s->q] - s->margin)
            add(s, y, height, s->base_is_a ? k : 8 + k);
    }
}

/* Where an edge of the other, from c to d, crosses the line at[side] = level of the face's edge. */
static void crossing(facing *s, const double c[3], const double d[3], int side, double level,
                     double half, int key) {
    const double from = level - c[side], to = d[side] - level;
    if (!(from * to > 0.0) || fabs(from) <= s->margin || fabs(to) <= s->margin) return;
    const double part = from / (d[side] - c[side]);
    double at[3], local[3], x[3];
    for (int i = 0; i < 3; i++) at[i] = c[i] + part * (d[i] - c[i]);
    if (!(fabs(at[1 - side]) < half - s->margin)) return;
    local[s->u] = at[0];
    local[s->v] = at[1];
    local[s->k] = (s->base->shape->size[s->k] + at[2]) * (s->up ? 1.0 : -1.0);
    dry_body__turn(s->base->R, local, x);
    for (int i = 0; i < 3; i++) x[i] += s->base->c[i];
    add(s, x, at[2], -1 - key);
}

/* The edge of a box along `along`, its other two axes being m and n with these signs. */
static int edge_named(int along, int m, bool m_up, bool n_up) {
    return m == (along + 1) % 3 ? edge_id(along, m_up, n_up) : edge_id(along, n_up, m_up);
}

/* One edge of the other against the four edges of the face. */
static void crossings_of(facing *s, int c, int d, int edge) {
    const double *h = s->base->shape->size;
    for (int side = 0; side < 2; side++) {
        const int across = side ? s->v : s->u, along = side ? s->u : s->v;
        for (int sign = 0; sign < 2; sign++) {
            const int mine = edge_named(along, across, sign, s->up);
            crossing(s, s->corners[c], s->corners[d], side, sign ? h[across] : -h[across], h[along],
                     s->base_is_a ? key_of(mine, edge) : key_of(edge, mine));
        }
    }
}

static void crossings(facing *s) {
    for (int sign = 0; sign < 2; sign++) {
        crossings_of(s, sign, 2 + sign, edge_named(s->p, s->q, sign, s->f_up));
        crossings_of(s, 2 * sign, 2 * sign + 1, edge_named(s->q, s->p, sign, s->f_up));
    }
}

/* The face of the other whose normal is most against `out`. */
static void look(facing *s) {
    double steepest = 0.0;
    for (int k = 0; k < 3; k++) {
        double axis[3];
        column(s->other, k, axis);
        const double c = dry_dot3(axis, s->out);
        if (!(fabs(c) > steepest)) continue;
        steepest = fabs(c);
        s->f = k;
        s->f_up = c < 0.0;
        for (int i = 0; i < 3; i++) s->toward[i] = c < 0.0 ? axis[i] : -axis[i];
    }
    s->p = (s->f + 1) % 3;
    s->q = (s->f + 2) % 3;
}

static double smallest(const double h[3]) { return dry_min(h[0], dry_min(h[1], h[2])); }

static int across_face(const dry_body__placed *a, const dry_body__placed *b, const pick *best,
                       dry_body__point *points) {
    const bool of_a = best->i >= 0;
    facing s = {.base = of_a ? a : b,
                .other = of_a ? b : a,
                .base_is_a = of_a,
                .k = of_a ? best->i : best->j,
                .points = points};
    double axis[3];
    s.u = (s.k + 1) % 3;
    s.v = (s.k + 2) % 3;
    for (int i = 0; i < 3; i++) s.out[i] = of_a ? best->n[i] : -best->n[i];
    column(s.base, s.k, axis);
    s.up = dry_dot3(axis, s.out) > 0.0;
    s.margin = MARGIN * dry_min(smallest(a->shape->size), smallest(b->shape->size));
    look(&s);
    corners_of_other(&s);
    corners_of_base(&s);
    crossings(&s);
    return s.count;
}

/* ---- across two edges ---------------------------------------------------------------------------
 */

/* The middle of the edge of s along axis k that reaches furthest along n; its name. */
static int far_edge(const dry_body__placed *s, int k, const double n[3], double x[3]) {
    bool up[3];
    for (int i = 0; i < 3; i++) x[i] = s->c[i];
    for (int m = 0; m < 3; m++) {
        double axis[3];
        column(s, m, axis);
        up[m] = dry_dot3(axis, n) > 0.0;
        if (m == k) continue;
        for (int i = 0; i < 3; i++) x[i] += (up[m] ? 1.0 : -1.0) * s->shape->size[m] * axis[i];
    }
    return edge_id(k, up[(k + 1) % 3], up[(k + 2) % 3]);
}

static int across_edges(const dry_body__placed *a, const dry_body__placed *b, const pick *best,
                        dry_body__point *p) {
    const double back[3] = {-best->n[0], -best->n[1], -best->n[2]};
    double x[3], y[3], u[3], w[3], d[3];
    const int edge_a = far_edge(a, best->i, best->n, x), edge_b = far_edge(b, best->j, back, y);
    column(a, best->i, u);
    column(b, best->j, w);
    for (int i = 0; i < 3; i++) d[i] = y[i] - x[i];
    const double c = dry_dot3(u, w), du = dry_dot3(d, u), dw = dry_dot3(d, w);
    const double s = (du - c * dw) / (1.0 - c * c), t = c * s - dw;
    p->psi = best->gap;
    p->slot = -1 - key_of(edge_a, edge_b);
    for (int i = 0; i < 3; i++) {
        p->n[i] = best->n[i];
        p->x[i] = 0.5 * (x[i] + s * u[i] + y[i] + t * w[i]);
    }
    return 1;
}

int dry_body__boxes(const dry_body__placed *a, const dry_body__placed *b,
                    dry_body__point points[DRY_BODY__BOX_POINTS]) {
    pick best = least_overlap(a, b);
    if (!(best.gap < 0.0)) return 0;
    if (best.i >= 0 && best.j >= 0) best = face_meant(a, b, &best);
    return best.i >= 0 && best.j >= 0 ? across_edges(a, b, &best, points)
                                      : across_face(a, b, &best, points);
}
