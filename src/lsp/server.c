/* server: reads the messages of an editor, and answers each by its row. */
#include "lsp_private.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_memory = (size_t)768 << 20; /* of the tree of one message */

/* ---- refusals --------------------------------------------------------------------------- */

enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002
};

static void refuse(dry_lsp__server *server, const dry_json *id, int code, const char *text) {
    dry_lsp__message message;
    if (!dry_lsp__begin(&message)) return;
    fputs("{\"jsonrpc\":\"2.0\",\"id\":", message.stream);
    dry_lsp__json_put_id(message.stream, id);
    fprintf(message.stream, ",\"error\":{\"code\":%d,\"message\":", code);
    dry_lsp__json_put(message.stream, text);
    fputs("}}", message.stream);
    dry_lsp__end(server, &message);
}

/* ---- compiling ------------------------------------------------------------------------ */

static void compile(dry_lsp__server *server, dry_lsp__document *document) {
    if (dry_lsp__compile(document)) dry_lsp__diagnose(server, document);
}

void dry_lsp__settle(dry_lsp__server *server) {
    for (dry_lsp__document *d = server->first; d; d = d->next) compile(server, d);
}

/* A file was saved: those that include it may have changed. */
static void saved(dry_lsp__server *server, const dry_json *params) {
    (void)params;
    for (dry_lsp__document *d = server->first; d; d = d->next)
        if (!d->model || dry_model_file(d->model, 0)) d->changed = true;
}

/* ---- requests ------------------------------------------------------------------------- */

static void initialize(FILE *stream) {
    fputs("{\"capabilities\":{\"positionEncoding\":\"utf-16\","
          "\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":true},"
          "\"hoverProvider\":true,\"definitionProvider\":true,\"documentSymbolProvider\":true,"
          "\"completionProvider\":{\"triggerCharacters\":[\".\",\"[\"]},"
          "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]}},"
          "\"serverInfo\":{\"name\":\"drystone\",\"version\":\"" DRY_VERSION "\"}}",
          stream);
}

typedef struct request {
    dry_lsp__server *server;
    const dry_json *id, *params;
    dry_lsp__document *document; /* NULL: the method needs none */
    FILE *stream;
} request;

static size_t offset_of(const request *r) {
    return dry_lsp__read_position(r->document, dry_lsp__json_get(r->params, "position"));
}

static void do_initialize(request *r) {
    r->server->ready = true;
    initialize(r->stream);
}
static void do_shutdown(request *r) {
    r->server->closing = true;
    fputs("null", r->stream);
}
static void do_hover(request *r) { dry_lsp__hover(r->document, offset_of(r), r->stream); }
static void do_complete(request *r) { dry_lsp__complete(r->document, offset_of(r), r->stream); }
static void do_define(request *r) { dry_lsp__define(r->document, offset_of(r), r->stream); }
static void do_outline(request *r) { dry_lsp__outline(r->document, r->stream); }
static void do_fixes(request *r) { dry_lsp__fixes(r->document, r->params, r->stream); }

static const struct {
    const char *method;
    bool of_document;
    void (*answer)(request *);
} requests[] = {
    {"initialize", false, do_initialize},         {"shutdown", false, do_shutdown},
    {"textDocument/hover", true, do_hover},       {"textDocument/completion", true, do_complete},
    {"textDocument/definition", true, do_define}, {"textDocument/documentSymbol", true, do_outline},
    {"textDocument/codeAction", true, do_fixes},
};

static const struct {
    const char *method;
    void (*take)(dry_lsp__server *, const dry_json *params);
} notifications[] = {
    {"textDocument/didOpen", dry_lsp__open},    {"textDocument/didChange", dry_lsp__change},
    {"textDocument/didClose", dry_lsp__close},  {"textDocument/didSave", saved},
    {"workspace/didChangeWatchedFiles", saved},
};

static void answer(request *r, void (*write)(request *)) {
    dry_lsp__message message;
    if (!dry_lsp__begin(&message)) return;
    r->stream = message.stream;
    fputs("{\"jsonrpc\":\"2.0\",\"id\":", r->stream);
    dry_lsp__json_put_id(r->stream, r->id);
    fputs(",\"result\":", r->stream);
    write(r);
    putc('}', r->stream);
    dry_lsp__end(r->server, &message);
}

static void take_request(request *r, const char *method) {
    dry_lsp__server *server = r->server;
    const bool first = !strcmp(method, "initialize");
    if (!server->ready && !first) {
        refuse(server, r->id, NOT_INITIALIZED, "initialize comes first");
        return;
    }
    if (server->closing || (server->ready && first)) {
        refuse(server, r->id, INVALID_REQUEST,
               first ? "initialize was said already" : "shutdown was said: only exit may follow");
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].method, method) != 0) continue;
        const dry_json *given = dry_lsp__json_get(r->params, "textDocument");
        r->document = dry_lsp__find(server, dry_lsp__json_text(given, "uri"));
        if (r->document) compile(server, r->document);
        if (requests[i].of_document && (!r->document || !r->document->model))
            refuse(server, r->id, INVALID_PARAMS, "this document is not open");
        else
            answer(r, requests[i].answer);
        return;
    }
    refuse(server, r->id, METHOD_NOT_FOUND, "this server does not know the method");
}

static void take_notification(dry_lsp__server *server, const char *method, const dry_json *params) {
    if (!strcmp(method, "exit")) server->left = true;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (!strcmp(notifications[i].method, method) && server->ready && !server->closing)
            notifications[i].take(server, params);
}

void dry_lsp__take(dry_lsp__server *server, const char *text, size_t length) {
    dry_arena *arena = dry_arena_new(most_memory);
    const dry_json *message = arena ? dry_lsp__json_read(arena, text, length) : NULL;
    const char *method = dry_lsp__json_text(message, "method");
    const dry_json *id = dry_lsp__json_get(message, "id");
    request r = {.server = server, .id = id, .params = dry_lsp__json_get(message, "params")};
    const bool answers = id && (dry_lsp__json_get(message, "result") ||
                                dry_lsp__json_get(message, "error")); /* to what nobody asked */
    if (!message)
        refuse(server, NULL, PARSE_ERROR, "this message is not JSON, or too large");
    else if (!method && !answers)
        refuse(server, id, INVALID_REQUEST, "this message has no method");
    else if (method && id)
        take_request(&r, method);
    else if (method)
        take_notification(server, method, r.params);
    dry_arena_free(arena);
}

void dry_lsp__free(dry_lsp__server *server) {
    while (server->first) {
        dry_lsp__document *next = server->first->next;
        dry_lsp__document_free(server->first);
        server->first = next;
    }
}

/* ---- message by message ------------------------------------------------------------------ */

struct dry_lsp {
    dry_lsp__server server;
};

dry_lsp *dry_lsp_new(dry_lsp_send *send, void *user) {
    dry_lsp *server = calloc(1, sizeof *server);
    if (server) server->server = (dry_lsp__server){.send = send, .user = user};
    return server;
}

void dry_lsp_free(dry_lsp *server) {
    if (server) dry_lsp__free(&server->server);
    free(server);
}

void dry_lsp_take(dry_lsp *server, const char *message, size_t length) {
    dry_lsp__take(&server->server, message, length);
}

void dry_lsp_settle(dry_lsp *server) { dry_lsp__settle(&server->server); }
