/* dry_solve: known solutions, bad scaling, singular matrices. */
#include "unit.h"

#include "math/random.h"
#include <drystone/math.h>
#include <float.h>
#include <string.h>

enum { MOST = 60 };

static void by_hand(void **state) {
    (void)state;
    double A[9] = {0, 2, 1, 1, -2, -3, -1, 1, 2}, b[3] = {-8, 0, 3}; /* x = (-4, -5, 2) */
    assert_int_equal(dry_solve(3, A, b), DRY_OK);
    closer(b[0], -4, 1e-14);
    closer(b[1], -5, 1e-14);
    closer(b[2], 2, 1e-14);
    double one[1] = {4}, c[1] = {2};
    assert_int_equal(dry_solve(1, one, c), DRY_OK);
    equal(c[0], 0.5);
    assert_int_equal(dry_solve(0, NULL, NULL), DRY_OK);
}

/* Backward stability: the residual is of the size n eps |A| |x|, whatever the condition. */
static void random_systems(void **state) {
    (void)state;
    random_source source = {21};
    static double A[MOST * MOST], keep[MOST * MOST];
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + random_index(&source, MOST);
        double b[MOST], x[MOST];
        for (int i = 0; i < n * n; i++) A[i] = random_between(&source, -1.0, 1.0);
        for (int i = 0; i < n; i++) x[i] = b[i] = random_between(&source, -1.0, 1.0);
        memcpy(keep, A, sizeof A);
        assert_int_equal(dry_solve(n, A, x), DRY_OK);
        for (int i = 0; i < n; i++) {
            double sum = -b[i], size = fabs(b[i]);
            for (int j = 0; j < n; j++) {
                sum += keep[i * n + j] * x[j];
                size += fabs(x[j]);
            }
            near(sum, 0.0, 64.0 * n * DBL_EPSILON * size);
        }
    }
}

/* Rows of different units must not be taken for singular. */
static void rows_of_very_different_size(void **state) {
    (void)state;
    double A[4] = {1e200, 0.0, 0.0, 1e-200}, b[2] = {2e200, 3e-200};
    assert_int_equal(dry_solve(2, A, b), DRY_OK);
    equal(b[0], 2.0);
    equal(b[1], 3.0);
}

static void singular(void **state) {
    (void)state;
    double zero[1] = {0}, b[3] = {1, 1, 1};
    assert_int_equal(dry_solve(1, zero, b), DRY_SINGULAR);
    double rank_one[4] = {1, 2, 2, 4};
    assert_int_equal(dry_solve(2, rank_one, b), DRY_SINGULAR);
    double empty_column[9] = {1, 0, 2, 3, 0, 4, 5, 0, 6};
    assert_int_equal(dry_solve(3, empty_column, b), DRY_SINGULAR);
}

static void not_a_number_is_not_hidden(void **state) {
    (void)state;
    double A[4] = {1, 2, (double)NAN, 4}, b[2] = {1, 1};
    const dry_status status = dry_solve(2, A, b);
    if (status == DRY_OK && !isnan(b[0])) is_nan(b[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(random_systems),
        cmocka_unit_test(rows_of_very_different_size),
        cmocka_unit_test(singular),
        cmocka_unit_test(not_a_number_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
