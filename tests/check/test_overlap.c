/* Shapes that are in each other at the start are told, with how deep and which way out: a body that
 * its weight presses in is not, up to the bound that docs/errors.md states. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/urdf.h>
#include <stdio.h>
#include <string.h>

#include "listed.h"

static const char file[] = DRY_SOURCE_DIR "/tests/lang/test.dry"; /* robots are beside it */

/* The message about overlaps at this text; its way out, "" where there is none. */
static dry_model *compile(const char *text, dry_message *told) {
    dry_model *model = dry_model_compile(file, text, strlen(text), NULL);
    assert_non_null(model);
    *told = (dry_message){.text = "", .way_out = ""};
    for (int i = 0; i < dry_model_messages(model); i++) {
        const dry_message m = dry_model_message(model, i);
        if (strcmp(m.word, "overlap") != 0) fail_msg("line %d: %s", m.line, m.text);
        *told = m;
    }
    assert_true(dry_model_ok(model));
    return model;
}

static bool is_told(const char *text) {
    dry_message told;
    dry_model *model = compile(text, &told);
    const bool some = told.text[0] != '\0';
    dry_model_free(model);
    return some;
}

#define TOUCH(a, b)                                                                                \
    "part touch = contact(K = 1e5 [N/m], alpha = 1 [ms], beta = 4 [ms])\n"                         \
    "connect touch - " a "\nconnect touch - " b "\n"

/* ---- the bound --------------------------------------------------------------------------------
 */

/* A ball of 1 kg on K = 1e5 N/m, pressed in by d: it accelerates upwards with K d/M - g, which is
 * 10 g where d = 11 M g/K, 1 % of the radius: more than the share of rounding. */
static bool ball_is_told(double sinks) {
    char text[500];
    const double sink = 9.81 / 1e5;
    snprintf(text, sizeof text,
             "part earth = gravity(g = 9.81 [m/s^2])\npart floor = plane()\n"
             "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, %.17g])\n" TOUCH(
                 "floor", "ball"),
             0.1 - sinks * sink);
    return is_told(text);
}

/* The same ball, pressed in by 30 weights and pushed down by an equation: n weights in all explain
 * up to 11 n of them. */
static bool pushed_ball_is_told(double weights) {
    char text[600];
    snprintf(text, sizeof text,
             "part earth = gravity(g = 9.81 [m/s^2])\npart floor = plane()\n"
             "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, %.17g])\n" TOUCH(
                 "floor", "ball") "state x = 1\nx' = -x/(1 [s])\n"
                                  "ball.f[3] += -%.17g [N]*x\n",
             0.1 - 30.0 * 9.81 / 1e5, 9.81 * (weights - 1.0));
    return is_told(text);
}

static void pushes_explain_some_depth(void **state) {
    (void)state;
    assert_true(pushed_ball_is_told(1.0));
    assert_true(pushed_ball_is_told(2.7));
    assert_false(pushed_ball_is_told(2.8));
    assert_false(pushed_ball_is_told(30.0));
}

static void weight_explains_some_depth(void **state) {
    (void)state;
    assert_false(ball_is_told(0.0));
    assert_false(ball_is_told(1.0));
    assert_false(ball_is_told(10.9));
    assert_true(ball_is_told(11.1));
}

/* Without gravity nothing explains an overlap but rounding: 1e-4 of the thinner shape. */
static bool pair_is_told(double share) {
    char text[500];
    snprintf(text, sizeof text,
             "part small = sphere(radius = 0.01 [m], mass = 1 [kg], p = [0, 0, 0])\n"
             "part large = sphere(radius = 1 [m], mass = 1 [kg], p = [%.17g, 0, 0])\n" TOUCH(
                 "small", "large"),
             1.01 - share * 0.01);
    return is_told(text);
}

static void without_weight_only_rounding_does(void **state) {
    (void)state;
    assert_false(pair_is_told(0.9e-4));
    assert_true(pair_is_told(1.1e-4));
}

/* Ten boxes pressed into each other as the weight above each asks for: n M g/4 K at four corners.
 */
static void a_stack_at_rest_is_fine(void **state) {
    (void)state;
    assert_false(is_told("param n = 10, M = 100 [kg], g = 9.81 [m/s^2], K = 1e5 [N/m]\n"
                         "param s = M*g/(4*K)\n"
                         "part earth = gravity(g = g)\npart ground = plane()\n"
                         "part stone[i] = box(size = 1 [m], mass = M,\n"
                         "  p = [0, 0, 1 [m]*(i - 0.5) - s*(i*n - i*(i - 1)/2)]) for i in 1..n\n"
                         "part touch = contact(K = K, alpha = 1 [ms], beta = 4 [ms], mu = 0.5)\n"
                         "connect touch - ground\nconnect touch - stone[i] for i in 1..n\n"));
}

/* ---- who, how deep, which way -------------------------------------------------------------------
 */

#define FLOOR "part floor = plane()\n"

