/* The check of a step against systems whose eigenvalues are known in closed form: rows of n cells
 * that leak into their neighbours, chains of n masses, and cells whose leak is not linear. */
#include "unit.h"

#include <drystone/math.h>
#include <drystone/stability.h>

enum { MOST = 2 * DRY_STEP_DENSE };
static const double PI = 3.14159265358979323846;

/* Where rk4 leaves the real axis: 1 + z + z^2/2 + z^3/6 + z^4/24 = 1. */
static const double RK4_REAL = 2.785293563;

/* ---- systems --------------------------------------------------------------------------------- */

typedef struct model {
    int n;       /* cells or masses */
    double k[5]; /* rate of each branch, 1/s, or stiffness per mass, 1/s^2 */
} model;

typedef void rate_function(void *user, dry_branch branch, double tau, const double *x,
                           double *x_dot);

/* x_i' = k (x_(i-1) - 2 x_i + x_(i+1)), 0 beyond the ends: lambda_j = -4 k sin^2(j pi/(2 (n + 1))).
 */
static void leak(void *user, dry_branch branch, double tau, const double *x, double *x_dot) {
    const model *m = user;
    (void)tau;
    for (int i = 0; i < m->n; i++) {
        const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < m->n ? x[i + 1] : 0.0;
        x_dot[i] = m->k[branch] * (left - 2.0 * x[i] + right);
    }
}
static double fastest_leak(int n, double k) {
    const double s = sin(n * PI / (2.0 * (n + 1)));
    return 4.0 * k * s * s;
}

/* n masses between springs, positions first: lambda_j^2 is that of the row of cells. */
static void swing(void *user, dry_branch branch, double tau, const double *x, double *x_dot) {
    const model *m = user;
    for (int i = 0; i < m->n; i++) x_dot[i] = x[m->n + i];
    leak(user, branch, tau, x, x_dot + m->n);
}

/* x_i' = -k x_i^3: lambda = -3 k x_i^2. */
static void cubic(void *user, dry_branch branch, double tau, const double *x, double *x_dot) {
    const model *m = user;
    (void)tau;
    for (int i = 0; i < m->n; i++) x_dot[i] = -m->k[branch] * x[i] * x[i] * x[i];
}

/* ---- asking ---------------------------------------------------------------------------------- */

typedef struct question {
    const char *method;
    rate_function *rate;
    model model;
    bool stuck_and_loose, doubts;
} question;

typedef struct answer {
    dry_step_answer largest;
    bool fits;
} answer;

static answer ask(question q, double step) {
    static double x[MOST];
    static bool positions[MOST];
    const int n = q.rate == swing ? 2 * q.model.n : q.model.n;
    at_most(n, MOST);
    for (int i = 0; i < n; i++) x[i] = 1.0, positions[i] = q.rate == swing && i < q.model.n;
    dry_step_check check = {.arena = dry_arena_new((size_t)1 << 24),
                            .method = dry_method_find(q.method),
                            .n = n,
                            .positions = positions,
                            .x = x,
                            .rate = q.rate,
                            .user = &q.model,
                            .doubts = q.doubts};
    check.n_branches = dry_branches_of(q.stuck_and_loose, false, check.branches);
    answer a;
    dry_step_largest(&check, step, &a.largest);
    a.fits = dry_step_fits(&check, step);
    dry_arena_free(check.arena);
    assert_true(a.largest.known);
    return a;
}

/* The largest step is as expected, the fastest mode is as fast, and steps fit below it alone. */
static void expect(question q, double largest, double part, double rate, bool swings) {
    const answer a = ask(q, largest);
    near_share(a.largest.largest, largest, part);
    near_share(a.largest.fastest, rate, 1e-6 + (q.model.n > DRY_STEP_DENSE ? part : 0.0));
    assert_int_equal(a.largest.mode.swings, swings);
    assert_true(ask(q, largest * (1.0 - 2.0 * part)).fits);
    assert_false(ask(q, largest * (1.0 + 2.0 * part)).fits);
}

static model one_k(int n, double k) { return (model){n, {0.0, k, k, k, k}}; }

/* ---- tests ----------------------------------------------------------------------------------- */

static void what_settles(void **state) {
    (void)state;
    static const double k[] = {1e-3, 1.0, 5e4};
    for (int i = 0; i < 3; i++)
        for (int n = 1; n <= DRY_STEP_DENSE; n = 3 * n + 2) {
            const double rate = fastest_leak(n, k[i]);
            expect((question){"euler", leak, one_k(n, k[i]), 0, 0}, 2.0 / rate, 1e-3, rate, false);
            expect((question){"heun", leak, one_k(n, k[i]), 0, 0}, 2.0 / rate, 1e-3, rate, false);
            expect((question){"rk4", leak, one_k(n, k[i]), 0, 0}, RK4_REAL / rate, 1e-3, rate,
                   false);
        }
}

/* RK4 is stable to sqrt(8) on the imaginary axis, semi-implicit steps to 2. */
static void what_swings(void **state) {
    (void)state;
    for (int n = 1; n <= 40; n = 3 * n + 2) {
        const double rate = sqrt(fastest_leak(n, 1e6));
        expect((question){"rk4", swing, one_k(n, 1e6), 0, 0}, sqrt(8.0) / rate, 1e-3, rate, true);
        expect((question){"semi-implicit", swing, one_k(n, 1e6), 0, 0}, 2.0 / rate, 2e-3, rate,
               true);
    }
}

