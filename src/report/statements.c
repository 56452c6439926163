/* statements: what the papers state and what came out, from models/papers/statements.txt. */
#include "report_private.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 7 };

static char *trim(char *text) {
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';) text[--n] = '\0';
    return text;
}

/* Cuts a line at its bars; false if the number of cells is not that of a row. */
static bool cut(char *line, char *cell[CELLS]) {
    for (int i = 0; i < CELLS; i++) {
        char *end = line + strcspn(line, "|");
        if ((*end == '|') != (i < CELLS - 1)) return false;
        *end = '\0';
        cell[i] = trim(line);
        line = end + 1;
    }
    return true;
}

static const char *const verdicts[] = {[DRY_STATED_NOTHING] = "-",
                                       [DRY_STATED_MET] = "met",
                                       [DRY_STATED_CONDITION] = "condition",
                                       [DRY_STATED_NOT_MET] = "not met"};

static bool read_verdict(const char *text, dry_verdict *verdict) {
    for (int i = 0; i < (int)(sizeof verdicts / sizeof *verdicts); i++)
        if (!strcmp(text, verdicts[i])) {
            *verdict = (dry_verdict)i;
            return true;
        }
    return false;
}

/* A condition and a denial have their reason. */
static bool read_row(char *line, dry_statement *s) {
    char *cell[CELLS];
    if (!cut(line, cell) || !read_verdict(cell[5], &s->verdict)) return false;
    cell[0][strcspn(cell[0], " ")] = '\0'; /* without the chapter */
    s->folder = cell[0];
    s->figure = cell[1];
    s->models = cell[2];
    s->statement = cell[3];
    s->ours = cell[4];
    s->why = cell[6];
    return *s->why || s->verdict == DRY_STATED_MET || s->verdict == DRY_STATED_NOTHING;
}

static int count_lines(const char *text) {
    int n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

dry_status dry_statements_read(const char *path, dry_arena *arena, dry_statements *statements,
                               dry_error *error) {
    char *text = NULL;
    size_t length;
    *statements = (dry_statements){0};
    dry_status status = dry_file_read(path, 1u << 24, &text, &length, error);
    if (status != DRY_OK) return status;
    char *copy = dry_arena_text(arena, text, length);
    free(text);
    dry_statement *row =
        copy ? dry_arena_take(arena, sizeof *row * (size_t)count_lines(copy)) : NULL;
    if (!row) return dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0, "out of memory");
    statements->row = row;
    for (int line = 1; *copy; line++) {
        char *end = copy + strcspn(copy, "\n"), *next = *end ? end + 1 : end;
        *end = '\0';
        if (*copy && *copy != '#' && !read_row(copy, &row[statements->n++]))
            return dry_error_set_at(error, DRY_BAD_FILE, path, line, 1,
                                    "not a row of statements: write paper | figure | models | "
                                    "statement | ours | met, condition, not met or - | why");
        copy = next;
    }
    return DRY_OK;
}

int dry_statements_count(const dry_statements *statements, const char *folder,
                         dry_verdict verdict) {
    int count = 0;
    for (int i = 0; i < statements->n; i++)
        count +=
            statements->row[i].verdict == verdict && !strcmp(statements->row[i].folder, folder);
    return count;
}
