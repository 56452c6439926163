/* run: one run of a model for a binding: by bytecode or native code, with its measures, its remarks
 * and the verdict of the watch. */
#include "bind_private.h"

#include <drystone/report.h>
#include <drystone/sim.h>
#include <drystone/stability.h>
#include <drystone/watch.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 700, MOST_LINES = 12 };

struct dry_bind_run {
    const dry_model *model;
    dry_model_options options; /* that the model was compiled with */
    dry_run_options run;
    dry_native *native; /* NULL: bytecode */
    dry_sim_result result;
    dry_measured *measured;
    dry_expected *expected;
    char **remark;
    int n_remarks;
    bool evaluated; /* its measures and expectations are those of the record */
    bool watched;
    dry_watch_verdict verdict;
    char give[MOST_LINES][LINE]; /* the lines of the verdict */
    int n_lines;
};

dry_bind_run *dry_bind_run_new(const dry_model *model, const dry_bind_plan *plan) {
    dry_bind_run *run = calloc(1, sizeof *run);
    if (!run) return NULL;
    run->model = model;
    if (plan) run->options = plan->options;
    run->measured = calloc((size_t)dry_model_measures(model) + 1, sizeof *run->measured);
    run->expected = calloc((size_t)dry_model_expects(model) + 1, sizeof *run->expected);
    if (run->measured && run->expected) return run;
    dry_bind_run_free(run);
    return NULL;
}

static void forget(dry_bind_run *run) {
    dry_record_free(run->result.record);
    free(run->result.saved);
    dry_native_free(run->native);
    dry_watch_free(&run->verdict);
    for (int i = 0; i < run->n_remarks; i++) free(run->remark[i]);
    free(run->remark);
    run->result = (dry_sim_result){0};
    run->verdict = (dry_watch_verdict){0};
    run->native = NULL;
    run->remark = NULL;
    run->n_remarks = run->n_lines = 0;
    run->evaluated = run->watched = false;
}

void dry_bind_run_free(dry_bind_run *run) {
    if (!run) return;
    forget(run);
    free(run->measured);
    free(run->expected);
    free(run);
}

/* ---- remarks ------------------------------------------------------------------------------ */

/* A remark that finds no memory is an error of the run, so that none is lost. */
static dry_status say(dry_bind_run *run, dry_error *error, const char *format, ...)
    DRY_PRINTF(3, 4);
