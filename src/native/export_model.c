/* export_model: prints model.h and model.c of an exported folder. */
#include "export_private.h"
#include "model/model.h"
#include <drystone/stability.h>
#include <stdlib.h>
#include <string.h>

/* ---- model.h ----------------------------------------------------------------------------------
 */

/* Prints the unit, and the name in the model if C cannot spell it. */
static void print_remark(const dry_export__plan *plan, int i, FILE *stream) {
    const dry_quantity q = plan->params[i];
    fputs("; /* ", stream);
    dry_export__comment(q.unit[0] ? q.unit : "1", stream);
    if (strcmp(plan->fields[i], q.name) != 0) {
        fputs("; ", stream);
        dry_export__comment(q.name, stream);
        fputs(" in the model", stream);
    }
    fputs(" */\n", stream);
}

static void print_par(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan, "/* Parameters, in SI units. */\ntypedef struct ~_par {\n", stream);
    for (int i = 0; i < plan->n_par; i++) {
        dry_export__put(plan, "    ~_real ", stream);
        fputs(plan->fields[i], stream);
        print_remark(plan, i, stream);
    }
    if (plan->n_par == 0)
        dry_export__put(plan, "    ~_real none; /* the model has no parameter */\n", stream);
    dry_export__put(plan, "} ~_par;\n\n", stream);
}

static const char header_types[] =
    "/* A model under way. t and x may be read, the rest is its own. */\n"
    "typedef struct ~ {\n"
    "    ~_real t; /* s */\n"
    "    ~_real x[^_STATES];\n"
    "    ~_real p[^_FIXED + 1];\n"
    "    ~_real breaks[^_BREAKS + 1]; /* times where a force jumps */\n"
    "    ~_real t_start, h;               /* the grid of time: t_start + k h */\n"
    "    long k;\n"
    "} ~;\n\n"
    "/* What a step returns: 0 where all is well, one of these, or the number, from 1, of a\n"
    " * condition in ~_condition_texts that does not hold. */\n"
    "enum {\n"
    "    ^_NOT_FINITE = -1, /* the state would not be: it is that of the last good step */\n"
    "    ^_BAD_STEP = -2    /* time does not go on by such an h, or to such a t_end */\n"
    "};\n\n";
static const char header_stop[] =
    "/* From this number on, a condition is no fault: the run ends where it begins to hold. */\n"
    "enum { ^_FIRST_STOP = ";
static const char header_functions[] =
    "extern const ~_par ~_defaults;\n"
    "extern const char *const ~_state_names[], *const ~_state_units[];\n"
    "extern const char *const ~_output_names[], *const ~_output_units[];\n"
    "extern const char *const ~_condition_texts[];\n\n"
    "/* Begins at t = 0; par 0: the defaults. */\n"
    "void ~_init(~ *m, const ~_par *par);\n"
    "/* One step of h seconds: h > 0, and not so short that t stays the same. */\n"
    "int ~_step(~ *m, ~_real h);\n"
    "/* Steps of h seconds to t_end exactly, which is not before t; the last is shortened. */\n"
    "int ~_advance(~ *m, ~_real h, ~_real t_end);\n"
    "/* The ^_OUTPUTS outputs at the present time. */\n"
    "void ~_output(const ~ *m, ~_real *y);\n\n"
    "#ifdef __cplusplus\n}\n#endif\n"
    "#endif\n";

/* Returns the number of values in p, which it reads from the text of the functions. */
static long fixed_of(const char *functions) {
    const char *at = strstr(functions, "N_FIXED = ");
    return at ? strtol(at + 10, NULL, 10) : 0;
}

static char *functions_of(const dry_export__plan *plan, dry_error *error) {
    const dry_c_options options = {.single = plan->single, .lean = true};
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    dry_status status = stream ? dry_model_print_c(plan->model, &options, stream, error)
                               : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (stream && !dry_text_close(stream, &text) && status == DRY_OK)
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) return text;
    free(text);
    return NULL;
}

