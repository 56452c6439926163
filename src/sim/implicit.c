/* implicit: runs an implicit method, and copies its progress to the fields of dry_ode that a run
 * reads. */
#include <string.h>

#include "sim_private.h"

static void copy_progress(dry_sim__run *run) {
    const dry_stiff_counts c = dry_stiff_count(run->stiff);
    run->ode.t = dry_stiff_time(run->stiff);
    memcpy(run->ode.x, dry_stiff_state(run->stiff),
           (size_t)run->system->n_states * sizeof *run->ode.x);
    run->ode.fault = dry_stiff_fault(run->stiff);
    run->ode.counts = (dry_ode_counts){
        .steps = c.steps, .rejected = c.rejected, .rates = c.rates, .kinks = c.kinks};
}

dry_status dry_sim__stiff_begin(dry_sim__run *run, dry_error *error) {
    const dry_sim_options *o = &run->options;
    run->ode = (dry_ode){.t = o->from, .x = run->work, .fault = {.state = -1, .t = o->from}};
    const dry_status status = dry_stiff_new(run->system, run->method, &run->ode_options, o->par,
                                            o->from, o->x0, &run->stiff, error);
    if (status != DRY_OK) return status;
    run->ode.env = *dry_stiff_env(run->stiff);
    copy_progress(run);
    return DRY_OK;
}

dry_status dry_sim__stiff_step(dry_sim__run *run, dry_error *error) {
    const dry_status status = dry_stiff_step(run->stiff, run->options.run.until, error);
    copy_progress(run);
    return status;
}
