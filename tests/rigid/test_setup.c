/* What a run finds out before its first step: with how many evaluations, and to the same bits. */
#include "unit.h"

#include "texts.h"

/* n blocks one upon the other on a shaken table. */
static const char stack[] =
    "param n = %d, g = 9.81 [m/s^2], m = 1 [kg], mu = 0.3\n"
    "state x[n] = 0 [m], v[n] = 0 [m/s]\n"
    "table = 0.4 [m/s]*sin(20*t)\n"
    "rel[i] = if i == 1 then v[1] - table else v[i] - v[i-1] for i in 1..n\n"
    "f[i] in mu*m*g*(n - i + 1)*sgn(rel[i]) for i in 1..n\n"
    "fup[i] = if i == n then 0 else f[i+1] for i in 1..n\n"
    "x' = v\n"
    "m*v[i]' = fup[i] - f[i] for i in 1..n\n"
    "run until = 1 [s], step = 1 [ms]\n";

/* Sums and differences of velocities carry the other states: z[i] needs three neighbours, and s the
 * first and the last. */
static const char row[] =
    "param n = 9\n"
    "state v[n] = 0.1 [m/s], z[n] = 0 [m], s = 0 [m]\n"
    "f[i] in 0.1 [N]*(5 + i)*sgn(v[i]) for i in 1..n\n"
    "z[i]' = if i == 1 then 3*v[1] - v[2] else if i == n then v[n] - 0.5*v[n-1] else "
    "v[i] + 0.25*v[i-1] - 0.125*v[i+1] for i in 1..n\n"
    "s' = 0.1*v[1] + 0.7*v[n] + 0.3 [m/s]\n"
    "1 [kg]*v[i]' = 2 [N]*sin(3*t + i) - f[i] - 5 [N/m]*z[i] for i in 1..n\n"
    "run until = 1 [s], step = 1 [ms]\n";

static long evals_before_the_first_step(int n) {
    char text[1000];
    snprintf(text, sizeof text, stack, n);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    const long evals = dry_rigid_count(of.rigid).evals;
    machine_end(&of);
    return evals;
}

static void setting_up_takes_the_same_evaluations_for_any_number_of_sets(void **state) {
    (void)state; /* each costs n, so the set-up costs n as well */
    const long few = evals_before_the_first_step(10);
    below(few, 10);
    assert_int_equal(evals_before_the_first_step(300), few);
}

static void run_row(const dry_inclusion *inclusion, double *x, long *evals) {
    const dry_rigid_options options = {.step = 1e-3};
    dry_rigid *r = NULL;
    dry_error error = {0};
    is_ok(dry_rigid_new(inclusion, &options, NULL, 0.0, &r, &error), &error);
    *evals = dry_rigid_count(r).evals;
    is_ok(dry_rigid_advance(r, 1.0, &error), &error);
    memcpy(x, dry_rigid_state(r), (size_t)inclusion->n_states * sizeof *x);
    dry_rigid_free(r);
}

static void probing_in_groups_finds_what_probing_one_by_one_finds(void **state) {
    (void)state;
    dry_model *model = compile_text(row);
    dry_inclusion inclusion = *dry_model_inclusion(model);
    double grouped[64], single[64];
    long evals[2];
    assert_true(inclusion.steady);
    assert_int_equal(inclusion.n_carry, 2 + 3 * 9 - 2);
    run_row(&inclusion, grouped, &evals[0]);
    inclusion.carry_state = NULL;
    run_row(&inclusion, single, &evals[1]);
    all_same_bits((size_t)inclusion.n_states, grouped, single);
    below(evals[0], evals[1] - 3); /* some 3 or 4 groups of 9 velocities */
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_up_takes_the_same_evaluations_for_any_number_of_sets),
        cmocka_unit_test(probing_in_groups_finds_what_probing_one_by_one_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
