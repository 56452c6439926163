/* Stops that are told a restitution, or nothing: what meets them leaves with that share of its
 * speed, whatever its inertia, by the steps of the method that the run has. */
#include "unit.h"

#include "designed.h"
#include "net/net_test.h"
#include "par_of.h"

static const char *const methods[] = {"rk4", "rk4-tau", "semi-implicit", "heun", "euler"};
enum { METHODS = 5 };

/* Fixes the net and chooses for these steps. */
static const dry_system *system_for(dry_net *net, const char *method, double step) {
    const dry_pace pace = {.omega = 0.5 / step, .method = dry_method_find(method), .step = step};
    const dry_system *system;
    dry_error error = {0};
    if (dry_net_system(net, &designed, &system, &error) != DRY_OK) fail_msg("%s", error.text);
    assert_int_equal(dry_design_for(net, &pace), DRY_OK);
    return system;
}

static double at_end(dry_net *net, const char *method, double step, double until,
                     const char *name) {
    trial r = trial_begin(system_for(net, method, step), method, step);
    assert_int_equal(dry_ode_advance(&r.ode, until), DRY_OK);
    const double x = state_of(&r, name);
    trial_end(&r);
    dry_net_free(net);
    return x;
}

/* ---- a cart and a rotor ------------------------------------------------------------------ */

/* A cart of `mass` comes with 1 m/s, v/3 into a step, so that the phase of the touch-down is not
 * one of those that the choice has tried. */
static dry_net *cart(const char *kind, const char *body, double mass, double e) {
    const bool turns = strcmp(body, "rotor") == 0;
    dry_net *net = dry_net_new();
    const dry_value inertia = DRY_NUMBERS(turns ? "inertia" : "mass", mass);
    const dry_value speed = DRY_NUMBERS("v", 1.0);
    dry_net_make(net, "cart", kind_of(body), (const dry_value[]){inertia, speed}, 2);
    const dry_value way[] = {DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 0.1037),
                             DRY_NUMBERS("restitution", e)};
    dry_net_make(net, "ends", kind_of(kind), way, e < 0.0 ? 2 : 3);
    dry_net_connect(net, "ends", end_at("cart"), world);
    return net;
}

/* Newton: v' = -e v. 12 steps of an impact leave 2e-3 of the phase of the first, 5e-3 with heun and
 * euler. */
static void a_cart_leaves_with_its_restitution(void **state) {
    static const double wanted[] = {0.3, 0.5, 0.8, 1.0}, masses[] = {3e-3, 40.0};
    (void)state;
    for (int i = 0; i < METHODS; i++)
        for (int k = 0; k < 4; k++)
            for (int n = 0; n < 4; n++) {
                const double e = wanted[k], step = n % 2 ? 1e-3 : 1e-4;
                dry_net *net = n / 2 ? cart("rotary_stop", "rotor", masses[n % 2], e)
                                     : cart("stop", "point_mass", masses[n % 2], e);
                near_case(at_end(net, methods[i], step, 0.2, "cart.v"), -e, i < 3 ? 3e-3 : 1e-2,
                          "%s, e = %g", methods[i], e);
            }
}

/* The element cannot lose all: 0.03 is left, and some more with euler. */
static void what_should_stop_nearly_does(void **state) {
    static const double most[METHODS] = {0.031, 0.031, 0.031, 0.031, 0.05};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const double v =
            at_end(cart("stop", "point_mass", 2.0, 0.0), methods[i], 1e-3, 0.3, "cart.v");
        if (!(v < 0.0 && v > -most[i])) fail_msg("%s: %g", methods[i], v);
    }
}

static void nothing_said_is_0_3(void **state) {
    (void)state;
    near(at_end(cart("stop", "point_mass", 2.0, -1.0), "rk4", 1e-3, 0.2, "cart.v"), -0.3, 3e-3);
}

/* ---- two that move ----------------------------------------------------------------------- */

/* Masses 1 and 3 kg that meet with 2 m/s: (v1 - v2)' = -e (v1 - v2), momentum is kept. */
static void two_carts_meet(void **state) {
    const double m1 = 1.0, m2 = 3.0, e = 0.6;
    (void)state;
    for (int i = 0; i < 3; i++) {
        dry_net *net = dry_net_new();
        add_part(net, "one", "point_mass", DRY_NUMBERS("mass", m1), DRY_NUMBERS("v", 2.0));
        add_part(net, "two", "point_mass", DRY_NUMBERS("mass", m2), DRY_NUMBERS("p", 0.1));
        add_part(net, "ends", "stop", DRY_NUMBERS("lower", -10.0), DRY_NUMBERS("upper", 0.0),
                 DRY_NUMBERS("restitution", e));
        dry_net_connect(net, "ends", end_at("one"), end_at("two"));
        near_case(at_end(net, methods[i], 1e-3, 0.2, "one.v"), 2.0 * (m1 - e * m2) / (m1 + m2),
                  8e-3, "%s, e = %g", methods[i], e);
    }
}

/* ---- what is given ----------------------------------------------------------------------- */

