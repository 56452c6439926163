/* Bodies, arms and joints that work together: energy, momentum, friction that holds. */
#include "unit.h"

#include "machine.h"
#include "net/net_test.h"

enum { P = 0, V = 3, Q = 6, OMEGA = 10 };

/* ---- what is conserved ---------------------------------------------------------------- */

static const double box_mass = 2.0, widths[3] = {0.3, 0.5, 0.8}, hook[3] = {0.15, -0.25, 0.4};
static const double hung_K = 4e3;

static void inertia_of_box(double J[3]) {
    for (int i = 0; i < 3; i++) {
        const double b = widths[(i + 1) % 3], c = widths[(i + 2) % 3];
        J[i] = box_mass / 12.0 * (b * b + c * c);
    }
}
static void spin_of(const double J[3], const double *x, double L[3]) {
    const double back[4] = {x[Q], -x[Q + 1], -x[Q + 2], -x[Q + 3]};
    double w[3];
    dry_quat_rotate(back, x + OMEGA, w);
    for (int i = 0; i < 3; i++) w[i] *= J[i];
    dry_quat_rotate(x + Q, w, L);
}
static double energy_of_box(const double *x) {
    double J[3], L[3], d[3];
    inertia_of_box(J);
    spin_of(J, x, L);
    dry_quat_rotate(x + Q, hook, d);
    for (int i = 0; i < 3; i++) d[i] += x[i];
    return 0.5 * box_mass * dry_dot3(x + V, x + V) + 0.5 * dry_dot3(x + OMEGA, L) +
           9.8 * box_mass * x[2] + 0.5 * hung_K * dry_dot3(d, d);
}
/* A box that hangs by a corner on a ball joint without damping, over 1 s. */
static double energy_change(double step) {
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "box", "box", DRY_NUMBERS("size", 0.3, 0.5, 0.8), DRY_NUMBERS("mass", box_mass),
         DRY_NUMBERS("p", -0.15, 0.25, -0.4), DRY_NUMBERS("omega", 1.0, 2.0, 3.0));
    MAKE(m.net, "joint", "ball_joint", DRY_NUMBERS("K", hung_K), DRY_NUMBERS("B", 0.0));
    dry_net_gravity(m.net, 0.0, 0.0, -9.8);
    dry_net_connect(m.net, "joint", (dry_end){.port = "box", .at = {hook[0], hook[1], hook[2]}},
                    (dry_end){0});
    machine_begin(&m, "rk4", (dry_ode_options){.step = step}, NULL);
    const double *x = machine_at(&m, "box.p[1]"), before = energy_of_box(x);
    machine_go(&m, 1.0);
    const double change = fabs(energy_of_box(x) - before);
    above(fabs(x[2] + 0.4), 0.01); /* it swings */
    machine_end(&m);
    return change;
}
static void test_energy_of_a_hung_box(void **state) {
    (void)state;
    const double coarse = energy_change(2e-3), fine = energy_change(1e-3);
    below(fine, 1e-4);
    above(coarse / fine, 14.0); /* 16 for order 4, or more */
}

/* Two bodies in space that hold on to each other: what one gets the other loses, whatever the
 * joint. Linear momentum stays to rounding, angular momentum to the order. */
