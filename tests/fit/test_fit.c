/* The solver of fits: closed forms of least squares, known parameters from data that another
 * formula makes, derivatives in two ways, the same bits for any number of threads. */
#include "unit.h"

#include <drystone/fit.h>

#include "scratch_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- records and fits --------------------------------------------------------------------------
 */

typedef double signal(double t, const double *about);

/* A record with columns t and y, at uneven times. */
static void record(const char *name, int n, double step, signal *y, const double *about) {
    FILE *file = fopen(scratch_file(name), "w");
    assert_non_null(file);
    fputs("t [s],y\n", file);
    for (int i = 0; i < n; i++) {
        const double t = step * (i + 0.3 * (i % 3));
        fprintf(file, "%.17g,%.17g\n", t, y(t, about));
    }
    fclose(file);
}

typedef struct fitted {
    char text[2000];
    char paths[4][1024];
    const char *data[4];
    dry_fit_job job;
    dry_fit_result result;
    dry_error error;
} fitted;

/* The records are those of the names, in their order. */
static fitted *begin(const char *text, const char *const *records) {
    fitted *f = calloc(1, sizeof *f);
    assert_non_null(f);
    snprintf(f->text, sizeof f->text, "%s", text);
    while (records[f->job.n_data]) {
        const int i = f->job.n_data++;
        snprintf(f->paths[i], sizeof f->paths[i], "%s", scratch_file(records[i]));
        f->data[i] = f->paths[i];
    }
    f->job.path = "test.dry";
    f->job.text = f->text;
    f->job.length = strlen(f->text);
    f->job.data = f->data;
    f->job.threads = 1;
    return f;
}

static void run(fitted *f) { is_ok(dry_fit_run(&f->job, &f->result, &f->error), &f->error); }

static void end(fitted *f) {
    dry_fit_result_free(&f->result);
    free(f);
}

static const char *const ONE[] = {"one.csv", NULL}, *const TWO[] = {"one.csv", "two.csv", NULL},
                         *const NONE[] = {NULL};

/* ---- linear problems ----------------------------------------------------------------------------
 */

static double wavy(double t, const double *about) { return about[0] + about[1] * t + sin(9.0 * t); }

static const char LINE[] = "param a = 1 [1/s], b = 0\nstate x = b\nx' = a\n"
                           "output x against \"\" column \"y\"\nfree a, b\n"
                           "run until = 10 [s], step = 10 [ms]\n";

/* y = a t + b: the normal equations of the rows */
static void a_line(void **state) {
    (void)state;
    static const double about[] = {3.0, -0.5};
    record("one.csv", 40, 0.1, wavy, about);
    fitted *f = begin(LINE, ONE);
    run(f);
    const dry_fit_output *o = &f->result.outputs[0];
    double st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0;
    assert_int_equal(o->rows, 40);
    for (size_t i = 0; i < o->rows; i++) {
        const double t = 0.1 * ((double)i + 0.3 * (double)(i % 3)), y = wavy(t, about);
        equal(o->t[i], t);
        equal(o->measured[i], y);
        st += t, stt += t * t, sy += y, sty += t * y;
        near(o->jacobian[2 * i], t, 1e-12);
        near(o->jacobian[2 * i + 1], 1.0, 1e-12);
    }
    const double n = 40.0, a = (n * sty - st * sy) / (n * stt - st * st), b = (sy - a * st) / n;
    near(f->result.parameters[0].value, a, 1e-7);
    near(f->result.parameters[1].value, b, 1e-7);
    assert_true(f->result.settled);
    assert_null(f->result.parameters[0].why);
    for (size_t i = 0; i < o->rows; i++)
        near(o->residual[i], a * o->t[i] + b - o->measured[i], 1e-7);
    end(f);
}

/* The relative offset of Bates and Watts (1981) after one damped step on the line: with (da, db)
 * the way to the optimum, sqrt(sum (da t + db)^2/2) over the deviation of the residuals there. */
