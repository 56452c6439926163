/* dry_eigenvalues: matrices whose spectrum is known, and what trace and determinant demand. */
#include "unit.h"

#include "math/random.h"
#include <complex.h>
#include <drystone/math.h>
#include <float.h>
#include <string.h>

enum { MOST = 120 };

static double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST];
static double re[MOST], im[MOST];

/* Every expected value has a computed one of its own within `tolerance`. */
static void assert_spectrum(int n, const double complex *expected, double tolerance) {
    bool used[MOST] = {false};
    for (int i = 0; i < n; i++) {
        int best = -1;
        double nearest = (double)INFINITY;
        for (int j = 0; j < n; j++) {
            const double distance = cabs(re[j] + im[j] * I - expected[i]);
            if (!used[j] && distance < nearest) nearest = distance, best = j;
        }
        at_least(best, 0);
        at_most(nearest, tolerance);
        used[best] = true;
    }
}

static void multiply(int n, const double *X, const double *Y, double *Z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += X[i * n + k] * Y[k * n + j];
            Z[i * n + j] = sum;
        }
}

static void small_sizes(void **state) {
    (void)state;
    assert_int_equal(dry_eigenvalues(0, NULL, NULL, NULL), DRY_OK);
    double one[1] = {-3.5}, zero[4] = {0, 0, 0, 0}, turn[4] = {0, -2, 2, 0};
    assert_int_equal(dry_eigenvalues(1, one, re, im), DRY_OK);
    equal(re[0], -3.5);
    equal(im[0], 0.0);
    assert_int_equal(dry_eigenvalues(2, zero, re, im), DRY_OK);
    equal(re[0], 0.0);
    equal(re[1], 0.0);
    equal(im[0], 0.0);
    equal(im[1], 0.0);
    assert_int_equal(dry_eigenvalues(2, turn, re, im), DRY_OK);
    assert_spectrum(2, (double complex[]){2 * I, -2 * I}, 1e-15);
}

static void fill_companion(int n, const double *c) { /* x^n + c[n-1] x^(n-1) + .. + c[0] */
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) A[i * n + n - 1] = -c[i];
    for (int i = 1; i < n; i++) A[i * n + i - 1] = 1.0;
}

/* (x - 1)(x - 2)(x - 3)(x - 4), and x^n = 1, whose condition is 1. */
static void companions(void **state) {
    (void)state;
    fill_companion(4, (double[]){24, -50, 35, -10});
    assert_int_equal(dry_eigenvalues(4, A, re, im), DRY_OK);
    assert_spectrum(4, (double complex[]){1, 2, 3, 4}, 1e-12);
    for (int n = 3; n <= 40; n++) {
        double c[40] = {-1.0};
        double complex roots[40];
        for (int k = 0; k < n; k++) roots[k] = cexp(2.0 * 3.14159265358979323846 * I * k / n);
        fill_companion(n, c);
        assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
        assert_spectrum(n, roots, 1e-13);
    }
}

/* The eigenvalue 1 of a Jordan block of size n is known only to eps^(1/n). */
static void jordan_block(void **state) {
    (void)state;
    const int n = 4;
    double complex ones[4] = {1, 1, 1, 1};
    double S[16] = {1, 2, 0, 1, 0, 1, 3, 1, 2, 0, 1, 1, 1, 1, 0, 2}, SJ[16], J[16] = {0};
    for (int i = 0; i < n; i++) J[i * n + i] = 1.0;
    for (int i = 0; i + 1 < n; i++) J[i * n + i + 1] = 1.0;
    multiply(n, S, J, SJ); /* A = S J S^-1, column by column from S^T A^T = (SJ)^T */
    for (int row = 0; row < n; row++) {
        double transposed[16], b[4];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) transposed[i * n + j] = S[j * n + i];
        for (int i = 0; i < n; i++) b[i] = SJ[row * n + i];
        assert_int_equal(dry_solve(n, transposed, b), DRY_OK);
        for (int i = 0; i < n; i++) A[row * n + i] = b[i];
    }
    assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
    assert_spectrum(n, ones, 20.0 * pow(DBL_EPSILON, 0.25));
}

/* Blocks [[a, -b], [b, a]] and single values, hidden by an orthogonal similarity: reflections. */
static void hidden_blocks(void **state) {
    (void)state;
    random_source source = {31};
    for (int trial = 0; trial < 20; trial++) {
        const int n = 2 + random_index(&source, MOST - 2);
        double complex expected[MOST];
        memset(A, 0, sizeof A);
        int i = 0;
        for (; i + 1 < n && random_unit(&source) < 0.9; i += 2) {
            const double a = random_between(&source, -2, 2), b = random_between(&source, 0.1, 2);
            A[i * n + i] = A[(i + 1) * n + i + 1] = a;
            A[i * n + i + 1] = -b;
            A[(i + 1) * n + i] = b;
            expected[i] = a + b * I;
            expected[i + 1] = a - b * I;
        }
        for (; i < n; i++) expected[i] = A[i * n + i] = random_between(&source, -2, 2);
        for (int turn = 0; turn < 2; turn++) {
            double w[MOST], square = 0.0;
            for (int k = 0; k < n; k++) w[k] = random_between(&source, -1, 1);
            for (int k = 0; k < n; k++) square += w[k] * w[k];
            for (int r = 0; r < n; r++)
                for (int k = 0; k < n; k++) B[r * n + k] = (r == k) - 2.0 * w[r] * w[k] / square;
            multiply(n, B, A, C);
            multiply(n, C, B, A);
        }
        assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
        assert_spectrum(n, expected, 1e-12); /* normal matrix: n eps |A| */
    }
}

