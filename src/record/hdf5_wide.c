/* Many columns in HDF5: the root group has the array `table`, one row of it per column of the
 * table, and the texts `names` and `units`, one per row.
 *
 * A dataset per column, as hdf5_write.c makes them, takes some 300 bytes and 50 us each, which is
 * more than the values take where there are ten thousand bodies and few samples. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(result) dry_record__hdf5_good(s, (hid_t)(result))

enum { BLOCK_VALUES = 1 << 15 };

/* ---- blocks of columns ------------------------------------------------------ */

/* So many columns are written and read at once, and make a chunk. */
static size_t block_of(size_t n, size_t rows) {
    const size_t columns = rows < BLOCK_VALUES ? BLOCK_VALUES / (rows + 1) + 1 : 1;
    return columns < n ? columns : n;
}

/* Goes over the array block by block with a copy of each; either writes it or reads it. */
typedef struct passage {
    hid_t array;
    dry_record *to; /* NULL: writing */
    const dry_record *from;
    size_t n, rows;
    double *block;
} passage;

static void copy_block(const passage *p, size_t first, size_t count) {
    const size_t bytes = p->rows * sizeof(double);
    for (size_t i = 0; i < count; i++) {
        double *at = p->block + i * p->rows;
        if (p->to)
            memcpy(p->to->values[first + i], at, bytes);
        else
            memcpy(at, p->from->values[first + i], bytes);
    }
}

static bool pass_block(dry_record__hdf5 *s, const passage *p, size_t first, size_t count) {
    const hsize_t start[] = {first, 0}, size[] = {count, p->rows};
    hid_t here = h5.Screate_simple(2, size, NULL), there = h5.Dget_space(p->array);
    hid_t type = *h5.T_NATIVE_DOUBLE_g, plain = H5P_DEFAULT;
    bool good = GOOD(h5.Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL));
    if (!p->to) copy_block(p, first, count);
    good = good && GOOD(p->to ? h5.Dread(p->array, type, here, there, plain, p->block)
                              : h5.Dwrite(p->array, type, here, there, plain, p->block));
    if (good && p->to) copy_block(p, first, count);
    h5.Sclose(there);
    h5.Sclose(here);
    return good;
}

static bool pass(dry_record__hdf5 *s, passage *p) {
    const size_t step = block_of(p->n, p->rows);
    if (p->rows == 0) return true;
    p->block = malloc(step * p->rows * sizeof *p->block);
    bool good = p->block != NULL;
    for (size_t i = 0; good && i < p->n; i += step)
        good = pass_block(s, p, i, p->n - i < step ? p->n - i : step);
    free(p->block);
    return good;
}

/* ---- writing ---------------------------------------------------------------- */

/* A dataset without times; NULL sizes of chunks: none. */
static hid_t create(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size,
                    const hsize_t *chunk) {
    hid_t list = h5.Pcreate(*h5.P_CLS_DATASET_CREATE_ID_g),
          space = h5.Screate_simple(rank, size, NULL);
    h5.Pset_obj_track_times(list, false);
    if (chunk) dry_record__hdf5_chunks(list, rank, chunk);
    hid_t dataset = h5.Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    h5.Sclose(space);
    h5.Pclose(list);
    return dataset;
}

static bool write_values(dry_record__hdf5 *s, hid_t file, const dry_record *record) {
    const size_t n = (size_t)record->n_columns, rows = record->rows;
    const hsize_t size[] = {n, rows};
    const hsize_t chunk[] = {block_of(n, rows), rows < BLOCK_VALUES ? rows : BLOCK_VALUES};
    passage p = {.array =
                     create(file, "table", *h5.T_IEEE_F64LE_g, 2, size, rows > 0 ? chunk : NULL),
                 .from = record,
                 .n = n,
                 .rows = rows};
    bool good = GOOD(p.array) && pass(s, &p);
    h5.Dclose(p.array);
    return good;
}

/* Text i of a table: a name or a unit. */
typedef const char *text_of(const dry_record *record, int i);
static const char *name_at(const dry_record *record, int i) { return record->quantities[i].name; }
static const char *unit_at(const dry_record *record, int i) { return record->quantities[i].unit; }

static size_t longest(const dry_record *record, text_of *at) {
    size_t most = 1;
    for (int i = 0; i < record->n_columns; i++) {
        const size_t length = strlen(at(record, i));
        most = length > most ? length : most;
    }
    return most;
}

/* Texts of equal length, filled up with zeros. */
static hid_t text_type(size_t length) {
    hid_t type = h5.Tcopy(*h5.T_C_S1_g);
    h5.Tset_size(type, length);
    h5.Tset_strpad(type, H5T_STR_NULLPAD);
    h5.Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool write_texts(dry_record__hdf5 *s, hid_t file, const dry_record *record,
                        const char *dataset, text_of *at) {
    const size_t length = longest(record, at), n = (size_t)record->n_columns;
    const hsize_t size = n, chunk = n < BLOCK_VALUES ? n : BLOCK_VALUES;
    char *texts = calloc(n, length);
    if (texts == NULL) return false;
    for (int i = 0; i < record->n_columns; i++)
        memcpy(texts + (size_t)i * length, at(record, i), strlen(at(record, i)));
    hid_t type = text_type(length), to = create(file, dataset, type, 1, &size, &chunk);
    bool good = GOOD(to) && GOOD(h5.Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts));
    h5.Dclose(to);
    h5.Tclose(type);
    free(texts);
    return good;
}

