/* The reader and writer of JSON, and places in units of UTF-16. */
#include "unit.h"

#include "lsp/lsp_private.h"
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------- */

static dry_arena *arena;

static int make_arena(void **state) {
    (void)state;
    arena = dry_arena_new(1 << 20);
    return arena ? 0 : -1;
}
static int drop_arena(void **state) {
    (void)state;
    dry_arena_free(arena);
    return 0;
}

static const dry_json *read_json(const char *text) {
    return dry_lsp__json_read(arena, text, strlen(text));
}

static void values_are_read(void **state) {
    (void)state;
    const dry_json *v =
        read_json(" {\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\"}, \"d\":{}} ");
    assert_non_null(v);
    const dry_json *a = dry_lsp__json_get(v, "a");
    near(a->first->number, 1.0, 0.0);
    near(a->first->next->number, -2500.0, 0.0);
    assert_int_equal(a->first->next->next->kind, DRY_JSON_TRUE);
    assert_int_equal(a->first->next->next->next->kind, DRY_JSON_NULL);
    assert_string_equal(dry_lsp__json_text(dry_lsp__json_get(v, "b"), "c"), "x");
    assert_null(dry_lsp__json_get(v, "e"));
    assert_null(dry_lsp__json_get(NULL, "e"));
    assert_int_equal(dry_lsp__json_int(read_json("{\"n\": 7}"), "n", 3), 7);
    assert_int_equal(dry_lsp__json_int(read_json("{\"n\": -7}"), "n", 3), 0);
    assert_int_equal(dry_lsp__json_int(read_json("{\"n\": 1e300}"), "n", 3), 2147483647);
    assert_int_equal(dry_lsp__json_int(read_json("{\"n\": \"1\"}"), "n", 3), 3);
}

static void texts_become_utf_8(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"\"a\\n\\t\\\"\\\\\\/\"", "a\n\t\"\\/"},
        {"\"\\u00e9\\u20AC\"", "\xC3\xA9\xE2\x82\xAC"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"\\ud83d\"", "\xEF\xBF\xBD"}, /* half of a pair */
        {"\"\\ud83d\\u0041\"", "\xEF\xBF\xBD"
                               "A"}, /* half of a pair, then A */
        {"\"\\ude00x\"", "\xEF\xBF\xBDx"},
        {"\"\xFFx\"", "\xEF\xBF\xBDx"},                               /* no UTF-8 */
        {"\"\xED\xA0\x80\"", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* a surrogate */
        {"\"\xC0\xAF\"", "\xEF\xBF\xBD\xEF\xBF\xBD"},                 /* / in too many bytes */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const dry_json *v = read_json(pairs[i][0]);
        assert_non_null(v);
        assert_string_equal(v->text, pairs[i][1]);
        assert_int_equal(v->length, strlen(pairs[i][1]));
    }
    const dry_json *zero = read_json("\"a\\u0000b\"");
    assert_int_equal(zero->length, 3);
    assert_memory_equal(zero->text, "a\0b", 4);
}

