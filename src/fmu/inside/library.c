/* library: what computes for an FMU of a machine with parts: the library, which compiles the text
 * in the folder of resources. It is drystone_fmu.so, with the functions of both versions of FMI. */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "fmu/fmu_private.h"
#include <drystone/stepper.h>

/* How the model was compiled for the FMU: run.txt. */
typedef struct core_plan {
    char *text; /* its lines, cut apart */
    const char *token, *model;
    dry_model_options options;
    dry_setting *setting; /* those of run.txt, then those of the importer */
    int n_settings;
} core_plan;

struct fmu_core {
    fmu_facts facts;
    core_plan plan;
    char *folder;
    dry_model *model;
    const dry_system *system;
    dry_stepper *stepper; /* of co-simulation */
    int kind;
    unsigned char *state_kind, *par_kind;
    double *nominal, *first; /* first: parameters as the FMU was made */
    int *shown;              /* outputs */
    double t, *x, *y, *par;  /* par: as the importer wants them */
    void *scratch;           /* of model exchange */
    dry_env env;
    dry_breaks breaks;
    bool anew; /* other values of fixed parameters: to be compiled */
    bool begun;
    bool chooses;         /* the method chooses its steps */
    bool carries;         /* its bytes restore the stepper of another instance too */
    double tolerance;     /* of the stepper */
    size_t stepper_bytes; /* that a stepper saves */
};

/* ---- run.txt ------------------------------------------------------------------------------------
 */

typedef struct core_word {
    const char *name;
    double *number;
    bool *truth;
} core_word;

static bool core_read_number(const char *text, double *value) {
    const char *end;
    return dry_number_parse(text, &end, value) && *end == '\0';
}

/* One line of run.txt; false: it has no meaning. */
static bool core_read_line(fmu_core *core, char *word, char *rest) {
    core_plan *plan = &core->plan;
    dry_run_options *run = &plan->options.run;
    const core_word words[] = {{"until", &run->until, NULL},
                               {"step", &run->step, NULL},
                               {"record", &run->record, NULL},
                               {"rtol", &run->rtol, NULL},
                               {"atol", &run->atol, NULL},
                               {"max_step", &run->max_step, NULL},
                               {"max_steps", &run->max_steps, NULL},
                               {"P", &run->P, NULL},
                               {"Q", &run->Q, NULL},
                               {"weight", &run->weight, NULL},
                               {"choose_step", &plan->options.choose_step, NULL},
                               {"run_force", NULL, &run->force},
                               {"force", NULL, &plan->options.force},
                               {"unstepped", NULL, &plan->options.unstepped}};
    if (strcmp(word, "token") == 0) return plan->token = rest, true;
    if (strcmp(word, "model") == 0) return plan->model = rest, true;
    if (strcmp(word, "nominal") == 0) return true; /* read when the states are known */
    if (strcmp(word, "method") == 0)
        return dry_method_found(run->method = dry_model_method_find(rest));
    if (strcmp(word, "setting") == 0) {
        char *text = strchr(rest, ' ');
        if (!text) return false;
        *text++ = '\0';
        plan->setting[plan->n_settings++] = (dry_setting){.name = rest, .text = text};
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        double value;
        if (strcmp(word, words[i].name) != 0 || !core_read_number(rest, &value)) continue;
        if (words[i].number) *words[i].number = value;
        if (words[i].truth) *words[i].truth = value != 0.0;
        return true;
    }
    return false;
}

static bool core_read_plan(fmu_core *core, fmu_why *why) {
    char path[4200];
    dry_error error = {0};
    size_t lines = 1;
    snprintf(path, sizeof path, "%.4000s/run.txt", core->folder);
    if (dry_file_read(path, 1 << 22, &core->plan.text, NULL, &error) != DRY_OK) {
        fmu_explain(why, "%.300s: %.200s: is that the folder of resources of this FMU?", path,
                    error.text);
        return false;
    }
    for (const char *c = core->plan.text; *c; c++) lines += *c == '\n';
    core->plan.setting = calloc(lines, sizeof *core->plan.setting);
    for (char *line = core->plan.text; core->plan.setting && *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = '\0';
        char *rest = strchr(line, ' ');
        if (!rest) break;
        *rest = '\0';
        if (!core_read_line(core, line, rest + 1)) {
            fmu_explain(why, "%.300s: the line '%.80s' has no meaning", path, line);
            return false;
        }
        line = next;
    }
    if (core->plan.token && core->plan.model) return true;
    fmu_explain(why, "%.300s is not whole", path);
    return false;
}

