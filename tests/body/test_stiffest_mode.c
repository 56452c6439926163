/* The stiffest motion of bodies that lie on something, of a rod in a hinge, of an arm whose joint
 * sticks, told by hand. */
#include "unit.h"

#include "machine.h"
#include <math.h>

static const double K = 2e4, ALPHA = 2e-3, BETA = 4e-3;

/* The quotient of the power iteration stops at 1e-6, and w is known to the root of that: what has
 * no part in the motion has 1e-6 of the stiffness, 3.5e4. */
#define about(value, expected) near(value, expected, 1e-4 * fabs(expected) + 0.1)

static machine begin(double mu) {
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "ground", "plane", DRY_NUMBERS("p", 0.0, 0.0, 0.0));
    MAKE(m.net, "touch", "contact", DRY_NUMBERS("K", K), DRY_NUMBERS("alpha", ALPHA),
         DRY_NUMBERS("beta", BETA), DRY_NUMBERS("mu", mu));
    dry_net_connect(m.net, "touch", (dry_end){.port = "ground"}, (dry_end){0});
    return m;
}

/* omega 0: what is stiff when all is still */
static dry_net_mode ask(machine *m, dry_net_stiff by, bool crowd) {
    dry_net_mode mode;
    const dry_net_question question = {.by = by, .crowd = crowd};
    machine_begin(m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    assert_int_equal(dry_net_stiffest(m->net, m->ode.x, &question, &mode), DRY_OK);
    return mode;
}

/* Pressed: K/m. Stuck at the distance r from its centre: K (1/m + r^2/J), J = 2/5 m r^2. */
static void a_sphere_in_the_air_is_taken_to_lie(void **state) {
    (void)state;
    for (int stuck = 0; stuck < 2; stuck++) {
        machine m = begin(0.5);
        MAKE(m.net, "ball", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 2.0),
             DRY_NUMBERS("p", 0.0, 0.0, 7.0));
        dry_net_connect(m.net, "touch", (dry_end){.port = "ball"}, (dry_end){0});
        const dry_net_mode mode = ask(&m, stuck ? DRY_STIFF_ALL : DRY_STIFF_CLOSED, false);
        about(mode.per_mass.Kc, stuck ? 0.0 : K / 2.0);
        about(mode.per_mass.Kf, stuck ? 3.5 * K / 2.0 : 0.0);
        assert_int_equal(mode.part, dry_net_part_find(m.net, "touch"));
        about(mode.beta, BETA);
        machine_end(&m);
    }
}

/* A flat box on four corners without friction: up and down 4 K/m, about an axis across it
 * 4 K (a/2)^2/J with J = m (a^2 + c^2)/12. */
static void a_box_rocks_on_its_largest_face(void **state) {
    (void)state;
    const double a = 0.4, c = 0.05, mass = 3.0;
    machine m = begin(0.0);
    MAKE(m.net, "plate", "box", DRY_NUMBERS("size", c, a, a), DRY_NUMBERS("mass", mass));
    dry_net_connect(m.net, "touch", (dry_end){.port = "plate"}, (dry_end){0});
    const dry_net_mode mode = ask(&m, DRY_STIFF_ALL, false);
    about(mode.per_mass.Kc, K * a * a * 12.0 / (mass * (a * a + c * c)));
    about(mode.per_mass.alpha, ALPHA);
    machine_end(&m);
}

/* Two of them, from two sides, each giving way: four times as stiff. */
static void a_crowd_is_stiffer(void **state) {
    (void)state;
    machine m = begin(0.0);
    MAKE(m.net, "low", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 1.0));
    MAKE(m.net, "high", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 1.0),
         DRY_NUMBERS("p", 0.0, 0.0, 1.0));
    dry_net_connect(m.net, "touch", (dry_end){.port = "low"}, (dry_end){0});
    dry_net_connect(m.net, "touch", (dry_end){.port = "high"}, (dry_end){0});
    about(ask(&m, DRY_STIFF_ALL, true).per_mass.Kc, 4.0 * K);
    machine_end(&m);
}

/* A body held at a point by springs in all directions, and against turning: the stiffest turn is
 * about the axis of the least inertia, Kr/J. */
static void a_weld_holds_the_slimmest_axis_hardest(void **state) {
    (void)state;
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "rod", "rigid_body", DRY_NUMBERS("mass", 1.0),
         DRY_NUMBERS("inertia", 1e-4, 1e-2, 1e-2));
    MAKE(m.net, "weld", "weld", DRY_NUMBERS("K", 1e4), DRY_NUMBERS("B", 1.0),
         DRY_NUMBERS("Kr", 50.0), DRY_NUMBERS("Br", 0.01));
    dry_net_connect(m.net, "weld", (dry_end){.port = "rod"}, (dry_end){0});
    const dry_net_mode mode = ask(&m, DRY_STIFF_ALL, false);
    about(mode.per_mass.K, 50.0 / 1e-4);
    about(mode.per_mass.C, 0.01 / 1e-4);
    machine_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_in_the_air_is_taken_to_lie),
        cmocka_unit_test(a_box_rocks_on_its_largest_face),
        cmocka_unit_test(a_crowd_is_stiffer),
        cmocka_unit_test(a_weld_holds_the_slimmest_axis_hardest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
