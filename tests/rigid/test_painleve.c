/* Painleve's rod and its neighbours: what is pressed in by its own friction is told, what is
 * relieved by it is solved. With c, s of the angle of a uniform rod (I = m l^2/3) that slides on
 * its tip,
 *
 *     d psi''/dN = (1 + 3 c^2 -+ 3 mu s c)/m     minus: it slides to the side that it leans to
 *
 * which for the minus is negative from mu_P = (1 + 3 c^2)/(3 s c) on. */
#include "unit.h"

#include "problems.h"

static double opening(double mu, double sign) {
    return 1.0 + 3.0 * cos(1.0) * cos(1.0) + sign * 3.0 * mu * sin(1.0) * cos(1.0);
}
static double mu_limit(void) {
    return (1.0 + 3.0 * cos(1.0) * cos(1.0)) / (3.0 * sin(1.0) * cos(1.0));
}

static void a_rod_that_is_pressed_in_is_told(void **state) {
    (void)state;
    const double mu = 1.001 * mu_limit();
    problem of;
    rod_problem(&of, &mu, -2.0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-5});
    dry_error error = {0};
    assert_int_equal(dry_rigid_advance(r, 0.1, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "Painleve"));
    assert_non_null(strstr(error.text, "`N`"));
    assert_non_null(strstr(error.text, "t = 0 s"));
    equal(dry_rigid_time(r), 0.0);
    equal(dry_rigid_fault(r).t, 0.0);
    all_same_bits(6, dry_rigid_state(r), of.start);
    dry_rigid_free(r);
}

/* N(0) = m g/(d psi''/dN); it changes with the motion at a rate of about N omega' and v/l, in all
 * below 1e3 N per s^2 squared here, times h^2. */
static void below_the_limit_it_slides_with_the_force_of_the_closed_form(void **state) {
    (void)state;
    const double mus[] = {0.5 * mu_limit(), 0.9 * mu_limit(), 2.7, 10.0}, sign[] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++) {
        problem of;
        rod_problem(&of, &mus[i], 2.0 * sign[i]);
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-5});
        const double N = 9.8 / opening(mus[i], sign[i]);
        closer(dry_rigid_instant_forces(r)[0], N, 1e-6 * N);
        closer(dry_rigid_instant_forces(r)[1], sign[i] * mus[i] * N, 1e-6 * N * mus[i]);
        go(r, 1e-4);
        dry_rigid_free(r);
    }
}

/* ---- landing ----------------------------------------------------------------- */

/* Falls on its tip without restitution. Pressed in, it slides no more; relieved, it slides on with
 * the impulse P = -psi_dot m/(d psi''/dN). */
static void landing_it_jams_on_one_side_and_slides_on_on_the_other(void **state) {
    (void)state;
    const double mu = 2.7, fall = 0.1;
    for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
        problem of;
        rod_problem(&of, &mu, 4.0 * sign);
        of.start[4] += fall;
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        const double hit = sqrt(2.0 * fall / 9.8), P = sqrt(2.0 * fall * 9.8) / opening(mu, 1.0);
        go(r, hit + 1e-9); /* in which the speeds change by some 1e-8 */
        const double *x = dry_rigid_state(r), tip_y = x[1] - cos(x[5]) * x[2];
        const double tip_x = x[0] + sin(x[5]) * x[2];
        const double slides =
            4.0 - (1.0 + 3.0 * sin(1.0) * sin(1.0)) * mu * P - 3.0 * sin(1.0) * cos(1.0) * P;
        assert_int_equal(dry_rigid_count(r).impacts, 1);
        closer(tip_y, 0.0, 1e-10);
        closer(tip_x, sign > 0.0 ? slides : 0.0, 1e-7);
        dry_rigid_free(r);
    }
}

/* ---- a brake that grips ever better ------------------------------------------------ */

/* Friction presses the shoe on: m psi'' = N + a f - W with f < 0, f in mu(t) N sgn(v), v < 0. The
 * load is W = (1 - a mu(t)) 10 N, so that N = 10 N until 1 - a mu = 0, where it is ill posed. */
static double mu_of(double t) { return 0.5 + 0.25 * t; }
static void brake_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    const double a = env->par[0], N = lambda[0], f = lambda[1];
    out->rate[0] = N + a * f - (1.0 - a * mu_of(t)) * 10.0;
    out->rate[1] = -100.0 - f;
    out->rate[2] = x[0];
    out->gap[0] = x[2];
    out->slide[0] = x[0];
    out->slide[1] = x[1];
    out->level[1] = mu_of(t) * N;
    const double push[] = {1.0, a, -1.0}, feel[] = {1.0, 1.0};
    memcpy(out->push, push, sizeof push);
    memcpy(out->feel, feel, sizeof feel);
    out->lift[0] = mu_of(t);
}
static void a_run_stops_where_it_becomes_ill_posed(void **state) {
    (void)state; /* 1.25 (0.5 + 0.25 t) = 1 at t = 1.2 s; seen at mid-step */
    const double a = 1.25, h = 1e-3;
    problem of;
    problem_begin(&of, "brake", brake_eval, &a);
    add_state(&of, "u", true, 0.0);
    add_state(&of, "v", true, -1.0);
    add_state(&of, "y", false, 0.0);
    add_set(&of, "N", dry_set_find("dio"), 1, 0.0);
    add_set(&of, "f", dry_set_find("sgn"), 1, 0.0);
    add_push(&of, 0, 0), add_push(&of, 0, 1), add_push(&of, 1, 1);
    add_feel(&of, 0, 0), add_feel(&of, 1, 1);
    add_lift(&of, 1, 0);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = h});
    dry_error error = {0};
    go(r, 1.19);
    closer(dry_rigid_instant_forces(r)[0], 10.0, 1e-6);
    assert_int_equal(dry_rigid_advance(r, 2.0, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "Painleve"));
    near(dry_rigid_time(r), 1.2, h + 1e-9);
    equal(dry_rigid_fault(r).t, dry_rigid_time(r));
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_is_pressed_in_is_told),
        cmocka_unit_test(below_the_limit_it_slides_with_the_force_of_the_closed_form),
        cmocka_unit_test(landing_it_jams_on_one_side_and_slides_on_on_the_other),
        cmocka_unit_test(a_run_stops_where_it_becomes_ill_posed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
