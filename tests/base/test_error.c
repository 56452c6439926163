/* The caller's error is filled, cut where it must be, and may be absent. */
#include "unit.h"

#include <string.h>

#include <drystone/base.h>

static void set_fills_all_fields(void **state) {
    (void)state;
    dry_error error;
    memset(&error, 0xaa, sizeof error);
    assert_int_equal(dry_error_set(&error, DRY_SINGULAR, "row %d; add a mass", 3), DRY_SINGULAR);
    assert_int_equal(error.status, DRY_SINGULAR);
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_string_equal(error.text, "row 3; add a mass");
}

static void set_at_fills_the_place(void **state) {
    (void)state;
    dry_error error;
    dry_status status = dry_error_set_at(&error, DRY_BAD_FILE, "a/b.dry", 12, 7, "%s", "odd");
    assert_int_equal(status, DRY_BAD_FILE);
    assert_string_equal(error.file, "a/b.dry");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 7);
    assert_string_equal(error.text, "odd");
    dry_error_set_at(&error, DRY_BAD_FILE, NULL, 1, 2, "x");
    assert_string_equal(error.file, "");
}

static void a_key_and_a_way_out_are_values(void **state) {
    (void)state;
    dry_error error = {0};
    dry_error_set_key(&error, DRY_BAD_ARGUMENT, "dim", "leave dim out", "a %s is short", "length");
    assert_string_equal(error.text, "a length is short: leave dim out");
    assert_string_equal(error.key, "dim");
    assert_string_equal(dry_error_way_out(&error), "leave dim out");
    assert_int_equal(dry_error_what(&error), strlen("a length is short"));
    const dry_wrong wrong = {"K", "K is odd", NULL};
    assert_int_equal(dry_error_set_wrong(&error, &wrong), DRY_BAD_ARGUMENT);
    assert_string_equal(error.key, "K");
    assert_null(dry_error_way_out(&error));
    assert_int_equal(dry_error_what(&error), strlen("K is odd"));
    assert_int_equal(dry_error_set_wrong(&error, NULL), DRY_OK);
    dry_error_set(&error, DRY_IO, "x");
    assert_string_equal(error.key, "");
}

static void a_way_out_that_does_not_fit_is_left_out(void **state) {
    (void)state;
    dry_error error = {0};
    char longest[600];
    memset(longest, 'w', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    dry_error_set_key(&error, DRY_IO, longest, longest, "short");
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_null(dry_error_way_out(&error));
    assert_int_equal(strlen(error.key), sizeof error.key - 1);
}

static void long_words_are_cut(void **state) {
    (void)state;
    dry_error error;
    char path[1000];
    memset(path, 'p', sizeof path);
    memcpy(path + sizeof path - 7, "/z.csv", 7);
    dry_error_set_at(&error, DRY_IO, path, 0, 0, "%s", path);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_memory_equal(error.file, "...pp", 5);
    assert_string_equal(error.file + strlen(error.file) - 7, "p/z.csv");
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

static void error_may_be_null(void **state) {
    (void)state;
    assert_int_equal(dry_error_set(NULL, DRY_IO, "x"), DRY_IO);
    assert_int_equal(dry_error_set_at(NULL, DRY_IO, "f", 1, 1, "x"), DRY_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_fills_all_fields),
        cmocka_unit_test(set_at_fills_the_place),
        cmocka_unit_test(a_key_and_a_way_out_are_values),
        cmocka_unit_test(a_way_out_that_does_not_fit_is_left_out),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(error_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
