/* contact_search: decides when to search for pairs again, and carries the slots of pairs that stay.
 *
 * skin: how far apart two shapes may be to count as near, m. */
#include "contact_private.h"

/* ---- the slots: what was known of a pair goes with it --------------------------------------- */

typedef struct change {
    const dry_part_env *env;
    const double *in;
    double *x, *old; /* old: the pairs and then the slots as they were */
    int n_old;
    int n_old_slots; /* numbers of them */
    dry_body__haul haul;
    uint64_t *prints; /* of each piece */
} change;

static void copy_piece(const double *from, int n, dry_team_piece piece, double *to) {
    const int first = dry_piece_from(n, piece), last = dry_piece_to(n, piece);
    memcpy(to + first, from + first, (size_t)(last - first) * sizeof *to);
}

/* Notes the old pairs and slots, and where the frames are now. */
static void keep_piece(const void *data, dry_team_piece piece) {
    const change *g = data;
    const dry_body__contacts *c = g->env->data;
    const int end = dry_piece_to(c->n_frames, piece);
    copy_piece(DRY_BODY__WORK(double, g->env, pairs), g->n_old, piece, g->old);
    copy_piece(g->x + c->at_slots, g->n_old_slots, piece, g->old + g->n_old);
    for (int k = dry_piece_from(c->n_frames, piece); k < end; k++) {
        const double *frame = g->in + DRY_BODY__FRAME * k;
        memcpy(g->x + c->at_p + 3 * k, frame + DRY_BODY__P, 3 * sizeof *g->x);
        if (c->frame_q[k] >= 0)
            memcpy(g->x + c->at_q + 4 * c->frame_q[k], frame + DRY_BODY__Q, 4 * sizeof *g->x);
    }
}

