/* What the splitting must take along: levels of other forces, bodies without friction, forces
 * without a value at zero, time in the rates. Both schemes are of first order. */
#include "unit.h"

#include "problems.h"

static const dry_rigid_scheme both[] = {DRY_RIGID_SPLIT, DRY_RIGID_SPLIT_SYMMETRIC};

static double final_of(const problem *of, dry_rigid_scheme scheme, double h, double T, int j) {
    dry_rigid *r = rigid_begin(of, (dry_rigid_options){.scheme = scheme, .step = h});
    go(r, T);
    const double x = dry_rigid_state(r)[j];
    dry_rigid_free(r);
    return x;
}

/* ---- f1 in 4 sgn(v1), f2 in mu |f1| sgn(v2) ----------------------------------- */

/* v1: 2 m/s, driven by 2 N, stands after 1 s, from when on f1 = 2 N. v2: 3 m/s, 2 kg: f2 = 2 N for
 * 1 s, then 1 N: x2(4) = 3 - 1/2 + 2*3 - 9/4 = 6.25 m. */
static void two_eval(const dry_env *env, double t, const double *x, const double *lambda,
                     const dry_inclusion_values *out) {
    (void)env, (void)t;
    out->rate[0] = 2.0 - lambda[0];
    out->rate[1] = -0.5 * lambda[1];
    out->rate[2] = x[1];
    out->slide[0] = x[0];
    out->slide[1] = x[1];
    out->level[0] = 4.0;
    out->level[1] = 0.5 * fabs(lambda[0]);
    out->push[0] = -1.0;
    out->push[1] = -0.5;
    out->feel[0] = out->feel[1] = 1.0;
    out->lift[0] = 0.5 * dry_sgn(lambda[0]); /* 0 where f1 is 0 */
}
static void two_problem(problem *of) {
    problem_begin(of, "two", two_eval, NULL);
    add_state(of, "v1", true, 2.0);
    add_state(of, "v2", true, 3.0);
    add_state(of, "x2", false, 0.0);
    for (int i = 0; i < 2; i++) {
        add_set(of, i ? "f2" : "f1", dry_set_find("sgn"), 1, 0.0);
        add_push(of, i, i);
        add_feel(of, i, i);
    }
    add_lift(of, 1, 0);
    of->inclusion.steady = true;
}
static void a_level_may_depend_on_another_friction_force(void **state) {
    (void)state;
    problem of;
    two_problem(&of);
    for (int i = 0; i < 2; i++) {
        const double h = 1e-3, x2 = final_of(&of, both[i], h, 4.0, 2);
        closer(x2, 6.25, 3.0 * h); /* of the order of v2 h */
        closer(final_of(&of, both[i], h, 4.0, 1), 0.5, h);
    }
    closer(final_of(&of, DRY_RIGID_PROX, 1e-3, 4.0, 2), 6.25, 1e-9);
}

static void negative_eval(const dry_env *env, double t, const double *x, const double *lambda,
                          const dry_inclusion_values *out) {
    two_eval(env, t, x, lambda, out);
    out->level[1] = 3.0 - lambda[0];
    out->lift[0] = -1.0;
}
static void a_level_that_a_force_makes_negative_is_told(void **state) {
    (void)state;
    problem of;
    two_problem(&of);
    of.inclusion.eval = negative_eval;
    of.sets[1].line = 7;
    for (int i = 0; i < 2; i++) {
        dry_rigid *r = rigid_begin(&of, (dry_rigid_options){.scheme = both[i], .step = 1e-3});
        dry_error error = {0};
        assert_int_equal(dry_rigid_advance(r, 1.0, &error), DRY_BAD_MODEL);
        assert_non_null(strstr(error.text, "level chi of `f2` (line 7) became negative"));
        dry_rigid_free(r);
    }
}

/* ---- a body without friction, on a spring to one that does not move ------------ */

/* x2' = v2, v2' = -w^2 x2 + 0 f: states that no force acts on; E = (v2^2 + w^2 x2^2)/2 is kept. */
static const double w = 100.0;
static void free_eval(const dry_env *env, double t, const double *x, const double *lambda,
                      const dry_inclusion_values *out) {
    (void)env, (void)t;
    out->rate[0] = -lambda[0];
    out->rate[1] = -w * w * x[2];
    out->rate[2] = x[1];
    out->slide[0] = x[0];
    out->level[0] = 1.0;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static void a_body_without_friction_keeps_its_energy(void **state) {
    (void)state; /* 10,000 substeps of w tau = 0.05: explicit Euler grows by e^(0.05^2/2 1e4) */
    problem of;
    problem_begin(&of, "free", free_eval, NULL);
    add_state(&of, "v1", true, 0.0);
    add_state(&of, "v2", false, 0.0);
    add_state(&of, "x2", false, 1.0);
    one_mass(&of, "f", dry_set_find("sgn"), 0.0);
    of.inclusion.steady = false;
    for (int i = 0; i < 2; i++) {
        const double v = final_of(&of, both[i], 1e-3, 5.0, 1),
                     x = final_of(&of, both[i], 1e-3, 5.0, 2);
        closer(hypot(v / w, x), 1.0, 0.01); /* the midpoint rule: (w tau)^4/8 each */
    }
}

/* ---- a force of position that has no value at zero ------------------------------- */

/* v' = 1/x^2 - 1 - f with |f| <= 0.2 from x = 1: it stands where it is; from x = 1/2 it moves. */
static void pole_eval(const dry_env *env, double t, const double *x, const double *lambda,
                      const dry_inclusion_values *out) {
    (void)env, (void)t;
    out->rate[0] = 1.0 / (x[1] * x[1]) - 1.0 - lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0];
    out->level[0] = 0.2;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static void a_force_without_a_value_at_zero_is_split_at_the_start(void **state) {
    (void)state; /* until it turns, v^2/2 = (1/x0 - 1/x) - 1.2 (x - x0) */
    problem of;
    problem_begin(&of, "pole", pole_eval, NULL);
    add_state(&of, "v", true, 0.0);
    add_state(&of, "x", false, 1.0);
    one_mass(&of, "f", dry_set_find("sgn"), 0.0);
    for (int i = 0; i < 2; i++) equal(final_of(&of, both[i], 1e-3, 1.0, 1), 1.0);
    of.start[1] = 0.5;
    for (int i = 0; i < 2; i++) {
        const double h = 1e-4, v = final_of(&of, both[i], h, 0.4, 0),
                     x = final_of(&of, both[i], h, 0.4, 1);
        above(v, 0.1);
        closer(0.5 * v * v - (2.0 - 1.0 / x), -1.2 * (x - 0.5), 10.0 * h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_may_depend_on_another_friction_force),
        cmocka_unit_test(a_level_that_a_force_makes_negative_is_told),
        cmocka_unit_test(a_body_without_friction_keeps_its_energy),
        cmocka_unit_test(a_force_without_a_value_at_zero_is_split_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
