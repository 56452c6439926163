/* Impacts by Routh's law: friction follows the slip while the impulse of the contact grows, and e^2
 * of the work of compression comes back (Stronge). Numbers come from closed forms, from an
 * integration in very small steps of the impulse, or from tests/reference/classics.py. */
#include "unit.h"

#include "texts.h"

static machine begin_at(const char *text, double step) {
    return machine_begin(text, (dry_rigid_options){.step = step, .scheme = DRY_RIGID_ROUTH});
}

static double after(machine *of, const char *name) { return machine_state(of, name); }

/* ---- a rod in the plane ---------------------------------------------------------------- */

static const char rod[] =
    "param m = 1 [kg], L = 1 [m], J = m*L^2/12, a = %.17g\n"
    "state y = L/2*sin(a), th = 1 [rad]*a, vx = %.17g [m/s], vy = %.17g [m/s], w = %.17g [rad/s]\n"
    "N in dio(y - L/2*sin(th)) with restitution = %.17g\n"
    "f in %s*sgn(vx + w*L/2*sin(th))\n"
    "y' = vy\nth' = w\n"
    "m*vx' = -f\nm*vy' = N\n"
    "J*w' = -N*L/2*cos(th) - f*L/2*sin(th)\n"
    "run until = 1 [us], step = 1 [us]\n";

typedef struct fall {
    double angle, vx, vy, w, e, mu;
} fall;

static machine strike_by(dry_rigid_scheme scheme, const fall *of, const char *level) {
    char text[1000], chi[80];
    snprintf(chi, sizeof chi, level, of->mu);
    snprintf(text, sizeof text, rod, of->angle, of->vx, of->vy, of->w, of->e, chi);
    machine m = machine_begin(text, (dry_rigid_options){.step = 1e-6, .scheme = scheme});
    machine_go(&m, 1e-6);
    return m;
}

static machine strike(const fall *of, const char *level) {
    return strike_by(DRY_RIGID_ROUTH, of, level);
}

static double energy(double vx, double vy, double w) {
    return 0.5 * (vx * vx + vy * vy) + w * w / 24.0;
}

/* The impact in small steps of the impulse, from Newton's equations of the rod. */
static void small_steps(const fall *of, double dp, double *v) {
    const double s = 0.5 * sin(of->angle), c = 0.5 * cos(of->angle);
    double work = 0.0, least = 0.0;
    v[0] = of->vx, v[1] = of->vy, v[2] = of->w;
    for (;;) {
        const double slip = v[0] + v[2] * s, rate = v[1] - v[2] * c;
        if (rate < 0.0) least = work;
        if (rate >= 0.0 && work >= (1.0 - of->e * of->e) * least) return;
        /* the friction that stops the slip within the step, as far as its limit goes */
        const double holds = (slip / dp - 12.0 * c * s) / (1.0 + 12.0 * s * s);
        const double f = fabs(holds) < of->mu ? holds : copysign(of->mu, holds);
        v[0] -= f * dp;
        v[1] += dp;
        v[2] += 12.0 * dp * (-c - f * s);
        work += 0.5 * (rate + v[1] - v[2] * c) * dp;
    }
}

/* sets of impacts: Moreau 1.40234, Routh 1.02858 m/s */
static void a_rod_whose_slip_turns_keeps_its_speed(void **state) {
    (void)state;
    const fall of = {acos(-1.0) / 6.0, 1.0, -sqrt(2.0 * 9.81 * 0.75), 0.0, 0.0, 0.3};
    machine m = strike(&of, "%.17g*N");
    near(fabs(after(&m, "vx")), 1.02858014, 1e-8);
    machine_end(&m);
}

