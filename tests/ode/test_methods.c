/* The rows of the catalogue: order of accuracy, the tau they pass, energy, dense output,
 * repetition. */
#include "unit.h"

#include "ode/ode_private.h"
#include "problems.h"

/* ---- smooth problems with known solutions -------------------------------- */

/* x'' = -x as (x, v); solution (cos t, -sin t) */
static void oscillator_rate(const dry_env *env, double t, double tau, const double *x,
                            double *x_dot) {
    (void)env, (void)t, (void)tau;
    x_dot[0] = x[1];
    x_dot[1] = -x[0];
}
static void oscillator_exact(double t, double *x) {
    x[0] = cos(t);
    x[1] = -sin(t);
}
/* y' = y (1 - y), y(0) = 1/3: y = 1/(1 + 2 exp(-t)); z' = -2 t z^2, z(0) = 1: z = 1/(1 + t^2) */
static void nonlinear_rate(const dry_env *env, double t, double tau, const double *x,
                           double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = x[0] * (1.0 - x[0]);
    x_dot[1] = -2.0 * t * x[1] * x[1];
}
static void nonlinear_exact(double t, double *x) {
    x[0] = 1.0 / (1.0 + 2.0 * exp(-t));
    x[1] = 1.0 / (1.0 + t * t);
}
/* y' = y cos t: y = exp(sin t); z' = cos t - z + sin t: z = sin t */
static void forced_rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau;
    x_dot[0] = x[0] * cos(t);
    x_dot[1] = cos(t) - x[1] + sin(t);
}
static void forced_exact(double t, double *x) {
    x[0] = exp(sin(t));
    x[1] = sin(t);
}

typedef struct smooth {
    dry_rate_fn *rate;
    void (*exact)(double t, double *x);
} smooth;
static const smooth problems[] = {{oscillator_rate, oscillator_exact},
                                  {nonlinear_rate, nonlinear_exact},
                                  {forced_rate, forced_exact}};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

static const bool second_is_no_position[] = {true, false};
static dry_system smooth_system(const smooth *problem) {
    return (dry_system){.name = "smooth",
                        .n_states = 2,
                        .rate = problem->rate,
                        .positions =
                            problem->rate == oscillator_rate ? second_is_no_position : NULL};
}

static double distance(const double *x, const double *y) {
    return fmax(fabs(x[0] - y[0]), fabs(x[1] - y[1]));
}

static double error_at(const smooth *problem, const char *method, dry_ode_options options,
                       double t) {
    double x0[2], exact[2];
    run r;
    problem->exact(0.0, x0);
    problem->exact(t, exact);
    assert_int_equal(run_begin(&r, smooth_system(problem), method, options, NULL, x0), DRY_OK);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    equal(r.ode.t, t);
    const double error = distance(r.ode.x, exact);
    run_end(&r);
    return error;
}

/* ---- tests --------------------------------------------------------------- */

static void catalogue(void **state) {
    (void)state;
    const char *names[] = {"euler", "heun", "rk4", "rk4-tau", "semi-implicit", "dopri5", "dop853"};
    assert_int_equal(dry_method_count(), 7);
    for (int i = 0; i < 7; i++) {
        const dry_method *method = dry_method_find(names[i]);
        assert_non_null(method);
        assert_ptr_equal(method, dry_method_at(i));
        if (dry_method_lacks(method)) fail_msg("%s lacks %s", names[i], dry_method_lacks(method));
    }
    assert_ptr_equal(dry_method_find("rk5"), dry_method_missing());
    assert_non_null(dry_method_lacks(dry_method_missing()));
    assert_null(dry_method_at(-1));
    assert_null(dry_method_at(7));
    assert_ptr_equal(dry_method_standard(), dry_method_find("rk4"));
}

