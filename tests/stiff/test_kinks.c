/* Nonsmooth problems: the converged trajectories of the papers at several tolerances, break times,
 * and a long chain of stuck blocks. */
#include "unit.h"

#include <drystone/stiff.h>
#include <stdio.h>
#include <string.h>

#include "ode/problems.h"
#include "stiff/methods.h"

#define REFERENCE DRY_SOURCE_DIR "/tests/reference/"

/* ---- trajectories -------------------------------------------------------- */

static const dry_method *method; /* under test */

static bool read_row(FILE *file, int n, double *row) {
    for (int i = 0; i < n; i++)
        if (fscanf(file, i == 0 ? "%lf" : ",%lf", &row[i]) != 1) return false;
    return true;
}

/* The largest difference over all rows and states, each over the largest value of its state. */
static double difference(const char *name, const dry_system *system, double rtol) {
    char path[512];
    double row[1 + CONVEYOR_STATES], x[CONVEYOR_STATES];
    double apart[CONVEYOR_STATES] = {0}, size[CONVEYOR_STATES] = {0}, worst = 0.0;
    snprintf(path, sizeof path, REFERENCE "%s.csv", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*[^\n]"), 0);
    const dry_ode_options options = {.rtol = rtol, .atol = 1e-3 * rtol};
    dry_stiff *s;
    dry_error error;
    is_ok(dry_stiff_new(system, method, &options, NULL, 0.0, NULL, &s, &error), &error);
    int rows = 0;
    for (; read_row(file, 1 + system->n_states, row); rows++) {
        while (dry_stiff_time(s) < row[0]) is_ok(dry_stiff_step(s, 100.0, &error), &error);
        dry_stiff_dense(s, row[0], x);
        for (int i = 0; i < system->n_states; i++) {
            apart[i] = fmax(apart[i], fabs(x[i] - row[1 + i]));
            size[i] = fmax(size[i], fabs(row[1 + i]));
        }
    }
    above(rows, 100);
    fclose(file);
    for (int i = 0; i < system->n_states; i++)
        if (size[i] > 0.0) worst = fmax(worst, apart[i] / size[i]);
    dry_stiff_free(s);
    return worst;
}

/* An error of a step grows with their number and by impacts: `growth` times the tolerance in all,
 * and ten times that by cvode, which estimates the error of a step itself; rodas4 estimates that of
 * a formula of order 3, above its own of order 4. Whatever it is, it is the same at all tolerances:
 * the error follows the tolerance. */
static void follows(const char *name, dry_system system, double growth) {
    if (strcmp(method->name, "cvode") == 0) growth *= 10.0;
    for (double rtol = 1e-3; rtol > 1e-10; rtol *= 1e-2) {
        const double worst = difference(name, &system, rtol);
        if (worst > growth * rtol) print_error("%s, rtol %g: %g\n", name, rtol, worst);
        at_most(worst, growth * rtol);
    }
}

static void trajectories(void **state) {
    method = dry_stiff_method_find(*state);
    follows("drift-x13", drift_system(&force_x13), 1e2);
    follows("bounce-alpha-0.005", bounce_system(), 1e3);
    follows("conveyor-to-0.4s", conveyor_system(), 1e3);
}

/* ---- breaks -------------------------------------------------------------- */

static const dry_quantity one_name[] = {{"x", ""}};
static const double jump_at = 0.3;
static void jump_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 0.0;
}
static void jump_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = -x[0] + (t < jump_at ? 1.0 : -1e9 * (t - jump_at));
}
static void jump_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = jump_at;
}

/* A step ends at the break, and no stage of it sees what is behind: x = 1 - exp(-t) there. */
static void breaks_are_hit(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system system = {.name = "jump",
                               .n_states = 1,
                               .n_breaks = 1,
                               .states = one_name,
                               .start = jump_start,
                               .rate = jump_rate,
                               .breaks = jump_breaks};
    const dry_ode_options options = {.rtol = 1e-6, .max_step = 0.25};
    bool met = false;
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(&system, method, &options, NULL, 0.0, NULL, &s, NULL), DRY_OK);
    while (dry_stiff_time(s) < 0.4) {
        assert_int_equal(dry_stiff_step(s, 0.4, NULL), DRY_OK);
        if (dry_stiff_time(s) != jump_at) continue;
        met = true;
        closer(dry_stiff_state(s)[0], 1.0 - exp(-jump_at), 1e-6);
        assert_int_equal(dry_stiff_count(s).rejected, 0);
    }
    assert_true(met);
    dry_stiff_free(s);
}

/* ---- a thousand stuck blocks --------------------------------------------- */

enum { BLOCKS = 1000, ENTRIES = 8 * BLOCKS + 1 };
static const double chain_K = 1e9, chain_beta = 1e-4, chain_F = 1.0, spring = 1e4;
static double pull; /* amplitude of the force at its end, N */
static int chain_row[ENTRIES], chain_column[ENTRIES], chain_n;
static dry_quantity chain_names[3 * BLOCKS];

