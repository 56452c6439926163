/* One model run in several ways: by other methods, at other steps, from a start a little aside. */
#ifndef DRY_CLI_VARIANT_H
#define DRY_CLI_VARIANT_H

#include "running.h"
#include <drystone/report.h>

/* The text of a model and what the command line says about it. */
typedef struct cli_source {
    const char *path;
    const char *text;
    size_t length;
    dry_model_options options;
} cli_source;

typedef struct cli_outcome {
    dry_model *model;
    cli_run run;
    int code; /* cli_exit of the compilation or the run */
} cli_outcome;

/* Compiles (with force: the step is the caller's business) and runs; messages of the compiler are
 * printed where it fails. */
cli_outcome cli_run_variant(const cli_source *source);
void cli_outcome_free(cli_outcome *outcome);

/* The states of the model's equations and bodies, not of laws: how many, over the run, at its end.
 */
int cli_outcome_states(const cli_outcome *outcome);
const double *cli_outcome_values(const cli_outcome *outcome, int state);
double cli_outcome_end(const cli_outcome *outcome, int state);
/* How large a state became during the run. */
double cli_outcome_size(const cli_outcome *outcome, int state);
/* The largest difference of two ends, each over the size of its state in `a`: at least a
 * thousandth of the largest of the same unit, a millionth of the largest of all. */
double cli_outcome_apart(const cli_outcome *a, const cli_outcome *b);

/* How far a run can be trusted. */
typedef struct cli_verified {
    dry_estimate *estimates; /* of states at the end, then of measures; names are the model's */
    int n, n_states;
    int states_left;   /* more than are told one by one */
    char verdict[800]; /* the word of the watch, and how far apart samples were */
    bool good;         /* the word is that it can be trusted */
} cli_verified;

/* `run --verify`: repeats the run with half and a quarter of the step, or a tenth and a hundredth
 * of the tolerance, with samples as much nearer to each other; prints the estimated error of every
 * state and measure, and the word of the watch, whose `most` is the largest error trusted. */
int cli_verify(const cli_source *source, const cli_outcome *first, double most,
               cli_verified *verified);
void cli_verified_free(cli_verified *verified);

#endif
