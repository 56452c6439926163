/* Reads what a line asks of a model. */
#include "wanted.h"

#include <stdlib.h>
#include <string.h>

/* ---- methods ------------------------------------------------------------------------- */

const dry_method *cli_find_method(const char *name) {
    const dry_method *method = dry_model_method_find(name);
    char names[256] = "";
    if (method) return method;
    for (int i = 0; i < dry_model_method_count(); i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 dry_model_method_at(i)->name);
    }
    cli_complain("there is no method '%s'; the methods are %s", name, names);
    return NULL;
}

/* ---- the line ------------------------------------------------------------------------ */

static int read_settings(const cli_args *args, dry_setting *settings) {
    int n = 0;
    for (int i = 0; i < args->n_given; i++)
        if (args->given[i].option->form == CLI_SETTING)
            settings[n++] = (dry_setting){args->given[i].text, args->given[i].number};
    return n;
}

/* The first of them that is there twice, NULL: none. */
static const char *find_twice(const dry_model_options *model) {
    for (int i = 0; i < model->n_settings; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(model->settings[i].name, model->settings[k].name))
                return model->settings[i].name;
    return NULL;
}

static void read_run(const cli_args *args, dry_run_options *run) {
    run->until = cli_number(args, "until", 0.0);
    run->step = cli_number(args, "step", 0.0);
    run->record = cli_number(args, "record", 0.0);
    run->rtol = cli_number(args, "rtol", 0.0);
    run->atol = cli_number(args, "atol", 0.0);
    run->max_steps = cli_number(args, "max-steps", 0.0);
}

int cli_want(const cli_args *args, cli_wanted *wanted) {
    *wanted = (cli_wanted){.settings = calloc((size_t)args->n_given + 1, sizeof(dry_setting))};
    if (!wanted->settings) return cli_complain("out of memory"), CLI_RUN;
    wanted->model = (dry_model_options){.settings = wanted->settings,
                                        .n_settings = read_settings(args, wanted->settings),
                                        .force = cli_has(args, "force")};
    read_run(args, &wanted->model.run);
    const char *twice = find_twice(&wanted->model);
    if (twice) return cli_complain("the parameter `%.100s` is given twice", twice), CLI_USAGE;
    const char *method = cli_text(args, "method", NULL);
    if (!method) return CLI_FINE;
    wanted->model.run.method = cli_find_method(method);
    return wanted->model.run.method ? CLI_FINE : CLI_USAGE;
}

void cli_wanted_free(cli_wanted *wanted) {
    free(wanted->settings);
    *wanted = (cli_wanted){0};
}
