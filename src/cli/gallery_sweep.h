/* The sweeps that a model proposes in its head comment, as pictures for its card. */
#ifndef DRY_CLI_GALLERY_SWEEP_H
#define DRY_CLI_GALLERY_SWEEP_H

#include <drystone/report.h>

enum { CLI_SWEEPS = 4 };

/* Runs every line `#   drystone sweep FILE -p ... [--measure ...]` at the head of a text, at most
 * CLI_SWEEPS of them; returns how many pictures came of it, to be freed by cli_sweeps_free. Errors
 * are printed, and `failed` is set. */
int cli_run_sweeps(const char *path, const char *text, size_t length,
                   dry_card_image images[CLI_SWEEPS], bool *failed);
void cli_sweeps_free(dry_card_image *images, int count);

#endif
