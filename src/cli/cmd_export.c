/* drystone export FILE: writes a model as C that needs nothing else. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"to", 0, CLI_TEXT, "LANGUAGE", "what to write: c, arduino, fmu2 or fmu3 (FMI 2.0, 3.0)", NULL},
    {"output", 'o', CLI_TEXT, "DIR|X.fmu",
     "folder of C: new, empty, or an earlier export; or an FMU", NULL},
    {"kind", 0, CLI_TEXT, "KIND", "of an FMU: me, cs or both (default all that the model can)",
     NULL},
    {"float", 0, CLI_FLAG, NULL, "single precision", NULL},
    {"prefix", 0, CLI_TEXT, "NAME", "prefix of files and symbols (default model)", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE",
     "set the default of a parameter: a number or list, SI or with its unit", NULL},
    {"input", 0, CLI_INPUT, "NAME=FILE:COLUMN", "take an input from a column of a file", NULL},
    {"data", 0, CLI_TEXT, "FILE", "a record in place of that of the text: .csv, .h5", NULL},
    {"until", 0, CLI_POSITIVE, "SECONDS", "how long main.c simulates", "seconds"},
    {"step", 0, CLI_POSITIVE, "SECONDS", "step of main.c", "seconds"},
    {"method", 0, CLI_METHOD, "NAME", NULL, NULL},
    {"rtol", 0, CLI_POSITIVE, "X", "of an FMU: relative tolerance of an adaptive method", NULL},
    {"atol", 0, CLI_POSITIVE, "X", "of an FMU: absolute tolerance of an adaptive method", NULL},
    {"record", 0, CLI_POSITIVE, "SECONDS", "time between rows of main.c", "seconds"},
    {"force", 0, CLI_FLAG, NULL, "export at a step outside the stability bound", NULL},
    {"no-watch", 0, CLI_FLAG, NULL, "do not check how far main.c can be trusted", NULL},
#include "watch_rows.def"
    {0},
};

static bool complain_language(const char *language) {
    char names[100] = "";
    for (int i = 0; dry_export_layout_at(i); i++) {
        const size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s, ", dry_export_layout_at(i)->name);
    }
    return cli_complain("there is no export to '%s'; write --to %sfmu2 or fmu3", language, names),
           false;
}

static bool fits(const cli_args *args) {
    const char *language = cli_text(args, "to", "c"),
               *method = cli_text(args, "method", dry_method_standard()->name);
    const dry_method *found = dry_method_find(method);
    const bool fmu = cli_fmu_version(args) != 0;
    if (!fmu && !dry_export_layout_find(language)) return complain_language(language);
    if (!cli_has(args, "output"))
        return cli_complain(fmu ? "say which file to write: -o X.fmu"
                                : "say which folder to write: -o DIR"),
               false;
    if (!cli_fmu_fits(args)) return false;
    if (!fmu && !found->fixed) {
        char names[300];
        cli_complain("'%s' is not a fixed-step method; choose one of %s", method,
                     dry_export_methods(names, sizeof names));
        return false;
    }
    static const char *const watches[] = {"strict", "watch-limit", "watch-error"};
    for (size_t i = 0; cli_has(args, "no-watch") && i < sizeof watches / sizeof *watches; i++)
        if (cli_has(args, watches[i]))
            return cli_complain("--no-watch and --%s cannot be combined", watches[i]), false;
    if (!fmu && cli_ends_with(cli_text(args, "output", ""), ".fmu"))
        return cli_complain(
                   "-o %s is the name of an FMU: write --to fmu2 or --to fmu3, or give the "
                   "folder of C another name",
                   cli_text(args, "output", "")),
               false;
    const char *idle = cli_has(args, "rtol") ? "rtol" : cli_has(args, "atol") ? "atol" : NULL;
    if (!fmu && idle)
        return cli_complain("--%s has no effect: exported C has fixed steps; use --step, or --to "
                            "fmu3 with a method that chooses its steps",
                            idle),
               false;
    return true;
}

/* ---- in place of the file's method ---------------------------------------------------------- */

