/* contact_place: the shapes of a contact in the world, and where the slots of its pairs are. */
#include "contact_private.h"

/* ---- shapes in the world -------------------------------------------------------------- */

static void place_one(const dry_body__solid_shape *s, const double *frame, double *c, double *R) {
    double arm[3], q[4];
    if (s->centred)
        memcpy(c, frame + DRY_BODY__P, 3 * sizeof *c);
    else {
        dry_quat_rotate(frame + DRY_BODY__Q, s->centre, arm);
        for (int i = 0; i < 3; i++) c[i] = frame[DRY_BODY__P + i] + arm[i];
    }
    if (s->turned < 0) return;
    dry_quat_multiply(frame + DRY_BODY__Q, s->q, q);
    dry_body__matrix(q, R + 9 * s->turned);
}

void dry_body__place(const dry_part_env *env, const double *in) {
    const dry_body__contacts *c = env->data;
    double *centres = DRY_BODY__WORK(double, env, centres);
    double *turns = DRY_BODY__WORK(double, env, turns);
    DRY_BODY__SHARED
    for (int i = 0; i < c->n_shapes; i++) {
        const dry_body__solid_shape *s = &c->shapes[i];
        place_one(s, in + DRY_BODY__FRAME * s->frame, centres + 3 * i, turns);
    }
}

dry_body__placed dry_body__placed_at(const dry_part_env *env, int shape) {
    const dry_body__contacts *c = env->data;
    const dry_body__solid_shape *s = &c->shapes[shape];
    return (dry_body__placed){s->shape, DRY_BODY__WORK(double, env, centres) + 3 * shape,
                              s->turned < 0 ? NULL
                                            : DRY_BODY__WORK(double, env, turns) + 9 * s->turned};
}

/* ---- the index of the pairs -------------------------------------------------------------- */

static bool is_plain_sphere(const dry_body__solid_shape *s) {
    return s->kind == DRY_SPHERE && s->centred;
}

static dry_body__link link_of(const dry_body__contacts *c, double pair, int first) {
    int i, j;
    dry_body__unpair(pair, &i, &j);
    const bool in_order = c->shapes[i].kind <= c->shapes[j].kind;
    const int a = in_order ? i : j, b = in_order ? j : i;
    const bool spheres = is_plain_sphere(&c->shapes[a]) && is_plain_sphere(&c->shapes[b]);
    return (dry_body__link){a, b, c->shapes[a].frame, c->shapes[b].frame, first, spheres};
}

static void index_links(const dry_body__contacts *c, const double *pairs, int n,
                        dry_body__link *links) {
    int first = 0;
    for (int k = 0; k < n; k++) {
        links[k] = link_of(c, pairs[k], first);
        first += dry_body__slots(c->shapes[links[k].a].shape, c->shapes[links[k].b].shape);
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

void dry_body__index(const dry_part_env *env, const double *x) {
    const dry_body__contacts *c = env->data;
    const int n = (int)x[DRY_BODY__HEAD_PAIRS];
    double *print = DRY_BODY__WORK(double, env, print);
    dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    if (*print == x[DRY_BODY__HEAD_PRINT]) return;
    index_links(c, x + c->at_pairs, n, links);
    index_frames(c, links, n, DRY_BODY__WORK(int32_t, env, ends),
                 DRY_BODY__WORK(int32_t, env, members));
    *print = x[DRY_BODY__HEAD_PRINT];
}
