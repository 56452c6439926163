/* unzip: takes a stored archive apart into a folder, by its heads alone. */
#ifndef DRY_TESTS_UNZIP_H
#define DRY_TESTS_UNZIP_H

#include <drystone/base.h>
#include <drystone/fmu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static inline unsigned long bytes_at(const char *at, int n) {
    unsigned long value = 0;
    for (int i = n - 1; i >= 0; i--) value = value << 8 | (unsigned char)at[i];
    return value;
}

static inline void make_folders(char *path) {
    for (char *c = path + 1; *c; c++)
        if (*c == '/') *c = '\0', (void)mkdir(path, 0700), *c = '/';
}

static inline bool put_away(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    const bool whole = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && whole;
}

/* `object` becomes the path of the shared object; false: the archive is not as it must be. */
static inline bool unzip(const char *path, const char *folder, char *object, size_t room) {
    char *data, to[900];
    size_t length, at = 0;
    bool good = dry_file_read(path, 0, &data, &length, NULL) == DRY_OK;
    if (!good) return false;
    while (good && at + 30 < length && bytes_at(data + at, 4) == 0x04034B50) {
        const size_t size = bytes_at(data + at + 18, 4), name = bytes_at(data + at + 26, 2);
        const char *content = data + at + 30 + name;
        snprintf(to, sizeof to, "%s/%.*s", folder, (int)name, data + at + 30);
        if (strncmp(data + at + 30, "binaries/", 9) == 0) snprintf(object, room, "%s", to);
        make_folders(to);
        good = bytes_at(data + at + 8, 2) == 0 && /* stored */
               dry_fmu_crc(content, size) == bytes_at(data + at + 14, 4) &&
               put_away(to, content, size);
        at += 30 + name + size;
    }
    good = good && bytes_at(data + at, 4) == 0x02014B50;
    free(data);
    return good;
}

#endif
