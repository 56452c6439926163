/* native: machine code of a model as the functions of a system. */
#define _POSIX_C_SOURCE 200809L
#include "model/model.h"
#include "native_private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPERATIONS = 200000 };

struct dry_native {
    const dry_system *bytecode;
    bool settles; /* states begin steady */
    const dry_native__calls *calls;
    void *handle;
    dry_system system;
    const dry_inclusion *sets; /* of the model; NULL if it keeps none */
    dry_system rigid_system;   /* with the bytecode's work after that of the native code */
    dry_inclusion inclusion;
};

/* ---- the system ------------------------------------------------------------------------------ */

static long march(const dry_env *env, const dry_method *method, dry_march *m) {
    const dry_native__calls *calls = ((const dry_native *)env->model)->calls;
    for (int i = 0; i < calls->n_march; i++)
        if (dry_method_at(i) == method) return calls->march[i] ? calls->march[i](env, m) : -1;
    return -1;
}

/* If both are needed, the bytecode's work follows that of the native code. */
static dry_env behind(const dry_env *env) {
    const dry_native *native = env->model;
    return (dry_env){.model = native->bytecode->model,
                     .par = env->par,
                     .work = (char *)env->work + native->calls->work_size,
                     .once = env->once};
}

static void prepare_both(const dry_env *env) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->calls->prepare(env);
    if (native->bytecode->prepare) native->bytecode->prepare(&inner);
}

static void breaks(const dry_env *env, double *times) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->bytecode->breaks(&inner, times);
}

/* What begins steady comes to rest in bytecode. */
static void start(const dry_env *env, double t, double *x) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->bytecode->start(&inner, t, x);
}

static const dry_clock *instants(const dry_env *env) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    return native->bytecode->instants(&inner);
}

static void jacobian(const dry_env *env, double t, double tau, const double *x, double *values) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->bytecode->jacobian(&inner, t, tau, x, values);
}

static double fastest(const dry_env *env, double t, double tau, const double *x, const char **law) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    return native->bytecode->fastest(&inner, t, tau, x, law);
}

static void phases(const dry_env *env, double t, double tau, const double *x, const double *y,
                   unsigned char *phase) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->bytecode->phases(&inner, t, tau, x, y, phase);
}

static void add_bytecode(const dry_native *native, dry_system *system) {
    system->work_size = native->calls->work_size + native->bytecode->work_size;
    system->prepare = prepare_both;
}

static void fill_system(dry_native *native) {
    const dry_native__calls *calls = native->calls;
    dry_system *system = &native->system;
    *system = *native->bytecode;
    system->model = native;
    system->work_size = calls->work_size;
    system->prepare = calls->prepare;
    system->start = calls->start;
    system->rate = calls->rate;
    system->output = calls->output;
    system->kinks = calls->kinks;
    system->latch = calls->latch;
    system->watch = calls->watch;
    system->breaks = system->breaks ? breaks : NULL;
    system->instants = system->instants ? instants : NULL;
    system->march = march;
    if (system->n_jacobian > 0 || system->fastest || system->breaks || system->instants ||
        system->phases || native->settles)
        add_bytecode(native, system);
    if (native->settles) system->start = start;
    if (system->n_jacobian > 0) system->jacobian = jacobian;
    if (system->fastest) system->fastest = fastest;
    if (system->phases) system->phases = phases;
}

/* ---- the inclusion --------------------------------------------------------------------------- */

static void eval(const dry_env *env, double t, const double *x, const double *lambda,
                 const dry_inclusion_values *values) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->sets->eval(&inner, t, x, lambda, values);
}

static void rigid_phases(const dry_env *env, double t, const double *x, const double *lambda,
                         unsigned char *phase) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->sets->phases(&inner, t, x, lambda, phase);
}

static void rigid_output(const dry_env *env, double t, const double *x, const double *lambda,
                         double *y) {
    const dry_native *native = env->model;
    const dry_env inner = behind(env);
    native->sets->output(&inner, t, x, lambda, y);
}

