/* lanes: what lanes.c, bundle.c and events.c share: a thread's group of points side by side. */
#ifndef DRY_SWEEP_LANES_H
#define DRY_SWEEP_LANES_H

#include "sweep_private.h"

enum { LANES = DRY_NATIVE_LANES };

/* Steps in which a lane is run by itself, because it jumps there and others do not. */
typedef struct dry_sweep__solo {
    long begin, end;
} dry_sweep__solo;

/* What a thread runs lanes on. Lane by lane within each number: P and the states of `ode`; of each
 * lane, without gaps: p, par and own. */
struct dry_sweep__bench {
    const dry_lanes *lanes;
    int n_fixed, n_states, n_columns, n_breaks;
    double *P, *p, *par, *row, *start;
    dry_record *record[LANES];
    char *scratch; /* of the model for each lane; NULL: nothing is asked of it */
    size_t scratch_size;
    bool asks_laws;       /* for their rates */
    bool taken[LANES];    /* the compiler would accept it */
    bool alone[LANES];    /* has to be run alone */
    double failed[LANES]; /* 1: a watched condition failed */
    dry_system bundle;
    bool *positions;
    dry_ode ode; /* of the bundle */
    double *work;
    double *common, *own;  /* times of jumps, of all lanes and of one; infinite: none */
    dry_breaks events;     /* the common ones, with the instants of samples */
    dry_sweep__solo *solo; /* n_breaks for each lane, in order */
    int n_solo[LANES], at_solo[LANES];
    bool is_solo[LANES];
    dry_ode solo_ode[LANES];
    double *solo_work;
};

/* ---- bundle.c -------------------------------------------------------------------------------- */

void dry_sweep__bundle_make(struct dry_sweep__bench *b, const dry_system *one);
/* Begins at t = 0 with the states x of all lanes. These functions return false if no lane is left.
 */
bool dry_sweep__bundle_begin(struct dry_sweep__bench *b, const dry_run_options *run, double *x);
bool dry_sweep__bundle_advance(struct dry_sweep__bench *b, double t);
/* Whether the numbers of the lane are those of a run that came to its end. */
bool dry_sweep__bundle_is_good(const struct dry_sweep__bench *b, int lane);

/* ---- events.c -------------------------------------------------------------------------------- */

/* Finds the times at which the lanes jump: together, or one by itself. */
void dry_sweep__events_begin(dry_sweep__worker *worker);
/* The step at which the group stops after step `at`: at most `most`, and after about `often` steps.
 */
long dry_sweep__events_halt(const dry_sweep__worker *worker, long at, long most, long often);
/* At step `at`, time t, with all lanes there: takes over the lanes that were run by themselves, and
 * begins those that are so from now on. */
void dry_sweep__events_pass(dry_sweep__worker *worker, long at, double t);

/* The environment of the model for a lane. */
dry_env dry_sweep__lane_env(const dry_sweep__worker *worker, int lane);

#endif
