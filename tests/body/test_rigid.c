/* Rigid bodies: Newton and Euler, closed forms, what is conserved, the order with a kept norm. */
#include "unit.h"

#include "math/random.h"
#include <drystone/body.h>
#include <drystone/ode.h>
#include <float.h>
#include <stdlib.h>

enum { P = 0, V = 3, Q = 6, OMEGA = 10, N = 13 };

static const double gravity[3] = {0.5, -2.0, -9.8};

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

static const dry_part *made(dry_arena *arena, const char *kind, const dry_value *values,
                            int count) {
    const dry_kind *row = dry_kind_find(kind);
    dry_error error = {0};
    assert_non_null(row);
    const dry_part *part = row->make(row, arena, values, count, &error);
    if (part == NULL) fail_msg("%s", error.text);
    return part;
}
static dry_part_env env_of(const dry_part *part) {
    return (dry_part_env){.data = part->data, .par = part->par, .gravity = gravity};
}

/* ---- a body alone as a system -------------------------------------------------------- */

static const double no_force[6] = {0.0};

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const dry_part *part = env->model;
    dry_part_env own = env_of(part);
    (void)t;
    own.tau = tau;
    own.once = env->once;
    part->eval(&own, no_force, x, NULL, x_dot);
}
static bool latch(const dry_env *env, double t, double *x) {
    const dry_part *part = env->model;
    const dry_part_env own = env_of(part);
    (void)t;
    return part->latch(&own, NULL, x);
}
static void start(const dry_env *env, double t, double *x) {
    const dry_part *part = env->model;
    const dry_part_env own = env_of(part);
    (void)t;
    part->start(&own, NULL, x);
}
static dry_system system_of(const dry_part *part) {
    return (dry_system){.name = "body",
                        .n_states = N,
                        .states = part->states,
                        .model = part,
                        .start = start,
                        .rate = rate,
                        .latch = latch,
                        .positions = part->positions};
}
/* The state at t_end; returns the steps taken. */
static long go(const dry_part *part, const char *method, dry_ode_options options, double t_end,
               double x[N]) {
    const dry_system system = system_of(part);
    const dry_method *row = dry_method_find(method);
    double *work = calloc(dry_ode_size(&system, row), sizeof *work);
    dry_ode ode;
    assert_int_equal(dry_ode_init(&ode, &system, row, &options, NULL, 0.0, NULL, NULL, work),
                     DRY_OK);
    assert_int_equal(dry_ode_advance(&ode, t_end), DRY_OK);
    memcpy(x, ode.x, N * sizeof *x);
    free(work);
    return ode.counts.steps;
}
static double distance(const double *x, const double *y) {
    double difference[N];
    for (int i = 0; i < N; i++) difference[i] = x[i] - y[i];
    return dry_norm(N, difference);
}
/* In the axes of the world; J diagonal. */
static void angular_momentum(const double J[3], const double x[N], double L[3]) {
    const double back[4] = {x[Q], -x[Q + 1], -x[Q + 2], -x[Q + 3]};
    double w[3];
    dry_quat_rotate(back, x + OMEGA, w);
    for (int i = 0; i < 3; i++) w[i] *= J[i];
    dry_quat_rotate(x + Q, w, L);
}

/* ---- the equations ---------------------------------------------------------------------- */

