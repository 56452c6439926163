/* The rows that a picture gets: no spike lost, no line that the curve has not, few. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include "report/report_private.h"
#include "run.h"
#include <math.h>

/* A spike of one row is not lost, and rows stay in their order. */
static void test_thin(void **state) {
    (void)state;
    enum { ROWS = 100000, MOST = 1000 };
    double *y = calloc(ROWS, sizeof *y);
    size_t *kept = malloc(sizeof *kept * ROWS);
    const double *columns[] = {y};
    bool spike = false;
    assert_non_null(y);
    assert_non_null(kept);
    y[54321] = 1.0;
    const size_t n = dry_report__thin(columns, 1, ROWS, MOST, kept);
    above(n, MOST / 4);
    at_most(n, MOST + 4);
    for (size_t i = 0; i < n; i++) {
        spike = spike || kept[i] == 54321;
        if (i > 0) above(kept[i], kept[i - 1]);
    }
    assert_true(spike);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[n - 1], ROWS - 1);
    free(y);
    free(kept);
}

/* Nor is one behind a gap at the beginning of its part of the rows, nor by what is infinite. */
static void test_thin_gaps(void **state) {
    (void)state;
    enum { ROWS = 1000, MOST = 100 };
    double y[ROWS] = {0};
    size_t kept[ROWS];
    const double *columns[] = {y};
    bool spike = false;
    y[0] = (double)NAN;
    y[2] = (double)INFINITY;
    y[3] = 1.0;
    const size_t n = dry_report__thin(columns, 1, ROWS, MOST, kept);
    for (size_t i = 0; i < n; i++) spike = spike || kept[i] == 3;
    assert_true(spike);
}

/* ---- curves in a plane
 * ------------------------------------------------------------------------------ */

static const char orbit[] = "state x = 1 [m], v = 0 [m/s]\n"
                            "x' = v\nv' = -x*1 [1/s^2]\n"
                            "run until = 190 [s], step = 1 [ms]\n"
                            "plot v against x\n";

enum { MOST_KEPT = 4100 };
typedef struct trace {
    double x[MOST_KEPT], y[MOST_KEPT];
    size_t n;
} trace;

/* The codes of a curve as places from 0 to `pixels`. */
static size_t decode(const char *curve, double pixels, double *places) {
    const char *codes = strstr(curve, "\"codes\":\"") + 9;
    const size_t n = strcspn(codes, "\"") / 4;
    at_most(n, MOST_KEPT);
    for (size_t i = 0; i < n; i++) places[i] = code_at(codes + 4 * i) * pixels / ((1 << 24) - 2);
    return n;
}

static double to_trace(const trace *c, double x, double y) {
    double least = INFINITY;
    for (size_t i = 1; i < c->n; i++) {
        const double ax = c->x[i - 1], ay = c->y[i - 1], bx = c->x[i] - ax, by = c->y[i] - ay;
        const double s = ((x - ax) * bx + (y - ay) * by) / fmax(bx * bx + by * by, 1e-300);
        const double part = fmin(fmax(s, 0.0), 1.0);
        least = fmin(least, hypot(ax + part * bx - x, ay + part * by - y));
    }
    return least;
}

/* How far (u a, v b) is from the ellipse of the half axes a, b, where it is near. */
static double off_ellipse(double u, double v, double a, double b) {
    return fabs(1.0 - hypot(u, v)) / hypot(u / a, v / b);
}

/* Thirty times round a circle, as the page draws it: every vertex is on it to the last code, and
 * no place of it is half a pixel from a line. */
static void test_plane(void **state) {
    (void)state;
    enum { WIDTH = 900, HEIGHT = 300 };
    static trace c;
    finished f;
    char *text;
    const dry_report__bands none = {0};
    run_text(&f, orbit);
    WRITTEN(text, dry_report__data(&f.card, &none, stream));
    c.n = decode(strstr(text, "\"x\":"), WIDTH, c.x);
    assert_int_equal(c.n, decode(strstr(text, "\"curves\":["), HEIGHT, c.y));
    above(c.n, 1000);
    at_most(c.n, 4000);
    for (size_t i = 1; i < c.n; i++) /* the middle of a line is inside by its sagitta */
        below(off_ellipse((c.x[i] + c.x[i - 1]) / WIDTH - 1.0, (c.y[i] + c.y[i - 1]) / HEIGHT - 1.0,
                          WIDTH / 2, HEIGHT / 2),
              0.5);
    for (int i = 0; i < 1000; i++) {
        const double x = WIDTH / 2 * (1.0 + cos(0.01 * i)), y = HEIGHT / 2 * (1.0 + sin(0.01 * i));
        below(to_trace(&c, x, y), 0.5);
    }
    free(text);
    end_run(&f);
}

/* In the overview, too: no line of its small picture cuts a corner, and the circle is whole, though
 * what would be drawn over the first round is left out. */
