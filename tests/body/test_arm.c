/* Arms: closed forms, an inverse that shares no equation with ours, virtual work, energy. What they
 * cost is in test_arm_cost.c. */
#include "unit.h"

#include "math/random.h"
#include <drystone/body.h>
#include <drystone/ode.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 400 };

typedef struct tree {
    dry_arm arm;
    dry_link links[MOST];
    char names[MOST][2][32];
    double q[MOST], q_dot[MOST], q_ddot[MOST], torque[MOST], wrenches[6 * MOST];
    double *work;
} tree;

static tree *tree_new(void) {
    tree *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->arm.links = t->links;
    return t;
}
static void tree_ready(tree *t) {
    t->arm.n_joints = 0;
    for (int i = 0; i < t->arm.n_links; i++) {
        snprintf(t->names[i][0], sizeof t->names[i][0], "link%d", i);
        snprintf(t->names[i][1], sizeof t->names[i][1], "joint%d", i);
        t->links[i].name = t->names[i][0];
        t->links[i].joint = t->names[i][1];
        t->arm.n_joints += t->links[i].kind != DRY_WELD;
    }
    t->work = calloc(dry_arm_size(&t->arm) + 1, sizeof *t->work);
    assert_non_null(t->work);
}
static void tree_free(tree *t) {
    free(t->work);
    free(t);
}

static const double gravity[3] = {0.3, -9.8, 1.1};
static const double weightless[3] = {0.0, 0.0, 0.0};

/* ---- two rods in a plane -------------------------------------------------------------- */

static const double M[2] = {0.7, 0.4}, L[2] = {0.5, 0.3};

static tree *two_rods(void) {
    tree *t = tree_new();
    t->arm.n_links = 2;
    for (int i = 0; i < 2; i++)
        t->links[i] =
            (dry_link){.parent = i - 1,
                       .kind = DRY_REVOLUTE,
                       .at = {i > 0 ? L[0] : 0.0},
                       .axis = {0.0, 0.0, 1.0},
                       .mass = M[i],
                       .com = {0.5 * L[i]},
                       .inertia = {0.0, M[i] * L[i] * L[i] / 12.0, M[i] * L[i] * L[i] / 12.0}};
    tree_ready(t);
    return t;
}

/* H(q) q_ddot + c(q, q_dot) + g(q) of two uniform rods, gravity g along -y, by Lagrange's equations
 * on paper. */
static void rods_torque(double g, const double q[2], const double q_dot[2], const double q_ddot[2],
                        double torque[2]) {
    const double l = L[0], l2 = L[1], c2 = cos(q[1]), h = 0.5 * M[1] * l * l2 * sin(q[1]);
    const double H11 = M[0] * l * l / 3.0 + M[1] * (l * l + l2 * l2 / 3.0 + l * l2 * c2);
    const double H12 = M[1] * (l2 * l2 / 3.0 + 0.5 * l * l2 * c2), H22 = M[1] * l2 * l2 / 3.0;
    const double g2 = 0.5 * M[1] * g * l2 * cos(q[0] + q[1]);
    torque[0] = H11 * q_ddot[0] + H12 * q_ddot[1] -
                h * (2.0 * q_dot[0] * q_dot[1] + q_dot[1] * q_dot[1]) +
                (0.5 * M[0] + M[1]) * g * l * cos(q[0]) + g2;
    torque[1] = H12 * q_ddot[0] + H22 * q_ddot[1] + h * q_dot[0] * q_dot[0] + g2;
}

static void test_two_rods(void **state) {
    random_source source = {17};
    tree *t = two_rods();
    (void)state;
    for (int round = 0; round < 100; round++) {
        const double down[3] = {0.0, -9.8, 0.0};
        double wanted[2], found[2];
        for (int k = 0; k < 2; k++) {
            t->q[k] = random_between(&source, -4.0, 4.0);
            t->q_dot[k] = random_between(&source, -4.0, 4.0);
            wanted[k] = random_between(&source, -4.0, 4.0);
        }
        rods_torque(9.8, t->q, t->q_dot, wanted, t->torque);
        dry_arm_forward(&t->arm, down, t->q, t->q_dot, t->torque, NULL, t->q_ddot, t->work);
        dry_arm_inverse(&t->arm, down, t->q, t->q_dot, wanted, NULL, found, t->work);
        for (int k = 0; k < 2; k++) {
            /* condition of H is below 100: 1e-16 grows to about 1e-14 */
            closer(t->q_ddot[k], wanted[k], 1e-12);
            closer(found[k], t->torque[k], 1e-13);
        }
    }
    tree_free(t);
}

