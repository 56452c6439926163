/* Joints of several axes, gears and rotors of arms: closed forms of one rigid body, the mass matrix
 * from kinetic energy, Lagrange's equations with a gear on paper. */
#include "unit.h"

#include "machine.h"
#include "math/random.h"

static const double weightless[3] = {0.0, 0.0, 0.0};

/* An arm as the only part of a net, from `begin` on by steps of a method. */
static machine begin_arm(const dry_arm *arm, const double *begin, const char *method, double step,
                         double g) {
    dry_error error = {0};
    machine m = {.net = dry_net_new()};
    const dry_part *part = dry_arm_part_from(arm, begin, dry_net_arena(m.net), &error);
    if (part == NULL) fail_msg("%s", error.text);
    dry_net_add(m.net, "arm", part);
    dry_net_gravity(m.net, 0.0, 0.0, -g);
    machine_begin(&m, method, (dry_ode_options){.step = step}, NULL);
    return m;
}

static const dry_link brick = {.name = "brick",
                               .joint = "base",
                               .parent = -1,
                               .kind = DRY_FREE,
                               .mass = 2.0,
                               .com = {0.1, -0.2, 0.3},
                               .inertia = {0.03, 0.05, 0.06, 0.004, -0.002, 0.003}};

/* p, R C and the angular momentum about the centre of mass, in the axes of the world, from the
 * frame of the brick. */
static void momentum_of(const double *q, const double *q_dot, double centre[3], double P[3],
                        double L[3]) {
    const double *J = brick.inertia, *omega = q_dot + 3;
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    const double back[4] = {q[3], -q[4], -q[5], -q[6]};
    double C[3], sweep[3], omega_b[3], L_b[3];
    dry_quat_rotate(q + 3, brick.com, C);
    dry_cross3(omega, C, sweep);
    dry_quat_rotate(back, omega, omega_b);
    for (int i = 0; i < 3; i++) {
        centre[i] = q[i] + C[i];
        P[i] = brick.mass * (q_dot[i] + sweep[i]);
        L_b[i] = dry_dot3(full + 3 * i, omega_b);
    }
    dry_quat_rotate(q + 3, L_b, L);
}

/* The centre of mass falls on its parabola, momentum about it stays, energy stays. */
static void test_free_body_falls_and_tumbles(void **state) {
    const double g = 9.81, until = 1.5;
    const double begin[13] = {1.0, 2.0, 3.0, 0.5, 0.5, -0.5, 0.5, 0.4, -0.3, 2.0, 3.0, -2.0, 4.0};
    const dry_arm arm = {.links = &brick, .n_links = 1, .n_joints = 1};
    double centre[2][3], P[2][3], L[2][3], work[400];
    (void)state;
    at_most(dry_arm_size(&arm), 400);
    machine m = begin_arm(&arm, begin, "rk4", 1e-3, g);
    momentum_of(begin, begin + 7, centre[0], P[0], L[0]);
    machine_go(&m, until);
    const double *q = machine_at(&m, "arm.base_p[1]"), *q_dot = machine_at(&m, "arm.base_v[1]");
    momentum_of(q, q_dot, centre[1], P[1], L[1]);
    for (int i = 0; i < 3; i++) {
        const double fall = i == 2 ? -g : 0.0;
        const double there =
            centre[0][i] + P[0][i] / brick.mass * until + 0.5 * fall * until * until;
        closer(centre[1][i], there, 1e-9);
        closer(P[1][i] - P[0][i], brick.mass * fall * until, 1e-9);
        closer(L[1][i], L[0][i], 1e-9);
    }
    const double down[3] = {0.0, 0.0, -g};
    const double before =
        dry_arm_kinetic(&arm, begin, begin + 7, work) + dry_arm_potential(&arm, down, begin, work);
    const double after =
        dry_arm_kinetic(&arm, q, q_dot, work) + dry_arm_potential(&arm, down, q, work);
    near_share(after, before, 1e-9);
    machine_end(&m);
}

