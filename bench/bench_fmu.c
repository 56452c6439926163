/* What does a step of an FMU cost, against the exported C (equations) or the library (parts)?
 *
 * Five machines become FMUs of FMI 2.0 and 3.0. The importer takes steps of co-simulation as long
 * as those of the method, and by model exchange four rates per step, as its own Runge-Kutta method
 * does. The C of `drystone export` takes the same steps in a loop of its own; where parts need the
 * library, dry_stepper_step does. All end in the same bits. */
#define _XOPEN_SOURCE 700
#define _POSIX_C_SOURCE 200809L
#include "../tests/fmu/unzip.h"
#include "bench.h"

#include <dlfcn.h>
#include <drystone/fmu.h>
#include <drystone/native.h>
#include <drystone/stepper.h>
#include <unistd.h>

#ifndef DRY_SOURCE_DIR
#define DRY_SOURCE_DIR "."
#endif

enum { MOST = 400 };
typedef struct machine {
    const char *name, *path, *method;
    double step;
    long steps; /* of one run */
} machine;

static const machine machines[] = {
    {"drift", "models/papers/xiong2013/fig03-drift.dry", "rk4", 1e-3, 20000},
    {"conveyor", "models/papers/xiong2013/fig09-conveyor.dry", "rk4", 2e-5, 20000},
    {"PID with samples", "tests/fmu/pid.dry", "rk4", 1e-4, 20000},
    {"door on a hinge", "models/classics/door.dry", "rk4", 1e-3, 10000},
    {"six-axis robot", "models/robots/six-axis.dry", "rk4", 1e-3, 4000}};
enum { N_MACHINES = sizeof machines / sizeof *machines };

typedef struct logger {
    void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *(*take)(size_t, size_t);
    void (*give)(void *);
    void *finished, *user;
} logger;

typedef struct fmu {
    const machine *machine;
    dry_model *model;
    void *object, *loop; /* the FMU; the exported C, NULL: the library steps */
    char folder[600], token[64];
    size_t bytes[2], n_rated;
    int n;
    double end[3][MOST];
} fmu;

static void *symbol(void *object, const char *name) {
    void *found = dlsym(object, name);
    must(found != NULL, name);
    return found;
}
typedef void any(void);
static any *function(void *object, const char *name) {
    union {
        void *data;
        any *code;
    } f = {symbol(object, name)};
    return f.code;
}

static void hear(void *user, const char *name, int status, const char *category, const char *text,
                 ...) {
    (void)user, (void)name, (void)category;
    fprintf(stderr, "status %d: %s\n", status, text);
}

static void *begin(fmu *f, int kind) {
    static const logger log = {hear, calloc, free, NULL, NULL};
    char resources[700];
    snprintf(resources, sizeof resources, "file://%s/resources", f->folder);
    void *c = ((void *(*)(const char *, int, const char *, const char *, const logger *, int,
                          int))function(f->object, "fmi2Instantiate"))("bench", kind, f->token,
                                                                       resources, &log, 0, 0);
    must(c != NULL, "fmi2Instantiate");
    ((int (*)(void *, int, double, double, int, double))function(f->object, "fmi2SetupExperiment"))(
        c, 0, 0.0, 0.0, 0, 0.0);
    ((int (*)(void *))function(f->object, "fmi2EnterInitializationMode"))(c);
    must(((int (*)(void *))function(f->object, "fmi2ExitInitializationMode"))(c) == 0, "start");
    return c;
}

static void finish(fmu *f, void *c, int which) {
    unsigned vr[MOST];
    for (int i = 0; i < f->n; i++) vr[i] = (unsigned)dry_model_own_state(f->model, i) + 1;
    must(((int (*)(void *, const unsigned *, size_t, double *))function(f->object, "fmi2GetReal"))(
             c, vr, (size_t)f->n, f->end[which]) == 0,
         "fmi2GetReal");
    ((void (*)(void *))function(f->object, "fmi2FreeInstance"))(c);
}

/* ---- the contestants
 * ------------------------------------------------------------------------------ */

static void by_steps(void *data) {
    fmu *f = data;
    void *c = begin(f, 1);
    int (*step)(void *, double, double, int) =
        (int (*)(void *, double, double, int))function(f->object, "fmi2DoStep");
    const double h = f->machine->step;
    for (long k = 0; k < f->machine->steps; k++) step(c, (double)k * h, h, 1);
    finish(f, c, 0);
}

typedef struct event {
    int flags[5];
    double time;
} event;

