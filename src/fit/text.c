/* text: the text of the model with the fitted values in place of its own. */
#include "fit_private.h"

#include <stdlib.h>
#include <string.h>

static const char START[] = "start ";
enum { START_LENGTH = sizeof START - 1, DIGITS = 9 };

/* A number of the text and what replaces it. */
typedef struct change {
    dry_text_place place;
    char text[DRY_NUMBER_SIZE];
} change;

static dry_status find_change(const dry_model *model, const dry_fit_parameter *p, int n_records,
                              change *c, dry_error *error) {
    const bool start = !strncmp(p->name, START, START_LENGTH);
    if (p->record >= 0 && n_records > 1)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "each record has its own `%s`, which one text cannot hold: fit one "
                             "record, or remove `own`",
                             p->name);
    if (!dry_model_place(model, start ? p->name + START_LENGTH : p->name, start, &c->place))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the text of %s has no number for `%s` that could be replaced: write "
                             "it as a number there, not as an expression",
                             dry_model_path(model), p->name);
    const double value = p->value / c->place.factor;
    if (p->at_low || p->at_high) /* rounding may take it out of its range */
        (void)dry_number_text(value, c->text);
    else
        (void)dry_number_rounded(value, DIGITS, c->text);
    return DRY_OK;
}

static int compare(const void *a, const void *b) {
    const change *p = a, *q = b;
    return (p->place.offset > q->place.offset) - (p->place.offset < q->place.offset);
}

static dry_status write(const dry_fit_job *job, const change *changes, int n, char **text,
                        size_t *length, dry_error *error) {
    FILE *stream = dry_text_open(text, length);
    size_t at = 0;
    if (!stream) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        const dry_text_place *place = &changes[i].place;
        fwrite(job->text + at, 1, place->offset - at, stream);
        fputs(changes[i].text, stream);
        at = place->offset + place->length;
    }
    fwrite(job->text + at, 1, job->length - at, stream);
    if (dry_text_close(stream, text)) return DRY_OK;
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* `all`: every parameter must have its number; else those without one are left out. */
static dry_status find_changes(const dry_model *model, const dry_fit_result *result, bool all,
                               change *changes, int *n, dry_error *error) {
    *n = 0;
    for (int j = 0; j < result->n_parameters; j++) {
        const dry_status status = find_change(model, &result->parameters[j], result->n_records,
                                              &changes[*n], all ? error : NULL);
        if (status != DRY_OK && all) return status;
        *n += status == DRY_OK;
    }
    qsort(changes, (size_t)*n, sizeof *changes, compare);
    return DRY_OK;
}

static dry_status write_text(const dry_fit_job *job, const dry_fit_result *result, bool all,
                             char **text, size_t *length, dry_error *error) {
    dry_model_options options = job->options;
    int n = 0;
    if (job->n_data > 0) options.data = job->data[0];
    dry_model *model = dry_model_compile(job->path, job->text, job->length, &options);
    change *changes = calloc((size_t)result->n_parameters + 1, sizeof *changes);
    dry_status status = DRY_OK;
    *text = NULL;
    if (!model || !changes) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) status = find_changes(model, result, all, changes, &n, error);
    if (status == DRY_OK) status = write(job, changes, n, text, length, error);
    free(changes);
    dry_model_free(model);
    return status;
}

dry_status dry_fit_text(const dry_fit_job *job, const dry_fit_result *result, char **text,
                        size_t *length, dry_error *error) {
    return write_text(job, result, true, text, length, error);
}

dry_status dry_fit__text_where(const dry_fit_job *job, const dry_fit_result *result, char **text,
                               size_t *length, dry_error *error) {
    return write_text(job, result, false, text, length, error);
}
