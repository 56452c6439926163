/* drystone sweep FILE: runs a model over a grid of parameters; tables, maps, families of curves. */
#include "job.h"
#include "processes.h"
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"param", 'p', CLI_TEXT, "NAME=...",
     "lo:hi:n, lo:hi:n:log or a,b,c: the values of a parameter, SI or with units", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
    {"measure", 0, CLI_TEXT, "NAME,...", "measures to tabulate (default all)", NULL},
    {"output", 'o', CLI_TEXT, "FILE", "write the table: .csv, .h5 (default CSV to the output)",
     NULL},
    {"plot", 0, CLI_TEXT, "FILE", "write the picture: .svg, .png, .pdf", NULL},
    {"curves", 0, CLI_FLAG, NULL, "draw two parameters as curves, not as a map", NULL},
    {"map", 0, CLI_FLAG, NULL, "draw two parameters as a map, not as curves", NULL},
    {"log", 0, CLI_FLAG, NULL, "curves over logarithmic axes, with marks", NULL},
    {"dark", 0, CLI_FLAG, NULL, "light ink on a dark background", NULL},
    {"resume", 0, CLI_FLAG, NULL, "continue an interrupted sweep", NULL},
    {"jobs", 'j', CLI_COUNT, "N", "threads (default one for each core); the results do not change",
     NULL},
#include "run_rows.def"
    {"method", 0, CLI_TEXT, "NAME", "as for `run`", NULL},
    {"record", 0, CLI_POSITIVE, "SECONDS", "sampling interval for measures", "seconds"},
    {"watch", 0, CLI_FLAG, NULL,
     "repeat each point, and add the column `watch`: how far it can be trusted", NULL},
#include "watch_rows.def"
    {"progress", 0, CLI_FLAG, NULL, "show progress, even if stderr is not a terminal", NULL},
    {"quiet", 0, CLI_FLAG, NULL, "print only errors", NULL},
    {0},
};

enum { MOST_MEASURES = 64 };

/* ---- what the line says ---------------------------------------------------------------- */

typedef struct request {
    dry_sweep_axis axes[DRY_SWEEP_AXES];
    int n_axes;
    char *names; /* memory of the measures */
    const char *measures[MOST_MEASURES];
    int n_measures;
    cli_job job; /* each point */
    char *journal;
    const char *output, *plot;
} request;

/* Each returns CLI_FINE, or what to end with, having said why. */
static int read_axes(const cli_args *args, request *r) {
    dry_error error = {0};
    for (const cli_given *g; (g = cli_nth(args, "param", r->n_axes)); r->n_axes++) {
        if (r->n_axes == DRY_SWEEP_AXES)
            return cli_complain("a sweep has at most %d parameters", DRY_SWEEP_AXES), CLI_USAGE;
        if (dry_sweep_axis_read(&r->axes[r->n_axes], g->text, &error) != DRY_OK)
            return cli_complain_error(&error), error.status == DRY_NO_MEMORY ? CLI_RUN : CLI_USAGE;
    }
    if (r->n_axes) return CLI_FINE;
    cli_complain("no parameter to sweep: give -p NAME=lo:hi:n, such as -p mu=0.1:0.5:9");
    return CLI_USAGE;
}

static int read_measures(const cli_args *args, request *r) {
    const char *text = cli_text(args, "measure", "");
    r->names = calloc(strlen(text) + 1, 1);
    if (!r->names) return cli_complain("out of memory"), CLI_RUN;
    memcpy(r->names, text, strlen(text));
    for (char *at = r->names; *at;) {
        const size_t n = strcspn(at, ",");
        const bool more = at[n] == ',';
        if (!n || r->n_measures == MOST_MEASURES || (more && !at[n + 1]))
            return cli_complain("--measure takes up to %d names with commas between them",
                                MOST_MEASURES),
                   CLI_USAGE;
        at[n] = '\0';
        r->measures[r->n_measures++] = at;
        at += n + more;
    }
    return CLI_FINE;
}

/* How to draw is said of a picture. */
static bool has_its_picture(const cli_args *args, const char *plot) {
    static const char *const ways[] = {"log", "curves", "map", "dark"};
    for (size_t i = 0; !plot && i < sizeof ways / sizeof *ways; i++)
        if (cli_has(args, ways[i]))
            return cli_complain("--%s needs a picture: --plot FILE", ways[i]), false;
    return true;
}

/* Parameters with one value make no axis of the picture. */
static bool has_two_axes(const cli_args *args, const request *r) {
    static const char *const ways[] = {"curves", "map"};
    int n = 0;
    for (int i = 0; i < r->n_axes; i++) n += r->axes[i].n > 1;
    for (size_t i = 0; n < 2 && i < sizeof ways / sizeof *ways; i++)
        if (cli_has(args, ways[i]))
            return cli_complain("--%s draws two parameters, and %d of them %s more than one value",
                                ways[i], n, n == 1 ? "has" : "have"),
                   false;
    return true;
}

