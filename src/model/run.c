/* run: the options of a run that neither the text nor the caller gives. */
#include "model_private.h"

dry_status dry_model_plan(const dry_model *model, dry_run_options *run, dry_error *error) {
    *run = model->elab.run;
    run->method = dry_lang_method_row(&model->elab);
    if (!run->method->adaptive) run->step = dry_design_run_step(&model->elab);
    if (run->until > 0.0) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "%s does not give the length of the run: add `run until = 10 [s]` to it, "
                         "or use --until SECONDS",
                         model->file);
}