static void far_from_the_optimum(void **state) {
    (void)state;
    static const double about[] = {3.0, -0.5};
    record("one.csv", 40, 0.1, wavy, about);
    fitted *there = begin(LINE, ONE), *before = begin(LINE, ONE);
    before->job.most_steps = 1;
    run(there);
    run(before);
    const dry_fit_output *o = &there->result.outputs[0];
    const dry_fit_parameter *p = there->result.parameters, *q = before->result.parameters;
    double way = 0.0, left = 0.0;
    for (size_t i = 0; i < 40; i++) {
        const double moved = (p[0].value - q[0].value) * o->t[i] + p[1].value - q[1].value;
        way += moved * moved / 2.0;
        left += o->residual[i] * o->residual[i] / 38.0;
    }
    above(before->result.offset, 1e-3);
    near_share(before->result.offset, sqrt(way / left), 1e-4);
    at_most(there->result.offset, 1e-6);
    assert_true(there->result.settled && !before->result.settled);
    end(there);
    end(before);
}

/* The valley of Rosenbrock (1960), between the residuals a - 1 and 10 (b - a^2), and those beside
 * it: -1 and 1 for noise. The optimum is (1, 1) from the far side of the bend. */
static double beside(double t, const double *about) {
    (void)about;
    return fmod(t + 0.01, 0.2) < 0.1 ? 1.0 : -1.0;
}

static void a_valley(void **state) {
    (void)state;
    record("one.csv", 40, 0.1, beside, NULL);
    fitted *f =
        begin("param a = -1.2, b = 1\nstate x = a - 1\nx' = 0 [1/s]\nstate y = 10*(b - a^2)\n"
              "y' = 0 [1/s]\noutput x against \"\" column \"y\" with weight = 1\n"
              "output y against \"\" column \"y\"\nfree a, b\n"
              "run until = 5 [s], step = 10 [ms]\n",
              ONE);
    run(f);
    const dry_fit_output *o = f->result.outputs;
    double mean = 0.0;
    for (size_t i = 0; i < o->rows; i++) mean += o->measured[i] / (double)o->rows;
    const double a = 1.0 + mean;
    near(f->result.parameters[0].value, a, 1e-5);
    near(f->result.parameters[1].value, a * a + 0.1 * mean, 1e-5);
    at_most(f->result.offset, 1e-3);
    at_most(f->result.steps, 30);
    end(f);
}

/* With a at its bound, b is the mean of y - a t. */
static void a_bound(void **state) {
    (void)state;
    static const double about[] = {3.0, -0.5};
    record("one.csv", 40, 0.1, wavy, about);
    fitted *f = begin(LINE, ONE);
    const dry_fit_free free[] = {{.name = "a", .low = 0.25, .high = 2.0}, {.name = "b"}};
    f->job.free = free;
    f->job.n_free = 2;
    run(f);
    double mean = 0.0;
    for (size_t i = 0; i < 40; i++)
        mean += (f->result.outputs[0].measured[i] - 0.25 * f->result.outputs[0].t[i]) / 40.0;
    equal(f->result.parameters[0].value, 0.25);
    assert_true(f->result.parameters[0].at_low && !f->result.parameters[0].at_high);
    assert_true(!f->result.parameters[1].at_low && !f->result.parameters[1].at_high);
    near(f->result.parameters[1].value, mean, 1e-8);
    end(f);
}

/* Bounds without a unit are in that of the value: of a list, of an entry, of a number. */
static void bounds_in_the_unit_of_the_value(void **state) {
    (void)state;
    static const char text[] =
        "param d = [46, 49] [mm], e = [46 [mm], 49 [km]], g = -3 [mm]\nstate x = 0 [m]\n"
        "x' = (d[1] + e[1] + e[2] + g)/(1 [s])\noutput x against \"\" column \"y\" [m]\n"
        "free d[1] in 2..2000, e[1] in 2..2000, e[2] in 2..2000, g in -8..8\n"
        "run until = 10 [s], step = 10 [ms]\n";
    static const double low[] = {2e-3, 2e-3, 2e3, -8e-3}, about[] = {3.0, -0.5};
    record("one.csv", 40, 0.1, wavy, about);
    fitted *f = begin(text, ONE);
    run(f);
    for (int j = 0; j < 4; j++) near(f->result.parameters[j].low, low[j], 1e-12);
    near(f->result.parameters[2].high, 2e6, 1e-6);
    end(f);
}

