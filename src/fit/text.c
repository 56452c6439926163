/* text: the text of the model with the fitted values in place of its own. */
#include "laws.h"

#include <stdlib.h>
#include <string.h>

static const char START[] = "start ";
enum { START_LENGTH = sizeof START - 1, DIGITS = 9 };

/* A number of the text and what replaces it; or a comment, of length 0, that says what an
 * expression was. */
typedef struct change {
    dry_text_place place;
    char text[DRY_NUMBER_SIZE];
    const char *unit; /* behind the number; "": none, or the text has it */
    const char *was;  /* of a comment: the name whose expression it was */
    size_t was_at, was_length;
} change;

static dry_status refuse(const dry_model *model, const char *name, dry_error *error) {
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the text of %s has no number for `%s` that could be replaced: write "
                         "it as a number there, not as an expression",
                         dry_model_path(model), name);
}

static dry_status find_change(const dry_model *model, const dry_fit_parameter *p, change *c,
                              dry_error *error) {
    const bool start = !strncmp(p->name, START, START_LENGTH);
    *c = (change){.unit = ""};
    if (!dry_model_place(model, start ? p->name + START_LENGTH : p->name, start, &c->place))
        return refuse(model, p->name, error);
    if (c->place.is_expression) c->unit = p->unit;
    const double value = p->value / c->place.factor;
    if (p->at_low || p->at_high) /* rounding may take it out of its range */
        (void)dry_number_text(value, c->text);
    else
        (void)dry_number_rounded(value, DIGITS, c->text);
    return DRY_OK;
}

/* The expression that was there, behind the end of its line. */
static change comment_of(const dry_fit_job *job, const dry_fit_parameter *p, const change *c) {
    const size_t end = c->place.offset + c->place.length;
    return (change){.place = {.offset = dry_fit__end_of_line(job, end)},
                    .unit = "",
                    .was = p->name,
                    .was_at = c->place.offset,
                    .was_length = c->place.length};
}

/* Comments of one line in the order of what they are about. */
static int compare(const void *a, const void *b) {
    const change *p = a, *q = b;
    if (p->place.offset != q->place.offset) return p->place.offset > q->place.offset ? 1 : -1;
    return (p->was_at > q->was_at) - (p->was_at < q->was_at);
}

static void put_change(const dry_fit_job *job, const change *c, FILE *stream) {
    fputs(c->text, stream);
    if (c->unit[0]) fprintf(stream, " [%s]", c->unit);
    if (!c->was) return;
    fprintf(stream, "   # %s was ", c->was);
    fwrite(job->text + c->was_at, 1, c->was_length, stream);
}

static dry_status write(const dry_fit_job *job, const change *changes, int n, char **text,
                        size_t *length, dry_error *error) {
    FILE *stream = dry_text_open(text, length);
    size_t at = 0;
    if (!stream) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        const dry_text_place *place = &changes[i].place;
        fwrite(job->text + at, 1, place->offset - at, stream);
        put_change(job, &changes[i], stream);
        at = place->offset + place->length;
    }
    fwrite(job->text + at, 1, job->length - at, stream);
    if (dry_text_close(stream, text)) return DRY_OK;
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* Of the parameters of one record and of all. `all`: every one must have its number; else those
 * without one are left out. */
static dry_status find_changes(const dry_fit_job *job, const dry_model *model,
                               const dry_fit_result *result, int record, bool all, change *changes,
                               int *n, dry_error *error) {
    *n = 0;
    for (int j = 0; j < result->n_parameters; j++) {
        const dry_fit_parameter *p = &result->parameters[j];
        change *c = &changes[*n];
        if (p->record >= 0 && p->record != record) continue;
        const dry_status status = find_change(model, p, c, all ? error : NULL);
        if (status != DRY_OK && all) return status;
        if (status != DRY_OK) continue;
        ++*n;
        if (c->place.is_expression) changes[(*n)++] = comment_of(job, p, c);
    }
    qsort(changes, (size_t)*n, sizeof *changes, compare);
    return DRY_OK;
}

static dry_status write_text(const dry_fit_job *job, const dry_fit_result *result, int record,
                             bool all, char **text, size_t *length, dry_error *error) {
    const dry_fit__bench bench = {.job = job};
    const dry_fit__record of = {.data = job->n_data > 0 ? job->data[record] : NULL};
    dry_model *model = dry_fit__compile(&bench, &of, NULL, error);
    change *changes = calloc(2 * (size_t)result->n_parameters + 1, sizeof *changes);
    dry_status status = model ? DRY_OK : error->status;
    int n = 0;
    *text = NULL;
    if (model && !changes) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK)
        status = find_changes(job, model, result, record, all, changes, &n, error);
    if (status == DRY_OK) status = write(job, changes, n, text, length, error);
    free(changes);
    dry_model_free(model);
    return status;
}

static const dry_fit_parameter *find_own(const dry_fit_result *result) {
    for (int j = 0; j < result->n_parameters && result->n_records > 1; j++)
        if (result->parameters[j].record >= 0) return &result->parameters[j];
    return NULL;
}

bool dry_fit_has_own(const dry_fit_result *result) { return find_own(result) != NULL; }

dry_status dry_fit_text(const dry_fit_job *job, const dry_fit_result *result, int record,
                        char **text, size_t *length, dry_error *error) {
    const dry_fit_parameter *own = record < 0 ? find_own(result) : NULL;
    dry_error unseen;
    if (!error) error = &unseen;
    *text = NULL;
    if (own)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "each record has its own `%s`, which one text cannot hold: write the "
                             "text of one record, or remove `own`",
                             own->name);
    return write_text(job, result, record < 0 ? 0 : record, true, text, length, error);
}

dry_status dry_fit__text_where(const dry_fit_job *job, const dry_fit_result *result, char **text,
                               size_t *length, dry_error *error) {
    return write_text(job, result, 0, false, text, length, error);
}
