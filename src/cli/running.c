/* Running models for the verbs: a bar where it takes long, what went wrong, what came out. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "running.h"
#include <drystone/stability.h>
#include <drystone/watch.h>

#include <stdlib.h>
#include <time.h>

/* ---- how far it is -------------------------------------------------------------------- */

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

/* ---- a run ---------------------------------------------------------------------------- */

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

/* By a method of `ode`, in bytecode or native code. */
static dry_status run_ode(const dry_model *model, cli_code code, const dry_sim_options *options,
                          cli_run *run, dry_error *error) {
    dry_native *native = NULL;
    const dry_method *method = run->run.method;
    const double steps = method->adaptive ? 0.0 : run->run.until / run->run.step;
    if (!cli_choose_code(model, method, steps, code, &native)) return DRY_UNSUPPORTED;
    run->code = native;
    run->native = native != NULL;
    const dry_system *system = native ? dry_native_system(native) : dry_model_system(model);
    return dry_sim_run(system, options, &run->result, error);
}

/* By a rigid solver, with the sets kept; in native code where it is asked for. */
static dry_status run_rigid(const dry_model *model, cli_code code, const dry_sim_options *options,
                            cli_run *run, dry_error *error) {
    const dry_inclusion *inclusion = NULL;
    if (code == CLI_NATIVE) {
        run->code = dry_native_new(model, NULL, error);
        if (!run->code) return error->status;
        inclusion = dry_native_inclusion(run->code);
        run->native = inclusion != NULL;
    }
    if (!inclusion) inclusion = dry_model_inclusion(model);
    return dry_sim_run_inclusion(inclusion, options, &run->result, error);
}

/* With --force. */
static void say_too_fast(const char *path, const dry_ode_fault *fault, const dry_run_options *run) {
    cli_complain("%s: warning: from t = %.6g s on %s settles at a rate of %.4g 1/s or more, faster "
                 "than steps of %.6g s can follow (%.4g 1/s): do not trust what comes after",
                 path, fault->t, fault->law, fault->rate, run->step, dry_run_ode(run).most_rate);
}

static int run_model(const dry_model *model, const char *path, bool progress, bool watched,
                     cli_code code, cli_run *run) {
    dry_error error = {0};
    *run = (cli_run){0};
    if (dry_model_plan(model, &run->run, &error) != DRY_OK)
        return cli_complain_error(&error), CLI_USAGE;
    bar b = {
        .until = run->run.until, .begun = now(), .wanted = progress && cli_is_terminal(stderr)};
    dry_sim_options options = {.run = run->run,
                               .saves = watched ? dry_watch_saves(dry_model_system(model)) : 0,
                               .progress = show_progress,
                               .user = &b};
    dry_status status =
        (dry_model_inclusion(model) ? run_rigid : run_ode)(model, code, &options, run, &error);
    clear_bar(&b);
    if (status == DRY_RUN_FAILED && run->result.fault.watch)
        cli_complain("%s: at t = %.6g s %s", path, run->result.fault.t,
                     dry_model_watch_text(model, run->result.fault.watch));
    else if (status != DRY_OK && error.text[0]) /* else it has been said */
        cli_complain("%s: %s", path, error.text);
    if (status != DRY_OK) return CLI_RUN;
    if (run->result.fault.law) say_too_fast(path, &run->result.fault, &run->run);
    return evaluate(model, path, run);
}

int cli_run_model(const dry_model *model, const char *path, bool progress, bool watched,
                  cli_run *run) {
    return run_model(model, path, progress, watched, CLI_BYTECODE, run);
}
int cli_run_model_as(const dry_model *model, const char *path, bool progress, bool watched,
                     cli_code code, cli_run *run) {
    return run_model(model, path, progress, watched, code, run);
}
void cli_run_free(cli_run *run) {
    dry_record_free(run->result.record);
    free(run->result.saved);
    dry_native_free(run->code);
    free(run->measured);
    free(run->expected);
}
