/* Steps: tolerances and dense output on a smooth motion, discrete states, located kinks, the
 * longest step, ends that are very near, what a step may not go beyond. */
#include "unit.h"

#include <drystone/stiff.h>
#include <float.h>
#include <math.h>

#include "listed.h"
#include "ode/problems.h"
#include "stiff/methods.h"

static dry_stiff *begin(const dry_system *system, const char *method, dry_ode_options options) {
    dry_stiff *s;
    assert_int_equal(
        dry_stiff_new(system, dry_stiff_method_find(method), &options, NULL, 0.0, NULL, &s, NULL),
        DRY_OK);
    return s;
}

/* ---- x'' = -x: x = sin t ------------------------------------------------- */

static const dry_quantity names[] = {{"x", "m"}, {"v", "m/s"}};
static void swing_start(const dry_env *env, double t, double *x) {
    (void)env;
    x[0] = sin(t);
    x[1] = cos(t);
}
static void swing_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = -x[0];
}
static const dry_system swing = {
    .name = "swing", .n_states = 2, .states = names, .start = swing_start, .rate = swing_rate};

/* Errors of single steps add up along two turns, at most to a hundred of them. */
static void between_the_ends(void **state) {
    for (double rtol = 1e-4; rtol > 1e-9; rtol *= 1e-2) {
        dry_stiff *s = begin(&swing, *state, (dry_ode_options){.rtol = rtol, .atol = rtol});
        double worst = 0.0, before = 0.0, x[2];
        while (dry_stiff_time(s) < 12.0) {
            assert_int_equal(dry_stiff_step(s, 12.0, NULL), DRY_OK);
            const double t = dry_stiff_time(s);
            for (int k = 1; k <= 4; k++) {
                const double time = before + 0.25 * k * (t - before);
                dry_stiff_dense(s, time, x);
                worst = fmax(worst, fabs(x[0] - sin(time)));
            }
            before = t;
        }
        at_most(worst, 100.0 * rtol);
        equal(dry_stiff_time(s), 12.0);
        dry_stiff_free(s);
    }
}

static void the_longest_step(void **state) {
    dry_stiff *s = begin(&swing, *state, (dry_ode_options){.rtol = 1e-2, .max_step = 0.01});
    double before = 0.0;
    while (dry_stiff_time(s) < 1.0) {
        assert_int_equal(dry_stiff_step(s, 1.0, NULL), DRY_OK);
        /* rodas4 stretches the last one by 1 % where that saves one */
        at_most(dry_stiff_time(s) - before, 0.0101 + 4.0 * DBL_EPSILON);
        before = dry_stiff_time(s);
    }
    at_least(dry_stiff_count(s).steps, 99);
    dry_stiff_free(s);
}

/* Ends at a distance of one to a thousand units in the last place are met to the bit. */
static void ends_that_are_near(void **state) {
    dry_stiff *s = begin(&swing, *state, (dry_ode_options){0});
    double t = 1.0;
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(dry_stiff_advance(s, t, NULL), DRY_OK);
        equal(dry_stiff_time(s), t);
        t += k * DBL_EPSILON;
    }
    assert_int_equal(dry_stiff_advance(s, 2.0, NULL), DRY_OK);
    closer(dry_stiff_state(s)[0], sin(2.0), 1e-4);
    dry_stiff_free(s);
}

/* So near to an end, one that rests keeps its bits and one that moves goes by its rate. */
static const double PACE = 1e6;
static void pace_start(const dry_env *env, double t, double *x) {
    (void)env;
    x[0] = 1.0;
    x[1] = PACE * t;
}
static void pace_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau, (void)x;
    x_dot[0] = 0.0;
    x_dot[1] = PACE;
}
static void rates_count_up_to_near_ends(void **state) {
    const dry_system pace = {
        .name = "pace", .n_states = 2, .states = names, .start = pace_start, .rate = pace_rate};
    dry_stiff *s = begin(&pace, *state, (dry_ode_options){0});
    double t = 1.0;
    for (int k = 0; k < 100; k++) {
        assert_int_equal(dry_stiff_advance(s, t, NULL), DRY_OK);
        equal(dry_stiff_state(s)[0], 1.0);
        near_share(dry_stiff_state(s)[1], PACE * t, 1e-12);
        t += k * DBL_EPSILON;
    }
    dry_stiff_free(s);
}

/* ---- a walker that looks around: what it saw holds for REACH --------------------------- */

static const double REACH = 0.01;
static void walk_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = x[1] = 1e3;
}
static void walk_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau, (void)x;
    x_dot[0] = 1.0;
    x_dot[1] = 0.0;
}
static double furthest; /* without a look */
static bool look_around(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    furthest = fmax(furthest, x[0] - x[1]);
    if (x[0] - x[1] < 0.5 * REACH) return false;
    x[1] = x[0];
    return true;
}
static bool still_seen(const dry_env *env, double t, const double *x) {
    (void)env, (void)t;
    return x[0] - x[1] <= REACH;
}

