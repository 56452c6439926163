/* KY08 Simulations II and III: a two-link arm with friction in its joints, as one arm and as two
 * bodies on hinges, under torques that end below the friction level.
 *
 * The paper does not tell the arm; uniform rods of 0.2 kg and 0.5 m from (0, 60 deg) stop when the
 * paper says. The numbers are those of experiment 7, computed from the closed-form equations:
 * angles (1.535397, 3.918325) rad at 8 s with T = 1e-4, (1.535444, 3.918418) for T -> 0; last slip
 * at 4.541 and 4.277 s; LuGre drifts by 6.7e-3 and 6.0e-3 rad/s; Simulation III differs by 2.7e-5
 * rad with joints of 1e6 N/m, which open by 0.9 um, and by 1.5e-3 rad with 1e4 N/m and the same
 * damping ratio. */
#include "unit.h"

#include "machine.h"

static const double T = 1e-4, M = 0.2, L = 0.5;

/* KY08 (28c), (28d); what else there is in a relative motion is not driven. */
static double torque(int joint, double t) {
    if (t < 4.0) return dry_min(0.52, 0.3 * t);
    return 0.336 + 0.144 * (joint == 0 ? sin(100.0 * t) : cos(100.0 * t));
}
static const int joints[2] = {0, 1};
static void drive(const void *user, double t, const double *motion, double *f) {
    (void)motion;
    *f = torque(*(const int *)user, t);
}
static void drive_hinge(const void *user, double t, const double *motion, double *f) {
    for (int i = 0; i < 5; i++) f[i] = 0.0;
    drive(user, t, motion, f + 5);
}

/* ---- Simulation II ------------------------------------------------------------------------ */

static void build_arm(machine *m, const char *friction, double B) {
    const dry_port port = {.name = "", .unit = "rad", .dim = 1, .kind = DRY_COORDINATE};
    static const char *const names[2][3] = {{"arm.joint1", "friction1", "motor1"},
                                            {"arm.joint2", "friction2", "motor2"}};
    m->net = dry_net_new();
    MAKE(m->net, "arm", "arm", DRY_NUMBERS("links", 2.0), DRY_NUMBERS("length", L),
         DRY_NUMBERS("mass", M), DRY_NUMBERS("q", 0.0, acos(0.5)));
    for (int i = 0; i < 2; i++) {
        const bool lugre = strcmp(friction, "rotary_lugre") == 0;
        MAKE(m->net, names[i][1], friction, DRY_NUMBERS("F", 0.5), DRY_NUMBERS("K", 5e3),
             DRY_NUMBERS(lugre ? "B" : "beta", lugre ? B : B / 5e3));
        dry_net_add(m->net, names[i][2],
                    dry_motor_part(dry_net_arena(m->net), port, drive, &joints[i]));
        dry_net_connect(m->net, names[i][1], (dry_end){.port = names[i][0]}, (dry_end){0});
        dry_net_connect(m->net, names[i][2], (dry_end){.port = names[i][0]}, (dry_end){0});
    }
}

static void test_arm_stops_and_stays(void **state) {
    machine m;
    double last_slip[2] = {0.0}, before[2], theta[2];
    (void)state;
    build_arm(&m, "rotary_coulomb", 1.0);
    machine_begin(&m, "rk4-tau", (dry_ode_options){.step = T}, NULL);
    const double *q = machine_at(&m, "arm.q[1]"), *q_dot = machine_at(&m, "arm.q_dot[1]");
    const double *a[2] = {machine_at(&m, "friction1.a"), machine_at(&m, "friction2.a")};
    for (int k = 1; k <= 5000; k++) {
        machine_go(&m, (double)(10 * k) * T); /* on the grid of the steps */
        /* slip: the stretch is no more the one of a stuck joint */
        for (int i = 0; i < 2; i++)
            if (fabs(5e3 * (*a[i] + 2e-4 * q_dot[i])) > 0.499) last_slip[i] = m.ode.t;
    }
    closer(last_slip[0], 4.541, 0.01);
    closer(last_slip[1], 4.277, 0.01);
    const double turn = acos(-1.0) / 50.0; /* a period of the torque: the same phase as at 8 s */
    machine_go(&m, 8.0 - 20.0 * turn);
    for (int i = 0; i < 2; i++) before[i] = q[i];
    machine_go(&m, 8.0);
    for (int i = 0; i < 2; i++) theta[i] = q[i];
    closer(theta[0], 1.535397, 2e-6);
    closer(theta[1], 3.918325, 2e-6);
    all_closer(2, theta, before, 1e-9);
    machine_end(&m);
}

/* T -> 0: the adaptive method, which locates where the joints begin and cease to slip. */
static void test_arm_converged(void **state) {
    machine m;
    (void)state;
    build_arm(&m, "rotary_coulomb", 1.0);
    machine_begin(&m, "dopri5", (dry_ode_options){.rtol = 1e-8, .atol = 1e-11}, NULL);
    machine_go(&m, 4.0);
    machine_go(&m, 8.0);
    const double *q = machine_at(&m, "arm.q[1]");
    closer(q[0], 1.535444, 1e-6);
    closer(q[1], 3.918418, 1e-6);
    above(m.ode.counts.kinks, 0);
    machine_end(&m);
}

