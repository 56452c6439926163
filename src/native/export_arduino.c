/* export_arduino: prints what makes exported C a library for the Arduino IDE: an example, the
 * properties of the library, the words that an editor colours, and what to do with it (the Arduino
 * library specification, revision 2.2). */
#include "export_private.h"
#include <math.h>
#include <string.h>

/* ---- the example ------------------------------------------------------------------------------
 */

enum { ROWS_PER_SECOND = 20, ANALOG_INPUTS = 6 };
static const double LONGEST_PERIOD = 1.8e9; /* us: half of what micros() counts */

static const char sketch_begin[] = "\n"
                                   "static ~ ~_now;\n"
                                   "static int ~_status;\n"
                                   "static unsigned int ~_steps; // since the last row\n"
                                   "static unsigned long ~_due;  // us\n\n";

/* What the plotter reads: NAME:VALUE, separated by tabs. */
static const char sketch_row[] =
    "static void ~_print_number(const char *name, ~_real value) {\n"
    "  Serial.print(name);\n"
    "  Serial.print(':');\n"
    "  Serial.print(value, 9);\n"
    "  Serial.print('\\t');\n"
    "}\n\n"
    "static void ~_print_row() {\n"
    "  ~_real y[^_OUTPUTS + 1];\n"
    "  ~_output(&~_now, y);\n"
    "  for (int i = 0; i < ^_NAMED; i++) ~_print_number(~_state_names[i], ~_now.x[i]);\n"
    "  for (int i = 0; i < ^_OUTPUTS; i++) ~_print_number(~_output_names[i], y[i]);\n"
    "  Serial.println();\n"
    "}\n\n";
static const char sketch_setup[] = "void setup() {\n"
                                   "  Serial.begin(115200);\n"
                                   "  ~_status = ~_init(&~_now, 0);\n"
                                   "  ~_due = micros();\n"
                                   "}\n\n"
                                   "void loop() {\n"
                                   "  if (~_status != 0 || (long)(micros() - ~_due) < 0) return;\n"
                                   "  ~_due += ^_PERIOD;\n";
static const char sketch_end[] =
    "  ~_status = ~_step(&~_now, ~_now.h);\n"
    "  if (~_status != 0) {\n"
    "    Serial.print(\"the steps end with \"); // the header says what the number means\n"
    "    Serial.println(~_status);\n"
    "  } else if (++~_steps >= ^_ROW) {\n"
    "    ~_steps = 0;\n"
    "    ~_print_row();\n"
    "  }\n"
    "}\n";

static void print_period(const dry_export__plan *plan, FILE *stream) {
    const double exact = plan->run.step * 1e6, whole = round(exact);
    const double period = fmin(fmax(whole, 1.0), LONGEST_PERIOD);
    const double rows = round(1.0 / (ROWS_PER_SECOND * plan->run.step));
    dry_export__put(plan, "const unsigned long ^_PERIOD = ", stream);
    fprintf(stream, "%.0fUL; // us: ", period);
    if (fabs(period - exact) < 1e-6 * exact)
        fputs("the step of the model, in real time\n", stream);
    else
        fprintf(stream, "the step of the model has %.9g us, so this is not quite real time\n",
                exact);
    dry_export__put(plan, "const unsigned int ^_ROW = ", stream);
    fprintf(stream, "%.0f; // steps from one row to the next\n", fmin(fmax(rows, 1.0), 30000.0));
    dry_export__put(plan, "const int ^_NAMED = ", stream);
    fprintf(stream, "%d; // states that the model names\n", dry_system_named(plan->system));
}

/* The first inputs are measured at the analog pins. */
static void print_inputs(const dry_export__plan *plan, FILE *stream) {
    const dry_system *system = plan->system;
    for (int i = 0; i < system->n_inputs && i < ANALOG_INPUTS; i++) {
        const dry_quantity q = system->states[system->inputs[i]];
        dry_export__put(plan, "  (void)~_set_input(&~_now, ", stream);
        fprintf(stream, "%d, analogRead(A%d) / 1023.0f); // ", i, i);
        dry_export__comment(q.name, stream);
        fputs(": what you measure, in ", stream);
        dry_export__comment(q.unit[0] ? q.unit : "1", stream);
        fputc('\n', stream);
    }
}

