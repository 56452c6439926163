/* Ticks are round, inside the range and 3 to 8; labels and note read back as the ticks. */
#include "plot/internal.h"
#include "sample.h"

/* A label or a part of a note, with − for minus and ×10ⁿ, as a number; *end behind it. */
static double read_number(const char *text, const char **end) {
    double sign = 1.0, value = 1.0;
    if (*text == '+') text++;
    if (strncmp(text, "−", 3) == 0) {
        sign = -1.0;
        text += 3;
    }
    dry_number_parse(text, &text, &value);
    if (strncmp(text, "×10", 4) == 0) {
        int power = 0, negative = 0, rise = 1;
        for (text += 4; *text;) {
            const char *next = text;
            uint32_t plain = dry_plot__plain(dry_plot__decode(&next), &rise);
            if (rise != 1) break;
            if (plain == 0x2212)
                negative = 1;
            else
                power = 10 * power + (int)(plain - '0');
            text = next;
        }
        value *= pow(10.0, negative ? -power : power);
    }
    *end = text;
    return sign * value;
}

/* What the reader of the picture understands: label times the power, plus the offset. */
static double understood(const dry_plot__axis *axis, int i) {
    const char *end, *note = axis->note;
    double value = read_number(axis->label[i], &end), factor = 1.0, offset = 0.0;
    assert_int_equal(*end, 0);
    if (strncmp(note, "×", 2) == 0) factor = read_number(note, &note);
    while (*note == ' ') note++;
    if (*note) offset = read_number(note, &note);
    assert_int_equal(*note, 0);
    return value * factor + offset;
}

/* The 1, 2 or 5 times 10^k that the step is within `slack` of; 0 for none. */
static double round_step(double step, double slack) {
    double power = pow(10.0, floor(log10(step * (1.0 + slack))));
    const double good[] = {1.0, 2.0, 5.0};
    for (int i = 0; i < 3; i++)
        if (fabs(step / power - good[i]) < good[i] * slack) return good[i] * power;
    return 0.0;
}

static void check_axis(const dry_plot__axis *axis, double lo, double hi) {
    double size = fmax(fabs(axis->lo), fabs(axis->hi));
    double step = (axis->tick[axis->n - 1] - axis->tick[0]) / (axis->n - 1);
    double rounding = 4e-16 * size; /* of a tick: two roundings of half an ulp each */
    assert_in_range(axis->n, 3, 8);
    at_most(axis->lo, lo);
    at_least(axis->hi, hi);
    step = round_step(step, 1e-6 + 4.0 * rounding / step);
    above(step, 0.0);
    for (int i = 0; i < axis->n; i++) {
        double tick = axis->tick[i];
        at_least(tick, axis->lo);
        at_most(tick, axis->hi);
        closer(tick / step, round(tick / step), 1e-6 + 4.0 * rounding / step);
        if (i > 0) above(tick, axis->tick[i - 1]);
        near(understood(axis, i), tick, 1e-6 * step + 4.0 * rounding);
        at_most(dry_plot__cells(axis->label[i]), 9.0);
    }
}

static void random_ranges(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double width = pow(10.0, 600.0 * chance() - 300.0);
        double middle = (2.0 * chance() - 1.0) * width * pow(10.0, 11.0 * chance());
        if (!(fabs(middle) < 1e306)) continue;
        dry_plot__axis axis;
        dry_plot__range range = {middle - 0.5 * width, middle + 0.5 * width};
        dry_plot__axis_make(&axis, range, i % 2 ? 0.05 : 0.0, 5 + i % 4);
        check_axis(&axis, range.lo, range.hi);
    }
}

static void extreme_ranges(void **state) {
    (void)state;
    const double range[][2] = {{0, 1e-300},      {0, 1e300},       {-1e300, 1e300},
                               {-4e307, 4e307},  {1e-300, 2e-300}, {1e6, 1e6 + 1e-5},
                               {-1e9 - 1, -1e9}, {0, 0},           {5e-324, 5e-324},
                               {9.81, 9.81},     {-3e299, -3e299}, {4e307, 4e307}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        dry_plot__axis axis;
        dry_plot__axis_make(&axis, (dry_plot__range){range[i][0], range[i][1]}, 0.0, 8);
        check_axis(&axis, range[i][0], range[i][1]);
    }
}

