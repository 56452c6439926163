/* What the tests of native code share: models from files and texts, a cache of their own. */
#ifndef DRY_TESTS_NATIVE_H
#define DRY_TESTS_NATIVE_H

#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "unit.h"

#include <drystone/native.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char cache[64]; /* of this program */

static inline int make_cache(void **state) {
    (void)state;
    strcpy(cache, "/tmp/drystone-test-XXXXXX");
    return mkdtemp(cache) ? 0 : -1;
}

static inline int remove_cache(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command);
}

static inline void need_compiler(void) {
    if (system("${CC:-cc} --version >/dev/null 2>&1") != 0) fail_msg("no C compiler");
}

static inline dry_model *compile_text(const char *text) {
    const dry_model_options options = {.force = true};
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &options);
    assert_non_null(model);
    return model;
}

static inline dry_model *compile_file(const char *path) {
    char *text;
    size_t length;
    const dry_model_options options = {.force = true};
    assert_int_equal(dry_file_read(path, 0, &text, &length, NULL), DRY_OK);
    dry_model *model = dry_model_compile(path, text, length, &options);
    free(text);
    assert_non_null(model);
    return model;
}

/* NULL: every method, the compiler as it is */
static inline dry_native *make_native(const dry_model *model, const dry_method *method,
                                      const char *compiler) {
    dry_error error = {0};
    const dry_native_options options = {.cache = cache, .method = method, .compiler = compiler};
    dry_native *native = dry_native_new(model, &options, &error);
    if (!native) fail_msg("%s", error.text);
    return native;
}

static inline void assert_same(const char *what, const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        if (!alike(a[i], b[i]))
            fail_msg("%s %d: bytecode %.17g, native %.17g", what, i, a[i], b[i]);
}

/* Numbers without a pattern, from -1 to 1. */
static inline double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

#endif
