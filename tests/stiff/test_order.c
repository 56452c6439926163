/* The method: its order on smooth problems, its continuous output, and its accuracy on stiff ones.
 */
#include "unit.h"

#include <drystone/stiff.h>
#include <math.h>
#include <string.h>

#include "stiff/methods.h"

static const dry_method *method; /* under test */
static const dry_quantity names[] = {{"x", ""}, {"y", ""}};

/* ---- x' = y, y' = -x + x y cos t - sin t cos^2 t: x = sin t ------------------------ */

static void smooth_start(const dry_env *env, double t, double *x) {
    (void)env;
    x[0] = sin(t);
    x[1] = cos(t);
}
static void smooth_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = -x[0] + x[0] * x[1] * cos(t) - sin(t) * cos(t) * cos(t);
}
/* d y'/d y in two parts, which add up */
static const int smooth_row[] = {0, 1, 1, 1, 1}, smooth_column[] = {1, 0, 1, 2, 1};
static void smooth_jacobian(const dry_env *env, double t, double tau, const double *x, double *J) {
    (void)env, (void)tau;
    J[0] = 1.0;
    J[1] = -1.0 + x[1] * cos(t);
    J[2] = x[0] * cos(t) - 3.0;
    J[4] = 3.0;
    J[3] = -x[0] * x[1] * sin(t) - cos(t) * cos(t) * cos(t) + 2.0 * sin(t) * sin(t) * cos(t);
}
static dry_system smooth_system(bool has_jacobian) {
    dry_system system = {.name = "smooth",
                         .n_states = 2,
                         .states = names,
                         .start = smooth_start,
                         .rate = smooth_rate};
    if (!has_jacobian) return system;
    system.n_jacobian = 5;
    system.jacobian_row = smooth_row;
    system.jacobian_column = smooth_column;
    system.jacobian = smooth_jacobian;
    return system;
}

/* Steps of one length: with huge tolerances nothing but max_step limits them. */
static double error_of_steps(const dry_system *system, int count, bool between) {
    const dry_ode_options options = {.step = 2.0 / count, .max_step = 2.0 / count, .atol = 1e6};
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(system, method, &options, NULL, 0.0, NULL, &s, NULL), DRY_OK);
    double worst = 0.0, before = 0.0;
    while (dry_stiff_time(s) < 2.0) {
        double x[2];
        assert_int_equal(dry_stiff_step(s, 2.0, NULL), DRY_OK);
        const double t = dry_stiff_time(s), middle = 0.7 * before + 0.3 * t;
        dry_stiff_dense(s, between ? middle : t, x);
        worst = fmax(worst, fabs(x[0] - sin(between ? middle : t)));
        before = t;
    }
    assert_int_equal(dry_stiff_count(s).steps, count);
    dry_stiff_free(s);
    return worst;
}

static double measured_order(const dry_system *system, bool between) {
    return log2(error_of_steps(system, 160, between) / error_of_steps(system, 320, between));
}

static void order_is_four(void **state) {
    method = dry_stiff_method_find("rodas4");
    (void)state;
    const dry_system given = smooth_system(true), differences = smooth_system(false);
    const double p = measured_order(&given, false);
    closer(p, 4.0, 0.15);
    const double q = measured_order(&differences, false), r = measured_order(&given, true);
    closer(q, 4.0, 0.3); /* differences have an error of 1e-8 */
    /* a continuous output of order 3 has an error of h^4 in a step */
    above(r, 3.8);
}

/* ---- x' = lambda (x - cos t) - sin t (Prothero, Robinson 1974) --------------------- */

static const double lambda = -1e6;
static void prothero_start(const dry_env *env, double t, double *x) {
    (void)env;
    x[0] = cos(t);
}
static void prothero_rate(const dry_env *env, double t, double tau, const double *x,
                          double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = lambda * (x[0] - cos(t)) - sin(t);
}

/* Tolerances are followed, and the steps are those of cos t, not of 1/lambda: an explicit method
 * would take 10 |lambda|/3.3 of them. */