static dry_status say(dry_bind_run *run, dry_error *error, const char *format, ...) {
    char text[LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **more = realloc(run->remark, ((size_t)run->n_remarks + 1) * sizeof *more);
    if (more) run->remark = more;
    char *copy = malloc(strlen(text) + 1);
    if (!more || !copy) {
        free(copy);
        return dry_bind__no_memory(error);
    }
    run->remark[run->n_remarks++] = strcpy(copy, text);
    return DRY_OK;
}

const char *dry_bind_run_remark(const dry_bind_run *run, int index) {
    return index >= 0 && index < run->n_remarks ? run->remark[index] : NULL;
}

static dry_status say_beyond(dry_bind_run *run, const char *what, double latest, dry_error *error) {
    if (!run->result.stop || !(latest > 0.0)) return DRY_OK;
    return say(run, error,
               "`%.200s` reads times up to %.6g s, but the model stopped the run at %.6g s: it is "
               "nan, or sees the run up to the stop only",
               what, latest, run->result.end);
}

/* With the option force. */
static dry_status say_too_fast(dry_bind_run *run, dry_error *error) {
    const dry_ode_fault *fault = &run->result.fault;
    if (!fault->law) return DRY_OK;
    return say(run, error,
               "from t = %.6g s on %s settles at a rate of %.4g 1/s or more, faster than steps of "
               "%.6g s can follow (%.4g 1/s): do not trust what comes after",
               fault->t, fault->law, fault->rate, run->run.step,
               dry_fastest_rate(run->run.method, run->run.step));
}

/* The energy of parts: a law that promised to take energy only, and gave some, is an error. */
static dry_status check_account(dry_bind_run *run, dry_error *error) {
    dry_account account;
    if (!dry_model_net(run->model)) return DRY_OK;
    dry_status status = dry_model_account(run->model, run->result.record, &account, error);
    if (status != DRY_OK) return status;
    const dry_account_row *liar = dry_account_liar(&account, DRY_ACCOUNT_CREATED);
    const dry_account_row *giver = dry_account_giver(&account, DRY_ACCOUNT_CREATED);
    if (giver)
        status = say(run, error,
                     "%.100s (%s) has created %.3g J, %.2g of what passed through it: its law does "
                     "not promise to take energy only; check its parameters, or shorten the step",
                     giver->part, giver->kind, -giver->least, -giver->least / giver->passed);
    if (liar)
        status = dry_error_set(error, DRY_RUN_FAILED,
                               "%.100s (%s) promises to take energy only, and has created %.3g J, "
                               "%.2g of what passed through it: the result is wrong; shorten the "
                               "step",
                               liar->part, liar->kind, -liar->least, -liar->least / liar->passed);
    dry_account_free(&account);
    return status;
}

/* ---- the run -------------------------------------------------------------------------------- */

/* Makes native code if it pays or the caller requires it; an error if it is required and there is
 * none. */
static dry_status choose_code(dry_bind_run *run, dry_bind_code code, dry_error *error) {
    const dry_method *method = run->run.method;
    const double steps = method->adaptive ? 0.0 : run->run.until / run->run.step;
    const bool asked = code == DRY_BIND_NATIVE, rigid = dry_model_inclusion(run->model) != NULL;
    if (code == DRY_BIND_BYTECODE || (!asked && rigid) ||
        (!asked && !method->adaptive && steps < DRY_NATIVE_FEWEST_STEPS))
        return DRY_OK;
    const dry_native_options options = {.only_cached =
                                            !asked && !dry_native_pays(run->model, method, steps),
                                        .method = rigid ? NULL : method};
    dry_error why = {0};
    run->native = dry_native_new(run->model, &options, &why);
    if (run->native || !asked) return DRY_OK;
    if (error) *error = why;
    return why.status;
}

static dry_status integrate(dry_bind_run *run, const dry_sim_options *options, dry_error *error) {
    const dry_inclusion *native = run->native ? dry_native_inclusion(run->native) : NULL,
                        *inclusion = native ? native : dry_model_inclusion(run->model);
    const dry_system *system =
        run->native ? dry_native_system(run->native) : dry_model_system(run->model);
    return inclusion ? dry_sim_run_inclusion(inclusion, options, &run->result, error)
                     : dry_sim_run(system, options, &run->result, error);
}

/* A condition of the model has a text of its own. */
static dry_status explain(const dry_bind_run *run, dry_status status, dry_error *error) {
    const dry_ode_fault *fault = &run->result.fault;
    if (status != DRY_RUN_FAILED || !fault->watch) return status;
    return dry_error_set(error, status, "at t = %.6g s %s", fault->t,
                         dry_model_watch_text(run->model, fault->watch));
}

static dry_status evaluate(dry_bind_run *run, dry_error *error) {
    dry_status status = dry_model_evaluate(run->model, NULL, run->result.record, run->measured,
                                           run->expected, error);
    run->evaluated = status == DRY_OK;
    for (int i = 0; i < dry_model_measures(run->model) && status == DRY_OK; i++)
        status = say_beyond(run, run->measured[i].name, run->measured[i].beyond, error);
    for (int i = 0; i < dry_model_expects(run->model) && status == DRY_OK; i++)
        status = say_beyond(run, run->expected[i].source, run->expected[i].beyond, error);
    if (status == DRY_OK) status = say_too_fast(run, error);
    return status == DRY_OK ? check_account(run, error) : status;
}

dry_status dry_bind_run_start(dry_bind_run *run, dry_bind_code code, dry_bind_progress *progress,
                              void *user, dry_error *error) {
    forget(run);
    dry_status status = dry_model_plan(run->model, &run->run, error);
    if (status == DRY_OK) status = choose_code(run, code, error);
    if (status != DRY_OK) return status;
    const dry_sim_options options = {.run = run->run,
                                     .saves = dry_watch_saves(dry_model_system(run->model)),
                                     .progress = progress,
                                     .user = user};
    status = integrate(run, &options, error);
    return status == DRY_OK ? evaluate(run, error) : explain(run, status, error);
}

const dry_record *dry_bind_run_record(const dry_bind_run *run) { return run->result.record; }

const char *dry_bind_column_name(const dry_record *record, int column) {
    return dry_record_quantity(record, column).name;
}
const char *dry_bind_column_unit(const dry_record *record, int column) {
    return dry_record_quantity(record, column).unit;
}

double dry_bind_run_fact(const dry_bind_run *run, dry_bind_fact fact) {
    const dry_sim_result *r = &run->result;
    switch (fact) {
    case DRY_BIND_STEPS: return (double)r->counts.steps;
    case DRY_BIND_REJECTED: return (double)r->counts.rejected;
    case DRY_BIND_RATES: return (double)r->counts.rates;
    case DRY_BIND_KINKS: return (double)r->counts.kinks;
    case DRY_BIND_SECONDS: return r->seconds;
    case DRY_BIND_END: return r->end;
    case DRY_BIND_STOPPED: return r->stop ? 1.0 : 0.0;
    case DRY_BIND_IS_NATIVE: return run->native ? 1.0 : 0.0;
    }
    return (double)NAN;
}

const char *dry_bind_run_stop(const dry_bind_run *run) {
    return run->result.stop ? dry_model_watch_text(run->model, run->result.stop) : "";
}

/* ---- measures and expectations ----------------------------------------------------------------
 */

double dry_bind_run_measure(const dry_bind_run *run, int index) {
    if (!run->evaluated || index < 0 || index >= dry_model_measures(run->model)) return (double)NAN;
    return run->measured[index].value;
}

/* Of an index that there is not: an expectation that is not met, without a text. */
static dry_expected expected(const dry_bind_run *run, int index) {
    if (run->evaluated && index >= 0 && index < dry_model_expects(run->model))
        return run->expected[index];
    return (dry_expected){"", 0, false, (double)NAN, (double)NAN, (double)NAN, 0.0};
}
const char *dry_bind_run_expected(const dry_bind_run *run, int index) {
    return expected(run, index).source;
}
int dry_bind_run_expected_line(const dry_bind_run *run, int index) {
    return expected(run, index).line;
}
bool dry_bind_run_expected_met(const dry_bind_run *run, int index) {
    return expected(run, index).met;
}
double dry_bind_run_expected_value(const dry_bind_run *run, int index) {
    return expected(run, index).value;
}
double dry_bind_run_expected_target(const dry_bind_run *run, int index) {
    return expected(run, index).target;
}
double dry_bind_run_expected_tolerance(const dry_bind_run *run, int index) {
    return expected(run, index).tolerance;
}

/* ---- the watch ------------------------------------------------------------------------------- */

static dry_status check_ran(const dry_bind_run *run, dry_error *error) {
    if (run->result.record) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT, "nothing has run: start the run first");
}

