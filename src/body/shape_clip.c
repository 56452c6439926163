/* shape_clip: where one box lies over a face of another, as corners of polygons.
 *
 * Seen along the normal of the face, up to three sides of the other box look at it. What of each
 * lies over the face is a convex polygon, cut by Sutherland's and Hodgman's method. Some corner of
 * these polygons is below the face if and only if the boxes overlap: where they do, a line along
 * the normal leaves the other box below the face, through one of these sides, and height is linear
 * over each polygon, so lowest at a corner of it.
 *
 * Each corner has a weight: four times the share of its polygon in the area of all, times the angle
 * by which the outline turns there, as a part of the whole turn. A face that lies on a face has
 * four corners of weight 1. If the boxes move a little, corners may part, meet, or arise on a
 * straight line. The turns of those that part sum up to that of the corner they were, and there is
 * no turn on a straight line: any sum over the corners of weight times a continuous function
 * changes continuously.
 *
 * u, v: along the face, m; height: over it, m. */
#include "contact_private.h"

enum { SIDES = 4, MOST = 12, N_EDGES = 12 };
static const double FULL_TURN = 6.28318530717958647692;

/* A corner, and the name of the side of the polygon that begins there: the edge of the other box,
 * or N_EDGES + a side of the face. */
typedef struct vertex {
    double at[3]; /* u, v, height */
    int side;
} vertex;

typedef struct polygon {
    vertex v[MOST];
    int count;
    double area;
    int f; /* the axis of the other box that its side is across */
    bool f_up;
    double corners[SIDES][3]; /* of the whole side, and which of the box they are */
    int numbers[SIDES];
} polygon;

int dry_body__edge_named(int along, int m, bool m_up, bool n_up) {
    const bool next = m == (along + 1) % 3;
    return 4 * along + 2 * (next ? m_up : n_up) + (next ? n_up : m_up);
}

/* ---- one side of the other box ------------------------------------------------------------- */

/* Coordinates of the face of the corner with these signs. */
static void corner_over(const dry_body__facing *s, const bool up[3], double at[3]) {
    const double *h = s->other->shape->size;
    const double corner[3] = {up[0] ? h[0] : -h[0], up[1] ? h[1] : -h[1], up[2] ? h[2] : -h[2]};
    double x[3], local[3];
    dry_body__turn(s->other->R, corner, x);
    for (int i = 0; i < 3; i++) x[i] += s->other->c[i] - s->base->c[i];
    dry_body__turn_back(s->base->R, x, local);
    at[0] = local[s->u];
    at[1] = local[s->v];
    at[2] = (s->up ? local[s->k] : -local[s->k]) - s->base->shape->size[s->k];
}

/* Its four corners in turn, each with the edge to the next. */
static void outline(const dry_body__facing *s, polygon *g) {
    static const bool turn[SIDES][2] = {{false, false}, {true, false}, {true, true}, {false, true}};
    const int p = (g->f + 1) % 3, q = (g->f + 2) % 3;
    for (int i = 0; i < SIDES; i++) {
        bool up[3];
        up[g->f] = g->f_up, up[p] = turn[i][0], up[q] = turn[i][1];
        corner_over(s, up, g->corners[i]);
        g->numbers[i] = up[0] | up[1] << 1 | up[2] << 2;
        memcpy(g->v[i].at, g->corners[i], sizeof g->v[i].at);
        g->v[i].side = i % 2 ? dry_body__edge_named(q, p, up[p], g->f_up)
                             : dry_body__edge_named(p, q, up[q], g->f_up);
    }
    g->count = SIDES;
}

static void between(const vertex *a, const vertex *b, double part, vertex *x) {
    for (int i = 0; i < 3; i++) x->at[i] = a->at[i] + part * (b->at[i] - a->at[i]);
}

/* Keeps what is within the side number `side` of the face: u or v at most, or at least, `level`. */
static void cut(polygon *g, int side, double level) {
    const int axis = side / 2;
    const double sign = side % 2 ? 1.0 : -1.0;
    vertex kept[MOST];
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        const vertex *a = &g->v[i], *b = &g->v[(i + 1) % g->count];
        const double in_a = level - sign * a->at[axis], in_b = level - sign * b->at[axis];
        if (in_a >= 0.0) kept[count++] = *a;
        if ((in_a >= 0.0) == (in_b >= 0.0) || count == MOST) continue;
        vertex *x = &kept[count++];
        between(a, b, in_a / (in_a - in_b), x);
        x->at[axis] = sign * level;
        x->side = in_a >= 0.0 ? N_EDGES + side : a->side;
    }
    memcpy(g->v, kept, (size_t)count * sizeof *kept);
    g->count = count;
}

/* Corners that are one but for rounding become one. */
static void unite(polygon *g, double nothing) {
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        const vertex *a = &g->v[i], *b = &g->v[(i + 1) % g->count];
        const double way = fabs(a->at[0] - b->at[0]) + fabs(a->at[1] - b->at[1]);
        if (way > nothing) g->v[count++] = *a;
    }
    g->count = count;
}

