/* begin: whether a run can begin: the rates at the start are finite. */
#include "model.h"

#include <math.h>
#include <stdlib.h>

static void check_rates(const dry_model *model, const double *rate) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->n_states; i++) {
        const dry_state_info *state = &elab->state[i];
        if (state->symbol < 0 || isfinite(rate[i])) continue;
        DRY_SAY(elab->report, state->rate_at, RATE_NOT_FINITE, state->name,
                isnan(rate[i]) ? "not a number" : "infinite");
        return;
    }
}

/* With a tau, which some laws need (KY08). */
void dry_lang__begin(dry_model *model) {
    const dry_system *system = &model->system;
    const double step = model->elab.run.step, tau = isnan(step) ? 1e-3 : step;
    double *x = calloc(2 * (size_t)system->n_states + 1, sizeof *x);
    const dry_env env = {
        .model = model, .par = model->elab.par_value, .work = calloc(1, system->work_size + 1)};
    if (x && env.work) {
        system->prepare(&env);
        system->start(&env, 0.0, x);
        system->rate(&env, 0.0, tau, x, x + system->n_states);
        check_rates(model, x + system->n_states);
    }
    free(env.work);
    free(x);
}
