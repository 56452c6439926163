/* dry_expf is within 1 ulp of the exponential in double precision, whose error does not show here,
 * over floats all along the range; its ends are those of C. */
#include "unit.h"

#include <drystone/elementary.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Every 1009th float from the smallest to the ends, of both signs. */
static void test_within_one_ulp(void **state) {
    (void)state;
    double worst = 0.0;
    float where = 0.0f;
    for (uint32_t bits = 1; bits < 0x42d00000u; bits += 1009) /* 104 */
        for (int sign = 0; sign < 2; sign++) {
            const float x = of_bits(bits | (sign ? 0x80000000u : 0));
            const double exact = exp((double)x);
            if (exact >= (double)FLT_MAX) continue;
            int exponent;
            (void)frexp(exact, &exponent);
            const double ulp = ldexp(1.0, exponent - 24 > -149 ? exponent - 24 : -149);
            const double apart = fabs((double)dry_expf(x) - exact) / ulp;
            if (apart > worst) worst = apart, where = x;
        }
    if (!(worst < 1.0)) fail_msg("%g ulp at %a", worst, (double)where);
    above(worst, 0.4); /* so something was compared */
}

static void test_ends(void **state) {
    (void)state;
    const double most = (double)FLT_MAX;
    assert_true(dry_expf(0.0f) == 1.0f && dry_expf(-0.0f) == 1.0f);
    above((double)dry_expf(INFINITY), most);
    above((double)dry_expf(88.72284f), most);
    at_most((double)dry_expf(88.72283f), most);
    is_nan((double)dry_expf(NAN));
    above((double)dry_expf(-103.97f), 0.0);
    at_most((double)dry_expf(-104.0f), 0.0);
    at_most((double)dry_expf(-INFINITY), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_within_one_ulp),
                                       cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
