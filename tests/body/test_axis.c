/* Parts on the axis of a hinge or a slider: a door, a crank, a slider-crank and a bead on a rod
 * that turns move as textbooks say; the energy account closes.
 *
 * The joints are stiff springs of at least W = 500 rad/s: a motion of the frequency omega is off by
 * a share of the order of (omega/W)^2 of that of rigid joints. */
#include "unit.h"

#include "machine.h"

static const double TURN = 6.283185307179586477; /* rad */
static const double SOFT = 500.0;                /* rad/s */

/* A quantity that equations could use, such as motor.p. */
static const double *values_of(const machine *m, const char *name) {
    dry_net_found place;
    dry_error error = {0};
    if (dry_net_find(m->net, name, &place, &error) != DRY_OK) fail_msg("%s", error.text);
    dry_net_forces(&m->ode.env, m->ode.t, 0.0, m->ode.x);
    return dry_net_read(&m->ode.env, m->ode.x, place);
}
static double value_of(const machine *m, const char *name) { return *values_of(m, name); }

/* ---- a door --------------------------------------------------------------------------- */

/* Of the door: kg; m along x, y, z; the moment of inertia about its edge. */
static const double M = 20.0, WIDTH = 0.8, THICK = 0.04, HIGH = 2.0;
static double edge_inertia(void) {
    return M * (WIDTH * WIDTH + THICK * THICK) / 12.0 + M * 0.25 * WIDTH * WIDTH;
}

/* Opened by an angle, and turning. */
static machine door(double angle, double omega) {
    machine m = {.net = dry_net_new()};
    const double c = cos(angle), s = sin(angle), r = 0.5 * WIDTH;
    MAKE(m.net, "leaf", "box", DRY_NUMBERS("mass", M), DRY_NUMBERS("size", WIDTH, THICK, HIGH),
         DRY_NUMBERS("p", r * c, r * s, 0.0),
         DRY_NUMBERS("q", cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)),
         DRY_NUMBERS("v", -r * s * omega, r * c * omega, 0.0),
         DRY_NUMBERS("omega", 0.0, 0.0, omega));
    dry_net_make(m.net, "door", dry_kind_find("hinge"), NULL, 0);
    dry_net_connect(m.net, "door", (dry_end){.port = "leaf", .at = {-r, 0.0, 0.0}}, (dry_end){0});
    return m;
}

static void act_on(machine *m, const char *name, const char *joint) {
    dry_net_connect(m->net, name, (dry_end){.port = joint}, (dry_end){0});
}

/* J theta_ddot + D theta_dot + K theta = 0 from theta_0 at rest, at any amplitude. */
static void test_a_door_swings_as_a_torsional_pendulum(void **state) {
    const double J = edge_inertia(), K = 30.0, D = 4.0, start = 2.0;
    const double delta = 0.5 * D / J, omega = sqrt(K / J - delta * delta);
    (void)state;
    machine m = door(start, 0.0);
    MAKE(m.net, "spring", "rotary_spring", DRY_NUMBERS("K", K));
    MAKE(m.net, "damper", "rotary_damper", DRY_NUMBERS("D", D));
    act_on(&m, "spring", "door");
    act_on(&m, "damper", "door");
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    for (int i = 1; i <= 20; i++) {
        machine_go(&m, 0.2 * i);
        const double t = m.ode.t, decay = start * exp(-delta * t);
        const double theta = decay * (cos(omega * t) + delta / omega * sin(omega * t));
        const double rate = -decay * (omega + delta * delta / omega) * sin(omega * t);
        /* the edge that the hinge holds is about 4 times as light as the door, and so is what it is
         * chosen for; the phase grows with the time */
        const double share = 8.0 * omega * omega / (SOFT * SOFT);
        near(value_of(&m, "spring.p"), theta, share * start * (1.0 + omega * t));
        near(value_of(&m, "damper.v"), rate, share * omega * start * (1.0 + omega * t));
    }
    machine_end(&m);
}

