/* lsp: a language server for editors (Language Server Protocol 3.17): the messages of the compiler
 * as you type, what a name means, how it may go on, where it is defined.
 *
 * Floor 8: all below. */
#ifndef DRYSTONE_LSP_H
#define DRYSTONE_LSP_H

#include <drystone/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Serves one editor: reads its messages from the file descriptor `in`, and writes answers to `out`,
 * until the editor says `exit` or `in` ends. Returns DRY_OK if the editor said `shutdown` before,
 * DRY_RUN_FAILED if it did not, DRY_IO if a message could not be read or written. */
DRY_API dry_status dry_lsp_serve(int in, int out, dry_error *error);

/* The same message by message, for a program that is the editor itself, such as a page. `send` gets
 * each answer, which ends with the call; it returns false if it could not send it. */
typedef struct dry_lsp dry_lsp;
typedef bool dry_lsp_send(void *user, const char *message, size_t length);
/* NULL without memory. */
DRY_API dry_lsp *dry_lsp_new(dry_lsp_send *send, void *user);
DRY_API void dry_lsp_free(dry_lsp *server);
/* Does what one message of `length` bytes asks for, without a heading. */
DRY_API void dry_lsp_take(dry_lsp *server, const char *message, size_t length);
/* Compiles the documents that have changed, and sends what there is to say about them. */
DRY_API void dry_lsp_settle(dry_lsp *server);

/* The words that editors colour, in the order of their kinds. */
typedef enum dry_lsp_kind {
    DRY_LSP_STATEMENT, /* a word that begins a statement */
    DRY_LSP_JOINING,   /* another word of the grammar */
    DRY_LSP_CONSTANT,
    DRY_LSP_FUNCTION,
    DRY_LSP_SET,
    DRY_LSP_LAW,
    DRY_LSP_PART, /* a kind of part */
    DRY_LSP_METHOD,
    DRY_LSP_KEY,
    DRY_LSP_UNIT,
    DRY_LSP_N_KINDS
} dry_lsp_kind;

typedef struct dry_lsp_word {
    dry_lsp_kind kind;
    const char *text, *form, *meaning; /* form: how it is written; "" if the text says it */
    bool reserved;                     /* no model may use it as a name */
} dry_lsp_word;

/* Sets a word of the language. Returns false after the last one. A text may have several rows, if
 * it has several meanings. */
DRY_API bool dry_lsp_word_at(int index, dry_lsp_word *word);
/* Returns the name of a kind: "statement", "function". */
DRY_API const char *dry_lsp_kind_name(dry_lsp_kind kind);

#ifdef __cplusplus
}
#endif
#endif
