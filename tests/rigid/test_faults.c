/* What goes wrong says what, where, and what to do; and no memory is taken in a step. */
#include "unit.h"

#include "problems.h"

#include "counting.h"
#include "listed.h"

static void no_memory_is_taken_in_a_step(void **state) {
    (void)state;
    const double stack[] = {21.0, 5.0, 0.2, 0.3}, arm[] = {2.0, 4.0, 0.5}, growth = 0.0;
    problem of[4];
    stack_problem(&of[0], stack);
    arm_problem(&of[1], arm, 1.0, 2.0);
    ball_problem(&of[2], &growth, 1.0, 0.5);
    elastic_problem(&of[3]);
    for (int i = 0; i < 5; i++) {
        const dry_rigid_options options = {.step = 1e-3,
                                           .scheme = i == 4 ? DRY_RIGID_SPLIT : DRY_RIGID_PROX};
        const long start = allocations;
        dry_rigid *r = rigid_begin(&of[i < 4 ? i : 3], options);
        const long before = allocations;
        above(before, start); /* the counter counts */
        go(r, 3.0);
        assert_int_equal(allocations, before);
        dry_rigid_free(r);
    }
}

/* ---- options ------------------------------------------------------------- */

static void options_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const dry_rigid_options bad[] = {{.step = 0.0},
                                     {.step = -1.0},
                                     {.step = (double)NAN},
                                     {.step = 1e-3, .residual = -1.0},
                                     {.step = 1e-3, .max_iterations = -1},
                                     {.step = 1e-3, .P = -1},
                                     {.step = 1e-3, .weight = 0.6},
                                     {.step = 1e-3, .weight = -0.5}};
    problem of;
    drift_problem(&of);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dry_rigid *r;
        dry_error error = {0};
        assert_int_equal(dry_rigid_new(&of.inclusion, &bad[i], NULL, 0.0, &r, &error),
                         DRY_BAD_ARGUMENT);
        assert_null(r);
        assert_int_not_equal(error.text[0], '\0');
    }
}

static void sets_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const dry_rigid_options options = {.step = 1e-3};
    const double growth = 0.0;
    dry_rigid *r;
    dry_error error = {0};
    problem of;
    ball_problem(&of, &growth, 1.0, 1.5);
    assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error),
                     DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "restitution of 'N'"));
    drift_problem(&of);
    of.sets[0].dim = 4;
    assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error),
                     DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'f'"));
    drift_problem(&of);
    of.start[1] = (double)NAN;
    assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error), DRY_NOT_FINITE);
    assert_non_null(strstr(error.text, "'p'"));
}

static void the_rows_are_whole(void **state) {
    (void)state;
    assert_int_equal(dry_rigid_method_count(), 4);
    for (int i = 0; i < dry_rigid_method_count(); i++) {
        const dry_method *row = dry_rigid_method_at(i);
        if (dry_method_lacks(row)) fail_msg("%s lacks %s", row->name, dry_method_lacks(row));
        assert_ptr_equal(dry_rigid_method_find(row->name), row);
    }
}

/* A run by a method of another room, or by one that was not found, is not one by the first row. */
static void other_methods_are_refused(void **state) {
    (void)state;
    const dry_method *const rows[] = {dry_method_find("rk4"), dry_rigid_method_find("rk4")};
    for (int i = 0; i < 2; i++) {
        problem of;
        drift_problem(&of);
        dry_rigid *r = NULL;
        dry_error error = {0};
        const dry_run_options run = {.method = rows[i], .step = 1e-3};
        const dry_rigid_options options = dry_run_rigid(&run);
        assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error),
                         DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "no such rigid scheme"));
    }
}

/* A set without all of its facts, and one whose vectors nobody can solve for. */
static void sets_that_are_not_whole_are_refused(void **state) {
    (void)state;
    dry_set set = *dry_set_find("sgn");
    const dry_rigid_options options = {.step = 1e-3};
    dry_rigid *r;
    for (int i = 0; i < 3; i++) {
        problem of;
        elastic_problem(&of);
        dry_error error = {0};
        set = *dry_set_find("sgn");
        if (i == 0) set.excess = NULL;
        if (i == 1) set.shape = DRY_SHAPE_OTHER;
        of.sets[0].set = i < 2 ? &set : NULL;
        of.sets[0].dim = of.inclusion.n_forces = i == 1 ? 2 : 1;
        assert_int_equal(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error),
                         i == 1 ? DRY_UNSUPPORTED : DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, i == 1 ? "ball" : "incomplete"));
    }
}

/* ---- steps --------------------------------------------------------------- */

