/* Measures as rows come are those of the whole record, to the bit. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

/* Every reducer, over the run, over spans between samples and at its ends, and with times that
 * other measures find. x = sin(2 t). */
static const char text[] = "state x = 0, v = 2 [1/s]\n"
                           "x' = v\n"
                           "v' = -4*x/1 [s^2]\n"
                           "measure end = final(x)\n"
                           "measure value = at(x, 1.2345 [s])\n"
                           "measure early = at(x, 0 [s])\n"
                           "measure late = at(x, 10 [s])\n"
                           "measure most = max(x)\n"
                           "measure least = min(x from 1.003 [s] to 1.0071 [s])\n"
                           "measure level = mean(x from 0.5 [s] to 10 [s])\n"
                           "measure size = rms(x from 0 [s] to 7.77 [s])\n"
                           "measure area = integral(x from 2 [s] to 2 [s])\n"
                           "measure up = first(x > 0.5)\n"
                           "measure down = last(x > 0.5)\n"
                           "measure often = count(x > 0.5)\n"
                           "measure within = count(x > 0.5 from 3.3333 [s] to 6.6667 [s])\n"
                           "measure again = first(x > 0.5 from up + 1 [s] to 10 [s])\n"
                           "measure between = max(x from up to again)\n"
                           "measure never = first(x > 2)\n"
                           "measure nothing = max(x from never to 10 [s])\n"
                           "run until = 10 [s], step = 10 [ms]\n";

enum { MOST = 32 };

static dry_status add(void *user, const double *row) { return dry_measuring_add(user, row); }

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void run_both(const char *method) {
    dry_model *model = dry_model_compile("measures", text, strlen(text), NULL);
    dry_error error = {0};
    dry_run_options run;
    dry_measured whole[MOST], streamed[MOST];
    for (int i = 0; i < dry_model_messages(model); i++)
        if (!dry_model_ok(model)) dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    assert_int_equal(dry_model_plan(model, &run, &error), DRY_OK);
    run.method = dry_method_find(method);
    dry_measuring *measuring = dry_measuring_new(model, NULL);
    const dry_sim_sink sink = {add, measuring};
    const dry_sim_options options = {.run = run, .sink = &sink};
    dry_sim_result result;
    assert_int_equal(dry_sim_run(dry_model_system(model), &options, &result, &error), DRY_OK);
    assert_int_equal(dry_model_evaluate(model, NULL, result.record, whole, NULL, &error), DRY_OK);
    assert_int_equal(dry_measuring_end(measuring, streamed, NULL, &error), DRY_OK);
    for (int i = 0; i < dry_model_measures(model); i++)
        if (!same(whole[i].value, streamed[i].value))
            fail_msg("%s: %.17g and %.17g", whole[i].name, whole[i].value, streamed[i].value);
    /* x = sin(2 t) is above 1/2 from t = pi/12 to 5 pi/12, and again every pi */
    const double up = acos(-1.0) / 12.0;
    near(whole[1].value, sin(2.0 * 1.2345), 1e-4);
    near(whole[4].value, 1.0, 1e-4);
    near(whole[9].value, up, 1e-4);
    near(whole[10].value, 10.0, 1e-12);
    near(whole[11].value, 4.0, 0.0);
    near(whole[12].value, 2.0, 0.0);
    near(whole[13].value, up + 1.0, 1e-4);
    near(whole[14].value, 1.0, 1e-4);
    dry_measuring_free(measuring);
    dry_record_free(result.record);
    dry_model_free(model);
}

static void every_measure_is_the_same(void **state) {
    (void)state;
    run_both("rk4");
    run_both("dopri5");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_measure_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
