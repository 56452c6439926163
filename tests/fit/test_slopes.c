/* Derivatives of runs by parameters: against closed forms, and for every model here against
 * differences. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "unit.h"

#include "fit/fit_private.h"
#include "needs.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one model ------------------------------------------------------------------------------ */

typedef struct ran {
    dry_model *model;
    dry_slopes_job job;
    dry_sim_result result;
    dry_slopes slopes;
} ran;

static ran run_of(const char *text, const dry_model_options *options, const char *const *names,
                  int n) {
    ran r = {.model = dry_model_compile("x.dry", text, strlen(text), options)};
    dry_error error = {0};
    assert_non_null(r.model);
    if (!dry_model_ok(r.model)) fail_msg("%s", dry_model_message(r.model, 0).text);
    r.job = (dry_slopes_job){.model = r.model, .options = options, .names = names, .n_names = n};
    if (dry_model_plan(r.model, &r.job.run, &error) != DRY_OK) fail_msg("%s", error.text);
    if (dry_fit__run(&r.job, &r.job.run, r.model, NULL, NULL, &r.result, &error) != DRY_OK)
        fail_msg("%s", error.text);
    r.job.record = r.result.record;
    r.job.stopped = r.result.stop != 0;
    if (dry_slopes_run(&r.job, &r.slopes, &error) != DRY_OK) fail_msg("%s", error.text);
    return r;
}

static ran run_text(const char *text, const char *const *names, int n) {
    return run_of(text, NULL, names, n);
}

static void end(ran *r) {
    dry_slopes_free(&r->slopes);
    dry_record_free(r->result.record);
    dry_model_free(r->model);
}

static const double *column(const ran *r, const char *name) {
    const int index = dry_record_find(r->slopes.record, name);
    if (index < 0) fail_msg("there is no column %s", name);
    return dry_record_values(r->slopes.record, index);
}