/* M (v_dot - g) = f and d/dt (R J R^T omega) = m, the latter by central differences. */
static void test_newton_and_euler(void **state) {
    random_source source = {3};
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("mass", 1.7),
                                DRY_NUMBERS("inertia", 0.5, 0.7, 0.9, 0.1, -0.2, 0.15)};
    (void)state;
    const dry_part *part = made(arena, "rigid_body", values, COUNT(values));
    const dry_part_env env = env_of(part);
    for (int round = 0; round < 20; round++) {
        double x[N], x_dot[N], in[6], L[2][3];
        const double h = 1e-5;
        for (int i = 0; i < N; i++) x[i] = random_between(&source, -1.0, 1.0);
        for (int i = 0; i < 6; i++) in[i] = random_between(&source, -2.0, 2.0);
        dry_quat_normalise(x + Q);
        part->eval(&env, in, x, NULL, x_dot);
        for (int side = 0; side < 2; side++) {
            double y[N], back[4], w[3], Jw[3];
            for (int i = 0; i < N; i++) y[i] = x[i] + (side ? h : -h) * x_dot[i];
            dry_quat_normalise(y + Q);
            for (int i = 0; i < 4; i++) back[i] = i ? -y[Q + i] : y[Q];
            dry_quat_rotate(back, y + OMEGA, w);
            Jw[0] = 0.5 * w[0] + 0.1 * w[1] - 0.2 * w[2];
            Jw[1] = 0.1 * w[0] + 0.7 * w[1] + 0.15 * w[2];
            Jw[2] = -0.2 * w[0] + 0.15 * w[1] + 0.9 * w[2];
            dry_quat_rotate(y + Q, Jw, L[side]);
        }
        for (int i = 0; i < 3; i++) {
            equal(x_dot[P + i], x[V + i]);
            closer(1.7 * (x_dot[V + i] - gravity[i]), in[i], 1e-14);
            closer((L[1][i] - L[0][i]) / (2.0 * h), in[3 + i], 1e-8);
        }
    }
    dry_arena_free(arena);
}

/* One, three and six numbers of the same inertia give the same motion. */
static void test_three_forms(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value ball[] = {DRY_NUMBERS("radius", 0.5), DRY_NUMBERS("mass", 2.0)};
    const dry_value three[] = {DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("inertia", 0.2, 0.2, 0.2)};
    const dry_value six[] = {DRY_NUMBERS("mass", 2.0),
                             DRY_NUMBERS("inertia", 0.2, 0.2, 0.2, 0.0, 0.0, 0.0)};
    const dry_part *parts[] = {made(arena, "sphere", ball, 2), made(arena, "rigid_body", three, 2),
                               made(arena, "rigid_body", six, 2)};
    double x[N] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.1, 0.7, -0.3, 0.4, 3.0, -2.0, 5.0};
    const double in[6] = {1.0, -2.0, 3.0, 0.4, 0.5, -0.6};
    (void)state;
    dry_quat_normalise(x + Q);
    for (int k = 1; k < 3; k++) {
        const dry_part_env a = env_of(parts[0]), b = env_of(parts[k]);
        double one[N], other[N];
        parts[0]->eval(&a, in, x, NULL, one);
        parts[k]->eval(&b, in, x, NULL, other);
        below(distance(one, other), 1e-13);
        closer(parts[0]->energy(&a, NULL, x), parts[k]->energy(&b, NULL, x), 1e-13);
        equal(parts[0]->potential(&a, x), parts[k]->potential(&b, x));
    }
    dry_arena_free(arena);
}

/* ---- free motion --------------------------------------------------------------------------- */

static const double tumbling[3] = {1.0, 2.0, 3.0};

static const dry_part *tumbler(dry_arena *arena) {
    const dry_value values[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 2.0, 3.0),
                                DRY_NUMBERS("rotation", 0.3, -0.4, 0.5),
                                DRY_NUMBERS("omega", 0.3, 2.0, -0.7),
                                DRY_NUMBERS("v", 1.0, 0.0, 2.0)};
    return made(arena, "rigid_body", values, COUNT(values));
}

/* A symmetric top turns about L at the rate |L|/A and about its own axis at (1 - C/A) omega_3:
 * R(t) = exp(t L/A) R(0) exp(t (1 - C/A) omega_3 z). Landau, Lifshitz, Mechanics, section 33. */
