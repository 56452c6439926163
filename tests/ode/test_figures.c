/* The figures of the papers as numbers: at the paper's step (RK4, 1 ms, no break declared) and
 * converged (dopri5, tight, break at 2 s). Every expected number is worked out independently of
 * this library; where it is printed with n digits, half a unit of the last one is allowed. */
#include "unit.h"

#include "problems.h"

static const dry_ode_options paper_step = {.step = 1e-3};
/* max_step: no two of the events that are looked for in one step */
static const dry_ode_options converged = {.rtol = 1e-12, .atol = 1e-15, .max_step = 0.1};

/* ---- events -------------------------------------------------------------- */

typedef double scalar_fn(const run *r, double t, const double *x);

/* Goes on step by step until `s` becomes positive, and finds when on the dense output; x becomes
 * the state there. Returns the time. */
static double until(run *r, scalar_fn *s, double t_end, double *x) {
    while (r->ode.t < t_end) {
        const bool was = s(r, r->ode.t, r->ode.x) > 0.0;
        assert_int_equal(dry_ode_step(&r->ode, t_end), DRY_OK);
        if (was || !(s(r, r->ode.t, r->ode.x) > 0.0)) continue;
        double lo = r->ode.t_before, hi = r->ode.t;
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (lo + hi);
            dry_ode_dense(&r->ode, middle, x);
            if (s(r, middle, x) > 0.0)
                hi = middle;
            else
                lo = middle;
        }
        dry_ode_dense(&r->ode, hi, x);
        return hi;
    }
    fail_msg("the event did not come");
    return 0.0;
}
static double contact(const run *r, double t, const double *x) {
    double g[9];
    r->system.kinks(&r->ode.env, t, x, g);
    return g[0];
}
static double open(const run *r, double t, const double *x) { return -contact(r, t, x); }
static double rising(const run *r, double t, const double *x) { return (void)r, (void)t, x[0]; }
static double falling(const run *r, double t, const double *x) { return -rising(r, t, x); }

/* ---- experiment 1: X13 Fig 3, XD Fig 3.4 --------------------------------- */

typedef struct drifted {
    double p2, p5, drift; /* m, m, m/s */
} drifted;

/* p at 2 s and 5 s; the drift of p - a from 3 s to 5 s. */
static drifted slide(dry_system system, const char *method, dry_ode_options options,
                     const double *par) {
    run r;
    drifted d;
    assert_int_equal(run_begin(&r, system, method, options, par, NULL), DRY_OK);
    assert_int_equal(dry_ode_advance(&r.ode, 2.0), DRY_OK);
    d.p2 = r.ode.x[1];
    assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
    const double proxy = r.ode.x[1] - r.ode.x[2];
    assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_OK);
    d.p5 = r.ode.x[1];
    d.drift = (r.ode.x[1] - r.ode.x[2] - proxy) / 2.0;
    run_end(&r);
    return d;
}

static void fig3_force_20(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_x13);
    const drifted paper = slide(without_breaks(system), "rk4", paper_step, NULL);
    near(paper.p2, 0.01887459, 0.5e-8);
    near(paper.p5, 0.02138993, 0.5e-8);
    near(paper.drift, 0.0, 1e-15); /* -3e-17: rounding of 2000 additions of 1e-5 */
    const drifted exact = slide(system, "dopri5", converged, NULL);
    near(exact.p2, 0.01887458, 0.5e-8);
    near(exact.p5, 0.02139332, 0.5e-8);
    near(exact.drift, 0.0, 1e-15);
    /* "with one-sided f_e it is 5e-9": the break alone brings RK4 from 3.4e-6 to that */
    const drifted one_sided = slide(system, "rk4", paper_step, NULL);
    near(one_sided.p5, exact.p5, 1e-8);
}

static void fig3_force_311(void **state) {
    (void)state;
    const dry_system system = drift_system(&force_xd);
    const drifted paper = slide(without_breaks(system), "rk4", paper_step, NULL);
    near(paper.p5, 0.0307999, 0.5e-7);
    near(paper.drift, 7.4e-8, 0.05e-8 + 1e-10);
    const drifted exact = slide(system, "dopri5", converged, NULL);
    near(exact.p5, 0.0308067, 0.5e-7);
    near(exact.drift, 7.8e-9, 0.1e-9); /* micro-slips end at 3.609 s */
}

