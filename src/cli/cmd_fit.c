/* drystone fit FILE: brings a model to measured data: parameters with intervals, a table, a text.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"data", 0, CLI_TEXT, "FILE",
     "a record in place of that of the text: .csv, .h5 (may be repeated: one fit of all)", NULL},
    {"free", 0, CLI_TEXT, "NAMES",
     "what to fit in place of what the text frees: F,K=1e3..1e6:log,v0:own, start v", NULL},
    {"laws", 0, CLI_TEXT, "LAWS",
     "fit each of these friction laws instead of that of the text, and rank them: "
     "coulomb,lugre,multistate:6, or f:coulomb,lugre of the force f",
     NULL},
    {"hold-out", 0, CLI_TEXT, "last:PART",
     "do not fit the last part of each record, such as last:40%, or from:SECONDS on, but judge by "
     "it",
     NULL},
    {"loss", 0, CLI_TEXT, "huber:K",
     "residuals beyond K robust standard deviations count in proportion (default: all squared)",
     NULL},
    {"starts", 0, CLI_COUNT, "N", "begin from N points within the bounds (default 1: the text)",
     NULL},
    {"search", 0, CLI_TEXT, "crs:RUNS",
     "look for the lowest valley first, without derivatives: crs, isres (needs NLopt)", NULL},
    {"seed", 0, CLI_COUNT, "N", "of these points, and of the search", NULL},
    {"journal", 0, CLI_TEXT, "FILE", "with --starts: keep those that are finished in FILE", NULL},
    {"resume", 0, CLI_FLAG, NULL, "continue an interrupted fit from its journal", NULL},
    {"windows", 0, CLI_TEXT, "N",
     "first fit each record in N windows, or in windows of a length such as 0.5s, that join in the "
     "end",
     NULL},
    {"most-steps", 0, CLI_COUNT, "N", "steps of the solver from each start (default 100)", NULL},
    {"tolerance", 0, CLI_POSITIVE, "X", "end where a step changes less than this (default 1e-6)",
     NULL},
    {"output", 'o', CLI_TEXT, "FILE", "write the text with the fitted values: .dry", NULL},
    {"report", 0, CLI_TEXT, "FILE.html",
     "write a page: residuals over time, position, speed; loops, intervals, correlation, warnings",
     NULL},
    {"json", 0, CLI_FLAG, NULL, "print the result as JSON", NULL},
    {"quiet", 0, CLI_FLAG, NULL, "print only errors", NULL},
    {"jobs", 'j', CLI_COUNT, "N", "threads (default one for each core); the results do not change",
     NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE",
     "set a parameter: a number or list, SI or with its unit; one that is free begins there", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"elements", 0, CLI_TEXT, "N",
     "FILE is a record: print N elements of multistate from its loops, or as many as are `seen`",
     NULL},
    {"position", 0, CLI_TEXT, "COLUMN", "with --elements: \"x [mm]\"", NULL},
    {"friction", 0, CLI_TEXT, "COLUMN", "with --elements: \"f [N]\"", NULL},
    {"between", 0, CLI_TEXT, "FROM:TO", "with --elements: rows by the first column", NULL},
#include "run_rows.def"
    {"method", 0, CLI_METHOD, "NAME", NULL, NULL},
    {0},
};

/* ---- what the line says ------------------------------------------------------------------------
 */

/* One end of "1e3..1e6". */
static bool read_end(const char **at, double *value) {
    const char *end;
    const bool minus = **at == '-';
    if (!dry_number_parse(*at + minus, &end, value)) return false;
    if (minus) *value = -*value;
    *at = end;
    return true;
}

/* "low..high", where the number 1e3 of 1e3..1e6 would take the first point. */
static bool read_bounds(char **at, dry_fit_free *free) {
    const char *from = *at, *to;
    char *dots = strstr(*at, "..");
    if (!dots) return false;
    *dots = '\0';
    if (!read_end(&from, &free->low) || *from) return false;
    to = dots + 2;
    if (!read_end(&to, &free->high)) return false;
    *at = dots + 2 + (to - (dots + 2));
    return true;
}