/* The branch with the shortest step is named, whichever it is; `fastest` is of the stuck one. */
static void the_worst_branch(void **state) {
    (void)state;
    for (int loose = 0; loose < 2; loose++) {
        model m = {1, {0.0}};
        m.k[DRY_ALL_STUCK] = loose ? 1.0 : 50.0;
        m.k[DRY_ALL_LOOSE] = loose ? 50.0 : 1.0;
        const answer a = ask((question){"euler", leak, m, true, false}, 0.5 / 50.0);
        near_share(a.largest.largest, 2.0 / 100.0, 1e-3);
        near_share(a.largest.fastest, 2.0 * m.k[DRY_ALL_STUCK], 1e-6);
        near_share(a.largest.mode.rate, 100.0, 1e-6);
        assert_int_equal(a.largest.branch, loose ? DRY_ALL_LOOSE : DRY_ALL_STUCK);
        assert_true(a.fits);
        assert_false(ask((question){"euler", leak, m, true, false}, 2.1 / 100.0).fits);
    }
}

/* Of a larger system the size of the fastest mode is estimated, to a few percent; a check that
 * doubts allows what 1.2 times the step of a mode that settles allows. */
static void large_systems_that_doubt(void **state) {
    (void)state;
    const int n = 2 * DRY_STEP_DENSE;
    const double rate = fastest_leak(n, 1e3);
    expect((question){"euler", leak, one_k(n, 1e3), 0, 1}, 1.2 * 2.0 / rate, 0.05, rate, false);
    expect((question){"rk4", leak, one_k(n, 1e3), 0, 1}, 1.2 * RK4_REAL / rate, 0.05, rate, false);
}

/* By the matrix of a step, which is not made of a larger system: 2 is the bound of semi-implicit
 * steps for a mode that settles, 1.2 times that is unstable for every mode of that size. Above a
 * step that is stable nothing is looked for. */
static void large_systems_by_matrix(void **state) {
    (void)state;
    const question q = {"semi-implicit", swing, one_k(DRY_STEP_DENSE, 1e6), 0, 0};
    const double rate = sqrt(fastest_leak(DRY_STEP_DENSE, 1e6));
    near_share(ask(q, 5.0 / rate).largest.largest, 1.2 * 2.0 / rate, 0.05);
    is_infinite(ask(q, 2.0 / rate).largest.largest);
    assert_true(ask(q, 2.2 / rate).fits);
    assert_false(ask(q, 2.6 / rate).fits);
}

/* Without doubts the mode can be at 0.2 |lambda| left of the imaginary axis, to which Euler is
 * stable for |z| up to 2 * 0.2. The model is looked at where it is: at x = 1 the slope of -k x^3 is
 * -3 k. */
static void large_systems(void **state) {
    (void)state;
    const int n = 2 * DRY_STEP_DENSE;
    const double rate = 3.0 * 1e3;
    const answer a = ask((question){"euler", cubic, one_k(n, 1e3), 0, 0}, 1e-6);
    near_share(a.largest.fastest, rate, 1e-3);
    near_share(a.largest.largest, 2.0 * 0.2 / rate, 2e-3);
    assert_true(a.fits);
    assert_false(ask((question){"euler", cubic, one_k(n, 1e3), 0, 0}, 1e-3).fits);
}

/* The same model, small: all its modes are known to settle. */
static void a_small_system_is_looked_at_where_it_is(void **state) {
    (void)state;
    for (int n = 1; n < 40; n += 19) {
        const question q = {"euler", cubic, one_k(n, 1e3), 0, 0};
        expect(q, 2.0 / 3e3, 1e-3, 3e3, false);
    }
}

/* Every mode up to the safe radius is stable. With |R - e^z| = |z|^(p+1)/(p+1)! + ... the bound
 * e^r |R - e^z| <= 5e-4 r holds up to |z| = 1.0e-3 for Euler, 0.053 for Heun and 0.44 for RK4; the
 * radius is the next power of 1/2. */
static void the_safe_radius(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double radius;
    } rows[] = {{"euler", 0x1p-10}, {"heun", 0x1p-5}, {"rk4", 0x1p-2}};
    for (int i = 0; i < 3; i++) {
        const dry_method *method = dry_method_find(rows[i].method);
        const double r = dry_safe_radius(method);
        equal(r, rows[i].radius);
        for (int k = 0; k < 360; k++)
            assert_true(dry_mode_stable(method, cos(k * PI / 180.0), sin(k * PI / 180.0), r));
    }
    equal(dry_safe_radius(dry_method_find("dopri5")), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_settles),
        cmocka_unit_test(what_swings),
        cmocka_unit_test(large_systems_by_matrix),
        cmocka_unit_test(the_worst_branch),
        cmocka_unit_test(large_systems_that_doubt),
        cmocka_unit_test(large_systems),
        cmocka_unit_test(a_small_system_is_looked_at_where_it_is),
        cmocka_unit_test(the_safe_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
