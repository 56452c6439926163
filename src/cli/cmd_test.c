/* drystone test FILE|DIR...: runs every model and reports each expectation.
 *
 * A model whose first line is `# refused: WORD` shows what the compiler must not accept: it passes
 * when every error has that word. If it runs with --force, its expectations hold for the forced
 * run. A robot is tested by the model beside its file, which has its expectations.
 *
 * With --watch every run must be one that can be trusted, or get the word that the model's head
 * says
 * (`# watch: not converged, since the step is the paper's`). */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    int passed, failed, models;
} tally;

/* How models are tested. */
typedef struct tester {
    bool quiet, watched, strict;
    dry_watch_options watch;
    const dry_model_options *options;
    tally *tally;
} tester;

static const cli_option options[] = {
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
    {"quiet", 0, CLI_FLAG, NULL, "report only failures", NULL},
    {"watch", 0, CLI_FLAG, NULL, "repeat runs, and fail if a result cannot be trusted", NULL},
#include "watch_rows.def"
    {0},
};

static void report(const char *path, const dry_expected *e, bool quiet) {
    if (e->met && quiet) return;
    const bool robot = cli_ends_with(path, ".urdf");
    const int length = (int)(strlen(path) - (robot ? strlen(".urdf") : 0));
    printf("%s %.*s%s:%d: %s", e->met ? "ok    " : "FAILED", length, path, robot ? ".dry" : "",
           e->line, e->source);
    if (!isnan(e->target)) printf("   (found %.9g)", e->value);
    putchar('\n');
}

/* ---- the word of a run -------------------------------------------------------------- */

/* Returns true if a run gets the verdict that its model names: a word of dry_watch_word_text, or
 * `gives way`. A run that takes too long to be watched passes unless the test is strict. */
static bool is_word(const dry_watch_verdict *v, const char *line, bool strict) {
    const char *word = dry_watch_word_text(v->word);
    if (!line) return strict ? dry_watch_is_good(v) : !dry_watch_is_bad(v);
    if (strncmp(line, "gives way", 9) == 0) return v->n_gives > 0 || *v->chosen_text;
    return !dry_watch_is_good(v) && strncmp(line, word, strlen(word)) == 0;
}

static void test_word(const cli_job *job, const tester *how, tally *t) {
    const char *path = job->path, *line = cli_watch_line(dry_model_text(job->model, NULL));
    const int length = line ? (int)strcspn(line, "\r\n") : 0;
    dry_watch_verdict v = {0};
    const bool watched = cli_job_watch(job, &v), good = watched && is_word(&v, line, how->strict);
    if (!good || !how->quiet)
        printf("%s %s: watch: %s%s%.*s\n", good ? "ok    " : "FAILED", path, v.text,
               line ? "; the model says: " : "", length, line ? line : "");
    for (int i = 0; i < v.n_gives && !good; i++) {
        char text[300];
        dry_watch_give_text(&v.gives[i], text, sizeof text);
        printf("FAILED %s: watch: %s\n", path, text);
    }
    if (*v.chosen_text && !good) printf("FAILED %s: watch: %s\n", path, v.chosen_text);
    t->passed += good;
    t->failed += !good;
    dry_watch_free(&v);
}

static void test_expectations(cli_job *job, const tester *how, tally *t) {
    const int n = dry_model_expects(job->model);
    if (!n && !how->quiet) printf("none   %s: it expects nothing\n", job->path);
    cli_job_run(job);
    for (int i = 0; job->expected && i < n; i++) {
        report(job->path, &job->expected[i], how->quiet);
        t->passed += job->expected[i].met;
        t->failed += !job->expected[i].met;
    }
    if (cli_job_ended(job) && !cli_account_holds(job)) job->exit = CLI_RUN;
    if (!cli_job_ended(job)) {
        printf("FAILED %s: the run failed\n", job->path);
        t->failed++;
    } else if (job->watched) {
        test_word(job, how, t);
    }
}

static void test_accepted(const char *path, const tester *how, tally *t) {
    cli_job job = {
        .path = path, .options = *how->options, .watched = how->watched, .watch = how->watch};
    if (cli_job_compile(&job) == CLI_FINE)
        test_expectations(&job, how, t);
    else {
        printf("FAILED %s: %s\n", path,
               job.model ? "the model has errors" : "it could not be compiled");
        t->failed++;
    }
    cli_job_free(&job);
}

/* ---- models that must be refused --------------------------------------------------- */

/* Forced runs are not watched, because they cannot be trusted. */
static void test_refused(const char *path, const char *text, size_t length, const char *word,
                         const tester *how, tally *t) {
    dry_model *model = dry_model_compile(path, text, length, how->options);
    cli_job forced = {.path = path, .options = *how->options};
    forced.options.force = true;
    bool refused = model && cli_is_refused_with(model, word);
    if (!refused || !how->quiet)
        printf("%s %s:1: refused: %s\n", refused ? "ok    " : "FAILED", path, word);
    t->passed += refused;
    t->failed += !refused;
    dry_model_free(model);
    forced.model = dry_model_compile(path, text, length, &forced.options);
    if (forced.model && dry_model_ok(forced.model)) test_expectations(&forced, how, t);
    cli_job_free(&forced);
}

static void test_model(const char *path, const tester *how, tally *t) {
    char *text, word[CLI_WORD];
    size_t length;
    dry_error error = {0};
    t->models++;
    if (cli_ends_with(path, ".urdf")) {
        test_accepted(path, how, t);
        return;
    }
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) {
        cli_complain_error(&error);
        printf("FAILED %s: the file cannot be read\n", path);
        t->failed++;
    } else if (cli_refused_word(text, word))
        test_refused(path, text, length, word, how, t);
    else
        test_accepted(path, how, t);
    free(text);
}

static void test_one(void *user, const char *path) {
    const tester *t = user;
    test_model(path, t, t->tally);
}

/* False: a word of the line is not a model. */
static bool test_all(const cli_args *args, tester *each) {
    bool good = true;
    for (int i = 0; i < args->n_words; i++)
        good = cli_each_model(args->words[i], test_one, each) && good;
    return good;
}

static int run(const cli_args *args) {
    tally t = {0};
    cli_job given;
    const int code = cli_job_read(&given, args);
    tester each = {.quiet = cli_has(args, "quiet"),
                   .strict = cli_has(args, "strict"),
                   .watch = cli_watch_options(args),
                   .options = &given.options,
                   .tally = &t};
    const bool read = code == CLI_FINE && cli_asks_watch(args, &each.watched);
    const bool good = read && test_all(args, &each);
    cli_job_free(&given);
    if (!read) return code == CLI_FINE ? CLI_USAGE : code;
    printf("%d %s\n%d passed, %d failed\n", t.models, cli_noun(t.models, "model", "models"),
           t.passed, t.failed);
    if (!t.passed && !t.failed) cli_complain("nothing was tested: add `expect` lines to a model");
    if (!good || (!t.passed && !t.failed)) return CLI_USAGE;
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
