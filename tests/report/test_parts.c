/* A model of parts: its energy account, its scene, the phases of its contacts. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "unit.h"

#include "report/report_private.h"
#include "run.h"
#include <math.h>

/* Falls 0.7 m onto the floor: at sqrt(2 0.7/g) s it touches. */
static const char ball[] =
    "param g = 9.81 [m/s^2]\n"
    "part earth = gravity(g = g)\n"
    "part floor = plane()\n"
    "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0 [m], 0 [m], 0.8 [m]])\n"
    "part touch = contact(K = 2e4 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0.4)\n"
    "connect touch - floor\nconnect touch - ball\n"
    "run until = 1 [s], step = 0.2 [ms]\nplot ball.p[3]\n";

static void test_phases(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, ball);
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 1);
    assert_string_equal(bands.band[0].name, "touch");
    assert_int_equal(bands.band[0].phase[0], DRY_PHASE_OPEN);
    equal(bands.band[0].begin[0], 0.0); /* when the run starts */
    assert_int_equal(bands.band[0].phase[1], DRY_PHASE_HOLD);
    closer(bands.band[0].begin[1], sqrt(2.0 * 0.7 / 9.81), 1e-3);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* M v' = -F from 1 m/s: slides for 2 s, then sticks, to a few beta. */
static void test_friction(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, "part block = point_mass(mass = 1 [kg], dim = 1, v = 1 [m/s])\n"
                 "part rub = coulomb(F = 0.5 [N], K = 5e3 [N/m], beta = 2 [ms])\n"
                 "connect rub - block - world\n"
                 "run until = 3 [s], step = 1 [ms]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 1);
    const dry_report__band *band = &bands.band[0];
    assert_false(band->contact);
    at_least(band->n, 2);
    assert_int_equal(band->phase[band->n - 1], DRY_PHASE_HOLD);
    assert_int_equal(band->phase[band->n - 2], DRY_PHASE_SLIP);
    closer(band->begin[band->n - 1], 2.0, 0.005);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* 1 m/s between stops at 0.2 m and -0.3 m: it meets the first after 0.2 s. */
static void a_stop_is_open_until_it_is_met(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, "part block = point_mass(mass = 1 [kg], dim = 1, v = 1 [m/s])\n"
                 "part ends = stop(lower = -0.3 [m], upper = 0.2 [m], restitution = 0.5)\n"
                 "connect ends - block - world\n"
                 "run until = 0.4 [s], step = 0.1 [ms]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    const dry_report__band *band = &bands.band[0];
    assert_string_equal(band->name, "ends");
    assert_true(band->contact && band->n == 3);
    assert_int_equal(band->phase[0], DRY_PHASE_OPEN);
    assert_int_equal(band->phase[1], DRY_PHASE_HOLD);
    assert_int_equal(band->phase[2], DRY_PHASE_OPEN);
    closer(band->begin[1], 0.2, 1.5e-4);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* J w' = -F from 1 rad/s turns for J/F; J = m s^2/6 of a cube of side s. A hinge without friction
 * has no phases. */
static void a_hinge_slips_until_its_friction_holds_it(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    const double J = 6.0 * 0.1 * 0.1 / 6.0, stands = J / 0.01;
    run_text(&f, "part door = box(size = [0.1 [m], 0.1 [m], 0.1 [m]], mass = 6 [kg],\n"
                 "                omega = [0 [rad/s], 0 [rad/s], 1 [rad/s]])\n"
                 "part other = box(size = [0.1 [m], 0.1 [m], 0.1 [m]], mass = 6 [kg],\n"
                 "                 p = [1 [m], 0 [m], 0 [m]])\n"
                 "part pin = hinge(F = 0.01 [N m])\n"
                 "part loose = hinge()\n"
                 "connect pin - door - world\n"
                 "connect loose - other - world at [1, 0, 0]\n"
                 "run until = 1.5 [s], step = 0.5 [ms]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 1);
    const dry_report__band *band = &bands.band[0];
    assert_string_equal(band->name, "pin");
    assert_int_equal(band->phase[band->n - 1], DRY_PHASE_HOLD);
    assert_int_equal(band->phase[band->n - 2], DRY_PHASE_SLIP);
    closer(band->begin[band->n - 1], stands, 0.01);
    dry_report__free_bands(&bands);
    end_run(&f);
}

static void test_scene(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, ball);
    assert_true(dry_report__has_scene(&f.card));
    WRITTEN(text, dry_report__scene(&f.card, stream));
    assert_non_null(strstr(text, "{\"kind\":\"plane\""));
    assert_non_null(strstr(text, "{\"kind\":\"sphere\",\"p\":[0,0,0]"));
    assert_non_null(strstr(text, "\"size\":[0.1,0,0]"));
    assert_non_null(strstr(text, "\"part\":\"ball\""));
    free(text);
    end_run(&f);
}

/* 1 kg at 0.8 m: 7.848 J before. */
static void test_account(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, ball);
    WRITTEN(text, dry_report__account(&f.card, stream));
    assert_non_null(strstr(text, "<td class=\"number\">7.848</td>"));
    assert_non_null(strstr(text, "<code>touch</code>"));
    free(text);
    end_run(&f);
}

static void test_without(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, "state x = 1\nx' = -x/1 [s]\nrun until = 1 [s], step = 1 [ms]\nplot x\n");
    assert_false(dry_report__has_scene(&f.card));
    WRITTEN(text, dry_report__account(&f.card, stream));
    assert_string_equal(text, "");
    free(text);
    end_run(&f);
}

