/* native: a compiled model as machine code of the host, and as a folder of C for other computers.
 *
 * dry_model_print_c prints the model as C. The text also has loops of the fixed-step methods, with
 * the rate of the model inlined. The C compiler of the host makes a shared object of this text; the
 * cache keeps the object, and the program loads it. The object computes the same bits as the
 * bytecode. No name of the model reaches the C text, a file name or a command line.
 *
 * Floor 6: core, base, ode, stability, graph, model. Needs POSIX. */
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
                                 ~/.cache/drystone; if the directory cannot be used, nothing is kept */
    bool only_cached;         /* uses only the cache, and never compiles */
    const dry_method *method; /* the only one with its own loop; NULL: every fixed-step one */
} dry_native_options;

/* Compiles the model or loads it from the cache. The model must outlive the result. Returns NULL on
 * an error: DRY_UNSUPPORTED if there is no compiler, or if the cache has no entry (only_cached);
 * DRY_RUN_FAILED if the compiler fails. */
DRY_API dry_native *dry_native_new(const dry_model *model, const dry_native_options *options,
                                   dry_error *error);
DRY_API void dry_native_free(dry_native *native);
/* The model's system with native functions, and with its own loops for fixed steps. */
DRY_API const dry_system *dry_native_system(const dry_native *native);
/* The model's inclusion with native code for the functions that a step needs; NULL if the model has
 * no inclusion. */
DRY_API const dry_inclusion *dry_native_inclusion(const dry_native *native);
/* For fewer steps, a look into the cache does not pay. */
enum { DRY_NATIVE_FEWEST_STEPS = 2000 };
/* Returns true if the bytecode needs at least twice as long for this number of steps as the
 * compiler needs for the model. */
DRY_API bool dry_native_pays(const dry_model *model, const dry_method *method, double steps);

/* ---- side by side ------------------------------------------------------------ */

/* Runs of one model with DRY_NATIVE_LANES sets of parameters side by side, by fixed steps. The code
 * uses vector instructions if the host has them. Each lane has the same bits as a separate run, as
 * long as its states are finite. Number i of lane l is at [i DRY_NATIVE_LANES + l]; the arrays
 * begin at a multiple of 64 bytes. */
typedef struct dry_lanes dry_lanes;
enum { DRY_NATIVE_LANES = 16 };

/* `varies[i]`: parameter i of the system may differ between lanes. options->method is the method.
 * Returns NULL on an error. DRY_UNSUPPORTED also means that the model is large, or that it has
 * parts or sets kept. */
DRY_API dry_lanes *dry_lanes_new(const dry_model *model, const bool *varies,
                                 const dry_native_options *options, dry_error *error);
DRY_API void dry_lanes_free(dry_lanes *lanes);
/* Number of values per lane that do not change during a run. */
DRY_API int dry_lanes_fixed(const dry_lanes *lanes);
/* Compute these values, the start and the outputs of one lane; the arrays of one lane have no
 * gaps. */
DRY_API void dry_lanes_prepare(const dry_lanes *lanes, const double *par, double *p);
DRY_API void dry_lanes_start(const dry_lanes *lanes, const double *p, double t, double *x);
DRY_API void dry_lanes_output(const dry_lanes *lanes, const double *p, double t, double tau,
                              const double *x, double *y);
/* `count` steps from t, which has number `grid` on the grid t_start + k step; the last step ends at
 * `end`. Nothing is sampled and no force jumps in between: break times and instants are the
 * caller's. `failed`: a number for each lane, which becomes 1 if a watched condition of the lane
 * fails; may be NULL if the system has no `watch`. */
typedef struct dry_lanes_span {
    double t_start, step, t, end;
    long grid, count;
    double *failed;
} dry_lanes_span;
DRY_API void dry_lanes_march(const dry_lanes *lanes, const double *P, double *X,
                             const dry_lanes_span *span);
/* The rates D of all lanes, for a step of the caller's. */
DRY_API void dry_lanes_rates(const dry_lanes *lanes, const double *P, double t, double tau,
                             const double *X, double *D);
/* After such a step, and at an instant: what `latch` and `watch` of the system do. */
DRY_API void dry_lanes_settle(const dry_lanes *lanes, const double *P, double t, double *X,
                              double *failed);

/* ---- elsewhere -------------------------------------------------------------- */

/* Zero means the default. */
typedef struct dry_export_options {
    bool single;        /* float instead of double */
    const char *prefix; /* prefix of files, types and symbols, so that one program can contain two
                           models; must be a C identifier; default "model" */
    /* Lines for the comment at the top of the header: how far a run can be trusted. Without lines
     * the comment has "not watched". */
    const char *const *notes;
    int n_notes;
    const char *layout; /* a name; default "c" */
    bool sensitive;     /* with the derivatives of the outputs with respect to the states */
} dry_export_options;

/* How the files of an export lie. `use` says what to do with the folder ^ of the prefix ~;
 * `single`: it is always in single precision. */
typedef struct dry_export_layout {
    const char *name, *use;
    bool single;
} dry_export_layout;

/* In their order, from 0; by name. NULL if there is none. */
DRY_API const dry_export_layout *dry_export_layout_at(int i);
DRY_API const dry_export_layout *dry_export_layout_find(const char *name);
/* Writes the names of the methods that a model can be exported for into `text`, separated by
 * commas. */
