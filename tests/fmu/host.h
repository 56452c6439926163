/* What the tests of FMUs share: a host that opens an .fmu of either version and steps it as an
 * importer does: in steps of co-simulation, or by a Runge-Kutta method of its own. */
#ifndef DRY_TESTS_HOST_H
#define DRY_TESTS_HOST_H

#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "needs.h"
#include "unit.h"
#include "unzip.h"

#include <dlfcn.h>
#include <drystone/fmu.h>
#include <drystone/sim.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL };
enum { EXCHANGE, STEPS };
enum { MOST = 256 };

static char room[64]; /* of this program, for what it writes */

static inline int make_room(void **state) {
    (void)state;
    strcpy(room, "/tmp/drystone-test-XXXXXX");
#if defined(__SANITIZE_ADDRESS__)
    setenv("CC", "cc -g -fsanitize=address,undefined -fno-sanitize-recover=all", 1);
#endif
    return mkdtemp(room) ? 0 : -1;
}

static inline int remove_room(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", room);
    return system(command);
}

/* ---- models and files
 * ---------------------------------------------------------------------------- */

/* Whether this build has what the model of a file needs. */
static inline bool can_be_read(const char *path) {
    char *text;
    size_t length;
    assert_int_equal(dry_file_read(path, 0, &text, &length, NULL), DRY_OK);
    const bool can = can_be_compiled(text);
    free(text);
    return can;
}

static inline dry_model *compile(const char *path, const dry_model_options *options) {
    char *text;
    size_t length;
    assert_int_equal(dry_file_read(path, 0, &text, &length, NULL), DRY_OK);
    dry_model *model = dry_model_compile(path, text, length, options);
    free(text);
    assert_non_null(model);
    if (!dry_model_ok(model)) dry_model_print_message(model, 0, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

/* ---- an instance
 * ----------------------------------------------------------------------------------- */

typedef struct host {
    int version, kind, n; /* n: continuous states */
    void *library, *fmu;
    char folder[128], *description;
    char token[64], log[600];
    bool quiet;        /* asks for no logging */
    int logged, worst; /* messages, and the worst of their statuses */
    double event;      /* the next time event; INFINITY: none */
    bool stopped;
    int heard;    /* intermediate updates */
    double early; /* the time at which the host wants back; NAN: it does not */
} host;

typedef void any(void);
static inline any *find_function(const host *h, const char *name) {
    char full[96];
    union {
        void *data;
        any *code;
    } found;
    snprintf(full, sizeof full, "fmi%d%s", h->version, name);
    found.data = dlsym(h->library, full);
    if (!found.data) fail_msg("there is no %s", full);
    return found.code;
}
#define CALL(h, name, ...) ((int (*)(__VA_ARGS__))find_function(h, name))

static inline void hear2(void *user, const char *name, int status, const char *category,
                         const char *format, ...) {
    host *h = user;
    va_list list;
    (void)name, (void)category;
    va_start(list, format);
    vsnprintf(h->log, sizeof h->log, format, list);
    va_end(list);
    h->logged++;
    h->worst = status > h->worst ? status : h->worst;
}
static inline void hear3(void *user, int status, const char *category, const char *text) {
    hear2(user, "", status, category, "%s", text);
}
static inline void hear_step(void *user, double t, bool set, bool get, bool finished, bool may,
                             bool *wants, double *early) {
    host *h = user;
    (void)set;
    assert_true(get && finished);
    h->heard++;
    *wants = may && t >= h->early;
    if (*wants) *early = h->early;
}

typedef struct callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *user;
} callbacks2;

/* Instantiates with a token; NULL of `fmu` if the FMU refuses. hears: intermediate updates of 3.0.
 */
static inline void instantiate(host *h, int kind, const char *token, const char *name, bool hears) {
    static callbacks2 callbacks;
    char resources[192];
    h->kind = kind;
    snprintf(resources, sizeof resources, "%s%s/resources%s", h->version == 2 ? "file://" : "",
             h->folder, h->version == 2 ? "" : "/");
    if (h->version == 2) {
        callbacks = (callbacks2){hear2, calloc, free, NULL, h};
        h->fmu = ((void *(*)(const char *, int, const char *, const char *, const callbacks2 *, int,
                             int))find_function(h, "Instantiate"))(name, kind, token, resources,
                                                                   &callbacks, 0, !h->quiet);
    } else if (kind == EXCHANGE) {
        h->fmu = ((void *(*)(const char *, const char *, const char *, bool, bool, void *,
                             void (*)(void *, int, const char *,
                                      const char *)))find_function(h, "InstantiateModelExchange"))(
            name, token, resources, false, !h->quiet, h, hear3);
    } else {
        h->fmu = ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool,
                             const unsigned *, size_t, void *,
                             void (*)(void *, int, const char *, const char *),
                             void (*)(void *, double, bool, bool, bool, bool, bool *,
                                      double *)))find_function(h, "InstantiateCoSimulation"))(
            name, token, resources, false, !h->quiet, false, hears, NULL, 0, h, hear3,
            hears ? hear_step : NULL);
    }
}

