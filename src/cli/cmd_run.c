/* drystone run FILE: runs a model, prints its measures, writes results and pictures. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------- */

static const cli_option options[] = {
    {"param", 'p', CLI_SETTING, "NAME=VALUE",
     "set a parameter: a number or list, SI or with its unit", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
#include "run_rows.def"
    {"method", 0, CLI_METHOD, "NAME", NULL, NULL},
    {"record", 0, CLI_POSITIVE, "SECONDS", "sampling interval of the results", "seconds"},
    {"sensitivity", 0, CLI_TEXT, "NAMES",
     "add derivatives by these parameters, such as F,K, to the measures and to the columns", NULL},
    {"output", 'o', CLI_TEXT, "FILE",
     "write the results: .csv, .h5; - is CSV to the output, without the summary (may be repeated)",
     NULL},
    {"plot", 0, CLI_TEXT, "FILE", "write the picture: .svg, .png, .pdf", NULL},
    {"report", 0, CLI_TEXT, "FILE", "write a report of the run as one page: .html", NULL},
    {"playground", 0, CLI_TEXT, "ADDRESS",
     "with --report: the page leads to the playground at this address", NULL},
    {"picture", 0, CLI_FLAG, NULL, "draw in the terminal, even if the output is not a terminal",
     NULL},
    {"dark", 0, CLI_FLAG, NULL, "light ink on a dark background", NULL},
    {"verify", 0, CLI_FLAG, NULL, "repeat the run more finely, and estimate the errors", NULL},
    {"no-watch", 0, CLI_FLAG, NULL, "do not repeat the run to see how far it can be trusted", NULL},
#include "watch_rows.def"
    {"threads", 0, CLI_COUNT, "N",
     "number of threads for the parts, up to one per processor; the results do not change", NULL},
    {"quiet", 0, CLI_FLAG, NULL, "print only errors, and the verdict if it is not `trusted`", NULL},
    {"json", 0, CLI_FLAG, NULL, "print the summary as JSON", NULL},
    {0},
};

/* More threads than processors would wait for each other. */
static int read_threads(const cli_args *args) {
    const double wanted = cli_number(args, "threads", 1.0);
    const int cores = cli_cores();
    if (wanted <= cores) return (int)wanted;
    if (!cli_has(args, "quiet"))
        fprintf(stderr, "note: %d of %.0f threads run, one on each processor\n", cores, wanted);
    return cores;
}

/* ---- the summary ------------------------------------------------------------------- */

static void print_set(const dry_model *model, int index) {
    dry_set_info s = dry_model_set(model, index);
    const struct {
        const char *name, *unit;
        int digits;
        double value;
    } numbers[] = {{"K", "", 6, s.K},
                   {"alpha", " s", 4, s.alpha},
                   {"beta", " s", 4, s.beta},
                   {"restitution", "", 3, s.restitution}};
    const char *before = "";
    printf("  %-10s %-4s %-12s", s.name, s.set ? s.set->name : "law", s.law->name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (isnan(numbers[i].value)) continue;
        printf("%s %s = %.*g%s", before, numbers[i].name, numbers[i].digits, numbers[i].value,
               numbers[i].unit);
        before = ",";
    }
    if (s.set) printf(" (%s)", s.chosen);
    putchar('\n');
}

static void print_sets(const dry_model *model) {
    int n = dry_model_sets(model);
    for (int i = 0; i < n && i < 12; i++) print_set(model, i);
    if (n > 12) printf("  ... and %d more\n", n - 12);
}

/* Prints a line of chosen parameters for each part. */
static void print_chosen(const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    int parts = 0, last = -1;
    for (int i = -1; (i = dry_model_next_chosen(model, i + 1)) >= 0;) {
        const int part = dry_model_part_of_par(model, i);
        const char *name;
        (void)dry_net_part_at(dry_model_net(model), part, &name);
        if (part != last && ++parts <= 12) printf("%s  %-10s", parts > 1 ? "\n" : "", name);
        if (parts <= 12)
            printf("%s %s = %.6g %s", part == last ? "," : "", dry_model_part_par_name(model, i),
                   system->par[i], system->params[i].unit);
        last = part;
    }
    if (parts) printf(" (from the step and the inertia of the ends)\n");
    if (parts > 12) printf("  ... and %d more\n", parts - 12);
}

static void print_expected(const dry_expected *e) {
    printf("  %s %s", e->met ? "met    " : "NOT MET", e->source);
    if (!isnan(e->target)) printf("   (found %.9g)", e->value);
    putchar('\n');
}

/* "3 states, " */
static void print_count(long n, const char *one, const char *many) {
    printf("%ld %s, ", n, cli_noun((double)n, one, many));
}

/* The sign of a nan means nothing. */
static void print_measured(const dry_measured *m) {
    printf("  %-16s = %.9g %s\n", m->name, isnan(m->value) ? fabs(m->value) : m->value, m->unit);
}

static bool go_on(void *user, double t) {
    (void)user, (void)t;
    return !cli_is_interrupted();
}

/* How far each output is from what was measured, to be freed; NULL after a complaint. */
static dry_fit_size *compare(const cli_job *job) {
    dry_error error = {0};
    dry_sim_options how = {.run = job->run, .progress = go_on};
    dry_fit_size *sizes = calloc((size_t)dry_model_againsts(job->model) + 1, sizeof *sizes);
    if (!sizes) return cli_complain("out of memory"), NULL;
    if (job->result.stop) how.run.until = job->result.end;
    if (dry_fit_compare(job->model, &how, job->result.record, sizes, &error) == DRY_OK)
        return sizes;
    cli_complain("the outputs cannot be compared with what was measured: %s", error.text);
    free(sizes);
    return NULL;
}

static void print_outputs(const cli_job *job) {
    const int n = dry_model_againsts(job->model);
    dry_fit_size *sizes = n ? compare(job) : NULL;
    if (sizes) puts("outputs");
    for (int i = 0; sizes && i < n; i++) {
        const dry_against a = dry_model_against(job->model, i);
        printf("  %s against %s", a.name, a.column);
        if (a.file) printf(" of %s", a.file);
        if (sizes[i].rows)
            printf(": rms %.4g%s%s, %.3g %% of what was measured, %zu rows\n", sizes[i].rms,
                   a.unit[0] ? " " : "", a.unit, 100.0 * sizes[i].fraction, sizes[i].rows);
        else
            printf(": no row within the run\n");
    }
    free(sizes);
}

static int print_summary(const cli_job *job) {
    const dry_model *model = job->model;
    const dry_run_options *run = &job->run;
    const dry_system *system = dry_model_system(model);
    const dry_ode_counts *c = &job->result.counts;
    printf("%s\n", dry_model_title(model));
    printf("  ");
    print_count(system->n_states, "state", "states");
    if (dry_model_net(model))
        print_count(dry_net_part_count(dry_model_net(model)), "part", "parts");
    if (dry_model_sets(model))
        print_count(dry_model_sets(model), "set-valued force or law", "set-valued forces and laws");
    printf("%s", run->method->name);
    if (run->step > 0.0) printf(", step %.6g s", run->step);
    printf(", 0 .. %.6g s\n", run->until);
    if (job->result.stop)
        printf("  stopped at t = %.9g s: %s\n", job->result.end,
               dry_model_watch_text(model, job->result.stop));
    print_sets(model);
    print_chosen(model);
    printf("  ");
    print_count(c->steps, "step", "steps");
    print_count(c->rates, "rate", "rates");
    if (c->kinks) print_count(c->kinks, "kink located", "kinks located");
    printf("%.3g s of CPU, %s\n", job->result.seconds, job->is_native ? "native code" : "bytecode");
    if (dry_model_measures(model)) printf("measures\n");
    for (int i = 0; i < dry_model_measures(model); i++) print_measured(&job->measured[i]);
    if (dry_model_expects(model)) printf("expectations\n");
    for (int i = 0; i < dry_model_expects(model); i++) print_expected(&job->expected[i]);
    if (job->result.record) print_outputs(job);
    if (job->slopes) cli_slopes_print(job);
    return job->result.record ? cli_print_account(job) : CLI_FINE;
}

/* ---- JSON -------------------------------------------------------------------------- */

static void json_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 32)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_number(const char *key, double x, const char *before) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(x, text);
    printf("%s\"%s\": %s", before, key, isfinite(x) ? text : "null");
}

