/* Joints that are told their friction level F alone: the element that is chosen for them fits the
 * inertia of their two ends, whatever that is. Light and heavy bodies slide under F, come to rest
 * without ringing, and hold a load without creep. */
#include "unit.h"

#include "design/designed.h"
#include "machine.h"

static const double SWING = 500.0; /* rad/s, of the chosen element */

/* ---- what is chosen -------------------------------------------------------------------- */

/* A rod of moment J = M L^2/12 about its middle, on a hinge at one end: J + M (L/2)^2 is to be
 * stopped. K and Kr are so stiff that at 500 rad/s they give way by a part of 1e-6. */
static void test_lever_arm(void **state) {
    const double M = 3.0, L = 0.4, J = M * L * L / 12.0 + M * L * L / 4.0;
    dry_net *net = dry_net_new();
    const dry_system *system;
    (void)state;
    MAKE(net, "rod", "rigid_body", DRY_NUMBERS("mass", M),
         DRY_NUMBERS("inertia", 1e-3, M * L * L / 12.0, M * L * L / 12.0));
    MAKE(net, "pin", "hinge", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("K", 1e13),
         DRY_NUMBERS("Kr", 1e13));
    dry_net_connect(net, "pin", (dry_end){.port = "rod", .at = {0.5 * L}},
                    (dry_end){.at = {0.5 * L}});
    assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
    near_share(par_of(system, "pin.Kf"), J * SWING * SWING, 1e-6);
    near_share(par_of(system, "pin.beta"), 2.0 / SWING, 1e-12);
    dry_net_free(net);
}

/* Two wheels on one axle: 1/m = 1/J1 + 1/J2, of which five joints have a fifth each. What is told
 * is kept; Kf alone goes with 0.2 ms. */
static void test_two_bodies(void **state) {
    const double J1 = 0.02, J2 = 0.5, m = J1 * J2 / (J1 + J2) / 5.0;
    dry_net *net = dry_net_new();
    const dry_system *system;
    (void)state;
    dry_net_gravity(net, 0.0, 0.0, -9.8);
    MAKE(net, "a", "rigid_body", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", J1),
         DRY_NUMBERS("omega", 3.0, 4.0, 5.0));
    MAKE(net, "b", "rigid_body", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("inertia", J2));
    MAKE(net, "open", "hinge", DRY_NUMBERS("F", 1.0));
    MAKE(net, "stiff", "hinge", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("Kf", 700.0));
    MAKE(net, "told", "hinge", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("Kf", 700.0),
         DRY_NUMBERS("beta", 0.125));
    MAKE(net, "ball", "ball_joint", DRY_NUMBERS("F", 1.0));
    MAKE(net, "rail", "slider", DRY_NUMBERS("F", 1.0));
    static const char *const joints[] = {"open", "stiff", "told", "ball", "rail"};
    for (int i = 0; i < 5; i++)
        dry_net_connect(net, joints[i], (dry_end){.port = "a"}, (dry_end){.port = "b"});
    assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
    near_share(par_of(system, "open.Kf"), m * SWING * SWING, 1e-12);
    near_share(par_of(system, "open.beta"), 2.0 / SWING, 1e-12);
    equal(par_of(system, "stiff.Kf"), 700.0);
    equal(par_of(system, "stiff.beta"), 2e-4);
    equal(par_of(system, "told.Kf"), 700.0);
    equal(par_of(system, "told.beta"), 0.125);
    near_share(par_of(system, "ball.Kf"), m * SWING * SWING, 1e-12);
    near_share(par_of(system, "rail.Kf"), 1.0 * 2.0 / (1.0 + 2.0) / 5.0 * SWING * SWING, 1e-12);
    dry_net_free(net);
}

/* Of an arm, what its own joints let move: a rod on a joint, and a hinge at its tip about the same
 * axis. The tip itself cannot go anywhere but round: with the tip held nothing moves. */