/* ":log", ":own", in any order */
static bool read_ways(const char *at, dry_fit_free *free) {
    while (*at == ':') {
        const size_t n = strcspn(++at, ":");
        const bool is_log = n == 3 && !strncmp(at, "log", n);
        const bool is_own = n == 3 && !strncmp(at, "own", n);
        if (!is_log && !is_own) return false;
        free->log = free->log || is_log;
        free->own = free->own || is_own;
        at += n;
    }
    return !*at;
}

/* NAME[=low..high][:log][:own]; ends its name. */
static bool read_free(char *text, dry_fit_free *free) {
    char *end = text + strcspn(text, "=:"), *at = end + (*end == '=');
    *free = (dry_fit_free){.name = text};
    if (*end == '=' && !read_bounds(&at, free)) return false;
    const bool good = read_ways(at, free);
    *end = '\0';
    return good && *text;
}

/* Cuts the list at its commas; those in brackets belong to a name: A[1,2]. */
static char *cut(char *list) {
    int depth = 0;
    for (; *list; list++) {
        depth += (*list == '[') - (*list == ']');
        if (*list != ',' || depth) continue;
        *list = '\0';
        return list + 1;
    }
    return NULL;
}

static int read_frees(const cli_args *args, cli_fit *f) {
    const char *text = cli_text(args, "free", NULL);
    if (!text) return CLI_FINE;
    f->names = strdup(text);
    f->free = calloc(strlen(text) + 1, sizeof *f->free);
    if (!f->names || !f->free) return cli_complain("out of memory"), CLI_RUN;
    for (char *name = f->names, *next; name; name = next) {
        next = cut(name);
        name += strspn(name, " ");
        if (read_free(name, &f->free[f->fit.n_free++])) continue;
        return cli_complain("--free takes names with commas between them, each with bounds if you "
                            "like, such as F,K=1e3..1e6:log,v0:own, but not `%s`",
                            text),
               CLI_USAGE;
    }
    f->fit.free = f->free;
    return CLI_FINE;
}

static int read_hold(const cli_args *args, cli_fit *f) {
    const char *text = cli_text(args, "hold-out", NULL), *end = "";
    double value = 0.0;
    if (!text) return CLI_FINE;
    const bool last = !strncmp(text, "last:", 5), from = !strncmp(text, "from:", 5);
    bool good = (last || from) && dry_number_parse(text + 5, &end, &value) && value > 0.0;
    if (good && last && *end == '%') value *= 0.01, end++;
    if (good && from && *end == 's') end++;
    good = good && !*end && isfinite(value) && (from || value < 1.0);
    if (!good)
        return cli_complain(
                   "--hold-out takes last:40%% (a part of each record) or from:3s (a time), "
                   "but not `%s`",
                   text),
               CLI_USAGE;
    *(last ? &f->fit.hold_last : &f->fit.hold_from) = value;
    return CLI_FINE;
}

static int read_loss(const cli_args *args, cli_fit *f) {
    const char *text = cli_text(args, "loss", "squares"), *end = "";
    if (!strcmp(text, "squares")) return CLI_FINE;
    if (!strncmp(text, "huber:", 6) && dry_number_parse(text + 6, &end, &f->fit.huber) && !*end &&
        f->fit.huber > 0.0 && isfinite(f->fit.huber))
        return CLI_FINE;
    return cli_complain(
               "--loss takes squares or huber:2 (a number of standard deviations), but not "
               "`%s`",
               text),
           CLI_USAGE;
}

/* "10", or "0.5s" */
static int read_windows(const cli_args *args, cli_fit *f) {
    const char *text = cli_text(args, "windows", NULL), *end = "";
    double value = 0.0;
    if (!text) return CLI_FINE;
    bool good = dry_number_parse(text, &end, &value) && value > 0.0 && isfinite(value);
    const bool is_length = good && *end == 's';
    if (is_length) end++;
    good = good && !*end && (is_length || (value == floor(value) && value <= 1e6));
    if (!good)
        return cli_complain("--windows takes a number of windows, such as 10, or their length, "
                            "such as 0.5s, but not `%s`",
                            text),
               CLI_USAGE;
    if (is_length)
        f->fit.window = value;
    else
        f->fit.windows = (int)value;
    return CLI_FINE;
}

