/* table: what the verbs share that list things: columns of text, rows of laws, offers of parts. */
#ifndef DRY_CLI_TABLE_H
#define DRY_CLI_TABLE_H

#include "cli.h"
#include <drystone/law.h>
#include <drystone/model.h>

enum { CLI_COLUMNS = 5, CLI_CELL = 256 };
typedef char cli_row[CLI_COLUMNS][CLI_CELL];

/* Writes the cells of line `index`; false after the last. */
typedef bool cli_fill(const void *about, int index, cli_row cells);

void cli_table(const void *about, cli_fill *fill, const char *indent);
/* With a title above, and "none" below it if there is no line. */
void cli_section(const char *title, const void *about, cli_fill *fill);
void cli_set(char cell[CLI_CELL], const char *text);
/* The lines of a text, each four blanks to the right. */
void cli_lines(const char *text);

/* ---- law_page.c: the row of a law, as text and as a page --------------------------------- */

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

/* All about one law as a page of Markdown; the figures beside it are <name>.svg and, of what it is
 * known for, <name>-known.svg. */
void cli_law_page(const dry_law *law);
/* The catalogue as a table of Markdown with links to the pages. */
void cli_law_index(void);

/* ---- part_page.c ------------------------------------------------------------------------- */

/* Prints the ports and quantities of a kind of part; nothing if the kind is not a part of its own.
 */
void cli_print_offers(const dry_kind *kind);

#endif
