/* From a run of the command to a card of a report. */
#ifndef DRY_CLI_CARD_H
#define DRY_CLI_CARD_H

#include "running.h"
#include <drystone/report.h>

/* Fills in what the run knows; `options` are those that the model was compiled with. */
void cli_card_of(const dry_model *model, const dry_model_options *options, const cli_run *run,
                 dry_card *card);

#endif
