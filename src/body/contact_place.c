/* contact_place: the shapes of a contact in the world, and where the slots of its pairs are. */
#include "contact_private.h"

/* ---- shapes in the world -------------------------------------------------------------- */

void dry_body__place_one(const dry_part_env *env, int shape, const double p[3], const double q[4]) {
    const dry_body__contacts *contacts = env->data;
    const dry_body__solid_shape *s = &contacts->shapes[shape];
    double *c = DRY_BODY__WORK(double, env, centres) + DRY_BODY__CENTRE * shape, arm[3], turn[4];
    if (s->centred) {
        memcpy(c, p, 3 * sizeof *c);
    } else {
        dry_quat_rotate(q, s->centre, arm);
        for (int i = 0; i < 3; i++) c[i] = p[i] + arm[i];
    }
    if (s->turned < 0) return;
    dry_quat_multiply(q, s->q, turn);
    dry_body__matrix(turn, DRY_BODY__WORK(double, env, turns) + 9 * s->turned);
}

void dry_body__place(const dry_part_env *env, const double *in) {
    const dry_body__contacts *c = env->data;
    DRY_BODY__SHARED
    for (int i = 0; i < c->n_shapes; i++) {
        const double *frame = in + DRY_BODY__FRAME * c->shapes[i].frame;
        dry_body__place_one(env, i, frame + DRY_BODY__P, frame + DRY_BODY__Q);
    }
}

dry_body__placed dry_body__placed_at(const dry_part_env *env, int shape) {
    const dry_body__contacts *c = env->data;
    const dry_body__solid_shape *s = &c->shapes[shape];
    return (dry_body__placed){
        s->shape, DRY_BODY__WORK(double, env, centres) + DRY_BODY__CENTRE * shape,
        s->turned < 0 ? NULL : DRY_BODY__WORK(double, env, turns) + 9 * s->turned};
}

/* ---- the index of the pairs -------------------------------------------------------------- */

static bool is_plain_sphere(const dry_body__solid_shape *s) {
    return s->kind == DRY_SPHERE && s->centred;
}

static dry_body__link link_of(const dry_body__contacts *c, double pair, int first) {
    int i, j;
    dry_body__unpair(pair, &i, &j);
    const bool in_order = c->shapes[j].kind <= c->shapes[i].kind;
    const int a = in_order ? j : i, b = in_order ? i : j;
    const bool spheres = is_plain_sphere(&c->shapes[a]) && is_plain_sphere(&c->shapes[b]);
    return (dry_body__link){a, b, c->shapes[a].frame, c->shapes[b].frame, first, spheres};
}

static void index_links(const dry_body__contacts *c, const double *pairs, int n,
                        dry_body__link *links) {
    int first = 0;
    for (int k = 0; k < n; k++) {
        links[k] = link_of(c, pairs[k], first);
        first += dry_body__slots(&c->shapes[links[k].a], &c->shapes[links[k].b]);
    }
    links[n] = (dry_body__link){.first = first};
}

/* Counts, sums up, and fills from behind. */
static void index_frames(const dry_body__contacts *c, const dry_body__link *links, int n,
                         int32_t *ends, int32_t *members) {
    memset(ends, 0, ((size_t)c->n_frames + 1) * sizeof *ends);
    for (int k = 0; k < n; k++) {
        ends[links[k].frame_a]++;
        ends[links[k].frame_b]++;
    }
    for (int k = 0; k < c->n_frames; k++) ends[k + 1] += ends[k];
    for (int k = n - 1; k >= 0; k--) {
        members[--ends[links[k].frame_a]] = 2 * k;
        members[--ends[links[k].frame_b]] = 2 * k + 1;
    }
}

void dry_body__link_up(const dry_part_env *env, const double *x) {
    const dry_body__contacts *c = env->data;
    const int n = (int)x[DRY_BODY__HEAD_PAIRS];
    dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    index_links(c, DRY_BODY__WORK(double, env, pairs), n, links);
    index_frames(c, links, n, DRY_BODY__WORK(int32_t, env, ends),
                 DRY_BODY__WORK(int32_t, env, members));
    *DRY_BODY__WORK(double, env, print) = x[DRY_BODY__HEAD_PRINT];
}

void dry_body__index(const dry_part_env *env, const double *x) {
    if (*DRY_BODY__WORK(double, env, print) == x[DRY_BODY__HEAD_PRINT]) return;
    dry_body__find_pairs(env, x, 0);
    dry_body__link_up(env, x);
}
