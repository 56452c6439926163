/* What a gradient costs in plain runs: of a block on a multistate friction with ten elements, by 1,
 * 5 and 10 of their stiffnesses, in machine code and in bytecode. *equations*: those of the
 * sensitivities; *differences*: two runs by each. Then how long a fit of these stiffnesses takes,
 * from a record that the same model made, with its own choice of code.
 *
 * p: position, m; v: velocity, m/s */
#include "bench.h"

#include <drystone/fit.h>
#include <drystone/native.h>
#include <drystone/sim.h>

enum { MOST = 10 };
static const int counts[] = {1, 5, MOST};
static const char record_name[] = "bench_fit.csv"; /* below TMPDIR */

static const char text[] =
    "param k1 = 5 [N/um], k2 = 2.5 [N/um], k3 = 1.7 [N/um], k4 = 1.2 [N/um]\n"
    "param k5 = 1 [N/um], k6 = 0.8 [N/um], k7 = 0.7 [N/um], k8 = 0.6 [N/um]\n"
    "param k9 = 0.55 [N/um], k10 = 0.5 [N/um]\n"
    "state p = 0 [m], v = 0 [m/s]\n"
    "f = multistate(v, kappa = [k1, k2, k3, k4, k5, k6, k7, k8, k9, k10])\n"
    "p' = v\n"
    "2 [kg]*v' = 2.2 [N]*sin(40 [1/s]*t) - f\n"
    "seen = p + 1 [nm]*noise(2000*t/(1 [s]), 1)\n"
    "output p against \"bench_fit.csv\" column \"seen\" [m]\n"
    "run until = 0.5 [s], step = 10 [us], record = 1 [ms]\n";

static void stop(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* ---- one run --------------------------------------------------------------------------------- */

typedef struct one {
    const dry_system *system;
    dry_run_options run;
} one;

static void run_one(void *data) {
    const one *o = data;
    const dry_sim_options options = {.run = o->run};
    dry_sim_result result;
    dry_error error = {0};
    if (dry_sim_run(o->system, &options, &result, &error) != DRY_OK) stop(error.text);
    dry_record_free(result.record);
}

typedef struct way {
    const char *name;
    dry_native *native[2];
    one plain, slopes[3];
} way;

static void make(way *w, bool native, const dry_model *model, dry_sensitivity *const *exact,
                 const dry_run_options *run) {
    dry_error error = {0};
    const dry_native_options how = {.method = run->method};
    w->name = native ? "machine code" : "bytecode";
    w->plain.run = *run;
    w->plain.system = dry_model_system(model);
    if (native) {
        w->native[0] = dry_native_new(model, &how, &error);
        if (!w->native[0]) stop(error.text);
        w->plain.system = dry_native_system(w->native[0]);
    }
    for (int i = 0; i < 3; i++) {
        w->slopes[i].run = *run;
        w->slopes[i].system = dry_sensitivity_system(exact[i]);
        if (!native) continue;
        dry_native *code = dry_native_new(dry_sensitivity_model(exact[i]), &how, &error);
        if (!code) stop(error.text); /* it lives as long as the program */
        w->slopes[i].system = dry_native_system(code);
    }
}

static void compare(table *t, way *w) {
    contestant all[4] = {{w->name, run_one, &w->plain, 0.0}};
    for (int i = 0; i < 3; i++) all[i + 1] = (contestant){w->name, run_one, &w->slopes[i], 0.0};
    race(all, 4, 4.0);
    for (int i = 0; i < 3; i++) {
        cell_text(t, w->name);
        cell_number(t, "%.0f", counts[i]);
        cell_number(t, "%.2f", 1e3 * all[0].seconds);
        cell_number(t, "%.2f", 1e3 * all[i + 1].seconds);
        cell_number(t, "%.2f", all[i + 1].seconds / all[0].seconds);
        cell_number(t, "%.0f", 2.0 * counts[i]);
    }
}

/* ---- a fit -------------------------------------------------------------------------------------
 */

/* The record of a run, and a fit that begins with every stiffness 30 % too large. */
static void fit_all(const dry_model *model, const dry_run_options *run) {
    const char *folder = getenv("TMPDIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/tmp", record_name);
    const dry_sim_options options = {.run = *run};
    dry_sim_result result;
    dry_error error = {0};
    if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK ||
        dry_record_write(result.record, path, &error) != DRY_OK)
        stop(error.text);
    dry_record_free(result.record);
    const char *data[] = {path};
    for (int i = 0; i < 3; i++) {
        dry_setting settings[MOST];
        dry_fit_free free[MOST];
        char names[MOST][8];
        for (int k = 0; k < counts[i]; k++) {
            const int par =
                dry_model_par_find(model, (snprintf(names[k], 8, "k%d", k + 1), names[k]));
            settings[k] =
                (dry_setting){.name = names[k], .value = 1.3 * dry_model_system(model)->par[par]};
            free[k] = (dry_fit_free){.name = names[k], .log = true};
        }
        const dry_fit_job job = {.path = "bench.dry",
                                 .text = text,
                                 .length = sizeof text - 1,
                                 .options = {.settings = settings, .n_settings = counts[i]},
                                 .data = data,
                                 .n_data = 1,
                                 .free = free,
                                 .n_free = counts[i],
                                 .threads = 1};
        dry_fit_result fit;
        const double begun = seconds_now();
        if (dry_fit_run(&job, &fit, &error) != DRY_OK) stop(error.text);
        printf("# fit of %d: %.2f s of one thread, %d steps, %ld runs, %ld with sensitivities, rms "
               "%.2g m\n",
               counts[i], seconds_now() - begun, fit.steps, fit.runs, fit.slope_runs,
               fit.outputs[0].train.rms);
        dry_fit_result_free(&fit);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {{"code", 14},     {"parameters", -10},
                                     {"plain ms", -9}, {"equations ms", -12},
                                     {"in runs", -8},  {"differences", -11}};
    table t = table_begin(argc, argv, columns, 6);
    /* the record is not there yet: the text without its output */
    char plain[sizeof text];
    const char *from = strstr(text, "output"), *to = strstr(text, "run until");
    snprintf(plain, sizeof plain, "%.*s%s", (int)(from - text), text, to);
    dry_model *model = dry_model_compile("bench.dry", plain, strlen(plain), NULL);
    if (!model || !dry_model_ok(model)) stop("the model does not compile");
    dry_run_options run = dry_model_run(model);
    dry_error error = {0};
    if (dry_model_plan(model, &run, &error) != DRY_OK) stop(error.text);
    dry_sensitivity *exact[3];
    for (int i = 0; i < 3; i++) {
        int par[MOST];
        const char *why[MOST];
        for (int k = 0; k < counts[i]; k++) {
            char name[8];
            snprintf(name, sizeof name, "k%d", k + 1);
            par[k] = dry_model_par_find(model, name);
        }
        if (dry_sensitivity_new(model, par, counts[i], why, &exact[i], &error) != DRY_OK)
            stop(error.text);
        for (int k = 0; k < counts[i]; k++) must(!why[k], "a stiffness has no derivatives");
    }
    static way ways[2];
    for (int i = 0; i < 2; i++) {
        make(&ways[i], i == 0, model, exact, &run);
        compare(&t, &ways[i]);
    }
    fit_all(model, &run);
    return 0;
}
