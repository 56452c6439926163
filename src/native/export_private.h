/* export_private: declarations that the files that write an exported folder share. */
#ifndef DRY_NATIVE_EXPORT_PRIVATE_H
#define DRY_NATIVE_EXPORT_PRIVATE_H

#include "model/model.h"
#include "native_private.h"

enum { DRY_EXPORT__NAME = 64 }; /* bytes of a name, with the final 0 */

typedef struct dry_export__layout dry_export__layout; /* export.c */

/* The contents of an export, with every default filled in. Parameters and outputs that only
 * measures and plots need are left out. */
typedef struct dry_export__plan {
    const dry_model *model;
    const dry_system *system;
    char prefix[DRY_EXPORT__NAME], upper[DRY_EXPORT__NAME]; /* "model", "MODEL" */
    const dry_export__layout *layout;
    bool single, sensitive;
    bool is_arduino; /* a library for boards, whose headers have macros of their own */
    const char *const *notes;
    int n_notes;
    dry_quantity *params, *outputs;
    int *par;                         /* numbers of the parameters in the system */
    char (*fields)[DRY_EXPORT__NAME]; /* C names of the parameters; all are different */
    int n_par, n_outputs;
    dry_derivatives jacobian, slopes; /* of the rates; of the outputs, if `sensitive` */
    bool timed, reads_time; /* work that follows from the time alone; anything that depends on it */
    bool counts_samples;    /* by steps: t is too coarse for the long run */
    dry_run_options run;
    long multiple;  /* steps from one row to the next */
    long intervals; /* rows - 1 */
} dry_export__plan;

/* Each function of this type prints a file. */
typedef dry_status dry_export__file(const dry_export__plan *plan, FILE *stream, dry_error *error);
dry_export__file dry_export__header, dry_export__model, dry_export__main, dry_export__makefile,
    dry_export__readme, dry_export__sketch, dry_export__properties, dry_export__keywords,
    dry_export__library_readme;

/* export_model.c: returns the functions of the model as text, to be freed; NULL on an error. */
char *dry_export__functions(const dry_export__plan *plan, dry_error *error);
/* export_calls.c: prints the functions that the header declares. `mark`: of the model. */
void dry_export__calls(const dry_export__plan *plan, unsigned long mark, FILE *stream);
/* The tau that the method passes to laws, as C. */
const char *dry_export__tau(const dry_export__plan *plan);

/* Prints a text of the library with the prefix in place of ~, and with the prefix in upper case in
 * place of ^. */
void dry_export__put(const dry_export__plan *plan, const char *text, FILE *stream);
/* Prints only letters (also Greek letters), digits, blanks and harmless signs of a text, for
 * comments. */
void dry_export__comment(const char *text, FILE *stream);
/* Prints the first `length` bytes of a text in the same way. */
void dry_export__words(const char *text, size_t length, FILE *stream);
/* Prints any text as a C string in quotes. */
void dry_export__string(const char *text, FILE *stream);
/* Prints a number as C, with a point or an exponent. */
void dry_export__number(double value, FILE *stream);

/* export_names.c: takes the prefix (NULL: "model"); finds letters of names that C does not have. */
dry_status dry_export__take_prefix(dry_export__plan *plan, const char *prefix, dry_error *error);
bool dry_export__is_greek(const char *text);
/* Fills in the fields. A parameter whose name C can spell keeps its name, even if the name of
 * another parameter would become the same, such as α beside alpha. */
void dry_export__name_fields(dry_export__plan *plan);

#endif
