/* The nearest point of an ellipse: against a minimisation that knows no axes, by the conditions of
 * optimality at extreme half axes, and its derivative by differences. */
#include "unit.h"

#include "math/random.h"
#include <drystone/math.h>

enum { CASES = 2000, MOST = 3 };

/* A random symmetric positive definite D = R diag(s) R' with half axes from 1/ratio to 1, times
 * `size`. */
static void random_matrix(random_source *source, int n, double ratio, double size, double *D) {
    double q[4], axes[MOST][3], s[MOST];
    for (int i = 0; i < 4; i++) q[i] = random_between(source, -1.0, 1.0);
    if (n < 3) q[1] = q[2] = 0.0; /* it turns in its plane */
    if (n < 2) q[3] = 0.0;
    dry_quat_normalise(q);
    for (int i = 0; i < n; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        dry_quat_rotate(q, unit, axes[i]);
        s[i] = size * pow(ratio, -random_unit(source));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) D[i * n + j] += s[k] * axes[k][i] * axes[k][j];
        }
}

static void apply(int n, const double *D, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) y[i] += D[i * n + j] * x[j];
    }
}

/* min |D h - y|^2/2 over |h| <= 1 by projected gradients, which need |D| <= 1 and no axes of D. */
static void minimise(int n, const double *D, const double *y, double *f) {
    double h[MOST] = {0.0}, rest[MOST], grad[MOST];
    for (int step = 0; step < 4000; step++) {
        double moved = 0.0, before[MOST];
        apply(n, D, h, rest);
        for (int i = 0; i < n; i++) rest[i] -= y[i], before[i] = h[i];
        apply(n, D, rest, grad);
        for (int i = 0; i < n; i++) h[i] -= grad[i];
        dry_sat(n, 1.0, h, h);
        for (int i = 0; i < n; i++) moved = dry_max(moved, fabs(h[i] - before[i]));
        if (moved == 0.0) break;
    }
    apply(n, D, h, f);
}

static void it_is_the_minimum(void **state) {
    (void)state;
    random_source source = {11};
    int outside = 0;
    for (int k = 0; k < CASES; k++) {
        const int n = 1 + k % 3;
        double D[MOST * MOST], y[MOST], f[MOST], best[MOST];
        random_matrix(&source, n, 8.0, 1.0, D);
        for (int i = 0; i < n; i++) y[i] = random_magnitude(&source, -2.0, 1.5);
        const dry_ellipse e = dry_ellipse_of(n, D);
        const bool inside = dry_ellipse_project(&e, y, f);
        minimise(n, D, y, best);
        all_closer(n, f, best, 1e-12);
        if (inside) all_same_bits(n, f, y);
        outside += !inside;
    }
    between(outside, CASES / 2, CASES);
}

/* f = D h with |h| = 1, and y - f along the normal D^-1 h: D (y - f) is parallel to h. Half axes of
 * very different length, forces of any size. */
static void it_is_optimal(void **state) {
    (void)state;
    random_source source = {12};
    for (int k = 0; k < CASES; k++) {
        const int n = 1 + k % 3;
        const double size = fabs(random_magnitude(&source, -6.0, 6.0));
        double D[MOST * MOST], A[MOST * MOST], y[MOST], f[MOST], h[MOST], rest[MOST], pull[MOST];
        random_matrix(&source, n, 1e3, size, D);
        for (int i = 0; i < n; i++) y[i] = size * random_magnitude(&source, -1.0, 6.0);
        const dry_ellipse e = dry_ellipse_of(n, D);
        if (dry_ellipse_project(&e, y, f)) continue;
        for (int i = 0; i < n; i++) h[i] = f[i], rest[i] = y[i] - f[i];
        for (int i = 0; i < n * n; i++) A[i] = D[i];
        assert_int_equal(dry_solve(n, A, h), DRY_OK);
        near(dry_norm(n, h), 1.0, 1e-12);
        apply(n, D, rest, pull);
        /* y - f has lost digits if y is near the ellipse, and D spreads the loss by 1e3 at most */
        const double length = dry_norm(n, pull), lost = dry_norm(n, y) / dry_norm(n, rest);
        for (int i = 0; i < n; i++) near(pull[i] / length, h[i], 1e-12 * (1.0 + lost));
    }
}

