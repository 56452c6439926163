/* engine: what a page needs beside bind.h, as plain functions: models as JSON, files that land in
 * virtual files, runs with other parameters, thinned columns, an editor's messages. */
#include <drystone/bind.h>
#include <drystone/fmu.h>
#include <drystone/lsp.h>
#include <drystone/report.h>
#include <drystone/sim.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("drystone"), import_name(#name)))

/* What the page is called back with. */
IMPORT(progress) int page_progress(double t);
IMPORT(message) int page_message(const char *text, size_t length);

static bool tell_progress(void *user, double t) { return (void)user, page_progress(t) != 0; }
/* The table of functions has no names outside: the page asks for this one. */
dry_bind_progress *EXPORT(dry_web_progress)(void) { return tell_progress; }

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_text(FILE *stream, const char *text) {
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c < ' ')
            fprintf(stream, "\\u%04x", *c);
        else
            fputc(*c, stream);
    fputc('"', stream);
}

static void put_number(FILE *stream, double x) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(x, text);
    fputs(isfinite(x) ? text : "null", stream);
}

static void put_member(FILE *stream, const char *name, const char *text) {
    fprintf(stream, ",\"%s\":", name);
    put_text(stream, text);
}

static void put_value(FILE *stream, const char *name, double x) {
    fprintf(stream, ",\"%s\":", name);
    put_number(stream, x);
}

static void put_yes(FILE *stream, const char *name, bool yes) {
    fprintf(stream, ",\"%s\":%s", name, yes ? "true" : "false");
}

/* Begins row i of a list. */
static void put_row(FILE *stream, int i) {
    fputs(i ? ",{\"i\":" : "{\"i\":", stream), fprintf(stream, "%d", i);
}

/* Text of `print`, which the caller frees; NULL without memory. */
typedef void print_fn(const void *of, FILE *stream);
static char *printed(print_fn *print, const void *of) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return NULL;
    print(of, stream);
    return dry_text_close(stream, &text) ? text : NULL;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void print_message(const dry_model *model, int i, FILE *stream) {
    const dry_message m = dry_model_message(model, i);
    char *shown = dry_bind_message_shown(model, i);
    put_row(stream, i);
    fprintf(stream, ",\"kind\":%d,\"line\":%d,\"column\":%d,\"length\":%d", (int)m.kind, m.line,
            m.column, m.length);
    put_member(stream, "word", m.word);
    put_member(stream, "text", m.text);
    put_member(stream, "wayOut", m.way_out);
    put_member(stream, "file", m.file);
    put_member(stream, "shown", shown);
    if (m.instead) put_member(stream, "instead", m.instead);
    fputc('}', stream);
    dry_bind_text_free(shown);
}

static void print_messages(const void *of, FILE *stream) {
    const dry_model *model = of;
    fputc('[', stream);
    for (int i = 0; i < dry_model_messages(model); i++) {
        print_message(model, i, stream);
    }
    fputc(']', stream);
}

char *EXPORT(dry_web_messages)(const dry_model *model) { return printed(print_messages, model); }

/* ---- models -------------------------------------------------------------------------------- */

static void print_quantities(const dry_model *model, const char *name, dry_bind_list list,
                             FILE *stream) {
    fprintf(stream, ",\"%s\":[", name);
    for (int i = 0; i < dry_bind_count(model, list); i++) {
        double range[2];
        put_row(stream, i);
        put_member(stream, "name", dry_bind_name(model, list, i));
        put_member(stream, "unit", dry_bind_unit(model, list, i));
        put_yes(stream, "own", dry_bind_is_own(model, list, i));
        if (list == DRY_BIND_PARAMETERS) {
            put_value(stream, "value", dry_bind_par(model, i));
            put_yes(stream, "free",
                    dry_model_par_free(model, i) && !dry_model_par_follows(model, i));
            if (dry_model_par_range(model, i, range))
                put_value(stream, "low", range[0]), put_value(stream, "high", range[1]);
        }
        fputc('}', stream);
    }
    fputc(']', stream);
}

