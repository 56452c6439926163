/* Contacts that are told a restitution, or nothing: balls and boxes leave with that share of their
 * speed, and what lies stays where it is. */
#include "unit.h"

#include "body/machine.h"
#include "designed.h"
#include <stdio.h>

static const char *const methods[] = {"rk4", "rk4-tau", "semi-implicit"};
enum { METHODS = 3 };
static const double wanted[] = {0.3, 0.5, 0.8, 1.0};
enum { WANTED = 4 };

static void begin(machine *m, const char *method, double step) {
    const dry_pace pace = {.omega = 0.5 / step, .method = dry_method_find(method), .step = step};
    dry_error error = {0};
    if (dry_net_system(m->net, &designed, &m->system, &error) != DRY_OK) fail_msg("%s", error.text);
    assert_int_equal(dry_design_for(m->net, &pace), DRY_OK);
    machine_begin(m, method, (dry_ode_options){.step = step}, NULL);
}

static void add_plane(machine *m, const char *name) {
    dry_net_make(m->net, name, dry_kind_find("plane"), NULL, 0);
}
static void touches(machine *m, const char *frame) {
    dry_net_connect(m->net, "touch", (dry_end){.port = frame}, (dry_end){0});
}

/* ---- impacts ------------------------------------------------------------------------------- */

static void add_ball(machine *m, const char *name, double mass, double x, double v) {
    MAKE(m->net, name, "sphere", DRY_NUMBERS("radius", 0.05), DRY_NUMBERS("mass", mass),
         DRY_NUMBERS("p", x, 0.0, 0.1537), DRY_NUMBERS("v", v, 0.0, v == 0.0 ? -1.0 : 0.0));
}

/* Newton: v' = -e v. 12 steps of an impact leave 5e-3 of the phase of the first. */
static void a_ball_leaves_the_floor(void **state) {
    (void)state;
    for (int i = 0; i < METHODS * WANTED * 2; i++) {
        const char *method = methods[i / 2 / WANTED];
        const double e = wanted[i / 2 % WANTED], step = i % 2 ? 1e-3 : 1e-4;
        machine m = {.net = dry_net_new()};
        add_ball(&m, "ball", i % 2 ? 0.02 : 300.0, 0.0, 0.0);
        add_plane(&m, "floor");
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", 0.3), DRY_NUMBERS("restitution", e));
        touches(&m, "ball");
        touches(&m, "floor");
        begin(&m, method, step);
        machine_go(&m, 0.2);
        near_case(machine_at(&m, "ball.v[1]")[2], e, 6e-3, "%s, e = %g", method, e);
        machine_end(&m);
    }
}

/* (v1 - v2)' = -e (v1 - v2), momentum is kept. Alone the two have the mass that is chosen for; with
 * a floor to fall on it is 2^(1/4) of each of both, which 0.3 misses by 0.010. */
static void two_balls_part(void **state) {
    const double m1 = 0.4, m2 = 0.4;
    (void)state;
    for (int i = 0; i < METHODS * WANTED * 2; i++) {
        const char *method = methods[i / 2 / WANTED];
        const double e = wanted[i / 2 % WANTED];
        const bool floor = i % 2;
        machine m = {.net = dry_net_new()};
        add_ball(&m, "one", m1, 0.0, 1.0);
        add_ball(&m, "two", m2, 0.2013, -1.0);
        if (floor) add_plane(&m, "floor");
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", 0.3), DRY_NUMBERS("restitution", e));
        touches(&m, "one");
        touches(&m, "two");
        if (floor) touches(&m, "floor");
        begin(&m, method, 1e-3);
        machine_go(&m, 0.2);
        const double v1 = machine_at(&m, "one.v[1]")[0], v2 = machine_at(&m, "two.v[1]")[0];
        near_case(v1 + v2, 0.0, 1e-12, "e = %g", e);
        near_case(0.5 * (v2 - v1), e, floor ? 1.5e-2 : 6e-3, "%s, e = %g", method, e);
        machine_end(&m);
    }
}

