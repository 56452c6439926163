/* Writes a table as HDF5: in the root group one dataset per column, with the attributes `unit` and
 * `column` (its place, from 0); very many columns as hdf5_wide.c says.
 *
 * A table may have more columns than rows, so that what a column takes besides its values counts.
 * Datasets remember the order of their attributes, which gives them the short headers of HDF5 1.8.
 * Few values lie in the header itself; more are chunked, shuffled and deflated, with an index of
 * chunks as large as they need. Long tables are written in blocks (hdf5_stream.c).
 *
 * The library builds the file in memory and never sees the disk, where a failure would leave it
 * with a file that it can neither write nor close. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 1 << 22, NAME_SIZE = 1024 };
/* A table of more columns is written as one array. */
enum { COLUMNS_MOST = 1000 };
/* Rows of a chunk, and rows up to which chunks take more than deflating saves. */
enum { CHUNK_ROWS = 1 << 15, HEADER_ROWS = 128 };
/* Values that a table may have before it is written in blocks. */
enum { BLOCK_VALUES = 1 << 21 };
/* A node of the index of chunks has room for twice so many by default. */
enum { INDEX_HALF = 32 };

#define GOOD(result) dry_record__hdf5_good(s, (hid_t)(result))

static bool is_wide(const dry_record *record) { return record->n_columns > COLUMNS_MOST; }

/* A column's name as that of a dataset: a slash would be a group, a single point the group itself,
 * and the percent sign marks both. */
static bool escape(const char *name, char dataset[NAME_SIZE]) {
    size_t n = 0;
    bool point = strcmp(name, ".") == 0;
    for (; *name != '\0' && n + 4 < NAME_SIZE; name++) {
        if (*name == '/' || *name == '%' || point) {
            n += (size_t)snprintf(dataset + n, NAME_SIZE - n, "%%%02X", (unsigned)*name);
        } else {
            dataset[n++] = *name;
        }
    }
    dataset[n] = '\0';
    return *name == '\0' && n > 0;
}

/* ---- what all columns share ------------------------------------------------- */

typedef dry_record__hdf5_kit kit;

/* Without times, so that equal tables give equal files. */
hid_t dry_record__hdf5_new_list(void) {
    hid_t list = h5.Pcreate(*h5.P_CLS_DATASET_CREATE_ID_g);
    h5.Pset_obj_track_times(list, false);
    h5.Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
    return list;
}

static hid_t new_layout(size_t rows) {
    hid_t list = dry_record__hdf5_new_list();
    const hsize_t chunk = rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
    if (rows > HEADER_ROWS)
        dry_record__hdf5_chunks(list, 1, &chunk);
    else if (rows > 0)
        h5.Pset_layout(list, H5D_COMPACT);
    return list;
}

static hid_t new_names(void) {
    hid_t list = h5.Pcreate(*h5.P_CLS_LINK_CREATE_ID_g);
    h5.Pset_char_encoding(list, H5T_CSET_UTF8);
    return list;
}

