/* fit: how the numbers of a run depend on parameters, and which parameters measured data ask for.
 *
 * Floor 7: all below. */
#ifndef DRYSTONE_FIT_H
#define DRYSTONE_FIT_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/crew.h>
#include <drystone/model.h>
#include <drystone/record.h>
#include <drystone/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run whose sensitivities are wanted. The model and the record are those of the run. */
typedef struct dry_slopes_job {
    const dry_model *model;
    const dry_model_options *options; /* with which the model was compiled; NULL: none */
    dry_run_options run;              /* as it ran, every default filled in (dry_model_plan) */
    const dry_record *record;         /* all its samples */
    bool stopped;                     /* the model ended it: the end moves with the parameters */
    const char *const *names;         /* parameters, as a setting names them: "F", "pin.K" */
    int n_names;
    bool native; /* runs the equations of the derivatives as machine code, if it can be made */
    bool (*progress)(void *user, double t); /* of each run, as of dry_sim_options */
    void *user;
} dry_slopes_job;

/* A derivative of a measure. */
typedef struct dry_slope {
    double value;
    double error;      /* estimated; NAN: unknown */
    bool by_equations; /* of the sensitivities; else by differences */
} dry_slope;

/* One parameter. */
typedef struct dry_slopes_of {
    const char *name; /* the caller's */
    const char *unit;
    double value;
    const char
        *why;     /* the columns are differences: the reason; NULL: they follow their equations */
    double error; /* the largest estimated error of a state of the equations or of a body, in parts
                     of the mean size of its derivative; NAN: unknown */
    int n_runs;   /* that the differences took */
    bool anew;    /* each was compiled anew, so that the compiler chose K, alpha and beta anew;
                     else these are held */
} dry_slopes_of;

typedef struct dry_slopes {
    int n;
    dry_slopes_of *of;
    dry_slope *measure; /* of measure m by parameter i at i * dry_model_measures + m */
    dry_record *record; /* for each parameter the derivatives of the columns of the run that a file
                           shows, "dp/dF"; the same rows. nan where a run with another value of the
                           parameter has no sample at that time */
    dry_ode_counts counts; /* of the run with the equations of the sensitivities */
} dry_slopes;

/* The unit of a derivative: "m/N", "m/(N/m)", "1/s"; "" of two numbers and of two equal units. */
DRY_API const char *dry_slope_unit(const char *of, const char *by, char *text, size_t size);
/* Finds the derivatives of the run by each parameter. If the model has the equations of its
 * sensitivities (model.h), it runs with them, and again with half the step or a tenth of the
 * tolerances, which gives the error: if a step crosses a kink, a derivative is accurate to one
 * order less than the motion. The others are central differences at four distances, of which each
 * column takes the two that agree best. Returns DRY_BAD_ARGUMENT for a name that is not that of a
 * parameter. Free the result in any case. */
DRY_API dry_status dry_slopes_run(const dry_slopes_job *job, dry_slopes *slopes, dry_error *error);
DRY_API void dry_slopes_free(dry_slopes *slopes);

/* ---- parameters from measured data --------------------------------------------- */

/* A parameter that a fit may change. Of a job; the text of a model has the same in `free`. */
typedef struct dry_fit_free {
    const char *name; /* as a setting names it: "F", "pin.K"; a start of a state: "start v" */
    double low, high; /* bounds, SI; both 0: those of the text, else none */
    bool log;         /* it varies by factors */
    bool own;         /* each record has a value of its own */
} dry_fit_free;

/* How far a fit is. */
typedef struct dry_fit_progress {
    long runs;     /* so far, with and without sensitivities */
    int step;      /* of the solver: with several starts that of the start that reports */
    int starts;    /* of the job ... */
    int ended;     /* ... and how many of them have ended */
    int searched;  /* points at which the search has been; before the first step */
    double misfit; /* rms of the weighted residuals there, where 1 is no model at all: the
                      deviation of what was measured; NAN: unknown */
} dry_fit_progress;

