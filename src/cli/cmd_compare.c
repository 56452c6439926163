/* drystone compare FILE: one model by several methods, side by side. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"methods", 0, CLI_TEXT, "A,B,...", "methods to compare (default rk4,dop853,rigid)", NULL},
    {"steps", 0, CLI_TEXT, "X,Y,...", "steps of the fixed-step methods (default the model's)",
     NULL},
    {"work-precision", 0, CLI_FLAG, NULL, "error against CPU over a ladder of steps", NULL},
    {"plot", 0, CLI_TEXT, "FILE", "write the picture: .svg, .png, .pdf", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE",
     "set a parameter: a number or list, SI or with its unit", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
    {"until", 0, CLI_POSITIVE, "SECONDS", "how long to run", "seconds"},
    {"step", 0, CLI_POSITIVE, "SECONDS", "step instead of the model's", "seconds"},
    {"watch", 0, CLI_FLAG, NULL, "repeat each run, and print how far it can be trusted", NULL},
#include "watch_rows.def"
    {0},
};

enum {
    MOST_METHODS = 12,
    MOST_STEPS = 16,
    LADDER = 7,
    MOST_RUNS = MOST_METHODS * MOST_STEPS,
    NAME = 32
};
_Static_assert(LADDER <= MOST_STEPS, "a ladder fits the table");

/* What the command line requests. */
typedef struct request {
    const dry_method *method[MOST_METHODS];
    bool refused[MOST_METHODS]; /* not for this model */
    int n_methods;
    double step[MOST_STEPS];
    int n_steps;
    bool watched;
} request;

typedef struct entry {
    int method; /* in the request */
    double step, rtol;
    cli_job job;
    double error; /* difference of the end from the reference */
} entry;

typedef struct runs {
    entry run[MOST_RUNS];
    int n;
} runs;

/* ---- what is asked for ---------------------------------------------------------------- */

static bool is_rigid(const dry_method *method) { return (method->takes & DRY_TAKES_SETS) != 0; }

static bool read_methods(const char *text, request *r) {
    for (bool more = true; more;) {
        size_t n = strcspn(text, ",");
        more = text[n] == ',';
        if (r->n_methods == MOST_METHODS || n >= NAME || !n)
            return cli_complain("--methods takes up to %d names with commas", MOST_METHODS), false;
        char name[NAME];
        memcpy(name, text, n);
        name[n] = 0;
        r->method[r->n_methods] = cli_find_method(name);
        if (!r->method[r->n_methods++]) return false;
        for (int i = 0; i + 1 < r->n_methods; i++)
            if (r->method[i] == r->method[r->n_methods - 1])
                return cli_complain("--methods: '%s' is given twice", name), false;
        text += n + more;
    }
    return true;
}

static bool read_steps(const char *text, request *r) {
    const char *end;
    while (*text) {
        double h;
        bool good = dry_number_parse(text, &end, &h) && h > 0.0 && (*end == ',' || !*end);
        if (!good || r->n_steps == MOST_STEPS)
            return cli_complain(
                       "--steps takes up to %d positive numbers of seconds with commas, found '%s'",
                       MOST_STEPS, text),
                   false;
        r->step[r->n_steps++] = h;
        text = *end ? end + 1 : end;
    }
    return true;
}

/* Steps are those of methods with fixed steps; a ladder begins with one. */
static bool uses_steps(const cli_args *args, const request *r) {
    bool fixed = false;
    for (int i = 0; i < r->n_methods; i++) fixed = fixed || !r->method[i]->adaptive;
    if (!cli_has(args, "steps")) return true;
    if (!r->n_steps) return cli_complain("--steps takes numbers of seconds, found none"), false;
    if (!fixed) return cli_complain("--steps has no effect: no method here has fixed steps"), false;
    if (cli_has(args, "work-precision") && r->n_steps > 1)
        return cli_complain("--work-precision takes one of --steps: its ladder halves and doubles "
                            "it"),
               false;
    return true;
}

/* ---- methods that do not take the model ------------------------------------------------- */