static double last(const ran *r, const char *name) {
    return column(r, name)[dry_record_rows(r->slopes.record) - 1];
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* x = x0 exp(-t/T) */
static void a_decay(void **state) {
    (void)state;
    static const char *const names[] = {"T", "x0"};
    ran r = run_text("param T = 0.7 [s], x0 = 3 [m]\nstate x = x0\nx' = -x/T\n"
                     "run until = 2 [s], step = 1 [ms]\nmeasure e = final(x)\n"
                     "measure area = integral(x)\n",
                     names, 2);
    const double *t = dry_record_values(r.result.record, 0);
    for (size_t i = 0; i < dry_record_rows(r.result.record); i++) {
        near(column(&r, "dx/dT")[i], 3.0 * t[i] / 0.49 * exp(-t[i] / 0.7), 1e-11);
        near(column(&r, "dx/dx0")[i], exp(-t[i] / 0.7), 1e-12);
    }
    assert_true(r.slopes.measure[0].by_equations && r.slopes.measure[1].by_equations);
    near(r.slopes.measure[0].value, 6.0 / 0.49 * exp(-2.0 / 0.7), 1e-11);
    /* by the trapezoid rule, as the measure: error step^2/12 of the change of the slope */
    near(r.slopes.measure[1].value, 3.0 - 3.0 * exp(-2.0 / 0.7) * (1.0 + 2.0 / 0.7), 1e-5);
    near(r.slopes.measure[3].value, 0.7 * (1.0 - exp(-2.0 / 0.7)), 1e-6);
    assert_string_equal(dry_record_quantity(r.slopes.record, 0).unit, "m/s");
    end(&r);
}

/* p = p0 cos(w t), w = sqrt(k/m); q = 2 k follows k */
static void an_oscillator(void **state) {
    (void)state;
    static const char *const names[] = {"m", "k", "p0"};
    static const char text[] = "param m = 2 [kg], k = 18 [N/m], p0 = 0.1 [m], q = 2*k\n"
                               "state p = p0, v = 0 [m/s]\np' = v\nm*v' = -0.5*q*p\n"
                               "run until = 4 [s], step = 1 [ms]\n";
    ran r = run_text(text, names, 3);
    const double w = 3.0;
    for (size_t i = 0; i < dry_record_rows(r.result.record); i++) {
        const double t = dry_record_values(r.result.record, 0)[i];
        near(column(&r, "dp/dk")[i], -0.1 * t * sin(w * t) / (2.0 * w * 2.0), 1e-11);
        near(column(&r, "dp/dm")[i], 0.1 * t * sin(w * t) * w / (2.0 * 2.0), 1e-11);
        near(column(&r, "dp/dp0")[i], cos(w * t), 1e-10);
        near(column(&r, "dv/dp0")[i], -w * sin(w * t), 1e-10);
    }
    for (int i = 0; i < 3; i++) assert_null(r.slopes.of[i].why);
    end(&r);
}

/* A block slides until it stops at M v0^2/(2 F): beyond that it holds on to within F/K, and so do
 * the derivatives. */
static void a_block_that_stops(void **state) {
    (void)state;
    static const char *const names[] = {"F", "M", "v0"};
    static const char text[] =
        "param F = 0.5 [N], M = 2 [kg], v0 = 0.4 [m/s]\n"
        "state p = 0 [m], v = v0\nf in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]\n"
        "p' = v\nM*v' = -f\nrun until = 2 [s], step = 20 [us], record = 10 [ms]\n"
        "measure rest = final(p)\nmeasure top = max(v)\n";
    ran r = run_text(text, names, 3);
    near(last(&r, "dp/dF"), -2.0 * 0.16 / (2.0 * 0.25), 1e-5);
    near(last(&r, "dp/dM"), 0.16 / (2.0 * 0.5), 1e-5);
    near(last(&r, "dp/dv0"), 2.0 * 0.4 / 0.5, 1e-5);
    near(last(&r, "dv/dF"), 0.0, 1e-6);
    near(r.slopes.measure[0].value, -2.0 * 0.16 / (2.0 * 0.25), 1e-5);
    assert_true(r.slopes.measure[0].by_equations);
    assert_false(r.slopes.measure[1].by_equations); /* the largest value: by differences */
    near(r.slopes.measure[1].value, 0.0, 1e-9);
    near(r.slopes.measure[5].value, 1.0, 1e-6); /* by v0 */
    end(&r);
}

/* The same for an adaptive method, which locates the kinks, in tolerances. */
static void an_adaptive_method(void **state) {
    (void)state;
    static const char *const names[] = {"F"};
    static const char text[] =
        "param F = 0.5 [N], M = 2 [kg], v0 = 0.4 [m/s]\n"
        "state p = 0 [m], v = v0\nf in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]\n"
        "p' = v\nM*v' = -f\nrun until = 2 [s], method = dopri5, rtol = 1e-10, atol = 1e-12\n";
    ran r = run_text(text, names, 1);
    assert_null(r.slopes.of[0].why);
    near(last(&r, "dp/dF"), -2.0 * 0.16 / (2.0 * 0.25), 1e-5);
    end(&r);
}

/* Many kinks in steps that are just stable: the motion is known far better than its derivative.
 * What the repeat says is not less than a tenth of the error, by a run that locates the kinks. */
static void an_error_that_is_told(void **state) {
    (void)state;
    static const char *const names[] = {"Fc"};
    static const char text[] =
        "param M = 2 [kg], Fc = 1 [N]\nstate p = 0 [m], v = 0 [m/s]\n"
        "f = multistate(v, N = 10, Fc = Fc, Fs = 2, vs = 1e-3, tau_d = 1e-3, D = 0.1)\n"
        "p' = v\nM*v' = 5 [N]*sin(3 [1/s]*t) - f - 3 [N/m]*p\nrun until = 2 [s], ";
    static const char measure[] = "\nmeasure rest = final(p)\n";
    char coarse[1024], fine[1024];
    snprintf(coarse, sizeof coarse, "%sstep = 20 [us], record = 10 [ms]%s", text, measure);
    snprintf(fine, sizeof fine, "%smethod = dopri5, rtol = 1e-9, atol = 1e-13%s", text, measure);
    ran a = run_text(coarse, names, 1), b = run_text(fine, names, 1);
    const double off = fabs(a.slopes.measure[0].value - b.slopes.measure[0].value);
    above(off, 0.01);
    above(a.slopes.measure[0].error, 0.1 * off);
    above(a.slopes.of[0].error, 0.01);
    near(b.slopes.measure[0].error, 0.0, 1e-5);
    end(&a);
    end(&b);
}

/* ---- where they are differences -----------------------------------------------------------------
 */

/* x' = 1 until T, then -2: x = 3 T - 2 t, dx/dT = 3. The forward equations, which know no jump of
 * x, would say 0. */
static void a_time_at_which_the_rate_jumps(void **state) {
    (void)state;
    static const char *const names[] = {"T", "a"};
    ran r = run_text("param T = 0.5 [s], a = 1 [m/s]\nstate x = 0 [m]\n"
                     "x' = if t < T then a else -2 [m/s]\nrun until = 1 [s], step = 1 [ms]\n",
                     names, 2);
    assert_non_null(r.slopes.of[0].why);
    assert_non_null(strstr(r.slopes.of[0].why, "jump"));
    assert_null(r.slopes.of[1].why); /* that time does not depend on a */
    near(last(&r, "dx/dT"), 3.0, 1e-8);
    near(last(&r, "dx/da"), 0.5, 1e-12);
    end(&r);
}

/* The run ends at T: the value there moves with T by the rate, x' = a. The samples before it do not
 * move. */
static void a_time_at_which_the_run_ends(void **state) {
    (void)state;
    static const char *const names[] = {"T"};
    ran r = run_text("param T = 0.5 [s], a = 3 [m/s]\nstate x = 0 [m]\nx' = a\n"
                     "run until = T, step = 1 [ms]\nmeasure far = final(x)\n",
                     names, 1);
    assert_non_null(r.slopes.of[0].why);
    near(r.slopes.measure[0].value, 3.0, 1e-8);
    near(column(&r, "dx/dT")[100], 0.0, 0.0);
    end(&r);
}

/* No sample is at the same time with another step, so nothing is known of the columns. */
static void a_step(void **state) {
    (void)state;
    static const char *const names[] = {"h"};
    ran r =
        run_text("param h = 1 [ms]\nstate x = 1 [m]\nx' = -2 [m/s]\nrun until = 0.5 [s], step = h\n"
                 "measure far = final(x)\n",
                 names, 1);
    assert_non_null(r.slopes.of[0].why);
    is_nan(r.slopes.of[0].error);
    is_nan(column(&r, "dx/dh")[100]);
    near(r.slopes.measure[0].value, 0.0, 1e-6);
    end(&r);
}

/* A ball that falls on a contact with the restitution e leaves it with e times its speed: that its
 * K, alpha and beta are chosen by e is not left out. */
static void a_restitution(void **state) {
    (void)state;
    static const char *const names[] = {"e"};
    ran r = run_text("param e = 0.6, v0 = 1 [m/s]\nstate h = 1 [mm], v = -v0\n"
                     "N in dio(h) with restitution = e\nh' = v\n1 [kg]*v' = N\n"
                     "run until = 50 [ms], step = 10 [us], record = 1 [ms]\n"
                     "measure after = final(v)\n",
                     names, 1);
    assert_non_null(strstr(r.slopes.of[0].why, "chooses"));
    assert_true(r.slopes.of[0].anew);
    near(r.slopes.measure[0].value, 1.0, 1e-2); /* of the design: restitution e to 1e-3 */
    end(&r);
}

/* x' = if x < b then 1 else 2: x = b + 2 (t - b), dx/db = -1 */
static void a_switch_of_the_states(void **state) {
    (void)state;
    static const char *const names[] = {"b"};
    ran r = run_text("param b = 0.3 [m]\nstate x = 0 [m]\n"
                     "x' = if x < b then 1 [m/s] else 2 [m/s]\n"
                     "run until = 1 [s], method = dopri5, rtol = 1e-9, atol = 1e-12\n",
                     names, 1);
    assert_non_null(r.slopes.of[0].why);
    near(last(&r, "dx/db"), -1.0, 1e-6);
    above(r.slopes.of[0].n_runs, 7);
    end(&r);
}

/* ---- what is sampled and delayed ------------------------------------------------------------- */

/* x' = -k x(n T): x = x0 (1 - k T)^n at n T */
static const char sampled[] = "param k = 3 [1/s], x0 = 2 [m]\nstate x = x0\n"
                              "sample u = -k*x every 50 [ms]\nx' = u\n";

static void expect_sampled(const char *run) {
    static const char *const names[] = {"k", "x0"};
    char text[400];
    snprintf(text, sizeof text, "%s%s", sampled, run);
    ran r = run_text(text, names, 2);
    const double a = 1.0 - 3.0 * 0.05;
    for (size_t i = 0; i < dry_record_rows(r.result.record); i++) {
        const double n = round(dry_record_values(r.result.record, 0)[i] / 0.05);
        near(column(&r, "dx/dk")[i], -2.0 * 0.05 * n * pow(a, n - 1.0), 1e-12);
        near(column(&r, "dx/dx0")[i], pow(a, n), 1e-13);
    }
    for (int i = 0; i < 2; i++) assert_null(r.slopes.of[i].why);
    end(&r);
}

static void a_sampled_loop(void **state) {
    (void)state;
    expect_sampled("run until = 1 [s], step = 10 [ms], record = 50 [ms]\n");
    expect_sampled("run until = 1 [s], record = 50 [ms], method = dopri5\n");
}

/* The value of a sample comes d later, and a sample may read what it was before: with
 * w = x - x(n T - T) and the value u of the sample before, at n T
 *
 *     x+ = x + d u + (T - d) u+,   u+ = -k x - c w
 */
static void a_loop_with_a_delay(void **state) {
    (void)state;
    static const char *const names[] = {"k", "c", "x0", "v0", "d"};
    static const char text[] =
        "param k = 3 [1/s], c = 0.4 [1/s], x0 = 2 [m], v0 = 0.7 [m/s], d = 13 [ms]\nstate x = x0\n"
        "sample q = x every 50 [ms] from x0 - v0*(50 [ms])\nsample w = q - q.before every 50 [ms]\n"
        "sample u = -k*q - c*w every 50 [ms] from v0 with delay = d\nx' = u\n"
        "run until = 1 [s], step = 10 [ms], record = 50 [ms]\n";
    ran r = run_text(text, names, 5);
    const double T = 0.05, d = 0.013;
    for (int j = 0; j < 5; j++) {
        double x = 2.0, s = j == 2, q = 2.0 - 0.7 * T, sq = (j == 2) - (j == 3) * T;
        double u = 0.7, su = j == 3;
        char name[16];
        snprintf(name, sizeof name, "dx/d%s", names[j]);
        for (size_t i = 0; i < dry_record_rows(r.result.record); i++) {
            near(column(&r, name)[i], s, 1e-12);
            const double w = x - q, sw = s - sq;
            const double next = -3.0 * x - 0.4 * w;
            const double snext = -3.0 * s - (j == 0) * x - 0.4 * sw - (j == 1) * w;
            q = x, sq = s;
            x += d * u + (T - d) * next;
            s += d * su + (T - d) * snext + (j == 4) * (u - next);
            u = next, su = snext;
        }
        assert_null(r.slopes.of[j].why);
    }
    end(&r);
}

/* x' = -k x(t - T), x = x0 before: x0 (1 - k t), then x0 (1 - k t + k^2 (t - T)^2/2) until 2 T */
static void expect_delayed(const char *run) {
    static const char *const names[] = {"k", "x0"};
    char text[400];
    snprintf(text, sizeof text,
             "param k = 3 [1/s], x0 = 2 [m]\nstate x = x0\nx' = -k*delay(x, 0.25 [s])\n%s", run);
    ran r = run_text(text, names, 2);
    for (size_t i = 0; i < dry_record_rows(r.result.record); i++) {
        const double t = dry_record_values(r.result.record, 0)[i], since = fmax(t - 0.25, 0.0);
        near(column(&r, "dx/dk")[i], 2.0 * (3.0 * since * since - t), 1e-8);
        near(column(&r, "dx/dx0")[i], 1.0 - 3.0 * t + 4.5 * since * since, 1e-8);
    }
    assert_int_equal(dry_record_columns(r.slopes.record), 2);
    for (int i = 0; i < 2; i++) assert_null(r.slopes.of[i].why);
    end(&r);
}

static void a_delay(void **state) {
    (void)state;
    expect_delayed("run until = 0.5 [s], step = 10 [ms]\n");
    expect_delayed("run until = 0.5 [s], method = dopri5, rtol = 1e-9, atol = 1e-11\n");
}

/* x' = -a x above 0, -b x below: x0 exp(-a t) or x0 exp(-b t). The time may be compared too:
 * x' = min(t, T)/T^2 gives t^2/(2 T^2), then 1/2 + (t - T)/T. */
static void a_switch_that_bends(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "T"};
    ran r = run_text("param a = 2 [1/s], b = 3 [1/s], T = 0.4 [s]\n"
                     "state x = 1 [m], y = -1 [m], z = 0\n"
                     "x' = if x > 0 then -a*x else -b*x\ny' = if y > 0 then -a*y else -b*y\n"
                     "z' = (if t < T then t else T)/T^2\n"
                     "run until = 1 [s], step = 1 [ms]\n",
                     names, 3);
    for (int i = 0; i < 3; i++) assert_null(r.slopes.of[i].why);
    near(last(&r, "dx/da"), -exp(-2.0), 1e-10);
    near(last(&r, "dx/db"), 0.0, 0.0);
    near(last(&r, "dy/da"), 0.0, 0.0);
    near(last(&r, "dy/db"), exp(-3.0), 1e-10);
    near(last(&r, "dz/dT"), -1.0 / 0.16, 1e-10);
    end(&r);
}