/* The rate is constant, and so far from 0 its error is small: nothing else limits a step. */
static void no_step_goes_beyond_what_holds(void **state) {
    const dry_system walk = {.name = "walk",
                             .n_states = 2,
                             .states = names,
                             .start = walk_start,
                             .rate = walk_rate,
                             .latch = look_around,
                             .holds = still_seen};
    dry_stiff *s = begin(&walk, *state, (dry_ode_options){0});
    furthest = 0.0;
    assert_int_equal(dry_stiff_advance(s, 20.0, NULL), DRY_OK);
    at_most(furthest, REACH);
    near_share(dry_stiff_state(s)[0], 1020.0, 1e-12);
    dry_stiff_free(s);
}

/* ---- a discrete state: x' = on ------------------------------------------- */

static double switched_at;
static void gate_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = x[1] = 0.0;
}
static void gate_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = 0.0;
}
static bool gate_latch(const dry_env *env, double t, double *x) {
    (void)env;
    if (t < 0.5 || x[1] != 0.0) return false;
    x[1] = 1.0;
    switched_at = t;
    return true;
}

/* What the latch has changed is where the next step begins. */
static void discrete_states(void **state) {
    const dry_system gate = {.name = "gate",
                             .n_states = 2,
                             .states = names,
                             .start = gate_start,
                             .rate = gate_rate,
                             .latch = gate_latch};
    dry_stiff *s = begin(&gate, *state, (dry_ode_options){.max_step = 0.1});
    assert_int_equal(dry_stiff_advance(s, 2.0, NULL), DRY_OK);
    at_least(switched_at, 0.5);
    at_most(switched_at, 0.6 + 1e-12);
    closer(dry_stiff_state(s)[0], 2.0 - switched_at, 1e-6);
    equal(dry_stiff_state(s)[1], 1.0);
    dry_stiff_free(s);
}

/* ---- kinks --------------------------------------------------------------- */

/* The force of X13 (20) stops growing at 0.52/0.8 = 0.65 s, before which the block begins to slip:
 * a step of cvode ends there. */
static void kinks_are_located(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const double at = force_x13.level / force_x13.rate;
    dry_stiff *s = begin(&system, "cvode", (dry_ode_options){.rtol = 1e-8, .atol = 1e-11});
    double nearest = 1.0;
    while (dry_stiff_time(s) < 1.0) {
        assert_int_equal(dry_stiff_step(s, 1.0, NULL), DRY_OK);
        nearest = fmin(nearest, fabs(dry_stiff_time(s) - at));
    }
    below(nearest, 1e-12);
    at_least(dry_stiff_count(s).kinks, 2);
    dry_stiff_free(s);
    s = begin(&system, "cvode", (dry_ode_options){.ignore_kinks = true});
    assert_int_equal(dry_stiff_advance(s, 1.0, NULL), DRY_OK);
    assert_int_equal(dry_stiff_count(s).kinks, 0);
    dry_stiff_free(s);
}

/* ---- many states without a Jacobian: x_i' = -k (x_i - x_0), stiff ------------------ */

enum { MANY = 401 };
static const double STIFF = 1e5;
static void chain_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < MANY; i++) x[i] = i == 0 ? 1.0 : 0.0;
}
/* x_0 = exp(-t); each following one is drawn to it at once: x_i = exp(-t) k/(k - 1), later than
 * 1/k. */
static void chain_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = -x[0];
    for (int i = 1; i < MANY; i++) x_dot[i] = -STIFF * (x[i] - x[0]);
}
static void many_states(void **state) {
    static dry_quantity states[MANY];
    for (int i = 0; i < MANY; i++) states[i] = (dry_quantity){"x", ""};
    const dry_system chain = {.name = "chain",
                              .n_states = MANY,
                              .states = states,
                              .start = chain_start,
                              .rate = chain_rate};
    dry_stiff *s = begin(&chain, *state, (dry_ode_options){.rtol = 1e-6, .atol = 1e-8});
    while (dry_stiff_time(s) < 1.0) assert_int_equal(dry_stiff_step(s, 1.0, NULL), DRY_OK);
    const double *x = dry_stiff_state(s);
    closer(x[0], exp(-1.0), 1e-4);
    for (int i = 1; i < MANY; i++) closer(x[i], exp(-1.0) * STIFF / (STIFF - 1.0), 1e-4);
    dry_stiff_free(s);
}

/* ---- tolerances hold for each state ------------------------------------------------------ */

enum { RESTING = 99 };
static void one_moves_rate(const dry_env *env, double t, double tau, const double *x,
                           double *x_dot) {
    (void)env, (void)tau;
    for (int i = 0; i < RESTING; i++) x_dot[1 + i] = 0.0;
    x_dot[0] = 10.0 * (cos(t) - x[0]);
}
static void one_alone_rate(const dry_env *env, double t, double tau, const double *x,
                           double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = 10.0 * (cos(t) - x[0]);
}