/* file:///a%20b -> /a b; a path stays. The caller frees it. */
static char *core_folder(const char *resources) {
    if (!resources) return NULL;
    if (strncmp(resources, "file://", 7) == 0) {
        resources += 7;
        if (strncmp(resources, "localhost/", 10) == 0) resources += 9;
    } else if (strncmp(resources, "file:/", 6) == 0) {
        resources += 5;
    } else {
        return strdup(resources);
    }
    char *path = strdup(resources), *to = path;
    for (const char *c = path; c && *c; c++) {
        unsigned code;
        if (*c == '%' && c[1] && c[2] && sscanf(c + 1, "%2x", &code) == 1)
            *to++ = (char)code, c += 2;
        else
            *to++ = *c;
    }
    if (to) *to = '\0';
    return path;
}

/* ---- the model ----------------------------------------------------------------------------------
 */

static void core_explain_model(const dry_model *model, fmu_why *why) {
    fmu_explain(why, "out of memory");
    for (int i = 0; model && i < dry_model_messages(model); i++) {
        const dry_message m = dry_model_message(model, i);
        if (m.kind != DRY_ERROR) continue;
        fmu_explain(why, "%.200s:%d: %.300s", m.file ? m.file : "", m.line, m.text);
        return;
    }
}

static dry_model *core_compile(const fmu_core *core, fmu_why *why) {
    char path[4400], *text;
    size_t length;
    dry_error error = {0};
    dry_model_options options = core->plan.options;
    options.settings = core->plan.setting;
    options.n_settings = core->plan.n_settings;
    snprintf(path, sizeof path, "%.4000s/%.300s", core->folder, core->plan.model);
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) {
        fmu_explain(why, "%.300s: %.200s", path, error.text);
        return NULL;
    }
    dry_model *model = dry_model_compile(path, text, length, &options);
    free(text);
    if (model && dry_model_ok(model)) return model;
    core_explain_model(model, why);
    dry_model_free(model);
    return NULL;
}

/* ---- memory of a model
 * ---------------------------------------------------------------------------- */

static void core_forget(fmu_core *core) {
    dry_stepper_free(core->stepper);
    core->stepper = NULL;
    free(core->scratch);
    free(core->breaks.times);
    core->scratch = NULL;
    core->breaks.times = NULL;
    core->begun = false;
}

static bool core_take_memory(fmu_core *core) {
    const size_t n = (size_t)core->system->n_states + 1, y = (size_t)core->system->n_outputs + 1,
                 par = (size_t)core->system->n_par + 1;
    core->state_kind = calloc(n, 1);
    core->par_kind = calloc(par, 1);
    core->nominal = calloc(n, sizeof *core->nominal);
    core->first = calloc(par, sizeof *core->first);
    core->shown = calloc(y, sizeof *core->shown);
    core->x = calloc(n, sizeof *core->x);
    core->y = calloc(y, sizeof *core->y);
    core->par = calloc(par, sizeof *core->par);
    return core->state_kind && core->par_kind && core->nominal && core->first && core->shown &&
           core->x && core->y && core->par;
}

/* The nominal values are lines of run.txt, which has been cut apart: a line is a word, 0, its rest.
 */
static void core_read_nominals(fmu_core *core) {
    char path[4200], *text = NULL;
    for (int i = 0; i < core->system->n_states; i++) core->nominal[i] = 1.0;
    snprintf(path, sizeof path, "%.4000s/run.txt", core->folder);
    if (dry_file_read(path, 1 << 22, &text, NULL, NULL) != DRY_OK) return;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        int state;
        double value;
        const char *end;
        if (sscanf(line, "nominal %d", &state) != 1) continue;
        const char *number = strchr(line + 8, ' ');
        if (number && state >= 0 && state < core->system->n_states &&
            dry_number_parse(number + 1, &end, &value) && value > 0.0)
            core->nominal[state] = value;
    }
    free(text);
}