static void expect_why(const char *text, const char *name, const char *word) {
    ran r = run_text(text, &name, 1);
    if (!r.slopes.of[0].why || !strstr(r.slopes.of[0].why, word))
        fail_msg("%s: %s", word, r.slopes.of[0].why ? r.slopes.of[0].why : "exact");
    end(&r);
}

static void reasons(void **state) {
    (void)state;
    expect_why("param b = 2 [m/s]\nstate x = 1 [m]\n"
               "sample u = (if x > 0.5 [m] then -b else b) every 10 [ms]\nx' = u\n"
               "run until = 0.1 [s], step = 1 [ms]\n",
               "b", "samples may jump");
    expect_why("param T = 51 [ms]\nstate x = 1 [m]\n"
               "sample u = (if t < T then 1 [m/s] else 0 [m/s]) every 10 [ms]\nx' = u - x/(1 [s])\n"
               "run until = 0.1 [s], step = 1 [ms]\n",
               "T", "samples jump at a time");
    expect_why("param T = 10 [ms]\nstate x = 1 [m]\nsample u = -x/(1 [s]) every T\nx' = u\n"
               "run until = 0.1 [s], step = 1 [ms]\n",
               "T", "compilation");
    expect_why("param T = 10 [ms]\nstate x = 1 [m]\nx' = -delay(x, T)/(1 [s])\n"
               "run until = 0.1 [s], step = 1 [ms]\n",
               "T", "compilation");
    expect_why("param m = 1 [kg]\nstate p = 0 [m], v = 1 [m/s]\nf = gms(v, N = 2)\np' = v\n"
               "m*v' = -f\nrun until = 1 [ms], step = 1 [us]\n",
               "m", "gms");
    expect_why("param w = 30 [N/s], m = 1 [kg]\nstate p = 0 [m], v = 0 [m/s]\nf in 1 [N]*sgn(v)\n"
               "p' = v\nm*v' = w*t - f\nrun until = 0.1 [s], step = 1 [ms], method = rigid\n",
               "w", "keeps the sets");
    expect_why("param k = 2 [1/s]\nstate x = 1 [m]\nx' = -k*x\n"
               "run until = 0.1 [s], method = rodas4\n",
               "k", "implicit");
    expect_why("param m = 2 [kg]\npart ball = point_mass(mass = m)\n"
               "part g = gravity()\nrun until = 0.1 [s], step = 1 [ms]\n",
               "m", "parts");
    expect_why("param D = 3 [N]\nstate p = 0 [m], v = 1 [m/s]\nf = gms_smooth(v, F = D)\n"
               "p' = v\n1 [kg]*v' = -f\nrun until = 1 [ms], step = 1 [us]\n",
               "D", "gms_smooth has no");
}

