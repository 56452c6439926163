/* Nothing of a robot's file is passed over in silence: what is not read is told by element and
 * line, what is said twice is refused, and so is a start outside the limits. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"

#include <string.h>

#define LINK_A(inside) "<robot name='r'>\n<link name='a'>\n" inside "</link></robot>"
#define JOINT(type, inside)                                                                        \
    TWO "<joint name='j' type='" type "'>" ENDS "\n" inside "</joint></robot>"
#define INERTIA(xx, yy, zz)                                                                        \
    LINK_A("<inertial><mass value='1'/>\n<inertia ixx='" xx "' iyy='" yy "' izz='" zz              \
           "'/></inertial>")

static void is_told(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *element, *word;
    } rows[] = {
        {JOINT("continuous", "<limit lower='0' upper='1'/>"), 5, "limit", "lower and upper"},
        {JOINT("revolute", "<limit lower='0.5' upper='0.5'/>"), 5, "limit", "fixed at 0.5 rad"},
        {JOINT("revolute", "<limit effort='1'/>"), 5, "limit", "fixed at 0 rad"},
        {JOINT("revolute", "<limit lower='1' upper='-1'/>"), 5, "limit", "no limits"},
        {JOINT("continuous", "<axis xyz='0, 0, 1'/>"), 5, "axis", "commas"},
        {JOINT("continuous", "<axis xyz='0 0 1'/><axis xyz='0 0 1'/>"), 5, "axis", "repeats"},
        {JOINT("spherical", "<dynamics damping='1'/>"), 5, "dynamics", "spherical"},
        {JOINT("continuous", "<gear_ratio value='3'/>"), 5, "gear_ratio", "rotor_inertia"},
        {JOINT("fixed", "<limit lower='0' upper='1'/>"), 5, "limit", "fixed"},
        {JOINT("fixed", "<dynamics friction='1'/>"), 5, "dynamics", "fixed"},
        {JOINT("fixed", "<axis xyz='0 0 1'/>"), 5, "axis", "fixed"},
        {JOINT("continuous", "<dynamics frictoin='0.2'/>"), 5, "dynamics", "'frictoin'"},
        {JOINT("continuous", "<origin quat='1 0 0 0'/>"), 5, "origin", "'quat'"},
        {JOINT("continuous", "<axis xyz='0 0 1'><tilt/></axis>"), 5, "tilt", "axis"},
        {"<robot name='r' colour='red'><link name='a'/></robot>", 1, "robot", "'colour'"},
        {"<robot name='r' xmlns:x='urn:x' x:name='s'><link name='a'/></robot>", 1, "robot",
         "'name'"},
        {LINK_A("half a word\nand more"), 2, "link", "'half a word'"},
        {LINK_A("<inertial><mass value='1'>2</mass><inertia ixx='1' iyy='1' izz='1'/></inertial>"),
         3, "mass", "'2'"},
        {LINK_A("<![CDATA[<visual/>]]>"), 2, "link", "'<visual/>'"},
        {"<!DOCTYPE robot [<!ENTITY more '<link name=\"b\"/>'>]>\n<robot name='r'>"
         "<link name='a'/>&more;</robot>",
         2, "robot", "'more'"},
        {INERTIA("10", "1", "1"), 4, "inertia", "sum of the others"},
        {INERTIA("1", "1", "2.1"), 4, "inertia", "sum of the others"},
        {"<robot name='r'>\n<link name='a-b'/></robot>", 2, "link", "'a-b'"},
        {TWO "<joint name='j 0' type='continuous'>" ENDS "</joint></robot>", 4, "joint", "q[1]"},
        {TWO "<joint name='0j' type='continuous'>" ENDS "</joint></robot>", 4, "joint", "'0j'"},
        {TWO "<joint name='a' type='continuous'>" ENDS "</joint></robot>", 2, "link", "'a_link'"},
        {"<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='continuous'>" ENDS
         "</joint></robot>",
         2, "joint", "moves no mass"},
        {"\n<?xml version='1.0'?>\n<robot name='r'><link name='a'/></robot>", 3, "robot", "<?xml"},
        {"<?xml version='0.0'?>\n<robot name='r'><link name='a'/></robot>", 2, "robot", "<?xml"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_robot robot;
        dry_error error;
        if (read_text(rows[i].text, &robot, &error) != DRY_OK)
            fail_msg("row %zu: refused: %s", i, error.text);
        if (robot.n_remarks != 1) fail_msg("row %zu: %d remarks", i, robot.n_remarks);
        const dry_urdf_remark *told = robot.remarks;
        const size_t n = strlen(rows[i].element);
        if (told->line != rows[i].line || strncmp(told->text, rows[i].element, n) != 0 ||
            told->text[n] != ':' || !strstr(told->text, rows[i].word))
            fail_msg("row %zu: line %d: %s", i, told->line, told->text);
    }
}

/* Plates and rods, whose inertia is at the edge of what a body can have, also turned and rounded;
 * names with Greek letters; a fixed joint called like a link. */
