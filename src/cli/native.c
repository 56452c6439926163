/* Chooses what runs a model: native code where it pays or is asked for, else bytecode. */
#include "native.h"

bool cli_choose_code(const dry_model *model, const dry_method *method, double steps,
                     cli_code wanted, dry_native **native) {
    dry_error error = {0};
    const bool asked = wanted == CLI_NATIVE;
    const dry_native_options options = {
        .only_cached = !asked && !dry_native_pays(model, method, steps), .method = method};
    *native = NULL;
    if (wanted == CLI_BYTECODE || (!asked && !method->adaptive && steps < DRY_NATIVE_FEWEST_STEPS))
        return true;
    *native = dry_native_new(model, &options, &error);
    if (*native || !asked) return true;
    cli_complain_error(&error);
    return false;
}