/* ---- bad names --------------------------------------------------------------------------------
 */

static void expect_refused(const char *const *names, int n, const char *word) {
    static const char text[] = "param a = 1 [m/s], x = [1, 2]\nstate p = 0 [m]\np' = a*x[1]*x[2]\n"
                               "run until = 1 [s], step = 0.1 [s]\n";
    ran r = {.model = dry_model_compile("x.dry", text, sizeof text - 1, NULL)};
    dry_error error = {0};
    assert_true(dry_model_ok(r.model));
    r.job = (dry_slopes_job){.model = r.model, .names = names, .n_names = n};
    assert_int_equal(dry_model_plan(r.model, &r.job.run, &error), DRY_OK);
    assert_int_equal(dry_fit__run(&r.job, &r.job.run, r.model, NULL, NULL, &r.result, &error),
                     DRY_OK);
    r.job.record = r.result.record;
    assert_int_equal(dry_slopes_run(&r.job, &r.slopes, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, word));
    end(&r);
}

static void bad_names(void **state) {
    (void)state;
    expect_refused((const char *const[]){"b"}, 1, "has no parameter `b`");
    expect_refused((const char *const[]){"x"}, 1, "x[2]");
    expect_refused((const char *const[]){"a", "a"}, 2, "twice");
}

/* ---- every model here ---------------------------------------------------------------------------
 */

