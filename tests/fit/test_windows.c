/* Windows of a fit (multiple shooting): parameters that a run over the whole record does not find,
 * from records that closed forms and another integrator make. */
#include "unit.h"

#include <drystone/fit.h>

#include "linear.h"
#include "scratch_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fits ---------------------------------------------------------------------------------- */

typedef struct fitted {
    char text[2000];
    char paths[2][1024];
    const char *data[2];
    dry_fit_job job;
    dry_fit_result result;
    dry_error error;
} fitted;

static fitted *begin(const char *text, int n_data, int windows) {
    static const char *const names[] = {"windows-one.csv", "windows-two.csv"};
    fitted *f = calloc(1, sizeof *f);
    assert_non_null(f);
    snprintf(f->text, sizeof f->text, "%s", text);
    for (int i = 0; i < n_data; i++) {
        snprintf(f->paths[i], sizeof f->paths[i], "%s", scratch_file(names[i]));
        f->data[i] = f->paths[i];
    }
    f->job.path = "test.dry";
    f->job.text = f->text;
    f->job.length = strlen(f->text);
    f->job.data = f->data;
    f->job.n_data = n_data;
    f->job.threads = 1;
    f->job.windows = windows;
    return f;
}

static void run(fitted *f) { is_ok(dry_fit_run(&f->job, &f->result, &f->error), &f->error); }

static void end(fitted *f) {
    dry_fit_result_free(&f->result);
    free(f);
}

static void is_in_interval(const dry_fit_parameter *p, double truth) {
    above(truth, p->interval[0]);
    above(p->interval[1], truth);
}

static bool warns(const fitted *f, const char *words) {
    for (int i = 0; i < f->result.stats.n_warnings; i++)
        if (strstr(f->result.stats.warnings[i], words)) return true;
    return false;
}

static FILE *open_record(const char *name) {
    FILE *file = fopen(scratch_file(name), "w");
    assert_non_null(file);
    return file;
}

/* ---- an oscillator whose frequency is off by a third ----------------------------------------- */

/* A mass on a spring with dry friction, let go at p0: half cycles about -+ F/k (Rayleigh), each of
 * them smaller by 2 F/k, until the spring is weaker than friction. M = 1. */
static double oscillator(double t, double k, double F, double p0) {
    const double pi = 3.14159265358979323846, phase = sqrt(k) * t;
    double p = p0, side = 1.0, turn = 0.0;
    while (turn + pi < phase && k * fabs(p) > F) {
        p = 2.0 * side * F / k - p;
        side = -side;
        turn += pi;
    }
    if (k * fabs(p) <= F) return p;
    return side * F / k + (p - side * F / k) * cos(phase - turn);
}

static void record_oscillator(const char *name, double p0, uint64_t seed) {
    FILE *file = open_record(name);
    noise from = noise_of(seed, 0.0);
    fputs("t [s],p\n", file);
    for (int i = 0; i <= 600; i++) {
        const double t = 0.01 * i;
        fprintf(file, "%.17g,%.17g\n", t, oscillator(t, 400.0, 0.8, p0) + 5e-4 * gauss(&from));
    }
    fclose(file);
}

#define OSCILLATOR                                                                                 \
    "param k = 190 [N/m], F = 0.3 [N], p0 = 0.1 [m]\n"                                             \
    "state p = p0, v = 0 [m/s]\n"                                                                  \
    "f in F*sgn(v) with K = 1e6 [N/m], beta = 1 [ms]\n"                                            \
    "p' = v\n1 [kg]*v' = -k*p - f\n"                                                               \
    "output p against \"\" column \"p\" [m]\n"                                                     \
    "run until = 6 [s], step = 1 [ms]\n"

static void where_a_plain_fit_is_lost(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 11);
    fitted *plain = begin(OSCILLATOR "free k in 10..10000 log, F in 0.01..10 log\n", 1, 0);
    fitted *f = begin(OSCILLATOR "free k in 10..10000 log, F in 0.01..10 log\n", 1, 20);
    run(plain);
    run(f);
    above(fabs(plain->result.parameters[1].value - 0.8), 0.4);
    assert_int_equal(plain->result.windows.n, 0);
    is_in_interval(&f->result.parameters[0], 400.0);
    is_in_interval(&f->result.parameters[1], 0.8);
    near(f->result.parameters[0].value, 400.0, 0.1);
    near(f->result.parameters[1].value, 0.8, 1e-3);
    near(f->result.outputs[0].train.rms, 5e-4, 5e-5);
    const dry_fit_windows *w = &f->result.windows;
    assert_int_equal(w->n, 20);
    near(w->length, 0.3, 1e-12);
    near_share(w->without, plain->result.cost, 1e-12);
    near_share(w->cost, f->result.cost, 1e-12);
    above(w->without, 1000.0 * w->cost);
    near(w->values[0], 400.0, 2.0);
    at_most(w->jump, 1e-2);
    assert_false(warns(f, "does not follow"));
    end(plain);
    end(f);
}

