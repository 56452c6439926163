/* joints: friction that sticks, damping, and limits that only push, at the joints of a robot.
 *
 *   torque = -f - D q_dot + N_lower - N_upper
 *   f in F sgn(q_dot)               state a, K, beta                             X13 (18)
 *   N_lower in dio(q - lower), N_upper in dio(upper - q)   states e, limit_K, ...  X13 (24)
 *   F  friction, N m (N)    D  damping, N m s/rad (N s/m)    K  stiffness, N m/rad (N/m)
 *
 * The choice of K for a step T with all joints stuck: beta = T, K_i = 2 m_i/(T^2 rho), where 1/m_i
 * is the acceleration of joint i by a unit torque and rho the largest eigenvalue of the matrix of
 * accelerations H^-1 times diag(m_i) (1 if the joints do not affect each other).
 *
 * The mass m_i alone hits a limit. It leaves after the time D = 12 T, so that the steps resolve the
 * impact, with `restitution` times its speed: limit_K, limit_alpha and limit_beta by
 * dry_contact_from_duration (law.h). */
#include "urdf/urdf_private.h"

#include <drystone/law.h>
#include <drystone/math.h>
#include <math.h>
#include <string.h>

enum { FRICTION, DAMPING, STIFFNESS, BETA, LOWER, UPPER, LIMIT_K, LIMIT_ALPHA, LIMIT_BETA, N_KEYS };

/* Parameters of joint i: par[N_KEYS i ..]. */
static const struct {
    const char *name, *unit[2];
    dry_param_range range;
} keys[N_KEYS] = {
    [FRICTION] = {"friction", {"N m", "N"}, DRY_NONNEGATIVE},
    [DAMPING] = {"damping", {"N m s/rad", "N s/m"}, DRY_NONNEGATIVE},
    [STIFFNESS] = {"K", {"N m/rad", "N/m"}, DRY_POSITIVE},
    [BETA] = {"beta", {"s", "s"}, DRY_POSITIVE},
    [LOWER] = {"lower", {"rad", "m"}, DRY_ANY},
    [UPPER] = {"upper", {"rad", "m"}, DRY_ANY},
    [LIMIT_K] = {"limit_K", {"N m/rad", "N/m"}, DRY_POSITIVE},
    [LIMIT_ALPHA] = {"limit_alpha", {"s", "s"}, DRY_POSITIVE},
    [LIMIT_BETA] = {"limit_beta", {"s", "s"}, DRY_POSITIVE},
};

enum { A, E_LOWER, E_UPPER, N_STATES };

static bool has_limits(const double *par) { return par[LOWER] < par[UPPER]; }

static double limit(const double *par, double tau, double psi, double e, double *e_dot) {
    return dry_contact(par[LIMIT_K], par[LIMIT_ALPHA], par[LIMIT_BETA], tau, psi, e, e_dot);
}

static double friction(dry_branch branch, const double *par, double tau, const double *v,
                       const double *a, double *a_dot) {
    double f;
    if (branch == DRY_AS_IS || !dry_branch_is_loose(branch, DRY_FRICTION)) {
        dry_friction(1, par[STIFFNESS], par[BETA], tau, par[FRICTION], v, a, &f, a_dot);
        return f;
    }
    const double packed[] = {par[FRICTION], par[STIFFNESS], par[BETA]};
    dry_law_find("coulomb")->loose(packed, 1, tau, v, a, &f, a_dot);
    return f;
}

/* The torque on one joint and the rates of its three states. Limits ignore the branch. */
static double hold(dry_branch branch, const double *par, double tau, const double motion[2],
                   const double *x, double *x_dot) {
    const double f = friction(branch, par, tau, &motion[1], &x[A], &x_dot[A]);
    double torque = -f - par[DAMPING] * motion[1];
    x_dot[E_LOWER] = x_dot[E_UPPER] = 0.0;
    if (has_limits(par)) {
        torque += limit(par, tau, motion[0] - par[LOWER], x[E_LOWER], &x_dot[E_LOWER]);
        torque -= limit(par, tau, par[UPPER] - motion[0], x[E_UPPER], &x_dot[E_UPPER]);
    }
    return torque;
}

typedef struct joints_data {
    int count; /* of the joints that are held */
} joints_data;

static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const joints_data *data = env->data;
    for (int i = 0; i < data->count; i++)
        out[i] = hold(env->branch, env->par + N_KEYS * i, env->tau, in + 2 * i, x + N_STATES * i,
                      x_dot + N_STATES * i);
}

