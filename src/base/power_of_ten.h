/* 10^k to 128 bits, for the text of numbers and back. */
#ifndef DRYSTONE_BASE_POWER_OF_TEN_H
#define DRYSTONE_BASE_POWER_OF_TEN_H

#include <stdint.h>

/* high 2^64 + low; C17 has no such integer on processors of 32 bits. */
typedef struct dry_base__u128 {
    uint64_t high, low;
} dry_base__u128;

enum { DRY_BASE__POWER_MIN = -351, DRY_BASE__POWER_MAX = 350 };

/* A little more than 10^k / 2^(log2 - 127) where log2 = floor(log2(10^k)): the excess is in (0, 3],
 * and 2^127 <= result. DRY_BASE__POWER_MIN <= k <= DRY_BASE__POWER_MAX. */
dry_base__u128 dry_base__power_of_ten(int k);

/* floor(log2(10^k)), for |k| <= 1233. */
static inline int dry_base__log2_of_power(int k) { return (k * 1741647) >> 19; }

/* a b, from the products of their halves: none of the sums overflows. */
static inline dry_base__u128 dry_base__product(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t bottom = a0 * b0, left = a1 * b0 + (bottom >> 32);
    const uint64_t right = a0 * b1 + (uint32_t)left;
    return (dry_base__u128){a1 * b1 + (left >> 32) + (right >> 32), right << 32 | (uint32_t)bottom};
}

static inline dry_base__u128 dry_base__plus(dry_base__u128 u, uint64_t w) {
    const uint64_t low = u.low + w;
    return (dry_base__u128){u.high + (low < w), low};
}

/* The upper 128 of the 192 bits of w g. */
static inline dry_base__u128 dry_base__scale(uint64_t w, dry_base__u128 g) {
    return dry_base__plus(dry_base__product(w, g.high), dry_base__product(w, g.low).high);
}

#endif
