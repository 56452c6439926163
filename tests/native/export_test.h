/* What the tests of exported C share: folders of texts, and programs that call them. */
#ifndef DRY_TESTS_EXPORT_H
#define DRY_TESTS_EXPORT_H

#include "native_test.h"

static char folder[128];

static inline void export(const char *text, const char *prefix, bool single) {
    dry_error error = {0};
    dry_model *model = compile_text(text);
    assert_true(dry_model_ok(model));
    const dry_export_options options = {.prefix = prefix, .single = single};
    snprintf(folder, sizeof folder, "%s/%s", cache, prefix ? prefix : "model");
    if (dry_export_c(model, &options, folder, &error) != DRY_OK) fail_msg("%s", error.text);
    dry_model_free(model);
}

/* Of a file in the folder, to be freed. */
static inline char *text_of(const char *file) {
    static char *text; /* gcc 12 takes pointers into it for pointers to it */
    char path[256];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    assert_int_equal(dry_file_read(path, 0, &text, &length, NULL), DRY_OK);
    return text;
}

/* Compiles a main of its own with these headers and the C of these models, and runs it; it returns
 * the line of what is wrong. */
static inline void run_program(const char *headers, const char *models, const char *program) {
    char path[192], command[1024];
    dry_file file;
    snprintf(path, sizeof path, "%s/main.c", cache);
    assert_int_equal(dry_file_open(&file, path, NULL), DRY_OK);
    fprintf(file.stream,
            "%s#include <math.h>\n#include <string.h>\n"
            "#define CHECK(c) if (!(c)) return __LINE__\n#line 1\nint main(void) {\n%s"
            "    return 0;\n}\n",
            headers, program);
    assert_int_equal(dry_file_commit(&file, NULL), DRY_OK);
    snprintf(
        command, sizeof command,
        "cd '%s' && ${CC:-cc} -std=c99 -O1 -ffp-contract=off -Wall -Wextra -Werror -I. -o main "
        "main.c %s -lm && ./main; code=$?; "
        "test $code = 0 || { echo \"line $code of the program\"; false; }",
        cache, models);
    assert_int_equal(system(command), 0);
}

static inline void run_both(const char *program) {
    run_program("#include \"slow/slow.h\"\n#include \"fast/fast.h\"\n", "slow/slow.c fast/fast.c",
                program);
}

/* With the model `slow` alone, and numbers.h of the test. */
static inline void run_main(const char *program) {
    run_program("#include \"slow/slow.h\"\n#include \"numbers.h\"\n", "slow/slow.c", program);
}

#endif
