/* Thinning keeps every spike, stays beside the curve, and is small. */
#include "plot/internal.h"
#include "sample.h"

enum { WIDTH = 600, HEIGHT = 200 };

typedef struct result {
    dry_plot__points points;
    size_t first[2000], n[2000];
    int runs;
} result;

typedef struct input {
    double *x, *y;
    size_t n;
} input;

static void collect(void *user, size_t first, size_t n) {
    result *r = user;
    assert_in_range(r->runs, 0, 1999);
    r->first[r->runs] = first;
    r->n[r->runs++] = n;
}

static dry_plot__axis axis_of(const double *values, size_t n) {
    dry_plot__axis axis;
    dry_plot__axis_make(&axis, dry_plot__range_of(values, n), 0.0, 5);
    return axis;
}

static dry_plot__point pixel(const input *in, size_t i) {
    dry_plot__axis x = axis_of(in->x, in->n), y = axis_of(in->y, in->n);
    return (dry_plot__point){WIDTH * dry_plot__axis_at(&x, in->x[i]),
                             HEIGHT * (1.0 - dry_plot__axis_at(&y, in->y[i]))};
}

static result *thin(const input *in, bool sorted) {
    result *r = calloc(1, sizeof *r);
    dry_plot__axis x = axis_of(in->x, in->n), y = axis_of(in->y, in->n);
    dry_plot__frame frame = {&x, &y, 0.0, 0.0, WIDTH, HEIGHT};
    dry_plot__curve curve = {.x = in->x, .y = in->y, .n = in->n, .label = ""};
    assert_non_null(r);
    dry_plot__thin(&curve, sorted, &frame, &r->points, collect, r);
    assert_false(r->points.failed);
    return r;
}

static void drop(result *r, input *in) {
    free(r->points.at);
    free(r);
    free(in->x);
    free(in->y);
}

static input allocate(size_t n) {
    input in = {malloc(n * sizeof(double)), malloc(n * sizeof(double)), n};
    assert_non_null(in.x);
    assert_non_null(in.y);
    return in;
}

static double to_segment(dry_plot__point p, dry_plot__point a, dry_plot__point b) {
    double dx = b.x - a.x, dy = b.y - a.y, d2 = dx * dx + dy * dy;
    double t = d2 > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / d2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static double to_line(const result *r, dry_plot__point p) {
    double least = INFINITY;
    for (int k = 0; k < r->runs; k++)
        for (size_t i = r->first[k]; i < r->first[k] + r->n[k]; i++) {
            dry_plot__point before = r->points.at[i > r->first[k] ? i - 1 : i];
            least = fmin(least, to_segment(p, before, r->points.at[i]));
        }
    return least;
}

/* A spike of one row in many is at its height, within the 0.05 px that count as straight, and in
 * its half pixel column. */
static void spikes_stay(void **state) {
    (void)state;
    input in = allocate(400000);
    size_t spike[40];
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = (double)i;
        in.y[i] = sin(1e-4 * (double)i) + 0.01 * chance();
    }
    for (int k = 0; k < 40; k++) {
        spike[k] = (size_t)(chance() * (double)in.n);
        in.y[spike[k]] = (k % 2 ? 3.0 : -3.0) * (1.0 + 0.01 * k);
    }
    result *r = thin(&in, true);
    assert_int_equal(r->runs, 1);
    at_most(r->points.n, 4 * (2 * WIDTH + 1));
    dry_plot__axis y = axis_of(in.y, in.n);
    for (int k = 0; k < 40; k++) {
        double py = HEIGHT * (1.0 - dry_plot__axis_at(&y, in.y[spike[k]]));
        double px = WIDTH * in.x[spike[k]] / in.x[in.n - 1], nearest = INFINITY;
        for (size_t i = 0; i < r->points.n; i++) {
            bool beside = fabs(r->points.at[i].x - px) <= 0.55;
            bool beyond = k % 2 ? r->points.at[i].y <= py + 0.05 : r->points.at[i].y >= py - 0.05;
            if (beside && beyond) nearest = 0.0;
        }
        equal(nearest, 0.0);
    }
    drop(r, &in);
}