static void write_lines(dry_bind_run *run) {
    const dry_watch_verdict *v = &run->verdict;
    int n = 0;
    snprintf(run->give[n++], LINE, "%s", v->text);
    for (int i = 0; i < v->n_gives && n < MOST_LINES - 2; i++)
        dry_watch_give_text(&v->gives[i], run->give[n++], LINE);
    if (*v->chosen_text) snprintf(run->give[n++], LINE, "%s", v->chosen_text);
    if (v->gives_left) snprintf(run->give[n++], LINE, "%d more give way", v->gives_left);
    run->n_lines = n;
}

dry_status dry_bind_run_watch(dry_bind_run *run, double limit, double most,
                              dry_bind_progress *progress, void *user, dry_error *error) {
    dry_status status = check_ran(run, error);
    if (status != DRY_OK) return status;
    const dry_watch_options options = {
        .limit = limit,
        .most = most,
        .system = run->native ? dry_native_system(run->native) : NULL,
        .inclusion = run->native ? dry_native_inclusion(run->native) : NULL,
        .model = &run->options,
        .progress = progress,
        .user = user};
    dry_watch_free(&run->verdict);
    run->verdict = (dry_watch_verdict){0};
    run->n_lines = 0;
    status = dry_watch(run->model, &run->run, &run->result, &options, &run->verdict, error);
    run->watched = status == DRY_OK;
    if (run->watched) write_lines(run);
    return status;
}

