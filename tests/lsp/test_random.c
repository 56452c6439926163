/* Random texts, changes and messages: every request is answered, every answer is JSON. */
#include "unit.h"

#include "lsp/session.h"

static unsigned long seed = 7;
static unsigned draw(unsigned n) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)((seed >> 33) % n);
}

static char *read_model(const char *name, size_t *length) {
    char path[512], *text;
    snprintf(path, sizeof path, "%s/models/%s", DRY_SOURCE_DIR, name);
    assert_int_equal(dry_file_read(path, 1 << 20, &text, length, NULL), DRY_OK);
    return text;
}

static const char *const models[] = {"hello.dry", "classics/door.dry",
                                     "classics/friction-compensation.dry",
                                     "classics/burridge-knopoff.dry"};
enum { N_MODELS = sizeof models / sizeof *models };

/* At every fourth place of a model. */
static void every_place_is_answered(void **state) {
    (void)state;
    for (int m = 0; m < N_MODELS; m++) {
        size_t length;
        char *text = read_model(models[m], &length);
        session s;
        begin_session(&s);
        set_text(&s, text, length, true, 0, 0, 0);
        dry_lsp__settle(&s.server);
        int line = 0, character = 0, asked = 0;
        for (size_t i = 0; i < length; i++) {
            if (i % 4 == 0) ask_everything(&s, line, character), asked += 5;
            if (text[i] == '\n')
                line++, character = 0;
            else
                character++;
        }
        assert_int_equal(s.answers, asked + 2); /* of initialize, and the diagnostics */
        assert_int_equal(s.wrong, 0);
        dry_lsp__free(&s.server);
        free(text);
    }
}

/* While letters come and go, the text is mostly wrong. */
static void typing_is_answered(void **state) {
    (void)state;
    static const char *const bits[] = {".",
                                       "(",
                                       ")",
                                       "[",
                                       "]",
                                       "=",
                                       "\n",
                                       "'",
                                       "\"",
                                       "#",
                                       ",",
                                       "part ",
                                       " with ",
                                       "run ",
                                       "x",
                                       "5 [",
                                       "\xC3\xA9",
                                       "in ",
                                       "hinge",
                                       "sgn(",
                                       " for i in 1..3",
                                       "include \"x\" as y"};
    for (int m = 0; m < N_MODELS; m++) {
        size_t length;
        char *text = read_model(models[m], &length);
        session s;
        begin_session(&s);
        set_text(&s, text, length, true, 0, 0, 0);
        for (int round = 0; round < 60; round++) {
            const int line = (int)draw(60), from = (int)draw(30);
            const char *bit = bits[draw(sizeof bits / sizeof *bits)];
            set_text(&s, bit, strlen(bit), false, line, from, from + (int)draw(3));
            ask_everything(&s, line, from + 1);
            ask_everything(&s, (int)draw(60), (int)draw(40));
        }
        assert_int_equal(s.wrong, 0);
        at_least(s.answers, 600);
        dry_lsp__free(&s.server);
        free(text);
    }
}

/* A message with bytes changed, left out or doubled. */
static void broken_messages_do_no_harm(void **state) {
    (void)state;
    static const char whole[] =
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"textDocument/didChange\",\"params\":{"
        "\"textDocument\":{\"uri\":\"" DOCUMENT "\",\"version\":2},\"contentChanges\":[{\"range\":{"
        "\"start\":{\"line\":0,\"character\":1},\"end\":{\"line\":1,\"character\":2}},\"text\":"
        "\"y = 2\\n\"}]}}";
    session s;
    begin_session(&s);
    set_text(&s, "x = 1\n", 6, true, 0, 0, 0);
    for (int round = 0; round < 5000; round++) {
        char text[sizeof whole + 8];
        size_t length = sizeof whole - 1;
        memcpy(text, whole, length);
        for (unsigned k = draw(4); k > 0; k--) text[draw((unsigned)length)] = (char)draw(256);
        if (draw(4) == 0) length = draw((unsigned)length);
        dry_lsp__take(&s.server, text, length);
        if (round % 100 == 0) dry_lsp__settle(&s.server);
    }
    assert_int_equal(s.wrong, 0);
    at_least(s.answers, 1000);
    dry_lsp__free(&s.server);
}

/* Numbers of documents and bytes have bounds, and a word says so. */
static void documents_have_bounds(void **state) {
    (void)state;
    session s;
    begin_session(&s);
    for (int i = 0; i < DRY_LSP_MOST_DOCUMENTS + 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":"
                 "\"file:///%d.dry\",\"text\":\"x\"}}}",
                 i);
        tell(&s, text);
    }
    assert_int_equal(s.server.n_documents, DRY_LSP_MOST_DOCUMENTS);
    assert_int_equal(s.answers, 1 + 3); /* of initialize; three were refused */
    dry_lsp__free(&s.server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_is_answered),
        cmocka_unit_test(typing_is_answered),
        cmocka_unit_test(broken_messages_do_no_harm),
        cmocka_unit_test(documents_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