/* The slip of the rod above turns: to the left of the limits its end slides on. */
static void impacts_of_a_rod_follow_the_slip(void **state) {
    (void)state;
    unsigned bits = 3u;
    for (int k = 0; k < 60; k++) {
        double random[5], v[3];
        for (int i = 0; i < 5; i++) {
            bits = bits * 1664525u + 1013904223u;
            random[i] = (double)(bits >> 8) / 16777216.0;
        }
        const fall of = {0.05 + 1.45 * random[0],
                         4.0 * (random[1] - 0.5),
                         -1.0,
                         2.0 * (random[2] - 0.5),
                         random[3],
                         2.0 * random[4]};
        if (of.vy - of.w * 0.5 * cos(of.angle) >= 0.0) continue; /* it does not approach */
        machine m = strike(&of, "%.17g*N");
        small_steps(&of, 1e-5, v);
        near(after(&m, "vx"), v[0], 1e-4);
        near(after(&m, "vy"), v[1], 1e-4);
        near(after(&m, "w"), v[2], 6e-4);
        at_most(energy(after(&m, "vx"), after(&m, "vy"), after(&m, "w")),
                energy(of.vx, of.vy, of.w) * (1.0 + 1e-12));
        machine_end(&m);
    }
}

/* Newton's restitution would add 0.11 J here; 0.700 J become 0.635056 J. */
static void stronge_restitution_creates_no_energy(void **state) {
    (void)state;
    const fall of = {0.8216, 0.633, -1.0, 0.0, 0.99, 0.385};
    machine m = strike(&of, "%.17g*N");
    near(energy(after(&m, "vx"), after(&m, "vy"), after(&m, "w")), 0.6350555594, 1e-9);
    machine_end(&m);
}

/* So the message of `rigid` leads to `rigid-routh`. */
static void the_way_out_of_an_impact_that_gains(void **state) {
    (void)state;
    const fall of = {0.8216, 0.633, -1.0, 0.0, 0.99, 0.385};
    char text[1000];
    snprintf(text, sizeof text, rod, of.angle, of.vx, of.vy, of.w, of.e, "0.385*N");
    machine m = machine_begin(text, (dry_rigid_options){.step = 1e-6});
    assert_int_equal(dry_rigid_advance(m.rigid, 1e-6, &m.error), DRY_BAD_MODEL);
    assert_non_null(strstr(m.error.text, "would add 0.11"));
    assert_non_null(strstr(m.error.text, "use `rigid-routh`"));
    machine_end(&m);
}

/* In an impact only the growth of a level with the force counts. */
static void levels_count_by_their_growth(void **state) {
    (void)state;
    const char *const levels[] = {"%.17g*abs(N)", "max(0.1 [N], %.17g*N)", "(%.17g*N + 0.1 [N])",
                                  "%.17g*sqrt(N^2 + 1e-6 [N^2])"};
    const fall of = {acos(-1.0) / 6.0, 1.0, -sqrt(2.0 * 9.81 * 0.75), 0.0, 0.0, 0.3};
    const double s = 0.25, c = 0.5 * cos(of.angle);
    const double impulse =
        -of.vy / (1.0 + 12.0 * c * c - 0.3 * 12.0 * s * c); /* Moreau: forwards */
    for (int i = 0; i < 4; i++) {
        machine m = strike(&of, levels[i]);
        near(after(&m, "vx"), 1.02858014, 2e-6); /* 0.1 N for 1 us at 3 m/s^2 per N */
        machine_end(&m);
        m = strike_by(DRY_RIGID_PROX, &of, levels[i]);
        near(after(&m, "vx"), 1.0 + 0.3 * impulse, 2e-6);
        machine_end(&m);
    }
}

/* ---- in space ------------------------------------------------------------------------ */

static const char point[] = "param M = 1 [kg], mu = %.17g\n"
                            "state z = 0 [m], u[2] = [%.17g [m/s], %.17g [m/s]], w = %.17g [m/s]\n"
                            "N in dio(z) with restitution = %.17g\n"
                            "f in mu*N*sgn(u)\n"
                            "z' = w\n"
                            "M*u[1]' = -3*f[1] - 0.5*f[2] - 0.8*N\n"
                            "M*u[2]' = -0.5*f[1] - 2*f[2] + 0.6*N\n"
                            "M*w' = 0.8*f[1] - 0.6*f[2] + 1.5*N\n"
                            "run until = 1 [us], step = 1 [us]\n";

