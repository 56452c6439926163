/* Columns of text, as wide as what stands in them, for the verbs that list things. */
#ifndef DRY_CLI_TABLE_H
#define DRY_CLI_TABLE_H

#include "cli.h"

enum { CLI_COLUMNS = 5, CLI_CELL = 256 };
typedef char cli_row[CLI_COLUMNS][CLI_CELL];

/* Writes the cells of line `index`; false behind the last. */
typedef bool cli_fill(const void *about, int index, cli_row cells);

void cli_table(const void *about, cli_fill *fill, const char *indent);
/* With a title above, and "none" below it where there is no line. */
void cli_section(const char *title, const void *about, cli_fill *fill);
void cli_set(char cell[CLI_CELL], const char *text);
/* The lines of a text, each four blanks to the right. */
void cli_lines(const char *text);

#endif