/* The same machine made of parts, by differences. */
static void parts(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 18);
    fitted *f = begin("part load = point_mass(mass = 1 [kg], p = 0.1 [m])\n"
                      "part pull = spring(K = 190 [N/m])\n"
                      "part rub = coulomb(F = 0.3 [N], K = 1e6 [N/m], beta = 1 [ms])\n"
                      "connect pull - load - world\nconnect rub - load - world\n"
                      "output load.p against \"\" column \"p\" [m]\n"
                      "free pull.K in 10..10000 log, rub.F in 0.01..10 log\n"
                      "run until = 6 [s], step = 1 [ms]\n",
                      1, 20);
    run(f);
    above(f->result.windows.without, 1000.0 * f->result.windows.cost);
    near(f->result.parameters[0].value, 400.0, 0.1);
    near(f->result.parameters[1].value, 0.8, 1e-3);
    end(f);
}

/* A length in place of a number; a record of its own start each; a start that is free. */
static void several_records_and_starts(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 12);
    record_oscillator("windows-two.csv", 0.07, 13);
    fitted *f = begin(OSCILLATOR "free k in 10..10000 log, F in 0.01..10 log, start p own\n", 2, 0);
    f->job.window = 0.3;
    run(f);
    assert_int_equal(f->result.windows.n, 40);
    assert_int_equal(f->result.n_parameters, 4);
    static const double truth[] = {400.0, 0.8, 0.1, 0.07};
    for (int j = 0; j < 4; j++) near_share(f->result.parameters[j].value, truth[j], 3e-3);
    end(f);
}

static void the_same_bits(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 14);
    static const char text[] = OSCILLATOR "free k in 10..10000 log, F in 0.01..10 log\n";
    fitted *one = begin(text, 1, 20), *three = begin(text, 1, 20);
    three->job.threads = 3;
    one->job.hold_last = three->job.hold_last = 0.5;
    run(one);
    run(three);
    for (int j = 0; j < 2; j++) {
        same_bits(one->result.parameters[j].value, three->result.parameters[j].value);
        same_bits(one->result.windows.values[j], three->result.windows.values[j]);
    }
    same_bits(one->result.cost, three->result.cost);
    assert_int_equal(one->result.runs, three->result.runs);
    near(one->result.windows.length, 0.15, 1e-12); /* held rows have no windows */
    end(one);
    end(three);
}

static void several_starts(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 15);
    fitted *f = begin(OSCILLATOR "free k in 100..1600 log, F in 0.2..3.2 log\n", 1, 20);
    f->job.starts = 3;
    run(f);
    assert_int_equal(f->result.n_starts, 3);
    near(f->result.parameters[0].value, 400.0, 0.1);
    near(f->result.parameters[1].value, 0.8, 1e-3);
    end(f);
}

/* ---- time, samples ------------------------------------------------------------------------- */

/* y' = -a y + b cos(9 t) + c u(t), u = 1 for 0.4 < t < 0.9, from rest: windows begin at their own
 * times. */
static double driven(double t, double a, double b, double c) {
    const double on = t > 0.4 ? exp(-a * fmax(t - 0.9, 0.0)) - exp(-a * (t - 0.4)) : 0.0;
    return b * (a * cos(9.0 * t) + 9.0 * sin(9.0 * t) - a * exp(-a * t)) / (a * a + 81.0) +
           c / a * on;
}

static void time_goes_on(void **state) {
    (void)state;
    FILE *file = open_record("windows-one.csv");
    fputs("t [s],y,u\n", file);
    for (int i = 0; i <= 200; i++) {
        const double t = 0.01 * i;
        fprintf(file, "%.17g,%.17g,%d\n", t, driven(t, 1.7, 2.0, 3.0), i >= 40 && i < 90);
    }
    fclose(file);
    fitted *f = begin("param a = 0.5 [1/s], b = 5 [1/s], c = 1 [1/s]\nstate y = 0\n"
                      "input u from \"\" column \"u\" with by = hold\n"
                      "y' = -a*y + b*cos(9 [1/s]*t) + c*u\noutput y against \"\" column \"y\"\n"
                      "free a, b, c\nrun until = 2 [s], step = 1 [ms]\n",
                      1, 7);
    run(f);
    static const double truth[] = {1.7, 2.0, 3.0};
    for (int j = 0; j < 3; j++) {
        near(f->result.parameters[j].value, truth[j], 1e-6);
        near(f->result.windows.values[j], truth[j], 1e-3);
        assert_null(f->result.parameters[j].why);
    }
    end(f);
}

/* x' = -u, u = g x each 0.1 s: x falls by 1 - 0.1 g in each period, and linearly within. Windows
 * begin at samples (4 of 0.5 s) and between them (3). */