static int read_search(const cli_args *args, cli_fit *f) {
    const char *text = cli_text(args, "search", NULL), *end = "";
    double runs = 0.0;
    if (!text) return CLI_FINE;
    const size_t n = strcspn(text, ":");
    if (!n || text[n] != ':' || !dry_number_parse(text + n + 1, &end, &runs) || *end ||
        runs < 1.0 || runs > 1e9 || runs != floor(runs))
        return cli_complain("--search takes crs:2000 (a search and how many runs), but not `%s`",
                            text),
               CLI_USAGE;
    f->search = strndup(text, n);
    if (!f->search) return cli_complain("out of memory"), CLI_RUN;
    f->fit.search = f->search;
    f->fit.search_runs = (int)runs;
    return CLI_FINE;
}

static int read_files(const cli_args *args, cli_fit *f) {
    f->data = calloc((size_t)args->n_given + 1, sizeof *f->data);
    if (!f->data) return cli_complain("out of memory"), CLI_RUN;
    while (cli_nth(args, "data", f->fit.n_data)) {
        f->data[f->fit.n_data] = cli_nth(args, "data", f->fit.n_data)->text;
        f->fit.n_data++;
    }
    f->fit.data = f->data;
    f->output = cli_text(args, "output", NULL);
    f->report = cli_text(args, "report", NULL);
    if (f->report && !cli_ends_with(f->report, ".html"))
        return cli_complain("--report %s: the ending must be .html", f->report), CLI_USAGE;
    if (f->report && !cli_spares_input(args, "--report", f->report)) return CLI_USAGE;
    if (!f->output) return CLI_FINE;
    if (!cli_ends_with(f->output, ".dry"))
        return cli_complain("-o %s: the ending must be .dry", f->output), CLI_USAGE;
    return cli_spares_input(args, "-o", f->output) ? CLI_FINE : CLI_USAGE;
}

/* Of several models each has a journal of its own, with its number. */
static int read_journal(const cli_args *args, cli_fit *f) {
    const char *path = cli_text(args, "journal", NULL);
    if (!path && cli_has(args, "resume"))
        return cli_complain("--resume needs the journal that the fit was begun with: --journal "
                            "FILE"),
               CLI_USAGE;
    if (!path) return CLI_FINE;
    if (cli_number(args, "starts", 1.0) < 2.0)
        return cli_complain("--journal keeps the starts that are finished: give --starts N, from 2 "
                            "on"),
               CLI_USAGE;
    const size_t room = strlen(path) + 16;
    f->journal = calloc(room, 1);
    if (!f->journal) return cli_complain("out of memory"), CLI_RUN;
    snprintf(f->journal, room, f->number ? "%s.%d" : "%s", path, f->number);
    f->fit.journal = f->journal;
    f->fit.resume = cli_has(args, "resume");
    return cli_spares_input(args, "--journal", f->journal) ? CLI_FINE : CLI_USAGE;
}

static int read_line(const cli_args *args, cli_fit *f) {
    static int (*const readers[])(const cli_args *, cli_fit *) = {
        read_frees, read_hold, read_loss, read_windows, read_search, read_files, read_journal};
    int code = cli_job_read(&f->job, args);
    for (size_t i = 0; code == CLI_FINE && i < sizeof readers / sizeof *readers; i++)
        code = readers[i](args, f);
    f->fit.options = f->job.options;
    f->fit.starts = (int)cli_number(args, "starts", 0.0);
    f->fit.seed = (unsigned)cli_number(args, "seed", 0.0);
    f->fit.threads = (int)cli_number(args, "jobs", 0.0);
    f->fit.most_steps = (int)cli_number(args, "most-steps", 0.0);
    f->fit.tolerance = cli_number(args, "tolerance", 0.0);
    return code;
}

/* ---- the fit ------------------------------------------------------------------------------- */

static bool is_helper(const cli_fit *f) { return f->fit.processes && f->fit.processes->rank > 0; }

/* What is wrong with the input, all processes find, and the first one says. */
static bool is_said(const cli_fit *f, const dry_error *error) {
    return is_helper(f) && (f->status == DRY_BAD_ARGUMENT || !error->text[0]);
}

