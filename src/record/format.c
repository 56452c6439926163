/* Chooses the format of a table by the ending of its path. */
#include <ctype.h>
#include <drystone/record.h>
#include <string.h>

typedef struct format {
    const char *ending;
    dry_status (*write)(const dry_record *record, const char *path, dry_error *error);
    dry_status (*read)(const char *path, dry_record **record, dry_error *error);
} format;

static const format formats[] = {
    {".csv", dry_record_write_csv, dry_record_read_csv},
    {".h5", dry_record_write_hdf5, dry_record_read_hdf5},
    {".hdf5", dry_record_write_hdf5, dry_record_read_hdf5},
};

/* Whether `path` ends in `ending`, in any case. */
static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    if (n < m) return false;
    for (size_t i = 0; i < m; i++) {
        if (tolower((unsigned char)path[n - m + i]) != ending[i]) return false;
    }
    return true;
}

/* Streams without an ending carry CSV. */
static bool is_stream(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strcmp(path, "/dev/stdout") == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

static const format *find(const char *path) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (ends_in(path, formats[i].ending)) return &formats[i];
    }
    return is_stream(path) ? &formats[0] : NULL;
}

static dry_status unknown(const char *path, dry_error *error) {
    return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                            "the ending of the name tells no format; use .csv, .h5 or .hdf5");
}

dry_status dry_record_write(const dry_record *record, const char *path, dry_error *error) {
    const format *f = find(path);
    return f == NULL ? unknown(path, error) : f->write(record, path, error);
}

dry_status dry_record_read(const char *path, dry_record **record, dry_error *error) {
    const format *f = find(path);
    *record = NULL;
    return f == NULL ? unknown(path, error) : f->read(path, record, error);
}