/* The rows that are held out have no weight: the line of the first 24. */
static void held_out(void **state) {
    (void)state;
    static const double about[] = {3.0, -0.5};
    record("one.csv", 40, 0.1, wavy, about);
    fitted *f = begin(LINE, ONE);
    f->job.hold_last = 0.4;
    run(f);
    const dry_fit_output *o = &f->result.outputs[0];
    double st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0, square = 0.0;
    const double n = 24.0;
    for (size_t i = 0; i < 40; i++) assert_int_equal(o->held[i], i >= 24);
    for (size_t i = 0; i < 24; i++) {
        st += o->t[i], stt += o->t[i] * o->t[i];
        sy += o->measured[i], sty += o->t[i] * o->measured[i];
    }
    const double a = (n * sty - st * sy) / (n * stt - st * st), b = (sy - a * st) / n;
    near(f->result.parameters[0].value, a, 1e-8);
    near(f->result.parameters[1].value, b, 1e-8);
    for (size_t i = 24; i < 40; i++) square += pow(a * o->t[i] + b - o->measured[i], 2.0) / 16.0;
    near_share(o->hold.rms, sqrt(square), 1e-6);
    assert_int_equal(o->hold.rows, 16);
    assert_int_equal(o->train.rows, 24);
    end(f);
}

/* Half of the values are 1 - d, half 1 + d, one is far away. Those at 1 + d have the smaller
 * residuals, d - e, and the median of the sizes is d + e; Huber's location 1 + e then solves
 *     2 k e = c (d + e)/0.67449 */
static double outlier(double t, const double *about) {
    return t > about[0] ? 50.0 : 1.0 + (fmod(t, 0.2) < 0.099 ? -0.01 : 0.01);
}

static void a_robust_mean(void **state) {
    (void)state;
    static const double about[] = {4.01};
    FILE *file = fopen(scratch_file("one.csv"), "w");
    assert_non_null(file);
    fputs("t [s],y\n", file);
    for (int i = 0; i < 41; i++)
        fprintf(file, "%.17g,%.17g\n", 0.1 + 0.1 * i, outlier(0.101 + 0.1 * i, about));
    fclose(file);
    fitted *f = begin("param b = 3\nstate x = b\nx' = 0 [1/s]\noutput x against \"\" column \"y\"\n"
                      "free b\nrun until = 10 [s], step = 10 [ms]\n",
                      ONE);
    f->job.huber = 1.5;
    f->job.tolerance = 1e-10;
    run(f);
    const double share = 1.5 / 0.6744897501960817 / 40.0, e = 0.01 * share / (1.0 - share);
    near(f->result.parameters[0].value, 1.0 + e, 2e-6);
    end(f);
}

/* ---- the step ----------------------------------------------------------------------------------
 */

static bool says(const fitted *f, const char *words) {
    for (int i = 0; i < f->result.stats.n_warnings; i++)
        if (strstr(f->result.stats.warnings[i], words)) return true;
    return false;
}

/* e^(-t), with 1e-4 more or less in turn. */
static double decay(double t, const double *about) {
    (void)about;
    return exp(-t) + (fmod(t + 0.01, 0.2) < 0.1 ? 1e-4 : -1e-4);
}

/* Steps h of Euler's method multiply x by 1 - a h, so they give e^(-t) if a = (1 - e^-h)/h, and
 * half of them if a = (1 - e^(-h/2))/(h/2). */
