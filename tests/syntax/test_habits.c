/* Statements as other languages write them get the way out, and what the way out says compiles.
 * tests/syntax/habits.txt has the cases, in blocks with an empty line between them:
 *   ? PATTERN   the row of src/syntax/habits.def that the case is about
 *   - LINE      as another language writes it
 *   + LINE      as the way out says it (nothing behind the +: the line is removed)
 *   = TEXT      the way out
 *   LINE        what both texts need besides */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "syntax/habits.h"

#include "unit.h"

#include <drystone/model.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2000, MOST = 400 };

typedef struct habit_case {
    char pattern[200], way_out[400], wrong[TEXT], right[TEXT];
    int line;
} habit_case;

static habit_case all[MOST];
static int n_cases;

/* A state, so that every text is a model. */
static const char before[] = "state q0 = 0 [m]\nq0' = 1 [m/s]\n";

static void append(char *text, const char *line) {
    const size_t n = strlen(text);
    snprintf(text + n, TEXT - n, "%s\n", line);
}

static void read_line(habit_case *c, const char *line) {
    const char *what = line[0] && line[1] == ' ' ? line + 2 : "";
    if (line[0] == '?')
        snprintf(c->pattern, sizeof c->pattern, "%s", what);
    else if (line[0] == '=')
        snprintf(c->way_out, sizeof c->way_out, "%s", what);
    else if (line[0] == '-')
        append(c->wrong, what);
    else if (line[0] == '+')
        append(c->right, what);
    else {
        append(c->wrong, line);
        append(c->right, line);
    }
}

static int read_cases(void **state) {
    (void)state;
    char *line = NULL;
    size_t room = 0;
    FILE *stream = fopen(DRY_SOURCE_DIR "/tests/syntax/habits.txt", "r");
    assert_non_null(stream);
    for (int number = 1; getline(&line, &room, stream) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || !line[0]) continue;
        if (line[0] == '?') {
            assert_in_range(n_cases, 0, MOST - 1);
            all[n_cases++] = (habit_case){.line = number};
            append(all[n_cases - 1].wrong, before);
            append(all[n_cases - 1].right, before);
        }
        above(n_cases, 0);
        read_line(&all[n_cases - 1], line);
    }
    free(line);
    fclose(stream);
    return 0;
}

static dry_model *compile(const char *text) {
    dry_model *model = dry_model_compile("habit.dry", text, strlen(text), NULL);
    assert_non_null(model);
    return model;
}

/* One error about how it is written; signs of other languages may be told beside it. */
static void each_case_has_its_way_out(void **state) {
    (void)state;
    for (int i = 0; i < n_cases; i++) {
        dry_model *model = compile(all[i].wrong);
        int said = 0;
        for (int k = 0; k < dry_model_messages(model); k++) {
            const dry_message m = dry_model_message(model, k);
            if (!strcmp(m.word, "foreign-sign")) continue;
            if (strcmp(m.word, "other-way") != 0 && strcmp(m.word, "not-here") != 0)
                fail_msg("habits.txt:%d: %s [%s]", all[i].line, m.text, m.word);
            assert_string_equal(m.way_out, all[i].way_out);
            said++;
        }
        if (said != 1) fail_msg("habits.txt:%d: %d messages", all[i].line, said);
        dry_model_free(model);
    }
}

static void each_way_out_compiles(void **state) {
    (void)state;
    for (int i = 0; i < n_cases; i++) {
        dry_model *model = compile(all[i].right);
        if (!dry_model_ok(model))
            fail_msg("habits.txt:%d: %s", all[i].line, dry_model_message(model, 0).text);
        dry_model_free(model);
    }
}

static void each_row_has_a_case(void **state) {
    (void)state;
    for (int i = 0; i < dry_habit_count(); i++) {
        bool found = false;
        for (int k = 0; k < n_cases; k++)
            found = found || !strcmp(all[k].pattern, dry_habit_pattern(i));
        if (!found) fail_msg("\"%s\" has no case in habits.txt", dry_habit_pattern(i));
    }
}

static void each_case_has_a_row(void **state) {
    (void)state;
    for (int k = 0; k < n_cases; k++) {
        bool found = false;
        for (int i = 0; i < dry_habit_count(); i++)
            found = found || !strcmp(all[k].pattern, dry_habit_pattern(i));
        if (!found) fail_msg("habits.txt:%d: no row \"%s\"", all[k].line, all[k].pattern);
    }
}

/* A statement of many tokens is not searched for ever. */
static void long_statements_end_soon(void **state) {
    (void)state;
    static char text[60000];
    size_t n = (size_t)snprintf(text, sizeof text, "x = ");
    while (n < sizeof text - 40) n += (size_t)snprintf(text + n, sizeof text - n, "if (a, = : ");
    dry_model_free(compile(text));
    text[1200] = '\0';
    dry_model_free(compile(text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_case_has_its_way_out), cmocka_unit_test(each_way_out_compiles),
        cmocka_unit_test(each_row_has_a_case),       cmocka_unit_test(each_case_has_a_row),
        cmocka_unit_test(long_statements_end_soon),
    };
    return cmocka_run_group_tests(tests, read_cases, NULL);
}