/* A cube that falls flat lands on its four corners, a fourth of its mass on each; met at one corner
 * it gives way as 1/m + 2 a^2/(2/3 m a^2) = 4/m: the same mass. */
static void a_cube_lands_flat(void **state) {
    (void)state;
    for (int i = 0; i < METHODS * WANTED; i++) {
        const double e = wanted[i % WANTED];
        machine m = {.net = dry_net_new()};
        MAKE(m.net, "cube", "box", DRY_NUMBERS("size", 0.1, 0.1, 0.1), DRY_NUMBERS("mass", 3.0),
             DRY_NUMBERS("p", 0.0, 0.0, 0.1537), DRY_NUMBERS("v", 0.0, 0.0, -1.0));
        add_plane(&m, "floor");
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", 0.3), DRY_NUMBERS("restitution", e));
        touches(&m, "cube");
        touches(&m, "floor");
        begin(&m, methods[i / WANTED], 1e-3);
        machine_go(&m, 0.3);
        near_case(machine_at(&m, "cube.v[1]")[2], e, 6e-3, "%s, e = %g", methods[i / WANTED], e);
        machine_end(&m);
    }
}

/* K is kept; alpha and beta are made for it. */
static void a_stiffness_that_is_given_is_kept(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const double e = 0.6, K = 900.0;
        machine m = {.net = dry_net_new()};
        add_ball(&m, "ball", 0.2, 0.0, 0.0);
        add_plane(&m, "floor");
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("K", K), DRY_NUMBERS("restitution", e));
        touches(&m, "ball");
        touches(&m, "floor");
        begin(&m, methods[i], 1e-3);
        equal(par_of(m.system, "touch.K"), K);
        machine_go(&m, 0.25);
        near_case(machine_at(&m, "ball.v[1]")[2], e, 6e-3, "%s, e = %g", methods[i], e);
        machine_end(&m);
    }
}

/* ---- stops of what turns --------------------------------------------------------------------- */

/* A rod of M, L on the joint of an arm has M L^2/3 there, a door on a hinge M (L^2/3 + d^2/12): the
 * stop is as stiff for it as for a rotor of that inertia. A hinge is soft beside that by some per
 * cent, and takes some of the impact. */
static void what_turns_meets_a_stop(void **state) {
    const double M = 30.0, L = 0.9, d = 0.04, e = 0.5;
    (void)state;
    for (int i = 0; i < METHODS * 3; i++) {
        static const char *const speeds[] = {"rotor.v", "arm.q_dot[1]", "door.omega[3]"};
        const char *method = methods[i / 3];
        const int kind = i % 3;
        const double J = M * L * L / 3.0 + (kind == 2 ? M * d * d / 12.0 : 0.0);
        machine m = {.net = dry_net_new()};
        if (kind == 0)
            MAKE(m.net, "rotor", "rotor", DRY_NUMBERS("inertia", J), DRY_NUMBERS("v", 1.0));
        if (kind == 1)
            MAKE(m.net, "arm", "arm", DRY_NUMBERS("links", 1.0), DRY_NUMBERS("length", L),
                 DRY_NUMBERS("mass", M), DRY_NUMBERS("q_dot", 1.0));
        if (kind == 2) {
            MAKE(m.net, "door", "box", DRY_NUMBERS("size", L, d, 2.0), DRY_NUMBERS("mass", M),
                 DRY_NUMBERS("p", 0.5 * L, 0.0, 1.0), DRY_NUMBERS("v", 0.0, 0.5 * L, 0.0),
                 DRY_NUMBERS("omega", 0.0, 0.0, 1.0));
            dry_net_make(m.net, "pin", dry_kind_find("hinge"), NULL, 0);
            dry_net_connect(m.net, "pin", (dry_end){.port = "door", .at = {-0.5 * L, 0.0, 0.0}},
                            (dry_end){.at = {0.0, 0.0, 1.0}});
        }
        MAKE(m.net, "ends", "rotary_stop", DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 0.3007),
             DRY_NUMBERS("restitution", e));
        static const char *const on[] = {"rotor", "arm.joint1", "pin"};
        dry_net_connect(m.net, "ends", (dry_end){.port = on[kind]}, (dry_end){0});
        begin(&m, method, 1e-3);
        /* 12 steps: K = J (2.168/12)^2/T^2, law.h */
        near_share(par_of(m.system, "ends.K") / (J * 3.264e4), 1.0, kind == 2 ? 0.08 : 1e-3);
        machine_go(&m, 0.4);
        near_case(*machine_at(&m, speeds[kind]), -e, kind == 2 ? 0.05 : 6e-3, "%s, e = %g", method,
                  e);
        machine_end(&m);
    }
}

