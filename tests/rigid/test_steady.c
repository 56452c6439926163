/* The steps in which nothing happens go where the general ones go: the same inclusions with
 * `steady` told and not told. Both solve the same equations, so that they differ by rounding alone,
 * and by what that does to the times of events: 1e-9 after some thousand steps. */
#include "unit.h"

#include "problems.h"

/* A clutch and a brake: J a' = T - f, I b' = f - g, both sets on the second shaft. */
static void clutch_eval(const dry_env *env, double t, const double *x, const double *lambda,
                        const dry_inclusion_values *out) {
    (void)env;
    const double J = 0.2, I = 0.8, T = t < 0.6 ? 60.0 : 15.0;
    out->rate[0] = (T - lambda[0]) / J;
    out->rate[1] = (lambda[0] - lambda[1]) / I;
    out->rate[2] = x[0];
    out->slide[0] = x[0] - x[1];
    out->slide[1] = x[1];
    out->level[0] = dry_min(400.0, 400.0 * t);
    out->level[1] = 20.0;
    out->push[0] = -1.0 / J, out->push[1] = 1.0 / I, out->push[2] = -1.0 / I;
    out->feel[0] = 1.0, out->feel[1] = -1.0, out->feel[2] = 1.0;
}
static void clutch_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 0.6;
}
static void clutch_problem(problem *of) {
    problem_begin(of, "clutch", clutch_eval, NULL);
    add_state(of, "a", true, 150.0);
    add_state(of, "b", true, 0.0);
    add_state(of, "phi", false, 0.0);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    add_set(of, "g", dry_set_find("sgn"), 1, 0.0);
    add_push(of, 0, 0), add_push(of, 1, 0), add_push(of, 1, 1);
    add_feel(of, 0, 0), add_feel(of, 0, 1), add_feel(of, 1, 1);
    add_breaks(of, 1, clutch_breaks);
}

/* Between two walls, 1 m apart, with friction: w' = A - B - f + push. */
static void walls_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = x[1];
    out->rate[1] = lambda[0] - lambda[1] - lambda[2] + sin(3.0 * t);
    out->slide[0] = x[1], out->slide[1] = -x[1], out->slide[2] = x[1];
    out->gap[0] = x[0], out->gap[1] = 1.0 - x[0];
    out->level[2] = 0.2;
    out->push[0] = 1.0, out->push[1] = -1.0, out->push[2] = -1.0;
    out->feel[0] = 1.0, out->feel[1] = -1.0, out->feel[2] = 1.0;
}
static void walls_problem(problem *of) {
    problem_begin(of, "walls", walls_eval, NULL);
    add_state(of, "q", false, 0.5);
    add_state(of, "w", true, 2.0);
    add_set(of, "A", dry_set_find("dio"), 1, 0.5);
    add_set(of, "B", dry_set_find("dio"), 1, 0.5);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    for (int i = 0; i < 3; i++) add_push(of, 1, i), add_feel(of, i, 1);
}

static void same(void (*set_up)(problem *), double until) {
    problem of[2];
    dry_rigid *r[2];
    for (int i = 0; i < 2; i++) {
        set_up(&of[i]);
        of[i].inclusion.steady = i == 1;
        r[i] = rigid_begin(&of[i], (dry_rigid_options){.step = 1e-3});
    }
    for (int part = 1; part <= 40; part++) {
        for (int i = 0; i < 2; i++) go(r[i], until * part / 40);
        for (int j = 0; j < of[0].inclusion.n_states; j++) {
            const double a = dry_rigid_state(r[0])[j], b = dry_rigid_state(r[1])[j];
            if (!(fabs(a - b) <= 1e-9 * (1.0 + fabs(a))))
                fail_msg("%s, part %d, state %d: %.17g, gliding %.17g", of[0].system.name, part, j,
                         a, b);
        }
    }
    const dry_rigid_counts general = dry_rigid_count(r[0]), glided = dry_rigid_count(r[1]);
    assert_int_equal(general.impacts, glided.impacts);
    below(4 * glided.iterations, general.iterations); /* most steps were such */
    for (int i = 0; i < 2; i++) dry_rigid_free(r[i]);
}

static void sets_that_act_on_each_other(void **state) {
    (void)state;
    same(clutch_problem, 4.0);
}
static void contacts_and_friction_on_one_body(void **state) {
    (void)state;
    same(walls_problem, 12.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_act_on_each_other),
        cmocka_unit_test(contacts_and_friction_on_one_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
