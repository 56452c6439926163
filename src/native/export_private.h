/* What the files that write an exported folder share. */
#ifndef DRY_NATIVE_EXPORT_PRIVATE_H
#define DRY_NATIVE_EXPORT_PRIVATE_H

#include "native_private.h"

enum { DRY_EXPORT__NAME = 64 }; /* bytes of a name, with its end */

/* What is exported, with every default filled in. Of parameters and outputs those that nobody asks
 * for but measures and plots are left out. */
typedef struct dry_export__plan {
    const dry_model *model;
    const dry_system *system;
    char prefix[DRY_EXPORT__NAME], upper[DRY_EXPORT__NAME]; /* "model", "MODEL" */
    bool single;
    const char *const *notes;
    int n_notes;
    dry_quantity *params, *outputs;
    char (*fields)[DRY_EXPORT__NAME]; /* of the parameters, in C: no two are alike */
    double *defaults;                 /* of the parameters */
    int n_par, n_outputs;
    dry_run_options run;
    long multiple;  /* steps from one row to the next */
    long intervals; /* rows - 1 */
} dry_export__plan;

/* Each prints a file. */
typedef dry_status dry_export__file(const dry_export__plan *plan, FILE *stream, dry_error *error);
dry_export__file dry_export__header, dry_export__model, dry_export__main, dry_export__makefile,
    dry_export__readme;

/* A text of ours with the prefix in the place of ~, in upper case in that of ^. */
void dry_export__put(const dry_export__plan *plan, const char *text, FILE *stream);
/* Only letters, also Greek ones, digits, blanks and harmless signs of a text, for comments. */
void dry_export__comment(const char *text, FILE *stream);
/* The same of its first `length` bytes. */
void dry_export__words(const char *text, size_t length, FILE *stream);
/* A text of C in quotes, whatever is in it. */
void dry_export__string(const char *text, FILE *stream);
/* A number of C, with a point or an exponent. */
void dry_export__number(double value, FILE *stream);

/* export_names.c: the prefix, NULL: "model"; and letters of names that C does not have. */
dry_status dry_export__take_prefix(dry_export__plan *plan, const char *prefix, dry_error *error);
bool dry_export__is_greek(const char *text);
/* Fills in the fields: a parameter whose name C can spell has it, also where that of another, α
 * beside alpha, would become the same. */
void dry_export__name_fields(dry_export__plan *plan);

#endif
