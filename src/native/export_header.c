/* export_header: prints model.h of an exported folder. */
#include "export_private.h"
#include <drystone/stability.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the comment at the top --------------------------------------------------------------------
 */

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

/* The first power of two from which neighbouring values of t are a step or more apart. */
static double coarse_time(const dry_export__plan *plan) {
    const int digits = plan->single ? FLT_MANT_DIG : DBL_MANT_DIG;
    return exp2(ceil(log2(plan->run.step)) + digits - 1);
}

static void print_time(const dry_export__plan *plan, FILE *stream) {
    const double last = coarse_time(plan);
    dry_export__put(
        plan,
        " *\n * Time is a count of steps, t = t_start + k h: a step takes its whole h, and "
        "none is too short\n * for t, however long the program runs. ",
        stream);
    if (!plan->reads_time) {
        fputs("Nothing in the model depends on t.\n", stream);
        return;
    }
    fprintf(stream,
            "What depends on t reads it with\n * %d bits: to %.2g s after an hour, and from t = "
            "%.6g s (%.3g h) on some steps of %.6g s have\n * the t of the step before. ",
            plan->single ? FLT_MANT_DIG : DBL_MANT_DIG,
            ldexp(plan->single ? FLT_EPSILON : DBL_EPSILON, 11), last, last / 3600.0,
            plan->run.step);
    dry_export__put(plan, "Call ~_shift_time before that matters.\n", stream);
    if (plan->counts_samples)
        fputs(" * Samples do not read it where all their periods are whole numbers of steps: they "
              "are counted.\n",
              stream);
}

static bool is_chosen(const dry_export__plan *plan, int i) {
    return plan->model->elab.quantities.param[plan->par[i]].hidden;
}

static void print_chosen(const dry_export__plan *plan, FILE *stream) {
    bool any = false;
    for (int i = 0; i < plan->n_par; i++) any |= is_chosen(plan, i);
    if (any)
        fputs(" *\n * Parameters such as f.K that the compiler chose, for the default values of "
              "the others, keep\n * their values when others change.\n",
              stream);
}

/* ---- sizes and parameters ---------------------------------------------------------------------
 */

/* Returns a size that the text of the functions defines. */
static long size_in(const char *functions, const char *name) {
    const char *at = strstr(functions, name);
    return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

static void print_sizes(const dry_export__plan *plan, const char *functions, FILE *stream) {
    const dry_system *system = plan->system;
    const struct {
        const char *name;
        long n;
        bool left_out;
    } sizes[] = {{"^_STATES", system->n_states, false},
                 {"^_OUTPUTS", plan->n_outputs, false},
                 {"^_PARAMETERS", plan->n_par, false},
                 {"^_INPUTS", system->n_inputs, false},
                 {"^_ELEMENTS", system->n_elements, false},
                 {"^_JACOBIAN", plan->jacobian.n, false},
                 {"^_BREAKS", plan->model->code.n_roots[DRY_SECTION_BREAKS], false},
                 {"^_FIXED", size_in(functions, "N_FIXED = "), false},
                 {"^_TIMED", size_in(functions, "N_TIMED = "), false},
                 {"^_CLOCKS", system->n_clocks, !plan->counts_samples},
                 {"^_SLOPES", plan->slopes.n, !plan->sensitive}};
    fputs("enum {", stream);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].left_out) continue;
        fputs(i ? ",\n    " : "\n    ", stream);
        dry_export__put(plan, sizes[i].name, stream);
        fprintf(stream, " = %ld", sizes[i].n);
    }
    fputs("\n};\n\n", stream);
}

