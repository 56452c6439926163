/* The 128-bit powers of ten against exact big integers. */
#include "unit.h"

#include <string.h>

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
    for (int i = 0; i < 2; i++) {
        b.limb[i] = (uint32_t)(u.low >> (32 * i));
        b.limb[2 + i] = (uint32_t)(u.high >> (32 * i));
    }
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
        const dry_base__u128 less = {g.high - (g.low < 3), g.low - 3};
        assert_int_equal((int)(g.high >> 63), 1);
        assert_int_equal(compare_with_power(g, log2, k), 1);
        at_most(compare_with_power(less, log2, k), 0);
    }
}

static void log2_is_the_floor(void **state) {
    (void)state;
    dry_base__u128 one = {(uint64_t)1 << 63, 0};
    for (int k = DRY_BASE__POWER_MIN; k <= DRY_BASE__POWER_MAX; k++) {
        int log2 = dry_base__log2_of_power(k);
        at_most(compare_with_power(one, log2, k), 0);
        assert_int_equal(compare_with_power(one, log2 + 1, k), 1);
    }
}

/* a b, one bit of b after the other. */
static dry_base__u128 slow_product(uint64_t a, uint64_t b) {
    dry_base__u128 sum = {0, 0};
    for (int i = 63; i >= 0; i--) {
        sum = (dry_base__u128){sum.high << 1 | sum.low >> 63, sum.low << 1};
        if (!(b >> i & 1)) continue;
        sum.low += a;
        sum.high += sum.low < a;
    }
    return sum;
}

static void check_product(uint64_t a, uint64_t b) {
    const dry_base__u128 fast = dry_base__product(a, b), slow = slow_product(a, b);
    if (fast.high != slow.high || fast.low != slow.low)
        fail_msg("%llx %llx", (unsigned long long)a, (unsigned long long)b);
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 whole = (unsigned __int128)a * b;
    assert_int_equal(fast.high, (uint64_t)(whole >> 64));
    assert_int_equal(fast.low, (uint64_t)whole);
#endif
}

/* Carries between the halves, and numbers as they come. */
static void products_have_all_their_bits(void **state) {
    (void)state;
    static const uint64_t edges[] = {0,
                                     1,
                                     0xffffffff,
                                     0x100000000,
                                     0x100000001,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     0xffffffff00000000,
                                     0xffffffffffffffff};
    enum { EDGES = sizeof edges / sizeof *edges };
    for (int i = 0; i < EDGES; i++)
        for (int k = 0; k < EDGES; k++) check_product(edges[i], edges[k]);
    uint64_t a = 1, b = 3;
    for (int i = 0; i < 100000; i++) {
        a = a * 6364136223846793005u + 1442695040888963407u;
        b = b * 2862933555777941757u + 3037000493u;
        check_product(a >> (i % 40), b >> (i % 31));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_all_their_bits),
        cmocka_unit_test(excess_is_at_most_three),
        cmocka_unit_test(log2_is_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