/* What stands on stderr, line by line. */
static void json_lines(const dry_watch_verdict *v) {
    char lines[CLI_WORD_LINES][CLI_WORD_LINE];
    const int n = cli_word_lines(v, lines);
    printf(", \"lines\": [");
    for (int i = 0; i < n; i++) {
        printf("%s", i ? ", " : "");
        json_text(lines[i]);
    }
    printf("]");
}

static void json_watch(const dry_watch_verdict *v) {
    if (!v->text[0]) return;
    printf(", \"watch\": {\"word\": \"%s\"", dry_watch_word_text(v->word));
    json_number("error", v->error, ", ");
    printf(", \"sampled\": %s, \"text\": ", v->sampled ? "true" : "false");
    json_text(v->text);
    json_number("chosen", v->chosen_error, ", ");
    printf(", \"gives\": [");
    for (int i = 0; i < v->n_gives; i++) {
        const dry_watch_give *g = &v->gives[i];
        printf("%s{\"name\": ", i ? ", " : "");
        json_text(g->name);
        json_number("by", g->by, ", ");
        json_number("wanted", g->wanted, ", ");
        json_number("step", g->step, ", ");
        json_number("K", g->K, ", ");
        printf("}");
    }
    printf("]");
    json_lines(v);
    printf("}");
}

