/* source: the C text of a shared object: the model's functions, a loop for each fixed-step method
 * with the rate inlined, and the list of their addresses.
 *
 * p: numbers of the run that do not change; t: time, s; h: step, s; last: the largest time that a
 * stage may have; x: states; k1 .. k4: rates of the stages; tau: step passed to the laws, s. The
 * arithmetic is that of dry_ode, in the same order. */
#include "model/model.h"
#include "native_private.h"
#include <stdlib.h>
#include <string.h>

enum { UNROLLED_STATES = 32, UNROLLED_OPERATIONS = 600 };
enum { MOST_UNROLLED = 160 }; /* numbers, if most are in vectors */

bool dry_native__is_small(const dry_model *model) {
    const int ways = model->code.n_ways, n = dry_model_system(model)->n_states;
    return n <= (ways > 1 ? MOST_UNROLLED : UNROLLED_STATES) && n / (1 + ways) <= UNROLLED_STATES &&
           dry_model_operations(model) <= UNROLLED_OPERATIONS;
}

dry_native__states dry_native__states_of(const dry_model *model) {
    const int ways = model->code.n_ways, n = dry_model_system(model)->n_states;
    return (dry_native__states){
        .n = n, .n_plain = n / (1 + ways), .n_ways = ways, .unrolled = dry_native__is_small(model)};
}

/* ---- templates --------------------------------------------------------------------------- */

/* The length of what is before [#] if that follows: "x", "m->end"; else 0. */
static size_t indexed(const char *line, size_t length) {
    size_t n = 0;
    while (n < length && (line[n] == '_' || line[n] == '>' || line[n] == '-' ||
                          (line[n] >= '0' && line[n] <= '9') || (line[n] >= 'a' && line[n] <= 'z')))
        n++;
    return n && n + 3 <= length && !memcmp(line + n, "[#]", 3) ? n : 0;
}

/* Prints a line with `state` in place of #; of more than one number, with vectors. */
static void print_line(const char *line, size_t length, const char *state, int numbers,
                       FILE *stream) {
    for (size_t k = 0; k < length;) {
        const size_t n = numbers > 1 ? indexed(line + k, length - k) : 0;
        const bool is_mark = n && !memcmp(line + k, "positions", n);
        if (is_mark) fprintf(stream, "%.*s[%s]", (int)n, line + k, state);
        if (n && !is_mark)
            fprintf(stream, "(*(way%d *)(%.*s + %s))", numbers, (int)n, line + k, state);
        if (n) {
            k += n + 3;
            continue;
        }
        if (line[k] == '#')
            fputs(state, stream);
        else if (line[k] != '@')
            fputc(line[k], stream);
        k++;
    }
}

/* Prints a line that begins with @ once per state, and for the ways of a state once per vector. */
static void print_each(const char *line, size_t length, dry_native__states states, FILE *stream) {
    const size_t blanks = strspn(line, " ");
    char state[16];
    if (!states.unrolled) {
        fprintf(stream, "%.*sfor (int i = 0; i < N_STATES; i++) ", (int)blanks, line);
        print_line(line + blanks, length - blanks, "i", 1, stream);
        return;
    }
    for (int i = 0; i < states.n;) {
        const int way = i < states.n_plain ? 0 : (i - states.n_plain) % states.n_ways;
        const int left = i < states.n_plain ? 1 : states.n_ways - way;
        const int numbers = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        snprintf(state, sizeof state, "%d", i);
        print_line(line, length, state, numbers, stream);
        i += numbers;
    }
}

void dry_native__print_template(const char *text, dry_native__states states, FILE *stream) {
    while (*text) {
        const size_t length = strcspn(text, "\n") + 1;
        if (text[strspn(text, " ")] == '@')
            print_each(text, length, states, stream);
        else
            fwrite(text, 1, length, stream);
        text += length;
    }
}

/* ---- methods -------------------------------------------------------------------------------- */

