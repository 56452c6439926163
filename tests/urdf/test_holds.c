/* A six-axis arm on joint friction: it stands where friction can bear the gravity torque, to the
 * last bits, and moves where it cannot; joint limits stop it and do not pull. */
#include "unit.h"

#include <drystone/sim.h>
#include <drystone/urdf.h>
#include <math.h>
#include <stdio.h>

#define ROBOT DRY_SOURCE_DIR "/models/robots/six-axis.urdf"
enum { N = 6 };

/* The arm of the file in gravity, from the pose q, for a time. */
static dry_record *let_go(const double q[N], double until) {
    const dry_value values[] = {DRY_WORD("file", ROBOT), {.key = "q", .numbers = q, .count = N}};
    dry_net *net = dry_net_new();
    const dry_system *system;
    dry_sim_result result;
    dry_error error = {0};
    assert_non_null(net);
    dry_net_gravity(net, 0.0, 0.0, -9.81);
    dry_net_make(net, "robot", dry_urdf_kind(), values, 2);
    if (dry_net_system(net, NULL, &system, &error) != DRY_OK) fail_msg("%s", error.text);
    const dry_sim_options options = {
        .run = {.method = dry_method_find("rk4"), .until = until, .record = 0.1, .step = 1e-3}};
    if (dry_sim_run(system, &options, &result, &error) != DRY_OK) fail_msg("%s", error.text);
    dry_net_free(net);
    return result.record;
}

static double at(const dry_record *record, const char *what, int joint, double time) {
    char name[64];
    snprintf(name, sizeof name, "robot.%s[%d]", what, joint + 1);
    const int column = dry_record_find(record, name);
    at_least(column, 0);
    return dry_record_at(record, 0, column, time);
}

/* The torques that hold a pose, by inverse dynamics. */
static void gravity_torques(const double q[N], double torque[N]) {
    const double g[3] = {0.0, 0.0, -9.81}, rest[N] = {0};
    dry_arena *arena = dry_arena_new(0);
    dry_robot robot;
    assert_int_equal(dry_urdf_read(ROBOT, arena, &robot, NULL), DRY_OK);
    assert_int_equal(robot.arm.n_joints, N);
    double *work = dry_arena_take(arena, sizeof(double) * dry_arm_size(&robot.arm));
    dry_arm_inverse(&robot.arm, g, q, rest, rest, NULL, torque, work);
    dry_arena_free(arena);
}

/* 0.1 s of settling, in which each joint gives way by its torque over K; then nothing moves. */
static void stands_below_the_limit(void **state) {
    (void)state;
    static const double friction[N] = {60.0, 70.0, 45.0, 8.0, 6.0, 3.0};
    const double q[N] = {0.3, -0.7, 0.9, 0.4, 0.2, 0.0};
    double torque[N];
    gravity_torques(q, torque);
    for (int i = 0; i < N; i++) below(fabs(torque[i]), friction[i]);
    dry_record *record = let_go(q, 4.0);
    for (int i = 0; i < N; i++) {
        const double moved = at(record, "q", i, 4.0) - at(record, "q", i, 2.0);
        if (!(fabs(moved) < 1e-14)) fail_msg("joint %d crept by %g rad", i + 1, moved);
        closer(at(record, "q", i, 4.0), q[i], 1e-3);
    }
    dry_record_free(record);
}

/* Stretched out level lift has to bear 80.5 N m and holds 70: it falls until its limit, 2 rad. */
static void falls_above_the_limit(void **state) {
    (void)state;
    const double q[N] = {0};
    double torque[N];
    gravity_torques(q, torque);
    closer(fabs(torque[1]), 80.49, 0.01); /* sum of m g x by hand */
    dry_record *record = let_go(q, 6.0);
    const double before = at(record, "q", 1, 0.5), end = at(record, "q", 1, 6.0);
    above(before, 1e-3);
    between(end, before, 2.05);
    closer(at(record, "q_dot", 1, 6.0), 0.0, 1e-3);
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_below_the_limit),
        cmocka_unit_test(falls_above_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
