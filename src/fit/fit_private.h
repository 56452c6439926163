/* fit, inside the room. */
#ifndef DRY_FIT_PRIVATE_H
#define DRY_FIT_PRIVATE_H

#include <drystone/fit.h>

/* The columns that have derivatives: those of the record of a run that a file shows, but the time.
 */
typedef struct dry_fit__columns {
    int *column; /* in the record of the run */
    int n;
    size_t rows;
} dry_fit__columns;

/* What differences give by one parameter. */
typedef struct dry_fit__found {
    double *column;  /* row by row for each of the columns */
    double *error;   /* of each column: how far the two best agree, at most */
    double *measure; /* and of measures */
    double *measure_error;
    int n_runs;
    bool anew;
} dry_fit__found;

/* differences.c: central differences by parameter `par` of the system. The arrays of `found` are
 * the caller's. */
dry_status dry_fit__differ(const dry_slopes_job *job, const dry_fit__columns *columns, int par,
                           dry_fit__found *found, dry_error *error);

/* bench.c: the parameter of the system that a setting of that name replaces; -1: none. */
int dry_fit__find_par(const dry_model *model, const char *name);

/* text.c: as dry_fit_text, but a value that the text cannot hold is left as it is. */
dry_status dry_fit__text_where(const dry_fit_job *job, const dry_fit_result *result, char **text,
                               size_t *length, dry_error *error);

/* slopes.c: one run of a model, or of the system of its sensitivities (NULL: none), as `run` says.
 */
dry_status dry_fit__run(const dry_slopes_job *job, const dry_run_options *run,
                        const dry_model *model, const dry_system *system, const double *par,
                        dry_sim_result *result, dry_error *error);
/* The same samples with half the step, or a tenth of the tolerances. */
dry_run_options dry_fit__finer(const dry_run_options *run);

#endif
