/* fastest: finds the fastest rate of the laws in the rest of a run that stopped because its steps
 * were too long for them, so that the message can name a step that works.
 *
 * An adaptive method continues the run and evaluates the rates of the laws after each step. Its
 * work is limited, counted as rates times states. */
#include <stdlib.h>

#include "sim_private.h"

static const double MOST_WORK = 2e7;
static const double RTOL = 1e-4;

static const dry_method *explicit_adaptive(void) {
    for (int i = 0; i < dry_method_count(); i++)
        if (dry_method_at(i)->adaptive) return dry_method_at(i);
    return NULL;
}

static double follow_rates(const dry_sim__run *run, dry_ode *ode, bool *whole) {
    const double until = run->options.run.until;
    double fastest = run->ode.fault.rate;
    dry_status status = DRY_OK;
    while (status == DRY_OK && ode->t < until &&
           (double)ode->counts.rates * run->system->n_states < MOST_WORK) {
        const char *law;
        status = dry_ode_step(ode, until);
        fastest = fmax(fastest, run->system->fastest(&ode->env, ode->t, 0.0, ode->x, &law));
    }
    *whole = ode->t >= until;
    return fastest;
}

double dry_sim__fastest(const dry_sim__run *run, bool *whole) {
    const dry_method *method = explicit_adaptive();
    const dry_ode_options options = {.rtol = RTOL};
    double fastest = run->ode.fault.rate;
    double *work = method ? calloc(dry_ode_size(run->system, method) + 1, sizeof *work) : NULL;
    void *scratch = calloc(1, run->system->work_size + 1);
    dry_ode ode;
    *whole = false;
    if (work && scratch &&
        dry_ode_init(&ode, run->system, method, &options, run->options.par, run->ode.t, run->ode.x,
                     scratch, work) == DRY_OK)
        fastest = follow_rates(run, &ode, whole);
    free(work);
    free(scratch);
    return fastest;
}
