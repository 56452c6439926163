/* How often the 95 % intervals of a fit hold the truth, parameter by parameter: the model makes the
 * data itself, at known parameters, and white noise from a generator of its own comes on top. That
 * is right here, because what is tested is the interval.
 *
 *   fit_test_coverage         40 repetitions: of 40 at 95 %, 33 hold but for 1 in 300
 *   fit_test_coverage 400     400 repetitions, a table: between 92 and 98 %; for `make coverage`
 */
#include "unit.h"

#include "linear.h"
#include "scratch_file.h"

enum { PARS = 8, OUTPUTS = 2 };

/* A model and what is measured of it. `closed`: a controller holds it to a reference. */
typedef struct coverage {
    const char *name, *model, *free;
    struct {
        const char *name;
        double truth;
    } par[PARS];
    struct {
        const char *name, *unit;
        double noise;
    } output[OUTPUTS];
    double until, step, record;
    const char *method;
} coverage;

#define BLOCK(force)                                                                               \
    "state p = 0 [m], v = 0 [m/s]\nr = 0.1 [m]*sin(3 [rad/s]*t)\n"                                 \
    "r_dot = 0.3 [m/s]*cos(3 [rad/s]*t)\nu = " force "\np' = v\n"
#define OPEN BLOCK("1.2 [N]*sin(3 [rad/s]*t) + 0.4 [N]*cos(7 [rad/s]*t)")
#define CLOSED BLOCK("40 [N/m]*(r - p) + 8 [N s/m]*(r_dot - v) + 0.5 [N]*sin(11 [rad/s]*t)")

#define COULOMB "param M = 2 [kg], F = 0.5 [N], c = 0.3 [N s/m]\n"
#define COULOMB_LAW "f in F*sgn(v) with K = 2e4 [N/m], beta = 4 [ms]\nM*v' = u - f - c*v\n"

#define LUGRE "param M = 2 [kg], F = 0.5 [N], Fs = 0.7 [N], vs = 20 [mm/s], K = 400 [N/m]\n"
#define LUGRE_LAW                                                                                  \
    "f = lugre(v, F = F, Fs = Fs, vs = vs, K = K, B = 4 [N s/m])\nM*v' = u - f - 0.2 [N s/m]*v\n"

#define MULTISTATE                                                                                 \
    "param M = 2 [kg], k1 = 400 [N/m], k2 = 150 [N/m], k3 = 60 [N/m], k4 = 20 [N/m]\n"             \
    "param L = [0.2, 0.2, 0.2, 0.2] [N]\n"
#define MULTISTATE_LAW                                                                             \
    "f = multistate(v, N = 4, Fc = sum(L), Fs = 0, tau_d = 0, kappa = [k1, k2, k3, k4], "          \
    "sigma = 2 [N s/m], lambda = L/sum(L))\nM*v' = u - f - 0.2 [N s/m]*v\n"

#define BALL                                                                                       \
    "param e = 0.7, g = 9.81 [m/s^2]\nstate y = 0.2 [m], w = 0 [m/s]\n"                            \
    "N in dio(y) with restitution = e, K = 2e4 [N/m]\ny' = w\n0.5 [kg]*w' = N - 0.5 [kg]*g\n"

/* Two uniform rods, as KY08 has them. */
#define ARM(torque)                                                                                \
    "param M = 0.2 [kg], L = 0.5 [m], F1 = 0.3 [N*m], F2 = 0.15 [N*m], c1 = 0.05 [N*m*s], "        \
    "c2 = 0.03 [N*m*s]\nstate q[2] = [0, 1], w[2] = 0 [rad/s]\n" torque                            \
    "f1 in F1*sgn(w[1]) with K = 400 [N*m], beta = 4 [ms]\n"                                       \
    "f2 in F2*sgn(w[2]) with K = 200 [N*m], beta = 4 [ms]\n"                                       \
    "H11 = M*L^2*(5/3 + cos(q[2]))\nH12 = M*L^2*(1/3 + cos(q[2])/2)\nH22 = M*L^2/3\n"              \
    "n1 = u1 - f1 - c1*w[1] + M*L^2/2*sin(q[2])*(2*w[1]*w[2] + w[2]^2)\n"                          \
    "n2 = u2 - f2 - c2*w[2] - M*L^2/2*sin(q[2])*w[1]^2\nq' = w\n"                                  \
    "w[1]' = (H22*n1 - H12*n2)/(H11*H22 - H12^2)\n"                                                \
    "w[2]' = (H11*n2 - H12*n1)/(H11*H22 - H12^2)\na = q[1]\nb = q[2]\n"