static void json_stop(const cli_job *job) {
    if (!job->result.stop) return;
    json_number("t", job->result.end, ", \"stopped\": {");
    printf(", \"reason\": ");
    json_text(dry_model_watch_text(job->model, job->result.stop));
    printf("}");
}

static void json_slope(const cli_job *job, const dry_slopes_of *of, const dry_slope *slope) {
    const int n = dry_model_measures(job->model);
    printf("{\"name\": ");
    json_text(of->name);
    json_number("value", of->value, ", ");
    printf(", \"unit\": ");
    json_text(of->unit);
    printf(", \"by\": \"%s\"", of->why ? "differences" : "equations");
    json_number("error", of->error, ", ");
    if (of->why) {
        printf(", \"why\": ");
        json_text(of->why);
    }
    printf(", \"measures\": {");
    for (int m = 0; m < n; m++) {
        printf("%s", m ? ", " : "");
        json_text(job->measured[m].name);
        json_number("value", slope[m].value, ": {");
        json_number("error", slope[m].error, ", ");
        printf(", \"by\": \"%s\"}", slope[m].by_equations ? "equations" : "differences");
    }
    printf("}}");
}

static void json_slopes(const cli_job *job) {
    const dry_slopes *slopes = job->slopes;
    if (!slopes) return;
    printf(", \"sensitivities\": [");
    for (int i = 0; i < slopes->n; i++) {
        printf("%s", i ? ", " : "");
        json_slope(job, &slopes->of[i], slopes->measure + i * dry_model_measures(job->model));
    }
    printf("]");
}

static void json_outputs(const cli_job *job) {
    const char *before = ", \"outputs\": [";
    const int n = job->result.record ? dry_model_againsts(job->model) : 0;
    dry_fit_size *sizes = n ? compare(job) : NULL;
    for (int i = 0; sizes && i < n; i++) {
        printf("%s{\"name\": ", before);
        json_text(dry_model_against(job->model, i).name);
        printf(", \"rows\": %zu", sizes[i].rows);
        json_number("rms", sizes[i].rms, ", ");
        json_number("fraction", sizes[i].fraction, ", ");
        printf("}");
        before = ", ";
    }
    if (before[2] == '\0') printf("]");
    free(sizes);
}

