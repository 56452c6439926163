/* Counts the basic blocks that the library runs: what a computation costs, exactly and the same on
 * every computer, however busy it is. A count that grows with the square of what it is about is
 * found by two or three sizes; a clock would have to be believed.
 *
 * For the tests tests/ROOM/test_*cost.c, which CMakeLists.txt links with a library that calls the
 * function below at every block (-fsanitize-coverage=trace-pc of gcc and clang). To be included by
 * one file of a program, which must have one thread. */
#ifndef DRYSTONE_TESTS_BLOCKS_H
#define DRYSTONE_TESTS_BLOCKS_H

static long long blocks; /* so far */

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }

#endif
