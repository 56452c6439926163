/* random: a small generator for property tests; the same numbers on every computer. */
#ifndef TESTS_MATH_RANDOM_H
#define TESTS_MATH_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state; /* not 0 */
} random_source;

/* xorshift64* (Vigna 2016), the upper 53 bits: uniform in [0, 1) */
static inline double random_unit(random_source *source) {
    uint64_t x = source->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    source->state = x;
    return (double)((x * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static inline double random_between(random_source *source, double low, double high) {
    return low + (high - low) * random_unit(source);
}

/* One of 0 .. n-1. */
static inline int random_index(random_source *source, int n) {
    return (int)(random_unit(source) * n);
}

/* A number of either sign whose magnitude is 10^low .. 10^high, evenly in the exponent. */
static inline double random_magnitude(random_source *source, double low, double high) {
    const double size = pow(10.0, random_between(source, low, high));
    return random_unit(source) < 0.5 ? -size : size;
}

#endif
