/* The splitting of G04 with the numbers of experiment 6, and how far the prox scheme is below it.
 */
#include "unit.h"

#include "problems.h"

typedef double exact_fn(double t);

/* L2 error in time of a state, from the values at the ends of the steps. */
static double l2(const problem *of, dry_rigid_options options, double T, exact_fn *exact, int j) {
    dry_rigid *r = rigid_begin(of, options);
    const long n = lround(T / options.step);
    double sum = 0.0;
    for (long k = 1; k <= n; k++) {
        go(r, k == n ? T : (double)k * options.step);
        const double error = dry_rigid_state(r)[j] - exact(dry_rigid_time(r));
        sum += options.step * error * error;
    }
    dry_rigid_free(r);
    return sqrt(sum);
}
static dry_rigid_options split(double h, int P) {
    return (dry_rigid_options){.scheme = DRY_RIGID_SPLIT, .step = h, .P = P};
}
/* Half a unit of the third digit of what is printed, and a little for its last one. */
static const double PRINTED = 0.004;

static void test_problem_1_has_the_errors_of_the_paper(void **state) {
    (void)state;
    problem of;
    friction_problem(&of);
    near_share(l2(&of, split(1e-2, 1), 2.0, positive_sine, 0), 0.0414, PRINTED);
    near_share(l2(&of, split(1e-3, 1), 2.0, positive_sine, 0), 3.94e-3, PRINTED);
    near_share(l2(&of, split(1e-4, 1), 2.0, positive_sine, 0), 3.92e-4, PRINTED);
}

static void test_problem_2_has_the_errors_of_the_paper(void **state) {
    (void)state;
    const double h[] = {1e-2, 1e-3, 1e-4}, x[] = {0.0401, 4.08e-3, 4.08e-4},
                 v[] = {0.0446, 4.44e-3, 4.43e-4};
    problem of;
    elastic_problem(&of);
    for (int i = 0; i < 3; i++) {
        near_share(l2(&of, split(h[i], 10), 3.0, elastic_x, 1), x[i], PRINTED);
        near_share(l2(&of, split(h[i], 10), 3.0, elastic_v, 0), v[i], PRINTED);
    }
}

static void the_weight_changes_nothing_visible(void **state) {
    (void)state;
    problem of;
    elastic_problem(&of);
    const double weights[] = {-1.0, 0.25, 0.5};
    for (int i = 0; i < 3; i++) {
        dry_rigid_options options = split(1e-3, 10);
        options.weight = weights[i];
        near_share(l2(&of, options, 3.0, elastic_x, 1), 4.08e-3, PRINTED);
    }
}

static void the_symmetric_variant_has_its_error(void **state) {
    (void)state;
    problem of;
    elastic_problem(&of);
    dry_rigid_options options = split(1e-3, 10);
    options.scheme = DRY_RIGID_SPLIT_SYMMETRIC;
    near_share(l2(&of, options, 3.0, elastic_x, 1), 3.55e-3, PRINTED);
}

static void the_gear_box_has_its_error_for_both_signs(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double delta = 0.7 * sign;
        problem of;
        gear_problem(&of, &delta);
        const double coarse = l2(&of, split(1e-3, 1), 2.0, positive_sine, 0);
        near_share(coarse, 3.97e-3, PRINTED);
        const double ratio = coarse / l2(&of, split(1e-4, 1), 2.0, positive_sine, 0);
        between(ratio, 9.5, 10.5); /* order 1 */
    }
}

static void the_multiplier_is_right_in_the_mean(void **state) {
    (void)state; /* test problem 2: lambda = c slipping forth, -c back, f - k x = -c/2 at rest */
    problem of;
    elastic_problem(&of);
    dry_rigid *r = rigid_begin(&of, split(1e-3, 10));
    const double times[] = {1.1, 1.35, 1.8}, want[] = {0.2, -0.2, -0.1};
    for (int i = 0; i < 3; i++) {
        go(r, times[i]);
        closer(dry_rigid_forces(r)[0], want[i], 5e-3);  /* of the order of h */
        near(dry_rigid_forces(r)[0], 0.0, 0.2 + 1e-15); /* a mean of ten */
    }
    dry_rigid_free(r);
}

