/* What the verbs that read models share. */
#ifndef DRY_CLI_FILES_H
#define DRY_CLI_FILES_H

#include "native.h"
#include <drystone/lang.h>
#include <drystone/plot.h>
#include <drystone/sim.h>

/* Reads and compiles a model and prints its messages on stderr; returns a cli_exit. *model is set
 * (to be freed) wherever the file could be read. */
int cli_compile(const char *path, const dry_model_options *options, dry_model **model);

/* From now on an interrupt (Ctrl-C) stops the run that is under way: its record ends there. */
void cli_catch_interrupt(void);
bool cli_is_interrupted(void);

/* Whether a file can be written there, which is tried before a long run; complains. */
bool cli_can_write(const char *path);

/* Whether a path is something before the ending. */
bool cli_ends_with(const char *path, const char *ending);

/* Whether the stream is a terminal that wants colours. */
bool cli_wants_colour(FILE *stream);
bool cli_is_terminal(FILE *stream);

/* A finished run of a model. */
typedef struct cli_run {
    dry_sim_result result;
    dry_run_options run; /* with every default filled in */
    dry_measured *measured;
    dry_expected *expected;
    int n_failed; /* expectations that are not met */
    bool native;  /* native code has run it, not the bytecode */
} cli_run;

/* Runs a compiled model; `show_progress`: a bar on stderr when it takes longer than a second.
 * Errors are printed. Returns CLI_FINE, CLI_EXPECTATION, CLI_USAGE or CLI_RUN. */
int cli_run_model(const dry_model *model, const char *path, bool show_progress, cli_run *run);
/* The same with a choice of code. */
int cli_run_model_as(const dry_model *model, const char *path, bool show_progress, cli_code code,
                     cli_run *run);
/* In bytecode, without a bar, from the state x0 (NULL: the model's own start). */
int cli_run_model_from(const dry_model *model, const char *path, const double *x0, cli_run *run);
void cli_run_free(cli_run *run);

/* The plot of a model's panels over a record. `panels` has room for dry_model_panels entries. */
dry_plot cli_plot_of(const dry_model *model, const dry_record *record, dry_panel *panels);

/* The record without the columns that serve measures only, whose values it shares; NULL without
 * memory. */
dry_record *cli_shown_record(const dry_model *model, const dry_record *record);

#endif
