/* drystone export FILE: writes a model as C that needs nothing else. */
#include "files.h"

#include <math.h>
#include <string.h>

static const cli_option options[] = {
    {"to", 0, CLI_TEXT, "LANGUAGE", "what to write: c", NULL},
    {"output", 'o', CLI_TEXT, "DIR", "the folder: new, empty, or an earlier export", NULL},
    {"float", 0, CLI_FLAG, NULL, "single precision", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE", "set a default of a parameter (SI units)", NULL},
    {"until", 0, CLI_POSITIVE, "SECONDS", "how long main.c runs", "seconds"},
    {"step", 0, CLI_POSITIVE, "SECONDS", "its step", "seconds"},
    {"method", 0, CLI_TEXT, "NAME", "euler, heun, rk4, rk4-tau, semi-implicit", NULL},
    {"record", 0, CLI_POSITIVE, "SECONDS", "time between its rows", "seconds"},
    {"force", 0, CLI_FLAG, NULL, "export at a step outside the stability bound", NULL},
    {0},
};

enum { MOST_SETTINGS = 256 };

static bool fits(const cli_args *args) {
    const char *language = cli_text(args, "to", "c"), *method = cli_text(args, "method", "rk4");
    const dry_method *found = dry_method_find(method);
    if (strcmp(language, "c") != 0)
        return cli_complain("there is no export to '%s'; write --to c", language), false;
    if (!cli_has(args, "output")) return cli_complain("say which folder to write: -o DIR"), false;
    if (!found || found->adaptive)
        return cli_complain("'%s' is no fixed-step method; choose one of euler, heun, rk4, "
                            "rk4-tau, semi-implicit",
                            method),
               false;
    return true;
}

static int write_folder(const dry_model *model, const cli_args *args) {
    const dry_export_options wanted = {.single = cli_has(args, "float")};
    const char *folder = cli_text(args, "output", "");
    dry_error error = {0};
    const dry_status status = dry_export_c(model, &wanted, folder, &error);
    if (status != DRY_OK) {
        cli_complain_error(&error);
        return status == DRY_BAD_ARGUMENT || status == DRY_UNSUPPORTED ? CLI_USAGE : CLI_RUN;
    }
    printf("%s: model.h, model.c, main.c, Makefile, README.md; 'make -C %s' builds it\n", folder,
           folder);
    return CLI_FINE;
}

static int export_verb(const cli_args *args) {
    dry_setting settings[MOST_SETTINGS];
    int n = 0;
    if (!fits(args)) return CLI_USAGE;
    for (const cli_given *g; (g = cli_nth(args, "param", n)) && n < MOST_SETTINGS; n++)
        settings[n] = (dry_setting){g->text, g->number};
    dry_run_options run = dry_run_unsaid();
    run.until = cli_number(args, "until", (double)NAN);
    run.step = cli_number(args, "step", (double)NAN);
    run.record = cli_number(args, "record", (double)NAN);
    run.method = cli_text(args, "method", NULL);
    const dry_model_options compiled = {
        .settings = settings, .n_settings = n, .run = &run, .force = cli_has(args, "force")};
    dry_model *model;
    int code = cli_compile(args->words[0], &compiled, &model);
    if (code == CLI_FINE) code = write_folder(model, args);
    dry_model_free(model);
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
