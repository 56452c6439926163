/* The phases of forces are those that the physics has. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "unit.h"

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
    above(band->n, 0);
    equal(band->begin[0], 0.0);
    size_t i = 0;
    while (i < band->n && band->phase[i] != DRY_PHASE_SLIP) i++;
    below(i, band->n);
    below(band->begin[i], 0.01);
    assert_int_equal(i + 2, band->n);
    assert_int_equal(band->phase[i + 1], DRY_PHASE_HOLD);
    closer(band->begin[i + 1], stands, tolerance);
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
        equal(bands.band[0].begin[0], 0.0);
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
    closer(bands.band[0].begin[1], sqrt(2.0 / 9.81), 2e-4);
    assert_int_equal(bands.band[1].phase[bands.band[1].n - 1], DRY_PHASE_HOLD);
    assert_int_equal(bands.band[1].phase[0], DRY_PHASE_OPEN);
    assert_int_equal(bands.band[1].phase[1], DRY_PHASE_SLIP);
    assert_true(bands.band[1].begin[1] == bands.band[0].begin[1]);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* A ball falls h = 0.1 m and touches at t_k = t_1 (1 + 2 (e + ... + e^(k - 1))), t_1 = sqrt(2 h/g),
 * for a 10000th of the run each time: to the shift of four impacts and 1e-3 of e. */
static void every_impact_is_there_however_short(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    const double e = 0.8, first = sqrt(2.0 * 0.1 / 9.81);
    run_text(&f, "state p = 0.1 [m], v = 0 [m/s]\n"
                 "N in dio(p) with restitution = 0.8, duration = 0.08 [ms]\n"
                 "p' = v\n1 [kg]*v' = N - 1 [kg]*9.81 [m/s^2]\n"
                 "run until = 0.75 [s], step = 4 [us]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    const dry_report__band *band = &bands.band[0];
    assert_int_equal(band->n, 2 * 4 + 1);
    double t = first, way = 2.0 * first;
    for (size_t k = 0; k < band->n; k++)
        assert_int_equal(band->phase[k], k % 2 ? DRY_PHASE_HOLD : DRY_PHASE_OPEN);
    for (size_t k = 1; k < band->n; k += 2) {
        closer(band->begin[k], t, 2e-3);
        closer(band->begin[k + 1] - band->begin[k], 8e-5, 2e-5);
        t += way *= e;
    }
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* Each peck turns the bird back: as many contacts of its beak as swings up that end at once. */
static void every_peck_of_the_woodpecker_is_there(void **state) {
    (void)state;
    static char text[16384];
    FILE *file = fopen("models/classics/woodpecker.dry", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    finished f;
    dry_report__bands bands;
    run_text(&f, text);
    const int column = dry_record_find(f.result.record, "wS");
    assert_true(column > 0);
    const double *w = dry_record_values(f.result.record, column);
    size_t back = 0, pecks = 0;
    for (size_t i = 100; i < dry_record_rows(f.result.record); i++)
        back += w[i] <= 0.0 && w[i - 1] > 0.0;
    assert_true(dry_report__find_bands(&f.card, &bands));
    assert_string_equal(bands.band[0].name, "beak");
    for (size_t i = 0; i < bands.band[0].n; i++) pecks += bands.band[0].phase[i] == DRY_PHASE_HOLD;
    assert_true(back >= 5); /* one in 0.16 s */
    assert_int_equal(pecks, back);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* Closed in half of each of 3000 periods, then open: what cannot be told apart has both phases, and
 * nothing else has. */
static void phases_that_are_too_many_are_shown_together(void **state) {
    (void)state;
    finished f;
    dry_report__bands bands;
    run_text(&f, "state x = 0\n"
                 "psi = (if t < 1 [s] then sin(2*pi*3000*t/1 [s]) else 1)*1 [mm]\n"
                 "N = kelvin_voigt(psi, 0 [m/s], K = 1 [N/m])\n"
                 "x' = N/1 [N s]\n"
                 "run until = 2 [s], step = 0.05 [ms]\n");
    assert_true(dry_report__find_bands(&f.card, &bands));
    const dry_report__band *band = &bands.band[0];
    assert_true(band->n >= 2 && band->n <= 4000);
    for (size_t i = 0; i + 1 < band->n; i++)
        assert_true(band->phase[i] & DRY_PHASE_OPEN && band->phase[i] & DRY_PHASE_HOLD);
    assert_int_equal(band->phase[band->n - 1], DRY_PHASE_OPEN);
    closer(band->begin[band->n - 1], 1.0, 2.0 * 3.0 / 4000.0);
    dry_report__free_bands(&bands);
    end_run(&f);
}

/* Bristles have phases too: M v' = -F slides for 2 s, to the way F/K over the last speeds. */
static void a_law_without_a_set_is_asked_as_well(void **state) {
    (void)state;
    check_block("state p = 0 [m], v = 1 [m/s]\n"
                "f = lugre(v, F = 0.5 [N], Fs = 0.5 [N], K = 5e3 [N/m], B = 100 [N s/m], D = 0)\n"
                "p' = v\n1 [kg]*v' = -f\n"
                "run until = 2.2 [s], step = 0.1 [ms]\n",
                2.0, 0.02);
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
    closer(bands.band[1].begin[1], sqrt(2.0 * 0.5 / 9.81), 2e-3);
    const dry_model_panel panel = dry_model_panel_at(f.model, 0);
    closer(at_end(&f, panel.y[0]), 1.0, 1e-2);  /* p: M v0^2/(2 F) */
    closer(at_end(&f, panel.y[1]), 0.1, 2e-3);  /* the radius */
    closer(at_end(&f, panel.y[2]), 9.81, 1e-2); /* the weight */
    equal(at_end(&f, panel.y[1]), f.measured[0].value);
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
        cmocka_unit_test(every_impact_is_there_however_short),
        cmocka_unit_test(every_peck_of_the_woodpecker_is_there),
        cmocka_unit_test(phases_that_are_too_many_are_shown_together),
        cmocka_unit_test(a_law_without_a_set_is_asked_as_well),
        cmocka_unit_test(test_beside_parts),
        cmocka_unit_test(test_none),
        cmocka_unit_test(a_rigid_block_slips_or_sticks_from_the_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