enum { LARGEST_FILE = 1 << 16, MOST_NAMES = 3, MOST_STEPS = 300 };

typedef struct tally {
    int models, columns, wrong;
} tally;

static double largest_of(const double *x, size_t n) {
    double largest = 0.0;
    for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
    return largest;
}

/* What the rounding of all steps leaves in a difference at the shortest distance. */
static double rounding(double largest, double value) {
    return 4.0 * sqrt(MOST_STEPS) * DBL_EPSILON * largest / (1e-6 * fabs(value));
}

static double largest_of_all(const dry_record *record) {
    double largest = 0.0;
    for (int c = 1; c < dry_record_columns(record); c++)
        largest = fmax(largest, largest_of(dry_record_values(record, c), dry_record_rows(record)));
    return largest;
}

/* A parameter that moves a number at the longest distance by less than 1e-10 of it, or by less than
 * what is rounded away of the largest number of the run, cannot be seen. */
static bool is_seen(const ran *r, double largest, double slope, double value) {
    const double moved = slope * 1e-3 * fabs(value);
    return moved > 1e-10 * largest && moved > 10.0 * DBL_EPSILON * largest_of_all(r->result.record);
}

/* One exact derivative against differences, which know how good they are. */
static void compare_par(const ran *r, const char *path, int i, tally *count) {
    const int n = dry_record_columns(r->slopes.record) / r->slopes.n;
    const size_t rows = dry_record_rows(r->slopes.record);
    const int n_measures = dry_model_measures(r->model);
    dry_fit__columns columns = {.column = calloc((size_t)n + 1, sizeof(int)), .rows = rows};
    const int first = dry_record_columns(r->result.record) - dry_model_system(r->model)->n_outputs;
    for (int c = 1; c < dry_record_columns(r->result.record); c++)
        if (c < first || dry_model_output_shown(r->model, c - first))
            columns.column[columns.n++] = c;
    assert_int_equal(columns.n, n);
    double *numbers =
        calloc(rows * (size_t)n + (size_t)n + 2 * (size_t)n_measures + 1, sizeof *numbers);
    dry_fit__found found = {.column = numbers, .error = numbers + rows * (size_t)n};
    found.measure = found.error + n;
    found.measure_error = found.measure + n_measures;
    int par = -1;
    char name[256];
    for (int k = 0; k < dry_model_system(r->model)->n_par; k++)
        if (dry_model_par_setting(r->model, k, name, sizeof name) &&
            !strcmp(name, r->slopes.of[i].name))
            par = k;
    dry_error error = {0};
    if (dry_model_par_free(r->model, par) &&
        dry_fit__differ(&r->job, &columns, par, &found, &error) == DRY_OK)
        for (int c = 0; c < n; c++) {
            const double *told = dry_record_values(r->slopes.record, i * n + c);
            const double *seen = found.column + (size_t)c * rows;
            double largest = 0.0, apart = 0.0;
            for (size_t k = 0; k < rows; k++) {
                largest = fmax(largest, fabs(told[k]));
                apart = fmax(apart, fabs(told[k] - seen[k]));
            }
            const double value = r->slopes.of[i].value;
            const double size =
                largest_of(dry_record_values(r->result.record, columns.column[c]), rows);
            const double noise = rounding(size, value);
            if (!is_seen(r, size, fmax(largest, largest_of(seen, rows)), value)) continue;
            count->columns++;
            if (apart <= 1e-8 * largest + 4.0 * found.error[c] + noise) continue;
            count->wrong++;
            print_error("%s: %s: %g of %g, differences to %g\n", path,
                        dry_record_quantity(r->slopes.record, i * n + c).name, apart, largest,
                        found.error[c]);
        }
    free(numbers);
    free(columns.column);
}