static void print_json(const cli_job *job, const dry_watch_verdict *verdict) {
    const dry_model *model = job->model;
    const dry_run_options *run = &job->run;
    const dry_ode_counts *c = &job->result.counts;
    printf("{\"model\": ");
    json_text(dry_model_name(model));
    printf(", \"title\": ");
    json_text(dry_model_title(model));
    printf(", \"method\": \"%s\"", run->method->name);
    json_number("until", run->until, ", ");
    json_number("step", run->step > 0.0 ? run->step : (double)NAN, ", ");
    printf(", \"states\": %d, \"steps\": %ld, \"rates\": %ld, \"kinks\": %ld",
           dry_model_system(model)->n_states, c->steps, c->rates, c->kinks);
    json_stop(job);
    json_number("seconds", job->result.seconds, ", ");
    printf(", \"code\": \"%s\"", job->is_native ? "native" : "bytecode");
    printf(", \"forces\": [");
    for (int i = 0; i < dry_model_sets(model); i++) {
        dry_set_info s = dry_model_set(model, i);
        printf("%s{\"name\": ", i ? ", " : "");
        json_text(s.name);
        printf(", \"set\": \"%s\", \"law\": \"%s\"", s.set ? s.set->name : "", s.law->name);
        json_number("K", s.K, ", ");
        json_number("alpha", s.alpha, ", ");
        json_number("beta", s.beta, ", ");
        json_number("mass", s.mass, ", ");
        json_number("restitution", s.restitution, ", ");
        printf("}");
    }
    printf("], \"measures\": {");
    for (int i = 0; i < dry_model_measures(model); i++)
        json_number(job->measured[i].name, job->measured[i].value, i ? ", " : "");
    printf("}, \"expectations\": [");
    for (int i = 0; i < dry_model_expects(model); i++) {
        const dry_expected *e = &job->expected[i];
        printf("%s{\"text\": ", i ? ", " : "");
        json_text(e->source);
        printf(", \"met\": %s", e->met ? "true" : "false");
        json_number("value", e->value, ", ");
        printf("}");
    }
    printf("]");
    json_outputs(job);
    json_slopes(job);
    json_watch(verdict);
    printf("}\n");
}

/* ---- files and pictures ------------------------------------------------------------ */

/* Returns true if results go to standard output, which must then hold nothing else. */
static bool is_piped(const cli_args *args) {
    bool piped = false;
    for (int i = 0; cli_nth(args, "output", i); i++)
        piped = piped || strcmp(cli_nth(args, "output", i)->text, "-") == 0;
    return piped;
}

/* Whether there is a picture to draw in the terminal. */
static bool draws_in_terminal(const cli_args *args) {
    const bool quiet = cli_has(args, "quiet") || cli_has(args, "json") || is_piped(args);
    return cli_has(args, "picture") || (cli_is_terminal(stdout) && !quiet);
}

static int draw(const cli_job *job, const cli_args *args) {
    int n = dry_model_panels(job->model);
    const char *path = cli_text(args, "plot", NULL);
    const bool in_terminal = draws_in_terminal(args);
    if (path && !n)
        cli_complain("the model has no `plot` line, so there is nothing to draw in %s", path);
    if (!n || (!path && !in_terminal)) return path && !n ? CLI_USAGE : CLI_FINE;
    dry_panel *panels = calloc((size_t)n, sizeof *panels);
    if (!panels) return cli_complain("out of memory"), CLI_RUN;
    dry_plot plot = dry_report_plot(job->model, job->result.record, panels);
    dry_error error = {0};
    dry_status status = DRY_OK;
    if (in_terminal) status = dry_plot_terminal(&plot, stdout, cli_wants_colour(stdout), &error);
    plot.dark = cli_has(args, "dark");
    if (path && status == DRY_OK) status = dry_plot_write(&plot, path, &error);
    free(panels);
    if (status != DRY_OK) cli_complain_error(&error);
    return status == DRY_OK ? CLI_FINE : CLI_RUN;
}

