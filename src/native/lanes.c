/* lanes: several sets of parameters side by side. One loop over the steps serves all sets. The sets
 * are its inner loop, which the C compiler turns into vector instructions.
 *
 * Every lane computes the same as a separate run, in the same order: the bits are the same.
 *
 * P[i LANES + l]: number i of lane l that does not change; X, D: states and rates in the same
 * order; F[l]: 1 once a watched condition of lane l has failed; t: time, s; h: step, s; last: the
 * largest time that a stage may have. */
#include "model/model.h"
#include "native_private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct dry_lanes {
    const dry_system *system;
    const dry_native__lanes *calls;
    void *handle;
};

/* ---- the text -------------------------------------------------------------------------------- */

#define ALIGNED(x) "    " x " = __builtin_assume_aligned(" x ", 64);\n"
#define LOOP                                                                                       \
    "        EACH_LANE\n"                                                                          \
    "        for (int l = 0; l < LANES; l++) {\n"

/* The last step ends at `end`, the others on the grid. */
static const char march_begin[] =
    "static void march(const double *P, double *X, double *F, double t_start, double h,\n"
    "                  long grid, long count, double t, double end) {\n" ALIGNED("P")
        ALIGNED("X") "    (void)F;\n";
static const char march_loop[] =
    "    for (long k = 0; k < count; k++) {\n"
    "        const double last = k + 1 < count ? t_start + (double)(grid + k + 1) * h : end;\n";
static const char march_lane[] = LOOP "        double p[N_FIXED + 1], x[N_STATES], ";
static const char march_end[] = "        }\n"
                                "        t = last;\n"
                                "    }\n"
                                "}\n\n";
static const char rates_begin[] =
    "static void rates(const double *P, double t, double tau, const double *X, double *D) "
    "{\n" ALIGNED("P") ALIGNED("X") ALIGNED("D");
/* What follows from the time alone is equal in all lanes: it is that of the first. */
static const char first_lane[] = "    double q[N_FIXED + 1];\n"
                                 "    for (int i = 0; i < N_FIXED; i++) q[i] = P[i * LANES];\n";
static const char rates_time[] = "    double w0[N_TIMED];\n    sys_time(q, t, w0);\n";
static const char rates_loop[] = LOOP "        double p[N_FIXED + 1], x[N_STATES], d[N_STATES];\n";
static const char rates_end[] = "        }\n}\n\n";
static const char settle_begin[] =
    "static void settle(const double *P, double *X, double *F, double t) {\n" ALIGNED("P")
        ALIGNED("X") "    (void)F;\n";
static const char settle_loop[] = LOOP "        double p[N_FIXED + 1], x[N_STATES];\n";
static const char no_output[] = "static void sys_output(const double *p, double t, double tau, "
                                "const double *x, double *out) {\n"
                                "    (void)p, (void)t, (void)tau, (void)x, (void)out;\n"
                                "}\n";
static const char exports[] =
    "__attribute__((visibility(\"default\"))) const dry_native__lanes drystone_lanes = {\n"
    "    .abi = ABI,\n    .lanes = LANES,\n    .n_states = N_STATES,\n"
    "    .n_outputs = N_OUTPUTS,\n    .n_par = N_PAR,\n    .n_fixed = N_FIXED,\n"
    "    .prepare = sys_prepare,\n    .start = sys_start,\n    .output = sys_output,\n"
    "    .march = march,\n    .rates = rates,\n    .settle = settle,\n};\n";

/* A number that is equal in all lanes is stored once for all of them, and decisions that depend on
 * it are made outside the loop. Numbers that follow from parameters may differ. */
static void print_numbers(const dry_system *system, const bool *varies, bool outside,
                          FILE *stream) {
    for (int i = 0; i < system->n_par; i++) {
        if (outside && !varies[i])
            fprintf(stream, "    const double p_%d = P[%d * LANES];\n", i, i);
        else if (!outside && varies[i])
            fprintf(stream, "        p[%d] = P[%d * LANES + l];\n", i, i);
        else if (!outside)
            fprintf(stream, "        p[%d] = p_%d;\n", i, i);
    }
    if (!outside)
        fprintf(stream, "        for (int i = %d; i < N_FIXED; i++) p[i] = P[i * LANES + l];\n",
                system->n_par);
}