dry_status dry_export__sketch(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    (void)error;
    fputs("// Steps the model in real time, and prints its states and outputs for the serial "
          "plotter.\n",
          stream);
    dry_export__put(plan, "#include <~.h>\n\n", stream);
    print_period(plan, stream);
    dry_export__put(plan, sketch_begin, stream);
    dry_export__put(plan, sketch_row, stream);
    dry_export__put(plan, sketch_setup, stream);
    print_inputs(plan, stream);
    dry_export__put(plan, sketch_end, stream);
    return DRY_OK;
}

/* ---- about the library ------------------------------------------------------------------------
 */

dry_status dry_export__properties(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    (void)error;
    dry_export__put(plan,
                    "name=~\nversion=" DRY_VERSION
                    "\nauthor=drystone export\nmaintainer=drystone export\nsentence=",
                    stream);
    dry_export__comment(dry_model_title(plan->model), stream);
    dry_export__put(plan,
                    "\nparagraph=A model of a machine with dry friction and contact, as C99 in "
                    "single precision with fixed steps: no heap, no global state.\n"
                    "category=Device Control\nurl=README.md\narchitectures=*\n"
                    "includes=~.h\n",
                    stream);
    return DRY_OK;
}

/* Types, functions and constants of the header, by their class; ~ and ^ begin them. */
static const struct {
    const char *names, *class;
} words[] = {
    {"~ ~_par ~_real ~_saved", "KEYWORD1"},
    {"~_init ~_reset ~_set_par ~_par_find ~_par_set ~_set_input ~_input_find ~_step ~_advance "
     "~_shift_time ~_start ~_output ~_output_find ~_phases ~_rate ~_jacobian ~_save ~_restore",
     "KEYWORD2"},
    {"~_defaults ~_par_names ~_par_units ~_par_ranges ~_state_names ~_state_units ~_output_names "
     "~_output_units ~_element_names ~_condition_texts ~_inputs ~_jacobian_row ~_jacobian_column "
     "^_STATES ^_OUTPUTS ^_PARAMETERS ^_INPUTS ^_ELEMENTS ^_JACOBIAN ^_BREAKS ^_FIXED ^_TIMED "
     "^_NOT_FINITE ^_BAD_STEP ^_NO_SUCH ^_BAD_VALUE ^_BAD_SHIFT ^_BAD_SAVE ^_STICKS ^_SLIPS "
     "^_OPEN ^_CLOSED",
     "LITERAL1"}};

static void print_words(const dry_export__plan *plan, const char *names, const char *class,
                        FILE *stream) {
    while (*names) {
        char name[DRY_EXPORT__NAME];
        const size_t n = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        dry_export__put(plan, name, stream);
        fprintf(stream, "\t%s\n", class);
        names += n + (names[n] == ' ');
    }
}

dry_status dry_export__keywords(const dry_export__plan *plan, FILE *stream, dry_error *error) {
    (void)error;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        print_words(plan, words[i].names, words[i].class, stream);
    if (plan->system->n_stops > 0) print_words(plan, "^_FIRST_STOP", "LITERAL1", stream);
    return DRY_OK;
}

static const char readme[] =
    "\n\nA model of a machine with dry friction and contact, exported by drystone " DRY_VERSION
    " as a library for the\nArduino IDE: C99 in single precision, no heap, no global state.\n\n"
    "Copy this folder into `libraries` of your sketchbook. Then open File > Examples > ~, or "
    "write in a sketch\n\n"
    "```cpp\n#include <~.h>\n```\n\n"
    "- `src/~.h` says what each function does, and how far the numbers can be trusted.\n"
    "- `examples/~/~.ino` steps the model in real time and prints its states and outputs for the\n"
    "  serial plotter.\n\n"
    "A step must be shorter than its time: measure it with `micros()` on your board. A board "
    "without a unit\nfor floating point needs some ten times longer than one with it.\n";

dry_status dry_export__library_readme(const dry_export__plan *plan, FILE *stream,
                                      dry_error *error) {
    (void)error;
    fputs("# ", stream);
    dry_export__comment(dry_model_title(plan->model), stream);
    dry_export__put(plan, readme, stream);
    return DRY_OK;
}
