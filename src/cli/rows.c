/* rows: where the rows of a run go while it goes on: to the files of -o, and to the measures. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cli_rows {
    dry_record_writer **writers; /* one for each file */
    int n_writers;
    int *columns; /* of a row, that files show */
    int n_columns;
    double *shown;
    long long *not_finite;    /* of each of these columns: rows that have no finite number */
    double *since;            /* time of the first of them */
    dry_measuring *measuring; /* NULL: the measures are of the record */
    long long n;              /* rows so far */
    dry_sim_sink sink;
};

static void show(cli_rows *rows, const double *row) {
    for (int i = 0; i < rows->n_columns; i++) {
        rows->shown[i] = row[rows->columns[i]];
        if (isfinite(rows->shown[i])) continue;
        if (rows->not_finite[i]++ == 0) rows->since[i] = row[0];
    }
}

static dry_status add(void *user, const double *row) {
    cli_rows *rows = user;
    dry_status status = rows->measuring ? dry_measuring_add(rows->measuring, row) : DRY_OK;
    show(rows, row);
    for (int i = 0; status == DRY_OK && i < rows->n_writers; i++)
        status = dry_record_writer_add(rows->writers[i], rows->shown);
    rows->n++;
    return status;
}

/* ---- the files ---------------------------------------------------------------------------- */

static bool open_writers(cli_rows *rows, const dry_record *shown, const cli_args *args,
                         int n_files) {
    dry_error error = {0};
    dry_quantity *columns = calloc((size_t)rows->n_columns + 1, sizeof *columns);
    if (!columns) return cli_complain("out of memory"), false;
    for (int i = 0; i < rows->n_columns; i++)
        columns[i] = dry_record_quantity(shown, rows->columns[i]);
    dry_status status = DRY_OK;
    for (int i = 0; status == DRY_OK && i < n_files; i++) {
        status = dry_record_writer_new(columns, rows->n_columns, cli_nth(args, "output", i)->text,
                                       &rows->writers[i], &error);
        rows->n_writers += status == DRY_OK;
    }
    free(columns);
    if (status != DRY_OK) cli_complain_error(&error);
    return status == DRY_OK;
}

static bool take_memory(cli_rows *rows, const dry_model *model, const dry_record *all,
                        int n_files) {
    rows->columns = cli_shown_columns(model, all, &rows->n_columns);
    rows->shown = calloc((size_t)rows->n_columns + 1, sizeof *rows->shown);
    rows->writers = calloc((size_t)n_files + 1, sizeof *rows->writers);
    rows->not_finite = calloc((size_t)rows->n_columns + 1, sizeof *rows->not_finite);
    rows->since = calloc((size_t)rows->n_columns + 1, sizeof *rows->since);
    if (rows->columns && rows->shown && rows->writers && rows->not_finite && rows->since)
        return true;
    cli_complain("out of memory");
    return false;
}

cli_rows *cli_rows_new(const dry_model *model, const cli_args *args, bool measures, bool later) {
    dry_record *all = dry_sim_columns(dry_model_system(model));
    cli_rows *rows = calloc(1, sizeof *rows);
    int n_files = 0;
    while (!later && cli_nth(args, "output", n_files)) n_files++;
    bool good = all && rows && take_memory(rows, model, all, n_files);
    if (!all || !rows) cli_complain("out of memory");
    if (good && measures && !(rows->measuring = dry_measuring_new(model, NULL)))
        good = (cli_complain("out of memory"), false);
    good = good && open_writers(rows, all, args, n_files);
    dry_record_free(all);
    if (good) {
        rows->sink = (dry_sim_sink){add, rows};
        return rows;
    }
    cli_rows_free(rows);
    return NULL;
}

void cli_rows_free(cli_rows *rows) {
    if (!rows) return;
    for (int i = 0; i < rows->n_writers; i++) dry_record_writer_abandon(rows->writers[i]);
    dry_measuring_free(rows->measuring);
    free(rows->writers);
    free(rows->columns);
    free(rows->shown);
    free(rows->not_finite);
    free(rows->since);
    free(rows);
}

const dry_sim_sink *cli_rows_sink(const cli_rows *rows) { return rows ? &rows->sink : NULL; }

dry_measuring *cli_rows_measuring(const cli_rows *rows) { return rows ? rows->measuring : NULL; }

/* ---- what is not a number ----------------------------------------------------------------- */

void cli_rows_warn(const cli_rows *rows, const char *path, const dry_model *model) {
    enum { NAMED = 3 };
    dry_record *all = dry_sim_columns(dry_model_system(model));
    int named = 0, more = 0;
    for (int i = 0; all && i < rows->n_columns; i++) {
        if (!rows->not_finite[i]) continue;
        if (named++ < NAMED)
            cli_complain(
                "%s: warning: %s is not a finite number in %lld of %lld rows, the first at "
                "t = %.6g s: so is what uses it; a root or logarithm of a negative number, "
                "a division by 0, or a noise beyond 2^53, may be the cause",
                path, dry_record_quantity(all, rows->columns[i]).name, rows->not_finite[i], rows->n,
                rows->since[i]);
        else
            more++;
    }
    if (more) cli_complain("%s: warning: and so are %d more columns", path, more);
    dry_record_free(all);
}

/* ---- how it ends -------------------------------------------------------------------------- */

int cli_rows_commit(cli_rows *rows) {
    dry_error error = {0};
    int code = CLI_FINE;
    for (int i = 0; i < rows->n_writers; i++) {
        if (dry_record_writer_commit(rows->writers[i], &error) == DRY_OK) continue;
        cli_complain_error(&error);
        code = CLI_RUN;
    }
    rows->n_writers = 0;
    return code;
}

void cli_rows_keep(cli_rows *rows) {
    dry_error error = {0};
    char *name;
    for (int i = 0; i < rows->n_writers && rows->n > 0; i++) {
        if (dry_record_writer_partial(rows->writers[i], &name, &error) != DRY_OK)
            cli_complain_error(&error);
        else if (*name)
            cli_complain("%s holds what was recorded until then", name);
        free(name);
    }
    if (rows->n > 0) rows->n_writers = 0;
}
