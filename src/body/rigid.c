/* rigid: a rigid body in R^13 as an admittance part, its frame at its centre of mass.
 *
 * KY08 (26), with gravity g and omega, m in the axes of the world, R = R(q), J in those of the
 * body:
 *     p_dot = v
 *     v_dot = f/M + g
 *     q_dot = Q(omega, q) = (0, omega) q / 2
 *     omega_dot = R J^-1 (R^T m - omega_b x J omega_b),  omega_b = R^T omega
 * Because omega x omega = 0, the rate of omega is the rotated rate of omega_b. With J = J 1 it is
 * m/J, and no rotation is needed.
 *
 * p: m; v: m/s; q: unit quaternion, body to world; omega: rad/s; M: kg; J: kg m^2; f: N; m: N m.
 *
 * |q| = 1 is an invariant of the equations that the methods keep to their order only. After every
 * accepted step q is divided by its length: a projection on an invariant moves the state by no more
 * than the error of the step, so the order stays (Hairer, Lubich, Wanner, Geometric Numerical
 * Integration, IV.4). The q of a body that does not turn is not changed. Other parts also see
 * a normalised q within a step.
 *
 * In a step that evaluates forces once (dry_env, `once`), the gyroscopic moment omega_b x J omega_b
 * is that of the midpoint, at omega_b + h omega_b_dot/2. With that of the beginning, a freely
 * spinning body of unequal moments would gain energy, a share of about h omega^2 per second; with
 * that of the end it would lose as much. */
#include "rigid.h"
#include <float.h>

enum { MASS, INERTIA };

/* ---- the three forms of the inertia --------------------------------------------- */

/* alpha = J^-1 b, and y = J x, in the axes of the body */
static void divide_diagonal(const double *J, const double b[3], double alpha[3]) {
    for (int i = 0; i < 3; i++) alpha[i] = b[i] / J[i];
}
static void times_diagonal(const double *J, const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) y[i] = J[i] * x[i];
}
/* J: xx yy zz xy xz yz; by cofactors */
static void divide_full(const double *J, const double b[3], double alpha[3]) {
    const double c00 = J[1] * J[2] - J[5] * J[5], c01 = J[4] * J[5] - J[3] * J[2];
    const double c02 = J[3] * J[5] - J[4] * J[1], c11 = J[0] * J[2] - J[4] * J[4];
    const double c12 = J[3] * J[4] - J[0] * J[5], c22 = J[0] * J[1] - J[3] * J[3];
    const double over = 1.0 / (J[0] * c00 + J[3] * c01 + J[4] * c02);
    alpha[0] = over * (c00 * b[0] + c01 * b[1] + c02 * b[2]);
    alpha[1] = over * (c01 * b[0] + c11 * b[1] + c12 * b[2]);
    alpha[2] = over * (c02 * b[0] + c12 * b[1] + c22 * b[2]);
}
static void times_full(const double *J, const double x[3], double y[3]) {
    y[0] = J[0] * x[0] + J[3] * x[1] + J[4] * x[2];
    y[1] = J[3] * x[0] + J[1] * x[1] + J[5] * x[2];
    y[2] = J[4] * x[0] + J[5] * x[1] + J[2] * x[2];
}

typedef void form_fn(const double *J, const double in[3], double out[3]);

/* ---- the functions of the part ---------------------------------------------------- */

DRY_INLINE void move(const dry_part_env *env, const double *in, const double *x, double *x_dot) {
    const double over_M = 1.0 / env->par[MASS];
    for (int i = 0; i < 3; i++) {
        x_dot[i] = x[DRY_BODY__V + i];
        x_dot[DRY_BODY__V + i] = in[i] * over_M + env->gravity[i];
    }
    dry_quat_rate(x + DRY_BODY__Q, x + DRY_BODY__OMEGA, x_dot + DRY_BODY__Q);
}
static void eval_isotropic(const dry_part_env *env, const double *in, const double *x, double *out,
                           double *x_dot) {
    const double over_J = 1.0 / env->par[INERTIA];
    (void)out;
    move(env, in, x, x_dot);
    for (int i = 0; i < 3; i++) x_dot[DRY_BODY__OMEGA + i] = in[3 + i] * over_J;
}
/* alpha = J^-1 (m - omega x J omega), in the axes of the body */
DRY_INLINE void spin(const double *J, const double m[3], const double omega[3], form_fn *times,
                     form_fn *divide, double alpha[3]) {
    double L[3], gyro[3], b[3];
    times(J, omega, L);
    dry_cross3(omega, L, gyro);
    for (int i = 0; i < 3; i++) b[i] = m[i] - gyro[i];
    divide(J, b, alpha);
}
DRY_INLINE void tumble(const dry_part_env *env, const double *in, const double *x, double *x_dot,
                       form_fn *times, form_fn *divide) {
    const double *J = env->par + INERTIA;
    double R[9], omega_b[3], m[3], alpha[3];
    move(env, in, x, x_dot);
    dry_body__matrix(x + DRY_BODY__Q, R);
    dry_body__turn_back(R, x + DRY_BODY__OMEGA, omega_b);
    dry_body__turn_back(R, in + 3, m);
    spin(J, m, omega_b, times, divide, alpha);
    if (env->once) {
        for (int i = 0; i < 3; i++) omega_b[i] += 0.5 * env->tau * alpha[i];
        spin(J, m, omega_b, times, divide, alpha);
    }
    dry_body__turn(R, alpha, x_dot + DRY_BODY__OMEGA);
}
static void eval_diagonal(const dry_part_env *env, const double *in, const double *x, double *out,
                          double *x_dot) {
    (void)out;
    tumble(env, in, x, x_dot, times_diagonal, divide_diagonal);
}
static void eval_full(const dry_part_env *env, const double *in, const double *x, double *out,
                      double *x_dot) {
    (void)out;
    tumble(env, in, x, x_dot, times_full, divide_full);
}