static void core_read_steps(fmu_core *core) {
    dry_run_options run = {0};
    bool by_all;
    dry_model_plan(core->model, &run, NULL);
    core->chooses = run.method && run.method->adaptive;
    core->carries = run.method && (run.method->fixed || run.method->tableau);
    core->facts.step = dry_fmu__step(core->model);
    core->facts.largest = dry_fmu__largest(core->model, &by_all);
}

static bool core_describe(fmu_core *core) {
    const dry_system *system = core->system;
    int n_outputs = 0;
    if (!core_take_memory(core)) return false;
    for (int i = 0; i < system->n_states; i++)
        core->state_kind[i] = dry_fmu__state_kind(core->model, i);
    for (int i = 0; i < system->n_outputs; i++)
        if (dry_model_output_shown(core->model, i)) core->shown[n_outputs++] = i;
    for (int i = 0; i < system->n_par; i++) {
        core->par_kind[i] = dry_fmu__par_kind(core->model, i);
        core->first[i] = core->par[i] = system->par[i];
    }
    core_read_nominals(core);
    core->facts = (fmu_facts){.token = core->plan.token,
                              .n_states = system->n_states,
                              .n_outputs = n_outputs,
                              .n_par = system->n_par,
                              .state = core->state_kind,
                              .par = core->par_kind,
                              .nominal = core->nominal,
                              .exchanges = dry_fmu__exchanges(core->model)};
    core_read_steps(core);
    return true;
}

static void core_free(fmu_core *core) {
    if (!core) return;
    core_forget(core);
    dry_model_free(core->model);
    free(core->plan.text);
    free(core->plan.setting);
    free(core->folder);
    free(core->state_kind);
    free(core->par_kind);
    free(core->nominal);
    free(core->first);
    free(core->shown);
    free(core->x);
    free(core->y);
    free(core->par);
    free(core);
}

static bool core_new_stepper(fmu_core *core, double tolerance, fmu_why *why) {
    dry_error error = {0};
    dry_run_options run = dry_model_run(core->model);
    const dry_inclusion *inclusion = dry_model_inclusion(core->model);
    dry_stepper_free(core->stepper);
    core->stepper = NULL;
    dry_status status = dry_model_plan(core->model, &run, &error);
    if (status == DRY_OK && run.method->adaptive && tolerance > 0.0) run.rtol = tolerance;
    if (status == DRY_OK)
        status = inclusion ? dry_stepper_new_inclusion(inclusion, &run, &core->stepper, &error)
                           : dry_stepper_new(core->system, &run, &core->stepper, &error);
    core->tolerance = tolerance;
    if (status == DRY_OK) return true;
    fmu_explain(why, "%.500s", error.text);
    return false;
}

/* A state has the same size before and after the initialization. 0: such a stepper saves nothing,
 * or needs other parameters. */
static void core_size_stepper(fmu_core *core) {
    fmu_why why;
    if (core->kind == FMU_CO_SIMULATION && core_new_stepper(core, (double)NAN, &why))
        core->stepper_bytes = dry_stepper_save_size(core->stepper);
    dry_stepper_free(core->stepper);
    core->stepper = NULL;
}

static fmu_core *core_new(const char *resources, int kind, fmu_why *why) {
    fmu_core *core = calloc(1, sizeof *core);
    if (!core) return NULL;
    core->kind = kind;
    core->folder = core_folder(resources);
    if (!core->folder) fmu_explain(why, "the location of the resources is missing");
    bool good =
        core->folder && core_read_plan(core, why) && (core->model = core_compile(core, why));
    if (good) core->system = dry_model_system(core->model);
    if (good && !core_describe(core)) {
        fmu_explain(why, "out of memory");
        good = false;
    }
    if (good) core_size_stepper(core);
    if (good) return core;
    core_free(core);
    return NULL;
}

static const fmu_facts *core_facts(const fmu_core *core) { return &core->facts; }

/* ---- parameters ---------------------------------------------------------------------------------
 */