static void test_symmetric_top(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const double J[3] = {2.0, 2.0, 0.7}, t = 5.0;
    const dry_value values[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 2.0, 2.0, 0.7),
                                DRY_NUMBERS("rotation", 0.3, -0.4, 0.5),
                                DRY_NUMBERS("omega", 1.0, 2.0, -0.7)};
    (void)state;
    const dry_part *part = made(arena, "rigid_body", values, COUNT(values));
    const dry_part_env env = env_of(part);
    double x0[N], x[N], L[3], w[3], outer[4], inner[4] = {0.0}, half[4], q[4];
    part->start(&env, NULL, x0);
    angular_momentum(J, x0, L);
    const double back[4] = {x0[Q], -x0[Q + 1], -x0[Q + 2], -x0[Q + 3]};
    dry_quat_rotate(back, x0 + OMEGA, w);
    const double size = dry_norm(3, L), angle = t * size / J[0];
    const double own = t * (1.0 - J[2] / J[0]) * w[2];
    outer[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) outer[1 + i] = sin(0.5 * angle) * L[i] / size;
    inner[0] = cos(0.5 * own), inner[3] = sin(0.5 * own);
    dry_quat_multiply(outer, x0 + Q, half);
    dry_quat_multiply(half, inner, q);
    go(part, "dop853", (dry_ode_options){.rtol = 1e-12, .atol = 1e-12}, t, x);
    all_closer(4, x + Q, q, 1e-9);
    for (int i = 0; i < 3; i++)
        closer(x[P + i], x0[P + i] + t * (x0[V + i] + 0.5 * t * gravity[i]), 1e-9);
    dry_arena_free(arena);
}

static void test_order_of_rk4(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_part *part = tumbler(arena);
    double exact[N], x[N], error[2];
    (void)state;
    go(part, "dop853", (dry_ode_options){.rtol = 1e-13, .atol = 1e-13}, 4.0, exact);
    for (int i = 0; i < 2; i++) {
        go(part, "rk4", (dry_ode_options){.step = i ? 0.005 : 0.01}, 4.0, x);
        error[i] = distance(x, exact);
    }
    above(error[1], 1e-12);
    assert_in_range((int)(10.0 * error[0] / error[1]), 140, 190); /* 16 for order 4 */
    dry_arena_free(arena);
}
static void test_order_of_dopri5(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_part *part = tumbler(arena);
    double exact[N], x[N], error[2];
    long steps[2];
    (void)state;
    go(part, "dop853", (dry_ode_options){.rtol = 1e-13, .atol = 1e-13}, 4.0, exact);
    for (int i = 0; i < 2; i++) {
        const double tolerance = i ? 1e-10 : 1e-6;
        steps[i] =
            go(part, "dopri5", (dry_ode_options){.rtol = tolerance, .atol = tolerance}, 4.0, x);
        error[i] = distance(x, exact);
    }
    const double order = log(error[0] / error[1]) / log((double)steps[1] / (double)steps[0]);
    above(order, 4.5);
    dry_arena_free(arena);
}

/* After 1e5 steps the norm is right to rounding; a norm that is right is not touched. */
static void test_norm_stays(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_part *part = tumbler(arena);
    double x[N], before[N];
    (void)state;
    go(part, "rk4", (dry_ode_options){.step = 0.02}, 2000.0, x);
    closer(dry_norm(4, x + Q), 1.0, 4.0 * DBL_EPSILON);
    go(part, "semi-implicit", (dry_ode_options){.step = 0.001}, 20.0, x);
    closer(dry_norm(4, x + Q), 1.0, 4.0 * DBL_EPSILON);
    const dry_part_env env = env_of(part);
    memcpy(before, x, sizeof x);
    assert_false(part->latch(&env, NULL, x));
    assert_memory_equal(x, before, sizeof x);
    dry_arena_free(arena);
}

/* Dzhanibekov: a spin about the middle axis turns over again and again; energy and angular momentum
 * stay to the order of the method. */
static double drift(const dry_part *part, const char *method, double step, bool *turned_over) {
    const dry_part_env env = env_of(part);
    double x[N], L[3], L0[3], most = 0.0;
    part->start(&env, NULL, x);
    angular_momentum(tumbling, x, L0);
    x[V] = x[V + 1] = x[V + 2] = 0.0;
    const double T0 = part->energy(&env, NULL, x);
    for (int k = 1; k <= 20; k++) {
        go(part, method, (dry_ode_options){.step = step}, k, x);
        angular_momentum(tumbling, x, L);
        for (int i = 0; i < 3; i++) most = dry_max(most, fabs(L[i] - L0[i]));
        double w[3];
        const double back[4] = {x[Q], -x[Q + 1], -x[Q + 2], -x[Q + 3]};
        dry_quat_rotate(back, x + OMEGA, w);
        if (w[1] < -1.0) *turned_over = true;
        x[V] = x[V + 1] = x[V + 2] = 0.0;
        most = dry_max(most, fabs(part->energy(&env, NULL, x) - T0));
    }
    return most;
}
static void test_middle_axis(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 2.0, 3.0),
                                DRY_NUMBERS("omega", 0.01, 2.0, 0.0)};
    bool turned_over = false;
    (void)state;
    const dry_part *part = made(arena, "rigid_body", values, COUNT(values));
    const double coarse = drift(part, "rk4", 0.02, &turned_over);
    const double fine = drift(part, "rk4", 0.01, &turned_over);
    assert_true(turned_over);
    below(fine, 1e-6);
    above(coarse / fine, 13.0);
    dry_arena_free(arena);
}

