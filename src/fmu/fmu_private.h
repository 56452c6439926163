/* What the files of the room share. */
#ifndef DRY_FMU_PRIVATE_H
#define DRY_FMU_PRIVATE_H

#include "model/model.h"
#include <drystone/fmu.h>

enum { DRY_FMU__NAME = 64, DRY_FMU__TOKEN = 40 };

/* ---- kinds (kinds.c): what a state and a parameter are in an FMU; inside/fmu.h has the same ----
 */

enum { DRY_FMU__HIDDEN, DRY_FMU__HELD, DRY_FMU__RATED, DRY_FMU__INPUT, DRY_FMU__STARTS = 4 };
enum { DRY_FMU__NO_PAR, DRY_FMU__FIXED, DRY_FMU__TUNABLE };

/* Whether model exchange is possible: steps of the method are those of any explicit integrator. */
bool dry_fmu__exchanges(const dry_model *model);
/* Whether the state changes between events. */
bool dry_fmu__is_rated(const dry_model *model, int state);
unsigned char dry_fmu__state_kind(const dry_model *model, int state);
/* Of a parameter of the system, for an FMU that is the library. */
unsigned char dry_fmu__par_kind(const dry_model *model, int par);
/* The step of co-simulation, or a good communication step for a method that chooses its own; and
 * the longest of model exchange that is known to be right, s: by all explicit methods, or at least
 * by that of the text. */
double dry_fmu__step(const dry_model *model);
double dry_fmu__largest(const dry_model *model, bool *by_all);
/* "explicit methods need steps of at most 0.001 s" */
void dry_fmu__say_largest(const dry_model *model, char *text, size_t size);

/* ---- the plan of an FMU (plan.c) ---------------------------------------------------------------
 */

/* A variable of the FMU. */
typedef struct dry_fmu__variable {
    const char *name; /* unique */
    const char *unit, *description;
    const char *causality, *variability, *initial; /* words of the standard; NULL: not said */
    unsigned reference;
    int rate_of;                     /* index among the variables of its state; -1: it is no rate */
    bool has_start, unknown, output; /* unknown: computed by the initialization */
    bool begins_anew;                /* a state with a rate that an event can change */
    double start, nominal;           /* nominal NAN: 1 */
    double low, high;                /* infinite: no bound */
    int *needs, n_needs; /* indices of the variables that it depends on; n_needs -1: not known */
} dry_fmu__variable;

typedef struct dry_fmu__plan {
    const dry_model *model;
    const dry_system *system;
    const dry_fmu_options *options;
    dry_run_options run;
    dry_arena *arena;
    bool library;
    int kinds;
    char identifier[DRY_FMU__NAME], token[DRY_FMU__TOKEN];
    unsigned char *state, *par_kind; /* by state; by parameter of the FMU */
    double *nominal;                 /* by state */
    int *par, n_par;                 /* numbers of the parameters in the system */
    int *output, n_outputs;          /* the same of the outputs */
    double *start;                   /* states */
    dry_fmu__variable *variable;
    int n_variables;
} dry_fmu__plan;

/* Fills in the plan, whose model, options, library and arena are given. */
dry_status dry_fmu__make_plan(dry_fmu__plan *plan, dry_error *error);
/* names.c: the model's name as a name of C; a name that no variable has yet. */
void dry_fmu__identify(const char *name, char identifier[DRY_FMU__NAME]);
bool dry_fmu__name_all(dry_fmu__plan *plan);
/* needs.c: what each variable depends on. False without memory. */
bool dry_fmu__find_needs(dry_fmu__plan *plan);

/* ---- what is in the FMU -------------------------------------------------------------------------
 */

/* Files that become a zip archive (zip.c), in the order of their adding. */
typedef struct dry_fmu__files {
    struct dry_fmu__file {
        char *name, *data;
        size_t length;
    } * file;
    int n, room;
    bool failed; /* without memory */
} dry_fmu__files;
/* Takes a copy of the data, or, _give, the data itself, which malloc has made. */
void dry_fmu__add(dry_fmu__files *files, const char *name, const char *data, size_t length);
void dry_fmu__give(dry_fmu__files *files, const char *name, char *data, size_t length);
void dry_fmu__files_free(dry_fmu__files *files);
/* Whether the archive can have them: with less than 4 GB. */
bool dry_fmu__zip_fits(const dry_fmu__files *files);
/* Writes them, stored. Returns the number of bytes; 0 without memory. */
size_t dry_fmu__zip(const dry_fmu__files *files, FILE *stream);

/* xml.c: a text as the value of an attribute; a number. */
void dry_fmu__put_text(const char *text, FILE *stream);
void dry_fmu__put_number(double value, FILE *stream);
/* units.c: the unit of the rate of something; the element UnitDefinitions. */
const char *dry_fmu__rate_unit(dry_fmu__plan *plan, const char *unit);
void dry_fmu__put_units(const dry_fmu__plan *plan, FILE *stream);
/* describe.c, describe2.c, describe3.c: modelDescription.xml */
void dry_fmu__describe(const dry_fmu__plan *plan, FILE *stream);
void dry_fmu__describe2(const dry_fmu__plan *plan, FILE *stream);
void dry_fmu__describe3(const dry_fmu__plan *plan, FILE *stream);
/* What both have: ` name="value"`, the description of the model, log categories, experiment. */
void dry_fmu__attribute(const char *name, const char *value, FILE *stream);
void dry_fmu__number(const char *name, double value, FILE *stream);
void dry_fmu__put_shared(const dry_fmu__plan *plan, FILE *stream);
void dry_fmu__put_head(const dry_fmu__plan *plan, FILE *stream);
/* The list of what a variable depends on: its numbers by `number`. */
void dry_fmu__put_needs(const dry_fmu__plan *plan, const dry_fmu__variable *v,
                        unsigned (*number)(const dry_fmu__plan *, int), FILE *stream);
/* Whether all that a run depends on can be kept in bytes; whether also for another instance. */
bool dry_fmu__saves(const dry_fmu__plan *plan);
bool dry_fmu__serializes(const dry_fmu__plan *plan);

/* source.c: the sources of an FMU of exported C, and the object that they become. */
dry_status dry_fmu__add_sources(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error);
dry_status dry_fmu__add_object(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error);
/* text.c of the build: the files of src/fmu/inside. */
typedef struct dry_fmu__text {
    const char *name, *const *line; /* lines, NULL at the end */
} dry_fmu__text;
extern const dry_fmu__text dry_fmu__texts[]; /* name NULL at the end */

/* The folder of a compiled FMU below binaries/. */
enum { DRY_FMU__PLATFORM = 80 };
void dry_fmu__platform(int version, char text[DRY_FMU__PLATFORM]);

/* resources.c: the text of the model and the files that it names, for the library. */
dry_status dry_fmu__add_resources(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error);
dry_status dry_fmu__add_library(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error);

#endif
