/* Values from outside: their text, and what they become in a model. */
#include "unit.h"

#include <string.h>

#include <drystone/model.h>

#include "syntax/syntax.h"

/* ---- the text ----------------------------------------------------------------------------------
 */

typedef struct reading {
    const char *text;
    int rank, rows, cols;
    double number[4]; /* the first of them */
    bool has_unit;
} reading;

static void texts_are_read(void **state) {
    (void)state;
    static const reading cases[] = {
        {"2", 0, 1, 1, {2.0}, false},
        {" -1e3 ", 0, 1, 1, {-1e3}, false},
        {"2kg", 0, 1, 1, {2.0}, true},
        {"500 [mN]", 0, 1, 1, {0.5}, true},
        {"2 kg m/s^2", 0, 1, 1, {2.0}, true},
        {"3%", 0, 1, 1, {0.03}, true},
        {"[1,2,3]", 1, 3, 1, {1.0, 2.0, 3.0}, false},
        {"[1, 2, 4] [m]", 1, 3, 1, {1.0, 2.0, 4.0}, true},
        {"[1cm, 0, 5 [m]]", 1, 3, 1, {0.01, 0.0, 5.0}, true},
        {"[[1, 2], [3, 4]]", 2, 2, 2, {1.0, 2.0, 3.0, 4.0}, false},
        {"[7]", 1, 1, 1, {7.0}, false},
    };
    dry_arena *arena = dry_arena_new(0);
    assert_non_null(arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const reading *want = &cases[i];
        dry_given given;
        dry_error error = {0};
        if (!dry_given_read(want->text, arena, &given, &error))
            fail_msg("%s: %s", want->text, error.text);
        assert_int_equal(given.rank, want->rank);
        assert_int_equal(given.rows, want->rows);
        assert_int_equal(given.cols, want->cols);
        assert_int_equal(given.has_unit, want->has_unit);
        for (int k = 0; k < given.rows * given.cols; k++)
            closer(given.number[k], want->number[k], 1e-15);
    }
    dry_arena_free(arena);
}

static void other_texts_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",          "two",      "2kgg",          "2 [kg",    "[1, 2",    "[1 2]",     "[]",
        "[1,]",      "inf",      "nan",           "1e999",    "[1mm, 2]", "[1mm, 2s]", "[1mm] [mm]",
        "2, 3",      "2 [kg] 3", "[[1, 2], [3]]", "[[1], 2]", "[[[1]]]",  "2 []",      "2 [kg] m",
        "[1, 2] mm", "2:3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dry_error error = {0};
        if (dry_setting_check(wrong[i], &error) != DRY_BAD_ARGUMENT)
            fail_msg("`%s` is taken for a value", wrong[i]);
        above(strlen(error.text), 10);
    }
}

/* ---- the model ---------------------------------------------------------------------------------
 */

static const char text[] = "param M = 1 [kg], x = [1, 2, 3] [m], A = [[1, 2], [3, 4]], y = 2*x[2]\n"
                           "state v = 0 [m/s]\n"
                           "M*v' = 1 [N]\n"
                           "run until = 1 [s]\n";

static dry_model *compile(const dry_setting *settings, int n) {
    const dry_model_options options = {.settings = settings, .n_settings = n};
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
    assert_non_null(model);
    return model;
}

static double value_of(const dry_model *model, const char *name) {
    return dry_model_system(model)->par[dry_model_par_find(model, name)];
}

/* A text, a number in a unit and a number in SI give the same bits. */
static void three_ways_are_one(void **state) {
    (void)state;
    const dry_setting ways[] = {{.name = "M", .text = "500 [g]"},
                                {.name = "M", .value = 500.0, .unit = "g"},
                                {.name = "M", .value = 0.5}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        dry_model *model = compile(&ways[i], 1);
        assert_true(dry_model_ok(model));
        equal(value_of(model, "M"), 0.5);
        dry_model_free(model);
    }
}

/* An element goes before its vector, and what the text defines by it follows. */
static void vectors_and_elements_are_set(void **state) {
    (void)state;
    const dry_setting settings[] = {{.name = "x", .text = "[4, 5, 6] [cm]"},
                                    {.name = "x[2]", .text = "7"},
                                    {.name = "A", .text = "[[5, 6], [7, 8]]"}};
    dry_model *model = compile(settings, 3);
    assert_true(dry_model_ok(model));
    closer(value_of(model, "x[1]"), 0.04, 1e-16);
    equal(value_of(model, "x[2]"), 7.0);
    closer(value_of(model, "x[3]"), 0.06, 1e-16);
    equal(value_of(model, "A[2,1]"), 7.0);
    equal(value_of(model, "y"), 14.0);
    dry_model_free(model);
}