static inline void find_token(host *h) {
    const char *key = h->version == 2 ? " guid=\"" : " instantiationToken=\"";
    const char *at = strstr(h->description, key);
    assert_non_null(at);
    snprintf(h->token, sizeof h->token, "%.38s", at + strlen(key));
}

/* The value reference of a variable. */
static inline unsigned reference(const host *h, const char *name) {
    char key[128];
    snprintf(key, sizeof key, " name=\"%s\" valueReference=\"", name);
    const char *at = strstr(h->description, key);
    if (!at) fail_msg("there is no variable %s", name);
    return at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : 0;
}

static inline int count_in(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

static int wanted_kinds; /* of the next FMU; 0: all that the model can */

/* Writes the FMU of a model and opens it. */
static inline host open_fmu(const dry_model *model, const dry_model_options *how, int version) {
    static int number;
    host h = {.version = version, .event = (double)INFINITY, .early = (double)NAN};
    char path[200], library[600], object[900];
    dry_error error = {0};
    dry_fmu_about about;
    const char *build = getenv("DRY_BUILD");
    snprintf(library, sizeof library, "%s/drystone_fmu.so", build ? build : "build");
    const dry_fmu_options options = {
        .version = version, .kinds = wanted_kinds, .model = how, .library = library};
    snprintf(h.folder, sizeof h.folder, "%s/%d", room, ++number);
    snprintf(path, sizeof path, "%s.fmu", h.folder);
    is_ok(dry_fmu_write(model, &options, path, &about, &error), &error);
    assert_true(unzip(path, h.folder, object, sizeof object));
    snprintf(path, sizeof path, "%s/modelDescription.xml", h.folder);
    assert_int_equal(dry_file_read(path, 0, &h.description, NULL, NULL), DRY_OK);
    find_token(&h);
    h.n = count_in(h.description, " derivative=\"");
    struct utsname machine;
    char platform[100];
    assert_int_equal(uname(&machine), 0);
    snprintf(platform, sizeof platform, "%s-linux", machine.machine);
    snprintf(library, sizeof library, "%s/binaries/%s/%s.so", h.folder,
             version == 2 ? (sizeof(void *) == 8 ? "linux64" : "linux32") : platform,
             about.identifier);
    assert_string_equal(library, object);
    h.library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!h.library) fail_msg("%s", dlerror());
    return h;
}

static inline void free_instance(host *h) {
    if (h->fmu) ((void (*)(void *))find_function(h, "FreeInstance"))(h->fmu);
    h->fmu = NULL;
}

static inline void close_fmu(host *h) {
    free_instance(h);
    dlclose(h->library);
    free(h->description);
}

#define fine(h, status)                                                                            \
    do {                                                                                           \
        if ((status) != OK) fail_msg("%s", (h)->log);                                              \
    } while (0)

