/* fit_table: the result of a fit as a table and as JSON. */
#include "fit.h"

#include <math.h>
#include <string.h>

/* ---- the table ----------------------------------------------------------------------------------
 */

static void print_bound(const dry_fit_parameter *p) {
    if (p->no_effect) printf(", without effect on the outputs");
    const char *sided = isfinite(p->interval[0]) && isfinite(p->interval[1]) ? ", one-sided" : "";
    if (p->at_low) printf("%s, at its lower bound", sided);
    if (p->at_high) printf("%s, at its upper bound", sided);
}

/* So many digits that the ends of the interval differ in two of them, at least 5. */
static int digits_of(const double *interval) {
    const double size = fmax(fabs(interval[0]), fabs(interval[1]));
    const double parts = size / (interval[1] - interval[0]);
    return parts > 1e3 ? (int)fmin(17.0, ceil(log10(parts)) + 2.0) : 5;
}

static void print_parameter(const dry_fit_parameter *p, int width, bool several) {
    printf("  ");
    cli_pad(stdout, p->name, width);
    if (several && p->record >= 0) printf(" of record %d", p->record + 1);
    const bool known = isfinite(p->interval[0]) && isfinite(p->interval[1]);
    const int digits = known ? digits_of(p->interval) : 5;
    printf(" = %.*g%s%s", digits > 6 ? digits : 6, p->value, p->unit[0] ? " " : "", p->unit);
    if (known) printf(", 95 %% in %.*g .. %.*g", digits, p->interval[0], digits, p->interval[1]);
    print_bound(p);
    if (p->why)
        printf(", by differences: %s\n", p->why);
    else
        printf(", by equations\n");
}

static void print_size(const char *what, const dry_fit_size *size, const char *unit) {
    if (size->rows)
        printf("    %s: rms %.4g%s%s, %.3g %% of what was measured, %zu rows\n", what, size->rms,
               unit[0] ? " " : "", unit, 100.0 * size->fraction, size->rows);
}

static void print_output(const dry_fit_output *o) {
    printf("  %s against %s of %s\n", o->name, o->column, o->file);
    print_size("fitted", &o->train, o->unit);
    print_size("held out", &o->hold, o->unit);
}

static void print_optima(const dry_fit_result *r) {
    enum { FEW = 8 };
    if (r->n_starts < 2) return;
    printf("ends of %d starts\n", r->n_starts);
    for (int i = 0; i < r->n_optima && i < FEW; i++) {
        const dry_fit_optimum *o = &r->optima[i];
        printf("  %d %s at cost %.6g:", o->starts, cli_noun(o->starts, "start", "starts"), o->cost);
        for (int j = 0; j < r->n_parameters && j < 12; j++)
            printf(" %s = %.5g", r->parameters[j].name, o->values[j]);
        putchar('\n');
    }
    if (r->n_optima > FEW) printf("  ... and %d more\n", r->n_optima - FEW);
    if (r->failed_starts)
        printf("  %d %s failed\n", r->failed_starts, cli_noun(r->failed_starts, "start", "starts"));
}

static void print_cost(double cost) {
    if (isfinite(cost))
        printf("cost %.6g", cost);
    else
        printf("its runs fail");
}

static void print_windows(const dry_fit_windows *w) {
    if (!w->n) return;
    printf("windows\n  %d of %.4g s, %d %s: residuals %.3g %%, jumps %.2g %%\n", w->n, w->length,
           w->stages, cli_noun(w->stages, "stage", "stages"), 100.0 * w->rms, 100.0 * w->jump);
    printf("  whole records, from where windows led: ");
    print_cost(w->cost);
    printf("; from the text: ");
    print_cost(w->without);
    putchar('\n');
}

