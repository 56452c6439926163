/* finer: the records once more with half the step (an adaptive method: with a tenth of the
 * tolerances), at the values that were found. What the compiler chose for the step, such as K and
 * beta, is held: what changes is the error of the method alone. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static void take(dry_fit__bench *bench, const dry_fit__trial *trial) {
    const dry_fit__record *record = &bench->records[trial->record];
    const double *model = trial->model;
    for (int i = record->first; i < record->first + record->n; i++) {
        dry_fit_output *o = &bench->outputs[i];
        o->finer = dry_arena_take(bench->arena, sizeof *o->finer * (o->rows + 1));
        if (o->finer) memcpy(o->finer, model, sizeof *model * o->rows);
        model += o->rows;
    }
}

static void note(const dry_fit__bench *bench, const dry_fit__trial *trial, const char **failed) {
    if (!*failed)
        *failed = dry_arena_text(bench->arena, trial->error.text, strlen(trial->error.text));
}

dry_status dry_fit__run_finer(dry_fit__bench *bench, const double *values, const char **failed,
                              dry_error *error) {
    const int n = bench->n_records;
    dry_fit__trial *trials = calloc((size_t)n, sizeof *trials);
    bool room = trials != NULL;
    for (int r = 0; room && r < n; r++) {
        double *model = malloc(sizeof *model * (bench->records[r].rows + 1));
        trials[r] = (dry_fit__trial){.record = r, .values = values, .finer = true, .model = model};
        room = model != NULL;
    }
    room = room && dry_fit__try(bench, trials, n, error) == DRY_OK;
    for (int r = 0; room && r < n; r++) {
        if (trials[r].status == DRY_OK)
            take(bench, &trials[r]);
        else
            note(bench, &trials[r], failed);
        room = trials[r].status != DRY_NO_MEMORY;
    }
    for (int r = 0; trials && r < n; r++) free(trials[r].model);
    free(trials);
    return room ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}