/* ---- random trees ------------------------------------------------------------------------ */

static void random_unit_vector(random_source *source, int n, double *x) {
    do
        for (int i = 0; i < n; i++) x[i] = random_between(source, -1.0, 1.0);
    while (dry_norm(n, x) < 0.1);
    const double length = dry_norm(n, x);
    for (int i = 0; i < n; i++) x[i] /= length;
}
static void random_vector(random_source *source, double size, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = random_between(source, -size, size);
}

/* B^T B of a random B is an inertia; a physical one needs the triangle inequality, which the
 * equations do not use. */
static void random_inertia(random_source *source, double J[6]) {
    double B[9];
    random_vector(source, 0.3, 9, B);
    J[3] = J[4] = J[5] = 0.0;
    for (int i = 0; i < 3; i++) J[i] = 0.02;
    for (int k = 0; k < 3; k++) {
        const double *b = B + 3 * k;
        for (int i = 0; i < 3; i++) J[i] += b[i] * b[i];
        J[3] += b[0] * b[1], J[4] += b[0] * b[2], J[5] += b[1] * b[2];
    }
}

static tree *random_tree(random_source *source, int links) {
    tree *t = tree_new();
    t->arm.n_links = links;
    random_vector(source, 1.0, 3, t->arm.at);
    random_unit_vector(source, 4, t->arm.turn);
    for (int i = 0; i < links; i++) {
        dry_link *link = &t->links[i];
        const double kind = random_unit(source);
        *link = (dry_link){.parent = i == 0 ? -1 : random_index(source, i + 1) - 1};
        link->kind = kind < 0.6 ? DRY_REVOLUTE : kind < 0.85 ? DRY_PRISMATIC : DRY_WELD;
        random_vector(source, 0.4, 3, link->at);
        random_vector(source, 0.2, 3, link->com);
        if (random_unit(source) < 0.7) random_unit_vector(source, 4, link->turn);
        random_unit_vector(source, 3, link->axis);
        link->mass = random_between(source, 0.2, 2.0);
        random_inertia(source, link->inertia);
    }
    tree_ready(t);
    random_vector(source, 2.0, t->arm.n_joints, t->q);
    random_vector(source, 2.0, t->arm.n_joints, t->q_dot);
    random_vector(source, 2.0, t->arm.n_joints, t->q_ddot);
    random_vector(source, 3.0, 6 * links, t->wrenches);
    return t;
}

static void test_there_and_back(void **state) {
    random_source source = {23};
    (void)state;
    for (int links = 1; links <= 30; links++) {
        tree *t = random_tree(&source, links);
        double back[MOST];
        dry_arm_inverse(&t->arm, gravity, t->q, t->q_dot, t->q_ddot, t->wrenches, t->torque,
                        t->work);
        dry_arm_forward(&t->arm, gravity, t->q, t->q_dot, t->torque, t->wrenches, back, t->work);
        all_closer(t->arm.n_joints, back, t->q_ddot, 1e-10);
        tree_free(t);
    }
}

/* The frames at time h on q + q_dot h + q_ddot h^2/2. */
static void frames_at(const tree *t, double h, double *frames) {
    double q[MOST], q_dot[MOST];
    for (int k = 0; k < t->arm.n_joints; k++) {
        q[k] = t->q[k] + h * (t->q_dot[k] + 0.5 * h * t->q_ddot[k]);
        q_dot[k] = t->q_dot[k] + h * t->q_ddot[k];
    }
    dry_arm_frames(&t->arm, q, q_dot, frames);
}

