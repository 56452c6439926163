/* 10^k to 128 bits from a table of every 27th power: 10^(27 i + r) = 10^(27 i) 5^r 2^r, and 5^r
 * fits into 64 bits. */
#include "power_of_ten.h"

enum { STRIDE = 27 };

/* ceil(10^k 2^(127 - log2)) */
static const struct {
    uint64_t high, low;
} coarse[] = {
    {0x8049a4ac0c5811ae, 0x205b896d777d6279}, /* 1e-351 */
    {0xcf42894a5dce35ea, 0x52064cac828675ba}, /* 1e-324 */
    {0xa76c582338ed2621, 0xaf2af2b80af6f24f}, /* 1e-297 */
    {0x873e4f75e2224e68, 0x5a7744a6e804a292}, /* 1e-270 */
    {0xda7f5bf590966848, 0xaf39a475506a899f}, /* 1e-243 */
    {0xb080392cc4349dec, 0xbd8d794d96aacfb4}, /* 1e-216 */
    {0x8e938662882af53e, 0x547eb47b7282ee9d}, /* 1e-189 */
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5113}, /* 1e-162 */
    {0xba121a4650e4ddeb, 0x92f34d62616ce414}, /* 1e-135 */
    {0x964e858c91ba2655, 0x3a6a07f8d510f870}, /* 1e-108 */
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c4}, /* 1e-81 */
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b887}, /* 1e-54 */
    {0x9e74d1b791e07e48, 0x775ea264cf55347e}, /* 1e-27 */
    {0x8000000000000000, 0x0000000000000000}, /* 1e0 */
    {0xcecb8f27f4200f3a, 0x0000000000000000}, /* 1e27 */
    {0xa70c3c40a64e6c51, 0x999090b65f67d924}, /* 1e54 */
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a4}, /* 1e81 */
    {0xda01ee641a708de9, 0xe80e6f4820cc9496}, /* 1e108 */
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f90}, /* 1e135 */
    {0x8e41ade9fbebc27d, 0x14588f13be847308}, /* 1e162 */
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fb}, /* 1e189 */
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173693}, /* 1e216 */
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98f}, /* 1e243 */
    {0xf24a01a73cf2dccf, 0xbc633b39673c8ced}, /* 1e270 */
    {0xc3b8358109e84f07, 0x0a862f80ec4700c9}, /* 1e297 */
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d2}, /* 1e324 */
};

static const uint64_t five[STRIDE] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
};

/* The table exceeds the power by less than 1, times 5^r / 2^shift < 2; the cut takes less than 1,
 * which the last line gives back: the excess is in (0, 3]. */
dry_base__u128 dry_base__power_of_ten(int k) {
    int i = (k - DRY_BASE__POWER_MIN) / STRIDE, r = (k - DRY_BASE__POWER_MIN) % STRIDE;
    dry_base__u128 power = {coarse[i].high, coarse[i].low};
    if (r == 0) return dry_base__plus(power, 1);
    /* the product's upper 128 bits, then as many of its lower 64 as leading zeros make room for;
     * 5^r has at least one */
    uint64_t bottom = dry_base__product(power.low, five[r]).low;
    dry_base__u128 top = dry_base__scale(five[r], power);
    int zeros = __builtin_clzll(top.high), rest = 64 - zeros;
    power.high = top.high << zeros | top.low >> rest;
    power.low = top.low << zeros | bottom >> rest;
    return dry_base__plus(power, 1);
}
