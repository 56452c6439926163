/* declared: units as the text declares them, for rad, Hz and J, which the dimension alone does not
 * keep. */
#ifndef DRY_MODEL_DECLARED_H
#define DRY_MODEL_DECLARED_H

#include "model_private.h"

/* Replaces the units that follow from the dimensions: those of states, parameters, outputs and
 * measures. */
void dry_model__declare_units(dry_model *model);

#endif
