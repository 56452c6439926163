/* Rows that a sink takes are those of the record; with sink_only the record has none. */
#include "unit.h"

#include <drystone/sim.h>
#include <string.h>

#include "ode/problems.h"

typedef struct basin {
    dry_record *record;
    size_t most; /* rows, then it is full */
} basin;

static dry_status pour(void *user, const double *row) {
    basin *b = user;
    return dry_record_rows(b->record) < b->most ? dry_record_add(b->record, row) : DRY_IO;
}

static void rows_are_those_of_the_record(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    for (int only = 0; only < 2; only++) {
        basin b = {dry_sim_columns(&system), SIZE_MAX};
        const dry_sim_sink sink = {pour, &b};
        const dry_sim_options options = {
            .run = {.until = 1.0, .step = 1e-3, .record = 3e-3}, .sink = &sink, .sink_only = only};
        dry_sim_options plain = options;
        plain.sink = NULL;
        plain.sink_only = false;
        dry_sim_result streamed, whole;
        assert_int_equal(dry_sim_run(&system, &options, &streamed, NULL), DRY_OK);
        assert_int_equal(dry_sim_run(&system, &plain, &whole, NULL), DRY_OK);
        const size_t rows = dry_record_rows(whole.record);
        assert_int_equal(dry_record_rows(b.record), rows);
        assert_int_equal(dry_record_rows(streamed.record), only ? 0 : rows);
        for (int i = 0; i < dry_record_columns(whole.record); i++) {
            assert_string_equal(dry_record_quantity(b.record, i).name,
                                dry_record_quantity(whole.record, i).name);
            assert_memory_equal(dry_record_values(b.record, i), dry_record_values(whole.record, i),
                                rows * sizeof(double));
        }
        dry_record_free(b.record);
        dry_record_free(streamed.record);
        dry_record_free(whole.record);
    }
}

static void a_full_sink_ends_the_run(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    basin b = {dry_sim_columns(&system), 10};
    const dry_sim_sink sink = {pour, &b};
    const dry_sim_options options = {
        .run = {.until = 1.0, .step = 1e-3}, .sink = &sink, .sink_only = true};
    dry_sim_result result;
    assert_int_equal(dry_sim_run(&system, &options, &result, NULL), DRY_IO);
    assert_int_equal(dry_record_rows(b.record), 10);
    dry_record_free(b.record);
    dry_record_free(result.record);
}

/* 2^31 values are too many for a record, and not for a sink. */
static void a_sink_takes_more_than_a_record(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    basin b = {dry_sim_columns(&system), 5};
    const dry_sim_sink sink = {pour, &b};
    dry_sim_options options = {.run = {.until = 1e6, .step = 1e-3}, .sink = &sink};
    dry_sim_result result;
    assert_int_equal(dry_sim_run(&system, &options, &result, NULL), DRY_BAD_ARGUMENT);
    options.sink_only = true;
    assert_int_equal(dry_sim_run(&system, &options, &result, NULL), DRY_IO);
    assert_int_equal(dry_record_rows(b.record), 5);
    dry_record_free(b.record);
    dry_record_free(result.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_record),
        cmocka_unit_test(a_full_sink_ends_the_run),
        cmocka_unit_test(a_sink_takes_more_than_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
