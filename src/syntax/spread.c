/* spread: reads the files that a text includes, and puts their statements in its tree.
 *
 * An included file gives what moves. How it is run, looked at and tested stays with the file: its
 * model, run, stop, output, free, plot, measure and expect are left out. */
#include "spread_private.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16, MOST_FILES = 1000, MOST_STATEMENTS = 130000 };
static const size_t most_bytes = (size_t)16 << 20;

/* What the including text gives in place of a value: statement `at` of the list. */
typedef struct gift {
    int at;
    const dry_key *key;
} gift;

/* The statements of one file with all that it includes. */
typedef struct flat {
    dry_stmt *stmt;
    int n, room;
    gift *gift;
    int n_gifts, gift_room;
    const char **lost;
    int n_lost, lost_room;
    dry_name_set names, spaces;
    bool full; /* there are too many statements */
    bool bad;  /* a file was not read, so that nothing is known about its names */
} flat;

typedef struct spreader {
    dry_diagnostics *diag;
    dry_is_function *is_function;
    int depth;
} spreader;

/* Makes room for one more item; NULL without memory. */
static void *grow(dry_arena *arena, void *list, int n, int *room, size_t size) {
    void **items = list;
    if (n == *room) {
        const int more = *room ? 2 * *room : 16;
        void *copy = dry_arena_take(arena, size * (size_t)more);
        if (!copy) return NULL;
        if (n) memcpy(copy, *items, size * (size_t)n);
        *items = copy;
        *room = more;
    }
    return (char *)*items + size * (size_t)n;
}

static void add(spreader *s, flat *to, const dry_stmt *stmt) {
    dry_stmt *slot = grow(s->diag->arena, &to->stmt, to->n, &to->room, sizeof *slot);
    if (!slot) return;
    if (to->n == MOST_STATEMENTS) {
        if (!to->full) DRY_SAY(s->diag, stmt->at, TOO_LARGE, "");
        to->full = true;
        return;
    }
    *slot = *stmt;
    to->n++;
    if (dry_syntax__defines(stmt)) dry_syntax__add_name(&to->names, stmt->name, s->diag->arena);
}

static void lose(spreader *s, flat *to, const char *name) {
    const char **slot =
        grow(s->diag->arena, (void *)&to->lost, to->n_lost, &to->lost_room, sizeof *slot);
    if (!slot) return;
    *slot = name;
    to->n_lost++;
}

/* ---- files ------------------------------------------------------------------------- */

static const char *path_of(spreader *s, const dry_data_expr *data) {
    const char *name = data->file;
    while (!strncmp(name, "./", 2)) name += 2;
    const char *folder = s->diag->source ? s->diag->source[data->file_at.file].folder : "";
    return name[0] == '/' || !folder[0] ? name : dry_diag_join(s->diag, folder, "", name);
}

/* "a.dry - b.dry - a.dry" */
static const char *chain(spreader *s, int source, const char *last) {
    const char *text = last;
    for (int i = source;; i = s->diag->source[i].parent) {
        text = dry_diag_text(s->diag, "%s - %s", s->diag->source[i].path, text);
        if (i == 0) return text;
    }
}

static bool is_open(const spreader *s, int source, const char *path) {
    for (int i = source;; i = s->diag->source[i].parent) {
        if (!strcmp(s->diag->source[i].path, path)) return true;
        if (i == 0) return false;
    }
}

static void say_unread(spreader *s, const dry_data_expr *data, const char *path,
                       const dry_error *error) {
    const size_t n = strlen(path);
    const char *why = error->text;
    if (!strncmp(why, path, n) && !strncmp(why + n, ": ", 2)) why += n + 2;
    DRY_SAY(s->diag, data->file_at, INCLUDE_FILE, data->file, dry_diag_text(s->diag, "%s", why));
}

/* Returns the number of the source; -1 after a fault. */
static int open_file(spreader *s, const dry_stmt *stmt) {
    const dry_data_expr *data = stmt->data;
    const char *path = path_of(s, data);
    char *text;
    size_t length;
    dry_error error = {0};
    if (!strcmp(path, "-") || !strncmp(path, "/dev/", 5)) {
        DRY_SAY(s->diag, data->file_at, INCLUDE_FILE, data->file,
                "a model reads files, not streams");
        return -1;
    }
    if (is_open(s, data->file_at.file, path)) {
        DRY_SAY(s->diag, data->file_at, INCLUDE_CIRCLE, data->file,
                chain(s, data->file_at.file, path));
        return -1;
    }
    if (s->depth == DEEPEST || s->diag->n_sources > MOST_FILES) {
        DRY_SAY(s->diag, data->file_at, INCLUDE_DEEP,
                s->depth == DEEPEST ? "more than 16 deep" : "more than 1000 times");
        return -1;
    }
    const dry_status status = dry_file_read(path, most_bytes, &text, &length, &error);
    if (status == DRY_NO_MEMORY) dry_arena_fail(s->diag->arena);
    if (status != DRY_OK) {
        say_unread(s, data, path, &error);
        return -1;
    }
    const char *kept = dry_arena_text(s->diag->arena, text, length);
    free(text);
    const int source = kept ? dry_diag_add_source(s->diag, path, kept, length) : -1;
    if (source < 0) return -1;
    const char *outer = s->diag->source[data->file_at.file].as;
    s->diag->source[source].parent = data->file_at.file;
    s->diag->source[source].as =
        outer[0] ? dry_diag_join(s->diag, outer, ".", stmt->name) : stmt->name;
    return source;
}

