/* The Jacobian of the system, given or by differences, and the matrix I/gamma - J. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiff_private.h"

/* ---- the pattern --------------------------------------------------------- */

/* Entry k of the Jacobian: without one, all states and the time, column by column. */
static int row_of(const dry_system *system, int k) {
    return system->n_jacobian > 0 ? system->jacobian_row[k] : k % system->n_states;
}
static int column_of(const dry_system *system, int k) {
    return system->n_jacobian > 0 ? system->jacobian_column[k] : k / system->n_states;
}

/* Columns with their diagonal, each entry once. `first` (n + 2, zero) and `row` become the pattern;
 * slots and diagonals point into it. */
static void fill_pattern(const dry_system *system, dry_stiff__linear *to, int *first, int *row,
                         int *seen) {
    const int n = system->n_states;
    int *const bucket = seen + n, *const begin = bucket + to->n_entries;
    for (int k = 0; k < to->n_entries; k++) begin[column_of(system, k) + 1]++;
    for (int j = 0; j <= n; j++) begin[j + 1] += begin[j];
    for (int k = 0; k < to->n_entries; k++) bucket[begin[column_of(system, k)]++] = k;
    int entries = 0, next = 0;
    for (int i = 0; i < n; i++) seen[i] = -1;
    for (int j = 0; j < n; j++) {
        first[j] = seen[j] = to->diagonal[j] = entries;
        row[entries++] = j;
        for (; next < begin[j]; next++) {
            const int k = bucket[next], i = row_of(system, k);
            if (seen[i] < first[j]) {
                seen[i] = entries;
                row[entries++] = i;
            }
            to->slot[k] = seen[i];
        }
    }
    first[n] = entries;
    for (; next < to->n_entries; next++) to->slot[bucket[next]] = -1 - row_of(system, bucket[next]);
}

bool dry_stiff__jacobian_begin(dry_stiff *s) {
    const int n = s->system->n_states;
    dry_stiff__linear *to = &s->linear;
    to->n_entries = s->system->n_jacobian > 0 ? s->system->n_jacobian : n * (n + 1);
    const size_t states = (size_t)n, entries = (size_t)to->n_entries;
    to->slot = dry_arena_take(s->arena, (entries + 1) * sizeof *to->slot);
    to->entry = dry_arena_take(s->arena, (entries + 1) * sizeof *to->entry);
    to->diagonal = dry_arena_take(s->arena, states * sizeof *to->diagonal);
    int *first = calloc(states + 2, sizeof *first);
    int *row = calloc(entries + states + 1, sizeof *row);
    int *seen = calloc(2 * states + entries + 3, sizeof *seen);
    bool good = to->slot && to->entry && to->diagonal && first && row && seen;
    if (good) {
        fill_pattern(s->system, to, first, row, seen);
        good = dry_stiff__lu_begin(&to->matrix, s->arena, n, first, row);
    }
    free(first);
    free(row);
    free(seen);
    return good;
}

/* ---- values -------------------------------------------------------------- */

static void difference(dry_stiff *s, const dry_stiff__place *at, double t, double by, int column) {
    const int n = s->system->n_states;
    double *to = s->linear.entry + (size_t)column * (size_t)n;
    s->system->rate(&s->env, t, 0.0, s->point, to);
    s->counts.rates++;
    for (int i = 0; i < n; i++) to[i] = (to[i] - at->rate[i]) / by;
}

/* Forward differences; those of the time stay within the step. */
static void by_differences(dry_stiff *s, const dry_stiff__place *at) {
    const double small = sqrt(DBL_EPSILON);
    const int n = s->system->n_states;
    memcpy(s->point, at->x, (size_t)n * sizeof *s->point);
    for (int j = 0; j < n; j++) {
        const double size = fmax(fabs(at->x[j]), fabs(at->h * at->rate[j]));
        const double by = small * fmax(size, fmax(s->options.atol, DBL_MIN));
        s->point[j] = at->x[j] + copysign(by, at->rate[j]);
        difference(s, at, at->t, s->point[j] - at->x[j], j);
        s->point[j] = at->x[j];
    }
    const double t = fmin(at->last, at->t + small * fmax(fabs(at->t), at->h));
    if (t > at->t)
        difference(s, at, t, t - at->t, n);
    else
        memset(s->linear.entry + (size_t)n * (size_t)n, 0, (size_t)n * sizeof *s->linear.entry);
}

void dry_stiff__jacobian(dry_stiff *s, const dry_stiff__place *at) {
    s->counts.jacobians++;
    if (s->system->n_jacobian > 0)
        s->system->jacobian(&s->env, at->t, 0.0, at->x, s->linear.entry);
    else
        by_differences(s, at);
}

void dry_stiff__slope(const dry_stiff__linear *linear, double *slope) {
    memset(slope, 0, (size_t)linear->matrix.n * sizeof *slope);
    for (int k = 0; k < linear->n_entries; k++)
        if (linear->slot[k] < 0) slope[-1 - linear->slot[k]] += linear->entry[k];
}

bool dry_stiff__matrix(dry_stiff__linear *linear, double gamma) {
    double *value = linear->matrix.value;
    memset(value, 0, (size_t)linear->matrix.first[linear->matrix.n] * sizeof *value);
    for (int k = 0; k < linear->n_entries; k++)
        if (linear->slot[k] >= 0) value[linear->slot[k]] -= linear->entry[k];
    for (int i = 0; i < linear->matrix.n; i++) value[linear->diagonal[i]] += 1.0 / gamma;
    return dry_stiff__factor(&linear->matrix);
}