#define ARM_OPEN ARM("u1 = 0.8 [N*m]*sin(4 [rad/s]*t)\nu2 = 0.4 [N*m]*sin(5 [rad/s]*t + 1)\n")
#define ARM_CLOSED                                                                                 \
    ARM("u1 = 20 [N*m]*(0.8*sin(2 [rad/s]*t) - q[1]) - 1 [N*m*s]*w[1]\n"                           \
        "u2 = 10 [N*m]*(1 + 0.6*sin(3 [rad/s]*t) - q[2]) - 0.5 [N*m*s]*w[2]\n")

static const coverage cases[] = {
    {"coulomb, open loop",
     COULOMB OPEN COULOMB_LAW,
     "M log, F log, c",
     {{"M", 2.0}, {"F", 0.5}, {"c", 0.3}},
     {{"p", "[m]", 1e-3}},
     6.0,
     4e-3,
     20e-3,
     "rk4-tau"},
    {"coulomb, closed loop",
     COULOMB CLOSED COULOMB_LAW,
     "M log, F log, c",
     {{"M", 2.0}, {"F", 0.5}, {"c", 0.3}},
     {{"p", "[m]", 5e-4}},
     6.0,
     4e-3,
     20e-3,
     "rk4-tau"},
    {"lugre, open loop",
     LUGRE OPEN LUGRE_LAW,
     "F, Fs, vs log, K log",
     {{"F", 0.5}, {"Fs", 0.7}, {"vs", 20e-3}, {"K", 400.0}},
     {{"p", "[m]", 1e-4}, {"f", "[N]", 0.01}},
     6.0,
     2e-3,
     20e-3,
     "rk4-tau"},
    {"lugre, closed loop",
     LUGRE CLOSED LUGRE_LAW,
     "F, Fs, vs log, K log",
     {{"F", 0.5}, {"Fs", 0.7}, {"vs", 20e-3}, {"K", 400.0}},
     {{"p", "[m]", 2e-5}, {"f", "[N]", 0.002}},
     6.0,
     2e-3,
     20e-3,
     "rk4-tau"},
    {"multistate, open loop",
     MULTISTATE OPEN MULTISTATE_LAW,
     "k1 log, k2 log, k3 log, k4 log",
     {{"k1", 400.0}, {"k2", 150.0}, {"k3", 60.0}, {"k4", 20.0}},
     {{"p", "[m]", 2e-4}, {"f", "[N]", 0.01}},
     6.0,
     4e-3,
     20e-3,
     "rk4-tau"},
    {"multistate, closed loop",
     MULTISTATE CLOSED MULTISTATE_LAW,
     "k1 log, k2 log, k3 log, k4 log",
     {{"k1", 400.0}, {"k2", 150.0}, {"k3", 60.0}, {"k4", 20.0}},
     {{"p", "[m]", 2e-4}, {"f", "[N]", 0.01}},
     6.0,
     4e-3,
     20e-3,
     "rk4-tau"},
    {"restitution",
     BALL,
     "e, g",
     {{"e", 0.7}, {"g", 9.81}},
     {{"y", "[m]", 1e-3}},
     1.0,
     1e-3,
     5e-3,
     "dopri5, rtol = 1e-9"},
    {"two links, open loop",
     ARM_OPEN,
     "F1 log, F2 log, c1, c2",
     {{"F1", 0.3}, {"F2", 0.15}, {"c1", 0.05}, {"c2", 0.03}},
     {{"a", "", 5e-3}, {"b", "", 5e-3}},
     5.0,
     4e-3,
     20e-3,
     "rk4-tau"},
    {"two links, closed loop",
     ARM_CLOSED,
     "F1 log, F2 log, c1, c2",
     {{"F1", 0.3}, {"F2", 0.15}, {"c1", 0.05}, {"c2", 0.03}},
     {{"a", "", 5e-3}, {"b", "", 5e-3}},
     5.0,
     4e-3,
     20e-3,
     "rk4-tau"},
};
enum { CASES = sizeof cases / sizeof *cases };

static int runs = 40;

/* ---- data
 * ------------------------------------------------------------------------------------------ */

static void put_text(const coverage *c, char *text, size_t size) {
    const int n =
        snprintf(text, size, "%srun until = %g [s], step = %g [s], record = %g [s], method = %s\n",
                 c->model, c->until, c->step, c->record, c->method);
    assert_true(n > 0 && (size_t)n < size);
}

static dry_record *run_truth(const char *text) {
    dry_error error = {0};
    dry_model *model = dry_model_compile("truth.dry", text, strlen(text), NULL);
    if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
    dry_run_options run = {0};
    dry_sim_result result = {0};
    is_ok(dry_model_plan(model, &run, &error), &error);
    is_ok(dry_sim_run(dry_model_system(model), &(dry_sim_options){.run = run}, &result, &error),
          &error);
    dry_model_free(model);
    return result.record;
}

