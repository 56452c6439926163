/* Every message of the compiler has a file in tests/lang/errors that provokes it. The expectation
 * stands in the file:
 *   ... #! WORD          this message points into this line, and no other does
 *   #! WORD              on a line of its own: a message without a place
 *   #! way out: TEXT     some message's way out contains TEXT
 *   #! no way out: TEXT  no message's way out contains TEXT
 *   #! set NAME = VALUE  a setting, as -p
 *   #! input NAME = FILE:COLUMN   a file for an input, as --input
 *   #! data FILE         as --data
 *   #! force             as --force
 *   #! until SECONDS     as --until
 *   #! size BYTES        the text is filled up with blanks to this size
 *   #! robots            only for builds that read the files of robots
 *   #! scratch WORD      the message comes in a copy of the tree with a mistake in it:
 *                        tests/house/test_scratch_copy.sh runs the file there */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit.h"

#include <dirent.h>
#include <drystone/model.h>
#include <drystone/urdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128, WORD = 64 };
static const char folder[] = DRY_SOURCE_DIR "/tests/lang/errors/";

typedef struct expected {
    int line;
    char word[WORD];
    bool found;
} expected;

typedef struct test_file {
    char *text;
    size_t length;
    expected message[MOST];
    int n_messages;
    char way_out[16][200];
    bool wanted[16]; /* or not, of each way out */
    int n_ways;
    char set_name[8][WORD], set_text[8][WORD];
    dry_setting set[8];
    int n_sets;
    char input_name[4][WORD], input_file[4][512], input_column[4][WORD];
    dry_given_input input[4];
    int n_inputs;
    char data[512];
    dry_run_options run;
    bool force, robots;
    char scratch[WORD];
} test_file;

static char *read_text(const char *path, size_t *length) {
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 16) - 1, stream);
    assert_true(feof(stream));
    fclose(stream);
    return text;
}

/* Fills the text up with blanks. */
static void grow(test_file *file, size_t size) {
    file->text = realloc(file->text, size + 1);
    assert_non_null(file->text);
    memset(file->text + file->length, ' ', size - file->length);
    file->text[size] = 0;
    file->length = size;
}

static void read_input(test_file *file, const char *what) {
    const int i = file->n_inputs++;
    char name[WORD];
    assert_in_range(i, 0, 3);
    assert_int_equal(
        sscanf(what, "input %63s = %63[^:]:%63s", file->input_name[i], name, file->input_column[i]),
        3);
    snprintf(file->input_file[i], sizeof file->input_file[i], "%s%s", folder, name);
    file->input[i] = (dry_given_input){
        .name = file->input_name[i], .file = file->input_file[i], .column = file->input_column[i]};
}

static void read_directive(test_file *file, const char *what, int line, bool alone) {
    unsigned long size;
    const bool no = !strncmp(what, "no way out: ", 12);
    if (no || !strncmp(what, "way out: ", 9)) {
        assert_in_range(file->n_ways, 0, 15);
        file->wanted[file->n_ways] = !no;
        snprintf(file->way_out[file->n_ways++], sizeof *file->way_out, "%s", what + (no ? 12 : 9));
    } else if (sscanf(what, "set %63s = %63[^\n]", file->set_name[file->n_sets],
                      file->set_text[file->n_sets]) == 2) {
        file->set[file->n_sets] = (dry_setting){.name = file->set_name[file->n_sets],
                                                .text = file->set_text[file->n_sets]};
        file->n_sets++;
    } else if (!strncmp(what, "input ", 6)) {
        read_input(file, what);
    } else if (!strncmp(what, "data ", 5)) {
        snprintf(file->data, sizeof file->data, "%s%s", folder, what + 5);
    } else if (!strcmp(what, "force")) {
        file->force = true;
    } else if (sscanf(what, "until %lf", &file->run.until) == 1) {
        above(file->run.until, 0.0);
    } else if (!strcmp(what, "robots")) {
        file->robots = true;
    } else if (sscanf(what, "scratch %63s", file->scratch) == 1) {
        assert_true(alone);
    } else if (sscanf(what, "size %lu", &size) == 1) {
        grow(file, size);
    } else {
        expected *e = &file->message[file->n_messages++];
        e->line = alone ? 0 : line;
        snprintf(e->word, sizeof e->word, "%s", what);
    }
}

