/* Units as the text declares them, where the dimension alone forgets: rad, Hz, J. */
#ifndef DRY_LANG_DECLARED_H
#define DRY_LANG_DECLARED_H

#include "model.h"

/* Puts them in the place of those that the dimensions give: of states, parameters, outputs and
 * measures. */
void dry_lang__declare_units(dry_model *model);

#endif