/* ---- what lies ----------------------------------------------------------------------------- */

/* At 0.9 of the friction angle: between 1 s and 2 s nothing moves by more than the last digits. */
static void a_box_stands_on_a_slope(void **state) {
    const double mu = 0.5, s = 0.9 * atan(0.5), g = 9.81;
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        machine m = {.net = dry_net_new()};
        dry_net_gravity(m.net, g * sin(s), 0.0, -g * cos(s));
        MAKE(m.net, "box", "box", DRY_NUMBERS("size", 0.4, 0.3, 0.2), DRY_NUMBERS("mass", 4.0),
             DRY_NUMBERS("p", 0.0, 0.0, 0.1));
        add_plane(&m, "slope");
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", mu));
        touches(&m, "box");
        touches(&m, "slope");
        begin(&m, methods[i], 1e-3);
        machine_go(&m, 1.0);
        const double x = machine_at(&m, "box.p[1]")[0];
        machine_go(&m, 2.0);
        closer(machine_at(&m, "box.p[1]")[0], x, 1e-14);
        /* it gave way by the strain of four points: M g sin(s) = 4 Kt x, within the turn of the box
         */
        const double strain = 4.0 * g * sin(s) / (4.0 * par_of(m.system, "touch.Kt"));
        between(x, strain, 3.0 * strain);
        machine_end(&m);
    }
}

/* Ten bricks, one upon the other: they sink by the weight above each over four springs,
 * M g/(4 K) (1 + 2 + ... + 10), and stand. What rings slowest, at 2 sin(pi/42) (4 K/M)^(1/2) =
 * 49 rad/s, dies out by (beta - alpha) 49^2/2 = 3.7 1/s: from 0.25 m/s to 1e-3. */
static void a_stack_stands(void **state) {
    enum { BRICKS = 10 };
    const char *method = "semi-implicit"; /* rk4 takes four times as long */
    const double M = 1.0, g = 9.81, h = 0.06;
    (void)state;
    machine m = {.net = dry_net_new()};
    char name[32];
    dry_net_gravity(m.net, 0.0, 0.0, -g);
    add_plane(&m, "floor");
    MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", 0.5));
    touches(&m, "floor");
    for (int k = 0; k < BRICKS; k++) {
        snprintf(name, sizeof name, "brick%d", k);
        MAKE(m.net, name, "box", DRY_NUMBERS("size", 0.2, 0.1, h), DRY_NUMBERS("mass", M),
             DRY_NUMBERS("p", 0.0, 0.0, h * (k + 0.5)));
        touches(&m, name);
    }
    begin(&m, method, 3e-4);
    machine_go(&m, 1.6);
    const double *p = machine_at(&m, "brick9.p[1]"), *v = machine_at(&m, "brick9.v[1]");
    const double sinks = M * g / (4.0 * par_of(m.system, "touch.K")) * 55.0;
    near_share(h * 9.5 - p[2], sinks, 1e-2);
    below(sinks, 0.1 * h);
    if (!(dry_norm(2, p) < 1e-12 && dry_norm(3, v) < 1e-3))
        fail_msg("%s: %g m aside, %g m/s", method, dry_norm(2, p), dry_norm(3, v));
    machine_end(&m);
}