/* A triangular matrix hidden by random similarity steps x_i += c x_j: not normal. */
static void hidden_triangle(void **state) {
    (void)state;
    random_source source = {32};
    const int n = 12;
    for (int trial = 0; trial < 50; trial++) {
        double complex expected[MOST];
        memset(A, 0, sizeof A);
        for (int i = 0; i < n; i++) {
            expected[i] = A[i * n + i] = i + 1;
            for (int j = i + 1; j < n; j++) A[i * n + j] = random_between(&source, -1, 1);
        }
        for (int step = 0; step < 30; step++) {
            const int i = random_index(&source, n), j = random_index(&source, n);
            const double c = random_between(&source, -0.5, 0.5);
            if (i == j) continue;
            for (int k = 0; k < n; k++) A[i * n + k] += c * A[j * n + k];
            for (int k = 0; k < n; k++) A[k * n + j] -= c * A[k * n + i];
        }
        assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
        assert_spectrum(n, expected, 1e-7); /* condition numbers of 1e6 occur */
    }
}

/* The determinant by elimination: the product of the pivots up to sign, so in magnitude. */
static double log_determinant(int n, double *M) {
    double b[MOST] = {0}, sum = 0.0;
    if (dry_solve(n, M, b) != DRY_OK) return -(double)INFINITY;
    for (int i = 0; i < n; i++) sum += log(fabs(M[i * n + i]));
    return sum;
}

static void trace_and_determinant(void **state) {
    (void)state;
    random_source source = {33};
    for (int trial = 0; trial < 30; trial++) {
        const int n = 1 + random_index(&source, MOST);
        double trace = 0.0, sum = 0.0, logs = 0.0, odd = 0.0;
        for (int i = 0; i < n * n; i++) A[i] = B[i] = random_between(&source, -1, 1);
        for (int i = 0; i < n; i++) trace += A[i * n + i];
        assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
        for (int i = 0; i < n; i++) {
            sum += re[i];
            odd += im[i];
            logs += log(hypot(re[i], im[i]));
        }
        closer(sum, trace, 1e-13 * n);
        equal(odd, 0.0); /* conjugate pairs, exactly */
        closer(logs, log_determinant(n, B), 1e-9);
    }
}

/* A mass on a stiff spring in SI: entries from 1 to 1e9; roots of s^2 + 2e4 s + 1e9. */
static void badly_scaled(void **state) {
    (void)state;
    double M[4] = {0, 1, -1e9, -2e4};
    assert_int_equal(dry_eigenvalues(2, M, re, im), DRY_OK);
    assert_spectrum(2, (double complex[]){-1e4 + 3e4 * I, -1e4 - 3e4 * I}, 1e-9);
    for (int sign = -1; sign <= 1; sign += 2) { /* x^3 = 1 at the ends of the numbers */
        const double c = sign > 0 ? 1e300 : 1e-300;
        double P[9] = {0, 0, c, c, 0, 0, 0, c, 0};
        assert_int_equal(dry_eigenvalues(3, P, re, im), DRY_OK);
        for (int i = 0; i < 3; i++) re[i] /= c, im[i] /= c;
        assert_spectrum(3, (double complex[]){1, -0.5 + sqrt(0.75) * I, -0.5 - sqrt(0.75) * I},
                        1e-14);
    }
    double graded[9] = {1,    1e10, 0,     1e-10, 2,
                        1e10, 0,    1e-10, 3}; /* balances to tridiagonal 1, 2, 3 */
    assert_int_equal(dry_eigenvalues(3, graded, re, im), DRY_OK);
    assert_spectrum(3, (double complex[]){2 - sqrt(3.0), 2, 2 + sqrt(3.0)}, 1e-14);
}

/* 1 and -1, twice each with one eigenvector, and 0: shifts about 0 go round in a ring here. Double
 * eigenvalues are right to the root of rounding. */
static void equal_ones(void **state) {
    (void)state;
    double M[25] = {0, 0, -1, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0};
    assert_int_equal(dry_eigenvalues(5, M, re, im), DRY_OK);
    assert_spectrum(5, (double complex[]){-1, -1, 0, 1, 1}, 1e-7);
    random_source source = {5};
    for (int trial = 0; trial < 3000; trial++) {
        const int n = 2 + random_index(&source, 13);
        double trace = 0.0, sum = 0.0;
        for (int i = 0; i < n * n; i++)
            A[i] = random_index(&source, 9) / 8 - random_index(&source, 9) / 8;
        for (int i = 0; i < n; i++) trace += A[i * n + i];
        assert_int_equal(dry_eigenvalues(n, A, re, im), DRY_OK);
        for (int i = 0; i < n; i++) sum += re[i];
        closer(sum, trace, 1e-12 * n);
    }
}

static void not_finite(void **state) {
    (void)state;
    double M[4] = {1, 2, (double)NAN, 4}, P[4] = {1, (double)INFINITY, 0, 1};
    assert_int_equal(dry_eigenvalues(2, M, re, im), DRY_NOT_FINITE);
    assert_int_equal(dry_eigenvalues(2, P, re, im), DRY_NOT_FINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes),     cmocka_unit_test(companions),
        cmocka_unit_test(jordan_block),    cmocka_unit_test(hidden_blocks),
        cmocka_unit_test(hidden_triangle), cmocka_unit_test(trace_and_determinant),
        cmocka_unit_test(badly_scaled),    cmocka_unit_test(equal_ones),
        cmocka_unit_test(not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
