/* trial: a copy of what checks and choices read and write, so that they can be repeated for other
 * values of the parameters of a const model. */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

/* Copies n elements of the given size into the arena. */
static void *copied(dry_arena *arena, const void *from, int n, size_t size) {
    void *to = dry_arena_take(arena, ((size_t)n + 1) * size);
    if (to && n > 0) memcpy(to, from, (size_t)n * size);
    return to;
}

bool dry_model__trial_begin(dry_model__trial *trial, const dry_model *model, const double *par) {
    const dry_quantities *from = &model->elab.quantities;
    trial->copy = *model;
    trial->arena = dry_arena_new((size_t)1 << 30);
    if (!trial->arena) return false;
    dry_elab *elab = &trial->copy.elab;
    dry_quantities *q = &elab->quantities;
    trial->copy.diag = (dry_diagnostics){.arena = trial->arena};
    elab->diag = &trial->copy.diag;
    elab->arena = trial->arena;
    q->param = copied(trial->arena, from->param, from->n_params, sizeof *q->param);
    q->force = copied(trial->arena, from->force, from->n_forces, sizeof *q->force);
    q->par_value = copied(trial->arena, par, from->n_params, sizeof *q->par_value);
    trial->copy.system.par = q->par_value;
    if (!q->param || !q->force || !q->par_value) return false;
    bool fit = true;
    for (int i = 0; i < q->n_forces; i++) fit = dry_lang_ask(elab, &q->force[i]) && fit;
    return fit;
}

void dry_model__trial_end(dry_model__trial *trial) { dry_arena_free(trial->arena); }

/* A level that may become negative with these values is watched: the model must watch the same. */
static bool same_guards(const dry_quantities *q, const dry_wellposed *found) {
    bool same = found->n_guards == q->n_guards;
    for (int i = 0; same && i < found->n_guards; i++)
        same = found->guard[i].node == q->guard[i].node;
    return same;
}

bool dry_model__trial_wellposed(dry_model__trial *trial) {
    dry_quantities *q = &trial->copy.elab.quantities;
    dry_wellposed found;
    dry_check_wellposed(&trial->copy.elab, &found);
    const bool pass = found.mass && trial->copy.diag.n_errors == 0 && same_guards(q, &found);
    for (int i = 0; pass && i < q->n_forces; i++) {
        q->force[i].design.mass = found.mass[i].mass;
        q->force[i].design.inverse_mass = found.mass[i].inverse_mass;
    }
    dry_wellposed_free(&found);
    return pass;
}
