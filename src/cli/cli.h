/* cli: what the verbs of the command share: exit codes, options, words, messages.
 *
 * A verb is one file cmd_<verb>.c that defines cli_verb_<verb>, and one row in verbs.def. Its rows
 * of options are read by the parser and by the help, so a row there is all that an option needs. */
#ifndef DRY_CLI_H
#define DRY_CLI_H

#include <drystone/base.h>
#include <stdio.h>

/* CLI_FINE, CLI_USAGE, ...: the rows of exits.def. */
enum cli_exit {
#define EXIT(name, code, meaning) CLI_##name = code,
#include "exits.def"
#undef EXIT
};

/* ---- options ----------------------------------------------------------------------- */

typedef enum cli_form {
    CLI_FLAG,
    CLI_TEXT,
    CLI_NUMBER,   /* any finite number */
    CLI_POSITIVE, /* a finite number > 0 */
    CLI_COUNT,    /* a whole number >= 1 */
    CLI_SETTING,  /* NAME=VALUE, a number or a list, with a unit or without */
    CLI_INPUT,    /* NAME=FILE:COLUMN; `text` then holds the three, each with its own end */
    CLI_METHOD    /* the name of a method; the help lists them all */
} cli_form;

typedef struct cli_option {
    const char *name; /* "step" for --step */
    char letter;      /* 'p' for -p; 0: none */
    cli_form form;
    const char *argument; /* "SECONDS", for the help; NULL for a flag */
    const char *meaning;  /* NULL: the names that may be given */
    const char *unit;     /* "seconds", for messages: "a positive number of seconds"; NULL: none */
} cli_option;

typedef struct cli_verb cli_verb;

/* An option as it was found on the line. */
typedef struct cli_given {
    const cli_option *option;
    const char *text;  /* NULL for a flag; the NAME of a setting */
    const char *value; /* of a setting: what follows NAME= */
    double number;     /* of the numeric forms */
} cli_given;

/* The line of one verb. */
typedef struct cli_args {
    const char **words; /* what is no option */
    int n_words;
    cli_given *given; /* in the order of the line; any option may come several times */
    int n_given;
    bool help; /* --help was among them */
} cli_args;

struct cli_verb {
    const char *name;
    const char *arguments;     /* "MODEL..." for the help; "" */
    const char *summary;       /* one line */
    const char *text;          /* more lines for its own help; NULL */
    const cli_option *options; /* ends with a row without name; NULL: none */
    int min_words, max_words;
    int (*run)(const cli_args *args); /* returns a cli_exit */
};

/* The verbs of verbs.def. */
int cli_verb_count(void);
const cli_verb *cli_verb_at(int index);
const cli_verb *cli_verb_find(const char *name);
/* Explains on stderr that there is no such verb; returns CLI_USAGE. */
int cli_verb_unknown(const char *name);

/* Reads argv[0..argc), which follow the verb, into `args`, whose `words` and `given` have
 * room for argc entries each; a setting in argv is cut at its "=". */
dry_status cli_parse(const cli_verb *verb, int argc, char **argv, cli_args *args, dry_error *error);

/* Of an option that comes several times, these give the last. */
bool cli_has(const cli_args *args, const char *name);
const char *cli_text(const cli_args *args, const char *name, const char *otherwise);
double cli_number(const cli_args *args, const char *name, double otherwise);
/* The index-th occurrence, from 0; NULL after the last. */
const cli_given *cli_nth(const cli_args *args, const char *name, int index);

/* ---- messages ---------------------------------------------------------------------- */

/* "drystone: ..." on stderr. */
void cli_complain(const char *format, ...) DRY_PRINTF(1, 2);
/* The same for an error, with its file, line and column. */
void cli_complain_error(const dry_error *error);

/* The noun that goes with the number: 1 model, 3 models. */
const char *cli_noun(double n, const char *one, const char *many);

void cli_help(FILE *stream);
void cli_help_verb(FILE *stream, const cli_verb *verb);

/* The name that was probably meant by `word`, NULL where none is near: names(list, i) for
 * i = 0, 1, .. until it is NULL. */
typedef const char *cli_names(const void *list, int index);
const char *cli_nearest(const char *word, cli_names *names, const void *list);

/* ---- the computer ------------------------------------------------------------------ */

/* How many processors are online, 1 where that is not known. */
int cli_cores(void);

/* ---- layout ------------------------------------------------------------------------ */

/* How many columns a UTF-8 text takes. */
int cli_width(const char *text);
/* Writes `text` and blanks up to `width` columns. */
void cli_pad(FILE *stream, const char *text, int width);

#endif
