/* bench: what a fit runs again and again, compiled once: a model for each record, what is free in
 * it, and the rows that its outputs stand against. */
#ifndef DRY_FIT_BENCH_H
#define DRY_FIT_BENCH_H

#include "fit_private.h"

#include <drystone/native.h>
#include <drystone/team.h>

/* A part of a record as a run of its own (multiple shooting). */
typedef struct dry_fit__window {
    double from;         /* s; it ends where its run does */
    const double *x;     /* all states there; NULL: the model's start */
    int n;               /* states that are unknown at the beginning of a window */
    const int *state;    /* which */
    const double *scale; /* how much each varies */
    int *own;            /* the parameters that they are here; NULL: the model's start */
    const int *next;     /* and in the next window; NULL: there is none */
} dry_fit__window;

/* One record with the model that reads it. */
typedef struct dry_fit__record {
    const char *data; /* file; NULL: that of the text */
    dry_model *model;
    dry_run_options run; /* it ends at the last time that is needed */
    dry_native *native;  /* NULL: bytecode */
    int first, n;        /* its outputs */
    size_t rows;         /* of all of them */
    double *times;       /* of all rows, rising */
    size_t n_times;
    size_t *at;               /* of each row, output after output: its time */
    int *par, *state;         /* of each that is free: its parameter, or the state that it starts */
    bool *anew;               /* another value of it takes a new compilation */
    dry_sensitivity *exact;   /* NULL: there is none */
    dry_native *exact_native; /* its native code; NULL: bytecode */
    int *place;               /* of each that is free, in `exact`; -1: differences */
    const dry_fit__window *window; /* NULL: it is the whole record */
} dry_fit__record;

/* The outputs that were measured: all but the jumps at the end of a window, which come last. */
static inline int dry_fit__n_measured(const dry_fit__record *record) {
    return record->n - (record->window && record->window->next);
}
static inline bool dry_fit__is_jump(const dry_fit_output *output) { return !output->column; }
/* Something that is free may be so in other windows alone. */
static inline bool dry_fit__acts(const dry_fit__record *record, int f) {
    return record->par[f] >= 0 || record->state[f] >= 0;
}

typedef struct dry_fit__bench {
    const dry_fit_job *job;
    dry_arena *arena;
    dry_fit_free *free; /* with all that the text says */
    bool *is_start;     /* it is the start of a state, whose name follows "start " */
    int n_free;
    dry_fit_parameter *parameters;
    int n;
    int n_given; /* of them; those that follow are states at the beginnings of windows */
    int *index;  /* of the parameter for what is free on a record, at free * n_records + record */
    dry_fit_output *outputs;
    int n_outputs;
    dry_fit__record *records;
    int n_records;
    double *distance; /* of differences by each parameter; 0: not found yet */
    dry_team *team;   /* NULL: this thread alone */
    long runs, slope_runs;
} dry_fit__bench;

/* bench.c: compiles, finds what is free and what was measured, and checks both. With memory from
 * the arena; end it in any case. */
dry_status dry_fit__begin(dry_fit__bench *bench, const dry_fit_job *job, dry_arena *arena,
                          dry_error *error);
void dry_fit__end(dry_fit__bench *bench);
/* Compiles the model of a record; options: NULL, or other settings. */
dry_model *dry_fit__compile(const dry_fit__bench *bench, const dry_fit__record *record,
                            const dry_model_options *options, dry_error *error);

/* Compiles the model of a record whose `data` is set, and plans its run. */
dry_status dry_fit__ready(const dry_fit__bench *bench, dry_fit__record *record, dry_error *error);

/* rows.c: reads the outputs of every record; finds when they need the model, each with its lag. */
dry_status dry_fit__read_rows(dry_fit__bench *bench, dry_error *error);
/* Whether row i of what was measured counts in a run to `until`, and the time at which the model
 * stands against it. */
bool dry_fit__counts(const dry_against *a, size_t i, double until);
double dry_fit__time_of(double t, double lag, double until);
/* The times at which the record needs the outputs of this model, and of each row its time. */
bool dry_fit__find_times(const dry_fit__bench *bench, const dry_fit__record *record,
                         const dry_model *model, double *times, size_t *n_times, size_t *at);

