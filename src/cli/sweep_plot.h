/* The picture of a sweep: maps of two parameters, families of curves of one. */
#ifndef DRY_CLI_SWEEP_PLOT_H
#define DRY_CLI_SWEEP_PLOT_H

#include <drystone/plot.h>
#include <drystone/sweep.h>

typedef struct cli_sweep_picture {
    const dry_sweep_axis *axes;
    int n_axes;
    int n_measures; /* which follow the axes in the table */
    const char *title;
    bool curves, map; /* neither: a map where both parameters take many values */
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

#endif
