/* Joints of a model that are told nothing hold at the step of the run, by every method of fixed
 * steps, light and heavy; under a weight they give way by what their stiffness says. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "unit.h"

#include "par_of.h"
#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit"};
enum { METHODS = 5 };

/* It is accepted without a word. */
static dry_model *compile(const char *parts, const char *method, double step, double until,
                          double choose_step) {
    char text[2000];
    const dry_model_options options = {.choose_step = choose_step};
    snprintf(text, sizeof text, "%s\nrun until = %.17g [s], step = %.17g [s], method = %s\n", parts,
             until, step, method);
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    assert_int_equal(dry_model_messages(model), 0);
    return model;
}

static dry_record *run(const dry_model *model, const char *method, double step, double until) {
    const dry_sim_options options = {
        .run = {.until = until, .method = dry_method_find(method), .step = step}};
    dry_sim_result result = {0};
    dry_error error = {0};
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK)
        fail_msg("%s, %g s: %s", method, step, error.text);
    return result.record;
}

static double at_end(const dry_record *record, const char *name) {
    const int column = dry_record_find(record, name);
    if (column < 0) fail_msg("there is no %s", name);
    return dry_record_values(record, column)[dry_record_rows(record) - 1];
}

/* ---- a door ----------------------------------------------------------------------------- */

static const double masses[] = {5e-3, 30.0, 500.0};
enum { MASSES = 3 };

static void door(char *text, size_t size, double mass, const char *keys) {
    snprintf(text, size,
             "part earth = gravity(g = 9.81 [m/s^2])\n"
             "part door = box(size = [0.9, 0.04, 2], mass = %.17g [kg], p = [0.45, 0, 1])\n"
             "part pin = hinge(%s)\n"
             "connect pin - door at [-0.45, 0, 0] - world at [0, 0, 1]\n"
             "down = -pin.d[3]\n"
             "turned = pin.phi[2]\n",
             mass, keys);
}

/* At rest K gives way by M g/K and Kr turns by M g r/Kr; by RK4 at 1 ms that is less than 50 um.
 * 0.5 s are more than 100 times the longest 1/w: what is left of the start is below rounding. */
static void a_door_hangs_by_its_weight(void **state) {
    (void)state;
    for (int i = 0; i < MASSES * METHODS; i++) {
        const double M = masses[i / METHODS], g = 9.81, r = 0.45;
        const char *method = methods[i % METHODS];
        char text[1000];
        door(text, sizeof text, M, "");
        dry_model *model = compile(text, method, 1e-3, 0.5, 0.0);
        dry_record *record = run(model, method, 1e-3, 0.5);
        const double sag = at_end(record, "down");
        near_share(sag, M * g / par_of(dry_model_system(model), "pin.K"), 1e-5);
        near_share(at_end(record, "turned"), M * g * r / par_of(dry_model_system(model), "pin.Kr"),
                   1e-3);
        below(sag, strcmp(method, "rk4") == 0 ? 50e-6 : 200e-6);
        dry_record_free(record);
        dry_model_free(model);
    }
}

/* Twice the step: a quarter of the stiffness and half of the damping rate; for runs that are
 * compared it is one choice for all methods. */
static void the_step_decides(void **state) {
    char text[1000];
    (void)state;
    door(text, sizeof text, 30.0, "");
    for (int i = 0; i < METHODS; i++) {
        dry_model *fine = compile(text, methods[i], 1e-3, 1.0, 0.0),
                  *coarse = compile(text, methods[i], 2e-3, 1.0, 0.0),
                  *one = compile(text, methods[i], 1e-3, 1.0, 4e-3),
                  *same = compile(text, "semi-implicit", 4e-3, 1.0, 0.0);
        near_share(par_of(dry_model_system(coarse), "pin.K"),
                   par_of(dry_model_system(fine), "pin.K") / 4.0, 1e-12);
        near_share(par_of(dry_model_system(coarse), "pin.Br"),
                   par_of(dry_model_system(fine), "pin.Br") / 2.0, 1e-12);
        near_share(par_of(dry_model_system(one), "pin.K"), par_of(dry_model_system(same), "pin.K"),
                   1e-12);
        dry_model_free(fine);
        dry_model_free(coarse);
        dry_model_free(one);
        dry_model_free(same);
    }
}

