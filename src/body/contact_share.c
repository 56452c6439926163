/* contact_share: divides the pairs, and the sums of their forces, among threads.
 *
 * Pairs (i, j), i > j, are sorted by i, so each block of them has its own range of i. It adds up
 * the forces of the frames whose first shape is in that range. All other frames of its pairs belong
 * to earlier blocks: the forces on them are stored, and added after those of that block, in the
 * order of the pairs. So the sums equal those of one pair after the other. A thread runs the pieces
 * of its block in order. If another thread runs one of them, all its forces are stored and added
 * afterwards. */
#include "contact_private.h"

typedef struct sharing {
    const dry_part_env *env;
    int n_pairs, pieces;
    int32_t *staged; /* of each piece from 2 (its first pair) on: 2 k or 2 k + 1 of what is later */
} sharing;

/* Where a piece starts: where i changes. */
static dry_body__share start_of(const sharing *s, int piece) {
    const dry_body__contacts *c = s->env->data;
    const double *pairs = DRY_BODY__WORK(double, s->env, pairs);
    int k = dry_piece_start(s->n_pairs, piece, s->pieces), i = 0, before = 0, j;
    if (k == 0) return (dry_body__share){0};
    for (dry_body__unpair(pairs[k - 1], &before, &j); k < s->n_pairs; k++) {
        dry_body__unpair(pairs[k], &i, &j);
        if (i != before) return (dry_body__share){.pair = k, .shape = i};
    }
    return (dry_body__share){.pair = s->n_pairs, .shape = c->n_shapes};
}

/* The first piece of the block that a piece is in. */
static int block_start(const sharing *s, int piece) {
    const int blocks = dry_team_blocks(s->env->team);
    int block = 0;
    while (dry_piece_start(s->pieces, block + 1, blocks) <= piece) block++;
    return dry_piece_start(s->pieces, block, blocks);
}

/* Marks the pairs of a piece, and notes what is added later. */
static void mark_piece(const void *data, dry_team_piece piece) {
    const sharing *s = data;
    const dry_body__contacts *c = s->env->data;
    dry_body__share *shares = DRY_BODY__WORK(dry_body__share, s->env, shares);
    dry_body__share *share = shares + piece.index;
    const int first = shares[block_start(s, piece.index)].shape;
    dry_body__link *links = DRY_BODY__WORK(dry_body__link, s->env, links);
    int32_t *staged = s->staged + 2 * share->pair;
    share->n_later = 0;
    for (int k = share->pair; k < share[1].pair; k++) {
        links[k].later_a = c->first[links[k].frame_a] < first;
        links[k].later_b = c->first[links[k].frame_b] < first;
        if (links[k].later_a) staged[share->n_later++] = 2 * k;
        if (links[k].later_b) staged[share->n_later++] = 2 * k + 1;
    }
}

static int32_t frame_of(const dry_body__link *links, int32_t note) {
    const dry_body__link *link = &links[note / 2];
    return note % 2 ? link->frame_b : link->frame_a;
}

/* Counts, sums up, and fills from the end. */
static void sort_later(const sharing *s) {
    const dry_body__contacts *c = s->env->data;
    const dry_body__share *shares = DRY_BODY__WORK(dry_body__share, s->env, shares);
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, s->env, links);
    int32_t *ends = DRY_BODY__WORK(int32_t, s->env, ends);
    int32_t *places = DRY_BODY__WORK(int32_t, s->env, places);
    memset(ends, 0, ((size_t)c->n_frames + 1) * sizeof *ends);
    for (int p = 0; p < s->pieces; p++)
        for (int m = 0; m < shares[p].n_later; m++)
            ends[frame_of(links, s->staged[2 * shares[p].pair + m])]++;
    for (int k = 0; k < c->n_frames; k++) ends[k + 1] += ends[k];
    for (int p = s->pieces - 1; p >= 0; p--)
        for (int m = shares[p].n_later - 1; m >= 0; m--) {
            const int32_t note = s->staged[2 * shares[p].pair + m];
            places[note] = --ends[frame_of(links, note)];
        }
}

/* One force for each slot has room. */
static bool fits(const sharing *s) {
    const dry_body__contacts *c = s->env->data;
    const dry_body__share *shares = DRY_BODY__WORK(dry_body__share, s->env, shares);
    int n = 0;
    for (int p = 0; p < s->pieces; p++) n += shares[p].n_later;
    return n <= c->capacity;
}

bool dry_body__share_out(const dry_part_env *env, const double *x, int pieces) {
    const sharing s = {env, (int)x[DRY_BODY__HEAD_PAIRS], pieces,
                       DRY_BODY__WORK(int32_t, env, wrenches)};
    dry_body__share *shares = DRY_BODY__WORK(dry_body__share, env, shares);
    int32_t *shared = DRY_BODY__WORK(int32_t, env, shared);
    if (*shared == pieces || *shared == DRY_BODY__NOT_SHARED) return *shared == pieces;
    for (int p = 0; p <= pieces; p++) shares[p] = start_of(&s, p);
    dry_team_run(env->team, pieces, mark_piece, &s);
    *shared = fits(&s) ? pieces : DRY_BODY__NOT_SHARED;
    if (*shared == pieces) sort_later(&s);
    return *shared == pieces;
}
