/* watch: judges how far the numbers of a run can be trusted.
 *
 * It gives two numbers and never mixes them. The first is the error of the step: the run is
 * repeated with half the step (a tenth of the tolerances) and everything else fixed, also K, alpha
 * and beta; the error is twice the difference, because the order of a method is not known at kinks.
 * The second is how far elements yield whose K was chosen from the step: the largest |f|/K, and the
 * change of the result with K chosen for half the step.
 *
 * Floor 7: all below. */
#ifndef DRYSTONE_WATCH_H
#define DRYSTONE_WATCH_H

#include <drystone/model.h>
#include <drystone/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The default limit of work, counted as evaluations of the rate times states, so that a model gets
 * the same verdict on every computer. This much takes about half a second in bytecode. */
#define DRY_WATCH_LIMIT 4e7
/* A run with an error above this share of a state's size is not converged. */
#define DRY_WATCH_MOST 1e-2

/* Zero means the default. */
typedef struct dry_watch_options {
    double limit; /* of the work of all repeats; beyond it only windows of the run are repeated, for
                     at most 5 % of its evaluations; INFINITY: no limit */
    double most;  /* the largest error that is trusted */
    /* What the first run evaluated, such as native code of the same model; NULL: the model's own
       system.
     */
    const dry_system *system;
    const dry_inclusion *inclusion;
    /* Options that the model was compiled with, to choose K again; NULL: none. */
    const dry_model_options *model;
    /* As in dry_sim_options; return false to end the watch, which is DRY_RUN_FAILED then. */
    bool (*progress)(void *user, double t);
    void *user;
} dry_watch_options;

typedef enum dry_watch_word {
    DRY_UNWATCHED, /* the work exceeds the limit; `sampled`: some windows were repeated */
    DRY_TRUSTED,
    DRY_SENSITIVE,    /* runs that start 1e-9 apart diverge at the same rate with both steps */
    DRY_NOT_CONVERGED /* the answer changes with the step */
} dry_watch_word;

/* The change by a repeat with half the step, of a state at the end or of a measure. */
typedef struct dry_watch_estimate {
    const char *name, *unit; /* the model's */
    double value, error;
} dry_watch_estimate;

/* An element that yields further than `most` times the size of what moves. */
typedef struct dry_watch_give {
    const char *name; /* the model's */
    char unit[24];    /* of the displacement: "m" */
    double by;        /* the largest |f|/K */
    double wanted;    /* the largest |f|/K that the advice below reaches */
    double step, K;   /* the advice, tested by a run; NaN: none was found within the limit */
    double tried;     /* end time of that run, s; 0: the whole run */
    char K_unit[24];
    bool rigid; /* a rigid method can run the model, too */
} dry_watch_give;

typedef struct dry_watch_verdict {
    dry_watch_word word;
    bool sampled;        /* only some windows were repeated: no claim about the whole run */
    double error;        /* the largest, relative to the size of its state or measure; NaN: not
                            known. If sampled: within a window */
    double from;         /* if sensitive: the time from which on */
    double chosen_error; /* relative change with K chosen for half the step; 0: no K was chosen */
    dry_watch_estimate *estimates; /* of all judged states, then of all measures */
    int n_estimates, n_states;
    dry_watch_give *gives;
    int n_gives;
    int gives_left;        /* how many more there are beyond the list */
    char text[600];        /* "trusted to 3e-06" */
    char chosen_text[300]; /* the line about chosen_error; "" if it can be trusted */
} dry_watch_verdict;

/* How many whole states a run must keep (dry_sim_options.saves) so that windows of it can be
 * repeated if repeating all of it takes too long; 0 if the system is too large for this to pay. */
DRY_API int dry_watch_saves(const dry_system *system);
/* Judges a finished run of a model by further runs. `run` holds its options with every default
 * filled in (dry_model_plan). An error concerns the watch, not the run. */
DRY_API dry_status dry_watch(const dry_model *model, const dry_run_options *run,
                             const dry_sim_result *first, const dry_watch_options *options,
                             dry_watch_verdict *verdict, dry_error *error);
DRY_API void dry_watch_free(dry_watch_verdict *verdict);
/* Returns true if the numbers can be trusted and nothing yields too far. */
DRY_API bool dry_watch_is_good(const dry_watch_verdict *verdict);
/* Returns true if there is evidence against the numbers. A run that was not watched, or sampled
 * without a finding, is neither good nor bad. */
DRY_API bool dry_watch_is_bad(const dry_watch_verdict *verdict);
/* "trusted", "sensitive", ... */
DRY_API const char *dry_watch_word_text(dry_watch_word word);
/* Formats the line about an element that yields. */
DRY_API void dry_watch_give_text(const dry_watch_give *give, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