/* A hundred balls fall into a bin of planes and lie there. */
static void a_heap_lies(void **state) {
    enum { BALLS = 100 };
    const double r = 0.05, g = 9.81, half = 0.26, q = sqrt(0.5);
    (void)state;
    for (int i = 1; i < METHODS; i++) { /* rk4 is as rk4-tau */
        machine m = {.net = dry_net_new()};
        char name[32];
        dry_net_gravity(m.net, 0.0, 0.0, -g);
        add_plane(&m, "floor");
        MAKE(m.net, "west", "plane", DRY_NUMBERS("p", -half, 0, 0), DRY_NUMBERS("q", q, 0, q, 0));
        MAKE(m.net, "east", "plane", DRY_NUMBERS("p", half, 0, 0), DRY_NUMBERS("q", q, 0, -q, 0));
        MAKE(m.net, "south", "plane", DRY_NUMBERS("p", 0, -half, 0), DRY_NUMBERS("q", q, -q, 0, 0));
        MAKE(m.net, "north", "plane", DRY_NUMBERS("p", 0, half, 0), DRY_NUMBERS("q", q, q, 0, 0));
        MAKE(m.net, "touch", "contact", DRY_NUMBERS("mu", 0.4));
        static const char *const walls[] = {"floor", "west", "east", "south", "north"};
        for (int k = 0; k < 5; k++) touches(&m, walls[k]);
        for (int k = 0; k < BALLS; k++) {
            snprintf(name, sizeof name, "ball%d", k);
            MAKE(m.net, name, "sphere", DRY_NUMBERS("radius", r), DRY_NUMBERS("mass", 0.1),
                 DRY_NUMBERS("p", 2.05 * r * (k % 5 - 2) + 2e-3 * sin(k),
                             2.05 * r * (k / 5 % 5 - 2) + 2e-3 * cos(k),
                             1.05 * r + 2.2 * r * (k / 25)));
            touches(&m, name);
        }
        begin(&m, methods[i], 1e-3);
        machine_go(&m, 1.2);
        for (int k = 0; k < BALLS; k++) {
            snprintf(name, sizeof name, "ball%d.p[1]", k);
            const double *p = machine_at(&m, name);
            snprintf(name, sizeof name, "ball%d.v[1]", k);
            below(fabs(p[0]), half - 0.95 * r);
            below(fabs(p[1]), half - 0.95 * r);
            between(p[2], 0.9 * r, 12.0 * r); /* 4 m g/K is 0.06 r */
            below(dry_norm(3, machine_at(&m, name)), 0.2);
        }
        machine_end(&m);
    }
}

/* A net without a run: its pace omega stands for steps of 0.5/omega, 1 ms if nothing is given. With
 * restitution 0.3 an impact of 12 steps has K = M (1.716/12)^2/T^2 (law.h, the tangent design). */
static void a_pace_without_a_run(void **state) {
    (void)state;
    const double M = 0.7;
    machine m = {.net = dry_net_new()};
    dry_error error = {0};
    add_ball(&m, "ball", M, 0.0, 0.0);
    add_plane(&m, "floor");
    dry_net_make(m.net, "touch", dry_kind_find("contact"), NULL, 0);
    touches(&m, "ball");
    touches(&m, "floor");
    is_ok(dry_net_system(m.net, &designed, &m.system, &error), &error);
    near_share(par_of(m.system, "touch.K"), M * pow(1.716 / 12.0 / 1e-3, 2.0), 1e-3);
    for (double omega = 50.0; omega < 1e4; omega *= 10.0) {
        assert_int_equal(dry_design_at(m.net, omega), DRY_OK);
        near_share(par_of(m.system, "touch.K"), M * pow(1.716 / 12.0 * omega / 0.5, 2.0), 1e-3);
    }
    dry_net_free(m.net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_leaves_the_floor),
        cmocka_unit_test(a_pace_without_a_run),
        cmocka_unit_test(two_balls_part),
        cmocka_unit_test(a_cube_lands_flat),
        cmocka_unit_test(a_stiffness_that_is_given_is_kept),
        cmocka_unit_test(what_turns_meets_a_stop),
        cmocka_unit_test(a_box_stands_on_a_slope),
        cmocka_unit_test(a_stack_stands),
        cmocka_unit_test(a_heap_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
