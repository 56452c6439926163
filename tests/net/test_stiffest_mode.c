/* The stiffest motion of a net: what masses on springs, dampers, stuck friction and closed contacts
 * are, told by hand. */
#include "unit.h"

#include "net_test.h"
#include <stdio.h>

/* By differences of forces whose rounding is far below that, and a power iteration that stops at
 * 1e-6. */
static const double CLOSE = 1e-5;

#define about(value, expected) near(value, expected, CLOSE *fabs(expected) + 1e-9)

static dry_net_mode ask(dry_net *net, dry_net_question question) {
    const dry_system *system;
    dry_error error = {0};
    dry_net_mode mode;
    if (dry_net_system(net, NULL, &system, &error) != DRY_OK) fail_msg("%s", error.text);
    double *x = calloc((size_t)system->n_states, sizeof *x);
    void *work = calloc(1, system->work_size + 1);
    const dry_env env = {.model = system->model, .par = system->par, .work = work};
    system->prepare(&env);
    system->start(&env, 0.0, x);
    assert_int_equal(dry_net_stiffest(net, x, &question, &mode), DRY_OK);
    free(x);
    free(work);
    return mode;
}

static dry_net *cart(void) {
    dry_net *net = dry_net_new();
    add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", 2.0));
    return net;
}

static void a_spring_and_a_damper(void **state) {
    (void)state;
    dry_net *net = cart();
    add_part(net, "spring", "spring", DRY_NUMBERS("K", 800.0));
    add_part(net, "damper", "damper", DRY_NUMBERS("D", 6.0));
    dry_net_connect(net, "spring", end_at("cart"), world);
    dry_net_connect(net, "damper", end_at("cart"), world);
    const dry_net_mode mode = ask(net, (dry_net_question){.omega = 20.0});
    about(mode.per_mass.K, 400.0);
    about(mode.per_mass.C, 3.0);
    about(mode.per_mass.Kf + mode.per_mass.Ktau + mode.per_mass.Kc, 0.0);
    assert_int_equal(mode.part, dry_net_part_find(net, "spring")); /* 800 against 20*6 */
    is_infinite(mode.beta);
    dry_net_free(net);
}

static void at_high_frequency_the_damper_is_stiffer(void **state) {
    (void)state;
    dry_net *net = cart();
    add_part(net, "spring", "spring", DRY_NUMBERS("K", 800.0));
    add_part(net, "damper", "damper", DRY_NUMBERS("D", 6.0));
    dry_net_connect(net, "spring", end_at("cart"), world);
    dry_net_connect(net, "damper", end_at("cart"), world);
    const dry_net_mode mode = ask(net, (dry_net_question){.omega = 200.0});
    assert_int_equal(mode.part, dry_net_part_find(net, "damper"));
    dry_net_free(net);
}

static void friction_is_taken_as_stuck_though_it_slips(void **state) {
    (void)state;
    dry_net *net = cart();
    add_part(net, "rub", "coulomb", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("K", 1e6),
             DRY_NUMBERS("beta", 1e-3));
    dry_net_connect(net, "rub", end_at("cart"), world);
    dry_net_start(net, "cart.v", (const double[]){5.0}, 1);
    const dry_net_mode mode = ask(net, (dry_net_question){.omega = 100.0});
    about(mode.per_mass.Kf, 5e5);
    about(mode.per_mass.Ktau, 5e5);
    about(mode.per_mass.C, 5e2);
    about(mode.beta, 1e-3);
    assert_int_equal(mode.forgets, dry_net_part_find(net, "rub"));
    dry_net_free(net);
}

/* Without a level it holds nothing, and has nothing to forget. */
static void friction_of_level_zero_is_nothing(void **state) {
    (void)state;
    dry_net *net = cart();
    add_part(net, "rub", "coulomb", DRY_NUMBERS("F", 0.0), DRY_NUMBERS("K", 1e6),
             DRY_NUMBERS("beta", 1e-3));
    dry_net_connect(net, "rub", end_at("cart"), world);
    const dry_net_mode mode = ask(net, (dry_net_question){.omega = 100.0});
    assert_int_equal(mode.part, -1);
    is_infinite(mode.beta);
    dry_net_free(net);
}

