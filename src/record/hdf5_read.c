/* Reads a table from the one-dimensional datasets of the root group of an HDF5 file: in the order
 * of their attribute `column`, those without it after them, by name; or as hdf5_wide.c has it. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(result) dry_record__hdf5_good(s, (hid_t)(result))

/* A dataset that becomes a column. */
typedef struct column {
    char *dataset; /* its name in the file */
    dry_quantity quantity;
    size_t rows;
    int place;
} column;

typedef struct contents {
    dry_arena *arena;
    column *columns;
    int n;
    const char *odd; /* the dataset that is not a column, NULL: none */
} contents;

/* ---- names and attributes ---------------------------------------------- */

/* Undoes what the writer does to a slash, a point and a percent sign. */
static void unescape(char *name) {
    static const struct {
        const char *code;
        char c;
    } codes[] = {{"%2F", '/'}, {"%2E", '.'}, {"%25", '%'}};
    char *to = name;
    for (const char *from = name; *from != '\0'; to++) {
        *to = *from;
        size_t length = 1;
        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
            if (strncmp(from, codes[i].code, 3) != 0) continue;
            *to = codes[i].c;
            length = 3;
        }
        from += length;
    }
    *to = '\0';
}

static bool is_one(hid_t attribute) {
    hid_t space = h5.Aget_space(attribute);
    const bool one = h5.Sget_simple_extent_npoints(space) == 1;
    h5.Sclose(space);
    return one;
}

static int read_place(dry_record__hdf5 *s, hid_t dataset) {
    int place = INT_MAX;
    if (h5.Aexists(dataset, "column") <= 0) return place;
    hid_t attribute = h5.Aopen(dataset, "column", H5P_DEFAULT), type = h5.Aget_type(attribute);
    if (h5.Tget_class(type) == H5T_INTEGER && is_one(attribute) &&
        !GOOD(h5.Aread(attribute, *h5.T_NATIVE_INT_g, &place)))
        place = INT_MAX;
    h5.Tclose(type);
    h5.Aclose(attribute);
    return place;
}

/* A string of variable length is given by the library, one of fixed length may lack its end. */
static const char *read_text(dry_record__hdf5 *s, hid_t attribute, hid_t type, dry_arena *arena) {
    if (h5.Tis_variable_str(type) > 0) {
        char *given = NULL;
        if (!GOOD(h5.Aread(attribute, type, &given)) || given == NULL) return "";
        const char *text = dry_arena_text(arena, given, strlen(given));
        h5.free_memory(given);
        return text;
    }
    char *text = dry_arena_take(arena, h5.Tget_size(type) + 1);
    return text != NULL && GOOD(h5.Aread(attribute, type, text)) ? text : "";
}

static const char *read_unit(dry_record__hdf5 *s, hid_t dataset, dry_arena *arena) {
    const char *unit = "";
    if (h5.Aexists(dataset, "unit") <= 0) return unit;
    hid_t attribute = h5.Aopen(dataset, "unit", H5P_DEFAULT), type = h5.Aget_type(attribute);
    if (is_one(attribute) && h5.Tget_class(type) == H5T_STRING)
        unit = read_text(s, attribute, type, arena);
    h5.Tclose(type);
    h5.Aclose(attribute);
    return unit;
}

/* ---- what is in the file ----------------------------------------------- */

/* Whether a dataset is one row or column of numbers, and how many. */
static bool is_column(hid_t dataset, size_t *rows) {
    hid_t type = h5.Dget_type(dataset), space = h5.Dget_space(dataset);
    H5T_class_t kind = h5.Tget_class(type);
    hsize_t sizes[H5S_MAX_RANK] = {0};
    int rank = h5.Sget_simple_extent_dims(space, sizes, NULL), wide = 0;
    *rows = 1;
    for (int i = 0; i < rank; i++) {
        if (sizes[i] == 1) continue;
        wide++;
        *rows = (size_t)sizes[i];
    }
    h5.Sclose(space);
    h5.Tclose(type);
    return (kind == H5T_FLOAT || kind == H5T_INTEGER) && rank >= 1 && wide <= 1;
}

static bool list_dataset(dry_record__hdf5 *s, hid_t dataset, const char *name, contents *c) {
    column *to = &c->columns[c->n++];
    char *shown = dry_arena_text(c->arena, name, strlen(name));
    *to = (column){.dataset = dry_arena_text(c->arena, name, strlen(name)),
                   .place = read_place(s, dataset)};
    if (shown == NULL || to->dataset == NULL) return false;
    unescape(shown);
    to->quantity = (dry_quantity){shown, read_unit(s, dataset, c->arena)};
    if (!is_column(dataset, &to->rows) && c->odd == NULL) c->odd = shown;
    return to->quantity.unit != NULL;
}

/* What a walk over the links of a group carries along. */
typedef struct walk {
    dry_record__hdf5 *session;
    contents *contents;
} walk;

/* A link of the root group, skipped if it is not a dataset; below 0 ends the walk. */
static herr_t list_link(hid_t group, const char *name, const H5L_info_t *info, void *user) {
    const walk *w = user;
    dry_record__hdf5 *s = w->session;
    (void)info;
    hid_t object = h5.Oopen(group, name, H5P_DEFAULT);
    if (!GOOD(object)) return -1;
    bool good = h5.Iget_type(object) != H5I_DATASET || list_dataset(s, object, name, w->contents);
    h5.Oclose(object);
    return good ? 0 : -1;
}

