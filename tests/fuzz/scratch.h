/* A folder of the fuzzer's own, removed at its end, in memory if it can be. Nothing in it needs to
 * outlive the machine, so nothing waits for a disk. */
#ifndef DRYSTONE_TESTS_FUZZ_SCRATCH_H
#define DRYSTONE_TESTS_FUZZ_SCRATCH_H

#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int fsync(int file) {
    (void)file;
    return 0;
}

static char scratch_folder[40];

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_scratch(void) { nftw(scratch_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static void make_folder(void) {
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(scratch_folder, sizeof scratch_folder, "%s/drystone-fuzz-XXXXXX", places[i]);
        if (!mkdtemp(scratch_folder)) continue;
        atexit(remove_scratch);
        return;
    }
    abort();
}

/* The path of a file or folder in it. */
static const char *scratch(void) {
    static char path[sizeof scratch_folder + 8];
    if (path[0] == '\0') {
        make_folder();
        snprintf(path, sizeof path, "%s/input", scratch_folder);
    }
    return path;
}

static inline bool write_scratch(const void *data, size_t size) {
    FILE *file = fopen(scratch(), "wb");
    const bool written = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && written;
}

#endif
