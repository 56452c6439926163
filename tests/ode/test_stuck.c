/* Bodies that stick to stiff laws: steps come to an end, and forces are right at every instant.
 *
 *     m v_dot = push t - k p - sum f_j,  f_j = sat(F_j, K (a_j + beta (v - belt)))     X13 (18)
 *
 * p: position, m; v: velocity, m/s; a: stretch, m; w: p + v, followed by itself; K, k: N/m; beta:
 * s; F: N. */
#include "unit.h"

#include "problems.h"

enum { P, V, W, A, LAWS = 2, STATES = A + LAWS };
enum { M, SPRING, PUSH, BELT, STIFF, BETA, F };
static const dry_quantity params[] = {{"m", "kg"},  {"k", "N/m"},  {"push", "N/s"}, {"belt", "m/s"},
                                      {"K", "N/m"}, {"beta", "s"}, {"F1", "N"},     {"F2", "N"}};
static const bool strains[STATES] = {[A] = true, [A + 1] = true};

static double force(const double *par, const double *x, double *a_dot) {
    const double u = x[V] - par[BELT];
    double sum = 0.0;
    for (int j = 0; j < LAWS; j++) {
        double f;
        dry_friction(1, par[STIFF], par[BETA], 0.0, par[F + j], &u, &x[A + j], &f, &a_dot[j]);
        sum += f;
    }
    return sum;
}
static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const double *par = env->par;
    (void)tau;
    x_dot[P] = x[V];
    x_dot[V] = (par[PUSH] * t - par[SPRING] * x[P] - force(par, x, &x_dot[A])) / par[M];
    x_dot[W] = x_dot[P] + x_dot[V];
}
static void kinks(const dry_env *env, double t, const double *x, double *g) {
    const double *par = env->par;
    (void)t;
    for (int j = 0; j < LAWS; j++) {
        const double f = par[STIFF] * (x[A + j] + par[BETA] * (x[V] - par[BELT]));
        g[2 * j] = par[F + j] - f;
        g[2 * j + 1] = par[F + j] + f;
    }
}
static void start(const dry_env *env, double t, double *x) {
    (void)t;
    memset(x, 0, STATES * sizeof *x);
    x[V] = x[W] = env->par[BELT];
}
static const dry_system mass = {.name = "mass",
                                .n_states = STATES,
                                .n_par = sizeof params / sizeof *params,
                                .n_kinks = 2 * LAWS,
                                .params = params,
                                .start = start,
                                .rate = rate,
                                .kinks = kinks,
                                .strains = strains};

/* ---- two frictions on one mass ------------------------------------------- */

/* The push wins at 6 N / (8 N/s) = 0.75 s, and gives (8 (3^2 - 0.75^2)/2 - 6 (3 - 0.75))/3 =
 * 6.75 m/s at 3 s; what the stretch keeps back is F/K over a second or so. While the mass creeps,
 * its velocity is like a state that relaxes, in the stages of one trial and not in the next. */
static void two_frictions(void **state) {
    (void)state;
    const double par[] = {[M] = 3.0, [PUSH] = 8.0, [STIFF] = 1.5e8, [BETA] = 2e-4, [F] = 4.0, 2.0};
    dry_system bare = mass;
    bare.strains = NULL;
    for (int m = 0; m < 2 * PAIRS; m++) {
        const dry_ode_options options = {.step = 2e-4, .max_steps = 100000};
        run r;
        assert_int_equal(
            run_begin(&r, m < PAIRS ? mass : bare, pairs[m % PAIRS], options, par, NULL), DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
        closer(r.ode.x[V], 6.75, 1e-6);
        run_end(&r);
    }
}

/* ---- a mass that rides on a belt ----------------------------------------- */

static const double belt_par[] = {
    [M] = 1.0, [SPRING] = 100.0, [BELT] = 0.1, [STIFF] = 2e8, [BETA] = 1e-4, [F] = 50.0, 0.0};

/* The force of the stuck mass is that of its spring, up to 40 N, also between the ends of steps,
 * which stability alone holds back. rtol of it is 4e-5 N; steps and continuous output leave a
 * hundred of them. The stretch is at most 2e-7 m, and atol 1e-9 m would be 0.2 N. */
static void force_of_the_stuck(void **state) {
    (void)state;
    for (int m = 0; m < PAIRS; m++) {
        run r;
        double x[STATES], a_dot[LAWS];
        assert_int_equal(
            run_begin(&r, mass, pairs[m], (dry_ode_options){.step = 1e-4}, belt_par, NULL), DRY_OK);
        while (r.ode.t < 4.0) {
            assert_int_equal(dry_ode_step(&r.ode, 4.0), DRY_OK);
            for (int i = 1; i <= 8 && r.ode.t_before > 0.1; i++) {
                dry_ode_dense(&r.ode, r.ode.t_before + i / 8.0 * (r.ode.t - r.ode.t_before), x);
                closer(force(belt_par, x, a_dot), -100.0 * x[P], 4e-3);
            }
        }
        run_end(&r);
    }
}

/* w = p + v in every step and inside of it, to rounding, though v alone has what is fast in it. */
static void sums_are_kept(void **state) {
    (void)state;
    for (int m = 0; m < PAIRS; m++) {
        run r;
        double x[STATES];
        assert_int_equal(
            run_begin(&r, mass, pairs[m], (dry_ode_options){.step = 1e-4}, belt_par, NULL), DRY_OK);
        while (r.ode.t < 1.0) {
            assert_int_equal(dry_ode_step(&r.ode, 1.0), DRY_OK);
            for (int i = 1; i <= 8; i++) {
                dry_ode_dense(&r.ode, r.ode.t_before + i / 8.0 * (r.ode.t - r.ode.t_before), x);
                closer(x[W], x[P] + x[V], 1e-13);
            }
        }
        run_end(&r);
    }
}

/* ---- a jump where the run ends ------------------------------------------- */

/* 0 between the last two instants up to 325 s, which are 5.7e-14 s apart. */
static double late(double t) { return (t - 325.0) + 4e-14; }
static void turn_back(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = late(t) < 0.0 ? 0.01 : -0.01;
}
static void turns(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)x;
    g[0] = late(t);
}
static void jump_at_the_end(void **state) {
    (void)state;
    const double zero = 0.0;
    const dry_system system = {
        .name = "way", .n_states = 1, .n_kinks = 1, .rate = turn_back, .kinks = turns};
    for (int m = 0; m < PAIRS; m++) {
        const dry_ode_options options = {.max_steps = 1000};
        run r;
        assert_int_equal(run_begin(&r, system, pairs[m], options, NULL, &zero), DRY_OK);
        assert_int_equal(dry_ode_advance(&r.ode, 325.0), DRY_OK);
        closer(r.ode.x[0], 3.25, 1e-9);
        run_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_frictions),
        cmocka_unit_test(force_of_the_stuck),
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(jump_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