static void depth_and_normal_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *who, *way;
        int line;
    } rows[] = {
        {FLOOR
         "part b = box(size = 0.2 [m], mass = 1 [kg], p = [0, 0, 0.07])\n" TOUCH("b", "floor"),
         "`b` and `floor` overlap by 0.03 m", "move `b` by 0.03 m along [0, 0, 1]", 2},
        {FLOOR "part c = capsule(radius = 0.1 [m], length = 0.4 [m], mass = 1 [kg], "
               "p = [0, 0, 0.25])\n" TOUCH("floor", "c"),
         "`c` and `floor` overlap by 0.05 m", "along [0, 0, 1]", 2},
        {FLOOR "part c = cloud(points = [0, 0, -0.1, 0.1, 0, 0, 0, 0.1, 0], mass = 1 [kg], "
               "inertia = 1 [kg m^2], p = [0, 0, 0.06])\n" TOUCH("floor", "c"),
         "`c` and `floor` overlap by 0.04 m", "move `c` by 0.04 m along [0, 0, 1]", 2},
        {"part wall = plane(rotation = [0, 90 [deg], 0])\n"
         "part s = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0.08, 0, 0])\n" TOUCH("wall", "s"),
         "`s` and `wall` overlap by 0.02 m", "move `s` by 0.02 m along [1, 0, 0]", 2},
        {"part b = box(size = [0.2, 0.2, 0.2], mass = 1 [kg])\n"
         "part s = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, -0.17, 0])\n" TOUCH("b", "s"),
         "`b` and `s` overlap by 0.03 m", "move `b` by 0.03 m along [0, 1, 0]", 1},
        {"part s[i] = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0.19 [m]*i - 0.01 [m]*i^2, 0, "
         "0]) "
         "for i in 1..3\n"
         "part touch = contact(K = 1e5 [N/m], alpha = 1 [ms], beta = 4 [ms])\n"
         "connect touch - s[i] for i in 1..3\n",
         "`s[3]` and `s[2]` overlap by 0.06 m", "move `s[3]` by 0.06 m along [1, 0, 0]", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_message told;
        dry_model *model = compile(rows[i].text, &told);
        if (!strstr(told.text, rows[i].who)) fail_msg("row %zu: %s", i, told.text);
        if (!strstr(told.way_out, rows[i].way)) fail_msg("row %zu: %s", i, told.way_out);
        assert_int_equal(told.line, rows[i].line);
        assert_int_equal(told.kind, DRY_WARNING);
        dry_model_free(model);
    }
}

/* Moved as the message says the shapes touch, and nothing is told. */
static void the_way_out_is_one(void **state) {
    (void)state;
    assert_false(is_told(
        FLOOR
        "part b = box(size = 0.2 [m], mass = 1 [kg], p = [0, 0, 0.1])\n" TOUCH("b", "floor")));
    assert_false(is_told(
        "part b = box(size = [0.2, 0.2, 0.2], mass = 1 [kg], p = [0, 0.03, 0])\n"
        "part s = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, -0.17, 0])\n" TOUCH("b", "s")));
}

/* K that the contact chooses is asked as one that is given. */
static void chosen_contacts_are_asked(void **state) {
    (void)state;
    assert_true(is_told("part earth = gravity(g = 9.81 [m/s^2])\n" FLOOR
                        "part b = box(size = 0.2 [m], mass = 1 [kg], p = [0, 0, 0.08])\n"
                        "part touch = contact(mu = 0.5, restitution = 0.3)\n"
                        "connect touch - b\nconnect touch - floor\n"));
}

/* A weight of 1 kg on a lever of 1 m that turns: the same bound as for the ball, though its root
 * stands 0.4 m deep in the floor, which moves nothing and is not told. */
static bool lever_is_told(double sinks) {
    char text[500];
    dry_message told;
    snprintf(text, sizeof text,
             "part earth = gravity(g = 9.81 [m/s^2])\n"
             "part floor = plane(p = [0, 0, %.17g])\npart lever = urdf(file = \"lever.urdf\")\n"
             "part touch = contact(K = 1e5 [N/m], alpha = 1 [ms], beta = 4 [ms])\n"
             "connect touch - floor\nconnect touch - lever.base\nconnect touch - lever.bar\n",
             -0.1 + sinks * 9.81 / 1e5);
    dry_model *model = compile(text, &told);
    const bool some = told.text[0] != '\0';
    if (some) assert_non_null(strstr(told.text, "`lever.bar` and `floor` overlap"));
    dry_model_free(model);
    return some;
}

static void links_of_a_robot_are_asked(void **state) {
    (void)state;
    assert_false(lever_is_told(10.9));
    assert_true(lever_is_told(11.1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_explains_some_depth),
        cmocka_unit_test(pushes_explain_some_depth),
        cmocka_unit_test(without_weight_only_rounding_does),
        cmocka_unit_test(a_stack_at_rest_is_fine),
        cmocka_unit_test(depth_and_normal_are_told),
        cmocka_unit_test(the_way_out_is_one),
        cmocka_unit_test(chosen_contacts_are_asked),
        TEST_IF(dry_urdf_has_xml(), links_of_a_robot_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
