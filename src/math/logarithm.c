/* logarithm: log, log10, and pow by way of the logarithm with 65 digits.
 *
 * x = 2^k z, r = c z - 1 with c from a table, exactly:  log(x) = k ln(2) - log(c) + log(1 + r).
 * Near 1, c = 1 and k = 0, so that nothing cancels. */
#include "elementary.h"

/* What is added up: high is k ln(2) - log(c) to 42 digits after the point, low what that leaves;
 * r + r_low = c z - 1. */
typedef struct parts {
    double high, low, r, r_low;
} parts;

/* For finite x > 0. */
static inline parts take_apart(double x) {
    const uint64_t least = 0x3fe6700000000000u;
    const bool small = x < 0x1p-1022;
    const uint64_t bits = dry_math__bits_of(small ? x * 0x1p52 : x), above = bits - least;
    const int power = (int)(above >> 52),
              k = (power > 2047 ? power - 4096 : power) - (small ? 52 : 0);
    const double *row = dry_math__log_rows((unsigned)(above >> 45) & 127), c = row[0];
    const uint64_t z_bits = bits - (above & 0xfff0000000000000u);
    const double z = dry_math__of_bits(z_bits), n = (double)k;
    const double front = dry_math__of_bits(z_bits & 0xffffffff00000000u);
    const double a = front * c - 1.0, b = (z - front) * c, r = a + b;
    return (parts){n * 0.6931471805598903 + row[1], n * 5.497923018708371e-14 + row[2], r,
                   (a - r) + b};
}

/* log(x) for x that is not finite and positive */
static double log_beyond(double x) {
    if (x == 0.0) return -(double)INFINITY;
    return x > 0.0 || x != x ? x : (x - x) / 0.0;
}

static inline bool is_regular(double x) { return x > 0.0 && x < (double)INFINITY; }

double dry_log(double x) {
    if (!is_regular(x)) return log_beyond(x);
    const parts p = take_apart(x);
    const double sum = p.high + p.r, rest = (p.high - sum) + p.r;
    return sum + ((rest + (p.low + p.r_low)) + p.r * p.r * (-0.5 + p.r * dry_math__log_tail(p.r)));
}

/* log(x) as high + *low, to 2^-65 of it */
static inline double log_more(double x, double *low) {
    const parts p = take_apart(x);
    const double r = p.r, front = dry_math__front(r), half = 0.5 * (front * front); /* exact */
    const double half_low = 0.5 * ((r - front) * (r + front)) + r * p.r_low;
    const double sum = p.high + r, rest = (p.high - sum) + r;
    const double high = sum - half, more = (sum - high) - half;
    const double tail = r * r * r * dry_math__log_tail_more(r);
    const double all = (more + rest) + ((p.low + p.r_low) - half_low) + tail;
    *low = (high - (high + all)) + all;
    return high + all;
}

double dry_log10(double x) {
    if (!is_regular(x)) return log_beyond(x);
    const double per = 0.4342944819032518, per_low = 1.098319650216765e-17;
    double low;
    const double high = log_more(x, &low), p = high * per;
    return p + (dry_math__product_error(high, per, p) + (high * per_low + low * per));
}

/* 0: y is not whole; 1: odd; 2: even */
static inline int wholeness(double y) {
    const uint64_t bits = dry_math__bits_of(y) & 0x7fffffffffffffffu;
    const int exponent = (int)(bits >> 52);
    if (exponent < 1023) return 0;
    if (exponent > 1075) return 2;
    const uint64_t unit = (uint64_t)1 << (1075 - exponent);
    return bits & (unit - 1) ? 0 : bits & unit ? 1 : 2;
}

/* x^y where x is 0 or infinite, or y is infinite, or one is not a number */
static double pow_beyond(double x, double y) {
    if (x != x || y != y) return x + y;
    const double size = fabs(x);
    if (!(fabs(y) < (double)INFINITY))
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
    const double at = (size > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
    return wholeness(y) == 1 ? copysign(at, x) : at;
}

double dry_pow(double x, double y) {
    if (x == 1.0 || y == 0.0) return 1.0;
    if (!(is_regular(fabs(x)) && fabs(y) < (double)INFINITY)) return pow_beyond(x, y);
    const int whole = x < 0.0 ? wholeness(y) : 2;
    if (!whole) return (x - x) / 0.0;
    double low;
    const double high = log_more(fabs(x), &low), sign = whole == 1 ? -1.0 : 1.0;
    const double high_front = dry_math__front(high), y_front = dry_math__front(y);
    const double p = high_front * y_front; /* exact, as far as it can be seen in the result */
    if (!(fabs(p) < 746.0)) return sign * (p > 0.0 ? (double)INFINITY : 0.0);
    const dry_math__power e =
        dry_math__exp_of(p, y * (high - high_front) + (y - y_front) * high_front + y * low);
    return sign * dry_math__scale(e.high + e.low, e.k);
}