/* LuGre and Dahl answer the force of period P with period 2 P: the mean over an even number of
 * periods is the drift. The printed four digits are held to 1e-3. */
static double creep(const forcing *force, double B, const char *method, dry_ode_options options) {
    const double par[] = {1.0, 0.5, 5e3, 2e-3, B}, span = 30.0 * 2.0 * acos(-1.0) / 100.0;
    dry_system system = lugre_system(force);
    if (options.step > 0.0) system = without_breaks(system);
    run r;
    assert_int_equal(run_begin(&r, system, method, options, par, NULL), DRY_OK);
    assert_int_equal(dry_ode_advance(&r.ode, 5.0 - span), DRY_OK);
    const double before = r.ode.x[1] - r.ode.x[2];
    assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_OK);
    const double after = r.ode.x[1] - r.ode.x[2];
    run_end(&r);
    return (after - before) / span;
}
static void fig3_lugre_and_dahl_drift(void **state) {
    (void)state;
    const struct {
        const forcing *force;
        double B, drift;
    } rows[] = {{&force_x13, 10.0, 1.176e-3},
                {&force_xd, 10.0, 1.442e-3},
                {&force_x13, 0.0, 1.689e-3},
                {&force_xd, 0.0, 1.868e-3}};
    for (int i = 0; i < 4; i++) {
        near(creep(rows[i].force, rows[i].B, "rk4", paper_step), rows[i].drift,
             1e-3 * rows[i].drift);
        near(creep(rows[i].force, rows[i].B, "dopri5", converged), rows[i].drift,
             1e-3 * rows[i].drift);
    }
}

/* Finding 5: not drifting is conditional. K = 1.5e4 slips at 6.8e-4 m/s, K = 1e5 does not. */
static void drift_at_resonance(void **state) {
    (void)state;
    const double stiff[] = {1.0, 0.5, 1e5, 2e-3, 0.0}, resonant[] = {1.0, 0.5, 1.5e4, 2e-3, 0.0};
    near(slide(drift_system(&force_x13), "dopri5", converged, resonant).drift, 6.8e-4, 0.1e-4);
    near(slide(drift_system(&force_x13), "dopri5", converged, stiff).drift, 0.0, 1e-15);
}

/* ---- experiment 2: X13 Fig 5 --------------------------------------------- */

typedef struct bounce_row {
    double alpha, cor_paper, cor, cor_release, cor_free, depth, residual, duration;
    int n_peaks;
    double peaks[3];
} bounce_row;
static const bounce_row bounces[] = {
    {.010, .999615, 1, 1, 1, 14.098, 0, 9.979, 3, {1, 1, 1}},
    {.007, .879210, .878968, .879917, .880750, 12.055, 1.669, 8.450, 3, {.77258, .59655, .46033}},
    {.005, .766092, .767626, .769418, .770793, 10.420, 2.754, 7.232, 3, {.58925, .34634, .20289}},
    {.001, .280789, .282948, .290264, .292364, 5.509, 4.193, 3.700, 2, {.08006, .00530}}};

static void bounce_parameters(const bounce_row *row, double par[5]) {
    for (int i = 0; i < 5; i++) par[i] = bounce_par[i];
    par[BOUNCE_ALPHA] = row->alpha;
}
static double apex_height(const double *x) { return x[1] + x[0] * x[0] / (2.0 * GRAVITY); }

/* The first impact, exact: sqrt(2 h/g), sqrt(2 g h). */
static void fig5_first_impact(void **state) {
    (void)state;
    double x[3];
    run r;
    run_begin(&r, bounce_system(), "dopri5", converged, NULL, NULL);
    near(until(&r, contact, 1.0, x), 0.4517540, 0.5e-7);
    near(x[0], -4.42719, 0.5e-5);
    run_end(&r);
}

