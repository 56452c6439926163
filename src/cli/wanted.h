/* What a line asks of a model: its parameters, how to run it. */
#ifndef DRY_CLI_WANTED_H
#define DRY_CLI_WANTED_H

#include "cli.h"
#include <drystone/model.h>

typedef struct cli_wanted {
    dry_model_options model;
    dry_setting *settings;
} cli_wanted;

/* Reads -p, --until, --step, --record, --rtol, --atol, --method and --force; returns a cli_exit,
 * and complains. cli_wanted_free is right in any case. */
int cli_want(const cli_args *args, cli_wanted *wanted);
void cli_wanted_free(cli_wanted *wanted);

/* The method of that name; NULL with a complaint that names those that there are. */
const dry_method *cli_find_method(const char *name);

#endif
