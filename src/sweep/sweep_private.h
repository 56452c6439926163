/* sweep, inside the room. */
#ifndef DRY_SWEEP_PRIVATE_H
#define DRY_SWEEP_PRIVATE_H

#include "base/base.h"
#include "syntax/syntax.h"
#include <drystone/native.h>
#include <drystone/sim.h>
#include <drystone/stability.h>

#include <drystone/sweep.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- grid.c -------------------------------------------------------------------------- */

/* How many points the grid has; 0 if they are too many. */
size_t dry_sweep__points(const dry_sweep_axis *axes, int n_axes);

/* ---- point.c: one point, and several side by side ------------------------------------------ */

/* What all threads share; const while they run. */
typedef struct dry_sweep__job {
    const char *file, *text;
    size_t length;
    const dry_sweep_options *options;
    dry_work shape;
    int *measure; /* numbers of the wanted measures */
    int n_measures;
    bool shared;     /* one model for all points: only `par` differs */
    dry_model *base; /* of the first point ... */
    bool like_text;  /* ... or of the text, where that cannot be run */
    dry_native *native;
    dry_lanes *lanes; /* NULL: points are run one by one */
    struct dry_sweep__plan {
        double most_rate; /* as dry_ode_options'; 0: no law is asked */
        dry_run_options run;
        long steps, every; /* in all; from sample to sample */
        bool final;        /* nothing but the end is needed */
    } plan;                /* with lanes */
    /* where points share a model: */
    int par[DRY_SWEEP_AXES];        /* where the axes are in the parameters */
    bool matters[DRY_SWEEP_AXES];   /* the compiler's checks look at their values */
    _Atomic unsigned char *verdict; /* of these checks, for each point of the axes that matter */
} dry_sweep__job;

/* What a thread has of its own. */
typedef struct dry_sweep__worker {
    const dry_sweep__job *job;
    dry_setting *settings; /* the caller's, then the axes */
    dry_model *model;      /* a copy of the base: a model remembers values while it is asked */
    double *par;
    dry_measured *measured;
    size_t compiled;
    struct dry_sweep__bench *bench; /* with lanes */
} dry_sweep__worker;

/* Compiles the model with the settings of a point after those of the caller. */
dry_model *dry_sweep__compile(const dry_sweep__job *job, size_t point, dry_setting *settings);
/* Returns true if one model serves all points that the compiler accepts. */
bool dry_sweep__can_share(dry_sweep__job *job);
bool dry_sweep__worker_begin(dry_sweep__worker *worker, const dry_sweep__job *job);
void dry_sweep__worker_end(dry_sweep__worker *worker);
/* Sets the parameters of a point if one model serves all points. Returns true if the compiler would
 * accept the point; false: compile it to find out. */
bool dry_sweep__set_par(const dry_sweep__worker *worker, size_t point, double *par);
/* The wanted measures of a record. */
dry_status dry_sweep__measure(dry_sweep__worker *worker, const dry_model *model, const double *par,
                              const dry_record *record, double *values);
/* One point: measures and status. */
void dry_sweep__run_point(dry_sweep__worker *worker, size_t point, double *values);
/* Measures and status of the points of a block. */
void dry_sweep__run_block(dry_sweep__worker *worker, size_t block, double *values);

/* ---- lanes.c: several points side by side --------------------------------------------------- */

/* Makes the lanes of a job whose points share a model, if they can go side by side. */
void dry_sweep__lanes_open(dry_sweep__job *job, const dry_native_options *options);
bool dry_sweep__bench_begin(dry_sweep__worker *worker);
void dry_sweep__bench_end(dry_sweep__worker *worker);
/* At most DRY_NATIVE_LANES points from `first` on. */
void dry_sweep__run_lanes(dry_sweep__worker *worker, size_t first, int n, double *values);

#endif
