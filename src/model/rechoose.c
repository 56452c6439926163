/* rechoose: chooses K, alpha and beta anew for other values of the parameters. It runs the
 * compiler's own choice on a copy of the model (trial.c), so that the bits are those of a new
 * compilation.
 *
 * Not for elements that the compiler made softer, and not for a K that follows its mass, of which
 * the graph has the value at the start. */
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
    if (any_chosen(&trial->copy.elab.quantities)) dry_design_forces(&trial->copy.elab);
    return trial->copy.diag.n_errors == 0;
}

void dry_model__rechoose(const dry_model *model, double *par) {
    const dry_quantities *q = &model->elab.quantities;
    dry_model__trial trial;
    if (!any_chosen(q)) return;
    bool good = dry_model__trial_begin(&trial, model, par);
    if (good) dry_model__forget_chosen(&trial);
    good = good && dry_model__trial_wellposed(&trial) && dry_model__choose(&trial);
    for (int i = 0; i < q->n_params; i++)
        if (q->param[i].chosen)
            par[i] = good ? trial.copy.elab.quantities.par_value[i] : (double)NAN;
    dry_model__trial_end(&trial);
}

/* Marks what was chosen for a force, or not. */
static void mark(dry_quantities *q, const dry_force *force, bool chosen) {
    const int slots[] = {force->design.slot_K, force->design.slot_beta, force->design.slot_alpha};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i] >= 0) q->param[slots[i]].chosen = chosen;
}

static bool gives_the_same(const dry_model *model) {
    const dry_quantities *q = &model->elab.quantities;
    const size_t size = sizeof(double) * (size_t)q->n_params;
    double *par = malloc(size + 1);
    if (!par) return false;
    memcpy(par, q->par_value, size);
    dry_model__rechoose(model, par);
    const bool same = memcmp(par, q->par_value, size) == 0;
    free(par);
    return same;
}

bool dry_model__can_rechoose(dry_model *model) {
    dry_quantities *q = &model->elab.quantities;
    if (model->elab.options->choose_step > 0.0 || dry_design_follows_mass(&model->elab))
        return false;
    for (int i = 0; i < q->n_forces; i++) mark(q, &q->force[i], true);
    const bool same = gives_the_same(model);
    for (int i = 0; i < q->n_forces && !same; i++) mark(q, &q->force[i], false);
    return same;
}