/* The force comes from the stop, beyond its end, and turns the door back; the way is held. */
static void test_a_stop_ends_the_way_of_a_door(void **state) {
    const double J = edge_inertia(), upper = 1.5, omega = 2.0, K = 1e4;
    double most = 0.0, impulse = 0.0;
    (void)state;
    machine m = door(1.0, omega);
    MAKE(m.net, "buffer", "rotary_stop", DRY_NUMBERS("lower", 0.0), DRY_NUMBERS("upper", upper),
         DRY_NUMBERS("K", K), DRY_NUMBERS("alpha", 2.8e-3), DRY_NUMBERS("beta", 4e-3));
    act_on(&m, "buffer", "door");
    machine_begin(&m, "rk4", (dry_ode_options){.step = 2.5e-4}, NULL);
    while (m.ode.t < 0.5) {
        machine_go(&m, m.ode.t + 2.5e-4);
        most = fmax(most, value_of(&m, "buffer.p"));
        impulse += 2.5e-4 * value_of(&m, "buffer.f");
    }
    const double after = value_of(&m, "buffer.v");
    /* all of its energy in the spring alone would be omega sqrt(J/K) deep */
    between(most, upper, upper + omega * sqrt(J / K));
    between(after, -omega, -0.1 * omega);
    /* J is that of a rigid hinge, which gives way during the impact, of 0.06 s: 1/(W 0.03)^2; the
     * sum has rectangles of 1/240 of it */
    near_share(impulse, J * (after - omega), 2e-2);
    machine_end(&m);
}

/* With friction, pushed with half of its level, it gives way by T/K and stays. */
static void test_friction_about_the_axis_holds(void **state) {
    const double F = 3.0, K = 2e4, T = 0.5 * F;
    (void)state;
    machine m = door(0.5, 0.0);
    MAKE(m.net, "rub", "rotary_coulomb", DRY_NUMBERS("F", F), DRY_NUMBERS("K", K),
         DRY_NUMBERS("beta", 2e-2));
    MAKE(m.net, "wind", "rotary_motor", DRY_NUMBERS("force", T));
    act_on(&m, "rub", "door");
    act_on(&m, "wind", "door");
    machine_begin(&m, "rk4-tau", (dry_ode_options){.step = 1e-3}, NULL);
    machine_go(&m, 5.0);
    const double settled = value_of(&m, "rub.p");
    near_share(settled - 0.5, T / K, 1e-6);
    machine_go(&m, 10.0);
    near(value_of(&m, "rub.p"), settled, 1e-13);
    machine_end(&m);
}

/* ---- a crank -------------------------------------------------------------------------- */

static const double CRANK_J = 0.02, TORQUE = 0.5; /* kg m^2, N m */

static machine crank(void) {
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "disc", "rigid_body", DRY_NUMBERS("mass", 1.0),
         DRY_NUMBERS("inertia", 0.01, 0.01, CRANK_J));
    dry_net_make(m.net, "shaft", dry_kind_find("hinge"), NULL, 0);
    dry_net_connect(m.net, "shaft", (dry_end){.port = "disc"}, (dry_end){0});
    MAKE(m.net, "motor", "rotary_motor", DRY_NUMBERS("force", TORQUE));
    act_on(&m, "motor", "shaft");
    return m;
}

/* The time of five turns, and how far the angle is off then; on the way it never jumps. */
static double off_after_five_turns(const char *method, double step) {
    const double rate = TORQUE / CRANK_J, end = sqrt(2.0 * 5.0 * TURN / rate);
    machine m = crank();
    machine_begin(&m, method, (dry_ode_options){.step = step, .rtol = 1e-8, .atol = 1e-8}, NULL);
    double before = value_of(&m, "motor.p");
    for (int i = 1; i <= 100; i++) {
        machine_go(&m, end * i / 100.0);
        const double p = value_of(&m, "motor.p");
        above(p, before);
        below(p - before, 0.04 * 5.0 * TURN); /* the last hundredth is 0.02 */
        before = p;
    }
    near_share(value_of(&m, "motor.v"), rate * end, 1e-6);
    machine_end(&m);
    return before - 0.5 * rate * end * end;
}