static void print_sizes(const dry_export__plan *plan, long fixed, FILE *stream) {
    const struct {
        const char *name;
        long n;
    } sizes[] = {{"^_STATES", plan->system->n_states},
                 {"^_OUTPUTS", plan->n_outputs},
                 {"^_PARAMETERS", plan->n_par},
                 {"^_BREAKS", plan->model->code.n_roots[DRY_SECTION_BREAKS]},
                 {"^_FIXED", fixed}};
    fputs("enum {", stream);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fputs(i ? ",\n    " : "\n    ", stream);
        dry_export__put(plan, sizes[i].name, stream);
        fprintf(stream, " = %ld", sizes[i].n);
    }
    fputs("\n};\n\n", stream);
}

/* A step of the exported model does not check the rates of laws, as a run does. So the header
 * states the limit. */
static void print_rates(const dry_export__plan *plan, FILE *stream) {
    int n = 0;
    for (int i = 0; i < dry_model_sets(plan->model); i++) {
        const dry_set_info set = dry_model_set(plan->model, i);
        if (!set.quickens) continue;
        fputs(n++ ? ", " : " *\n * The rate at which these laws settle grows with the motion: ",
              stream);
        dry_export__comment(set.name, stream);
    }
    if (n)
        fprintf(
            stream,
            ".\n * Steps of %.6g s follow rates up to %.4g 1/s, shorter ones as many times more. "
            "No step asks for\n * the rates: `drystone run` does, and ends where one is too "
            "fast.\n",
            plan->run.step, dry_fastest_rate(plan->run.method, plan->run.step));
}

/* Prints a note as lines of a comment. */
static void print_note(const char *text, FILE *stream) {
    enum { WIDTH = 96 };
    for (size_t n, column = 0; *text; text += n, text += *text == ' ') {
        n = strcspn(text, " ");
        if (column == 0 || column + n > WIDTH) column = 0, fputs("\n *", stream);
        fputc(' ', stream);
        column += n + 1;
        dry_export__words(text, n, stream);
    }
}

static void print_notes(const dry_export__plan *plan, FILE *stream) {
    fputs(" *", stream);
    if (plan->n_notes == 0) print_note("not watched", stream);
    for (int i = 0; i < plan->n_notes; i++) print_note(plan->notes[i], stream);
}

dry_status dry_export__header(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    char *functions = functions_of(plan, error);
    if (!functions) return error ? error->status : DRY_NO_MEMORY;
    fputs("/* drystone export: ", stream);
    dry_export__comment(dry_model_title(plan->model), stream);
    fputs("\n *\n * Made by drystone " DRY_VERSION
          ". No heap, no global state; needs the functions of math.h.\n",
          stream);
    print_rates(plan, stream);
    print_notes(plan, stream);
    fputs(" */\n", stream);
    dry_export__put(plan, "#ifndef ^_H\n#define ^_H\n\n#include <stdbool.h>\n\ntypedef ", stream);
    dry_export__put(plan, plan->single ? "float ~_real;\n\n" : "double ~_real;\n\n", stream);
    print_sizes(plan, fixed_of(functions), stream);
    free(functions);
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", stream);
    print_par(plan, stream);
    dry_export__put(plan, header_types, stream);
    if (plan->system->n_stops > 0) {
        dry_export__put(plan, header_stop, stream);
        fprintf(stream, "%d };\n\n", plan->system->first_stop);
    }
    dry_export__put(plan, header_functions, stream);
    return DRY_OK;
}

/* ---- model.c
 * -------------------------------------------------------------------------------------- */

static const char *name_at(const dry_quantity *list, int i) { return list[i].name; }
static const char *unit_at(const dry_quantity *list, int i) { return list[i].unit; }

static void print_texts(const dry_export__plan *plan, const char *name,
                        const char *(*text)(const dry_quantity *, int), const dry_quantity *list,
                        int n, FILE *stream) {
    dry_export__put(plan, name, stream);
    for (int i = 0; i < n; i++) {
        dry_export__string(text(list, i), stream);
        fputs(", ", stream);
    }
    fputs("0};\n", stream);
}

