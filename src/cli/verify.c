/* run --verify: how far a result can be trusted, the thorough form.
 *
 * Two more runs, with half and with a quarter of the step (or a tenth and a hundredth of the
 * tolerance). What the text leaves to be chosen from the step, K, alpha and beta, each of them
 * chooses anew, so that the error of the choice counts too; their samples are as much nearer to
 * each other, so that it counts what a measure misses between two of them. The error of a number is
 * the sum of the differences if they go on falling as they do. The word is that of the watch,
 * without a limit of work. */
#include "variant.h"
#include "watching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences fall where the next is at most FALLS of the one before. It is taken as at least
 * HOPED: at kinks no method is better than of second order, a quarter. */
static const double FALLS = 0.7, HOPED = 1.0 / 3.0;

enum { MOST_STATES = 30 }; /* that are told one by one */

typedef struct finer {
    cli_outcome half, quarter;
} finer;

static bool is_adaptive(const cli_run *run) { return run->run.method->adaptive; }

/* The time between two samples of a run, s. */
static double interval_of(const cli_outcome *o) {
    const double *t = dry_record_values(o->run.result.record, 0);
    return dry_record_rows(o->run.result.record) > 1 ? t[1] - t[0] : 0.0;
}

/* Samples of the next finer run for one of this: as many as steps, or ten, but for wide tables: the
 * finest is to have at most MOST_VALUES. */
static double samples_for_one(const cli_outcome *first) {
    const double MOST_VALUES = 2e7;
    const dry_record *r = first->run.result.record;
    const double values = (double)dry_record_rows(r) * dry_record_columns(r);
    return is_adaptive(&first->run) ? fmax(1.0, fmin(10.0, sqrt(MOST_VALUES / values))) : 2.0;
}

static void refine(const cli_outcome *first, int k, dry_run_options *to) {
    const dry_run_options *run = &first->run.run;
    to->record = interval_of(first) * pow(samples_for_one(first), -k);
    if (is_adaptive(&first->run)) {
        to->rtol = (run->rtol > 0.0 ? run->rtol : 1e-6) * pow(0.1, k);
        to->atol = (run->atol > 0.0 ? run->atol : 1e-9) * pow(0.1, k);
    } else {
        to->step = run->step * pow(0.5, k);
    }
}

/* The model as it would be chosen for the step of that run. */
static cli_outcome run_finer(const cli_source *given, const cli_outcome *first, int k) {
    cli_source source = *given;
    refine(first, k, &source.options.run);
    if (is_adaptive(&first->run))
        source.options.choose_step = dry_model_choose_step(first->model) * pow(0.5, k);
    return cli_run_variant(&source);
}

static bool ran(const cli_outcome *o) { return o->code == CLI_FINE || o->code == CLI_EXPECTATION; }

/* ---- what is found ------------------------------------------------------------------------------
 */

/* |a - b| + |b - c| + ... as if every difference were the same part of the one before. */
static double error_of(double a, double b, double c) {
    const double coarse = fabs(a - b), fine = fabs(b - c);
    if (fine >= FALLS * coarse) return fmax(coarse, fine) / (1.0 - FALLS);
    return coarse / (1.0 - fmax(fine / coarse, HOPED));
}

static dry_estimate estimate_state(const cli_outcome *first, const finer *f, int i) {
    const dry_quantity q =
        dry_model_system(first->model)->states[dry_model_own_state(first->model, i)];
    const double end = cli_outcome_end(first, i);
    return (dry_estimate){
        q.name, q.unit, end,
        error_of(end, cli_outcome_end(&f->half, i), cli_outcome_end(&f->quarter, i))};
}

static dry_estimate estimate_measure(const cli_outcome *first, const finer *f, int i) {
    const dry_measured *m = &first->run.measured[i];
    return (dry_estimate){
        m->name, m->unit, m->value,
        error_of(m->value, f->half.run.measured[i].value, f->quarter.run.measured[i].value)};
}

static bool estimate(const cli_outcome *first, const finer *f, cli_verified *v) {
    const int n_states = cli_outcome_states(first), n_measures = dry_model_measures(first->model);
    v->estimates = calloc((size_t)(n_states + n_measures) + 1, sizeof *v->estimates);
    if (!v->estimates) return false;
    v->states_left = n_states > MOST_STATES ? n_states - MOST_STATES : 0;
    for (int i = 0; i < n_states - v->states_left; i++)
        v->estimates[v->n++] = estimate_state(first, f, i);
    v->n_states = v->n;
    for (int i = 0; i < n_measures; i++) v->estimates[v->n++] = estimate_measure(first, f, i);
    return true;
}

/* What no measure sees, and no estimate counts: where samples are further apart than steps. */
static void tell_samples(const cli_outcome *first, const finer *f, cli_verified *v) {
    const size_t told = strlen(v->verdict);
    const double interval = interval_of(first);
    const bool between = is_adaptive(&first->run) || interval > 1.5 * first->run.run.step;
    if (between && dry_model_measures(first->model))
        snprintf(v->verdict + told, sizeof v->verdict - told,
                 "; measures are of samples %.3g s apart, in the finest run %.3g s: what comes and "
                 "goes between these is not counted",
                 interval, interval_of(&f->quarter));
}

static void print_verified(const cli_verified *v) {
    printf("verified: value at the end +- estimated error\n");
    for (int i = 0; i < v->n; i++) {
        const dry_estimate *e = &v->estimates[i];
        if (i == v->n_states && v->states_left)
            printf("  ... and %d more %s\n", v->states_left,
                   cli_noun(v->states_left, "state", "states"));
        printf("  %-16s = %.9g +- %.2g %s\n", e->name, e->value, e->error, e->unit);
    }
    printf("  %s\n", v->verdict);
}

void cli_verified_free(cli_verified *verified) { free(verified->estimates); }

/* The word on it all, whatever it takes; false where there is none. */
static bool judge(const cli_source *given, const cli_outcome *first, double most, cli_verified *v) {
    const dry_watch_options options = {.limit = (double)INFINITY, .most = most};
    dry_watch_verdict verdict;
    if (!cli_watch(first->model, &given->options, &first->run, options, &verdict)) return false;
    cli_print_word(&verdict, given->path, false);
    v->good = dry_watch_is_good(&verdict);
    snprintf(v->verdict, sizeof v->verdict, "%s", verdict.text);
    dry_watch_free(&verdict);
    return true;
}

int cli_verify(const cli_source *given, const cli_outcome *first, double most,
               cli_verified *verified) {
    finer f = {run_finer(given, first, 1), run_finer(given, first, 2)};
    *verified = (cli_verified){0};
    const bool ended = ran(&f.half) && ran(&f.quarter);
    const bool finished = ended && estimate(first, &f, verified);
    if (!finished)
        cli_complain(ended ? "out of memory"
                           : "the finer runs that --verify needs did not come to their end");
    const bool good = finished && judge(given, first, most, verified);
    if (good) {
        tell_samples(first, &f, verified);
        print_verified(verified);
    }
    cli_outcome_free(&f.half);
    cli_outcome_free(&f.quarter);
    return good ? CLI_FINE : CLI_RUN;
}