static void a_coarse_step(void **state) {
    (void)state;
    FILE *file = fopen(scratch_file("one.csv"), "w");
    assert_non_null(file);
    fputs("t [s],y\n", file);
    for (int i = 0; i <= 30; i++) fprintf(file, "%.17g,%.17g\n", 0.1 * i, decay(0.1 * i, NULL));
    fclose(file);
    fitted *f =
        begin("param a = 0.8 [1/s]\nstate x = 1\nx' = -a*x\noutput x against \"\" column \"y\"\n"
              "free a\nrun until = 3 [s], step = 50 [ms], method = euler\n",
              ONE);
    run(f);
    const double h = 0.05, a = (1.0 - exp(-h)) / h, b = (1.0 - exp(-h / 2.0)) / (h / 2.0);
    const dry_fit_parameter *p = &f->result.parameters[0];
    near(p->value, a, 3e-4);
    near(p->coarse * p->deviation, b - a, 3e-4);
    assert_true(
        says(f, "the step of 0.05 s is too coarse for this fit: with half of it a moves by"));
    end(f);
}

/* With half the step, the same a gives 3.8 % more at the end, where the model ends the run. */
static double growth(double t, const double *about) { return 1.0 / decay(t, about); }

static void no_finer_step(void **state) {
    (void)state;
    record("one.csv", 30, 0.1, growth, NULL);
    fitted *f =
        begin("param a = 0.9 [1/s]\nstate x = 1\nx' = a*x\noutput x against \"\" column \"y\"\n"
              "stop when x > 19.7\nfree a\n"
              "run until = 3 [s], step = 50 [ms], method = euler\n",
              ONE);
    run(f);
    assert_non_null(f->result.no_finer);
    assert_true(says(f,
                     "nobody knows whether the step is fine enough: with half of it, a run fails: "
                     "the model stops the run at"));
    end(f);
}

/* ---- energy ------------------------------------------------------------------------------------
 */

static double swing(double t, const double *about) { return cos(about[0] * t); }

/* Euler's method multiplies the energy of a mass on a spring, 50 J, by 1 + (omega h)^2 in each
 * step: with half of 20 ms by 1.01, so the spring has created 50 J (1.01^300 - 1) in 3 s. */
static void a_spring_that_gives_energy(void **state) {
    (void)state;
    static const double about[] = {10.0};
    FILE *file = fopen(scratch_file("one.csv"), "w");
    assert_non_null(file);
    fputs("t [s],y\n", file);
    for (int i = 0; i <= 30; i++) fprintf(file, "%.17g,%.17g\n", 0.1 * i, swing(0.1 * i, about));
    fclose(file);
    static const char text[] =
        "part m = point_mass(mass = 1 [kg], p = 1, v = 0)\n"
        "part s = spring(K = 100 [N/m])\nconnect s - m - world\n"
        "output m.p against \"\" column \"y\" [m]\nfree m.mass in 0.99..1.01\n"
        "run until = 3 [s], step = 20 [ms], method = %s\n";
    for (int k = 0; k < 2; k++) {
        char whole[600];
        snprintf(whole, sizeof whole, text, k ? "rk4" : "euler");
        fitted *f = begin(whole, ONE);
        f->job.options.force = true;
        run(f);
        same_text(f->result.giver.part, k ? "" : "s");
        if (!k) {
            same_text(f->result.giver.kind, "spring");
            assert_true(!f->result.giver.promised);
            above(f->result.giver.energy, 100.0);
            at_most(f->result.giver.energy, 50.0 * (pow(1.0 + 1.01 / 99.0, 300.0) - 1.0));
        }
        assert_int_equal(says(f, "s (spring) gives energy: "), !k);
        end(f);
    }
}

/* ---- a block ------------------------------------------------------------------------------- */

/* A block that slides with friction F and damping c until it stops: M v' = -F - c v. about: M, v0,
 * F, c, delay */
