/* frame: the record of a run, and how to fill a row of it: t, the named states, the outputs. */
#include <stdlib.h>

#include "sim_private.h"

/* No record has more values than this: 16 GiB. */
static const double VALUES_AT_MOST = 2147483648.0;

dry_status dry_sim__check_size(double intervals, int columns, double interval, dry_error *error) {
    if ((intervals + 1.0) * columns <= VALUES_AT_MOST) return DRY_OK;
    char every[DRY_NUMBER_SIZE];
    dry_number_text(interval, every);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "with a sample every %s s the record has %.3g rows of %d columns, more "
                         "than 2^31 values: record less often",
                         every, intervals + 1.0, columns);
}

int dry_sim__columns(const dry_system *system) {
    return 1 + dry_system_named(system) + system->n_outputs;
}

static dry_record *new_record(const dry_sim__frame *frame, const dry_system *system) {
    const int columns = 1 + frame->n_named + system->n_outputs;
    dry_quantity *names = calloc((size_t)columns, sizeof *names);
    if (!names) return NULL;
    names[0] = (dry_quantity){"t", "s"};
    for (int i = 0; i < frame->n_named; i++) names[1 + i] = system->states[frame->named[i]];
    for (int i = 0; i < system->n_outputs; i++) names[1 + frame->n_named + i] = system->outputs[i];
    dry_record *record = dry_record_new(names, columns);
    free(names);
    return record;
}

bool dry_sim__frame_open(dry_sim__frame *frame, const dry_system *system, size_t rows) {
    *frame = (dry_sim__frame){.named = calloc((size_t)system->n_states + 1, sizeof *frame->named)};
    if (!frame->named) return false;
    for (int i = 0; i < system->n_states; i++)
        if (!dry_state_is_inner(&system->states[i])) frame->named[frame->n_named++] = i;
    frame->record = new_record(frame, system);
    frame->row = calloc((size_t)(1 + frame->n_named + system->n_outputs), sizeof *frame->row);
    return frame->record && frame->row && dry_record_reserve(frame->record, rows) == DRY_OK;
}

double *dry_sim__fill_row(dry_sim__frame *frame, double t, const double *x) {
    frame->row[0] = t;
    for (int i = 0; i < frame->n_named; i++) frame->row[1 + i] = x[frame->named[i]];
    return frame->row + 1 + frame->n_named;
}

dry_record *dry_sim__frame_close(dry_sim__frame *frame) {
    free(frame->row);
    free(frame->named);
    return frame->record;
}
