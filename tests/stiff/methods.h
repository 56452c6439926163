/* The same test with each implicit method. To be included after cmocka.h. */
#ifndef DRYSTONE_TESTS_STIFF_METHODS_H
#define DRYSTONE_TESTS_STIFF_METHODS_H

#include <drystone/stiff.h>
#include <stdbool.h>

/* Rows of a group of tests: cvode only if it is in this build. cmocka passes over rows without a
 * name. */
#define WITH_EACH_METHOD_IF(applies, test)                                                         \
    {(applies) ? #test " by rodas4" : NULL, test, NULL, NULL, "rodas4"}, {                         \
        (applies) && dry_stiff_has_cvode() ? #test " by cvode" : NULL, test, NULL, NULL, "cvode"   \
    }
#define WITH_EACH_METHOD(test) WITH_EACH_METHOD_IF(true, test)

#endif