/* LuGre lets the joints drift: rates over the last 15 periods of 6 s. */
static void test_lugre_drifts(void **state) {
    machine m;
    double before[2];
    (void)state;
    build_arm(&m, "rotary_lugre", 1.0);
    machine_begin(&m, "rk4", (dry_ode_options){.step = T}, NULL);
    const double *q = machine_at(&m, "arm.q[1]");
    const double turn = acos(-1.0) / 50.0;
    machine_go(&m, 6.0 - 15.0 * turn);
    for (int i = 0; i < 2; i++) before[i] = q[i];
    machine_go(&m, 6.0);
    closer((q[0] - before[0]) / (15.0 * turn), 6.7e-3, 1e-4);
    closer((q[1] - before[1]) / (15.0 * turn), 6.0e-3, 1e-4);
    machine_end(&m);
}

/* ---- Simulation III ------------------------------------------------------------------------ */

static void build_bodies(machine *m, double K) {
    const dry_port port = {.name = "", .unit = "", .kind = DRY_RELATIVE};
    const double I = M * L * L / 12.0, angle = acos(0.5);
    static const char *const names[2][3] = {{"link1", "hinge1", "motor1"},
                                            {"link2", "hinge2", "motor2"}};
    m->net = dry_net_new();
    MAKE(m->net, "link1", "rigid_body", DRY_NUMBERS("mass", M), DRY_NUMBERS("inertia", I),
         DRY_NUMBERS("p", 0.5 * L, 0.0, 0.0));
    MAKE(m->net, "link2", "rigid_body", DRY_NUMBERS("mass", M), DRY_NUMBERS("inertia", I),
         DRY_NUMBERS("p", L + 0.5 * L * cos(angle), 0.5 * L * sin(angle), 0.0),
         DRY_NUMBERS("rotation", 0.0, 0.0, angle));
    for (int i = 0; i < 2; i++) {
        const dry_end a = {.port = names[i][0], .at = {-0.5 * L}};
        const dry_end b = {.port = i ? "link1" : NULL, .at = {i ? 0.5 * L : 0.0}};
        MAKE(m->net, names[i][1], "hinge", DRY_NUMBERS("K", K), DRY_NUMBERS("B", 0.1 * sqrt(K)),
             DRY_NUMBERS("Kr", 1e3), DRY_NUMBERS("Br", 0.2), DRY_NUMBERS("F", 0.5),
             DRY_NUMBERS("Kf", 5e3), DRY_NUMBERS("beta", 2e-4));
        dry_net_add(m->net, names[i][2],
                    dry_motor_part(dry_net_arena(m->net), port, drive_hinge, &joints[i]));
        dry_net_connect(m->net, names[i][1], a, b);
        dry_net_connect(m->net, names[i][2], a, b);
    }
}

/* The angle about z nearest to `near`. */
static double yaw(const double *q, double near) {
    const double angle = 2.0 * atan2(q[3], q[0]), turn = 2.0 * acos(-1.0);
    return angle + turn * round((near - angle) / turn);
}

typedef struct compared {
    machine m;
    const double *x[2];
    double difference, gap; /* largest: of the angles to those of the arm; of the second joint */
} compared;

static void compare(compared *c, const double q[2]) {
    const double *const *x = c->x;
    const double first = yaw(x[0] + 6, q[0]), both = yaw(x[1] + 6, q[0] + q[1]);
    double end[3], begin[3];
    c->difference = dry_max(c->difference, fabs(first - q[0]));
    c->difference = dry_max(c->difference, fabs(both - first - q[1]));
    dry_quat_rotate(x[0] + 6, (const double[3]){0.5 * L}, end);
    dry_quat_rotate(x[1] + 6, (const double[3]){-0.5 * L}, begin);
    for (int i = 0; i < 3; i++) end[i] += x[0][i] - x[1][i] - begin[i];
    c->gap = dry_max(c->gap, dry_norm(3, end));
}

static void test_bodies_on_hinges(void **state) {
    static const double K[2] = {1e6, 1e4};
    compared bodies[2] = {0};
    machine arm;
    (void)state;
    build_arm(&arm, "rotary_coulomb", 1.0);
    machine_begin(&arm, "rk4-tau", (dry_ode_options){.step = T}, NULL);
    const double *q = machine_at(&arm, "arm.q[1]");
    for (int i = 0; i < 2; i++) {
        machine *m = &bodies[i].m;
        build_bodies(m, K[i]);
        machine_begin(m, "rk4-tau", (dry_ode_options){.step = T}, NULL);
        bodies[i].x[0] = machine_at(m, "link1.p[1]");
        bodies[i].x[1] = machine_at(m, "link2.p[1]");
    }
    for (int k = 1; k <= 5000; k++) {
        const double t = (double)(10 * k) * T; /* on the grid of the steps */
        machine_go(&arm, t);
        for (int i = 0; i < 2; i++) machine_go(&bodies[i].m, t);
        for (int i = 0; i < 2; i++) compare(&bodies[i], q);
    }
    closer(bodies[0].difference, 2.7e-5, 0.05e-5);
    closer(bodies[0].gap, 0.9e-6, 0.05e-6);
    closer(bodies[1].difference, 1.5e-3, 0.05e-3);
    for (int i = 0; i < 2; i++) machine_end(&bodies[i].m);
    machine_end(&arm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_stops_and_stays),
        cmocka_unit_test(test_arm_converged),
        cmocka_unit_test(test_lugre_drifts),
        cmocka_unit_test(test_bodies_on_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
