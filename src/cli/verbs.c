/* The catalogue of verbs, made of verbs.def, and the help that is printed from it. */
#include "cli.h"
#include <drystone/model.h>
#include <string.h>

#define VERB(name) extern const cli_verb cli_verb_##name;
#include "verbs.def"
#undef VERB

static const cli_verb *const verbs[] = {
#define VERB(name) &cli_verb_##name,
#include "verbs.def"
#undef VERB
};

int cli_verb_count(void) { return (int)(sizeof verbs / sizeof *verbs); }

const cli_verb *cli_verb_at(int index) { return verbs[index]; }

const cli_verb *cli_verb_find(const char *name) {
    for (int i = 0; i < cli_verb_count(); i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

static const char *name_at(const void *list, int index) {
    (void)list;
    return index < cli_verb_count() ? verbs[index]->name : NULL;
}

int cli_verb_unknown(const char *name) {
    const char *meant = cli_nearest(name, name_at, NULL);
    if (meant)
        cli_complain("there is no verb '%s'; did you mean '%s'?", name, meant);
    else
        cli_complain("there is no verb '%s'; 'drystone --help' lists them", name);
    return CLI_USAGE;
}

/* ---- the help ------------------------------------------------------------------------- */

static void print_row(FILE *stream, const char *left, int width, const char *right) {
    fputs("  ", stream);
    cli_pad(stream, left, width);
    fprintf(stream, "  %s\n", right);
}

void cli_help(FILE *stream) {
    fputs("drystone: machines with dry friction and contacts, simulated\n\n"
          "usage: drystone VERB [OPTION...] [ARGUMENT...]\n\nverbs\n",
          stream);
    for (int i = 0; i < cli_verb_count(); i++)
        print_row(stream, cli_verb_at(i)->name, 8, cli_verb_at(i)->summary);
    fputs("\n'drystone VERB --help' says more about one.\n\nexit codes\n", stream);
#define EXIT(name, code, meaning) print_row(stream, #code, 8, meaning);
#include "exits.def"
#undef EXIT
}

static void option_text(const cli_option *option, char *text, size_t size) {
    char letter[8] = "";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

/* What an option means: its own words, or the names of the methods that it takes. */
static const char *meaning_of(const cli_option *option, char *text, size_t size) {
    if (option->meaning) return option->meaning;
    return dry_model_method_names(text, size);
}

static void print_options(FILE *stream, const cli_option *options) {
    char text[96], names[400];
    int width = cli_width("-h, --help");
    for (const cli_option *o = options; o && o->name; o++) {
        option_text(o, text, sizeof text);
        if (cli_width(text) > width) width = cli_width(text);
    }
    for (const cli_option *o = options; o && o->name; o++) {
        option_text(o, text, sizeof text);
        print_row(stream, text, width, meaning_of(o, names, sizeof names));
    }
    print_row(stream, "-h, --help", width, "this text");
}

void cli_help_verb(FILE *stream, const cli_verb *verb) {
    fprintf(stream, "drystone %s: %s\n\nusage: drystone %s%s%s%s\n", verb->name, verb->summary,
            verb->name, verb->options ? " [OPTION...]" : "", verb->arguments[0] ? " " : "",
            verb->arguments);
    if (verb->text) fprintf(stream, "\n%s\n", verb->text);
    fputs("\noptions\n", stream);
    print_options(stream, verb->options);
}
