/* document: opens, changes, compiles and closes documents. */
#include "lsp_private.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text) {
    const size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

static int hex(char c) {
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 32) : NULL;
    return at && (c >= 'A' || c <= '9') ? (int)(at - digits) : -1;
}

/* "/home/a b.dry" for "file:///home/a%20b.dry"; what is not a file keeps its name. */
static char *path_of(const char *uri) {
    char *path = malloc(strlen(uri) + 1), *to = path;
    if (!path) return NULL;
    const bool file = !strncmp(uri, "file://", 7);
    const char *slash = file ? strchr(uri + 7, '/') : NULL;
    for (const char *c = slash ? slash : uri; *c; c++) {
        const int high = *c == '%' ? hex(c[1]) : -1, low = high >= 0 ? hex(c[2]) : -1;
        if (low >= 0 && (high || low)) {
            *to++ = (char)(high * 16 + low);
            c += 2;
        } else {
            *to++ = *c;
        }
    }
    *to = 0;
    return path;
}

dry_lsp__document *dry_lsp__find(const dry_lsp__server *server, const char *uri) {
    for (dry_lsp__document *d = server->first; uri && d; d = d->next)
        if (!strcmp(d->uri, uri)) return d;
    return NULL;
}

void dry_lsp__document_free(dry_lsp__document *document) {
    if (!document) return;
    if (document->good != document->model) dry_model_free(document->good);
    dry_model_free(document->model);
    dry_lsp__text_free(&document->text);
    free(document->uri);
    free(document->path);
    free(document);
}

static void remove_document(dry_lsp__server *server, dry_lsp__document *document) {
    dry_lsp__document **at = &server->first;
    while (*at && *at != document) at = &(*at)->next;
    if (!*at) return;
    *at = document->next;
    server->n_documents--;
    dry_lsp__document_free(document);
}

static dry_lsp__document *new_document(const char *uri, const dry_json *text) {
    dry_lsp__document *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->uri = copy_of(uri);
    d->path = path_of(uri);
    d->changed = true;
    if (d->uri && d->path && dry_lsp__text_set(&d->text, text->text, text->length)) return d;
    dry_lsp__document_free(d);
    return NULL;
}

void dry_lsp__open(dry_lsp__server *server, const dry_json *params) {
    const dry_json *given = dry_lsp__json_get(params, "textDocument");
    const char *uri = dry_lsp__json_text(given, "uri");
    const dry_json *text = dry_lsp__json_get(given, "text");
    if (!uri || !text || text->kind != DRY_JSON_TEXT) return;
    remove_document(server, dry_lsp__find(server, uri));
    dry_lsp__document *d =
        server->n_documents < DRY_LSP_MOST_DOCUMENTS ? new_document(uri, text) : NULL;
    if (!d) {
        dry_lsp__complain(server, server->n_documents < DRY_LSP_MOST_DOCUMENTS
                                      ? "there is no memory for this document"
                                      : "more than 500 documents are open: close some");
        return;
    }
    d->version = dry_lsp__json_int(given, "version", 0);
    d->next = server->first;
    server->first = d;
    server->n_documents++;
}

size_t dry_lsp__read_position(const dry_lsp__document *document, const dry_json *position) {
    return dry_lsp__offset(&document->text,
                           (dry_lsp__position){dry_lsp__json_int(position, "line", 0),
                                               dry_lsp__json_int(position, "character", 0)});
}

/* Returns false if a change cannot be made: from then on the text is another than the editor's. */
static bool change_one(dry_lsp__document *d, const dry_json *change) {
    const dry_json *range = dry_lsp__json_get(change, "range");
    const dry_json *text = dry_lsp__json_get(change, "text");
    if (!text || text->kind != DRY_JSON_TEXT) return false;
    size_t from = 0, to = d->text.length;
    if (range && range->kind == DRY_JSON_OBJECT) {
        from = dry_lsp__read_position(d, dry_lsp__json_get(range, "start"));
        to = dry_lsp__read_position(d, dry_lsp__json_get(range, "end"));
    }
    if (from > to || from + (d->text.length - to) + text->length > DRY_LSP_MOST_BYTES) return false;
    return dry_lsp__text_replace(&d->text, from, to, text->text, text->length);
}

void dry_lsp__change(dry_lsp__server *server, const dry_json *params) {
    const dry_json *given = dry_lsp__json_get(params, "textDocument");
    const dry_json *changes = dry_lsp__json_get(params, "contentChanges");
    dry_lsp__document *d = dry_lsp__find(server, dry_lsp__json_text(given, "uri"));
    if (!d || !changes || changes->kind != DRY_JSON_LIST) return;
    for (const dry_json *change = changes->first; change; change = change->next) {
        if (change_one(d, change)) continue;
        dry_lsp__complain(server, "a change of the text could not be made: close the document and "
                                  "open it again");
        remove_document(server, d);
        return;
    }
    d->version = dry_lsp__json_int(given, "version", d->version);
    d->changed = true;
}

void dry_lsp__close(dry_lsp__server *server, const dry_json *params) {
    const char *uri = dry_lsp__json_text(dry_lsp__json_get(params, "textDocument"), "uri");
    dry_lsp__document *d = dry_lsp__find(server, uri);
    if (!d) return;
    dry_lsp__message message;
    if (dry_lsp__begin(&message)) {
        fputs("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":"
              "{\"uri\":",
              message.stream);
        dry_lsp__json_put(message.stream, uri);
        fputs(",\"diagnostics\":[]}}", message.stream);
        dry_lsp__end(server, &message);
    }
    remove_document(server, d);
}

/* A model this large is not kept beside the next one: two of a million states take 1.6 GB. */
static bool is_large(const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    return system && system->n_states > 100000;
}

static void make_room(dry_lsp__document *d) {
    if (d->model != d->good) dry_model_free(d->model);
    d->model = NULL;
    if (!d->good || !is_large(d->good)) return;
    dry_model_free(d->good);
    d->good = NULL;
}

bool dry_lsp__compile(dry_lsp__document *d) {
    if (!d->changed) return false;
    d->changed = false;
    make_room(d);
    d->model = dry_model_compile(d->path, d->text.bytes, d->text.length, NULL);
    if (d->model && dry_model_ok(d->model)) {
        dry_model_free(d->good);
        d->good = d->model;
    }
    return true;
}
