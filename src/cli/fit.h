/* fit: what the files of the verb `fit` share. */
#ifndef DRY_CLI_FIT_H
#define DRY_CLI_FIT_H

#include "job.h"

/* What the line asks for, and what came out. */
typedef struct cli_fit {
    cli_job job;     /* of each run */
    dry_fit_job fit; /* with memory of its own: */
    dry_fit_free *free;
    const char **data;
    char *names; /* of what is free */
    const char *output, *report;
    dry_fit_result result;
    double seconds;
    const dry_fit_rank *ranks; /* of several models, the best first */
    int n_ranks;
} cli_fit;

/* fit_table.c */
void cli_fit_print(const cli_fit *fit);
void cli_fit_print_json(const cli_fit *fit);
/* Several models, the best first. */
void cli_fit_print_ranks(const dry_fit_rank *ranks, int n);
/* fit_elements.c: false, with a complaint, if an option does not go with --elements, or goes with
 * it alone. */
bool cli_fit_options_fit(const cli_args *args);
/* The elements of a record. Returns a cli_exit, and complains. */
int cli_fit_elements(const cli_args *args);
/* fit_report.c: the page of --report; nothing without. Returns a cli_exit, and complains. */
int cli_fit_report(const cli_fit *fit, const cli_args *args);

#endif
