/* What WASI lacks of POSIX, for the library as it is: copies of descriptors, and locks of files. */
#ifndef DRY_POSIX_FCNTL_H
#define DRY_POSIX_FCNTL_H

#include_next <fcntl.h>

enum { F_DUPFD_CLOEXEC = 1030, F_SETLK = 6, F_WRLCK = 1 }; /* which fcntl of WASI refuses */

#endif
