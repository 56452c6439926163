/* Any bytes at all as a model that is run: a few steps by the methods that there are, with the
 * watch, the measures, every stage of the compiler for each of them, and the model as C. Each must
 * end with an answer or an error, quickly, in bounded memory. For libFuzzer: `make fuzz`. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "models.h"
#include "scratch.h"

#include <drystone/native.h>
#include <drystone/watch.h>
#include <string.h>

enum {
    MOST_BYTES = 8192,
    MOST_NODES = 20000, /* of the graph */
    MOST_STATES = 32,
    MOST_OPERATIONS = 20000, /* of a rate */
    STEPS = 5,               /* of a run, whose text may ask for any number */
    MOST_STEPS = 60,         /* of an adaptive one */
    MOST_SUBSTEPS = 4,       /* of the splitting schemes */
    OTHERS = 2               /* methods, besides its own */
};
static const double WATCH = 2e4; /* work of the repeats */

typedef struct text {
    const char *bytes;
    size_t size;
} text;

/* Robots that texts of the tests name are beside this file. */
static const char file_name[] = "tests/lang/errors/fuzz.dry";

static dry_model *compile(text text, dry_run_options run) {
    const dry_model_options options = {.most_nodes = MOST_NODES, .force = true, .run = run};
    return dry_model_compile(file_name, text.bytes, text.size, &options);
}

static bool is_small(const dry_model *model) {
    return dry_model_ok(model) && dry_model_system(model)->n_states <= MOST_STATES &&
           dry_model_operations(model) <= MOST_OPERATIONS;
}

/* ---- as C --------------------------------------------------------------------------------- */

/* As native code has it. */
static void print_c(const dry_model *model, FILE *stream) {
    dry_error error = {0};
    dry_model_print_c(model, &(dry_c_options){.kinks = true, .smooth = true}, stream, &error);
}

static void export_c(const dry_model *model) {
    dry_error error = {0};
    dry_export_c(model, &(dry_export_options){.single = true}, scratch(), &error);
    dry_export_c(model, NULL, scratch(), &error);
}

/* ---- runs --------------------------------------------------------------------------------- */

static dry_status simulate(const dry_model *model, const dry_run_options *run,
                           dry_sim_result *result) {
    const dry_sim_options options = {.run = *run};
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    dry_error error = {0};
    return inclusion ? dry_sim_run_inclusion(inclusion, &options, result, &error)
                     : dry_sim_run(dry_model_system(model), &options, result, &error);
}

static void watch(const dry_model *model, const dry_run_options *run, const dry_sim_result *result,
                  const dry_model_options *options) {
    dry_watch_verdict verdict = {0};
    dry_error error = {0};
    const dry_watch_options how = {.limit = WATCH, .model = options};
    if (dry_watch(model, run, result, &how, &verdict, &error) == DRY_OK) dry_watch_free(&verdict);
}

static void run_model(const dry_model *model, const dry_run_options *wanted, FILE *stream) {
    dry_run_options run;
    dry_sim_result result = {0};
    dry_error error = {0};
    print_c(model, stream);
    if (dry_model_plan(model, &run, &error) != DRY_OK) return;
    const dry_status status = simulate(model, &run, &result);
    if (result.record) measure(model, result.record);
    if (status == DRY_OK) {
        const dry_model_options options = {.most_nodes = MOST_NODES, .force = true, .run = *wanted};
        watch(model, &run, &result, &options);
    }
    dry_record_free(result.record);
}

/* Of what the text says the length of the run and the counts are replaced by small ones. */
static bool shorten(const dry_model *model, dry_run_options *run) {
    dry_error error = {0};
    if (dry_model_plan(model, run, &error) != DRY_OK) return false;
    if (run->step > 0.0) run->until = fmin(run->until, STEPS * run->step);
    run->record = run->step;
    run->max_steps = MOST_STEPS;
    run->P = run->P > 0.0 ? fmin(run->P, MOST_SUBSTEPS) : MOST_SUBSTEPS;
    run->Q = run->Q > 0.0 ? fmin(run->Q, MOST_SUBSTEPS) : MOST_SUBSTEPS;
    return true;
}

static void run_by(text text, const dry_method *method, dry_run_options run, FILE *stream) {
    run.method = method;
    dry_model *model = compile(text, run);
    if (!model) return;
    print_messages(model, stream);
    print_stages(model, stream);
    if (is_small(model)) {
        print_equations(model, stream);
        run_model(model, &run, stream);
    }
    dry_model_free(model);
}

/* FNV-1a */
static unsigned hash(text text) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < text.size; i++) h = (h ^ (unsigned char)text.bytes[i]) * 16777619u;
    return h;
}

/* By its own method and some others, which differ from text to text; by all of them if
 * DRY_FUZZ_METHODS is set. */
static bool is_turn_of(int method, text text, const dry_method *own) {
    const unsigned n = (unsigned)dry_model_method_count(), first = hash(text) % n;
    const unsigned behind = ((unsigned)method + n - first) % n;
    return behind % (n / OTHERS) == 0 || getenv("DRY_FUZZ_METHODS") ||
           own == dry_model_method_at(method);
}

static void run_by_turns(text text, const dry_model *model, FILE *stream) {
    dry_run_options run = {0};
    if (!shorten(model, &run)) run.until = STEPS * (run.step = 1e-3);
    const dry_method *own = run.method;
    for (int i = 0; i < dry_model_method_count(); i++)
        if (is_turn_of(i, text, own)) run_by(text, dry_model_method_at(i), run, stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) return -1;
    const text text = {(const char *)data, size};
    char *printed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&printed, &length);
    dry_model *model = compile(text, (dry_run_options){0});
    if (model && stream && is_small(model)) {
        export_c(model);
        run_by_turns(text, model, stream);
    }
    dry_model_free(model);
    if (stream) fclose(stream);
    free(printed);
    return 0;
}
