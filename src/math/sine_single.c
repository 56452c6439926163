/* sine_single: sin and cos in single precision, for processors that have no double.
 *
 * The digits of 2/pi that count for x, times the digits of x, give the quarter turn and what is
 * left of it as whole numbers, for every x alike (Payne and Hanek 1983); then polynomials in r^2.
 */
#include "elementary.h"

typedef union word {
    float value;
    uint32_t bits;
} word;

typedef struct angle {
    unsigned quarter;
    float r, low;
} angle;

/* |x| = m 2^e with m < 2^24. Of 96 digits of 2/pi, from that of weight 2^(1-e) on, times m the
 * first two are the quarter; what is left, at most half a quarter, is pi/2 times that. For |x| >=
 * 1/2. */
static angle reduce(uint32_t digits) {
    const uint32_t m = (digits & 0x7fffffu) | 0x800000u;
    const unsigned first = (digits >> 23 & 0xff) - 88, at = first / 32, by = first % 32;
    uint32_t w[3];
    for (unsigned i = 0; i < 3; i++)
        w[i] = (uint32_t)(((uint64_t)dry_math__two_over_pi(at + i) << 32 |
                           dry_math__two_over_pi(at + i + 1)) >>
                          (32 - by));
    uint64_t turns = (uint64_t)w[1] * m + ((uint64_t)w[2] * m >> 32);
    turns += (uint64_t)(w[0] * m) << 32;
    const unsigned quarter = (unsigned)((turns + 0x2000000000000000u) >> 62) & 3;
    turns <<= 2;
    const bool over = turns >> 63;
    if (over) turns = 0 - turns;
    uint32_t scale = 96; /* 2^-31 */
    for (; !(turns >> 62); scale--) turns <<= 1;
    const uint32_t r = (uint32_t)((turns >> 32) * 3373259426u >> 32); /* pi/2 2^31 */
    const uint32_t high = (r + 0x40u) & ~(uint32_t)0x7f;
    const word unit = {.bits = (over ? scale | 0x100u : scale) << 23};
    return (angle){quarter, (float)(int32_t)high * unit.value,
                   (float)(int32_t)(r - high) * unit.value};
}

static inline float sine_of(float r, float low) {
    const float z = r * r;
    return r + (r * z * dry_math__sinef(z) + low * (1.0f - 0.5f * z));
}

static inline float cosine_of(float r, float low) {
    const float z = r * r, half = 0.5f * z, w = 1.0f - half;
    return w + (((1.0f - w) - half) + (z * z * dry_math__cosinef(z) - r * low));
}

/* sin(x + shift pi/2) of the number with these digits; sin(-x) = -sin(x), cos(-x) = cos(x) */
static float wave(uint32_t digits, unsigned shift) {
    const uint32_t size = digits & 0x7fffffffu;
    word both = {.bits = size};
    angle a = {0, both.value, 0.0f};
    if (size >= 0x7f800000u) return both.value - both.value;
    if (size > 0x3f490fdau) a = reduce(size); /* pi/4 */
    a.quarter += shift;
    both.value = a.quarter & 1 ? cosine_of(a.r, a.low) : sine_of(a.r, a.low);
    both.bits ^= (uint32_t)(a.quarter & 2) << 30;
    if (!shift) both.bits ^= digits & 0x80000000u;
    return both.value;
}

float dry_sinf(float x) {
    const word both = {.value = x};
    return wave(both.bits, 0);
}

float dry_cosf(float x) {
    const word both = {.value = x};
    return wave(both.bits, 1);
}
