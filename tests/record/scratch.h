/* A directory of its own for the files of a test program. */
#ifndef DRYSTONE_TESTS_RECORD_SCRATCH_H
#define DRYSTONE_TESTS_RECORD_SCRATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[64];

static inline char *in_scratch(const char *name) {
    static char paths[4][400];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    return path;
}

static inline int make_scratch(void **state) {
    (void)state;
    strcpy(scratch, "/tmp/dry-record-XXXXXX");
    return mkdtemp(scratch) == NULL;
}

/* Counts the files, and removes them where asked to. */
static inline int scratch_files(bool clear) {
    int n = 0;
    DIR *d = opendir(scratch);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        n++;
        if (clear) remove(in_scratch(e->d_name));
    }
    closedir(d);
    return n;
}

static inline int clear_scratch(void **state) {
    (void)state;
    scratch_files(true);
    return 0;
}

static inline int remove_scratch(void **state) {
    clear_scratch(state);
    return rmdir(scratch);
}

static inline void put_text(const char *path, const char *text, size_t length) {
    FILE *stream = fopen(path, "wb");
    fwrite(text, 1, length, stream);
    fclose(stream);
}

#endif
