/* Every feature of the language: the models of tests/lang/features are compiled, run and must meet
 * all they expect. A line `#! set NAME = VALUE` in a model is a setting, as -p. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "unit.h"

#include <dirent.h>
#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "needs.h"

enum { LARGEST_FILE = 1 << 16, MOST_SETTINGS = 8 };
static const char folder[] = DRY_SOURCE_DIR "/tests/lang/features/";

typedef struct source {
    char text[LARGEST_FILE];
    size_t length;
    char name[MOST_SETTINGS][64];
    dry_setting set[MOST_SETTINGS];
    int n_sets;
} source;

static void read_source(const char *path, source *s) {
    memset(s, 0, sizeof *s);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("%s is missing", path);
    s->length = fread(s->text, 1, sizeof s->text - 1, stream);
    assert_true(feof(stream));
    fclose(stream);
    for (const char *at = s->text; (at = strstr(at, "#! set ")); at++) {
        dry_setting *setting = &s->set[s->n_sets];
        assert_int_equal(sscanf(at, "#! set %63s = %lf", s->name[s->n_sets], &setting->value), 2);
        setting->name = s->name[s->n_sets++];
    }
}

/* NULL if this build has not what the model needs. */
static dry_model *compile(const char *path) {
    static source s;
    read_source(path, &s);
    if (!can_be_compiled(s.text)) return NULL;
    const dry_model_options options = {.settings = s.set, .n_settings = s.n_sets};
    dry_model *model = dry_model_compile(path, s.text, s.length, &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    if (!dry_model_ok(model)) fail_msg("%s does not compile", path);
    return model;
}

static dry_sim_result simulate(const char *path, const dry_model *model) {
    const dry_sim_options options = {.run = dry_model_run(model)};
    dry_sim_result result;
    dry_error error;
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK)
        fail_msg("%s: %s", path, error.text);
    return result;
}

/* How many expectations of the run are not met; each is told. */
static int misses(const char *path, const dry_model *model, const dry_record *record) {
    const int n = dry_model_expects(model);
    int missed = 0;
    dry_measured *measured = calloc((size_t)dry_model_measures(model) + 1, sizeof *measured);
    dry_expected *expected = calloc((size_t)n + 1, sizeof *expected);
    above(n, 0);
    assert_true(measured);
    assert_true(expected);
    assert_int_equal(dry_model_evaluate(model, NULL, record, measured, expected, NULL), DRY_OK);
    for (int i = 0; i < n; i++) {
        if (expected[i].met) continue;
        print_error("%s:%d: %s (found %.17g)\n", path, expected[i].line, expected[i].source,
                    expected[i].value);
        missed++;
    }
    free(measured);
    free(expected);
    return missed;
}

static int run_file(const char *path) {
    dry_model *model = compile(path);
    if (!model) return 0;
    dry_sim_result result = simulate(path, model);
    const int missed = misses(path, model, result.record);
    dry_record_free(result.record);
    dry_model_free(model);
    return missed;
}

static void every_feature_meets_its_expectations(void **state) {
    (void)state;
    char path[1024];
    int n = 0, missed = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all));) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".dry") != 0) continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        missed += run_file(path);
        n++;
    }
    closedir(all);
    at_least(n, 25);
    assert_int_equal(missed, 0);
}

/* ---- what no expectation can say
 * ------------------------------------------------------------------ */

/* Equal gaps share one state: z, w, N.e. */
static void equal_gaps_share_a_state(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%scontact-shared.dry", folder);
    dry_model *model = compile(path);
    assert_int_equal(dry_model_sets(model), 2);
    assert_int_equal(dry_model_system(model)->n_states, 3);
    dry_model_free(model);
}

/* Equal friction shares one, whatever its sign; another level does not: v, f.a, j.a. */
static void equal_friction_shares_a_state(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%ssigns.dry", folder);
    dry_model *model = compile(path);
    assert_int_equal(dry_model_sets(model), 5);
    assert_int_equal(dry_model_system(model)->n_states, 3);
    dry_model_free(model);
}

static const char *column_name(const dry_system *system, int column) {
    if (!column) return "t";
    return column <= system->n_states ? system->states[column - 1].name
                                      : system->outputs[column - 1 - system->n_states].name;
}

static void panels_are_as_written(void **state) {
    (void)state;
    static const struct {
        const char *x;
        int n;
        const char *name;
    } wanted[] = {{"t", 2, "p"}, {"v", 1, "f"}, {"t", 3, "x[1]"}, {"p", 2, "2*p + 1 [m]"}};
    char path[1024];
    snprintf(path, sizeof path, "%splots.dry", folder);
    dry_model *model = compile(path);
    assert_int_equal(dry_model_panels(model), 8);
    for (int i = 0; i < 4; i++) {
        const dry_model_panel panel = dry_model_panel_at(model, i);
        assert_string_equal(column_name(dry_model_system(model), panel.x[0]), wanted[i].x);
        assert_int_equal(panel.n, wanted[i].n);
        assert_null(panel.label[0]);
        assert_string_equal(column_name(dry_model_system(model), panel.y[0]), wanted[i].name);
    }
    dry_model_free(model);
}

