/* Writes a table as CSV (RFC 4180): a header of `name [unit]`, then shortest exact numbers. */
#include "table.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

/* Collects text and hands it to the stream in blocks. */
typedef struct writer {
    FILE *stream;
    int n; /* columns of a table that grows */
    size_t used;
    char block[BLOCK];
} writer;

static void flush(writer *w) {
    fwrite(w->block, 1, w->used, w->stream);
    w->used = 0;
}

static inline void put(writer *w, char c) {
    if (w->used == BLOCK) flush(w);
    w->block[w->used++] = c;
}

static void put_text(writer *w, const char *text) {
    for (; *text != '\0'; text++) put(w, *text);
}

/* With quotes doubled, for use inside quotes. */
static void put_quoted(writer *w, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '"') put(w, '"');
        put(w, *text);
    }
}

static inline void put_number(writer *w, double x) {
    if (w->used > BLOCK - DRY_NUMBER_SIZE) flush(w);
    w->used += (size_t)dry_number_text(x, w->block + w->used);
}

/* A name such as "x [m]" without a unit gets an empty one, so that it is read back as it is. */
static bool looks_like_a_unit(const char *name) {
    size_t length = strlen(name);
    return length > 0 && name[length - 1] == ']' && strstr(name, " [") != NULL;
}

static bool has_blank_end(const char *name) {
    size_t length = strlen(name);
    return length == 0 || strchr(" \t", name[0]) != NULL || strchr(" \t", name[length - 1]) != NULL;
}

/* At the begin of a file a reader would take it for the mark of the file. */
static bool has_byte_order_mark(const char *name) { return strncmp(name, "\xef\xbb\xbf", 3) == 0; }

static void put_heading(writer *w, dry_quantity q) {
    static const char special[] = ",\"\r\n";
    bool unit = q.unit[0] != '\0' || looks_like_a_unit(q.name);
    bool quote = strpbrk(q.name, special) != NULL || strpbrk(q.unit, special) != NULL ||
                 has_blank_end(q.name) || has_byte_order_mark(q.name);
    if (quote) put(w, '"');
    (quote ? put_quoted : put_text)(w, q.name);
    if (unit) {
        put_text(w, " [");
        (quote ? put_quoted : put_text)(w, q.unit);
        put(w, ']');
    }
    if (quote) put(w, '"');
}

static void put_header(writer *w, const dry_quantity *columns, int n) {
    for (int i = 0; i < n; i++) {
        if (i > 0) put(w, ',');
        put_heading(w, columns[i]);
    }
    put(w, '\n');
}

/* ---- a table that grows --------------------------------------------------- */

static dry_status begin(dry_file *file, const dry_quantity *columns, int n, void **state,
                        dry_error *error) {
    writer *w = *state = malloc(sizeof *w);
    if (!w) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    w->stream = file->stream;
    w->n = n;
    w->used = 0;
    put_header(w, columns, n);
    return DRY_OK;
}

static dry_status add(void *state, const double *row) {
    writer *w = state;
    if (ferror(w->stream)) return DRY_IO; /* commit says why */
    for (int i = 0; i < w->n; i++) {
        if (i > 0) put(w, ',');
        put_number(w, row[i]);
    }
    put(w, '\n');
    return DRY_OK;
}

static dry_status end(void *state, dry_error *error) {
    (void)error;
    flush(state);
    free(state);
    return DRY_OK;
}

const dry_record__rows dry_record__csv_rows = {begin, add, end, free};

/* ---- a whole table -------------------------------------------------------- */

/* Stops early if the stream has failed; commit reports the cause. */
static void put_rows(writer *w, const dry_record *record) {
    for (size_t row = 0; row < record->rows && !ferror(w->stream); row++) {
        for (int i = 0; i < record->n_columns; i++) {
            if (i > 0) put(w, ',');
            put_number(w, record->values[i][row]);
        }
        put(w, '\n');
    }
}

dry_status dry_record_write_csv(const dry_record *record, const char *path, dry_error *error) {
    if (record->n_columns == 0) return dry_record__no_columns(path, error);
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    writer w;
    w.stream = file.stream;
    w.used = 0;
    put_header(&w, record->quantities, record->n_columns);
    put_rows(&w, record);
    flush(&w);
    return dry_file_commit(&file, error);
}
