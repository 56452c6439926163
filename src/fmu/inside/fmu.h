/* fmu: what the functions of FMI 2.0 and 3.0 share: an instance, its modes, and what
 * computes for it, either exported C (equations.c) or the library (library.c).
 *
 * A value reference is a number: 0 the time, then the states, their rates, outputs, parameters. */
#ifndef FMU_H
#define FMU_H

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define FMU_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMU_EXPORT __attribute__((visibility("default")))
#else
#define FMU_EXPORT
#endif
#if defined(__GNUC__)
#define FMU_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define FMU_PRINTF(at, first)
#endif

/* fmi2Status and fmi3Status */
enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR };

/* The modes of an instance, as bits. */
enum {
    FMU_INSTANTIATED = 1 << 0,
    FMU_INITIALIZATION = 1 << 1,
    FMU_EVENT = 1 << 2,
    FMU_CONTINUOUS = 1 << 3,
    FMU_STEP = 1 << 4,
    FMU_INTERMEDIATE = 1 << 5,
    FMU_TERMINATED = 1 << 6,
    FMU_STEPS = FMU_EVENT | FMU_CONTINUOUS | FMU_STEP,
    FMU_READS = FMU_INITIALIZATION | FMU_STEPS | FMU_INTERMEDIATE | FMU_TERMINATED,
    FMU_BEFORE = FMU_INSTANTIATED | FMU_INITIALIZATION,
    FMU_ALL = FMU_READS | FMU_INSTANTIATED
};

enum { FMU_MODEL_EXCHANGE, FMU_CO_SIMULATION };

/* What a state is: one that has no variable, is held between events, has a rate, is an input; and
 * whether its start can be set. A parameter: none, fixed before the start, tunable. */
enum { FMU_HIDDEN, FMU_HELD, FMU_RATED, FMU_INPUT, FMU_KIND = 3, FMU_STARTS = 4 };
enum { FMU_NO_PAR, FMU_FIXED, FMU_TUNABLE };

enum { FMU_TEXT = 600 };
/* Why something is refused. */
typedef struct fmu_why {
    char text[FMU_TEXT];
} fmu_why;

/* ---- what computes for an instance ------------------------------------------------------- */

typedef struct fmu_facts {
    const char *token;
    int n_states, n_outputs, n_par;
    const unsigned char *state, *par; /* kinds */
    const double *nominal;            /* of the states */
    double step, largest;             /* s: of co-simulation; the longest of model exchange */
    bool exchanges;                   /* can do model exchange */
    int n_jacobian, n_slopes;         /* derivatives of the rates, of the outputs */
    const int *jacobian_row, *jacobian_column, *slope_row, *slope_column;
} fmu_facts;

/* How an advance ends. */
enum { CORE_FINE, CORE_STOPPED, CORE_NOT_FINITE, CORE_FAULT };

typedef struct fmu_core fmu_core;
static fmu_core *core_new(const char *resources, int kind, fmu_why *why);
static void core_free(fmu_core *core);
static const fmu_facts *core_facts(const fmu_core *core);

/* Parameters: whether a value fits; taken by core_take_par, which may refuse all that is new. */
static double core_par(const fmu_core *core, int i);
static bool core_par_fits(const fmu_core *core, int i, double value, fmu_why *why);
static void core_put_par(fmu_core *core, int i, double value);
static bool core_take_par(fmu_core *core, fmu_why *why);
static bool core_default_par(fmu_core *core, fmu_why *why);

/* Begins at t: where set[i], with start[i], all else as the model begins. */
static bool core_begin(fmu_core *core, double t, const unsigned char *set, const double *start,
                       double tolerance, fmu_why *why);
static const double *core_states(fmu_core *core);
static bool core_put_state(fmu_core *core, int i, double value);
/* Of model exchange, at any time and the present states. */
static void core_rate(fmu_core *core, double t, double *rate);
static bool core_output(fmu_core *core, double t, double *y);
static void core_jacobian(fmu_core *core, double t, double *values);
static void core_slopes(fmu_core *core, double t, double *values);
/* What a step or an event at t does to the states; whether it changed any. */
static bool core_latch(fmu_core *core, double t);
/* A condition that does not hold at t, 0: none; whether it ends a run without a fault. */
static int core_watch(fmu_core *core, double t);
static bool core_is_stop(const fmu_core *core, int condition);
static const char *core_condition(const fmu_core *core, int condition);
/* The first time event after t. */
static double core_event(fmu_core *core, double t);
/* Of co-simulation: on to `end`; the time that was reached; the end of the next step. */
static int core_advance(fmu_core *core, double end, fmu_why *why);
static double core_time(const fmu_core *core);
static double core_next(const fmu_core *core);
/* All that the future depends on. */
static size_t core_save_size(const fmu_core *core);
static bool core_save(fmu_core *core, void *bytes, fmu_why *why);
/* tolerance: of the run that was saved. */
static bool core_restore(fmu_core *core, const void *bytes, double tolerance, fmu_why *why);

static inline void fmu_explain(fmu_why *why, const char *format, ...) FMU_PRINTF(2, 3);
static inline void fmu_explain(fmu_why *why, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
}

/* ---- an instance ----------------------------------------------------------------------------- */

/* What is saved and restored beside the model. */
typedef struct fmu_now {
    double time, last, event; /* now; of the last step; of the next time event */
    double stop, tolerance;   /* NAN: not defined */
    double reached;           /* by the last step of co-simulation, s */
    int mode;
    bool changed, moved;       /* by the last step: states; states with rates */
    bool settled;              /* the discrete states of this event are updated */
    bool stale;                /* the start has to be computed again */
    bool stopped;              /* the model has ended its run */
    bool long_said, late_said; /* warnings that are given once */
} fmu_now;

typedef struct fmu fmu;
typedef void fmu_log(const fmu *f, int status, const char *category, const char *text);
/* After each step of co-simulation: false asks to return at *early, s. */
typedef bool fmu_meanwhile(fmu *f, double time, double *early);

struct fmu {
    int kind, muted; /* muted: bits of statuses that are not logged; all while logging is off */
    char *name;
    fmu_core *core;
    const fmu_facts *facts;
    fmu_now now;
    double *start;      /* by state: what the importer has set before the start */
    unsigned char *set; /* by state: whether it has */
    double *work;       /* rates, outputs, directions, derivatives */
    fmu_log *log;
    fmu_meanwhile *meanwhile; /* NULL: not asked for */
    void *environment;
    /* of the version's own functions */
    const void *callbacks;
    void (*hears)(void);
    bool may_return;
};

#endif
