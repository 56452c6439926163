/* native: a compiled model as machine code of the host, and as a folder of C for elsewhere.
 *
 * The model is printed as C (dry_model_print_c) together with loops of the fixed-step methods, into
 * which its rate is inlined; the C compiler of the host makes a shared object of it, which is kept
 * in a cache and loaded. It computes the same bits as the bytecode. No name of the model reaches
 * the C text, a file name or a command line.
 *
 * Floor 3: core, base, ode, lang. Needs POSIX. */
#ifndef DRYSTONE_NATIVE_H
#define DRYSTONE_NATIVE_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/lang.h>
#include <drystone/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- on this host ----------------------------------------------------------- */

typedef struct dry_native dry_native;

/* Zero means the default. */
typedef struct dry_native_options {
    const char *compiler;     /* a program, with options separated by blanks; default $CC, or cc */
    const char *cache;        /* an absolute directory; default $XDG_CACHE_HOME/drystone, or
                                 ~/.cache/drystone; where it cannot be used nothing is kept */
    bool only_cached;         /* takes what is in the cache, and never compiles */
    const dry_method *method; /* the one that gets a loop of its own; NULL: every fixed-step one */
} dry_native_options;

/* The model must outlive it. NULL on an error: DRY_UNSUPPORTED where there is no compiler, or
 * nothing in the cache (only_cached); DRY_RUN_FAILED where the compiler fails. */
DRY_API dry_native *dry_native_new(const dry_model *model, const dry_native_options *options,
                                   dry_error *error);
DRY_API void dry_native_free(dry_native *native);
/* The model's system with native functions, and with loops of its own for fixed steps. */
DRY_API const dry_system *dry_native_system(const dry_native *native);
/* The model's inclusion with native code for what a step needs; NULL where it has none. */
DRY_API const dry_inclusion *dry_native_inclusion(const dry_native *native);
/* Whether so many steps take the bytecode at least twice as long as compiling would. */
DRY_API bool dry_native_pays(const dry_model *model, const dry_method *method, double steps);

/* ---- elsewhere -------------------------------------------------------------- */

/* Zero means the default. */
typedef struct dry_export_options {
    bool single; /* float instead of double */
} dry_export_options;

/* Writes the model as C99 without dependencies into the folder `path`, which is made, or must be
 * empty or an earlier export: model.h, model.c, main.c, Makefile, README.md. The method is the
 * model's own where its steps are fixed, else rk4; the step and the end are those of the model's
 * run. */
DRY_API dry_status dry_export_c(const dry_model *model, const dry_export_options *options,
                                const char *path, dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
