/* Joints that are told nothing: as stiff as is wanted for the inertia of their two ends, whatever
 * that is, and damped critically; together they are no stiffer than one alone. */
#include "unit.h"

#include "body/machine.h"
#include "designed.h"
#include <math.h>
#include <stdio.h>

static const double STANDARD = 500.0; /* rad/s, where nobody says more */

static double parallel(double a, double b) { return a * b / (a + b); }

/* ---- two bodies, the joint in the middle of both ------------------------------------------- */

static const struct {
    double m1, m2, J1, J2;
} pairs[] = {{5e-3, 5e-3, 1e-6, 1e-6}, {5e-3, 500.0, 2e-6, 80.0}, {500.0, 300.0, 80.0, 40.0}};
enum { PAIRS = (int)(sizeof pairs / sizeof *pairs) };

/* Body b moves against body a with v across the axis and turns with omega across it. */
static dry_net *joined(int k, const char *joint, const dry_value *values, int count, double v,
                       double omega) {
    dry_net *net = dry_net_new();
    MAKE(net, "a", "rigid_body", DRY_NUMBERS("mass", pairs[k].m1),
         DRY_NUMBERS("inertia", pairs[k].J1));
    MAKE(net, "b", "rigid_body", DRY_NUMBERS("mass", pairs[k].m2),
         DRY_NUMBERS("inertia", pairs[k].J2), DRY_NUMBERS("v", v, 0.0, 0.0),
         DRY_NUMBERS("omega", omega, 0.0, 0.0));
    dry_net_make(net, "joint", dry_kind_find(joint), values, count);
    dry_net_connect(net, "joint", (dry_end){.port = "b"}, (dry_end){.port = "a"});
    return net;
}

/* K = m w^2, B = 2 m w with 1/m = 1/m1 + 1/m2, and the same about the axes. W is found by
 * differences of velocities of 1/m: a few digits less than all. */
static void test_two_bodies(void **state) {
    static const char *const joints[] = {"hinge", "slider", "ball_joint", "weld"};
    (void)state;
    for (int k = 0; k < PAIRS; k++)
        for (int i = 0; i < 4; i++) {
            const double m = parallel(pairs[k].m1, pairs[k].m2),
                         J = parallel(pairs[k].J1, pairs[k].J2);
            const dry_system *system;
            dry_net *net = joined(k, joints[i], NULL, 0, 0.0, 0.0);
            assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
            for (double w = STANDARD; w < 3000.0; w += 1700.0) {
                assert_int_equal(dry_design_at(net, w), DRY_OK);
                near_share(par_of(system, "joint.K"), m * w * w, 1e-9);
                near_share(par_of(system, "joint.B"), 2.0 * m * w, 1e-9);
                if (strcmp(joints[i], "ball_joint") == 0) continue;
                near_share(par_of(system, "joint.Kr"), J * w * w, 1e-9);
                near_share(par_of(system, "joint.Br"), 2.0 * J * w, 1e-9);
            }
            dry_net_free(net);
        }
}

/* The motion itself: pushed with the speed u, a critically damped one goes as u t exp(-w t). Steps
 * of 0.02/w, whose error is 1e-8 and below; angles of 1e-5 rad. */
static void goes_as(int k, const dry_value *values, int count, double w, double w_turn) {
    const double u = 1e-3;
    machine m = {.net = joined(k, "weld", values, count, u, 0.01)};
    machine_begin(&m, "rk4", (dry_ode_options){.step = 0.02 / fmax(w, w_turn)}, NULL);
    for (int i = 1; i <= 4; i++) {
        const double t = 0.7 * i / fmin(w, w_turn);
        machine_go(&m, t);
        const double d = *machine_at(&m, "b.p[1]") - *machine_at(&m, "a.p[1]");
        const double angle = 2.0 * (*machine_at(&m, "b.q[2]") - *machine_at(&m, "a.q[2]"));
        near_share(d, u * t * exp(-w * t), 1e-6);
        near_share(angle, 0.01 * t * exp(-w_turn * t), 1e-6);
    }
    machine_end(&m);
}
static void test_damped_critically(void **state) {
    (void)state;
    for (int k = 0; k < PAIRS; k++) {
        const double m = parallel(pairs[k].m1, pairs[k].m2), J = parallel(pairs[k].J1, pairs[k].J2);
        const dry_value K = DRY_NUMBERS("K", m * 300.0 * 300.0),
                        both[] = {K, DRY_NUMBERS("Kr", J * 200.0 * 200.0)};
        goes_as(k, NULL, 0, STANDARD, STANDARD);
        goes_as(k, &K, 1, 300.0, STANDARD); /* B for the K that is given */
        goes_as(k, both, 2, 300.0, 200.0);
    }
}

