/* sgn, sat, dio as code: theorems 1 and 2 of X13 by the definitions of the sets, and the extremes.
 */
#include "unit.h"

#include "math/random.h"
#include <drystone/math.h>
#include <float.h>

enum { TRIALS = 20000 };

/* y in Z sgn(d): y = Z d/|d| for d != 0, |y| <= Z at 0. `slack` is the relative error of d. */
static bool in_sgn(int n, double Z, const double *d, const double *y, double slack) {
    const double length = dry_norm(n, d);
    if (length == 0.0) return dry_norm(n, y) <= Z * (1.0 + 4.0 * DBL_EPSILON);
    double miss[3];
    for (int i = 0; i < n; i++) miss[i] = y[i] - Z * (d[i] / length);
    return dry_norm(n, miss) <= slack * Z;
}

static void random_point(random_source *source, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = random_magnitude(source, -3.0, 3.0);
}

/* x - y loses digits where x is close to the ball: its relative error is eps |x|/|x - y|. */
static bool solves(int n, double Z, const double *x, const double *y) {
    double d[3];
    for (int i = 0; i < n; i++) d[i] = x[i] - y[i];
    const double length = dry_norm(n, d);
    const double slack = length > 0.0 ? 16.0 * DBL_EPSILON * (1.0 + dry_norm(n, x) / length) : 0.0;
    return in_sgn(n, Z, d, y, slack);
}

static void theorem_1_sat_is_an_element(void **state) {
    (void)state;
    random_source source = {1};
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 1 + trial % 3;
        const double Z = fabs(random_magnitude(&source, -3.0, 3.0));
        double x[3], y[3];
        random_point(&source, n, x);
        const bool outside = dry_sat(n, Z, x, y);
        assert_true(solves(n, Z, x, y));
        assert_int_equal(outside, dry_norm(n, x) > Z);
    }
}

/* Every other candidate fails the definition: a solution moved by 1 % of Z is none. */
static void theorem_1_nothing_else_is(void **state) {
    (void)state;
    random_source source = {2};
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 1 + trial % 3;
        const double Z = fabs(random_magnitude(&source, -3.0, 3.0));
        double x[3], y[3];
        random_point(&source, n, x);
        dry_sat(n, Z, x, y);
        const double move = Z * random_magnitude(&source, -2.0, 0.5);
        const int i = random_index(&source, n);
        if (dry_norm(n, x) > 1e6 * Z || dry_norm(n, x) < 1e-6 * Z)
            continue; /* d's digits are lost */
        y[i] += move;
        assert_false(solves(n, Z, x, y));
    }
}

/* The other direction: a y of the set and the x built from it are joined by sat. */
static void theorem_1_from_the_set_to_sat(void **state) {
    (void)state;
    random_source source = {3};
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 1 + trial % 3;
        const double Z = fabs(random_magnitude(&source, -2.0, 2.0));
        const double far = fabs(random_magnitude(&source, -2.0, 2.0));
        double d[3], x[3], y[3], out[3];
        random_point(&source, n, d);
        const double length = dry_norm(n, d);
        for (int i = 0; i < n; i++) {
            y[i] = Z * (d[i] / length);
            x[i] = y[i] + far * (d[i] / length);
        }
        dry_sat(n, Z, x, out);
        all_near(n, out, y, 8.0 * DBL_EPSILON * Z);
    }
}

/* y in dio(x + y): y = 0 for x + y > 0, y >= 0 at x + y = 0, nothing below. */
static bool in_dio(double gap, double y) { return gap > 0.0 ? y == 0.0 : gap == 0.0 && y >= 0.0; }

static void theorem_2(void **state) {
    (void)state;
    random_source source = {4};
    for (int trial = 0; trial < TRIALS; trial++) {
        const double x = random_magnitude(&source, -300.0, 300.0);
        const double y = dry_pos(-x); /* x + y is exact: it is x or 0 */
        assert_true(in_dio(x + y, y));
        const double other = y + fabs(x) * random_magnitude(&source, -10.0, 0.0);
        assert_false(in_dio(x + other, other));
    }
    assert_true(in_dio(0.0, dry_pos(-0.0)));
}

