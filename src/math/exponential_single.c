/* exponential_single: exp in single precision, for processors that have no double.
 *
 * x = k log 2 + r with |r| <= log(2)/2, exp x = 2^k exp r. log 2 is a number of nine binary
 * digits, whose products with k are exact, less a small one; r has a low part. The series of exp r
 * ends with r^7: what is left of it is below 6e-9. */
#include "elementary.h"

typedef union power {
    uint32_t bits;
    float value;
} power;

/* 2^k of a normal number */
static float power_of_two(int k) {
    const power both = {.bits = (uint32_t)(k + 127) << 23};
    return both.value;
}

float dry_expf(float x) {
    if (x > 88.7228394f) return (float)INFINITY;
    if (!(x > -103.972084f)) return x < 0.0f ? 0.0f : x; /* the last are not numbers */
    const int k = (int)(x * 1.44269504f + (x < 0.0f ? -0.5f : 0.5f)), half = k / 2;
    const float high = x - (float)k * 0.693359375f, low = (float)k * -2.121944400546906e-4f;
    const float r = high - low, rest = (high - r) - low;
    const float series =
        0.5f +
        r * (1.0f / 6.0f +
             r * (1.0f / 24.0f + r * (1.0f / 120.0f + r * (1.0f / 720.0f + r * (1.0f / 5040.0f)))));
    const float y = 1.0f + (r + (r * r * series + rest));
    return y * power_of_two(half) * power_of_two(k - half);
}