/* ---- values
 * ------------------------------------------------------------------------------------------ */

static inline int get(host *h, const unsigned *vr, size_t n, double *value) {
    if (h->version == 2)
        return CALL(h, "GetReal", void *, const unsigned *, size_t, double *)(h->fmu, vr, n, value);
    return CALL(h, "GetFloat64", void *, const unsigned *, size_t, double *, size_t)(h->fmu, vr, n,
                                                                                     value, n);
}
static inline int set(host *h, const unsigned *vr, size_t n, const double *value) {
    if (h->version == 2)
        return CALL(h, "SetReal", void *, const unsigned *, size_t, const double *)(h->fmu, vr, n,
                                                                                    value);
    return CALL(h, "SetFloat64", void *, const unsigned *, size_t, const double *,
                size_t)(h->fmu, vr, n, value, n);
}
static inline double get_named(host *h, const char *name) {
    const unsigned vr = reference(h, name);
    double value = (double)NAN;
    fine(h, get(h, &vr, 1, &value));
    return value;
}
static inline int set_named(host *h, const char *name, double value) {
    const unsigned vr = reference(h, name);
    return set(h, &vr, 1, &value);
}

/* ---- modes
 * --------------------------------------------------------------------------------------------- */

static inline int plain(host *h, const char *name) { return CALL(h, name, void *)(h->fmu); }

static inline int enter_initialization(host *h) {
    if (h->version == 3)
        return CALL(h, "EnterInitializationMode", void *, bool, double, double, bool,
                    double)(h->fmu, false, 0.0, 0.0, false, 0.0);
    const int status = CALL(h, "SetupExperiment", void *, int, double, double, int,
                            double)(h->fmu, 0, 0.0, 0.0, 0, 0.0);
    return status == OK ? plain(h, "EnterInitializationMode") : status;
}

typedef struct event2 {
    int again, terminate, nominals, changed, defined;
    double time;
} event2;

/* New discrete states; whether those with rates changed. */
static inline int update(host *h, bool *changed) {
    if (h->version == 2) {
        event2 e = {0};
        const int status = CALL(h, "NewDiscreteStates", void *, event2 *)(h->fmu, &e);
        h->event = e.defined ? e.time : (double)INFINITY;
        h->stopped = h->stopped || e.terminate;
        *changed = e.changed;
        return status;
    }
    bool again = false, terminate = false, nominals = false, defined = false;
    double time = 0.0;
    const int status =
        CALL(h, "UpdateDiscreteStates", void *, bool *, bool *, bool *, bool *, bool *,
             double *)(h->fmu, &again, &terminate, &nominals, changed, &defined, &time);
    h->event = defined ? time : (double)INFINITY;
    h->stopped = h->stopped || terminate;
    return status;
}

static inline void initialize(host *h) {
    bool changed;
    fine(h, plain(h, "ExitInitializationMode"));
    if (h->kind == STEPS) return;
    fine(h, update(h, &changed));
    fine(h, plain(h, "EnterContinuousTimeMode"));
}

static inline void start(host *h, int kind) {
    instantiate(h, kind, h->token, "test", false);
    if (!h->fmu) fail_msg("%s", h->log);
    fine(h, enter_initialization(h));
    initialize(h);
}

/* ---- co-simulation
 * ------------------------------------------------------------------------------------- */

typedef struct outcome {
    bool terminated, early;
    double reached;
} outcome;

static inline int do_step(host *h, double t, double H, outcome *o) {
    bool event = false;
    *o = (outcome){.reached = t + H};
    if (h->version == 3)
        return CALL(h, "DoStep", void *, double, double, bool, bool *, bool *, bool *,
                    double *)(h->fmu, t, H, true, &event, &o->terminated, &o->early, &o->reached);
    const int status = CALL(h, "DoStep", void *, double, double, int)(h->fmu, t, H, 1);
    if (status == DISCARD) {
        int terminated = 0;
        assert_int_equal(CALL(h, "GetBooleanStatus", void *, int, int *)(h->fmu, 3, &terminated),
                         OK);
        assert_int_equal(CALL(h, "GetRealStatus", void *, int, double *)(h->fmu, 2, &o->reached),
                         OK);
        o->terminated = terminated;
    }
    return status;
}