/* A symmetric top without torque: omega turns about the axis of the body at (C - A)/A omega_3. */
static void test_torque_free_precession(void **state) {
    const double A = 0.05, C = 0.02, spin = 10.0, across = 3.0, until = 2.0;
    const dry_link top = {.name = "top",
                          .joint = "base",
                          .parent = -1,
                          .kind = DRY_FREE,
                          .mass = 1.0,
                          .inertia = {A, A, C}};
    const dry_arm arm = {.links = &top, .n_links = 1, .n_joints = 1};
    const double begin[13] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, across, 0.0, spin};
    const double angle = (C - A) / A * spin * until;
    double omega_b[3];
    (void)state;
    machine m = begin_arm(&arm, begin, "rk4", 1e-3, 0.0);
    machine_go(&m, until);
    const double *q = machine_at(&m, "arm.base_turn[1]");
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    dry_quat_rotate(back, machine_at(&m, "arm.base_omega[1]"), omega_b);
    closer(omega_b[0], across * cos(angle), 1e-7);
    closer(omega_b[1], across * sin(angle), 1e-7);
    closer(omega_b[2], spin, 1e-9);
    machine_end(&m);
}

/* The semi-implicit step keeps the energy of a free body that tumbles, as that of rigid_body. */
static void test_semi_implicit_tumbling(void **state) {
    const double begin[13] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, -2.0, 4.0};
    const dry_arm arm = {.links = &brick, .n_links = 1, .n_joints = 1};
    double work[400];
    (void)state;
    const double before = dry_arm_kinetic(&arm, begin, begin + 7, work);
    machine m = begin_arm(&arm, begin, "semi-implicit", 1e-3, 0.0);
    machine_go(&m, 5.0);
    near_share(dry_arm_kinetic(&arm, machine_at(&m, "arm.base_p[1]"),
                               machine_at(&m, "arm.base_v[1]"), work),
               before, 5e-3);
    machine_end(&m);
}

/* ---- a ball joint -------------------------------------------------------------------- */

/* A rod on a ball joint that turns as a whole about the vertical: centrifugal moment and weight
 * balance where (A + M l^2 - C) Omega^2 cos(theta) = M g l, theta from the vertical downwards. */
static void test_conical_pendulum(void **state) {
    const double M = 1.5, l = 0.4, A = 0.03, C = 0.01, g = 9.81, theta = 0.6;
    const double Omega = sqrt(M * g * l / ((A + M * l * l - C) * cos(theta)));
    const double until = 2.0 * 3.14159265358979323846 / Omega;
    const dry_link rod = {.name = "rod",
                          .joint = "hook",
                          .parent = -1,
                          .kind = DRY_BALL,
                          .mass = M,
                          .com = {0.0, 0.0, -l},
                          .inertia = {A, A, C}};
    const dry_arm arm = {.links = &rod, .n_links = 1, .n_joints = 1};
    const double begin[7] = {cos(0.5 * theta), 0.0, sin(0.5 * theta), 0.0, 0.0, 0.0, Omega};
    (void)state;
    machine m = begin_arm(&arm, begin, "rk4", 1e-3, g);
    machine_go(&m, until);
    const double *q = machine_at(&m, "arm.hook_turn[1]"),
                 *omega = machine_at(&m, "arm.hook_omega[1]");
    /* once around: the quaternion has the other sign */
    for (int i = 0; i < 4; i++) closer(q[i], -begin[i], 1e-7);
    for (int i = 0; i < 2; i++) closer(omega[i], 0.0, 1e-7);
    closer(omega[2], Omega, 1e-7);
    machine_end(&m);
}

static void damp(const void *user, double t, const double *motion, double *force) {
    (void)user, (void)t;
    for (int i = 0; i < 3; i++) force[i] = -0.6 * motion[3 + i];
}

