/* export_main: prints main.c, Makefile and README.md of an exported folder. */
#include "export_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- main.c -----------------------------------------------------------------------------------
 */

/* Prints numbers as dry_number_text does. */
static const char number_function[] =
    "/* The shortest digits that read back as exactly x. */\n"
    "static void print_number(~_real x) {\n"
    "    char text[40], digits[40];\n"
    "    int n = 0, precision = 0, exponent;\n"
    "    if (!isfinite(x)) {\n"
    "        fputs(isnan(x) ? \"nan\" : x > 0 ? \"inf\" : \"-inf\", stdout);\n"
    "        return;\n"
    "    }\n"
    "    do sprintf(text, \"%.*e\", precision, (double)x);\n"
    "    while (READ(text) != x && precision++ < 17);\n"
    "    for (const char *c = text; *c != 'e'; c++)\n"
    "        if (*c >= '0' && *c <= '9') digits[n++] = *c;\n"
    "    exponent = atoi(strchr(text, 'e') + 1);\n"
    "    if (text[0] == '-') putchar('-');\n"
    "    if (exponent < -4 || exponent > 20) {\n"
    "        printf(\"%c%s%.*se%d\", digits[0], n > 1 ? \".\" : \"\", n - 1, digits + 1, "
    "exponent);\n"
    "        return;\n"
    "    }\n"
    "    if (exponent < 0) fputs(\"0.\", stdout);\n"
    "    for (int i = exponent; i < -1; i++) putchar('0');\n"
    "    for (int i = 0; i < n || i <= exponent; i++) {\n"
    "        if (i == exponent + 1 && i > 0) putchar('.');\n"
    "        putchar(i < n ? digits[i] : '0');\n"
    "    }\n"
    "}\n\n";

static const char row_function[] = "static void print_row(const ~ *m) {\n"
                                   "    ~_real y[^_OUTPUTS + 1];\n"
                                   "    ~_output(m, y);\n"
                                   "    print_number(m->t);\n"
                                   "    for (int i = 0; i < STATES; i++) {\n"
                                   "        putchar(',');\n"
                                   "        print_number(m->x[i]);\n"
                                   "    }\n"
                                   "    for (int i = 0; i < ^_OUTPUTS; i++) {\n"
                                   "        putchar(',');\n"
                                   "        print_number(y[i]);\n"
                                   "    }\n"
                                   "    putchar('\\n');\n"
                                   "}\n\n";

static const char why_function[] =
    "static const char *why(int status) {\n"
    "    if (status == ^_NOT_FINITE) return \"the state is not finite\";\n"
    "    if (status > 0) return ~_condition_texts[status - 1];\n"
    "    return \"time does not go on by such a step\";\n"
    "}\n\n";

static const char main_function[] =
    "int main(void) {\n"
    "    ~ m;\n"
    "    ~_init(&m, 0);\n"
    "    puts(header);\n"
    "    print_row(&m);\n"
    "    for (long row = 1; row <= ROWS; row++) {\n"
    "        const ~_real steps = (~_real)row * (~_real)EVERY;\n"
    "        const int status = ~_advance(&m, STEP, row == ROWS ? UNTIL : steps * STEP);\n";
static const char main_stop[] =
    "        if (status >= ^_FIRST_STOP) {\n"
    "            print_row(&m);\n"
    "            fprintf(stderr, \"the run ends at t = %g: %s\\n\", (double)m.t, why(status));\n"
    "            break;\n"
    "        }\n";
static const char main_end[] =
    "        if (status) {\n"
    "            fprintf(stderr, \"stopped at t = %g: %s\\n\", (double)m.t, why(status));\n"
    "            return 1;\n"
    "        }\n"
    "        print_row(&m);\n"
    "    }\n"
    "    return fflush(stdout) != 0 || ferror(stdout);\n"
    "}\n";

/* Returns a name of the model with its unit, as in the heading of a column. */
static char *heading(dry_quantity q) {
    const size_t room = 2 * (strlen(q.name) + strlen(q.unit)) + 8;
    char *text = malloc(room), *to = text;
    if (!text) return NULL;
    const bool quoted = strpbrk(q.name, ",\"\r\n") || strpbrk(q.unit, ",\"\r\n");
    const char *parts[] = {q.name, q.unit[0] ? " [" : "", q.unit, q.unit[0] ? "]" : ""};
    if (quoted) *to++ = '"';
    for (int i = 0; i < 4; i++)
        for (const char *c = parts[i]; *c; c++) {
            if (*c == '"') *to++ = '"';
            *to++ = *c;
        }
    if (quoted) *to++ = '"';
    *to = '\0';
    return text;
}

static bool print_heading(dry_quantity q, bool first, FILE *stream) {
    char *text = heading(q);
    if (!text) return false;
    if (!first) fputs(" \",\"\n    ", stream);
    dry_export__string(text, stream);
    free(text);
    return true;
}

static bool print_columns(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    fputs("static const char header[] =\n    ", stream);
    bool good = print_heading((dry_quantity){"t", "s"}, true, stream);
    for (int i = 0; i < dry_system_named(system) && good; i++)
        good = print_heading(system->states[i], false, stream);
    for (int i = 0; i < plan->n_outputs && good; i++)
        good = print_heading(plan->outputs[i], false, stream);
    fputs(";\n\n", stream);
    return good;
}

