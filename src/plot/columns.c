/* columns: the number of columns of the terminal of a stream. */
#define _DEFAULT_SOURCE /* TIOCGWINSZ, fileno */
#include "internal.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* The width that the user sets, $COLUMNS, as for shells and pagers. */
static int width_by_user(void) {
    const char *text = getenv("COLUMNS");
    char *end;
    const long columns = text ? strtol(text, &end, 10) : 0;
    return columns > 0 && columns < 100000 && !*end ? (int)columns : 0;
}

int dry_plot__columns(FILE *stream) {
    struct winsize size;
    const int file = fileno(stream), columns = width_by_user();
    if (columns) return columns;
    return file >= 0 && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
