/* The table: names copied, rows appended, no allocation after a reserve. */
#include "unit.h"

#include <string.h>

#include <drystone/record.h>

static void names_and_units_are_copied(void **state) {
    (void)state;
    char name[] = "speed", unit[] = "m/s";
    dry_quantity columns[] = {{"t", "s"}, {name, unit}, {"n", NULL}};
    dry_record *record = dry_record_new(columns, 3);
    name[0] = unit[0] = 'X';
    assert_int_equal(dry_record_columns(record), 3);
    assert_int_equal(dry_record_rows(record), 0);
    assert_string_equal(dry_record_quantity(record, 1).name, "speed");
    assert_string_equal(dry_record_quantity(record, 1).unit, "m/s");
    assert_string_equal(dry_record_quantity(record, 2).unit, "");
    assert_int_equal(dry_record_find(record, "speed"), 1);
    assert_int_equal(dry_record_find(record, "spee"), -1);
    dry_record_free(record);
    dry_record_free(NULL);
}

static void rows_keep_their_values_while_growing(void **state) {
    (void)state;
    enum { N = 10000 };
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}, {"b", ""}}, 2);
    for (int i = 0; i < N; i++) {
        double row[] = {i, -2.0 * i};
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    assert_int_equal(dry_record_rows(record), N);
    for (int i = 0; i < N; i++) {
        equal(dry_record_values(record, 0)[i], i);
        equal(dry_record_values(record, 1)[i], -2.0 * i);
    }
    dry_record_free(record);
}

static void reserved_rows_do_not_move(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}}, 1);
    assert_int_equal(dry_record_reserve(record, 1000), DRY_OK);
    const double *before = dry_record_values(record, 0);
    for (int i = 0; i < 1000; i++) dry_record_add(record, &(double){i});
    assert_ptr_equal(dry_record_values(record, 0), before);
    assert_int_equal(dry_record_reserve(record, 10), DRY_OK);
    assert_int_equal(dry_record_rows(record), 1000);
    dry_record_free(record);
}

static void impossible_size_is_refused_and_nothing_lost(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}}, 1);
    dry_record_add(record, &(double){7});
    assert_int_equal(dry_record_reserve(record, SIZE_MAX / 4), DRY_NO_MEMORY);
    assert_int_equal(dry_record_rows(record), 1);
    equal(dry_record_values(record, 0)[0], 7);
    dry_record_free(record);
}

static void picked_columns_share_their_values(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"a", "m"}, {"b", "N"}}, 3);
    dry_record_add(record, (double[]){0, 1, 2});
    dry_record_add(record, (double[]){1, 3, 4});
    dry_record *picked = dry_record_pick(record, (int[]){2, 0}, 2);
    assert_int_equal(dry_record_columns(picked), 2);
    assert_int_equal(dry_record_rows(picked), 2);
    assert_int_equal(dry_record_find(picked, "b"), 0);
    assert_int_equal(dry_record_find(picked, "a"), -1);
    assert_string_equal(dry_record_quantity(picked, 0).unit, "N");
    assert_ptr_equal(dry_record_values(picked, 0), dry_record_values(record, 2));
    dry_record_free(picked);
    equal(dry_record_values(record, 2)[1], 4);
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_units_are_copied),
        cmocka_unit_test(rows_keep_their_values_while_growing),
        cmocka_unit_test(reserved_rows_do_not_move),
        cmocka_unit_test(impossible_size_is_refused_and_nothing_lost),
        cmocka_unit_test(picked_columns_share_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
