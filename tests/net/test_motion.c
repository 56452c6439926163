/* Nets against what is known otherwise: closed forms, the loop written by hand for X13 Fig 3, and
 * the generic loop of ode for the net's own march. */
#include "unit.h"

#include "net_test.h"
#include "ode/problems.h"

static const dry_system *system_of(dry_net *net, const dry_net_options *options) {
    const dry_system *system;
    dry_error error = {0};
    if (dry_net_system(net, options, &system, &error) != DRY_OK)
        for (int i = 0; i < dry_net_mistake_count(net); i++)
            print_error("%s\n", dry_net_mistake(net, i)->text);
    assert_non_null(system);
    return system;
}

/* ---- closed forms ------------------------------------------------------ */

static void a_mass_on_a_spring_swings_as_it_must(void **state) {
    (void)state;
    const double m = 0.5, K = 20.0, w = sqrt(K / m), t = 3.0;
    dry_net *net = dry_net_new();
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", m), DRY_NUMBERS("p", 0.3));
    add_part(net, "coil", "spring", DRY_NUMBERS("K", K), DRY_NUMBERS("rest", 0.1));
    dry_net_connect(net, "coil", end_at("ball"), world);
    trial r = trial_begin(system_of(net, NULL), "dop853", 0.0);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    /* tolerance 1e-10 per step */
    closer(state_of(&r, "ball.p"), 0.1 + 0.2 * cos(w * t), 1e-8);
    closer(state_of(&r, "ball.v"), -0.2 * w * sin(w * t), 1e-7);
    trial_end(&r);
    dry_net_free(net);
}

/* Two masses and a spring between points: the frequency of the reduced mass, the centre of mass
 * falls freely. */
static void two_masses_and_a_length(void **state) {
    (void)state;
    const double m1 = 1.0, m2 = 3.0, K = 50.0, rest = 0.4, t = 1.3, g = 9.8;
    const double w = sqrt(K * (m1 + m2) / (m1 * m2));
    dry_net *net = dry_net_new();
    dry_net_gravity(net, 0.0, 0.0, -g);
    add_part(net, "one", "point_mass", DRY_NUMBERS("mass", m1), DRY_NUMBERS("p", 0.3, 0.4, 0.0));
    add_part(net, "two", "point_mass", DRY_NUMBERS("mass", m2), DRY_NUMBERS("p", 0.0, 0.0, 0.0));
    add_part(net, "coil", "spring", DRY_NUMBERS("K", K), DRY_NUMBERS("rest", rest),
             DRY_WORD("on", "length"));
    dry_net_connect(net, "coil", end_at("one"), end_at("two"));
    trial r = trial_begin(system_of(net, NULL), "dop853", 0.0);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    double d[3], centre;
    const double *x = r.ode.x;
    for (int i = 0; i < 3; i++) d[i] = x[i] - x[6 + i];
    centre = (m1 * x[2] + m2 * x[8]) / (m1 + m2);
    closer(dry_norm(3, d), rest + 0.1 * cos(w * t), 1e-8);
    closer(centre, -0.5 * g * t * t, 1e-8);
    closer(d[1] / d[0], 4.0 / 3.0, 1e-8); /* it keeps its direction */
    trial_end(&r);
    dry_net_free(net);
}

/* A rotor with a torsion spring; a motor on it shifts its rest by torque/K. */
static void a_rotor_turns_about_its_new_rest(void **state) {
    (void)state;
    const double J = 2e-3, K = 0.8, torque = 0.1, t = 0.7, w = sqrt(K / J);
    dry_net *net = dry_net_new();
    add_part(net, "wheel", "rotor", DRY_NUMBERS("inertia", J));
    add_part(net, "bar", "rotary_spring", DRY_NUMBERS("K", K));
    add_part(net, "drive", "rotary_motor", DRY_NUMBERS("force", torque));
    dry_net_connect(net, "bar", end_at("wheel"), world);
    dry_net_connect(net, "drive", end_at("wheel"), world);
    trial r = trial_begin(system_of(net, NULL), "dop853", 0.0);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    closer(state_of(&r, "wheel.p"), torque / K * (1.0 - cos(w * t)), 1e-8);
    trial_end(&r);
    dry_net_free(net);
}