/* By tests/reference/classics.py (`keller`): the slip turns and slides on, stops and sticks, turns
 * for long, keeps most of its way, starts at rest and follows a ray. */
static void the_slip_turns_in_its_plane(void **state) {
    (void)state;
    static const struct {
        double mu, u[3], e, expected[3];
    } rows[] = {
        {0.3, {1, 0.4, -1}, 0.5, {-0.227138863148, 0.474941145414, 0.445334311436}},
        {0.6, {0.3, -0.4, -2}, 0.5, {0.0, 0.0, 0.882659150992}},
        {0.25, {0.3, -0.4, -2}, 0.5, {-0.648195700187, 0.631081727957, 0.927248638649}},
        {0.1, {2, 1, -1}, 0.8, {0.764017649032, 1.506191908717, 0.788917899090}},
        {0.2, {0, 0, -1}, 0.5, {-0.494986518074, 0.461539716547, 0.5}},
    };
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text, point, rows[i].mu, rows[i].u[0], rows[i].u[1], rows[i].u[2],
                 rows[i].e);
        machine m = begin_at(text, 1e-6);
        machine_go(&m, 1e-6);
        near(after(&m, "u[1]"), rows[i].expected[0], 1e-9);
        near(after(&m, "u[2]"), rows[i].expected[1], 1e-9);
        near(after(&m, "w"), rows[i].expected[2], 1e-9);
        machine_end(&m);
    }
}

/* A ball with top spin: u = v + R w at its contact; f acts on u by 1 + 5/2 per mass. It rolls after
 * the impact if mu (1 + e) v_n 7/2 > |u|; else it loses mu (1 + e) v_n, and always bounces by e. */
static const char ball[] =
    "param m = 1 [kg], mu = %.17g, e = 0.7\n"
    "state z = 0 [m], v[2] = [1 [m/s], 2 [m/s]], s[2] = [3 [m/s], -1 [m/s]]\n"
    "state w = -2 [m/s]\n"
    "N in dio(z) with restitution = e\n"
    "f in mu*N*sgn(v + s)\n"
    "z' = w\nm*w' = N\nm*v' = -f\n0.4*m*s' = -f\n"
    "run until = 1 [us], step = 1 [us]\n";

static void a_ball_rolls_or_slides_on(void **state) {
    (void)state;
    const double mus[] = {0.1, 0.9}, u = hypot(4.0, 1.0);
    for (int i = 0; i < 2; i++) {
        char text[800];
        snprintf(text, sizeof text, ball, mus[i]);
        machine m = begin_at(text, 1e-6);
        machine_go(&m, 1e-6);
        const double most = mus[i] * 1.7 * 2.0, f = fmin(most, u / 3.5);
        near(after(&m, "v[1]"), 1.0 - f * 4.0 / u, 1e-9);
        near(after(&m, "v[2]"), 2.0 - f * 1.0 / u, 1e-9);
        near(after(&m, "s[1]"), 3.0 - 2.5 * f * 4.0 / u, 1e-9);
        near(after(&m, "w"), 1.4, 1e-9);
        machine_end(&m);
    }
}

/* ---- several contacts ---------------------------------------------------------------- */

/* A flat rod of 1 kg and 1 m above two stones, one at its left end. */
static const char flat[] = "param e = 0.5, J = 1/12*1 [kg*m^2]\n"
                           "state y = 0 [m], th = 0 [rad], vy = %.17g [m/s], w = %.17g [rad/s]\n"
                           "left in dio(y - 0.5 [m]*th) with restitution = e\n"
                           "right in dio(y + %.17g [m]*th) with restitution = e\n"
                           "y' = vy\nth' = w\n"
                           "1 [kg]*vy' = left + right\n"
                           "J*w' = -0.5 [m]*left + %.17g [m]*right\n"
                           "run until = 1 [us], step = 1 [us]\n";

