/* frame: the record of a run, and how to fill a row of it: t, the named states, the outputs. */
#include <stdlib.h>

#include "sim_private.h"

/* No record has more values than this: 16 GiB. */
static const double VALUES_AT_MOST = 2147483648.0;

/* Every sample has a number that a double can count. */
static const double ROWS_AT_MOST = 9007199254740992.0;

dry_status dry_sim__check_size(const dry_sim_options *options, double intervals, int columns,
                               double interval, dry_error *error) {
    const double rows = intervals + 1.0;
    if (options->sink_only ? rows <= ROWS_AT_MOST : rows * columns <= VALUES_AT_MOST) return DRY_OK;
    char every[DRY_NUMBER_SIZE];
    dry_number_text(interval, every);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "with a sample every %s s the record has %.3g rows of %d columns, more "
                         "than 2^31 values: record less often",
                         every, rows, columns);
}

int dry_sim__columns(const dry_system *system) {
    return 1 + dry_system_named(system) + system->n_outputs;
}

/* t, the states that have names of their own, the outputs. */
dry_record *dry_sim_columns(const dry_system *system) {
    dry_quantity *names = calloc((size_t)dry_sim__columns(system), sizeof *names);
    if (!names) return NULL;
    int n = 0;
    names[n++] = (dry_quantity){"t", "s"};
    for (int i = 0; i < system->n_states; i++)
        if (!dry_state_is_inner(&system->states[i])) names[n++] = system->states[i];
    for (int i = 0; i < system->n_outputs; i++) names[n++] = system->outputs[i];
    dry_record *record = dry_record_new(names, n);
    free(names);
    return record;
}

bool dry_sim__frame_open(dry_sim__frame *frame, const dry_system *system,
                         const dry_sim_options *options, size_t rows) {
    *frame = (dry_sim__frame){.named = calloc((size_t)system->n_states + 1, sizeof *frame->named),
                              .sink = options->sink,
                              .keeps = !options->sink_only};
    if (!frame->named) return false;
    for (int i = 0; i < system->n_states; i++)
        if (!dry_state_is_inner(&system->states[i])) frame->named[frame->n_named++] = i;
    frame->record = dry_sim_columns(system);
    frame->row = calloc((size_t)(1 + frame->n_named + system->n_outputs), sizeof *frame->row);
    if (!frame->keeps) rows = 0;
    return frame->record && frame->row && dry_record_reserve(frame->record, rows) == DRY_OK;
}

double *dry_sim__fill_row(dry_sim__frame *frame, double t, const double *x) {
    frame->row[0] = t;
    for (int i = 0; i < frame->n_named; i++) frame->row[1 + i] = x[frame->named[i]];
    return frame->row + 1 + frame->n_named;
}

dry_status dry_sim__add_row(dry_sim__frame *frame) {
    dry_status status = frame->keeps ? dry_record_add(frame->record, frame->row) : DRY_OK;
    if (status == DRY_OK && frame->sink) status = frame->sink->add(frame->sink->user, frame->row);
    if (status == DRY_OK) frame->rows++;
    return status;
}

bool dry_sim__is_later(const dry_sim__frame *frame, double t) {
    return frame->rows > 0 && frame->row[0] < t;
}

dry_record *dry_sim__frame_close(dry_sim__frame *frame) {
    free(frame->row);
    free(frame->named);
    return frame->record;
}