static void a_unit_of_another_dimension_is_refused(void **state) {
    (void)state;
    const dry_setting wrong[] = {{.name = "M", .text = "2 [m]"},
                                 {.name = "M", .value = 2.0, .unit = "m"},
                                 {.name = "x", .text = "[1, 2, 3] [kg]"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dry_model *model = compile(&wrong[i], 1);
        assert_false(dry_model_ok(model));
        assert_string_equal(dry_model_message(model, 0).word, "setting-dimension");
        assert_int_equal(dry_model_message(model, 0).line, 1);
        dry_model_free(model);
    }
}

/* ---- ranges ------------------------------------------------------------------------------------
 */

static const char ranged[] =
    "param mu = 0.3 in 0..1, h = 5 [mm] in 0..10, a = 2 in 1..3, b = 2*a in 0..5\n"
    "param lid = 1 [mm] in 0..h\n"
    "state v = 0 [m/s]\n"
    "v' = (mu + b + h/lid)*(1 [m/s^2])\n"
    "run until = 1 [s]\n";

static void ranges_are_in_the_unit_of_the_value(void **state) {
    (void)state;
    double range[2];
    dry_model *model = dry_model_compile("test.dry", ranged, strlen(ranged), NULL);
    assert_true(dry_model_ok(model));
    assert_true(dry_model_par_range(model, dry_model_par_find(model, "h"), range));
    equal(range[0], 0.0);
    closer(range[1], 0.01, 1e-17);
    assert_true(dry_model_par_range(model, dry_model_par_find(model, "lid"), range));
    closer(range[1], 0.005, 1e-17);
    assert_false(dry_model_par_range(model, -1, range));
    dry_model_free(model);
}

/* Values on the ends are inside; a range may end at another parameter, and hold for one that the
 * text defines by others. */
static void other_values_keep_their_ranges(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *outside; /* NULL: none */
    } cases[] = {{"mu", 1.0, NULL}, {"mu", 0.0, NULL}, {"mu", 1.0001, "mu"}, {"mu", -0.1, "mu"},
                 {"h", 0.01, NULL}, {"h", 0.02, "h"},  {"h", 5e-4, "lid"},   {"a", 2.5, NULL},
                 {"a", 2.6, "b"},   {"a", 0.5, "a"}};
    dry_model *model = dry_model_compile("test.dry", ranged, strlen(ranged), NULL);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double par[16];
        const int k = dry_model_par_find(model, cases[i].name);
        memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
        par[k] = cases[i].value;
        dry_model_par_follow(model, par);
        const int outside = dry_model_par_outside(model, par);
        assert_int_equal(outside,
                         cases[i].outside ? dry_model_par_find(model, cases[i].outside) : -1);
        assert_int_equal(dry_model_par_passes(model, par), outside < 0);
        assert_true(dry_model_par_matters(model, k));
    }
    dry_model_free(model);
}

/* ---- how to run --------------------------------------------------------------------------------
 */

static int idle_keys(const dry_run_options *run) {
    static const char moves[] = "state x = 0 [m]\nx' = 1 [m/s]\nrun until = 1 [s], step = 1 [ms]\n";
    const dry_model_options options = {.run = *run};
    dry_model *model = dry_model_compile("x.dry", moves, sizeof moves - 1, &options);
    int count = 0;
    assert_true(dry_model_ok(model));
    for (int i = 0; i < dry_model_messages(model); i++)
        count += strcmp(dry_model_message(model, i).word, "run-key-idle") == 0;
    dry_model_free(model);
    return count;
}

static void what_the_method_does_not_use_gives_a_warning(void **state) {
    (void)state;
    const dry_method *pair = dry_model_method_find("dop853"),
                     *split = dry_model_method_find("split");
    assert_int_equal(idle_keys(&(dry_run_options){.rtol = 1e-9, .max_step = 1e-3}), 2);
    assert_int_equal(idle_keys(&(dry_run_options){.method = pair, .rtol = 1e-9, .P = 5.0}), 1);
    assert_int_equal(idle_keys(&(dry_run_options){.method = split, .P = 5.0, .weight = -1.0}), 0);
    assert_int_equal(idle_keys(&(dry_run_options){.method = split, .atol = 1e-9}), 1);
    assert_int_equal(idle_keys(&(dry_run_options){.step = 1e-2, .record = 0.1, .max_steps = 1e6}),
                     0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(three_ways_are_one),
        cmocka_unit_test(vectors_and_elements_are_set),
        cmocka_unit_test(a_unit_of_another_dimension_is_refused),
        cmocka_unit_test(ranges_are_in_the_unit_of_the_value),
        cmocka_unit_test(other_values_keep_their_ranges),
        cmocka_unit_test(what_the_method_does_not_use_gives_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
