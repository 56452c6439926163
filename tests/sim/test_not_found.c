/* What a search has not found, NULL, -1 or dry_method_missing, is refused by every function that
 * takes it: with a status, a mistake of the net, nan or nothing, never with a crash, and never by
 * doing something else in silence. */
#include "unit.h"

#include <drystone/drystone.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void decay(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = -x[0];
}

static const dry_quantity one_state[] = {{.name = "x", .unit = "m"}};
static const dry_system plain = {
    .name = "decay", .n_states = 1, .states = one_state, .rate = decay};

static void a_method(void **state) {
    (void)state;
    dry_ode ode;
    dry_error error = {0};
    dry_stiff *stiff = NULL;
    double x0 = 1.0, work[64];
    const dry_ode_options options = {.step = 0.1};
    const dry_method *none = dry_method_find("rk5"), *rodas4 = dry_stiff_method_find("rodas4");
    assert_false(dry_method_found(none) || dry_method_found(NULL));
    assert_int_equal(dry_ode_size(&plain, none), 0);
    assert_int_equal(dry_ode_size(&plain, NULL), 0);
    assert_int_equal(dry_ode_init(&ode, &plain, NULL, &options, NULL, 0.0, &x0, NULL, work),
                     DRY_BAD_ARGUMENT);
    assert_int_equal(dry_ode_init(&ode, &plain, none, &options, NULL, 0.0, &x0, NULL, work),
                     DRY_BAD_ARGUMENT);
    assert_int_equal(dry_ode_advance(&ode, 1.0), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_ode_step(&ode, 1.0), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_ode_init(&ode, &plain, rodas4, &options, NULL, 0.0, &x0, NULL, work),
                     DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stiff_new(&plain, dry_stiff_method_find("rodas5"), &options, NULL, 0.0,
                                   &x0, &stiff, &error),
                     DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "rodas4"));
    assert_null(stiff);
    assert_int_equal(
        dry_stiff_new(&plain, dry_method_find("rk4"), &options, NULL, 0.0, &x0, &stiff, &error),
        DRY_BAD_ARGUMENT);
    const dry_contact_choice contact = {.K = 1.0, .alpha = 1.0, .beta = 1.0};
    is_nan(dry_contact_rebound(&contact, none, 1.0, 0.1));
    const dry_firmness firm = {.K = 1.0};
    assert_false(dry_firmness_is_stable(&firm, none, 0.1));
}

/* ---- methods in options, where NULL means that nothing is said ---------------------------------
 */

static void a_method_of_a_run(void **state) {
    (void)state;
    const dry_method *const rows[] = {dry_method_find("rk5"), dry_stiff_method_find("rodas5"),
                                      dry_rigid_method_find("stiff"), dry_model_method_find("rk5"),
                                      dry_model_method_find("rigid")};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dry_sim_options options = {.run = {.method = rows[i], .until = 1.0, .step = 0.1}};
        dry_sim_result result;
        dry_error error = {0};
        assert_int_equal(dry_sim_run(&plain, &options, &result, &error), DRY_BAD_ARGUMENT);
        assert_null(result.record);
        assert_non_null(strstr(error.text, i < 4 ? "(not found)" : "rigid cannot run a system"));
        assert_non_null(strstr(error.text, "take one of euler"));
    }
}

static void a_method_of_an_inclusion(void **state) {
    (void)state;
    const dry_inclusion inclusion = {.system = &plain, .n_states = 1};
    const dry_method *const rows[] = {dry_rigid_method_find("rk5"), dry_method_find("rk4")};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dry_sim_options options = {.run = {.method = rows[i], .until = 1.0, .step = 0.1}};
        dry_sim_result result;
        dry_error error = {0};
        assert_int_equal(dry_sim_run_inclusion(&inclusion, &options, &result, &error),
                         DRY_BAD_ARGUMENT);
        assert_null(result.record);
        assert_non_null(strstr(error.text, "take one of rigid, rigid-routh, split"));
    }
}

/* The text names a method of its own, which is not run in place of the one that is missing. */
static void a_method_of_a_model(void **state) {
    (void)state;
    static const char text[] = "state x = 1\n1 [s]*x' = -x\n"
                               "run until = 1 [s], step = 0.1 [s], method = heun\n";
    const dry_model_options options = {.run = {.method = dry_model_method_find("rk5")}};
    dry_model *model = dry_model_compile("m.dry", text, strlen(text), &options);
    assert_non_null(model);
    assert_false(dry_model_ok(model));
    assert_int_equal(dry_model_messages(model), 1);
    const dry_message message = dry_model_message(model, 0);
    assert_string_equal(message.word, "unknown-method");
    assert_non_null(strstr(message.way_out, "rk4"));
    dry_model_free(model);
}