static int fit(const cli_args *args, cli_fit *f) {
    dry_error error = {0};
    const double begun = cli_now();
    f->fit.path = f->job.path;
    f->fit.text = dry_model_text(f->job.model, &f->fit.length);
    f->fit.progress = cli_fit_show;
    f->fit.user = f;
    f->bar = cli_fit_bar(args, f->fit.processes);
    f->status = dry_fit_run(&f->fit, &f->result, &error);
    f->seconds = cli_now() - begun;
    cli_bar_clear(&f->bar);
    if (f->status == DRY_OK || is_said(f, &error)) return CLI_FINE;
    if (cli_is_interrupted())
        return cli_complain(f->journal ? "interrupted: continue with --resume" : "interrupted"),
               CLI_INTERRUPT;
    if (f->law)
        cli_complain("%s: %s", f->label, error.text);
    else
        cli_complain_error(&error);
    return f->status == DRY_BAD_ARGUMENT ? CLI_USAGE : CLI_RUN;
}

static int write_one(const cli_fit *f, int record, const char *path) {
    char *text;
    size_t length;
    dry_file file;
    dry_error error = {0};
    dry_status status = dry_fit_text(&f->fit, &f->result, record, &text, &length, &error);
    if (status == DRY_OK) status = dry_file_open(&file, path, &error);
    if (status == DRY_OK) {
        fwrite(text, 1, length, file.stream);
        status = dry_file_commit(&file, &error);
    }
    free(text);
    if (status == DRY_OK) return CLI_FINE;
    cli_complain_error(&error);
    return CLI_RUN;
}

/* fitted-2.dry of record 2 if each has its own values. */
static int write_own(const cli_args *args, const cli_fit *f, int record) {
    const size_t size = strlen(f->output) + 16;
    char *path = malloc(size);
    if (!path) return cli_complain("out of memory"), CLI_RUN;
    snprintf(path, size, "%.*s-%d.dry", (int)(strlen(f->output) - strlen(".dry")), f->output,
             record + 1);
    int code = cli_spares_input(args, "-o", path) ? CLI_FINE : CLI_USAGE;
    if (code == CLI_FINE) code = write_one(f, record, path);
    if (code == CLI_FINE && !cli_has(args, "quiet") && !cli_has(args, "json"))
        printf("%s: the text of record %d\n", path, record + 1);
    free(path);
    return code;
}

static int write_text(const cli_args *args, const cli_fit *f) {
    int code = CLI_FINE;
    if (!f->output) return CLI_FINE;
    if (!dry_fit_has_own(&f->result)) return write_one(f, -1, f->output);
    for (int i = 0; code == CLI_FINE && i < f->result.n_records; i++) code = write_own(args, f, i);
    return code;
}

/* The messages of the compiler are about the first record. */
static int compile(cli_fit *f) {
    dry_model_options how = f->job.options;
    if (f->fit.n_data > 0) how.data = f->data[0];
    return cli_compile(f->job.path, &how, &f->job.model);
}

static int can_write(const cli_fit *f) {
    const bool can =
        (!f->output || cli_can_write(f->output)) && (!f->report || cli_can_write(f->report));
    return can ? CLI_FINE : CLI_RUN;
}

/* One model of the line. */
static int fit_one(const cli_args *args, cli_fit *f) {
    int code = read_line(args, f);
    if (code == CLI_FINE) code = compile(f);
    if (code == CLI_FINE) code = can_write(f);
    if (code == CLI_FINE) code = fit(args, f);
    return code;
}

/* The same with the law of `f` instead of that of `base`, which was fitted as it is. */
static int fit_law(const cli_args *args, const cli_fit *base, bool several, cli_fit *f) {
    int code = read_line(args, f);
    if (code == CLI_FINE) code = cli_fit_exchange(f, base, several);
    if (code == CLI_FINE) code = fit(args, f);
    return code;
}

/* The text as it is: where other laws begin. Without anything free there is nothing to fit in it.
 */
