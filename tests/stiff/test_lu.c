/* Sparse LU against the matrix itself, on random patterns with easy and with hard pivots. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiff/stiff_private.h"

enum { MOST = 60 };

static uint64_t seed = 1;
static double uniform(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct problem {
    int n, first[MOST + 1], row[MOST * MOST];
} problem;

static void random_pattern(problem *p, int n, double density) {
    int entries = 0;
    p->n = n;
    for (int j = 0; j < n; j++) {
        p->first[j] = entries;
        for (int i = 0; i < n; i++)
            if (i == j || uniform() < density) p->row[entries++] = i;
    }
    p->first[n] = entries;
}

/* Values in units that differ by up to 1e6 from row to row; `diagonal` times those beside it. */
static void random_values(dry_stiff__lu *lu, double diagonal) {
    for (int j = 0; j < lu->n; j++)
        for (int k = lu->first[j]; k < lu->first[j + 1]; k++) {
            const double unit = pow(10.0, (lu->row[k] * 7) % 7 - 3);
            lu->value[k] = unit * (uniform() - 0.5) * (lu->row[k] == j ? diagonal : 1.0);
        }
}

/* The residual of A x = b, each row over its largest entry times the largest unknown. */
static double residual(const dry_stiff__lu *lu, const double *x, const double *b) {
    double sum[MOST], size[MOST] = {0.0}, worst = 0.0, largest = 0.0;
    for (int i = 0; i < lu->n; i++) {
        sum[i] = -b[i];
        largest = fmax(largest, fabs(x[i]));
    }
    for (int j = 0; j < lu->n; j++)
        for (int k = lu->first[j]; k < lu->first[j + 1]; k++) {
            sum[lu->row[k]] += lu->value[k] * x[j];
            size[lu->row[k]] = fmax(size[lu->row[k]], fabs(lu->value[k]));
        }
    for (int i = 0; i < lu->n; i++) worst = fmax(worst, fabs(sum[i]) / (size[i] * largest));
    return worst;
}

static double solve_once(dry_stiff__lu *lu) {
    double b[MOST], x[MOST], work[MOST];
    for (int i = 0; i < lu->n; i++) b[i] = x[i] = uniform() - 0.5;
    assert_true(dry_stiff__factor(lu));
    dry_stiff__solve(lu, x, work);
    return residual(lu, x, b);
}

/* A pivot of a thousandth of its column may let entries grow 1e3 times, and that twice: 1e-16
 * becomes 1e-10. A diagonal of 0 leaves no choice but other pivots. */
static void random_matrices(void **state) {
    (void)state;
    static problem p;
    const double diagonals[] = {10.0, 1.0, 1e-6, 0.0};
    for (int trial = 0; trial < 400; trial++) {
        dry_arena *arena = dry_arena_new(0);
        dry_stiff__lu lu;
        random_pattern(&p, 1 + (int)(uniform() * (MOST - 1)), trial % 5 == 0 ? 0.9 : 0.1);
        assert_true(dry_stiff__lu_begin(&lu, arena, p.n, p.first, p.row));
        const double diagonal = diagonals[trial % 4];
        for (int again = 0; again < 3; again++) {
            random_values(&lu, diagonal);
            const bool full = p.n > 8 && p.first[p.n] > 0.8 * p.n * p.n;
            if (diagonal == 0.0 && !full) break; /* may be singular */
            const double r = solve_once(&lu);
            if (r > 1e-10) print_error("trial %d, n %d: %g\n", trial, p.n, r);
            below(r, 1e-10);
        }
        if (diagonal == 10.0) at_most(lu.pivots, 3);
        dry_arena_free(arena);
    }
}

