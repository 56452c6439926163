/* Cylinders against geometry and closed forms: where they touch, what they weigh, that they roll,
 * stand, and go round as a disc does whose middle stands still. */
#include "unit.h"

#include "body/contact_private.h"
#include "machine.h"
#include <math.h>
#include <stdio.h>

typedef struct item {
    dry_shape shape;
    double c[3], R[9];
} item;

static const dry_shape wheel = {.kind = DRY_CYLINDER, .size = {0.5, 0.2}};
static const dry_shape plane = {.kind = DRY_PLANE};

static item at(dry_shape shape, double x, double y, double z) {
    return (item){shape, {x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}
static item turned(item it, double x, double y, double z, double angle) {
    const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    dry_body__matrix((const double[4]){cos(0.5 * angle), s * x, s * y, s * z}, it.R);
    return it;
}
static int slots_of(const item *a, const item *b) {
    const dry_body__solid_shape s = {.shape = &a->shape, .kind = a->shape.kind, .frame = 0};
    const dry_body__solid_shape t = {.shape = &b->shape, .kind = b->shape.kind, .frame = 1};
    return dry_body__slots(&s, &t);
}
/* Force on b and its moment about the origin, K = 1 N/m, at rest; how many points press, and the
 * deepest of them. */
static int press(const item *a, const item *b, double f[6], dry_body__point *first) {
    const dry_body__placed p = {&a->shape, a->c, a->R}, q = {&b->shape, b->c, b->R};
    int count = 0;
    for (int i = 0; i < 6; i++) f[i] = 0.0;
    for (int k = 0; k < slots_of(a, b); k++) {
        dry_body__point x = {.weight = 1.0};
        if (!dry_body__touch(a->shape.kind, b->shape.kind)(&p, &q, k, &x)) continue;
        const double N = x.weight * fmax(0.0, -x.psi),
                     push[3] = {N * x.n[0], N * x.n[1], N * x.n[2]};
        double m[3];
        if (!(N > 0.0)) continue;
        if (count++ == 0 || x.psi < first->psi) *first = x;
        closer(dry_norm(3, x.n), 1.0, 1e-12);
        dry_cross3(x.x, push, m);
        for (int i = 0; i < 3; i++) f[i] += push[i], f[3 + i] += m[i];
    }
    return count;
}

/* ---- where it touches ----------------------------------------------------------------------- */

static void test_on_a_plane(void **state) {
    const double right = 2.0 * atan(1.0);
    const item floor = at(plane, 0, 0, 0), stands = at(wheel, 0, 0, 0.19);
    const item lies = turned(at(wheel, 0, 0, 0.49), 1, 0, 0, right);
    const item tipped =
        turned(at(wheel, 0, 0, 0.5 * sin(0.7) + 0.2 * cos(0.7) - 0.01), 0, 1, 0, 0.7);
    double f[6];
    dry_body__point p;
    (void)state;
    assert_int_equal(press(&floor, &stands, f, &p), 4);
    near(f[2], 0.04, 1e-15);
    for (int i = 3; i < 6; i++) near(f[i], 0.0, 1e-15);
    assert_int_equal(press(&floor, &lies, f, &p), 2);
    near(p.psi, -0.01, 1e-15);
    near(fabs(p.x[1]), 0.2, 1e-15);
    assert_int_equal(press(&floor, &tipped, f, &p), 1);
    near(p.psi, -0.01, 1e-15);
    near(p.x[0], 0.5 * cos(0.7) - 0.2 * sin(0.7), 1e-15); /* of the lower rim */
}

static void test_beside_others(void **state) {
    const dry_shape ball = {.kind = DRY_SPHERE, .size = {0.3}};
    const dry_shape pill = {.kind = DRY_CAPSULE, .size = {0.1, 1.0}};
    const dry_shape cube = {.kind = DRY_BOX, .size = {1, 1, 1}};
    const double right = 2.0 * atan(1.0), s = sqrt(0.5);
    const item mid = at(wheel, 0, 0, 0), beside = at(ball, 0.79, 0, 0),
               above = at(ball, 0.1, 0, 0.49);
    const item rim = at(ball, 0.5 + 0.2, 0, 0.2 + 0.2),
               across = turned(at(pill, 0, 0, 0.29), 1, 0, 0, right);
    const item box = at(cube, 0, 0, 0), on = at(wheel, 0.1, 0, 1.19);
    const item lies = turned(at(wheel, 0, 0, 1.49), 1, 0, 0, right);
    const item edge = turned(at(wheel, 1.0 + 0.49 * s, 0, 1.0 + 0.49 * s), 1, 0, 0, right);
    const item rod = at((dry_shape){.kind = DRY_CYLINDER, .size = {0.5, 2.0}}, 0, 0, 0);
    const item other = turned(at(rod.shape, 0.99, 0, 0), 1, 0, 0, right);
    const item log = at(rod.shape, 0.99, 0, 3.0);
    double f[6];
    dry_body__point p;
    (void)state;
    assert_int_equal(press(&beside, &mid, f, &p), 1);
    near(f[0], -0.01, 1e-15); /* on the cylinder */
    assert_int_equal(press(&above, &mid, f, &p), 1);
    near(f[2], -0.01, 1e-15);
    assert_int_equal(press(&rim, &mid, f, &p), 1);
    near(p.psi, 0.2 * sqrt(2.0) - 0.3, 1e-15);
    near(p.n[0], -s, 1e-14);
    at_least(press(&across, &mid, f, &p), 1); /* a rod across an end */
    near(p.psi, -0.01, 1e-12);
    near(p.n[2], -1.0, 1e-12);
    assert_int_equal(press(&box, &on, f, &p), 4);
    near(f[2], 0.04, 1e-14);
    near(f[4], -0.004, 1e-14); /* about the middle of the box: x N = 0.1 0.04 */
    assert_int_equal(press(&box, &lies, f, &p), 2);
    near(f[2], 0.02, 1e-14);
    assert_int_equal(press(&box, &edge, f, &p), 2); /* a wheel at a step: on a line */
    near(p.psi, -0.01, 1e-12);
    near(p.n[0], s, 1e-12);
    near(f[0], 0.01 * s, 1e-12);
    near(f[2], 0.01 * s, 1e-12);
    assert_int_equal(press(&rod, &other, f, &p), 2); /* crossed: two points next to each other */
    near(p.psi, -0.01, 1e-9);
    near(f[0], 0.01, 1e-4);
    for (int i = 1; i < 6; i++) near(f[i], 0.0, 1e-9);
    at_least(press(&rod, &log, f, &p), 2); /* parallel: on the line where they overlap */
    near(p.psi, -0.01, 1e-12);
    at_least(f[0], 0.01);
    at_most(f[0], 0.03);
    near(f[4] / f[0], 1.5, 1e-2); /* from z = 1 to 2 */
    for (int i = 1; i < 6; i++) near(i == 4 ? 0.0 : f[i], 0.0, 1e-9);
}

/* Force and moment on a plane change with its position by no more than in proportion: from standing
 * over tipped to lying, at depths from next to nothing to a tenth of the radius. */
static void test_the_force_is_continuous(void **state) {
    const item floor = at(plane, 0, 0, 0);
    (void)state;
    for (int k = 0; k < 20000; k++) {
        const double angle = 1.57 * pow((k % 200) / 199.0, 4.0),
                     depth = 0.05 * pow(0.5, (k / 200) % 25);
        const double turn = 0.7 * (k / 5000), small = 1e-9;
        const double z = 0.5 * sin(angle) + 0.2 * cos(angle) - depth;
        item it = turned(at(wheel, 0, 0, z), cos(turn), sin(turn), 0, angle);
        item moved = turned(at(wheel, 0, 0, z + small), cos(turn + small), sin(turn - small), small,
                            angle + small);
        double f[6], g[6];
        dry_body__point p;
        press(&floor, &it, f, &p);
        press(&floor, &moved, g, &p);
        all_closer(6, f, g, 20.0 * small);
    }
}

/* ---- what it weighs, how it moves -------------------------------------------------------------
 */

#define CONTACT(K_, alpha_, beta_, mu_)                                                            \
    DRY_NUMBERS("K", K_), DRY_NUMBERS("alpha", alpha_), DRY_NUMBERS("beta", beta_),                \
        DRY_NUMBERS("mu", mu_)

static void touch(machine *m, const char *name) {
    dry_net_connect(m->net, "touch", (dry_end){.port = name}, (dry_end){0});
}
static void add_floor(machine *m) {
    dry_net_make(m->net, "floor", dry_kind_find("plane"), NULL, 0);
    touch(m, "floor");
}

/* Sums over 200^2 rings and layers of a body of density 7800 kg/m^3. */
static void test_mass_and_inertia(void **state) {
    const double r = 0.3, length = 0.5, pi = 4.0 * atan(1.0);
    double mass = 0.0, about = 0.0, across = 0.0;
    machine m = {.net = dry_net_new()};
    (void)state;
    for (int i = 0; i < 200; i++)
        for (int k = 0; k < 200; k++) {
            const double s = (i + 0.5) * r / 200, z = (k + 0.5) * length / 200 - 0.5 * length;
            const double dm = 7800.0 * 2.0 * pi * s * (r / 200) * (length / 200);
            mass += dm;
            about += dm * s * s;
            across += dm * (0.5 * s * s + z * z);
        }
    MAKE(m.net, "c", "cylinder", DRY_NUMBERS("radius", r), DRY_NUMBERS("length", length),
         DRY_NUMBERS("density", 7800.0));
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    near_share(par_of(m.system, "c.mass"), mass, 1e-4);
    near_share(par_of(m.system, "c.inertia[1]"), across, 1e-4);
    near_share(par_of(m.system, "c.inertia[2]"), across, 1e-4);
    near_share(par_of(m.system, "c.inertia[3]"), about, 1e-4);
    machine_end(&m);
}

/* A wheel that slides at first rolls with 2/3 of its speed; a disc that slides and spins on its end
 * comes to rest and stays. */
static void test_rolls_and_rests(void **state) {
    machine m = {.net = dry_net_new()};
    (void)state;
    MAKE(m.net, "touch", "contact", CONTACT(1e4, 0.9e-3, 6e-3, 0.5), DRY_NUMBERS("betat", 3e-3));
    add_floor(&m);
    MAKE(m.net, "wheel", "cylinder", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 0.05),
         DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0, 1, 0.1 - 9.81 / 2e4),
         DRY_NUMBERS("rotation", 2.0 * atan(1.0), 0, 0), DRY_NUMBERS("v", 1, 0, 0));
    MAKE(m.net, "disc", "cylinder", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 0.05),
         DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0, 0, 0.025), DRY_NUMBERS("v", 1, 0, 0),
         DRY_NUMBERS("omega", 0, 0, 20));
    touch(&m, "wheel");
    touch(&m, "disc");
    dry_net_gravity(m.net, 0.0, 0.0, -9.81);
    machine_begin(&m, "rk4", (dry_ode_options){.step = 5e-4}, NULL);
    machine_go(&m, 5.0);
    const double *w = machine_at(&m, "wheel.p[1]"), *d = machine_at(&m, "disc.p[1]");
    near_share(w[3], 2.0 / 3.0, 1e-9);
    near_share(w[11], 20.0 / 3.0, 1e-9);
    for (int i = 0; i < 3; i++) {
        closer(d[3 + i], 0.0, 1e-12);
        closer(d[10 + i], 0.0, 1e-12);
    }
    machine_end(&m);
}

