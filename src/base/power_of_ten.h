/* 10^k to 128 bits, for the text of numbers and back. */
#ifndef DRYSTONE_BASE_POWER_OF_TEN_H
#define DRYSTONE_BASE_POWER_OF_TEN_H

#include <stdint.h>

__extension__ typedef unsigned __int128 dry_base__u128;

enum { DRY_BASE__POWER_MIN = -351, DRY_BASE__POWER_MAX = 350 };

/* A little more than 10^k / 2^(log2 - 127) where log2 = floor(log2(10^k)): the excess is in (0, 3],
 * and 2^127 <= result. DRY_BASE__POWER_MIN <= k <= DRY_BASE__POWER_MAX. */
dry_base__u128 dry_base__power_of_ten(int k);

/* floor(log2(10^k)), for |k| <= 1233. */
static inline int dry_base__log2_of_power(int k) { return (k * 1741647) >> 19; }

/* The upper 128 of the 192 bits of w g. */
static inline dry_base__u128 dry_base__scale(uint64_t w, dry_base__u128 g) {
    dry_base__u128 low = (dry_base__u128)w * (uint64_t)g;
    return (dry_base__u128)w * (uint64_t)(g >> 64) + (low >> 64);
}

#endif
