/* A point of a sweep is what a run with its parameters gives, bit for bit: with one model for all
 * points, compiled anew, on any number of threads, in bytecode and native code; and the sweeps of
 * XD Figures 5.7 and 5.8 give the numbers of the models of these figures. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <drystone/sim.h>
#include <drystone/sweep.h>

#include "scratch_file.h"

enum { MOST_AXES = 4 };

typedef struct grid {
    dry_sweep_axis axes[MOST_AXES];
    int n;
} grid;

static void add(grid *g, const char *text) {
    dry_error error = {0};
    is_ok(dry_sweep_axis_read(&g->axes[g->n++], text, &error), &error);
}

static void drop(grid *g) {
    for (int i = 0; i < g->n; i++) dry_sweep_axis_free(&g->axes[i]);
}

static dry_sweep_result swept(const char *text, const grid *g, dry_sweep_options options) {
    dry_sweep_result result;
    dry_error error = {0};
    options.axes = g->axes;
    options.n_axes = g->n;
    if (dry_sweep_run("test.dry", text, strlen(text), &options, &result, &error) != DRY_OK)
        fail_msg("%s", error.text);
    return result;
}

static double cell(const dry_record *record, const char *column, size_t row) {
    const int k = dry_record_find(record, column);
    at_least(k, 0);
    return dry_record_values(record, k)[row];
}

/* The first measure of one run, compiled with the point's values. */
static double run_alone(const char *text, const grid *g, size_t point) {
    dry_setting settings[MOST_AXES];
    double values[MOST_AXES];
    dry_sweep_point(g->axes, g->n, point, values);
    for (int i = 0; i < g->n; i++)
        settings[i] = (dry_setting){.name = g->axes[i].name, .value = values[i]};
    const dry_model_options options = {.settings = settings, .n_settings = g->n};
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    const dry_run_options run = dry_model_run(model);
    const dry_sim_options how = {
        .run = {.method = run.method, .until = run.until, .step = run.step}};
    dry_sim_result result;
    dry_error error = {0};
    is_ok(dry_sim_run(dry_model_system(model), &how, &result, &error), &error);
    dry_measured *measured = calloc((size_t)dry_model_measures(model), sizeof *measured);
    dry_expected *expected = calloc((size_t)dry_model_expects(model) + 1, sizeof *expected);
    is_ok(dry_model_evaluate(model, NULL, result.record, measured, expected, &error), &error);
    const double value = measured[0].value;
    free(measured);
    free(expected);
    dry_record_free(result.record);
    dry_model_free(model);
    return value;
}

static void check_alone(const char *text, const grid *g, const char *measure,
                        const dry_sweep_result *result) {
    for (size_t i = 0; i < result->points; i++) {
        equal(cell(result->record, "status", i), 0.0);
        same_bits(cell(result->record, measure, i), run_alone(text, g, i));
    }
}

static void check_same(const dry_record *a, const dry_record *b) {
    assert_int_equal(dry_record_rows(a), dry_record_rows(b));
    for (int k = 0; k < dry_record_columns(a); k++)
        assert_memory_equal(dry_record_values(a, k), dry_record_values(b, k),
                            sizeof(double) * dry_record_rows(a));
}

/* ---- models ------------------------------------------------------------------------------- */

/* c, w follow from k; nothing is decided by their values. */
static const char free_text[] = "param k = 4 [N/m], m = 1 [kg], c = 0.1*k*1 [s], v0 = 1 [m/s]\n"
                                "state x = 0 [m], v = v0\n"
                                "x' = v\n"
                                "m*v' = -k*x - c*v\n"
                                "run until = 0.5 [s], step = 5 [ms], method = rk4\n"
                                "measure top = max(x)\n"
                                "measure end = final(v)\n";
/* n decides an index; T is a time at which the force jumps, F a level that is checked. */
static const char fixed_text[] = "param n = 2, T = 0.1 [s], F = 0.5 [N], M = 1 [kg]\n"
                                 "param e = [1, 2, 3]\n"
                                 "state p = 0 [m], v = 0 [m/s]\n"
                                 "push = if t < T then e[n]*1 [N] else 0 [N]\n"
                                 "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"
                                 "p' = v\n"
                                 "M*v' = push - f\n"
                                 "run until = 0.3 [s], step = 1 [ms], method = rk4\n"
                                 "measure reach = final(p)\n";

/* ---- tests -------------------------------------------------------------------------------- */

