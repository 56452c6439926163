/* The files that verbs read and write. */
#ifndef DRY_CLI_FILES_H
#define DRY_CLI_FILES_H

#include "cli.h"
#include <drystone/model.h>
#include <drystone/plot.h>

/* Reads and compiles a model and prints its messages on stderr; returns a cli_exit. *model is set
 * (to be freed) wherever the file could be read. */
int cli_compile(const char *path, const dry_model_options *options, dry_model **model);

/* Whether a file can be written there, which is tried before a long run; complains. */
bool cli_can_write(const char *path);

/* Whether a path to write to is not one of the files that the command reads, by whatever name;
 * complains about `option`, such as "-o". */
bool cli_spares_input(const cli_args *args, const char *option, const char *path);

/* Whether a path is something before the ending. */
bool cli_ends_with(const char *path, const char *ending);
/* Whether the ending is that of a table (or "-"), or of a picture, that this build writes;
 * complains about `option`, such as "-o". Endings are asked before a long run, not after it. */
bool cli_is_table(const char *option, const char *path);
bool cli_is_picture(const char *option, const char *path);
/* Whether another column has the name of this one. */
bool cli_is_twice(const dry_record *record, int column);

/* Returns true if the stream is a terminal and colours are not switched off. */
bool cli_wants_colour(FILE *stream);
bool cli_is_terminal(FILE *stream);

/* The columns of a record without those that serve measures only; to be freed; NULL without memory.
 */
int *cli_shown_columns(const dry_model *model, const dry_record *record, int *n);

/* ---- folders of models --------------------------------------------------------------- */

typedef void cli_model_fn(void *user, const char *path);

/* Calls `fn` for a file, whatever its ending, or for every .dry file below a folder in the order of
 * their names; false, with a message, where something cannot be read. */
bool cli_each_model(const char *path, cli_model_fn *fn, void *user);

enum { CLI_WORD = 64 };

/* The WORD of a first line `# refused: WORD`, by which a model shows what the compiler must not
 * accept; false if there is none. */
bool cli_refused_word(const char *text, char word[CLI_WORD]);
/* The rest of a line `# watch: WORD ...` among the comments that a model begins with, which
 * says what word its run gets and why; NULL: there is none, and the run should be trusted. */
const char *cli_watch_line(const char *text);
/* Whether it was refused, and every error has that word. */
bool cli_is_refused_with(const dry_model *model, const char *word);

/* ---- robot_text.c --------------------------------------------------------------------- */

/* The text of a model of that name for the URDF file at the path, which stands beside it, as
 * `drystone run` takes it: to be freed. NULL after a complaint; *code is then a cli_exit.
 * model_path is its future path. */
char *cli_robot_text(const char *path, const char *model_path, const char *name, int *code);

#endif