/* Pulls a part down by about 9.81 N, wherever it goes. */
static void pull(machine *m, const char *spring, const char *part) {
    MAKE(m->net, spring, "spring", DRY_NUMBERS("K", 0.0981), DRY_NUMBERS("dim", 3));
    dry_net_connect(m->net, spring, (dry_end){.port = part}, (dry_end){.at = {0.0, 0.0, -100.0}});
}

/* On a heavy box a wheel that slides and then rolls, and a disc that slides and spins, do what they
 * do on a plane. */
static void test_a_box_is_a_floor(void **state) {
    double x[2][26] = {{0.0}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        machine m = {.net = dry_net_new()};
        MAKE(m.net, "touch", "contact", CONTACT(1e4, 0.9e-3, 6e-3, 0.5),
             DRY_NUMBERS("betat", 3e-3));
        if (i)
            MAKE(m.net, "floor", "box", DRY_NUMBERS("size", 20, 20, 2), DRY_NUMBERS("mass", 1e12),
                 DRY_NUMBERS("p", 0, 0, -1));
        else
            dry_net_make(m.net, "floor", dry_kind_find("plane"), NULL, 0);
        touch(&m, "floor");
        MAKE(m.net, "wheel", "cylinder", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 0.05),
             DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0, 1, 0.1 - 9.81 / 2e4),
             DRY_NUMBERS("rotation", 2.0 * atan(1.0), 0, 0), DRY_NUMBERS("v", 1, 0.1, 0));
        MAKE(m.net, "disc", "cylinder", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 0.05),
             DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0, 0, 0.025), DRY_NUMBERS("v", 1, 0, 0),
             DRY_NUMBERS("omega", 0, 0, 20));
        touch(&m, "wheel");
        touch(&m, "disc");
        pull(&m, "first", "wheel");
        pull(&m, "second", "disc");
        machine_begin(&m, "rk4", (dry_ode_options){.step = 5e-4}, NULL);
        machine_go(&m, 2.0);
        memcpy(x[i], machine_at(&m, "wheel.p[1]"), 13 * sizeof **x);
        memcpy(x[i] + 13, machine_at(&m, "disc.p[1]"), 13 * sizeof **x);
        machine_end(&m);
    }
    all_near(26, x[1], x[0], 1e-6);
    above(x[1][0], 1.0);
    above(x[1][3], 0.5); /* it rolls */
    near(x[1][3], 0.1 * x[1][11], 1e-5);
}

