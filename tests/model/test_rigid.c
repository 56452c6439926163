/* What a text means does not depend on the method: restitution, slipping and sticking of a model
 * whose sets are kept, against closed forms and against its ordinary differential equation. */
#include "unit.h"

#include <drystone/law.h>

#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEASURES = 8 };

static dry_model *compile(const char *text, const char *method) {
    const dry_model_options options = {.run = {.method = dry_model_method_find(method)}};
    dry_model *model = dry_model_compile("test", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static dry_status try_run(const dry_model *model, dry_sim_result *result, dry_error *error) {
    const dry_run_options run = dry_model_run(model);
    const dry_sim_options options = {
        .run = {.method = run.method, .until = run.until, .step = run.step}};
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    return inclusion ? dry_sim_run_inclusion(inclusion, &options, result, error)
                     : dry_sim_run(dry_model_system(model), &options, result, error);
}

static dry_sim_result simulate(const dry_model *model) {
    dry_sim_result result;
    dry_error error = {0};
    if (try_run(model, &result, &error) != DRY_OK) fail_msg("%s", error.text);
    return result;
}

/* The measures of a run. */
static void measure(const char *text, const char *method, double *value) {
    dry_model *model = compile(text, method);
    dry_sim_result result = simulate(model);
    dry_measured measured[MOST_MEASURES];
    at_most(dry_model_measures(model), MOST_MEASURES);
    assert_int_equal(dry_model_evaluate(model, NULL, result.record, measured, NULL, NULL), DRY_OK);
    for (int i = 0; i < dry_model_measures(model); i++) value[i] = measured[i].value;
    dry_record_free(result.record);
    dry_model_free(model);
}

/* ---- restitution ------------------------------------------------------------------- */

/* A ball of 2 kg without weight at 1 m/s against a wall: its speed afterwards, and what is told. */
static double rebound(const char *with, const char *method, double *told) {
    char text[400];
    snprintf(text, sizeof text,
             "state z = 0.1 [m], v = -1 [m/s]\nN in dio(z) %s\nz' = v\n2 [kg]*v' = N\n"
             "run until = 0.4 [s], step = 0.1 [ms]\nmeasure e = final(v)\n",
             with);
    double e;
    measure(text, method, &e);
    dry_model *model = compile(text, method);
    *told = dry_model_set(model, 0).restitution;
    dry_model_free(model);
    return e;
}

/* Of the rows with K, alpha, beta: b = beta sqrt(K/m) and rho = alpha/beta are those of the table
 * of impacts worked out in high precision (test_design.c), hence three digits; alpha = beta is a
 * spring. rk4 integrates the element to 1e-3 at these steps. */
static void both_take_the_same_restitution(void **state) {
    (void)state;
    static const struct {
        const char *with;
        double e, tolerance;
    } rows[] = {
        {"", 0.3, 0.0},
        {"with restitution = 0.5", 0.5, 0.0},
        {"with restitution = 0.8, duration = 10 [ms]", 0.8, 0.0},
        {"with K = 2e5 [N/m]", 0.3, 0.0},
        {"with K = 2e4 [N/m], alpha = 5 [ms], beta = 10 [ms]", 0.678, 0.5e-3},
        {"with K = 2e4 [N/m], alpha = 6 [ms], beta = 20 [ms]", 0.522, 0.5e-3},
        {"with K = 2e6 [N/m], alpha = 1 [ms], beta = 1 [ms]", 1.0, 1e-9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double told;
        const double rigid = rebound(rows[i].with, "rigid", &told);
        near(told, rows[i].e, rows[i].tolerance);
        near(rigid, told, 1e-12);
        near(rebound(rows[i].with, "rk4", &told), rigid, 1e-3);
        near(told, rigid, 1e-4); /* to which the choice for the steps of a method is made */
    }
}

/* The relaxed contact takes 0 as 0.03 (language.md), the set as what it is. */
static void zero_is_zero_where_the_set_is_kept(void **state) {
    (void)state;
    double told;
    near(rebound("with restitution = 0", "rigid", &told), 0.0, 1e-12);
    near(told, 0.0, 0.0);
    near(rebound("with restitution = 0", "rk4", &told), 0.03, 1e-3);
    near(told, 0.03, 1e-4);
}

/* b = beta sqrt(K/m) = 1.5; without a mass there is no rebound. */
static void restitution_of_what_is_given(void **state) {
    (void)state;
    dry_impact impact;
    assert_int_equal(dry_impact_of(1.5, 0.3, 0.0, &impact), DRY_OK);
    const dry_contact_choice c = {.K = 3e4, .alpha = 0.3 * 1.5 / 100.0, .beta = 1.5 / 100.0};
    near(dry_contact_restitution(&c, 3.0), impact.restitution, 1e-12);
    near(dry_contact_restitution(&c, (double)NAN), 0.0, 0.0);
}

/* ---- slipping ---------------------------------------------------------------------- */

/* m v0/F = 0.5 s of sliding, then at rest: one slip, from the start. A sample is 1 ms. */
static void a_block_slips_until_it_stands(void **state) {
    (void)state;
    static const char text[] = "param m = 2 [kg]\nstate x = 0 [m], v = 1 [m/s]\n"
                               "f in 4 [N]*sgn(v)\nx' = v\nm*v' = -f\n"
                               "run until = 1 [s], step = 1 [ms]\n"
                               "measure slid = integral(f.slip)\nmeasure slips = count(f.slip)\n"
                               "measure end = last(f.slip)\nmeasure stretch = max(abs(f.a))\n";
    static const char *const methods[] = {"rigid", "rigid-routh", "split", "split-symmetric"};
    for (int i = 0; i < 4; i++) {
        double value[4];
        measure(text, methods[i], value);
        near(value[0], 0.5, i < 2 ? 1e-3 : 2e-3);
        near(value[1], 1.0, 0.0);
        near(value[2], 0.5, i < 2 ? 1e-3 : 2e-3);
        near(value[3], 0.0, 0.0);
    }
}

/* Two blocks on each other stick while they move, to rounding of their velocities; theta is a
 * vector in the second model. Sliding of the upper one: F/m + F/M = 4/1 + (4 - 1)/3 = 5 m/s^2
 * against 0.7 m/s, 0.14 s. */
static void what_moves_together_sticks(void **state) {
    (void)state;
    static const char *const texts[] = {
        "state v = 1 [m/s], w = 0.3 [m/s]\n"
        "f in 4 [N]*sgn(v - w)\nh in 1 [N]*sgn(w)\n"
        "1 [kg]*v' = 2 [N]*(if t < 1 then 0 else sin(1 [1/s]*t - 1)) - f\n3 [kg]*w' = f - h\n"
        "run until = 6 [s], step = 1 [ms]\n"
        "measure slid = integral(f.slip)\nmeasure slips = count(f.slip)\n",
        "state v[2] = [0.6, 0.8], w[2] = [0.18, 0.24]\n"
        "f in 4 [N]*sgn(v - w)\nh in 1 [N]*sgn(w)\n"
        "1 [kg]*v' = -f + (if t < 1 then 0 else sin(1 [1/s]*t - 1))*[1.2, 1.6]\n3 [kg]*w' = f - h\n"
        "run until = 6 [s], step = 1 [ms]\n"
        "measure slid = integral(f.slip)\nmeasure slips = count(f.slip)\n",
    };
    for (int i = 0; i < 2; i++) {
        double value[2];
        measure(texts[i], "rigid", value);
        near(value[0], 0.14, 1.5e-3);
        near(value[1], 1.0, 0.0);
    }
}

/* A drill string with friction that falls with the speed: as its ordinary differential equation at
 * the same step, whose element is 1e6 times stiffer than the string. */
static void a_drill_string_slips_as_often(void **state) {
    (void)state;
    static const char text[] =
        "state th = 0, wt = 5, wb = 0\nT in (5000 + 3000*exp(-2*abs(wb)))*sgn(wb)\n"
        "Ti = 473*th + 23*(wt - wb)\nth' = wt - wb\n2122*wt' = 2000*(5 - wt) - Ti\n"
        "374*wb' = Ti - T\nrun until = 30 [s], step = 1 [ms]\n"
        "measure slips = count(T.slip)\nmeasure stuck = mean(1 - T.slip)\n"
        "measure break = first(T.slip from 1 to 30)\n";
    double rigid[3], soft[3], split[3];
    measure(text, "rigid", rigid);
    measure(text, "rk4", soft);
    measure(text, "split", split);
    above(soft[0], 1.5);
    near(rigid[0], soft[0], 0.0);
    near(split[0], soft[0], 0.0);
    near(rigid[1], soft[1], 1e-3);
    near(rigid[2], soft[2], 3e-3);
    near(split[1], soft[1], 0.1); /* of first order, and 1 % below its level is slipping */
}

/* The splitting schemes take no set of positions, and say of which force, in its own words: a
 * backlash is not one contact, it has two ends. */
static void the_splitting_refuses(const char *force, const char *says) {
    char text[400];
    snprintf(text, sizeof text,
             "state x = 0 [m], v = 1 [m/s]\n%s\nx' = v\n1 [kg]*v' = -r\n"
             "run until = 1 [s], step = 1 [ms]\n",
             force);
    dry_model *model = compile(text, "split");
    dry_sim_result result = {0};
    dry_error error = {0};
    assert_int_equal(try_run(model, &result, &error), DRY_UNSUPPORTED);
    if (!strstr(error.text, says)) fail_msg("%s", error.text);
    assert_non_null(strstr(error.text, "use the scheme 'rigid'"));
    dry_record_free(result.record);
    dry_model_free(model);
}

static void splitting_is_for_friction(void **state) {
    (void)state;
    the_splitting_refuses("r in dio(1 [m] - x)", "'r' is a contact (dio)");
    the_splitting_refuses("r in backlash(x, 0.1 [m])", "'r' has two ends (each a dio)");
}

/* ---- a mass that shrinks ----------------------------------------------------------- */

/* Without K there is none to be chosen for it: m v' = 1 - f stands still. */
static void no_mass_is_too_small_for_a_set(void **state) {
    (void)state;
    double value;
    measure("state m = 1 [kg], v = 0 [m/s]\nf in 2 [N]*sgn(v)\nm' = -0.3 [kg/s]\n"
            "m*v' = 1 [N] - f\nrun until = 3 [s], step = 1 [ms]\nmeasure v3 = final(v)\n",
            "rigid", &value);
    near(value, 0.0, 0.0);
}

/* ---- levels that depend on their own force ------------------------------------------ */

static const char *const brakes[] = {"rk4",         "rk4-tau", "semi-implicit",
                                     "dopri5",      "dop853",  "rigid",
                                     "rigid-routh", "split",   "split-symmetric"};
enum { N_BRAKES = sizeof brakes / sizeof *brakes };

/* A drum brake, N = (a P + c f)/b, f in mu N sgn(w): |f| = mu a P/(b -+ mu c) and the time w0 J/(R
 * f) until it stands, in the direction that grips and in the other one; load/R between the two
 * holds. */
static void a_brake_feeds_itself(void **state) {
    static const char text[] =
        "param P = 100, a = 0.2, b = 0.1, c = 0.05, mu = 0.3, J = 0.1, R = 0.1\n"
        "state w = 50, u = -50, x = 0\nN = (a*P + c*f)/b\nf in mu*N*sgn(w)\n"
        "g in mu*(a*P + c*g)/b*sgn(u)\nhold in mu*(a*P + c*hold)/b*sgn(x)\n"
        "J*w' = -R*f\nJ*u' = -R*g\nJ*x' = R*(60 - hold)\nrun until = 1.2, step = 1e-4\n"
        "measure grips = at(f, 0.3)\nmeasure pressed = at(N, 0.3)\nmeasure slips = at(g, 0.3)\n"
        "measure stops = first(w < 1e-3)\nmeasure later = first(u > -1e-3)\n"
        "measure creeps = max(abs(x) from 0.1 to 1.2)\nmeasure holds = final(hold)\n";
    const double grips = 0.3 * 0.2 * 100 / (0.1 - 0.3 * 0.05);
    const double slips = 0.3 * 0.2 * 100 / (0.1 + 0.3 * 0.05);
    double value[MOST_MEASURES];
    (void)state;
    for (int i = 0; i < N_BRAKES; i++) {
        measure(text, brakes[i], value);
        near(value[0], grips, 1e-6);
        near(value[1], grips / 0.3, 1e-5);
        near(value[2], -slips, 1e-6);
        near(value[3], 50 * 0.1 / (0.1 * grips), 2e-4);
        near(value[4], 50 * 0.1 / (0.1 * slips), 2e-4);
        near(value[5], 0.0, 1e-6);
        near(value[6], 60.0, 1e-6);
    }
}

/* s = 0.5 + t reaches 1 at 0.5, whatever the direction. */
static void what_comes_to_lock_ends_the_run(void **state) {
    static const char text[] = "state w = -50\nf in (1 + (0.5 + t/(1 [s]))*f)*sgn(w)\nw' = -f\n"
                               "run until = 1, step = 1e-4\n";
    (void)state;
    for (int i = 0; i < N_BRAKES; i++) {
        dry_model *model = compile(text, brakes[i]);
        dry_sim_result result = {0};
        dry_error error = {0};
        assert_int_not_equal(try_run(model, &result, &error), DRY_OK);
        assert_non_null(strstr(error.text, "at t = 0.50"));
        assert_non_null(strstr(dry_model_watch_text(model, result.fault.watch), "the force locks"));
        dry_record_free(result.record);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_take_the_same_restitution),
        cmocka_unit_test(zero_is_zero_where_the_set_is_kept),
        cmocka_unit_test(restitution_of_what_is_given),
        cmocka_unit_test(a_block_slips_until_it_stands),
        cmocka_unit_test(what_moves_together_sticks),
        cmocka_unit_test(a_drill_string_slips_as_often),
        cmocka_unit_test(splitting_is_for_friction),
        cmocka_unit_test(no_mass_is_too_small_for_a_set),
        cmocka_unit_test(a_brake_feeds_itself),
        cmocka_unit_test(what_comes_to_lock_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
