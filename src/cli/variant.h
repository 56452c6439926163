/* One model run in several ways: by other methods, at other steps, from a start a little aside. */
#ifndef DRY_CLI_VARIANT_H
#define DRY_CLI_VARIANT_H

#include "files.h"

/* The text of a model and what the command line says about it. */
typedef struct cli_source {
    const char *path;
    const char *text;
    size_t length;
    dry_model_options options; /* options.run is set */
} cli_source;

/* How a run differs from what the source says; NaN or NULL: it does not. */
typedef struct cli_variant {
    const char *method;
    double step, rtol, atol;
    double nudge; /* every state of the model begins this much aside; 0: none */
} cli_variant;

typedef struct cli_outcome {
    dry_model *model;
    cli_run run;
    int code; /* cli_exit of the compilation or the run */
} cli_outcome;

/* Compiles (with force: the step is the caller's business) and runs; messages of the compiler are
 * printed where it fails. */
cli_outcome cli_run_variant(const cli_source *source, const cli_variant *variant);
void cli_outcome_free(cli_outcome *outcome);

/* A state of the model at the end of a run; the states of laws come after these. */
int cli_outcome_states(const cli_outcome *outcome);
double cli_outcome_end(const cli_outcome *outcome, int state);
/* How large a state became during the run. */
double cli_outcome_size(const cli_outcome *outcome, int state);

/* `run --verify`: repeats the run with half the step, or a tenth of the tolerance, and once from a
 * start a little aside; prints the estimated error of every state and measure, and whether the
 * result is converged or sensitive. */
int cli_verify(const cli_source *source, const cli_outcome *first);

#endif
