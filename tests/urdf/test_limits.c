/* A joint that meets its limit leaves it with 0.3 of its speed, or as much as it is told, whatever
 * the step and the inertia behind it. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit.h"

#include "robot_text.h"
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

/* Steps from where the limit is met. */
enum { AFTER = 40 };

typedef struct meeting {
    double speed, deepest; /* after it; by how much it was passed */
} meeting;

/* The joint starts with 2 rad/s (m/s) half a unit below its upper limit, without gravity. */
static meeting meet_with(const char *text, const char *method, double step, double restitution) {
    const dry_value values[] = {DRY_WORD("file", path), DRY_NUMBERS("step", step),
                                DRY_NUMBERS("limit_restitution", restitution)};
    const double speed = 2.0;
    const dry_system *system;
    dry_sim_result result;
    dry_error error = {0};
    write_text(text);
    dry_net *net = dry_net_new();
    dry_net_make(net, "robot", dry_urdf_kind(), values, restitution < 0.0 ? 2 : 3);
    dry_net_start(net, "robot.q_dot[1]", &speed, 1);
    if (dry_net_system(net, NULL, &system, &error) != DRY_OK) fail_msg("%s", error.text);
    const dry_sim_options options = {.run = {.method = dry_method_find(method),
                                             .until = 0.25 + AFTER * step,
                                             .record = step,
                                             .step = step}};
    if (dry_sim_run(system, &options, &result, &error) != DRY_OK) fail_msg("%s", error.text);
    const size_t rows = dry_record_rows(result.record);
    const double *q =
        dry_record_values(result.record, dry_record_find(result.record, "robot.q[1]"));
    const double *v =
        dry_record_values(result.record, dry_record_find(result.record, "robot.q_dot[1]"));
    meeting m = {.speed = v[rows - 1]};
    for (size_t i = 0; i < rows; i++) m.deepest = fmax(m.deepest, q[i] - 0.5);
    dry_record_free(result.record);
    dry_net_free(net);
    return m;
}

/* It is told nothing. */
static meeting meet(const char *text, const char *method, double step) {
    return meet_with(text, method, step, -1.0);
}

#define LIMITED(type, mass)                                                                        \
    "<robot name='r'>\n<link name='a'/>\n<link name='b'>" MASS(                                    \
        mass) "</link>\n"                                                                          \
              "<joint name='j' type='" type "'>" ENDS                                              \
              "<axis xyz='0 1 0'/><limit lower='-1' upper='0.5'/>"                                 \
              "</joint></robot>"

/* The speed that is left of 2 when a mass of 1 meets the limit in semi-implicit steps, KY08 (14),
 * written out: K D^2 = 2.945, alpha/D = 0.1506, beta/D = 1.0206, D = 12 h, X13 (24). */
static double by_hand(double h) {
    const double D = 12.0 * h, K = 2.945 / (D * D), a = 0.1506 * D + h, b = 1.0206 * D + h;
    double q = 0.0, v = 2.0, e = 0.0;
    for (long i = lround(0.25 / h) + AFTER; i > 0; i--) {
        const double psi = 0.5 - q, e_dot = fmax(-e / b, -(psi + e) / a);
        v -= h * K * fmax(e + b * e_dot, 0.0);
        q += h * v;
        e += h * e_dot;
    }
    return v;
}

/* RK4 sees the impact, up to where in a step it begins. */
static void leaves_with_a_third(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double step;
    } rows[] = {{LIMITED("revolute", 1), 1e-3},
                {LIMITED("revolute", 1), 1e-4},
                {LIMITED("prismatic", 250), 1e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const meeting m = meet(rows[i].text, "rk4", rows[i].step);
        if (!(fabs(m.speed + 0.6) < 0.02)) fail_msg("%zu: %g", i, m.speed);
        between(m.deepest, 0.0, 2.0 * 12.0 * rows[i].step);
    }
}

/* Newton: v' = -e v, of 2; 12 steps of RK4 leave 5e-3 of the phase. The element keeps 0.03. */
static void leaves_with_what_it_is_told(void **state) {
    static const double e[] = {0.0, 0.3, 0.5, 0.8, 1.0};
    (void)state;
    for (int i = 0; i < 5; i++) {
        const meeting m = meet_with(LIMITED("revolute", 1), "rk4", 1e-3, e[i]);
        if (!(fabs(m.speed + 2.0 * fmax(e[i], 0.03)) < 0.01)) fail_msg("%g: %g", e[i], m.speed);
    }
}