/* A base that oscillates with the frequency w drives a mass through a spring. From rest at p = 0:
 * p_ddot + w0^2 p = w0^2 A sin(w t). */
static void a_base_that_shakes(void **state) {
    (void)state;
    const double A = 0.05, w = 7.0, w0 = 11.0, t = 2.0;
    const double c = A * w0 * w0 / (w0 * w0 - w * w);
    dry_net *net = dry_net_new();
    add_part(net, "base", "motion", DRY_NUMBERS("amplitude", A), DRY_NUMBERS("w", w));
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 2.0));
    add_part(net, "coil", "spring", DRY_NUMBERS("K", 2.0 * w0 * w0));
    dry_net_connect(net, "coil", end_at("ball"), end_at("base"));
    trial r = trial_begin(system_of(net, NULL), "dop853", 0.0);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    closer(state_of(&r, "ball.p"), c * (sin(w * t) - w / w0 * sin(w0 * t)), 1e-8);
    trial_end(&r);
    dry_net_free(net);
}

/* ---- X13 Fig 3 from parts ---------------------------------------------- */

static void push(const void *user, double t, const double *motion, double *force) {
    (void)motion;
    const dry_env env = {.model = user};
    force[0] = drift_force(&env, t);
}

static dry_net *drift_net(void) {
    static const dry_port coordinate = {.name = "", .unit = "m", .dim = 1, .kind = DRY_COORDINATE};
    dry_net *net = dry_net_new();
    add_part(net, "block", "point_mass", DRY_NUMBERS("mass", drift_par[DRIFT_M]));
    dry_net_add(net, "push", dry_motor_part(dry_net_arena(net), coordinate, push, &force_x13));
    add_part(net, "floor", "coulomb", DRY_NUMBERS("F", drift_par[DRIFT_F]),
             DRY_NUMBERS("K", drift_par[DRIFT_K]), DRY_NUMBERS("beta", drift_par[DRIFT_BETA]));
    dry_net_connect(net, "push", end_at("block"), world);
    dry_net_connect(net, "floor", end_at("block"), world);
    return net;
}

static void the_drift_test_has_the_bits_of_the_hand(void **state) {
    (void)state;
    const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    const dry_system hand = without_breaks(drift_system(&force_x13));
    for (int m = 0; m < 5; m++) {
        dry_net *net = drift_net();
        trial parts = trial_begin(system_of(net, NULL), methods[m], 1e-3);
        trial by_hand = trial_begin(&hand, methods[m], 1e-3);
        assert_int_equal(dry_ode_advance(&parts.ode, 3.0), DRY_OK);
        assert_int_equal(dry_ode_advance(&by_hand.ode, 3.0), DRY_OK);
        equal(state_of(&parts, "block.v"), by_hand.ode.x[0]);
        equal(state_of(&parts, "block.p"), by_hand.ode.x[1]);
        equal(state_of(&parts, "floor.a"), by_hand.ode.x[2]);
        unequal(by_hand.ode.x[1], 0.0);
        trial_end(&parts);
        trial_end(&by_hand);
        dry_net_free(net);
    }
}

/* Held below the limit it does not creep: the proxy p - a stays where it is. */
static void held_by_friction_it_does_not_creep(void **state) {
    (void)state;
    dry_net *net = drift_net();
    trial r = trial_begin(system_of(net, NULL), "rk4", 1e-3);
    assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
    const double from = state_of(&r, "block.p") - state_of(&r, "floor.a");
    assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_OK);
    const double to = state_of(&r, "block.p") - state_of(&r, "floor.a");
    below(fabs(to - from) / 2.0, 1e-15);
    trial_end(&r);
    dry_net_free(net);
}

/* ---- the march --------------------------------------------------------- */

