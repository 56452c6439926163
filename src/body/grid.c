/* grid: which shapes are near each other, looked for when something has moved by half the skin.
 *
 * Small shapes are put into the cells of a uniform grid, as wide as the largest of them and the
 * skin; the cells are the buckets of a hash table. The large ones, planes among them, are compared
 * with all others. Pairs (i, j), i < j, come out sorted by i and j, so those that stay keep their
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
    int n_pairs, n_slots;
    bool full;
} search;

/* ---- the cells ------------------------------------------------------------------------- */

static int32_t cell_of(double x, double width) {
    const double k = floor(x / width), most = 1e9;
    return (int32_t)(k > -most ? dry_min(k, most) : -most);
}
static uint32_t bucket_of(const search *s, int32_t x, int32_t y, int32_t z) {
    const uint32_t h = (uint32_t)x + (uint32_t)y * 19349663u + (uint32_t)z * 83492791u;
    return h & (uint32_t)(s->c->buckets - 1);
}

static void fill_cells(search *s) {
    for (int b = 0; b < s->c->buckets; b++) s->heads[b] = -1;
    for (int i = s->c->n_shapes - 1; i >= s->c->n_large; i--) {
        int32_t *cell = s->cells + 3 * i;
        for (int k = 0; k < 3; k++) cell[k] = cell_of(s->centres[3 * i + k], s->c->cell);
        const uint32_t b = bucket_of(s, cell[0], cell[1], cell[2]);
        s->next[i] = s->heads[b];
        s->heads[b] = i;
    }
}

/* ---- the pairs ---------------------------------------------------------------------------- */

static int slots_of(const search *s, int i, int j) {
    const dry_body__solid_shape *a = &s->c->shapes[i], *b = &s->c->shapes[j];
    if (a->frame == b->frame) return 0;
    return a->kind <= b->kind ? dry_body__slots(a->shape, b->shape)
                              : dry_body__slots(b->shape, a->shape);
}

static void note(search *s, int i, int j) {
    const int n = slots_of(s, i, j);
    if (n == 0) return;
    if (s->n_slots + n > s->c->capacity) {
        s->full = true;
        return;
    }
    s->n_slots += n;
    s->pairs[s->n_pairs++] = dry_body__pair(i, j);
}

static void sort_from(search *s, int first) {
    for (int k = first + 1; k < s->n_pairs; k++) {
        const double pair = s->pairs[k];
        int at = k;
        for (; at > first && s->pairs[at - 1] > pair; at--) s->pairs[at] = s->pairs[at - 1];
        s->pairs[at] = pair;
    }
}

static bool are_near(const search *s, int i, int j) {
    const double *a = s->centres + 3 * i, *b = s->centres + 3 * j;
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double most = s->c->shapes[i].radius + s->c->shapes[j].radius + s->c->skin;
    return dry_dot3(d, d) < most * most;
}

static void near_in_cell(search *s, int i, int32_t x, int32_t y, int32_t z) {
    for (int j = s->heads[bucket_of(s, x, y, z)]; j >= 0; j = s->next[j]) {
        const int32_t *cell = s->cells + 3 * j;
        if (j > i && cell[0] == x && cell[1] == y && cell[2] == z && are_near(s, i, j))
            note(s, i, j);
    }
}

static void near_small(search *s, int i) {
    const int32_t *cell = s->cells + 3 * i;
    const int first = s->n_pairs;
    for (int32_t z = cell[2] - 1; z <= cell[2] + 1; z++)
        for (int32_t y = cell[1] - 1; y <= cell[1] + 1; y++)
            for (int32_t x = cell[0] - 1; x <= cell[0] + 1; x++) near_in_cell(s, i, x, y, z);
    sort_from(s, first);
}

static void near_large(search *s, int i) {
    const dry_body__placed large = dry_body__placed_at(s->env, i);
    for (int j = i + 1; j < s->c->n_shapes; j++) {
        const dry_body__solid_shape *other = &s->c->shapes[j];
        if (dry_body__distance(&large, s->centres + 3 * j) < other->radius + s->c->skin)
            note(s, i, j);
    }
}

/* ---- the slots: what was known of a pair goes with it --------------------------------------- */

static int pair_slots(const search *s, double pair) {
    int i, j;
    dry_body__unpair(pair, &i, &j);
    return slots_of(s, i, j);
}

/* `old` has the pairs and then the slots as they were; both lists are sorted. */
static void carry(const search *s, const double *old, int n_old, const double *old_slots,
                  double *slots) {
    const size_t stride = (size_t)s->c->stride;
    int k = 0;
    for (int n = 0; n < s->n_pairs; n++) {
        for (; k < n_old && old[k] < s->pairs[n]; k++)
            old_slots += stride * (size_t)pair_slots(s, old[k]);
        const size_t numbers = stride * (size_t)pair_slots(s, s->pairs[n]);
        if (k < n_old && old[k] == s->pairs[n])
            memcpy(slots, old_slots, numbers * sizeof *slots);
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

void dry_body__search(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    const int n_old = (int)x[DRY_BODY__HEAD_PAIRS];
    const size_t n_slots = (size_t)c->stride * (size_t)x[DRY_BODY__HEAD_SLOTS];
    double *old = DRY_BODY__WORK(double, env, old);
    search s = {.env = env,
                .c = c,
                .centres = DRY_BODY__WORK(double, env, centres),
                .cells = DRY_BODY__WORK(int32_t, env, cells),
                .heads = DRY_BODY__WORK(int32_t, env, heads),
                .next = DRY_BODY__WORK(int32_t, env, next),
                .pairs = x + c->at_pairs};
    memcpy(old, s.pairs, (size_t)n_old * sizeof *old);
    memcpy(old + n_old, x + c->at_slots, n_slots * sizeof *old);
    fill_cells(&s);
    for (int i = 0; i < c->n_large; i++) near_large(&s, i);
    for (int i = c->n_large; i < c->n_shapes; i++) near_small(&s, i);
    carry(&s, old, n_old, old + n_old, x + c->at_slots);
    keep_places(c, in, x);
    x[DRY_BODY__HEAD_PAIRS] = s.n_pairs;
    x[DRY_BODY__HEAD_SLOTS] = s.n_slots;
    x[DRY_BODY__HEAD_PRINT] = print_of(s.pairs, s.n_pairs);
    x[DRY_BODY__HEAD_FULL] = s.full;
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
