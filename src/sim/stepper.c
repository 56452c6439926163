/* A stepper: its memory, what is set, steps, and what is read. The rows of stepper_ode.c,
 * stepper_stiff.c and stepper_rigid.c do what differs from room to room.
 *
 * t: time, s; h: step, s; x: states; y: outputs. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "stepper_private.h"
#include <drystone/stability.h>

/* A time nearer to a point of the grid than this part of a step is that point. */
static const double SLACK = 1e-6;

typedef struct number {
    char text[DRY_NUMBER_SIZE];
} number;

static number in_text(double x) {
    number n;
    dry_number_text(x, n.text);
    return n;
}

static dry_status no_stepper(dry_error *error) {
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "there is no stepper (NULL): make one with dry_stepper_new, and look at "
                         "the status that it returns");
}

/* ---- memory ---------------------------------------------------------------- */

static size_t aligned(size_t bytes) {
    const size_t to = alignof(max_align_t);
    return (bytes + to - 1) / to * to;
}

/* How many numbers follow the stepper: par, par_set, inputs, y, x, work. */
static size_t numbers(const dry_system *system, const dry_method *method) {
    return 2 * (size_t)system->n_par + (size_t)system->n_inputs + (size_t)system->n_outputs +
           (size_t)system->n_states + dry_ode_size(system, method);
}

/* The scratch comes last; stiff and rigid have their own. */
static size_t bytes_of(const dry_system *system, const dry_method *method) {
    const size_t scratch = dry_ode_size(system, method) > 0 ? system->work_size : 0;
    return aligned(sizeof(dry_stepper)) + aligned(numbers(system, method) * sizeof(double)) +
           aligned(scratch + 1);
}

static void lay_out(dry_stepper *s) {
    const dry_system *system = s->system;
    double *at = (double *)(void *)((char *)s + aligned(sizeof *s));
    s->par = at, at += system->n_par;
    s->par_set = at, at += system->n_par;
    s->inputs = at, at += system->n_inputs;
    s->y = at, at += system->n_outputs;
    s->x = at, at += system->n_states;
    s->work = at;
    s->scratch =
        (char *)s + aligned(sizeof *s) + aligned(numbers(system, s->method) * sizeof(double));
}

/* ---- begin ----------------------------------------------------------------- */

/* Of the time zero; an adaptive method without a longest step takes a tenth of the run. */
static dry_ode_options options_of(const dry_run_options *run, const dry_system *system,
                                  const dry_method *method) {
    dry_ode_options options = dry_run_ode(run, system);
    if (method->adaptive && options.max_step == 0.0 && run->until > 0.0 && isfinite(run->until))
        options.max_step = 0.1 * run->until;
    return options;
}

static dry_status check_system(const dry_system *system, const dry_run_options *run,
                               const dry_method *method, dry_error *error) {
    const dry_sim__run as_run = {.system = system,
                                 .method = method,
                                 .options = {.run = *run},
                                 .ode_options = dry_run_ode(run, NULL)};
    const dry_status status = dry_sim__check_method(method, DRY_TAKES_EQUATIONS, "a system", error);
    return status == DRY_OK ? dry_sim__check_numbers(&as_run, error) : status;
}

/* The inputs become those of the present state, and nothing waits for the next step. */
static void read_inputs(dry_stepper *s) {
    const double *x = s->engine->states(s);
    for (int i = 0; i < s->system->n_inputs; i++) s->inputs[i] = x[s->system->inputs[i]];
    s->changed = false;
}

static dry_status begin(dry_stepper *s, double t, const double *x0, dry_error *error) {
    memcpy(s->par, s->par_set, (size_t)s->system->n_par * sizeof *s->par);
    const dry_status status = s->engine->begin(s, t, x0, error);
    if (status != DRY_OK) return status;
    s->t_start = t;
    read_inputs(s);
    return DRY_OK;
}

static dry_status set_up(dry_stepper *s, const dry_stepper *of, dry_error *error) {
    const dry_system *system = of->system;
    memset(s, 0, bytes_of(system, of->method));
    *s = *of;
    lay_out(s);
    if (system->n_par > 0) memcpy(s->par_set, system->par, (size_t)system->n_par * sizeof *s->par);
    if (!s->inclusion) s->options = options_of(&s->run, system, s->method);
    return begin(s, 0.0, NULL, error);
}

