/* "Results do not change, to the bit": the begin of the record of every shipped model, as a digest.
 *
 * The digests are pins, not expectations: what a record has to be, tests of rooms and the models'
 * own expectations say. They change only in a commit that says why, and by how much at most.
 * `sim_test_records --print > tests/sim/record_digests.h` prints them anew. */
#include "unit.h"

#include <drystone/base.h>
#include <drystone/model.h>
#include <drystone/sim.h>
#include <stdlib.h>

enum { STEPS = 4000, ROWS = 200 };

static const struct {
    const char *model, *digest;
} records[] = {
#include "record_digests.h"
};
enum { N_RECORDS = sizeof records / sizeof *records };

/* FNV-1a of the 64 bits of a number, whatever their order in memory; 0 and -0 differ, NaN is one.
 */
static uint64_t add(uint64_t sum, double x) {
    uint64_t bits = 0x7ff8000000000000u;
    if (x == x) memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 64; k += 8) sum = (sum ^ (bits >> k & 0xff)) * 0x100000001b3u;
    return sum;
}

/* The first steps of a run in rows of 20 steps; a quarter of an adaptive run. */
static dry_run_options shortened(const dry_model *model) {
    dry_run_options run = dry_model_run(model);
    is_ok(dry_model_plan(model, &run, NULL), NULL);
    const bool fixed = run.step > 0.0 && !run.method->adaptive;
    run.until = fixed ? fmin(run.until, STEPS * run.step) : 0.25 * run.until;
    run.record = fixed ? STEPS / ROWS * run.step : run.until / ROWS;
    return run;
}

/* A digest of the names and the values of all columns, with how the run ended. */
static void digest_of(const char *name, char digest[20]) {
    char path[1024], *text;
    size_t length;
    dry_error error = {0};
    snprintf(path, sizeof path, "%s/models/%s", DRY_SOURCE_DIR, name);
    is_ok(dry_file_read(path, 0, &text, &length, &error), &error);
    const dry_model_options options = {.force = true};
    dry_model *model = dry_model_compile(path, text, length, &options);
    assert_non_null(model);
    if (!dry_model_ok(model)) fail_msg("%s does not compile", name);
    dry_sim_result result = {0};
    const dry_sim_options how = {.run = shortened(model)};
    const dry_inclusion *kept = dry_model_inclusion(model);
    const dry_status status = kept ? dry_sim_run_inclusion(kept, &how, &result, &error)
                                   : dry_sim_run(dry_model_system(model), &how, &result, &error);
    uint64_t sum = add(add(0xcbf29ce484222325u, (double)status), result.end);
    for (int i = 0; result.record && i < dry_record_columns(result.record); i++) {
        const double *values = dry_record_values(result.record, i);
        for (size_t k = 0; k < dry_record_rows(result.record); k++) sum = add(sum, values[k]);
    }
    snprintf(digest, 20, "%016llx", (unsigned long long)sum);
    dry_record_free(result.record);
    dry_model_free(model);
    free(text);
}

static void records_have_the_same_bits(void **state) {
    (void)state;
    int changed = 0;
    for (int i = 0; i < N_RECORDS; i++) {
        char digest[20];
        digest_of(records[i].model, digest);
        if (strcmp(digest, records[i].digest) == 0) continue;
        print_error("%s: %s, was %s\n", records[i].model, digest, records[i].digest);
        changed++;
    }
    assert_int_equal(changed, 0);
}

static int print(void) {
    for (int i = 0; i < N_RECORDS; i++) {
        char digest[20];
        digest_of(records[i].model, digest);
        printf("{\"%s\", \"%s\"},\n", records[i].model, digest);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--print") == 0) return print();
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_have_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
