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

int cli_word_lines(const dry_watch_verdict *v, char lines[CLI_WORD_LINES][CLI_WORD_LINE]) {
    int n = 0;
    snprintf(lines[n++], CLI_WORD_LINE, "%s", v->text);
    for (int i = 0; i < v->n_gives && n < CLI_WORD_LINES - 2; i++)
        dry_watch_give_text(&v->gives[i], lines[n++], CLI_WORD_LINE);
    if (*v->chosen_text) snprintf(lines[n++], CLI_WORD_LINE, "%s", v->chosen_text);
    if (v->gives_left) snprintf(lines[n++], CLI_WORD_LINE, "%d more give way", v->gives_left);
    return n;
}

void cli_print_word(const dry_watch_verdict *verdict, const char *path, bool quiet) {
    const char *before = path ? path : "", *colon = path ? ": " : "";
    char lines[CLI_WORD_LINES][CLI_WORD_LINE];
    const int n = cli_word_lines(verdict, lines);
    for (int i = verdict->word == DRY_TRUSTED && quiet; i < n; i++)
        fprintf(stderr, "%s%s%s\n", before, colon, lines[i]);
}
