/* A part of a kind in a machine that is just large enough for it, so that what the part has to
 * offer, ports and quantities, can be read from the part itself. */
#ifndef DRY_CLI_SPECIMEN_H
#define DRY_CLI_SPECIMEN_H

#include <drystone/model.h>

#define CLI_SPECIMEN "NAME" /* what the part is called */

typedef struct cli_specimen {
    const dry_kind *kind;
    dry_net *net;
    const dry_part *part;
    const dry_system *system;
} cli_specimen;

/* With the least that the keys ask for, and `on` where it is not NULL; false where the kind is no
 * part of its own, or wants a file, or has no such `on`. To be freed in either case. */
bool cli_specimen_make(cli_specimen *s, const dry_kind *kind, const char *on);
void cli_specimen_free(cli_specimen *s);

#endif
