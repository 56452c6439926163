/* text: the text of a document, and places in it as editors count them: lines from 0 that end with
 * LF, CR LF or CR, and characters from 0 in units of UTF-16. */
#ifndef DRY_LSP_TEXT_H
#define DRY_LSP_TEXT_H

#include <drystone/base.h>

typedef struct dry_lsp__text {
    char *bytes; /* UTF-8, with a zero after them */
    size_t length;
    size_t *line; /* where each line begins */
    int n_lines;
    bool same_lines; /* as the compiler's: no line ends with CR alone */
} dry_lsp__text;

typedef struct dry_lsp__position {
    int line, character;
} dry_lsp__position;

/* Takes a copy of the bytes. Returns false, and leaves the text as it was, without memory. */
bool dry_lsp__text_set(dry_lsp__text *text, const char *bytes, size_t length);
/* Replaces the bytes from `from` up to `to`. */
bool dry_lsp__text_replace(dry_lsp__text *text, size_t from, size_t to, const char *bytes,
                           size_t length);
void dry_lsp__text_free(dry_lsp__text *text);

/* Places beyond a line are its end, places beyond the text the end of the text; a place within a
 * character is its begin. */
size_t dry_lsp__offset(const dry_lsp__text *text, dry_lsp__position at);
dry_lsp__position dry_lsp__position_of(const dry_lsp__text *text, size_t offset);
/* Returns where a place of the compiler is: lines from 1 that end with LF, columns from 1 in
 * characters; and where it is `characters` later in its line. */
size_t dry_lsp__offset_of_place(const dry_lsp__text *text, int line, int column);
size_t dry_lsp__later(const dry_lsp__text *text, size_t offset, int characters);

#endif
