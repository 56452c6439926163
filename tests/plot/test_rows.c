/* Rows of curves in a plane: few, every curve within the tolerance, gaps and ends kept. */
#include "plot/internal.h"
#include "sample.h"

enum { ROWS = 20000 };

static double x[ROWS], y[2][ROWS];
static size_t rows[ROWS];
static const double *const curves[] = {y[0], y[1]};

static size_t sift(int n, double tolerance) {
    const dry_plot_plane plane = {x, curves, n, 100.0, 100.0};
    for (size_t i = 0; i < ROWS; i++) rows[i] = i;
    return dry_plot_rows(&plane, tolerance, rows, ROWS);
}

/* How far row i is, in pixels, from the line between its neighbours that are kept. */
static double off_line(int curve, size_t i, size_t a, size_t b) {
    const double bx = x[b] - x[a], by = y[curve][b] - y[curve][a];
    const double px = x[i] - x[a], py = y[curve][i] - y[curve][a];
    const double s = (px * bx + py * by) / fmax(bx * bx + by * by, 1e-300);
    const double part = fmin(fmax(s, 0.0), 1.0);
    return 100.0 * hypot(px - part * bx, py - part * by);
}

static double most_off(int n_curves, size_t n) {
    double most = 0.0;
    for (size_t k = 1; k < n; k++) {
        above(rows[k], rows[k - 1]);
        for (size_t i = rows[k - 1]; i <= rows[k]; i++)
            for (int c = 0; c < n_curves; c++)
                most = fmax(most, off_line(c, i, rows[k - 1], rows[k]));
    }
    return most;
}

/* A point that is left out is beside the line by the tolerance, or near one that is: another times
 * the diagonal of the box that counts as near. */
static double bound(double tolerance) { return (1.0 + sqrt(2.0)) * tolerance; }

static void every_curve_is_near(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = sin(0.005 * (double)i);
        y[0][i] = cos(0.005 * (double)i) * exp(-1e-4 * (double)i);
        y[1][i] = sin(0.03 * (double)i) + (i == 7000 ? 2.0 : 0.0); /* with a spike */
    }
    for (double tolerance = 0.01; tolerance < 2.0; tolerance *= 3.0) {
        const size_t one = sift(1, tolerance);
        at_most(most_off(1, one), bound(tolerance));
        const size_t both = sift(2, tolerance);
        at_most(most_off(2, both), bound(tolerance));
        below(one, both);
        below(both, ROWS / 2);
        assert_int_equal(rows[0], 0);
        assert_int_equal(rows[both - 1], ROWS - 1);
    }
}

/* Chords of a circle of radius r whose sagitta is the tolerance d are 2 acos(1 - d/r) of it; a line
 * from corner to corner may leave it by d to both sides, and is sqrt 2 as long at most. */
static void circle_takes_few(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const double angle = 20.0 * acos(-1.0) * (double)i / ROWS; /* ten times round */
        x[i] = cos(angle);
        y[0][i] = sin(angle);
    }
    const double chords = 10.0 * acos(-1.0) / acos(1.0 - 0.1 / 100.0);
    const size_t n = sift(1, 0.1);
    between((double)n, 0.6 * chords, 1.5 * chords);
}

/* What rests but for noise takes no rows, alone or beside a curve that moves along a line. */
static void rest_is_free(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = 1.0 + 1e-9 * chance();
        y[0][i] = 1e-9 * chance();
        y[1][i] = (double)i / ROWS;
    }
    at_most(sift(1, 0.01), 2);
    at_most(sift(2, 0.01), 3);
}

/* Both sides of a gap are rows, whichever curve it is in; of no points at all one row is enough. */
static void gaps_stay(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = i >= 9000 && i < 9100 ? (double)NAN : (double)i / ROWS;
        y[0][i] = 0.0;
        y[1][i] = i >= 500 && i < 600 ? (double)INFINITY : 1.0;
    }
    static const size_t wanted[] = {0, 499, 500, 599, 600, 8999, 9000, 9100, ROWS - 1};
    enum { WANTED = sizeof wanted / sizeof *wanted };
    assert_int_equal(sift(2, 1e-6), WANTED);
    assert_memory_equal(rows, wanted, sizeof wanted);
}

static void none_and_one(void **state) {
    (void)state;
    const dry_plot_plane plane = {x, curves, 2, 100.0, 100.0};
    size_t one[] = {17};
    assert_int_equal(dry_plot_rows(&plane, 0.1, one, 0), 0);
    assert_int_equal(dry_plot_rows(&plane, 0.1, one, 1), 1);
    assert_int_equal(one[0], 17);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_curve_is_near),
                                       cmocka_unit_test(circle_takes_few),
                                       cmocka_unit_test(rest_is_free), cmocka_unit_test(gaps_stay),
                                       cmocka_unit_test(none_and_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