/* What is given is kept, no damping too; the rest is told as chosen. */
static void test_given_is_kept(void **state) {
    const dry_value values[] = {DRY_NUMBERS("K", 700.0), DRY_NUMBERS("B", 0.0),
                                DRY_NUMBERS("Br", 0.25)};
    const dry_system *system;
    (void)state;
    dry_net *net = joined(0, "weld", values, 3, 0.0, 0.0);
    assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
    equal(par_of(system, "joint.K"), 700.0);
    equal(par_of(system, "joint.B"), 0.0);
    equal(par_of(system, "joint.Br"), 0.25);
    for (int i = 0; i < system->n_par; i++)
        assert_int_equal(dry_net_is_chosen(net, i),
                         strcmp(system->params[i].name, "joint.Kr") == 0);
    assert_int_equal(dry_design_at(net, 0.0), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_design_at(net, (double)INFINITY), DRY_BAD_ARGUMENT);
    dry_net_free(net);
}

/* ---- the stiffest motion -------------------------------------------------------------------- */

enum { MOST_STATES = 16 };
/* The start of a net, and what its functions need. */
typedef struct rest {
    double *x;
    dry_env env;
} rest;
static rest rest_of(const dry_net *net, const dry_system *system) {
    rest r = {calloc((size_t)system->n_states, sizeof(double)),
              {.model = net, .par = system->par, .work = calloc(1, system->work_size + 1)}};
    if (system->prepare) system->prepare(&r.env);
    system->start(&r.env, 0.0, r.x);
    return r;
}
static void rest_free(rest *r) {
    free(r->x);
    free(r->env.work);
}

/* The largest frequency of a system, rad/s: of its Jacobian, by differences of 1e-6, to some 1e-9;
 * without damping it is far from the other eigenvalues. */
static double fastest_of(const dry_net *net, const dry_system *system) {
    double J[MOST_STATES * MOST_STATES], up[MOST_STATES], down[MOST_STATES], most = 0.0;
    const int n = system->n_states;
    rest r = rest_of(net, system);
    at_most(n, MOST_STATES);
    for (int j = 0; j < n; j++) {
        const double h = 1e-6, at = r.x[j];
        r.x[j] = at + h;
        system->rate(&r.env, 0.0, 0.0, r.x, up);
        r.x[j] = at - h;
        system->rate(&r.env, 0.0, 0.0, r.x, down);
        r.x[j] = at;
        for (int i = 0; i < n; i++) J[i * n + j] = 0.5 * (up[i] - down[i]) / h;
    }
    assert_int_equal(dry_eigenvalues(n, J, up, down), DRY_OK);
    for (int i = 0; i < n; i++) most = fmax(most, down[i]);
    rest_free(&r);
    return most;
}

/* Its square, and that of all friction stuck, by power iteration, which comes from below. */
static double stiffest(const dry_net *net, const dry_system *system) {
    const dry_net_question q = {.omega = STANDARD};
    dry_net_mode mode;
    rest r = rest_of(net, system);
    assert_int_equal(dry_net_stiffest(net, r.x, &q, &mode), DRY_OK);
    rest_free(&r);
    return mode.per_mass.K + mode.per_mass.Kf;
}

/* A rod that a joint holds at the end of an arm, skew to its axes. */
static dry_net *held_rod(const char *joint, double arm, const dry_value *values, int count) {
    dry_net *net = dry_net_new();
    const dry_end a = {.port = "rod", .at = {arm, 0.0, 0.3 * arm}, .turn = {0.8, 0.36, 0.48, 0.0}};
    dry_end b = a;
    b.port = NULL;
    MAKE(net, "rod", "rigid_body", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("inertia", 0.1, 0.9, 1.0));
    dry_net_make(net, "joint", dry_kind_find(joint), values, count);
    dry_net_connect(net, "joint", a, b);
    return net;
}