/* ---- model exchange: the classical Runge-Kutta method on a grid, which ends steps at events
 * ------------- */

static inline int set_time(host *h, double t) {
    return CALL(h, "SetTime", void *, double)(h->fmu, t);
}
static inline int set_states(host *h, const double *x) {
    return CALL(h, "SetContinuousStates", void *, const double *, size_t)(h->fmu, x, (size_t)h->n);
}
static inline int get_states(host *h, double *x) {
    return CALL(h, "GetContinuousStates", void *, double *, size_t)(h->fmu, x, (size_t)h->n);
}
static inline int get_rates(host *h, double *rate) {
    const char *name = h->version == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives";
    return CALL(h, name, void *, double *, size_t)(h->fmu, rate, (size_t)h->n);
}
static inline int rate_at(host *h, double t, const double *x, double *rate) {
    const int status = set_time(h, t);
    if (status == OK && set_states(h, x) == OK) return get_rates(h, rate);
    return status ? status : ERROR;
}
static inline int complete(host *h, bool *event, bool *terminate) {
    if (h->version == 3)
        return CALL(h, "CompletedIntegratorStep", void *, bool, bool *, bool *)(h->fmu, true, event,
                                                                                terminate);
    int e = 0, s = 0;
    const int status =
        CALL(h, "CompletedIntegratorStep", void *, int, int *, int *)(h->fmu, 1, &e, &s);
    *event = e;
    *terminate = s;
    return status;
}

/* Equations of dry_rk4_step (ode.h), term by term. */
static inline void rk4(host *h, double t, double end, double step, double *x) {
    double k1[MOST], k2[MOST], k3[MOST], k4[MOST], y[MOST];
    const double half = 0.5 * step;
    fine(h, rate_at(h, t, x, k1));
    for (int i = 0; i < h->n; i++) y[i] = x[i] + half * k1[i];
    fine(h, rate_at(h, t + half, y, k2));
    for (int i = 0; i < h->n; i++) y[i] = x[i] + half * k2[i];
    fine(h, rate_at(h, t + half, y, k3));
    for (int i = 0; i < h->n; i++) y[i] = x[i] + step * k3[i];
    fine(h, rate_at(h, end, y, k4));
    for (int i = 0; i < h->n; i++)
        x[i] += step * (1.0 / 6.0) * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    fine(h, set_time(h, end));
    fine(h, set_states(h, x));
}

static inline void handle_event(host *h) {
    bool changed;
    fine(h, plain(h, "EnterEventMode"));
    fine(h, update(h, &changed));
    fine(h, plain(h, "EnterContinuousTimeMode"));
}

/* From *t, point k of the grid k step, to point k + 1. */
static inline void exchange_step(host *h, double *t, long k, double step) {
    const double slack = 1e-9 * step, next = 0.0 + (double)(k + 1) * step;
    double x[MOST];
    assert_true(h->n <= MOST);
    while (*t < next && !h->stopped) {
        const bool at_event = h->event <= next + slack;
        const double end = at_event ? h->event : next;
        const bool whole = end >= next - slack && fabs(*t - (double)k * step) <= slack;
        bool event = false, terminate = false;
        if (end - *t > slack) {
            fine(h, get_states(h, x));
            rk4(h, *t, end, whole ? step : end - *t, x);
            fine(h, complete(h, &event, &terminate));
            h->stopped = h->stopped || terminate;
        } else {
            fine(h, set_time(h, end));
        }
        *t = end;
        if (at_event || event) handle_event(h);
        if (end >= next - slack && h->event > next) break;
    }
    *t = next;
    if (!h->stopped) fine(h, set_time(h, next));
}

#endif