static void read_test(test_file *file, const char *path) {
    char line_text[512];
    memset(file, 0, sizeof *file);
    file->text = read_text(path, &file->length);
    char *copy = strdup(file->text), *at = copy;
    assert_non_null(copy);
    for (int line = 1; at && *at; line++) {
        char *end = strchr(at, '\n');
        snprintf(line_text, sizeof line_text, "%.*s", (int)(end ? end - at : (long)strlen(at)), at);
        const char *mark = strstr(line_text, "#! ");
        if (mark) read_directive(file, mark + 3, line, mark == line_text);
        at = end ? end + 1 : NULL;
    }
    free(copy);
}

static dry_model *compile(const char *path, const test_file *file) {
    const dry_model_options options = {.settings = file->set,
                                       .n_settings = file->n_sets,
                                       .inputs = file->input,
                                       .n_inputs = file->n_inputs,
                                       .data = file->data[0] ? file->data : NULL,
                                       .run = file->run,
                                       .force = file->force};
    dry_model *model = dry_model_compile(path, file->text, file->length, &options);
    assert_non_null(model);
    return model;
}

/* Characters of a line of the text. */
static int line_length(const char *text, int line) {
    int n = 0;
    for (int i = 1; i < line; i++) text = strchr(text, '\n') + 1;
    for (; *text && *text != '\n'; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void check_place(const char *path, const test_file *file, const dry_message *m) {
    if (!m->line) return;
    const int length = line_length(file->text, m->line);
    if (m->column < 1 || m->column > length + 1 || m->length < 0)
        fail_msg("%s:%d:%d: [%s] does not point into its line", path, m->line, m->column, m->word);
}

static bool take_expected(test_file *file, const dry_message *m) {
    for (int i = 0; i < file->n_messages; i++) {
        expected *e = &file->message[i];
        if (e->found || e->line != m->line || strcmp(e->word, m->word) != 0) continue;
        return e->found = true;
    }
    return false;
}

static void check_ways_out(const char *path, const test_file *file, const dry_model *model) {
    for (int i = 0; i < file->n_ways; i++) {
        bool found = false;
        for (int k = 0; k < dry_model_messages(model); k++)
            found = found || strstr(dry_model_message(model, k).way_out, file->way_out[i]);
        if (found != file->wanted[i])
            fail_msg("%s: %s way out says \"%s\"", path, found ? "a" : "no", file->way_out[i]);
    }
}

/* Whether a {1} was left in a text. */
static bool has_gap(const char *text) {
    const char *brace = strchr(text, '{');
    return brace && brace[1] >= '1' && brace[1] <= '9';
}

/* Exactly the messages that the file announces, each with a text and in the order of the lines. */
static void check_messages(const char *path, test_file *file, const dry_model *model) {
    int errors = 0, line = 0;
    for (int k = 0; k < dry_model_messages(model); k++) {
        const dry_message m = dry_model_message(model, k);
        if (!take_expected(file, &m))
            fail_msg("%s:%d:%d: unexpected: %s [%s]", path, m.line, m.column, m.text, m.word);
        check_place(path, file, &m);
        at_least(m.line, line);
        line = m.line;
        errors += m.kind == DRY_ERROR;
        if (has_gap(m.text) || has_gap(m.way_out))
            fail_msg("%s: a gap in the text: %s; %s", path, m.text, m.way_out);
    }
    for (int i = 0; i < file->n_messages; i++)
        if (!file->message[i].found)
            fail_msg("%s:%d: [%s] did not come", path, file->message[i].line,
                     file->message[i].word);
    assert_int_equal(dry_model_ok(model), errors == 0);
}

static bool is_model(const char *name) {
    const size_t n = strlen(name);
    return n > 4 && !strcmp(name + n - 4, ".dry");
}

/* Runs `check` for every file of the folder. */
static void each_file(void (*check)(const char *path, test_file *file)) {
    char path[1024];
    int n = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all));) {
        if (!is_model(entry->d_name)) continue;
        test_file *file = malloc(sizeof *file);
        assert_non_null(file);
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        read_test(file, path);
        check(path, file);
        free(file->text);
        free(file);
        n++;
    }
    closedir(all);
    at_least(n, dry_message_count());
}

static void check_file(const char *path, test_file *file) {
    if (file->robots && !dry_urdf_has_xml()) return;
    dry_model *model = compile(path, file);
    check_messages(path, file, model);
    check_ways_out(path, file, model);
    dry_model_free(model);
}

