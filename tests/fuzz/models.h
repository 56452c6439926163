/* What the fuzzers of models do with every model that the compiler gives. */
#ifndef DRYSTONE_TESTS_FUZZ_MODELS_H
#define DRYSTONE_TESTS_FUZZ_MODELS_H

#include <drystone/model.h>
#include <stdlib.h>

static void print_messages(const dry_model *model, FILE *stream) {
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stream, i % 2 == 1);
}

static void print_stages(const dry_model *model, FILE *stream) {
    static const char *const stages[] = {"tokens", "tree", "checked", "lowered", "ordered", "code"};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        dry_model_print_stage(model, stages[i], stream);
}

/* Of a model that is good. */
static void print_equations(const dry_model *model, FILE *stream) {
    dry_model_print_text(model, stream);
    dry_model_print_latex(model, true, stream);
    dry_model_print_latex(model, false, stream);
    dry_model_print_mathml(model, false, stream);
    dry_model_print_mathml(model, true, stream);
    for (int i = 0; i < dry_model_sets(model); i++) dry_model_set(model, i);
    for (int i = 0; i < dry_model_panels(model); i++) dry_model_panel_at(model, i);
}

static void measure(const dry_model *model, const dry_record *record) {
    dry_measured *measured = calloc((size_t)dry_model_measures(model) + 1, sizeof *measured);
    dry_expected *expected = calloc((size_t)dry_model_expects(model) + 1, sizeof *expected);
    dry_error error = {0};
    if (record && measured && expected)
        dry_model_evaluate(model, NULL, record, measured, expected, &error);
    free(measured);
    free(expected);
}

#endif
