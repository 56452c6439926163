/* record: a table of named columns with units; CSV and HDF5; statistics; comparison.
 *
 * Floor 1: core, base. */
#ifndef DRYSTONE_RECORD_H
#define DRYSTONE_RECORD_H

#include <drystone/base.h>
#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dry_record dry_record;

/* An empty table with these columns; names and units are copied. NULL without memory. */
DRY_API dry_record *dry_record_new(const dry_quantity *columns, int n_columns);
/* A read-only table of some columns of another, in this order. It copies names but shares the
 * values of `from`, which must outlive it and must not change. NULL without memory. */
DRY_API dry_record *dry_record_pick(const dry_record *from, const int *columns, int n_columns);
DRY_API void dry_record_free(dry_record *record);

DRY_API int dry_record_columns(const dry_record *record);
DRY_API size_t dry_record_rows(const dry_record *record);
DRY_API dry_quantity dry_record_quantity(const dry_record *record, int column);
/* The column of that name, -1 if there is none. */
DRY_API int dry_record_find(const dry_record *record, const char *name);
/* The values of a column, dry_record_rows of them; valid until the next change of the table. */
DRY_API const double *dry_record_values(const dry_record *record, int column);

/* Reserves memory for so many rows in all; adding them then allocates nothing. */
DRY_API dry_status dry_record_reserve(dry_record *record, size_t rows);
/* Removes all rows; their memory stays reserved. */
DRY_API void dry_record_clear(dry_record *record);
/* Appends a row of dry_record_columns values. */
DRY_API dry_status dry_record_add(dry_record *record, const double *row);

/* Writes RFC 4180 with a header of `name [unit]` and the shortest exact numbers; the file is
 * written whole or not at all. */
DRY_API dry_status dry_record_write_csv(const dry_record *record, const char *path,
                                        dry_error *error);
/* Reads what write_csv writes, and plain CSV with one header line; errors carry line and column. An
 * empty field is nan; blank lines are skipped. */
DRY_API dry_status dry_record_read_csv(const char *path, dry_record **record, dry_error *error);
/* Writes a dataset per column with its unit as attribute, or one array if there are very many
 * columns (docs/results.md). Reads these files and those of other programs. Returns DRY_UNSUPPORTED
 * if the build has no HDF5. */
DRY_API dry_status dry_record_write_hdf5(const dry_record *record, const char *path,
                                         dry_error *error);
DRY_API dry_status dry_record_read_hdf5(const char *path, dry_record **record, dry_error *error);
DRY_API bool dry_record_has_hdf5(void);
/* Choose the format by the ending of `path`: .csv, .h5, .hdf5; CSV for "-" (standard output or
 * input). */
DRY_API dry_status dry_record_write(const dry_record *record, const char *path, dry_error *error);
DRY_API dry_status dry_record_read(const char *path, dry_record **record, dry_error *error);
/* Whether the ending names a format that this build writes; if not, the error says what to do. */
DRY_API dry_status dry_record_can_write(const char *path, dry_error *error);

/* Writes a table row by row, so that it need not fit into memory: CSV and HDF5
 * (of up to 1000 columns) go to the disk as they come. commit writes the file whole, under its
 * name; partial under a name that says that it is not, x.partial.csv, which the caller frees ("":
 * it was written directly, NULL: it failed); abandon leaves none. Each of the three frees the
 * writer. The columns are copied. */
typedef struct dry_record_writer dry_record_writer;
DRY_API dry_status dry_record_writer_new(const dry_quantity *columns, int n_columns,
                                         const char *path, dry_record_writer **writer,
                                         dry_error *error);
/* Returns DRY_NO_MEMORY, or DRY_IO once the file takes no more, as on a full disk: commit then says
 * why. */
DRY_API dry_status dry_record_writer_add(dry_record_writer *writer, const double *row);
DRY_API dry_status dry_record_writer_commit(dry_record_writer *writer, dry_error *error);
DRY_API dry_status dry_record_writer_partial(dry_record_writer *writer, char **name,
                                             dry_error *error);
DRY_API void dry_record_writer_abandon(dry_record_writer *writer);

/* Statistics of column y, weighted by the time in column t (trapezoid rule), from time a to b
 * (ends interpolated; a <= b within the record's times, -INFINITY and INFINITY for its ends). */
typedef struct dry_record_stats {
    double min, max, mean, rms, integral, first, last;
} dry_record_stats;
DRY_API dry_status dry_record_statistics(const dry_record *record, int t, int y, double a, double b,
                                         dry_record_stats *stats);
/* The same of points that come one after the other; `end` returns DRY_BAD_ARGUMENT where the
 * function above does. The fields are private. */
typedef struct dry_record_sums {
    double a, b;               /* as given, then within the times */
    double asked_a, asked_b;   /* as given */
    double begin, t, y, first; /* the first time; the last point; y at a */
    double at, value;          /* the last point that is summed up */
    double min, max, integral, square;
    bool any, started, done, backwards;
} dry_record_sums;
DRY_API void dry_record_sums_begin(dry_record_sums *sums, double a, double b);
DRY_API void dry_record_sums_add(dry_record_sums *sums, double t, double y);
DRY_API dry_status dry_record_sums_end(dry_record_sums *sums, dry_record_stats *stats);
/* The value of column y at time `time`, interpolated linearly; the last of rows with equal times
 * counts. Returns nan outside; up to a relative 1e-12 beyond an end counts as the end, also for a
 * and b above. */
DRY_API double dry_record_at(const dry_record *record, int t, int y, double time);

/* Compares the columns of `expected` with those of the same name in `actual`, at the times of
 * `expected` (the column t, else the first): |actual - expected| <= atol + rtol |expected|. On
 * DRY_OK `worst` holds the largest ratio of difference to tolerance and where it occurs; the tables
 * agree if the ratio is <= 1. Returns an error if `actual` lacks a column, has another unit, or
 * does not cover the times. */
typedef struct dry_record_difference {
    double ratio;
    int column; /* of `expected` */
    double t, expected, actual;
} dry_record_difference;
DRY_API dry_status dry_record_compare(const dry_record *expected, const dry_record *actual,
                                      double rtol, double atol, dry_record_difference *worst,
                                      dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
