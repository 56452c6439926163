/* Joints, stops and gaps that the start is outside of are told, with how far and how much energy:
 * one that a weight stretches is not, nor one that is off by the rounding of a text, up to the
 * bounds that docs/errors.md states. */
#include "unit.h"

#include <drystone/model.h>
#include <stdio.h>
#include <string.h>

/* How many starts are told; `text` becomes the last message. */
static int told(const char *model_text, char *text, size_t size) {
    dry_model *model = dry_model_compile("test.dry", model_text, strlen(model_text), NULL);
    int n = 0;
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++) {
        const dry_message m = dry_model_message(model, i);
        if (strcmp(m.word, "forced-start") != 0) fail_msg("line %d: %s", m.line, m.text);
        snprintf(text, size, "%s", m.text);
        n++;
    }
    assert_true(dry_model_ok(model));
    dry_model_free(model);
    return n;
}

/* A ball of 1 kg hangs on K = 1e5 N/m, d below its place: it accelerates upwards with K d/M - g,
 * which is 10 g where d = 11 M g/K. */
static bool hanging_is_told(double sags) {
    char text[500], message[300];
    snprintf(text, sizeof text,
             "part earth = gravity(g = 9.81 [m/s^2])\n"
             "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, %.17g])\n"
             "part hook = ball_joint(K = 1e5 [N/m])\n"
             "connect hook - ball - world\n",
             -sags * 9.81 / 1e5);
    return told(text, message, sizeof message) > 0;
}

static void weight_explains_some_stretch(void **state) {
    (void)state;
    assert_false(hanging_is_told(0.0));
    assert_false(hanging_is_told(1.0));
    assert_false(hanging_is_told(10.9));
    assert_true(hanging_is_told(11.1));
    assert_true(hanging_is_told(-9.1)); /* pushed down, with g */
}

/* Without gravity nothing explains it but rounding: 1e-3 of the coordinates, and 1e-3 rad. */
static bool rounded_is_told(double off, double angle) {
    char text[500], message[300];
    snprintf(text, sizeof text,
             "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [2, %.17g, 0], rotation = "
             "[%.17g, 0, 0])\n"
             "part pin = hinge(K = 1e5 [N/m], Kr = 100)\n"
             "connect pin - ball - world at [2, 0, 0]\n",
             off, angle);
    return told(text, message, sizeof message) > 0;
}

static void rounding_is_let_pass(void **state) {
    (void)state;
    assert_false(rounded_is_told(1.99e-3, 0.99e-3));
    assert_true(rounded_is_told(2.01e-3, 0.0));
    assert_true(rounded_is_told(0.0, 1.01e-3));
}

/* Of two that are off each is told, though without it the other one throws the same body; the
 * energies are K d^2/2 of 0.1 m, and of a stop that is a spring, alpha = beta, of 0.2 rad. */
static void all_are_told_with_their_energy(void **state) {
    char message[300];
    (void)state;
    assert_int_equal(told("part ball = sphere(radius = 0.1 [m], mass = 1 [kg])\n"
                          "part one = ball_joint(K = 1e4 [N/m])\n"
                          "part two = ball_joint(K = 1e4 [N/m])\n"
                          "connect one - ball - world at [0.1, 0, 0]\n"
                          "connect two - ball - world at [0, 0, 0.1]\n",
                          message, sizeof message),
                     2);
    assert_non_null(strstr(message, "`two` starts 0.1 m away"));
    assert_non_null(strstr(message, "with 50 J"));
    assert_int_equal(told("part wheel = rotor(inertia = 1 [kg m^2], p = 1.2 [rad])\n"
                          "part ends = rotary_stop(lower = -1 [rad], upper = 1 [rad], K = 1e3, "
                          "alpha = 5 [ms], beta = 5 [ms])\n"
                          "connect ends - wheel\n",
                          message, sizeof message),
                     1);
    assert_non_null(strstr(message, "`ends` starts 0.2 rad away"));
    assert_non_null(strstr(message, "with 20 J"));
}

/* A cart of 1 kg, d deep in a gap that K = 1e4 N/m closes: it is told where K d/M is more than ten
 * times what gravity, or an equation in its place, does without it. */