static void print_states(const char *format, int n, FILE *stream) {
    for (int i = 0; i < n; i++) {
        fputs("        ", stream);
        fprintf(stream, format, i, i);
        fputs(";\n", stream);
    }
}

static const char read_state[] = "x[%d] = X[%d * LANES + l]";
static const char write_state[] = "X[%d * LANES + l] = x[%d]";

static void print_watch(const dry_system *system, const char *time, FILE *stream) {
    if (system->watch) fprintf(stream, "        F[l] = sys_watch(p, %s, x) ? 1.0 : F[l];\n", time);
}

/* Nothing is sampled in a march: it ends at an instant. */
static void print_march(const dry_model *model, const dry_method *method, const bool *varies,
                        FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const bool timed = dry_native__is_timed(model, varies);
    const dry_native__states states = {
        .n = system->n_states, .n_plain = system->n_states, .unrolled = true};
    const dry_native__form form = {.states = states, .timed = timed, .apart = timed};
    fputs(march_begin, stream);
    print_numbers(system, varies, true, stream);
    if (timed) fputs(first_lane, stream);
    fputs(march_loop, stream);
    if (timed) dry_native__print_times(method, stream);
    fputs(march_lane, stream);
    dry_native__print_scratch(method, stream);
    fputs(";\n", stream);
    print_numbers(system, varies, false, stream);
    print_states(read_state, system->n_states, stream);
    dry_native__print_step(method, form, stream);
    if (model->code.n_latched) fputs("        sys_latch(p, last, x);\n", stream);
    print_watch(system, "last", stream);
    print_states(write_state, system->n_states, stream);
    fputs(march_end, stream);
}

static void print_rates(const dry_model *model, const bool *varies, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const bool timed = dry_native__is_timed(model, varies);
    fputs(rates_begin, stream);
    print_numbers(system, varies, true, stream);
    if (timed) fputs(first_lane, stream), fputs(rates_time, stream);
    fputs(rates_loop, stream);
    print_numbers(system, varies, false, stream);
    print_states(read_state, system->n_states, stream);
    fprintf(stream, "        sys_rate(p, %st, tau, x, d);\n", timed ? "w0, " : "");
    for (int i = 0; i < system->n_states; i++)
        fprintf(stream, "        D[%d * LANES + l] = d[%d];\n", i, i);
    fputs(rates_end, stream);
}

/* What comes after a step: discrete states, samples, watched conditions. */
static void print_settle(const dry_system *system, const bool *varies, FILE *stream) {
    fputs(settle_begin, stream);
    print_numbers(system, varies, true, stream);
    fputs(settle_loop, stream);
    print_numbers(system, varies, false, stream);
    print_states(read_state, system->n_states, stream);
    if (system->latch) fputs("        sys_latch(p, t, x);\n", stream);
    print_watch(system, "t", stream);
    if (system->latch) print_states(write_state, system->n_states, stream);
    fputs(rates_end, stream);
}

/* clang has no such pragma, and does not need it. */
static const char head[] = "#if defined(__GNUC__) && !defined(__clang__)\n"
                           "#define EACH_LANE _Pragma(\"GCC ivdep\")\n"
                           "#else\n"
                           "#define EACH_LANE\n"
                           "#endif\n"
                           "#define SYS_RATE DRY_INLINE\n\n";

static char *print_source(const dry_model *model, const dry_method *method, const bool *varies,
                          dry_error *error) {
    const dry_c_options options = {.timed = dry_native__is_timed(model, varies), .varies = varies};
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return NULL;
    dry_native__print_preamble(stream);
    fputs(head, stream);
    fprintf(stream, "enum { ABI = %d, LANES = %d };\n", DRY_NATIVE__LANES_ABI, DRY_NATIVE_LANES);
    dry_status status = dry_model_print_c(model, &options, stream, error);
    dry_native__print_positions(dry_model_system(model), stream);
    if (!dry_model_system(model)->output) fputs(no_output, stream);
    print_march(model, method, varies, stream);
    print_rates(model, varies, stream);
    print_settle(dry_model_system(model), varies, stream);
    fputs(dry_native__lanes_type, stream);
    fputs(exports, stream);
    if (!dry_text_close(stream, &text)) status = DRY_NO_MEMORY;
    if (status == DRY_OK) return text;
    free(text);
    return NULL;
}

