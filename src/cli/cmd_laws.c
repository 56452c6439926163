/* drystone laws [LAW...]: the catalogue of laws, or all about one. */
#include "table.h"

static const cli_option options[] = {
    {"markdown", 0, CLI_FLAG, NULL, "print the pages of docs/laws", NULL},
    {0},
};

static void print_law(const dry_law *law) {
    printf("%s: %s\n", law->name, law->title);
    printf("%s", cli_law_kind(law));
    if (law->max_dim > 1) printf(", in 1 to %d dimensions", law->max_dim);
    puts("\nequation");
    cli_lines(law->equation);
    cli_section("parameters", law, cli_law_param);
    cli_section("states", law, cli_law_state);
    cli_section("promises", law, cli_law_trait);
    printf("paper\n    %s\n", law->paper);
    if (law->known) {
        puts("known for");
        cli_lines(law->known);
    }
}

static const char *name_at(const void *list, int index) {
    (void)list;
    return index < dry_law_count() ? dry_law_at(index)->name : NULL;
}

static int unknown(const char *name) {
    const char *meant = cli_nearest(name, name_at, NULL);
    if (meant)
        cli_complain("there is no law '%s'; did you mean '%s'?", name, meant);
    else
        cli_complain("there is no law '%s'; 'drystone laws' lists them", name);
    return CLI_USAGE;
}

static void print_catalogue(bool markdown) {
    if (markdown)
        cli_law_index();
    else
        cli_table(NULL, cli_law_row, "");
}

static int run(const cli_args *args) {
    const bool markdown = cli_has(args, "markdown");
    if (args->n_words == 0) print_catalogue(markdown);
    for (int i = 0; i < args->n_words; i++) {
        const dry_law *law = dry_law_find(args->words[i]);
        if (!law) return unknown(args->words[i]);
        if (i > 0) puts("");
        (markdown ? cli_law_page : print_law)(law);
    }
    return CLI_FINE;
}

const cli_verb cli_verb_laws = {
    .name = "laws",
    .arguments = "[LAW...]",
    .summary = "list the friction and contact laws, or describe one",
    .text = "Each law can be used by its name in a .dry file and in C (dry_law_find).",
    .options = options,
    .max_words = 64,
    .run = run};
