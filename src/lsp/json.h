/* json: texts of JSON (RFC 8259), read into a tree and written to a stream. */
#ifndef DRY_LSP_JSON_H
#define DRY_LSP_JSON_H

#include <drystone/base.h>

typedef enum dry_json_kind {
    DRY_JSON_NULL,
    DRY_JSON_FALSE,
    DRY_JSON_TRUE,
    DRY_JSON_NUMBER,
    DRY_JSON_TEXT,
    DRY_JSON_LIST,
    DRY_JSON_OBJECT
} dry_json_kind;

typedef struct dry_json {
    dry_json_kind kind;
    const char *key;  /* in an object */
    const char *text; /* TEXT: valid UTF-8 with a zero after it; NUMBER: as it is written */
    size_t length;    /* of the text */
    double number;
    struct dry_json *first, *next; /* of a list or object; of the same list or object */
} dry_json;

/* Reads a text that is one value. Bytes that are not UTF-8, and halves of surrogate pairs, become
 * U+FFFD. Returns NULL if it is not JSON, if it is nested more than 100 deep, or without memory
 * (then the arena has failed). */
const dry_json *dry_lsp__json_read(dry_arena *arena, const char *text, size_t length);

/* Returns a member of an object; NULL if there is none, or if this is not an object, or NULL. */
const dry_json *dry_lsp__json_get(const dry_json *object, const char *key);
/* Return the text of a member, NULL if it is none; its number as an integer, brought into 0 ..
 * 2147483647, or `otherwise` if it is none. */
const char *dry_lsp__json_text(const dry_json *object, const char *key);
int dry_lsp__json_int(const dry_json *object, const char *key, int otherwise);

/* Write a text in quotes; one of `length` bytes. Bytes that are not UTF-8 become U+FFFD. */
void dry_lsp__json_put(FILE *stream, const char *text);
void dry_lsp__json_put_n(FILE *stream, const char *text, size_t length);
/* Writes the id of a request, as it came. */
void dry_lsp__json_put_id(FILE *stream, const dry_json *id);

/* Returns the length in bytes of the UTF-8 character at c, 0 if it is not one. */
int dry_lsp__utf8(const char *c, const char *end);

#endif