/* A method that asks for forces once a step: the energy stays to the second order, since the
 * gyroscopic moment is that of the middle of the step. */
static double gain(const dry_part *part, double step) {
    const dry_part_env env = env_of(part);
    double x[N];
    part->start(&env, NULL, x);
    const double T0 = part->energy(&env, NULL, x);
    go(part, "semi-implicit", (dry_ode_options){.step = step}, 20.0, x);
    x[V] = x[V + 1] = x[V + 2] = 0.0;
    return part->energy(&env, NULL, x) / T0 - 1.0;
}
static void test_no_gain(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 2.0, 3.0),
                                DRY_NUMBERS("omega", 0.3, 2.0, -0.7)};
    (void)state;
    const dry_part *part = made(arena, "rigid_body", values, COUNT(values));
    const double coarse = fabs(gain(part, 2e-3)), fine = fabs(gain(part, 1e-3));
    below(fine, 1e-5); /* at the begin of the step: h omega^2 t, some percent */
    above(coarse, 3.0 * fine);
    dry_arena_free(arena);
}

/* ---- solids ---------------------------------------------------------------------------------- */

/* Mass and inertia of a solid of revolution about z, r(z) its profile, by the midpoint rule. */
static void by_slices(double (*profile)(double), double h, double density, double out[3]) {
    const int slices = 200000;
    const double dz = 2.0 * h / slices, pi = acos(-1.0);
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < slices; i++) {
        const double z = -h + (i + 0.5) * dz, r = profile(z), m = density * pi * r * r * dz;
        out[0] += m;
        out[1] += m * (0.25 * r * r + z * z);
        out[2] += 0.5 * m * r * r;
    }
}
static double capsule_profile(double z) {
    const double beyond = dry_pos(fabs(z) - 0.3);
    return sqrt(0.2 * 0.2 - beyond * beyond);
}
static double sphere_profile(double z) { return sqrt(0.25 - z * z); }