dry_status dry_export__main(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    const char *suffix = plan->single ? "f" : "";
    dry_export__put(
        plan,
        "/* Runs the model and prints its states and outputs as CSV. */\n#include \"~.h\"\n"
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
        stream);
    fprintf(stream, "#define READ(text) %s\n#define STEP ",
            plan->single ? "strtof(text, 0)" : "strtod(text, 0)");
    dry_export__number(plan->run.step, stream);
    fprintf(stream, "%s  /* s */\n#define UNTIL ", suffix);
    dry_export__number(plan->run.until, stream);
    fprintf(stream, "%s /* s */\nenum { ROWS = %ld, EVERY = %ld, STATES = %d };\n\n", suffix,
            plan->intervals, plan->multiple, dry_system_named(plan->system));
    if (!print_columns(plan, stream)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_export__put(plan, number_function, stream);
    dry_export__put(plan, row_function, stream);
    dry_export__put(plan, why_function, stream);
    dry_export__put(plan, main_function, stream);
    if (plan->system->n_stops > 0) dry_export__put(plan, main_stop, stream);
    dry_export__put(plan, main_end, stream);
    return DRY_OK;
}

/* ---- Makefile -----------------------------------------------------------------------------------
 */

dry_status dry_export__makefile(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    (void)error;
    dry_export__put(plan,
                    "# -ffp-contract=off and -fno-builtin: the same bits with every compiler\n"
                    "CFLAGS = -std=c99 -O2 -Wall -Wextra -ffp-contract=off -fno-builtin\n\n"
                    "~: main.c ~.c ~.h\n"
                    "\t$(CC) $(CFLAGS) -o $@ main.c ~.c -lm\n\n"
                    "clean:\n\trm -f ~\n\n.PHONY: clean\n",
                    stream);
    return DRY_OK;
}

/* ---- README.md
 * ------------------------------------------------------------------------------------ */

static const char readme_use[] =
    "precision: no heap, no global state, nothing but the functions of math.h.\n\n"
    "    make && ./~ > result.csv\n\n"
    "- `~.h`, `~.c`: the model; they are all that goes into another program. The header says what "
    "each\n"
    "  function does.\n"
    "- `main.c`: runs it with its default parameters and prints states and outputs.\n\n"
    "A loop around it:\n\n"
    "```c\n"
    "~ m;\n"
    "~_par par = ~_defaults;\n"
    "~_saved saved;\n";

/* Prints a name of the model as the argument of a call that finds its number. */
static void print_find(const dry_export__plan *plan, const char *call, const char *name,
                       FILE *stream) {
    dry_export__put(plan, call, stream);
    dry_export__string(name, stream);
    fputc(')', stream);
}

/* Prints a loop that uses what the model has. */
static void print_loop(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    if (plan->n_outputs) dry_export__put(plan, "~_real y[^_OUTPUTS];\n", stream);
    fputs("int status = 0;\n", stream);
    if (plan->n_par) {
        print_find(plan, "status = ~_par_set(&par, ~_par_find(", plan->params[0].name, stream);
        fputs(", ", stream);
        dry_export__number(plan->system->par[plan->par[0]], stream);
        fputs(");\n", stream);
    }
    dry_export__put(plan,
                    "if (status == 0) status = ~_init(&m, &par);\n"
                    "for (long k = 0; status == 0 && k < 100; k++) {\n",
                    stream);
    if (system->n_inputs) {
        const int input = system->inputs[0];
        print_find(plan, "    status = ~_set_input(&m, ~_input_find(", system->states[input].name,
                   stream);
        fprintf(stream, ", m.x[%d]); /* what you compute */\n    if (status == 0) ", input);
    } else {
        fputs("    ", stream);
    }
    dry_export__put(plan, "status = ~_step(&m, ", stream);
    dry_export__number(plan->run.step, stream);
    fputs(plan->single ? "f);\n" : ");\n", stream);
    if (plan->n_outputs) {
        dry_export__put(plan, "    ~_output(&m, y); /* ", stream);
        dry_export__comment(plan->outputs[0].name, stream);
        print_find(plan, " is y[~_output_find(", plan->outputs[0].name, stream);
        fputs("] */\n", stream);
    }
    dry_export__put(plan,
                    "}\n"
                    "~_save(&m, &saved); /* and later: status = ~_restore(&m, &saved); */\n"
                    "```\n\n",
                    stream);
}

dry_status dry_export__readme(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    (void)error;
    fputs("# ", stream);
    dry_export__comment(dry_model_title(plan->model), stream);
    fprintf(stream,
            "\n\nA model of machines with dry friction and contact, exported by drystone %s as C99 "
            "in %s\n",
            DRY_VERSION, plan->single ? "single" : "double");
    dry_export__put(plan, readme_use, stream);
    print_loop(plan, stream);
    fprintf(stream,
            "Steps are those of %s (%s). %s\n"
            "With other flags than those of the Makefile the last bits may change: a fused\n"
            "multiply-add rounds once where the model rounds twice.\n",
            plan->run.method->title, plan->run.method->name,
            plan->single ? "Rounding errors are those of single precision."
                         : "The bits are those of `drystone run` with the same method and step.");
    return DRY_OK;
}
