/* The word on how far a run can be trusted, for the verbs that run models. */
#ifndef DRY_CLI_WATCHING_H
#define DRY_CLI_WATCHING_H

#include "running.h"
#include <drystone/watch.h>

/* The options of a line that say how closely to watch. */
dry_watch_options cli_watch_options(const cli_args *args);
/* Whether a line asks a verb to watch that does not do so by itself; false with the complaint
 * printed where it says how closely, and not that. */
bool cli_wants_watch(const cli_args *args, bool *wanted);
/* Judges a finished run; false with the complaint printed where that could not be done. `given`:
 * what the model was compiled with. */
bool cli_watch(const dry_model *model, const dry_model_options *given, const cli_run *run,
               dry_watch_options options, dry_watch_verdict *verdict);
/* The word and a line for everything that gives way; how many there are. */
enum { CLI_WORD_LINES = 12, CLI_WORD_LINE = 600 };
int cli_word_lines(const dry_watch_verdict *verdict, char lines[CLI_WORD_LINES][CLI_WORD_LINE]);
/* Prints the word, and a line for everything that gives way, to stderr; `quiet`: unless the
 * run can be trusted. `path`: stands before it; NULL: nothing does. */
void cli_print_word(const dry_watch_verdict *verdict, const char *path, bool quiet);

#endif
