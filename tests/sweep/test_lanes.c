/* Points side by side give the bits of points one by one: for every fixed-step method, for laws
 * with branches and functions of the library, for forces that depend on time, for an end beside the
 * grid, for samples, for lanes that are left over, and beside lanes that blow up. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <drystone/native.h>
#include <drystone/sweep.h>

typedef struct problem {
    const char *what, *text, *axes[2];
    size_t failed;
} problem;

#define IMPACT                                                                                     \
    "param speed = 1 [m/s], gamma = 2e3 [1/s], lambda = 1.5\n"                                     \
    "state p = 0 [m], v = speed\n"                                                                 \
    "N = compliant(-p, lambda = lambda, gamma = gamma)\n"                                          \
    "p' = v\n"                                                                                     \
    "v' = -N*1 [1/kg]\n"
#define CHAIN                                                                                      \
    "param K = 5e3 [N/m], beta = 2 [ms], w = 30 [1/s], M = 1 [kg], A = 3 [N]\n"                    \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "push = A*sin(w*t)*exp(-t/1 [s])\n"                                                            \
    "f in 1 [N]*sgn(v) with K = K, beta = beta\n"                                                  \
    "p' = v\n"                                                                                     \
    "M*v' = (if v > 0.01 [m/s] then push*1.5 else push) - f - 0.1 [kg/s]*v\n"

static const problem problems[] = {
    {"rk4",
     IMPACT "run until = 0.05 [s], step = 0.5 [ms], method = rk4\nmeasure y = final(v)\n",
     {"speed=0.1:3:7", "gamma=100:2000:5:log"},
     0},
    {"a power that is computed by the library",
     IMPACT "run until = 0.05 [s], step = 0.5 [ms], method = rk4\nmeasure y = final(v)\n",
     {"speed=0.1:3:7", "lambda=1,1.3,1.5,2"},
     0},
    {"samples",
     IMPACT "run until = 0.05 [s], step = 0.5 [ms], method = rk4, record = 2 [ms]\n"
            "measure y = max(N) + integral(v)*1 [N/m]\n",
     {"speed=0.1:3:7", "gamma=100:2000:5:log"},
     0},
    {"friction, functions and branches",
     CHAIN "run until = 0.3 [s], step = 0.3 [ms], method = rk4\nmeasure y = final(p) + max(p)\n",
     {"w=10:60:6", "M=0.5:2:3"},
     0},
    {"an end beside the grid of the samples",
     CHAIN "run until = 0.1 [s], step = 0.1 [ms], method = rk4, "
           "record = 0.7 [ms]\nmeasure y = final(p) + mean(p)\n",
     {"w=10:60:6", "A=1,2"},
     0},
    {"euler",
     CHAIN "run until = 0.1 [s], step = 0.2 [ms], method = euler\nmeasure y = final(p)\n",
     {"w=10:60:6", "A=1,2"},
     0},
    {"heun",
     CHAIN "run until = 0.1 [s], step = 0.2 [ms], method = heun\nmeasure y = final(p)\n",
     {"w=10:60:6", "A=1,2"},
     0},
    {"rk4-tau",
     CHAIN "run until = 0.1 [s], step = 1 [ms], method = rk4-tau\nmeasure y = max(f)\n",
     {"w=10:60:6", "A=1,2"},
     0},
    {"semi-implicit",
     CHAIN "run until = 0.1 [s], step = 1 [ms], method = semi-implicit\nmeasure y = max(f)\n",
     {"w=10:60:6", "A=1,2"},
     0},
    {"functions that jump, and those of the library",
     "param a = 1 [1/s], b = 1\nstate x = -2.3, y = 0\nx' = a\n"
     "y' = (sign(x) + mod(x, 0.6*b) + ceil(b*x) + round(x) + log10(x*x + b) + cbrt(x) + "
     "erf(b*x))*1 [1/s]\n"
     "run until = 3 [s], step = 10 [ms], method = rk4\nmeasure y3 = final(y)\n",
     {"a=0.5:2:7", "b=0.3,1,1.7"},
     0},
    {"lanes that blow up", /* infinite at t = 1/(a x0): 10 points of x0 = 1, 12 of 3 */
     "param a = 1 [1/s], x0 = 1\nstate x = x0\nx' = a*x*x\n"
     "run until = 1 [s], step = 10 [ms], method = rk4\nmeasure y = final(x)\n",
     {"a=0.1:4:13", "x0=0.2,1,3"},
     22},
};