static void test_a_crank_makes_five_turns(void **state) {
    const double rate = TORQUE / CRANK_J, end = sqrt(2.0 * 5.0 * TURN / rate);
    const double h = end / 1000.0;
    (void)state;
    /* semi-implicit: the sum of omega_n h is rate h^2 n (n + 1)/2, of which a quaternion makes
     * 2 atan(omega_n h/2) each */
    const double first = 0.5 * rate * end * h,
                 second = pow(rate, 3.0) * pow(end, 4.0) * h * h / 48.0;
    near_share(off_after_five_turns("semi-implicit", h), first - second, 0.01);
    near_share(off_after_five_turns("semi-implicit", 0.5 * h), 0.5 * first - 0.25 * second, 0.01);
    /* rk4: one turn of a quaternion has an error of (omega h/2)^5/120 a step, at most */
    const double most = 1000.0 * pow(0.5 * rate * end * h, 5.0) / 120.0;
    near(off_after_five_turns("rk4-tau", h), 0.0, most);
    near(off_after_five_turns("rk4", h), 0.0, most);
    near(off_after_five_turns("dopri5", 0.0), 0.0, 1e-5); /* 1e-8 a step */
    near(off_after_five_turns("dop853", 0.0), 0.0, 1e-5);
}

/* Steps of up to a quarter, a half and three quarters of a turn: the count goes with the method,
 * where the frame itself lags behind. */
static void test_long_steps_count_their_turns(void **state) {
    const double rate = TORQUE / CRANK_J, end = sqrt(2.0 * 5.0 * TURN / rate);
    static const int steps[] = {41, 20, 14};
    (void)state;
    for (int i = 0; i < 3; i++) {
        machine m = crank();
        machine_begin(&m, "rk4", (dry_ode_options){.step = end / steps[i]}, NULL);
        machine_go(&m, end);
        near(value_of(&m, "motor.p"), 0.5 * rate * end * end, 0.5 * TURN);
        machine_end(&m);
    }
}

/* A semi-implicit step of h turns a quaternion by 2 atan(omega h/2), and counts omega h: after 1000
 * of them the count would be wrong by 10 rad. It starts shortly before half a turn, and
 * turns back. */
static void test_a_count_does_not_drift_away(void **state) {
    const double start = 3.14, omega = -50.0, h = 0.01, each = 2.0 * atan(0.5 * omega * h);
    (void)state;
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "disc", "rigid_body", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", CRANK_J),
         DRY_NUMBERS("q", cos(0.5 * start), 0.0, 0.0, sin(0.5 * start)),
         DRY_NUMBERS("omega", 0.0, 0.0, omega));
    MAKE(m.net, "shaft", "hinge", DRY_NUMBERS("K", 10.0), DRY_NUMBERS("Kr", 0.1));
    dry_net_connect(m.net, "shaft", (dry_end){.port = "disc"}, (dry_end){0});
    MAKE(m.net, "motor", "rotary_motor", DRY_NUMBERS("force", 0.0));
    act_on(&m, "motor", "shaft");
    machine_begin(&m, "semi-implicit", (dry_ode_options){.step = h}, NULL);
    near(value_of(&m, "motor.p"), start, 1e-14);
    for (int i = 1; i <= 1000; i++) {
        machine_go(&m, h * i);
        near(value_of(&m, "motor.p"), start + i * each, 1e-10);
    }
    machine_end(&m);
}

/* What a run remembers is in its states: one that goes on from these has the same bits. */
static void test_a_run_is_continued_from_its_states(void **state) {
    (void)state;
    machine whole = crank(), first = crank(), second = crank();
    const dry_ode_options options = {.step = 0x1p-10};
    machine_begin(&whole, "rk4-tau", options, NULL);
    machine_go(&whole, 2.0);
    machine_begin(&first, "rk4-tau", options, NULL);
    machine_go(&first, 1.5);
    machine_begin(&second, "rk4-tau", options, NULL);
    assert_int_equal(dry_ode_init(&second.ode, second.system, dry_method_find("rk4-tau"), &options,
                                  NULL, 1.5, first.ode.x, second.scratch, second.work),
                     DRY_OK);
    machine_go(&second, 2.0);
    above(value_of(&whole, "motor.p"), 7.0 * TURN);
    all_same_bits(whole.system->n_states, whole.ode.x, second.ode.x);
    machine_end(&whole);
    machine_end(&first);
    machine_end(&second);
}

/* The net's own loop of steps has the bits of single steps, and so it has on threads. */
static void test_the_loop_of_steps_has_the_bits_of_single_ones(void **state) {
    static const char *const methods[] = {"semi-implicit", "rk4", "rk4-tau"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        machine loop = crank(), single = crank();
        machine_begin(&loop, methods[k], (dry_ode_options){.step = 0x1p-9}, NULL);
        machine_begin(&single, methods[k], (dry_ode_options){.step = 0x1p-9}, NULL);
        machine_go(&loop, 1.0);
        for (int i = 0; i < 512; i++) assert_int_equal(dry_ode_step(&single.ode, 1.0), DRY_OK);
        all_same_bits(loop.system->n_states, loop.ode.x, single.ode.x);
        machine_end(&loop);
        machine_end(&single);
    }
}