static void is_not_told(void **state) {
    (void)state;
    static const char *const rows[] = {
        INERTIA("1", "1", "2"),
        INERTIA("0.333", "0.333", "0.667"),
        LINK_A("<inertial><mass value='1'/><inertia ixx='1.5' iyy='1.5' izz='1' ixy='0.5'/>"
               "</inertial>"),
        TWO "<joint name='\xcf\x86_2' type='continuous'>" ENDS "</joint></robot>",
        TWO "<joint name='b' type='fixed'>" ENDS "</joint></robot>",
        "<?xml version='1.0'?>\n<!-- a --><robot name='r' version='1.0'>\n<!-- b -->"
        "<link name='a'><collision name='c'><geometry> <sphere radius='1'/>\n</geometry>"
        "</collision></link></robot>",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_robot robot;
        dry_error error;
        if (read_text(rows[i], &robot, &error) != DRY_OK)
            fail_msg("row %zu: refused: %s", i, error.text);
        if (robot.n_remarks != 0)
            fail_msg("row %zu: line %d: %s", i, robot.remarks[0].line, robot.remarks[0].text);
    }
}

static void is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *word;
    } rows[] = {
        {LINK_A(MASS(1) "\n" MASS(2)), 4, "line 3"},
        {LINK_A("<inertial><mass value='1'/>\n<mass value='2'/></inertial>"), 4, "line 3"},
        {JOINT("continuous", "<axis xyz='1 0 0'/>\n<axis xyz='0 1 0'/>"), 6, "line 5"},
        {JOINT("revolute", "<limit upper='1'/>\n<limit upper='2'/>"), 6, "line 5"},
        {JOINT("fixed", "<parent link='b'/>"), 5, "line 4"},
        {JOINT("fixed", "<child link='a'/>"), 5, "line 4"},
        {JOINT("fixed", "<origin/>\n<origin xyz='0 0 1'/>"), 6, "line 5"},
        {LINK_A("<collision><geometry><sphere radius='1'/></geometry>\n<geometry/></collision>"), 4,
         "line 3"},
        {LINK_A("<collision>\n<geometry/></collision>"), 4, "empty"},
        {LINK_A("<collision><geometry><sphere radius='1'/>\n<box size='1 1 1'/></geometry>"
                "</collision>"),
         4, "already has a <sphere>"},
        {TWO "<link name='c'/>\n<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='j' "
             "type='fixed'><parent link='a'/><child link='c'/></joint></robot>",
         6, "<joint> on line 5"},
        {"<robot name='r'>\n<link name=''/></robot>", 2, "empty"},
        {LINK_A("<inertial><mass value='0'/>\n<inertia ixx='-1' iyy='0' izz='0'/></inertial>"), 4,
         "positive definite"},
        {JOINT("continuous", "<limit effort='-1'/>"), 5, "negative"},
        {JOINT("continuous", "<dynamics armature='-1'/>"), 5, "negative"},
        {JOINT("continuous", "<mimic joint='k'/>"), 4, "no such joint"},
        {JOINT("continuous", "<mimic joint='j'/>"), 4, "itself"},
        {JOINT("revolute", "<limit lower='0' upper='1'/><axis xyz='0 0 1'/><axis xyz='0 1 0'/>"), 5,
         "already has one"},
        {JOINT("revolute", "<limit lower='0,1' upper='1'/>"), 5, "is not a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_robot robot;
        dry_error error;
        if (read_text(rows[i].text, &robot, &error) != DRY_BAD_FILE)
            fail_msg("row %zu is accepted", i);
        if (error.line != rows[i].line || !strstr(error.text, rows[i].word))
            fail_msg("row %zu: line %d: %s", i, error.line, error.text);
    }
}

