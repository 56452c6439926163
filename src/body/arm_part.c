/* arm_part: an arm as an admittance part, KY08 (8): the joints take torques, the links wrenches.
 *
 * States q (rad, m; quaternions) and q_dot; ports: first the joints in their order, then the links.
 * The port of a ball joint has its rotation vector for a position: the power of a torque on it is
 * that of its omega, and phi.phi_dot = phi.omega.
 *
 * In a step that evaluates forces once (dry_env, `once`), terms with products of q_dot use the
 * midpoint, q_dot + h q_ddot/2. With the values at the beginning, a free arm would gain energy in
 * every step. Quaternions are normalised after every step, as in rigid.c. */
#include "arm.h"
#include <float.h>

typedef struct made {
    dry_part part;
    dry_arm arm;
    int n_q, n_v, n_f; /* lengths of q, of q_dot, of the torques of the ports */
    dry_quantity *states;
    dry_port *ports;
    double *start; /* q, q_dot */
} made;

/* ---- the functions of the part ------------------------------------------------------- */

/* The rotation vector of a unit quaternion, of at most half a turn. */
static void rotation_vector(const double q[4], double phi[3]) {
    const double s = dry_norm(3, q + 1), sign = q[0] < 0.0 ? -1.0 : 1.0;
    const double over = s > 1e-8 ? sign * 2.0 * dry_atan2(s, fabs(q[0])) / s : sign * 2.0;
    for (int i = 0; i < 3; i++) phi[i] = over * q[1 + i];
}

/* Computes the motion of the ports of one joint; returns its length. */
static int joint_motion(const dry_body__joint_row *row, const double *q, const double *q_dot,
                        double *out) {
    double unit[4];
    if (row->dim == 3) {
        dry_body__unit_quat(q + row->quaternion, unit);
        rotation_vector(unit, out);
        memcpy(out + 3, q_dot, 3 * sizeof *out);
    } else {
        for (int k = 0; k < row->ports; k++) out[2 * k] = q[k], out[2 * k + 1] = q_dot[k];
    }
    return 2 * row->ports * row->dim;
}
static void motion(const dry_part_env *env, const double *x, double *out) {
    const made *data = env->data;
    const double *q = x, *q_dot = x + data->n_q;
    for (int i = 0; i < data->arm.n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(data->arm.links[i].kind);
        out += joint_motion(row, q, q_dot, out);
        q += row->positions;
        q_dot += row->speeds;
    }
    dry_arm_frames(&data->arm, x, x + data->n_q, out);
}

/* Torques of the ports as those of q_dot: a free joint has none. */
static const double *torques(const made *data, const double *in, double *room) {
    if (data->n_f == data->n_v) return in;
    for (int i = 0, k = 0; i < data->arm.n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(data->arm.links[i].kind);
        for (int j = 0; j < row->speeds; j++) room[k++] = row->ports > 0 ? *in++ : 0.0;
    }
    return room;
}