static void fig5_converged(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bounce_row *row = &bounces[i];
        double par[5], x[3];
        run r;
        bounce_parameters(row, par);
        assert_int_equal(run_begin(&r, bounce_system(), "dopri5", converged, par, NULL), DRY_OK);
        const double touch = until(&r, contact, 6.0, x), v = x[0];
        until(&r, rising, 6.0, x);
        near(-1e3 * x[1], row->depth, 0.5e-3);
        const double release = until(&r, open, 6.0, x);
        near(1e3 * (release - touch), row->duration, 0.5e-3);
        near(-1e3 * x[1], row->residual, 0.5e-3);
        near(-x[0] / v, row->cor_release, 0.5e-6);
        until(&r, falling, 6.0, x);
        near(sqrt(x[1]), row->cor, 0.5e-6);
        near(x[1], row->peaks[0], 0.5e-5);
        for (int k = 1; k < row->n_peaks; k++) {
            until(&r, rising, 6.0, x);
            until(&r, falling, 6.0, x);
            near(x[1], row->peaks[k], 0.5e-5);
        }
        run_end(&r);
    }
}

static void fig5_no_gravity(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double x0[] = {-4.42719, 0.001, 0.0};
        double par[5], x[3];
        run r;
        bounce_parameters(&bounces[i], par);
        par[BOUNCE_G] = 0.0;
        run_begin(&r, bounce_system(), "dopri5", converged, par, x0);
        until(&r, open, 0.1, x);
        near(x[0] / 4.42719, bounces[i].cor_free, 0.5e-6);
        run_end(&r);
    }
}

/* At the paper's step, from the heights of the first two flights. */
static void fig5_paper(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        double par[5], x[3];
        run r;
        bounce_parameters(&bounces[i], par);
        run_begin(&r, bounce_system(), "rk4", paper_step, par, NULL);
        until(&r, rising, 6.0, x);
        until(&r, falling, 6.0, x);
        near(sqrt(apex_height(r.ode.x)), bounces[i].cor_paper, 0.5e-6);
        run_end(&r);
    }
}

/* ---- experiment 3: X13 Example I ----------------------------------------- */

static double rolls(const run *r, double t, const double *x) {
    double g[3];
    r->system.kinks(&r->ode.env, t, x, g);
    return g[1]; /* the friction sticks */
}
static double sphere_rises(const run *r, double t, const double *x) {
    return (void)r, (void)t, x[SPHERE_VZ];
}
static double sphere_falls(const run *r, double t, const double *x) {
    return -sphere_rises(r, t, x);
}
static void fig7_sphere(void **state) {
    (void)state;
    const double touch_downs[] = {.31944, .85434, 1.29561, 1.65953};
    double x[SPHERE_STATES];
    run r;
    run_begin(&r, sphere_system(), "dopri5", converged, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        near(until(&r, contact, 5.0, x), touch_downs[i], 0.5e-5);
        if (i > 0) continue;
        until(&r, sphere_rises, 5.0, x);
        near(1e3 * (sphere.R - x[SPHERE_Z]), 8.790, 0.5e-3);
        until(&r, sphere_falls, 5.0, x);
        near(sqrt((x[SPHERE_Z] - sphere.R) / sphere.R), .82254, 0.5e-5); /* of the heights */
    }
    near(until(&r, rolls, 5.0, x), 1.66255, 0.5e-5);
    assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_OK);
    near(r.ode.x[SPHERE_VX], 5.5 * 5.0 / 7.0, 1e-9);
    near(r.ode.x[SPHERE_OMEGA], 7.857143, 0.5e-6);
    near(1e3 * (sphere.R - r.ode.x[SPHERE_Z]), 0.098, 0.5e-3);
    run_end(&r);
}
/* v_x + 0.4 R omega is a linear invariant: every Runge-Kutta method keeps it to rounding. */
static void fig7_invariant(void **state) {
    (void)state;
    run r;
    run_begin(&r, sphere_system(), "rk4", paper_step, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, 5.0), DRY_OK);
    near(r.ode.x[SPHERE_VX] + 0.4 * sphere.R * r.ode.x[SPHERE_OMEGA], 5.5, 1e-12);
    near(r.ode.x[SPHERE_VX], 3.928571, 0.5e-6);
    run_end(&r);
}

/* ---- experiment 4: X13 Example II ---------------------------------------- */