/* K stays what it is, and alpha and beta are its own. */
static void a_stiffness_that_is_given_is_kept(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        for (double e = 0.3; e < 0.9; e += 0.25) {
            const double K = 2e4;
            dry_net *net = dry_net_new();
            add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("v", 1.0));
            add_part(net, "ends", "stop", DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 0.1037),
                     DRY_NUMBERS("K", K), DRY_NUMBERS("restitution", e));
            dry_net_connect(net, "ends", end_at("cart"), world);
            const dry_system *system = system_for(net, methods[i], 1e-3);
            equal(par_of(system, "ends.K"), K);
            near_case(at_end(net, methods[i], 1e-3, 0.3, "cart.v"), -e, 3e-3, "%s, e = %g",
                      methods[i], e);
        }
}

/* An impact of thousands of steps, which needs no correction: K T^2/m is 1e-6 and 1e-8. */
static void a_soft_one_is_right_too(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        for (double K = 2.0; K > 0.01; K *= 0.01) {
            const double e = 0.5, T = 1e-3, mass = 2.0;
            dry_net *net = dry_net_new();
            add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", mass), DRY_NUMBERS("v", 1.0));
            add_part(net, "ends", "stop", DRY_NUMBERS("lower", -100.0), DRY_NUMBERS("upper", 0.1),
                     DRY_NUMBERS("K", K), DRY_NUMBERS("restitution", e));
            dry_net_connect(net, "ends", end_at("cart"), world);
            near_case(at_end(net, methods[i], T, 0.2 + 4.0 * sqrt(mass / K), "cart.v"), -e, 3e-3,
                      "%s, e = %g", methods[i], e);
        }
}

/* All three are taken as they are. */
static void what_is_given_is_not_chosen(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", 2.0));
    add_part(net, "ends", "stop", DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 1.0),
             DRY_NUMBERS("K", 2e4), DRY_NUMBERS("alpha", 1e-3), DRY_NUMBERS("beta", 2e-3));
    dry_net_connect(net, "ends", end_at("cart"), world);
    const dry_system *system = system_for(net, "rk4", 1e-3);
    equal(par_of(system, "ends.K"), 2e4);
    equal(par_of(system, "ends.alpha"), 1e-3);
    equal(par_of(system, "ends.beta"), 2e-3);
    for (int i = 0; i < system->n_par; i++) assert_false(dry_net_is_chosen(net, i));
    dry_net_free(net);
}

static void is_told(const dry_value *values, int count, const char *wrong) {
    dry_net *net = dry_net_new();
    dry_net_make(net, "ends", kind_of("stop"), values, count);
    assert_int_equal(dry_net_mistake_count(net), 1);
    if (!strstr(dry_net_mistake(net, 0)->text, wrong))
        fail_msg("%s", dry_net_mistake(net, 0)->text);
    dry_net_free(net);
}

static void what_does_not_go_together_is_told(void **state) {
    const dry_value way[] = {DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 1.0),
                             DRY_NUMBERS("alpha", 1e-3), DRY_NUMBERS("beta", 2e-3),
                             DRY_NUMBERS("restitution", 0.5)};
    (void)state;
    is_told(way, 5, "give restitution, or K, alpha and beta, not both");
    is_told(way, 4, "give all three, or restitution");
    is_told((const dry_value[]){way[0], way[1], DRY_NUMBERS("restitution", 1.2)}, 3, "at most 1");
    is_told((const dry_value[]){way[0], way[1], DRY_NUMBERS("restitution", -0.2)}, 3,
            "must not be negative");
}

/* The same where a number is set once the part is made. */
static void what_is_set_later_is_told(void **state) {
    const double alpha = 1e-3;
    const dry_system *system;
    dry_error error = {0};
    (void)state;
    dry_net *net = cart("stop", "point_mass", 1.0, 0.5);
    dry_net_set(net, "ends.alpha", &alpha, 1);
    assert_int_equal(dry_net_system(net, &designed, &system, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "ends: restitution and alpha"));
    dry_net_free(net);
}

/* A net does not run with open values: what is to be called is said, for each part. */
static void what_nobody_chooses_is_refused(void **state) {
    const dry_system *system;
    dry_error error = {0};
    (void)state;
    dry_net *net = cart("stop", "point_mass", 1.0, 0.5);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_null(system);
    assert_int_equal(dry_net_mistake_count(net), 1);
    assert_string_equal(dry_net_mistake(net, 0)->name, "ends");
    assert_non_null(strstr(error.text, "dry_design_net (design.h)"));
    dry_net_free(net);
}

static dry_status choose_nothing(dry_net *net) {
    (void)net;
    return DRY_OK;
}

static void who_chooses_nothing_is_found(void **state) {
    const dry_system *system;
    dry_error error = {0};
    (void)state;
    dry_net *net = cart("stop", "point_mass", 1.0, 0.5);
    const dry_net_options options = {.choose = choose_nothing};
    assert_int_equal(dry_net_system(net, &options, &system, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "ends: the parameters that it leaves open could not"));
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_chooses_is_refused),
        cmocka_unit_test(who_chooses_nothing_is_found),
        cmocka_unit_test(a_cart_leaves_with_its_restitution),
        cmocka_unit_test(what_should_stop_nearly_does),
        cmocka_unit_test(nothing_said_is_0_3),
        cmocka_unit_test(two_carts_meet),
        cmocka_unit_test(a_stiffness_that_is_given_is_kept),
        cmocka_unit_test(a_soft_one_is_right_too),
        cmocka_unit_test(what_is_given_is_not_chosen),
        cmocka_unit_test(what_does_not_go_together_is_told),
        cmocka_unit_test(what_is_set_later_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