bool dry_record__hdf5_write_wide(dry_record__hdf5 *s, hid_t file, const dry_record *record) {
    return write_values(s, file, record) && write_texts(s, file, record, "names", name_at) &&
           write_texts(s, file, record, "units", unit_at);
}

/* ---- reading ---------------------------------------------------------------- */

/* The sizes of a dataset of that class and rank; false if it is another, or none. */
static bool sizes_of(hid_t file, const char *name, H5T_class_t kind, int rank, hsize_t *sizes) {
    if (h5.Lexists(file, name, H5P_DEFAULT) <= 0) return false;
    hid_t dataset = h5.Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    hid_t type = h5.Dget_type(dataset), space = h5.Dget_space(dataset);
    const bool fits = h5.Tget_class(type) == kind && h5.Sget_simple_extent_ndims(space) == rank;
    if (fits) h5.Sget_simple_extent_dims(space, sizes, NULL);
    h5.Sclose(space);
    h5.Tclose(type);
    h5.Dclose(dataset);
    return fits;
}

bool dry_record__hdf5_is_wide(hid_t file, size_t *columns, size_t *rows) {
    hsize_t table[2], names, units;
    if (!sizes_of(file, "table", H5T_FLOAT, 2, table) ||
        !sizes_of(file, "names", H5T_STRING, 1, &names) ||
        !sizes_of(file, "units", H5T_STRING, 1, &units) || names != table[0] || units != names ||
        names > INT_MAX)
        return false;
    *columns = (size_t)table[0];
    *rows = (size_t)table[1];
    return true;
}

/* Texts of equal length, which may lack their ends. */
static bool read_equal(dry_record__hdf5 *s, hid_t from, size_t length, dry_arena *arena, size_t n,
                       const char **texts) {
    char *all = dry_arena_take(arena, n * (length + 1));
    hid_t type = text_type(length + 1);
    h5.Tset_strpad(type, H5T_STR_NULLTERM);
    bool good = all && GOOD(h5.Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all));
    h5.Tclose(type);
    for (size_t i = 0; good && i < n; i++) texts[i] = all + i * (length + 1);
    return good;
}

/* Texts of any length, which the library gives. */
static bool read_any(dry_record__hdf5 *s, hid_t from, hid_t type, dry_arena *arena, size_t n,
                     const char **texts) {
    char **given = calloc(n + 1, sizeof *given);
    bool good = given && GOOD(h5.Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, given));
    for (size_t i = 0; good && i < n; i++) {
        const char *text = given[i] ? given[i] : "";
        texts[i] = dry_arena_text(arena, text, strlen(text));
        good = texts[i] != NULL;
    }
    for (size_t i = 0; given && i < n; i++) h5.free_memory(given[i]);
    free(given);
    return good;
}

static const char **read_texts(dry_record__hdf5 *s, hid_t file, const char *dataset,
                               dry_arena *arena, size_t n) {
    const char **texts = dry_arena_take(arena, n * sizeof *texts);
    hid_t from = h5.Dopen2(file, dataset, H5P_DEFAULT), type = h5.Dget_type(from);
    const bool good = texts && (h5.Tis_variable_str(type) > 0
                                    ? read_any(s, from, type, arena, n, texts)
                                    : read_equal(s, from, h5.Tget_size(type), arena, n, texts));
    h5.Tclose(type);
    h5.Dclose(from);
    return good ? texts : NULL;
}

static dry_record *new_record(dry_record__hdf5 *s, hid_t file, dry_arena *arena, size_t n) {
    const char **names = read_texts(s, file, "names", arena, n);
    const char **units = names ? read_texts(s, file, "units", arena, n) : NULL;
    dry_quantity *q = units ? dry_arena_take(arena, n * sizeof *q) : NULL;
    if (q == NULL) return NULL;
    for (size_t i = 0; i < n; i++) q[i] = (dry_quantity){names[i], units[i]};
    return dry_record_new(q, (int)n);
}

bool dry_record__hdf5_read_wide(dry_record__hdf5 *s, hid_t file, dry_arena *arena, size_t columns,
                                size_t rows, dry_record **record) {
    *record = new_record(s, file, arena, columns);
    if (*record == NULL || dry_record_reserve(*record, rows) != DRY_OK) return false;
    passage p = {
        .array = h5.Dopen2(file, "table", H5P_DEFAULT), .to = *record, .n = columns, .rows = rows};
    bool good = GOOD(p.array) && pass(s, &p);
    h5.Dclose(p.array);
    (*record)->rows = rows;
    return good;
}
#endif