static void gives_no_energy(void **state) {
    const dry_value values[] = {DRY_WORD("file", path), DRY_NUMBERS("limit_restitution", 1.5)};
    (void)state;
    write_text(LIMITED("revolute", 1));
    dry_net *net = dry_net_new();
    dry_net_make(net, "robot", dry_urdf_kind(), values, 2);
    assert_int_equal(dry_net_mistake_count(net), 1);
    assert_non_null(strstr(dry_net_mistake(net, 0)->text, "limit_restitution must be at most 1"));
    dry_net_free(net);
}

/* Steps of first order leave some more; no other law than this one. */
static void first_order_does_what_the_law_says(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 1e-4};
    for (int i = 0; i < 2; i++) {
        const meeting heavy = meet(LIMITED("revolute", 1), "semi-implicit", steps[i]);
        const meeting light = meet(LIMITED("prismatic", 0.002), "semi-implicit", steps[i]);
        closer(heavy.speed, by_hand(steps[i]), 1e-3); /* of four digits of K */
        closer(light.speed, heavy.speed, 1e-9);
    }
}

/* ---- the limits of the part itself ---------------------------------------------------------- */

/* Parameter of joint j, K of the limit and so on. */
static double par_of_joint(const dry_part *joints, const char *name) {
    int i = 0;
    while (i < joints->n_par && strcmp(joints->params[i].name, name) != 0) i++;
    below(i, joints->n_par);
    return joints->par[i];
}

static const dry_part *limited_joint(void) {
    static const double q = 0.0;
    const dry_part *joints;
    dry_robot robot;
    dry_error error;
    is_ok(read_text(LIMITED("revolute", 1), &robot, &error), &error);
    is_ok(dry_urdf_joints(&robot, &q, 1e-3, 0.3, arena, &joints, &error), &error);
    assert_int_equal(joints->n_states, 3); /* a, e_lower, e_upper */
    return joints;
}

/* Pressed in by d and at rest, e = d, X13 (24): it pushes with K d and holds K d^2/2. */
static void holds_half_K_d_squared_at_rest(void **state) {
    (void)state;
    const dry_part *joints = limited_joint();
    const dry_part_env env = {.par = joints->par, .data = joints->data};
    const double d = 1e-3, K = par_of_joint(joints, "j.limit_K");
    for (int upper = 0; upper < 2; upper++) {
        const double in[2] = {upper ? 0.5 + d : -1.0 - d, 0.0};
        const double x[3] = {0.0, upper ? 0.0 : d, upper ? d : 0.0};
        double torque, x_dot[3];
        joints->eval(&env, in, x, &torque, x_dot);
        const double push = upper ? -torque : torque, held = joints->energy(&env, in, x);
        if (!(fabs(push / (K * d) - 1.0) < 1e-9)) fail_msg("pushes %g, not %g", push, K * d);
        if (!(fabs(held / (0.5 * K * d * d) - 1.0) < 1e-9))
            fail_msg("holds %g J, not %g J", held, 0.5 * K * d * d);
    }
}

/* N = K max(0, e - beta (psi + e)/alpha), tau added to both: the way psi at which N ends. The
 * switching function is above 0 where the limit does not push, and below where it does. */
static void switches_where_its_push_ends(void **state) {
    (void)state;
    const dry_part *joints = limited_joint();
    const double e = 1e-3, taus[] = {0.0, 1e-3};
    assert_int_equal(joints->n_kinks, 3); /* slip, lower, upper */
    for (int trial = 0; trial < 8; trial++) {
        const int upper = trial & 1, pushes = trial >> 1 & 1;
        const dry_part_env env = {
            .par = joints->par, .data = joints->data, .tau = taus[trial >> 2 & 1]};
        const double a = par_of_joint(joints, "j.limit_alpha") + env.tau;
        const double b = par_of_joint(joints, "j.limit_beta") + env.tau;
        const double psi = e * (a / b - 1.0) + (pushes ? -1e-6 : 1e-6) * e;
        const double in[2] = {upper ? 0.5 - psi : -1.0 + psi, 0.0};
        const double x[3] = {0.0, upper ? 0.0 : e, upper ? e : 0.0};
        double torque, x_dot[3], g[3];
        joints->eval(&env, in, x, &torque, x_dot);
        joints->kinks(&env, in, x, g);
        assert_int_equal((upper ? -torque : torque) > 0.0, pushes);
        if ((g[1 + upper] < 0.0) != pushes) fail_msg("trial %d: %g", trial, g[1 + upper]);
        above(g[2 - upper], 0.0); /* the other limit is far */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(leaves_with_a_third),
                                       TEST(leaves_with_what_it_is_told),
                                       TEST(gives_no_energy),
                                       TEST(first_order_does_what_the_law_says),
                                       TEST(holds_half_K_d_squared_at_rest),
                                       TEST(switches_where_its_push_ends)};
    return cmocka_run_group_tests(tests, begin, end);
}
