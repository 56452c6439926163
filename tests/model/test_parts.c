/* Models with parts, from C: the order of their states, the net, and an energy account that closes
 * to the order of the method, pushes of equations included. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

static const char sledge[] = "param F = 3 [N]\n"
                             "state x = 0.1 [m]\n"
                             "x' = -2 [1/s]*x + sledge.v\n"
                             "part sledge = point_mass(mass = 2 [kg], p = 0.2 [m])\n"
                             "part spring = spring(K = 100 [N/m])\n"
                             "part damper = damper(D = 4 [N s/m])\n"
                             "connect spring - sledge\n"
                             "connect damper - sledge\n"
                             "sledge.f += 10 [N]*sin(2*t/1 [s]) - 20 [N/m]*x\n";

static dry_model *compile(const char *text) {
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), NULL);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static dry_record *run(const dry_model *model, double step) {
    const dry_sim_options options = {.run = {.until = 1.0, .step = step}};
    dry_sim_result result;
    dry_error error;
    is_ok(dry_sim_run(dry_model_system(model), &options, &result, &error), &error);
    return result.record;
}

static void states_of_equations_come_first(void **state) {
    (void)state;
    static const char *const names[] = {"x",        "equations.work", "sledge.p",
                                        "sledge.v", "spring.work",    "damper.work"};
    dry_model *model = compile(sledge);
    const dry_system *system = dry_model_system(model);
    assert_int_equal(system->n_states, 6);
    for (int i = 0; i < 6; i++) assert_string_equal(system->states[i].name, names[i]);
    assert_string_equal(system->params[0].name, "F");
    assert_string_equal(system->params[1].name, "sledge.mass");
    equal(system->par[0], 3.0);
    equal(system->par[1], 2.0);
    assert_non_null(dry_model_net(model));
    dry_model_free(model);
}

/* Of equations and bodies, not of laws and accounts. */
static void own_states_are_those_that_move(void **state) {
    (void)state;
    static const int own[] = {0, 2, 3};
    dry_model *model = compile(sledge);
    assert_int_equal(dry_model_own_states(model), 3);
    for (int i = 0; i < 3; i++) assert_int_equal(dry_model_own_state(model, i), own[i]);
    dry_model_free(model);
}

static dry_account account_at(double step) {
    dry_model *model = compile(sledge);
    dry_record *record = run(model, step);
    dry_account account;
    dry_error error;
    is_ok(dry_model_account(model, record, &account, &error), &error);
    dry_record_free(record);
    dry_model_free(model); /* the names of the rows went with it */
    return account;
}

/* RK4: the error of the balance falls by 16 when the step is halved (12: what is left of the next
 * order at these steps); nothing of it is left out. */
static void account_closes_to_the_order(void **state) {
    (void)state;
    dry_account coarse = account_at(0.02), fine = account_at(0.01);
    assert_int_equal(fine.count, 4);
    above(fine.supplied, 0.1);
    above(fine.dissipated, 0.1);
    above(fabs(coarse.error), 0.0);
    closer(coarse.error, 0.0, 1e-4);
    below(fabs(fine.error), fabs(coarse.error) / 12.0);
    dry_account_free(&coarse);
    dry_account_free(&fine);
}

/* A step of first order: whatever its length, what forces and pushes gave is what the sledge got.
 */
static void pushes_of_first_order_miss_no_work(void **state) {
    (void)state;
    dry_model *model = compile("state x = 0.1 [m]\n"
                               "x' = -2 [1/s]*x + sledge.v\n"
                               "part sledge = point_mass(mass = 2 [kg], v = 1 [m/s])\n"
                               "part damper = damper(D = 4 [N s/m])\n"
                               "connect damper - sledge\n"
                               "sledge.f += 10 [N]*sin(2*t/1 [s]) - 20 [N/m]*x\n");
    const dry_sim_options options = {
        .run = {.until = 1.0, .method = dry_method_find("semi-implicit"), .step = 0.05}};
    dry_sim_result result;
    dry_account account;
    dry_error error;
    is_ok(dry_sim_run(dry_model_system(model), &options, &result, &error), &error);
    is_ok(dry_model_account(model, result.record, &account, &error), &error);
    above(account.supplied, 0.5);
    above(account.dissipated, 0.5);
    closer(account.error, 0.0, 1e-14);
    dry_account_free(&account);
    dry_record_free(result.record);
    dry_model_free(model);
}

