/* elementary: what the elementary functions share: bits of numbers, products and quotients with
 * their rounding errors (Dekker 1971, Knuth 1969), powers of two, reduction of exponents. */
#ifndef DRY_MATH_ELEMENTARY_H
#define DRY_MATH_ELEMENTARY_H

#include "coefficients.h"

#include <drystone/elementary.h>
#include <math.h>

typedef union dry_math__bits {
    double value;
    uint64_t bits;
} dry_math__bits;

DRY_INLINE uint64_t dry_math__bits_of(double x) {
    const dry_math__bits both = {.value = x};
    return both.bits;
}
DRY_INLINE double dry_math__of_bits(uint64_t bits) {
    dry_math__bits both;
    both.bits = bits;
    return both.value;
}

/* 2^n, -1022 <= n <= 1023 */
DRY_INLINE double dry_math__power_of_two(int n) {
    return dry_math__of_bits((uint64_t)(n + 1023) << 52);
}

/* y 2^n, rounded once, for y in (1/2, 2) and |n| <= 2000 */
DRY_INLINE double dry_math__scale(double y, int n) {
    if (n >= -1021 && n <= 1022) return y * dry_math__power_of_two(n);
    const int most = n > 0 ? 1000 : -960, rest = n - most;
    return y * dry_math__power_of_two(most) *
           dry_math__power_of_two(rest < -1022  ? -1022
                                  : rest > 1023 ? 1023
                                                : rest);
}

/* The 26 leading binary digits of x. */
DRY_INLINE double dry_math__front(double x) {
    return dry_math__of_bits(dry_math__bits_of(x) & 0xfffffffff8000000u);
}

/* The error of p = a b rounded: a b - p, to 2^-105 of p */
DRY_INLINE double dry_math__product_error(double a, double b, double p) {
    const double af = dry_math__front(a), al = a - af, bf = dry_math__front(b), bl = b - bf;
    return ((af * bf - p) + (af * bl + al * bf)) + al * bl;
}

/* (a + a_low)/(b + b_low) */
DRY_INLINE double dry_math__quotient(double a, double a_low, double b, double b_low) {
    const double inverse = 1.0 / b, q = a * inverse, p = q * b;
    const double left = ((a - p) - dry_math__product_error(q, b, p)) + (a_low - q * b_low);
    return q + left * inverse;
}

/* e^(x + x_low) = 2^k (high + low) with high one of 2^(i/32), and the same of -(x + x_low). */
typedef struct dry_math__power {
    int k;
    double high, low;
} dry_math__power;

/* x + x_low = (32 k + i) ln(2)/32 + r;  e^r - 1 = r + r^2 even(r^2) + r^3 odd(r^2).  |x| < 750 */
DRY_INLINE dry_math__power dry_math__exp_of(double x, double x_low) {
    const double shift = 6755399441055744.0, /* 1.5 2^52: the sum ends at the point */
        per_32 = 46.16624130844683,          /* 32/ln(2) */
        high = 0.021660849392446835, low = 5.145609244655338e-14;
    const double turns = x * per_32 + shift, n = turns - shift;
    const double r = (x - n * high) - n * low + x_low, square = r * r;
    const int whole = (int)(int32_t)(uint32_t)dry_math__bits_of(turns), i = whole & 31;
    const double *row = dry_math__exp_rows((unsigned)i);
    const double p = r + square * (dry_math__exp_even(square) + r * dry_math__exp_odd(square));
    return (dry_math__power){(whole - i) / 32, row[0], row[1] + row[0] * p};
}

#endif