/* Each fact that is taken from a row is missed by its name, and such a method is not taken. */
static void a_row_that_is_not_whole_is_told(void **state) {
    (void)state;
    const dry_method whole = *dry_method_find("heun"), damped = *dry_method_find("rk4-tau");
    dry_coefficients wrong = *whole.fixed;
    dry_method method;
    dry_ode ode;
    dry_system system = drift_system(&force_x13);
    const dry_ode_options options = {.step = 1e-3};
#define WITHOUT(row, what, fact, value)                                                            \
    method = row;                                                                                  \
    method.fact = value;                                                                           \
    assert_non_null(dry_method_lacks(&method));                                                    \
    assert_string_equal(dry_method_lacks(&method), what);                                          \
    assert_int_equal(dry_ode_size(&system, &method), 0);                                           \
    assert_int_equal(dry_ode_init(&ode, &system, &method, &options, NULL, 0.0, NULL, NULL, NULL),  \
                     DRY_BAD_ARGUMENT)
    WITHOUT(whole, "name", name, NULL);
    WITHOUT(whole, "title", title, "");
    WITHOUT(whole, "paper", paper, NULL);
    WITHOUT(whole, "order", order, 0);
    WITHOUT(whole, "stages", stages, 0);
    WITHOUT(whole, "takes", takes, 0);
    WITHOUT(whole, "stability", stability, DRY_STABILITY_UNSAID);
    WITHOUT(whole, "adaptive", stability, DRY_STABILITY_CONTROLLED);
    WITHOUT(whole, "growth", stability, DRY_STABILITY_GROWTH);
    WITHOUT(damped, "tau", tau, 0.0);
    WITHOUT(whole, "coefficients", fixed, NULL);
    WITHOUT(whole, "kappa, relax, omega_T", kappa, 0.0);
    wrong.b = NULL;
    WITHOUT(whole, "coefficients", fixed, &wrong);
    wrong = *damped.fixed;
    wrong.tau = NULL;
    WITHOUT(damped, "coefficients", fixed, &wrong);
#undef WITHOUT
}

/* Halving the step divides the error by 2^order. Between h and h/2 the next term of the error
 * changes the measured order by O(h): 0.25 leaves room for it at h = 1/20. */
static void order_of_fixed_steps(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        if (method->adaptive) continue;
        for (int i = 0; i < PROBLEMS; i++) {
            const double coarse =
                error_at(&problems[i], method->name, (dry_ode_options){.step = 1.0 / 20.0}, 2.0);
            const double fine =
                error_at(&problems[i], method->name, (dry_ode_options){.step = 1.0 / 40.0}, 2.0);
            const double order = log2(coarse / fine);
            closer(order, method->order, 0.25);
        }
    }
}

/* Conditions on the coefficients of every row that has some: each row of a adds up to its c; b
 * integrates t^k (bushy trees, sum b c^k = 1/(k+1)) and the exponential series (tall trees, sum b
 * a^k 1 = 1/(k+1)!) up to the order. Coefficients of up to 43 with 16 digits leave 1e-13 at most.
 */
static void conditions_of_order(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        const struct dry_tableau *table = method->tableau;
        const dry_coefficients k = table->k;
        const int end = method->adaptive ? table->end_stage : k.stages;
        const double over = k.over > 0.0 ? k.over : 1.0;
        double bushy[16], tall[16], factorial = 1.0;
        if (k.form == DRY_FORM_STAGGERED) continue;
        for (int s = 0; s < k.stages; s++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += k.a[s * (s - 1) / 2 + j];
            closer(sum, k.c[s], 1e-13);
            bushy[s] = tall[s] = 1.0;
        }
        for (int order = 1; order <= method->order; order++) {
            double sum_bushy = 0.0, sum_tall = 0.0;
            factorial *= order;
            for (int s = end - 1; s >= 0; s--) {
                sum_bushy += k.b[s] / over * bushy[s];
                sum_tall += k.b[s] / over * tall[s];
                bushy[s] *= k.c[s];
                double next = 0.0;
                for (int j = 0; j < s; j++) next += k.a[s * (s - 1) / 2 + j] * tall[j];
                tall[s] = next;
            }
            closer(sum_bushy, 1.0 / order, 1e-13);
            closer(sum_tall, 1.0 / factorial, 1e-13);
        }
    }
}

/* Steps of length h whatever the error. */
static dry_ode_options steps_of(double h) {
    return (dry_ode_options){.step = h, .max_step = h, .rtol = 1.0, .atol = 1.0};
}
/* Steps at which the error of the pair is neither rounding nor ruled by higher powers of h. */
static const double pair_steps[PAIRS] = {0.1, 0.2};

/* With tolerances out of the way the steps are max_step: the propagated solution has the order of
 * the row. */
static void order_of_pairs(void **state) {
    (void)state;
    for (int m = 0; m < PAIRS; m++)
        for (int i = 0; i < PROBLEMS; i++) {
            const double h = pair_steps[m];
            const double order = log2(error_at(&problems[i], pairs[m], steps_of(h), 2.0) /
                                      error_at(&problems[i], pairs[m], steps_of(0.5 * h), 2.0));
            const double expected = dry_method_find(pairs[m])->order;
            between(order, expected - 0.4, expected + 1.0);
        }
}