/* Compiles the model of the file without printing messages; NULL if it has errors. */
static dry_model *compile_quietly(const cli_job *job) {
    char *text;
    size_t length;
    dry_error error = {0};
    if (dry_file_read(job->path, DRY_MODEL_MOST_BYTES, &text, &length, &error) != DRY_OK)
        return NULL;
    dry_model *model = dry_model_compile(job->path, text, length, &job->options);
    free(text);
    if (model && dry_model_ok(model)) return model;
    dry_model_free(model);
    return NULL;
}

static bool is_fixed(const dry_method *method) { return !method || method->fixed; }

/* Where K and beta, which a rigid method does without, have come from. */
static void print_sets(const dry_model *model) {
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        if (set.set)
            fprintf(stderr, "  %s: K = %.6g, beta = %.6g s (%s)\n", set.name, set.K, set.beta,
                    set.chosen);
    }
}

static void note_method(const dry_model *own, const dry_model *exported) {
    const bool rigid = dry_model_inclusion(own) != NULL;
    dry_run_options run;
    if (dry_model_plan(exported, &run, NULL) != DRY_OK) return;
    fprintf(
        stderr,
        "note: the method of the file, %s, %s. So the export has %s with steps of %.6g s; choose "
        "others by --method and --step\n",
        dry_model_run(own).method->name,
        rigid ? "needs the library, and exported C does without it"
              : "chooses its steps, and exported C has fixed steps",
        run.method->name, run.step);
    if (rigid) print_sets(exported);
}

/* ---- how far it can be trusted ----------------------------------------------------------------
 */

/* What the header says about the run of main.c. */
typedef struct word {
    char lines[CLI_WORD_LINES][CLI_WORD_LINE];
    const char *notes[CLI_WORD_LINES];
    int n;
    bool good;
} word;

static void set_word(word *w, const char *text) {
    snprintf(w->lines[0], CLI_WORD_LINE, "%s", text);
    w->n = 1;
}

/* Returns true if the run is short, by the work that the watch counts. */
static bool is_short(const cli_job *job, word *w) {
    const dry_run_options *run = &job->run;
    const double work =
        ceil(run->until / run->step) * run->method->stages * dry_model_system(job->model)->n_states;
    const double limit = job->watch.limit > 0.0 ? job->watch.limit : DRY_WATCH_LIMIT;
    char text[CLI_WORD_LINE];
    if (work <= limit) return true;
    snprintf(
        text, sizeof text,
        "not watched: the run takes %.2g rates times states, more than the limit of %.2g: raise "
        "it with --watch-limit",
        work, limit);
    set_word(w, text);
    return false;
}

/* In bytecode: no compiler is called. */
static dry_status run_exported(cli_job *job, dry_error *error) {
    const dry_system *system = dry_model_system(job->model);
    const dry_sim_options how = {.run = job->run, .saves = dry_watch_saves(system)};
    return dry_sim_run(system, &how, &job->result, error);
}

static void say_failed(const cli_job *job, const dry_error *error, word *w) {
    char text[CLI_WORD_LINE];
    const bool own = error->status == DRY_RUN_FAILED && job->result.fault.watch;
    snprintf(text, sizeof text, "the run fails: %.400s",
             own ? dry_model_watch_text(job->model, job->result.fault.watch) : error->text);
    set_word(w, text);
}

/* False, with a complaint, if it could not be watched. */
static bool watch(cli_job *job, word *w) {
    dry_watch_verdict verdict = {0};
    dry_error error = {0};
    bool done = true;
    job->run = dry_export_run(job->model);
    if (!is_short(job, w)) return true;
    const dry_status status = run_exported(job, &error);
    if (status == DRY_NO_MEMORY)
        done = (cli_complain("%s: %s", job->path, error.text), false);
    else if (status != DRY_OK)
        say_failed(job, &error, w);
    else if ((done = cli_job_watch(job, &verdict)))
        w->good = dry_watch_is_good(&verdict), w->n = cli_word_lines(&verdict, w->lines);
    dry_watch_free(&verdict);
    return done;
}

