/* compile: finds the C compiler of the host and runs it, without a shell, and without text of a
 * model on its command line. */
#define _POSIX_C_SOURCE 200809L
#include "native_private.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LARGE = 8000 }; /* with more instructions the compiler optimizes less */

/* The bits must be those of the bytecode. So the compiler must not contract operations, replace a
 * library function by another one, or compute it itself. A function that the text does not declare
 * would be taken for one that returns an int. */
static const char *const flags[] = {"-shared",
                                    "-fPIC",
                                    "-std=c99",
                                    "-Werror=implicit-function-declaration",
                                    "-fvisibility=hidden",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-fno-tree-slp-vectorize",
                                    "-fno-builtin",
                                    "-lm"};
enum { N_FLAGS = sizeof flags / sizeof *flags };

static const char *level(int operations) { return operations > LARGE ? "-O1" : "-O2"; }

/* ---- finding it ---------------------------------------------------------------------------- */

static bool is_program(const char *path, struct stat *about) {
    return stat(path, about) == 0 && S_ISREG(about->st_mode) && access(path, X_OK) == 0;
}

/* Finds the path of a program as the shell does; NULL if there is none. The caller frees it. */
static char *find_program(const char *name, struct stat *about) {
    if (strchr(name, '/')) return is_program(name, about) ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        const size_t n = strcspn(path, ":");
        char *directory = strndup(path, n);
        char *found = directory && n ? dry_native__join(directory, name) : NULL;
        free(directory);
        if (found && is_program(found, about)) return found;
        free(found);
        path += n + (path[n] == ':');
    }
    return NULL;
}

/* Returns false if there are more words than the compiler's command line can have. */
static bool split(dry_native__compiler *compiler) {
    char *rest = NULL, *word = strtok_r(compiler->text, " \t", &rest);
    for (; word && compiler->n_words < DRY_NATIVE__WORDS; word = strtok_r(NULL, " \t", &rest))
        compiler->words[compiler->n_words++] = word;
    return !word;
}

/* Returns what makes one compiler's code differ from another's. */
static char *identify(const dry_native__compiler *compiler, const char *path,
                      const struct stat *about, int operations) {
    size_t room = strlen(path) + 512;
    for (int i = 0; i < compiler->n_words; i++) room += strlen(compiler->words[i]) + 1;
    for (int i = 0; i < N_FLAGS; i++) room += strlen(flags[i]) + 1;
    char *text = malloc(room);
    if (!text) return NULL;
    int at = snprintf(text, room, "drystone %s, abi %d\n%s %lld %lld.%09ld\n%s", DRY_VERSION,
                      DRY_NATIVE__ABI, path, (long long)about->st_size,
                      (long long)about->st_mtim.tv_sec, about->st_mtim.tv_nsec, level(operations));
    for (int i = 1; i < compiler->n_words; i++)
        at += snprintf(text + at, room - (size_t)at, " %s", compiler->words[i]);
    for (int i = 0; i < N_FLAGS; i++) at += snprintf(text + at, room - (size_t)at, " %s", flags[i]);
    snprintf(text + at, room - (size_t)at, "\n");
    return text;
}

dry_status dry_native__find_compiler(const char *wanted, int operations,
                                     dry_native__compiler *compiler, dry_error *error) {
    struct stat about;
    *compiler = (dry_native__compiler){0};
    if (!wanted) wanted = getenv("CC");
    if (!wanted || wanted[strspn(wanted, " \t")] == '\0') wanted = "cc";
    compiler->text = strdup(wanted);
    if (!compiler->text) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (!split(compiler)) {
        dry_native__forget_compiler(compiler);
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the environment variable CC has more than %d words: put its options "
                             "into a script, and name the script",
                             DRY_NATIVE__WORDS);
    }
    char *path = find_program(compiler->words[0], &about);
    if (!path) {
        dry_error_set(error, DRY_UNSUPPORTED,
                      "native code needs a C compiler, but there is no program '%.200s': install "
                      "one (Debian: gcc), or name yours in the environment variable CC",
                      compiler->words[0]);
        dry_native__forget_compiler(compiler);
        return DRY_UNSUPPORTED;
    }
    compiler->identity = identify(compiler, path, &about, operations);
    free(path);
    if (compiler->identity) return DRY_OK;
    dry_native__forget_compiler(compiler);
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

void dry_native__forget_compiler(dry_native__compiler *compiler) {
    free(compiler->text);
    free(compiler->identity);
    *compiler = (dry_native__compiler){0};
}

/* ---- vectors ------------------------------------------------------------------------------- */

/* None of these flags changes a bit of a result: no sum gets another order, no product is fused. */
static const char vector_flags[] = " -O3 -fno-trapping-math --param max-unswitch-insns=100000";

static const char *vectors(void) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) return " -mavx2";
#endif
    return "";
}

char *dry_native__with_vectors(const char *compiler) {
    if (!compiler) compiler = getenv("CC");
    if (!compiler || compiler[strspn(compiler, " \t")] == '\0') compiler = "cc";
    const size_t room = strlen(compiler) + sizeof vector_flags + 16;
    char *text = malloc(room);
    if (text) snprintf(text, room, "%s%s%s", compiler, vector_flags, vectors());
    return text;
}

/* ---- running it ------------------------------------------------------------------------------ */

/* Returns the exit status of the program; -1 if it could not be run. */
static int run(char **words, const char *log) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    const bool ready =
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_EXCL, 0600) ==
            0 &&
        posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
        posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!ready) return -1;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0) return errno == ECHILD ? 0 : -1; /* waited for elsewhere: the object decides */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Reads the first line of the compiler's output. */
static void first_line(const char *log, char *line, size_t room) {
    FILE *stream = fopen(log, "r");
    line[0] = '\0';
    if (!stream) return;
    if (!fgets(line, (int)room, stream)) line[0] = '\0';
    fclose(stream);
    line[strcspn(line, "\r\n")] = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
}

dry_status dry_native__compile(const dry_native__compiler *compiler, int operations,
                               const char *source, const char *object, const char *log,
                               dry_error *error) {
    char *words[DRY_NATIVE__WORDS + N_FLAGS + 6];
    char line[200], size[] = "-O2", output[] = "-o", *copies[N_FLAGS];
    int n = 0, n_copies = 0;
    memcpy(size, level(operations), sizeof size);
    words[n++] = compiler->words[0];
    words[n++] = size;
    words[n++] = output;
    char *object_copy = words[n++] = strdup(object);
    char *source_copy = words[n++] = strdup(source);
    bool good = object_copy && source_copy;
    for (; n_copies < N_FLAGS; n_copies++) {
        words[n++] = copies[n_copies] = strdup(flags[n_copies]);
        good = good && copies[n_copies];
    }
    for (int i = 1; i < compiler->n_words; i++) words[n++] = compiler->words[i];
    words[n] = NULL;
    const int status = good ? run(words, log) : -1;
    for (int i = 0; i < n_copies; i++) free(copies[i]);
    free(object_copy);
    free(source_copy);
    if (status == 0 && access(object, R_OK) == 0) return DRY_OK;
    first_line(log, line, sizeof line);
    return dry_error_set(error, DRY_RUN_FAILED, "the C compiler '%.100s' failed%s%s",
                         compiler->words[0], line[0] ? ": " : "", line);
}
