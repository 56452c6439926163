/* Joints that are not plain hinges: free bases, spherical, planar and floating joints, joints that
 * mimic, rotors, joints that are fixed in other words. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"

#include <math.h>
#include <string.h>

#define JOINT(type, inside) TWO "<joint name='j' type='" type "'>" ENDS inside "</joint></robot>"
/* A hinge k about z beside j, with the link c. */
#define BESIDE(first, second)                                                                      \
    TWO "<link name='c'>" MASS(1) "</link><joint name='j' type='continuous'>" ENDS                 \
                                  "<axis xyz='0 0 1'/>" first                                      \
                                  "</joint><joint name='k' type='continuous'><parent link='a'/>"   \
                                  "<child link='c'/><axis xyz='0 0 1'/>" second "</joint></robot>"

static void take(const char *text, dry_robot *robot) {
    dry_error error;
    if (read_text(text, robot, &error) != DRY_OK) fail_msg("%s", error.text);
}

/* Accelerations at rest at x by torques. */
static void push(const dry_robot *robot, const double *x, const double *torque, double *q_ddot) {
    const double none[3] = {0.0};
    double *work = dry_arena_take(arena, dry_arm_size(&robot->arm) * sizeof *work);
    double *rest = dry_arena_take(arena, 100 * sizeof *rest);
    assert_non_null(work);
    assert_non_null(rest);
    dry_arm_forward(&robot->arm, none, x, rest, torque, NULL, q_ddot, work);
}

static void kinds_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        dry_joint_kind kind;
        int positions, speeds;
    } rows[] = {{JOINT("spherical", ""), DRY_BALL, 4, 3},
                {JOINT("planar", "<axis xyz='0 0 1'/>"), DRY_PLANAR, 3, 3},
                {JOINT("floating", ""), DRY_FREE, 7, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_robot robot;
        take(rows[i].text, &robot);
        assert_int_equal(robot.arm.links[1].kind, rows[i].kind);
        assert_int_equal(dry_arm_positions(&robot.arm), rows[i].positions);
        assert_int_equal(dry_arm_speeds(&robot.arm), rows[i].speeds);
    }
}

/* Equal limits weld the link where they are: turned about z by 0.5, or moved along it by 2. */
static void equal_limits_are_a_weld(void **state) {
    (void)state;
    dry_robot robot;
    double frames[26];
    take(JOINT("revolute", "<axis xyz='0 0 1'/><limit lower='0.5' upper='0.5'/>"), &robot);
    assert_int_equal(robot.arm.n_joints, 0);
    dry_arm_frames(&robot.arm, NULL, NULL, frames);
    closer(frames[13 + 6], cos(0.25), 1e-15);
    closer(frames[13 + 9], sin(0.25), 1e-15);
    take(JOINT("prismatic", "<origin rpy='1.5707963267948966 0 0'/><axis xyz='0 0 1'/>"
                            "<limit lower='2' upper='2'/>"),
         &robot);
    dry_arm_frames(&robot.arm, NULL, NULL, frames);
    closer(frames[13 + 1], -2.0, 1e-15);
    closer(frames[13 + 2], 0.0, 1e-15);
}

/* k turns three times as far as j, and starts at 0.25: j alone has J = 2.5, both have 2.5 + 9 2.5.
 */
static void mimic_is_a_gear(void **state) {
    (void)state;
    dry_robot robot;
    const double at[3] = {0.0}, torque[2] = {1.0, 0.0}, wanted[2] = {0.5, 0.0};
    double x[4], q_ddot[2];
    take(BESIDE("", "<mimic joint='j' multiplier='3' offset='0.25'/>"), &robot);
    assert_int_equal(robot.arm.n_gears, 1);
    assert_int_equal(dry_urdf_start(&robot, wanted, 1, at, x), -1);
    equal(x[0], 0.5);
    equal(x[1], 1.75);
    assert_int_equal(dry_urdf_start(&robot, wanted, 2, at, x), 1);
    push(&robot, x, torque, q_ddot);
    closer(q_ddot[0], 1.0 / 25.0, 1e-15);
    equal(q_ddot[1], 3.0 * q_ddot[0]);
}

/* The same gears with a free base: six coordinates more come first. */
static void mimic_with_a_free_base(void **state) {
    (void)state;
    dry_robot robot;
    const double at[3] = {1.0, 2.0, 3.0}, wanted[1] = {0.5};
    double x[7 + 6 + 4];
    take(BESIDE("", "<mimic joint='j' multiplier='3'/>"), &robot);
    assert_int_equal(dry_urdf_free_base(&robot, arena), DRY_OK);
    assert_int_equal(robot.arm.gears[0].driver, 6);
    assert_int_equal(robot.arm.gears[0].driven, 7);
    assert_int_equal(dry_urdf_start(&robot, wanted, 1, at, x), -1);
    equal(x[0], 1.0);
    equal(x[2], 3.0);
    equal(x[3], 1.0);
    equal(x[7], 0.5);
    equal(x[8], 1.5);
}

/* A dummy joint that moves nothing drives j twice and k minus four times: j drives k by -2. */
static void dummy_driver_is_replaced(void **state) {
    (void)state;
    dry_robot robot;
    take(TWO "<link name='c'>" MASS(
             1) "</link><link name='d'/>"
                "<joint name='dummy' type='continuous'><parent link='a'/><child link='d'/></joint>"
                "<joint name='j' type='continuous'>" ENDS "<mimic joint='dummy' multiplier='2' "
                "offset='1'/></joint><joint name='k' type='continuous'><parent link='a'/>"
                "<child link='c'/><mimic joint='dummy' multiplier='-4'/></joint></robot>",
         &robot);
    assert_int_equal(robot.arm.n_joints, 2);
    assert_int_equal(robot.arm.n_gears, 1);
    assert_string_equal(robot.joints[1].name, "k");
    assert_int_equal(robot.joints[1].driver, 0);
    equal(robot.joints[1].ratio, -2.0);
    equal(robot.joints[1].offset, 2.0);
}