typedef struct exchange {
    void *c;
    size_t n;
    double next; /* time event */
    int (*time)(void *, double), (*set)(void *, const double *, size_t),
        (*get)(void *, double *, size_t), (*rate)(void *, double *, size_t),
        (*done)(void *, int, int *, int *), (*enter)(void *), (*update)(void *, event *),
        (*leave)(void *);
} exchange;

static void handle(exchange *e) {
    event info = {{0}, 0.0};
    e->update(e->c, &info);
    e->next = info.flags[4] ? info.time : (double)INFINITY;
    e->leave(e->c);
}

static void rate_at(const exchange *e, double t, const double *x, double *k) {
    e->time(e->c, t);
    e->set(e->c, x, e->n);
    e->rate(e->c, k, e->n);
}

static void step_to(exchange *e, double t, double end, double h) {
    static double x[MOST], y[MOST], k[4][MOST];
    int needs = 0, ends = 0;
    const double half = 0.5 * h;
    e->get(e->c, x, e->n);
    rate_at(e, t, x, k[0]);
    for (size_t i = 0; i < e->n; i++) y[i] = x[i] + half * k[0][i];
    rate_at(e, t + half, y, k[1]);
    for (size_t i = 0; i < e->n; i++) y[i] = x[i] + half * k[1][i];
    rate_at(e, t + half, y, k[2]);
    for (size_t i = 0; i < e->n; i++) y[i] = x[i] + h * k[2][i];
    rate_at(e, end, y, k[3]);
    for (size_t i = 0; i < e->n; i++)
        x[i] += h * (1.0 / 6.0) * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    e->time(e->c, end);
    e->set(e->c, x, e->n);
    e->done(e->c, 1, &needs, &ends);
    if (!needs && e->next > end) return;
    e->enter(e->c);
    handle(e);
}

/* Events of these machines lie on the grid. */
static void by_exchange(void *data) {
    fmu *f = data;
    void *o = f->object;
    exchange e = {.c = begin(f, 0), .n = f->n_rated};
    e.time = (int (*)(void *, double))function(o, "fmi2SetTime");
    e.set = (int (*)(void *, const double *, size_t))function(o, "fmi2SetContinuousStates");
    e.get = (int (*)(void *, double *, size_t))function(o, "fmi2GetContinuousStates");
    e.rate = (int (*)(void *, double *, size_t))function(o, "fmi2GetDerivatives");
    e.done = (int (*)(void *, int, int *, int *))function(o, "fmi2CompletedIntegratorStep");
    e.enter = (int (*)(void *))function(o, "fmi2EnterEventMode");
    e.update = (int (*)(void *, event *))function(o, "fmi2NewDiscreteStates");
    e.leave = (int (*)(void *))function(o, "fmi2EnterContinuousTimeMode");
    handle(&e);
    const double h = f->machine->step;
    for (long k = 0; k < f->machine->steps; k++) step_to(&e, (double)k * h, (double)(k + 1) * h, h);
    finish(f, e.c, 1);
}

static dry_run_options run_of(const fmu *f) {
    return (dry_run_options){.method = dry_method_find(f->machine->method),
                             .step = f->machine->step};
}

/* The exported C in its own loop, or the stepper of the library. */
static void by_itself(void *data) {
    fmu *f = data;
    double x[MOST];
    if (f->loop) {
        ((void (*)(long, double, double *))function(f->loop, "loop"))(f->machine->steps,
                                                                      f->machine->step, x);
    } else {
        const dry_run_options run = run_of(f);
        dry_stepper *s = NULL;
        must(dry_stepper_new(dry_model_system(f->model), &run, &s, NULL) == DRY_OK, "stepper");
        for (long k = 0; k < f->machine->steps; k++) dry_stepper_step(s, NULL);
        memcpy(x, dry_stepper_states(s), (size_t)dry_model_system(f->model)->n_states * sizeof *x);
        dry_stepper_free(s);
    }
    for (int i = 0; i < f->n; i++) f->end[2][i] = x[dry_model_own_state(f->model, i)];
}

/* ---- the machines
 * ---------------------------------------------------------------------------------- */

static dry_model *compile(const fmu *f, dry_model_options *options) {
    char path[400], *text;
    size_t length;
    *options = (dry_model_options){.run = run_of(f)};
    options->run.until = 1000.0 * f->machine->step;
    snprintf(path, sizeof path, "%s/%s", DRY_SOURCE_DIR, f->machine->path);
    must(dry_file_read(path, 0, &text, &length, NULL) == DRY_OK, path);
    dry_model *model = dry_model_compile(path, text, length, options);
    free(text);
    must(model && dry_model_ok(model), path);
    return model;
}

