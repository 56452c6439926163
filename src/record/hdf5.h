/* What writing and reading HDF5 share. */
#ifndef DRYSTONE_RECORD_HDF5_H
#define DRYSTONE_RECORD_HDF5_H

#include "table.h"

#ifdef DRY_WITH_HDF5
#include <hdf5.h>

/* The library, as hdf5_calls.def lists it: h5.Dopen2 is H5Dopen2. There after
 * dry_record__hdf5_missing has returned DRY_OK. */
#define CALL(name) __typeof__(H5##name) *name;
typedef struct dry_record__hdf5_calls {
#include "hdf5_calls.def"
} dry_record__hdf5_calls;
#undef CALL
extern dry_record__hdf5_calls dry_record__h5;
#define h5 dry_record__h5
/* The constants of hdf5.h would call the library; dry_record__hdf5_enter does so. */
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

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

/* Chunks, shuffled and deflated where the library can, for a list of H5Pcreate. */
void dry_record__hdf5_chunks(hid_t list, int rank, const hsize_t *chunk);

/* A table of many columns as one array (hdf5_wide.c). */
bool dry_record__hdf5_write_wide(dry_record__hdf5 *session, hid_t file, const dry_record *record);
/* Whether a file has one, and its size. */
bool dry_record__hdf5_is_wide(hid_t file, size_t *columns, size_t *rows);
/* On false *record is NULL or to be freed; without a cause in the session memory was missing. */
bool dry_record__hdf5_read_wide(dry_record__hdf5 *session, hid_t file, dry_arena *arena,
                                size_t columns, size_t rows, dry_record **record);
#endif

/* The error of a build or a machine without HDF5, with a way out; DRY_OK where it is there. */
dry_status dry_record__hdf5_missing(const char *path, dry_error *error);

#endif