/* The rates of q. */
static void set_rates(const made *data, const double *x, double *q_rate) {
    const double *q = x, *q_dot = x + data->n_q;
    if (data->n_q == data->n_v) {
        memcpy(q_rate, q_dot, (size_t)data->n_v * sizeof *q_rate);
        return;
    }
    for (int i = 0; i < data->arm.n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(data->arm.links[i].kind);
        const int plain = row->quaternion < 0 ? row->positions : row->quaternion;
        memcpy(q_rate, q_dot, (size_t)plain * sizeof *q_rate);
        if (row->quaternion >= 0) dry_quat_rate(q + plain, q_dot + plain, q_rate + plain);
        q += row->positions;
        q_rate += row->positions;
        q_dot += row->speeds;
    }
}
static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const made *data = env->data;
    const dry_arm *arm = &data->arm;
    const int n = data->n_q;
    double *room = (double *)env->work + dry_arm_size(arm);
    const double *torque = torques(data, in, room), *wrenches = in + data->n_f;
    double *q_dot = x_dot, *q_ddot = x_dot + n;
    (void)out;
    dry_arm_forward(arm, env->gravity, x, x + n, torque, wrenches, q_ddot, env->work);
    if (env->once) {
        for (int k = 0; k < data->n_v; k++) q_dot[k] = x[n + k] + 0.5 * env->tau * q_ddot[k];
        dry_arm_forward(arm, env->gravity, x, q_dot, torque, wrenches, q_ddot, env->work);
    }
    set_rates(data, x, x_dot);
}
static void start(const dry_part_env *env, const double *in, double *x) {
    const made *data = env->data;
    (void)in;
    memcpy(x, data->start, (size_t)(data->n_q + data->n_v) * sizeof *x);
}
static double energy(const dry_part_env *env, const double *in, const double *x) {
    const made *data = env->data;
    (void)in;
    return dry_arm_kinetic(&data->arm, x, x + data->n_q, env->work);
}
static double potential(const dry_part_env *env, const double *x) {
    return dry_arm_potential(&((const made *)env->data)->arm, env->gravity, x, env->work);
}

/* Normalises all quaternions if the length of one is wrong by more than rounding. */
static bool latch(const dry_part_env *env, const double *in, double *x) {
    const dry_arm *arm = &((const made *)env->data)->arm;
    bool changed = false;
    (void)in;
    for (int i = 0; i < arm->n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(arm->links[i].kind);
        double *q = x + row->quaternion;
        x += row->positions;
        if (row->quaternion < 0) continue;
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (fabs(square - 1.0) <= 4.0 * DBL_EPSILON) continue;
        dry_quat_normalise(q);
        changed = true;
    }
    return changed;
}

void dry_arm_port_states(const dry_part *part, int port, int *q, int *q_dot) {
    const made *data = part->data;
    *q = 0;
    *q_dot = data->n_q;
    for (int i = 0; i < data->arm.n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(data->arm.links[i].kind);
        if (port < row->ports) break;
        port -= row->ports;
        *q += row->positions;
        *q_dot += row->speeds;
    }
    *q += port;
    *q_dot += port;
}

/* ---- what can be wrong ------------------------------------------------------------------ */

static bool unit_length(int n, const double *x) { return fabs(dry_norm(n, x) - 1.0) < 1e-9; }
static bool absent(const char *text) { return text == NULL || text[0] == '\0'; }

/* What is wrong with one link; NULL: nothing. */
static const char *fault_of(const dry_arm *arm, int index) {
    const dry_link *link = &arm->links[index];
    const bool moves = link->kind != DRY_WELD;
    const bool directed = moves && link->kind != DRY_BALL && link->kind != DRY_FREE;
    const double *turn = link->turn;
    const bool turned = turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0;
    if (absent(link->name) || (moves && absent(link->joint))) return "it or its joint has no name";
    if (link->parent < -1 || link->parent >= index) return "its parent does not stand before it";
    if (directed && !unit_length(3, link->axis)) return "the axis of its joint is not of length 1";
    if (turned && !unit_length(4, turn)) return "the quaternion `turn` is not of length 1";
    if (!(link->mass >= 0.0) || !isfinite(link->mass)) return "its mass is negative or not finite";
    for (int i = 0; i < 6; i++)
        if (!isfinite(link->inertia[i])) return "its inertia is not finite";
    if (!(link->rotor >= 0.0) || !isfinite(link->rotor))
        return "the rotor of its joint is negative or not finite";
    return NULL;
}

static dry_status refuse(const dry_arm *arm, int index, const char *fault, dry_error *error) {
    const char *name = arm->links[index].name;
    return dry_error_set(error, DRY_BAD_MODEL, "link %d (%s): %s", index + 1, name ? name : "",
                         fault);
}