bool dry_native__has_step(const dry_method *method) {
    return method && method->fixed && method->fixed->stages <= DRY_NATIVE__STAGES;
}

static bool is_sums(const dry_coefficients *k) { return k->form == DRY_FORM_SUMS; }

/* A template line under construction: room for 16 terms of 40 characters, and more. */
typedef struct line {
    char text[1024];
    size_t length;
} line;

static void put(line *l, const char *text) {
    const size_t length = strlen(text);
    DRY_ASSERT(l->length + length < sizeof l->text);
    memcpy(l->text + l->length, text, length + 1);
    l->length += length;
}

/* Puts a number as C, with a point or an exponent. */
static void put_number(line *l, double value) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(value, text);
    put(l, text);
    if (!strpbrk(text, ".e")) put(l, ".0");
}

/* Puts c h. */
static void put_part(line *l, double c) {
    if (c != 0.0 && c != 1.0) put_number(l, c), put(l, " * ");
    put(l, c == 0.0 ? "0.0" : "h");
}

static void put_rate(line *l, int stage) {
    char text[32];
    snprintf(text, sizeof text, "k%d", stage + 1);
    put(l, text);
}

/* Puts the time of a stage. */
static void put_time(line *l, const dry_coefficients *k, int s) {
    const double c = k->c[s];
    if (is_sums(k)) {
        for (int i = 0; i < 2; i++) {
            put(l, i ? " < last ? t" : "t");
            if (c != 0.0) put(l, " + "), put_number(l, c), put(l, " * h");
        }
        put(l, " : last");
    } else {
        put(l, c == 1.0 ? "last" : "t");
        if (c != 0.0 && c != 1.0) put(l, " + "), put_part(l, c);
    }
}

/* Puts w_1 k1[#] + w_2 k2[#] ... Terms with weight 0 may be left out, because a rate that is not
 * finite leaves no state finite. */
static void put_sum(line *l, const dry_coefficients *k, const double *w, int n) {
    bool first = !is_sums(k);
    if (!first) put(l, "0.0");
    for (int j = 0; j < n; j++) {
        if (w[j] == 0.0) continue;
        if (!first) put(l, " + ");
        put_number(l, w[j]), put(l, " * "), put_rate(l, j), put(l, "[#]");
        first = false;
    }
}

/* Puts the point of a stage, from the rates of the stages before. */
static void put_point(line *l, const dry_coefficients *k, int s) {
    const double *a = k->a + s * (s - 1) / 2;
    put(l, "        @y[#] = x[#] + ");
    if (is_sums(k)) {
        put(l, "h * ("), put_sum(l, k, a, s), put(l, ");\n");
    } else {
        put_part(l, a[s - 1]), put(l, " * "), put_rate(l, s - 1), put(l, "[#];\n");
    }
}

/* Whether the time of a stage is `last` itself. */
static bool is_last(const dry_coefficients *k, int s) { return !is_sums(k) && k->c[s] == 1.0; }

/* Whether a stage has the time of the one before it. */
static bool is_same_time(const dry_coefficients *k, int s) {
    return s > 0 && !(k->c[s] < k->c[s - 1]) && !(k->c[s] > k->c[s - 1]);
}

/* Puts where the values of the time of a stage are. */
static void put_timed(line *l, const dry_coefficients *k, int s, dry_native__form form) {
    char text[32];
    while (is_same_time(k, s)) s--;
    snprintf(text, sizeof text, "w%d", form.apart ? s : s > 0 && !is_last(k, s));
    put(l, text);
}

static void put_stage(line *l, const dry_coefficients *k, int s, dry_native__form form) {
    if (form.timed && !form.apart && s > 0 && !is_same_time(k, s))
        put(l, "        sys_time(p, "), put_time(l, k, s), put(l, ", "), put_timed(l, k, s, form),
            put(l, ");\n");
    put(l, "        sys_rate(p, ");
    if (form.timed) put_timed(l, k, s, form), put(l, ", ");
    put_time(l, k, s), put(l, ", "), put_part(l, k->tau ? k->tau[s] : 0.0);
    put(l, s ? ", y, " : ", x, "), put_rate(l, s), put(l, ");\n");
}

