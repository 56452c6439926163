/* What the files that print C share: the laws as text, numbers, and the pieces that a text needs.
 */
#ifndef DRY_NATIVE_CGEN_PRIVATE_H
#define DRY_NATIVE_CGEN_PRIVATE_H

#include "graph/graph.h"
#include "model/model.h"

#include <drystone/base.h>
#include <drystone/native.h>

/* A function, a type or an enumeration of the laws: the names it defines, and its text. */
typedef struct dry_c__piece {
    const char *names; /* separated by blanks */
    const char *text;
} dry_c__piece;

/* In an order in which a piece comes behind those it uses; ends with a row without names. */
extern const dry_c__piece dry_c__pieces[];

/* Prints the pieces that the text uses, and those that they use. False without memory. */
bool dry_c__print_pieces(const char *text, FILE *stream);

/* Prints sys_carry of a steady inclusion. False without memory. */
bool dry_c__print_carry(const dry_model *model, FILE *stream);

/* Of a lean text: the roots of its outputs into `shown`, and how many they are; where in p each
 * parameter is (DRY_NONE: nowhere), and how many are there. False without memory. */
int dry_c__shown_outputs(const dry_model *model, dry_node *shown);
bool dry_c__place_used(const dry_model *model, int *place, int *n_par);

enum { DRY_C__WORD = 64 };

/* A number as an expression: exact, with a point or an exponent, in parentheses where negative. */
void dry_c__number(double value, char text[DRY_C__WORD]);

#endif
