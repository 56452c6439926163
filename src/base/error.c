/* The error that a caller hands down and gets back filled. */
#include <drystone/base.h>
#include <string.h>

/* Copies a path; of one that is too long, the end with dots before it. */
static void copy_path(char *to, size_t size, const char *path) {
    size_t length = strlen(path);
    if (length < size) {
        memcpy(to, path, length + 1);
    } else {
        memcpy(to, "...", 3);
        memcpy(to + 3, path + length - (size - 4), size - 3);
    }
}

DRY_PRINTF(6, 0)
static void fill(dry_error *error, dry_status status, const char *file, int line, int column,
                 const char *format, va_list arguments) {
    if (error == NULL) return;
    error->status = status;
    error->line = line;
    error->column = column;
    copy_path(error->file, sizeof error->file, file == NULL ? "" : file);
    error->key[0] = '\0';
    error->way_out = 0;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

static void add_way_out(dry_error *error, const char *way_out) {
    const size_t what = strlen(error->text);
    const int length = snprintf(error->text + what, sizeof error->text - what, ": %s", way_out);
    if (length > 0 && what + (size_t)length < sizeof error->text) error->way_out = (int)what + 2;
}

dry_status dry_error_set(dry_error *error, dry_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

dry_status dry_error_set_key(dry_error *error, dry_status status, const char *key,
                             const char *way_out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    if (error && key) copy_path(error->key, sizeof error->key, key);
    if (error && way_out) add_way_out(error, way_out);
    return status;
}

dry_status dry_error_set_wrong(dry_error *error, const dry_wrong *wrong) {
    if (!wrong) return DRY_OK;
    return dry_error_set_key(error, DRY_BAD_ARGUMENT, wrong->key, wrong->way_out, "%s",
                             wrong->what);
}

const char *dry_error_way_out(const dry_error *error) {
    return error->way_out > 0 ? error->text + error->way_out : NULL;
}

int dry_error_what(const dry_error *error) {
    return error->way_out > 0 ? error->way_out - 2 : (int)strlen(error->text);
}

dry_status dry_error_set_at(dry_error *error, dry_status status, const char *file, int line,
                            int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, file, line, column, format, arguments);
    va_end(arguments);
    return status;
}
