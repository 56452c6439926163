/* What the verbs that run models share. */
#ifndef DRY_CLI_RUNNING_H
#define DRY_CLI_RUNNING_H

#include "files.h"
#include "native.h"
#include <drystone/sim.h>

/* From now on an interrupt (Ctrl-C) stops the run that is under way: its record ends there. */
void cli_catch_interrupt(void);
bool cli_is_interrupted(void);

/* A finished run of a model. */
typedef struct cli_run {
    dry_sim_result result;
    dry_run_options run; /* with every default filled in */
    dry_measured *measured;
    dry_expected *expected;
    int n_failed;     /* expectations that are not met */
    bool native;      /* native code has run it, not the bytecode */
    dry_native *code; /* that code; NULL: none was made */
} cli_run;

/* Runs a compiled model; `show_progress`: a bar on stderr when it takes longer than a second;
 * `watched`: it keeps what the watch needs. Errors are printed. Returns CLI_FINE, CLI_EXPECTATION,
 * CLI_USAGE or CLI_RUN. */
int cli_run_model(const dry_model *model, const char *path, bool show_progress, bool watched,
                  cli_run *run);
/* The same with a choice of code. */
int cli_run_model_as(const dry_model *model, const char *path, bool show_progress, bool watched,
                     cli_code code, cli_run *run);
void cli_run_free(cli_run *run);

#endif