static void fill_inclusion(dry_native *native) {
    if (!native->sets) return;
    native->rigid_system = native->system;
    add_bytecode(native, &native->rigid_system);
    native->inclusion = *native->sets;
    native->inclusion.system = &native->rigid_system;
    native->inclusion.eval = native->calls->eval ? native->calls->eval : eval;
    native->inclusion.smooth = native->calls->smooth;
    native->inclusion.march = native->calls->steady;
    native->inclusion.output = rigid_output;
    if (native->inclusion.phases) native->inclusion.phases = rigid_phases;
}

/* ---- loading ----------------------------------------------------------------------------- */

static bool fits(const dry_native__calls *calls, const dry_system *system) {
    return calls && calls->abi == DRY_NATIVE__ABI && calls->n_states == system->n_states &&
           calls->n_outputs == system->n_outputs && calls->n_par == system->n_par &&
           calls->n_kinks == system->n_kinks && calls->n_march == dry_method_count();
}

static bool take_calls(void *user, const void *calls) {
    dry_native *native = user;
    native->calls = calls;
    return fits(native->calls, native->bytecode);
}

static dry_status find_or_make(dry_native *native, const dry_model *model,
                               const dry_native_options *options, dry_error *error) {
    char *source = dry_native__source(model, options->method, error);
    dry_native_options own = *options;
    char *words = model->code.n_ways ? dry_native__with_vectors(options->compiler) : NULL;
    if (source && model->code.n_ways && !words)
        dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (!source || (model->code.n_ways && !words)) {
        free(source);
        free(words);
        return DRY_NO_MEMORY;
    }
    if (words) own.compiler = words;
    const dry_native__wanted wanted = {.source = source,
                                       .operations = dry_model_operations(model),
                                       .symbol = "drystone_native",
                                       .take = take_calls,
                                       .user = native};
    const dry_status status = dry_native__object(&wanted, &own, &native->handle, error);
    free(source);
    free(words);
    return status;
}

/* ---- the door ---------------------------------------------------------------------------- */

bool dry_native__allowed(const dry_model *model, dry_error *error) {
    if (dry_model_operations(model) > MOST_OPERATIONS) {
        dry_error_set(error, DRY_UNSUPPORTED,
                      "the model has %d operations, too many for a C compiler: use --no-native",
                      dry_model_operations(model));
        return false;
    }
    if (getuid() == geteuid() && getgid() == getegid()) return true;
    dry_error_set(error, DRY_UNSUPPORTED, "a set-user-ID program cannot run native code");
    return false;
}

dry_native *dry_native_new(const dry_model *model, const dry_native_options *options,
                           dry_error *error) {
    static const dry_native_options standard = {0};
    if (options && options->method == dry_method_missing()) {
        dry_error_set(error, DRY_BAD_ARGUMENT, "native code: the method was not found");
        return NULL;
    }
    if (!dry_native__allowed(model, error)) return NULL;
    dry_native *native = calloc(1, sizeof *native);
    if (!native) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory");
        return NULL;
    }
    native->bytecode = dry_model_system(model);
    native->settles = dry_model_steady(model, 0) >= 0;
    if (find_or_make(native, model, options ? options : &standard, error) != DRY_OK) {
        dry_native_free(native);
        return NULL;
    }
    native->sets = dry_model_inclusion(model);
    fill_system(native);
    fill_inclusion(native);
    return native;
}

void dry_native_free(dry_native *native) {
    if (!native) return;
    if (native->handle) dlclose(native->handle);
    free(native);
}

const dry_system *dry_native_system(const dry_native *native) { return &native->system; }
const dry_inclusion *dry_native_inclusion(const dry_native *native) {
    return native->sets ? &native->inclusion : NULL;
}

/* Rough costs, s: a call of the rate, an instruction of the bytecode, and a number that has ways; a
 * run of the compiler, an instruction of the model in it, vectors, and a number in them. */
bool dry_native_pays(const dry_model *model, const dry_method *method, double steps) {
    if (!dry_method_found(method)) return false;
    const double operations = dry_model_operations(model);
    const double wide = model->code.n_ways ? (double)dry_model_system(model)->n_states : 0.0;
    const double rate = 20e-9 + 1.5e-9 * operations + 2.5e-9 * wide;
    const double bytecode = steps * method->stages * rate;
    const double compiling = 0.15 + 1e-3 * operations + (wide > 0.0 ? 0.4 + 7e-3 * wide : 0.0);
    return operations <= MOST_OPERATIONS && bytecode > 2.0 * compiling;
}
