/* Units as the text declares them, where the dimension alone forgets: rad, Hz, J. */
#ifndef DRY_MODEL_DECLARED_H
#define DRY_MODEL_DECLARED_H

#include "model_private.h"

/* Puts them in the place of those that the dimensions give: of states, parameters, outputs and
 * measures. */
void dry_model__declare_units(dry_model *model);

#endif