static void sat_at_the_ends_of_the_numbers(void **state) {
    (void)state;
    static const double sizes[] = {1e-310, 1e-200, 1e-150, 1.0, 1e150, 1e200, 1e300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double c = sizes[k], x[3] = {3.0 * c, -4.0 * c, 12.0 * c}; /* |x| = 13 c */
        /* 1e-310 has 45 bits left */
        const double slack = c < DBL_MIN ? 1e-12 : 8.0 * DBL_EPSILON;
        double y[3];
        near(dry_norm(3, x) / (13.0 * c), 1.0, slack);
        assert_true(dry_sat(3, 6.5 * c, x, y));
        for (int i = 0; i < 3; i++) near(y[i], 0.5 * x[i], slack * 13.0 * c);
        assert_false(dry_sat(3, 14.0 * c, x, y));
        all_equal(3, y, x);
        assert_true(dry_sat(1, c, x, y));
        equal(y[0], c);
    }
}

static void sat_of_what_is_not_finite(void **state) {
    (void)state;
    const double inf = (double)INFINITY;
    double x[2] = {inf, 1.0}, y[2];
    assert_true(dry_sat(2, 2.0, x, y));
    equal(y[0], 2.0);
    equal(y[1], 0.0);
    x[1] = -inf;
    assert_true(dry_sat(2, 2.0, x, x)); /* in place */
    closer(x[0], sqrt(2.0), 1e-15);
    closer(x[1], -sqrt(2.0), 1e-15);
    x[0] = (double)NAN;
    dry_sat(2, 2.0, x, y);
    is_nan(y[0]);
    x[0] = (double)NAN;
    dry_sat(1, 2.0, x, y);
    is_nan(y[0]);
}

