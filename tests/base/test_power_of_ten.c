/* The 128-bit powers of ten against exact big integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/power_of_ten.h"

enum { LIMBS = 48 }; /* 1536 bits: 10^351 2^128 needs 1294 */

typedef struct big {
    uint32_t limb[LIMBS];
} big;

static void multiply(big *b, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

static big times_power(big b, uint32_t base, int n) {
    for (int i = 0; i < n; i++) multiply(&b, base);
    return b;
}

static big from_u128(dry_base__u128 u) {
    big b = {{0}};
    for (int i = 0; i < 4; i++) b.limb[i] = (uint32_t)(u >> (32 * i));
    return b;
}

static int compare(const big *a, const big *b) {
    for (int i = LIMBS - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* Compares u 2^(log2 - 127) with 10^k. */
static int compare_with_power(dry_base__u128 u, int log2, int k) {
    big left = from_u128(u), right = {{1}};
    left = times_power(left, 2, log2 > 127 ? log2 - 127 : 0);
    right = times_power(right, 2, log2 < 127 ? 127 - log2 : 0);
    left = times_power(left, 10, k < 0 ? -k : 0);
    right = times_power(right, 10, k > 0 ? k : 0);
    return compare(&left, &right);
}

static void excess_is_at_most_three(void **state) {
    (void)state;
    for (int k = DRY_BASE__POWER_MIN; k <= DRY_BASE__POWER_MAX; k++) {
        dry_base__u128 g = dry_base__power_of_ten(k);
        int log2 = dry_base__log2_of_power(k);
        assert_int_equal((int)(g >> 127), 1);
        assert_int_equal(compare_with_power(g, log2, k), 1);
        assert_true(compare_with_power(g - 3, log2, k) <= 0);
    }
}

static void log2_is_the_floor(void **state) {
    (void)state;
    dry_base__u128 one = (dry_base__u128)1 << 127;
    for (int k = DRY_BASE__POWER_MIN; k <= DRY_BASE__POWER_MAX; k++) {
        int log2 = dry_base__log2_of_power(k);
        assert_true(compare_with_power(one, log2, k) <= 0);
        assert_int_equal(compare_with_power(one, log2 + 1, k), 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excess_is_at_most_three),
        cmocka_unit_test(log2_is_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
