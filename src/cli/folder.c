/* Walks through folders of models. */
#define _POSIX_C_SOURCE 200809L /* scandir */
#include "folder.h"
#include "files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