static double cross2(const double a[3], const double b[3], const double c[3]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double area_of(const polygon *g) {
    double sum = 0.0;
    for (int i = 2; i < g->count; i++) sum += cross2(g->v[0].at, g->v[i - 1].at, g->v[i].at);
    return 0.5 * fabs(sum);
}

/* How far the outline turns at each corner, rad. Rounding may turn it back by next to nothing:
 * that is taken from the corner after it. */
static void turns_of(const polygon *g, double turns[MOST]) {
    double whole = 0.0, debt = 0.0;
    for (int i = 0; i < g->count; i++) {
        const double *a = g->v[(i + g->count - 1) % g->count].at, *b = g->v[i].at;
        const double *c = g->v[(i + 1) % g->count].at;
        const double p[2] = {b[0] - a[0], b[1] - a[1]}, q[2] = {c[0] - b[0], c[1] - b[1]};
        turns[i] = dry_atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1]);
        whole += turns[i];
    }
    for (int i = 0; i < 2 * g->count; i++) {
        double *turn = &turns[i % g->count];
        if (i < g->count && whole < 0.0) *turn = -*turn;
        *turn += debt;
        debt = dry_min(*turn, 0.0);
        *turn = dry_pos(*turn);
    }
}

/* ---- which feature a corner is ------------------------------------------------------------------
 */

/* The corner of the side of the other box that is within the margin; 0: none. */
static int near_corner_of_other(const dry_body__facing *s, const polygon *g, const double at[3],
                                double margin) {
    for (int i = 0; i < SIDES; i++) {
        const double *c = g->corners[i];
        const double way = fabs(c[0] - at[0]) + fabs(c[1] - at[1]) + fabs(c[2] - at[2]);
        if (way <= margin) return dry_body__corner_key(!s->base_is_a, g->numbers[i]);
    }
    return 0;
}

static int near_corner_of_base(const dry_body__facing *s, const double at[3], double margin) {
    const double *h = s->base->shape->size;
    if (h[s->u] - fabs(at[0]) + h[s->v] - fabs(at[1]) > margin) return 0;
    const int k = (at[0] > 0.0) << s->u | (at[1] > 0.0) << s->v | s->up << s->k;
    return dry_body__corner_key(s->base_is_a, k);
}

/* Where an edge of the other box crosses the side number `side` of the face. */
static int crossing(const dry_body__facing *s, int edge, int side) {
    const int across = side / 2 ? s->v : s->u, along = side / 2 ? s->u : s->v;
    const int mine = dry_body__edge_named(along, across, side % 2, s->up);
    return s->base_is_a ? dry_body__crossing_key(mine, edge) : dry_body__crossing_key(edge, mine);
}

/* Next to a corner of either box it is that corner, that of b before that of a, lest points change
 * their names where boxes lie flush. */
static int name_of(const dry_body__facing *s, const polygon *g, int i) {
    const vertex *v = &g->v[i];
    const int before = g->v[(i + g->count - 1) % g->count].side;
    const int other = near_corner_of_other(s, g, v->at, s->margin);
    const int base = near_corner_of_base(s, v->at, s->margin);
    const int first = s->base_is_a ? other : base, second = s->base_is_a ? base : other;
    if (first || second) return first ? first : second;
    if (before < N_EDGES && v->side >= N_EDGES) return crossing(s, before, v->side - N_EDGES);
    if (before >= N_EDGES && v->side < N_EDGES) return crossing(s, v->side, before - N_EDGES);
    const double far = (double)INFINITY; /* a corner, but for rounding */
    return before < N_EDGES ? near_corner_of_other(s, g, v->at, far)
                            : near_corner_of_base(s, v->at, far);
}

/* ---- all of them --------------------------------------------------------------------------- */

static void clip_side(const dry_body__facing *s, int f, double c, polygon *g) {
    const double *h = s->base->shape->size;
    g->f = f;
    g->f_up = c < 0.0;
    outline(s, g);
    for (int side = 0; side < 4 && g->count > 0; side++) cut(g, side, h[side / 2 ? s->v : s->u]);
    unite(g, 1e-14 * (h[s->u] + h[s->v]));
    g->area = g->count > 2 ? area_of(g) : 0.0;
}

static void report_points(const dry_body__facing *s, const polygon *g, double share,
                          dry_body__found_fn *found, void *user) {
    double turns[MOST];
    turns_of(g, turns);
    for (int i = 0; i < g->count; i++) {
        const double *at = g->v[i].at, weight = 4.0 * share * turns[i] / FULL_TURN;
        double local[3], x[3];
        if (!(weight > 0.0)) continue;
        local[s->u] = at[0];
        local[s->v] = at[1];
        local[s->k] = (s->base->shape->size[s->k] + 0.5 * at[2]) * (s->up ? 1.0 : -1.0);
        dry_body__turn(s->base->R, local, x);
        for (int k = 0; k < 3; k++) x[k] += s->base->c[k];
        found(user, name_of(s, g, i), weight, at[2], x);
    }
}

void dry_body__clip(const dry_body__facing *s, dry_body__found_fn *found, void *user) {
    polygon sides[3];
    double area = 0.0;
    for (int f = 0; f < 3; f++) {
        double c = 0.0;
        for (int i = 0; i < 3; i++) c += s->other->R[3 * i + f] * s->out[i];
        sides[f].area = 0.0;
        if (c != 0.0) clip_side(s, f, c, &sides[f]);
        area += sides[f].area;
    }
    for (int f = 0; f < 3; f++)
        if (sides[f].area > 0.0) report_points(s, &sides[f], sides[f].area / area, found, user);
}