/* What is fitted to what, and how. Zero means the default. */
typedef struct dry_fit_job {
    const char *path; /* of the model */
    const char *text;
    size_t length;
    dry_model_options options; /* settings, inputs, how to run: of every run */
    /* Files of records, which replace in turn the file of the text: that of its outputs, and of
     * each input that reads the same file. None: the file of the text. */
    const char *const *data;
    int n_data;
    const dry_fit_free *free; /* none: those of the text */
    int n_free;
    double hold_last; /* the last part of each record, 0 to 1, is for judging only */
    double hold_from; /* s: what comes from there on is */
    double huber; /* residuals beyond so many of their scale count in proportion to their size */
    /* Multiple shooting: each record is first cut into so many windows, or into windows of so many
     * seconds, which are runs of their own. 0: none. */
    int windows;
    double window; /* s */
    int starts;    /* how many points in the bounds the solver begins from; default 1: the text */
    unsigned seed; /* of these points, and of a search */
    /* A search for the lowest valley within the bounds, which every parameter needs: crs or isres
     * of NLopt, without derivatives, with so many runs of all records; then the solver goes
     * on. NULL: none. */
    const char *search;
    int search_runs;
    int threads;      /* default: one for each core; the result has the same bits for any number */
    int most_steps;   /* of the solver, for each start; default 100 */
    double tolerance; /* relative, of a step of the solver; default 1e-6 */
    /* With several starts: a file of those that are finished, so that an interrupted fit can go on
     * (`resume`), and processes that share them (NULL: this one alone). On a process other than the
     * first nothing comes out: the result has no parameters. */
    const char *journal;
    bool resume;
    const dry_processes *processes;
    /* Called now and then by one thread at a time. Return false to end the fit with
     * DRY_RUN_FAILED; the journal stays. */
    bool (*progress)(void *user, const dry_fit_progress *now);
    void *user;
} dry_fit_job;

/* A parameter that was fitted. */
typedef struct dry_fit_parameter {
    const char *name; /* as in dry_fit_free */
    const char *unit;
    int record; /* whose own it is; -1: it is shared by all */
    double value;
    double start;     /* value at which the fit began */
    double low, high; /* -INFINITY, INFINITY: no bound */
    double scale;     /* the size of a change that matters */
    bool log;
    const char *why; /* its derivatives are differences: the reason; NULL: they follow equations */
    bool at_low, at_high; /* it ended at a bound */
    bool no_effect;       /* no output depends on it */
    /* filled in by dry_fit_statistics; NAN: unknown */
    double plain;       /* standard deviation if residuals were independent */
    double deviation;   /* standard deviation, widened for correlated residuals */
    double degrees;     /* of freedom of Student's t in the interval */
    double interval[2]; /* 95 %; +- INFINITY: the data do not determine it; of one at a bound it
                           begins or ends there */
    double beyond;      /* at a bound: by how many deviations the data pull it beyond */
    double coarse;      /* by how many deviations half the step would move it */
} dry_fit_parameter;

/* How large residuals are. */
typedef struct dry_fit_size {
    double rms;      /* in the unit of the output */
    double fraction; /* of the rms of what was measured, over the same rows */
    size_t rows;
} dry_fit_size;

/* An output of the model against a column of one record, row by row. */
typedef struct dry_fit_output {
    const char *name; /* "f" */
    const char *unit; /* SI: that of t[], measured[], ... */
    const char *file, *column;
    int record;    /* number of the record, from 0 */
    double weight; /* of its residuals, over scale */
    double scale;  /* standard deviation of what was measured, over the rows of the fit */
    double lag;    /* s: what was measured at t is what the model is at t - lag */
    size_t rows;
    double *t, *measured, *model;
    double *residual;         /* model - measured */
    double *finer;            /* the model with half the step (an adaptive method: with a tenth of
                                 the tolerances); NULL: unknown */
    unsigned char *held;      /* of each row: it is for judging only */
    double *jacobian;         /* d model/d parameter j of row i at i * n_parameters + j */
    dry_fit_size train, hold; /* rows of the fit, and held rows */
} dry_fit_output;

/* An end of the solver, of those that several starts led to. */
typedef struct dry_fit_optimum {
    double cost;    /* half the weighted sum of squares (or of Huber's loss) */
    int starts;     /* that ended here */
    double *values; /* of the parameters */
} dry_fit_optimum;

/* What the windows of a fit found, before the fit over whole records began there. */
typedef struct dry_fit_windows {
    int n;          /* of all records; 0: the fit had none */
    double length;  /* s */
    int stages;     /* in each of them jumps count a hundred times as much as before */
    double rms;     /* of their residuals, in parts of the deviation of what was measured */
    double jump;    /* rms of what states jump by from one window to the next, in parts of how much
                       they vary */
    double *values; /* of the parameters */
    double cost;    /* of the fit over whole records that began there; NAN: its runs failed */
    double without; /* cost of the fit that began at the text; NAN: its runs failed */
} dry_fit_windows;

