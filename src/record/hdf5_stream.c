/* Writes a long table as HDF5 while it grows: blocks of rows go to the end of one dataset per
 * column, in chunks that are not compressed, because deflating takes longer than to write the table
 * as CSV.
 *
 * A table that fits into a block, or that has very many columns, is kept, and written as
 * hdf5_write.c does it. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <stdlib.h>

#define GOOD(result) dry_record__hdf5_good(s, (hid_t)(result))

typedef struct stream {
    dry_file *file;
    dry_record *block;
    size_t most;  /* rows of a block; 0: it takes all */
    hsize_t rows; /* in the file */
    hid_t to;     /* the file of the library; only if there are rows in it */
    hid_t *datasets;
    dry_record__hdf5 session;
} stream;

/* ---- the datasets --------------------------------------------------------- */

static hid_t new_layout(hsize_t rows) {
    hid_t list = dry_record__hdf5_new_list();
    h5.Pset_chunk(list, 1, &rows);
    return list;
}

static dry_record__hdf5_kit open_kit(const stream *w) {
    const hsize_t none = 0, any = H5S_UNLIMITED;
    dry_record__hdf5_kit k = dry_record__hdf5_open_kit();
    k.file = w->to;
    k.layout = new_layout(w->most);
    k.rows = h5.Screate_simple(1, &none, &any);
    return k;
}

static bool create_datasets(stream *w) {
    dry_record__hdf5 *s = &w->session;
    bool good = GOOD(w->to);
    dry_record__hdf5_kit k = open_kit(w);
    for (int i = 0; good && i < w->block->n_columns; i++) {
        const dry_quantity *q = &w->block->quantities[i];
        w->datasets[i] = dry_record__hdf5_create_dataset(&k, q);
        good =
            GOOD(w->datasets[i]) && dry_record__hdf5_write_attributes(s, &k, w->datasets[i], q, i);
    }
    k.file = -1; /* stays open */
    dry_record__hdf5_close_kit(&k);
    return good;
}

static bool open_file(stream *w) {
    w->datasets = calloc((size_t)w->block->n_columns + 1, sizeof *w->datasets);
    if (!w->datasets) return false;
    w->to = dry_record__hdf5_create(w->file->stream);
    return create_datasets(w);
}

static void close_file(stream *w) {
    if (!w->datasets) return;
    for (int i = 0; i < w->block->n_columns; i++)
        if (w->datasets[i] > 0) h5.Dclose(w->datasets[i]);
    if (w->to > 0) h5.Fclose(w->to);
    free(w->datasets);
    w->datasets = NULL;
}

/* ---- the blocks ----------------------------------------------------------- */

static bool append(stream *w, int i) {
    dry_record__hdf5 *s = &w->session;
    const hsize_t n = w->block->rows, all = w->rows + n;
    if (!GOOD(h5.Dset_extent(w->datasets[i], &all))) return false;
    hid_t here = h5.Screate_simple(1, &n, NULL), there = h5.Dget_space(w->datasets[i]);
    const bool good = GOOD(h5.Sselect_hyperslab(there, H5S_SELECT_SET, &w->rows, NULL, &n, NULL)) &&
                      GOOD(h5.Dwrite(w->datasets[i], *h5.T_NATIVE_DOUBLE_g, here, there,
                                     H5P_DEFAULT, w->block->values[i]));
    h5.Sclose(there);
    h5.Sclose(here);
    return good;
}

static bool flush(stream *w) {
    bool good = w->datasets || open_file(w);
    for (int i = 0; good && i < w->block->n_columns; i++) good = append(w, i);
    w->rows += w->block->rows;
    dry_record_clear(w->block);
    return good;
}

/* ---- a table that grows --------------------------------------------------- */

static void free_stream(stream *w) {
    dry_record_free(w->block);
    free(w);
}

static dry_status begin(dry_file *file, const dry_quantity *columns, int n, void **state,
                        dry_error *error) {
    stream *w = calloc(1, sizeof *w);
    dry_record *block = w ? dry_record_new(columns, n) : NULL;
    *state = w;
    if (!block) {
        free(w);
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    *w = (stream){.file = file, .block = block};
    if (file->temporary) w->most = dry_record__hdf5_block_rows(n);
    const dry_status status = dry_record__hdf5_check_names(block, file->path, error);
    if (status != DRY_OK) free_stream(w);
    return status;
}

static dry_status add(void *state, const double *row) {
    stream *w = state;
    bool good = true;
    if (w->most > 0 && w->block->rows == w->most) {
        dry_record__hdf5_enter(&w->session);
        good = flush(w);
        dry_record__hdf5_leave(&w->session);
    }
    if (ferror(w->file->stream)) return DRY_IO;
    return good ? dry_record_add(w->block, row) : DRY_NO_MEMORY;
}

/* Why a disk fails is reported by the commit of the file. */
static dry_status end(void *state, dry_error *error) {
    stream *w = state;
    const char *path = w->file->path;
    dry_status status = DRY_OK;
    if (w->datasets) {
        dry_record__hdf5_enter(&w->session);
        if (!flush(w) && !ferror(w->file->stream))
            status = dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0,
                                      "cannot write HDF5: %s; write .csv", w->session.cause);
        close_file(w);
        dry_record__hdf5_leave(&w->session);
    } else {
        status = dry_record__hdf5_write_image(w->block, w->file, error);
    }
    free_stream(w);
    return status;
}

static void abandon(void *state) {
    stream *w = state;
    if (w->datasets) {
        dry_record__hdf5_enter(&w->session);
        close_file(w);
        dry_record__hdf5_leave(&w->session);
    }
    free_stream(w);
}

const dry_record__rows dry_record__hdf5_rows = {begin, add, end, abandon};
#else
const dry_record__rows dry_record__hdf5_rows = {0};
#endif
