/* What the files that write an exported folder share. */
#ifndef DRY_NATIVE_EXPORT_PRIVATE_H
#define DRY_NATIVE_EXPORT_PRIVATE_H

#include "native_private.h"

/* What is exported, with every default filled in. Of parameters and outputs those that nobody asks
 * for but measures and plots are left out. */
typedef struct dry_export__plan {
    const dry_model *model;
    const dry_system *system;
    bool single;
    dry_quantity *params, *outputs;
    double *defaults; /* of the parameters */
    int n_par, n_outputs;
    const dry_method *method;
    double step, until;
    long multiple;  /* steps from one row to the next */
    long intervals; /* rows - 1 */
} dry_export__plan;

/* Each prints a file. */
typedef dry_status dry_export__file(const dry_export__plan *plan, FILE *stream, dry_error *error);
dry_export__file dry_export__header, dry_export__model, dry_export__main, dry_export__makefile,
    dry_export__readme;

/* Only letters, digits, blanks and harmless signs of a text, for comments. */
void dry_export__comment(const char *text, FILE *stream);
/* A text of C in quotes, whatever is in it. */
void dry_export__string(const char *text, FILE *stream);
/* A number of C, with a point or an exponent. */
void dry_export__number(double value, FILE *stream);
/* The field of parameter `index` in model_par: letters, digits, underscores; no two are alike. */
void dry_export__field(const dry_export__plan *plan, int index, FILE *stream);

#endif