static void print_head(const cli_fit *f) {
    const dry_fit_result *r = &f->result;
    printf("%s\n  ", dry_model_title(f->job.model));
    printf("%d %s, %d %s of the solver: %s\n", r->n_records,
           cli_noun(r->n_records, "record", "records"), r->steps,
           cli_noun(r->steps, "step", "steps"), r->ended);
    printf("  %ld %s", r->runs, cli_noun((double)r->runs, "run", "runs"));
    if (r->search_runs) printf(" (%ld of them by the search %s)", r->search_runs, f->fit.search);
    if (r->slope_runs) printf(", %ld with sensitivities", r->slope_runs);
    printf(", %.3g s", f->seconds);
    if (r->found_starts)
        printf(", %d %s already", r->found_starts,
               cli_noun(r->found_starts, "start was there", "starts were there"));
    putchar('\n');
    if (f->law && f->exchanged.starts[0]) printf("  it began at %s\n", f->exchanged.starts);
}

void cli_fit_print(const cli_fit *f) {
    const dry_fit_result *r = &f->result;
    int width = 1;
    for (int j = 0; j < r->n_parameters; j++)
        if (cli_width(r->parameters[j].name) > width) width = cli_width(r->parameters[j].name);
    print_head(f);
    printf("parameters\n");
    for (int j = 0; j < r->n_parameters; j++)
        print_parameter(&r->parameters[j], width, r->n_records > 1);
    printf("outputs\n");
    for (int i = 0; i < r->n_outputs; i++) print_output(&r->outputs[i]);
    print_optima(r);
    print_windows(&r->windows);
    for (int i = 0; i < r->stats.n_warnings; i++) printf("warning: %s\n", r->stats.warnings[i]);
}

static bool has_held(const dry_fit_rank *ranks, int n) {
    bool all = true;
    for (int i = 0; i < n; i++) all = all && isfinite(ranks[i].hold);
    return all;
}

static void print_percent(double part) {
    char text[32];
    snprintf(text, sizeof text, "%.3g %%", 100.0 * part);
    printf("  ");
    cli_pad(stdout, text, 10);
}

