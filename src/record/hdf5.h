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
/* Whether a result of the library is good; notes the cause if it is not. */
bool dry_record__hdf5_good(dry_record__hdf5 *session, hid_t result);

/* Chunks, shuffled and deflated if the library can, for a list of H5Pcreate. */
void dry_record__hdf5_chunks(hid_t list, int rank, const hsize_t *chunk);

/* What all columns of a file share (hdf5_write.c). */
typedef struct dry_record__hdf5_kit {
    hid_t file;
    hid_t names;  /* how datasets are named */
    hid_t layout; /* how they are stored */
    hid_t rows;   /* how many values they have */
    hid_t one;    /* an attribute has one value */
    hid_t text;
} dry_record__hdf5_kit;

/* With names, one and text; the caller adds the others. close also closes the file. */
dry_record__hdf5_kit dry_record__hdf5_open_kit(void);
void dry_record__hdf5_close_kit(dry_record__hdf5_kit *kit);
/* A list for layouts. */
hid_t dry_record__hdf5_new_list(void);
/* The dataset of a column, and its attributes. */
hid_t dry_record__hdf5_create_dataset(const dry_record__hdf5_kit *kit, const dry_quantity *q);
bool dry_record__hdf5_write_attributes(dry_record__hdf5 *session, const dry_record__hdf5_kit *kit,
                                       hid_t dataset, const dry_quantity *q, int column);
/* Every column needs a name of its own. */
dry_status dry_record__hdf5_check_names(const dry_record *record, const char *path,
                                        dry_error *error);
/* How many rows of a table are kept before they go to the file; 0: all of them. */
size_t dry_record__hdf5_block_rows(int n_columns);
/* The whole table, which is built in memory. */
dry_status dry_record__hdf5_write_image(const dry_record *record, dry_file *file, dry_error *error);
/* A file of the library that writes to a stream (hdf5_driver.c). */
hid_t dry_record__hdf5_create(FILE *stream);

/* A table of many columns as one array (hdf5_wide.c). */
bool dry_record__hdf5_write_wide(dry_record__hdf5 *session, hid_t file, const dry_record *record);
/* Whether a file has one, and its size. */
bool dry_record__hdf5_is_wide(hid_t file, size_t *columns, size_t *rows);
/* On false *record is NULL or to be freed; without a cause in the session memory was missing. */
bool dry_record__hdf5_read_wide(dry_record__hdf5 *session, hid_t file, dry_arena *arena,
                                size_t columns, size_t rows, dry_record **record);
#endif

/* The error of a build or a computer without HDF5, with a way out; DRY_OK if it is there. */
dry_status dry_record__hdf5_missing(const char *path, dry_error *error);

#endif
