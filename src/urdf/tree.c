/* tree: the coordinates of a robot's joints: their indices in the arm, with a fixed or free base,
 * the gears of joints that mimic others, and the start. */
#include "urdf/urdf_private.h"

#include <drystone/math.h>
#include <math.h>
#include <string.h>

/* Finds the index of the first coordinate of each joint. */
static void count_coordinates(const dry_arm *arm, dry_urdf_joint *joints) {
    int position = 0, speed = 0, scalar = 0;
    for (int i = 0; i < arm->n_links; i++) {
        const dry_joint_kind kind = arm->links[i].kind;
        if (kind == DRY_WELD) continue;
        const int q = dry_joint_positions(kind), v = dry_joint_speeds(kind);
        joints->kind = kind;
        joints->position = position;
        joints->speed = speed;
        joints->scalar = q == v && q < 6 ? scalar : -1;
        if (joints->scalar >= 0) scalar += q;
        position += q;
        speed += v;
        joints++;
    }
}

/* Orders gears such that a driver comes before its followers. */
static int set_gears(const dry_urdf_joint *joints, int n, bool *done, dry_gear *gears) {
    int count = 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            const dry_urdf_joint *j = &joints[i];
            if (j->driver < 0 || done[i]) continue;
            if (joints[j->driver].driver >= 0 && !done[j->driver]) continue;
            gears[count++] = (dry_gear){j->speed, joints[j->driver].speed, j->ratio};
            done[i] = more = true;
        }
    }
    return count;
}

dry_status dry_urdf__lay_out(dry_robot *robot, dry_urdf_joint *joints, dry_arena *arena) {
    const size_t n = (size_t)robot->arm.n_joints + 1, links = (size_t)robot->arm.n_links;
    bool *done = dry_arena_take(arena, n * sizeof *done);
    dry_gear *gears = dry_arena_take(arena, n * sizeof *gears);
    dry_group *groups = dry_arena_take(arena, links * sizeof *groups);
    if (done == NULL || gears == NULL || groups == NULL) return DRY_NO_MEMORY;
    memset(done, 0, n * sizeof *done);
    count_coordinates(&robot->arm, joints);
    robot->joints = joints;
    robot->arm.gears = gears;
    robot->arm.n_gears = set_gears(joints, robot->arm.n_joints, done, gears);
    dry_arm_groups(&robot->arm, groups);
    robot->root_mass = groups[0].mass;
    return DRY_OK;
}

dry_status dry_urdf_free_base(dry_robot *robot, dry_arena *arena) {
    const size_t n = (size_t)robot->arm.n_joints, links = (size_t)robot->arm.n_links;
    dry_urdf_joint *joints = dry_arena_take(arena, (n + 1) * sizeof *joints);
    dry_link *copies = dry_arena_take(arena, links * sizeof *copies);
    if (joints == NULL || copies == NULL) return DRY_NO_MEMORY;
    memcpy(copies, robot->arm.links, links * sizeof *copies);
    copies[0].kind = DRY_FREE;
    copies[0].joint = "base";
    joints[0] = (dry_urdf_joint){.name = "base",
                                 .unit = "",
                                 .lower = (double)NAN,
                                 .upper = (double)NAN,
                                 .driver = -1,
                                 .ratio = 1.0};
    for (size_t i = 0; i < n; i++) {
        joints[i + 1] = robot->joints[i];
        if (joints[i + 1].driver >= 0) joints[i + 1].driver++;
    }
    robot->arm.links = copies;
    robot->arm.n_joints++;
    robot->has_free_base = true;
    return dry_urdf__lay_out(robot, joints, arena);
}

/* ---- the start ------------------------------------------------------------------------- */

static const dry_urdf_joint *joint_of(const dry_robot *robot, int speed) {
    const dry_urdf_joint *j = robot->joints;
    while (j->speed != speed) j++;
    return j;
}

/* Sets the coordinates that mimic others, in the order of the gears. */
static int follow(const dry_robot *robot, int count, double *x) {
    int wrong = -1;
    for (int g = 0; g < robot->arm.n_gears; g++) {
        const dry_urdf_joint *j = joint_of(robot, robot->arm.gears[g].driven);
        const double q = j->ratio * x[robot->joints[j->driver].position] + j->offset;
        const bool given = j->scalar < count;
        if (given && !(fabs(q - x[j->position]) <= 1e-6 * (1.0 + fabs(q))) && wrong < 0)
            wrong = (int)(j - robot->joints);
        x[j->position] = q;
    }
    return wrong;
}

int dry_urdf_start(const dry_robot *robot, const double *scalars, int count, const double at[3],
                   double *x) {
    const int n_q = dry_arm_positions(&robot->arm), n_v = dry_arm_speeds(&robot->arm);
    memset(x, 0, (size_t)(n_q + n_v) * sizeof *x);
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        const int n = dry_joint_positions(j->kind);
        for (int k = 0; j->scalar >= 0 && k < n; k++)
            if (j->scalar + k < count) x[j->position + k] = scalars[j->scalar + k];
        if (j->scalar < 0) x[j->position + n - 4] = 1.0;
    }
    if (robot->has_free_base) memcpy(x, at, 3 * sizeof *x);
    return follow(robot, count, x);
}

int dry_urdf_rest(const dry_robot *robot, double *scalars, double *x) {
    const double at[3] = {0.0};
    int count = 0;
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        const bool limited = j->lower < j->upper;
        for (int k = 0; j->scalar >= 0 && k < dry_joint_positions(j->kind); k++)
            scalars[count++] = limited ? dry_min(dry_max(0.0, j->lower), j->upper) : 0.0;
    }
    dry_urdf_start(robot, scalars, count, at, x);
    for (int i = 0; i < robot->arm.n_joints; i++) { /* those that mimic have followed */
        const dry_urdf_joint *j = &robot->joints[i];
        if (j->driver >= 0) scalars[j->scalar] = x[j->position];
    }
    return count;
}
