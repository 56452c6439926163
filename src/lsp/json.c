/* json: reads and writes the texts of JSON (json.h). */
#include "json.h"

#include <string.h>

enum { DEEPEST = 100 };

typedef struct reader {
    const char *at, *end;
    dry_arena *arena;
    int depth;
} reader;

static bool read_value(reader *r, dry_json *value);

/* ---- characters ----------------------------------------------------------------------- */

int dry_lsp__utf8(const char *c, const char *end) {
    const unsigned char a = (unsigned char)*c;
    const int n = a < 0x80 ? 1 : a < 0xC2 ? 0 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 0;
    if (!n || end - c < n) return 0;
    for (int i = 1; i < n; i++)
        if (((unsigned char)c[i] & 0xC0) != 0x80) return 0;
    const unsigned char b = n > 1 ? (unsigned char)c[1] : 0;
    const bool wrong = (a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) ||
                       (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F);
    return wrong ? 0 : n; /* too long, a surrogate, or beyond U+10FFFF */
}

/* Appends the character in UTF-8; one that is none as U+FFFD. */
static char *append(char *to, unsigned long c) {
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(first[more] | (c >> (6 * more)));
    for (int i = more - 1; i >= 0; i--) *to++ = (char)(0x80 | ((c >> (6 * i)) & 0x3F));
    return to;
}

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads the four digits after \u. */
static bool read_unit(reader *r, unsigned long *unit) {
    if (r->end - r->at < 4) return false;
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        const int digit = hex(*r->at++);
        if (digit < 0) return false;
        *unit = *unit * 16 + (unsigned long)digit;
    }
    return true;
}

/* Reads what follows \u, of a surrogate pair both. */
static bool read_escaped_unit(reader *r, char **to) {
    unsigned long c, low;
    if (!read_unit(r, &c)) return false;
    const char *after = r->at;
    if (c >= 0xD800 && c < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        if (!read_unit(r, &low)) return false;
        if (low >= 0xDC00 && low < 0xE000)
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        else
            r->at = after; /* half of a pair: the other unit is a character of its own */
    }
    *to = append(*to, c);
    return true;
}

static bool read_escape(reader *r, char **to) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) return false;
    const char c = *r->at++;
    if (c == 'u') return read_escaped_unit(r, to);
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter) return false;
    *(*to)++ = meant[letter - letters];
    return true;
}

/* ---- values --------------------------------------------------------------------------- */

static void skip_blanks(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool accept(reader *r, char c) {
    skip_blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

/* Returns the closing quotation mark, NULL if there is none. */
static const char *find_quote(const reader *r) {
    for (const char *c = r->at; c < r->end; c++) {
        if (*c == '"') return c;
        if (*c == '\\') c++;
    }
    return NULL;
}

/* A byte becomes at most three, U+FFFD, as does an escape of six. */
static bool read_text(reader *r, const char **text, size_t *length) {
    const char *quote = find_quote(r);
    if (!quote) return false;
    size_t room = 1;
    for (const char *c = r->at; c < quote; c++) room += (unsigned char)*c < 0x80 ? 1 : 3;
    char *to = dry_arena_take(r->arena, room);
    if (!to) return false;
    *text = to;
    while (r->at < quote) {
        const int n = dry_lsp__utf8(r->at, quote);
        if ((unsigned char)*r->at < 32) return false;
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, &to)) return false;
        } else if (n) {
            memcpy(to, r->at, (size_t)n);
            to += n;
            r->at += n;
        } else {
            to = append(to, 0xFFFD);
            r->at++;
        }
    }
    *length = (size_t)(to - *text);
    r->at = quote + 1;
    return true;
}

static bool read_number(reader *r, dry_json *value) {
    const char *from = r->at;
    while (r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at)) r->at++;
    value->kind = DRY_JSON_NUMBER;
    value->length = (size_t)(r->at - from);
    value->text = dry_arena_text(r->arena, from, value->length);
    const char *end = value->text;
    return value->text && (*from == '-' || (*from >= '0' && *from <= '9')) &&
           dry_number_parse(value->text, &end, &value->number) && !*end;
}