/* From t = 0.5 s on: par 0: chi < 0; 1: chi is no number; 2: friction pushes; 3: the rate is lost
 */
static void broken_eval(const dry_env *env, double t, const double *x, const double *lambda,
                        const dry_inclusion_values *out) {
    drift_eval(env, t, x, lambda, out);
    if (t < 0.5) return;
    switch ((int)env->par[0]) {
    case 0: out->level[0] = -0.1; break;
    case 1: out->level[0] = (double)NAN; break;
    case 2: out->push[0] = 1.0; break;
    default: out->rate[1] = out->rate[0] = (double)INFINITY; break;
    }
}
static void a_broken_model_stops_at_the_last_good_step(void **state) {
    (void)state;
    const dry_status status[] = {DRY_BAD_MODEL, DRY_BAD_MODEL, DRY_BAD_MODEL, DRY_NOT_FINITE};
    const char *const says[] = {"level chi of `f` became negative", "chi of `f`", "force `f`",
                                "state `v`"};
    for (int i = 0; i < 4; i++)
        for (int steady = 0; steady < 2; steady++) {
            if (i == 2 && steady) continue; /* a push that changes is not steady */
            const double par = i;
            problem of;
            drift_problem(&of);
            of.inclusion.eval = broken_eval;
            of.inclusion.steady = steady;
            of.system.par = &par;
            dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 0x1p-10});
            dry_error error = {0};
            assert_int_equal(dry_rigid_advance(r, 1.0, &error), status[i]);
            assert_non_null(strstr(error.text, says[i]));
            assert_non_null(strstr(error.text, "0.5 s"));
            equal(dry_rigid_time(r), 0.5);
            is_finite(dry_rigid_state(r)[0]);
            is_finite(dry_rigid_state(r)[1]);
            dry_rigid_free(r);
        }
}

static int watch(const dry_env *env, double t, const double *x) {
    (void)env, (void)x;
    return t > 0.9 ? 7 : 0;
}
static bool latch(const dry_env *env, double t, double *x) {
    (void)env;
    if (t < 0.8 || x[1] >= 1.0) return false;
    x[1] = 1.0;
    return true;
}
static void conditions_are_watched_and_discrete_states_updated(void **state) {
    (void)state;
    problem of;
    drift_problem(&of);
    of.system.watch = watch;
    of.system.latch = latch;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    dry_error error = {0};
    assert_int_equal(dry_rigid_advance(r, 1.0, &error), DRY_RUN_FAILED);
    assert_non_null(strstr(error.text, "condition 7"));
    closer(dry_rigid_time(r), 0.901, 1e-9);
    assert_int_equal(dry_rigid_fault(r).watch, 7);
    equal(dry_rigid_fault(r).t, dry_rigid_time(r));
    at_least(dry_rigid_state(r)[1], 1.0);
    below(dry_rigid_state(r)[1], 1.01);
    dry_rigid_free(r);
}

/* The same where the steps between events are taken in one go. */
static void a_condition_ends_steady_steps(void **state) {
    (void)state;
    for (int steady = 0; steady < 2; steady++) {
        problem of;
        drift_problem(&of);
        of.system.watch = watch;
        of.inclusion.steady = steady;
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
        dry_error error = {0};
        assert_int_equal(dry_rigid_advance(r, 1.0, &error), DRY_RUN_FAILED);
        assert_non_null(strstr(error.text, "condition 7"));
        closer(dry_rigid_time(r), 0.901, 1e-9);
        dry_rigid_free(r);
    }
}

static void too_few_iterations_are_an_error(void **state) {
    (void)state;
    const double par[] = {21.0, 0.0, 0.2, 0.3};
    problem of;
    stack_problem(&of, par);
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3, .max_iterations = 1});
    dry_error error = {0};
    assert_int_equal(dry_rigid_advance(r, 1.0, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "smaller step"));
    assert_non_null(strstr(error.text, "do not settle"));
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_IF(COUNTING, no_memory_is_taken_in_a_step),
        cmocka_unit_test(options_that_do_not_fit_are_refused),
        cmocka_unit_test(sets_that_do_not_fit_are_refused),
        cmocka_unit_test(the_rows_are_whole),
        cmocka_unit_test(other_methods_are_refused),
        cmocka_unit_test(sets_that_are_not_whole_are_refused),
        cmocka_unit_test(a_broken_model_stops_at_the_last_good_step),
        cmocka_unit_test(conditions_are_watched_and_discrete_states_updated),
        cmocka_unit_test(a_condition_ends_steady_steps),
        cmocka_unit_test(too_few_iterations_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