static void test_shared(void **state) {
    (void)state;
    grid g = {0};
    add(&g, "k=1:9:5");
    add(&g, "v0=1,2,3");
    dry_sweep_result result = swept(free_text, &g, (dry_sweep_options){.threads = 2});
    assert_int_equal(result.points, 15);
    assert_int_equal(result.compiled, 0);
    check_alone(free_text, &g, "top", &result);
    assert_string_equal(dry_record_quantity(result.record, 0).unit, "N/m");
    assert_string_equal(dry_record_quantity(result.record, 2).name, "top");
    dry_record_free(result.record);
    drop(&g);
}

/* K and beta of the friction are chosen, from the mass and the step. */
static const char chosen_text[] = "param F = 0.5 [N], M = 1 [kg], T = 0.1 [s]\n"
                                  "state p = 0 [m], v = 0 [m/s]\n"
                                  "f in F*sgn(v)\n"
                                  "p' = v\n"
                                  "M*v' = (if t < T then 2 [N] else 0 [N]) - f\n"
                                  "run until = 0.3 [s], step = 1 [ms], method = rk4\n"
                                  "measure reach = final(p)\n";

/* So are K, alpha and beta of the contact. */
static const char asked_text[] = "param e = 0.5, D = 8 [ms], M = 1 [kg]\n"
                                 "state p = 0.01 [m], v = -1 [m/s]\n"
                                 "N in dio(p) with restitution = e, duration = D\n"
                                 "p' = v\n"
                                 "M*v' = N\n"
                                 "run until = 0.1 [s], step = 0.5 [ms], method = rk4\n"
                                 "measure reach = final(p)\n";

static void test_anew(void **state) {
    (void)state;
    grid g = {0};
    add(&g, "n=1:3:3");
    dry_sweep_result result = swept(fixed_text, &g, (dry_sweep_options){.threads = 2});
    assert_int_equal(result.compiled, result.points);
    check_alone(fixed_text, &g, "reach", &result);
    dry_record_free(result.record);
    drop(&g);
}

/* What the compiler checks by a value, or chooses by it, needs no new compilation. */
static void test_checked_and_chosen(void **state) {
    (void)state;
    static const struct {
        const char *text, *axes[2];
    } rows[] = {{fixed_text, {"T=0.05:0.25:5", "F=0.1,0.5,2"}},
                {chosen_text, {"M=0.5:2:5", "F=0.1,0.5,2"}},
                {chosen_text, {"M=0.5:2:5:log", "T=0:0.4:5"}},
                {asked_text, {"e=0.2:0.9:6", "M=0.5,2"}},
                {asked_text, {"e=0.2,1", "D=5e-3:2e-2:4"}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        grid g = {0};
        add(&g, rows[i].axes[0]);
        add(&g, rows[i].axes[1]);
        dry_sweep_result result = swept(rows[i].text, &g, (dry_sweep_options){.threads = 2});
        assert_int_equal(result.compiled, 0);
        check_alone(rows[i].text, &g, "reach", &result);
        dry_record_free(result.record);
        drop(&g);
    }
}

/* What is outside its range is for the compiler, which refuses it. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *axis, *name;
        size_t refused;
    } rows[] = {{chosen_text, "F=0.5,-0.1,1", "F", 1}, {chosen_text, "M=1,-1,0", "M", 2},
                {asked_text, "e=0.5,-0.5,1", "e", 1},  {asked_text, "D=0.01,-0.01,0", "D", 2},
                {chosen_text, "F=-0.1,0.1,1", "F", 1}, /* the first point */
                {asked_text, "e=-0.5,0.5,1", "e", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        grid g = {0};
        add(&g, rows[i].axis);
        dry_sweep_result result = swept(rows[i].text, &g, (dry_sweep_options){.threads = 1});
        assert_int_equal(result.failed, rows[i].refused);
        assert_int_equal(result.compiled, rows[i].refused);
        for (size_t k = 0; k < 3; k++) {
            const bool bad = cell(result.record, rows[i].name, k) <= 0.0;
            equal(cell(result.record, "status", k), bad ? (double)DRY_BAD_MODEL : 0.0);
            assert_int_equal(isnan(cell(result.record, "reach", k)), bad);
        }
        dry_record_free(result.record);
        drop(&g);
    }
}