/* States of block i: p, v, a. Mass 1 kg, springs between neighbours, the last one is pulled. */
static void chain_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t;
    for (int i = 0; i < BLOCKS; i++) {
        const double *b = x + 3 * i;
        double f, force = i == BLOCKS - 1 ? pull * sin(t) : spring * (b[3] - b[0]);
        if (i > 0) force -= spring * (b[0] - b[-3]);
        dry_friction(1, chain_K, chain_beta, tau, chain_F, &b[1], &b[2], &f, &x_dot[3 * i + 2]);
        x_dot[3 * i] = b[1];
        x_dot[3 * i + 1] = force - f;
    }
}
static void chain_jacobian(const dry_env *env, double t, double tau, const double *x, double *J) {
    (void)env, (void)t, (void)tau;
    for (int k = 0; k < chain_n; k++) {
        const int row = chain_row[k], column = chain_column[k], i = row / 3;
        const double f = chain_K * (x[3 * i + 2] + chain_beta * x[3 * i + 1]);
        const bool stuck = fabs(f) <= chain_F;
        const int neighbours = (i > 0) + (i < BLOCKS - 1);
        if (column == 3 * BLOCKS)
            J[k] = pull * cos(t);
        else if (row % 3 == 0)
            J[k] = 1.0;
        else if (row % 3 == 2)
            J[k] = column % 3 == 1 ? (stuck ? 1.0 : 0.0) : (stuck ? 0.0 : -1.0 / chain_beta);
        else if (column / 3 != i)
            J[k] = spring;
        else if (column % 3 == 0)
            J[k] = -spring * neighbours;
        else
            J[k] = stuck ? -chain_K * (column % 3 == 1 ? chain_beta : 1.0) : 0.0;
    }
}
static void chain_entry(int row, int column) {
    chain_row[chain_n] = row;
    chain_column[chain_n++] = column;
}
static dry_system chain_system(void) {
    chain_n = 0;
    for (int i = 0; i < 3 * BLOCKS; i++) chain_names[i] = (dry_quantity){"x", ""};
    chain_entry(3 * BLOCKS - 2, 3 * BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
        const int p = 3 * i;
        if (i > 0) chain_entry(p + 1, p - 3);
        if (i < BLOCKS - 1) chain_entry(p + 1, p + 3);
        for (int k = 0; k < 3; k++) chain_entry(p + 1, p + k);
        chain_entry(p, p + 1);
        chain_entry(p + 2, p + 1);
        chain_entry(p + 2, p + 2);
    }
    return (dry_system){.name = "chain",
                        .n_states = 3 * BLOCKS,
                        .states = chain_names,
                        .rate = chain_rate,
                        .n_jacobian = chain_n,
                        .jacobian_row = chain_row,
                        .jacobian_column = chain_column,
                        .jacobian = chain_jacobian};
}

/* Modes of sqrt(K/m) = 3e4 rad/s and K beta/m = 1e5 1/s: an explicit method is held at 30 us, an
 * implicit one is not held at all while all blocks stick. */
static void stuck_chain(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system system = chain_system();
    const double until = 1.0, brief = 5e-3;
    const dry_ode_options options = {.atol = 1e-12}; /* K atol: 1e-3 N */
    pull = 0.5;
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(&system, method, &options, NULL, 0.0, NULL, &s, NULL), DRY_OK);
    assert_int_equal(dry_stiff_advance(s, until, NULL), DRY_OK);
    const dry_stiff_counts c = dry_stiff_count(s);
    const double *x = dry_stiff_state(s) + 3 * (BLOCKS - 1);
    /* all stuck: K a of the last one carries the pull but for the springs' 1e-5 of it, and errors
     * die out */
    closer(chain_K * x[2], pull * sin(until), chain_K * options.atol);
    closer(x[0], x[2], options.atol);
    dry_stiff_free(s);
    run r;
    run_begin(&r, system, "dop853", (dry_ode_options){0}, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, brief), DRY_OK);
    print_message("1000 stuck blocks, %g s: %s %ld steps, %ld rejected, %ld entries of L and U; "
                  "dop853, %g s: %ld steps\n",
                  until, method->name, c.steps, c.rejected, c.entries, brief, r.ode.counts.steps);
    below((double)c.steps / until, 0.05 * (double)r.ode.counts.steps / brief);
    below(c.entries, 10 * 3 * BLOCKS);
    run_end(&r);
}

/* Pulled at 200 sin t N the last block slips after 5 ms and the next one when its spring carries
 * 1 N: the same motion as by dop853. */
static void moving_chain(void **state) {
    method = dry_stiff_method_find(*state);
    const dry_system system = chain_system();
    const dry_ode_options options = {.rtol = 1e-8, .atol = 1e-13};
    const double until = 0.02;
    pull = 200.0;
    run r;
    run_begin(&r, system, "dop853", options, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, until), DRY_OK);
    dry_stiff *s;
    assert_int_equal(dry_stiff_new(&system, method, &options, NULL, 0.0, NULL, &s, NULL), DRY_OK);
    assert_int_equal(dry_stiff_advance(s, until, NULL), DRY_OK);
    const double *x = dry_stiff_state(s), *y = r.ode.x, *last = y + 3 * (BLOCKS - 1);
    above(last[1], 1e-2);
    above(fabs(last[2]) * chain_K, 0.99 * chain_F); /* it slips */
    double worst = 0.0;
    for (int i = 0; i < 3 * BLOCKS; i++) worst = fmax(worst, fabs(x[i] - y[i]) / fabs(last[i % 3]));
    at_most(worst, 1e-5); /* the tolerance, a thousand times */
    dry_stiff_free(s);
    run_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_EACH_METHOD(trajectories),
        WITH_EACH_METHOD(breaks_are_hit),
        WITH_EACH_METHOD(stuck_chain),
        WITH_EACH_METHOD(moving_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
