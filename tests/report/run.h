/* A text compiled and run, for the tests of reports. */
#ifndef RUN_H
#define RUN_H

#include <drystone/report.h>
#include <drystone/sim.h>
#include <stdlib.h>
#include <string.h>

typedef struct finished {
    dry_model *model;
    dry_sim_result result;
    dry_measured measured[8];
    dry_expected expected[8];
    dry_card card;
} finished;

static inline void run_text(finished *f, const char *text) {
    dry_error error = {0};
    *f = (finished){.model = dry_model_compile("test.dry", text, strlen(text), NULL)};
    assert_true(dry_model_ok(f->model));
    const dry_run_options run = dry_model_run(f->model);
    const dry_sim_options options = {
        .run = {.method = run.method, .until = run.until, .step = run.step},
        .saves = dry_report_saves(f->model)};
    const dry_inclusion *inclusion = dry_model_inclusion(f->model);
    const dry_status status =
        inclusion ? dry_sim_run_inclusion(inclusion, &options, &f->result, &error)
                  : dry_sim_run(dry_model_system(f->model), &options, &f->result, &error);
    assert_int_equal(status, DRY_OK);
    is_ok(dry_model_evaluate(f->model, NULL, f->result.record, f->measured, f->expected, &error),
          &error);
    f->card = (dry_card){.path = "test.dry",
                         .model = f->model,
                         .record = f->result.record,
                         .run = run,
                         .measured = f->measured,
                         .expected = f->expected,
                         .counts = f->result.counts,
                         .seconds = f->result.seconds,
                         .saved = f->result.saved,
                         .n_saved = f->result.n_saved};
}

static inline void end_run(finished *f) {
    dry_record_free(f->result.record);
    free(f->result.saved);
    dry_model_free(f->model);
}

/* A number of a curve, in four characters. */
static inline unsigned code_at(const char *codes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned code = 0;
    for (int k = 0; k < 4; k++) code = code * 64 + (unsigned)(strchr(digits, codes[k]) - digits);
    return code;
}

/* What a function writes on a stream, to be freed. */
#define WRITTEN(text, call)                                                                        \
    do {                                                                                           \
        size_t size_;                                                                              \
        FILE *stream = open_memstream(&(text), &size_);                                            \
        assert_non_null(stream);                                                                   \
        call;                                                                                      \
        fclose(stream);                                                                            \
    } while (0)

#endif
