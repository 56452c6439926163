/* The little of cmocka that our tests use, in one header, for builds that cmocka is not there for
 * (another C library, 32 bits): groups of tests with set-up and teardown, assertions, TAP. To be
 * included by one file of a program, as cmocka is, after setjmp.h and stdarg.h. */
#ifndef DRYSTONE_TESTS_CMOCKA_H
#define DRYSTONE_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name; /* NULL: not in the group */
    void (*test_func)(void **state);
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    const void *initial_state;
};

#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                     \
    { #test, test, setup, teardown, NULL }
#define cmocka_unit_test_teardown(test, teardown)                                                  \
    cmocka_unit_test_setup_teardown(test, NULL, teardown)
#define cmocka_unit_test(test) cmocka_unit_test_setup_teardown(test, NULL, NULL)
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka__run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

static jmp_buf cmocka__out; /* of the test that runs */

/* ---- messages ------------------------------------------------------------ */

__attribute__((format(printf, 1, 2))) static inline void print_message(const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("# ");
    vprintf(format, list);
    va_end(list);
}
#define print_error print_message

__attribute__((noreturn, format(printf, 3, 4))) static inline void cmocka__fail(const char *file,
                                                                                int line,
                                                                                const char *format,
                                                                                ...) {
    va_list list;
    va_start(list, format);
    printf("# %s:%d: ", file, line);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    longjmp(cmocka__out, 1);
}
#define fail_msg(...) cmocka__fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail() cmocka__fail(__FILE__, __LINE__, "failed")

/* ---- assertions: functions, so that an argument is evaluated once --------- */

static inline void cmocka__true(bool holds, const char *what, const char *file, int line) {
    if (!holds) cmocka__fail(file, line, "%s", what);
}
static inline void cmocka__equal(bool wanted, uintmax_t a, uintmax_t b, const char *file,
                                 int line) {
    if ((a == b) != wanted) cmocka__fail(file, line, "0x%jx %s 0x%jx", a, wanted ? "!=" : "==", b);
}
static inline void cmocka__strings(bool wanted, const char *a, const char *b, const char *file,
                                   int line) {
    if ((strcmp(a, b) == 0) != wanted)
        cmocka__fail(file, line, "\"%s\" %s \"%s\"", a, wanted ? "!=" : "==", b);
}
static inline void cmocka__bytes(const void *a, const void *b, size_t n, const char *file,
                                 int line) {
    if (memcmp(a, b, n) != 0) cmocka__fail(file, line, "%zu bytes differ", n);
}
static inline void cmocka__range(uintmax_t x, uintmax_t least, uintmax_t most, const char *file,
                                 int line) {
    if (x < least || x > most) cmocka__fail(file, line, "%ju is not in %ju .. %ju", x, least, most);
}

#define cmocka__number(x) ((uintmax_t)(x))
#define cmocka__address(x) ((uintmax_t)(uintptr_t)(x))
#define assert_true(x) cmocka__true(!!(x), #x, __FILE__, __LINE__)
#define assert_false(x) cmocka__true(!(x), "not: " #x, __FILE__, __LINE__)
#define assert_non_null(x) cmocka__true((x) != NULL, #x " is NULL", __FILE__, __LINE__)
#define assert_null(x) cmocka__true((x) == NULL, #x " is not NULL", __FILE__, __LINE__)
#define assert_int_equal(a, b)                                                                     \
    cmocka__equal(true, cmocka__number(a), cmocka__number(b), __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    cmocka__equal(false, cmocka__number(a), cmocka__number(b), __FILE__, __LINE__)
#define assert_ptr_equal(a, b)                                                                     \
    cmocka__equal(true, cmocka__address(a), cmocka__address(b), __FILE__, __LINE__)
#define assert_ptr_not_equal(a, b)                                                                 \
    cmocka__equal(false, cmocka__address(a), cmocka__address(b), __FILE__, __LINE__)
#define assert_string_equal(a, b) cmocka__strings(true, a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) cmocka__strings(false, a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n) cmocka__bytes(a, b, n, __FILE__, __LINE__)
#define assert_in_range(x, least, most)                                                            \
    cmocka__range(cmocka__number(x), cmocka__number(least), cmocka__number(most), __FILE__,        \
                  __LINE__)

/* ---- a group ------------------------------------------------------------- */

static inline bool cmocka__passes(const struct CMUnitTest *test, void **group) {
    void *own = (void *)(uintptr_t)test->initial_state;
    void **state = test->initial_state ? &own : group;
    if (setjmp(cmocka__out) != 0) return false;
    if (test->setup_func && test->setup_func(state) != 0) fail_msg("its set-up failed");
    test->test_func(state);
    return true;
}

static inline bool cmocka__ends(const struct CMUnitTest *test, void **group) {
    void *own = (void *)(uintptr_t)test->initial_state;
    if (setjmp(cmocka__out) != 0) return false;
    return !test->teardown_func || test->teardown_func(test->initial_state ? &own : group) == 0;
}

/* The number of tests that failed. */
static inline int cmocka__run(const struct CMUnitTest *tests, size_t count,
                              int (*setup)(void **state), int (*teardown)(void **state)) {
    void *state = NULL;
    int number = 0, failed = 0, listed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) listed += tests[i].name != NULL;
    printf("1..%d\n", listed);
    if (setup && setup(&state) != 0) return listed + 1; /* the plan says what is missing */
    for (size_t i = 0; i < count; i++) {
        if (!tests[i].name) continue;
        bool passed = cmocka__passes(&tests[i], &state);
        passed = cmocka__ends(&tests[i], &state) && passed;
        failed += !passed;
        printf("%sok %d - %s\n", passed ? "" : "not ", ++number, tests[i].name);
    }
    if (teardown && teardown(&state) != 0) failed++;
    return failed;
}

#endif
