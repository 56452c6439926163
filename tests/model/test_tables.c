/* Models with tables and inputs: what a step across a knot costs in accuracy, what methods that
 * choose their steps make of it, long records, and the files that a model names. */
#include "unit.h"

#include "scratch_file.h"
#include <drystone/model.h>
#include <drystone/sim.h>
#include <stdlib.h>

static dry_model *compile(const char *text, const dry_model_options *options) {
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), options);
    assert_non_null(model);
    if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
    return model;
}

/* The last state of the model at the end of its run. */
static double last_state(const char *text, double step, const char *method,
                         dry_ode_counts *counts) {
    dry_model *model = compile(text, NULL);
    const dry_system *system = dry_model_system(model);
    dry_sim_options options = {.run = dry_model_run(model)};
    dry_sim_result result = {0};
    dry_error error = {0};
    options.run.step = step;
    options.run.method = dry_model_method_find(method);
    is_ok(dry_sim_run(system, &options, &result, &error), &error);
    const size_t rows = dry_record_rows(result.record);
    const double value = dry_record_values(result.record, system->n_states)[rows - 1];
    if (counts) *counts = result.counts;
    dry_record_free(result.record);
    dry_model_free(model);
    return value;
}

/* ---- a step across a knot --------------------------------------------------- */

/* x = x0 + t comes to a knot behind which the table rises: i = x^2/2 at the end. */
static double ramp_off(double start, double step) {
    char text[400];
    snprintf(text, sizeof text,
             "table ramp(x) at [0, 1] = [0, 1]\nstate x = %.17g, i = 0\nx' = 1 [1/s]\n"
             "i' = ramp(x)*1 [1/s]\nrun until = 1 [s]\n",
             start);
    return fabs(last_state(text, step, "rk4", NULL) - 0.5 * (start + 1.0) * (start + 1.0));
}

/* Wherever in a step the knot is. */
static double worst_ramp(double step) {
    double worst = 0.0;
    for (int i = 0; i < 16; i++) worst = fmax(worst, ramp_off(-0.4 - step * i / 16.0, step));
    return worst;
}

static void second_order_at_kinks(void **state) {
    (void)state;
    double before = worst_ramp(0.04);
    for (double step = 0.02; step > 0.002; step *= 0.5) {
        const double now = worst_ramp(step);
        between(before / now, 3.6, 4.4);
        before = now;
    }
}

/* x = x0 + t runs over the knots of a triangle; its area is 1/2. */
static double area_off(double start, const char *method, dry_ode_counts *counts) {
    char text[400];
    snprintf(text, sizeof text,
             "table tri(x) at [0, 0.5, 1] = [0, 1, 0]\n"
             "state x = %.17g, i = 0\nx' = 1 [1/s]\ni' = tri(x)*1 [1/s]\n"
             "run until = 2 [s], rtol = 1e-10, atol = 1e-12\n",
             start);
    return fabs(last_state(text, 0.0, method, counts) - 0.5);
}

/* Three knots cost three crossings, and no more of the error than anything else. */
static void kinks_are_located(void **state) {
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853"};
    for (int i = 0; i < 2; i++) {
        dry_ode_counts counts;
        below(area_off(-0.5123, methods[i], &counts), 1e-10);
        assert_int_equal(counts.kinks, 3);
    }
}

/* A table of the time itself: its knots are the ends of steps, whatever the step is. */
static void knots_of_time_are_hit(void **state) {
    (void)state;
    static const char text[] = "table tri(s) at [0, 0.333, 0.777] [s] = [0, 1, 0]\nstate i = 0\n"
                               "i' = tri(t)*1 [1/s]\nrun until = 1 [s]\n";
    static const char *const methods[] = {"rk4", "dopri5", "rodas4", "heun"};
    for (int i = 0; i < 4; i++)
        closer(last_state(text, 0.05, methods[i], NULL), 0.5 * 0.777, 1e-10);
}

/* Between 100 knots a step may pass many at once, and still ends at one of them. */
static void many_knots_at_once(void **state) {
    (void)state;
    enum { KNOTS = 101 };
    char text[4096] = "table zigzag(x) at [";
    for (int i = 0; i < KNOTS; i++)
        snprintf(text + strlen(text), 16, "%s%.2f", i ? ", " : "", 0.01 * i);
    strcat(text, "] = [");
    for (int i = 0; i < KNOTS; i++) snprintf(text + strlen(text), 16, "%s%d", i ? ", " : "", i % 2);
    strcat(text, "]\nstate x = -0.5, i = 0\nx' = 1 [1/s]\ni' = zigzag(x)*1 [1/s]\n"
                 "run until = 2 [s], rtol = 1e-3, atol = 1e-3\n");
    dry_ode_counts counts;
    closer(last_state(text, 0.0, "dopri5", &counts), 0.5, 1e-9);
    at_least(counts.kinks, KNOTS - 1);
}

/* ---- records ---------------------------------------------------------------- */

enum { SAMPLES = 100001 };

/* sin(t), 1000 samples to the second. */
static const char *write_record(void) {
    const char *path = scratch_file("drystone-test-tables.csv");
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("t,force [N]\n", stream);
    for (int i = 0; i < SAMPLES; i++) fprintf(stream, "%.3f,%.17g\n", 1e-3 * i, sin(1e-3 * i));
    assert_int_equal(fclose(stream), 0);
    return path;
}

/* The impulse of the force over 100 s: 1 - cos(100), to the error of the trapezoids or of the held
 * value. */
static void long_records(void **state) {
    (void)state;
    static const struct {
        const char *by;
        double off, tolerance;
        int breaks;
    } rows[] = {{"hold", -0.5e-3 * -0.50636564110975879, 1e-6, SAMPLES},
                {"linear", 0.0, 1e-6, SAMPLES},
                {"smooth", 0.0, 1e-9, 2}};
    const char *path = write_record();
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "input u from \"%s\" column \"force\" [N] with by = %s\nstate p = 0 [N s]\np' = u\n"
            "run until = 100 [s]\n",
            path, rows[i].by);
        dry_model *model = compile(text, NULL);
        assert_int_equal(dry_model_system(model)->n_breaks, rows[i].breaks);
        same_text(dry_model_file(model, 0), path);
        assert_null(dry_model_file(model, 1));
        dry_model_free(model);
        const double exact = 1.0 - cos(100.0) + rows[i].off;
        near(last_state(text, 1e-2, "rk4", NULL), exact, rows[i].tolerance);
    }
    remove(path);
}

/* A file from outside replaces the constant, or the file, of the text. */
static void inputs_from_outside(void **state) {
    (void)state;
    const char *path = write_record();
    static const char text[] = "input u = 2 [N]\nstate p = 0 [N s]\np' = u\nrun until = 1 [s]\n";
    const dry_given_input given = {.name = "u", .file = path, .column = "force"};
    const dry_model_options options = {.inputs = &given, .n_inputs = 1};
    dry_model *plain = compile(text, NULL), *fed = compile(text, &options);
    assert_int_equal(dry_model_system(plain)->n_breaks, 0);
    assert_int_equal(dry_model_system(fed)->n_breaks, SAMPLES);
    assert_null(dry_model_file(plain, 0));
    same_text(dry_model_file(fed, 0), path);
    assert_false(dry_model_alike(plain, fed));
    dry_model_free(plain);
    dry_model_free(fed);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_order_at_kinks), cmocka_unit_test(kinks_are_located),
        cmocka_unit_test(knots_of_time_are_hit), cmocka_unit_test(many_knots_at_once),
        cmocka_unit_test(long_records),          cmocka_unit_test(inputs_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