static dry_status swept(const problem *p, dry_sweep_code code, bool force,
                        dry_sweep_result *result) {
    dry_sweep_axis axes[2];
    dry_error error = {0};
    for (int i = 0; i < 2; i++) is_ok(dry_sweep_axis_read(&axes[i], p->axes[i], &error), &error);
    const dry_sweep_options options = {
        .axes = axes, .n_axes = 2, .threads = 2, .code = code, .model.force = force};
    const dry_status status =
        dry_sweep_run("lanes.dry", p->text, strlen(p->text), &options, result, &error);
    if (status != DRY_OK) fail_msg("%s: %s", p->what, error.text);
    for (int i = 0; i < 2; i++) dry_sweep_axis_free(&axes[i]);
    return status;
}

static void lanes_agree(const problem *p, bool force) {
    dry_sweep_result one, many;
    assert_int_equal(swept(p, DRY_SWEEP_NATIVE, force, &many), DRY_OK);
    assert_int_equal(swept(p, DRY_SWEEP_BYTECODE, force, &one), DRY_OK);
    if (many.lanes != DRY_NATIVE_LANES) fail_msg("%s: there are no lanes", p->what);
    assert_int_equal(one.lanes, 1);
    for (int k = 2; k < 4; k++)
        if (memcmp(dry_record_values(one.record, k), dry_record_values(many.record, k),
                   sizeof(double) * one.points) != 0)
            fail_msg("%s: the lanes differ", p->what);
    assert_int_equal(many.failed, p->failed);
    dry_record_free(one.record);
    dry_record_free(many.record);
}

static void test_bits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) lanes_agree(&problems[i], true);
}

/* K v/F > 2.785/step from v = 0.2785 m/s on, which P = 0.9 and 1 reach at K = 5e3 alone; with
 * `force` they are run all the same. */
static void test_bristles(void **state) {
    (void)state;
    problem p = {"lanes in which bristles become too fast",
                 "param P = 1 [N], K = 5e3 [N/m]\nstate v = 0 [m/s]\n"
                 "f = lugre(v, F = 0.5 [N], K = K, B = 10 [N s/m])\n1 [kg]*v' = P - f\n"
                 "run until = 1 [s], step = 1 [ms], method = rk4\nmeasure y = final(v)\n",
                 {"P=0.4,0.6,0.7,0.9,1.0", "K=5e3,2.4e3"},
                 2};
    lanes_agree(&p, false);
    p.failed = 0;
    lanes_agree(&p, true);
}

/* What a lane cannot do alone is run one by one, and natively all the same. */
static void test_no_lanes(void **state) {
    (void)state;
    static const problem rows[] = {
        {"adaptive",
         CHAIN "run until = 0.1 [s], method = dopri5\nmeasure y = final(p)\n",
         {"w=10:60:3", "A=1,2"},
         0},
        {"a time at which it jumps",
         "param a = 1 [1/s]\nstate x = 0\nx' = if t < 0.05 [s] then a else -a\n"
         "param b = 1\nrun until = 0.1 [s], step = 1 [ms], method = rk4\nmeasure y = final(x)\n",
         {"a=1:5:9", "b=1,2"},
         0},
        {"times at which it beats",
         "param T = 0.3 [s], b = 1\nstate x = 0\nx' = b*mod(t, T)*1 [1/s^2]\n"
         "run until = 1 [s], step = 1 [ms], method = rk4\nmeasure y = final(x)\n",
         {"T=0.2:0.7:9", "b=1,2"},
         0},
        {"an end a twentieth of a step late",
         CHAIN "run until = 0.100005 [s], step = 0.1 [ms], method = rk4\n"
               "measure y = final(p)\n",
         {"w=10:60:3", "A=1,2"},
         0},
        {"an end within a step",
         CHAIN "run until = 0.1 [s], step = 0.37 [ms], method = rk4\n"
               "measure y = final(p)\n",
         {"w=10:60:3", "A=1,2"},
         0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_sweep_result one, many;
        assert_int_equal(swept(&rows[i], DRY_SWEEP_NATIVE, true, &many), DRY_OK);
        assert_int_equal(swept(&rows[i], DRY_SWEEP_BYTECODE, true, &one), DRY_OK);
        assert_true(many.native);
        if (i > 0) assert_int_equal(many.lanes, 1);
        all_same_bits(one.points, dry_record_values(one.record, 2),
                      dry_record_values(many.record, 2));
        dry_record_free(one.record);
        dry_record_free(many.record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_bristles),
                                       cmocka_unit_test(test_no_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
