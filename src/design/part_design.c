/* part_design: what parts leave open, such as the stiffness of a joint, for the step of the run and
 * the frequency that the row of the method bears (methods.def, omega_T). For a method that finds
 * its steps itself, and for runs that are compared with each other, it chooses what every method
 * can integrate. Contacts also follow the pushes of equations at the start.
 *
 * T: step, s; omega: rad/s. */
#include "design.h"

#include <drystone/design.h>

#include <math.h>
#include <stdlib.h>

static const double ANY_METHOD = 0.5;

/* What equations push at the start; NULL without memory. A push that depends on what is chosen yet
 * is not known. */
static double *pushes_of(const dry_elab *elab) {
    const int n = dry_net_force_count(elab->scene.net);
    double *pushes = dry_heap_take(elab->arena, (size_t)n + 1, sizeof *pushes);
    if (pushes && !dry_lang_add_pushes(elab, pushes)) {
        free(pushes);
        return NULL;
    }
    for (int i = 0; pushes && i < n; i++)
        if (!isfinite(pushes[i])) pushes[i] = 0.0;
    return pushes;
}

void dry_design_parts(dry_elab *elab) {
    const dry_method *by = dry_lang_method_row(elab);
    const dry_method *row = elab->options->choose_step > 0.0 || !by->tableau ? NULL : by;
    const double T = dry_design_time_scale(elab), omega_T = row ? row->omega_T : ANY_METHOD;
    double *pushes = pushes_of(elab);
    const dry_pace pace = {.omega = omega_T / T, .method = row, .step = T, .pushes = pushes};
    if (pushes && dry_design_for(elab->scene.net, &pace) == DRY_NO_MEMORY)
        dry_arena_fail(elab->arena);
    free(pushes);
}