/* Checks before a long run that all files can be written. */
static bool can_write(const cli_args *args) {
    static const char *const keys[] = {"output", "plot", "report"};
    static const char *const names[] = {"-o", "--plot", "--report"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; cli_nth(args, keys[k], i); i++)
            if (!cli_spares_input(args, names[k], cli_nth(args, keys[k], i)->text) ||
                !cli_can_write(cli_nth(args, keys[k], i)->text))
                return false;
    return true;
}

static bool endings_fit(const cli_args *args) {
    const char *path = cli_text(args, "plot", NULL);
    for (int i = 0; cli_nth(args, "output", i); i++)
        if (!cli_is_table("-o", cli_nth(args, "output", i)->text)) return false;
    if (path && !cli_is_picture("--plot", path)) return false;
    path = cli_text(args, "report", NULL);
    if (path && !cli_ends_with(path, ".html") && !cli_ends_with(path, ".htm"))
        return cli_complain("--report %s: the ending must be .html", path), false;
    if (cli_has(args, "playground") && !path)
        return cli_complain("--playground says where a report leads: give --report FILE too"),
               false;
    return true;
}

static bool options_fit(const cli_args *args) {
    static const char *const rivals[][2] = {{"native", "no-native"},
                                            {"no-watch", "strict"},
                                            {"no-watch", "watch-limit"},
                                            {"no-watch", "watch-error"},
                                            {"json", "verify"},
                                            {"-", "json"},
                                            {"-", "verify"},
                                            {"-", "picture"}};
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        const char *a = rivals[i][0], *b = rivals[i][1];
        const bool pipe = a[0] == '-';
        if (!cli_has(args, b) || !(pipe ? is_piped(args) : cli_has(args, a))) continue;
        cli_complain("%s%s and --%s cannot be combined%s", pipe ? "-o " : "--", a, b,
                     a[0] == 'n' || b[0] == 'n' ? "" : ": run it once with each");
        return false;
    }
    if (cli_has(args, "dark") && !cli_has(args, "plot"))
        return cli_complain("--dark needs a picture: --plot FILE"), false;
    return true;
}

static int finish(const cli_args *args, const cli_job *job, const dry_watch_verdict *verdict) {
    int written = job->slopes ? cli_slopes_write(job, args) : cli_rows_commit(job->rows);
    int printed = CLI_FINE;
    cli_rows_warn(job->rows, job->path, job->model);
    if (cli_has(args, "json"))
        print_json(job, verdict);
    else if (!cli_has(args, "quiet") && !is_piped(args))
        printed = print_summary(job);
    else if (!cli_has(args, "quiet") && job->result.stop)
        cli_complain("%s: stopped at t = %.9g s: %s", job->path, job->result.end,
                     dry_model_watch_text(job->model, job->result.stop));
    if (verdict->text[0]) cli_print_word(verdict, job->path, cli_has(args, "quiet"));
    int drawn = draw(job, args);
    return written ? written : printed ? printed : drawn ? drawn : job->exit;
}

/* ---- a closer look ------------------------------------------------------------------ */

/* verified: NULL unless it was. */
static int report(const cli_args *args, const cli_job *job, const cli_verified *verified,
                  const dry_watch_verdict *verdict) {
    const char *to = cli_text(args, "report", NULL);
    dry_error error = {0};
    dry_card card = {
        .path = job->path, .watched = verdict, .playground = cli_text(args, "playground", NULL)};
    if (verified) {
        card.estimates = verified->estimates;
        card.n_estimates = verified->n;
        card.verdict = verified->verdict;
    }
    cli_job_card(job, &card);
    if (dry_report_write(&card, to, &error) == DRY_OK) return job->exit;
    cli_complain_error(&error);
    return CLI_RUN;
}

