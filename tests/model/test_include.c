/* Included files as a program sees them: the files of a model, names of parameters, parts and
 * messages. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/net.h>
#include <string.h>

static const char path[] = DRY_SOURCE_DIR "/tests/lang/features/model.dry";

static dry_model *compile(const char *text, bool good) {
    dry_model *model = dry_model_compile(path, text, strlen(text), NULL);
    assert_non_null(model);
    for (int i = 0; good && i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_int_equal(dry_model_ok(model), good);
    return model;
}

static bool has_file(const dry_model *model, const char *file) {
    const char *of;
    for (int i = 0; (of = dry_model_file(model, i)) != NULL; i++)
        if (strcmp(of, file) == 0) return true;
    return false;
}

static void the_model_lists_its_files(void **state) {
    (void)state;
    dry_model *model = compile("include \"include-cart.dry\" as L\nrun until = 1 [s]\n", true);
    assert_true(has_file(model, DRY_SOURCE_DIR "/tests/lang/features/include-cart.dry"));
    assert_true(has_file(model, DRY_SOURCE_DIR "/tests/lang/features/include-motor.dry"));
    assert_string_equal(dry_model_path(model), path);
    dry_model_free(model);
}

static void parameters_and_parts_have_dotted_names(void **state) {
    (void)state;
    dry_model *model = compile("include \"include-cart.dry\" as L\nrun until = 1 [s]\n", true);
    dry_net_found found;
    dry_error error = {0};
    const int par = dry_model_par_find(model, "L.motor.J");
    assert_true(par >= 0);
    near(dry_model_system(model)->par[par], 1e-3, 1e-18);
    is_ok(dry_net_find(dry_model_net(model), "L.cart.v", &found, &error), &error);
    assert_int_equal(found.count, 1);
    dry_model_free(model);
}

static void a_message_names_its_file(void **state) {
    (void)state;
    dry_model *model = compile("include \"include-motor.dry\" as m\n"
                               "state x = 0\n"
                               "x' = nothing\n"
                               "include \"../errors/unknown-name.dry\" as u\n"
                               "run until = 1 [s]\n",
                               false);
    const int n = dry_model_messages(model);
    assert_true(n >= 2);
    assert_string_equal(dry_model_message(model, 0).file, path);
    assert_int_equal(dry_model_message(model, 0).line, 3);
    assert_string_equal(dry_model_message(model, n - 1).file,
                        DRY_SOURCE_DIR "/tests/lang/features/../errors/unknown-name.dry");
    dry_model_free(model);
}

/* The range of a parameter stays, and its place is that of the value. */
static void a_range_holds_for_what_is_given(void **state) {
    (void)state;
    dry_model *model = compile("include \"include-motor.dry\" as m with J = 1,\n"
                               "    F = 3 [N m]\n"
                               "run until = 1 [s]\n",
                               false);
    assert_int_equal(dry_model_messages(model), 1);
    const dry_message message = dry_model_message(model, 0);
    assert_string_equal(message.word, "outside-range");
    assert_int_equal(message.line, 2);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_lists_its_files),
        cmocka_unit_test(parameters_and_parts_have_dotted_names),
        cmocka_unit_test(a_message_names_its_file),
        cmocka_unit_test(a_range_holds_for_what_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
