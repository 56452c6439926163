/* The step of models with parts: machines whose longest step is known, and machines that are run
 * below and above the bound. */
#include "unit.h"

#define LIMIT_WORD "unstable-part"
#include "listed.h"
#include "step_limit.h"
#include <drystone/sim.h>
#include <drystone/urdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- known limits --------------------------------------------------------------------- */

/* omega = 20: semi-implicit 2/omega, RK4 2 sqrt(2)/omega. The frequency is found by differences, to
 * 1e-7, and RK4 may grow a little, which its bound allows: 1e-3 of omega for equations too. */
static void a_mass_on_a_spring(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                "part spring = spring(K = 800 [N/m])\n"
                                "connect spring - cart\n";
    assert_limit(parts, "semi-implicit", 2.0 / 20.0, 1e-5);
    assert_limit(parts, "rk4", 2.0 * sqrt(2.0) / 20.0, 3e-3);
    assert_limit(parts, "rk4-tau", 2.0 * sqrt(2.0) / 20.0, 3e-3);
}

/* A damper alone, rate 30/s: the stability on the negative axis, Hairer, Wanner II, IV.2: Euler and
 * Heun 2, RK4 2.785. */
static void a_mass_in_a_damper(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                                "part damper = damper(D = 60 [N*s/m])\n"
                                "connect damper - cart\n";
    assert_limit(parts, "euler", 2.0 / 30.0, 1e-3);
    assert_limit(parts, "heun", 2.0 / 30.0, 1e-3);
    assert_limit(parts, "rk4", 2.785294 / 30.0, 1e-3);
    assert_limit(parts, "semi-implicit", 2.0 / 30.0, 1e-3);
}

/* Friction of a heavy body that slips: a relaxes at 1/beta, RK4 2.785 beta. */
static void friction_that_slips(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 1e6 [kg], v = 1 [m/s])\n"
                                "part rub = coulomb(F = 1 [N], K = 1000 [N/m], beta = 1 [ms])\n"
                                "connect rub - cart\n";
    assert_limit(parts, "rk4", 2.785294e-3, 1e-3);
}

/* A mass on a spring, omega = 20, with friction that damps it as long as it sticks. Sliding it does
 * not: Euler grows by (T omega)^2/2 a step and Heun by (T omega)^4/8, of which the slack allows
 * 1e-3 T omega: T = 2e-3/omega and 0.2/omega, as for the same model in equations. */
static void a_spring_beside_friction_that_slides(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                "part spring = spring(K = 800 [N/m])\n"
                                "part rub = coulomb(F = 1 [N], K = 200 [N/m], beta = 20 [ms])\n"
                                "connect spring - cart\nconnect rub - cart\n";
    assert_limit(parts, "euler", 2e-3 / 20.0, 1e-2);
    assert_limit(parts, "heun", 0.2 / 20.0, 1e-2);
    dry_model *model = compile(parts, "euler", 1e-3, false);
    assert_non_null(
        strstr(said(model, "unstable-part"), "when everything slides and is open, `spring`"));
    dry_model_free(model);
    model = compile(parts, "euler", 1e-3, true);
    assert_non_null(strstr(said(model, "unstable-part-forced"), "when everything slides"));
    dry_model_free(model);
}

/* A law that is viscous while it slides still damps then: D/m = 2 allows Euler (2 + 2e-3 omega)/
 * omega^2. The bristles, stuck, allow more: (B + D)/m = 4 at omega^2 = 500. */
static void a_spring_beside_friction_that_is_viscous(void **state) {
    (void)state;
    static const char parts[] =
        "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
        "part spring = spring(K = 800 [N/m])\n"
        "part rub = lugre(F = 1 [N], K = 200 [N/m], B = 4 [N s/m], D = 4 [N s/m])\n"
        "connect spring - cart\nconnect rub - cart\n";
    assert_limit(parts, "euler", 2.04 / 400.0, 1e-2);
}

/* A contact that is open does not damp, either. */
static void a_spring_beside_a_contact_that_is_open(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                "part spring = spring(K = 800 [N/m])\n"
                                "part wall = kelvin_voigt(K = 200 [N/m], B = 8 [N s/m])\n"
                                "connect spring - cart\nconnect wall - cart\n";
    assert_limit(parts, "euler", 2e-3 / 20.0, 1e-2);
    assert_limit(parts, "heun", 0.2 / 20.0, 1e-2);
}