/* Friction with one level: sat. No level: no force, whatever pulls. */
static void a_ball_and_nothing(void **state) {
    (void)state;
    random_source source = {13};
    for (int k = 0; k < CASES; k++) {
        const int n = 1 + k % 3;
        double y[MOST], f[MOST], ball[MOST], D[MOST * MOST] = {0.0};
        for (int i = 0; i < n; i++) y[i] = random_magnitude(&source, -3.0, 3.0);
        for (int i = 0; i < n; i++) D[i * n + i] = 2.5;
        const dry_ellipse round = dry_ellipse_of(n, D), none = {.n = n, .U = {1.0}};
        assert_int_equal(!dry_ellipse_project(&round, y, f), dry_sat(n, 2.5, y, ball));
        all_near(n, f, ball, 1e-15 * 2.5 * 4.0);
        const double zero[MOST * MOST] = {0.0};
        const dry_ellipse of_zero = dry_ellipse_of(n, zero);
        assert_false(dry_ellipse_project(&of_zero, y, f));
        all_equal(n, f, ((const double[]){0.0, 0.0, 0.0}));
        assert_false(dry_ellipse_project(&none, y, f));
        equal(f[0], 0.0);
    }
}

/* A rail gives way along one axis: nothing along, a level across. Overflowed forces give the level.
 */
static void extremes(void **state) {
    (void)state;
    const double rail[4] = {0.0, 0.0, 0.0, 3.0}, both[4] = {2.0, 0.0, 0.0, 3.0};
    const dry_ellipse e = dry_ellipse_of(2, rail), whole = dry_ellipse_of(2, both);
    double f[2];
    assert_false(dry_ellipse_project(&e, (const double[]){5.0, 1.0}, f));
    all_equal(2, f, ((const double[]){0.0, 1.0}));
    assert_false(dry_ellipse_project(&e, (const double[]){5.0, -7.0}, f));
    all_near(2, f, ((const double[]){0.0, -3.0}), 1e-15);
    assert_true(dry_ellipse_project(&e, (const double[]){0.0, 2.0}, f));
    assert_false(dry_ellipse_project(&whole, (const double[]){(double)INFINITY, 1.0}, f));
    all_near(2, f, ((const double[]){2.0, 0.0}), 1e-15);
    assert_false(dry_ellipse_project(&whole, (const double[]){0.0, -1e200}, f));
    all_near(2, f, ((const double[]){0.0, -3.0}), 1e-15);
}

/* The slope along a random (dD, dy) against central differences, inside and outside. */
static void slopes(void **state) {
    (void)state;
    random_source source = {14};
    const double step = 1e-5;
    int compared = 0;
    for (int k = 0; k < CASES; k++) {
        const int n = 1 + k % 3;
        double D[MOST * MOST], dD[MOST * MOST], y[MOST], dy[MOST], df[MOST], ends[2][MOST];
        bool inside[2];
        random_matrix(&source, n, 5.0, 1.0, D);
        random_matrix(&source, n, 5.0, random_between(&source, -1.0, 1.0), dD);
        for (int i = 0; i < n; i++) {
            y[i] = random_magnitude(&source, -1.0, 1.0);
            dy[i] = random_between(&source, -1.0, 1.0);
        }
        for (int end = 0; end < 2; end++) {
            const double h = end ? step : -step;
            double there[MOST * MOST], at[MOST];
            for (int i = 0; i < n * n; i++) there[i] = D[i] + h * dD[i];
            for (int i = 0; i < n; i++) at[i] = y[i] + h * dy[i];
            const dry_ellipse e = dry_ellipse_of(n, there);
            inside[end] = dry_ellipse_project(&e, at, ends[end]);
        }
        if (inside[0] != inside[1]) continue;
        const dry_ellipse e = dry_ellipse_of(n, D);
        dry_ellipse_slope(&e, y, dD, dy, df);
        for (int i = 0; i < n; i++) near(df[i], (ends[1][i] - ends[0][i]) / (2.0 * step), 1e-7);
        compared++;
    }
    above(compared, CASES * 9 / 10);
}

/* f grows with D and y together (Euler): f = df/dy y + df/dchi. */
static void it_scales(void **state) {
    (void)state;
    random_source source = {15};
    for (int k = 0; k < CASES; k++) {
        const int n = 1 + k % 3;
        double D[MOST * MOST], y[MOST], f[MOST], df[MOST];
        random_matrix(&source, n, 50.0, 1.0, D);
        for (int i = 0; i < n; i++) y[i] = random_magnitude(&source, -1.0, 2.0);
        const dry_ellipse e = dry_ellipse_of(n, D);
        dry_ellipse_project(&e, y, f);
        dry_ellipse_slope(&e, y, D, y, df);
        all_near(n, df, f, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_minimum),
        cmocka_unit_test(it_is_optimal),
        cmocka_unit_test(a_ball_and_nothing),
        cmocka_unit_test(extremes),
        cmocka_unit_test(slopes),
        cmocka_unit_test(it_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