static void test_small_picture(void **state) {
    (void)state;
    enum { A = 114, B = 49 };
    static trace c;
    finished f;
    char *text;
    int used;
    run_text(&f, orbit);
    WRITTEN(text, dry_report_picture(&f.card, stream));
    below(strlen(text), 6000);
    const char *at = strchr(strstr(text, "curve c0"), 'M');
    for (c.n = 0; sscanf(at + 1, "%lf %lf%n", &c.x[c.n], &c.y[c.n], &used) == 2; c.n++) {
        const double cx = (c.x[c.n] + c.x[c.n - (c.n > 0)]) / 2 - 120;
        const double cy = (c.y[c.n] + c.y[c.n - (c.n > 0)]) / 2 - 55;
        if (*at == 'L') below(off_ellipse(cx / A, cy / B, A, B), 0.5);
        at += 1 + used;
    }
    for (int i = 0; i < 1000; i++)
        below(to_trace(&c, 120 + A * cos(0.01 * i), 55 + B * sin(0.01 * i)), 0.75);
    free(text);
    end_run(&f);
}

/* ---- over its own trace -----------------------------------------------------------------------
 */

enum { ROWS = 5000, ROUNDS = 10 };
static double x[ROWS], y[ROWS];
static size_t rows[ROWS], kept[ROWS];

/* Ten times round a circle of 100 pixels that is `drift` pixels larger at the end; how many rows
 * are drawn, and how often the pen is lifted. */
static size_t draw_rings(double drift, size_t *lifts) {
    const double *const curves[] = {y};
    const dry_plot_plane plane = {x, curves, 1, 1.0, 1.0};
    *lifts = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const double part = (double)i / (ROWS - 1), angle = 2.0 * acos(-1.0) * ROUNDS * part;
        x[i] = (100.0 + drift * part) * cos(angle);
        y[i] = (100.0 + drift * part) * sin(angle);
        rows[i] = i;
    }
    const size_t n = dry_report__lift(&plane, rows, ROWS, ROWS, kept);
    for (size_t i = 0; i < n; i++) *lifts += kept[i] == DRY_REPORT__LIFT;
    return n;
}

/* A circle that is drawn over is drawn once; rings that are 5 pixels apart are all drawn, without
 * lifting the pen. */
static void test_over(void **state) {
    (void)state;
    size_t lifts;
    const size_t once = draw_rings(0.0, &lifts);
    at_least(once, ROWS / ROUNDS);
    below(once, ROWS / ROUNDS + 10);
    assert_int_equal(lifts, 0);
    assert_int_equal(draw_rings(50.0, &lifts), ROWS);
    assert_int_equal(lifts, 0);
}

/* From ring to ring by half a pixel, which is a cell: about every second is seen. What is left out
 * is in a cell beside one that is drawn, so nearer than two cells in x and in y. */
static void test_partly_over(void **state) {
    (void)state;
    size_t lifts;
    const size_t n = draw_rings(5.0, &lifts);
    between(n, 2 * ROWS / ROUNDS, 3 * ROWS / 4);
    for (size_t i = 0; i < ROWS; i += 7) {
        double least = INFINITY;
        for (size_t k = 0; k < n; k++)
            if (kept[k] != DRY_REPORT__LIFT)
                least = fmin(least, hypot(x[kept[k]] - x[i], y[kept[k]] - y[i]));
        below(least, sqrt(2.0) * 1.0 + 0.66); /* and half the way between two rows */
    }
}

/* Without a single point there is nothing to draw on. */
static void test_nowhere(void **state) {
    (void)state;
    const double *const curves[] = {y};
    const dry_plot_plane plane = {x, curves, 1, 1.0, 1.0};
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = (double)NAN;
        rows[i] = i;
    }
    assert_int_equal(dry_report__lift(&plane, rows, ROWS, 100, kept), 101);
    at_most(dry_report__thin_plane(&plane, ROWS, 100, kept), 2);
}

/* Pieces of `piece` rows with a gap of one row behind each: so few rows are kept from one end to
 * the other, every line is one of the curve, and there are lines, or points where a piece is one.
 */
static void cut_in_pieces(size_t piece) {
    enum { MOST = 400 };
    const double *const curves[] = {y};
    const dry_plot_plane plane = {x, curves, 1, 1.0, 1.0};
    size_t points = 0, lines = 0;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = (double)i;
        y[i] = i % (piece + 1) == piece ? (double)NAN : 100.0 * sin((double)i);
    }
    const size_t n = dry_report__thin_plane(&plane, ROWS, MOST, kept);
    above(n, MOST / 2);
    at_most(n, MOST);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[n - 1], ROWS - 1);
    for (size_t i = 0; i < n; i++) {
        const bool there = kept[i] != DRY_REPORT__LIFT && isfinite(y[kept[i]]);
        const bool line = there && i && kept[i - 1] != DRY_REPORT__LIFT && isfinite(y[kept[i - 1]]);
        points += there;
        lines += line;
        if (line) assert_int_equal(kept[i], kept[i - 1] + 1);
    }
    at_least(points, n / 5);
    if (piece != 1) at_least(lines, n / 10);
}

static void test_pieces(void **state) {
    (void)state;
    cut_in_pieces(1);
    cut_in_pieces(2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin),    cmocka_unit_test(test_thin_gaps),
        cmocka_unit_test(test_plane),   cmocka_unit_test(test_small_picture),
        cmocka_unit_test(test_over),    cmocka_unit_test(test_partly_over),
        cmocka_unit_test(test_nowhere), cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
