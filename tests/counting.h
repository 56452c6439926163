/* Counts the calls of malloc, calloc and realloc, for tests that a step takes no memory. COUNTING
 * is 1 if that works: with glibc, and not under a sanitizer that has taken their place. To be
 * included by one file of a program. */
#ifndef DRYSTONE_TESTS_COUNTING_H
#define DRYSTONE_TESTS_COUNTING_H

#include <stddef.h>
#include <stdlib.h> /* tells whose library it is */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MALLOC_IS_TAKEN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MALLOC_IS_TAKEN 1
#endif

long allocations; /* stays 0 without COUNTING */

#if !defined(__GLIBC__) || defined(MALLOC_IS_TAKEN)
#define COUNTING 0
#else
#define COUNTING 1
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes) {
    allocations++;
    return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
    allocations++;
    return __libc_calloc(count, bytes);
}
void *realloc(void *old, size_t bytes) {
    allocations++;
    return __libc_realloc(old, bytes);
}
#endif

#endif