static void test_arm_that_cannot_move(void **state) {
    dry_net *net = dry_net_new();
    const dry_system *system;
    (void)state;
    MAKE(net, "arm", "arm", DRY_NUMBERS("links", 1.0), DRY_NUMBERS("length", 0.5),
         DRY_NUMBERS("mass", 2.0));
    MAKE(net, "pin", "hinge", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("K", 1e6), DRY_NUMBERS("Kr", 1e3));
    dry_net_connect(net, "pin", (dry_end){.port = "arm.tip"}, (dry_end){.at = {0.5}});
    assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
    /* M L^2/3, and K L^2/w^2 of the point that holds it, in the axes of the joint */
    const double J = 2.0 * 0.25 / 3.0 + 1e6 * 0.25 / (SWING * SWING);
    near_share(par_of(system, "pin.Kf"), J * SWING * SWING, 1e-9);
    dry_net_free(net);
}

/* ---- what it does ---------------------------------------------------------------------- */

typedef struct scene {
    const char *joint;
    double mass, side;   /* of a cube */
    double arm;          /* from its middle to the axis, as a part of the side */
    double K, B, Kr, Br; /* 0: not given */
    const char *method;
    double step;
} scene;

/* Where K and so on are given the steps are those that they allow for such a body. */
#define GIVEN 1e6, 100.0, 1e3, 0.2
#define OPEN 0.0, 0.0, 0.0, 0.0
static const scene scenes[] = {
    {"hinge", 5e-3, 0.1, 0.0, GIVEN, "semi-implicit", 5e-5},
    {"hinge", 5e-3, 0.1, 0.0, OPEN, "semi-implicit", 1e-3},
    {"hinge", 5e-3, 0.1, 0.0, OPEN, "rk4", 1e-3},
    {"hinge", 500.0, 1.0, 0.0, GIVEN, "semi-implicit", 1e-3},
    {"hinge", 500.0, 1.0, 0.0, GIVEN, "rk4", 1e-3},
    {"hinge", 500.0, 1.0, 0.5, 1e9, 1e6, 1e7, 1e4, "semi-implicit", 1e-4},
    {"hinge", 500.0, 1.0, 0.0, OPEN, "rk4", 1e-3},
    {"slider", 5e-3, 0.1, 0.0, GIVEN, "semi-implicit", 5e-5},
    {"slider", 5e-3, 0.1, 0.0, OPEN, "rk4", 1e-3},
    {"slider", 500.0, 1.0, 0.0, GIVEN, "rk4-tau", 1e-3},
    {"slider", 500.0, 1.0, 0.0, OPEN, "semi-implicit", 1e-3},
};
enum { SCENES = (int)(sizeof scenes / sizeof *scenes) };

/* What is to be stopped: M along an axis; about it J + M r^2. */
static double inertia(const scene *s) {
    const double r = s->arm * s->side, J = s->mass * s->side * s->side / 6.0;
    return strcmp(s->joint, "slider") == 0 ? s->mass : J + s->mass * r * r;
}

typedef struct load {
    int at; /* in the force of the port */
    double f;
} load;
static void push(const void *user, double t, const double *motion, double *f) {
    const load *l = user;
    (void)t, (void)motion;
    for (int i = 0; i < 6; i++) f[i] = i == l->at ? l->f : 0.0;
}

