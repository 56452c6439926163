/* job: runs one model for a verb: reads its options, chooses bytecode or native code, and keeps the
 * results. */
#include "job.h"
#include <drystone/stability.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the line says ----------------------------------------------------------------- */

const dry_method *cli_find_method(const char *name) {
    const dry_method *method = dry_model_method_find(name);
    char names[256] = "";
    if (dry_method_found(method)) return method;
    for (int i = 0; i < dry_model_method_count(); i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                 dry_model_method_at(i)->name);
    }
    cli_complain("there is no method '%s'; the methods are %s", name, names);
    return NULL;
}

static int read_settings(const cli_args *args, dry_setting *settings) {
    int n = 0;
    for (int i = 0; i < args->n_given; i++)
        if (args->given[i].option->form == CLI_SETTING)
            settings[n++] =
                (dry_setting){.name = args->given[i].text, .text = args->given[i].value};
    return n;
}

/* Whether two settings give the same number: x and x, x and x[2]. */
static bool overlap(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    const char *rest = n < m ? b + n : a + m;
    return !strncmp(a, b, least) && (!*rest || (*rest == '[' && !strchr(rest, '.')));
}

static int read_inputs(const cli_args *args, dry_given_input *inputs) {
    int n = 0;
    for (int i = 0; i < args->n_given; i++) {
        if (args->given[i].option->form != CLI_INPUT) continue;
        const char *name = args->given[i].text, *file = name + strlen(name) + 1;
        inputs[n++] =
            (dry_given_input){.name = name, .file = file, .column = file + strlen(file) + 1};
    }
    return n;
}

/* The first of them that is there twice, NULL: none. */
static const char *find_twice(const dry_model_options *options) {
    for (int i = 0; i < options->n_settings; i++)
        for (int k = 0; k < i; k++)
            if (overlap(options->settings[i].name, options->settings[k].name))
                return options->settings[i].name;
    return NULL;
}

static const char *find_input_twice(const dry_model_options *options) {
    for (int i = 0; i < options->n_inputs; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(options->inputs[i].name, options->inputs[k].name))
                return options->inputs[i].name;
    return NULL;
}

static dry_run_options read_run(const cli_args *args) {
    return (dry_run_options){.until = cli_number(args, "until", 0.0),
                             .step = cli_number(args, "step", 0.0),
                             .record = cli_number(args, "record", 0.0),
                             .rtol = cli_number(args, "rtol", 0.0),
                             .atol = cli_number(args, "atol", 0.0),
                             .max_steps = cli_number(args, "max-steps", 0.0)};
}

static cli_code read_code(const cli_args *args) {
    if (cli_has(args, "no-native")) return CLI_BYTECODE;
    return cli_has(args, "native") ? CLI_NATIVE : CLI_EITHER_CODE;
}

int cli_job_read(cli_job *job, const cli_args *args) {
    *job = (cli_job){.path = args->words[0],
                     .settings = calloc((size_t)args->n_given + 1, sizeof(dry_setting)),
                     .inputs = calloc((size_t)args->n_given + 1, sizeof(dry_given_input)),
                     .code = read_code(args),
                     .watch = cli_watch_options(args)};
    if (!job->settings || !job->inputs) return cli_complain("out of memory"), CLI_RUN;
    job->options = (dry_model_options){.settings = job->settings,
                                       .n_settings = read_settings(args, job->settings),
                                       .inputs = job->inputs,
                                       .n_inputs = read_inputs(args, job->inputs),
                                       .data = cli_text(args, "data", NULL),
                                       .run = read_run(args),
                                       .force = cli_has(args, "force")};
    const char *twice = find_twice(&job->options), *input = find_input_twice(&job->options),
               *method = cli_text(args, "method", NULL);
    const double most = job->options.run.max_steps;
    if (floor(most) != most)
        return cli_complain("--max-steps takes a whole number of steps, found '%s'",
                            cli_text(args, "max-steps", "")),
               CLI_USAGE;
    if (twice) return cli_complain("the parameter `%.100s` is given twice", twice), CLI_USAGE;
    if (input) return cli_complain("the input `%.100s` is given two records", input), CLI_USAGE;
    if (method) job->options.run.method = cli_find_method(method);
    return method && !job->options.run.method ? CLI_USAGE : CLI_FINE;
}