/* The error stays near the tolerance: it accumulates over some tens of steps at most. */
static void error_follows_tolerance(void **state) {
    (void)state;
    for (int m = 0; m < PAIRS; m++)
        for (int i = 0; i < PROBLEMS; i++)
            for (double tol = 1e-3; tol > 0.5e-12; tol *= 0.1)
                below(error_at(&problems[i], pairs[m], (dry_ode_options){.rtol = tol, .atol = tol},
                               5.0),
                      30.0 * tol);
}

/* The largest error of the dense output inside the steps; it is O(h^order) per step length h. */
static double dense_error(const char *method, dry_ode_options options) {
    const smooth *problem = &problems[2];
    double x0[2], x[2], exact[2], worst = 0.0;
    run r;
    problem->exact(0.0, x0);
    assert_int_equal(run_begin(&r, smooth_system(problem), method, options, NULL, x0), DRY_OK);
    while (r.ode.t < 2.0) {
        assert_int_equal(dry_ode_step(&r.ode, 2.0), DRY_OK);
        for (int i = 0; i <= 10; i++) {
            const double t = r.ode.t_before + 0.1 * i * (r.ode.t - r.ode.t_before);
            dry_ode_dense(&r.ode, t, x);
            problem->exact(t, exact);
            worst = fmax(worst, distance(x, exact));
        }
    }
    run_end(&r);
    return worst;
}

/* Dense output of order 4 and 7: an error O(h^5) and O(h^8) within a step, no less than that of the
 * steps; Hermite: O(h^4). */
static void order_of_dense_output(void **state) {
    (void)state;
    const double expected[PAIRS] = {5.0, 8.0};
    for (int m = 0; m < PAIRS; m++) {
        const double h = pair_steps[m];
        const double order =
            log2(dense_error(pairs[m], steps_of(h)) / dense_error(pairs[m], steps_of(0.5 * h)));
        between(order, expected[m] - 0.4, expected[m] + 1.0);
    }
    const double hermite = log2(dense_error("rk4", (dry_ode_options){.step = 0.1}) /
                                dense_error("rk4", (dry_ode_options){.step = 0.05}));
    between(hermite, 3.7, 4.5);
}

static void dense_ends(void **state) {
    (void)state;
    const char *methods[] = {"rk4", "dopri5", "dop853"};
    for (int m = 0; m < 3; m++) {
        double x0[2] = {1.0, 0.0}, x[2];
        run r;
        assert_int_equal(run_begin(&r, smooth_system(&problems[0]), methods[m],
                                   (dry_ode_options){.step = 0.1}, NULL, x0),
                         DRY_OK);
        dry_ode_dense(&r.ode, 0.0, x);
        equal(x[0], 1.0);
        equal(x[1], 0.0);
        assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
        dry_ode_dense(&r.ode, 0.0, x);
        equal(x[0], 1.0);
        equal(x[1], 0.0);
        dry_ode_dense(&r.ode, r.ode.t, x);
        equal(x[0], r.ode.x[0]);
        equal(x[1], r.ode.x[1]);
        run_end(&r);
    }
}

/* ---- tau ----------------------------------------------------------------- */

static double seen[8];
static int n_seen;
static void listening_rate(const dry_env *env, double t, double tau, const double *x,
                           double *x_dot) {
    (void)env, (void)t;
    if (n_seen < 8) seen[n_seen++] = tau;
    x_dot[0] = x[1];
    x_dot[1] = 0.0;
}
static void expect_taus(const char *method, const bool *positions, int n, const double *parts) {
    const double h = 0.125;
    const dry_system system = {
        .name = "listening", .n_states = 2, .rate = listening_rate, .positions = positions};
    run r;
    assert_int_equal(run_begin(&r, system, method, (dry_ode_options){.step = h}, NULL, NULL),
                     DRY_OK);
    n_seen = 0;
    assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
    assert_int_equal(n_seen, n);
    assert_int_equal(r.ode.counts.rates, n);
    for (int i = 0; i < n; i++) equal(seen[i], parts[i] * h);
    run_end(&r);
}
/* KY08 (21): {T/2, T/2, T, T}; KY08 (14): T; all others 0 */
static void tau_as_the_row_says(void **state) {
    (void)state;
    const double zero[4] = {0}, whole[2] = {1.0, 1.0};
    expect_taus("euler", NULL, 1, zero);
    expect_taus("heun", NULL, 2, zero);
    expect_taus("rk4", NULL, 4, zero);
    expect_taus("rk4-tau", NULL, 4, (const double[]){0.5, 0.5, 1.0, 1.0});
    expect_taus("semi-implicit", NULL, 1, whole);
    expect_taus("semi-implicit", second_is_no_position, 2, whole);
}

/* ---- what the methods promise -------------------------------------------- */

