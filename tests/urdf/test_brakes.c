/* Brakes add a share of the effort of a drive to the friction of its joint. Each of two arms has 1
 * kg at 0.5 m, level in gravity: 4.905 N m to bear. Friction bears 3 N m; the drive of the first
 * has 20 N m, the second has none. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

#define ARM(name, limit)                                                                           \
    "<link name='" name "'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>"                     \
    "<inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>\n"      \
    "<joint name='turn_" name "' type='continuous'><parent link='base'/><child link='" name "'/>"  \
    "<axis xyz='0 1 0'/><dynamics friction='3'/>" limit "</joint>\n"

static const char arms[] =
    "<robot name='arms'>\n<link name='base'/>\n" ARM("a", "<limit effort='20' velocity='5'/>")
        ARM("b", "") "</robot>";

/* Brakes without a drive are a mistake of the file, or of who asks for them. */
static void expect_remark(const dry_net *net, bool braked) {
    int found = 0;
    for (int i = 0; i < dry_net_remark_count(net); i++)
        found += strstr(dry_net_remark_at(net, i), "1 of its joints have no effort") != NULL;
    assert_int_equal(found, braked);
}

/* The angles of both after 1 s. */
static void let_go(double hold, double angle[2]) {
    const dry_value values[] = {DRY_WORD("file", path), DRY_NUMBERS("hold", hold)};
    const dry_system *system;
    dry_sim_result result;
    dry_error error = {0};
    write_text(arms);
    dry_net *net = dry_net_new();
    dry_net_gravity(net, 0.0, 0.0, -9.81);
    dry_net_make(net, "robot", dry_urdf_kind(), values, 2);
    is_ok(dry_net_system(net, NULL, &system, &error), &error);
    expect_remark(net, hold > 0.0);
    const dry_sim_options options = {
        .run = {.method = dry_method_find("rk4"), .until = 1.0, .record = 0.1, .step = 1e-3}};
    is_ok(dry_sim_run(system, &options, &result, &error), &error);
    static const char *const names[] = {"robot.q[1]", "robot.q[2]"};
    for (int i = 0; i < 2; i++)
        angle[i] = dry_record_at(result.record, 0, dry_record_find(result.record, names[i]), 1.0);
    dry_record_free(result.record);
    dry_net_free(net);
}

static void brakes_bear_a_share_of_the_effort(void **state) {
    (void)state;
    static const struct {
        double hold;
        bool stands;                                                    /* the first arm */
    } rows[] = {{0.0, false}, {0.09, false}, {0.1, true}, {0.5, true}}; /* 3, 4.8, 5, 13 N m */
    for (int i = 0; i < 4; i++) {
        double angle[2];
        let_go(rows[i].hold, angle);
        if ((fabs(angle[0]) < 1e-3) != rows[i].stands)
            fail_msg("hold = %g: the arm turned by %g rad", rows[i].hold, angle[0]);
        above(fabs(angle[1]), 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(brakes_bear_a_share_of_the_effort)};
    return cmocka_run_group_tests(tests, begin, end);
}
