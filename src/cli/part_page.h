/* The ports and quantities of a kind of part, from a specimen of it. */
#ifndef DRY_CLI_PART_PAGE_H
#define DRY_CLI_PART_PAGE_H

#include <drystone/model.h>

/* Nothing where the kind is no part of its own. */
void cli_print_offers(const dry_kind *kind);

#endif
