/* fit: what the files of the verb `fit` share. */
#ifndef DRY_CLI_FIT_H
#define DRY_CLI_FIT_H

#include "job.h"
#include "processes.h"

/* What the line asks for, and what came out. */
typedef struct cli_fit {
    cli_job job;     /* of each run */
    dry_fit_job fit; /* with memory of its own: */
    dry_fit_free *free;
    const char **data;
    char *names; /* of what is free */
    const char *output, *report;
    const dry_fit_law *law;     /* instead of that of the text; NULL: none */
    dry_fit_law_text exchanged; /* the text with it */
    char *label;                /* of the model among others; NULL: its path */
    char *journal;              /* of this model */
    char *search;               /* its name */
    int number;                 /* of this model among several, from 1; 0: it is alone */
    dry_status status;          /* how it went */
    dry_fit_result result;      /* on a process that only helps: without parameters */
    double seconds;
    cli_bar bar;
    const dry_fit_rank *ranks; /* of several models, the best first */
    int n_ranks;
} cli_fit;

/* The laws of --laws, with the memory of their names. */
typedef struct cli_fit_laws {
    dry_fit_law *law;
    int n; /* 0: the line has no --laws */
    char *text;
} cli_fit_laws;

/* fit_laws.c: reads --laws; returns a cli_exit, and complains. Free it in any case. */
int cli_fit_read_laws(const cli_args *args, cli_fit_laws *laws);
void cli_fit_laws_free(cli_fit_laws *laws);
/* Compiles the model of `base`, which was fitted as it is, with the law of the fit, and says how it
 * is called among others; returns a cli_exit, and complains. `several`: of several models. */
int cli_fit_exchange(cli_fit *fit, const cli_fit *base, bool several);

/* fit_progress.c: a line on the terminal, unless the line asks for silence; `user` is the fit.
 * False after an interrupt. */
cli_bar cli_fit_bar(const cli_args *args, const dry_processes *processes);
bool cli_fit_show(void *user, const dry_fit_progress *now);
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
