/* How far the result of a job can be trusted: the word of the watch, the energy of its parts, and
 * `run --verify`.
 *
 * --verify is the thorough form: two more runs, with half and with a quarter of the step (or a
 * tenth and a hundredth of the tolerance). Each of them
 * chooses anew the K, alpha and beta that the text leaves open, so that the error of this choice
 * counts. Their samples are closer by the same factor, so that what a measure misses between two
 * samples counts. The error of a number is the sum of all further differences if they go on falling
 * as they do. The word is that of the watch, without a limit of work. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the word of the watch --------------------------------------------------------------- */

dry_watch_options cli_watch_options(const cli_args *args) {
    return (dry_watch_options){.limit = cli_number(args, "watch-limit", 0.0),
                               .most = cli_number(args, "watch-error", 0.0)};
}

bool cli_asks_watch(const cli_args *args, bool *watched) {
    static const char *const closely[] = {"watch-limit", "watch-error"};
    *watched = cli_has(args, "watch") || cli_has(args, "strict");
    for (size_t i = 0; i < sizeof closely / sizeof *closely && !*watched; i++)
        if (cli_has(args, closely[i]))
            return cli_complain("--%s needs --watch or --strict: nothing is watched without them",
                                closely[i]),
                   false;
    return true;
}

static bool is_not_interrupted(void *user, double t) {
    (void)user, (void)t;
    return !cli_is_interrupted();
}

bool cli_job_watch(const cli_job *job, dry_watch_verdict *verdict) {
    dry_watch_options options = job->watch;
    dry_error error = {0};
    options.model = &job->options;
    options.progress = is_not_interrupted;
    if (job->native) {
        options.system = dry_native_system(job->native);
        options.inclusion = dry_native_inclusion(job->native);
    }
    if (dry_watch(job->model, &job->run, &job->result, &options, verdict, &error) == DRY_OK)
        return true;
    cli_complain("the run could not be watched: %s", error.text);
    return false;
}

int cli_word_lines(const dry_watch_verdict *v, char lines[CLI_WORD_LINES][CLI_WORD_LINE]) {
    int n = 0;
    snprintf(lines[n++], CLI_WORD_LINE, "%s", v->text);
    for (int i = 0; i < v->n_gives && n < CLI_WORD_LINES - 2; i++)
        dry_watch_give_text(&v->gives[i], lines[n++], CLI_WORD_LINE);
    if (*v->chosen_text) snprintf(lines[n++], CLI_WORD_LINE, "%s", v->chosen_text);
    if (v->gives_left) snprintf(lines[n++], CLI_WORD_LINE, "%d more give way", v->gives_left);
    return n;
}

void cli_print_word(const dry_watch_verdict *verdict, const char *path, bool quiet) {
    const char *before = path ? path : "", *colon = path ? ": " : "";
    char lines[CLI_WORD_LINES][CLI_WORD_LINE];
    const int n = cli_word_lines(verdict, lines);
    for (int i = verdict->word == DRY_TRUSTED && quiet; i < n; i++)
        fprintf(stderr, "%s%s%s\n", before, colon, lines[i]);
}

/* ---- the energy of the parts -------------------------------------------------------------- */

/* The balance may be off by so much of it. */
static const double most_off = 0.05;

enum { MOST_ROWS = 24 };

/* Every part with what it held at the start and at the end; or, of many, the ones that count. */
static void print_row(const dry_account_row *row) {
    const double held = row->kinetic[1] + row->potential[1] + row->stored[1];
    const double before = row->kinetic[0] + row->potential[0] + row->stored[0];
    printf("  %-20s %12.5g %12.5g %12.5g %12.5g\n", row->part, before, held,
           row->feeds ? 0.0 - row->work : 0.0, row->dissipated);
}

static void print_account(const dry_account *a) {
    printf("energy [J]             at the start   at the end     supplied   dissipated\n");
    for (int i = 0; i < a->count && a->count <= MOST_ROWS; i++) print_row(&a->rows[i]);
    printf("  %-20s %12.5g %12.5g %12.5g %12.5g\n", "all", a->before, a->after, a->supplied,
           a->dissipated);
    printf("  the balance is off by %.2g J\n", a->error);
}

/* The energy that was there, came in or went, or was on the way: a pendulum may begin and end with
 * none. */