static double momentum_change(const char *joint, double step) {
    machine m = {.net = dry_net_new()};
    const double J[2][3] = {{0.1, 0.2, 0.25}, {0.3, 0.2, 0.15}}, mass[2] = {1.0, 1.5};
    double sum[2][6] = {{0.0}};
    MAKE(m.net, "a", "rigid_body", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 0.1, 0.2, 0.25),
         DRY_NUMBERS("p", 0.2, 0.1, 0.0), DRY_NUMBERS("v", 0.3, 0.2, -0.5),
         DRY_NUMBERS("omega", 1.0, -2.0, 0.5));
    MAKE(m.net, "b", "rigid_body", DRY_NUMBERS("mass", 1.5), DRY_NUMBERS("inertia", 0.3, 0.2, 0.15),
         DRY_NUMBERS("p", -0.3, 0.1, 0.1), DRY_NUMBERS("rotation", 0.2, 0.1, -0.3),
         DRY_NUMBERS("omega", 0.5, 0.3, -1.0));
    const dry_value held[] = {DRY_NUMBERS("K", 500.0), DRY_NUMBERS("B", 2.0),
                              DRY_NUMBERS("Kr", 50.0), DRY_NUMBERS("Br", 0.3)};
    const bool holds_axes = strcmp(joint, "ball_joint") != 0;
    dry_net_make(m.net, "joint", dry_kind_find(joint), held, holds_axes ? 4 : 2);
    dry_net_connect(m.net, "joint", (dry_end){.port = "a", .at = {-0.2, 0.0, 0.1}},
                    (dry_end){.port = "b", .at = {0.3, 0.0, 0.05}, .turn = {0.8, 0.0, 0.6, 0.0}});
    machine_begin(&m, "rk4", (dry_ode_options){.step = step}, NULL);
    const double *x[2] = {machine_at(&m, "a.p[1]"), machine_at(&m, "b.p[1]")};
    for (int when = 0; when < 2; when++) {
        for (int k = 0; k < 2; k++) {
            double L[3], orbit[3];
            spin_of(J[k], x[k], L);
            dry_cross3(x[k] + P, x[k] + V, orbit);
            for (int i = 0; i < 3; i++) {
                sum[when][i] += mass[k] * x[k][V + i];
                sum[when][3 + i] += L[i] + mass[k] * orbit[i];
            }
        }
        if (when == 0) machine_go(&m, 1.0);
    }
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        closer(sum[1][i], sum[0][i], 1e-12);
        most = dry_max(most, fabs(sum[1][3 + i] - sum[0][3 + i]));
    }
    machine_end(&m);
    return most;
}
static void test_momentum(void **state) {
    static const char *const joints[] = {"hinge", "slider", "ball_joint", "weld"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double coarse = momentum_change(joints[k], 2e-3),
                     fine = momentum_change(joints[k], 1e-3);
        below(fine, 1e-6);
        above(coarse / fine, 12.0);
    }
}

/* ---- an arm and a body ------------------------------------------------------------------- */

/* A ball on the tip of an arm, held by a weld, is as good as a ball that belongs to the last link:
 * the difference falls as the weld stiffens. */
static void build_loaded(machine *m, double K) {
    *m = (machine){.net = dry_net_new()};
    dry_net_gravity(m->net, 0.0, -9.8, 0.0);
    MAKE(m->net, "arm", "arm", DRY_NUMBERS("links", 2.0), DRY_NUMBERS("length", 0.5, 0.3),
         DRY_NUMBERS("mass", 0.7, 0.4), DRY_NUMBERS("at", 0.1, 0.2, 0.3));
    MAKE(m->net, "ball", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 0.6),
         DRY_NUMBERS("p", 0.9, 0.2, 0.3));
    MAKE(m->net, "weld", "weld", DRY_NUMBERS("K", K), DRY_NUMBERS("B", 0.01 * K),
         DRY_NUMBERS("Kr", 0.01 * K), DRY_NUMBERS("Br", 2e-5 * K));
    dry_net_connect(m->net, "weld", (dry_end){.port = "ball"}, (dry_end){.port = "arm.tip"});
    machine_begin(m, "rk4", (dry_ode_options){.step = 2e-4}, NULL);
}
static void build_heavier(machine *m) {
    static const dry_link links[] = {{.name = "upper",
                                      .joint = "shoulder",
                                      .parent = -1,
                                      .axis = {0.0, 0.0, 1.0},
                                      .mass = 0.7,
                                      .com = {0.25},
                                      .inertia = {0.0, 0.7 * 0.25 / 12.0, 0.7 * 0.25 / 12.0}},
                                     {.name = "lower",
                                      .joint = "elbow",
                                      .parent = 0,
                                      .at = {0.5},
                                      .axis = {0.0, 0.0, 1.0},
                                      .mass = 0.4,
                                      .com = {0.15},
                                      .inertia = {0.0, 0.4 * 0.09 / 12.0, 0.4 * 0.09 / 12.0}},
                                     {.name = "ball",
                                      .parent = 1,
                                      .kind = DRY_WELD,
                                      .at = {0.3},
                                      .mass = 0.6,
                                      .inertia = {0.0024, 0.0024, 0.0024}}};
    const dry_arm arm = {.links = links, .n_links = 3, .n_joints = 2, .at = {0.1, 0.2, 0.3}};
    *m = (machine){.net = dry_net_new()};
    dry_net_gravity(m->net, 0.0, -9.8, 0.0);
    dry_net_add(m->net, "arm", dry_arm_part(&arm, dry_net_arena(m->net), NULL));
    machine_begin(m, "rk4", (dry_ode_options){.step = 2e-4}, NULL);
}
static void test_load_on_the_tip(void **state) {
    machine heavier, loaded[2];
    double difference[2];
    (void)state;
    build_heavier(&heavier);
    machine_go(&heavier, 0.5);
    const double *q = machine_at(&heavier, "arm.q[1]");
    above(fabs(q[0]), 1.0);
    for (int k = 0; k < 2; k++) {
        build_loaded(&loaded[k], k ? 1e5 : 1e4);
        machine_go(&loaded[k], 0.5);
        const double *other = machine_at(&loaded[k], "arm.q[1]");
        difference[k] = fabs(q[0] - other[0]) + fabs(q[1] - other[1]);
        machine_end(&loaded[k]);
    }
    below(difference[1], 2e-3);
    above(difference[0] / difference[1], 8.0); /* as 1/K */
    machine_end(&heavier);
}

