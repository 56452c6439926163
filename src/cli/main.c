/* The command: finds the verb, reads its options, runs it, and makes sure that what it wrote on
 * standard output arrived. */
#define _POSIX_C_SOURCE 200809L /* poll */
#include "cli.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_parsed(const cli_verb *verb, int argc, char **argv, cli_args *args) {
    dry_error error = {0};
    if (cli_parse(verb, argc, argv, args, &error) != DRY_OK) {
        cli_complain_error(&error);
        return CLI_USAGE;
    }
    if (!args->help) return verb->run(args);
    cli_help_verb(stdout, verb);
    return CLI_FINE;
}

static int run(const cli_verb *verb, int argc, char **argv) {
    cli_args args = {.words = calloc((size_t)argc + 1, sizeof *args.words),
                     .given = calloc((size_t)argc + 1, sizeof *args.given)};
    int code = CLI_RUN;
    if (args.words && args.given)
        code = run_parsed(verb, argc, argv, &args);
    else
        cli_complain("out of memory");
    free(args.words);
    free(args.given);
    return code;
}

/* The habits of other commands: --help, -h and --version before any verb. */
static const char *verb_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return "help";
    if (strcmp(word, "--version") == 0) return "version";
    return word;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        cli_help(stderr);
        return CLI_USAGE;
    }
    const cli_verb *verb = cli_verb_find(verb_name(argv[1]));
    if (!verb) return cli_verb_unknown(argv[1]);
    return run(verb, argc - 2, argv + 2);
}

/* Why an earlier write failed: the stream keeps no errno, but a pipe without a reader still shows
 * it. */
static const char *why_lost(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR)) return strerror(EPIPE);
    return "the disk is full or the reader has left";
}

/* A full disk or a reader that left shows itself at the latest when the stream is closed. */
static int close_output(int code) {
    const char *lost = ferror(stdout) ? why_lost() : NULL;
    errno = 0;
    if (fclose(stdout) == 0 && !lost) return code;
    cli_complain("could not write all of the output: %s", lost ? lost : strerror(errno));
    return code == CLI_FINE ? CLI_RUN : code;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* a reader that leaves is an error of writing, not a death */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that is longer than the shell allows */
    return close_output(dispatch(argc, argv));
}