static void prothero_robinson(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system system = {.name = "prothero",
                               .n_states = 1,
                               .states = names,
                               .start = prothero_start,
                               .rate = prothero_rate};
    for (double rtol = 1e-3; rtol > 1e-8; rtol *= 0.1) {
        const dry_ode_options options = {.rtol = rtol, .atol = rtol};
        dry_stiff *s;
        assert_int_equal(dry_stiff_new(&system, method, &options, NULL, 0.0, NULL, &s, NULL),
                         DRY_OK);
        double worst = 0.0;
        while (dry_stiff_time(s) < 10.0) {
            assert_int_equal(dry_stiff_step(s, 10.0, NULL), DRY_OK);
            worst = fmax(worst, fabs(dry_stiff_state(s)[0] - cos(dry_stiff_time(s))));
        }
        at_most(worst, 10.0 * rtol); /* errors die out: a few steps add up */
        below(dry_stiff_count(s).steps, 2000);
        dry_stiff_free(s);
    }
}

/* ---- van der Pol, mu = 1000 -------------------------------------------------------- */

static const double mu = 1e3;
static void vdp_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 2.0;
    x[1] = 0.0;
}
static void vdp_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = mu * (1.0 - x[0] * x[0]) * x[1] - x[0];
}
static const int vdp_row[] = {0, 1, 1}, vdp_column[] = {1, 0, 1};
static void vdp_jacobian(const dry_env *env, double t, double tau, const double *x, double *J) {
    (void)env, (void)t, (void)tau;
    J[0] = 1.0;
    J[1] = -2.0 * mu * x[0] * x[1] - 1.0;
    J[2] = mu * (1.0 - x[0] * x[0]);
}

/* The time at which x first falls through 0. */
static double first_fall(const dry_system *system, double rtol, long *steps) {
    const dry_ode_options options = {.rtol = rtol, .atol = 1e-3 * rtol};
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(system, method, &options, NULL, 0.0, NULL, &s, NULL), DRY_OK);
    double before = 0.0, x[2];
    while (dry_stiff_state(s)[0] > 0.0) {
        before = dry_stiff_time(s);
        assert_int_equal(dry_stiff_step(s, 2000.0, NULL), DRY_OK);
    }
    double low = before, high = dry_stiff_time(s);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        dry_stiff_dense(s, middle, x);
        *(x[0] > 0.0 ? &low : &high) = middle;
    }
    *steps = dry_stiff_count(s).steps;
    dry_stiff_free(s);
    return low;
}

/* From (2, 0) the fall comes about (3 - 2 ln 2)/2 mu = 0.8069 mu later: the half period of the
 * relaxation (Dorodnitsyn 1947), whose next terms are of the order of mu^(-1/3). */
static void van_der_pol(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system system = {.name = "van der Pol",
                               .n_states = 2,
                               .states = names,
                               .start = vdp_start,
                               .rate = vdp_rate,
                               .n_jacobian = 3,
                               .jacobian_row = vdp_row,
                               .jacobian_column = vdp_column,
                               .jacobian = vdp_jacobian};
    long steps, more;
    const double fall = first_fall(&system, 1e-5, &steps), finer = first_fall(&system, 1e-9, &more);
    closer(finer, 0.80685 * mu, 1.0);
    closer(fall, finer, 1e-5 * 10.0 * mu);
    below(steps, 500);
    above(more, steps);
}

/* ---- the rows ------------------------------------------------------------ */

static void the_rows(void **state) {
    (void)state;
    assert_int_equal(dry_stiff_method_count(), 2);
    for (int i = 0; i < dry_stiff_method_count(); i++) {
        const dry_method *row = dry_stiff_method_at(i);
        assert_ptr_equal(dry_stiff_method_find(row->name), row);
        assert_true(row->adaptive);
        assert_false(row->uses_tau);
        assert_null(row->tableau);
        assert_null(dry_method_lacks(row));
    }
    assert_int_equal(dry_stiff_method_find("rodas4")->order, 4);
    assert_int_equal(dry_stiff_method_find("cvode")->order, 5);
    assert_ptr_equal(dry_stiff_method_find("rk4"), dry_method_missing());
    assert_ptr_equal(dry_method_find("rodas4"), dry_method_missing());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_four),
        WITH_EACH_METHOD(prothero_robinson),
        WITH_EACH_METHOD(van_der_pol),
        cmocka_unit_test(the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
