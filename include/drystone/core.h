/* core: what every room needs: version, status codes, assertions, quantities.
 *
 * Floor 0: no heap, no stdio, libc's mem and str functions and libm only. */
#ifndef DRYSTONE_CORE_H
#define DRYSTONE_CORE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DRY_VERSION_MAJOR 0
#define DRY_VERSION_MINOR 1
#define DRY_VERSION_PATCH 0
#define DRY_VERSION "0.1.0"

#if defined(__GNUC__)
#define DRY_API __attribute__((visibility("default")))
#define DRY_INLINE static inline __attribute__((always_inline))
#else
#define DRY_API
#define DRY_INLINE static inline
#endif

#if defined(__GNUC__)
#define DRY_RESTRICT __restrict__ /* C++ has no restrict */
#else
#define DRY_RESTRICT
#endif

/* A failed assertion is a mistake of the programmer, never of the user. */
#if defined(NDEBUG)
#define DRY_ASSERT(condition) ((void)0)
#elif defined(__GNUC__)
#define DRY_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#include <assert.h>
#define DRY_ASSERT(condition) assert(condition)
#endif

/* What a function that can fail returns. */
typedef enum dry_status {
    DRY_OK = 0,
    DRY_BAD_ARGUMENT,   /* a value outside its range, an option that does not fit */
    DRY_NO_MEMORY,      /* allocation failed, or the caller's workspace is too small */
    DRY_NOT_FINITE,     /* a state or a rate became infinite or not a number */
    DRY_STEP_COLLAPSED, /* the adaptive step fell below the resolution of time */
    DRY_TOO_MANY_STEPS, /* the limit on the number of steps was reached */
    DRY_SINGULAR,       /* a linear system has no unique solution */
    DRY_IO,             /* a file could not be read or written */
    DRY_BAD_FILE,       /* a file was read, and its content is wrong */
    DRY_BAD_MODEL,      /* a model is not well posed */
    DRY_RUN_FAILED,     /* a condition watched during a run was violated */
    DRY_UNSUPPORTED,    /* not in this build, or not in this method */
    DRY_STOPPED         /* no error: the model itself says that the run ends here (`stop when`) */
} dry_status;

/* "step collapsed" and the like, for messages. */
DRY_API const char *dry_status_text(dry_status status);

/* A named quantity: a state, an output, a parameter, a column. */
typedef struct dry_quantity {
    const char *name;
    const char *unit; /* SI, such as "m/s"; "" for a pure number */
} dry_quantity;

/* One axis of a picture. */
typedef struct dry_picture_axis {
    const char *label; /* NULL: the names of what is drawn along it */
    bool log;          /* logarithmic: only values > 0 are drawn */
    double low, high;  /* its range; equal: that of the data */
} dry_picture_axis;

/* Why given numbers are wrong, as values: rooms pass these on and never parse a text. */
typedef struct dry_wrong {
    const char *key;     /* the parameter, "alpha"; NULL if the caller knows it */
    const char *what;    /* "must be positive", or "alpha is larger than beta", which names its
                            key */
    const char *way_out; /* "lower alpha"; NULL: the range shows it */
} dry_wrong;

#ifdef __cplusplus
}
#endif
#endif
