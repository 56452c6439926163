/* Reads a table from CSV (RFC 4180): one header line of `name` or `name [unit]`, then numbers.
 *
 * Taken besides: CRLF, a missing last newline, blanks around fields, blank lines, a byte order
 * mark; an empty field is nan. A file of any length is read through one block. */
#include "table.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, FIELD_MAX = 1 << 16, SHOWN_MAX = 40 };

/* What follows a field. */
typedef enum ending { END_OF_FIELD, END_OF_LINE, END_OF_FILE } ending;

typedef struct reader {
    FILE *stream;
    const char *path;
    dry_error *error;
    size_t at, have;  /* in block */
    size_t passed;    /* bytes in front of block */
    size_t line_from; /* bytes in front of the line */
    int line;
    /* the field */
    size_t length;
    bool quoted;
    int field_line, field_column;
    char field[FIELD_MAX + 1];
    char block[BLOCK];
} reader;

/* ---- bytes ------------------------------------------------------------- */

static bool refill(reader *r) {
    r->passed += r->have;
    r->at = 0;
    r->have = fread(r->block, 1, BLOCK, r->stream);
    return r->have > 0;
}

static inline int peek(reader *r) {
    if (r->at == r->have && !refill(r)) return EOF;
    return (unsigned char)r->block[r->at];
}

static inline int next(reader *r) {
    int c = peek(r);
    if (c == EOF) return EOF;
    r->at++;
    if (c == '\n') {
        r->line += r->line < INT_MAX;
        r->line_from = r->passed + r->at;
    }
    return c;
}

static int column(const reader *r) {
    size_t c = r->passed + r->at - r->line_from + 1;
    return c > INT_MAX ? INT_MAX : (int)c;
}

static void skip_byte_order_mark(reader *r) {
    static const char mark[] = "\xef\xbb\xbf";
    if (peek(r) != EOF && r->have >= 3 && memcmp(r->block, mark, 3) == 0) {
        r->at = 3;
        r->line_from = 3;
    }
}

/* ---- errors ------------------------------------------------------------ */

#define FAIL(r, ...)                                                                               \
    dry_error_set_at((r)->error, DRY_BAD_FILE, (r)->path, (r)->field_line, (r)->field_column,      \
                     __VA_ARGS__)

/* The beginning of a field, fit to be printed. */
static const char *shown(const char *field, char text[SHOWN_MAX + 4]) {
    size_t n = 0;
    for (; field[n] != '\0' && n < SHOWN_MAX; n++) {
        unsigned char c = (unsigned char)field[n];
        text[n] = c < ' ' || c == 127 ? '?' : (char)c;
    }
    while (n > 0 && ((unsigned char)field[n] & 0xc0) == 0x80) n--; /* no half UTF-8 character */
    strcpy(text + n, field[n] == '\0' ? "" : "...");
    return text;
}

/* ---- fields ------------------------------------------------------------ */

static bool is_blank(int c) { return c == ' ' || c == '\t'; }

static bool append(reader *r, int c) {
    if (r->length == FIELD_MAX) return false;
    r->field[r->length++] = (char)c;
    return true;
}

static dry_status too_long(reader *r) {
    return FAIL(
        r, "a field is longer than %d bytes; a closing quote is missing, or this file is not CSV",
        FIELD_MAX);
}

static dry_status read_plain(reader *r) {
    for (int c = peek(r); c != ',' && c != '\n' && c != EOF; c = peek(r)) {
        if (!append(r, next(r))) return too_long(r);
    }
    if (r->length > 0 && r->field[r->length - 1] == '\r') r->length--;
    while (r->length > 0 && is_blank(r->field[r->length - 1])) r->length--;
    return DRY_OK;
}

