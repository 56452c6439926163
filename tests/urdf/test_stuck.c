/* The stiffness of joints that stick, chosen for a step: as much as all of them together bear. For
 * two links that is a closed form: with H the inertia of the joints and c = H12/sqrt(H11 H22), the
 * inertia that joint i feels is H_ii (1 - c^2), and
 *
 *     K_i = 2 H_ii (1 - c^2)/(T^2 rho),   rho = 1 + |c|
 *
 * but for a margin of 5 %. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "par_of.h"
#include "robot_text.h"
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>"                     \
    "<inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>\n"
static const char two[] = "<robot name='two'>\n<link name='base'/>\n" LINK("a")
    LINK("b") "<joint name='j1' type='continuous'><parent link='base'/><child link='a'/>"
              "<axis xyz='0 0 1'/><dynamics friction='5'/></joint>\n"
              "<joint name='j2' type='continuous'><parent link='a'/><child link='b'/>"
              "<origin xyz='1 0 0'/><axis xyz='0 0 1'/><dynamics friction='5'/></joint>\n</robot>";

static void as_stiff_as_both_bear(void **state) {
    (void)state;
    const double T = 1e-3, J = 0.01 + 0.25;
    write_text(two);
    for (int k = 0; k <= 16; k++) {
        const double pose[2] = {0.3, -3.2 + 0.4 * k}, bend = 0.5 * cos(pose[1]);
        const double H11 = J + J + 1.0 + 2.0 * bend, H12 = J + bend, H22 = J;
        const double c = H12 / sqrt(H11 * H22), rho = 1.0 + fabs(c);
        const dry_value values[] = {DRY_WORD("file", path),
                                    {.key = "q", .numbers = pose, .count = 2},
                                    DRY_NUMBERS("step", T)};
        const dry_system *system;
        dry_error error = {0};
        dry_net *net = dry_net_new();
        dry_net_make(net, "robot", dry_urdf_kind(), values, 3);
        if (dry_net_system(net, NULL, &system, &error) != DRY_OK) fail_msg("%s", error.text);
        const double used[2] = {
            2.0 * H11 * (1.0 - c * c) / (T * T * par_of(system, "robot_joints.j1.K")),
            2.0 * H22 * (1.0 - c * c) / (T * T * par_of(system, "robot_joints.j2.K"))};
        for (int i = 0; i < 2; i++)
            if (!(used[i] > rho && used[i] < 1.051 * rho))
                fail_msg("q2 = %g: %g, must be %g", pose[1], used[i], rho);
        dry_net_free(net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(as_stiff_as_both_bear)};
    return cmocka_run_group_tests(tests, begin, end);
}