/* Names the run before the verdict. */
static void name_run(const dry_model *model, bool single, word *w) {
    const dry_run_options run = dry_export_run(model);
    char text[CLI_WORD_LINE];
    snprintf(text, sizeof text, "%s, step %.6g s, 0 .. %.6g s%s: %.480s", run.method->name,
             run.step, run.until, single ? ", in double precision" : "", w->lines[0]);
    snprintf(w->lines[0], CLI_WORD_LINE, "%s", text);
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* An FMU has no layout and double precision. */
static bool is_single(const cli_args *args) {
    const dry_export_layout *layout = dry_export_layout_find(cli_text(args, "to", "c"));
    return cli_has(args, "float") || (layout && layout->single);
}

static int write_folder(const dry_model *model, const cli_args *args, word *w) {
    const char *folder = cli_text(args, "output", ""), *prefix = cli_text(args, "prefix", "model");
    const dry_export_layout *layout = dry_export_layout_find(cli_text(args, "to", "c"));
    const dry_export_options wanted = {.single = is_single(args),
                                       .prefix = prefix,
                                       .notes = w->notes,
                                       .n_notes = w->n,
                                       .layout = layout->name};
    dry_error error = {0};
    const dry_status status = dry_export_c(model, &wanted, folder, &error);
    if (status != DRY_OK) {
        cli_complain_error(&error);
        return status == DRY_BAD_ARGUMENT || status == DRY_UNSUPPORTED ? CLI_USAGE : CLI_RUN;
    }
    printf("%s: ", folder);
    for (const char *c = layout->use; *c; c++)
        if (*c == '~' || *c == '^')
            fputs(*c == '~' ? prefix : folder, stdout);
        else
            putchar(*c);
    putchar('\n');
    return CLI_FINE;
}

static int write_watched(cli_job *job, const cli_args *args) {
    word w = {.good = cli_has(args, "no-watch")};
    const bool exports = dry_export_can(job->model, NULL) == DRY_OK;
    if (exports && !cli_has(args, "no-watch")) {
        if (!watch(job, &w)) return CLI_RUN;
        for (int i = 0; i < w.n; i++) fprintf(stderr, "%s: %s\n", job->path, w.lines[i]);
    }
    if (w.n > 0) name_run(job->model, is_single(args), &w);
    for (int i = 0; i < w.n; i++) w.notes[i] = w.lines[i];
    const int code = cli_fmu_version(args) ? cli_export_fmu(job, args, w.notes, w.n)
                                           : write_folder(job->model, args, &w);
    return code == CLI_FINE && cli_has(args, "strict") && !w.good ? CLI_RUN : code;
}

/* How long a model without `until` runs, s. */
static const double UNTIL = 1.0;

static int export_job(const cli_args *args, cli_job *job) {
    dry_model *own = compile_quietly(job);
    const bool other = own && !cli_fmu_version(args) && !is_fixed(dry_model_run(own).method);
    if (other) job->options.run.method = dry_method_standard();
    if (other && !dry_model_inclusion(own)) job->options.unstepped = true;
    if (own && !(dry_model_run(own).until > 0.0)) job->options.run.until = UNTIL;
    int code = cli_job_compile(job);
    if (code == CLI_FINE) code = write_watched(job, args);
    if (code == CLI_FINE && other) note_method(own, job->model);
    dry_model_free(own);
    return code;
}

static int export_verb(const cli_args *args) {
    cli_job job;
    if (!fits(args)) return CLI_USAGE;
    int code = cli_job_read(&job, args);
    if (code == CLI_FINE) code = export_job(args, &job);
    cli_job_free(&job);
    return code;
}

const cli_verb cli_verb_export = {
    .name = "export",
    .arguments = "FILE -o DIR|X.fmu",
    .summary = "write a model as C that needs nothing else, or as an FMU",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = export_verb,
};
