/* Points side by side give the bits of points one by one: for every fixed-step method, for laws
 * with branches and functions of the library, for forces that depend on time, for an end beside the
 * grid, for samples, for lanes that are left over, and beside lanes that blow up; for jumps of all
 * lanes and of one, on the grid, beside it and almost on it, for controllers that sample, for
 * discrete states, and beside lanes in which a watched condition fails. */
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

/* What follows from the time alone is equal in all lanes, also where only some of them need it. */
#define TIMED                                                                                      \
    "param M = 1 [kg], T = 0.06 [s]\n"                                                             \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "fe = if t < T then min(0.52, 8*t) else 0.336 + 0.144*cos(100*t)\n"                            \
    "f in 0.5 [N]*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                                      \
    "p' = v\n"                                                                                     \
    "M*v' = fe*(1 + sin(30*t)^2) - f\n"

static const problem problems[] = {
    {"work of the time alone by rk4",
     TIMED "run until = 0.2 [s], step = 0.5 [ms], method = rk4\nmeasure y = final(p)\n",
     {"T=0.03:0.15:9", "M=0.5:2:3"},
     0},
    {"by heun",
     TIMED "run until = 0.2 [s], step = 0.5 [ms], method = heun\nmeasure y = final(p)\n",
     {"T=0.03:0.15:9", "M=0.5:2:3"},
     0},
    {"by semi-implicit",
     TIMED "run until = 0.2 [s], step = 0.5 [ms], method = semi-implicit\nmeasure y = final(p)\n",
     {"T=0.03:0.15:9", "M=0.5:2:3"},
     0},
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
    {"a chosen K that must be softer", /* for some of the springs more than for others */
     "param m = 1 [kg], F = 1 [N], k = 10 [N/m]\nstate p = 0 [m], v = 0 [m/s]\n"
     "f[i] in i*F*sgn(v) for i in 1..4\np' = v\n"
     "m*v' = 20 [N]*sin(30*t) - k*p - sum(f[i] for i in 1..4)\n"
     "run until = 0.2 [s], step = 1 [ms], method = rk4\nmeasure y = final(p)\n",
     {"k=1,1e4,1e6,3e6,4e6,5e6", "m=0.8,1,1.7"},
     0},
    {"a chosen K that follows its mass",
     "param m = 1 [kg], F = 1 [N], p0 = 0.2 [m]\nstate p = p0, v = 0 [m/s]\nf in F*sgn(v)\n"
     "p' = v\nm*(1 + 9 [1/m^2]*p*p)*v' = 3 [N]*sin(20*t) - f\n"
     "run until = 0.5 [s], step = 1 [ms], method = rk4\nmeasure y = final(p)\n",
     {"m=0.3:2:7", "p0=0,0.1,0.5"},
     0},
    {"lanes that blow up", /* infinite at t = 1/(a x0): 10 points of x0 = 1, 12 of 3 */
     "param a = 1 [1/s], x0 = 1\nstate x = x0\nx' = a*x*x\n"
     "run until = 1 [s], step = 10 [ms], method = rk4\nmeasure y = final(x)\n",
     {"a=0.1:4:13", "x0=0.2,1,3"},
     22},
};

/* ---- jumps, samples, watched conditions -------------------------------------------------------
 */

#define JUMPS                                                                                      \
    "param T = 0.05 [s], T2 = 0.0303 [s], A = 3 [N], F = 1 [N], M = 1 [kg]\n"                      \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "push = (if t < T then A else -A) + (if t > T2 then A*sin(40*t) else A*t/1 [s])\n"             \
    "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                                            \
    "p' = v\n"                                                                                     \
    "M*v' = push - f - 0.1 [kg/s]*v\n"
/* Times at, and a little beside, points of the grid, before the start and after the end. */
#define TIMES                                                                                      \
    "T=-0.1,0,1e-13,0.0001,0.0302,0.0303,0.05,0.0500000000001,0.0499999999999,0.05003,0.0304"
#define MORE_TIMES ",0.07,0.0700003,0.0999,0.0999999999999,0.1,0.1000000000001,0.2"
#define CONTROL(every)                                                                             \
    "param Kp = 40 [N/m], Ki = 90 [N/m/s], F = 0.3 [N], T = 0.0421 [s]\n"                          \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "e = (if t < T then 0.01 [m] else 0.02 [m]) - p\n" every                                       \
    "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                                            \
    "p' = v\n"                                                                                     \
    "1 [kg]*v' = u - f\n"
#define PI(T)                                                                                      \
    "sample s = s.before + " T "*e every " T " from 0 [m s]\nsample u = Kp*e + Ki*s every " T
#define ENDS "measure y = final(p)\n"
#define TOPS "measure y = final(p) + max(f)*1 [m/N]\n"

