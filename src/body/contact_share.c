/* contact_share: how threads share out the pairs, and the sums of their forces.
 *
 * Pairs (i, j), i > j, are sorted by i, so each piece of them has its own range of i. It adds up
 * the forces of the frames whose first shape is in that range. All other frames that it meets are
 * those of an earlier piece: what its pairs do to them is kept, and added after that, in the order
 * of the pairs. So the sums are those of one pair after the other. */
#include "contact_private.h"

typedef struct sharing {
    const dry_part_env *env;
    int n_pairs, pieces;
    int32_t *staged; /* of each piece from 2 (its first pair) on: what will be members */
} sharing;

/* Where a piece starts: where i changes. */
static dry_body__share start_of(const sharing *s, int piece) {
    const dry_body__contacts *c = s->env->data;
    const double *pairs = DRY_BODY__WORK(double, s->env, pairs);
    int k = dry_piece_start(s->n_pairs, piece, s->pieces), i = 0, before = 0, j;
    if (k == 0) return (dry_body__share){0, 0, 0};
    for (dry_body__unpair(pairs[k - 1], &before, &j); k < s->n_pairs; k++) {
        dry_body__unpair(pairs[k], &i, &j);
        if (i != before) return (dry_body__share){k, i, 0};
    }
    return (dry_body__share){s->n_pairs, c->n_shapes, 0};
}

/* Marks the pairs of a piece, and notes what is added later. */
static void mark_piece(const void *data, int piece, int pieces) {
    const sharing *s = data;
    const dry_body__contacts *c = s->env->data;
    dry_body__share *share = DRY_BODY__WORK(dry_body__share, s->env, shares) + piece;
    dry_body__link *links = DRY_BODY__WORK(dry_body__link, s->env, links);
    int32_t *staged = s->staged + 2 * share->pair;
    (void)pieces;
    share->n_later = 0;
    for (int k = share->pair; k < share[1].pair; k++) {
        links[k].later_a = c->first[links[k].frame_a] < share->shape;
        links[k].later_b = c->first[links[k].frame_b] < share->shape;
        if (links[k].later_a) staged[share->n_later++] = 2 * k;
        if (links[k].later_b) staged[share->n_later++] = 2 * k + 1;
    }
}

static int32_t frame_of(const dry_body__link *links, int32_t member) {
    const dry_body__link *link = &links[member / 2];
    return member % 2 ? link->frame_b : link->frame_a;
}

/* Counts, sums up, and fills from behind. */
static void sort_later(const sharing *s) {
    const dry_body__contacts *c = s->env->data;
    const dry_body__share *shares = DRY_BODY__WORK(dry_body__share, s->env, shares);
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, s->env, links);
    int32_t *ends = DRY_BODY__WORK(int32_t, s->env, ends);
    int32_t *members = DRY_BODY__WORK(int32_t, s->env, members);
    memset(ends, 0, ((size_t)c->n_frames + 1) * sizeof *ends);
    for (int p = 0; p < s->pieces; p++)
        for (int m = 0; m < shares[p].n_later; m++)
            ends[frame_of(links, s->staged[2 * shares[p].pair + m])]++;
    for (int k = 0; k < c->n_frames; k++) ends[k + 1] += ends[k];
    for (int p = s->pieces - 1; p >= 0; p--)
        for (int m = shares[p].n_later - 1; m >= 0; m--) {
            const int32_t member = s->staged[2 * shares[p].pair + m];
            members[--ends[frame_of(links, member)]] = member;
        }
}

void dry_body__share_out(const dry_part_env *env, const double *x, int pieces) {
    const sharing s = {env, (int)x[DRY_BODY__HEAD_PAIRS], pieces,
                       DRY_BODY__WORK(int32_t, env, wrenches)};
    dry_body__share *shares = DRY_BODY__WORK(dry_body__share, env, shares);
    int32_t *shared = DRY_BODY__WORK(int32_t, env, shared);
    if (*shared == pieces) return;
    *shared = pieces;
    for (int p = 0; p <= pieces; p++) shares[p] = start_of(&s, p);
    dry_team_run(env->team, pieces, mark_piece, &s);
    sort_later(&s);
}
