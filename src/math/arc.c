/* arc: asin, acos, atan and atan2.
 *
 * atan(t) = atan(c) + atan((t - c)/(1 + c t)) with c = 0, 1/2, 1, 2 or infinity, such that the
 * second argument is below 7/16; asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2)) above 1/2; then
 * polynomials. */
#include "elementary.h"

enum { HALF_PI = 3 }; /* its row among those of atan */

static inline double half_pi(void) { return dry_math__atan_rows(HALF_PI)[0]; }
static inline double half_pi_low(void) { return dry_math__atan_rows(HALF_PI)[1]; }

/* atan(y/x) as a sum of two numbers; x > 0, y >= 0 */
static inline double quotient_arc(double y, double x, double *low) {
    if (y < 0.4375 * x) {
        const double inverse = 1.0 / x, t = y * inverse, p = t * x, z = t * t;
        const double rest = ((y - p) - dry_math__product_error(t, x, p)) * inverse;
        *low = t * z * dry_math__atan_tail(z) + rest * (1.0 - z * (1.0 - z));
        return t;
    }
    const unsigned i = y < 0.75 * x ? 0 : y < 1.25 * x ? 1 : y < 2.5 * x ? 2 : 3;
    const double c = i == 0 ? 0.5 : i == 1 ? 1.0 : 2.0;
    const double up = i == HALF_PI ? -x : y - c * x, down = i == HALF_PI ? y : x + c * y;
    const double back = down - x,
                 down_low = i == HALF_PI ? 0.0 : (x - (down - back)) + (c * y - back);
    const double inverse = 1.0 / down, t = up * inverse, p = t * down, z = t * t;
    const double left = ((up - p) - dry_math__product_error(t, down, p)) - t * down_low;
    const double *row = dry_math__atan_rows(i);
    *low = t + (left * inverse + (row[1] + t * z * dry_math__atan_tail(z)));
    return row[0];
}

double dry_atan(double x) {
    const double size = fabs(x), z = x * x;
    double low;
    if (size < 0.4375) return size < 0x1p-27 ? x : x + x * z * dry_math__atan_tail(z);
    if (!(size < 0x1p55)) return x != x ? x : copysign(half_pi(), x);
    const double high = quotient_arc(size, 1.0, &low);
    return copysign(high + low, x);
}

/* y/x where one of them is far larger, or 0, or infinite: |atan2| of sizes */
static double far_arc(double y, double x, bool back) {
    const bool both = !(x < (double)INFINITY) && !(y < (double)INFINITY);
    if (both) return back ? 3.0 * (0.5 * half_pi()) : 0.5 * half_pi();
    if (y > x) return half_pi();
    return back ? 2.0 * half_pi() : y == 0.0 ? 0.0 : y / x;
}

double dry_atan2(double y, double x) {
    if (x != x || y != y) return x + y;
    double down = fabs(x), up = fabs(y), low;
    const bool back = dry_math__bits_of(x) >> 63;
    if (!(up < down * 0x1p60 && down < up * 0x1p60)) return copysign(far_arc(up, down, back), y);
    const double unit = up + down > 0x1p1000 ? 0x1p-100 : up + down < 0x1p-800 ? 0x1p400 : 1.0;
    down *= unit, up *= unit;
    const double high = quotient_arc(up, down, &low);
    if (!back) return copysign(high + low, y);
    const double sum = 2.0 * half_pi() - high, rest = (2.0 * half_pi() - sum) - high;
    return copysign(sum + (rest + (2.0 * half_pi_low() - low)), y);
}

/* asin(sqrt(z)) as a sum, for z = (1 - |x|)/2 */
static inline double root_arc(double z, double *low) {
    const double s = sqrt(z);
    if (!(s > 0.0)) return *low = 0.0, 0.0;
    const double square = s * s, rest = ((z - square) - dry_math__product_error(s, s, square));
    *low = rest * 0.5 / s + s * z * dry_math__asin_tail(z);
    return s;
}

double dry_asin(double x) {
    const double size = fabs(x), square = x * x;
    double low;
    if (size < 0.5) return size < 0x1p-27 ? x : x + x * square * dry_math__asin_tail(square);
    if (!(size <= 1.0)) return (x - x) / 0.0;
    const double s = root_arc(0.5 - 0.5 * size, &low);
    const double high = half_pi() - 2.0 * s, rest = (half_pi() - high) - 2.0 * s;
    return copysign(high + (rest + (half_pi_low() - 2.0 * low)), x);
}

double dry_acos(double x) {
    const double size = fabs(x), square = x * x;
    double low;
    if (size < 0.5) {
        const double high = half_pi() - x, rest = (half_pi() - high) - x;
        return high + (rest + (half_pi_low() - x * square * dry_math__asin_tail(square)));
    }
    if (!(size <= 1.0)) return (x - x) / 0.0;
    const double s = root_arc(0.5 - 0.5 * size, &low);
    if (x > 0.0) return 2.0 * (s + low);
    const double high = 2.0 * half_pi() - 2.0 * s, rest = (2.0 * half_pi() - high) - 2.0 * s;
    return high + (rest + 2.0 * (half_pi_low() - low));
}
