/* drystone check FILE...: compiles models and reports their errors. */
#include "cli.h"
#include "files.h"

static int run(const cli_args *args) {
    int worst = CLI_FINE;
    for (int i = 0; i < args->n_words; i++) {
        dry_model *model = NULL;
        int code = cli_compile(args->words[i], NULL, &model);
        if (code == CLI_FINE) printf("%s: fine\n", args->words[i]);
        dry_model_free(model);
        if (code > worst) worst = code;
    }
    return worst;
}

const cli_verb cli_verb_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "check models without running them",
    .min_words = 1,
    .max_words = 1 << 20,
    .run = run,
};
