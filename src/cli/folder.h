/* The models of a folder, and those among them that must be refused. */
#ifndef DRY_CLI_FOLDER_H
#define DRY_CLI_FOLDER_H

#include "cli.h"
#include <drystone/model.h>

typedef void cli_model_fn(void *user, const char *path);

/* Calls `fn` for a file, whatever its ending, or for every .dry file below a folder in the order of
 * their names; false, with a message, where something cannot be read. */
bool cli_each_model(const char *path, cli_model_fn *fn, void *user);

enum { CLI_WORD = 64 };

/* The WORD of a first line `# refused: WORD`, by which a model shows what the compiler must not
 * accept; false where there is none. */
bool cli_refused_word(const char *text, char word[CLI_WORD]);
/* The rest of a line `# watch: WORD ...` among the comments that a model begins with, by which it
 * says what word its run gets and why; NULL: there is none, and the run is to be trusted. */
const char *cli_watch_line(const char *text);
/* Whether it was refused, and every error has that word. */
bool cli_is_refused_with(const dry_model *model, const char *word);

#endif