static dry_model *compile_for(const cli_job *job, const dry_method *method) {
    dry_model_options forced = job->options;
    forced.run.method = method;
    forced.force = true;
    return dry_model_compile(job->path, job->text, job->length, &forced);
}

static bool has_message(const dry_model *model, dry_message m) {
    for (int i = 0; i < dry_model_messages(model); i++) {
        const dry_message other = dry_model_message(model, i);
        if (other.line == m.line && other.column == m.column && !strcmp(other.word, m.word) &&
            !strcmp(other.file, m.file) && !strcmp(other.text, m.text))
            return true;
    }
    return false;
}

/* Prints the messages of model k that no earlier model has. */
static void print_new_messages(dry_model *const *model, int k) {
    for (int i = 0; i < dry_model_messages(model[k]); i++) {
        bool said = false;
        for (int j = 0; j < k && !said; j++)
            said = has_message(model[j], dry_model_message(model[k], i));
        if (!said) dry_model_print_message(model[k], i, stderr, cli_wants_colour(stderr));
    }
}

/* Marks the methods that cannot run the model; prints the reason once, and only if the method was
 * requested. Returns false if no method can. */
static bool find_refused(const cli_job *job, request *r, bool asked) {
    dry_model *model[MOST_METHODS];
    bool any = false;
    for (int m = 0; m < r->n_methods; m++) {
        model[m] = compile_for(job, r->method[m]);
        r->refused[m] = !model[m] || !dry_model_ok(model[m]);
        any |= !r->refused[m];
    }
    for (int m = 0; m < r->n_methods && (asked || !any); m++)
        if (model[m] && r->refused[m]) print_new_messages(model, m);
    for (int m = 0; m < r->n_methods; m++) dry_model_free(model[m]);
    return any;
}

/* ---- runs ------------------------------------------------------------------------------- */

static void add_run(const cli_job *job, const request *r, int method, double step, double rtol,
                    runs *t) {
    entry *e = &t->run[t->n++];
    *e = (entry){method, step, rtol, cli_job_copy(job), (double)NAN};
    dry_run_options *run = &e->job.options.run;
    e->job.watched = true;
    run->method = r->method[method];
    if (step > 0.0) run->step = step;
    if (rtol > 0.0) run->rtol = rtol, run->atol = 1e-3 * rtol;
    cli_job_run_text(&e->job);
}

/* If the model lacks `until`, the first run has reported it, so the others are skipped. */
static bool may_run_more(const runs *t) { return !t->n || t->run[t->n - 1].job.exit != CLI_USAGE; }

/* Runs every method at every requested step. */
static void run_all(const cli_job *job, const request *r, runs *t) {
    for (int m = 0; m < r->n_methods; m++) {
        bool once = r->method[m]->adaptive || !r->n_steps;
        for (int k = 0; !r->refused[m] && may_run_more(t) && k < (once ? 1 : r->n_steps); k++)
            add_run(job, r, m, once ? 0.0 : r->step[k], 0.0, t);
    }
}

/* A ladder of steps or tolerances for every method. */
static void run_ladder(const cli_job *job, const request *r, double step, runs *t) {
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; !r->refused[m] && may_run_more(t) && k < LADDER; k++) {
            if (r->method[m]->adaptive)
                add_run(job, r, m, 0.0, pow(10.0, -4 - k), t);
            else
                add_run(job, r, m, step * pow(0.5, k - 1), 0.0, t);
        }
}

/* Adaptive beats fixed, then the higher order, then the smaller step or tolerance. */
static bool more_accurate(const request *r, const entry *a, const entry *b) {
    const dry_method *ma = r->method[a->method], *mb = r->method[b->method];
    if (ma->adaptive != mb->adaptive) return ma->adaptive;
    if (ma->order != mb->order) return ma->order > mb->order;
    return ma->adaptive ? a->rtol < b->rtol : a->step < b->step;
}

/* The most accurate run; with `rigid` given, the most accurate of that kind. */
static const entry *reference(const request *r, const runs *t, int kind) {
    const entry *best = NULL;
    for (int i = 0; i < t->n; i++) {
        const entry *e = &t->run[i];
        bool rigid = is_rigid(r->method[e->method]);
        if (!cli_job_ended(&e->job) || (kind >= 0 && rigid != (kind > 0))) continue;
        if (!best || more_accurate(r, e, best)) best = e;
    }
    return best;
}