/* At the speed u of the joint at the start, with the level F and a load. */
static void begin(machine *m, const scene *s, double u, double F, const load *l) {
    const dry_port port = {.name = "", .unit = "", .kind = DRY_RELATIVE};
    const bool slides = strcmp(s->joint, "slider") == 0;
    const double r = s->arm * s->side;
    const dry_end a = {.port = "body", .at = {-r}}, b = {.at = {-r}};
    m->net = dry_net_new();
    MAKE(m->net, "body", "box", DRY_NUMBERS("size", s->side), DRY_NUMBERS("mass", s->mass),
         DRY_NUMBERS("v", 0.0, slides ? 0.0 : u * r, slides ? u : 0.0),
         DRY_NUMBERS("omega", 0.0, 0.0, slides ? 0.0 : u));
    const dry_value values[] = {DRY_NUMBERS("F", F), DRY_NUMBERS("K", s->K), DRY_NUMBERS("B", s->B),
                                DRY_NUMBERS("Kr", s->Kr), DRY_NUMBERS("Br", s->Br)};
    dry_net_make(m->net, "joint", dry_kind_find(s->joint), values, s->K > 0.0 ? 5 : 1);
    dry_net_add(m->net, "push", dry_motor_part(dry_net_arena(m->net), port, push, l));
    dry_net_connect(m->net, "joint", a, b);
    dry_net_connect(m->net, "push", a, b);
    machine_begin(m, s->method, (dry_ode_options){.step = s->step}, NULL);
}
static load load_of(const scene *s, double f) {
    return (load){strcmp(s->joint, "slider") == 0 ? 2 : 5, f};
}
static double speed(const machine *m, const scene *s) {
    return *machine_at(m, strcmp(s->joint, "slider") == 0 ? "body.v[3]" : "body.omega[3]");
}
static double place(const machine *m, const scene *s) {
    if (strcmp(s->joint, "slider") == 0) return *machine_at(m, "body.p[3]");
    return 2.0 * asin(*machine_at(m, "body.q[4]"));
}

/* With F = m u/T it slows down evenly and rests at T. What is stretched then springs back, by
 * F/Kf = u/(T SWING^2), which turns its speed once; in the time after that it comes to rest to
 * 1e-9 of u, without turning again and again. */
static void slow_down(const scene *s) {
    const double u = 1.0, T = 0.2;
    const load none = load_of(s, 0.0);
    machine m;
    int turns = 0;
    begin(&m, s, u, inertia(s) * u / T, &none);
    machine_go(&m, 0.5 * T);
    near_share(speed(&m, s), 0.5 * u, 2e-3);
    machine_go(&m, T + 0.02);
    double before = speed(&m, s);
    for (int k = 1; k <= 400; k++) {
        machine_go(&m, T + 0.02 + 1e-3 * k);
        const double now = speed(&m, s);
        turns += now * before < 0.0 && fabs(now) > 1e-9 * u;
        before = now;
    }
    assert_in_range(turns, 0, 1);
    closer(before, 0.0, 1e-9 * u);
    machine_end(&m);
}
static void test_comes_to_rest(void **state) {
    (void)state;
    for (int i = 0; i < SCENES; i++) slow_down(&scenes[i]);
}

/* Under 0.8 F, which comes at once and adds 0.8 F exp(-2) for a while, it gives way by 0.8 F/Kf and
 * stays there; under 1.1 F it is accelerated by 0.1 F. */
static void hold_on(const scene *s) {
    const double F = 2.0 * inertia(s);
    const load less = load_of(s, 0.8 * F), more = load_of(s, 1.1 * F);
    machine m;
    begin(&m, s, 0.0, F, &less);
    machine_go(&m, 1.0);
    const double there = place(&m, s);
    machine_go(&m, 2.0);
    closer(place(&m, s), there, 1e-6 * fabs(there));
    near_share(there, 0.8 * F / par_of(m.system, "joint.Kf"), 1e-3);
    machine_end(&m);
    begin(&m, s, 0.0, F, &more);
    machine_go(&m, 0.5);
    const double before = speed(&m, s);
    machine_go(&m, 1.0);
    near_share((speed(&m, s) - before) / 0.5, 0.1 * F / inertia(s), 1e-2);
    machine_end(&m);
}
static void test_holds_and_slips(void **state) {
    (void)state;
    for (int i = 0; i < SCENES; i++) hold_on(&scenes[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lever_arm),
        cmocka_unit_test(test_two_bodies),
        cmocka_unit_test(test_arm_that_cannot_move),
        cmocka_unit_test(test_comes_to_rest),
        cmocka_unit_test(test_holds_and_slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