/* A damper on the port of a ball joint: omega of a ball of inertia J falls as exp(-D t/J).
 */
static void test_port_of_a_ball_joint(void **state) {
    const dry_link ball = {.name = "ball",
                           .joint = "socket",
                           .parent = -1,
                           .kind = DRY_BALL,
                           .mass = 1.0,
                           .inertia = {0.2, 0.2, 0.2}};
    const dry_arm arm = {.links = &ball, .n_links = 1, .n_joints = 1};
    const double begin[7] = {1.0, 0.0, 0.0, 0.0, 1.0, -2.0, 0.5}, fall = exp(-0.6 * 1.0 / 0.2);
    dry_error error = {0};
    machine m = {.net = dry_net_new()};
    (void)state;
    dry_net_add(m.net, "arm", dry_arm_part_from(&arm, begin, dry_net_arena(m.net), &error));
    dry_net_add(m.net, "damper",
                dry_motor_part(dry_net_arena(m.net),
                               (dry_port){.name = "", .unit = "rad", .dim = 3}, damp, NULL));
    dry_net_connect(m.net, "damper", (dry_end){.port = "arm.socket"}, (dry_end){0});
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    machine_go(&m, 1.0);
    const double *omega = machine_at(&m, "arm.socket_omega[1]");
    for (int i = 0; i < 3; i++) closer(omega[i], begin[4 + i] * fall, 1e-9);
    machine_end(&m);
}

/* ---- a planar joint ---------------------------------------------------------------------- */

/* A disc on a table that is pushed by its ports: M x'' = f, J angle'' = m. */
static void test_planar_joint(void **state) {
    const dry_link disc = {.name = "disc",
                           .joint = "table",
                           .parent = -1,
                           .kind = DRY_PLANAR,
                           .axis = {0.0, 0.0, 1.0},
                           .mass = 2.0,
                           .inertia = {0.1, 0.1, 0.2}};
    const dry_arm arm = {.links = &disc, .n_links = 1, .n_joints = 1};
    const double q[3] = {0.3, -0.1, 0.7}, q_dot[3] = {0.5, 0.2, 3.0}, torque[3] = {1.0, -3.0, 0.4};
    double q_ddot[3], work[400], frame[13];
    (void)state;
    dry_arm_forward(&arm, (const double[3]){0.0, 0.0, -9.81}, q, q_dot, torque, NULL, q_ddot, work);
    dry_arm_frames(&arm, q, q_dot, frame);
    closer(q_ddot[0], 0.5, 1e-14);
    closer(q_ddot[1], -1.5, 1e-14);
    closer(q_ddot[2], 2.0, 1e-14);
    equal(frame[0], 0.3);
    equal(frame[1], -0.1);
    equal(frame[2], 0.0);
    equal(frame[3], 0.5);
    equal(frame[4], 0.2);
    equal(frame[12], 3.0);
}

/* ---- random trees of all kinds -------------------------------------------------------------- */

enum { LINKS = 12, MOST = 7 * LINKS };

typedef struct tree {
    dry_arm arm;
    dry_link links[LINKS];
    double q[MOST], q_dot[MOST];
    double *work;
} tree;

static void random_numbers(random_source *source, double size, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = random_between(source, -size, size);
}
static void random_unit_vector(random_source *source, int n, double *x) {
    do random_numbers(source, 1.0, n, x);
    while (dry_norm(n, x) < 0.1);
    const double length = dry_norm(n, x);
    for (int i = 0; i < n; i++) x[i] /= length;
}

