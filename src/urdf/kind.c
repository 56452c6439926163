/* kind: the kind `urdf`: adds the robot of a file as an arm and the part of its joints, and
 * connects them. */
#include "urdf/urdf_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const dry_kind_param params[] = {
    {"file", NULL, 1, 1, true, DRY_ANY, 0.0, "the URDF file, beside this one"},
    {"base", NULL, 1, 1, false, DRY_ANY, 0.0,
     "fixed: the root stands in the world; free: it moves, with the states base_p, base_turn, "
     "base_v, base_omega; fixed unless all links are one body"},
    {"step", "s", 1, 1, false, DRY_POSITIVE, 1e-3,
     "the step T that K and beta of the joint friction are made for, and the limits"},
    {"limit_restitution", "", 1, 1, false, DRY_NONNEGATIVE, DRY_PLAIN_RESTITUTION,
     "speed with which a joint leaves its limit by that before it, up to 1"},
    {"q", "?", 1, 1000, false, DRY_ANY, 0.0, "joint positions at the start, rad or m"},
    {"at", "m", 3, 3, false, DRY_ANY, 0.0, "where the root stands in the world, or starts"},
    {"drive", NULL, 1, 1, false, DRY_ANY, 0.0,
     "any: equations push joints as they like; file: with at most the file's effort, which is gone "
     "at its velocity; any unless it is given"},
    {"hold", "", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "brakes the joints: this share of the file's effort is added to their friction"},
};

/* Connects the joints' part to the arm, joint by joint; both by their index. */
static void wire(dry_net *net, int arm, int joints, const dry_part *part) {
    for (int i = 0; i < part->n_ports; i++) {
        const dry_member end = {arm, part->ports[i].name};
        dry_net_connect_member(net, (dry_member){joints, end.name}, (dry_end){.member = &end},
                               (dry_end){0});
    }
}

static void add_remarks(dry_net *net, const char *path, const dry_robot *robot) {
    for (int i = 0; i < robot->n_remarks; i++)
        dry_net_remark(net, "%s:%d: %s", path, robot->remarks[i].line, robot->remarks[i].text);
}

static void mistake(dry_net *net, const char *name, const char *path, const dry_error *error) {
    const dry_mistake about_file = {.name = name, .key = "file", .in_file = true};
    if (error->status == DRY_NO_MEMORY) dry_arena_fail(dry_net_arena(net));
    if (error->line > 0)
        dry_net_mistaken(net, about_file, "%s:%d: %s", path, error->line, error->text);
    else
        dry_net_mistaken(net, about_file, "%s: %s", path, error->text);
}

/* ---- the start ------------------------------------------------------------------------ */

enum { MOST_NAMES = 6 };

/* Appends a text to another, in the arena. */
static const char *added(dry_arena *arena, const char *text, const char *more) {
    return dry_urdf__join(arena, text, "", more);
}

static double inside(const dry_urdf_joint *j, double q) {
    if (isnan(j->lower) || !dry_urdf__is_outside(q, j->lower, j->upper)) return q;
    return q < j->lower ? j->lower : j->upper;
}

/* x with each joint that is outside its limits moved to the nearer one; those that mimic follow. */
static void move_inside(const dry_robot *robot, const double *x, double *scalars, double *better) {
    int count = 0;
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        for (int k = 0; j->scalar >= 0 && k < dry_joint_positions(j->kind); k++)
            scalars[count++] = inside(j, x[j->position + k]);
    }
    dry_urdf_start(robot, scalars, count, x, better);
}

/* A start inside the limits: "[0, 0.8, -1.5]". */
static const char *better_start(const dry_robot *robot, dry_arena *arena, const double *x) {
    const size_t n = (size_t)(dry_arm_positions(&robot->arm) + dry_arm_speeds(&robot->arm));
    double *better = dry_arena_take(arena, 2 * n * sizeof *better);
    const char *text = "[";
    if (better == NULL) return "";
    move_inside(robot, x, better + n, better);
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        for (int k = 0; j->scalar >= 0 && k < dry_joint_positions(j->kind); k++) {
            char number[DRY_NUMBER_SIZE];
            dry_number_text(better[j->position + k], number);
            text = added(arena, added(arena, text, text[1] == '\0' ? "" : ", "), number);
        }
    }
    return added(arena, text, "]");
}

/* Remarks on a joint that starts outside its limits, because the limit throws it back with energy
 * from nowhere. The first `given` coordinates are intended, because `q` gives them. */
static void remark_start(dry_net *net, const char *name, const char *path, const dry_urdf_joint *j,
                         double q) {
    dry_net_remark(net,
                   "%s: %s:%d: joint '%s' starts at q[%d] = %g %s, outside its limits %g .. %g: "
                   "they will throw it back",
                   name, path, j->line, j->name, j->scalar + 1, q, j->unit, j->lower, j->upper);
}

