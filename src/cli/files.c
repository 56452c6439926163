/* Reading, running and plotting models for the verbs. */
#define _POSIX_C_SOURCE 200809L /* fileno, isatty, clock_gettime */
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool cli_is_terminal(FILE *stream) { return isatty(fileno(stream)) == 1; }

bool cli_wants_colour(FILE *stream) {
    const char *term = getenv("TERM");
    return cli_is_terminal(stream) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

bool cli_can_write(const char *path) {
    struct stat s;
    dry_file file;
    dry_error error = {0};
    const bool is_stream = strcmp(path, "-") == 0 ||
                           (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
    if (is_stream) return true;
    if (dry_file_open(&file, path, &error) != DRY_OK) return cli_complain_error(&error), false;
    dry_file_abandon(&file);
    return true;
}

bool cli_ends_with(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* What a part has left out, such as elements of a robot's file. */
static void print_remarks(const dry_net *net) {
    for (int i = 0; net && i < dry_net_remark_count(net); i++)
        fprintf(stderr, "warning: %s\n", dry_net_remark_at(net, i));
}

static int compile(const char *path, const dry_model_options *options, dry_model **model) {
    char *text;
    size_t length;
    dry_error error = {0};
    if (dry_file_read(path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK) {
        cli_complain_error(&error);
        return error.status == DRY_IO ? CLI_USAGE : CLI_MODEL;
    }
    *model = dry_model_compile(path, text, length, options);
    free(text);
    if (!*model) {
        cli_complain("%s: out of memory", path);
        return CLI_RUN;
    }
    for (int i = 0; i < dry_model_messages(*model); i++)
        dry_model_print_message(*model, i, stderr, cli_wants_colour(stderr));
    print_remarks(dry_model_net(*model));
    return dry_model_ok(*model) ? CLI_FINE : CLI_MODEL;
}

/* A robot is run by the model of the same name beside its file, which says what drives it. */
static int compile_robot(const char *path, const dry_model_options *options, dry_model **model) {
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const int stem = (int)(strlen(path) - strlen(".urdf"));
    char *beside = malloc(strlen(path) + 1);
    int code = CLI_USAGE;
    if (beside == NULL) return CLI_RUN;
    sprintf(beside, "%.*s.dry", stem, path);
    if (access(beside, R_OK) == 0)
        code = compile(beside, options, model);
    else
        cli_complain("%s: a robot is run by a model beside it, and there is no %s: write one with "
                     "`part robot = urdf(file = \"%s\")` and a line `run until = ...`",
                     path, beside, name);
    free(beside);
    return code;
}

int cli_compile(const char *path, const dry_model_options *options, dry_model **model) {
    *model = NULL;
    return cli_ends_with(path, ".urdf") ? compile_robot(path, options, model)
                                        : compile(path, options, model);
}

/* ---- running ----------------------------------------------------------------------- */

typedef struct bar {
    double until, begun, shown;
    bool wanted;
} bar;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool show_progress(void *user, double t) {
    bar *b = user;
    double time = now();
    if (cli_is_interrupted()) return false;
    if (!b->wanted || time - b->begun < 1.0 || time - b->shown < 0.1) return true;
    b->shown = time;
    double part = t / b->until;
    int filled = (int)(40.0 * part);
    fprintf(stderr, "\r[");
    for (int i = 0; i < 40; i++) fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  %.0f s left ", 100.0 * part,
            (time - b->begun) * (1.0 - part) / (part + 1e-9));
    fflush(stderr);
    return true;
}

static void clear_bar(const bar *b) {
    if (b->shown > 0.0) fprintf(stderr, "\r%78s\r", "");
}

/* Fills in what neither the model nor the command line says. */
static bool complete(const char *path, dry_run_options *run, const dry_method **method) {
    if (!run->method) run->method = "rk4";
    *method = dry_method_find(run->method);
    if (!*method) *method = dry_stiff_method_find(run->method);
    if (isnan(run->until)) {
        cli_complain(
            "%s does not say how long to run: add `run until = 10 [s]` to it, or --until SECONDS",
            path);
        return false;
    }
    bool adaptive = *method && (*method)->adaptive;
    if (!adaptive && isnan(run->step)) run->step = 1e-4 * run->until;
    return true;
}

static double or_zero(double x) { return isnan(x) ? 0.0 : x; }

static int evaluate(const dry_model *model, const char *path, cli_run *run) {
    dry_error error = {0};
    int n_expects = dry_model_expects(model);
    run->measured = calloc((size_t)dry_model_measures(model) + 1, sizeof *run->measured);
    run->expected = calloc((size_t)n_expects + 1, sizeof *run->expected);
    if (!run->measured || !run->expected) {
        cli_complain("%s: out of memory", path);
        return CLI_RUN;
    }
    if (dry_model_evaluate(model, NULL, run->result.record, run->measured, run->expected, &error) !=
        DRY_OK) {
        cli_complain_error(&error);
        return CLI_RUN;
    }
    for (int i = 0; i < n_expects; i++) run->n_failed += !run->expected[i].met;
    return run->n_failed ? CLI_EXPECTATION : CLI_FINE;
}

static int run_model(const dry_model *model, const char *path, bool progress, cli_code code,
                     const double *x0, cli_run *run);

int cli_run_model(const dry_model *model, const char *path, bool progress, cli_run *run) {
    return run_model(model, path, progress, CLI_BYTECODE, NULL, run);
}
int cli_run_model_as(const dry_model *model, const char *path, bool progress, cli_code code,
                     cli_run *run) {
    return run_model(model, path, progress, code, NULL, run);
}
int cli_run_model_from(const dry_model *model, const char *path, const double *x0, cli_run *run) {
    return run_model(model, path, false, CLI_BYTECODE, x0, run);
}

/* By a method of `ode`, in bytecode or native code. */
static dry_status run_ode(const dry_model *model, const dry_method *method, cli_code code,
                          dry_sim_options options, cli_run *run, dry_error *error) {
    dry_native *native;
    const double steps = method->adaptive ? 0.0 : run->run.until / run->run.step;
    if (!cli_choose_code(model, method, steps, code, &native)) return DRY_UNSUPPORTED;
    run->native = native != NULL;
    options.method = method;
    options.ode = (dry_ode_options){.step = or_zero(run->run.step),
                                    .rtol = or_zero(run->run.rtol),
                                    .atol = or_zero(run->run.atol),
                                    .max_step = or_zero(run->run.max_step)};
    const dry_system *system = native ? dry_native_system(native) : dry_model_system(model);
    dry_status status = dry_sim_run(system, &options, &run->result, error);
    dry_native_free(native);
    return status;
}

/* By a rigid solver, with the sets kept; in native code where it is asked for. */
static dry_status run_rigid(const dry_model *model, cli_code code, const dry_sim_options *options,
                            cli_run *run, dry_error *error) {
    dry_rigid_options rigid = {.step = run->run.step,
                               .P = (int)or_zero(run->run.P),
                               .Q = (int)or_zero(run->run.Q),
                               .weight = run->run.alpha == 0.0 ? -1.0 : or_zero(run->run.alpha)};
    dry_rigid_scheme_find(run->run.method, &rigid.scheme);
    dry_native *native = NULL;
    const dry_inclusion *inclusion = NULL;
    if (code == CLI_NATIVE) {
        native = dry_native_new(model, NULL, error);
        if (!native) return error->status;
        inclusion = dry_native_inclusion(native);
        run->native = inclusion != NULL;
    }
    if (!inclusion) inclusion = dry_model_inclusion(model);
    dry_status status = dry_sim_run_inclusion(inclusion, options, &rigid, &run->result, error);
    dry_native_free(native);
    return status;
}

static int run_model(const dry_model *model, const char *path, bool progress, cli_code code,
                     const double *x0, cli_run *run) {
    const dry_method *method;
    *run = (cli_run){.run = dry_model_run(model)};
    if (!complete(path, &run->run, &method)) return CLI_USAGE;
    bar b = {
        .until = run->run.until, .begun = now(), .wanted = progress && cli_is_terminal(stderr)};
    dry_sim_options options = {.until = run->run.until,
                               .record = or_zero(run->run.record),
                               .x0 = x0,
                               .progress = show_progress,
                               .user = &b};
    dry_error error = {0};
    dry_status status = method ? run_ode(model, method, code, options, run, &error)
                               : run_rigid(model, code, &options, run, &error);
    clear_bar(&b);
    if (status == DRY_RUN_FAILED && run->result.fault.watch)
        cli_complain("%s: at t = %.6g s %s", path, run->result.fault.t,
                     dry_model_watch_text(model, run->result.fault.watch));
    else if (status != DRY_OK && error.text[0]) /* else it has been said */
        cli_complain("%s: %s", path, error.text);
    if (status != DRY_OK) return CLI_RUN;
    return evaluate(model, path, run);
}

void cli_run_free(cli_run *run) {
    dry_record_free(run->result.record);
    free(run->measured);
    free(run->expected);
}

/* ---- results ----------------------------------------------------------------------- */

dry_plot cli_plot_of(const dry_model *model, const dry_record *record, dry_panel *panels) {
    int n = dry_model_panels(model);
    for (int i = 0; i < n; i++) {
        dry_model_panel from = dry_model_panel_at(model, i);
        panels[i] = (dry_panel){.x = from.x, .n_curves = from.n};
        for (int k = 0; k < from.n; k++) {
            panels[i].y[k] = from.y[k];
            panels[i].label[k] = from.label[k];
        }
    }
    return (dry_plot){
        .record = record, .title = dry_model_title(model), .panels = panels, .n_panels = n};
}

dry_record *cli_shown_record(const dry_model *model, const dry_record *record) {
    const int n_all = dry_record_columns(record);
    const int outputs = n_all - dry_model_system(model)->n_outputs; /* the first one's column */
    int *columns = malloc(sizeof *columns * (size_t)n_all), n = 0;
    if (!columns) return NULL;
    for (int i = 0; i < n_all; i++)
        if (i < outputs || dry_model_output_shown(model, i - outputs)) columns[n++] = i;
    dry_record *shown = dry_record_pick(record, columns, n);
    free(columns);
    return shown;
}