static void a_ball_of_radius_zero(void **state) {
    (void)state;
    const double x[2] = {1.0, 2.0}, zero[2] = {0.0, 0.0};
    double y[2];
    assert_true(dry_sat(2, 0.0, x, y));
    equal(y[0], 0.0);
    equal(y[1], 0.0);
    assert_false(dry_sat(2, 0.0, zero, y));
    equal(dry_sgn(0.0), 0.0);
    equal(dry_sgn(-1e-320), -1.0);
    equal(dry_sgn(2.0), 1.0);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A level, and a point well inside or outside, away from the boundary by some per cent. */
static double draw(random_source *source, const dry_set *set, int n, double *y) {
    double chi;
    do {
        chi = fabs(random_magnitude(source, -1.0, 1.0));
        for (int i = 0; i < n; i++) y[i] = random_magnitude(source, -1.0, 1.0);
    } while (fabs(set->excess(n, chi, y)) < 0.05 * (chi + dry_norm(n, y)));
    return chi;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* f = prox(y) lies in the set, and y - f is normal to the set there: among all points of the set f
 * reaches the support function along y - f. Points inside stay, to the last bit. */
static void a_projection_is_the_nearest_point(void **state) {
    (void)state;
    random_source source = {11};
    for (int trial = 0; trial < TRIALS; trial++) {
        const dry_set *set = dry_set_at(trial % dry_set_count());
        const int n = 1 + trial % set->max_dim;
        double y[3], f[3], normal[3];
        const double chi = draw(&source, set, n, y);
        const bool inside = set->project(n, chi, y, f);
        const double size = chi + dry_norm(n, y);
        for (int i = 0; i < n; i++) normal[i] = y[i] - f[i];
        at_most(set->excess(n, chi, f), 1e-15 * size);
        assert_int_equal(inside, set->excess(n, chi, y) <= 0.0);
        assert_int_equal(inside, dry_norm(n, normal) == 0.0);
        near(dot(n, f, normal), set->support(n, chi, normal), 1e-14 * size * size);
    }
}

/* No point of the set goes beyond its support function, and scaled by less than 1 in each direction
 * some point comes as near as one likes: f . v of the projection of a far point along v. */
static void the_support_function_is_the_largest_product(void **state) {
    (void)state;
    random_source source = {12};
    for (int trial = 0; trial < TRIALS; trial++) {
        const dry_set *set = dry_set_at(trial % dry_set_count());
        const int n = 1 + trial % set->max_dim;
        double y[3], v[3], far[3], f[3];
        const double chi = draw(&source, set, n, y);
        random_point(&source, n, v);
        const double support = set->support(n, chi, v);
        set->project(n, chi, y, f);
        at_most(dot(n, f, v), support + 1e-14 * chi * dry_norm(n, v));
        for (int i = 0; i < n; i++) far[i] = 1e6 * v[i];
        set->project(n, chi, far, f);
        if (isinf(support))
            at_least(dot(n, f, v), 0.99e6 * dot(n, v, v));
        else if (dry_norm(n, far) > chi)
            near(dot(n, f, v), support, 1e-14 * chi * dry_norm(n, v));
    }
}

/* By central differences of the projection, away from the boundary. */
static void derivatives_are_those_of_the_projection(void **state) {
    (void)state;
    random_source source = {13};
    for (int trial = 0; trial < TRIALS; trial++) {
        const dry_set *set = dry_set_at(trial % dry_set_count());
        const int n = 1 + trial % set->max_dim;
        double y[3], P[9], g[3], plus[3], minus[3], up[3];
        const double chi = draw(&source, set, n, y), h = 1e-5 * (chi + dry_norm(n, y));
        const double dchi = 1e-5 * chi;
        assert_int_equal(set->derivative(n, chi, y, P, g), set->excess(n, chi, y) <= 0.0);
        for (int c = 0; c <= n; c++) {
            const double step = c < n ? h : dchi, level = c < n ? 0.0 : dchi;
            for (int sign = 1; sign >= -1; sign -= 2) {
                for (int i = 0; i < n; i++) up[i] = y[i] + (i == c ? sign * h : 0.0);
                set->project(n, chi + sign * level, up, sign > 0 ? plus : minus);
            }
            for (int i = 0; i < n; i++)
                closer((plus[i] - minus[i]) / (2.0 * step), c < n ? P[i * n + c] : g[i], 1e-6);
        }
    }
}

static void the_rows_are_whole(void **state) {
    (void)state;
    assert_int_equal(dry_set_count(), 3);
    for (int i = 0; i < dry_set_count(); i++) {
        const dry_set *set = dry_set_at(i);
        if (dry_set_lacks(set)) fail_msg("%s lacks %s", set->name, dry_set_lacks(set));
        assert_ptr_equal(dry_set_find(set->name), set);
        assert_true(set->has_level || set->kind == DRY_SET_OF_POSITIONS);
        assert_true(!set->ends || (set->size && !set->ends->ends));
    }
    assert_null(dry_set_find("sat"));
    assert_null(dry_set_at(-1));
    assert_null(dry_set_at(3));
}

static void a_row_that_is_not_whole_is_told(void **state) {
    (void)state;
    const dry_set whole = *dry_set_find("sgn");
    dry_set set;
#define WITHOUT(fact, value)                                                                       \
    set = whole;                                                                                   \
    set.fact = value;                                                                              \
    assert_non_null(dry_set_lacks(&set));                                                          \
    assert_string_equal(dry_set_lacks(&set), #fact)
    WITHOUT(name, NULL);
    WITHOUT(title, "");
    WITHOUT(equation, NULL);
    WITHOUT(paper, NULL);
    WITHOUT(argument, NULL);
    WITHOUT(force, NULL);
    WITHOUT(max_dim, 0);
    WITHOUT(project, NULL);
    WITHOUT(derivative, NULL);
    WITHOUT(excess, NULL);
    WITHOUT(support, NULL);
#undef WITHOUT
}

/* sqrt(x x) = |x| in every bit, and at the ends of the numbers, too. */
static void the_length_of_one_number(void **state) {
    (void)state;
    static const double ends[] = {0.0,     -0.0,     4.9e-324,  -2.3e-308,
                                  1.7e308, -1.7e308, -INFINITY, INFINITY};
    random_source source = {5};
    for (int i = 0; i < 100000; i++) {
        const double x = random_magnitude(&source, -130.0, 130.0);
        equal(dry_norm(1, &x), sqrt(x * x));
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        equal(dry_norm(1, ends + i), fabs(ends[i]));
    is_nan(dry_norm(1, &(double){NAN}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_1_sat_is_an_element),
        cmocka_unit_test(theorem_1_nothing_else_is),
        cmocka_unit_test(theorem_1_from_the_set_to_sat),
        cmocka_unit_test(theorem_2),
        cmocka_unit_test(sat_at_the_ends_of_the_numbers),
        cmocka_unit_test(sat_of_what_is_not_finite),
        cmocka_unit_test(a_ball_of_radius_zero),
        cmocka_unit_test(a_projection_is_the_nearest_point),
        cmocka_unit_test(the_support_function_is_the_largest_product),
        cmocka_unit_test(the_length_of_one_number),
        cmocka_unit_test(derivatives_are_those_of_the_projection),
        cmocka_unit_test(the_rows_are_whole),
        cmocka_unit_test(a_row_that_is_not_whole_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
