/* rechoose: chooses K, alpha and beta anew for other values of the parameters. It runs the
 * compiler's own choice on a copy of the model (trial.c), so that the bits are those of a new
 * compilation.
 *
 * Not for what a run watches because it cannot follow its mass: the words of that condition have
 * the numbers of the compilation. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool any_chosen(const dry_quantities *q) {
    bool any = false;
    for (int i = 0; i < q->n_params; i++) any = any || q->param[i].chosen;
    return any;
}

void dry_model__forget_chosen(dry_model__trial *trial) {
    const dry_quantities *q = &trial->copy.elab.quantities;
    for (int i = 0; i < q->n_params; i++)
        if (q->param[i].chosen) q->par_value[i] = (double)NAN;
}

bool dry_model__choose(dry_model__trial *trial) {
    dry_elab *elab = &trial->copy.elab;
    if (!any_chosen(&elab->quantities)) return true;
    dry_design_forces(elab);
    if (trial->copy.diag.n_errors == 0) dry_design_follow_start(elab);
    return trial->copy.diag.n_errors == 0;
}

void dry_model__soften_chosen(dry_model__trial *trial) {
    if (any_chosen(&trial->copy.elab.quantities)) dry_model__soften_again(&trial->copy);
}

/* Without what is softer. */
static bool choose_first(dry_model__trial *trial, const dry_model *model, const double *par) {
    if (!dry_model__trial_begin(trial, model, par)) return false;
    dry_model__forget_chosen(trial);
    return dry_model__trial_wellposed(trial) && dry_model__choose(trial);
}

void dry_model__rechoose(const dry_model *model, double *par) {
    const dry_quantities *q = &model->elab.quantities;
    dry_model__trial trial;
    if (!any_chosen(q)) return;
    const bool good = choose_first(&trial, model, par);
    if (good) dry_model__soften_chosen(&trial);
    for (int i = 0; i < q->n_params; i++)
        if (q->param[i].chosen)
            par[i] = good ? trial.copy.elab.quantities.par_value[i] : (double)NAN;
    dry_model__trial_end(&trial);
}

/* Marks what was chosen for a force, or not. */
static void mark(dry_quantities *q, const dry_force *force, bool chosen) {
    const dry_force_design *d = &force->design;
    const int slots[] = {d->slot_K, d->slot_beta, d->slot_alpha, d->slot_limit};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i] >= 0) q->param[slots[i]].chosen = chosen;
}

static bool gives_the_same(const dry_model *model) {
    const dry_quantities *q = &model->elab.quantities;
    dry_model__trial trial;
    if (q->n_params == 0) return true; /* and there is no array of them */
    const bool same = choose_first(&trial, model, q->par_value) &&
                      memcmp(trial.copy.elab.quantities.par_value, q->par_value,
                             sizeof *q->par_value * (size_t)q->n_params) == 0;
    dry_model__trial_end(&trial);
    return same;
}

void dry_model__find_chosen(dry_model *model) {
    dry_quantities *q = &model->elab.quantities;
    if (model->elab.options->choose_step > 0.0 || dry_design_watches_mass(&model->elab)) return;
    for (int i = 0; i < q->n_forces; i++) mark(q, &q->force[i], true);
    model->rechooses = gives_the_same(model);
    for (int i = 0; i < q->n_forces && !model->rechooses; i++) mark(q, &q->force[i], false);
}
