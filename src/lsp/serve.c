/* serve: messages between file descriptors, each after a heading that gives its length. */
#define _POSIX_C_SOURCE 200809L
#include "lsp_private.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct channel {
    int in, out;
    char buffer[1 << 16];
    size_t at, n; /* of the buffer */
    bool ended, failed;
} channel;

/* ---- bytes ---------------------------------------------------------------------------- */

static bool fill(channel *l) {
    if (l->at < l->n) return true;
    ssize_t n;
    do n = read(l->in, l->buffer, sizeof l->buffer);
    while (n < 0 && errno == EINTR);
    l->ended = n <= 0;
    l->failed = l->failed || n < 0;
    l->at = 0;
    l->n = n > 0 ? (size_t)n : 0;
    return !l->ended;
}

/* Returns whether more has come already, so that compiling can wait for it. */
static bool more_waits(const channel *l) {
    struct pollfd input = {.fd = l->in, .events = POLLIN};
    return l->at < l->n || (poll(&input, 1, 0) == 1 && (input.revents & POLLIN));
}

static bool read_bytes(channel *l, char *to, size_t length) {
    while (length > 0 && fill(l)) {
        const size_t n = l->n - l->at < length ? l->n - l->at : length;
        if (to) {
            memcpy(to, l->buffer + l->at, n);
            to += n;
        }
        l->at += n;
        length -= n;
    }
    return length == 0;
}

static bool write_all(int out, const char *bytes, size_t length) {
    while (length > 0) {
        const ssize_t n = write(out, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

static bool send_message(void *user, const char *message, size_t length) {
    const channel *l = user;
    char heading[64];
    const int n = snprintf(heading, sizeof heading, "Content-Length: %zu\r\n\r\n", length);
    return write_all(l->out, heading, (size_t)n) && write_all(l->out, message, length);
}

/* ---- headings ------------------------------------------------------------------------- */

/* Reads a line without its end. Of a long one only the begin is kept. */
static bool read_line(channel *l, char *line, size_t room) {
    size_t n = 0;
    while (fill(l)) {
        const char c = l->buffer[l->at++];
        if (c == '\n') {
            line[n > 0 && line[n - 1] == '\r' ? n - 1 : n] = 0;
            return true;
        }
        if (n + 1 < room) line[n++] = c;
    }
    return false;
}

static bool is_length(const char *line, size_t *length) {
    static const char name[] = "content-length:";
    for (size_t i = 0; name[i]; i++, line++)
        if (name[i] != (*line >= 'A' && *line <= 'Z' ? *line + 32 : *line)) return false;
    while (*line == ' ' || *line == '\t') line++;
    if (*line < '0' || *line > '9') return false;
    for (*length = 0; *line >= '0' && *line <= '9'; line++) {
        if (*length > (SIZE_MAX - 9) / 10) return false;
        *length = *length * 10 + (size_t)(*line - '0');
    }
    return !line[strspn(line, " \t")];
}

/* Reads the lines up to the empty one. Returns false at the end of the input, or if they give no
 * length, because then the begin of the next message is not known. */
static bool read_heading(channel *l, size_t *length) {
    char line[256];
    bool known = false;
    while (read_line(l, line, sizeof line)) {
        if (!line[0] && known) return true;
        if (!line[0]) break;
        if (is_length(line, length)) known = true;
    }
    if (!l->ended) l->failed = true;
    return false;
}

/* ---- serving -------------------------------------------------------------------------- */

/* Returns false at the end of the input. */
static bool serve_one(channel *l, dry_lsp__server *server) {
    size_t length = 0;
    if (!read_heading(l, &length)) return false;
    const bool fits = length <= DRY_LSP_MOST_BYTES;
    char *message = fits ? malloc(length + 1) : NULL;
    if (!message) /* before its bytes come, of which there may be fewer than it says */
        dry_lsp__complain(server, fits ? "there is no memory for a message, which is left out"
                                       : "a message of more than 64 MB is left out");
    if (!read_bytes(l, message, length)) {
        free(message);
        return false;
    }
    if (message) {
        message[length] = 0;
        dry_lsp__take(server, message, length);
    }
    free(message);
    if (!more_waits(l)) dry_lsp__settle(server);
    return !server->left && !server->lost;
}

dry_status dry_lsp_serve(int in, int out, dry_error *error) {
    channel *l = calloc(1, sizeof *l);
    if (!l) return dry_error_set(error, DRY_NO_MEMORY, "there is no memory to serve an editor");
    l->in = in;
    l->out = out;
    dry_lsp__server server = {.send = send_message, .user = l};
    while (serve_one(l, &server)) continue;
    dry_lsp__free(&server);
    const bool failed = l->failed, lost = server.lost;
    free(l);
    if (lost)
        return dry_error_set(error, DRY_IO, "an answer could not be written: the editor left");
    if (failed)
        return dry_error_set(error, DRY_IO,
                             "the input is not a message of an editor: it has a heading without "
                             "Content-Length: start `drystone lsp` from an editor");
    if (server.left && server.closing) return DRY_OK;
    return dry_error_set(error, DRY_RUN_FAILED,
                         server.left ? "the editor left without shutdown"
                                     : "the input ended without exit");
}