/* ---- the energy account ------------------------------------------------------------------- */

/* A swinging arm with a ball welded to its tip and a box that hangs from it on a hinge. */
static double account_error(double F, double step, double *dissipated) {
    dry_net *net = dry_net_new();
    const dry_system *system;
    dry_account account;
    dry_net_gravity(net, 0.0, -9.8, 0.0);
    MAKE(net, "arm", "arm", DRY_NUMBERS("links", 2.0), DRY_NUMBERS("length", 0.5),
         DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("q_dot", 1.0, 0.5));
    MAKE(net, "ball", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 0.5),
         DRY_NUMBERS("p", 1.0, 0.0, 0.0));
    MAKE(net, "box", "box", DRY_NUMBERS("size", 0.2, 0.4, 0.3), DRY_NUMBERS("mass", 0.8),
         DRY_NUMBERS("p", 1.0, -0.2, 0.0), DRY_NUMBERS("omega", 0.0, 0.0, 1.0));
    MAKE(net, "weld", "weld", DRY_NUMBERS("K", 2e3), DRY_NUMBERS("B", 5.0), DRY_NUMBERS("Kr", 20.0),
         DRY_NUMBERS("Br", 0.02));
    MAKE(net, "hinge", "hinge", DRY_NUMBERS("K", 2e3), DRY_NUMBERS("B", 5.0),
         DRY_NUMBERS("Kr", 20.0), DRY_NUMBERS("Br", 0.02), DRY_NUMBERS("F", F),
         DRY_NUMBERS("Kf", 100.0));
    dry_net_connect(net, "weld", end_at("ball"), end_at("arm.tip"));
    dry_net_connect(net, "hinge", (dry_end){.port = "box", .at = {0.0, 0.2, 0.0}},
                    (dry_end){.port = "arm.tip"});
    assert_int_equal(dry_net_system(net,
                                    &(dry_net_options){.account = true, .choose = dry_design_net},
                                    &system, NULL),
                     DRY_OK);
    dry_record *record = record_of(system, "rk4", step, 1.0, 20);
    assert_int_equal(dry_net_account(net, record, &account, NULL), DRY_OK);
    assert_null(dry_account_culprit(&account, 1e-6));
    const double error = fabs(account.error);
    *dissipated = account.dissipated;
    dry_record_free(record);
    dry_account_free(&account);
    dry_net_free(net);
    return error;
}
static void test_account(void **state) {
    double damped, rubbed;
    (void)state;
    const double coarse = account_error(0.0, 1e-3, &damped),
                 fine = account_error(0.0, 5e-4, &damped);
    below(fine, 1e-5);
    above(coarse / fine, 12.0);
    /* Friction goes from slip to stick and back, which costs the order and not the balance. */
    below(account_error(0.05, 5e-4, &rubbed), 1e-5);
    above(rubbed, damped + 0.01);
}

/* A free arm in steps of first order neither gains nor loses: the terms with products of the rates
 * are those of the middle of a step. With those of its begin 20 s at 2 ms multiply the energy.
 * What is left is bounded, and of the order of the step. */
