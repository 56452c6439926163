/* What the machine has to offer. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include <unistd.h>

int cli_cores(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}