static void check_solid(const char *kind, const dry_value *values, int count, const double by[3]) {
    dry_arena *arena = dry_arena_new(0);
    const dry_part *part = made(arena, kind, values, count);
    /* the midpoint rule at the end of a round profile: dz^1.5 = 1e-8 */
    closer(part->par[0] / by[0], 1.0, 1e-7);
    closer(part->par[1] / by[1], 1.0, 1e-7);
    if (part->n_par == 4) equal(part->par[2], part->par[1]);
    if (part->n_par == 4) closer(part->par[3] / by[2], 1.0, 1e-7);
    dry_arena_free(arena);
}
static void test_round_solids(void **state) {
    const dry_value capsule[] = {DRY_NUMBERS("radius", 0.2), DRY_NUMBERS("length", 0.6),
                                 DRY_NUMBERS("density", 700.0)};
    const dry_value sphere[] = {DRY_NUMBERS("radius", 0.5), DRY_NUMBERS("density", 700.0)};
    double by[3];
    (void)state;
    by_slices(capsule_profile, 0.5, 700.0, by);
    check_solid("capsule", capsule, 3, by);
    by_slices(sphere_profile, 0.5, 700.0, by);
    check_solid("sphere", sphere, 2, by);
}
static void test_box(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("size", 1.0, 2.0, 3.0), DRY_NUMBERS("density", 2.0)};
    const dry_value cube[] = {DRY_NUMBERS("size", 2.0), DRY_NUMBERS("mass", 3.0)};
    (void)state;
    const dry_part *part = made(arena, "box", values, 2);
    equal(part->par[0], 12.0);
    closer(part->par[1], 13.0, 1e-14);
    closer(part->par[2], 10.0, 1e-14);
    closer(part->par[3], 5.0, 1e-14);
    assert_int_equal(part->ports[0].n_shapes, 1);
    equal(part->ports[0].shapes[0].size[2], 1.5);
    part = made(arena, "box", cube, 2);
    assert_int_equal(part->n_par, 2); /* turns as a ball does */
    closer(part->par[1], 2.0, 1e-15);
    dry_arena_free(arena);
}
/* Thin walls: 5/18 m w^2 of a cube, 2/3 m r^2 of a ball; of another box each axis its own. */
static void test_given_inertia(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value cube[] = {DRY_NUMBERS("size", 3.0), DRY_NUMBERS("mass", 2.0),
                              DRY_NUMBERS("inertia", 5.0)};
    const dry_value ball[] = {DRY_NUMBERS("radius", 1.5), DRY_NUMBERS("density", 2.0),
                              DRY_NUMBERS("inertia", 1.0, 1.0, 1.5)};
    const dry_value rod[] = {DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 2.0),
                             DRY_NUMBERS("mass", 3.0),
                             DRY_NUMBERS("inertia", 2.0, 2.0, 1.0, 0.1, 0.2, 0.3)};
    (void)state;
    const dry_part *part = made(arena, "box", cube, 3);
    equal(part->par[0], 2.0);
    equal(part->par[1], 5.0);
    assert_int_equal(part->n_par, 2);
    equal(part->ports[0].shapes[0].size[0], 1.5); /* the shape stays */
    part = made(arena, "sphere", ball, 3);
    closer(part->par[0], 9.0 * acos(-1.0), 1e-12);
    equal(part->par[1], 1.0);
    equal(part->par[3], 1.5);
    assert_int_equal(made(arena, "capsule", rod, 4)->n_par, 7);
    equal(made(arena, "cylinder", rod, 4)->par[5], 0.2);
    dry_arena_free(arena);
}
static void test_cloud(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("points", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
                                DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 2.0)};
    (void)state;
    const dry_shape *shape = made(arena, "cloud", values, 3)->ports[0].shapes;
    assert_int_equal(shape->kind, DRY_CLOUD);
    assert_int_equal(shape->n_points, 2);
    equal(shape->points[4], 5.0);
    assert_int_equal(made(arena, "rigid_body", values + 1, 2)->ports[0].n_shapes, 0);
    dry_arena_free(arena);
}
static void test_plane(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("p", 1.0, 2.0, 3.0),
                                DRY_NUMBERS("rotation", 0.0, 0.4, 0.0),
                                DRY_NUMBERS("v", 0.5 * cos(0.4), 0.0, -0.5 * sin(0.4))};
    double motion[N];
    const double up[3] = {0.0, 0.0, 1.0};
    double normal[3];
    (void)state;
    const dry_part *part = made(arena, "plane", values, 3);
    const dry_part_env env = env_of(part);
    assert_int_equal(part->n_states, 0);
    assert_int_equal(part->promise, DRY_FEEDS);
    assert_int_equal(made(arena, "plane", values, 2)->promise, DRY_PROMISES_NOTHING);
    part->motion(&env, NULL, motion);
    dry_quat_rotate(motion + Q, up, normal);
    closer(normal[0], sin(0.4), 1e-15);
    closer(normal[2], cos(0.4), 1e-15);
    equal(motion[1], 2.0);
    closer(motion[V], 0.5 * cos(0.4), 1e-15);
    closer(dry_dot3(motion + V, normal), 0.0, 1e-16);
    dry_arena_free(arena);
}

/* ---- mistakes
 * ------------------------------------------------------------------------------------ */