/* ---- forces ------------------------------------------------------------------------------------
 */

/* A box of 4 kg that stands on a slope of s = atan(0.4) with mu = 0.5. On the box: the normal force
 * m g cos s along n = (sin s, 0, cos s), and friction m g sin s up the slope, (-cos s, 0, sin s).
 * Both act where the weight through its middle meets the slope: h tan s down from the foot of its
 * middle, which is h above the slope. */
static const char slope[] =
    "param g = 9.81 [m/s^2], s = atan(0.4), up = 0.0999 [m]\n"
    "part earth = gravity(g = g)\n"
    "part ground = plane(rotation = [0, s, 0])\n"
    "part block = box(size = [0.4, 0.3, 0.2], mass = 4 [kg], rotation = [0, s, 0],\n"
    "                 p = up*[sin(s), 0, cos(s)])\n"
    "part touch = contact(K = 1e5 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0.5)\n"
    "connect touch - ground\nconnect touch - block\n"
    "run until = 2 [s], step = 1 [ms], method = rk4\nplot block.p[1]\n";

/* The last number of the k-th list of codes after a place in the text. */
static double last_number(const char *text, int k) {
    const char *low = strstr(text, "\"low\":");
    for (int i = 0; i < k; i++) low = strstr(low + 1, "\"low\":");
    double least, most;
    assert_int_equal(sscanf(low, "\"low\":%lf,\"high\":%lf", &least, &most), 2);
    const char *end = strchr(strstr(low, "\"codes\":\"") + 9, '"');
    return least + code_at(end - 4) * (most - least) / ((1 << 24) - 2);
}

static void test_forces(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, slope);
    WRITTEN(text, dry_report__scene(&f.card, stream));
    const char *forces = strstr(text, "\"forces\":{\"time\":[");
    assert_non_null(forces);
    const char *numbers = strstr(forces, "\"numbers\":[");
    const double s = atan(0.4), w = 4.0 * 9.81, down = (0.0999 - 1e-4) * tan(s);
    const double wanted[9] = {down * cos(s),        0.0, -down * sin(s),
                              w * cos(s) * sin(s),  0.0, w * cos(s) * cos(s),
                              -w * sin(s) * cos(s), 0.0, w * sin(s) * sin(s)};
    for (int k = 0; k < 9; k++) closer(last_number(numbers, k), wanted[k], k < 3 ? 5e-4 : 1e-4 * w);
    free(text);
    end_run(&f);
}

/* In free fall nothing touches; without the kept states of the run there are no forces to draw, and
 * a model without contacts keeps none. */
static void test_no_forces(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, ball);
    above(dry_report_saves(f.model), 0);
    f.card.saved = NULL;
    WRITTEN(text, dry_report__scene(&f.card, stream));
    assert_null(strstr(text, "forces"));
    free(text);
    end_run(&f);
    run_text(&f, "part block = point_mass(mass = 1 [kg], dim = 1, v = 1 [m/s])\n"
                 "part rub = coulomb(F = 0.5 [N], K = 5e3 [N/m], beta = 2 [ms])\n"
                 "connect rub - block - world\nrun until = 3 [s], step = 1 [ms]\n");
    assert_int_equal(dry_report_saves(f.model), 0);
    end_run(&f);
}

/* Two balls on a column of each other, 1 and 2 kg: the lower pair carries both, the upper one, and
 * each acts at its own height. */
static void test_forces_of_a_column(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, "part earth = gravity(g = 9.81 [m/s^2])\npart floor = plane()\n"
                 "part low = sphere(radius = 0.1, mass = 1 [kg], p = [0, 0, 0.1])\n"
                 "part high = sphere(radius = 0.1, mass = 2 [kg], p = [0, 0, 0.3])\n"
                 "part touch = contact(K = 1e5 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0.5)\n"
                 "connect touch - floor\nconnect touch - low\nconnect touch - high\n"
                 "run until = 2 [s], step = 1 [ms], method = rk4\n");
    WRITTEN(text, dry_report__scene(&f.card, stream));
    const char *numbers = strstr(strstr(text, "\"forces\""), "\"numbers\":[");
    closer(last_number(numbers, 2), 0.2, 1e-3);
    closer(last_number(numbers, 5), 2.0 * 9.81, 1e-3);
    double low, high;
    const char *z = strstr(numbers, "\"low\":");
    for (int i = 0; i < 5; i++) z = strstr(z + 1, "\"low\":");
    assert_int_equal(sscanf(z, "\"low\":%lf,\"high\":%lf", &low, &high), 2);
    const char *end = strchr(strstr(z, "\"codes\":\"") + 9, '"');
    closer(low + code_at(end - 8) * (high - low) / ((1 << 24) - 2), 3.0 * 9.81, 1e-3);
    free(text);
    end_run(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phases),
                                       cmocka_unit_test(test_friction),
                                       cmocka_unit_test(a_stop_is_open_until_it_is_met),
                                       cmocka_unit_test(a_hinge_slips_until_its_friction_holds_it),
                                       cmocka_unit_test(test_scene),
                                       cmocka_unit_test(test_account),
                                       cmocka_unit_test(test_without),
                                       cmocka_unit_test(test_forces),
                                       cmocka_unit_test(test_no_forces),
                                       cmocka_unit_test(test_forces_of_a_column)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
