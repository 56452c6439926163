/* What WASI lacks of POSIX, for the library as it is: threads. There is one, so locks are always
 * free and no other thread can be made. */
#ifndef DRY_POSIX_PTHREAD_H
#define DRY_POSIX_PTHREAD_H

#include <errno.h>

typedef int pthread_t, pthread_attr_t, pthread_mutex_t, pthread_mutexattr_t;
#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *how) {
    return (void)how, *lock = 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *lock) { return (void)lock, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *lock) { return (void)lock, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *lock) { return (void)lock, 0; }
static inline int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                                 void *data) {
    return (void)thread, (void)how, (void)run, (void)data, EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result) {
    return (void)thread, (void)result, EINVAL;
}

#endif
