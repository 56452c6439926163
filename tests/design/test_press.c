/* Contacts that are chosen with an eye to what presses at the start.
 *
 * A body that lies on n points under the load P sinks by P/(n K), whatever K is; chosen, K lets it
 * sink by no more than DRY_SINKS of the thinnest shape, as far as the step allows; a load that
 * would not sink so far changes nothing, to the last bit. */
#include "unit.h"

#include "body/machine.h"
#include "designed.h"

enum { KINDS = 5 };
static const double SIZE = 0.02, STEP = 1e-3; /* m, s */
static const int points[KINDS] = {1, 4, 2, 4, 2};

static void add_thing(machine *m, int kind) {
    const double right = 2.0 * atan(1.0);
    const dry_value mass = DRY_NUMBERS("mass", 1.0), p = DRY_NUMBERS("p", 0.0, 0.0, SIZE);
    const dry_value radius = DRY_NUMBERS("radius", SIZE),
                    length = DRY_NUMBERS("length", 2.0 * SIZE);
    const dry_value lying = DRY_NUMBERS("rotation", right, 0.0, 0.0);
    if (kind == 0) MAKE(m->net, "thing", "sphere", radius, mass, p);
    if (kind == 1)
        MAKE(m->net, "thing", "box", DRY_NUMBERS("size", 2 * SIZE, 2 * SIZE, 2 * SIZE), mass, p);
    if (kind == 2) MAKE(m->net, "thing", "capsule", radius, length, mass, p, lying);
    if (kind == 3) MAKE(m->net, "thing", "cylinder", radius, length, mass, p);
    if (kind == 4)
        MAKE(m->net, "thing", "cylinder", radius, DRY_NUMBERS("length", 2.5 * SIZE), mass, p,
             lying);
}

static void add_floor(machine *m, double restitution) {
    dry_net_make(m->net, "floor", dry_kind_find("plane"), NULL, 0);
    MAKE(m->net, "touch", "contact", DRY_NUMBERS("mu", 0.3),
         DRY_NUMBERS("restitution", restitution));
    dry_net_connect(m->net, "touch", (dry_end){.port = "floor"}, (dry_end){0});
    dry_net_connect(m->net, "touch", (dry_end){.port = "thing"}, (dry_end){0});
}

/* Chooses for a push downwards on the thing; what the contact says of it. */
static dry_net_press choose(machine *m, const char *method, double push) {
    dry_error error = {0};
    if (dry_net_system(m->net, &designed, &m->system, &error) != DRY_OK) fail_msg("%s", error.text);
    double *pushes = calloc((size_t)dry_net_force_count(m->net), sizeof *pushes);
    pushes[dry_net_force_find(m->net, "thing.f") + 2] = -push;
    const dry_pace pace = {
        .omega = 0.5 / STEP, .method = dry_method_find(method), .step = STEP, .pushes = pushes};
    assert_int_equal(dry_design_for(m->net, &pace), DRY_OK);
    free(pushes);
    dry_net_press press = {0};
    for (int i = 0; i < dry_net_part_count(m->net); i++)
        if (dry_net_press_at(m->net, i, &press)) return press;
    fail_msg("no contact was chosen");
    return press;
}

/* ---- the load ------------------------------------------------------------------------------ */

static void test_the_load_is_known(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        machine m = {.net = dry_net_new()};
        add_thing(&m, kind);
        add_floor(&m, 0.3);
        dry_net_gravity(m.net, 0.0, 0.0, -9.81);
        const dry_net_press press = choose(&m, "rk4", 50.0);
        near_share(press.load, (50.0 + 9.81) / points[kind], 1e-9);
        near_share(press.thinnest, 2.0 * SIZE, 1e-12);
        dry_net_free(m.net);
    }
}

/* A spring that is stretched by 0.1 m pulls with K 0.1 m. */
static void test_a_spring_presses(void **state) {
    machine m = {.net = dry_net_new()};
    (void)state;
    add_thing(&m, 0);
    add_floor(&m, 0.3);
    MAKE(m.net, "pull", "spring", DRY_NUMBERS("K", 400.0), DRY_NUMBERS("dim", 3));
    dry_net_connect(m.net, "pull", (dry_end){.port = "thing"},
                    (dry_end){.at = {0.0, 0.0, SIZE - 0.1}});
    near_share(choose(&m, "rk4", 0.0).load, 40.0, 1e-9);
    dry_net_free(m.net);
}