/* The friction of a slider along z, beside a spring on its axis. */
static void a_spring_beside_a_slider_that_slides(void **state) {
    (void)state;
    static const char parts[] =
        "part block = sphere(radius = 0.1 [m], mass = 2 [kg], v = [0, 0, 1])\n"
        "part rail = slider(K = 1e-3 [N/m], B = 1e-3 [N s/m], Kr = 1e-3, Br = 1e-3, F = 1 [N],\n"
        "                   Kf = 200 [N/m], beta = 20 [ms])\n"
        "part spring = spring(K = 800 [N/m])\n"
        "connect rail - block\nconnect spring - rail\n";
    assert_limit(parts, "euler", 2e-3 / 20.0, 1e-2);
    assert_limit(parts, "heun", 0.2 / 20.0, 1e-2);
}

/* ---- what is said ---------------------------------------------------------------------- */

static const char ball[] =
    "part earth = gravity()\n"
    "part ground = plane()\n"
    "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 0.0995])\n"
    "part touch = contact(K = 2e4 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0)\n"
    "connect touch - ground\n"
    "connect touch - ball\n";

/* The rate that is told explains the bound. A spring with much damping, K/m = 400, C/m = 400: the
 * fastest mode is real, s = -(400 + sqrt(400^2 - 4*400))/2 = -398.998, though sqrt(K/m) is 20. The
 * bound of RK4 is 2.785 over that, to the three digits of the step. */
static void what_sets_the_bound_is_told(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                "part spring = spring(K = 800 [N/m])\n"
                                "part damper = damper(D = 800 [N*s/m])\n"
                                "connect spring - cart\nconnect damper - cart\n";
    dry_model *model = compile(parts, "rk4", 1e-2, false);
    assert_non_null(strstr(said(model, "unstable-part"), "settle at a rate of 399 1/s"));
    closer(dry_model_fastest_mode(model), 398.998, 1e-2);
    closer(dry_model_largest_step(model) * 398.998, 2.785, 5e-3);
    dry_model_free(model);
}

static void the_part_is_named_and_force_runs_it(void **state) {
    (void)state;
    dry_model *model = compile(ball, "rk4", 1e-3, false);
    assert_true(dry_model_ok(model));
    assert_int_equal(dry_model_messages(model), 0);
    dry_model_free(model);
    model = compile(ball, "rk4", 1e-2, false);
    assert_false(dry_model_ok(model));
    assert_non_null(strstr(said(model, "unstable-part"), "`touch`"));
    dry_model_free(model);
    model = compile(ball, "rk4", 1e-2, true);
    assert_true(dry_model_ok(model));
    assert_non_null(said(model, "unstable-part-forced"));
    dry_model_free(model);
}

/* Adaptive methods find a step of their own. */
static void adaptive_methods_are_left_alone(void **state) {
    (void)state;
    dry_model *model = compile(ball, "dopri5", 1.0, false);
    assert_true(dry_model_ok(model));
    dry_model_free(model);
}

/* ---- runs below and above the bound ----------------------------------------------------- */

