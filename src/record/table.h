/* The table as the files of this room see it. */
#ifndef DRYSTONE_RECORD_TABLE_H
#define DRYSTONE_RECORD_TABLE_H

#include <drystone/record.h>

struct dry_record {
    int n_columns;
    size_t rows, capacity;
    dry_arena *names; /* holds the texts of the quantities, and the three arrays */
    dry_quantity *quantities;
    const dry_quantity **sorted; /* the same by name, of equal names the first column first */
    double **values;             /* one array of `capacity` per column */
    bool borrowed;               /* the values belong to another table */
};

/* What formats.def names: writes a table row by row into a file that is open. `end` leaves all of
 * it in the stream, so that it can be committed; `end` and `abandon` free the state. */
typedef struct dry_record__rows {
    dry_status (*begin)(dry_file *file, const dry_quantity *columns, int n, void **state,
                        dry_error *error);
    dry_status (*add)(void *state, const double *row);
    dry_status (*end)(void *state, dry_error *error);
    void (*abandon)(void *state);
} dry_record__rows;
extern const dry_record__rows dry_record__csv_rows, dry_record__hdf5_rows;
/* The error of a table without columns. */
dry_status dry_record__no_columns(const char *path, dry_error *error);

typedef dry_status dry_record__writer(const dry_record *record, const char *path, dry_error *error);
typedef dry_status dry_record__reader(const char *path, dry_record **record, dry_error *error);
#define FORMAT(ending, write, read, missing, rows)                                                 \
    dry_record__writer write;                                                                      \
    dry_record__reader read;
#include "formats.def"
#undef FORMAT

/* A row of formats.def. */
typedef struct dry_record__format {
    const char *ending;
    dry_record__writer *write;
    dry_record__reader *read;
    dry_status (*missing)(const char *path, dry_error *error);
    const dry_record__rows *rows;
} dry_record__format;

/* By the ending of the path; NULL: it has none of them. */
const dry_record__format *dry_record__find_format(const char *path);

/* Where a time lies between rows: the value of a column there is y[row] + s (y[row+1] - y[row]). */
typedef struct dry_record__place {
    size_t row;
    double s; /* in [0, 1) */
} dry_record__place;

/* The place of `time` among n increasing times; of equal times the last. A time beyond the ends by
 * rounding only is taken as the end. False outside. */
bool dry_record__locate(const double *t, size_t n, double time, dry_record__place *place);
double dry_record__value(const double *y, dry_record__place place);

#endif