static void contacts_are_taken_as_closed_though_they_are_open(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        dry_net *net = cart();
        if (k == 0)
            add_part(net, "end", "unilateral", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 2e-3),
                     DRY_NUMBERS("beta", 4e-3), DRY_NUMBERS("offset", -1.0));
        else
            add_part(net, "end", "stop", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 2e-3),
                     DRY_NUMBERS("beta", 4e-3), DRY_NUMBERS("lower", -1.0),
                     DRY_NUMBERS("upper", 1.0));
        dry_net_connect(net, "end", end_at("cart"), world);
        const dry_net_mode mode = ask(net, (dry_net_question){.omega = 100.0});
        about(mode.per_mass.Kc, 5e4);
        about(mode.per_mass.alpha, 2e-3);
        about(mode.per_mass.beta, 4e-3);
        assert_int_equal(mode.part, dry_net_part_find(net, "end"));
        dry_net_free(net);
    }
}

/* Two masses on one spring: K (1/m_1 + 1/m_2). A chain of n masses, free at both ends:
 * 4 K/m cos^2(pi/2n). */
static void chain_of(int n, double expected) {
    dry_net *net = dry_net_new();
    char name[16], other[16], spring[16];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "m%d", i);
        add_part(net, name, "point_mass", DRY_NUMBERS("mass", 0.5));
    }
    for (int i = 0; i + 1 < n; i++) {
        snprintf(name, sizeof name, "m%d", i);
        snprintf(other, sizeof other, "m%d", i + 1);
        snprintf(spring, sizeof spring, "s%d", i);
        add_part(net, spring, "spring", DRY_NUMBERS("K", 100.0));
        dry_net_connect(net, spring, end_at(name), end_at(other));
    }
    const double K = ask(net, (dry_net_question){.omega = 10.0}).per_mass.K;
    if (!(K <= expected * (1.0 + CLOSE) && K > 0.98 * expected))
        fail_msg("%d masses: %g is not %g", n, K, expected);
    dry_net_free(net);
}

static void chains(void **state) {
    (void)state;
    const int n = 60;
    const double pi = acos(-1.0), c = cos(0.5 * pi / n);
    chain_of(2, 400.0);
    chain_of(n, 800.0 * c * c);
}

/* Of two directions the stiffer one, unless the motion is known to go along the other. */
static void only_what_is_brought_about(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", 1.0));
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 1.0));
    add_part(net, "soft", "spring", DRY_NUMBERS("K", 10.0));
    add_part(net, "hard", "spring", DRY_NUMBERS("K", 1000.0));
    dry_net_connect(net, "soft", end_at("cart"), world);
    dry_net_connect(net, "hard", end_at("ball"), world);
    const double w[] = {0.0, 1.0, 0.0, 0.0}; /* cart.p, cart.v, ball.p, ball.v */
    about(ask(net, (dry_net_question){.omega = 10.0}).per_mass.K, 1000.0);
    const dry_net_mode mode = ask(net, (dry_net_question){.omega = 10.0, .w = w});
    about(mode.per_mass.K, 10.0);
    assert_int_equal(mode.part, dry_net_part_find(net, "soft"));
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_and_a_damper),
        cmocka_unit_test(at_high_frequency_the_damper_is_stiffer),
        cmocka_unit_test(friction_is_taken_as_stuck_though_it_slips),
        cmocka_unit_test(friction_of_level_zero_is_nothing),
        cmocka_unit_test(contacts_are_taken_as_closed_though_they_are_open),
        cmocka_unit_test(chains),
        cmocka_unit_test(only_what_is_brought_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
