/* slopes: `run --sensitivity F,K`: finds the derivatives of a run by parameters, prints those of
 * measures, and writes files with the columns of the run and of the derivatives. */
#define _POSIX_C_SOURCE 200809L /* strtok_r, strdup */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding them --------------------------------------------------------------------------- */

/* Cuts the list at its commas. Returns how many names there are; 0, with a complaint, if one is
 * empty. */
static int split(char *list, const char **names) {
    int n = 0;
    for (char *name = list; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        if (!*name) {
            cli_complain("--sensitivity takes names of parameters with commas between them, such "
                         "as F,K, but one of these is empty");
            return 0;
        }
        names[n++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return n;
}

static int find(cli_job *job, const char **names, int n) {
    dry_error error = {0};
    cli_bar bar = cli_bar_begin(job->run.until, job->progress);
    const dry_slopes_job wanted = {.model = job->model,
                                   .options = &job->options,
                                   .run = job->run,
                                   .record = job->result.record,
                                   .stopped = job->result.stop != 0,
                                   .names = names,
                                   .n_names = n,
                                   .native = job->code == CLI_NATIVE,
                                   .progress = cli_bar_show,
                                   .user = &bar};
    const dry_status status = dry_slopes_run(&wanted, job->slopes, &error);
    cli_bar_clear(&bar);
    if (status == DRY_OK) return CLI_FINE;
    if (cli_is_interrupted()) return cli_complain("interrupted"), CLI_INTERRUPT;
    cli_complain("--sensitivity: %s", error.text);
    return status == DRY_BAD_ARGUMENT ? CLI_USAGE : CLI_RUN;
}

int cli_job_slopes(cli_job *job, const char *list) {
    const size_t length = strlen(list);
    job->slope_names = strdup(list);
    const char **names = calloc(length + 2, sizeof *names);
    job->slopes = calloc(1, sizeof *job->slopes);
    int code = CLI_RUN;
    if (!job->slope_names || !names || !job->slopes) {
        cli_complain("out of memory");
    } else {
        const int n = split(job->slope_names, names);
        code = n ? find(job, names, n) : CLI_USAGE;
    }
    free(names);
    return code;
}

/* ---- the files ---------------------------------------------------------------------------------
 */

/* The columns of the run that files show, then those of the derivatives. */
static dry_record *join(const cli_job *job) {
    const dry_record *run = job->result.record, *slopes = job->slopes->record;
    int n = 0;
    int *shown = cli_shown_columns(job->model, run, &n);
    const int more = dry_record_columns(slopes), all = n + more;
    dry_quantity *columns = calloc((size_t)all + 1, sizeof *columns);
    double *row = calloc((size_t)all + 1, sizeof *row);
    dry_record *record = NULL;
    if (shown && columns && row) {
        for (int i = 0; i < n; i++) columns[i] = dry_record_quantity(run, shown[i]);
        for (int i = 0; i < more; i++) columns[n + i] = dry_record_quantity(slopes, i);
        record = dry_record_new(columns, all);
    }
    dry_status status = record ? DRY_OK : DRY_NO_MEMORY;
    for (size_t r = 0; status == DRY_OK && r < dry_record_rows(run); r++) {
        for (int i = 0; i < n; i++) row[i] = dry_record_values(run, shown[i])[r];
        for (int i = 0; i < more; i++) row[n + i] = dry_record_values(slopes, i)[r];
        status = dry_record_add(record, row);
    }
    free(shown);
    free(columns);
    free(row);
    if (status == DRY_OK) return record;
    dry_record_free(record);
    return NULL;
}

int cli_slopes_write(const cli_job *job, const cli_args *args) {
    dry_error error = {0};
    if (!cli_nth(args, "output", 0)) return CLI_FINE;
    dry_record *record = join(job);
    if (!record) return cli_complain("out of memory"), CLI_RUN;
    int code = CLI_FINE;
    for (int i = 0; cli_nth(args, "output", i); i++) {
        if (dry_record_write(record, cli_nth(args, "output", i)->text, &error) == DRY_OK) continue;
        cli_complain_error(&error);
        code = CLI_RUN;
    }
    dry_record_free(record);
    return code;
}

/* ---- words -------------------------------------------------------------------------------------
 */

/* What the compiler chose, "f, g", to be held. */
static void chosen_names(const dry_model *model, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        const size_t length = strlen(text);
        if (set.is_chosen)
            snprintf(text + length, size - length, "%s%s", length ? ", " : "", set.name);
    }
}

static void print_how(const dry_slopes_of *of, const char *chosen) {
    printf("  %s = %.9g%s%s: ", of->name, of->value, of->unit[0] ? " " : "", of->unit);
    printf("by %s, ", of->why ? "differences" : "equations");
    if (isnan(of->error))
        printf("with an unknown error");
    else
        printf("to about %.1g of their size", of->error);
    if (of->why) printf(": %s", of->why);
    if (chosen[0])
        printf("; the K, alpha, beta that the compiler chose for %s are %s", chosen,
               of->why && of->anew ? "chosen anew" : "held");
    putchar('\n');
}

static void print_measure(const dry_slope *slope, const dry_measured *measure,
                          const dry_slopes_of *of) {
    char name[300], unit[200];
    snprintf(name, sizeof name, "d%s/d%s", measure->name, of->name);
    printf("    %-16s = %.9g", name, isnan(slope->value) ? fabs(slope->value) : slope->value);
    if (dry_slope_unit(measure->unit, of->unit, unit, sizeof unit)[0]) printf(" %s", unit);
    printf("   (+- %.1g%s)", slope->error, slope->by_equations ? "" : ", by differences");
    putchar('\n');
}

void cli_slopes_print(const cli_job *job) {
    const dry_slopes *slopes = job->slopes;
    const int n = dry_model_measures(job->model);
    char chosen[200];
    chosen_names(job->model, chosen, sizeof chosen);
    printf("sensitivities\n");
    for (int i = 0; i < slopes->n; i++) {
        print_how(&slopes->of[i], chosen);
        for (int m = 0; m < n; m++)
            print_measure(&slopes->measure[i * n + m], &job->measured[m], &slopes->of[i]);
    }
}
