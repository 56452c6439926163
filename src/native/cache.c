/* cache: the cache of compiled models. Each entry is one directory; its name is the digest of
 * everything that its code depends on.
 *
 *     <cache>/<sha-256>/source.c  about  code.so
 *
 * An entry is made under another name and moved to its place in one step, so that no entry is ever
 * incomplete. An entry is used only if the user owns it, if its source and its compiler are the
 * wanted ones, and if its code has the digest written in `about`. */
#define _POSIX_C_SOURCE 200809L
#include "native_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ENTRIES = 256, ABANDONED = 3600 }; /* s after which an unfinished entry is removed */
static const long long most_bytes = 128LL << 20;
static const char unfinished[] = "new-";

/* ---- where -------------------------------------------------------------------------------------
 */

static char *default_cache(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/') return dry_native__join(cache, "drystone");
    return home && home[0] == '/' ? dry_native__join(home, ".cache/drystone") : NULL;
}

char *dry_native__cache(const char *wanted) {
    char *path = wanted ? strdup(wanted) : default_cache();
    if (path && path[0] == '/' && dry_native__own_directory(path)) return path;
    free(path);
    return NULL;
}

char *dry_native__fresh(const char *where) {
    char *path = dry_native__join(where, "new-XXXXXX");
    if (path && mkdtemp(path)) return path;
    free(path);
    return NULL;
}

/* ---- one entry
 * ------------------------------------------------------------------------------------ */

/* Returns the text of `about` for an entry whose code has this digest. */
static char *describe(const dry_native__entry *entry, const char *digest) {
    const size_t room = strlen(entry->about) + DRY_DIGEST_SIZE + 16;
    char *text = malloc(room);
    if (text) snprintf(text, room, "%scode %s\n", entry->about, digest);
    return text;
}

static bool has_text(const char *directory, const char *name, const char *text) {
    size_t length = 0;
    char *found = dry_native__read_own(directory, name, &length);
    const bool same = found && length == strlen(text) && memcmp(found, text, length) == 0;
    free(found);
    return same;
}

/* Returns the text that `about` must have for the present code. */
static char *describe_code(const char *directory, const dry_native__entry *entry) {
    size_t length = 0;
    char digest[DRY_DIGEST_SIZE];
    char *code = dry_native__read_own(directory, "code.so", &length);
    if (!code) return NULL;
    dry_digest(code, length, digest);
    free(code);
    return describe(entry, digest);
}

static bool is_whole(const char *directory, const dry_native__entry *entry) {
    struct stat about;
    if (lstat(directory, &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
        (about.st_mode & (S_IWGRP | S_IWOTH)))
        return false;
    if (!has_text(directory, "source.c", entry->source)) return false;
    char *wanted = describe_code(directory, entry);
    const bool whole = wanted && has_text(directory, "about", wanted);
    free(wanted);
    return whole;
}

char *dry_native__look_up(const char *cache, const dry_native__entry *entry) {
    char *directory = dry_native__join(cache, entry->key), *code = NULL;
    if (directory && is_whole(directory, entry)) {
        utimensat(AT_FDCWD, directory, NULL, 0); /* used now, so it is not removed first */
        code = dry_native__join(directory, "code.so");
    }
    free(directory);
    return code;
}

static bool flush_file(const char *directory, const char *name) {
    char *path = name ? dry_native__join(directory, name) : strdup(directory);
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool good = file >= 0 && fsync(file) == 0;
    if (file >= 0) close(file);
    free(path);
    return good;
}

bool dry_native__seal(const char *fresh, const dry_native__entry *entry) {
    char *code = dry_native__join(fresh, "code.so");
    const bool owned = code && chmod(code, 0600) == 0;
    free(code);
    char *about = owned ? describe_code(fresh, entry) : NULL;
    const bool good = about && flush_file(fresh, "code.so") &&
                      dry_native__write(fresh, "about", about, strlen(about)) &&
                      flush_file(fresh, NULL);
    free(about);
    return good;
}

/* ---- bounds
 * ------------------------------------------------------------------------------------------ */

typedef struct found {
    char name[DRY_DIGEST_SIZE];
    long long bytes;
    struct timespec used;
} found;

static int older_first(const void *a, const void *b) {
    const struct timespec *s = &((const found *)a)->used, *t = &((const found *)b)->used;
    if (s->tv_sec != t->tv_sec) return s->tv_sec < t->tv_sec ? -1 : 1;
    return (s->tv_nsec > t->tv_nsec) - (s->tv_nsec < t->tv_nsec);
}

static long long bytes_of(int directory, const char *entry) {
    static const char *const files[] = {"source.c", "about", "code.so"};
    long long sum = 0;
    char path[320];
    for (int i = 0; i < 3; i++) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", entry, files[i]);
        if (fstatat(directory, path, &about, AT_SYMLINK_NOFOLLOW) == 0) sum += about.st_size;
    }
    return sum;
}

static void remove_entry(const char *cache, const char *name) {
    char *path = dry_native__join(cache, name);
    if (path) dry_native__remove(path);
    free(path);
}

/* Lists the entries of the cache; removes entries that were begun long ago and never finished. */
static found *list(const char *cache, DIR *directory, int *n) {
    found *all = NULL;
    int room = 0;
    for (const struct dirent *file; (file = readdir(directory));) {
        struct stat about;
        if (file->d_name[0] == '.' || strlen(file->d_name) >= DRY_DIGEST_SIZE ||
            fstatat(dirfd(directory), file->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(about.st_mode))
            continue;
        if (strncmp(file->d_name, unfinished, sizeof unfinished - 1) == 0) {
            if (time(NULL) - about.st_mtim.tv_sec > ABANDONED) remove_entry(cache, file->d_name);
            continue;
        }
        if (strlen(file->d_name) != DRY_DIGEST_SIZE - 1) continue;
        if (*n == room) {
            found *more = realloc(all, sizeof *all * (size_t)(room = 2 * room + 64));
            if (!more) break;
            all = more;
        }
        all[*n] = (found){.bytes = bytes_of(dirfd(directory), file->d_name), .used = about.st_mtim};
        memcpy(all[(*n)++].name, file->d_name, DRY_DIGEST_SIZE);
    }
    return all;
}

/* Removes the least recently used entries until the rest fits; never removes the newest. */
static void keep_in_bounds(const char *cache) {
    DIR *directory = opendir(cache);
    if (!directory) return;
    int n = 0;
    long long sum = 0;
    found *all = list(cache, directory, &n);
    if (n) qsort(all, (size_t)n, sizeof *all, older_first);
    for (int i = 0; i < n; i++) sum += all[i].bytes;
    for (int i = 0; i < n - 1 && (n - i > MOST_ENTRIES || sum > most_bytes); i++) {
        remove_entry(cache, all[i].name);
        sum -= all[i].bytes;
    }
    free(all);
    closedir(directory);
}

/* If the place is taken, it has either the same entry, made by another process at the same time, or
 * an invalid one. */
void dry_native__publish(const char *cache, const char *fresh, const dry_native__entry *entry) {
    char *place = dry_native__join(cache, entry->key);
    if (!place) return;
    if (rename(fresh, place) != 0 && !is_whole(place, entry)) {
        if (unlink(place) != 0) dry_native__remove(place);
        if (rename(fresh, place) != 0) dry_native__remove(fresh);
    }
    flush_file(cache, NULL);
    keep_in_bounds(cache);
    free(place);
}