static void a_method_of_native_code(void **state) {
    (void)state;
    static const char text[] = "state x = 1\n1 [s]*x' = -x\n";
    const dry_native_options options = {.method = dry_method_find("rk5")};
    dry_error error = {0};
    dry_model *model = dry_model_compile("m.dry", text, strlen(text), NULL);
    assert_non_null(model);
    assert_null(dry_native_new(model, &options, &error));
    assert_int_equal(error.status, DRY_BAD_ARGUMENT);
    dry_model_free(model);
}

static void a_method_of_a_design(void **state) {
    (void)state;
    const dry_pace pace = {.omega = 1.0, .step = 0.1, .method = dry_method_find("rk5")};
    dry_net *net = dry_net_new();
    assert_non_null(net);
    assert_int_equal(dry_design_for(net, &pace), DRY_BAD_ARGUMENT);
    dry_net_free(net);
}

static void a_law(void **state) {
    (void)state;
    double par[8] = {0};
    int index = 5;
    const dry_law *none = dry_law_find("coulumb"), *lugre = dry_law_find("lugre");
    assert_null(none);
    assert_int_equal(dry_law_inputs(none, 1), 0);
    assert_int_equal(dry_law_forces(none, 1), 0);
    assert_int_equal(dry_law_states(none, par, 1), 0);
    assert_int_equal(dry_law_par_size(none, 1), 0);
    assert_int_equal(dry_law_par_offset(none, 0, 1), -1);
    assert_int_equal(dry_law_par_offset(lugre, dry_law_par_find(lugre, "nothing"), 1), -1);
    assert_int_equal(dry_law_par_find(none, "K"), -1);
    dry_law_defaults(none, 1, par);
    equal(par[0], 0.0);
    assert_non_null(dry_law_check(none, par, 1, &index));
    assert_int_equal(index, -1);
}

static void a_kind(void **state) {
    (void)state;
    dry_error error = {0};
    dry_net *net = dry_net_new();
    assert_non_null(net);
    dry_net_make(net, "cart", dry_kind_find("point_mas"), NULL, 0);
    dry_net_add(net, "other", NULL);
    const dry_system *system = NULL;
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "kind of part"));
    assert_int_equal(dry_net_mistake_count(net), 2);
    dry_net_free(net);
}

static void a_column(void **state) {
    (void)state;
    dry_record_stats stats;
    const double row[2] = {0.0, 1.0};
    const dry_quantity columns[] = {{.name = "t", .unit = "s"}, {.name = "x", .unit = "m"}};
    dry_record *record = dry_record_new(columns, 2);
    assert_non_null(record);
    assert_int_equal(dry_record_add(record, row), DRY_OK);
    const int none = dry_record_find(record, "y");
    assert_int_equal(none, -1);
    assert_null(dry_record_values(record, none));
    assert_string_equal(dry_record_quantity(record, none).name, "");
    assert_null(dry_record_pick(record, &none, 1));
    assert_int_equal(dry_record_statistics(record, 0, none, 0.0, 0.0, &stats), DRY_BAD_ARGUMENT);
    is_nan(dry_record_at(record, 0, none, 0.0));
    dry_record_free(record);
}

static void a_parameter(void **state) {
    (void)state;
    static const char text[] = "param k = 1 [1/s]\nstate x = 1\nx' = -k*x\n";
    char name[16];
    dry_model *model = dry_model_compile("m.dry", text, strlen(text), NULL);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    const int none = dry_model_par_find(model, "q");
    assert_int_equal(none, -1);
    assert_false(dry_model_par_free(model, none));
    assert_false(dry_model_par_follows(model, none));
    assert_false(dry_model_par_matters(model, none));
    assert_false(dry_model_par_setting(model, none, name, sizeof name));
    assert_false(dry_native_pays(model, dry_method_find("rk5"), 1e9));
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method),
        cmocka_unit_test(a_method_of_a_run),
        cmocka_unit_test(a_method_of_an_inclusion),
        cmocka_unit_test(a_method_of_a_model),
        cmocka_unit_test(a_method_of_native_code),
        cmocka_unit_test(a_method_of_a_design),
        cmocka_unit_test(a_law),
        cmocka_unit_test(a_kind),
        cmocka_unit_test(a_column),
        cmocka_unit_test(a_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
