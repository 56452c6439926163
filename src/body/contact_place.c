/* contact_place: computes the poses of the shapes of a contact in the world, and the offsets of the
 * slots of its pairs. */
#include "contact_private.h"

/* ---- shapes in the world -------------------------------------------------------------- */

/* Does not write values that stay the same, because that would invalidate the caches of other
 * threads. */
static void update(int n, const double *from, double *to) {
    if (memcmp(to, from, (size_t)n * sizeof *to) != 0) memcpy(to, from, (size_t)n * sizeof *to);
}

void dry_body__place_one(const dry_part_env *env, int shape, const double p[3], const double q[4]) {
    const dry_body__contacts *contacts = env->data;
    const dry_body__solid_shape *s = &contacts->shapes[shape];
    double *c = DRY_BODY__WORK(double, env, centres) + DRY_BODY__CENTRE * shape;
    double arm[3], turn[4], R[9];
    if (s->centred) {
        update(3, p, c);
    } else {
        dry_quat_rotate(q, s->centre, arm);
        for (int i = 0; i < 3; i++) arm[i] += p[i];
        update(3, arm, c);
    }
    if (s->turned < 0) return;
    dry_quat_multiply(q, s->q, turn);
    dry_body__matrix(turn, R);
    update(9, R, DRY_BODY__WORK(double, env, turns) + 9 * s->turned);
}

static void place_piece(const void *data, dry_team_piece piece) {
    const dry_body__job *job = data;
    const dry_body__contacts *c = job->env->data;
    const int end = dry_piece_to(c->n_to_place, piece);
    for (int k = dry_piece_from(c->n_to_place, piece); k < end; k++) {
        const int i = c->to_place[k];
        const double *frame = job->in + DRY_BODY__FRAME * c->shapes[i].frame;
        dry_body__place_one(job->env, i, frame + DRY_BODY__P, frame + DRY_BODY__Q);
    }
}

void dry_body__place(const dry_part_env *env, const double *in) {
    const dry_body__contacts *c = env->data;
    const dry_body__job job = {.env = env, .in = in};
    dry_team_run(env->team, dry_team_pieces(env->team, c->n_to_place), place_piece, &job);
}

dry_body__placed dry_body__put_at(const dry_part_env *env, int shape) {
    const dry_body__contacts *c = env->data;
    const dry_body__solid_shape *s = &c->shapes[shape];
    return (dry_body__placed){
        s->shape, DRY_BODY__WORK(double, env, centres) + DRY_BODY__CENTRE * shape,
        s->turned < 0 ? NULL : DRY_BODY__WORK(double, env, turns) + 9 * s->turned};
}

/* ---- the index of the pairs -------------------------------------------------------------- */

static dry_body__link link_of(const dry_body__contacts *c, double pair, int first) {
    int i, j;
    dry_body__unpair(pair, &i, &j);
    const bool in_order = c->shapes[j].kind <= c->shapes[i].kind;
    const int a = in_order ? j : i, b = in_order ? i : j;
    const bool spheres = c->shapes[a].plain && c->shapes[b].plain;
    return (dry_body__link){.a = a,
                            .b = b,
                            .frame_a = c->shapes[a].frame,
                            .frame_b = c->shapes[b].frame,
                            .first = first,
                            .spheres = spheres};
}

typedef struct listing {
    const dry_body__contacts *c;
    const double *pairs;
    const dry_body__haul *haul;
    dry_body__link *links;
} listing;

static void link_piece(const void *data, dry_team_piece piece) {
    const listing *l = data;
    const dry_body__start *start = &l->haul->starts[piece.index];
    int first = start->slot;
    for (int k = start->pair; k < start[1].pair; k++) {
        l->links[k] = link_of(l->c, l->pairs[k], first);
        first += dry_body__slots_of(l->c, l->links[k].a, l->links[k].b);
    }
}

/* ---- the index of all that follows from the pairs ------------------------------------------- */

void dry_body__link_up(const dry_part_env *env, const double *x, const dry_body__haul *haul) {
    const dry_body__contacts *c = env->data;
    const int n = haul->n_pairs;
    dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    const listing l = {c, DRY_BODY__WORK(double, env, pairs), haul, links};
    dry_team_run(env->team, haul->pieces, link_piece, &l);
    links[n] = (dry_body__link){.first = haul->n_slots};
    *DRY_BODY__WORK(int32_t, env, shared) = 0; /* not yet */
    *DRY_BODY__WORK(double, env, print) = x[DRY_BODY__HEAD_PRINT];
}

void dry_body__index(const dry_part_env *env, const double *x) {
    dry_body__haul haul;
    if (*DRY_BODY__WORK(double, env, print) == x[DRY_BODY__HEAD_PRINT]) return;
    dry_body__find_pairs(env, x, 0, &haul);
    dry_body__link_up(env, x, &haul);
}