/* No row is further from the drawn line than a column and the straightness allow. */
static void sorted_stays_beside(void **state) {
    (void)state;
    input in = allocate(5000);
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = (double)i;
        in.y[i] = sin(0.01 * (double)i) + (i / 700 % 2 ? 1.0 : 0.0);
    }
    result *r = thin(&in, true);
    below(r->points.n, 1500);
    for (size_t i = 0; i < in.n; i += 11) below(to_line(r, pixel(&in, i)), 0.5 + 0.06);
    drop(r, &in);
}

static void turning_stays_beside(void **state) {
    (void)state;
    input in = allocate(6000);
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = sin(0.003 * (double)i) * exp(-1e-4 * (double)i);
        in.y[i] = cos(0.007 * (double)i);
    }
    result *r = thin(&in, false);
    below(r->points.n, in.n / 4);
    for (size_t i = 0; i < in.n; i += 13) below(to_line(r, pixel(&in, i)), 0.25 * sqrt(2.0) + 0.06);
    drop(r, &in);
}

static void straight_line_is_two_points(void **state) {
    (void)state;
    input in = allocate(1000);
    for (size_t i = 0; i < in.n; i++) in.y[i] = 3.0 * (in.x[i] = (double)i);
    result *r = thin(&in, true);
    assert_int_equal(r->points.n, 2);
    drop(r, &in);
}

static void there_and_back_keeps_the_end(void **state) {
    (void)state;
    input in = allocate(201);
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = i <= 100 ? (double)i : 200.0 - (double)i;
        in.y[i] = 2.0;
    }
    result *r = thin(&in, false);
    assert_int_equal(r->points.n, 3);
    closer(r->points.at[1].x, WIDTH, 1e-9);
    drop(r, &in);
}

static void gaps_split(void **state) {
    (void)state;
    input in = allocate(1000);
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = (double)i;
        in.y[i] = i > 300 && i < 400 ? NAN : i > 700 && i < 800 ? -INFINITY : (double)(i % 50);
    }
    for (int sorted = 0; sorted < 2; sorted++) {
        result *r = thin(&in, sorted);
        assert_int_equal(r->runs, 3);
        for (size_t i = 0; i < r->points.n; i++) {
            is_finite(r->points.at[i].x);
            is_finite(r->points.at[i].y);
        }
        free(r->points.at);
        free(r);
    }
    free(in.x);
    free(in.y);
}

/* Every other row missing: a hundred thousand gaps, none of which can be seen. */
static void invisible_gaps_do_not_count(void **state) {
    (void)state;
    input in = allocate(200000);
    for (size_t i = 0; i < in.n; i++) {
        in.x[i] = (double)i;
        in.y[i] = i % 2 ? NAN : sin(1e-3 * (double)i);
    }
    result *r = thin(&in, true);
    at_most(r->runs, 2 * WIDTH + 1);
    at_most(r->points.n, 4 * (2 * WIDTH + 1));
    drop(r, &in);
}

static void single_and_none(void **state) {
    (void)state;
    input in = allocate(1);
    in.x[0] = in.y[0] = 5.0;
    result *r = thin(&in, true);
    assert_int_equal(r->runs, 1);
    assert_int_equal(r->n[0], 1);
    drop(r, &in);
    in = allocate(1);
    in.n = 0;
    r = thin(&in, false);
    assert_int_equal(r->runs, 0);
    drop(r, &in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spikes_stay),
        cmocka_unit_test(sorted_stays_beside),
        cmocka_unit_test(turning_stays_beside),
        cmocka_unit_test(straight_line_is_two_points),
        cmocka_unit_test(there_and_back_keeps_the_end),
        cmocka_unit_test(gaps_split),
        cmocka_unit_test(invisible_gaps_do_not_count),
        cmocka_unit_test(single_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