static void print_names(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    const int n = system->n_states, n_outputs = plan->n_outputs;
    print_texts(plan, "const char *const ~_state_names[] = {", name_at, system->states, n, stream);
    print_texts(plan, "const char *const ~_state_units[] = {", unit_at, system->states, n, stream);
    print_texts(plan, "const char *const ~_output_names[] = {", name_at, plan->outputs, n_outputs,
                stream);
    print_texts(plan, "const char *const ~_output_units[] = {", unit_at, plan->outputs, n_outputs,
                stream);
    dry_export__put(plan, "const char *const ~_condition_texts[] = {", stream);
    for (int i = 1; system->watch && dry_model_watch_text(plan->model, i)[0]; i++) {
        dry_export__string(dry_model_watch_text(plan->model, i), stream);
        fputs(", ", stream);
    }
    dry_export__put(plan, "0};\n\nconst ~_par ~_defaults = {", stream);
    for (int i = 0; i < plan->n_par; i++) {
        fprintf(stream, "%s.%s = ", i ? ", " : "", plan->fields[i]);
        dry_export__number(plan->defaults[i], stream);
    }
    fputs(plan->n_par ? "};\n\n" : "0.0};\n\n", stream);
}

static void print_step(const dry_export__plan *plan, FILE *stream) {
    if (plan->run.method->fixed->form == DRY_FORM_STAGGERED)
        dry_native__print_positions(plan->system, stream);
    fprintf(stream,
            "/* One step of %s from t to t + h; no stage is later than `last`. */\n"
            "static void step(const double *p, double t, double h, double last, double *x) {\n"
            "        double ",
            plan->run.method->title);
    dry_native__print_scratch(plan->run.method, stream);
    fputs(";\n", stream);
    dry_native__print_step(plan->run.method, plan->system, (dry_native__form){0}, stream);
    fputs("}\n\n", stream);
}

static const char grid_time[] =
    "static double grid_time(const ~ *m, long k) { return m->t_start + (double)k * m->h; }\n\n";
static const char piece_begin[] =
    "/* The step to the next point of the grid, or to `limit` where that comes first. */\n"
    "static int piece(~ *m, double limit, bool is_break) {\n"
    "    const double slack = SLACK * m->h, next = grid_time(m, m->k + 1);\n"
    "    const bool at_limit = limit <= next + slack;\n"
    "    const double end = at_limit ? limit : next;\n"
    "    const bool on_grid = end >= next - slack;\n"
    "    const bool whole = on_grid && fabs(m->t - grid_time(m, m->k)) <= slack;\n"
    "    const double last = at_limit && is_break ? nextafter(end, -(double)INFINITY) : end;\n"
    "    double before[N_STATES], zero = 0.0;\n"
    "    for (int i = 0; i < N_STATES; i++) before[i] = m->x[i];\n"
    "    step(m->p, m->t, whole ? m->h : end - m->t, last, m->x);\n"
    "    for (int i = 0; i < N_STATES; i++) zero += 0.0 * m->x[i];\n"
    "    if (!(zero == 0.0)) { /* infinite or not a number: back to the last good state */\n"
    "        for (int i = 0; i < N_STATES; i++) m->x[i] = before[i];\n"
    "        return ^_NOT_FINITE;\n"
    "    }\n";
static const char piece_end[] = "    m->t = end;\n"
                                "    if (on_grid) m->k++;\n";
static const char piece_stop_end[] = "    const double begin = m->t;\n"
                                     "    m->t = end;\n"
                                     "    if (on_grid) m->k++;\n";

