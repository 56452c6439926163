/* The step against the springs and dampers of a model.
 *
 *     M v' = f - c v - k p - lambda,  lambda in F sgn(v),  p' = v
 *
 * The midpoint rule bears h c/M up to 2, and an Adams method of third order 0.545 (Hairer, Norsett,
 * Wanner 1993, III.1 and V.1): between them the scheme must not be wrong, beyond it must say so. */
#include "unit.h"

#include "problems.h"

enum { C, K, F, PUSH, N_PAR }; /* with M = 1 */

static void damped_eval(const dry_env *env, double t, const double *x, const double *lambda,
                        const dry_inclusion_values *out) {
    (void)t;
    const double *par = env->par;
    out->rate[0] = x[1];
    out->rate[1] = par[PUSH] - par[C] * x[1] - par[K] * x[0] - lambda[0];
    out->slide[0] = x[1];
    out->level[0] = par[F];
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}

static dry_rigid *begin(problem *of, const double par[N_PAR], bool steady, double v, double step) {
    problem_begin(of, "damped", damped_eval, par);
    add_state(of, "p", false, 0.0);
    add_state(of, "v", true, v);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    add_push(of, 1, 0);
    add_feel(of, 0, 1);
    of->inclusion.steady = steady;
    return rigid_begin(of, (dry_rigid_options){.step = step});
}

/* h c/M = 0.8 and 1.6: v = (f - F)/c after 200 time constants. */
static void a_strong_damper_ends_where_it_should(void **state) {
    (void)state;
    const double par[] = {4000.0, 0.0, 0.5, 1.0}, exact = 0.5 / 4000.0;
    for (int i = 0; i < 4; i++) {
        problem of;
        dry_rigid *r = begin(&of, par, i % 2 == 0, 0.0, i < 2 ? 2e-4 : 4e-4);
        dry_error error = {0};
        if (dry_rigid_advance(r, 0.05, &error) != DRY_OK) fail_msg("%s", error.text);
        closer(dry_rigid_state(r)[1], exact, 1e-12 * exact);
        dry_rigid_free(r);
    }
}

/* The step that the error names must do: v as above. */
static void a_step_that_is_too_long_is_refused(void **state) {
    (void)state;
    static const double par[][N_PAR] = {{4000.0, 0.0, 0.5, 1.0}, {0.0, 9e6, 0.5, 1.0}};
    for (int i = 0; i < 2; i++) {
        problem of;
        dry_rigid *r = begin(&of, par[i], true, 0.0, 1e-3);
        dry_error error = {0};
        assert_int_equal(dry_rigid_advance(r, 0.05, &error), DRY_BAD_ARGUMENT);
        equal(dry_rigid_time(r), 0.0);
        const char *way_out = strstr(error.text, "too long");
        assert_non_null(way_out);
        way_out = strstr(way_out, "use ");
        assert_non_null(way_out);
        const double step = strtod(way_out + 4, NULL);
        between(step, 1e-5, 1e-3);
        dry_rigid_free(r);
        r = begin(&of, par[i], true, 0.0, step);
        if (dry_rigid_advance(r, 0.05, &error) != DRY_OK) fail_msg("%s", error.text);
        dry_rigid_free(r);
    }
}

/* What grows by itself, v = v0 exp(s t), may: with third order, the error after n steps of s h = z
 * is about 3/8 n z^4, 1e-3 of it here; the midpoint rule alone would have n z^3/6, 7e-3. */
static void what_grows_by_itself_is_no_fault_of_the_step(void **state) {
    (void)state;
    const double s = 60.0, par[] = {-s, 0.0, 0.0, 0.0}, exact = 1e-3 * exp(s * 0.2);
    problem of;
    dry_rigid *r = begin(&of, par, true, 1e-3, 1e-3);
    dry_error error = {0};
    if (dry_rigid_advance(r, 0.2, &error) != DRY_OK) fail_msg("%s", error.text);
    closer(dry_rigid_state(r)[1], exact, 3e-3 * exact);
    dry_rigid_free(r);
}

/* A damper that grips after 0.3 s, h c/M = 0.8: 2.5 s later all is as it should be. */
static void gripping_eval(const dry_env *env, double t, const double *x, const double *lambda,
                          const dry_inclusion_values *out) {
    damped_eval(env, t, x, lambda, out);
    if (t > 0.3) out->rate[1] -= 800.0 * x[1];
}
static void the_step_is_checked_again(void **state) {
    (void)state;
    const double par[] = {0.0, 0.0, 0.5, 1.0}, exact = 0.5 / 800.0;
    problem of;
    dry_rigid_free(begin(&of, par, true, 0.0, 1e-3));
    of.inclusion.eval = gripping_eval;
    dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.step = 1e-3});
    go(r, 2.8);
    closer(dry_rigid_state(r)[1], exact, 1e-12 * exact);
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strong_damper_ends_where_it_should),
        cmocka_unit_test(a_step_that_is_too_long_is_refused),
        cmocka_unit_test(what_grows_by_itself_is_no_fault_of_the_step),
        cmocka_unit_test(the_step_is_checked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