static dry_status on_heap(const dry_stepper *of, dry_stepper **stepper, dry_error *error) {
    dry_stepper *s = malloc(bytes_of(of->system, of->method));
    if (!s)
        return dry_error_set(error, DRY_NO_MEMORY,
                             "out of memory for a stepper of %d states: free some, or use a "
                             "smaller model",
                             of->system->n_states);
    const dry_status status = set_up(s, of, error);
    if (status == DRY_OK)
        *stepper = s;
    else
        free(s);
    return status;
}

static const dry_run_options *or_standard(const dry_run_options *run) {
    static const dry_run_options standard;
    return run ? run : &standard;
}

static const dry_method *method_of(const dry_run_options *run) {
    return run->method ? run->method : dry_method_standard();
}

static bool is_implicit(const dry_method *method) {
    return method == dry_stiff_method_find(method->name);
}

dry_status dry_stepper_new(const dry_system *system, const dry_run_options *run,
                           dry_stepper **stepper, dry_error *error) {
    DRY_ASSERT(stepper);
    *stepper = NULL;
    run = or_standard(run);
    const dry_method *method = method_of(run);
    if (!system)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no system (NULL): pass dry_model_system of a model without "
                             "errors, or a system of your own");
    const dry_status status = check_system(system, run, method, error);
    if (status != DRY_OK) return status;
    const dry_stepper of = {.system = system,
                            .method = method,
                            .run = *run,
                            .engine = is_implicit(method) ? &dry_sim__engine_stiff
                                                          : &dry_sim__engine_ode};
    return on_heap(&of, stepper, error);
}

dry_status dry_stepper_new_inclusion(const dry_inclusion *inclusion, const dry_run_options *run,
                                     dry_stepper **stepper, dry_error *error) {
    DRY_ASSERT(stepper);
    *stepper = NULL;
    run = or_standard(run);
    if (!inclusion)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no inclusion (NULL): compile the model with method = rigid, "
                             "or step its system");
    const dry_method *method = run->method ? run->method : dry_rigid_method_at(0);
    const dry_status status = dry_sim__check_method(method, DRY_TAKES_SETS, "an inclusion", error);
    if (status != DRY_OK) return status;
    const dry_stepper of = {.system = inclusion->system,
                            .inclusion = inclusion,
                            .method = method,
                            .run = *run,
                            .engine = &dry_sim__engine_rigid};
    return on_heap(&of, stepper, error);
}

void dry_stepper_free(dry_stepper *s) {
    if (!s) return;
    if (s->engine->end) s->engine->end(s);
    free(s);
}

size_t dry_stepper_size(const dry_system *system, const dry_run_options *run) {
    const dry_method *method = method_of(or_standard(run));
    return system && dry_ode_size(system, method) > 0 ? bytes_of(system, method) : 0;
}

dry_status dry_stepper_init(void *memory, size_t size, const dry_system *system,
                            const dry_run_options *run, dry_stepper **stepper, dry_error *error) {
    DRY_ASSERT(stepper);
    *stepper = NULL;
    run = or_standard(run);
    const dry_method *method = method_of(run);
    if (!system || !memory || (uintptr_t)memory % alignof(max_align_t) != 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a stepper in your own memory needs a system, and memory aligned to "
                             "%zu bytes: use an array with alignas(max_align_t), or malloc",
                             alignof(max_align_t));
    const dry_status status = check_system(system, run, method, error);
    if (status != DRY_OK) return status;
    if (dry_stepper_size(system, run) == 0)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the method %s takes memory from the heap: use dry_stepper_new, or a "
                             "method such as rk4 or dopri5",
                             method->name);
    if (size < dry_stepper_size(system, run))
        return dry_error_set(error, DRY_NO_MEMORY,
                             "a stepper of this system needs %zu bytes, but there are %zu: give "
                             "dry_stepper_size bytes",
                             dry_stepper_size(system, run), size);
    const dry_stepper of = {
        .system = system, .method = method, .run = *run, .engine = &dry_sim__engine_ode};
    const dry_status begun = set_up(memory, &of, error);
    if (begun == DRY_OK) *stepper = memory;
    return begun;
}

static double step_of(const dry_stepper *s) { return s->run.step; }

dry_status dry_stepper_reset(dry_stepper *s, double t, const double *x0, dry_error *error) {
    if (!s) return no_stepper(error);
    if (!isfinite(t) || (!s->method->adaptive && !(t + step_of(s) > t)))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a stepper cannot begin at t = %s s, because a step of %s s does not "
                             "change this time: begin at an earlier time, or use a longer step",
                             in_text(t).text, in_text(step_of(s)).text);
    for (int i = 0; x0 && i < s->system->n_states; i++)
        if (!isfinite(x0[i]))
            return dry_error_set(error, DRY_NOT_FINITE,
                                 "%s is not a finite number in the state to begin from, at t = %s "
                                 "s: give it a value",
                                 s->system->states[i].name, in_text(t).text);
    return begin(s, t, x0, error);
}