/* The first of the sorted pairs that is not before `pair`. */
static int find(const double *sorted, int n, double pair) {
    int low = 0;
    while (low < n) {
        const int middle = low + (n - low) / 2;
        if (sorted[middle] < pair)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* A pair's share of the number that distinguishes a list of pairs (the last step of
 * splitmix64). */
static uint64_t print_of(double pair) {
    uint64_t h = (uint64_t)pair;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

/* The slots of a piece of the pairs; both lists of pairs are sorted, and `links` are still those of
 * the old one. */
static void carry_piece(const void *data, dry_team_piece piece) {
    const change *g = data;
    const dry_body__contacts *c = g->env->data;
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, g->env, links);
    const double *pairs = DRY_BODY__WORK(double, g->env, pairs), *old = g->old;
    const size_t stride = (size_t)c->stride;
    const dry_body__start *start = &g->haul.starts[piece.index];
    double *slots = g->x + c->at_slots + stride * (size_t)start->slot;
    int from = start->pair < start[1].pair ? find(old, g->n_old, pairs[start->pair]) : 0;
    uint64_t print = 0;
    for (int k = start->pair; k < start[1].pair; k++) {
        int i, j;
        dry_body__unpair(pairs[k], &i, &j);
        const size_t numbers = stride * (size_t)dry_body__slots_of(c, i, j);
        while (from < g->n_old && old[from] < pairs[k]) from++;
        if (from < g->n_old && old[from] == pairs[k])
            memcpy(slots, old + g->n_old + stride * (size_t)links[from].first,
                   numbers * sizeof *slots);
        else
            memset(slots, 0, numbers * sizeof *slots);
        slots += numbers;
        print += print_of(pairs[k]);
    }
    g->prints[piece.index] = print;
}

/* Of all pairs; never 0. */
static double sum_prints(const uint64_t *prints, int pieces) {
    uint64_t sum = 0;
    for (int k = 0; k < pieces; k++) sum += prints[k];
    return (double)((sum >> 12) + 1u);
}

void dry_body__search(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    uint64_t prints[DRY_BODY__MOST_PIECES];
    change g = {.env = env,
                .in = in,
                .x = x,
                .old = DRY_BODY__WORK(double, env, old),
                .n_old = (int)x[DRY_BODY__HEAD_PAIRS],
                .n_old_slots = c->stride * (int)x[DRY_BODY__HEAD_SLOTS],
                .prints = prints};
    dry_body__index(env, x);
    dry_team_run(env->team, dry_body__pieces(env, c->n_frames), keep_piece, &g);
    dry_body__find_pairs(env, x, (size_t)(g.n_old + g.n_old_slots), &g.haul);
    dry_team_run(env->team, g.haul.pieces, carry_piece, &g);
    x[DRY_BODY__HEAD_PAIRS] = g.haul.n_pairs;
    x[DRY_BODY__HEAD_SLOTS] = g.haul.n_slots;
    x[DRY_BODY__HEAD_PRINT] = sum_prints(prints, g.haul.pieces);
    x[DRY_BODY__HEAD_FULL] = g.haul.full;
    dry_body__link_up(env, x, &g.haul);
}

/* ---- has anything moved? ----------------------------------------------------------------------
 */

/* The distance of the shapes from a plane's origin: the lever arm with which a rotation of the
 * plane moves its surface there. */
static double extent(const dry_body__contacts *c, const double *in, const double p[3]) {
    double square = 0.0;
    for (int k = 0; k < c->n_frames; k++) {
        const double *o = in + DRY_BODY__FRAME * k;
        const double d[3] = {o[0] - p[0], o[1] - p[1], o[2] - p[2]};
        square = dry_max(square, dry_dot3(d, d));
    }
    return sqrt(square);
}

/* Returns true if after another h the shapes of a frame will have moved, by translation plus
 * rotation times reach, more than half the skin. */
static bool is_far(const dry_part_env *env, const double *in, const double *x, int k, double h,
                   double reach) {
    const dry_body__contacts *c = env->data;
    const double *frame = in + DRY_BODY__FRAME * k, *p = x + c->at_p + 3 * k;
    const double most = 0.5 * c->skin;
    double d[3], turn[4];
    for (int i = 0; i < 3; i++) d[i] = frame[DRY_BODY__P + i] + h * frame[DRY_BODY__V + i] - p[i];
    const double way = dry_dot3(d, d); /* squared */
    if (c->frame_q[k] < 0) return !(way <= most * most);
    const double *q = x + c->at_q + 4 * c->frame_q[k], *omega = frame + DRY_BODY__OMEGA;
    for (int i = 0; i < 4; i++) turn[i] = frame[DRY_BODY__Q + i] - q[i];
    const double angle = 2.0 * dry_norm(4, turn) + h * dry_norm(3, omega);
    return !(sqrt(way) + (angle > 0.0 ? angle * reach : 0.0) <= most);
}

/* The length of the last step; the next is assumed to be as long. */
static double last_step(const dry_part_env *env, const double *x) {
    return env->t - x[DRY_BODY__HEAD_TIME];
}

bool dry_body__frame_moved(const dry_part_env *env, const double *in, const double *x, int k) {
    const dry_body__contacts *c = env->data;
    return c->has_boxes || is_far(env, in, x, k, last_step(env, x), c->reach[k]);
}

typedef struct motions {
    dry_body__job job;
    double h;
    bool *moved; /* of each piece: whether one has */
} motions;

static void moved_piece(const void *data, dry_team_piece piece) {
    const motions *m = data;
    const dry_part_env *env = m->job.env;
    const dry_body__contacts *c = env->data;
    const double *in = m->job.in;
    const int end = dry_piece_to(c->n_frames, piece);
    int k = dry_piece_from(c->n_frames, piece);
    for (; k < end; k++) {
        if (!is_far(env, in, m->job.x, k, m->h, c->reach[k])) continue;
        if (!isinf(c->reach[k])) break;
        if (is_far(env, in, m->job.x, k, m->h, extent(c, in, in + DRY_BODY__FRAME * k))) break;
    }
    m->moved[piece.index] = k < end;
}

static bool have_moved(const dry_part_env *env, const double *in, const double *x, double h) {
    const dry_body__contacts *c = env->data;
    const int pieces = dry_body__pieces(env, c->n_frames);
    bool moved[DRY_BODY__MOST_PIECES];
    const motions m = {{.env = env, .in = in, .x = x}, h, moved};
    dry_team_run(env->team, pieces, moved_piece, &m);
    for (int k = 0; k < pieces; k++)
        if (moved[k]) return true;
    return false;
}

bool dry_body__moved(const dry_part_env *env, const double *in, const double *x) {
    return have_moved(env, in, x, last_step(env, x));
}

bool dry_body__holds(const dry_part_env *env, const double *in, const double *x) {
    return !have_moved(env, in, x, 0.0);
}
