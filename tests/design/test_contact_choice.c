/* Contacts of a model that are told nothing but mu: accepted without a word by every method, told
 * what was chosen, and chosen anew for what is set. */
#include "unit.h"

#include "par_of.h"
#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"rk4", "rk4-tau", "semi-implicit", "heun", "euler", "dopri5"};
enum { METHODS = 6 };

/* Nothing is told but that a heavy ball may press in too far beside a light pill. */
static dry_model *compile(const char *parts, const char *method, double step,
                          const dry_model_options *options) {
    char text[3000];
    snprintf(text, sizeof text, "%s\nrun until = 1 [s], step = %.17g [s], method = %s\n", parts,
             step, method);
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++) {
        if (strcmp(dry_model_message(model, i).word, "soft-contact") == 0) continue;
        dry_model_print_message(model, i, stderr, false);
        fail();
    }
    assert_true(dry_model_ok(model));
    return model;
}

/* ---- the step is short enough ------------------------------------------------------------- */

static const char *const scenes[] = {
    "part earth = gravity()\npart ground = plane()\npart touch = contact(mu = 0.5)\n"
    "part brick[i] = box(size = [0.2, 0.1, 0.06], mass = 1 [kg], p = [0, 0, 0.06*(i - 0.5)]) "
    "for i in 1..10\n"
    "connect touch - ground\nconnect touch - brick[i] for i in 1..10\n",
    "part earth = gravity()\npart ground = plane()\npart touch = contact(mu = 0.5)\n"
    "part ball[i] = sphere(radius = 0.05, mass = 0.1 [kg]*i, p = [0.11*i, 0, 0.05]) for i in 1..9\n"
    "part pill = capsule(radius = 0.02, length = 0.2, mass = 0.01 [kg], p = [0, 1, 0.5])\n"
    "connect touch - ground\nconnect touch - pill\nconnect touch - ball[i] for i in 1..9\n",
    "part earth = gravity()\npart ground = plane()\npart touch = contact(mu = 0.5)\n"
    "part rod[i] = box(size = [0.2, 0.05, 0.05], mass = 1 [kg], p = [0.21*i, 0, 0.03]) "
    "for i in 1..6\n"
    "part pin[i] = hinge() for i in 1..5\n"
    "connect pin[i] - rod[i + 1] at [-0.105, 0, 0] normal [0, 1, 0] "
    "- rod[i] at [0.105, 0, 0] normal [0, 1, 0] for i in 1..5\n"
    "connect touch - ground\nconnect touch - rod[i] for i in 1..6\n",
    "part earth = gravity()\npart ground = plane()\npart touch = contact(mu = 0.5)\n"
    "part finger = arm(links = 2, length = [0.3, 0.2], mass = [1, 0.05], radius = 0.02, axis = y, "
    "at = [0, 0, 0.1])\n"
    "connect touch - ground\nconnect touch - finger.link1\nconnect touch - finger.link2\n",
};
enum { SCENES = (int)(sizeof scenes / sizeof *scenes) };

/* Stacks, heaps, chains of joints and arms, by steps of 1 ms and of 0.1 ms. */
static void every_method_takes_it(void **state) {
    (void)state;
    for (int i = 0; i < SCENES * METHODS * 2; i++)
        dry_model_free(
            compile(scenes[i / 2 / METHODS], methods[i / 2 % METHODS], i % 2 ? 1e-3 : 1e-4, NULL));
}

/* A ball of M lies M g/K deep: with restitution 0.3 an impact of 12 steps has K = M
 * (1.716/12)^2/T^2 (law.h, the tangent design), so the depth is 49 g T^2, 0.48 mm with steps of 1
 * ms. */
static void the_depth_follows_from_the_step(void **state) {
    static const char ball[] = "part earth = gravity(g = 10)\npart ground = plane()\n"
                               "part touch = contact(mu = 0.5)\n"
                               "part ball = sphere(radius = 0.05, mass = 0.7, p = [0, 0, 0.05])\n"
                               "connect touch - ground\nconnect touch - ball\n";
    (void)state;
    for (int i = 0; i < 3; i++)
        for (double T = 1e-4; T < 2e-3; T *= 10.0) {
            dry_model *model = compile(ball, methods[i], T, NULL);
            const double depth = 0.7 * 10.0 / par_of(dry_model_system(model), "touch.K");
            near_case(depth / (49.0 * 10.0 * T * T), 1.0, 0.01, "%s", methods[i]);
            dry_model_free(model);
        }
}

/* ---- what is told --------------------------------------------------------------------------- */

static const char bounce[] =
    "part ground = plane()\npart touch = contact(mu = 0.5%s)\n"
    "part ball = sphere(radius = 0.05, mass = 0.7, p = [0, 0, 0.1537], v = [0, 0, -1])\n"
    "connect touch - ground\nconnect touch - ball\n";