/* Prints the unit, the name in the model if C cannot spell it, and that a parameter is fixed. */
static void print_remark(const dry_export__plan *plan, int i, FILE *stream) {
    const dry_quantity q = plan->params[i];
    fputs("; /* ", stream);
    dry_export__comment(q.unit[0] ? q.unit : "1", stream);
    if (strcmp(plan->fields[i], q.name) != 0) {
        fputs("; ", stream);
        dry_export__comment(q.name, stream);
        fputs(" in the model", stream);
    }
    if (plan->model->elab.quantities.param[plan->par[i]].fixed)
        fputs("; fixed: the model was compiled for this value", stream);
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

/* ---- types and functions ----------------------------------------------------------------------
 */

static const char types[] =
    "/* A model under way. t, x and par may be read; the functions below change them. The struct "
    "is "
    "all that\n"
    " * the future depends on: a copy of it goes on with the same bits. */\n"
    "typedef struct ~ {\n"
    "    ~_real t; /* s */\n"
    "    ~_real x[^_STATES];\n"
    "    ~_par par;\n"
    "    ~_real p[^_FIXED + 1], w[^_TIMED + 1]; /* what follows from par; from par and t */\n"
    "    ~_real breaks[^_BREAKS + 1]; /* times where a force jumps */\n"
    "    ~_real t_start, h;               /* the grid of time: t_start + k h */\n"
    "    ~_real clear; /* whole steps may end before this time */\n"
    "    long long k;\n";
static const char counted_types[] =
    "    long long due[^_CLOCKS]; /* the k at which each clock samples next */\n"
    "    long each[^_CLOCKS];     /* steps from one sample to the next; 0: samples go by t */\n";
static const char types_end[] =
    "} ~;\n\n"
    "/* What a function returns: 0 where all is well, one of these, or the number, from 1, of a\n"
    " * condition in ~_condition_texts that does not hold. After one of these, nothing has "
    "changed,\n"
    " * except that ~_advance keeps its good steps. */\n"
    "enum {\n"
    "    ^_NOT_FINITE = -1, /* the state would not be: it is that of the last good step */\n"
    "    ^_BAD_STEP = -2,   /* time does not go on by such an h, or to such a t_end */\n"
    "    ^_NO_SUCH = -3,    /* there is no parameter or input of this number */\n"
    "    ^_BAD_VALUE = -4,  /* not finite, not in its range, or another value of what is fixed */\n"
    "    ^_BAD_SHIFT = -5,  /* the model has no equal time there */\n"
    "    ^_BAD_SAVE = -6    /* not saved by this model, or damaged */\n"
    "};\n\n";
static const char stop[] =
    "/* From this number on, a condition is no fault: the run ends where it begins to hold. */\n"
    "enum { ^_FIRST_STOP = ";
static const char names[] =
    "extern const ~_par ~_defaults;\n"
    "/* Names and units, in the order of the numbers of parameters, states, ...; 0 at the end. */\n"
    "extern const char *const ~_par_names[], *const ~_par_units[];\n"
    "extern const ~_real ~_par_ranges[][2]; /* infinite where the model gives none */\n"
    "extern const char *const ~_state_names[], *const ~_state_units[];\n"
    "extern const char *const ~_output_names[], *const ~_output_units[];\n"
    "extern const char *const ~_element_names[];\n"
    "extern const char *const ~_condition_texts[];\n"
    "extern const int ~_inputs[]; /* the states that are inputs */\n\n";
static const char begin[] =
    "/* Begins at t = 0; par 0: the defaults. ^_BAD_VALUE: a parameter is not as it must be. */\n"
    "int ~_init(~ *m, const ~_par *par);\n"
    "/* Begins anew at t, from the states x; 0: from its own start. */\n"
    "int ~_reset(~ *m, ~_real t, const ~_real *x);\n"
    "/* Begins anew at t: where given[i] is not 0, from x[i], such as an input; else from what the "
    "model\n"
    " * says. What it samples at t, it samples from these. */\n"
    "int ~_start(~ *m, ~_real t, const unsigned char *given, const ~_real *x);\n\n"
    "/* Other parameters from now on, 0: the defaults; ~_par_find: the number of a name, or -1; "
    "~_par_set: number i "
    "of par. */\n"
    "int ~_set_par(~ *m, const ~_par *par);\n"
    "int ~_par_find(const char *name);\n"
    "int ~_par_set(~_par *par, int i, ~_real value);\n"
    "/* An input keeps its value until you set it again. What the model samples at this instant it "
    "has\n"
    " * sampled before. ~_input_find: the number of a name, or -1. */\n"
    "int ~_set_input(~ *m, int input, ~_real value);\n"
    "int ~_input_find(const char *name);\n\n";
static const char stepping[] =
    "/* One step of h seconds: h > 0, and not so short that a million steps leave t the same. */\n"
    "int ~_step(~ *m, ~_real h);\n"
    "/* Steps of h seconds to t_end exactly, which is not before t; the last is shortened. */\n"
    "int ~_advance(~ *m, ~_real h, ~_real t_end);\n"
    "/* Makes the count of steps smaller, so that t becomes t - steps h: for whole periods of "
    "all that\n"
    " * depends on t, which only you can know. Between whole steps, and where no jump and no knot "
    "of "
    "the\n"
    " * model lies after the new t; the periods of samples must be whole numbers of steps. Else\n"
    " * ^_BAD_SHIFT. */\n"
    "int ~_shift_time(~ *m, long long steps);\n\n";
static const char reading[] =
    "/* The ^_OUTPUTS outputs at the present time; ~_output_find: the number of a name, or -1. */\n"
    "void ~_output(const ~ *m, ~_real *y);\n"
    "int ~_output_find(const char *name);\n"
    "/* What the ^_ELEMENTS elements do at the present time, as bits. */\n"
    "enum { ^_STICKS = 1, ^_SLIPS = 2, ^_OPEN = 4, ^_CLOSED = 8 };\n"
    "void ~_phases(const ~ *m, unsigned char *phases);\n"
    "/* The rates of the states at any (t, x), with the present parameters. */\n"
    "void ~_rate(const ~ *m, ~_real t, const ~_real *x, ~_real *x_dot);\n"
    "/* Their exact derivatives: values[k] is that of the rate of state ~_jacobian_row[k] with "
    "respect\n"
    " * to state ~_jacobian_column[k], or to t if the column is ^_STATES. All others are 0. At a "
    "kink it\n"
    " * is the derivative of either side. */\n"
    "extern const int ~_jacobian_row[], ~_jacobian_column[];\n"
    "void ~_jacobian(const ~ *m, ~_real t, const ~_real *x, ~_real *values);\n\n";
static const char slopes[] =
    "/* The same of the outputs: values[k] is the derivative of output ~_output_row[k]. */\n"
    "extern const int ~_output_row[], ~_output_column[];\n"
    "void ~_output_jacobian(const ~ *m, ~_real t, const ~_real *x, ~_real *values);\n\n";
static const char saving[] =
    "/* A copy that knows whether it is whole and of this model, for bytes that leave the program. "
    "*/\n"
    "typedef struct ~_saved {\n"
    "    unsigned long mark, sum;\n"
    "    ~ m;\n"
    "} ~_saved;\n"
    "void ~_save(const ~ *m, ~_saved *saved);\n"
    "int ~_restore(~ *m, const ~_saved *saved);\n\n"
    "#ifdef __cplusplus\n}\n#endif\n"
    "#endif\n";

dry_status dry_export__header(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    char *functions = dry_export__functions(plan, error);
    if (!functions) return error ? error->status : DRY_NO_MEMORY;
    fputs("/* drystone export: ", stream);
    dry_export__comment(dry_model_title(plan->model), stream);
    fputs("\n *\n * Made by drystone " DRY_VERSION
          ". No heap, no global state; needs the functions of math.h.\n",
          stream);
    print_rates(plan, stream);
    print_time(plan, stream);
    print_chosen(plan, stream);
    print_notes(plan, stream);
    fputs(" */\n", stream);
    dry_export__put(plan, "#ifndef ^_H\n#define ^_H\n\n#include <stdbool.h>\n\ntypedef ", stream);
    dry_export__put(plan, plan->single ? "float ~_real;\n\n" : "double ~_real;\n\n", stream);
    print_sizes(plan, functions, stream);
    free(functions);
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", stream);
    print_par(plan, stream);
    const char *const texts[] = {names, begin, stepping, reading, plan->sensitive ? slopes : "",
                                 saving};
    dry_export__put(plan, types, stream);
    if (plan->counts_samples) dry_export__put(plan, counted_types, stream);
    dry_export__put(plan, types_end, stream);
    if (plan->system->n_stops > 0) {
        dry_export__put(plan, stop, stream);
        fprintf(stream, "%d };\n\n", plan->system->first_stop);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        dry_export__put(plan, texts[i], stream);
    return DRY_OK;
}
