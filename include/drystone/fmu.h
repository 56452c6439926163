/* fmu: a model as an FMU, the unit that other simulators import (FMI 2.0 and 3.0).
 *
 * A model in equations becomes its exported C (native.h): compiled for this computer, and as
 * sources that any importer can build. A model that the C cannot express, because it has parts or a
 * method of the library, becomes the library itself with the text of the model.
 *
 * Floor 7: all below. Needs POSIX. */
#ifndef DRYSTONE_FMU_H
#define DRYSTONE_FMU_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an FMU can do, as bits. */
enum { DRY_FMU_EXCHANGE = 1 << 0, DRY_FMU_STEPS = 1 << 1 };

/* Zero means the default. */
typedef struct dry_fmu_options {
    int version; /* of FMI: 2 or 3; required */
    int kinds;   /* DRY_FMU_EXCHANGE, DRY_FMU_STEPS, or both; default: all that the model can */
    const dry_model_options *model; /* with which the model was compiled; NULL: all defaults */
    const char *library;            /* the file drystone_fmu.so; NULL: there is none */
    const char *const *notes;       /* lines about how far a run can be trusted */
    int n_notes;
    bool only_sources; /* of equations: without an object for this computer, so that no compiler is
                          needed here */
} dry_fmu_options;

/* What an FMU has become. */
typedef struct dry_fmu_about {
    int kinds;
    bool library;         /* the library with the text, not exported C */
    char identifier[64];  /* the name of its functions' file */
    size_t size;          /* bytes */
    double step, largest; /* s: of co-simulation, 0: the method chooses it; the longest of model
                             exchange */
    char longest[200];    /* what explicit methods of model exchange need, as a sentence */
    char only[512];       /* why it cannot do model exchange; "": it can */
} dry_fmu_about;

/* Whether the FMU of a model would be the library: its C cannot be exported. `error` gets the
 * reason if so. */
DRY_API bool dry_fmu_needs_library(const dry_model *model, dry_error *error);
/* Writes the FMU, whole or not at all. The same model gives the same bytes on the same computer.
 * `about` may be NULL. DRY_UNSUPPORTED: the model cannot do what is asked for. */
DRY_API dry_status dry_fmu_write(const dry_model *model, const dry_fmu_options *options,
                                 const char *path, dry_fmu_about *about, dry_error *error);
/* CRC-32 (ISO 3309) of the data, as zip files have it. */
DRY_API unsigned long dry_fmu_crc(const void *data, size_t length);

#ifdef __cplusplus
}
#endif
#endif
