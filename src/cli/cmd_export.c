/* drystone export FILE: writes a model as C that needs nothing else. */
#include "wanted.h"
#include "watching.h"
#include <drystone/native.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"to", 0, CLI_TEXT, "LANGUAGE", "what to write: c", NULL},
    {"output", 'o', CLI_TEXT, "DIR", "the folder: new, empty, or an earlier export", NULL},
    {"float", 0, CLI_FLAG, NULL, "single precision", NULL},
    {"prefix", 0, CLI_TEXT, "NAME", "what names of files and symbols begin with: model", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE", "set a default of a parameter (SI units)", NULL},
    {"until", 0, CLI_POSITIVE, "SECONDS", "how long main.c runs", "seconds"},
    {"step", 0, CLI_POSITIVE, "SECONDS", "its step", "seconds"},
    {"method", 0, CLI_FIXED, "NAME", NULL, NULL},
    {"record", 0, CLI_POSITIVE, "SECONDS", "time between its rows", "seconds"},
    {"force", 0, CLI_FLAG, NULL, "export at a step outside the stability bound", NULL},
    {"no-watch", 0, CLI_FLAG, NULL, "do not run it to see how far main.c can be trusted", NULL},
#include "watch_rows.def"
    {0},
};

static bool fits(const cli_args *args) {
    const char *language = cli_text(args, "to", "c"),
               *method = cli_text(args, "method", dry_method_standard()->name);
    const dry_method *found = dry_method_find(method);
    if (strcmp(language, "c") != 0)
        return cli_complain("there is no export to '%s'; write --to c", language), false;
    if (!cli_has(args, "output")) return cli_complain("say which folder to write: -o DIR"), false;
    if (!found || found->adaptive) {
        char names[300];
        cli_complain("'%s' is not a fixed-step method; choose one of %s", method,
                     dry_export_methods(names, sizeof names));
        return false;
    }
    if (cli_has(args, "no-watch") && cli_has(args, "strict"))
        return cli_complain("--no-watch and --strict exclude each other"), false;
    return true;
}

/* ---- in place of the file's method ---------------------------------------------------------- */

/* The model as the file has it, without a word about it; NULL where it has errors. */
static dry_model *compile_quietly(const char *path, const dry_model_options *wanted) {
    char *text;
    size_t length;
    dry_error error = {0};
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) return NULL;
    dry_model *model = dry_model_compile(path, text, length, wanted);
    free(text);
    if (model && dry_model_ok(model)) return model;
    dry_model_free(model);
    return NULL;
}

static bool is_fixed(const dry_method *method) {
    return !method || (dry_method_find(method->name) && !method->adaptive);
}

/* Where K and beta, which a rigid method does without, have come from. */
static void print_sets(const dry_model *model) {
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        if (set.set)
            fprintf(stderr, "  %s: K = %.6g, beta = %.6g s (%s)\n", set.name, set.K, set.beta,
                    set.chosen);
    }
}

static void note_method(const dry_model *own, const dry_model *exported) {
    const bool rigid = dry_model_inclusion(own) != NULL;
    dry_run_options run;
    if (dry_model_plan(exported, &run, NULL) != DRY_OK) return;
    fprintf(stderr,
            "note: the method of the file, %s, %s: exported is %s with steps of %.6g s; --method "
            "and --step choose otherwise\n",
            dry_model_run(own).method->name,
            rigid ? "solves the inclusion by the library, and C for elsewhere its approximation"
                  : "chooses its steps itself, and C for elsewhere has fixed ones",
            run.method->name, run.step);
    if (rigid) print_sets(exported);
}

/* ---- how far it can be trusted ----------------------------------------------------------------
 */

/* What the header says about the run of main.c. */
typedef struct word {
    char lines[CLI_WORD_LINES][CLI_WORD_LINE];
    const char *notes[CLI_WORD_LINES];
    int n;
    bool good;
} word;

static void set_word(word *w, const char *text) {
    snprintf(w->lines[0], CLI_WORD_LINE, "%s", text);
    w->n = 1;
}

/* Work of a run that nobody has to wait for, as the watch counts it. */
static bool is_short(const dry_model *model, const dry_run_options *run, double limit, word *w) {
    const double work =
        ceil(run->until / run->step) * run->method->stages * dry_model_system(model)->n_states;
    char text[CLI_WORD_LINE];
    if (!(limit > 0.0)) limit = DRY_WATCH_LIMIT;
    if (work <= limit) return true;
    snprintf(
        text, sizeof text,
        "not watched: the run takes %.2g rates times states, more than the limit of %.2g: raise "
        "it with --watch-limit",
        work, limit);
    set_word(w, text);
    return false;
}

/* In bytecode: no compiler is called. */
static dry_status run_exported(const dry_model *model, const dry_run_options *run,
                               dry_sim_result *result, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    const dry_sim_options how = {.run = *run, .saves = dry_watch_saves(system)};
    return dry_sim_run(system, &how, result, error);
}

