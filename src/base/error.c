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
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

dry_status dry_error_set(dry_error *error, dry_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

dry_status dry_error_set_at(dry_error *error, dry_status status, const char *file, int line,
                            int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, file, line, column, format, arguments);
    va_end(arguments);
    return status;
}
