/* The same test with each implicit method. To be included after cmocka.h. */
#ifndef DRYSTONE_TESTS_STIFF_METHODS_H
#define DRYSTONE_TESTS_STIFF_METHODS_H

#include <drystone/stiff.h>
#include <string.h>

/* Rows of a group of tests. */
#define WITH_EACH_METHOD(test)                                                                     \
    {#test " by rodas4", test, NULL, NULL, "rodas4"}, {                                            \
#test " by cvode", test, NULL, NULL, "cvode"                                               \
    }

static inline const dry_method *need_method(const char *name) {
    if (strcmp(name, "cvode") == 0 && !dry_stiff_has_cvode()) {
        print_message("this build has no SUNDIALS\n");
        skip();
    }
    return dry_stiff_method_find(name);
}

#endif
