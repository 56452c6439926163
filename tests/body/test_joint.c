/* Joints by stiff springs: forces are the slopes of the stored energy, free directions are free,
 * the friction there holds. */
#include "unit.h"

#include "math/random.h"
#include <drystone/body.h>
#include <string.h>

enum { D = 0, PHI = 3, V = 6, OMEGA = 9 };

static const char *const joints[] = {"hinge", "slider", "ball_joint", "weld"};
enum { JOINTS = 4 };

static const dry_part *made(dry_arena *arena, const char *kind, const dry_value *values,
                            int count) {
    const dry_kind *row = dry_kind_find(kind);
    dry_error error = {0};
    assert_non_null(row);
    const dry_part *part = row->make(row, arena, values, count, &error);
    if (part == NULL) fail_msg("%s", error.text);
    return part;
}

/* The rotation vector of q. */
static void vector_of(const double q[4], double phi[3]) {
    const double sine = dry_norm(3, q + 1), sign = q[0] < 0.0 ? -1.0 : 1.0;
    const double scale = sine > 0.0 ? 2.0 * sign * atan2(sine, fabs(q[0])) / sine : 2.0;
    for (int i = 0; i < 3; i++) phi[i] = scale * q[1 + i];
}
/* d, q and the velocities, after a time h, as a motion of the port. */
static void motion_at(const double d[3], const double q[4], const double rates[6], double h,
                      double in[12]) {
    double turn[4], moved[4], angle = h * dry_norm(3, rates + 3);
    turn[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) {
        in[D + i] = d[i] + h * rates[i];
        turn[1 + i] = angle != 0.0 ? sin(0.5 * angle) * rates[3 + i] * h / angle : 0.0;
    }
    dry_quat_multiply(turn, q, moved);
    vector_of(moved, in + PHI);
    memcpy(in + V, rates, 6 * sizeof *rates);
}

/* Without damping and friction the power of the forces is minus the rate of the energy, at any
 * angle of the joint: about the axis of a hinge, and whichever way a weld is bent. */
static void test_forces_are_slopes(void **state) {
    random_source source = {5};
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("K", 3.0), DRY_NUMBERS("B", 0.0),
                                DRY_NUMBERS("Kr", 2.0), DRY_NUMBERS("Br", 0.0)};
    (void)state;
    for (int k = 0; k < JOINTS; k++) {
        const bool holds_axes = strcmp(joints[k], "ball_joint") != 0;
        const dry_part *part = made(arena, joints[k], values, holds_axes ? 4 : 2);
        const dry_part_env env = {.data = part->data, .par = part->par};
        for (int round = 0; round < 200; round++) {
            const double x[3] = {0.0}, h = 1e-5;
            double d[3], q[4], rates[6], in[12], force[6], x_dot[3], power = 0.0, energy[2];
            for (int i = 0; i < 3; i++) d[i] = random_between(&source, -1.0, 1.0);
            for (int i = 0; i < 4; i++) q[i] = random_between(&source, -1.0, 1.0);
            for (int i = 0; i < 6; i++) rates[i] = random_between(&source, -1.0, 1.0);
            dry_quat_normalise(q);
            if (k != 0 && fabs(q[0]) < 0.05) continue; /* half a turn is the end of phi */
            for (int side = 0; side < 2; side++) {
                motion_at(d, q, rates, side ? h : -h, in);
                energy[side] = part->energy(&env, in, x);
            }
            motion_at(d, q, rates, 0.0, in);
            part->eval(&env, in, x, force, x_dot);
            for (int i = 0; i < 6; i++) power += force[i] * rates[i];
            closer((energy[1] - energy[0]) / (2.0 * h), -power, 1e-8);
        }
    }
    dry_arena_free(arena);
}

/* What each joint leaves free: d x, y, z, rotation x, y, z. */
static const bool is_free[JOINTS][6] = {{false, false, false, false, false, true},
                                        {false, false, true, false, false, false},
                                        {false, false, false, true, true, true},
                                        {false, false, false, false, false, false}};

