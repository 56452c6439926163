/* crew: processes that share one piece of work.
 *
 * Floor 1, room base: core. */
#ifndef DRYSTONE_CREW_H
#define DRYSTONE_CREW_H

#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Processes that do one piece of work together, a sweep or a fit from several starts, each with the
 * same options. All functions return false if the other processes cannot be reached. One thread at
 * a time calls them. */
typedef struct dry_processes {
    int rank, size; /* this one, of how many; rank 0 keeps the journal and gets the result */
    void *user;
    bool (*share)(void *user, void *data, size_t bytes);      /* from rank 0 to all */
    bool (*send)(void *user, const double *values, size_t n); /* to rank 0 */
    bool (*receive)(void *user, double *values, size_t n);    /* on rank 0, of any */
} dry_processes;

#ifdef __cplusplus
}
#endif
#endif