static void print_axis(const char *name, const dry_picture_axis *axis, FILE *stream) {
    fprintf(stream, ",\"%s\":{\"log\":%s", name, axis->log ? "true" : "false");
    put_member(stream, "label", axis->label);
    if (axis->low != axis->high)
        put_value(stream, "low", axis->low), put_value(stream, "high", axis->high);
    fputc('}', stream);
}

static void print_panel(const dry_model *model, const dry_record *columns, int index,
                        FILE *stream) {
    const dry_model_panel p = dry_model_panel_at(model, index);
    put_row(stream, index);
    put_member(stream, "title", p.title);
    fprintf(stream, ",\"marks\":%d,\"curves\":[", p.marks);
    for (int i = 0; i < p.n; i++) {
        put_row(stream, i);
        put_member(stream, "y", dry_record_quantity(columns, p.y[i]).name);
        put_member(stream, "x", dry_record_quantity(columns, p.x[i]).name);
        put_member(stream, "label", p.label[i]);
        put_yes(stream, "beside", p.beside && p.beside[i]);
        fputc('}', stream);
    }
    fputs("],\"shades\":[", stream);
    for (int i = 0; i < p.n_shades; i++) {
        if (i) fputc(',', stream);
        put_text(stream, dry_record_quantity(columns, p.shade[i]).name);
    }
    fputc(']', stream);
    print_axis("xAxis", &p.x_axis, stream);
    print_axis("yAxis", &p.y_axis, stream);
    print_axis("besideAxis", &p.beside_axis, stream);
    fputc('}', stream);
}

static void print_panels(const dry_model *model, FILE *stream) {
    dry_record *columns = dry_sim_columns(dry_model_system(model));
    fputs(",\"panels\":[", stream);
    for (int i = 0; columns && i < dry_model_panels(model); i++) {
        print_panel(model, columns, i, stream);
    }
    fputc(']', stream);
    dry_record_free(columns);
}

static void print_model(const void *of, FILE *stream) {
    static const char *const how[] = {"until", "step",     "record", "rtol",
                                      "atol",  "adaptive", "largest"};
    const dry_model *model = of;
    fputs("{\"messages\":", stream);
    print_messages(model, stream);
    put_member(stream, "title", dry_model_title(model));
    put_member(stream, "method", dry_bind_runs_by(model));
    for (int i = 0; i < (int)(sizeof how / sizeof *how); i++)
        put_value(stream, how[i], dry_bind_runs(model, (dry_bind_how)i));
    print_quantities(model, "parameters", DRY_BIND_PARAMETERS, stream);
    print_quantities(model, "inputs", DRY_BIND_INPUTS, stream);
    print_quantities(model, "states", DRY_BIND_STATES, stream);
    print_quantities(model, "outputs", DRY_BIND_OUTPUTS, stream);
    print_quantities(model, "measures", DRY_BIND_MEASURES, stream);
    print_quantities(model, "elements", DRY_BIND_ELEMENTS, stream);
    print_panels(model, stream);
    fputs(",\"remarks\":[", stream);
    for (int i = 0; dry_bind_remark(model, i); i++) {
        if (i) fputc(',', stream);
        put_text(stream, dry_bind_remark(model, i));
    }
    fputs("]}", stream);
}

/* Of a model that is good. */
char *EXPORT(dry_web_model)(const dry_model *model) { return printed(print_model, model); }

/* One of the stages that `drystone show --stage` prints; NULL: there is none of that name, or no
 * memory. */
char *EXPORT(dry_web_stage)(const dry_model *model, const char *name) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    const dry_status status = stream ? dry_model_print_stage(model, name, stream) : DRY_NO_MEMORY;
    const bool whole = stream && dry_text_close(stream, &text);
    if (whole && status == DRY_OK) return text;
    if (whole) free(text);
    return NULL;
}

/* ---- files --------------------------------------------------------------------------------- */

dry_status EXPORT(dry_web_export_c)(const dry_model *model, const char *folder, const char *prefix,
                                    const char *layout, bool single, dry_error *error) {
    const dry_export_options options = {.single = single, .prefix = prefix, .layout = layout};
    return dry_export_c(model, &options, folder, error);
}