static const problem events[] = {
    {"a jump on the grid of the steps",
     JUMPS "run until = 0.1 [s], step = 0.1 [ms], method = rk4\n" ENDS,
     {"A=1:9:9", "F=0.5,1,2"},
     0},
    {"jumps of single lanes, rk4",
     JUMPS "run until = 0.1 [s], step = 0.1 [ms], method = rk4\n" ENDS,
     {TIMES MORE_TIMES, "F=0.5,1"},
     0},
    {"jumps of single lanes, samples, heun",
     JUMPS "run until = 0.1 [s], step = 0.1 [ms], method = heun\n" TOPS,
     {TIMES MORE_TIMES, "F=0.5,1"},
     0},
    {"jumps of single lanes, few samples, euler",
     JUMPS "run until = 0.1 [s], step = 0.1 [ms], method = euler, record = 0.7 [ms]\n" TOPS,
     {TIMES MORE_TIMES, "T2=0.0303,0.07"},
     0},
    {"jumps of single lanes, samples far apart",
     JUMPS "run until = 0.2 [s], step = 0.02 [ms], method = rk4, record = 0.05 [s]\n" TOPS,
     {TIMES MORE_TIMES ",0.02048,0.0204800000001,0.02049", "T2=0.0303,0.05"},
     0},
    {"jumps of single lanes, semi-implicit",
     JUMPS "run until = 0.1 [s], step = 1 [ms], method = semi-implicit\n" TOPS,
     {TIMES MORE_TIMES, "T2=0.0303,0.0305"},
     0},
    {"jumps of single lanes, rk4-tau",
     JUMPS "run until = 0.1 [s], step = 1 [ms], method = rk4-tau\n" TOPS,
     {TIMES MORE_TIMES, "T2=0.0303,0.05"},
     0},
    {"jumps of single lanes, nearer than a step",
     JUMPS "run until = 0.1 [s], step = 1 [ms], method = rk4-tau\n" TOPS,
     {"T=0.0295:0.0312:18", "T2=0.0303,0.0304,0.0312"},
     0},
    {"times at which it beats",
     "param T = 0.0301 [s], b = 1, c = 1\nstate x = c\nx' = b*mod(t, T)*1 [1/s^2]\n"
     "run until = 1 [s], step = 1 [ms], method = rk4\nmeasure y = final(x)\n",
     {"b=0.2:0.7:9", "c=0,1"},
     0},
    {"a controller that samples each step",
     CONTROL(PI("0.1 [ms]") " from 0 [N]\n") "run until = 0.1 [s], step = 0.1 [ms], "
                                             "method = rk4\n" TOPS,
     {"Kp=10:80:9", "Ki=0,50"},
     0},
    {"a controller that samples every ten steps",
     CONTROL(PI("1 [ms]") " from 0 [N]\n") "run until = 0.1 [s], step = 0.1 [ms], "
                                           "method = rk4\n" ENDS,
     {"Kp=10:80:9", "Ki=0,50"},
     0},
    {"a controller that samples beside the grid, with a delay, and jumps of single lanes",
     CONTROL(PI("0.73 [ms]") " from 0 [N] with delay = 0.21 [ms]\n") "run until = 0.1 [s], "
                                                                     "step = 0.1 [ms], method = "
                                                                     "semi-implicit\n" TOPS,
     {"T=0.01:0.09:17", "Kp=40,50"},
     0},
    {"a controller, jumps of single lanes, few samples",
     CONTROL(PI("2 [ms]") " from 0 [N]\n") "run until = 0.1 [s], step = 0.1 [ms], method = heun, "
                                           "record = 0.05 [s]\n" TOPS,
     {TIMES MORE_TIMES, "Kp=40,50"},
     0},
    {"discrete states",
     "param A = 1.5 [N], C = 20 [N/s]\nstate p = 0 [m], v = 0 [m/s]\n"
     "f = gms(v, N = 3, F = 0.5 [N], Fs = 0.6 [N], vs = 1e-3 [m/s], kappa = [4e3, 3e3, 2e3], "
     "sigma = 5, C = C)\n"
     "p' = v\n1 [kg]*v' = A*sin(20*t) - f\n"
     "run until = 1 [s], step = 1 [ms], method = rk4\n" TOPS,
     {"A=0.3:3:9", "C=10,20"},
     0},
    {"watched levels", /* 1 - c p becomes negative at p = 1/c: the block of c = 0.1 does not get
                          there */
     "param c = 0.1 [1/m], A = 1 [N]\nstate p = 0 [m], v = 0 [m/s]\n"
     "f in (1 [N] - c*p*1 [N])*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"
     "p' = v\n1 [kg]*v' = 1 [N] + A - f\n"
     "run until = 1 [s], step = 1 [ms], method = rk4\n" TOPS,
     {"c=0.1,2,0.2,3,0.3,4,0.4", "A=1,2,1.1"},
     9},
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

static void test_events(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) lanes_agree(&events[i], true);
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
        assert_int_equal(many.lanes, 1);
        all_same_bits(one.points, dry_record_values(one.record, 2),
                      dry_record_values(many.record, 2));
        dry_record_free(one.record);
        dry_record_free(many.record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_bristles),
                                       cmocka_unit_test(test_no_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
