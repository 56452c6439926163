/* arm_part: an arm as an admittance part, KY08 (8): the joints take torques, the links wrenches.
 *
 * States q[k] (rad, m) and q_dot[k]; ports: first the joints in their order, then the links.
 *
 * Where a step asks for forces once (dry_env, `once`), the terms with products of q_dot are those
 * of its middle, at q_dot + h q_ddot/2: with those of its begin a free arm would gain energy in
 * every step. */
#include "arm.h"

typedef struct made {
    dry_part part;
    dry_arm arm;
    dry_quantity *states;
    dry_port *ports;
    double *start; /* q, q_dot */
} made;

/* ---- the functions of the part ------------------------------------------------------- */

static void motion(const dry_part_env *env, const double *x, double *out) {
    const dry_arm *arm = &((const made *)env->data)->arm;
    const int n = arm->n_joints;
    for (int k = 0; k < n; k++) out[2 * k] = x[k], out[2 * k + 1] = x[n + k];
    dry_arm_frames(arm, x, x + n, out + 2 * n);
}
static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const dry_arm *arm = &((const made *)env->data)->arm;
    const int n = arm->n_joints;
    double *q_dot = x_dot, *q_ddot = x_dot + n;
    (void)out;
    dry_arm_forward(arm, env->gravity, x, x + n, in, in + n, q_ddot, env->work);
    if (env->once) {
        for (int k = 0; k < n; k++) q_dot[k] = x[n + k] + 0.5 * env->tau * q_ddot[k];
        dry_arm_forward(arm, env->gravity, x, q_dot, in, in + n, q_ddot, env->work);
    }
    memcpy(q_dot, x + n, (size_t)n * sizeof *x_dot);
}
static void start(const dry_part_env *env, const double *in, double *x) {
    const made *data = env->data;
    (void)in;
    memcpy(x, data->start, 2 * (size_t)data->arm.n_joints * sizeof *x);
}
static double energy(const dry_part_env *env, const double *in, const double *x) {
    const dry_arm *arm = &((const made *)env->data)->arm;
    (void)in;
    return dry_arm_kinetic(arm, x, x + arm->n_joints, env->work);
}
static double potential(const dry_part_env *env, const double *x) {
    return dry_arm_potential(&((const made *)env->data)->arm, env->gravity, x, env->work);
}

/* ---- what can be wrong ------------------------------------------------------------------ */

static bool unit_length(int n, const double *x) { return fabs(dry_norm(n, x) - 1.0) < 1e-9; }
static bool absent(const char *text) { return text == NULL || text[0] == '\0'; }

/* What is wrong with one link; NULL: nothing. */
static const char *fault_of(const dry_arm *arm, int index) {
    const dry_link *link = &arm->links[index];
    const bool moves = link->kind != DRY_WELD;
    const double *turn = link->turn;
    const bool turned = turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0;
    if (absent(link->name) || (moves && absent(link->joint))) return "it or its joint has no name";
    if (link->parent < -1 || link->parent >= index) return "its parent does not stand before it";
    if (moves && !unit_length(3, link->axis)) return "the axis of its joint is not of length 1";
    if (turned && !unit_length(4, turn)) return "the quaternion `turn` is not of length 1";
    if (!(link->mass >= 0.0) || !isfinite(link->mass)) return "its mass is negative or not finite";
    if (!dry_inertia_is_positive(link->inertia, -1e-12)) return "no body has its inertia";
    return NULL;
}

static dry_status refuse(const dry_arm *arm, int index, const char *fault, dry_error *error) {
    const char *name = arm->links[index].name;
    return dry_error_set(error, DRY_BAD_MODEL, "link %d (%s): %s", index + 1, name ? name : "",
                         fault);
}

static dry_status check(const dry_arm *arm, dry_error *error) {
    int joints = 0;
    if (arm->n_links < 1) return dry_error_set(error, DRY_BAD_MODEL, "the arm has no links");
    for (int i = 0; i < arm->n_links; i++) {
        const char *fault = fault_of(arm, i);
        if (fault != NULL) return refuse(arm, i, fault, error);
        joints += arm->links[i].kind != DRY_WELD;
    }
    if (joints == arm->n_joints) return DRY_OK;
    return dry_error_set(error, DRY_BAD_MODEL, "n_joints is %d, and %d links are not welded",
                         arm->n_joints, joints);
}