static double turned_over(const dry_account *a) {
    return fmax(fmax(fmax(fabs(a->before), fabs(a->after)), fmax(fabs(a->supplied), a->dissipated)),
                a->peak);
}

/* What the sums of the account may be off by rounding alone, each of its terms being rounded at
 * every step. */
static double rounding(const dry_account *a) {
    const double most_rounded = 1e-9;
    double sum = 0.0;
    for (int i = 0; i < a->count; i++) {
        const dry_account_row *row = &a->rows[i];
        sum += fabs(row->work);
        for (int k = 0; k < 2; k++)
            sum += fabs(row->kinetic[k]) + fabs(row->potential[k]) + fabs(row->stored[k]);
    }
    return most_rounded * sum;
}

static bool is_off(const dry_account *a) {
    return fabs(a->error) > most_off * turned_over(a) && fabs(a->error) > rounding(a);
}

static void warn_off(const dry_account *a) {
    if (dry_account_liar(a, DRY_ACCOUNT_CREATED) || dry_account_giver(a, DRY_ACCOUNT_CREATED))
        return; /* that has a line of its own */
    if (is_off(a))
        fprintf(stderr,
                "warning: the energy of the parts is off by %.3g J, more than %g %% of what there "
                "was: shorten the step, or choose a method of higher order\n",
                a->error, 100.0 * most_off);
}

static void print_liar(const char *path, const dry_account_row *row) {
    cli_complain("%s: %s (%s) promises to take energy only, and has created %.3g J, %.2g of what "
                 "passed through it: the result is wrong; shorten the step",
                 path, row->part, row->kind, -row->least, -row->least / row->passed);
}

static void print_giver(const char *path, const dry_account_row *row) {
    fprintf(stderr,
            "%s: %s (%s) has created %.3g J, %.2g of what passed through it: its law does not "
            "promise to take energy only; check its parameters, or shorten the step\n",
            path, row->part, row->kind, -row->least, -row->least / row->passed);
}

bool cli_account_holds(const cli_job *job) {
    dry_account account;
    dry_error error;
    if (!dry_model_net(job->model)) return true;
    if (dry_model_account(job->model, job->result.record, &account, &error) != DRY_OK)
        return cli_complain_error(&error), false;
    const dry_account_row *liar = dry_account_liar(&account, DRY_ACCOUNT_CREATED);
    const dry_account_row *giver = dry_account_giver(&account, DRY_ACCOUNT_CREATED);
    if (liar) print_liar(job->path, liar);
    if (giver) print_giver(job->path, giver);
    dry_account_free(&account);
    return !liar;
}

int cli_print_account(const cli_job *job) {
    dry_account account;
    dry_error error;
    if (!dry_model_net(job->model)) return CLI_FINE;
    if (dry_model_account(job->model, job->result.record, &account, &error) != DRY_OK) {
        cli_complain_error(&error);
        return CLI_RUN;
    }
    print_account(&account);
    warn_off(&account);
    dry_account_free(&account);
    return CLI_FINE;
}

/* ---- finer runs --------------------------------------------------------------------------- */

/* Differences fall if the next is at most FALLS of the one before. It is taken as at least
 * HOPED: at kinks no method is better than of second order, a quarter. */
static const double FALLS = 0.7, HOPED = 1.0 / 3.0;

enum { MOST_STATES = 30 }; /* that are listed one by one */

typedef struct finer {
    cli_job half, quarter;
} finer;

/* The time between two samples of a run, s. */
static double interval_of(const cli_job *job) {
    const double *t = dry_record_values(job->result.record, 0);
    return dry_record_rows(job->result.record) > 1 ? t[1] - t[0] : 0.0;
}

/* Samples of the next finer run for one of this: as many as steps, or ten; fewer for wide tables,
 * because the finest may have at most MOST_VALUES. */
static double samples_for_one(const cli_job *first) {
    const double MOST_VALUES = 2e7;
    const dry_record *r = first->result.record;
    const double values = (double)dry_record_rows(r) * dry_record_columns(r);
    return first->run.method->adaptive ? fmax(1.0, fmin(10.0, sqrt(MOST_VALUES / values))) : 2.0;
}

