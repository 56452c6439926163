/* The word on how far a run can be trusted: repeats it, and prints what came of it. */
#include "watching.h"

dry_watch_options cli_watch_options(const cli_args *args) {
    return (dry_watch_options){.limit = cli_number(args, "watch-limit", 0.0),
                               .most = cli_number(args, "watch-error", 0.0)};
}

bool cli_wants_watch(const cli_args *args, bool *wanted) {
    static const char *const closely[] = {"watch-limit", "watch-error"};
    *wanted = cli_has(args, "watch") || cli_has(args, "strict");
    for (size_t i = 0; i < sizeof closely / sizeof *closely && !*wanted; i++)
        if (cli_has(args, closely[i]))
            return cli_complain("--%s needs --watch or --strict: nothing is watched without them",
                                closely[i]),
                   false;
    return true;
}

static bool goes_on(void *user, double t) {
    (void)user, (void)t;
    return !cli_is_interrupted();
}

bool cli_watch(const dry_model *model, const dry_model_options *given, const cli_run *run,
               dry_watch_options options, dry_watch_verdict *verdict) {
    dry_error error = {0};
    options.model = given;
    options.progress = goes_on;
    if (run->code) {
        options.system = dry_native_system(run->code);
        options.inclusion = dry_native_inclusion(run->code);
    }
    if (dry_watch(model, &run->run, &run->result, &options, verdict, &error) == DRY_OK) return true;
    cli_complain("the run could not be watched: %s", error.text);
    return false;
}

void cli_print_word(const dry_watch_verdict *verdict, const char *path, bool quiet) {
    const char *before = path ? path : "", *colon = path ? ": " : "";
    if (verdict->word != DRY_TRUSTED || !quiet)
        fprintf(stderr, "%s%s%s\n", before, colon, verdict->text);
    for (int i = 0; i < verdict->n_gives; i++) {
        char text[300];
        dry_watch_give_text(&verdict->gives[i], text, sizeof text);
        fprintf(stderr, "%s%s%s\n", before, colon, text);
    }
    if (*verdict->chosen_text) fprintf(stderr, "%s%s%s\n", before, colon, verdict->chosen_text);
    if (verdict->gives_left)
        fprintf(stderr, "%s%s%d more give way\n", before, colon, verdict->gives_left);
}
