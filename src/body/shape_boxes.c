/* shape_boxes: where two boxes touch.
 *
 * The direction in which they overlap least (of three face normals each and nine products of edges)
 * is the normal. Directions that overlap more by less than a quarter have a share that falls with
 * their overlap, so that the force turns, and does not jump, where another direction becomes the
 * least. Products of edges that are next to parallel, or that are next to a face's normal, lose
 * their share: there faces lie on each other. Across a face the points are those of shape_clip.c;
 * across two edges it is the place where these are nearest. A point is known by its corner or by
 * its two edges; contributions of several directions to it are combined, weight by weight.
 *
 * So the sum over the points of weight times depth times normal, and that of its moments, are
 * continuous in the position of the boxes, with a bound for their rate of change: no depth is more
 * than the width of what lies over the face. There is one exception: where both centres lie in one
 * plane across the normal, the boxes can be pushed apart either way, and the normal turns round.
 * That needs a least overlap of 1/(1 + BLEND) of the sum of the smallest half widths, or more.
 *
 * psi: gap, m; n: unit normal from a to b; h: half widths, m. */
#include "contact_private.h"

enum { N_EDGES = 12, FACES = 6, N_DIRECTIONS = 15, N_FEATURES = 64 };
static const double MARGIN = 1e-6; /* of the smallest half width: next to a corner */
static const double REACH = 0.1;   /* of it: points that are so near are remembered */
static const double BLEND = 0.25;  /* more overlap than the least, as a part, without a share */
static const double PARALLEL = 1e-6;

static double smallest(const double h[3]) { return dry_min(h[0], dry_min(h[1], h[2])); }
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

int dry_body__corner_key(bool of_a, int corner) { return 1 + corner + (of_a ? 0 : 8); }
int dry_body__crossing_key(int edge_a, int edge_b) { return 17 + edge_a * N_EDGES + edge_b; }

/* ---- directions -------------------------------------------------------------------------- */

typedef struct direction {
    double gap, n[3]; /* n from a to b */
    double trust;     /* 1 for faces; 0 for edges that have no share */
    int i, j;         /* the axes of a and of b; -1: none, it is a face of the other */
    int key;          /* of two edges: what they are, where they are nearest, how near */
    double x[3], way;
} direction;

typedef struct directions {
    const dry_body__placed *a, *b;
    direction at[N_DIRECTIONS];
    int count;
    double far; /* they are apart if a gap is more */
    bool apart;
} directions;

/* ---- two edges ------------------------------------------------------------------------------ */

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
    return dry_body__edge_named(k, (k + 1) % 3, up[(k + 1) % 3], up[(k + 2) % 3]);
}

/* The places where the lines of two edges are nearest, or the ends of the edges before them. */
static void meet_edges(const directions *d, direction *one) {
    const double back[3] = {-one->n[0], -one->n[1], -one->n[2]};
    double x[3], y[3], u[3], w[3], way[3];
    const int edge_a = far_edge(d->a, one->i, one->n, x), edge_b = far_edge(d->b, one->j, back, y);
    column(d->a, one->i, u);
    column(d->b, one->j, w);
    for (int i = 0; i < 3; i++) way[i] = y[i] - x[i];
    const double c = dry_dot3(u, w), du = dry_dot3(way, u), dw = dry_dot3(way, w);
    const double along = (du - c * dw) / (1.0 - c * c);
    const double s = dry_sat1(d->a->shape->size[one->i], along);
    const double t = dry_sat1(d->b->shape->size[one->j], c * along - dw);
    for (int i = 0; i < 3; i++) {
        x[i] += s * u[i], y[i] += t * w[i];
        way[i] = y[i] - x[i];
        one->x[i] = 0.5 * (x[i] + y[i]);
    }
    one->way = dry_norm(3, way);
    one->key = dry_body__crossing_key(edge_a, edge_b);
}

/* ---- shares --------------------------------------------------------------------------------- */

static void consider(directions *d, const double axis[3], int i, int j, double trust) {
    const dry_body__placed *a = d->a, *b = d->b;
    const double way[3] = {b->c[0] - a->c[0], b->c[1] - a->c[1], b->c[2] - a->c[2]};
    const double along = dry_dot3(way, axis);
    direction *one = &d->at[d->count];
    *one = (direction){.i = i, .j = j, .trust = trust};
    one->gap = fabs(along) - half_width(a, axis) - half_width(b, axis);
    for (int k = 0; k < 3; k++) one->n[k] = along < 0.0 ? -axis[k] : axis[k];
    one->way = fabs(one->gap);
    d->apart |= one->gap > d->far;
    if (trust > 0.0 && j >= 0 && i >= 0) meet_edges(d, one);
    d->count += trust > 0.0;
}

