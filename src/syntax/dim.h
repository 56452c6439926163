/* Dimensions: the meaning of a unit, products and powers of dimensions, and inference by
 * unification.
 *
 * A dimension is a product of powers of m, kg, s, A, K and of unknowns. A number without a unit has
 * its own unknown, so that it fits any dimension. A vector whose entries differ in dimension (the
 * coordinates of a body: m and rad) has the dimension `any`, which fits every dimension and is not
 * checked. */
#ifndef DRY_SYNTAX_DIM_H
#define DRY_SYNTAX_DIM_H

#include "diagnostics.h"

enum { DRY_N_BASES = 5, DRY_N_UNKNOWNS = 4 };

typedef struct dry_dim {
    double power[DRY_N_BASES];
    int n; /* unknowns, at most DRY_N_UNKNOWNS */
    int unknown[DRY_N_UNKNOWNS];
    double exponent[DRY_N_UNKNOWNS];
    bool any; /* fits everything */
} dry_dim;

/* The unknowns, and the meanings that inference has found for them. */
typedef struct dry_dims {
    dry_dim *meaning;
    bool *known;
    int n, room;
    dry_arena *arena; /* remembers that memory ran out */
} dry_dims;

void dry_dims_free(dry_dims *dims);
dry_dim dry_dim_pure(void);
dry_dim dry_dim_any(void);
dry_dim dry_dim_unknown(dry_dims *dims);
dry_dim dry_dim_seconds(double power);
/* Returns a^x b^y. */
dry_dim dry_dim_combine(dry_dims *dims, dry_dim a, double x, dry_dim b, double y);
/* Makes a and b equal if that is possible; returns false if it is not. */
bool dry_dim_unify(dry_dims *dims, dry_dim a, dry_dim b);
/* Returns `a` with every known unknown replaced. */
dry_dim dry_dim_resolve(dry_dims *dims, dry_dim a);

enum { DRY_DIM_TEXT = 64 };
/* Returns "N", "m/s", "kg m^2/s"; "" for a pure number; "" if the dimension is not known. */
const char *dry_dim_text(dry_dims *dims, dry_dim a, char text[DRY_DIM_TEXT]);
bool dry_dim_is_known(dry_dims *dims, dry_dim a);

/* Reads "N/um", "m/s^2", "kg m^2", "deg" and finds the factor to SI and the dimension. On a fault
 * it returns false and writes to `bad` the part that it does not understand. */
bool dry_unit_parse(const char *text, double *factor, dry_dim *dim, char bad[DRY_DIM_TEXT]);
/* Returns the units without prefixes, separated by blanks: "m g s A ...". */
const char *dry_unit_names(void);
/* Returns one of them; NULL after the last. */
const char *dry_unit_name(int index);
/* Writes the same unit in SI if its dimension loses part of its meaning: "rad/s" for [deg/s] and
 * [rpm], "Hz" for [kHz], "N m/rad". Returns false for other units, such as [mm]. */
bool dry_unit_si(const char *text, char si[DRY_DIM_TEXT]);
/* The power of the radian in a unit that dry_unit_parse reads: -1 of "N m/rad", 1 of "rpm". */
double dry_unit_angle(const char *text);

#endif