static void random_tree(random_source *source, tree *t) {
    static const dry_joint_kind kinds[] = {DRY_REVOLUTE, DRY_PRISMATIC, DRY_WELD,
                                           DRY_BALL,     DRY_PLANAR,    DRY_FREE};
    double *q = t->q;
    *t = (tree){.arm = {.n_links = LINKS}};
    for (int i = 0; i < LINKS; i++) {
        dry_link *link = &t->links[i];
        *link = (dry_link){.name = "link",
                           .joint = "joint",
                           .parent = i == 0 ? -1 : random_index(source, i),
                           .kind = i == 0 ? DRY_FREE : kinds[random_index(source, 6)],
                           .mass = random_between(source, 0.2, 2.0),
                           .inertia = {0.04, 0.05, 0.06, 0.01, -0.01, 0.005},
                           .rotor = random_between(source, 0.0, 0.1)};
        random_numbers(source, 0.4, 3, link->at);
        random_numbers(source, 0.2, 3, link->com);
        random_unit_vector(source, 3, link->axis);
        random_unit_vector(source, 4, link->turn);
        const int n = dry_joint_positions(link->kind);
        random_numbers(source, 1.0, n, q);
        if (n > 3) random_unit_vector(source, 4, q + n - 4);
        q += n;
        t->arm.n_joints += link->kind != DRY_WELD;
    }
    t->arm.links = t->links;
    random_numbers(source, 1.0, dry_arm_speeds(&t->arm), t->q_dot);
    t->work = calloc(dry_arm_size(&t->arm), sizeof(double));
    assert_non_null(t->work);
}

/* The kinetic energy from the motion of the links alone, which shares nothing with the recursions
 * but where the links are. */
static double energy_of(const tree *t, const double *q_dot) {
    double frames[13 * LINKS], twice = 0.0;
    dry_arm_frames(&t->arm, t->q, q_dot, frames);
    for (int i = 0, k = 0; i < LINKS; i++) {
        const double *J = t->links[i].inertia, *f = frames + 13 * i, *omega = f + 10;
        const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
        const double back[4] = {f[6], -f[7], -f[8], -f[9]};
        double C[3], v[3], omega_b[3];
        dry_quat_rotate(f + 6, t->links[i].com, C);
        dry_cross3(omega, C, v);
        dry_quat_rotate(back, omega, omega_b);
        for (int j = 0; j < 3; j++) {
            v[j] += f[3 + j];
            twice += omega_b[j] * dry_dot3(full + 3 * j, omega_b);
        }
        twice += t->links[i].mass * dry_dot3(v, v);
        for (int j = 0; j < dry_joint_speeds(t->links[i].kind); j++, k++)
            twice += t->links[i].rotor * q_dot[k] * q_dot[k];
    }
    return 0.5 * twice;
}

/* H[i][j] = T(e_i + e_j) - T(e_i) - T(e_j). At rest H q_ddot = torque. */
static void test_mass_matrix_of_energy(void **state) {
    random_source source = {73};
    (void)state;
    for (int round = 0; round < 20; round++) {
        tree t;
        random_tree(&source, &t);
        const int n = dry_arm_speeds(&t.arm);
        double torque[MOST], q_ddot[MOST], rest[MOST] = {0.0};
        random_numbers(&source, 1.0, n, torque);
        dry_arm_forward(&t.arm, weightless, t.q, rest, torque, NULL, q_ddot, t.work);
        for (int i = 0; i < n; i++) {
            double sum = 0.0, one[MOST] = {0.0};
            one[i] = 1.0;
            const double own = energy_of(&t, one);
            for (int j = 0; j < n; j++) {
                double other[MOST] = {0.0}, both[MOST] = {0.0};
                other[j] = both[i] = 1.0;
                both[j] += 1.0;
                sum += (energy_of(&t, both) - own - energy_of(&t, other)) * q_ddot[j];
            }
            closer(sum, torque[i], 1e-9);
        }
        closer(dry_arm_kinetic(&t.arm, t.q, t.q_dot, t.work), energy_of(&t, t.q_dot), 1e-10);
        free(t.work);
    }
}

