/* Rows of a group of tests that are in it only if they apply to this build or computer: cmocka
 * passes over rows without a name. Nothing is skipped. To be included after unit.h. */
#ifndef DRYSTONE_TESTS_LISTED_H
#define DRYSTONE_TESTS_LISTED_H

#define TEST_IF_TEARDOWN(applies, test, teardown)                                                  \
    { (applies) ? #test : NULL, test, NULL, teardown, NULL }
#define TEST_IF(applies, test) TEST_IF_TEARDOWN(applies, test, NULL)

#endif