static void read_description(fmu *f) {
    char path[700], *text, *token;
    snprintf(path, sizeof path, "%s/modelDescription.xml", f->folder);
    must(dry_file_read(path, 0, &text, NULL, NULL) == DRY_OK, path);
    for (const char *at = text; (at = strstr(at, " derivative=")); at++) f->n_rated++;
    token = strstr(text, " guid=");
    must(token != NULL, "guid");
    snprintf(f->token, sizeof f->token, "%.38s", token + 7);
    free(text);
}

static void open_loop(fmu *f, const char *room) {
    char folder[640], path[700], object[700];
    const dry_export_options options = {.prefix = "it"};
    snprintf(folder, sizeof folder, "%s/c", room);
    if (dry_export_can(f->model, NULL) != DRY_OK) return;
    must(dry_export_c(f->model, &options, folder, NULL) == DRY_OK, "export");
    snprintf(path, sizeof path, "%s/loop.c", folder);
    FILE *file = fopen(path, "w");
    must(file != NULL, path);
    fputs("#include \"it.c\"\n__attribute__((visibility(\"default\"))) void loop(long n, double h, "
          "double *x);\nvoid loop(long n, double h, double *x) {\n    it m;\n    it_init(&m, 0);\n"
          "    while (n-- > 0) it_step(&m, h);\n"
          "    for (int i = 0; i < IT_STATES; i++) x[i] = m.x[i];\n}\n",
          file);
    fclose(file);
    snprintf(object, sizeof object, "%s/loop.so", folder);
    must(dry_export_build(folder, path, object, 0, NULL) == DRY_OK, "compiler");
    f->loop = dlopen(object, RTLD_NOW);
    must(f->loop != NULL, object);
}

static void open_fmu(fmu *f, const char *room, const char *library) {
    char path[640], object[900];
    dry_model_options how;
    dry_fmu_about about = {0};
    dry_error error = {0};
    f->model = compile(f, &how);
    f->n = dry_model_own_states(f->model);
    for (int version = 3; version >= 2; version--) {
        const dry_fmu_options options = {.version = version, .model = &how, .library = library};
        snprintf(path, sizeof path, "%s/it.fmu", room);
        if (dry_fmu_write(f->model, &options, path, &about, &error) != DRY_OK)
            must(false, error.text);
        f->bytes[version - 2] = about.size;
    }
    snprintf(f->folder, sizeof f->folder, "%s/fmu", room);
    must(unzip(path, f->folder, object, sizeof object), path);
    read_description(f);
    f->object = dlopen(object, RTLD_NOW);
    must(f->object != NULL, object);
    open_loop(f, room);
}

static void show(table *t, fmu *f, const contestant *c) {
    const double ns = 1e9 / (double)f->machine->steps;
    cell_text(t, f->machine->name);
    cell_number(t, "%.0f", (double)f->bytes[0] / 1e3);
    cell_number(t, "%.0f", (double)f->bytes[1] / 1e3);
    cell_text(t, f->loop ? "exported C" : "library");
    cell_number(t, "%.0f", c[2].seconds * ns);
    cell_number(t, "%.0f", c[0].seconds * ns);
    cell_number(t, "%.0f", c[1].seconds * ns);
    cell_number(t, "%.2f", c[0].seconds / c[2].seconds);
}

int main(int argc, char **argv) {
    static const column columns[] = {{"machine", 16},  {"kB, 2.0", -7},   {"kB, 3.0", -7},
                                     {"inside", 10},   {"ns, alone", -9}, {"co-simul.", -9},
                                     {"exchange", -9}, {"ratio", -6}};
    static fmu all[N_MACHINES];
    char library[600], own[500];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    must(length > 0, "/proc");
    own[length] = '\0';
    *strstr(own, "/bench/bench_fmu") = '\0';
    snprintf(library, sizeof library, "%s/drystone_fmu.so", own);
    table t = table_begin(argc, argv, columns, 8);
    for (int i = 0; i < N_MACHINES; i++) {
        char room[] = "/tmp/drystone-bench-XXXXXX", command[64];
        fmu *f = &all[i];
        f->machine = &machines[i];
        must(mkdtemp(room) != NULL, "/tmp");
        open_fmu(f, room, library);
        contestant c[] = {{"steps", by_steps, f, 0.0},
                          {"exchange", by_exchange, f, 0.0},
                          {"alone", by_itself, f, 0.0}};
        race(c, 3, 2.0);
        for (int k = 0; k < 2; k++)
            must(memcmp(f->end[k], f->end[2], (size_t)f->n * sizeof(double)) == 0, "the last bits");
        show(&t, f, c);
        dry_model_free(f->model);
        snprintf(command, sizeof command, "rm -rf '%s'", room);
        must(system(command) == 0, "rm");
    }
    return 0;
}
