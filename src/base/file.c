/* Files that are read whole, and written whole or not at all.
 *
 * What is written goes to a hidden sibling in the same directory, which replaces the file by a
 * rename when it is complete. Pipes and devices cannot be replaced and are written directly. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <drystone/base.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"

enum {
    LINKS_MAX = 40,      /* symbolic links followed before it is called a ring */
    NAME_KEPT = 200,     /* bytes of the name that the sibling repeats */
    SIBLINGS_MAX = 1000, /* names tried */
    CHUNK = 1 << 16
};

/* ---- messages ---------------------------------------------------------- */

static const char reading[] = "cannot read", writing[] = "cannot write";

static const char *way_out(const char *doing, int cause) {
    static const struct {
        const char *doing; /* NULL: either */
        int cause;
        const char *text;
    } ways[] = {
        {reading, ENOENT, "check the spelling and the directory you are in"},
        {writing, ENOENT, "create its directory first (mkdir -p), or check the spelling"},
        {reading, EACCES, "change the permissions of the file"},
        {writing, EACCES, "change the permissions or choose another directory"},
        {NULL, EPERM, "change the permissions or choose another directory"},
        {NULL, ENOTDIR, "check the spelling: a file stands where a directory should be"},
        {NULL, EISDIR, "give the path of a file in it"},
        {NULL, EROFS, "choose a directory that is not read-only"},
        {NULL, ENOSPC, "free some space or choose another disk"},
        {NULL, EDQUOT, "free some space or choose another disk"},
        {NULL, EFBIG, "write less, or raise the limit on file sizes (ulimit -f)"},
        {NULL, ENAMETOOLONG, "choose a shorter name"},
        {NULL, ELOOP, "remove the ring of symbolic links"},
        {NULL, EMFILE, "close some files, or raise the limit on open files (ulimit -n)"},
        {NULL, ENOMEM, "free some memory"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool fits = ways[i].doing == NULL || ways[i].doing == doing;
        if (fits && ways[i].cause == cause) return ways[i].text;
    }
    return "check the path and the disk";
}

/* "cannot write: No space left on device; free some space ..." */
static dry_status fail(dry_error *error, const char *path, const char *doing, int cause) {
    const dry_status status = cause == ENOMEM ? DRY_NO_MEMORY : DRY_IO;
    char reason[128];
    if (status == DRY_NO_MEMORY)
        snprintf(reason, sizeof reason, "%s", dry_status_text(status));
    else if (strerror_r(cause, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", cause);
    return dry_error_set_at(error, status, path, 0, 0, "%s: %s; %s", doing, reason,
                            way_out(doing, cause));
}

dry_status dry_file_unwritten(dry_error *error, const char *path, int cause) {
    return fail(error, path, writing, cause);
}

/* ---- where to write ---------------------------------------------------- */

/* The length of the directory in front of the last name of `path`, with its slash. */
static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* What the symbolic link `path` points to, as a path that the caller frees. */
static char *link_target(const char *path) {
    char target[CHUNK];
    ssize_t length = readlink(path, target, sizeof target);
    if (length < 0) return NULL;
    size_t n = (size_t)length, directory = target[0] == '/' ? 0 : directory_length(path);
    char *joined = malloc(directory + n + 1);
    if (joined == NULL) return NULL;
    memcpy(joined, path, directory);
    memcpy(joined + directory, target, n);
    joined[directory + n] = '\0';
    return joined;
}

/* Links to open files of the process, where the name of the file is not to be touched. */
static bool is_descriptor(const char *path) {
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/* The path after following all symbolic links, so that a link stays and its target is replaced;
 * NULL with errno. */
static char *follow_links(const char *path) {
    char *at = strdup(path);
    struct stat s;
    for (int i = 0; at != NULL; i++) {
        if (is_descriptor(at) || lstat(at, &s) != 0 || !S_ISLNK(s.st_mode)) return at;
        char *next = i < LINKS_MAX ? link_target(at) : NULL;
        if (i == LINKS_MAX) errno = ELOOP;
        int cause = errno;
        free(at);
        errno = cause;
        at = next;
    }
    return NULL;
}

/* ---- writing ----------------------------------------------------------- */

/* Creates the first free hidden sibling of file->path; the descriptor, or -1 with errno. */
static int create_sibling(dry_file *file, mode_t mode) {
    size_t directory = directory_length(file->path), size = strlen(file->path) + 64;
    file->temporary = malloc(size);
    if (file->temporary == NULL) return -1;
    for (int i = 0; i < SIBLINGS_MAX; i++) {
        snprintf(file->temporary, size, "%.*s.%.*s.%ld-%d.tmp", (int)directory, file->path,
                 NAME_KEPT, file->path + directory, (long)getpid(), i);
        int descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/* Whether `name` is a sibling of `own` whose process is dead: .own.PID-NUMBER.tmp */
static bool is_leftover(const char *name, const char *own) {
    char kept[NAME_KEPT + 3];
    const int length = snprintf(kept, sizeof kept, ".%.*s.", NAME_KEPT, own);
    if (strncmp(name, kept, (size_t)length) != 0) return false;
    char *at;
    errno = 0;
    const long process = strtol(name + length, &at, 10);
    if (at == name + length || *at != '-' || process <= 0 || errno) return false;
    const char *digits = at + 1;
    (void)strtol(digits, &at, 10);
    if (at == digits || strcmp(at, ".tmp") != 0) return false;
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Removes what processes that died while they wrote this file have left. */
static void remove_leftovers(const char *path) {
    const size_t length = directory_length(path);
    char *directory = length ? strndup(path, length) : strdup(".");
    DIR *all = directory ? opendir(directory) : NULL;
    free(directory);
    if (!all) return;
    for (const struct dirent *entry; (entry = readdir(all));)
        if (is_leftover(entry->d_name, path + length)) unlinkat(dirfd(all), entry->d_name, 0);
    closedir(all);
}

/* Opens the sibling with the permissions of the file that it will replace. */
static bool open_sibling(dry_file *file, const struct stat *old) {
    mode_t mode = old == NULL ? 0666 : old->st_mode & 0777;
    remove_leftovers(file->path);
    int descriptor = create_sibling(file, mode);
    if (descriptor < 0) return false;
    if (old != NULL) fchmod(descriptor, mode);
    file->stream = fdopen(descriptor, "w+b");
    if (file->stream != NULL) return true;
    int cause = errno;
    close(descriptor);
    unlink(file->temporary);
    errno = cause;
    return false;
}

/* Appends, because what the shell opened as our output may hold something already. */
static bool open_directly(dry_file *file) {
    file->stream = fopen(file->path, "ab");
    return file->stream != NULL;
}

static bool open_output(dry_file *file) {
    fflush(stdout);
    int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) return false;
    file->stream = fdopen(descriptor, "wb");
    if (file->stream == NULL) close(descriptor);
    return file->stream != NULL;
}

static bool open_path(dry_file *file) {
    struct stat s;
    if (file->path == NULL) return false;
    if (strcmp(file->path, "-") == 0) return open_output(file);
    bool exists = stat(file->path, &s) == 0;
    if (!exists) return open_sibling(file, NULL);
    if (S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!S_ISREG(s.st_mode) || is_descriptor(file->path)) return open_directly(file);
    return access(file->path, W_OK) == 0 && open_sibling(file, &s);
}

static void forget(dry_file *file) {
    free(file->path);
    free(file->temporary);
    *file = (dry_file){0};
}

dry_status dry_file_open(dry_file *file, const char *path, dry_error *error) {
    *file = (dry_file){0};
    if (path[0] == '\0') {
        return dry_error_set(error, DRY_IO, "no file name was given; give the path to write to");
    }
    file->path = follow_links(path);
    if (open_path(file)) return DRY_OK;
    int cause = errno;
    forget(file);
    return fail(error, path, writing, cause);
}

/* Finds why an earlier write failed: the stream does not keep the cause, but writing one more byte
 * repeats it. */
static int repeat_write(const dry_file *file) {
    const bool failed = file->temporary != NULL && write(fileno(file->stream), "", 1) < 0;
    return failed ? errno : EIO;
}

/* Brings all that was written to the disk; 0 or the cause of a failure. */
static int flush(const dry_file *file) {
    if (fflush(file->stream) != 0) return errno;
    if (ferror(file->stream)) return repeat_write(file);
    if (file->temporary != NULL && fsync(fileno(file->stream)) != 0) return errno;
    return 0;
}

/* Flushes the directory, so that the new name reaches the disk. File systems that cannot do that
 * return an error, which does not matter. */
static void sync_directory(const char *path) {
    const size_t length = directory_length(path);
    char *directory = length ? strndup(path, length) : strdup(".");
    const int descriptor = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(directory);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

dry_status dry_file_commit(dry_file *file, dry_error *error) {
    int cause = flush(file);
    if (fclose(file->stream) != 0 && cause == 0) cause = errno;
    file->stream = NULL;
    bool replace = cause == 0 && file->temporary != NULL;
    if (replace && rename(file->temporary, file->path) != 0) cause = errno;
    if (replace && cause == 0) sync_directory(file->path);
    dry_status status = cause == 0 ? DRY_OK : fail(error, file->path, writing, cause);
    if (cause == 0)
        forget(file);
    else
        dry_file_abandon(file);
    return status;
}

/* x.csv becomes x.partial.csv, x becomes x.partial. */
char *dry_file_partial_name(const char *path) {
    const size_t length = strlen(path), directory = directory_length(path);
    const char *point = strrchr(path + directory, '.');
    const size_t stem = point && point > path + directory ? (size_t)(point - path) : length;
    static const char mark[] = ".partial";
    char *name = malloc(length + sizeof mark);
    if (name) snprintf(name, length + sizeof mark, "%.*s%s%s", (int)stem, path, mark, path + stem);
    return name;
}

dry_status dry_file_commit_partial(dry_file *file, char **name, dry_error *error) {
    *name = file->temporary ? dry_file_partial_name(file->path) : calloc(1, 1);
    char *path = file->temporary && *name ? strdup(*name) : NULL;
    if (!*name || (file->temporary && !path)) {
        free(*name);
        *name = NULL;
        dry_file_abandon(file);
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    }
    if (path) {
        free(file->path);
        file->path = path;
    }
    const dry_status status = dry_file_commit(file, error);
    if (status == DRY_OK) return status;
    free(*name);
    *name = NULL;
    return status;
}

void dry_file_abandon(dry_file *file) {
    if (file->stream != NULL) fclose(file->stream);
    if (file->temporary != NULL) unlink(file->temporary);
    forget(file);
}

/* ---- reading ----------------------------------------------------------- */

dry_status dry_file_input(const char *path, FILE **stream, dry_error *error) {
    struct stat s;
    *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (*stream == NULL) return fail(error, path, reading, errno);
    if (fstat(fileno(*stream), &s) != 0 || !S_ISDIR(s.st_mode)) return DRY_OK;
    dry_file_input_close(*stream);
    *stream = NULL;
    return fail(error, path, reading, EISDIR);
}

void dry_file_input_close(FILE *stream) {
    if (stream != stdin) fclose(stream);
}

bool dry_file_is_stream(const char *path) {
    struct stat s;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* Reads on until the end or until there are more than `limit` bytes; 0 or the cause of a failure.
 * There is room for a terminating zero. */
static int read_all(FILE *stream, size_t limit, char **content, size_t *length) {
    size_t room = 0;
    *content = NULL;
    *length = 0;
    do {
        if (room - *length < 2) {
            room = room == 0 ? CHUNK : 2 * room;
            char *larger = realloc(*content, room);
            if (larger == NULL) return ENOMEM;
            *content = larger;
        }
        errno = 0;
        *length += fread(*content + *length, 1, room - *length - 1, stream);
        if (ferror(stream)) return errno == 0 ? EIO : errno;
    } while (!feof(stream) && *length <= limit);
    return 0;
}

dry_status dry_file_read(const char *path, size_t limit, char **content, size_t *length,
                         dry_error *error) {
    FILE *stream;
    size_t n;
    *content = NULL;
    dry_status status = dry_file_input(path, &stream, error);
    if (status != DRY_OK) return status;
    int cause = read_all(stream, limit == 0 ? SIZE_MAX : limit, content, &n);
    dry_file_input_close(stream);
    if (cause != 0) {
        status = fail(error, path, reading, cause);
    } else if (limit != 0 && n > limit) {
        status = dry_error_set_at(error, DRY_BAD_FILE, path, 0, 0,
                                  "has more than %zu bytes, too large for what it should be; "
                                  "check that it is the right file",
                                  limit);
    }
    if (status != DRY_OK) {
        free(*content);
        *content = NULL;
        return status;
    }
    (*content)[n] = '\0';
    if (length != NULL) *length = n;
    return DRY_OK;
}
