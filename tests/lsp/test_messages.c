/* A program that is the editor itself: message by message, without a process. */
#include "unit.h"

#include <drystone/lsp.h>
#include <stdlib.h>
#include <string.h>

/* What the server has sent, one message per line. */
typedef struct heard {
    char text[1 << 16];
    size_t length;
    int messages;
    bool deaf;
} heard;

static bool hear(void *user, const char *message, size_t length) {
    heard *h = user;
    if (h->deaf) return false;
    assert_true(h->length + length + 2 < sizeof h->text);
    memcpy(h->text + h->length, message, length);
    h->length += length;
    h->text[h->length++] = '\n';
    h->text[h->length] = 0;
    h->messages++;
    return true;
}

static void forget(heard *h) {
    h->length = 0;
    h->text[0] = 0;
    h->messages = 0;
}

static void say(dry_lsp *server, const char *message) {
    dry_lsp_take(server, message, strlen(message));
}

static void begin(dry_lsp *server) {
    say(server, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}");
    say(server, "{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}");
}

static void open_text(dry_lsp *server, const char *text) {
    char message[1000];
    snprintf(message, sizeof message,
             "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{"
             "\"textDocument\":{\"uri\":\"file:///a.dry\",\"version\":1,\"text\":\"%s\"}}}",
             text);
    say(server, message);
}

static void requests_are_answered_at_once(void **state) {
    (void)state;
    heard h = {.deaf = false};
    dry_lsp *server = dry_lsp_new(hear, &h);
    assert_non_null(server);
    say(server, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{}}");
    assert_int_equal(h.messages, 1);
    assert_non_null(strstr(h.text, "\"id\":7,\"result\":{\"capabilities\""));
    forget(&h);
    say(server, "what is this");
    assert_non_null(strstr(h.text, "-32700"));
    dry_lsp_free(server);
}

/* Compiling waits for settle, so that several changes are compiled once. */
static void messages_come_when_the_texts_settle(void **state) {
    (void)state;
    heard h = {.deaf = false};
    dry_lsp *server = dry_lsp_new(hear, &h);
    begin(server);
    forget(&h);
    open_text(server, "state v = 0 [m/s]\\nv' = q\\nrun until = 1 [s]\\n");
    assert_int_equal(h.messages, 0);
    dry_lsp_settle(server);
    assert_int_equal(h.messages, 1);
    assert_non_null(strstr(h.text, "textDocument/publishDiagnostics"));
    assert_non_null(strstr(h.text, "unknown-name"));
    assert_non_null(strstr(h.text, "\"line\":1"));
    dry_lsp_settle(server);
    assert_int_equal(h.messages, 1);
    dry_lsp_free(server);
}

static void two_servers_know_nothing_of_each_other(void **state) {
    (void)state;
    heard one = {.deaf = false}, two = {.deaf = false};
    dry_lsp *a = dry_lsp_new(hear, &one), *b = dry_lsp_new(hear, &two);
    begin(a), begin(b);
    open_text(a, "state v = 0 [m/s]\\n");
    forget(&one), forget(&two);
    dry_lsp_settle(b);
    assert_int_equal(two.messages, 0);
    dry_lsp_settle(a);
    assert_int_equal(one.messages, 1);
    dry_lsp_free(a), dry_lsp_free(b);
    dry_lsp_free(NULL);
}

/* What cannot be sent harms nobody: the server goes on. */
static void a_message_that_is_not_taken(void **state) {
    (void)state;
    heard h = {.deaf = true};
    dry_lsp *server = dry_lsp_new(hear, &h);
    begin(server);
    open_text(server, "state v = 0 [m/s]\\n");
    dry_lsp_settle(server);
    h.deaf = false;
    say(server, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/documentSymbol\","
                "\"params\":{\"textDocument\":{\"uri\":\"file:///a.dry\"}}}");
    assert_non_null(strstr(h.text, "\"id\":2,\"result\":"));
    dry_lsp_free(server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_answered_at_once),
        cmocka_unit_test(messages_come_when_the_texts_settle),
        cmocka_unit_test(two_servers_know_nothing_of_each_other),
        cmocka_unit_test(a_message_that_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
