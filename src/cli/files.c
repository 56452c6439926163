/* files: reads and writes the files of verbs: models, folders of models, tables and pictures. */
#define _POSIX_C_SOURCE 200809L /* fileno, isatty, scandir */
#include "files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- streams and paths --------------------------------------------------------------- */

bool cli_is_terminal(FILE *stream) { return isatty(fileno(stream)) == 1; }

bool cli_wants_colour(FILE *stream) {
    const char *term = getenv("TERM");
    return cli_is_terminal(stream) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

bool cli_can_write(const char *path) {
    struct stat s;
    dry_file file;
    dry_error error = {0};
    const bool is_stream = strcmp(path, "-") == 0 ||
                           (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
    if (is_stream) return true;
    if (dry_file_open(&file, path, &error) != DRY_OK) return cli_complain_error(&error), false;
    dry_file_abandon(&file);
    return true;
}

bool cli_spares_input(const cli_args *args, const char *option, const char *path) {
    struct stat out, in;
    if (strcmp(path, "-") == 0 || stat(path, &out) != 0 || !S_ISREG(out.st_mode)) return true;
    for (int i = 0; i < args->n_words; i++) {
        if (stat(args->words[i], &in) != 0) continue;
        if (in.st_dev != out.st_dev || in.st_ino != out.st_ino) continue;
        cli_complain("%s %s: this is %s, which the command reads; write to another file", option,
                     path, args->words[i]);
        return false;
    }
    return true;
}

bool cli_ends_with(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

bool cli_is_table(const char *option, const char *path) {
    dry_error error;
    if (dry_record_can_write(path, &error) == DRY_OK) return true;
    cli_complain("%s %s: %s", option, path, error.text);
    return false;
}

bool cli_is_twice(const dry_record *record, int column) {
    const char *name = dry_record_quantity(record, column).name;
    for (int i = 0; i < dry_record_columns(record); i++)
        if (i != column && strcmp(dry_record_quantity(record, i).name, name) == 0) return true;
    return false;
}

bool cli_is_picture(const char *option, const char *path) {
    if (cli_ends_with(path, ".svg") || cli_ends_with(path, ".png") || cli_ends_with(path, ".pdf"))
        return true;
    cli_complain("%s %s: the ending must be .svg, .png or .pdf", option, path);
    return false;
}

/* ---- models -------------------------------------------------------------------------- */

/* What a part has left out, such as elements of a robot's file. */
static void print_remarks(const dry_net *net) {
    for (int i = 0; net && i < dry_net_remark_count(net); i++)
        fprintf(stderr, "warning: %s\n", dry_net_remark_at(net, i));
}

/* Errors, or all others: errors come last, so that you see them. */
static void print_messages(const dry_model *model, bool errors) {
    for (int i = 0; i < dry_model_messages(model); i++)
        if ((dry_model_message(model, i).kind == DRY_ERROR) == errors)
            dry_model_print_message(model, i, stderr, cli_wants_colour(stderr));
}

static int compile(const char *path, const dry_model_options *options, dry_model **model) {
    char *text;
    size_t length;
    dry_error error = {0};
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) {
        cli_complain_error(&error);
        return error.status == DRY_IO          ? CLI_USAGE
               : error.status == DRY_NO_MEMORY ? CLI_RUN
                                               : CLI_MODEL;
    }
    *model = dry_model_compile(path, text, length, options);
    free(text);
    if (!*model) {
        cli_complain("%s: out of memory", path);
        return CLI_RUN;
    }
    print_remarks(dry_model_net(*model));
    print_messages(*model, false);
    print_messages(*model, true);
    return dry_model_ok(*model) ? CLI_FINE : CLI_MODEL;
}

/* A robot is run by the model of the same name beside its file, which says what drives it. */
static int compile_robot(const char *path, const dry_model_options *options, dry_model **model) {
    const int stem = (int)(strlen(path) - strlen(".urdf"));
    char *beside = malloc(strlen(path) + 1);
    int code = CLI_USAGE;
    if (beside == NULL) return cli_complain("%s: out of memory", path), CLI_RUN;
    sprintf(beside, "%.*s.dry", stem, path);
    if (access(beside, R_OK) == 0)
        code = compile(beside, options, model);
    else
        cli_complain("%s: a model of the same name runs a robot, and there is no %s: write it by "
                     "`drystone new %s`",
                     path, beside, path);
    free(beside);
    return code;
}

int cli_compile(const char *path, const dry_model_options *options, dry_model **model) {
    *model = NULL;
    return cli_ends_with(path, ".urdf") ? compile_robot(path, options, model)
                                        : compile(path, options, model);
}

/* ---- folders of models --------------------------------------------------------------- */

enum { DEEPEST = 16 };

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool walk(const char *path, int depth, cli_model_fn *fn, void *user);

static bool walk_folder(const char *path, int depth, cli_model_fn *fn, void *user) {
    struct dirent **entries;
    int n = depth < DEEPEST ? scandir(path, &entries, NULL, by_name) : -1;
    if (n < 0) return cli_complain("%s: the folder cannot be read", path), false;
    bool good = true;
    for (int i = 0; i < n; i++) {
        size_t size = strlen(path) + strlen(entries[i]->d_name) + 2;
        char *inner = malloc(size);
        if (inner && entries[i]->d_name[0] != '.') {
            snprintf(inner, size, "%s/%s", path, entries[i]->d_name);
            good = walk(inner, depth + 1, fn, user) && good;
        }
        free(inner);
        free(entries[i]);
    }
    free(entries);
    return good;
}

static bool walk(const char *path, int depth, cli_model_fn *fn, void *user) {
    struct stat info;
    if (stat(path, &info) != 0) return cli_complain("%s: no such file or folder", path), false;
    if (S_ISDIR(info.st_mode)) return walk_folder(path, depth, fn, user);
    if (depth == 0 || cli_ends_with(path, ".dry")) fn(user, path);
    return true;
}

bool cli_each_model(const char *path, cli_model_fn *fn, void *user) {
    return walk(path, 0, fn, user);
}

bool cli_refused_word(const char *text, char word[CLI_WORD]) {
    static const char mark[] = "# refused: ";
    if (strncmp(text, mark, sizeof mark - 1) != 0) return false;
    text += sizeof mark - 1;
    size_t n = strcspn(text, " \t\r\n");
    if (n == 0 || n >= CLI_WORD) return false;
    memcpy(word, text, n);
    word[n] = '\0';
    return true;
}

const char *cli_watch_line(const char *text) {
    static const char mark[] = "# watch: ";
    for (; *text == '#' || *text == '\n' || *text == '\r'; text++) {
        if (strncmp(text, mark, sizeof mark - 1) == 0) return text + sizeof mark - 1;
        text += strcspn(text, "\n");
        if (*text == '\0') return NULL;
    }
    return NULL;
}

bool cli_is_refused_with(const dry_model *model, const char *word) {
    int errors = 0, others = 0;
    for (int i = 0; i < dry_model_messages(model); i++) {
        dry_message message = dry_model_message(model, i);
        if (message.kind != DRY_ERROR) continue;
        errors++;
        others += strcmp(message.word, word) != 0;
    }
    return errors > 0 && others == 0;
}

/* ---- results ----------------------------------------------------------------------- */

int *cli_shown_columns(const dry_model *model, const dry_record *record, int *n) {
    const int n_all = dry_record_columns(record);
    const int outputs = n_all - dry_model_system(model)->n_outputs; /* the first one's column */
    int *columns = malloc(sizeof *columns * (size_t)n_all);
    *n = 0;
    for (int i = 0; columns && i < n_all; i++)
        if (i < outputs || dry_model_output_shown(model, i - outputs)) columns[(*n)++] = i;
    return columns;
}
