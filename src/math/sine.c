/* sine: sin, cos and tan in double precision.
 *
 * x = n pi/2 + r + r_low, |r| <= pi/4; then polynomials in r^2. For |x| < 2^20, pi/2 in three parts
 * whose products with n are exact (Cody and Waite 1980); for larger x, and where x is that near to
 * a multiple of pi/2 that little is left, the digits of 2/pi that count (Payne and Hanek 1983). */
#include "elementary.h"

typedef struct angle {
    int quarter; /* n mod 4 */
    double r, low;
} angle;

/* p = m w 2^(..): the last 192 binary digits of 2/pi times the 53 of x, from `first` on. */
static void multiply(uint64_t m, unsigned first, uint32_t p[6]) {
    const uint32_t upper = (uint32_t)(m >> 32), lower = (uint32_t)m;
    uint32_t w[6];
    uint64_t carry = 0;
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t two = (uint64_t)dry_math__two_over_pi(first / 32 + i) << 32 |
                             dry_math__two_over_pi(first / 32 + i + 1);
        w[i] = (uint32_t)(two >> (32 - first % 32));
    }
    for (int i = 5; i >= 0; i--) {
        carry += (uint64_t)w[i] * lower;
        p[i] = (uint32_t)carry;
        carry >>= 32;
    }
    carry = 0;
    for (int i = 5; i >= 1; i--) {
        carry += (uint64_t)w[i] * upper + p[i - 1];
        p[i - 1] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* (0.f[0] f[1] ...) pi/2 as r + low, where at most 62 digits of f are 0 in front */
static void to_radians(const uint32_t f[5], angle *to) {
    uint64_t upper = (uint64_t)f[0] << 32 | f[1], lower = (uint64_t)f[2] << 32 | f[3];
    int zeros = 0;
    if (upper == 0) upper = lower, lower = (uint64_t)f[4] << 32, zeros = 64;
    for (; !(upper >> 63); zeros++) {
        upper = upper << 1 | lower >> 63;
        lower <<= 1;
    }
    const double high = (double)(upper >> 11) * 0x1p-53;
    const double low = (double)((upper & 0x7ff) << 32 | lower >> 32) * 0x1p-96;
    const double half_pi = 1.5707963267948966, rest = 6.123233995736766e-17;
    const double p = high * half_pi, scale = dry_math__power_of_two(-zeros);
    const double error = dry_math__product_error(high, half_pi, p) + (high * rest + low * half_pi);
    to->r = (p + error) * scale;
    to->low = ((p - (p + error)) + error) * scale;
}

/* For |x| >= 1/2. */
static angle reduce_exactly(double x) {
    const uint64_t bits = dry_math__bits_of(x);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1075; /* |x| = m 2^exponent */
    uint32_t p[6], f[5];
    angle to;
    multiply((bits & 0xfffffffffffffu) | 0x10000000000000u, (unsigned)(exponent + 62), p);
    unsigned n = p[0] >> 30; /* two digits before the point, 190 after it */
    for (int i = 0; i < 5; i++) f[i] = p[i] << 2 | p[i + 1] >> 30;
    const bool over = f[0] >> 31;
    for (int i = 0; over && i < 5; i++) f[i] = ~f[i];
    n += over;
    to_radians(f, &to);
    if (over != (bits >> 63 != 0)) to.r = -to.r, to.low = -to.low;
    to.quarter = (int)(bits >> 63 ? 4 - (n & 3) : n) & 3;
    return to;
}

static inline angle reduce(double x) {
    const double shift = 6755399441055744.0, per_quarter = 0.6366197723675814;
    const double turns = x * per_quarter + shift, n = turns - shift;
    if (!(fabs(x) < 1048576.0)) return reduce_exactly(x);
    const double t = x - n * 1.5707963267341256, by = n * 6.077100506303966e-11, r = t - by;
    const double back = t - r; /* what the difference leaves (Knuth) */
    const double low = ((t - (r + back)) + (back - by)) - n * 2.0222662487959506e-21;
    const double sum = r + low;
    if (fabs(sum) < 0x1p-27) return reduce_exactly(x);
    return (angle){(int)(dry_math__bits_of(turns) & 3), sum, (r - sum) + low};
}

static inline double sine_of(double r, double low) {
    const double z = r * r;
    return r + (r * z * dry_math__sine(z) + low * (1.0 - 0.5 * z));
}

static inline double cosine_of(double r, double low) {
    const double z = r * r, half = 0.5 * z, w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z * z * dry_math__cosine(z) - r * low));
}

static inline bool is_near(double x) { return fabs(x) < 0.7853981633974483; }

double dry_sin(double x) {
    if (is_near(x)) return fabs(x) < 0x1p-27 ? x : sine_of(x, 0.0);
    if (!(fabs(x) < (double)INFINITY)) return x - x;
    const angle a = reduce(x);
    const double y = a.quarter & 1 ? cosine_of(a.r, a.low) : sine_of(a.r, a.low);
    return a.quarter & 2 ? -y : y;
}

double dry_cos(double x) {
    if (is_near(x)) return cosine_of(x, 0.0);
    if (!(fabs(x) < (double)INFINITY)) return x - x;
    const angle a = reduce(x);
    const double y = a.quarter & 1 ? sine_of(a.r, a.low) : cosine_of(a.r, a.low);
    return (a.quarter + 1) & 2 ? -y : y;
}

/* sin/cos, or -cos/sin, each with what its rounding leaves */
double dry_tan(double x) {
    if (!(fabs(x) < (double)INFINITY)) return x - x;
    if (fabs(x) < 0x1p-27) return x;
    const angle a = is_near(x) ? (angle){0, x, 0.0} : reduce(x);
    const double z = a.r * a.r, half = 0.5 * z, w = 1.0 - half;
    const double z_low = dry_math__product_error(a.r, a.r, z);
    const double cube = a.r * z, tail = dry_math__sine(z);
    const double cube_low = dry_math__product_error(a.r, z, cube) + a.r * z_low;
    const double s_rest = cube * tail + (cube_low * tail + a.low * (1.0 - half));
    const double c_rest =
        ((1.0 - w) - half) + (z * z * dry_math__cosine(z) - (a.r * a.low + 0.5 * z_low));
    const double s = a.r + s_rest, s_low = (a.r - s) + s_rest;
    const double c = w + c_rest, c_low = (w - c) + c_rest;
    return a.quarter & 1 ? dry_math__quotient(-c, -c_low, s, s_low)
                         : dry_math__quotient(s, s_low, c, c_low);
}