static void refused(const char *kind, const dry_value *values, int count, const char *word) {
    dry_arena *arena = dry_arena_new(0);
    const dry_kind *row = dry_kind_find(kind);
    dry_error error = {0};
    assert_null(row->make(row, arena, values, count, &error));
    assert_int_equal(error.status, DRY_BAD_MODEL);
    if (strstr(error.text, word) == NULL) fail_msg("'%s' is not in '%s'", word, error.text);
    dry_arena_free(arena);
}
static void test_refused(void **state) {
    const dry_value both[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                              DRY_NUMBERS("density", 1.0)};
    const dry_value twice[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0),
                               DRY_NUMBERS("q", 1.0, 0.0, 0.0, 0.0),
                               DRY_NUMBERS("rotation", 0.0, 0.0, 1.0)};
    const dry_value two[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 2.0)};
    const dry_value zero[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 0.0, 1.0)};
    const dry_value saddle[] = {DRY_NUMBERS("mass", 1.0),
                                DRY_NUMBERS("inertia", 1.0, 1.0, 1.0, 2.0, 0.0, 0.0)};
    const dry_value points[] = {DRY_NUMBERS("points", 1.0, 2.0, 3.0, 4.0), DRY_NUMBERS("mass", 1.0),
                                DRY_NUMBERS("inertia", 1.0)};
    const dry_value slab[] = {DRY_NUMBERS("size", 1.0, 2.0), DRY_NUMBERS("mass", 1.0)};
    const dry_value hollow[] = {DRY_NUMBERS("size", 1.0), DRY_NUMBERS("mass", 1.0),
                                DRY_NUMBERS("inertia", 1.0, 1.0, 2.1)};
    const dry_value pair[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                              DRY_NUMBERS("inertia", 1.0, 2.0)};
    const dry_value dust[] = {DRY_NUMBERS("radius", 1e-200), DRY_NUMBERS("density", 1.0)};
    const dry_value flat[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0, 1.0, 2.1)};
    const dry_value skew[] = {DRY_NUMBERS("mass", 1.0), /* principal values 0.5, 3.5, 1 */
                              DRY_NUMBERS("inertia", 2.0, 2.0, 1.0, 1.5, 0.0, 0.0)};
    const dry_value turn[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                              DRY_NUMBERS("q", 1.0, 1.0, 0.0, 0.0)};
    const dry_value zeros[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                               DRY_NUMBERS("q", 0.0, 0.0, 0.0, 0.0)};
    const dry_value press[] = {DRY_NUMBERS("v", 1.0, 0.0, 0.01)};
    (void)state;
    refused("box", slab, 2, "size has 2 numbers");
    refused("sphere", dust, 2, "a mass of 0 kg");
    refused("box", hollow, 3, "no body has this inertia");
    refused("sphere", pair, 3, "inertia has 2 numbers");
    refused("rigid_body", flat, 2, "no body has this inertia");
    refused("rigid_body", skew, 2, "no body has this inertia");
    refused("sphere", turn, 3, "the length 1.41421");
    refused("sphere", zeros, 3, "the length 0,");
    refused("plane", press, 1, "along the normal [0, 0, 1]");
    refused("sphere", both, 3, "mass or density");
    refused("sphere", both, 1, "mass or density");
    refused("rigid_body", twice, 4, "give one");
    refused("rigid_body", two, 2, "2 numbers");
    refused("rigid_body", zero, 2, "positive definite");
    refused("rigid_body", saddle, 2, "positive definite");
    refused("cloud", points, 3, "x, y, z");
}

static void test_table(void **state) {
    (void)state;
    assert_null(dry_body_kind_at(-1));
    assert_null(dry_body_kind_at(dry_body_kind_count()));
    assert_null(dry_kind_find("sphericity"));
    for (int i = 0; i < dry_body_kind_count(); i++)
        assert_ptr_equal(dry_kind_find(dry_body_kind_at(i)->name), dry_body_kind_at(i));
    for (int i = 0; i < dry_net_kind_count(); i++)
        assert_ptr_equal(dry_kind_find(dry_net_kind_at(i)->name), dry_net_kind_at(i));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_and_euler),
        cmocka_unit_test(test_three_forms),
        cmocka_unit_test(test_symmetric_top),
        cmocka_unit_test(test_order_of_rk4),
        cmocka_unit_test(test_order_of_dopri5),
        cmocka_unit_test(test_norm_stays),
        cmocka_unit_test(test_middle_axis),
        cmocka_unit_test(test_no_gain),
        cmocka_unit_test(test_round_solids),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_given_inertia),
        cmocka_unit_test(test_cloud),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
