/* Number text: shortest, exact both ways, independent of the locale. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "unit.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma.h"
#include "listed.h"
#include <drystone/base.h>

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* libc's strtod and ours both give x back from its text. */
static void check_round_trip(double x) {
    char text[DRY_NUMBER_SIZE];
    const char *end;
    double y;
    int length = dry_number_text(x, text);
    if ((size_t)length != strlen(text) || length >= DRY_NUMBER_SIZE) fail_msg("length of %s", text);
    if (to_bits(strtod(text, NULL)) != to_bits(x)) fail_msg("%a became %s", x, text);
    if (!dry_number_parse(text, &end, &y) || *end != '\0' || to_bits(y) != to_bits(x)) {
        fail_msg("%a became %s, which was read as %a", x, text, y);
    }
}

/* The digits of a text without sign, point, exponent and zeros at both ends. */
static int significant_digits(const char *text, char digits[DRY_NUMBER_SIZE]) {
    int n = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        bool digit = *text >= '0' && *text <= '9';
        if (digit && (n > 0 || *text != '0')) digits[n++] = *text;
    }
    while (n > 0 && digits[n - 1] == '0') n--;
    digits[n] = '\0';
    return n;
}

/* Whether one of the decimals with n digits around x reads back as x. */
static bool exists_with(double x, int n) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", n - 1, x);
    int exponent = atoi(strchr(text, 'e') + 1) - (n - 1);
    char digits[DRY_NUMBER_SIZE];
    int kept = 0;
    for (char *p = text; *p != 'e'; p++) {
        if (*p != '.') digits[kept++] = *p;
    }
    digits[kept] = '\0';
    long long near = atoll(digits);
    for (long long d = near - 1; d <= near + 1; d++) {
        snprintf(text, sizeof text, "%llde%d", d, exponent);
        if (strtod(text, NULL) == x) return true;
    }
    return false;
}

/* No decimal with fewer digits reads back; of those with as many, ours is the closest that does. */
static void check_shortest(double x) {
    char text[DRY_NUMBER_SIZE], digits[DRY_NUMBER_SIZE], rounded[DRY_NUMBER_SIZE], nearest[64];
    x = fabs(x);
    dry_number_text(x, text);
    int n = significant_digits(text, digits);
    if (n > 1 && exists_with(x, n - 1)) fail_msg("%s is not the shortest text of %a", text, x);
    snprintf(nearest, sizeof nearest, "%.*e", n - 1, x);
    if (strtod(nearest, NULL) != x) return;
    significant_digits(nearest, rounded);
    if (strcmp(rounded, digits) != 0) fail_msg("%s is not the closest text of %a", text, x);
}

static void random_bits_come_back(void **state) {
    (void)state;
    for (int i = 0; i < 1200000; i++) {
        double x = from_bits(next_random());
        if (isfinite(x)) check_round_trip(x);
    }
}

static void random_plain_numbers_come_back(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        check_round_trip((double)(next_random() >> 40) * 1e-6);
        check_round_trip((double)(int64_t)next_random());
    }
}

static void random_bits_are_shortest(void **state) {
    (void)state;
    for (int i = 0; i < 30000; i++) {
        double x = from_bits(next_random());
        if (isfinite(x) && x != 0) check_shortest(x);
    }
}

static void subnormals_are_shortest_and_come_back(void **state) {
    (void)state;
    for (uint64_t bits = 1; bits < 3000; bits++) check_shortest(from_bits(bits));
    for (int i = 0; i < 3000; i++) {
        double x = from_bits(next_random() >> (12 + i % 40));
        if (x == 0) continue;
        check_round_trip(x);
        check_shortest(x);
    }
}

static void check_around(double x) {
    double all[] = {nextafter(x, 0), x, nextafter(x, INFINITY)};
    for (int i = 0; i < 3; i++) {
        if (!isfinite(all[i]) || all[i] == 0) continue;
        check_round_trip(all[i]);
        check_shortest(all[i]);
    }
}

static void powers_of_two_are_shortest_and_come_back(void **state) {
    (void)state;
    for (int e = -1074; e <= 1023; e++) check_around(ldexp(1, e));
}

static void powers_of_ten_are_one_digit(void **state) {
    (void)state;
    for (int e = -323; e <= 308; e++) {
        char text[16], shortest[DRY_NUMBER_SIZE], digits[DRY_NUMBER_SIZE];
        snprintf(text, sizeof text, "1e%d", e);
        double x = strtod(text, NULL);
        dry_number_text(x, shortest);
        assert_int_equal(significant_digits(shortest, digits), 1);
        check_around(x);
    }
}

