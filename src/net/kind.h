/* What a file of kinds needs: the rows of kinds.def, and how rows of keys are written. */
#ifndef DRYSTONE_NET_KIND_H
#define DRYSTONE_NET_KIND_H

#include "net_private.h"
#include <math.h>

#define ALONE(kind) extern const dry_kind dry_net__##kind;
#define TWOFOLD(kind) extern const dry_kind dry_net__##kind;
#include "kinds.def"
#undef ALONE
#undef TWOFOLD

/* ---- keys (dry_kind_param, part.h) ------------------------------------------------ */

#define ROWS(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))
#define NUMBER(name, unit, range, standard, meaning)                                               \
    { name, unit, 1, 1, false, range, standard, meaning }
#define NEEDED(name, unit, range, meaning)                                                         \
    { name, unit, 1, 1, true, range, 0.0, meaning }
#define NUMBERS(least, name, unit, meaning)                                                        \
    { name, unit, least, 3, false, DRY_ANY, 0.0, meaning }
#define VECTOR(name, unit, meaning) NUMBERS(1, name, unit, meaning)
#define OPEN -1.0 /* the part chooses it */
#define NONE ((double)NAN)
enum { DRY_NET__MOST_ELEMENTS = 100 }; /* of a law that has several */
#define DIM NUMBER("dim", "", DRY_AT_LEAST_ONE, 1.0, "dimensions, 1 to 3")
#define ON                                                                                         \
    { "on", NULL, 1, 1, false, DRY_ANY, 0.0, "what it acts on: coordinate, or length" }

#endif