/* ---- tables ------------------------------------------------------------------------------ */

static void print_entry(const request *r, const entry *e, const entry *best) {
    printf("%-16s ", r->method[e->method]->name);
    if (!cli_job_ended(&e->job)) {
        printf("did not reach its end\n");
        return;
    }
    double step = e->job.run.step;
    if (r->method[e->method]->adaptive || !(step > 0.0))
        printf("%-10s ", "-");
    else
        printf("%-10.4g ", step);
    printf("%10ld %12.4g ", e->job.result.counts.steps, 1e3 * e->job.result.seconds);
    if (e == best)
        printf("%12s", "reference");
    else
        printf("%12.3g", e->error);
    for (int i = 0; i < dry_model_measures(e->job.model) && i < 6; i++)
        printf(" %14.8g", e->job.measured[i].value);
    putchar('\n');
}

static void print_table(const request *r, runs *t) {
    const entry *best = reference(r, t, -1);
    if (!best) return;
    printf("%-16s %-10s %10s %12s %12s", "method", "step [s]", "steps", "CPU [ms]", "difference");
    for (int i = 0; i < dry_model_measures(best->job.model) && i < 6; i++)
        printf(" %14.14s", best->job.measured[i].name);
    putchar('\n');
    for (int i = 0; i < t->n; i++) {
        if (cli_job_ended(&t->run[i].job))
            t->run[i].error = cli_job_apart(&best->job, &t->run[i].job);
        print_entry(r, &t->run[i], best);
    }
    for (int m = 0; m < r->n_methods; m++)
        if (r->refused[m]) printf("%-16s not for this model\n", r->method[m]->name);
    printf("difference: how far the states at the end are from the reference, each relative to its "
           "largest value in\n"
           "the run, at least a thousandth of the largest with its unit; the rigid methods solve "
           "the inclusion without K,\n"
           "the others its approximation\n");
}

/* ---- how far each can be trusted ----------------------------------------------------------- */

/* "rk4 0.001: " */
static void print_name(const request *r, const entry *e) {
    const double fine = e->step > 0.0 ? e->step : e->rtol;
    printf("%s", r->method[e->method]->name);
    if (fine > 0.0) printf(" %.4g", fine);
    printf(": ");
}

static void print_verdict(const request *r, const entry *e, const dry_watch_verdict *v) {
    char text[300];
    print_name(r, e);
    printf("%s\n", v->text);
    for (int i = 0; i < v->n_gives; i++) {
        dry_watch_give_text(&v->gives[i], text, sizeof text);
        print_name(r, e);
        printf("%s\n", text);
    }
    if (!*v->chosen_text) return;
    print_name(r, e);
    printf("%s\n", v->chosen_text);
}

/* Watches a run; it may choose K again for the step of that run. */
static bool watch_run(const entry *e, dry_watch_verdict *v) {
    cli_job job = e->job;
    job.options.choose_step = 0.0;
    return cli_job_watch(&job, v);
}

/* Prints the verdict of every finished run. Returns CLI_RUN if one could not be watched or, with
 * --strict, cannot be trusted. */
static int watch_runs(const request *r, const cli_args *args, const runs *t) {
    int code = CLI_FINE;
    for (int i = 0; i < t->n; i++) {
        const entry *e = &t->run[i];
        dry_watch_verdict v = {0};
        if (!cli_job_ended(&e->job)) continue;
        const bool watched = watch_run(e, &v);
        if (watched) print_verdict(r, e, &v);
        if (!watched || (cli_has(args, "strict") && !dry_watch_is_good(&v))) code = CLI_RUN;
        dry_watch_free(&v);
    }
    return code;
}

/* The slope of log(error) over log(step) between the coarsest and the finest run that count. */
static double observed_order(const runs *t, int method) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        const entry *e = &t->run[i];
        if (e->method != method || !cli_job_ended(&e->job) || !(e->error > 1e-13) ||
            !(e->error < 0.3))
            continue;
        double x = log(e->step), y = log(e->error);
        sx += x, sy += y, sxx += x * x, sxy += x * y, n++;
    }
    return n > 2 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : (double)NAN;
}