static double limit_energy(const double *par, double tau, double psi, double e) {
    const double u[2] = {psi, 0.0};
    return dry_law_find("contact")->energy(par + LIMIT_K, 0, tau, u, &e);
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    const joints_data *data = env->data;
    double sum = 0.0;
    for (int i = 0; i < data->count; i++) {
        const double *par = env->par + N_KEYS * i, *s = x + N_STATES * i;
        sum += 0.5 * par[STIFFNESS] * s[A] * s[A];
        if (!has_limits(par)) continue;
        sum += limit_energy(par, env->tau, in[2 * i] - par[LOWER], s[E_LOWER]);
        sum += limit_energy(par, env->tau, par[UPPER] - in[2 * i], s[E_UPPER]);
    }
    return sum;
}

/* Slip begins and ends; each limit is met and left, and pushes or not. */
enum { N_KINKS = 3 };

static void kinks(const dry_part_env *env, const double *in, const double *x, double *g) {
    const joints_data *data = env->data;
    for (int i = 0; i < data->count; i++) {
        const double *par = env->par + N_KEYS * i, *s = x + N_STATES * i;
        const double b = par[LIMIT_BETA] + env->tau, a = par[LIMIT_ALPHA] + env->tau;
        const double trial = par[STIFFNESS] * (s[A] + (par[BETA] + env->tau) * in[2 * i + 1]);
        const double low = in[2 * i] - par[LOWER], high = par[UPPER] - in[2 * i];
        g[N_KINKS * i] = fabs(trial) - par[FRICTION];
        const bool limited = has_limits(par);
        g[N_KINKS * i + 1] = limited ? (low + s[E_LOWER]) * b - s[E_LOWER] * a : 1.0;
        g[N_KINKS * i + 2] = limited ? (high + s[E_UPPER]) * b - s[E_UPPER] * a : 1.0;
    }
}

/* ---- the choice of K ------------------------------------------------------------ */

/* accelerations[i + n j]: of joint i by a unit torque on joint j, at rest, without gravity: H^-1.
 */
static dry_status unit_accelerations(const dry_arm *arm, const double *q, dry_arena *arena,
                                     double *accelerations) {
    const int n = dry_arm_speeds(arm);
    const double none[3] = {0.0, 0.0, 0.0};
    double *torque = dry_arena_take(arena, sizeof(double) * 2 * (size_t)n);
    double *work = dry_arena_take(arena, sizeof(double) * dry_arm_size(arm));
    if (torque == NULL || work == NULL) return DRY_NO_MEMORY;
    double *rest = torque + n; /* zero velocities */
    for (int j = 0; j < n; j++) {
        torque[j] = 1.0;
        dry_arm_forward(arm, none, q, rest, torque, NULL, accelerations + (size_t)n * (size_t)j,
                        work);
        torque[j] = 0.0;
    }
    return DRY_OK;
}

/* The symmetric form of H^-1 diag(m). */
static void scale(size_t n, const double *m, double *accelerations) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) accelerations[i + n * j] *= sqrt(m[i]) * sqrt(m[j]);
}

/* y = scaled z */
static void multiply(size_t n, const double *scaled, const double *z, double *y) {
    memset(y, 0, n * sizeof *y);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) y[i] += scaled[i + n * j] * z[j];
}

/* The largest eigenvalue by power iteration. It starts from pseudo-random numbers, because equal
 * ones would miss two links that swing against each other. */
static double coupling(int n, const double *scaled, double *z, double *y) {
    double rho = 0.0, before = -1.0;
    for (int i = 0; i < n; i++) z[i] = fmod(0.6180339887 * (i + 1), 1.0) - 0.4;
    for (int round = 0; round < 400 && !(round > 40 && rho - before < 1e-4 * rho); round++) {
        const double length = dry_norm(n, z);
        if (!(length > 0.0)) return 1.0;
        for (int i = 0; i < n; i++) z[i] /= length;
        multiply((size_t)n, scaled, z, y);
        before = rho;
        rho = dry_norm(n, y);
        memcpy(z, y, (size_t)n * sizeof *z);
    }
    return 1.05 * rho; /* the iteration comes from below */
}

/* The joint that owns velocity k. */
static const char *name_of(const dry_robot *robot, int k) {
    int i = 0;
    while (i + 1 < robot->arm.n_joints && robot->joints[i + 1].speed <= k) i++;
    return robot->joints[i].name;
}

/* Zeroes the rows and columns of velocities without a joint of this part: a free base is not
 * stuck. */