static int find_names(const dry_model *model, char (*name)[256], const char **names) {
    const dry_system *system = dry_model_system(model);
    int n = 0;
    for (int i = 0; i < system->n_par && n < MOST_NAMES; i++) {
        if (!dry_model_par_free(model, i) || system->par[i] == 0.0) continue;
        if (dry_model_par_setting(model, i, name[n], sizeof name[n])) names[n] = name[n], n++;
    }
    return n;
}

static void compare_text(const char *path, const char *text, size_t length, tally *count) {
    dry_model *model = dry_model_compile(path, text, length, NULL);
    dry_run_options run;
    char name[MOST_NAMES][256];
    const char *names[MOST_NAMES], *why[MOST_NAMES];
    dry_sensitivity *s = NULL;
    assert_non_null(model);
    const bool fit = dry_model_ok(model) && dry_model_plan(model, &run, NULL) == DRY_OK &&
                     !run.method->adaptive && !dry_model_net(model);
    const int n = fit ? find_names(model, name, names) : 0;
    if (n) {
        int par[MOST_NAMES];
        for (int i = 0; i < n; i++) par[i] = dry_model_par_find(model, names[i]);
        assert_int_equal(dry_sensitivity_new(model, par, n, why, &s, NULL), DRY_OK);
    }
    if (s && dry_sensitivity_system(s)) {
        const dry_model_options options = {
            .run = {.until = fmin(run.until, MOST_STEPS * run.step), .record = 10.0 * run.step}};
        ran r = {.model = dry_model_compile(path, text, length, &options)};
        r.job =
            (dry_slopes_job){.model = r.model, .options = &options, .names = names, .n_names = n};
        dry_error error = {0};
        if (dry_model_ok(r.model)) {
            assert_int_equal(dry_model_plan(r.model, &r.job.run, &error), DRY_OK);
            assert_int_equal(
                dry_fit__run(&r.job, &r.job.run, r.model, NULL, NULL, &r.result, &error), DRY_OK);
            r.job.record = r.result.record;
            r.job.stopped = r.result.stop != 0;
            if (dry_slopes_run(&r.job, &r.slopes, &error) != DRY_OK)
                fail_msg("%s: %s", path, error.text);
            for (int i = 0; i < n; i++)
                if (!r.slopes.of[i].why) compare_par(&r, path, i, count);
            count->models++;
        }
        end(&r);
    }
    dry_sensitivity_free(s);
    dry_model_free(model);
}