/* The rate of y at 0 from its values at -2h, -h, h, 2h; error h^4. */
static double slope(const double y[4], double h) {
    return (8.0 * (y[2] - y[1]) - (y[3] - y[0])) / (12.0 * h);
}

/* Velocity of the centre of mass, and angular momentum about it, of a link with that frame. */
static void momenta(const dry_link *link, const double *frame, double v[3], double spin[3]) {
    const double *J = link->inertia, *q = frame + 6, *omega = frame + 10;
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    double C[3], swept[3], w[3], Jw[3];
    dry_quat_rotate(q, link->com, C);
    dry_cross3(omega, C, swept);
    for (int i = 0; i < 3; i++) v[i] = frame[3 + i] + swept[i];
    dry_quat_rotate(back, omega, w);
    Jw[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    Jw[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    Jw[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
    dry_quat_rotate(q, Jw, spin);
}

/* d'Alembert: the torque of joint k is the sum over the links of (M a - M g - f).dv + (rate of the
 * angular momentum - m).domega, where dv, domega belong to q_dot[k] = 1 and the rates are taken by
 * differences. Nothing but the frames is used. */
static void test_dalembert(void **state) {
    static double frames[4][13 * MOST], now[13 * MOST], moved[13 * MOST];
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    const double h = 2e-3;
    random_source source = {29};
    (void)state;
    for (int links = 1; links <= 12; links++) {
        tree *t = random_tree(&source, links);
        dry_arm_inverse(&t->arm, gravity, t->q, t->q_dot, t->q_ddot, t->wrenches, t->torque,
                        t->work);
        for (int s = 0; s < 4; s++) frames_at(t, at[s] * h, frames[s]);
        dry_arm_frames(&t->arm, t->q, t->q_dot, now);
        for (int k = 0; k < t->arm.n_joints; k++) {
            double one[MOST] = {0.0}, sum = 0.0, size = 1.0;
            one[k] = 1.0;
            dry_arm_frames(&t->arm, t->q, one, moved);
            for (int i = 0; i < links; i++) {
                const dry_link *link = &t->links[i];
                const double *wrench = t->wrenches + 6 * i;
                double v[4][3], spin[4][3], dv[3], unused[3];
                momenta(link, moved + 13 * i, dv, unused);
                for (int s = 0; s < 4; s++) momenta(link, frames[s] + 13 * i, v[s], spin[s]);
                for (int j = 0; j < 3; j++) {
                    const double vs[4] = {v[0][j], v[1][j], v[2][j], v[3][j]};
                    const double spins[4] = {spin[0][j], spin[1][j], spin[2][j], spin[3][j]};
                    const double force = link->mass * (slope(vs, h) - gravity[j]);
                    sum += force * dv[j] + slope(spins, h) * moved[13 * i + 10 + j];
                    sum -=
                        wrench[j] * moved[13 * i + 3 + j] + wrench[3 + j] * moved[13 * i + 10 + j];
                    size += fabs(force * dv[j]) + fabs(wrench[j]) + fabs(wrench[3 + j]);
                }
            }
            /* differences: h^4 times fifth derivatives (rates up to some 10 rad/s) */
            closer(sum, t->torque[k], 2e-6 * size);
        }
        tree_free(t);
    }
}

static void test_frames_move(void **state) {
    static double before[13 * MOST], now[13 * MOST], after[13 * MOST];
    random_source source = {31};
    const double h = 1e-5;
    (void)state;
    tree *t = random_tree(&source, 12);
    for (int k = 0; k < t->arm.n_joints; k++) t->q_ddot[k] = 0.0;
    frames_at(t, -h, before);
    frames_at(t, 0.0, now);
    frames_at(t, h, after);
    for (int i = 0; i < t->arm.n_links; i++) {
        const double *f = now + 13 * i;
        double q_dot[4];
        dry_quat_rate(f + 6, f + 10, q_dot);
        closer(dry_norm(4, f + 6), 1.0, 1e-14);
        for (int j = 0; j < 3; j++)
            closer((after[13 * i + j] - before[13 * i + j]) / (2.0 * h), f[3 + j], 1e-6);
        for (int j = 0; j < 4; j++)
            closer((after[13 * i + 6 + j] - before[13 * i + 6 + j]) / (2.0 * h), q_dot[j], 1e-6);
    }
    tree_free(t);
}

/* A wrench on a link is worth J^T of it on the joints. */
static void test_wrench_by_virtual_work(void **state) {
    random_source source = {37};
    static double moved[13 * MOST];
    (void)state;
    tree *t = random_tree(&source, 15);
    double with[MOST], by_torque[MOST], torque[MOST];
    for (int k = 0; k < t->arm.n_joints; k++) {
        double one[MOST] = {0.0};
        one[k] = 1.0;
        t->torque[k] = random_between(&source, -1.0, 1.0);
        torque[k] = t->torque[k];
        dry_arm_frames(&t->arm, t->q, one, moved);
        for (int i = 0; i < t->arm.n_links; i++)
            torque[k] += dry_dot3(t->wrenches + 6 * i, moved + 13 * i + 3) +
                         dry_dot3(t->wrenches + 6 * i + 3, moved + 13 * i + 10);
    }
    dry_arm_forward(&t->arm, gravity, t->q, t->q_dot, t->torque, t->wrenches, with, t->work);
    dry_arm_forward(&t->arm, gravity, t->q, t->q_dot, torque, NULL, by_torque, t->work);
    for (int k = 0; k < t->arm.n_joints; k++)
        closer(with[k], by_torque[k], 1e-10 * (1.0 + fabs(with[k])));
    tree_free(t);
}

/* T = q_dot.H q_dot/2 with H from the inverse dynamics, column by column. */
static void test_kinetic(void **state) {
    random_source source = {41};
    (void)state;
    tree *t = random_tree(&source, 10);
    const double rest[MOST] = {0.0};
    double twice = 0.0, column[MOST];
    for (int k = 0; k < t->arm.n_joints; k++) {
        double one[MOST] = {0.0};
        one[k] = 1.0;
        dry_arm_inverse(&t->arm, weightless, t->q, rest, one, NULL, column, t->work);
        for (int j = 0; j < t->arm.n_joints; j++) twice += t->q_dot[k] * t->q_dot[j] * column[j];
    }
    const double T = dry_arm_kinetic(&t->arm, t->q, t->q_dot, t->work);
    closer(T, 0.5 * twice, 1e-12 * T);
    tree_free(t);
}

/* ---- a swinging tree ------------------------------------------------------------------------ */

static void swing_rate(const dry_env *env, double time, double tau, const double *x,
                       double *x_dot) {
    const tree *t = env->model;
    const int n = t->arm.n_joints;
    static const double none[MOST] = {0.0};
    (void)time, (void)tau;
    memcpy(x_dot, x + n, (size_t)n * sizeof *x_dot);
    dry_arm_forward(&t->arm, gravity, x, x + n, none, NULL, x_dot + n, t->work);
}
static double swing_energy(const tree *t, const double *x) {
    return dry_arm_kinetic(&t->arm, x, x + t->arm.n_joints, t->work) +
           dry_arm_potential(&t->arm, gravity, x, t->work);
}
static double energy_change(tree *t, double h) {
    const dry_env env = {.model = t};
    const int n = 2 * t->arm.n_joints;
    double x[2 * MOST] = {0.0}, work[10 * MOST];
    for (int k = 0; k < t->arm.n_joints; k++) x[k] = t->q[k];
    const double before = swing_energy(t, x);
    for (int i = 0; i < (int)(1.0 / h + 0.5); i++)
        dry_rk4_step(swing_rate, &env, n, 0.0, h, h, false, x, work);
    above(dry_arm_kinetic(&t->arm, x, x + n / 2, t->work), 0.1 * fabs(before));
    return fabs(swing_energy(t, x) - before);
}
/* Revolute joints only: what slides without a stop falls for ever. */
static void test_energy(void **state) {
    random_source source = {43};
    (void)state;
    tree *t = random_tree(&source, 6);
    t->arm.n_joints = t->arm.n_links;
    for (int i = 0; i < t->arm.n_links; i++) t->links[i].kind = DRY_REVOLUTE;
    free(t->work); /* more joints need more of it */
    t->work = calloc(dry_arm_size(&t->arm), sizeof *t->work);
    assert_non_null(t->work);
    random_vector(&source, 1.0, t->arm.n_joints, t->q);
    const double coarse = energy_change(t, 1.0 / 500), fine = energy_change(t, 1.0 / 1000);
    below(fine, 1e-5);
    above(coarse / fine, 14.0); /* 16 for order 4, or more */
    tree_free(t);
}

/* ---- the part ----------------------------------------------------------------------------------
 */

static void test_part(void **state) {
    random_source source = {53};
    dry_arena *arena = dry_arena_new(0);
    dry_error error;
    (void)state;
    tree *t = random_tree(&source, 9);
    const int n = t->arm.n_joints, links = t->arm.n_links;
    const dry_part *part = dry_arm_part(&t->arm, arena, &error);
    assert_non_null(part);
    assert_int_equal(part->n_states, 2 * n);
    assert_int_equal(part->n_ports, n + links);
    double x[2 * MOST], in[7 * MOST], x_dot[2 * MOST], out[15 * MOST], frames[13 * MOST];
    for (int k = 0; k < n; k++) x[k] = t->q[k], x[n + k] = t->q_dot[k], in[k] = t->q_ddot[k];
    memcpy(in + n, t->wrenches, (size_t)(6 * links) * sizeof *in);
    const dry_part_env env = {.data = part->data, .gravity = gravity, .work = t->work};
    part->motion(&env, x, out);
    part->eval(&env, in, x, NULL, x_dot);
    dry_arm_frames(&t->arm, t->q, t->q_dot, frames);
    dry_arm_forward(&t->arm, gravity, t->q, t->q_dot, in, t->wrenches, t->torque, t->work);
    for (int k = 0; k < n; k++) {
        equal(out[2 * k], x[k]);
        equal(out[2 * k + 1], x[n + k]);
        equal(x_dot[k], x[n + k]);
        equal(x_dot[n + k], t->torque[k]);
        assert_true(part->positions[k]);
        assert_false(part->positions[n + k]);
        assert_int_equal(part->ports[k].kind, DRY_COORDINATE);
    }
    all_same_bits(13 * links, out + 2 * n, frames);
    assert_int_equal(part->ports[n].kind, DRY_FRAME);
    dry_arena_free(arena);
    tree_free(t);
}

static void refused(tree *t, const char *word) {
    dry_arena *arena = dry_arena_new(0);
    dry_error error = {0};
    assert_null(dry_arm_part(&t->arm, arena, &error));
    assert_int_equal(error.status, DRY_BAD_MODEL);
    if (strstr(error.text, word) == NULL) fail_msg("'%s' is not in '%s'", word, error.text);
    dry_arena_free(arena);
    tree_free(t);
}
static void test_refused(void **state) {
    tree *t;
    (void)state;
    (t = two_rods())->links[0].parent = 1;
    refused(t, "parent");
    (t = two_rods())->links[1].axis[0] = 1.0;
    refused(t, "axis");
    (t = two_rods())->links[1].turn[0] = 2.0;
    refused(t, "turn");
    (t = two_rods())->links[1].mass = -1.0;
    refused(t, "mass");
    (t = two_rods())->links[1].inertia[5] = 1.0;
    refused(t, "inertia");
    (t = two_rods())->links[1].name = "";
    refused(t, "name");
    (t = two_rods())->arm.n_joints = 3;
    refused(t, "n_joints");
    t = two_rods(); /* the second joint turns a rod about its own axis */
    t->links[1].axis[0] = 1.0, t->links[1].axis[2] = 0.0;
    refused(t, "moves no inertia");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rods),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_dalembert),
        cmocka_unit_test(test_frames_move),
        cmocka_unit_test(test_wrench_by_virtual_work),
        cmocka_unit_test(test_kinetic),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