static void equations_are_a_source_of_the_account(void **state) {
    (void)state;
    dry_model *model = compile(sledge);
    dry_record *record = run(model, 0.01);
    dry_account account;
    dry_error error;
    is_ok(dry_model_account(model, record, &account, &error), &error);
    const dry_account_row *row = &account.rows[account.count - 1];
    assert_string_equal(row->part, "equations");
    assert_true(row->feeds);
    equal(row->work, -account.supplied);
    dry_account_free(&account);
    dry_record_free(record);
    dry_model_free(model);
}

static void a_model_of_equations_has_no_net(void **state) {
    (void)state;
    dry_model *model = compile("state x = 1 [m]\nx' = -2 [1/s]*x\n");
    dry_record *record = run(model, 0.1);
    dry_account account;
    dry_error error;
    assert_null(dry_model_net(model));
    assert_int_equal(dry_model_account(model, record, &account, &error), DRY_BAD_ARGUMENT);
    dry_record_free(record);
    dry_model_free(model);
}

/* A part named by a kind of the table, and none that is not there. */
static void kinds_are_found_by_name(void **state) {
    (void)state;
    for (int i = 0; i < dry_part_kind_count(); i++)
        assert_ptr_equal(dry_part_kind_find(dry_part_kind_at(i)->name), dry_part_kind_at(i));
    assert_null(dry_part_kind_find("flywheel"));
    assert_non_null(dry_part_kind_find("gravity"));
}

/* The bits of a run do not depend on the number of threads. */
static void threads_give_the_same_bits(void **state) {
    (void)state;
    static const char text[] =
        "part earth = gravity()\n"
        "part mass[i] = point_mass(mass = 1 [kg], p = 0.01 [m]*i) for i in 1..500\n"
        "part rub[i] = coulomb(F = 2 [N], K = 1e4, beta = 1 [ms]) for i in 1..500\n"
        "connect rub[1] - mass[1]\n"
        "connect rub[i] - mass[i] - mass[i-1] for i in 2..500\n"
        "mass[i].f += 3 [N]*sin(i) for i in 1..500\n";
    double end[3] = {0};
    for (int k = 0; k < 3; k++) {
        const dry_model_options options = {.threads = 1 << k};
        dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
        assert_non_null(model);
        assert_true(dry_model_ok(model));
        const dry_sim_options sim = {.run = {.until = 0.02, .step = 1e-3}};
        dry_sim_result result;
        assert_int_equal(dry_sim_run(dry_model_system(model), &sim, &result, NULL), DRY_OK);
        const size_t last = dry_record_rows(result.record) - 1;
        for (int i = 0; i < dry_model_system(model)->n_states; i++)
            end[k] = 1.000001 * end[k] + dry_record_values(result.record, 1 + i)[last];
        dry_record_free(result.record);
        dry_model_free(model);
    }
    unequal(end[0], 0.0);
    equal(end[0], end[1]);
    equal(end[0], end[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_equations_come_first),
        cmocka_unit_test(own_states_are_those_that_move),
        cmocka_unit_test(account_closes_to_the_order),
        cmocka_unit_test(pushes_of_first_order_miss_no_work),
        cmocka_unit_test(equations_are_a_source_of_the_account),
        cmocka_unit_test(a_model_of_equations_has_no_net),
        cmocka_unit_test(kinds_are_found_by_name),
        cmocka_unit_test(threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