static void refine(const cli_job *first, int k, dry_run_options *to) {
    const dry_run_options *run = &first->run;
    to->record = interval_of(first) * pow(samples_for_one(first), -k);
    if (first->run.method->adaptive) {
        to->rtol = (run->rtol > 0.0 ? run->rtol : 1e-6) * pow(0.1, k);
        to->atol = (run->atol > 0.0 ? run->atol : 1e-9) * pow(0.1, k);
    } else {
        to->step = run->step * pow(0.5, k);
    }
}

/* The model as it would be chosen for the step of that run. */
static cli_job run_finer(const cli_job *first, int k) {
    cli_job job = cli_job_copy(first);
    job.watched = true;
    refine(first, k, &job.options.run);
    if (first->run.method->adaptive)
        job.options.choose_step = dry_model_choose_step(first->model) * pow(0.5, k);
    cli_job_run_text(&job);
    return job;
}

/* ---- what is found ------------------------------------------------------------------------------
 */

/* |a - b| + |b - c| + ... as if every difference were the same part of the one before. */
static double error_of(double a, double b, double c) {
    const double coarse = fabs(a - b), fine = fabs(b - c);
    if (fine >= FALLS * coarse) return fmax(coarse, fine) / (1.0 - FALLS);
    return coarse / (1.0 - fmax(fine / coarse, HOPED));
}

static dry_estimate estimate_state(const cli_job *first, const finer *f, int i) {
    const dry_quantity q =
        dry_model_system(first->model)->states[dry_model_own_state(first->model, i)];
    const double end = cli_job_end(first, i);
    return (dry_estimate){q.name, q.unit, end,
                          error_of(end, cli_job_end(&f->half, i), cli_job_end(&f->quarter, i))};
}

static dry_estimate estimate_measure(const cli_job *first, const finer *f, int i) {
    const dry_measured *m = &first->measured[i];
    return (dry_estimate){
        m->name, m->unit, m->value,
        error_of(m->value, f->half.measured[i].value, f->quarter.measured[i].value)};
}

static bool estimate(const cli_job *first, const finer *f, cli_verified *v) {
    const int n_states = cli_job_states(first), n_measures = dry_model_measures(first->model);
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
static void tell_samples(const cli_job *first, const finer *f, cli_verified *v) {
    const size_t said = strlen(v->verdict);
    const double interval = interval_of(first);
    const bool between = first->run.method->adaptive || interval > 1.5 * first->run.step;
    if (between && dry_model_measures(first->model))
        snprintf(v->verdict + said, sizeof v->verdict - said,
                 "; measures use samples %.3g s apart, %.3g s in the finest run: they miss what "
                 "comes and goes between these",
                 interval, interval_of(&f->quarter));
}

/* How well the forces of a rigid run obey their sets. */
static void print_residual(const cli_job *first, const finer *f) {
    if (!dry_model_inclusion(first->model)) return;
    const double worst =
        fmax(first->result.residual, fmax(f->half.result.residual, f->quarter.result.residual));
    printf("  forces are in their sets to %.2g of the largest force of a step\n", worst);
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

/* The word on it all, whatever it takes; false if there is none. */
static bool judge(const cli_job *first, cli_verified *v) {
    cli_job closely = *first;
    dry_watch_verdict verdict;
    closely.watch.limit = (double)INFINITY;
    if (!cli_job_watch(&closely, &verdict)) return false;
    cli_print_word(&verdict, first->path, false);
    v->good = dry_watch_is_good(&verdict);
    snprintf(v->verdict, sizeof v->verdict, "%s", verdict.text);
    dry_watch_free(&verdict);
    return true;
}

int cli_verify(const cli_job *job, cli_verified *verified) {
    finer f = {run_finer(job, 1), run_finer(job, 2)};
    *verified = (cli_verified){0};
    const bool ended = cli_job_ended(&f.half) && cli_job_ended(&f.quarter);
    const bool finished = ended && estimate(job, &f, verified);
    if (!finished)
        cli_complain(ended ? "out of memory"
                           : "the finer runs that --verify needs did not reach their end");
    const bool good = finished && judge(job, verified);
    if (good) {
        tell_samples(job, &f, verified);
        print_verified(verified);
        print_residual(job, &f);
    }
    cli_job_free(&f.half);
    cli_job_free(&f.quarter);
    return good ? CLI_FINE : CLI_RUN;
}