/* What was measured: the outputs of the run with noise. */
static void put_data(const coverage *c, const dry_record *truth, const char *path, noise *from) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("t [s]", file);
    for (int k = 0; k < OUTPUTS && c->output[k].name; k++) fprintf(file, ",%s", c->output[k].name);
    fputc('\n', file);
    for (size_t i = 0; i < dry_record_rows(truth); i++) {
        fprintf(file, "%.17g", dry_record_values(truth, 0)[i]);
        for (int k = 0; k < OUTPUTS && c->output[k].name; k++) {
            const int column = dry_record_find(truth, c->output[k].name);
            assert_true(column > 0);
            fprintf(file, ",%.17g",
                    dry_record_values(truth, column)[i] + c->output[k].noise * gauss(from));
        }
        fputc('\n', file);
    }
    fclose(file);
}

/* The text with its outputs, each weighted by its noise as parts of its size, and what is free. */
static void add_outputs(const coverage *c, const dry_record *truth, char *text, size_t size) {
    for (int k = 0; k < OUTPUTS && c->output[k].name; k++) {
        const double *y = dry_record_values(truth, dry_record_find(truth, c->output[k].name));
        const double n = (double)dry_record_rows(truth);
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < dry_record_rows(truth); i++) mean += y[i] / n;
        for (size_t i = 0; i < dry_record_rows(truth); i++)
            square += (y[i] - mean) * (y[i] - mean) / n;
        const size_t at = strlen(text);
        snprintf(text + at, size - at,
                 "output %s against \"\" column \"%s\" %s with weight = %.6g\n", c->output[k].name,
                 c->output[k].name, c->output[k].unit, 0.01 * sqrt(square) / c->output[k].noise);
    }
    const size_t at = strlen(text);
    snprintf(text + at, size - at, "free %s\n", c->free);
}

/* ---- fits
 * ------------------------------------------------------------------------------------------- */

/* Fits one repetition, from a twentieth above the truth, and counts which intervals hold it. */
static void fit_once(const coverage *c, const char *text, const char *path, int held[PARS]) {
    dry_setting settings[PARS];
    dry_fit_result result;
    dry_error error = {0};
    int n = 0;
    for (; n < PARS && c->par[n].name; n++)
        settings[n] = (dry_setting){.name = c->par[n].name, .value = 1.05 * c->par[n].truth};
    const dry_fit_job job = {.path = "coverage.dry",
                             .text = text,
                             .length = strlen(text),
                             .options = {.settings = settings, .n_settings = n},
                             .data = &path,
                             .n_data = 1,
                             .threads = 1};
    is_ok(dry_fit_run(&job, &result, &error), &error);
    assert_int_equal(result.n_parameters, n);
    for (int j = 0; j < n; j++) {
        const dry_fit_parameter *p = &result.parameters[j];
        assert_string_equal(p->name, c->par[j].name);
        held[j] += p->interval[0] <= c->par[j].truth && c->par[j].truth <= p->interval[1];
    }
    dry_fit_result_free(&result);
}

static bool is_right(int held) {
    if (runs < 400) return held >= runs - 7 * runs / 40;
    return abs(100 * held - 95 * runs) <= 3 * runs; /* 95 +- 3 % */
}

static void covers(void **state) {
    const coverage *c = *state;
    char text[4000], path[1024];
    int held[PARS] = {0};
    noise from = noise_of(2024 + (uint64_t)(c - cases), 0.0);
    snprintf(path, sizeof path, "%s", scratch_file("coverage.csv"));
    put_text(c, text, sizeof text);
    dry_record *truth = run_truth(text);
    add_outputs(c, truth, text, sizeof text);
    for (int run = 0; run < runs; run++) {
        put_data(c, truth, path, &from);
        fit_once(c, text, path, held);
    }
    dry_record_free(truth);
    remove(path);
    bool right = true;
    for (int j = 0; j < PARS && c->par[j].name; j++) {
        right = right && is_right(held[j]);
        if (runs >= 400 || !is_right(held[j]))
            print_message("%-26s %-4s %3d of %d, %.1f %%\n", c->name, c->par[j].name, held[j], runs,
                          100.0 * held[j] / runs);
    }
    assert_true(right);
}

int main(int argc, char **argv) {
    struct CMUnitTest tests[CASES];
    if (argc > 1) runs = atoi(argv[1]);
    if (runs < 1) return 2;
    for (int k = 0; k < CASES; k++)
        tests[k] = (struct CMUnitTest){cases[k].name, covers, NULL, NULL, (void *)&cases[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