/* How the residuals of an output look. */
typedef struct dry_fit_look {
    double effective;  /* how many of its rows are independent */
    double widened;    /* the factor by which this makes deviations grow: sqrt(rows/effective) */
    int order;         /* of the autoregressive model of the residuals; 0: they are independent */
    double period;     /* s: the model repeats so; 0: it does not */
    double cycles;     /* of that in the rows of the fit */
    double shared;     /* correlation between residuals a period apart */
    double unrepeated; /* rms of what does not come back in each period: what another model of the
                          same input could leave at best; NAN: unknown */
    double delay;      /* s: what was measured comes so much after the model, by a scan in which the
                          parameters follow; NAN: unknown */
    double delay_deviation;
    double delay_rms; /* of the residuals with this delay */
    double coarse;    /* rms over the rows of the fit of what half the step changes; NAN: unknown */
    double finer_rms; /* of the residuals with half the step, to which the parameters follow
                         linearly; NAN: unknown */
    int n_scan;       /* of the scan */
    double *scan_lag; /* s */
    double *scan_rms;
} dry_fit_look;

/* What the residuals say about the result: filled in by dry_fit_statistics. */
typedef struct dry_fit_stats {
    dry_fit_look *look;  /* of each output */
    double independent;  /* sum of their effective rows */
    double *covariance;  /* n_parameters squared, widened; NAN at a bound or without effect */
    double *correlation; /* the same size */
    double condition;    /* of the scaled Jacobian */
    double *effective;   /* of each output: how many of its rows are independent */
    double *widened;     /* of each output: by what factor deviations grew for that */
    double aic, bic;     /* by the effective number of rows */
    char **warnings;     /* sentences; the result owns them */
    int n_warnings;
} dry_fit_stats;

/* A part of the model that gave more energy than it took, in the run with half the step. */
typedef struct dry_fit_giver {
    char part[80], kind[40]; /* "": none gave */
    int record;              /* number of the record, from 0 */
    bool promised;           /* its law promises to take energy only: the run is wrong */
    double energy;           /* that it created, J */
    double share;            /* of what passed through it */
} dry_fit_giver;

typedef struct dry_fit_result {
    dry_fit_parameter *parameters;
    int n_parameters;
    dry_fit_output *outputs; /* record by record */
    int n_outputs, n_records;
    double cost; /* as of the best optimum */
    double huber;
    dry_fit_optimum *optima; /* the best first */
    int n_optima, n_starts;
    dry_fit_windows windows;
    int failed_starts;     /* from which no run came to its end */
    int found_starts;      /* taken from the journal */
    int steps;             /* of the solver from the best start */
    long runs, slope_runs; /* plain runs, and runs with sensitivities, of all starts */
    long search_runs;      /* of the plain runs: those of the search */
    bool settled;          /* the solver ended by its tolerance; else by most_steps */
    const char *ended;     /* how it ended, in words */
    double offset;         /* how far the optimum of the linear model still is: the root mean square
                              of the parameters' distances, in deviations for independent residuals
                              (Bates and Watts 1981); INFINITY: unknown */
    double step;           /* of the runs, s; 0: the method chooses it */
    dry_fit_giver giver;   /* the one with the largest share, over the records */
    const char *no_finer;  /* why no run has half the step; NULL: one has */
    dry_fit_stats stats;
    dry_arena *arena; /* memory of all this */
} dry_fit_result;

/* Fits the parameters, then calls dry_fit_statistics. Free the result in any case. Bad input gives
 * DRY_BAD_ARGUMENT with what to do. Call dry_fit_done after you have written the result: it removes
 * the journal. */
DRY_API dry_status dry_fit_run(const dry_fit_job *job, dry_fit_result *result, dry_error *error);
DRY_API void dry_fit_done(const dry_fit_job *job);
/* Whether this build can search (NLopt). */
DRY_API bool dry_fit_has_search(void);
DRY_API void dry_fit_result_free(dry_fit_result *result);
/* Computes intervals and warnings from outputs and their Jacobians, with memory from
 * result->arena. */
DRY_API dry_status dry_fit_statistics(dry_fit_result *result, dry_error *error);
/* The autocorrelation of the residuals of an output at 0, 1, ... n - 1 rows, over pairs without a
 * gap; returns the size that independent residuals exceed once in 20. */
DRY_API double dry_fit_autocorrelation(const dry_fit_output *output, size_t n, double *rho);
/* How far a run of the model is from what was measured, of each output of the text
 * (dry_model_against), into dry_model_againsts sizes; no rows: nothing was measured within the run.
 * `record`: all samples of the run that `how` made. If they do not have the times of the rows, each
 * less its lag, or if there is none (NULL), the model runs again to these times: a number between
 * two samples is not one of the model. Of `how`, its run, start, parameters and progress count. */