static void labels_without_clutter(void **state) {
    (void)state;
    static const struct {
        double lo, hi;
        const char *note, *first, *last;
    } rows[] = {{0, 1, "", "0", "1.0"},
                {0, 4e-5, "×10⁻⁶", "0", "40"},
                {-0.3, 0.3, "", "−0.3", "0.3"},
                {0, 3e6, "×10⁶", "0", "3.0"},
                {1013249.996, 1013250.004, "×10⁻³ +1013250", "−4", "4"},
                {-1000.04, -1000.0, "−1000", "−0.04", "0"},
                {3e12, 3e12 + 50, "+3×10¹²", "0", "50"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_plot__axis axis;
        dry_plot__axis_make(&axis, (dry_plot__range){rows[i].lo, rows[i].hi}, 0.0, 8);
        assert_string_equal(axis.note, rows[i].note);
        assert_string_equal(axis.label[0], rows[i].first);
        assert_string_equal(axis.label[axis.n - 1], rows[i].last);
    }
}

static void empty_and_constant(void **state) {
    (void)state;
    dry_plot__axis axis;
    dry_plot__axis_make(&axis, dry_plot__range_empty(), 0.05, 5);
    equal(axis.lo, 0.0);
    equal(axis.hi, 1.0);
    const double values[] = {NAN, INFINITY, 2.5, -INFINITY, 2.5};
    dry_plot__range range = dry_plot__range_of(values, 5);
    equal(range.lo, 2.5);
    equal(range.hi, 2.5);
    dry_plot__axis_make(&axis, range, 0.05, 5);
    below(axis.lo, 2.5);
    above(axis.hi, 2.5);
}

/* Noise in the last bits of a constant is no picture of anything. */
static void rounding_noise_is_flat(void **state) {
    (void)state;
    dry_plot__axis axis;
    dry_plot__axis_make(&axis, (dry_plot__range){1.0, nextafter(1.0, 2.0)}, 0.05, 5);
    above(axis.hi - axis.lo, 0.1);
}

static void few_ticks_where_few_fit(void **state) {
    (void)state;
    for (int most = 1; most <= 8; most++)
        for (int i = 0; i < 500; i++) {
            dry_plot__axis axis;
            double lo = chance(), hi = lo + chance() + 1e-3;
            dry_plot__axis_make(&axis, (dry_plot__range){lo, hi}, 0.0, most);
            at_most(axis.n, most < 5 ? most : 8);
        }
}

/* Powers of ten, with 2 and 5 where there is room; the ends are those of the data. */
static void logarithms(void **state) {
    (void)state;
    dry_plot__axis axis;
    dry_plot__axis_make_log(&axis, (dry_plot__range){0.05, 5.0}, 0.0, 8);
    static const char *const labels[] = {"0.05", "0.1", "0.2", "0.5", "1", "2", "5"};
    assert_int_equal(axis.n, 7);
    for (int i = 0; i < 7; i++) assert_string_equal(axis.label[i], labels[i]);
    equal(dry_plot__axis_at(&axis, 0.05), 0.0);
    equal(dry_plot__axis_at(&axis, 5.0), 1.0);
    closer(dry_plot__axis_at(&axis, 0.5), 0.5, 1e-15);
    dry_plot__axis_make_log(&axis, (dry_plot__range){1e-9, 1e9}, 0.0, 8);
    at_least(axis.n, 3);
    at_most(axis.n, 8);
    assert_string_equal(axis.label[0], "10⁻⁹");
    for (int i = 0; i < 2000; i++) {
        const double lo = pow(10.0, 40.0 * chance() - 20.0), hi = lo * (1.01 + 1e6 * chance());
        dry_plot__axis_make_log(&axis, (dry_plot__range){lo, hi}, 0.0, 1 + i % 8);
        at_least(axis.n, 0);
        at_most(axis.n, 1 + i % 8);
        for (int k = 0; k < axis.n; k++) {
            at_least(axis.tick[k], lo);
            at_most(axis.tick[k], hi);
        }
    }
    dry_plot__axis_make_log(&axis, (dry_plot__range){0.0, 0.0}, 0.0, 5); /* nothing positive */
    above(axis.lo, 0.0);
    above(axis.hi, axis.lo);
    dry_plot__axis_make_log(&axis, dry_plot__range_empty(), 0.05, 5);
    above(axis.lo, 0.0);
    above(axis.hi, axis.lo);
    is_finite(axis.hi);
    dry_plot__axis_make_log(&axis, (dry_plot__range){3.0, 3.0}, 0.05, 5); /* a single value */
    below(axis.lo, 3.0);
    above(axis.hi, 3.0);
    above(axis.n, 0);
    dry_plot__axis_make_log(&axis, (dry_plot__range){1.0, 1e20}, 0.05,
                            5); /* a decade at each end */
    closer(axis.lo, 0.1, 1e-12);
    closer(axis.hi / 1e21, 1.0, 1e-12);
    const double some[] = {-1.0, 0.0, 2.0, (double)NAN, 8.0};
    const dry_plot__range range = dry_plot__range_positive(some, 5);
    equal(range.lo, 2.0);
    equal(range.hi, 8.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ranges),
        cmocka_unit_test(extreme_ranges),
        cmocka_unit_test(labels_without_clutter),
        cmocka_unit_test(empty_and_constant),
        cmocka_unit_test(rounding_noise_is_flat),
        cmocka_unit_test(few_ticks_where_few_fit),
        cmocka_unit_test(logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
