/* Texts that grow: what a test compiles, of any length. To be included after unit.h. */
#ifndef DRYSTONE_TESTS_LANG_TEXT_H
#define DRYSTONE_TESTS_LANG_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t n, room;
} text;

static inline void make_room(text *to, size_t n) {
    if (to->n + n + 1 <= to->room) return;
    to->room = 2 * (to->n + n + 1);
    char *larger = malloc(to->room);
    assert_non_null(larger);
    if (to->n > 0) memcpy(larger, to->bytes, to->n);
    free(to->bytes);
    to->bytes = larger;
}

static inline void put_bytes(text *to, const char *bytes, size_t n) {
    make_room(to, n);
    memcpy(to->bytes + to->n, bytes, n);
    to->n += n;
    to->bytes[to->n] = 0;
}

static inline void put(text *to, const char *words) { put_bytes(to, words, strlen(words)); }

/* What is there already is copied, twice as much each time. */
static inline void put_times(text *to, const char *words, int times) {
    const size_t from = to->n, all = strlen(words) * (size_t)times;
    make_room(to, all);
    put(to, words);
    while (to->n - from < all) {
        const size_t there = to->n - from, left = all - there, more = there < left ? there : left;
        memcpy(to->bytes + to->n, to->bytes + from, more);
        to->n += more;
    }
    to->bytes[to->n] = 0;
}

/* `line` for each i of 1 .. n, with i instead of # and i - 1 in that of @ */
static inline void put_each(text *to, const char *line, int n) {
    char number[32];
    for (int i = 1; i <= n; i++)
        for (const char *c = line; *c;) {
            const size_t words = strcspn(c, "#@");
            put_bytes(to, c, words);
            c += words;
            if (!*c) break;
            snprintf(number, sizeof number, "%d", *c++ == '#' ? i : i - 1);
            put(to, number);
        }
}

#endif
