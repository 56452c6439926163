/* grid: which shapes are near each other, looked for when something has moved by half the skin.
 *
 * Small shapes are put into the cells of a uniform grid, as wide as the largest of them and the
 * skin; the cells are the buckets of a hash table. The large ones, planes among them, are compared
 * with all others. Pairs (i, j), i > j, come out sorted by i and j, so those that stay keep their
 * slots, and the order of all sums, whatever happened before.
 *
 * skin: how far apart two shapes may be to count as near, m. */
#include "contact_private.h"

typedef struct search {
    const dry_part_env *env;
    const dry_body__contacts *c;
    const double *centres;
    int32_t *cells, *heads, *next;
    double *pairs; /* those found */
    int room;      /* for so many */
    dry_body__haul haul;
} search;

/* ---- the cells ------------------------------------------------------------------------- */

static int32_t cell_of(double x, double width) {
    const double k = floor(x / width), most = 1e9;
    return (int32_t)(k > -most ? dry_min(k, most) : -most);
}
static uint32_t bucket_of(const search *s, const int32_t cell[3]) {
    const uint32_t x = (uint32_t)cell[0], y = (uint32_t)cell[1], z = (uint32_t)cell[2];
    return (x + y * 19349663u + z * 83492791u) & (uint32_t)(s->c->buckets - 1);
}

/* From the last to the first, so that those of a bucket come in the order of their numbers. */
static void fill_cells(search *s) {
    for (int b = 0; b < s->c->buckets; b++) s->heads[b] = -1;
    for (int i = s->c->n_shapes - 1; i >= s->c->n_large; i--) {
        int32_t *cell = s->cells + 3 * i;
        for (int k = 0; k < 3; k++)
            cell[k] = cell_of(s->centres[DRY_BODY__CENTRE * i + k], s->c->cell);
        const uint32_t b = bucket_of(s, cell);
        s->next[i] = s->heads[b];
        s->heads[b] = i;
    }
}

/* ---- the pairs ---------------------------------------------------------------------------- */

static void note(search *s, int i, int j) {
    const int n = dry_body__slots(&s->c->shapes[i], &s->c->shapes[j]);
    if (n == 0) return;
    if (s->haul.n_slots + n > s->c->capacity || s->haul.n_pairs == s->room) {
        s->haul.full = true;
        return;
    }
    s->haul.n_slots += n;
    s->pairs[s->haul.n_pairs++] = dry_body__pair(i, j);
}

static void sort_from(search *s, int first) {
    for (int k = first + 1; k < s->haul.n_pairs; k++) {
        const double pair = s->pairs[k];
        int at = k;
        for (; at > first && s->pairs[at - 1] > pair; at--) s->pairs[at] = s->pairs[at - 1];
        s->pairs[at] = pair;
    }
}

static void near_large(search *s, int i) {
    const double *c = s->centres + DRY_BODY__CENTRE * i, most = c[3] + s->c->skin;
    for (int j = 0; j < i && j < s->c->n_large; j++) {
        const dry_body__placed large = dry_body__placed_at(s->env, j);
        if (dry_body__distance(&large, c) < most) note(s, i, j);
    }
}

static void near_in_cell(search *s, int i, const int32_t cell[3]) {
    const double *a = s->centres + DRY_BODY__CENTRE * i, reach = a[3] + s->c->skin;
    for (int j = s->heads[bucket_of(s, cell)]; j >= 0 && j < i; j = s->next[j]) {
        const double *b = s->centres + DRY_BODY__CENTRE * j, most = reach + b[3];
        const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        const bool is_near = dry_dot3(d, d) < most * most;
        if (is_near && memcmp(s->cells + 3 * j, cell, 3 * sizeof *cell) == 0) note(s, i, j);
    }
}

static void near_small(search *s, int i) {
    const int32_t *own = s->cells + 3 * i;
    const int first = s->haul.n_pairs;
    for (int k = 0; k < 27; k++) {
        const int32_t cell[3] = {own[0] + k % 3 - 1, own[1] + k / 3 % 3 - 1, own[2] + k / 9 - 1};
        near_in_cell(s, i, cell);
    }
    sort_from(s, first);
}