void cli_fit_print_ranks(const dry_fit_rank *ranks, int n) {
    const bool held = has_held(ranks, n);
    double least = (double)INFINITY;
    int width = 5;
    for (int i = 0; i < n; i++) {
        least = fmin(least, ranks[i].bic);
        if (cli_width(ranks[i].name) > width) width = cli_width(ranks[i].name);
    }
    printf("models, the best first by %s\n  ", held ? "the rows that were held out" : "BIC");
    cli_pad(stdout, "model", width);
    printf("%s  fitted      parameters  BIC - least\n", held ? "  held out  " : "");
    for (int i = 0; i < n; i++) {
        printf("  ");
        cli_pad(stdout, ranks[i].name, width);
        if (held) print_percent(ranks[i].hold);
        print_percent(ranks[i].train);
        printf("  %-10d  %.3g\n", ranks[i].result->n_parameters, ranks[i].bic - least);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void quoted(const char *value) {
    putchar('"');
    for (; *value; value++) {
        const unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 32)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void text(const char *key, const char *value) {
    printf("\"%s\": ", key);
    if (value)
        quoted(value);
    else
        printf("null");
}

static void number(const char *key, double x) {
    char digits[DRY_NUMBER_SIZE];
    dry_number_text(x, digits);
    printf(", \"%s\": %s", key, isfinite(x) ? digits : "null");
}

static void flag(const char *key, bool is) { printf(", \"%s\": %s", key, is ? "true" : "false"); }

static void json_parameter(const dry_fit_parameter *p) {
    printf("{");
    text("name", p->name);
    printf(", ");
    text("unit", p->unit);
    number("record", p->record < 0 ? (double)NAN : p->record + 1.0);
    number("value", p->value);
    number("start", p->start);
    number("low", p->low);
    number("high", p->high);
    flag("log", p->log);
    number("deviation", p->deviation);
    number("from", p->interval[0]);
    number("to", p->interval[1]);
    number("beyond", p->beyond);
    number("coarse", p->coarse);
    flag("at_low", p->at_low);
    flag("at_high", p->at_high);
    flag("no_effect", p->no_effect);
    printf(", ");
    text("differences", p->why);
    printf("}");
}

static void json_size(const char *key, const dry_fit_size *size) {
    printf(", \"%s\": {\"rows\": %zu", key, size->rows);
    number("rms", size->rms);
    number("fraction", size->fraction);
    printf("}");
}

static void json_output(const dry_fit_output *o, const dry_fit_look *look) {
    printf("{");
    text("name", o->name);
    printf(", ");
    text("unit", o->unit);
    printf(", ");
    text("file", o->file);
    printf(", ");
    text("column", o->column);
    json_size("fitted", &o->train);
    json_size("held_out", &o->hold);
    number("coarse", look->coarse);
    number("finer_rms", look->finer_rms);
    printf("}");
}

static void json_windows(const dry_fit_result *r) {
    const dry_fit_windows *w = &r->windows;
    printf("{\"n\": %d, \"stages\": %d", w->n, w->stages);
    number("length", w->length);
    number("rms", w->rms);
    number("jump", w->jump);
    number("cost", w->cost);
    number("without", w->without);
    printf(", \"values\": [");
    for (int j = 0; j < r->n_parameters; j++) {
        char digits[DRY_NUMBER_SIZE];
        dry_number_text(w->values[j], digits);
        printf("%s%s", j ? ", " : "", digits);
    }
    printf("]}");
}

static void json_optimum(const dry_fit_result *r, const dry_fit_optimum *o) {
    printf("{\"starts\": %d", o->starts);
    number("cost", o->cost);
    printf(", \"values\": [");
    for (int j = 0; j < r->n_parameters; j++) {
        char digits[DRY_NUMBER_SIZE];
        dry_number_text(o->values[j], digits);
        printf("%s%s", j ? ", " : "", digits);
    }
    printf("]}");
}

static void json_giver(const dry_fit_giver *g) {
    printf("\"giver\": ");
    if (!*g->part) {
        printf("null");
        return;
    }
    printf("{");
    text("part", g->part);
    printf(", ");
    text("kind", g->kind);
    number("record", g->record + 1.0);
    number("energy", g->energy);
    number("share", g->share);
    flag("promised", g->promised);
    printf("}");
}

void cli_fit_print_json(const cli_fit *f) {
    const dry_fit_result *r = &f->result;
    printf("{");
    text("model", f->job.path);
    printf(", ");
    text("law", f->law ? f->law->law : NULL);
    printf(", \"records\": %d, \"steps\": %d, ", r->n_records, r->steps);
    text("ended", r->ended);
    flag("settled", r->settled);
    number("offset", r->offset);
    number("cost", r->cost);
    number("aic", r->stats.aic);
    number("bic", r->stats.bic);
    number("condition", r->stats.condition);
    printf(", \"runs\": %ld, \"search_runs\": %ld, \"slope_runs\": %ld, ", r->runs, r->search_runs,
           r->slope_runs);
    text("no_finer", r->no_finer);
    printf(", ");
    json_giver(&r->giver);
    printf(", \"parameters\": [");
    for (int j = 0; j < r->n_parameters; j++) {
        fputs(j ? ", " : "", stdout);
        json_parameter(&r->parameters[j]);
    }
    printf("], \"outputs\": [");
    for (int i = 0; i < r->n_outputs; i++) {
        fputs(i ? ", " : "", stdout);
        json_output(&r->outputs[i], &r->stats.look[i]);
    }
    printf("], \"optima\": [");
    for (int i = 0; i < r->n_optima; i++) {
        fputs(i ? ", " : "", stdout);
        json_optimum(r, &r->optima[i]);
    }
    printf("], \"windows\": ");
    if (r->windows.n)
        json_windows(r);
    else
        printf("null");
    printf(", \"warnings\": [");
    for (int i = 0; i < r->stats.n_warnings; i++) {
        fputs(i ? ", " : "", stdout);
        quoted(r->stats.warnings[i]);
    }
    printf("]}");
}
