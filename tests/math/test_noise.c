/* The noise of large arguments. Its frequencies are multiples m 2^-30 per unit, so for a whole x
 * the phase is the whole number m x modulo 2^30, which integers give exactly. */
#include "unit.h"

#include <drystone/math.h>
#include <stdint.h>

/* The noise of a whole x with the phases of integers. */
static double by_integers(int64_t x, unsigned long seed) {
    const int64_t round = (int64_t)1 << 30;
    const int64_t rest = x % round;
    double sum = 0.0;
    for (unsigned long j = 0; j < 32; j++) {
        const double scatter = dry_scatter(64 * seed + 2 * j) * 16777216.0;
        const int64_t m = (int64_t)j * 16777216 + (int64_t)scatter;
        const double phase = (double)(m * rest % round) / (double)round;
        sum += cos(6.283185307179586 * (phase + dry_scatter(64 * seed + 2 * j + 1)));
    }
    return 0.25 * sum;
}

static const int64_t bases[] = {0,
                                1000,
                                (int64_t)1 << 30,
                                (int64_t)1 << 40,
                                ((int64_t)1 << 48) + 12345,
                                ((int64_t)1 << 51) + 7,
                                ((int64_t)1 << 53) - 4001};
enum { BASES = sizeof bases / sizeof *bases };

static void whole_arguments(void **state) {
    (void)state;
    for (int b = 0; b < BASES; b++)
        for (int64_t i = 0; i < 100; i++) {
            const int64_t x = bases[b] + i;
            near(dry_noise((double)x, 7.0), by_integers(x, 7), 1e-5);
            near(dry_noise((double)-x, 7.0), by_integers(-x, 7), 1e-5);
        }
}

/* The mean square over 4000 units is 1: 32 cosines of 1/4, up to their beats. */
static void the_mean_square_is_one(void **state) {
    (void)state;
    for (int b = 0; b < BASES; b++) {
        double square = 0.0;
        for (int i = 0; i < 4000; i++) {
            const double y = dry_noise((double)bases[b] + i, 7.0);
            square += y * y / 4000.0;
        }
        near(square, 1.0, 0.05);
    }
}

/* The derivative that has the seed + 2^24, by a difference of the numbers beside a quarter: 2^-10
 * apart, their error is of the order (pi 2^-10)^2 and that of the phases. */
static void derivatives(void **state) {
    (void)state;
    const double h = 1.0 / 1024.0;
    for (int b = 0; b < 4; b++) {
        const double x = (double)bases[b] + 0.25;
        near(dry_noise(x, 7.0 + 16777216.0),
             (dry_noise(x + h, 7.0) - dry_noise(x - h, 7.0)) / (2.0 * h), 1e-3);
    }
}

static void beyond_what_is_distinguishable(void **state) {
    (void)state;
    static const double far[] = {9007199254740994.0, 1e17, 1e300, (double)INFINITY, (double)NAN};
    for (int i = 0; i < 5; i++) {
        is_nan(dry_noise(far[i], 7.0));
        is_nan(dry_noise(-far[i], 7.0));
        is_nan(dry_noise(far[i], 7.0 + 16777216.0));
    }
    is_finite(dry_noise(9007199254740992.0, 7.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_arguments),
        cmocka_unit_test(the_mean_square_is_one),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(beyond_what_is_distinguishable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
