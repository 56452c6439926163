/* watch, inside the room: a run and its repeats, sizes of states, what is judged. */
#ifndef DRYSTONE_WATCH_PRIVATE_H
#define DRYSTONE_WATCH_PRIVATE_H

#include <drystone/watch.h>

/* A finished run and how to repeat it. */
typedef struct dry_watch__job {
    const dry_model *model;
    const dry_system *system;
    const dry_inclusion *inclusion; /* NULL unless a rigid scheme runs it */
    dry_run_options run;            /* as it was run, every default filled in */
    const dry_sim_result *first;
    const dry_watch_options *options;
    double limit, most;
    double times;   /* an error is so many times the difference to half the step */
    bool thirds;    /* repeats take a third of the step in place of half */
    double longest; /* of an adaptive repeat: its longest step, s; 0: half of that of the run */
    double spent;   /* work of all repeats so far */
    bool starved;   /* memory ran out on the way: what was found is not whole */
    bool ended;     /* so it is: the caller's `progress` has ended a repeat */
} dry_watch__job;

/* repeat.c */
/* Work of a run: evaluations times states. */
double dry_watch__work(const dry_watch__job *job, const dry_sim_result *result);
/* Whether a repeat that takes `times` the work of the first run stays within the limit. */
bool dry_watch__affords(const dry_watch__job *job, double times);
/* Runs again, at the same samples: `halved` with half the step, or a tenth of the tolerances, and
 * from x0 if it is not NULL. What it recorded is to be freed. */
dry_status dry_watch__repeat(dry_watch__job *job, bool halved, const double *x0,
                             dry_sim_result *result, dry_error *error);
/* A stretch of the run: from the whole state x0 at a time to another, with samples at some times in
 * between. */
typedef struct dry_watch__window {
    double from, until;
    const double *x0, *times;
    size_t n_times;
} dry_watch__window;
/* Runs it again, more finely. */
dry_status dry_watch__repeat_window(dry_watch__job *job, const dry_watch__window *window,
                                    dry_sim_result *result, dry_error *error);
/* Whether the method finds its steps itself, and what a repeat makes finer then, in words. */
bool dry_watch__is_adaptive(const dry_watch__job *job);
const char *dry_watch__finer_text(const dry_watch__job *job);

/* size.c */
/* The states of a model that are judged, with their columns and sizes. */
typedef struct dry_watch__states {
    int n;
    int *column;         /* in a record */
    double *size;        /* the largest range among states of its unit */
    size_t rows;         /* of the record */
    unsigned char *mark; /* room for a mark of every row */
} dry_watch__states;

bool dry_watch__states_begin(dry_watch__states *s, const dry_model *model,
                             const dry_record *record);
void dry_watch__states_end(dry_watch__states *s);
/* The largest range of the judged states of that unit, 0: there is none. */
double dry_watch__unit_size(const dry_watch__states *s, const dry_record *record, const char *unit);
/* The start of the run, every state of the model aside by `nudge` of its value or of 1, at most of
 * its size; NULL without memory. To be freed. */
double *dry_watch__nudged_start(const dry_watch__states *s, const dry_model *model, double nudge);
/* How far two values of a measure are apart, over the size of what it measures: INFINITY if one of
 * them alone is a value, 0 of a measure that an expectation reads, which is judged by its answer.
 */
double dry_watch__measure_apart(const dry_watch__states *s, const dry_model *model,
                                const dry_record *record, int measure, double a, double b);
/* How far two records are apart in state i, over its size: the larger of the distance at the end
 * and of the mean one, in which spikes where an impact comes a little later count little. */
double dry_watch__apart(const dry_watch__states *s, int i, const dry_record *a,
                        const dry_record *b);
/* The first row from which on a state is more than `far` of its size apart in half of all rows, so
 * that spikes where an impact comes a little later do not count; the number of rows: none. */
size_t dry_watch__parts_at(const dry_watch__states *s, const dry_record *a, const dry_record *b,
                           double far);

/* sample.c */
/* Runs some windows again if the whole takes too long; v->sampled says whether it could. */
dry_status dry_watch__sample(dry_watch__job *job, const dry_watch__states *s, dry_watch_verdict *v,
                             dry_error *error);

/* watch.c */
/* Whether a repeat that ended so says something about the run: one that had no memory does not. */
bool dry_watch__is_finding(dry_status status);

/* judge.c */
/* Compares the run with its repeat at half the step: estimates, error, word. */
dry_status dry_watch__judge(dry_watch__job *job, const dry_watch__states *s,
                            const dry_sim_result *half, dry_watch_verdict *verdict,
                            dry_error *error);

/* sensitive.c */
/* Whether starts 1e-9 apart part at the same rate with both steps; then *from is the time. */
dry_status dry_watch__sensitive(dry_watch__job *job, const dry_watch__states *s,
                                const dry_sim_result *half, bool *sensitive, double *from,
                                dry_error *error);

/* give.c */
/* An element whose K was chosen from the step. */
typedef struct dry_watch__element {
    const char *name, *unit, *K_unit;
    double K;
    double by;      /* how far it gave way */
    double allowed; /* how far it may */
    double wanted;  /* how far it should, if it gave way further; else 0 */
    double when;    /* the time by which it had done so, but for 1 % */
    bool follows;   /* K follows what presses at the start: no further than `allowed` */
} dry_watch__element;

typedef struct dry_watch__elements {
    dry_watch__element *element; /* to be freed */
    int n;
} dry_watch__elements;

bool dry_watch__elements_begin(dry_watch__elements *list, const dry_watch__states *s,
                               const dry_model *model, const dry_record *record, double most);

/* watch.c: whether the model has parameters that were chosen from the step. */
bool dry_watch__chooses(const dry_model *model);
/* repeat.c: the relative tolerance of the run. */
double dry_watch__rtol(const dry_watch__job *job);

/* anew.c */
/* What the chosen K, alpha and beta do to the answer: compares the repeat at half the step, which
 * held them, with a run that chooses them anew. */
dry_status dry_watch__anew(dry_watch__job *job, const dry_watch__states *s,
                           const dry_sim_result *half, dry_watch_verdict *verdict,
                           dry_error *error);

/* advice.c */
/* The model as it would be chosen for another step, or another method or tolerance if `by` has one;
 * NULL: it has none. To be freed. */
dry_model *dry_watch__compile(dry_watch__job *job, const dry_run_options *by);
/* Runs such a model until that time at the latest, `halved` with half the step of the first run or
 * a tenth of its tolerances. */
dry_status dry_watch__run_model(dry_watch__job *job, const dry_model *model, bool halved,
                                double until, dry_sim_result *result);
/* Whether the scheme `rigid` runs the model to its end, so that it may be named as a way out. */
bool dry_watch__rigid_works(dry_watch__job *job);
/* Finds what gives way too far, and what to do about it. */
dry_status dry_watch__gives(dry_watch__job *job, const dry_watch__states *s,
                            dry_watch_verdict *verdict, dry_error *error);

#endif
