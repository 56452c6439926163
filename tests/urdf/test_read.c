/* A robot's file is read as it says, and what is wrong or not used is told with its line. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"

#include <math.h>
#include <string.h>

static void tree_is_ordered(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text = /* the tip stands first and hangs last */
        "<robot name='r'><link name='tip'>" MASS(1) "</link><link name='mid'>" MASS(
            2) "</link><link name='root'/>\n"
               "<joint name='b' type='prismatic'><parent link='mid'/><child link='tip'/>"
               "<axis xyz='0 0 2'/><limit lower='-1' upper='2'/></joint>\n"
               "<joint name='a' type='continuous'><parent link='root'/><child link='mid'/>"
               "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><dynamics damping='3' "
               "friction='4'/>"
               "</joint></robot>";
    is_ok(read_text(text, &robot, &error), &error);
    assert_int_equal(robot.arm.n_links, 3);
    assert_int_equal(robot.arm.n_joints, 2);
    const dry_link *l = robot.arm.links;
    assert_string_equal(l[0].name, "root");
    assert_string_equal(l[1].name, "mid");
    assert_string_equal(l[2].name, "tip");
    assert_int_equal(l[0].parent, -1);
    assert_int_equal(l[1].parent, 0);
    assert_int_equal(l[2].parent, 1);
    assert_int_equal(l[0].kind, DRY_WELD);
    assert_int_equal(l[1].kind, DRY_REVOLUTE);
    assert_int_equal(l[2].kind, DRY_PRISMATIC);
    equal(l[1].at[0], 1.0);
    equal(l[1].at[1], 2.0);
    equal(l[1].at[2], 3.0);
    closer(l[1].turn[0], sqrt(0.5), 1e-15);
    closer(l[1].turn[3], sqrt(0.5), 1e-15);
    equal(l[1].axis[0], 1.0); /* the default axis is x */
    equal(l[2].axis[2], 1.0); /* and a given one is made of length 1 */
    equal(robot.joints[0].damping, 3.0);
    equal(robot.joints[0].friction, 4.0);
    is_nan(robot.joints[0].lower);
    equal(robot.joints[1].lower, -1.0);
    equal(robot.joints[1].upper, 2.0);
    assert_string_equal(robot.joints[1].unit, "m");
}

/* The inertia of a rod along the turned x: about its turned axes it becomes that of one along z. */
static void inertia_is_turned(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text = "<robot name='r'><link name='a'><inertial><origin xyz='.1 .2 .3' "
                       "rpy='0 -1.5707963267948966 0'/><mass value='2'/><inertia ixx='.001' "
                       "iyy='5' izz='5' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    is_ok(read_text(text, &robot, &error), &error);
    const dry_link *l = robot.arm.links;
    const double expected[6] = {5.0, 5.0, 0.001, 0.0, 0.0, 0.0};
    all_closer(6, l->inertia, expected, 1e-14);
    equal(l->mass, 2.0);
    equal(l->com[1], 0.2);
}

static void shapes_are_read(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text =
        "<robot name='r'><link name='a'>\n"
        "<collision><geometry><sphere radius='.3'/></geometry></collision>\n"
        "<collision><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>\n"
        "<collision><geometry><mesh filename='x.stl'/></geometry></collision>\n"
        "<collision><origin xyz='0 0 1'/><geometry><cylinder radius='2' length='4'/></geometry>"
        "</collision></link></robot>";
    is_ok(read_text(text, &robot, &error), &error);
    const dry_link *l = robot.arm.links;
    assert_int_equal(l->n_shapes, 3);
    assert_int_equal(l->shapes[0].kind, DRY_SPHERE);
    equal(l->shapes[0].size[0], 0.3);
    assert_int_equal(l->shapes[1].kind, DRY_BOX);
    equal(l->shapes[1].size[2], 1.5);
    assert_int_equal(l->shapes[2].kind, DRY_CYLINDER);
    equal(l->shapes[2].size[0], 2.0);
    equal(l->shapes[2].size[1], 2.0);
    equal(l->shapes[2].p[2], 1.0);
    assert_int_equal(robot.n_remarks, 1);
    assert_int_equal(robot.remarks[0].line, 4);
    assert_non_null(strstr(robot.remarks[0].text, "mesh"));
}

