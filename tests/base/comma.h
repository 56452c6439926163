/* A locale with a decimal comma, for what must not depend on it; setlocale(LC_ALL, "C") ends it. */
#ifndef DRYSTONE_TESTS_BASE_COMMA_H
#define DRYSTONE_TESTS_BASE_COMMA_H

#include <locale.h>
#include <stdbool.h>

static inline bool set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "ru_RU.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL) return *localeconv()->decimal_point == ',';
    }
    return false;
}

static inline void need_comma_locale(void) {
    if (set_comma_locale()) return;
    print_message("no locale with a decimal comma is installed\n");
    skip();
}

#endif
