/* What WASI lacks of POSIX, for the library as it is: the width of a terminal. There is none. */
#ifndef DRY_POSIX_IOCTL_H
#define DRY_POSIX_IOCTL_H

#include_next <sys/ioctl.h>

struct winsize {
    unsigned short ws_row, ws_col;
};
enum { TIOCGWINSZ = 0x5413 }; /* which ioctl of WASI refuses */

#endif