/* In motion, with gravity and wrenches: there and back by the other recursion. */
static void test_inverse_of_forward(void **state) {
    random_source source = {79};
    const double gravity[3] = {0.3, -9.8, 1.1};
    (void)state;
    for (int round = 0; round < 20; round++) {
        tree t;
        random_tree(&source, &t);
        double torque[MOST], back[MOST], q_ddot[MOST], wrenches[6 * LINKS];
        random_numbers(&source, 1.0, MOST, torque);
        random_numbers(&source, 1.0, 6 * LINKS, wrenches);
        dry_arm_forward(&t.arm, gravity, t.q, t.q_dot, torque, wrenches, q_ddot, t.work);
        dry_arm_inverse(&t.arm, gravity, t.q, t.q_dot, q_ddot, wrenches, back, t.work);
        all_closer(dry_arm_speeds(&t.arm), back, torque, 1e-9);
        free(t.work);
    }
}

/* A tree of all kinds swings without a loss: the terms with products of velocities are right. */
static void test_energy_of_a_tree(void **state) {
    random_source source = {83};
    const double gravity[3] = {0.0, 0.0, -9.81};
    tree t;
    (void)state;
    random_tree(&source, &t);
    const int n_q = dry_arm_positions(&t.arm), n_v = dry_arm_speeds(&t.arm);
    double begin[2 * MOST];
    for (int i = 0; i < LINKS; i++) {
        static char names[LINKS][2][24];
        snprintf(names[i][0], sizeof names[i][0], "link%d", i);
        snprintf(names[i][1], sizeof names[i][1], "joint%d", i);
        t.links[i].name = names[i][0];
        t.links[i].joint = names[i][1];
    }
    memcpy(begin, t.q, (size_t)n_q * sizeof *begin);
    memcpy(begin + n_q, t.q_dot, (size_t)n_v * sizeof *begin);
    machine m = begin_arm(&t.arm, begin, "rk4", 2e-4, 9.81);
    machine_go(&m, 0.5);
    const double *x = m.ode.x;
    const double before = dry_arm_kinetic(&t.arm, t.q, t.q_dot, t.work) +
                          dry_arm_potential(&t.arm, gravity, t.q, t.work);
    const double after =
        dry_arm_kinetic(&t.arm, x, x + n_q, t.work) + dry_arm_potential(&t.arm, gravity, x, t.work);
    if (!(fabs(after - before) < 1e-8)) fail_msg("%g J became %g J", before, after);
    machine_end(&m);
    free(t.work);
}

/* ---- gears and rotors -------------------------------------------------------------------------
 */

/* Three discs on one base, the second driven by the first, the third by the second: J q'' = torque
 * with J = J1 + r^2 (J2 + s^2 J3), and the rotors. */
static void test_gear_train(void **state) {
    const double r = -3.0, s = 0.5, rotor = 0.02;
    dry_link discs[3];
    const dry_gear gears[2] = {{1, 0, r}, {2, 1, s}};
    for (int i = 0; i < 3; i++)
        discs[i] = (dry_link){.name = "disc",
                              .joint = "axle",
                              .parent = -1,
                              .kind = DRY_REVOLUTE,
                              .axis = {0.0, 0.0, 1.0},
                              .mass = 1.0,
                              .inertia = {0.1, 0.1, 0.1 * (i + 1)},
                              .rotor = i == 0 ? rotor : 0.0};
    const dry_arm arm = {.links = discs, .n_links = 3, .n_joints = 3, .gears = gears, .n_gears = 2};
    const double q[3] = {0.0}, torque[3] = {1.0, 0.0, 2.0};
    double q_ddot[3], *work = calloc(dry_arm_size(&arm), sizeof *work);
    (void)state;
    assert_non_null(work);
    dry_arm_forward(&arm, weightless, q, q, torque, NULL, q_ddot, work);
    const double J = 0.1 + rotor + r * r * (0.2 + s * s * 0.3);
    near_share(q_ddot[0], (1.0 + r * s * 2.0) / J, 1e-14);
    equal(q_ddot[1], r * q_ddot[0]);
    equal(q_ddot[2], s * q_ddot[1]);
    free(work);
}

