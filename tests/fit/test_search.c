/* The search of fits: where a cost has many valleys, it finds the lowest one, whose bottom is
 * known; what it refuses. */
#include "unit.h"

#include <drystone/fit.h>

#include "listed.h"
#include "scratch_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct searched {
    char path[1024];
    const char *data[2];
    dry_fit_job job;
    dry_fit_result result;
    dry_error error;
} searched;

static searched begin(const char *text, const char *search, int runs) {
    searched s = {.job = {.path = "test.dry",
                          .text = text,
                          .length = strlen(text),
                          .threads = 1,
                          .seed = 1,
                          .search = search,
                          .search_runs = runs}};
    snprintf(s.path, sizeof s.path, "%s", scratch_file("search.csv"));
    return s;
}

static dry_status run(searched *s, int records) {
    s->data[0] = s->data[1] = s->path;
    s->job.data = s->data;
    s->job.n_data = records;
    return dry_fit_run(&s->job, &s->result, &s->error);
}

/* ---- a ball that bounces -----------------------------------------------------------------------
 */

/* Of height h and restitution e: it reaches the floor with sqrt(2 g h), and leaves it with e times
 * as much. */
static double height(double t, double h, double e) {
    const double g = 9.81;
    double v = e * sqrt(2.0 * g * h);
    if (t < sqrt(2.0 * h / g)) return h - 0.5 * g * t * t;
    for (t -= sqrt(2.0 * h / g); t > 2.0 * v / g; v *= e) t -= 2.0 * v / g;
    return v * t - 0.5 * g * t * t;
}

/* Normal, of deviation 1 (Box and Muller). */
static double normal(unsigned *seed) {
    double u[2];
    for (int i = 0; i < 2; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        u[i] = ((double)*seed + 0.5) / 4294967296.0;
    }
    return sqrt(-2.0 * log(u[0])) * cos(6.283185307179586 * u[1]);
}

/* From 2 s on, after four bounces or more, whose times depend on both parameters. */
static void write_bounces(double h, double e) {
    FILE *file = fopen(scratch_file("search.csv"), "w");
    unsigned seed = 7;
    assert_non_null(file);
    fputs("t [s],y [m]\n", file);
    for (int i = 200; i < 400; i++)
        fprintf(file, "%.17g,%.17g\n", 0.01 * i, height(0.01 * i, h, e) + 0.01 * normal(&seed));
    assert_int_equal(fclose(file), 0);
}

static const char BALL[] =
    "param e = 0.5 in 0.3..0.95, h = 1.5 [m] in 0.2..2\nstate y = h, w = 0 [m/s]\n"
    "N in dio(y) with restitution = e, K = 1e7 [N/m]\ny' = w\n"
    "0.5 [kg]*w' = N - 0.5 [kg]*9.81 [m/s^2]\n"
    "output y against \"\" column \"y\"\nfree e, h\nrun until = 4 [s], method = dopri5\n";

/* The fit downhill of the text ends in another valley; the search finds that of the truth. */
static void bounces(void **state) {
    (void)state;
    static const double truth[] = {0.8, 1.0};
    write_bounces(truth[1], truth[0]);
    searched plain = begin(BALL, NULL, 0), s = begin(BALL, "crs", 1000);
    is_ok(run(&plain, 1), &plain.error);
    is_ok(run(&s, 1), &s.error);
    above(fabs(plain.result.parameters[0].value - truth[0]), 0.05);
    above(plain.result.cost, 20.0 * s.result.cost);
    near(s.result.outputs[0].train.rms, 0.01, 0.002);
    for (int j = 0; j < 2; j++) {
        const dry_fit_parameter *p = &s.result.parameters[j];
        between(truth[j], p->interval[0], p->interval[1]);
        below(p->interval[1] - p->interval[0], 0.02);
    }
    assert_int_equal(s.result.search_runs, 1000);
    at_least(s.result.runs, 1001);
    dry_fit_result_free(&plain.result);
    dry_fit_result_free(&s.result);
}

/* ---- waves -------------------------------------------------------------------------------------
 */

/* y = 3 sin(20 a) + 10 a t with a = 0.9: valleys wherever the sine comes back. Below 0.4 no run
 * ends, since ln is no number. */
static const char WAVES[] =
    "param a = 0.5 in 0.1..2\nstate x = 0\nx' = (10*a + 1e-9*log(a - 0.4*t/(1 [s])))/(1 [s])\n"
    "output x + 3*sin(20*a) against \"\" column \"y\"\nfree a\n"
    "run until = 1 [s], step = 0.1 [s]\n";

static void write_waves(void) {
    FILE *file = fopen(scratch_file("search.csv"), "w");
    assert_non_null(file);
    fputs("t [s],y\n", file);
    for (int i = 1; i <= 10; i++)
        fprintf(file, "%.17g,%.17g\n", 0.1 * i, 3.0 * sin(18.0) + 0.9 * i + 1e-3 * (i % 2));
    assert_int_equal(fclose(file), 0);
}