static void print_ladder(const request *r, runs *t) {
    for (int i = 0; i < t->n; i++) { /* each kind has its own truth */
        entry *e = &t->run[i];
        const entry *best = reference(r, t, is_rigid(r->method[e->method]));
        if (cli_job_ended(&e->job) && best && best != e)
            e->error = cli_job_apart(&best->job, &e->job);
    }
    printf("%-16s %12s %12s %12s\n", "method", "step or rtol", "CPU [ms]", "error");
    for (int i = 0; i < t->n; i++) {
        const entry *e = &t->run[i];
        if (cli_job_ended(&e->job) && !isnan(e->error))
            printf("%-16s %12.3g %12.4g %12.3g\n", r->method[e->method]->name,
                   e->step > 0.0 ? e->step : e->rtol, 1e3 * e->job.result.seconds, e->error);
    }
    for (int m = 0; m < r->n_methods; m++)
        if (!r->method[m]->adaptive && !isnan(observed_order(t, m)))
            printf("%s: observed order %.2f\n", r->method[m]->name, observed_order(t, m));
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* The error over the CPU for one method. */
static dry_record *curve_of(const runs *t, int method) {
    const dry_quantity columns[] = {{"CPU", "s"}, {"error", ""}};
    dry_record *record = dry_record_new(columns, 2);
    for (int i = 0; record && i < t->n; i++) {
        const entry *e = &t->run[i];
        if (e->method != method || !cli_job_ended(&e->job) || !(e->error > 0.0)) continue;
        double row[2] = {fmax(e->job.result.seconds, 1e-6), e->error};
        dry_record_add(record, row);
    }
    return record;
}

static dry_status draw_ladder(const request *r, const runs *t, const char *path, dry_error *error) {
    dry_record *record[MOST_METHODS] = {0};
    dry_panel panel = {.x = 0, .x_axis.log = true, .y_axis.log = true, .marks = 20};
    for (int m = 0; m < r->n_methods; m++) {
        record[m] = curve_of(t, m);
        if (!record[m] || dry_record_rows(record[m]) < 2) continue;
        panel.y[panel.n_curves] = 1;
        panel.record[panel.n_curves] = record[m];
        panel.label[panel.n_curves++] = r->method[m]->name;
    }
    dry_plot plot = {
        .record = panel.record[0], .title = "Error against CPU", .panels = &panel, .n_panels = 1};
    dry_status status = panel.n_curves
                            ? dry_plot_write(&plot, path, error)
                            : dry_error_set(error, DRY_BAD_ARGUMENT, "there is nothing to draw");
    for (int m = 0; m < r->n_methods; m++) dry_record_free(record[m]);
    return status;
}

/* The title of a panel: as the text has it, or the name of its first curve. */
static const char *title_of(const dry_model_panel *from, const dry_record *record,
                            dry_arena *arena) {
    if (from->title) return from->title;
    if (from->label[0]) return from->label[0];
    return dry_plot_math(arena, dry_record_quantity(record, from->y[0]).name);
}

/* The first curve of a panel of the model, by every method. */
static dry_panel panel_of(const request *r, const runs *t, const dry_model_panel *from) {
    dry_panel panel = {.x = from->x[0], .x_axis = from->x_axis, .y_axis = from->y_axis};
    for (int i = 0; i < t->n && panel.n_curves < DRY_PLOT_CURVES; i++) {
        if (!cli_job_ended(&t->run[i].job)) continue;
        const int k = panel.n_curves++;
        panel.y[k] = from->y[0];
        panel.record[k] = t->run[i].job.result.record;
        panel.label[k] = r->method[t->run[i].method]->name;
    }
    return panel;
}

static dry_status draw_panels(const request *r, const runs *t, const cli_job *best,
                              dry_arena *arena, const char *path, dry_error *error) {
    const int n = dry_model_panels(best->model);
    dry_panel *panels = dry_arena_take(arena, sizeof *panels * (size_t)n);
    bool good = panels != NULL;
    for (int p = 0; good && p < n; p++) {
        const dry_model_panel from = dry_model_panel_at(best->model, p);
        panels[p] = panel_of(r, t, &from);
        panels[p].title = title_of(&from, best->result.record, arena);
        good = panels[p].title != NULL;
    }
    if (!good) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    const dry_plot plot = {.record = best->result.record,
                           .title = dry_model_title(best->model),
                           .panels = panels,
                           .n_panels = n};
    return dry_plot_write(&plot, path, error);
}

static dry_status draw_runs(const request *r, const runs *t, const char *path, dry_error *error) {
    const entry *best = reference(r, t, -1);
    if (!best || !dry_model_panels(best->job.model))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the model has no `plot` line: nothing to draw");
    dry_arena *arena = dry_arena_new(0);
    const dry_status status = arena ? draw_panels(r, t, &best->job, arena, path, error)
                                    : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_arena_free(arena);
    return status;
}

/* ---- the verb ------------------------------------------------------------------------------ */

static double model_step(const cli_job *job) {
    dry_model *model = dry_model_compile(job->path, job->text, job->length, &job->options);
    const double step = model ? dry_model_choose_step(model) : (double)NAN;
    dry_model_free(model);
    return step;
}

/* The code of the first run that did not come to its end. */
static int code_of_runs(const runs *t) {
    for (int i = 0; i < t->n; i++)
        if (!cli_job_ended(&t->run[i].job)) return t->run[i].job.exit;
    return CLI_FINE;
}

static int compare(const cli_job *job, const request *r, const cli_args *args) {
    static runs t; /* large, and there is one */
    const bool ladder = cli_has(args, "work-precision");
    const char *path = cli_text(args, "plot", NULL);
    dry_error error = {0};
    int code = CLI_FINE;
    t.n = 0;
    if (ladder)
        run_ladder(job, r, r->n_steps ? r->step[0] : model_step(job), &t);
    else
        run_all(job, r, &t);
    if (ladder)
        print_ladder(r, &t);
    else
        print_table(r, &t);
    if (r->watched) code = watch_runs(r, args, &t);
    if (!reference(r, &t, -1))
        code = t.n ? t.run[0].job.exit : CLI_USAGE;
    else if (path && (ladder ? draw_ladder(r, &t, path, &error) : draw_runs(r, &t, path, &error)) !=
                         DRY_OK) {
        cli_complain_error(&error);
        code = CLI_RUN;
    }
    if (code == CLI_FINE && !ladder) code = code_of_runs(&t); /* a ladder has too long steps */
    for (int i = 0; i < t.n; i++) cli_job_free(&t.run[i].job);
    return code;
}

static int compare_job(const cli_args *args, request *r, cli_job *job) {
    char *text = NULL;
    dry_error error = {0};
    if (dry_file_read(job->path, DRY_MODEL_MOST_BYTES, &text, &job->length, &error) != DRY_OK)
        return cli_complain_error(&error), CLI_USAGE;
    job->text = text;
    job->options.choose_step = model_step(job); /* the same K for every step */
    const bool any = find_refused(job, r, cli_has(args, "methods"));
    const int code = any ? compare(job, r, args) : CLI_MODEL;
    free(text);
    return code;
}

static int run(const cli_args *args) {
    request r = {0};
    cli_job job;
    if (!read_methods(cli_text(args, "methods", "rk4,dop853,rigid"), &r) ||
        !read_steps(cli_text(args, "steps", ""), &r) || !uses_steps(args, &r) ||
        !cli_asks_watch(args, &r.watched))
        return CLI_USAGE;
    if (!cli_spares_input(args, "--plot", cli_text(args, "plot", "-"))) return CLI_USAGE;
    int code = cli_job_read(&job, args);
    if (code == CLI_FINE) code = compare_job(args, &r, &job);
    cli_job_free(&job);
    return code;
}

const cli_verb cli_verb_compare = {
    .name = "compare",
    .arguments = "FILE",
    .summary = "run a model by several methods, side by side",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