/* 0 up to `low`, 1 from `high` on. */
static double ramp(double x, double low, double high) {
    return dry_max(0.0, dry_min(1.0, (x - low) / (high - low)));
}

/* Nothing within 5 degrees of a face's normal, or where edges are parallel within 5 degrees; all of
 * it from 10 degrees on. Sines of angles, squared. */
static double edge_trust(const directions *d, const double n[3], double edges) {
    const double low = 0.0076, high = 0.0302;
    double nearest = 0.0, axis[3];
    for (int k = 0; k < 6; k++) {
        column(k < 3 ? d->a : d->b, k % 3, axis);
        nearest = dry_max(nearest, fabs(dry_dot3(axis, n)));
    }
    return ramp(edges, low, high) * ramp(1.0 - nearest * nearest, low, high);
}

static void consider_edges(directions *d, int i, int j) {
    double u[3], w[3], axis[3];
    column(d->a, i, u);
    column(d->b, j, w);
    dry_cross3(u, w, axis);
    const double square = dry_dot3(axis, axis);
    if (square < PARALLEL) return;
    for (int k = 0; k < 3; k++) axis[k] /= sqrt(square);
    consider(d, axis, i, j, edge_trust(d, axis, square));
}

static void look_everywhere(directions *d) {
    double axis[3];
    for (int i = 0; i < 3 && !d->apart; i++) column(d->a, i, axis), consider(d, axis, i, -1, 1.0);
    for (int j = 0; j < 3 && !d->apart; j++) column(d->b, j, axis), consider(d, axis, -1, j, 1.0);
    for (int k = 0; k < 9 && !d->apart; k++) consider_edges(d, k / 3, k % 3);
}

/* The overlap by which directions are compared: edges that do not reach the place where their lines
 * are nearest are further from each other. */
static double overlap_of(const direction *one) {
    return (one->gap < 0.0 ? one->way : -one->gap) / one->trust;
}

/* The shares of all, 1 together; the largest gap takes all if they do not overlap. */
static void share_out(const directions *d, double shares[N_DIRECTIONS]) {
    double least = (double)INFINITY, sum = 0.0;
    int first = 0;
    for (int k = 0; k < d->count; k++) {
        shares[k] = 0.0;
        if (overlap_of(&d->at[k]) < least) first = k, least = overlap_of(&d->at[k]);
    }
    if (!(least > 0.0)) {
        shares[first] = 1.0;
        return;
    }
    for (int k = 0; k < d->count; k++) {
        shares[k] = dry_pos(1.0 - (overlap_of(&d->at[k]) / least - 1.0) / BLEND);
        sum += shares[k];
    }
    for (int k = 0; k < d->count; k++) shares[k] /= sum;
}

/* ---- features ------------------------------------------------------------------------------- */

/* A corner, or two edges, and what the directions say of it: sums of weights w, of w psi, w n, w x;
 * of those that press: of w depth, w depth n, w depth x, w depth x times n. */
typedef struct feature {
    int key;
    double w, psi, n[3], x[3], press, push[3], at[3], moment[3];
} feature;

typedef struct gathered {
    feature list[N_FEATURES];
    int count;
    double share, n[3]; /* of the direction that is looked at */
} gathered;

static feature *feature_of(gathered *g, int key) {
    for (int k = 0; k < g->count; k++)
        if (g->list[k].key == key) return &g->list[k];
    if (g->count == N_FEATURES) return NULL;
    g->list[g->count] = (feature){.key = key};
    return &g->list[g->count++];
}

static void add(void *user, int key, double weight, double psi, const double x[3]) {
    gathered *g = user;
    const double w = weight * g->share, press = w * dry_pos(-psi);
    feature *f = feature_of(g, key);
    double arm[3];
    if (f == NULL) return;
    dry_cross3(x, g->n, arm);
    f->w += w;
    f->psi += w * psi;
    f->press += press;
    for (int i = 0; i < 3; i++) {
        f->n[i] += w * g->n[i];
        f->x[i] += w * x[i];
        f->push[i] += press * g->n[i];
        f->at[i] += press * x[i];
        f->moment[i] += press * arm[i];
    }
}