DRY_API const char *dry_export_methods(char *text, size_t room);
/* Returns the run of the exported main.c: method, step, end and the time between rows. */
DRY_API dry_run_options dry_export_run(const dry_model *model);
/* Writes the model as C99 without dependencies into the folder `path`: model.h, model.c, main.c,
 * Makefile, README.md; in the layout "arduino" a library for the Arduino IDE, with src/model.h,
 * src/model.c, examples/model/model.ino, library.properties, keywords.txt, README.md. The function
 * makes the folder; an existing folder must be empty or an earlier export of the same layout. It is
 * written as a whole or not at all. It omits the parameters and outputs that only measures and
 * plots need. Method and step are those of a run (dry_model_plan). Returns DRY_BAD_ARGUMENT if the
 * prefix is not an identifier, or if the model does not give the length of the run. Returns
 * DRY_UNSUPPORTED for a model with parts, and for a model compiled for a rigid method, because its
 * forces have no K. */
DRY_API dry_status dry_export_c(const dry_model *model, const dry_export_options *options,
                                const char *path, dry_error *error);
/* Returns DRY_OK if a model with this method can be exported; else `error` gets the reason. */
DRY_API dry_status dry_export_can(const dry_model *model, dry_error *error);
/* Numbers of the parameters of the system that an export has, in its order: `par` has room for all
 * of them, and `n` becomes how many there are. */
DRY_API dry_status dry_export_par(const dry_model *model, int *par, int *n, dry_error *error);
/* Makes a shared object of one C file of C99, with the compiler of dry_native_options and the flags
 * that keep the bits. The file `log` in `folder` gets what the compiler prints. `length`: bytes of
 * C in all; the compiler optimizes a long text less. */
DRY_API dry_status dry_export_build(const char *folder, const char *source, const char *object,
                                    size_t length, dry_error *error);
enum { DRY_DIGEST_SIZE = 65 };
/* SHA-256 of the data as 64 hexadecimal digits. */
DRY_API void dry_digest(const void *data, size_t length, char hex[DRY_DIGEST_SIZE]);

/* ---- C source -------------------------------------------------------------- */

/* Options for printing a model as C; zero means the default. */
typedef struct dry_c_options {
    bool kinks;  /* with the switching functions, which adaptive methods need */
    bool smooth; /* with the functions for the rigid scheme, if the model has an inclusion */
    bool
        single; /* the text will become single precision (dry_c_print_single): constants must fit */
    bool lean; /* without the outputs that serve only measures and plots, and without the parameters
                  that nothing else needs; not with `smooth` */
    bool timed;            /* what the rate needs that follows from the time alone is apart, in w */
    const bool *varies;    /* timed, for several sets side by side: parameters that differ between
                              them; w has what is equal in all sets. NULL: one set */
    bool phases, jacobian; /* with these functions of the system */
    bool ticked;    /* sys_latch gets the clocks that sample: bool sys_latch(p, t, ticks, x) */
    bool sensitive; /* with the derivatives of the outputs */
    bool instants;  /* clocks follow the parameters (dry_system.instants) */
} dry_c_options;

/* Prints the model as static functions that compute the same bits as its system (without
 * contraction to fused multiply-adds). The text defines the constants N_STATES, N_OUTPUTS, N_PAR,
 * N_KINKS, N_GUARDS, N_BREAKS, N_FIXED, N_TIMED; p has N_FIXED numbers:
 *     void sys_prepare(par, p)
 *     void sys_start(p, t, x)
 *     void sys_rate, sys_output, sys_kinks(p, t, tau, x, out)
 *     void sys_time(p, t, w), sys_rate(p, w, t, tau, x, out)      timed; w has N_TIMED numbers
 *     void sys_phases(p, t, tau, x, unsigned char *phases)
 *     void sys_jacobian(p, t, tau, x, out)      dry_system's; its rows and columns are those of an
 *                                               implicit method
 *     void sys_output_jacobian(p, t, tau, x, out)    the same of the outputs
 *     int sys_watch(p, t, x)      number of the condition that fails; 0 if none fails
 *     bool sys_latch(p, t, x)
 *     void sys_breaks(p, times)
 *     double sys_next_knot(t)     the first knot of the tables of the time after t, or INFINITY
 *     void sys_smooth(p, t, tau, x, out)      dry_inclusion's `smooth`; x followed by the forces
 *     void sys_gaps, sys_values(p, t, tau, x, out)      its gaps, and all results of `eval`
 *     void sys_carry(c, C, u, out)      steady: c + C u for the states that are not velocities;
 *                                       sys_moves[N_STATES] marks the states that move at all
 * The text omits what the model does not have. The caller must define these before the text: bool,
 * NAN, INFINITY, isinf, the functions of <math.h>, and the macros DRY_INLINE and SYS_RATE (static,
 * inline or not), and may define DRY_LAW (static inline) for the functions of laws. No name of the
 * model occurs in the text. */
DRY_API dry_status dry_model_print_c(const dry_model *model, const dry_c_options *options,
                                     FILE *stream, dry_error *error);
/* Marks the parameters of the equations that a lean text keeps; `used` has an entry for each
 * parameter. Of these, sys_prepare of a lean text computes those that the model's text defines by
 * others, and takes the rest. */
DRY_API dry_status dry_model_par_used(const dry_model *model, bool *used, dry_error *error);
/* Prints a C text with float in place of double: types, constants, functions of <math.h>. */
DRY_API void dry_c_print_single(const char *text, FILE *stream);
/* Lists the functions of <math.h> that compute the values of functions of the language: returns the
 * name of number i and its number of arguments; NULL after the last. Laws also call copysign and
 * nextafter. */
DRY_API const char *dry_c_library(int i, int *n_args);

#ifdef __cplusplus
}
#endif
#endif
