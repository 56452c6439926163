/* student: quantiles of Student's t.
 *
 * With t = sqrt(nu) tan(q) the probability of |t| <= sqrt(nu) tan(q) is the integral of
 * cos^(nu - 1) from 0 to q over that from 0 to pi/2. */
#include "statistics.h"

#include <math.h>

static const double RIGHT = 1.5707963267948966;

/* The integral of cos^power from 0 to `end`, by Simpson's rule. */
static double area(double power, double end) {
    enum { PARTS = 400 };
    const double h = end / PARTS;
    double sum = 1.0 + pow(fmax(cos(end), 0.0), power);
    for (int i = 1; i < PARTS; i++) sum += (i % 2 ? 4.0 : 2.0) * pow(cos(i * h), power);
    return sum * h / 3.0;
}

double dry_fit__student(double degrees, double inside) {
    const double power = fmax(degrees, 1.0) - 1.0;
    double low = 0.0, high = fmin(RIGHT, 12.0 / sqrt(power + 1e-9)); /* beyond: below 1e-16 */
    const double whole = area(power, high);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (area(power, middle) < inside * whole)
            low = middle;
        else
            high = middle;
    }
    return sqrt(power + 1.0) * tan(0.5 * (low + high));
}
