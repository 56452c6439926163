/* notation: expressions in the notation of papers, with one walk for all notations and a row for
 * each of templates for each. */
#ifndef DRY_MODEL_NOTATION_H
#define DRY_MODEL_NOTATION_H

#include "model_private.h"

/* How one kind of expression is written. A template can contain
 *
 *   %a %b %c   its arguments
 *   %A %B      the same as factors: in brackets if they are sums
 *   %M         %A, without brackets after a minus
 *   %P         its first argument as the base of a power: in brackets unless it is plain
 *   %, %;      all its arguments; those after the first, which are indices
 *   %v         its arguments as the lines of a matrix
 *   %x         the sign of a product with its second argument
 *   %e         the expression itself, if a bracket encloses it
 *   %h         the command that keeps a bracket small, if nothing in it is tall
 *   %o         the template `third`, if it has a third argument
 *   %t         its text: the name of a function or an index */
typedef struct dry_form {
    dry_ex kind;
    const char *text; /* NULL: any */
    const char *template;
    void (*write)(const dry_expr *expr, FILE *stream); /* used if no template is sufficient */
} dry_form;

typedef struct dry_notation {
    const char *(*function)(const dry_op_row *row); /* the template of a function */
    const dry_form *form; /* for other kinds: the first that fits is used; one always fits */
    const char *brackets, *no_brackets; /* templates of %e */
    const char *interval;               /* of a vector of two that is the level of a set */
    const char *arguments, *indices;    /* their separators */
    const char *third;                  /* for %o */
    const char *cell, *line;            /* of a matrix: their separators */
    const char *times[2];               /* before a name, before a number */
    const char *low;                    /* for %h */
    unsigned plain; /* bits of the kinds that need no brackets as the base of a power */
    void (*symbol)(const char *text, FILE *stream); /* for %t */
} dry_notation;

void dry_model__notate(const dry_notation *how, const dry_expr *expr, FILE *stream);
void dry_model__notate_factor(const dry_notation *how, const dry_expr *expr, FILE *stream);
/* Writes the level of a set, which may be an interval. */
void dry_model__notate_level(const dry_notation *how, const dry_expr *expr, FILE *stream);
/* Writes several expressions with their separator. */
void dry_model__notate_list(const dry_notation *how, const dry_expr *const *item, int n,
                            const char *between, FILE *stream);
/* Fills a template. */
void dry_model__notate_as(const dry_notation *how, const char *template, const dry_expr *expr,
                          FILE *stream);

#endif
