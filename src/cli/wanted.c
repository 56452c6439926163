/* Reads what a line asks of a model. */
#include "wanted.h"

#include <drystone/stiff.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- methods ------------------------------------------------------------------------- */

bool cli_is_method(const char *name) {
    char names[256] = "";
    if (dry_model_method_find(name)) return true;
    for (int i = 0; i < dry_model_method_count(); i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 dry_model_method_at(i)->name);
    }
    cli_complain("there is no method '%s'; the methods are %s", name, names);
    return false;
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
    const double unsaid = (double)NAN;
    *run = dry_run_unsaid();
    run->until = cli_number(args, "until", unsaid);
    run->step = cli_number(args, "step", unsaid);
    run->record = cli_number(args, "record", unsaid);
    run->rtol = cli_number(args, "rtol", unsaid);
    run->atol = cli_number(args, "atol", unsaid);
    run->max_steps = cli_number(args, "max-steps", unsaid);
    run->method = cli_text(args, "method", NULL);
}

int cli_want(const cli_args *args, cli_wanted *wanted) {
    *wanted = (cli_wanted){.settings = calloc((size_t)args->n_given + 1, sizeof(dry_setting))};
    if (!wanted->settings) return cli_complain("out of memory"), CLI_RUN;
    read_run(args, &wanted->run);
    wanted->model = (dry_model_options){.settings = wanted->settings,
                                        .n_settings = read_settings(args, wanted->settings),
                                        .run = &wanted->run,
                                        .force = cli_has(args, "force")};
    const char *twice = find_twice(&wanted->model);
    if (twice) return cli_complain("the parameter `%.100s` is given twice", twice), CLI_USAGE;
    return wanted->run.method && !cli_is_method(wanted->run.method) ? CLI_USAGE : CLI_FINE;
}

void cli_wanted_free(cli_wanted *wanted) {
    free(wanted->settings);
    *wanted = (cli_wanted){0};
}