/* ---- set ------------------------------------------------------------------- */

void dry_sim__with_inputs(dry_stepper *s) {
    memcpy(s->x, s->engine->states(s), (size_t)s->system->n_states * sizeof *s->x);
    for (int i = 0; i < s->system->n_inputs; i++) s->x[s->system->inputs[i]] = s->inputs[i];
}

static bool is_same(const double *a, double b) { return memcmp(a, &b, sizeof b) == 0; }

/* A value that stays what it was, to the last bit, changes nothing. */
static void put(dry_stepper *s, double *to, double value) {
    if (is_same(to, value)) return;
    *to = value;
    s->changed = true;
}

static dry_status check_value(const dry_stepper *s, const char *what, const dry_quantity *of,
                              double value, dry_error *error) {
    if (isfinite(value)) return DRY_OK;
    const char *name = of ? of->name : "";
    return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "set a finite number",
                             "the %s %s cannot become %s at t = %s s", what, name,
                             in_text(value).text, in_text(s->engine->time(s)).text);
}

static const dry_quantity *input_at(const dry_stepper *s, int input) {
    return &s->system->states[s->system->inputs[input]];
}
static const dry_quantity *par_at(const dry_stepper *s, int par) {
    return s->system->params ? &s->system->params[par] : NULL;
}

dry_status dry_stepper_set_input(dry_stepper *s, int input, double value, dry_error *error) {
    if (!s) return no_stepper(error);
    if (input < 0 || input >= s->system->n_inputs)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no input number %d: the system has %d, counted from 0; "
                             "dry_stepper_input_find finds one by its name",
                             input, s->system->n_inputs);
    const dry_status status = check_value(s, "input", input_at(s, input), value, error);
    if (status == DRY_OK) put(s, &s->inputs[input], value);
    return status;
}

dry_status dry_stepper_set_inputs(dry_stepper *s, const double *values, dry_error *error) {
    if (!s) return no_stepper(error);
    if (!values && s->system->n_inputs > 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there are no values (NULL) for the %d inputs: pass an array of them",
                             s->system->n_inputs);
    for (int i = 0; i < s->system->n_inputs; i++) {
        const dry_status status = check_value(s, "input", input_at(s, i), values[i], error);
        if (status != DRY_OK) return status;
    }
    for (int i = 0; i < s->system->n_inputs; i++) put(s, &s->inputs[i], values[i]);
    return DRY_OK;
}

int dry_stepper_input_find(const dry_stepper *s, const char *name) {
    for (int i = 0; s && name && i < s->system->n_inputs; i++)
        if (strcmp(input_at(s, i)->name, name) == 0) return i;
    return -1;
}

/* Whether the parameters from which others follow have their default values. */
static bool leads_are_default(const dry_system *system, const double *values) {
    for (int i = 0; i < system->n_par; i++)
        if (system->rules[i].leads && !is_same(&system->par[i], values[i])) return false;
    return true;
}

/* A range that moves is known while the parameters that move it have their default values. */
static dry_status check_range(const dry_stepper *s, int par, double value, const double *all,
                              dry_error *error) {
    const dry_par_rule *rule = &s->system->rules[par];
    const char *name = par_at(s, par)->name;
    const bool known = !rule->moves || leads_are_default(s->system, all ? all : s->par_set);
    if (known && !(value >= rule->low && value <= rule->high))
        return dry_error_set(error, DRY_BAD_ARGUMENT, "%s = %g is outside its range %g .. %g", name,
                             value, rule->low, rule->high);
    if (!known && !all)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the range of %s follows from parameters that do not have their "
                             "values in the text any more: ask dry_model_par_outside, and set all "
                             "with dry_stepper_set_all_par",
                             name);
    return DRY_OK;
}

/* Whether the system takes another value of a parameter with `all`, or alone (NULL). */
static dry_status check_rule(const dry_stepper *s, int par, double value, const double *all,
                             dry_error *error) {
    const dry_par_rule *rule = s->system->rules ? &s->system->rules[par] : NULL;
    const char *name = par_at(s, par)->name;
    if (!rule || is_same(&s->par_set[par], value)) return DRY_OK;
    if (rule->fixed)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the value of %s is in the code of %s: compile the model with another "
                             "value, as a setting",
                             name, s->system->name);
    const dry_status status = check_range(s, par, value, all, error);
    if (status == DRY_OK && rule->leads && !all)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "other parameters or their ranges follow from %s: compute them with "
                             "dry_model_par_follow, and set all with dry_stepper_set_all_par",
                             name);
    return status;
}