/* A slider along x carries the weight: along it a push presses, across it nothing does. */
static void test_joints_hold(void **state) {
    (void)state;
    for (int along = 0; along < 2; along++) {
        const double right = 2.0 * atan(1.0);
        machine m = {.net = dry_net_new()};
        add_thing(&m, 0);
        add_floor(&m, 0.3);
        dry_net_make(m.net, "rail", dry_kind_find("slider"), NULL, 0);
        const double c = cos(0.5 * right), s = sin(0.5 * right);
        const dry_end a = {.port = "thing", .turn = {c, 0.0, s, 0.0}};
        const dry_end b = {.at = {0.0, 0.0, SIZE}, .turn = {c, 0.0, s, 0.0}};
        const dry_end za = {.port = "thing"}, zb = {.at = {0.0, 0.0, SIZE}};
        dry_net_connect(m.net, "rail", along ? za : a, along ? zb : b);
        const double load = choose(&m, "rk4", 100.0).load;
        if (along) near_share(load, 100.0, 1e-3);
        if (!along) below(load, 5.0);
        dry_net_free(m.net);
    }
}

/* ---- what follows from it -------------------------------------------------------------------- */

static void test_a_small_load_changes_nothing(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        double K[2];
        for (int i = 0; i < 2; i++) {
            machine m = {.net = dry_net_new()};
            add_thing(&m, kind);
            add_floor(&m, 0.3);
            const dry_net_press press = choose(&m, "rk4", i ? 5.0 : 0.0);
            K[i] = press.K;
            equal(press.K, press.K_alone);
            dry_net_free(m.net);
        }
        equal(K[0], K[1]);
    }
}

/* At rest the depth is P/(n K), and with a load for which the step leaves room no more than
 * DRY_SINKS of the thing. */
static void test_it_sinks_by_load_over_stiffness(void **state) {
    static const char *const methods[] = {"rk4", "semi-implicit", "rk4-tau"};
    (void)state;
    for (int trial = 0; trial < 3 * KINDS; trial++) {
        const int kind = trial % KINDS;
        const double push = 60.0;
        machine m = {.net = dry_net_new()};
        add_thing(&m, kind);
        add_floor(&m, 0.3);
        dry_net_gravity(m.net, 0.0, 0.0, -push);
        const dry_net_press press = choose(&m, methods[trial / KINDS], 0.0);
        near_share(press.load, push / points[kind], 1e-9);
        if (trial < KINDS) above(press.K, press.K_alone);
        at_least(press.K, 0.999 * press.K_wanted);
        machine_begin(&m, methods[trial / KINDS], (dry_ode_options){.step = STEP}, NULL);
        machine_go(&m, 2.0);
        const double depth = SIZE - machine_at(&m, "thing.p[1]")[2];
        near_share(depth, push / (points[kind] * press.K), 1e-6);
        below(depth, DRY_SINKS * 2.0 * SIZE);
        machine_end(&m);
    }
}

/* No restitution leaves little of the bound of the step to K: it grows, and not as far as the load
 * wants. */
static void test_a_restitution_that_is_given_stays(void **state) {
    machine m = {.net = dry_net_new()};
    (void)state;
    add_thing(&m, 1);
    add_floor(&m, 0.0);
    const dry_net_press press = choose(&m, "rk4", 500.0);
    between(press.K, 1.01 * press.K_alone, 0.5 * press.K_wanted);
    dry_net_free(m.net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_load_is_known),
        cmocka_unit_test(test_a_spring_presses),
        cmocka_unit_test(test_joints_hold),
        cmocka_unit_test(test_a_small_load_changes_nothing),
        cmocka_unit_test(test_it_sinks_by_load_over_stiffness),
        cmocka_unit_test(test_a_restitution_that_is_given_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
