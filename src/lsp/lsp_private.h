/* lsp_private: what the files of lsp share: the server, its documents, where a name stands. */
#ifndef DRY_LSP_LSP_PRIVATE_H
#define DRY_LSP_LSP_PRIVATE_H

#include "json.h"
#include "model/model.h"
#include "text.h"

#include <drystone/lsp.h>

enum { DRY_LSP_MOST_BYTES = 64 << 20, DRY_LSP_MOST_DOCUMENTS = 500 };

/* An open document. */
typedef struct dry_lsp__document {
    char *uri, *path; /* the path as the compiler opens it */
    int version;
    dry_lsp__text text;
    bool changed;     /* since the model was compiled */
    dry_model *model; /* of the text; NULL: not compiled yet, or without memory */
    dry_model *good;  /* the last one without errors, perhaps the same; NULL: there was none */
    struct dry_lsp__document *next;
} dry_lsp__document;

typedef struct dry_lsp__server {
    dry_lsp__document *first;
    int n_documents;
    bool ready, closing, left; /* initialize, shutdown and exit were said */
    bool lost;                 /* a message could not be sent */
    dry_lsp_send *send;
    void *user;
} dry_lsp__server;

/* ---- server.c ------------------------------------------------------------------------- */

/* Does what one message asks for, and answers it. */
void dry_lsp__take(dry_lsp__server *server, const char *message, size_t length);
/* Compiles what has changed, and publishes the messages about it. */
void dry_lsp__settle(dry_lsp__server *server);
void dry_lsp__free(dry_lsp__server *server);

/* ---- message.c ------------------------------------------------------------------------ */

/* Begin and end a message to the editor. The stream is NULL without memory. */
typedef struct dry_lsp__message {
    FILE *stream;
    char *text;
    size_t length;
} dry_lsp__message;
dry_lsp__message *dry_lsp__begin(dry_lsp__message *message);
void dry_lsp__end(dry_lsp__server *server, dry_lsp__message *message);
/* Shows the editor's user a text. */
void dry_lsp__complain(dry_lsp__server *server, const char *text);

/* ---- document.c ----------------------------------------------------------------------- */

dry_lsp__document *dry_lsp__find(const dry_lsp__server *server, const char *uri);
void dry_lsp__open(dry_lsp__server *server, const dry_json *params);
void dry_lsp__change(dry_lsp__server *server, const dry_json *params);
void dry_lsp__close(dry_lsp__server *server, const dry_json *params);
void dry_lsp__document_free(dry_lsp__document *document);
/* Compiles the text if it has changed. Returns whether it did. */
bool dry_lsp__compile(dry_lsp__document *document);
/* Reads a position of the editor. */
size_t dry_lsp__read_position(const dry_lsp__document *document, const dry_json *position);

/* ---- place.c -------------------------------------------------------------------------- */

/* Returns the token at an offset, or the name that ends there; -1 if there is none. */
int dry_lsp__token_at(const dry_lsp__document *document, size_t offset);
/* Returns the last token that begins before the offset; -1 if there is none. */
int dry_lsp__token_before(const dry_lsp__document *document, size_t offset);
size_t dry_lsp__from(const dry_lsp__document *document, int token);
size_t dry_lsp__to(const dry_lsp__document *document, int token);
/* Returns the first token of the statement. */
int dry_lsp__statement(const dry_lsp__document *document, int token);
bool dry_lsp__is_sign(const dry_token *token, const char *sign);

/* What is open in the statement before a token. */
typedef struct dry_lsp__context {
    int first;        /* the first token of the statement */
    const char *call; /* the name before the innermost bracket that is open; NULL: none */
    const char *key;  /* the name before the last `=` there; NULL: none */
    const char *set;  /* of the statement; NULL: none */
    bool with;        /* after `with` or `run`, outside of brackets */
    bool at_key;      /* a key can begin here */
} dry_lsp__context;
dry_lsp__context dry_lsp__context_at(const dry_lsp__document *document, int token);

/* A name with its members: ball[2].tip.v is ball, tip, v. */
enum { DRY_LSP_MOST_PARTS = 12, DRY_LSP_NAME = 400 };
typedef struct dry_lsp__chain {
    const char *part[DRY_LSP_MOST_PARTS];
    int n;
} dry_lsp__chain;
/* Returns the chain that ends with this token. */
dry_lsp__chain dry_lsp__chain_at(const dry_lsp__document *document, int token);
/* Writes parts 0 .. n-1 with dots between them. */
const char *dry_lsp__join(const dry_lsp__chain *chain, int n, char text[DRY_LSP_NAME]);
/* Returns the symbol that the longest part of the chain names, and how many parts that is; NULL if
 * there is none. */
const dry_symbol *dry_lsp__symbol(const dry_model *model, const dry_lsp__chain *chain, int *n);
/* Returns the part of that name in the net, or the first of its elements; -1: there is none. */
int dry_lsp__part(const dry_model *model, const char *name);
/* Returns the token that defines the name in its own statement: an argument of a function, or the
 * index of a loop; -1 if none does. */
int dry_lsp__local(const dry_lsp__document *document, int token);

/* ---- words.c -------------------------------------------------------------------------- */

/* Calls `each` for every word of the language until it returns false. */
typedef bool dry_lsp__word_fn(const dry_lsp_word *word, void *user);
void dry_lsp__each_word(dry_lsp__word_fn *each, void *user);

/* ---- diagnose.c, hover.c, complete.c, outline.c: the result of a request ----------------- */

void dry_lsp__diagnose(dry_lsp__server *server, const dry_lsp__document *document);
void dry_lsp__fixes(const dry_lsp__document *document, const dry_json *params, FILE *stream);
void dry_lsp__hover(const dry_lsp__document *document, size_t offset, FILE *stream);
void dry_lsp__hover_text(const dry_lsp__document *document, int token, FILE *stream);
void dry_lsp__complete(const dry_lsp__document *document, size_t offset, FILE *stream);
void dry_lsp__define(const dry_lsp__document *document, size_t offset, FILE *stream);
void dry_lsp__outline(const dry_lsp__document *document, FILE *stream);
void dry_lsp__put_range(const dry_lsp__text *text, size_t from, size_t to, FILE *stream);
/* Writes a location in a source of the model: the document, or a file that it includes. */
void dry_lsp__put_location(const dry_lsp__document *document, dry_place at, FILE *stream);
void dry_lsp__put_path(const char *path, FILE *stream); /* as a URI, in quotes */

#endif
