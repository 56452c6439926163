/* The phases of forces are those that the physics has. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report_private.h"
#include "run.h"
#include <math.h>

/* M v' = -F: slides for M v0/F = 2 s, then sticks. */
#define BLOCK                                                                                      \
    "param M = 1 [kg], F = 0.5 [N]\n"                                                              \
    "state p = 0 [m], v = 1 [m/s]\n"                                                               \
    "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                                            \
    "p' = v\nM*v' = -f\n"

/* Its friction falls with the speed: M v' = -F (1 + exp(-v/vs)) slides for
 * M vs/F ln((exp(v0/vs) + 1)/2). */
#define STRIBECK                                                                                   \
    "param M = 1 [kg], F = 0.5 [N], vs = 0.2 [m/s]\n"                                              \
    "state p = 0 [m], v = 1 [m/s]\n"                                                               \
    "f in F*(1 + exp(-abs(v)/vs))*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                      \
    "p' = v\nM*v' = -f\n"

/* It slips, perhaps after the instant in which the element is not stretched yet, then sticks. */
static void check_band(const dry_report__band *band, double stands, double tolerance) {
    assert_string_equal(band->name, "f");
    assert_false(band->contact);
    assert_true(band->n > 0 && band->begin[0] == 0.0);
    size_t i = 0;
    while (i < band->n && band->phase[i] != DRY_PHASE_SLIP) i++;
    assert_true(i < band->n && band->begin[i] < 0.01);
    assert_int_equal(i + 2, band->n);
    assert_int_equal(band->phase[i + 1], DRY_PHASE_HOLD);
    assert_true(fabs(band->begin[i + 1] - stands) < tolerance);
}

static void check_block(const char *text, double stands, double tolerance) {
    finished f;
    dry_report__bands bands;
    run_text(&f, text);
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 1);
    check_band(&bands.band[0], stands, tolerance);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* The element turns from slipping to sticking a time of about beta = 2 ms beside the rigid block.
 */
static void test_soft(void **state) {
    (void)state;
    check_block(BLOCK "run until = 3 [s], step = 1 [ms]\nplot p\n", 2.0, 0.005);
}

static void test_rigid(void **state) {
    (void)state;
    check_block(BLOCK "run until = 3 [s], step = 1 [ms], method = rigid\nplot p\n", 2.0, 0.0015);
}

static void test_split(void **state) {
    (void)state;
    check_block(BLOCK "run until = 3 [s], step = 1 [ms], method = split\nplot p\n", 2.0, 0.0025);
}

/* The phase at t = 0 is that of the first step, as no force was found before it. */
static void a_rigid_block_slips_or_sticks_from_the_start(void **state) {
    static const struct {
        const char *text;
        dry_phase phase;
    } rows[] = {{BLOCK "run until = 0.1 [s], step = 1 [ms], method = rigid\n", DRY_PHASE_SLIP},
                {BLOCK "run until = 0.1 [s], step = 1 [ms], method = split\n", DRY_PHASE_SLIP},
                {BLOCK "init v = 0 [m/s]\n"
                       "run until = 0.1 [s], step = 1 [ms], method = rigid\n",
                 DRY_PHASE_HOLD}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        finished f;
        dry_report__bands bands;
        run_text(&f, rows[i].text);
        assert_true(dry_report__find_bands(&f.card, &bands));
        assert_int_equal(bands.band[0].n, 1);
        assert_int_equal(bands.band[0].phase[0], rows[i].phase);
        assert_true(bands.band[0].begin[0] == 0.0);
        dry_report__free_bands(&bands);
        end_run(&f);
    }
}

/* A force of the middle of a step is below the level at its end all the way down, and it slips. The
 * splitting scheme, of first order, finds the force at its level within a few steps. */
static void test_stribeck(void **state) {
    (void)state;
    const double stands = 0.4 * log((exp(5.0) + 1.0) / 2.0);
    check_block(STRIBECK "run until = 3 [s], step = 1 [ms]\n", stands, 0.005);
    check_block(STRIBECK "run until = 3 [s], step = 1 [ms], method = rigid\n", stands, 0.0015);
    check_block(STRIBECK "run until = 3 [s], step = 1 [ms], method = split\n", stands, 0.005);
}