static double slide(double t, const double *about) {
    const double M = about[0], v0 = about[1], F = about[2], c = about[3];
    const double stop = M / c * log((v0 + F / c) / (F / c));
    const double s = fmin(fmax(t - about[4], 0.0), stop);
    return 1000.0 * ((v0 + F / c) * M / c * (1.0 - exp(-c * s / M)) - F / c * s);
}

#define BLOCK(more)                                                                                \
    "param M = 2 [kg], v0 = 0.3 [m/s], tau = 0.05 [s] in 0..0.2 # about\n"                         \
    "param F = 0.8 [N] in 0.1..10, c = 0.1 [N s/m] in 0..5\n"                                      \
    "state p = 0 [m], v = v0\n"                                                                    \
    "f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]\n"                                            \
    "p' = v\nM*v' = -f - c*v\n" more "run until = 2 [s], step = 0.2 [ms]\n"

#define AGAINST "output p against \"\" column \"y\" [mm]"

static void near_all(const fitted *f, int n, const double *values, double share) {
    assert_int_equal(f->result.n_parameters, n);
    for (int i = 0; i < n; i++) near_share(f->result.parameters[i].value, values[i], share);
}

static void known_parameters(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0}, found[] = {0.5, 0.3, 0.4};
    record("one.csv", 60, 0.03, slide, about);
    fitted *f = begin(BLOCK(AGAINST "\nfree F log, c, v0\n"), ONE);
    run(f);
    near_all(f, 3, found, 2e-4);
    at_most(f->result.outputs[0].train.rms, 1e-6);
    end(f);
}

static void a_free_start_and_lag(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.07}, found[] = {0.5, 0.4, 0.07};
    record("one.csv", 60, 0.03, slide, about);
    fitted *f = begin(BLOCK(AGAINST " with lag = tau\nfree F, start v, tau\n"), ONE);
    const dry_setting c = {.name = "c", .value = 0.3};
    f->job.options.settings = &c;
    f->job.options.n_settings = 1;
    run(f);
    near_all(f, 3, found, 1e-3);
    assert_non_null(f->result.parameters[1].why);
    assert_non_null(f->result.parameters[2].why);
    end(f);
}

static void own_parameters(void **state) {
    (void)state;
    static const double slow[] = {2.0, 0.4, 0.5, 0.3, 0.0}, fast[] = {2.0, 0.7, 0.5, 0.3, 0.0},
                        found[] = {0.5, 0.3, 0.4, 0.7};
    record("one.csv", 60, 0.03, slide, slow);
    record("two.csv", 40, 0.04, slide, fast);
    fitted *f = begin(BLOCK(AGAINST "\nfree F log, c, v0 own\n"), TWO);
    run(f);
    near_all(f, 4, found, 2e-4);
    assert_int_equal(f->result.parameters[1].record, -1);
    assert_int_equal(f->result.parameters[2].record, 0);
    assert_int_equal(f->result.parameters[3].record, 1);
    /* the start of one record says nothing about the other */
    for (size_t i = 0; i < f->result.outputs[1].rows; i++)
        equal(f->result.outputs[1].jacobian[4 * i + 2], 0.0);
    end(f);
}

/* A loop that samples every T and acts d later, x' = u with u = -k x(n T); about: k, d, x(0).
 * Returns x(t), or its derivative by k. */
static double sampled(double t, const double *about, bool by_k) {
    const double T = 0.05, k = about[0], d = about[1];
    double x = about[2], s = 0.0, u = 0.0, su = 0.0;
    for (;; t -= T) {
        const double early = fmin(t, d), late = fmax(fmin(t, T) - d, 0.0), next = -k * x;
        const double snext = -x - k * s;
        x += early * u + late * next;
        s += early * su + late * snext;
        u = next, su = snext;
        if (t <= T) return by_k ? s : x;
    }
}

static double sampled_motion(double t, const double *about) { return sampled(t, about, false); }

