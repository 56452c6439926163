/* plan: what a binding sets before it compiles and runs: parameters, inputs, options, the method.
 */
#include "bind_private.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

dry_status dry_bind__no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- begin and end ------------------------------------------------------------------- */

dry_bind_plan *dry_bind_plan_new(void) {
    dry_bind_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->arena = dry_arena_new(0);
    if (plan->arena) return plan;
    free(plan);
    return NULL;
}

void dry_bind_plan_free(dry_bind_plan *plan) {
    if (!plan) return;
    for (int i = 0; i < plan->n_records; i++) dry_record_free(plan->records[i]);
    free(plan->records);
    free(plan->settings);
    free(plan->inputs);
    free(plan->set);
    dry_arena_free(plan->arena);
    free(plan);
}

const char *dry_bind__keep(dry_bind_plan *plan, const char *text) {
    return dry_arena_text(plan->arena, text, strlen(text));
}

/* Room for one more after n things; false without memory. */
static bool grow(void **array, int n, size_t size) {
    void *more = realloc(*array, ((size_t)n + 1) * size);
    if (more) *array = more;
    return more != NULL;
}

/* ---- parameters ------------------------------------------------------------------------ */

static dry_status twice(const char *what, const char *name, dry_error *error) {
    return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "give it once",
                             "the %s `%.100s` is given twice", what, name);
}

/* Whether two settings give the same number: x and x, x and x[2]. */
static bool overlap(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    const char *rest = n < m ? b + n : a + m;
    return !strncmp(a, b, least) && (!*rest || (*rest == '[' && !strchr(rest, '.')));
}

dry_status dry_bind_plan_par(dry_bind_plan *plan, const char *name, const char *text, double value,
                             dry_error *error) {
    dry_setting setting = {.value = value};
    for (int i = 0; i < plan->options.n_settings; i++)
        if (overlap(plan->settings[i].name, name)) return twice("parameter", name, error);
    const dry_status readable = text ? dry_setting_check(text, error) : DRY_OK;
    if (readable != DRY_OK) return readable;
    if (!text && !isfinite(value))
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "give a finite number",
                                 "the parameter `%.100s` cannot be %s", name,
                                 isnan(value) ? "nan" : "infinite");
    setting.name = dry_bind__keep(plan, name);
    if (text) setting.text = dry_bind__keep(plan, text);
    if (!setting.name || (text && !setting.text) ||
        !grow((void **)&plan->settings, plan->options.n_settings, sizeof setting))
        return dry_bind__no_memory(error);
    plan->settings[plan->options.n_settings++] = setting;
    plan->options.settings = plan->settings;
    return DRY_OK;
}

/* ---- inputs ------------------------------------------------------------------------------ */

static dry_status add_input(dry_bind_plan *plan, dry_given_input input, dry_error *error) {
    for (int i = 0; i < plan->options.n_inputs; i++)
        if (!strcmp(plan->inputs[i].name, input.name)) return twice("input", input.name, error);
    if (!grow((void **)&plan->inputs, plan->options.n_inputs, sizeof input))
        return dry_bind__no_memory(error);
    plan->inputs[plan->options.n_inputs++] = input;
    plan->options.inputs = plan->inputs;
    return DRY_OK;
}

/* Rows of (t, value); the compiler looks at times and gaps, but leaves out values that are nan. */
static dry_status check_values(const char *name, size_t n, const double *t, const double *values,
                               dry_error *error) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(t[i]) || !isfinite(values[i]))
            return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "give finite numbers",
                                     "number %zu of the input `%.100s` is not finite", i, name);
    return DRY_OK;
}

static dry_record *record_of(const char *name, const char *unit, size_t n, const double *t,
                             const double *values) {
    const dry_quantity columns[] = {{"t", "s"}, {name, unit}};
    dry_record *record = dry_record_new(columns, 2);
    bool good = record && dry_record_reserve(record, n) == DRY_OK;
    for (size_t i = 0; i < n && good; i++)
        good = dry_record_add(record, (const double[]){t[i], values[i]}) == DRY_OK;
    if (good) return record;
    dry_record_free(record);
    return NULL;
}

