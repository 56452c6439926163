/* model: compiles for a binding, and gives messages, names and numbers of the model one by one. */
#include "bind_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors and texts ---------------------------------------------------------------- */

dry_error *dry_bind_error_new(void) { return calloc(1, sizeof(dry_error)); }
void dry_bind_error_free(dry_error *error) { free(error); }
dry_status dry_bind_error_status(const dry_error *error) { return error->status; }
const char *dry_bind_error_file(const dry_error *error) { return error->file; }
int dry_bind_error_line(const dry_error *error) { return error->line; }
int dry_bind_error_column(const dry_error *error) { return error->column; }
const char *dry_bind_error_text(const dry_error *error) { return error->text; }
const char *dry_bind_error_key(const dry_error *error) { return error->key; }
void dry_bind_text_free(char *text) { free(text); }
const char *dry_bind_version(void) { return DRY_VERSION; }

/* ---- compiling ------------------------------------------------------------------------- */

dry_model *dry_bind_compile(const char *file, const char *text, size_t length,
                            const dry_bind_plan *plan) {
    return dry_model_compile(file, text, length, plan ? &plan->options : NULL);
}

/* Of an index that there is not: a note without words. */
static dry_message message(const dry_model *model, int index) {
    if (index >= 0 && index < dry_model_messages(model)) return dry_model_message(model, index);
    return (dry_message){.word = "", .text = "", .way_out = "", .file = ""};
}
int dry_bind_message_kind(const dry_model *model, int i) { return (int)message(model, i).kind; }
int dry_bind_message_line(const dry_model *model, int i) { return message(model, i).line; }
int dry_bind_message_column(const dry_model *model, int i) { return message(model, i).column; }
const char *dry_bind_message_word(const dry_model *model, int i) { return message(model, i).word; }
const char *dry_bind_message_text(const dry_model *model, int i) { return message(model, i).text; }
const char *dry_bind_message_way_out(const dry_model *model, int i) {
    return message(model, i).way_out;
}
const char *dry_bind_message_file(const dry_model *model, int i) { return message(model, i).file; }

char *dry_bind_message_shown(const dry_model *model, int index) {
    char *text = NULL;
    size_t length;
    const bool there = index >= 0 && index < dry_model_messages(model);
    FILE *stream = there ? dry_text_open(&text, &length) : NULL;
    if (!stream) return NULL;
    dry_model_print_message(model, index, stream, false);
    return dry_text_close(stream, &text) ? text : NULL;
}

const char *dry_bind_remark(const dry_model *model, int index) {
    const dry_net *net = dry_model_net(model);
    return net && index < dry_net_remark_count(net) ? dry_net_remark_at(net, index) : NULL;
}

typedef void print_fn(const dry_model *model, bool derived, FILE *stream);
static char *printed(print_fn *print, const dry_model *model, bool derived) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return NULL;
    print(model, derived, stream);
    return dry_text_close(stream, &text) ? text : NULL;
}

char *dry_bind_latex(const dry_model *model, bool derived) {
    return printed(dry_model_print_latex, model, derived);
}
char *dry_bind_mathml(const dry_model *model, bool derived) {
    return printed(dry_model_print_mathml, model, derived);
}

/* ---- names ------------------------------------------------------------------------------- */

int dry_bind_count(const dry_model *model, dry_bind_list list) {
    const dry_system *system = dry_model_system(model);
    switch (list) {
    case DRY_BIND_STATES: return system->n_states;
    case DRY_BIND_OUTPUTS: return system->n_outputs;
    case DRY_BIND_PARAMETERS: return system->n_par;
    case DRY_BIND_INPUTS: return system->n_inputs;
    case DRY_BIND_ELEMENTS: return system->n_elements;
    case DRY_BIND_MEASURES: return dry_model_measures(model);
    }
    return 0;
}

static dry_quantity quantity(const dry_model *model, dry_bind_list list, int index) {
    const dry_system *system = dry_model_system(model);
    if (index < 0 || index >= dry_bind_count(model, list)) return (dry_quantity){"", ""};
    switch (list) {
    case DRY_BIND_STATES: return system->states[index];
    case DRY_BIND_OUTPUTS: return system->outputs[index];
    case DRY_BIND_PARAMETERS: return system->params[index];
    case DRY_BIND_INPUTS: return system->states[system->inputs[index]];
    case DRY_BIND_ELEMENTS: return (dry_quantity){system->elements[index], ""};
    case DRY_BIND_MEASURES: {
        const dry_measured m = dry_model_measure_at(model, index);
        return (dry_quantity){m.name, m.unit};
    }
    }
    return (dry_quantity){"", ""};
}

const char *dry_bind_name(const dry_model *model, dry_bind_list list, int index) {
    return quantity(model, list, index).name;
}
const char *dry_bind_unit(const dry_model *model, dry_bind_list list, int index) {
    return quantity(model, list, index).unit;
}

static bool is_own_state(const dry_model *model, int state) {
    for (int i = 0; i < dry_model_own_states(model); i++)
        if (dry_model_own_state(model, i) == state) return true;
    return false;
}

bool dry_bind_is_own(const dry_model *model, dry_bind_list list, int index) {
    char name[256];
    if (index < 0 || index >= dry_bind_count(model, list)) return false;
    if (list == DRY_BIND_PARAMETERS)
        return dry_model_par_setting(model, index, name, sizeof name) &&
               !strcmp(name, quantity(model, list, index).name) &&
               !dry_model_par_not_given(model, index);
    if (list == DRY_BIND_OUTPUTS) return dry_model_output_shown(model, index);
    return list != DRY_BIND_STATES || is_own_state(model, index);
}

double dry_bind_par(const dry_model *model, int index) {
    const dry_system *system = dry_model_system(model);
    return index >= 0 && index < system->n_par ? system->par[index] : (double)NAN;
}

/* ---- how it runs --------------------------------------------------------------------------- */

dry_run_options dry_bind__run_of(const dry_model *model) {
    dry_run_options run;
    if (dry_model_plan(model, &run, NULL) == DRY_OK) return run;
    run = dry_model_run(model); /* the length is not known, and a stepper needs none */
    if (!run.method) run.method = dry_method_standard();
    return run;
}

double dry_bind_runs(const dry_model *model, dry_bind_how how) {
    const dry_run_options run = dry_bind__run_of(model);
    switch (how) {
    case DRY_BIND_UNTIL: return run.until;
    case DRY_BIND_STEP: return run.step;
    case DRY_BIND_RECORD: return run.record;
    case DRY_BIND_RTOL: return run.rtol;
    case DRY_BIND_ATOL: return run.atol;
    case DRY_BIND_ADAPTIVE: return run.method->adaptive ? 1.0 : 0.0;
    case DRY_BIND_LARGEST_STEP: return dry_model_largest_step(model);
    }
    return (double)NAN;
}

const char *dry_bind_runs_by(const dry_model *model) {
    return dry_bind__run_of(model).method->name;
}
