/* What holds the joints tells, at a start, which of its parameters were set out of their range, and
 * which joints are outside their limits as they are set. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"

#include <string.h>

/* A joint with limits, friction and damping, and one with damping alone. */
static const dry_part *make(void) {
    dry_robot robot;
    dry_error error;
    const dry_part *joints;
    const double q[2] = {0.0, 0.0};
    is_ok(
        read_text(
            "<robot name='r'><link name='a'/><link name='b'>" MASS(1) "</link><link name='c'>" MASS(
                1) "</link><joint name='j' type='revolute'>" ENDS
                   "<limit lower='-0.5' upper='1'/><dynamics friction='1' damping='2'/></joint>"
                   "<joint name='k' type='continuous'><parent link='b'/><child link='c'/>"
                   "<dynamics damping='2'/></joint></robot>",
            &robot, &error),
        &error);
    is_ok(dry_urdf_joints(&robot, q, 1e-3, 0.3, arena, &joints, &error), &error);
    assert_non_null(joints);
    return joints;
}

static int index_of(const dry_part *part, const char *name) {
    int i = 0;
    while (i < part->n_par && strcmp(part->params[i].name, name) != 0) i++;
    below(i, part->n_par);
    return i;
}

enum { MOST = 32 };

static void ranges_are_kept(void **state) {
    (void)state;
    static const struct {
        const char *set;
        double value;
        const char *wrong; /* "": nothing */
        const char *range;
    } rows[] = {
        {"j.friction", 0.0, "", ""},
        {"j.friction", -1e-9, "j.friction", "at least 0"},
        {"k.friction", -1.0, "k.friction", "at least 0"},
        {"k.damping", -1.0, "k.damping", "at least 0"},
        {"j.K", 0.0, "j.K", "above 0"},
        {"k.beta", -1.0, "k.beta", "above 0"},
        {"j.lower", 0.9, "", ""},
        {"j.lower", 1.0, "j.upper", "above lower"},
        {"j.upper", -0.6, "j.upper", "above lower"},
        {"k.upper", 1.0, "", ""},
        {"k.lower", 1.0, "k.upper", "above lower"},
    };
    const dry_part *joints = make();
    assert_true(dry_urdf_is_joints(joints));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double par[MOST];
        const char *range = "";
        at_most(joints->n_par, MOST);
        memcpy(par, joints->par, (size_t)joints->n_par * sizeof *par);
        par[index_of(joints, rows[i].set)] = rows[i].value;
        const int k = dry_urdf_misset(joints, par, &range);
        const char *wrong = k < 0 ? "" : joints->params[k].name;
        if (strcmp(wrong, rows[i].wrong) != 0 || (k >= 0 && strcmp(range, rows[i].range) != 0))
            fail_msg("row %zu: '%s' %s", i, wrong, range);
    }
}

static void joints_are_inside(void **state) {
    (void)state;
    const dry_part *joints = make();
    double par[MOST], limits[2];
    const double inside[] = {-0.5, 0.0, 99.0, 0.0}, outside[] = {1.1, 0.0, 99.0, 0.0};
    memcpy(par, joints->par, (size_t)joints->n_par * sizeof *par);
    assert_int_equal(dry_urdf_outside(joints, par, inside, 0, limits), -1);
    assert_int_equal(dry_urdf_outside(joints, par, outside, 0, limits), 0);
    equal(limits[0], -0.5);
    equal(limits[1], 1.0);
    assert_int_equal(dry_urdf_outside(joints, par, outside, 1, limits), -1);
    par[index_of(joints, "j.upper")] = 1.2;
    par[index_of(joints, "k.upper")] = 3.0;
    assert_int_equal(dry_urdf_outside(joints, par, outside, 0, limits), 1);
    equal(limits[0], 0.0);
    equal(limits[1], 3.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(ranges_are_kept),
        TEST(joints_are_inside),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