/* One run of the model of one record. */
typedef struct dry_fit__trial {
    int record;
    const double *values; /* of all parameters */
    bool finer;           /* with half the step, or a tenth of the tolerances */
    dry_fit_giver *giver; /* to look for one; NULL: not */
    bool slopes;          /* with sensitivities: `model` has derivatives, place after place */
    double *model;        /* of the rows of the record, output after output */
    double *end_x;        /* if not NULL: takes the states at the end */
    dry_status status;    /* how it went */
    dry_error error;
    /* the run's own */
    bool anew;
    dry_model *own;
    double *par;
    double *x0; /* NULL: the model's */
} dry_fit__trial;

/* bench.c: the sensitivities of a trial's own model, by what has them in that of the record. */
dry_status dry_fit__own_sensitivity(const dry_fit__bench *bench, dry_fit__trial *trial,
                                    dry_sensitivity **exact);

/* trial.c: runs them, side by side if the bench has a team. Each has its status; memory that runs
 * out is no property of the values, and ends the fit. */
dry_status dry_fit__try(dry_fit__bench *bench, dry_fit__trial *trials, int n, dry_error *error);

/* finer.c: runs the records at these values once more with half the step, to `finer` of the
 * outputs, and to `no_finer` and `giver` of the result. */
dry_status dry_fit__run_finer(dry_fit__bench *bench, const double *values, dry_fit_result *result,
                              dry_error *error);

/* windows.c: the start of a run of a window, of all states and their derivatives. */
void dry_fit__window_start(const dry_fit__record *record, const double *values, double *x0);
/* All states at the end of a window, of a system with sensitivities if it has some. */
typedef struct dry_fit__window_end {
    const double *x;
    int n_states, place; /* of the parameter whose derivatives are wanted; -1: none */
} dry_fit__window_end;
/* The jumps after the window, or their derivatives; returns the end of `to`. */
double *dry_fit__window_jumps(const dry_fit__record *record, const double *values,
                              dry_fit__window_end end, double *to);
/* Adds how the jumps depend on the beginnings of the next windows to the Jacobians. */
void dry_fit__window_joints(dry_fit__bench *bench);
/* Finds parameters by windows, from these values on. `found` has memory for its values. */
dry_status dry_fit__windows(dry_fit__bench *bench, double *values, dry_fit_windows *found,
                            dry_error *error);

/* jacobian.c: fills the Jacobians of the outputs at these values, whose runs `model` of the outputs
 * has already. */
dry_status dry_fit__differentiate(dry_fit__bench *bench, const double *values, dry_error *error);

/* What the solver found from one start. */
typedef struct dry_fit__solution {
    double *values;
    double cost;
    double offset; /* how far the optimum may still be, in deviations of the parameters */
    int steps;
    bool settled;
    const char *ended;
} dry_fit__solution;

/* starts.c: the parameters of a start; the first is the text's. */
void dry_fit__begin_at(const dry_fit__bench *bench, int start, double *values);
/* windows.c: whether the job asks for them. */
bool dry_fit__has_windows(const dry_fit_job *job);
/* starts.c: brings `values` to where a fit begins: the text, or the best end of several starts,
 * which run side by side on the threads of all processes. On the first process; the others help. */
dry_status dry_fit__try_starts(dry_fit__bench *bench, double *values, dry_fit_result *to,
                               dry_error *error);
/* Counts an end of the solver. False without memory. */
bool dry_fit__add_optimum(const dry_fit__bench *bench, const dry_fit__solution *found,
                          dry_fit_result *to);
/* fit.c: how many threads the job has. */
int dry_fit__threads(const dry_fit_job *job);

/* solver.c: brings the outputs to what was measured, from these values on; leaves model, residual
 * and Jacobian of the end in the outputs. */
dry_status dry_fit__solve(dry_fit__bench *bench, dry_fit__solution *solution, dry_error *error);

/* The cost at these values: that of the solver, where Huber's loss counts in deviations of what was
 * measured. */
dry_status dry_fit__cost_at(dry_fit__bench *bench, const double *values, double *cost,
                            dry_error *error);
/* The rms of the weighted residuals of which this is the cost. */
double dry_fit__misfit(const dry_fit__bench *bench, double cost);

/* search.c: whether the job asks for a search that can be; brings `values` to the best point that
 * it finds. */
dry_status dry_fit__check_search(const dry_fit__bench *bench, dry_error *error);
dry_status dry_fit__search(dry_fit__bench *bench, double *values, dry_error *error);

#endif