static const double arms[] = {0.0, 0.1, 1.0, 10.0};
static void test_on_an_arm(void **state) {
    static const char *const joints[] = {"ball_joint", "hinge", "slider", "weld"};
    const dry_value undamped[] = {DRY_NUMBERS("B", 0.0), DRY_NUMBERS("Br", 0.0)};
    (void)state;
    for (int i = 0; i < 16; i++) {
        const dry_system *system;
        dry_net *net = held_rod(joints[i % 4], arms[i / 4], undamped, i % 4 ? 2 : 1);
        assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
        near_share(fastest_of(net, system), STANDARD, 1e-6);
        dry_net_free(net);
    }
}

/* With friction no motion is faster, and all of it is damped as that is. */
static void test_friction_on_an_arm(void **state) {
    static const char *const joints[] = {"ball_joint", "hinge", "slider"};
    const dry_value friction = DRY_NUMBERS("F", 2.0);
    (void)state;
    for (int i = 0; i < 12; i++) {
        const dry_system *system;
        dry_net *net = held_rod(joints[i % 3], arms[i / 3], &friction, 1);
        assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
        const double w = 2.0 / par_of(system, "joint.beta"), found = stiffest(net, system);
        at_most(w, (1.0 + 1e-9) * STANDARD);
        above(w, STANDARD / 3.0);
        at_most(2.0 / w * found, (1.0 + 1e-6) * 2.0 * STANDARD);
        near_share(par_of(system, "joint.B"), 2.0 * par_of(system, "joint.K") / w, 1e-12);
        dry_net_free(net);
    }
}

/* A chain of rods, and a body that ten others hang on: all of them together are no faster than
 * wanted, and not much slower: a pair of modes of two in turn is 2 - sqrt(2) apart at least. */
static void is_shared(int n, bool chain) {
    const dry_system *system;
    char rod[20], pin[20], before[20];
    dry_net *net = dry_net_new();
    for (int i = 0; i < n; i++) {
        snprintf(rod, sizeof rod, "rod%d", i);
        snprintf(before, sizeof before, "rod%d", chain ? i - 1 : 0);
        snprintf(pin, sizeof pin, "pin%d", i);
        MAKE(net, rod, "rigid_body", DRY_NUMBERS("mass", 0.2),
             DRY_NUMBERS("inertia", 1e-4, 1e-3, 1e-3), DRY_NUMBERS("p", 0.2 * i, 0.0, 0.0));
        MAKE(net, pin, "hinge", DRY_NUMBERS("F", 0.0));
        const double x = chain ? 0.1 : 0.2 * i - 0.1;
        dry_net_connect(net, pin, (dry_end){.port = rod, .at = {-0.1, 0.0, 0.0}},
                        i ? (dry_end){.port = before, .at = {x, 0.0, 0.0}}
                          : (dry_end){.at = {-0.1, 0.0, 0.0}});
    }
    assert_int_equal(dry_net_system(net, &designed, &system, NULL), DRY_OK);
    const double found = stiffest(net, system) / (STANDARD * STANDARD);
    if (!(found <= 1.0 + 1e-6 && found > 0.4)) fail_msg("%d rods: %g of what is wanted", n, found);
    dry_net_free(net);
}
static void test_shared(void **state) {
    (void)state;
    is_shared(2, true);
    is_shared(20, true);
    is_shared(11, false);
}

/* Between the world and what moves as it is told nothing is to be held: any numbers do. */
static void test_nothing_to_hold(void **state) {
    const dry_system *system;
    dry_net *net = dry_net_new();
    (void)state;
    MAKE(net, "base", "moving_frame", DRY_NUMBERS("amplitude", 0.01, 0.0, 0.0),
         DRY_NUMBERS("w", 1.0));
    MAKE(net, "stone", "rigid_body", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0));
    MAKE(net, "pin", "weld", DRY_NUMBERS("B", 1.0));
    dry_net_connect(net, "pin", (dry_end){.port = "base"}, (dry_end){0});
    if (dry_net_system(net, &designed, &system, NULL) != DRY_OK)
        fail_msg("%s", dry_net_mistake(net, 0)->text);
    above(par_of(system, "pin.K"), 0.0);
    is_finite(par_of(system, "pin.K"));
    above(par_of(system, "pin.Br"), 0.0);
    is_finite(par_of(system, "pin.Br"));
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_bodies),         cmocka_unit_test(test_damped_critically),
        cmocka_unit_test(test_given_is_kept),      cmocka_unit_test(test_on_an_arm),
        cmocka_unit_test(test_friction_on_an_arm), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_nothing_to_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