static void check_start(dry_net *net, const char *name, const char *path, const dry_robot *robot,
                        const double *x, int given) {
    dry_arena *arena = dry_net_arena(net);
    const dry_urdf_joint *first = NULL;
    const char *names = "";
    int count = 0;
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        const double q = x[j->position];
        char text[160];
        if (!dry_urdf__is_outside(q, j->lower, j->upper)) continue;
        if (j->scalar < given) {
            remark_start(net, name, path, j, q);
            continue;
        }
        snprintf(text, sizeof text, "%s'%.60s' (q[%d] = %g %s, limits %g .. %g)",
                 count > 0 ? ", " : "", j->name, j->scalar + 1, q, j->unit, j->lower, j->upper);
        if (first == NULL) first = j;
        if (count++ < MOST_NAMES) names = added(arena, names, text);
    }
    if (count == 0) return;
    char more[40] = "";
    if (count > MOST_NAMES) snprintf(more, sizeof more, " and %d more", count - MOST_NAMES);
    dry_net_mistaken(
        net,
        (dry_mistake){.name = name,
                      .key = "file",
                      .in_file = true,
                      .way_out = dry_net_text(net,
                                              "start the part with the key `q = %s` (not with "
                                              "`init`: the joints are designed for this pose)",
                                              better_start(robot, arena, x))},
        "%s:%d: joint%s %s%s start%s outside the limits", path, first->line, count > 1 ? "s" : "",
        names, more, count > 1 ? "" : "s");
}

/* A group number for the shapes of each robot (FNV-1a of its name), because links that meet at a
 * joint overlap and must not touch. */
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

/* ---- the base ------------------------------------------------------------------------- */

/* Frees the base if `base` demands it or all links are one body; returns false after a mistake. */
static bool set_base(dry_net *net, const char *name, const char *path, const char *word,
                     dry_robot *robot) {
    const bool lone = robot->is_lone && robot->root_mass > 0.0;
    if (word != NULL && strcmp(word, "free") != 0 && strcmp(word, "fixed") != 0) {
        dry_net_mistaken(net,
                         (dry_mistake){.name = name,
                                       .key = "base",
                                       .way_out = "use base = free or base = fixed"},
                         "base is '%s'", word);
        return false;
    }
    if (word == NULL && !lone && robot->root_mass > 0.0)
        dry_net_remark(
            net,
            "%s: %s: the root '%s' has a mass, %.4g kg with the links fixed to it, but is fixed in "
            "the world: let it move with base = free, or confirm with base = fixed",
            name, path, robot->arm.links[0].name, robot->root_mass);
    const bool is_free = word != NULL ? strcmp(word, "free") == 0 : lone;
    if (is_free && dry_urdf_free_base(robot, dry_net_arena(net)) != DRY_OK) {
        dry_net_mistaken(net, (dry_mistake){.name = name}, "out of memory for the robot");
        return false;
    }
    return true;
}

/* ---- the drives ------------------------------------------------------------------------ */

/* Links of a robot whose joints have effort and velocity of the file; NULL without memory. */
static const dry_link *with_drives(const dry_robot *robot, dry_arena *arena) {
    const size_t n = (size_t)robot->arm.n_links;
    dry_link *links = dry_arena_take(arena, n * sizeof *links);
    const dry_urdf_joint *joint = robot->joints;
    for (size_t i = 0; links != NULL && i < n; i++) {
        links[i] = robot->arm.links[i];
        if (links[i].kind == DRY_WELD) continue;
        links[i].effort = joint->effort;
        links[i].fastest = joint->velocity;
        joint++;
    }
    return links;
}

/* Decides whether effort and velocity of the file bound the forces of equations; returns false
 * after a mistake. */
static bool set_drive(dry_net *net, const char *name, const char *path, const char *word,
                      dry_robot *robot) {
    const dry_urdf_joint *first = NULL;
    int count = 0;
    if (word != NULL && strcmp(word, "any") != 0 && strcmp(word, "file") != 0) {
        dry_net_mistaken(net,
                         (dry_mistake){.name = name,
                                       .key = "drive",
                                       .way_out = "use drive = any or drive = file"},
                         "drive is '%s'", word);
        return false;
    }
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        if (!(j->effort > 0.0) && !(j->velocity > 0.0)) continue;
        if (count++ == 0) first = j;
    }
    if (word == NULL && count > 0)
        dry_net_remark(net,
                       "%s: %s: effort and velocity of '%s'%s are not used: drive = file limits "
                       "the equations to them, drive = any ignores them",
                       name, path, first->name, count > 1 ? " and other joints" : "");
    if (word == NULL || strcmp(word, "file") != 0) return true;
    robot->arm.links = with_drives(robot, dry_net_arena(net));
    if (robot->arm.links == NULL)
        dry_net_mistaken(net, (dry_mistake){.name = name}, "out of memory for the robot");
    return robot->arm.links != NULL;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* The values of the other keys. */
typedef struct wish {
    double step, restitution, hold, at[3];
    const double *q;
    int n_q;
} wish;

static const dry_value *find_value(const dry_value *values, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(values[i].key, key) == 0) return &values[i];
    return NULL;
}