/* k tau^2 = 2.5e5 at weight 1/4: repetition diverges, Newton does not; the scheme is stable. */
static void stiff_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    elastic_eval(env, t, x, lambda, out);
    out->rate[0] = -1e12 * x[1] - lambda[0];
}
static void a_stiff_spring_stays_bounded(void **state) {
    (void)state;
    problem of;
    elastic_problem(&of);
    of.inclusion.eval = stiff_eval;
    of.start[1] = 1.0;
    dry_rigid *r = rigid_begin(&of, split(1e-3, 10));
    go(r, 0.1);
    near(dry_rigid_state(r)[1], 0.0, 1.0 + 1e-6);
    dry_rigid_free(r);
}

static void contacts_are_refused_by_name(void **state) {
    (void)state;
    const double growth = 0.0;
    problem of;
    ball_problem(&of, &growth, 1.0, 0.5);
    dry_rigid *r;
    dry_error error = {0};
    const dry_rigid_options options = split(1e-3, 1);
    assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error),
                     DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'N'"));
    assert_non_null(strstr(error.text, "rigid"));
    assert_null(r);
}

/* ---- the improved scheme ------------------------------------------------- */

/* How many times the error of the prox scheme is below that of the paper's, on the same steps. */
static double gain(const problem *of, double h, int P, double T, exact_fn *exact, int j) {
    const double ours = l2(of, (dry_rigid_options){.step = h}, T, exact, j);
    return l2(of, split(h, P), T, exact, j) / ours;
}

static void the_prox_scheme_is_a_thousand_times_better_on_the_grid(void **state) {
    (void)state;
    problem of;
    friction_problem(&of);
    above(gain(&of, 1e-3, 1, 2.0, positive_sine, 0), 1000.0);
    elastic_problem(&of);
    above(gain(&of, 1e-3, 10, 3.0, elastic_x, 1), 1000.0);
    above(gain(&of, 1e-3, 10, 3.0, elastic_v, 0), 1000.0);
}

static void the_prox_scheme_is_better_off_the_grid_too(void **state) {
    (void)state; /* steps that no jump of the force meets */
    problem of;
    friction_problem(&of);
    above(gain(&of, 2.0 / 2017.0, 1, 2.0, positive_sine, 0), 100.0);
    elastic_problem(&of);
    above(gain(&of, 3.0 / 3017.0, 10, 3.0, elastic_x, 1), 100.0);
    above(gain(&of, 3.0 / 3017.0, 10, 3.0, elastic_v, 0), 100.0);
}

static void the_prox_scheme_solves_the_gear_box(void **state) {
    (void)state;
    const double delta = -0.7;
    problem of;
    gear_problem(&of, &delta);
    above(gain(&of, 1e-3, 1, 2.0, positive_sine, 0), 1000.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problem_1_has_the_errors_of_the_paper),
        cmocka_unit_test(test_problem_2_has_the_errors_of_the_paper),
        cmocka_unit_test(the_weight_changes_nothing_visible),
        cmocka_unit_test(the_symmetric_variant_has_its_error),
        cmocka_unit_test(the_gear_box_has_its_error_for_both_signs),
        cmocka_unit_test(the_multiplier_is_right_in_the_mean),
        cmocka_unit_test(a_stiff_spring_stays_bounded),
        cmocka_unit_test(contacts_are_refused_by_name),
        cmocka_unit_test(the_prox_scheme_is_a_thousand_times_better_on_the_grid),
        cmocka_unit_test(the_prox_scheme_is_better_off_the_grid_too),
        cmocka_unit_test(the_prox_scheme_solves_the_gear_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
