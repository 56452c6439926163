/* exponential: exp, and sinh, cosh and tanh, which are made of e^x and e^-x. */
#include "elementary.h"

double dry_exp(double x) {
    if (!(fabs(x) < 746.0)) return x > 0.0 ? (double)INFINITY : x < 0.0 ? 0.0 : x;
    const dry_math__power p = dry_math__exp_of(x, 0.0);
    return dry_math__scale(p.high + p.low, p.k);
}

/* e^x/4 and e^-x/4, each as a sum; 0 <= x < 711 */
static void quarters(double x, double up[2], double down[2]) {
    const dry_math__power p = dry_math__exp_of(x, 0.0);
    const double rise = dry_math__power_of_two(p.k - 2);
    up[0] = p.high * rise;
    up[1] = p.low * rise;
    down[0] = down[1] = 0.0;
    if (x > 40.0) return; /* e^-x is less than the rounding of e^x */
    const dry_math__power q = dry_math__exp_of(-x, 0.0);
    const double fall = dry_math__power_of_two(q.k - 2);
    down[0] = q.high * fall;
    down[1] = q.low * fall;
}

double dry_sinh(double x) {
    const double size = fabs(x), square = x * x;
    double up[2], down[2];
    if (size < 1.0) return size < 0x1p-28 ? x : x + x * square * dry_math__sinh_tail(square);
    if (!(size < 710.5)) return x * (double)INFINITY;
    quarters(size, up, down);
    const double high = up[0] - down[0], low = (up[0] - high) - down[0];
    return copysign(2.0 * (high + (low + (up[1] - down[1]))), x);
}

double dry_cosh(double x) {
    const double size = fabs(x);
    double up[2], down[2];
    if (!(size < 710.5)) return size * (double)INFINITY;
    quarters(size, up, down);
    const double high = up[0] + down[0], low = (up[0] - high) + down[0];
    return 2.0 * (high + (low + (up[1] + down[1])));
}

/* (e^2x - 1)/(e^2x + 1) */
double dry_tanh(double x) {
    const double size = fabs(x), square = x * x;
    if (size < 0.5) return size < 0x1p-28 ? x : x + x * square * dry_math__tanh_tail(square);
    if (!(size < 20.0)) return x != x ? x : copysign(1.0, x);
    const dry_math__power p = dry_math__exp_of(2.0 * size, 0.0);
    const double unit = dry_math__power_of_two(p.k), sum = p.high + p.low, e = sum * unit;
    const double rest = ((p.high - sum) + p.low) * unit;
    const double less = e - 1.0, more = e + 1.0;
    return copysign(
        dry_math__quotient(less, ((e - less) - 1.0) + rest, more, ((e - more) + 1.0) + rest), x);
}
