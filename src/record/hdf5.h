/* What writing and reading HDF5 share. */
#ifndef DRYSTONE_RECORD_HDF5_H
#define DRYSTONE_RECORD_HDF5_H

#include "table.h"

#ifdef DRY_WITH_HDF5
#include <hdf5.h>

/* The library is entered by one thread at a time and keeps silent; the first failure is noted. */
typedef struct dry_record__hdf5 {
    H5E_auto2_t print;
    void *print_data;
    char cause[160];
} dry_record__hdf5;

void dry_record__hdf5_enter(dry_record__hdf5 *session);
void dry_record__hdf5_leave(dry_record__hdf5 *session);
/* Whether a result of the library is good; notes the cause where it is not. */
bool dry_record__hdf5_good(dry_record__hdf5 *session, hid_t result);

#else
/* The error of a build without HDF5, with a way out. */
dry_status dry_record__hdf5_missing(const char *path, dry_error *error);
#endif

#endif
