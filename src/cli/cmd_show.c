/* drystone show FILE: the equations that a model becomes, or a stage of the compiler. */
#include "files.h"

#include <math.h>
#include <string.h>

static const cli_option options[] = {
    {"as", 0, CLI_TEXT, "FORM", "text (default) or latex", NULL},
    {"stage", 0, CLI_TEXT, "STAGE", "tokens, tree, checked, lowered, ordered or code", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE", "set a parameter (SI units)", NULL},
    {"step", 0, CLI_POSITIVE, "SECONDS", "step of a fixed-step method", "seconds"},
    {"method", 0, CLI_TEXT, "NAME", "the method that parameters are chosen for", NULL},
    {0},
};

enum { MOST_SETTINGS = 256 };

static int show(const dry_model *model, const char *form, const char *stage) {
    if (stage) {
        dry_status status = dry_model_print_stage(model, stage, stdout);
        if (status == DRY_BAD_ARGUMENT)
            cli_complain("there is no stage '%s': it is one of tokens, tree, checked, lowered, "
                         "ordered, code",
                         stage);
        return status == DRY_OK ? CLI_FINE : status == DRY_BAD_MODEL ? CLI_MODEL : CLI_USAGE;
    }
    if (!dry_model_ok(model)) return CLI_MODEL;
    if (!strcmp(form, "latex"))
        dry_model_print_latex(model, stdout);
    else
        dry_model_print_text(model, stdout);
    return CLI_FINE;
}

static int run(const cli_args *args) {
    const char *form = cli_text(args, "as", "text"), *method = cli_text(args, "method", NULL);
    if (strcmp(form, "text") != 0 && strcmp(form, "latex") != 0)
        return cli_complain("--as wants text or latex, found '%s'", form), CLI_USAGE;
    if (method && !dry_method_find(method) && !dry_stiff_method_find(method))
        return cli_complain("there is no method '%s'; `drystone run --help` lists them", method),
               CLI_USAGE;
    dry_setting settings[MOST_SETTINGS];
    int n = 0;
    for (const cli_given *g; (g = cli_nth(args, "param", n)) && n < MOST_SETTINGS; n++)
        settings[n] = (dry_setting){g->text, g->number};
    dry_run_options run_options = dry_run_unsaid();
    run_options.step = cli_number(args, "step", (double)NAN);
    run_options.method = method;
    dry_model_options model_options = {
        .settings = settings, .n_settings = n, .run = &run_options, .force = true};
    dry_model *model;
    int code = cli_compile(args->words[0], &model_options, &model);
    if (model) {
        int shown = show(model, form, cli_text(args, "stage", NULL));
        if (shown != CLI_FINE) code = shown;
    }
    dry_model_free(model);
    return code;
}

const cli_verb cli_verb_show = {
    .name = "show",
    .arguments = "FILE",
    .summary = "show the equations that a model becomes",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