static void leave_out(const dry_robot *robot, size_t n, double *accelerations) {
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        for (int k = j->speed; j->unit[0] == '\0' && k < j->speed + dry_joint_speeds(j->kind); k++)
            for (size_t l = 0; l < n; l++)
                accelerations[(size_t)k + n * l] = accelerations[l + n * (size_t)k] = 0.0;
    }
}

/* K and m of all velocities. */
static dry_status choose(const dry_robot *robot, const double *q, double step, dry_arena *arena,
                         double *K, double *m, dry_error *error) {
    const int n = dry_arm_speeds(&robot->arm);
    double *accelerations = dry_arena_take(arena, sizeof(double) * (size_t)n * (size_t)n);
    double *room = dry_arena_take(arena, sizeof(double) * 2 * (size_t)n);
    if (accelerations == NULL || room == NULL ||
        unit_accelerations(&robot->arm, q, arena, accelerations) != DRY_OK)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the joints");
    for (int i = 0; i < n; i++) {
        m[i] = 1.0 / accelerations[(size_t)i * ((size_t)n + 1)];
        if (!(m[i] > 0.0) || !isfinite(m[i]))
            return dry_error_set(error, DRY_BAD_MODEL,
                                 "joint '%s' moves no mass: give the links after it a mass and an "
                                 "inertia",
                                 name_of(robot, i));
    }
    leave_out(robot, (size_t)n, accelerations);
    scale((size_t)n, m, accelerations);
    const double rho = coupling(n, accelerations, room, room + n);
    for (int i = 0; i < n; i++) K[i] = 2.0 * m[i] / (step * step * rho);
    return DRY_OK;
}

/* ---- the part --------------------------------------------------------------------- */

static bool is_held(const dry_urdf_joint *j) {
    return j->unit[0] != '\0' && (j->damping > 0.0 || j->friction > 0.0 || !isnan(j->lower));
}

typedef struct draft {
    dry_part *part;
    dry_port *ports;
    dry_quantity *states, *params;
    double *par;
    joints_data *data;
} draft;

static bool take(dry_arena *arena, int count, draft *d) {
    const size_t n = (size_t)count;
    d->part = dry_arena_take(arena, sizeof *d->part);
    d->ports = dry_arena_take(arena, n * sizeof *d->ports);
    d->states = dry_arena_take(arena, n * N_STATES * sizeof *d->states);
    d->params = dry_arena_take(arena, n * N_KEYS * sizeof *d->params);
    d->par = dry_arena_take(arena, n * N_KEYS * sizeof *d->par);
    d->data = dry_arena_take(arena, sizeof *d->data);
    return d->part && d->ports && d->states && d->params && d->par && d->data;
}

/* The step that the joints are made for, s, and a limit that is met by a mass of 1. */
typedef struct limit_pace {
    double step;
    dry_contact_choice limit;
} limit_pace;

const char *dry_urdf__join(dry_arena *arena, const char *a, const char *between, const char *b) {
    const size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char *text = dry_arena_take(arena, size);
    if (text == NULL) return "";
    snprintf(text, size, "%s%s%s", a, between, b);
    return text;
}

static void fill_joint(dry_arena *arena, const draft *d, int i, const dry_urdf_joint *joint,
                       double K, double m, const limit_pace *pace) {
    const int linear = strcmp(joint->unit, "m") == 0;
    static const char *const names[N_STATES] = {"a", "e_lower", "e_upper"};
    double *par = d->par + N_KEYS * i;
    d->ports[i] = (dry_port){.name = joint->name, .unit = joint->unit, .dim = 1};
    for (int k = 0; k < N_STATES; k++)
        d->states[N_STATES * i + k] =
            (dry_quantity){dry_urdf__join(arena, joint->name, ".", names[k]), joint->unit};
    for (int k = 0; k < N_KEYS; k++)
        d->params[N_KEYS * i + k] = (dry_quantity){
            dry_urdf__join(arena, joint->name, ".", keys[k].name), keys[k].unit[linear]};
    par[FRICTION] = joint->friction;
    par[DAMPING] = joint->damping;
    par[STIFFNESS] = K;
    par[BETA] = pace->step;
    par[LOWER] = isnan(joint->lower) ? 0.0 : joint->lower;
    par[UPPER] = isnan(joint->upper) ? 0.0 : joint->upper;
    par[LIMIT_K] = m * pace->limit.K;
    par[LIMIT_ALPHA] = pace->limit.alpha;
    par[LIMIT_BETA] = pace->limit.beta;
}