static machine drop_flat(double vy, double w, double lever) {
    char text[800];
    snprintf(text, sizeof text, flat, vy, w, lever, lever);
    return begin_at(text, 1e-6);
}

static void two_contacts_that_press_each_other_are_refused(void **state) {
    (void)state;
    machine m = drop_flat(-0.5, -1.0, 0.5); /* the right end presses the left one */
    assert_int_equal(dry_rigid_advance(m.rigid, 1e-6, &m.error), DRY_UNSUPPORTED);
    assert_non_null(strstr(m.error.text, "one contact at a time"));
    assert_non_null(strstr(m.error.text, "`left`"));
    assert_non_null(strstr(m.error.text, "`right`"));
    equal(machine_state(&m, "vy"), -0.5);
    machine_end(&m);
}

/* It turns about its left end and hits a stone 0.1 m to the right of its centre, before the centre
 * of percussion, so the left end lifts off: W_ll = 1 - 0.6, W_rr = 1.12 per kg. The stone is hit at
 * 0.6 m/s and left at half of that. */
static void a_contact_that_lifts_off_takes_no_part(void **state) {
    (void)state;
    machine m = drop_flat(-0.5, -1.0, 0.1);
    machine_go(&m, 1e-6);
    const double vy = after(&m, "vy"), w = after(&m, "w");
    near(vy + 0.1 * w, 0.3, 1e-12);
    near(vy, -0.5 + 0.9 / 1.12, 1e-12);
    near(vy - 0.5 * w, 0.4 * 0.9 / 1.12, 1e-12);
    machine_end(&m);
}

static void contacts_of_separate_machines_hit_together(void **state) {
    (void)state;
    machine m = begin_at("state a = 0 [m], b = 0 [m], u = -1 [m/s], v = -2 [m/s]\n"
                         "N in dio(a) with restitution = 0.5\n"
                         "P in dio(b) with restitution = 0.25\n"
                         "a' = u\nb' = v\n1 [kg]*u' = N\n1 [kg]*v' = P\n"
                         "run until = 1 [us], step = 1 [us]\n",
                         1e-6);
    machine_go(&m, 1e-6);
    near(after(&m, "u"), 0.5, 1e-15);
    near(after(&m, "v"), 0.5, 1e-15);
    machine_end(&m);
}

/* A brake whose level is the friction of another brake. */
static void a_level_that_depends_on_friction_is_refused(void **state) {
    (void)state;
    machine m = begin_at("state z = 0 [m], w = -1 [m/s], u = 1 [m/s], v = 2 [m/s]\n"
                         "N in dio(z)\n"
                         "f in 0.5*N*sgn(u)\n"
                         "g in 0.5*abs(f)*sgn(v)\n"
                         "z' = w\n1 [kg]*w' = N\n1 [kg]*u' = -f\n1 [kg]*v' = -g\n"
                         "run until = 1 [us], step = 1 [us]\n",
                         1e-6);
    assert_int_equal(dry_rigid_advance(m.rigid, 1e-6, &m.error), DRY_UNSUPPORTED);
    assert_non_null(strstr(m.error.text, "depends on another friction"));
    assert_non_null(strstr(m.error.text, "`g`"));
    machine_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_whose_slip_turns_keeps_its_speed),
        cmocka_unit_test(impacts_of_a_rod_follow_the_slip),
        cmocka_unit_test(stronge_restitution_creates_no_energy),
        cmocka_unit_test(the_way_out_of_an_impact_that_gains),
        cmocka_unit_test(levels_count_by_their_growth),
        cmocka_unit_test(the_slip_turns_in_its_plane),
        cmocka_unit_test(a_ball_rolls_or_slides_on),
        cmocka_unit_test(two_contacts_that_press_each_other_are_refused),
        cmocka_unit_test(a_contact_that_lifts_off_takes_no_part),
        cmocka_unit_test(contacts_of_separate_machines_hit_together),
        cmocka_unit_test(a_level_that_depends_on_friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
