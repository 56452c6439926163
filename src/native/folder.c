/* folder: files and directories that the user owns. */
#define _POSIX_C_SOURCE 200809L
#include "native_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 256 << 20 }; /* most bytes of a file that is read */

char *dry_native__join(const char *directory, const char *name) {
    const size_t room = strlen(directory) + strlen(name) + 2;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s", directory, name);
    return path;
}

static bool is_own(const struct stat *about) {
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

static bool read_all(int file, char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const ssize_t n = read(file, text + at, length - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += (size_t)n;
    }
    return true;
}

static char *read_file(int file, size_t *length) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || !is_own(&about) ||
        about.st_size > LARGEST)
        return NULL;
    *length = (size_t)about.st_size;
    char *text = malloc(*length + 1);
    if (!text) return NULL;
    text[*length] = '\0';
    if (read_all(file, text, *length)) return text;
    free(text);
    return NULL;
}

char *dry_native__read_own(const char *directory, const char *name, size_t *length) {
    char *path = dry_native__join(directory, name);
    const int file = path ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    char *text = file >= 0 ? read_file(file, length) : NULL;
    if (file >= 0) close(file);
    free(path);
    return text;
}

static bool write_all(int file, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const ssize_t n = write(file, text + at, length - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        at += (size_t)n;
    }
    return fsync(file) == 0;
}

bool dry_native__write(const char *directory, const char *name, const char *text, size_t length) {
    char *path = dry_native__join(directory, name);
    const int file =
        path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    bool good = file >= 0 && write_all(file, text, length);
    if (file >= 0) good = close(file) == 0 && good;
    free(path);
    return good;
}

/* Makes a directory, and its parent directories if they are missing. */
static bool make_directory(const char *path) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return true;
    const char *slash = strrchr(path, '/');
    if (errno != ENOENT || !slash || slash == path) return false;
    char *parent = strndup(path, (size_t)(slash - path));
    const bool made = parent && make_directory(parent);
    free(parent);
    return made && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

bool dry_native__own_directory(const char *path) {
    struct stat about;
    return make_directory(path) && lstat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
           is_own(&about) && access(path, W_OK | X_OK) == 0;
}

void dry_native__remove(const char *path) {
    DIR *directory = opendir(path);
    for (const struct dirent *file; directory && (file = readdir(directory));) {
        if (strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0) continue;
        unlinkat(dirfd(directory), file->d_name, 0);
    }
    if (directory) closedir(directory);
    rmdir(path);
}
