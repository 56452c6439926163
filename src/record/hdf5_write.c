/* Writes a table as HDF5: in the root group one dataset per column, chunked, shuffled and deflated,
 * with the attributes `unit` and `column` (its place, from 0).
 *
 * The library builds the file in memory and never sees the disk, where a failure would leave it
 * with a file that it can neither write nor close. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 1 << 22, CHUNK_ROWS = 1 << 15, DEFLATE_LEVEL = 1, NAME_SIZE = 1024 };

#define GOOD(result) dry_record__hdf5_good(s, (hid_t)(result))

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

static bool write_attribute(dry_record__hdf5 *s, hid_t dataset, const char *name, hid_t file_type,
                            hid_t memory_type, const void *value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(dataset, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = GOOD(attribute) && GOOD(H5Awrite(attribute, memory_type, value));
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

static bool write_unit(dry_record__hdf5 *s, hid_t dataset, const char *unit) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = GOOD(H5Tset_size(type, H5T_VARIABLE)) && GOOD(H5Tset_cset(type, H5T_CSET_UTF8)) &&
                write_attribute(s, dataset, "unit", type, type, &unit);
    H5Tclose(type);
    return good;
}

/* Chunks, compressed where the library can; an empty dataset has no chunks. */
static hid_t layout(size_t rows) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false); /* equal tables give equal files */
    if (rows == 0) return list;
    hsize_t chunk = rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
    H5Pset_chunk(list, 1, &chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, DEFLATE_LEVEL);
    }
    return list;
}

static bool write_content(dry_record__hdf5 *s, hid_t dataset, const dry_record *record, int i) {
    const double *values = record->values[i];
    hid_t all = H5S_ALL, plain = H5P_DEFAULT, type = H5T_NATIVE_DOUBLE;
    if (record->rows > 0 && !GOOD(H5Dwrite(dataset, type, all, all, plain, values))) return false;
    return write_unit(s, dataset, record->quantities[i].unit) &&
           write_attribute(s, dataset, "column", H5T_STD_I32LE, H5T_NATIVE_INT, &i);
}

static bool write_column(dry_record__hdf5 *s, hid_t file, const dry_record *record, int i) {
    char name[NAME_SIZE];
    hsize_t rows = record->rows;
    escape(record->quantities[i].name, name);
    hid_t names = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &rows, NULL);
    H5Pset_char_encoding(names, H5T_CSET_UTF8);
    hid_t list = layout(record->rows);
    hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, names, list, H5P_DEFAULT);
    bool good = GOOD(dataset) && write_content(s, dataset, record, i);
    H5Dclose(dataset);
    H5Pclose(list);
    H5Sclose(space);
    H5Pclose(names);
    return good;
}

/* A file that lives in memory only. */
static hid_t create_file(dry_record__hdf5 *s) {
    hid_t memory = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
    if (GOOD(H5Pset_fapl_core(memory, GROWTH, false))) {
        file = H5Fcreate("table", H5F_ACC_TRUNC, H5P_DEFAULT, memory);
    }
    H5Pclose(memory);
    return file;
}

/* The bytes of the file, to be freed by the caller; NULL where that fails. */
static void *copy_image(dry_record__hdf5 *s, hid_t file, size_t *size) {
    ssize_t length = GOOD(H5Fflush(file, H5F_SCOPE_GLOBAL)) ? H5Fget_file_image(file, NULL, 0) : -1;
    if (!GOOD(length)) return NULL;
    *size = (size_t)length;
    void *image = malloc(*size);
    if (image == NULL || GOOD(H5Fget_file_image(file, image, *size))) return image;
    free(image);
    return NULL;
}

static void *build_image(dry_record__hdf5 *s, const dry_record *record, size_t *size) {
    hid_t file = create_file(s);
    bool good = GOOD(file);
    for (int i = 0; good && i < record->n_columns; i++) good = write_column(s, file, record, i);
    void *image = good ? copy_image(s, file, size) : NULL;
    H5Fclose(file);
    return image;
}

/* Every column needs a name of its own. */
static dry_status check_names(const dry_record *record, const char *path, dry_error *error) {
    char dataset[NAME_SIZE];
    for (int i = 0; i < record->n_columns; i++) {
        const char *name = record->quantities[i].name;
        if (!escape(name, dataset)) {
            return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                    "column %d has %s name, which HDF5 cannot hold; rename it",
                                    i + 1, name[0] == '\0' ? "an empty" : "too long a");
        }
        if (dry_record_find(record, name) != i) {
            return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                    "two columns are named %s, which HDF5 cannot hold; rename one",
                                    name);
        }
    }
    return DRY_OK;
}

static dry_status write_image(const void *image, size_t size, const char *path, dry_error *error) {
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    fwrite(image, 1, size, file.stream); /* commit tells of a failure */
    return dry_file_commit(&file, error);
}

dry_status dry_record_write_hdf5(const dry_record *record, const char *path, dry_error *error) {
    dry_record__hdf5 session;
    size_t size;
    dry_status status = check_names(record, path, error);
    if (status != DRY_OK) return status;
    dry_record__hdf5_enter(&session);
    void *image = build_image(&session, record, &size);
    dry_record__hdf5_leave(&session);
    if (image == NULL) {
        return dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0,
                                "cannot build the HDF5 file in memory: %s; write .csv",
                                session.cause[0] == '\0' ? "no memory left" : session.cause);
    }
    status = write_image(image, size, path, error);
    free(image);
    return status;
}

#else
dry_status dry_record_write_hdf5(const dry_record *record, const char *path, dry_error *error) {
    (void)record;
    return dry_record__hdf5_missing(path, error);
}
#endif
