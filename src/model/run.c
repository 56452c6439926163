/* run: how a model is run where neither its text nor the caller says it. */
#include "model_private.h"

#include <drystone/stiff.h>

#include <math.h>

dry_status dry_model_plan(const dry_model *model, dry_run_options *run, const dry_method **method,
                          dry_error *error) {
    *run = model->elab.run;
    if (!run->method) run->method = dry_method_standard()->name;
    *method = dry_method_find(run->method);
    if (!*method) *method = dry_stiff_method_find(run->method);
    const bool adaptive = *method && (*method)->adaptive;
    if (!adaptive) run->step = dry_design_run_step(&model->elab);
    if (!isnan(run->until)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "%s does not say how long to run: add `run until = 10 [s]` to it, or "
                         "--until SECONDS",
                         model->file);
}
