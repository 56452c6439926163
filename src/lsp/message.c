/* message: messages to the editor. */
#include "lsp_private.h"

#include <stdlib.h>

dry_lsp__message *dry_lsp__begin(dry_lsp__message *message) {
    *message = (dry_lsp__message){0};
    message->stream = dry_text_open(&message->text, &message->length);
    return message->stream ? message : NULL;
}

void dry_lsp__end(dry_lsp__server *server, dry_lsp__message *message) {
    if (dry_text_close(message->stream, &message->text) &&
        !server->send(server->user, message->text, message->length))
        server->lost = true;
    free(message->text);
}

void dry_lsp__complain(dry_lsp__server *server, const char *text) {
    dry_lsp__message message;
    if (!dry_lsp__begin(&message)) return;
    fputs("{\"jsonrpc\":\"2.0\",\"method\":\"window/showMessage\",\"params\":{\"type\":1,"
          "\"message\":",
          message.stream);
    dry_lsp__json_put(message.stream, text);
    fputs("}}", message.stream);
    dry_lsp__end(server, &message);
}
