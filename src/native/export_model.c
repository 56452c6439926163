/* export_model: prints model.c of an exported folder: the functions of the model, its names, and
 * the functions that model.h declares. */
#include "export_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_c_options options_of(const dry_export__plan *plan) {
    return (dry_c_options){.single = plan->single,
                           .lean = true,
                           .timed = plan->timed,
                           .phases = true,
                           .jacobian = true,
                           .ticked = plan->counts_samples,
                           .sensitive = plan->sensitive};
}

char *dry_export__functions(const dry_export__plan *plan, dry_error *error) {
    const dry_c_options options = options_of(plan);
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

/* ---- names ----------------------------------------------------------------------------------- */

static const char *name_at(const void *list, int i) { return ((const dry_quantity *)list)[i].name; }
static const char *unit_at(const void *list, int i) { return ((const dry_quantity *)list)[i].unit; }
static const char *text_at(const void *list, int i) { return ((const char *const *)list)[i]; }

static void print_texts(const dry_export__plan *plan, const char *name,
                        const char *(*text)(const void *, int), const void *list, int n,
                        FILE *stream) {
    dry_export__put(plan, "const char *const ~_", stream);
    fprintf(stream, "%s[] = {", name);
    for (int i = 0; i < n; i++) {
        dry_export__string(text(list, i), stream);
        fputs(", ", stream);
    }
    fputs("0};\n", stream);
}

static void print_names(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    const int n = system->n_states, n_outputs = plan->n_outputs, n_par = plan->n_par;
    print_texts(plan, "par_names", name_at, plan->params, n_par, stream);
    print_texts(plan, "par_units", unit_at, plan->params, n_par, stream);
    print_texts(plan, "state_names", name_at, system->states, n, stream);
    print_texts(plan, "state_units", unit_at, system->states, n, stream);
    print_texts(plan, "output_names", name_at, plan->outputs, n_outputs, stream);
    print_texts(plan, "output_units", unit_at, plan->outputs, n_outputs, stream);
    print_texts(plan, "element_names", text_at, system->elements, system->n_elements, stream);
    dry_export__put(plan, "const char *const ~_condition_texts[] = {", stream);
    for (int i = 1; system->watch && dry_model_watch_text(plan->model, i)[0]; i++) {
        dry_export__string(dry_model_watch_text(plan->model, i), stream);
        fputs(", ", stream);
    }
    fputs("0};\n", stream);
}

static void print_numbers(const dry_export__plan *plan, const char *name, const int *numbers, int n,
                          FILE *stream) {
    dry_export__put(plan, "const int ~_", stream);
    fprintf(stream, "%s[] = {", name);
    for (int i = 0; i < n; i++) fprintf(stream, "%d, ", numbers[i]);
    fputs("-1};\n", stream);
}

static void print_ranges(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan, "const double ~_par_ranges[][2] = {", stream);
    for (int i = 0; i < plan->n_par; i++) {
        double range[2];
        const bool chosen = plan->model->elab.quantities.param[plan->par[i]].hidden; /* K, ... */
        if (!dry_model_par_range(plan->model, plan->par[i], range))
            range[0] = chosen ? 0.0 : -(double)INFINITY, range[1] = (double)INFINITY;
        fputc('{', stream);
        dry_export__number(range[0], stream);
        fputs(", ", stream);
        dry_export__number(range[1], stream);
        fputs("}, ", stream);
    }
    dry_export__put(plan, "{0.0, 0.0}};\n\nconst ~_par ~_defaults = {", stream);
    for (int i = 0; i < plan->n_par; i++) {
        fprintf(stream, "%s.%s = ", i ? ", " : "", plan->fields[i]);
        dry_export__number(plan->system->par[plan->par[i]], stream);
    }
    fputs(plan->n_par ? "};\n\n" : "0.0};\n\n", stream);
}

/* ---- the file ----------------------------------------------------------------------------------
 */

/* The mark of what is saved: other equations, another method or precision have another. False
 * without memory. */
static bool find_mark(const dry_export__plan *plan, const char *functions, unsigned long *mark) {
    char *text = NULL, hex[DRY_DIGEST_SIZE];
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return false;
    fprintf(stream, "%s %d %s", plan->run.method->name, plan->single, functions);
    const bool good = dry_text_close(stream, &text);
    if (good) {
        dry_digest(text, strlen(text), hex);
        hex[8] = '\0';
        *mark = strtoul(hex, NULL, 16);
    }
    free(text);
    return good;
}

/* The requests to a compiler that make a plain step one function. They compute fabs without a call,
 * even with -fno-builtin. */
static const char compilers_own[] =
    "#ifdef __GNUC__\n"
    "#define DRY_INLINE static inline __attribute__((always_inline))\n"
    "#define SYS_APART static __attribute__((noinline))\n"
    "#undef fabs\n"
    "#undef fabsf\n"
    "#define fabs(x) __builtin_fabs(x)\n"
    "#define fabsf(x) __builtin_fabsf(x)\n"
    "#else\n"
    "#define DRY_INLINE static inline\n"
    "#define SYS_APART static\n"
    "#endif\n";

/* Derivatives become one block of statements, on which an optimizer spends more than in proportion:
 * minutes for 800 kB. Few programs call them. */
enum { LONG_TEXT = 65536 };
static const char slopes_as_they_are[] =
    "#if defined(__clang__)\n"
    "#define SYS_SLOPES static __attribute__((noinline, optnone))\n"
    "#elif defined(__GNUC__)\n"
    "#define SYS_SLOPES static __attribute__((noinline, optimize(\"O0\")))\n"
    "#else\n"
    "#define SYS_SLOPES static\n"
    "#endif\n";

/* A step holds as many copies of the rate as it has stages: more than this pays in time no more,
 * and costs memory. */
enum { INLINED_OPERATIONS = 100 };

static bool is_inlined(const dry_export__plan *plan) {
    return dry_model_operations(plan->model) <= INLINED_OPERATIONS;
}

static dry_status print_model(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    unsigned long mark = 0;
    char *functions = dry_export__functions(plan, error);
    if (!functions) return error ? error->status : DRY_NO_MEMORY;
    fputs("/* The model as ordinary differential equations, and their integration by ", stream);
    fprintf(stream,
            "%s.\n *\n * Each n<number> is a node of the model's graph, p what does not "
            "change during a run. */\n",
            plan->run.method->title);
    dry_export__put(
        plan, "#include \"~.h\"\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n\n",
        stream);
    fputs(compilers_own, stream);
    fputs(strlen(functions) > LONG_TEXT ? slopes_as_they_are : "#define SYS_SLOPES static\n",
          stream);
    fputs(is_inlined(plan) ? "#define SYS_RATE DRY_INLINE\n#define DRY_LAW DRY_INLINE\n\n"
                           : "#define SYS_RATE static\n\n",
          stream);
    fputs(functions, stream);
    print_names(plan, stream);
    print_numbers(plan, "inputs", plan->system->inputs, plan->system->n_inputs, stream);
    print_numbers(plan, "jacobian_row", plan->jacobian.row, plan->jacobian.n, stream);
    print_numbers(plan, "jacobian_column", plan->jacobian.column, plan->jacobian.n, stream);
    if (plan->sensitive)
        print_numbers(plan, "output_row", plan->slopes.row, plan->slopes.n, stream);
    if (plan->sensitive)
        print_numbers(plan, "output_column", plan->slopes.column, plan->slopes.n, stream);
    print_ranges(plan, stream);
    const bool marked = find_mark(plan, functions, &mark);
    if (marked) dry_export__calls(plan, mark, stream);
    free(functions);
    return marked ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
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