static int read_files(const cli_args *args, request *r) {
    r->output = cli_text(args, "output", "-");
    r->plot = cli_text(args, "plot", NULL);
    if (!has_its_picture(args, r->plot) || !has_two_axes(args, r)) return CLI_USAGE;
    if (!cli_is_table("-o", r->output) || (r->plot && !cli_is_picture("--plot", r->plot)))
        return CLI_USAGE;
    if (!cli_spares_input(args, "-o", r->output) ||
        (r->plot && !cli_spares_input(args, "--plot", r->plot)))
        return CLI_USAGE;
    if (cli_has(args, "resume") && strcmp(r->output, "-") == 0)
        return cli_complain("--resume needs the output that the sweep was begun with: -o FILE"),
               CLI_USAGE;
    if (strcmp(r->output, "-") == 0) return CLI_FINE;
    const size_t room = strlen(r->output) + 8;
    r->journal = calloc(room, 1);
    if (!r->journal) return cli_complain("out of memory"), CLI_RUN;
    snprintf(r->journal, room, "%s.part", r->output);
    return CLI_FINE;
}

static int read_request(const cli_args *args, request *r) {
    if (cli_has(args, "native") && cli_has(args, "no-native"))
        return cli_complain("--native and --no-native cannot be combined"), CLI_USAGE;
    bool watched;
    int code = cli_asks_watch(args, &watched) ? read_axes(args, r) : CLI_USAGE;
    if (code == CLI_FINE) code = read_measures(args, r);
    if (code == CLI_FINE) code = cli_job_read(&r->job, args);
    r->job.watched = watched;
    return code == CLI_FINE ? read_files(args, r) : code;
}

static void free_request(request *r) {
    for (int i = 0; i < r->n_axes; i++) dry_sweep_axis_free(&r->axes[i]);
    cli_job_free(&r->job);
    free(r->names);
    free(r->journal);
}

/* ---- progress -------------------------------------------------------------------------- */

typedef struct bar {
    double begun, shown;
    size_t first; /* points that were there at the begin */
    bool wanted, terminal, known;
} bar;

static void print_left(double seconds) {
    if (seconds < 90.0)
        fprintf(stderr, "%.0f s", seconds);
    else if (seconds < 5400.0)
        fprintf(stderr, "%.0f min", seconds / 60.0);
    else
        fprintf(stderr, "%.1f h", seconds / 3600.0);
}

static const char *points_of(size_t n) { return cli_noun((double)n, "point", "points"); }