static void test_what_is_free(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("K", 1e6), DRY_NUMBERS("B", 100.0),
                                DRY_NUMBERS("Kr", 1e3), DRY_NUMBERS("Br", 0.2)};
    (void)state;
    for (int k = 0; k < JOINTS; k++) {
        const bool holds_axes = strcmp(joints[k], "ball_joint") != 0;
        const dry_part *part = made(arena, joints[k], values, holds_axes ? 4 : 2);
        const dry_part_env env = {.data = part->data, .par = part->par};
        for (int i = 0; i < 6; i++) {
            double in[12] = {0.0}, force[6], x_dot[3];
            const double x[3] = {0.0};
            in[i] = 1e-3;
            in[V + i] = 1e-2;
            part->eval(&env, in, x, force, x_dot);
            for (int j = 0; j < 6; j++)
                if (i != j) equal(force[j], 0.0);
            if (is_free[k][i])
                equal(force[i], 0.0);
            else
                below(force[i], i < 3 ? -1000.0 : -1.0); /* K d + B v, Kr phi + Br omega */
        }
    }
    dry_arena_free(arena);
}

/* KY08 (19): f = sat(F, Kf (a + (beta + tau) theta)), and its energy. */
static void test_friction(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_value values[] = {DRY_NUMBERS("F", 2.0), DRY_NUMBERS("Kf", 100.0),
                                DRY_NUMBERS("beta", 0.01)};
    static const int at[3] = {5, 2, 3}; /* the free direction that moves */
    (void)state;
    for (int k = 0; k < 3; k++) {
        const dry_part *part = made(arena, joints[k], values, 3);
        const dry_part_env env = {.data = part->data, .par = part->par, .tau = 0.02};
        double in[12] = {0.0}, force[6], x_dot[3];
        const double x[3] = {0.004};
        in[V + at[k]] = 0.1;
        part->eval(&env, in, x, force, x_dot);
        closer(force[at[k]], -0.7, 1e-15); /* sticks: 100 (0.004 + 0.03 0.1) */
        equal(x_dot[0], 0.1);
        in[V + at[k]] = 1.0;
        part->eval(&env, in, x, force, x_dot);
        closer(force[at[k]], -2.0, 1e-15);
        closer(x_dot[0], (0.02 - 0.004) / 0.03, 1e-15);
        closer(part->energy(&env, in, x), 0.5 * 100.0 * 0.004 * 0.004, 1e-18);
        double g[2];
        part->kinks(&env, in, x, g);
        below(g[0], 0.0); /* it slips */
    }
    dry_arena_free(arena);
}

static void test_angle(void **state) {
    dry_arena *arena = dry_arena_new(0);
    const dry_part *part = made(arena, "hinge", NULL, 0);
    const dry_part_env env = {.data = part->data, .par = part->par};
    (void)state;
    for (int i = -10; i <= 10; i++) {
        double in[12] = {0.0}, y;
        in[PHI + 2] = 0.3 * i;
        part->outputs->values(&env, in, NULL, &y);
        closer(y, 0.3 * i, 1e-14);
    }
    assert_int_equal(part->outputs->count, 1);
    assert_null(made(arena, "weld", NULL, 0)->outputs);
    dry_arena_free(arena);
}

/* A ball joint holds no axes: keys that would do nothing are not taken. */
static void test_ball_joint_has_no_axes(void **state) {
    static const char *const keys[] = {"Kr", "Br"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const dry_value value = DRY_NUMBERS(keys[i], 1.0);
        dry_net *net = dry_net_new();
        dry_net_make(net, "pin", dry_kind_find("ball_joint"), &value, 1);
        assert_int_equal(dry_net_mistake_count(net), 1);
        assert_non_null(strstr(dry_net_mistake(net, 0)->text, "it takes K, B, F, Kf, beta"));
        dry_net_free(net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_slopes),
        cmocka_unit_test(test_what_is_free),
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_angle),
        cmocka_unit_test(test_ball_joint_has_no_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
