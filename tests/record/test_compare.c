/* Comparison of tables: the worst difference and its place, and what cannot be compared. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include <drystone/record.h>

static dry_record *line(const char *x, const char *unit, double slope, double step, int n) {
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {x, unit}}, 2);
    for (int i = 0; i < n; i++) dry_record_add(record, (double[]){i * step, slope * i * step});
    return record;
}

static dry_record *pair(double value) {
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"x", ""}}, 2);
    dry_record_add(record, (double[]){0, value});
    return record;
}

static void other_times_are_interpolated(void **state) {
    (void)state;
    dry_record *expected = line("x", "m", 2, 0.25, 5), *actual = line("x", "m", 2, 0.5, 3);
    dry_record_difference worst;
    assert_int_equal(dry_record_compare(expected, actual, 0, 1e-15, &worst, NULL), DRY_OK);
    equal(worst.ratio, 0);
    assert_int_equal(worst.column, 1);
    dry_record_free(expected);
    dry_record_free(actual);
}

static void worst_place_is_found(void **state) {
    (void)state;
    dry_quantity columns[] = {{"t", "s"}, {"x", ""}, {"v", ""}},
                 turned[] = {{"v", ""}, {"x", ""}, {"t", ""}};
    dry_record *expected = dry_record_new(columns, 3), *actual = dry_record_new(turned, 3);
    for (int i = 0; i < 5; i++) {
        dry_record_add(expected, (double[]){i, 1, 10});
        dry_record_add(actual, (double[]){i == 3 ? 10.5 : 10, i == 1 ? 0.75 : 1, i});
    }
    dry_record_difference worst;
    assert_int_equal(dry_record_compare(expected, actual, 0, 0.25, &worst, NULL), DRY_OK);
    equal(worst.ratio, 2);
    equal(worst.t, 3);
    equal(worst.expected, 10);
    equal(worst.actual, 10.5);
    assert_int_equal(worst.column, 2);
    /* relative: 0.25 / (0.0625 + 0.0625), against 0.5 / (0.0625 + 0.625) */
    assert_int_equal(dry_record_compare(expected, actual, 0.0625, 0.0625, &worst, NULL), DRY_OK);
    equal(worst.ratio, 2);
    equal(worst.t, 1);
    equal(worst.expected, 1);
    equal(worst.actual, 0.75);
    assert_int_equal(worst.column, 1);
    dry_record_free(expected);
    dry_record_free(actual);
}

static void not_finite_values_agree_with_themselves_only(void **state) {
    (void)state;
    static const struct {
        double expected, actual, ratio;
    } rows[] = {{NAN, NAN, 0},
                {NAN, 1, INFINITY},
                {1, NAN, INFINITY},
                {INFINITY, INFINITY, 0},
                {INFINITY, 1, INFINITY},
                {1, INFINITY, INFINITY},
                {0, -0.0, 0},
                {INFINITY, -INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_record *expected = pair(rows[i].expected), *actual = pair(rows[i].actual);
        dry_record_difference worst;
        assert_int_equal(dry_record_compare(expected, actual, 1e-3, 1, &worst, NULL), DRY_OK);
        if (worst.ratio != rows[i].ratio) fail_msg("row %zu gave %g", i, worst.ratio);
        dry_record_free(expected);
        dry_record_free(actual);
    }
}

static void no_tolerance_asks_for_equality(void **state) {
    (void)state;
    dry_record *a = pair(1), *b = pair(nextafter(1, 2));
    dry_record_difference worst;
    assert_int_equal(dry_record_compare(a, a, 0, 0, &worst, NULL), DRY_OK);
    equal(worst.ratio, 0);
    assert_int_equal(dry_record_compare(a, b, 0, 0, &worst, NULL), DRY_OK);
    is_infinite(worst.ratio);
    dry_record_free(a);
    dry_record_free(b);
}

static void check_refused(dry_record *expected, dry_record *actual, double tolerance,
                          const char *text) {
    dry_record_difference worst;
    dry_error error = {0};
    dry_status status = dry_record_compare(expected, actual, tolerance, tolerance, &worst, &error);
    assert_int_equal(status, DRY_BAD_ARGUMENT);
    if (strstr(error.text, text) == NULL) fail_msg("%s", error.text);
    dry_record_free(expected);
    dry_record_free(actual);
}

static void what_cannot_be_compared_is_explained(void **state) {
    (void)state;
    dry_quantity t = {"t", "s"};
    dry_record *only_time = dry_record_new(&t, 1);
    dry_record_add(only_time, &(double){0});
    check_refused(line("x", "", 1, 1, 3), line("y", "", 1, 1, 3), 1, "no column x");
    check_refused(line("x", "m", 1, 1, 3), line("x", "mm", 1, 1, 3), 1, "same unit");
    check_refused(line("x", "", 1, 1, 3), line("x", "", 1, 1, 2), 1, "covers only 0 to 1; run it");
    check_refused(line("x", "", 1, 1, 3), line("x", "", 1, 1, 0), 1, "has no rows");
    check_refused(line("x", "", 1, 1, 0), line("x", "", 1, 1, 3), 1, "nothing to compare");
    check_refused(only_time, line("x", "", 1, 1, 3), 1, "nothing to compare");
    check_refused(pair(1), pair(1), -1, "tolerance");
    check_refused(pair(1), pair(1), NAN, "tolerance");
}

static void unit_may_be_missing_on_one_side(void **state) {
    (void)state;
    dry_record *expected = line("x", "", 1, 1, 3), *actual = line("x", "m", 1, 1, 3);
    dry_record_difference worst;
    assert_int_equal(dry_record_compare(expected, actual, 0, 0, &worst, NULL), DRY_OK);
    equal(worst.ratio, 0);
    dry_record_free(expected);
    dry_record_free(actual);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_times_are_interpolated),
        cmocka_unit_test(worst_place_is_found),
        cmocka_unit_test(not_finite_values_agree_with_themselves_only),
        cmocka_unit_test(no_tolerance_asks_for_equality),
        cmocka_unit_test(what_cannot_be_compared_is_explained),
        cmocka_unit_test(unit_may_be_missing_on_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