static double core_par(const fmu_core *core, int i) { return core->par[i]; }

static bool core_par_fits(const fmu_core *core, int i, double value, fmu_why *why) {
    double range[2];
    if (!dry_model_par_range(core->model, i, range) || (value >= range[0] && value <= range[1]))
        return true;
    fmu_explain(why, "%.100s is not in its range, %g to %g", core->system->params[i].name, range[0],
                range[1]);
    return false;
}

static void core_put_par(fmu_core *core, int i, double value) {
    if (core->par[i] == value) return;
    core->par[i] = value;
    if (core->par_kind[i] == FMU_FIXED) core->anew = true;
}

static void core_set_breaks(fmu_core *core) {
    dry_breaks_read(&core->breaks, core->system, &core->env);
}

/* What is free takes effect without a new compilation. */
static bool core_settle(fmu_core *core, fmu_why *why) {
    dry_error error = {0};
    const size_t bytes = (size_t)core->system->n_par * sizeof *core->par;
    if (memcmp(core->par, core->system->par, bytes) != 0 &&
        !dry_model_par_settle(core->model, core->par)) {
        fmu_explain(why, "the compiler refuses these values of the parameters");
        return false;
    }
    if (core->stepper) {
        if (dry_stepper_set_all_par(core->stepper, core->par, &error) == DRY_OK) return true;
        fmu_explain(why, "%.500s", error.text);
        return false;
    }
    core->env.par = core->par;
    if (core->system->prepare) core->system->prepare(&core->env);
    core_set_breaks(core);
    return true;
}

static bool core_take_par(fmu_core *core, fmu_why *why) {
    double *before = NULL;
    if (!core->begun || core->anew) return true; /* at the begin */
    const size_t bytes = ((size_t)core->system->n_par + 1) * sizeof *before;
    before = malloc(bytes);
    if (!before) return fmu_explain(why, "out of memory"), false;
    const double *now = core->stepper ? dry_stepper_par(core->stepper) : core->env.par;
    memcpy(before, now, bytes - sizeof *before);
    const bool good = core_settle(core, why);
    if (!good) memcpy(core->par, before, bytes - sizeof *before);
    free(before);
    return good;
}

static bool core_default_par(fmu_core *core, fmu_why *why) {
    (void)why;
    for (int i = 0; i < core->system->n_par; i++) core_put_par(core, i, core->first[i]);
    core->begun = false;
    return true;
}

/* Values of fixed parameters as settings, after those of run.txt. */
static bool core_add_settings(fmu_core *core, dry_setting **all, int *n, char (**names)[256]) {
    const int n_par = core->system->n_par, own = core->plan.n_settings;
    *all = calloc((size_t)(own + n_par) + 1, sizeof **all);
    *names = calloc((size_t)n_par + 1, sizeof **names);
    *n = 0;
    if (!*all || !*names) return false;
    for (int i = 0; i < n_par; i++) {
        if (core->par_kind[i] == FMU_NO_PAR || core->par[i] == core->first[i]) continue;
        if (dry_model_par_setting(core->model, i, (*names)[i], sizeof **names))
            (*all)[(*n)++] = (dry_setting){.name = (*names)[i], .value = core->par[i]};
    }
    const int set = *n;
    for (int k = 0; k < own; k++) {
        bool replaced = false;
        for (int i = 0; i < set; i++)
            replaced = replaced || strcmp((*all)[i].name, core->plan.setting[k].name) == 0;
        if (!replaced) (*all)[(*n)++] = core->plan.setting[k];
    }
    return true;
}

static bool core_is_alike(const fmu_core *core, const dry_model *model, fmu_why *why) {
    const dry_system *a = core->system, *b = dry_model_system(model);
    bool same = a->n_states == b->n_states && a->n_par == b->n_par && a->n_outputs == b->n_outputs;
    for (int i = 0; same && i < a->n_states; i++)
        same = core->state_kind[i] == dry_fmu__state_kind(model, i) &&
               strcmp(a->states[i].name, b->states[i].name) == 0;
    if (!same)
        fmu_explain(why, "these parameters change which states the model has: export it anew");
    return same;
}