/* ---- what is left out -------------------------------------------------------------- */

static const char *word_of_left(dry_st kind) {
    switch (kind) {
    case DRY_ST_MODEL: return "model";
    case DRY_ST_RUN: return "run";
    case DRY_ST_STOP: return "stop";
    case DRY_ST_OUTPUT: return "output";
    case DRY_ST_FREE: return "free";
    case DRY_ST_PLOT: return "plot";
    case DRY_ST_MEASURE: return "measure";
    case DRY_ST_EXPECT: return "expect";
    default: return NULL;
    }
}

static void leave_out(spreader *s, int source, const char *word) {
    const char *left = s->diag->source[source].left;
    if (!strcmp(word, "model") || strstr(left, word)) return;
    s->diag->source[source].left = left[0] ? dry_diag_text(s->diag, "%s, %s", left, word) : word;
}

/* ---- what the including text gives ------------------------------------------------- */

/* The statement of a parameter or an input among those from `first` on. */
static int find_place(const flat *list, int first, const char *prefix, const char *name) {
    const size_t n = strlen(prefix);
    for (int i = first; i < list->n; i++) {
        const dry_stmt *stmt = &list->stmt[i];
        if (stmt->kind != DRY_ST_PARAM && stmt->kind != DRY_ST_INPUT) continue;
        if (!strncmp(stmt->name, prefix, n) && !strcmp(stmt->name + n + 1, name)) return i;
    }
    return -1;
}

static const char *list_places(spreader *s, const flat *list, int first, const char *prefix) {
    enum { SHOWN = 12 };
    const char *names = "";
    int n = 0;
    for (int i = first; i < list->n; i++) {
        const dry_stmt *stmt = &list->stmt[i];
        if (stmt->kind != DRY_ST_PARAM && stmt->kind != DRY_ST_INPUT) continue;
        if (n++ < SHOWN)
            names = dry_diag_text(s->diag, "%s%s%s", names, n > 1 ? ", " : "",
                                  stmt->name + strlen(prefix) + 1);
    }
    if (n > SHOWN) names = dry_diag_text(s->diag, "%s, ...", names);
    return n ? names : "none of either";
}

static void note_gift(spreader *s, flat *list, int at, const dry_key *key) {
    for (int i = 0; i < list->n_gifts; i++)
        if (list->gift[i].at == at) {
            DRY_SAY(s->diag, key->at, KEY_TWICE, key->name);
            return;
        }
    gift *slot = grow(s->diag->arena, &list->gift, list->n_gifts, &list->gift_room, sizeof *slot);
    if (!slot) return;
    *slot = (gift){at, key};
    list->n_gifts++;
}

static void note_gifts(spreader *s, flat *list, int first, const dry_stmt *include) {
    for (int i = 0; i < include->n_keys; i++) {
        const dry_key *key = &include->key[i];
        const int at = find_place(list, first, include->name, key->name);
        if (at >= 0)
            note_gift(s, list, at, key);
        else
            DRY_SAY(s->diag, key->at, INCLUDE_KEY, include->data->file, key->name,
                    list_places(s, list, first, include->name));
    }
}

/* A parameter takes the value; an input becomes a quantity. */
static void give(const dry_renaming *how, dry_stmt *stmt, const dry_key *key) {
    stmt->was = stmt->value;
    stmt->value = dry_syntax__renamed(how, key->value);
    stmt->at = key->at;
    if (stmt->kind == DRY_ST_PARAM) return;
    stmt->kind = DRY_ST_DEFINE;
    stmt->data = NULL;
    stmt->n_keys = 0;
}

/* ---- the whole --------------------------------------------------------------------- */

static flat spread(spreader *s, dry_tree tree);