static void test_threads(void **state) {
    (void)state;
    grid g = {0};
    add(&g, "k=1:9:21");
    add(&g, "m=0.5:2:20:log");
    dry_sweep_result first = swept(free_text, &g, (dry_sweep_options){.threads = 1});
    for (int threads = 2; threads < 8; threads += 3) {
        dry_sweep_result other = swept(free_text, &g, (dry_sweep_options){.threads = threads});
        check_same(first.record, other.record);
        dry_record_free(other.record);
    }
    dry_record_free(first.record);
    drop(&g);
}

/* Points that are refused (a start that is not finite) or that blow up are nan with a status, and
 * the others are there. */
static void test_failures(void **state) {
    (void)state;
    static const char text[] = "param a = 1 [1/s], b = 1\n"
                               "state x = 1/b\n"
                               "x' = a*x*x\n"
                               "run until = 2 [s], step = 1 [ms], method = rk4\n"
                               "measure end = final(x)\n";
    grid g = {0};
    add(&g, "a=0.1:1:4"); /* the solution is infinite at 1/a: within the run from a = 0.5 on */
    add(&g, "b=0,1");     /* 1/0 */
    dry_sweep_result result = swept(text, &g, (dry_sweep_options){.threads = 2});
    static const double status[] = {DRY_BAD_MODEL, DRY_OK,         DRY_BAD_MODEL, DRY_OK,
                                    DRY_BAD_MODEL, DRY_NOT_FINITE, DRY_BAD_MODEL, DRY_NOT_FINITE};
    for (size_t i = 0; i < 8; i++) {
        equal(cell(result.record, "status", i), status[i]);
        assert_int_equal(isnan(cell(result.record, "end", i)), status[i] != 0.0);
    }
    /* x(2) = 1/(1 - 2 a); RK4 at 1 ms leaves less than 1e-9 of it at a = 0.1 and 0.4 */
    closer(cell(result.record, "end", 1), 1.25, 1e-9);
    closer(cell(result.record, "end", 3), 5.0, 1e-9);
    assert_int_equal(result.failed, 6);
    assert_int_equal(result.first_wrong, 0);
    dry_record_free(result.record);
    drop(&g);
}

/* What the compiler refuses between the ends of an axis it refuses in a sweep, too: bodies that
 * overlap at the start, a step beyond the stability bound (of a mode of 1e4/s, whose damping is
 * that of the text, the bound of RK4 is 0.28 ms). */
static const char *const hollow[] = {
    "param a = 0\n"
    "state p = (a - 0.5)^2*4 [m] - 0.1 [m], v = 0 [m/s]\n"
    "N in dio(p) with K = 1e4 [N/m], alpha = 1 [ms], beta = 2 [ms]\n"
    "p' = v\n"
    "1 [kg]*v' = N - 9.81 [N]\n"
    "run until = 0.1 [s], step = 1 [ms], method = rk4\n"
    "measure end = final(p)\n",
    "param a = 0\n"
    "k = 1e8 [N/m]/(1 + 4e6*(a - 0.5)^2)\n"
    "state p = 1 [m], v = 0 [m/s]\n"
    "p' = v\n"
    "1 [kg]*v' = -k*p - 1 [kg/s]*v\n"
    "run until = 0.1 [s], step = 1 [ms], method = rk4\n"
    "measure end = final(p)\n",
};

static void check_hollow(const char *text, const grid *g, dry_sweep_code code) {
    dry_sweep_options options = {.axes = g->axes, .n_axes = g->n, .threads = 2, .code = code};
    dry_sweep_result result;
    dry_error error = {0};
    const dry_status status =
        dry_sweep_run("test.dry", text, strlen(text), &options, &result, &error);
    if (status == DRY_UNSUPPORTED) return; /* no C compiler */
    assert_int_equal(status, DRY_OK);
    for (size_t i = 0; i < result.points; i++) {
        const bool inside = i / 3 == 2; /* the middle of a */
        equal(cell(result.record, "status", i), inside ? DRY_BAD_MODEL : DRY_OK);
        if (!inside) same_bits(cell(result.record, "end", i), run_alone(text, g, i));
    }
    assert_int_equal(result.compiled, 3); /* the others share a model */
    dry_record_free(result.record);
}

static void test_hollow(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hollow / sizeof *hollow; i++) {
        grid g = {0};
        char text[600];
        snprintf(text, sizeof text, "param w = 0\nstate u = w\nu' = 0 [1/s]\n%s", hollow[i]);
        add(&g, "a=0:1:5");
        add(&g, "w=1,2,3"); /* where a state begins, on which nothing depends */
        check_hollow(text, &g, DRY_SWEEP_BYTECODE);
        check_hollow(text, &g, DRY_SWEEP_NATIVE);
        drop(&g);
    }
}