static void print_bar(const bar *b, size_t done, size_t points, double left) {
    if (b->terminal) {
        const int filled = (int)(40.0 * (double)done / (double)points);
        fputs("\r[", stderr);
        for (int i = 0; i < 40; i++) fputc(i < filled ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%zu of %zu %s, ", done, points, points_of(points));
    print_left(left);
    fputs(b->terminal ? " left   " : " left\n", stderr);
    fflush(stderr);
}

static bool show_progress(void *user, size_t done, size_t points) {
    bar *b = user;
    const double time = cli_now(), every = b->terminal ? 0.1 : 2.0;
    if (!b->known) b->first = done, b->known = true;
    if (!b->wanted || time - b->begun < 0.5 || time - b->shown < every || done <= b->first)
        return true;
    b->shown = time;
    print_bar(b, done, points,
              (time - b->begun) * (double)(points - done) / (double)(done - b->first));
    return true;
}

static void clear_bar(const bar *b) {
    if (b->shown > 0.0 && b->terminal) fprintf(stderr, "\r%78s\r", "");
}

/* ---- the summary ------------------------------------------------------------------------- */

static void print_range(const dry_record *table, int column) {
    const double *y = dry_record_values(table, column);
    const dry_quantity q = dry_record_quantity(table, column);
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (size_t i = 0; i < dry_record_rows(table); i++) {
        if (isnan(y[i])) continue;
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    if (least > most)
        printf("  %-16s not a number at any point\n", q.name);
    else
        printf("  %-16s %.9g .. %.9g %s\n", q.name, least, most, q.unit);
}

static int n_measures(const request *r, const dry_model *model) {
    return r->n_measures ? r->n_measures : dry_model_measures(model);
}

static void print_summary(const request *r, int measures, const dry_sweep_result *result,
                          double seconds) {
    printf("%zu %s:", result->points, points_of(result->points));
    for (int i = 0; i < r->n_axes; i++)
        printf("%s %s %.6g .. %.6g (%d%s)", i ? "," : "", r->axes[i].name, r->axes[i].values[0],
               r->axes[i].values[r->axes[i].n - 1], r->axes[i].n, r->axes[i].log ? ", log" : "");
    printf("\n  %.3g s, %s", seconds, result->native ? "native code" : "bytecode");
    if (result->lanes > 1) printf(" in %d lanes", result->lanes);
    if (result->compiled > 0 && result->compiled + result->found < result->points)
        printf(", the model compiled for %zu of the points", result->compiled);
    else if (result->compiled > 0)
        printf(", the model compiled for each point");
    if (result->found)
        printf(", %zu %s already", result->found,
               cli_noun((double)result->found, "point was there", "points were there"));
    putchar('\n');
    const int last = r->n_axes + measures;
    for (int i = r->n_axes; i < last; i++) print_range(result->record, i);
}

static const double *statuses(const dry_sweep_result *result) {
    return dry_record_values(result->record, dry_record_columns(result->record) - 1);
}

/* How many points have each word that is not `trusted`. */
static void tell_untrusted(const dry_sweep_result *result) {
    const double *watch = dry_record_values(result->record, dry_record_columns(result->record) - 2);
    const char *between = " ";
    fprintf(stderr, "drystone: %zu of %zu %s cannot be trusted:", result->untrusted, result->points,
            points_of(result->points));
    for (int trust = DRY_SWEEP_UNWATCHED; trust <= DRY_SWEEP_NOT_CONVERGED; trust++) {
        size_t n = 0;
        for (size_t i = 0; i < result->points; i++) n += watch[i] == trust;
        if (!n) continue;
        fprintf(stderr, "%s%s (watch %d) %zu", between,
                dry_sweep_trust_text((dry_sweep_trust)trust), trust, n);
        between = ", ";
    }
    fputc('\n', stderr);
}

static void tell_statuses(const dry_sweep_result *result) {
    const double *status = statuses(result);
    const char *between = " ";
    for (int code = 1; code <= DRY_UNSUPPORTED; code++) {
        size_t n = 0;
        for (size_t i = 0; i < result->points; i++) n += status[i] == code;
        if (!n) continue;
        fprintf(stderr, "%s%s (status %d) %zu", between, dry_status_text((dry_status)code), code,
                n);
        between = ", ";
    }
    fputc('\n', stderr);
}

static void tell_inputs(const dry_model_options *given) {
    for (int i = 0; i < given->n_inputs; i++)
        fprintf(stderr, " --input %s=%s:%s", given->inputs[i].name, given->inputs[i].file,
                given->inputs[i].column);
    if (given->data) fprintf(stderr, " --data %s", given->data);
}

/* The options of this line that say how to run. */
static void tell_run(const cli_args *args) {
    static const char *const names[] = {"until", "step", "method", "record", "rtol", "atol"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cli_has(args, names[i]))
            fprintf(stderr, " --%s %s", names[i], cli_text(args, names[i], ""));
    if (cli_has(args, "force")) fputs(" --force", stderr);
}

/* The command that shows what is wrong with a point. */
static void list_point(const cli_args *args, const request *r, size_t point, dry_status status) {
    double values[DRY_SWEEP_AXES];
    char number[DRY_NUMBER_SIZE];
    dry_sweep_point(r->axes, r->n_axes, point, values);
    fprintf(stderr, "  %s: drystone run %s", dry_status_text(status), args->words[0]);
    for (int i = 0; i < r->n_axes; i++) {
        dry_number_text(values[i], number);
        fprintf(stderr, " -p %s=%s", r->axes[i].name, number);
    }
    tell_inputs(&r->job.options);
    tell_run(args);
    fputc('\n', stderr);
}

/* How often each status occurs, and how to see the first few. */
static void tell_failed(const cli_args *args, const request *r, const dry_sweep_result *result) {
    enum { FEW = 3 };
    const double *status = statuses(result);
    fprintf(stderr, "drystone: %zu of %zu %s could not be run:", result->failed, result->points,
            points_of(result->points));
    tell_statuses(result);
    int listed = 0;
    for (size_t i = result->first_wrong; i < result->points && listed < FEW; i++)
        if (status[i] != 0.0) list_point(args, r, i, (dry_status)status[i]), listed++;
    if (result->failed > FEW) fprintf(stderr, "  ... and %zu more\n", result->failed - FEW);
}

/* ---- the verb ------------------------------------------------------------------------------ */

static cli_sweep_picture picture_of(const cli_args *args, const request *r,
                                    const dry_model *model) {
    return (cli_sweep_picture){.axes = r->axes,
                               .n_axes = r->n_axes,
                               .n_measures = n_measures(r, model),
                               .title = dry_model_title(model),
                               .curves = cli_has(args, "curves"),
                               .map = cli_has(args, "map"),
                               .log = cli_has(args, "log"),
                               .dark = cli_has(args, "dark")};
}

static bool can_draw(const cli_args *args, const request *r, const dry_model *model) {
    dry_error error = {0};
    const cli_sweep_picture how = picture_of(args, r, model);
    if (!r->plot || !how.n_measures || cli_check_sweep_picture(&how, &error) == DRY_OK) return true;
    cli_complain_error(&error);
    return false;
}

static bool can_write(const request *r) {
    return cli_can_write(r->output) && (!r->plot || cli_can_write(r->plot));
}

static int write_all(const cli_args *args, const request *r, const dry_sweep_options *o,
                     const dry_model *model, const dry_sweep_result *result) {
    dry_error error = {0};
    if (dry_record_write(result->record, r->output, &error) != DRY_OK)
        return cli_complain_error(&error), CLI_RUN;
    dry_sweep_done(o);
    if (!r->plot) return CLI_FINE;
    const cli_sweep_picture how = picture_of(args, r, model);
    if (cli_draw_sweep(&how, result->record, r->plot, &error) == DRY_OK) return CLI_FINE;
    cli_complain_error(&error);
    return CLI_RUN;
}

static int finish(const cli_args *args, const request *r, const dry_sweep_options *o,
                  const dry_model *model, const dry_sweep_result *result, double seconds) {
    const int code = write_all(args, r, o, model, result);
    if (!cli_has(args, "quiet") && strcmp(r->output, "-") != 0)
        print_summary(r, n_measures(r, model), result, seconds);
    if (result->failed) tell_failed(args, r, result);
    if (result->untrusted) tell_untrusted(result);
    const bool strict = cli_has(args, "strict");
    return code == CLI_FINE && (result->failed || (strict && result->untrusted)) ? CLI_RUN : code;
}

static int sweep(const cli_args *args, const request *r, const dry_processes *team) {
    static const dry_sweep_code codes[] = {[CLI_BYTECODE] = DRY_SWEEP_BYTECODE,
                                           [CLI_NATIVE] = DRY_SWEEP_NATIVE,
                                           [CLI_EITHER_CODE] = DRY_SWEEP_EITHER};
    const dry_model *model = r->job.model;
    size_t length;
    const char *text = dry_model_text(model, &length);
    bar b = {.begun = cli_now(),
             .terminal = cli_is_terminal(stderr),
             .wanted =
                 cli_has(args, "progress") || (cli_is_terminal(stderr) && !cli_has(args, "quiet"))};
    const dry_sweep_options o = {.axes = r->axes,
                                 .n_axes = r->n_axes,
                                 .measures = r->measures,
                                 .n_measures = r->n_measures,
                                 .model = r->job.options,
                                 .threads = (int)cli_number(args, "jobs", 0.0),
                                 .code = codes[r->job.code],
                                 .journal = r->journal,
                                 .resume = cli_has(args, "resume"),
                                 .watch = r->job.watched ? &r->job.watch : NULL,
                                 .team = team,
                                 .progress = show_progress,
                                 .user = &b};
    dry_sweep_result result;
    dry_error error = {0};
    const dry_status status = dry_sweep_run(args->words[0], text, length, &o, &result, &error);
    clear_bar(&b);
    int code = CLI_FINE;
    if (status != DRY_OK) {
        if (error.text[0]) cli_complain_error(&error);
        code = status == DRY_BAD_ARGUMENT ? CLI_USAGE
               : status == DRY_BAD_MODEL  ? CLI_MODEL
                                          : CLI_RUN;
    } else if (result.record) {
        code = finish(args, r, &o, model, &result, cli_now() - b.begun);
    }
    dry_record_free(result.record);
    return code;
}

static int run(const cli_args *args) {
    request r = {0};
    const dry_processes *team;
    if (!cli_processes_join(&team)) return CLI_RUN;
    int code = read_request(args, &r);
    if (code == CLI_FINE) {
        code = cli_job_compile(&r.job);
        if (code == CLI_FINE && !can_draw(args, &r, r.job.model)) code = CLI_USAGE;
        if (code == CLI_FINE && !can_write(&r)) code = CLI_RUN;
        if (code == CLI_FINE) code = sweep(args, &r, team);
    }
    free_request(&r);
    return cli_processes_leave(code);
}

const cli_verb cli_verb_sweep = {
    .name = "sweep",
    .arguments = "FILE",
    .summary = "run a model over a grid of parameters",
    .text =
        "Every point equals `drystone run` with its parameters. The table has a column\n"
        "for each parameter and measure, and `status`: 0, or why a point could not run.\n"
        "--watch adds `watch`: 0 trusted, 1 not watched, 2 gives way, 3 sensitive, 4 not "
        "converged.\n"
        "If a point fails, the others still run, and the command ends with 4.\n"
        "FILE.part holds the finished points until the table is written; --resume continues it.\n"
        "Under mpirun, the processes share the points.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
