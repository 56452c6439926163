/* The row of a law as cells of tables: what `drystone laws` prints of it, as text and as a page. */
#ifndef DRY_CLI_LAW_ROWS_H
#define DRY_CLI_LAW_ROWS_H

#include "table.h"
#include <drystone/law.h>

const char *cli_law_kind(const dry_law *law);
/* "0.5 [N]" of parameter `index`, of a list for its element i; without the unit where that holds
 * the name of a parameter and could not be written in a model. */
void cli_law_default(const dry_law *law, int index, bool writable, char cell[CLI_CELL]);

/* Of all laws: name, kind, title, promises. */
cli_fill cli_law_row;
/* Of one law, which `about` points to. */
cli_fill cli_law_param; /* name, default, range, meaning */
cli_fill cli_law_state; /* name, unit, meaning */
cli_fill cli_law_trait; /* name, meaning */

/* All about one law as a page of Markdown; the figure beside it is <name>.svg. */
void cli_law_page(const dry_law *law);
/* The catalogue as a table of Markdown with links to the pages. */
void cli_law_index(void);

#endif
