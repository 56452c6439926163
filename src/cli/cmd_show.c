/* drystone show FILE: the equations that a model becomes, or a stage of the compiler. */
#include "job.h"

#include <string.h>

static const cli_option options[] = {
    {"as", 0, CLI_TEXT, "FORM", "text (default), latex, or inclusion: latex of the sets", NULL},
    {"stage", 0, CLI_TEXT, "STAGE", "tokens, tree, checked, lowered, ordered or code", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE",
     "set a parameter: a number or list, SI or with its unit", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
    {"step", 0, CLI_POSITIVE, "SECONDS", "step of a fixed-step method", "seconds"},
    {"method", 0, CLI_TEXT, "NAME", "method for which to choose parameters", NULL},
    {0},
};

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
    if (!strcmp(form, "latex") || !strcmp(form, "inclusion"))
        dry_model_print_latex(model, !strcmp(form, "latex"), stdout);
    else
        dry_model_print_text(model, stdout);
    return CLI_FINE;
}

static int show_job(const cli_args *args, cli_job *job, const char *form) {
    int code = cli_job_compile(job);
    if (!job->model) return code;
    const int shown = show(job->model, form, cli_text(args, "stage", NULL));
    if (shown != CLI_FINE) code = shown;
    if (dry_model_failed(job->model)) code = CLI_RUN, cli_complain("%s: out of memory", job->path);
    return code;
}

static int run(const cli_args *args) {
    const char *form = cli_text(args, "as", "text");
    if (strcmp(form, "text") != 0 && strcmp(form, "latex") != 0 && strcmp(form, "inclusion") != 0)
        return cli_complain("--as takes text, latex or inclusion, found '%s'", form), CLI_USAGE;
    cli_job job;
    int code = cli_job_read(&job, args);
    job.options.force = true;
    if (code == CLI_FINE) code = show_job(args, &job, form);
    cli_job_free(&job);
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
