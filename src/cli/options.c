/* Reads a line of options and words by the rows of a verb, and looks values up in it.
 *
 * --name VALUE, --name=VALUE, -n VALUE, -nVALUE, --flag; `--` ends the options; a single `-` is a
 * word. Numbers are read when the line is, so that a verb never sees a wrong one. */
#include "cli.h"
#include <drystone/lang.h>
#include <math.h>
#include <string.h>

static const cli_option help_option = {"help", 'h', CLI_FLAG, NULL, "this text", NULL};

/* ---- finding an option in the rows ------------------------------------------------ */

static const cli_option *option_at(const cli_verb *verb, int index) {
    if (!verb->options) return index == 0 ? &help_option : NULL;
    for (int i = 0; i < index; i++)
        if (!verb->options[i].name) return NULL;
    return verb->options[index].name ? &verb->options[index] : &help_option;
}

static const char *name_at(const void *list, int index) {
    const cli_option *option = option_at(list, index);
    return option ? option->name : NULL;
}

static const cli_option *find_long(const cli_verb *verb, const char *name, size_t length) {
    const cli_option *option;
    for (int i = 0; (option = option_at(verb, i)); i++)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static const cli_option *find_letter(const cli_verb *verb, char letter) {
    const cli_option *option;
    for (int i = 0; (option = option_at(verb, i)); i++)
        if (option->letter == letter) return option;
    return NULL;
}

static dry_status unknown(const cli_verb *verb, const char *word, dry_error *error) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *meant = strncmp(name, "--", 2) == 0 ? cli_nearest(name + 2, name_at, verb) : NULL;
    if (meant)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "'drystone %s' has no option %s; did you mean --%s?", verb->name, name,
                             meant);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "'drystone %s' has no option %s; 'drystone %s --help' lists them",
                         verb->name, name, verb->name);
}

/* ---- values ------------------------------------------------------------------------ */

static const char *const wanted[] = {
    [CLI_FLAG] = "no value",
    [CLI_TEXT] = "a value",
    [CLI_NUMBER] = "a number",
    [CLI_POSITIVE] = "a positive number",
    [CLI_COUNT] = "a whole number >= 1",
    [CLI_SETTING] = "NAME=VALUE, such as M=2, M=2kg, 'F=500 [mN]' or x=[1,2,3]",
    [CLI_INPUT] = "NAME=FILE:COLUMN",
    [CLI_METHOD] = "a value",
};

static dry_status bad_value(const cli_option *option, const char *text, dry_error *error) {
    char found[160] = "and nothing follows";
    if (text) snprintf(found, sizeof found, "found '%.*s'", 120, text);
    return dry_error_set(error, DRY_BAD_ARGUMENT, "--%s takes %s%s%s, %s", option->name,
                         wanted[option->form], option->unit ? " of " : "",
                         option->unit ? option->unit : "", found);
}

static bool read_number(const char *text, double *x) {
    const char *end;
    return dry_number_parse(text, &end, x) && *end == '\0' && isfinite(*x);
}

/* NAME=FILE:COLUMN; a column may not have a colon in its name, a file may. */
static bool is_input(const char *text) {
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':');
    return equals && equals > text && colon && colon > equals + 1 && colon[1];
}

static bool read_value(const cli_option *option, const char *text, double *x) {
    const char *equals = strchr(text, '=');
    switch (option->form) {
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_METHOD: return true;
    case CLI_NUMBER: return read_number(text, x);
    case CLI_POSITIVE: return read_number(text, x) && *x > 0.0;
    case CLI_COUNT: return read_number(text, x) && *x >= 1.0 && *x <= 1e9 && floor(*x) == *x;
    case CLI_INPUT: return is_input(text);
    case CLI_SETTING: return equals && equals > text;
    }
    return false;
}

/* Cuts the text of a setting at its "=" and reads what follows, so that a wrong value is reported
 * with the line. */