static void put_end(line *l, const dry_coefficients *k) {
    put(l, is_sums(k) ? "        @x[#] = x[#] + h * (" : "        @x[#] += h * (1.0 / ");
    if (!is_sums(k)) put_number(l, k->over), put(l, ") * (");
    put_sum(l, k, k->b, k->stages), put(l, ");\n");
}

static const char time_of_last[] = "        sys_time(p, last, w0);\n";

/* Prints a step from its coefficients. */
static void print_stages(const dry_coefficients *k, dry_native__form form, FILE *stream) {
    for (int s = 0; s <= k->stages; s++) {
        line l = {.length = 0};
        if (s > 0 && s < k->stages) put_point(&l, k, s);
        dry_native__print_template(l.text, form.states, stream);
        l = (line){.length = 0};
        if (s < k->stages)
            put_stage(&l, k, s, form);
        else
            put_end(&l, k);
        dry_native__print_template(l.text, form.states, stream);
    }
    if (form.timed && !form.apart && !is_last(k, k->stages - 1)) fputs(time_of_last, stream);
}

static void print_staggered(dry_native__form form, FILE *stream) {
    const char *w = form.timed ? "w0, " : "";
    fprintf(stream, "        sys_rate(p, %st, h, x, k1);\n", w);
    dry_native__print_template("        @if (!positions[#]) x[#] += h * k1[#];\n", form.states,
                               stream);
    if (form.timed && !form.apart) fputs(time_of_last, stream);
    fprintf(stream, "        sys_rate(p, %slast, h, x, k1);\n", form.apart ? "w1, " : w);
    dry_native__print_template("        @if (positions[#]) x[#] += h * k1[#];\n", form.states,
                               stream);
}

static void put_apart(line *l, int s) {
    char text[64];
    snprintf(text, sizeof text, "        double w%d[N_TIMED];\n        sys_time(q, ", s);
    put(l, text);
}

void dry_native__print_times(const dry_method *method, FILE *stream) {
    static const char staggered[] = "        double w0[N_TIMED], w1[N_TIMED];\n"
                                    "        sys_time(q, t, w0);\n"
                                    "        sys_time(q, last, w1);\n";
    const dry_coefficients *k = method->fixed;
    const dry_native__form form = {.timed = true, .apart = true};
    if (k->form == DRY_FORM_STAGGERED) {
        fputs(staggered, stream);
        return;
    }
    for (int s = 0; s < k->stages; s++) {
        line l = {.length = 0};
        if (is_same_time(k, s)) continue;
        put_apart(&l, s), put_time(&l, k, s), put(&l, ", "), put_timed(&l, k, s, form);
        put(&l, ");\n");
        fputs(l.text, stream);
    }
}

void dry_native__print_step(const dry_method *method, dry_native__form form, FILE *stream) {
    if (method->fixed->form == DRY_FORM_STAGGERED)
        print_staggered(form, stream);
    else
        print_stages(method->fixed, form, stream);
}

static int rates_of(const dry_method *method) {
    return method->fixed->form == DRY_FORM_STAGGERED ? 1 : method->fixed->stages;
}

void dry_native__print_scratch(const dry_method *method, FILE *stream) {
    const int n = rates_of(method);
    if (n > 1) fputs("y[N_STATES], ", stream);
    for (int i = 0; i < n; i++) fprintf(stream, "%sk%d[N_STATES]", i ? ", " : "", i + 1);
}