static void test_native(void **state) {
    (void)state;
    grid g = {0};
    add(&g, "k=1:9:7");
    add(&g, "v0=1,2,3");
    dry_sweep_options options = {.threads = 2, .code = DRY_SWEEP_NATIVE};
    dry_sweep_result result;
    dry_error error = {0};
    options.axes = g.axes;
    options.n_axes = g.n;
    const dry_status status =
        dry_sweep_run("test.dry", free_text, strlen(free_text), &options, &result, &error);
    assert_int_equal(status, DRY_OK);
    assert_true(result.native);
    check_alone(free_text, &g, "top", &result);
    dry_record_free(result.record);
    drop(&g);
}

static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *axis, *measure, *word;
    } rows[] = {{"kk=1:2:3", NULL, "kk"}, {"k=1:2:3", "bottom", "top, end"}};
    for (size_t i = 0; i < 2; i++) {
        grid g = {0};
        add(&g, rows[i].axis);
        const dry_sweep_options options = {.axes = g.axes,
                                           .n_axes = 1,
                                           .measures = &rows[i].measure,
                                           .n_measures = rows[i].measure != NULL};
        dry_sweep_result result;
        dry_error error = {0};
        assert_int_equal(
            dry_sweep_run("test.dry", free_text, strlen(free_text), &options, &result, &error),
            DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, rows[i].word));
        assert_null(result.record);
        drop(&g);
    }
}

/* A grid that cannot be swept gives no table: a parameter given twice, by two axes or by an axis
 * and a setting, and no axis at all. */
static void test_grids(void **state) {
    (void)state;
    const dry_setting setting = {.name = "k", .value = 2.0};
    for (int i = 0; i < 3; i++) {
        grid g = {0};
        add(&g, "k=1:2:3");
        add(&g, "k=1:2:3");
        const dry_sweep_options options = {
            .axes = g.axes,
            .n_axes = i == 0   ? 2
                      : i == 1 ? 1
                               : 0,
            .model = {.settings = &setting, .n_settings = i == 1},
        };
        dry_sweep_result result;
        dry_error error = {0};
        assert_int_equal(
            dry_sweep_run("test.dry", free_text, strlen(free_text), &options, &result, &error),
            DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, i < 2 ? "`k` is given twice" : "1 to "));
        assert_null(result.record);
        drop(&g);
    }
}

/* Native code that is asked for and cannot be made is an error; without it nothing is missing. The
 * last of the tests, since it takes the compiler away; no other test has this model, so that no
 * code of it is kept. */
static void test_no_compiler(void **state) {
    (void)state;
    static const char text[] = "param k = 1.75 [1/s]\nstate x = 1\nx' = -k*x\n"
                               "run until = 1 [s], step = 10 [ms]\nmeasure end = final(x)\n";
    grid g = {0};
    add(&g, "k=1:2:3");
    setenv("CC", "/no/such/compiler", 1);
    for (int asked = 0; asked < 2; asked++) {
        const dry_sweep_options options = {
            .axes = g.axes, .n_axes = 1, .code = asked ? DRY_SWEEP_NATIVE : DRY_SWEEP_BYTECODE};
        dry_sweep_result result;
        dry_error error = {0};
        const dry_status status =
            dry_sweep_run("test.dry", text, strlen(text), &options, &result, &error);
        assert_int_equal(status != DRY_OK, asked);
        assert_int_equal(error.text[0] != 0, asked);
        assert_int_equal(result.record == NULL, asked);
        dry_record_free(result.record);
    }
    drop(&g);
}

/* The tables of fig5-07-restitution.dry and fig5-08-gamma.dry, which have five digits. */
static const double by_beta1[4][6] = {{0.99980, 0.99862, 0.99507, 0.98711, 0.96681, 0.89110},
                                      {0.96295, 0.95051, 0.93805, 0.92293, 0.89616, 0.81773},
                                      {0.89455, 0.86338, 0.83682, 0.81086, 0.77490, 0.69415},
                                      {0.80412, 0.75261, 0.71210, 0.67639, 0.63335, 0.55444}};
static const double by_beta2[3][6] = {{0.89472, 0.86444, 0.84045, 0.81999, 0.79741, 0.76421},
                                      {0.89423, 0.86126, 0.82965, 0.79328, 0.73385, 0.58844},
                                      {0.89374, 0.85811, 0.81915, 0.76844, 0.68045, 0.48073}};
