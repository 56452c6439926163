/* A simulated cube follows the measured tosses that its friction and restitution were not chosen on
 * (bench/bench_toss.c chooses them on tosses 0 to 29). */
#include "unit.h"

#include "../../bench/toss.h"

static void follows_the_measured_cube(void **state) {
    (void)state;
    static toss tosses[TOSSES];
    for (int i = 0; i < TOSSES; i++)
        assert_true(toss_read(DRY_SOURCE_DIR "/models/measured/cube-toss", i, &tosses[i]));
    const toss_model m = {.mu = 0.181,
                          .rho = 0.0702,
                          .beta = 2.46e-3,
                          .K = 1e5,
                          .floor = toss_floor(tosses, TRAINING),
                          .step = 1e-4};
    const toss_error e = toss_mean(tosses + TRAINING, TOSSES - TRAINING, &m);
    /* the tenth of the friction doubles the error */
    if (!(e.position < 0.15 && e.angle < 25.0))
        fail_msg("off by %g widths and %g degrees", e.position, e.angle);
    toss_model slippery = m;
    slippery.mu = 0.02;
    above(toss_mean(tosses + TRAINING, TOSSES - TRAINING, &slippery).position, 1.5 * e.position);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_the_measured_cube)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
