/* Declarations that the files of check share. */
#ifndef DRY_CHECK_CHECK_PRIVATE_H
#define DRY_CHECK_CHECK_PRIVATE_H

#include "check/check.h"

/* ---- equation_step.c -------------------------------------------------------------------- */

/* Finds the branches that the laws of the model have; returns how many. */
int dry_check__branches(const dry_elab *elab, dry_branch branches[4]);
/* Returns the step that resolves long-lasting oscillations of the described model; INFINITY if the
 * usual step resolves them. Reports if no step would be short enough. */
double dry_check__choose_run_step(const dry_elab *elab, const dry_step_check *check);

/* ---- part_step.c ------------------------------------------------------------------------ */

/* Prints T with three digits, rounded down. */
const char *dry_check__at_most(dry_diagnostics *diag, double T);

/* ---- part_thrown.c ---------------------------------------------------------------------- */

/* dry_check__strength returns u^T M u/2 of a part whose states begin at `first`.
 * dry_check__is_thrown returns true if the accelerations u, compared with u0, throw the part; it
 * sets *first to where the part's states begin. */
double dry_check__strength(const dry_elab *elab, const dry_part *part, int first, const double *u);
bool dry_check__is_thrown(const dry_elab *elab, int part, const double *u, const double *u0,
                          int *first);

#endif
