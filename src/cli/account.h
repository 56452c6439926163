/* account: what became of the energy. */
#ifndef DRYSTONE_CLI_ACCOUNT_H
#define DRYSTONE_CLI_ACCOUNT_H

#include "cli.h"
#include <drystone/model.h>

/* Prints the energy account of a model with parts; nothing for one of equations alone. Returns
 * CLI_RUN, having said why, if there is none. */
int cli_print_account(const dry_model *model, const dry_record *record);

/* False, and the complaint is printed, where a law that promises to be passive has created energy;
 * one that promises nothing gets a line.
 */
bool cli_account_holds(const dry_model *model, const char *path, const dry_record *record);

#endif