void dry_native__print_positions(const dry_system *system, FILE *stream) {
    fputs("static const bool positions[N_STATES] = {", stream);
    for (int i = 0; i < system->n_states; i++)
        fprintf(stream, "%s%d", i ? ", " : "", system->positions && system->positions[i]);
    fputs("};\n\n", stream);
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

/* All variables are local, so that nothing is read again after a call. */
static const char small_begin[] = "    double p[N_FIXED + 1], x[N_STATES], b[N_STATES];\n"
                                  "    const double *fixed = env->work;\n"
                                  "    for (int i = 0; i < N_FIXED; i++) p[i] = fixed[i];\n"
                                  "    @x[#] = b[#] = m->x[#];\n";
static const char large_begin[] = "    const double *p = env->work;\n"
                                  "    double *x = m->x, *b = m->before;\n";
static const char loop_begin[] = "    const double h = m->step, t_start = m->t_start;\n"
                                 "    const long grid = m->grid, count = m->count;\n"
                                 "    double t = m->t;\n"
                                 "    long k = 0;\n";
static const char loop_time[] = "    sys_time(p, t, w0);\n";
static const char loop_step[] = "    while (k < count) {\n"
                                "        const double last = t_start + (double)(grid + k + 1) * "
                                "h;\n"
                                "        @b[#] = x[#];\n";
static const char find_zero[] = "        double zero = 0.0;\n"
                                "        @zero += 0.0 * x[#];\n";
static const char check[] = "        if (!(zero == 0.0)) break;\n"
                            "        t = last;\n"
                            "        k++;\n";
static const char latch[] = "        @m->end[#] = x[#];\n"
                            "        sys_latch(p, t, x);\n";
static const char watch[] = "        m->watch = sys_watch(p, t, x);\n"
                            "        if (m->watch) break;\n";
static const char small_end[] = "    @m->x[#] = x[#];\n"
                                "    @m->before[#] = b[#];\n";

/* Prints the scratch of the step: local variables for a small model, otherwise memory after the
 * numbers in env->work. */
static void print_room(const dry_method *method, bool small, bool timed, FILE *stream) {
    if (small) {
        fputs("    double ", stream);
        dry_native__print_scratch(method, stream);
        fputs(timed ? ", w0[N_TIMED], w1[N_TIMED];\n" : ";\n", stream);
        return;
    }
    fputs("    double *y = (double *)env->work + N_FIXED", stream);
    for (int i = 1; i <= rates_of(method); i++) fprintf(stream, ", *k%d = y + %d * N_STATES", i, i);
    fputs(timed ? ", *w0 = (double *)env->work + AT_TIMED, *w1 = w0 + N_TIMED;\n" : ";\n", stream);
}

/* The sum of zeros, or what is not finite. Sums of vectors do not wait for each other. */
static void print_zero(dry_native__states states, FILE *stream) {
    enum { SUMS = 4 };
    int next = 0;
    if (!states.unrolled || states.n_ways < 4) {
        states.n_plain = states.n;
        dry_native__print_template(find_zero, states, stream);
        return;
    }
    fputs("        way4 zeros[4] = {{0.0}, {0.0}, {0.0}, {0.0}};\n        double zero = 0.0;\n",
          stream);
    for (int i = 0; i < states.n;) {
        const int left =
            i < states.n_plain ? 1 : states.n_ways - (i - states.n_plain) % states.n_ways;
        if (left >= 4)
            fprintf(stream, "        zeros[%d] += 0.0 * *(way4 *)(x + %d);\n", next++ % SUMS, i);
        else
            fprintf(stream, "        zero += 0.0 * x[%d];\n", i);
        i += left >= 4 ? 4 : 1;
    }
    fputs("        zeros[0] += zeros[1] + (zeros[2] + zeros[3]);\n"
          "        zero += zeros[0][0] + zeros[0][1] + (zeros[0][2] + zeros[0][3]);\n",
          stream);
}

static void print_march(int row, const dry_model *model, FILE *stream) {
    const dry_method *method = dry_method_at(row);
    const dry_system *system = dry_model_system(model);
    const dry_native__form form = {.states = dry_native__states_of(model),
                                   .timed = dry_native__is_timed(model, NULL)};
    const bool small = form.states.unrolled;
    fprintf(stream, "static long march_%d(const dry_env *env, dry_march *m) {\n", row);
    dry_native__print_template(small ? small_begin : large_begin, form.states, stream);
    print_room(method, small, form.timed, stream);
    fputs(loop_begin, stream);
    if (form.timed) fputs(loop_time, stream);
    dry_native__print_template(loop_step, form.states, stream);
    dry_native__print_step(method, form, stream);
    print_zero(form.states, stream);
    fputs(check, stream);
    if (system->latch) dry_native__print_template(latch, form.states, stream);
    if (system->watch) fputs(watch, stream);
    fputs("    }\n", stream);
    if (small) dry_native__print_template(small_end, form.states, stream);
    fputs("    m->t = t;\n    return k;\n}\n\n", stream);
}

/* ---- the frame
 * ----------------------------------------------------------------------------------- */

/* The compiler provides the functions without rounding of their own. The library provides the
 * others, as in the bytecode; they keep no state. The text includes no header. */
static const char compilers_own[] =
    "#define DRY_INLINE static inline __attribute__((always_inline))\n"
    "#define bool _Bool\n"
    "#define true 1\n"
    "#define false 0\n"
    "typedef __SIZE_TYPE__ size_t;\n"
    "typedef __INT32_TYPE__ int32_t;\n"
    "typedef __UINT32_TYPE__ uint32_t;\n"
    "typedef __UINT64_TYPE__ uint64_t;\n"
    "#define NAN __builtin_nanf(\"\")\n"
    "#define INFINITY __builtin_inff()\n"
    "#define isinf(x) __builtin_isinf(x)\n"
    "#define isfinite(x) __builtin_isfinite(x)\n"
    "#define fabs(x) __builtin_fabs(x)\n"
    "#define sqrt(x) __builtin_sqrt(x)\n"
    "#define copysign(x, y) __builtin_copysign(x, y)\n"
    "#define PURE __attribute__((const))\n";
static bool is_the_compilers(const char *name) {
    char define[64];
    snprintf(define, sizeof define, "#define %s(", name);
    return strstr(compilers_own, define) != NULL;
}

void dry_native__print_preamble(FILE *stream) {
    const char *name;
    int n_args;
    fputs(compilers_own, stream);
    for (int i = 0; (name = dry_c_library(i, &n_args)); i++)
        if (!is_the_compilers(name))
            fprintf(stream, "double %s(double%s) PURE;\n", name, n_args == 2 ? ", double" : "");
    fputs(dry_native__system_types, stream);
}

static const char doors[] =
    "static void prepare(const dry_env *env) { sys_prepare(env->par, env->work); }\n"
    "static void start(const dry_env *env, double t, double *x) { sys_start(env->work, t, x); }\n";
static const char rate_door[] =
    "static void rate(const dry_env *env, double t, double tau, const double *x, double *out) {\n"
    "    sys_rate(env->work, t, tau, x, out);\n"
    "}\n";
static const char timed_rate_door[] =
    "static void rate(const dry_env *env, double t, double tau, const double *x, double *out) {\n"
    "    double *w = (double *)env->work + AT_TIMED;\n"
    "    sys_time(env->work, t, w);\n"
    "    sys_rate(env->work, w, t, tau, x, out);\n"
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

/* A model that keeps its sets cannot use the methods of an ordinary differential equation. */
static bool has_loop(const dry_model *model, const dry_method *method, int row) {
    if (!dry_native__has_step(dry_method_at(row))) return false;
    return method ? method == dry_method_at(row) : !dry_model_inclusion(model);
}

/* Returns the room for the rates of the method with most stages, and for one more state. */
static int vectors(const dry_model *model, const dry_method *method) {
    int most = 0;
    for (int i = 0; i < dry_method_count(); i++)
        if (has_loop(model, method, i) && rates_of(dry_method_at(i)) > most)
            most = rates_of(dry_method_at(i));
    return most + 1;
}

/* Prints the loops in the order of the catalogue. */
static void print_loops(const dry_model *model, const dry_method *method, FILE *stream) {
    fputs("static long (*const loops[])(const dry_env *, dry_march *) = {", stream);
    for (int i = 0; i < dry_method_count(); i++)
        if (has_loop(model, method, i))
            fprintf(stream, "march_%d, ", i);
        else
            fputs("0, ", stream);
    fputs("};\n", stream);
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
    if (dry_native__has_steady(model)) dry_native__print_steady(inc, stream);
}

/* Puts the name of a function that the model has; the list has NULL for the others. */
static void put_door(const char *name, bool there, FILE *stream) {
    if (there) fprintf(stream, "    .%s = %s,\n", name, name);
}

static void print_calls(const dry_model *model, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const bool inclusion = dry_model_inclusion(model) != NULL;
    fputs(dry_native__calls_type, stream);
    fputs("__attribute__((visibility(\"default\"))) const dry_native__calls drystone_native = {\n",
          stream);
    fprintf(stream, "    .abi = %d,\n", DRY_NATIVE__ABI);
    fputs("    .n_states = N_STATES,\n    .n_outputs = N_OUTPUTS,\n"
          "    .n_par = N_PAR,\n    .n_kinks = N_KINKS,\n",
          stream);
    fputs("    .work_size = (AT_TIMED + 2 * N_TIMED + 1) * sizeof(double),\n", stream);
    put_door("prepare", true, stream);
    put_door("start", true, stream);
    put_door("rate", true, stream);
    put_door("output", system->output, stream);
    put_door("kinks", system->kinks, stream);
    put_door("latch", system->latch, stream);
    put_door("watch", system->watch, stream);
    put_door("smooth", inclusion, stream);
    put_door("eval", inclusion && dry_native__is_small(model), stream);
    put_door("steady", dry_native__has_steady(model), stream);
    fprintf(stream, "    .n_march = %d,\n    .march = loops,\n};\n", dry_method_count());
}

static void print_doors(const dry_model *model, const dry_method *method, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    fputs(dry_native__inclusion_types, stream);
    fputs(doors, stream);
    fputs(dry_native__is_timed(model, NULL) ? timed_rate_door : rate_door, stream);
    if (system->output) fputs(output_door, stream);
    if (system->kinks) fputs(kinks_door, stream);
    if (system->latch) fputs(latch_door, stream);
    if (system->watch) fputs(watch_door, stream);
    if (inclusion) print_inclusion(model, stream);
    print_loops(model, method, stream);
    print_calls(model, stream);
}

char *dry_native__source(const dry_model *model, const dry_method *method, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    const dry_c_options options = {.kinks = true,
                                   .smooth = dry_model_inclusion(model) != NULL,
                                   .timed = dry_native__is_timed(model, NULL),
                                   .instants = true};
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    dry_status status = stream ? DRY_OK : DRY_NO_MEMORY;
    if (stream) {
        dry_native__print_preamble(stream);
        fprintf(stream, "#define SYS_RATE %s\n\n",
                dry_native__is_small(model) ? "DRY_INLINE" : "static");
        status = dry_model_print_c(model, &options, stream, error);
        fprintf(stream, "enum { AT_TIMED = N_FIXED + %d * N_STATES };\n\n", vectors(model, method));
        dry_native__print_positions(system, stream);
        for (int i = 0; i < dry_method_count(); i++)
            if (has_loop(model, method, i)) print_march(i, model, stream);
        print_doors(model, method, stream);
        if (!dry_text_close(stream, &text) || dry_model_failed(model)) status = DRY_NO_MEMORY;
    }
    if (status == DRY_OK) return text;
    free(text);
    if (status == DRY_NO_MEMORY) dry_error_set(error, status, "out of memory");
    return NULL;
}