static void what_is_no_json_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",        "{",         "[1,", "[1 2]", "{\"a\"}",     "{a: 1}",   "\"a",
        "\"\\x\"", "\"\\u12\"", "tru", "1 2",   "[1],",        "\"a\nb\"", "nan",
        "-",       "1e",        "+1",  "\"\\",  "{\"a\": 1,}", "[1,]",     "\"\\u12G4\"",
        "inf",     "'a'",       "--1", "]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (read_json(texts[i])) fail_msg("%s was read as JSON", texts[i]);
}

/* A list in a list, and so on: the reader calls itself, so that the depth must have a bound. */
static void depth_and_memory_have_bounds(void **state) {
    (void)state;
    char text[2001];
    for (int depth = 90; depth <= 1000; depth += 910) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        const dry_json *v = dry_lsp__json_read(arena, text, 2 * (size_t)depth);
        assert_int_equal(v != NULL, depth == 90);
    }
    dry_arena *small = dry_arena_new(1 << 16);
    char *many = malloc(40001);
    assert_non_null(many);
    for (int i = 0; i < 20000; i++) memcpy(many + 2 * i, i ? ",1" : "[1", 2);
    many[40000] = ']';
    assert_null(dry_lsp__json_read(small, many, 40001));
    assert_true(dry_arena_failed(small));
    free(many);
    dry_arena_free(small);
}

static void what_is_written_can_be_read(void **state) {
    (void)state;
    char raw[256], *text;
    size_t length;
    for (int i = 0; i < 256; i++) raw[i] = (char)i;
    FILE *stream = dry_text_open(&text, &length);
    dry_lsp__json_put_n(stream, raw, sizeof raw);
    assert_true(dry_text_close(stream, &text));
    const dry_json *v = dry_lsp__json_read(arena, text, length);
    assert_non_null(v);
    assert_memory_equal(v->text, raw, 128);
    assert_int_equal(v->length, 128 + 3 * 128);
    free(text);
}

/* ---- places ----------------------------------------------------------------------- */

static dry_lsp__position at(int line, int character) {
    return (dry_lsp__position){line, character};
}

static void places_are_counted_in_utf_16(void **state) {
    (void)state;
    dry_lsp__text text = {0};
    const char *bytes = "a\xC3\xA9\xF0\x9F\x98\x80z\r\nb\rc\n\nend";
    assert_true(dry_lsp__text_set(&text, bytes, strlen(bytes)));
    assert_int_equal(text.n_lines, 5);
    assert_int_equal(dry_lsp__offset(&text, at(0, 0)), 0);
    assert_int_equal(dry_lsp__offset(&text, at(0, 1)), 1);
    assert_int_equal(dry_lsp__offset(&text, at(0, 2)), 3);
    assert_int_equal(dry_lsp__offset(&text, at(0, 3)), 3); /* within the pair: its begin */
    assert_int_equal(dry_lsp__offset(&text, at(0, 4)), 7);
    assert_int_equal(dry_lsp__offset(&text, at(0, 5)), 8);
    assert_int_equal(dry_lsp__offset(&text, at(0, 99)), 8); /* beyond the line: its end */
    assert_int_equal(dry_lsp__offset(&text, at(1, 1)), 11);
    assert_int_equal(dry_lsp__offset(&text, at(2, 0)), 12);
    assert_int_equal(dry_lsp__offset(&text, at(4, 3)), 18);
    assert_int_equal(dry_lsp__offset(&text, at(9, 0)), 18);
    const dry_lsp__position z = dry_lsp__position_of(&text, 7);
    assert_int_equal(z.line, 0);
    assert_int_equal(z.character, 4);
    /* the compiler knows no line end but LF, and counts characters */
    assert_int_equal(dry_lsp__offset_of_place(&text, 1, 4), 7);
    assert_int_equal(dry_lsp__offset_of_place(&text, 2, 3), 12);
    assert_int_equal(dry_lsp__offset_of_place(&text, 4, 1), 15);
    dry_lsp__text_free(&text);
}

/* Where editor and compiler have the same lines; one beyond the text is the last. */
static void lines_are_counted_from_one(void **state) {
    (void)state;
    static const char bytes[] = "a\nbb\r\nccc\n";
    dry_lsp__text text = {0};
    assert_true(dry_lsp__text_set(&text, bytes, sizeof bytes - 1));
    assert_int_equal(dry_lsp__offset_of_place(&text, 0, 1), 0);
    assert_int_equal(dry_lsp__offset_of_place(&text, 1, 1), 0);
    assert_int_equal(dry_lsp__offset_of_place(&text, 2, 2), 3);
    assert_int_equal(dry_lsp__offset_of_place(&text, 3, 3), 8);
    assert_int_equal(dry_lsp__offset_of_place(&text, 4, 1), 10);
    assert_int_equal(dry_lsp__offset_of_place(&text, 99, 1), 10);
    dry_lsp__text_free(&text);
}

static void a_byte_order_mark_has_no_column(void **state) {
    (void)state;
    dry_lsp__text text = {0};
    assert_true(dry_lsp__text_set(&text,
                                  "\xEF\xBB\xBF"
                                  "abc\nd",
                                  8));
    assert_int_equal(dry_lsp__offset_of_place(&text, 1, 1), 3);
    assert_int_equal(dry_lsp__offset_of_place(&text, 1, 3), 5);
    assert_int_equal(dry_lsp__offset_of_place(&text, 2, 1), 7);
    dry_lsp__text_free(&text);
}

/* Random texts of letters with 1 to 4 bytes and all line ends: from a place to its position and
 * back, and a replacement is the one that joining gives. */
static void places_and_positions_agree(void **state) {
    (void)state;
    static const char *const pieces[] = {"a",  "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                         "\n", "\r\n",     "\r",           " "};
    unsigned long seed = 12345;
    for (int round = 0; round < 300; round++) {
        char bytes[200] = "", joined[400];
        size_t begins[64], n = 0, length = 0;
        for (; n < 40; n++) {
            seed = seed * 6364136223846793005ul + 1442695040888963407ul;
            const char *piece = pieces[(seed >> 33) % 8];
            if (piece[0] == '\n' && length && bytes[length - 1] == '\r') piece = "x";
            begins[n] = length;
            memcpy(bytes + length, piece, strlen(piece));
            length += strlen(piece);
        }
        dry_lsp__text text = {0};
        assert_true(dry_lsp__text_set(&text, bytes, length));
        for (size_t i = 0; i < n; i++)
            assert_int_equal(dry_lsp__offset(&text, dry_lsp__position_of(&text, begins[i])),
                             begins[i]);
        const size_t from = begins[(seed >> 20) % n], to = begins[n - 1];
        const size_t low = from < to ? from : to;
        const int all = snprintf(joined, sizeof joined, "%.*sNEW%.*s", (int)low, bytes,
                                 (int)(length - to), bytes + to);
        assert_true(dry_lsp__text_replace(&text, low, to, "NEW", 3));
        assert_int_equal(text.length, all);
        assert_memory_equal(text.bytes, joined, (size_t)all + 1);
        dry_lsp__text_free(&text);
    }
}

/* ---- words ------------------------------------------------------------------------- */

/* Words are counted from 0, each table after the other, without a hole, and then end. */
static void words_are_numbered(void **state) {
    (void)state;
    dry_lsp_word word;
    int n = 0, state_word = 0, sine = 0, friction = 0;
    for (; dry_lsp_word_at(n, &word); n++) {
        assert_non_null(word.text);
        above(strlen(word.meaning), 0);
        state_word += !strcmp(word.text, "state");
        sine += !strcmp(word.text, "sin");
        friction += !strcmp(word.text, "lugre");
    }
    above(state_word, 0);
    above(sine, 0);
    above(friction, 0);
    assert_false(dry_lsp_word_at(n + 1, &word));
    assert_false(dry_lsp_word_at(-1, &word));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_are_read, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(texts_become_utf_8, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(what_is_no_json_is_refused, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(depth_and_memory_have_bounds, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(what_is_written_can_be_read, make_arena, drop_arena),
        cmocka_unit_test(places_are_counted_in_utf_16),
        cmocka_unit_test(lines_are_counted_from_one),
        cmocka_unit_test(a_byte_order_mark_has_no_column),
        cmocka_unit_test(places_and_positions_agree),
        cmocka_unit_test(words_are_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
