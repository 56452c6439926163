/* dry_table_*: values against numpy.interp and a second program (tests/reference/tables.py), the
 * derivatives against differences, what lies beyond the ends, and the signs at the knots. */
#include "unit.h"

#include "math/random.h"
#include <drystone/math.h>

enum { KNOTS = 6, POINTS = 7 };
static const double X[KNOTS] = {0.0, 0.5, 1.0, 3.0, 4.0, 7.0};
static const double Y[KNOTS] = {0.3, 0.25, 0.2, 0.4, 0.4, -1.0};
static const double AT[POINTS] = {0.125, 0.75, 1.5, 2.9, 3.5, 4.25, 6.5};

static double value(const dry_table *table, double at) {
    double r[DRY_TABLE_RESULTS];
    dry_table_curve(table, at, r);
    return r[0];
}

static double slope(const dry_table *table, double at) {
    double r[DRY_TABLE_RESULTS];
    dry_table_curve(table, at, r);
    return r[1];
}

/* ---- values of second programs ------------------------------------------- */

static void as_numpy(void **state) {
    (void)state;
    static const double linear[POINTS] = {
        0.2875, 0.225, 0.25, 0.39, 0.4, 0.2833333333333334, -0.7666666666666665};
    const dry_table table = {.n = KNOTS, .x = X, .y = Y};
    for (int i = 0; i < POINTS; i++) near(value(&table, AT[i]), linear[i], 3e-16);
    for (int i = 0; i < KNOTS; i++) equal(value(&table, X[i]), Y[i]);
}

static void monotone_cubic(void **state) {
    (void)state;
    static const double values[POINTS] = {
        0.2875, 0.21875, 0.23125, 0.39855, 0.4, 0.3880497685185185, -0.6127314814814815};
    static const double slopes[POINTS] = {
        -0.1, -0.125, 0.1125, 0.0285, 0.0, -0.09479166666666666, -0.7291666666666666};
    double m[KNOTS];
    dry_table_monotone(KNOTS, X, Y, m);
    const dry_table table = {.cubic = true, .n = KNOTS, .x = X, .y = Y, .slope = m};
    for (int i = 0; i < POINTS; i++) {
        near(value(&table, AT[i]), values[i], 1e-15);
        near(slope(&table, AT[i]), slopes[i], 2e-15);
    }
    near(m[0], -0.1, 1e-15);
    near(m[KNOTS - 1], -0.8166666666666667, 1e-15);
}

static void smooth_cubic(void **state) {
    (void)state;
    static const double values[POINTS] = {0.2875,
                                          0.2225,
                                          0.21125,
                                          0.3952566666666667,
                                          0.41875,
                                          0.3635416666666667,
                                          -0.6208333333333333};
    static const double slopes[POINTS] = {
        -0.1, -0.11, 0.09083333333333335, 0.06096666666666669, 0.020833333333333332, -0.175, -0.7};
    double m[KNOTS];
    dry_table_smooth(KNOTS, X, Y, m);
    const dry_table table = {.cubic = true, .n = KNOTS, .x = X, .y = Y, .slope = m};
    for (int i = 0; i < POINTS; i++) {
        near(value(&table, AT[i]), values[i], 1e-15);
        near(slope(&table, AT[i]), slopes[i], 2e-15);
    }
}

/* Two knots are a straight line; an end does not turn back, nor rise more than threefold. */
static void slopes_of_few(void **state) {
    (void)state;
    const double x[3] = {0.0, 1.0, 2.0}, line[2] = {1.0, 3.0}, turns[3] = {0.0, 1.0, -5.0},
                 bends[3] = {0.0, 1.0, 5.0};
    double m[3];
    dry_table_monotone(2, x, line, m);
    equal(m[0], 2.0);
    equal(m[1], 2.0);
    dry_table_monotone(3, x, turns, m);
    equal(m[0], 3.0);
    equal(m[1], 0.0);
    dry_table_monotone(3, x, bends, m);
    equal(m[0], 0.0);
    equal(m[1], 1.6); /* the harmonic mean of 1 and 4 */
    equal(m[2], 5.5);
}

/* ---- beyond the ends ------------------------------------------------------ */

static void ends_are_held(void **state) {
    (void)state;
    double m[KNOTS];
    dry_table_monotone(KNOTS, X, Y, m);
    for (int cubic = 0; cubic < 2; cubic++) {
        const dry_table table = {.cubic = cubic, .n = KNOTS, .x = X, .y = Y, .slope = m};
        equal(value(&table, -2.0), 0.3);
        equal(value(&table, 9.0), -1.0);
        equal(value(&table, -(double)INFINITY), 0.3);
        equal(slope(&table, -2.0), 0.0);
        equal(slope(&table, 9.0), 0.0);
        is_nan(value(&table, (double)NAN));
    }
}

static void ends_go_on(void **state) {
    (void)state;
    double m[KNOTS];
    dry_table_monotone(KNOTS, X, Y, m);
    const dry_table line = {.extended = true, .n = KNOTS, .x = X, .y = Y};
    near(value(&line, -2.0), 0.5, 1e-15);
    near(value(&line, 10.0), -2.4, 1e-15);
    near(slope(&line, -2.0), -0.1, 1e-15);
    const dry_table curve = {
        .cubic = true, .extended = true, .n = KNOTS, .x = X, .y = Y, .slope = m};
    near(value(&curve, 10.0), -1.0 - 3.0 * 0.8166666666666667, 1e-15);
    near(slope(&curve, 10.0), -0.8166666666666667, 1e-15);
}

