/* grid: finds shapes that are near each other, when something has moved by half the skin.
 *
 * Small shapes are put into the cells of a uniform grid, as wide as the largest of them and the
 * skin. The cells are the buckets of a hash, those of a row one after the other, and the
 * shapes are sorted by buckets, so the neighbours of a shape lie in nine stretches of memory. Large
 * shapes, such as planes, are compared with all others. Pairs (i, j), i > j, come out sorted by i
 * and j, so those that stay keep their slots, and the order of all sums, whatever happened before.
 *
 * skin: how far apart two shapes may be to count as near, m. */
#include "contact_private.h"

/* What all pieces of a search read. */
typedef struct field {
    const dry_part_env *env;
    const dry_body__contacts *c;
    const double *x;
    double *centres;
    int32_t *cells;  /* [3] of each shape */
    int32_t *bucket; /* of each shape */
    int32_t *starts; /* of each bucket among the sorted shapes, and their end */
    int32_t *sorted; /* shapes */
    double *spots;   /* their centres and radii */
} field;

/* What one of them finds. */
typedef struct search {
    const field *f;
    double *pairs;
    int room; /* for so many */
    int n_pairs, n_slots;
    bool full;
} search;

/* ---- the cells ------------------------------------------------------------------------- */

static int32_t cell_of(double x, double width) {
    const double k = floor(x / width), most = 1e9;
    return (int32_t)(k > -most ? dry_min(k, most) : -most);
}
static uint32_t bucket_of(const field *f, int32_t x, int32_t y, int32_t z) {
    return ((uint32_t)x + (uint32_t)y * 19349663u + (uint32_t)z * 83492791u) &
           (uint32_t)(f->c->buckets - 1);
}

/* Computes the pose of a shape at the stored position of its frame, and its cell. A rotation that
 * is not stored does not matter. */
static void place_kept(const field *f, int i) {
    static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
    const int frame = f->c->shapes[i].frame, q = f->c->frame_q[frame];
    double *centre = f->centres + DRY_BODY__CENTRE * i;
    int32_t *cell = f->cells + 3 * i;
    dry_body__place_one(f->env, i, f->x + f->c->at_p + 3 * frame,
                        q < 0 ? unturned : f->x + f->c->at_q + 4 * q);
    centre[3] = f->c->radii[i];
    for (int k = 0; k < 3; k++) cell[k] = cell_of(centre[k], f->c->cell);
    f->bucket[i] = (int32_t)bucket_of(f, cell[0], cell[1], cell[2]);
}

static void place_piece(const void *data, dry_team_piece piece) {
    const field *f = data;
    const int last = dry_piece_to(f->c->n_shapes, piece);
    for (int i = dry_piece_from(f->c->n_shapes, piece); i < last; i++) place_kept(f, i);
}

/* Counts, sums up, and fills from the end: those of a bucket come in the order of their numbers. */
static void sort_small(const field *f) {
    const int first = f->c->n_large, end = f->c->n_shapes, buckets = f->c->buckets;
    memset(f->starts, 0, ((size_t)buckets + 1) * sizeof *f->starts);
    for (int i = first; i < end; i++) f->starts[f->bucket[i]]++;
    for (int b = 0; b < buckets; b++) f->starts[b + 1] += f->starts[b];
    for (int i = end - 1; i >= first; i--) f->sorted[--f->starts[f->bucket[i]]] = i;
}

static void spot_piece(const void *data, dry_team_piece piece) {
    const field *f = data;
    const int n = f->c->n_shapes - f->c->n_large, last = dry_piece_to(n, piece);
    for (int k = dry_piece_from(n, piece); k < last; k++)
        memcpy(f->spots + DRY_BODY__CENTRE * k, f->centres + DRY_BODY__CENTRE * f->sorted[k],
               DRY_BODY__CENTRE * sizeof *f->spots);
}

/* ---- the pairs ---------------------------------------------------------------------------- */

