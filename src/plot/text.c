/* Text of a picture: UTF-8 made safe to print, superscripts, units, texts cut to a width. */
#include "internal.h"

#include <stdarg.h>
#include <string.h>

/* Reads the `more` bytes that follow a first byte with the bits `code`; 0xFFFD if they do not.
 *
 * */
static uint32_t follow(const char **text, uint32_t code, int more) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const char *s = *text;
    for (int i = 0; i < more; i++, s++) {
        if (((unsigned char)*s & 0xC0) != 0x80) return 0xFFFD;
        code = code << 6 | ((unsigned char)*s & 0x3F);
    }
    *text = s;
    bool surrogate = code >= 0xD800 && code < 0xE000;
    bool control = code < 0xA0 || code == 0xFFFE || code == 0xFFFF;
    return code < least[more] || surrogate || control || code > 0x10FFFF ? 0xFFFD : code;
}

uint32_t dry_plot__decode(const char **text) {
    unsigned char c = (unsigned char)**text;
    if (c == 0) return 0;
    ++*text;
    if (c < 0x80) return c < 0x20 || c == 0x7F ? 0xFFFD : c;
    if ((c & 0xE0) == 0xC0) return follow(text, c & 0x1F, 1);
    if ((c & 0xF0) == 0xE0) return follow(text, c & 0x0F, 2);
    if ((c & 0xF8) == 0xF0) return follow(text, c & 0x07, 3);
    return 0xFFFD;
}

int dry_plot__encode(uint32_t code, char bytes[5]) {
    static const uint32_t end[] = {0x80, 0x800, 0x10000}, lead[] = {0, 0xC0, 0xE0, 0xF0};
    int more = 0;
    while (more < 3 && code >= end[more]) more++;
    bytes[0] = (char)(lead[more] | code >> 6 * more);
    for (int i = 1; i <= more; i++) bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
    bytes[more + 1] = 0;
    return more + 1;
}

static const struct {
    uint32_t code, plain;
    int rise;
} raised[] = {
    {0xB2, '2', 1}, {0xB3, '3', 1}, {0xB9, '1', 1}, {0x207A, '+', 1}, {0x207B, 0x2212, 1}};

uint32_t dry_plot__plain(uint32_t code, int *rise) {
    *rise = 0;
    if (code > DRY_PLOT__LOWERED && code < DRY_PLOT__LOWERED + 0x80) {
        *rise = -1;
        return code - DRY_PLOT__LOWERED;
    }
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
        if (raised[i].code == code) {
            *rise = raised[i].rise;
            return raised[i].plain;
        }
    bool super = code >= 0x2070 && code <= 0x2079, sub = code >= 0x2080 && code <= 0x2089;
    if (!super && !sub) return code;
    *rise = super ? 1 : -1;
    return '0' + (code & 15);
}