static bool core_compile_anew(fmu_core *core, fmu_why *why) {
    fmu_core other = *core;
    dry_setting *all = NULL;
    char(*names)[256] = NULL;
    fmu_explain(why, "out of memory");
    const bool good = core_add_settings(core, &all, &other.plan.n_settings, &names);
    other.plan.setting = all;
    dry_model *model = good ? core_compile(&other, why) : NULL;
    if (model && !core_is_alike(core, model, why)) {
        dry_model_free(model);
        model = NULL;
    }
    free(all);
    free(names);
    if (!model) return false;
    core_forget(core);
    dry_model_free(core->model);
    core->model = model;
    core->system = dry_model_system(model);
    memcpy(core->par, core->system->par, (size_t)core->system->n_par * sizeof *core->par);
    core_read_steps(core);
    core->anew = false;
    return true;
}

/* ---- begin
 * ---------------------------------------------------------------------------------------- */

static bool core_new_exchange(fmu_core *core, fmu_why *why) {
    const dry_system *system = core->system;
    if (!core->scratch) core->scratch = calloc(1, system->work_size + 1);
    if (!core->breaks.times)
        core->breaks.times = calloc((size_t)system->n_breaks + 1, sizeof *core->breaks.times);
    if (core->scratch && core->breaks.times) {
        core->env = (dry_env){.model = system->model, .par = core->par, .work = core->scratch};
        return true;
    }
    fmu_explain(why, "out of memory");
    return false;
}

static bool core_is_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool core_begin_exchange(fmu_core *core, double t, fmu_why *why) {
    const dry_system *system = core->system;
    if (!core_is_finite(core->x, system->n_states))
        return fmu_explain(why, "the start is not finite"), false;
    if (system->latch && system->n_clocks == 0) (void)system->latch(&core->env, t, core->x);
    return true;
}

/* The states at the start; `any` becomes whether the importer has set one. */
static bool core_start(fmu_core *core, double t, const unsigned char *set, const double *start,
                       bool *any, fmu_why *why) {
    dry_error error = {0};
    *any = false;
    for (int i = 0; i < core->system->n_states; i++) {
        core->x[i] = set[i] ? start[i] : 0.0;
        *any = *any || set[i];
    }
    if (dry_model_start(core->model, core->par, t, set, core->x, &error) == DRY_OK) return true;
    fmu_explain(why, "%.500s", error.text);
    return false;
}

static bool core_begin(fmu_core *core, double t, const unsigned char *set, const double *start,
                       double tolerance, fmu_why *why) {
    dry_error error = {0};
    bool any;
    if (core->anew && !core_compile_anew(core, why)) return false;
    const bool steps = core->kind == FMU_CO_SIMULATION;
    if (!(steps ? core_new_stepper(core, tolerance, why) : core_new_exchange(core, why)))
        return false;
    if (!core_settle(core, why) || !core_start(core, t, set, start, &any, why)) return false;
    core->t = t;
    core->begun = true;
    if (!steps) return core_begin_exchange(core, t, why);
    if (dry_stepper_reset(core->stepper, t, any ? core->x : NULL, &error) == DRY_OK) return true;
    fmu_explain(why, "%.500s", error.text);
    return false;
}

/* ---- states and what follows from them
 * ------------------------------------------------------------ */

static int core_input(const fmu_core *core, int state) {
    for (int i = 0; i < core->system->n_inputs; i++)
        if (core->system->inputs[i] == state) return i;
    return -1;
}

/* With the inputs that are set, which the stepper takes with its next step. */
static const double *core_states(fmu_core *core) {
    if (!core->stepper) return core->x;
    memcpy(core->x, dry_stepper_states(core->stepper),
           (size_t)core->system->n_states * sizeof *core->x);
    for (int i = 0; i < core->system->n_inputs; i++)
        core->x[core->system->inputs[i]] = dry_stepper_inputs(core->stepper)[i];
    return core->x;
}

static bool core_put_state(fmu_core *core, int i, double value) {
    if (!core->stepper) return core->x[i] = value, true;
    return dry_stepper_set_input(core->stepper, core_input(core, i), value, NULL) == DRY_OK;
}