/* Two uniform rods in a plane, the angle of the second against the first being -2 times that of the
 * first: the end of the second of equal length slides on the x axis. On paper, with l and M of each
 * rod, q of the first, gravity along -y:
 *     V = M g l sin(q)
 * The centre of the second is at (3 l cos(q)/2, l sin(q)/2), both rods turn at q_dot: T = 1/2 (M
 * l^2/3 + M l^2/12 + M l^2 (9 sin^2(q) + cos^2(q))/4) q_dot^2 = 1/2 M l^2 (2/3 + 2 sin^2(q))
 * q_dot^2, so that M l^2 ((2/3 + 2 sin^2 q) q_ddot + 2 sin(q) cos(q) q_dot^2) = -M g l cos(q). */
static void test_slider_crank_by_a_gear(void **state) {
    const double l = 0.5, M = 0.8, g = 9.81, q1 = 0.7, w = 1.3;
    dry_link rods[2];
    const dry_gear gear = {1, 0, -2.0};
    for (int i = 0; i < 2; i++)
        rods[i] = (dry_link){.name = "rod",
                             .joint = "hinge",
                             .parent = i - 1,
                             .kind = DRY_REVOLUTE,
                             .at = {i * l},
                             .axis = {0.0, 0.0, 1.0},
                             .mass = M,
                             .com = {0.5 * l},
                             .inertia = {0.0, M * l * l / 12.0, M * l * l / 12.0}};
    const dry_arm arm = {.links = rods, .n_links = 2, .n_joints = 2, .gears = &gear, .n_gears = 1};
    const double q[2] = {q1, -2.0 * q1}, q_dot[2] = {w, -2.0 * w}, none[2] = {0.0, 0.0};
    double q_ddot[2], *work = calloc(dry_arm_size(&arm), sizeof *work);
    (void)state;
    assert_non_null(work);
    dry_arm_forward(&arm, (const double[3]){0.0, -g, 0.0}, q, q_dot, none, NULL, q_ddot, work);
    const double H = 2.0 / 3.0 + 2.0 * sin(q1) * sin(q1);
    near_share(q_ddot[0], (-g / l * cos(q1) - 2.0 * sin(q1) * cos(q1) * w * w) / H, 1e-13);
    free(work);
}

static void refused(const dry_arm *arm, const char *why) {
    dry_arena *arena = dry_arena_new(0);
    dry_error error = {0};
    assert_null(dry_arm_part(arm, arena, &error));
    if (strstr(error.text, why) == NULL) fail_msg("%s", error.text);
    dry_arena_free(arena);
}

static void test_refused(void **state) {
    dry_link link = brick;
    dry_gear gear = {0, 0, 1.0};
    dry_arm arm = {.links = &link, .n_links = 1, .n_joints = 1, .gears = &gear, .n_gears = 1};
    (void)state;
    refused(&arm, "gear 1");
    gear = (dry_gear){0, 6, 1.0};
    refused(&arm, "gear 1");
    arm.n_gears = 0;
    link.rotor = -1.0;
    refused(&arm, "rotor");
    link = (dry_link){.name = "brick", .joint = "base", .parent = -1, .kind = DRY_FREE};
    refused(&arm, "no inertia");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_body_falls_and_tumbles),
        cmocka_unit_test(test_torque_free_precession),
        cmocka_unit_test(test_semi_implicit_tumbling),
        cmocka_unit_test(test_conical_pendulum),
        cmocka_unit_test(test_port_of_a_ball_joint),
        cmocka_unit_test(test_planar_joint),
        cmocka_unit_test(test_mass_matrix_of_energy),
        cmocka_unit_test(test_inverse_of_forward),
        cmocka_unit_test(test_energy_of_a_tree),
        cmocka_unit_test(test_gear_train),
        cmocka_unit_test(test_slider_crank_by_a_gear),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