/* Each gear must drive a different velocity, and no chain of gears may drive itself. */
static dry_status check_gears(const dry_arm *arm, dry_error *error) {
    const int n = dry_arm_speeds(arm);
    for (int g = 0; g < arm->n_gears; g++) {
        const dry_gear *gear = &arm->gears[g];
        bool fits = gear->driven >= 0 && gear->driven < n && gear->driver >= 0 &&
                    gear->driver < n && gear->driven != gear->driver && isfinite(gear->ratio);
        for (int h = 0; h < g; h++)
            fits = fits && arm->gears[h].driven != gear->driven &&
                   arm->gears[h].driver != gear->driven;
        if (!fits)
            return dry_error_set(error, DRY_BAD_MODEL,
                                 "gear %d: it must drive one velocity by another one, and stand "
                                 "after the gears that drive that",
                                 g + 1);
    }
    return DRY_OK;
}

static dry_status check(const dry_arm *arm, dry_error *error) {
    int joints = 0;
    if (arm->n_links < 1) return dry_error_set(error, DRY_BAD_MODEL, "the arm has no links");
    for (int i = 0; i < arm->n_links; i++) {
        const char *fault = fault_of(arm, i);
        if (fault != NULL) return refuse(arm, i, fault, error);
        joints += arm->links[i].kind != DRY_WELD;
    }
    if (joints == arm->n_joints) return check_gears(arm, error);
    return dry_error_set(error, DRY_BAD_MODEL, "n_joints is %d, and %d links are not welded",
                         arm->n_joints, joints);
}

/* Welded links together must have the inertia of a body; a single link of them need not. */
static dry_status check_inertias(const dry_arm *arm, dry_arena *arena, dry_error *error) {
    dry_group *groups = dry_arena_take(arena, (size_t)arm->n_links * sizeof *groups);
    if (groups == NULL) return dry_error_set(error, DRY_NO_MEMORY, "out of memory for an arm");
    dry_arm_groups(arm, groups);
    const int bad = dry_arm_bad_group(arm, groups, false);
    return bad < 0 ? DRY_OK : refuse(arm, bad, "no body has its inertia", error);
}

/* Rounding error of a vanishing inertia about an axis, as a share of the inertia before the other
 * axes of the joint were eliminated. */
static const double NOTHING = 1e-13;

/* 2 T with velocity k of the arm 1 and all others 0. */
static double inertia_along(const dry_arm *arm, const double *q, int k, double *zeros,
                            double *room) {
    zeros[k] = 1.0;
    const double twice = 2.0 * dry_arm_kinetic(arm, q, zeros, room);
    zeros[k] = 0.0;
    return twice;
}

/* Refuses a joint that moves no mass, because its acceleration is not defined. */
static dry_status check_mass(const made *data, double *zeros, double *room, dry_error *error) {
    static const double no_gravity[3] = {0.0};
    const dry_arm *arm = &data->arm;
    const dry_body__work work = dry_body__arm_work(arm, room);
    dry_arm tree = *arm;
    tree.n_gears = 0; /* the columns are those of the pose */
    dry_arm_forward(&tree, no_gravity, data->start, zeros, zeros, NULL, zeros + data->n_v, room);
    for (int i = arm->n_links - 1, k = data->n_v; i >= 0; i--)
        for (int n = dry_joint_speeds(arm->links[i].kind), j = n; j > 0; j--) {
            const double d = work.columns[--k].d; /* may be rounding error if the joint has several
                                                     axes */
            const double least =
                n > 1 ? NOTHING * inertia_along(arm, data->start, k, zeros, room) : 0.0;
            if (d > least && isfinite(d)) continue;
            return refuse(arm, i,
                          "its joint moves no inertia: give mass and inertia to it or to what it "
                          "carries",
                          error);
        }
    return DRY_OK;
}

/* ---- the part ----------------------------------------------------------------------------- */

static const char *indexed(dry_arena *arena, const char *name, int index) {
    char text[32];
    const int length = snprintf(text, sizeof text, "%s[%d]", name, index);
    return dry_arena_text(arena, text, (size_t)length);
}

