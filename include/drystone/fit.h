/* fit: how the numbers of a run depend on parameters.
 *
 * Floor 8: all below. */
#ifndef DRYSTONE_FIT_H
#define DRYSTONE_FIT_H

#include <drystone/base.h>
#include <drystone/core.h>
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

#ifdef __cplusplus
}
#endif
#endif
