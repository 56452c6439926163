/* sim, inside the room: a run under way, and the words for what went wrong in it. */
#ifndef DRYSTONE_SIM_PRIVATE_H
#define DRYSTONE_SIM_PRIVATE_H

#include <drystone/sim.h>

typedef struct dry_sim__run {
    const dry_system *system;
    const dry_method *method;
    dry_sim_options options;
    dry_ode ode;
    dry_stiff *stiff; /* in place of ode, whose t, x, env, counts and fault are then set from it */
    double interval;  /* between samples, s */
    long multiple;    /* fixed steps per sample; 0: samples lie between the ends of steps */
    size_t samples;   /* that are due in the whole run */
    size_t next;      /* the first one that is still due */
    double *row;      /* t, states, outputs */
    double *point;    /* states between the ends of a step */
    double *work;
    void *scratch;
    dry_record *record;
    bool stopped;  /* by the caller */
    bool implicit; /* by a method of stiff */
} dry_sim__run;

/* An error where a record of so many intervals would be absurdly large. */
dry_status dry_sim__check_size(double intervals, int columns, double interval, dry_error *error);
/* An empty record with the columns t, the states, the outputs. */
dry_record *dry_sim__new_record(const dry_system *system, int columns);
/* The beginning of an implicit integration, and a step of it. */
dry_status dry_sim__stiff_begin(dry_sim__run *run, dry_error *error);
dry_status dry_sim__stiff_step(dry_sim__run *run, dry_error *error);
/* NULL options have been replaced; checks them and says what is wrong with them. */
dry_status dry_sim__check(const dry_sim__run *run, dry_error *error);
/* Says why the integration ended, and returns `status`. */
dry_status dry_sim__explain(const dry_sim__run *run, dry_status status, dry_error *error);

#endif