static void every_file_gives_its_messages(void **state) {
    (void)state;
    each_file(check_file);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void every_message_has_its_file(void **state) {
    (void)state;
    char path[1024];
    for (int i = 0; i < dry_message_count(); i++) {
        test_file file;
        snprintf(path, sizeof path, "%s%s.dry", folder, dry_message_word(i));
        read_test(&file, path);
        bool provoked = !strcmp(file.scratch, dry_message_word(i));
        for (int k = 0; k < file.n_messages; k++)
            provoked = provoked || !strcmp(file.message[k].word, dry_message_word(i));
        if (!provoked) fail_msg("%s does not announce its own message", path);
        free(file.text);
    }
}

static void every_message_has_a_way_out(void **state) {
    (void)state;
    for (int i = 0; i < dry_message_count(); i++) {
        above(strlen(dry_message_text(i)), 10);
        above(strlen(dry_message_way_out(i)), 5);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(dry_message_word(i), dry_message_word(k));
    }
}

/* docs/errors.md has a section for each message: its word, its text, its way out, its file. */
static void every_message_is_documented(void **state) {
    (void)state;
    size_t length;
    char line[700];
    char *text = read_text(DRY_SOURCE_DIR "/docs/errors.md", &length);
    for (int i = 0; i < dry_message_count(); i++) {
        const char *const parts[][2] = {{"\n### ", dry_message_word(i)},
                                        {"> ", dry_message_text(i)},
                                        {"> = ", dry_message_way_out(i)},
                                        {"tests/lang/errors/", dry_message_word(i)}};
        for (int k = 0; k < 4; k++) {
            snprintf(line, sizeof line, "%s%s%s", parts[k][0], parts[k][1], k == 3 ? ".dry" : "\n");
            if (!strstr(text, line)) fail_msg("docs/errors.md lacks: %s", line);
        }
    }
    free(text);
}

/* ---- all errors, and no consequences of them ----------------------------------------------------
 */

static const char *const five_errors = "param M = 1 [kg], k = 100 [N/mmm]\n"
                                       "state p = 0 [m], v = 0 [m/s], q = 0\n"
                                       "f in F*sgn(v) with K = 5e3 [N/m]\n"
                                       "fe = (1 + 2 [N]\n"
                                       "function g(x) = x^2\n"
                                       "p' = v + g(v, v)\n"
                                       "M*v' = -k*p - f + fe\n"
                                       "run until = 1 [s], step = 1 [ms]\n"
                                       "measure top = maximum(p)\n";
static const char *const five_words[] = {"unknown-unit",   "no-equation",
                                         "unknown-name",   "bracket-not-closed",
                                         "argument-count", "unknown-function"};

static void all_errors_are_told(void **state) {
    (void)state;
    dry_model *model = dry_model_compile("five", five_errors, strlen(five_errors), NULL);
    assert_non_null(model);
    for (int k = 0; k < dry_model_messages(model) && k < 6; k++)
        assert_string_equal(dry_model_message(model, k).word, five_words[k]);
    assert_int_equal(dry_model_messages(model), 6);
    dry_model_free(model);
}

/* The printed form: place, text and word; the line; the caret under the place; the way out. */
static void a_message_is_printed_with_a_caret(void **state) {
    (void)state;
    static const char text[] = "state v = 0\nv' = 2*\xCE\xB2\n";
    static const char wanted[] =
        "m.dry:2:8: error: `\xCE\xB2` is not defined [unknown-name]\n"
        "    2 | v' = 2*\xCE\xB2\n"
        "      |        ^\n"
        "      = define it: param \xCE\xB2 = ..., state \xCE\xB2 = ..., or \xCE\xB2 = ...\n";
    char got[1000] = "";
    dry_model *model = dry_model_compile("m.dry", text, sizeof text - 1, NULL);
    assert_non_null(model);
    FILE *stream = tmpfile();
    assert_non_null(stream);
    dry_model_print_message(model, 0, stream, false);
    rewind(stream);
    got[fread(got, 1, sizeof got - 1, stream)] = 0;
    fclose(stream);
    assert_string_equal(got, wanted);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_gives_its_messages),
        cmocka_unit_test(every_message_has_its_file),
        cmocka_unit_test(every_message_has_a_way_out),
        cmocka_unit_test(every_message_is_documented),
        cmocka_unit_test(all_errors_are_told),
        cmocka_unit_test(a_message_is_printed_with_a_caret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
