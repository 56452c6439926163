/* What runs a model: bytecode or native code. */
#ifndef DRY_CLI_NATIVE_H
#define DRY_CLI_NATIVE_H

#include "cli.h"
#include <drystone/native.h>

typedef enum cli_code {
    CLI_BYTECODE,
    CLI_NATIVE,     /* an error where there is none */
    CLI_EITHER_CODE /* native code where so many steps pay for it, or where it is in the cache */
} cli_code;

/* *native becomes the code to run with, to be freed; NULL: the bytecode. False, with a message on
 * stderr, where native code was asked for and cannot be had. */
bool cli_choose_code(const dry_model *model, const dry_method *method, double steps,
                     cli_code wanted, dry_native **native);

#endif