/* ---- compiling it ------------------------------------------------------------------------ */

static bool take_calls(void *user, const void *found) {
    dry_lanes *lanes = user;
    const dry_native__lanes *t = lanes->calls = found;
    return t && t->abi == DRY_NATIVE__LANES_ABI && t->lanes == DRY_NATIVE_LANES &&
           t->n_states == lanes->system->n_states && t->n_outputs == lanes->system->n_outputs &&
           t->n_par == lanes->system->n_par;
}

static bool can_have_lanes(const dry_model *model, const dry_method *method) {
    return dry_native__has_step(method) && !dry_model_net(model) && !dry_model_inclusion(model) &&
           dry_model_steady(model, 0) < 0 && dry_native__is_small(model);
}

static dry_status find_or_make(dry_lanes *lanes, const dry_model *model, const dry_method *method,
                               const bool *varies, const dry_native_options *options,
                               dry_error *error) {
    char *source = print_source(model, method, varies, error);
    char *compiler = dry_native__with_vectors(options->compiler);
    dry_status status = DRY_NO_MEMORY;
    if (source && compiler) {
        const dry_native__wanted wanted = {.source = source,
                                           .operations = dry_model_operations(model),
                                           .symbol = "drystone_lanes",
                                           .take = take_calls,
                                           .user = lanes};
        dry_native_options own = *options;
        own.compiler = compiler;
        status = dry_native__object(&wanted, &own, &lanes->handle, error);
    } else {
        dry_error_set(error, status, "out of memory");
    }
    free(source);
    free(compiler);
    return status;
}

/* ---- the door ---------------------------------------------------------------------------- */

dry_lanes *dry_lanes_new(const dry_model *model, const bool *varies,
                         const dry_native_options *options, dry_error *error) {
    const dry_method *method = options->method;
    if (!dry_native__allowed(model, error)) return NULL;
    if (!can_have_lanes(model, method)) {
        dry_error_set(error, DRY_UNSUPPORTED, "the runs of this model cannot go side by side");
        return NULL;
    }
    dry_lanes *lanes = calloc(1, sizeof *lanes);
    if (!lanes) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory");
        return NULL;
    }
    lanes->system = dry_model_system(model);
    if (find_or_make(lanes, model, method, varies, options, error) == DRY_OK) return lanes;
    free(lanes);
    return NULL;
}

void dry_lanes_free(dry_lanes *lanes) {
    if (!lanes) return;
    dlclose(lanes->handle);
    free(lanes);
}

int dry_lanes_fixed(const dry_lanes *lanes) { return lanes->calls->n_fixed; }

void dry_lanes_prepare(const dry_lanes *lanes, const double *par, double *p) {
    lanes->calls->prepare(par, p);
}

void dry_lanes_start(const dry_lanes *lanes, const double *p, double t, double *x) {
    lanes->calls->start(p, t, x);
}

void dry_lanes_output(const dry_lanes *lanes, const double *p, double t, double tau,
                      const double *x, double *y) {
    lanes->calls->output(p, t, tau, x, y);
}

void dry_lanes_march(const dry_lanes *lanes, const double *P, double *X, const dry_lanes_span *s) {
    lanes->calls->march(P, X, s->failed, s->t_start, s->step, s->grid, s->count, s->t, s->end);
}

void dry_lanes_rates(const dry_lanes *lanes, const double *P, double t, double tau, const double *X,
                     double *D) {
    lanes->calls->rates(P, t, tau, X, D);
}

void dry_lanes_settle(const dry_lanes *lanes, const double *P, double t, double *X,
                      double *failed) {
    lanes->calls->settle(P, X, failed, t);
}