/* What was chosen is told, and only that. */
static void what_is_chosen_is_told(void **state) {
    static const char *const names[] = {"pin.B", "pin.Kr", "pin.Br"};
    char text[1000];
    (void)state;
    door(text, sizeof text, 30.0, "K = 1e7 [N/m], F = 1, Kf = 100, beta = 0.01 [s]");
    dry_model *model = compile(text, "rk4", 1e-4, 1.0, 0.0);
    int n = 0;
    for (int i = -1; (i = dry_model_next_chosen(model, i + 1)) >= 0; n++)
        assert_string_equal(dry_model_system(model)->params[i].name, names[n]);
    assert_int_equal(n, 3);
    char *shown = NULL;
    size_t length;
    FILE *stream = open_memstream(&shown, &length);
    dry_model_print_text(model, stream);
    fclose(stream);
    const char *line = strstr(shown, "\n      B = "), *end = line ? strchr(line + 1, '\n') : NULL;
    assert_non_null(line);
    assert_true(strstr(line, ", Br = ") < end);
    assert_null(strstr(line, " K = "));
    free(shown);
    dry_model_free(model);
}

/* ---- a chain ---------------------------------------------------------------------------- */

/* Eight rods on hinges with friction that swing, and a slider: the joints stay together, to a
 * fifth of a rod by semi-implicit steps, for which they are softest. */
static void a_chain_swings(void **state) {
    static const char chain[] =
        "part earth = gravity()\n"
        "part rod[i] = box(size = [%.17g, 0.02, 0.02], mass = %.17g [kg], p = [L*(i - 0.5), 0, 0]) "
        "for i in 1..8\n"
        "part pin[i] = hinge(F = %.17g) for i in 1..8\n"
        "connect pin[1] - rod[1] at [-L/2, 0, 0] normal [0, 1, 0] - world normal [0, 1, 0]\n"
        "connect pin[i] - rod[i] at [-L/2, 0, 0] normal [0, 1, 0] "
        "- rod[i - 1] at [L/2, 0, 0] normal [0, 1, 0] for i in 2..8\n"
        "part cart = box(size = [0.1, 0.1, 0.1], mass = %.17g [kg], p = [0, 1, 0])\n"
        "part rail = slider()\n"
        "gap[i] = norm(pin[i].d) for i in 1..8\n"
        "connect rail - cart at [0, 0.05, 0] normal [1, 0, 1] - world at [0, 1.05, 0] "
        "normal [1, 0, 1]\n";
    (void)state;
    for (int i = 0; i < MASSES * METHODS; i++) {
        const double M = masses[i / METHODS], L = 0.2;
        const char *method = methods[i % METHODS];
        char text[1500], all[1600];
        snprintf(text, sizeof text, chain, L, M, 0.01 * M * (i % 2), M);
        snprintf(all, sizeof all, "param L = %g [m]\n%s", L, text);
        dry_model *model = compile(all, method, 1e-3, 1.0, 0.0);
        dry_record *record = run(model, method, 1e-3, 1.0);
        for (int k = 1; k <= 8; k++) {
            char name[30];
            snprintf(name, sizeof name, "gap[%d]", k);
            if (!(at_end(record, name) < 0.2 * L))
                fail_msg("%s, %g kg: %s is %g m", method, M, name, at_end(record, name));
        }
        /* g/2 along each of x and z; first order is off by g T t */
        near_share(at_end(record, "cart.p[3]"), -0.25 * 9.80665, 5e-3);
        dry_record_free(record);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_hangs_by_its_weight),
        cmocka_unit_test(the_step_decides),
        cmocka_unit_test(what_is_chosen_is_told),
        cmocka_unit_test(a_chain_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
