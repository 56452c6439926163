/* sim, inside the room: a run in progress, and its error messages. */
#ifndef DRYSTONE_SIM_PRIVATE_H
#define DRYSTONE_SIM_PRIVATE_H

#include <drystone/sim.h>

/* A record that is being filled. */
typedef struct dry_sim__frame {
    dry_record *record;
    int *named; /* the states that have columns */
    int n_named;
    double *row;              /* t, named states, outputs */
    size_t rows;              /* that have come */
    const dry_sim_sink *sink; /* NULL: none */
    bool keeps;               /* the record has the rows, too */
} dry_sim__frame;

/* Whole states that a run keeps. */
typedef struct dry_sim__store {
    double *rows; /* NULL: none are */
    int n, n_states;
    int next, most; /* the next one is due at from + next every */
    double from, every;
} dry_sim__store;

typedef struct dry_sim__run {
    const dry_system *system;
    const dry_method *method;
    dry_sim_options options;
    dry_ode_options ode_options; /* of options.run */
    dry_ode ode;
    dry_stiff *stiff; /* in place of ode, whose t, x, env, counts and fault are then set from it */
    double interval;  /* between samples, s */
    long multiple;    /* fixed steps per sample; 0: samples lie between the ends of steps */
    size_t samples;   /* that are due in the whole run */
    size_t next;      /* the first one that is still due */
    double *point;    /* states between the ends of a step */
    double *work;
    void *scratch;
    dry_sim__frame frame;
    dry_sim__store store;
    bool stopped;       /* by the caller */
    bool stops_at_once; /* by a condition that holds at the start: an error, which is filled */
    bool implicit;      /* by a method of stiff */
} dry_sim__run;

/* An error if a record of so many intervals would be absurdly large, unless a sink alone takes
 * it.
 */
dry_status dry_sim__check_size(const dry_sim_options *options, double intervals, int columns,
                               double interval, dry_error *error);
/* How many columns the record of a system has. */
int dry_sim__columns(const dry_system *system);
/* An empty record with room for so many rows; false without memory. Closed in either case, which
 * leaves the record (or NULL) to the caller. */
bool dry_sim__frame_open(dry_sim__frame *frame, const dry_system *system,
                         const dry_sim_options *options, size_t rows);
dry_record *dry_sim__frame_close(dry_sim__frame *frame);
/* Fills the row up to its outputs, and returns where these belong. */
double *dry_sim__fill_row(dry_sim__frame *frame, double t, const double *x);
/* Adds the row to the record and to the sink. */
dry_status dry_sim__add_row(dry_sim__frame *frame);
/* Whether a row at that time would be the last: there are some, and all are earlier. */
bool dry_sim__is_later(const dry_sim__frame *frame, double t);
/* store.c: room for options->saves states; false without memory. Its rows go to the result. */
bool dry_sim__store_open(dry_sim__store *store, const dry_system *system,
                         const dry_sim_options *options);
/* When the next one is due; INFINITY: no more are. */
double dry_sim__store_due(const dry_sim__store *store);
/* The end of the step of a grid at which it will be. */
double dry_sim__store_halt(const dry_sim__store *store, double t_start, double step);
/* Keeps the state at the end of a step if it is due. */
void dry_sim__store_add(dry_sim__store *store, double t, const dry_ode_counts *counts,
                        const double *x);
void dry_sim__store_close(dry_sim__store *store, dry_sim_result *result);
/* The beginning of an implicit integration, and a step of it. */
dry_status dry_sim__stiff_begin(dry_sim__run *run, dry_error *error);
dry_status dry_sim__stiff_step(dry_sim__run *run, dry_error *error);
/* An error if a step is longer than the run, or if a run takes more steps than its limit:
 * `steps` at least, of `step` seconds each. */
dry_status dry_sim__check_step(double span, double step, dry_error *error);
dry_status dry_sim__check_count(double span, double step, const char *what, long most,
                                dry_error *error);
/* An error if the system samples more often than the limit of steps allows. */
dry_status dry_sim__check_clocks(const dry_system *system, double span, long most,
                                 dry_error *error);
/* Checks the options, of which none is NULL any more; fills the error if one is wrong. _numbers:
 * the step and the tolerances alone. */
dry_status dry_sim__check_numbers(const dry_sim__run *run, dry_error *error);
dry_status dry_sim__check_steps(const dry_sim__run *run, dry_error *error);
/* Refuses a method whose row does not take what is to be run (DRY_TAKES_...), such as one that was
 * not found; names those that do. */
dry_status dry_sim__check_method(const dry_method *method, unsigned takes, const char *what,
                                 dry_error *error);
dry_status dry_sim__check(const dry_sim__run *run, dry_error *error);
/* The error of a run that its model ends at its start. */
dry_status dry_sim__stops_at_once(double t, dry_error *error);
/* Fills the error with the reason why the integration ended; returns `status`. */
dry_status dry_sim__explain(const dry_sim__run *run, dry_status status, dry_error *error);

/* The fastest rate of a law from where the integration has stopped to the end of the run, 1/s, by a
 * method that chooses its steps. *whole: false if that took too many of them. */
double dry_sim__fastest(const dry_sim__run *run, bool *whole);

#endif