/* What stands on a box, partly beside it, or on another cylinder, on a slope of 0.1: it stays. */
static void test_stands_still(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        double before[3];
        machine m = {.net = dry_net_new()};
        MAKE(m.net, "touch", "contact", CONTACT(1e4, 0.9e-3, 6e-3, 0.5),
             DRY_NUMBERS("betat", 3e-3));
        dry_net_make(m.net, "floor", dry_kind_find("plane"), NULL, 0);
        touch(&m, "floor");
        if (i)
            MAKE(m.net, "base", "cylinder", DRY_NUMBERS("radius", 0.2), DRY_NUMBERS("length", 0.1),
                 DRY_NUMBERS("mass", 3.0), DRY_NUMBERS("p", 0, 0, 0.05));
        else
            MAKE(m.net, "base", "box", DRY_NUMBERS("size", 0.2, 0.2, 0.1), DRY_NUMBERS("mass", 3.0),
                 DRY_NUMBERS("p", 0, 0, 0.05));
        MAKE(m.net, "top", "cylinder", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("length", 0.05),
             DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0.03, 0.02, 0.125));
        touch(&m, "base");
        touch(&m, "top");
        dry_net_gravity(m.net, 1.0, 0.0, -9.81);
        machine_begin(&m, "rk4", (dry_ode_options){.step = 2e-4}, NULL);
        machine_go(&m, 1.5);
        memcpy(before, machine_at(&m, "top.p[1]"), sizeof before);
        machine_go(&m, 3.0);
        all_near(3, machine_at(&m, "top.p[1]"), before, 1e-9);
        near(before[0], 0.03, 2e-3);
        machine_end(&m);
    }
}

