/* The assertions of tests/unit.h: each passes at its bound, and fails beyond it and on NaN with a
 * line that has the place, both expressions and both numbers. What fails runs in a second process:
 * this program with the number of a row. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include <stdlib.h>

static const char *self;
static const double two = 2.0, zero = 0.0, none = (double)NAN, no_end = (double)INFINITY;
static const double row[3] = {1.0, 2.0, 3.0}, other[3] = {1.0, 2.0, 4.0};
static const double lost[2] = {1.0, (double)NAN};

/* ---- what passes ------------------------------------------------------------------------ */

static void bounds_belong_to_what_they_close(void **state) {
    (void)state;
    near(two, 2.5, 0.5);
    closer(two, 2.5, 0.5 + 1e-15);
    near_share(3.0, two, 0.5);
    near_case(two, two, 0.0, "row %d", 1);
    equal(zero, -0.0);
    equal(no_end, no_end);
    unequal(two, two + 1e-15);
    at_most(two, 2);
    at_least(two, 2);
    below(two, 2.0 + 1e-15);
    above(two, 2.0 - 1e-15);
    between(two, 2.0 - 1e-15, 2.0 + 1e-15);
    same_bits(two, 2.0);
    is_nan(none);
    is_finite(two);
    is_infinite(-no_end);
}

static void arrays_texts_and_errors_pass(void **state) {
    (void)state;
    const dry_error error = {0};
    all_near(3, row, other, 1.0);
    all_closer(3, row, other, 1.0 + 1e-15);
    all_equal(2, row, other);
    all_equal(1, &no_end, &no_end);
    all_same_bits(2, row, other);
    same_text("stone", "stone");
    is_ok(DRY_OK, &error);
}

static void arguments_are_evaluated_once(void **state) {
    (void)state;
    int calls = 0;
    at_most(calls++, 0);
    between(calls++, 0, 2);
    all_near(calls++, row, other, 0.0);
    assert_int_equal(calls, 3);
}

static void numbers_are_alike_if_both_are_none(void **state) {
    (void)state;
    assert_true(alike(none, -none));
    assert_false(alike(none, two));
    assert_false(alike(zero, -0.0));
}

/* ---- what fails ------------------------------------------------------------------------- */

typedef struct failure {
    void (*test)(void **state);
    int line;
    const char *text; /* after FILE:LINE: */
} failure;

