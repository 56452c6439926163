/* A locale with a decimal comma, for what must not depend on it; end_comma_locale ends it. */
#ifndef DRYSTONE_TESTS_BASE_COMMA_H
#define DRYSTONE_TESTS_BASE_COMMA_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "scratch_file.h"

/* Few computers have one, so it is made here (Debian: locales). */
static inline void begin_comma_locale(void) {
    char folder[1024], command[2200];
    snprintf(folder, sizeof folder, "%s", scratch_file("drystone-locale-XXXXXX"));
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.utf8'", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(setenv("LOCPATH", folder, 1), 0);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    assert_string_equal(localeconv()->decimal_point, ",");
}

static inline void end_comma_locale(void) {
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

#endif