/* The bits of end_at_stop in src/ode/fixed.c. */
static const char to_stop[] =
    "/* One step of length h from `before` at time t; whether the run ends there. */\n"
    "static bool stops_after(~ *m, const double *before, double t, double h) {\n"
    "    for (int i = 0; i < N_STATES; i++) m->x[i] = before[i];\n"
    "    step(m->p, t, h, t + h, m->x);\n"
    "    return sys_watch(m->p, t + h, m->x) >= ^_FIRST_STOP;\n"
    "}\n\n"
    "/* The step from t that has passed the end of the run is taken anew, as long as it has to "
    "be.\n"
    " */\n"
    "static int to_stop(~ *m, const double *before, double t, bool on_grid) {\n"
    "    const double end = m->t;\n"
    "    double low = 0.0, high = end - t, x[N_STATES];\n"
    "    for (int i = 0; i < N_STATES; i++) x[i] = m->x[i];\n"
    "    for (;;) {\n"
    "        const double h = low + 0.5 * (high - low);\n"
    "        if (!(t + h > t + low && t + h < t + high)) break;\n"
    "        if (stops_after(m, before, t, h))\n"
    "            high = h;\n"
    "        else\n"
    "            low = h;\n"
    "    }\n"
    "    if (!(high < end - t)) { /* at its own end */\n"
    "        for (int i = 0; i < N_STATES; i++) m->x[i] = x[i];\n"
    "        return sys_watch(m->p, m->t, m->x);\n"
    "    }\n"
    "    (void)stops_after(m, before, t, high);\n"
    "    if (on_grid) m->k--;\n"
    "    m->t = t + high;\n";
static const char return_watch[] = "    return sys_watch(m->p, m->t, m->x);\n}\n\n";
static const char return_stop[] =
    "    const int found = sys_watch(m->p, m->t, m->x);\n"
    "    return found >= ^_FIRST_STOP ? to_stop(m, before, begin, on_grid) : found;\n"
    "}\n\n";

static const char advance_begin[] =
    "static void set_grid(~ *m, double h) {\n"
    "    m->t_start = m->t;\n"
    "    m->h = h;\n"
    "    m->k = 0;\n"
    "}\n\n"
    "static bool is_step(double h) { return h > 0.0 && h < (double)INFINITY; }\n\n"
    "int ~_advance(~ *m, double h, double t_end) {\n"
    "    if (!is_step(h)) return ^_BAD_STEP;\n"
    "    const double most = (double)((unsigned long)-1 / 2); /* that k counts */\n"
    "    if (!(t_end >= m->t - SLACK * h && (t_end - m->t) / h < most)) return ^_BAD_STEP;\n"
    "    if (m->h < h || m->h > h) set_grid(m, h);\n"
    "    while (m->t < t_end) {\n"
    "        double limit = t_end;\n"
    "        bool is_break = false;\n";
static const char advance_breaks[] =
    "        for (int i = 0; i < N_BREAKS; i++)\n"
    "            if (m->breaks[i] > m->t && m->breaks[i] <= limit) {\n"
    "                limit = m->breaks[i];\n"
    "                is_break = true;\n"
    "            }\n";
static const char after_function[] =
    "/* The first sample of clock i after t. */\n"
    "static double sys_after(int i, double t) {\n"
    "    double k = floor((t - sys_clocks[i][1]) / sys_clocks[i][0]);\n"
    "    if (!(k > 0.0)) k = 0.0;\n"
    "    while (sys_instant(i, k) <= t) k += 1.0;\n"
    "    return sys_instant(i, k);\n"
    "}\n\n";
static const char advance_clocks[] =
    "        for (int i = 0; i < (int)(sizeof sys_clocks / sizeof *sys_clocks); i++)\n"
    "            if (sys_after(i, m->t) <= limit) {\n"
    "                limit = sys_after(i, m->t);\n"
    "                is_break = true;\n"
    "            }\n";
static const char advance_slack[] = "        if (limit - m->t <= SLACK * h) {\n"
                                    "            m->t = limit;\n";
static const char advance_knots[] = "        const double knot = sys_next_knot(m->t);\n"
                                    "        if (knot <= limit) {\n"
                                    "            limit = knot;\n"
                                    "            is_break = true;\n"
                                    "        }\n";
static const char advance_end[] =
    "            continue;\n"
    "        }\n"
    "        const int status = piece(m, limit, is_break);\n"
    "        if (status) return status;\n"
    "    }\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_step(~ *m, double h) {\n"
    "    if (!is_step(h)) return ^_BAD_STEP;\n"
    "    if (m->h < h || m->h > h || fabs(m->t - grid_time(m, m->k)) > SLACK * h) set_grid(m, h);\n"
    "    const double end = grid_time(m, m->k + 1);\n"
    "    return end > m->t ? ~_advance(m, h, end) : ^_BAD_STEP;\n"
    "}\n\n";

