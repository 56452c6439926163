/* Writes a table row by row, as its format says: rows go to the file as they come, or the writer
 * keeps them until the end. */
#include "table.h"
#include <stdlib.h>
#include <string.h>

/* Either the rows go to the file, or the table keeps them. */
struct dry_record_writer {
    const dry_record__format *format;
    char *path;
    int n_columns;
    dry_record *kept; /* NULL: rows go to the file */
    dry_file file;
    void *state; /* of the format */
};

static void free_writer(dry_record_writer *w) {
    dry_record_free(w->kept);
    free(w->path);
    free(w);
}

dry_status dry_record__no_columns(const char *path, dry_error *error) {
    return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                            "the table has no columns, so there is nothing to write; record at "
                            "least one quantity");
}

static dry_status begin(dry_record_writer *w, const dry_quantity *columns, dry_error *error) {
    if (!w->format->rows) {
        w->kept = dry_record_new(columns, w->n_columns);
        return w->kept ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    const dry_status status = dry_file_open(&w->file, w->path, error);
    if (status != DRY_OK) return status;
    const dry_status begun =
        w->format->rows->begin(&w->file, columns, w->n_columns, &w->state, error);
    if (begun != DRY_OK) dry_file_abandon(&w->file);
    return begun;
}

dry_status dry_record_writer_new(const dry_quantity *columns, int n_columns, const char *path,
                                 dry_record_writer **writer, dry_error *error) {
    const dry_record__format *f = dry_record__find_format(path);
    *writer = NULL;
    dry_status status =
        n_columns > 0 ? dry_record_can_write(path, error) : dry_record__no_columns(path, error);
    if (status != DRY_OK) return status;
    dry_record_writer *w = calloc(1, sizeof *w);
    char *copy = w ? malloc(strlen(path) + 1) : NULL;
    if (!copy) {
        free(w);
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    w->format = f;
    w->path = strcpy(copy, path);
    w->n_columns = n_columns;
    status = begin(w, columns, error);
    if (status == DRY_OK)
        *writer = w;
    else
        free_writer(w);
    return status;
}

dry_status dry_record_writer_add(dry_record_writer *w, const double *row) {
    return w->kept ? dry_record_add(w->kept, row) : w->format->rows->add(w->state, row);
}

/* Brings all rows into the file; without success there is none. */
static dry_status end(dry_record_writer *w, dry_error *error) {
    const dry_status status = w->format->rows->end(w->state, error);
    if (status != DRY_OK) dry_file_abandon(&w->file);
    return status;
}

dry_status dry_record_writer_commit(dry_record_writer *w, dry_error *error) {
    dry_status status = w->kept ? w->format->write(w->kept, w->path, error) : end(w, error);
    if (!w->kept && status == DRY_OK) status = dry_file_commit(&w->file, error);
    free_writer(w);
    return status;
}

/* What is kept goes to a file of the partial name, which one on its way there has. */
static dry_status write_kept(const dry_record_writer *w, char **name, dry_error *error) {
    *name = dry_file_partial_name(w->path);
    const dry_status status = *name ? w->format->write(w->kept, *name, error)
                                    : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) return status;
    free(*name);
    *name = NULL;
    return status;
}

dry_status dry_record_writer_partial(dry_record_writer *w, char **name, dry_error *error) {
    *name = NULL;
    dry_status status = w->kept ? write_kept(w, name, error) : end(w, error);
    if (!w->kept && status == DRY_OK) status = dry_file_commit_partial(&w->file, name, error);
    free_writer(w);
    return status;
}

void dry_record_writer_abandon(dry_record_writer *w) {
    if (w == NULL) return;
    if (!w->kept) {
        w->format->rows->abandon(w->state);
        dry_file_abandon(&w->file);
    }
    free_writer(w);
}