static bool read_wish(const dry_kind *self, dry_net *net, const char *name, const dry_value *values,
                      int count, wish *w) {
    const dry_value *q = find_value(values, count, "q");
    *w = (wish){.step = dry_value_number(self, values, count, "step"),
                .restitution = dry_value_number(self, values, count, "limit_restitution"),
                .hold = dry_value_number(self, values, count, "hold"),
                .q = q != NULL ? q->numbers : NULL,
                .n_q = q != NULL ? q->count : 0};
    dry_value_numbers(self, values, count, "at", 3, w->at);
    if (w->restitution > 1.0)
        dry_net_mistaken(net, (dry_mistake){.name = name, .key = "limit_restitution"},
                         "limit_restitution must be at most 1, because a limit cannot add energy");
    return w->restitution <= 1.0;
}

static int scalar_count(const dry_robot *robot) {
    int count = 0;
    for (int i = 0; i < robot->arm.n_joints; i++)
        if (robot->joints[i].scalar >= 0) count += dry_joint_positions(robot->joints[i].kind);
    return count;
}

/* q and q_dot at the start; NULL after a mistake. */
static double *find_start(dry_net *net, const char *name, const char *path, const dry_robot *robot,
                          const wish *w) {
    const int n = scalar_count(robot);
    const size_t size = (size_t)(dry_arm_positions(&robot->arm) + dry_arm_speeds(&robot->arm)) + 1;
    double *x = dry_arena_take(dry_net_arena(net), size * sizeof *x);
    if (x == NULL) {
        dry_net_mistaken(net, (dry_mistake){.name = name}, "out of memory for the robot");
        return NULL;
    }
    if (w->n_q > n) {
        dry_net_mistaken(net, (dry_mistake){.name = name, .key = "q"},
                         "q has %d numbers, but the robot of %s has %d joints", w->n_q, path, n);
        return NULL;
    }
    const int wrong = dry_urdf_start(robot, w->q, w->n_q, w->at, x);
    if (wrong >= 0) {
        const dry_urdf_joint *j = &robot->joints[wrong];
        dry_net_mistaken(net,
                         (dry_mistake){.name = name,
                                       .key = "q",
                                       .way_out = dry_net_text(net, "give it q[%d] = %.10g",
                                                               j->scalar + 1, x[j->position])},
                         "q[%d] of joint '%s' does not fit '%s', which it mimics", j->scalar + 1,
                         j->name, robot->joints[j->driver].name);
        return NULL;
    }
    return x;
}

/* Brakes the joints with a share of the effort of their drives. */
static bool set_hold(dry_net *net, const char *name, const char *path, double share,
                     dry_robot *robot) {
    const size_t n = (size_t)robot->arm.n_joints;
    dry_urdf_joint *joints = dry_arena_take(dry_net_arena(net), (n + 1) * sizeof *joints);
    int slack = 0;
    if (joints == NULL || !(share > 0.0)) return joints != NULL;
    for (size_t i = 0; i < n; i++) {
        joints[i] = robot->joints[i];
        joints[i].friction += share * joints[i].effort;
        slack += joints[i].scalar >= 0 && !(joints[i].effort > 0.0);
    }
    robot->joints = joints;
    if (slack > 0)
        dry_net_remark(net,
                       "%s: %s: %d of its joints have no effort in the file: `hold` does not "
                       "brake them",
                       name, path, slack);
    return true;
}

static void build(const dry_kind *self, dry_net *net, const char *name, const dry_value *values,
                  int count) {
    dry_arena *arena = dry_net_arena(net);
    const char *path = dry_value_word(values, count, "file", "");
    dry_robot robot;
    dry_error error = {0};
    wish w;
    const dry_part *arm, *joints = NULL;
    if (dry_urdf_read(path, arena, &robot, &error) != DRY_OK) {
        mistake(net, name, path, &error);
        return;
    }
    add_remarks(net, path, &robot);
    if (!read_wish(self, net, name, values, count, &w)) return;
    if (!set_base(net, name, path, dry_value_word(values, count, "base", NULL), &robot)) return;
    if (!set_drive(net, name, path, dry_value_word(values, count, "drive", NULL), &robot)) return;
    if (!group_shapes(&robot, arena, group_of(name)) ||
        !set_hold(net, name, path, w.hold, &robot)) {
        dry_net_mistaken(net, (dry_mistake){.name = name}, "out of memory for the robot");
        return;
    }
    const double *x = find_start(net, name, path, &robot, &w);
    if (x == NULL) return;
    if (!robot.has_free_base) memcpy(robot.arm.at, w.at, sizeof robot.arm.at);
    arm = dry_arm_part_from(&robot.arm, x, arena, &error);
    if (arm == NULL ||
        dry_urdf_joints(&robot, x, w.step, w.restitution, arena, &joints, &error) != DRY_OK) {
        mistake(net, name, path, &error);
        return;
    }
    check_start(net, name, path, &robot, x, w.n_q);
    const int first = dry_net_add(net, name, arm);
    if (joints == NULL) return;
    const char *other = dry_urdf__join(arena, name, "_", "joints");
    wire(net, first, dry_net_add(net, other, joints), joints);
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