/* The pairs (i, j), j < i, of a range of i. */
static void find_range(search *s, int from, int to) {
    for (int i = from; i < to; i++) {
        near_large(s, i);
        if (i >= s->c->n_large) near_small(s, i);
    }
}

enum { MOST_THREADS = 16 };

/* Each thread takes a range and room of its own; false where one of them had too little. */
static bool find_together(search *s, double *room, size_t size, int threads) {
    search own[MOST_THREADS];
    const long n = s->c->n_shapes;
    for (int t = 0; t < threads; t++) {
        own[t] = *s;
        own[t].room = (int)(size / (size_t)threads);
        own[t].pairs = room + (size_t)t * (size_t)own[t].room;
    }
    DRY_BODY__TOGETHER(threads, n) {
        DRY_BODY__SHARED
        for (int t = 0; t < threads; t++)
            find_range(&own[t], (int)(n * t / threads), (int)(n * (t + 1) / threads));
    }
    dry_body__haul sum = {0, 0, false};
    for (int t = 0; t < threads; t++) {
        const dry_body__haul *haul = &own[t].haul;
        if (haul->full || sum.n_slots + haul->n_slots > s->c->capacity) return false;
        memcpy(s->pairs + sum.n_pairs, own[t].pairs, (size_t)haul->n_pairs * sizeof *s->pairs);
        sum.n_pairs += haul->n_pairs;
        sum.n_slots += haul->n_slots;
    }
    s->haul = sum;
    return true;
}

/* ---- the slots: what was known of a pair goes with it --------------------------------------- */

/* `old` has the pairs and then the slots as they were, `links` are theirs; both lists of pairs are
 * sorted. */
static void carry(const dry_body__contacts *c, const double *pairs, int n, const double *old,
                  const dry_body__link *links, int n_old, double *slots) {
    const size_t stride = (size_t)c->stride;
    for (int k = 0, from = 0; k < n; k++) {
        int i, j;
        dry_body__unpair(pairs[k], &i, &j);
        const size_t numbers = stride * (size_t)dry_body__slots(&c->shapes[i], &c->shapes[j]);
        while (from < n_old && old[from] < pairs[k]) from++;
        if (from < n_old && old[from] == pairs[k])
            memcpy(slots, old + n_old + stride * (size_t)links[from].first,
                   numbers * sizeof *slots);
        else
            memset(slots, 0, numbers * sizeof *slots);
        slots += numbers;
    }
}

/* A number that tells this list of pairs from others; never 0 (FNV-1a over the pairs). */
static double print_of(const double *pairs, int n) {
    uint64_t h = 14695981039346656037u;
    for (int k = 0; k < n; k++) h = (h ^ (uint64_t)pairs[k]) * 1099511628211u;
    return (double)((h >> 12) + 1u);
}

static void keep_places(const dry_body__contacts *c, const double *in, double *x) {
    for (int k = 0; k < c->n_frames; k++) {
        const double *frame = in + DRY_BODY__FRAME * k;
        memcpy(x + c->at_p + 3 * k, frame + DRY_BODY__P, 3 * sizeof *x);
        if (c->frame_q[k] >= 0)
            memcpy(x + c->at_q + 4 * c->frame_q[k], frame + DRY_BODY__Q, 4 * sizeof *x);
    }
}

/* Where a frame's rotation is not kept it does not matter. */
static void place_kept(const dry_part_env *env, const double *x) {
    const dry_body__contacts *c = env->data;
    const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < c->n_shapes; i++) {
        const int frame = c->shapes[i].frame, q = c->frame_q[frame];
        dry_body__place_one(env, i, x + c->at_p + 3 * frame,
                            q < 0 ? unturned : x + c->at_q + 4 * q);
        DRY_BODY__WORK(double, env, centres)[DRY_BODY__CENTRE * i + 3] = c->shapes[i].radius;
    }
}

