/* part_choose: what parts leave open, such as the stiffness of a joint, for the step of the run and
 * the frequency that the row of the method bears (methods.def, omega_T). A method that finds its
 * steps itself, and runs that are compared with each other, have what every method can do.
 *
 * T: step, s; omega: rad/s. */
#include "model.h"

#include <math.h>

static const double ANY_METHOD = 0.5;

int dry_model_next_chosen(const dry_model *model, int par) {
    const int own = model->elab.n_params, n = model->system.n_par;
    if (!model->elab.net) return -1;
    if (par < own) par = own;
    while (par < n && !dry_net_is_chosen(model->elab.net, par - own)) par++;
    return par < n ? par : -1;
}

void dry_lang__choose_parts(dry_elab *elab) {
    const dry_method *row =
        elab->options->choose_step > 0.0 ? NULL : dry_method_find(dry_lang__method(elab));
    const double T = dry_lang__time_scale(elab), omega_T = row ? row->omega_T : ANY_METHOD;
    const dry_pace pace = {.omega = omega_T / T, .method = row, .step = T};
    if (dry_net_choose_for(elab->net, &pace) == DRY_NO_MEMORY) dry_arena_fail(elab->arena);
}