/* Symplectic Euler keeps x^2 + v^2 - h x v, so that the energy stays within a factor
 * (1 + h/2)/(1 - h/2); forward Euler multiplies it by 1 + h^2 in every step. */
static void semi_implicit_keeps_energy(void **state) {
    (void)state;
    const double x0[2] = {1.0, 0.0}, h = 0.1;
    run r;
    assert_int_equal(run_begin(&r, smooth_system(&problems[0]), "semi-implicit",
                               (dry_ode_options){.step = h}, NULL, x0),
                     DRY_OK);
    for (int k = 1; k <= 10000; k++) {
        assert_int_equal(dry_ode_advance(&r.ode, k * h), DRY_OK);
        const double *x = r.ode.x, energy = x[0] * x[0] + x[1] * x[1];
        between(energy, 0.94, 1.06);
        below(fmin(fabs(energy + h * x[0] * x[1] - 1.0), fabs(energy - h * x[0] * x[1] - 1.0)),
              1e-10);
    }
    run_end(&r);
}

/* Experiment 7: RK4 with stage steps is classical RK4 with B + 3/4 T K in place of B, as long as
 * the element sticks (there the step is linear and the weights 1,2,2,1 of T/2,T/2,T,T give 3/4 up
 * to higher powers of T). */
static void stage_tau_adds_damping(void **state) {
    (void)state;
    const double h = 1e-5, par_tau[] = {1.0, 0.5, 5e3, 2e-3, 0.0};
    const double par_plain[] = {1.0, 0.5, 5e3, 2e-3 + 0.75 * h, 0.0};
    run tau, plain, none;
    const dry_system system = drift_system(&force_x13);
    run_begin(&tau, system, "rk4-tau", (dry_ode_options){.step = h}, par_tau, NULL);
    run_begin(&plain, system, "rk4", (dry_ode_options){.step = h}, par_plain, NULL);
    run_begin(&none, system, "rk4", (dry_ode_options){.step = h}, par_tau, NULL);
    assert_int_equal(dry_ode_advance(&tau.ode, 0.1), DRY_OK);
    assert_int_equal(dry_ode_advance(&plain.ode, 0.1), DRY_OK);
    assert_int_equal(dry_ode_advance(&none.ode, 0.1), DRY_OK);
    const double left = fabs(tau.ode.x[0] - plain.ode.x[0]);
    const double effect = fabs(tau.ode.x[0] - none.ode.x[0]);
    above(effect, 0.0);
    below(left, 0.02 * effect);
    run_end(&tau);
    run_end(&plain);
    run_end(&none);
}

/* Twice the same run gives the same bits, in one go or from grid point to grid point. */
static void repeated_runs_agree(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        run a, b;
        const dry_ode_options options = {.step = method->adaptive ? 0.0 : 1e-3};
        run_begin(&a, drift_system(&force_x13), method->name, options, NULL, NULL);
        run_begin(&b, drift_system(&force_x13), method->name, options, NULL, NULL);
        assert_int_equal(dry_ode_advance(&a.ode, 2.5), DRY_OK);
        if (method->adaptive)
            assert_int_equal(dry_ode_advance(&b.ode, 2.5), DRY_OK);
        else
            for (int k = 1; k <= 2500; k++)
                assert_int_equal(dry_ode_advance(&b.ode, k * 1e-3), DRY_OK);
        all_same_bits(3, a.ode.x, b.ode.x);
        assert_int_equal(a.ode.counts.steps, b.ode.counts.steps);
        run_end(&a);
        run_end(&b);
    }
}

/* A million steps: the grid time does not accumulate rounding, nor does the phase error grow beyond
 * its own h^4/120 per radian (2.6e-12 in 100 rad) and the rounding of 1e6 additions (1e6 eps). */
static void million_steps(void **state) {
    (void)state;
    const double error = error_at(&problems[0], "rk4", (dry_ode_options){.step = 1e-4}, 100.0);
    below(error, 1e6 * 2.3e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(catalogue),
        cmocka_unit_test(a_row_that_is_not_whole_is_told),
        cmocka_unit_test(order_of_fixed_steps),
        cmocka_unit_test(conditions_of_order),
        cmocka_unit_test(order_of_pairs),
        cmocka_unit_test(error_follows_tolerance),
        cmocka_unit_test(order_of_dense_output),
        cmocka_unit_test(dense_ends),
        cmocka_unit_test(tau_as_the_row_says),
        cmocka_unit_test(semi_implicit_keeps_energy),
        cmocka_unit_test(stage_tau_adds_damping),
        cmocka_unit_test(repeated_runs_agree),
        cmocka_unit_test(million_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