static void compare_file(const char *path, tally *count) {
    static char text[LARGEST_FILE];
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    const size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = '\0';
    fclose(stream);
    if (can_be_compiled(text)) compare_text(path, text, length, count);
}

static void compare_folder(const char *folder, tally *count) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char path[2048];
        const size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".dry") == 0)
            compare_file(path, count);
    }
    closedir(dir);
}

static void every_model(void **state) {
    (void)state;
    static const char *const folders[] = {"tests/lang/features",
                                          "models",
                                          "models/classics",
                                          "models/measured",
                                          "models/papers/glowinski2004",
                                          "models/papers/kikuuwe2008",
                                          "models/papers/xiong2012",
                                          "models/papers/xiong-dissertation",
                                          "models/papers/xiong2013"};
    tally count = {0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", DRY_SOURCE_DIR, folders[i]);
        compare_folder(path, &count);
    }
    assert_int_equal(count.wrong, 0);
    above(count.models, 30);
    above(count.columns, 200);
}

/* Numbers of all kinds of delay lines: of states, of samples in whole periods and between them, of
 * what a program sets, with what they were before the start. */
static void delays_of_all_kinds(void **state) {
    (void)state;
    static const char *const names[] = {"k", "x0", "a"};
    static const char text[] =
        "param k = 2 [1/s], x0 = 1 [m], a = 0.3, T = 1 [s]\nstate x = x0\ninput e = a*x0\n"
        "sample q = x every 10 [ms] from x0\n"
        "sample u = -k*(q + q.before)/2 every 10 [ms] from 0.1*k*x0 with delay = 3 [ms]\n"
        "sample w = 0.5*w.before + a*q every 20 [ms] from 0 [m]\n"
        "x' = u - a*delay(x, 25 [ms], a*x0*cos(t/T))/T - 0.1*delay(w, 7 [ms])/T"
        " - 0.2*delay(u, 20 [ms]) - 0.3*delay(x^2, 31 [ms])/(T*x0) + delay(e, 8 [ms])/T\n"
        "run until = 0.3 [s], step = 1 [ms]\n";
    tally count = {0};
    ran r = run_text(text, names, 3);
    for (int i = 0; i < 3; i++) {
        assert_null(r.slopes.of[i].why);
        compare_par(&r, "delays", i, &count);
    }
    assert_int_equal(count.wrong, 0);
    above(count.columns, 14);
    end(&r);
}

/* Of a parameter whose value is 0 the range says on which length it varies: x(0) = 1 + a is the
 * most of x' = -k x. The run is short, so that a range is where the differences must come from. */