dry_status dry_bind_plan_input(dry_bind_plan *plan, const char *name, const char *unit, size_t n,
                               const double *t, const double *values, dry_error *error) {
    const dry_status status = check_values(name, n, t, values, error);
    if (status != DRY_OK) return status;
    const char *kept = dry_bind__keep(plan, name);
    dry_record *record = record_of(name, unit, n, t, values);
    if (!kept || !record || !grow((void **)&plan->records, plan->n_records, sizeof record)) {
        dry_record_free(record);
        return dry_bind__no_memory(error);
    }
    plan->records[plan->n_records++] = record;
    return add_input(plan, (dry_given_input){.name = kept, .column = kept, .record = record},
                     error);
}

dry_status dry_bind_plan_file(dry_bind_plan *plan, const char *name, const char *file,
                              const char *column, dry_error *error) {
    const dry_given_input input = {.name = dry_bind__keep(plan, name),
                                   .file = dry_bind__keep(plan, file),
                                   .column = dry_bind__keep(plan, column)};
    if (!input.name || !input.file || !input.column) return dry_bind__no_memory(error);
    return add_input(plan, input, error);
}

/* ---- options ------------------------------------------------------------------------------ */

typedef enum form { NUMBER, COUNT, YES } form;

/* Where dry_model_options keeps an option; what it must be. */
typedef struct row {
    const char *name;
    form form;
    size_t at;
} row;

#define RUN(name) #name, NUMBER, offsetof(dry_model_options, run.name)
static const row rows[] = {
    {RUN(until)},
    {RUN(step)},
    {RUN(record)},
    {RUN(rtol)},
    {RUN(atol)},
    {RUN(max_step)},
    {RUN(max_steps)},
    {RUN(P)},
    {RUN(Q)},
    {RUN(weight)},
    {"choose_step", NUMBER, offsetof(dry_model_options, choose_step)},
    {"force", YES, offsetof(dry_model_options, force)},
    {"jacobian", YES, offsetof(dry_model_options, jacobian)},
    {"threads", COUNT, offsetof(dry_model_options, threads)},
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *dry_bind_option(int index) {
    return index >= 0 && index < ROWS ? rows[index].name : NULL;
}

static const row *find(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}

bool dry_bind_option_is_yes(const char *name) {
    const row *r = find(name);
    return r && r->form == YES;
}

static dry_status wrong_value(const row *r, double value, dry_error *error) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(value, text);
    return dry_error_set_key(error, DRY_BAD_ARGUMENT, r->name,
                             r->form == YES     ? "give true or false"
                             : r->form == COUNT ? "give a whole number from 1 on"
                                                : "give a positive number",
                             "the option `%s` cannot be %s", r->name, text);
}

/* The splitting weight alone may be -1 (ode.h). */
static bool fits(const row *r, double value) {
    if (r->form == YES) return value == 0.0 || value == 1.0;
    if (r->form == COUNT) return value >= 1.0 && value <= 1024.0 && floor(value) == value;
    return isfinite(value) &&
           (value > 0.0 || (r->at == offsetof(dry_model_options, run.weight) && value == -1.0));
}

static dry_status set_once(dry_bind_plan *plan, const char *name, dry_error *error) {
    for (int i = 0; i < plan->n_set; i++)
        if (!strcmp(plan->set[i], name)) return twice("option", name, error);
    if (!grow((void **)&plan->set, plan->n_set, sizeof *plan->set))
        return dry_bind__no_memory(error);
    plan->set[plan->n_set++] = name;
    return DRY_OK;
}

dry_status dry_bind_plan_option(dry_bind_plan *plan, const char *name, double value,
                                dry_error *error) {
    const row *r = find(name);
    if (!r)
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "use a name of dry_bind_option",
                                 "there is no option `%.100s`", name);
    if (!fits(r, value)) return wrong_value(r, value, error);
    const dry_status status = set_once(plan, r->name, error);
    if (status != DRY_OK) return status;
    void *at = (char *)&plan->options + r->at;
    switch (r->form) {
    case NUMBER: *(double *)at = value; break;
    case COUNT: *(int *)at = (int)value; break;
    case YES: *(bool *)at = value != 0.0; break;
    }
    return DRY_OK;
}

dry_status dry_bind_plan_method(dry_bind_plan *plan, const char *name, dry_error *error) {
    char names[256];
    const dry_method *method = dry_model_method_find(name);
    if (!dry_method_found(method))
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, "method",
                                 dry_model_method_names(names, sizeof names),
                                 "there is no method '%.100s'; the methods are", name);
    const dry_status status = set_once(plan, "method", error);
    if (status == DRY_OK) plan->options.run.method = method;
    return status;
}