const char *dry_bind_run_word(const dry_bind_run *run) {
    return dry_watch_word_text(run->verdict.word);
}
const char *dry_bind_run_trust_line(const dry_bind_run *run, int line) {
    return line >= 0 && line < run->n_lines ? run->give[line] : NULL;
}
double dry_bind_run_trust_error(const dry_bind_run *run) {
    return run->watched ? run->verdict.error : (double)NAN;
}
int dry_bind_run_trusted(const dry_bind_run *run) {
    if (!run->watched) return 0;
    return dry_watch_is_good(&run->verdict) ? 1 : dry_watch_is_bad(&run->verdict) ? -1 : 0;
}

/* ---- pictures ---------------------------------------------------------------------------------
 */

static dry_status draw(const dry_bind_run *run, dry_panel *panels, bool dark, FILE *stream,
                       dry_error *error) {
    dry_plot plot = dry_report_plot(run->model, run->result.record, panels);
    plot.dark = dark;
    return dry_plot_svg_stream(&plot, stream, error);
}

char *dry_bind_run_svg(const dry_bind_run *run, bool dark, dry_error *error) {
    const int n = dry_model_panels(run->model);
    char *text = NULL;
    size_t length;
    if (!run->result.record || n == 0) {
        dry_error_set(error, DRY_BAD_ARGUMENT, "there is nothing to draw: %s",
                      n ? "start the run first" : "add a line `plot ...` to the model");
        return NULL;
    }
    dry_panel *panels = calloc((size_t)n, sizeof *panels);
    FILE *stream = panels ? dry_text_open(&text, &length) : NULL;
    dry_status status = stream ? draw(run, panels, dark, stream, error) : DRY_NO_MEMORY;
    if (stream && !dry_text_close(stream, &text)) status = DRY_NO_MEMORY;
    free(panels);
    if (status == DRY_OK) return text;
    if (status == DRY_NO_MEMORY) dry_bind__no_memory(error);
    free(text);
    return NULL;
}

static dry_card card_of(const dry_bind_run *run, bool brief) {
    return (dry_card){.path = dry_model_path(run->model),
                      .model = run->model,
                      .options = &run->options,
                      .record = run->result.record,
                      .run = run->run,
                      .measured = run->evaluated ? run->measured : NULL,
                      .expected = run->evaluated ? run->expected : NULL,
                      .counts = run->result.counts,
                      .seconds = run->result.seconds,
                      .native = run->native != NULL,
                      .stop = run->result.stop,
                      .end = run->result.end,
                      .saved = run->result.saved,
                      .n_saved = run->result.n_saved,
                      .watched = run->watched ? &run->verdict : NULL,
                      .brief = brief};
}

dry_status dry_bind_run_report(const dry_bind_run *run, const char *path, dry_error *error) {
    const dry_card card = card_of(run, false);
    const dry_status status = check_ran(run, error);
    return status == DRY_OK ? dry_report_write(&card, path, error) : status;
}

/* What the report prints, as a text: the page, brief or not, or its data, with sections or not. */
static char *print(const dry_bind_run *run, bool page, bool flag, dry_error *error) {
    const dry_card card = card_of(run, page && flag);
    char *text = NULL;
    size_t length;
    dry_status status = DRY_NO_MEMORY;
    if (check_ran(run, error) != DRY_OK) return NULL;
    FILE *stream = dry_text_open(&text, &length);
    if (stream && page)
        status = dry_report_print(&card, stream, error);
    else if (stream)
        status = dry_report_data(&card, flag, stream, error);
    const bool whole = stream && dry_text_close(stream, &text);
    if (whole && status != DRY_NO_MEMORY) return text;
    free(text);
    dry_bind__no_memory(error);
    return NULL;
}

char *dry_bind_run_page(const dry_bind_run *run, bool brief, dry_error *error) {
    return print(run, true, brief, error);
}
char *dry_bind_run_data(const dry_bind_run *run, bool sections, dry_error *error) {
    return print(run, false, sections, error);
}
