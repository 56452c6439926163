/* What a line asks of a model: its parameters, how to run it. */
#ifndef DRY_CLI_WANTED_H
#define DRY_CLI_WANTED_H

#include "cli.h"
#include <drystone/model.h>

typedef struct cli_wanted {
    dry_run_options run;
    dry_model_options model; /* with these; points into this struct, which stays where it is */
    dry_setting *settings;
} cli_wanted;

/* Reads -p, --until, --step, --record, --rtol, --atol, --method and --force; returns a cli_exit,
 * and complains. cli_wanted_free is right in any case. */
int cli_want(const cli_args *args, cli_wanted *wanted);
void cli_wanted_free(cli_wanted *wanted);

/* Whether there is such a method; complains with those that there are. */
bool cli_is_method(const char *name);

#endif