static void note(search *s, int i, int j) {
    const dry_body__contacts *c = s->f->c;
    const int n = dry_body__slots_of(c, i, j);
    if (n == 0) return;
    if (s->n_slots + n > c->capacity || s->n_pairs == s->room) {
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

static void near_large(search *s, int i) {
    const field *f = s->f;
    const double *c = f->centres + DRY_BODY__CENTRE * i, most = c[3] + f->c->skin;
    for (int j = 0; j < i && j < f->c->n_large; j++) {
        const dry_body__placed large = dry_body__put_at(f->env, j);
        if (dry_body__distance(&large, c) < most) note(s, i, j);
    }
}

/* A row of cells: of a shape's y and z, and next to it. */
typedef struct row {
    int32_t y, z;
} row;

/* Those of a stretch of the sorted shapes that are near shape i, before it, and in the row. */
static void near_in_stretch(search *s, int i, row in, int32_t from, int32_t to) {
    enum { AT_ONCE = 32 };
    const field *f = s->f;
    const double *a = f->centres + DRY_BODY__CENTRE * i, reach = a[3] + f->c->skin;
    while (from < to) {
        const int32_t end = to - from < AT_ONCE ? to : from + AT_ONCE;
        int32_t found[AT_ONCE];
        int n = 0;
        for (; from < end; from++) {
            const double *b = f->spots + DRY_BODY__CENTRE * from, most = reach + b[3];
            const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
            found[n] = f->sorted[from];
            n += (dry_dot3(d, d) < most * most) & (f->sorted[from] < i);
        }
        for (int k = 0; k < n; k++) {
            const int32_t *cell = f->cells + 3 * found[k];
            if (cell[1] == in.y && cell[2] == in.z) note(s, i, found[k]);
        }
    }
}

/* Three cells of a row, whose buckets follow each other, except at the end of the hash. */
static void near_in_row(search *s, int i, row in) {
    const field *f = s->f;
    const int32_t buckets = f->c->buckets;
    const int32_t first = (int32_t)bucket_of(f, f->cells[3 * i] - 1, in.y, in.z);
    const int32_t end = first + 3 < buckets ? first + 3 : buckets;
    near_in_stretch(s, i, in, f->starts[first], f->starts[end]);
    if (first + 3 > buckets) near_in_stretch(s, i, in, 0, f->starts[first + 3 - buckets]);
}

static void near_small(search *s, int i) {
    const int32_t *own = s->f->cells + 3 * i;
    const int first = s->n_pairs;
    for (int k = 0; k < 9; k++) near_in_row(s, i, (row){own[1] + k % 3 - 1, own[2] + k / 3 - 1});
    sort_from(s, first);
}

/* The pairs (i, j), j < i, of a range of i. */
static void find_range(search *s, int from, int to) {
    for (int i = from; i < to; i++) {
        near_large(s, i);
        if (i >= s->f->c->n_large) near_small(s, i);
    }
}

static void find_piece(const void *data, dry_team_piece piece) {
    search *const *searches = data;
    const int n = searches[0]->f->c->n_shapes;
    find_range(&(*searches)[piece.index], dry_piece_from(n, piece), dry_piece_to(n, piece));
}

/* The finds of all pieces, one after the other; false where one of them had too little room. */
static bool collect(const search *searches, int pieces, int capacity, double *pairs,
                    dry_body__haul *haul) {
    *haul = (dry_body__haul){.pieces = pieces};
    for (int t = 0; t < pieces; t++) {
        const search *s = &searches[t];
        if (s->full || haul->n_slots + s->n_slots > capacity) return false;
        if (s->pairs != pairs)
            memcpy(pairs + haul->n_pairs, s->pairs, (size_t)s->n_pairs * sizeof *pairs);
        haul->n_pairs += s->n_pairs;
        haul->n_slots += s->n_slots;
        haul->starts[t + 1] = (dry_body__start){haul->n_pairs, haul->n_slots};
    }
    return true;
}

/* Each piece takes a range of shapes, and a part of the room. */
static bool find_together(const field *f, double *room, size_t size, int pieces, double *pairs,
                          dry_body__haul *haul) {
    search searches[DRY_BODY__MOST_PIECES], *first = searches;
    const size_t each = size / (size_t)pieces;
    for (int t = 0; t < pieces; t++)
        searches[t] = (search){.f = f, .pairs = room + (size_t)t * each, .room = (int)each};
    dry_team_run(f->env->team, pieces, find_piece, &first);
    return collect(searches, pieces, f->c->capacity, pairs, haul);
}

static void find_alone(const field *f, double *pairs, dry_body__haul *haul) {
    search s = {.f = f, .pairs = pairs, .room = f->c->capacity};
    find_range(&s, 0, f->c->n_shapes);
    const bool full = s.full;
    s.full = false;
    collect(&s, 1, f->c->capacity, pairs, haul);
    haul->full = full;
}

void dry_body__find_pairs(const dry_part_env *env, const double *x, size_t used,
                          dry_body__haul *haul) {
    const dry_body__contacts *c = env->data;
    const field f = {.env = env,
                     .c = c,
                     .x = x,
                     .centres = DRY_BODY__WORK(double, env, centres),
                     .cells = DRY_BODY__WORK(int32_t, env, cells),
                     .bucket = DRY_BODY__WORK(int32_t, env, bucket),
                     .starts = DRY_BODY__WORK(int32_t, env, starts),
                     .sorted = DRY_BODY__WORK(int32_t, env, sorted),
                     .spots = DRY_BODY__WORK(double, env, spots)};
    const int pieces = dry_body__pieces(env, c->n_shapes);
    double *room = DRY_BODY__WORK(double, env, old) + used;
    double *pairs = DRY_BODY__WORK(double, env, pairs);
    dry_team_run(env->team, pieces, place_piece, &f);
    sort_small(&f);
    dry_team_run(env->team, pieces, spot_piece, &f);
    if (pieces < 2 || !find_together(&f, room, c->old_size - used, pieces, pairs, haul))
        find_alone(&f, pairs, haul);
}