static dry_quantity quantity_at(const dry_model *model, int column) {
    const dry_system *system = dry_model_system(model);
    if (column == 0) return (dry_quantity){"t", "s"};
    return column <= system->n_states ? system->states[column - 1]
                                      : system->outputs[column - 1 - system->n_states];
}

/* Units, abscissae, the second ordinate, bands, ranges and keys of the last four panels. */
static void panels_are_drawn_as_written(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%splots.dry", folder);
    dry_model *model = compile(path);
    dry_model_panel panel = dry_model_panel_at(model, 4);
    assert_string_equal(quantity_at(model, panel.y[0]).unit, "mm");
    assert_string_equal(quantity_at(model, panel.x[0]).unit, "ms");
    assert_string_equal(panel.label[0], "place");
    assert_false(panel.beside[0]);
    assert_true(panel.beside[1] && panel.beside[2]);
    assert_string_equal(quantity_at(model, panel.x[2]).unit, "ms"); /* the last abscissa holds on */
    panel = dry_model_panel_at(model, 5);
    assert_string_equal(quantity_at(model, panel.x[0]).name, "p");
    assert_string_equal(quantity_at(model, panel.x[1]).name, "2*p");
    assert_string_equal(quantity_at(model, panel.x[2]).name, "p + 1 [m]");
    panel = dry_model_panel_at(model, 6);
    assert_int_equal(panel.n_shades, 2);
    assert_string_equal(quantity_at(model, panel.shade[0]).name, "v > 0.95 [m/s]");
    equal(panel.x_axis.low, 0.2);
    equal(panel.x_axis.high, 0.4);
    equal(panel.y_axis.low, -1.0);
    equal(panel.y_axis.high, 2.0);
    panel = dry_model_panel_at(model, 7);
    assert_true(panel.x_axis.log && panel.y_axis.log);
    equal(panel.x_axis.low, 1100.0); /* a bare number is in the unit of the axis */
    equal(panel.x_axis.high, 1500.0);
    assert_string_equal(panel.title, "late");
    assert_string_equal(panel.x_axis.label, "time");
    assert_int_equal(panel.marks, 9);
    dry_model_free(model);
}

/* A quantity that equals a state, or the time, keeps its own name and dimension on both axes. */
static void another_name_of_a_state_is_its_title(void **state) {
    (void)state;
    static const char text[] = "state q[2] = 1 [m]\nheight = q[1]\nangle = q[2]/1 [m]\nlater = t\n"
                               "q[i]' = 1 [m/s] for i in 1..2\nrun until = 1 [s], step = 10 [ms]\n"
                               "plot height\nplot angle against height\nplot q[2] against later\n"
                               "plot q against t\n";
    static const struct {
        const char *y, *unit, *x;
    } wanted[] = {
        {"height", "m", "t"}, {"angle", "", "height"}, {"q[2]", "m", "later"}, {"q[1]", "m", "t"}};
    dry_model *model = dry_model_compile("names.dry", text, strlen(text), NULL);
    assert_true(dry_model_ok(model));
    for (int i = 0; i < 4; i++) {
        const dry_model_panel panel = dry_model_panel_at(model, i);
        assert_string_equal(quantity_at(model, panel.y[0]).name, wanted[i].y);
        assert_string_equal(quantity_at(model, panel.y[0]).unit, wanted[i].unit);
        assert_string_equal(quantity_at(model, panel.x[0]).name, wanted[i].x);
    }
    assert_int_equal(dry_model_panel_at(model, 3).x[0], 0);
    dry_model_free(model);
}

/* Names, title and units go through to the caller. */
static void a_model_tells_its_names_and_units(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%slexis.dry", folder);
    dry_model *model = compile(path);
    assert_string_equal(dry_model_name(model), "lexis");
    assert_string_equal(dry_model_title(model), "Signs as a paper has them");
    const dry_system *system = dry_model_system(model);
    assert_string_equal(system->states[0].name, "\xCF\x83");
    assert_string_equal(system->states[0].unit, "m");
    assert_string_equal(system->states[1].unit, "m/s");
    assert_string_equal(system->states[2].name, "f.a");
    assert_string_equal(system->outputs[0].name, "f");
    assert_string_equal(system->outputs[0].unit, "N");
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_feature_meets_its_expectations),
        cmocka_unit_test(equal_gaps_share_a_state),
        cmocka_unit_test(equal_friction_shares_a_state),
        cmocka_unit_test(panels_are_as_written),
        cmocka_unit_test(panels_are_drawn_as_written),
        cmocka_unit_test(another_name_of_a_state_is_its_title),
        cmocka_unit_test(a_model_tells_its_names_and_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