#define FAILS(name, statement, text)                                                               \
    static void name##_fails(void **state) {                                                       \
        (void)state;                                                                               \
        statement;                                                                                 \
    }                                                                                              \
    static const failure name = {name##_fails, __LINE__, text};

static const dry_error stone = {
    .status = DRY_BAD_FILE, .file = "wall.csv", .line = 3, .column = 4, .text = "a stone is loose"};

/* clang-format off */
FAILS(far, near(two, 3.0, 0.5), "two (2) is not near 3.0 (3): they differ by -1, and may by 0.5")
FAILS(at_bound, closer(two, 2.5, 0.5), "two (2) is not close to 2.5 (2.5): they differ by -0.5, and may by 0.5")
FAILS(share, near_share(two, -4.0, 0.25), "two (2) is not near -4.0 (-4): they differ by 6, and may by 1")
FAILS(named, near_case(two, 3.0, 0.5, "row %d of %s", 7, "all"), "two (2) is not near 3.0 (3): they differ by -1, and may by 0.5; row 7 of all")
FAILS(uneven, equal(two, 2.0 + 0x1p-51), "two (2) is not equal to 2.0 + 0x1p-51 (2.0000000000000004): they differ by -4.44e-16")
FAILS(even, unequal(two, 2.0), "two (2) is not unequal to 2.0 (2): they differ by 0")
FAILS(not_below, below(two, 2), "two (2) is not below 2 (2): they differ by 0")
FAILS(too_much, at_most(two, 1.5), "two (2) is not at most 1.5 (1.5): they differ by 0.5")
FAILS(not_above, above(two, 2), "two (2) is not above 2 (2): they differ by 0")
FAILS(too_little, at_least(two, 2.5), "two (2) is not at least 2.5 (2.5): they differ by -0.5")
FAILS(too_low, between(two, 2.0, 3.0), "two (2) is not above 2.0 (2): they differ by 0")
FAILS(too_high, between(two, 1.0, 2.0), "two (2) is not below 2.0 (2): they differ by 0")
FAILS(signs, same_bits(zero, -0.0), "zero (0) is not bit for bit -0.0 (-0): they differ by 0")
FAILS(third_far, all_near(3, row, other, 0.5), "row (3) is not near other (4): they differ by -1, and may by 0.5; at index 2")
FAILS(third_at_bound, all_closer(3, row, other, 1.0), "row (3) is not close to other (4): they differ by -1, and may by 1; at index 2")
FAILS(third_uneven, all_equal(3, row, other), "row (3) is not equal to other (4): they differ by -1, and may by 0; at index 2")
FAILS(third_bits, all_same_bits(3, row, other), "row (3) is not bit for bit other (4): they differ by -1, and may by 0; at index 2")
FAILS(nothing, all_near(0, row, other, 0.5), "row has no numbers")
FAILS(nothing_equal, all_equal(0, row, other), "row has no numbers")
FAILS(number, is_nan(two), "two (2) is not NaN")
FAILS(endless, is_finite(no_end), "no_end (inf) is not finite")
FAILS(finite_one, is_infinite(two), "two (2) is not infinite")
FAILS(words, same_text("dry wall", "dry stone"), "\"dry wall\" is not the text \"dry stone\": from byte 4 on \"wall\", not \"stone\"")
FAILS(no_words, same_text(NULL, "dry"), "NULL is not the text \"dry\": from byte 0 on \"(NULL)\", not \"dry\"")
FAILS(loose, is_ok(stone.status, &stone), "stone.status: bad file: wall.csv:3:4: a stone is loose")

FAILS(nan_near, near(none, two, 9.0), "none (nan) is not near two (2): ")
FAILS(nan_tolerance, near(two, two, none), "two (2) is not near two (2): ")
FAILS(nan_closer, closer(two, none, 9.0), "two (2) is not close to none (nan): ")
FAILS(nan_share, near_share(none, none, 9.0), "none (nan) is not near none (nan): ")
FAILS(nan_case, near_case(none, two, 9.0, "row"), "none (nan) is not near two (2): ")
FAILS(nan_equal, equal(none, none), "none (nan) is not equal to none (nan): ")
FAILS(nan_unequal, unequal(none, two), "none (nan) is not unequal to two (2): ")
FAILS(nan_below, below(none, two), "none (nan) is not below two (2): ")
FAILS(nan_at_most, at_most(none, two), "none (nan) is not at most two (2): ")
FAILS(nan_above, above(none, two), "none (nan) is not above two (2): ")
FAILS(nan_at_least, at_least(none, two), "none (nan) is not at least two (2): ")
FAILS(nan_between, between(none, zero, two), "none (nan) is not above zero (0): ")
FAILS(nan_bits, same_bits(none, none), "none (nan) is not bit for bit none (nan): ")
FAILS(nan_finite, is_finite(none), "none (nan) is not finite")
FAILS(nan_infinite, is_infinite(none), "none (nan) is not infinite")
FAILS(nan_all_near, all_near(2, lost, lost, 9.0), "lost (nan) is not near lost (nan): ")
FAILS(nan_all_closer, all_closer(2, lost, lost, 9.0), "lost (nan) is not close to lost (nan): ")
FAILS(nan_all_equal, all_equal(2, lost, lost), "lost (nan) is not equal to lost (nan): ")
FAILS(nan_all_bits, all_same_bits(2, lost, lost), "lost (nan) is not bit for bit lost (nan): ")

static const failure *const failures[] = {
    &far, &at_bound, &share, &named, &uneven, &even, &not_below, &too_much, &not_above, &too_little,
    &too_low, &too_high, &signs, &third_far, &third_at_bound, &third_uneven, &third_bits, &nothing, &nothing_equal,
    &number, &endless, &finite_one, &words, &no_words, &loose,
    &nan_near, &nan_tolerance, &nan_closer, &nan_share, &nan_case, &nan_equal, &nan_unequal,
    &nan_below, &nan_at_most, &nan_above, &nan_at_least, &nan_between, &nan_bits, &nan_finite,
    &nan_infinite, &nan_all_near, &nan_all_closer, &nan_all_equal, &nan_all_bits,
};
/* clang-format on */
enum { FAILURES = sizeof failures / sizeof *failures };

static int run_failure(int i) {
    const struct CMUnitTest tests[] = {{"failure", failures[i]->test, NULL, NULL, NULL}};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static void output_of_failure(int i, char *text, size_t size) {
    char command[1200];
    snprintf(command, sizeof command, "CMOCKA_MESSAGE_OUTPUT=TAP '%s' %d 2>&1", self, i);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    assert_int_not_equal(pclose(pipe), 0);
}

static void failures_print_what_differs(void **state) {
    (void)state;
    for (int i = 0; i < FAILURES; i++) {
        char text[4096], expected[512];
        output_of_failure(i, text, sizeof text);
        snprintf(expected, sizeof expected, "%s:%d: %s", __FILE__, failures[i]->line,
                 failures[i]->text);
        if (!strstr(text, "not ok 1 - failure")) fail_msg("%s: it passes:\n%s", expected, text);
        if (!strstr(text, expected)) fail_msg("no \"%s\" in:\n%s", expected, text);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_belong_to_what_they_close),
        cmocka_unit_test(arrays_texts_and_errors_pass),
        cmocka_unit_test(arguments_are_evaluated_once),
        cmocka_unit_test(numbers_are_alike_if_both_are_none),
        cmocka_unit_test(failures_print_what_differs),
    };
    self = argv[0];
    return argc > 1 ? run_failure(atoi(argv[1])) : cmocka_run_group_tests(tests, NULL, NULL);
}