/* Handles options that need more than the run itself; *good: its numbers can be trusted. */
static int look_closer(const cli_args *args, const cli_job *job, const dry_watch_verdict *verdict,
                       bool *good) {
    const char *to = cli_text(args, "report", NULL);
    cli_verified verified = {.good = dry_watch_is_good(verdict)};
    const bool closely = cli_has(args, "verify");
    int code = job->exit;
    if (closely && cli_verify(job, &verified) != CLI_FINE) code = CLI_RUN;
    *good = verified.good;
    if (to && code == job->exit) code = report(args, job, closely ? &verified : NULL, verdict);
    cli_verified_free(&verified);
    return code;
}

/* Watches the run, prints its results, and handles options that need more runs. */
static int watch_and_report(const cli_args *args, const cli_job *job) {
    dry_watch_verdict verdict = {0};
    bool good = true;
    int code = job->exit;
    if (job->watched && !cli_job_watch(job, &verdict))
        code = cli_is_interrupted() ? CLI_INTERRUPT : CLI_RUN;
    const int finished = finish(args, job, &verdict);
    if (code == job->exit) code = finished;
    if (code == CLI_FINE || code == CLI_EXPECTATION) code = look_closer(args, job, &verdict, &good);
    if (code == CLI_FINE && cli_has(args, "strict") && !good) code = CLI_RUN;
    if (!cli_account_holds(job)) code = CLI_RUN;
    dry_watch_free(&verdict);
    return code;
}

/* ---- the verb ----------------------------------------------------------------------- */

/* Whether someone looks at the rows again after the run. Else they are not kept, and the memory of
 * a run does not grow with its length. */
static bool needs_record(const cli_args *args, const cli_job *job) {
    const bool draws =
        dry_model_panels(job->model) && (cli_text(args, "plot", NULL) || draws_in_terminal(args));
    return job->watched || cli_has(args, "verify") || cli_has(args, "sensitivity") ||
           cli_has(args, "report") || draws || dry_model_againsts(job->model) > 0 ||
           dry_model_net(job->model); /* which has an account of energy */
}

/* What was recorded until the run ended early. */
static int keep_partial(cli_job *job) {
    const bool interrupted = job->exit == CLI_RUN && cli_is_interrupted();
    if (interrupted) cli_complain("interrupted");
    cli_rows_keep(job->rows);
    return interrupted ? CLI_INTERRUPT : job->exit;
}

static int run_job(const cli_args *args, cli_job *job) {
    job->options.threads = read_threads(args);
    job->progress = !cli_has(args, "quiet");
    job->watched = !cli_has(args, "no-watch") && !cli_has(args, "verify");
    job->paged = cli_has(args, "report");
    if (cli_job_compile(job) != CLI_FINE) return job->exit;
    if (!can_write(args)) return CLI_RUN;
    job->streams = !needs_record(args, job);
    const char *by = cli_text(args, "sensitivity", NULL);
    job->rows = cli_rows_new(job->model, args, job->streams, by != NULL);
    if (!job->rows) return CLI_RUN;
    cli_catch_interrupt();
    cli_job_run(job);
    if (by && cli_job_ended(job)) {
        const int code = cli_job_slopes(job, by);
        if (code != CLI_FINE) return code;
    }
    if (by && !cli_job_ended(job) && cli_has(args, "output"))
        cli_complain("no file was written, because --sensitivity writes files after the run");
    return cli_job_ended(job) ? watch_and_report(args, job) : keep_partial(job);
}

static int run_verb(const cli_args *args) {
    cli_job job;
    int code = cli_job_read(&job, args);
    if (code == CLI_FINE && !(endings_fit(args) && options_fit(args))) code = CLI_USAGE;
    if (code == CLI_FINE) code = run_job(args, &job);
    cli_job_free(&job);
    return code;
}

const cli_verb cli_verb_run = {
    .name = "run",
    .arguments = "FILE",
    .summary = "run a model; print numbers, draw a picture, write files",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_verb,
};
