/* source: the text of a model for a reader: its head as prose, its lines marked, its remarks. */
#include "report_private.h"

#include <string.h>

typedef struct line {
    const char *at;
    size_t length; /* without the line's end */
} line;

/* The next line from *rest on; false after the last. */
static bool next_line(const char **rest, const char *end, line *l) {
    if (*rest >= end) return false;
    const char *end_of_line = memchr(*rest, '\n', (size_t)(end - *rest));
    l->at = *rest;
    l->length = (size_t)((end_of_line ? end_of_line : end) - *rest);
    *rest = end_of_line ? end_of_line + 1 : end;
    if (l->length && l->at[l->length - 1] == '\r') l->length--;
    return true;
}

static line find_line(const dry_model *model, int number) {
    size_t length;
    const char *text = dry_model_text(model, &length), *rest = text;
    line l = {text, 0};
    for (int i = 0; i < number; i++)
        if (!next_line(&rest, text + length, &l)) return (line){text, 0};
    return l;
}

/* Where its comment begins, or its end; a # in a string is none. */
static size_t comment_in(line l) {
    bool quoted = false;
    for (size_t i = 0; i < l.length; i++) {
        if (l.at[i] == '"') quoted = !quoted;
        if (l.at[i] == '#' && !quoted) return i;
    }
    return l.length;
}

static bool is_comment(line l) { return l.length && l.at[0] == '#'; }

/* What stands after # and a blank. */
static line inside(line l) {
    const size_t skip = l.length > 1 && l.at[1] == ' ' ? 2 : 1;
    return (line){l.at + skip, l.length - skip};
}

/* ---- the head ---------------------------------------------------------------------------------
 */

typedef enum block { NOTHING, PARAGRAPH, DISPLAY } block;

static void turn_to(block *now, block next, FILE *stream) {
    static const char *const opening[] = {"", "<p>", "<pre class=\"display\">"};
    static const char *const closing[] = {"", "</p>\n", "</pre>\n"};
    if (*now == next) {
        if (next) fputc('\n', stream);
        return;
    }
    fputs(closing[*now], stream);
    fputs(opening[next], stream);
    *now = next;
}

/* What stands `so` is code. */
static void put_words(line l, FILE *stream) {
    while (l.length) {
        const char *tick = memchr(l.at, '`', l.length);
        const size_t before = tick ? (size_t)(tick - l.at) : l.length;
        dry_report__text_of(l.at, before, stream);
        if (!tick) return;
        const char *second = memchr(tick + 1, '`', l.length - before - 1);
        const size_t code = second ? (size_t)(second - tick - 1) : 0;
        if (second) fputs("<code>", stream);
        dry_report__text_of(tick + !!second, second ? code : 1, stream);
        if (second) fputs("</code>", stream);
        const size_t done = before + (second ? code + 2 : 1);
        l = (line){l.at + done, l.length - done};
    }
}

void dry_report__prose(const dry_model *model, FILE *stream) {
    size_t length;
    const char *text = dry_model_text(model, &length), *rest = text;
    line l;
    block now = NOTHING;
    while (next_line(&rest, text + length, &l) && is_comment(l)) {
        const line in = inside(l);
        if (in.length >= 9 && !memcmp(in.at, "refused: ", 9)) continue;
        const bool indented = in.length > 1 && in.at[0] == ' ' && in.at[1] == ' ';
        turn_to(&now, in.length == 0 ? NOTHING : indented ? DISPLAY : PARAGRAPH, stream);
        put_words(in, stream);
    }
    turn_to(&now, NOTHING, stream);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static bool has(line l, size_t code, const char *word) {
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= code; i++)
        if (!memcmp(l.at + i, word, n)) return true;
    return false;
}

static bool is_set(line l, size_t code) {
    bool calls = false;
    for (int i = 0; i < dry_set_count() && !calls; i++) {
        char call[64];
        snprintf(call, sizeof call, "%s(", dry_set_at(i)->name);
        calls = has(l, code, call);
    }
    return calls && (has(l, code, " in ") || has(l, code, "∈"));
}

static void put_source(const char *text, size_t length, FILE *stream) {
    const char *rest = text;
    line l;
    fputs("<pre class=\"source\" tabindex=\"0\"><code>", stream);
    while (next_line(&rest, text + length, &l)) {
        const size_t code = comment_in(l);
        const bool set = is_set(l, code);
        if (set) fputs("<b>", stream);
        dry_report__text_of(l.at, code, stream);
        if (set) fputs("</b>", stream);
        if (code < l.length) {
            fputs("<i>", stream);
            dry_report__text_of(l.at + code, l.length - code, stream);
            fputs("</i>", stream);
        }
        fputc('\n', stream);
    }
    fputs("</code></pre>\n", stream);
}

void dry_report__source(const dry_model *model, FILE *stream) {
    size_t length;
    const char *text = dry_model_text(model, &length), *path;
    put_source(text, length, stream);
    for (int i = 0; (text = dry_model_included(model, i, &path)) != NULL; i++) {
        dry_report__put(stream, "<p>It includes <code>%s</code>:</p>\n", path);
        put_source(text, strlen(text), stream);
    }
}

/* ---- remarks of expectations --------------------------------------------------------------------
 */

void dry_report__remark(const dry_model *model, int number, FILE *stream) {
    const line l = find_line(model, number);
    const size_t code = comment_in(l);
    if (code >= l.length) return;
    const line in = inside((line){l.at + code, l.length - code});
    fputs("<span class=\"remark\">", stream);
    dry_report__text_of(in.at, in.length, stream);
    fputs("</span>", stream);
}

void dry_report__heading(const dry_model *model, int number, const char *opening,
                         const char *closing, FILE *stream) {
    int first = number;
    while (first > 1 && is_comment(find_line(model, first - 1))) first--;
    if (first == number) return;
    fputs(opening, stream);
    for (int i = first; i < number; i++) {
        const line in = inside(find_line(model, i));
        if (i > first) fputc(' ', stream);
        dry_report__text_of(in.at, in.length, stream);
    }
    fputs(closing, stream);
}
