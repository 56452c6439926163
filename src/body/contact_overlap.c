/* contact_overlap: finds where shapes overlap, for the check of a start.
 *
 * psi: gap, m; a point presses at rest with N = K depth, depth = -psi (X13 (24) with e_dot = 0). */
#include "contact_private.h"

/* The thickness of a shape: its radius, or half of its smallest side, m. */
static double thickness(const dry_body__solid_shape *s) {
    const double *size = s->shape->size;
    if (s->kind == DRY_BOX) return dry_min(size[0], dry_min(size[1], size[2]));
    if (s->kind == DRY_CYLINDER) return dry_min(size[0], size[1]);
    return s->kind == DRY_CAPSULE ? size[0] : s->radius;
}

/* Finds the points of a pair; returns how many. For shapes other than boxes it finds point number k
 * alone. */
static int find_points(const dry_body__placed *a, const dry_body__placed *b, int k,
                       dry_body__point *points) {
    dry_body__touch_fn *touch = dry_body__touch(a->shape->kind, b->shape->kind);
    points->weight = 1.0;
    if (!touch) return k == 0 ? dry_body__boxes(a, b, points) : 0;
    return touch(a, b, k, points) ? 1 : 0;
}

typedef struct listener {
    dry_overlap_fn *each;
    void *user;
} listener;

static void report_point(const dry_body__point *point, double K, dry_overlap overlap, listener to) {
    if (!(point->psi < 0.0)) return;
    overlap.depth = -point->psi;
    overlap.N = point->weight * K * overlap.depth;
    memcpy(overlap.n, point->n, sizeof overlap.n);
    memcpy(overlap.x, point->x, sizeof overlap.x);
    to.each(to.user, &overlap);
}

static void tell_pair(const dry_part_env *env, const double *in, const dry_body__link *link,
                      listener to) {
    const dry_body__contacts *c = env->data;
    const dry_body__placed a = dry_body__placed_at(env, in, link->a);
    const dry_body__placed b = dry_body__placed_at(env, in, link->b);
    const dry_overlap pair = {
        .a = link->frame_a,
        .b = link->frame_b,
        .size = dry_min(thickness(&c->shapes[link->a]), thickness(&c->shapes[link->b]))};
    dry_body__point points[DRY_BODY__BOX_POINTS];
    for (int k = 0; k < link[1].first - link->first; k++) {
        const int count = find_points(&a, &b, k, points);
        for (int i = 0; i < count; i++) report_point(&points[i], env->par[DRY_BODY__K], pair, to);
    }
}

void dry_body__contact_overlaps(const dry_part_env *env, const double *in, const double *x,
                                dry_overlap_fn *each, void *user) {
    dry_body__index(env, x);
    dry_body__place(env, in);
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    for (int k = 0; k < (int)x[DRY_BODY__HEAD_PAIRS]; k++)
        tell_pair(env, in, &links[k], (listener){each, user});
}
