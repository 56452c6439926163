/* What WASI lacks of POSIX, for the library as it is: a folder of a new name. */
#ifndef DRY_POSIX_STDLIB_H
#define DRY_POSIX_STDLIB_H

#include <errno.h>
#include_next <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The last six letters become a number that is free. */
static inline char *mkdtemp(char *path) {
    const size_t n = strlen(path);
    for (int number = 0; n >= 6 && number < 1000000; number++) {
        for (int i = 0, rest = number; i < 6; i++, rest /= 10)
            path[n - 1 - (size_t)i] = (char)('0' + rest % 10);
        if (mkdir(path, 0700) == 0) return path;
        if (errno != EEXIST) return NULL;
    }
    return NULL;
}

#endif