cli_job cli_job_copy(const cli_job *job) {
    cli_job copy = {.path = job->path,
                    .text = job->text,
                    .length = job->length,
                    .options = job->options,
                    .watched = job->watched,
                    .watch = job->watch};
    if (!copy.text && job->model) copy.text = dry_model_text(job->model, &copy.length);
    return copy;
}

void cli_job_free(cli_job *job) {
    dry_record_free(job->result.record);
    free(job->result.saved);
    cli_rows_free(job->rows);
    dry_native_free(job->native);
    if (job->slopes) dry_slopes_free(job->slopes);
    free(job->slopes);
    free(job->slope_names);
    free(job->measured);
    free(job->expected);
    dry_model_free(job->model);
    free(job->settings);
    free(job->inputs);
    *job = (cli_job){0};
}

/* ---- bytecode or native code ------------------------------------------------------------- */

/* Makes the native code if it pays or if --native is given. False, with a complaint, if --native is
 * given and there is none. */
static bool choose_code(cli_job *job) {
    const dry_method *method = job->run.method;
    const double steps = method->adaptive ? 0.0 : job->run.until / job->run.step;
    const bool asked = job->code == CLI_NATIVE;
    dry_error error = {0};
    if (job->code == CLI_BYTECODE ||
        (!asked && !method->adaptive && steps < DRY_NATIVE_FEWEST_STEPS))
        return true;
    const dry_native_options options = {
        .only_cached = !asked && !dry_native_pays(job->model, method, steps), .method = method};
    job->native = dry_native_new(job->model, &options, &error);
    job->is_native = job->native != NULL;
    if (job->native || !asked) return true;
    cli_complain_error(&error);
    return false;
}

/* By a method of `ode` or `stiff`. */
static dry_status run_system(cli_job *job, const dry_sim_options *options, dry_error *error) {
    if (!choose_code(job)) return DRY_UNSUPPORTED;
    const dry_system *system =
        job->native ? dry_native_system(job->native) : dry_model_system(job->model);
    return dry_sim_run(system, options, &job->result, error);
}

/* By a rigid method, with the sets kept; in native code if --native is given. */
static dry_status run_inclusion(cli_job *job, const dry_sim_options *options, dry_error *error) {
    const dry_inclusion *inclusion = NULL;
    if (job->code == CLI_NATIVE) {
        job->native = dry_native_new(job->model, NULL, error);
        if (!job->native) return error->status;
        inclusion = dry_native_inclusion(job->native);
        job->is_native = inclusion != NULL;
    }
    if (!inclusion) inclusion = dry_model_inclusion(job->model);
    return dry_sim_run_inclusion(inclusion, options, &job->result, error);
}

/* ---- the run ----------------------------------------------------------------------------- */

/* The option that the method of the run does not use, NULL: none. */
static const char *find_idle(const cli_job *job, const dry_method *method) {
    if (method->adaptive) return NULL;
    if (job->options.run.rtol > 0.0) return "rtol";
    return job->options.run.atol > 0.0 ? "atol" : NULL;
}

/* A sample that is due after the end is none. */
static bool samples_fit(const cli_job *job) {
    dry_run_options run;
    if (dry_model_plan(job->model, &run, NULL) != DRY_OK) return true;
    if (run.record <= run.until * (1.0 + 1e-9)) return true;
    cli_complain("%s: the interval between samples (%g s) is longer than the run (%g s): take a "
                 "shorter one (record, --record), or run longer",
                 job->path, run.record, run.until);
    return false;
}

int cli_job_compile(cli_job *job) {
    job->exit = cli_compile(job->path, &job->options, &job->model);
    if (job->exit != CLI_FINE) return job->exit;
    if (!samples_fit(job)) return job->exit = CLI_USAGE;
    const dry_method *of_text = dry_model_run(job->model).method;
    const dry_method *method = of_text ? of_text : dry_method_standard();
    const char *idle = find_idle(job, method);
    if (!idle) return job->exit;
    cli_complain("--%s has no effect with %s, whose steps are fixed: use --step, or --method with "
                 "a method that chooses its steps (dopri5, dop853, rodas4)",
                 idle, method->name);
    return job->exit = CLI_USAGE;
}