static void each_search(void **state) {
    (void)state;
    static const char *const names[] = {"crs", "isres"};
    write_waves();
    for (int i = 0; i < 2; i++) {
        searched s = begin(WAVES, names[i], 400);
        is_ok(run(&s, 1), &s.error);
        near_case(s.result.parameters[0].value, 0.9, 1e-3, "%s", names[i]);
        assert_int_equal(s.result.search_runs, 400);
        dry_fit_result_free(&s.result);
    }
}

/* The same numbers for any number of threads, each time; others for another seed. */
static void the_same_bits(void **state) {
    (void)state;
    double cost[4], value[4];
    write_waves();
    for (int i = 0; i < 4; i++) {
        searched s = begin(WAVES, "crs", 60);
        s.job.threads = i == 1 ? 3 : 1;
        s.job.seed = i == 3 ? 2 : 1;
        s.job.most_steps = 1;
        is_ok(run(&s, 2), &s.error);
        assert_int_equal(s.result.search_runs, 120);
        cost[i] = s.result.cost;
        value[i] = s.result.parameters[0].value;
        dry_fit_result_free(&s.result);
    }
    for (int i = 1; i < 3; i++) {
        equal(cost[i], cost[0]);
        equal(value[i], value[0]);
    }
    assert_true(value[3] != value[0]);
}

static bool stop_soon(void *user, const dry_fit_progress *now) {
    *(int *)user = now->searched;
    return now->searched < 7;
}

static void ends_when_asked(void **state) {
    (void)state;
    int seen = 0;
    write_waves();
    searched s = begin(WAVES, "crs", 100000);
    s.job.progress = stop_soon;
    s.job.user = &seen;
    assert_int_equal(run(&s, 1), DRY_RUN_FAILED);
    assert_string_equal(s.error.text, "interrupted");
    assert_int_equal(seen, 7);
    dry_fit_result_free(&s.result);
}

/* ---- what is refused ---------------------------------------------------------------------------
 */

static void refuses(const char *search, int runs, int starts, const dry_fit_free *free,
                    dry_status status, const char *what) {
    searched s = begin(WAVES, search, runs);
    s.job.starts = starts;
    s.job.free = free;
    s.job.n_free = free ? 1 : 0;
    assert_int_equal(run(&s, 1), status);
    if (!strstr(s.error.text, what)) print_message("%s\n", s.error.text);
    assert_non_null(strstr(s.error.text, what));
    dry_fit_result_free(&s.result);
}

static void what_cannot_be(void **state) {
    (void)state;
    static const dry_fit_free open = {.name = "start x"},
                              by_factors = {.name = "a", .high = 2.0, .log = true};
    write_waves();
    refuses("anneal", 100, 0, NULL, DRY_BAD_ARGUMENT,
            "there is no search `anneal`: take one of crs, isres");
    refuses("crs", 0, 0, NULL, DRY_BAD_ARGUMENT, "takes a number of runs");
    refuses("crs", 100, 3, NULL, DRY_BAD_ARGUMENT, "takes the place of several starts");
    refuses("crs", 100, 0, &open, DRY_BAD_ARGUMENT,
            "`start x` has not two: write `free start x in");
    refuses("crs", 100, 0, &by_factors, DRY_BAD_ARGUMENT, "needs a lower one above 0, not 0");
}

static void no_run_ends(void **state) {
    (void)state;
    static const dry_fit_free low = {.name = "a", .low = 0.1, .high = 0.3};
    static const dry_setting begin_low = {.name = "a", .value = 0.2};
    write_waves();
    searched s = begin(WAVES, "crs", 40);
    s.job.options.settings = &begin_low;
    s.job.options.n_settings = 1;
    s.job.free = &low;
    s.job.n_free = 1;
    const dry_status status = run(&s, 1);
    if (status != DRY_RUN_FAILED) print_message("%s\n", s.error.text);
    assert_int_equal(status, DRY_RUN_FAILED);
    assert_non_null(strstr(s.error.text, "no run of the search came to its end: "));
    dry_fit_result_free(&s.result);
}

static void none_here(void **state) {
    (void)state;
    write_waves();
    refuses("crs", 100, 0, NULL, DRY_UNSUPPORTED, "this build has no NLopt: install libnlopt-dev");
}

int main(void) {
    const bool can = dry_fit_has_search();
    const struct CMUnitTest tests[] = {
        TEST_IF(can, bounces),
        TEST_IF(can, each_search),
        TEST_IF(can, the_same_bits),
        TEST_IF(can, ends_when_asked),
        TEST_IF(can, no_run_ends),
        TEST_IF(!can, none_here),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
