/* error_function: erf, by polynomials: one near 0, and one for each quarter of a unit up to 6. */
#include "elementary.h"

/* erf(c + h) = erf(c) + h (k0 + k1 h + ... + k11 h^11) */
double dry_erf(double x) {
    const double size = fabs(x);
    if (size < 0.5) return x + x * dry_math__erf_near(x * x);
    if (!(size < 6.0)) return x != x ? x : copysign(1.0, x);
    const unsigned i = (unsigned)(4.0 * size) - 2;
    const double *row = dry_math__erf_rows(i), *k = row + 2;
    const double h = size - (0.625 + 0.25 * (double)i), h2 = h * h, h4 = h2 * h2;
    const double first = (k[0] + h * k[1]) + h2 * (k[2] + h * k[3]);
    const double second = (k[4] + h * k[5]) + h2 * (k[6] + h * k[7]);
    const double third = (k[8] + h * k[9]) + h2 * (k[10] + h * k[11]);
    return copysign(row[0] + (row[1] + h * (first + h4 * (second + h4 * third))), x);
}
