/* text: places in the text of a document (text.h). */
#include "text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Returns where the line that begins at `from` ends, without what ends it. */
static size_t end_of_line(const char *bytes, size_t length, size_t from) {
    while (from < length && bytes[from] != '\n' && bytes[from] != '\r') from++;
    return from;
}

static size_t next_line(const char *bytes, size_t length, size_t end) {
    return end + 1 < length && bytes[end] == '\r' && bytes[end + 1] == '\n' ? end + 2 : end + 1;
}

/* Without memory it returns NULL. */
static size_t *find_lines(const char *bytes, size_t length, int *n) {
    size_t many = 1;
    for (size_t end = 0; (end = end_of_line(bytes, length, end)) < length; many++)
        end = next_line(bytes, length, end);
    size_t *line = many < INT_MAX ? malloc(many * sizeof *line) : NULL;
    if (!line) return NULL;
    line[0] = 0;
    for (size_t k = 1; k < many; k++)
        line[k] = next_line(bytes, length, end_of_line(bytes, length, line[k - 1]));
    *n = (int)many;
    return line;
}

/* Takes the bytes themselves. */
static bool adopt(dry_lsp__text *text, char *bytes, size_t length) {
    int n = 0;
    size_t *line = find_lines(bytes, length, &n);
    if (!line) {
        free(bytes);
        return false;
    }
    dry_lsp__text_free(text);
    *text = (dry_lsp__text){bytes, length, line, n, true};
    for (int k = 1; k < n && text->same_lines; k++) text->same_lines = bytes[line[k] - 1] == '\n';
    return true;
}

bool dry_lsp__text_set(dry_lsp__text *text, const char *bytes, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return false;
    if (length) memcpy(copy, bytes, length);
    copy[length] = 0;
    return adopt(text, copy, length);
}

bool dry_lsp__text_replace(dry_lsp__text *text, size_t from, size_t to, const char *bytes,
                           size_t length) {
    if (from > to) from = to;
    const size_t tail = text->length - to, all = from + length + tail;
    char *joined = malloc(all + 1);
    if (!joined) return false;
    memcpy(joined, text->bytes, from);
    if (length) memcpy(joined + from, bytes, length);
    memcpy(joined + from + length, text->bytes + to, tail);
    joined[all] = 0;
    return adopt(text, joined, all);
}

void dry_lsp__text_free(dry_lsp__text *text) {
    free(text->bytes);
    free(text->line);
    *text = (dry_lsp__text){0};
}

/* ---- places --------------------------------------------------------------------------- */

static bool is_first_byte(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

/* How many units of UTF-16 a character has, by its first byte. */
static int units(char first) { return (unsigned char)first >= 0xF0 ? 2 : 1; }

size_t dry_lsp__offset(const dry_lsp__text *text, dry_lsp__position at) {
    if (at.line < 0) return 0;
    if (at.line >= text->n_lines) return text->length;
    size_t offset = text->line[at.line];
    const size_t end = end_of_line(text->bytes, text->length, offset);
    for (int left = at.character; offset < end && left > 0;) {
        left -= units(text->bytes[offset]);
        if (left < 0) break;
        do offset++;
        while (offset < end && !is_first_byte(text->bytes[offset]));
    }
    return offset;
}

dry_lsp__position dry_lsp__position_of(const dry_lsp__text *text, size_t offset) {
    if (offset > text->length) offset = text->length;
    int low = 0, high = text->n_lines;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (text->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    dry_lsp__position at = {low, 0};
    const size_t end = end_of_line(text->bytes, text->length, text->line[low]);
    for (size_t i = text->line[low]; i < offset && i < end; i++)
        if (is_first_byte(text->bytes[i])) at.character += units(text->bytes[i]);
    return at;
}

size_t dry_lsp__later(const dry_lsp__text *text, size_t offset, int characters) {
    while (characters-- > 0 && offset < text->length && text->bytes[offset] != '\n') do
            offset++;
        while (offset < text->length && !is_first_byte(text->bytes[offset]));
    return offset;
}

/* Where a line of the compiler begins; one beyond the text is the last. */
static size_t line_of_compiler(const dry_lsp__text *text, int line) {
    const char *at = text->bytes, *end = text->bytes + text->length;
    if (line < 1) return 0;
    if (text->same_lines) return text->line[line <= text->n_lines ? line - 1 : text->n_lines - 1];
    for (int i = 1; i < line; i++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed) break;
        at = feed + 1;
    }
    return (size_t)(at - text->bytes);
}

size_t dry_lsp__offset_of_place(const dry_lsp__text *text, int line, int column) {
    size_t offset = line_of_compiler(text, line);
    /* the compiler does not count a byte order mark */
    if (!offset && text->length >= 3 && !memcmp(text->bytes, "\xEF\xBB\xBF", 3)) offset = 3;
    return dry_lsp__later(text, offset, column - 1);
}
