/* Streams that write into memory. If memory runs out, those of open_memstream silently lose what
 * did not fit; these remember the loss until they are closed. */
#define _GNU_SOURCE /* fopencookie */
#include <drystone/base.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct target {
    char **text;
    size_t *length, room;
    bool failed;
} target;

static bool make_room(target *to, size_t more) {
    if (more > SIZE_MAX / 2 - *to->length) return false;
    if (*to->length + more < to->room) return true;
    const size_t room = 2 * (*to->length + more) + 64;
    char *larger = realloc(*to->text, room);
    if (larger == NULL) return false;
    *to->text = larger;
    to->room = room;
    return true;
}

/* All or nothing: 0 is an error. */
static ssize_t append(void *cookie, const char *bytes, size_t count) {
    target *to = cookie;
    to->failed = to->failed || !make_room(to, count);
    if (to->failed) return 0;
    memcpy(*to->text + *to->length, bytes, count);
    *to->length += count;
    (*to->text)[*to->length] = '\0';
    return (ssize_t)count;
}

static int end(void *cookie) {
    target *to = cookie;
    const bool failed = to->failed;
    free(to);
    return failed ? -1 : 0;
}

FILE *dry_text_open(char **text, size_t *length) {
    target *to = calloc(1, sizeof *to);
    *text = calloc(1, 1);
    *length = 0;
    FILE *stream = NULL;
    if (to != NULL && *text != NULL) {
        *to = (target){.text = text, .length = length, .room = 1};
        stream = fopencookie(to, "w", (cookie_io_functions_t){.write = append, .close = end});
    }
    if (stream != NULL) return stream;
    free(to);
    free(*text);
    *text = NULL;
    return NULL;
}

bool dry_text_close(FILE *stream, char **text) {
    const bool whole = !ferror(stream);
    if (fclose(stream) == 0 && whole) return true;
    free(*text);
    *text = NULL;
    return false;
}
