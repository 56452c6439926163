/* Runs one model in several ways, for `run --verify` and `compare`. */
#include "variant.h"
#include "account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cli_outcome cli_run_variant(const cli_source *source) {
    cli_outcome out = {0};
    dry_model_options options = source->options;
    options.force = true;
    out.model = dry_model_compile(source->path, source->text, source->length, &options);
    if (!out.model) {
        cli_complain("%s: out of memory", source->path);
        out.code = CLI_RUN;
        return out;
    }
    out.code = dry_model_ok(out.model) ? CLI_FINE : CLI_MODEL;
    for (int i = 0; out.code != CLI_FINE && i < dry_model_messages(out.model); i++)
        dry_model_print_message(out.model, i, stderr, cli_wants_colour(stderr));
    if (out.code != CLI_FINE) return out;
    out.code = cli_run_model(out.model, source->path, false, true, &out.run);
    const bool ran = out.code == CLI_FINE || out.code == CLI_EXPECTATION;
    if (ran && !cli_account_holds(out.model, source->path, out.run.result.record))
        out.code = CLI_RUN;
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

/* ---- how far two ends are apart ----------------------------------------------------------- */

/* A state that hardly moves beside others is rounding, or what these leave of it. */
static const double LEAST_OF_UNIT = 1e-3, LEAST_OF_ALL = 1e-6;

enum { MOST_UNITS = 16 };

/* The largest of the states of each unit, and of all; units beyond the list count as none. */
typedef struct scales {
    const char *unit[MOST_UNITS];
    double largest[MOST_UNITS], all;
    int n;
} scales;

static const char *unit_of(const cli_outcome *outcome, int state) {
    return dry_model_system(outcome->model)
        ->states[dry_model_own_state(outcome->model, state)]
        .unit;
}

static int find_unit(const scales *s, const char *unit) {
    int k = 0;
    while (k < s->n && strcmp(s->unit[k], unit) != 0) k++;
    return k;
}

static void note_size(scales *s, const char *unit, double size) {
    const int k = find_unit(s, unit);
    s->all = fmax(s->all, size);
    if (k == MOST_UNITS) return;
    if (k == s->n) s->unit[s->n++] = unit;
    s->largest[k] = fmax(s->largest[k], size);
}

static double least_size(const scales *s, const char *unit) {
    const int k = find_unit(s, unit);
    return fmax(k < s->n ? LEAST_OF_UNIT * s->largest[k] : 0.0, LEAST_OF_ALL * s->all);
}

double cli_outcome_apart(const cli_outcome *a, const cli_outcome *b) {
    scales s = {0};
    double largest = 0.0;
    for (int i = 0; i < cli_outcome_states(a); i++)
        note_size(&s, unit_of(a, i), cli_outcome_size(a, i));
    for (int i = 0; i < cli_outcome_states(a); i++) {
        const double difference = fabs(cli_outcome_end(a, i) - cli_outcome_end(b, i));
        const double size = fmax(cli_outcome_size(a, i), least_size(&s, unit_of(a, i)));
        if (difference > 0.0) largest = fmax(largest, difference / size);
    }
    return largest;
}