static uint32_t superscript(char c) {
    static const uint32_t digit[] = {0x2070, 0xB9,   0xB2,   0xB3,   0x2074,
                                     0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
    if (c == '-') return 0x207B;
    return c >= '0' && c <= '9' ? digit[c - '0'] : 0;
}

/* Copies a run such as "-3" as superscripts; returns the end of `out`. */
static char *raise_run(const char **s, char *out) {
    for (uint32_t code; (code = superscript(**s)) != 0; ++*s) out += dry_plot__encode(code, out);
    return out;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The prefix of "um": no unit begins with u. */
static bool is_micro(const char *unit, const char *s) {
    return *s == 'u' && is_letter(s[1]) && (s == unit || !is_letter(s[-1]));
}

/* Whether a power is a whole number; others cannot be raised, because Unicode has no raised point.
 */
static bool is_whole(const char *power) {
    power += *power == '-';
    const size_t n = strspn(power, "0123456789");
    return n > 0 && power[n] != '.';
}

char *dry_plot_unit(dry_arena *arena, const char *unit) {
    char *text = dry_arena_take(arena, 3 * strlen(unit) + 5), *out = text;
    if (!text) return NULL;
    for (const char *s = unit; *s;) {
        if (is_micro(unit, s)) {
            out += dry_plot__encode(0xB5, out);
            s++;
        } else if (*s == '^' && is_whole(s + 1)) {
            s++;
            out = raise_run(&s, out);
        } else if (*s == '*') {
            out += dry_plot__encode(0xB7, out);
            s++;
        } else {
            *out++ = *s++;
        }
    }
    *out = 0;
    return text;
}

/* ---- mathematics --------------------------------------------------------------------------- */

static bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static char *lower(const char *from, size_t n, char *out) {
    for (size_t i = 0; i < n; i++)
        out += dry_plot__encode(DRY_PLOT__LOWERED + (unsigned char)from[i], out);
    return out;
}

/* The length of an index such as [12]; 0 for other brackets. */
static size_t index_length(const char *s) {
    size_t n = *s == '[';
    while (n && is_digit(s[n])) n++;
    return n > 1 && s[n] == ']' ? n + 1 : 0;
}

/* A name with dots is that of a part, or of a member of a force; it and its index stay. */
static char *copy_dotted(const char **s, char *out) {
    while (is_in_name(**s) || **s == '.') *out++ = *(*s)++;
    for (size_t n = index_length(*s); n > 0; n--) *out++ = *(*s)++;
    return out;
}

/* A name: its letter, and its index lowered. */
static char *write_name(const char **s, char *out) {
    char name[64];
    const char *index;
    size_t n = 0, stem;
    while (is_in_name((*s)[n])) n++;
    if ((*s)[n] == '.' && is_letter((*s)[n + 1])) return copy_dotted(s, out);
    if (n >= sizeof name || (*s)[n] == '(') { /* a function keeps its name */
        memcpy(out, *s, n);
        *s += n;
        return out + n;
    }
    memcpy(name, *s, n);
    name[n] = 0;
    stem = dry_symbol_stem(name, &index);
    const char *letter = dry_symbol_greek(name, stem);
    const size_t length = letter ? strlen(letter) : stem;
    memcpy(out, letter ? letter : name, length);
    out = lower(index, strlen(index), out + length);
    *s += n;
    const size_t entry = index_length(*s);
    if (entry && *index) out = lower(",", 1, out);
    if (entry) out = lower(*s + 1, entry - 2, out);
    *s += entry;
    return out;
}

static char *write_sign(const char **s, char *out) {
    const char c = *(*s)++;
    if (c == '^' && is_whole(*s)) return raise_run(s, out);
    const uint32_t code = c == '*' ? 0xB7 : c == '-' ? 0x2212 : (unsigned char)c;
    if (c == '*' || c == '-') return out + dry_plot__encode(code, out);
    *out++ = c;
    return out;
}

char *dry_plot_math(dry_arena *arena, const char *text) {
    char *all = dry_arena_take(arena, 4 * strlen(text) + 8), *out = all;
    if (!all) return NULL;
    for (const char *s = text; *s;) {
        if (is_letter(*s))
            out = write_name(&s, out);
        else if (is_digit(*s) || *s == '.') /* a number: 1e5 is not a name */
            while (is_in_name(*s) || *s == '.') *out++ = *s++;
        else
            out = write_sign(&s, out);
    }
    *out = 0;
    return all;
}

void dry_plot__power(int exponent, char text[32]) {
    char number[16];
    const char *s = number;
    snprintf(number, sizeof number, "%d", exponent);
    int n = snprintf(text, 32, "×10");
    raise_run(&s, text + n);
}

char *dry_plot__print(dry_arena *arena, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    char *text = n < 0 ? NULL : dry_arena_take(arena, (size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

/* The unit at the end of `name [unit]`, with its bracket; "" if there is none. */
static const char *unit_at_end(const char *text) {
    const char *bracket = strrchr(text, '[');
    return bracket && bracket > text && text[strlen(text) - 1] == ']' ? bracket - 1 : "";
}

/* Where the character at a byte begins. */
static size_t begin_of(const char *text, size_t n) {
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
    return n;
}

/* The first n bytes of the text, what stands for the rest, and the unit. */
static void cut_at(char *cut, const char *text, size_t n, const char *tail, size_t m) {
    memcpy(cut, text, n);
    memcpy(cut + n, "…", 3);
    memcpy(cut + n + 3, tail, m);
}

char *dry_plot__elide(dry_arena *arena, const char *text, double most, dry_plot__measure measure) {
    const char *tail = unit_at_end(text);
    size_t n = strlen(text) - strlen(tail), m = strlen(tail) + 1;
    char *cut = dry_arena_take(arena, n + m + 3);
    if (!cut) return NULL;
    memcpy(cut, text, n + m);
    if (n == 0 || measure(cut) <= most) return cut;
    size_t fits = 0; /* with so many bytes, and all that is shorter */
    for (size_t too_long = n; too_long - fits > 1;) { /* the width grows with the text */
        const size_t middle = begin_of(text, fits + (too_long - fits) / 2);
        if (middle == fits) break;
        cut_at(cut, text, middle, tail, m);
        *(measure(cut) <= most ? &fits : &too_long) = middle;
    }
    cut_at(cut, text, fits, tail, m);
    return cut;
}