static int fit_base(const cli_args *args, cli_fit *f) {
    int code = read_line(args, f);
    if (code == CLI_FINE) code = compile(f);
    if (code == CLI_FINE) code = can_write(f);
    const bool any = code == CLI_FINE && (f->fit.n_free > 0 || dry_model_freeds(f->job.model) > 0);
    return any ? fit(args, f) : code;
}

static void end_one(cli_fit *f) {
    dry_fit_result_free(&f->result);
    dry_fit_law_text_free(&f->exchanged);
    cli_job_free(&f->job);
    free(f->label);
    free(f->free);
    free((void *)f->data);
    free(f->names);
    free(f->journal);
    free(f->search);
}

static int run_one(const cli_args *args, const dry_processes *processes) {
    cli_fit f = {.fit.processes = processes};
    int code = fit_one(args, &f);
    if (is_helper(&f)) return end_one(&f), code;
    if (code == CLI_FINE && cli_has(args, "json")) cli_fit_print_json(&f), putchar('\n');
    if (code == CLI_FINE && !cli_has(args, "json") && !cli_has(args, "quiet")) cli_fit_print(&f);
    if (code == CLI_FINE) code = write_text(args, &f);
    if (code == CLI_FINE) code = cli_fit_report(&f, args);
    if (code == CLI_FINE) dry_fit_done(&f.fit);
    end_one(&f);
    return code;
}

/* ---- several models ------------------------------------------------------------------------ */

/* The fit of a rank. */
static cli_fit *fit_of(cli_fit *all, int n, const dry_fit_rank *rank) {
    int i = 0;
    while (i < n - 1 && rank->result != &all[i].result) i++;
    return &all[i];
}

static void print_all(const cli_args *args, cli_fit *all, int n, const dry_fit_rank *ranks,
                      int n_ranks) {
    const bool json = cli_has(args, "json");
    if (cli_has(args, "quiet") && !json) return;
    if (json) putchar('[');
    for (int i = 0; i < n_ranks; i++) {
        const cli_fit *f = fit_of(all, n, &ranks[i]);
        if (json && i) fputs(",\n ", stdout);
        if (json)
            cli_fit_print_json(f);
        else
            printf("%s: ", ranks[i].name), cli_fit_print(f), putchar('\n');
    }
    if (json)
        puts("]");
    else
        cli_fit_print_ranks(ranks, n_ranks);
}

/* The fits of a line, and the ranks of those that succeeded. */
typedef struct fits {
    cli_fit *all;
    int n;
    dry_fit_rank *ranks;
    int n_ranks;
    const dry_processes *processes;
    bool lost; /* the other processes */
} fits;

/* Of processes that share the work, one that lacks memory or a file has lost the others. */
static bool is_lost(const cli_fit *f, int code) {
    return f->fit.processes && code == CLI_RUN && f->status != DRY_RUN_FAILED;
}

static int rank(fits *to, const char *name, const cli_fit *f, int code) {
    if (code == CLI_FINE)
        to->ranks[to->n_ranks++] = (dry_fit_rank){.name = name, .result = &f->result};
    return code;
}

static int worse(int a, int b) { return b == CLI_FINE ? a : b; }

/* One model with each law of --laws. */
static int fit_laws(const cli_args *args, const cli_fit_laws *laws, bool several, fits *to) {
    cli_fit base = {0};
    int worst = fit_base(args, &base);
    const bool based = worst == CLI_FINE;
    for (int i = 0; based && worst != CLI_INTERRUPT && i < laws->n; i++) {
        cli_fit *f = &to->all[to->n++];
        f->law = &laws->law[i];
        const int code = fit_law(args, &base, several, f);
        worst = worse(worst, rank(to, f->label, f, code));
    }
    end_one(&base);
    return worst;
}

/* Each model of the line; returns the last exit that is not fine. */
static int fit_each(const cli_args *args, const cli_fit_laws *laws, fits *to) {
    int worst = CLI_FINE;
    for (int i = 0; i < args->n_words && worst != CLI_INTERRUPT && !to->lost; i++) {
        cli_args one = *args;
        one.words = &args->words[i];
        one.n_words = 1;
        if (laws->n) {
            worst = worse(worst, fit_laws(&one, laws, args->n_words > 1, to));
            continue;
        }
        cli_fit *f = &to->all[to->n++];
        f->number = to->n;
        f->fit.processes = to->processes;
        const int code = fit_one(&one, f);
        if (is_lost(f, code)) to->lost = true;
        worst = worse(worst, rank(to, f->job.path, f, code));
    }
    return worst;
}