static double blocks_touch(const run *r, double t, const double *x) {
    double g[9];
    r->system.kinks(&r->ode.env, t, x, g);
    return g[3];
}
static double blocks_part(const run *r, double t, const double *x) {
    return -blocks_touch(r, t, x);
}
static void fig9_conveyor(void **state) {
    (void)state;
    const double contacts[2][2] = {{.14287, .15224}, {.25472, .25704}};
    double x[CONVEYOR_STATES];
    run r;
    run_begin(&r, conveyor_system(), "dopri5", converged, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        near(until(&r, blocks_touch, 0.4, x), contacts[i][0], 0.5e-5);
        near(until(&r, blocks_part, 0.4, x), contacts[i][1], 0.5e-5);
    }
    run_end(&r);
}
/* At 1 ms the stuck mode of -3965 1/s is unstable (finding 3); the run does not blow up, it settles
 * in a stuck state that creeps. Where it settles hangs on the last bit of the start (p1y(3 s)
 * between 1.8e-3 and 8.7e-3 m for starts that differ by 1e-16), so only the statements are held:
 * within the static band of 0.049 m, and creeping upwards at about 5e-4 m/s. */
static void fig9_at_the_papers_step(void **state) {
    (void)state;
    run r;
    run_begin(&r, conveyor_system(), "rk4", paper_step, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
    const double p1y = r.ode.x[P1Y];
    closer(p1y, 0.0, 0.049);
    assert_int_equal(dry_ode_advance(&r.ode, 4.0), DRY_OK);
    near(r.ode.x[P1Y] - p1y, 5.0e-4, 2.0e-4);
    run_end(&r);
}
/* Converged, it rests from about 1.6 s on: p = (-9.8e-6, p1y, -1.96e-5, -1.96e-5), no creep. */
static void fig9_comes_to_rest(void **state) {
    (void)state;
    const dry_ode_options options = {.rtol = 1e-8, .atol = 1e-12};
    run r;
    run_begin(&r, conveyor_system(), "dopri5", options, NULL, NULL);
    assert_int_equal(dry_ode_advance(&r.ode, 2.5), DRY_OK);
    const double p1y = r.ode.x[P1Y];
    closer(p1y, 0.0, 0.049);
    assert_int_equal(dry_ode_advance(&r.ode, 3.0), DRY_OK);
    near(r.ode.x[P1Y], p1y, 1e-8);
    near(r.ode.x[P1X], -9.8e-6, 0.05e-6);
    near(r.ode.x[P2X], -1.96e-5, 0.005e-5);
    near(r.ode.x[P2Y], -1.96e-5, 0.005e-5);
    run_end(&r);
}

/* ---- experiment 5: X13 Example III --------------------------------------- */

static double belt_overtakes(const run *r, double t, const double *x) {
    return (void)r, (void)t, x[0]; /* p passes zero upwards */
}
static double period_of(double F, const char *method, dry_ode_options options, int turns) {
    const double par[] = {F, 1e5, 0.5, 1e-5};
    double x[3];
    run r;
    run_begin(&r, periodic_system(), method, options, par, NULL);
    for (int i = 0; i < turns; i++) until(&r, belt_overtakes, 100.0, x);
    const double first = until(&r, belt_overtakes, 100.0, x);
    const double second = until(&r, belt_overtakes, 100.0, x);
    run_end(&r);
    return second - first;
}
/* F = 0.2: a limit cycle that is approached by a factor 0.098 per turn; after six turns it is there
 * to 1e-6. F = 0.5 sticks in every turn, which closes it at once; the stuck mode is stiff. */
static void fig11_periods(void **state) {
    (void)state;
    const dry_ode_options moderate = {.rtol = 1e-9, .atol = 1e-12};
    near(period_of(0.2, "dopri5", moderate, 6), 7.74971, 0.5e-5);
    near(period_of(0.5, "dopri5", moderate, 1), 8.03066, 0.5e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig3_force_20),
        cmocka_unit_test(fig3_force_311),
        cmocka_unit_test(fig3_lugre_and_dahl_drift),
        cmocka_unit_test(drift_at_resonance),
        cmocka_unit_test(fig5_first_impact),
        cmocka_unit_test(fig5_converged),
        cmocka_unit_test(fig5_no_gravity),
        cmocka_unit_test(fig5_paper),
        cmocka_unit_test(fig7_sphere),
        cmocka_unit_test(fig7_invariant),
        cmocka_unit_test(fig9_conveyor),
        cmocka_unit_test(fig9_at_the_papers_step),
        cmocka_unit_test(fig9_comes_to_rest),
        cmocka_unit_test(fig11_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