static dry_body__point point_of(const feature *f) {
    const bool presses = f->press > 0.0;
    const double *n = presses ? f->push : f->n, *x = presses ? f->at : f->x;
    const double length = dry_norm(3, n), sum = presses ? f->press : f->w;
    dry_body__point p = {.slot = f->key, .weight = f->w};
    p.psi = presses ? -length / f->w : dry_pos(f->psi / f->w);
    for (int i = 0; i < 3; i++) {
        p.n[i] = n[i] / length;
        p.x[i] = x[i] / sum;
    }
    double arm[3];
    dry_cross3(p.x, p.n, arm);
    for (int i = 0; i < 3; i++) p.couple[i] = presses ? f->moment[i] / length - arm[i] : 0.0;
    return p;
}

static bool is_firmer(const dry_body__point *p, const dry_body__point *q) {
    const bool p_presses = p->psi < 0.0, q_presses = q->psi < 0.0;
    if (p_presses != q_presses) return p_presses;
    return p_presses ? p->weight * p->psi < q->weight * q->psi : p->psi < q->psi;
}

/* Those that press, then those that are near, as many as there is room for: the firmest. */
static int points_of(const gathered *g, double reach, dry_body__point *points) {
    int count = 0;
    for (int k = 0; k < g->count; k++) {
        if (!(g->list[k].w > 0.0)) continue;
        const dry_body__point p = point_of(&g->list[k]);
        if (!(p.psi < reach)) continue;
        int at = count < DRY_BODY__BOX_POINTS ? count++ : DRY_BODY__BOX_POINTS;
        while (at > 0 && is_firmer(&p, &points[at - 1])) {
            if (at < DRY_BODY__BOX_POINTS) points[at] = points[at - 1];
            at--;
        }
        if (at < DRY_BODY__BOX_POINTS) points[at] = p;
    }
    return count;
}

/* ---- across a face, across two edges -------------------------------------------------------- */

static void across_face(const directions *d, const direction *one, double margin,
                        dry_body__found_fn *found, void *user) {
    const bool of_a = one->i >= 0;
    dry_body__facing s = {.base = of_a ? d->a : d->b,
                          .other = of_a ? d->b : d->a,
                          .base_is_a = of_a,
                          .k = of_a ? one->i : one->j,
                          .margin = margin};
    double axis[3];
    s.u = (s.k + 1) % 3;
    s.v = (s.k + 2) % 3;
    for (int i = 0; i < 3; i++) s.out[i] = of_a ? one->n[i] : -one->n[i];
    column(s.base, s.k, axis);
    s.up = dry_dot3(axis, s.out) > 0.0;
    dry_body__clip(&s, found, user);
}

static void keep_deepest(void *user, int key, double weight, double psi, const double x[3]) {
    double *deepest = user;
    (void)key, (void)weight, (void)x;
    *deepest = dry_max(*deepest, -psi);
}

/* Edges may overlap along their normal while the boxes are apart along another one that has no
 * share. The depth over any face is true: no edge is deeper than over the face where it is least.
 */
static void across_edges(const directions *d, const direction *one, gathered *g) {
    double depth = -one->gap;
    for (int k = 0; k < FACES && depth > 0.0; k++) {
        double deepest = 0.0;
        across_face(d, &d->at[k], 0.0, keep_deepest, &deepest);
        depth = dry_min(depth, deepest);
    }
    add(g, one->key, 1.0, -depth, one->x);
}

int dry_body__boxes(const dry_body__placed *a, const dry_body__placed *b,
                    dry_body__point points[DRY_BODY__BOX_POINTS]) {
    const double thin = dry_min(smallest(a->shape->size), smallest(b->shape->size));
    directions d = {.a = a, .b = b, .far = REACH * thin};
    gathered g;
    double shares[N_DIRECTIONS];
    g.count = 0;
    look_everywhere(&d);
    if (d.apart) return 0;
    share_out(&d, shares);
    for (int k = 0; k < d.count; k++) {
        const direction *one = &d.at[k];
        g.share = shares[k];
        memcpy(g.n, one->n, sizeof g.n);
        if (!(g.share > 0.0)) continue;
        if (one->i >= 0 && one->j >= 0)
            across_edges(&d, one, &g);
        else
            across_face(&d, one, MARGIN * thin, add, &g);
    }
    return points_of(&g, d.far, points);
}