/* Fits each, and ranks those that could be fitted. */
static int run_all(const cli_args *args, const cli_fit_laws *laws, fits *f) {
    const int worst = fit_each(args, laws, f);
    if (!f->n_ranks || f->lost || worst == CLI_INTERRUPT || is_helper(&f->all[0])) return worst;
    dry_fit_rank_all(f->ranks, f->n_ranks);
    print_all(args, f->all, f->n, f->ranks, f->n_ranks);
    cli_fit *best = fit_of(f->all, f->n, &f->ranks[0]);
    best->ranks = f->ranks;
    best->n_ranks = f->n_ranks;
    int code = write_text(args, best);
    if (code == CLI_FINE) code = cli_fit_report(best, args);
    if (code != CLI_FINE || worst != CLI_FINE) return code == CLI_FINE ? worst : code;
    for (int i = 0; i < f->n; i++) dry_fit_done(&f->all[i].fit);
    return CLI_FINE;
}

/* Each law begins at the end of the fit of the text, which only one process has. */
static int can_exchange(const cli_args *args, const cli_fit_laws *laws,
                        const dry_processes *processes) {
    if (!laws->n || (!processes && !cli_has(args, "journal"))) return CLI_FINE;
    if (!processes || processes->rank == 0)
        cli_complain(
            "--laws takes neither --journal nor the processes of mpirun: write the text of "
            "each law by `--laws LAW -o FILE.dry`, and fit these texts together");
    return CLI_USAGE;
}

static int run_several(const cli_args *args, const cli_fit_laws *laws,
                       const dry_processes *processes) {
    const size_t n = (size_t)args->n_words * (size_t)(laws->n ? laws->n : 1);
    if (cli_has(args, "output") && args->n_words > 1)
        return cli_complain(
                   "-o writes the text of one model, but the line has %d: fit the best one "
                   "alone",
                   args->n_words),
               CLI_USAGE;
    fits f = {.all = calloc(n, sizeof *f.all),
              .ranks = calloc(n, sizeof *f.ranks),
              .processes = processes};
    int code = CLI_RUN;
    if (f.all && f.ranks)
        code = run_all(args, laws, &f);
    else
        cli_complain("out of memory");
    for (int i = 0; f.all && i < f.n; i++) end_one(&f.all[i]);
    free(f.all);
    free(f.ranks);
    return code;
}

static int run(const cli_args *args) {
    if (!cli_fit_options_fit(args)) return CLI_USAGE;
    if (cli_has(args, "elements") && args->n_words > 1)
        return cli_complain("--elements takes one record"), CLI_USAGE;
    if (cli_has(args, "elements")) return cli_fit_elements(args);
    const dry_processes *processes;
    if (!cli_processes_join(&processes)) return CLI_RUN;
    cli_catch_interrupt();
    cli_fit_laws laws = {0};
    int code = cli_fit_read_laws(args, &laws);
    if (code == CLI_FINE) code = can_exchange(args, &laws, processes);
    if (code == CLI_FINE)
        code = args->n_words > 1 || laws.n ? run_several(args, &laws, processes)
                                           : run_one(args, processes);
    cli_fit_laws_free(&laws);
    return cli_processes_leave(code);
}

const cli_verb cli_verb_fit = {.name = "fit",
                               .arguments = "FILE...",
                               .summary =
                                   "fit parameters of a model to measured data, with intervals",
                               .text = "The text says what was measured, and what is free:\n"
                                       "  output f against \"log.csv\" column \"force\" [N]\n"
                                       "  free F in 0.1..10 log, K\n"
                                       "Several models are fitted to the same data and ranked.\n"
                                       "Under mpirun, the processes share the starts.\n",
                               .options = options,
                               .min_words = 1,
                               .max_words = 64,
                               .run = run};
