/* watch: how far the numbers of a run can be trusted.
 *
 * Two numbers that are never mixed. The error of the step: the run is repeated with half the step
 * (a tenth of the tolerances) and everything else held, K, alpha and beta too; the error is twice
 * the difference, since the order of a method is not known at kinks. And how far elements give way
 * whose K was chosen from the step: the largest |f|/K, and what the answer becomes with K chosen
 * for half the step.
 *
 * Floor 4: all below. */
#ifndef DRYSTONE_WATCH_H
#define DRYSTONE_WATCH_H

#include <drystone/model.h>
#include <drystone/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Work is counted, so that a model hears the same word on every machine: evaluations of the rate
 * times states. This much takes about half a second in bytecode. */
#define DRY_WATCH_LIMIT 4e7
/* Errors above this part of a state's size are not converged. */
#define DRY_WATCH_MOST 1e-2

/* Zero means the default. */
typedef struct dry_watch_options {
    double limit; /* of the work of all repeats, beyond which windows of the run are repeated alone,
                     for at most 5 % of its rates; INFINITY: whatever it takes */
    double most;  /* the largest error that is trusted */
    /* What the first run evaluated, such as native code of the same model; NULL: the model's own.
     */
    const dry_system *system;
    const dry_inclusion *inclusion;
    /* What the model was compiled with, to choose K anew; NULL: nothing was set. */
    const dry_model_options *model;
    /* As dry_sim_options'; false ends the watch. */
    bool (*progress)(void *user, double t);
    void *user;
} dry_watch_options;

typedef enum dry_watch_word {
    DRY_UNWATCHED, /* the work goes beyond the limit; `sampled`: some windows were looked at */
    DRY_TRUSTED,
    DRY_SENSITIVE,    /* starts 1e-9 apart part at the same rate with both steps */
    DRY_NOT_CONVERGED /* the answer changes with the step */
} dry_watch_word;

/* What a repeat with half the step changes: of a state at the end, of a measure. */
typedef struct dry_watch_estimate {
    const char *name, *unit; /* the model's */
    double value, error;
} dry_watch_estimate;

/* An element that gives way further than `most` of the size of what moves. */
typedef struct dry_watch_give {
    const char *name; /* the model's */
    char unit[24];    /* of the way: "m" */
    double by;        /* the largest |f|/K */
    double wanted;    /* what the advice below reaches */
    double step, K;   /* the advice, which was run; NaN: none was found within the limit */
    double tried;     /* until when it was run, s; 0: to the end */
    char K_unit[24];
    bool rigid; /* a rigid scheme takes the model, too */
} dry_watch_give;

typedef struct dry_watch_verdict {
    dry_watch_word word;
    bool sampled;        /* some windows were looked at, and nothing is claimed for the whole */
    double error;        /* the largest, over the size of its state or measure; NaN: not known.
                            Sampled: within a window */
    double from;         /* sensitive: the time from which on */
    double chosen_error; /* what a K chosen for half the step changes, as `error`; 0: none was */
    dry_watch_estimate *estimates; /* of all judged states, then of all measures */
    int n_estimates, n_states;
    dry_watch_give *gives;
    int n_gives;
    int gives_left;        /* more than are told one by one */
    char text[600];        /* "trusted to 3e-06" */
    char chosen_text[300]; /* the line about chosen_error; "" if it can be trusted */
} dry_watch_verdict;

/* How many whole states a run has to keep (dry_sim_options.saves) for windows of it to be repeated
 * if the whole takes too long; 0 if the system is so large that these would not pay. */
DRY_API int dry_watch_saves(const dry_system *system);
/* Judges a finished run of a model by further ones: `run` says how it was made, every default
 * filled in (dry_model_plan). An error is one of the watch, not of the run. */
DRY_API dry_status dry_watch(const dry_model *model, const dry_run_options *run,
                             const dry_sim_result *first, const dry_watch_options *options,
                             dry_watch_verdict *verdict, dry_error *error);
DRY_API void dry_watch_free(dry_watch_verdict *verdict);
/* Whether its numbers hold: trusted, and nothing gives way too far. */
DRY_API bool dry_watch_is_good(const dry_watch_verdict *verdict);
/* Whether something speaks against them. A run that was not watched, or sampled without a finding,
 * is neither good nor bad. */
DRY_API bool dry_watch_is_bad(const dry_watch_verdict *verdict);
/* "trusted", "sensitive", ... */
DRY_API const char *dry_watch_word_text(dry_watch_word word);
/* The line of an element that gives way. */
DRY_API void dry_watch_give_text(const dry_watch_give *give, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