dry_status dry_stepper_set_par(dry_stepper *s, int par, double value, dry_error *error) {
    if (!s) return no_stepper(error);
    if (par < 0 || par >= s->system->n_par)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no parameter number %d: the system has %d, counted from 0; "
                             "dry_stepper_par_find finds one by its name",
                             par, s->system->n_par);
    dry_status status = check_value(s, "parameter", par_at(s, par), value, error);
    if (status == DRY_OK) status = check_rule(s, par, value, NULL, error);
    if (status == DRY_OK) put(s, &s->par_set[par], value);
    return status;
}

int dry_stepper_par_find(const dry_stepper *s, const char *name) {
    for (int i = 0; s && name && s->system->params && i < s->system->n_par; i++)
        if (strcmp(s->system->params[i].name, name) == 0) return i;
    return -1;
}

dry_status dry_stepper_set_par_named(dry_stepper *s, const char *name, double value,
                                     dry_error *error) {
    if (!s) return no_stepper(error);
    const int par = dry_stepper_par_find(s, name);
    if (par < 0)
        return dry_error_set_key(
            error, DRY_BAD_ARGUMENT, name ? name : "", "use a name of system->params",
            "the system %s has no parameter %s", s->system->name, name ? name : "(NULL)");
    return dry_stepper_set_par(s, par, value, error);
}

dry_status dry_stepper_set_all_par(dry_stepper *s, const double *values, dry_error *error) {
    if (!s) return no_stepper(error);
    if (!values && s->system->n_par > 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there are no values (NULL) for the %d parameters: pass an array of "
                             "them",
                             s->system->n_par);
    for (int i = 0; i < s->system->n_par; i++) {
        if (is_same(&s->par_set[i], values[i])) continue; /* such as the nan of a measure to come */
        dry_status status = check_value(s, "parameter", par_at(s, i), values[i], error);
        if (status == DRY_OK) status = check_rule(s, i, values[i], values, error);
        if (status != DRY_OK) return status;
    }
    for (int i = 0; i < s->system->n_par; i++) put(s, &s->par_set[i], values[i]);
    return DRY_OK;
}

/* ---- step ------------------------------------------------------------------ */

/* What was set takes effect. */
static dry_status follow(dry_stepper *s, dry_error *error) {
    memcpy(s->par, s->par_set, (size_t)s->system->n_par * sizeof *s->par);
    const dry_status status = s->engine->follow(s, error);
    s->changed = status != DRY_OK;
    return status;
}

static int watch_of(const dry_stepper *s) {
    if (s->rigid) return dry_rigid_fault(s->rigid).watch;
    return s->stiff ? dry_stiff_fault(s->stiff).watch : s->ode.fault.watch;
}

static dry_status stepped(dry_stepper *s, dry_status status) {
    s->stop = status == DRY_STOPPED ? watch_of(s) : 0;
    return status;
}

static dry_status advance(dry_stepper *s, double t_end, dry_error *error) {
    const dry_status status = s->changed ? follow(s, error) : DRY_OK;
    return stepped(s, status == DRY_OK ? s->engine->advance(s, t_end, error) : status);
}

dry_status dry_stepper_advance(dry_stepper *s, double t_end, dry_error *error) {
    if (!s) return no_stepper(error);
    const double t = s->engine->time(s);
    if (!(t_end >= t) || !isfinite(t_end))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a stepper at t = %s s cannot step to %s s: give a later time, or "
                             "restore a saved one (dry_stepper_restore)",
                             in_text(t).text, in_text(t_end).text);
    return t_end > t ? advance(s, t_end, error) : DRY_OK;
}

/* The first point of the grid after the present time. */
static double next_point(const dry_stepper *s) {
    const double t = s->engine->time(s), h = step_of(s);
    double k = floor((t - s->t_start) / h + SLACK) + 1.0;
    while (s->t_start + k * h <= t) k += 1.0;
    return s->t_start + k * h;
}

dry_status dry_stepper_step(dry_stepper *s, dry_error *error) {
    if (!s) return no_stepper(error);
    if (!s->method->adaptive) return advance(s, next_point(s), error);
    if (!(s->options.max_step > 0.0))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s chooses its steps, and nothing bounds a single one: give max_step "
                             "or until in the options, or step to a time (dry_stepper_advance)",
                             s->method->name);
    const dry_status status = s->changed ? follow(s, error) : DRY_OK;
    return stepped(s, status == DRY_OK ? s->engine->step(s, error) : status);
}