static hid_t new_text(void) {
    hid_t type = h5.Tcopy(*h5.T_C_S1_g);
    h5.Tset_size(type, H5T_VARIABLE);
    h5.Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t new_rows(size_t rows) {
    hsize_t size = rows;
    return h5.Screate_simple(1, &size, NULL);
}

/* Half the room of a node in which all chunks of a column fit: HDF5 1.10 splits small ones badly.
 */
static unsigned index_half(const dry_record *record) {
    const size_t half = (record->rows / CHUNK_ROWS + 2) / 2;
    return is_wide(record) || half > INDEX_HALF ? INDEX_HALF : (unsigned)half;
}

/* A file that lives in memory only. */
static hid_t new_file(const dry_record *record) {
    hid_t memory = h5.Pcreate(*h5.P_CLS_FILE_ACCESS_ID_g),
          list = h5.Pcreate(*h5.P_CLS_FILE_CREATE_ID_g);
    h5.Pset_fapl_core(memory, GROWTH, false);
    h5.Pset_obj_track_times(list, false);
    h5.Pset_istore_k(list, index_half(record));
    hid_t file = h5.Fcreate("table", H5F_ACC_TRUNC, list, memory);
    h5.Pclose(list);
    h5.Pclose(memory);
    return file;
}

/* Does not check its handles: the first call that uses an invalid one fails. */
kit dry_record__hdf5_open_kit(void) {
    return (kit){.names = new_names(), .one = h5.Screate(H5S_SCALAR), .text = new_text()};
}

static kit open_kit(const dry_record *record) {
    kit k = dry_record__hdf5_open_kit();
    k.file = new_file(record);
    k.layout = new_layout(record->rows);
    k.rows = new_rows(record->rows);
    return k;
}

void dry_record__hdf5_close_kit(kit *k) {
    h5.Tclose(k->text);
    h5.Sclose(k->one);
    h5.Sclose(k->rows);
    h5.Pclose(k->layout);
    h5.Pclose(k->names);
    h5.Fclose(k->file);
}

/* ---- a column --------------------------------------------------------------- */

static bool write_attribute(dry_record__hdf5 *s, const kit *k, hid_t dataset, const char *name,
                            hid_t file_type, hid_t memory_type, const void *value) {
    hid_t attribute = h5.Acreate2(dataset, name, file_type, k->one, H5P_DEFAULT, H5P_DEFAULT);
    bool good = GOOD(attribute) && GOOD(h5.Awrite(attribute, memory_type, value));
    h5.Aclose(attribute);
    return good;
}

bool dry_record__hdf5_write_attributes(dry_record__hdf5 *s, const kit *k, hid_t dataset,
                                       const dry_quantity *q, int i) {
    return write_attribute(s, k, dataset, "unit", k->text, k->text, &q->unit) &&
           write_attribute(s, k, dataset, "column", *h5.T_STD_I32LE_g, *h5.T_NATIVE_INT_g, &i);
}

hid_t dry_record__hdf5_create_dataset(const kit *k, const dry_quantity *q) {
    char name[NAME_SIZE];
    escape(q->name, name);
    return h5.Dcreate2(k->file, name, *h5.T_IEEE_F64LE_g, k->rows, k->names, k->layout,
                       H5P_DEFAULT);
}

static bool write_values(dry_record__hdf5 *s, hid_t dataset, const dry_record *record, int i) {
    hid_t all = H5S_ALL, plain = H5P_DEFAULT, type = *h5.T_NATIVE_DOUBLE_g;
    return record->rows == 0 || GOOD(h5.Dwrite(dataset, type, all, all, plain, record->values[i]));
}

static bool write_column(dry_record__hdf5 *s, const kit *k, const dry_record *record, int i) {
    const dry_quantity *q = &record->quantities[i];
    hid_t dataset = dry_record__hdf5_create_dataset(k, q);
    bool good = GOOD(dataset) && write_values(s, dataset, record, i) &&
                dry_record__hdf5_write_attributes(s, k, dataset, q, i);
    h5.Dclose(dataset);
    return good;
}

/* ---- the file --------------------------------------------------------------- */

/* The bytes of the file, to be freed by the caller; NULL if that fails. */
static void *copy_image(dry_record__hdf5 *s, hid_t file, size_t *size) {
    ssize_t length =
        GOOD(h5.Fflush(file, H5F_SCOPE_GLOBAL)) ? h5.Fget_file_image(file, NULL, 0) : -1;
    if (!GOOD(length)) return NULL;
    *size = (size_t)length;
    void *image = malloc(*size);
    if (image == NULL || GOOD(h5.Fget_file_image(file, image, *size))) return image;
    free(image);
    return NULL;
}

static bool write_columns(dry_record__hdf5 *s, const kit *k, const dry_record *record) {
    bool good = true;
    for (int i = 0; good && i < record->n_columns; i++) good = write_column(s, k, record, i);
    return good;
}

static void *build_image(dry_record__hdf5 *s, const dry_record *record, size_t *size) {
    kit k = open_kit(record);
    const bool good =
        GOOD(k.file) && (is_wide(record) ? dry_record__hdf5_write_wide(s, k.file, record)
                                         : write_columns(s, &k, record));
    void *image = good ? copy_image(s, k.file, size) : NULL;
    dry_record__hdf5_close_kit(&k);
    return image;
}

/* Every column needs a name of its own. */
dry_status dry_record__hdf5_check_names(const dry_record *record, const char *path,
                                        dry_error *error) {
    char dataset[NAME_SIZE];
    for (int i = 0; i < record->n_columns; i++) {
        const char *name = record->quantities[i].name;
        if (!escape(name, dataset)) {
            return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                    "column %d has %s name, which HDF5 cannot store; rename it",
                                    i + 1, name[0] == '\0' ? "an empty" : "too long a");
        }
        if (dry_record_find(record, name) != i) {
            return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                    "two columns are named %s, which HDF5 cannot store; rename one",
                                    name);
        }
    }
    return DRY_OK;
}

