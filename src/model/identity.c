/* identity: a number for all that the runs of a model depend on, by which the journal of a sweep or
 * of a fit knows its own. */
#include "base/base.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

static uint64_t add_text(uint64_t mark, const char *text) {
    return text ? dry_mark_bytes(mark, text, strlen(text) + 1) : mark;
}

static uint64_t add_run(uint64_t mark, const dry_run_options *run) {
    const double numbers[] = {run->until,    run->step,      run->record, run->rtol, run->atol,
                              run->max_step, run->max_steps, run->P,      run->Q,    run->weight};
    return add_text(dry_mark_bytes(mark, numbers, sizeof numbers),
                    run->method ? run->method->name : NULL);
}

/* Adds the contents of the files that the text names; a file that can no longer be read counts as
 * empty. */
static uint64_t add_files(uint64_t mark, const dry_model *model) {
    const char *path;
    for (int i = 0; (path = dry_model_file(model, i)) != NULL; i++) {
        char *content = NULL;
        size_t length = 0;
        dry_error error = {0};
        if (dry_file_read(path, 0, &content, &length, &error) == DRY_OK)
            mark = dry_mark_bytes(mark, content, length);
        free(content);
    }
    return mark;
}

/* Which columns drive the model; the files are among those of the model, records of the caller are
 * not. */
static uint64_t add_inputs(uint64_t mark, const dry_model_options *options) {
    for (int i = 0; i < options->n_inputs; i++) {
        const dry_given_input *input = &options->inputs[i];
        mark = add_text(add_text(mark, input->name), input->column);
        for (int k = 0; input->record && k < dry_record_columns(input->record); k++)
            mark = dry_mark_bytes(mark, dry_record_values(input->record, k),
                                  sizeof(double) * dry_record_rows(input->record));
    }
    return mark;
}

static uint64_t add_settings(uint64_t mark, const dry_model_options *options) {
    for (int i = 0; i < options->n_settings; i++) {
        const dry_setting *setting = &options->settings[i];
        mark = add_text(mark, setting->name);
        mark = dry_mark_bytes(mark, &setting->value, sizeof setting->value);
        mark = add_text(add_text(mark, setting->unit), setting->text);
    }
    return mark;
}

uint64_t dry_model_identity(const dry_model *model, const dry_model_options *options) {
    uint64_t mark = dry_mark_bytes(DRY_MARK, model->text, model->length);
    mark = add_inputs(add_files(mark, model), options);
    mark = add_settings(mark, options);
    mark = dry_mark_bytes(mark, &options->choose_step, sizeof options->choose_step);
    const unsigned char ways[] = {options->force, options->run.force, options->unstepped};
    mark = dry_mark_bytes(mark, ways, sizeof ways);
    return add_run(mark, &options->run);
}