/* ---- a slider-crank ------------------------------------------------------------------- */

/* m: crank, rod */
static const double R = 0.1, L = 0.3;

static machine slider_crank(void) {
    machine m = {.net = dry_net_new()};
    const double turn_to_x[4] = {sqrt(0.5), 0.0, sqrt(0.5), 0.0}; /* z along x */
    MAKE(m.net, "disc", "rigid_body", DRY_NUMBERS("mass", 2.0),
         DRY_NUMBERS("inertia", 0.01, 0.01, CRANK_J));
    MAKE(m.net, "rod", "rigid_body", DRY_NUMBERS("mass", 0.5),
         DRY_NUMBERS("inertia", 1e-4, 4e-3, 4e-3), DRY_NUMBERS("p", R + 0.5 * L, 0.0, 0.0));
    MAKE(m.net, "piston", "rigid_body", DRY_NUMBERS("mass", 0.4),
         DRY_NUMBERS("inertia", 1e-3, 1e-3, 1e-3), DRY_NUMBERS("p", R + L, 0.0, 0.0));
    dry_net_make(m.net, "main", dry_kind_find("hinge"), NULL, 0);
    dry_net_make(m.net, "big", dry_kind_find("hinge"), NULL, 0);
    dry_net_make(m.net, "small", dry_kind_find("hinge"), NULL, 0);
    dry_net_make(m.net, "bore", dry_kind_find("slider"), NULL, 0);
    dry_net_connect(m.net, "main", (dry_end){.port = "disc"}, (dry_end){0});
    dry_net_connect(m.net, "big", (dry_end){.port = "rod", .at = {-0.5 * L, 0.0, 0.0}},
                    (dry_end){.port = "disc", .at = {R, 0.0, 0.0}});
    dry_net_connect(m.net, "small", (dry_end){.port = "rod", .at = {0.5 * L, 0.0, 0.0}},
                    (dry_end){.port = "piston"});
    dry_end piston = {.port = "piston"}, bore = {0};
    memcpy(piston.turn, turn_to_x, sizeof turn_to_x);
    memcpy(bore.turn, turn_to_x, sizeof turn_to_x);
    dry_net_connect(m.net, "bore", piston, bore);
    MAKE(m.net, "motor", "rotary_motor", DRY_NUMBERS("force", TORQUE));
    act_on(&m, "motor", "main");
    return m;
}

/* How far the joints give way, all of them together: m. */
static double slack_of(const machine *m) {
    const double *bore = values_of(m, "bore.d");
    return dry_norm(2, bore) + dry_norm(3, values_of(m, "main.d")) +
           dry_norm(3, values_of(m, "big.d")) + dry_norm(3, values_of(m, "small.d"));
}

static void test_a_slider_crank_follows_its_crank(void **state) {
    (void)state;
    machine m = slider_crank();
    const dry_net_options account = {.account = true};
    machine_begin(&m, "rk4", (dry_ode_options){.step = 5e-4}, &account);
    dry_design_at(m.net, 2000.0);
    while (value_of(&m, "motor.p") < 3.0 * TURN) {
        machine_go(&m, m.ode.t + 0.01);
        const double p = value_of(&m, "motor.p"), s = R * sin(p);
        const double x = R * cos(p) + sqrt(L * L - s * s);
        const double slack = slack_of(&m);
        near(machine_at(&m, "piston.p[1]")[0], x, 1.5 * slack);
        below(slack, 1e-2 * R); /* the pins are chosen for the light rod alone */
        /* a constant torque gives T p, which the account has integrated, at the order of the
         * method: of the harmonics of the crank */
        near_share(machine_at(&m, "motor.work")[0], -TORQUE * p, 1e-7);
    }
    machine_end(&m);
}

/* ---- a bead on a rod that turns ------------------------------------------------------- */

/* On a rod that turns with OMEGA, a spring to its middle: r_ddot = (OMEGA^2 - K/m) r. */
static const double OMEGA = 3.0, BEAD = 0.5, SPRING = 20.0, START = 0.2;