dry_status dry_record__hdf5_write_image(const dry_record *record, dry_file *file,
                                        dry_error *error) {
    dry_record__hdf5 session;
    size_t size;
    dry_record__hdf5_enter(&session);
    void *image = build_image(&session, record, &size);
    dry_record__hdf5_leave(&session);
    if (image == NULL) {
        return dry_error_set_at(error, DRY_NO_MEMORY, file->path, 0, 0,
                                "cannot build the HDF5 file in memory: %s; write .csv",
                                session.cause[0] == '\0' ? "out of memory" : session.cause);
    }
    fwrite(image, 1, size, file->stream); /* commit reports a failure */
    free(image);
    return DRY_OK;
}

size_t dry_record__hdf5_block_rows(int n_columns) {
    if (n_columns == 0 || n_columns > COLUMNS_MOST) return 0;
    const size_t fit = BLOCK_VALUES / (size_t)n_columns;
    return fit < CHUNK_ROWS ? fit : CHUNK_ROWS;
}

/* A long table as if its rows came one by one, so that equal tables give equal files. */
static dry_status write_rows(const dry_record *record, dry_file *file, dry_error *error) {
    const dry_record__rows *rows = &dry_record__hdf5_rows;
    double row[COLUMNS_MOST];
    void *state;
    dry_status status = rows->begin(file, record->quantities, record->n_columns, &state, error);
    if (status != DRY_OK) return status;
    for (size_t k = 0; status == DRY_OK && k < record->rows; k++) {
        for (int i = 0; i < record->n_columns; i++) row[i] = record->values[i][k];
        status = rows->add(state, row);
    }
    if (status == DRY_OK || status == DRY_IO) return rows->end(state, error);
    rows->abandon(state);
    return dry_error_set_at(error, status, file->path, 0, 0, "out of memory; write .csv");
}

dry_status dry_record_write_hdf5(const dry_record *record, const char *path, dry_error *error) {
    dry_file file;
    dry_status status = dry_record__hdf5_check_names(record, path, error);
    if (status == DRY_OK) status = dry_record__hdf5_missing(path, error);
    if (status == DRY_OK) status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    const size_t most = file.temporary ? dry_record__hdf5_block_rows(record->n_columns) : 0;
    status = (most > 0 && record->rows > most ? write_rows
                                              : dry_record__hdf5_write_image)(record, &file, error);
    if (status == DRY_OK) return dry_file_commit(&file, error);
    dry_file_abandon(&file);
    return status;
}

#else
dry_status dry_record_write_hdf5(const dry_record *record, const char *path, dry_error *error) {
    (void)record;
    return dry_record__hdf5_missing(path, error);
}
#endif
