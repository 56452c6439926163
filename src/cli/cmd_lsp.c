/* drystone lsp: a language server for editors, on standard input and output. */
#define _POSIX_C_SOURCE 200809L /* STDIN_FILENO */
#include "cli.h"
#include <drystone/lsp.h>
#include <unistd.h>

static const cli_option options[] = {
    {"words", 0, CLI_FLAG, NULL, "print the words of the language with their kinds, for editors",
     NULL},
    {"stdio", 0, CLI_FLAG, NULL, "use standard input and output, as it does without this option",
     NULL},
    {0},
};

/* Kind, whether it is reserved, text, form and meaning, with tabs between them. */
static int print_words(void) {
    dry_lsp_word word;
    for (int i = 0; dry_lsp_word_at(i, &word); i++)
        printf("%s\t%s\t%s\t%s\t%s\n", dry_lsp_kind_name(word.kind),
               word.reserved ? "reserved" : "free", word.text, word.form, word.meaning);
    return CLI_FINE;
}

static int run(const cli_args *args) {
    dry_error error = {0};
    if (cli_has(args, "words")) return print_words();
    if (dry_lsp_serve(STDIN_FILENO, STDOUT_FILENO, &error) == DRY_OK) return CLI_FINE;
    cli_complain_error(&error);
    return CLI_EXPECTATION; /* the protocol asks for 1 where the editor did not say shutdown */
}

const cli_verb cli_verb_lsp = {
    .name = "lsp",
    .arguments = "",
    .summary = "serve an editor: messages, hover, completion, definitions (LSP 3.17)",
    .text =
        "An editor starts it and speaks to it on standard input and output. docs/editors.md says\n"
        "how to set up VS Code, Vim, Neovim and Emacs.",
    .options = options,
    .run = run,
};
