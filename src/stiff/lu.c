/* Sparse LU by columns (Gilbert, Peierls 1988), with scaled rows. The diagonal is the pivot if it
 * is not too small. Later matrices of the same pattern reuse the pivots and the pattern of the
 * factors as long as the pivots are large enough. */
#include <math.h>
#include <string.h>

#include "stiff_private.h"

/* A pivot must have this part of the largest entry of its column: to be chosen, to be kept. */
static const double CHOSEN = 1e-2, KEPT = 1e-3;

/* ---- memory -------------------------------------------------------------- */

static void *take(dry_arena *arena, long count, size_t bytes) {
    return dry_arena_take(arena, (size_t)(count > 0 ? count : 1) * bytes);
}

static bool take_factors(dry_stiff__lu *lu, dry_arena *arena, long fill) {
    const long n = lu->n, most = n * (n - 1) / 2, wanted = 3 * fill + 16 * n;
    lu->room_L = lu->room_U = wanted < most ? wanted : most;
    lu->row_L = take(arena, lu->room_L, sizeof(int));
    lu->number_U = take(arena, lu->room_U, sizeof(int));
    lu->L = take(arena, lu->room_L, sizeof(double));
    lu->U = take(arena, lu->room_U, sizeof(double));
    return lu->row_L && lu->number_U && lu->L && lu->U;
}

static bool take_vectors(dry_stiff__lu *lu, dry_arena *arena) {
    int **const ints[] = {&lu->order, &lu->pivot, &lu->position, &lu->stack, &lu->path, &lu->mark};
    double **const numbers[] = {&lu->diagonal, &lu->scale, &lu->x};
    long **const longs[] = {&lu->first_L, &lu->first_U, &lu->next};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (!(*ints[i] = take(arena, lu->n, sizeof(int)))) return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(*numbers[i] = take(arena, lu->n, sizeof(double)))) return false;
    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
        if (!(*longs[i] = take(arena, lu->n + 1, sizeof(long)))) return false;
    return true;
}

bool dry_stiff__lu_begin(dry_stiff__lu *lu, dry_arena *arena, int n, const int *first,
                         const int *row) {
    long fill;
    *lu = (dry_stiff__lu){.n = n};
    lu->first = take(arena, n + 1, sizeof(int));
    lu->row = take(arena, first[n], sizeof(int));
    lu->value = take(arena, first[n], sizeof(double));
    if (!lu->first || !lu->row || !lu->value || !take_vectors(lu, arena)) return false;
    memcpy(lu->first, first, ((size_t)n + 1) * sizeof *first);
    memcpy(lu->row, row, (size_t)first[n] * sizeof *row);
    return dry_stiff__order(n, first, row, lu->order, &fill) && take_factors(lu, arena, fill);
}

/* ---- what both ways share ------------------------------------------------ */

static bool set_scale(dry_stiff__lu *lu) {
    memset(lu->scale, 0, (size_t)lu->n * sizeof *lu->scale);
    for (int k = 0; k < lu->first[lu->n]; k++) {
        const double size = fabs(lu->value[k]);
        if (!(size <= lu->scale[lu->row[k]])) lu->scale[lu->row[k]] = size;
    }
    for (int i = 0; i < lu->n; i++) {
        if (!(lu->scale[i] > 0.0) || !isfinite(lu->scale[i])) return false;
        lu->scale[i] = 1.0 / lu->scale[i];
    }
    return true;
}

static void scatter(dry_stiff__lu *lu, int column) {
    for (int k = lu->first[column]; k < lu->first[column + 1]; k++)
        lu->x[lu->row[k]] = lu->value[k] * lu->scale[lu->row[k]];
}

static void subtract(dry_stiff__lu *lu, int number, double u) {
    for (long k = lu->first_L[number]; k < lu->first_L[number + 1]; k++)
        lu->x[lu->row_L[k]] -= lu->L[k] * u;
}

/* ---- new pivots ---------------------------------------------------------- */

/* Depth first from a row through the columns of L; a finished row goes below `top` in the stack, so
 * each row comes before those that need it. */
static int search(dry_stiff__lu *lu, int row, int stamp, int top) {
    int depth = 0;
    lu->path[0] = row;
    lu->mark[row] = stamp;
    lu->next[0] = lu->position[row] >= 0 ? lu->first_L[lu->position[row]] : 0;
    while (depth >= 0) {
        const int i = lu->path[depth], number = lu->position[i];
        const long end = number >= 0 ? lu->first_L[number + 1] : 0;
        long k = lu->next[depth];
        while (k < end && lu->mark[lu->row_L[k]] == stamp) k++;
        if (k >= end) {
            lu->stack[--top] = i;
            depth--;
            continue;
        }
        const int below = lu->row_L[k];
        lu->next[depth] = k + 1;
        lu->mark[below] = stamp;
        lu->path[++depth] = below;
        lu->next[depth] = lu->position[below] >= 0 ? lu->first_L[lu->position[below]] : 0;
    }
    return top;
}

static int reach(dry_stiff__lu *lu, int column, int stamp) {
    int top = lu->n;
    for (int k = lu->first[column]; k < lu->first[column + 1]; k++)
        if (lu->mark[lu->row[k]] != stamp) top = search(lu, lu->row[k], stamp, top);
    return top;
}