static bool forgets(const dry_part *self, int par) {
    (void)self;
    return par % N_KEYS == BETA;
}

static const dry_part_design design = {.forgets = forgets};

dry_status dry_urdf_joints(const dry_robot *robot, const double *q, double step, double restitution,
                           dry_arena *arena, const dry_part **part, dry_error *error) {
    const int n = robot->arm.n_joints;
    int count = 0;
    draft d;
    limit_pace pace = {.step = step};
    *part = NULL;
    for (int i = 0; i < n; i++) count += is_held(&robot->joints[i]);
    if (count == 0) return DRY_OK;
    const int n_v = dry_arm_speeds(&robot->arm);
    double *K = dry_arena_take(arena, sizeof(double) * 2 * (size_t)n_v);
    if (K == NULL || !take(arena, count, &d))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the joints");
    double *m = K + n_v;
    const dry_status status = choose(robot, q, step, arena, K, m, error);
    if (status != DRY_OK) return status;
    if (dry_contact_from_duration(dry_tangent_nearest(restitution), 1.0, DRY_IMPACT_STEPS * step,
                                  &pace.limit) != DRY_OK)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "step must be above 0 and finite");
    count = 0;
    for (int i = 0; i < n; i++) {
        if (!is_held(&robot->joints[i])) continue;
        const int k = robot->joints[i].speed;
        fill_joint(arena, &d, count++, &robot->joints[i], K[k], m[k], &pace);
    }
    *d.data = (joints_data){count};
    *d.part = (dry_part){.kind = "urdf joints",
                         .side = DRY_IMPEDANCE,
                         .n_ports = count,
                         .n_states = N_STATES * count,
                         .n_par = N_KEYS * count,
                         .ports = d.ports,
                         .states = d.states,
                         .params = d.params,
                         .par = d.par,
                         .data = d.data,
                         .eval = eval,
                         .ends = DRY_SLIPS,
                         .energy = energy,
                         .design = &design,
                         .n_kinks = N_KINKS * count,
                         .kinks = kinks};
    *part = d.part;
    return DRY_OK;
}

/* ---- a start of it ------------------------------------------------------------------ */

bool dry_urdf_is_joints(const dry_part *part) { return part->eval == eval; }

/* The range of a key that the number violates; NULL: it is in range. own: the values of the
 * file. */
static const char *range_of(const double *own, const double *par, int key) {
    const bool free = !has_limits(own) && par[LOWER] == 0.0 && par[UPPER] == 0.0;
    if (key == UPPER && !free && !has_limits(par)) return "above lower";
    if (keys[key].range == DRY_NONNEGATIVE && !(par[key] >= 0.0)) return "at least 0";
    return keys[key].range == DRY_POSITIVE && !(par[key] > 0.0) ? "above 0" : NULL;
}

int dry_urdf_misset(const dry_part *joints, const double *par, const char **range) {
    for (int i = 0; i < joints->n_par; i++) {
        const int first = i / N_KEYS * N_KEYS;
        *range = range_of(joints->par + first, par + first, i - first);
        if (*range) return i;
    }
    return -1;
}

bool dry_urdf__is_outside(double q, double lower, double upper) {
    const double slack = 1e-9 * (upper - lower); /* rounding; NaN without limits */
    return lower < upper && (q < lower - slack || q > upper + slack);
}

bool dry_urdf_limit(const double *par, int joint, dry_firmness *firmness) {
    par += N_KEYS * joint;
    *firmness = (dry_firmness){
        .C = par[DAMPING], .Kc = par[LIMIT_K], .alpha = par[LIMIT_ALPHA], .beta = par[LIMIT_BETA]};
    return has_limits(par);
}

/* beta is the step. */
double dry_urdf_step(const dry_part *joints, const double *par, int joint) {
    const int count = ((const joints_data *)joints->data)->count;
    const double step = par[N_KEYS * (joint < 0 ? 0 : joint) + BETA];
    for (int i = 0; joint < 0 && i < count; i++)
        if (par[N_KEYS * i + BETA] != step) return (double)NAN;
    return step;
}

int dry_urdf_outside(const dry_part *joints, const double *par, const double *motion, int from,
                     double limits[2]) {
    for (int i = from; i < joints->n_ports; i++) {
        limits[0] = par[N_KEYS * i + LOWER];
        limits[1] = par[N_KEYS * i + UPPER];
        if (dry_urdf__is_outside(motion[2 * i], limits[0], limits[1])) return i;
    }
    return -1;
}
