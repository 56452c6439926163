/* What a program changes between two steps of one integration, by every method: a state that it
 * sets, and parameters of a system that has nothing to prepare. */
#include "unit.h"

#include <drystone/ode.h>

/* x' = g u + (1 s^-2) t, u' = 0 */
enum { X, U, N };
static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)tau;
    x_dot[X] = env->par[0] * x[U] + t;
    x_dot[U] = 0.0;
}
/* The time of a jump is a parameter too: nothing jumps there. */
static void breaks(const dry_env *env, double *times) { times[0] = env->par[1]; }

static const dry_quantity names[] = {{"x", "m"}, {"u", "m/s"}};
static const double par_0[] = {1.0, 0.25};
static const dry_system ramp = {
    .name = "ramp", .n_states = N, .n_par = 2, .states = names, .par = par_0, .rate = rate};

typedef struct run {
    dry_ode ode;
    double par[2], work[200];
} run;

static void begin(run *r, const dry_system *system, const dry_method *method) {
    const dry_ode_options options = {.step = 1.0 / 64};
    memcpy(r->par, par_0, sizeof par_0);
    at_most(dry_ode_size(system, method), 200);
    assert_int_equal(
        dry_ode_init(&r->ode, system, method, &options, r->par, 0.0, NULL, NULL, r->work), DRY_OK);
}

/* x = sum of g_k u_k T + t^2/2; the methods of first order miss h t/2 of the second term. */
static void every_method_follows(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        const double T = 0.125;
        double sum = 0.0;
        run r;
        begin(&r, &ramp, method);
        for (int k = 0; k < 16; k++) {
            const double g = k % 3 == 0 ? 2.0 : -0.5, u = k % 5 - 2.0;
            r.par[0] = g;
            r.ode.x[U] = u;
            dry_ode_changed(&r.ode);
            assert_int_equal(dry_ode_advance(&r.ode, (k + 1) * T), DRY_OK);
            sum += g * u * T;
            const double t = (k + 1) * T;
            near_case(r.ode.x[X], sum + 0.5 * t * t, method->order > 1 ? 1e-11 : t / 64,
                      "%s, row %d", method->name, k);
        }
    }
}

/* A parameter alone, without a word about it. */
static void parameters_are_found(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_method *method = dry_method_at(m);
        run r;
        begin(&r, &ramp, method);
        r.ode.x[U] = 1.0;
        dry_ode_changed(&r.ode);
        for (int k = 0; k < 8; k++) {
            r.par[0] = k % 2 == 0 ? 3.0 : -3.0;
            assert_int_equal(dry_ode_advance(&r.ode, (k + 1) * 0.125), DRY_OK);
        }
        near_case(r.ode.x[X], 0.5, method->order > 1 ? 1e-11 : 1.0 / 64, "%s", method->name);
    }
}

static void break_times_are_read_again(void **state) {
    (void)state;
    dry_system system = ramp;
    run r;
    system.n_breaks = 1;
    system.breaks = breaks;
    begin(&r, &system, dry_method_find("rk4"));
    r.par[1] = 0.4; /* no point of the grid: one step more */
    assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
    assert_int_equal(r.ode.counts.steps, 65);
}

/* Nothing between the ends of a step is known any more. */
static void the_last_step_is_not_interpolated(void **state) {
    (void)state;
    double x[N];
    run r;
    begin(&r, &ramp, dry_method_find("dopri5"));
    assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_OK);
    r.ode.x[X] = 7.0;
    dry_ode_changed(&r.ode);
    dry_ode_dense(&r.ode, 0.5 * (r.ode.t_before + r.ode.t), x);
    equal(x[X], 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_follows),
        cmocka_unit_test(parameters_are_found),
        cmocka_unit_test(break_times_are_read_again),
        cmocka_unit_test(the_last_step_is_not_interpolated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