static void samples_go_on(void **state) {
    (void)state;
    const double g = 2.0, period = 0.1;
    FILE *file = open_record("windows-one.csv");
    fputs("t [s],x\n", file);
    for (int i = 0; i <= 80; i++) {
        const double part = 0.25 * (i % 4), before = pow(1.0 - period * g, i / 4);
        fprintf(file, "%.17g,%.17g\n", 0.025 * i, before * (1.0 - part * period * g));
    }
    fclose(file);
    for (int windows = 3; windows <= 4; windows++) {
        fitted *f = begin("param g = 0.5 [1/s]\nstate x = 1\nsample u = g*x every 0.1 [s]\n"
                          "x' = -u\noutput x against \"\" column \"x\"\nfree g\n"
                          "run until = 2 [s], step = 5 [ms]\n",
                          1, windows);
        run(f);
        near(f->result.parameters[0].value, g, 1e-6);
        near(f->result.windows.values[0], g, 1e-3);
        at_most(f->result.windows.jump, 1e-3);
        end(f);
    }
}

/* ---- chaos --------------------------------------------------------------------------------- */

/* Lorenz (1963), by small steps of the midpoint rule. */
static void lorenz_rate(const double *x, double *rate) {
    rate[0] = 10.0 * (x[1] - x[0]);
    rate[1] = x[0] * (28.0 - x[2]) - x[1];
    rate[2] = x[0] * x[1] - 8.0 / 3.0 * x[2];
}

static void lorenz_step(double *x, double h) {
    double rate[3], middle[3];
    lorenz_rate(x, rate);
    for (int i = 0; i < 3; i++) middle[i] = x[i] + 0.5 * h * rate[i];
    lorenz_rate(middle, rate);
    for (int i = 0; i < 3; i++) x[i] += h * rate[i];
}

static void record_lorenz(int n) {
    FILE *file = open_record("windows-one.csv");
    double x[] = {1.0, 3.0, 15.0};
    noise from = noise_of(17, 0.0);
    fputs("t [s],x,z\n", file);
    for (int i = 0; i <= n; i++) {
        const double first = 0.1 * gauss(&from), second = 0.1 * gauss(&from);
        fprintf(file, "%.17g,%.17g,%.17g\n", 0.02 * i, x[0] + first, x[2] + second);
        for (int k = 0; k < 1000; k++) lorenz_step(x, 2e-5);
    }
    fclose(file);
}

static const char LORENZ[] =
    "param s = 8 [1/s], r = 24, b = 2.2\nstate x = 1, y = 3, z = 15\n"
    "x' = s*(y - x)\ny' = (x*(r - z) - y)/(1 [s])\nz' = (x*y - b*z)/(1 [s])\n"
    "output x against \"\" column \"x\"\noutput z against \"\" column \"z\"\n"
    "free s, r, b\nrun until = 30 [s], step = 5 [ms]\n";

/* Small errors grow by e^27 in 30 s, so no run follows; the windows do, and the fit says so. */
static void chaos_is_told(void **state) {
    (void)state;
    record_lorenz(1500);
    fitted *f = begin(LORENZ, 1, 100);
    run(f);
    static const double truth[] = {10.0, 28.0, 8.0 / 3.0};
    for (int j = 0; j < 3; j++) near_share(f->result.windows.values[j], truth[j], 0.01);
    above(f->result.outputs[0].train.fraction, 0.3);
    assert_true(warns(f, "one run over a whole record does not follow what its windows follow"));
    end(f);
}

/* ---- what cannot be cut -------------------------------------------------------------------- */

static void refuses(const char *text, int windows, const char *words) {
    fitted *f = begin(text, 1, windows);
    assert_int_equal(dry_fit_run(&f->job, &f->result, &f->error), DRY_BAD_ARGUMENT);
    if (!strstr(f->error.text, words)) same_text(f->error.text, words);
    end(f);
}

static void bad_input(void **state) {
    (void)state;
    record_oscillator("windows-one.csv", 0.1, 16);
    refuses("param a = 1 [1/s]\nstate x = 1\nx' = -a*delay(x, 10 [ms])\n"
            "output x against \"\" column \"p\"\nfree a\nrun until = 6 [s], step = 1 [ms]\n",
            4, "a window cannot begin where the model reads its past");
    refuses("param F = 1 [N]\nstate v = 1 [m/s]\nf in F*sgn(v)\n1 [kg]*v' = -f\n"
            "output v/(1 [m/s]) against \"\" column \"p\"\nfree F\n"
            "run until = 6 [s], step = 1 [ms], method = rigid\n",
            4, "does not take: choose another one, such as --method rk4");
    refuses("part stone = box(size = 1 [m], mass = 1 [kg])\n"
            "output stone.p[1]/(1 [m]) against \"\" column \"p\"\nfree stone.mass\n"
            "run until = 6 [s], step = 1 [ms]\n",
            4, "a window cannot begin at any state of `stone`");
    refuses(OSCILLATOR "free F\n", 1000, "take fewer windows, such as --windows");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_a_plain_fit_is_lost),
        cmocka_unit_test(parts),
        cmocka_unit_test(several_records_and_starts),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(several_starts),
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(samples_go_on),
        cmocka_unit_test(chaos_is_told),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