static dry_status split_setting(char *text, cli_given *given, dry_error *error) {
    char *value = strchr(text, '=');
    dry_error why = {0};
    const dry_status status = dry_setting_check(value + 1, &why);
    if (status != DRY_OK)
        return dry_error_set(error, status, "--%s %.100s: %.300s", given->option->name, text,
                             why.text);
    *value = '\0';
    given->value = value + 1;
    return DRY_OK;
}

/* ---- the line ---------------------------------------------------------------------- */

typedef struct reader {
    const cli_verb *verb;
    int argc, at;
    char **argv;
    cli_args *args;
    dry_error *error;
} reader;

/* `value` is the text attached to the option, NULL if there is none. */
static dry_status take(reader *line, const cli_option *option, char *value) {
    cli_given given = {.option = option};
    if (option->form == CLI_FLAG) {
        if (value) return bad_value(option, value, line->error);
        if (option == &help_option) line->args->help = true;
    } else {
        if (!value && line->at < line->argc) value = line->argv[line->at++];
        if (!value || !read_value(option, value, &given.number))
            return bad_value(option, value, line->error);
        given.text = value;
        if (option->form == CLI_INPUT) {
            *strrchr(value, ':') = '\0';
            value[strcspn(value, "=")] = '\0';
        }
        if (option->form == CLI_SETTING && split_setting(value, &given, line->error) != DRY_OK)
            return line->error->status;
    }
    line->args->given[line->args->n_given++] = given;
    return DRY_OK;
}

static dry_status take_long(reader *line, char *word) {
    const size_t length = strcspn(word + 2, "=");
    const cli_option *option = find_long(line->verb, word + 2, length);
    if (!option) return unknown(line->verb, word, line->error);
    return take(line, option, word[2 + length] == '=' ? word + 3 + length : NULL);
}

static dry_status take_letter(reader *line, char *word) {
    const cli_option *option = find_letter(line->verb, word[1]);
    if (!option) return unknown(line->verb, word, line->error);
    return take(line, option, word[2] ? word + 2 : NULL);
}

static dry_status check_words(const reader *line) {
    const cli_verb *verb = line->verb;
    const cli_args *args = line->args;
    if (args->help) return DRY_OK;
    if (args->n_words > verb->max_words)
        return dry_error_set(line->error, DRY_BAD_ARGUMENT,
                             "'drystone %s' takes fewer arguments: '%s' is one too many",
                             verb->name, args->words[verb->max_words]);
    if (args->n_words < verb->min_words)
        return dry_error_set(line->error, DRY_BAD_ARGUMENT, "usage: drystone %s %s", verb->name,
                             verb->arguments);
    return DRY_OK;
}

dry_status cli_parse(const cli_verb *verb, int argc, char **argv, cli_args *args,
                     dry_error *error) {
    reader line = {verb, argc, 0, argv, args, error};
    bool options = true;
    dry_status status = DRY_OK;
    while (line.at < argc && status == DRY_OK) {
        char *word = argv[line.at++];
        if (!options || word[0] != '-' || word[1] == '\0')
            args->words[args->n_words++] = word;
        else if (strcmp(word, "--") == 0)
            options = false;
        else
            status = word[1] == '-' ? take_long(&line, word) : take_letter(&line, word);
    }
    return status == DRY_OK ? check_words(&line) : status;
}

/* ---- looking up -------------------------------------------------------------------- */

static const cli_given *last(const cli_args *args, const char *name) {
    for (int i = args->n_given - 1; i >= 0; i--)
        if (strcmp(args->given[i].option->name, name) == 0) return &args->given[i];
    return NULL;
}

bool cli_has(const cli_args *args, const char *name) { return last(args, name) != NULL; }

const char *cli_text(const cli_args *args, const char *name, const char *otherwise) {
    const cli_given *given = last(args, name);
    return given ? given->text : otherwise;
}

double cli_number(const cli_args *args, const char *name, double otherwise) {
    const cli_given *given = last(args, name);
    return given ? given->number : otherwise;
}

const cli_given *cli_nth(const cli_args *args, const char *name, int index) {
    for (int i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0 && index-- == 0) return &args->given[i];
    return NULL;
}
