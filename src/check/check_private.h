/* What the files of check share among themselves. */
#ifndef DRY_CHECK_CHECK_PRIVATE_H
#define DRY_CHECK_CHECK_PRIVATE_H

#include "check/check.h"

/* ---- equation_step.c -------------------------------------------------------------------- */

/* The branches that the laws of the model have; returns how many. */
int dry_check__branches(const dry_elab *elab, dry_branch branches[4]);
/* The step that resolves what swings for long, for the model as it is described; INFINITY: the
 * usual one does. Says so if no step would do. */
double dry_check__choose_run_step(const dry_elab *elab, const dry_step_check *check);

/* ---- part_step.c ------------------------------------------------------------------------ */

/* Three digits that are not more. */
const char *dry_check__at_most(dry_diagnostics *diag, double T);

/* ---- part_thrown.c ---------------------------------------------------------------------- */

/* u^T M u/2 of a part whose states begin there; whether accelerations u throw it, beside u0, and
 * where its states begin then. */
double dry_check__strength(const dry_elab *elab, const dry_part *part, int first, const double *u);
bool dry_check__is_thrown(const dry_elab *elab, int part, const double *u, const double *u0,
                          int *first);

#endif