static dry_tree parse_source(spreader *s, int source) {
    const dry_source *text = &s->diag->source[source];
    const int reading = s->diag->reading;
    const char *bytes = text->text;
    s->diag->reading = source;
    const dry_tokens tokens = dry_syntax_lex(bytes, text->length, s->diag);
    const dry_tree tree = dry_syntax_parse(tokens, bytes, s->is_function, s->diag);
    s->diag->reading = reading;
    return tree;
}

/* Names that are words of the language; a part may have the name of a function. */
static bool is_taken(const spreader *s, const char *name, bool part) {
    static const char *const words[] = {"t", "pi", "inf", "world", "equations"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i])) return true;
    return !part && s->is_function && s->is_function(name);
}

/* As names of the main text are checked: with the name of the file before it, a name would hide
 * that it is a word. */
static void check_name(spreader *s, const dry_stmt *stmt) {
    if (dry_syntax__defines(stmt) && is_taken(s, stmt->name, stmt->kind == DRY_ST_PART))
        DRY_SAY(s->diag, stmt->at, BUILT_IN_NAME, stmt->name);
}

/* Adds the statements of a file, with its name before theirs. */
static void add_file(spreader *s, flat *to, const dry_stmt *include) {
    const int source = open_file(s, include), first = to->n;
    to->bad = to->bad || source < 0;
    if (source < 0) return;
    s->depth++;
    const flat inner = spread(s, parse_source(s, source));
    s->depth--;
    const dry_renaming how = {.diag = s->diag, .names = &inner.names, .prefix = include->name};
    for (int i = 0; i < inner.n; i++) {
        const char *left = word_of_left(inner.stmt[i].kind);
        if (left) {
            leave_out(s, source, left);
            continue;
        }
        check_name(s, &inner.stmt[i]);
        const dry_stmt stmt = dry_syntax__renamed_stmt(&how, &inner.stmt[i]);
        add(s, to, &stmt);
    }
    for (int i = 0; i < inner.n_lost; i++)
        lose(s, to, dry_diag_join(s->diag, include->name, ".", inner.lost[i]));
    to->full = to->full || inner.full;
    to->bad = to->bad || inner.bad;
    note_gifts(s, to, first, include);
}

static bool check_space(spreader *s, const dry_tree *tree, const dry_stmt *include) {
    if (is_taken(s, include->name, false)) {
        DRY_SAY(s->diag, include->at, BUILT_IN_NAME, include->name);
        return false;
    }
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *other = &tree->stmt[i];
        const bool names =
            dry_syntax__defines(other) || (other->kind == DRY_ST_INCLUDE && other < include);
        if (!names || strcmp(other->name, include->name) != 0) continue;
        DRY_SAY(s->diag, include->at, DEFINED_TWICE, include->name,
                dry_diag_text(s->diag, "%d", other->at.line));
        return false;
    }
    return true;
}

/* Finds what the text says about names of its files, when all of them are known. */
static void resolve(spreader *s, flat *list, int file) {
    const dry_renaming how = {.diag = s->diag, .names = &list->names, .spaces = &list->spaces};
    if (!list->spaces.n) return;
    for (int i = 0; i < list->n; i++)
        if (list->stmt[i].at.file == file)
            list->stmt[i] = dry_syntax__renamed_stmt(&how, &list->stmt[i]);
    for (int i = 0; i < list->n_gifts; i++)
        give(&how, &list->stmt[list->gift[i].at], list->gift[i].key);
}

static flat spread(spreader *s, dry_tree tree) {
    flat list = {.bad = tree.cut};
    const int file = tree.n ? tree.stmt[0].at.file : 0;
    for (int i = 0; i < tree.n_lost; i++) lose(s, &list, tree.lost[i]);
    for (int i = 0; i < tree.n && !list.full; i++) {
        const dry_stmt *stmt = &tree.stmt[i];
        if (stmt->kind != DRY_ST_INCLUDE) {
            add(s, &list, stmt);
            continue;
        }
        const bool good = check_space(s, &tree, stmt);
        list.bad = list.bad || !good;
        if (!good) continue;
        dry_syntax__add_name(&list.spaces, stmt->name, s->diag->arena);
        add_file(s, &list, stmt);
    }
    resolve(s, &list, file);
    return list;
}

dry_tree dry_syntax_spread(dry_tree tree, dry_is_function *is_function, dry_diagnostics *diag) {
    spreader s = {.diag = diag, .is_function = is_function};
    bool any = false;
    for (int i = 0; i < tree.n; i++) any = any || tree.stmt[i].kind == DRY_ST_INCLUDE;
    if (!any) return tree;
    const flat list = spread(&s, tree);
    return (dry_tree){list.stmt, list.n, list.lost, list.n_lost, list.full || list.bad};
}