/* Names and units of a joint's positions, velocities and ports. */
typedef struct labels {
    const char *q[7], *q_dot[6]; /* units */
    const char *port[3];         /* what follows the name of the joint in that of the port */
} labels;
static const labels label_rows[] = {
    [DRY_REVOLUTE] = {{"rad"}, {"rad/s"}, {""}},
    [DRY_PRISMATIC] = {{"m"}, {"m/s"}, {""}},
    [DRY_WELD] = {{NULL}, {NULL}, {NULL}},
    [DRY_BALL] = {{"", "", "", ""}, {"rad/s", "rad/s", "rad/s"}, {""}},
    [DRY_PLANAR] = {{"m", "m", "rad"}, {"m/s", "m/s", "rad/s"}, {"_x", "_y", "_angle"}},
    [DRY_FREE] = {{"m", "m", "m", "", "", "", ""},
                  {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"},
                  {NULL}},
};

static const char *joined(dry_arena *arena, const char *a, const char *b) {
    const size_t n = strlen(a), size = n + strlen(b) + 1;
    char *text = dry_arena_take(arena, size);
    if (text != NULL) snprintf(text, size, "%s%s", a, b);
    return text;
}

/* Allocates the arrays with one row per link or joint; NULL without memory. */
static made *take(const dry_arm *arm, dry_arena *arena) {
    int n_ports = arm->n_links;
    made *new = dry_arena_take(arena, sizeof *new);
    if (!new) return NULL;
    new->n_q = dry_arm_positions(arm);
    new->n_v = dry_arm_speeds(arm);
    for (int i = 0; i < arm->n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(arm->links[i].kind);
        n_ports += row->ports;
        new->n_f += row->ports * row->dim;
    }
    const size_t n = (size_t)(new->n_q + new->n_v), links = (size_t)arm->n_links;
    const size_t gears = (size_t)arm->n_gears;
    dry_quantity *states = dry_arena_take(arena, n * sizeof *states);
    dry_port *ports = dry_arena_take(arena, (size_t)n_ports * sizeof *ports);
    bool *positions = dry_arena_take(arena, n * sizeof *positions);
    double *begin = dry_arena_take(arena, 2 * n * sizeof *begin); /* and zeros for check_mass */
    dry_link *copies = dry_arena_take(arena, links * sizeof *copies);
    dry_gear *copied = dry_arena_take(arena, (gears + 1) * sizeof *copied);
    if (!states || !ports || !positions || !begin || !copies || !copied) return NULL;
    for (int k = 0; k < new->n_q; k++) positions[k] = true;
    memcpy(copies, arm->links, links * sizeof *copies);
    if (gears > 0) memcpy(copied, arm->gears, gears * sizeof *copied);
    new->arm = *arm;
    new->arm.links = copies;
    new->arm.gears = copied;
    new->start = begin;
    new->part.n_ports = n_ports;
    new->part.states = new->states = states;
    new->part.ports = new->ports = ports;
    new->part.positions = positions;
    return new;
}

/* The states of one joint: number `*scalars` of q[..] on, or by the name of the joint. */
static bool name_states(const dry_link *link, dry_arena *arena, int *scalars, dry_quantity *q,
                        dry_quantity *q_dot) {
    const dry_body__joint_row *row = dry_body__joint(link->kind);
    const labels *l = &label_rows[link->kind];
    const bool scalar = row->quaternion < 0;
    bool whole = true;
    for (int k = 0; k < row->positions; k++) {
        const bool turn = k >= row->quaternion;
        const char *of = scalar ? "q" : joined(arena, link->joint, turn ? "_turn" : "_p");
        const int index = scalar ? *scalars + k : turn ? k - row->quaternion : k;
        q[k] = (dry_quantity){of ? indexed(arena, of, index + 1) : NULL, l->q[k]};
        whole = whole && q[k].name;
    }
    for (int k = 0; k < row->speeds; k++) {
        const bool turn = k >= row->slides;
        const char *of = scalar ? "q_dot" : joined(arena, link->joint, turn ? "_omega" : "_v");
        const int index = scalar ? *scalars + k : turn ? k - row->slides : k;
        q_dot[k] = (dry_quantity){of ? indexed(arena, of, index + 1) : NULL, l->q_dot[k]};
        whole = whole && q_dot[k].name;
    }
    if (scalar) *scalars += row->speeds;
    return whole;
}

static bool describe(const dry_arm *arm, dry_arena *arena, made *new) {
    dry_port *port = new->ports, *frame = new->ports + new->part.n_ports - arm->n_links;
    dry_quantity *q = new->states, *q_dot = new->states + new->n_q;
    int scalars = 0;
    for (int i = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        const dry_body__joint_row *row = dry_body__joint(link->kind);
        *frame++ = (dry_port){.name = link->name,
                              .unit = "",
                              .kind = DRY_FRAME,
                              .shapes = link->shapes,
                              .n_shapes = link->n_shapes};
        for (int k = 0; k < row->ports; k++) {
            const char *more = label_rows[link->kind].port[k];
            const char *name = *more ? joined(arena, link->joint, more) : link->joint;
            const char *unit = row->dim == 3 ? "rad" : label_rows[link->kind].q[k];
            if (name == NULL) return false;
            *port++ = (dry_port){.name = name, .unit = unit, .dim = row->dim};
            if (row->speeds == 1) port[-1].effort = link->effort, port[-1].fastest = link->fastest;
        }
        if (!name_states(link, arena, &scalars, q, q_dot)) return false;
        q += row->positions;
        q_dot += row->speeds;
    }
    return true;
}

/* Sets q and q_dot at the start; by default all are 0 and nothing is turned. */
static bool set_start(made *new, const double *begin) {
    const size_t n = (size_t)(new->n_q + new->n_v);
    double *q = new->start;
    bool turns = false;
    if (begin != NULL) memcpy(new->start, begin, n * sizeof *begin);
    for (int i = 0; i < new->arm.n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(new->arm.links[i].kind);
        double *quat = q + row->quaternion;
        q += row->positions;
        if (row->quaternion < 0) continue;
        turns = true;
        if (begin == NULL) quat[0] = 1.0;
    }
    return turns;
}

const dry_part *dry_body__arm_part(const char *kind, const dry_arm *arm, const double *begin,
                                   dry_arena *arena, dry_error *error) {
    if (check(arm, error) != DRY_OK || check_inertias(arm, arena, error) != DRY_OK) return NULL;
    made *new = take(arm, arena);
    const size_t size = (dry_arm_size(arm) + (size_t)(new != NULL ? new->n_v : 0)) * sizeof(double);
    double *work = dry_arena_take(arena, size);
    if (new == NULL || work == NULL || !describe(arm, arena, new)) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for an arm of %d links", arm->n_links);
        return NULL;
    }
    if (set_start(new, begin)) new->part.latch = latch;
    if (check_mass(new, new->start + new->n_q + new->n_v, work, error) != DRY_OK) return NULL;
    new->part.kind = kind;
    new->part.side = DRY_ADMITTANCE;
    new->part.n_states = new->n_q + new->n_v;
    new->part.data = new;
    new->part.work_size = size;
    new->part.motion = motion;
    new->part.eval = eval;
    new->part.start = start;
    new->part.energy = energy;
    new->part.potential = potential;
    return &new->part;
}

const dry_part *dry_arm_part_from(const dry_arm *arm, const double *begin, dry_arena *arena,
                                  dry_error *error) {
    return dry_body__arm_part("arm", arm, begin, arena, error);
}

const dry_part *dry_arm_part(const dry_arm *arm, dry_arena *arena, dry_error *error) {
    return dry_body__arm_part("arm", arm, NULL, arena, error);
}
