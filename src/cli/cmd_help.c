/* drystone help [VERB]: what the command can do. */
#include "cli.h"

static int run(const cli_args *args) {
    if (args->n_words == 0) {
        cli_help(stdout);
        return CLI_FINE;
    }
    const cli_verb *verb = cli_verb_find(args->words[0]);
    if (!verb) return cli_verb_unknown(args->words[0]);
    cli_help_verb(stdout, verb);
    return CLI_FINE;
}

const cli_verb cli_verb_help = {.name = "help",
                                .arguments = "[VERB]",
                                .summary = "list the verbs, or describe one",
                                .max_words = 1,
                                .run = run};