/* Pivots of one matrix serve the next of its kind. */
static void pivots_are_kept(void **state) {
    (void)state;
    static problem p;
    dry_arena *arena = dry_arena_new(0);
    dry_stiff__lu lu;
    random_pattern(&p, 50, 0.05);
    assert_true(dry_stiff__lu_begin(&lu, arena, p.n, p.first, p.row));
    for (int k = 0; k < 20; k++) {
        random_values(&lu, 1.0);
        for (int j = 0; j < p.n; j++)
            for (int i = p.first[j]; i < p.first[j + 1]; i++)
                if (p.row[i] == j) lu.value[i] = 100.0 * pow(10.0, (j * 7) % 7 - 3);
        below(solve_once(&lu), 1e-13);
    }
    assert_int_equal(lu.factors, 20);
    assert_int_equal(lu.pivots, 1);
    dry_arena_free(arena);
}

static void singular_matrices(void **state) {
    (void)state;
    const int first[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    dry_arena *arena = dry_arena_new(0);
    dry_stiff__lu lu;
    assert_true(dry_stiff__lu_begin(&lu, arena, 2, first, row));
    const double singular[] = {1.0, 2.0, 2.0, 4.0}, empty[] = {0.0, 1.0, 0.0, 1.0},
                 wrong[] = {1.0, (double)NAN, 0.0, 1.0}, good[] = {0.0, 1.0, 1.0, 0.0};
    const double *const bad[] = {singular, empty, wrong};
    for (int k = 0; k < 3; k++) {
        memcpy(lu.value, bad[k], sizeof singular);
        assert_false(dry_stiff__factor(&lu));
    }
    double b[] = {3.0, 5.0}, work[2]; /* and it recovers */
    memcpy(lu.value, good, sizeof good);
    assert_true(dry_stiff__factor(&lu));
    dry_stiff__solve(&lu, b, work);
    equal(b[0], 5.0);
    equal(b[1], 3.0);
    dry_arena_free(arena);
}

/* ---- the order ----------------------------------------------------------- */

/* The fill of a tridiagonal matrix is none: n - 1 entries below the diagonal. So is that of a star,
 * whose hub must come last but one. */
static void no_fill_where_none_is_needed(void **state) {
    (void)state;
    static problem p;
    int order[MOST];
    long fill;
    for (int star = 0; star < 2; star++) {
        int entries = 0;
        p.n = MOST;
        for (int j = 0; j < MOST; j++) {
            p.first[j] = entries;
            for (int i = 0; i < MOST; i++)
                if (star ? i == j || i == 0 || j == 0 : abs(i - j) <= 1) p.row[entries++] = i;
        }
        p.first[MOST] = entries;
        assert_true(dry_stiff__order(MOST, p.first, p.row, order, &fill));
        assert_int_equal(fill, MOST - 1);
    }
}

/* Every column once, and the fill told is that of an elimination by hand. */
static void fill_is_exact(void **state) {
    (void)state;
    static problem p;
    static bool near[MOST][MOST];
    for (int trial = 0; trial < 50; trial++) {
        int order[MOST];
        bool gone[MOST] = {false};
        long fill, counted = 0;
        random_pattern(&p, MOST, 0.04);
        memset(near, 0, sizeof near);
        for (int j = 0; j < MOST; j++)
            for (int k = p.first[j]; k < p.first[j + 1]; k++)
                near[j][p.row[k]] = near[p.row[k]][j] = true;
        assert_true(dry_stiff__order(MOST, p.first, p.row, order, &fill));
        for (int k = 0; k < MOST; k++) {
            const int q = order[k];
            assert_false(gone[q]);
            gone[q] = true;
            for (int i = 0; i < MOST; i++) {
                if (gone[i] || !near[q][i]) continue;
                counted++;
                for (int j = 0; j < MOST; j++)
                    if (!gone[j] && near[q][j]) near[i][j] = near[j][i] = true;
            }
        }
        assert_int_equal(fill, counted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices),   cmocka_unit_test(pivots_are_kept),
        cmocka_unit_test(singular_matrices), cmocka_unit_test(no_fill_where_none_is_needed),
        cmocka_unit_test(fill_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