static double kinetic_isotropic(const dry_part_env *env, const double *in, const double *x) {
    const double *v = x + DRY_BODY__V, *omega = x + DRY_BODY__OMEGA;
    (void)in;
    return 0.5 * (env->par[MASS] * dry_dot3(v, v) + env->par[INERTIA] * dry_dot3(omega, omega));
}
DRY_INLINE double kinetic(const dry_part_env *env, const double *x, form_fn *times) {
    const double *v = x + DRY_BODY__V;
    double R[9], omega_b[3], L[3];
    dry_body__matrix(x + DRY_BODY__Q, R);
    dry_body__turn_back(R, x + DRY_BODY__OMEGA, omega_b);
    times(env->par + INERTIA, omega_b, L);
    return 0.5 * (env->par[MASS] * dry_dot3(v, v) + dry_dot3(omega_b, L));
}
static double kinetic_diagonal(const dry_part_env *env, const double *in, const double *x) {
    (void)in;
    return kinetic(env, x, times_diagonal);
}
static double kinetic_full(const dry_part_env *env, const double *in, const double *x) {
    (void)in;
    return kinetic(env, x, times_full);
}
static double potential(const dry_part_env *env, const double *x) {
    return -env->par[MASS] * dry_dot3(env->gravity, x);
}

static void start(const dry_part_env *env, const double *in, double *x) {
    (void)in;
    memcpy(x, env->data, DRY_BODY__FRAME * sizeof *x);
}

/* Normalises q if its length is wrong by more than rounding; returns true if it changed q. */
DRY_INLINE bool make_unit(double q[4]) {
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const bool off = square > 1.0 + 8.0 * DBL_EPSILON || square < 1.0 - 8.0 * DBL_EPSILON;
    if (!off || !(square > 0.0) || isinf(square)) return false;
    const double scale = 1.0 / sqrt(square);
    for (int i = 0; i < 4; i++) q[i] *= scale;
    return true;
}
static void motion(const dry_part_env *env, const double *x, double *out) {
    (void)env;
    memcpy(out, x, DRY_BODY__FRAME * sizeof *out);
    make_unit(out + DRY_BODY__Q);
}
static bool latch(const dry_part_env *env, const double *in, double *x) {
    (void)env, (void)in;
    return make_unit(x + DRY_BODY__Q);
}

/* ---- the part ------------------------------------------------------------------------ */

static const dry_quantity states[DRY_BODY__FRAME] = {
    {"p[1]", "m"},         {"p[2]", "m"},   {"p[3]", "m"},         {"v[1]", "m/s"},
    {"v[2]", "m/s"},       {"v[3]", "m/s"}, {"q[1]", ""},          {"q[2]", ""},
    {"q[3]", ""},          {"q[4]", ""},    {"omega[1]", "rad/s"}, {"omega[2]", "rad/s"},
    {"omega[3]", "rad/s"},
};
static const bool positions[DRY_BODY__FRAME] = {true, true, true, false, false, false, true,
                                                true, true, true, false, false, false};
static const dry_quantity one[] = {{"mass", "kg"}, {"inertia", "kg m^2"}};
static const dry_quantity six[] = {{"mass", "kg"},           {"inertia[1]", "kg m^2"},
                                   {"inertia[2]", "kg m^2"}, {"inertia[3]", "kg m^2"},
                                   {"inertia[4]", "kg m^2"}, {"inertia[5]", "kg m^2"},
                                   {"inertia[6]", "kg m^2"}};

/* The forms of the inertia, by its number of values. */
static const struct form {
    int numbers;
    const dry_quantity *params;
    void (*eval)(const dry_part_env *, const double *, const double *, double *, double *);
    double (*energy)(const dry_part_env *, const double *, const double *);
} forms[] = {{1, one, eval_isotropic, kinetic_isotropic},
             {3, six, eval_diagonal, kinetic_diagonal},
             {6, six, eval_full, kinetic_full}};

const dry_part *dry_body__rigid(const char *kind, dry_arena *arena, const dry_body__solid *solid,
                                dry_error *error) {
    struct made {
        dry_part part;
        dry_port port;
        dry_shape shape;
        double start[DRY_BODY__FRAME], par[1 + 6];
    } *made = dry_arena_take(arena, sizeof *made);
    const struct form *form = forms;
    if (made == NULL) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for a %s", kind);
        return NULL;
    }
    while (form->numbers != solid->n_inertia) form++;
    made->par[MASS] = solid->mass;
    memcpy(made->par + INERTIA, solid->inertia, (size_t)form->numbers * sizeof *made->par);
    memcpy(made->start, solid->start, sizeof made->start);
    made->shape = solid->shape;
    made->port = (dry_port){.name = "", .unit = "", .kind = DRY_FRAME};
    if (solid->has_shape) made->port.shapes = &made->shape, made->port.n_shapes = 1;
    made->part = (dry_part){.kind = kind,
                            .side = DRY_ADMITTANCE,
                            .n_ports = 1,
                            .n_states = DRY_BODY__FRAME,
                            .n_par = 1 + form->numbers,
                            .ports = &made->port,
                            .states = states,
                            .positions = positions,
                            .params = form->params,
                            .par = made->par,
                            .data = made->start,
                            .motion = motion,
                            .eval = form->eval,
                            .start = start,
                            .energy = form->energy,
                            .potential = potential,
                            .latch = latch};
    return &made->part;
}
