/* native: a compiled model as machine code of the host, and as a folder of C for elsewhere.
 *
 * The model is printed as C (dry_model_print_c) together with loops of the fixed-step methods, into
 * which its rate is inlined; the C compiler of the host makes a shared object of it, which is kept
 * in a cache and loaded. It computes the same bits as the bytecode. No name of the model reaches
 * the C text, a file name or a command line.
 *
 * Floor 3: core, base, ode, check, lang. Needs POSIX. */
#ifndef DRYSTONE_NATIVE_H
#define DRYSTONE_NATIVE_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/model.h>
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
/* Fewer steps are not worth a look into the cache. */
enum { DRY_NATIVE_FEWEST_STEPS = 2000 };
/* Whether so many steps take the bytecode at least twice as long as compiling would. */
DRY_API bool dry_native_pays(const dry_model *model, const dry_method *method, double steps);

/* ---- side by side ------------------------------------------------------------ */

/* Runs of one model with DRY_NATIVE_LANES sets of parameters side by side, by fixed steps: vector
 * instructions where the host has them. The bits are those of each run alone, as long as its states
 * are finite. Number i of lane l is at [i DRY_NATIVE_LANES + l], in arrays that begin at a multiple
 * of 64 bytes. */
typedef struct dry_lanes dry_lanes;
enum { DRY_NATIVE_LANES = 16 };

/* `varies[i]`: parameter i of the system may differ between lanes. options->method is the method.
 * NULL on an error: DRY_UNSUPPORTED, too, for a model with parts, sets kept, discrete states,
 * watched conditions or times at which its rate jumps, or a large one. */
DRY_API dry_lanes *dry_lanes_new(const dry_model *model, const bool *varies,
                                 const dry_native_options *options, dry_error *error);
DRY_API void dry_lanes_free(dry_lanes *lanes);
/* How many numbers of a lane do not change during a run. */
DRY_API int dry_lanes_fixed(const dry_lanes *lanes);
/* Of one lane: these numbers, the start, the outputs; its arrays are without gaps. */
DRY_API void dry_lanes_prepare(const dry_lanes *lanes, const double *par, double *p);
DRY_API void dry_lanes_start(const dry_lanes *lanes, const double *p, double t, double *x);
DRY_API void dry_lanes_output(const dry_lanes *lanes, const double *p, double t, double tau,
                              const double *x, double *y);
/* `count` steps from t, number `grid` on the grid t_start + k step; the last one ends at `end`. */
typedef struct dry_lanes_span {
    double t_start, step, t, end;
    long grid, count;
} dry_lanes_span;
DRY_API void dry_lanes_march(const dry_lanes *lanes, const double *P, double *X,
                             const dry_lanes_span *span);

/* ---- elsewhere -------------------------------------------------------------- */

/* Zero means the default. */
typedef struct dry_export_options {
    bool single;        /* float instead of double */
    const char *prefix; /* of files, types and symbols, so that two models fit into one program: a
                           name of C; default "model" */
    /* Lines for the comment at the top of the header: how far a run can be trusted. None: "not
     * watched". */
    const char *const *notes;
    int n_notes;
} dry_export_options;

/* The names of the methods that a model can be exported for, with commas, in `text`. */
DRY_API const char *dry_export_methods(char *text, size_t room);
/* How the exported main.c runs the model: method, step, end and the time between rows. */
DRY_API dry_run_options dry_export_run(const dry_model *model);
/* Writes the model as C99 without dependencies into the folder `path`, which is made, or must be
 * empty or an earlier export: model.h, model.c, main.c, Makefile, README.md. Parameters and outputs
 * that only measures and plots need are left out. Method and step are those of a run
 * (dry_model_plan). DRY_BAD_ARGUMENT for a prefix that is no name, and where the model does not say
 * how long to run. DRY_UNSUPPORTED for a model with parts, and for one that was compiled for a
 * rigid method: its forces have no K. */
DRY_API dry_status dry_export_c(const dry_model *model, const dry_export_options *options,
                                const char *path, dry_error *error);

/* ---- C source -------------------------------------------------------------- */

/* How a model is printed as C; zero means the default. */
typedef struct dry_c_options {
    bool kinks;  /* with the switching functions, which adaptive methods need */
    bool smooth; /* with what the rigid scheme needs, where the model has an inclusion */
    bool
        single; /* the text will become single precision (dry_c_print_single): constants must fit */
    bool lean;  /* without the outputs that serve measures and plots, and the parameters that
                   nothing else needs; not with `smooth` */
} dry_c_options;

/* Prints the model as static functions that compute the same bits as its system (without
 * contraction to fused multiply-adds), with the constants N_STATES, N_OUTPUTS, N_PAR, N_KINKS,
 * N_GUARDS, N_BREAKS, N_FIXED; p has N_FIXED numbers:
 *     void sys_prepare(par, p)
 *     void sys_start(p, t, x)
 *     void sys_rate, sys_output, sys_kinks(p, t, tau, x, out)
 *     int sys_watch(p, t, x)      number of the condition that fails, 0: none
 *     bool sys_latch(p, t, x)
 *     void sys_breaks(p, times)
 *     void sys_smooth(p, t, tau, x, out)      dry_inclusion's `smooth`; x followed by the forces
 *     void sys_gaps, sys_values(p, t, tau, x, out)      its gaps, and all that `eval` gives
 *     void sys_carry(c, C, u, out)      steady: c + C u for the states that are no velocities, of
 *                                       which sys_moves[N_STATES] tells those that move at all
 * What the model does not have is left out. Before it have to stand bool, NAN, INFINITY, isinf, the
 * functions of <math.h>, and as macros DRY_INLINE and SYS_RATE: static, inline or not. No name of
 * the model occurs in the text. */
DRY_API dry_status dry_model_print_c(const dry_model *model, const dry_c_options *options,
                                     FILE *stream, dry_error *error);
/* Which parameters of the equations a lean text keeps; `used` has an entry for each of them. */
DRY_API dry_status dry_model_par_used(const dry_model *model, bool *used, dry_error *error);
/* Prints a text of C with float in place of double: types, constants, functions of <math.h>. */
DRY_API void dry_c_print_single(const char *text, FILE *stream);
/* The functions of <math.h> that the values of functions of the language call: the name of number i
 * and how many arguments it has; NULL behind the last. Laws call copysign and nextafter besides. */
DRY_API const char *dry_c_library(int i, int *n_args);

#ifdef __cplusplus
}
#endif
#endif