/* "text with ""quotes""" and blanks up to what ends the field */
static dry_status read_quoted(reader *r) {
    r->quoted = true;
    next(r);
    for (int c = next(r);; c = next(r)) {
        if (c == EOF) return FAIL(r, "the quote that opens here is never closed; add a \"");
        if (c == '"' && peek(r) != '"') break;
        if (c == '"') next(r);
        if (!append(r, c)) return too_long(r);
    }
    while (is_blank(peek(r)) || peek(r) == '\r') next(r);
    int c = peek(r);
    if (c == ',' || c == '\n' || c == EOF) return DRY_OK;
    return FAIL(r, "'%c' follows the closing quote; double the quotes inside a field: \"\"",
                c < ' ' ? '?' : c);
}

static dry_status read_field(reader *r, ending *end) {
    while (is_blank(peek(r))) next(r);
    r->length = 0;
    r->quoted = false;
    r->field_line = r->line;
    r->field_column = column(r);
    dry_status status = peek(r) == '"' ? read_quoted(r) : read_plain(r);
    if (status != DRY_OK) return status;
    if (memchr(r->field, '\0', r->length))
        return FAIL(r, "this field has a byte of value 0, so the file is not text; save the table "
                       "as CSV in UTF-8");
    r->field[r->length] = '\0';
    int c = next(r);
    *end = c == ',' ? END_OF_FIELD : c == '\n' ? END_OF_LINE : END_OF_FILE;
    return DRY_OK;
}

/* The number in the field; an empty one is nan. */
static bool field_number(const reader *r, double *x) {
    const char *end;
    *x = NAN;
    if (r->length == 0) return true;
    return dry_number_parse(r->field, &end, x) && end == r->field + r->length;
}

/* ---- header ------------------------------------------------------------ */

typedef struct header {
    dry_arena *arena;
    dry_quantity *columns;
    int n, room;
    bool all_numbers;
} header;

/* name [unit]: the unit is the last group in brackets after a blank. */
static bool add_heading(header *h, const char *text, size_t length) {
    size_t name = length, unit = length, unit_end = length;
    if (length > 0 && text[length - 1] == ']') {
        for (size_t i = length - 1; i > 0 && name == length; i--) {
            if (text[i] == '[' && text[i - 1] == ' ') {
                name = i - 1;
                unit = i + 1;
                unit_end = length - 1;
            }
        }
    }
    dry_quantity *q = &h->columns[h->n++];
    q->name = dry_arena_text(h->arena, text, name);
    q->unit = dry_arena_text(h->arena, text + unit, unit_end - unit);
    return q->name != NULL && q->unit != NULL;
}

static bool make_room(header *h) {
    if (h->n < h->room) return true;
    if (h->room > INT_MAX / 2) return false;
    int room = h->room == 0 ? 16 : 2 * h->room;
    dry_quantity *larger = realloc(h->columns, (size_t)room * sizeof *larger);
    if (larger == NULL) return false;
    h->columns = larger;
    h->room = room;
    return true;
}

static dry_status no_memory(reader *r) {
    return dry_error_set_at(r->error, DRY_NO_MEMORY, r->path, r->line, 0,
                            "out of memory while reading it; read a shorter or narrower table");
}

static dry_status read_headings(reader *r, header *h) {
    ending end;
    do {
        double x;
        dry_status status = read_field(r, &end);
        if (status != DRY_OK) return status;
        h->all_numbers = h->all_numbers && r->length > 0 && field_number(r, &x);
        if (!make_room(h) || !add_heading(h, r->field, r->length)) return no_memory(r);
    } while (end == END_OF_FIELD);
    return DRY_OK;
}

/* Checks that the first line is one of names. */
static dry_status read_header(reader *r, header *h) {
    h->all_numbers = true;
    dry_status status = read_headings(r, h);
    if (status != DRY_OK) return status;
    r->field_line = 1;
    r->field_column = 1;
    if (h->n == 1 && h->columns[0].name[0] == '\0' && !r->quoted) {
        return FAIL(
            r,
            "the first line is empty; write the names of the columns there, such as t [s],x [m]");
    }
    if (h->all_numbers) {
        return FAIL(r, "the first line has numbers instead of the names of the columns; put a "
                       "header such as t [s],x [m] above it");
    }
    return DRY_OK;
}

