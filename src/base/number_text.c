/* The shortest decimal text of a double that reads back as the same double.
 *
 * Schubfach: R. Giulietti, "The Schubfach way to render doubles", 2021. A double v = c 2^q is the
 * only one in its rounding interval. With 10^k <= width of the interval < 10^(k+1), the interval
 * holds at most one multiple of 10^(k+1), the shortest, and at least one of 10^k, of which the one
 * closest to v is taken. Giulietti's proof allows a power of ten an excess in (0, 4] of 128 bits.
 */
#include "power_of_ten.h"
#include <drystone/base.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    FRACTION_BITS = 52,
    EXPONENT_MAX = 2047,
    EXPONENT_BIAS = 1075, /* v = c 2^(exponent - 1075) with c an integer */
    PLAIN_MIN = -4,       /* decimal exponents written without e */
    PLAIN_MAX = 20
};

/* digits 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* floor(g cp / 2^128), its last bit set where something was cut ("round to odd"). */
static uint64_t round_to_odd(dry_base__u128 g, uint64_t cp) {
    dry_base__u128 y = dry_base__scale(cp, g);
    return y.high | (y.low > 1);
}

/* The four times scaled interval [lower, upper] around 4 s <= v < 4 (s + 1), in units of 10^k. */
static decimal choose(uint64_t lower, uint64_t v, uint64_t upper, int k) {
    uint64_t s = v / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up) return (decimal){tens + up, k + 1};
    }
    bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up) return (decimal){s + up, k};
    uint64_t middle = 4 * s + 2;
    return (decimal){s + (v > middle || (v == middle && s % 2 != 0)), k};
}

/* The shortest decimal in the rounding interval of c 2^q; below a power of two it is narrower. */
static decimal shortest(uint64_t c, int q, bool power_of_two) {
    bool odd = c % 2 != 0; /* the ends of the interval round to even */
    int k = (q * 1262611 - (power_of_two ? 524031 : 0)) >> 22;
    int h = q + dry_base__log2_of_power(-k) + 1;
    dry_base__u128 g = dry_base__power_of_ten(-k);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + power_of_two) << h);
    uint64_t middle = round_to_odd(g, (4 * c) << h);
    uint64_t upper = round_to_odd(g, (4 * c + 2) << h);
    return choose(lower + odd, middle, upper - odd, k);
}

static decimal strip_zeros(decimal d) {
    static const struct {
        uint64_t divisor;
        int zeros;
    } steps[] = {{100000000, 8}, {10000, 4}, {100, 2}, {10, 1}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        while (d.digits % steps[i].divisor == 0) {
            d.digits /= steps[i].divisor;
            d.exponent += steps[i].zeros;
        }
    }
    return d;
}

/* Of a positive finite number given by its bits. */
static decimal decimal_of(uint64_t fraction, int exponent) {
    uint64_t c = exponent == 0 ? fraction : fraction | (uint64_t)1 << FRACTION_BITS;
    int q = (exponent == 0 ? 1 : exponent) - EXPONENT_BIAS;
    bool integer = -FRACTION_BITS <= q && q <= 0 && (c & (((uint64_t)1 << -q) - 1)) == 0;
    if (integer) return strip_zeros((decimal){c >> -q, 0});
    return strip_zeros(shortest(c, q, fraction == 0 && exponent > 1));
}

/* The digits of u at text; returns their number. */
static int put_digits(uint64_t u, char *text) {
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char buffer[20];
    int at = (int)sizeof buffer;
    for (; u >= 10; u /= 100) {
        at -= 2;
        memcpy(buffer + at, pairs + 2 * (u % 100), 2);
    }
    if (u > 0) buffer[--at] = (char)('0' + u);
    int length = (int)sizeof buffer - at;
    memcpy(text, buffer + at, (size_t)length);
    return length;
}

/* 0.00123: `zeros` of them after the point. */
static int put_fraction(const char *digits, int n, int zeros, char *text) {
    memcpy(text, "0.", 2);
    memset(text + 2, '0', (size_t)zeros);
    memcpy(text + 2 + zeros, digits, (size_t)n);
    return 2 + zeros + n;
}

/* 123.45 or 12300: `whole` digits before the point. */
static int put_plain(const char *digits, int n, int whole, char *text) {
    if (n <= whole) {
        memcpy(text, digits, (size_t)n);
        memset(text + n, '0', (size_t)(whole - n));
        return whole;
    }
    memcpy(text, digits, (size_t)whole);
    text[whole] = '.';
    memcpy(text + whole + 1, digits + whole, (size_t)(n - whole));
    return n + 1;
}

/* 1.2345e-7 */
static int put_scientific(const char *digits, int n, int exponent, char *text) {
    int at = put_plain(digits, n, 1, text);
    text[at++] = 'e';
    if (exponent < 0) text[at++] = '-';
    return at + put_digits((uint64_t)(exponent < 0 ? -exponent : exponent), text + at);
}

static int put_decimal(decimal d, char *text) {
    char digits[20];
    int n = put_digits(d.digits, digits);
    int exponent = d.exponent + n - 1;
    if (exponent < PLAIN_MIN || exponent > PLAIN_MAX)
        return put_scientific(digits, n, exponent, text);
    if (exponent < 0) return put_fraction(digits, n, -exponent - 1, text);
    return put_plain(digits, n, exponent + 1, text);
}

static int put_word(const char *word, char *text) {
    size_t length = strlen(word);
    memcpy(text, word, length);
    return (int)length;
}

static int put_magnitude(uint64_t fraction, int exponent, char *text) {
    if (exponent == EXPONENT_MAX) return put_word("inf", text);
    if (exponent == 0 && fraction == 0) return put_word("0", text);
    return put_decimal(decimal_of(fraction, exponent), text);
}

int dry_number_text(double x, char text[DRY_NUMBER_SIZE]) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    int exponent = (int)(bits >> FRACTION_BITS) & EXPONENT_MAX;
    int length = 0;
    if (exponent == EXPONENT_MAX && fraction != 0) {
        length = put_word("nan", text);
    } else {
        if (bits >> 63 != 0) text[length++] = '-';
        length += put_magnitude(fraction, exponent, text + length);
    }
    text[length] = '\0';
    return length;
}

/* Any character that is not part of a number is the locale's point, of one byte or more. */
int dry_number_rounded(double x, int digits, char text[DRY_NUMBER_SIZE]) {
    char raw[2 * DRY_NUMBER_SIZE];
    int length = 0;
    bool in_point = false;
    snprintf(raw, sizeof raw, "%.*g", digits < 17 ? digits : 17, x);
    for (const char *c = raw; *c != '\0'; c++) {
        const bool point = strchr("0123456789+-einfa", *c) == NULL;
        if (!point || !in_point) text[length++] = point ? '.' : *c;
        in_point = point;
    }
    text[length] = '\0';
    return length;
}