/* The delay is fitted without a compilation for each of its values; a start that is free does not
 * depend on k, whatever the text says, and neither does what is sampled of it. */
static void a_sampled_loop(void **state) {
    (void)state;
    static const double about[] = {3.0, 0.013, 2.0};
    record("one.csv", 60, 0.0171, sampled_motion, about);
    fitted *f = begin("param k = 2 [1/s], d = 9 [ms]\nstate x = 0.3 [m s]*k\n"
                      "sample u = -k*x every 50 [ms] from 0 [m/s] with delay = d\nx' = u\n"
                      "output x against \"\" column \"y\" [m]\nfree k, d in 0..50, start x\n"
                      "run until = 2 [s], step = 10 [ms]\n",
                      ONE);
    run(f);
    for (int j = 0; j < 3; j++) near(f->result.parameters[j].value, about[j], 1e-6);
    assert_null(f->result.parameters[0].why);
    assert_null(f->result.parameters[1].why);
    assert_true(f->result.parameters[1].low > 0.0);
    const dry_fit_output *o = &f->result.outputs[0];
    for (size_t i = 0; i < o->rows; i++)
        near(o->jacobian[3 * i], sampled(o->t[i], about, true), 1e-5);
    end(f);
}

/* A sample that jumps, which nobody reads, takes the equations of the derivatives from the model.
 */
static void two_ways_to_differentiate(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0};
    record("one.csv", 60, 0.03, slide, about);
    fitted *exact = begin(BLOCK(AGAINST "\nfree F log, c, v0\n"), ONE);
    fitted *differ = begin(
        BLOCK(AGAINST "\nsample u = (if v > 0 then 1 else 2) every 1 [s]\nfree F log, c, v0\n"),
        ONE);
    run(exact);
    run(differ);
    const dry_fit_output *a = &exact->result.outputs[0], *b = &differ->result.outputs[0];
    for (int j = 0; j < 3; j++) {
        double size = 0.0;
        assert_null(exact->result.parameters[j].why);
        same_text(differ->result.parameters[j].why,
                  "the rates or samples may jump where the states switch them");
        for (size_t i = 0; i < a->rows; i++)
            size = fmax(size, fabs(a->jacobian[3 * i + (size_t)j]));
        for (size_t i = 0; i < a->rows; i++)
            near(a->jacobian[3 * i + (size_t)j], b->jacobian[3 * i + (size_t)j], 1e-3 * size);
    }
    assert_int_equal(differ->result.slope_runs, 0);
    above(exact->result.slope_runs, 0);
    end(exact);
    end(differ);
}

static void the_same_bits(void **state) {
    (void)state;
    static const double slow[] = {2.0, 0.4, 0.5, 0.3, 0.0}, fast[] = {2.0, 0.7, 0.5, 0.3, 0.0};
    record("one.csv", 30, 0.06, slide, slow);
    record("two.csv", 30, 0.05, slide, fast);
    static const char text[] = BLOCK(AGAINST "\nfree F log, c, start v\n");
    fitted *one = begin(text, TWO), *three = begin(text, TWO);
    one->job.starts = three->job.starts = 4;
    three->job.threads = 3;
    run(one);
    run(three);
    for (int j = 0; j < 3; j++) {
        same_bits(one->result.parameters[j].value, three->result.parameters[j].value);
        same_bits(one->result.optima[0].values[j], three->result.optima[0].values[j]);
    }
    same_bits(one->result.cost, three->result.cost);
    assert_int_equal(one->result.runs, three->result.runs);
    assert_int_equal(one->result.n_optima, three->result.n_optima);
    assert_int_equal(one->result.n_starts, 4);
    end(one);
    end(three);
}