static const double by_gamma[4][6] = {{0.96614, 0.96836, 0.97029, 0.97183, 0.97345, 0.97575},
                                      {0.90783, 0.88865, 0.87503, 0.86306, 0.84711, 0.81144},
                                      {0.89568, 0.86554, 0.84010, 0.81531, 0.78081, 0.70206},
                                      {0.89487, 0.86399, 0.83771, 0.81205, 0.77648, 0.69598}};

static void check_figure(const char *axis, const double (*want)[6], size_t rows) {
    char *text = NULL;
    size_t length;
    dry_error error = {0};
    grid g = {0};
    is_ok(dry_file_read(DRY_SOURCE_DIR "/models/papers/xiong-dissertation/fig5-07-point.dry", 0,
                        &text, &length, &error),
          &error);
    add(&g, axis);
    add(&g, "speed=0.05,0.2,0.5,1,2,5");
    dry_sweep_result result = swept(text, &g, (dry_sweep_options){.threads = 2});
    assert_int_equal(result.points, 6 * rows);
    assert_int_equal(result.failed, 0);
    for (size_t i = 0; i < result.points; i++)
        near(cell(result.record, "cor", i), want[i / 6][i % 6], 1e-5);
    dry_record_free(result.record);
    drop(&g);
    free(text);
}

static void test_figures(void **state) {
    (void)state;
    check_figure("beta1=0,1e-3,3e-3,6e-3", by_beta1, 4);
    check_figure("beta2=0,0.3,0.6", by_beta2, 3);
    check_figure("gamma=20,100,500,1000", by_gamma, 4);
}

static bool stop_at_once(void *user, size_t done, size_t points) {
    (void)user, (void)done, (void)points;
    return false;
}

/* Driven by a record of the caller; the journal stays where the sweep is stopped. */
static dry_status drive(const dry_record *record, const char *column, bool resume) {
    static const char text[] = "param M = 1\ninput u = 0\nstate v = 0\nM*v' = u/(1 [s])\n"
                               "run until = 1, step = 0.01\nmeasure speed = final(v)\n";
    const dry_given_input input = {.name = "u", .column = column, .record = record};
    grid g = {.n = 0};
    dry_sweep_result result = {0};
    dry_error error = {0};
    add(&g, "M=1:2:400");
    const dry_sweep_options options = {.axes = g.axes,
                                       .n_axes = g.n,
                                       .model = {.inputs = &input, .n_inputs = 1},
                                       .threads = 1,
                                       .journal = scratch_file("sweep_test_driven.part"),
                                       .resume = resume,
                                       .progress = resume ? NULL : stop_at_once};
    const dry_status status =
        dry_sweep_run("driven.dry", text, strlen(text), &options, &result, &error);
    if (status == DRY_OK) dry_sweep_done(&options);
    dry_record_free(result.record);
    drop(&g);
    return status;
}

static dry_record *forces(double f, double g) {
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"f", "1"}, {"g", "1"}}, 3);
    assert_non_null(record);
    for (int k = 0; k < 2; k++)
        assert_int_equal(dry_record_add(record, (double[]){k, f, g}), DRY_OK);
    return record;
}

/* A journal is of one column of one record. */
static void test_driven(void **state) {
    (void)state;
    dry_record *record = forces(2.0, 4.0), *other = forces(2.5, 4.0);
    assert_int_equal(drive(record, "f", false), DRY_RUN_FAILED);
    assert_true(drive(record, "g", true) != DRY_OK);
    assert_true(drive(other, "f", true) != DRY_OK);
    assert_int_equal(drive(record, "f", true), DRY_OK);
    dry_record_free(record);
    dry_record_free(other);
}

/* The page about sweeps has a row for each status that a point can have. */
static void test_statuses(void **state) {
    (void)state;
    char *text = NULL, row[64];
    dry_error error = {0};
    is_ok(dry_file_read(DRY_SOURCE_DIR "/docs/sweep.md", 0, &text, NULL, &error), &error);
    for (int code = 0; code <= DRY_UNSUPPORTED; code++) {
        snprintf(row, sizeof row, "\n| %d | %s |", code, dry_status_text((dry_status)code));
        if (!strstr(text, row)) fail_msg("docs/sweep.md has no row%s", row);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_anew),
        cmocka_unit_test(test_checked_and_chosen),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_no_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
