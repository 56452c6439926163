/* The native code of a model computes the bits of its bytecode: every function of the system at
 * random states, and every fixed-step method step by step. */
#ifndef DRY_TESTS_NATIVE_BITS_H
#define DRY_TESTS_NATIVE_BITS_H

#include "native_test.h"
#include <dirent.h>

enum { DRAWS = 40, STEPS = 40 };

/* A system with its scratch, prepared. */
typedef struct bench {
    const dry_system *system;
    dry_env env;
    double *x, *out;
} bench;

static inline bench set_up(const dry_system *system) {
    bench b = {.system = system};
    const size_t room =
        (size_t)(system->n_states + system->n_outputs + system->n_kinks + system->n_jacobian + 1);
    b.env = (dry_env){
        .model = system->model, .par = system->par, .work = calloc(1, system->work_size + 1)};
    b.x = calloc(room, sizeof *b.x);
    b.out = calloc(room, sizeof *b.out);
    assert_non_null(b.env.work);
    assert_non_null(b.x);
    assert_non_null(b.out);
    system->prepare(&b.env);
    system->start(&b.env, 0.0, b.x);
    return b;
}

static inline void take_down(bench *b) {
    free(b->env.work);
    free(b->x);
    free(b->out);
}

static inline void compare_functions(bench *a, bench *b, double t, double tau) {
    const dry_system *s = a->system, *n = b->system;
    s->rate(&a->env, t, tau, a->x, a->out);
    n->rate(&b->env, t, tau, b->x, b->out);
    assert_same("rate", a->out, b->out, s->n_states);
    if (s->output) {
        s->output(&a->env, t, tau, a->x, a->out);
        n->output(&b->env, t, tau, b->x, b->out);
        assert_same("output", a->out, b->out, s->n_outputs);
    }
    if (s->kinks) {
        s->kinks(&a->env, t, a->x, a->out);
        n->kinks(&b->env, t, b->x, b->out);
        assert_same("kink", a->out, b->out, s->n_kinks);
    }
    assert_int_equal(s->n_jacobian, n->n_jacobian);
    if (s->jacobian) {
        s->jacobian(&a->env, t, tau, a->x, a->out);
        n->jacobian(&b->env, t, tau, b->x, b->out);
        assert_same("derivative", a->out, b->out, s->n_jacobian);
    }
    if (s->watch) assert_int_equal(s->watch(&a->env, t, a->x), n->watch(&b->env, t, b->x));
    if (s->latch) {
        assert_int_equal(s->latch(&a->env, t, a->x), n->latch(&b->env, t, b->x));
        assert_same("latched state", a->x, b->x, s->n_states);
    }
}

/* States near the start, where forces are moderate, and far away, where they are not. */
static inline void compare_everywhere(bench *a, bench *b) {
    const int n = a->system->n_states;
    double *start = malloc(sizeof *start * (size_t)n);
    uint64_t seed = 1;
    memcpy(start, a->x, sizeof *start * (size_t)n);
    assert_same("start", a->x, b->x, n);
    for (int k = 0; k < DRAWS; k++) {
        const double size = pow(10.0, (double)(k % 10) - 7.0);
        for (int i = 0; i < n; i++) a->x[i] = b->x[i] = start[i] + size * draw(&seed);
        compare_functions(a, b, 2.0 + 2.0 * draw(&seed), k % 2 ? 1e-3 * (1.0 + draw(&seed)) : 0.0);
    }
    free(start);
}

typedef struct journey {
    dry_ode ode;
    double *work;
    void *scratch;
    dry_status status;
} journey;

static inline void travel(journey *j, const dry_system *system, const dry_method *method,
                          double step) {
    const dry_ode_options options = {.step = step};
    j->work = calloc(dry_ode_size(system, method), sizeof *j->work);
    j->scratch = calloc(1, system->work_size + 1);
    assert_non_null(j->work);
    assert_non_null(j->scratch);
    j->status =
        dry_ode_init(&j->ode, system, method, &options, NULL, 0.0, NULL, j->scratch, j->work);
    for (int k = 1; k <= 3 && j->status == DRY_OK; k++)
        j->status = dry_ode_advance(&j->ode, (double)(k * STEPS) * step);
}

static inline void compare_methods(const dry_system *bytecode, const dry_system *native,
                                   double step) {
    for (int i = 0; i < dry_method_count(); i++) {
        const dry_method *method = dry_method_at(i);
        journey a, b;
        if (method->adaptive) continue;
        travel(&a, bytecode, method, step);
        travel(&b, native, method, step);
        assert_int_equal(a.status, b.status);
        assert_same(method->name, a.ode.x, b.ode.x, bytecode->n_states);
        assert_same("time", (double[]){a.ode.t, a.ode.t_before, a.ode.fault.t},
                    (double[]){b.ode.t, b.ode.t_before, b.ode.fault.t}, 3);
        assert_int_equal(a.ode.counts.steps, b.ode.counts.steps);
        assert_int_equal(a.ode.counts.rates, b.ode.counts.rates);
        assert_int_equal(a.ode.fault.state, b.ode.fault.state);
        assert_int_equal(a.ode.fault.watch, b.ode.fault.watch);
        free(a.work);
        free(a.scratch);
        free(b.work);
        free(b.scratch);
    }
}

/* With loops for all methods, or for the model's own. */
static inline void compare_model(const dry_model *model, bool all_methods, const char *compiler) {
    const dry_run_options run = dry_model_run(model);
    const dry_method *own = run.method ? run.method : dry_method_find("rk4");
    dry_native *native = make_native(model, all_methods ? NULL : own, compiler);
    bench a = set_up(dry_model_system(model)), b = set_up(dry_native_system(native));
    compare_everywhere(&a, &b);
    take_down(&a);
    take_down(&b);
    compare_methods(dry_model_system(model), dry_native_system(native),
                    run.step > 0.0 ? run.step : 1e-3);
    dry_native_free(native);
}

/* Every .dry file in the folder and below; models that the compiler refuses have no code. Little is
 * optimised, to be quick. Returns how many were compared. */
static inline int compare_folder(const char *folder) {
    int compared = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *file; directory && (file = readdir(directory));) {
        char path[1024];
        const size_t length = strlen(file->d_name);
        if (file->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (length < 4 || strcmp(file->d_name + length - 4, ".dry") != 0) {
            compared += compare_folder(path);
            continue;
        }
        dry_model *model = compile_file(path);
        if (dry_model_ok(model) && !dry_model_net(model)) { /* parts have no native code */
            print_message("# %s\n", path);
            compare_model(model, false, getenv("CC") ? NULL : "cc -O1");
            compared++;
        }
        dry_model_free(model);
    }
    if (directory) closedir(directory);
    return compared;
}

#endif
