/* catalogue: what every law's file declares itself to. */
#ifndef DRYSTONE_LAW_CATALOGUE_H
#define DRYSTONE_LAW_CATALOGUE_H

#include <drystone/law.h>

#define DRY_LAW(name) extern const dry_law dry_law__##name;
#include "laws.def"
#include "set_laws.def"
#undef DRY_LAW

/* The number of rows. */
#define DRY_LAW__ROWS(rows) ((int)(sizeof(rows) / sizeof *(rows)))

#endif
