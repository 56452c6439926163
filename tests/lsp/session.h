/* session: a server in this program, whose answers must be JSON. For tests and the fuzzer. */
#ifndef SESSION_H
#define SESSION_H

#include "lsp/lsp_private.h"
#include <stdlib.h>
#include <string.h>

#define DOCUMENT "file:///nowhere/fuzz.dry"

typedef struct session {
    dry_lsp__server server;
    int answers, wrong;
} session;

static inline bool must_be_json(void *user, const char *message, size_t length) {
    session *s = user;
    dry_arena *arena = dry_arena_new(0);
    s->answers++;
    if (!dry_lsp__json_read(arena, message, length)) s->wrong++;
    dry_arena_free(arena);
    return true;
}

static inline void tell(session *s, const char *message) {
    dry_lsp__take(&s->server, message, strlen(message));
}

static inline void begin_session(session *s) {
    *s = (session){.server = {.send = must_be_json, .user = s}};
    tell(s, "{\"id\":0,\"method\":\"initialize\",\"params\":{}}");
}

/* Opens the document with this text, or replaces the characters from `from` to `to` of its line. */
static inline void set_text(session *s, const char *text, size_t length, bool open, int line,
                            int from, int to) {
    dry_lsp__message message;
    if (!dry_lsp__begin(&message)) return;
    if (open)
        fputs("{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":"
              "\"" DOCUMENT "\",\"version\":1,\"text\":",
              message.stream);
    else
        fprintf(message.stream,
                "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":"
                "\"" DOCUMENT "\",\"version\":2},\"contentChanges\":[{\"range\":{\"start\":"
                "{\"line\":%d,\"character\":%d},\"end\":{\"line\":%d,\"character\":%d}},\"text\":",
                line, from, line, to);
    dry_lsp__json_put_n(message.stream, text, length);
    fputs(open ? "}}}" : "}]}}", message.stream);
    if (dry_text_close(message.stream, &message.text))
        dry_lsp__take(&s->server, message.text, message.length);
    free(message.text);
}

static inline void ask_everything(session *s, int line, int character) {
    static const char *const methods[] = {"hover", "completion", "definition", "documentSymbol",
                                          "codeAction"};
    char text[400];
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        snprintf(text, sizeof text,
                 "{\"id\":1,\"method\":\"textDocument/%s\",\"params\":{\"textDocument\":{\"uri\":"
                 "\"" DOCUMENT
                 "\"},\"position\":{\"line\":%d,\"character\":%d},\"range\":{\"start\":"
                 "{\"line\":0,\"character\":0},\"end\":{\"line\":%d,\"character\":0}}}}",
                 methods[i], line, character, line + 9);
        tell(s, text);
    }
}

#endif
