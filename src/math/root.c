/* root: cbrt and hypot. */
#include "elementary.h"

/* |x| = 2^(3 q) m, 1 <= m < 8. y = m^(-1/3) by Newton's method without a quotient; c = m y^2, and
 * one step more for c with the rounding errors of c^3. */
double dry_cbrt(double x) {
    const double size = fabs(x);
    if (!(size > 0.0 && size < (double)INFINITY)) return x;
    const bool small = size < 0x1p-1022;
    const uint64_t bits = dry_math__bits_of(small ? size * 0x1p54 : size);
    const unsigned power =
        (unsigned)(bits >> 52) + 1020 + (small ? 0 : 54); /* 3 divides 2043 + 54 */
    const unsigned j = power % 3;
    const double z = dry_math__of_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    const double start = dry_math__cbrt_start(z), e = 1.0 - z * (start * start * start);
    const double y = (start + start * e * (1.0 / 3.0 + e * (2.0 / 9.0 + e * (14.0 / 81.0)))) *
                     dry_math__cbrt_scale(j);
    const double m = z * (double)(1u << j), c = m * (y * y), square = c * c, cube = square * c;
    const double left = ((m - cube) - dry_math__product_error(square, c, cube)) -
                        c * dry_math__product_error(c, c, square);
    const int q = (int)(power / 3) - 699;
    return copysign((c + left * (y * y) * (1.0 / 3.0)) * dry_math__power_of_two(q), x);
}

/* sqrt(a^2 + b^2), a >= b, the sum of squares with twice the digits */
static inline double length(double a, double b) {
    const double af = dry_math__front(a), bf = dry_math__front(b);
    const double p = af * af, q = bf * bf, sum = p + q;
    const double low = ((p - sum) + q) + ((a + af) * (a - af) + (b + bf) * (b - bf));
    return sqrt(sum + low);
}

double dry_hypot(double x, double y) {
    const double a = fabs(x) > fabs(y) ? fabs(x) : fabs(y),
                 b = fabs(x) > fabs(y) ? fabs(y) : fabs(x);
    if (!(a < (double)INFINITY) || b != b)
        return fabs(x) < (double)INFINITY && fabs(y) < (double)INFINITY ? a
               : x != x && fabs(y) < (double)INFINITY                   ? x
               : y != y && fabs(x) < (double)INFINITY                   ? y
                                                                        : (double)INFINITY;
    if (!(b > a * 0x1p-60)) return a + b;
    if (a > 0x1p500) return 0x1p600 * length(a * 0x1p-600, b * 0x1p-600);
    if (a < 0x1p-400) return 0x1p-600 * length(a * 0x1p600, b * 0x1p600);
    return length(a, b);
}