static void core_rate(fmu_core *core, double t, double *rate) {
    dry_env own = core->env;
    void *scratch = NULL;
    if (core->stepper) { /* co-simulation steps by scratch of its own */
        scratch = calloc(1, core->system->work_size + 1);
        own = (dry_env){
            .model = core->system->model, .par = dry_stepper_par(core->stepper), .work = scratch};
        for (int i = 0; !scratch && i < core->system->n_states; i++) rate[i] = (double)NAN;
        if (scratch && core->system->prepare) core->system->prepare(&own);
    }
    const double *x = core_states(core);
    if (!core->stepper || scratch) core->system->rate(&own, t, 0.0, x, rate);
    free(scratch);
}

static bool core_output(fmu_core *core, double t, double *y) {
    if (core->stepper) {
        if (core->system->n_outputs && dry_stepper_outputs(core->stepper, core->y, NULL) != DRY_OK)
            return false;
    } else if (core->system->output) {
        core->system->output(&core->env, t, 0.0, core->x, core->y);
    }
    for (int i = 0; i < core->facts.n_outputs; i++) y[i] = core->y[core->shown[i]];
    return true;
}

/* Parts have no derivatives: facts.n_jacobian is 0, and nobody asks. */
static void core_jacobian(fmu_core *core, double t, double *values) {
    (void)core, (void)t, (void)values;
}
static void core_slopes(fmu_core *core, double t, double *values) {
    (void)core, (void)t, (void)values;
}

static bool core_latch(fmu_core *core, double t) {
    return core->system->latch && core->system->latch(&core->env, t, core->x);
}

static int core_watch(fmu_core *core, double t) {
    return core->system->watch ? core->system->watch(&core->env, t, core->x) : 0;
}

static bool core_is_stop(const fmu_core *core, int condition) {
    return dry_watch_status(core->system, condition) == DRY_STOPPED;
}

static const char *core_condition(const fmu_core *core, int condition) {
    return dry_model_watch_text(core->model, condition);
}

static double core_event(fmu_core *core, double t) {
    return core->stepper ? (double)INFINITY : dry_breaks_after(&core->breaks, t);
}

/* ---- steps
 * ---------------------------------------------------------------------------------------- */

static double core_time(const fmu_core *core) {
    return core->stepper ? dry_stepper_time(core->stepper) : core->t;
}

static double core_next(const fmu_core *core) {
    const double h = core->facts.step;
    if (!(h > 0.0) || core->chooses) return (double)INFINITY;
    return core->t + (round((core_time(core) - core->t) / h) + 1.0) * h;
}

/* The point of the grid at this time, up to the rounding of an importer that adds up steps. */
static double core_on_grid(const fmu_core *core, double t) {
    const double h = core->facts.step, count = floor((t - core->t) / h + 0.5);
    const double point = core->t + count * h;
    if (!(fabs(count) < 1e15) || core->chooses) return t;
    return fabs(point - t) <= 1e-6 * h + 4.0 * DBL_EPSILON * fabs(t) ? point : t;
}

static int core_advance(fmu_core *core, double end, fmu_why *why) {
    dry_error error = {0};
    end = core_on_grid(core, end);
    if (end <= dry_stepper_time(core->stepper)) return CORE_FINE;
    const dry_status status = dry_stepper_advance(core->stepper, end, &error);
    if (status == DRY_OK) return CORE_FINE;
    if (status == DRY_STOPPED) return CORE_STOPPED;
    fmu_explain(why, "%.560s", error.text);
    return status == DRY_NOT_FINITE ? CORE_NOT_FINITE : CORE_FAULT;
}

/* ---- save and restore
 * ------------------------------------------------------------------------------ */

static size_t core_numbers(const fmu_core *core) {
    return (size_t)core->system->n_par + (size_t)core->system->n_states + 2;
}

static size_t core_save_size(const fmu_core *core) {
    if (core->kind == FMU_CO_SIMULATION && core->stepper_bytes == 0) return 0;
    return core_numbers(core) * sizeof(double) + core->stepper_bytes;
}

