/* Names of files that a test writes: below TMPDIR, never beside the sources. */
#ifndef DRYSTONE_TESTS_SCRATCH_FILE_H
#define DRYSTONE_TESTS_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* The same name gives the same path; the path of the last call is valid. */
static inline const char *scratch_file(const char *name) {
    static char path[1024];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "/tmp", name);
    return path;
}

#endif