/* What rests has no error, and makes the steps of what moves neither fewer nor more. */
static void states_at_rest_change_no_step(void **state) {
    static dry_quantity states[1 + RESTING];
    for (int i = 0; i <= RESTING; i++) states[i] = (dry_quantity){"x", ""};
    const dry_system of_many = {
        .name = "one of many", .n_states = 1 + RESTING, .states = states, .rate = one_moves_rate};
    const dry_system alone = {
        .name = "one alone", .n_states = 1, .states = states, .rate = one_alone_rate};
    const dry_ode_options options = {.rtol = 1e-6, .atol = 1e-8, .step = 1e-4};
    dry_stiff *many = begin(&of_many, *state, options), *one = begin(&alone, *state, options);
    assert_int_equal(dry_stiff_advance(many, 5.0, NULL), DRY_OK);
    assert_int_equal(dry_stiff_advance(one, 5.0, NULL), DRY_OK);
    /* rounding of the mean over all states may move a step a little */
    near_share((double)dry_stiff_count(many).steps, (double)dry_stiff_count(one).steps, 0.05);
    near(dry_stiff_state(many)[0], dry_stiff_state(one)[0], 1e-6);
    dry_stiff_free(many);
    dry_stiff_free(one);
}

/* ---- jumps in time ---------------------------------------------------------------------- */

/* x' = 0 before 1 s, from then on 1000 m/s: x = 1000 (t - 1 s). */
static void push_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = t < 1.0 ? 0.0 : 1e3;
}
static void push_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 1.0;
}
static const dry_system push = {.name = "push",
                                .n_states = 1,
                                .states = names,
                                .rate = push_rate,
                                .n_breaks = 1,
                                .breaks = push_breaks};

/* A method that begins anew at a break has no step to take back. */
static void a_known_jump_costs_no_step(void **state) {
    dry_stiff *s = begin(&push, *state, (dry_ode_options){.rtol = 1e-6, .atol = 1e-9});
    bool met = false;
    while (dry_stiff_time(s) < 2.0) {
        assert_int_equal(dry_stiff_step(s, 2.0, NULL), DRY_OK);
        met = met || dry_stiff_time(s) == 1.0;
    }
    assert_true(met);
    near_share(dry_stiff_state(s)[0], 1e3, 1e-9);
    assert_int_equal(dry_stiff_count(s).rejected, 0);
    dry_stiff_free(s);
}

/* One that nobody announces does, and what was taken back stays counted when it begins anew. */
static void steps_taken_back_are_counted(void **state) {
    dry_system surprise = push;
    surprise.n_breaks = 0;
    surprise.breaks = NULL;
    dry_stiff *s = begin(&surprise, *state, (dry_ode_options){.rtol = 1e-6, .atol = 1e-9});
    long before = 0;
    while (dry_stiff_time(s) < 2.0) {
        const double x = dry_stiff_state(s)[0];
        assert_int_equal(dry_stiff_step(s, 2.0, NULL), DRY_OK);
        const long now = dry_stiff_count(s).rejected;
        at_least(now, before);
        if (before == 0 && now > 0) below(dry_stiff_time(s), 1.1);
        before = now;
        if (dry_stiff_time(s) > 1.5 && x > 0.0)
            assert_int_equal(dry_stiff_restart(s, dry_stiff_state(s), NULL), DRY_OK);
    }
    at_least(before, 3); /* a jump by 1000 m/s is met to 1e-6 m in steps that each shorten by 10 */
    near_share(dry_stiff_state(s)[0], 1e3, 1e-3);
    dry_stiff_free(s);
}

/* ---- the first step --------------------------------------------------------------------- */

static void the_first_step_is_the_given_one(void **state) {
    dry_stiff *s = begin(&swing, *state, (dry_ode_options){.step = 1e-5});
    assert_int_equal(dry_stiff_step(s, 1.0, NULL), DRY_OK);
    near_share(dry_stiff_time(s), 1e-5, 1e-9);
    dry_stiff_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_EACH_METHOD(between_the_ends),
        WITH_EACH_METHOD(the_longest_step),
        WITH_EACH_METHOD(ends_that_are_near),
        WITH_EACH_METHOD(discrete_states),
        WITH_EACH_METHOD(many_states),
        WITH_EACH_METHOD(rates_count_up_to_near_ends),
        WITH_EACH_METHOD(no_step_goes_beyond_what_holds),
        WITH_EACH_METHOD(states_at_rest_change_no_step),
        WITH_EACH_METHOD(a_known_jump_costs_no_step),
        WITH_EACH_METHOD(steps_taken_back_are_counted),
        WITH_EACH_METHOD(the_first_step_is_the_given_one),
        TEST_IF(dry_stiff_has_cvode(), kinks_are_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