static double swing(double step) {
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "arm", "arm", DRY_NUMBERS("links", 3.0), DRY_NUMBERS("length", 0.5),
         DRY_NUMBERS("mass", 0.2), DRY_WORD("axis", "zyz"), DRY_NUMBERS("q", 0.3, 1.0, 0.5),
         DRY_NUMBERS("q_dot", 3.0, -2.0, 5.0));
    machine_begin(&m, "semi-implicit", (dry_ode_options){.step = step},
                  &(dry_net_options){.account = true});
    double *y = calloc((size_t)m.system->n_outputs, sizeof *y), most = 0.0, T0 = 0.0;
    int k = 0;
    while (strcmp(m.system->outputs[k].name, "arm.kinetic") != 0) k++;
    for (int i = 0; i <= 20; i++) {
        machine_go(&m, (double)i);
        m.system->output(&m.ode.env, m.ode.t, step, m.ode.x, y);
        if (i == 0) T0 = y[k];
        most = fmax(most, fabs(y[k] / T0 - 1.0));
    }
    free(y);
    machine_end(&m);
    return most;
}
static void test_arm_does_not_gain(void **state) {
    (void)state;
    const double coarse = swing(4e-3), fine = swing(1e-3);
    below(coarse, 3e-2);
    below(fine, coarse / 2.0);
}

/* ---- friction that holds ------------------------------------------------------------------- */

/* Six rods, held by the friction of their joints under gravity, once they have settled. K and beta
 * are those of a damping ratio near 1/2 for what each joint carries. */
static void test_arm_holds(void **state) {
    static const double K[6] = {1e4, 1e4, 1e4, 5e3, 2e3, 1e3};
    static const double beta[6] = {0.01, 0.01, 8e-3, 8e-3, 6e-3, 3e-3};
    machine m = {.net = dry_net_new()};
    double before[6];
    (void)state;
    dry_net_gravity(m.net, 0.0, 0.0, -9.8);
    MAKE(m.net, "arm", "arm", DRY_NUMBERS("links", 6.0), DRY_NUMBERS("length", 0.2),
         DRY_NUMBERS("mass", 0.5), DRY_WORD("axis", "zyyzyy"),
         DRY_NUMBERS("q", 0.1, -0.4, 0.6, 0.3, -0.5, 0.2));
    for (int i = 0; i < 6; i++) {
        char joint[32], friction[32];
        snprintf(joint, sizeof joint, "arm.joint%d", i + 1);
        snprintf(friction, sizeof friction, "friction%d", i + 1);
        MAKE(m.net, friction, "rotary_coulomb", DRY_NUMBERS("F", 25.0), DRY_NUMBERS("K", K[i]),
             DRY_NUMBERS("beta", beta[i]));
        dry_net_connect(m.net, friction, end_at(joint), world);
    }
    machine_begin(&m, "rk4-tau", (dry_ode_options){.step = 1e-4}, NULL);
    const double *q = machine_at(&m, "arm.q[1]");
    machine_go(&m, 1.5);
    for (int i = 0; i < 6; i++) before[i] = q[i];
    machine_go(&m, 3.0);
    all_closer(6, q, before, 1e-14);
    machine_end(&m);
}

/* A block of 2 kg on a slider along a slope of 30 degrees: g sin 30 = 4.9 m/s^2, held by 10 N of
 * friction, moved by (9.8 - 9)/2 = 0.4 m/s^2 against 9 N. */
static double slide(double F, double *before) {
    machine m = {.net = dry_net_new()};
    const double angle = acos(0.0) / 1.5; /* of the axis against the vertical */
    dry_net_gravity(m.net, 0.0, 0.0, -9.8);
    MAKE(m.net, "block", "box", DRY_NUMBERS("size", 0.1), DRY_NUMBERS("mass", 2.0),
         DRY_NUMBERS("rotation", 0.0, angle, 0.0));
    MAKE(m.net, "slope", "slider", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("B", 800.0),
         DRY_NUMBERS("Kr", 100.0), DRY_NUMBERS("Br", 1.0), DRY_NUMBERS("F", F),
         DRY_NUMBERS("Kf", 1e5), DRY_NUMBERS("beta", 4e-3));
    dry_net_connect(m.net, "slope", (dry_end){.port = "block"},
                    (dry_end){.turn = {cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0}});
    machine_begin(&m, "rk4-tau", (dry_ode_options){.step = 1e-4}, NULL);
    const double *v = machine_at(&m, "block.v[1]");
    machine_go(&m, 1.0);
    *before = dry_norm(3, v);
    machine_go(&m, 2.0);
    const double after = dry_norm(3, v);
    machine_end(&m);
    return after;
}
static void test_slider(void **state) {
    double before;
    (void)state;
    below(slide(10.0, &before), 1e-15);
    const double after = slide(9.0, &before);
    closer(after - before, 0.4, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_of_a_hung_box),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_load_on_the_tip),
        cmocka_unit_test(test_arm_does_not_gain),
        cmocka_unit_test(test_arm_holds),
        cmocka_unit_test(test_slider),
        cmocka_unit_test(test_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
