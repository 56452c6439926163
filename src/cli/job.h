/* job: one model that a verb runs: its file, options, results and verdict. */
#ifndef DRY_CLI_JOB_H
#define DRY_CLI_JOB_H

#include "files.h"
#include <drystone/fit.h>
#include <drystone/native.h>
#include <drystone/report.h>
#include <drystone/sim.h>
#include <drystone/watch.h>

/* What evaluates a model. */
typedef enum cli_code {
    CLI_BYTECODE,
    CLI_NATIVE,     /* an error if there is none */
    CLI_EITHER_CODE /* native code if so many steps pay for it, or if it is in the cache */
} cli_code;

typedef struct cli_rows cli_rows;

typedef struct cli_job {
    /* what to run, and how */
    const char *path;
    const char *text; /* of the model; NULL: the file has it */
    size_t length;
    dry_model_options options; /* parameters, how to run, force, threads */
    dry_setting *settings;     /* memory of options.settings; NULL: another job's */
    dry_given_input *inputs;   /* the same of options.inputs */
    cli_code code;
    bool progress;  /* a bar on stderr if it takes longer than a second */
    bool watched;   /* keeps what the watch needs */
    bool paged;     /* keeps what a page needs */
    cli_rows *rows; /* what takes the rows as they come; NULL: nothing does */
    bool streams;   /* nothing but `rows` needs them, and the record has none */
    dry_watch_options watch;
    /* what came out */
    dry_model *model;
    dry_run_options run; /* as it ran, every default filled in */
    dry_sim_result result;
    dry_measured *measured;
    dry_expected *expected;
    int n_failed;       /* expectations that are not met */
    dry_native *native; /* code that was made; NULL: none was */
    bool is_native;     /* native code has run it, not the bytecode */
    dry_slopes *slopes; /* of --sensitivity; NULL: not given */
    char *slope_names;  /* memory of its names */
    int exit;           /* a cli_exit */
} cli_job;

/* Reads the file, -p, --until, --step, --record, --rtol, --atol, --max-steps, --method, --force,
 * --native, --no-native and how closely to watch. Returns a cli_exit, and complains. cli_job_free
 * is right in any case. */
int cli_job_read(cli_job *job, const cli_args *args);
/* The method of that name; NULL with a complaint that names those that there are. */
const dry_method *cli_find_method(const char *name);
/* The same job with nothing come out yet, for the text of the model. Its settings stay those of
 * `job`, which must outlive it. */
cli_job cli_job_copy(const cli_job *job);
void cli_job_free(cli_job *job);

/* Each prints what is wrong, and sets and returns job->exit. */
int cli_job_compile(cli_job *job); /* the file */
int cli_job_run(cli_job *job);     /* the compiled model */
/* Compiles the text, with force since the step is the caller's business, runs it, and checks its
 * energy. */
int cli_job_run_text(cli_job *job);
/* Whether the run came to its end. */
bool cli_job_ended(const cli_job *job);

/* The states of the model's equations and bodies, not of laws: how many, over the run, at its end.
 */
int cli_job_states(const cli_job *job);
const double *cli_job_values(const cli_job *job, int state);
double cli_job_end(const cli_job *job, int state);
/* The largest difference of two ends, each over the size of its state in `a`: at least a
 * thousandth of the largest of the same unit, a millionth of the largest of all. */
double cli_job_apart(const cli_job *a, const cli_job *b);
/* Fills in what the run knows of a card of a report. */
void cli_job_card(const cli_job *job, dry_card *card);

/* ---- rows.c ---------------------------------------------------------------------------- */

/* Opens the files of -o, but not if they are written `later`, with columns that the run does not
 * have; measures: evaluates the measures as rows come. NULL with a complaint. */
