/* Reads a decimal number, correctly rounded and independent of the locale.
 *
 * The digits w and the exponent k are multiplied as w 10^k with 128 bits (after D. Lemire, "Number
 * parsing at a gigabyte per second", 2021). If the known error of that product leaves the rounding
 * open, or there are more than 19 digits, strtod decides; it gets an integer with an exponent, a
 * form without the decimal point that depends on the locale. */
#include "power_of_ten.h"
#include <drystone/base.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD_DIGITS = 19,  /* always fit into 64 bits */
    LONG_DIGITS = 800, /* the digits that can decide a rounding are at most 768 */
    EXPONENT_LIMIT = 100000,
    FRACTION_BITS = 52,
    BINARY_MIN = -1022,
    BINARY_MAX = 1023
};

/* w 10^exponent, where w has the first WORD_DIGITS of `digits` digits. */
typedef struct mantissa {
    uint64_t w;
    int64_t digits, exponent;
    const char *begin, *end;
} mantissa;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* digits [. digits] | . digits; end == begin if there is none */
static mantissa scan_mantissa(const char *text) {
    mantissa m = {.begin = text, .end = text};
    bool point = false;
    for (const char *p = text; is_digit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            if (m.end > text) m.end = p + 1;
            continue;
        }
        m.end = p + 1;
        if (m.digits > 0 || *p != '0') m.digits++;
        if (m.digits <= WORD_DIGITS) {
            m.w = 10 * m.w + (uint64_t)(*p - '0');
            m.exponent -= point;
        } else {
            m.exponent += !point;
        }
    }
    return m;
}

/* [e [+|-] digits]; *end after it, or at text if there is none */
static int64_t scan_exponent(const char *text, const char **end) {
    *end = text;
    if (*text != 'e' && *text != 'E') return 0;
    const char *p = text + 1;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!is_digit(*p)) return 0;
    int64_t e = 0;
    for (; is_digit(*p); p++) {
        if (e < INT64_MAX / 100) e = 10 * e + (*p - '0');
    }
    *end = p;
    return negative ? -e : e;
}

/* Rounds V 2^scale to a double, where the true value is in (V - 3, V + 1) 2^scale; false if that
 * leaves two answers. */
static bool round_product(dry_base__u128 V, int scale, double *x) {
    int bits = 128 - __builtin_clzll(V.high);
    int exponent = scale + bits - 1;
    int lost = exponent < BINARY_MIN ? BINARY_MIN - exponent : 0; /* bits of a subnormal */
    if (lost > FRACTION_BITS) return false;
    if (exponent > BINARY_MAX) {
        *x = INFINITY;
        return true;
    }
    int drop = bits - (FRACTION_BITS + 1 - lost) - 64; /* of V.high; V.low goes, too */
    uint64_t half = (uint64_t)1 << (drop - 1), rest = V.high & (2 * half - 1);
    if (rest == half && V.low < 3) return false;
    uint64_t q = (V.high >> drop) + (rest >= half);
    uint64_t word = ((uint64_t)(exponent + lost - BINARY_MIN) << FRACTION_BITS) + q;
    memcpy(x, &word, sizeof *x);
    return true;
}

static bool multiply(uint64_t w, int64_t k, double *x) {
    if (k < DRY_BASE__POWER_MIN || k > DRY_BASE__POWER_MAX) return false;
    int shift = __builtin_clzll(w);
    dry_base__u128 V = dry_base__scale(w << shift, dry_base__power_of_ten((int)k));
    return round_product(V, dry_base__log2_of_power((int)k) - 63 - shift, x);
}

/* The significant digits of m as an integer text; returns the exponent that goes with it. */
static int64_t copy_digits(const mantissa *m, char digits[LONG_DIGITS + 1], size_t *length) {
    size_t n = 0;
    bool more = false;
    for (const char *p = m->begin; p < m->end; p++) {
        if (*p == '.' || (n == 0 && *p == '0')) continue;
        if (n < LONG_DIGITS)
            digits[n++] = *p;
        else
            more |= *p != '0';
    }
    if (more) digits[n++] = '1'; /* stands for all that follow */
    *length = n;
    return m->exponent - ((int64_t)n - (m->digits < WORD_DIGITS ? m->digits : WORD_DIGITS));
}

static double read_long(const mantissa *m, int64_t e) {
    char text[LONG_DIGITS + 16];
    size_t n;
    int64_t exponent = copy_digits(m, text, &n) + e;
    if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
    if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
    snprintf(text + n, sizeof text - n, "e%d", (int)exponent);
    int saved = errno;
    double x = strtod(text, NULL);
    errno = saved;
    return x;
}

static bool read_decimal(const char *text, const char **end, double *x) {
    mantissa m = scan_mantissa(text);
    if (m.end == text) return false;
    int64_t e = scan_exponent(m.end, end);
    *x = 0;
    if (m.w == 0) return true;
    if (m.digits <= WORD_DIGITS && multiply(m.w, m.exponent + e, x)) return true;
    *x = read_long(&m, e);
    return true;
}

/* The length of `word` in any case at text, 0 where something else or a longer word stands there.
 */
static size_t word_at(const char *text, const char *word) {
    size_t n = 0;
    for (; word[n] != '\0'; n++) {
        if ((text[n] | 0x20) != word[n]) return 0;
    }
    char next = (char)(text[n] | 0x20);
    bool longer = (next >= 'a' && next <= 'z') || is_digit(text[n]) || text[n] == '_';
    return longer ? 0 : n;
}

static bool read_word(const char *text, const char **end, double *x) {
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"infinity", INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = word_at(text, words[i].word);
        if (length == 0) continue;
        *end = text + length;
        *x = words[i].value;
        return true;
    }
    return false;
}

bool dry_number_parse(const char *text, const char **end, double *x) {
    double magnitude;
    const char *p = text + (*text == '-' || *text == '+');
    *end = text;
    if (!read_decimal(p, end, &magnitude) && !read_word(p, end, &magnitude)) return false;
    *x = *text == '-' ? -magnitude : magnitude;
    return true;
}
