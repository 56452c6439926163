/* finer: the records once more with half the step (an adaptive method: with a tenth of the
 * tolerances), at the values that were found. What the compiler chose for the step, such as K and
 * beta, is held: what changes is the error of the method alone. These runs also say whether a part
 * gives energy. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct finer {
    dry_fit__bench *bench;
    dry_fit__trial *trials;
    dry_fit_giver *givers; /* of each record */
} finer;

static void take_model(const finer *f, int r) {
    const dry_fit__record *record = &f->bench->records[r];
    const double *model = f->trials[r].model;
    for (int i = record->first; i < record->first + record->n; i++) {
        dry_fit_output *o = &f->bench->outputs[i];
        o->finer = dry_arena_take(f->bench->arena, sizeof *o->finer * (o->rows + 1));
        if (o->finer) memcpy(o->finer, model, sizeof *model * o->rows);
        model += o->rows;
    }
}

static void take(const finer *f, int r, dry_fit_result *to) {
    const char *why = f->trials[r].error.text;
    if (f->trials[r].status == DRY_OK)
        take_model(f, r);
    else if (!to->no_finer)
        to->no_finer = dry_arena_text(f->bench->arena, why, strlen(why));
    if (f->givers[r].share > to->giver.share) to->giver = f->givers[r];
}

static bool plan(const finer *f, int r, const double *values) {
    const dry_fit__record *record = &f->bench->records[r];
    f->trials[r] = (dry_fit__trial){.record = r,
                                    .values = values,
                                    .finer = true,
                                    .model = malloc(sizeof(double) * (record->rows + 1))};
    if (dry_model_net(record->model)) f->trials[r].giver = &f->givers[r];
    return f->trials[r].model != NULL;
}

dry_status dry_fit__run_finer(dry_fit__bench *bench, const double *values, dry_fit_result *result,
                              dry_error *error) {
    const int n = bench->n_records;
    const finer f = {bench, calloc((size_t)n, sizeof *f.trials),
                     calloc((size_t)n, sizeof *f.givers)};
    bool room = f.trials && f.givers;
    for (int r = 0; room && r < n; r++) room = plan(&f, r, values);
    room = room && dry_fit__try(bench, f.trials, n, error) == DRY_OK;
    for (int r = 0; room && r < n; r++) {
        take(&f, r, result);
        room = f.trials[r].status != DRY_NO_MEMORY;
    }
    for (int r = 0; f.trials && r < n; r++) free(f.trials[r].model);
    free(f.trials);
    free(f.givers);
    return room ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}