static bool read_word(reader *r, dry_json *value) {
    static const struct {
        const char *text;
        dry_json_kind kind;
    } words[] = {{"null", DRY_JSON_NULL}, {"false", DRY_JSON_FALSE}, {"true", DRY_JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].text);
        if ((size_t)(r->end - r->at) < n || memcmp(r->at, words[i].text, n) != 0) continue;
        r->at += n;
        value->kind = words[i].kind;
        return true;
    }
    return false;
}

static bool read_key(reader *r, dry_json *value) {
    size_t length;
    return accept(r, '"') && read_text(r, &value->key, &length) && accept(r, ':');
}

static bool read_members(reader *r, dry_json *value, char end) {
    dry_json **last = &value->first;
    if (accept(r, end)) return true;
    do {
        dry_json *member = dry_arena_take(r->arena, sizeof *member);
        if (!member || (value->kind == DRY_JSON_OBJECT && !read_key(r, member)) ||
            !read_value(r, member))
            return false;
        *last = member;
        last = &member->next;
    } while (accept(r, ','));
    return accept(r, end);
}

static bool read_value(reader *r, dry_json *value) {
    skip_blanks(r);
    if (r->at == r->end) return false;
    if (*r->at == '"') {
        r->at++;
        value->kind = DRY_JSON_TEXT;
        return read_text(r, &value->text, &value->length);
    }
    if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) return read_number(r, value);
    if (*r->at != '{' && *r->at != '[') return read_word(r, value);
    if (++r->depth > DEEPEST) return false;
    const bool object = *r->at++ == '{';
    value->kind = object ? DRY_JSON_OBJECT : DRY_JSON_LIST;
    const bool good = read_members(r, value, object ? '}' : ']');
    r->depth--;
    return good;
}

const dry_json *dry_lsp__json_read(dry_arena *arena, const char *text, size_t length) {
    reader r = {.at = text, .end = text + length, .arena = arena};
    dry_json *value = dry_arena_take(arena, sizeof *value);
    if (!value || !read_value(&r, value)) return NULL;
    skip_blanks(&r);
    return r.at == r.end && !dry_arena_failed(arena) ? value : NULL;
}

/* ---- members -------------------------------------------------------------------------- */

const dry_json *dry_lsp__json_get(const dry_json *object, const char *key) {
    if (!object || object->kind != DRY_JSON_OBJECT) return NULL;
    for (const dry_json *member = object->first; member; member = member->next)
        if (!strcmp(member->key, key)) return member;
    return NULL;
}

const char *dry_lsp__json_text(const dry_json *object, const char *key) {
    const dry_json *member = dry_lsp__json_get(object, key);
    return member && member->kind == DRY_JSON_TEXT ? member->text : NULL;
}

int dry_lsp__json_int(const dry_json *object, const char *key, int otherwise) {
    const dry_json *member = dry_lsp__json_get(object, key);
    if (!member || member->kind != DRY_JSON_NUMBER) return otherwise;
    if (!(member->number > 0.0)) return 0;
    return member->number < 2147483647.0 ? (int)member->number : 2147483647;
}

/* ---- writing -------------------------------------------------------------------------- */

void dry_lsp__json_put_n(FILE *stream, const char *text, size_t length) {
    const char *end = text + length;
    putc('"', stream);
    for (const char *c = text; c < end;) {
        const int n = dry_lsp__utf8(c, end);
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", stream);
        else if ((unsigned char)*c < 32 || *c == 127)
            fprintf(stream, "\\u%04x", (unsigned)*c);
        else if (n)
            fwrite(c, 1, (size_t)n, stream);
        else
            fputs("\xEF\xBF\xBD", stream);
        c += n ? n : 1;
    }
    putc('"', stream);
}

void dry_lsp__json_put(FILE *stream, const char *text) {
    dry_lsp__json_put_n(stream, text, strlen(text));
}

void dry_lsp__json_put_id(FILE *stream, const dry_json *id) {
    if (id && id->kind == DRY_JSON_TEXT)
        dry_lsp__json_put_n(stream, id->text, id->length);
    else if (id && id->kind == DRY_JSON_NUMBER)
        fputs(id->text, stream);
    else
        fputs("null", stream);
}
