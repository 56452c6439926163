/* The C text of a shared object: the model's functions, a loop for each fixed-step method into
 * which the rate is inlined, and the table that tells where they are.
 *
 * p: numbers of the run that do not change; t: time, s; h: step, s; last: the largest time that a
 * stage may have; x: states; k1 .. k4: rates of the stages; tau: step told to the laws, s. The
 * arithmetic is that of dry_ode, in the same order. */
#include "native_private.h"
#include <stdlib.h>
#include <string.h>

enum { UNROLLED_STATES = 32, UNROLLED_OPERATIONS = 600 };

bool dry_native__is_small(const dry_model *model) {
    return dry_model_system(model)->n_states <= UNROLLED_STATES &&
           dry_model_operations(model) <= UNROLLED_OPERATIONS;
}

/* ---- templates --------------------------------------------------------------------------- */

/* Lines that begin with @ are there once per state, with # as its number. */
static void print_each(const char *line, size_t length, int n, bool unrolled, FILE *stream) {
    const size_t blanks = strspn(line, " ");
    if (!unrolled) fprintf(stream, "%.*sfor (int i = 0; i < N_STATES; i++) ", (int)blanks, line);
    for (int i = 0; i < (unrolled ? n : 1); i++)
        for (size_t k = unrolled ? 0 : blanks; k < length; k++) {
            if (line[k] == '@') continue;
            if (line[k] != '#')
                fputc(line[k], stream);
            else if (unrolled)
                fprintf(stream, "%d", i);
            else
                fputc('i', stream);
        }
}

static void print_template(const char *text, int n, bool unrolled, FILE *stream) {
    while (*text) {
        const size_t length = strcspn(text, "\n") + 1;
        if (text[strspn(text, " ")] == '@')
            print_each(text, length, n, unrolled, stream);
        else
            fwrite(text, 1, length, stream);
        text += length;
    }
}

/* ---- methods -------------------------------------------------------------------------------- */

#define RK4_STAGES(half_tau, tau)                                                                  \
    "        const double half = 0.5 * h;\n"                                                       \
    "        sys_rate(p, t, " half_tau ", x, k1);\n"                                               \
    "        @y[#] = x[#] + half * k1[#];\n"                                                       \
    "        sys_rate(p, t + half, " half_tau ", y, k2);\n"                                        \
    "        @y[#] = x[#] + half * k2[#];\n"                                                       \
    "        sys_rate(p, t + half, " tau ", y, k3);\n"                                             \
    "        @y[#] = x[#] + h * k3[#];\n"                                                          \
    "        sys_rate(p, last, " tau ", y, k4);\n"                                                 \
    "        @x[#] += h * (1.0 / 6.0) * (k1[#] + 2.0 * k2[#] + 2.0 * k3[#] + k4[#]);\n"

static const struct step {
    const char *name, *text;
} steps[DRY_NATIVE__METHODS] = {
    {"euler", "        sys_rate(p, t < last ? t : last, 0.0, x, k1);\n"
              "        @x[#] = x[#] + h * (0.0 + 1.0 * k1[#]);\n"},
    {"heun", "        sys_rate(p, t < last ? t : last, 0.0, x, k1);\n"
             "        @y[#] = x[#] + h * (0.0 + 1.0 * k1[#]);\n"
             "        sys_rate(p, t + 1.0 * h < last ? t + 1.0 * h : last, 0.0, y, k2);\n"
             "        @x[#] = x[#] + h * (0.0 + 0.5 * k1[#] + 0.5 * k2[#]);\n"},
    {"rk4", RK4_STAGES("0.0", "0.0")},
    {"rk4-tau", RK4_STAGES("0.5 * h", "h")},
    {"semi-implicit", "        sys_rate(p, t, h, x, k1);\n"
                      "        @if (!positions[#]) x[#] += h * k1[#];\n"
                      "        sys_rate(p, last, h, x, k1);\n"
                      "        @if (positions[#]) x[#] += h * k1[#];\n"},
};

int dry_native__method(const char *name) {
    for (int i = 0; i < DRY_NATIVE__METHODS; i++)
        if (strcmp(steps[i].name, name) == 0) return i;
    return -1;
}

void dry_native__print_step(int method, const dry_system *system, bool unrolled, FILE *stream) {
    print_template(steps[method].text, system->n_states, unrolled, stream);
}