static void print_advance(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    fprintf(stream,
            "/* A remainder shorter than this part of a step is no step of its own. */\n"
            "static const double SLACK = %s;\n\n",
            plan->single ? "1e-4" : "1e-9");
    static const char latch[] = "    (void)sys_latch(m->p, m->t, m->x);\n";
    const bool stops = system->n_stops > 0;
    dry_export__put(plan, grid_time, stream);
    if (stops) {
        dry_export__put(plan, to_stop, stream);
        if (system->latch) fputs(latch, stream);
        fputs(return_watch, stream);
    }
    dry_export__put(plan, piece_begin, stream);
    fputs(stops ? piece_stop_end : piece_end, stream);
    if (system->latch) fputs(latch, stream);
    if (stops)
        dry_export__put(plan, return_stop, stream);
    else
        fputs(system->watch ? return_watch : "    return 0;\n}\n\n", stream);
    if (system->n_clocks) fputs(after_function, stream);
    dry_export__put(plan, advance_begin, stream);
    if (plan->model->code.n_roots[DRY_SECTION_BREAKS]) fputs(advance_breaks, stream);
    if (plan->model->code.n_break_tables) fputs(advance_knots, stream);
    if (system->n_clocks) fputs(advance_clocks, stream);
    fputs(advance_slack, stream);
    if (system->n_clocks)
        fputs("            if (is_break) (void)sys_latch(m->p, m->t, m->x);\n", stream);
    dry_export__put(plan, advance_end, stream);
}

static void print_init(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan,
                    "void ~_init(~ *m, const ~_par *par) {\n"
                    "    if (!par) par = &~_defaults;\n"
                    "    const double list[N_PAR + 1] = {",
                    stream);
    for (int i = 0; i < plan->n_par; i++) fprintf(stream, "par->%s, ", plan->fields[i]);
    fputs(
        "0.0};\n    sys_prepare(list, m->p);\n    m->t = 0.0;\n    sys_start(m->p, m->t, m->x);\n",
        stream);
    if (plan->model->code.n_roots[DRY_SECTION_BREAKS])
        fputs("    sys_breaks(m->p, m->breaks);\n", stream);
    fputs("    set_grid(m, ", stream);
    dry_export__number(plan->run.step, stream);
    dry_export__put(plan, ");\n}\n\nvoid ~_output(const ~ *m, double *y) {\n", stream);
    if (plan->n_outputs)
        fprintf(stream, "    sys_output(m->p, m->t, %s, m->x, y);\n}\n",
                plan->run.method->uses_tau ? "m->h" : "0.0");
    else
        fputs("    (void)m, (void)y;\n}\n", stream);
}

static dry_status print_model(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    fputs("/* The model as ordinary differential equations, and their integration by ", stream);
    fprintf(stream,
            "%s.\n *\n * Each n<number> is a node of the model's graph, p what does not "
            "change during a run. */\n",
            plan->run.method->title);
    dry_export__put(plan,
                    "#include \"~.h\"\n#include <math.h>\n\n"
                    "#define DRY_INLINE static inline\n#define SYS_RATE static\n\n",
                    stream);
    const dry_c_options options = {.single = plan->single, .lean = true};
    const dry_status status = dry_model_print_c(plan->model, &options, stream, error);
    print_names(plan, stream);
    print_step(plan, stream);
    print_advance(plan, stream);
    print_init(plan, stream);
    return status;
}

dry_status dry_export__model(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    if (!plan->single) return print_model(plan, stream, error);
    char *text = NULL;
    size_t length;
    FILE *memory = dry_text_open(&text, &length);
    if (!memory) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = print_model(plan, memory, error);
    if (!dry_text_close(memory, &text) && status == DRY_OK)
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) dry_c_print_single(text, stream);
    free(text);
    return status;
}