static void text_has_the_promised_form(void **state) {
    (void)state;
    static const struct {
        double x;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.25, "-1.25"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {123456, "123456"},
        {1200, "1200"},
        {0.001, "0.001"},
        {0.0001, "0.0001"},
        {-0.000123, "-0.000123"},
        {0.00001, "1e-5"},
        {1.5e-7, "1.5e-7"},
        {1e20, "100000000000000000000"},
        {1e21, "1e21"},
        {-1.5e300, "-1.5e300"},
        {9007199254740993.0, "9007199254740992"},
        {2e23, "2e23"},
        {9e-265, "9e-265"},
        {5.0e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_EPSILON, "2.220446049250313e-16"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DRY_NUMBER_SIZE];
        assert_int_equal(dry_number_text(rows[i].x, text), strlen(rows[i].text));
        assert_string_equal(text, rows[i].text);
    }
}

static void parse_reads_a_number_and_stops_behind_it(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x;
        size_t length;
    } rows[] = {
        {"1", 1, 1},
        {"+1.5", 1.5, 4},
        {"-.5", -0.5, 3},
        {"5.", 5, 2},
        {"1.2.3", 1.2, 3},
        {"007", 7, 3},
        {"1e3", 1000, 3},
        {"1E+03x", 1000, 5},
        {"1e-3 ", 0.001, 4},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1ex", 1, 1},
        {"2,5", 2, 1},
        {"0x10", 0, 1},
        {"0e999999999999999999999", 0, 23},
        {"1e999999999999999999999", INFINITY, 23},
        {"1e-99999999999999999999", 0, 23},
        {"1e309", INFINITY, 5},
        {"-1e309", -INFINITY, 6},
        {"1.7976931348623158e308", DBL_MAX, 22},
        {"1.7976931348623159e308", INFINITY, 22},
        {"4.9406564584124654e-324", 0x1p-1074, 23},
        {"2.4703282292062327e-324", 0, 23},
        {"2.4703282292062328e-324", 0x1p-1074, 23},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022, 23},
        {"9007199254740993", 9007199254740992.0, 16},
        {"9007199254740995", 9007199254740996.0, 16},
        {"9007199254740993.00000000000000000000001", 9007199254740994.0, 40},
        {"12345678901234567890123", 12345678901234567890123.0, 23},
        {"0.000000000000000000000000000000000001e36", 1, 41},
        {"inf", INFINITY, 3},
        {"-Inf,", -INFINITY, 4},
        {"INFINITY", INFINITY, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *end;
        double x = -77;
        assert_true(dry_number_parse(rows[i].text, &end, &x));
        if (to_bits(x) != to_bits(rows[i].x)) fail_msg("%s was read as %a", rows[i].text, x);
        assert_int_equal(end - rows[i].text, rows[i].length);
    }
}

static void parse_reads_nan_and_negative_zero(void **state) {
    (void)state;
    const char *end;
    double x;
    assert_true(dry_number_parse("NaN", &end, &x));
    is_nan(x);
    assert_int_equal(*end, '\0');
    assert_true(dry_number_parse("-nan", &end, &x));
    is_nan(x);
    assert_int_equal(*end, '\0');
    assert_true(dry_number_parse("-0", &end, &x));
    equal(x, 0);
    assert_true(signbit(x));
}

static void parse_refuses_what_is_no_number(void **state) {
    (void)state;
    static const char *const rows[] = {"",   " 1",  "\t1",  "-",        "+",    ".",    "-.",
                                       "e5", ".e5", "--1",  "info",     "nano", "in",   "na",
                                       "x",  "+ 1", "inf_", "infinite", "nan1", "\xff", "(1)"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *end;
        double x = 42;
        if (dry_number_parse(rows[i], &end, &x)) fail_msg("'%s' was read as %g", rows[i], x);
        assert_ptr_equal(end, rows[i]);
        equal(x, 42);
    }
}

/* Digits and exponents at random, against strtod of the C locale. */
static void parse_agrees_with_strtod(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        int n = 1 + (int)(next_random() % 24), at = 0;
        int point = (int)(next_random() % 25);
        for (int j = 0; j < n; j++) {
            if (j == point) text[at++] = '.';
            text[at++] = (char)('0' + next_random() % 10);
        }
        snprintf(text + at, sizeof text - (size_t)at, "e%d", (int)(next_random() % 700) - 350);
        const char *end;
        double x;
        assert_true(dry_number_parse(text, &end, &x));
        assert_int_equal(*end, '\0');
        if (to_bits(x) != to_bits(strtod(text, NULL))) fail_msg("%s was read as %a", text, x);
    }
}