static void held_between(void **state) {
    (void)state;
    const dry_table table = {.hold = true, .n = KNOTS, .x = X, .y = Y};
    equal(value(&table, -1.0), 0.3);
    equal(value(&table, 0.49), 0.3);
    equal(value(&table, 0.5), 0.25);
    equal(value(&table, 6.9), 0.4);
    equal(value(&table, 7.0), -1.0);
    equal(slope(&table, 0.6), 0.0);
}

/* ---- derivatives ----------------------------------------------------------- */

static void derivatives_are_differences(void **state) {
    (void)state;
    double m[KNOTS];
    dry_table_smooth(KNOTS, X, Y, m);
    const dry_table table = {.cubic = true, .n = KNOTS, .x = X, .y = Y, .slope = m};
    const double h = 1e-4;
    for (int i = 0; i < POINTS; i++) {
        double low[DRY_TABLE_RESULTS], here[DRY_TABLE_RESULTS], high[DRY_TABLE_RESULTS];
        dry_table_curve(&table, AT[i] - h, low);
        dry_table_curve(&table, AT[i], here);
        dry_table_curve(&table, AT[i] + h, high);
        for (int k = 0; k < 3; k++)
            near_case((high[k] - low[k]) / (2.0 * h), here[k + 1], 1e-7, "derivative %d", k + 1);
    }
}

/* ---- two arguments --------------------------------------------------------- */

/* A bilinear function is what it is between all knots, and its derivatives too. */
static void surface_is_bilinear(void **state) {
    (void)state;
    const double x[3] = {0.0, 1.0, 4.0}, x2[2] = {-1.0, 2.0};
    double y[6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            y[2 * i + j] = 1.0 + 2.0 * x[i] - 3.0 * x2[j] + 0.5 * x[i] * x2[j];
    for (int extended = 0; extended < 2; extended++) {
        const dry_table table = {.extended = extended, .n = 3, .n2 = 2, .x = x, .x2 = x2, .y = y};
        random_source source = {7};
        for (int trial = 0; trial < 200; trial++) {
            const double wide = extended ? 3.0 : 0.0;
            const double a = random_between(&source, 0.0 - wide, 4.0 + wide);
            const double b = random_between(&source, -1.0 - wide, 2.0 + wide);
            double r[DRY_TABLE_RESULTS];
            dry_table_surface(&table, a, b, r);
            near(r[0], 1.0 + 2.0 * a - 3.0 * b + 0.5 * a * b, 1e-13);
            near(r[1], 2.0 + 0.5 * b, 1e-13);
            near(r[2], -3.0 + 0.5 * a, 1e-13);
            near(r[3], 0.5, 1e-13);
        }
    }
    const dry_table held = {.n = 3, .n2 = 2, .x = x, .x2 = x2, .y = y};
    double r[DRY_TABLE_RESULTS];
    dry_table_surface(&held, 9.0, 0.5, r);
    near(r[0], 1.0 + 8.0 - 1.5 + 1.0, 1e-13);
    equal(r[1], 0.0);
    near(r[2], -1.0, 1e-13);
    dry_table_surface(&held, (double)NAN, 0.5, r);
    is_nan(r[0]);
    dry_table_surface(&held, 9.0, (double)NAN, r);
    is_nan(r[0]);
}

/* ---- where it has kinks ----------------------------------------------------- */

enum { MOST_DIGITS = 8 };

/* Between any two cells a function has changed its sign; at its knots it is 0 with a slope of 1. */
static void signs_tell_cells(void **state) {
    (void)state;
    for (int n = 1; n < 40; n++) {
        double x[40], g[41][MOST_DIGITS];
        for (int i = 0; i < n; i++) x[i] = i * (1.0 + 0.1 * i);
        const int digits = dry_table_kink_count(n);
        at_most(digits, MOST_DIGITS);
        for (int cell = 0; cell <= n; cell++)
            dry_table_kinks(x, n, 1, cell == 0 ? -0.3 : x[cell - 1] + 0.3, g[cell]);
        for (int a = 0; a <= n; a++)
            for (int b = 0; b < a; b++) {
                bool differ = false;
                for (int j = 0; j < digits; j++) differ = differ || g[a][j] * g[b][j] < 0.0;
                assert_true(differ);
            }
    }
}

static void switches_are_smooth(void **state) {
    (void)state;
    double x[12];
    for (int i = 0; i < 12; i++) x[i] = i * i;
    for (int knot = 0; knot < 12; knot++) {
        double low[4], here[4], high[4];
        const double h = 1e-6;
        dry_table_kinks(x, 12, 1, x[knot] - h, low);
        dry_table_kinks(x, 12, 1, x[knot], here);
        dry_table_kinks(x, 12, 1, x[knot] + h, high);
        int zeros = 0;
        for (int j = 0; j < 4; j++) {
            if (here[j] != 0.0) continue;
            zeros++;
            near(fabs(high[j] - low[j]), 2.0 * h, 1e-9);
        }
        assert_int_equal(zeros, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_numpy),
        cmocka_unit_test(monotone_cubic),
        cmocka_unit_test(smooth_cubic),
        cmocka_unit_test(slopes_of_few),
        cmocka_unit_test(ends_are_held),
        cmocka_unit_test(ends_go_on),
        cmocka_unit_test(held_between),
        cmocka_unit_test(derivatives_are_differences),
        cmocka_unit_test(surface_is_bilinear),
        cmocka_unit_test(signs_tell_cells),
        cmocka_unit_test(switches_are_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
