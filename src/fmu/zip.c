/* zip: files as a zip archive (APPNOTE 6.3, PKWARE), stored: no compression, no library for it. All
 * dates are that of 1 January 1980, so that equal contents give equal bytes. */
#include "fmu_private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- files --------------------------------------------------------------------------------------
 */

static bool grow(dry_fmu__files *files) {
    if (files->n < files->room) return true;
    const int room = files->room ? 2 * files->room : 16;
    void *more = realloc(files->file, (size_t)room * sizeof *files->file);
    if (!more) return false;
    files->file = more;
    files->room = room;
    return true;
}

void dry_fmu__give(dry_fmu__files *files, const char *name, char *data, size_t length) {
    char *copy = malloc(strlen(name) + 1);
    if (!data || !copy || !grow(files)) {
        files->failed = true;
        free(copy);
        free(data);
        return;
    }
    strcpy(copy, name);
    files->file[files->n++] = (struct dry_fmu__file){copy, data, length};
}

void dry_fmu__add(dry_fmu__files *files, const char *name, const char *data, size_t length) {
    char *copy = malloc(length + 1);
    if (copy) memcpy(copy, data, length);
    dry_fmu__give(files, name, copy, length);
}

void dry_fmu__files_free(dry_fmu__files *files) {
    for (int i = 0; i < files->n; i++) {
        free(files->file[i].name);
        free(files->file[i].data);
    }
    free(files->file);
    *files = (dry_fmu__files){0};
}

/* ---- the archive --------------------------------------------------------------------------------
 */

unsigned long dry_fmu_crc(const void *data, size_t length) {
    const unsigned char *next = data;
    uint32_t crc = 0xFFFFFFFFu;
    for (; length > 0; length--) {
        crc ^= *next++;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return crc ^ 0xFFFFFFFFu;
}

/* A number of `n` bytes, the lowest first. */
static void put(unsigned long value, int n, FILE *stream) {
    for (int i = 0; i < n; i++) fputc((int)(value >> 8 * i & 0xFF), stream);
}

enum {
    VERSION = 20,
    UTF8 = 1 << 11,
    STORED = 0,
    NOON = 0,
    DATE = 1 << 5 | 1,
    HEAD = 30,
    ENTRY = 46,
    END = 22
};

/* What the head of a file and its entry in the directory have in common. */
static void put_about(const struct dry_fmu__file *file, unsigned long crc, FILE *stream) {
    put(VERSION, 2, stream);
    put(UTF8, 2, stream);
    put(STORED, 2, stream);
    put(NOON, 2, stream);
    put(DATE, 2, stream);
    put(crc, 4, stream);
    put(file->length, 4, stream);
    put(file->length, 4, stream);
    put(strlen(file->name), 2, stream);
    put(0, 2, stream); /* no extra field */
}

static void put_file(const struct dry_fmu__file *file, unsigned long crc, FILE *stream) {
    put(0x04034B50, 4, stream);
    put_about(file, crc, stream);
    fputs(file->name, stream);
    fwrite(file->data, 1, file->length, stream);
}

static void put_entry(const struct dry_fmu__file *file, unsigned long crc, size_t at,
                      FILE *stream) {
    put(0x02014B50, 4, stream);
    put(3 << 8 | VERSION, 2, stream); /* made on Unix */
    put_about(file, crc, stream);
    put(0, 2, stream); /* comment */
    put(0, 2, stream); /* disk */
    put(0, 2, stream);
    put(0100644UL << 16, 4, stream); /* a file that its owner may write */
    put(at, 4, stream);
    fputs(file->name, stream);
}

bool dry_fmu__zip_fits(const dry_fmu__files *files) {
    const uint64_t most = 0xFFFFFFFEu; /* the number above it means: look elsewhere */
    uint64_t size = END;
    for (int i = 0; i < files->n; i++)
        size += HEAD + ENTRY + 2 * (uint64_t)strlen(files->file[i].name) + files->file[i].length;
    return size <= most && files->n < 0xFFFF;
}

size_t dry_fmu__zip(const dry_fmu__files *files, FILE *stream) {
    unsigned long *crc = malloc(((size_t)files->n + 1) * sizeof *crc);
    size_t at = 0, directory = 0;
    if (!crc) return 0;
    for (int i = 0; i < files->n; i++) {
        crc[i] = dry_fmu_crc(files->file[i].data, files->file[i].length);
        put_file(&files->file[i], crc[i], stream);
    }
    for (int i = 0; i < files->n; i++) {
        put_entry(&files->file[i], crc[i], at, stream);
        at += HEAD + strlen(files->file[i].name) + files->file[i].length;
        directory += ENTRY + strlen(files->file[i].name);
    }
    put(0x06054B50, 4, stream);
    put(0, 4, stream); /* disks */
    put((unsigned long)files->n, 2, stream);
    put((unsigned long)files->n, 2, stream);
    put(directory, 4, stream);
    put(at, 4, stream);
    put(0, 2, stream);
    free(crc);
    return at + directory + END;
}
