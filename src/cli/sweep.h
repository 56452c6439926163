/* sweep: what the verbs share that run a model many times. */
#ifndef DRY_CLI_SWEEP_H
#define DRY_CLI_SWEEP_H

#include "cli.h"
#include <drystone/plot.h>
#include <drystone/report.h>
#include <drystone/sweep.h>

/* ---- sweep_plot.c: maps of two parameters, families of curves of one --------------------- */

typedef struct cli_sweep_picture {
    const dry_sweep_axis *axes;
    int n_axes;
    int n_measures; /* which follow the axes in the table */
    const char *title;
    bool curves, map; /* neither: a map where both parameters take many values */
    bool log;         /* curves over logarithmic axes */
    bool dark;
} cli_sweep_picture;

/* Draws every measure of the table. The two parameters of most values are the axes of a map, or
 * abscissa and family; others that change give a panel for each of their values. */
dry_status cli_draw_sweep(const cli_sweep_picture *how, const dry_record *table, const char *path,
                          dry_error *error);
dry_status cli_draw_sweep_svg(const cli_sweep_picture *how, const dry_record *table, FILE *stream,
                              dry_error *error);
/* Whether it can, asked before a long run. */
dry_status cli_check_sweep_picture(const cli_sweep_picture *how, dry_error *error);

/* ---- gallery_sweep.c: the sweeps that a model proposes in its head comment --------------- */

enum { CLI_SWEEPS = 8 };

/* Runs every line `#   drystone sweep FILE -p ... [--measure ...]` at the head of a text; returns
 * how many pictures came of it, to be freed by cli_sweeps_free. Errors are printed, and `failed` is
 * set; more than CLI_SWEEPS lines are one. */
int cli_run_sweeps(const char *path, const char *text, size_t length,
                   dry_card_image images[CLI_SWEEPS], bool *failed);
void cli_sweeps_free(dry_card_image *images, int count);

#endif