/* From points all over the bounds. */
static void one_optimum(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0}, found[] = {0.5, 0.3};
    record("one.csv", 40, 0.04, slide, about);
    fitted *f = begin(BLOCK(AGAINST "\nfree F in 0.2..3 log, c in 0.01..2\n"), ONE);
    const dry_setting v0 = {.name = "v0", .value = 0.4};
    f->job.options.settings = &v0;
    f->job.options.n_settings = 1;
    f->job.starts = 6;
    run(f);
    near_all(f, 2, found, 2e-4);
    assert_int_equal(f->result.n_optima, 1);
    assert_int_equal(f->result.optima[0].starts + f->result.failed_starts, 6);
    end(f);
}

/* ---- what has no effect, and texts --------------------------------------------------------- */

static void without_effect(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0};
    record("one.csv", 60, 0.03, slide, about);
    fitted *f = begin(BLOCK(AGAINST "\nfree F log, tau\n"), ONE);
    run(f);
    assert_true(f->result.parameters[1].no_effect);
    assert_true(!f->result.parameters[0].no_effect);
    equal(f->result.parameters[1].value, 0.05);
    end(f);
}

static void a_new_text(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0};
    record("one.csv", 60, 0.03, slide, about);
    fitted *f =
        begin(BLOCK("free N = 800 [mN] in 100..5000 # unused\n" AGAINST "\nfree v0\n"), ONE);
    run(f);
    f->result.parameters[0].value = 0.75;
    f->result.parameters[1].value = -0.4;
    char *text;
    size_t length;
    is_ok(dry_fit_text(&f->job, &f->result, -1, &text, &length, &f->error), &f->error);
    same_text(text, "param M = 2 [kg], v0 = -0.4 [m/s], tau = 0.05 [s] in 0..0.2 # about\n"
                    "param F = 0.8 [N] in 0.1..10, c = 0.1 [N s/m] in 0..5\n"
                    "state p = 0 [m], v = v0\n"
                    "f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]\n"
                    "p' = v\nM*v' = -f - c*v\n"
                    "free N = 750 [mN] in 100..5000 # unused\n" AGAINST "\nfree v0\n"
                    "run until = 2 [s], step = 0.2 [ms]\n");
    free(text);
    end(f);
}

static void refuses(const char *text, const char *const *records, const char *words) {
    fitted *f = begin(text, records);
    assert_int_equal(dry_fit_run(&f->job, &f->result, &f->error), DRY_BAD_ARGUMENT);
    if (!strstr(f->error.text, words)) same_text(f->error.text, words);
    end(f);
}

static void bad_input(void **state) {
    (void)state;
    static const double about[] = {2.0, 0.4, 0.5, 0.3, 0.0};
    record("one.csv", 2, 0.03, slide, about);
    refuses(BLOCK("free F\n"), NONE,
            "has no output to fit: write a line such as `output f against");
    refuses(BLOCK(AGAINST "\n"), ONE, "has nothing to fit: write `free F in 0.1..10`");
    refuses(BLOCK(AGAINST "\nfree F, c, M\n"), ONE, "2 value(s) cannot give 3 parameters");
    refuses(BLOCK(AGAINST "\nfree F in 2..3\n"), ONE, "outside of its bounds 2 .. 3");
    refuses(BLOCK(AGAINST " from 5 [s] to 6 [s]\nfree F\n"), ONE, "has no value within the run");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line),
        cmocka_unit_test(far_from_the_optimum),
        cmocka_unit_test(a_valley),
        cmocka_unit_test(a_bound),
        cmocka_unit_test(bounds_in_the_unit_of_the_value),
        cmocka_unit_test(held_out),
        cmocka_unit_test(a_robust_mean),
        cmocka_unit_test(a_coarse_step),
        cmocka_unit_test(no_finer_step),
        cmocka_unit_test(a_spring_that_gives_energy),
        cmocka_unit_test(known_parameters),
        cmocka_unit_test(a_free_start_and_lag),
        cmocka_unit_test(own_parameters),
        cmocka_unit_test(a_sampled_loop),
        cmocka_unit_test(two_ways_to_differentiate),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(one_optimum),
        cmocka_unit_test(without_effect),
        cmocka_unit_test(a_new_text),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