static void nothing_is_skipped_in_silence(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text =
        "<robot name='r'>\n<material name='m'/>\n<link name='a'>\n<visual/></link>\n"
        "<link name='b'>" MASS(
            1) "</link>\n<joint name='j' type='revolute'>\n"
               "<parent link='a'/><child link='b'/>\n<limit lower='0' upper='1' effort='5'"
               " velocity='1'/>\n<calibration/>\n<safety_controller/></joint>\n"
               "<transmission/>\n<gazebo/></robot>";
    static const struct {
        int line;
        const char *element;
    } rows[] = {{2, "material"},           {4, "visual"},        {9, "calibration"},
                {10, "safety_controller"}, {11, "transmission"}, {12, "gazebo"}};
    is_ok(read_text(text, &robot, &error), &error);
    assert_int_equal(robot.n_remarks, 6);
    for (size_t i = 0; i < 6; i++) {
        bool found = false;
        for (int k = 0; k < robot.n_remarks; k++)
            found = found || (robot.remarks[k].line == rows[i].line &&
                              strstr(robot.remarks[k].text, rows[i].element));
        if (!found) fail_msg("no remark on %s in line %d", rows[i].element, rows[i].line);
    }
}

static void mistakes_have_a_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *word;
    } rows[] = {
        {"<robot name='r'>\n<link name='a'>\n</robot>", 3, "XML"},
        {"<robot name='r'>\n<link name='a'></lnk>\n<foo></robot>", 2, "lnk"}, /* the first one */
        {"", 0, "empty"},
        {"<robt/>", 1, "<robot>"},
        {"<robot name='r'/>", 1, "no <link>"},
        {"<robot name='r'>\n<link/></robot>", 2, "name"},
        {"<robot name='r'>\n<link name='a'/>\n<link name='a'/></robot>", 3, "<link> on line 2"},
        {TWO "</robot>", 3, "no joint"},
        {TWO "<joint name='j' type='fixed'><parent link='a'/>\n<child link='c'/></joint></robot>",
         5, "no link 'c'"},
        {TWO "<joint name='j' type='fixed'><parent link='a'/></joint></robot>", 4, "child"},
        {TWO "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
             "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
         5, "two joints"},
        {TWO "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
             "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
         1, "no root"},
        {TWO "<joint name='j' type='screw'><parent link='a'/><child link='b'/></joint></robot>", 4,
         "planar"},
        {TWO "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>",
         4, "limit"},
        {TWO "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
             "<axis xyz='0 0 0'/></joint></robot>",
         5, "direction"},
        {TWO "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
             "<dynamics friction='-1'/></joint></robot>",
         5, "negative"},
        {"<robot name='r'><link name='a'>\n<inertial><mass value='x'/><inertia ixx='1' iyy='1' "
         "izz='1'/></inertial></link></robot>",
         2, "finite number"},
        {"<robot name='r'><link name='a'><inertial>\n<mass value='1 2'/><inertia ixx='1' iyy='1' "
         "izz='1'/></inertial></link></robot>",
         2, "more than 1"},
        {"<robot name='r'><link name='a'><inertial>\n<mass value='1kg'/><inertia ixx='1' iyy='1' "
         "izz='1'/></inertial></link></robot>",
         2, "\"kg\" is not a number"},
        {"<robot name='r'><link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='-1' "
         "izz='1'/></inertial></link></robot>",
         2, "positive definite"},
        {"<robot name='r'><link name='a'><collision><geometry>\n<sphere radius='0'/></geometry>"
         "</collision></link></robot>",
         2, "positive"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_robot robot;
        dry_error error;
        assert_int_equal(read_text(rows[i].text, &robot, &error), DRY_BAD_FILE);
        if (error.line != rows[i].line || !strstr(error.text, rows[i].word))
            fail_msg("row %zu: line %d instead of %d, or no \"%s\" in: %s", i, error.line,
                     rows[i].line, rows[i].word, error.text);
    }
}

static void missing_file(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error = {0};
    const dry_status status = dry_urdf_read("/nowhere/robot.urdf", arena, &robot, &error);
    assert_int_equal(status, DRY_IO);
    assert_int_not_equal(error.text[0], '\0');
    assert_string_equal(error.file, "/nowhere/robot.urdf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tree_is_ordered),      TEST(inertia_is_turned),
        TEST(shapes_are_read),      TEST(nothing_is_skipped_in_silence),
        TEST(mistakes_have_a_line), TEST(missing_file),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