static void a_parameter_of_value_zero(void **state) {
    (void)state;
    static const char *const names[] = {"a"};
    ran r = run_text("param a = 0 in -3..3\nstate x = 1 + a\nx' = -x/(1 [s])\n"
                     "run until = 1 [s], step = 1 [ms]\nmeasure top = max(x)\n",
                     names, 1);
    near(r.slopes.measure[0].value, 1.0, 1e-6);
    at_most(r.slopes.measure[0].error, 1e-6);
    end(&r);
}

/* What a repeat says is a share of the derivatives, however small these are: the step is as coarse
 * for x(0) = 1 as for 1e-9, since x' = -k x is linear. */
static void the_error_is_a_share(void **state) {
    (void)state;
    static const char *const names[] = {"k"};
    double error[2];
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "param k = 3 [1/s]\nstate x = %s\nx' = -k*x\n"
                 "run until = 1 [s], step = 0.1 [s], method = heun\n",
                 i ? "1e-9" : "1");
        ran r = run_text(text, names, 1);
        error[i] = r.slopes.of[0].error;
        end(&r);
    }
    above(error[0], 1e-4);
    near(error[1], error[0], 1e-6 * error[0]);
}

/* ---- the page ------------------------------------------------------------------------------- */

static char *page_of(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("%s is missing", path);
    fseek(stream, 0, SEEK_END);
    const long size = ftell(stream);
    above(size, 0);
    rewind(stream);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, stream), size);
    fclose(stream);
    return text;
}

/* The names between back quotes from `from` to `to`, each as " name ". */
static void names_between(const char *text, const char *from, const char *to, char *names,
                          size_t room) {
    const char *at = strstr(text, from), *last = at ? strstr(at, to) : NULL;
    size_t n = 0;
    if (!last) fail_msg("the page has no `%s`", from);
    bool inside = false;
    for (names[n++] = ' '; at < last && n + 2 < room; at++) {
        if (*at == '`') inside = !inside;
        if (*at == '`' ? !inside : inside) names[n++] = *at == '`' ? ' ' : *at;
    }
    names[n] = '\0';
}

static bool is_among(const char *names, const char *name) {
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(names, word) != NULL;
}

static int words_of(const char *names) {
    int n = -1;
    for (const char *c = names; *c; c++) n += *c == ' ';
    return n;
}

static bool may_jump(const dry_law *law) { return law->latch || !(law->traits & DRY_CONTINUOUS); }

/* What docs/fit.md says of laws is what their rows say: which have derivatives by their parameters,
 * and which may jump. */
static void the_page_names_the_laws(void **state) {
    (void)state;
    char *text = page_of(DRY_SOURCE_DIR "/docs/fit.md"), with[1024], jumping[1024];
    int n_with = 0, n_jumping = 0, wrong = 0;
    names_between(text, "These laws have them:", ";", with, sizeof with);
    names_between(text, "if the law of a force may jump", ")", jumping, sizeof jumping);
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        if (is_among(with, law->name) != (law->by_par != NULL))
            print_error("%s: docs/fit.md and by_par disagree\n", law->name), wrong++;
        if (is_among(jumping, law->name) != may_jump(law))
            print_error("%s: docs/fit.md and the row disagree whether it jumps\n", law->name),
                wrong++;
        n_with += law->by_par != NULL;
        n_jumping += may_jump(law);
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(words_of(with), n_with);
    assert_int_equal(words_of(jumping), n_jumping);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decay),
        cmocka_unit_test(an_oscillator),
        cmocka_unit_test(a_block_that_stops),
        cmocka_unit_test(an_adaptive_method),
        cmocka_unit_test(an_error_that_is_told),
        cmocka_unit_test(a_time_at_which_the_rate_jumps),
        cmocka_unit_test(a_time_at_which_the_run_ends),
        cmocka_unit_test(a_step),
        cmocka_unit_test(a_restitution),
        cmocka_unit_test(a_switch_of_the_states),
        cmocka_unit_test(a_switch_that_bends),
        cmocka_unit_test(a_sampled_loop),
        cmocka_unit_test(a_loop_with_a_delay),
        cmocka_unit_test(a_delay),
        cmocka_unit_test(delays_of_all_kinds),
        cmocka_unit_test(reasons),
        cmocka_unit_test(bad_names),
        cmocka_unit_test(every_model),
        cmocka_unit_test(a_parameter_of_value_zero),
        cmocka_unit_test(the_error_is_a_share),
        cmocka_unit_test(the_page_names_the_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