static bool pressed_is_told(const char *push, double d) {
    char text[500], message[300];
    snprintf(text, sizeof text,
             "%s\n"
             "part cart = point_mass(mass = 1 [kg], p = %.17g [m])\n"
             "part wall = kelvin_voigt(K = 1e4 [N/m], offset = 1 [m])\n"
             "connect wall - cart\n",
             push, 1.0 - d);
    return told(text, message, sizeof message) > 0;
}

static void what_presses_explains_some_depth(void **state) {
    static const char *const pushes[] = {"part earth = gravity(g = [-10, 0, 0])",
                                         "cart.f += -10 [N]",
                                         "cart.f += -5 [N] - 5 [N/m]*cart.p*exp(-t*1 [1/s])"};
    (void)state;
    for (int i = 0; i < 3; i++) { /* p is 1 within 2 percent */
        assert_false(pressed_is_told(pushes[i], 0.0));
        assert_false(pressed_is_told(pushes[i], 1e-3));
        assert_false(pressed_is_told(pushes[i], 10.7e-3));
        assert_true(pressed_is_told(pushes[i], 11.1e-3));
    }
    assert_true(pressed_is_told("", 1.1e-3));
    assert_false(pressed_is_told("", 0.9e-3)); /* 1/1000 of where it is */
}

/* An equation that holds a joint where it is stretched explains it as a weight does. */
static void what_equations_pull_is_counted(void **state) {
    static const char text[] =
        "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0.01, 0, 0])\n"
        "part hook = ball_joint(K = 1e4 [N/m])\n"
        "connect hook - ball - world\n"
        "ball.f += %s\n";
    char filled[500], message[300];
    (void)state;
    snprintf(filled, sizeof filled, text, "[100, 0, 0]");
    assert_int_equal(told(filled, message, sizeof message), 0);
    snprintf(filled, sizeof filled, text, "[0.1, 0, 0]");
    assert_int_equal(told(filled, message, sizeof message), 1);
}

/* Rounding of a sum that is meant to be 0 is no depth, without any weight and at the place 0. */
static void a_hair_is_let_pass(void **state) {
    static const char text[] = "part cart = point_mass(mass = 1 [kg], p = %.17g [m])\n"
                               "part wall = unilateral()\n"
                               "connect wall - cart\n";
    char filled[500], message[300];
    (void)state;
    snprintf(filled, sizeof filled, text, -9e-10);
    assert_int_equal(told(filled, message, sizeof message), 0);
    snprintf(filled, sizeof filled, text, -1.1e-9);
    assert_int_equal(told(filled, message, sizeof message), 1);
}

/* K d^2/2 of a spring, K d^(lambda + 1)/(lambda + 1) of a sphere (XD (5.2)), and K d^2/2 beta/alpha
 * where e begins at 0 (X13 (24): the spring K beside k1 = K (beta - alpha)/alpha), d = 0.1. */
static void gaps_tell_their_energy(void **state) {
    static const struct {
        const char *law, *energy;
    } rows[] = {{"kelvin_voigt(K = 1e4", "with 50 J"},
                {"kelvin_voigt_cut(K = 1e4", "with 50 J"},
                {"hunt_crossley(K = 1e4, lambda = 1.5", "with 12.6 J"},
                {"compliant(K = 1e4, lambda = 1.5, beta1 = 0, beta2 = 0", "with 12.6 J"},
                {"unilateral(K = 1e4, alpha = 5 [ms], beta = 10 [ms]", "with 100 J"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], message[300];
        snprintf(text, sizeof text,
                 "part cart = point_mass(mass = 1 [kg], p = 0.9 [m])\n"
                 "part wall = %s, offset = 1 [m])\n"
                 "connect wall - cart\n",
                 rows[i].law);
        assert_int_equal(told(text, message, sizeof message), 1);
        assert_non_null(strstr(message, "`wall` starts 0.1 m away"));
        if (!strstr(message, rows[i].energy)) fail_msg("%s: %s", rows[i].law, message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_explains_some_stretch),
        cmocka_unit_test(rounding_is_let_pass),
        cmocka_unit_test(all_are_told_with_their_energy),
        cmocka_unit_test(what_presses_explains_some_depth),
        cmocka_unit_test(what_equations_pull_is_counted),
        cmocka_unit_test(a_hair_is_let_pass),
        cmocka_unit_test(gaps_tell_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