/* What mimics a fixed joint is fixed. */
static void mimic_of_a_fixed_joint(void **state) {
    (void)state;
    dry_robot robot;
    double frames[39];
    take(TWO "<link name='c'>" MASS(
             1) "</link><joint name='j' type='revolute'>" ENDS
                "<axis xyz='0 0 1'/><limit lower='0.2' upper='0.2'/></joint>"
                "<joint name='k' type='continuous'><parent link='a'/><child link='c'/>"
                "<axis xyz='0 0 1'/><mimic joint='j' multiplier='2' offset='0.1'/></joint></robot>",
         &robot);
    assert_int_equal(robot.arm.n_joints, 0);
    dry_arm_frames(&robot.arm, NULL, NULL, frames);
    closer(frames[26 + 9], sin(0.25), 1e-15);
}

/* A rotor adds to the inertia that its joint feels: 2.5 of the link, and 0.5, or 0.02 5^2. */
static void rotors_are_felt(void **state) {
    (void)state;
    static const char *const rows[] = {
        JOINT("continuous", "<axis xyz='0 0 1'/><dynamics armature='0.5'/>"),
        JOINT("continuous", "<axis xyz='0 0 1'/><rotor_inertia value='0.02'/>"
                            "<gear_ratio value='5'/>")};
    const double torque = 6.0, x[2] = {0.0};
    for (int i = 0; i < 2; i++) {
        dry_robot robot;
        double q_ddot;
        take(rows[i], &robot);
        push(&robot, x, &torque, &q_ddot);
        closer(q_ddot, 2.0, 1e-14);
    }
}

/* A link without inertia of its own is one body with what is fixed to it; a rod has none about its
 * axis, which is told. */
static void welded_links_share_an_inertia(void **state) {
    (void)state;
    dry_robot robot;
    take(TWO "<link name='c'><inertial><mass value='1'/><inertia ixx='0' iyy='0' izz='0'/>"
             "</inertial></link><joint name='j' type='continuous'>" ENDS
             "</joint><joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>"
             "</robot>",
         &robot);
    assert_int_equal(robot.n_remarks, 0);
    take("<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
         "<inertia ixx='0' iyy='1' izz='1'/></inertial></link><joint name='j' "
         "type='continuous'>" ENDS "<axis xyz='0 0 1'/></joint></robot>",
         &robot);
    assert_int_equal(robot.n_remarks, 1);
    assert_non_null(strstr(robot.remarks[0].text, "no inertia"));
}

/* ---- the kind ---------------------------------------------------------------------------- */

static dry_net *make(const char *base) {
    const dry_value values[] = {DRY_WORD("file", path), DRY_WORD("base", base)};
    dry_net *net = dry_net_new();
    assert_non_null(net);
    dry_net_make(net, "robot", dry_urdf_kind(), values, base != NULL ? 2 : 1);
    return net;
}

static bool has_state(const dry_net *net, const char *name) {
    const dry_part *arm = dry_net_part_at(net, 0, &(const char *){NULL});
    for (int i = 0; i < arm->n_states; i++)
        if (strcmp(arm->states[i].name, name) == 0) return true;
    return false;
}

/* base = free, and the default: fixed with a word where the root has a mass, free for one body. */
static void bases(void **state) {
    (void)state;
    static const char heavy[] =
        "<robot name='r'><link name='a'>" MASS(7) "</link><link name='b'>" MASS(
            1) "</link><joint name='j' type='continuous'>" ENDS "</joint></robot>";
    static const struct {
        const char *text, *base;
        bool is_free;
        int remarks, mistakes;
    } rows[] = {
        {heavy, NULL, false, 1, 0},
        {heavy, "fixed", false, 0, 0},
        {heavy, "free", true, 0, 0},
        {heavy, "loose", false, 0, 1},
        {JOINT("continuous", ""), NULL, false, 0, 0},
        {"<robot name='r'><link name='a'>" MASS(1) "</link></robot>", NULL, true, 0, 0},
        {"<robot name='r'><link name='a'/></robot>", "free", false, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dry_system *system;
        dry_error error = {0};
        write_text(rows[i].text);
        dry_net *net = make(rows[i].base);
        assert_int_equal(dry_net_mistake_count(net), rows[i].mistakes);
        assert_int_equal(dry_net_remark_count(net), rows[i].remarks);
        if (rows[i].remarks > 0) assert_non_null(strstr(dry_net_remark_at(net, 0), "base = free"));
        if (rows[i].mistakes == 0) {
            is_ok(dry_net_system(net, NULL, &system, &error), &error);
            assert_int_equal(has_state(net, "base_turn[4]"), rows[i].is_free);
        }
        dry_net_free(net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(kinds_are_read),
        TEST(equal_limits_are_a_weld),
        TEST(mimic_is_a_gear),
        TEST(mimic_with_a_free_base),
        TEST(dummy_driver_is_replaced),
        TEST(mimic_of_a_fixed_joint),
        TEST(rotors_are_felt),
        TEST(welded_links_share_an_inertia),
        TEST(bases),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
