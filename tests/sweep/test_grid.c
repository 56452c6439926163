/* Axes from text, and the numbering of the points. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "sweep/sweep_private.h"

static dry_sweep_axis axis_of(const char *text) {
    dry_sweep_axis axis;
    dry_error error = {0};
    if (dry_sweep_axis_read(&axis, text, &error) != DRY_OK) fail_msg("%s: %s", text, error.text);
    return axis;
}

static void test_linear(void **state) {
    (void)state;
    dry_sweep_axis axis = axis_of("beta1[3]=-1:2:7");
    assert_string_equal(axis.name, "beta1[3]");
    assert_int_equal(axis.n, 7);
    assert_false(axis.log);
    for (int i = 0; i < 7; i++) equal(axis.values[i], -1.0 + 0.5 * i);
    dry_sweep_axis_free(&axis);
}

/* Where the values pass 0, one is 0: rounding leaves no level of -1e-17. Others keep their bits. */
static void test_zero(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int at;
    } rows[] = {{"F=-0.1:0.6:8", 1}, {"F=-0.3:0.3:7", 3}, {"F=0.6:-0.1:8", 6}, {"F=-1.1:2.2:4", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_sweep_axis axis = axis_of(rows[i].text);
        for (int k = 0; k < axis.n; k++) assert_true((axis.values[k] == 0.0) == (k == rows[i].at));
        dry_sweep_axis_free(&axis);
    }
    dry_sweep_axis small = axis_of("F=-1e-15:1:1001");
    above(small.values[1], 0.0);
    below(small.values[0], 0.0);
    dry_sweep_axis_free(&small);
}

/* The ends are exact, the ratios equal up to the rounding of pow, two units in the last place. */
static void test_log(void **state) {
    (void)state;
    dry_sweep_axis axis = axis_of("K=0.1:1e4:6:log");
    assert_true(axis.log);
    equal(axis.values[0], 0.1);
    equal(axis.values[5], 1e4);
    for (int i = 1; i < 6; i++) closer(axis.values[i] / axis.values[i - 1], 10.0, 1e-14 * 10.0);
    dry_sweep_axis_free(&axis);
    axis = axis_of("K=5:0.05:3:log"); /* downward, too */
    equal(axis.values[0], 5.0);
    equal(axis.values[2], 0.05);
    closer(axis.values[1], 0.5, 1e-15);
    dry_sweep_axis_free(&axis);
}

static void test_list(void **state) {
    (void)state;
    dry_sweep_axis axis = axis_of("mu=3,1e-3,-2");
    assert_int_equal(axis.n, 3);
    equal(axis.values[0], 3.0);
    equal(axis.values[1], 1e-3);
    equal(axis.values[2], -2.0);
    dry_sweep_axis_free(&axis);
    axis = axis_of("mu=7");
    assert_int_equal(axis.n, 1);
    dry_sweep_axis_free(&axis);
}

/* Values are in SI; a zero needs no unit. */
static void test_units(void **state) {
    (void)state;
    dry_sweep_axis axis = axis_of("F=0:500mN:3");
    equal(axis.values[1], 0.25);
    equal(axis.values[2], 0.5);
    assert_string_equal(axis.unit, "N");
    dry_sweep_axis_free(&axis);
    axis = axis_of("phi=90 [deg],0.5rev");
    closer(axis.values[0], 1.5707963267948966, 1e-15);
    closer(axis.values[1], 3.1415926535897931, 1e-15);
    assert_string_equal(axis.unit, "1");
    dry_sweep_axis_free(&axis);
    axis = axis_of("K=1 [kN/m]:1 [N/mm]:1");
    equal(axis.values[0], 1000.0);
    dry_sweep_axis_free(&axis);
    axis = axis_of("F=1:2:3");
    assert_null(axis.unit);
    dry_sweep_axis_free(&axis);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "mu",         "=1:2:3",   "mu=",        "mu=1:2",      "mu=1:2:",         "mu=1:2:0",
        "mu=1:2:2.5", "mu=1:2:1", "mu=1:1:3",   "mu=1:2:3:ln", "mu=0:2:3:log",    "mu=1,,2",
        "mu=1,2,",    "mu=1,x",   "mu=nan:2:3", "mu=1:inf:3",  "mu=1:2:99999999", "mu=-1:1:3:log",
        "F=1N:2:3",   "F=1:2N:3", "F=1N:2m:3",  "F=1N,2",      "F=1Nn,2N",        "F=1 [N,2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dry_sweep_axis axis;
        dry_error error = {0};
        assert_int_equal(dry_sweep_axis_read(&axis, wrong[i], &error), DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "NAME=lo:hi:n"));
        assert_null(axis.name);
    }
}

static void test_points(void **state) {
    (void)state;
    dry_sweep_axis axes[] = {axis_of("a=1,2"), axis_of("b=10:30:3"), axis_of("c=5")};
    assert_int_equal(dry_sweep__points(axes, 3), 6);
    for (size_t i = 0; i < 6; i++) { /* the last one changes fastest */
        double values[3];
        dry_sweep_point(axes, 3, i, values);
        equal(values[0], 1.0 + (double)(i / 3));
        equal(values[1], 10.0 + 10.0 * (double)(i % 3));
        equal(values[2], 5.0);
    }
    for (int i = 0; i < 3; i++) dry_sweep_axis_free(&axes[i]);
}

static void test_too_many(void **state) {
    (void)state;
    double one[1] = {0.0};
    dry_sweep_axis huge[] = {{.name = "a", .values = one, .n = 10000000},
                             {.name = "b", .values = one, .n = 11}};
    assert_int_equal(dry_sweep__points(huge, 1), 10000000);
    assert_int_equal(dry_sweep__points(huge, 2), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),   cmocka_unit_test(test_zero),
        cmocka_unit_test(test_log),      cmocka_unit_test(test_list),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_points),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