/* A thin disc whose plane makes the angle a with the floor goes round with its middle at rest and
 * rolls on its rim without slip if Omega^2 = 4 g/(r sin a); omega = Omega sin a along the diameter
 * through the point of contact. */
static void test_a_disc_goes_round(void **state) {
    const double r = 0.1, h = 1e-4, a = 0.5, Omega = sqrt(4.0 * 9.81 / (r * sin(a)));
    const double z = r * sin(a) + h * cos(a);
    machine m = {.net = dry_net_new()};
    (void)state;
    MAKE(m.net, "touch", "contact", CONTACT(1.7e6, 1.8e-5, 2e-3, 1.0), DRY_NUMBERS("betat", 5e-4));
    add_floor(&m);
    MAKE(m.net, "disc", "cylinder", DRY_NUMBERS("radius", r), DRY_NUMBERS("length", 2.0 * h),
         DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 0, 0, z), DRY_NUMBERS("rotation", 0, a, 0),
         DRY_NUMBERS("omega", Omega * sin(a) * cos(a), 0, -Omega * sin(a) * sin(a)));
    touch(&m, "disc");
    dry_net_gravity(m.net, 0.0, 0.0, -9.81);
    machine_begin(&m, "rk4", (dry_ode_options){.step = 2e-5}, NULL);
    for (int k = 1; k <= 100; k++) {
        machine_go(&m, 0.01 * k);
        const double *x = machine_at(&m, "disc.p[1]");
        near(x[2], z, 2e-4 * r);
        below(hypot(x[0], x[1]), 1e-2 * r);
        below(dry_norm(3, x + 3), 1e-3 * Omega * r);
    }
    machine_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_a_plane),
        cmocka_unit_test(test_beside_others),
        cmocka_unit_test(test_the_force_is_continuous),
        cmocka_unit_test(test_mass_and_inertia),
        cmocka_unit_test(test_rolls_and_rests),
        cmocka_unit_test(test_a_box_is_a_floor),
        cmocka_unit_test(test_stands_still),
        cmocka_unit_test(test_a_disc_goes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