static machine rotating_rod(void) {
    machine m = {.net = dry_net_new()};
    const double turn_to_x[4] = {sqrt(0.5), 0.0, sqrt(0.5), 0.0};
    MAKE(m.net, "rod", "moving_frame", DRY_NUMBERS("omega", 0.0, 0.0, OMEGA));
    MAKE(m.net, "bead", "rigid_body", DRY_NUMBERS("mass", BEAD),
         DRY_NUMBERS("inertia", 1e-3, 2e-3, 3e-3), DRY_NUMBERS("p", START, 0.0, 0.0),
         DRY_NUMBERS("v", 0.0, START * OMEGA, 0.0), DRY_NUMBERS("omega", 0.0, 0.0, OMEGA));
    dry_net_make(m.net, "guide", dry_kind_find("slider"), NULL, 0);
    dry_end bead = {.port = "bead"}, rod = {.port = "rod"};
    memcpy(bead.turn, turn_to_x, sizeof turn_to_x);
    memcpy(rod.turn, turn_to_x, sizeof turn_to_x);
    dry_net_connect(m.net, "guide", bead, rod);
    MAKE(m.net, "spring", "spring", DRY_NUMBERS("K", SPRING));
    act_on(&m, "spring", "guide");
    return m;
}

/* The error of the account at the end, J. */
static double missing(double step) {
    machine m = rotating_rod();
    const dry_net_options account = {.account = true};
    machine_begin(&m, "rk4", (dry_ode_options){.step = step}, &account);
    double energy[2];
    for (int i = 0; i < 2; i++) {
        machine_go(&m, 2.0 * i);
        const double p = value_of(&m, "spring.p");
        double y[64] = {0.0};
        at_most(m.system->n_outputs, 64);
        m.system->output(&m.ode.env, m.ode.t, 0.0, m.ode.x, y);
        energy[i] = 0.0;
        for (int k = 0; k < m.system->n_outputs; k++)
            if (strstr(m.system->outputs[k].name, ".kinetic") ||
                strstr(m.system->outputs[k].name, "guide.stored"))
                energy[i] += y[k];
        energy[i] += 0.5 * SPRING * p * p;
    }
    /* the guide is damped: its work is what it stores and what it takes */
    const double guide = machine_at(&m, "guide.work")[0], rod = machine_at(&m, "rod.work")[0];
    double stored = 0.0, y[64] = {0.0};
    m.system->output(&m.ode.env, m.ode.t, 0.0, m.ode.x, y);
    for (int k = 0; k < m.system->n_outputs; k++)
        if (strcmp(m.system->outputs[k].name, "guide.stored") == 0) stored = y[k];
    machine_end(&m);
    return energy[1] - energy[0] + rod + guide - stored;
}

static void test_a_bead_on_a_rod_that_turns(void **state) {
    const double w = sqrt(SPRING / BEAD - OMEGA * OMEGA);
    (void)state;
    machine m = rotating_rod();
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    for (int i = 1; i <= 20; i++) {
        machine_go(&m, 0.1 * i);
        const double t = m.ode.t, share = 4.0 * w * w / (SOFT * SOFT);
        near(value_of(&m, "spring.p"), START * cos(w * t), share * START * (1.0 + w * t));
        near(value_of(&m, "spring.v"), -START * w * sin(w * t), share * START * w * (1.0 + w * t));
    }
    machine_end(&m);
    /* fourth order */
    const double coarse = fabs(missing(2.5e-4)), fine = fabs(missing(1.25e-4));
    near(coarse, 0.0, 1e-6);
    near(fine, 0.0, coarse / 10.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_door_swings_as_a_torsional_pendulum),
        cmocka_unit_test(test_a_stop_ends_the_way_of_a_door),
        cmocka_unit_test(test_friction_about_the_axis_holds),
        cmocka_unit_test(test_a_crank_makes_five_turns),
        cmocka_unit_test(test_long_steps_count_their_turns),
        cmocka_unit_test(test_a_count_does_not_drift_away),
        cmocka_unit_test(test_a_run_is_continued_from_its_states),
        cmocka_unit_test(test_the_loop_of_steps_has_the_bits_of_single_ones),
        cmocka_unit_test(test_a_slider_crank_follows_its_crank),
        cmocka_unit_test(test_a_bead_on_a_rod_that_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
