/* What WASI lacks of POSIX, for the library as it is: signals to processes. Whether one lives is
 * not known. */
#ifndef DRY_POSIX_SIGNAL_H
#define DRY_POSIX_SIGNAL_H

#include <errno.h>
#include_next <signal.h>
#include <sys/types.h>

static inline int kill(pid_t process, int what) {
    return (void)process, (void)what, errno = ENOSYS, -1;
}

#endif