dry_status EXPORT(dry_web_export_fmu)(const dry_model *model, int version, const char *path,
                                      dry_error *error) {
    const dry_fmu_options options = {.version = version, .only_sources = true};
    return dry_fmu_write(model, &options, path, NULL, error);
}

dry_status EXPORT(dry_web_picture)(const dry_model *model, const dry_record *record, bool dark,
                                   const char *path, dry_error *error) {
    dry_panel *panels = calloc((size_t)dry_model_panels(model) + 1, sizeof *panels);
    if (!panels) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_plot plot = dry_report_plot(model, record, panels);
    plot.dark = dark;
    const dry_status status = dry_plot_write(&plot, path, error);
    free(panels);
    return status;
}

/* ---- runs with other parameters ------------------------------------------------------------ */

/* A run of a model with values of its own for free parameters. */
typedef struct rerun {
    const dry_model *model;
    double *par;
    dry_sim_result result;
    dry_measured *measured;
    dry_expected *expected;
} rerun;

void EXPORT(dry_web_rerun_free)(rerun *r) {
    if (!r) return;
    dry_record_free(r->result.record);
    free(r->result.saved);
    free(r->par), free(r->measured), free(r->expected);
    free(r);
}

rerun *EXPORT(dry_web_rerun_new)(const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    rerun *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->model = model;
    r->par = malloc(((size_t)system->n_par + 1) * sizeof *r->par);
    r->measured = calloc((size_t)dry_model_measures(model) + 1, sizeof *r->measured);
    r->expected = calloc((size_t)dry_model_expects(model) + 1, sizeof *r->expected);
    if (r->par && r->measured && r->expected) {
        memcpy(r->par, system->par, (size_t)system->n_par * sizeof *r->par);
        return r;
    }
    dry_web_rerun_free(r);
    return NULL;
}

/* Returns false if only a new compilation can take the value. */
bool EXPORT(dry_web_rerun_par)(rerun *r, const char *name, double value) {
    const int par = dry_model_par_find(r->model, name);
    if (par < 0 || !dry_model_par_free(r->model, par) || dry_model_par_follows(r->model, par))
        return false;
    r->par[par] = value;
    return true;
}
/* After all of them. */
bool EXPORT(dry_web_rerun_settle)(rerun *r) {
    return dry_model_par_outside(r->model, r->par) < 0 && dry_model_par_settle(r->model, r->par);
}

static dry_status integrate(rerun *r, const dry_sim_options *options, dry_error *error) {
    const dry_inclusion *inclusion = dry_model_inclusion(r->model);
    return inclusion ? dry_sim_run_inclusion(inclusion, options, &r->result, error)
                     : dry_sim_run(dry_model_system(r->model), options, &r->result, error);
}

dry_status EXPORT(dry_web_rerun_start)(rerun *r, dry_error *error) {
    dry_sim_options options = {.par = r->par};
    dry_status status = dry_model_plan(r->model, &options.run, error);
    if (status == DRY_OK) status = integrate(r, &options, error);
    const dry_ode_fault *fault = &r->result.fault;
    if (status == DRY_RUN_FAILED && fault->watch)
        return dry_error_set(error, status, "at t = %.6g s %s", fault->t,
                             dry_model_watch_text(r->model, fault->watch));
    return status == DRY_OK ? dry_model_evaluate(r->model, r->par, r->result.record, r->measured,
                                                 r->expected, error)
                            : status;
}

const dry_record *EXPORT(dry_web_rerun_record)(const rerun *r) { return r->result.record; }