static const char *bouncing(const char *keys) {
    static char text[1000];
    snprintf(text, sizeof text, bounce, keys);
    return text;
}

static void what_is_chosen_is_told(void **state) {
    static const char *const names[] = {"touch.K", "touch.alpha", "touch.beta", "touch.Kt",
                                        "touch.betat"};
    (void)state;
    for (int given = 0; given < 2; given++) { /* K */
        dry_model *model = compile(bouncing(given ? ", K = 1e4 [N/m]" : ""), "rk4", 1e-3, NULL);
        const dry_system *system = dry_model_system(model);
        int n = given;
        for (int i = -1; (i = dry_model_next_chosen(model, i + 1)) >= 0; n++)
            assert_string_equal(system->params[i].name, names[n]);
        assert_int_equal(n, 5);
        if (given) equal(par_of(dry_model_system(model), "touch.K"), 1e4);
        dry_model_free(model);
    }
}

/* A box lies on four points: of a push P each bears P/4, and gives way by P/(4 K). */
static void a_soft_contact_names_the_load_on_one_of_four_points(void **state) {
    static const char text[] = "part ground = plane()\npart touch = contact(mu = 0.5)\n"
                               "part lid = box(size = [0.2, 0.2, 0.1], mass = 10 [g], "
                               "p = [0, 0, 0.05])\n"
                               "lid.f[3] += -4800 [N]\n"
                               "connect touch - ground\nconnect touch - lid\n";
    char depth[60];
    (void)state;
    dry_model *model = compile(text, "rk4", 1e-3, NULL);
    assert_int_equal(dry_model_messages(model), 1);
    const char *told = dry_model_message(model, 0).text;
    snprintf(depth, sizeof depth, "push it in by %.3g m",
             4800.0 / (4.0 * par_of(dry_model_system(model), "touch.K")));
    if (!strstr(told, "the 1.2e+03 N that press on a point") || !strstr(told, depth))
        fail_msg("not 1200 N that %s: %s", depth, told);
    dry_model_free(model);
}

/* ---- what is set ---------------------------------------------------------------------------- */

static double rebound(const char *method, const dry_setting *setting) {
    const dry_model_options options = {.settings = setting, .n_settings = setting ? 1 : 0};
    const dry_sim_options run = {
        .run = {.until = 0.2, .method = dry_method_find(method), .step = 1e-3}};
    dry_model *model = compile(bouncing(""), method, 1e-3, &options);
    dry_sim_result result = {0};
    dry_error error = {0};
    if (dry_sim_run(dry_model_system(model), &run, &result, &error) != DRY_OK)
        fail_msg("%s", error.text);
    const int column = dry_record_find(result.record, "ball.v[3]");
    const double v = dry_record_values(result.record, column)[dry_record_rows(result.record) - 1];
    dry_record_free(result.record);
    dry_model_free(model);
    return v;
}

/* Newton: v' = -e v, of 1 m/s; whatever the mass and the stiffness, which would otherwise change
 * it by 0.1 and more. */
static void settings_choose_anew(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        near_case(rebound(methods[i], NULL), 0.3, 6e-3, "%s", methods[i]);
        near_case(rebound(methods[i], &(dry_setting){.name = "touch.restitution", .value = 0.8}),
                  0.8, 6e-3, "%s", methods[i]);
        near_case(rebound(methods[i], &(dry_setting){.name = "ball.mass", .value = 70.0}), 0.3,
                  6e-3, "%s", methods[i]);
        near_case(rebound(methods[i], &(dry_setting){.name = "touch.K", .value = 3e3}), 0.3, 6e-3,
                  "%s", methods[i]);
    }
}

/* Runs that are compared have one choice, for exact integration. */
static void what_is_compared_is_chosen_once(void **state) {
    const dry_model_options options = {.choose_step = 5e-4};
    (void)state;
    dry_model *one = compile(bouncing(""), "rk4", 1e-3, &options);
    dry_model *two = compile(bouncing(""), "semi-implicit", 1e-4, &options);
    equal(par_of(dry_model_system(one), "touch.K"), par_of(dry_model_system(two), "touch.K"));
    equal(par_of(dry_model_system(one), "touch.alpha"),
          par_of(dry_model_system(two), "touch.alpha"));
    dry_model_free(one);
    dry_model_free(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_takes_it),
        cmocka_unit_test(the_depth_follows_from_the_step),
        cmocka_unit_test(what_is_chosen_is_told),
        cmocka_unit_test(a_soft_contact_names_the_load_on_one_of_four_points),
        cmocka_unit_test(settings_choose_anew),
        cmocka_unit_test(what_is_compared_is_chosen_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