/* A joint that moves nothing has no acceleration. */
static dry_status check_mass(const dry_arm *arm, const double *x, double *zeros,
                             dry_body__link_work *work, dry_error *error) {
    static const double no_gravity[3] = {0.0};
    dry_arm_forward(arm, no_gravity, x, x + arm->n_joints, zeros, NULL, zeros + arm->n_joints,
                    (double *)work);
    for (int i = arm->n_links - 1; i >= 0; i--)
        if (arm->links[i].kind != DRY_WELD && !(work[i].d > 0.0))
            return refuse(arm, i,
                          "its joint moves no inertia: give mass and inertia to it or to what it "
                          "carries",
                          error);
    return DRY_OK;
}

/* ---- the part ----------------------------------------------------------------------------- */

static const char *indexed(dry_arena *arena, const char *name, int index) {
    char text[32];
    const int length = snprintf(text, sizeof text, "%s[%d]", name, index);
    return dry_arena_text(arena, text, (size_t)length);
}

/* Units of joint k: of q and of q_dot. */
static const char *const units[][2] = {
    [DRY_REVOLUTE] = {"rad", "rad/s"}, [DRY_PRISMATIC] = {"m", "m/s"}};

/* Memory for what has one row per link or joint; NULL without it. */
static made *take(const dry_arm *arm, dry_arena *arena) {
    const size_t n = (size_t)arm->n_joints, links = (size_t)arm->n_links;
    made *new = dry_arena_take(arena, sizeof *new);
    dry_quantity *states = dry_arena_take(arena, 2 * n * sizeof *states);
    dry_port *ports = dry_arena_take(arena, (n + links) * sizeof *ports);
    bool *positions = dry_arena_take(arena, 2 * n * sizeof *positions);
    double *begin = dry_arena_take(arena, 4 * n * sizeof *begin);
    dry_link *copies = dry_arena_take(arena, links * sizeof *copies);
    if (!new || !states || !ports || !positions || !begin || !copies) return NULL;
    for (size_t k = 0; k < n; k++) positions[k] = true;
    memcpy(copies, arm->links, links * sizeof *copies);
    new->arm = *arm;
    new->arm.links = copies;
    new->start = begin;
    new->part.states = new->states = states;
    new->part.ports = new->ports = ports;
    new->part.positions = positions;
    return new;
}

static bool describe(const dry_arm *arm, dry_arena *arena, dry_quantity *states, dry_port *ports) {
    const int n = arm->n_joints;
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        ports[n + i] = (dry_port){.name = link->name,
                                  .unit = "",
                                  .kind = DRY_FRAME,
                                  .shapes = link->shapes,
                                  .n_shapes = link->n_shapes};
        if (link->kind == DRY_WELD) continue;
        const char *const *unit = units[link->kind];
        ports[k] = (dry_port){.name = link->joint, .unit = unit[0], .dim = 1};
        states[k] = (dry_quantity){indexed(arena, "q", k + 1), unit[0]};
        states[n + k] = (dry_quantity){indexed(arena, "q_dot", k + 1), unit[1]};
        if (!states[k].name || !states[n + k].name) return false;
        k++;
    }
    return true;
}

const dry_part *dry_body__arm_part(const char *kind, const dry_arm *arm, const double *begin,
                                   dry_arena *arena, dry_error *error) {
    if (check(arm, error) != DRY_OK) return NULL;
    const size_t n = (size_t)arm->n_joints, size = dry_arm_size(arm) * sizeof(double);
    made *new = take(arm, arena);
    dry_body__link_work *work = dry_arena_take(arena, size);
    if (new == NULL || work == NULL || !describe(arm, arena, new->states, new->ports)) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for an arm of %d links", arm->n_links);
        return NULL;
    }
    if (begin != NULL) memcpy(new->start, begin, 2 * n * sizeof *begin);
    if (check_mass(&new->arm, new->start, new->start + 2 * n, work, error) != DRY_OK) return NULL;
    new->part.kind = kind;
    new->part.side = DRY_ADMITTANCE;
    new->part.n_ports = arm->n_joints + arm->n_links;
    new->part.n_states = 2 * arm->n_joints;
    new->part.data = new;
    new->part.work_size = size;
    new->part.motion = motion;
    new->part.eval = eval;
    new->part.start = start;
    new->part.energy = energy;
    new->part.potential = potential;
    return &new->part;
}

const dry_part *dry_arm_part(const dry_arm *arm, dry_arena *arena, dry_error *error) {
    return dry_body__arm_part("arm", arm, NULL, arena, error);
}