static dry_status new_record(reader *r, dry_record **record) {
    header h = {.arena = dry_arena_new(0)};
    dry_status status = h.arena == NULL ? no_memory(r) : read_header(r, &h);
    if (status == DRY_OK) {
        *record = dry_record_new(h.columns, h.n);
        if (*record == NULL) status = no_memory(r);
    }
    free(h.columns);
    dry_arena_free(h.arena);
    return status;
}

/* ---- rows -------------------------------------------------------------- */

static dry_status not_a_number(reader *r, const char *name, int i) {
    char text[SHOWN_MAX + 4], column_name[SHOWN_MAX + 4];
    return FAIL(r,
                "column %d (%s) has '%s', which is not a number; write it as 1.5 or 1.5e-3 (comma "
                "between columns, point for decimals), or leave it empty for nan",
                i + 1, shown(name, column_name), shown(r->field, text));
}

static dry_status too_many(reader *r, int n) {
    char text[SHOWN_MAX + 4];
    return FAIL(r,
                "the row goes on with '%s' after all %d columns of the header; name all columns in "
                "the header, and write decimals with a point, not a comma",
                shown(r->field, text), n);
}

static dry_status too_few(reader *r, int i, const dry_record *record) {
    char name[SHOWN_MAX + 4];
    return FAIL(r,
                "the row ends after %d of %d columns, before %s; complete it (an empty field is "
                "nan), or check whether the file was cut off",
                i, record->n_columns, shown(record->quantities[i].name, name));
}

/* One row into `row`; *n is 0 for a blank line. */
static dry_status read_row(reader *r, const dry_record *record, double *row, int *n, ending *end) {
    int i = 0;
    *n = 0;
    do {
        dry_status status = read_field(r, end);
        if (status != DRY_OK) return status;
        bool blank = i == 0 && *end != END_OF_FIELD && r->length == 0 && !r->quoted;
        if (blank) return DRY_OK;
        if (i == record->n_columns) return too_many(r, i);
        if (!field_number(r, &row[i])) return not_a_number(r, record->quantities[i].name, i);
        i++;
    } while (*end == END_OF_FIELD);
    *n = i;
    return i == record->n_columns ? DRY_OK : too_few(r, i, record);
}

static dry_status read_rows(reader *r, dry_record *record) {
    double *row = malloc((size_t)record->n_columns * sizeof *row);
    dry_status status = row == NULL ? no_memory(r) : DRY_OK;
    ending end = END_OF_LINE;
    while (status == DRY_OK && end != END_OF_FILE) {
        int n;
        status = read_row(r, record, row, &n, &end);
        bool add = status == DRY_OK && n > 0;
        if (add && dry_record_add(record, row) != DRY_OK) status = no_memory(r);
    }
    free(row);
    return status;
}

static dry_status read_stream(reader *r, dry_record **record) {
    skip_byte_order_mark(r);
    dry_status status = new_record(r, record);
    if (status == DRY_OK) status = read_rows(r, *record);
    if (!ferror(r->stream)) return status;
    return dry_error_set_at(r->error, DRY_IO, r->path, r->line, 0,
                            "cannot be read to the end; check the disk");
}

dry_status dry_record_read_csv(const char *path, dry_record **record, dry_error *error) {
    FILE *stream;
    *record = NULL;
    dry_status status = dry_file_input(path, &stream, error);
    if (status != DRY_OK) return status;
    reader *r = calloc(1, sizeof *r);
    if (r == NULL) {
        dry_file_input_close(stream);
        return dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0, "out of memory while reading it");
    }
    r->stream = stream;
    r->path = path;
    r->error = error;
    r->line = 1;
    status = read_stream(r, record);
    dry_file_input_close(stream);
    free(r);
    if (status == DRY_OK) return DRY_OK;
    dry_record_free(*record);
    *record = NULL;
    return status;
}