dry_body__haul dry_body__find_pairs(const dry_part_env *env, const double *x, size_t used) {
    const dry_body__contacts *c = env->data;
    const int threads = env->threads < MOST_THREADS ? env->threads : MOST_THREADS;
    search s = {.env = env,
                .c = c,
                .centres = DRY_BODY__WORK(double, env, centres),
                .cells = DRY_BODY__WORK(int32_t, env, cells),
                .heads = DRY_BODY__WORK(int32_t, env, heads),
                .next = DRY_BODY__WORK(int32_t, env, next),
                .pairs = DRY_BODY__WORK(double, env, pairs),
                .room = c->capacity};
    place_kept(env, x);
    fill_cells(&s);
    if (threads < 2 || c->n_shapes < DRY_BODY__PAYS ||
        !find_together(&s, DRY_BODY__WORK(double, env, old) + used, c->old_size - used, threads))
        find_range(&s, 0, c->n_shapes);
    return s.haul;
}

void dry_body__search(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    const int n_old = (int)x[DRY_BODY__HEAD_PAIRS];
    const size_t n_slots = (size_t)c->stride * (size_t)x[DRY_BODY__HEAD_SLOTS];
    double *old = DRY_BODY__WORK(double, env, old), *pairs = DRY_BODY__WORK(double, env, pairs);
    dry_body__index(env, x);
    memcpy(old, pairs, (size_t)n_old * sizeof *old);
    memcpy(old + n_old, x + c->at_slots, n_slots * sizeof *old);
    keep_places(c, in, x);
    const dry_body__haul haul = dry_body__find_pairs(env, x, (size_t)n_old + n_slots);
    carry(c, pairs, haul.n_pairs, old, DRY_BODY__WORK(dry_body__link, env, links), n_old,
          x + c->at_slots);
    x[DRY_BODY__HEAD_PAIRS] = haul.n_pairs;
    x[DRY_BODY__HEAD_SLOTS] = haul.n_slots;
    x[DRY_BODY__HEAD_PRINT] = print_of(pairs, haul.n_pairs);
    x[DRY_BODY__HEAD_FULL] = haul.full;
    dry_body__link_up(env, x);
}

/* ---- has anything moved? ----------------------------------------------------------------------
 */

/* How far the shapes are from a plane's origin: by so much a turn of it moves its surface there. */
static double extent(const dry_body__contacts *c, const double *in, const double p[3]) {
    double square = 0.0;
    for (int k = 0; k < c->n_frames; k++) {
        const double *o = in + DRY_BODY__FRAME * k;
        const double d[3] = {o[0] - p[0], o[1] - p[1], o[2] - p[2]};
        square = dry_max(square, dry_dot3(d, d));
    }
    return sqrt(square);
}

/* By the end of the next step, if that is as long as the last, a frame's shapes will have moved by
 * its way, and by its turn times their reach. */
static double way_of(const dry_body__contacts *c, const double *in, const double *x, int k,
                     double h) {
    const double *frame = in + DRY_BODY__FRAME * k, *p = x + c->at_p + 3 * k;
    double d[3], turn[4];
    for (int i = 0; i < 3; i++) d[i] = frame[DRY_BODY__P + i] + h * frame[DRY_BODY__V + i] - p[i];
    const double way = sqrt(dry_dot3(d, d));
    if (c->frame_q[k] < 0) return way;
    const double *q = x + c->at_q + 4 * c->frame_q[k], *omega = frame + DRY_BODY__OMEGA;
    for (int i = 0; i < 4; i++) turn[i] = frame[DRY_BODY__Q + i] - q[i];
    const double angle = 2.0 * dry_norm(4, turn) + h * dry_norm(3, omega);
    if (!(angle > 0.0)) return way;
    return way + angle * (isinf(c->reach[k]) ? extent(c, in, frame) : c->reach[k]);
}

bool dry_body__moved(const dry_part_env *env, const double *in, const double *x) {
    const dry_body__contacts *c = env->data;
    const double h = env->t - x[DRY_BODY__HEAD_TIME], most = 0.5 * c->skin;
    for (int k = 0; k < c->n_frames; k++)
        if (!(way_of(c, in, x, k, h) <= most)) return true;
    return false;
}