static bool list_file(dry_record__hdf5 *s, hid_t file, contents *c) {
    H5G_info_t group;
    walk w = {s, c};
    if (!GOOD(h5.Gget_info(file, &group)) || group.nlinks > INT_MAX) return false;
    c->columns = dry_arena_take(c->arena, (size_t)group.nlinks * sizeof *c->columns);
    if (c->columns == NULL) return false;
    return GOOD(h5.Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_link, &w));
}

static int by_place(const void *a, const void *b) {
    const column *p = a, *q = b;
    if (p->place != q->place) return p->place < q->place ? -1 : 1;
    return strcmp(p->dataset, q->dataset);
}

/* ---- the table --------------------------------------------------------- */

static dry_status check(const contents *c, const char *path, dry_error *error) {
    if (c->n == 0) {
        return dry_error_set_at(
            error, DRY_BAD_FILE, path, 0, 0,
            "the root group has no dataset; store each column there as a dataset");
    }
    if (c->odd != NULL) {
        return dry_error_set_at(error, DRY_BAD_FILE, path, 0, 0,
                                "dataset %s is not a one-dimensional array of numbers; move it "
                                "into a group, or store each of its columns as a dataset",
                                c->odd);
    }
    for (int i = 1; i < c->n; i++) {
        if (c->columns[i].rows == c->columns[0].rows) continue;
        return dry_error_set_at(
            error, DRY_BAD_FILE, path, 0, 0,
            "dataset %s has %zu values and %s has %zu; give all datasets the same length",
            c->columns[i].quantity.name, c->columns[i].rows, c->columns[0].quantity.name,
            c->columns[0].rows);
    }
    return DRY_OK;
}

static dry_record *new_record(const contents *c) {
    dry_quantity *q = dry_arena_take(c->arena, (size_t)c->n * sizeof *q);
    if (q == NULL) return NULL;
    for (int i = 0; i < c->n; i++) q[i] = c->columns[i].quantity;
    dry_record *record = dry_record_new(q, c->n);
    if (record == NULL || dry_record_reserve(record, c->columns[0].rows) == DRY_OK) return record;
    dry_record_free(record);
    return NULL;
}

static bool read_values(dry_record__hdf5 *s, hid_t file, const contents *c, dry_record *record) {
    bool good = true;
    for (int i = 0; good && i < c->n && c->columns[i].rows > 0; i++) {
        hid_t dataset = h5.Dopen2(file, c->columns[i].dataset, H5P_DEFAULT), all = H5S_ALL;
        hid_t type = *h5.T_NATIVE_DOUBLE_g;
        good = GOOD(dataset) &&
               GOOD(h5.Dread(dataset, type, all, all, H5P_DEFAULT, record->values[i]));
        h5.Dclose(dataset);
    }
    record->rows = c->columns[0].rows;
    return good;
}

static dry_status broken(const dry_record__hdf5 *s, const char *path, dry_error *error) {
    return dry_error_set_at(error, DRY_BAD_FILE, path, 0, 0,
                            "cannot be read as HDF5: %s; check that the file is HDF5 and complete",
                            s->cause[0] == '\0' ? "out of memory" : s->cause);
}

static dry_status too_large(size_t rows, const char *path, dry_error *error) {
    return dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0,
                            "its %zu rows do not fit into memory; read a shorter table", rows);
}

static dry_status read_columns(dry_record__hdf5 *s, hid_t file, contents *c, const char *path,
                               dry_record **record, dry_error *error) {
    if (!list_file(s, file, c)) return broken(s, path, error);
    dry_status status = check(c, path, error);
    if (status != DRY_OK) return status;
    qsort(c->columns, (size_t)c->n, sizeof *c->columns, by_place);
    *record = new_record(c);
    if (*record == NULL) return too_large(c->columns[0].rows, path, error);
    return read_values(s, file, c, *record) ? DRY_OK : broken(s, path, error);
}

static dry_status read_file(dry_record__hdf5 *s, hid_t file, contents *c, const char *path,
                            dry_record **record, dry_error *error) {
    size_t columns, rows;
    if (!dry_record__hdf5_is_wide(file, &columns, &rows))
        return read_columns(s, file, c, path, record, error);
    if (dry_record__hdf5_read_wide(s, file, c->arena, columns, rows, record)) return DRY_OK;
    return s->cause[0] == '\0' ? too_large(rows, path, error) : broken(s, path, error);
}

static dry_status read_path(const char *path, dry_record **record, dry_error *error) {
    dry_record__hdf5 session;
    contents c = {.arena = dry_arena_new(0)};
    if (c.arena == NULL)
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory while reading it");
    dry_record__hdf5_enter(&session);
    hid_t file = h5.Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    dry_status status = dry_record__hdf5_good(&session, file)
                            ? read_file(&session, file, &c, path, record, error)
                            : broken(&session, path, error);
    h5.Fclose(file);
    dry_record__hdf5_leave(&session);
    dry_arena_free(c.arena);
    return status;
}

dry_status dry_record_read_hdf5(const char *path, dry_record **record, dry_error *error) {
    FILE *stream;
    *record = NULL;
    dry_status status = dry_file_input(path, &stream, error); /* says well why it cannot be read */
    if (status != DRY_OK) return status;
    dry_file_input_close(stream);
    status = dry_record__hdf5_missing(path, error);
    if (status == DRY_OK) status = read_path(path, record, error);
    if (status == DRY_OK) return DRY_OK;
    dry_record_free(*record);
    *record = NULL;
    return status;
}

#else
dry_status dry_record_read_hdf5(const char *path, dry_record **record, dry_error *error) {
    *record = NULL;
    return dry_record__hdf5_missing(path, error);
}
#endif