void dry_native__print_positions(const dry_system *system, FILE *stream) {
    fputs("static const bool positions[N_STATES] = {", stream);
    for (int i = 0; i < system->n_states; i++)
        fprintf(stream, "%s%d", i ? ", " : "", system->positions && system->positions[i]);
    fputs("};\n\n", stream);
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

/* Everything local, so that nothing is read again after a call. */
static const char small_begin[] =
    "    double p[N_FIXED + 1], x[N_STATES], b[N_STATES], y[N_STATES];\n"
    "    double k1[N_STATES], k2[N_STATES], k3[N_STATES], k4[N_STATES];\n"
    "    const double *fixed = env->work;\n"
    "    for (int i = 0; i < N_FIXED; i++) p[i] = fixed[i];\n"
    "    @x[#] = b[#] = m->x[#];\n";
static const char large_begin[] =
    "    const double *p = env->work;\n"
    "    double *x = m->x, *b = m->before, *y = (double *)env->work + N_FIXED;\n"
    "    double *k1 = y + N_STATES, *k2 = k1 + N_STATES, *k3 = k2 + N_STATES, *k4 = k3 + "
    "N_STATES;\n";
static const char loop_begin[] = "    const double h = m->step, t_start = m->t_start;\n"
                                 "    const long grid = m->grid, count = m->count;\n"
                                 "    double t = m->t;\n"
                                 "    long k = 0;\n"
                                 "    while (k < count) {\n"
                                 "        const double last = t_start + (double)(grid + k + 1) * "
                                 "h;\n"
                                 "        @b[#] = x[#];\n";
static const char check[] = "        double zero = 0.0;\n"
                            "        @zero += 0.0 * x[#];\n"
                            "        if (!(zero == 0.0)) break;\n"
                            "        t = last;\n"
                            "        k++;\n";
static const char latch[] = "        @m->end[#] = x[#];\n"
                            "        sys_latch(p, t, x);\n";
static const char watch[] = "        m->watch = sys_watch(p, t, x);\n"
                            "        if (m->watch) break;\n";
static const char small_end[] = "    @m->x[#] = x[#];\n"
                                "    @m->before[#] = b[#];\n";

static void print_march(int method, const dry_model *model, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const bool small = dry_native__is_small(model);
    const int n = system->n_states;
    fprintf(stream, "static long march_%d(const dry_env *env, dry_march *m) {\n", method);
    print_template(small ? small_begin : large_begin, n, small, stream);
    print_template(loop_begin, n, small, stream);
    dry_native__print_step(method, system, small, stream);
    print_template(check, n, small, stream);
    if (system->latch) print_template(latch, n, small, stream);
    if (system->watch) fputs(watch, stream);
    fputs("    }\n", stream);
    if (small) print_template(small_end, n, small, stream);
    fputs("    m->t = t;\n    return k;\n}\n\n", stream);
}

/* ---- the frame
 * ----------------------------------------------------------------------------------- */

/* Functions without rounding of their own are the compiler's; the others are the library's, as in
 * the bytecode, and remember nothing. No header is read. */
const char dry_native__preamble[] =
    "#define DRY_INLINE static inline __attribute__((always_inline))\n"
    "#define bool _Bool\n"
    "#define true 1\n"
    "#define false 0\n"
    "#define NAN __builtin_nanf(\"\")\n"
    "#define INFINITY __builtin_inff()\n"
    "#define isinf(x) __builtin_isinf(x)\n"
    "#define fabs(x) __builtin_fabs(x)\n"
    "#define sqrt(x) __builtin_sqrt(x)\n"
    "#define copysign(x, y) __builtin_copysign(x, y)\n"
    "#define PURE __attribute__((const))\n"
    "double floor(double) PURE, exp(double) PURE, log(double) PURE, sin(double) PURE;\n"
    "double cos(double) PURE, tan(double) PURE, asin(double) PURE, acos(double) PURE;\n"
    "double atan(double) PURE, sinh(double) PURE, cosh(double) PURE, tanh(double) PURE;\n"
    "double pow(double, double) PURE, atan2(double, double) PURE, hypot(double, double) PURE;\n"
    "double fmod(double, double) PURE;\n"
    "typedef struct dry_env {\n"
    "    const void *model;\n"
    "    const double *par;\n"
    "    void *work;\n"
    "} dry_env;\n"
    "typedef struct dry_march {\n"
    "    double t_start, step;\n"
    "    long grid, count;\n"
    "    double t, *x, *before, *end;\n"
    "    int watch;\n"
    "} dry_march;\n\n";

static const char doors[] =
    "static void prepare(const dry_env *env) { sys_prepare(env->par, env->work); }\n"
    "static void start(const dry_env *env, double t, double *x) { sys_start(env->work, t, x); }\n"
    "static void rate(const dry_env *env, double t, double tau, const double *x, double *out) {\n"
    "    sys_rate(env->work, t, tau, x, out);\n"
    "}\n";
static const char output_door[] =
    "static void output(const dry_env *env, double t, double tau, const double *x, double *out) {\n"
    "    sys_output(env->work, t, tau, x, out);\n"
    "}\n";
static const char kinks_door[] =
    "static void kinks(const dry_env *env, double t, const double *x, double *out) {\n"
    "    sys_kinks(env->work, t, 0.0, x, out);\n"
    "}\n";
static const char latch_door[] = "static bool latch(const dry_env *env, double t, double *x) {\n"
                                 "    return sys_latch(env->work, t, x);\n"
                                 "}\n";
static const char watch_door[] =
    "static int watch(const dry_env *env, double t, const double *x) {\n"
    "    return sys_watch(env->work, t, x);\n"
    "}\n";

static const char inclusion_types[] =
    "typedef struct dry_inclusion_values {\n"
    "    double *rate, *slide, *gap, *level, *push, *feel, *lift;\n"
    "} dry_inclusion_values;\n"
    "typedef struct dry_rigid_march {\n"
    "    double t_start, step;\n"
    "    long grid, count;\n"
    "    double small;\n"
    "    const bool *slips;\n"
    "    const double *hold, *feel, *push, *slide_constant, *carry_constant, *carry;\n"
    "    double *x, *F1, *F2, *A1, *A2, *slide, *lambda, *gap, *chi1, *chi2, *margin;\n"
    "} dry_rigid_march;\n\n";

/* The forces are zero. */
static const char smooth_door[] =
    "static void smooth(const dry_env *env, double t, const double *x, double *out) {\n"
    "    double y[N_STATES + N_FORCES];\n"
    "    for (int i = 0; i < N_STATES; i++) y[i] = x[i];\n"
    "    for (int i = 0; i < N_FORCES; i++) y[N_STATES + i] = 0.0;\n"
    "    sys_smooth(env->work, t, 0.0, y, out);\n"
    "}\n";

static const char eval_door[] =
    "static void eval(const dry_env *env, double t, const double *x, const double *lambda,\n"
    "                 const dry_inclusion_values *values) {\n"
    "    double y[N_STATES + N_FORCES], out[N_VALUES], *o = out;\n"
    "    for (int i = 0; i < N_STATES; i++) y[i] = x[i];\n"
    "    for (int i = 0; i < N_FORCES; i++) y[N_STATES + i] = lambda[i];\n"
    "    sys_values(env->work, t, 0.0, y, out);\n"
    "    for (int i = 0; i < N_STATES; i++) values->rate[i] = *o++;\n"
    "    for (int i = 0; i < N_FORCES; i++) values->slide[i] = *o++;\n"
    "    for (int i = 0; i < N_SETS; i++) values->gap[i] = *o++;\n"
    "    for (int i = 0; i < N_SETS; i++) values->level[i] = *o++;\n"
    "    for (int i = 0; i < N_PUSH; i++) values->push[i] = *o++;\n"
    "    for (int i = 0; i < N_FEEL; i++) values->feel[i] = *o++;\n"
    "    for (int i = 0; i < N_LIFT; i++) values->lift[i] = *o++;\n"
    "}\n";

static const char table_type[] =
    "typedef struct table {\n"
    "    int abi, n_states, n_outputs, n_par, n_kinks;\n"
    "    __SIZE_TYPE__ work_size;\n"
    "    void (*prepare)(const dry_env *);\n"
    "    void (*start)(const dry_env *, double, double *);\n"
    "    void (*rate)(const dry_env *, double, double, const double *, double *);\n"
    "    void (*output)(const dry_env *, double, double, const double *, double *);\n"
    "    void (*kinks)(const dry_env *, double, const double *, double *);\n"
    "    bool (*latch)(const dry_env *, double, double *);\n"
    "    int (*watch)(const dry_env *, double, const double *);\n"
    "    void (*smooth)(const dry_env *, double, const double *, double *);\n"
    "    void (*eval)(const dry_env *, double, const double *, const double *,\n"
    "                 const dry_inclusion_values *);\n"
    "    long (*glide)(const dry_env *, dry_rigid_march *);\n"
    "    long (*march[5])(const dry_env *, dry_march *);\n"
    "} table;\n\n";

/* A model that keeps its sets is not for the methods of an ordinary differential equation. */
static bool has_loop(const dry_model *model, const dry_method *method, int row) {
    if (!method) return !dry_model_inclusion(model);
    return strcmp(method->name, steps[row].name) == 0;
}

static void print_inclusion(const dry_model *model, FILE *stream) {
    const dry_inclusion *inc = dry_model_inclusion(model);
    int n_velocities = 0;
    for (int i = 0; i < inc->n_states; i++) n_velocities += inc->is_velocity[i];
    fprintf(stream,
            "enum {\n    N_VELOCITIES = %d,\n    N_SETS = %d,\n    N_FORCES = %d,\n"
            "    N_PUSH = %d,\n    N_FEEL = %d,\n    N_LIFT = %d,\n"
            "    N_VALUES = N_STATES + N_FORCES + 2 * N_SETS + N_PUSH + N_FEEL + N_LIFT\n};\n",
            n_velocities, inc->n_sets, inc->n_forces, inc->n_push, inc->n_feel, inc->n_lift);
    fputs(smooth_door, stream);
    if (dry_native__is_small(model)) fputs(eval_door, stream);
    if (dry_native__has_glide(model)) dry_native__print_glide(inc, stream);
}

static void print_doors(const dry_model *model, const dry_method *method, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    fputs(inclusion_types, stream);
    fputs(doors, stream);
    if (system->output) fputs(output_door, stream);
    if (system->kinks) fputs(kinks_door, stream);
    if (system->latch) fputs(latch_door, stream);
    if (system->watch) fputs(watch_door, stream);
    if (inclusion) print_inclusion(model, stream);
    fputs(table_type, stream);
    fputs("__attribute__((visibility(\"default\"))) const table drystone_native = {\n", stream);
    fprintf(stream, "    %d, N_STATES, N_OUTPUTS, N_PAR, N_KINKS,\n", DRY_NATIVE__ABI);
    fputs("    (N_FIXED + 5 * N_STATES + 1) * sizeof(double),\n    prepare, start, rate, ", stream);
    fprintf(stream, "%s, %s, %s, %s, %s, %s, %s,\n", system->output ? "output" : "0",
            system->kinks ? "kinks" : "0", system->latch ? "latch" : "0",
            system->watch ? "watch" : "0", inclusion ? "smooth" : "0",
            inclusion && dry_native__is_small(model) ? "eval" : "0",
            dry_native__has_glide(model) ? "glide" : "0");
    fputs("    {", stream);
    for (int i = 0; i < DRY_NATIVE__METHODS; i++) {
        if (has_loop(model, method, i))
            fprintf(stream, "march_%d, ", i);
        else
            fputs("0, ", stream);
    }
    fputs("},\n};\n", stream);
}

char *dry_native__source(const dry_model *model, const dry_method *method, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    const dry_c_options options = {.kinks = true, .smooth = dry_model_inclusion(model) != NULL};
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    dry_status status = stream ? DRY_OK : DRY_NO_MEMORY;
    if (stream) {
        fputs(dry_native__preamble, stream);
        fprintf(stream, "#define SYS_RATE %s\n\n",
                dry_native__is_small(model) ? "DRY_INLINE" : "static");
        status = dry_model_print_c(model, &options, stream, error);
        dry_native__print_positions(system, stream);
        for (int i = 0; i < DRY_NATIVE__METHODS; i++)
            if (has_loop(model, method, i)) print_march(i, model, stream);
        print_doors(model, method, stream);
        if (!dry_text_close(stream, &text)) status = DRY_NO_MEMORY;
    }
    if (status == DRY_OK) return text;
    free(text);
    if (status == DRY_NO_MEMORY) dry_error_set(error, status, "out of memory");
    return NULL;
}