static bool core_save_stepper(fmu_core *core, char *bytes, fmu_why *why) {
    void *copy = malloc(core->stepper_bytes);
    dry_error error = {.text = "out of memory"};
    const bool good =
        copy && dry_stepper_save(core->stepper, copy, core->stepper_bytes, &error) == DRY_OK;
    if (good) memcpy(bytes, copy, core->stepper_bytes);
    free(copy);
    if (!good) fmu_explain(why, "%.500s", error.text);
    return good;
}

static bool core_save(fmu_core *core, void *bytes, fmu_why *why) {
    const size_t n_par = (size_t)core->system->n_par, n = (size_t)core->system->n_states;
    char *at = bytes;
    const double about[2] = {core->t, core->begun};
    memcpy(at, about, sizeof about), at += sizeof about;
    memcpy(at, core->par, n_par * sizeof(double)), at += n_par * sizeof(double);
    memcpy(at, core->x, n * sizeof(double)), at += n * sizeof(double);
    memset(at, 0, core->stepper_bytes);
    return !core->stepper || !core->begun || core_save_stepper(core, at, why);
}

static bool core_restore_stepper(fmu_core *core, const char *bytes, double tolerance,
                                 fmu_why *why) {
    const bool same = core->stepper && (!core->chooses || core->tolerance == tolerance ||
                                        (isnan(core->tolerance) && isnan(tolerance)));
    if (!same && !core->carries) {
        fmu_explain(why, "only the instance that saved it, and only until it is reset, restores a "
                         "state of this method");
        return false;
    }
    if (!same && !core_new_stepper(core, tolerance, why)) return false;
    void *copy = malloc(core->stepper_bytes);
    dry_error error = {.text = "out of memory"};
    if (copy) memcpy(copy, bytes, core->stepper_bytes);
    const bool good =
        copy && dry_stepper_restore(core->stepper, copy, core->stepper_bytes, &error) == DRY_OK;
    free(copy);
    if (!good) fmu_explain(why, "%.500s", error.text);
    return good;
}

/* Whether the text was compiled for the values of the fixed parameters that it has. */
static bool core_is_compiled(const fmu_core *core) {
    for (int i = 0; i < core->system->n_par; i++)
        if (core->par_kind[i] == FMU_FIXED && core->par[i] != core->system->par[i]) return false;
    return true;
}

/* An instance with other fixed parameters, or one that has not begun, first becomes like the one
 * that was saved. */
static bool core_restore_run(fmu_core *core, const char *stepper, double tolerance, fmu_why *why) {
    const bool steps = core->kind == FMU_CO_SIMULATION;
    if (core->anew && steps && !core->carries) {
        fmu_explain(why, "a state of this method belongs to an instance with the same parameters");
        return false;
    }
    if (core->anew && !core_compile_anew(core, why)) return false;
    if (steps) return core_restore_stepper(core, stepper, tolerance, why);
    return (core->scratch || core_new_exchange(core, why)) && core_settle(core, why);
}

static bool core_restore(fmu_core *core, const void *bytes, double tolerance, fmu_why *why) {
    const size_t n_par = (size_t)core->system->n_par, n = (size_t)core->system->n_states;
    const char *par = (const char *)bytes + 2 * sizeof(double), *x = par + n_par * sizeof(double);
    double about[2], *before = malloc((n_par + 1) * sizeof *before);
    if (!before) return fmu_explain(why, "out of memory"), false;
    memcpy(about, bytes, sizeof about);
    memcpy(before, core->par, n_par * sizeof *before);
    memcpy(core->par, par, n_par * sizeof *before);
    core->anew = !core_is_compiled(core);
    const bool begun = about[1] != 0.0;
    const bool good = !begun || core_restore_run(core, x + n * sizeof(double), tolerance, why);
    if (!good) {
        memcpy(core->par, before, n_par * sizeof *before);
        core->anew = !core_is_compiled(core);
    }
    free(before);
    if (!good) return false;
    memcpy(core->x, x, n * sizeof(double));
    core->t = about[0];
    core->begun = begun;
    return true;
}

#include "instance.c"
#include "steps.c"

#include "fmi2.c"
#include "fmi3.c"