/* Bodies of all kinds of this room, with a law that has a latch. */
static dry_net *mixed_net(void) {
    dry_net *net = dry_net_new();
    dry_net_gravity(net, 0.3, -9.8, 0.0);
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 0.2), DRY_NUMBERS("p", 0.0, 0.1),
             DRY_NUMBERS("v", 1.0, 0.0));
    add_part(net, "car", "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("v", 0.4));
    add_part(net, "wheel", "rotor", DRY_NUMBERS("inertia", 0.01), DRY_NUMBERS("v", 3.0));
    add_part(net, "rail", "motion", DRY_NUMBERS("v", 0.05));
    add_part(net, "rod", "spring", DRY_NUMBERS("K", 200.0), DRY_NUMBERS("rest", 0.1),
             DRY_WORD("on", "length"));
    add_part(net, "rub", "gms", DRY_NUMBERS("N", 4.0), DRY_NUMBERS("sigma", 0.0),
             DRY_NUMBERS("kappa", 500.0, 400.0, 300.0, 200.0), DRY_NUMBERS("vs", 0.1));
    add_part(net, "brake", "rotary_coulomb", DRY_NUMBERS("F", 0.05));
    add_part(net, "ends", "stop", DRY_NUMBERS("lower", -0.1), DRY_NUMBERS("upper", 0.1),
             DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 2.8e-3), DRY_NUMBERS("beta", 4e-3));
    add_part(net, "table", "kelvin_voigt", DRY_NUMBERS("K", 1e4), DRY_WORD("on", "surface"));
    dry_net_connect(net, "rod", end_at("ball"), (dry_end){.at = {0.0, 0.05, 0.0}});
    dry_net_connect(net, "rub", end_at("car"), end_at("rail"));
    dry_net_connect(net, "brake", end_at("wheel"), world);
    dry_net_connect(net, "ends", end_at("car"), world);
    const double half = sqrt(0.5); /* the plane y = 0: its z axis is turned to y */
    dry_net_connect(net, "table", end_at("ball"), (dry_end){.turn = {half, -half, 0.0, 0.0}});
    return net;
}

static void check_march(const char *method) {
    dry_net *net = mixed_net();
    const dry_system *system = system_of(net, &(dry_net_options){.account = true});
    dry_system generic = *system;
    generic.march = NULL;
    assert_non_null(system->latch);
    trial a = trial_begin(system, method, 1e-3), b = trial_begin(&generic, method, 1e-3);
    for (int i = 1; i <= 4; i++) { /* whole steps, and pieces of them */
        const double t = 0.25037 * i;
        assert_int_equal(dry_ode_advance(&a.ode, t), DRY_OK);
        assert_int_equal(dry_ode_advance(&b.ode, t), DRY_OK);
        all_same_bits(system->n_states, a.ode.x, b.ode.x);
        equal(a.ode.t_before, b.ode.t_before);
    }
    assert_int_equal(a.ode.counts.steps, b.ode.counts.steps);
    trial_end(&a);
    trial_end(&b);
    dry_net_free(net);
}

static void the_march_has_the_bits_of_the_generic_loop(void **state) {
    (void)state;
    const char *const methods[] = {"semi-implicit", "rk4", "rk4-tau"};
    for (int i = 0; i < 3; i++) check_march(methods[i]);
}

/* The table carries the ball, and the stops keep the car. */
static void contacts_hold(void **state) {
    (void)state;
    dry_net *net = mixed_net();
    trial r = trial_begin(system_of(net, NULL), "semi-implicit", 1e-4);
    double lowest = 1.0, farthest = 0.0;

    for (int i = 1; i <= 200; i++) {
        assert_int_equal(dry_ode_advance(&r.ode, 0.01 * i), DRY_OK);
        lowest = fmin(lowest, state_of(&r, "ball.p[2]"));
        farthest = fmax(farthest, fabs(state_of(&r, "car.p")));
    }
    /* How deep they go: the ball has 0.1 J of motion, 0.2 J of height and 0.25 J in the spring for
     * 1e4 N/m; the car 0.4 m/s, and v sqrt(m/K) with 1 kg on 1e5 N/m. */
    between(lowest, -1.1e-2, 0.0);
    between(farthest, 0.1, 0.1 + 2e-3);
    trial_end(&r);
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_on_a_spring_swings_as_it_must),
        cmocka_unit_test(two_masses_and_a_length),
        cmocka_unit_test(a_rotor_turns_about_its_new_rest),
        cmocka_unit_test(a_base_that_shakes),
        cmocka_unit_test(the_drift_test_has_the_bits_of_the_hand),
        cmocka_unit_test(held_by_friction_it_does_not_creep),
        cmocka_unit_test(the_march_has_the_bits_of_the_generic_loop),
        cmocka_unit_test(contacts_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
