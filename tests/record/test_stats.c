/* Statistics and interpolation against what can be told by hand. */
#include "unit.h"

#include <drystone/record.h>
#include <math.h>

/* A few roundings of sums of magnitude one. */
static const double few_roundings = 1e-15;

static dry_record *make(const double (*rows)[2], size_t n) {
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"y", "m"}}, 2);
    for (size_t i = 0; i < n; i++) dry_record_add(record, rows[i]);
    return record;
}

#define MAKE(rows) make(rows, sizeof(rows) / sizeof *(rows))

static void whole_record(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 1}, {1, 3}, {3, -1}}; /* uneven steps weigh by time */
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    dry_status status = dry_record_statistics(record, 0, 1, -INFINITY, INFINITY, &s);
    assert_int_equal(status, DRY_OK);
    equal(s.min, -1);
    equal(s.max, 3);
    equal(s.first, 1);
    equal(s.last, -1);
    near(s.integral, 2.0 + 2.0, few_roundings);
    near(s.mean, 4.0 / 3, few_roundings);
    near(s.rms, sqrt((5.0 + 10.0) / 3), few_roundings);
    dry_record_free(record);
}

static void part_has_interpolated_ends(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 0}, {1, 2}, {2, 2}, {4, 6}};
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    assert_int_equal(dry_record_statistics(record, 0, 1, 0.5, 3, &s), DRY_OK);
    equal(s.first, 1);
    equal(s.last, 4);
    equal(s.min, 1);
    equal(s.max, 4);
    near(s.integral, 0.75 + 2 + 3, few_roundings);
    near(s.mean, 5.75 / 2.5, few_roundings);
    assert_int_equal(dry_record_statistics(record, 0, 1, 2.5, 3.5, &s),
                     DRY_OK); /* inside one step */
    equal(s.first, 3);
    equal(s.last, 5);
    near(s.mean, 4, few_roundings);
    assert_int_equal(dry_record_statistics(record, 0, 1, 1, 2, &s), DRY_OK); /* from row to row */
    equal(s.first, 2);
    equal(s.last, 2);
    equal(s.integral, 2);
    equal(s.rms, 2);
    dry_record_free(record);
}

static void instant_has_its_value(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 0}, {1, -2}};
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    assert_int_equal(dry_record_statistics(record, 0, 1, 0.5, 0.5, &s), DRY_OK);
    equal(s.mean, -1);
    equal(s.rms, 1);
    equal(s.integral, 0);
    equal(s.min, -1);
    equal(s.max, -1);
    dry_record_free(record);
}

/* A jump is two rows at one time; both sides count, the later one is the value there. */
static void jump_is_integrated_from_both_sides(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 1}, {1, 1}, {1, 5}, {2, 5}};
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    dry_status status = dry_record_statistics(record, 0, 1, -INFINITY, INFINITY, &s);
    assert_int_equal(status, DRY_OK);
    equal(s.integral, 6);
    equal(s.mean, 3);
    equal(dry_record_at(record, 0, 1, 1), 5);
    assert_int_equal(dry_record_statistics(record, 0, 1, 0, 1, &s), DRY_OK);
    equal(s.integral, 1);
    equal(s.last, 5);
    assert_int_equal(dry_record_statistics(record, 0, 1, 1, 2, &s), DRY_OK);
    equal(s.integral, 5);
    equal(s.first, 5);
    equal(s.min, 5);
    dry_record_free(record);
}

/* sin over a period: rms 1/sqrt 2; the trapezoid rule of a period is exact to rounding. */
static void sine_has_its_rms(void **state) {
    (void)state;
    enum { N = 1000 };
    const double pi = acos(-1);
    dry_record *record = dry_record_new((dry_quantity[]){{"y", ""}, {"t", "s"}}, 2);
    for (int i = 0; i <= N; i++) {
        double t = 2 * pi * i / N;
        dry_record_add(record, (double[]){sin(t), t});
    }
    dry_record_stats s;
    dry_status status = dry_record_statistics(record, 1, 0, -INFINITY, INFINITY, &s);
    assert_int_equal(status, DRY_OK);
    near(s.rms, sqrt(0.5), 1e-13);
    near(s.mean, 0, 1e-13);
    dry_record_free(record);
}

