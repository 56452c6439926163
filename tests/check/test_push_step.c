/* The step of models whose equations push parts: machines whose longest step is known, what is left
 * in peace, and machines that are run below and above the bound. */
#include "unit.h"

#define LIMIT_WORD "unstable-push"
#include "step_limit.h"
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- known limits --------------------------------------------------------------------- */

/* omega = 20: semi-implicit 2/omega, RK4 2 sqrt(2)/omega; it may grow by 1e-3 of omega, which moves
 * the limit of RK4 by less than that. */
static void a_spring_that_is_an_equation(void **state) {
    (void)state;
    static const char text[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "cart.f += -800 [N/m]*cart.p\n";
    assert_limit(text, "semi-implicit", 2.0 / 20.0, 1e-3);
    assert_limit(text, "rk4", 2.0 * sqrt(2.0) / 20.0, 3e-3);
    assert_limit(text, "rk4-tau", 2.0 * sqrt(2.0) / 20.0, 3e-3);
}

/* A rate of 30/s: the stability on the negative axis, Hairer, Wanner II, IV.2: Euler and Heun 2,
 * RK4 2.785. */
static void a_damper_that_is_an_equation(void **state) {
    (void)state;
    static const char text[] = "part wheel = rotor(inertia = 2 [kg m^2], v = 1 [rad/s])\n"
                               "wheel.f += -60 [N*m*s]*wheel.v\n";
    assert_limit(text, "euler", 2.0 / 30.0, 2e-3);
    assert_limit(text, "heun", 2.0 / 30.0, 2e-3);
    assert_limit(text, "rk4", 2.785294 / 30.0, 2e-3);
    assert_limit(text, "semi-implicit", 2.0 / 30.0, 2e-3);
}

/* Spring of the parts and damper of the equations, and the other way round. A semi-implicit step of
 * p_dot = v, v_dot = -w^2 p - c v has the trace 2 - T^2 w^2 - c T and the determinant 1 - c T, and
 * is stable for T^2 w^2 + 2 c T < 4: w = 20, c = 40 give T = 0.1 (sqrt(2) - 1). A spring alone
 * grows in every step of Euler's method; with the damper there is nothing to say. */
static void parts_and_equations_together(void **state) {
    (void)state;
    static const char *const texts[] = {"part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                        "part spring = spring(K = 800 [N/m])\n"
                                        "connect spring - cart\n"
                                        "cart.f += -80 [N*s/m]*cart.v\n",
                                        "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                        "part damper = damper(D = 80 [N*s/m])\n"
                                        "connect damper - cart\n"
                                        "cart.f += -800 [N/m]*cart.p\n"};
    for (int i = 0; i < 2; i++)
        assert_limit(texts[i], "semi-implicit", 0.1 * (sqrt(2.0) - 1.0), 3e-3);
    assert_false(is_refused(texts[1], "euler", 0.048));
}

/* omega = 20 by an equation, beside friction of the parts that damps it as long as it sticks, and
 * not while it slides: Euler 2e-3/omega, Heun 0.2/omega, as for a spring of the parts; in whichever
 * order the parts stand. */
static void a_spring_beside_friction_of_the_parts(void **state) {
    (void)state;
    static const char *const parts[] = {
        "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n",
        "part rub = coulomb(F = 1 [N], K = 200 [N/m], beta = 20 [ms])\n"};
    for (int first = 0; first < 2; first++) {
        char text[300];
        snprintf(text, sizeof text, "%s%sconnect rub - cart\ncart.f += -800 [N/m]*cart.p\n",
                 parts[first], parts[1 - first]);
        assert_limit(text, "euler", 2e-3 / 20.0, 1e-2);
        assert_limit(text, "heun", 0.2 / 20.0, 1e-2);
    }
}

/* The message names the state that the equations push too hard: neither what a constant force
 * throws, nor what a part holds. Semi-implicit, the spring bears 2/omega = 0.107 s and the damper
 * 2/21 s = 0.095 s; the spring changes its speed by more than the damper does. */
static void the_state_that_is_pushed_is_told(void **state) {
    (void)state;
    static const char text[] = "part thrown = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "part sprung = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "part pushed = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "part spring = spring(K = 700 [N/m])\nconnect spring - sprung\n"
                               "thrown.f += 1e6 [N]\nsprung.f += 1 [N]\n"
                               "pushed.f += -42 [N*s/m]*pushed.v\n";
    dry_model *model = compile(text, "semi-implicit", 0.1, false);
    assert_non_null(said(model, LIMIT_WORD));
    assert_non_null(strstr(said(model, LIMIT_WORD), "`pushed.v`"));
    dry_model_free(model);
}

/* Friction that sticks, s^2 + K/m (beta + tau) s + K/m = 0, whose faster root RK4 bears at
 * r = 2.785294 of T. The laws see the step of each stage, KY08 (21), in the mean 3/4 T:
 * K/m T (r (beta + 3/4 T) - T) = r^2, and T solves K/m ((3/4 r - 1) T^2 + r beta T) = r^2. */
static void friction_that_feels_the_steps_of_the_stages(void **state) {
    (void)state;
    static const char text[] = "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                               "f in 1 [N]*sgn(cart.v) with K = 2e4 [N/m], beta = 30 [ms]\n"
                               "cart.f += -f\n";
    const double r = 2.785294, rate = 2e4 / 2.0, beta = 0.03, mean[] = {0.0, 0.75};
    static const char *const methods[] = {"rk4", "rk4-tau"};
    for (int i = 0; i < 2; i++) {
        const double a = mean[i] * r - 1.0, b = r * beta, c = r * r / rate;
        const double T = 2.0 * c / (b + sqrt(b * b + 4.0 * a * c));
        assert_limit(text, methods[i], T, 2e-3);
    }
}

/* Steps that are too long are refused however much they are, up to where their numbers overflow,
 * which (T omega)^4 and then (T omega)^2 do at 1e308. */
static void much_too_long_steps(void **state) {
    static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    static const double K[] = {1e8, 1e10, 1e13, 1e16, 1e20, 1e30, 1e50, 1e100, 1e170, 1e250};
    (void)state;
    for (size_t i = 0; i < sizeof K / sizeof *K; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            char text[200];
            snprintf(text, sizeof text,
                     "part cart = point_mass(mass = 1 [kg], p = 0.1 [m])\n"
                     "cart.f += -%g [N/m]*cart.p\n",
                     K[i]);
            if (!is_refused(text, methods[k], 1e-3))
                fail_msg("%s: K = %g passes", methods[k], K[i]);
        }
}

/* A lag of the equations' own, of 1 ms, that pushes nothing stiffly. */
static void states_of_the_equations(void **state) {
    (void)state;
    static const char text[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "state u = 0 [m]\n"
                               "u' = 1000 [1/s]*(cart.p - u)\n"
                               "cart.f += -1 [N/m]*u - 1 [N*s/m]*cart.v\n";
    assert_limit(text, "heun", 2e-3, 2e-3);
    assert_limit(text, "rk4", 2.785294e-3, 2e-3);
}

/* Many masses between equal springs swing at up to 2 sqrt(K/m) cos(pi/(2(n + 1))), here 40 rad/s:
 * by an estimate, which lets pass what is not certain. */
static void a_long_chain(void **state) {
    (void)state;
    static const char text[] =
        "param n = 200\n"
        "part m[i] = point_mass(mass = 2 [kg], p = 0.001 [m]*i*i) for i in 1..n\n"
        "m[i].f += 800 [N/m]*(m[i-1].p - 2*m[i].p + m[i+1].p) for i in 2..n-1\n"
        "m[1].f += 800 [N/m]*(m[2].p - 2*m[1].p)\n"
        "m[n].f += 800 [N/m]*(m[n-1].p - 2*m[n].p)\n";
    assert_false(is_refused(text, "semi-implicit", 0.99 * 2.0 / 40.0));
    assert_true(is_refused(text, "semi-implicit", 1.3 * 2.0 / 40.0));
    assert_false(is_refused(text, "rk4", 0.99 * 2.0 * sqrt(2.0) / 40.0));
    assert_true(is_refused(text, "rk4", 1.3 * 2.0 * sqrt(2.0) / 40.0));
}

/* ---- what is left in peace --------------------------------------------------------------- */

/* A part that is too stiff is told by itself, and what equations add to it is not. */
static void parts_are_told_by_their_own_check(void **state) {
    (void)state;
    static const char text[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                               "part spring = spring(K = 800 [N/m])\n"
                               "connect spring - cart\n"
                               "cart.f += -1 [N/m]*cart.p\n";
    dry_model *model = compile(text, "semi-implicit", 0.12, true);
    assert_non_null(said(model, "unstable-part-forced"));
    assert_null(said(model, "unstable-push-forced"));
    dry_model_free(model);
}

/* What grows by its physics is no fault of the step; nor are forces that depend on time alone, nor
 * a body that nothing holds. */
static void growth_and_drift_are_no_fault(void **state) {
    static const char *const texts[] = {"part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                        "cart.f += 200 [N/m]*cart.p\n",
                                        "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                                        "cart.f += 1e6 [N]*sin(t*100 [1/s])\n",
                                        "part b = box(size = [0.1, 0.2, 0.3], mass = 2 [kg])\n"
                                        "init b.omega = [1, 2, 3]\n"
                                        "state x = 0 [m]\nx' = b.v[1]\n"
                                        "b.f += [1, 0, 0]\n"};
    static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 5; k++) assert_false(is_refused(texts[i], methods[k], 1e-3));
}

/* Frictions that the compiler chooses from the step are made softer, as in models without parts. */
static void chosen_frictions_are_softened(void **state) {
    (void)state;
    static const char text[] = "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                               "f[i] in 1 [N]*sgn(cart.v - 0.01 [m/s]*i) for i in 1..8\n"
                               "cart.f += -sum(f[i] for i in 1..8)\n";
    static const char given[] = "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                                "f[i] in 1 [N]*sgn(cart.v - 0.01 [m/s]*i) "
                                "with K = 4e6 [N/m], beta = 1 [ms] for i in 1..8\n"
                                "cart.f += -sum(f[i] for i in 1..8)\n";
    dry_model *model = compile(text, "rk4", 1e-3, false);
    const double K = dry_model_set(model, 0).K, beta = dry_model_set(model, 0).beta;
    assert_true(dry_model_ok(model));
    assert_non_null(said(model, "softened"));
    const double w2 = 8.0 * K / 2.0, c = w2 * beta; /* all of them stuck: the faster mode */
    const double fast = c * c > 4.0 * w2 ? 0.5 * (c + sqrt(c * c - 4.0 * w2)) : sqrt(w2);
    below(fast * 1e-3, 2.785294 * 1.002);
    const dry_system *system = dry_model_system(model);
    int same = 0;
    for (int i = 0; i < system->n_par; i++) /* the run has the same numbers */
        same += !strcmp(system->params[i].name, "f[1].K") && system->par[i] == K;
    assert_int_equal(same, 1);
    dry_model_free(model);
    assert_true(is_refused(given, "rk4", 1e-3));
}

/* Frictions are softened before contacts: a contact of another body keeps the K that it has alone.
 */
static void contacts_are_softened_last(void **state) {
    (void)state;
    static const char alone[] = "part ball = point_mass(mass = 2 [kg], p = 1 [m])\n"
                                "N in dio(ball.p)\nball.f += N\n";
    static const char frictions[] = "part cart = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                                    "f[i] in 1 [N]*sgn(cart.v - 0.01 [m/s]*i) for i in 1..8\n"
                                    "cart.f += -sum(f[i] for i in 1..8)\n";
    char both[600];
    snprintf(both, sizeof both, "%s%s", alone, frictions);
    dry_model *one = compile(alone, "rk4", 1e-3, false), *two = compile(both, "rk4", 1e-3, false);
    assert_null(said(one, "softened"));
    assert_non_null(said(two, "softened"));
    equal(dry_model_set(two, 0).K, dry_model_set(one, 0).K);
    dry_model_free(one);
    dry_model_free(two);
}

/* ---- runs below and above the bound ------------------------------------------------------ */

/* The largest of a state in the last tenth of a run; INFINITY where it ends before. */
static double most_of(const char *text, const char *method, double step, const char *name) {
    dry_model *model = compile(text, method, step, true);
    const dry_sim_options options = {
        .run = {.until = 2.0, .method = dry_method_find(method), .step = step}};
    dry_sim_result result = {0};
    dry_error error = {0};
    double most = 0.0;
    assert_true(dry_model_ok(model));
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK)
        most = (double)INFINITY;
    else {
        const size_t rows = dry_record_rows(result.record);
        const double *v = dry_record_values(result.record, dry_record_find(result.record, name));
        for (size_t i = rows - rows / 10; i < rows; i++) most = fmax(most, fabs(v[i]));
    }
    dry_record_free(result.record);
    dry_model_free(model);
    return most;
}

/* Controllers of a body in space, for its place and for its turn, and of an arm: at 0.9 of the
 * bound what was started dies away, at 1.2 of it never. */
static void machines_rest_below_the_bound_and_shake_above_it(void **state) {
    static const struct {
        const char *text, *state;
        double begin; /* m/s, rad/s */
    } rows[] = {
        {"part b = box(size = [0.1, 0.2, 0.3], mass = 2 [kg])\n"
         "init b.v = [1e-3, 0, 0]\n"
         "b.f += -2000 [N/m]*b.p - 60 [N*s/m]*b.v\n",
         "b.v[1]", 1e-3},
        {"part b = box(size = [0.1, 0.2, 0.3], mass = 2 [kg])\n"
         "init b.omega = [0, 0, 1e-3]\n"
         "b.m += -20 [N*m]*[b.q[2], b.q[3], b.q[4]] - 0.2 [N*m*s]*b.omega\n",
         "b.omega[3]", 1e-3},
        {"part a = arm(links = 2, length = [0.5, 0.4], mass = [2, 1])\n"
         "init a.q_dot = [1e-3, 0]\n"
         "a.joint1.f += -200 [N*m]*a.q[1] - 20 [N*m*s]*a.q_dot[1]\n"
         "a.joint2.f += -200 [N*m]*a.q[2] - 20 [N*m*s]*a.q_dot[2]\n",
         "a.q_dot[1]", 1e-3},
    };
    static const char *const methods[] = {"heun", "rk4", "semi-implicit"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < 3; k++) {
            const double bound = bound_of(rows[i].text, methods[k]);
            const double below = most_of(rows[i].text, methods[k], 0.9 * bound, rows[i].state);
            const double above = most_of(rows[i].text, methods[k], 1.2 * bound, rows[i].state);
            if (!(below < 0.1 * rows[i].begin && above > rows[i].begin))
                fail_msg("%s of %s: bound %g, %g below it, %g above", methods[k], rows[i].state,
                         bound, below, above);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_that_is_an_equation),
        cmocka_unit_test(a_damper_that_is_an_equation),
        cmocka_unit_test(parts_and_equations_together),
        cmocka_unit_test(a_spring_beside_friction_of_the_parts),
        cmocka_unit_test(the_state_that_is_pushed_is_told),
        cmocka_unit_test(friction_that_feels_the_steps_of_the_stages),
        cmocka_unit_test(much_too_long_steps),
        cmocka_unit_test(states_of_the_equations),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(parts_are_told_by_their_own_check),
        cmocka_unit_test(growth_and_drift_are_no_fault),
        cmocka_unit_test(chosen_frictions_are_softened),
        cmocka_unit_test(contacts_are_softened_last),
        cmocka_unit_test(machines_rest_below_the_bound_and_shake_above_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