/* A mass falls 1 m: open until sqrt(2/g), and friction without a load is open as well. */
static void test_contact(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, "param g = 9.81 [m/s^2], mu = 0.5\n"
                 "state p = 1 [m], v = 0 [m/s], u = 1 [m/s]\n"
                 "N in dio(p) with restitution = 0.1\n"
                 "s in mu*N*sgn(u)\n"
                 "p' = v\n1 [kg]*v' = N - 1 [kg]*g\n1 [kg]*u' = -s\n"
                 "run until = 2 [s], step = 0.1 [ms]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 2);
    assert_true(bands.band[0].contact);
    assert_int_equal(bands.band[0].phase[0], DRY_PHASE_OPEN);
    assert_int_equal(bands.band[0].phase[1], DRY_PHASE_HOLD);
    assert_true(fabs(bands.band[0].begin[1] - sqrt(2.0 / 9.81)) < 2e-4);
    assert_int_equal(bands.band[1].phase[bands.band[1].n - 1], DRY_PHASE_HOLD);
    assert_int_equal(bands.band[1].phase[0] == DRY_PHASE_OPEN || bands.band[1].begin[1] < 1e-3, 1);
    dry_report__free_bands(&bands);
    end_run(&f);
}

static double at_end(const finished *f, int column) {
    return dry_record_values(f->result.record, column)[dry_record_rows(f->result.record) - 1];
}

/* What a contact keeps to itself is not recorded: neither phases nor pictures miss it. A ball of
 * 1 kg falls 0.5 m beside the block, and rests. */
static void test_beside_parts(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, BLOCK "part earth = gravity(g = 9.81 [m/s^2])\n"
                       "part floor = plane()\n"
                       "part ball = sphere(radius = 0.1 [m], mass = 1 [kg],\n"
                       "                   p = [0 [m], 0 [m], 0.6 [m]])\n"
                       "part touch = contact(K = 2e4 [N/m], alpha = 2 [ms], beta = 4 [ms])\n"
                       "connect touch - floor\nconnect touch - ball\n"
                       "run until = 3 [s], step = 1 [ms]\nplot p, ball.p[3], touch.N\n"
                       "measure high = final(ball.p[3])\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_int_equal(bands.n, 2);
    check_band(&bands.band[0], 2.0, 0.005);
    assert_string_equal(bands.band[1].name, "touch");
    assert_int_equal(bands.band[1].phase[0], DRY_PHASE_OPEN);
    assert_int_equal(bands.band[1].phase[1], DRY_PHASE_HOLD);
    assert_true(fabs(bands.band[1].begin[1] - sqrt(2.0 * 0.5 / 9.81)) < 2e-3);
    const dry_model_panel panel = dry_model_panel_at(f.model, 0);
    assert_true(fabs(at_end(&f, panel.y[0]) - 1.0) < 1e-2);  /* p: M v0^2/(2 F) */
    assert_true(fabs(at_end(&f, panel.y[1]) - 0.1) < 2e-3);  /* the radius */
    assert_true(fabs(at_end(&f, panel.y[2]) - 9.81) < 1e-2); /* the weight */
    assert_true(at_end(&f, panel.y[1]) == f.measured[0].value);
    dry_report__free_bands(&bands);
    end_run(&f);
}

static void test_none(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, "state x = 1\nx' = -x/1 [s]\nrun until = 1 [s], step = 1 [ms]\n");
    assert_false(dry_report__find_bands(&f.card, &bands));
    dry_report__free_bands(&bands);
    end_run(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soft),
        cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_stribeck),
        cmocka_unit_test(test_contact),
        cmocka_unit_test(test_beside_parts),
        cmocka_unit_test(test_none),
        cmocka_unit_test(a_rigid_block_slips_or_sticks_from_the_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