/* ---- many rows --------------------------------------------------------------- */

static dry_status check_rows(const dry_stepper *s, const dry_stepper_rows *rows, dry_error *error) {
    const double t = s->engine->time(s);
    if (rows->interval > 0.0 && isfinite(rows->interval) && t + rows->interval > t) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the interval of the rows (%s s) must be positive and change the time t = "
                         "%s s: give a longer one",
                         in_text(rows->interval).text, in_text(t).text);
}

/* Row k of an array with that many columns; NULL: there is no array. */
static const double *given(const double *array, size_t k, int columns) {
    return array ? array + k * (size_t)columns : NULL;
}

/* How many rows pass from one call of `progress` to the next. */
static size_t rows_apart(const dry_stepper *s, const dry_stepper_rows *rows) {
    const double fixed = 1024.0, adaptive = 16.0, most = 1e6;
    if (s->method->adaptive) return (size_t)adaptive;
    return (size_t)fmin(fmax(fixed * step_of(s) / rows->interval, 1.0), most);
}

/* Whether to go on after row k. */
static dry_status report_row(const dry_stepper *s, const dry_stepper_rows *rows, size_t k,
                             dry_error *error) {
    const double t = s->engine->time(s);
    if (!rows->progress || (k + 1) % rows_apart(s, rows) || rows->progress(rows->user, t))
        return DRY_OK;
    return dry_error_set(error, DRY_RUN_FAILED, "stopped at t = %s s, as asked", in_text(t).text);
}

static void read_row(const dry_stepper *s, const dry_stepper_rows *rows, size_t k) {
    const size_t n = (size_t)s->system->n_states;
    if (rows->outputs && s->system->n_outputs > 0)
        s->engine->output(s, rows->outputs + k * (size_t)s->system->n_outputs);
    if (rows->states) memcpy(rows->states + k * n, s->engine->states(s), n * sizeof(double));
}

dry_status dry_stepper_run(dry_stepper *s, const dry_stepper_rows *rows, size_t *done,
                           dry_error *error) {
    if (done) *done = 0;
    if (!s) return no_stepper(error);
    if (!rows)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there are no rows (NULL): pass a dry_stepper_rows");
    dry_status status = check_rows(s, rows, error);
    const double t = status == DRY_OK ? s->engine->time(s) : 0.0;
    for (size_t k = 0; k < rows->rows && status == DRY_OK; k++) {
        const double *inputs = given(rows->inputs, k, s->system->n_inputs);
        if (inputs) status = dry_stepper_set_inputs(s, inputs, error);
        if (status == DRY_OK) status = advance(s, t + (double)(k + 1) * rows->interval, error);
        if (status != DRY_OK) break;
        read_row(s, rows, k);
        if (done) *done = k + 1;
        status = report_row(s, rows, k, error);
    }
    return status;
}

/* ---- read -------------------------------------------------------------------- */

const dry_system *dry_stepper_system(const dry_stepper *s) { return s ? s->system : NULL; }
int dry_stepper_stop(const dry_stepper *s) { return s ? s->stop : 0; }
double dry_stepper_time(const dry_stepper *s) { return s ? s->engine->time(s) : (double)NAN; }
const double *dry_stepper_states(const dry_stepper *s) { return s ? s->engine->states(s) : NULL; }
const double *dry_stepper_par(const dry_stepper *s) { return s ? s->par_set : NULL; }
const double *dry_stepper_inputs(const dry_stepper *s) { return s ? s->inputs : NULL; }

dry_status dry_stepper_outputs(dry_stepper *s, double *outputs, dry_error *error) {
    if (!s) return no_stepper(error);
    if (s->system->n_outputs == 0) return DRY_OK;
    if (!outputs)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no array (NULL) for the %d outputs: pass one",
                             s->system->n_outputs);
    s->engine->output(s, outputs);
    return DRY_OK;
}

dry_status dry_stepper_phases(dry_stepper *s, unsigned char *phases, dry_error *error) {
    if (!s) return no_stepper(error);
    if (s->system->n_elements == 0) return DRY_OK;
    if (!phases)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no array (NULL) for the phases of %d elements: pass one",
                             s->system->n_elements);
    if (s->system->n_outputs > 0) s->engine->output(s, s->y);
    if (s->engine->phases(s, s->y, phases)) return DRY_OK;
    return dry_error_set(error, DRY_UNSUPPORTED,
                         "the system %s does not say what its elements do: give it `phases`",
                         s->system->name);
}