cli_rows *cli_rows_new(const dry_model *model, const cli_args *args, bool measures, bool later);
/* Files that are not committed or kept are not left. */
void cli_rows_free(cli_rows *rows);
/* NULL of NULL. */
const dry_sim_sink *cli_rows_sink(const cli_rows *rows);
dry_measuring *cli_rows_measuring(const cli_rows *rows);
/* Prints a warning for columns with rows that have no finite number. */
void cli_rows_warn(const cli_rows *rows, const char *path, const dry_model *model);
/* The run is whole, and so are its files. Returns a cli_exit, with a complaint. */
int cli_rows_commit(cli_rows *rows);
/* The run is not whole: keeps what was recorded under names that say so, and prints the names. */
void cli_rows_keep(cli_rows *rows);

/* ---- slopes.c -------------------------------------------------------------------------- */

/* Finds the sensitivities of a finished job to the parameters of a list, "F,K". Returns a cli_exit,
 * with a complaint. */
int cli_job_slopes(cli_job *job, const char *list);
/* Writes the files of -o with them. Returns a cli_exit, with a complaint. */
int cli_slopes_write(const cli_job *job, const cli_args *args);
void cli_slopes_print(const cli_job *job);
/* ---- export_fmu.c ---------------------------------------------------------------------- */

/* Of --to fmu2, fmu3; 0 of another language. */
int cli_fmu_version(const cli_args *args);
/* Whether the options fit an FMU, if the line asks for one; complains. */
bool cli_fmu_fits(const cli_args *args);
/* Writes the FMU of the compiled job; returns a cli_exit, and complains. notes: how far a run can
 * be trusted. */
int cli_export_fmu(const cli_job *job, const cli_args *args, const char *const *notes, int n_notes);

/* ---- progress.c ------------------------------------------------------------------------ */

/* From now on an interrupt (Ctrl-C) stops the run that is under way: its record ends there. */
void cli_catch_interrupt(void);
bool cli_is_interrupted(void);

/* Seconds of a clock that never goes back. */
double cli_now(void);

/* How far a run is, on stderr. */
typedef struct cli_bar {
    double until, begun, shown;
    bool wanted;
} cli_bar;
cli_bar cli_bar_begin(double until, bool wanted);
/* A dry_sim_options.progress; user: the bar. False after an interrupt. */
bool cli_bar_show(void *bar, double t);
void cli_bar_clear(const cli_bar *bar);

/* ---- trust.c --------------------------------------------------------------------------- */

/* The options of a line that say how closely to watch. */
dry_watch_options cli_watch_options(const cli_args *args);
/* Whether a line asks a verb to watch that does not do so by itself; false, with a complaint, if it
 * says how closely, and not that. */
bool cli_asks_watch(const cli_args *args, bool *watched);
/* Judges a finished job as closely as job->watch says; false, with a complaint, if that failed. */
bool cli_job_watch(const cli_job *job, dry_watch_verdict *verdict);
/* The word and a line for everything that gives way; how many there are. */
enum { CLI_WORD_LINES = 12, CLI_WORD_LINE = 600 };
int cli_word_lines(const dry_watch_verdict *verdict, char lines[CLI_WORD_LINES][CLI_WORD_LINE]);
/* Prints the word, and a line for everything that gives way, to stderr; `quiet`: unless the
 * run can be trusted. `path`: stands before it; NULL: nothing does. */
void cli_print_word(const dry_watch_verdict *verdict, const char *path, bool quiet);

/* Prints the energy account of a model with parts; nothing for one of equations alone. Returns
 * CLI_RUN, with a complaint, if there is none. */
int cli_print_account(const cli_job *job);
/* False, with a complaint, if a law that promises to be passive has created energy; one that
 * promises nothing gets a line. */
bool cli_account_holds(const cli_job *job);

/* How far a run can be trusted. */
typedef struct cli_verified {
    dry_estimate *estimates; /* of states at the end, then of measures; names are the model's */
    int n, n_states;
    int states_left;   /* more than are listed one by one */
    char verdict[800]; /* the word of the watch, and how far apart samples were */
    bool good;         /* the word is that it can be trusted */
} cli_verified;

/* `run --verify`: repeats the job with half and a quarter of the step, or a tenth and a hundredth
 * of the tolerance, with samples as much nearer to each other; prints the estimated error of every
 * state and measure, and the word of the watch. */
int cli_verify(const cli_job *job, cli_verified *verified);
void cli_verified_free(cli_verified *verified);

#endif