/* The row of the pivot: the diagonal if it is large enough, else the largest entry; -1 if all are
 * 0. */
static int choose_pivot(const dry_stiff__lu *lu, int top, int column, double least) {
    double largest = 0.0;
    int chosen = -1;
    for (int k = top; k < lu->n; k++) {
        const int i = lu->stack[k];
        if (lu->position[i] >= 0 || !(fabs(lu->x[i]) > largest)) continue;
        largest = fabs(lu->x[i]);
        chosen = i;
    }
    const double own = fabs(lu->x[column]);
    const bool diagonal = lu->position[column] < 0 && own > 0.0 && own >= least * largest;
    return diagonal ? column : chosen;
}

/* Stores pivot `number` and its columns of L and U; x becomes 0 again. False: no room. */
static bool store(dry_stiff__lu *lu, int number, int top, int pivot) {
    long n_L = lu->first_L[number], n_U = lu->first_U[number];
    const double size = lu->x[pivot];
    bool fits = true;
    lu->diagonal[number] = size;
    for (int k = top; k < lu->n; k++) {
        const int i = lu->stack[k];
        const double value = lu->x[i];
        lu->x[i] = 0.0;
        const bool above = lu->position[i] >= 0;
        if (i == pivot) continue;
        fits = fits && (above ? n_U < lu->room_U : n_L < lu->room_L);
        if (!fits) continue;
        if (above) {
            lu->number_U[n_U] = lu->position[i];
            lu->U[n_U++] = value;
        } else {
            lu->row_L[n_L] = i;
            lu->L[n_L++] = value / size;
        }
    }
    lu->position[pivot] = number;
    lu->pivot[number] = pivot;
    lu->first_L[number + 1] = n_L;
    lu->first_U[number + 1] = n_U;
    return fits;
}

static void clear(dry_stiff__lu *lu, int top) {
    for (int k = top; k < lu->n; k++) lu->x[lu->stack[k]] = 0.0;
}

static bool with_pivots(dry_stiff__lu *lu, double least) {
    for (int i = 0; i < lu->n; i++) lu->position[i] = lu->mark[i] = -1;
    lu->pivots++;
    for (int number = 0; number < lu->n; number++) {
        const int column = lu->order[number], top = reach(lu, column, number);
        scatter(lu, column);
        for (int k = top; k < lu->n; k++) {
            const int i = lu->stack[k];
            if (lu->position[i] >= 0) subtract(lu, lu->position[i], lu->x[i]);
        }
        const int pivot = choose_pivot(lu, top, column, least);
        if (pivot < 0 || !isfinite(lu->x[pivot])) {
            clear(lu, top);
            return false;
        }
        if (!store(lu, number, top, pivot)) return false;
    }
    return true;
}

/* ---- the pivots of before ------------------------------------------------ */

static bool refactor_column(dry_stiff__lu *lu, int number) {
    double largest = 0.0;
    scatter(lu, lu->order[number]);
    for (long k = lu->first_U[number]; k < lu->first_U[number + 1]; k++) {
        const int other = lu->number_U[k];
        lu->U[k] = lu->x[lu->pivot[other]];
        lu->x[lu->pivot[other]] = 0.0;
        subtract(lu, other, lu->U[k]);
    }
    const double size = lu->x[lu->pivot[number]];
    lu->x[lu->pivot[number]] = 0.0;
    lu->diagonal[number] = size;
    for (long k = lu->first_L[number]; k < lu->first_L[number + 1]; k++) {
        const double value = lu->x[lu->row_L[k]];
        if (!(fabs(value) <= largest)) largest = fabs(value);
        lu->L[k] = value / size;
        lu->x[lu->row_L[k]] = 0.0;
    }
    return fabs(size) > 0.0 && isfinite(size) && fabs(size) >= KEPT * largest;
}

static bool refactor(dry_stiff__lu *lu) {
    for (int number = 0; number < lu->n; number++)
        if (!refactor_column(lu, number)) return false;
    return true;
}

bool dry_stiff__factor(dry_stiff__lu *lu) {
    lu->factors++;
    if (!set_scale(lu)) return false;
    if (lu->has_pivots && refactor(lu)) return true;
    lu->has_pivots = with_pivots(lu, CHOSEN) || with_pivots(lu, 0.0);
    return lu->has_pivots;
}

/* ---- solving ------------------------------------------------------------- */

void dry_stiff__solve(const dry_stiff__lu *lu, double *b, double *work) {
    const int n = lu->n;
    for (int i = 0; i < n; i++) b[i] *= lu->scale[i];
    for (int number = 0; number < n; number++) {
        const double y = work[number] = b[lu->pivot[number]];
        for (long k = lu->first_L[number]; k < lu->first_L[number + 1]; k++)
            b[lu->row_L[k]] -= lu->L[k] * y;
    }
    for (int number = n - 1; number >= 0; number--) {
        const double y = work[number] /= lu->diagonal[number];
        for (long k = lu->first_U[number]; k < lu->first_U[number + 1]; k++)
            work[lu->number_U[k]] -= lu->U[k] * y;
    }
    for (int number = 0; number < n; number++) b[lu->order[number]] = work[number];
}