/* Remarks come in the order of the file, whoever finds them. */
static void lines_rise(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text = "<robot name='r'>\n<link name='a-b'/>\n<gazebo/>\n<link name='b'>" MASS(
        1) "\n<visual/></link><joint name='j' type='continuous'>\n<parent link='a-b'/>"
           "<child link='b'/>\n<limit lower='1'/>\n<calibration/></joint></robot>";
    static const int lines[] = {2, 3, 5, 7, 8};
    is_ok(read_text(text, &robot, &error), &error);
    assert_int_equal(robot.n_remarks, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(robot.remarks[i].line, lines[i]);
}

/* Remarks of one kind are one, at the first line of them, with their number. */
static void one_kind_is_told_once(void **state) {
    (void)state;
    dry_robot robot;
    dry_error error;
    const char *text = "<robot name='r'>\n<link name='a-1'><visual/></link>\n<link name='b-1'>"
                       "<visual/><visual/></link>\n<joint name='j' type='fixed'>"
                       "<parent link='a-1'/><child link='b-1'/></joint></robot>";
    is_ok(read_text(text, &robot, &error), &error);
    assert_int_equal(robot.n_remarks, 2);
    for (int i = 0; i < 2; i++) assert_int_equal(robot.remarks[i].line, 2);
    assert_non_null(strstr(robot.remarks[0].text, "'a-1'"));
    assert_non_null(strstr(robot.remarks[0].text, "and 1 more"));
    assert_non_null(strstr(robot.remarks[1].text, "visual"));
    assert_non_null(strstr(robot.remarks[1].text, "and 2 more"));
}

/* ---- the kind ------------------------------------------------------------------------------- */

static dry_net *make(const char *file, const double *q, int count) {
    const dry_value values[] = {DRY_WORD("file", file), {.key = "q", .numbers = q, .count = count}};
    dry_net *net = dry_net_new();
    assert_non_null(net);
    dry_net_make(net, "robot", dry_urdf_kind(), values, q != NULL ? 2 : 1);
    return net;
}

static void expect_words(const char *text, const char *const *words, int count) {
    assert_non_null(text);
    for (int i = 0; i < count; i++)
        if (!strstr(text, words[i])) fail_msg("no \"%s\" in: %s", words[i], text);
}

/* Where nothing says where it starts a joint is at 0, here outside: a mistake; q says it: told. */
static void starts_inside(void **state) {
    (void)state;
    static const char *const words[] = {path, ":5:", "'j'", "q[1]", "0.5 .. 1"};
    const double inside[] = {0.75}, at_end[] = {1.0}, outside[] = {1.5};
    write_text(JOINT("revolute", "<limit lower='0.5' upper='1'/>"));
    dry_net *net = make(path, NULL, 0);
    assert_int_equal(dry_net_mistake_count(net), 1);
    expect_words(dry_net_mistake(net, 0)->text, words, 5);
    dry_net_free(net);
    net = make(path, outside, 1);
    assert_int_equal(dry_net_mistake_count(net), 0);
    assert_int_equal(dry_net_remark_count(net), 1);
    expect_words(dry_net_remark_at(net, 0), words, 5);
    dry_net_free(net);
    for (int i = 0; i < 2; i++) {
        net = make(path, i == 0 ? inside : at_end, 1);
        assert_int_equal(dry_net_mistake_count(net) + dry_net_remark_count(net), 0);
        dry_net_free(net);
    }
}

/* Also where there is no line. */
static void file_is_named(void **state) {
    (void)state;
    static const char *const missing[] = {"robot: /nowhere/robot.urdf: "};
    static const char *const empty[] = {path, "empty"};
    dry_net *net = make("/nowhere/robot.urdf", NULL, 0);
    expect_words(dry_net_mistake(net, 0)->text, missing, 1);
    dry_net_free(net);
    write_text("");
    net = make(path, NULL, 0);
    expect_words(dry_net_mistake(net, 0)->text, empty, 2);
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(is_told),       TEST(is_not_told),           TEST(is_refused),
        TEST(lines_rise),    TEST(one_kind_is_told_once), TEST(starts_inside),
        TEST(file_is_named),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
