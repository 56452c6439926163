/* Quaternions: Hamilton's rules, rotation by hand, the rate as a derivative, unit length. */
#include "unit.h"

#include "math/random.h"
#include <drystone/math.h>
#include <float.h>

static void random_quat(random_source *source, double q[4]) {
    for (int i = 0; i < 4; i++) q[i] = random_between(source, -1.0, 1.0);
    dry_quat_normalise(q);
}

static void hamilton(void **state) {
    (void)state;
    const double i[4] = {0, 1, 0, 0}, j[4] = {0, 0, 1, 0}, k[4] = {0, 0, 0, 1};
    const double minus_one[4] = {-1, 0, 0, 0};
    double r[4];
    dry_quat_multiply(i, j, r);
    all_near(4, r, k, 0.0);
    dry_quat_multiply(j, k, r);
    all_near(4, r, i, 0.0);
    dry_quat_multiply(k, i, r);
    all_near(4, r, j, 0.0);
    dry_quat_multiply(i, i, r);
    all_near(4, r, minus_one, 0.0);
}

static void the_product_is_associative_and_keeps_length(void **state) {
    (void)state;
    random_source source = {11};
    for (int trial = 0; trial < 1000; trial++) {
        double p[4], q[4], r[4], pq[4], qr[4], left[4], right[4];
        random_quat(&source, p);
        random_quat(&source, q);
        random_quat(&source, r);
        dry_quat_multiply(p, q, pq);
        dry_quat_multiply(q, r, qr);
        dry_quat_multiply(pq, r, left);
        dry_quat_multiply(p, qr, right);
        all_near(4, left, right, 8 * DBL_EPSILON);
        closer(dry_norm(4, pq), 1.0, 8 * DBL_EPSILON);
    }
}

/* A quarter turn about z takes x to y. */
static void a_quarter_turn(void **state) {
    (void)state;
    const double q[4] = {sqrt(0.5), 0, 0, sqrt(0.5)}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    double w[3];
    dry_quat_rotate(q, x, w);
    all_near(3, w, y, 4 * DBL_EPSILON);
}

/* The short formula is q v q*, and rotations compose by the product. */
static void rotation_is_conjugation(void **state) {
    (void)state;
    random_source source = {12};
    for (int trial = 0; trial < 1000; trial++) {
        double p[4], q[4], pq[4], v[4] = {0}, half[4], full[4], w[3], once[3], twice[3];
        random_quat(&source, p);
        random_quat(&source, q);
        for (int i = 1; i < 4; i++) v[i] = random_between(&source, -1.0, 1.0);
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        dry_quat_multiply(q, v, half);
        dry_quat_multiply(half, back, full);
        dry_quat_rotate(q, v + 1, w);
        all_near(3, w, full + 1, 16 * DBL_EPSILON);
        closer(full[0], 0.0, 16 * DBL_EPSILON);
        dry_quat_multiply(p, q, pq);
        dry_quat_rotate(p, w, twice);
        dry_quat_rotate(pq, v + 1, once);
        all_near(3, once, twice, 32 * DBL_EPSILON);
    }
}

/* q(t) = (cos wt/2, n sin wt/2) turns with omega = w n; at t its rate is known in closed form. */
static void rate_of_a_steady_turn(void **state) {
    (void)state;
    random_source source = {13};
    for (int trial = 0; trial < 1000; trial++) {
        double n[3], omega[3], q_dot[4];
        for (int i = 0; i < 3; i++) n[i] = random_between(&source, -1.0, 1.0);
        const double length = dry_norm(3, n), w = random_between(&source, -9.0, 9.0);
        for (int i = 0; i < 3; i++) omega[i] = w * (n[i] /= length);
        const double angle = random_between(&source, -3.0, 3.0), c = cos(angle), s = sin(angle);
        const double q[4] = {c, n[0] * s, n[1] * s, n[2] * s};
        const double exact[4] = {-0.5 * w * s, 0.5 * w * n[0] * c, 0.5 * w * n[1] * c,
                                 0.5 * w * n[2] * c};
        dry_quat_rate(q, omega, q_dot);
        all_near(4, q_dot, exact, 64 * DBL_EPSILON);
    }
}

static void the_world_frame_is_meant(void **state) {
    (void)state;
    random_source source = {14}; /* d/dt (q v q*) = omega x (q v q*), by central difference */
    const double h = 1e-6;
    for (int trial = 0; trial < 100; trial++) {
        double q[4], q_dot[4], ahead[4], behind[4], w[3], wa[3], wb[3], cross[3], slope[3];
        const double v[3] = {0.3, -0.7, 0.5}, omega[3] = {1.1, -0.4, 0.8};
        random_quat(&source, q);
        dry_quat_rate(q, omega, q_dot);
        for (int i = 0; i < 4; i++) {
            ahead[i] = q[i] + h * q_dot[i];
            behind[i] = q[i] - h * q_dot[i];
        }
        dry_quat_rotate(q, v, w);
        dry_quat_rotate(ahead, v, wa);
        dry_quat_rotate(behind, v, wb);
        dry_cross3(omega, w, cross);
        for (int i = 0; i < 3; i++) slope[i] = (wa[i] - wb[i]) / (2 * h);
        all_near(3, slope, cross, 1e-8); /* rounding 1e-16/1e-6, truncation 1e-12 */
    }
}

static void normalising(void **state) {
    (void)state;
    static const double sizes[] = {1e-310, 1e-160, 1.0, 1e200};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double q[4] = {sizes[k], -sizes[k], sizes[k], sizes[k]};
        const double unit[4] = {0.5, -0.5, 0.5, 0.5};
        dry_quat_normalise(q);
        all_near(4, q, unit, sizes[k] < DBL_MIN ? 1e-12 : 2 * DBL_EPSILON);
    }
    double zero[4] = {0, 0, 0, 0}, huge[4] = {1, (double)INFINITY, 2, 3}, none[4] = {1, 2, 3, 4};
    dry_quat_normalise(zero);
    equal(dry_norm(4, zero), 0.0);
    dry_quat_normalise(huge);
    equal(huge[0], 1.0);
    equal(huge[3], 3.0);
    none[2] = (double)NAN;
    dry_quat_normalise(none);
    equal(none[0], 1.0);
    equal(none[3], 4.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hamilton),
        cmocka_unit_test(the_product_is_associative_and_keeps_length),
        cmocka_unit_test(a_quarter_turn),
        cmocka_unit_test(rotation_is_conjugation),
        cmocka_unit_test(rate_of_a_steady_turn),
        cmocka_unit_test(the_world_frame_is_meant),
        cmocka_unit_test(normalising),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
