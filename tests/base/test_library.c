/* Libraries that are loaded when they are first used. */
#include "unit.h"

#include "base/base.h"
#include <math.h>
#include <string.h>

typedef struct calls {
    double (*cbrt)(double);
    double (*hypot)(double, double);
} calls;

static const char *const symbols[] = {"cbrt", "hypot", NULL};

static dry_library of(const char *file, const char *const *names, calls *to) {
    return (dry_library){.name = "Numbers",
                         .file = file,
                         .package = "libnumbers-dev",
                         .instead = "count on your fingers",
                         .symbols = names,
                         .calls = to};
}

#if defined(__GLIBC__)
#define NUMBERS "libm.so.6"
static void finds_every_symbol(void **state) {
    (void)state;
    calls c = {0};
    dry_library library = of(NUMBERS, symbols, &c);
    assert_int_equal(dry_library_load(&library, NULL), DRY_OK);
    assert_true(library.loaded);
    near(c.cbrt(27.0), 3.0, 1e-15);
    near(c.hypot(3.0, 4.0), 5.0, 1e-15);
    assert_int_equal(dry_library_load(&library, NULL), DRY_OK);
}

static void lacks_a_symbol(void **state) {
    (void)state;
    static const char *const odd[] = {"cbrt", "no_such_number", NULL};
    calls c = {0};
    dry_error error;
    dry_library library = of(NUMBERS, odd, &c);
    assert_int_equal(dry_library_load(&library, &error), DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "no_such_number"));
    assert_non_null(strstr(error.text, "install libnumbers-dev, or count on your fingers"));
    assert_false(library.loaded);
}
#endif

static void is_missing(void **state) {
    (void)state;
    calls c = {0};
    dry_error error;
    dry_library library = of("libnumbers.so.99", symbols, &c);
    assert_int_equal(dry_library_load(&library, &error), DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "Numbers cannot be loaded"));
    assert_non_null(strstr(error.text, "install libnumbers-dev, or count on your fingers"));
    assert_false(library.loaded);
}

static void linked_ones_are_there(void **state) {
    (void)state;
    calls c = {.cbrt = cbrt, .hypot = hypot};
    dry_library library = of(NULL, symbols, &c);
    assert_int_equal(dry_library_load(&library, NULL), DRY_OK);
    near(c.cbrt(8.0), 2.0, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if defined(__GLIBC__)
        cmocka_unit_test(finds_every_symbol),
        cmocka_unit_test(lacks_a_symbol),
#endif
        cmocka_unit_test(is_missing),
        cmocka_unit_test(linked_ones_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