/* What the text asks for after the model has stopped the run. */
static void warn_beyond(const cli_job *job, const char *what, double latest) {
    if (job->result.stop && latest > 0.0)
        cli_complain("%s: warning: `%s` reads times up to %.6g s, but the model stopped the run at "
                     "%.6g s: it is nan, or sees the run up to the stop only",
                     job->path, what, latest, job->result.end);
}

static int evaluate(cli_job *job) {
    const int n_expects = dry_model_expects(job->model);
    dry_error error = {0};
    job->measured = calloc((size_t)dry_model_measures(job->model) + 1, sizeof *job->measured);
    job->expected = calloc((size_t)n_expects + 1, sizeof *job->expected);
    if (!job->measured || !job->expected) {
        cli_complain("%s: out of memory", job->path);
        return CLI_RUN;
    }
    dry_measuring *measuring = cli_rows_measuring(job->rows);
    const dry_status status =
        measuring ? dry_measuring_end(measuring, job->measured, job->expected, &error)
                  : dry_model_evaluate(job->model, NULL, job->result.record, job->measured,
                                       job->expected, &error);
    if (status != DRY_OK) {
        cli_complain_error(&error);
        return CLI_RUN;
    }
    for (int i = 0; i < dry_model_measures(job->model); i++)
        warn_beyond(job, job->measured[i].name, job->measured[i].beyond);
    for (int i = 0; i < n_expects; i++)
        warn_beyond(job, job->expected[i].source, job->expected[i].beyond);
    for (int i = 0; i < n_expects; i++) job->n_failed += !job->expected[i].met;
    return job->n_failed ? CLI_EXPECTATION : CLI_FINE;
}

static void complain_failed(const cli_job *job, dry_status status, const dry_error *error) {
    const dry_ode_fault *fault = &job->result.fault;
    if (status == DRY_RUN_FAILED && fault->watch)
        cli_complain("%s: at t = %.6g s %s", job->path, fault->t,
                     dry_model_watch_text(job->model, fault->watch));
    else if (error->text[0]) /* else it has been said */
        cli_complain("%s: %s", job->path, error->text);
}

/* With --force. */
static void warn_too_fast(const cli_job *job) {
    const dry_ode_fault *fault = &job->result.fault;
    cli_complain("%s: warning: from t = %.6g s on %s settles at a rate of %.4g 1/s or more, faster "
                 "than steps of %.6g s can follow (%.4g 1/s): do not trust what comes after",
                 job->path, fault->t, fault->law, fault->rate, job->run.step,
                 dry_fastest_rate(job->run.method, job->run.step));
}

/* Whole states for the watch, which a page can use as well, or for a page alone. */
static int saves(const cli_job *job) {
    if (job->watched) return dry_watch_saves(dry_model_system(job->model));
    return job->paged ? dry_report_saves(job->model) : 0;
}

int cli_job_run(cli_job *job) {
    dry_error error = {0};
    if (dry_model_plan(job->model, &job->run, &error) != DRY_OK)
        return cli_complain_error(&error), job->exit = CLI_USAGE;
    cli_bar bar = cli_bar_begin(job->run.until, job->progress);
    const dry_sim_options options = {.run = job->run,
                                     .sink = cli_rows_sink(job->rows),
                                     .sink_only = job->streams,
                                     .saves = saves(job),
                                     .progress = cli_bar_show,
                                     .user = &bar};
    const bool rigid = dry_model_inclusion(job->model) != NULL;
    const dry_status status = (rigid ? run_inclusion : run_system)(job, &options, &error);
    cli_bar_clear(&bar);
    if (status != DRY_OK) return complain_failed(job, status, &error), job->exit = CLI_RUN;
    if (job->result.fault.law) warn_too_fast(job);
    return job->exit = evaluate(job);
}