static void nan_is_not_hidden(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 1}, {1, NAN}, {2, 3}, {3, 4}};
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    dry_status status = dry_record_statistics(record, 0, 1, -INFINITY, INFINITY, &s);
    assert_int_equal(status, DRY_OK);
    is_nan(s.min);
    is_nan(s.max);
    is_nan(s.mean);
    is_nan(s.rms);
    assert_int_equal(dry_record_statistics(record, 0, 1, 2, 3, &s), DRY_OK);
    equal(s.min, 3);
    equal(s.max, 4);
    dry_record_free(record);
}

static void bad_ranges_are_refused(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 1}, {1, 2}}, back[][2] = {{0, 1}, {2, 2}, {1, 3}, {3, 3}};
    dry_record *record = MAKE(rows), *empty = make(NULL, 0), *backwards = MAKE(back);
    dry_record_stats s;
    static const double ranges[][2] = {{-0.1, 1}, {0, 1.1}, {0.6, 0.5}, {NAN, 1}, {0, NAN}, {2, 3}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        double a = ranges[i][0], b = ranges[i][1];
        assert_int_equal(dry_record_statistics(record, 0, 1, a, b, &s), DRY_BAD_ARGUMENT);
    }
    dry_status status = dry_record_statistics(empty, 0, 1, -INFINITY, INFINITY, &s);
    assert_int_equal(status, DRY_BAD_ARGUMENT);
    assert_int_equal(dry_record_statistics(backwards, 0, 1, 0, 3, &s), DRY_BAD_ARGUMENT);
    dry_record_free(record);
    dry_record_free(empty);
    dry_record_free(backwards);
}

static void value_is_linear_between_rows_and_nan_outside(void **state) {
    (void)state;
    static const double rows[][2] = {{0, 0}, {1, 10}, {3, -10}};
    dry_record *record = MAKE(rows), *empty = make(NULL, 0);
    equal(dry_record_at(record, 0, 1, 0), 0);
    equal(dry_record_at(record, 0, 1, 0.25), 2.5);
    equal(dry_record_at(record, 0, 1, 1), 10);
    equal(dry_record_at(record, 0, 1, 2), 0);
    equal(dry_record_at(record, 0, 1, 3), -10);
    is_nan(dry_record_at(record, 0, 1, -1e-9));
    is_nan(dry_record_at(record, 0, 1, 3.000001));
    is_nan(dry_record_at(record, 0, 1, NAN));
    is_nan(dry_record_at(empty, 0, 1, 0));
    dry_record_free(record);
    dry_record_free(empty);
}

/* The end reached by adding ten times 0.1 is not 1. */
static void end_missed_by_rounding_is_the_end(void **state) {
    (void)state;
    double t = 0;
    for (int i = 0; i < 10; i++) t += 0.1;
    below(t, 1);
    const double rows[][2] = {{0, 1}, {t, 2}};
    dry_record *record = MAKE(rows);
    dry_record_stats s;
    equal(dry_record_at(record, 0, 1, 1), 2);
    assert_int_equal(dry_record_statistics(record, 0, 1, 0, 1, &s), DRY_OK);
    equal(s.last, 2);
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_record),
        cmocka_unit_test(part_has_interpolated_ends),
        cmocka_unit_test(instant_has_its_value),
        cmocka_unit_test(jump_is_integrated_from_both_sides),
        cmocka_unit_test(sine_has_its_rms),
        cmocka_unit_test(nan_is_not_hidden),
        cmocka_unit_test(bad_ranges_are_refused),
        cmocka_unit_test(value_is_linear_between_rows_and_nan_outside),
        cmocka_unit_test(end_missed_by_rounding_is_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