static double most_of(const dry_record *record, int column) {
    const size_t rows = dry_record_rows(record);
    const double *v = dry_record_values(record, column);
    double most = 0.0;
    for (size_t i = rows / 2; i < rows; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* The largest speed of a body, m/s or rad/s, in the second half of a run; INFINITY where it ends
 * before. */
static double speed_at_rest(const char *parts, const char *method, double step, const char *body) {
    dry_model *model = compile(parts, method, step, true);
    const dry_sim_options options = {
        .run = {.until = 2.0, .method = dry_method_find(method), .step = step}};
    dry_sim_result result = {0};
    dry_error error = {0};
    double most = 0.0;
    assert_true(dry_model_ok(model));
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK)
        most = (double)INFINITY;
    for (int i = 1; most < 1e300 && i <= 6; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%s[%d]", body, i > 3 ? "omega" : "v", i > 3 ? i - 3 : i);
        most = fmax(most, most_of(result.record, dry_record_find(result.record, name)));
    }
    dry_record_free(result.record);
    dry_model_free(model);
    return most;
}

/* At 0.9 of the bound it comes to rest, at twice the bound it never does. Other motions of the same
 * body may have bounds that are a little longer. */
static void bodies_that_lie_rest_below_the_bound_and_shake_above_it(void **state) {
    (void)state;
    static const char box[] =
        "part earth = gravity()\n"
        "part ground = plane()\n"
        "part stone = box(size = [0.4, 0.4, 0.05], mass = 1 [kg], p = [0, 0, 0.0248])\n"
        "init stone.v = [1e-4, 2e-5, -1e-3]\n"
        "init stone.omega = [1e-4, 3e-4, 1e-4]\n"
        "part touch = contact(K = 2e4 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0.5)\n"
        "connect touch - ground\n"
        "connect touch - stone\n";
    static const char hinge[] =
        "part rod = rigid_body(mass = 1 [kg], inertia = [1e-3, 1e-2, 1e-2])\n"
        "part pin = hinge(K = 1e4 [N/m], B = 10, Kr = 10, Br = 0.05)\n"
        "connect pin - rod at [0.2, 0, 0] - world at [0.2, 0, 0]\n"
        "init rod.omega = [1e-6, 1e-6, 0]\n";
    static const struct {
        const char *parts, *method, *body;
        double rest; /* m/s, rad/s */
    } rows[] = {{ball, "rk4", "ball", 1e-3},           {ball, "rk4-tau", "ball", 1e-3},
                {ball, "semi-implicit", "ball", 1e-3}, {box, "rk4", "stone", 2e-3},
                {box, "rk4-tau", "stone", 2e-3},       {box, "semi-implicit", "stone", 2e-3},
                {hinge, "rk4", "rod", 1e-6},           {hinge, "semi-implicit", "rod", 1e-6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double bound = bound_of(rows[i].parts, rows[i].method);
        const double below =
            speed_at_rest(rows[i].parts, rows[i].method, 0.9 * bound, rows[i].body);
        const double above =
            speed_at_rest(rows[i].parts, rows[i].method, 2.0 * bound, rows[i].body);
        if (!(below < rows[i].rest && above > rows[i].rest))
            fail_msg("%s by %s: bound %g, speed %g below it, %g above", rows[i].body,
                     rows[i].method, bound, below, above);
    }
}

/* ---- the limits of a robot ---------------------------------------------------------------- */

/* The largest speed, rad/s, of a lever that is driven against its limits; INFINITY where the run
 * ends before; *bound: the step that is said to do, where the step is told to be too long. */
static double speed_at_limits(const char *method, double step, double *bound) {
    static const char text[] = "part lever = urdf(file = \"errors/stopped-robot.urdf\")\n"
                               "init lever.q_dot = 2\n"
                               "lever.hinge.f += 5 [N*m]\n";
    const dry_run_options run = {.until = 3.0, .step = step, .method = dry_method_find(method)};
    const dry_model_options compiled = {.run = run};
    const dry_sim_options options = {.run = run};
    dry_model *model =
        dry_model_compile(DRY_SOURCE_DIR "/tests/lang/test.dry", text, strlen(text), &compiled);
    dry_sim_result result = {0};
    dry_error error = {0};
    double most = (double)INFINITY;
    assert_true(dry_model_ok(model));
    *bound = (double)NAN;
    for (int i = 0; i < dry_model_messages(model); i++)
        sscanf(dry_model_message(model, i).way_out, "use a step of at most %lf s", bound);
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) == DRY_OK)
        most = most_of(result.record, dry_record_find(result.record, "lever.q_dot[1]"));
    dry_record_free(result.record);
    dry_model_free(model);
    return most;
}

/* The drive gives 5 N m over 1.5 rad to a lever of 1 kg m^2 at 2 rad/s: 4.4 rad/s at most. Below
 * the bound it stays below that; above, where the contact forgets its stretch unstably first and
 * swings so a little later, it is thrown: at four times the bound for certain. */
static void robots_bounce_below_the_bound_and_are_thrown_above_it(void **state) {
    static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        double bound, none;
        speed_at_limits(methods[i], 5e-2, &bound);
        const double below = speed_at_limits(methods[i], 0.8 * bound, &none);
        is_nan(none);
        const double above = speed_at_limits(methods[i], 4.0 * bound, &none);
        if (!(below < 4.4 && above > 44.0))
            fail_msg("%s: bound %g, speed %g below it, %g above", methods[i], bound, below, above);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_on_a_spring),
        cmocka_unit_test(a_mass_in_a_damper),
        cmocka_unit_test(friction_that_slips),
        cmocka_unit_test(a_spring_beside_friction_that_slides),
        cmocka_unit_test(a_spring_beside_friction_that_is_viscous),
        cmocka_unit_test(a_spring_beside_a_contact_that_is_open),
        cmocka_unit_test(a_spring_beside_a_slider_that_slides),
        cmocka_unit_test(what_sets_the_bound_is_told),
        cmocka_unit_test(the_part_is_named_and_force_runs_it),
        cmocka_unit_test(adaptive_methods_are_left_alone),
        cmocka_unit_test(bodies_that_lie_rest_below_the_bound_and_shake_above_it),
        TEST_IF(dry_urdf_has_xml(), robots_bounce_below_the_bound_and_are_thrown_above_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