static int compile_text(cli_job *job) {
    dry_model_options options = job->options;
    options.force = true;
    job->model = dry_model_compile(job->path, job->text, job->length, &options);
    if (!job->model) return cli_complain("%s: out of memory", job->path), CLI_RUN;
    if (dry_model_ok(job->model)) return CLI_FINE;
    for (int i = 0; i < dry_model_messages(job->model); i++)
        dry_model_print_message(job->model, i, stderr, cli_wants_colour(stderr));
    return CLI_MODEL;
}

int cli_job_run_text(cli_job *job) {
    job->exit = compile_text(job);
    if (job->exit == CLI_FINE) cli_job_run(job);
    if (cli_job_ended(job) && !cli_account_holds(job)) job->exit = CLI_RUN;
    return job->exit;
}

bool cli_job_ended(const cli_job *job) {
    return job->exit == CLI_FINE || job->exit == CLI_EXPECTATION;
}

/* ---- what came out ------------------------------------------------------------------------ */

int cli_job_states(const cli_job *job) { return dry_model_own_states(job->model); }

const double *cli_job_values(const cli_job *job, int state) {
    const dry_system *system = dry_model_system(job->model);
    const char *name = system->states[dry_model_own_state(job->model, state)].name;
    return dry_record_values(job->result.record, dry_record_find(job->result.record, name));
}

double cli_job_end(const cli_job *job, int state) {
    return cli_job_values(job, state)[dry_record_rows(job->result.record) - 1];
}

void cli_job_card(const cli_job *job, dry_card *card) {
    card->model = job->model;
    card->options = &job->options;
    card->record = job->result.record;
    card->run = job->run;
    card->measured = job->measured;
    card->expected = job->expected;
    card->counts = job->result.counts;
    card->seconds = job->result.seconds;
    card->stop = job->result.stop;
    card->end = job->result.end;
    card->native = job->is_native;
    card->saved = job->result.saved;
    card->n_saved = job->result.n_saved;
}

/* ---- how far two ends are apart ----------------------------------------------------------- */

/* How large a state became during the run. */
static double size_of(const cli_job *job, int state) {
    const dry_record *record = job->result.record;
    const double *x = cli_job_values(job, state);
    double largest = 0.0;
    for (size_t i = 0; i < dry_record_rows(record); i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}

/* A state that hardly moves beside others is rounding, or what these leave of it. */
static const double LEAST_OF_UNIT = 1e-3, LEAST_OF_ALL = 1e-6;

enum { MOST_UNITS = 16 };

/* The largest of the states of each unit, and of all; units beyond the list count as none. */
typedef struct scales {
    const char *unit[MOST_UNITS];
    double largest[MOST_UNITS], all;
    int n;
} scales;

static const char *unit_of(const cli_job *job, int state) {
    return dry_model_system(job->model)->states[dry_model_own_state(job->model, state)].unit;
}

static int find_unit(const scales *s, const char *unit) {
    int k = 0;
    while (k < s->n && strcmp(s->unit[k], unit) != 0) k++;
    return k;
}

static void note_size(scales *s, const char *unit, double size) {
    const int k = find_unit(s, unit);
    s->all = fmax(s->all, size);
    if (k == MOST_UNITS) return;
    if (k == s->n) s->unit[s->n++] = unit;
    s->largest[k] = fmax(s->largest[k], size);
}

static double least_size(const scales *s, const char *unit) {
    const int k = find_unit(s, unit);
    return fmax(k < s->n ? LEAST_OF_UNIT * s->largest[k] : 0.0, LEAST_OF_ALL * s->all);
}

double cli_job_apart(const cli_job *a, const cli_job *b) {
    scales s = {0};
    double largest = 0.0;
    for (int i = 0; i < cli_job_states(a); i++) note_size(&s, unit_of(a, i), size_of(a, i));
    for (int i = 0; i < cli_job_states(a); i++) {
        const double difference = fabs(cli_job_end(a, i) - cli_job_end(b, i));
        const double size = fmax(size_of(a, i), least_size(&s, unit_of(a, i)));
        if (difference > 0.0) largest = fmax(largest, difference / size);
    }
    return largest;
}
