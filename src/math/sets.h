/* sets: what the file of every set declares itself to. */
#ifndef DRYSTONE_MATH_SETS_H
#define DRYSTONE_MATH_SETS_H

#include <drystone/math.h>

#define DRY_SET(name) extern const dry_set dry_set__##name;
#include "sets.def"
#undef DRY_SET

#endif