DRY_API dry_status dry_fit_compare(const dry_model *model, const dry_sim_options *how,
                                   const dry_record *record, dry_fit_size *sizes, dry_error *error);
/* Whether records have parameters of their own. Then each has a text. */
DRY_API bool dry_fit_has_own(const dry_fit_result *result);
/* The text of the model with the fitted values instead of those it has, of a record, from 0, or -1
 * if no record has its own; all else stays. An expression becomes the number, with a comment that
 * says what it was. The caller frees the text. A value that no text can hold is an error. */
DRY_API dry_status dry_fit_text(const dry_fit_job *job, const dry_fit_result *result, int record,
                                char **text, size_t *length, dry_error *error);

/* The text of a model with another friction law instead of its own. */
typedef struct dry_fit_law {
    const char *force;          /* whose law it is; NULL: the text has one friction force */
    const char *law;            /* a name of the catalogue */
    int elements;               /* of a law that has such; 0: those of the text, else 4 */
    const dry_fit_result *base; /* a fit of the text as it is, at whose values the new one begins;
                                   NULL: at those of the text */
} dry_fit_law;
typedef struct dry_fit_law_text {
    char *text; /* in place of that of the job */
    size_t length;
    const dry_fit_free *free; /* in place of those of the job */
    int n_free;
    const char *starts; /* where the law's own parameters begin, as a sentence; "": the text gives
                           them all */
    dry_arena *arena;   /* memory of all this but the text */
} dry_fit_law_text;
/* Writes the law in place of that of the text, with its parameters free that the text does not
 * give: they begin at values that follow from the force, its stiffness and a run of the text as it
 * is. What is then no longer read is no longer free. The law of the text leaves it as it is. Free
 * the result in any case. Bad input gives DRY_BAD_ARGUMENT with what to do. */
DRY_API dry_status dry_fit_law_write(const dry_fit_job *job, const dry_fit_law *law,
                                     dry_fit_law_text *result, dry_error *error);
DRY_API void dry_fit_law_text_free(dry_fit_law_text *result);

/* A fit among others of the same data. */
typedef struct dry_fit_rank {
    const char *name; /* of the model */
    const dry_fit_result *result;
    double hold, train; /* rms of held rows and of the rows of the fit, in parts of what was
                           measured, over all outputs; NAN: no such rows */
    double aic, bic;    /* over the independent rows of the fit with the least residuals */
} dry_fit_rank;
/* Fills in the numbers and sorts: by held rows if all have them, else by BIC. */
DRY_API void dry_fit_rank_all(dry_fit_rank *ranks, int n);

/* ---- elements of the law multistate, without a run ----------------------------- */

/* Force over position, row by row, at a speed that does not matter: a virgin curve that begins
 * without force, or loops. SI. */
typedef struct dry_fit_loop {
    const double *position, *force;
    size_t n;
    int most; /* elements that are wanted; 0: as many as the data see */
} dry_fit_loop;

/* A spring of this stiffness that slips at this stretch. */
typedef struct dry_fit_element {
    double stiffness, stretch;
    double level;                                      /* stiffness times stretch */
    double stiffness_interval[2], stretch_interval[2]; /* 95 % */
    bool slips; /* in the record; else `stretch` and `level` are the least that they can be */
} dry_fit_element;

typedef struct dry_fit_elements {
    int n;
    dry_fit_element *element; /* by rising stretch; one that does not slip is the last */
    int chosen, seen; /* slipping elements here; that the data see, by the criterion of Schwarz */
    bool spring;      /* one does not slip */
    bool turned;      /* the force was opposite to the motion; the elements are those of -force */
    double offset;    /* of the force */
    double force;     /* its rms without the offset */
    double *rms;      /* of the residuals with 1, 2, ... n_rms slipping elements, at 1, 2, ... */
    int n_rms;
    size_t rows;        /* that count */
    double independent; /* of them */
    dry_arena *arena;
} dry_fit_elements;

/* Free the result in any case. Bad input gives DRY_BAD_ARGUMENT with what to do. */
DRY_API dry_status dry_fit_elements_of(const dry_fit_loop *loop, dry_fit_elements *elements,
                                       dry_error *error);
DRY_API void dry_fit_elements_free(dry_fit_elements *elements);

#ifdef __cplusplus
}
#endif
#endif
