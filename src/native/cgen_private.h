/* cgen_private: declarations that the files that print C share: the laws as text, numbers, and the
 * pieces that a text needs. */
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

/* A piece comes after the pieces that it uses. A row whose names are "" is the rest of the piece
 * before it. The list ends with a row of NULL. */
extern const dry_c__piece dry_c__pieces[];

/* A name, and the first piece that defines it; in the order of strcmp. */
typedef struct dry_c__word {
    const char *name;
    int piece;
} dry_c__word;
extern const dry_c__word dry_c__words[];
extern const int dry_c__n_words;

/* Prints the pieces that the text uses, and the pieces that those use; for single precision, those
 * that dry_c_print_single will name. Returns false without memory. */
bool dry_c__print_pieces(const char *text, bool single, FILE *stream);

/* Prints sys_carry of a steady inclusion. Returns false without memory. */
bool dry_c__print_carry(const dry_model *model, FILE *stream);

/* Prints the delay lines and how they move on. */
void dry_c__print_lines(const dry_model *model, FILE *stream);

/* For a lean text. dry_c__shown_outputs writes the roots of its outputs into `shown` and returns
 * their number. dry_c__place_used finds the place of each parameter in p (DRY_NONE if it has none)
 * and their number there; those that others define come after the n_given others. Returns false
 * without memory. */
int dry_c__shown_outputs(const dry_model *model, dry_node *shown);
bool dry_c__place_used(const dry_model *model, int *place, int *n_given, int *n_par);

/* Marks what the rate of the model needs that follows from the time alone and is worth to be kept
 * for all stages of a step at that time; with `varies`, that is equal in all lanes. Returns how
 * many values; -1 without memory. */
int dry_c__keep_timed(const dry_model *model, const bool *varies, unsigned char *kept);

enum { DRY_C__WORD = 64 };

/* Writes a number as an expression: exact, with a point or an exponent, in parentheses if
 * negative. */
void dry_c__number(double value, char text[DRY_C__WORD]);

#endif