static void print_rerun(const void *of, FILE *stream) {
    const rerun *r = of;
    fputs("{\"i\":0", stream);
    put_value(stream, "end", r->result.end);
    put_member(stream, "stop",
               r->result.stop ? dry_model_watch_text(r->model, r->result.stop) : "");
    fputs(",\"measures\":[", stream);
    for (int i = 0; i < dry_model_measures(r->model); i++) {
        put_row(stream, i);
        put_member(stream, "name", r->measured[i].name);
        put_value(stream, "value", r->measured[i].value);
        fputc('}', stream);
    }
    fputs("],\"expectations\":[", stream);
    for (int i = 0; i < dry_model_expects(r->model); i++) {
        const dry_expected *e = &r->expected[i];
        put_row(stream, i);
        put_member(stream, "text", e->source);
        put_yes(stream, "met", e->met);
        put_value(stream, "line", e->line);
        put_value(stream, "value", e->value);
        put_value(stream, "target", e->target);
        put_value(stream, "tolerance", e->tolerance);
        fputc('}', stream);
    }
    fputs("]}", stream);
}
char *EXPORT(dry_web_rerun_about)(const rerun *r) { return printed(print_rerun, r); }

/* ---- thinned columns ----------------------------------------------------------------------- */

/* Marks, of the rows from `from` to before `to`, those in which a column is least and greatest. */
static void mark_extremes(const dry_record *record, int column, size_t from, size_t to,
                          unsigned char *kept) {
    const double *y = dry_record_values(record, column);
    size_t least = from, most = from;
    for (size_t k = from; k < to; k++) {
        if (y[k] < y[least] || isnan(y[least])) least = k;
        if (y[k] > y[most] || isnan(y[most])) most = k;
    }
    kept[least] = kept[most] = 1;
}

/* Marks at most `points` rows, among them the first, the last, and in each of some spans of rows
 * the extremes of every column. */
static void mark(const dry_record *record, const int *columns, int n, size_t points,
                 unsigned char *kept) {
    const size_t rows = dry_record_rows(record), each = 2 * (size_t)(n > 0 ? n : 1);
    const size_t spans = points > 2 + each ? (points - 2) / each : 1;
    for (size_t s = 0; s < spans; s++) {
        const size_t from = (size_t)((double)rows * (double)s / (double)spans),
                     to = (size_t)((double)rows * (double)(s + 1) / (double)spans);
        for (int i = 0; i < n && from < to; i++) mark_extremes(record, columns[i], from, to, kept);
    }
    kept[0] = kept[rows - 1] = 1;
}

/* Writes the columns one after the other into *values, which the caller frees, and returns how many
 * rows were kept; 0 without memory or rows. */
size_t EXPORT(dry_web_thin)(const dry_record *record, const int *columns, int n, size_t points,
                            double **values) {
    const size_t rows = record ? dry_record_rows(record) : 0;
    size_t many = 0, at = 0;
    *values = NULL;
    if (rows == 0) return 0;
    unsigned char *kept = calloc(rows, 1);
    if (!kept) return 0;
    if (rows <= points)
        memset(kept, 1, rows);
    else
        mark(record, columns, n, points, kept);
    for (size_t k = 0; k < rows; k++) many += kept[k];
    *values = malloc(many * (size_t)(n > 0 ? n : 1) * sizeof **values);
    for (int i = 0; *values && i < n; i++) {
        const double *y = dry_record_values(record, columns[i]);
        for (size_t k = 0; k < rows; k++)
            if (kept[k]) (*values)[at++] = y[k];
    }
    free(kept);
    return *values ? many : 0;
}

/* ---- an editor ----------------------------------------------------------------------------- */

static bool tell_message(void *user, const char *message, size_t length) {
    return (void)user, page_message(message, length) != 0;
}
dry_lsp *EXPORT(dry_web_editor_new)(void) { return dry_lsp_new(tell_message, NULL); }

static void print_words(const void *of, FILE *stream) {
    dry_lsp_word word;
    (void)of;
    fputc('[', stream);
    for (int i = 0; dry_lsp_word_at(i, &word); i++) {
        put_row(stream, i);
        put_member(stream, "kind", dry_lsp_kind_name(word.kind));
        put_member(stream, "text", word.text);
        put_member(stream, "form", word.form);
        put_member(stream, "meaning", word.meaning);
        put_yes(stream, "reserved", word.reserved);
        fputc('}', stream);
    }
    fputc(']', stream);
}
char *EXPORT(dry_web_words)(void) { return printed(print_words, NULL); }
