/* Chooses the format of a table by the ending of its path. */
#include "hdf5.h"
#include <ctype.h>
#include <string.h>

typedef dry_record__format format;

#define FORMAT(ending, write, read, missing, rows) {ending, write, read, missing, rows},
static const format formats[] = {
#include "formats.def"
};
#undef FORMAT
enum { N_FORMATS = sizeof formats / sizeof *formats };

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

const dry_record__format *dry_record__find_format(const char *path) {
    for (int i = 0; i < N_FORMATS; i++) {
        if (ends_in(path, formats[i].ending)) return &formats[i];
    }
    return is_stream(path) ? &formats[0] : NULL;
}

/* ".csv, .h5 or .hdf5" */
static dry_status unknown(const char *path, dry_error *error) {
    char endings[160] = "";
    for (int i = 0; i < N_FORMATS; i++) {
        const char *before = i == 0 ? "" : i == N_FORMATS - 1 ? " or " : ", ";
        const size_t length = strlen(endings);
        snprintf(endings + length, sizeof endings - length, "%s%s", before, formats[i].ending);
    }
    return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0, "the ending must be %s", endings);
}

dry_status dry_record_can_write(const char *path, dry_error *error) {
    const format *f = dry_record__find_format(path);
    if (f == NULL) return unknown(path, error);
    return f->missing == NULL ? DRY_OK : f->missing(path, error);
}

dry_status dry_record_write(const dry_record *record, const char *path, dry_error *error) {
    const format *f = dry_record__find_format(path);
    return f == NULL ? unknown(path, error) : f->write(record, path, error);
}

dry_status dry_record_read(const char *path, dry_record **record, dry_error *error) {
    const format *f = dry_record__find_format(path);
    *record = NULL;
    return f == NULL ? unknown(path, error) : f->read(path, record, error);
}
