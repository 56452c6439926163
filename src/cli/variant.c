/* Runs one model in several ways, for `run --verify` and `compare`. */
#include "variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double or_else(double x, double y) { return isnan(x) ? y : x; }

/* The start of the model's states, each `nudge` of its size aside (at least of 1). */
static double *nudged_start(const dry_model *model, double nudge) {
    const dry_system *system = dry_model_system(model);
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    void *work = calloc(1, system->work_size + 1);
    dry_env env = {.model = system->model, .par = system->par, .work = work};
    if (x && work) {
        if (system->prepare) system->prepare(&env);
        system->start(&env, 0.0, x);
        for (int i = 0; i < dry_model_own_states(model); i++) {
            double *own = &x[dry_model_own_state(model, i)];
            *own += nudge * (fabs(*own) > 1.0 ? fabs(*own) : 1.0);
        }
    }
    free(work);
    return x;
}

cli_outcome cli_run_variant(const cli_source *source, const cli_variant *variant) {
    cli_outcome out = {0};
    dry_run_options run = *source->options.run;
    run.step = or_else(variant->step, run.step);
    run.rtol = or_else(variant->rtol, run.rtol);
    run.atol = or_else(variant->atol, run.atol);
    if (variant->method) run.method = variant->method;
    dry_model_options options = source->options;
    options.run = &run;
    options.force = true;
    out.model = dry_model_compile(source->path, source->text, source->length, &options);
    out.code = out.model && dry_model_ok(out.model) ? CLI_FINE : CLI_MODEL;
    for (int i = 0; out.model && out.code != CLI_FINE && i < dry_model_messages(out.model); i++)
        dry_model_print_message(out.model, i, stderr, cli_wants_colour(stderr));
    if (out.code != CLI_FINE) return out;
    double *x0 = variant->nudge != 0.0 ? nudged_start(out.model, variant->nudge) : NULL;
    out.code = cli_run_model_from(out.model, source->path, x0, &out.run);
    free(x0);
    return out;
}

void cli_outcome_free(cli_outcome *outcome) {
    cli_run_free(&outcome->run);
    dry_model_free(outcome->model);
}

int cli_outcome_states(const cli_outcome *outcome) { return dry_model_own_states(outcome->model); }

const double *cli_outcome_values(const cli_outcome *outcome, int state) {
    const dry_system *system = dry_model_system(outcome->model);
    const char *name = system->states[dry_model_own_state(outcome->model, state)].name;
    const dry_record *record = outcome->run.result.record;
    return dry_record_values(record, dry_record_find(record, name));
}

double cli_outcome_end(const cli_outcome *outcome, int state) {
    return cli_outcome_values(outcome, state)[dry_record_rows(outcome->run.result.record) - 1];
}

double cli_outcome_size(const cli_outcome *outcome, int state) {
    const dry_record *record = outcome->run.result.record;
    const double *x = cli_outcome_values(outcome, state);
    double largest = 0.0;
    for (size_t i = 0; i < dry_record_rows(record); i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}

double cli_outcome_apart(const cli_outcome *a, const cli_outcome *b) {
    double largest = 0.0;
    for (int i = 0; i < cli_outcome_states(a); i++) {
        double size = fmax(cli_outcome_size(a, i), 1e-9);
        largest = fmax(largest, fabs(cli_outcome_end(a, i) - cli_outcome_end(b, i)) / size);
    }
    return largest;
}
