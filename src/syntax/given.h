/* Values from outside, as a setting has them after NAME=: a number, a vector or a matrix, with a
 * unit or without one. */
#ifndef DRY_SYNTAX_GIVEN_H
#define DRY_SYNTAX_GIVEN_H

#include "dim.h"

/* A number in SI. Without a unit it fits any dimension. */
typedef struct dry_amount {
    double value;
    bool has_unit;
    dry_dim dim; /* if it has a unit */
} dry_amount;

/* Reads a finite number with the unit that may follow it, `500mN` or `500 [mN]`, up to a comma, a
 * colon, a bracket or the end, and moves *text there. On a fault it says why and returns false. */
bool dry_amount_read(const char **text, dry_amount *amount, dry_error *error);
/* Returns whether two amounts fit each other: their dimensions are equal, or neither has a unit.
 * Zero fits everything. */
bool dry_amounts_agree(const dry_amount *a, const dry_amount *b);
/* Writes the SI unit of an amount that has a unit; "1" for a pure number. */
void dry_amount_unit(const dry_amount *amount, char unit[DRY_DIM_TEXT]);

typedef struct dry_given {
    int rank, rows, cols; /* rank 0: a number, 1: a vector, 2: a matrix */
    const double *number; /* row by row, in SI; NULL: the text could not be read */
    bool has_unit;
    dry_dim dim; /* of all of them, if they have a unit */
} dry_given;

/* Reads `2`, `2kg`, `500 [mN]`, `[1, 2, 3] [mm]`, `[1mm, 2cm]`, `[[1, 2], [3, 4]]`. On a fault it
 * says why and returns false. */
bool dry_given_read(const char *text, dry_arena *arena, dry_given *given, dry_error *error);

#endif
