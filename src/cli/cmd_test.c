/* drystone test FILE|DIR...: runs every model and reports each expectation.
 *
 * A model whose first line is `# refused: WORD` shows what the compiler must not accept: it passes
 * when every error has that word. Where it runs with --force, its expectations are of the forced
 * run. */
#define _POSIX_C_SOURCE 200809L /* scandir */
#include "files.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct tally {
    int passed, failed, models;
} tally;

static const cli_option options[] = {
    {"quiet", 0, CLI_FLAG, NULL, "report failures only", NULL},
    {0},
};

static void report(const char *path, const dry_expected *e, bool quiet) {
    if (e->met && quiet) return;
    printf("%s %s:%d: %s", e->met ? "ok    " : "FAILED", path, e->line, e->source);
    if (!isnan(e->target)) printf("   (found %.9g)", e->value);
    putchar('\n');
}

static void test_expectations(const dry_model *model, const char *path, bool quiet, tally *t) {
    cli_run run = {0};
    int code = cli_run_model(model, path, false, &run);
    for (int i = 0; run.expected && i < dry_model_expects(model); i++) {
        report(path, &run.expected[i], quiet);
        t->passed += run.expected[i].met;
        t->failed += !run.expected[i].met;
    }
    if (code != CLI_FINE && code != CLI_EXPECTATION) {
        printf("FAILED %s: the run failed\n", path);
        t->failed++;
    }
    cli_run_free(&run);
}

static void test_accepted(const char *path, const char *text, size_t length, bool quiet, tally *t) {
    dry_model *model = dry_model_compile(path, text, length, NULL);
    for (int i = 0; model && i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, cli_wants_colour(stderr));
    if (model && dry_model_ok(model))
        test_expectations(model, path, quiet, t);
    else {
        printf("FAILED %s: %s\n", path, model ? "the model has errors" : "out of memory");
        t->failed++;
    }
    dry_model_free(model);
}

/* ---- models that must be refused --------------------------------------------------- */

enum { WORD_SIZE = 64 };

/* The WORD of a first line `# refused: WORD`; false where there is none. */
static bool refused_word(const char *text, char word[WORD_SIZE]) {
    static const char mark[] = "# refused: ";
    if (strncmp(text, mark, sizeof mark - 1) != 0) return false;
    text += sizeof mark - 1;
    size_t n = strcspn(text, " \t\r\n");
    if (n == 0 || n >= WORD_SIZE) return false;
    memcpy(word, text, n);
    word[n] = '\0';
    return true;
}

static bool is_refused_with(const dry_model *model, const char *word) {
    int errors = 0, others = 0;
    for (int i = 0; i < dry_model_messages(model); i++) {
        dry_message message = dry_model_message(model, i);
        if (message.kind != DRY_ERROR) continue;
        errors++;
        others += strcmp(message.word, word) != 0;
    }
    return errors > 0 && others == 0;
}

static void test_refused(const char *path, const char *text, size_t length, const char *word,
                         bool quiet, tally *t) {
    dry_model *model = dry_model_compile(path, text, length, NULL);
    dry_model *forced = dry_model_compile(path, text, length, &(dry_model_options){.force = true});
    bool refused = model && is_refused_with(model, word);
    if (!refused || !quiet)
        printf("%s %s:1: refused: %s\n", refused ? "ok    " : "FAILED", path, word);
    t->passed += refused;
    t->failed += !refused;
    if (forced && dry_model_ok(forced)) test_expectations(forced, path, quiet, t);
    dry_model_free(model);
    dry_model_free(forced);
}

static void test_model(const char *path, bool quiet, tally *t) {
    char *text, word[WORD_SIZE];
    size_t length;
    dry_error error = {0};
    t->models++;
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) {
        cli_complain_error(&error);
        printf("FAILED %s: the file cannot be read\n", path);
        t->failed++;
    } else if (refused_word(text, word))
        test_refused(path, text, length, word, quiet, t);
    else
        test_accepted(path, text, length, quiet, t);
    free(text);
}

static bool ends_with_dry(const char *name) {
    size_t n = strlen(name);
    return n > 4 && !strcmp(name + n - 4, ".dry");
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

enum { DEEPEST = 16 };

static bool test_path(const char *path, bool quiet, int depth, bool named, tally *t);

static bool test_directory(const char *path, bool quiet, int depth, tally *t) {
    struct dirent **entries;
    int n = depth < DEEPEST ? scandir(path, &entries, NULL, by_name) : -1;
    if (n < 0) return cli_complain("%s: the folder cannot be read", path), false;
    bool good = true;
    for (int i = 0; i < n; i++) {
        size_t size = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *inner = malloc(size);
        if (inner && entries[i]->d_name[0] != '.') {
            snprintf(inner, size, "%s/%s", path, entries[i]->d_name);
            good = test_path(inner, quiet, depth + 1, false, t) && good;
        }
        free(inner);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* A file that is named is tested whatever its ending; in a folder those that end in .dry. */
static bool test_path(const char *path, bool quiet, int depth, bool named, tally *t) {
    struct stat info;
    if (stat(path, &info) != 0) return cli_complain("%s: no such file or folder", path), false;
    if (S_ISDIR(info.st_mode)) return test_directory(path, quiet, depth, t);
    if (named || ends_with_dry(path)) test_model(path, quiet, t);
    return true;
}

static int run(const cli_args *args) {
    tally t = {0};
    bool good = true;
    for (int i = 0; i < args->n_words; i++)
        good = test_path(args->words[i], cli_has(args, "quiet"), 0, true, &t) && good;
    printf("%d models\n%d passed, %d failed\n", t.models, t.passed, t.failed);
    if (!good) return CLI_USAGE;
    return t.failed ? CLI_EXPECTATION : CLI_FINE;
}

const cli_verb cli_verb_test = {
    .name = "test",
    .arguments = "FILE|DIR...",
    .summary = "run models and check their expectations",
    .options = options,
    .min_words = 1,
    .max_words = 1 << 20,
    .run = run,
};
