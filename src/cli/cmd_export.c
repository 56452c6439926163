/* drystone export FILE: writes a model as C that needs nothing else. */
#include "files.h"
#include "wanted.h"
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
        cli_complain("'%s' is no fixed-step method; choose one of %s", method,
                     dry_export_methods(names, sizeof names));
        return false;
    }
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

static bool is_fixed(const char *name) {
    const dry_method *method = dry_method_find(name ? name : dry_method_standard()->name);
    return method && !method->adaptive;
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
    const dry_method *method;
    dry_run_options run;
    if (dry_model_plan(exported, &run, &method, NULL) != DRY_OK) return;
    fprintf(stderr,
            "note: the method of the file, %s, %s: exported is %s with steps of %.6g s; --method "
            "and --step choose otherwise\n",
            dry_model_run(own).method,
            rigid ? "solves the inclusion by the library, and C for elsewhere its approximation"
                  : "chooses its steps itself, and C for elsewhere has fixed ones",
            run.method, run.step);
    if (rigid) print_sets(exported);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static int write_folder(const dry_model *model, const cli_args *args) {
    const char *folder = cli_text(args, "output", ""), *prefix = cli_text(args, "prefix", "model");
    const dry_export_options wanted = {.single = cli_has(args, "float"), .prefix = prefix};
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

/* How long main.c runs a model that does not say it, s. */
static const double UNTIL = 1.0;

static int export_wanted(const cli_args *args, cli_wanted *wanted) {
    dry_model *model, *own = compile_quietly(args->words[0], &wanted->model);
    const bool other = own && !is_fixed(dry_model_run(own).method);
    if (other) wanted->run.method = dry_method_standard()->name;
    if (other && !dry_model_inclusion(own)) wanted->model.unstepped = true;
    if (own && isnan(dry_model_run(own).until)) wanted->run.until = UNTIL;
    int code = cli_compile(args->words[0], &wanted->model, &model);
    if (code == CLI_FINE) code = write_folder(model, args);
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