/* The number halfway between x and the next, given exactly: the even one; with the smallest bit
 * more, the upper one. */
static void parse_rounds_halves_to_even(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        double x = from_bits(next_random() >> 1), y = nextafter(x, INFINITY);
        if (!isfinite(y) || y > 1e290 || y < 1e-250) continue;
        long double middle = ((long double)x + y) / 2;
        char text[1200];
        int length = snprintf(text, sizeof text, "%.1100Lg", middle);
        const char *end;
        double z;
        assert_true(dry_number_parse(text, &end, &z));
        assert_int_equal(*end, '\0');
        equal(z, to_bits(x) % 2 == 0 ? x : y);
        if (strchr(text, 'e') != NULL || strchr(text, '.') == NULL) continue;
        text[length] = '1';
        text[length + 1] = '\0';
        assert_true(dry_number_parse(text, &end, &z));
        equal(z, y);
    }
}

static void parse_takes_any_number_of_digits(void **state) {
    (void)state;
    enum { N = 5000 };
    char text[N + 8];
    const char *end;
    double x;
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17); /* between two doubles; the far digit decides */
    text[N] = '\0';
    assert_true(dry_number_parse(text, &end, &x));
    assert_ptr_equal(end, text + N);
    equal(x, 9007199254740992.0);
    text[N - 1] = '1';
    assert_true(dry_number_parse(text, &end, &x));
    assert_ptr_equal(end, text + N);
    equal(x, 9007199254740994.0);
    memset(text, '0', N);
    memcpy(text + N, "1e3", 4);
    text[0] = '.';
    assert_true(dry_number_parse(text, &end, &x));
    equal(x, 0);
    assert_int_equal(*end, '\0');
}

static void parse_leaves_errno_alone(void **state) {
    (void)state;
    const char *end;
    double x;
    errno = 0;
    assert_true(dry_number_parse("123456789012345678901234567890e999", &end, &x));
    is_infinite(x);
    assert_int_equal(errno, 0);
}

static void rounded_numbers_are_those_of_printf(void **state) {
    (void)state;
    char text[DRY_NUMBER_SIZE], expected[64];
    for (int i = 0; i < 4000; i++) {
        const int digits = 1 + i % 17;
        const double x = ldexp(sin(3.0 * i), i % 2098 - 1074);
        snprintf(expected, sizeof expected, "%.*g", digits, x);
        assert_int_equal(dry_number_rounded(x, digits, text), strlen(expected));
        assert_string_equal(text, expected);
    }
    dry_number_rounded(-INFINITY, 3, text);
    assert_string_equal(text, "-inf");
    dry_number_rounded(NAN, 3, text);
    assert_string_equal(text, "nan");
    dry_number_rounded(-1.2345678901234567e-308, 99, text);
    assert_string_equal(text, "-1.2345678901234567e-308");
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    begin_comma_locale();
    char text[DRY_NUMBER_SIZE];
    const char *end, *many = "0.1000000000000000055511151231257827";
    double x;
    dry_number_text(1234.5, text);
    assert_string_equal(text, "1234.5");
    dry_number_rounded(1234.56, 5, text);
    assert_string_equal(text, "1234.6");
    assert_true(dry_number_parse("1234.5", &end, &x));
    equal(x, 1234.5);
    assert_int_equal(*end, '\0');
    assert_true(dry_number_parse(many, &end, &x));
    equal(x, 0.1);
    assert_int_equal(*end, '\0');
    assert_true(dry_number_parse("1,5", &end, &x));
    equal(x, 1);
    assert_int_equal(*end, ',');
    end_comma_locale();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bits_come_back),
        cmocka_unit_test(random_plain_numbers_come_back),
        cmocka_unit_test(random_bits_are_shortest),
        cmocka_unit_test(subnormals_are_shortest_and_come_back),
        cmocka_unit_test(powers_of_two_are_shortest_and_come_back),
        cmocka_unit_test(powers_of_ten_are_one_digit),
        cmocka_unit_test(text_has_the_promised_form),
        cmocka_unit_test(parse_reads_a_number_and_stops_behind_it),
        cmocka_unit_test(parse_reads_nan_and_negative_zero),
        cmocka_unit_test(parse_refuses_what_is_no_number),
        cmocka_unit_test(parse_agrees_with_strtod),
        TEST_IF(LDBL_MANT_DIG > DBL_MANT_DIG, parse_rounds_halves_to_even),
        cmocka_unit_test(parse_takes_any_number_of_digits),
        cmocka_unit_test(parse_leaves_errno_alone),
        cmocka_unit_test(rounded_numbers_are_those_of_printf),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