static void say_failed(const dry_model *model, const dry_sim_result *result, const dry_error *error,
                       word *w) {
    char text[CLI_WORD_LINE];
    const bool own = error->status == DRY_RUN_FAILED && result->fault.watch;
    snprintf(text, sizeof text, "the run fails: %.400s",
             own ? dry_model_watch_text(model, result->fault.watch) : error->text);
    set_word(w, text);
}

/* False with the complaint printed where it could not be watched. */
static bool watch(const dry_model *model, const dry_model_options *given, const cli_args *args,
                  word *w) {
    cli_run first = {.run = dry_export_run(model)};
    const dry_watch_options how = cli_watch_options(args);
    dry_watch_verdict verdict = {0};
    dry_error error = {0};
    bool done = true;
    if (!is_short(model, &first.run, how.limit, w)) return true;
    const dry_status status = run_exported(model, &first.run, &first.result, &error);
    if (status == DRY_NO_MEMORY)
        done = (cli_complain("%s: %s", args->words[0], error.text), false);
    else if (status != DRY_OK)
        say_failed(model, &first.result, &error, w);
    else if ((done = cli_watch(model, given, &first, how, &verdict)))
        w->good = dry_watch_is_good(&verdict), w->n = cli_word_lines(&verdict, w->lines);
    dry_watch_free(&verdict);
    cli_run_free(&first);
    return done;
}

/* Before the word: what it is about. */
static void name_run(const dry_model *model, bool single, word *w) {
    const dry_run_options run = dry_export_run(model);
    char text[CLI_WORD_LINE];
    snprintf(text, sizeof text, "%s, step %.6g s, 0 .. %.6g s%s: %.480s", run.method->name,
             run.step, run.until, single ? ", in double precision" : "", w->lines[0]);
    snprintf(w->lines[0], CLI_WORD_LINE, "%s", text);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int write_folder(const dry_model *model, const cli_args *args, word *w) {
    const char *folder = cli_text(args, "output", ""), *prefix = cli_text(args, "prefix", "model");
    if (w->n > 0) name_run(model, cli_has(args, "float"), w);
    for (int i = 0; i < w->n; i++) w->notes[i] = w->lines[i];
    const dry_export_options wanted = {
        .single = cli_has(args, "float"), .prefix = prefix, .notes = w->notes, .n_notes = w->n};
    dry_error error = {0};
    const dry_status status = dry_export_c(model, &wanted, folder, &error);
    if (status != DRY_OK) {
        cli_complain_error(&error);
        return status == DRY_BAD_ARGUMENT || status == DRY_UNSUPPORTED ? CLI_USAGE : CLI_RUN;
    }
    printf("%s: %s.h, %s.c, main.c, Makefile, README.md; 'make -C %s' builds it\n", folder, prefix,
           prefix, folder);
    return CLI_FINE;
}

static int write_watched(const dry_model *model, const dry_model_options *given,
                         const cli_args *args) {
    word w = {.good = cli_has(args, "no-watch")};
    const bool exports = !dry_model_net(model) && !dry_model_inclusion(model);
    if (exports && !cli_has(args, "no-watch")) {
        if (!watch(model, given, args, &w)) return CLI_RUN;
        for (int i = 0; i < w.n; i++) fprintf(stderr, "%s: %s\n", args->words[0], w.lines[i]);
    }
    const int code = write_folder(model, args, &w);
    return code == CLI_FINE && cli_has(args, "strict") && !w.good ? CLI_RUN : code;
}

/* How long main.c runs a model that does not say it, s. */
static const double UNTIL = 1.0;

static int export_wanted(const cli_args *args, cli_wanted *wanted) {
    dry_model *model, *own = compile_quietly(args->words[0], &wanted->model);
    const bool other = own && !is_fixed(dry_model_run(own).method);
    if (other) wanted->model.run.method = dry_method_standard();
    if (other && !dry_model_inclusion(own)) wanted->model.unstepped = true;
    if (own && !(dry_model_run(own).until > 0.0)) wanted->model.run.until = UNTIL;
    int code = cli_compile(args->words[0], &wanted->model, &model);
    if (code == CLI_FINE) code = write_watched(model, &wanted->model, args);
    if (code == CLI_FINE && other) note_method(own, model);
    dry_model_free(own);
    dry_model_free(model);
    return code;
}

static int export_verb(const cli_args *args) {
    cli_wanted wanted;
    if (!fits(args)) return CLI_USAGE;
    int code = cli_want(args, &wanted);
    if (code == CLI_FINE) code = export_wanted(args, &wanted);
    cli_wanted_free(&wanted);
    return code;
}

const cli_verb cli_verb_export = {
    .name = "export",
    .arguments = "FILE -o DIR",
    .summary = "write a model as C that needs nothing else",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = export_verb,
};
