/* Kind `urdf`: a robot of a file as an arm and what holds its joints, wired together. */
#include "urdf/urdf_private.h"

#include <stdio.h>
#include <string.h>

static const dry_kind_param params[] = {
    {"file", NULL, 1, 1, true, DRY_ANY, 0.0, "the URDF file, beside this one"},
    {"step", "s", 1, 1, false, DRY_POSITIVE, 1e-3,
     "the step T that K and beta of the joint friction are made for, and the limits"},
    {"limit_restitution", "", 1, 1, false, DRY_NONNEGATIVE, DRY_PLAIN_RESTITUTION,
     "speed with which a joint leaves its limit by that before it, up to 1"},
    {"q", "?", 1, 1000, false, DRY_ANY, 0.0, "joint positions at the start, rad or m"},
    {"at", "m", 3, 3, false, DRY_ANY, 0.0, "where the root stands in the world"},
};

const char *dry_urdf__join(dry_arena *arena, const char *a, const char *between, const char *b) {
    const size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = dry_arena_take(arena, size);
    if (text == NULL) return "";
    snprintf(text, size, "%s%s%s", a, between, b);
    return text;
}

static void wire(dry_net *net, const char *name, const char *joints, const dry_part *part) {
    dry_arena *arena = dry_net_arena(net);
    for (int i = 0; i < part->n_ports; i++) {
        const char *joint = part->ports[i].name;
        dry_net_connect(net, dry_urdf__join(arena, joints, ".", joint),
                        (dry_end){.port = dry_urdf__join(arena, name, ".", joint)}, (dry_end){0});
    }
}

static void add_remarks(dry_net *net, const char *path, const dry_robot *robot) {
    for (int i = 0; i < robot->n_remarks; i++)
        dry_net_remark(net, "%s:%d: %s", path, robot->remarks[i].line, robot->remarks[i].text);
}

static void mistake(dry_net *net, const char *name, const char *path, const dry_error *error) {
    if (error->status == DRY_NO_MEMORY) dry_arena_fail(dry_net_arena(net));
    if (error->line > 0)
        dry_net_mistaken(net, "%s: %s:%d: %s", name, path, error->line, error->text);
    else
        dry_net_mistaken(net, "%s: %s: %s", name, path, error->text);
}

/* A joint that starts outside its limits is thrown back, with energy that comes from nowhere. Where
 * `q` says so it is meant: the first `given` joints. */
static void check_start(dry_net *net, const char *name, const char *path, const dry_robot *robot,
                        const double *q, int given) {
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        if (!dry_urdf__is_outside(q[i], j->lower, j->upper)) continue;
        if (i < given)
            dry_net_remark(net,
                           "%s: %s:%d: joint '%s' starts at q[%d] = %g %s, outside its limits %g "
                           ".. %g: they throw it back",
                           name, path, j->line, j->name, i + 1, q[i], j->unit, j->lower, j->upper);
        else
            dry_net_mistaken(
                net,
                "%s: %s:%d: joint '%s' starts at q[%d] = %g %s, outside its limits %g "
                ".. %g: give the part a start inside, number %d of `q = [...]` (not by "
                "`init`: the joints are made for this pose)",
                name, path, j->line, j->name, i + 1, q[i], j->unit, j->lower, j->upper, i + 1);
    }
}

/* A number of its own for the shapes of each robot (FNV-1a of its name): links that meet at a joint
 * overlap, and are not to touch. */
static int group_of(const char *name) {
    unsigned hash = 2166136261u;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (int)(hash >> 1) | 1;
}

static bool group_shapes(dry_robot *robot, dry_arena *arena, int group) {
    const size_t n = (size_t)robot->arm.n_links;
    dry_link *links = dry_arena_take(arena, n * sizeof *links);
    for (size_t i = 0; i < n && links != NULL; i++) {
        links[i] = robot->arm.links[i];
        const size_t count = (size_t)links[i].n_shapes;
        if (count == 0) continue;
        dry_shape *shapes = dry_arena_take(arena, count * sizeof *shapes);
        if (shapes == NULL) return false;
        memcpy(shapes, links[i].shapes, count * sizeof *shapes);
        for (size_t k = 0; k < count; k++) shapes[k].group = group;
        links[i].shapes = shapes;
    }
    robot->arm.links = links;
    return links != NULL;
}

static void build(const dry_kind *self, dry_net *net, const char *name, const dry_value *values,
                  int count) {
    dry_arena *arena = dry_net_arena(net);
    const char *path = dry_value_word(values, count, "file", "");
    dry_robot robot;
    dry_error error = {0};
    const dry_part *arm, *joints = NULL;
    if (dry_urdf_read(path, arena, &robot, &error) != DRY_OK) {
        mistake(net, name, path, &error);
        return;
    }
    add_remarks(net, path, &robot);
    const int n = robot.arm.n_joints;
    double *q = dry_arena_take(arena, sizeof(double) * (size_t)(n + 1));
    if (q == NULL || !group_shapes(&robot, arena, group_of(name))) {
        dry_net_mistaken(net, "%s: out of memory for the robot", name);
        return;
    }
    const int given = dry_value_numbers(self, values, count, "q", n, q);
    if (given > n) {
        dry_net_mistaken(net, "%s: q has %d numbers, the robot of %s has %d joints", name, given,
                         path, n);
        return;
    }
    dry_value_numbers(self, values, count, "at", 3, robot.arm.at);
    const double restitution = dry_value_number(self, values, count, "limit_restitution");
    if (restitution > 1.0) {
        dry_net_mistaken(net, "%s: limit_restitution must be at most 1: a limit gives no energy",
                         name);
        return;
    }
    arm = dry_arm_part(&robot.arm, arena, &error);
    if (arm == NULL || dry_urdf_joints(&robot, q, dry_value_number(self, values, count, "step"),
                                       restitution, arena, &joints, &error) != DRY_OK) {
        mistake(net, name, path, &error);
        return;
    }
    check_start(net, name, path, &robot, q, given);
    dry_net_add(net, name, arm);
    if (n > 0) dry_net_start(net, dry_urdf__join(arena, name, ".", "q[1]"), q, n);
    if (joints == NULL) return;
    const char *other = dry_urdf__join(arena, name, "_", "joints");
    dry_net_add(net, other, joints);
    wire(net, name, other, joints);
}

const dry_kind *dry_urdf_kind(void) {
    static const dry_kind kind = {
        .name = "urdf",
        .title = "robot of a URDF file",
        .meaning = "an arm with a port for each joint and a frame for each link, by their names in "
                   "the file, and a part NAME_joints with friction, damping and limits",
        .params = params,
        .n_params = (int)(sizeof params / sizeof *params),
        .build = build};
    return &kind;
}
